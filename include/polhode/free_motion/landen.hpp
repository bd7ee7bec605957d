// The phases of a free motion over a time of any length, by Landen's transformation: S, c, d, and the angle of the frame.
//
// docs/exact-flow.md derives the formulas.
#pragma once

#include <array>

#include "polhode/arithmetic/lanes.hpp"
#include "polhode/arithmetic/loose_pair.hpp"
#include "polhode/arithmetic/sine_cosine.hpp"

namespace POLHODE_CORE {

/// What the phases depend on. The pairs are those whose error would grow with the time.
template <class T>
struct LandenInput {
  ErrorFree<T> a, b;  ///< sqrt(A) and sqrt(A - B), above zero
  T nu;               ///< of the integral of the third kind, at the first level
  T speed;            ///< |a2| z0
  ErrorFree<T> rate;  ///< G/I3 + J1/(G + z0)
  T sense;            ///< the sign of a2
};

/// S = s/q, c = c/q and d = d/q at the time h; S of the first level is s1/q1; `frame` is exp(i psi/2) up to a positive factor, but for
/// what the momenta at both ends contribute.
template <class T>
struct LandenPhases {
  T s, c, d, q;
  T ss, q_less_d;  ///< s^2 and q - d, in which nothing cancels
  T s1, q1;
  T frame_re, frame_im;
};

/// The quotients a[k]/b[k] of `count` places from the first on. One division of four lanes takes as long as one of a number.
template <int first, int count, class T, std::size_t size>
[[gnu::always_inline]] inline std::array<T, size> quotients(const std::array<T, size>& a,
                                                            const std::array<T, size>& b) {
  std::array<T, size> result;
  constexpr int together = count / 4 * 4;
#pragma GCC unroll 4
  for (int k = first; k < first + together; k += 4) {
    const FourLanes<T> four =
        FourLanes<T>(a[k], a[k + 1], a[k + 2], a[k + 3]) / FourLanes<T>(b[k], b[k + 1], b[k + 2], b[k + 3]);
    for (int i = 0; i < 4; ++i) result[k + i] = four[i];
  }
#pragma GCC unroll 4
  for (int k = first + together; k < first + count; ++k) result[k] = a[k] / b[k];
  return result;
}

/// With `levels` of the arithmetic-geometric mean: 5 where b >= 0.1 a, 7 where b >= 2e-6 a, 9 where b >= 1e-25 a.
///
/// Down: a, b -> (a + b)/2, sqrt(a b), c = (a - b)/2, and for the integral of the third kind nu -> (sqrt(nu^2 + c^2) - nu)/2. At the
/// bottom S = sin(a h)/a. Up, without a division, with S = sin(a_N h) p/(a_N q), c = cos(a_N h) pc/q, d = pd/q:
///   (p, pc, pd, q) -> (p q, pc pd, q^2 - e, q^2 + e),  e = a c (sin p/a_N)^2.
template <int levels, class T>
[[gnu::always_inline]] inline LandenPhases<T> landen_phases(const LandenInput<T>& in, const T& h) {
  constexpr int n = levels;
  ErrorFree<T> a = in.a, b = in.b;
  std::array<T, n + 1> mean, geometric, half_difference;
  std::array<T, n + 2> nu2, bound;  // nu^2, and sqrt(nu^2 + a^2) + a
  std::array<T, n> lack, whole_rate;
  mean[0] = a.value;
  geometric[0] = b.value;
  T nu = in.nu, y(0), yy(0), share(0);
  const auto next_rate = [&](int k) {  // the complete integral of the third kind [DLMF 19.8.7]
    const T ab = mean[k] * geometric[k], sum = yy + ab;
    lack[k] = yy - ab;
    whole_rate[k] = sum;
    y = sum * (T(0.5) / y);
    yy = y * y;
  };
#pragma GCC unroll 16
  for (int k = 1; k < n; ++k) {
    const auto [sum, sum_error] = two_sum(a.value, b.value);
    const ErrorFree<T> next{T(0.5) * sum, T(0.5) * (sum_error + (a.error + b.error))};
    half_difference[k] = T(0.5) * ((a.value - b.value) + (a.error - b.error));
    mean[k] = next.value;
    if (k < n - 1) {
      b = loose::root(loose::product(a, b));
      geometric[k] = b.value;
    }
    a = next;
    nu2[k + 1] = nu * nu;
    const T whole = mean[k] * mean[k] + nu2[k + 1], root = sqrt(whole);
    const T part = sqrt(half_difference[k] * half_difference[k] + nu2[k + 1]);
    if (k == 1) {
      y = root;
      yy = whole;
      share = nu2[2] / whole;
    }
    bound[k + 1] = root + mean[k];
    nu = T(0.5) * (part - nu);
    if (k < n - 1) next_rate(k);
  }
  // The last level, where the half difference is below the last place of the mean: by its series.
  const T over_last = T(1) / a.value;
  half_difference[n] = T(0.25) * (half_difference[n - 1] * half_difference[n - 1]) * over_last;
  const T ratio = half_difference[n] * over_last;
  half_difference[n] += half_difference[n] * ratio;
  mean[n] = a.value - half_difference[n];
  geometric[n - 1] = mean[n - 1] - T(2) * half_difference[n];
  const T over = over_last + over_last * ratio;  // 1/a_N

  // What the last level takes off the mean is part of the error, so that the sine does not wait for it.
  const auto [x, x_error] = two_product(a.value, h);
  const auto [sine, cosine] = sincos_of_pair(ErrorFree<T>{x, x_error + (a.error - half_difference[n]) * h});

  nu2[n + 1] = nu * nu;
  next_rate(n - 1);
  const std::array<T, n> excess = quotients<1, n - 1>(lack, whole_rate);
  T series(1);
#pragma GCC unroll 16
  for (int k = n - 1; k >= 1; --k) series = T(1) + (T(0.5) * excess[k]) * series;
  const T drift = (T(0.5) * in.speed) * share * series;
  std::array<T, n + 2> rho;
  rho[n + 1] = T(0.5) * nu2[n + 1] * over;
  const std::array<T, n + 2> own = quotients<2, n - 1>(nu2, bound);
  T tail(0);
#pragma GCC unroll 16
  for (int k = n; k >= 2; --k) {
    tail += half_difference[k];
    rho[k] = own[k] + tail;
  }

  // Up; the frame after it, since the momentum does not wait for that.
  const T ss = sine * sine, cc = cosine * cosine, sc = sine * cosine, over2 = over * over;
  T p(1), q(1), pc(1), pd(1), size = ss;
  std::array<T, n + 1> ps, pcs, qs, es;  // of each level
#pragma GCC unroll 16
  for (int k = n; k >= 1; --k) {
    const T e = (mean[k] * half_difference[k] * over2) * size, qq = q * q;
    // The first form keeps the errors of pc from growing, the second is for d next to zero.
    const T of_sum = cc * (pc * pc) + (mean[k] * geometric[k - 1] * over2) * size;
    const T next_d = select(is_less(e, T(0.5) * qq), qq - e, of_sum);
    ps[k] = p;
    pcs[k] = pc;
    qs[k] = q;
    es[k] = e;
    size *= qq;
    p = p * q;
    pc = pc * pd;
    q = qq + e;
    pd = next_d;
  }

  const T half_h = T(0.5) * h;
  const auto [steady, steady_error] = two_product(in.rate.value, half_h);
  const auto [moved, moved_error] = two_product(in.sense * drift, h);
  const auto [angle, angle_error] = two_sum(steady, moved);
  const auto frame = sincos_of_pair(
      ErrorFree<T>{angle, angle_error + ((steady_error + in.rate.error * half_h) + moved_error)});

  T eta(0), delta(0), re(1), im(0);
#pragma GCC unroll 16
  for (int k = n; k >= 1; --k) {
    const T ro = rho[k + 1] * over;
    const T turn_im = sc * (delta - ro * ps[k]), turn_re = cc * pcs[k] + ss * (ps[k] + ro * ps[k]);
    if (k == n) {
      re = turn_re;
      im = turn_im;
    } else {
      const T re2 = re * re - im * im, im2 = T(-2) * (re * im);
      re = turn_re * re2 - turn_im * im2;
      im = turn_re * im2 + turn_im * re2;
    }
    delta = pcs[k] * eta + qs[k] * delta;
    eta = T(-2) * es[k];
  }
  im *= in.sense;
  const T of_sine = sine * over;
  return {of_sine * p,
          cosine * pc,
          pd,
          q,
          over2 * size,
          T(2) * es[1],
          of_sine * ps[1],
          qs[1],
          frame.cos * re - frame.sin * im,
          frame.sin * re + frame.cos * im};
}

}  // namespace POLHODE_CORE
