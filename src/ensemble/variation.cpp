#include "ensemble/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensemble/member_random.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

const std::vector<std::string> distributions{"values", "range",           "uniform",
                                             "normal", "random_rotation", "random_direction"};

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value.content) || std::holds_alternative<std::int64_t>(value.content);
}

KeyPath path_of(const Section& vary, const std::string& key) {
  auto path = KeyPath::parsed(key);
  if (!path)
    vary.fail(key, "is not a key: write a dotted one, such as \"state.momentum\" or \"system.inertia[0]\"");
  return *path;
}

/// A vector of normal components has no preferred direction.
std::vector<double> unit_vector(const MemberRandom& random, std::size_t length) {
  std::vector<double> normal(length), result(length);
  DoubleDouble square = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    normal[i] = random.normal(i);
    square += DoubleDouble::product(normal[i], normal[i]);
  }
  for (std::size_t i = 0; i < length; ++i) result[i] = static_cast<double>(normal[i] / sqrt(square));
  return result;
}

}  // namespace

Variation::Variation(const Document& document, const Section& vary, const std::string& key)
    : key_(path_of(vary, key)), given_(key_.find(document.root)) {
  const Section table = vary.table(key);
  std::vector<std::string> known = distributions;
  known.emplace_back("integer");
  for (const std::string& name : table.keys()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      table.fail(name, "there is no such way to vary a key" + suggestion(name, distributions));
    if (name == "integer") continue;
    if (!distribution_.empty())
      table.fail(name, fmt::format("{} and {} are both given: leave one of them out", distribution_, name));
    distribution_ = name;
  }
  if (distribution_.empty())
    vary.fail(key, "does not say how it varies: give one of " + joined(distributions));
  // An entry of an array that the scenario does not give would be an entry of nothing.
  Table copy = document.root;
  if (given_ == nullptr && key.find('[') != std::string::npos)
    vary.fail(key, "the scenario has no such entry; they count from [0]");
  if (!key_.set(copy, {0.0})) vary.fail(key, "the scenario has something else at this place");

  if (table.has("integer")) {
    Section reader = table;
    integer_ = reader.boolean("integer");
    if (distribution_ != "range" && distribution_ != "uniform" && distribution_ != "normal")
      table.fail("integer", "is for range, uniform and normal");
  }
  is_random_ = distribution_ != "values" && distribution_ != "range";
  if (const auto* const array = given_ == nullptr ? nullptr : std::get_if<Array>(&given_->content))
    length_ = array->size();
  if (distribution_ != "values" && given_ != nullptr) {
    const auto* const array = std::get_if<Array>(&given_->content);
    if (!(array != nullptr ? std::all_of(array->begin(), array->end(), is_number) : is_number(*given_)))
      table.fail(
          distribution_,
          fmt::format("needs a number or an array of numbers; {} is {}{}: give values, or vary its entries",
                      key, array != nullptr ? "not: " : "", description(*given_)));
  }
  if (distribution_ == "values") {
    read_values(table);
  } else if (distribution_ == "normal") {
    read_normal(table.table(distribution_));
  } else if (distribution_ == "random_direction") {
    read_direction(table.table(distribution_));
  } else if (distribution_ == "random_rotation") {
    read_rotation(table);
  } else {
    read_interval(table.table(distribution_));
  }
  given_ = nullptr;
}

void Variation::read_values(const Section& table) {
  const auto* const array = std::get_if<Array>(&table.value("values").content);
  if (array == nullptr || array->empty())
    table.fail("values", "must be an array of values, not " + description(table.value("values")));
  for (const Value& value : *array)
    if (value.content.index() != array->front().content.index() &&
        !(is_number(value) && is_number(array->front())))
      table.fail("values", fmt::format("are not all of one type: {} and {}", description(array->front()),
                                       description(value)));
  values_ = *array;
  count_ = values_.size();
}

std::vector<double> Variation::numbers(const Section& table, const std::string& key) const {
  const Value& value = table.value(key);
  const auto* const array = std::get_if<Array>(&value.content);
  const Array one{value};
  const Array& all = array != nullptr ? *array : one;
  if (array != nullptr && (!length_ || *length_ != array->size()))
    table.fail(
        key, length_ ? fmt::format("must be a number or an array of {}, not {}", *length_, description(value))
                     : fmt::format("must be a number, not {}", description(value)));
  std::vector<double> result;
  for (const Value& entry : all) {
    const auto* const integer = std::get_if<std::int64_t>(&entry.content);
    const auto* const real = std::get_if<double>(&entry.content);
    if (integer == nullptr && (real == nullptr || !std::isfinite(*real)))
      table.fail(key, fmt::format("must be {}, not {}",
                                  array != nullptr ? "an array of finite numbers" : "a finite number",
                                  real != nullptr ? fmt::format("{}", *real) : description(entry)));
    result.push_back(integer != nullptr ? static_cast<double>(*integer) : *real);
  }
  if (array == nullptr) result.resize(components(), result.front());
  return result;
}

void Variation::read_interval(Section table) {
  std::vector<std::string> known{"from", "to", "scale"};
  if (!is_random_) known.emplace_back("count");
  table.allow(known);
  if (given_ == nullptr)  // the shape is that of the interval
    for (const char* key : {"from", "to"})
      if (const auto* const array = std::get_if<Array>(&table.value(key).content)) length_ = array->size();
  low_ = numbers(table, "from");
  high_ = numbers(table, "to");
  if (table.has("scale")) {
    const std::string scale = table.string("scale");
    if (scale != "linear" && scale != "log")
      table.fail("scale", fmt::format("must be \"linear\" or \"log\", not {}", in_quotes(scale)));
    logarithmic_ = scale == "log";
  }
  if (low_ == high_) table.fail("to", "is the same as from: nothing varies");
  for (std::size_t i = 0; i < low_.size(); ++i) {
    if (is_random_ && low_[i] > high_[i])
      table.fail("to", fmt::format("must not be below from, {}", low_[i]));
    if (!std::isfinite(high_[i] - low_[i])) table.fail("to", "is too far from from");
    if (logarithmic_ && low_[i] != high_[i] && !(low_[i] > 0.0 && high_[i] > 0.0) &&
        !(low_[i] < 0.0 && high_[i] < 0.0))
      table.fail("scale", fmt::format("log needs ends of one sign that are not zero, not {} and {}", low_[i],
                                      high_[i]));
  }
  if (table.has("count")) {
    const std::int64_t count = table.integer("count");
    if (count < 2) table.fail("count", fmt::format("must be at least 2, not {}", count));
    count_ = static_cast<std::size_t>(count);
  }
}

void Variation::read_normal(Section table) {
  table.allow({"mean", "deviation"});
  if (given_ == nullptr && !table.has("mean"))
    table.fail("mean", "is missing, and so is the key itself, which would stand for it");
  if (given_ == nullptr)
    if (const auto* const array = std::get_if<Array>(&table.value("mean").content)) length_ = array->size();
  if (table.has("mean")) {
    low_ = numbers(table, "mean");
  } else {
    const Section own = table;
    const Array one{*given_};
    const auto* const array = std::get_if<Array>(&given_->content);
    for (const Value& v : array != nullptr ? *array : one)
      low_.push_back(std::holds_alternative<double>(v.content)
                         ? std::get<double>(v.content)
                         : static_cast<double>(std::get<std::int64_t>(v.content)));
  }
  high_ = numbers(table, "deviation");
  if (std::any_of(high_.begin(), high_.end(), [](double x) { return x < 0.0; }))
    table.fail("deviation", "must not be negative");
  if (std::all_of(high_.begin(), high_.end(), [](double x) { return x == 0.0; }))
    table.fail("deviation", "is zero: nothing varies");
}

void Variation::read_direction(Section table) {
  table.allow({"norm"});
  if (!length_ && given_ != nullptr) table.fail("", "is for an array of numbers, such as a momentum");
  if (!length_) length_ = 3;
  if (table.has("norm")) norm_ = table.number("norm");
  if (!(norm_ > 0.0)) table.fail("norm", fmt::format("must be positive, not {}", norm_));
}

void Variation::read_rotation(const Section& table) {
  Section reader = table;
  if (!reader.boolean("random_rotation")) table.fail("random_rotation", "must be true");
  if (!length_ && given_ == nullptr) length_ = 4;
  if (length_ != 4U) table.fail("random_rotation", "is for an attitude as a quaternion, 4 numbers");
}

double Variation::between(std::size_t component, double part) const {
  const double from = low_[component], to = high_[component];
  if (from == to || part == 0.0) return from;
  if (part == 1.0) return to;
  if (logarithmic_) return static_cast<double>(from * exponential(part * logarithm(DoubleDouble(to) / from)));
  return static_cast<double>(from + DoubleDouble::sum(to, -from) * part);
}

Value Variation::shaped(const std::vector<double>& components) const {
  Array array;
  for (const double x : components) {
    if (integer_ && std::abs(x) < 0x1p62)
      array.push_back({static_cast<std::int64_t>(std::nearbyint(x))});
    else
      array.push_back({x});
  }
  return length_ ? Value{std::move(array)} : array.front();
}

Value Variation::in_order(std::size_t index, std::size_t count) const {
  if (!values_.empty()) return values_[index];
  std::vector<double> result(components());
  const double part = count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0.0;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = between(i, part);
  return shaped(result);
}

Value Variation::drawn(std::uint64_t seed, std::size_t member) const {
  const MemberRandom random(seed, key_.text(), member);
  if (distribution_ == "random_rotation") return shaped(unit_vector(random, 4));
  std::vector<double> result(components());
  if (distribution_ == "random_direction") {
    result = unit_vector(random, result.size());
    for (double& x : result) x *= norm_;
  } else {
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = distribution_ == "uniform"
                      ? between(i, random.uniform(i))
                      : static_cast<double>(low_[i] + DoubleDouble::product(high_[i], random.normal(i)));
  }
  return shaped(result);
}

}  // namespace polhode::program
