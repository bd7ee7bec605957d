// A run that can be asked for the motion at any time within it.
#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "run/runner.hpp"

namespace polhode::python {

/// Keeps the states of the rows, and takes the steps from the last one before a time again: of the order of the steps.
class DenseMotion final : public program::Recorder {
 public:
  /// The simulation is at its beginning. `also` receives the rows. Throws InputError if its steps have one length.
  DenseMotion(std::shared_ptr<program::Simulation> simulation, program::Recorder* also);

  void record(std::span<const double> row) override;
  /// The run is over; `also` is not needed any more.
  void finish();

  /// {name: array} of what there is to see at the times. Throws InputError if one is outside of the run.
  py::dict at(const py::object& times);

 private:
  struct Mark {
    double time;
    std::vector<std::byte> bytes;
  };
  void look_at(double time, program::Snapshot& seen);

  std::shared_ptr<program::Simulation> simulation_;
  program::Recorder* also_;
  std::vector<Mark> marks_;
  double end_ = 0.0;
};

}  // namespace polhode::python
