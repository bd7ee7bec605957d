#include "systems/body/own_scheme.hpp"

#include <cmath>

#include "text/text.hpp"

namespace polhode::program {

namespace {

std::vector<Decimal> read_list(const Section& scheme, std::string_view key) {
  const Value& value = scheme.value(key);
  const auto* const array = std::get_if<Array>(&value.content);
  if (array == nullptr) scheme.fail(key, "must be an array of numbers, not " + description(value));
  std::vector<Decimal> result;
  for (const Value& entry : *array) {
    if (const auto* const x = std::get_if<double>(&entry.content)) {
      result.emplace_back(*x);
    } else if (const auto* const i = std::get_if<std::int64_t>(&entry.content)) {
      result.emplace_back(*i);
    } else if (const auto* const text = std::get_if<std::string>(&entry.content)) {
      result.emplace_back(*text);
    } else {
      scheme.fail(key, filled("entry [{}] must be a number, or its digits as a string, not {}", result.size(),
                              description(entry)));
    }
  }
  return result;
}

}  // namespace

bool has_own_scheme(const Section& method) {
  return method.has("scheme") && std::holds_alternative<Table>(method.value("scheme").content);
}

OwnScheme read_own_scheme(Section& method) {
  const Section scheme = method.table("scheme");
  scheme.allow({"a", "b"});
  const std::vector<Decimal> a = read_list(scheme, "a"), b = read_list(scheme, "b");
  method.note("scheme", method.value("scheme"));
  return blaming(method, "scheme", [&] { return OwnScheme(a, b); });
}

SchemeFigures figures_of(const Scheme& scheme) {
  const LeadingError error = leading_error(scheme);
  return {error.order, scheme.nystrom, static_cast<std::int64_t>(scheme.stages()), error.effective,
          leading_error(scheme, true).effective};
}

std::vector<std::string> doubts_about(const Scheme& scheme) {
  const LeadingError error = leading_error(scheme, true);
  if (!error.effective)
    return {filled("the order of the own scheme is {} or higher: beyond that it is not found", error.order)};
  // The leading errors of good schemes are those of Strang steps of a twentieth of the length. What is ten times shorter is
  // no error of a scheme that was meant so, but of its digits.
  if (std::pow(error.size, 1.0 / error.order) < 0.005)
    return {filled(
        "the own scheme misses the conditions of order {} by {}: its coefficients may need more digits",
        error.order + 2, rounded("%.1e", error.size))};
  return {};
}

}  // namespace polhode::program
