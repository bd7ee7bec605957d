// The heavy tops of the papers: what they report is what happens here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polhode/arithmetic/double_double.hpp"
#include "tests/reference/taylor.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

using Wide3 = Vector<DoubleDouble>;

/// [CZ08 section 4.3] at t = 5000.
const State<DoubleDouble>& end_of_perturbed_top() {
  static const State<DoubleDouble> end = reference::taylor_top<28, DoubleDouble>(
      Wide3{{1.0, 1.0126869887825154, 3.3062374224730378}},
      {{{-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01}}, {}},
      {{9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04}}, Wide3{{0.0, 0.0, 1.0}},
      DoubleDouble(0.25), 20000);
  return end;
}

/// How far the momentum at t = 5000 is from that of the reference.
double error_of_perturbed_top(const std::vector<std::string>& overrides) {
  Trial trial("zanna-perturbed-top", overrides);
  const RunResult result = trial.run();
  EXPECT_EQ(result.time, 5000.0);
  double worst = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(
        worst, std::abs(static_cast<double>(end_of_perturbed_top().momentum[i] - result.last.state[i])));
  return worst;
}

TEST(PerturbedTop, EndsWhereThePaperDoes) {
  // Measured: 5.6e-13, most of which is the scheme's; 2.7e-11 and 7.8e-12 with round-off that is not compensated.
  EXPECT_LT(error_of_perturbed_top({}), 1.2e-12);
  EXPECT_LT(error_of_perturbed_top({"method.free=frb-matrix"}), 6e-11);
  EXPECT_LT(error_of_perturbed_top({"method.free=frb-quaternion"}), 2e-11);
  // The same number of kicks: 9.5e-13.
  EXPECT_LT(error_of_perturbed_top({"method.scheme=aba-8-6-4", "method.step=0.25"}), 2.5e-12);
}

/// The largest energy error over [0, 500] at 8 kicks in a unit of time.
double energy_error_of_perturbed_top(const std::string& scheme, const std::string& step,
                                     const std::string& steps) {
  Trial trial("zanna-perturbed-top",
              {"method.scheme=" + scheme, "method.step=" + step, "method.steps=" + steps});
  return largest_error(trial.run(1), "energy");
}

TEST(PerturbedTop, EnergyAtEightKicksInAUnitOfTime) {
  // Measured: 4.4e-11, 2.0e-13, 3.0e-13.
  EXPECT_LT(energy_error_of_perturbed_top("rkn6-14", "1.75", "286"), 1e-10);
  EXPECT_LT(energy_error_of_perturbed_top("aba-8-6-4", "0.875", "572"), 4e-13);
  EXPECT_LT(energy_error_of_perturbed_top("aba-10-6-4", "1.0", "500"), 6e-13);
}

TEST(FastTop, EnergyErrorsOfFigure4) {
  const auto error = [](const std::string& method) {
    Trial trial("safstrom-top-fig4", {"method.name=" + method});
    return largest_error(trial.run(), "energy");
  };
  // "O(10^4)", "O(10^3)", "O(10^-3)". Measured 2.8e4, 3.1e3, 4.4e-3.
  const double rk4 = error("rk4"), mr = error("mr"), sej = error("sej");
  EXPECT_GT(rk4, 1e4);
  EXPECT_LT(rk4, 5e4);
  EXPECT_GT(mr, 1e3);
  EXPECT_LT(mr, 5e3);
  EXPECT_GT(sej, 1e-3);
  EXPECT_LT(sej, 5e-3);
  // Of an energy of 6e7: measured 1.0e-9.
  EXPECT_LT(error("splitting"), 3e-9);
}

/// The path of the centre of mass of figures 6 and 7, by its lowest point and its mean height.
struct Path {
  Path(const std::string& method, const std::string& step, const std::string& scheme = "") {
    std::vector<std::string> overrides{"method.name=" + method, "method.step=" + step};
    if (!scheme.empty()) overrides.push_back("method.scheme=" + scheme);
    Trial trial("safstrom-top-fig6", overrides);
    energy = largest_error(trial.run(1), "energy");
    const std::vector<double> height = trial.series("centre_of_mass", 2);
    lowest = *std::min_element(height.begin(), height.end());
    mean = std::accumulate(height.begin(), height.end(), 0.0) / static_cast<double>(height.size());
  }
  double lowest, mean, energy;
};

TEST(SlowTop, PathsOfFigures6And7) {
  const Path truth("splitting", "0.01");  // energy error 8e-13
  EXPECT_LT(truth.energy, 2e-12);
  for (const char* step : {"0.01", "0.05", "0.1"}) {
    const Path sej("sej", step), exact("splitting", step, "strang"), mr("mr", step);
    const double h = std::stod(step);
    EXPECT_NEAR(sej.lowest, truth.lowest, 15 * h * h) << step;  // 0.134 at 0.1, 0.027 at 0.05
    EXPECT_NEAR(sej.mean, truth.mean, 9 * h * h) << step;       // 0.077 at 0.1, 0.016 at 0.05
    EXPECT_LT(sej.energy, mr.energy / 5.0) << step;
    EXPECT_NEAR(exact.lowest, truth.lowest, 0.01) << step;  // 0.003 at 0.1
    EXPECT_NEAR(exact.mean, truth.mean, 0.002) << step;     // 0.0007 at 0.1
  }
  const Path lost("mr", "0.1");
  EXPECT_LT(lost.lowest, -0.9);
  EXPECT_LT(lost.mean, 0.1);
}

TEST(HeavyTop, EnergyErrorsOfFigure8) {
  const auto mean_error = [](const std::string& method, int alpha) {
    const std::string a = std::to_string(alpha), b = std::to_string(2 * alpha), c = std::to_string(3 * alpha);
    Trial trial("safstrom-top-fig8",
                {"method.name=" + method, "system.inertia=[" + a + "," + b + "," + c + "]"});
    trial.run(1);
    double sum = 0.0;
    for (const double e : trial.series("energy_error")) sum += std::abs(e);
    return sum / 1000.0;
  };
  double last_ratio = 1.0;
  for (const int alpha : {10, 100, 1000, 10000, 100000}) {
    const double sej = mean_error("sej", alpha), mr = mean_error("mr", alpha);
    EXPECT_LT(sej, mr) << alpha;
    EXPECT_GT(mr / sej, last_ratio) << alpha;  // it grows with alpha, as in the figure
    last_ratio = mr / sej;
  }
}

}  // namespace
}  // namespace polhode::program
