#include "ensemble/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

constexpr std::int64_t most_members = 1'000'000'000, most_samples = 10'000'000;

std::int64_t positive(Section& section, const char* key, std::int64_t largest) {
  const std::int64_t value = section.integer(key);
  if (value <= 0) section.fail(key, fmt::format("must be positive, not {}", value));
  if (value > largest) section.fail(key, fmt::format("must not be above {}, and is {}", largest, value));
  return value;
}

/// Tables in the order of the document, nested ones after the plain keys.
void append_table(std::string& text, const std::string& name, const Table& table) {
  text += fmt::format("[{}]\n", name);
  for (const Entry& e : table)
    if (!std::holds_alternative<Table>(e.value.content))
      text += fmt::format("{} = {}\n", e.key, toml_text(e.value));
  for (const Entry& e : table)
    if (const auto* const inner = std::get_if<Table>(&e.value.content)) {
      if (name == "ensemble.vary")
        text += fmt::format("{} = {}\n", in_quotes(e.key), toml_text(e.value));
      else
        append_table(text, name + "." + e.key, *inner);
    }
}

}  // namespace

EnsemblePlan::EnsemblePlan(Document document) : document_(std::move(document)), base_(document_) {
  if (find(document_.root, "ensemble") == nullptr)
    throw ScenarioError(document_.name, "ensemble",
                        "is missing: a table with members and what varies among them");
  std::erase_if(base_.root, [](const Entry& e) { return e.key == "ensemble"; });
  Section section(document_, "ensemble");
  section.allow({"members", "seed", "samples", "combine", "repeat", "vary"});
  const Section vary = section.table("vary");
  for (const std::string& key : vary.keys()) {
    variations_.emplace_back(base_, vary, key);
    for (std::size_t i = 0; i + 1 < variations_.size(); ++i)
      if (variations_[i].key().overlaps(variations_.back().key()))
        vary.fail(key, fmt::format("varies already as {}, or as a part of it",
                                   in_quotes(variations_[i].key().text())));
  }
  if (variations_.empty()) section.fail("vary", "is missing or empty: nothing differs between the members");
  read_seed_and_samples(section);
  const std::string combine = section.has("combine") ? section.string("combine") : "together";
  if (combine != "together" && combine != "grid")
    section.fail("combine", fmt::format("must be \"together\" or \"grid\", not {}", in_quotes(combine)));
  grid_ = combine == "grid";
  if (grid_)
    read_grid(section);
  else
    read_together(section);
}

void EnsemblePlan::read_seed_and_samples(Section& section) {
  if (section.has("seed")) seed_ = section.integer("seed");
  if (section.has("samples")) samples_ = positive(section, "samples", most_samples);
}

void EnsemblePlan::read_together(Section& section) {
  if (section.has("repeat"))
    section.fail("repeat", "is for combine = \"grid\"; here it is members that counts");
  const Section vary = section.table("vary");
  std::string first;
  if (section.has("members")) members_ = static_cast<std::size_t>(positive(section, "members", most_members));
  for (const Variation& v : variations_) {
    const std::string& key = v.key().text();
    if (v.distribution() == "range" && v.count() != 0)
      vary.table(key).table("range").fail("count",
                                          "is for combine = \"grid\"; here it is members that counts");
    if (v.distribution() != "values") continue;
    if (members_ != 0 && v.count() != members_)
      vary.table(key).fail(
          "values",
          fmt::format("there are {} of them for {} members{}; combine = \"grid\" takes every "
                      "combination",
                      v.count(), members_, first.empty() ? "" : ", the number of values of " + first));
    if (members_ == 0) first = key;
    members_ = v.count();
  }
  if (members_ == 0) section.fail("members", "is missing");
  for (const Variation& v : variations_)
    if (v.distribution() == "range" && members_ < 2)
      section.fail("members", fmt::format("must be at least 2 for the range of {}", v.key().text()));
}

void EnsemblePlan::read_grid(Section& section) {
  if (section.has("members"))
    section.fail("members", "follows from the grid: leave it out, or give repeat, the members at each point");
  if (section.has("repeat")) repeat_ = static_cast<std::size_t>(positive(section, "repeat", most_members));
  const Section vary = section.table("vary");
  bool ordered = false;
  members_ = repeat_;
  for (const Variation& v : variations_) {
    if (v.is_random()) continue;
    ordered = true;
    if (v.count() == 0)
      vary.table(v.key().text()).table("range").fail("count", "is missing: the number of values in the grid");
    if (v.count() > static_cast<std::size_t>(most_members) / members_)
      section.fail("combine", fmt::format("the grid has more than {} members", most_members));
    members_ *= v.count();
  }
  if (!ordered) section.fail("combine", "a grid needs values or a range");
}

Value EnsemblePlan::value(const Variation& variation, std::size_t member) const {
  if (variation.is_random()) return variation.drawn(static_cast<std::uint64_t>(seed_), member);
  if (!grid_) return variation.in_order(member, members_);
  std::size_t index = member / repeat_;
  for (auto v = variations_.rbegin(); v != variations_.rend(); ++v) {
    if (v->is_random()) continue;
    if (&*v == &variation) break;
    index /= v->count();
  }
  return variation.in_order(index % variation.count(), variation.count());
}

Document EnsemblePlan::member(std::size_t member) const {
  Document result = base_;
  for (const Variation& v : variations_) v.key().set(result.root, value(v, member));
  return result;
}

std::string EnsemblePlan::values_text(std::size_t member) const {
  std::vector<std::string> parts;
  for (const Variation& v : variations_)
    parts.push_back(fmt::format("{} = {}", v.key().text(), toml_text(value(v, member))));
  return joined(parts);
}

bool EnsemblePlan::varies(std::string_view key) const {
  return std::any_of(variations_.begin(), variations_.end(),
                     [&](const Variation& v) { return v.key().text() == key; });
}

std::string EnsemblePlan::text() const {
  std::string result;
  for (const Entry& e : document_.root)
    if (const auto* const table = std::get_if<Table>(&e.value.content)) append_table(result, e.key, *table);
  return result;
}

}  // namespace polhode::program
