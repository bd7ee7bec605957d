/* The OSRF tumbling box for ten seconds, in 600 steps and in one: what every compiler and flag has to find. */
#include "polhode_step.h"

int main(void) {
  static const double expected[4] = {0.225164563413958, -0.619927562499452, -0.277029150687194, 0.698745723640311};
  const double moments[3] = {10 * (0.16 + 0.81) / 12, 10 * (0.01 + 0.81) / 12, 10 * (0.01 + 0.16) / 12};
  const float momentsf[3] = {(float)moments[0], (float)moments[1], (float)moments[2]};
  double omega[3] = {0.1, 5, 0.1}, q[4] = {1, 0, 0, 0}, whole[3] = {0.1, 5, 0.1}, p[4] = {1, 0, 0, 0};
  float omegaf[3] = {0.1f, 5, 0.1f}, qf[4] = {1, 0, 0, 0};
  int i;
  for (i = 0; i < 600; ++i) {
    polhode_free_step(omega, q, moments, 1.0 / 60);
    polhode_free_stepf(omegaf, qf, momentsf, 1.0f / 60);
  }
  polhode_free_step(whole, p, moments, 10.0);
  for (i = 0; i < 4; ++i) {
    if (!(fabs(q[i] - expected[i]) < 1e-11)) return 1;
    if (!(fabs(p[i] - expected[i]) < 2e-14 || fabs(p[i] + expected[i]) < 2e-14)) return 2;
    if (!(fabs(qf[i] - expected[i]) < 0.02)) return 3;
  }
  return 0;
}
