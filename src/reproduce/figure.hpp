// Figures, described as data and drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polhode::program {

/// The colours of Okabe and Ito, which differ for every kind of colour vision.
enum class Colour { black, orange, sky, green, yellow, blue, vermilion, purple, grey };

struct Style {
  Colour colour = Colour::black;
  double width = 1.5;
  bool line = true;
  int mark = 0;  ///< gnuplot's point type; 0: none
  bool dashed = false;
  bool faint = false;  ///< one trajectory of many
};

struct Curve {
  std::string name;       ///< in data.csv
  bool in_legend = true;  ///< of many trajectories only one is
  Style style{};
  std::vector<double> x{}, y{};
  std::vector<double> z{};  ///< colour of a map; empty otherwise
};

struct Panel {
  std::string title;
  std::string x_label, y_label;
  bool log_x = false, log_y = false;
  bool equal_axes = false;
  bool legend = true;
  std::vector<Curve> curves{};
  std::optional<std::pair<double, double>> x_range{}, y_range{};
  std::string z_label{};  ///< not empty: a map; curves with z are its points, others lines upon it
  std::pair<double, double> z_range{};
  double map_cell = 0.01;  ///< width and height of a map's cell, in the units of x
};

struct Figure {
  int columns = 1;
  std::vector<Panel> panels{};
};

/// All data of the figure: panel, curve, x, y and, for maps, z. Numbers read back to the same double.
std::string figure_csv(const Figure& figure);

/// The script for gnuplot, with the data, without terminal and output.
std::string figure_script(const Figure& figure);

/// Draws FOLDER/figure.svg and figure.png; each appears when it is whole. Throws RunError, for example without gnuplot.
void draw(const Figure& figure, const std::string& folder);

/// Throws RunError, with a sentence on what to install, if there is no gnuplot: better before the work than after it.
void require_gnuplot();

}  // namespace polhode::program
