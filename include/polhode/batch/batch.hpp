// Many free bodies at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/free_rotor.hpp"

namespace polhode {

/// Free bodies that are stepped together by the exact flow, compensated: of one kind or each of its own, each in its own
/// frame and units. The bits are those of FreeRotor<Exact<double>>, for any number of threads.
///
/// Bodies of a pack whose step is short go through the kernel together; a pack with another one goes
/// through it body by body.
class Batch {
 public:
  /// All of one kind. Throws InputError if a state is not one.
  Batch(const Body<double>& body, std::span<const State<double>> states) : Batch({&body, 1}, states, true) {}

  /// bodies[i] has states[i]. Throws InputError if a state is not one, or if there are not as many of these as of those.
  Batch(std::span<const Body<double>> bodies, std::span<const State<double>> states)
      : Batch(bodies, states, false) {
    if (bodies.size() != states.size()) throw InputError("there are not as many bodies as states");
  }

  std::size_t size() const { return rotors_.size(); }

  /// Steps of one length, of any sign; threads = 0 means as many as the machine has.
  void steps(double h, std::int64_t count, unsigned threads = 1) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t packs = (size() + Pack::width - 1) / Pack::width;
    const std::size_t share = (packs + threads - 1) / threads;
    std::vector<std::jthread> others;
    std::size_t first = 0;
    try {
      for (; first + share < packs; first += share)
        others.emplace_back([=, this] { advance(first, first + share, h, count); });
    } catch (const std::system_error&) {
      // The system gives no more threads: the rest is done here.
    }
    advance(first, packs, h, count);
  }

  /// The state of body i in its user's frame and units; the attitude has norm one.
  State<double> state(std::size_t i) const { return rotors_[i].state(); }
  State<DoubleDouble> wide_state(std::size_t i) const { return rotors_[i].wide_state(); }
  Invariants<DoubleDouble> invariants(std::size_t i) const { return rotors_[i].invariants(); }

 private:
  using Sums = Motion<double, Summation::compensated>;
  using PackSums = Motion<Pack, Summation::compensated>;

  using Member = Rotor<double, Summation::compensated>;

  Batch(std::span<const Body<double>> bodies, std::span<const State<double>> states, bool one_kind) {
    rotors_.reserve(states.size());
    for (std::size_t i = 0; i < states.size(); ++i)
      rotors_.emplace_back(bodies[one_kind ? 0 : std::min(i, bodies.size() - 1)], states[i]);
    exact_.reserve(bodies.size());
    for (const Body<double>& body : bodies) exact_.emplace_back(body.inertia());
    if (one_kind) {
      kernels_.resize(1);
      for (std::size_t lane = 0; lane < Pack::width; ++lane) gather(kernels_[0], exact_[0], lane);
    } else {
      kernels_.resize((bodies.size() + Pack::width - 1) / Pack::width);
      for (std::size_t i = 0; i < kernels_.size() * Pack::width; ++i)
        gather(kernels_[i / Pack::width], exact_[std::min(i, bodies.size() - 1)], i % Pack::width);
    }
  }

  static void gather(ShortFlow<Pack>& kernel, const Exact<double>& exact, std::size_t lane) {
    kernel.visit_with(exact.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  void advance(std::size_t first, std::size_t last, double h, std::int64_t count) {
    for (std::size_t pack = first; pack < last; ++pack) advance_pack(pack, h, count);
  }

  void advance_pack(std::size_t pack, double h, std::int64_t count) {
    const ShortFlow<Pack>& kernel = kernels_[kernels_.size() == 1 ? 0 : pack];
    const std::size_t begin = pack * Pack::width;
    const std::size_t present = std::min(Pack::width, size() - begin);
    PackSums sums;
    Pack inner;
    bool together = true;  // a pack that is not full repeats its last body
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      const Member& rotor = rotors_[begin + std::min(lane, present - 1)];
      sums.visit_with(rotor.motion(), [lane](Pack& x, double y) { x.set(lane, y); });
      inner.set(lane, rotor.inner_time(h));
      together = together && Member::moves(rotor.inner_time(h));
    }
    const double limit = exact_[0].square_angle_limit();
    while (together && count > 0) {
      const std::int64_t block = std::min<std::int64_t>(count, 64);
      std::int64_t done = 0;
      for (; done < block; ++done) {
        const Vector<Pack> m = sums.momentum();
        const Pack size2 = dot(m, m);
        const Pack angle2 = kernel.square_angle(size2, inner);
        for (std::size_t lane = 0; lane < Pack::width; ++lane)
          together = together && size2[lane] > 0 && angle2[lane] <= limit;
        if (!together) break;
        kernel.step(sums, m, size2, inner);
      }
      // Free motion keeps |m|: a pack that leaves the kernel does so before its first step.
      if (done == 0) break;
      settle(sums);
      count -= done;
    }
    for (std::size_t lane = 0; lane < present; ++lane) {
      Sums one;
      one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
      rotors_[begin + lane].restore(one);
      if (count > 0)
        rotors_[begin + lane].steps_with(exact_[exact_.size() == 1 ? 0 : begin + lane], h, count);
    }
  }

  static void settle(PackSums& sums) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      Sums one;
      one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
      one.settle();
      sums.visit_with(one, [lane](Pack& x, double y) { x.set(lane, y); });
    }
  }

  std::vector<Member> rotors_;
  std::vector<Exact<double>> exact_;
  std::vector<ShortFlow<Pack>> kernels_;
};

}  // namespace polhode
