#include <cerrno>
#include <cstdio>
#include <cstring>

#include "command/commands.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::command {

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw program::RunError(std::string("standard output: ") + std::strerror(errno));
}

void print_note(const std::string& sentence) {
  constexpr std::size_t longest = 1000;
  // Cut before and after: what is not shown need not be made visible, and making it so makes it longer.
  const std::string line =
      program::shortened(program::one_line(program::shortened(sentence, longest)), longest);
  std::fputs(("polhode: " + line + "\n").c_str(), stderr);
}

}  // namespace polhode::command
