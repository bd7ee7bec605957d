// The batch of bodies under torque gives the bits of DrivenRotor.

#include "polhode/batch/driven_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>

#include "batch/instruction_set.hpp"
#include "tests/batch/driven_crowd.hpp"

namespace polhode::testing {

using namespace core;
namespace {

/// POLHODE_TEST_BODIES bodies of each kind of torque, where that is set.
std::size_t bodies_of_each() {
  const char* const wish = std::getenv("POLHODE_TEST_BODIES");
  return wish == nullptr ? 91 : std::strtoul(wish, nullptr, 10);
}

struct DrivenSteps {
  double h;
  std::int64_t count;
};
constexpr std::array<DrivenSteps, 5> driven_programme{
    {{0.01, 3}, {0.05, 4}, {-0.02, 1}, {0.0, 2}, {0.03, 2}}};

template <class Rotor>
void go(Rotor& rotor) {
  for (const DrivenSteps& s : driven_programme) rotor.advance(s.h, s.count);
}

/// The bodies of a crowd that a DrivenRotor can step, with what `more` adds to their torques: a function that knows nothing of the
/// size of a body is too strong for some.
DrivenCrowd crowd_of(std::size_t count, const TorqueMaker& maker,
                     const std::function<void(TorqueList<double>&)>& more = {}) {
  const DrivenCrowd all(count, maker);
  DrivenCrowd result(0, maker);
  for (std::size_t i = 0; i < all.states.size(); ++i) {
    TorqueList<double> list = all.torques[i];
    if (more) more(list);
    try {
      auto rotor = driven(all.bodies[i], all.states[i], list, scheme(maker.scheme));
      go(rotor);
      constexpr std::int64_t too_many = 5000;  // a law that is as strong as that needs another step
      if (rotor.evaluations().force > too_many) continue;
    } catch (const std::exception&) {
      continue;
    }
    result.bodies.push_back(all.bodies[i]);
    result.states.push_back(all.states[i]);
    result.torques.push_back(all.torques[i]);
  }
  return result;
}

/// Bodies of ordinary size.
DrivenCrowd plain_crowd(std::size_t count) {
  DrivenCrowd result(0, torque_makers().front());
  Draw draw{std::mt19937_64(3)};
  for (std::size_t i = 0; i < count; ++i) {
    result.bodies.emplace_back(Vector<double>{draw.uniform(1, 2), draw.uniform(1, 2), draw.uniform(1, 2)});
    result.states.push_back({draw.vector(), {draw.normal(), draw.normal(), draw.normal(), draw.normal()}});
    result.torques.emplace_back(UniformField<double>(draw.vector(), draw.vector()));
  }
  return result;
}

void expect_rotors(const DrivenBatch& batch, const DrivenCrowd& crowd, const Scheme& scheme) {
  const std::vector<State<double>> states = batch.state();
  const std::vector<Vector<double>> rates = batch.angular_velocity();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    auto rotor = driven(crowd.bodies[i], crowd.states[i], crowd.torques[i], scheme);
    go(rotor);
    ASSERT_EQ(states[i], rotor.state()) << i;
    ASSERT_EQ(rates[i], rotor.angular_velocity()) << i;
    auto copy = rotor;
    copy.restore(batch.save(i));
    ASSERT_EQ(copy.wide_state(), rotor.wide_state()) << i;
    ASSERT_EQ(copy.steps_taken(), rotor.steps_taken());
  }
}

class DrivenBatchTorques : public ::testing::TestWithParam<TorqueMaker> {};

TEST_P(DrivenBatchTorques, HasTheBitsOfDrivenRotor) {
  const TorqueMaker& maker = GetParam();
  const DrivenCrowd crowd = crowd_of(bodies_of_each(), maker);
  ASSERT_GT(crowd.states.size(), bodies_of_each() * 2 / 3);
  for (const BatchFunctions* const functions : available_batch_functions()) {
    DrivenBatch batch(crowd.bodies, crowd.states, crowd.torques, scheme(maker.scheme), {}, DoubleDouble(0),
                      *functions);
    batch.set_threads(2);
    go(batch);
    expect_rotors(batch, crowd, scheme(maker.scheme));
  }
}

INSTANTIATE_TEST_SUITE_P(All, DrivenBatchTorques, ::testing::ValuesIn(torque_makers()),
                         [](const auto& given) { return given.param.name; });

const TorqueMaker& maker_named(const std::string& name) {
  static const std::vector<TorqueMaker> all = torque_makers();
  return *std::find_if(all.begin(), all.end(), [&](const TorqueMaker& m) { return m.name == name; });
}

TEST(DrivenBatch, HasTheBitsOfEveryScheme) {
  const DrivenCrowd crowd(23, maker_named("GravityOfEllipses"));
  for (const Scheme& scheme : schemes) {
    DrivenBatch batch(crowd.bodies, crowd.states, crowd.torques, scheme);
    go(batch);
    expect_rotors(batch, crowd, scheme);
    if (HasFatalFailure()) FAIL() << scheme.name;
  }
}

// Alone, with any neighbours, and in a last pack of any number of lanes: the same bits.
TEST(DrivenBatch, DoesNotDependOnNeighbours) {
  const DrivenCrowd crowd(40, maker_named("GravityOfOneOrbit"));
  DrivenBatch all(crowd.bodies, crowd.states, crowd.torques);
  go(all);
  for (std::size_t count = 0; count < 7; ++count) {
    for (std::size_t first = 0; first + count <= crowd.states.size(); first += 9) {
      DrivenBatch some(std::span(crowd.bodies).subspan(first, count),
                       std::span(crowd.states).subspan(first, count),
                       std::span(crowd.torques).subspan(first, count));
      go(some);
      ASSERT_EQ(some.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(some.wide_state(i), all.wide_state(first + i));
    }
  }
}

TEST(DrivenBatch, HasTheSameBitsForAnyNumberOfThreadsAndCalls) {
  const DrivenCrowd crowd(301, maker_named("DampingByMatrices"));
  DrivenBatch one(crowd.bodies, crowd.states, crowd.torques);
  one.advance(0.02, 7);
  for (const unsigned threads : {2U, 5U, 0U}) {
    DrivenBatch many(crowd.bodies, crowd.states, crowd.torques);
    many.set_threads(threads);
    many.advance(0.02, 3);
    DrivenBatch copy = many;
    many.state();
    copy.advance(3);
    many.restore(copy.save());
    many.advance(1);
    EXPECT_EQ(many.state(), one.state());
    EXPECT_EQ(many.evaluations().force, one.evaluations().force);
    EXPECT_EQ(many.time(), one.time());
  }
}

TEST(DrivenBatch, OfOneBodyAndOneListHasTheSameBits) {
  DrivenCrowd crowd(50, maker_named("DampingByMatrices"));
  const Body<double> body(Vector<double>{0.8, 0.3, 1.1});
  const TorqueList<double> list = crowd.torques[1];
  crowd.bodies.assign(crowd.states.size(), body);
  crowd.torques.assign(crowd.states.size(), list);
  DrivenBatch one(body, crowd.states, list), several(crowd.bodies, crowd.states, list);
  go(one);
  go(several);
  expect_rotors(one, crowd, scheme("strang"));
  expect_rotors(several, crowd, scheme("strang"));
}

/// Functions of one body, and the same of all at once.
constexpr auto pull_at = [](const Quaternion<double>& q, double t) {
  return Vector<double>{q[1] * q[2], std::sin(t) * q[3], q[0] * q[1] - q[2]};
};
Vector<double> law_at(const Quaternion<double>& q, const Vector<double>& omega, double t, double strength) {
  return {-strength * omega[0] + q[1], -0.2 * omega[1] * omega[2], std::cos(t) - strength * omega[2]};
}
void pull_all(ArrayTorques::Attitudes q, double t, std::span<Vector<double>> torques) {
  for (std::size_t i = 0; i < q.size(); ++i) torques[i] = pull_at(q[i], t);
}

struct ArrayCase {
  std::string name, scheme, torques;
  double strength;
  bool pulls, steers;
};

class DrivenBatchArrays : public ::testing::TestWithParam<ArrayCase> {};

TEST_P(DrivenBatchArrays, HasTheBitsOfDrivenRotor) {
  const ArrayCase& c = GetParam();
  TorqueMaker maker = maker_named(c.torques);
  maker.scheme = c.scheme;
  const auto law = [&](const Quaternion<double>& q, const Vector<double>& omega, double t) {
    return law_at(q, omega, t, c.strength);
  };
  const auto add = [&](TorqueList<double>& list) {
    if (c.pulls) list.add(pull_at);
    if (c.steers) list.add(law);
  };
  // A strong law and a fast body need other steps than these.
  DrivenCrowd with = crowd_of(91, maker, add);
  ASSERT_GT(with.states.size(), 65);
  ArrayTorques arrays;
  if (c.pulls) arrays.torques.push_back(pull_all);
  if (c.steers)
    arrays.controls.push_back([&](ArrayTorques::Attitudes q, ArrayTorques::Vectors omega, double t,
                                  std::span<Vector<double>> torques) {
      for (std::size_t i = 0; i < q.size(); ++i) torques[i] = law(q[i], omega[i], t);
    });
  DrivenBatch batch(with.bodies, with.states, with.torques, scheme(c.scheme), arrays);
  batch.set_threads(2);
  go(batch);
  for (TorqueList<double>& list : with.torques) add(list);
  expect_rotors(batch, with, scheme(c.scheme));
}

INSTANTIATE_TEST_SUITE_P(
    All, DrivenBatchArrays,
    ::testing::Values(ArrayCase{"Torque", "rkn6-14", "GravityOfEllipses", 0.3, true, false},
                      ArrayCase{"TorqueAlone", "strang", "Nothing", 0.3, true, false},
                      ArrayCase{"TorqueOfKicksFirst", "blanes-moan-6", "Nothing", 0.3, true, false},
                      ArrayCase{"TorqueAndWheels", "strang", "WheelsAndDamping", 0.3, true, false},
                      ArrayCase{"Control", "strang", "UniformField", 0.3, false, true},
                      ArrayCase{"ControlOfOrder4", "aba-8-6-4", "GravityOfOneOrbit", 0.1, true, true},
                      ArrayCase{"ControlOfOrder6", "rkn6-14", "Nothing", 0.1, false, true},
                      ArrayCase{"StrongControl", "strang", "WheelsAndDamping", 4.0, true, true},
                      ArrayCase{"StrongControlOfOrder4", "aba-8-6-4", "UniformField", 4.0, false, true},
                      ArrayCase{"ControlAndControlOfOneBody", "strang", "AControl", 0.3, false, true},
                      ArrayCase{"ControlAndChangingInertia", "strang", "ChangingInertia", 0.2, true, true},
                      ArrayCase{"ControlAndDampingOfSome", "aba-8-2", "DampingOfSome", 0.2, false, true}),
    [](const auto& given) { return given.param.name; });

/// The body is named, in whichever lane it stands.
TEST(DrivenBatch, StopsBeforeATorqueThatIsNotFinite) {
  const DrivenCrowd crowd = plain_crowd(13);
  for (std::size_t bad = 0; bad < crowd.bodies.size(); ++bad) {
    std::vector<TorqueList<double>> torques = crowd.torques;
    for (std::size_t i = 0; i < torques.size(); ++i)
      torques[i].add([i, bad](const Quaternion<double>&, double t) {
        return Vector<double>{i == bad && t > 0.3 ? std::nan("") : 0.0, 0.0, 0.0};
      });
    DrivenBatch batch(crowd.bodies, crowd.states, torques);
    batch.advance(0.05, 3);
    const auto before = batch.save();
    try {
      batch.advance(0.1, 10);
      FAIL();
    } catch (const MotionError& e) {
      EXPECT_EQ(e.what(),
                "body " + std::to_string(bad) +
                    ", counted from 0: the torque at time 0.35000000000000003 is not a finite number");
    }
    EXPECT_EQ(batch.save(), before);
    EXPECT_DOUBLE_EQ(static_cast<double>(batch.time()), 0.15);
  }
}

TEST(DrivenBatch, LetsExceptionsOfFunctionsThrough) {
  struct Trouble {};
  const DrivenCrowd crowd = plain_crowd(300);
  TorqueList<double> list;
  list.add([](const Quaternion<double>&, double t) {
    if (t > 0.3) throw Trouble();
    return Vector<double>{};
  });
  DrivenBatch batch(crowd.bodies, crowd.states, list);
  batch.set_threads(2);
  batch.advance(0.1, 2);
  const auto before = batch.save();
  EXPECT_THROW(batch.advance(10), Trouble);
  EXPECT_EQ(batch.save(), before);
}

TEST(DrivenBatch, RefusesWhatIsWrong) {
  const DrivenCrowd crowd = plain_crowd(6);
  const std::span bodies(crowd.bodies);
  const std::span states(crowd.states);
  const std::span torques(crowd.torques);
  EXPECT_THROW(DrivenBatch(bodies.first(3), states, torques), InputError);
  EXPECT_THROW(DrivenBatch(bodies, states, torques.first(2)), InputError);
  std::vector<State<double>> wrong = crowd.states;
  wrong[2].attitude = {0, 0, 0, 0};
  EXPECT_THROW(DrivenBatch(bodies, wrong, torques), InputError);
  std::vector<TorqueList<double>> other = crowd.torques;
  other[3].add(Damping(0.1));
  other[3].add(ConstantTorque<double>({0, 0, 1}));
  EXPECT_THROW(DrivenBatch(bodies, states, other), InputError);
  DrivenBatch batch(bodies, states, torques);
  EXPECT_THROW(batch.advance(1), InputError);
  EXPECT_THROW(batch.advance(0.1, -1), InputError);
  EXPECT_THROW(batch.set_step(std::nan("")), InputError);
  std::vector<std::byte> bytes = batch.save();
  bytes.pop_back();
  EXPECT_THROW(batch.restore(bytes), InputError);
  // A step that runs strong damping backwards, by one of the bodies.
  TorqueList<double> damped(Damping(40.0));
  DrivenBatch backwards(bodies, states, damped, scheme("rkn6-14"));
  EXPECT_THROW(backwards.advance(1.0, 1), InputError);
}

}  // namespace
}  // namespace polhode::testing
