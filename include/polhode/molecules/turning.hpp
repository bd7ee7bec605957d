// The free rotation of a pack of bodies of one kind.
#pragma once

#include <algorithm>

#include "polhode/batch/pack.hpp"
#include "polhode/free_motion/exact.hpp"

namespace polhode {

using PackSums = Motion<Pack, Summation::compensated>;

/// One body of a pack by any method; a body at rest stays.
template <class Method>
void turn_alone(const Method& method, PackSums& sums, double h, std::size_t lane) {
  Motion<double, Summation::compensated> one;
  one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
  if (one.momentum() == Vector<double>{}) return;
  method.step(one, h);
  sums.visit_with(one, [lane](Pack& x, double y) { x.set(lane, y); });
}

/// By any method: body by body.
template <FreeMotionMethod Method>
class Turning {
 public:
  Turning(const Inertia<double>& inertia, const typename Method::Options& options) : method_(inertia, options) {}

  /// A step of the first `present` bodies; h in inner units.
  void operator()(PackSums& sums, double h, std::size_t present) const {
    for (std::size_t lane = 0; lane < present; ++lane) turn_alone(method_, sums, h, lane);
  }

 private:
  Method method_;
};

/// By the exact flow: the pack goes through the kernel as one, with the bits that each body alone would have.
template <>
class Turning<Exact<double>> {
 public:
  Turning(const Inertia<double>& inertia, const NoOptions& options) : exact_(inertia, options) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      kernel_.visit_with(exact_.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  void operator()(PackSums& sums, double h, std::size_t present) const {
    const Vector<Pack> m = sums.momentum();
    const Pack size2 = dot(m, m), angle2 = kernel_.square_angle(size2, Pack(h));
    const double limit = exact_.square_angle_limit();
    bool together = true;
    for (std::size_t lane = 0; lane < present; ++lane)
      together = together && size2[lane] > 0.0 && angle2[lane] <= limit;
    if (together) {
      kernel_.step(sums, m, size2, Pack(h));
    } else {
      turn_each(sums, size2, angle2, h, present);
    }
  }

 private:
  /// Those that turn by more than the kernel takes do it in 2, 4, 8 or 16 parts, as in Exact; a very fast one goes its own
  /// way, and what does not turn stays.
  void turn_each(PackSums& sums, const Pack& size2, const Pack& angle2, double h, std::size_t present) const {
    const PackSums start = sums;
    const double limit = exact_.square_angle_limit();
    std::array<int, Pack::width> parts{};
    int most = 0;
    for (std::size_t lane = 0; lane < present; ++lane) {
      if (!(size2[lane] > 0.0)) continue;
      parts[lane] = 1;
      while (static_cast<double>(parts[lane] * parts[lane]) * limit < angle2[lane] && parts[lane] < 32)
        parts[lane] *= 2;
      if (parts[lane] == 32) {
        turn_alone(exact_, sums, h, lane);
      } else {
        most = std::max(most, parts[lane]);
      }
    }
    for (int count = 1; count <= most; count *= 2) {
      if (std::find(parts.begin(), parts.end(), count) == parts.end()) continue;
      PackSums trial = start;
      if (count > 1) normalize(trial);
      for (int i = 0; i < count; ++i) {
        const Vector<Pack> m = trial.momentum();
        kernel_.step(trial, m, dot(m, m), Pack(h / count));
      }
      if (count > 1) normalize(trial);
      for (std::size_t lane = 0; lane < present; ++lane)
        if (parts[lane] == count)
          sums.visit_with(trial, [lane](Pack& x, const Pack& y) { x.set(lane, y[lane]); });
    }
  }

  /// Each value the sum of itself and its compensation, rounded.
  static void normalize(PackSums& sums) {
    Pack* value = nullptr;
    const PackSums& same = sums;
    sums.visit_with(same, [&value](Pack& x, const Pack&) {
      if (value == nullptr) {
        value = &x;
      } else {
        const auto [sum, rest] = two_sum(*value, x);
        *value = sum;
        x = rest;
        value = nullptr;
      }
    });
  }

  Exact<double> exact_;
  ShortFlow<Pack> kernel_;
};

}  // namespace polhode
