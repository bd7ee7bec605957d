// The systems and torques of the laboratory, in place of the lists in src/systems: those that the page can draw.
#pragma once

#define POLHODE_SYSTEMS(ENTRY) \
  ENTRY(free_body)             \
  ENTRY(heavy_top)             \
  ENTRY(satellite)             \
  ENTRY(two_body_sphere)

#define POLHODE_TORQUES(ENTRY) \
  ENTRY(uniform_field)         \
  ENTRY(gravity_gradient)      \
  ENTRY(constant)              \
  ENTRY(damping)               \
  ENTRY(wheels)                \
  ENTRY(dissipation)
