// Schemes for bodies that are damped or controlled: which keep their order, and which run the damping backwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "polhode/body/diagonalize.hpp"
#include "polhode/splitting/leading_error.hpp"
#include "polhode/splitting/schemes.hpp"
#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// How fast damping takes the momentum and dissipation the nutation, at the most: in inverse time.
template <Scalar T>
struct DampingRates {
  double damping = 0;      ///< the largest eigenvalue of C I^-1
  double dissipation = 0;  ///< d |m|^2 (1/I1 - 1/I3)

  DampingRates(const Actions<T>& actions, const Vector<T>& momentum) {
    const Vector<T>& moments = actions.body().moments();
    if (actions.is_damped()) {
      Matrix<Wide<T>> symmetric = actions.damping();
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          symmetric[i][j] /= sqrt(Wide<T>(moments[i]) * Wide<T>(moments[j]));
      for (const auto& value : diagonalize(symmetric).values.c)
        damping = std::max(damping, static_cast<double>(value));
    }
    if (actions.dissipates())
      dissipation = static_cast<double>(actions.dissipation() * dot(momentum, momentum) *
                                        (T(1) / moments[0] - T(1) / moments[2]));
  }
};

/// How fast the torques of the angular velocity take the momentum, or bring it, at a given moment: the size of their derivative,
/// by differences. It is theirs at that moment alone.
template <Scalar T>
double control_rate(const Actions<T>& actions, const State<T>& state, const Wide<T>& time) {
  if (!actions.has_controls()) return 0;
  const Vector<Wide<T>> m = actions.body().to_principal(state.momentum);
  const Quaternion<T> q = convert<T>(actions.body().to_principal(state).attitude);
  const Vector<T> omega = convert<T>(actions.angular_velocity(m, time));
  const Vector<T>& moments = actions.body().moments();
  const Vector<T> here = actions.control(q, omega, time);
  const T size = norm(omega) > T(0) ? norm(omega) : T(1);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    Vector<T> moved = omega;
    moved[i] += T(0x1p-10) * size;
    const Vector<T> change = actions.control(q, moved, time) - here;
    sum += static_cast<double>(dot(change, change)) /
           static_cast<double>(square(T(0x1p-10) * size * moments[i]));
  }
  return std::sqrt(sum);
}

/// The parts of a step that a scheme takes backwards, as fractions of it, negative or zero: of free motions and of kicks.
struct BackwardLengths {
  double free = 0;
  double kicks = 0;

  explicit BackwardLengths(const Scheme& scheme) {
    const std::vector<double> half = half_of<double>(scheme);
    for (std::size_t i = 0; i < half.size(); ++i) {
      double& sum = (scheme.first == Part::kick) == (i % 2 == 0) ? kicks : free;
      if (half[i] < 0) sum += i + 1 == half.size() ? half[i] : 2 * half[i];
    }
  }
};

/// The order of a scheme for what acts: schemes of Nystrom type need kicks of attitude and time alone.
template <Scalar T>
int order_of(const Scheme& scheme, const Actions<T>& actions) {
  return scheme.nystrom && !actions.is_nystrom() ? leading_error(scheme, false).order : scheme.order;
}

/// The scheme that is taken where none is named. Without damping, control and dissipation: rkn6-14, of order 6. With them:
/// aba-8-2, whose lengths are all positive; or aba-8-6-4 where the step is known, and what they do over the step is small. Of
/// controls that is what they do at the beginning.
template <Scalar T>
const Scheme& default_scheme(const Actions<T>& actions, const State<T>& initial = {}, double step = 0,
                             const Wide<T>& time = Wide<T>(0)) {
  if (actions.is_nystrom()) return scheme("rkn6-14");
  if (!(step > 0)) return scheme("aba-8-2");
  const DampingRates<T> rates(actions, initial.momentum);
  const double rate = rates.damping + rates.dissipation + control_rate(actions, initial, time);
  return scheme(step * rate < 0.1 ? "aba-8-6-4" : "aba-8-2");
}

}  // namespace POLHODE_CORE
