// All of the library.
#pragma once

#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/fixed_step.hpp"
#include "polhode/free_motion/methods.hpp"
#include "polhode/free_motion/tangent.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "polhode/version.hpp"
