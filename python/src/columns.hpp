// The rows of a run as NumPy arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "run/runner.hpp"

namespace polhode::python {

/// One array for each quantity, allocated at once: recording needs no GIL.
class Columns final : public program::Recorder {
 public:
  /// `also` receives the same rows, where it is not null.
  Columns(std::vector<program::Quantity> quantities, std::int64_t rows, program::Recorder* also);

  void record(std::span<const double> row) override;

  /// {name: array}, as long as there are rows.
  py::dict arrays() const;
  const std::vector<program::Quantity>& quantities() const { return quantities_; }

 private:
  std::vector<program::Quantity> quantities_;
  std::vector<Doubles> arrays_;
  std::vector<double*> next_;
  program::Recorder* also_;
  std::int64_t rows_ = 0;
};

}  // namespace polhode::python
