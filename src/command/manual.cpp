#include "command/manual.hpp"

#include <algorithm>
#include <cctype>

#include "command/commands.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::command {

namespace {

using program::filled;

/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_heading(std::string_view line) {
  return !line.empty() && line[0] != ' ' &&
         std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isupper(c) || c == ' '; });
}

bool is_literal(std::string_view line) { return line.starts_with("    "); }

/// As roff wants it: hyphens are minus signs, and no line begins with a request.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

/// polhode run [--json] SCENARIO.toml
std::string synopsis(const CommandManual& command, bool is_program) {
  std::string text = is_program ? "polhode" : "polhode " + command.name;
  for (const OptionManual& o : command.options) {
    std::string part = o.name;
    if (!o.value.empty()) part += (part.empty() ? "" : " ") + o.value;
    if (!o.required) part = "[" + part + "]";
    if (o.repeated) part += "...";
    text += " " + part;
  }
  return is_program ? text + " COMMAND ..." : text;
}

std::string option_head(const OptionManual& o) {
  return o.name + (o.name.empty() || o.value.empty() ? "" : " ") + o.value;
}

}  // namespace

std::string manual_text(const Topic& topic, const CommandManual* command) {
  constexpr std::size_t width = 24;
  std::string text = filled("{}: {}\n", topic.name, topic.title);
  if (command != nullptr) {
    text += "\n    " + synopsis(*command, topic.name == "polhode") + "\n\n";
    for (const OptionManual& o : command->options) {
      const std::string head = option_head(o);
      text += filled("    {}{}  {}\n", program::left(head, width),
                     head.size() > width ? "\n    " + std::string(width, ' ') : "", o.meaning);
    }
  }
  return text + "\n" + std::string(topic.text);
}

std::string manual_roff(const Topic& topic, const CommandManual* command,
                        const std::vector<std::string>& related) {
  const std::string page = topic.name == "polhode" ? "polhode" : "polhode-" + std::string(topic.name);
  std::string upper = page;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string roff =
      filled(".TH {} {} \"\" \"polhode {}\" \"polhode\"\n", escaped(upper), topic.section, polhode::version);
  roff += filled(".SH NAME\n{} \\- {}\n", escaped(page), escaped(topic.title));
  if (command != nullptr) {
    roff +=
        ".SH SYNOPSIS\n.nf\n" + escaped(synopsis(*command, topic.name == "polhode")) + "\n.fi\n.SH OPTIONS\n";
    for (const OptionManual& o : command->options)
      roff += ".TP\n.B " + escaped(option_head(o)) + "\n" + escaped(o.meaning) + "\n";
  }
  roff += ".SH DESCRIPTION\n";
  bool literal = false, empty_before = false;
  for (const std::string_view line : lines_of(topic.text)) {
    if (line.empty()) {
      empty_before = true;
      continue;
    }
    if (is_literal(line) != literal) {
      roff += literal ? ".EE\n" : ".PP\n.EX\n";
      literal = !literal;
    } else if (empty_before && literal) {
      roff += ".sp\n";
    }
    if (is_heading(line)) {
      roff += ".SH " + escaped(line) + "\n";
    } else {
      if (empty_before && !literal && !roff.ends_with("\n.SH DESCRIPTION\n")) roff += ".PP\n";
      roff += escaped(line) + "\n";
    }
    empty_before = false;
  }
  if (literal) roff += ".EE\n";
  roff += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < related.size(); ++i)
    roff += ".BR " + escaped(related[i].substr(0, related[i].find('('))) + " " +
            related[i].substr(related[i].find('(')) + (i + 1 < related.size() ? ",\n" : "\n");
  return roff;
}

int help(const HelpArguments& arguments, const std::vector<CommandManual>& commands) {
  std::vector<std::string> names, pages;
  for (const Topic& topic : topics()) {
    names.emplace_back(topic.name);
    pages.push_back(
        filled("{}({})", topic.name == "polhode" ? "polhode" : "polhode-" + names.back(), topic.section));
  }
  if (arguments.topic.empty()) {
    std::string text = "polhode help TOPIC explains:\n";
    for (const Topic& topic : topics())
      text += filled("    {}  {}\n", program::left(topic.name, 12), topic.title);
    print(text);
    return fine;
  }
  const auto found = std::find(names.begin(), names.end(), arguments.topic);
  if (found == names.end())
    throw program::ScenarioError("help", "",
                                 "there is no topic " + program::in_quotes(arguments.topic) +
                                     program::suggestion(arguments.topic, names));
  const Topic& topic = topics()[static_cast<std::size_t>(found - names.begin())];
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandManual& c) { return c.name == topic.name; });
  const CommandManual* const manual = command == commands.end() ? nullptr : &*command;
  pages.erase(pages.begin() + (found - names.begin()));
  print(arguments.manual ? manual_roff(topic, manual, pages) : manual_text(topic, manual));
  return fine;
}

}  // namespace polhode::command
