// A function of the position that is Python's.
#pragma once

#include <span>
#include <string>

#include "arrays.hpp"
#include "polhode/arithmetic/double_double.hpp"

namespace polhode::python {

/// An InputError of Python itself: it arrives as it is, also from where the program would lay the blame on [state].
[[noreturn]] void refuse(const std::string& sentence);

/// One function of the position, called with a float64 array or, if it is extended, with an array of DoubleDouble objects.
/// Exceptions of Python pass through. The caller holds the GIL.
class PositionFunction {
 public:
  /// `shape` is that of the array which it returns; `name` is what the sentences call it.
  PositionFunction(py::object function, std::string name, Shape shape, double factor = 1.0);

  bool given() const { return !function_.is_none(); }
  const std::string& what() const { return what_; }

  void call(std::span<const double> q, std::span<double> values) const;
  void call(std::span<const DoubleDouble> q, std::span<DoubleDouble> values) const;

 private:
  py::object shown(std::span<const double> q) const;
  static py::object shown(std::span<const DoubleDouble> q);
  bool read_list(const py::object& returned, std::span<double> values) const;
  Doubles read_array(py::handle returned) const;
  void examine(const Shape& shape) const;

  py::object function_;
  std::string what_;  ///< "what the force returns"
  Shape shape_;
  double factor_;  ///< a sign: forces may be given as gradients
  mutable Doubles position_;
};

}  // namespace polhode::python
