// The records of the experiment brouwer-map: the bodies of the map, and the errors of each of them.
#pragma once

#include <cstdint>
#include <vector>

namespace polhode::program::experiments::brouwer {

enum Method : std::size_t { reduced, moser_veselov, exact, method_count };
enum Invariant : std::size_t { energy, momentum, invariant_count };

/// The errors of one body, as a record keeps them.
struct MapLayout {
  std::size_t trajectories;
  std::size_t samples = 5;

  std::size_t record_size() const { return trajectories * samples * method_count * invariant_count; }
  std::size_t at(std::size_t method, std::size_t invariant, std::size_t trajectory,
                 std::size_t sample) const {
    return ((method * invariant_count + invariant) * trajectories + trajectory) * samples + sample;
  }
};

/// A body with the moments x, y and 1.
struct Cell {
  double x, y;
  bool symmetric() const { return x == y; }
  /// Whether the triangle inequality allows it.
  bool is_body() const { return x + y >= 1; }
};

/// 0 < x <= y, 1/2 < y < 1, at the centres of the cells.
struct Map {
  double width;
  double step = 0.01;
  std::int64_t steps;
  MapLayout layout;
  std::vector<Cell> cells{};

  Map(std::size_t columns, std::size_t trajectories, std::int64_t number_of_steps)
      : width(1 / static_cast<double>(columns)), steps(number_of_steps), layout{trajectories} {
    const auto centre = [&](std::size_t i) { return (static_cast<double>(i) + 0.5) * width; };
    for (std::size_t j = columns / 2; j < columns; ++j)
      for (std::size_t i = 0; i <= j; ++i) cells.push_back({centre(i), centre(j)});
  }

  /// Algorithm 4.1 costs ten times as much a step as the others, and a part of their errors that does not accumulate is to be seen
  /// no more.
  std::int64_t steps_of(std::size_t method) const { return method == reduced ? steps : 16 * steps; }
  /// The samples are at a 16th of the steps, at an 8th, ..., at the end.
  std::int64_t sample_step(std::size_t method, std::size_t sample) const {
    return steps_of(method) >> (layout.samples - 1 - sample);
  }
};

}  // namespace polhode::program::experiments::brouwer
