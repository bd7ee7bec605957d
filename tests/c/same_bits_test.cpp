// The C interface gives the numbers of the C++ library, bit for bit.

#include <algorithm>
#include <cstdlib>
#include <string>

#include "fixture.hpp"

namespace polhode::testing {

using namespace core;
namespace {

State<double> rotated(const Body<double>& body, const State<double>& s, double h, std::int64_t count) {
  Rotor<Exact<double>> rotor(body, s);
  rotor.advance(h, count);
  return rotor.state();
}

TEST(CSameBits, Version) { EXPECT_EQ(polhode_version(), version); }

TEST(CSameBits, Steps) {
  for (const Case& c : cases(200)) {
    const Body<double> body(c.moments);
    const BodyHandle handle = make_body(c.moments);
    for (const double h : {0.01, -0.3, 2.5, 1e4, 0.0}) {
      State<double> s = c.state;
      ASSERT_EQ(polhode_step(handle.get(), s.momentum.c.data(), s.attitude.c.data(), h), POLHODE_OK);
      EXPECT_EQ(s, rotated(body, c.state, h, 1));
      s = c.state;
      ASSERT_EQ(polhode_steps(handle.get(), s.momentum.c.data(), s.attitude.c.data(), h, 200), POLHODE_OK);
      EXPECT_EQ(s, rotated(body, c.state, h, 200));
    }
  }
}

// The norm of the attitude grows from step to step, and is brought back in other steps than FreeRotor's.
TEST(CSameBits, LongRun) {
  State<double> s = start;
  ASSERT_EQ(polhode_steps(make_body(water).get(), s.momentum.c.data(), s.attitude.c.data(), 0.02, 1000000),
            POLHODE_OK);
  EXPECT_EQ(s, rotated(Body<double>(water), start, 0.02, 1000000));
}

TEST(CSameBits, Tensor) {
  const Matrix<double> tensor{{Vector<double>{{2.9e23, 1.0e22, -2.0e22}},
                               Vector<double>{{1.0e22, 3.4e23, 3.0e22}},
                               Vector<double>{{-2.0e22, 3.0e22, 1.1e23}}}};
  polhode_body* made = nullptr;
  ASSERT_EQ(polhode_body_from_tensor(tensor[0].c.data(), &made), POLHODE_OK);
  const BodyHandle handle(made);
  const State<double> initial{{{1e19, 2e19, -3e19}}, {1, 2, 3, 4}};
  State<double> s = initial;
  ASSERT_EQ(polhode_steps(made, s.momentum.c.data(), s.attitude.c.data(), 60.0, 1000), POLHODE_OK);
  EXPECT_EQ(s, rotated(Body<double>(tensor), initial, 60.0, 1000));
}

TEST(CSameBits, RotorOfEveryMethod) {
  const BodyHandle body = make_body(water);
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    Rotor<Method> expected(Body<double>(water), start);
    const auto initial = expected.invariants();
    const RotorHandle rotor = make_rotor(body.get(), start, std::string(Method::info.name));
    for (int i = 0; i < 3; ++i) {
      expected.advance(0.03, 50);
      ASSERT_EQ(polhode_rotor_steps(rotor.get(), 0.03, 50), POLHODE_OK);
    }
    State<double> s;
    ASSERT_EQ(polhode_rotor_state(rotor.get(), s.momentum.c.data(), s.attitude.c.data()), POLHODE_OK);
    EXPECT_EQ(s, expected.state()) << Method::info.name;
    const auto final = expected.invariants();
    double energy = 0, norm = 0;
    Vector<double> spatial;
    ASSERT_EQ(polhode_rotor_errors(rotor.get(), &energy, &norm, spatial.c.data()), POLHODE_OK);
    EXPECT_EQ(energy, static_cast<double>(final.energy - initial.energy)) << Method::info.name;
    EXPECT_EQ(norm, static_cast<double>(final.momentum_norm - initial.momentum_norm)) << Method::info.name;
    EXPECT_EQ(spatial, convert<double>(final.spatial_momentum - initial.spatial_momentum))
        << Method::info.name;
  });
}

TEST(CSameBits, RotorOutlivesItsBody) {
  BodyHandle body = make_body(water);
  const RotorHandle rotor = make_rotor(body.get(), start, "exact");
  const TrajectoryHandle trajectory = make_trajectory(body.get(), start);
  body.reset();
  ASSERT_EQ(polhode_rotor_steps(rotor.get(), 0.01, 100), POLHODE_OK);
  const double time = 1;
  State<double> s;
  ASSERT_EQ(polhode_trajectory_evaluate(trajectory.get(), 1, &time, s.momentum.c.data(), s.attitude.c.data()),
            POLHODE_OK);
}

TEST(CSameBits, Trajectory) {
  const std::vector<double> times{0, 1, -2.5, 1e6, 3.14e9};
  for (const Case& c : cases(50)) {
    const Trajectory<double> expected(Body<double>(c.moments), c.state);
    const BodyHandle body = make_body(c.moments);
    const TrajectoryHandle trajectory = make_trajectory(body.get(), c.state);
    double period = 0;
    ASSERT_EQ(polhode_trajectory_period(trajectory.get(), &period), POLHODE_OK);
    EXPECT_EQ(period, expected.period());
    std::vector<double> momenta(3 * times.size()), attitudes(4 * times.size());
    ASSERT_EQ(polhode_trajectory_evaluate(trajectory.get(), static_cast<std::int64_t>(times.size()),
                                          times.data(), momenta.data(), attitudes.data()),
              POLHODE_OK);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const State<double> s = expected.at(times[i]);
      EXPECT_TRUE(std::equal(s.momentum.c.begin(), s.momentum.c.end(), &momenta[3 * i]));
      EXPECT_TRUE(std::equal(s.attitude.c.begin(), s.attitude.c.end(), &attitudes[4 * i]));
    }
  }
}

/// n bodies as the arrays of a batch.
struct Batch {
  std::vector<double> moments, momenta, attitudes;

  explicit Batch(const std::vector<Case>& list) {
    for (const Case& c : list) {
      moments.insert(moments.end(), c.moments.c.begin(), c.moments.c.end());
      momenta.insert(momenta.end(), c.state.momentum.c.begin(), c.state.momentum.c.end());
      attitudes.insert(attitudes.end(), c.state.attitude.c.begin(), c.state.attitude.c.end());
    }
  }
  void set(std::size_t i, const State<double>& s) {
    std::copy(s.momentum.c.begin(), s.momentum.c.end(), &momenta[3 * i]);
    std::copy(s.attitude.c.begin(), s.attitude.c.end(), &attitudes[4 * i]);
  }
};

TEST(CSameBits, BatchForAnyNumberOfThreads) {
  constexpr std::int64_t n = 3001;
  const std::vector<Case> list = cases(n);
  Batch one_body(list), mixed(list);
  for (std::size_t i = 0; i < n; ++i) {
    one_body.set(i, rotated(Body<double>(water), list[i].state, 0.02, 10));
    mixed.set(i, rotated(Body<double>(list[i].moments), list[i].state, 0.02, 10));
  }
  const BodyHandle body = make_body(water);
  for (const std::int64_t threads : {0, 1, 2, 3, 8, 1000}) {
    Batch b(list);
    ASSERT_EQ(polhode_batch_steps(body.get(), n, b.momenta.data(), b.attitudes.data(), 0.02, 10, threads),
              POLHODE_OK);
    EXPECT_EQ(b.momenta, one_body.momenta) << threads;
    EXPECT_EQ(b.attitudes, one_body.attitudes) << threads;
    b = Batch(list);
    ASSERT_EQ(polhode_batch_steps_mixed(b.moments.data(), n, b.momenta.data(), b.attitudes.data(), 0.02, 10,
                                        threads),
              POLHODE_OK);
    EXPECT_EQ(b.momenta, mixed.momenta) << threads;
    EXPECT_EQ(b.attitudes, mixed.attitudes) << threads;
  }
}

TEST(CSameBits, SaysWhichInstructionsItUses) {
  const char* const name = polhode_instruction_set();
  ASSERT_NE(name, nullptr) << polhode_last_error();
#if defined(__x86_64__)
  // The library holds all of them, whatever it is compiled for.
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  const std::string expected = has_avx512 ? "avx512" : "avx2";
  EXPECT_TRUE(std::getenv("POLHODE_INSTRUCTION_SET") != nullptr ||
              (name == expected) == (has_avx2 || has_avx512))
      << name;
#endif
}

}  // namespace
}  // namespace polhode::testing
