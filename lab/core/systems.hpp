// The systems of the laboratory, in place of the list in src/systems/registry.cpp: those that the page can draw.
#pragma once

#define POLHODE_SYSTEMS(ENTRY) \
  ENTRY(free_body)             \
  ENTRY(heavy_top)             \
  ENTRY(satellite)             \
  ENTRY(two_body_sphere)
