// The state of a rotating body, and the sums that carry it from step to step.
#pragma once

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/lanes.hpp"
#include "polhode/arithmetic/quaternion.hpp"

namespace POLHODE_CORE {

/// Angular momentum in the body frame, attitude from body to space: Q m is the momentum in space.
template <class T = double>
struct State {
  Vector<T> momentum{};
  Quaternion<T> attitude{};  ///< the identity unless it is given
  friend constexpr bool operator==(const State&, const State&) = default;
};

template <class To, class From>
constexpr State<To> convert(const State<From>& s) {
  return {convert<To>(s.momentum), convert<To>(s.attitude)};
}

/// What a method steps: a state in the principal frame whose components are sums of increments. The variant
/// with compensation is a matter of this type alone; a method is written once.
///
/// The attitude is not kept at norm one: a quaternion of any norm is the same rotation, and a
/// normalisation in each step would only add rounding errors [Vil08 section 5]. keep_in_range() holds it by
/// powers of two, which are exact.
template <Arithmetic T, Summation summation>
class Motion {
 public:
  using Value = T;
  using W = Wide<T>;
  static constexpr bool compensated = summation == Summation::compensated;

  Motion() = default;
  explicit Motion(const State<T>& s) { assign(s.momentum, s.attitude); }
  explicit Motion(const State<W>& s) requires(!std::same_as<T, W>) { assign(s.momentum, s.attitude); }

  /// What compensation has kept of the momentum: zero without it.
  Vector<T> momentum_error() const { return vector(momentum_error_components()); }
  Quaternion<T> attitude_error() const {
    if constexpr (compensated) {
      return quaternion(q_.error);
    } else {
      return {T(0), T(0), T(0), T(0)};
    }
  }

  Vector<T> momentum() const { return vector(m_.value); }
  Quaternion<T> attitude() const { return quaternion(q_.value); }

  /// The same for kernels that work on all components at once.
  const ThreeLanes<T>& momentum_components() const { return m_.value; }
  ThreeLanes<T> momentum_error_components() const {
    if constexpr (compensated) {
      return m_.error;
    } else {
      return {};
    }
  }
  const FourLanes<T>& attitude_components() const { return q_.value; }
  FourLanes<T> attitude_error_components() const {
    if constexpr (compensated) {
      return q_.error;
    } else {
      return {};
    }
  }

  /// The state with its compensation: all that is known of it.
  Vector<W> wide_momentum() const { return {{wide(m_, 0), wide(m_, 1), wide(m_, 2)}}; }
  Quaternion<W> wide_attitude() const { return {wide(q_, 0), wide(q_, 1), wide(q_, 2), wide(q_, 3)}; }
  State<W> wide_state() const { return {wide_momentum(), wide_attitude()}; }

  void add_momentum(const Vector<T>& increment) { add(m_, increment.c); }
  void add_attitude(const Quaternion<T>& increment) { add(q_, increment.c); }
  void add_momentum(const ThreeLanes<T>& increment) { m_.add(increment); }
  void add_attitude(const FourLanes<T>& increment) { q_.add(increment); }
  /// Increments that come with their own errors, or with a small part that is not rounded into the large one.
  void add_momentum(const ErrorFree<ThreeLanes<T>>& increment) { m_.add(increment); }
  void add_attitude(const ErrorFree<FourLanes<T>>& increment) { q_.add(increment); }
  void add_momentum(const std::array<ErrorFree<T>, 3>& increment) { add(m_, increment); }
  void add_attitude(const std::array<ErrorFree<T>, 4>& increment) { add(q_, increment); }

  template <class U>
  void assign_momentum(const Vector<U>& m) {
    for (std::size_t i = 0; i < 3; ++i) assign(m_, i, m[i]);
  }
  template <class U>
  void assign_attitude(const Quaternion<U>& q) {
    for (std::size_t i = 0; i < 4; ++i) assign(q_, i, q[i]);
  }
  template <class U>
  void assign(const Vector<U>& m, const Quaternion<U>& q) {
    assign_momentum(m);
    assign_attitude(q);
  }

  /// Values that come with what is beyond their last place.
  void assign_momentum(const ErrorFree<ThreeLanes<T>>& m) { assign(m_, m); }
  void assign_attitude(const ErrorFree<FourLanes<T>>& q) { assign(q_, q); }

  /// The attitude of another motion, with its compensation.
  void copy_attitude(const Motion& other) { q_ = other.q_; }

  /// Brings the norm of the attitude back to about one by an exact factor, when it has grown far from it.
  void keep_in_range() {
    const T size = norm_squared(attitude());
    if (size < T(0x1p100) && size > T(0x1p-100)) return;
    T largest(0);  // the square may have overflowed or vanished
    for (const auto& c : attitude().c)
      if (largest < abs(c)) largest = abs(c);
    if (!(largest > T(0)) || !isfinite(largest)) return;
    const int exponent = -std::ilogb(static_cast<double>(largest));
    scale(q_.value, exponent);
    if constexpr (compensated) scale(q_.error, exponent);
  }

  /// Calls visit(a, b) for each value and each compensation of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) {
    const auto visit_all = [&](auto& mine, const auto& theirs, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        T x = mine[i];
        visit(x, theirs[i]);
        mine.set(i, x);
      }
    };
    visit_all(m_.value, other.m_.value, 3);
    if constexpr (compensated) visit_all(m_.error, other.m_.error, 3);
    visit_all(q_.value, other.q_.value, 4);
    if constexpr (compensated) visit_all(q_.error, other.q_.error, 4);
  }

 private:
  template <Arithmetic U, Summation>
  friend class Motion;

  /// The plain sum has the compensated one's interface and no memory of its errors.
  template <class C>
  struct Plain {
    C value{};
    void add(const C& increment) { value += increment; }
    void add(const ErrorFree<C>& increment) { value += increment.value + increment.error; }
  };
  template <class C>
  using Sum = std::conditional_t<compensated, Compensated<C>, Plain<C>>;

  static Vector<T> vector(const ThreeLanes<T>& c) { return {{c[0], c[1], c[2]}}; }
  static Quaternion<T> quaternion(const FourLanes<T>& c) { return {c[0], c[1], c[2], c[3]}; }

  /// One by one: increments that come one by one are not worth the way into a register and back.
  template <class S, class Increment, std::size_t size>
  static void add(S& sums, const std::array<Increment, size>& increments) {
    for (std::size_t i = 0; i < size; ++i) {
      Sum<T> sum;
      sum.value = sums.value[i];
      if constexpr (compensated) sum.error = sums.error[i];
      sum.add(increments[i]);
      sums.value.set(i, sum.value);
      if constexpr (compensated) sums.error.set(i, sum.error);
    }
  }

  template <class S>
  static W wide(const S& s, std::size_t i) {
    if constexpr (compensated) {
      return W(s.value[i]) + W(s.error[i]);
    } else {
      return W(s.value[i]);
    }
  }
  template <class S, class C>
  static void assign(S& s, const ErrorFree<C>& x) {
    s.value = x.value;
    if constexpr (compensated) s.error = x.error;
  }
  template <class S, class U>
  static void assign(S& s, std::size_t i, const U& x) {
    const T value = rounded<T>(x);
    s.value.set(i, value);
    if constexpr (compensated) s.error.set(i, static_cast<T>(x - U(value)));
  }
  static void scale(FourLanes<T>& c, int exponent) {
    for (std::size_t i = 0; i < 4; ++i) c.set(i, ldexp(c[i], exponent));
  }

  Sum<ThreeLanes<T>> m_{};
  Sum<FourLanes<T>> q_{};
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::convert;
using core::State;
}  // namespace polhode
