#include "arrays.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace polhode::python {

namespace {

std::string dtype_text(const py::array& array) { return py::str(array.dtype()); }

/// As NumPy would see it; a list of lists of different lengths is an error of NumPy's own.
py::array as_array(py::handle object, std::string_view what) {
  try {
    return py::module_::import("numpy").attr("asarray")(object);
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError) && !e.matches(PyExc_TypeError)) throw;
    throw InputError(std::string(what) + " must be an array of numbers");
  }
}

}  // namespace

Doubles doubles(py::handle object, std::string_view what) {
  if (py::isinstance<Doubles>(object)) return py::reinterpret_borrow<Doubles>(object);
  const py::array array = as_array(object, what);
  const char kind = array.dtype().kind();
  const std::string name(what);
  if (kind == 'c')
    throw InputError(name + " must be real, not " + dtype_text(array) +
                     ": take its real part if that is meant");
  if (kind == 'f' && array.itemsize() > 8)
    throw InputError(name + " must be float64, not " + dtype_text(array) +
                     ", which has more digits than are computed with: convert it with astype(float)");
  if (kind != 'f' && kind != 'i' && kind != 'u')
    throw InputError(name + " must be an array of numbers, not of dtype " + dtype_text(array));
  return Doubles::ensure(array.attr("astype")("float64", py::arg("order") = "C", py::arg("copy") = false));
}

Shape shape_of(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

std::string text(const Shape& shape) {
  std::string result = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) result += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return result + (shape.size() == 1 ? ",)" : ")");
}

Shape Rows::leading() const {
  Shape shape = shape_of(array);
  shape.pop_back();
  return shape;
}

Rows rows(py::handle object, std::size_t width, std::string_view what) {
  Rows result{doubles(object, what), width};
  if (result.array.ndim() < 1 ||
      result.array.shape(result.array.ndim() - 1) != static_cast<py::ssize_t>(width)) {
    const std::string n = std::to_string(width);
    throw InputError(std::string(what) + " must have the shape (" + n + ",) or (N, " + n + "), not " +
                     text(shape_of(result.array)));
  }
  return result;
}

Shape joined(Shape leading, const Shape& rest) {
  leading.insert(leading.end(), rest.begin(), rest.end());
  return leading;
}

Doubles result_array(const Shape& shape, py::handle out, std::string_view what) {
  if (!out || out.is_none()) return Doubles(shape);
  const std::string name(what);
  if (!py::isinstance<Doubles>(out))
    throw InputError(name + " must be a float64 array in C order: results are written into it as it is");
  auto array = py::reinterpret_borrow<Doubles>(out);
  if (shape_of(array) != shape)
    throw InputError(name + " must have the shape " + text(shape) + ", not " + text(shape_of(array)));
  if (!array.writeable()) throw InputError(name + " is read-only");
  return array;
}

void fail_at(std::size_t entry, const std::string& sentence) {
  throw InputError("entry " + std::to_string(entry) + ", counted from 0: " + sentence);
}

namespace {

Matrix<double> matrix_at(const double* p) { return {{vector_at(p), vector_at(p + 3), vector_at(p + 6)}}; }

}  // namespace

Body<double> body_from(py::handle object) {
  if (py::isinstance<GivenBody>(object)) return object.cast<const GivenBody&>();
  const Doubles array = doubles(object, "inertia");
  if (shape_of(array) == Shape{3}) return Body<double>(vector_at(array.data()));
  if (shape_of(array) == Shape{3, 3}) return Body<double>(matrix_at(array.data()));
  throw InputError("inertia must be 3 principal moments or a 3x3 tensor, not an array of the shape " +
                   text(shape_of(array)));
}

std::vector<Body<double>> bodies_from(py::handle object, std::size_t count) {
  if (py::isinstance<GivenBody>(object)) return {body_from(object)};
  std::vector<Body<double>> bodies;
  const auto add = [&](std::size_t i, const auto& make) {
    try {
      bodies.push_back(make());
    } catch (const InputError& e) {
      fail_at(i, e.what());
    }
  };
  const auto as_many = [&](std::size_t given) {
    if (given != count)
      throw InputError("there are " + std::to_string(given) + " inertias for " + std::to_string(count) +
                       (count == 1 ? " state" : " states"));
    bodies.reserve(count);
  };
  if ((py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) && py::len(object) > 0 &&
      py::isinstance<GivenBody>(object[py::int_(0)])) {
    const auto list = py::reinterpret_borrow<py::sequence>(object);
    as_many(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) add(i, [&] { return body_from(list[i]); });
    return bodies;
  }
  const Doubles array = doubles(object, "inertia");
  const Shape shape = shape_of(array);
  if (shape == Shape{3} || shape == Shape{3, 3}) return {body_from(array)};
  const bool tensors = shape.size() >= 3 && shape.back() == 3 && shape[shape.size() - 2] == 3;
  if (!tensors && (shape.size() != 2 || shape.back() != 3))
    throw InputError(
        "inertia must be 3 principal moments, a 3x3 tensor, or one of these for each state, not an "
        "array of the shape " +
        text(shape));
  const std::size_t width = tensors ? 9 : 3;
  as_many(static_cast<std::size_t>(array.size()) / width);
  for (std::size_t i = 0; i < count; ++i)
    add(i, [&] {
      const double* const p = array.data() + i * width;
      return tensors ? Body<double>(matrix_at(p)) : Body<double>(vector_at(p));
    });
  return bodies;
}

void in_threads(std::size_t count, std::int64_t threads,
                const std::function<void(std::size_t, std::size_t)>& work) {
  if (threads < 0) throw InputError("the number of threads is negative");
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t shares =
      std::min<std::size_t>({static_cast<std::size_t>(threads), 1024, std::max<std::size_t>(count, 1)});
  const py::gil_scoped_release released;
  if (shares == 1) return work(0, count);
  std::vector<std::exception_ptr> failures(shares);
  const auto share = [&](std::size_t i) {
    try {
      work(count * i / shares, count * (i + 1) / shares);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    std::size_t started = 1;
    try {
      for (; started < shares; ++started) others.emplace_back([&share, started] { share(started); });
    } catch (const std::system_error&) {
      // The system gives no more threads: the rest is done here.
    }
    share(0);
    for (; started < shares; ++started) share(started);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace polhode::python
