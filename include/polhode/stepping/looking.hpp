// A motion looked at: at times of one's own, and where events happen.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/stepping/stepper.hpp"

namespace POLHODE_CORE {

/// The stepper at a time near its own, by one step of that length from where it is: of the order of its steps.
template <FreeStepper S, class Time>
S at_time(S stepper, const Time& time) {
  stepper.advance(static_cast<double>(time - stepper.time()), 1);
  return stepper;
}

/// A function of the stepper that is watched for a change of its sign: rising (direction 1), falling (-1) or both (0). A terminal
/// one ends the run.
template <class S>
struct Event {
  std::function<double(const S&)> function;
  int direction = 0;
  bool terminal = false;
};

/// How a run is watched. Events between two looks that undo each other are not seen: `substeps` are the looks in a step.
template <class S>
struct Watch {
  std::vector<double> times{};  ///< at which the motion is looked at, in the order of the run
  std::vector<Event<S>> events{};
  int substeps = 1;
};

/// What was seen: the steppers at the times, and at each event with its number. The run ended with a terminal event, or not.
template <class S>
struct Seen {
  std::vector<S> at_times{};
  std::vector<std::pair<std::size_t, S>> events{};
  bool ended = false;
};

namespace detail {

/// The root in (0, h] of g(x), to the last place of x: regula falsi that halves the weight of an end that stays, and
/// bisection where that is slow. g has values of opposite sign at the ends, or is zero at h.
template <class G>
double root_within(double h, double g_begin, double g_end, G&& g) {
  double a = 0, b = h, ga = g_begin, gb = g_end;
  for (int i = 0; gb != 0 && std::nextafter(a, b) != b && i < 2000; ++i) {
    double x = i % 4 == 3 ? a + (b - a) / 2 : b - (b - a) * (gb / (gb - ga));
    if (!(x > std::min(a, b) && x < std::max(a, b))) x = i % 2 == 0 ? std::nextafter(b, a) : a + (b - a) / 2;
    const double value = g(x);
    if ((value < 0) == (ga < 0) && value != 0) {
      a = x;
      ga = value;
      gb /= 2;
    } else {
      b = x;
      gb = value;
      if (value != 0) ga /= 2;
    }
  }
  return b;
}

}  // namespace detail

/// Steps of given length up to the time `until`, the last one shorter, watched. The stepper is at the end then, or at the
/// first terminal event. Throws InputError, and what the stepper or a function throws; what was seen before stays in `seen`.
template <FreeStepper S>
void follow(S& stepper, double step, double until, const Watch<S>& watch, Seen<S>& seen) {
  const double whole = static_cast<double>(until - stepper.time());
  if (!std::isfinite(whole)) throw InputError("the time at the end is not a finite number");
  if (!std::isfinite(step) || step == 0) throw InputError("the step is not a finite number other than zero");
  if (whole != 0 && (whole < 0) != (step < 0))
    throw InputError("the step leads away from the time at the end");
  if (watch.substeps < 1) throw InputError("the number of looks in a step is not positive");
  for (const Event<S>& event : watch.events)
    if (!event.function) throw InputError("the function of an event is empty");
  const double sign = step < 0 ? -1 : 1;
  double last = static_cast<double>(stepper.time());
  for (const double time : watch.times) {
    if (!(sign * (time - last) >= 0) || !(sign * (until - time) >= 0))
      throw InputError("the times are not in the order of the run, or not between its ends");
    last = time;
  }
  std::vector<double> values;
  const auto values_of = [&](const S& s) {
    std::vector<double> result;
    for (const Event<S>& event : watch.events) {
      result.push_back(event.function(s));
      if (!std::isfinite(result.back()))
        throw MotionError("the function of event " + std::to_string(result.size()) + " at time " +
                          digits_of(static_cast<double>(s.time())) + " is not a finite number");
    }
    return result;
  };
  values = values_of(stepper);
  std::size_t next_time = 0;
  while (true) {
    const double rest = static_cast<double>(until - stepper.time());
    // A rounding error of the time is no step of its own.
    const double least = 4e-16 * std::max(std::abs(until), std::abs(step));
    const bool done = sign * rest <= least;
    const double h = std::abs(rest - step) <= least || sign * rest > sign * step ? step : rest;
    const S begin = stepper;
    const auto after = [&](double x) {
      S s = begin;
      s.advance(x, 1);
      return s;
    };
    double end = h;  // of what is kept of this step
    if (!done) {
      struct Found {
        double at;
        std::size_t event;
      };
      std::vector<Found> found;
      double from = 0;
      for (int k = 1; k <= watch.substeps && !watch.events.empty(); ++k) {
        const double to = k == watch.substeps ? h : h * k / watch.substeps;
        const S look = after(to);
        const std::vector<double> then = values_of(look);
        for (std::size_t i = 0; i < then.size(); ++i) {
          const double old = values[i], now = then[i];
          if (old == 0 || (now != 0 && (old < 0) == (now < 0))) continue;
          if (watch.events[i].direction * (old < 0 ? 1 : -1) < 0) continue;
          const double x = detail::root_within(
              to - from, old, now, [&](double d) { return watch.events[i].function(after(from + d)); });
          found.push_back({from + x, i});
        }
        values = then;
        from = to;
      }
      std::ranges::stable_sort(found,
                               [&](const Found& a, const Found& b) { return sign * a.at < sign * b.at; });
      for (const Found& f : found) {
        seen.events.emplace_back(f.event, after(f.at));
        if (!watch.events[f.event].terminal) continue;
        seen.ended = true;
        end = f.at;
        break;
      }
    }
    const double until_here = static_cast<double>(done ? begin.time() : begin.time() + end);
    while (next_time < watch.times.size() &&
           (sign * (until_here - watch.times[next_time]) >= 0 || (done && !seen.ended)))
      seen.at_times.push_back(at_time(begin, decltype(begin.time())(watch.times[next_time++])));
    if (done) return;
    stepper.advance(end, 1);
    if (seen.ended) return;
  }
}

}  // namespace POLHODE_CORE

namespace polhode::looking {
using core::at_time;
using core::Event;
using core::follow;
using core::Seen;
using core::Watch;
}  // namespace polhode::looking
