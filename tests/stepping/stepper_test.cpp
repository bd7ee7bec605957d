// The contract of whatever steps, held by all of them: a new stepper is in the suite by being in the list.
#include "polhode/stepping/stepper.hpp"

#include <gtest/gtest.h>

#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"
#include "polhode/polhode.hpp"

namespace polhode::testing {

using namespace core;

namespace {

constexpr double step_length = 0.01;

Body<double> water() { return Body({0.345, 0.653, 1.0}); }
State<double> start() { return {.momentum = {0.5, 0.2, 0.84}}; }

// Each maker returns a stepper before its first step.

struct MakeRotor {
  static auto make() { return Rotor(water(), start()); }
};
struct MakePlainRotor {
  static auto make() { return Rotor<methods::FrbQuaternion<double>, Summation::plain>(water(), start()); }
};
struct MakeNamedRotor {
  static auto make() { return Rotor(water(), start(), MethodChoice{"dmv10"}); }
};
struct MakeFixedStepRotor {
  static auto make() { return FixedStepRotor(water(), start(), step_length); }
};
struct MakeDrivenRotor {
  static auto make() { return driven(water(), start(), UniformField({0.0, 0.0, 0.3}), scheme("aba-8-6-4")); }
};
struct MakeNamedDrivenRotor {
  static auto make() {
    return driven(water(), start(), UniformField({0.0, 0.0, 0.3}), scheme("rkn6-14"), {"mr"});
  }
};
struct MakeRungeKutta {
  static auto make() {
    return DrivenRotor<methods::RungeKutta<double>, UniformField<double>>(water(), start(),
                                                                          UniformField({0.0, 0.0, 0.3}));
  }
};
struct MakeBatch {
  static auto make() {
    std::vector<State<double>> states(5, start());
    for (std::size_t i = 0; i < states.size(); ++i) states[i].momentum[0] += 0.1 * static_cast<double>(i);
    return Batch(water(), states);
  }
};
template <class Method>
auto two_waters(const typename Method::Options& options) {
  const molecules::ForceField field({molecules::water("spce")}, {.coulomb = coulomb_in_kilojoule_per_mole});
  std::vector<molecules::MoleculeState<double>> states(2);
  states[1].position = {0.3, 0.05, -0.02};
  states[1].turning.attitude = {0.8, 0.0, 0.6, 0.0};
  return molecules::RigidMolecules<Method>(field, {2}, states, scheme("strang"), options);
}
struct MakeRigidMolecules {
  static constexpr double energy_bound = 0.5;  // in kJ/mol: 0.01 ps is a long step for water
  static auto make() { return two_waters<Exact<double>>({}); }
};
struct MakeNamedRigidMolecules {
  static constexpr double energy_bound = 2.0;
  static auto make() { return two_waters<NamedMethod<double>>({"dmv6"}); }
};
using Pendulum = constrained::systems::Pendulum;
using Sphere = constrained::systems::TwoBodySphere;
struct MakeMultistep {
  static auto make() {
    return constrained::Multistep<Pendulum, double>(Pendulum{}, constrained::multistep_table("sy8"),
                                                    Pendulum{}.standard_state(), step_length);
  }
};
struct MakeConstrainedMultistep {
  static auto make() {
    return constrained::Multistep<Sphere, double>(Sphere{}, constrained::console_hairer_table,
                                                  Sphere{}.standard_state(), step_length);
  }
};
struct MakeGauss {
  static auto make() {
    return constrained::Gauss<Pendulum>(Pendulum{}, Pendulum{}.standard_state(), step_length);
  }
};
struct MakeLobatto {
  static auto make() {
    return constrained::Lobatto<Sphere>(Sphere{}, Sphere{}.standard_state(), step_length);
  }
};
struct MakeRattle {
  static auto make() { return constrained::Rattle<Sphere>(Sphere{}, Sphere{}.standard_state(), step_length); }
};

template <class S>
S with_step(S stepper) {
  if constexpr (FreeStepper<S>) stepper.set_step(step_length);
  return stepper;
}

void append(const State<double>& s, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), s.momentum.c.begin(), s.momentum.c.end());
  numbers.insert(numbers.end(), s.attitude.c.begin(), s.attitude.c.end());
}

/// The state, and all that is kept beside it, as numbers that must be equal.
template <class S>
std::vector<double> numbers_of(const S& stepper) {
  std::vector<double> numbers{static_cast<double>(stepper.time()), static_cast<double>(stepper.steps_taken()),
                              static_cast<double>(stepper.energy()),
                              static_cast<double>(stepper.evaluations().force),
                              static_cast<double>(stepper.evaluations().constraint)};
  const auto state = stepper.state();
  if constexpr (requires { state.attitude; }) {
    append(state, numbers);
  } else if constexpr (requires { state.position; }) {
    for (const double x : state.position) numbers.push_back(x);
    for (const double x : state.momentum) numbers.push_back(x);
  } else if constexpr (requires { state.states(); }) {
    for (const auto& s : state.states()) {
      numbers.insert(numbers.end(), s.position.c.begin(), s.position.c.end());
      append(s.turning, numbers);
    }
  } else {
    for (const State<double>& s : state) append(s, numbers);
  }
  return numbers;
}

template <class Maker>
class Contract : public ::testing::Test {
 public:
  static auto made() { return with_step(Maker::make()); }
};

using Makers = ::testing::Types<MakeRotor, MakePlainRotor, MakeNamedRotor, MakeFixedStepRotor,
                                MakeDrivenRotor, MakeNamedDrivenRotor, MakeRungeKutta, MakeBatch,
                                MakeRigidMolecules, MakeNamedRigidMolecules, MakeMultistep,
                                MakeConstrainedMultistep, MakeGauss, MakeLobatto, MakeRattle>;
TYPED_TEST_SUITE(Contract, Makers);

TYPED_TEST(Contract, IsObeyed) {
  using S = decltype(this->made());
  static_assert(Stepper<S>);
  static_assert(HasEnergy<S>);
}

TYPED_TEST(Contract, DivisionOfARunChangesNoBit) {
  auto whole = this->made(), divided = this->made();
  whole.advance(100);
  for (const int count : {1, 7, 0, 62, 30}) {
    divided.advance(count);
    numbers_of(divided);  // a look changes nothing
  }
  EXPECT_EQ(numbers_of(whole), numbers_of(divided));
}

TYPED_TEST(Contract, GoesOnFromWhatWasSaved) {
  auto stepper = this->made(), other = this->made();
  stepper.advance(33);
  const std::vector<std::byte> saved = stepper.save();
  stepper.advance(20);
  const std::vector<double> expected = numbers_of(stepper);
  stepper.restore(saved);
  EXPECT_EQ(stepper.steps_taken(), 33);
  stepper.advance(20);
  EXPECT_EQ(numbers_of(stepper), expected);
  other.restore(saved);
  other.advance(20);
  EXPECT_EQ(numbers_of(other), expected);
}

TYPED_TEST(Contract, KeepsTime) {
  auto stepper = this->made();
  EXPECT_EQ(static_cast<double>(stepper.time()), 0.0);
  EXPECT_EQ(stepper.steps_taken(), 0);
  stepper.advance(1000);
  EXPECT_EQ(stepper.steps_taken(), 1000);
  EXPECT_EQ(stepper.time(),
            DoubleDouble(step_length) * DoubleDouble(1000.0));  // a sum of doubles would be off
}

TYPED_TEST(Contract, RefusesWrongInputAndStays) {
  auto stepper = this->made();
  stepper.advance(3);
  const std::vector<double> before = numbers_of(stepper);
  std::vector<std::byte> saved = stepper.save();
  EXPECT_THROW(stepper.advance(-1), InputError);
  saved.pop_back();
  EXPECT_THROW(stepper.restore(saved), InputError);
  EXPECT_THROW(stepper.restore({}), InputError);
  if constexpr (FreeStepper<decltype(stepper)>) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_THROW(stepper.advance(std::nan(""), 1), InputError);
    EXPECT_THROW(stepper.advance(infinity, 1), InputError);
    EXPECT_THROW(stepper.set_step(-infinity), InputError);
    EXPECT_THROW(stepper.advance(0.1, -1), InputError);
    auto fresh = TypeParam::make();
    EXPECT_THROW(fresh.advance(1), InputError);  // no step was set
    fresh.advance(0);
  }
  EXPECT_EQ(numbers_of(stepper), before);
}

TYPED_TEST(Contract, StepsOfAnotherLengthAddUp) {
  auto stepper = this->made();
  if constexpr (FreeStepper<decltype(stepper)>) {
    auto other = this->made();
    stepper.advance(0.01, 10);
    stepper.advance(0.005, 20);
    stepper.advance(-0.005, 20);
    other.advance(10);
    EXPECT_EQ(stepper.steps_taken(), 50);
    EXPECT_NEAR(static_cast<double>(stepper.time()), 0.1, 1e-17);
    EXPECT_NEAR(static_cast<double>(stepper.energy() - other.energy()), 0.0, 1e-9);
    stepper.advance(0.0, 5);  // moves nothing
    EXPECT_EQ(stepper.steps_taken(), 55);
  }
}

TYPED_TEST(Contract, NearlyKeepsTheEnergy) {
  auto stepper = this->made();
  const DoubleDouble before = stepper.energy();
  stepper.advance(200);
  double bound = 3e-4;
  if constexpr (requires { TypeParam::energy_bound; }) bound = TypeParam::energy_bound;
  EXPECT_LT(std::abs(static_cast<double>(stepper.energy() - before)), bound);
}

/// A force that has no value beyond q = 1, and a motion that gets there.
struct Cliff {
  static constexpr std::size_t dimension = 1;
  template <class T>
  T potential(std::span<const T> q) const {
    return -sqrt(T(1) - q[0]);
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    f[0] = -T(0.5) / sqrt(T(1) - q[0]);
  }
};

template <class S>
void expect_none_taken(S stepper) {
  stepper.advance(20);
  const auto before = stepper.save();
  EXPECT_THROW(stepper.advance(100000), MotionError);
  EXPECT_EQ(stepper.steps_taken(), 20);
  EXPECT_EQ(stepper.save(), before);
  stepper.advance(1);
}

TEST(AllOrNone, OfSystemsInCoordinates) {
  constrained::PhasePointOf<Cliff, DoubleDouble> initial;
  initial.position[0] = 0.0;
  initial.momentum[0] = 2.0;
  using namespace constrained;
  expect_none_taken(Multistep<Cliff, double>(Cliff{}, multistep_table("sy4"), initial, 1e-3));
  expect_none_taken(Gauss<Cliff>(Cliff{}, initial, 1e-3));
  expect_none_taken(Lobatto<Cliff>(Cliff{}, initial, 1e-3));
}

TEST(AllOrNone, OfDrivenBodies) {
  const auto torque = [](const Quaternion<double>&, double time) {
    return Vector<double>{time < 0.5 ? 0.1 : std::nan(""), 0.0, 0.0};
  };
  auto rotor = driven(water(), start(), torque, scheme("rkn6-14"));
  rotor.advance(0.01, 20);
  const State<double> before = rotor.state();
  const double time = static_cast<double>(rotor.time());
  EXPECT_THROW(rotor.advance(0.01, 100), MotionError);
  EXPECT_THROW(rotor.advance(0.02, 100), MotionError);  // synchronized for another step, and taken back
  EXPECT_EQ(rotor.state(), before);
  EXPECT_EQ(static_cast<double>(rotor.time()), time);
  EXPECT_EQ(rotor.steps_taken(), 20);
  rotor.advance(1);
}

}  // namespace
}  // namespace polhode::testing
