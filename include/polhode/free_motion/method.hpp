// What a method for the free rigid body is.
#pragma once

#include <concepts>
#include <string_view>

#include "polhode/body/inertia.hpp"
#include "polhode/body/motion.hpp"

namespace polhode {

/// What is known of a method before it runs; the conformance suite of the tests holds each method to it.
struct MethodInfo {
  std::string_view name;     ///< as in scenario files
  std::string_view summary;  ///< one line
  int order = 0;             ///< of convergence; 0: exact, the error is round-off for any step
  bool increments = false;   ///< the state is a sum of increments, which compensated summation applies to
  bool keeps_energy = true;  ///< energy and |m| are conserved to round-off
  bool keeps_spatial_momentum = true;  ///< Q m is conserved to round-off
  bool reversible = true;              ///< a step of h followed by one of -h is the identity, up to round-off
};

/// A method is constructed from the inertia and its own options, and then steps a Motion (plain or compensated) in the
/// principal frame. The numbers should be of moderate size: FreeRotor sees to that for any units.
/// Stepping does not throw. Methods with increments let the norm of the attitude grow: call Motion::settle() now and then.
template <class M>
concept FreeMotionMethod = requires(const M method, const Inertia<typename M::Value> inertia,
                                    const typename M::Options options,
                                    Motion<typename M::Value, Summation::plain> plain,
                                    Motion<typename M::Value, Summation::compensated> compensated,
                                    typename M::Value h) {
  M(inertia, options);
  { M::info } -> std::convertible_to<MethodInfo>;
  method.step(plain, h);
  method.step(compensated, h);
};

/// For methods that have none.
struct NoOptions {};

}  // namespace polhode
