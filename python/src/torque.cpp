#include "torque.hpp"

#include "arrays.hpp"
#include "gil.hpp"
#include "polhode/torque/torque.hpp"

namespace polhode::python {

namespace {

using program::TorquePart;

/// An array that is shown to a Python function: the same as in the last call, unless the function has kept it.
class ShownArray {
 public:
  explicit ShownArray(py::ssize_t size) : array_(size) {}

  template <class Numbers>
  const Doubles& operator()(const Numbers& numbers) const {
    if (array_.ref_count() > 1 || !array_.writeable()) array_ = Doubles(array_.size());
    std::copy(numbers.begin(), numbers.end(), array_.mutable_data());
    return array_;
  }

 private:
  mutable Doubles array_;
};

/// What a function returns, for the sentence about what it may not: the name of the run, and the beginning of the sentence.
struct Returned {
  std::string run;
  const char* what;
};

/// The blame lies on the torque: where the motion begins, the program would lay it on the state.
[[noreturn]] void refuse_returned(const Returned& returned, const InputError& e) {
  throw program::ScenarioError(returned.run, "torque", e.what());
}

/// As an array of that shape.
Doubles array_from(const py::object& result, const Shape& shape, const Returned& returned) {
  try {
    Doubles array = doubles(result, returned.what);
    if (shape_of(array) != shape)
      throw InputError(std::string(returned.what) + " must have the shape " + text(shape) + ", not " +
                       text(shape_of(array)));
    return array;
  } catch (const InputError& e) {
    refuse_returned(returned, e);
  }
}

/// Three numbers that a function has returned.
Vector<double> vector_from(const py::object& result, const Returned& returned) {
  // A list or a tuple of three floats is read as it is: NumPy would take longer than the rest of the call.
  const bool list = PyList_CheckExact(result.ptr());
  if ((list || PyTuple_CheckExact(result.ptr())) && PySequence_Fast_GET_SIZE(result.ptr()) == 3) {
    Vector<double> v;
    std::size_t i = 0;
    for (; i < 3; ++i) {
      PyObject* const item = PySequence_Fast_GET_ITEM(result.ptr(), static_cast<py::ssize_t>(i));
      if (!PyFloat_Check(item)) break;
      v[i] = PyFloat_AS_DOUBLE(item);
    }
    if (i == 3) return v;
  }
  return vector_at(array_from(result, {3}, returned).data());
}

Matrix<double> matrix_from(const py::object& result, const Returned& returned) {
  const Doubles array = array_from(result, {3, 3}, returned);
  return {vector_at(array.data()), vector_at(array.data() + 3), vector_at(array.data() + 6)};
}

/// Three derivatives of a function of three numbers about zero, by central differences of order eight.
template <class Function>
Matrix<double> differences(double interval, const Function& function) {
  Matrix<double> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    std::array<Vector<double>, 4> odd;
    for (std::size_t k = 0; k < 4; ++k) {
      Vector<double> shift{};
      shift[j] = static_cast<double>(k + 1) * interval;
      odd[k] = function(shift) - function(-shift);
    }
    columns[j] = (1.0 / interval) * ((4.0 / 5.0) * odd[0] - (1.0 / 5.0) * odd[1] +
                                     ((4.0 / 105.0) * odd[2] - (1.0 / 280.0) * odd[3]));
  }
  return transpose(columns);
}

constexpr double small_angle = 0x1p-6;

Quaternion<double> turned(const Quaternion<double>& q, const Vector<double>& angle) {
  return normalized(q * Quaternion<double>(1.0, 0.5 * angle));
}

/// f(q, t) as the core sees it. Exceptions of Python pass through.
class TorqueFunction {
 public:
  TorqueFunction(py::object function, const std::string& run)
      : function_(std::move(function)),
        returned_{run, "what the torque returns"},
        slope_{run, "what the derivative of a torque returns"},
        attitude_(4) {
    if (py::hasattr(function_, "potential")) potential_ = function_.attr("potential");
    if (py::hasattr(function_, "derivative")) derivative_ = function_.attr("derivative");
  }

  /// By a small rotation: the user's, or differences.
  Matrix<double> derivative(const Quaternion<double>& q, double time) const {
    if (derivative_) return matrix_from(called(derivative_, attitude_(q.c), time), slope_);
    return differences(small_angle,
                       [&](const Vector<double>& angle) { return (*this)(turned(q, angle), time); });
  }

  Vector<double> operator()(const Quaternion<double>& q, double time) const {
    return vector_from(called(function_, attitude_(q.c), time), returned_);
  }

  bool has_potential() const { return static_cast<bool>(potential_); }
  double potential(const Quaternion<double>& q, double time) const {
    const double value = PyFloat_AsDouble(called(potential_, attitude_(q.c), time).ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
  }

 private:
  py::object function_, potential_, derivative_;
  Returned returned_, slope_;
  ShownArray attitude_;
};

/// f(q, omega, t) as the core sees it.
class ControlFunction {
 public:
  ControlFunction(py::object function, const std::string& run)
      : function_(std::move(function)),
        returned_{run, "what the torque returns"},
        slope_{run, "a matrix of the derivative of a torque"},
        attitude_(4),
        rate_(3) {
    if (py::hasattr(function_, "derivative")) derivative_ = function_.attr("derivative");
  }

  Vector<double> operator()(const Quaternion<double>& q, const Vector<double>& omega, double t) const {
    return vector_from(called(function_, attitude_(q.c), rate_(omega.c), t), returned_);
  }

  /// By a small rotation and by omega: the user's pair of matrices, or differences.
  ControlSlopes<double> derivative(const Quaternion<double>& q, const Vector<double>& omega, double t) const {
    if (derivative_) {
      const py::object pair = called(derivative_, attitude_(q.c), rate_(omega.c), t);
      if (!py::isinstance<py::sequence>(pair) || py::len(pair) != 2)
        throw program::ScenarioError(
            returned_.run, "torque",
            "what the derivative of a torque of (q, omega, t) returns must be a pair of matrices");
      const auto both = py::reinterpret_borrow<py::sequence>(pair);
      return {matrix_from(both[0], slope_), matrix_from(both[1], slope_)};
    }
    const double size = norm(omega), interval = small_angle * (size > 0.0 ? size : 1.0);
    return {
        differences(small_angle,
                    [&](const Vector<double>& angle) { return (*this)(turned(q, angle), omega, t); }),
        differences(interval, [&](const Vector<double>& change) { return (*this)(q, omega + change, t); })};
  }

 private:
  py::object function_, derivative_;
  Returned returned_, slope_;
  ShownArray attitude_, rate_;
};

class TorqueFunctionPart final : public TorquePart {
 public:
  explicit TorqueFunctionPart(TorqueFunction function) : function_(std::move(function)) {}

  void act(Actions<double>& actions) const override {
    const core::detail::AttachedUserTorque<double, TorqueFunction> attached(function_, actions.body());
    actions.add_kick(
        [attached](const Quaternion<double>& q, const DoubleDouble& t) { return attached.torque(q, t); },
        [attached](const Quaternion<double>& q, const DoubleDouble& t) { return attached.derivative(q, t); });
    if (function_.has_potential())
      actions.add_potential([attached](const Quaternion<DoubleDouble>& q, const DoubleDouble& t) {
        return attached.potential(q, t);
      });
  }
  /// A function without a potential promises nothing.
  Energy energy() const override { return function_.has_potential() ? Energy::kept : Energy::unknown; }

 private:
  TorqueFunction function_;
};

/// Something of the core that calls Python.
template <class Acting>
class CallingPart final : public TorquePart {
 public:
  CallingPart(Acting acting, bool inside) : acting_(std::move(acting)), inside_(inside) {}

  void act(Actions<double>& actions) const override { TorqueList<double>(acting_).act(actions); }
  Energy energy() const override { return Energy::changed; }
  bool is_inside() const override { return inside_; }

 private:
  Acting acting_;
  bool inside_;
};

template <class Acting>
std::shared_ptr<const TorquePart> calling(Acting acting, bool inside) {
  return std::make_shared<CallingPart<Acting>>(std::move(acting), inside);
}

std::function<Vector<double>(double)> vector_function(py::object function, Returned returned) {
  return [function = std::move(function), returned = std::move(returned)](double t) {
    return vector_from(called(function, t), returned);
  };
}

MovingMasses<double> moving_masses(const py::tuple& given, const std::string& run) {
  std::vector<MovingMass<double>> masses;
  for (const py::handle one : given[1]) {
    const auto parts = py::reinterpret_borrow<py::tuple>(one);
    masses.push_back({parts[0].cast<double>(),
                      vector_function(parts[1], {run, "what the position of a mass returns"}),
                      vector_function(parts[2], {run, "what the velocity of a mass returns"})});
  }
  return {given[0].cast<double>(), std::move(masses)};
}

std::shared_ptr<const TorquePart> part_from(const std::string& role, const py::object& given,
                                            const std::string& run) {
  if (role == "torque") return std::make_shared<TorqueFunctionPart>(TorqueFunction(given, run));
  if (role == "control") return calling(ControlFunction(given, run), false);
  if (role == "wheels")
    return calling(Wheels<double>(vector_function(given, {run, "what the momentum of the wheels returns"})),
                   true);
  if (role == "inertia")
    return calling(ChangingInertia<double>([given, returned = Returned{run, "what the inertia returns"}](
                                               double t) { return matrix_from(called(given, t), returned); }),
                   true);
  return calling(moving_masses(given, run), true);
}

}  // namespace

program::OtherParts python_parts(const py::list& functions, const std::string& run) {
  return [functions, run](const std::string& kind, program::Section& section,
                          const program::GivenBody&) -> std::shared_ptr<const TorquePart> {
    if (kind != "function") return nullptr;
    section.allow({"kind", "index"});
    const auto entry = functions[static_cast<std::size_t>(section.integer("index"))].cast<py::tuple>();
    return part_from(entry[0].cast<std::string>(), entry[1], run);
  };
}

std::vector<program::WatchedEvent> python_events(const py::list& events, const py::list& quantities) {
  std::vector<program::WatchedEvent> result;
  for (const py::handle one : events) {
    const auto given = py::reinterpret_borrow<py::tuple>(one);
    const auto name = given[0].cast<std::string>();
    called(given[1].attr("begin"), quantities);
    const auto function = [name, call = py::object(given[1])](double time, const program::Snapshot& seen) {
      Doubles row(static_cast<py::ssize_t>(seen.state.size() + seen.derived.size()));
      std::copy(seen.derived.begin(), seen.derived.end(),
                std::copy(seen.state.begin(), seen.state.end(), row.mutable_data()));
      return number_from(called(call, time, row), "what event " + name + " returns");
    };
    result.push_back({name, function, given[2].cast<int>(), given[3].cast<bool>()});
  }
  return result;
}

}  // namespace polhode::python
