// The coefficients of Gauss methods and of the Lobatto IIIA-IIIB pair, from their nodes, in double-double.
//
// Both are used in the form that second-order equations allow: with x the force per mass,
//   Q_i = q + c_i h v + h^2 sum_j n_ij x_j,   q' = q + h v + h^2 sum_j b_j (1 - c_j) x_j,   v' = v + h sum_j b_j x_j.
// The stage velocities are eliminated, and only forces are left to be iterated.
#pragma once

#include <utility>
#include <vector>

#include "polhode/arithmetic/gauss_legendre.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE {

/// A square matrix with one row for each stage.
template <class T>
class StageMatrix {
 public:
  StageMatrix() = default;
  explicit StageMatrix(std::size_t stages) : stages_(stages), entries_(stages * stages, T(0)) {}

  std::size_t stages() const { return stages_; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[i * stages_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries_[i * stages_ + j]; }

  friend StageMatrix operator*(const StageMatrix& a, const StageMatrix& b) {
    StageMatrix product(a.stages_);
    for (std::size_t i = 0; i < a.stages_; ++i)
      for (std::size_t j = 0; j < a.stages_; ++j)
        for (std::size_t k = 0; k < a.stages_; ++k) product(i, j) += a(i, k) * b(k, j);
    return product;
  }

 private:
  std::size_t stages_ = 0;
  std::vector<T> entries_;
};

/// The solution of A x = b by elimination with pivots: once for a method, a few unknowns.
template <Scalar T>
std::vector<T> solved(StageMatrix<T> a, std::vector<T> b) {
  const std::size_t n = a.stages();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
    for (std::size_t j = k; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a(i, j) * b[j];
    b[i] /= a(i, i);
  }
  return b;
}

/// The polynomial j of Lagrange over the given nodes, at x.
template <Scalar T>
T lagrange(const std::vector<T>& nodes, std::size_t j, const T& x) {
  T value(1);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != j) value *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  return value;
}

/// A symplectic method of s stages for q'' = x(q): the coefficients a for positions and a_hat for velocities, with
/// b_i a_hat_ij + b_j a_ji = b_i b_j [HLW06 VI.4.2].
struct CollocationTable {
  std::vector<DoubleDouble> nodes;             ///< c_i
  std::vector<DoubleDouble> weights;           ///< b_i
  std::vector<DoubleDouble> position_weights;  ///< b_i (1 - c_i)
  StageMatrix<DoubleDouble> position_matrix;   ///< a
  StageMatrix<DoubleDouble> velocity_matrix;   ///< a_hat
  StageMatrix<DoubleDouble> nystrom;           ///< n = a a_hat

  std::size_t stages() const { return nodes.size(); }

  /// The Gauss method of 1 to 8 stages: order 2 s, and a = a_hat.
  static CollocationTable gauss(int stages) {
    if (stages < 1 || stages > 8) throw InputError("a Gauss method has 1 to 8 stages");
    std::vector<DoubleDouble> nodes;
    for (const auto& node : gauss_legendre<DoubleDouble>(stages).nodes) nodes.push_back(node.position);
    return CollocationTable(nodes);
  }

  /// The Lobatto IIIA-IIIB pair of 2 to 4 stages: order 2 s - 2. That of 2 stages is the Stormer-Verlet method, or
  /// RATTLE.
  static CollocationTable lobatto(int stages) {
    const DoubleDouble inner = (DoubleDouble(5) - sqrt(DoubleDouble(5))) / DoubleDouble(10);
    switch (stages) {
      case 2:
        return CollocationTable({0, 1});
      case 3:
        return CollocationTable({0, 0.5, 1});
      case 4:
        return CollocationTable({0, inner, 1 - inner, 1});
      default:
        throw InputError("a Lobatto pair has 2 to 4 stages");
    }
  }

  /// What continues values at the first `count` stages of a step to the stages of the next, by a polynomial.
  StageMatrix<DoubleDouble> extrapolation(std::size_t count) const {
    const std::vector<DoubleDouble> known(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count));
    StageMatrix<DoubleDouble> result(stages());
    for (std::size_t i = 0; i < stages(); ++i)
      for (std::size_t j = 0; j < count; ++j) result(i, j) = lagrange(known, j, 1 + nodes[i]);
    return result;
  }

 private:
  /// Collocation over the nodes, and its symplectic conjugate. Integrals of polynomials are done exactly by a Gauss
  /// rule.
  explicit CollocationTable(const std::vector<DoubleDouble>& at) : nodes(at) {
    const std::size_t s = at.size();
    const auto rule = gauss_legendre<DoubleDouble>(static_cast<int>(s));
    const auto integral = [&](std::size_t j, const DoubleDouble& end) {
      DoubleDouble sum = 0;
      for (const auto& node : rule.nodes) sum += node.weight * lagrange(nodes, j, end * node.position);
      return end * sum;
    };
    position_matrix = velocity_matrix = StageMatrix<DoubleDouble>(s);
    for (std::size_t i = 0; i < s; ++i) {
      weights.push_back(integral(i, 1));
      position_weights.push_back(weights[i] * (1 - nodes[i]));
      for (std::size_t j = 0; j < s; ++j) position_matrix(i, j) = integral(j, nodes[i]);
    }
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < s; ++j)
        velocity_matrix(i, j) = weights[j] * (1 - position_matrix(j, i) / weights[i]);
    nystrom = position_matrix * velocity_matrix;
  }
};

}  // namespace POLHODE_CORE
