// The handle of a splitting scheme.
#pragma once

#include "polhode.h"
#include "polhode/splitting/own_scheme.hpp"

struct polhode_scheme {  // NOLINT(readability-identifier-naming)
  polhode::splitting::OwnScheme scheme;
};
