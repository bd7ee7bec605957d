// Random numbers that belong to a place, not to a sequence.
#pragma once

#include <cstdint>
#include <string_view>

#include "polhode/arithmetic/double_double.hpp"

namespace polhode::program {

/// The random numbers of one key of one member: each is a function of (seed, key, member, component) and of nothing else, so
/// that it depends neither on the other keys and members nor on who draws it. The functions beneath are made of the four
/// operations and the square root in double-double: the same bits on every machine, which std::log and the distributions
/// of <random> do not promise.
class MemberRandom {
 public:
  MemberRandom(std::uint64_t seed, std::string_view key, std::uint64_t member);

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform(std::uint64_t component) const;
  /// Normal with mean 0 and deviation 1, by the transformation of Box and Muller.
  double normal(std::uint64_t component) const;

 private:
  std::uint64_t bits(std::uint64_t component, std::uint64_t draw) const;

  std::uint64_t stream_;
};

/// The natural logarithm of x > 0, right to about 1e-30 of the larger of it and 1.
DoubleDouble logarithm(const DoubleDouble& x);
/// e^x for |x| < 700, with a relative error of about 1e-29.
DoubleDouble exponential(const DoubleDouble& x);

}  // namespace polhode::program
