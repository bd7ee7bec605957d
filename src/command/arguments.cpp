#include <charconv>

#include "command/commands.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::command {

std::int64_t positive_integer(const std::string& option, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && text[0] != '-')
    throw program::ScenarioError(option, "", "is too large: " + program::in_quotes(text));
  if (error != std::errc() || end != text.data() + text.size() || value <= 0)
    throw program::ScenarioError(option, "", "must be a positive integer, not " + program::in_quotes(text));
  return value;
}

unsigned thread_count(const std::string& text) {
  if (text.empty()) return 0;
  const std::int64_t threads = positive_integer("--threads", text);
  if (threads > 4096)
    throw program::ScenarioError("--threads", "", "is too large: " + program::in_quotes(text));
  return static_cast<unsigned>(threads);
}

}  // namespace polhode::command
