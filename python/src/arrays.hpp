// Arrays between Python and the core: float64, contiguous, without a copy where the caller's array is that already.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/instruction_set.hpp"
#include "bindings.hpp"
#include "polhode/batch/state_steps.hpp"
#include "polhode/body/body.hpp"

namespace polhode::python {

using Doubles = py::array_t<double, py::array::c_style>;
using Shape = std::vector<py::ssize_t>;

/// The object as an array of doubles. Integers and shorter floats are converted; throws InputError for what would lose
/// something (complex, long double) or is no number (object, text, booleans). `what` begins the sentence.
Doubles doubles(py::handle object, std::string_view what);

/// "(3,)" or "(10, 3)".
std::string text(const Shape& shape);
Shape shape_of(const py::array& array);

/// Vectors of the length `width`: one, or as many as the leading axes say.
struct Rows {
  Doubles array;
  std::size_t width = 0;

  const double* operator[](std::size_t i) const { return array.data() + i * width; }
  /// How many there are.
  std::size_t count() const { return static_cast<std::size_t>(array.size()) / width; }
  /// The axes before the last one: none for a single vector.
  Shape leading() const;
};
Rows rows(py::handle object, std::size_t width, std::string_view what);

inline Vector<double> vector_at(const double* p) { return {{p[0], p[1], p[2]}}; }
inline State<double> state_at(const double* m, const double* q) {
  return {vector_at(m), {q[0], q[1], q[2], q[3]}};
}

/// Attitudes as propagate takes them: quaternions, rotation matrices (..., 3, 3), or a scipy Rotation.
Rows attitude_rows(py::handle object);

/// A number, or an integer; `what` begins the sentence about anything else.
double number_from(py::handle object, std::string_view what);
std::int64_t integer_from(py::handle object, std::string_view what);

/// An array for results: new, or the caller's, which must be a writable float64 array of that shape in C order.
Doubles result_array(const Shape& shape, py::handle out, std::string_view what);

Shape joined(Shape leading, const Shape& rest);

/// body_from(...) says "entry 7, counted from 0: ..." where one of many is wrong.
[[noreturn]] void fail_at(std::size_t entry, const std::string& sentence);

/// A body that remembers what it was made from, so that a scenario written from it is the same to the last bit.
/// It keeps the constants of the exact flow too, so that a step of one body need not begin with them.
struct GivenBody : Body<double> {
  GivenBody(const Body<double>& body, Doubles given)
      : Body<double>(body), inertia(std::move(given)), steps(body, batch_functions()) {}
  Doubles inertia;
  StateSteps steps;
};

/// A body given as one, as three moments or as a tensor.
Body<double> body_from(py::handle object);

/// The tensor of a body as it was given, in the user's frame.
Matrix<double> tensor_from(py::handle object);

/// The momentum that belongs to an angular velocity, as a scenario computes it.
Vector<double> momentum_of(const Matrix<double>& tensor, const Vector<double>& w);

/// The bodies of a batch: one for all or one each. Looks for signals: a million tensors take seconds.
std::vector<Body<double>> bodies_from(py::handle object, std::size_t count);

/// Leaves the work by an exception where a signal has come, or another share has failed before; without the GIL.
using LookForSignals = std::function<void()>;

/// work(first, last, look) on pieces of 0..count in threads; 0 means as many as the machine has. Without the GIL. Throws what the
/// handler of a signal raised, or what the first failing share threw. look() is called between pieces; work that takes long for one
/// entry calls it itself.
void in_threads(std::size_t count, std::int64_t threads,
                const std::function<void(std::size_t, std::size_t, const LookForSignals&)>& work);

}  // namespace polhode::python
