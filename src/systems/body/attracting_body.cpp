// The gravity gradient of a body whose positions are a table: an ephemeris.
#include <filesystem>

#include "polhode/torque/gravity_gradient.hpp"
#include "systems/body/torque_part.hpp"
#include "tables/ephemeris_file.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

class AttractingBody final : public AttachedPart<GravityGradient<double, Ephemeris<double>>> {
 public:
  using AttachedPart::AttachedPart;

  Energy energy() const override { return Energy::changed; }

  std::vector<Quantity> derived() const override {
    return {{"distance", 1, 1, "from the attracting body, user's units"}};
  }
  void derive(const DrivenView& view, std::vector<double>& numbers) const override {
    numbers.push_back(static_cast<double>(norm(torque().orbit().at<DoubleDouble>(view.time))));
  }
};

std::vector<Vector<double>> read_vectors(Section& section, const std::string& key) {
  std::vector<Vector<double>> result;
  for (const std::vector<double>& row : section.rows(key, 3)) result.emplace_back(row[0], row[1], row[2]);
  return result;
}

Ephemeris<double> read_positions(Section& section, const Scenario& scenario) {
  const std::int64_t points = section.has("points") ? section.integer("points") : 0;
  if (section.has("table")) {
    for (const char* key : {"times", "positions", "velocities"})
      if (section.has(key)) section.fail(key, "is given together with table: leave one of them out");
    const std::filesystem::path name = section.string("table");
    const std::filesystem::path folder = std::filesystem::path(scenario.file()).parent_path();
    return read_ephemeris((name.is_absolute() ? name : folder / name).string(), static_cast<int>(points));
  }
  if (!section.has("positions")) section.fail("table", "is missing: give table, or times and positions");
  const std::vector<double> times = section.numbers("times");
  const std::vector<Vector<double>> positions = read_vectors(section, "positions");
  return blaming(section, "positions", [&] {
    if (!section.has("velocities"))
      return Ephemeris<double>(times, positions, points == 0 ? 8 : static_cast<int>(points));
    return Ephemeris<double>(times, positions, read_vectors(section, "velocities"),
                             points == 0 ? 4 : static_cast<int>(points));
  });
}

std::shared_ptr<const TorquePart> read_attracting_body(const TorqueKind&, Section& section,
                                                       Scenario& scenario, const GivenBody&) {
  const Ephemeris<double> positions = read_positions(section, scenario);
  return std::make_shared<AttractingBody>(
      GravityGradient<double, Ephemeris<double>>(positions, section.positive("gravitational_parameter")));
}

}  // namespace

namespace torque_entries {
TorqueKind attracting_body() {
  return {.name = "attracting-body",
          .summary = "the gravity gradient of a body whose positions are a table",
          .python = "AttractingBody",
          .keys = {{"gravitational_parameter", "of that body", true},
                   {"table",
                    "a CSV file of time, x, y, z and perhaps the velocity: of one body seen from the other"},
                   {"times", "instead, together with positions: an array of numbers"},
                   {"positions", "an array of three numbers each"},
                   {"velocities", "the same, if they are known"},
                   {"points", "that each interval is interpolated by; default 8, with velocities 4"}},
          .read = read_attracting_body};
}
}  // namespace torque_entries

}  // namespace polhode::program
