// Satellites under the gravity gradient: a step of a batch beside a step of one DrivenRotor, in one run.
//
//   driven_batch [BODIES]     nanoseconds a body and step, smallest of several runs, and the ratios. Processor time; the gain of
//                             two threads is one of elapsed time, and means something only where two cores are idle.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "batch/instruction_set.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "polhode/torque/gravity_gradient.hpp"

namespace {

using namespace polhode::core;

struct Satellites {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;
  std::vector<TorqueList<double>> torques;

  Satellites(std::size_t count, double eccentricity, bool own_orbits) {
    std::mt19937_64 engine(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t i = 0; i < count; ++i) {
      bodies.emplace_back(Vector<double>{1, 1.5 + uniform(engine), 2.5 + uniform(engine)});
      states.push_back({{0.1 * normal(engine), 0.1 * normal(engine), 2 + 0.1 * normal(engine)},
                        {normal(engine), normal(engine), normal(engine), normal(engine)}});
      OrbitElements<double> orbit;
      orbit.eccentricity = eccentricity;
      if (own_orbits) orbit.mean_anomaly = uniform(engine);
      torques.emplace_back(GravityGradient(KeplerOrbit(orbit)));
    }
  }
};

/// Processor time of this thread: what else the machine does is not counted.
template <class Work>
double processor_seconds(const Work& work) {
  const auto now = [] {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void compare(std::size_t count, const char* name, double step, double eccentricity, bool own_orbits) {
  const Satellites all(count, eccentricity, own_orbits);
  OrbitElements<double> orbit;
  orbit.eccentricity = eccentricity;
  auto one = driven(all.bodies[0], all.states[0], GravityGradient(KeplerOrbit(orbit)), scheme(name));
  DrivenBatch batch(all.bodies, all.states, all.torques, scheme(name), {}, DoubleDouble(0),
                    batch_functions());
  one.set_step(step);
  batch.set_step(step);
  const auto steps =
      static_cast<std::int64_t>(std::max<std::size_t>(1, 200000 / count / scheme(name).stages()));
  const std::int64_t of_one = steps * static_cast<std::int64_t>(count);
  double scalar = 1e9, together = 1e9, alone = 1e9, threads = 1e9;
  for (int i = 0; i < 9; ++i) {  // in turn: what else the machine does comes to all of them
    scalar = std::min(scalar, processor_seconds([&] { one.advance(of_one); }));
    batch.set_threads(1);
    together = std::min(together, processor_seconds([&] { batch.advance(steps); }));
    alone = std::min(alone, seconds([&] { batch.advance(steps); }));
    batch.set_threads(2);
    batch.advance(1);  // which starts the threads
    threads = std::min(threads, seconds([&] { batch.advance(steps); }));
  }
  const double ns = 1e9 / static_cast<double>(of_one);
  std::printf(
      "%-8s step %-5g e %-4g %-11s one %8.1f  batch %8.1f  ratio %.3f  two threads %8.1f  gain %.2f\n", name,
      step, eccentricity, own_orbits ? "own orbits" : "one orbit", ns * scalar, ns * together,
      together / scalar, ns * threads, alone / threads);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1024;
  if (count == 0) {
    std::fputs("driven_batch [BODIES]: the number of bodies must be positive\n", stderr);
    return 2;
  }
  for (const char* const name : {"strang", "rkn6-14"})
    for (const double step : {0.01, 0.05})
      for (const double eccentricity : {0.0, 0.1})
        for (const bool own_orbits : {false, true}) compare(count, name, step, eccentricity, own_orbits);
  return 0;
}
