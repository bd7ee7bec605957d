// batch [bodies]: the batch against the scalar kernel, bit for bit, for 10^6 random bodies with degenerate ones among them, by every
// instruction set of this build and machine; and what a body and step costs. Processor time, smallest of several runs.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include "batch/instruction_set.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "tests/batch/crowd.hpp"

namespace polhode {

using namespace core;
namespace {

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// In nanoseconds.
template <class Work>
double smallest(int runs, clockid_t clock, const Work& work) {
  double result = HUGE_VAL;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds(clock);
    work();
    result = std::min(result, seconds(clock) - start);
  }
  return 1e9 * result;
}

/// Single steps and many, forwards and backwards, short ones and such that most bodies leave the kernel of short steps.
template <class Moving>
void move(Moving& moving) {
  moving.advance(0.01, 3);
  moving.advance(-0.02, 1);
  moving.advance(0.3, 1);
}

std::size_t compare(std::size_t count, const BatchFunctions& functions) {
  constexpr std::size_t share = 10'000;  // at a time: memory
  std::size_t different = 0;
  for (std::size_t first = 0; first < count; first += share) {
    const testing::Crowd crowd(std::min(share, count - first), static_cast<unsigned>(first));
    Batch batch(crowd.bodies, crowd.states, functions);
    move(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Rotor<Exact<double>> rotor(crowd.bodies[i], crowd.states[i]);
      move(rotor);
      if (!(batch.wide_state(i) == rotor.wide_state())) ++different;
    }
  }
  return different;
}

/// Bodies whose steps of 0.01 are short.
struct Swarm {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;

  explicit Swarm(std::size_t count) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.3, 1);
    for (std::size_t i = 0; i < count; ++i) {
      bodies.emplace_back(Vector<double>{{uniform(random), uniform(random), uniform(random)}});
      states.push_back({{{0.3 * normal(random), 0.3 * normal(random), 0.3 * normal(random)}},
                        {normal(random), normal(random), normal(random), normal(random)}});
    }
  }
};

void time_steps(const BatchFunctions& functions, std::size_t count, double dmv10) {
  const Swarm swarm(count);
  Batch alike(Body<double>(Vector<double>{{0.345, 0.653, 1.0}}), swarm.states, functions);
  Batch mixed(swarm.bodies, swarm.states, functions);
  for (const std::int64_t steps : {1, 64}) {
    const int runs = static_cast<int>(4'000'000 / (count * static_cast<std::size_t>(steps))) + 5;
    for (Batch* const batch : {&alike, &mixed}) {
      const double work = static_cast<double>(count) * static_cast<double>(steps);
      batch->set_threads(1);  // the clock is that of this thread
      const double ns = smallest(runs, CLOCK_THREAD_CPUTIME_ID, [&] { batch->advance(0.01, steps); }) / work;
      // Both in turn, and by the clock on the wall.
      double one = HUGE_VAL, two = HUGE_VAL;
      for (int i = 0; i < 10; ++i) {
        batch->set_threads(1);
        one = std::min(one, smallest(runs / 10 + 1, CLOCK_MONOTONIC, [&] { batch->advance(0.01, steps); }));
        batch->set_threads(2);
        two = std::min(two, smallest(runs / 10 + 1, CLOCK_MONOTONIC, [&] { batch->advance(0.01, steps); }));
      }
      std::cout << std::setw(6) << functions.name << std::setw(8) << count << std::setw(5) << steps
                << (batch == &alike ? "  one kind " : "  mixed    ") << std::fixed << std::setprecision(1)
                << std::setw(8) << ns << std::setprecision(2) << std::setw(10) << ns / dmv10 << std::setw(12)
                << one / two << std::endl;
    }
  }
}

/// What two threads gain where nothing but arithmetic is done: what the machine has to give.
double gain_of_two_threads() {
  const auto work = [](long count) {
    volatile double x = 1;
    double sum = x;
    for (long i = 0; i < count; ++i) sum = sum * 1.0000001 + 1e-9;
    x = sum;
  };
  double one = HUGE_VAL, two = HUGE_VAL;
  for (int i = 0; i < 500; ++i) {
    one = std::min(one, smallest(1, CLOCK_MONOTONIC, [&] { work(400'000); }));
    two = std::min(two, smallest(1, CLOCK_MONOTONIC, [&] {
                     const std::jthread other([&] { work(200'000); });
                     work(200'000);
                   }));
  }
  return one / two;
}

}  // namespace
}  // namespace polhode

int main(int argc, char** argv) {
  using namespace polhode;
  using namespace polhode::core;
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
  const Body<double> water(Vector<double>{{0.345, 0.653, 1.0}});
  const State<double> start{{{0.5, 0.2, 0.8426}}, {1, 0, 0, 0}};
  Rotor<Exact<double>> exact(water, start);
  Rotor<MoserVeselov<double, 10>> dmv10(water, start);
  const double exact_ns =
      smallest(50, CLOCK_THREAD_CPUTIME_ID, [&] { exact.advance(0.01, 10'000); }) / 10'000;
  const double dmv10_ns =
      smallest(50, CLOCK_THREAD_CPUTIME_ID, [&] { dmv10.advance(0.01, 10'000); }) / 10'000;
  std::cout << "a body alone: exact " << exact_ns << " ns a step, dmv10 " << dmv10_ns
            << " ns\ntwo threads that only compute: " << gain_of_two_threads() << " times one\n\n"
            << "   set  bodies steps           ns a step  to dmv10  two threads\n";
  for (const BatchFunctions* const functions : available_batch_functions())
    for (const std::size_t bodies : {1'024, 100'000}) time_steps(*functions, bodies, dmv10_ns);
  std::cout << '\n';
  bool same = true;
  for (const BatchFunctions* const functions : available_batch_functions()) {
    const std::size_t different = compare(count, *functions);
    std::cout << functions->name << ": " << different << " of " << count
              << " bodies differ from the scalar kernel\n";
    same = same && different == 0;
  }
  return same ? 0 : 1;
}
