// step(): a batch of free bodies at once.
#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/methods.hpp"

namespace polhode::python {

namespace {

/// What the methods may be told beyond their names; empty means a method's own choice.
struct Options {
  std::string method;
  std::optional<bool> compensated;
  std::optional<int> quadrature;
  std::optional<int> frame;
};

struct States {
  const double* momenta;
  const double* attitudes;
  double* new_momenta;
  double* new_attitudes;
  std::size_t count;
};

void store(const State<double>& s, std::size_t i, const States& states) {
  std::copy(s.momentum.c.begin(), s.momentum.c.end(), states.new_momenta + 3 * i);
  std::copy(s.attitude.c.begin(), s.attitude.c.end(), states.new_attitudes + 4 * i);
}

State<double> load(std::size_t i, const States& states) {
  return state_at(states.momenta + 3 * i, states.attitudes + 4 * i);
}

void fail_if_many(const States& states, std::size_t i, const InputError& e) {
  if (states.count == 1) throw InputError(e.what());
  fail_at(i, e.what());
}

void exact_steps(const StateSteps& steps, const States& states, double h, std::int64_t count,
                 std::int64_t threads) {
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last) {
    steps.advance({states.momenta, states.attitudes, states.new_momenta, states.new_attitudes}, first, last,
                  h, count, [&](std::size_t i, const InputError& e) { fail_if_many(states, i, e); });
  });
}

void exact_steps(const std::vector<Body<double>>& bodies, const States& states, double h, std::int64_t count,
                 std::int64_t threads) {
  if (bodies.size() == 1)
    return exact_steps(StateSteps(bodies[0], batch_functions()), states, h, count, threads);
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last) {
    std::vector<State<double>> mine;
    mine.reserve(last - first);
    for (std::size_t i = first; i < last; ++i) {
      mine.push_back(load(i, states));
      try {
        examine(mine.back());
      } catch (const InputError& e) {
        fail_if_many(states, i, e);
      }
    }
    const std::span<const Body<double>> all(bodies);
    Batch batch(all.subspan(first, last - first), mine, batch_functions());
    batch.steps(h, count);
    for (std::size_t i = first; i < last; ++i) store(batch.state(i - first), i, states);
  });
}

template <class Method, Summation summation>
void steps_by(const std::vector<Body<double>>& bodies, const typename Method::Options& options,
              const States& states, double h, std::int64_t count, std::int64_t threads) {
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      try {
        FreeRotor<Method, summation> rotor(bodies[bodies.size() == 1 ? 0 : i], load(i, states), options);
        rotor.steps(h, count);
        store(rotor.state(), i, states);
      } catch (const InputError& e) {
        fail_if_many(states, i, e);
      }
    }
  });
}

template <class O>
void set_option(const char* name, const std::optional<int>& value, int largest, const std::string& method,
                O&& set) {
  if (!value) return;
  if (*value < 0 || *value > largest)
    throw InputError(std::string(name) + " must be 0 to " + std::to_string(largest) + ", not " +
                     std::to_string(*value));
  if (!set(*value)) throw InputError(std::string(name) + ": the method " + method + " has no such option");
}

template <class Method>
typename Method::Options options_for(const Options& given) {
  typename Method::Options options{};
  set_option("quadrature", given.quadrature, 10, given.method, [&](int n) {
    if constexpr (requires { options.quadrature; }) options.quadrature = n;
    return requires { options.quadrature; };
  });
  set_option("frame", given.frame, 3, given.method, [&](int n) {
    if constexpr (requires { options.frame; }) options.frame = static_cast<decltype(options.frame)>(n);
    return requires { options.frame; };
  });
  if (given.compensated.value_or(false) && !Method::info.increments)
    throw InputError("compensated: the method " + given.method + " has no increments to compensate");
  return options;
}

void steps_by_name(const Options& given, const std::vector<Body<double>>& bodies, const States& states,
                   double h, std::int64_t count, std::int64_t threads) {
  bool found = false;
  std::string names;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    names += (names.empty() ? "" : ", ") + std::string(Method::info.name);
    if (given.method != Method::info.name) return;
    found = true;
    const auto options = options_for<Method>(given);
    const bool compensated = given.compensated.value_or(Method::info.increments);
    if constexpr (std::same_as<Method, Exact<double>>) {
      if (compensated) return exact_steps(bodies, states, h, count, threads);
    }
    if constexpr (Method::info.increments) {
      if (compensated)
        return steps_by<Method, Summation::compensated>(bodies, options, states, h, count, threads);
    }
    steps_by<Method, Summation::plain>(bodies, options, states, h, count, threads);
  });
  if (!found)
    throw InputError("there is no method \"" + given.method + "\" for a free body; there are " + names);
}

/// Whether `b` shares memory with `a` without being the same numbers.
bool overlaps(const Doubles& a, const Doubles& b) {
  return a.data() != b.data() && a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

py::tuple step(py::handle inertia, py::handle momentum, py::handle attitude, double h,
               const std::string& method, std::int64_t count, std::int64_t threads, py::handle out,
               std::optional<bool> compensated, std::optional<int> quadrature, std::optional<int> frame) {
  Rows m = rows(momentum, 3, "momentum"), q = rows(attitude, 4, "attitude");
  if (m.leading() != q.leading())
    throw InputError("momentum and attitude must be of the same number, not of the shapes " +
                     text(shape_of(m.array)) + " and " + text(shape_of(q.array)));
  if (!std::isfinite(h)) throw InputError("the step is not a finite number");
  if (count < 0) throw InputError("the number of steps is negative");
  py::object out_momentum = py::none(), out_attitude = py::none();
  if (!out.is_none()) {
    if (!py::isinstance<py::tuple>(out) || py::len(out) != 2)
      throw InputError("out must be a pair of arrays, (momentum, attitude)");
    out_momentum = out[py::int_(0)];
    out_attitude = out[py::int_(1)];
  }
  Doubles new_m = result_array(shape_of(m.array), out_momentum, "the momentum of out");
  Doubles new_q = result_array(shape_of(q.array), out_attitude, "the attitude of out");
  if (overlaps(m.array, new_m) || overlaps(m.array, new_q)) m.array = m.array.attr("copy")();
  if (overlaps(q.array, new_m) || overlaps(q.array, new_q)) q.array = q.array.attr("copy")();
  const States states{m.array.data(), q.array.data(), new_m.mutable_data(), new_q.mutable_data(), m.count()};
  const bool exactly = method == "exact" && compensated.value_or(true) && !quadrature && !frame;
  if (exactly && py::isinstance<GivenBody>(inertia)) {
    exact_steps(inertia.cast<const GivenBody&>().steps, states, h, count, threads);
    return py::make_tuple(new_m, new_q);
  }
  const std::vector<Body<double>> bodies = bodies_from(inertia, m.count());
  steps_by_name({method, compensated, quadrature, frame}, bodies, states, h, count, threads);
  return py::make_tuple(new_m, new_q);
}

}  // namespace

void bind_step(py::module_& m) {
  m.def("step", &step, py::arg("inertia"), py::arg("momentum"), py::arg("attitude"), py::arg("step"),
        py::arg("method") = "exact", py::kw_only(), py::arg("steps") = 1, py::arg("threads") = 1,
        py::arg("out") = py::none(), py::arg("compensated") = py::none(), py::arg("quadrature") = py::none(),
        py::arg("frame") = py::none(),
        R"(A step of one free body, or of a whole batch of them at once.

inertia   three moments, a 3x3 tensor or a Body, for all; or one for each, as an array (N, 3) or (N, 3, 3) or a list of Body
          (an array (3, 3) is one tensor, not three bodies)
momentum  (3,) or (N, 3), in the body frame
attitude  (4,) or (N, 4), from body to space, scalar first
step      of any length and sign
method    any method for free bodies; "exact" goes through the kernel of the batch
steps     how many; between them the compensation of the state is kept
threads   how many; 0: as many as the machine has
out       a pair of float64 arrays (momentum, attitude) to write into, which may be the ones given
compensated, quadrature, frame   options of the methods, as in scenarios

Returns the pair (momentum, attitude). Float64 arrays in C order are read where they are; the GIL is released.

>>> m, q = polhode.step([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], [1, 0, 0, 0], 0.01)
>>> m
array([0.49909024, 0.20796014, 0.83860689])
>>> many = polhode.step([0.345, 0.653, 1.0], np.ones((1000, 3)), np.tile([1.0, 0, 0, 0], (1000, 1)), 0.01)
>>> many[1].shape
(1000, 4)
)");
}

}  // namespace polhode::python
