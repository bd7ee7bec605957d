// The experiments of [Vil08]: random walks with and without a drift in the place of their records.
#include <gtest/gtest.h>

#include <functional>

#include "reproduce/experiments/brouwer_map.hpp"
#include "reproduce/experiments/vilmart.hpp"
#include "tests/reproduce/altered_records.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;
using namespace program::experiments;

using Names = std::vector<std::string>;

/// Errors sigma eps √N, and bias eps N; the bias of a trajectory has a sign by chance where it is `scattered`.
struct Walk {
  double sigma = 0, bias = 0, scattered = 0;
};

std::vector<Claim> claims_of(const Experiment& e, std::size_t quantities,
                             const std::function<Walk(std::size_t unit, std::size_t quantity)>& model) {
  const std::vector<std::int64_t> samples = sample_steps(100'000);
  const ErrorLayout layout{quantities, samples.size()};
  EXPECT_EQ(e.record_size, layout.record_size());
  Records records(e.units, e.record_size);
  std::vector<double> record(e.record_size);
  for (std::size_t unit = 0; unit < e.units; ++unit) {
    Random random(unit);
    for (std::size_t t = 0; t < trajectories_of_unit; ++t)
      for (std::size_t quantity = 0; quantity < quantities; ++quantity) {
        const Walk w = model(unit, quantity);
        const double bias = w.bias + w.scattered * random.uniform(-1, 1);
        double walk = 0, before = 0;
        for (std::size_t s = 0; s < samples.size(); ++s) {
          const double now = static_cast<double>(samples[s]);
          walk += std::sqrt(3 * (now - before)) * random.uniform(-1, 1);
          before = now;
          record[layout.at(t, quantity, s)] = machine_eps * (w.sigma * walk + bias * now);
        }
      }
    records.set(unit, record);
  }
  return e.evaluate(records).claims;
}

TEST(VilmartFig1, NoticesADrift) {
  const Experiment e = quick_experiment("vilmart-fig1");
  enum : std::size_t { standard, reduced, quadruple, exact, method_count };
  const auto claims = [&](double of_standard, double of_reduced, double of_casimir, double of_quadruple) {
    return claims_of(e, 2 * method_count, [=](std::size_t, std::size_t quantity) {
      const std::array<Walk, 2 * method_count> walks{{{0.14, of_standard},
                                                      {0.14, of_reduced},
                                                      {0.14, of_quadruple},
                                                      {2e-5, 0},
                                                      {0.14, 0},
                                                      {0.14, of_casimir},
                                                      {0.14, 0},
                                                      {2e-5, 0}}};
      return walks[quantity];
    });
  };
  EXPECT_EQ(missed(claims(0.042, 0, 0, 0)), Names{});
  // A drift of a hundredth of that of the standard algorithm.
  EXPECT_EQ(missed(claims(0.042, 4e-4, 0, 0)),
            Names{"jacobi-reduced: mean at the end, in units of its statistical error"});
  EXPECT_EQ(missed(claims(0.042, 0, 4e-4, 0)),
            Names{"jacobi-reduced, C(y): mean at the end, in units of its statistical error"});
  EXPECT_EQ(missed(claims(0.042, 0, 0, 4e-4)),
            Names{"constants in quadruple: mean at the end, in units of its statistical error"});
  // The reduced algorithm in the place of the standard one.
  const auto none = claims(0, 0, 0, 0);
  EXPECT_TRUE(misses(none, "jacobi-standard: drift"));
  EXPECT_TRUE(misses(none, "jacobi-standard: the mean grows"));
  EXPECT_TRUE(misses(none, "jacobi-standard: standard deviation"));
}

TEST(VilmartFig2, NoticesWhatCompensationShouldHaveRemoved) {
  const Experiment e = quick_experiment("vilmart-fig2");
  enum : std::size_t { standard, compensated, exact };
  constexpr std::size_t invariants = 3;
  const std::size_t figure = 200 / trajectories_of_unit, others = 64 / trajectories_of_unit;
  // The drift of each trajectory goes with the square of the step, as that of rounded constants does.
  const auto claims = [&](double gain, double drift) {
    return claims_of(e, 3 * invariants, [=](std::size_t unit, std::size_t quantity) -> Walk {
      constexpr std::array other_steps{0.04, 0.02, 0.005, 0.0025};
      const double h = unit < figure ? 0.01 : other_steps[(unit - figure) / others];
      const std::size_t method = quantity / invariants;
      const double factor = quantity % invariants == 2 ? 2.5 : 1.15;
      if (method == standard) return {0.2, 0};
      if (method == compensated) return {0.2 * factor * gain * h, 0, drift * h * h};
      return {1e-5, 0};
    });
  };
  EXPECT_EQ(missed(claims(1, 0)), Names{});
  const auto drifting = claims(1, 0.5);
  EXPECT_TRUE(misses(drifting, "compensated, Hamiltonian: the deviation grows"));
  EXPECT_TRUE(misses(drifting, "compensated: the deviation of the energy after N steps"));
  const auto lost = claims(10, 0);
  for (const char* invariant : {"Hamiltonian", "C(y)", "first component of Qy"})
    EXPECT_TRUE(misses(lost, std::string("compensated, ") + invariant + ": ")) << invariant;
}

TEST(VilmartBodies, NoticesADriftOfOneBody) {
  const Experiment e = quick_experiment("vilmart-bodies");
  enum : std::size_t { standard, reduced, plain, compensated, method_count };
  const std::size_t units_of_body = e.units / 6;
  const auto claims = [&](double of_standard, double of_reduced, double gain) {
    return claims_of(e, method_count, [=](std::size_t unit, std::size_t method) -> Walk {
      const bool altered = unit / units_of_body == 4;
      if (method == standard) return {0.2, altered ? of_standard : 0.05};
      if (method == reduced) return {0.3, altered ? of_reduced : 0};
      if (method == plain) return {0.2, 0};
      return {0.2 * 0.3 * 0.01 * (altered ? gain : 1), 0};
    });
  };
  EXPECT_EQ(missed(claims(0.05, 0, 1)), Names{});
  EXPECT_EQ(missed(claims(0, 0, 1)), Names{"jacobi-standard: bodies, of six, whose mean energy drifts"});
  EXPECT_EQ(missed(claims(0.05, 2e-3, 1)),
            Names{"jacobi-reduced: largest mean, in units of its statistical error"});
  EXPECT_TRUE(misses(claims(0.05, 0, 10), "dmv10, compensated: largest deviation relative"));
}

/// Random walks of the measured sizes over the map, one method of which drifts.
TEST(BrouwerMap, NoticesADrift) {
  using namespace brouwer;
  const Experiment e = quick_experiment("brouwer-map");
  const Map map(10, 16, 2048);
  ASSERT_EQ(e.units, map.cells.size());
  ASSERT_EQ(e.record_size, map.layout.record_size());
  constexpr double sigmas[method_count][invariant_count] = {{0.3, 0.35}, {1.5e-3, 4e-3}, {5e-6, 5e-6}};
  // A bias a step, in units of sigma: the same for all, or with a sign by chance for each trajectory.
  const auto claims = [&](std::size_t drifting, std::size_t invariant, double bias, double scattered) {
    Records records(e.units, e.record_size);
    std::vector<double> record(e.record_size);
    for (std::size_t unit = 0; unit < e.units; ++unit) {
      Random random(unit);
      for (std::size_t m = 0; m < method_count; ++m)
        for (std::size_t i = 0; i < invariant_count; ++i)
          for (std::size_t t = 0; t < map.layout.trajectories; ++t) {
            const bool drifts = m == drifting && i == invariant;
            const double slope = drifts ? bias + scattered * random.uniform(-1, 1) : 0;
            double walk = 0, before = 0;
            for (std::size_t s = 0; s < map.layout.samples; ++s) {
              const double now = static_cast<double>(map.sample_step(m, s));
              walk += std::sqrt(3 * (now - before)) * random.uniform(-1, 1);
              before = now;
              record[map.layout.at(m, i, t, s)] = machine_eps * sigmas[m][i] * (walk + slope * now);
            }
          }
      records.set(unit, record);
    }
    return e.evaluate(records).claims;
  };
  EXPECT_EQ(missed(claims(method_count, 0, 0, 0)), Names{});
  const std::array names{"jacobi-reduced, energy: ", "dmv10, compensated, energy: ", "exact, energy: "};
  for (std::size_t m = 0; m < method_count; ++m) {
    const double steps = static_cast<double>(map.steps_of(m));
    EXPECT_TRUE(misses(claims(m, energy, 1 / std::sqrt(steps), 0), names[m] + std::string("mean"))) << m;
    EXPECT_TRUE(misses(claims(m, energy, 0, 10 / std::sqrt(steps)), names[m] + std::string("power"))) << m;
  }
  EXPECT_TRUE(misses(claims(exact, momentum, 0.01, 0), "exact, first component of Q m: mean"));
}

}  // namespace
}  // namespace polhode::testing
