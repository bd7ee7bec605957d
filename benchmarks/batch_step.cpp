// The C++ batch, for benchmarks/python.py to compare polhode.step() with: 10^5 water molecules, one short step, one thread.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "batch/instruction_set.hpp"
#include "polhode/batch/batch.hpp"

namespace {

using polhode::Batch;
using polhode::Body;
using polhode::State;

constexpr std::size_t count = 100'000;
constexpr double step = 0.003;  // short for nearly all of the momenta

const Body<double>& water() {
  static const Body<double> body(polhode::Vector<double>{{0.345, 0.653, 1.0}});
  return body;
}

std::vector<State<double>> states() {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<State<double>> result(count);
  for (State<double>& s : result) {
    for (double& x : s.momentum.c) x = normal(engine);
    for (double& x : s.attitude.c) x = normal(engine);
    s.attitude = normalized(s.attitude);
  }
  return result;
}

/// The steps alone, of bodies that the batch has already.
void steps_alone(benchmark::State& run) {
  Batch batch(water(), states(), polhode::core::batch_functions());
  for (auto _ : run) batch.advance(step, 1);
}

/// What polhode.step() does: from states in memory to states in memory.
void from_states_to_states(benchmark::State& run) {
  const std::vector<State<double>> before = states();
  std::vector<State<double>> after(count);
  for (auto _ : run) {
    Batch batch(water(), before, polhode::core::batch_functions());
    batch.advance(step, 1);
    for (std::size_t i = 0; i < count; ++i) after[i] = batch.state(i);
    benchmark::DoNotOptimize(after.data());
  }
}

BENCHMARK(steps_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(from_states_to_states)->Unit(benchmark::kMillisecond);

}  // namespace
