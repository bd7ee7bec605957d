#include "reproduce/experiments/top.hpp"

#include <cmath>
#include <limits>

#include "polhode/free_motion/frb.hpp"
#include "polhode/free_motion/jacobi_kept.hpp"
#include "polhode/free_motion/magnus.hpp"
#include "polhode/free_motion/mclachlan_reich.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "scenario/error.hpp"

namespace polhode::program::experiments {

namespace {

using Field = UniformField<double>;

template <class Rotor>
class MotionBy final : public TopMotion {
 public:
  explicit MotionBy(Rotor rotor) : rotor_(std::move(rotor)), start_(rotor_.energy()) {}

  void advance(double h, std::int64_t count) override { rotor_.advance(h, count); }
  double energy_error() const override { return static_cast<double>(rotor_.energy() - start_); }
  Vector<double> angular_velocity() const override { return rotor_.angular_velocity(); }
  Vector<double> vertical() const override {
    return rotate(conjugate(rotor_.state().attitude), Vector<double>{0, 0, 1});
  }
  std::int64_t evaluations() const override { return rotor_.evaluations().force; }

 private:
  Rotor rotor_;
  DoubleDouble start_;
};

template <Summation summation, class Integrator>
std::unique_ptr<TopMotion> heavy(const Top& top, const Integrator& integrator) {
  using Rotor = DrivenRotor<Integrator, Field, summation>;
  return std::make_unique<MotionBy<Rotor>>(
      Rotor(Body<double>(top.moments), {top.momentum(), {}}, Field({0, 0, 1}), integrator));
}

template <class Method>
std::unique_ptr<TopMotion> splitting(const Top& top, std::string_view name) {
  return heavy<Summation::compensated>(top, Splitting<Method>(scheme(name)));
}

/// A free motion needs no kicks.
template <class Method, Summation summation>
std::unique_ptr<TopMotion> free(const Top& top) {
  using Free = Rotor<Method, summation>;
  return std::make_unique<MotionBy<Free>>(Free(Body<double>(top.moments), {top.momentum(), {}}));
}

}  // namespace

Vector<double> Top::momentum() const {
  return {
      {moments[0] * angular_velocity[0], moments[1] * angular_velocity[1], moments[2] * angular_velocity[2]}};
}

std::unique_ptr<TopMotion> make_top_motion(std::string_view method, const Top& top) {
  if (top.heavy) {
    if (method == "sej") return splitting<Magnus<double, 2>>(top, "strang");
    if (method == "strang-magnus4") return splitting<Magnus<double, 4>>(top, "strang");
    if (method == "strang-exact") return splitting<Exact<double>>(top, "strang");
    if (method == "mr") return splitting<McLachlanReich<double>>(top, "strang");
    if (method == "aba-8-6-4") return splitting<Exact<double>>(top, "aba-8-6-4");
    if (method == "rk4") return heavy<Summation::plain>(top, RungeKutta<double>());
  } else {
    if (method == "exact") return free<Exact<double>, Summation::compensated>(top);
    if (method == "jacobi-kept") return free<JacobiKept<double>, Summation::plain>(top);
    if (method == "frb-quaternion") return free<FrbQuaternion<double>, Summation::plain>(top);
    if (method == "mr") return free<McLachlanReich<double>, Summation::plain>(top);
    if (method == "rk4") return free<RungeKutta4<double>, Summation::plain>(top);
  }
  throw RunError("there is no method for tops of the name " + std::string(method));
}

std::vector<double> energy_errors(std::string_view method, const Top& top, double h, std::int64_t steps) {
  const auto motion = make_top_motion(method, top);
  std::vector<double> errors;
  for (std::int64_t i = 0; i < steps; ++i) {
    motion->advance(h, 1);
    errors.push_back(motion->energy_error());
    if (i % 1000 == 0) stop_if_interrupted();
  }
  return errors;
}

Style method_style(std::string_view method, int mark) {
  Style s{.width = 1.5, .mark = mark};
  if (method == "rk4") s.colour = Colour::green;
  if (method == "mr") s.colour = Colour::vermilion;
  if (method == "sej" || method == "jacobi-kept") s.colour = Colour::blue;
  if (method == "strang-magnus4") s.colour = Colour::orange;
  if (method == "strang-exact" || method == "frb-quaternion") s.colour = Colour::sky;
  if (method == "aba-8-6-4") s.colour = Colour::purple;
  if (method == "exact") s.colour = Colour::black;
  if (mark != 0)
    s.mark = method == "rk4"              ? 8
             : method == "mr"             ? 4
             : method == "aba-8-6-4"      ? 12
             : method == "exact"          ? 7
             : method == "strang-exact"   ? 10
             : method == "strang-magnus4" ? 2
             : method == "frb-quaternion" ? 1
                                          : 6;
  return s;
}

double cost_of(double error, const std::vector<double>& errors, const std::vector<double>& seconds) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i] <= error) least = std::min(least, seconds[i]);
  return least;
}

}  // namespace polhode::program::experiments
