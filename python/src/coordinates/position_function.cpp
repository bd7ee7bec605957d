#include "coordinates/position_function.hpp"

#include <algorithm>

#include "gil.hpp"

namespace polhode::python {

void refuse(const std::string& sentence) {
  const py::object type = py::module_::import("polhode._core").attr("InputError");
  PyErr_SetString(type.ptr(), sentence.c_str());
  throw py::error_already_set();
}

PositionFunction::PositionFunction(py::object function, std::string name, Shape shape, double factor)
    : function_(std::move(function)),
      what_("what the " + std::move(name) + " returns"),
      shape_(std::move(shape)),
      factor_(factor) {}

/// The same array as in the last call, unless the function has kept it.
py::object PositionFunction::shown(std::span<const double> q) const {
  if (position_.size() != static_cast<py::ssize_t>(q.size()) || position_.ref_count() > 1 ||
      !position_.writeable())
    position_ = Doubles(static_cast<py::ssize_t>(q.size()));
  std::copy(q.begin(), q.end(), position_.mutable_data());
  return position_;
}

py::object PositionFunction::shown(std::span<const DoubleDouble> q) {
  py::list numbers;
  for (const DoubleDouble& x : q) numbers.append(py::cast(x));
  return called(py::module_::import("numpy").attr("array"), numbers, "object");
}

/// A list or a tuple of floats is read as it is: NumPy would take longer than the rest of the call.
bool PositionFunction::read_list(const py::object& returned, std::span<double> values) const {
  PyObject* const list = returned.ptr();
  if (shape_.size() != 1 || (!PyList_CheckExact(list) && !PyTuple_CheckExact(list)) ||
      PySequence_Fast_GET_SIZE(list) != shape_[0])
    return false;
  for (py::ssize_t i = 0; i < shape_[0]; ++i) {
    PyObject* const item = PySequence_Fast_GET_ITEM(list, i);
    if (!PyFloat_Check(item)) return false;
    values[static_cast<std::size_t>(i)] = factor_ * PyFloat_AS_DOUBLE(item);
  }
  return true;
}

void PositionFunction::examine(const Shape& shape) const {
  if (shape != shape_) refuse(what_ + " must have the shape " + text(shape_) + ", not " + text(shape));
}

Doubles PositionFunction::read_array(py::handle returned) const {
  try {
    Doubles array = doubles(returned, what_);
    examine(shape_of(array));
    return array;
  } catch (const InputError& e) {
    refuse(e.what());
  }
}

void PositionFunction::call(std::span<const double> q, std::span<double> values) const {
  const py::object returned = called(function_, shown(q));
  if (read_list(returned, values)) return;
  const Doubles array = read_array(returned);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = factor_ * array.data()[i];
}

void PositionFunction::call(std::span<const DoubleDouble> q, std::span<DoubleDouble> values) const {
  const py::object returned = called(function_, shown(q));
  const bool numbers =
      py::isinstance<py::array>(returned) && py::cast<py::array>(returned).dtype().kind() != 'O';
  const py::object array =
      numbers ? returned : called(py::module_::import("numpy").attr("array"), returned, "object");
  if (numbers) {  // constants, say
    const Doubles plain = read_array(returned);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = factor_ * plain.data()[i];
    return;
  }
  examine(shape_of(py::cast<py::array>(array)));
  std::size_t i = 0;
  for (const py::handle item : array.attr("ravel")()) {
    if (py::isinstance<DoubleDouble>(item)) {
      const auto& x = item.cast<const DoubleDouble&>();
      values[i++] = factor_ < 0 ? -x : x;
    } else if (PyFloat_Check(item.ptr()) || PyIndex_Check(item.ptr())) {
      values[i++] = factor_ * item.cast<double>();
    } else {
      refuse(what_ + " must be numbers, float or DoubleDouble, not " +
             std::string(py::str(py::type::of(item).attr("__name__"))));
    }
  }
}

}  // namespace polhode::python
