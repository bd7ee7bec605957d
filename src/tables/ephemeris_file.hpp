// An ephemeris as a file of comma-separated values.
#pragma once

#include <string>

#include "core.hpp"
#include "polhode/torque/ephemeris.hpp"

namespace polhode::program {

/// Rows of time, x, y, z, or of time, x, y, z, vx, vy, vz, separated by commas, blanks or tabs; a line of names may stand before them.
/// Empty lines and what follows # are left out. `points` is that of Ephemeris; 0: eight, or four with velocities, or
/// as many as a short table has. Throws ScenarioError, which names the file and the line.
Ephemeris<double> read_ephemeris(const std::string& file, int points = 0);

}  // namespace polhode::program
