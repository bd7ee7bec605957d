// The experiments of the papers: small parts of them, and that their claims can fail.
#include "reproduce/experiment.hpp"

#include <gtest/gtest.h>

#include <set>

#include "polhode/free_motion/trajectory.hpp"
#include "reproduce/experiments/taylor_reference.hpp"
#include "reproduce/experiments/vilmart.hpp"
#include "reproduce/verdict.hpp"
#include "work/statistics.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;
using namespace program::experiments;

Experiment quick(const std::string& name) {
  for (const ExperimentEntry& entry : experiment_registry())
    if (entry.name == name) return entry.make(Scale::quick);
  throw std::invalid_argument(name);
}

TEST(Registry, HasTheExperimentsOfTheInterface) {
  std::set<std::string> names;
  for (const ExperimentEntry& entry : experiment_registry()) {
    names.insert(entry.name);
    for (const Scale scale : {Scale::full, Scale::quick}) {
      const Experiment e = entry.make(scale);
      EXPECT_EQ(e.name, entry.name);
      EXPECT_GT(e.units, 0U);
      EXPECT_GT(e.record_size, 0U);
      EXPECT_FALSE(e.parameters.empty());
      EXPECT_FALSE(e.setting.empty());
    }
  }
  for (const char* name :
       {"vilmart-fig1", "vilmart-fig2", "safstrom-fig1", "safstrom-fig2", "safstrom-fig3", "safstrom-fig4",
        "safstrom-fig5", "safstrom-fig6", "safstrom-fig7", "safstrom-fig8", "console-fig1", "console-fig2",
        "console-fig3", "console-triple", "zanna-fig5", "zanna-fig6", "zanna-fig7"})
    EXPECT_TRUE(names.contains(name)) << name;
}

Records records_of(const Experiment& e) {
  Records records(e.units, e.record_size);
  std::vector<double> record(e.record_size);
  for (std::size_t i = 0; i < e.units; ++i) {
    e.compute(i, record);
    records.set(i, record);
  }
  return records;
}

std::vector<bool> passes(const std::vector<Claim>& claims) {
  std::vector<bool> result;
  for (const Claim& c : claims) result.push_back(c.pass);
  return result;
}

TEST(Safstrom, EnergiesHoldAndWouldNotIfTheMethodsWereExchanged) {
  const Experiment e = quick("safstrom-fig4");
  const Records records = records_of(e);
  EXPECT_TRUE(all_pass(e.evaluate(records).claims));
  Records exchanged = records;
  exchanged.set(1, records[2]);
  exchanged.set(2, records[1]);
  // The energy errors of MR and SEJ, and the one that is relative to SEJ's (which is larger then).
  EXPECT_EQ(passes(e.evaluate(exchanged).claims), (std::vector<bool>{true, false, false, true, true, true}));
}

TEST(Vilmart, ADriftInTheReducedAlgorithmIsNoticed) {
  const Experiment e = quick("vilmart-fig1");
  const std::vector<std::int64_t> samples = sample_steps(100'000);
  const ErrorLayout layout{4, samples.size()};
  ASSERT_EQ(e.record_size, layout.record_size());
  // Made-up errors: random walks, with the drift of the standard algorithm and perhaps one of the reduced algorithm.
  const auto claims = [&](double drift) {
    Records records(e.units, e.record_size);
    std::vector<double> record(e.record_size);
    for (std::size_t unit = 0; unit < e.units; ++unit) {
      Random random(unit);
      for (std::size_t t = 0; t < trajectories_of_unit; ++t)
        for (std::size_t method = 0; method < 4; ++method) {
          double walk = 0, before = 0;
          for (std::size_t s = 0; s < samples.size(); ++s) {
            const double now = static_cast<double>(samples[s]);
            walk += std::sqrt(3 * (now - before)) * random.uniform(-1, 1);
            before = now;
            const double sigma = method == 3 ? 1e-4 : 0.11;
            const double bias = method == 0 ? 0.05 : method == 1 ? drift : 0;
            record[layout.at(t, method, s)] = machine_eps * (sigma * walk + bias * now);
          }
        }
      records.set(unit, record);
    }
    return passes(e.evaluate(records).claims);
  };
  EXPECT_EQ(claims(0), std::vector<bool>(8, true));
  // A drift of a hundredth of the standard algorithm's.
  EXPECT_EQ(claims(5e-4), (std::vector<bool>{true, true, true, false, true, true, true, true}));
}

TEST(TaylorReference, AgreesWithTheClosedFormInDoubleDouble) {
  const Vector<double> moments{{0.345, 0.653, 1.0}}, momentum{{0.5, 0.2, 0.8}};
  const TopState s = taylor_reference(moments, momentum, {}, DoubleDouble(10));
  const Trajectory<DoubleDouble> closed(Body<DoubleDouble>(convert<DoubleDouble>(moments)),
                                        {convert<DoubleDouble>(momentum), Quaternion<DoubleDouble>()});
  const State<DoubleDouble> truth = closed.at(DoubleDouble(10));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(std::abs(static_cast<double>(s.momentum[i] - truth.momentum[i])), 1e-17);
  const double sign = static_cast<double>(s.attitude[0] * truth.attitude[0]) < 0 ? -1 : 1;
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LT(std::abs(static_cast<double>(s.attitude[i] - DoubleDouble(sign) * truth.attitude[i])), 1e-17);
}

TEST(Statistics, GrowthExponent) {
  const std::vector<double> x{1, 2, 4, 8}, y{3, 12, 48, 192};
  EXPECT_NEAR(growth_exponent(x, y), 2, 1e-14);
}

}  // namespace
}  // namespace polhode::testing
