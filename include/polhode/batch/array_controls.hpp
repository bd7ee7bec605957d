// Kicks of all bodies of a batch under torques of the angular velocity: MomentumFlow::change, with the bits of each body, where the
// torques are asked for all bodies at once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "polhode/splitting/driving.hpp"

namespace polhode::core {

/// p' = rates(p), where rates(p, rates) computes those of all bodies.
template <class Rates>
class ChangesOfAll {
 public:
  using V = Vector<double>;

  /// inner: the time over which the momentum p of each body changes.
  ChangesOfAll(const MomentumFlow<double>& flow, const std::vector<V>& p, const std::vector<double>& inner,
               const DoubleDouble& time, const Rates& rates)
      : flow_(flow), p_(p), inner_(inner), time_(time), rates_(rates), found_(p.size()) {}

  /// Each body goes through MomentumFlow::change with the rates that are known, and asks for one more where they end: then those of all
  /// bodies are computed, and it begins again.
  std::vector<V> find() {
    std::vector<V> at = p_;
    std::vector<char> is_open(p_.size(), 1);
    for (bool any = true; any;) {
      known_.emplace_back(p_.size());
      rates_(at, known_.back());
      any = false;
      for (std::size_t i = 0; i < p_.size(); ++i) {
        if (is_open[i] != 0 && !goes_on(i, at[i])) is_open[i] = 0;
        any = any || is_open[i] != 0;
      }
    }
    return std::move(found_);
  }

 private:
  struct AsksForMore {};

  /// Whether body i asks for one more rate, which is that of `at`.
  bool goes_on(std::size_t i, V& at) {
    const auto rate = [&](std::size_t k) -> const V& { return known_[k][i]; };
    if (const auto next = flow_.next_place(p_[i], inner_[i], known_.size(), rate)) {
      at = *next;
      return true;
    }
    std::size_t asked = 0;
    try {
      found_[i] = flow_.change(p_[i], inner_[i], time_, [&](const V& place) {
        if (asked == known_.size()) {
          at = place;
          throw AsksForMore{};
        }
        return rate(asked++);
      });
      return false;
    } catch (const AsksForMore&) {
      return true;
    }
  }

  const MomentumFlow<double>& flow_;
  const std::vector<V>& p_;
  const std::vector<double>& inner_;
  DoubleDouble time_;
  const Rates& rates_;
  std::vector<std::vector<V>> known_;  // of all bodies, in the order in which they were asked for
  std::vector<V> found_;
};

}  // namespace polhode::core
