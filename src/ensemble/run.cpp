#include "ensemble/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include "ensemble/file.hpp"
#include "input/toml.hpp"
#include "scenario/error.hpp"
#include "work/executor.hpp"

namespace polhode::program {

namespace {

/// A member may be this many numbers; more do not fit into a message between ranks.
constexpr std::size_t largest_record = std::size_t{1} << 28;

Document read_scenario(const EnsembleOptions& options) {
  Document document = read_document(options.scenario, options.overrides);
  refuse_own_input(options.output, document);
  return document;
}

struct Ensemble {
  EnsemblePlan plan;
  EnsembleLayout layout;
  mutable std::atomic<double> under_way = 0.0;  ///< members' worth of those that are running

  explicit Ensemble(const EnsembleOptions& options)
      : plan(read_scenario(options)), layout(layout_of(plan, options.every)) {
    if (layout.record_size() > largest_record)
      throw ScenarioError(plan.file(), "ensemble.samples",
                          fmt::format("a member has {} numbers, which is too many", layout.record_size()));
  }

  Work work() const {
    Work result;
    result.name = plan.file();
    result.units = plan.members();
    result.record_size = layout.record_size();
    result.compute = [this](std::size_t member, std::span<double> record) {
      reporting(1, [&](const auto& advanced) { run_member(plan, layout, member, record, advanced); });
    };
    // As many as make a batch worth it, if the memory holds their records.
    result.together = std::clamp<std::size_t>((std::size_t{1} << 22) / layout.record_size(), 1, 32);
    result.compute_together = [this](std::span<const std::size_t> members,
                                     std::span<std::vector<double>> records) {
      reporting(members.size(),
                [&](const auto& advanced) { run_members(plan, layout, members, records, advanced); });
    };
    result.under_way = [this] { return under_way.load(); };
    return result;
  }

  /// compute(advanced), where advanced(part) says which part of so many members is done.
  template <class Compute>
  void reporting(std::size_t members, const Compute& compute) const {
    double before = 0.0;  // a finished member is counted as such
    const std::function<void(double)> advanced = [&](double part) {
      const double now = part * static_cast<double>(members);
      under_way += now - std::exchange(before, now);
    };
    struct Finished {
      const std::function<void(double)>& report;
      ~Finished() { report(0.0); }
    } const finished{advanced};
    compute(advanced);
  }

  std::string identity() const {
    return record_identity({{"ensemble", fmt::format("{:016x}", checksum(plan.text()))},
                            {"members", std::to_string(plan.members())},
                            {"samples", std::to_string(layout.samples)},
                            {"numbers", std::to_string(layout.record_size())}});
  }
};

/// What a run that ended between giving the file its name and this has left.
void remove_records(const std::string& file, const std::string& identity, const Ensemble& ensemble) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  try {
    RecordFile(file, identity, ensemble.plan.members(), ensemble.layout.record_size(), false).discard();
  } catch (const std::exception&) {
    // Others work on it, or it is not ours: it stays.
  }
}

EnsembleOutcome lead(const EnsembleOptions& options, Ranks& ranks,
                     const std::function<void(const std::string&)>& note) {
  const Ensemble ensemble(options);
  const std::string identity = ensemble.identity();
  if (!options.again) {
    if (const auto there = read_ensemble_file(options.output)) {
      if (there->identity != identity)
        throw ScenarioError(
            options.output, "--output",
            fmt::format("is that of another ensemble ({}); it is left as it is, --again replaces it",
                        difference(identity, there->identity)));
      if (!there->unchanged)
        throw ScenarioError(options.output, "--output",
                            "has been changed or damaged since it was written; it is left as it is, --again "
                            "replaces it");
      remove_records(options.output + ".records", identity, ensemble);
      return {there->text, there->json, false, there->json.find("\"completed\": 0,") == std::string::npos};
    }
  }
  // The lock of the records comes first: two processes shall not write to one file.
  RecordFile checkpoint(options.output + ".records", identity, ensemble.plan.members(),
                        ensemble.layout.record_size(), options.again);
  struct Empty {
    RecordFile& file;
    ~Empty() {
      if (file.known_units() == 0) std::filesystem::remove(file.name(), ignored);
    }
    std::error_code ignored{};
  };
  const Empty remove_if_nothing_was_computed{checkpoint};
  auto partial = std::make_unique<PartialFile>(options.output);
  if (partial->is_special()) throw ScenarioError(options.output, "--output", "is not a regular file");
  compute_missing(ensemble.work(), checkpoint, options.threads, ensemble.plan.file(), ranks);
  if (!checkpoint.note().empty()) note(checkpoint.note());  // not before: a failure is one line
  const EnsembleSummary summary =
      write_ensemble_file(std::move(partial), ensemble.plan, ensemble.layout, checkpoint, identity);
  checkpoint.discard();
  return {ensemble_text(ensemble.plan, ensemble.layout, summary),
          ensemble_json(ensemble.plan, ensemble.layout, summary), true, summary.completed > 0};
}

/// What is wrong with the input the first rank says; a helper waits to be dismissed.
void help(const EnsembleOptions& options, Ranks& ranks) {
  std::unique_ptr<Ensemble> ensemble;
  std::exception_ptr trouble;
  try {
    ensemble = std::make_unique<Ensemble>(options);
  } catch (const std::exception&) {
    trouble = std::current_exception();
  }
  Work work;
  const auto find = [&](std::uint64_t) -> const Work& {
    if (trouble) std::rethrow_exception(trouble);  // the first has no trouble: the machines are not alike
    work = ensemble->work();
    return work;
  };
  while (help_with(find, options.threads, ranks)) {
  }
}

}  // namespace

std::optional<EnsembleOutcome> run_ensemble(const EnsembleOptions& options,
                                            const std::function<void(const std::string&)>& note) {
  Ranks ranks;
  if (!ranks.first()) {
    help(options, ranks);
    return std::nullopt;
  }
  struct Dismissal {
    Ranks& ranks;
    ~Dismissal() { dismiss_helpers(ranks); }
  };
  const Dismissal at_the_end{ranks};  // well or not
  return lead(options, ranks, note);
}

}  // namespace polhode::program
