// The free motion at any time, and its derivative with respect to the state.
#include "polhode/free_motion/trajectory.hpp"

#include <cmath>

#include "arrays.hpp"
#include "gil.hpp"
#include "polhode/free_motion/tangent.hpp"
#include "signals.hpp"

namespace polhode::python {

namespace {

/// It remembers what it was made from, so that it can be made again to the last bit.
struct GivenTrajectory : Trajectory<double> {
  GivenTrajectory(const Body<double>& body, const State<double>& state, py::object given)
      : Trajectory<double>(body, state), inertia(std::move(given)), initial(state) {}
  py::object inertia;
  State<double> initial;
};

GivenTrajectory motion_from(py::handle inertia, const State<double>& state) {
  if (py::isinstance<GivenBody>(inertia))
    return {inertia.cast<const GivenBody&>(), state, inertia.cast<const GivenBody&>().inertia};
  return {body_from(inertia), state, called(doubles(inertia, "inertia").attr("copy"))};
}

GivenTrajectory made_trajectory(py::handle inertia, py::handle momentum, py::handle attitude,
                                py::handle angular_velocity) {
  if (momentum.is_none() == angular_velocity.is_none())
    throw InputError("a trajectory has either a momentum or an angular velocity");
  const bool is_rate = momentum.is_none();
  const char* const name = is_rate ? "angular_velocity" : "momentum";
  const Rows m = rows(is_rate ? angular_velocity : momentum, 3, name), q = attitude_rows(attitude);
  if (m.array.ndim() != 1 || q.array.ndim() != 1)
    throw InputError(std::string("a trajectory has one ") + name +
                     ", of the shape (3,), and one attitude, of the shape (4,)");
  State<double> state = state_at(m[0], q[0]);
  if (is_rate) {
    static_cast<void>(body_from(inertia));  // which refuses what is no inertia
    state.momentum = momentum_of(tensor_from(inertia), state.momentum);
  }
  return motion_from(inertia, state);
}

template <class Numbers>
Doubles numbers_array(const Numbers& numbers) {
  Doubles result(static_cast<py::ssize_t>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), result.mutable_data());
  return result;
}

py::tuple evaluated(const GivenTrajectory& motion, py::handle times, std::int64_t threads) {
  const Doubles t = doubles(times, "a time");
  Doubles momentum(joined(shape_of(t), {3})), attitude(joined(shape_of(t), {4}));
  const double* const time = t.data();
  double *const m = momentum.mutable_data(), *const q = attitude.mutable_data();
  in_threads(static_cast<std::size_t>(t.size()), threads,
             [&](std::size_t first, std::size_t last, const auto&) {
               for (std::size_t i = first; i < last; ++i) {
                 if (!std::isfinite(time[i])) throw InputError("a time is not a finite number");
                 const State<double> s = motion.at(time[i]);
                 std::copy(s.momentum.c.begin(), s.momentum.c.end(), m + 3 * i);
                 std::copy(s.attitude.c.begin(), s.attitude.c.end(), q + 4 * i);
               }
             });
  return py::make_tuple(momentum, attitude);
}

/// The tangent maps of a step from each momentum; visit(i, map). The attitude does not matter to them.
template <class Visit>
void tangent_maps(py::handle inertia, const Rows& momentum, py::handle step, py::handle thread_count,
                  const Visit& visit) {
  const double h = number_from(step, "the step");
  const std::int64_t threads = integer_from(thread_count, "threads");
  if (!std::isfinite(h)) throw InputError("the step is not a finite number");
  const std::vector<Body<double>> bodies = bodies_from(inertia, momentum.count());
  in_threads(momentum.count(), threads, [&](std::size_t first, std::size_t last, const auto&) {
    for (std::size_t i = first; i < last; ++i)
      visit(i, polhode::tangent_map(bodies[bodies.size() == 1 ? 0 : i],
                                    State<double>{vector_at(momentum[i]), {1, 0, 0, 0}}, h));
  });
}

py::tuple tangent_map(py::handle inertia, py::handle momentum, py::handle h, py::handle threads) {
  const Rows m = rows(momentum, 3, "momentum");
  const Shape shape = joined(m.leading(), {3, 3});
  Doubles mm(shape), rm(shape), rr(shape);
  double *const a = mm.mutable_data(), *const b = rm.mutable_data(), *const c = rr.mutable_data();
  tangent_maps(inertia, m, h, threads, [&](std::size_t n, const TangentMap<double>& map) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t k = 9 * n + 3 * i + j;
        a[k] = map.momentum_by_momentum[i][j];
        b[k] = map.rotation_by_momentum[i][j];
        c[k] = map.rotation_by_rotation[i][j];
      }
  });
  return py::make_tuple(mm, rm, rr);
}

Doubles state_transition(py::handle inertia, py::handle momentum, py::handle t, py::handle threads) {
  const Rows m = rows(momentum, 3, "momentum");
  Doubles result(joined(m.leading(), {6, 6}));
  double* const to = result.mutable_data();
  tangent_maps(inertia, m, t, threads, [&](std::size_t n, const TangentMap<double>& map) {
    const SquareArray<double, 6> matrix = map.matrix();
    for (std::size_t i = 0; i < 6; ++i) std::copy(matrix[i].begin(), matrix[i].end(), to + 36 * n + 6 * i);
  });
  return result;
}

double lyapunov_exponent(py::handle inertia, py::handle momentum, py::handle step_length, py::handle count) {
  const Rows m = rows(momentum, 3, "momentum");
  const double step = number_from(step_length, "the step");
  const std::int64_t steps = integer_from(count, "steps");
  if (m.array.ndim() != 1) throw InputError("a Lyapunov exponent belongs to one momentum, of the shape (3,)");
  const Body<double> body = body_from(inertia);
  const State<double> state{vector_at(m[0]), {1, 0, 0, 0}};
  const ReleasedGil released;
  SignalWatch watch;
  return polhode::lyapunov_exponent(body, state, step, steps, [&] { watch.look(); });
}

}  // namespace

void bind_trajectory(py::module_& m) {
  py::class_<GivenTrajectory>(m, "Trajectory",
                              R"(The free motion through a state at time zero, as a function of time.

Evaluation costs the same for every time, and is right to the last digit even after millions of periods. The state is a momentum
or an angular_velocity, both in the body frame, and an attitude as propagate() takes it.

>>> free = polhode.Trajectory([0.345, 0.653, 1.0], [0.5, 0.2, 0.84])
>>> momentum, attitude = free.at(1e6)
>>> momentum
array([0.06056822, 0.95921191, 0.26803732])
>>> free.momentum([0.0, free.period]).shape
(2, 3)
)")
      .def(py::init(&made_trajectory), py::arg("inertia"), py::arg("momentum") = py::none(),
           py::arg("attitude") = py::make_tuple(1.0, 0.0, 0.0, 0.0), py::kw_only(),
           py::arg("angular_velocity") = py::none())
      .def(py::pickle(
          [](const GivenTrajectory& motion) {
            return py::make_tuple(motion.inertia, numbers_array(motion.initial.momentum.c),
                                  numbers_array(motion.initial.attitude.c));
          },
          [](const py::tuple& state) {
            if (state.size() != 3) throw InputError("this is not the state of a Trajectory");
            const Doubles momentum = doubles(state[1], "momentum"), attitude = doubles(state[2], "attitude");
            if (shape_of(momentum) != Shape{3} || shape_of(attitude) != Shape{4})
              throw InputError("this is not the state of a Trajectory");
            return motion_from(state[0], state_at(momentum.data(), attitude.data()));
          }))
      .def(
          "at",
          [](const GivenTrajectory& motion, py::handle t, py::handle threads) {
            return evaluated(motion, t, integer_from(threads, "threads"));
          },
          py::arg("t"), py::kw_only(), py::arg("threads") = 1,
          R"(The pair (momentum, attitude) at the time t, or at an array of times of any shape.

>>> free = polhode.Trajectory([1, 2, 3], [0, 0, 3])
>>> momentum, attitude = free.at([0.0, np.pi])
>>> attitude.round(12).tolist()
[[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)")
      .def(
          "momentum",
          [](const GivenTrajectory& motion, py::handle t) -> py::object {
            return evaluated(motion, t, 1)[0];
          },
          py::arg("t"), R"(The momentum in the body at the times t.

>>> free = polhode.Trajectory([1, 2, 3], [1, 1, 1])
>>> bool(np.abs(free.momentum(5 * free.period) - [1, 1, 1]).max() < 1e-13)
True
)")
      .def(
          "attitude",
          [](const GivenTrajectory& motion, py::handle t) -> py::object {
            return evaluated(motion, t, 1)[1];
          },
          py::arg("t"), R"(The attitude at the times t, scalar first, body to space.

>>> polhode.Trajectory([1, 2, 3], [1, 1, 1]).attitude(np.linspace(0.0, 1.0, 5)).shape
(5, 4)
)")
      .def_property_readonly("period", &GivenTrajectory::period,
                             "The period of the momentum in the body; infinite where there is none.")
      .def_property_readonly(
          "precession_period", &GivenTrajectory::precession_period,
          "The time of a mean revolution of the axis of least moment about the momentum, in both modes.")
      .def_property_readonly(
          "mode", [](const GivenTrajectory& motion) { return name_of(motion.mode()); },
          "\"short-axis\" or \"long-axis\", the axis that the momentum circulates about; or \"undecided\".")
      .def("__repr__", [](const GivenTrajectory& motion) {
        return "Trajectory(period=" + std::string(py::repr(py::float_(motion.period()))) + ")";
      });

  m.def("tangent_map", &tangent_map, py::arg("inertia"), py::arg("momentum"), py::arg("step"), py::kw_only(),
        py::arg("threads") = 1, "The blocks of the tangent map.");
  m.def("state_transition", &state_transition, py::arg("inertia"), py::arg("momentum"), py::arg("step"),
        py::kw_only(), py::arg("threads") = 1,
        R"(The state-transition matrix of a free step: tangent_map() as a 6x6 matrix in the order (m, xi).

>>> phi = polhode.state_transition([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], 1000.0)
>>> phi.shape
(6, 6)
>>> bool(abs(np.linalg.det(phi) - 1) < 1e-7)
True
)");
  m.def(
      "lyapunov_exponent", &lyapunov_exponent, py::arg("inertia"), py::arg("momentum"), py::arg("step"),
      py::arg("steps"),
      R"(The finite-time Lyapunov exponent over `steps` steps: the growth rate of the largest change of the state.

>>> inertia, next_to_the_middle_axis = [1.0, 2.0, 3.0], [1e-9, 1.0, 1e-9]
>>> rate = polhode.lyapunov_exponent(inertia, next_to_the_middle_axis, 0.1, 300)
>>> theory = np.sqrt((1 - 1 / 2) * (1 / 2 - 1 / 3))
>>> bool(abs(rate - theory) < 0.1)
True
)");
}

}  // namespace polhode::python
