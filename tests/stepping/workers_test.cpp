// Threads that wait for work: every part is done once, whoever does it.
#include "polhode/stepping/workers.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

namespace POLHODE_CORE {
namespace {

TEST(Workers, DoEveryPartOnce) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (std::size_t parts = 0; parts < 300; ++parts) {
      std::vector<int> done(parts);
      workers.run(parts, [&](std::size_t part) { ++done[part]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1));
    }
  }
}

TEST(Workers, AreSeveralThreads) {
  Workers workers(3);
  std::set<std::thread::id> seen;
  std::mutex mutex;
  std::atomic<int> present{0};
  workers.run(3, [&](std::size_t) {
    ++present;
    while (present < 3) std::this_thread::yield();  // none of them is done before all have begun
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen.count(std::this_thread::get_id()), 1U);
}

TEST(Workers, ServeOneAtATimeAndLetTheOthersWorkAlone) {
  Workers workers(4);
  std::atomic<std::size_t> sum{0};
  const auto add = [&](std::size_t) { sum += 1; };
  // From within a work, and from several threads at once.
  workers.run(5, [&](std::size_t) { workers.run(7, add); });
  EXPECT_EQ(sum, 35U);
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller)
      callers.emplace_back([&] {
        for (int i = 0; i < 200; ++i) workers.run(10, add);
      });
  }
  EXPECT_EQ(sum, 35U + 4 * 200 * 10);
}

TEST(Workers, SleepAndComeBack) {
  Workers workers(2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<int> present{0};
    workers.run(2, [&](std::size_t) {
      ++present;
      while (present < 2) std::this_thread::yield();
    });
    EXPECT_EQ(present, 2);
  }
}

TEST(Workers, ShareARangeWithoutGaps) {
  Workers workers(3);
  for (Workers* const given : {static_cast<Workers*>(nullptr), &workers}) {
    for (const std::size_t size : {0U, 1U, 10U, 11U, 999U}) {
      std::vector<int> done(size);
      share_range(given, size, 10, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) ++done[i];
      });
      EXPECT_EQ(done, std::vector<int>(size, 1));
    }
  }
}

}  // namespace
}  // namespace POLHODE_CORE
