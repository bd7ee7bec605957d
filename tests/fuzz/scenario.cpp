// Scenarios, as text, to three steps. What is refused is refused by a sentence; whatever is run ends.
#include <cmath>
#include <memory>

#include "ensemble/plan.hpp"
#include "input/toml.hpp"
#include "polhode/error.hpp"
#include "run/runner.hpp"
#include "run/summary.hpp"
#include "scenario/error.hpp"
#include "systems/registry.hpp"
#include "tests/fuzz/input.hpp"

using namespace polhode;
using namespace polhode::program;

namespace {

const Table* table_of(const Document& document, std::string_view key) {
  const Value* const value = find(document.root, key);
  return value == nullptr ? nullptr : std::get_if<Table>(&value->content);
}

/// What would take long or much memory, and is right, is none of the fuzzer's business.
bool is_too_much(const Document& document) {
  const Table* const table = table_of(document, "system");
  if (table == nullptr) return false;
  for (const Entry& e : *table) {
    const auto* const integer = std::get_if<std::int64_t>(&e.value.content);
    if (integer != nullptr && (*integer > 20 || *integer < -20)) return true;
    if (e.key == "threads" || e.key == "molecules") return true;
  }
  return false;
}

/// Before a multistep method begins, its long steps are followed by up to 2^12 short ones each.
bool begins_slowly(const Document& document) {
  const Table* const method = table_of(document, "method");
  const Value* const name = method == nullptr ? nullptr : find(*method, "name");
  const Value* const step = method == nullptr ? nullptr : find(*method, "step");
  if (name == nullptr || step == nullptr) return false;
  const auto* const text = std::get_if<std::string>(&name->content);
  const auto* const integer = std::get_if<std::int64_t>(&step->content);
  const auto* const number = std::get_if<double>(&step->content);
  const double size = integer != nullptr ? static_cast<double>(*integer) : number != nullptr ? *number : 0.0;
  return text != nullptr && *text == "multistep" && std::abs(size) > 8.0;
}

void run_three_steps(Document document) {
  if (is_too_much(document) || begins_slowly(document)) return;
  if (find(document.root, "method") != nullptr) {
    override_value(document, "method.steps", {std::int64_t{3}});
    if (Value* const method = find(document.root, "method"))
      if (auto* const table = std::get_if<Table>(&method->content))
        std::erase_if(*table, [](const Entry& e) { return e.key == "duration"; });
  }
  Scenario scenario(std::move(document));
  const std::unique_ptr<Simulation> simulation = build(scenario);
  if (simulation->preparation() > 0) return;
  const RunResult result = run(*simulation, {.steps = scenario.steps(), .every = 1, .alone = false});
  fuzz::require(result.steps <= scenario.steps());
  fuzz::require(result.ending == Ending::diverged || result.steps == 3 || !result.failure.empty());
  summary_text(simulation->description(), result, scenario.warnings());
  // The scenario as it was run is a scenario, and the same one.
  Scenario again(parse_document(scenario.text(), "again", {}));
  build(again);
  fuzz::require(again.text() == scenario.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 4096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    Document document = parse_document(text, "fuzz", {});
    if (find(document.root, "ensemble") != nullptr) {
      const EnsemblePlan plan(document);
      fuzz::require(plan.members() > 0);
      plan.values_text(plan.members() - 1);
      document = plan.member(0);
    }
    run_three_steps(std::move(document));
  } catch (const InputError& error) {
    fuzz::require(*error.what() != '\0');
  } catch (const MotionError& error) {
    fuzz::require(*error.what() != '\0');
  }
  return 0;
}
