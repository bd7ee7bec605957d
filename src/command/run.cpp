#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "command/commands.hpp"
#include "hdf5/hdf5_output.hpp"
#include "input/toml.hpp"
#include "run/interrupt.hpp"
#include "run/summary.hpp"
#include "scenario/error.hpp"
#include "systems/registry.hpp"
#include "systems/watching.hpp"

namespace polhode::command {

using namespace program;

namespace {

std::string reason_of(const RunResult& result) {
  switch (result.ending) {
    case Ending::interrupted:
      return "interrupted at";
    case Ending::stopped:
      return result.failure + "; stopped after";
    default:
      return "the state is not finite after";
  }
}

}  // namespace

int run(const RunArguments& arguments) {
  // All input is examined before anything is computed or any file is touched.
  const std::int64_t every = arguments.every.empty() ? 0 : positive_integer("--every", arguments.every);
  if (!arguments.output.empty()) examine_output_name(arguments.output, all_formats());
  Document document = read_document(arguments.scenario, arguments.overrides);
  if (!arguments.output.empty()) refuse_own_input(arguments.output, document);
  Scenario scenario(std::move(document));
  const std::unique_ptr<Simulation> simulation = build(scenario);
  const Watch watch = read_watch(scenario, *simulation);
  if (every > 0 && !watch.times.empty())
    throw ScenarioError(arguments.scenario, "output.times",
                        "is given together with --every: leave one of them out");

  const InterruptGuard guard;
  std::unique_ptr<Output> output;
  if (!arguments.output.empty()) {
    output = open_output(arguments.output,
                         {scenario.text(), simulation->description(), scenario.steps(),
                          every > 0 ? every : default_interval(scenario.steps()), simulation.get()},
                         all_formats());
  }
  const RunResult result = [&] {
    try {
      return program::run(*simulation, {.steps = scenario.steps(),
                                        .every = every,
                                        .recorder = output.get(),
                                        .title = scenario.file(),
                                        .watch = watch.is_empty() ? nullptr : &watch});
    } catch (const MotionError& e) {
      throw RunError(scenario.file() + ": " + e.what());
    }
  }();
  if (output) {
    output->add_events(watch.events, result.events);
    output->finish(result.ending, result.steps);
  }

  if (result.ending != Ending::completed && result.ending != Ending::event)
    throw RunError(fmt::format("{}: {} step {} of {}{}", scenario.file(), reason_of(result), result.steps,
                               scenario.steps(),
                               output ? "; what was recorded is in " + arguments.output : ""));
  print((arguments.json ? summary_json : summary_text)(simulation->description(), result, scenario.warnings(),
                                                       watch));
  return fine;
}

}  // namespace polhode::command
