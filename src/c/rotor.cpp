#include <memory>
#include <string>
#include <string_view>

#include "body.hpp"
#include "boundary.hpp"
#include "polhode/free_motion/methods.hpp"

/// A rotor of any method.
struct polhode_rotor {  // NOLINT(readability-identifier-naming)
  polhode_rotor() = default;
  polhode_rotor(const polhode_rotor&) = delete;
  polhode_rotor& operator=(const polhode_rotor&) = delete;
  virtual ~polhode_rotor() = default;

  virtual void steps(double h, std::int64_t count) = 0;
  virtual polhode::State<double> state() const = 0;
  virtual polhode::Invariants<polhode::DoubleDouble> invariants() const = 0;

  polhode::Invariants<polhode::DoubleDouble> initial;
};

namespace polhode::c {
namespace {

template <class Method>
class RotorOf final : public polhode_rotor {
 public:
  RotorOf(const Body<double>& body, const State<double>& s) : rotor_(body, s) {
    initial = rotor_.invariants();
  }

  void steps(double h, std::int64_t count) override {
    const auto before = rotor_.motion();
    rotor_.steps(h, count);
    try {
      double momentum[3], attitude[4];
      write_state(rotor_.state(), momentum, attitude);
    } catch (...) {
      rotor_.restore(before);
      throw;
    }
  }
  State<double> state() const override { return rotor_.state(); }
  Invariants<DoubleDouble> invariants() const override { return rotor_.invariants(); }

 private:
  FreeRotor<Method> rotor_;
};

std::unique_ptr<polhode_rotor> make_rotor(const Body<double>& body, const State<double>& s,
                                          std::string_view method) {
  std::unique_ptr<polhode_rotor> result;
  std::string names;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    if (method == Method::info.name) result = std::make_unique<RotorOf<Method>>(body, s);
    names += names.empty() ? "" : ", ";
    names += Method::info.name;
  });
  if (!result)
    throw InputError("there is no method '" + std::string(method.substr(0, 40)) + "'; there are " + names);
  return result;
}

}  // namespace
}  // namespace polhode::c

using namespace polhode::c;

int polhode_rotor_create(const polhode_body* body, const double momentum[3], const double attitude[4],
                         const char* method, polhode_rotor** rotor) {
  return guarded([&] {
    require_pointer(body, "body");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    require_pointer(method, "method");
    require_pointer(rotor, "rotor");
    *rotor = make_rotor(body->body, read_state(momentum, attitude), method).release();
  });
}

void polhode_rotor_free(polhode_rotor* rotor) { delete rotor; }

int polhode_rotor_steps(polhode_rotor* rotor, double h, int64_t count) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_step(h, count);
    rotor->steps(h, count);
  });
}

int polhode_rotor_state(const polhode_rotor* rotor, double momentum[3], double attitude[4]) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    write_state(rotor->state(), momentum, attitude);
  });
}

int polhode_rotor_errors(const polhode_rotor* rotor, double* energy, double* momentum_norm,
                         double spatial_momentum[3]) {
  return guarded([&] {
    require_pointer(rotor, "rotor");
    require_pointer(energy, "energy");
    require_pointer(momentum_norm, "momentum_norm");
    require_pointer(spatial_momentum, "spatial_momentum");
    const auto now = rotor->invariants();
    const auto& then = rotor->initial;
    *energy = static_cast<double>(now.energy - then.energy);
    *momentum_norm = static_cast<double>(now.momentum_norm - then.momentum_norm);
    for (std::size_t i = 0; i < 3; ++i)
      spatial_momentum[i] = static_cast<double>(now.spatial_momentum[i] - then.spatial_momentum[i]);
  });
}
