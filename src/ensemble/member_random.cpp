#include "ensemble/member_random.hpp"

#include <cmath>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "work/random.hpp"
#include "work/record_file.hpp"

namespace polhode::program {

namespace {

constexpr DoubleDouble log_two{0.6931471805599453, 2.3190468138462996e-17};
constexpr DoubleDouble two_pi{6.283185307179586, 2.4492935982947064e-16};

}  // namespace

MemberRandom::MemberRandom(std::uint64_t seed, std::string_view key, std::uint64_t member)
    : stream_(mixed(mixed(mixed(seed) ^ checksum(key)) ^ member)) {}

std::uint64_t MemberRandom::bits(std::uint64_t component, std::uint64_t draw) const {
  return mixed(mixed(stream_ ^ component) ^ draw);
}

double MemberRandom::uniform(std::uint64_t component) const { return unit_interval(bits(component, 0)); }

double MemberRandom::normal(std::uint64_t component) const {
  const double radius = static_cast<double>((bits(component, 1) >> 11) + 1) * 0x1p-53;  // never 0
  const double angle = unit_interval(bits(component, 2));
  return static_cast<double>(sqrt(-2.0 * logarithm(radius)) * cos(two_pi * angle));
}

DoubleDouble logarithm(const DoubleDouble& x) {
  // x = 2^e m with m between sqrt(1/2) and sqrt(2), and log m = 2 artanh z, z = (m - 1)/(m + 1), |z| < 0.172.
  int e = 0;
  if (std::frexp(x.high(), &e) < 0.7071067811865476) --e;
  const DoubleDouble m = ldexp(x, -e);
  const DoubleDouble z = (m - 1.0) / (m + 1.0), square = z * z;
  DoubleDouble sum = 0.0;
  for (int k = 41; k >= 1; k -= 2) sum = sum * square + DoubleDouble(1.0) / static_cast<double>(k);
  return 2.0 * (z * sum) + static_cast<double>(e) * log_two;
}

DoubleDouble exponential(const DoubleDouble& x) {
  // e^x = 2^n e^r, and e^r from a series for r/16, four times squared.
  const double n = std::nearbyint(x.high() / log_two.high());
  const DoubleDouble r = ldexp(x - n * log_two, -4);
  DoubleDouble sum = 1.0;
  for (int k = 18; k >= 1; --k) sum = 1.0 + r * sum / static_cast<double>(k);
  for (int i = 0; i < 4; ++i) sum *= sum;
  return ldexp(sum, static_cast<int>(n));
}

}  // namespace polhode::program
