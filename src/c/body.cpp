#include "body.hpp"

#include "boundary.hpp"

namespace polhode::c {

State<double> advance(const polhode_body& body, const State<double>& initial, double h, std::int64_t count) {
  examine(initial);
  const int exponent = momentum_exponent(initial.momentum);
  State<DoubleDouble> s = body.body.to_principal(initial);
  for (auto& x : s.momentum.c) x = ldexp(x, -exponent);
  Motion<double, Summation::compensated> motion(s);
  motion.settle();
  const double inner = std::ldexp(h, exponent - body.body.inertia_exponent());
  if (inner != 0) {
    for (std::int64_t i = 1; i <= count; ++i) {
      body.method.step(motion, inner);
      if (i % 64 == 0) motion.settle();  // exact: how often does not matter to the bits
    }
  }
  s = body.body.to_user(motion.wide_state());
  for (auto& x : s.momentum.c) x = ldexp(x, exponent);
  s.attitude = normalized(s.attitude);
  return convert<double>(s);
}

}  // namespace polhode::c

using namespace polhode::c;

int polhode_body_from_moments(const double moments[3], polhode_body** body) {
  return guarded([&] {
    require_pointer(moments, "moments");
    require_pointer(body, "body");
    const polhode::Vector<double> m{{moments[0], moments[1], moments[2]}};
    *body = new polhode_body(polhode::Body<double>(m));
  });
}

int polhode_body_from_tensor(const double tensor[9], polhode_body** body) {
  return guarded([&] {
    require_pointer(tensor, "tensor");
    require_pointer(body, "body");
    polhode::Matrix<double> t;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) t[i][j] = tensor[3 * i + j];
    *body = new polhode_body(polhode::Body<double>(t));
  });
}

void polhode_body_free(polhode_body* body) { delete body; }

int polhode_step(const polhode_body* body, double momentum[3], double attitude[4], double h) {
  return polhode_steps(body, momentum, attitude, h, 1);
}

int polhode_steps(const polhode_body* body, double momentum[3], double attitude[4], double h, int64_t count) {
  return guarded([&] {
    require_pointer(body, "body");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    require_step(h, count);
    write_state(advance(*body, read_state(momentum, attitude), h, count), momentum, attitude);
  });
}
