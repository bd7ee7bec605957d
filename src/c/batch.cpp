#include "polhode/batch/batch.hpp"

#include <algorithm>
#include <vector>

#include "batch/instruction_set.hpp"
#include "body.hpp"
#include "boundary.hpp"
#include "polhode/batch/parallel_for.hpp"

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

/// prepare(i) comes before the state of entry i is examined. steps(arrays, size, threads) writes the new states to where an
/// error leaves the caller's as they were.
template <class Prepare, class Steps>
int batch(std::int64_t n, double* momenta, double* attitudes, double h, std::int64_t count,
          std::int64_t threads, const Prepare& prepare, const Steps& steps) {
  return guarded([&] {
    const std::size_t size = require_size(n, 7);
    require_step(h, count);
    require(threads >= 0, "the number of threads is negative");
    if (size == 0) return;
    require_pointer(momenta, "momenta");
    require_pointer(attitudes, "attitudes");
    for (std::size_t i = 0; i < size; ++i) {
      for_entry(i, [&] {
        prepare(i);
        examine(read_state(momenta + 3 * i, attitudes + 4 * i));
      });
    }
    std::vector<double> m(3 * size), q(4 * size);
    constexpr std::int64_t most_threads = 1024;
    steps(StateArrays{momenta, attitudes, m.data(), q.data()}, size,
          static_cast<unsigned>(std::min(threads, most_threads)));
    for (std::size_t i = 0; i < size; ++i)
      for_entry(i, [&] { require_finite(read_state(&m[3 * i], &q[4 * i])); });
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
      [&](const polhode::StateArrays& states, std::size_t size, unsigned wished) {
        const polhode::StateSteps steps(body->body, polhode::core::batch_functions());
        polhode::core::parallel_for(size, wished, [&](std::size_t first, std::size_t last) {
          steps.advance(states, first, last, h, count, [](std::size_t, const auto&) {});
        });
      });
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
      [&](const polhode::StateArrays& states, std::size_t size, unsigned wished) {
        std::vector<polhode::State<double>> all(size);
        for (std::size_t i = 0; i < size; ++i)
          all[i] = read_state(states.momenta + 3 * i, states.attitudes + 4 * i);
        polhode::Batch batch(bodies, all, polhode::core::batch_functions());
        batch.set_threads(wished);
        batch.advance(h, count);
        for (std::size_t i = 0; i < size; ++i) {
          const polhode::State<double> s = batch.state(i);
          std::copy(s.momentum.c.begin(), s.momentum.c.end(), states.new_momenta + 3 * i);
          std::copy(s.attitude.c.begin(), s.attitude.c.end(), states.new_attitudes + 4 * i);
        }
      });
}

const char* polhode_instruction_set() {
  const char* name = nullptr;
  guarded([&] { name = polhode::core::batch_functions().name; });
  return name;
}
