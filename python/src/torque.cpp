#include "torque.hpp"

#include "arrays.hpp"
#include "polhode/torque/torque.hpp"

namespace polhode::python {

namespace {

/// The user's function as the core sees it. Exceptions of Python pass through.
class Function {
 public:
  explicit Function(py::object torque) : torque_(std::move(torque)), attitude_(new_attitude()) {
    if (py::hasattr(torque_, "potential")) potential_ = torque_.attr("potential");
  }

  Vector<double> operator()(const Quaternion<double>& q, double time) const {
    const py::object result = torque_(shown(q), time);
    // A list or a tuple of three floats is read as it is: NumPy would take longer than the rest of the call.
    Vector<double> v;
    if (read_sequence(result, v)) return v;
    const Doubles array = doubles(result, "what the torque returns");
    if (shape_of(array) != Shape{3})
      throw InputError("what the torque returns must have the shape (3,), not " + text(shape_of(array)));
    return vector_at(array.data());
  }

  bool conservative() const { return static_cast<bool>(potential_); }
  double potential(const Quaternion<double>& q, double time) const {
    return potential_(shown(q), time).cast<double>();
  }

 private:
  static Doubles new_attitude() { return Doubles(4); }

  /// The same array as in the last call, unless the function has kept it.
  const Doubles& shown(const Quaternion<double>& q) const {
    if (attitude_.ref_count() > 1 || !attitude_.writeable()) attitude_ = new_attitude();
    std::copy(q.c.begin(), q.c.end(), attitude_.mutable_data());
    return attitude_;
  }

  static bool read_sequence(const py::object& object, Vector<double>& v) {
    const bool list = PyList_CheckExact(object.ptr());
    if ((!list && !PyTuple_CheckExact(object.ptr())) || PySequence_Fast_GET_SIZE(object.ptr()) != 3)
      return false;
    for (py::ssize_t i = 0; i < 3; ++i) {
      PyObject* const item = PySequence_Fast_GET_ITEM(object.ptr(), i);
      if (!PyFloat_Check(item)) return false;
      v[static_cast<std::size_t>(i)] = PyFloat_AS_DOUBLE(item);
    }
    return true;
  }

  py::object torque_, potential_;
  mutable Doubles attitude_;
};

class PythonTorque final : public program::TorqueSystem {
 public:
  PythonTorque(Function function, const Body<double>& body)
      : conservative_(function.conservative()), attached_(std::move(function), body) {}

  std::string name() const override { return "python-torque"; }

  Vector<double> torque(const Quaternion<double>& q, const DoubleDouble& time) const override {
    return attached_.torque(q, time);
  }
  DoubleDouble potential(const Quaternion<DoubleDouble>& q, const DoubleDouble& time) const override {
    return conservative_ ? attached_.potential(q, time)
                         : DoubleDouble(std::numeric_limits<double>::quiet_NaN());
  }

  std::vector<program::Quantity> derived() const override { return {}; }
  void derive(const program::DrivenView&, std::vector<double>&) const override {}

  /// A function without a potential promises nothing.
  std::vector<program::Quantity> invariants() const override {
    if (!conservative_) return {};
    return {{"energy", 1, 1, "kinetic and potential, user's units"}};
  }
  void measure(const program::DrivenView& view, std::vector<DoubleDouble>& numbers) const override {
    if (conservative_) numbers.push_back(view.energy());
  }

 private:
  bool conservative_;
  detail::AttachedUserTorque<double, Function> attached_;
};

}  // namespace

std::shared_ptr<const program::TorqueSystem> python_torque(py::object torque, const Body<double>& body) {
  return std::make_shared<PythonTorque>(Function(std::move(torque)), body);
}

}  // namespace polhode::python
