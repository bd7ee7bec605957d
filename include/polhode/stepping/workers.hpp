// Threads that wait for work: steps share their work among them without starting a thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// Threads that are started once. The caller's thread works, too, and never waits for one that has not begun: a thread that
/// comes late, or not at all, holds nobody up.
class Workers {
 public:
  /// So many threads with the caller's one; 0 means as many as the machine has. Fewer if the system gives no more.
  explicit Workers(unsigned threads) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    threads = std::min(threads, most_threads);
    others_.reserve(threads - 1);
    try {
      for (unsigned i = 1; i < threads; ++i) others_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The work is done by those that there are.
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    state_.fetch_or(closing);
    state_.notify_all();
  }  // and the threads are joined

  std::size_t threads() const { return others_.size() + 1; }

  /// work(part) for each part from 0 to parts - 1, by whichever thread is free; returns when all are done. work does not throw. While
  /// another call is at work, this one is done by its caller alone.
  template <class Work>
  void run(std::size_t parts, const Work& work) {
    if (parts < 2 || others_.empty() || busy_.test_and_set(std::memory_order_acquire)) {
      for (std::size_t part = 0; part < parts; ++part) work(part);
      return;
    }
    work_ = &work;
    call_ = [](const void* w, std::size_t part) { (*static_cast<const Work*>(w))(part); };
    parts_ = parts;
    next_.store(0, std::memory_order_relaxed);
    state_.fetch_add(generation | open, std::memory_order_release);
    state_.notify_all();
    take_parts();
    std::uint32_t state = state_.fetch_sub(open, std::memory_order_acq_rel) - open;
    for (unsigned looks = 0; (state & present) != 0; state = state_.load(std::memory_order_acquire))
      look_away(looks, state);
    busy_.clear(std::memory_order_release);
  }

 private:
  // The state in one number: how many of the others are present, whether there is work, whether the end has come, and a count
  // that tells one work from the next.
  static constexpr std::uint32_t present = 0xfff, open = 0x1000, closing = 0x2000, generation = 0x4000;
  static constexpr unsigned most_threads = 1024;
  /// Looks at the state before a thread sleeps: about as long as the parts of a step that one thread does alone.
  static constexpr unsigned looks_before_sleep = 4000;

  void look_away(unsigned& looks, std::uint32_t state) {
    if (++looks > looks_before_sleep) return state_.wait(state, std::memory_order_acquire);
#if defined(__SSE2__)
    __builtin_ia32_pause();
#endif
  }

  void take_parts() {
    for (std::size_t part = next_.fetch_add(1, std::memory_order_relaxed); part < parts_;
         part = next_.fetch_add(1, std::memory_order_relaxed))
      call_(work_, part);
  }

  void serve() {
    std::uint32_t done = 0;  // the count of the work that this thread has seen the end of
    for (unsigned looks = 0;;) {
      std::uint32_t state = state_.load(std::memory_order_acquire);
      if ((state & closing) != 0) return;
      if ((state & open) == 0 || (state & ~(generation - 1)) == done) {
        look_away(looks, state);
        continue;
      }
      // To be present while the work is open keeps it there.
      if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
      take_parts();
      done = state & ~(generation - 1);
      if ((state_.fetch_sub(1, std::memory_order_acq_rel) & (present | open)) == 1) state_.notify_all();
      looks = 0;
    }
  }

  std::atomic<std::uint32_t> state_{0};
  std::atomic_flag busy_{};
  const void* work_ = nullptr;
  void (*call_)(const void*, std::size_t) = nullptr;
  std::size_t parts_ = 0;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> others_;  // the last member: they are joined while the others are there
};

/// work(part) for each part, by the workers if there are some.
template <class Work>
void share(Workers* workers, std::size_t parts, const Work& work) {
  if (workers != nullptr) return workers->run(parts, work);
  for (std::size_t part = 0; part < parts; ++part) work(part);
}

/// work(first, last) for pieces of 0..size, by the workers if there are some; `least` is the smallest piece that is worth it.
template <class Work>
void share_range(Workers* workers, std::size_t size, std::size_t least, const Work& work) {
  if (workers == nullptr || size <= least) return work(std::size_t{0}, size);
  const std::size_t parts = std::min(8 * workers->threads(), (size + least - 1) / least);
  workers->run(parts, [&](std::size_t part) { work(size * part / parts, size * (part + 1) / parts); });
}

}  // namespace POLHODE_CORE
