#include "work/executor.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Workers take the units in turn; what they finish waits here for the one thread that writes.
class Workers {
 public:
  struct Finished {
    std::size_t unit;
    std::vector<double> record;
  };

  Workers(const Work& work, std::vector<std::size_t> units, unsigned threads)
      : work_(work), units_(std::move(units)) {
    threads = std::min<unsigned>(threads, static_cast<unsigned>(std::max<std::size_t>(units_.size(), 1)));
    at_once_ = at_once(work_, units_.size(), threads);
    running_ = threads;
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { take_units(); });
  }
  ~Workers() { stop(); }  // and the threads are joined

  /// Waits a little for a record. Rethrows what a unit threw.
  std::optional<Finished> next() {
    std::unique_lock lock(mutex_);
    if (done_.empty() && running_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ready_.wait_for(lock, std::chrono::milliseconds(100), [&] { return !done_.empty() || running_ == 0; });
    if (!done_.empty()) {
      Finished result = std::move(done_.front());
      done_.pop_front();
      room_.notify_one();
      return result;
    }
    if (trouble_) std::rethrow_exception(trouble_);
    return std::nullopt;
  }
  /// Rethrows what a unit threw: that may be after the last call of next().
  bool over() {
    const std::lock_guard lock(mutex_);
    if (!done_.empty() || running_ != 0) return false;
    if (trouble_) std::rethrow_exception(trouble_);
    return true;
  }
  /// The units under way end as soon as they look; those that wait are not begun.
  void stop() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    room_.notify_all();
  }

 private:
  /// As many as make a turn worth it, and few enough that every thread has several turns.
  static std::size_t at_once(const Work& work, std::size_t units, unsigned threads) {
    if (!work.compute_together) return 1;
    constexpr std::size_t turns = 4;
    return std::clamp<std::size_t>(units / (turns * threads), 1, work.together);
  }

  void put(Finished finished) {
    std::unique_lock lock(mutex_);
    // A disk slower than the processors shall not fill the memory.
    room_.wait(lock, [&] { return done_.size() < waiting_at_most_ || stop_; });
    done_.push_back(std::move(finished));
    ready_.notify_one();
  }

  void take_units() {
    const StopsWith the_others(stop_);
    std::exception_ptr trouble;
    try {
      for (std::size_t i = next_.fetch_add(at_once_); i < units_.size() && !stop_;
           i = next_.fetch_add(at_once_)) {
        stop_if_interrupted();
        const std::span<const std::size_t> units =
            std::span(units_).subspan(i, std::min(at_once_, units_.size() - i));
        std::vector<std::vector<double>> records(units.size(), std::vector<double>(work_.record_size));
        if (units.size() > 1) {
          work_.compute_together(units, records);
        } else {
          work_.compute(units[0], records[0]);
        }
        for (std::size_t k = 0; k < units.size(); ++k) put({units[k], std::move(records[k])});
      }
    } catch (const Interrupted&) {
    } catch (...) {
      trouble = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    if (trouble) room_.notify_all();
    if (trouble) trouble_ = trouble;
    --running_;
    ready_.notify_one();
  }

  const Work& work_;
  std::vector<std::size_t> units_;
  std::size_t at_once_ = 1;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Finished> done_;
  std::size_t waiting_at_most_ = std::max<std::size_t>(4, (std::size_t{1} << 23) / (work_.record_size + 1));
  std::exception_ptr trouble_;
  unsigned running_ = 0;
  std::vector<std::jthread> threads_;
};

/// Every size-th of the units. What measures time is for the first rank alone.
std::vector<std::size_t> share(const Work& work, const std::vector<std::size_t>& missing,
                               const Ranks& ranks) {
  if (work.timing) return ranks.first() ? missing : std::vector<std::size_t>{};
  std::vector<std::size_t> result;
  for (std::size_t i = static_cast<std::size_t>(ranks.rank()); i < missing.size();
       i += static_cast<std::size_t>(ranks.size()))
    result.push_back(missing[i]);
  return result;
}

/// Where there are several ranks, one that fails in the middle would leave the others waiting.
template <class Action>
void end_all_on_failure(Ranks& ranks, Action&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    if (ranks.size() == 1) throw;
    std::fputs(("polhode: " + shortened(one_line(error.what()), 1000) + "\n").c_str(), stderr);
    ranks.abort(1);
  }
}

unsigned thread_count(const Work& work, unsigned threads) {
  if (work.timing) return 1;
  return threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
}

}  // namespace

void compute_missing(const Work& work, RecordFile& checkpoint, unsigned threads,
                     const std::string& progress_title, Ranks& ranks) {
  std::vector<std::size_t> missing;
  for (std::size_t unit = 0; unit < work.units; ++unit)
    if (!checkpoint.known(unit)) missing.push_back(unit);
  if (missing.empty()) return;
  std::vector<std::uint64_t> job{checksum(work.name)};
  job.insert(job.end(), missing.begin(), missing.end());
  ranks.broadcast(job);

  Progress progress(progress_title);
  Workers workers(work, share(work, missing, ranks), thread_count(work, threads));
  std::size_t done = 0;
  int helpers = ranks.size() - 1;
  bool told = false;
  const auto keep = [&](std::size_t unit, const std::vector<double>& record) {
    checkpoint.append(unit, record);
    ++done;
  };
  end_all_on_failure(ranks, [&] {
    while (!workers.over() || helpers > 0) {
      if (const auto finished = workers.next()) keep(finished->unit, finished->record);
      while (const auto message = ranks.receive()) {
        if (message->unit)
          keep(*message->unit, message->record);
        else
          --helpers;
      }
      if (InterruptGuard::interrupted() && !std::exchange(told, true)) ranks.stop_helpers();
      progress.update((static_cast<double>(done) + (work.under_way ? work.under_way() : 0.0)) /
                      static_cast<double>(missing.size()));
    }
  });
  checkpoint.bring_to_disk();
  if (done < missing.size())
    throw RunError(work.name + ": interrupted; the same command continues where it was");
}

bool help_with(const std::function<const Work&(std::uint64_t)>& find, unsigned threads, Ranks& ranks) {
  std::vector<std::uint64_t> job;
  ranks.broadcast(job);
  if (job.empty()) {
    ranks.told_to_stop();  // a word that came too late is taken from the way
    return false;
  }
  const Work& work = find(job[0]);
  Workers workers(work, share(work, {job.begin() + 1, job.end()}, ranks), thread_count(work, threads));
  end_all_on_failure(ranks, [&] {
    while (!workers.over()) {
      if (auto finished = workers.next()) ranks.send({finished->unit, std::move(finished->record)});
      if (ranks.told_to_stop()) workers.stop();
    }
  });
  ranks.send({});
  return true;
}

void dismiss_helpers(Ranks& ranks) {
  std::vector<std::uint64_t> nothing;
  ranks.broadcast(nothing);
}

}  // namespace polhode::program
