#include "work/machine.hpp"

#include <fstream>

namespace polhode::program {

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string build_flags() {
#if defined(POLHODE_BUILD_FLAGS)
  return POLHODE_BUILD_FLAGS;
#else
  return "compiler " __VERSION__;
#endif
}

}  // namespace polhode::program
