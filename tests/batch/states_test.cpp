// States that are stepped from array to array have the bits of the scalar kernel.

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/batch/state_steps.hpp"
#include "tests/batch/crowd.hpp"

namespace polhode::testing {

using namespace core;
namespace {

struct Arrays {
  std::vector<double> momenta, attitudes;

  explicit Arrays(const std::vector<State<double>>& states) {
    for (const State<double>& s : states) {
      momenta.insert(momenta.end(), s.momentum.c.begin(), s.momentum.c.end());
      attitudes.insert(attitudes.end(), s.attitude.c.begin(), s.attitude.c.end());
    }
  }
  StateArrays in_place() { return {momenta.data(), attitudes.data(), momenta.data(), attitudes.data()}; }
  State<double> operator[](std::size_t i) const {
    const double *const m = &momenta[3 * i], *const q = &attitudes[4 * i];
    return {{{m[0], m[1], m[2]}}, {q[0], q[1], q[2], q[3]}};
  }
};

void fail(std::size_t i, const InputError& e) { ADD_FAILURE() << i << ": " << e.what(); }

const std::vector<Body<double>>& bodies() {
  static const std::vector<Body<double>> list{
      Body<double>(Vector<double>{{0.345, 0.653, 1}}), Body<double>(Vector<double>{{1, 0.345, 0.653}}),
      Body<double>(Vector<double>{{1e-46, 1e-46, 2e-46}}),
      Body<double>(Matrix<double>{{Vector<double>{{2.9, 0.1, -0.2}}, Vector<double>{{0.1, 3.4, 0.3}},
                                   Vector<double>{{-0.2, 0.3, 1.1}}}})};
  return list;
}

TEST(StateSteps, HaveTheBitsOfTheScalarKernel) {
  Crowd crowd(603);
  for (std::size_t i = 0; i < crowd.states.size(); i += 50)  // sizes that the packs do not take
    crowd.states[i].momentum = (i % 100 == 0 ? 1e-300 : 1e290) * crowd.states[i].momentum;
  for (const Body<double>& body : bodies()) {
    const StateSteps steps(body);
    for (const double h : {0.01, -0.3, 0.0, 1e-47}) {
      for (const std::int64_t count : {0, 1, 67}) {
        Arrays arrays(crowd.states);
        steps.advance(arrays.in_place(), 0, crowd.states.size(), h, count, fail);
        for (std::size_t i = 0; i < crowd.states.size(); ++i) {
          Rotor<Exact<double>> rotor(body, crowd.states[i]);
          rotor.advance(h, count);
          const State<double> expected = rotor.state();
          if (!std::isfinite(expected.attitude[0])) continue;
          ASSERT_EQ(arrays[i], expected) << i << ", step " << h;
        }
      }
    }
  }
}

TEST(StateSteps, TouchOnlyTheirShare) {
  const Crowd crowd(40);
  const StateSteps steps(bodies()[3]);
  Arrays whole(crowd.states);
  steps.advance(whole.in_place(), 0, 40, 0.01, 3, fail);
  for (std::size_t first = 0; first < 12; ++first) {
    for (std::size_t last = first; last < 24; ++last) {
      Arrays part(crowd.states);
      steps.advance(part.in_place(), first, last, 0.01, 3, fail);
      for (std::size_t i = 0; i < 40; ++i)
        ASSERT_EQ(part[i], i < first || i >= last ? crowd.states[i] : whole[i]);
    }
  }
}

TEST(StateSteps, TellOfWrongStates) {
  Crowd crowd(300);
  crowd.states[17].momentum[1] = std::nan("");
  crowd.states[18].attitude[1] = HUGE_VAL;
  crowd.states[280].attitude = {0, 0, 0, 0};
  Arrays arrays(crowd.states);
  std::vector<std::size_t> wrong;
  StateSteps(bodies()[0]).advance(arrays.in_place(), 0, 300, 0.01, 1, [&](std::size_t i, const InputError&) {
    wrong.push_back(i);
  });
  EXPECT_EQ(wrong, (std::vector<std::size_t>{17, 18, 280}));
}

}  // namespace
}  // namespace polhode::testing
