// Work that is shared among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// work(first, last) for pieces of 0..size, in at most the given number of threads, the caller's one among them; 0 means as
/// many as the machine has. work does not throw.
///
/// The caller's thread begins, and others are started if what it needs for a small piece says that it is worth it. A thread
/// takes the next piece when it has done one: those that start late or are interrupted hold nobody up.
template <class Work>
void parallel_for(std::size_t size, std::size_t threads, const Work& work) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::size_t begun = 0;
  if (threads > 1 && size > 1) {
    begun = 1 + size / 256;
    const auto start = std::chrono::steady_clock::now();
    work(std::size_t{0}, begun);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const double rest = passed.count() * static_cast<double>(size - begun) / static_cast<double>(begun);
    // To start n threads and to share the rest takes n start_of_thread + rest/n.
    constexpr double start_of_thread = 20e-6;
    threads = static_cast<std::size_t>(
        std::clamp(std::sqrt(rest / start_of_thread), 1.0, static_cast<double>(threads)));
  }
  constexpr std::size_t pieces_of_thread = 16;
  const std::size_t piece =
      threads == 1 ? size : std::max<std::size_t>(1, (size - begun) / (pieces_of_thread * threads));
  std::atomic<std::size_t> next{begun};
  const auto take_pieces = [&] {
    for (std::size_t first = next.fetch_add(piece); first < size; first = next.fetch_add(piece))
      work(first, std::min(first + piece, size));
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < threads && begun + i * piece < size; ++i) others.emplace_back(take_pieces);
  } catch (const std::system_error&) {
    // The system gives no more threads: the rest is done here.
  }
  take_pieces();
}

}  // namespace POLHODE_CORE
