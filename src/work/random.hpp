// Random numbers that depend on their seed alone, on every machine: SplitMix64. The distributions of <random> differ from one
// library to the next.
#pragma once

#include <cstdint>

namespace polhode::program {

/// The increment and the finaliser of SplitMix64: a bijection in which every bit of the result depends on every bit of z.
inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// 53 random bits as a number in [0, 1).
inline double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// The sequence of a seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    const std::uint64_t bits = mixed(state_);
    state_ += 0x9e3779b97f4a7c15U;
    return low + (high - low) * unit_interval(bits);
  }

 private:
  std::uint64_t state_;
};

}  // namespace polhode::program
