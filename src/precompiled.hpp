// What the sources of the program include most, precompiled. Every source includes what it uses all the same.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/body/motion.hpp"
#include "run/simulation.hpp"
