// The bodies of the conformance kit: where they start, and the times at which their states are known.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core.hpp"
#include "polhode/body/body.hpp"

namespace polhode::program {

/// A body with its initial state. All numbers are doubles, taken as they are.
struct KitBody {
  std::string_view name;
  std::string_view kind;
  std::array<double, 6> inertia;  ///< xx, yy, zz, xy, xz, yz of the tensor in the body frame
  Vector<double> omega;           ///< in the body frame
  Quaternion<double> attitude;    ///< body to space, of norm one
  /// Where the spin is next to an axis (0 to 2) about which it is stable, that axis; else -1.
  int stable_axis = -1;

  Matrix<double> tensor() const {
    const auto& [xx, yy, zz, xy, xz, yz] = inertia;
    return {{{xx, xy, xz}}, {{xy, yy, yz}}, {{xz, yz, zz}}};
  }
  bool diagonal() const { return inertia[3] == 0 && inertia[4] == 0 && inertia[5] == 0; }
};

std::span<const KitBody> kit_bodies();

/// The body of the name, or null.
const KitBody* find_kit_body(std::string_view name);

inline constexpr std::array<int, 4> kit_times{1, 2, 5, 10};

}  // namespace polhode::program
