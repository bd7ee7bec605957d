#include <limits>
#include <string>
#include <vector>

#include "batch/instruction_set.hpp"
#include "body.hpp"
#include "boundary.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "scheme.hpp"

using namespace polhode::c;

namespace {

/// The function of a C program as the library calls it.
struct Callback {
  polhode_torque function;
  void* user;
  bool of_velocity;

  Vector<double> operator()(const Quaternion<double>& q, const Vector<double>& omega, double time) const {
    // The function is promised an attitude of norm one; kicks that are too large leave none.
    bool finite = std::isfinite(time);
    for (const double x : q.c) finite = finite && std::isfinite(x);
    for (const double x : omega.c) finite = finite && (!of_velocity || std::isfinite(x));
    if (!finite)
      throw MotionError("the motion at time " + digits_of(time) +
                        " is not a finite number: the step or the torque is too large");
    constexpr double unset = std::numeric_limits<double>::quiet_NaN();
    Vector<double> torque{{unset, unset, unset}};
    const int status = function(q.c.data(), omega.c.data(), time, torque.c.data(), user);
    if (status != 0)
      throw MotionError("the torque at time " + digits_of(time) + " returned the status " +
                        std::to_string(status));
    return torque;
  }
};

TorqueList<double> torque_list(const Callback& call, int kind) {
  if (kind == POLHODE_TORQUE_OF_VELOCITY) return TorqueList<double>(call);
  require(kind == POLHODE_TORQUE_OF_ATTITUDE,
          "the kind of a torque is POLHODE_TORQUE_OF_ATTITUDE or POLHODE_TORQUE_OF_VELOCITY");
  return TorqueList<double>([call](const Quaternion<double>& q, double time) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return call(q, {{none, none, none}}, time);
  });
}

}  // namespace

struct polhode_driven {  // NOLINT(readability-identifier-naming)
  using Rotor = DrivenRotor<Splitting<NamedMethod<double>>, TorqueList<double>>;

  Rotor rotor;
  /// After the last step. To look at it may ask for the torque, which may fail: that is done with the steps.
  State<double> state;
  Vector<double> angular_velocity;

  explicit polhode_driven(const Rotor& r) : rotor(r) { look(); }

  void look() {
    const auto now = rotor.synchronized();
    const State<double> s = now.state();
    require_finite(s);
    angular_velocity = rotor.angular_velocity_of(now);
    state = s;
  }
};

int polhode_driven_create(const polhode_body* body, const double momentum[3], const double attitude[4],
                          double start, const polhode_scheme* scheme, const char* method,
                          polhode_torque torque, int kind, void* user, polhode_driven** driven) {
  return guarded([&] {
    require_pointer(body, "body");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    require(torque != nullptr, "torque is a null pointer");
    require_pointer(driven, "driven");
    require(std::isfinite(start), "the time at the start is not a finite number");
    const TorqueList<double> list = torque_list({torque, user, kind == POLHODE_TORQUE_OF_VELOCITY}, kind);
    const OwnScheme chosen =
        scheme != nullptr ? scheme->scheme : OwnScheme(default_scheme(list.attached(body->body)));
    const Splitting<NamedMethod<double>> splitting(
        chosen, {.name = method != nullptr ? method : "exact", .functions = method_functions()});
    *driven = new polhode_driven(
        polhode_driven::Rotor(body->body, read_state(momentum, attitude), list, splitting, start));
  });
}

void polhode_driven_free(polhode_driven* driven) { delete driven; }

int polhode_driven_steps(polhode_driven* driven, double h, int64_t count) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_step(h, count);
    const std::vector<std::byte> before = driven->rotor.save();
    driven->rotor.advance(h, count);
    try {
      driven->look();
    } catch (...) {
      driven->rotor.restore(before);
      throw;
    }
  });
}

int polhode_driven_state(const polhode_driven* driven, double momentum[3], double attitude[4]) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    write_state(driven->state, momentum, attitude);
  });
}

int polhode_driven_angular_velocity(const polhode_driven* driven, double angular_velocity[3]) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_pointer(angular_velocity, "angular_velocity");
    for (std::size_t i = 0; i < 3; ++i) angular_velocity[i] = driven->angular_velocity[i];
  });
}

int polhode_driven_time(const polhode_driven* driven, double* time) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_pointer(time, "time");
    *time = static_cast<double>(driven->rotor.time());
  });
}

int polhode_driven_order(const polhode_driven* driven, int* order) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_pointer(order, "order");
    *order = driven->rotor.order();
  });
}

int polhode_driven_evaluations(const polhode_driven* driven, int64_t* evaluations) {
  return guarded([&] {
    require_pointer(driven, "driven");
    require_pointer(evaluations, "evaluations");
    *evaluations = driven->rotor.evaluations().force;
  });
}
