// Random bodies, states and steps in every region where formulas go wrong: how the exact flow keeps the invariants over every four
// steps, how far the state of a sample is from a reference, and of a smaller one from the motion itself, in ball arithmetic. Prints
// the worst by region and kind of step. Usage: stress [steps] [seed] [threads]
//
// Bodies go in groups: each body by itself, with all checks, and the group as a Batch, which has to end with the same bits. The
// reference is the closed form in 31 digits; where Arb was found by the build, the proof is that of tests/reference/ball.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../tests/reference/compare.hpp"
#include "polhode/polhode.hpp"
#ifdef POLHODE_HAVE_ARB
#include "../tests/reference/ball.hpp"
#endif

using namespace polhode;
using namespace polhode::core;

namespace {

enum Region {
  general,
  symmetric,
  sphere,
  axis_1,
  axis_2,
  axis_3,
  separatrix,
  underflow,
  smallest,
  ratios,
  far_angles,
  farther_angles,
  no_phase,
  regions
};
constexpr std::array<const char*, regions> region_names{
    "general",        "symmetric, nearly", "spheres, nearly",    "next to axis 1",       "next to axis 2",
    "next to axis 3", "separatrix",        "products underflow", "components to 1e-320", "ratios to 1e30",
    "angles to 1e18", "angles to 1e28",    "angles beyond 1e31"};
constexpr std::array<const char*, 4> kinds{"short", "middle", "long", "closed"};

/// Relative to the energy or to |m|, absolute for the attitude, whose norm is one. Errors of the state in units of 1 + 0.3 angle where the
/// step is long: there the phase is that of double.
struct Worst {
  std::int64_t steps = 0, not_finite = 0, sampled = 0, proved = 0, unproved = 0;
  double energy = 0, size = 0, spatial = 0, momentum = 0, attitude = 0;
  double proved_momentum = 0, proved_attitude = 0, reference = 0;

  void merge(const Worst& w) {
    for (const auto member :
         {&Worst::steps, &Worst::not_finite, &Worst::sampled, &Worst::proved, &Worst::unproved})
      this->*member += w.*member;
    for (const auto member :
         {&Worst::energy, &Worst::size, &Worst::spatial, &Worst::momentum, &Worst::attitude,
          &Worst::proved_momentum, &Worst::proved_attitude, &Worst::reference})
      this->*member = std::max(this->*member, w.*member);
  }
};
struct Result {
  std::array<std::array<Worst, kinds.size()>, regions> worst;
  std::int64_t bodies = 0, other_bits = 0;
};

struct Case {
  Vector<double> moments;
  State<double> state;
};

/// What a step does to an invariant stays: it is enough to look after every fourth.
constexpr int group_size = 32, runs_of_a_group = 16, steps_of_a_run = 4,
              steps_of_a_group = runs_of_a_group * steps_of_a_run;

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : random_(seed) {}

  /// Most groups are ordinary; angles that only the closed form takes are few, because they take long.
  Region region() {
    constexpr std::array<int, regions> weights{106, 48, 32, 40, 40, 40, 32, 16, 8, 35, 1, 1, 1};
    int at = static_cast<int>(random_() % 400);
    for (int i = 0; i < regions; ++i)
      if ((at -= weights[static_cast<std::size_t>(i)]) < 0) return static_cast<Region>(i);
    return general;
  }

  /// A body whose angular velocity is near one, in units that vary by 10^60.
  Case operator()(Region region) {
    Case c;
    const double least = region == ratios ? -29.5 : -4;
    c.moments = {{1, power(least, 0), power(least, 0)}};
    std::sort(c.moments.c.begin(), c.moments.c.end());
    if (region == symmetric) {
      const std::size_t other = 2 * pick(2);
      c.moments[1] = c.moments[other] * (pick(2) == 0 ? 1 : 1 + (other == 0 ? 1 : -1) * power(-16, -2));
    } else if (region == sphere) {
      c.moments = {{1, 1, 1}};
      if (pick(3) != 0) c.moments[0] = 1 - power(-16, -6);
      if (pick(3) != 0) c.moments[1] = c.moments[0] * (1 + power(-16, -6));
      std::sort(c.moments.c.begin(), c.moments.c.end());
    }
    Vector<double>& m = c.state.momentum;
    m = {{normal_(random_), normal_(random_), normal_(random_)}};
    if (region >= axis_1 && region <= axis_3) {
      beside(m, static_cast<std::size_t>(region - axis_1), -20, -1);
    } else if (region == underflow) {
      beside(m, pick(3), -170, -140);
    } else if (region == smallest) {
      beside(m, pick(3), -320, -75);
    } else if (region == separatrix && pick(4) == 0) {  // a1 = a3
      c.moments = {{1, 1.5, 3}};
      m[2] = pick(2) == 0 ? m[0] : -m[0];
    } else if (region == separatrix) {  // a1 m3^2 = a3 m1^2, but for rounding and a little more
      const Inertia<double> inertia(c.moments);
      m[2] = std::sqrt(static_cast<double>(inertia.a3)) * m[0];
      m[0] *= std::sqrt(static_cast<double>(inertia.a1)) * (1 + (pick(2) == 0 ? 0 : power(-17, -2)));
    }
    // The rate by which the library chooses its way, or the true one.
    const Inertia<double> inertia(c.moments);
    const double rate =
        region == ratios && pick(2) == 0 ? 2 * inertia.energy(m) / norm(m) : norm(m) / c.moments[0];
    const bool plain =
        region == smallest || region == underflow;  // whose components units might turn to zero
    const int unit = plain ? 0 : static_cast<int>(pick(200)) - 100;
    for (double& x : m.c) x = std::ldexp(plain && region == smallest ? x : x / rate, unit);
    for (double& x : c.moments.c) x = std::ldexp(x, unit);
    for (double& x : c.state.attitude.c) x = normal_(random_);
    c.state.attitude = normalized(c.state.attitude);
    return c;
  }

  /// The lengths of some steps of one kind, in radians, more or less.
  std::array<double, steps_of_a_run> steps(Region region) {
    std::array<double, steps_of_a_run> h;
    const std::size_t kind = pick(128);
    for (double& x : h) {
      const double sign = pick(2) == 0 ? 1 : -1;
      x = sign * (region == far_angles       ? power(4, 18)
                  : region == farther_angles ? power(18, 28)
                  : region == no_phase       ? (pick(16) == 0 ? DBL_MAX : power(36, 300))
                  : kind < 72                ? power(-12, -1.3)
                  : kind < 100               ? power(-1.3, -0.3)
                  : kind < 127               ? power(-0.3, 3.6)
                                             : power(3.6, 6.8));
    }
    return h;
  }

 private:
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random_));
  }
  std::size_t pick(std::size_t count) { return random_() % count; }
  void beside(Vector<double>& m, std::size_t axis, double low, double high) {
    const double small = power(low, high);
    for (std::size_t i = 0; i < 3; ++i)
      if (i != axis) m[i] *= small * power(0, pick(4) == 0 ? 3 : 0);
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

std::size_t kind_of(double angle) {
  return angle * angle <= IncrementFlow<double>::square_angle_limit() ? 0
         : angle <= middle_angle                                      ? 1
         : angle <= 4096                                              ? 2
                                                                      : 3;
}

double relative(const DoubleDouble& a, const DoubleDouble& b) {
  return std::abs(static_cast<double>((a - b) / b));
}

std::string description(const Case& c, double h) {
  return fmt::format("moments {} {} {}, momentum {} {} {}, attitude {} {} {} {}, step {}", c.moments[0],
                     c.moments[1], c.moments[2], c.state.momentum[0], c.state.momentum[1],
                     c.state.momentum[2], c.state.attitude[0], c.state.attitude[1], c.state.attitude[2],
                     c.state.attitude[3], h);
}

class Stress {
 public:
  explicit Stress(std::uint64_t seed) : cases_(seed) {}

  Result run(std::int64_t steps) {
    for (std::int64_t done = 0; done < steps; done += group_size * steps_of_a_group) group();
    return result_;
  }

 private:
  void group() {
    const Region region = cases_.region();
    std::array<std::array<double, steps_of_a_run>, runs_of_a_group> runs;
    for (auto& run : runs) run = cases_.steps(region);
    std::vector<Body<double>> bodies;
    std::vector<State<double>> states;
    std::vector<State<DoubleDouble>> ends;
    for (int i = 0; i < group_size; ++i) {
      const Case c = cases_(region);
      bodies.emplace_back(c.moments);
      states.push_back(c.state);
      ends.push_back(alone(region, c, bodies.back(), runs));
    }
    Batch batch(bodies, states);
    for (const auto& run : runs)
      for (const double h : run) batch.advance(h, 1);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      ++result_.bodies;
      if (!(batch.wide_state(i) == ends[i]) && ++result_.other_bits <= 10)
        fmt::print("other bits in the batch: {}\n",
                   description({bodies[i].moments(), states[i]}, runs[0][0]));
    }
  }

  template <class Runs>
  State<DoubleDouble> alone(Region region, const Case& c, const Body<double>& body, const Runs& runs) {
    Rotor<Exact<double>> rotor(body, c.state);
    auto before = rotor.invariants();
    const double size = static_cast<double>(before.momentum_norm), rate = size / c.moments[0];
    bool first = true;
    for (const auto& run : runs) {
      double largest = 0;
      for (const double h : run) {
        rotor.advance(h, 1);
        const double angle = std::min(std::abs(h) * rate, DBL_MAX);
        largest = std::max(largest, angle);
        if (first && region != no_phase)
          compare(region, c, body, h, angle, rotor.state(), result_.worst[region][kind_of(angle)]);
        first = false;
      }
      Worst& worst = result_.worst[region][kind_of(largest)];
      const auto after = rotor.invariants();
      const double spatial =
          reference::momentum_error(after.spatial_momentum, before.spatial_momentum) / size;
      const double energy = relative(after.energy, before.energy),
                   norm = relative(after.momentum_norm, before.momentum_norm);
      worst.steps += steps_of_a_run;
      if (!(std::isfinite(spatial) && std::isfinite(energy) && std::isfinite(norm))) {
        if (++worst.not_finite <= 3) fmt::print("not finite: {}\n", description(c, run[0]));
        return rotor.wide_state();
      }
      worst.spatial = std::max(worst.spatial, spatial);
      worst.energy = std::max(worst.energy, energy);
      worst.size = std::max(worst.size, norm);
      before = after;
    }
    return rotor.wide_state();
  }

  /// The state after the first step with the reference, for one body in four, and with the motion itself, for one in 128.
  void compare(Region region, const Case& c, const Body<double>& body, double h, double angle,
               const State<double>& end, Worst& worst) {
    const std::int64_t count = ++counts_[region];
    if (count % 4 != 0) return;
    const double unit = angle > middle_angle && angle <= 4096 ? 1 + 0.3 * angle : 1;
    const double size = norm(c.state.momentum);
    const State<DoubleDouble> truth = Trajectory<double>(body, c.state).wide_at(DoubleDouble(h));
    const double momentum = reference::momentum_error(end.momentum, truth.momentum) / size / unit,
                 attitude = reference::attitude_error(end.attitude, truth.attitude) / unit;
    ++worst.sampled;
    worst.momentum = std::max(worst.momentum, momentum);
    worst.attitude = std::max(worst.attitude, attitude);
#ifdef POLHODE_HAVE_ARB
    if (count % 128 != 0) return;
    const auto proof = reference::proved_errors(c.moments, c.state, h, end);
    const auto of_reference = reference::proved_errors(c.moments, c.state, h, truth);
    if (!std::isfinite(proof.attitude)) {
      if (++worst.unproved <= 3) fmt::print("not proved: {}\n", description(c, h));
      return;
    }
    ++worst.proved;
    worst.proved_momentum = std::max(worst.proved_momentum, proof.momentum / unit);
    worst.proved_attitude = std::max(worst.proved_attitude, proof.attitude / unit);
    worst.reference = std::max({worst.reference, of_reference.momentum, of_reference.attitude});
#endif
  }

  Cases cases_;
  Result result_;
  std::array<std::int64_t, regions> counts_{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t count = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2008;
  const unsigned threads =
      argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : std::thread::hardware_concurrency();
  constexpr std::int64_t parts = 16;  // the cases do not depend on the number of threads
  std::array<Result, parts> results;
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < std::max(1U, threads); ++t)
      workers.emplace_back([&, t] {
        for (std::int64_t i = t; i < parts; i += std::max(1U, threads))
          results[static_cast<std::size_t>(i)] =
              Stress(seed + static_cast<std::uint64_t>(i)).run(count / parts);
      });
  }
  fmt::print("{:<21}{:<8}{:>11}{:>11}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}\n", "region", "step",
             "steps", "not finite", "energy", "|m|", "Q m", "sampled", "momentum", "attitude", "proved",
             "momentum", "attitude", "31 digits");
  std::int64_t failures = 0, bodies = 0, steps = 0;
  for (std::size_t r = 0; r < regions; ++r)
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      Worst w;
      for (const Result& result : results) w.merge(result.worst[r][k]);
      if (w.steps == 0) continue;
      failures += w.not_finite + w.unproved;
      steps += w.steps;
      fmt::print(
          "{:<21}{:<8}{:>11}{:>11}{:>9.1e}{:>9.1e}{:>9.1e}{:>9}{:>9.1e}{:>9.1e}{:>8}{:>9.1e}{:>9.1e}{:>9.1e}"
          "\n",
          region_names[r], kinds[k], w.steps, w.not_finite, w.energy, w.size, w.spatial, w.sampled,
          w.momentum, w.attitude, w.proved, w.proved_momentum, w.proved_attitude, w.reference);
    }
  std::int64_t other_bits = 0;
  for (const Result& result : results) {
    bodies += result.bodies;
    other_bits += result.other_bits;
  }
  fmt::print("{} steps of {} bodies; in a batch {} of the bodies end with other bits\n", steps, bodies,
             other_bits);
  return failures + other_bits == 0 ? 0 : 1;
}
