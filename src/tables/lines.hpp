// Text files as lines of words, and numbers in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core.hpp"

namespace polhode::program {

/// The whole of a file. Throws ScenarioError if it cannot be read.
std::string read_text(const std::string& file);

/// The next line of a text, without its end, which may be \n or \r\n; false after the last.
bool next_line(std::string_view& text, std::string_view& line);

/// What is between blanks, tabs and further separators.
std::vector<std::string_view> words_of(std::string_view line, std::string_view separators = "");

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// The double of a word that is one, as a whole; a sign + is one too.
std::optional<double> number_of(std::string_view word);

}  // namespace polhode::program
