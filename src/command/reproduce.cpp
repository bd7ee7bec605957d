#include <fmt/format.h>

#include <cstdio>

#include "command/commands.hpp"
#include "reproduce/reproduction.hpp"
#include "run/interrupt.hpp"

namespace polhode::command {

using namespace program;

namespace {

void print_outcome(const Reproduction& r, double seconds) {
  ClaimCount count;
  count.add(r.findings.claims);
  std::string text =
      fmt::format("{:<16} {:>2} of {:>2} bounds kept, {:>2} of {:>2} hold as printed  {:6.1f} s\n",
                  r.experiment.name, count.passed, count.claims, count.as_printed[0], count.printed, seconds);
  for (const Claim& c : r.findings.claims)
    if (!c.pass)
      text += fmt::format("  missed: {}: {}, bound {} (paper: {})\n", c.claim, c.measured, c.bound, c.paper);
  print(text);
}

}  // namespace

int reproduce(const ReproduceArguments& arguments) {
  ReproductionOptions options;
  options.names = arguments.names;
  options.scale = arguments.quick ? Scale::quick : Scale::full;
  options.folder = arguments.folder;
  options.again = arguments.again;
  options.threads = thread_count(arguments.threads);
  const InterruptGuard guard;
  const std::vector<Reproduction> results =
      program::reproduce(options, experiment_registry(), print_outcome, print_note);
  if (results.empty()) return fine;  // a helper under mpirun
  ClaimCount count;
  for (const Reproduction& r : results) count.add(r.findings.claims);
  print(fmt::format("{} of {} bounds kept\n", count.passed, count.claims));
  for (const std::string& sentence : printed_by_group(results)) print(sentence + "\n");
  print("written: " + options.folder + "/report.html\n");
  return count.passed == count.claims ? fine : failed;
}

}  // namespace polhode::command
