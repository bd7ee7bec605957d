#include "tables/ephemeris_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "scenario/error.hpp"
#include "tables/lines.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// The cells of a line: between commas, or between blanks where there are none. An empty cell is one.
std::vector<std::string_view> ephemeris_cells(std::string_view line) {
  if (line.find(',') == std::string_view::npos) return words_of(line);
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = std::min(line.find(','), line.size());
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

struct EphemerisRows {
  std::vector<double> times;
  std::vector<Vector<double>> positions, velocities;
};

EphemerisRows read_ephemeris_rows(const std::string& file) {
  const std::string whole = read_text(file);
  EphemerisRows rows;
  std::size_t columns = 0;
  std::int64_t number = 0;
  bool named = false;
  std::string_view text = whole, line;
  while (next_line(text, line)) {
    ++number;
    const auto refuse = [&](const std::string& reason) {
      throw ScenarioError(file, filled("line {}", number), reason);
    };
    line = trimmed(line.substr(0, std::min(line.find('#'), line.size())));
    if (line.empty()) continue;
    const std::vector<std::string_view> cells = ephemeris_cells(line);
    const bool first = rows.times.empty() && !named;
    if (first && std::none_of(cells.begin(), cells.end(), [](auto cell) { return number_of(cell); })) {
      named = true;
      continue;
    }
    if (cells.size() != 4 && cells.size() != 7)
      refuse(filled("has {} numbers: a row is time, x, y, z, or time, x, y, z, vx, vy, vz", cells.size()));
    if (columns != 0 && cells.size() != columns)
      refuse(filled("has {} numbers, and the rows before it have {}", cells.size(), columns));
    columns = cells.size();
    std::vector<double> row;
    for (const std::string_view cell : cells) {
      const auto value = number_of(cell);
      if (!value) refuse(filled("{} is not a number", in_quotes(one_line(cell.substr(0, 40)))));
      if (!std::isfinite(*value)) refuse(filled("{} is not a finite number", cell));
      row.push_back(*value);
    }
    if (!rows.times.empty() && !(rows.times.back() < row[0]))
      refuse(filled("the times must increase, and {} follows {}", row[0], rows.times.back()));
    rows.times.push_back(row[0]);
    rows.positions.emplace_back(row[1], row[2], row[3]);
    if (columns == 7) rows.velocities.emplace_back(row[4], row[5], row[6]);
  }
  return rows;
}

}  // namespace

Ephemeris<double> read_ephemeris(const std::string& file, int points) {
  EphemerisRows rows = read_ephemeris_rows(file);
  const std::size_t size = rows.times.size();
  if (size < 2)
    throw ScenarioError(
        file, "", filled("has {}: an ephemeris needs two rows or more", size == 1 ? "one row" : "no rows"));
  const int usual = rows.velocities.empty() ? 8 : 4;
  if (points == 0) points = size < 8 ? std::min(usual, static_cast<int>(size / 2 * 2)) : usual;
  try {
    if (rows.velocities.empty()) return {std::move(rows.times), std::move(rows.positions), points};
    return {std::move(rows.times), std::move(rows.positions), std::move(rows.velocities), points};
  } catch (const InputError& e) {
    throw ScenarioError(file, "", e.what());
  }
}

}  // namespace polhode::program
