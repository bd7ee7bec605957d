// The handle of a body: what polhode_step needs is computed once, when the body is made.
#pragma once

#include "polhode.h"
#include "polhode/body/body.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/rotor.hpp"

struct polhode_body {  // NOLINT(readability-identifier-naming)
  polhode::Body<double> body;
  polhode::Exact<double> method;

  explicit polhode_body(const polhode::Body<double>& b) : body(b), method(b.inertia()) {}
};
