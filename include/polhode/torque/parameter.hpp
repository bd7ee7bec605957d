// What a parameter changes of all that acts on a body: a moment of inertia, or a number that a torque depends on.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// The derivatives of the parts of the equations of motion (actions.hpp) by one parameter, in the principal frame and the
/// user's units: of b, k, l, C, d, I(t) and of the principal moments of the body.
template <Scalar T>
class Parameter {
 public:
  using W = Wide<T>;

  Parameter() = default;
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;
  virtual ~Parameter() = default;

  virtual Vector<T> torque(const Quaternion<T>&, const W&) const { return {}; }
  virtual Vector<T> control(const Quaternion<T>&, const Vector<T>&, const W&) const { return {}; }
  virtual Vector<W> rotor_momentum(const W&) const { return {}; }
  virtual Matrix<W> damping() const { return {}; }
  virtual T dissipation() const { return T(0); }
  virtual Matrix<W> inertia(const W&) const { return {}; }
  virtual Vector<T> moments() const { return {}; }
  /// Whether it may change the momentum at a fixed attitude where nothing else does: a damping of none.
  virtual bool kicks() const { return false; }

  /// Of I^-1: -I^-1 dI I^-1.
  Matrix<W> inverse_inertia(const Actions<T>& actions, const W& time) const {
    const Matrix<W> inverse = actions.inverse_inertia(time);
    Matrix<W> result = inverse * inertia(time) * inverse;
    for (auto& row : result.rows) row = -row;
    return result;
  }
};

/// A principal moment, by its number. What acts is kept alive by the caller.
template <Scalar T>
class MomentParameter final : public Parameter<T> {
 public:
  using W = Wide<T>;

  MomentParameter(const Actions<T>& actions, std::size_t number) : actions_(&actions), number_(number) {}

  Vector<T> torque(const Quaternion<T>& q, const W& time) const override {
    const Matrix<T> by = actions_->torque_by_moments(q, time);
    return {by[0][number_], by[1][number_], by[2][number_]};
  }
  Matrix<W> inertia(const W&) const override {
    Matrix<W> result{};
    if (actions_->has_body_inertia()) result[number_][number_] = W(1);
    return result;
  }
  Vector<T> moments() const override {
    Vector<T> result{};
    if (actions_->has_body_inertia()) result[number_] = T(1);
    return result;
  }

 private:
  const Actions<T>* actions_;
  std::size_t number_;
};

/// A number that what acts depends on in any way, by differences of order eight of the equations of motion, not of the
/// motion. They are exact to round-off where the equations are polynomials of it, as of a field, a coefficient of damping or
/// the momentum of a wheel. Elsewhere the interval shrinks until the formulas of order six and eight agree.
///
/// The differences are central. Where InputError refuses what acts on the one side, as of a coefficient that is zero and may not be
/// negative, they are those of the other side, with some digits less: the weights are larger.
template <Scalar T>
class DifferenceParameter final : public Parameter<T> {
 public:
  using W = Wide<T>;

  /// act(value): what acts on the body for a value of the parameter. It is called on construction alone. Throws what act throws.
  template <class Act>
  DifferenceParameter(const Act& act, const T& value) {
    try {
      look_at(act, value, T(1));
    } catch (const InputError&) {
      central_ = false;
      try {
        look_at(act, value, T(1));
      } catch (const InputError&) {
        look_at(act, value, T(-1));
      }
    }
  }

  Vector<T> torque(const Quaternion<T>& q, const W& time) const override {
    return difference<Vector<T>, T>(torque_level_, [&](const Actions<T>& a) { return a.torque(q, time); });
  }
  Vector<T> control(const Quaternion<T>& q, const Vector<T>& omega, const W& time) const override {
    return difference<Vector<T>, T>(control_level_,
                                    [&](const Actions<T>& a) { return a.control(q, omega, time); });
  }
  Vector<W> rotor_momentum(const W& time) const override {
    return difference<Vector<W>, W>(rotor_level_,
                                    [&](const Actions<T>& a) { return a.rotor_momentum(time); });
  }
  Matrix<W> damping() const override {
    return by_rows([&](std::size_t i) {
      return difference<Vector<W>, W>(damping_level_, [&](const Actions<T>& a) { return a.damping()[i]; });
    });
  }
  Matrix<W> inertia(const W& time) const override {
    return by_rows([&](std::size_t i) {
      return difference<Vector<W>, W>(inertia_level_,
                                      [&](const Actions<T>& a) { return a.inertia(time)[i]; });
    });
  }
  bool kicks() const override { return around_.front().back().kicks(); }
  T dissipation() const override {
    std::size_t level = 0;
    return difference<Vector<T>, T>(
        level, [&](const Actions<T>& a) { return Vector<T>(a.dissipation(), T(0), T(0)); })[0];
  }

 private:
  static constexpr int levels = 12;

  template <class Row>
  static Matrix<W> by_rows(const Row& row) {
    return {row(0), row(1), row(2)};
  }

  template <class Act>
  void look_at(const Act& act, const T& value, const T& side) {
    around_.clear();
    intervals_.clear();
    const T size = value == T(0) ? T(1) : ldexp(T(1), std::ilogb(static_cast<double>(value)));
    for (int level = 0; level < levels; ++level) {
      const T interval = side * ldexp(size, -4 - 2 * level);
      std::vector<Actions<T>> around;
      if (!central_) around.push_back(act(value));
      for (int i = 1; i <= (central_ ? 4 : 8); ++i) {
        around.push_back(act(value + T(i) * interval));
        if (central_) around.push_back(act(value - T(i) * interval));
      }
      around_.push_back(std::move(around));
      intervals_.push_back(interval);
    }
  }

  /// Times the interval: of order eight, and of order six.
  template <class Column, class U, class Value>
  std::array<Column, 2> differences(const std::vector<Actions<T>>& around, const Value& value) const {
    if (central_) {
      std::array<Column, 4> odd;
      for (std::size_t k = 0; k < 4; ++k) odd[k] = value(around[2 * k]) - value(around[2 * k + 1]);
      return {(U(4) / U(5)) * odd[0] - (U(1) / U(5)) * odd[1] +
                  ((U(4) / U(105)) * odd[2] - (U(1) / U(280)) * odd[3]),
              (U(3) / U(4)) * odd[0] - (U(3) / U(20)) * odd[1] + (U(1) / U(60)) * odd[2]};
    }
    // Of a polynomial of degree n through n + 1 points: the sum of (-1)^(k+1) binomial(n, k)/k times the change to point k.
    std::array<Column, 2> found{};
    const Column here = value(around[0]);
    std::array<U, 2> weights{U(-1), U(-1)};  // (-1)^(k+1) binomial(n, k)
    for (int k = 1; k <= 8; ++k) {
      const Column change = value(around[static_cast<std::size_t>(k)]) - here;
      for (std::size_t i = 0; i < 2; ++i) {
        const int n = i == 0 ? 8 : 6;
        weights[i] = -weights[i] * U(n - k + 1) / U(k);
        if (k <= n) found[i] = found[i] + (weights[i] / U(k)) * change;
      }
    }
    return found;
  }

  /// From the level that was enough the last time on, down to the one where both formulas agree best.
  template <class Column, class U, class Value>
  Column difference(std::size_t& level, const Value& value) const {
    Column best{};
    double least = HUGE_VAL;
    for (std::size_t i = level; i < around_.size(); ++i) {
      const auto of = differences<Column, U>(around_[i], value);
      const U unit = U(1) / U(intervals_[i]);
      const Column eight = unit * of[0], six = unit * of[1];
      const auto size = static_cast<double>(norm(eight));
      const double gap = size > 0.0 ? static_cast<double>(norm(eight - six)) / size : 0.0;
      if (!(least <= gap)) {
        least = gap;
        best = eight;
        level = i;
      }
      if (least <= 1e-12) break;
      if (gap > least && least < 1e-9) break;  // round-off
    }
    return best;
  }

  bool central_ = true;
  std::vector<std::vector<Actions<T>>> around_;
  std::vector<T> intervals_;
  mutable std::size_t torque_level_ = 0, control_level_ = 0, rotor_level_ = 0, damping_level_ = 0,
                      inertia_level_ = 0;
};

}  // namespace POLHODE_CORE
