#include <cerrno>
#include <cstdio>
#include <cstring>

#include "command/commands.hpp"
#include "scenario/error.hpp"

namespace polhode::command {

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw program::RunError(std::string("standard output: ") + std::strerror(errno));
}

}  // namespace polhode::command
