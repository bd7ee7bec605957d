// Work that falls into independent units, and what the units come to.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core.hpp"

namespace polhode::program {

/// Each unit, a few trajectories say, is computed into a record of numbers, all of the same size.
struct Work {
  std::string name;  ///< as on the command line
  /// Whether the units measure time: they then run one after the other, with nothing beside them.
  bool timing = false;
  std::size_t units = 0;
  std::size_t record_size = 0;
  /// Computes one unit. Depends on nothing but its index (and the clock, where time is measured), so that the units can be
  /// computed in any order, on any thread or machine. Long units call stop_if_interrupted() now and then.
  std::function<void(std::size_t unit, std::span<double> record)> compute;
  /// Computes several units at once, where that is faster, with the records that compute() gives: so many of them, or fewer. The same
  /// holds for it.
  std::size_t together = 1;
  std::function<void(std::span<const std::size_t> units, std::span<std::vector<double>> records)>
      compute_together{};
  /// How many units' worth of the units under way is done, for the progress; where units are long.
  std::function<double()> under_way{};
};

/// The results of all units: record i is that of unit i.
class Records {
 public:
  Records(std::size_t units, std::size_t size) : size_(size), numbers_(units * size), known_(units) {}

  std::size_t units() const { return known_.size(); }
  std::size_t size() const { return size_; }
  bool known(std::size_t unit) const { return known_[unit]; }
  std::size_t known_units() const;
  std::span<const double> operator[](std::size_t unit) const { return {&numbers_[unit * size_], size_}; }
  void set(std::size_t unit, std::span<const double> record);

 private:
  std::size_t size_;
  std::vector<double> numbers_;
  std::vector<bool> known_;
};

/// Thrown out of a unit when the user wants to stop.
struct Interrupted {};
void stop_if_interrupted();

}  // namespace polhode::program
