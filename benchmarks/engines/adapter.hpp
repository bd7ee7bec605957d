// What every engine's adapter needs: the bodies of the kit, and the program around an engine.
//
// An adapter is a World with add, step and get, and a main that calls run_engine. The program gets the folder of the kit, the file for
// the states, and the name of a variant where there are several; it prints the cost of a body and step in ns.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "polhode_step.h"

namespace engines {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;  // scalar first

struct KitBody {
  std::string name;
  std::array<double, 6> inertia;  // xx, yy, zz, xy, xz, yz
  Vec omega;                      // in the body
  Quat q;                         // body to space
};

inline Quat product(const Quat& a, const Quat& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}
inline Quat conjugate(const Quat& q) { return {q[0], -q[1], -q[2], -q[3]}; }

/// From the body to space.
inline Vec rotate(const Quat& q, const Vec& v) {
  const Quat r = product(product(q, {0, v[0], v[1], v[2]}), conjugate(q));
  const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return {r[1] / size, r[2] / size, r[3] / size};
}

/// For engines that take principal moments only: the frame of the principal axes, and its turn to the frame of the kit.
struct Principal {
  Vec moments;
  Quat turn;

  explicit Principal(const KitBody& b) {
    const auto& [xx, yy, zz, xy, xz, yz] = b.inertia;
    const double tensor[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
    polhode_tensor t;
    polhode_prepare(&t, tensor);
    moments = {t.moments[0], t.moments[1], t.moments[2]};
    const auto& a = t.axes;  // its columns are the axes: a rotation from the principal frame
    const double trace = a[0][0] + a[1][1] + a[2][2];
    const double squares[4] = {1 + trace, 1 + 2 * a[0][0] - trace, 1 + 2 * a[1][1] - trace,
                               1 + 2 * a[2][2] - trace};
    int k = 0;
    for (int i = 1; i < 4; ++i)
      if (squares[i] > squares[k]) k = i;
    const double x = a[2][1] - a[1][2], y = a[0][2] - a[2][0], z = a[1][0] - a[0][1];
    const double xy2 = a[1][0] + a[0][1], xz2 = a[2][0] + a[0][2], yz2 = a[2][1] + a[1][2], s = squares[k];
    turn = k == 0   ? Quat{s, x, y, z}
           : k == 1 ? Quat{x, s, xy2, xz2}
           : k == 2 ? Quat{y, xy2, s, yz2}
                    : Quat{z, xz2, yz2, s};
    double size = 0;
    for (const double c : turn) size += c * c;
    for (double& c : turn) c /= std::sqrt(size);
  }

  Vec to_principal(const Vec& v) const { return rotate(conjugate(turn), v); }
  Vec to_kit(const Vec& v) const { return rotate(turn, v); }
  Quat attitude_to_principal(const Quat& q) const { return product(q, turn); }
  Quat attitude_to_kit(const Quat& q) const { return product(q, conjugate(turn)); }
};

class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;
  /// False if the engine refuses the body. All of them are added before the first step.
  virtual bool add(const KitBody& body) = 0;
  virtual void step(double dt) = 0;
  /// omega in the body, and the attitude.
  virtual void get(std::size_t body, Vec& omega, Quat& q) = 0;
};

inline std::vector<KitBody> read_bodies(const std::string& folder) {
  std::ifstream file(folder + "/bodies.csv");
  std::vector<KitBody> bodies;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    KitBody b;
    std::getline(cells, b.name, ',');
    std::getline(cells, cell, ',');
    std::vector<double> x;
    while (std::getline(cells, cell, ',')) x.push_back(std::stod(cell));
    for (std::size_t i = 0; i < 6; ++i) b.inertia[i] = x.at(i);
    for (std::size_t i = 0; i < 3; ++i) b.omega[i] = x.at(6 + i);
    for (std::size_t i = 0; i < 4; ++i) b.q[i] = x.at(9 + i);
    bodies.push_back(b);
  }
  return bodies;
}

using MakeWorld = std::function<std::unique_ptr<World>(double dt)>;

constexpr std::array<int, 4> times{1, 2, 5, 10};

/// The lines of a body, by a process of its own: some engines end the program when a state is no longer good. The states that are
/// missing then are written as nan. A body that is refused has none.
inline std::string states_apart(const MakeWorld& make, const KitBody& b, int frequency, int digits) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    if (std::freopen("/dev/null", "r", stdin) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(1);
    std::FILE* const lines = ::fdopen(ends[1], "w");
    const auto world = make(1.0 / frequency);
    if (!world->add(b)) ::_exit(2);
    int taken = 0;
    for (const int time : times) {
      for (; taken < time * frequency; ++taken) world->step(1.0 / frequency);
      Vec w;
      Quat q;
      world->get(0, w, q);
      std::fprintf(lines, "%s,%d,%d", b.name.c_str(), frequency, time);
      for (const double x : {q[0], q[1], q[2], q[3], w[0], w[1], w[2]})
        std::fprintf(lines, ",%.*g", digits, x);
      std::fputc('\n', lines);
      std::fflush(lines);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size; (size = ::read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(size));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) return {};
  const auto written = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  for (std::size_t i = written; i < times.size(); ++i)
    text += b.name + "," + std::to_string(frequency) + "," + std::to_string(times[i]) +
            ",nan,nan,nan,nan,nan,nan,nan\n";
  return text;
}

/// The kit at 60, 240 and 1000 Hz, and the cost of a world of a hundred generic bodies. digits: 17, or 9 for floats.
inline int run_engine(const MakeWorld& make, int argc, char** argv, int digits = 17) {
  if (argc < 3) {
    std::fputs("the folder of the kit and a file for the states are needed\n", stderr);
    return 2;
  }
  const std::vector<KitBody> bodies = read_bodies(argv[1]);
  std::FILE* const file = bodies.empty() ? nullptr : std::fopen(argv[2], "w");
  if (file == nullptr) {
    std::fputs("the kit cannot be read, or the states cannot be written\n", stderr);
    return 2;
  }
  std::fputs("body,frequency,time,q0,q1,q2,q3,omega1,omega2,omega3\n", file);
  std::fflush(file);
  for (const int frequency : {60, 240, 1000})
    for (const KitBody& b : bodies) {
      const std::string states = states_apart(make, b, frequency, digits);
      std::fputs(states.c_str(), file);
      std::fflush(file);  // or a child that calls exit writes it once more
    }
  std::fclose(file);

  const int count = 100, steps = 200;
  double best = HUGE_VAL;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto world = make(1.0 / 240);
    for (int i = 0; i < count; ++i) {
      KitBody b = bodies[1];
      b.omega[0] += 0.01 * i;
      world->add(b);
    }
    world->step(1.0 / 240);
    const std::clock_t start = std::clock();  // of the processor: other programs may run
    for (int i = 0; i < steps; ++i) world->step(1.0 / 240);
    const double spent = 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::fmin(best, spent / (double(count) * steps));
  }
  std::printf("%.1f\n", best);
  return 0;
}

}  // namespace engines
