#include "conformance/bodies.hpp"

#include <vector>

namespace polhode::program {

namespace {

constexpr double box_side[3] = {0.1, 0.4, 0.9}, box_mass = 10;

constexpr double box_moment(std::size_t i) {
  const double a = box_side[(i + 1) % 3], b = box_side[(i + 2) % 3];
  return box_mass * (a * a + b * b) / 12;
}

/// The moments of a body of its own frame: nothing beside the diagonal.
constexpr std::array<double, 6> moments(double a, double b, double c) { return {a, b, c, 0, 0, 0}; }

/// base + axis n n^T with n = (0.6, 0.64, 0.48), a unit vector.
constexpr std::array<double, 6> about_skew_axis(double base, double axis) {
  const double x = 0.6, y = 0.64, z = 0.48;
  return {base + axis * (x * x), base + axis * (y * y), base + axis * (z * z),
          axis * (x * y),        axis * (x * z),        axis * (y * z)};
}

std::vector<KitBody> make_kit_bodies() {
  const Quaternion<double> identity, tilted(0.5, 0.5, -0.5, 0.5);
  const auto generic = moments(1, 2, 2.5);
  const double near = 3e-8;  // 1e-8 of the spin
  return {
      {"box", "generic", moments(box_moment(0), box_moment(1), box_moment(2)), {0.1, 5, 0.1}, identity},
      {"generic-ascending", "generic", generic, {1, 2, 1.5}, identity},
      {"generic-rotated", "generic", moments(2.5, 1, 2), {-1, 0.5, 2}, identity},
      {"generic-tilted", "generic", moments(2, 2.5, 1), {0.5, -2, 1}, tilted},
      {"generic-top", "generic", moments(10, 20, 26), {1, 15, 1}, identity},
      {"generic-water", "generic", moments(0.345, 0.653, 1), {1.5, 0.3, 0.8}, identity},
      {"generic-slow", "generic", generic, {1e-3, -2e-3, 5e-4}, identity},
      {"generic-fast", "generic", generic, {20, -30, 35}, identity},

      {"axis-least", "axis", generic, {3, 0, 0}, identity},
      {"axis-middle", "axis", generic, {0, 3, 0}, identity},
      {"axis-greatest", "axis", generic, {0, 0, 3}, identity},
      {"axis-least-reversed", "axis", moments(2, 1, 2.5), {0, -3, 0}, tilted},
      {"axis-middle-reversed", "axis", moments(2, 1, 2.5), {-3, 0, 0}, tilted},
      {"axis-greatest-reversed", "axis", moments(2, 1, 2.5), {0, 0, -3}, tilted},
      {"near-least", "near-axis", generic, {3, near, near}, identity, 0},
      {"near-middle", "near-axis", generic, {near, 3, near}, identity},
      {"near-greatest", "near-axis", generic, {near, near, 3}, identity, 2},
      {"near-least-reversed", "near-axis", moments(2, 1, 2.5), {near, -3, 0}, tilted, 1},
      {"near-middle-reversed", "near-axis", moments(2, 1, 2.5), {-3, 0, near}, tilted},
      {"near-greatest-reversed", "near-axis", moments(2, 1, 2.5), {0, near, -3}, tilted, 2},

      // I1 w1^2 (I2 - I1) = I3 w3^2 (I3 - I2), exactly in binary.
      {"separatrix-leaving", "separatrix", moments(1, 2, 2.25), {0.75, 1, 1}, identity},
      {"separatrix-arriving", "separatrix", moments(1, 2, 2.25), {-0.75, 1, 1}, identity},
      {"separatrix-beside", "separatrix", moments(1, 2, 2.25), {0.75, -1, 1 + 1e-8}, tilted},

      {"needle", "needle", moments(0.001, 1, 1), {5, 0.5, 1}, identity},
      {"needle-asymmetric", "needle", moments(1, 0.001, 1.0005), {1, 4, 0.5}, identity},
      {"disc", "disc", moments(1, 1, 2), {1, 0.5, 3}, identity},
      {"disc-about-diameter", "disc", moments(1, 1, 2), {3, 0, near}, identity},
      {"plate", "disc", moments(0.5, 2, 1.5), {1, 1.5, -2}, identity},
      {"sphere", "sphere", moments(1, 1, 1), {1, 2, -1}, identity},
      {"sphere-nearly", "sphere", moments(1, 1 + 1e-8, 1 + 2e-8), {1, 2, -1}, tilted},
      {"symmetric-prolate", "symmetric", moments(0.6, 1, 1), {2, 1, -1}, identity},
      {"symmetric-oblate", "symmetric", moments(0.6, 0.6, 1), {2, 1, -1}, identity},
      {"nearly-oblate", "nearly-symmetric", moments(1, 1 + 1e-12, 1.75), {1, -1, 2}, identity},
      {"nearly-prolate", "nearly-symmetric", moments(1, 2, 2 + 1e-12), {2, 1, 0.5}, identity},

      {"moments-tiny", "units", moments(1e-15, 2e-15, 2.5e-15), {1, 2, 1.5}, identity},
      {"moments-huge", "units", moments(1e15, 2e15, 2.5e15), {1, 2, 1.5}, identity},

      {"tensor", "tensor", {2, 1.5, 1.8, -0.3, 0.1, 0.2}, {1, -2, 0.5}, identity},
      {"tensor-tilted", "tensor", {1, 1.25, 1.5, 0.25, 0.125, -0.375}, {-1, 0.5, 2}, tilted},
      {"tensor-disc", "tensor", about_skew_axis(1, 1), {1, 2, -0.5}, identity},
      {"tensor-needle", "tensor", about_skew_axis(1, -0.999), {1, 0.5, 2}, identity},
      {"rest", "rest", generic, {0, 0, 0}, tilted},
  };
}

}  // namespace

std::span<const KitBody> kit_bodies() {
  static const std::vector<KitBody> bodies = make_kit_bodies();
  return bodies;
}

const KitBody* find_kit_body(std::string_view name) {
  for (const KitBody& body : kit_bodies())
    if (body.name == name) return &body;
  return nullptr;
}

}  // namespace polhode::program
