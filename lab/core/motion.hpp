// A motion of the laboratory: the simulation of a scenario, its errors, the way back, and the closed form where there is one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/free_motion/trajectory.hpp"
#include "run/simulation.hpp"
#include "scenario/scenario.hpp"
#include "systems/body/rigid_body.hpp"

namespace polhode::laboratory {

class Motion {
 public:
  /// Of a scenario in TOML. Throws ScenarioError.
  explicit Motion(std::string_view toml);

  /// What it is and what a row consists of, in JSON.
  std::string description() const;

  /// The numbers of a row: time, state, what follows from the state, the errors of the invariants, how far the constraints are
  /// missed and, for a free body, the angle to the closed form.
  std::size_t row_size() const;
  void look(std::span<double> row);

  std::int64_t steps() const { return simulation_->steps(); }
  /// As Simulation::advance; saves the motion now and then.
  void advance(std::int64_t count);
  /// To the last saved motion that is not after this step.
  void go_back(std::int64_t step);

  /// Momentum, attitude, angular velocity in the body and in space by the closed form, for any time: 13 numbers.
  void exact(double time, std::span<double> numbers) const;

 private:
  double angle_to_closed_form(std::span<const double> attitude) const;

  std::optional<program::Scenario> scenario_;
  std::unique_ptr<program::Simulation> simulation_;
  std::optional<program::GivenBody> body_;
  std::optional<core::Trajectory<double>> trajectory_;
  std::vector<core::DoubleDouble> initial_;
  program::Snapshot snapshot_;
  std::map<std::int64_t, std::vector<std::byte>> saved_;
  std::int64_t spacing_ = 64;  // of what is saved; twice as wide whenever there is too much of it
};

}  // namespace polhode::laboratory
