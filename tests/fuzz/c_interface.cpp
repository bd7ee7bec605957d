// The C interface: any numbers. What is refused leaves what it was given as it was, and says why.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "polhode.h"
#include "tests/fuzz/input.hpp"

namespace {

using polhode::fuzz::Input;
using polhode::fuzz::require;

template <class Array>
bool all_finite(const Array& numbers) {
  for (const double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}

/// Compares a NaN with a NaN, too.
template <std::size_t n>
bool same_bytes(const std::array<double, n>& a, const std::array<double, n>& b) {
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

template <std::size_t n>
std::array<double, n> numbers(Input& input) {
  std::array<double, n> result{};
  for (double& x : result) x = input.number();
  return result;
}

void check(int status) { require(status == 0 || *polhode_last_error() != '\0'); }

/// Small ones, some of them negative; now and then one that no array has.
std::int64_t count(Input& input) {
  const std::size_t which = input.choose(16);
  if (which == 15) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(which % 5) - (which == 14 ? 5 : 0);
}

template <std::size_t n>
const char* one_of(Input& input, const std::array<const char*, n>& names) {
  return names[input.choose(n)];
}

const char* method(Input& input) {
  static constexpr std::array<const char*, 14> names{
      "exact", "dmv10", "frb-matrix", "frb-quaternion",    "jacobi-standard", "jacobi-kept", "magnus4",
      "dmv2",  "mr",    "rk4",        "implicit-midpoint", "implicit-euler",  "lobatto",     "momentum-kept"};
  return one_of(input, names);
}

/// A body in motion, by the steps in place, by a rotor and as a function of time.
void free_motion(const polhode_body* body, Input& input) {
  const auto momentum = numbers<3>(input);
  const auto attitude = numbers<4>(input);
  const double h = input.number();
  auto m = momentum;
  auto q = attitude;
  const int stepped = polhode_steps(body, m.data(), q.data(), h, static_cast<std::int64_t>(input.choose(4)));
  check(stepped);
  if (stepped == 0)
    require(all_finite(m) && all_finite(q));
  else
    require(same_bytes(m, momentum) && same_bytes(q, attitude));
  check(polhode_step(body, m.data(), q.data(), h));
  if (stepped == 0) require(all_finite(m) && all_finite(q));

  polhode_rotor* rotor = nullptr;
  const int began = polhode_rotor_create(body, momentum.data(), attitude.data(),
                                         input.choose(2) == 0 ? "exact" : "dmv10", &rotor);
  check(began);
  if (began == 0) {
    check(polhode_rotor_steps(rotor, h, 3));
    check(polhode_rotor_state(rotor, m.data(), q.data()));
    require(all_finite(q));
    polhode_rotor_free(rotor);
  }

  polhode_trajectory* trajectory = nullptr;
  const int known = polhode_trajectory_create(body, momentum.data(), attitude.data(), &trajectory);
  check(known);
  require((known == 0) == (began == 0));  // they refuse the same
  if (known == 0) {
    double period = 0.0;
    check(polhode_trajectory_period(trajectory, &period));
    require(!std::isnan(period));
    const auto times = numbers<2>(input);
    std::array<double, 6> momenta{};
    std::array<double, 8> attitudes{};
    const std::int64_t n = count(input) % 3;
    const int found =
        polhode_trajectory_evaluate(trajectory, n, times.data(), momenta.data(), attitudes.data());
    check(found);
    require(found == 0 ? all_finite(momenta) && all_finite(attitudes)
                       : same_bytes(momenta, {}) && same_bytes(attitudes, {}));
    polhode_trajectory_free(trajectory);
  }
}

/// Rotors of other methods. Steps that fail change nothing.
void rotors(const polhode_body* body, Input& input) {
  const auto momentum = numbers<3>(input);
  const auto attitude = numbers<4>(input);
  polhode_rotor* rotor = nullptr;
  const int began = polhode_rotor_create(body, momentum.data(), attitude.data(), method(input), &rotor);
  check(began);
  require((began == 0) == (rotor != nullptr));
  if (began != 0) return;
  for (int round = 0; round < 2; ++round) {
    std::array<double, 3> m{}, m_before{};
    std::array<double, 4> q{}, q_before{};
    require(polhode_rotor_state(rotor, m_before.data(), q_before.data()) == 0);
    const int stepped = polhode_rotor_steps(rotor, input.number(), count(input));
    check(stepped);
    require(polhode_rotor_state(rotor, m.data(), q.data()) == 0);
    require(all_finite(m) && all_finite(q));
    if (stepped != 0) require(same_bytes(m, m_before) && same_bytes(q, q_before));
  }
  double energy = 0.0, norm = 0.0;
  std::array<double, 3> spatial{};
  check(polhode_rotor_errors(rotor, &energy, &norm, spatial.data()));
  polhode_rotor_free(rotor);
}

/// Many at once have the bits of each alone; if one is wrong, none is stepped.
void batches(const polhode_body* body, const std::array<double, 3>& moments, Input& input) {
  constexpr std::size_t most = 5;
  const std::int64_t wished = count(input);
  const std::size_t n = wished > 0 ? static_cast<std::size_t>(wished) : 0;
  std::array<double, 3 * most> momenta{}, all{};
  std::array<double, 4 * most> attitudes{};
  for (std::size_t i = 0; i < n; ++i) {
    const auto m = i == 0 || input.choose(4) == 0 ? numbers<3>(input) : std::array<double, 3>{0.1, 0.2, 1.0};
    const auto q =
        i == 0 || input.choose(4) == 0 ? numbers<4>(input) : std::array<double, 4>{1.0, 0.5, 0.0, 0.0};
    std::copy(m.begin(), m.end(), momenta.begin() + 3 * static_cast<std::ptrdiff_t>(i));
    std::copy(q.begin(), q.end(), attitudes.begin() + 4 * static_cast<std::ptrdiff_t>(i));
    std::copy(moments.begin(), moments.end(), all.begin() + 3 * static_cast<std::ptrdiff_t>(i));
  }
  const double h = input.number();
  const std::int64_t steps = count(input), threads = static_cast<std::int64_t>(input.choose(4)) - 1;
  auto alone_m = momenta;
  auto alone_q = attitudes;
  int alone = wished < 0 || steps < 0 || threads < 0 || !std::isfinite(h) ? 1 : 0;
  for (std::size_t i = 0; i < n && alone == 0; ++i)
    alone = polhode_steps(body, &alone_m[3 * i], &alone_q[4 * i], h, steps);
  for (const bool mixed : {false, true}) {
    if (mixed && moments[0] == 0.0) break;  // the body is one of a tensor
    auto m = momenta;
    auto q = attitudes;
    const int done =
        mixed ? polhode_batch_steps_mixed(all.data(), wished, m.data(), q.data(), h, steps, threads)
              : polhode_batch_steps(body, wished, m.data(), q.data(), h, steps, threads);
    check(done);
    require((done == 0) == (alone == 0));
    if (done == 0)
      require(same_bytes(m, alone_m) && same_bytes(q, alone_q));
    else
      require(same_bytes(m, momenta) && same_bytes(q, attitudes));
  }
}

/// What the function of the program does: fails, writes what is not finite, writes nothing, or writes what it was told.
struct Torque {
  std::array<double, 3> value{};
  int calls_left = 0;  ///< before it goes wrong
  std::size_t wrong = 0;
  bool keeps_norm = true;  ///< the method of the free motion, which rk4 does not
  int calls = 0;

  static int function(const double* attitude, const double* rate, double time, double* torque, void* user) {
    Torque& self = *static_cast<Torque*>(user);
    double norm_squared = 0.0;
    for (std::size_t i = 0; i < 4; ++i) norm_squared += attitude[i] * attitude[i];
    require(std::isfinite(norm_squared) && std::isfinite(time));
    require(!self.keeps_norm || std::abs(norm_squared - 1.0) < 1e-12);
    ++self.calls;
    for (std::size_t i = 0; i < 3; ++i)
      torque[i] = self.value[i] + (std::isfinite(rate[i]) ? -0.1 * rate[i] : attitude[i]);
    if (self.calls_left-- > 0) return 0;
    switch (self.wrong) {
      case 0:
        return -1;
      case 1:
        return std::numeric_limits<int>::min();
      case 2:
        torque[1] = std::numeric_limits<double>::quiet_NaN();
        return 0;
      case 3:
        torque[2] = std::numeric_limits<double>::infinity();
        return 0;
      case 4:
        torque[0] = std::numeric_limits<double>::max();
        return 0;
      default:
        return 0;
    }
  }
};

polhode_scheme* make_scheme(Input& input) {
  polhode_scheme* scheme = nullptr;
  int made = 0;
  if (input.choose(2) == 0) {
    static constexpr std::array<const char*, 8> names{"strang", "rkn6-14",    "aba-8-2",      "aba-8-6-4",
                                                      "rkn4-6", "kahan-li-8", "no-such-name", ""};
    made = polhode_scheme_named(one_of(input, names), &scheme);
  } else {
    const auto a = numbers<4>(input), b = numbers<4>(input);
    made = polhode_scheme_own(input.choose(8) == 7 ? nullptr : a.data(), count(input), b.data(), count(input),
                              &scheme);
  }
  check(made);
  require((made == 0) == (scheme != nullptr));
  if (made == 0) {
    int order = 0;
    std::int64_t kicks = 0;
    double error = 0.0;
    check(polhode_scheme_figures(scheme, &order, &kicks, &error));
    require(order >= 1 && order <= 8 && kicks >= 1 && !(error < 0.0));
  }
  return scheme;
}

struct DrivenState {
  std::array<double, 3> momentum{}, rate{};
  std::array<double, 4> attitude{};
  std::array<double, 1> time{};
  explicit DrivenState(const polhode_driven* driven) {
    require(polhode_driven_state(driven, momentum.data(), attitude.data()) == 0);
    require(polhode_driven_angular_velocity(driven, rate.data()) == 0);
    require(polhode_driven_time(driven, time.data()) == 0);
    require(all_finite(momentum) && all_finite(attitude));
  }
};

/// Steps that fail change nothing, whatever the function of the program has done.
void driven_motion(const polhode_body* body, Input& input) {
  polhode_scheme* const scheme = make_scheme(input);
  Torque torque{.value = numbers<3>(input)};
  torque.wrong = input.choose(8);
  torque.calls_left = static_cast<int>(input.choose(100));
  const auto momentum = numbers<3>(input);
  const auto attitude = numbers<4>(input);
  const int kind = input.choose(8) == 7 ? 2 : static_cast<int>(input.choose(2));
  const double start = input.number();
  const char* const free_method = input.choose(4) == 0 ? method(input) : nullptr;
  torque.keeps_norm = free_method == nullptr || std::strcmp(free_method, "rk4") != 0;
  polhode_driven* driven = nullptr;
  const int began = polhode_driven_create(body, momentum.data(), attitude.data(), start, scheme, free_method,
                                          &Torque::function, kind, &torque, &driven);
  check(began);
  require((began == 0) == (driven != nullptr));
  polhode_scheme_free(scheme);  // may be freed while what was made from it is in use
  if (began != 0) return;
  int order = 0;
  require(polhode_driven_order(driven, &order) == 0);
  for (int round = 0; round < 2; ++round) {
    const DrivenState before(driven);
    const int stepped = polhode_driven_steps(driven, input.number(), count(input));
    check(stepped);
    const DrivenState after(driven);
    if (stepped != 0)
      require(same_bytes(after.momentum, before.momentum) && same_bytes(after.attitude, before.attitude) &&
              same_bytes(after.rate, before.rate) && same_bytes(after.time, before.time));
    std::int64_t evaluations = -1;
    require(polhode_driven_evaluations(driven, &evaluations) == 0 && evaluations >= 0);
    require(evaluations <= torque.calls);
  }
  polhode_driven_free(driven);
}

/// The steps of the FRB package, with the arrays out apart from those in, and in their place.
void frb_steps(Input& input) {
  const auto inertia = numbers<3>(input), momentum = numbers<3>(input);
  const auto matrix = numbers<9>(input);
  const auto quaternion = numbers<4>(input);
  const double h = input.number();
  const int nodes = static_cast<int>(input.choose(13)) - 1;
  auto m = momentum;
  auto a = matrix;
  const int by_matrix = polhode_frb_step(m.data(), a.data(), h, inertia.data(), m.data(), a.data(), nodes);
  check(by_matrix);
  if (by_matrix == 0)
    require(all_finite(m) && all_finite(a));
  else
    require(same_bytes(m, momentum) && same_bytes(a, matrix));
  std::array<double, 3> m_apart{};
  std::array<double, 9> a_apart{};
  require(polhode_frb_step(m_apart.data(), a_apart.data(), h, inertia.data(), momentum.data(), matrix.data(),
                           nodes) == by_matrix);
  if (by_matrix == 0) require(same_bytes(m, m_apart) && same_bytes(a, a_apart));

  m = momentum;
  auto q = quaternion;
  const int by_quaternion =
      polhode_quat_step(m.data(), q.data(), h, inertia.data(), m.data(), q.data(), nodes);
  check(by_quaternion);
  if (by_quaternion == 0)
    require(all_finite(m) && all_finite(q));
  else
    require(same_bytes(m, momentum) && same_bytes(q, quaternion));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const bool known = *polhode_version() != '\0' && polhode_instruction_set() != nullptr;
  require(known);
  Input input(bytes, size);
  const std::size_t which = input.choose(8);
  if (which == 7) {
    frb_steps(input);
    return 0;
  }
  polhode_body* body = nullptr;
  std::array<double, 3> moments{};
  int made = 0;
  if (which == 0) {
    made = polhode_body_from_tensor(numbers<9>(input).data(), &body);
  } else {
    moments = numbers<3>(input);
    made = polhode_body_from_moments(moments.data(), &body);
  }
  check(made);
  require((made == 0) == (body != nullptr));
  if (made != 0) return 0;
  switch (input.choose(4)) {
    case 0:
      free_motion(body, input);
      break;
    case 1:
      rotors(body, input);
      break;
    case 2:
      batches(body, moments, input);
      break;
    default:
      driven_motion(body, input);
  }
  polhode_body_free(body);
  return 0;
}
