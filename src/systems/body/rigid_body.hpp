// What the scenarios of all rigid bodies have in common: inertia, state, and what is seen of the body at a moment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polhode/body/body.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "run/simulation.hpp"
#include "scenario/error.hpp"
#include "scenario/scenario.hpp"

namespace polhode::program {

/// Runs `make` and lays the blame for an InputError on the key.
template <class F>
auto blaming(const Section& section, std::string_view key, F make) -> decltype(make()) {
  try {
    return make();
  } catch (const ScenarioError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(key, e.what());
  }
}

struct GivenBody {
  Body<double> body;
  Matrix<double> tensor;  ///< in the user's frame
};

/// system.inertia. What is doubtful about it becomes a warning.
GivenBody read_body(Scenario& scenario);

/// Momentum or angular velocity, and the attitude.
State<double> read_state(Scenario& scenario, const GivenBody& given);

Vector<double> read_vector(Section& section, std::string_view key);

/// The same, but zero is refused.
Vector<double> read_nonzero_vector(Section& section, std::string_view key);

/// A body at a moment, in the user's frame and units.
struct BodyView {
  State<DoubleDouble> state;
  Vector<double> angular_velocity;           ///< in the body
  Vector<double> angular_velocity_in_space;  ///< whose path is the herpolhode
  Invariants<DoubleDouble> free;             ///< what would be conserved if the body were free
};

template <Summation summation>
BodyView view_of(const Rotor<double, summation>& rotor) {
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

/// Warns if an invariant is no finite number.
void examine_invariants(Scenario& scenario, const Simulation& simulation);

}  // namespace polhode::program
