// The program speaks the words of the core, the private ones included.
#pragma once

namespace polhode::core {}

namespace polhode::program {
using namespace core;
}  // namespace polhode::program

namespace polhode::command {
using namespace core;
}  // namespace polhode::command
