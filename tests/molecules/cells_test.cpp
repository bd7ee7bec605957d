// Molecules that are found by cells and shared among threads: the forces of all pairs, and bits that do not depend on the threads.
#include "polhode/molecules/cells.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/molecules/mixture.hpp"

namespace polhode {

using namespace core;
namespace {

using W = DoubleDouble;

/// Many molecules of several kinds; some of them are many boxes away from the others.
struct Crowd {
  ForceField field;
  std::vector<std::size_t> counts;
  std::vector<MoleculeState<double>> states;

  Crowd(std::vector<Molecule> kinds, std::vector<std::size_t> numbers, bool box, double cutoff = 0.7)
      : field(std::move(kinds), options(box, cutoff)), counts(std::move(numbers)) {
    const Vector<double> edges{{1.9, 2.1, 2.4}};
    states = thermal_lattice(field, counts, edges, 2.5, 7);
    if (box)
      for (std::size_t i = 0; i < states.size(); ++i)
        states[i].position[i % 3] += edges[i % 3] * (static_cast<double>(i % 11) - 5.0);
    remove_common_motion(field, counts, states);
  }

  static ForceFieldOptions options(bool box, double cutoff) {
    ForceFieldOptions o;
    o.coulomb = coulomb_in_kilojoule_per_mole;
    if (box) o.box = Vector<double>{{1.9, 2.1, 2.4}};
    o.cutoff = cutoff;
    return o;
  }
  RigidMolecules<> molecules(const char* name = "strang") const {
    return {field, counts, states, scheme(name)};
  }
};

Crowd waters(bool box = true) { return {{water("spce")}, {300}, box}; }
Crowd mixture(bool box) {
  return {{water("spce"), test::argon(), water("tip4p"), test::carbon_dioxide()}, {150, 31, 60, 43}, box};
}

struct Forces {
  std::vector<Vector<W>> force;
  std::vector<Vector<double>> torque;
};

Forces forces_of(const Crowd& crowd, PairSearch search, Workers* workers = nullptr) {
  const Arrangement arrangement(crowd.counts);
  const auto field = std::make_shared<const ForceField>(crowd.field);
  SiteForces forces(field, arrangement, search);
  const Configuration where(field, arrangement, std::vector<int>(crowd.counts.size()), crowd.states);
  for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
    for (std::size_t i = 0; i < arrangement.padded(kind); i += Pack::width) {
      const MoleculePack& pack = where.packs()[(arrangement.first(kind) + i) / Pack::width];
      forces.place(kind, arrangement.first(kind) + i,
                   {{pack.position[0].value, pack.position[1].value, pack.position[2].value}},
                   pack.turning.attitude());
    }
  }
  EXPECT_TRUE(forces.evaluate(workers));
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

/// To round-off: of two molecules of one kind, the other one may be the first.
TEST(CellForces, AreThoseOfAllPairs) {
  for (const Crowd& crowd :
       {waters(), waters(false), mixture(true), mixture(false), Crowd({water("spce")}, {300}, true, 0.35),
        Crowd({water("spce")}, {300}, false, 0.1), Crowd({water("spce")}, {300}, true, 0.759)}) {
    ASSERT_TRUE(cells_pay(crowd.field, crowd.field.cutoff(), crowd.states.size()));
    const Forces expected = forces_of(crowd, PairSearch::all_pairs),
                 found = forces_of(crowd, PairSearch::cells);
    double force = 0, torque = 0, force_error = 0, torque_error = 0;
    Vector<W> total{};
    for (std::size_t i = 0; i < expected.force.size(); ++i) {
      force = std::max(force, static_cast<double>(norm(expected.force[i])));
      torque = std::max(torque, norm(expected.torque[i]));
      force_error = std::max(force_error, static_cast<double>(norm(found.force[i] - expected.force[i])));
      torque_error = std::max(torque_error, norm(found.torque[i] - expected.torque[i]));
      total = total + found.force[i];
    }
    EXPECT_EQ(force > 0.0, crowd.field.cutoff() > 0.2);
    EXPECT_LE(force_error, 2e-15 * force);
    EXPECT_LE(torque_error, 2e-15 * torque);
    EXPECT_LE(static_cast<double>(norm(total)), 1e-29 * force);
  }
}

TEST(CellForces, DoNotDependOnTheThreads) {
  const Crowd crowd = mixture(true);
  const Forces expected = forces_of(crowd, PairSearch::cells);
  for (const unsigned threads : {2U, 3U, 8U}) {
    Workers workers(threads);
    const Forces found = forces_of(crowd, PairSearch::cells, &workers);
    EXPECT_EQ(found.force, expected.force);
    EXPECT_EQ(found.torque, expected.torque);
  }
}

TEST(CellForces, AreForManyMoleculesAndShortCutoffs) {
  const auto pay = [](bool box, double cutoff, std::size_t count) {
    const ForceField field({water("spce")}, Crowd::options(box, cutoff));
    return cells_pay(field, cutoff, count);
  };
  EXPECT_TRUE(pay(true, 0.759, 300));
  EXPECT_FALSE(pay(true, 0.761, 300));  // 1.9 is less than five halves of it
  EXPECT_FALSE(pay(true, 0.7, 100));
  EXPECT_TRUE(pay(false, 10.0, 300));
  const ForceField without({water("spce")}, {});
  EXPECT_FALSE(cells_pay(without, without.cutoff(), 300));
}

TEST(Cells, HoldEachPointOnce) {
  // Two cells are longer than the range, by a hair at least: there are nine of them along the last edge, not ten.
  const CellGrid grid = CellGrid::in_box({{1.1, 1.5, 2.0}}, 0.4, 10'000);
  EXPECT_EQ(grid.count(0), 5U);
  EXPECT_EQ(grid.count(1), 7U);
  EXPECT_EQ(grid.count(2), 9U);
  EXPECT_EQ(CellGrid::in_box({{1.1, 1.5, 2.0}}, 0.01, 1000).cells(), 1000U);  // a cell for each
  EXPECT_EQ(grid.cell({{0.01, 0.01, 0.01}}), 0U);
  EXPECT_EQ(grid.cell({{-1.09, 4.51, 0.01}}), 0U);
  EXPECT_EQ(grid.cell({{-0.01, -0.01, -0.01}}), grid.cells() - 1);
  EXPECT_EQ(grid.cell({{-1e-300, -1e-300, -1e-300}}), grid.cells() - 1);
  EXPECT_EQ(grid.cell({{std::nan(""), 0.0, HUGE_VAL}}), 0U);
  const std::vector<std::uint32_t> cells{3, 1, 3, 0, 1, 3};
  CellOrder order;
  order.sort(cells, 5);
  const std::vector<std::size_t> expected{3, 1, 4, 0, 2, 5}, begins{0, 1, 3, 3, 6, 6};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(order[i], expected[i]);
    EXPECT_EQ(order.begin(i), begins[i]);
  }
}

TEST(NearPairs, AreAllThatCountInTheOrderOfTheMolecules) {
  for (const bool box : {true, false}) {
    const Crowd crowd = mixture(box);
    std::vector<Vector<double>> centres;
    for (const auto& s : crowd.states) centres.push_back(s.position);
    std::vector<std::pair<std::size_t, std::size_t>> expected, found;
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (std::size_t j = i + 1; j < centres.size(); ++j) {
        const Vector<double> d = crowd.field.nearest(centres[i] - centres[j]);
        if (norm(d) <= 0.7) expected.emplace_back(i, j);
      }
    }
    for_each_near_pair(crowd.field, 0.7, centres,
                       [&](std::size_t i, std::size_t j) { found.emplace_back(i, j); });
    EXPECT_GT(expected.size(), 2000U);
    EXPECT_EQ(found, expected);
  }
}

TEST(NearPairs, GiveTheEnergyOfAllPairs) {
  const Crowd crowd = mixture(true);
  const RigidMolecules<> m = crowd.molecules();
  const Configuration where = m.state();
  std::vector<std::size_t> kinds;
  std::vector<std::vector<Vector<double>>> offsets;
  std::vector<Vector<double>> centres;
  double expected = 0.0;
  where.for_each([&](std::size_t kind, std::size_t i) {
    kinds.push_back(kind);
    centres.push_back(where.state(kind, i).position);
    offsets.push_back(where.sites(kind, i));
    for (auto& x : offsets.back()) x = x - centres.back();
  });
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i + 1; j < kinds.size(); ++j)
      expected += crowd.field.pair_energy(kinds[i], kinds[j], centres[i] - centres[j], offsets[i].data(),
                                          offsets[j].data());
  // The offsets in this sum lost some places where the centres are many boxes away.
  EXPECT_NEAR(static_cast<double>(where.energies().potential), expected, 1e-12 * std::abs(expected));
}

TEST(RigidMoleculesInCells, MoveTheSameWithAnyNumberOfThreads) {
  const Crowd crowd = mixture(true);
  std::vector<MoleculeState<double>> expected;
  std::vector<std::byte> bytes;
  for (const unsigned threads : {1U, 2U, 3U, 8U, 0U}) {
    RigidMolecules<> m = crowd.molecules("rkn4-6");
    m.set_threads(threads);
    m.advance(0.0005, 40);
    if (threads == 1) {
      expected = m.state().states();
      bytes = m.save();
    }
    EXPECT_EQ(m.state().states(), expected) << threads;
    EXPECT_EQ(m.save(), bytes) << threads;
  }
  EXPECT_GT(test::distance(expected, crowd.states), 0.01);
}

TEST(RigidMoleculesInCells, HowStepsAreDividedAndSavingMakeNoDifference) {
  const Crowd crowd = waters();
  for (const char* scheme : {"strang", "rkn6-14"}) {
    RigidMolecules<> at_once = crowd.molecules(scheme), one_by_one = crowd.molecules(scheme),
                     restored = crowd.molecules(scheme);
    one_by_one.set_threads(2);
    restored.set_threads(3);
    at_once.advance(0.001, 30);
    for (int i = 0; i < 30; ++i) {
      one_by_one.advance(0.001, 1);
      if (i == 17) restored.restore(one_by_one.save());
      if (i % 10 == 0) (void)one_by_one.state();
    }
    restored.advance(0.001, 12);
    const auto expected = at_once.state().states();
    EXPECT_EQ(one_by_one.state().states(), expected) << scheme;
    EXPECT_EQ(restored.state().states(), expected) << scheme;
    EXPECT_EQ(at_once.evaluations(), restored.evaluations());
  }
}

TEST(RigidMoleculesInCells, EnergyAndMomentumOfALiquidStay) {
  Crowd crowd({water("spce")}, {320}, true);
  const double kt = 300 * boltzmann_in_kilojoule_per_mole;
  RigidMolecules<> m = crowd.molecules();
  m.set_threads(2);
  equilibrate(m, crowd.counts, kt, 0.001, 300);
  const Configuration start = m.state();
  const double energy = static_cast<double>(start.energies().total());
  double worst = 0;
  for (int i = 0; i < 20; ++i) {
    m.advance(0.001, 20);
    worst = std::max(worst, std::abs(static_cast<double>(m.state().energies().total()) - energy));
  }
  EXPECT_LE(worst, 0.5 * kt);  // of 1900 degrees of freedom
  EXPECT_LE(static_cast<double>(norm(m.state().momentum() - start.momentum())), 1e-27);
}

TEST(RigidMoleculesInCells, CollisionsAreReportedAndNothingHasMoved) {
  // Ions without a force between them to speak of, on a lattice; two of them meet.
  const ForceField field({Molecule("ion", {{"X", "X", {}, 1.0, 1e-100, 0.0, 0.0}})}, [] {
    ForceFieldOptions o;
    o.box = Vector<double>{{8.0, 8.0, 8.0}};
    o.cutoff = 3.0;
    return o;
  }());
  std::vector<MoleculeState<double>> states(512);
  for (std::size_t i = 0; i < states.size(); ++i)
    states[i].position = {
        {static_cast<double>(i % 8), static_cast<double>(i / 8 % 8), static_cast<double>(i / 64)}};
  states[0].momentum = {{-1.0, 0.0, 0.0}};  // to the image of the one at the other end
  for (const unsigned threads : {1U, 2U}) {
    RigidMolecules<> m(field, {512}, states);
    m.set_threads(threads);
    m.advance(0.125, 4);
    const auto before = m.state().states();
    const auto evaluations = m.evaluations();
    try {
      m.advance(0.25, 8);
      FAIL() << "went through each other";
    } catch (const MotionError& e) {
      EXPECT_STREQ(e.what(), "molecules [0] and [7] are on one spot at time 1");
    }
    EXPECT_EQ(m.state().states(), before);
    EXPECT_EQ(m.evaluations(), evaluations);
    EXPECT_EQ(static_cast<double>(m.time()), 0.5);
  }
}

TEST(RigidMoleculesInCells, TheFirstTwoOnOneSpotAreNamed) {
  for (const bool box : {true, false}) {
    Crowd crowd = waters(box);
    crowd.states[250].position = crowd.states[120].position;
    crowd.states[77].position = crowd.states[130].position;
    if (box) crowd.states[130].position[1] += 2.1 * 4;
    crowd.states[131].position = crowd.states[77].position;
    try {
      (void)crowd.molecules();
      FAIL() << "two on one spot";
    } catch (const InputError& e) {
      EXPECT_STREQ(e.what(), "molecules [77] and [130] are on one spot");
    }
  }
}

TEST(RigidMoleculesInCells, AMoleculeThatIsNowhereIsNoticed) {
  Crowd crowd({water("spce")}, {300}, false, 0.1);  // nobody feels anybody
  crowd.states[200].position = {{1e300, 0.0, 0.0}};
  crowd.states[200].momentum = {{1e308, 0.0, 0.0}};
  RigidMolecules<> m = crowd.molecules();
  const auto before = m.state().states();
  EXPECT_THROW(m.advance(1000.0, 3), MotionError);
  EXPECT_EQ(m.state().states(), before);
}

}  // namespace
}  // namespace polhode
