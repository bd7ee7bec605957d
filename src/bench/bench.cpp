#include "bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "batch/instruction_set.hpp"
#include "bench/other_library.hpp"
#include "bench/row_source.hpp"
#include "run/progress.hpp"
#include "systems/body/free_body.hpp"
#include "text/json.hpp"
#include "work/machine.hpp"

namespace polhode::program {

namespace {

/// A row that is one of our methods with steps of its own.
struct MethodRow {
  std::string_view name;
  std::string_view method;
  bool compensated;  ///< a wish: it is granted to methods that have increments
  int quadrature;
  std::string_view note;
};

/// In the order of the table. A method that the list does not have is left out.
constexpr std::array<MethodRow, 10> method_rows{{
    {"exact", "exact", true, 0, ""},
    {"dmv10", "dmv10", true, 0, ""},
    {"frb-quaternion", "frb-quaternion", true, 0, "third-kind integral exact"},
    {"frb-matrix", "frb-matrix", true, 0, "third-kind integral exact"},
    {"frb-quaternion-gauss5", "frb-quaternion", true, 5, "third-kind integral by 5 Gauss nodes"},
    {"jacobi-reduced", "jacobi-reduced", true, 0, ""},
    {"mr", "mr", true, 0, ""},
    {"rk4", "rk4", true, 0, ""},
    {"jacobi-standard", "jacobi-standard", true, 0, "for information"},
    {"dmv10-plain", "dmv10", false, 0, "for information"},
}};

std::string note_of(const MethodRow& row, const MethodEntry& method) {
  std::string note(row.note);
  if (!method.compensation) return note;
  if (!note.empty()) note += ", ";
  return note + (row.compensated ? "compensated" : "uncompensated");
}

void append_methods(std::vector<RowSource>& sources, const BenchProblem& problem, const BenchJob& job) {
  const Body<double> body(problem.moments);
  const std::vector<MethodEntry> methods = free_methods();
  for (const MethodRow& row : method_rows) {
    const auto method =
        std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == row.method; });
    if (method == methods.end()) continue;
    FreeMethod choice{{std::string(row.method), {}}, row.compensated && method->compensation};
    if (row.quadrature > 0) choice.choice.options = {{"quadrature", row.quadrature}};
    sources.push_back(stepping_source(std::string(row.name), note_of(row, *method),
                                      make_free_body(body, problem.initial, job.step, choice), problem, job));
  }
}

std::vector<RowSource> all_sources(const BenchJob& job) {
  const BenchProblem problem = water_molecule();
  std::vector<RowSource> sources;
  append_methods(sources, problem, job);
  append_flows(sources, problem, job);
  append_other_libraries(sources, problem, job);
  return sources;
}

/// How we were compiled, and what the batches chose on this machine.
std::string flags() { return build_flags() + ", batches: " + batch_functions().name; }

}  // namespace

std::vector<BenchRow> bench(const BenchJob& job) {
  const std::vector<RowSource> sources = all_sources(job);
  std::vector<BenchRow> rows;
  rows.reserve(sources.size());
  for (const RowSource& c : sources) {
    const BenchErrors errors = c.errors();
    const std::string comma = c.note.empty() || errors.remark.empty() ? "" : ", ";
    rows.push_back({c.name, std::numeric_limits<double>::infinity(), errors.energy, errors.attitude,
                    c.note + comma + errors.remark});
  }
  Progress progress("timing");
  for (int round = 0; round < job.rounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].ns_per_step = std::min(rows[i].ns_per_step, 1e9 * sources[i].seconds_per_step());
    progress.update(static_cast<double>(round + 1) / job.rounds);
  }
  return rows;
}

std::string bench_json(const std::vector<BenchRow>& rows) {
  std::vector<Json> list;
  list.reserve(rows.size());
  for (const BenchRow& r : rows)
    list.push_back(Json::object({{"name", r.name},
                                 {"ns_per_step", r.ns_per_step},
                                 {"energy_error", r.energy_error},
                                 {"attitude_error", r.attitude_error},
                                 {"note", r.note}}));
  return Json::object({{"machine", machine_name()}, {"flags", flags()}, {"rows", Json::array(list)}}).text() +
         "\n";
}

std::string bench_text(const std::vector<BenchRow>& rows) {
  const auto dmv10 =
      std::find_if(rows.begin(), rows.end(), [](const BenchRow& r) { return r.name == "dmv10"; });
  std::string text = fmt::format("{}\n{}\n\n{:<22}{:>10}{:>10}{:>14}{:>16}  {}\n", machine_name(), flags(),
                                 "method", "ns/step", "to dmv10", "energy error", "attitude error", "note");
  for (const BenchRow& r : rows) {
    const std::string ratio =
        dmv10 == rows.end() ? "-" : fmt::format("{:.2f}", r.ns_per_step / dmv10->ns_per_step);
    std::string line = fmt::format("{:<22}{:>10.1f}{:>10}{:>14.2e}{:>16.2e}  {}", r.name, r.ns_per_step,
                                   ratio, r.energy_error, r.attitude_error, r.note);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace polhode::program
