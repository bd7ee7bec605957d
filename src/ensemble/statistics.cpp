#include "ensemble/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "work/statistics.hpp"

namespace polhode::program {

void EnsembleStatistics::add(const MemberRecord& member) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double x = member.row(i / row_size_)[i % row_size_];
    if (std::isnan(x)) continue;
    Cell& cell = cells_[i];
    if (cell.count == 0) cell.first = cell.min = cell.max = x;
    cell.count += 1;
    const DoubleDouble away = DoubleDouble::sum(x, -cell.first);
    cell.sum += away;
    cell.squares += away * away;
    cell.min = std::min(cell.min, x);
    cell.max = std::max(cell.max, x);
  }
}

EnsembleStatistics::Moments EnsembleStatistics::operator()(std::size_t k, std::size_t column) const {
  const Cell& cell = cells_[k * row_size_ + column];
  const double n = cell.count;
  if (n == 0) return {0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};
  const DoubleDouble mean = cell.first + cell.sum / n;
  const DoubleDouble about_mean = cell.squares - cell.sum * cell.sum / n;
  const DoubleDouble square = about_mean / n + mean * mean;
  const auto root = [](const DoubleDouble& x) { return x.high() > 0.0 ? static_cast<double>(sqrt(x)) : 0.0; };
  return {n,
          static_cast<double>(mean),
          n > 1 ? root(about_mean / (n - 1)) : not_a_number,
          root(square),
          cell.min,
          cell.max};
}

double growth_of(std::span<const double> times, std::span<const double> rms) {
  if (times.size() < 2) return not_a_number;
  const double last = static_cast<double>(times.size() - 1);
  constexpr int points = 20;
  std::vector<double> t, y;
  std::size_t before = 0;
  for (int i = 0; i <= points; ++i) {
    const double part = std::pow(100.0, static_cast<double>(i - points) / points);
    const auto k = static_cast<std::size_t>(std::lround(last * part));
    if (k == before) continue;
    before = k;
    if (!(rms[k] > 0.0) || !std::isfinite(rms[k])) return not_a_number;
    t.push_back(std::abs(times[k]));
    y.push_back(rms[k]);
  }
  return t.size() < 5 ? not_a_number : growth_exponent(t, y);
}

}  // namespace polhode::program
