// A system with what its class leaves out: the force of a potential, the gradients of constraints, the inverse of the
// mass, all in any scalar.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "polhode/arithmetic/dual.hpp"
#include "polhode/constrained/system.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE {

namespace detail {

/// df/dq_j of a function of spans, for j in the window, by dual numbers a few directions at a time.
template <std::size_t n, class T, class F>
void differentiate(std::span<const T> q, const Window& window, std::span<T> slopes, const F& function) {
  constexpr std::size_t width = 4;
  Column<Dual<T, width>, n> x(q.size());
  for (std::size_t j = 0; j < q.size(); ++j) x[j] = Dual<T, width>(q[j]);
  for (std::size_t start = 0; start < window.count; start += width) {
    const std::size_t count = std::min(width, window.count - start);
    const auto here = [&](std::size_t k) { return window.first + start + k; };
    for (std::size_t k = 0; k < count; ++k) x[here(k)] = Dual<T, width>::variable(q[here(k)], k);
    const Dual<T, width> f = function(std::as_const(x).span());
    for (std::size_t k = 0; k < count; ++k) {
      slopes[start + k] = f.gradient()[k];
      x[here(k)] = Dual<T, width>(q[here(k)]);
    }
  }
}

}  // namespace detail

/// The mass of a system in the scalar T: nothing, a diagonal, or a matrix with its Cholesky factor. A matrix that turns out
/// to be diagonal is used as one, so that it gives the same bits.
template <System S, class T>
class Mass {
 public:
  explicit Mass(const S& system) : dimension_(dimension_of(system)) {
    if constexpr (HasMassMatrix<S>) {
      matrix_.resize(dimension_ * dimension_);
      for (std::size_t i = 0; i < dimension_; ++i)
        for (std::size_t j = 0; j < dimension_; ++j) {
          matrix_[i * dimension_ + j] = T(static_cast<double>(system.mass(i, j)));
          if (system.mass(i, j) != system.mass(j, i)) throw InputError("the mass matrix is not symmetric");
        }
      is_diagonal_ = off_diagonal_is_zero();
      if (is_diagonal_)
        for (std::size_t i = 0; i < dimension_; ++i) examine(system.mass(i, i), i);
      else
        factor();
    } else if constexpr (HasDiagonalMass<S>) {
      diagonal_ = Coordinates<S, T>(dimension_);
      for (std::size_t i = 0; i < dimension_; ++i) {
        examine(system.mass(i), i);
        diagonal_[i] = T(static_cast<double>(system.mass(i)));
      }
    }
  }

  /// x becomes M^-1 x.
  void divide(Coordinates<S, T>& x) const {
    if constexpr (HasMassMatrix<S>) {
      if (!is_diagonal_) return solve(x.span());
      for (std::size_t i = 0; i < dimension_; ++i) x[i] = x[i] / matrix_[i * dimension_ + i];
    } else if constexpr (HasDiagonalMass<S>) {
      for (std::size_t i = 0; i < dimension_; ++i) x[i] = x[i] / diagonal_[i];
    }
  }

  /// x becomes M x.
  void multiply(Coordinates<S, T>& x) const {
    if constexpr (HasMassMatrix<S>) {
      if (is_diagonal_) {
        for (std::size_t i = 0; i < dimension_; ++i) x[i] = x[i] * matrix_[i * dimension_ + i];
        return;
      }
      const Coordinates<S, T> old = x;
      for (std::size_t i = 0; i < dimension_; ++i) {
        x[i] = T(0);
        for (std::size_t j = 0; j < dimension_; ++j) x[i] += matrix_[i * dimension_ + j] * old[j];
      }
    } else if constexpr (HasDiagonalMass<S>) {
      for (std::size_t i = 0; i < dimension_; ++i) x[i] = x[i] * diagonal_[i];
    }
  }

  /// The entry i of a diagonal mass.
  T operator[](std::size_t i) const requires(!HasMassMatrix<S>) {
    if constexpr (HasDiagonalMass<S>)
      return diagonal_[i];
    else
      return T(1);
  }

 private:
  struct Nothing {};

  static void examine(double mass, std::size_t i) {
    if (!(mass > 0.0) || !std::isfinite(mass))
      throw InputError("mass " + std::to_string(i + 1) + " is not a positive number");
  }

  bool off_diagonal_is_zero() const {
    for (std::size_t i = 0; i < dimension_; ++i)
      for (std::size_t j = 0; j < dimension_; ++j)
        if (i != j && !(matrix_[i * dimension_ + j] == T(0))) return false;
    return true;
  }

  void factor() {
    factor_ = matrix_;
    for (std::size_t i = 0; i < dimension_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        T sum = matrix_[i * dimension_ + j];
        for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * dimension_ + k] * factor_[j * dimension_ + k];
        if (i != j) {
          factor_[i * dimension_ + j] = sum / factor_[j * dimension_ + j];
        } else {
          if (!(sum > T(0))) throw InputError("the mass matrix is not positive definite");
          factor_[i * dimension_ + i] = sqrt(sum);
        }
      }
  }

  void solve(std::span<T> x) const {
    for (std::size_t i = 0; i < dimension_; ++i) {
      for (std::size_t j = 0; j < i; ++j) x[i] -= factor_[i * dimension_ + j] * x[j];
      x[i] /= factor_[i * dimension_ + i];
    }
    for (std::size_t i = dimension_; i-- > 0;) {
      for (std::size_t j = i + 1; j < dimension_; ++j) x[i] -= factor_[j * dimension_ + i] * x[j];
      x[i] /= factor_[i * dimension_ + i];
    }
  }

  std::size_t dimension_;
  [[no_unique_address]] std::conditional_t<HasDiagonalMass<S> && !HasMassMatrix<S>, Coordinates<S, T>,
                                           Nothing>
      diagonal_{};
  std::vector<T> matrix_, factor_;
  bool is_diagonal_ = false;
};

/// f = -dU/dq, or the system's own force.
template <System S, class T>
void force(const S& system, const Coordinates<S, T>& q, Coordinates<S, T>& f) {
  if constexpr (detail::HasForceOf<S, T>) {
    system.force(q.span(), f.span());
  } else {
    detail::differentiate<fixed_dimension<S>>(q.span(), Window{0, q.size()}, f.span(),
                                              [&](auto x) { return system.potential(x); });
    for (T& x : f) x = -x;
  }
}

/// dg_i/dq over the window of i.
template <System S, class T>
requires HasConstraints<S>
void gradient(const S& system, std::span<const T> q, std::size_t i, std::span<T> row) {
  if constexpr (HasGradient<S>)
    system.gradient(q, i, row);
  else
    detail::differentiate<fixed_dimension<S>>(q, window_of(system, i), row,
                                              [&](auto x) { return system.constraint(x, i); });
}

/// v^T g_i''(q) v: the curvature of the constraint i along v.
template <System S, class T>
requires HasConstraints<S> T curvature(const S& system, std::span<const T> q, std::span<const T> v,
                                       std::size_t i) {
  if constexpr (HasCurvature<S>) {
    return system.curvature(q, v, i);
  } else {
    using Line = Dual<Dual<T>>;
    Column<Line, fixed_dimension<S>> x(q.size());
    for (std::size_t j = 0; j < q.size(); ++j) x[j] = Line(Dual<T>(q[j], {v[j]}), {Dual<T>(v[j])});
    return system.constraint(std::as_const(x).span(), i).gradient()[0].gradient()[0];
  }
}

/// p M^-1 p/2 + U(q) [CH13 (3)].
template <System S, class T>
requires HasPotential<S> T energy(const S& system, const Mass<S, T>& mass, const PhasePointOf<S, T>& point) {
  Coordinates<S, T> v = point.momentum;
  mass.divide(v);
  T twice(0);
  for (std::size_t i = 0; i < v.size(); ++i) twice += point.momentum[i] * v[i];
  return twice * T(0.5) + system.potential(point.position.span());
}

}  // namespace POLHODE_CORE
