#include "text/json.hpp"

#include <cmath>

#include "text/text.hpp"

namespace polhode::program {

Json::Json(double x) : text_(std::isfinite(x) ? shortest(x) : "null") {}
Json::Json(std::string_view x) : text_(in_quotes(x)) {}
Json::Json(const std::string& x) : text_(in_quotes(x)) {}
Json::Json(std::span<const double> numbers) : Json(array({numbers.begin(), numbers.end()})) {}

Json Json::array(const std::vector<Json>& elements) {
  std::string text = "[";
  for (const Json& e : elements) text += (text.size() > 1 ? ", " : "") + e.text_;
  return {Raw{}, text + "]"};
}

Json Json::object(const std::vector<Member>& members) {
  std::string text = "{";
  for (const auto& [key, value] : members)
    text += (text.size() > 1 ? ", " : "") + in_quotes(key) + ": " + value.text_;
  return {Raw{}, text + "}"};
}

}  // namespace polhode::program
