// Ensembles that run: the same bytes on any number of threads and after any interruption, statistics, members that fail.
#include "ensemble/run.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <numeric>

#include "ensemble/file.hpp"
#include "input/toml.hpp"
#include "run/runner.hpp"
#include "scenario/error.hpp"
#include "systems/registry.hpp"
#include "tests/output/temporary_folder.hpp"
#include "work/executor.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;
using std::filesystem::exists;

const std::string random_momenta = R"([system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "dmv10"
step = 0.01
steps = 1000
[ensemble]
members = 23
samples = 7
[ensemble.vary]
"state.momentum" = { random_direction = { norm = 1 } }
"state.attitude" = { random_rotation = true }
)";

struct Ensembles {
  TemporaryFolder folder;
  std::string scenario;
  std::vector<std::string> notes;

  explicit Ensembles(const std::string& text) : scenario(folder.write("a.toml", text)) {}

  EnsembleOutcome run(const std::string& output, unsigned threads = 1,
                      std::vector<std::string> overrides = {}, bool again = false) {
    EnsembleOptions options;
    options.scenario = scenario;
    options.overrides = std::move(overrides);
    options.output = folder / output;
    options.threads = threads;
    options.again = again;
    return *run_ensemble(options, [&](const std::string& sentence) { notes.push_back(sentence); });
  }
};

struct Array {
  std::vector<hsize_t> extents;
  std::vector<double> numbers;
};

Array read(const std::string& file_name, const std::string& path) {
  const hid_t file = H5Fopen(file_name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, path.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
  Array result;
  EXPECT_GE(dataset, 0) << path;
  result.extents.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, result.extents.data(), nullptr);
  result.numbers.resize(
      std::accumulate(result.extents.begin(), result.extents.end(), hsize_t{1}, std::multiplies<>()));
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.numbers.data()), 0)
      << path;
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return result;
}

using Extents = std::vector<hsize_t>;

TEST(EnsembleRun, HasTheSameBytesForAnyNumberOfThreads) {
  Ensembles e(random_momenta);
  const EnsembleOutcome one = e.run("1.h5", 1);
  const std::string bytes = contents(e.folder / "1.h5");
  EXPECT_FALSE(bytes.empty());
  EXPECT_FALSE(exists(e.folder / "1.h5.records"));
  EXPECT_FALSE(exists(e.folder / "1.h5.partial"));
  for (const unsigned threads : {2U, 4U, 64U}) {
    const std::string name = std::to_string(threads) + ".h5";
    EXPECT_EQ(e.run(name, threads).text, one.text);
    EXPECT_TRUE(contents(e.folder / name) == bytes) << threads;
  }
}

/// A member is what `polhode run` would make of its scenario.
TEST(EnsembleRun, AMemberIsARunOfItsScenario) {
  Ensembles e(random_momenta);
  e.run("a.h5");
  const Array momentum = read(e.folder / "a.h5", "/trajectories/momentum"),
              time = read(e.folder / "a.h5", "/time"),
              error = read(e.folder / "a.h5", "/trajectories/energy_error"),
              last = read(e.folder / "a.h5", "/final/attitude"),
              largest = read(e.folder / "a.h5", "/errors/energy");
  EXPECT_EQ(momentum.extents, (Extents{23, 8, 3}));
  EXPECT_EQ(error.extents, (Extents{23, 8}));
  EXPECT_EQ(time.extents, Extents{8});
  EXPECT_EQ(last.extents, (Extents{23, 4}));
  const EnsemblePlan plan(read_document(e.scenario, {}));
  Scenario scenario(plan.member(11));
  const auto simulation = build(scenario);
  RunOptions options;
  options.steps = 1000;
  options.samples = 7;
  const RunResult result = run(*build(scenario), options);
  EXPECT_EQ(largest.numbers[11], result.errors[0].max);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(last.numbers[11 * 4 + i], result.last.state[3 + i]);
  for (std::size_t k = 0; k <= 7; ++k) {
    const auto step = static_cast<std::int64_t>(k * 1000 / 7);
    simulation->advance(step - simulation->steps());
    EXPECT_EQ(time.numbers[k], simulation->time());
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(momentum.numbers[(11 * 8 + k) * 3 + i], simulation->look().state[i]) << k;
  }
}

/// Bodies under torque are stepped together, and yet each is what a run of its scenario is; one that fails does not sink the others.
TEST(EnsembleRun, MembersThatGoTogetherAreRunsOfTheirScenarios) {
  const std::string satellites = R"([system]
kind = "satellite"
inertia = [1.0, 2.0, 2.5]
orbit = { mean_motion = 1.0, eccentricity = 0.1 }
[state]
angular_velocity = [0.02, 0.01, 1.1]
[method]
name = "splitting"
step = 0.05
steps = 100
[ensemble]
members = 41
samples = 7
[ensemble.vary]
"state.attitude" = { random_rotation = true }
"system.inertia[2]" = { uniform = { from = 2.2, to = 2.9 } }
)";
  Ensembles e(satellites);
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{}, {"method.scheme=strang"}, {"method.free=dmv10"}}) {
    e.run("a.h5", 1, overrides, true);
    const std::string bytes = contents(e.folder / "a.h5");
    e.run("a.h5", 3, overrides, true);
    EXPECT_TRUE(contents(e.folder / "a.h5") == bytes);
    const Array attitude = read(e.folder / "a.h5", "/trajectories/attitude"),
                pitch = read(e.folder / "a.h5", "/trajectories/pitch"),
                steps = read(e.folder / "a.h5", "/final/steps");
    const EnsemblePlan plan(read_document(e.scenario, overrides));
    for (const std::size_t member : {0, 17, 40}) {
      Scenario scenario(plan.member(member));
      const auto simulation = build(scenario);
      EXPECT_EQ(steps.numbers[member], 100);
      for (std::size_t k = 0; k <= 7; ++k) {
        simulation->advance(static_cast<std::int64_t>(k * 100 / 7) - simulation->steps());
        const Snapshot seen = simulation->look();
        for (std::size_t i = 0; i < 4; ++i)
          ASSERT_EQ(attitude.numbers[(member * 8 + k) * 4 + i], seen.state[3 + i]) << member << " " << k;
        ASSERT_EQ(pitch.numbers[member * 8 + k], seen.derived[9]);
      }
    }
  }
}

TEST(EnsembleRun, SchemesMayBeGivenByTheirCoefficients) {
  std::string text = random_momenta;
  text.replace(text.find("free-body\""), 10, "heavy-top\"\nfield = [0, 0, 0.1]");
  text.replace(text.find("dmv10\""), 6, "splitting\"");
  Ensembles e(text);
  e.run("named.h5", 1, {"method.scheme=mclachlan-4"});
  e.run("own.h5", 2,
        {"method.scheme={a=['0.089269454226475244886694611260559114267', "
         "'-0.097336042636895508015359943398308422351'],"
         "b=[0.4, -0.1]}"});
  EXPECT_EQ(read(e.folder / "own.h5", "/trajectories/momentum").numbers,
            read(e.folder / "named.h5", "/trajectories/momentum").numbers);
}

TEST(EnsembleRun, StatisticsAreThoseOfTheTrajectories) {
  Ensembles e(random_momenta);
  e.run("a.h5");
  const auto all = [&](const std::string& path) { return read(e.folder / "a.h5", path).numbers; };
  for (const std::string name : {"momentum", "energy_error"}) {
    const auto rows = all("/trajectories/" + name), mean = all("/statistics/mean/" + name),
               deviation = all("/statistics/deviation/" + name), rms = all("/statistics/rms/" + name),
               min = all("/statistics/min/" + name), max = all("/statistics/max/" + name),
               count = all("/statistics/count/" + name);
    for (std::size_t cell = 0; cell < mean.size(); ++cell) {
      long double sum = 0, square = 0, away = 0;
      double low = INFINITY, high = -INFINITY;
      for (std::size_t i = 0; i < 23; ++i) {
        const double x = rows[i * mean.size() + cell];
        sum += x;
        square += static_cast<long double>(x) * x;
        low = std::min(low, x);
        high = std::max(high, x);
      }
      for (std::size_t i = 0; i < 23; ++i) away += std::pow(rows[i * mean.size() + cell] - sum / 23, 2.0L);
      EXPECT_EQ(count[cell], 23);
      EXPECT_EQ(min[cell], low);
      EXPECT_EQ(max[cell], high);
      const auto scale = static_cast<double>(std::sqrt(square / 23));
      EXPECT_NEAR(mean[cell], static_cast<double>(sum / 23), 3e-16 * scale);
      EXPECT_NEAR(rms[cell], scale, 3e-16 * scale);
      EXPECT_NEAR(deviation[cell], static_cast<double>(std::sqrt(away / 22)), 3e-16 * scale);
    }
  }
}

/// From records of any length, as kill -9 leaves them: the same bytes as if nothing had happened.
TEST(EnsembleRun, ContinuesFromAnyLengthOfTheRecords) {
  Ensembles e(random_momenta);
  e.run("whole.h5");
  const std::string bytes = contents(e.folder / "whole.h5");
  // The records themselves are gone; they are made again, and cut.
  const EnsemblePlan plan(read_document(e.scenario, {}));
  const EnsembleLayout layout = layout_of(plan, 0);
  const auto says = read_ensemble_file(e.folder / "whole.h5");
  ASSERT_TRUE(says);
  {
    RecordFile file(e.folder / "records", says->identity, plan.members(), layout.record_size(), false);
    Work work;
    work.units = plan.members();
    work.record_size = layout.record_size();
    work.compute = [&](std::size_t i, std::span<double> record) { run_member(plan, layout, i, record); };
    Ranks ranks;
    compute_missing(work, file, 2, "", ranks);
  }
  const std::string records = contents(e.folder / "records");
  for (std::size_t i = 0; i <= 10; ++i) {
    const std::string name = "cut" + std::to_string(i) + ".h5";
    e.folder.write(name + ".records", records.substr(0, records.size() * i / 10));
    e.folder.write(name + ".partial", "rubbish of a run that was killed");
    e.run(name, 2);
    EXPECT_TRUE(contents(e.folder / name) == bytes) << i;
    EXPECT_FALSE(exists(e.folder / (name + ".records")));
  }
}

TEST(EnsembleRun, WhatIsFinishedIsNotComputedAgainAndNothingIsOverwritten) {
  Ensembles e(random_momenta);
  const EnsembleOutcome first = e.run("a.h5");
  EXPECT_TRUE(first.fresh);
  const auto written = std::filesystem::last_write_time(e.folder / "a.h5");
  const EnsembleOutcome second = e.run("a.h5", 2);
  EXPECT_FALSE(second.fresh);
  EXPECT_EQ(second.text, first.text);
  EXPECT_EQ(second.json, first.json);
  EXPECT_EQ(std::filesystem::last_write_time(e.folder / "a.h5"), written);
  const std::string bytes = contents(e.folder / "a.h5");
  for (const char* other : {"ensemble.seed=2", "method.step=0.02", "ensemble.samples=8"})
    EXPECT_THROW(e.run("a.h5", 1, {other}), ScenarioError) << other;
  EXPECT_TRUE(contents(e.folder / "a.h5") == bytes);
  EXPECT_TRUE(e.run("a.h5", 1, {"ensemble.seed=2"}, true).fresh);
  EXPECT_FALSE(contents(e.folder / "a.h5") == bytes);
  e.folder.write("diary.h5", "dear diary");
  EXPECT_THROW(e.run("diary.h5"), ScenarioError);
  EXPECT_EQ(contents(e.folder / "diary.h5"), "dear diary");
  e.folder.write("b.h5.records", "polhode records 1\nversion 0\nensemble 7\n\n");
  EXPECT_THROW(e.run("b.h5"), ScenarioError);
  EXPECT_EQ(contents(e.folder / "b.h5.records"), "polhode records 1\nversion 0\nensemble 7\n\n");
  EXPECT_FALSE(exists(e.folder / "b.h5"));
}

/// Two bodies on a sphere that fall upon each other in some members: those stop, the others go on.
/// A finished file is believed only as long as its bytes are those that were written.
TEST(EnsembleRun, ADamagedFileIsNoticed) {
  Ensembles e(random_momenta);
  e.run("a.h5");
  const std::string bytes = contents(e.folder / "a.h5");
  for (std::size_t i = 0; i < 60; ++i) {
    std::string damaged = bytes;
    damaged[i < 40 ? bytes.size() * i / 40 : bytes.size() - 1 - (i - 40)] ^= 1;
    e.folder.write("a.h5", damaged);
    EXPECT_THROW(e.run("a.h5"), ScenarioError) << i;
    EXPECT_TRUE(contents(e.folder / "a.h5") == damaged);
  }
  e.folder.write("a.h5", bytes.substr(0, bytes.size() - 1));
  EXPECT_THROW(e.run("a.h5"), ScenarioError);
  e.folder.write("a.h5", bytes);
  e.folder.write("a.h5.records", "");  // of a run that ended before it removed them
  EXPECT_FALSE(e.run("a.h5").fresh);
  EXPECT_FALSE(exists(e.folder / "a.h5.records"));
  // Others read it as any HDF5 file.
  EXPECT_EQ(read(e.folder / "a.h5", "/errors/energy").numbers.size(), 23U);
}

TEST(EnsembleRun, AMemberThatFailsDoesNotSinkTheOthers) {
  Ensembles e(R"([system]
kind = "two-body-sphere"
[state]
phi = [0.0, 0.5]
theta = [1.5, 1.5]
phi_rate = [0.0, 0.0]
theta_rate = [0.0, 0.0]
[method]
name = "multistep"
step = 0.02
steps = 1000
multipliers = "newton"
[ensemble]
samples = 10
[ensemble.vary]
"state.theta_rate" = { values = [[1.0, -1.0], [0.0, 0.0], [1.1, -1.1]] }
)");
  const EnsembleOutcome outcome = e.run("a.h5", 2);
  EXPECT_TRUE(outcome.any_completed);
  EXPECT_NE(outcome.text.find("1 of 3 members did not come to the end"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("member 1 (state.theta_rate = [0.0, 0.0]) stopped after step "),
            std::string::npos)
      << outcome.text;
  const auto ending = read(e.folder / "a.h5", "/final/ending").numbers,
             steps = read(e.folder / "a.h5", "/final/steps").numbers,
             energy = read(e.folder / "a.h5", "/trajectories/energy_error").numbers,
             count = read(e.folder / "a.h5", "/statistics/count/energy_error").numbers;
  EXPECT_EQ(ending, (std::vector<double>{0, 3, 0}));
  EXPECT_EQ(steps[0], 1000);
  EXPECT_LT(steps[1], 1000);
  for (std::size_t k = 0; k <= 10; ++k) {
    const bool reached = 100.0 * static_cast<double>(k) <= steps[1];
    EXPECT_EQ(std::isnan(energy[11 + k]), !reached) << k;
    EXPECT_EQ(count[k], reached ? 3 : 2) << k;
  }
}

TEST(EnsembleRun, MembersOfDifferentStepsHaveTheirOwnClocksOrOne) {
  const std::string head = R"([system]
kind = "heavy-top"
inertia = [1.0, 5.0, 6.0]
field = [0.0, 0.0, 1.0]
[state]
angular_velocity = [1.0, 1.0, 1.0]
[method]
name = "sej"
)";
  Ensembles one(head +
                "duration = 2.0\n[ensemble]\nsamples = 10\n[ensemble.vary]\n\"method.steps\" = "
                "{values = [20, 40, 80]}\n");
  one.run("a.h5");
  EXPECT_EQ(read(one.folder / "a.h5", "/time").extents, Extents{11});
  const auto error = read(one.folder / "a.h5", "/errors/energy").numbers;
  EXPECT_NEAR(error[0] / error[1], 4, 0.5);  // of order 2
  EXPECT_NEAR(error[1] / error[2], 4, 0.5);
  Ensembles own(head +
                "steps = 30\n[ensemble]\nmembers = 3\nsamples = 10\n[ensemble.vary]\n\"method.step\" = "
                "{range = {from = 0.01, to = 0.1, scale = \"log\"}}\n");
  own.run("a.h5");
  EXPECT_EQ(read(own.folder / "a.h5", "/time").extents, (Extents{3, 11}));
}

TEST(EnsembleRun, RefusesAMemberByItsNumber) {
  const auto refusal = [](const std::string& vary) {
    Ensembles e(random_momenta + vary);
    try {
      e.run("a.h5");
    } catch (const ScenarioError& error) {
      EXPECT_FALSE(exists(e.folder / "a.h5"));
      EXPECT_FALSE(exists(e.folder / "a.h5.records"));
      EXPECT_FALSE(exists(e.folder / "a.h5.partial"));
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string negative = refusal("\"system.inertia[2]\" = {range = {from = 1.0, to = -1.0}}\n");
  EXPECT_NE(negative.find("a.toml: system.inertia: "), std::string::npos) << negative;
  EXPECT_NE(negative.find("(member 1"), std::string::npos) << negative;
  const std::string unknown = refusal("\"state.momentm\" = {uniform = {from = 0, to = 1}}\n");
  EXPECT_NE(unknown.find("state.momentm: there is no such key; did you mean \"momentum\"?"),
            std::string::npos)
      << unknown;
  const std::string table = refusal("\"sytem.inertia\" = {uniform = {from = 0, to = 1}}\n");
  EXPECT_NE(table.find("sytem: there is no such table"), std::string::npos) << table;
  const std::string real = refusal("\"method.steps\" = {uniform = {from = 10, to = 20}}\n");
  EXPECT_NE(real.find("method.steps: must be an integer"), std::string::npos) << real;
}

TEST(Growth, IsTheExponentOfAPower) {
  std::vector<double> t, root, line, flat, nothing;
  for (int i = 0; i <= 100; ++i) {
    t.push_back(0.5 * i);
    root.push_back(3 * std::sqrt(t.back()));
    line.push_back(t.back());
    flat.push_back(7);
    nothing.push_back(0);
  }
  EXPECT_NEAR(growth_of(t, root), 0.5, 1e-13);
  EXPECT_NEAR(growth_of(t, line), 1.0, 1e-13);
  EXPECT_NEAR(growth_of(t, flat), 0.0, 1e-13);
  EXPECT_TRUE(std::isnan(growth_of(t, nothing)));
}

}  // namespace
}  // namespace polhode::testing
