#include "run/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "bench/bench.hpp"
#include "polhode/free_motion/rk4.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "polhode/stepping/bytes.hpp"
#include "run/meter.hpp"
#include "run/stepped.hpp"
#include "run/summary.hpp"
#include "systems/body/free_body.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::program {

using namespace core;
namespace {

const Body<double> water(Vector<double>{{0.345, 0.653, 1.0}});
const State<double> initial{{{0.5, 0.2, 0.8}}, {}};

std::unique_ptr<Simulation> simulation(const std::string& method = "rk4", double step = 0.01) {
  return make_free_body(water, initial, step, {{method, {}}, true});
}

/// Keeps the rows in memory.
struct Rows : Recorder {
  void record(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  std::vector<std::vector<double>> rows;
};

/// A simulation that only counts how often it is looked at, and takes a given time for each step.
class Counter final : public Simulation {
 public:
  explicit Counter(double seconds = 0.0) : seconds_(seconds) { description_.step = 0.5; }
  const Description& description() const override { return description_; }
  void look(Snapshot& snapshot) const override {
    snapshot.state.assign(1, 0.0);
    ++looks;
    wait(10 * seconds_);
  }
  void advance(std::int64_t count) override {
    moved += count;
    steps_ += count;
    wait(seconds_ * static_cast<double>(count));
  }
  std::int64_t steps() const override { return steps_; }
  double time() const override { return 0.5 * static_cast<double>(steps_); }
  EvaluationCounts evaluations() const override { return {}; }
  std::vector<std::byte> save() const override { return core::detail::bytes_of(steps_); }
  void restore(std::span<const std::byte> bytes) override { core::detail::get_all(bytes, steps_); }
  mutable std::int64_t looks = 0;
  std::int64_t moved = 0;

 private:
  static void wait(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    }
  }
  Description description_;
  double seconds_;
  std::int64_t steps_ = 0;
};

/// Rows at the same parts of the way for any number of steps, none of them timed, and each step taken once.
TEST(Runner, SamplesAreSpreadOverTheRun) {
  for (const std::int64_t steps : {1, 7, 10, 999, 123456, 1000000007})
    for (const std::int64_t samples : {1, 3, 7, 1500}) {
      Counter counter;
      Rows rows;
      std::vector<double> parts;
      RunOptions options;
      options.steps = steps;
      options.samples = samples;
      options.recorder = &rows;
      options.alone = false;
      options.advanced = [&](double part) { parts.push_back(part); };
      run(counter, options);
      const std::int64_t expected = std::min(steps, samples);
      ASSERT_EQ(rows.rows.size(), static_cast<std::size_t>(expected) + 1) << steps << " " << samples;
      for (std::int64_t k = 0; k <= expected; ++k)
        EXPECT_EQ(rows.rows[static_cast<std::size_t>(k)][0], 0.5 * static_cast<double>(k * steps / expected));
      EXPECT_EQ(counter.moved, steps);
      EXPECT_EQ(counter.looks, expected + 1);
      EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
      EXPECT_EQ(parts.back(), 1.0);
    }
  EXPECT_EQ(sample_step(std::int64_t{1} << 62, 3, 3), std::int64_t{1} << 62);
}

TEST(Runner, LooksAThousandTimesAtLeast) {
  for (const std::int64_t steps : {1, 7, 999, 1000, 1001, 1999, 2000, 123456, 1000000}) {
    Counter counter;
    const RunResult result = run(counter, {steps, 0, nullptr, ""});
    EXPECT_EQ(result.steps, steps);
    EXPECT_EQ(counter.steps(), steps);
    EXPECT_EQ(result.time, static_cast<double>(steps) * 0.5);
    EXPECT_GE(counter.looks, std::min<std::int64_t>(steps, 1000)) << steps;
    EXPECT_LE(counter.looks, 2005) << steps;
    // Two passes over the steps are allowed, for the time of short pieces; no more.
    EXPECT_LE(counter.moved, 2 * steps + (1 << 22)) << steps;
  }
}

/// What looking costs is the user's choice: --every asks for fewer looks, and there are no more.
TEST(Runner, LooksAtTheRowsAlone) {
  Counter counter;
  const RunResult result = run(counter, {10000, 5000, nullptr, ""});
  EXPECT_EQ(counter.looks, 3);
  EXPECT_EQ(result.samples, 3);
}

/// A simulation that has to be prepared, as a liquid has to be equilibrated.
TEST(Runner, PreparesBeforeTheFirstLook) {
  struct Prepared {
    std::int64_t steps = 0;
    void advance(std::int64_t count) { steps += count; }
    double time() const { return static_cast<double>(steps); }
    std::int64_t steps_taken() const { return steps; }
    int state() const { return 0; }
    EvaluationCounts evaluations() const { return {}; }
    std::vector<std::byte> save() const { return core::detail::bytes_of(steps); }
    void restore(std::span<const std::byte> bytes) { core::detail::get_all(bytes, steps); }
  };
  struct View {
    void look(const Prepared&, Snapshot& snapshot) const {
      EXPECT_TRUE(*finished);
      snapshot.state.assign(1, 0.0);
    }
    std::shared_ptr<bool> finished;
  };
  const auto finished = std::make_shared<bool>(false);
  std::int64_t prepared = 0;
  const auto s = simulate(Description{}, Prepared{}, View{finished},
                          Preparation<Prepared>{25, [&](Prepared&, std::int64_t count) { prepared += count; },
                                                [&](Prepared&) { *finished = true; }});
  EXPECT_EQ(prepared, 0);  // building takes no steps
  const RunResult result = run(*s, {7, 0, nullptr, ""});
  EXPECT_EQ(prepared, 25);
  EXPECT_EQ(result.steps, 7);
  EXPECT_EQ(s->preparation(), 0);
}

TEST(Runner, RecordsEveryNthStepAndTheFirstAndTheLast) {
  const struct {
    std::int64_t steps, every;
    std::size_t rows;
  } cases[] = {{10, 0, 11},      {10, 1, 11},     {10, 3, 5},         {10, 5, 3},          {10, 10, 2},
               {10, 1000000, 2}, {1, 1, 2},       {1, 0, 2},          {5000, 0, 1001},     {5000, 7, 716},
               {5003, 5000, 3},  {5000, 1234, 6}, {10, INT64_MAX, 2}, {1000000, 250000, 5}};
  for (const auto& c : cases) {
    Rows rows;
    Counter counter;
    run(counter, {c.steps, c.every, &rows, ""});
    ASSERT_EQ(rows.rows.size(), c.rows) << c.steps << " " << c.every;
    EXPECT_EQ(rows.rows.front()[0], 0.0);
    EXPECT_EQ(rows.rows.back()[0], static_cast<double>(c.steps) * 0.5);
    if (c.every > 0 && c.every <= c.steps) {
      EXPECT_EQ(rows.rows[1][0], static_cast<double>(c.every) * 0.5);
    }
  }
}

TEST(Runner, LookingChangesNoBit) {
  Rotor<RungeKutta4<double>> rotor(water, initial);
  rotor.advance(0.01, 4321);
  for (const std::int64_t every : {0, 1, 17, 100000}) {
    const auto s = simulation();
    Rows rows;
    const RunResult result = run(*s, {4321, every, &rows, ""});
    const State<double> expected = rotor.state();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.last.state[i], expected.momentum[i]);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(result.last.state[3 + i], expected.attitude[i]);
  }
}

TEST(Runner, CheckpointsRestoreEveryBit) {
  for (const MethodEntry& method : free_methods()) {
    const auto one = simulation(method.name), other = simulation(method.name);
    one->advance(100);
    const std::vector<std::byte> checkpoint = one->save();
    one->advance(200);
    const Snapshot expected = one->look();
    other->restore(checkpoint);
    other->advance(200);
    EXPECT_EQ(other->look().state, expected.state) << method.name;
    EXPECT_EQ(other->look().invariants, expected.invariants) << method.name;
    EXPECT_EQ(other->steps(), 300);
    EXPECT_EQ(other->time(), 3.0);
  }
}

TEST(Runner, ErrorsAreMeasuredInExtendedPrecision) {
  const auto s = simulation();
  Rows rows;
  const RunResult result = run(*s, {3000, 0, &rows, ""});
  ASSERT_EQ(result.errors.size(), 3U);
  Rotor<RungeKutta4<double>> rotor(water, initial);
  const auto before = rotor.invariants();
  rotor.advance(0.01, 3000);
  const auto after = rotor.invariants();
  EXPECT_EQ(result.errors[0].last[0], static_cast<double>(after.energy - before.energy));
  EXPECT_EQ(result.errors[1].last[0], static_cast<double>(after.momentum_norm - before.momentum_norm));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(result.errors[2].last[i],
              static_cast<double>(after.spatial_momentum[i] - before.spatial_momentum[i]));
  double largest = 0.0;
  for (const auto& row : rows.rows) largest = std::max(largest, std::abs(row[8]));
  EXPECT_EQ(result.errors[0].max, largest);
  EXPECT_GT(largest, 0.0);
}

TEST(Runner, TimeLeavesTheLooksOut) {
  double least = 1.0;  // the machine may be busy with something else
  for (int attempt = 0; attempt < 5; ++attempt) {
    Counter slow(2e-6);  // steps of 2 us, looks of 20 us
    least = std::min(least, run(slow, {1000, 1, nullptr, ""}).seconds_per_step);
  }
  EXPECT_GT(least, 1.9e-6);
  EXPECT_LT(least, 4e-6);
}

TEST(Runner, StopsWhenTheStateIsNotFinite) {
  const auto s = simulation("rk4", 1000.0);
  Rows rows;
  const RunResult result = run(*s, {100000, 0, &rows, ""});
  EXPECT_EQ(result.ending, Ending::diverged);
  EXPECT_LT(result.steps, 100000);
  for (const auto& row : rows.rows)
    for (std::size_t i = 0; i < 8; ++i) EXPECT_TRUE(std::isfinite(row[i]));
}

/// A simulation whose invariant is no number in one of its steps.
class Lapsing final : public Simulation {
 public:
  Lapsing() {
    description_.step = 0.5;
    description_.invariants = {{"energy", 1, 1, "no number at step 5"}};
  }
  const Description& description() const override { return description_; }
  void look(Snapshot& snapshot) const override {
    snapshot.state.assign(1, 0.0);
    snapshot.invariants.assign(1,
                               DoubleDouble(steps_ == 5 ? std::nan("") : 1e-3 * static_cast<double>(steps_)));
  }
  void advance(std::int64_t count) override { steps_ += count; }
  std::int64_t steps() const override { return steps_; }
  double time() const override { return 0.5 * static_cast<double>(steps_); }
  EvaluationCounts evaluations() const override { return {}; }
  std::vector<std::byte> save() const override { return core::detail::bytes_of(steps_); }
  void restore(std::span<const std::byte> bytes) override { core::detail::get_all(bytes, steps_); }

 private:
  Description description_;
  std::int64_t steps_ = 0;
};

TEST(Runner, AnErrorThatIsNoNumberIsNotForgotten) {
  Lapsing lapsing;
  Rows rows;
  RunOptions options;
  options.steps = 10;
  options.every = 1;
  options.recorder = &rows;
  const RunResult result = run(lapsing, options);
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_TRUE(std::isnan(result.errors[0].max));
  EXPECT_EQ(result.errors[0].last[0], 1e-2);
}

/// A simulation whose step `bad` cannot be taken, and whose looks fail from step `blind` on.
class Refusing final : public Simulation {
 public:
  explicit Refusing(std::int64_t bad, std::int64_t blind = INT64_MAX) : bad_(bad), blind_(blind) {
    description_.step = 0.5;
    description_.state = {{"place", 1, 1, "steps so far"}};
  }
  const Description& description() const override { return description_; }
  void look(Snapshot& snapshot) const override {
    if (place_ >= blind_) throw MotionError("no look at step " + std::to_string(place_));
    snapshot.state.assign(1, static_cast<double>(place_));
  }
  void advance(std::int64_t count) override {
    if (place_ + count >= bad_) throw MotionError("no step " + std::to_string(bad_));
    place_ += count;
  }
  std::int64_t steps() const override { return place_; }
  double time() const override { return 0.5 * static_cast<double>(place_); }
  EvaluationCounts evaluations() const override { return {}; }
  std::vector<std::byte> save() const override { return core::detail::bytes_of(place_); }
  void restore(std::span<const std::byte> bytes) override { core::detail::get_all(bytes, place_); }

 private:
  Description description_;
  std::int64_t bad_, blind_, place_ = 0;
};

TEST(Runner, KeepsEverythingUpToAStepThatCannotBeTaken) {
  const struct {
    std::int64_t bad, blind, every;
  } cases[] = {{1, INT64_MAX, 0}, {2, INT64_MAX, 0},   {777, INT64_MAX, 0},   {778, INT64_MAX, 100},
               {5000, 1, 1},      {5000, 1234, 10000}, {5000, INT64_MAX, 50}, {5000, 4999, 3}};
  for (const auto& c : cases) {
    Refusing simulation(c.bad, c.blind);
    Rows rows;
    const RunResult result = run(simulation, {5000, c.every, &rows, ""});
    const std::int64_t last = std::min(c.bad, c.blind) - 1;
    EXPECT_EQ(result.ending, Ending::stopped);
    EXPECT_EQ(result.steps, last);
    EXPECT_EQ(result.time, 0.5 * static_cast<double>(last));
    EXPECT_EQ(result.last.state[0], static_cast<double>(last));
    EXPECT_EQ(rows.rows.back(), (std::vector<double>{result.time, static_cast<double>(last)}));
    EXPECT_EQ(result.failure, c.bad <= c.blind ? "no step " + std::to_string(c.bad)
                                               : "no look at step " + std::to_string(c.blind));
  }
}

TEST(Summary, IsTheJsonOfTheInterface) {
  const auto s = simulation();
  const RunResult result = run(*s, {50, 0, nullptr, ""});
  const auto json = testing::JsonReader::read(summary_json(s->description(), result, {"a \"warning\""}));
  EXPECT_EQ(json.keys(), (std::vector<std::string>{"cost", "errors", "final", "method", "step", "steps",
                                                   "system", "time", "warnings"}));
  EXPECT_EQ(json["system"].string(), "free-body");
  EXPECT_EQ(json["steps"].number(), 50.0);
  EXPECT_EQ(json["time"].number(), 0.5);
  EXPECT_EQ(json["final"].keys(), (std::vector<std::string>{"angular_velocity", "attitude", "momentum"}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(json["final"]["momentum"][i].number(), result.last.state[i]);
  EXPECT_EQ(json["errors"].keys(),
            (std::vector<std::string>{"constraint", "energy", "momentum_norm", "spatial_momentum"}));
  EXPECT_EQ(json["errors"]["energy"]["max"].number(), result.errors[0].max);
  EXPECT_EQ(json["errors"]["spatial_momentum"]["final"].list().size(), 3U);
  EXPECT_EQ(json["cost"].keys(),
            (std::vector<std::string>{"constraint_evaluations", "force_evaluations", "ns_per_step", "samples",
                                      "sampling_seconds", "seconds"}));
  EXPECT_EQ(json["warnings"][0].string(), "a \"warning\"");
}

TEST(Bench, MeasuresTheMethodsOfTheList) {
  BenchJob job;
  job.steps = 1000;
  job.timed_steps = 100;
  job.rounds = 1;
  const std::vector<BenchRow> rows = bench(job);
  ASSERT_GE(rows.size(), 2U);
  for (const BenchRow& row : rows) {
    EXPECT_GT(row.ns_per_step, 0.0) << row.name;
    EXPECT_LT(row.attitude_error, row.name == "mr"              ? 1e-2
                                  : row.name.ends_with("float") ? 1e-5
                                                                : 1e-6)
        << row.name;
    EXPECT_LT(row.energy_error, 1e-4) << row.name;
  }
  const auto json = testing::JsonReader::read(bench_json(rows));
  EXPECT_EQ(json.keys(), (std::vector<std::string>{"flags", "machine", "rows"}));
  EXPECT_EQ(json["rows"].list().size(), rows.size());
  EXPECT_EQ(json["rows"][0].keys(),
            (std::vector<std::string>{"attitude_error", "energy_error", "name", "note", "ns_per_step"}));
}

}  // namespace
}  // namespace polhode::program
