// Steps of many states of one body, for programs that own the states.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "polhode/batch/compiled_functions.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace POLHODE_CORE {

/// Arrays (n, 3) of momenta and (n, 4) of attitudes, in the user's frame and units. The results may be written over what is
/// read.
struct StateArrays {
  const double* momenta;
  const double* attitudes;
  double* new_momenta;
  double* new_attitudes;
};

/// Steps states from arrays to arrays, without keeping them: the bits are those of a new Rotor<Exact<double>> for each.
class StateSteps {
 public:
  explicit StateSteps(const Body<double>& body, const BatchFunctions& functions = compiled_batch_functions())
      : body_(body),
        functions_(&functions),
        kinds_(functions.compensated.make_kinds({body.inertia().moments.c.data(), 1, nullptr, 0}),
               functions.compensated.free_kinds),
        turned_(!(body.axes() == Matrix<DoubleDouble>::identity())) {
    for (std::size_t i = 0; i < 9; ++i) set(axes_, i, body.axes()[i / 3][i % 3]);
    for (std::size_t i = 0; i < 4; ++i) set(turn_, i, body.turn()[i]);
  }

  /// `count` steps of length h of the states first..last. failed(i, error) is told of an entry that is no state.
  template <class Failed>
  void advance(const StateArrays& states, std::size_t first, std::size_t last, double h, std::int64_t count,
               const Failed& failed) const {
    const polhode_shared::StatesJob job{.kinds = kinds_.get(),
                                        .axes = turned_ ? axes_.data() : nullptr,
                                        .turn = turned_ ? turn_.data() : nullptr,
                                        .inertia_exponent = body_.inertia_exponent(),
                                        .h = h,
                                        .count = count,
                                        .momenta = states.momenta,
                                        .attitudes = states.attitudes,
                                        .new_momenta = states.new_momenta,
                                        .new_attitudes = states.new_attitudes};
    std::array<bool, 256> left{};
    while (first < last) {
      const std::size_t end = std::min(last, first + left.size());
      functions_->advance_states(job, first, end, left.data());
      for (std::size_t i = first; i < end; ++i) {
        if (!left[i - first]) continue;
        try {
          advance_one(states, i, h, count);
        } catch (const InputError& e) {
          failed(i, e);
        }
      }
      first = end;
    }
  }

 private:
  template <std::size_t size>
  static void set(std::array<double, size>& numbers, std::size_t i, const DoubleDouble& x) {
    numbers[i] = x.high();
    numbers[size / 2 + i] = x.low();
  }

  void advance_one(const StateArrays& states, std::size_t i, double h, std::int64_t count) const {
    const double *const m = states.momenta + 3 * i, *const q = states.attitudes + 4 * i;
    Rotor<Exact<double>> rotor(body_, {{{m[0], m[1], m[2]}}, {q[0], q[1], q[2], q[3]}});
    rotor.advance(h, count);
    const State<double> s = rotor.state();
    std::copy(s.momentum.c.begin(), s.momentum.c.end(), states.new_momenta + 3 * i);
    std::copy(s.attitude.c.begin(), s.attitude.c.end(), states.new_attitudes + 4 * i);
  }

  Body<double> body_;
  const BatchFunctions* functions_;
  std::shared_ptr<const void> kinds_;
  bool turned_;
  std::array<double, 18> axes_{};
  std::array<double, 8> turn_{};
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::StateArrays;
using core::StateSteps;
}  // namespace polhode
