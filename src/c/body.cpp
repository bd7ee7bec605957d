#include "body.hpp"

#include "boundary.hpp"

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
    polhode::core::RotatingBody<double, polhode::Summation::compensated> rotor(
        body->body, read_state(momentum, attitude));
    rotor.advance_with(body->method, h, count);
    write_state(rotor.state(), momentum, attitude);
  });
}
