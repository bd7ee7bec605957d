// Scenarios: built and run by the program, as the command does it.
#include "scenario/scenario.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "columns.hpp"
#include "coordinates/coordinates.hpp"
#include "dense.hpp"
#include "exceptions.hpp"
#include "gil.hpp"
#include "output/output.hpp"
#include "output/partial_file.hpp"
#include "signals.hpp"
#include "systems/body/driven_body.hpp"
#include "systems/body/own_scheme.hpp"
#include "systems/catalogue.hpp"
#include "systems/registry.hpp"
#include "systems/watching.hpp"
#include "torque.hpp"
#include "values.hpp"

namespace polhode::python {

namespace {

using program::Description;
using program::Ending;
using program::Quantity;
using program::Scenario;
using program::Simulation;

/// `functions` are those of a body under torque, or the dictionary of a system in coordinates, or None.
std::unique_ptr<Simulation> build(Scenario& scenario, const py::object& functions) {
  if (functions.is_none()) return program::build(scenario);
  if (py::isinstance<py::dict>(functions)) return build_python_system(scenario, functions);
  return program::build_driven_body(scenario, python_parts(functions, scenario.file()));
}

py::list described(const std::vector<Quantity>& quantities) {
  py::list result;
  for (const Quantity& q : quantities)
    result.append(py::make_tuple(q.name, q.size, q.first_index, q.meaning));
  return result;
}

py::dict about(const Scenario& scenario, const Simulation& simulation) {
  const Description& description = simulation.description();
  py::dict result;
  result["system"] = description.system;
  result["method"] = description.method;
  result["details"] = description.details;
  result["compensated"] = description.compensated;
  result["step"] = description.step;
  result["steps"] = scenario.steps();
  result["warnings"] = scenario.warnings();
  result["scenario"] = scenario.text();
  return result;
}

py::dict examine(const py::dict& tables, const std::string& name, const py::dict& overrides) {
  Scenario scenario(document_from(tables, name, overrides));
  return about(scenario, *program::build(scenario));
}

/// Of a splitting scheme by its coefficients.
py::dict scheme_figures(const py::dict& scheme) {
  py::dict method, tables;
  method["scheme"] = scheme;
  tables["method"] = method;
  const program::Document document = document_from(tables, "", py::dict());
  program::Section section(document, "method");
  try {
    const program::SchemeFigures figures = program::figures_of(program::read_own_scheme(section));
    py::dict result;
    result["order"] = figures.order;
    result["nystrom"] = figures.nystrom;
    result["stages"] = figures.stages;
    result["effective_error"] = figures.effective_error;
    result["effective_error_nystrom"] = figures.effective_error_nystrom;
    return result;
  } catch (const program::ScenarioError& e) {
    throw InputError(e.key().substr(std::string_view("method.").size()) + ": " + e.reason());
  }
}

/// The exception of a run that stopped, as Python has it; none if it did not.
py::object failure_of(const program::RunResult& result, const Scenario& scenario) {
  const std::string name = scenario.file() + ": ";
  if (result.ending == Ending::diverged)
    return made_exception("MotionError", name + "the state is not finite after step " +
                                             std::to_string(result.steps) + " of " +
                                             std::to_string(scenario.steps()));
  return as_python(result.exception, name);
}

std::vector<Quantity> seen_quantities(const Description& description) {
  std::vector<Quantity> result = description.state;
  result.insert(result.end(), description.derived.begin(), description.derived.end());
  return result;
}

std::vector<std::string> names_of(const std::vector<program::WatchedEvent>& events) {
  std::vector<std::string> names;
  for (const program::WatchedEvent& event : events) names.push_back(event.name);
  return names;
}

/// What happened, and where: [(number of the event, time, row)].
py::list seen_events(const std::vector<program::SeenEvent>& events) {
  py::list result;
  for (const program::SeenEvent& seen : events) {
    std::vector<double> row = seen.snapshot.state;
    row.insert(row.end(), seen.snapshot.derived.begin(), seen.snapshot.derived.end());
    Doubles array(static_cast<py::ssize_t>(row.size()));
    std::copy(row.begin(), row.end(), array.mutable_data());
    result.append(py::make_tuple(seen.event, seen.time, array));
  }
  return result;
}

/// `kept_in_python`: the rows are written to the output afterwards, by Python.
py::tuple run(const py::dict& tables, const std::string& name, const py::dict& overrides, std::int64_t every,
              const py::object& functions, const std::string& output, bool kept_in_python,
              const py::list& events, bool dense) {
  program::Document document = document_from(tables, name, overrides);
  const bool has_file = !output.empty() && !kept_in_python;
  if (has_file) program::examine_output_name(output, program::text_formats());
  if (!output.empty()) program::refuse_own_input(output, document);
  Scenario scenario(std::move(document));
  const std::shared_ptr<Simulation> simulation = build(scenario, functions);
  program::Watch watch = program::read_watch(scenario, *simulation);
  if (!events.empty() && !simulation->is_free())
    throw InputError("events: the steps of " + simulation->description().method + " have one length");
  for (program::WatchedEvent& event :
       python_events(events, described(seen_quantities(simulation->description()))))
    watch.events.push_back(std::move(event));
  const std::int64_t interval = every > 0 ? every : program::default_interval(scenario.steps());
  const std::int64_t rows = watch.times.empty()
                                ? 1 + scenario.steps() / interval + (scenario.steps() % interval != 0 ? 1 : 0)
                                : static_cast<std::int64_t>(watch.times.size());
  std::unique_ptr<program::Output> file;
  if (has_file)
    file = program::open_output(
        output, {scenario.text(), simulation->description(), scenario.steps(), interval, simulation.get()},
        program::text_formats());
  Columns columns(program::recorded_quantities(simulation->description()), rows, file.get());
  std::shared_ptr<DenseMotion> motion;
  if (dense) motion = std::make_shared<DenseMotion>(simulation, &columns);

  // A step that calls Python keeps the GIL; signals are Python's own, and are looked at now and then.
  const bool calls_python = !functions.is_none() || !events.empty();
  const auto start = std::chrono::steady_clock::now();
  SignalWatch signals;
  program::RunResult result;
  {
    std::optional<ReleasedGil> released;
    if (!calls_python) released.emplace();
    result = program::run(*simulation,
                          {.steps = scenario.steps(),
                           .every = interval,
                           .recorder = dense ? static_cast<program::Recorder*>(motion.get()) : &columns,
                           .title = {},
                           .alone = false,
                           .one_by_one = calls_python,
                           .watch = watch.is_empty() ? nullptr : &watch,
                           .advanced = [&](double) { signals.look(); }});
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const py::object failure = failure_of(result, scenario);
  result.exception = nullptr;  // while the GIL is held
  if (motion) motion->finish();
  if (file) {
    file->add_events(watch.events, result.events);
    file->finish(result.ending, result.steps);
  }

  py::dict record = about(scenario, *simulation);
  record["every"] = interval;
  record["taken"] = result.steps;
  record["seconds"] = seconds.count();
  record["constraint_max"] = result.constraint_max;
  record["force_evaluations"] = result.evaluations.force;
  record["constraint_evaluations"] = result.evaluations.constraint;
  record["quantities"] = described(columns.quantities());
  record["arrays"] = columns.arrays();
  record["ended"] = result.ending == Ending::event;
  record["event_names"] = names_of(watch.events);
  record["events"] = seen_events(result.events);
  record["seen"] = described(seen_quantities(simulation->description()));
  record["dense"] = motion;
  return py::make_tuple(record, failure);
}

}  // namespace

void bind_scenario(py::module_& m) {
  py::class_<DenseMotion, std::shared_ptr<DenseMotion>>(m, "DenseMotion",
                                                        "A run that knows the motion between its rows.")
      .def("at", &DenseMotion::at, py::arg("times"), "What there is to see at the times, by name.");
  m.def("examine", &examine, py::arg("tables"), py::arg("name"), py::arg("overrides"),
        "What a scenario describes; it is built and not run.");
  m.def("run", &run, py::arg("tables"), py::arg("name"), py::arg("overrides"), py::arg("every"),
        py::arg("functions"), py::arg("output"), py::arg("kept_in_python"), py::arg("events"),
        py::arg("dense"), "Runs a scenario: what came of it, and the exception that ended it or None.");
  m.def("scheme_figures", &scheme_figures, py::arg("scheme"),
        "The order and the effective error of a splitting scheme, from its coefficients.");
  m.def(
      "catalogue", [](const std::string& part) { return program::Catalogue({}).json(part); }, py::arg("part"),
      "What the command lists, as JSON; but for the experiments.");
}

}  // namespace polhode::python
