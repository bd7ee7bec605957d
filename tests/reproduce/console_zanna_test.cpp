// The experiments of Console & Hairer and of Celledoni & Zanna: their claims fail when methods are exchanged or records spoiled.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <stdexcept>

#include "reproduce/experiment.hpp"
#include "reproduce/experiments/console.hpp"

namespace polhode::program {
namespace {

using experiments::logarithmic_samples;

Experiment quick_experiment(const std::string& name) {
  for (const ExperimentEntry& entry : experiment_registry())
    if (entry.name == name) return entry.make(Scale::quick);
  throw std::invalid_argument(name);
}

/// The numbers of the claims that do not pass.
std::vector<std::size_t> missed(const std::vector<Claim>& claims) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (!claims[i].pass) result.push_back(i);
  return result;
}
using Missed = std::vector<std::size_t>;

/// Made-up errors of one variant: at the end, the power of the time with which they grew, and the evaluations of g a step.
struct MadeUp {
  double size;
  double power = 0.5;
  double evaluations = 1;
};

/// The claims about variants that behave like that; `further` is the record of the last unit, where there is one.
std::vector<Claim> console_claims(const Experiment& e, std::int64_t steps,
                                  const std::vector<MadeUp>& variants,
                                  const std::vector<double>& further = {}) {
  const std::vector<std::int64_t> samples = logarithmic_samples(100, steps);
  Records records(e.units, e.record_size);
  std::vector<double> record(e.record_size);
  const std::size_t runs = further.empty() ? e.units : e.units - 1, trajectories = runs / variants.size();
  EXPECT_EQ(trajectories * variants.size(), runs);
  EXPECT_GE(e.record_size, samples.size() + 1);
  for (std::size_t unit = 0; unit < runs; ++unit) {
    const MadeUp& v = variants[unit / trajectories];
    for (std::size_t s = 0; s < samples.size(); ++s)
      record[s] = v.size * std::pow(static_cast<double>(samples[s]) / static_cast<double>(steps), v.power);
    record[samples.size()] = v.evaluations * static_cast<double>(steps);
    records.set(unit, record);
  }
  if (!further.empty()) {
    std::copy(further.begin(), further.end(), record.begin());
    records.set(runs, record);
  }
  return e.evaluate(records).claims;
}

TEST(ConsoleFigure1, NoticesExchangedSumsAndDrifts) {
  const Experiment e = quick_experiment("console-fig1");
  // Plain, compensated, form (4), error-free, double-double.
  const std::vector<MadeUp> good{{6e-14}, {1e-14}, {2e-11}, {1e-15}, {4e-16}};
  const auto of = [&](std::vector<MadeUp> variants) { return console_claims(e, 1'000'000, variants); };
  EXPECT_EQ(missed(of(good)), Missed{});
  EXPECT_EQ(of(good)[0].as_printed, AsPrinted::within_a_factor);
  EXPECT_EQ(of(good)[3].as_printed, AsPrinted::does_not_hold);
  auto bad = good;
  std::swap(bad[0], bad[1]);
  EXPECT_EQ(missed(of(bad)), Missed{0});
  bad = good;
  bad[0].power = bad[1].power = bad[2].power = 1;
  EXPECT_EQ(missed(of(bad)), (Missed{1, 2, 3}));
  EXPECT_EQ(of(bad)[1].as_printed, AsPrinted::does_not_hold);
  EXPECT_EQ(of(bad)[3].as_printed, AsPrinted::holds);
  bad = good;
  bad[2].size = bad[3].size = bad[4].size = 1e-13;
  EXPECT_EQ(missed(of(bad)), (Missed{4, 5, 6}));
}

TEST(ConsoleFigure2, NoticesExchangedConstraintsAndSlowIterations) {
  const Experiment e = quick_experiment("console-fig2");
  const std::vector<MadeUp> good{{1e-13, 0.5, 3.14}, {2e-15, 0.5, 4.86}, {1e-17, 0.5, 1.06}};
  const auto of = [&](std::vector<MadeUp> variants, double time = 1.5) {
    return console_claims(e, 200'000, variants, {1, time, 3});
  };
  EXPECT_EQ(missed(of(good)), Missed{});
  EXPECT_EQ(of(good)[2].as_printed, AsPrinted::within_a_factor);
  EXPECT_EQ(of(good)[3].as_printed, AsPrinted::holds);
  auto bad = good;
  std::swap(bad[0], bad[1]);
  EXPECT_EQ(missed(of(bad)), (Missed{0, 2, 3}));
  bad = good;
  bad[1].power = 1;
  EXPECT_EQ(missed(of(bad, 3)), (Missed{1, 4}));
  bad = good;
  bad[2] = bad[1];
  EXPECT_EQ(missed(of(bad)), (Missed{5, 6}));
}

TEST(ConsoleFigure3, NoticesThatTheStoppingRuleIsExchanged) {
  const Experiment e = quick_experiment("console-fig3");
  // Standard, accurate with the tolerance, double-double, accurate until convergence.
  const std::vector<MadeUp> good{{1e-12}, {1e-12, 1}, {5e-16}, {3e-15}};
  const auto of = [&](std::vector<MadeUp> variants) { return console_claims(e, 1'000'000, variants); };
  EXPECT_EQ(missed(of(good)), Missed{});
  auto bad = good;
  std::swap(bad[1], bad[3]);
  EXPECT_EQ(missed(of(bad)), (Missed{0, 1}));
  bad = good;
  bad[2].size = 1e-14;
  EXPECT_EQ(missed(of(bad)), Missed{2});
}

TEST(ConsoleText, NoticesThatAnImprovementIsWorthNothing) {
  const Experiment e = quick_experiment("console-text");
  const std::vector<MadeUp> good{{1e-15}, {5e-14}, {2e-13}, {5e-14}, {2.5e-13}, {2e-13}, {1e-10}};
  const auto of = [&](std::vector<MadeUp> variants, std::vector<double> failed = {1, 0}) {
    return console_claims(e, 200'000, variants, failed);
  };
  EXPECT_EQ(missed(of(good)), Missed{});
  EXPECT_EQ(of(good)[3].as_printed, AsPrinted::within_a_factor);
  for (std::size_t omitted = 1; omitted <= 2; ++omitted) {
    auto bad = good;
    bad[omitted] = bad[0];
    EXPECT_EQ(missed(of(bad)), Missed{omitted - 1});
    EXPECT_EQ(of(bad)[omitted - 1].as_printed, AsPrinted::within_a_factor);
  }
  auto bad = good;
  bad[3] = bad[0];  // the claim on the stopping rule compares with it, too
  EXPECT_EQ(missed(of(bad)), (Missed{2, 3}));
  bad = good;
  bad[5].size = 1e-11;
  EXPECT_EQ(missed(of(bad)), (Missed{4, 6}));
  bad = good;
  bad[6].power = 1;
  EXPECT_EQ(missed(of(bad)), Missed{5});
  EXPECT_EQ(of(bad)[5].as_printed, AsPrinted::holds);
  EXPECT_EQ(missed(of(good, {0, 1})), (Missed{7, 8}));
  EXPECT_EQ(of(good, {0, 1})[7].as_printed, AsPrinted::does_not_hold);
}

/// The last unit alone is computed: its iterations end, or do not.
TEST(ConsoleText, AToleranceOf1e16EndsForTheAccurateConstraintOnly) {
  const Experiment e = quick_experiment("console-text");
  std::vector<double> record(e.record_size);
  e.compute(e.units - 1, record);
  EXPECT_EQ(record[0], 1);
  EXPECT_EQ(record[1], 0);
}

TEST(ConsoleTriple, NoticesExchangedConstraintsAndDrifts) {
  const Experiment e = quick_experiment("console-triple");
  const std::vector<MadeUp> good{{1e-12}, {5e-15}, {1e-20}};
  const auto of = [&](std::vector<MadeUp> variants, double time = 1.8) {
    return console_claims(e, 200'000, variants, {1, time, 3});
  };
  EXPECT_EQ(missed(of(good)), Missed{});
  auto bad = good;
  std::swap(bad[0], bad[1]);
  EXPECT_EQ(missed(of(bad)), Missed{0});
  bad = good;
  bad[1].power = 1;
  EXPECT_EQ(missed(of(bad, 4)), (Missed{1, 2}));
  bad = good;
  bad[2] = bad[1];
  EXPECT_EQ(missed(of(bad)), Missed{3});
}

Records computed_records(const Experiment& e) {
  Records records(e.units, e.record_size);
  std::vector<double> record(e.record_size);
  for (std::size_t i = 0; i < e.units; ++i) {
    e.compute(i, record);
    records.set(i, record);
  }
  return records;
}

/// The records with each number changed by f(unit, index, number).
template <class F>
Records changed(const Records& records, const F& f) {
  Records result(records.units(), records.size());
  std::vector<double> record(records.size());
  for (std::size_t u = 0; u < records.units(); ++u) {
    for (std::size_t i = 0; i < record.size(); ++i) record[i] = f(u, i, records[u][i]);
    result.set(u, record);
  }
  return result;
}

TEST(ZannaFigure5, NoticesExchangedMethods) {
  const Experiment e = quick_experiment("zanna-fig5");
  constexpr std::size_t methods = 5;
  const std::array<double, methods> logarithm{-15.55, -15.6, -15.96, -11.4, -9.3};
  const auto of = [&](const std::array<std::size_t, methods>& order) {
    Records records(e.units, e.record_size);
    std::vector<double> record(e.record_size);
    for (std::size_t i = 0; i < record.size(); ++i) record[i] = logarithm[order[i % methods]];
    for (std::size_t u = 0; u < e.units; ++u) records.set(u, record);
    return e.evaluate(records).claims;
  };
  EXPECT_EQ(missed(of({0, 1, 2, 3, 4})), Missed{});
  EXPECT_EQ(missed(of({0, 1, 0, 3, 4})), (Missed{6, 7}));
  EXPECT_EQ(missed(of({0, 1, 2, 4, 3})), (Missed{8, 9}));
  const std::vector<Claim> claims = of({3, 1, 2, 3, 4});
  EXPECT_EQ(missed(claims), (Missed{0, 1, 2}));
  EXPECT_EQ(claims[0].as_printed, AsPrinted::does_not_hold);
  EXPECT_EQ(claims[1].as_printed, AsPrinted::does_not_hold);
}

/// A row of the triangle, computed, in the place of all: with the methods as they are, and with their records exchanged. The errors of
/// the semi-exact methods change over the triangle: those are made up.
TEST(ZannaFigure5, HoldsForOneRow) {
  const Experiment e = quick_experiment("zanna-fig5");
  constexpr std::size_t methods = 5;
  enum : std::size_t { matrix, quaternion, exact };
  std::vector<double> row(e.record_size);
  e.compute(e.units / 2, row);
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < row.size(); i += methods)
    if (!std::isnan(row[i])) inside.push_back(i);
  ASSERT_GT(inside.size(), 20U);
  const auto claims = [&](std::size_t in_place_of_exact) {
    Records records(e.units, e.record_size);
    std::vector<double> record(e.record_size);
    for (std::size_t i = 0; i < record.size(); ++i) {
      const std::size_t method = i % methods == exact ? in_place_of_exact : i % methods;
      record[i] = method > exact ? std::array{-11.4, -9.3}[method - exact - 1]
                                 : row[inside[i / methods % inside.size()] + method];
    }
    for (std::size_t u = 0; u < e.units; ++u) records.set(u, record);
    return e.evaluate(records).claims;
  };
  EXPECT_EQ(missed(claims(exact)), Missed{});
  EXPECT_EQ(missed(claims(quaternion)), (Missed{6, 7}));
}

/// The errors are computed; the times, which depend on the machine, are made up.
TEST(ZannaFigure6, NoticesSlowMethodsAndExchangedRules) {
  const Experiment e = quick_experiment("zanna-fig6");
  const std::size_t count = e.record_size / 4;
  enum : std::size_t { ours, matrix, quaternion, dmv6, dmv10 = 5, gauss2 = 9, gauss3 = 11, hermite3 = 28 };
  enum : std::size_t { attitude = 1, spatial = 2, back = 3 };
  const auto time = [](std::size_t c) { return c == ours ? 2.0 : c < dmv6 ? 9.0 : c <= dmv10 ? 1.0 : 5.0; };
  const Records good = changed(computed_records(e),
                               [&](std::size_t, std::size_t i, double x) { return i < count ? time(i) : x; });
  const auto of = [&](const auto& change) { return e.evaluate(changed(good, change)).claims; };
  EXPECT_EQ(missed(e.evaluate(good).claims), Missed{});
  const auto with_time = [&](std::size_t first, std::size_t last, double seconds) {
    return missed(
        of([&](std::size_t, std::size_t i, double x) { return i >= first && i <= last ? seconds : x; }));
  };
  EXPECT_EQ(with_time(matrix, quaternion, 1), (Missed{1, 2, 8}));
  EXPECT_EQ(with_time(matrix, quaternion, 30), (Missed{0, 2}));
  EXPECT_EQ(with_time(ours, ours, 12), (Missed{8, 9}));
  EXPECT_EQ(with_time(hermite3, hermite3, 9), Missed{7});
  const auto with_errors_of = [&](std::size_t to, std::size_t from) {
    return missed(of([&](std::size_t u, std::size_t i, double x) {
      return i == attitude * count + to ? good[u][attitude * count + from] : x;
    }));
  };
  EXPECT_EQ(with_errors_of(gauss3, gauss2), Missed{3});
  EXPECT_EQ(with_errors_of(hermite3, quaternion), Missed{6});
  EXPECT_EQ(missed(of([&](std::size_t, std::size_t i, double x) {
              return i == spatial * count + gauss3 || i == back * count + hermite3 ? 1e-11 : x;
            })),
            (Missed{4, 5}));
}

TEST(ZannaFigure7, NoticesADriftAndTimesThatAreNotMultiplesOfTheStep) {
  const Experiment e = quick_experiment("zanna-fig7");
  enum : std::size_t { matrix, quaternion, exact, random_times };
  const Records good = computed_records(e);
  const auto of = [&](const auto& change) { return e.evaluate(changed(good, change)).claims; };
  const std::vector<Claim> claims = e.evaluate(good).claims;
  EXPECT_EQ(missed(claims), Missed{});
  for (const std::size_t i : {0U, 1U, 4U, 5U, 8U}) EXPECT_EQ(claims[i].as_printed, AsPrinted::holds) << i;
  // Points between the steps have no strands.
  const std::vector<Claim> between_steps =
      of([&](std::size_t u, std::size_t i, double x) { return u == matrix ? good[random_times][i] : x; });
  EXPECT_EQ(missed(between_steps), Missed{8});
  EXPECT_EQ(between_steps[8].as_printed, AsPrinted::does_not_hold);
  // A momentum by frb-quaternion that leaves the torus by 0.001 at the end, with its energy.
  const std::vector<Claim> drifting = of([&](std::size_t u, std::size_t i, double x) {
    const double part = static_cast<double>(i) / static_cast<double>(e.record_size);
    return u != quaternion ? x : i % 4 == 3 ? x + 1e-12 * part : x * (1 + 1e-3 * part);
  });
  EXPECT_EQ(missed(drifting), (Missed{4, 5, 6, 11}));
  EXPECT_EQ(drifting[5].as_printed, AsPrinted::does_not_hold);
  // The records of exact spoilt alone: the claims on the paper's methods do not rest on it.
  EXPECT_EQ(missed(of([&](std::size_t u, std::size_t, double x) { return u == exact ? x + 1e-8 : x; })),
            (Missed{10, 11}));
}

}  // namespace
}  // namespace polhode::program
