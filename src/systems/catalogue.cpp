#include "systems/catalogue.hpp"

#include <algorithm>
#include <array>

#include "polhode/splitting/leading_error.hpp"
#include "polhode/splitting/schemes.hpp"
#include "systems/registry.hpp"
#include "systems/torque_kind.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// The methods of some systems: those whose lists are the same stand together.
struct MethodGroup {
  std::vector<std::string> systems;
  std::vector<MethodEntry> methods;
};

std::vector<MethodGroup> method_groups() {
  std::vector<MethodGroup> groups;
  std::vector<std::vector<MethodEntry> (*)()> lists;
  for (const System& system : systems()) {
    const auto known = std::find(lists.begin(), lists.end(), system.methods);
    if (known == lists.end()) {
      lists.push_back(system.methods);
      groups.push_back({{system.name}, system.methods()});
    } else {
      groups[static_cast<std::size_t>(known - lists.begin())].systems.emplace_back(system.name);
    }
  }
  return groups;
}

/// Columns as wide as their longest entry; the last one is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += left(row[i], widths[i] + 2);
    text += row.back() + '\n';
  }
  return text;
}

std::string option_text(const MethodOption& o) {
  if (!o.choices.empty()) return filled("{} = {} or another: {}", o.name, toml_text(o.otherwise), o.meaning);
  if (std::holds_alternative<std::int64_t>(o.otherwise.content))
    return filled("{} = {}..{}, default {}: {}", o.name, o.smallest, o.largest, toml_text(o.otherwise),
                  o.meaning);
  return filled("{} = {}: {}", o.name, toml_text(o.otherwise), o.meaning);
}

std::string order_text(const MethodEntry& m) {
  if (m.order > 0) return filled("order {}", m.order);
  return m.order_rule.empty() ? "exact" : m.order_rule;
}

std::string methods_text() {
  std::vector<std::vector<std::string>> rows;
  for (const MethodGroup& group : method_groups()) {
    rows.push_back({filled("for {}", joined(group.systems))});
    for (const MethodEntry& m : group.methods) {
      rows.push_back({m.name, order_text(m), m.compensation ? "compensated" : "-", m.summary});
      for (const MethodOption& o : m.options) rows.push_back({"", "", "", option_text(o)});
    }
  }
  return table(rows);
}

Json names_json(const std::vector<std::string>& names) { return Json::array({names.begin(), names.end()}); }

Json value_json(const Value& value) {
  if (const auto* const x = std::get_if<bool>(&value.content)) return *x;
  if (const auto* const x = std::get_if<std::int64_t>(&value.content)) return *x;
  if (const auto* const x = std::get_if<double>(&value.content)) return *x;
  if (const auto* const x = std::get_if<std::string>(&value.content)) return *x;
  std::vector<Json> entries;
  for (const Value& entry : std::get<Array>(value.content)) entries.push_back(value_json(entry));
  return Json::array(entries);
}

/// Its type is that of its default.
std::string type_of(const MethodOption& o) {
  constexpr std::array names{"boolean", "integer", "number", "name", "numbers"};
  return names.at(o.otherwise.content.index());
}

Json option_json(const MethodOption& o) {
  std::vector<Json::Member> members{
      {"name", o.name}, {"type", type_of(o)}, {"default", value_json(o.otherwise)}};
  if (!o.choices.empty()) members.emplace_back("choices", names_json(o.choices));
  if (std::holds_alternative<std::int64_t>(o.otherwise.content)) {
    members.emplace_back("smallest", o.smallest);
    members.emplace_back("largest", o.largest);
  }
  members.emplace_back("meaning", o.meaning);
  return Json::object(members);
}

Json methods_json() {
  std::vector<Json> result;
  for (const MethodGroup& group : method_groups()) {
    for (const MethodEntry& m : group.methods) {
      std::vector<Json> options;
      for (const MethodOption& o : m.options) options.push_back(option_json(o));
      result.push_back(Json::object({{"name", m.name},
                                     {"systems", names_json(group.systems)},
                                     {"order", m.order},
                                     {"exact", m.order == 0 && m.order_rule.empty()},
                                     {"compensated", m.compensation},
                                     {"options", Json::array(options)},
                                     {"summary", m.summary}}));
    }
  }
  return Json::array(result);
}

/// The powers of the step that belong to the powers of a small torque, as far as the scheme was made for them.
std::vector<int> generalised_orders(const Scheme& scheme) {
  std::vector<int> result;
  for (const int order : scheme.generalised)
    if (order > 0) result.push_back(order);
  return result;
}

/// E_f of the systems that the scheme is for; those of the list have orders for which it is known.
double effective_error(const Scheme& scheme) { return leading_error(scheme).effective.value(); }

std::string schemes_text() {
  std::vector<std::vector<std::string>> rows;
  for (const Scheme& s : schemes) {
    std::vector<std::string> orders;
    for (const int order : generalised_orders(s)) orders.push_back(std::to_string(order));
    rows.push_back({std::string(s.name), filled("order {}", s.order),
                    orders.empty() ? "" : "(" + joined(orders, ", ") + ")",
                    filled("{} {}", s.stages(), s.stages() == 1 ? "kick" : "kicks"),
                    "E_f " + rounded("%.2f", effective_error(s)), std::string(s.summary)});
  }
  return table(rows);
}

Json schemes_json() {
  std::vector<Json> result;
  for (const Scheme& s : schemes) {
    const std::vector<int> orders = generalised_orders(s);
    result.push_back(Json::object({{"name", s.name},
                                   {"order", s.order},
                                   {"generalised", Json::array({orders.begin(), orders.end()})},
                                   {"stages", static_cast<std::int64_t>(s.stages())},
                                   {"nystrom", s.nystrom},
                                   {"effective_error", effective_error(s)},
                                   {"source", s.source},
                                   {"summary", s.summary}}));
  }
  return Json::array(result);
}

std::vector<NamedEntry> system_entries() {
  std::vector<NamedEntry> result;
  for (const System& s : systems()) result.push_back({s.name, s.summary});
  return result;
}

Json keys_json(const std::vector<SystemKey>& keys) {
  std::vector<Json> result;
  for (const SystemKey& k : keys)
    result.push_back(Json::object({{"name", k.name}, {"required", k.required}, {"meaning", k.meaning}}));
  return Json::array(result);
}

Json torques_json() {
  std::vector<Json> result;
  for (const TorqueKind& t : torque_kinds())
    result.push_back(Json::object({{"name", t.name},
                                   {"summary", t.summary},
                                   {"class", t.python},
                                   {"table", t.table},
                                   {"keys", keys_json(t.keys)}}));
  return Json::array(result);
}

std::vector<NamedEntry> torque_entries_of_list() {
  std::vector<NamedEntry> result;
  for (const TorqueKind& t : torque_kinds()) result.push_back({t.name, t.summary});
  return result;
}

Json systems_json() {
  std::vector<Json> result;
  for (const System& s : systems()) {
    std::vector<Json::Member> members{{"name", s.name}, {"summary", s.summary}, {"keys", keys_json(s.keys)}};
    if (!s.torque.empty()) members.emplace_back("torque", s.torque);
    result.push_back(Json::object(members));
  }
  return Json::array(result);
}

std::string entries_text(const std::vector<NamedEntry>& entries) {
  std::vector<std::vector<std::string>> rows;
  for (const NamedEntry& e : entries) rows.push_back({e.name, e.summary});
  return table(rows);
}

Json entries_json(const std::vector<NamedEntry>& entries) {
  std::vector<Json> result;
  for (const NamedEntry& e : entries)
    result.push_back(Json::object({{"name", e.name}, {"summary", e.summary}}));
  return Json::array(result);
}

std::string part_text(const std::string& part, const std::vector<NamedEntry>& experiments) {
  if (part == "methods") return methods_text();
  if (part == "schemes") return schemes_text();
  if (part == "torques") return entries_text(torque_entries_of_list());
  return entries_text(part == "experiments" ? experiments : system_entries());
}

Json part_json(const std::string& part, const std::vector<NamedEntry>& experiments) {
  if (part == "methods") return methods_json();
  if (part == "schemes") return schemes_json();
  if (part == "torques") return torques_json();
  return part == "experiments" ? entries_json(experiments) : systems_json();
}

}  // namespace

const std::vector<std::string>& Catalogue::parts() {
  static const std::vector<std::string> parts{"systems", "torques", "methods", "schemes", "experiments"};
  return parts;
}

std::string Catalogue::text(const std::string& part) const {
  if (!part.empty()) return part_text(part, experiments_);
  std::string text;
  for (const std::string& p : parts()) {
    const std::string body = part_text(p, experiments_);
    if (!body.empty()) text += filled("{}{}:\n{}", text.empty() ? "" : "\n", p, body);
  }
  return text;
}

std::string Catalogue::json(const std::string& part) const {
  if (!part.empty()) return part_json(part, experiments_).text() + "\n";
  std::vector<Json::Member> members;
  for (const std::string& p : parts()) members.emplace_back(p, part_json(p, experiments_));
  return Json::object(members).text() + "\n";
}

std::string Catalogue::names(const std::string& part) const {
  std::vector<std::string> found;
  const auto add = [&](std::string_view name) {
    if (std::find(found.begin(), found.end(), name) == found.end()) found.emplace_back(name);
  };
  for (const std::string& p : part.empty() ? parts() : std::vector<std::string>{part}) {
    if (p == "methods")
      for (const MethodGroup& group : method_groups())
        for (const MethodEntry& m : group.methods) add(m.name);
    else if (p == "schemes")
      for (const Scheme& s : schemes) add(s.name);
    else
      for (const NamedEntry& e : p == "torques"       ? torque_entries_of_list()
                                 : p == "experiments" ? experiments_
                                                      : system_entries())
        add(e.name);
  }
  return joined(found, "\n") + (found.empty() ? "" : "\n");
}

}  // namespace polhode::program
