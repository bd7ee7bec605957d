// Two flows composed by a splitting scheme.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "polhode/splitting/scheme.hpp"
#include "polhode/stepping/clock.hpp"

namespace POLHODE_CORE {

/// The coefficients of the first half of a scheme up to the middle one, with those that consistency determines.
template <Scalar W>
std::vector<W> half_of(const Scheme& scheme) {
  std::vector<W> half;
  for (const std::string_view text : scheme.coefficients) half.push_back(from_decimal<W>(text));
  if (scheme.of_strang_steps) {
    const std::vector<W> weights = std::exchange(half, {});
    W sum(0), before(0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool middle = i + 1 == weights.size();
      const W weight = middle ? W(1) - W(2) * sum : weights[i];
      half.push_back((before + weight) / W(2));
      half.push_back(weight);
      sum += weight;
      before = weight;
    }
    return half;
  }
  for (std::size_t part = 0; part < 2; ++part) {
    W sum(0);
    std::size_t open = 0;
    for (std::size_t i = part; i < half.size(); i += 2) {
      if (scheme.coefficients[i].empty()) {
        open = i;
      } else {
        sum += i + 1 == half.size() ? half[i] : W(2) * half[i];
      }
    }
    half[open] = open + 1 == half.size() ? W(1) - sum : (W(1) - sum) / W(2);
  }
  return half;
}

/// The stages of one step of given length.
///
/// The lengths of the middle stages are what the rounded lengths of the others leave of the step: so the free motion and
/// the kicks last as long as each other, to the rounding of one stage, and no step gains on the clock.
template <Scalar T>
class Stages {
 public:
  using W = Wide<T>;

  struct Stage {
    Part part;
    T length;
    W time;  ///< since the beginning of the step, by the clock of the free motion
  };

  Stages() = default;
  Stages(const Scheme& scheme, const T& step) : step_(step) {
    const std::vector<W> half = half_of<W>(scheme);
    const std::size_t middle = half.size() - 1;
    std::vector<T> lengths(2 * half.size() - 1);
    for (std::size_t part = 0; part < 2; ++part) {
      W rest(step);
      std::size_t last = part;
      for (std::size_t i = part; i <= middle; i += 2) {
        last = i;
        if (i + 2 > middle) break;
        lengths[i] = static_cast<T>(half[i] * W(step));
        rest -= W(2) * W(lengths[i]);
      }
      lengths[last] = static_cast<T>(last == middle ? rest : rest / W(2));
    }
    for (std::size_t i = 0; i < middle; ++i) lengths[2 * middle - i] = lengths[i];
    W time(0);
    Part part = scheme.first;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      stages_.push_back({part, lengths[i], time});
      if (part == Part::free) time += (i <= middle ? half[i] : half[2 * middle - i]) * W(step);
      part = part == Part::free ? Part::kick : Part::free;
    }
    joint_ = T(2) * lengths[0];
  }

  const T& step() const { return step_; }
  const std::vector<Stage>& list() const { return stages_; }
  /// The last stage of one step and the first of the next, as one.
  const T& joint() const { return joint_; }

 private:
  T step_{};
  T joint_{};
  std::vector<Stage> stages_;
};

/// The clock of a splitting. After a step its last stage is put off, to be joined with the first of the next: until then the
/// state is not synchronized with the time.
template <Scalar T>
struct SplittingClock : StepClock<T> {
  using StepClock<T>::StepClock;
  std::int64_t put_off = 0;  ///< 1 if the last stage is; not a bool: saved as bytes, a clock has no padding
};

/// Takes `count` steps and puts the last stage off: go on, or synchronize a copy to see the state. So adjacent stages
/// are one, and how the steps are divided among the calls makes no difference to the last bit.
///
/// free(length), or free(length, time) with the time at its beginning, and kick(length, time) are the two flows; the time is
/// by the clock of the free motion.
template <Scalar T, class Free, class Kick>
void take_steps(const Stages<T>& stages, SplittingClock<T>& clock, std::int64_t count, Free&& free,
                Kick&& kick) {
  const auto& list = stages.list();
  for (; count > 0; --count) {
    const Wide<T> start = clock.time();
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const auto& stage = list[i];
      const bool joined = i == 0 && clock.put_off != 0;
      const T& length = joined ? stages.joint() : stage.length;
      if (stage.part == Part::free) {
        if constexpr (std::invocable<Free&, const T&, const Wide<T>&>) {
          free(length, joined ? start - Wide<T>(stage.length) : start + stage.time);
        } else {
          free(length);
        }
      } else {
        kick(length, start + stage.time);
      }
    }
    clock.put_off = 1;
    clock.count(1);
  }
}

/// The last stage of the last step, if it was put off.
template <Scalar T, class Free, class Kick>
void synchronize(const Stages<T>& stages, SplittingClock<T>& clock, Free&& free, Kick&& kick) {
  if (clock.put_off == 0) return;
  const auto& stage = stages.list().back();
  if (stage.part == Part::free) {
    if constexpr (std::invocable<Free&, const T&, const Wide<T>&>) {
      free(stage.length, clock.time() - Wide<T>(stage.length));
    } else {
      free(stage.length);
    }
  } else {
    kick(stage.length, clock.time());
  }
  clock.put_off = 0;
}

/// Two flows as one: compose(scheme, step, a, b)(state, count) takes `count` steps, adjacent stages joined.
/// a(state, length) and b(state, length, time), or b(state, length), are any two flows.
template <Scalar T, class A, class B>
auto compose(const Scheme& scheme, const T& step, A a, B b) {
  return [stages = Stages<T>(scheme, step), a = std::move(a), b = std::move(b)](
             auto& state, std::int64_t count = 1, const Wide<T>& start = Wide<T>(0)) {
    const auto free = [&](const T& length) { a(state, length); };
    const auto kick = [&](const T& length, const Wide<T>& time) {
      if constexpr (requires { b(state, length, time); }) {
        b(state, length, time);
      } else {
        b(state, length);
      }
    };
    SplittingClock<T> clock(start);
    clock.set_step(stages.step());
    take_steps(stages, clock, count, free, kick);
    synchronize(stages, clock, free, kick);
  };
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::compose;
}  // namespace polhode
