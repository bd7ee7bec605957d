#include <cstdio>

#include "boundary.hpp"
#include "polhode/version.hpp"

namespace {

// No destructor and no allocation: it works at any time in the life of a thread.
thread_local char last_error[512];

}  // namespace

namespace polhode::c {

int fail(int code, const char* text) noexcept {
  std::snprintf(last_error, sizeof last_error, "%s", text);
  return code;
}

}  // namespace polhode::c

const char* polhode_last_error() { return last_error; }

const char* polhode_version() { return polhode::version.data(); }
