#include "bench/other_library_body.hpp"

#include "polhode/stepping/bytes.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace polhode::program {

OtherState other_state(const State<double>& s) {
  return {s.momentum[0], s.momentum[1], s.momentum[2], s.attitude[0],
          s.attitude[1], s.attitude[2], s.attitude[3]};
}

State<double> state_of(const OtherState& y) {
  return {{{y[0], y[1], y[2]}}, normalized(Quaternion<double>{y[3], y[4], y[5], y[6]})};
}

DoubleDouble energy_of(const Vector<double>& moments, const OtherState& y) {
  DoubleDouble twice = 0.0;
  for (std::size_t i = 0; i < 3; ++i) twice += DoubleDouble::product(y[i], y[i]) / DoubleDouble(moments[i]);
  return DoubleDouble(0.5) * twice;
}

OtherLibraryBody::OtherLibraryBody(std::string name, const BenchProblem& problem, double step)
    : moments_(problem.moments), equations_(problem.moments), y_(other_state(problem.initial)) {
  description_.system = "free-body";
  description_.method = std::move(name);
  description_.step = step;
  description_.state = {
      {"momentum", 3, 1, "angular momentum in the body frame, user's units"},
      {"attitude", 4, 0, "quaternion from body to space, scalar first, of norm one"},
  };
  description_.invariants = {{"energy", 1, 1, "kinetic energy, user's units"}};
}

void OtherLibraryBody::look(Snapshot& snapshot) const {
  const OtherState y = other_state(state_of(y_));
  snapshot.state.assign(y.begin(), y.end());
  snapshot.invariants.assign(1, energy_of(moments_, y_));
}

std::vector<std::byte> OtherLibraryBody::save() const { return detail::bytes_of(y_, steps_); }

void OtherLibraryBody::restore(std::span<const std::byte> bytes) { detail::get_all(bytes, y_, steps_); }

}  // namespace polhode::program
