// The rows of the exact flow that are not a method of the list: at a constant step, and many bodies at once.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "batch/instruction_set.hpp"
#include "bench/row_source.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/fixed_step.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace polhode::program {

namespace {

template <class Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The largest energy error over a thousand samples, and the attitude at the end.
template <class Advance, class Invariants, class State>
BenchErrors errors_of(const BenchProblem& problem, const BenchJob& job, Advance&& advance,
                      Invariants&& invariants, State&& wide_state) {
  const DoubleDouble initial(invariants().energy);
  BenchErrors errors;
  const std::int64_t samples = std::min<std::int64_t>(job.steps, 1000);
  for (std::int64_t i = 0; i < samples; ++i) {
    advance(job.steps * (i + 1) / samples - job.steps * i / samples);
    const double error = std::abs(static_cast<double>(DoubleDouble(invariants().energy) - initial));
    errors.energy = error <= errors.energy ? errors.energy : error;
  }
  const DoubleDouble time = DoubleDouble(static_cast<double>(job.steps)) * DoubleDouble(job.step);
  errors.attitude = problem.attitude_error(convert<DoubleDouble>(wide_state().attitude), time);
  return errors;
}

RowSource fixed_step(const BenchProblem& problem, const BenchJob& job) {
  const auto rotor =
      std::make_shared<FixedStepRotor<double>>(Body<double>(problem.moments), problem.initial, job.step);
  const auto errors = [=] {
    FixedStepRotor<double> fresh(Body<double>(problem.moments), problem.initial, job.step);
    return errors_of(
        problem, job, [&](std::int64_t n) { fresh.advance(n); }, [&] { return fresh.invariants(); },
        [&] { return fresh.wide_state(); });
  };
  const auto round = [=] {
    return seconds_of([&] { rotor->advance(job.timed_steps); }) / static_cast<double>(job.timed_steps);
  };
  return {"exact-fixed-step", "free motion, constants computed once, compensated", errors, round};
}

/// Without compensation, alone.
RowSource plain(const BenchProblem& problem, const BenchJob& job) {
  using Plain = Rotor<Exact<double>, Summation::plain>;
  const auto rotor = std::make_shared<Plain>(Body<double>(problem.moments), problem.initial);
  const auto errors = [=] {
    Plain fresh(Body<double>(problem.moments), problem.initial);
    return errors_of(
        problem, job, [&](std::int64_t n) { fresh.advance(job.step, n); }, [&] { return fresh.invariants(); },
        [&] { return fresh.wide_state(); });
  };
  const auto round = [=] {
    return seconds_of([&] { rotor->advance(job.step, job.timed_steps); }) /
           static_cast<double>(job.timed_steps);
  };
  return {"exact-plain", "for information, uncompensated", errors, round};
}

/// A batch has the bits of the scalar kernel, so its errors are those of one of its bodies over the whole job.
template <class T, class B>
RowSource batch(const char* name, unsigned threads, const char* note, const BenchProblem& problem,
                const BenchJob& job) {
  constexpr std::size_t bodies = 1024;
  const std::vector<State<T>> states(bodies, convert<T>(problem.initial));
  const Body<T> body(convert<T>(problem.moments));
  const T step = static_cast<T>(job.step);
  const auto many = std::make_shared<B>(body, states, batch_functions());
  many->set_threads(threads);
  const auto errors = [=] {
    B few(body, std::span(states).first(1), batch_functions());
    return errors_of(
        problem, job, [&](std::int64_t n) { few.advance(step, n); }, [&] { return few.invariants(0); },
        [&] { return few.wide_state(0); });
  };
  const auto round = [=] {
    // About a millisecond, as for the other rows: short enough to be left alone now and then. With threads more, because
    // what is to be seen is how they work, not how they wake up.
    const std::int64_t share = threads == 1 ? 4 : 64;
    const std::int64_t steps =
        std::max<std::int64_t>(1, share * job.timed_steps / static_cast<std::int64_t>(bodies));
    return seconds_of([&] { many->advance(step, steps); }) / static_cast<double>(steps * bodies);
  };
  return {name, note, errors, round};
}

}  // namespace

void append_flows(std::vector<RowSource>& sources, const BenchProblem& problem, const BenchJob& job) {
  sources.push_back(fixed_step(problem, job));
  sources.push_back(plain(problem, job));
  sources.push_back(
      batch<double, Batch>("exact-batch", 1, "a body and step of 1024 bodies, one thread", problem, job));
  sources.push_back(batch<double, Batch>(
      "exact-batch-threads", 0, "a body and step of 1024 bodies, all threads of the machine", problem, job));
  sources.push_back(batch<double, PlainBatch<double>>(
      "exact-batch-plain", 1, "a body and step of 1024 bodies, one thread, uncompensated", problem, job));
  sources.push_back(batch<float, PlainBatch<float>>(
      "exact-batch-float", 1, "a body and step of 1024 bodies, one thread, float", problem, job));
}

}  // namespace polhode::program
