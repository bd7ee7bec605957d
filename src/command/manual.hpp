// Manual pages: what a command or a topic is, as text for a terminal and as roff.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode::command {

/// An option or an argument as the command line has it.
struct OptionManual {
  std::string name;   ///< --json; empty for an argument
  std::string value;  ///< what stands for its value; empty for a flag
  std::string meaning;
  bool required = false;
  bool repeated = false;
};

struct CommandManual {
  std::string name;  ///< run; polhode for the program
  std::string meaning;
  std::vector<OptionManual> options;
};

/// What a topic has to say. In the text a line that begins with four blanks is shown as it is, an empty one ends a paragraph, and one
/// in capitals is a heading.
struct Topic {
  std::string_view name;
  std::string_view title;
  int section = 7;  ///< of the manual
  std::string_view text;
};

/// Texts of commands, by their names, and those that belong to no command.
const std::vector<Topic>& topics();

/// As polhode help prints it.
std::string manual_text(const Topic& topic, const CommandManual* command);
/// The source of a manual page, for man. `related`: the names of the other pages with their sections, as "polhode-run(1)".
std::string manual_roff(const Topic& topic, const CommandManual* command,
                        const std::vector<std::string>& related);

}  // namespace polhode::command
