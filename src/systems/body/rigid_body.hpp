// The common part of the scenarios of all rigid bodies: inertia, state, and what is seen of the body at a moment.
#pragma once

#include <string>
#include <vector>

#include "polhode/body/rotating_body.hpp"
#include "systems/system.hpp"

namespace polhode::program {

struct GivenBody {
  Body<double> body;
  Matrix<double> tensor;  ///< in the user's frame
};

/// system.inertia. What is doubtful about it becomes a warning.
GivenBody read_body(Scenario& scenario);
/// The same of another section than [system].
GivenBody read_body(Section& section, Scenario& scenario);

/// system.inertia, as it is described.
inline SystemKey inertia_key() {
  return {"inertia", "principal moments in any order, or a symmetric 3x3 tensor", true};
}

/// The keys of [state] that every body has.
inline std::vector<std::string> body_state_keys() {
  return {"momentum", "angular_velocity", "attitude", "time"};
}

/// state.time, the time at the beginning; 0 unless it is given.
double read_start_time(Scenario& scenario);

/// Momentum or angular velocity, and the attitude.
State<double> read_state(Scenario& scenario, const GivenBody& given);
/// The same of another section than [state].
State<double> read_state(Section& section, Scenario& scenario, const GivenBody& given);

/// A body at a moment, in the user's frame and units.
struct BodyView {
  State<DoubleDouble> state;
  Vector<double> angular_velocity;           ///< in the body
  Vector<double> angular_velocity_in_space;  ///< whose path is the herpolhode
  Invariants<DoubleDouble> free;             ///< what would be conserved if the body were free
};

template <Summation summation>
BodyView view_of(const RotatingBody<double, summation>& rotor) {
  BodyView view{rotor.wide_state(), rotor.angular_velocity(), {}, rotor.invariants()};
  view.angular_velocity_in_space = rotate(convert<double>(view.state.attitude), view.angular_velocity);
  return view;
}

/// The state that every body has: momentum and attitude.
std::vector<Quantity> body_state();
void append_state(const BodyView& view, std::vector<double>& numbers);

/// Polhode and herpolhode.
std::vector<Quantity> body_rotation();
void append_rotation(const BodyView& view, std::vector<double>& numbers);

template <class T, std::size_t n>
void append(std::vector<T>& to, const std::array<T, n>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace polhode::program
