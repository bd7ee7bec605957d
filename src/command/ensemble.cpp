#include <cstdio>
#include <filesystem>

#include "command/commands.hpp"
#include "ensemble/run.hpp"
#include "run/interrupt.hpp"
#include "scenario/error.hpp"

namespace polhode::command {

using namespace program;

int ensemble(const EnsembleArguments& arguments) {
  EnsembleOptions options;
  options.scenario = arguments.scenario;
  options.overrides = arguments.overrides;
  options.every = arguments.every.empty() ? 0 : positive_integer("--every", arguments.every);
  options.threads = thread_count(arguments.threads);
  options.again = arguments.again;
  options.output =
      arguments.output.empty()
          ? std::filesystem::path(arguments.scenario).filename().replace_extension(".h5").string()
          : arguments.output;
  if (!options.output.ends_with(".h5"))
    throw ScenarioError(options.output, "--output", "the name must end in .h5");

  const InterruptGuard guard;
  const auto outcome = run_ensemble(options, print_note);
  if (!outcome) return fine;  // a helper under mpirun
  print(arguments.json
            ? outcome->json
            : outcome->text + (outcome->fresh ? "written: " : "finished before: ") + options.output + "\n");
  if (outcome->any_completed) return fine;
  print_note(arguments.scenario + ": none of the members came to the end");
  return failed;
}

}  // namespace polhode::command
