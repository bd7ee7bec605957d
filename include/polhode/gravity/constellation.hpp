// Extended bodies at one moment, and what can be said about them.
#pragma once

#include <memory>

#include "polhode/gravity/attraction.hpp"

namespace POLHODE_CORE {

/// The energies of extended bodies, in extended precision.
template <class W>
struct ConstellationEnergies {
  W translational{}, rotational{}, potential{};
  W kinetic() const { return translational + rotational; }
  W total() const { return kinetic() + potential; }
};

/// The sums that carry an extended body from step to step: its rotation in the principal axes and the inner unit of momentum.
template <Scalar T>
struct PlacedSums {
  std::array<Compensated<T>, 3> position{};
  std::array<Compensated<T>, 3> momentum{};
  Motion<T, Summation::compensated> turning{};
};

/// Bodies that attract each other, where they are at one moment. What is said of them is computed in extended precision.
template <Scalar T = double>
class Constellation {
 public:
  using W = Wide<T>;
  using Bodies = std::vector<ExtendedBody<T>>;

  /// units: the exponents of the inner units of angular momentum. Checks nothing: ExtendedBodies does.
  Constellation(std::shared_ptr<const Bodies> bodies, const T& constant, std::vector<int> units,
                const std::vector<PlacedState<T>>& states)
      : bodies_(std::move(bodies)), constant_(constant), units_(std::move(units)), sums_(states.size()) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        sums_[i].position[k].value = states[i].position[k];
        sums_[i].momentum[k].value = states[i].momentum[k];
      }
      State<W> turning = convert<W>(states[i].turning);
      if (const auto& body = (*bodies_)[i].body) turning = body->to_principal(states[i].turning);
      for (W& x : turning.momentum.c) x = ldexp(x, -units_[i]);
      sums_[i].turning.assign(turning.momentum, turning.attitude);
      sums_[i].turning.keep_in_range();
    }
  }

  std::size_t size() const { return sums_.size(); }
  const Bodies& bodies() const { return *bodies_; }
  const T& constant() const { return constant_; }
  int momentum_unit(std::size_t i) const { return units_[i]; }
  std::vector<PlacedSums<T>>& sums() { return sums_; }
  const std::vector<PlacedSums<T>>& sums() const { return sums_; }

  /// In the user's axes and units; the attitude has norm one.
  PlacedState<W> wide_state(std::size_t i) const {
    PlacedState<W> s = principal(i);
    if (const auto& body = (*bodies_)[i].body) s.turning = body->to_user(s.turning);
    s.turning.attitude = normalized(s.turning.attitude);
    return s;
  }
  PlacedState<T> state(std::size_t i) const { return convert<T>(wide_state(i)); }
  std::vector<PlacedState<T>> states() const {
    std::vector<PlacedState<T>> result;
    for (std::size_t i = 0; i < size(); ++i) result.push_back(state(i));
    return result;
  }

  /// In space.
  Vector<T> velocity(std::size_t i) const {
    const PlacedState<W> s = principal(i);
    return convert<T>((W(1) / W((*bodies_)[i].mass)) * s.momentum);
  }
  /// In the axes of the body; zero for a point mass.
  Vector<T> angular_velocity(std::size_t i) const {
    const auto& body = (*bodies_)[i].body;
    if (!body) return {};
    Vector<W> w = body->inertia().angular_velocity(sums_[i].turning.wide_momentum());
    for (W& x : w.c) x = ldexp(x, units_[i] - body->inertia_exponent());
    return convert<T>(body->to_user(w));
  }

  ConstellationEnergies<W> energies() const {
    ConstellationEnergies<W> e;
    std::vector<PlacedState<W>> all;
    for (std::size_t i = 0; i < size(); ++i) {
      all.push_back(principal(i));
      e.translational += dot(all[i].momentum, all[i].momentum) / (W(2) * W((*bodies_)[i].mass));
      if (const auto& body = (*bodies_)[i].body)
        e.rotational += ldexp(body->inertia().energy(sums_[i].turning.wide_momentum()),
                              2 * units_[i] - body->inertia_exponent());
    }
    e.potential = attraction_energy(*bodies_, constant_, all);
    return e;
  }

  /// The total momentum.
  Vector<W> momentum() const {
    Vector<W> sum{};
    for (std::size_t i = 0; i < size(); ++i) sum = sum + principal(i).momentum;
    return sum;
  }

  /// The total angular momentum about the origin: that of the orbits and that of the spins.
  Vector<W> angular_momentum() const {
    Vector<W> sum{};
    for (std::size_t i = 0; i < size(); ++i) {
      const PlacedState<W> s = principal(i);
      sum = sum + (cross(s.position, s.momentum) + rotate(s.turning.attitude, s.turning.momentum));
    }
    return sum;
  }

  Vector<W> centre_of_mass() const {
    Vector<W> sum{};
    W mass(0);
    for (std::size_t i = 0; i < size(); ++i) {
      sum = sum + W((*bodies_)[i].mass) * principal(i).position;
      mass += W((*bodies_)[i].mass);
    }
    return (W(1) / mass) * sum;
  }

 private:
  /// In the principal axes and the user's units; the attitude has any norm.
  PlacedState<W> principal(std::size_t i) const {
    const PlacedSums<T>& s = sums_[i];
    PlacedState<W> result;
    for (std::size_t k = 0; k < 3; ++k) {
      result.position[k] = W(s.position[k].value) + W(s.position[k].error);
      result.momentum[k] = W(s.momentum[k].value) + W(s.momentum[k].error);
    }
    result.turning = s.turning.wide_state();
    for (W& x : result.turning.momentum.c) x = ldexp(x, units_[i]);
    return result;
  }

  std::shared_ptr<const Bodies> bodies_;
  T constant_;
  std::vector<int> units_;
  std::vector<PlacedSums<T>> sums_;
};

}  // namespace POLHODE_CORE

namespace polhode::gravity {
using core::Constellation;
using core::ConstellationEnergies;
}  // namespace polhode::gravity
