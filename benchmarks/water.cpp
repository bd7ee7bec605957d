// 64 rigid waters at constant energy: drift of the energy, momentum, and the share of the rotation in a step.
//
// Prints the figures of docs/molecules.md. Times are processor times of the thread, at ten moments of the run, the smallest of
// several rounds at each.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <ctime>

#include "polhode/molecules/thermal.hpp"
#include "polhode/molecules/water.hpp"

namespace {

using namespace polhode;
using namespace polhode::core;

constexpr std::size_t waters = 64;
constexpr double step = 0.001, edge = 1.2417;
const std::vector<std::size_t> counts{waters};

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

RigidMolecules<> liquid(const char* model, bool box, double temperature) {
  ForceFieldOptions options;
  options.coulomb = coulomb_in_kilojoule_per_mole;
  if (box) options.box = Vector<double>{{edge, edge, edge}};
  const ForceField field({water(model)}, options);
  const double kt = temperature * boltzmann_in_kilojoule_per_mole;
  auto states = thermal_lattice(field, counts, {{edge, edge, edge}}, kt, 1);
  remove_common_motion(field, counts, states);
  RigidMolecules<> molecules(field, counts, states);
  equilibrate(molecules, counts, kt, step, 10000);
  return {field, counts, molecules.state().states()};
}

/// The smallest times of a step and of the free rotation in it, from one state on.
struct Times {
  double step = 1.0, rotation = 1.0;
};

Times times_of(const RigidMolecules<>& molecules) {
  const Configuration now = molecules.state();
  const Molecule& molecule = now.field().kinds()[0];
  PackRotation<Exact<double>> turning(molecule.body().inertia(), {});
  const double inner = std::ldexp(step, now.momentum_unit(0) - molecule.body().inertia_exponent());
  Times least;
  for (int round = 0; round < 100; ++round) {
    std::vector<MoleculePack> packs = now.packs();
    RigidMolecules<> copy = molecules;
    double start = processor_time();
    for (int i = 0; i < 20; ++i) turning(packs, inner, waters);
    benchmark::DoNotOptimize(packs.data());
    least.rotation = std::min(least.rotation, (processor_time() - start) / 20);
    start = processor_time();
    copy.advance(step, 20);
    least.step = std::min(least.step, (processor_time() - start) / 20);
  }
  return least;
}

void measure(const char* model, bool box, double temperature) {
  constexpr int samples = 1000, steps_between = 100;
  RigidMolecules<> molecules = liquid(model, box, temperature);
  const Configuration start = molecules.state();
  const MoleculeEnergies first = start.energies();
  double whole = 0.0, rotation = 0.0, largest = 0.0, kinetic = 0.0, momentum = 0.0, angular = 0.0;
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (int i = 1; i <= samples; ++i) {
    molecules.advance(step, steps_between);
    const Configuration now = molecules.state();
    const MoleculeEnergies e = now.energies();
    const double time = step * steps_between * i, error = static_cast<double>(e.total() - first.total());
    x += time, y += error, xx += time * time, xy += time * error, yy += error * error;
    largest = std::max(largest, std::abs(error));
    kinetic += static_cast<double>(e.kinetic()) / samples;
    momentum = std::max(momentum, static_cast<double>(norm(now.momentum() - start.momentum())));
    angular = std::max(angular, static_cast<double>(norm(now.angular_momentum() - start.angular_momentum())));
    if (i % 100 == 0) {
      const Times times = times_of(molecules);
      whole += times.step / (samples / 100);
      rotation += times.rotation / (samples / 100);
    }
  }
  const int freedom = degrees_of_freedom(start.field(), counts);
  const double kt = 2 * kinetic / freedom, n = samples;
  const double variance = xx - x * x / n, slope = (xy - x * y / n) / variance;
  const double scatter = std::sqrt((yy - y * y / n - slope * slope * variance) / (n - 2));
  const double unit = 1000.0 / kt / freedom;  // from kJ/mol/ps to kT per ns and degree of freedom
  std::printf("%s, %s: %d steps of %g ps at %.1f K, potential energy %.2f kJ/mol a molecule at the start\n",
              model, box ? "periodic box" : "free cluster", samples * steps_between, step,
              kt / boltzmann_in_kilojoule_per_mole, static_cast<double>(first.potential) / waters);
  std::printf(
      "  energy: largest error %.3g kT, about the fit %.3g kT; drift %.2e +- %.1e kT/ns/degree of freedom\n",
      largest / kt, scatter / kt, slope * unit, scatter / std::sqrt(variance) * unit);
  std::printf("  momentum: largest error %.2g of %.3g\n", momentum,
              std::sqrt(waters * 3 * kt * start.field().kinds()[0].mass()));
  if (!box) std::printf("  angular momentum: largest error %.2g\n", angular);
  std::printf("  a step %.1f us, of which the rotation %.2f us: %.1f %%\n", 1e6 * whole, 1e6 * rotation,
              100 * rotation / whole);
}

void water_at_constant_energy(benchmark::State& state) {
  for (auto _ : state) {
    measure("spce", true, 300);
    measure("tip4p-2005", true, 300);
    measure("spce", false, 200);
  }
}
BENCHMARK(water_at_constant_energy)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
