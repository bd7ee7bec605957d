#include "laboratory/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "laboratory/experiment.hpp"
#include "laboratory/json.hpp"
#include "laboratory/systems.hpp"

namespace polhode::laboratory {

namespace {

std::vector<MethodEntry> all_methods() {
  std::vector<MethodEntry> result;
  for (const System& system : systems())
    for (MethodEntry& method : system.methods()) result.push_back(std::move(method));
  return result;
}

/// Columns as wide as their longest entry; the last one is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += row.back() + '\n';
  }
  return text;
}

std::string methods_text() {
  std::vector<std::vector<std::string>> rows;
  for (const MethodEntry& m : all_methods()) {
    rows.push_back({m.name, m.order == 0 ? "exact" : fmt::format("order {}", m.order),
                    m.compensation ? "compensated" : "-", m.summary});
    for (const MethodOption& o : m.options)
      rows.push_back({"", "", "", fmt::format("{} = {}..{}: {}", o.name, o.smallest, o.largest, o.meaning)});
  }
  return table(rows);
}

Json methods_json() {
  std::vector<Json> result;
  for (const MethodEntry& m : all_methods()) {
    std::vector<Json> options;
    for (const MethodOption& o : m.options)
      options.push_back(Json::object(
          {{"name", o.name}, {"smallest", o.smallest}, {"largest", o.largest}, {"meaning", o.meaning}}));
    result.push_back(Json::object({{"name", m.name},
                                   {"system", m.system},
                                   {"order", m.order},
                                   {"exact", m.order == 0},
                                   {"compensated", m.compensation},
                                   {"options", Json::array(options)},
                                   {"summary", m.summary}}));
  }
  return Json::array(result);
}

std::vector<NamedEntry> entries_of(const std::string& part) {
  if (part == "schemes") return schemes();
  if (part == "experiments") return experiments();
  std::vector<NamedEntry> result;
  for (const System& s : systems()) result.push_back({std::string(s.name), std::string(s.summary)});
  return result;
}

std::string part_text(const std::string& part) {
  if (part == "methods") return methods_text();
  std::vector<std::vector<std::string>> rows;
  for (const NamedEntry& e : entries_of(part)) rows.push_back({e.name, e.summary});
  return table(rows);
}

Json part_json(const std::string& part) {
  if (part == "methods") return methods_json();
  std::vector<Json> result;
  for (const NamedEntry& e : entries_of(part))
    result.push_back(Json::object({{"name", e.name}, {"summary", e.summary}}));
  return Json::array(result);
}

}  // namespace

const std::vector<NamedEntry>& schemes() {
  static const std::vector<NamedEntry> registry;
  return registry;
}

const std::vector<NamedEntry>& experiments() {
  static const std::vector<NamedEntry> registry = [] {
    std::vector<NamedEntry> entries;
    for (const ExperimentEntry& e : experiment_registry()) entries.push_back({e.name, e.summary});
    return entries;
  }();
  return registry;
}

const std::vector<std::string>& catalogue_parts() {
  static const std::vector<std::string> parts{"systems", "methods", "schemes", "experiments"};
  return parts;
}

std::string catalogue_text(const std::string& part) {
  if (!part.empty()) return part_text(part);
  std::string text;
  for (const std::string& p : catalogue_parts()) {
    const std::string body = part_text(p);
    if (!body.empty()) text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n", p, body);
  }
  return text;
}

std::string catalogue_json(const std::string& part) {
  if (!part.empty()) return part_json(part).text() + "\n";
  std::vector<Json::Member> members;
  for (const std::string& p : catalogue_parts()) members.emplace_back(p, part_json(p));
  return Json::object(members).text() + "\n";
}

}  // namespace polhode::laboratory
