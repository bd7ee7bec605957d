// The C interface: any numbers. What is refused leaves what it was given as it was, and says why.
#include <array>
#include <cmath>
#include <cstring>

#include "polhode.h"
#include "tests/fuzz/input.hpp"

namespace {

template <class Array>
bool all_finite(const Array& numbers) {
  for (const double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}

template <std::size_t n>
std::array<double, n> numbers(polhode::fuzz::Input& input) {
  std::array<double, n> result{};
  for (double& x : result) x = input.number();
  return result;
}

void check(int status) { polhode::fuzz::require(status == 0 || *polhode_last_error() != '\0'); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using polhode::fuzz::require;
  polhode::fuzz::Input input(bytes, size);
  polhode_body* body = nullptr;
  const int made = input.choose(4) == 0 ? polhode_body_from_tensor(numbers<9>(input).data(), &body)
                                        : polhode_body_from_moments(numbers<3>(input).data(), &body);
  check(made);
  require((made == 0) == (body != nullptr));
  if (made != 0) return 0;

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
    require(std::memcmp(m.data(), momentum.data(), sizeof m) == 0 &&
            std::memcmp(q.data(), attitude.data(), sizeof q) == 0);

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
    polhode_trajectory_free(trajectory);
  }
  polhode_body_free(body);
  return 0;
}
