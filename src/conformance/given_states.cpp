#include "conformance/given_states.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string unquoted(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(unquoted(std::string_view(line).substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

Vector<double> solved(const Matrix<double>& a, const Vector<double>& b) {
  const Vector<double> u = cross(a[1], a[2]);
  const double determinant = dot(a[0], u);
  return (1 / determinant) * (b[0] * u + b[1] * cross(a[2], a[0]) + b[2] * cross(a[0], a[1]));
}

class StatesReader {
 public:
  StatesReader(const std::string& text, std::string source) : lines_(text), source_(std::move(source)) {}

  GivenStates read() {
    for (std::string line; std::getline(lines_, line);) {
      ++number_;
      if (unquoted(line).empty() || unquoted(line)[0] == '#') continue;
      if (names_.empty())
        read_names(line);
      else
        read_row(line);
    }
    if (states_.rows.empty()) throw ScenarioError(source_, "", "there are no states in it");
    // Bodies whose frame is not the principal one may have been turned in double afterwards.
    for (const Precision& p : {attitude_precision_, rate_precision_})
      states_.single_precision = states_.single_precision || (p.numbers > 0 && p.floats >= 0.85 * p.numbers);
    return std::move(states_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw ScenarioError(source_, filled("line {}", number_), reason);
  }

  std::optional<std::size_t> column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }
  std::size_t needed(const std::string& name, const std::string& or_else = "") const {
    if (const auto i = column(name)) return *i;
    fail(filled("there is no column {}{}", name, or_else));
  }

  void read_names(const std::string& line) {
    names_ = cells_of(line);
    body_ = needed("body");
    time_ = needed("time");
    by_step_ = !column("frequency").has_value();
    pace_ = by_step_ ? needed("step", " or frequency") : needed("frequency");
    by_momentum_ = !column("omega1").has_value();
    const std::string rates = by_momentum_ ? "momentum" : "omega";
    for (std::size_t i = 0; i < 4; ++i) q_[i] = needed(filled("q{}", i));
    for (std::size_t i = 0; i < 3; ++i)
      rates_[i] = needed(filled("{}{}", rates, i + 1), by_momentum_ ? " (nor omega1 to omega3)" : "");
  }

  double value(const std::vector<std::string>& cells, std::size_t i) const {
    const std::string& cell = cells[i];
    double x = 0;
    const char* const begin = cell.data() + (!cell.empty() && cell[0] == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, cell.data() + cell.size(), x);
    if (error != std::errc() || end != cell.data() + cell.size() || cell.empty())
      fail(filled("{}: {} is not a number", names_[i], in_quotes(cell.substr(0, 40))));
    return x;
  }

  /// Zeros and ones say nothing of the precision.
  struct Precision {
    int numbers = 0, floats = 0;
  };
  static void count(Precision& p, double x) {
    if (!std::isfinite(x) || x == 0 || std::abs(x) == 1) return;
    ++p.numbers;
    const auto single = static_cast<double>(static_cast<float>(x));
    const double ninth_digit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - 8);
    if (std::abs(x - single) <= 0.51 * ninth_digit) ++p.floats;
  }

  void read_row(const std::string& line) {
    const auto cells = cells_of(line);
    if (cells.size() != names_.size()) fail(filled("{} cells under {} names", cells.size(), names_.size()));
    GivenState s{};
    s.body = find_kit_body(cells[body_]);
    if (s.body == nullptr) {
      std::vector<std::string> known;
      for (const KitBody& b : kit_bodies()) known.emplace_back(b.name);
      fail(filled("there is no body {}{}", in_quotes(cells[body_].substr(0, 40)),
                  suggestion(cells[body_], known)));
    }
    const double time = value(cells, time_), pace = value(cells, pace_);
    const auto known = std::find_if(kit_times.begin(), kit_times.end(),
                                    [&](int t) { return std::abs(time - t) < 1e-6 * t; });
    if (known == kit_times.end())
      fail(filled("the kit has no state at the time {}; it has 1, 2, 5 and 10", time));
    s.time = *known;
    if (!(pace > 0) || !std::isfinite(pace)) fail(filled("{} must be positive, not {}", names_[pace_], pace));
    s.frequency = by_step_ ? 1 / pace : pace;
    for (std::size_t i = 0; i < 4; ++i) s.attitude[i] = value(cells, q_[i]);
    for (std::size_t i = 0; i < 3; ++i) s.omega[i] = value(cells, rates_[i]);
    for (const double x : s.attitude.c) count(attitude_precision_, x);
    for (const double x : s.omega.c) count(rate_precision_, x);
    if (by_momentum_) s.omega = solved(s.body->tensor(), s.omega);
    states_.rows.push_back(s);
  }

  std::istringstream lines_;
  std::string source_;
  std::size_t number_ = 0;
  std::vector<std::string> names_;
  std::size_t body_ = 0, time_ = 0, pace_ = 0;
  std::array<std::size_t, 4> q_{};
  std::array<std::size_t, 3> rates_{};
  bool by_step_ = false, by_momentum_ = false;
  Precision attitude_precision_, rate_precision_;
  GivenStates states_;
};

}  // namespace

bool GivenState::finite() const {
  const auto all = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  return all(attitude.c) && all(omega.c) && norm_squared(attitude) > 0;
}

GivenStates read_states(const std::string& text, const std::string& source) {
  return StatesReader(text, source).read();
}

}  // namespace polhode::program
