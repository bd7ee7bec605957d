// Paths in space, drawn on paper.
#pragma once

#include <cmath>
#include <numbers>

#include "polhode/arithmetic/vector.hpp"
#include "reproduce/figure.hpp"

namespace polhode::program::experiments {

/// A view from far away: from the azimuth and the elevation given in degrees.
class Projection {
 public:
  Projection(double azimuth, double elevation)
      : sa_(std::sin(radians(azimuth))),
        ca_(std::cos(radians(azimuth))),
        se_(std::sin(radians(elevation))),
        ce_(std::cos(radians(elevation))) {}

  double x(const Vector<double>& v) const { return ca_ * v[1] - sa_ * v[0]; }
  double y(const Vector<double>& v) const { return ce_ * v[2] - se_ * (ca_ * v[0] + sa_ * v[1]); }
  void append(Curve& curve, const Vector<double>& v) const {
    curve.x.push_back(x(v));
    curve.y.push_back(y(v));
  }

 private:
  static double radians(double degrees) { return degrees * std::numbers::pi / 180; }
  double sa_, ca_, se_, ce_;
};

/// The outline of the unit sphere.
inline Curve sphere_outline() {
  Curve c{.name = "unit sphere", .in_legend = false, .style = {.colour = Colour::grey, .width = 0.8}};
  for (int i = 0; i <= 120; ++i) {
    c.x.push_back(std::cos(i * std::numbers::pi / 60));
    c.y.push_back(std::sin(i * std::numbers::pi / 60));
  }
  return c;
}

}  // namespace polhode::program::experiments
