#include "polhode/batch/batch.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "body.hpp"
#include "boundary.hpp"

namespace polhode::c {
namespace {

/// work(i), with the number of the entry in what it throws.
template <class Work>
auto for_entry(std::size_t i, const Work& work) {
  try {
    return work();
  } catch (const InputError& e) {
    throw InputError("entry " + std::to_string(i) + ", counted from 0: " + e.what());
  }
}

/// prepare(i) comes before the state of entry i is examined; batch_of(states) makes the batch.
template <class Prepare, class BatchOf>
int batch(std::int64_t n, double* momenta, double* attitudes, double h, std::int64_t count,
          std::int64_t threads, const Prepare& prepare, const BatchOf& batch_of) {
  return guarded([&] {
    const std::size_t size = require_size(n, 7);
    require_step(h, count);
    require(threads >= 0, "the number of threads is negative");
    if (size == 0) return;
    require_pointer(momenta, "momenta");
    require_pointer(attitudes, "attitudes");
    std::vector<State<double>> states(size);
    for (std::size_t i = 0; i < size; ++i) {
      states[i] = read_state(momenta + 3 * i, attitudes + 4 * i);
      for_entry(i, [&] {
        prepare(i);
        examine(states[i]);
      });
    }
    Batch all = batch_of(std::span<const State<double>>(states));
    constexpr std::int64_t most_threads = 1024;
    all.steps(h, count, static_cast<unsigned>(std::min(threads, most_threads)));
    std::vector<double> m(3 * size), q(4 * size);  // so that an error leaves the states as they were
    for (std::size_t i = 0; i < size; ++i)
      for_entry(i, [&] { write_state(all.state(i), &m[3 * i], &q[4 * i]); });
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
  return batch(
      n, momenta, attitudes, h, count, threads, [](std::size_t) {},
      [&](const auto& states) { return polhode::Batch(body->body, states); });
}

int polhode_batch_steps_mixed(const double* moments, int64_t n, double* momenta, double* attitudes, double h,
                              int64_t count, int64_t threads) {
  if (moments == nullptr && n > 0) return fail(POLHODE_INVALID_ARGUMENT, "moments is a null pointer");
  std::vector<polhode::Body<double>> bodies;
  return batch(
      n, momenta, attitudes, h, count, threads,
      [&](std::size_t i) {
        const double* const m = moments + 3 * i;
        bodies.emplace_back(polhode::Vector<double>{{m[0], m[1], m[2]}});
      },
      [&](const auto& states) { return polhode::Batch(bodies, states); });
}
