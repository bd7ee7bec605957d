// Torques that are functions of all bodies of a batch at once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// Functions of the attitudes, unit quaternions from body to space, of the angular velocities in the bodies if the torque depends on
/// them, and of the time; they write the torques, all in the users' frames and in the order of the bodies:
///   ArrayTorques arrays;
///   arrays.torques.push_back([](std::span<const Quaternion<double>> q, double t, std::span<Vector<double>> torques) { ... });
/// They act beside what is in the lists of torques, after it.
struct ArrayTorques {
  using Attitudes = std::span<const Quaternion<double>>;
  using Vectors = std::span<const Vector<double>>;
  using Torque = std::function<void(Attitudes, double, std::span<Vector<double>>)>;
  using Control = std::function<void(Attitudes, Vectors, double, std::span<Vector<double>>)>;

  std::vector<Torque> torques{};
  std::vector<Control> controls{};

  /// Where what they see of so many bodies is written, asked for each time before it is; empty: in memory of the batch.
  std::function<Quaternion<double>*(std::size_t)> place_of_attitudes{};
  std::function<Vector<double>*(std::size_t)> place_of_rates{};

  /// There, or in `own`.
  template <class Row>
  static std::span<Row> placed(const std::function<Row*(std::size_t)>& place, std::vector<Row>& own,
                               std::size_t count) {
    if (place) return {place(count), count};
    own.resize(count);
    return {own.data(), count};
  }

  bool empty() const { return torques.empty() && controls.empty(); }
};

/// The frames of the bodies of a batch, as functions of arrays see them: AttachedUserTorque's.
struct UserFrame {
  Matrix<double> axes, back;
  Quaternion<double> turn;
  bool is_turned;

  explicit UserFrame(const Body<double>& body)
      : axes(convert<double>(body.axes())),
        back(convert<double>(transpose(body.axes()))),
        turn(convert<double>(body.turn())),
        is_turned(!(body.axes() == Matrix<DoubleDouble>::identity())) {}

  Quaternion<double> shown(const Quaternion<double>& q) const {
    const Quaternion<double> unit = normalized(q);
    return is_turned ? unit * turn : unit;
  }
  Vector<double> shown(const Vector<double>& v) const { return is_turned ? back * v : v; }
  Vector<double> principal(const Vector<double>& v) const { return is_turned ? axes * v : v; }
};

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::ArrayTorques;
}  // namespace polhode::torques
