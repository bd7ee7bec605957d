// Systems whose functions have fewer digits than the scalar that asks for them, and what a system may say itself: its
// curvature, and a mass matrix that is diagonal.
#include <gtest/gtest.h>

#include <memory>

#include "constrained/companions.hpp"
#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/rattle.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"

namespace polhode {

using namespace core;
namespace {

using Fine = systems::SphericalPendulum;

/// The spherical pendulum from functions of doubles, as they come from another language.
struct Coarse {
  static constexpr std::size_t dimension = 3;
  static constexpr std::size_t constraints = 1;

  template <class T>
  T potential(std::span<const T> q) const {
    return q[2];
  }
  template <class T>
  void force(std::span<const T>, std::span<T> f) const {
    f[0] = f[1] = T(0);
    f[2] = T(-1);
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t) const {
    double sum = -1.0;
    for (const T& x : q) sum += static_cast<double>(x) * static_cast<double>(x);
    return T(sum);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t, std::span<T> row) const {
    for (std::size_t j = 0; j < 3; ++j) row[j] = T(2.0 * static_cast<double>(q[j]));
  }
  template <class T>
  T curvature(std::span<const T>, std::span<const T> v, std::size_t) const {
    ++*asked;
    return T(2.0 * static_cast<double>(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  PhasePoint<DoubleDouble, 3> standard_state() const { return Fine{}.standard_state(); }

  std::shared_ptr<int> asked = std::make_shared<int>(0);
};

struct CoarseAndSaysSo : Coarse {
  double round_off() const { return 0x1p-53; }
};

TEST(CoarseFunctions, StartWhereTheySayHowCoarseTheyAre) {
  EXPECT_THROW(companions::exact_motion(Coarse{}, 0.04, 4), InputError) << "nothing shows that it was needed";
  const CoarseAndSaysSo system;
  const auto coarse = companions::exact_motion(system, 0.04, 4),
             fine = companions::exact_motion(Fine{}, 0.04, 4);
  // Far below a rounding error of g, because so short a motion hardly leaves its first point; measured 1.3e-17.
  EXPECT_LT(companions::distance(coarse, fine), 4e-17);
  EXPECT_GT(*system.asked, 100) << "the curvature is the system's own";
}

TEST(CoarseFunctions, AreFollowedByEveryMethod) {
  const CoarseAndSaysSo system;
  const auto walk = [](auto motion) {
    motion.advance(1000);
    return motion.wide_state();
  };
  const auto multistep = [&](const auto& s, const auto& initial) {
    return walk(Multistep<std::decay_t<decltype(s)>, double>(s, console_hairer_table, initial, 0.01));
  };
  const auto start = system.standard_state();
  // Rounding errors of g of a thousand steps, which a multistep method sums up; measured 8.5e-15 and 5.4e-17.
  EXPECT_LT(companions::distance(multistep(system, start), multistep(Fine{}, start)), 2e-14);
  EXPECT_LT(companions::distance(walk(Rattle<CoarseAndSaysSo>(system, start, 0.01)),
                                 walk(Rattle<Fine>(Fine{}, start, 0.01))),
            1.5e-16);
}

struct Diagonal {
  static constexpr std::size_t dimension = 2;
  double mass(std::size_t i) const { return i == 0 ? 3.0 : 0.7; }
  auto potential(auto q) const { return q[0] * q[0] + q[1]; }
};
struct AsMatrix {
  static constexpr std::size_t dimension = 2;
  double first = 3.0;
  double mass(std::size_t i, std::size_t j) const { return i != j ? 0.0 : i == 0 ? first : 0.7; }
  auto potential(auto q) const { return q[0] * q[0] + q[1]; }
};

TEST(Mass, AMatrixThatIsDiagonalGivesTheBitsOfADiagonal) {
  const Mass<Diagonal, double> diagonal(Diagonal{});
  const Mass<AsMatrix, double> matrix(AsMatrix{});
  Column<double, 2> x, y;
  x[0] = y[0] = 0.1;
  x[1] = y[1] = 0.3;
  for (int i = 0; i < 3; ++i) {
    diagonal.divide(x);
    matrix.divide(y);
    EXPECT_EQ(x, y);
  }
  diagonal.multiply(x);
  matrix.multiply(y);
  EXPECT_EQ(x, y);
  EXPECT_THROW((Mass<AsMatrix, double>(AsMatrix{.first = 0.0})), InputError);
  EXPECT_THROW((Mass<AsMatrix, double>(AsMatrix{.first = -1.0})), InputError);
}

}  // namespace
}  // namespace polhode
