#include "polhode/free_motion/trajectory.hpp"

#include <algorithm>
#include <vector>

#include "body.hpp"
#include "boundary.hpp"

struct polhode_trajectory {  // NOLINT(readability-identifier-naming)
  polhode::Trajectory<double> trajectory;
};

using namespace polhode::c;

int polhode_trajectory_create(const polhode_body* body, const double momentum[3], const double attitude[4],
                              polhode_trajectory** trajectory) {
  return guarded([&] {
    require_pointer(body, "body");
    require_pointer(momentum, "momentum");
    require_pointer(attitude, "attitude");
    require_pointer(trajectory, "trajectory");
    *trajectory = new polhode_trajectory{{body->body, read_state(momentum, attitude)}};
  });
}

void polhode_trajectory_free(polhode_trajectory* trajectory) { delete trajectory; }

int polhode_trajectory_evaluate(const polhode_trajectory* trajectory, int64_t n, const double* times,
                                double* momenta, double* attitudes) {
  return guarded([&] {
    require_pointer(trajectory, "trajectory");
    const std::size_t size = require_size(n, 7);
    if (size == 0) return;
    require_pointer(times, "times");
    require_pointer(momenta, "momenta");
    require_pointer(attitudes, "attitudes");
    for (std::size_t i = 0; i < size; ++i) require(std::isfinite(times[i]), "a time is not a finite number");
    std::vector<double> m(3 * size), q(4 * size);  // so that an error leaves the results as they were
    for (std::size_t i = 0; i < size; ++i)
      write_state(trajectory->trajectory.at(times[i]), &m[3 * i], &q[4 * i]);
    std::copy(m.begin(), m.end(), momenta);
    std::copy(q.begin(), q.end(), attitudes);
  });
}

int polhode_trajectory_period(const polhode_trajectory* trajectory, double* period) {
  return guarded([&] {
    require_pointer(trajectory, "trajectory");
    require_pointer(period, "period");
    *period = trajectory->trajectory.period();
  });
}
