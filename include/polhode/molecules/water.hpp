// Rigid models of water, in nanometres, picoseconds, atomic mass units, elementary charges and kJ/mol.
//
// In these units energy is amu nm^2/ps^2, and the constants below belong to them.
#pragma once

#include <array>
#include <string_view>

#include "polhode/molecules/molecule.hpp"

namespace POLHODE_CORE {

/// 1/(4 pi eps0) and Boltzmann's constant in kJ/mol, nm, e and K (CODATA 2018).
inline constexpr double coulomb_in_kilojoule_per_mole = 138.935458;
inline constexpr double boltzmann_in_kilojoule_per_mole = 0.00831446261815324;

namespace detail {

struct WaterModel {
  std::string_view name;
  double bond, angle;  ///< O-H in nm, H-O-H in degrees
  double charge;       ///< of a hydrogen
  double epsilon, sigma;
  double arm;  ///< from the oxygen to the massless site that has its charge; 0 if the oxygen has it
};

/// SPC/E [BGS87], TIP3P and TIP4P [JCMIK83], TIP4P/2005 [AV05].
inline constexpr std::array<WaterModel, 4> water_models{{
    {"spce", 0.1, 109.47122063449069, 0.4238, 0.650, 0.3166, 0.0},
    {"tip3p", 0.09572, 104.52, 0.417, 0.636386, 0.315061, 0.0},
    {"tip4p", 0.09572, 104.52, 0.52, 0.648520, 0.315365, 0.015},
    {"tip4p-2005", 0.09572, 104.52, 0.5564, 0.774908, 0.31589, 0.01546},
}};

}  // namespace detail

/// The names that water() knows.
inline std::vector<std::string> water_names() {
  std::vector<std::string> names;
  for (const auto& model : detail::water_models) names.emplace_back(model.name);
  return names;
}

/// The model of that name: oxygen, two hydrogens, and the massless site M where the model has one. The dipole is along z.
/// Throws InputError for a name that is not in the list.
inline Molecule water(std::string_view name) {
  const auto& models = detail::water_models;
  const auto* const m =
      std::find_if(models.begin(), models.end(), [&](const auto& x) { return x.name == name; });
  if (m == models.end()) throw InputError("there is no model of water of the name " + std::string(name));
  constexpr double oxygen = 15.9994, hydrogen = 1.00794;
  const double half = m->angle * (pi<double>() / 360.0);
  const double x = m->bond * std::sin(half), z = m->bond * std::cos(half);
  const bool fourth = m->arm > 0.0;
  std::vector<Site> sites{
      {"OW", "O", {}, oxygen, fourth ? 0.0 : -2.0 * m->charge, m->epsilon, m->sigma},
      {"HW", "H", {{x, 0.0, z}}, hydrogen, m->charge, 0.0, 0.0},
      {"HW", "H", {{-x, 0.0, z}}, hydrogen, m->charge, 0.0, 0.0},
  };
  if (fourth) sites.push_back({"MW", "", {{0.0, 0.0, m->arm}}, 0.0, -2.0 * m->charge, 0.0, 0.0});
  return {std::string(name), std::move(sites)};
}

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::water;
using core::water_names;
}  // namespace polhode::molecules
