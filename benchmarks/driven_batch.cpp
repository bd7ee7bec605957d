// Bodies under torque: a step of a batch beside a step of one DrivenRotor, and the ensemble of a thousand satellites, in one run.
//
//   driven_batch [BODIES [COMMAND...]]  nanoseconds a body and step, smallest of several runs, and the ratios. Processor time; the
//                                       gain of two threads is one of elapsed time, and means something only where two cores are idle.
//                                       Then the ensembles: seconds of processor time of each COMMAND, programs named polhode of any
//                                       version; without one the polhode of this build.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "batch/instruction_set.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "polhode/torque/gravity_gradient.hpp"

namespace {

using namespace polhode::core;

struct Draw {
  std::mt19937_64 engine{1};

  double normal() { return std::normal_distribution<double>()(engine); }
  double uniform() { return std::uniform_real_distribution<double>()(engine); }
};

/// What acts on each of them.
struct Case {
  const char* name;
  std::function<TorqueList<double>(Draw&)> make;
};

struct Satellites {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;
  std::vector<TorqueList<double>> torques;

  Satellites(std::size_t count, const Case& acting) {
    Draw draw;
    const auto small = [&] { return 0.1 * draw.normal(); };
    for (std::size_t i = 0; i < count; ++i) {
      bodies.emplace_back(Vector<double>{1, 1.5 + draw.uniform(), 2.5 + draw.uniform()});
      states.push_back(
          {{small(), small(), 2 + small()}, {draw.normal(), draw.normal(), draw.normal(), draw.normal()}});
      torques.push_back(acting.make(draw));
    }
  }
};

GravityGradient<double> gravity(double eccentricity, double mean_anomaly = 0.0) {
  OrbitElements<double> orbit;
  orbit.eccentricity = eccentricity;
  orbit.mean_anomaly = mean_anomaly;
  return GravityGradient(KeplerOrbit(orbit));
}

std::vector<Case> cases() {
  using List = TorqueList<double>;
  const auto wheels = [](Draw& d) { return Wheels<double>({0.1 * d.normal(), 0.1 * d.normal(), 0.3}); };
  const auto damping = [](Draw& d) { return Damping(0.001 * d.uniform()); };
  const auto dissipation = [](Draw& d) { return Dissipation(0.001 * d.uniform()); };
  return {
      {"gravity gradient, one circle", [](Draw&) { return List(gravity(0.0)); }},
      {"gravity gradient, one ellipse", [](Draw&) { return List(gravity(0.1)); }},
      {"gravity gradient, a circle each", [](Draw& d) { return List(gravity(0.0, d.uniform())); }},
      {"gravity gradient, an ellipse each", [](Draw& d) { return List(gravity(0.1, d.uniform())); }},
      {"wheels", [=](Draw& d) { return List(wheels(d)); }},
      {"damping", [=](Draw& d) { return List(damping(d)); }},
      {"dissipation", [=](Draw& d) { return List(dissipation(d)); }},
      {"gravity gradient, wheels", [=](Draw& d) { return List(gravity(0.0), wheels(d)); }},
      {"gravity gradient, damping", [=](Draw& d) { return List(gravity(0.0), damping(d)); }},
      {"gravity gradient, wheels, damping",
       [=](Draw& d) { return List(gravity(0.0), wheels(d), damping(d)); }},
      {"all of these", [=](Draw& d) { return List(gravity(0.0), wheels(d), damping(d), dissipation(d)); }},
  };
}

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

void compare(std::size_t count, const char* name, double step, const Case& acting) {
  const Satellites all(count, acting);
  const auto rotor = driven(all.bodies[0], all.states[0], all.torques[0], scheme(name));
  const DrivenBatch bodies(all.bodies, all.states, all.torques, scheme(name), {}, DoubleDouble(0),
                           batch_functions());
  const auto steps =
      static_cast<std::int64_t>(std::max<std::size_t>(1, 200000 / count / scheme(name).stages()));
  const std::int64_t of_one = steps * static_cast<std::int64_t>(count);
  double scalar = 1e9, together = 1e9, alone = 1e9, threads = 1e9;
  for (int i = 0; i < 9; ++i) {  // in turn: what else the machine does comes to all of them
    // From the beginning each time: what is damped takes shorter steps at the end.
    auto one = rotor;
    one.advance(step, 1);
    scalar = std::min(scalar, processor_seconds([&] { one.advance(of_one); }));
    for (const unsigned wanted : {1U, 2U}) {
      DrivenBatch batch = bodies;
      batch.set_threads(wanted);
      batch.advance(step, 1);  // which starts the threads
      double processor = 0;
      const double elapsed = seconds([&] { processor = processor_seconds([&] { batch.advance(steps); }); });
      if (wanted == 1) together = std::min(together, processor);
      (wanted == 1 ? alone : threads) = std::min(wanted == 1 ? alone : threads, elapsed);
    }
  }
  const double ns = 1e9 / static_cast<double>(of_one);
  std::printf("%-8s step %-5g %-34s one %8.1f  batch %8.1f  ratio %.3f  two threads %8.1f  gain %.2f\n", name,
              step, acting.name, ns * scalar, ns * together, together / scalar, ns * threads,
              alone / threads);
}

/// A thousand satellites, two thousand steps, with the trajectories: `polhode ensemble`.
constexpr const char* ensemble_scenario = R"([system]
kind    = "satellite"
inertia = [120.0, 380.0, 400.0]
[system.orbit]
semi_major_axis         = 24_400_000.0
gravitational_parameter = 3.986004418e14
eccentricity            = %s
inclination             = 0.4974
[state]
angular_velocity = [0.0, 0.0, 2.0e-4]
[method]
name  = "splitting"
step  = 60.0
steps = 2000
[ensemble]
members = 1000
[ensemble.vary]
"state.attitude"  = { random_rotation = true }
)";

double processor_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

void run_ensembles(const std::vector<std::string>& commands) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "polhode-driven-batch";
  std::filesystem::create_directories(folder);
  for (const char* const eccentricity : {"0.0", "0.683"}) {
    char text[2000];
    std::snprintf(text, sizeof text, ensemble_scenario, eccentricity);
    std::ofstream(folder / "satellites.toml") << text;
    std::vector<double> smallest(commands.size(), 1e9);
    for (int i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < commands.size(); ++k) {
        std::filesystem::remove(folder / "satellites.h5");
        const double before = processor_seconds_of_children();
        if (std::system(("\"" + commands[k] + "\" ensemble \"" + (folder / "satellites.toml").string() +
                         "\" --threads 1 --output \"" + (folder / "satellites.h5").string() +
                         "\" > /dev/null 2>&1")
                            .c_str()) != 0) {
          std::fprintf(stderr, "driven_batch: %s ensemble failed\n", commands[k].c_str());
          break;
        }
        smallest[k] = std::min(smallest[k], processor_seconds_of_children() - before);
      }
    }
    for (std::size_t k = 0; k < commands.size(); ++k)
      std::printf("ensemble of 1000 satellites, 2000 steps, e = %-5s  %8.2f s  %5.3f of the first  %s\n",
                  eccentricity, smallest[k], smallest[k] / smallest[0], commands[k].c_str());
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1024;
  if (count == 0) {
    std::fputs("driven_batch [BODIES [COMMAND...]]: the number of bodies must be positive\n", stderr);
    return 2;
  }
  std::vector<std::string> commands(argv + std::min(argc, 2), argv + argc);
  if (commands.empty())
    commands.push_back((std::filesystem::path(argv[0]).parent_path() / "../bin/polhode").string());
  for (const char* const name : {"strang", "rkn6-14"})
    for (const double step : {0.01, 0.05})
      for (const Case& acting : cases()) compare(count, name, step, acting);
  run_ensembles(commands);
  return 0;
}
