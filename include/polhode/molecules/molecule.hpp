// A kind of rigid molecule: sites with masses and charges, and the body that they make.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "polhode/body/body.hpp"

namespace POLHODE_CORE {

/// A point of a molecule where mass, charge or a Lennard-Jones centre sits; any of them may be zero.
struct Site {
  std::string name;           ///< by which given pairs find it: "OW"
  std::string element;        ///< for viewers: "O"; empty for a site that is no atom
  Vector<double> position{};  ///< in the frame of the molecule, from any origin
  double mass = 0.0;
  double charge = 0.0;
  double epsilon = 0.0;  ///< depth of the Lennard-Jones well
  double sigma = 0.0;    ///< the distance at which it begins
};

/// The sites of a molecule, its mass and its body.
///
/// The attitude of a molecule turns the axes in which its sites are given to space; its position is the centre of
/// mass. Where the masses lie on a line, the moment about it is zero, and nothing turns about it: such a molecule is
/// stepped as a sphere of its other moment, whose momentum about the line is zero and stays so, which is the same
/// motion. A single mass is an atom, which does not turn.
class Molecule {
 public:
  /// Throws InputError.
  Molecule(std::string name, std::vector<Site> sites)
      : name_(std::move(name)),
        sites_(std::move(sites)),
        shape_(shape_of(name_, sites_)),
        body_(shape_.tensor) {
    for (const Site& site : sites_)
      offsets_.push_back(convert<double>(body_.to_principal(convert<W>(site.position) - shape_.centre)));
  }

  const std::string& name() const { return name_; }
  const std::vector<Site>& sites() const { return sites_; }
  double mass() const { return shape_.mass; }
  /// 6, or 5 if the masses lie on a line, or 3 for an atom.
  int degrees_of_freedom() const { return shape_.freedom; }
  /// The direction of the line on which the masses of a linear molecule lie.
  const Vector<DoubleDouble>& line() const { return shape_.line; }
  const Body<double>& body() const { return body_; }
  /// The sites from the centre of mass, along the principal axes.
  const std::vector<Vector<double>>& offsets() const { return offsets_; }

 private:
  using W = DoubleDouble;

  struct Shape {
    double mass = 0.0;
    int freedom = 6;
    Vector<W> centre{};
    Vector<W> line{};
    Matrix<double> tensor{};
  };

  [[noreturn]] static void refuse(const std::string& name, const std::string& reason) {
    throw InputError("the molecule " + name + " " + reason);
  }

  static void examine_sites(const std::string& name, const std::vector<Site>& sites) {
    if (sites.empty()) refuse(name, "has no sites");
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Site& s = sites[i];
      const std::string which = "has a site " + std::to_string(i + 1) + " whose ";
      for (const double x :
           {s.position[0], s.position[1], s.position[2], s.mass, s.charge, s.epsilon, s.sigma})
        if (!isfinite(x)) refuse(name, which + "numbers are not all finite");
      if (s.mass < 0.0) refuse(name, which + "mass is negative");
      if (s.epsilon < 0.0) refuse(name, which + "epsilon is negative");
      if (s.sigma < 0.0) refuse(name, which + "sigma is negative");
      if (s.epsilon > 0.0 && !(s.sigma > 0.0)) refuse(name, which + "epsilon has no sigma beside it");
    }
  }

  static Shape shape_of(const std::string& name, const std::vector<Site>& sites) {
    examine_sites(name, sites);
    Shape shape;
    W mass(0);
    for (const Site& s : sites) {
      mass += W(s.mass);
      shape.centre = shape.centre + W(s.mass) * convert<W>(s.position);
    }
    shape.mass = static_cast<double>(mass);
    if (!(shape.mass > 0.0)) refuse(name, "has no mass");
    shape.centre = (W(1) / mass) * shape.centre;

    Matrix<W> tensor{};
    double extent2 = 0.0;
    for (const Site& s : sites) {
      const Vector<W> r = convert<W>(s.position) - shape.centre;
      extent2 = std::max(extent2, static_cast<double>(dot(r, r)));
      for (std::size_t i = 0; i < 3; ++i) {
        tensor[i][i] += W(s.mass) * dot(r, r);
        for (std::size_t j = 0; j < 3; ++j) tensor[i][j] -= W(s.mass) * r[i] * r[j];
      }
    }
    // What is below this share of the largest is the rounding of the positions.
    constexpr double negligible = 1e-12;
    const auto [moments, axes] = diagonalize(tensor);
    std::size_t smallest = 0, largest = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (moments[i] < moments[smallest]) smallest = i;
      if (!(moments[i] < moments[largest])) largest = i;
    }
    const double most = static_cast<double>(moments[largest]);
    if (!(most > negligible * shape.mass * extent2)) {
      if (extent2 > 0.0) refuse(name, "has sites away from its only mass, and so no moment of inertia");
      shape.freedom = 3;
      for (std::size_t i = 0; i < 3; ++i) shape.tensor[i][i] = shape.mass;
    } else if (!(static_cast<double>(moments[smallest]) > negligible * most)) {
      shape.freedom = 5;
      shape.line = axes[smallest];
      for (const Site& s : sites) {
        const Vector<W> off = cross(shape.line, convert<W>(s.position) - shape.centre);
        if (static_cast<double>(dot(off, off)) > negligible * extent2)
          refuse(name, "has a site off the line of its masses, about which there is no moment of inertia");
      }
      for (std::size_t i = 0; i < 3; ++i) shape.tensor[i][i] = most;
    } else {
      shape.tensor = convert<double>(tensor);
    }
    return shape;
  }

  std::string name_;
  std::vector<Site> sites_;
  Shape shape_;
  Body<double> body_;
  std::vector<Vector<double>> offsets_;
};

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::Molecule;
using core::Site;
}  // namespace polhode::molecules
