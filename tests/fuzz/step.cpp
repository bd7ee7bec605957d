// polhode_step.h, which refuses nothing: any numbers, in both precisions. Numbers of a size that bodies have stay finite.
#include <algorithm>
#include <array>
#include <cmath>

#include "polhode_step.h"
#include "tests/fuzz/input.hpp"

namespace {

template <class T, class Step>
void one(polhode::fuzz::Input input, Step step, T largest) {
  std::array<T, 3> omega, moments;
  std::array<T, 4> q;
  bool tame = true;
  const auto any = [&](T& x, bool positive) {
    x = static_cast<T>(input.number());
    if (positive) x = std::abs(x);
    const T size = std::abs(x);
    tame = tame && (x == T(0) ? !positive : size < largest && size > T(1) / largest);
  };
  for (T& x : omega) any(x, false);
  for (T& x : q) any(x, false);
  for (T& x : moments) any(x, true);
  T dt{};
  any(dt, false);
  // Moments that differ by more than this are no body's; a long step of float has no digit left.
  const auto [least, greatest] = std::minmax({moments[0], moments[1], moments[2]});
  tame = tame && greatest < T(1e6) * least &&
         std::abs(dt) * (std::abs(omega[0]) + std::abs(omega[1]) + std::abs(omega[2])) < T(1000);
  if (q[0] == T(0) && q[1] == T(0) && q[2] == T(0) && q[3] == T(0)) tame = false;
  for (int i = 0; i < 3; ++i) step(omega.data(), q.data(), moments.data(), dt);
  if (!tame) return;
  for (const T x : omega) polhode::fuzz::require(std::isfinite(x));
  for (const T x : q) polhode::fuzz::require(std::isfinite(x));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  one<double>({bytes, size}, polhode_free_step, 1e30);
  one<float>({bytes, size}, polhode_free_stepf, 1e6F);
  return 0;
}
