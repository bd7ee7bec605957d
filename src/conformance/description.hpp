// What the kit is and how it is used, for somebody who has its files and nothing else.
#pragma once

#include <string>

#include "core.hpp"

namespace polhode::program {

std::string kit_description();

}  // namespace polhode::program
