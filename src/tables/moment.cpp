#include "tables/moment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace polhode::program {

namespace {

constexpr std::int64_t day_length = 86400;
constexpr std::chrono::sys_days first_day = std::chrono::year(2000) / 1 / 1;
constexpr std::int64_t noon = day_length / 2;

/// The number that exactly this many digits are; -1 if they are not digits.
int digits_at(std::string_view& text, std::size_t count) {
  int result = 0;
  if (text.size() < count) return -1;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return -1;
    result = 10 * result + (c - '0');
  }
  text.remove_prefix(count);
  return result;
}

bool skip(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Months and days, or the day of the year.
std::optional<std::chrono::sys_days> day_at(std::string_view& text) {
  using namespace std::chrono;
  const int y = digits_at(text, 4);
  if (y < 0 || !skip(text, '-')) return {};
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end == 3) {
    const int day_of_year = digits_at(text, 3);
    const bool exists = day_of_year >= 1 && day_of_year <= (year(y).is_leap() ? 366 : 365);
    return exists ? std::optional(sys_days(year(y) / 1 / 1) + days(day_of_year - 1)) : std::nullopt;
  }
  const int m = digits_at(text, 2);
  if (m < 0 || !skip(text, '-')) return {};
  const int d = digits_at(text, 2);
  const year_month_day date = year(y) / m / d;
  return d >= 0 && date.ok() ? std::optional(sys_days(date)) : std::nullopt;
}

std::string without_zeros(std::string digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

/// The decimals of 1 - 0.digits, the last of them not being zero.
std::string complement(std::string digits) {
  for (char& c : digits) c = static_cast<char>('0' + ('9' - c));
  ++digits.back();
  return digits;
}

}  // namespace

std::optional<Moment> moment_of(std::string_view text) {
  const auto day = day_at(text);
  if (!day || !skip(text, 'T')) return {};
  const int hours = digits_at(text, 2);
  if (hours < 0 || hours > 23 || !skip(text, ':')) return {};
  const int minutes = digits_at(text, 2);
  if (minutes < 0 || minutes > 59 || !skip(text, ':')) return {};
  const int seconds = digits_at(text, 2);
  if (seconds < 0 || seconds > 59) return {};
  std::string fraction;
  if (skip(text, '.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    fraction = without_zeros(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  if (text == "Z") text.remove_prefix(1);
  if (!text.empty()) return {};
  const std::int64_t days = (*day - first_day).count();
  return Moment{days * day_length + 3600 * hours + 60 * minutes + seconds - noon, fraction};
}

std::optional<std::string> moment_text(const Moment& moment) {
  using namespace std::chrono;
  const std::int64_t seconds = moment.seconds + noon;
  const std::int64_t day = seconds / day_length - (seconds % day_length < 0 ? 1 : 0);
  if (std::abs(day) > 4'000'000) return {};
  const std::int64_t rest = seconds - day * day_length;
  const year_month_day date(first_day + days(day));
  if (date.year() < year(1) || date.year() > year(9999)) return {};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(rest / 3600), static_cast<int>(rest / 60 % 60), static_cast<int>(rest % 60));
  return text.data() + (moment.fraction.empty() ? "" : "." + moment.fraction);
}

Moment moment_after(const Moment& epoch, double time) {
  // Decimals of a double: up to 309 before the point and 1100 after it.
  std::array<char, 1500> buffer{};
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(time), std::chars_format::fixed)
          .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t point = std::min(text.find('.'), text.size());
  std::int64_t whole = 0;
  constexpr std::int64_t beyond_all_years = std::int64_t{1} << 60;
  if (std::from_chars(text.data(), text.data() + point, whole).ec != std::errc()) whole = beyond_all_years;
  whole = std::min(whole, beyond_all_years);
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  if (time >= 0) return {epoch.seconds + whole, fraction};
  if (fraction.empty()) return {epoch.seconds - whole, {}};
  return {epoch.seconds - whole - 1, complement(fraction)};
}

double time_between(const Moment& epoch, const Moment& moment) {
  const std::int64_t whole = moment.seconds - epoch.seconds;
  const std::string text = whole >= 0 ? std::to_string(whole) + "." + moment.fraction + "0"
                           : moment.fraction.empty()
                               ? std::to_string(whole)
                               : "-" + std::to_string(-whole - 1) + "." + complement(moment.fraction);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Moment moment_now() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  return {(now - first_day).count() - noon, {}};
}

}  // namespace polhode::program
