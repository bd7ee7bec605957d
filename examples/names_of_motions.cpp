// Names of the library for free and driven bodies that no other example uses, a line or two for each.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "polhode/free_motion/spin_state.hpp"
#include "polhode/polhode.hpp"
#include "polhode/splitting/lyapunov.hpp"
#include "polhode/torque/constant_torque.hpp"

namespace {

using namespace polhode;

const Body<double> body({1.0, 2.0, 3.0});
const State<double> start{.momentum = {0.1, 2.0, 0.1}};

template <FreeStepper S>  // whose steps may have any length
double middle_momentum(S stepper) {
  stepper.advance(0.01, 100);
  return stepper.state().momentum[1];
}

void other_methods() {
  using namespace polhode::methods;
  const FrbOptions nodes{.quadrature = 5, .frame = Frame::automatic};
  const JacobiOptions quadruple{.quadruple_constants = true};
  const McLachlanReichOptions order{.axes = 1};
  std::printf("frb:       %.6f %.6f\n", middle_momentum(Rotor<FrbMatrix<double>>(body, start, nodes)),
              middle_momentum(Rotor<FrbQuaternion<double>>(body, start, nodes)));
  std::printf("jacobi:    %.6f %.6f %.6f\n",
              middle_momentum(Rotor<JacobiStandard<double>>(body, start, quadruple)),
              middle_momentum(Rotor<JacobiReduced<double>>(body, start)),
              middle_momentum(Rotor<JacobiKept<double>>(body, start)));
  std::printf("by series: %.6f %.6f\n", middle_momentum(Rotor<Magnus<double, 4>>(body, start)),
              middle_momentum(Rotor<MoserVeselov<double, 10>>(body, start)));
  std::printf("general:   %.6f %.6f\n", middle_momentum(Rotor<McLachlanReich<double>>(body, start, order)),
              middle_momentum(Rotor<RungeKutta4<double>>(body, start)));
  std::printf("engines:   %.6f %.6f %.6f %.6f\n", middle_momentum(Rotor<ExplicitEuler<double>>(body, start)),
              middle_momentum(Rotor<MomentumKept<double>>(body, start)),
              middle_momentum(Rotor<ImplicitEuler<double>>(body, start)),
              middle_momentum(Rotor<ImplicitMidpoint<double>>(body, start)));
}

void what_is_known() {
  const MethodDescription& frb = method_descriptions()[1];
  const MethodInfo& info = frb.info;
  const OptionInfo& option = frb.options.front();
  std::printf("%s has order %d, and an option %s from %d to %d\n", std::string(info.name).c_str(), info.order,
              std::string(option.name).c_str(), option.smallest, option.largest);
  const Invariants errors = Rotor(body, start).errors();
  std::printf("no error before the first step: %g\n", double(errors.energy));
}

void astronomers_words() {
  const spin::Periods found = spin::periods(body, start.momentum);
  const Vector<double> back =
      spin::momentum_with_periods(body, found.precession, found.rotation, spin::Mode::short_axis);
  const auto slopes = spin::period_derivatives(body, start.momentum);
  std::printf("precession %.9f, rotation %.9f; the way back: %.9f; d precession/d I1: %.6f\n",
              found.precession, found.rotation, spin::periods(body, back).precession, slopes[0][0]);
}

/// The largest momentum about an axis after ten steps of 0.1, under anything that acts.
template <class Torque>
double moved_by(const Torque& torque) {
  auto motion = driven(body, start, torque, scheme("strang"));
  motion.advance(0.1, 10);
  return motion.state().momentum[1];
}

void what_acts() {
  using namespace polhode::torques;
  const auto function = [](const Quaternion<double>& q) { return Vector(0.0, 0.1 * q[0], 0.0); };
  static_assert(TorqueOn<decltype(function), double>);
  std::printf("a function: %.9f, a constant: %.9f\n", moved_by(function),
              moved_by(ConstantTorque(Vector(0.0, 0.1, 0.0))));
  std::printf("inside:     %.9f\n", moved_by(Dissipation(0.01)));
  std::printf(
      "inertia:    %.9f\n", moved_by(ChangingInertia<double>([](double t) {
        return Matrix<double>{Vector(1.0, 0.0, 0.0), Vector(0.0, 2.0, 0.0), Vector(0.0, 0.0, 3.0 + 0.1 * t)};
      })));
  const MovingMass<double> mass{.mass = 0.1,
                                .position = [](double t) { return Vector(0.5 + 0.1 * t, 0.0, 0.0); },
                                .velocity = [](double) { return Vector(0.1, 0.0, 0.0); }};
  std::printf("a mass:     %.9f\n", moved_by(MovingMasses<double>(1.0, {mass})));

  const TorqueList<double> both{ConstantTorque(Vector(0.0, 0.1, 0.0)), Damping(0.01)};
  const Scheme& usual = default_scheme(both.attached(body));
  std::printf("the scheme for damping: %s\n", std::string(usual.name).c_str());

  const OrbitElements<double> elements{.gravitational_parameter = 1.0, .eccentricity = 0.5, .periapsis = 1.0};
  std::printf("in orbit:   %.9f\n", moved_by(GravityGradient(KeplerOrbit<double>(elements))));
}

void types_behind_driven() {
  const UniformField<double> field({0.0, 0.0, 1.0});
  const Splitting<Exact<double>> strang(scheme("strang"));
  DrivenRotor<Splitting<Exact<double>>, UniformField<double>> top(body, start, field, strang);
  top.advance(0.1, 10);
  DrivenRotor<methods::RungeKutta<double>, UniformField<double>> classical(body, start, field);
  classical.advance(0.1, 10);
  static_assert(HasEnergy<decltype(top)>);
  const EvaluationCounts counts = top.evaluations();
  std::printf("strang %.9f with %d torques, rk4 %.9f\n", top.state().momentum[1], int(counts.force),
              classical.state().momentum[1]);

  const std::vector<splitting::Decimal> a{"0.5"}, b{"1"};
  const splitting::OwnScheme own(a, b);
  std::printf("a scheme of one's own has order %d\n", static_cast<const Scheme&>(own).order);
}

/// A control law with its derivatives.
struct Brake {
  Vector<double> operator()(const Quaternion<double>&, const Vector<double>& omega, double) const {
    return -0.1 * omega;
  }
  derivatives::ControlSlopes<double> derivative(const Quaternion<double>&, const Vector<double>&,
                                                double) const {
    return {.by_rate =
                Matrix<double>{Vector(-0.1, 0.0, 0.0), Vector(0.0, -0.1, 0.0), Vector(0.0, 0.0, -0.1)}};
  }
};

void derivatives_of_driven() {
  using namespace polhode::derivatives;
  DrivenTangent<double> braked(body, start, Brake{}, scheme("strang"));
  braked.advance(0.1, 10);
  std::printf("d m2/d m2 of a body that brakes: %.9f\n", braked.map().momentum_by_momentum[1][1]);
  const auto torque = differentiable([](const auto& q, double t) {
    auto result = Vector<std::remove_cvref_t<decltype(q[0])>>{};
    result[2] = 0.1 * std::cos(t) * q[0];
    return result;
  });
  DrivenTangent<double> motion(body, start, torque, scheme("strang"));
  motion.follow_moments();
  motion.advance(0.1, 10);
  std::printf("d m2/d m1 under the torque: %.9f\n", motion.map().momentum_by_momentum[1][0]);
  const std::array<Tangent<double>, 3> free = by_moments(body, start, 1.0);
  std::printf("d m2/d I1 of the free motion: %.9f\n", free[0].momentum[1]);
  const LyapunovExponents all = lyapunov_exponents(body, start, torque, scheme("strang"), 0.1, 100);
  std::printf("the sum of all exponents is below 1e-9: %s\n",
              std::abs(all.last()[0] + all.last()[1] + all.last()[2] + all.last()[3] + all.last()[4] +
                       all.last()[5]) < 1e-9
                  ? "yes"
                  : "no");
}

void looks() {
  using Motion = Rotor<Exact<double>>;
  Motion motion(body, start);
  const looking::Event<Motion> passes{[](const Motion& m) { return m.state().momentum[1]; }, -1, true};
  const looking::Watch<Motion> watch{.times = {1.0, 2.0}, .events = {passes}};
  looking::Seen<Motion> seen;
  looking::follow(motion, 0.05, 20.0, watch, seen);
  std::printf("the momentum turns over at %.9f\n", double(seen.events.front().second.time()));
}

void many_bodies() {
  const std::vector<State<double>> states(10, start);
  PlainBatch<double> plain(body, states);  // without compensation
  plain.advance(0.5, 1);
  torques::ArrayTorques arrays;
  arrays.torques.push_back([](auto attitudes, double, auto all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Vector(0.0, 0.1 * attitudes[i][0], 0.0);
  });
  DrivenBatch batch(body, states, torques::TorqueList<double>(), scheme("strang"), arrays);
  batch.advance(0.1, 10);
  std::printf("a plain batch: %.9f, a driven one: %.9f\n", plain.state(9).momentum[1],
              batch.state(9).momentum[1]);

  std::vector<double> momenta{0.1, 2.0, 0.1}, attitudes{1.0, 0.0, 0.0, 0.0};
  const StateArrays in_place{momenta.data(), attitudes.data(), momenta.data(), attitudes.data()};
  StateSteps(body).advance(in_place, 0, 1, 0.5, 1, [](std::size_t, const InputError&) {});
  std::printf("states of one's own: %.9f\n", momenta[1]);
}

void errors() {
  auto motion = driven(
      body, start, [](const Quaternion<double>&, double t) { return Vector(0.0, 0.0, 1.0 / (1.0 - t)); },
      scheme("strang"));
  try {
    motion.advance(0.25, 10);
  } catch (const MotionError& error) {  // nothing has moved
    std::printf("at time %g still: %s\n", double(motion.time()), error.what());
  }
}

}  // namespace

int main() {
  other_methods();
  what_is_known();
  astronomers_words();
  what_acts();
  types_behind_driven();
  derivatives_of_driven();
  looks();
  many_bodies();
  errors();
}
