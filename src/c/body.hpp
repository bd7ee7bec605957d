// The handle of a body: what polhode_step needs is computed once, when the body is made.
#pragma once

#include <cstdint>

#include "polhode.h"
#include "polhode/body/body.hpp"
#include "polhode/free_motion/exact.hpp"

struct polhode_body {  // NOLINT(readability-identifier-naming)
  polhode::Body<double> body;
  polhode::Exact<double> method;

  explicit polhode_body(const polhode::Body<double>& b) : body(b), method(b.inertia()) {}
};

namespace polhode::c {

/// What FreeRotor<Exact<double>> does, to the bit, without constructing the method for every call.
State<double> advance(const polhode_body& body, const State<double>& initial, double h, std::int64_t count);

}  // namespace polhode::c
