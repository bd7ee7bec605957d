// The exponential of a 3 by 3 matrix, as linear damping needs it.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// Of x' = -A x + b over the time one: x(1) - x(0) = decay x(0) + response b, with decay = exp(-A) - 1 and
/// response = (1 - exp(-A))/A. Neither cancels where A is small, and A may be singular.
template <class T>
struct Relaxation {
  Matrix<T> decay;
  Matrix<T> response;
};

/// In the precision of W: Taylor series of A/2^k, whose rows sum up to 1/4 at most, and then k doublings.
template <Scalar W>
Relaxation<W> relaxation(Matrix<W> a) {
  const auto scaled = [](const W& s, const Matrix<W>& m) { return Matrix<W>{s * m[0], s * m[1], s * m[2]}; };
  const auto sum = [](const Matrix<W>& x, const Matrix<W>& y) {
    return Matrix<W>{x[0] + y[0], x[1] + y[1], x[2] + y[2]};
  };
  W largest(0);
  for (const auto& row : a.rows) {
    const W size = abs(row[0]) + abs(row[1]) + abs(row[2]);
    if (largest < size) largest = size;
  }
  int doublings = 0;
  for (W size = largest; size > W(0.25) && doublings < 1100; size = size / W(2)) ++doublings;
  a = scaled(ldexp(W(-1), -doublings), a);
  const Matrix<W> one = Matrix<W>::identity();
  // sum of a^n/(n+1)!, by Horner's rule: 26 terms leave 2^-150.
  Matrix<W> response = one;
  for (int n = 26; n > 0; --n) response = sum(one, scaled(W(1) / W(n + 1), a * response));
  Matrix<W> decay = a * response;
  for (int i = 0; i < doublings; ++i) {
    response = response * sum(one, scaled(W(0.5), decay));
    decay = decay * sum(scaled(W(2), one), decay);
  }
  return {decay, response};
}

}  // namespace POLHODE_CORE
