// What the sources of the module include most, precompiled. Every source includes what it uses all the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "polhode/arithmetic/double_double.hpp"
#include "polhode/body/body.hpp"
