// The state of a rotating body, and the sums that carry it from step to step.
#pragma once

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/quaternion.hpp"

namespace polhode {

/// Angular momentum in the body frame, attitude from body to space: Q m is the momentum in space.
template <class T>
struct State {
  Vector<T> momentum;
  Quaternion<T> attitude;
  friend constexpr bool operator==(const State&, const State&) = default;
};

template <class To, class From>
constexpr State<To> convert(const State<From>& s) {
  return {convert<To>(s.momentum), convert<To>(s.attitude)};
}

enum class Summation { plain, compensated };

/// What a method steps: a state in the principal frame whose components are sums of increments. The variant
/// with compensation is a matter of this type alone; a method is written once.
///
/// The attitude is not kept at norm one: a quaternion of any norm is the same rotation, and a
/// normalisation in each step would only add rounding errors [Vil08 section 5]. settle() keeps it in range by
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
  Vector<T> momentum_error() const {
    if constexpr (compensated) {
      return {{m_[0].error, m_[1].error, m_[2].error}};
    } else {
      return {};
    }
  }
  Quaternion<T> attitude_error() const {
    if constexpr (compensated) {
      return {q_[0].error, q_[1].error, q_[2].error, q_[3].error};
    } else {
      return {T(0), T(0), T(0), T(0)};
    }
  }

  Vector<T> momentum() const { return {{m_[0].value, m_[1].value, m_[2].value}}; }
  Quaternion<T> attitude() const { return {q_[0].value, q_[1].value, q_[2].value, q_[3].value}; }

  /// The state with its compensation: all that is known of it.
  Vector<W> wide_momentum() const { return {{wide(m_[0]), wide(m_[1]), wide(m_[2])}}; }
  Quaternion<W> wide_attitude() const { return {wide(q_[0]), wide(q_[1]), wide(q_[2]), wide(q_[3])}; }
  State<W> wide_state() const { return {wide_momentum(), wide_attitude()}; }

  void add_momentum(const Vector<T>& increment) {
    for (std::size_t i = 0; i < 3; ++i) m_[i].add(increment[i]);
  }
  void add_attitude(const Quaternion<T>& increment) {
    for (std::size_t i = 0; i < 4; ++i) q_[i].add(increment[i]);
  }
  /// Increments that come with their own errors.
  void add_momentum(const std::array<ErrorFree<T>, 3>& increment) {
    for (std::size_t i = 0; i < 3; ++i) m_[i].add(increment[i]);
  }
  void add_attitude(const std::array<ErrorFree<T>, 4>& increment) {
    for (std::size_t i = 0; i < 4; ++i) q_[i].add(increment[i]);
  }

  template <class U>
  void assign_momentum(const Vector<U>& m) {
    for (std::size_t i = 0; i < 3; ++i) assign(m_[i], m[i]);
  }
  template <class U>
  void assign_attitude(const Quaternion<U>& q) {
    for (std::size_t i = 0; i < 4; ++i) assign(q_[i], q[i]);
  }
  template <class U>
  void assign(const Vector<U>& m, const Quaternion<U>& q) {
    assign_momentum(m);
    assign_attitude(q);
  }

  /// Brings the norm of the attitude back to about one by an exact factor, when it has grown far from it.
  void settle() {
    const T size = norm_squared(attitude());
    if (size < T(0x1p100) && size > T(0x1p-100)) return;
    T largest(0);  // the square may have overflowed or vanished
    for (const auto& c : q_)
      if (largest < abs(c.value)) largest = abs(c.value);
    if (!(largest > T(0)) || !isfinite(largest)) return;
    const int exponent = -std::ilogb(static_cast<double>(largest));
    for (auto& c : q_) c.scale(exponent);
  }

  /// Calls visit(a, b) for each value and each compensation of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) requires compensated {
    for (std::size_t i = 0; i < 3; ++i) {
      visit(m_[i].value, other.m_[i].value);
      visit(m_[i].error, other.m_[i].error);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      visit(q_[i].value, other.q_[i].value);
      visit(q_[i].error, other.q_[i].error);
    }
  }

 private:
  template <Arithmetic U, Summation>
  friend class Motion;

  /// The plain sum has the compensated one's interface and no memory of its errors.
  struct Plain {
    T value{};
    void add(const T& increment) { value += increment; }
    void add(const ErrorFree<T>& increment) { value += increment.value; }
    void scale(int exponent) { value = ldexp(value, exponent); }
  };
  struct WithError : Compensated<T> {
    void scale(int exponent) {
      this->value = ldexp(this->value, exponent);
      this->error = ldexp(this->error, exponent);
    }
  };
  using Sum = std::conditional_t<compensated, WithError, Plain>;

  static W wide(const Sum& s) {
    if constexpr (compensated) {
      return W(s.value) + W(s.error);
    } else {
      return W(s.value);
    }
  }
  template <class U>
  static void assign(Sum& s, const U& x) {
    s.value = static_cast<T>(x);
    if constexpr (compensated) s.error = static_cast<T>(x - U(s.value));
  }

  std::array<Sum, 3> m_{};
  std::array<Sum, 4> q_{};
};

}  // namespace polhode
