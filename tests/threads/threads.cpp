// Everything that shares memory among threads, for the sanitizer of threads: the batches, the workers of the core, and the units of
// ensembles and experiments, one by one and together, with one that fails and one that is interrupted. The results are those of one thread.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "polhode/batch/batch.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "polhode/stepping/workers.hpp"
#include "polhode/torque/damping.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "run/interrupt.hpp"
#include "scenario/error.hpp"
#include "work/executor.hpp"

namespace {

using namespace polhode;
using namespace polhode::program;

void require(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "threads: %s\n", what);
  std::exit(1);
}

void batches() {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;
  for (int i = 0; i < 3000; ++i) {
    bodies.emplace_back(Vector<double>(1.0, 2.0 + 0.001 * i, 4.0));
    states.push_back({{0.1, 1.0, 0.001 * i}, {1, 0, 0, 0}});
  }
  std::vector<State<double>> expected;
  for (const unsigned threads : {1U, 2U, 8U}) {
    Batch batch(bodies, states);
    batch.set_threads(threads);
    for (const double h : {0.01, 0.2, 5.0}) batch.advance(h, 2);
    std::vector<State<double>> found;
    for (std::size_t i = 0; i < batch.size(); ++i) found.push_back(batch.state(i));
    if (threads == 1) expected = found;
    require(found == expected, "the batch depends on the number of threads");
  }
}

/// Bodies under torque. They are looked at from several threads at once, which needs the exponentials of the damping.
void driven_batches() {
  std::vector<State<double>> states;
  for (int i = 0; i < 1000; ++i) states.push_back({{0.1, 1.0, 0.001 * i}, {1, 0, 0, 0}});
  const Body<double> body(Vector<double>(1.0, 2.0, 4.0));
  TorqueList<double> torques(UniformField<double>({0, 0, -1}, {0, 0, 0.5}));
  torques.add(torques::Damping<double>(0.1));
  std::vector<State<double>> expected;
  for (const unsigned threads : {1U, 2U, 8U}) {
    DrivenBatch batch(body, states, torques);
    batch.set_threads(threads);
    for (const double h : {0.01, 0.02}) batch.advance(h, 3);
    // One that goes on elsewhere knows no exponential yet: the first who looks computes it.
    DrivenBatch again(body, states, torques);
    again.restore(batch.save());
    std::vector<std::vector<State<double>>> found(4);
    {
      std::vector<std::jthread> lookers;
      for (auto& one : found) lookers.emplace_back([&] { one = again.state(); });
    }
    if (threads == 1) expected = found[0];
    for (const auto& one : found) require(one == expected, "the driven batch depends on the threads");
  }
}

/// Two callers of the same workers.
void shared_workers() {
  polhode::core::Workers threads(4);
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 2; ++caller)
    callers.emplace_back([&threads] {
      std::vector<std::size_t> counts(200);
      for (int round = 0; round < 100; ++round)
        threads.run(counts.size(), [&](std::size_t part) { ++counts[part]; });
      for (const std::size_t count : counts) require(count == 100, "a part of one of two callers is lost");
    });
}

void workers() {
  polhode::core::Workers threads(4);
  std::vector<std::size_t> squares(1000);
  for (int round = 0; round < 50; ++round) {
    threads.run(squares.size(), [&](std::size_t part) { squares[part] += part * part; });
    for (std::size_t i = 0; i < squares.size(); i += 100)
      require(squares[i] == static_cast<std::size_t>(round + 1) * i * i, "a part is lost");
  }
}

Work sums() {
  Work work;
  work.name = "sums";
  work.units = 200;
  work.record_size = 2;
  work.compute = [](std::size_t unit, std::span<double> record) {
    record[0] = 0.0;
    for (std::size_t i = 0; i <= unit * 100; ++i) record[0] += static_cast<double>(i);
    record[1] = static_cast<double>(unit);
  };
  return work;
}

/// The same, several units in one call.
Work sums_together() {
  Work work = sums();
  work.together = 16;
  work.compute_together = [one = work.compute](std::span<const std::size_t> units,
                                               std::span<std::vector<double>> records) {
    for (std::size_t i = 0; i < units.size(); ++i) one(units[i], records[i]);
  };
  return work;
}

std::vector<double> computed(const std::string& file, const Work& work, unsigned threads) {
  ::unlink(file.c_str());
  Ranks ranks;
  RecordFile records(file, record_identity({{"threads", "1"}}), work.units, work.record_size, true);
  compute_missing(work, records, threads, "", ranks);
  const Records all = records.records();
  std::vector<double> result;
  for (std::size_t i = 0; i < all.units(); ++i) result.insert(result.end(), all[i].begin(), all[i].end());
  records.discard();
  return result;
}

void units() {
  std::string folder = "/tmp/polhode-threads-XXXXXX";
  require(::mkdtemp(folder.data()) != nullptr, "there is no temporary folder");
  const std::string file = folder + "/records";
  const auto expected = computed(file, sums(), 1);
  for (const unsigned threads : {2U, 8U})
    for (const Work& work : {sums(), sums_together()})
      require(computed(file, work, threads) == expected, "the records depend on the number of threads");

  Work failing = sums();
  failing.compute = [](std::size_t unit, std::span<double>) {
    if (unit == 50) throw RunError("unit 50");
  };
  bool failed = false;
  try {
    computed(file, failing, 4);
  } catch (const RunError&) {
    failed = true;
  }
  require(failed, "a failed unit goes unnoticed");

  const InterruptGuard guard;
  Work interrupted = sums();
  interrupted.compute = [](std::size_t unit, std::span<double> record) {
    if (unit == 20) std::raise(SIGINT);
    stop_if_interrupted();
    record[0] = record[1] = 0.0;
  };
  bool stopped = false;
  try {
    computed(file, interrupted, 4);
  } catch (const RunError&) {
    stopped = true;
  }
  require(stopped, "an interruption goes unnoticed");
  ::unlink(file.c_str());
  ::rmdir(folder.c_str());
}

}  // namespace

int main() {
  std::signal(SIGINT, SIG_DFL);  // which a shell may have told a process behind it to ignore
  batches();
  driven_batches();
  workers();
  shared_workers();
  units();
  std::puts("threads: no race");
}
