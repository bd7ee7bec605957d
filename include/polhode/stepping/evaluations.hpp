// The cost of a motion, in evaluations.
#pragma once

#include <cstdint>

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// How often the steps have asked for the force, and for the values of all constraints.
struct EvaluationCounts {
  std::int64_t force = 0;
  std::int64_t constraint = 0;
  friend constexpr bool operator==(const EvaluationCounts&, const EvaluationCounts&) = default;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::EvaluationCounts;
}  // namespace polhode
