// The experiments of the papers as a list, and the truth that they are measured against.
#include "reproduce/experiment.hpp"

#include <gtest/gtest.h>

#include <set>

#include "polhode/free_motion/trajectory.hpp"
#include "reproduce/experiments/taylor_reference.hpp"
#include "work/statistics.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;
using namespace program::experiments;

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
       {"vilmart-fig1",   "vilmart-fig2",  "vilmart-bodies", "brouwer-map",   "safstrom-fig1",
        "safstrom-fig2",  "safstrom-fig3", "safstrom-fig4",  "safstrom-fig5", "safstrom-fig6",
        "safstrom-fig7",  "safstrom-fig8", "console-fig1",   "console-fig2",  "console-fig3",
        "console-triple", "zanna-fig5",    "zanna-fig6",     "zanna-fig7",    "zanna-matrix",
        "toutatis-1992",  "envisat",       "apophis-2029",   "hyperion",      "periods-67p-1i"})
    EXPECT_TRUE(names.contains(name)) << name;
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
