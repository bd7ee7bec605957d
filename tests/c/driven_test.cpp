// Bodies under torque through the C interface: the bits of C++, and what is refused.

#include <cmath>
#include <limits>

#include "fixture.hpp"

namespace polhode::testing {

using namespace core;
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Vector<double> moments{{1.0, 1.5, 0.5}};
const Matrix<double> tensor{
    {Vector<double>{{2.9, 0.1, -0.2}}, Vector<double>{{0.1, 3.4, 0.3}}, Vector<double>{{-0.2, 0.3, 1.1}}}};

/// u x e3 with the field of the user's pointer, times a function of the time.
Vector<double> torque_of_attitude(const Quaternion<double>& q, double t, const Vector<double>& field) {
  const Vector<double> u = rotate(conjugate(q), field);
  return {{u[1] * (1 + 0.1 * t), -u[0], 0.0}};
}
Vector<double> torque_of_velocity(const Quaternion<double>& q, const Vector<double>& omega, double t,
                                  const Vector<double>& field) {
  return torque_of_attitude(q, t, field) - 0.1 * omega;
}

/// What the functions below get by the user's pointer, and what they do with it.
struct User {
  Vector<double> field{{0.3, 0.0, 1.0}};
  double last = 1e300;  ///< the time from which on the torque fails
  int status = 0;       ///< what it returns then; with 0 it leaves the torque unwritten
  std::int64_t calls = 0;
  bool saw_velocity = false;
};

template <int kind>
int torque(const double* q, const double* omega, double t, double* out, void* pointer) {
  User& user = *static_cast<User*>(pointer);
  ++user.calls;
  if (t >= user.last) return user.status;
  const Quaternion<double> attitude(q[0], q[1], q[2], q[3]);
  user.saw_velocity = std::isfinite(omega[0] + omega[1] + omega[2]);
  const Vector<double> found =
      kind == POLHODE_TORQUE_OF_ATTITUDE
          ? torque_of_attitude(attitude, t, user.field)
          : torque_of_velocity(attitude, {{omega[0], omega[1], omega[2]}}, t, user.field);
  for (std::size_t i = 0; i < 3; ++i) out[i] = found[i];
  return 0;
}

SchemeHandle named(const char* name) {
  polhode_scheme* made = nullptr;
  EXPECT_EQ(polhode_scheme_named(name, &made), POLHODE_OK) << polhode_last_error();
  return SchemeHandle(made);
}

template <int kind>
DrivenHandle make_driven(const polhode_body* body, const polhode_scheme* scheme, User& user, double begin = 0,
                         const char* method = nullptr) {
  polhode_driven* made = nullptr;
  EXPECT_EQ(polhode_driven_create(body, start.momentum.c.data(), start.attitude.c.data(), begin, scheme,
                                  method, torque<kind>, kind, &user, &made),
            POLHODE_OK)
      << polhode_last_error();
  return DrivenHandle(made);
}

State<double> state_of(const polhode_driven* driven) {
  State<double> s;
  EXPECT_EQ(polhode_driven_state(driven, s.momentum.c.data(), s.attitude.c.data()), POLHODE_OK);
  return s;
}
double time_of(const polhode_driven* driven) {
  double t = nan;
  EXPECT_EQ(polhode_driven_time(driven, &t), POLHODE_OK);
  return t;
}

/// Steps of several lengths, the same for both, and then all that can be seen.
template <class Rotor>
void expect_same(polhode_driven* c, Rotor rotor, const std::string& what) {
  for (const auto& [h, count] : {std::pair{0.1, 20}, {0.1, 3}, {-0.05, 7}, {0.0, 2}, {0.25, 4}}) {
    ASSERT_EQ(polhode_driven_steps(c, h, count), POLHODE_OK) << polhode_last_error();
    rotor.advance(h, count);
    EXPECT_EQ(state_of(c), rotor.state()) << what;
  }
  Vector<double> omega;
  std::int64_t evaluations = 0;
  int order = 0;
  ASSERT_EQ(polhode_driven_angular_velocity(c, omega.c.data()), POLHODE_OK);
  ASSERT_EQ(polhode_driven_evaluations(c, &evaluations), POLHODE_OK);
  ASSERT_EQ(polhode_driven_order(c, &order), POLHODE_OK);
  EXPECT_EQ(omega, rotor.angular_velocity()) << what;
  EXPECT_EQ(time_of(c), static_cast<double>(rotor.time())) << what;
  EXPECT_EQ(evaluations, rotor.evaluations().force) << what;
  EXPECT_EQ(order, rotor.order()) << what;
}

TEST(CDriven, EverySchemeHasTheBitsOfCpp) {
  const BodyHandle body = make_body(moments);
  User user;
  const auto attitude_torque = [&](const Quaternion<double>& q, double t) {
    return torque_of_attitude(q, t, user.field);
  };
  const auto velocity_torque = [&](const Quaternion<double>& q, const Vector<double>& omega, double t) {
    return torque_of_velocity(q, omega, t, user.field);
  };
  for (const Scheme& s : schemes) {
    const std::string name(s.name);
    const SchemeHandle scheme = named(name.c_str());
    expect_same(make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), scheme.get(), user, 2.5).get(),
                driven(Body<double>(moments), start, attitude_torque, s, 2.5), name + ", attitude");
    EXPECT_FALSE(user.saw_velocity);
    expect_same(make_driven<POLHODE_TORQUE_OF_VELOCITY>(body.get(), scheme.get(), user).get(),
                driven(Body<double>(moments), start, velocity_torque, s), name + ", velocity");
    EXPECT_TRUE(user.saw_velocity);
  }
  // Without a scheme, and without a method: what the library chooses.
  expect_same(make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), nullptr, user).get(),
              driven(Body<double>(moments), start, TorqueList<double>(attitude_torque)), "attitude");
  expect_same(make_driven<POLHODE_TORQUE_OF_VELOCITY>(body.get(), nullptr, user).get(),
              driven(Body<double>(moments), start, velocity_torque), "velocity");
  for (const char* method : {"frb-quaternion", "dmv10", "mr"})
    expect_same(
        make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), named("strang").get(), user, 0, method).get(),
        driven(Body<double>(moments), start, attitude_torque, scheme("strang"), {method}), method);
}

// The frame of the torque is the user's, where that is not the principal one; handles may be freed before.
TEST(CDriven, TorqueIsInTheFrameOfTheTensor) {
  polhode_body* made = nullptr;
  ASSERT_EQ(polhode_body_from_tensor(tensor[0].c.data(), &made), POLHODE_OK);
  User user;
  const DrivenHandle c = make_driven<POLHODE_TORQUE_OF_VELOCITY>(made, named("blanes-moan-4").get(), user);
  polhode_body_free(made);
  expect_same(c.get(),
              driven(
                  Body<double>(tensor), start,
                  [&](const Quaternion<double>& q, const Vector<double>& omega, double t) {
                    return torque_of_velocity(q, omega, t, user.field);
                  },
                  scheme("blanes-moan-4")),
              "tensor");
}

// The coefficients of [CZ08 (23)], their effective error of the appendix, and schemes whose order is known.
TEST(CDriven, OwnCoefficients) {
  const std::vector<double> a{0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071477,
                              -0.130144459517415, 0.106417700369543, -0.00879424312851058};
  const std::vector<double> b{0.09171915262446165,  0.183983170005006, -0.05653436583288827,
                              0.004914688774712854, 0.143761127168358, 0.328567693746804};
  polhode_scheme* made = nullptr;
  ASSERT_EQ(polhode_scheme_own(a.data(), 7, b.data(), 6, &made), POLHODE_OK) << polhode_last_error();
  const SchemeHandle own(made);
  int order = 0;
  std::int64_t kicks = 0;
  double effective = 0;
  ASSERT_EQ(polhode_scheme_figures(made, &order, &kicks, &effective), POLHODE_OK);
  EXPECT_EQ(order, 6);
  EXPECT_EQ(kicks, 14);
  EXPECT_NEAR(effective, 0.63, 0.005);
  const BodyHandle body = make_body(moments);
  User user;
  expect_same(make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), made, user).get(),
              driven(
                  Body<double>(moments), start,
                  [&](const Quaternion<double>& q, double t) { return torque_of_attitude(q, t, user.field); },
                  scheme("rkn6-14")),
              "own");
  // A torque of the angular velocity costs it its order.
  const DrivenHandle with_velocity = make_driven<POLHODE_TORQUE_OF_VELOCITY>(body.get(), made, user);
  ASSERT_EQ(polhode_driven_order(with_velocity.get(), &order), POLHODE_OK);
  EXPECT_LT(order, 6);

  // One of them spoiled; and Strang's scheme with the kick first.
  std::vector<double> spoiled = a;
  spoiled[0] += 1e-6;
  ASSERT_EQ(polhode_scheme_own(spoiled.data(), 7, b.data(), 6, &made), POLHODE_OK);
  const SchemeHandle other(made);
  ASSERT_EQ(polhode_scheme_figures(made, &order, &kicks, &effective), POLHODE_OK);
  EXPECT_LT(order, 6);
  const double nothing = 0.0;
  ASSERT_EQ(polhode_scheme_own(&nothing, 1, nullptr, 0, &made), POLHODE_OK) << polhode_last_error();
  const SchemeHandle strang(made);
  ASSERT_EQ(polhode_scheme_figures(made, &order, &kicks, &effective), POLHODE_OK);
  EXPECT_EQ(order, 2);
  EXPECT_EQ(kicks, 1);
}

TEST(CDriven, NothingMovesWhenTheTorqueFails) {
  const BodyHandle body = make_body(moments);
  for (const char* name : {"strang", "rkn6-11", "rkn6-14"}) {
    User user;
    const DrivenHandle c = make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), named(name).get(), user);
    ASSERT_EQ(polhode_driven_steps(c.get(), 0.1, 30), POLHODE_OK);
    const State<double> before = state_of(c.get());
    user.last = 3.65;
    user.status = 42;
    const int status = polhode_driven_steps(c.get(), 0.1, 10);
    EXPECT_EQ(status, POLHODE_STEP_FAILED);
    EXPECT_TRUE(std::string(polhode_last_error()).ends_with(" returned the status 42"))
        << polhode_last_error();
    EXPECT_EQ(std::string(polhode_last_error()).find("the torque at time 3"), 0U) << polhode_last_error();
    user.status = 0;  // a torque that is not written
    EXPECT_EQ(polhode_driven_steps(c.get(), 0.1, 10), POLHODE_STEP_FAILED);
    EXPECT_TRUE(std::string(polhode_last_error()).ends_with(" is not a finite number"))
        << polhode_last_error();
    EXPECT_EQ(state_of(c.get()), before);
    EXPECT_EQ(time_of(c.get()), 3.0);
    if (scheme(name).first == Part::kick) {  // it needs the torque at the end of the last step
      user.last = 3.9999;
      EXPECT_EQ(polhode_driven_steps(c.get(), 0.1, 10), POLHODE_STEP_FAILED);
      EXPECT_EQ(state_of(c.get()), before);
      EXPECT_EQ(time_of(c.get()), 3.0);
    }
    // It goes on as if nothing had happened.
    user.last = 1e300;
    ASSERT_EQ(polhode_driven_steps(c.get(), 0.1, 10), POLHODE_OK);
    User untouched;
    const DrivenHandle other =
        make_driven<POLHODE_TORQUE_OF_ATTITUDE>(body.get(), named(name).get(), untouched);
    ASSERT_EQ(polhode_driven_steps(other.get(), 0.1, 40), POLHODE_OK);
    EXPECT_EQ(state_of(c.get()), state_of(other.get())) << name;
  }
}

// A torque of the angular velocity that is given as one of the attitude gets NaN, and is found out at once.
TEST(CDriven, AKindThatIsNotTrueIsFoundOut) {
  const BodyHandle body = make_body(moments);
  User user;
  polhode_driven* made = nullptr;
  expect_error(
      polhode_driven_create(body.get(), start.momentum.c.data(), start.attitude.c.data(), 0, nullptr, nullptr,
                            torque<POLHODE_TORQUE_OF_VELOCITY>, POLHODE_TORQUE_OF_ATTITUDE, &user, &made),
      "the torque at time 0 is not a finite number", POLHODE_STEP_FAILED);
  EXPECT_EQ(made, nullptr);
}

/// A torque of a size that begins after the time zero, and whether every attitude was one.
struct Blow {
  double size;
  bool of_norm_one = true;
};

int blow(const double* q, const double*, double t, double* out, void* user) {
  Blow& self = *static_cast<Blow*>(user);
  const double norm_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  self.of_norm_one = self.of_norm_one && std::abs(norm_squared - 1) < 1e-12;
  out[0] = t > 0 ? self.size : 0;
  out[1] = out[2] = 0.5 * out[0];
  return 0;
}

// Kicks far too large leave no attitude: the steps fail before the function is asked for a torque there.
TEST(CDriven, TheFunctionGetsAnAttitudeOfNormOne) {
  const BodyHandle body = make_body(moments);
  const State<double> large{1e13 * start.momentum, start.attitude};
  int without_motion = 0;
  for (const int kind : {POLHODE_TORQUE_OF_ATTITUDE, POLHODE_TORQUE_OF_VELOCITY}) {
    for (const double size : {1e30, 1e150, 1e200, 1e300, std::numeric_limits<double>::max()}) {
      Blow user{size};
      polhode_driven* made = nullptr;
      ASSERT_EQ(polhode_driven_create(body.get(), large.momentum.c.data(), large.attitude.c.data(), 0,
                                      nullptr, nullptr, blow, kind, &user, &made),
                POLHODE_OK)
          << polhode_last_error();
      const DrivenHandle c(made);
      const State<double> before = state_of(made);
      const int status = polhode_driven_steps(made, 1, 2);
      EXPECT_TRUE(user.of_norm_one) << size;
      if (status == POLHODE_OK) continue;
      EXPECT_EQ(state_of(made), before);
      without_motion += std::string(polhode_last_error()).starts_with("the motion at time ") ? 1 : 0;
    }
  }
  EXPECT_GT(without_motion, 0);
}

TEST(CDriven, Errors) {
  const BodyHandle body = make_body(moments);
  const SchemeHandle strang = named("strang");
  User user;
  polhode_driven* made = nullptr;
  const double* const m = start.momentum.c.data();
  const double* const q = start.attitude.c.data();
  const polhode_torque f = torque<POLHODE_TORQUE_OF_ATTITUDE>;
  const auto create = [&](const polhode_body* b, const double* p, const double* r, double t,
                          const char* method, polhode_torque function, int kind, polhode_driven** out) {
    return polhode_driven_create(b, p, r, t, strang.get(), method, function, kind, &user, out);
  };
  const polhode_body* const b = body.get();
  expect_error(create(nullptr, m, q, 0, "exact", f, 0, &made), "body is a null pointer");
  expect_error(create(b, nullptr, q, 0, "exact", f, 0, &made), "momentum is a null pointer");
  expect_error(create(b, m, nullptr, 0, "exact", f, 0, &made), "attitude is a null pointer");
  expect_error(create(b, m, q, nan, "exact", f, 0, &made), "the time at the start is not a finite number");
  expect_error(create(b, m, q, 0, "exact", nullptr, 0, &made), "torque is a null pointer");
  expect_error(create(b, m, q, 0, "exact", f, 0, nullptr), "driven is a null pointer");
  expect_error(create(b, m, q, 0, "exact", f, 2, &made),
               "the kind of a torque is POLHODE_TORQUE_OF_ATTITUDE or POLHODE_TORQUE_OF_VELOCITY");
  EXPECT_EQ(create(b, m, q, 0, "no-such-method", f, 0, &made), POLHODE_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(polhode_last_error()).find("there is no method 'no-such-method'"), 0U);
  const Vector<double> wrong{{0, nan, 0}};
  expect_error(create(b, wrong.c.data(), q, 0, "exact", f, 0, &made),
               "a component of the momentum is not a finite number");
  user.last = -1;
  user.status = 3;
  expect_error(create(b, m, q, 0, "exact", f, 0, &made), "the torque at time 0 returned the status 3",
               POLHODE_STEP_FAILED);
  EXPECT_EQ(made, nullptr);
  user.last = 1e300;

  const DrivenHandle good = make_driven<POLHODE_TORQUE_OF_ATTITUDE>(b, strang.get(), user);
  const State<double> before = state_of(good.get());
  expect_error(polhode_driven_steps(good.get(), nan, 1), "the step is not a finite number");
  expect_error(polhode_driven_steps(good.get(), 1, -1), "the number of steps is negative");
  expect_error(polhode_driven_steps(nullptr, 1, 1), "driven is a null pointer");
  EXPECT_NE(polhode_driven_steps(good.get(), 1e300, 3), POLHODE_OK);
  EXPECT_EQ(state_of(good.get()), before);
  EXPECT_EQ(time_of(good.get()), 0.0);
  State<double> s;
  Vector<double> v;
  double x = 0;
  int n = 0;
  std::int64_t l = 0;
  expect_error(polhode_driven_state(nullptr, s.momentum.c.data(), s.attitude.c.data()),
               "driven is a null pointer");
  expect_error(polhode_driven_state(good.get(), nullptr, s.attitude.c.data()), "momentum is a null pointer");
  expect_error(polhode_driven_state(good.get(), s.momentum.c.data(), nullptr), "attitude is a null pointer");
  expect_error(polhode_driven_angular_velocity(nullptr, v.c.data()), "driven is a null pointer");
  expect_error(polhode_driven_angular_velocity(good.get(), nullptr), "angular_velocity is a null pointer");
  expect_error(polhode_driven_time(nullptr, &x), "driven is a null pointer");
  expect_error(polhode_driven_time(good.get(), nullptr), "time is a null pointer");
  expect_error(polhode_driven_order(nullptr, &n), "driven is a null pointer");
  expect_error(polhode_driven_order(good.get(), nullptr), "order is a null pointer");
  expect_error(polhode_driven_evaluations(nullptr, &l), "driven is a null pointer");
  expect_error(polhode_driven_evaluations(good.get(), nullptr), "evaluations is a null pointer");

  polhode_scheme* scheme = nullptr;
  EXPECT_EQ(polhode_scheme_named("no-such-scheme", &scheme), POLHODE_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(polhode_last_error()).find("there is no scheme 'no-such-scheme'; there are strang, "),
            0U);
  expect_error(polhode_scheme_named(nullptr, &scheme), "name is a null pointer");
  expect_error(polhode_scheme_named("strang", nullptr), "scheme is a null pointer");
  const std::array<double, 3> a{0.1, 0.2, nan};
  const auto own = [&](const double* list, std::int64_t count, std::int64_t kicks) {
    return polhode_scheme_own(list, count, a.data(), kicks, &scheme);
  };
  expect_error(own(nullptr, 1, 0), "a is a null pointer");
  expect_error(own(a.data(), 0, 0), "a scheme needs at least one coefficient a");
  expect_error(own(a.data(), -1, 0), "the number of coefficients is negative");
  expect_error(
      own(a.data(), 2, 0),
      "a scheme has as many coefficients a as b, or one more, not 2 and 0: the last of each is left out");
  expect_error(own(a.data(), std::int64_t{1} << 60, 0),
               "a scheme has at most 1000 coefficients of each kind");
  expect_error(own(a.data(), 3, 2),
               "a[2] must be a finite number, or a text of digits without an exponent, not 'nan'");
  expect_error(polhode_scheme_own(a.data(), 2, nullptr, 1, &scheme), "b is a null pointer");
  expect_error(polhode_scheme_own(a.data(), 1, nullptr, 0, nullptr), "scheme is a null pointer");
  EXPECT_EQ(scheme, nullptr);
  expect_error(polhode_scheme_figures(nullptr, &n, &l, &x), "scheme is a null pointer");
  expect_error(polhode_scheme_figures(strang.get(), nullptr, &l, &x), "order is a null pointer");
  expect_error(polhode_scheme_figures(strang.get(), &n, nullptr, &x), "kicks is a null pointer");
  expect_error(polhode_scheme_figures(strang.get(), &n, &l, nullptr), "effective_error is a null pointer");
}

}  // namespace
}  // namespace polhode::testing
