// The constraints of a system at one position: their derivative G, and the matrix G M^-1 G^T, which multipliers and
// projections are solved with.
#pragma once

#include "polhode/constrained/mechanics.hpp"

namespace POLHODE_CORE {

namespace detail {

/// The widest window where the compiler can know it.
template <System S>
inline constexpr std::size_t fixed_window = [] {
  if constexpr (!HasConstraints<S>)
    return std::size_t{0};
  else if constexpr (fixed_dimension<S> == dynamic_length || fixed_constraints<S> == dynamic_length)
    return dynamic_length;
  else if constexpr (requires { typename std::integral_constant<std::size_t, S::window(0).count>; }) {
    std::size_t widest = 0;
    for (std::size_t i = 0; i < S::constraints; ++i) widest = std::max(widest, S::window(i).count);
    return widest;
  } else
    return fixed_dimension<S>;
}();

template <System S>
inline constexpr std::size_t fixed_entries =
    fixed_window<S> == dynamic_length ? dynamic_length : fixed_window<S>* fixed_constraints<S>;

}  // namespace detail

/// G = g'(q), by rows over their windows.
template <System S, class T>
class ConstraintDerivative {
 public:
  explicit ConstraintDerivative(const S& system) : count_(constraints_of(system)), windows_(count_) {
    std::size_t widest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      windows_[i] = window_of(system, i);
      if (windows_[i].end() > dimension_of(system))
        throw InputError("the window of constraint " + std::to_string(i + 1) + " leaves the coordinates");
      widest = std::max(widest, window(i).count);
    }
    stride_ = widest;
    entries_ = Column<T, detail::fixed_entries<S>>(count_ * stride());
  }

  void evaluate([[maybe_unused]] const S& system, [[maybe_unused]] const Coordinates<S, T>& q) {
    if constexpr (HasConstraints<S>)
      for (std::size_t i = 0; i < size(); ++i) gradient(system, q.span(), i, row(i));
  }

  std::size_t size() const { return fixed_constraints<S> == dynamic_length ? count_ : fixed_constraints<S>; }
  Window window(std::size_t i) const {
    if constexpr (requires { typename std::integral_constant<std::size_t, S::window(0).count>; })
      return S::window(i);
    else
      return windows_[i];
  }
  std::span<T> row(std::size_t i) { return entries_.span().subspan(i * stride(), window(i).count); }
  std::span<const T> row(std::size_t i) const {
    return entries_.span().subspan(i * stride(), window(i).count);
  }

  /// Row i of G times x.
  T times(std::size_t i, const Coordinates<S, T>& x) const {
    const auto entries = row(i);
    T sum(0);
    for (std::size_t j = 0; j < entries.size(); ++j) sum += entries[j] * x[window(i).first + j];
    return sum;
  }

  /// G^T lambda.
  Coordinates<S, T> transposed_times(const Multipliers<S, T>& lambda, std::size_t dimension) const {
    Coordinates<S, T> sum(dimension);
    for (std::size_t i = 0; i < size(); ++i) {
      const auto entries = row(i);
      for (std::size_t j = 0; j < entries.size(); ++j) sum[window(i).first + j] += entries[j] * lambda[i];
    }
    return sum;
  }

 private:
  std::size_t stride() const {
    return detail::fixed_window<S> == dynamic_length ? stride_ : detail::fixed_window<S>;
  }

  std::size_t count_;
  Column<Window, fixed_constraints<S>> windows_;
  std::size_t stride_ = 0;
  Column<T, detail::fixed_entries<S>> entries_;
};

/// G M^-1 G^T = L D L^T within the envelope: row i of L begins at the first constraint whose window meets that of i
/// (the mass being diagonal), and there is no fill outside. The few lines serve every scalar, allocate nothing, and
/// cost O(n) for a chain.
template <System S, class T>
class GramFactor {
 public:
  GramFactor(const S& system, const ConstraintDerivative<S, T>& derivative)
      : count_(derivative.size()), begin_(count_), offset_(count_) {
    std::size_t entries = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      begin_[i] = HasMassMatrix<S> ? 0 : i;
      for (std::size_t j = i; j-- > 0;)
        if (meets(derivative.window(i), derivative.window(j)) && !HasMassMatrix<S>) begin_[i] = j;
      offset_[i] = entries;
      entries += i + 1 - begin_[i];
    }
    entries_ = Column<T, fixed_triangle>(entries);
    row_ = Coordinates<S, T>(dimension_of(system));
  }

  /// False when the matrix is singular to working precision: a pivot loses all its digits, or is no number.
  bool factor(const ConstraintDerivative<S, T>& g, const Mass<S, T>& mass) {
    for (std::size_t i = 0; i < size(); ++i) {
      divided_row(g, mass, i);
      for (std::size_t j = begin_[i]; j < i; ++j) {  // L D first
        at(i, j) = g.times(j, row_);
        for (std::size_t k = std::max(begin_[i], begin_[j]); k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
      }
      const T whole = g.times(i, row_);
      T pivot = whole;
      for (std::size_t j = begin_[i]; j < i; ++j) {
        const T scaled = at(i, j);
        at(i, j) = scaled * at(j, j);
        pivot -= scaled * at(i, j);
      }
      if (!(pivot > T(64) * ScalarTraits<T>::epsilon() * whole)) return false;
      at(i, i) = T(1) / pivot;
    }
    return true;
  }

  /// x becomes the solution of G M^-1 G^T y = x.
  void solve(Multipliers<S, T>& x) const {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = begin_[i]; j < i; ++j) x[i] -= at(i, j) * x[j];
    for (std::size_t i = 0; i < size(); ++i) x[i] *= at(i, i);
    for (std::size_t i = size(); i-- > 0;)
      for (std::size_t j = begin_[i]; j < i; ++j) x[j] -= at(i, j) * x[i];
  }

 private:
  static constexpr std::size_t m = fixed_constraints<S>;
  static constexpr std::size_t fixed_triangle = m == dynamic_length ? dynamic_length : m * (m + 1) / 2;

  std::size_t size() const { return m == dynamic_length ? count_ : m; }
  static constexpr bool meets(const Window& a, const Window& b) {
    return a.first < b.end() && b.first < a.end();
  }
  T& at(std::size_t i, std::size_t j) { return entries_[offset_[i] + j - begin_[i]]; }
  const T& at(std::size_t i, std::size_t j) const { return entries_[offset_[i] + j - begin_[i]]; }

  /// M^-1 times the row i. Outside the window it is left as it was: the rows that it meets do not look there.
  void divided_row(const ConstraintDerivative<S, T>& g, const Mass<S, T>& mass, std::size_t i) {
    const Window window = g.window(i);
    const auto entries = g.row(i);
    std::fill(row_.begin(), row_.end(), T(0));
    for (std::size_t j = 0; j < entries.size(); ++j) row_[window.first + j] = entries[j];
    mass.divide(row_);
  }

  std::size_t count_;
  Column<std::size_t, m> begin_, offset_;
  Column<T, fixed_triangle> entries_;
  Coordinates<S, T> row_;
};

}  // namespace POLHODE_CORE
