#include "reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "output/partial_file.hpp"
#include "reproduce/verdict.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"
#include "work/executor.hpp"
#include "work/record_file.hpp"

namespace polhode::program {

namespace {

std::vector<const ExperimentEntry*> chosen(const std::vector<std::string>& names,
                                           const std::vector<ExperimentEntry>& registry) {
  std::vector<std::string> known;
  for (const ExperimentEntry& e : registry) known.push_back(e.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ScenarioError(
          "reproduce", "",
          fmt::format("there is no experiment of the name {}; known: {}", name, joined(known)));
  std::vector<const ExperimentEntry*> result;  // in the order of the registry, each once
  for (const ExperimentEntry& e : registry)
    if (names.empty() || std::find(names.begin(), names.end(), e.name) != names.end()) result.push_back(&e);
  return result;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ScenarioError(folder, "--out", "cannot be made: " + error.message());
  if (!std::filesystem::is_directory(folder)) throw ScenarioError(folder, "--out", "is not a directory");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) throw ScenarioError(folder, "--out", "cannot be written");
}

void write(const std::string& file, const std::string& text) {
  PartialFile partial(file);
  write_file(partial, text);
}

std::string records_of(const std::string& folder) { return folder + "/records.bin"; }

/// A finished experiment of an earlier run, of either size; only its report is made again.
std::unique_ptr<Reproduction> earlier(const ExperimentEntry& entry, const std::string& folder) {
  const std::string own = folder + "/" + entry.name;
  if (!std::filesystem::exists(own + "/figure.png") || !std::filesystem::exists(own + "/verdict.json"))
    return nullptr;
  for (const Scale scale : {Scale::full, Scale::quick}) {
    Experiment experiment = entry.make(scale);
    Records records(experiment.units, experiment.record_size);
    if (!read_finished(records_of(own), record_identity(experiment, scale), records)) continue;
    Findings findings = experiment.evaluate(records);
    return std::make_unique<Reproduction>(
        Reproduction{std::move(experiment), scale, std::move(findings), own});
  }
  return nullptr;
}

struct Task {
  Experiment experiment;
  std::string folder;
  std::unique_ptr<RecordFile> checkpoint;
};

/// The first rank, or the only one.
std::vector<Reproduction> lead(const ReproductionOptions& options,
                               const std::vector<ExperimentEntry>& registry, Ranks& ranks,
                               const std::function<void(const Reproduction&, double)>& finished,
                               const std::function<void(const std::string&)>& note) {
  // All that can be refused is refused before the first step is taken.
  std::vector<Task> tasks;
  const auto entries = chosen(options.names, registry);
  require_gnuplot();
  make_folder(options.folder);
  for (const ExperimentEntry* entry : entries) {
    Task task{entry->make(options.scale), options.folder + "/" + entry->name, nullptr};
    make_folder(task.folder);
    task.checkpoint =
        std::make_unique<RecordFile>(records_of(task.folder), record_identity(task.experiment, options.scale),
                                     task.experiment.units, task.experiment.record_size, options.again);
    tasks.push_back(std::move(task));
  }

  std::vector<Reproduction> results;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Task& task = tasks[i];
    const auto start = std::chrono::steady_clock::now();
    compute_missing(task.experiment, *task.checkpoint, options.threads,
                    fmt::format("{} ({} of {})", task.experiment.name, i + 1, tasks.size()), ranks);
    if (!task.checkpoint->note().empty()) note(task.checkpoint->note());  // not before: a failure is one line
    Reproduction r{std::move(task.experiment), options.scale, {}, task.folder};
    r.findings = r.experiment.evaluate(task.checkpoint->records());
    draw(r.findings.figure, r.folder);
    write(r.folder + "/data.csv", figure_csv(r.findings.figure));
    write(r.folder + "/verdict.json", verdict_json(r.experiment, r.findings.claims));
    finished(r, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    results.push_back(std::move(r));
    task.checkpoint.reset();
  }

  std::vector<Reproduction> shown;
  for (const ExperimentEntry& entry : registry) {
    const auto own = std::find_if(results.begin(), results.end(),
                                  [&](const Reproduction& r) { return r.experiment.name == entry.name; });
    if (own != results.end()) {
      shown.push_back(*own);
    } else if (const auto found = earlier(entry, options.folder)) {
      shown.push_back(*found);
    }
  }
  write(options.folder + "/report.html", report_html(shown));
  return results;
}

}  // namespace

std::vector<Reproduction> reproduce(const ReproductionOptions& options,
                                    const std::vector<ExperimentEntry>& registry,
                                    const std::function<void(const Reproduction&, double)>& finished,
                                    const std::function<void(const std::string&)>& note) {
  Ranks ranks;
  if (ranks.first()) {
    struct Dismissal {
      Ranks& ranks;
      ~Dismissal() { dismiss_helpers(ranks); }
    };
    const Dismissal at_the_end{ranks};  // well or not
    return lead(options, registry, ranks, finished, note);
  }
  std::vector<Experiment> experiments;
  for (const ExperimentEntry& entry : registry) experiments.push_back(entry.make(options.scale));
  const auto named = [&](std::uint64_t name) -> const Work& {
    return *std::find_if(experiments.begin(), experiments.end(),
                         [&](const Experiment& e) { return checksum(e.name) == name; });
  };
  while (help_with(named, options.threads, ranks)) {
  }
  return {};
}

}  // namespace polhode::program
