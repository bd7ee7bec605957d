// JSON, written.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polhode::program {

/// A piece of JSON text. Numbers read back to the same double; what is not a number is null.
class Json {
 public:
  using Member = std::pair<std::string_view, Json>;

  Json(bool x) : text_(x ? "true" : "false") {}       // NOLINT(google-explicit-constructor)
  Json(int x) : text_(std::to_string(x)) {}           // NOLINT(google-explicit-constructor)
  Json(std::int64_t x) : text_(std::to_string(x)) {}  // NOLINT(google-explicit-constructor)
  Json(double x);                                     // NOLINT(google-explicit-constructor)
  Json(std::string_view x);                           // NOLINT(google-explicit-constructor)
  Json(const std::string& x);                         // NOLINT(google-explicit-constructor)
  Json(const char* x) : Json(std::string_view(x)) {}  // NOLINT(google-explicit-constructor)
  Json(std::span<const double> numbers);              // NOLINT(google-explicit-constructor)
  static Json null() { return Json(Raw{}, "null"); }
  static Json array(const std::vector<Json>& elements);
  static Json object(const std::vector<Member>& members);

  const std::string& text() const { return text_; }

 private:
  struct Raw {};
  Json(Raw, std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace polhode::program
