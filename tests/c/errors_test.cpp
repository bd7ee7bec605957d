// Whatever goes in, a code with a sentence comes out, and what the caller owns is as it was.

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "fixture.hpp"

namespace polhode::testing {

using namespace core;
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Other languages have them as numbers.
TEST(CErrors, CodesKeepTheirNumbers) {
  const std::array<int, 5> codes{POLHODE_OK, POLHODE_INVALID_ARGUMENT, POLHODE_OUT_OF_MEMORY,
                                 POLHODE_INTERNAL, POLHODE_STEP_FAILED};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(codes[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(POLHODE_TORQUE_OF_ATTITUDE, 0);
  EXPECT_EQ(POLHODE_TORQUE_OF_VELOCITY, 1);
}

TEST(CErrors, Bodies) {
  const BodyHandle other = make_body(water);
  polhode_body* body = other.get();
  const auto moments = [&](double a, double b, double c) {
    const std::array<double, 3> m{a, b, c};
    return polhode_body_from_moments(m.data(), &body);
  };
  expect_error(moments(1, nan, 1), "a moment of inertia is not a finite number");
  expect_error(moments(1, infinity, 1), "a moment of inertia is not a finite number");
  expect_error(moments(1, 0, 1), "a moment of inertia is not positive");
  expect_error(moments(1, -1, 1), "a moment of inertia is not positive");
  expect_error(moments(1, 1, 1e200), "the moments of inertia differ by a factor of more than 1e30");
  expect_error(polhode_body_from_moments(nullptr, &body), "moments is a null pointer");
  expect_error(polhode_body_from_moments(water.c.data(), nullptr), "body is a null pointer");

  std::array<double, 9> tensor{1, 0, 0, 0.5, 1, 0, 0, 0, 1};
  expect_error(polhode_body_from_tensor(tensor.data(), &body), "the inertia tensor is not symmetric");
  tensor = {1, 2, 0, 2, 1, 0, 0, 0, 1};
  expect_error(polhode_body_from_tensor(tensor.data(), &body), "the inertia tensor is not positive definite");
  tensor = {nan, 2, 0, 2, 1, 0, 0, 0, 1};
  expect_error(polhode_body_from_tensor(tensor.data(), &body),
               "an entry of the inertia tensor is not a finite number");
  expect_error(polhode_body_from_tensor(nullptr, &body), "tensor is a null pointer");
  expect_error(polhode_body_from_tensor(tensor.data(), nullptr), "body is a null pointer");
  EXPECT_EQ(body, other.get());
}

/// States that are none, each with its sentence.
struct BadState {
  State<double> state;
  const char* sentence;
};
const std::vector<BadState>& bad_states() {
  static const std::vector<BadState> list{
      {{{{nan, 0, 0}}, {1, 0, 0, 0}}, "a component of the momentum is not a finite number"},
      {{{{0, infinity, 0}}, {1, 0, 0, 0}}, "a component of the momentum is not a finite number"},
      {{{{0, 1, 0}}, {1, 0, nan, 0}}, "a component of the attitude is not a finite number"},
      {{{{0, 1, 0}}, {0, 0, 0, 0}}, "the attitude is the zero quaternion"}};
  return list;
}

/// Compares NaN with NaN, too.
bool same_bytes(const State<double>& a, const State<double>& b) {
  return std::memcmp(a.momentum.c.data(), b.momentum.c.data(), sizeof a.momentum.c) == 0 &&
         std::memcmp(a.attitude.c.data(), b.attitude.c.data(), sizeof a.attitude.c) == 0;
}

TEST(CErrors, Steps) {
  const BodyHandle body = make_body(water);
  State<double> s = start;
  const auto steps = [&](double h, std::int64_t count) {
    return polhode_steps(body.get(), s.momentum.c.data(), s.attitude.c.data(), h, count);
  };
  expect_error(steps(nan, 1), "the step is not a finite number");
  expect_error(steps(-infinity, 1), "the step is not a finite number");
  expect_error(steps(0.01, -1), "the number of steps is negative");
  expect_error(polhode_step(nullptr, s.momentum.c.data(), s.attitude.c.data(), 1), "body is a null pointer");
  expect_error(polhode_step(body.get(), nullptr, s.attitude.c.data(), 1), "momentum is a null pointer");
  expect_error(polhode_step(body.get(), s.momentum.c.data(), nullptr, 1), "attitude is a null pointer");
  EXPECT_TRUE(same_bytes(s, start));
  for (const BadState& bad : bad_states()) {
    s = bad.state;
    expect_error(steps(0.01, 1), bad.sentence);
    EXPECT_TRUE(same_bytes(s, bad.state));
  }
}

// A step of any finite length has a state for its result.
TEST(CErrors, NoResultThatIsNotANumber) {
  const BodyHandle body = make_body(water);
  for (int exponent = -320; exponent <= 308; ++exponent) {
    const double h = std::pow(10.0, exponent);
    State<double> s = start;
    ASSERT_EQ(polhode_step(body.get(), s.momentum.c.data(), s.attitude.c.data(), h), POLHODE_OK) << h;
    EXPECT_NO_THROW(examine(s)) << h;
  }
}

TEST(CErrors, Rotor) {
  const BodyHandle body = make_body(water);
  polhode_rotor* rotor = nullptr;
  const auto create = [&](const State<double>& s, const char* method) {
    return polhode_rotor_create(body.get(), s.momentum.c.data(), s.attitude.c.data(), method, &rotor);
  };
  EXPECT_EQ(create(start, "no-such-method"), POLHODE_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(polhode_last_error()).find("there is no method 'no-such-method'; there are exact, "),
            0U);
  EXPECT_NE(std::string(polhode_last_error()).find("dmv10"), std::string::npos);
  EXPECT_EQ(create(start, std::string(100000, 'x').c_str()), POLHODE_INVALID_ARGUMENT);
  expect_error(create(start, nullptr), "method is a null pointer");
  for (const BadState& bad : bad_states()) expect_error(create(bad.state, "exact"), bad.sentence);
  const double* const m = start.momentum.c.data();
  const double* const q = start.attitude.c.data();
  expect_error(polhode_rotor_create(nullptr, m, q, "exact", &rotor), "body is a null pointer");
  expect_error(polhode_rotor_create(body.get(), nullptr, q, "exact", &rotor), "momentum is a null pointer");
  expect_error(polhode_rotor_create(body.get(), m, nullptr, "exact", &rotor), "attitude is a null pointer");
  expect_error(polhode_rotor_create(body.get(), m, q, "exact", nullptr), "rotor is a null pointer");
  EXPECT_EQ(rotor, nullptr);

  const RotorHandle good = make_rotor(body.get(), start, "exact");
  expect_error(polhode_rotor_steps(good.get(), nan, 1), "the step is not a finite number");
  expect_error(polhode_rotor_steps(good.get(), 1, -1), "the number of steps is negative");
  expect_error(polhode_rotor_steps(nullptr, 1, 1), "rotor is a null pointer");
  State<double> before, after;
  ASSERT_EQ(polhode_rotor_state(good.get(), before.momentum.c.data(), before.attitude.c.data()), POLHODE_OK);
  if (polhode_rotor_steps(good.get(), 1e300, 1) != POLHODE_OK) {
    ASSERT_EQ(polhode_rotor_state(good.get(), after.momentum.c.data(), after.attitude.c.data()), POLHODE_OK);
    EXPECT_EQ(before, after);
  }
  expect_error(polhode_rotor_state(nullptr, after.momentum.c.data(), after.attitude.c.data()),
               "rotor is a null pointer");
  expect_error(polhode_rotor_state(good.get(), nullptr, after.attitude.c.data()),
               "momentum is a null pointer");
  expect_error(polhode_rotor_state(good.get(), after.momentum.c.data(), nullptr),
               "attitude is a null pointer");
  double x = 0;
  Vector<double> v;
  expect_error(polhode_rotor_errors(nullptr, &x, &x, v.c.data()), "rotor is a null pointer");
  expect_error(polhode_rotor_errors(good.get(), nullptr, &x, v.c.data()), "energy is a null pointer");
  expect_error(polhode_rotor_errors(good.get(), &x, nullptr, v.c.data()), "momentum_norm is a null pointer");
  expect_error(polhode_rotor_errors(good.get(), &x, &x, nullptr), "spatial_momentum is a null pointer");
}

TEST(CErrors, Trajectory) {
  const BodyHandle body = make_body(water);
  const double* const m = start.momentum.c.data();
  const double* const q = start.attitude.c.data();
  polhode_trajectory* made = nullptr;
  expect_error(polhode_trajectory_create(nullptr, m, q, &made), "body is a null pointer");
  expect_error(polhode_trajectory_create(body.get(), nullptr, q, &made), "momentum is a null pointer");
  expect_error(polhode_trajectory_create(body.get(), m, nullptr, &made), "attitude is a null pointer");
  expect_error(polhode_trajectory_create(body.get(), m, q, nullptr), "trajectory is a null pointer");
  for (const BadState& bad : bad_states())
    expect_error(polhode_trajectory_create(body.get(), bad.state.momentum.c.data(),
                                           bad.state.attitude.c.data(), &made),
                 bad.sentence);
  EXPECT_EQ(made, nullptr);

  const TrajectoryHandle good = make_trajectory(body.get(), start);
  std::array<double, 2> times{1, nan};
  std::array<double, 6> momenta{};
  std::array<double, 8> attitudes{};
  const auto evaluate = [&](std::int64_t n) {
    return polhode_trajectory_evaluate(good.get(), n, times.data(), momenta.data(), attitudes.data());
  };
  expect_error(evaluate(2), "a time is not a finite number");
  expect_error(evaluate(-1), "the number of entries is negative");
  expect_error(polhode_trajectory_evaluate(good.get(), 1, nullptr, momenta.data(), attitudes.data()),
               "times is a null pointer");
  expect_error(polhode_trajectory_evaluate(good.get(), 1, times.data(), nullptr, attitudes.data()),
               "momenta is a null pointer");
  expect_error(polhode_trajectory_evaluate(good.get(), 1, times.data(), momenta.data(), nullptr),
               "attitudes is a null pointer");
  expect_error(polhode_trajectory_evaluate(nullptr, 1, times.data(), momenta.data(), attitudes.data()),
               "trajectory is a null pointer");
  EXPECT_EQ(evaluate(std::numeric_limits<std::int64_t>::max()), POLHODE_OUT_OF_MEMORY);
  EXPECT_STREQ(polhode_last_error(), "there is not enough memory");
  for (const double x : momenta) EXPECT_EQ(x, 0);
  for (const double x : attitudes) EXPECT_EQ(x, 0);
  EXPECT_EQ(polhode_trajectory_evaluate(good.get(), 0, nullptr, nullptr, nullptr), POLHODE_OK);
  double period = 0;
  expect_error(polhode_trajectory_period(nullptr, &period), "trajectory is a null pointer");
  expect_error(polhode_trajectory_period(good.get(), nullptr), "period is a null pointer");
}

TEST(CErrors, BatchNamesTheFirstWrongEntryAndTouchesNone) {
  constexpr std::int64_t n = 5000;
  std::vector<double> moments(3 * n, 1.0), momenta(3 * n, 0.5), attitudes(4 * n, 0.5);
  momenta[3 * 4711] = nan;
  moments[3 * 4000 + 1] = -1;
  for (int k = 0; k < 4; ++k) attitudes[4 * 1234 + k] = 0;
  const std::vector<double> momenta_before = momenta, attitudes_before = attitudes;
  const auto untouched = [&] {
    return std::memcmp(momenta.data(), momenta_before.data(), momenta.size() * sizeof(double)) == 0 &&
           attitudes == attitudes_before;
  };
  const BodyHandle body = make_body(water);
  for (const std::int64_t threads : {0, 1, 2, 7}) {
    expect_error(polhode_batch_steps(body.get(), n, momenta.data(), attitudes.data(), 0.01, 1, threads),
                 "entry 1234, counted from 0: the attitude is the zero quaternion");
    EXPECT_TRUE(untouched());
    expect_error(
        polhode_batch_steps_mixed(moments.data(), n, momenta.data(), attitudes.data(), 0.01, 1, threads),
        "entry 1234, counted from 0: the attitude is the zero quaternion");
    expect_error(polhode_batch_steps_mixed(moments.data() + 3 * 2000, n - 2000, momenta.data() + 3 * 2000,
                                           attitudes.data() + 4 * 2000, 0.01, 1, threads),
                 "entry 2000, counted from 0: a moment of inertia is not positive");
    EXPECT_TRUE(untouched());
  }
  const auto batch = [&](std::int64_t size, double h, std::int64_t count, std::int64_t threads) {
    return polhode_batch_steps(body.get(), size, momenta.data(), attitudes.data(), h, count, threads);
  };
  expect_error(batch(-1, 0.01, 1, 1), "the number of entries is negative");
  expect_error(batch(1, nan, 1, 1), "the step is not a finite number");
  expect_error(batch(1, 0.01, -1, 1), "the number of steps is negative");
  expect_error(batch(1, 0.01, 1, -1), "the number of threads is negative");
  EXPECT_EQ(batch(std::numeric_limits<std::int64_t>::max(), 0.01, 1, 1), POLHODE_OUT_OF_MEMORY);
  expect_error(polhode_batch_steps(nullptr, 1, momenta.data(), attitudes.data(), 0.01, 1, 1),
               "body is a null pointer");
  expect_error(polhode_batch_steps(body.get(), 1, nullptr, attitudes.data(), 0.01, 1, 1),
               "momenta is a null pointer");
  expect_error(polhode_batch_steps(body.get(), 1, momenta.data(), nullptr, 0.01, 1, 1),
               "attitudes is a null pointer");
  expect_error(polhode_batch_steps_mixed(nullptr, 1, momenta.data(), attitudes.data(), 0.01, 1, 1),
               "moments is a null pointer");
  EXPECT_TRUE(untouched());
  EXPECT_EQ(polhode_batch_steps(body.get(), 0, nullptr, nullptr, 0.01, 1, 0), POLHODE_OK);
  EXPECT_EQ(polhode_batch_steps_mixed(nullptr, 0, nullptr, nullptr, 0.01, 1, 0), POLHODE_OK);
}

TEST(CErrors, FreeTakesNull) {
  polhode_body_free(nullptr);
  polhode_rotor_free(nullptr);
  polhode_trajectory_free(nullptr);
  polhode_scheme_free(nullptr);
  polhode_driven_free(nullptr);
}

TEST(CErrors, EveryThreadHasItsOwnSentence) {
  expect_error(polhode_step(nullptr, nullptr, nullptr, 1), "body is a null pointer");
  std::thread([] {
    EXPECT_STREQ(polhode_last_error(), "");
    polhode_body* body = nullptr;
    expect_error(polhode_body_from_moments(nullptr, &body), "moments is a null pointer");
  }).join();
  EXPECT_STREQ(polhode_last_error(), "body is a null pointer");
  const BodyHandle body = make_body(water);
  EXPECT_STREQ(polhode_last_error(), "body is a null pointer");  // success does not clear it
}

}  // namespace
}  // namespace polhode::testing
