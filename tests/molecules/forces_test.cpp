// Forces and torques against differences of the energy in extended precision.
#include <gtest/gtest.h>

#include "tests/molecules/mixture.hpp"

namespace polhode {

using namespace core;
namespace {

using test::Mixture;
using W = DoubleDouble;

struct Places {
  std::vector<std::size_t> kinds;
  std::vector<Vector<W>> centres;
  std::vector<Quaternion<W>> attitudes;  // of the principal axes
};

Places places_of(const Mixture& mixture) {
  Places p;
  for (std::size_t kind = 0; kind < mixture.counts.size(); ++kind) {
    for (std::size_t i = 0; i < mixture.counts[kind]; ++i) {
      const auto& s = mixture.states[p.kinds.size()];
      p.kinds.push_back(kind);
      p.centres.push_back(convert<W>(s.position));
      p.attitudes.push_back(mixture.field.kinds()[kind].body().to_principal(s.turning).attitude);
    }
  }
  return p;
}

W energy(const ForceField& field, const Places& p) {
  std::vector<std::vector<Vector<W>>> offsets;
  for (std::size_t i = 0; i < p.kinds.size(); ++i) {
    offsets.emplace_back();
    for (const auto& r : field.kinds()[p.kinds[i]].offsets())
      offsets.back().push_back(rotate(p.attitudes[i], convert<W>(r)));
  }
  W sum = 0;
  for (std::size_t i = 0; i < p.kinds.size(); ++i)
    for (std::size_t j = i + 1; j < p.kinds.size(); ++j)
      sum += field.pair_energy(p.kinds[i], p.kinds[j], p.centres[i] - p.centres[j], offsets[i].data(),
                               offsets[j].data());
  return sum;
}

/// The forces of the packs, one molecule after the other.
struct Forces {
  std::vector<Vector<W>> force;
  std::vector<Vector<double>> torque;
};

Forces forces_of(const Mixture& mixture) {
  const Arrangement arrangement(mixture.counts);
  SiteForces forces(std::make_shared<const ForceField>(mixture.field), arrangement);
  const Configuration where(std::make_shared<const ForceField>(mixture.field), arrangement,
                            std::vector<int>(mixture.counts.size()), mixture.states);
  for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
    for (std::size_t i = 0; i < arrangement.padded(kind); i += Pack::width) {
      const MoleculePack& pack = where.packs()[(arrangement.first(kind) + i) / Pack::width];
      forces.place(kind, arrangement.first(kind) + i,
                   {{pack.position[0].value, pack.position[1].value, pack.position[2].value}},
                   pack.turning.attitude());
    }
  }
  EXPECT_TRUE(forces.evaluate());
  Forces result;
  where.for_each([&](std::size_t kind, std::size_t i) {
    const std::size_t slot = arrangement.first(kind) + i, lane = slot % Pack::width;
    Vector<W> f;
    Vector<double> t;
    for (std::size_t k = 0; k < 3; ++k) {
      f[k] = W::sum(forces.force(k, slot - lane)[lane], forces.force_error(k, slot - lane)[lane]);
      t[k] = forces.torque(k, slot - lane)[lane];
    }
    result.force.push_back(f);
    result.torque.push_back(t);
  });
  return result;
}

/// The largest error relative to the largest force, and the same for torques.
void expect_gradient(const Mixture& mixture, double bound) {
  const Forces forces = forces_of(mixture);
  const Places start = places_of(mixture);
  const W delta = 1e-9;
  const auto slope = [&](auto move) {
    Places ahead = start, behind = start;
    move(ahead, delta);
    move(behind, -delta);
    return static_cast<double>((energy(mixture.field, behind) - energy(mixture.field, ahead)) /
                               (W(2) * delta));
  };
  double force_error = 0, torque_error = 0, largest_force = 0, largest_torque = 0;
  for (std::size_t i = 0; i < start.kinds.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double f = slope([&](Places& p, const W& d) { p.centres[i][k] += d; });
      const double t = slope([&](Places& p, const W& d) {
        Vector<W> axis{};
        axis[k] = d / W(2);
        p.attitudes[i] = Quaternion<W>(W(1), axis) * p.attitudes[i];
      });
      force_error = std::max(force_error, std::abs(f - static_cast<double>(forces.force[i][k])));
      torque_error = std::max(torque_error, std::abs(t - forces.torque[i][k]));
      largest_force = std::max(largest_force, std::abs(f));
      largest_torque = std::max(largest_torque, std::abs(t));
    }
  }
  EXPECT_GT(largest_force, 1.0);
  EXPECT_GT(largest_torque, 0.1);
  EXPECT_LE(force_error, bound * largest_force);
  EXPECT_LE(torque_error, bound * largest_torque);
}

TEST(Forces, AreTheGradientInFreeSpace) { expect_gradient(Mixture({}), 1e-14); }

TEST(Forces, AreTheGradientInABoxWithEveryPairInTheSwitchingZone) {
  // The lattice's distances of 0.4 to 0.7 lie within the zone from 0 to 0.75.
  Mixture mixture(1.5);
  ForceFieldOptions options = test::options(1.5);
  options.switch_from = 0.0;
  mixture.field = ForceField(mixture.field.kinds(), options);
  for (auto& s : mixture.states) s.position[0] += 7.1 * 1.5;  // the images count, not the places
  mixture.states[2].position[1] -= 3 * 1.1 * 1.5;
  expect_gradient(mixture, 4e-14);
}

TEST(Forces, ObeyTheThirdLawFarBelowTheLastPlace) {
  for (const std::optional<double> edge : {std::optional<double>{}, std::optional<double>{0.95}}) {
    const Forces forces = forces_of(Mixture(edge));
    Vector<W> total{};
    double largest = 0;
    for (const auto& f : forces.force) {
      total = total + f;
      largest = std::max(largest, static_cast<double>(norm(f)));
    }
    EXPECT_LE(static_cast<double>(norm(total)), 1e-29 * largest);
  }
}

TEST(Forces, EndSmoothlyAtTheCutoff) {
  // The fourth derivative of the energy on either side of both ends of the zone. It changes by 1e5 a unit of length there;
  // a switch with three derivatives only would have it jump by more than a hundred.
  const ForceField field({test::argon()}, [] {
    ForceFieldOptions o;
    o.cutoff = 1.0;
    o.switch_from = 0.8;
    return o;
  }());
  const Vector<W> none{};
  const auto at = [&](const W& x) { return field.pair_energy<W>(0, 0, {{x, W(0), W(0)}}, &none, &none); };
  const auto fourth = [&](const W& x, const W& h) {
    const W d = at(x - 2.0 * h) - 4.0 * at(x - h) + 6.0 * at(x) - 4.0 * at(x + h) + at(x + 2.0 * h);
    return static_cast<double>(d / (h * h * h * h));
  };
  const W h = 1e-6;
  for (const double edge : {0.8, 1.0})
    EXPECT_NEAR(fourth(edge - 3.0 * h, h), fourth(edge + 3.0 * h, h), 3.0) << edge;
  EXPECT_EQ(at(1.0), W(0));
  EXPECT_EQ(at(2.0), W(0));
  EXPECT_LT(at(0.999), W(0));
}

TEST(Forces, GivenPairsTakeThePlaceOfTheMixingRule) {
  ForceFieldOptions given;
  given.pairs = {{"O", "Ar", 2.0, 0.5}};
  const ForceField field({test::carbon_dioxide(), test::argon()}, given);
  for (const SitePair& pair : field.pairs(0, 1)) {
    EXPECT_EQ(pair.epsilon4, pair.a == 0 ? 4 * std::sqrt(0.234 * 0.996) : 8.0);
    EXPECT_EQ(pair.sigma2, pair.a == 0 ? square((0.28 + 0.3405) / 2) : 0.25);
  }
}

TEST(Forces, BadFieldsAreRefusedWithASentence) {
  const auto reason = [](auto change, std::vector<Molecule> kinds = {water("spce")}) -> std::string {
    ForceFieldOptions options = test::options(1.0);
    change(options);
    try {
      const ForceField field(std::move(kinds), options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason([](auto& o) {
              o.box = Vector<double>{{1.0, 0.0, 1.0}};
            }),
            "an edge of the box is not a positive number");
  EXPECT_EQ(reason([](auto& o) { o.cutoff = 0.6; }), "the cutoff is longer than half an edge of the box");
  EXPECT_EQ(reason([](auto& o) { o.cutoff = -1.0; }), "the cutoff is not a positive number");
  EXPECT_EQ(reason([](auto& o) { o.switch_from = 0.5; }),
            "the interaction must begin to be switched off between zero and the cutoff");
  EXPECT_EQ(reason([](auto& o) { o.box.reset(), o.switch_from = 0.1; }),
            "without a box or a cutoff there is nothing to switch off");
  EXPECT_EQ(reason([](auto& o) { o.coulomb = std::nan(""); }),
            "the constant of the Coulomb energy is not a finite number");
  EXPECT_EQ(reason([](auto& o) {
              o.pairs = {{"OW", "XX", 1.0, 1.0}};
            }),
            "a pair is given for the site XX, which no molecule has");
  EXPECT_EQ(reason([](auto&) {}, {}), "there are no molecules");
}

TEST(Molecules, MakeTheirBodies) {
  // SPC/E: the moments from bond and angle by hand.
  const Molecule spce = water("spce");
  const double mh = 1.00794, mo = 15.9994, half = 109.47122063449069 * pi<double>() / 360;
  const double x = 0.1 * std::sin(half), z = 0.1 * std::cos(half), reduced = 2 * mh * mo / (2 * mh + mo);
  EXPECT_NEAR(spce.body().moments()[0], reduced * z * z, 1e-17);
  EXPECT_NEAR(spce.body().moments()[1], 2 * mh * x * x, 1e-17);
  EXPECT_NEAR(spce.body().moments()[2], reduced * z * z + 2 * mh * x * x, 2e-17);
  EXPECT_EQ(spce.degrees_of_freedom(), 6);
  EXPECT_EQ(test::carbon_dioxide().degrees_of_freedom(), 5);
  EXPECT_EQ(test::argon().degrees_of_freedom(), 3);
  for (const std::string& name : water_names()) {
    double charge = 0;
    const Molecule molecule = water(name);
    for (const Site& s : molecule.sites()) charge += s.charge;
    EXPECT_EQ(charge, 0.0) << name;
  }
}

TEST(Molecules, BadOnesAreRefusedWithASentence) {
  const auto reason = [](std::vector<Site> sites) -> std::string {
    try {
      const Molecule molecule("m", std::move(sites));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const Site a{"A", "A", {}, 1.0, 0.0, 0.0, 0.0}, b{"B", "B", {{1, 0, 0}}, 1.0, 0.0, 0.0, 0.0};
  Site light = b, off = b, bad = b;
  light.mass = 0.0;
  off.mass = 0.0, off.position = {{0.5, 0.1, 0.0}};
  EXPECT_EQ(reason({}), "the molecule m has no sites");
  EXPECT_EQ(reason({light}), "the molecule m has no mass");
  EXPECT_EQ(reason({a, light}),
            "the molecule m has sites away from its only mass, and so no moment of inertia");
  EXPECT_EQ(
      reason({a, b, off}),
      "the molecule m has a site off the line of its masses, about which there is no moment of inertia");
  bad.mass = -1.0;
  EXPECT_EQ(reason({a, bad}), "the molecule m has a site 2 whose mass is negative");
  bad = b, bad.epsilon = 1.0;
  EXPECT_EQ(reason({a, bad}), "the molecule m has a site 2 whose epsilon has no sigma beside it");
  bad = b, bad.charge = std::nan("");
  EXPECT_EQ(reason({a, bad}), "the molecule m has a site 2 whose numbers are not all finite");
  EXPECT_EQ(reason({a, b}), "");
}

}  // namespace
}  // namespace polhode
