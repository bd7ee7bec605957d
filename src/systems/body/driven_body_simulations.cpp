// Splittings with every method of the list, turned from types into values. All of their instances are compiled in this file.
#include <cstring>
#include <type_traits>

#include "polhode/free_motion/methods.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "systems/body/driven_body.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// A torque of the program as one of the core.
class SharedTorque {
 public:
  explicit SharedTorque(std::shared_ptr<const TorqueSystem> system) : system_(std::move(system)) {}

  SharedTorque attached(const Body<double>&) const { return *this; }
  Vector<double> torque(const Quaternion<double>& q, const DoubleDouble& time) const {
    return system_->torque(q, time);
  }
  DoubleDouble potential(const Quaternion<DoubleDouble>& q, const DoubleDouble& time) const {
    return system_->potential(q, time);
  }

 private:
  std::shared_ptr<const TorqueSystem> system_;
};

/// All that does not depend on the method.
class DrivenBody : public Simulation {
 public:
  const Description& description() const final { return description_; }

 protected:
  DrivenBody(std::shared_ptr<const TorqueSystem> system, double step, const DrivenChoice& choice,
             bool compensated)
      : system_(std::move(system)) {
    description_.system = system_->name();
    description_.method = choice.method;
    if (choice.method == "splitting")
      description_.details = std::string(choice.scheme->name) + " with " + choice.free.method;
    description_.compensated = compensated;
    description_.step = step;
    description_.state = body_state();
    description_.derived = body_rotation();
    description_.derived.push_back({"kinetic_energy", 1, 1, "user's units"});
    description_.derived.push_back({"potential_energy", 1, 1, "user's units"});
    for (Quantity& q : system_->derived()) description_.derived.push_back(std::move(q));
    description_.invariants = system_->invariants();
  }

  template <Summation summation>
  void look_at(const Rotor<double, summation>& rotor, const DoubleDouble& time, Snapshot& snapshot) const {
    DrivenView view{view_of(rotor), time, system_->potential(rotor.motion().wide_attitude(), time)};
    snapshot.state.clear();
    append_state(view, snapshot.state);
    snapshot.derived.clear();
    append_rotation(view, snapshot.derived);
    snapshot.derived.push_back(static_cast<double>(view.kinetic_energy()));
    snapshot.derived.push_back(static_cast<double>(view.potential_energy));
    system_->derive(view, snapshot.derived);
    snapshot.invariants.clear();
    system_->measure(view, snapshot.invariants);
  }

 private:
  std::shared_ptr<const TorqueSystem> system_;
  Description description_;
};

template <class Integrator, Summation summation>
class DrivenBodyBy final : public DrivenBody {
 public:
  DrivenBodyBy(const Body<double>& body, const State<double>& initial,
               const std::shared_ptr<const TorqueSystem>& system, double step, const DrivenChoice& choice,
               const Integrator& integrator)
      : DrivenBody(system, step, choice, summation == Summation::compensated),
        rotor_(body, initial, SharedTorque(system), integrator) {}

  void look(Snapshot& snapshot) const override { look_at(rotor_.settled(), rotor_.time(), snapshot); }
  Evaluations evaluations() const override { return {rotor_.evaluations(), 0}; }

 private:
  using Rotor = DrivenRotor<Integrator, SharedTorque, summation>;
  using Saved = typename Rotor::Saved;
  static_assert(std::is_trivially_copyable_v<Saved>);

  void move(std::int64_t count) override { rotor_.steps(description().step, count); }
  std::vector<std::byte> motion_bytes() const override {
    std::vector<std::byte> bytes(sizeof(Saved));
    const Saved saved = rotor_.save();
    std::memcpy(bytes.data(), &saved, sizeof(Saved));
    return bytes;
  }
  void take_motion_bytes(const std::vector<std::byte>& bytes) override {
    if (bytes.size() != sizeof(Saved)) throw InputError("the checkpoint is of another simulation");
    Saved saved;
    std::memcpy(&saved, bytes.data(), sizeof(Saved));
    rotor_.restore(saved);
  }

  Rotor rotor_;
};

}  // namespace

std::unique_ptr<Simulation> make_driven_body(const Body<double>& body, const State<double>& initial,
                                             std::shared_ptr<const TorqueSystem> system, double step,
                                             const DrivenChoice& choice) {
  const auto made = [&]<Summation summation, class Integrator>(
                        std::integral_constant<Summation, summation>,
                        const Integrator& integrator) -> std::unique_ptr<Simulation> {
    return std::make_unique<DrivenBodyBy<Integrator, summation>>(body, initial, system, step, choice,
                                                                 integrator);
  };
  constexpr std::integral_constant<Summation, Summation::compensated> compensated;
  constexpr std::integral_constant<Summation, Summation::plain> plain;
  if (!choice.scheme) {
    const RungeKutta<double> integrator;
    return choice.free.compensated ? made(compensated, integrator) : made(plain, integrator);
  }
  std::unique_ptr<Simulation> result;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    if (choice.free.method != Method::info.name) return;
    const Splitting<Method> integrator(*choice.scheme, options_of<typename Method::Options>(choice.free));
    if constexpr (Method::info.increments) {
      if (choice.free.compensated) {
        result = made(compensated, integrator);
        return;
      }
    }
    result = made(plain, integrator);
  });
  if (!result) throw InputError("there is no method " + quoted(choice.free.method));
  return result;
}

}  // namespace polhode::program
