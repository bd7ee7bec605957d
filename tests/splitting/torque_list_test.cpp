// Lists of torques: what they refuse.
#include "polhode/torque/torque_list.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/splitting/driven_rotor.hpp"

namespace polhode {
namespace {

const State<double> start{{{0.5, -0.7, 0.9}}, {}};

TEST(TorqueList, RefusesWhatIsInvalid) {
  EXPECT_THROW(torques::Damping(-1.0), InputError);
  EXPECT_THROW(torques::Damping(Matrix<double>({1, 2, 0}, {2, 1, 0}, {0, 0, 1})), InputError);
  EXPECT_THROW(torques::Damping(Matrix<double>({1, 0.5, 0}, {0, 1, 0}, {0, 0, 1})), InputError);
  EXPECT_THROW(torques::Dissipation(-1.0), InputError);
  EXPECT_THROW(torques::Wheels({std::nan(""), 0.0, 0.0}), InputError);
  EXPECT_THROW(
      driven(Body({1.0, 2.0, 3.0}), start, torques::Wheels({0.1, 0.0, 0.0}), scheme("strang"), {"dmv10"}),
      InputError);
}

TEST(TorqueList, RefusesToRunStrongDampingBackwards) {
  auto rotor = driven(Body({1.0, 2.0, 3.0}), start, torques::Damping(1.0), scheme("yoshida-4"));
  rotor.advance(0.1, 1);
  EXPECT_THROW(rotor.advance(1.0, 1), InputError);
  auto positive = driven(Body({1.0, 2.0, 3.0}), start, torques::Damping(1.0));
  positive.advance(10.0, 5);
  EXPECT_LT(norm(positive.state().momentum), 1e-6);
}

TEST(TorqueList, SaysWhenAControlLawFails) {
  auto rotor =
      driven(Body({1.0, 2.0, 3.0}), start, [](const Quaternion<double>&, const Vector<double>& w, double t) {
        return t < 3.7 ? -0.1 * w : Vector<double>{std::nan(""), 0.0, 0.0};
      });
  rotor.advance(0.1, 30);
  const State<double> before = rotor.state();
  EXPECT_THROW(rotor.advance(0.1, 30), MotionError);
  EXPECT_EQ(rotor.state(), before);
}

}  // namespace
}  // namespace polhode
