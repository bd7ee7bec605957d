// The tangent map against two references: the variational equations, integrated by their Taylor series, and differences of
// the closed form in quadruple precision; and against the identities that the map of a Hamiltonian flow obeys.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <vector>

#include "polhode/free_motion/tangent.hpp"
#include "reference/degenerate.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using D = DoubleDouble;
using reference::Case;
using reference::degenerate_cases;
using reference::description;
using reference::Quad;

template <class T>
double largest_entry(const Matrix<T>& a) {
  double largest = 0;
  for (const auto& row : a.rows)
    for (const auto& x : row.c) largest = std::max(largest, std::abs(static_cast<double>(x)));
  return largest;
}

/// The largest difference of an entry, relative to the largest entry; NaN counts as infinite.
template <class A, class B>
double relative_error(const Matrix<A>& a, const Matrix<B>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double e = std::abs(static_cast<double>(B(B(a[i][j]) - b[i][j])));
      worst = e <= worst ? worst : (std::isnan(e) ? HUGE_VAL : e);
    }
  }
  return worst / largest_entry(b);
}

/// Each block relative to its own norm: more than what is asked, the norm of the whole map.
template <class A, class B>
double relative_error(const TangentMap<A>& a, const TangentMap<B>& b) {
  return std::max({relative_error(a.momentum_by_momentum, b.momentum_by_momentum),
                   relative_error(a.rotation_by_momentum, b.rotation_by_momentum),
                   relative_error(a.rotation_by_rotation, b.rotation_by_rotation)});
}

/// m' = m x w, dm' = dm x w + m x dw, xi' = dw + xi x w, by Taylor series, w = I^-1 m and dw = I^-1 dm: three columns
/// from dm = e_j and xi = 0, three from xi = e_j and dm = 0. Shares no formula with the library. A term is below (1/6.2)^k of
/// the first.
template <std::size_t order, class Q>
TangentMap<Q> variational(const Vector<Q>& moments, Vector<Q> start, const Q& h) {
  double smallest = HUGE_VAL;
  for (const auto& i : moments.c) smallest = std::min(smallest, static_cast<double>(i));
  const double angle = std::abs(static_cast<double>(Q(h * norm(start)))) / smallest;
  const auto steps = static_cast<long>(std::max(1.0, std::ceil(angle / 0.25)));
  const Q step = h / Q(static_cast<double>(steps));
  using Series = std::array<std::array<Q, order + 1>, 3>;
  const auto cross_term = [](const Series& a, const Series& b, std::size_t i, std::size_t k) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    Q sum(0);
    for (std::size_t n = 0; n <= k; ++n) sum += a[j][n] * b[l][k - n] - a[l][n] * b[j][k - n];
    return sum;
  };
  const auto end = [](const Series& a) {
    Vector<Q> total{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = order + 1; k-- > 0;) total[i] += a[i][k];
    return total;
  };
  const auto inverse = [&](Series& w, const Series& m, std::size_t k) {
    for (std::size_t i = 0; i < 3; ++i) w[i][k] = m[i][k] / moments[i];
  };
  TangentMap<Q> columns;  // transposed
  Series m, w, dm, dw, xi;
  for (long n = 0; n < steps; ++n) {
    for (std::size_t i = 0; i < 3; ++i) m[i][0] = start[i];
    for (std::size_t k = 0; k < order; ++k) {
      inverse(w, m, k);
      const Q scale = step / Q(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < 3; ++i) m[i][k + 1] = scale * cross_term(m, w, i, k);
    }
    start = end(m);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        dm[i][0] = columns.momentum_by_momentum[j][i];
        xi[i][0] = columns.rotation_by_momentum[j][i];
      }
      for (std::size_t k = 0; k < order; ++k) {
        inverse(dw, dm, k);
        const Q scale = step / Q(static_cast<double>(k + 1));
        for (std::size_t i = 0; i < 3; ++i) {
          dm[i][k + 1] = scale * (cross_term(dm, w, i, k) + cross_term(m, dw, i, k));
          xi[i][k + 1] = scale * (dw[i][k] + cross_term(xi, w, i, k));
        }
      }
      columns.momentum_by_momentum[j] = end(dm);
      columns.rotation_by_momentum[j] = end(xi);
      for (std::size_t i = 0; i < 3; ++i) xi[i][0] = columns.rotation_by_rotation[j][i];
      for (std::size_t k = 0; k < order; ++k)
        for (std::size_t i = 0; i < 3; ++i)
          xi[i][k + 1] = step / Q(static_cast<double>(k + 1)) * cross_term(xi, w, i, k);
      columns.rotation_by_rotation[j] = end(xi);
    }
  }
  return {transpose(columns.momentum_by_momentum), transpose(columns.rotation_by_momentum),
          transpose(columns.rotation_by_rotation)};
}

TangentMap<D> solution(const Case& c, double h) {
  return variational<24>(convert<D>(c.moments), convert<D>(c.momentum), D(h));
}

TangentMap<double> map_of(const Case& c, double h) {
  return tangent_map(Body<double>(c.moments), State<double>{c.momentum, {}}, h);
}

/// Differences of fourth order of the closed form, delta apart: (m, q) by m, as (dm, xi).
TangentMap<Quad> differences(const Case& c, double h, double delta) {
  const Body<double> body(c.moments);
  const Inertia<Quad> inertia(convert<Quad>(body.moments()));
  const Vector<Quad> m = convert<Quad>(c.momentum);
  const Quaternion<Quad> r = ClosedForm<Quad>(inertia, m).advance(Quad(h)).rotation;
  TangentMap<Quad> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    const auto at = [&](int n) {
      Vector<Quad> shifted = m;
      shifted[j] += Quad(n) * Quad(delta);
      return ClosedForm<Quad>(inertia, shifted).advance(Quad(h));
    };
    const auto a = at(2), b = at(1), d = at(-1), e = at(-2);
    const auto difference = [&](const Quad& x2, const Quad& x1, const Quad& y1, const Quad& y2) {
      return Quad((Quad(8) * (x1 - y1) - (x2 - y2)) / (Quad(12) * Quad(delta)));
    };
    Quaternion<Quad> dr;
    for (std::size_t i = 0; i < 3; ++i)
      columns.momentum_by_momentum[j][i] =
          difference(a.momentum[i], b.momentum[i], d.momentum[i], e.momentum[i]);
    for (std::size_t i = 0; i < 4; ++i)
      dr[i] = difference(a.rotation[i], b.rotation[i], d.rotation[i], e.rotation[i]);
    columns.rotation_by_momentum[j] = Quad(2) * (conjugate(r) * dr).vector();
  }
  return {transpose(columns.momentum_by_momentum), transpose(columns.rotation_by_momentum),
          to_matrix(conjugate(r))};
}

/// A random body with axes in ascending order, as Inertia<Quad> wants them, and a random momentum.
class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  Case next() {
    Vector<double> moments{{uniform(0.1, 1), uniform(0.1, 1), uniform(0.1, 1)}};
    std::sort(moments.c.begin(), moments.c.end());
    return {moments, {{normal_(random_), normal_(random_), normal_(random_)}}};
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

/// The two references agree, so each of them is right.
TEST(TangentReference, VariationalEquationsAndDifferencesAgree) {
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const Case c = random.next();
    const double h = random.uniform(-3, 3);
    const auto a = variational<40>(convert<Quad>(c.moments), convert<Quad>(c.momentum), Quad(h));
    EXPECT_LT(relative_error(differences(c, h, 1e-7), a), 1e-20) << description(c, h);
    EXPECT_LT(relative_error(convert<double>(solution(c, h)), a), 2e-16) << description(c, h);
  }
}

/// The formulas are exact, not just good.
TEST(Tangent, IsExactInQuadruplePrecision) {
  Random random(2);
  for (int i = 0; i < 8; ++i) {
    const Case c = random.next();
    const double h = random.uniform(-4, 4);
    const auto a = variational<40>(convert<Quad>(c.moments), convert<Quad>(c.momentum), Quad(h));
    const auto b = detail::principal_tangent_map<Quad>(Inertia<Quad>(convert<Quad>(c.moments)),
                                                       convert<Quad>(c.momentum), Quad(h));
    EXPECT_LT(relative_error(b, a), 1e-28) << description(c, h);
  }
}

TEST(Tangent, RandomBodiesAndSteps) {
  Random random(3);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const Case c = random.next();
    const double h = std::pow(10, random.uniform(-6, 1)) * (i % 2 ? 1 : -1);
    const double error = relative_error(map_of(c, h), solution(c, h));
    worst = std::max(worst, error);
    EXPECT_LT(error, 5e-16) << description(c, h);
  }
  RecordProperty("worst", std::to_string(worst * 1e16));
  EXPECT_GT(worst, 1e-17);
}

/// 10^-6 to 10^6 units of time, up to some 10^6 periods. The differences must stay small in proportion to what grows
/// with the time.
TEST(Tangent, ManyPeriods) {
  Random random(4);
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const Case c = random.next();
    const double h = std::pow(10, random.uniform(-6, 6));
    const double delta = 1e-7 / (1 + h);
    const double error = relative_error(map_of(c, h), differences(c, h, delta));
    worst = std::max(worst, error);
    EXPECT_LT(error, 5e-16) << description(c, h);
  }
  RecordProperty("worst", std::to_string(worst * 1e16));
}

TEST(Tangent, EveryDegenerateCase) {
  double worst = 0;
  for (const Case& c : degenerate_cases()) {
    for (const double h : {1e-12, 0.01, -0.3, 2.0}) {
      if (c.moments[0] < 0.1 && h > 1) continue;
      const double error = relative_error(map_of(c, h), solution(c, h));
      worst = std::max(worst, error);
      ASSERT_LT(error, 5e-16) << description(c, h);
    }
  }
  RecordProperty("worst", std::to_string(worst * 1e16));
  EXPECT_GT(worst, 1e-17);
}

/// Where the derivatives have grown: some of the cases next to the axes, and all next to the separatrix. There the map
/// hangs on A - B, of which DoubleDouble knows 1e-32 A: that makes up to 5e-16 of the map for momenta in double.
TEST(Tangent, DegenerateCasesOverLongTimes) {
  double worst = 0, growth = 0;
  const std::vector<Case> cases = degenerate_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const bool separatrix = c.momentum[0] != 0 && c.momentum[2] != 0 && c.moments[0] < 0.6 + 1e-9 &&
                            std::abs(c.momentum[0]) > 0.1 && std::abs(c.momentum[2]) > 0.1;
    if (c.moments[0] < 0.1 || !(separatrix || i % 7 == 0)) continue;
    for (const double h : {-9.0, 40.0}) {
      const auto map = map_of(c, h);
      const double error = relative_error(map, solution(c, h));
      worst = std::max(worst, error);
      growth = std::max(growth, largest_entry(map.momentum_by_momentum));
      ASSERT_LT(error, 2e-15) << description(c, h);
    }
  }
  RecordProperty("worst", std::to_string(worst * 1e16));
  RecordProperty("growth", std::to_string(growth));
  EXPECT_GT(growth, 1e10);
}

/// Exactly on axis 2 and on the separatrix for hundreds of time constants: growth by exp(lambda h), at any h that leaves
/// the result finite.
TEST(Tangent, GrowsExponentiallyOnAxis2) {
  const Vector<double> moments{{0.5, 1, 2}};  // a1 = 1/2, a3 = 1, lambda^2 = 1/2
  for (const double h : {10.0, 300.0, 900.0, -900.0}) {
    const auto map = map_of({moments, {{0, 1, 0}}}, h);
    const double x = std::sqrt(0.5) * h;
    EXPECT_NEAR(map.momentum_by_momentum[0][0] / std::cosh(x), 1, 2e-13);
    EXPECT_NEAR(map.momentum_by_momentum[2][0] / (-std::sqrt(2) * std::sinh(x)), 1, 2e-13);
    EXPECT_EQ(map.momentum_by_momentum[1], (Vector<double>{{0, 1, 0}}));
  }
}

/// a1 = 3, a3 = 12 and m3 = 2 m1 leave no rounding in A - B = 0. After 160 time constants the momentum rests on axis 2: on
/// both sides of that, and across it, the map grows by exp(lambda h).
TEST(Tangent, GrowsExponentiallyOnTheSeparatrix) {
  const Case c{{{1.0 / 16, 0.25, 1}}, {{1, 0.5, -2}}};
  const double lambda = std::sqrt(189.0);
  for (const double sign : {1.0, -1.0}) {
    const auto start = map_of(c, sign * 5);
    for (const double h : {10.0, 11.0, 12.0, 20.0, 40.0}) {
      const auto map = map_of(c, sign * h);
      const double growth = std::exp(lambda * (h - 5));
      for (const std::size_t i : {0u, 2u}) {
        for (const std::size_t j : {0u, 2u})
          EXPECT_NEAR(map.momentum_by_momentum[i][j] / start.momentum_by_momentum[i][j] / growth, 1, 1e-12);
        // dm2 leads along the separatrix, and nothing leads off the sphere of momenta.
        EXPECT_LT(std::abs(map.momentum_by_momentum[i][1]), 1e-16 * growth) << h;
        EXPECT_LT(std::abs(map.momentum_by_momentum[1][i]), 1e-16 * growth) << h;
      }
    }
  }
}

/// So close to axis 2 that it takes hundreds of time constants to leave it, and long after: against the same formulas in
/// quadruple precision, whose exponents are never too small.
TEST(Tangent, LeavesAxis2AfterAnyTime) {
  for (const Vector<double>& moments : {Vector<double>{{0.6, 0.8, 1}}, Vector<double>{{0.02, 0.99, 1}}}) {
    const Inertia<Quad> inertia(convert<Quad>(moments));
    const double rate = std::sqrt(static_cast<double>(Quad(inertia.a1 * inertia.a3)));
    for (const double beside : {1e-8, 1e-16, 1e-70, 1e-140}) {
      for (const double ratio : {0.0, 1.0, -3.0}) {
        for (const double part : {0.5, 0.9, 1.1, 1.99, 2.7, 1001.7}) {
          const Case c{moments, {{ratio * beside, 1, beside}}};
          const double h = part * std::log(1 / beside) / rate;
          const auto quad = detail::principal_tangent_map<Quad>(inertia, convert<Quad>(c.momentum), Quad(h));
          EXPECT_LT(relative_error(map_of(c, h), quad), 2e-16) << description(c, h);
        }
      }
    }
  }
}

/// The form dm1 . xi2 - dm2 . xi1 - m . (xi1 x xi2), at m.
template <class T>
T symplectic_form(const Vector<T>& m, const Tangent<T>& a, const Tangent<T>& b) {
  return dot(a.momentum, b.rotation) - dot(b.momentum, a.rotation) - dot(m, cross(a.rotation, b.rotation));
}

/// How far a map is from preserving the symplectic form and the volume. `size` is its largest entry.
struct Defects {
  double form = 0, volume = 0, size = 1;
};

Defects defects(const TangentMap<D>& map, const Vector<double>& m, const Vector<D>& end) {
  std::array<Tangent<D>, 6> basis{}, image;
  double size = 1;
  for (std::size_t i = 0; i < 6; ++i) {
    (i < 3 ? basis[i].momentum : basis[i].rotation)[i % 3] = D(1);
    image[i] = map.apply(basis[i]);
    for (std::size_t j = 0; j < 3; ++j)
      size = std::max({size, std::abs(image[i].momentum[j].high()), std::abs(image[i].rotation[j].high())});
  }
  Defects result;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const D before = symplectic_form(convert<D>(m), basis[i], basis[j]);
      const D after = symplectic_form(end, image[i], image[j]);
      result.form = std::max(result.form, std::abs(static_cast<double>(after - before)));
    }
  }
  // The block of zeros makes the determinant of the whole the product of those of the blocks.
  const D volume = determinant(map.momentum_by_momentum) * determinant(map.rotation_by_rotation);
  result.volume = std::abs(static_cast<double>(volume - D(1)));
  result.size = size;
  return result;
}

/// In double, an entry of the size N is rounded by 1e-16 N, which makes N^2 times that of what has two factors (and of the
/// determinant, whose rows have only one direction of growth). The wide map obeys the identities absolutely.
TEST(Tangent, PreservesTheSymplecticFormAndTheVolume) {
  Defects worst, worst_wide;
  const auto check = [&](const Case& c, double h) {
    const Body<double> body(c.moments);
    const State<double> start{c.momentum, {}};
    const Vector<D> end = Trajectory<double>(body, start).wide_at(D(h)).momentum;
    const Defects rounded = defects(convert<D>(tangent_map(body, start, h)), c.momentum, end);
    const double square_of_size = rounded.size * rounded.size;
    worst.form = std::max(worst.form, rounded.form / square_of_size);
    worst.volume = std::max(worst.volume, rounded.volume / square_of_size);
    ASSERT_LT(rounded.form, 1e-15 * square_of_size) << description(c, h);
    ASSERT_LT(rounded.volume, 1e-15 * square_of_size) << description(c, h);
    const Defects wide = defects(wide_tangent_map<double>(body, convert<D>(start), D(h)), c.momentum, end);
    if (wide.size > 1e7) return;
    worst_wide.form = std::max(worst_wide.form, wide.form);
    worst_wide.volume = std::max(worst_wide.volume, wide.volume);
    ASSERT_LT(wide.form, 1e-13) << description(c, h);
    ASSERT_LT(wide.volume, 1e-13) << description(c, h);
  };
  Random random(5);
  for (int i = 0; i < 2000; ++i) check(random.next(), std::pow(10, random.uniform(-6, 6)));
  for (const Case& c : degenerate_cases())
    for (const double h : {1e-6, 0.3, 2.0, -9.0, 40.0}) check(c, h);
  RecordProperty("form", std::to_string(worst.form * 1e16));
  RecordProperty("volume", std::to_string(worst.volume * 1e16));
  RecordProperty("form_wide", std::to_string(worst_wide.form * 1e16));
  RecordProperty("volume_wide", std::to_string(worst_wide.volume * 1e16));
  EXPECT_GT(worst.form, 1e-17);
  EXPECT_GT(worst.volume, 1e-17);
}

/// Energy and norm: w . dm and m . dm are the same before and after.
TEST(Tangent, ConservesTheVariationOfEnergyAndNorm) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Case c = random.next();
    const double h = std::pow(10, random.uniform(-3, 3));
    const Body<double> body(c.moments);
    const Vector<D> m = convert<D>(c.momentum);
    const Vector<D> end = Trajectory<double>(body, {c.momentum, {}}).wide_at(D(h)).momentum;
    const auto m_map = transpose(convert<D>(map_of(c, h).momentum_by_momentum));
    const double scale = largest_entry(m_map) * norm(c.momentum) / c.moments[0];
    const Vector<D> w = body.inertia().angular_velocity(m), w_end = body.inertia().angular_velocity(end);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_LT(std::abs(static_cast<double>(dot(end, m_map[j]) - m[j])), 3e-16 * scale);
      EXPECT_LT(std::abs(static_cast<double>(dot(w_end, m_map[j]) - w[j])), 3e-16 * scale);
    }
  }
}

/// Angles that have no phase any more, and steps whose powers overflow: spheres turn about their momentum, and of other bodies the
/// energy and the size of the momentum are as they were.
TEST(Tangent, AnyAngle) {
  const Vector<double> m{{0.3, 0.5, 0.7}};
  const State<double> state{m, {1, 0, 0, 0}};
  for (const double h : {1e20, 1e29, 1e31, 1e60, 1e90, 1e100, 1e152, 1e200, -1e300}) {
    const auto sphere = tangent_map(Body<double>(Vector<double>{{4, 4, 4}}), state, h);
    EXPECT_EQ(sphere.momentum_by_momentum, Matrix<double>::identity()) << h;
    const Vector<double> along = sphere.rotation_by_momentum * m;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(along[i] / (h * m[i] / 4), 1, 1e-15) << h;
    for (const Vector<double>& moments : {Vector<double>{{1, 1, 2}}, {{2, 1, 1}}, {{1, 2, 4}}, {{4, 1, 2}}}) {
      const Body<double> body(moments);
      const Vector<double> end = Trajectory<double>(body, state).at(h).momentum;
      const Matrix<double> map = tangent_map(body, state, h).momentum_by_momentum;
      const double size = largest_entry(map);
      ASSERT_TRUE(std::isfinite(size)) << moments[0] << ' ' << h;
      for (std::size_t j = 0; j < 3; ++j) {
        double norm = 0, energy = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          norm += end[i] * map[i][j];
          energy += end[i] / moments[i] * map[i][j];
        }
        EXPECT_NEAR(norm, m[j], 1e-15 * size) << moments[0] << ' ' << h;
        EXPECT_NEAR(energy, m[j] / moments[j], 1e-15 * size) << moments[0] << ' ' << h;
      }
    }
  }
  // At rest across the axis of symmetry, and what the moments change in a sphere.
  const State<double> across{{1, 0, 0}, {1, 0, 0, 0}};
  EXPECT_EQ(tangent_map(Body<double>(Vector<double>{{1, 1, 2}}), across, 1e100).momentum_by_momentum[1],
            (Vector<double>{{0, 1, 0.5e100}}));
  for (const auto& t : by_moments(Body<double>(Vector<double>{{4, 4, 4}}), state, 1e100))
    EXPECT_NEAR(dot(t.momentum, m), 0, 1e84);
}

TEST(Tangent, ProductsAreTheMapsOfLongerMotions) {
  Random random(7);
  for (int i = 0; i < 30; ++i) {
    const Case c = random.next();
    const Body<double> body(c.moments);
    const State<double> start{c.momentum, {}};
    const Trajectory<double> trajectory(body, start);
    const double h = 0.25;
    TangentMap<D> product;
    for (int n = 0; n < 64; ++n)
      product = wide_tangent_map<double>(body, trajectory.wide_at(D(n * h)), D(h)) * product;
    EXPECT_LT(relative_error(convert<double>(product),
                             wide_tangent_map<double>(body, convert<D>(start), D(64 * h))),
              2e-16);
    // apply() is what the matrices say, and the array has the same entries.
    const Tangent<D> v{{{D(1), D(2), D(-1)}}, {{D(3), D(0.5), D(1)}}};
    const auto image = product.apply(v);
    const auto matrix = product.matrix();
    for (std::size_t k = 0; k < 6; ++k) {
      D sum(0);
      for (std::size_t l = 0; l < 6; ++l) sum += matrix[k][l] * (l < 3 ? v.momentum[l] : v.rotation[l - 3]);
      EXPECT_LT(std::abs(static_cast<double>(sum - (k < 3 ? image.momentum[k] : image.rotation[k - 3]))),
                1e-24);
    }
  }
}

/// No step is the identity; a body at rest turns by h I^-1 dm.
TEST(Tangent, OfNoStepAndOfRest) {
  const Case c{{{0.6, 0.8, 1}}, {{0.5, 0.2, -0.84}}};
  const auto none = map_of(c, 0);
  EXPECT_EQ(none.momentum_by_momentum, Matrix<double>::identity());
  EXPECT_EQ(none.rotation_by_momentum, Matrix<double>{});
  EXPECT_EQ(none.rotation_by_rotation, Matrix<double>::identity());
  const auto rest = map_of({{{0.5, 2, 4}}, {}}, 3);
  EXPECT_EQ(rest.momentum_by_momentum, Matrix<double>::identity());
  EXPECT_EQ(rest.rotation_by_momentum,
            (Matrix<double>{
                {Vector<double>{{6, 0, 0}}, Vector<double>{{0, 1.5, 0}}, Vector<double>{{0, 0, 0.75}}}}));
  EXPECT_THROW(map_of({{{1, 2, 3}}, {{NAN, 0, 0}}}, 1), InputError);
}

Quaternion<double> random_rotation(Random& random) {
  return normalized(Quaternion<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                                       random.uniform(-1, 1)});
}

/// x as a multiple of 2^-30 of the unit: adding 2^-20 of it to that makes no rounding error.
double coarse(double x, double unit) { return std::nearbyint(x * 0x1p30) * 0x1p-30 * unit; }

/// The derivative by all seven components of the user's state, skew tensor, units far from one: against differences of
/// the trajectory in DoubleDouble.
TEST(Tangent, InTheUsersFrameAndUnits) {
  Random random(8);
  double worst = 0;
  for (int i = 0; i < 20; ++i) {
    const double inertia_unit = i % 2 ? 0x1p80 : 0x1p-40, momentum_unit = i % 2 ? 0x1p60 : 0x1p-50;
    const Case c = random.next();
    const Matrix<double> turn = to_matrix(random_rotation(random));
    Matrix<double> tensor;
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          tensor[j][k] += inertia_unit * (c.moments[l] * (turn[l][j] * turn[l][k]));
    const Body<double> body(tensor);
    State<double> start{c.momentum, random_rotation(random)};
    for (auto& x : start.momentum.c) x = coarse(x, momentum_unit);
    for (auto& x : start.attitude.c) x = coarse(x, 1);
    const double t = 5 * inertia_unit / momentum_unit;
    const auto map =
        tangent_map(body, start, t)
            .state_matrix(normalized(start.attitude), Trajectory<double>(body, start).at(t).attitude);
    double largest = 0, difference = 0;  // in units of momentum_unit and of one
    for (std::size_t j = 0; j < 7; ++j) {
      const double unit = j < 3 ? momentum_unit : 1;
      const auto at = [&](int n) {
        State<double> s = start;
        (j < 3 ? s.momentum[j] : s.attitude[j - 3]) += n * 0x1p-20 * unit;
        State<D> after = Trajectory<double>(body, s).wide_at(D(t));
        // The trajectory makes the attitude a unit; the derivative by its components keeps the norm.
        if (j >= 3) after.attitude = sqrt(norm_squared(convert<D>(s.attitude))) * after.attitude;
        return after;
      };
      const auto a = at(2), b = at(1), d = at(-1), e = at(-2);
      for (std::size_t k = 0; k < 7; ++k) {
        const auto pick = [k](const State<D>& s) { return k < 3 ? s.momentum[k] : s.attitude[k - 3]; };
        const double scale = k < 3 ? 1 / momentum_unit : 1;
        const D expected = scale * (8 * (pick(b) - pick(d)) - (pick(a) - pick(e))) / (12 * 0x1p-20);
        difference =
            std::max(difference, std::abs(static_cast<double>(expected - D(map[k][j] * unit * scale))));
        largest = std::max(largest, std::abs(static_cast<double>(expected)));
      }
    }
    worst = std::max(worst, difference / largest);
    EXPECT_LT(difference, 1e-14 * largest) << i;
  }
  RecordProperty("worst", std::to_string(worst * 1e16));
}

/// A change of units by powers of two changes no bit but the exponents.
TEST(Tangent, UnitsArePowersOfTwo) {
  const Vector<double> moments{{0.6, 0.8, 1}}, m{{0.5, 0.2, -0.84}};
  const auto a = map_of({moments, m}, 3);
  const auto b = map_of({0x1p400 * moments, 0x1p300 * m}, 0x1p100 * 3);
  EXPECT_EQ(a.momentum_by_momentum, b.momentum_by_momentum);
  EXPECT_EQ(a.rotation_by_rotation, b.rotation_by_rotation);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(a.rotation_by_momentum[i][j], 0x1p300 * b.rotation_by_momentum[i][j]);
}

TEST(Lyapunov, IsTheRateOfTheUnstableAxis) {
  const Body<double> body(Vector<double>{{0.6, 0.8, 1}});
  const double rate = std::sqrt((1 / 0.8 - 1) * (1 / 0.6 - 1 / 0.8));
  // A growth by exp(3000), beyond the range of double.
  const double exponent = lyapunov_exponent(body, {{{0, 1, 0}}, {}}, 1.0, 9000);
  EXPECT_NEAR(exponent, rate, 1e-3 * rate);
  EXPECT_GT(rate * 9000, 710);
}

/// Integrable: what grows does so in proportion to the time, and the exponent falls like log(t)/t.
TEST(Lyapunov, FallsToZeroOffTheAxis) {
  const Body<double> body(Vector<double>{{0.6, 0.8, 1}});
  const double rate = std::sqrt((1 / 0.8 - 1) * (1 / 0.6 - 1 / 0.8));
  const State<double> beside{{{1e-5, 1, 1e-5}}, {}}, regular{{{0.1, 0.1, 1}}, {}};
  const double early = lyapunov_exponent(body, beside, 1.0, 25);
  EXPECT_GT(early, 0.8 * rate);
  const double late = lyapunov_exponent(body, beside, 10.0, 1000);
  EXPECT_GT(late, 0);
  EXPECT_LT(late, 0.02 * rate);
  EXPECT_LT(lyapunov_exponent(body, regular, 10.0, 1000), 2 * std::log(1e4) / 1e4);
  EXPECT_GT(lyapunov_exponent(body, regular, 10.0, 1000), 0);
}

/// The product of many maps and the one of the whole time give the same exponent; so do other units.
TEST(Lyapunov, DoesNotDependOnTheStepOrTheUnits) {
  const Vector<double> moments{{0.345, 0.653, 1}}, m{{0.5, 0.2, 0.84}};
  const double one = lyapunov_exponent(Body<double>(moments), {m, {}}, 64.0, 1);
  EXPECT_NEAR(lyapunov_exponent(Body<double>(moments), {m, {}}, 0.25, 256), one, 1e-14);
  EXPECT_NEAR(lyapunov_exponent(Body<double>(1e200 * moments), {1e200 * m, {}}, 64.0, 1), one, 1e-14);
  EXPECT_NEAR(lyapunov_exponent(Body<double>(moments), {m, {}}, -64.0, 1),
              lyapunov_exponent(Body<double>(moments), {m, {}}, -1.0, 64), 1e-14);
  EXPECT_THROW(lyapunov_exponent(Body<double>(moments), {m, {}}, 0.0, 1), InputError);
  EXPECT_THROW(lyapunov_exponent(Body<double>(moments), {m, {}}, 1.0, 0), InputError);
}

TEST(StateTransition, IsTheMatrixOfTheTangentMap) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const State<double> start{{{0.5, 0.2, 0.84}}, {}};
  EXPECT_EQ(state_transition(body, start, 1000), tangent_map(body, start, 1000).matrix());
}

}  // namespace
}  // namespace polhode
