// The eigenvectors of a symmetric 3 by 3 matrix by Jacobi's rotations: slow, simple, and accurate to the last
// digit of the scalar, also for nearly equal eigenvalues.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// tensor = axes^T diag(values) axes; the rows of axes are the eigenvectors, values in no particular order.
template <Scalar W>
struct Diagonalization {
  Vector<W> values;
  Matrix<W> axes;
};

template <Scalar W>
Diagonalization<W> diagonalize(Matrix<W> a) {
  Matrix<W> axes = Matrix<W>::identity();
  for (int sweep = 0; sweep < 64; ++sweep) {  // it converges quadratically: six sweeps are many
    bool done = true;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        const W threshold = ScalarTraits<W>::epsilon() * sqrt(abs(a[p][p] * a[q][q])) / W(16);
        if (!(abs(a[p][q]) > threshold)) continue;
        done = false;
        const W theta = (a[q][q] - a[p][p]) / (W(2) * a[p][q]);
        const W t = sign_of(theta) / (abs(theta) + sqrt(theta * theta + W(1)));
        const W c = W(1) / sqrt(t * t + W(1));
        const W s = t * c;
        const auto rotate_pair = [&](W& x, W& y) {
          const W old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (std::size_t k = 0; k < 3; ++k) rotate_pair(a[k][p], a[k][q]);
        for (std::size_t k = 0; k < 3; ++k) rotate_pair(a[p][k], a[q][k]);
        for (std::size_t k = 0; k < 3; ++k) rotate_pair(axes[p][k], axes[q][k]);
      }
    }
    if (done) break;
  }
  return {{{a[0][0], a[1][1], a[2][2]}}, axes};
}

}  // namespace POLHODE_CORE
