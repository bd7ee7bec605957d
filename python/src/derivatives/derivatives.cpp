// Derivatives of motions under torque, and their Lyapunov exponents.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "polhode/splitting/lyapunov.hpp"
#include "signals.hpp"
#include "systems/body/driven_body.hpp"
#include "torque.hpp"
#include "values.hpp"

namespace polhode::python {

namespace {

using program::Scenario;

/// A scenario of kind = "driven-body", moved with its derivatives. What acts is kept for as long as the motion.
struct Given {
  Scenario scenario;
  program::DrivenMotion motion;

  Given(const py::dict& tables, const std::string& name, const py::list& functions)
      : scenario(document_from(tables, name, py::dict())),
        motion(program::read_driven_motion(scenario, python_parts(functions, name))) {
    const program::SplittingChoice& choice = motion.choice;
    if (!choice.scheme || choice.free.choice.name != "exact")
      throw InputError("derivatives need a splitting with the exact free motion");
  }

  std::unique_ptr<DrivenTangent<double>> start() const {
    const program::DrivenBody& driven = motion.driven;
    return std::make_unique<DrivenTangent<double>>(driven.body, driven.initial,
                                                   program::list_of(driven.parts), *motion.choice.scheme,
                                                   DoubleDouble(driven.time));
  }
};

/// Steps of at most the given length that lead from the time now to another; one, if the steps are exact at any length.
void move_to(DrivenTangent<double>& run, double time, double step, SignalWatch& watch) {
  const double rest = static_cast<double>(DoubleDouble(time) - run.time());
  if (rest == 0.0) return;
  double count = 1.0;
  if (run.rotor().order() != 0 || run.rotor().torque().carries())
    count = std::max(1.0, std::ceil(std::abs(rest / step) * (1.0 - 1e-12)));
  if (!(count < 0x1p53)) throw InputError("there are too many steps to a time");
  const auto steps = static_cast<std::int64_t>(count);
  constexpr std::int64_t piece = 64;
  for (std::int64_t done = 0; done < steps; done += piece) {
    run.advance(rest / count, std::min(piece, steps - done));
    watch.look();
  }
}

/// The states at the times with their derivatives: by the state at the beginning, by the principal moments, and by numbers on which
/// what acts depends. families: (value, make) for each, and make(value) is (tables, functions) of a scenario.
py::tuple driven_derivatives(const py::dict& tables, const std::string& name, const py::list& functions,
                             py::handle times, const py::list& families) {
  const Given given(tables, name, functions);
  const auto run = given.start();
  run->follow_moments();
  std::vector<std::unique_ptr<Given>> kept;  // what acts next to the values of the parameters
  for (const py::handle one : families) {
    const auto family = py::reinterpret_borrow<py::tuple>(one);
    run->follow(family[0].cast<double>(), [&](double value) {
      const auto made = called(family[1], value).cast<py::tuple>();
      kept.push_back(std::make_unique<Given>(made[0].cast<py::dict>(), name, made[1].cast<py::list>()));
      return program::list_of(kept.back()->motion.driven.parts);
    });
  }
  const Doubles t = doubles(times, "a time");
  const auto rows = static_cast<std::size_t>(t.size()), count = static_cast<std::size_t>(py::len(families));
  Doubles momentum(Shape{t.size(), 3}), attitude(Shape{t.size(), 4}), by_state(Shape{t.size(), 6, 6}),
      by_moments(Shape{t.size(), 6, 3}), by_parameters(Shape{t.size(), 6, static_cast<py::ssize_t>(count)});
  double *const m = momentum.mutable_data(), *const q = attitude.mutable_data(),
                *const s = by_state.mutable_data(), *const i = by_moments.mutable_data(),
                *const p = by_parameters.mutable_data();
  const double* const time = t.data();
  SignalWatch watch;
  std::optional<ReleasedGil> released;
  if (functions.empty() && families.empty()) released.emplace();
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::isfinite(time[row])) throw InputError("a time is not a finite number");
    move_to(*run, time[row], given.scenario.step(), watch);
    const State<double> state = run->state();
    std::copy(state.momentum.c.begin(), state.momentum.c.end(), m + 3 * row);
    std::copy(state.attitude.c.begin(), state.attitude.c.end(), q + 4 * row);
    const SquareArray<double, 6> matrix = run->map().matrix();
    for (std::size_t k = 0; k < 6; ++k) std::copy(matrix[k].begin(), matrix[k].end(), s + 36 * row + 6 * k);
    const auto columns = run->by_parameters();
    for (std::size_t k = 0; k < 6; ++k) {
      const auto entry = [&](std::size_t j) {
        return k < 3 ? columns[j].momentum[k] : columns[j].rotation[k - 3];
      };
      for (std::size_t j = 0; j < 3; ++j) i[18 * row + 3 * k + j] = entry(j);
      for (std::size_t j = 0; j < count; ++j) p[6 * count * row + count * k + j] = entry(3 + j);
    }
  }
  released.reset();
  return py::make_tuple(momentum, attitude, by_state, by_moments, by_parameters, given.scenario.warnings());
}

/// The exponents at several times.
py::tuple driven_lyapunov(const py::dict& tables, const std::string& name, const py::list& functions,
                          std::int64_t looks) {
  const Given given(tables, name, functions);
  const auto run = given.start();
  LyapunovExponents found;
  {
    std::optional<ReleasedGil> released;
    if (functions.empty()) released.emplace();
    SignalWatch watch;
    found =
        lyapunov_exponents(*run, given.scenario.step(), given.scenario.steps(), looks, [&] { watch.look(); });
  }
  const auto rows = static_cast<py::ssize_t>(found.times.size());
  Doubles times(Shape{rows}), values(Shape{rows, 6});
  std::copy(found.times.begin(), found.times.end(), times.mutable_data());
  double* to = values.mutable_data();
  for (const auto& row : found.values) to = std::copy(row.begin(), row.end(), to);
  return py::make_tuple(times, values, given.scenario.warnings());
}

}  // namespace

void bind_derivatives(py::module_& m) {
  m.def("driven_derivatives", &driven_derivatives, py::arg("tables"), py::arg("name"), py::arg("functions"),
        py::arg("times"), py::arg("families"),
        "The states of a motion under torque at times, with their derivatives; and the warnings.");
  m.def("driven_lyapunov", &driven_lyapunov, py::arg("tables"), py::arg("name"), py::arg("functions"),
        py::arg("looks"),
        "The Lyapunov exponents of a motion under torque at several times; and the warnings.");
}

}  // namespace polhode::python
