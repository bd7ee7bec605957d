#include "laboratory/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "laboratory/free_body.hpp"
#include "laboratory/json.hpp"
#include "laboratory/meter.hpp"
#include "laboratory/progress.hpp"
#include "laboratory/runner.hpp"
#include "polhode/free_motion/trajectory.hpp"

namespace polhode::laboratory {

namespace {

struct Contender {
  std::string_view name;
  std::string_view method;
  bool compensated;  ///< a wish: it is granted to methods that have increments
  int quadrature;
  std::string_view note;
};

/// In the order of the table. A method that the list does not have is left out.
constexpr std::array<Contender, 10> contenders{{
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

std::string note_of(const Contender& c, const MethodEntry& method) {
  std::string note(c.note);
  if (!method.compensation) return note;
  if (!note.empty()) note += ", ";
  return note + (c.compensated ? "compensated" : "uncompensated");
}

/// The angle of the rotation between two attitudes of norm one.
double angle_between(const Quaternion<DoubleDouble>& a, const Quaternion<DoubleDouble>& b) {
  const Quaternion<DoubleDouble> turn = conjugate(a) * b;
  const double sine = static_cast<double>(norm(turn.vector()));
  return 2.0 * std::atan2(sine, std::abs(static_cast<double>(turn[0])));
}

}  // namespace

std::vector<BenchRow> bench(const BenchJob& job) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1.0}});
  const State<double> initial{{{0.5, 0.2, std::sqrt(1.0 - 0.25 - 0.04)}}, {}};
  // The steps are of double(0.01), which is not 1/100: the time that they add up to is no double, but exact here.
  const DoubleDouble time = DoubleDouble(static_cast<double>(job.steps)) * DoubleDouble(job.step);
  const Quaternion<DoubleDouble> reference = Trajectory<double>(body, initial).wide_at(time).attitude;

  std::vector<BenchRow> rows;
  std::vector<std::unique_ptr<Simulation>> simulations;
  const std::vector<MethodEntry> methods = free_motion_methods();
  for (const Contender& c : contenders) {
    const auto method =
        std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == c.method; });
    if (method == methods.end()) continue;
    FreeMotionChoice choice;
    choice.method = c.method;
    choice.compensated = c.compensated && method->compensation;
    choice.quadrature = c.quadrature;
    simulations.push_back(make_free_body(body, initial, job.step, choice));
    const std::string name(c.name);
    const RunResult result = run(*simulations.back(), {job.steps, 0, nullptr, "errors of " + name});
    Quaternion<DoubleDouble> attitude;
    for (std::size_t i = 0; i < 4; ++i) attitude[i] = result.last.state[3 + i];
    rows.push_back({name, std::numeric_limits<double>::infinity(), result.errors.front().max,
                    angle_between(normalized(attitude), reference), note_of(c, *method)});
  }
  Progress progress("timing");
  for (int round = 0; round < job.rounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Meter meter(*simulations[i], job.timed_steps);
      meter.advance(job.timed_steps);
      rows[i].ns_per_step = std::min(rows[i].ns_per_step, 1e9 * meter.seconds_per_step());
    }
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
  return Json::object({{"machine", machine_name()}, {"flags", build_flags()}, {"rows", Json::array(list)}})
             .text() +
         "\n";
}

std::string bench_text(const std::vector<BenchRow>& rows) {
  const auto dmv10 =
      std::find_if(rows.begin(), rows.end(), [](const BenchRow& r) { return r.name == "dmv10"; });
  std::string text =
      fmt::format("{}\n{}\n\n{:<22}{:>10}{:>10}{:>14}{:>16}  {}\n", machine_name(), build_flags(), "method",
                  "ns/step", "to dmv10", "energy error", "attitude error", "note");
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

}  // namespace polhode::laboratory
