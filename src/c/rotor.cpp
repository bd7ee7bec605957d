#include <vector>

#include "batch/instruction_set.hpp"
#include "body.hpp"
#include "boundary.hpp"
#include "polhode/free_motion/rotor.hpp"

struct polhode_rotor {  // NOLINT(readability-identifier-naming)
  polhode::Rotor<polhode::NamedMethod<double>> rotor;
};

using namespace polhode::c;

int polhode_rotor_create(const polhode_body* body, const double momentum[3], const double attitude[4],
                         const char* method, polhode_rotor** rotor) {
  return guarded([&] {
    require_pointer(body, "body");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    require_pointer(method, "method");
    require_pointer(rotor, "rotor");
    *rotor = new polhode_rotor{
        {body->body, read_state(momentum, attitude), {.name = method, .functions = method_functions()}}};
  });
}

void polhode_rotor_free(polhode_rotor* rotor) { delete rotor; }

int polhode_rotor_steps(polhode_rotor* rotor, double h, int64_t count) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_step(h, count);
    const std::vector<std::byte> before = rotor->rotor.save();
    rotor->rotor.advance(h, count);
    try {
      require_finite(rotor->rotor.state());
    } catch (...) {
      rotor->rotor.restore(before);
      throw;
    }
  });
}

int polhode_rotor_state(const polhode_rotor* rotor, double momentum[3], double attitude[4]) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    write_state(rotor->rotor.state(), momentum, attitude);
  });
}

int polhode_rotor_errors(const polhode_rotor* rotor, double* energy, double* momentum_norm,
                         double spatial_momentum[3]) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_pointer(energy, "energy");
    require_pointer(momentum_norm, "momentum_norm");
    require_pointer(spatial_momentum, "spatial_momentum");
    const auto errors = rotor->rotor.errors();
    *energy = static_cast<double>(errors.energy);
    *momentum_norm = static_cast<double>(errors.momentum_norm);
    for (std::size_t i = 0; i < 3; ++i) spatial_momentum[i] = static_cast<double>(errors.spatial_momentum[i]);
  });
}
