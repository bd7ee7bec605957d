// Gauss-Legendre quadrature on [0, 1].
#pragma once

#include <cstddef>
#include <vector>

#include "polhode/arithmetic/double_double_functions.hpp"

namespace POLHODE_CORE {

template <Scalar T>
struct Quadrature {
  struct Node {
    T position;
    T weight;
  };
  std::vector<Node> nodes;
};

/// The rule with the given number of nodes, of order twice that number. Newton's iteration on the Legendre polynomial in
/// Wide<T>, so that nodes and weights are right to the last place; symmetric to the bit.
template <Scalar T>
Quadrature<T> gauss_legendre(int count) {
  using W = Wide<T>;
  Quadrature<T> rule;
  rule.nodes.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < (count + 1) / 2; ++i) {
    W x = W(std::cos(3.141592653589793 * (i + 0.75) / (count + 0.5)));
    W slope(1);
    for (int iteration = 0; iteration < 10; ++iteration) {
      W p(1), previous(0);
      for (int n = 1; n <= count; ++n) {
        const W next = (W(2 * n - 1) * x * p - W(n - 1) * previous) / W(n);
        previous = p;
        p = next;
      }
      slope = W(count) * (x * p - previous) / (x * x - W(1));
      const W correction = p / slope;
      x -= correction;
      if (!(abs(correction) > ScalarTraits<W>::epsilon())) break;
    }
    if (2 * i + 1 == count) x = W(0);
    const W weight = W(1) / ((W(1) - x * x) * slope * slope);
    const auto last = static_cast<std::size_t>(count - 1 - i);
    rule.nodes[static_cast<std::size_t>(i)] = {static_cast<T>((W(1) - x) / W(2)), static_cast<T>(weight)};
    rule.nodes[last] = {static_cast<T>((W(1) + x) / W(2)), static_cast<T>(weight)};
  }
  return rule;
}

}  // namespace POLHODE_CORE
