// Bodies and momenta at which formulas go wrong.
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "polhode/arithmetic/vector.hpp"

namespace polhode::reference {

using namespace core;

/// The body, with ascending moments, and the momentum that a case is about.
struct Case {
  Vector<double> moments;
  Vector<double> momentum;
};

inline std::string description(const Case& c, double h) {
  std::ostringstream text;
  text.precision(17);
  text << "moments " << c.moments[0] << ' ' << c.moments[1] << ' ' << c.moments[2] << ", momentum "
       << c.momentum[0] << ' ' << c.momentum[1] << ' ' << c.momentum[2] << ", h " << h;
  return text.str();
}

/// Bodies and momenta at and next to everything that formulas are singular at.
inline std::vector<Case> degenerate_cases() {
  const std::vector<Vector<double>> bodies{
      {{1, 1, 1}},                  // sphere
      {{0.6, 0.6, 1}},              // oblate
      {{0.6, 1, 1}},                // prolate
      {{1, 1 + 1e-12, 2}},          // nearly symmetric
      {{1, 2, 2 + 1e-12}},          //
      {{1, 1 + 1e-12, 1 + 2e-12}},  // nearly spherical
      {{1, 1 + 4e-16, 1 + 1e-15}},  //
      {{0.6, 0.8, 1}},              // generic
      {{0.345, 0.653, 1}},          // breaks the triangle inequality
      {{0.02, 0.99, 1}},            // rod
  };
  std::vector<Case> cases;
  for (const auto& b : bodies) {
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const double beside : {0.0, 1e-300, 1e-16, 1e-12, 1e-8, 1e-4}) {
          for (const double ratio : {0.0, 1.0, -3.0}) {
            Vector<double> m;
            m[axis] = sign;
            m[(axis + 1) % 3] = beside;
            m[(axis + 2) % 3] = ratio * beside;
            cases.push_back({b, m});
          }
        }
      }
    }
    // On the separatrix, a1 m3^2 = a3 m1^2, and next to it.
    const double a1 = 1 / b[1] - 1 / b[2], a3 = 1 / b[0] - 1 / b[1];
    for (const double shift : {0.0, 1e-15, -1e-12, 1e-8, -1e-4}) {
      for (const double m2 : {0.0, 0.5, -0.9}) {
        const double m1 = std::sqrt(a1), m3 = std::sqrt(a3) * (1 + shift);
        if (a1 + a3 > 0) cases.push_back({b, {{m1, m2, -m3}}});
      }
    }
  }
  return cases;
}

}  // namespace polhode::reference
