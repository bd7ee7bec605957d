// A strict reader of JSON for the tests: what it accepts, every reader accepts.
#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polhode::testing {

struct JsonValue {
  std::variant<std::nullptr_t, bool, double, std::string, std::vector<JsonValue>,
               std::map<std::string, JsonValue>>
      v;

  const JsonValue& operator[](const std::string& key) const {
    return std::get<std::map<std::string, JsonValue>>(v).at(key);
  }
  const JsonValue& operator[](std::size_t i) const { return list().at(i); }
  const std::vector<JsonValue>& list() const { return std::get<std::vector<JsonValue>>(v); }
  double number() const { return std::get<double>(v); }
  const std::string& string() const { return std::get<std::string>(v); }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(v); }
  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    for (const auto& [key, value] : std::get<std::map<std::string, JsonValue>>(v)) result.push_back(key);
    return result;
  }
};

/// Throws std::runtime_error unless the text is one JSON value.
class JsonReader {
 public:
  static JsonValue read(const std::string& text) {
    JsonReader reader(text);
    JsonValue value = reader.value();
    reader.space();
    if (reader.at_ != text.size()) reader.fail("text after the value");
    return value;
  }

 private:
  explicit JsonReader(const std::string& text) : text_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("JSON: " + what + " at " + std::to_string(at_) + " of " + text_);
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool take(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  JsonValue value() {
    space();
    if (take("null")) return {nullptr};
    if (take("true")) return {true};
    if (take("false")) return {false};
    if (take("{")) return object();
    if (take("[")) return array();
    if (at_ < text_.size() && text_[at_] == '"') return {string()};
    return number();
  }
  JsonValue number() {
    const std::size_t start = at_;
    take("-");
    const std::size_t digits = at_;
    const auto skip_digits = [&] {
      const std::size_t first = at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
      if (at_ == first) fail("no digit");
    };
    skip_digits();
    if (text_[digits] == '0' && at_ - digits > 1) fail("a leading zero");
    if (take(".")) skip_digits();
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      skip_digits();
    }
    return {std::strtod(text_.c_str() + start, nullptr)};
  }
  std::string string() {
    std::string result;
    ++at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character");
      if (text_[at_] != '\\') {
        result += text_[at_];
        continue;
      }
      const std::size_t known = std::string_view("\"\\/bfnrt").find(text_.at(++at_));
      if (known != std::string_view::npos) {
        result += std::string_view("\"\\/\b\f\n\r\t")[known];
      } else if (text_[at_] == 'u') {
        result += static_cast<char>(std::stoi(text_.substr(at_ + 1, 4), nullptr, 16));
        at_ += 4;
      } else {
        fail("an unknown escape");
      }
    }
    if (!take("\"")) fail("an open string");
    return result;
  }
  JsonValue array() {
    std::vector<JsonValue> list;
    space();
    if (take("]")) return {list};
    do list.push_back(value());
    while (comma());
    if (!take("]")) fail("an open array");
    return {list};
  }
  JsonValue object() {
    std::map<std::string, JsonValue> members;
    space();
    if (take("}")) return {members};
    do {
      space();
      if (at_ >= text_.size() || text_[at_] != '"') fail("no key");
      const std::string key = string();
      space();
      if (!take(":")) fail("no colon");
      if (!members.emplace(key, value()).second) fail("a key twice");
    } while (comma());
    if (!take("}")) fail("an open object");
    return {members};
  }
  bool comma() {
    space();
    return take(",");
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace polhode::testing
