// What the tests of the core include most, precompiled. Every test includes what it uses all the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/body/motion.hpp"
#include "reference/quadruple.hpp"
