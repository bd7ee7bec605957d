// The reference of the tests for equations of any kind: Gragg's midpoint rule, extrapolated, in quadruple precision.
//
// Nothing here shares a formula with the library.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace polhode::reference {

/// y after `steps` steps of length h of y' = rate(y, t), from the time t. Columns of ten: order 20, so that steps of a tenth of
/// the shortest time of the motion leave some 1e-25.
template <class Q, std::size_t n, class Rate>
std::array<Q, n> extrapolated(std::array<Q, n> y, Q t, const Q& h, int steps, Rate&& rate) {
  using Column = std::array<Q, n>;
  constexpr int columns = 10;
  const auto moved = [](const Column& a, const Q& s, const Column& k) {
    Column result;
    for (std::size_t i = 0; i < n; ++i) result[i] = a[i] + s * k[i];
    return result;
  };
  const auto midpoint = [&](int pieces) {
    const Q piece = h / Q(pieces);
    Column before = y, now = moved(y, piece, rate(y, t));
    for (int i = 1; i <= pieces; ++i) {
      const Column next = moved(before, Q(2) * piece, rate(now, t + Q(i) * piece));
      before = now;
      now = next;
    }
    // Gragg's smoothing: (y_{n-1} + 2 y_n + y_{n+1})/4.
    const Column last = before;
    const Column earlier = moved(now, Q(-2) * piece, rate(last, t + Q(pieces) * piece));
    Column result;
    for (std::size_t i = 0; i < n; ++i) result[i] = (earlier[i] + Q(2) * last[i] + now[i]) / Q(4);
    return result;
  };
  for (int step = 0; step < steps; ++step) {
    std::vector<Column> table;
    for (int j = 0; j < columns; ++j) {
      const int pieces = 2 * (j + 1);
      Column current = midpoint(pieces);
      for (int k = 1; k <= j; ++k) {
        const Q ratio = Q(pieces) / Q(2 * (j - k + 1));
        Column better;
        for (std::size_t i = 0; i < n; ++i)
          better[i] =
              current[i] + (current[i] - table[static_cast<std::size_t>(k - 1)][i]) / (ratio * ratio - Q(1));
        table[static_cast<std::size_t>(k - 1)] = current;
        current = better;
      }
      table.push_back(current);
    }
    y = table.back();
    t += h;
  }
  return y;
}

}  // namespace polhode::reference
