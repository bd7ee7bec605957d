// Random bodies, momenta and steps: one step of the exact flow each, with the invariants of all of them and a reference for a
// sample. Prints the worst of each kind of step. Usage: stress [cases] [seed]
//
// The reference is the closed form in all 31 digits; up to four radians also the Taylor series of the equations of motion, with
// which it shares nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../tests/reference/compare.hpp"
#include "../tests/reference/taylor.hpp"
#include "polhode/polhode.hpp"

using namespace polhode;
using namespace polhode::core;

namespace {

constexpr std::array<const char*, 4> kinds{"short", "middle", "long", "closed"};

/// Relative to the energy, to |m|, or absolute for the attitude, whose norm is one.
struct Worst {
  std::int64_t cases = 0, sampled = 0, not_finite = 0;
  double energy = 0, size = 0, spatial = 0, momentum = 0, attitude = 0, taylor = 0;

  void merge(const Worst& w) {
    cases += w.cases;
    sampled += w.sampled;
    not_finite += w.not_finite;
    energy = std::max(energy, w.energy);
    size = std::max(size, w.size);
    spatial = std::max(spatial, w.spatial);
    momentum = std::max(momentum, w.momentum);
    attitude = std::max(attitude, w.attitude);
    taylor = std::max(taylor, w.taylor);
  }
};
using Result = std::array<Worst, kinds.size()>;

struct Case {
  Vector<double> moments;
  State<double> state;
  double h, angle;
};

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : random_(seed) {}

  /// Moments that differ by up to 1e4, one in four with two (nearly) alike; momenta in all directions, one in four next to an axis
  /// or to the separatrix; angles of the step from 1e-12 radians to 10^6 turns, all in units that vary by 10^60.
  Case operator()() {
    Case c;
    const double unit = power(-30, 30), momentum_unit = power(-30, 30);
    c.moments = {{1, power(-4, 0), power(-4, 0)}};
    std::sort(c.moments.c.begin(), c.moments.c.end());
    switch (pick(16)) {
      case 0:
        c.moments[1] = c.moments[0];
        break;
      case 1:
        c.moments[1] = c.moments[2];
        break;
      case 2:
        c.moments[1] = c.moments[0] * (1 + power(-16, -2));
        break;
      case 3:
        c.moments[1] = c.moments[2] * (1 - power(-16, -2));
        break;
      default:
        break;
    }
    Vector<double>& m = c.state.momentum;
    m = {{normal_(random_), normal_(random_), normal_(random_)}};
    const std::size_t kind = pick(16);
    if (kind < 3) {
      const double small = power(-20, -1);
      for (std::size_t i = 0; i < 3; ++i)
        if (i != kind) m[i] *= small;
    } else if (kind == 3) {  // a1 m3^2 = a3 m1^2
      const Inertia<double> inertia(c.moments);
      m[2] = std::sqrt(static_cast<double>(inertia.a3)) * m[0];
      m[0] *= std::sqrt(static_cast<double>(inertia.a1)) * (1 + (pick(2) == 0 ? 0 : power(-17, -2)));
    }
    c.angle = power(-12, 6.8);
    const double turn = c.moments[0] / norm(m);
    for (auto& x : c.moments.c) x *= unit;
    for (auto& x : m.c) x *= momentum_unit;
    c.h = (pick(2) == 0 ? 1 : -1) * c.angle * turn * (unit / momentum_unit);
    for (auto& x : c.state.attitude.c) x = normal_(random_);
    c.state.attitude = normalized(c.state.attitude);
    return c;
  }

 private:
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random_));
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

std::size_t kind_of(double angle) {
  return angle * angle <= IncrementFlow<double>::square_angle_limit() ? 0
         : angle <= 0.5                                               ? 1
         : angle <= 4096                                              ? 2
                                                                      : 3;
}

double relative(const DoubleDouble& a, const DoubleDouble& b) {
  return std::abs(static_cast<double>((a - b) / b));
}

Result run(std::uint64_t seed, std::int64_t count) {
  Result result;
  Cases cases(seed);
  for (std::int64_t n = 0; n < count; ++n) {
    const Case c = cases();
    const Body<double> body(c.moments);
    Worst& worst = result[kind_of(c.angle)];
    Rotor<Exact<double>> rotor(body, c.state);
    const auto before = rotor.invariants();
    rotor.advance(c.h, 1);
    const auto after = rotor.invariants();
    const State<double> end = rotor.state();
    const double size = static_cast<double>(before.momentum_norm);
    const double spatial = reference::momentum_error(after.spatial_momentum, before.spatial_momentum) / size;
    const double energy = relative(after.energy, before.energy),
                 norm = relative(after.momentum_norm, before.momentum_norm);
    ++worst.cases;
    if (!(std::isfinite(spatial) && std::isfinite(energy) && std::isfinite(norm))) ++worst.not_finite;
    worst.spatial = std::max(worst.spatial, spatial);
    worst.energy = std::max(worst.energy, energy);
    worst.size = std::max(worst.size, norm);
    if (n % 64 != 0) continue;
    ++worst.sampled;
    const State<DoubleDouble> truth = Trajectory<double>(body, c.state).wide_at(DoubleDouble(c.h));
    worst.momentum = std::max(worst.momentum, reference::momentum_error(end.momentum, truth.momentum) / size);
    worst.attitude = std::max(worst.attitude, reference::attitude_error(end.attitude, truth.attitude));
    if (n % 1024 == 0 && c.angle <= 4) {
      const auto series = reference::taylor<34>(convert<DoubleDouble>(c.moments),
                                                convert<DoubleDouble>(c.state), DoubleDouble(c.h));
      worst.taylor =
          std::max({worst.taylor, reference::attitude_error(end.attitude, normalized(series.attitude)),
                    reference::momentum_error(end.momentum, series.momentum) / size});
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t count = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2008;
  constexpr std::int64_t parts = 16;  // the cases do not depend on the number of threads
  std::array<Result, parts> results;
  {
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        for (std::int64_t i = t; i < parts; i += threads)
          results[static_cast<std::size_t>(i)] = run(seed + static_cast<std::uint64_t>(i), count / parts);
      });
  }
  fmt::print("{:<8} {:>9} {:>8} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "kind", "cases", "sampled",
             "not finite", "energy", "|m|", "Q m", "momentum", "attitude", "taylor");
  std::int64_t not_finite = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    Worst w;
    for (const Result& r : results) w.merge(r[k]);
    not_finite += w.not_finite;
    fmt::print("{:<8} {:>9} {:>8} {:>10} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e}\n", kinds[k],
               w.cases, w.sampled, w.not_finite, w.energy, w.size, w.spatial, w.momentum, w.attitude,
               w.taylor);
  }
  return not_finite == 0 ? 0 : 1;
}
