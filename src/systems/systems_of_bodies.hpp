// The systems of a module that is built without the command, in place of the list in registry.cpp: those of one rigid body. The
// others are two fifths of what there is to compile, and are run by their scenarios alone.
#pragma once

#define POLHODE_SYSTEMS(ENTRY) \
  ENTRY(free_body)             \
  ENTRY(driven_body)           \
  ENTRY(heavy_top)             \
  ENTRY(satellite)             \
  ENTRY(dipole)

#define POLHODE_SYSTEMS_ELSEWHERE                                                                        \
  "; this module has the systems of one rigid body, and all systems are in the command and in a module " \
  "that is built with POLHODE_SYSTEMS=all"
