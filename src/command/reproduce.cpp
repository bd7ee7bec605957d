#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "command/commands.hpp"
#include "reproduce/reproduction.hpp"
#include "reproduce/verdict.hpp"
#include "run/interrupt.hpp"

namespace polhode::command {

using namespace program;

namespace {

void print_outcome(const Reproduction& r, double seconds) {
  const auto& claims = r.findings.claims;
  const auto held = std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.pass; });
  std::string text = fmt::format("{:<16} {:>2} of {:>2} claims hold  {:6.1f} s\n", r.experiment.name, held,
                                 claims.size(), seconds);
  for (const Claim& c : claims)
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
  const std::vector<Reproduction> results = program::reproduce(
      options, experiment_registry(), print_outcome,
      [](const std::string& sentence) { std::fputs(("polhode: " + sentence + "\n").c_str(), stderr); });
  if (results.empty()) return fine;  // a helper under mpirun
  print("written: " + options.folder + "/report.html\n");
  const bool good = std::all_of(results.begin(), results.end(),
                                [](const Reproduction& r) { return all_hold(r.findings.claims); });
  return good ? fine : failed;
}

}  // namespace polhode::command
