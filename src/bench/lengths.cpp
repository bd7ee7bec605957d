#include "bench/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "batch/instruction_set.hpp"
#include "bench/row_source.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/error.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "run/progress.hpp"
#include "text/json.hpp"
#include "work/random.hpp"

namespace polhode::program {

namespace {

constexpr std::array<double, 10> lengths{0.01, 0.1, 0.17, 0.5, 1.0, 1.4, 3.0, 10.0, 100.0, 1000.0};

/// Of size one, in all directions.
std::vector<BenchProblem> problems(int count) {
  std::vector<BenchProblem> result;
  Random random(2008);
  const auto uniform = [&] { return random.uniform(-1.0, 1.0); };
  while (static_cast<int>(result.size()) < count) {
    BenchProblem problem = water_molecule();
    Vector<double>& m = problem.initial.momentum;
    m = {{uniform(), uniform(), uniform()}};
    const double size = norm(m);
    if (size > 1 || size < 0.1) continue;
    m = (1 / size) * m;
    result.push_back(problem);
  }
  return result;
}

/// What is no number is the worst of all.
void worsen(double& worst, double error) {
  if (!(error <= worst)) worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// A row and one round of its timing.
struct Source {
  LengthRow row;
  std::function<void()> steps;
  double count = 0.0;
};

Source of_method(const std::string& name, double h, const LengthsJob& job) {
  Source source{
      {name, h, std::numeric_limits<double>::infinity(), 0.0, 0.0}, {}, static_cast<double>(job.timed_steps)};
  for (const BenchProblem& problem : problems(job.initial_values)) {
    polhode::Rotor rotor(Body<double>(problem.moments), problem.initial, MethodChoice{name});
    const DoubleDouble energy = rotor.invariants().energy;
    rotor.advance(h, 1);
    worsen(source.row.energy_error, std::abs(static_cast<double>(rotor.invariants().energy - energy)));
    worsen(source.row.attitude_error, problem.attitude_error(rotor.wide_state().attitude, h));
  }
  const BenchProblem problem = water_molecule();
  const auto rotor = std::make_shared<polhode::Rotor<NamedMethod<double>>>(
      Body<double>(problem.moments), problem.initial, MethodChoice{name, {}, method_functions()});
  source.steps = [=] { rotor->advance(h, job.timed_steps); };
  return source;
}

/// The batch has the bits of `exact`, and so its errors.
Source of_batch(const LengthRow& exact, const LengthsJob& job) {
  const BenchProblem problem = water_molecule();
  std::vector<State<double>> states;
  for (const BenchProblem& p : problems(64)) states.push_back(p.initial);
  const auto batch = std::make_shared<Batch>(Body<double>(problem.moments), states, batch_functions());
  const std::int64_t steps = std::max<std::int64_t>(1, job.timed_steps / 16);
  Source source{exact, [=, h = exact.h] { batch->advance(h, steps); },
                static_cast<double>(steps) * static_cast<double>(states.size())};
  source.row.name = "exact-batch";
  return source;
}

std::vector<Source> sources(const LengthsJob& job) {
  std::vector<Source> result;
  for (const double h : lengths) {
    result.push_back(of_method("exact", h, job));
    result.push_back(of_batch(result.back().row, job));
    result.push_back(of_method("frb-quaternion", h, job));
    try {
      Source dmv = of_method("dmv10", h, job);
      dmv.steps();
      if (dmv.row.attitude_error < 1e-3) result.push_back(dmv);
    } catch (const MotionError&) {  // its iteration does not converge
    }
  }
  return result;
}

}  // namespace

std::vector<LengthRow> bench_lengths(const LengthsJob& job) {
  std::vector<Source> all = sources(job);
  Progress progress("timing");
  for (int round = 0; round < job.rounds; ++round) {
    for (Source& s : all) {
      const auto start = std::chrono::steady_clock::now();
      s.steps();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      s.row.ns_per_step = std::min(s.row.ns_per_step, 1e9 * seconds / s.count);
    }
    progress.update(static_cast<double>(round + 1) / job.rounds);
  }
  std::vector<LengthRow> rows;
  for (const Source& s : all) rows.push_back(s.row);
  return rows;
}

std::string lengths_json(const std::vector<LengthRow>& rows) {
  std::vector<Json> list;
  for (const LengthRow& r : rows)
    list.push_back(Json::object({{"name", r.name},
                                 {"h", r.h},
                                 {"ns_per_step", r.ns_per_step},
                                 {"attitude_error", r.attitude_error},
                                 {"energy_error", r.energy_error}}));
  return Json::object({{"rows", Json::array(list)}}).text() + "\n";
}

std::string lengths_text(const std::vector<LengthRow>& rows) {
  std::string text = fmt::format("{:>6}  {:<16}{:>10}{:>10}{:>16}{:>14}\n", "h", "method", "ns/step",
                                 "to frb", "attitude error", "energy error");
  for (const LengthRow& r : rows) {
    const auto frb = std::find_if(rows.begin(), rows.end(), [&](const LengthRow& other) {
      return other.name == "frb-quaternion" && other.h == r.h;
    });
    text += fmt::format("{:>6}  {:<16}{:>10.1f}{:>10.2f}{:>16.2e}{:>14.2e}\n", r.h, r.name, r.ns_per_step,
                        r.ns_per_step / frb->ns_per_step, r.attitude_error, r.energy_error);
  }
  return text;
}

}  // namespace polhode::program
