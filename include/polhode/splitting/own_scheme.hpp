// Schemes that own their coefficients: copies of others, and the user's own.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/error.hpp"
#include "polhode/splitting/leading_error.hpp"
#include "polhode/splitting/schemes.hpp"

namespace POLHODE_CORE {

/// A coefficient as a decimal. A double stands for the shortest decimal that reads back to it: what somebody wrote with up to
/// 15 digits is not rounded to a double first. A text may have more: "0.06943184420297371238802675555359524745214".
class Decimal {
 public:
  static constexpr std::size_t most_digits = 60;

  // NOLINTBEGIN(google-explicit-constructor): lists of numbers or texts are lists of decimals
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> Decimal(Number number)
      : text_(written(static_cast<double>(number))) {}
  Decimal(std::string text) : text_(std::move(text)) {}
  Decimal(std::string_view text) : text_(text) {}
  Decimal(const char* text) : text_(text) {}
  // NOLINTEND(google-explicit-constructor)

  const std::string& text() const { return text_; }

  /// Throws InputError unless it is a number as from_decimal reads it, and not larger than given. `what` names it.
  void examine(const std::string& what, double largest) const {
    constexpr std::string_view known = "0123456789.";
    const std::string_view number =
        std::string_view(text_).substr(text_.starts_with('-') || text_.starts_with('+') ? 1 : 0);
    const auto points = std::ranges::count(number, '.');
    const std::size_t digits = number.size() - static_cast<std::size_t>(points);
    const std::string shown = "'" + text_.substr(0, 40) + (text_.size() > 40 ? "...'" : "'");
    if (number.find_first_not_of(known) != std::string_view::npos || points > 1 || digits == 0)
      throw InputError(what + " must be a finite number, or a text of digits without an exponent, not " +
                       shown);
    if (!(std::abs(from_decimal<double>(text_)) <= largest))
      throw InputError(what + " must be at most " + std::to_string(std::lround(largest)) + " in size, not " +
                       shown);
    if (digits > most_digits)
      throw InputError(what + " must have at most " + std::to_string(most_digits) + " digits, not " +
                       std::to_string(digits));
  }

 private:
  /// Places beyond the sixtieth are cut off: beside a step of length one they are nothing to any arithmetic here.
  static std::string written(double number) {
    std::array<char, 1100> text{};  // no double needs more
    char* const end =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed).ptr;
    std::string result(text.data(), end);
    if (result.find('.') != std::string::npos && result.size() > most_digits) result.resize(most_digits);
    return result;
  }

  std::string text_;
};

/// A scheme with the texts that it refers to. It converts to a Scheme; copies share the texts.
///
/// The user's own scheme is given by the first halves of its coefficients as in [CZ08 (23)], a of the free motions and b of
/// the kicks, without the last of each, which follow from the sums: a1 b1 a2 b2 ... With one more a than there are b, the
/// middle stage is a free motion; with as many, it is a kick. A scheme that begins with a kick has a1 = 0.
class OwnScheme {
 public:
  /// Larger coefficients are slips of the pen: those of the known schemes, and what they leave, stay below five.
  static constexpr double largest_coefficient = 10.0;

  /// Throws InputError if there is no such scheme. Its order is found from the coefficients.
  OwnScheme(const std::vector<Decimal>& a, const std::vector<Decimal>& b) {
    examine(a, "a");
    examine(b, "b");
    if (a.empty()) throw InputError("a scheme needs at least one coefficient a");
    if (a.size() != b.size() && a.size() != b.size() + 1)
      throw InputError("a scheme has as many coefficients a as b, or one more, not " +
                       std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                       ": the last of each is left out");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i <= a.size(); ++i) {
      texts.push_back(i < a.size() ? a[i].text() : std::string());
      if (i <= b.size()) texts.push_back(i < b.size() ? b[i].text() : std::string());
    }
    const bool kick_first = from_decimal<double>(texts.front()) == 0.0;
    if (kick_first) texts.erase(texts.begin());
    Scheme scheme;
    scheme.name = "own";
    scheme.summary = "own coefficients";
    if (kick_first) scheme.first = Part::kick;
    const std::shared_ptr<Data> data = kept(scheme, std::move(texts));
    examine_sums(data->scheme);
    data->scheme.order = leading_error(data->scheme, true).order;
    data->scheme.nystrom = data->scheme.order > leading_error(data->scheme, false).order;
    data_ = data;
  }
  template <std::ranges::input_range A, std::ranges::input_range B>
  OwnScheme(const A& a, const B& b)
      : OwnScheme(std::vector<Decimal>(std::ranges::begin(a), std::ranges::end(a)),
                  std::vector<Decimal>(std::ranges::begin(b), std::ranges::end(b))) {}

  /// A copy of a scheme, whose texts may go.
  OwnScheme(const Scheme& scheme)  // NOLINT(google-explicit-constructor): the same scheme
      : data_(kept(scheme, {scheme.coefficients.begin(), scheme.coefficients.end()})) {}

  operator const Scheme&() const { return data_->scheme; }  // NOLINT(google-explicit-constructor): the same
  const Scheme* operator->() const { return &data_->scheme; }

 private:
  struct Data {
    std::string name, summary, source;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    Scheme scheme;
  };

  static std::shared_ptr<Data> kept(const Scheme& scheme, std::vector<std::string> texts) {
    auto data = std::make_shared<Data>();
    data->name = scheme.name;
    data->summary = scheme.summary;
    data->source = scheme.source;
    data->texts = std::move(texts);
    data->views.assign(data->texts.begin(), data->texts.end());
    data->scheme = scheme;
    data->scheme.name = data->name;
    data->scheme.summary = data->summary;
    data->scheme.source = data->source;
    data->scheme.coefficients = data->views;
    return data;
  }

  static void examine(const std::vector<Decimal>& list, const std::string& name) {
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i].examine(name + "[" + std::to_string(i) + "]", largest_coefficient);
  }

  static void examine_sums(const Scheme& scheme) {
    const std::vector<double> half = half_of<double>(scheme);
    for (std::size_t i = 0; i < half.size(); ++i) {
      if (std::abs(half[i]) <= largest_coefficient) continue;
      const bool kick = (scheme.first == Part::kick) == (i % 2 == 0);
      throw InputError(std::string("the coefficients ") + (kick ? "b" : "a") + " leave " +
                       std::to_string(half[i]) + " for the last one, which must be at most " +
                       std::to_string(std::lround(largest_coefficient)) + " in size");
    }
  }

  std::shared_ptr<const Data> data_;
};

/// The scheme of these coefficients, see OwnScheme: scheme({0.0792036964311957, ...}, {0.209515106613362, ...}).
inline OwnScheme scheme(const std::vector<Decimal>& a, const std::vector<Decimal>& b) { return {a, b}; }
template <std::ranges::input_range A, std::ranges::input_range B>
OwnScheme scheme(const A& a, const B& b) {
  return {a, b};
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::scheme;
}  // namespace polhode

namespace polhode::splitting {
using core::Decimal;
using core::OwnScheme;
}  // namespace polhode::splitting
