#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "body.hpp"
#include "boundary.hpp"

namespace polhode::c {
namespace {

/// Calls work(i) for 0 <= i < n from several threads. If calls throw, one with the smallest i among them counts, whatever
/// the number of threads: it is thrown here.
template <class Work>
void for_each_index(std::size_t n, std::int64_t threads, const Work& work) {
  constexpr std::size_t most_threads = 1024;
  constexpr std::size_t largest_block = 256;
  const std::size_t wanted =
      threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : static_cast<std::uint64_t>(threads);
  const std::size_t workers = std::min({wanted, n, most_threads});
  const std::size_t block = std::clamp<std::size_t>(n / (8 * workers), 1, largest_block);

  // Blocks are given out in order: when one fails, all before it are in somebody's hands already.
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::size_t failed_index = n;
  std::exception_ptr failure;
  const auto run = [&]() noexcept {
    while (!failed) {
      const std::size_t begin = next.fetch_add(block);
      if (begin >= n) return;
      std::size_t i = begin;
      try {
        for (const std::size_t end = std::min(begin + block, n); i < end; ++i) work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = true;
        if (i < failed_index) {
          failed_index = i;
          failure = std::current_exception();
        }
      }
    }
  };

  std::vector<std::thread> helpers;
  helpers.reserve(workers - 1);
  try {
    while (helpers.size() + 1 < workers) helpers.emplace_back(run);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that run share the work.
  }
  run();
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

/// body_of(i) is the body with the number i.
template <class BodyOf>
int batch(std::int64_t n, double* momenta, double* attitudes, double h, std::int64_t count,
          std::int64_t threads, const BodyOf& body_of) {
  return guarded([&] {
    const std::size_t size = require_size(n, 7);
    require_step(h, count);
    require(threads >= 0, "the number of threads is negative");
    if (size == 0) return;
    require_pointer(momenta, "momenta");
    require_pointer(attitudes, "attitudes");
    std::vector<double> m(3 * size), q(4 * size);  // so that an error leaves the states as they were
    for_each_index(size, threads, [&](std::size_t i) {
      try {
        const State<double> s = read_state(momenta + 3 * i, attitudes + 4 * i);
        write_state(advance(body_of(i), s, h, count), &m[3 * i], &q[4 * i]);
      } catch (const InputError& e) {
        throw InputError("entry " + std::to_string(i) + ", counted from 0: " + e.what());
      }
    });
    std::copy(m.begin(), m.end(), momenta);
    std::copy(q.begin(), q.end(), attitudes);
  });
}

}  // namespace
}  // namespace polhode::c

using namespace polhode::c;

int polhode_batch_steps(const polhode_body* body, int64_t n, double* momenta, double* attitudes, double h,
                        int64_t count, int64_t threads) {
  if (body == nullptr) return fail(POLHODE_INVALID_ARGUMENT, "body is a null pointer");
  return batch(n, momenta, attitudes, h, count, threads,
               [&](std::size_t) -> const polhode_body& { return *body; });
}

int polhode_batch_steps_mixed(const double* moments, int64_t n, double* momenta, double* attitudes, double h,
                              int64_t count, int64_t threads) {
  if (moments == nullptr && n > 0) return fail(POLHODE_INVALID_ARGUMENT, "moments is a null pointer");
  return batch(n, momenta, attitudes, h, count, threads, [&](std::size_t i) {
    const double* const m = moments + 3 * i;
    return polhode_body(polhode::Body<double>(polhode::Vector<double>{{m[0], m[1], m[2]}}));
  });
}
