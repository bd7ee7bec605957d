// The cost of polhode_step.h beside that of the implicit midpoint rule with Newton's method, as MuJoCo 3.10 has it for free bodies: both in plain
// arithmetic, for the same bodies, a step at 60 Hz for each.
//
// Instructions of a step: valgrind --tool=callgrind build/benchmarks/step --benchmark_filter=..., or perf stat.
#include "polhode_step.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

/// I (w - w0) = (h/2) (I w) x w for the mean w, by Newton's method until a change is below the precision; then omega is 2 w - w0, and the
/// attitude is turned by w.
template <class T>
void midpoint_step(T omega[3], T q[4], const T moments[3], T h) {
  const T d[3] = {moments[2] - moments[1], moments[0] - moments[2], moments[1] - moments[0]};
  const T k = h / 2, tolerance = sizeof(T) == 4 ? T(1e-10) : T(1e-19);  // of the square of the last change
  T w[3] = {omega[0], omega[1], omega[2]};
  for (int i = 0; i < 20; ++i) {
    const T x = k * w[0], y = k * w[1], z = k * w[2];
    const T a[3] = {moments[0], d[1] * z, d[2] * y}, b[3] = {d[0] * z, moments[1], d[2] * x},
            c[3] = {d[0] * y, d[1] * x, moments[2]};
    const T r[3] = {moments[0] * (omega[0] - w[0]) - d[0] * y * w[2],
                    moments[1] * (omega[1] - w[1]) - d[1] * z * w[0],
                    moments[2] * (omega[2] - w[2]) - d[2] * x * w[1]};
    const T bc[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    const T ca[3] = {c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]};
    const T ab[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const T over = 1 / (a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]);
    const T change[3] = {over * (r[0] * bc[0] + r[1] * bc[1] + r[2] * bc[2]),
                         over * (r[0] * ca[0] + r[1] * ca[1] + r[2] * ca[2]),
                         over * (r[0] * ab[0] + r[1] * ab[1] + r[2] * ab[2])};
    for (int j = 0; j < 3; ++j) w[j] += change[j];
    if (change[0] * change[0] + change[1] * change[1] + change[2] * change[2] <=
        tolerance * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]))
      break;
  }
  for (int j = 0; j < 3; ++j) omega[j] = 2 * w[j] - omega[j];
  const T speed = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), angle = k * speed;
  const T s = speed > 0 ? std::sin(angle) / speed : 0, e = std::cos(angle), x = s * w[0], y = s * w[1],
          z = s * w[2];
  const T q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  q[0] = q0 * e - q1 * x - q2 * y - q3 * z, q[1] = q0 * x + q1 * e + q2 * z - q3 * y;
  q[2] = q0 * y + q2 * e + q3 * x - q1 * z, q[3] = q0 * z + q3 * e + q1 * y - q2 * x;
  const T size = 1 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int j = 0; j < 4; ++j) q[j] *= size;
}

void polhode(double omega[3], double q[4], const double moments[3], double h) {
  polhode_free_step(omega, q, moments, h);
}
void polhode(float omega[3], float q[4], const float moments[3], float h) {
  polhode_free_stepf(omega, q, moments, h);
}

template <class T>
struct One {
  T omega[3], q[4], moments[3];
};

/// Boxes of all shapes, at up to 8 rad/s.
template <class T>
std::vector<One<T>> bodies() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<One<T>> list(256);
  for (One<T>& b : list) {
    double spread[3];
    for (double& x : spread) x = 0.1 + uniform(random);
    for (int i = 0; i < 3; ++i) {
      b.moments[i] = static_cast<T>(spread[(i + 1) % 3] + spread[(i + 2) % 3]);
      b.omega[i] = static_cast<T>(8 * uniform(random) - 4);
    }
    b.q[0] = 1, b.q[1] = b.q[2] = b.q[3] = 0;
  }
  return list;
}

template <class T, bool exact>
void steps(benchmark::State& state) {
  auto list = bodies<T>();
  for (auto _ : state) {
    for (One<T>& b : list) {
      if constexpr (exact)
        polhode(b.omega, b.q, b.moments, T(1) / 60);
      else
        midpoint_step(b.omega, b.q, b.moments, T(1) / 60);
    }
    benchmark::DoNotOptimize(list.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}

BENCHMARK(steps<double, true>)->Name("polhode_free_step");
BENCHMARK(steps<double, false>)->Name("implicit midpoint, double");
BENCHMARK(steps<float, true>)->Name("polhode_free_stepf");
BENCHMARK(steps<float, false>)->Name("implicit midpoint, float");

}  // namespace
