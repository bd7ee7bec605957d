#include "arrays.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "gil.hpp"
#include "signals.hpp"

namespace polhode::python {

namespace {

std::string dtype_text(const py::array& array) { return py::str(array.dtype()); }

/// As NumPy would see it; a list of lists of different lengths is an error of NumPy's own.
py::array as_array(py::handle object, std::string_view what) {
  try {
    return called(py::module_::import("numpy").attr("asarray"), object);
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
  // dtype, order, casting, subok, copy
  return Doubles::ensure(called(array.attr("astype"), "float64", "C", "unsafe", true, false));
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

bool is_tensors(const Shape& shape) {
  return shape.size() >= 2 && shape.back() == 3 && shape[shape.size() - 2] == 3;
}

/// Up to round-off, as Body takes it; so that it may be a tensor.
bool is_symmetric(const Matrix<double>& matrix) {
  double largest = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      largest = std::max(largest, std::abs(matrix[i][j]));
      difference = std::max(difference, std::abs(matrix[i][j] - matrix[j][i]));
    }
  return difference <= 64 * std::numeric_limits<double>::epsilon() * largest;
}

/// Of an object that is no number; what its own functions raise, and Ctrl-C, arrives as it is.
void clear_type_error() {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
}

/// The sentence begins with the type and shows the value, as far as it is short.
std::string shown(py::handle object) {
  try {
    const std::string text = py::repr(object);
    if (text.size() <= 40) return text;
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_Exception)) throw;  // Ctrl-C; others are of an object that cannot be shown
  }
  return py::str(py::type::of(object).attr("__name__"));
}

}  // namespace

Rows attitude_rows(py::handle object) {
  if (!py::isinstance<py::array>(object) && py::hasattr(object, "as_quat") &&
      py::hasattr(object, "as_matrix"))
    return rows(called(py::module_::import("polhode._rotation").attr("from_rotation"), object), 4,
                "attitude");
  const Doubles array = doubles(object, "attitude");
  Shape shape = shape_of(array);
  if (!is_tensors(shape)) return rows(array, 4, "attitude");
  shape.pop_back();
  shape.back() = 4;
  Doubles result(shape);
  double* to = result.mutable_data();
  for (py::ssize_t i = 0; i < array.size() / 9; ++i, to += 4) {
    try {
      const Quaternion<double> q = attitude_from_matrix(matrix_at(array.data() + 9 * i));
      std::copy(q.c.begin(), q.c.end(), to);
    } catch (const InputError& e) {
      if (array.ndim() == 2) throw InputError(std::string("attitude: ") + e.what());
      fail_at(static_cast<std::size_t>(i), e.what());
    }
  }
  return {result, 4};
}

double number_from(py::handle object, std::string_view what) {
  const double value = staying([&] { return PyFloat_AsDouble(object.ptr()); });
  if (value != -1.0 || PyErr_Occurred() == nullptr) return value;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
    PyErr_Clear();
    throw InputError(std::string(what) + " is too large");
  }
  clear_type_error();
  throw InputError(std::string(what) + " must be a number, not " + shown(object));
}

std::int64_t integer_from(py::handle object, std::string_view what) {
  const bool is_truth = PyBool_Check(object.ptr()) != 0;
  const auto index = py::reinterpret_steal<py::object>(
      is_truth ? nullptr : staying([&] { return PyNumber_Index(object.ptr()); }));
  if (!index) {
    if (!is_truth) clear_type_error();
    throw InputError(std::string(what) + " must be an integer, not " + shown(object));
  }
  int overflow = 0;
  const auto value = static_cast<std::int64_t>(PyLong_AsLongLongAndOverflow(index.ptr(), &overflow));
  if (overflow != 0) throw InputError(std::string(what) + " is an integer of more than 64 bits");
  return value;
}

Matrix<double> tensor_from(py::handle object) {
  if (py::isinstance<GivenBody>(object)) return tensor_from(object.cast<const GivenBody&>().inertia);
  const Doubles array = doubles(object, "inertia");
  if (is_tensors(shape_of(array))) return matrix_at(array.data());
  Matrix<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i) tensor[i][i] = array.data()[i];
  return tensor;
}

Vector<double> momentum_of(const Matrix<double>& tensor, const Vector<double>& w) {
  Vector<double> momentum;
  for (std::size_t i = 0; i < 3; ++i) {
    DoubleDouble sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j) sum += DoubleDouble::product(tensor[i][j], w[j]);
    momentum[i] = static_cast<double>(sum);
  }
  return momentum;
}

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
  SignalWatch watch;
  const auto add = [&](std::size_t i, const auto& make) {
    watch.look();
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
  const bool three_of_three = shape == Shape{3, 3} && count == 3;
  if (three_of_three && is_symmetric(matrix_at(array.data())))
    throw InputError(
        "inertia of the shape (3, 3), symmetric, with three states is one tensor or the moments of three "
        "bodies: give the tensor the shape (1, 3, 3), or each body its own in the shape (3, 3, 3), for "
        "example "
        "[np.diag(x) for x in moments]");
  if (shape == Shape{3} || (shape == Shape{3, 3} && !three_of_three)) return {body_from(array)};
  if (shape == Shape{1, 3, 3}) return {Body<double>(matrix_at(array.data()))};
  const bool tensors = shape.size() >= 3 && is_tensors(shape);
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

namespace {

/// Shares of work in threads. Where one fails, those after it end, so that what is thrown is always of the first; a signal ends all.
class Shares {
 public:
  using Work = std::function<void(std::size_t, std::size_t, const LookForSignals&)>;

  Shares(std::size_t count, std::size_t shares, const Work& work)
      : work_(work), count_(count), shares_(shares), last_wanted_(shares), failures_(shares) {}

  void run() {
    std::vector<std::jthread> others;
    std::size_t started = 1;
    try {
      for (; started < shares_; ++started)
        others.emplace_back([this, started] {
          do_share(started);
          const std::lock_guard lock(mutex_);
          ++ended_;
          changed_.notify_one();
        });
    } catch (const std::system_error&) {
      // The system gives no more threads: the rest is done here.
    }
    do_share(0);
    for (std::size_t i = started; i < shares_; ++i) do_share(i);
    const auto all_ended = [&] { return ended_ + 1 == started; };
    for (bool waits = true; waits;) {
      {
        std::unique_lock lock(mutex_);
        waits = !changed_.wait_for(lock, SignalWatch::interval, all_ended);
      }
      if (waits && !signal_) look_for_signals();
    }
    others.clear();
    if (signal_) std::rethrow_exception(signal_);
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  /// Leaves a share that is not wanted any more.
  struct Unwanted {};

  void do_share(std::size_t i) {
    const LookForSignals look = [this, i] {
      if (std::this_thread::get_id() == callers_) look_for_signals();
      if (signalled_ || i > last_wanted_) throw Unwanted{};
    };
    try {
      look();
      in_pieces(count_ * i / shares_, count_ * (i + 1) / shares_, look);
    } catch (const Unwanted&) {
      // What has happened is thrown in the end.
    } catch (...) {
      failures_[i] = std::current_exception();
      std::size_t last = last_wanted_;
      while (i < last && !last_wanted_.compare_exchange_weak(last, i)) {
      }
    }
  }

  void in_pieces(std::size_t first, std::size_t last, const LookForSignals& look) {
    for (std::size_t piece = 256; last - first > piece;) {
      const auto start = std::chrono::steady_clock::now();
      work_(first, first + piece, look);
      first += piece;
      if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(10)) piece *= 4;
      look();
    }
    work_(first, last, look);
  }

  void look_for_signals() {
    try {
      watch_.look();
    } catch (...) {
      signal_ = std::current_exception();
      signalled_ = true;
    }
  }

  const Work& work_;
  std::size_t count_, shares_;
  std::thread::id callers_ = std::this_thread::get_id();
  SignalWatch watch_;  // of the caller's thread, as signal_ is
  std::exception_ptr signal_;
  std::atomic<bool> signalled_ = false;
  std::atomic<std::size_t> last_wanted_;
  std::vector<std::exception_ptr> failures_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ended_ = 0;
};

}  // namespace

void in_threads(std::size_t count, std::int64_t threads,
                const std::function<void(std::size_t, std::size_t, const LookForSignals&)>& work) {
  if (threads < 0) throw InputError("the number of threads is negative");
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t shares =
      std::min<std::size_t>({static_cast<std::size_t>(threads), 1024, std::max<std::size_t>(count, 1)});
  const ReleasedGil released;
  Shares(count, shares, work).run();
}

}  // namespace polhode::python
