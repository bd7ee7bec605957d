// The statistics of the members of an ensemble: moments and extremes of each quantity at each sample.
#pragma once

#include "ensemble/member.hpp"

namespace polhode::program {

/// Takes one member after the other, in their order, so that the sums have the same bits however the work was divided. The sums
/// are in double-double and of differences from the first member: deviations far below the mean keep their digits,
/// and members that agree have a deviation of zero. What is not a number is not counted.
class EnsembleStatistics {
 public:
  explicit EnsembleStatistics(const EnsembleLayout& layout)
      : row_size_(layout.row_size), cells_(layout.rows() * layout.row_size) {}

  void add(const MemberRecord& member);

  struct Moments {
    double count = 0, mean = 0, deviation = 0, rms = 0, min = 0,
           max = 0;  ///< all NaN but the count, if that is 0
  };
  /// Of number `column` of the row of sample k. The deviation is that of a sample, with count - 1; NaN for one member.
  Moments operator()(std::size_t k, std::size_t column) const;

 private:
  struct Cell {
    double count = 0, first = 0, min = 0, max = 0;
    DoubleDouble sum, squares;
  };
  std::size_t row_size_;
  std::vector<Cell> cells_;
};

/// The exponent p of rms ~ t^p over the last two decades of the samples, those that are evenly spaced in log t; NaN if the rms is
/// zero somewhere among them, or there are fewer than five.
double growth_of(std::span<const double> times, std::span<const double> rms);

}  // namespace polhode::program
