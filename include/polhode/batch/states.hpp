// Steps of bodies of one kind, straight from and to arrays of their states.
//
// Batch keeps its bodies between calls, with what compensation knows of them; making and reading one costs many times a
// step. Here a pack of bodies is loaded, stepped by the same kernel and stored.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "polhode/arithmetic/wide_pack.hpp"
#include "polhode/batch/pack_steps.hpp"

namespace POLHODE_CORE {

/// BatchFunctions::advance_states, with the bits of Rotor<Exact<double>>.
class StatePacks {
 public:
  using Job = polhode_shared::StatesJob;
  using Block = polhode_shared::CompensatedBlock;

  explicit StatePacks(const Job& job)
      : job_(job), kinds_(*static_cast<const BatchKinds<double>*>(job.kinds)), turned_(job.axes != nullptr) {
    if (!turned_) return;
    for (std::size_t i = 0; i < 9; ++i) axes_[i / 3][i % 3] = WidePack(job.axes[i], job.axes[9 + i]);
    for (std::size_t i = 0; i < 4; ++i) turn_[i] = WidePack(job.turn[i], job.turn[4 + i]);
  }

  void advance(std::size_t first, std::size_t last, bool* left) const {
    for (; first < last; first += Pack::width, left += Pack::width) {
      const std::size_t present = std::min(Pack::width, last - first);
      Loaded states(job_, first, present);
      Block block;
      begin(states, block);
      PackSteps<double, Summation::compensated>(kinds_, 0, block, 0, inner_time(states)).advance(job_.count);
      end(block, states);
      for (std::size_t lane = 0; lane < present; ++lane) {
        left[lane] = (states.good >> lane & 1U) == 0;
        if (left[lane]) continue;
        for (std::size_t k = 0; k < 3; ++k)
          job_.new_momenta[3 * (first + lane) + k] = states.momentum[k][lane];
        for (std::size_t k = 0; k < 4; ++k)
          job_.new_attitudes[4 * (first + lane) + k] = states.attitude[k][lane];
      }
    }
  }

 private:
  /// The states of a pack as they come or go, in the user's frame; the momenta in inner units.
  struct Loaded {
    Loaded(const Job& job, std::size_t first, std::size_t present) {
      for (std::size_t lane = 0; lane < present; ++lane) {
        const double* const m = job.momenta + 3 * (first + lane);
        const double* const q = job.attitudes + 4 * (first + lane);
        const double largest = std::fmax(std::fmax(std::abs(m[0]), std::abs(m[1])), std::abs(m[2]));
        // Momenta of ordinary size, or none: their exponent is that of a normal number, and scaling loses nothing.
        const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
        const double sum = m[0] + m[1] + m[2] + (q[0] + q[1] + q[2] + q[3]);
        const double norm2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        const bool is_good = ((biased > 123 && biased < 1923) || largest == 0) && std::isfinite(sum) &&
                             norm2 > 0x1p-99 && norm2 < 0x1p99;
        if (!is_good) continue;
        good |= 1U << lane;
        if (largest != 0) exponent[lane] = biased - 1023;
        const double down = power_of_two(-exponent[lane]);
        for (std::size_t k = 0; k < 3; ++k) momentum[k].set(lane, m[k] * down);
        for (std::size_t k = 0; k < 4; ++k) attitude[k].set(lane, q[k]);
      }
    }
    // A lane without a state is a body at rest.
    Vector<Pack> momentum;
    Quaternion<Pack> attitude{1.0, 0.0, 0.0, 0.0};
    std::array<int, Pack::width> exponent{};
    unsigned good = 0;  ///< bit i: lane i holds a state that is done here
  };

  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  }

  /// The step in inner units; in two factors, because one might overflow.
  Pack inner_time(const Loaded& states) const {
    Pack result;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      const int exponent = states.exponent[lane] - job_.inertia_exponent, half = exponent / 2;
      result.set(lane, (job_.h * power_of_two(half)) * power_of_two(exponent - half));
    }
    return result;
  }

  /// The states in the principal frame. Without a turn that is the identity, but for the sign of a zero.
  [[gnu::flatten, gnu::noinline]] void begin(const Loaded& states, Block& block) const {
    if (!turned_) {
      for (std::size_t k = 0; k < 3; ++k) (states.momentum[k] + Pack(0.0)).store(block.sums[k]);
      for (std::size_t k = 0; k < 4; ++k) (states.attitude[k] + Pack(0.0)).store(block.sums[6 + k]);
      for (const std::size_t k : {3, 4, 5, 10, 11, 12, 13}) Pack(0.0).store(block.sums[k]);
      return;
    }
    Vector<WidePack> m;
    Quaternion<WidePack> q{0.0, 0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < 3; ++k) m[k] = states.momentum[k];
    for (std::size_t k = 0; k < 4; ++k) q[k] = states.attitude[k];
    m = axes_ * m;
    q = q * conjugate(turn_);
    for (std::size_t k = 0; k < 3; ++k) store(m[k], block, k, 3 + k);
    for (std::size_t k = 0; k < 4; ++k) store(q[k], block, 6 + k, 10 + k);
  }

  [[gnu::flatten, gnu::noinline]] void end(const Block& block, Loaded& states) const {
    Vector<WidePack> m;
    for (std::size_t k = 0; k < 3; ++k) m[k] = loaded(block, k, 3 + k);
    Quaternion<WidePack> q{0.0, 0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < 4; ++k) q[k] = loaded(block, 6 + k, 10 + k);
    if (turned_) {
      m = transpose(axes_) * m;
      q = q * turn_;
    }
    const WidePack inverse = WidePack(1.0) / sqrt(norm_squared(q));
    Pack up;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) up.set(lane, power_of_two(states.exponent[lane]));
    for (std::size_t k = 0; k < 3; ++k) states.momentum[k] = m[k].high() * up;
    for (std::size_t k = 0; k < 4; ++k) states.attitude[k] = (inverse * q[k]).high();
  }

  static void store(const WidePack& x, Block& block, std::size_t high, std::size_t low) {
    x.high().store(block.sums[high]);
    (x.low() + Pack(0.0)).store(block.sums[low]);  // as Motion::assign leaves the sign of a zero
  }
  static WidePack loaded(const Block& block, std::size_t high, std::size_t low) {
    return WidePack(Pack::load(block.sums[high])) + WidePack(Pack::load(block.sums[low]));
  }

  const Job& job_;
  const BatchKinds<double>& kinds_;
  bool turned_;
  Matrix<WidePack> axes_;
  Quaternion<WidePack> turn_{0.0, 0.0, 0.0, 0.0};
};

}  // namespace POLHODE_CORE
