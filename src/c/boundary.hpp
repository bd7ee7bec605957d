// The boundary of the C interface, which every function passes: no exception leaves, no bad argument enters.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "polhode.h"
#include "polhode/body/body.hpp"
#include "polhode/error.hpp"

namespace polhode::c {

using namespace core;

/// Keeps the text for polhode_last_error() of this thread; never throws, cuts what is too long.
int fail(int code, const char* text) noexcept;

/// Calls body() and turns what it throws into a code.
template <std::invocable Body>
int guarded(Body&& body) noexcept {
  try {
    body();
    return POLHODE_OK;
  } catch (const InputError& e) {
    return fail(POLHODE_INVALID_ARGUMENT, e.what());
  } catch (const MotionError& e) {
    return fail(POLHODE_STEP_FAILED, e.what());
  } catch (const std::bad_alloc&) {
    return fail(POLHODE_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const std::exception& e) {
    return fail(POLHODE_INTERNAL, e.what());
  } catch (...) {
    return fail(POLHODE_INTERNAL, "an unknown exception was thrown");
  }
}

inline void require(bool condition, const char* sentence) {
  if (!condition) throw InputError(sentence);
}

inline void require_pointer(const void* p, const char* name) {
  if (p == nullptr) throw InputError(std::string(name) + " is a null pointer");
}

inline void require_step(double h, std::int64_t count) {
  require(std::isfinite(h), "the step is not a finite number");
  require(count >= 0, "the number of steps is negative");
}

/// For `doubles` numbers in each of n entries.
inline std::size_t require_size(std::int64_t n, std::size_t doubles) {
  require(n >= 0, "the number of entries is negative");
  const std::size_t largest = static_cast<std::size_t>(PTRDIFF_MAX) / (doubles * sizeof(double));
  if (static_cast<std::uint64_t>(n) > largest) throw std::bad_alloc();
  return static_cast<std::size_t>(n);
}

inline State<double> read_state(const double* momentum, const double* attitude) {
  return {{{momentum[0], momentum[1], momentum[2]}}, {attitude[0], attitude[1], attitude[2], attitude[3]}};
}

/// Steps and times are bounded only by what the arithmetic can follow, and it does not say when that ends: the result does.
inline void require_finite(const State<double>& s) {
  bool finite = true;
  for (const double x : s.momentum.c) finite = finite && std::isfinite(x);
  for (const double x : s.attitude.c) finite = finite && std::isfinite(x);
  require(finite, "the time or the momentum is too large: the result is not a finite number");
}

/// Writes a state that is one.
inline void write_state(const State<double>& s, double* momentum, double* attitude) {
  require_finite(s);
  for (std::size_t i = 0; i < 3; ++i) momentum[i] = s.momentum[i];
  for (std::size_t i = 0; i < 4; ++i) attitude[i] = s.attitude[i];
}

}  // namespace polhode::c
