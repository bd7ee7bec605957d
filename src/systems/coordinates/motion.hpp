// A system in coordinates with a method, turned from types into a simulation. Each system includes this in a file of its own,
// where all of its instances are compiled.
#pragma once

#include <algorithm>
#include <utility>

#include "polhode/constrained/gauss.hpp"
#include "polhode/constrained/lobatto.hpp"
#include "polhode/constrained/multistep.hpp"
#include "run/stepped.hpp"
#include "systems/coordinates/coordinates.hpp"

namespace polhode::program {

/// A system of the core with what there is to see and to conserve, besides position, momentum and energy.
template <polhode::core::System S>
struct CoordinateSystem {
  using Point = PhasePointOf<S, DoubleDouble>;

  std::string name;
  S system;
  std::vector<Quantity> invariants{};
  void (*measure)(const Point& point, std::vector<DoubleDouble>& numbers) = nullptr;
  std::vector<Quantity> derived{};
  void (*derive)(const S& system, const Point& point, std::vector<double>& numbers) = nullptr;
  bool conservative = true;  ///< whether the force comes from the potential, and there is an energy to follow
};

/// The angular momentum about the origin of points in space with the coordinates x, y, z.
template <std::size_t n>
void append_angular_momentum(const PhasePoint<DoubleDouble, n>& point, std::vector<DoubleDouble>& numbers) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    DoubleDouble sum = 0.0;
    for (std::size_t at = 0; at < n; at += 3)
      sum +=
          point.position[at + j] * point.momentum[at + k] - point.position[at + k] * point.momentum[at + j];
    numbers.push_back(sum);
  }
}

/// Position, momentum, energy, residuals of the constraints, and what the system adds.
template <polhode::core::System S>
class CoordinateView {
 public:
  explicit CoordinateView(const CoordinateSystem<S>& system) : system_(system), manifold_(system.system) {}

  template <class Method>
  void look(const Method& method, Snapshot& snapshot) const {
    const PhasePointOf<S, DoubleDouble> point = method.wide_state();
    for (const DoubleDouble& x : point.position) snapshot.state.push_back(static_cast<double>(x));
    for (const DoubleDouble& x : point.momentum) snapshot.state.push_back(static_cast<double>(x));
    if (system_.derive != nullptr) system_.derive(system_.system, point, snapshot.derived);
    if (system_.conservative) snapshot.invariants.push_back(energy(system_.system, manifold_.mass(), point));
    if (system_.measure != nullptr) system_.measure(point, snapshot.invariants);
    const Residual<DoubleDouble> residual = manifold_.residual(point);
    snapshot.constraint =
        std::max(static_cast<double>(residual.position), static_cast<double>(residual.velocity));
  }

 private:
  CoordinateSystem<S> system_;
  mutable Manifold<S, DoubleDouble> manifold_;  // keeps the memory of its evaluations
};

template <polhode::core::System S>
Description description_of(const CoordinateSystem<S>& system, double step, const CoordinateChoice& choice) {
  const std::size_t n = dimension_of(system.system);
  Description description{.system = system.name,
                          .method = choice.method,
                          .details = choice.details,
                          .compensated = choice.precision == Precision::compensated,
                          .step = step,
                          .state = {{"position", n, 1, "user's units"}, {"momentum", n, 1, "user's units"}},
                          .derived = system.derived,
                          .invariants = {}};
  for (Quantity& q : description.state) q.vector = true;
  if (system.conservative) description.invariants = {{"energy", 1, 1, "kinetic and potential, user's units"}};
  description.invariants.insert(description.invariants.end(), system.invariants.begin(),
                                system.invariants.end());
  return description;
}

/// From a choice that is known when the program runs to the types of a method.
template <polhode::core::System S>
class MotionMaker {
 public:
  MotionMaker(const CoordinateSystem<S>& system, const PhasePointOf<S, DoubleDouble>& initial, double step,
              const CoordinateChoice& choice)
      : system_(system), initial_(initial), step_(step), choice_(choice) {}

  std::unique_ptr<Simulation> make() const {
    if (choice_.family == MethodFamily::lobatto)
      return of_precision<Lobatto<S, double, Summation::plain>, Lobatto<S, double, Summation::compensated>,
                          Lobatto<S, DoubleDouble, Summation::compensated>>(
          LobattoOptions{choice_.stages, choice_.multipliers});
    if (choice_.family == MethodFamily::gauss) {
      if constexpr (!HasConstraints<S>)
        return of_precision<Gauss<S, double, Summation::plain>, Gauss<S, double, Summation::compensated>,
                            Gauss<S, DoubleDouble, Summation::compensated>>(
            GaussOptions{choice_.stages, choice_.multipliers.max_iterations});
      else
        throw InputError("a Gauss method takes no constraints");
    }
    using enum MultistepForm;
    if (choice_.precision == Precision::extended) return multistep<DoubleDouble, error_free>();
    switch (choice_.form) {
      case direct:
        return multistep<double, direct>();
      case staggered:
        return multistep<double, staggered>();
      case summed:
        return multistep<double, summed>();
      case compensated:
        return multistep<double, compensated>();
      default:
        return multistep<double, error_free>();
    }
  }

 private:
  template <class Method, class... Arguments>
  std::unique_ptr<Simulation> simulated(const Arguments&... arguments) const {
    return simulate(description_of(system_, step_, choice_), Method(system_.system, arguments...),
                    CoordinateView<S>(system_));
  }
  /// Of the same method over the three scalars. (As a template parameter that is a template it would be shorter; clang 14 crashes
  /// on that in a lambda, clang 19 does not match it.)
  template <class Plain, class Compensated, class Extended, class Options>
  std::unique_ptr<Simulation> of_precision(const Options& options) const {
    switch (choice_.precision) {
      case Precision::plain:
        return simulated<Plain>(initial_, step_, options);
      case Precision::compensated:
        return simulated<Compensated>(initial_, step_, options);
      default:
        return simulated<Extended>(initial_, step_, options);
    }
  }
  template <class T, MultistepForm form>
  std::unique_ptr<Simulation> multistep() const {
    return simulated<Multistep<S, T, form>>(*choice_.table, initial_, step_, choice_.multipliers,
                                            choice_.multistep);
  }

  const CoordinateSystem<S>& system_;
  const PhasePointOf<S, DoubleDouble>& initial_;
  double step_;
  const CoordinateChoice& choice_;
};

template <polhode::core::System S>
std::unique_ptr<Simulation> make_motion(const CoordinateSystem<S>& system,
                                        const PhasePointOf<S, DoubleDouble>& initial, double step,
                                        const CoordinateChoice& choice) {
  return MotionMaker<S>(system, initial, step, choice).make();
}

template <polhode::core::System S>
constexpr CoordinateTraits traits_of() {
  return {HasConstraints<S>, HasSpheres<S>};
}

/// What the scenario gives as position and momentum, or the standard initial value.
template <polhode::core::System S>
PhasePointOf<S, DoubleDouble> read_point(Section& state, const S& system) {
  const std::optional<GivenPoint> given = read_given_point(state, dimension_of(system));
  if (!given) return system.standard_state();
  PhasePointOf<S, DoubleDouble> point(dimension_of(system));
  for (std::size_t i = 0; i < dimension_of(system); ++i) {
    point.position[i] = given->position[i];
    point.momentum[i] = given->momentum[i];
  }
  return point;
}

/// The rest of a scenario whose system and initial value are read.
template <polhode::core::System S>
std::unique_ptr<Simulation> build_motion_of(Scenario& scenario, const CoordinateSystem<S>& system,
                                            const PhasePointOf<S, DoubleDouble>& initial) {
  return build_motion(scenario, traits_of<S>(), [&](const CoordinateChoice& choice) {
    return make_motion(system, initial, scenario.step(), choice);
  });
}

}  // namespace polhode::program
