// The Lyapunov exponents of a body on which anything acts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "polhode/splitting/driven_tangent.hpp"

namespace POLHODE_CORE {

/// All exponents of a motion, as they were seen on the way: what they have not settled to by the last time, is not known.
struct LyapunovExponents {
  std::vector<double> times;                  ///< since the beginning, of `looks` looks
  std::vector<std::array<double, 6>> values;  ///< at these times, the largest first
  const std::array<double, 6>& last() const { return values.back(); }
};

namespace detail {

/// Makes the changes orthonormal (Gram and Schmidt, twice) and returns the logarithms of their lengths across those before.
template <Scalar T>
std::array<double, 6> orthonormalize(std::vector<Tangent<T>>& variations) {
  const auto product = [](const Tangent<T>& a, const Tangent<T>& b) {
    return dot(a.momentum, b.momentum) + dot(a.rotation, b.rotation);
  };
  std::array<double, 6> logarithms{};
  for (std::size_t i = 0; i < 6; ++i) {
    Tangent<T>& v = variations[i];
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < i; ++j) {
        const T along = product(v, variations[j]);
        v.momentum = v.momentum - along * variations[j].momentum;
        v.rotation = v.rotation - along * variations[j].rotation;
      }
      const T length = sqrt(product(v, v));
      if (!(length > T(0)) || !isfinite(length))
        throw MotionError("the motion stretches changes of the state too much in a step: take a shorter one");
      logarithms[i] += std::log(static_cast<double>(length));
      v.momentum = (T(1) / length) * v.momentum;
      v.rotation = (T(1) / length) * v.rotation;
    }
  }
  return logarithms;
}

}  // namespace detail

/// The six exponents of a body under torque over `steps` steps from its state now on: the rates at which the derivative of the
/// state stretches six changes that are made orthonormal again and again (Benettin and others). They are seen at `looks`
/// equal parts of the time. Their sum is that of the damping: zero without it; those of a Hamiltonian system are pairs of
/// either sign. A regular motion has 0, with an error like log(t)/t.
///
/// dm is measured in a power of two near the size of the momentum; in the limit no unit matters. between() is called now and
/// then, and may throw. Throws InputError.
template <Scalar T, class Between>
LyapunovExponents lyapunov_exponents(DrivenTangent<T>& run, const std::type_identity_t<T>& step,
                                     std::int64_t steps, std::int64_t looks, Between&& between) {
  if (!isfinite(step) || step == T(0) || steps < 1)
    throw InputError("a Lyapunov exponent needs a step that is not zero and at least one of them");
  if (looks < 1) throw InputError("Lyapunov exponents need at least one look");
  looks = std::min(looks, steps);
  run.reset();
  LyapunovExponents result;
  std::array<double, 6> sums{};
  std::int64_t taken = 0, block = 1;
  for (std::int64_t look = 1; look <= looks; ++look) {
    const std::int64_t end = steps / looks * look + steps % looks * look / looks;
    while (taken < end) {
      const std::int64_t count = std::min(block, end - taken);
      run.advance(step, count);
      between();
      taken += count;
      const std::array<double, 6> logarithms = detail::orthonormalize(run.changes());
      for (std::size_t i = 0; i < 6; ++i) sums[i] += logarithms[i];
      // As rarely as the changes stay apart: in a block they may come to differ by a factor of some hundreds.
      const auto [least, most] = std::minmax_element(logarithms.begin(), logarithms.end());
      constexpr std::int64_t largest_block = 64;
      if (*most - *least < 3.0 && block < largest_block) block *= 2;
      if (*most - *least > 6.0 && block > 1) block /= 2;
    }
    const double time = std::abs(static_cast<double>(step)) * static_cast<double>(taken);
    std::array<double, 6> values = sums;
    for (double& x : values) x /= time;
    std::sort(values.begin(), values.end(), std::greater<>());
    result.times.push_back(time);
    result.values.push_back(values);
  }
  return result;
}

/// The same for the steps of driven(body, state, torque, scheme, start).
template <Scalar T, class Torque>
LyapunovExponents lyapunov_exponents(const Body<T>& body, const State<std::type_identity_t<T>>& state,
                                     const Torque& torque, const Scheme& scheme,
                                     const std::type_identity_t<T>& step, std::int64_t steps,
                                     const Wide<std::type_identity_t<T>>& start = Wide<T>(0),
                                     std::int64_t looks = 16) {
  DrivenTangent<T> run(body, state, torque, scheme, start);
  return lyapunov_exponents(run, step, steps, looks, [] {});
}

/// The largest of them.
template <Scalar T, class Torque>
double lyapunov_exponent(const Body<T>& body, const State<std::type_identity_t<T>>& state,
                         const Torque& torque, const Scheme& scheme, const std::type_identity_t<T>& step,
                         std::int64_t steps, const Wide<std::type_identity_t<T>>& start = Wide<T>(0)) {
  return lyapunov_exponents(body, state, torque, scheme, step, steps, start, 1).last()[0];
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::lyapunov_exponent;
}  // namespace polhode

namespace polhode::derivatives {
using core::lyapunov_exponents;
using core::LyapunovExponents;
}  // namespace polhode::derivatives
