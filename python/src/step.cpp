// step(): a batch of free bodies at once.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "arrays.hpp"
#include "gil.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/error.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "systems/body/free_methods.hpp"

namespace polhode::python {

namespace {

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

State<double> examined(std::size_t i, const States& states) {
  const State<double> state = load(i, states);
  try {
    examine(state);
  } catch (const InputError& e) {
    fail_if_many(states, i, e);
  }
  return state;
}

/// Without a branch for each; false also where a sum is too large.
bool are_surely_valid(std::size_t first, std::size_t last, const States& states) {
  bool doubtful = false;
  for (std::size_t i = first; i < last; ++i) {
    const double *const m = states.momenta + 3 * i, *const q = states.attitudes + 4 * i;
    const double a = std::abs(m[0]) + std::abs(m[1]) + std::abs(m[2]);
    const double b = (std::abs(q[0]) + std::abs(q[1])) + (std::abs(q[2]) + std::abs(q[3]));
    doubtful |= !(a + b < std::numeric_limits<double>::infinity()) || !(b > 0.0);
  }
  return !doubtful;
}

void examine_all(const States& states, std::int64_t threads) {
  constexpr std::size_t worth_threads = 10'000;
  in_threads(states.count, states.count < worth_threads ? 1 : threads,
             [&](std::size_t first, std::size_t last, const auto&) {
               if (are_surely_valid(first, last, states)) return;
               for (std::size_t i = first; i < last; ++i) static_cast<void>(examined(i, states));
             });
}

void exact_steps(const StateSteps& steps, const States& states, double h, std::int64_t count,
                 std::int64_t threads) {
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last, const auto&) {
    steps.advance({states.momenta, states.attitudes, states.new_momenta, states.new_attitudes}, first, last,
                  h, count, [&](std::size_t i, const InputError& e) { fail_if_many(states, i, e); });
  });
}

/// More steps than these are taken in pieces, between which signals are looked for. The bits are the same.
constexpr std::int64_t many_steps = 256;

void exact_steps(std::span<const Body<double>> bodies, const States& states, double h, std::int64_t count,
                 std::int64_t threads) {
  if (bodies.size() == 1 && count <= many_steps)
    return exact_steps(StateSteps(bodies[0], batch_functions()), states, h, count, threads);
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last, const LookForSignals& look) {
    if (first == last) return;
    std::vector<State<double>> mine;
    mine.reserve(last - first);
    for (std::size_t i = first; i < last; ++i) mine.push_back(examined(i, states));
    Batch batch = bodies.size() == 1 ? Batch(bodies[0], mine, batch_functions())
                                     : Batch(bodies.subspan(first, last - first), mine, batch_functions());
    const auto piece = std::max<std::int64_t>(1, 100000 / static_cast<std::int64_t>(last - first));
    for (std::int64_t done = 0; done < count; done += piece) {
      batch.advance(h, std::min(piece, count - done));
      look();
    }
    for (std::size_t i = first; i < last; ++i) store(batch.state(i - first), i, states);
  });
}

bool is_finite(const State<double>& state) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::all_of(state.momentum.c.begin(), state.momentum.c.end(), finite) &&
         std::all_of(state.attitude.c.begin(), state.attitude.c.end(), finite);
}

[[noreturn]] void fail_to_move(const States& states, std::size_t i, std::int64_t done, std::int64_t count) {
  throw MotionError((states.count == 1 ? "" : "entry " + std::to_string(i) + ", counted from 0: ") +
                    "the state is not finite after step " + std::to_string(done) + " of " +
                    std::to_string(count));
}

template <Summation summation>
void steps_by(const MethodChoice& method, const std::vector<Body<double>>& bodies, const States& states,
              double h, std::int64_t count, std::int64_t threads) {
  in_threads(states.count, threads, [&](std::size_t first, std::size_t last, const LookForSignals& look) {
    constexpr std::int64_t piece = 256;
    for (std::size_t i = first; i < last; ++i) {
      try {
        Rotor<NamedMethod<double>, summation> rotor(bodies[bodies.size() == 1 ? 0 : i], load(i, states),
                                                    method);
        State<double> end = count > 0 ? State<double>{} : rotor.state();
        for (std::int64_t done = 0; done < count; done += piece) {
          const std::int64_t taken = std::min(piece, count - done);
          rotor.advance(h, taken);
          end = rotor.state();
          if (!is_finite(end)) fail_to_move(states, i, done + taken, count);
          look();
        }
        store(end, i, states);
      } catch (const InputError& e) {
        fail_if_many(states, i, e);
      }
    }
  });
}

/// The options that a caller gave by keywords; each is an option of some method.
MethodChoice choice_of(const std::string& method, const py::kwargs& options) {
  MethodChoice choice{method, {}, method_functions()};
  for (const auto& [key, value] : options) {
    const std::string name = key.cast<std::string>();
    const auto& methods = method_descriptions();
    const bool known = std::any_of(methods.begin(), methods.end(), [&](const MethodDescription& m) {
      return std::any_of(m.options.begin(), m.options.end(),
                         [&](const OptionInfo& o) { return o.name == name; });
    });
    if (!known) throw py::type_error("step() got an unexpected keyword argument '" + name + "'");
    if (value.is_none()) continue;
    const std::int64_t number = integer_from(value, name);
    if (number != static_cast<int>(number)) throw InputError(name + " is too large");
    choice.options.emplace_back(name, static_cast<int>(number));
  }
  return choice;
}

/// Whether they share memory.
bool overlap(const Doubles& a, const Doubles& b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

/// What is read while the results are written: itself where it is the place of its own results, a copy where it shares memory with other
/// places.
void separate(Doubles& given, const Doubles& own, const Doubles& other) {
  if ((overlap(given, own) && given.data() != own.data()) || overlap(given, other))
    given = called(given.attr("copy"));
}

std::optional<bool> truth_from(py::handle object, const char* what) {
  if (object.is_none()) return std::nullopt;
  if (!PyBool_Check(object.ptr()) && !py::isinstance(object, py::module_::import("numpy").attr("bool_")))
    throw InputError(std::string(what) + " must be True or False");
  return PyObject_IsTrue(object.ptr()) == 1;
}

py::tuple step(py::handle inertia, py::handle momentum, py::handle attitude, py::handle length,
               py::handle method_name, py::handle steps, py::handle thread_count, py::handle out,
               py::handle with_sums, const py::kwargs& options) {
  Rows m = rows(momentum, 3, "momentum"), q = attitude_rows(attitude);
  if (m.leading().empty() && q.leading().size() == 1)
    throw InputError("there is one momentum for " + std::to_string(q.count()) +
                     " attitudes: give momentum the shape (N, 3), for example np.tile(momentum, (N, 1))");
  if (m.leading() != q.leading())
    throw InputError("momentum and attitude must be of the same number, not of the shapes " +
                     text(shape_of(m.array)) + " and " + text(shape_of(q.array)));
  const double h = number_from(length, "the step");
  if (!py::isinstance<py::str>(method_name)) throw InputError("method must be the name of a method");
  const auto method = method_name.cast<std::string>();
  const std::int64_t count = integer_from(steps, "steps"), threads = integer_from(thread_count, "threads");
  const std::optional<bool> compensated = truth_from(with_sums, "compensated");
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
  if (overlap(new_m, new_q)) throw InputError("the two arrays of out share memory");
  separate(m.array, new_m, new_q);
  separate(q.array, new_q, new_m);
  const States states{m.array.data(), q.array.data(), new_m.mutable_data(), new_q.mutable_data(), m.count()};
  // A call that is refused leaves the caller's arrays as they were. (One state is examined before it is stored.)
  if (states.count > 1 && !out.is_none()) examine_all(states, threads);
  const auto exactly = [&] {
    if (py::isinstance<GivenBody>(inertia) && count <= many_steps)
      exact_steps(inertia.cast<const GivenBody&>().steps, states, h, count, threads);
    else
      exact_steps(bodies_from(inertia, m.count()), states, h, count, threads);
    return py::make_tuple(new_m, new_q);
  };
  if (method == "exact" && compensated.value_or(true) && options.empty()) return exactly();
  const MethodChoice choice = choice_of(method, options);
  const NamedMethod<double> chosen(Inertia<double>({1.0, 1.0, 1.0}), choice);  // which refuses what is wrong
  if (compensated.value_or(false) && !chosen.info.increments)
    throw InputError("compensated: the method " + method + " has no increments to compensate");
  const bool with_errors = compensated.value_or(chosen.info.increments);
  if (method == "exact" && with_errors) return exactly();
  const std::vector<Body<double>> bodies = bodies_from(inertia, m.count());
  const auto steps_to = [&](const States& places) {
    (with_errors ? steps_by<Summation::compensated> : steps_by<Summation::plain>)(choice, bodies, places, h,
                                                                                  count, threads);
  };
  if (states.count <= 1 || out.is_none()) {
    steps_to(states);
    return py::make_tuple(new_m, new_q);
  }
  // A method may find no result for a body after others have moved: the caller's arrays are written when all have.
  std::vector<double> momenta(3 * states.count), attitudes(4 * states.count);
  steps_to({states.momenta, states.attitudes, momenta.data(), attitudes.data(), states.count});
  std::copy(momenta.begin(), momenta.end(), states.new_momenta);
  std::copy(attitudes.begin(), attitudes.end(), states.new_attitudes);
  return py::make_tuple(new_m, new_q);
}

/// What was called with arguments that step() does not have, or without some that it needs.
py::tuple refuse_arguments(const py::args& positional, const py::kwargs& keywords) {
  constexpr std::array needed{"inertia", "momentum", "attitude", "step"};
  if (positional.size() > needed.size() + 1)
    throw py::type_error("step() takes 5 arguments without a name, not " + std::to_string(positional.size()) +
                         ": steps, threads, out and the options have names");
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (i < positional.size() && keywords.contains(needed[i]))
      throw py::type_error(std::string("step() was given ") + needed[i] + " twice");
    if (i >= positional.size() && !keywords.contains(needed[i]))
      throw py::type_error(std::string("step() needs ") + needed[i]);
  }
  throw py::type_error("step() was given method twice");
}

}  // namespace

void bind_step(py::module_& m) {
  // The second one is asked where the first does not fit; one signature, written here, is that of both.
  py::options options;
  options.disable_function_signatures();
  m.def(
      "step", &step, py::arg("inertia"), py::arg("momentum"), py::arg("attitude"), py::arg("step"),
      py::arg("method") = "exact", py::kw_only(), py::arg("steps") = 1, py::arg("threads") = 1,
      py::arg("out") = py::none(), py::arg("compensated") = py::none(),
      R"(step(inertia: object, momentum: object, attitude: object, step: float, method: str = 'exact', *, steps: int = 1, threads: int = 1, out: object = None, compensated: object = None, **options) -> tuple

A step of one free body, or of a whole batch of them at once.

inertia   three moments, a 3x3 tensor or a Body, for all; or one for each, as an array (N, 3) or (N, 3, 3) or a list of Body
          (an array (3, 3) is one tensor; with three states it is the moments of three, and refused where it is symmetric and may be both)
momentum  (3,) or (N, 3), in the body frame
attitude  (4,) or (N, 4), from body to space, scalar first; or matrices (3, 3) or (N, 3, 3), or a scipy Rotation
step      of any length and sign
method    any method for free bodies; "exact" goes through the kernel of the batch
steps     how many; between them the compensation of the state is kept
threads   how many; 0: as many as the machine has
out       a pair of float64 arrays (momentum, attitude) to write into, which may be the ones given
compensated, and by their names the options of the methods, as in scenarios: quadrature, frame

Returns the pair (momentum, attitude). Float64 arrays in C order are read where they are; the GIL is released. A call that is refused
leaves out as it was; so does a MotionError, which is raised where the method has no finite result and names the first such body. An
exception of a signal, Ctrl-C, arrives within about a tenth of a second; a part of out may be written then.

>>> m, q = polhode.step([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], [1, 0, 0, 0], 0.01)
>>> m
array([0.49909024, 0.20796014, 0.83860689])
>>> many = polhode.step([0.345, 0.653, 1.0], np.ones((1000, 3)), np.tile([1.0, 0, 0, 0], (1000, 1)), 0.01)
>>> many[1].shape
(1000, 4)
)");
  m.def("step", &refuse_arguments);
}

}  // namespace polhode::python
