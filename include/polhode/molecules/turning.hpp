// The free rotation of many bodies of one kind, in packs.
#pragma once

#include <algorithm>
#include <span>

#include "polhode/batch/pack.hpp"
#include "polhode/free_motion/exact.hpp"

namespace polhode {

using PackSums = Motion<Pack, Summation::compensated>;

/// The sums that carry a pack of molecules of one kind from step to step.
struct MoleculePack {
  PackSums turning;  ///< in the principal frame and the inner unit of the kind
  std::array<Compensated<Pack>, 3> position, momentum;
};

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
  Turning(const Inertia<double>& inertia, const typename Method::Options& options)
      : method_(inertia, options) {}

  /// A step of the first `count` bodies of the packs; h in inner units.
  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      turn_alone(method_, packs[i / Pack::width].turning, h, i % Pack::width);
  }

 private:
  Method method_;
};

/// By the exact flow: packs go through the kernel as one, with the bits that each body alone would have.
///
/// A body that turns by more than the kernel takes does it in 2, 4, 8 or 16 parts, as in Exact: such bodies wait until a pack of
/// them is full. A very fast one goes its own way, and what does not turn stays.
template <>
class Turning<Exact<double>> {
 public:
  Turning(const Inertia<double>& inertia, const NoOptions& options) : exact_(inertia, options) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      kernel_.visit_with(exact_.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    const double limit = exact_.square_angle_limit();
    std::array<Waiting, 4> waiting;
    for (std::size_t first = 0; first < count; first += Pack::width) {
      PackSums& sums = packs[first / Pack::width].turning;
      const std::size_t present = std::min(Pack::width, count - first);
      const Vector<Pack> m = sums.momentum();
      const Pack size2 = dot(m, m), angle2 = kernel_.square_angle(size2, Pack(h));
      bool together = true;
      for (std::size_t lane = 0; lane < present; ++lane)
        together = together && size2[lane] > 0.0 && angle2[lane] <= limit;
      if (together) {
        kernel_.step(sums, m, size2, Pack(h));
        continue;
      }
      const PackSums start = sums;
      kernel_.step(sums, m, size2, Pack(h));
      for (std::size_t lane = 0; lane < present; ++lane) {
        if (size2[lane] > 0.0 && angle2[lane] <= limit) continue;
        copy(start, lane, sums, lane);
        if (!(size2[lane] > 0.0)) continue;
        std::size_t doublings = 1;
        while (doublings < 5 && parts(doublings) * parts(doublings) * limit < angle2[lane]) ++doublings;
        if (doublings == 5) {
          turn_alone(exact_, sums, h, lane);
        } else {
          Waiting& group = waiting[doublings - 1];
          copy(sums, lane, group.sums, group.count);
          group.origin[group.count++] = {&sums, lane};
          if (group.count == Pack::width) flush(group, h, doublings);
        }
      }
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) flush(waiting[i], h, i + 1);
  }

 private:
  struct Waiting {
    struct Origin {
      PackSums* sums = nullptr;
      std::size_t lane = 0;
    };
    PackSums sums{State<Pack>{{{Pack(1.0), Pack(0.0), Pack(0.0)}}, {}}};
    std::array<Origin, Pack::width> origin{};
    std::size_t count = 0;
  };

  static double parts(std::size_t doublings) { return static_cast<double>(1U << doublings); }

  static void copy(const PackSums& from, std::size_t lane, PackSums& to, std::size_t place) {
    to.visit_with(from, [lane, place](Pack& x, const Pack& y) { x.set(place, y[lane]); });
  }

  void flush(Waiting& group, double h, std::size_t doublings) const {
    if (group.count == 0) return;
    normalize(group.sums);
    for (std::size_t i = 0; i < std::size_t{1} << doublings; ++i) {
      const Vector<Pack> m = group.sums.momentum();
      kernel_.step(group.sums, m, dot(m, m), Pack(h / parts(doublings)));
    }
    normalize(group.sums);
    for (std::size_t i = 0; i < group.count; ++i)
      copy(group.sums, i, *group.origin[i].sums, group.origin[i].lane);
    group.count = 0;
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
