// How molecules act on each other: Lennard-Jones and Coulomb between their sites, in a periodic box or in free space.
#pragma once

#include <limits>
#include <optional>

#include "polhode/molecules/molecule.hpp"

namespace POLHODE_CORE {

/// A Lennard-Jones interaction that takes the place of the mixing rule, between all sites of the two names.
struct GivenPair {
  std::string first, second;
  double epsilon = 0.0;
  double sigma = 0.0;
};

struct ForceFieldOptions {
  double coulomb = 1.0;                 ///< the energy of two unit charges at unit distance
  std::optional<Vector<double>> box{};  ///< the edges of a periodic box; without them space is free
  /// The distance of the centres of mass from which on two molecules do not feel each other. By default half of the
  /// shortest edge of the box, or none in free space.
  std::optional<double> cutoff{};
  std::optional<double>
      switch_from{};  ///< where the interaction begins to be switched off; by default 0.85 cutoff
  std::vector<GivenPair> pairs{};
};

/// What acts between two sites.
struct SitePair {
  std::size_t a, b;
  double charge;    ///< the product of the charges, times the constant
  double epsilon4;  ///< 4 epsilon
  double sigma2;    ///< sigma^2
};

/// The factor by which the whole energy of two molecules is multiplied: 1 up to a distance, 0 from the cutoff on, between
/// them a polynomial of the square of the distance with four continuous derivatives, so that schemes up to
/// order four find the smoothness that they need. It belongs to the energy: its derivative is a force
/// between the centres of mass.
///
/// A factor for the whole molecule, not for the sites: molecules are neutral as a rule, and a site that leaves
/// before its counter-charge would leave a charge behind.
class Switching {
 public:
  Switching() = default;
  Switching(double from, double to) : from2_(from * from), to2_(to * to), scale_(1.0 / (to2_ - from2_)) {}

  double square_of_cutoff() const { return to2_; }

  /// How far a squared distance is into the zone: 0 before it, 1 behind it. For any scalar that has an order.
  template <class U>
  U depth(const U& square) const {
    const U t = (square - U(from2_)) * U(scale_);
    return t < U(0) ? U(0) : (U(1) < t ? U(1) : t);
  }
  double from2() const { return from2_; }
  double scale() const { return scale_; }

  template <class U>
  static U value(const U& t) {
    const U t2 = t * t;
    return U(1) - t2 * t2 * t * (U(126) - t * (U(420) - t * (U(540) - t * (U(315) - U(70) * t))));
  }
  /// The derivative with respect to t.
  template <class U>
  static U slope(const U& t) {
    const U x = t * (U(1) - t), x2 = x * x;
    return -(U(630) * (x2 * x2));
  }

 private:
  double from2_ = std::numeric_limits<double>::infinity();
  double to2_ = std::numeric_limits<double>::infinity();
  double scale_ = 0.0;
};

/// The interactions of given kinds of molecules.
class ForceField {
 public:
  /// Throws InputError.
  ForceField(std::vector<Molecule> kinds, const ForceFieldOptions& options)
      : kinds_(std::move(kinds)), coulomb_(options.coulomb), box_(options.box) {
    if (kinds_.empty()) throw InputError("there are no molecules");
    if (!isfinite(coulomb_)) throw InputError("the constant of the Coulomb energy is not a finite number");
    find_range(options);
    for (const GivenPair& pair : options.pairs) examine_pair(pair);
    for (std::size_t a = 0; a < kinds_.size(); ++a)
      for (std::size_t b = a; b < kinds_.size(); ++b) tables_.push_back(table(kinds_[a], kinds_[b], options));
  }

  const std::vector<Molecule>& kinds() const { return kinds_; }
  const std::optional<Vector<double>>& box() const { return box_; }
  const Switching& switching() const { return switching_; }
  /// The distance from which on two molecules do not feel each other; infinite if there is none.
  double cutoff() const { return cutoff_; }
  bool has_cutoff() const { return isfinite(switching_.square_of_cutoff()); }

  /// The pairs of sites of two kinds, a <= b, that act on each other.
  const std::vector<SitePair>& pairs(std::size_t a, std::size_t b) const {
    return tables_[a * kinds_.size() - a * (a + 1) / 2 + b];
  }

  /// The energy of a molecule of kind a and one of kind b, a <= b, for any scalar: `apart` points from the centre of mass of the
  /// second to that of the first, the offsets from the centres to the sites, all in space.
  template <class U>
  U pair_energy(std::size_t a, std::size_t b, Vector<U> apart, const Vector<U>* offsets_a,
                const Vector<U>* offsets_b) const {
    apart = nearest(apart);
    const U square = dot(apart, apart);
    if (!(square < U(switching_.square_of_cutoff()))) return U(0);
    U energy(0);
    for (const SitePair& pair : pairs(a, b)) {
      const Vector<U> d = (apart + offsets_a[pair.a]) - offsets_b[pair.b];
      const U inverse2 = U(1) / dot(d, d);
      if (!(pair.charge == 0.0)) energy += U(pair.charge) * sqrt(inverse2);
      if (pair.epsilon4 > 0.0) {
        const U s2 = U(pair.sigma2) * inverse2, s6 = s2 * s2 * s2;
        energy += U(pair.epsilon4) * (s6 * (s6 - U(1)));
      }
    }
    if (!has_cutoff()) return energy;
    return energy * Switching::value(switching_.depth(square));
  }

  /// The difference of two centres, to the nearest image.
  template <class U>
  Vector<U> nearest(Vector<U> d) const {
    if (!box_) return d;
    for (std::size_t k = 0; k < 3; ++k) {
      const double images = std::nearbyint(static_cast<double>(d[k]) / (*box_)[k]);
      d[k] -= U(images) * U((*box_)[k]);
    }
    return d;
  }

 private:
  void find_range(const ForceFieldOptions& options) {
    double longest = std::numeric_limits<double>::infinity();
    if (box_) {
      for (const double edge : box_->c) {
        if (!isfinite(edge) || !(edge > 0.0)) throw InputError("an edge of the box is not a positive number");
        longest = std::min(longest, edge / 2);
      }
    }
    if (!options.cutoff && !box_) {
      if (options.switch_from) throw InputError("without a box or a cutoff there is nothing to switch off");
      return;
    }
    const double cutoff = options.cutoff.value_or(longest);
    if (!isfinite(cutoff) || !(cutoff > 0.0)) throw InputError("the cutoff is not a positive number");
    if (cutoff > longest) throw InputError("the cutoff is longer than half an edge of the box");
    const double from = options.switch_from.value_or(0.85 * cutoff);
    if (!(from >= 0.0 && from < cutoff))
      throw InputError("the interaction must begin to be switched off between zero and the cutoff");
    cutoff_ = cutoff;
    switching_ = Switching(from, cutoff);
  }

  void examine_pair(const GivenPair& pair) const {
    if (!isfinite(pair.epsilon) || !isfinite(pair.sigma) || pair.epsilon < 0.0 || pair.sigma < 0.0)
      throw InputError("the given pair " + pair.first + ", " + pair.second +
                       " has an epsilon or a sigma that is no number of its kind");
    for (const std::string& name : {pair.first, pair.second}) {
      const bool known = std::any_of(kinds_.begin(), kinds_.end(), [&](const Molecule& kind) {
        return std::any_of(kind.sites().begin(), kind.sites().end(),
                           [&](const Site& s) { return s.name == name; });
      });
      if (!known) throw InputError("a pair is given for the site " + name + ", which no molecule has");
    }
  }

  /// Lorentz's and Berthelot's rule: the mean of the sigmas, the geometric mean of the epsilons.
  static std::vector<SitePair> table(const Molecule& first, const Molecule& second,
                                     const ForceFieldOptions& options) {
    std::vector<SitePair> result;
    for (std::size_t a = 0; a < first.sites().size(); ++a) {
      for (std::size_t b = 0; b < second.sites().size(); ++b) {
        const Site &s = first.sites()[a], &t = second.sites()[b];
        double epsilon = sqrt(s.epsilon * t.epsilon), sigma = (s.sigma + t.sigma) / 2;
        for (const GivenPair& pair : options.pairs) {
          if ((pair.first == s.name && pair.second == t.name) ||
              (pair.first == t.name && pair.second == s.name)) {
            epsilon = pair.epsilon;
            sigma = pair.sigma;
          }
        }
        const SitePair pair{a, b, options.coulomb * s.charge * t.charge, 4.0 * epsilon, sigma * sigma};
        if (!(pair.charge == 0.0) || pair.epsilon4 > 0.0) result.push_back(pair);
      }
    }
    return result;
  }

  std::vector<Molecule> kinds_;
  double coulomb_;
  std::optional<Vector<double>> box_;
  double cutoff_ = std::numeric_limits<double>::infinity();
  Switching switching_;
  std::vector<std::vector<SitePair>> tables_;
};

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::ForceField;
using core::ForceFieldOptions;
}  // namespace polhode::molecules
