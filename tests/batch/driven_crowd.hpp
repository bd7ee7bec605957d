// Bodies under torques of all kinds, for the tests of the batch.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/constant_torque.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "tests/batch/crowd.hpp"

namespace polhode::testing {

using namespace core;

/// Random numbers, and the scale of a body: torques of the size of its moments.
struct Draw {
  std::mt19937_64 engine;
  double scale = 1.0;

  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine); }
  double normal() { return std::normal_distribution<double>()(engine); }
  Vector<double> vector() { return {normal(), normal(), normal()}; }
  Vector<double> scaled() { return scale * vector(); }
};

inline OrbitElements<double> some_ellipse(Draw& draw) {
  OrbitElements<double> e;
  e.gravitational_parameter = draw.uniform(0.5, 2.0);
  e.eccentricity = draw.engine() % 4 == 0 ? 0.0 : draw.uniform(0.0, 0.9);
  e.inclination = draw.uniform(0.0, 3.0);
  e.ascending_node = draw.uniform(-3.0, 3.0);
  e.argument_of_periapsis = draw.uniform(-3.0, 3.0);
  e.mean_anomaly = draw.uniform(-3.0, 3.0);
  return e;
}

inline OrbitElements<double> some_conic(Draw& draw) {
  OrbitElements<double> e = some_ellipse(draw);
  e.mean_anomaly = 0.0;
  e.eccentricity = draw.engine() % 5 == 0 ? 1.0 : draw.uniform(0.0, 2.0);
  e.periapsis = draw.uniform(0.8, 1.5);
  e.periapsis_time = draw.uniform(-1.0, 1.0);
  return e;
}

inline Ephemeris<double> circle_as_table(double radius) {
  std::vector<double> times;
  std::vector<Vector<double>> positions;
  for (int i = -400; i <= 400; ++i) {
    times.push_back(0.1 * i);
    positions.push_back({radius * std::cos(0.1 * i), radius * std::sin(0.1 * i), 0.0});
  }
  return {times, positions};
}

inline Matrix<double> some_positive_matrix(Draw& draw) {
  const Matrix<double> a{draw.vector(), draw.vector(), draw.vector()};
  Matrix<double> c = a * transpose(a);
  for (auto& row : c.rows) row = (0.05 * draw.scale) * row;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) c[i][j] = c[j][i];
  return c;
}

/// A way to make torques of one body, and whether they need schemes without negative lengths.
struct TorqueMaker {
  std::string name;
  std::function<TorqueList<double>(Draw&)> make;
  std::string scheme = "rkn6-14";

  /// Whether a fast body takes long: wheels go by small turns.
  bool is_slow() const {
    for (const char* part : {"Wheels", "Dissipation", "Changing", "Everything"})
      if (name.find(part) != std::string::npos) return true;
    return false;
  }
};

inline std::vector<TorqueMaker> torque_makers() {
  using List = TorqueList<double>;
  static const Ephemeris<double> near = circle_as_table(1.0), far = circle_as_table(1.3);
  static const GravityGradient<double> same(
      KeplerOrbit<double>({.eccentricity = 0.2, .inclination = 0.4, .mean_anomaly = 1.0}));
  const auto pull = [](const Quaternion<double>& q, double t) {
    return Vector<double>{q[1] * q[2], std::sin(t) * q[3], q[0] * q[1] - q[2]};
  };
  const auto law = [](const Quaternion<double>& q, const Vector<double>& omega, double t) {
    return Vector<double>{-0.3 * omega[0] + q[1], -0.2 * omega[1] * omega[2], std::cos(t) - 0.1 * omega[2]};
  };
  const auto field = [](Draw& d) { return UniformField<double>(d.vector(), d.scaled()); };
  return {
      {"Nothing", [](Draw&) { return List(); }},
      {"UniformField", [=](Draw& d) { return List(field(d)); }},
      {"AlternatingField",
       [](Draw& d) {
         return List(
             AlternatingField<double>(d.vector(), d.vector(), d.uniform(0.5, 3), d.normal(), d.scaled()));
       }},
      {"SameAlternation",
       [](Draw& d) { return List(AlternatingField<double>(d.vector(), d.vector(), 1.7, 0.2, d.scaled())); }},
      {"GravityOfOneOrbit", [](Draw&) { return List(same); }},
      {"GravityOfEllipses", [](Draw& d) { return List(GravityGradient(KeplerOrbit(some_ellipse(d)))); }},
      {"GravityOfFewEllipses",
       [](Draw& d) {
         OrbitElements<double> e;
         e.eccentricity = 0.1 * static_cast<double>(d.engine() % 3);
         return List(GravityGradient(KeplerOrbit(e)));
       }},
      {"GravityOfConics", [](Draw& d) { return List(GravityGradient(KeplerOrbit(some_conic(d)))); }},
      {"GravityOfTables",
       [](Draw& d) { return List(GravityGradient(d.engine() % 2 == 0 ? near : far, d.uniform(0.5, 2.0))); }},
      {"GravityOfOrbitsOfAllKinds",
       [](Draw& d) {
         if (d.engine() % 3 == 0) return List(GravityGradient(near, 1.0));
         return List(GravityGradient(KeplerOrbit(d.engine() % 2 == 0 ? some_ellipse(d) : some_conic(d))));
       }},
      {"ConstantInBody", [](Draw& d) { return List(ConstantTorque<double>(d.scaled())); }},
      {"ConstantInSpace", [](Draw& d) { return List(ConstantTorque<double>(d.scaled(), true)); }},
      {"OneKindOrTheOther",
       [=](Draw& d) {
         return d.engine() % 2 == 0 ? List(field(d)) : List(ConstantTorque<double>(d.scaled(), true));
       }},
      {"Damping", [](Draw& d) { return List(Damping(d.scale * d.uniform(0.01, 0.3))); }, "aba-8-2"},
      {"DampingByMatrices", [](Draw& d) { return List(Damping(some_positive_matrix(d), d.vector()), same); },
       "strang"},
      {"DampingOfSome",
       [=](Draw& d) {
         return List(field(d), Damping(d.engine() % 3 == 0 ? 0.0 : d.scale * d.uniform(0.01, 0.3)));
       },
       "aba-8-2"},
      {"Wheels", [](Draw& d) { return List(Wheels(0.3 * d.scaled())); }},
      {"WheelsInAField", [=](Draw& d) { return List(Wheels(0.3 * d.scaled()), field(d)); }},
      {"WheelsOfTime",
       [](Draw& d) {
         const Vector<double> size = 0.3 * d.scaled();
         return List(Wheels([size](double t) { return std::sin(t) * size; }), same);
       }},
      {"WheelsAndDamping",
       [](Draw& d) { return List(Wheels(0.3 * d.scaled()), Damping(0.1 * d.scale), same); }, "aba-8-2"},
      {"WheelsOfSome",
       [=](Draw& d) {
         return List(field(d), Wheels(d.engine() % 3 == 0 ? Vector<double>{} : 0.3 * d.scaled()));
       }},
      {"WheelsAndDissipationOfSome",
       [=](Draw& d) {
         const double size = d.engine() % 3 == 0 ? 0.0 : 0.3, strength = d.engine() % 3 == 0 ? 0.0 : 0.02;
         return List(Wheels(size * d.scaled()), Dissipation(strength / d.scale),
                     Damping(d.engine() % 3 == 0 ? 0.0 : 0.1 * d.scale), same);
       },
       "aba-8-2"},
      {"WheelsAlone",
       [](Draw& d) { return List(Wheels(d.uniform(0.0, 3.0) * d.scaled()), Dissipation(0.02 / d.scale)); },
       "strang"},
      {"Dissipation", [](Draw& d) { return List(Dissipation(0.02 / d.scale), same); }, "strang"},
      {"ChangingInertia",
       [](Draw& d) {
         const double scale = d.scale;
         return List(ChangingInertia([scale](double t) {
                       return Matrix<double>{{scale * (1.0 + 0.1 * std::sin(t)), 0, 0},
                                             {0, scale * 1.2, 0.1 * scale},
                                             {0, 0.1 * scale, scale * 1.4}};
                     }),
                     same, Damping(0.05 * d.scale));
       },
       "strang"},
      {"AFunction", [=](Draw& d) { return List(field(d), pull); }},
      {"AControl", [=](Draw&) { return List(same, law); }, "strang"},
      {"AControlOfOrderSix", [=](Draw& d) { return List(field(d), law, Damping(0.01 * d.scale)); },
       "rkn6-14"},
      {"Everything",
       [=](Draw& d) {
         return List(field(d), GravityGradient(KeplerOrbit(some_ellipse(d))),
                     Damping(0.02 * d.scale, d.vector()), Wheels(0.2 * d.scaled()),
                     ConstantTorque<double>(0.1 * d.scaled(), true), pull, law, Dissipation(0.005 / d.scale));
       },
       "aba-8-2"},
  };
}

/// A crowd of bodies of all shapes, tensors among them, each with its own torques. Those that a DrivenRotor refuses are left out.
struct DrivenCrowd {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;
  std::vector<TorqueList<double>> torques;

  DrivenCrowd(std::size_t count, const TorqueMaker& maker, unsigned seed = 5) {
    const Crowd crowd(count, seed);
    Draw draw{std::mt19937_64(seed)};
    for (std::size_t i = 0; i < count; ++i) {
      Body<double> body = crowd.bodies[i];
      if (i % 5 == 0) {
        Matrix<double> tensor = some_positive_matrix(draw);
        for (std::size_t k = 0; k < 3; ++k) tensor[k][k] += 0.3;
        body = Body<double>(tensor);
      }
      draw.scale = body.moments()[1];
      const TorqueList<double> list = maker.make(draw);
      if (maker.is_slow() && norm(crowd.states[i].momentum) > 20 * body.moments()[0]) continue;
      try {
        driven(body, crowd.states[i], list, scheme(maker.scheme)).set_step(0.05);
      } catch (const InputError&) {
        continue;
      }
      bodies.push_back(body);
      states.push_back(crowd.states[i]);
      torques.push_back(list);
    }
  }
};

}  // namespace polhode::testing
