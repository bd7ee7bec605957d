// A hash of many cases of everything that promises its bits: one line for each kind of motion. Whatever compiled this program, the lines
// are the same, and for any number of threads of the batches: scripts/compare-bits compares them. Usage: bits [cases] [threads] [name]
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/four_points.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/free_motion/fixed_step.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "polhode/free_motion/tangent.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "polhode/gravity/extended_bodies.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/constant_torque.hpp"
#include "polhode/torque/uniform_field.hpp"
#ifndef __wasm__  // has no threads
#include "polhode/batch/batch.hpp"
#include "polhode/batch/driven_batch.hpp"
#endif

namespace {

using namespace polhode;

/// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  /// Of any size between two powers of two.
  double power(int low, int high) {
    const int exponent = low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low));
    return std::ldexp(uniform(1.0, 2.0), exponent);
  }
  double sign() { return (bits() & 1) != 0 ? 1.0 : -1.0; }

 private:
  std::uint64_t state_;
};

class Hash {
 public:
  void add(double x) {
    // A zero is a zero, and a NaN a NaN, whatever their signs.
    const std::uint64_t bits = x == 0.0 ? 0 : (std::isnan(x) ? 1 : std::bit_cast<std::uint64_t>(x));
    sum_ = (sum_ ^ bits) * 0x100000001b3U;
    sum_ ^= sum_ >> 29;
  }
  void add(const DoubleDouble& x) {
    add(x.high());
    add(x.low());
  }
  template <class S>
  void add_state(const S& s) {
    for (const auto& x : s.momentum.c) add(x);
    for (const auto& x : s.attitude.c) add(x);
  }
  void print(const char* name, std::int64_t asked, std::int64_t cases) const {
    std::printf("%-24s %9lld %9lld %016llx\n", name, static_cast<long long>(asked),
                static_cast<long long>(cases), static_cast<unsigned long long>(sum_));
  }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

struct Case {
  Vector<double> moments;
  State<double> state;
  int unit = 0;  ///< of the momentum, as a power of two
};

/// Bodies of ratios up to 2^13, one in eight symmetric; momenta in all directions, some of them next to an axis by down to 2^-600,
/// some in units that are nearly too large or too small.
Case random_case(Random& random) {
  Case c{{1.0, random.power(-13, 1), random.power(-13, 1)}, {}};
  const std::uint64_t kind = random.bits() % 16;
  if (kind == 0) c.moments[1] = c.moments[0];
  if (kind == 1) c.moments[2] = c.moments[1];
  for (std::size_t i = 0; i < 3; ++i) c.state.momentum[i] = random.uniform(-1.0, 1.0);
  if (kind >= 10) {
    const std::size_t axis = random.bits() % 3;
    for (std::size_t i = 0; i < 3; ++i)
      if (i != axis) {
        const double sign = random.sign();
        c.state.momentum[i] = sign * random.power(kind < 14 ? -60 : -600, 0);
      }
  }
  if (kind >= 2 && kind < 5) c.unit = kind == 2 ? 1020 : (kind == 3 ? -900 : 400);
  for (double& x : c.state.momentum.c) x = std::ldexp(x, c.unit);
  for (std::size_t i = 0; i < 4; ++i) c.state.attitude[i] = random.uniform(-1.0, 1.0);
  return c;
}

/// A step whose angle is between these powers of two: the greatest angular velocity is about 1/(least moment).
double step_of(Random& random, const Case& c, int low, int high) {
  const double least = std::fmin(c.moments[0], std::fmin(c.moments[1], c.moments[2]));
  const double sign = random.sign();
  const double step = std::ldexp(least * random.power(low, high), -c.unit);
  return sign * std::fmin(step, 0x1p1023);
}

Vector<double> any_vector(Random& random) {
  Vector<double> v{};
  for (double& x : v.c) x = random.uniform(-1, 1);
  return v;
}

/// So many cases, by so many threads, of the kinds with this in their name.
struct Asked {
  std::int64_t cases;
  unsigned threads;
  std::string_view name;
};
constexpr std::int64_t round_size = 10'000;

/// One kind of motion, of which there is one case in `share` of those that are asked for: some(n, result) adds the next n of them. The hash is
/// printed after 10^4, 10^5 ... cases: the lines of a run are among those of a longer one.
template <class Some>
void hash(const Asked& asked, const char* name, std::int64_t share, Some&& some) {
  if (std::string_view(name).find(asked.name) == std::string_view::npos) return;
  Hash result;
  std::int64_t next = round_size;
  for (std::int64_t done = round_size; done <= asked.cases; done += round_size) {
    some(static_cast<std::size_t>(round_size / share), result);
    if (done < next) continue;
    result.print(name, done, done / share);
    next *= 10;
  }
}
template <class Move>
void hash_each(const Asked& asked, const char* name, std::int64_t share, std::uint64_t seed, Move&& move) {
  hash(asked, name, share, [&, random = Random(seed)](std::size_t count, Hash& result) mutable {
    for (std::size_t i = 0; i < count; ++i) move(random, result);
  });
}

template <class Method>
void hash_method(const Asked& asked, const char* name, std::int64_t share, int low, int high, int count) {
  hash_each(asked, name, share, 1, [&](Random& random, Hash& result) {
    const Case c = random_case(random);
    Rotor<Method> rotor(Body<double>(c.moments), c.state);
    try {
      rotor.advance(step_of(random, c, low, high), count);
    } catch (const MotionError&) {
      result.add(-1.0);  // where an iteration does not converge, it does not anywhere
    }
    result.add_state(rotor.wide_state());
  });
}

#ifndef __wasm__
/// Many bodies, with momenta of one size: one step for all, angles up to 2^24.
template <class T>
struct Crowd {
  std::vector<Body<T>> bodies;
  std::vector<State<T>> states;

  Crowd(Random& random, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Case c = random_case(random);
      for (double& x : c.state.momentum.c) x = std::ldexp(x, -c.unit);
      bodies.emplace_back(convert<T>(c.moments));
      states.push_back(convert<T>(c.state));
    }
  }
};

template <class Batch, class T>
void hash_batch(const Asked& asked, const char* name) {
  hash(asked, name, 1, [&, random = Random(7)](std::size_t count, Hash& result) mutable {
    const Crowd<T> crowd(random, count);
    for (const T h : {T(0.001), T(0.1), T(3.0), T(1000.0)}) {
      Batch batch(crowd.bodies, crowd.states);
      batch.set_threads(asked.threads);
      batch.advance(h, 3);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if constexpr (std::same_as<T, float>)
          result.add_state(batch.state(i));
        else
          result.add_state(batch.wide_state(i));
      }
    }
  });
}

/// Arrays of states of one body, as programs own them.
void hash_states(const Asked& asked) {
  const Body<double> body(Matrix<double>{{2.0, 0.25, 0.125}, {0.25, 3.0, -0.5}, {0.125, -0.5, 4.0}});
  const StateSteps steps(body);
  hash(asked, "batch of states", 1, [&, random = Random(7)](std::size_t count, Hash& result) mutable {
    const Crowd<double> crowd(random, count);
    std::vector<double> m, q;
    for (const State<double>& s : crowd.states) {
      m.insert(m.end(), s.momentum.c.begin(), s.momentum.c.end());
      q.insert(q.end(), s.attitude.c.begin(), s.attitude.c.end());
    }
    for (const double h : {0.01, 0.5, 30.0}) {
      std::vector<double> m1(m.size()), q1(q.size());
      steps.advance({m.data(), q.data(), m1.data(), q1.data()}, 0, count, h, 2,
                    [](std::size_t, const InputError&) {});
      for (const double x : m1) result.add(x);
      for (const double x : q1) result.add(x);
    }
  });
}

/// Torques that call nothing of the library of C: that is another one on other machines.
void hash_driven_batch(const Asked& asked) {
  hash(asked, "driven batch", 4, [&, random = Random(8)](std::size_t count, Hash& result) mutable {
    std::vector<Body<double>> bodies;
    std::vector<State<double>> states;
    std::vector<torques::TorqueList<double>> lists;
    for (std::size_t i = 0; i < count; ++i) {
      Case c = random_case(random);
      for (double& x : c.moments.c) x = 0.25 + x / (1.0 + x);
      for (double& x : c.state.momentum.c) x = std::ldexp(x, -c.unit);
      bodies.emplace_back(c.moments);
      states.push_back(c.state);
      const Vector<double> field = any_vector(random), arm = any_vector(random),
                           constant = any_vector(random);
      lists.emplace_back();
      lists.back().add(UniformField<double>(field, arm));
      lists.back().add(torques::ConstantTorque<double>(constant));
      lists.back().add(torques::Damping<double>(random.uniform(0.01, 0.2)));
    }
    DrivenBatch batch(bodies, states, lists, scheme("aba-8-6-4"));
    batch.set_threads(asked.threads);
    batch.advance(0.0625, 3);
    for (const State<double>& s : batch.state()) result.add_state(s);
  });
}

#endif

template <class T>
void add(Hash& result, const Matrix<T>& a) {
  for (const auto& row : a.rows)
    for (const auto& x : row.c) result.add(x);
}

void hash_tangents(const Asked& asked) {
  hash_each(asked, "tangent maps", 8, 9, [](Random& random, Hash& result) {
    const Case c = random_case(random);
    const Body<double> body(c.moments);
    const double h = step_of(random, c, -10, 20);
    const auto map = tangent_map(body, c.state, h);
    add(result, map.momentum_by_momentum);
    add(result, map.rotation_by_momentum);
    add(result, map.rotation_by_rotation);
    for (const auto& t : by_moments(body, c.state, h)) {
      for (const double x : t.momentum.c) result.add(x);
      for (const double x : t.rotation.c) result.add(x);
    }
  });
}

template <class Torque>
void hash_driven(const Asked& asked, const char* name, std::int64_t share, const Torque& make) {
  hash_each(asked, name, share, 3, [&](Random& random, Hash& result) {
    Case c = random_case(random);
    for (double& x : c.moments.c) x = 0.25 + x / (1.0 + x);  // the torques are of order one
    for (double& x : c.state.momentum.c) x = std::ldexp(x, -c.unit);
    const Body<double> body(c.moments);
    const auto torque = make(random);  // before the scheme is drawn: arguments have no order
    auto rotor = driven(body, c.state, torque, scheme(random.bits() % 2 == 0 ? "rkn6-14" : "aba-8-6-4"));
    rotor.advance(random.power(-8, -3), 4);
    result.add_state(rotor.wide_state());
  });
}

template <class S>
void hash_multistep(const Asked& asked, const char* name, const S& system) {
  hash_each(asked, name, 100, 5, [&](Random& random, Hash& result) {
    constrained::Multistep<S, double> motion(system, constrained::multistep_table("sy6"),
                                             system.standard_state(), random.power(-9, -6));
    motion.advance(20);
    const auto state = motion.state();
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      result.add(state.position[i]);
      result.add(state.momentum[i]);
    }
  });
}

/// Two bodies and a point mass, some three units of length apart.
void hash_extended_bodies(const Asked& asked) {
  hash_each(asked, "extended bodies", 8, 6, [](Random& random, Hash& result) {
    std::vector<gravity::ExtendedBody<double>> bodies;
    std::vector<gravity::PlacedState<double>> states(3);
    for (std::size_t i = 0; i < 3; ++i) {
      gravity::ExtendedBody<double>& body = bodies.emplace_back();
      body.mass = random.power(-10, 1);
      for (double& x : states[i].position.c) x = random.uniform(-1.0, 1.0);
      states[i].position[i] += 3.0;
      for (double& x : states[i].momentum.c) x = body.mass * random.uniform(-1.0, 1.0);
      if (i == 2) continue;
      Case c = random_case(random);
      for (double& x : c.moments.c) x = body.mass * (0.125 + x / (8.0 + x));
      for (double& x : c.state.momentum.c) x = body.mass * std::ldexp(x, -c.unit);
      body.body = Body<double>(c.moments);
      states[i].turning = c.state;
    }
    gravity::ExtendedBodies<> moving(bodies, states, 1.0, scheme("rkn6-14"));
    moving.advance(random.power(-8, -4), 4);
    for (const auto& s : moving.state().states()) {
      for (const double x : s.position.c) result.add(x);
      for (const double x : s.momentum.c) result.add(x);
      result.add_state(s.turning);
    }
    for (const DoubleDouble& x : moving.state().angular_momentum().c) result.add(x.high());
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Asked asked{.cases = argc > 1 ? std::atoll(argv[1]) : round_size,
                    .threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1U,
                    .name = argc > 3 ? argv[3] : ""};
  std::int64_t power = round_size;
  while (power < asked.cases) power *= 10;
  if (power != asked.cases) {
    std::fputs("bits: the number of cases must be 10000, 100000 or another power of ten above\n", stderr);
    return 2;
  }
  hash_method<Exact<double>>(asked, "exact, short", 1, -30, -4, 3);
  hash_method<Exact<double>>(asked, "exact, middle", 1, -4, 1, 3);
  hash_method<Exact<double>>(asked, "exact, long", 1, 1, 60, 1);
  hash_method<Exact<double>>(asked, "exact, any angle", 4, 60, 130, 1);
  hash_method<methods::MoserVeselov<double, 10>>(asked, "dmv10", 1, -12, -5, 3);
  hash_method<methods::MoserVeselov<double, 2>>(asked, "dmv2", 1, -12, -5, 3);
  hash_each(asked, "fixed step", 1, 2, [](Random& random, Hash& result) {
    const Case c = random_case(random);
    const double h = step_of(random, c, -20, 4);
    FixedStepRotor<double> rotor(Body<double>(c.moments), c.state, h);
    rotor.advance(3);
    result.add_state(rotor.wide_state());
  });
  hash_each(asked, "trajectory", 4, 4, [](Random& random, Hash& result) {
    const Case c = random_case(random);
    const Trajectory<double> trajectory(Body<double>(c.moments), c.state);
    const double time = std::ldexp(random.power(-20, 40), -c.unit);
    result.add_state(trajectory.wide_at(DoubleDouble(time)));
  });
#ifndef __wasm__
  hash_batch<Batch, double>(asked, "batch");
  hash_batch<PlainBatch<double>, double>(asked, "plain batch");
  hash_batch<PlainBatch<float>, float>(asked, "batch of float");
  hash_states(asked);
  hash_driven_batch(asked);
#endif
  hash_tangents(asked);
  hash_driven(asked, "heavy top", 4, [](Random& random) {
    const Vector<double> field = any_vector(random), arm = any_vector(random);
    return UniformField<double>(field, arm);
  });
  hash_driven(asked, "wheels and damping", 8, [](Random& random) {
    const Vector<double> field = any_vector(random), arm = any_vector(random), wheels = any_vector(random);
    const double damping = random.uniform(0.01, 0.2);
    return torques::TorqueList(UniformField<double>(field, arm), torques::Wheels(wheels),
                               torques::Damping(damping));
  });
  hash_extended_bodies(asked);
  hash_multistep(asked, "multistep, Kepler", constrained::systems::Kepler());
  hash_multistep(asked, "multistep, four points",
                 constrained::systems::FourPoints(Vector<double>(0.8, 0.9, 1.0)));
}
