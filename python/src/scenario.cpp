// Scenarios: read, built and run by the program, as the command does it.
#include "scenario/scenario.hpp"

#include <memory>

#include "coordinates.hpp"
#include "input/toml.hpp"
#include "recording.hpp"
#include "reproduce/experiment.hpp"
#include "systems/body/driven_body.hpp"
#include "systems/catalogue.hpp"
#include "systems/registry.hpp"
#include "torque.hpp"

namespace polhode::python {

namespace {

using program::Description;
using program::Ending;
using program::Quantity;
using program::Scenario;
using program::Simulation;

struct Source {
  std::string text;
  std::string name;
  std::vector<std::string> overrides;
};

std::unique_ptr<Simulation> build(Scenario& scenario, const py::object& torque) {
  if (torque.is_none()) return program::build(scenario);
  if (py::isinstance<py::dict>(torque)) return build_python_system(scenario, torque);
  scenario.system().allow({"kind", "inertia"});
  const program::GivenBody given = program::read_body(scenario);
  return program::build_driven_body(scenario, given, python_torque(torque, given.body),
                                    program::driven_methods());
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

py::dict examine(const std::string& text, const std::string& name,
                 const std::vector<std::string>& overrides) {
  Scenario scenario(program::parse_document(text, name, overrides));
  return about(scenario, *program::build(scenario));
}

/// The exception that Python is to raise; none if there was none.
py::object exception(const char* kind, const std::string& sentence) {
  return py::module_::import("polhode._core").attr(kind)(sentence);
}

py::tuple run(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
              std::int64_t every, const py::object& torque, const std::string& output) {
  Scenario scenario(program::parse_document(text, name, overrides));
  if (!output.empty()) program::examine_output_name(output);
  const std::unique_ptr<Simulation> simulation = build(scenario, torque);
  const std::int64_t interval = every > 0 ? every : program::default_interval(scenario.steps());
  const std::int64_t rows = 1 + scenario.steps() / interval + (scenario.steps() % interval != 0 ? 1 : 0);
  Columns columns(program::recorded_quantities(simulation->description()), rows);
  std::unique_ptr<program::Output> file;
  if (!output.empty())
    file = program::open_output(output,
                                {scenario.text(), simulation->description(), scenario.steps(), interval});

  RecordedRun recorded(*simulation, columns, {scenario.steps(), interval, file.get(), !torque.is_none()});
  py::object failure = py::none();
  const auto start = std::chrono::steady_clock::now();
  try {
    recorded.carry_out();
    if (recorded.ending() == Ending::diverged)
      failure = exception("MotionError", name + ": the state is not finite after step " +
                                             std::to_string(recorded.done()) + " of " +
                                             std::to_string(scenario.steps()));
  } catch (py::error_already_set& e) {
    e.restore();  // with its traceback, which value() alone would lose
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace != nullptr) PyException_SetTraceback(value, trace);
    failure = py::reinterpret_steal<py::object>(value);
    Py_XDECREF(type);
    Py_XDECREF(trace);
  } catch (const MotionError& e) {
    failure = exception("MotionError", name + ": " + e.what());
  } catch (const InputError& e) {
    failure = exception("InputError", name + ": " + e.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (file) file->finish(recorded.ending(), recorded.done());

  py::dict result = about(scenario, *simulation);
  result["every"] = interval;
  result["taken"] = recorded.done();
  result["seconds"] = seconds.count();
  result["constraint_max"] = recorded.constraint_max();
  result["force_evaluations"] = simulation->evaluations().force;
  result["constraint_evaluations"] = simulation->evaluations().constraint;
  result["quantities"] = described(columns.quantities());
  result["arrays"] = columns.arrays();
  return py::make_tuple(result, failure);
}

std::string catalogue(const std::string& part) {
  std::vector<program::NamedEntry> experiments;
  for (const program::ExperimentEntry& e : program::experiment_registry())
    experiments.push_back({e.name, e.summary});
  return program::Catalogue(experiments).json(part);
}

}  // namespace

void bind_scenario(py::module_& m) {
  m.def("examine", &examine, py::arg("text"), py::arg("name"), py::arg("overrides"),
        "What a scenario describes; it is built and not run.");
  m.def("run", &run, py::arg("text"), py::arg("name"), py::arg("overrides"), py::arg("every"),
        py::arg("torque"), py::arg("output"),
        "Runs a scenario: what came of it, and the exception that ended it or None.");
  m.def("catalogue", &catalogue, py::arg("part"), "What the command lists, as JSON.");
}

}  // namespace polhode::python
