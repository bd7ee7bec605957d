// The functions of a system that are Python's, as the core asks for them.
#pragma once

#include <span>
#include <vector>

#include "coordinates/position_function.hpp"

namespace polhode::python {

/// The values of a function at the last position: the core asks for constraints one by one.
template <class T>
struct LastValues {
  std::vector<T> position, values;
};

/// All functions of one system. They have the digits of a double, and in DoubleDouble they are
///   f(q),  U(q),  g(q) + G(q) e,  G(q)  at the position q + e with q rounded.
/// If they are extended, they have all digits of a DoubleDouble.
class SystemFunctions {
 public:
  /// From {"dimension": n, "constraints": m, "mass": n or n*n numbers, "quadratic": bool, "extended": bool,
  /// "force", "sign", "potential", "constraint", "jacobian": functions or None, "constraint_shape", "jacobian_shape"}.
  explicit SystemFunctions(const py::dict& given);

  std::size_t dimension() const { return dimension_; }
  std::size_t constraints() const { return constraints_; }
  bool conservative() const { return potential_.given(); }
  bool quadratic() const { return quadratic_; }
  bool extended() const { return extended_; }
  double mass(std::size_t i, std::size_t j) const;

  /// Calls force and Jacobian at the initial position; throws InputError if one of them has no value there.
  void examine_at(std::span<const double> q) const;

  /// While a motion is being started, trial points may well lie where a function has no value: then the core looks for
  /// others. In a step that is the end, and a MotionError names the function and the position.
  void set_started() { started_ = true; }

  void force(std::span<const double> q, std::span<double> f) const;
  void force(std::span<const DoubleDouble> q, std::span<DoubleDouble> f) const;
  double potential(std::span<const double> q) const;
  DoubleDouble potential(std::span<const DoubleDouble> q) const;
  double constraint(std::span<const double> q, std::size_t i) const;
  DoubleDouble constraint(std::span<const DoubleDouble> q, std::size_t i) const;
  void gradient(std::span<const double> q, std::size_t i, std::span<double> row) const;
  void gradient(std::span<const DoubleDouble> q, std::size_t i, std::span<DoubleDouble> row) const;
  DoubleDouble curvature(std::span<const DoubleDouble> q, std::span<const DoubleDouble> v,
                         std::size_t i) const;

 private:
  template <class T>
  const std::vector<T>& last(const PositionFunction& function, std::span<const T> q, std::size_t size,
                             LastValues<T>& kept) const;
  template <class T>
  std::vector<T> difference(std::span<const T> q, std::span<const T> v, double step) const;
  template <class T>
  std::vector<T> curvatures(std::span<const T> q, std::span<const T> v) const;
  template <class T>
  bool usable(std::span<const T> q, std::span<T> values) const;
  template <class T>
  void examine(const PositionFunction& function, std::span<const T> q, std::span<const T> values) const;
  std::span<const double> rounded(std::span<const DoubleDouble> q) const;

  std::size_t dimension_, constraints_;
  bool quadratic_, extended_, started_ = false;
  std::vector<double> mass_;
  PositionFunction force_, potential_, constraint_, jacobian_;
  mutable std::vector<double> rounded_;
  mutable LastValues<double> constraint_values_, jacobian_values_;
  mutable LastValues<DoubleDouble> wide_constraint_values_, wide_jacobian_values_;
  mutable LastValues<DoubleDouble> curvatures_;  ///< position and velocity, one after the other
};

}  // namespace polhode::python
