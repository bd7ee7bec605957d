#include "laboratory/ensemble.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "laboratory/error.hpp"
#include "laboratory/interrupt.hpp"
#include "laboratory/progress.hpp"

namespace polhode::laboratory {

namespace {

/// Workers take the units in turn; what they finish waits here for the one thread that writes.
class Workers {
 public:
  struct Finished {
    std::size_t unit;
    std::vector<double> record;
  };

  Workers(const Experiment& experiment, std::vector<std::size_t> units, unsigned threads)
      : experiment_(experiment), units_(std::move(units)) {
    threads = std::min<unsigned>(threads, static_cast<unsigned>(std::max<std::size_t>(units_.size(), 1)));
    running_ = threads;
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Workers() { stop_ = true; }  // and the threads are joined

  /// Waits a little for a record. Rethrows what a unit threw.
  std::optional<Finished> next() {
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, std::chrono::milliseconds(100), [&] { return !done_.empty() || running_ == 0; });
    if (!done_.empty()) {
      Finished result = std::move(done_.front());
      done_.pop_front();
      return result;
    }
    if (trouble_) std::rethrow_exception(trouble_);
    return std::nullopt;
  }
  bool over() {
    const std::lock_guard lock(mutex_);
    return done_.empty() && running_ == 0;
  }

 private:
  void work() {
    std::exception_ptr trouble;
    try {
      for (std::size_t i = next_++; i < units_.size() && !stop_; i = next_++) {
        Finished finished{units_[i], std::vector<double>(experiment_.record_size)};
        stop_if_interrupted();
        experiment_.compute(finished.unit, finished.record);
        const std::lock_guard lock(mutex_);
        done_.push_back(std::move(finished));
        ready_.notify_one();
      }
    } catch (const Interrupted&) {
    } catch (...) {
      trouble = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    if (trouble) trouble_ = trouble;
    --running_;
    ready_.notify_one();
  }

  const Experiment& experiment_;
  std::vector<std::size_t> units_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Finished> done_;
  std::exception_ptr trouble_;
  unsigned running_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace

void compute_missing(const Experiment& experiment, CheckpointFile& checkpoint, unsigned threads,
                     const std::string& progress_title) {
  std::vector<std::size_t> missing;
  for (std::size_t unit = 0; unit < experiment.units; ++unit)
    if (!checkpoint.records().known(unit)) missing.push_back(unit);
  if (missing.empty()) return;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  if (experiment.timing) threads = 1;

  Progress progress(progress_title);
  Workers workers(experiment, missing, threads);
  std::size_t done = 0;
  while (!workers.over()) {
    if (const auto finished = workers.next()) {
      checkpoint.append(finished->unit, finished->record);
      ++done;
    }
    progress.update(static_cast<double>(done) / static_cast<double>(missing.size()));
  }
  if (done < missing.size())
    throw RunError(experiment.name + ": interrupted; the same command continues where it was");
}

}  // namespace polhode::laboratory
