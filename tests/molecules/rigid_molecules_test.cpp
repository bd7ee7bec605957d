// Molecules in motion: what is conserved, how fast the error falls, and what does not depend on how one asks.
#include "polhode/molecules/rigid_molecules.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "polhode/free_motion/methods.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "tests/molecules/mixture.hpp"

namespace polhode {

using namespace core;
namespace {

using test::Cluster;
using test::distance;
using test::Mixture;

template <class Setup>
RigidMolecules<> molecules(const Setup& setup, const char* name = "strang") {
  return {setup.field, setup.counts, setup.states, scheme(name)};
}

double size(const Vector<DoubleDouble>& v) { return static_cast<double>(norm(v)); }

/// Its short steps go by the kernel for middle ones, which has other roundings far below the last place.
TEST(RigidMolecules, OneAloneMovesAsAFreeRotor) {
  const ForceField field({water("tip4p")}, test::options({}));
  const double h = 0.001;
  for (const double speed : {0.1, 1.0, 3.0, 30.0, 2000.0, 0.0}) {
    MoleculeState<double> s;
    s.turning = {speed * Vector<double>{{0.11, -0.17, 0.13}}, {0.5, 0.5, -0.1, 0.7}};
    RigidMolecules<> one(field, {1}, {&s, 1});
    Rotor<Exact<double>> rotor(field.kinds()[0].body(), s.turning);
    one.advance(h, 100);
    rotor.advance(h, 100);
    const State<DoubleDouble> a = one.state().wide_state(0, 0).turning, b = rotor.wide_state();
    EXPECT_LE(size(a.momentum - b.momentum), 1e-17 * speed) << speed;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LE(std::abs(static_cast<double>(a.attitude[i] - b.attitude[i])), 1e-17);
    if (speed >= 30.0) {
      EXPECT_EQ(a, b) << speed;
    }
  }
}

TEST(RigidMolecules, PacksTurnAsTheirBodiesAlone) {
  const Molecule spce = water("spce");
  const PackRotation<Exact<double>> turning(spce.body().inertia(), {});
  const Exact<double> exact(spce.body().inertia());
  NormalDeviates normal(2);
  std::vector<MoleculePack> packs(5);
  std::vector<Motion<double, Summation::compensated>> alone(5 * Pack::width);
  const std::size_t count = alone.size() - 1;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    State<double> s{{{normal(), normal(), normal()}}, {normal(), normal(), normal(), normal()}};
    if (i % 3 == 2) s.attitude = {};  // components that pass through zero, where compensation is not normal
    const double speed = std::exp(2.0 * normal());
    s.momentum = (i % 7 == 3 ? 0.0 : speed) * s.momentum;
    alone[i] = Motion<double, Summation::compensated>(s);
    packs[i / Pack::width].turning.visit_with(alone[i],
                                              [&](Pack& x, double y) { x.set(i % Pack::width, y); });
  }
  for (int step = 0; step < 50; ++step) {
    turning(packs, 0.02, count);
    for (std::size_t i = 0; i < count; ++i) {
      const Vector<double> m = alone[i].momentum();
      const double angle2 = exact.increment_flow().square_angle(dot(m, m), 0.02);
      if (angle2 > 0.0 && angle2 <= square(middle_angle)) {
        exact.increment_flow().middle_step(alone[i], 0.02);
      } else {
        exact.step(alone[i], 0.02);
      }
      Motion<double, Summation::compensated> lane;
      lane.visit_with(packs[i / Pack::width].turning,
                      [&](double& x, const Pack& y) { x = y[i % Pack::width]; });
      ASSERT_EQ(std::memcmp(&lane, &alone[i], sizeof lane), 0) << i << " " << step;
    }
  }
}

TEST(RigidMolecules, MomentumAndAngularMomentumStay) {
  for (const bool box : {false, true}) {
    const Mixture mixture(box ? std::optional(0.95) : std::nullopt);
    RigidMolecules<> m = molecules(mixture);
    const Configuration start = m.state();
    m.advance(0.0005, 2000);
    const Configuration end = m.state();
    EXPECT_LE(size(end.momentum() - start.momentum()), 1e-28);
    EXPECT_GT(distance(start.states(), end.states()), 0.1);
    // Units: about 100 in all.
    if (!box) {
      EXPECT_LE(size(end.angular_momentum() - start.angular_momentum()), 1e-13);
    }
  }
}

TEST(RigidMolecules, LinearOnesDoNotSpinAboutTheirLine) {
  const Mixture mixture({});
  RigidMolecules<> m = molecules(mixture);
  m.advance(0.0005, 2000);
  const Configuration end = m.state();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto spin = dot(end.field().kinds()[2].line(), end.wide_state(2, i).turning.momentum);
    EXPECT_LE(std::abs(static_cast<double>(spin)), 1e-14);
  }
}

/// The largest difference of the state at time 0.02 from a far more accurate one.
double error_after(const Cluster& cluster, const char* scheme, double h) {
  const auto states = [&](const char* name, double step) {
    RigidMolecules<> m = molecules(cluster, name);
    m.advance(step, std::llround(0.02 / step));
    return m.state().states();
  };
  static const auto reference = states("kahan-li-8", 0.02 / 256);
  return distance(states(scheme, h), reference);
}

TEST(RigidMolecules, SchemesHaveTheirOrder) {
  const Cluster cluster(4);
  struct Case {
    const char* scheme;
    double h;
    int order;
  };
  for (const auto& [scheme, h, order] : {Case{"strang", 0.001, 2}, Case{"blanes-moan-4", 0.002, 4},
                                         Case{"rkn4-6", 0.002, 4}, Case{"rkn6-11", 0.0025, 6}}) {
    const double coarse = error_after(cluster, scheme, h), fine = error_after(cluster, scheme, h / 2);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.15 * order) << scheme << " " << coarse << " " << fine;
  }
}

TEST(RigidMolecules, AreReversible) {
  for (const char* scheme : {"strang", "rkn4-6", "aba-8-6-4"}) {
    const Cluster cluster(4);
    RigidMolecules<> m = molecules(cluster, scheme);
    const auto start = m.state().states();
    m.advance(0.001, 200);
    EXPECT_GT(distance(start, m.state().states()), 0.1);
    m.advance(-0.001, 200);
    EXPECT_LE(distance(start, m.state().states()), 1e-11) << scheme;
    EXPECT_NEAR(static_cast<double>(m.time()), 0.0, 1e-15);
  }
}

TEST(RigidMolecules, HowStepsAreDividedAndSavingMakeNoDifference) {
  for (const char* scheme : {"strang", "rkn4-6", "rkn6-14"}) {
    const Mixture mixture(0.95);
    RigidMolecules<> at_once = molecules(mixture, scheme), one_by_one = molecules(mixture, scheme),
                     restored = molecules(mixture, scheme);
    at_once.advance(0.001, 130);
    for (int i = 0; i < 130; ++i) {
      one_by_one.advance(0.001, 1);
      if (i == 70) restored.restore(one_by_one.save());
      if (i % 10 == 0) (void)one_by_one.state();
    }
    restored.advance(0.001, 59);
    const auto expected = at_once.state().states();
    EXPECT_EQ(one_by_one.state().states(), expected) << scheme;
    EXPECT_EQ(restored.state().states(), expected) << scheme;
    EXPECT_EQ(at_once.evaluations(), restored.evaluations());
  }
}

TEST(RigidMolecules, EveryFreeMotionTurnsThem) {
  const Cluster cluster(3);
  RigidMolecules<> exact = molecules(cluster);
  exact.advance(0.0001, 50);
  const auto expected = exact.state().states();
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    RigidMolecules<Method> other(cluster.field, cluster.counts, cluster.states);
    other.advance(0.0001, 50);
    const double bound = Method::info.order == 1 ? 1e-3 : Method::info.order == 2 ? 5e-6 : 1e-11;
    EXPECT_LE(distance(expected, other.state().states()), bound) << Method::info.name;
  });
}

TEST(RigidMolecules, EnergyOfALiquidDoesNotDrift) {
  const ForceField field({water("spce")}, [] {
    ForceFieldOptions o;
    o.coulomb = coulomb_in_kilojoule_per_mole;
    o.box = Vector<double>{{0.93, 0.93, 0.93}};
    return o;
  }());
  const std::vector<std::size_t> counts{27};
  const double kt = 300 * boltzmann_in_kilojoule_per_mole;
  auto states = thermal_lattice(field, counts, *field.box(), kt, 1);
  remove_common_motion(field, counts, states);
  RigidMolecules<> m(field, counts, states);
  equilibrate(m, counts, kt, 0.001, 1000);
  const double start = static_cast<double>(m.state().energies().total());
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    m.advance(0.001, 50);
    worst = std::max(worst, std::abs(static_cast<double>(m.state().energies().total()) - start));
  }
  EXPECT_LE(worst, 0.2 * kt);
  EXPECT_LE(size(m.state().momentum()), 1e-13);
}

TEST(RigidMolecules, ThermalBeginningsHaveTheirTemperature) {
  const Cluster cluster(500);
  const Configuration start = molecules(cluster).state();
  const double kt = 200 * boltzmann_in_kilojoule_per_mole;
  const MoleculeEnergies e = start.kinetic_energies();
  // The standard deviation of the mean is sqrt(1.5/500) k T = 0.055 k T.
  EXPECT_NEAR(static_cast<double>(e.translational) / 500, 1.5 * kt, 0.15 * kt);
  EXPECT_NEAR(static_cast<double>(e.rotational) / 500, 1.5 * kt, 0.15 * kt);
  EXPECT_LE(size(start.momentum()), 5e-12);
  EXPECT_LE(size(start.angular_momentum()), 5e-12);
}

TEST(RigidMolecules, CollisionsAreReportedAndNothingHasMoved) {
  const ForceField field({Molecule("ion", {{"X", "X", {}, 1.0, 1e-100, 0.0, 0.0}})}, {});
  const std::vector<MoleculeState<double>> states{
      {{{-1, 0, 0}}, {{1, 0, 0}}, {}}, {{{5, 5, 5}}, {}, {}}, {{{1, 0, 0}}, {{-1, 0, 0}}, {}}};
  RigidMolecules<> m(field, {3}, states);
  m.advance(0.125, 4);
  const auto before = m.state().states();
  try {
    m.advance(0.5, 8);
    FAIL() << "went through each other";
  } catch (const MotionError& e) {
    EXPECT_STREQ(e.what(), "molecules [0] and [2] are on one spot at time 1");
  }
  EXPECT_EQ(m.state().states(), before);
  EXPECT_EQ(static_cast<double>(m.time()), 0.5);
  m.advance(0.125, 2);
  EXPECT_EQ(m.state().state(0, 0).position[0], -0.25);
}

TEST(RigidMolecules, BadStatesAreRefusedWithASentence) {
  const Mixture mixture(0.95);
  const auto reason = [&](auto change) -> std::string {
    Mixture m = mixture;
    change(m);
    try {
      const RigidMolecules<> made(m.field, m.counts, m.states);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason([](Mixture& m) { m.states[6].position = m.states[2].position; }),
            "molecules [2] and [6] are on one spot");
  EXPECT_EQ(reason([](Mixture& m) { m.states.pop_back(); }), "there are not as many states as molecules");
  EXPECT_EQ(reason([](Mixture& m) { m.counts.pop_back(); }),
            "there are not as many numbers of molecules as kinds");
  EXPECT_EQ(reason([](Mixture& m) { m.states[1].momentum[2] = std::nan(""); }),
            "molecule [1]: a component of the position or the momentum is not a finite number");
  EXPECT_EQ(reason([](Mixture& m) {
              m.states[0].turning.attitude = {0, 0, 0, 0};
            }),
            "molecule [0]: the attitude is the zero quaternion");
  EXPECT_EQ(reason([](Mixture& m) { m.states[5].turning.momentum[0] = 1; }),
            "molecule [5]: an atom has no momentum to turn");
  EXPECT_EQ(reason([](Mixture& m) { m.states[3].turning.momentum[0] = 1; }),
            "molecule [3]: the momentum has a component along the line of a linear molecule");
}

}  // namespace
}  // namespace polhode
