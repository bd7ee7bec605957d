// Bodies and states for the tests of the batch.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "polhode/body/body.hpp"

namespace polhode::testing {

using namespace core;

/// Bodies of all shapes, degenerate ones among them, with steps from short to long.
struct Crowd {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;

  explicit Crowd(std::size_t count, unsigned seed = 31) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    bodies.reserve(count);
    states.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      Vector<double> moments{{0.2 + uniform(random), 0.2 + uniform(random), 0.2 + uniform(random)}};
      Vector<double> m{{normal(random), normal(random), normal(random)}};
      Quaternion<double> q{normal(random), normal(random), normal(random), normal(random)};
      // A pack has neighbours of all kinds: of short steps only, of none, and mixtures.
      switch (random() % 24) {
        case 1:
          moments = {{1, 1, 1}};
          break;
        case 2:
          moments[1] = moments[0];
          break;
        case 3:
          moments[2] = moments[1];
          break;
        case 4:
          m = {{0, 0, 1}};
          break;
        case 5:
          m = {{0, -1, 0}};
          break;
        case 6:
          m = {{1e-9, 1, 1e-12}};
          break;
        case 7:
          moments[2] = moments[1] * (1 + 1e-13);
          break;
        case 8:
          m = {{0, 0, 0}};
          break;
        case 9:
          moments = 1e-46 * moments, m = 1e-46 * m;
          break;
        case 10:
          m = 6.0 * m;  // at the limit of the short steps
          break;
        case 11:
          m = 30.0 * m;  // middle steps, and several of them
          break;
        case 12:
          m = 1000.0 * m;  // long steps
          break;
        case 13:
          m = 1e-290 * m;  // steps in which nothing moves
          break;
        case 14:
          q = 1e40 * q;  // settled at once
          break;
        default:
          break;
      }
      bodies.emplace_back(moments);
      states.push_back({m, q});
    }
  }
};

/// The bodies of a crowd in numbers that float has, too.
template <class T>
struct CrowdOf {
  std::vector<Body<T>> bodies;
  std::vector<State<T>> states;

  explicit CrowdOf(std::size_t count, unsigned seed = 31) {
    const Crowd crowd(count, seed);
    for (std::size_t i = 0; i < count; ++i) {
      Vector<double> moments = crowd.bodies[i].moments();
      State<double> s = crowd.states[i];
      if (moments[2] < 1e-40) moments = 0x1p80 * moments, s.momentum = 0x1p80 * s.momentum;
      if (norm_squared(s.attitude) > 1e40) s.attitude = 0x1p-60 * s.attitude;
      bodies.emplace_back(convert<T>(moments));
      states.push_back(convert<T>(s));
    }
  }
};

}  // namespace polhode::testing
