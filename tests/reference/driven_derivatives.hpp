// The system of driven_system.hpp with torques that know their derivatives, and differences of states.
#pragma once

#include <algorithm>
#include <cmath>

#include "polhode/splitting/driven_tangent.hpp"
#include "reference/driven_system.hpp"
#include "reference/quadruple.hpp"

namespace polhode::reference {

/// DrivenSystem<T>{actions}.list(), its functions written for any scalar.
template <class T>
TorqueList<T> differentiable_list(unsigned actions) {
  TorqueList<T> all = DrivenSystem<T>{actions & ~(unsigned{kick} | unsigned{control})}.list();
  if (actions & kick) {
    all.add(UniformField<T>(DrivenSystem<T>::field_in_space(), DrivenSystem<T>::arm()));
    all.add(differentiable([]<class U>(const Quaternion<U>& q, const T& t) {
      return DrivenSystem<U>::alternating_at(q, U(t));
    }));
  }
  if (actions & control)
    all.add(differentiable([]<class U>(const Quaternion<U>& q, const Vector<U>& w, const T& t) {
      return DrivenSystem<U>::control_at(q, w, U(t));
    }));
  return all;
}

/// The state with component j of (dm, xi) changed by e.
template <class T>
State<T> changed(State<T> s, std::size_t j, const T& e) {
  if (j < 3) {
    s.momentum[j] += e;
    return s;
  }
  Quaternion<T> turn(T(1), T(0), T(0), T(0));
  turn[j - 2] = e / T(2);
  s.attitude = normalized(s.attitude * turn);
  return s;
}

/// (dm, xi) from one state to another that is next to it.
template <class T>
std::array<T, 6> difference(const State<T>& to, const State<T>& from) {
  const Quaternion<T> turn = conjugate(from.attitude) * to.attitude;
  const T twice = turn[0] < T(0) ? T(-2) : T(2);
  const Vector<T> m = to.momentum - from.momentum;
  return {m[0], m[1], m[2], twice * turn[1], twice * turn[2], twice * turn[3]};
}

/// The derivative of end(state) by central differences, which leave 1e-22 in quadruple precision.
template <class End>
SquareArray<double, 6> differences(const State<Quad>& state, End&& end) {
  SquareArray<double, 6> result;
  const Quad e(0x1p-36);
  for (std::size_t j = 0; j < 6; ++j) {
    const auto d = difference<Quad>(end(changed<Quad>(state, j, e)), end(changed<Quad>(state, j, -e)));
    for (std::size_t i = 0; i < 6; ++i) result[i][j] = static_cast<double>(d[i] / (Quad(2) * e));
  }
  return result;
}

/// In units of the largest entry.
inline double largest_difference(const SquareArray<double, 6>& a, const SquareArray<double, 6>& b) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double e = std::abs(a[i][j] - b[i][j]);
      worst = e <= worst ? worst : (std::isnan(e) ? HUGE_VAL : e);
      largest = std::max(largest, std::abs(b[i][j]));
    }
  }
  return worst / largest;
}

}  // namespace polhode::reference
