// The concept of a method for the free rigid body, and what is known of one.
#pragma once

#include <array>
#include <concepts>
#include <string_view>

#include "polhode/body/inertia.hpp"
#include "polhode/body/motion.hpp"

namespace POLHODE_CORE {

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

/// An option of a method: an integer in a range, with its default and its meaning in one line.
struct OptionInfo {
  std::string_view name;
  std::string_view meaning;
  int smallest = 0;
  int largest = 0;
  int otherwise = 0;
};

/// An entry of a method's option_list: the option, and how it enters the method's Options.
template <class Options>
struct OptionEntry {
  OptionInfo info;
  void (*set)(Options& options, int value);
};

/// Options of methods that have none.
struct NoOptions {};

/// The options of a method: its option_list, or nothing where it has NoOptions.
template <class Method>
constexpr auto option_entries() {
  if constexpr (requires { Method::option_list; }) {
    return Method::option_list;
  } else {
    return std::array<OptionEntry<typename Method::Options>, 0>{};
  }
}

/// What a method keeps of one free motion from step to step beside the state: constants of that motion, or zeros before its first
/// step. Whoever steps by such a method holds the memory; without one every step begins anew.
template <class T>
using MethodMemory = std::array<T, 8>;

template <class M>
concept MethodWithMemory = requires(const M method, Motion<typename M::Value, Summation::plain> motion,
                                    typename M::Value h, MethodMemory<typename M::Value> memory) {
  method.step(motion, h, memory);
};

/// A method is constructed from the inertia and its own options, and then steps a Motion (plain or compensated) in the
/// principal frame. The numbers should be of moderate size: Rotor sees to that for any units.
/// Stepping does not throw. Methods with increments let the norm of the attitude grow: call Motion::keep_in_range() now
/// and then.
template <class M>
concept FreeMotionMethod = requires(const M method, const Inertia<typename M::Value> inertia,
                                    const typename M::Options options,
                                    Motion<typename M::Value, Summation::plain> plain,
                                    Motion<typename M::Value, Summation::compensated> compensated,
                                    typename M::Value h) {
  M(inertia, options);
  { method.info } -> std::convertible_to<MethodInfo>;
  method.step(plain, h);
  method.step(compensated, h);
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::MethodInfo;
using core::OptionInfo;
}  // namespace polhode
