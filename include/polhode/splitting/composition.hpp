// Two flows composed by a splitting scheme.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "polhode/splitting/scheme.hpp"

namespace polhode {

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

/// Where a run stands: so many steps after its origin, and whether the last stage of the last step is still owed, to be
/// joined with the first of the next.
template <Scalar T>
struct Standing {
  Wide<T> origin{};
  std::int64_t steps = 0;
  bool owing = false;
};

/// The time at the end of the steps taken. A product, not a sum: it does not drift.
template <Scalar T>
Wide<T> time_of(const Standing<T>& standing, const T& step) {
  return standing.origin + Wide<T>(step) * Wide<T>(static_cast<double>(standing.steps));
}

/// Takes `count` steps and leaves the last stage owed: run on, or settle the debt on a copy to see the state. So
/// adjacent stages are one, and how the steps are divided among the calls makes no difference to the last bit.
///
/// free(length) and kick(length, time) are the two flows; the time is by the clock of the free motion.
template <Scalar T, class Free, class Kick>
void run(const Stages<T>& stages, Standing<T>& standing, std::int64_t count, Free&& free, Kick&& kick) {
  const auto& list = stages.list();
  for (; count > 0; --count) {
    const Wide<T> start = time_of(standing, stages.step());
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const auto& stage = list[i];
      const T& length = i == 0 && standing.owing ? stages.joint() : stage.length;
      if (stage.part == Part::free) {
        free(length);
      } else {
        kick(length, start + stage.time);
      }
    }
    standing.owing = true;
    ++standing.steps;
  }
}

/// The last stage of the last step, if it is still owed.
template <Scalar T, class Free, class Kick>
void settle(const Stages<T>& stages, Standing<T>& standing, Free&& free, Kick&& kick) {
  if (!standing.owing) return;
  const auto& stage = stages.list().back();
  if (stage.part == Part::free) {
    free(stage.length);
  } else {
    kick(stage.length, time_of(standing, stages.step()));
  }
  standing.owing = false;
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
    Standing<T> standing{.origin = start};
    run(stages, standing, count, free, kick);
    settle(stages, standing, free, kick);
  };
}

}  // namespace polhode
