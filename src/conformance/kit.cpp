#include "conformance/kit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "conformance/description.hpp"
#include "polhode/free_motion/tangent.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// All digits that a double has, as a decimal: 0.1 has 55.
std::string exact_decimal(double x) {
  char text[900];
  std::snprintf(text, sizeof text, "%.800g", x);
  return text;
}

double value_of(std::string_view digits) { return std::strtod(std::string(digits).c_str(), nullptr); }

/// The numbers of an input or of a state, in the digits of a file.
struct Digits {
  bool many;  ///< 32 of them; the inputs exactly

  std::string input(double x) const { return many ? exact_decimal(x) : rounded("%.17g", x); }
  std::string state(std::string_view digits) const {
    return many ? std::string(digits) : rounded("%.17g", value_of(digits));
  }
  /// As JSON, where numbers of more than 17 digits are texts: readers would round them.
  Json json(const std::string& number) const { return many ? Json(number) : Json(value_of(number)); }
};

std::string csv(const std::vector<std::string>& cells) { return joined(cells, ",") + "\n"; }

std::string bodies_csv() {
  std::string text = "body,kind,I11,I22,I33,I12,I13,I23,omega1,omega2,omega3,q0,q1,q2,q3\n";
  const Digits digits{false};
  for (const KitBody& b : kit_bodies()) {
    std::vector<std::string> cells{std::string(b.name), std::string(b.kind)};
    for (const double x : b.inertia) cells.push_back(digits.input(x));
    for (const double x : b.omega.c) cells.push_back(digits.input(x));
    for (const double x : b.attitude.c) cells.push_back(digits.input(x));
    text += csv(cells);
  }
  return text;
}

std::string states_csv(const Digits& digits) {
  std::string text = "body,time,q0,q1,q2,q3,omega1,omega2,omega3,sensitivity\n";
  for (const KitState& s : kit_states()) {
    std::vector<std::string> cells{std::string(s.body), std::to_string(s.time)};
    for (const std::string_view x : s.digits) cells.push_back(digits.state(x));
    cells.push_back(rounded("%.2g", kit_sensitivity(*find_kit_body(s.body), s.time)));
    text += csv(cells);
  }
  return text;
}

Json json_of(const KitBody& b, const Digits& digits) {
  const auto numbers = [&](std::span<const double> values) {
    std::vector<Json> list;
    for (const double x : values) list.push_back(digits.json(digits.input(x)));
    return Json::array(list);
  };
  const Matrix<double> tensor = b.tensor();
  std::vector<Json> states;
  for (const int time : kit_times) {
    const KitState& s = kit_state(b.name, time);
    std::vector<Json> q, omega;
    for (std::size_t i = 0; i < 7; ++i) (i < 4 ? q : omega).push_back(digits.json(digits.state(s.digits[i])));
    states.push_back(Json::object({{"time", time},
                                   {"attitude", Json::array(q)},
                                   {"angular_velocity", Json::array(omega)},
                                   {"sensitivity", value_of(rounded("%.2g", kit_sensitivity(b, time)))}}));
  }
  return Json::object(
      {{"name", b.name},
       {"kind", b.kind},
       {"inertia", Json::array({numbers(tensor[0].c), numbers(tensor[1].c), numbers(tensor[2].c)})},
       {"angular_velocity", numbers(b.omega.c)},
       {"attitude", numbers(b.attitude.c)},
       {"states", Json::array(states)}});
}

/// A line for each body.
std::string json_text(const Digits& digits) {
  std::string lines;
  for (const KitBody& b : kit_bodies()) lines += (lines.empty() ? "" : ",\n") + json_of(b, digits).text();
  return "{\"kit\": \"polhode conformance\", \"bodies\": [\n" + lines + "\n]}\n";
}

}  // namespace

KitPoint kit_point(const KitBody& body, int time) {
  const KitState& s = kit_state(body.name, time);
  KitPoint p;
  for (std::size_t i = 0; i < 4; ++i) p.attitude[i] = value_of(s.digits[i]);
  for (std::size_t i = 0; i < 3; ++i) p.omega[i] = value_of(s.digits[4 + i]);
  return p;
}

double kit_sensitivity(const KitBody& kit, int time) {
  const Vector<double> momentum = kit.tensor() * kit.omega;
  const double size = norm(momentum);
  if (!(size > 0)) return 1;
  const auto map = tangent_map(Body<double>(kit.tensor()), State<double>{momentum, kit.attitude}, time);
  double sum = 0;
  for (const auto& row : map.rotation_by_momentum.rows) sum += dot(row, row);
  return std::max(1.0, std::sqrt(sum) * size);
}

std::string kit_json() { return json_text({false}); }

std::vector<KitFile> kit_files() {
  return {{"README.txt", kit_description()},
          {"bodies.csv", bodies_csv()},
          {"states-17.csv", states_csv({false})},
          {"states-32.csv", states_csv({true})},
          {"kit-17.json", kit_json()},
          {"kit-32.json", json_text({true})}};
}

}  // namespace polhode::program
