// What the tests of the C interface share.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "polhode.h"
#include "polhode/polhode.hpp"

namespace polhode::testing {

using namespace core;

struct Free {
  void operator()(polhode_body* p) const { polhode_body_free(p); }
  void operator()(polhode_rotor* p) const { polhode_rotor_free(p); }
  void operator()(polhode_trajectory* p) const { polhode_trajectory_free(p); }
  void operator()(polhode_scheme* p) const { polhode_scheme_free(p); }
  void operator()(polhode_driven* p) const { polhode_driven_free(p); }
};
using BodyHandle = std::unique_ptr<polhode_body, Free>;
using RotorHandle = std::unique_ptr<polhode_rotor, Free>;
using TrajectoryHandle = std::unique_ptr<polhode_trajectory, Free>;
using SchemeHandle = std::unique_ptr<polhode_scheme, Free>;
using DrivenHandle = std::unique_ptr<polhode_driven, Free>;

inline BodyHandle make_body(const Vector<double>& moments) {
  polhode_body* body = nullptr;
  EXPECT_EQ(polhode_body_from_moments(moments.c.data(), &body), POLHODE_OK) << polhode_last_error();
  return BodyHandle(body);
}

inline RotorHandle make_rotor(const polhode_body* body, const State<double>& s, const std::string& method) {
  polhode_rotor* rotor = nullptr;
  EXPECT_EQ(polhode_rotor_create(body, s.momentum.c.data(), s.attitude.c.data(), method.c_str(), &rotor),
            POLHODE_OK)
      << polhode_last_error();
  return RotorHandle(rotor);
}

inline TrajectoryHandle make_trajectory(const polhode_body* body, const State<double>& s) {
  polhode_trajectory* trajectory = nullptr;
  EXPECT_EQ(polhode_trajectory_create(body, s.momentum.c.data(), s.attitude.c.data(), &trajectory),
            POLHODE_OK)
      << polhode_last_error();
  return TrajectoryHandle(trajectory);
}

inline void expect_error(int status, const std::string& sentence, int expected = POLHODE_INVALID_ARGUMENT) {
  EXPECT_EQ(status, expected);
  EXPECT_EQ(polhode_last_error(), sentence);
}

inline const Vector<double> water{{0.345, 0.653, 1.0}};
inline const State<double> start{{{0.5, 0.2, 0.84}}, {0.1, 0.2, -0.3, 0.4}};

/// Bodies in any order of the axes and any units, degenerate ones among them, with states.
struct Case {
  Vector<double> moments;
  State<double> state;
};
inline std::vector<Case> cases(std::size_t n) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Case> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    Case& c = result[i];
    for (auto& x : c.moments.c) x = 1.1 + uniform(random);
    if (i % 5 == 1) c.moments[1] = c.moments[0];
    if (i % 10 == 2) c.moments = {{2, 2, 2}};
    if (i % 7 == 3)
      for (auto& x : c.moments.c) x *= 1e40;
    for (auto& x : c.state.momentum.c) x = uniform(random);
    if (i % 11 == 4) c.state.momentum = {{0, 1, 0}};
    if (i % 13 == 5) c.state.momentum = {};
    for (auto& x : c.state.attitude.c) x = uniform(random);
  }
  return result;
}

}  // namespace polhode::testing
