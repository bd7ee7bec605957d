/* Bodies under torque in C: a top by a splitting scheme of one's own, a body with a control law, and a torque that fails. */
#include <stdio.h>
#include <stdlib.h>

#include "polhode.h"

static void check(int status) {
  if (status != POLHODE_OK) {
    fprintf(stderr, "polhode: %s\n", polhode_last_error());
    exit(EXIT_FAILURE);
  }
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; ++i) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* A vector of space in the body, u = Q^T v. */
static void seen(const double q[4], const double v[3], double u[3]) {
  double across[3], twice[3];
  cross(q + 1, v, across);
  cross(q + 1, across, twice);
  for (int i = 0; i < 3; ++i) u[i] = v[i] + 2 * (twice[i] - q[0] * across[i]);
}

/* A top in a uniform field, with the potential u[2], u the field seen from the body: the torque is u x e3. */
static int top(const double q[4], const double omega[3], double time, double torque[3], void* user) {
  double u[3];
  (void)omega; /* NaN: the torque was said not to depend on it */
  (void)time;
  seen(q, user, u);
  torque[0] = u[1];
  torque[1] = -u[0];
  torque[2] = 0.0;
  return 0;
}

/* A law of control that brakes the body and lets it turn about axis 3. It refuses to work after a time. */
struct law {
  double gain, rate, last;
};
static int control(const double q[4], const double omega[3], double time, double torque[3], void* user) {
  const struct law* law = user;
  (void)q;
  if (time > law->last) return 7;
  torque[0] = -law->gain * omega[0];
  torque[1] = -law->gain * omega[1];
  torque[2] = -law->gain * (omega[2] - law->rate);
  return 0;
}

int main(void) {
  /* The coefficients (23) of Celledoni and Zanna, and what their quality is. */
  const double a[7] = {0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071477,
                       -0.130144459517415, 0.106417700369543, -0.00879424312851058};
  const double b[6] = {0.09171915262446165,  0.183983170005006, -0.05653436583288827,
                       0.004914688774712854, 0.143761127168358, 0.328567693746804};
  polhode_scheme* own = NULL;
  int order;
  int64_t kicks;
  double effective;
  check(polhode_scheme_own(a, 7, b, 6, &own));
  check(polhode_scheme_figures(own, &order, &kicks, &effective));
  printf("order %d, %d kicks, effective error %.2f\n", order, (int)kicks, effective);

  /* Their perturbed top, up to t = 5000. */
  const double moments[3] = {1.0, 1.0126869887825154, 3.3062374224730378};
  const double momentum[3] = {-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01};
  const double attitude[4] = {1.0, 0.0, 0.0, 0.0};
  double field[3] = {9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04};
  double m[3], q[4], omega[3], time;
  polhode_body* body = NULL;
  polhode_driven* driven = NULL;
  check(polhode_body_from_moments(moments, &body));
  check(polhode_driven_create(body, momentum, attitude, 0.0, own, "exact", top, POLHODE_TORQUE_OF_ATTITUDE,
                              field, &driven));
  check(polhode_driven_steps(driven, 0.5, 10000));
  check(polhode_driven_time(driven, &time));
  check(polhode_driven_state(driven, m, q));
  check(polhode_driven_angular_velocity(driven, omega));
  double u[3];
  seen(q, field, u);
  double energy = u[2] - field[2];
  for (int i = 0; i < 3; ++i) energy += 0.5 * (m[i] * omega[i] - momentum[i] * momentum[i] / moments[i]);
  printf("time %6.1f %14.9f %14.9f %14.9f\n", time, m[0], m[1], m[2]);
  printf("the energy is %s\n", energy < 2e-13 && energy > -2e-13 ? "off by less than 2e-13" : "lost");
  polhode_driven_free(driven);
  polhode_scheme_free(own);

  /* The same body under control, with the scheme that the library chooses, from the time 10 on. */
  struct law law = {0.5, 0.2, 1e9};
  check(polhode_driven_create(body, momentum, attitude, 10.0, NULL, NULL, control, POLHODE_TORQUE_OF_VELOCITY,
                              &law, &driven));
  check(polhode_driven_steps(driven, 0.05, 400));
  check(polhode_driven_time(driven, &time));
  check(polhode_driven_angular_velocity(driven, omega));
  printf("time %6.1f %14.9f %14.9f %14.9f\n", time, omega[0], omega[1], omega[2]);

  /* A torque that fails stops the call, and nothing of it has moved. */
  law.last = 31.7;
  const int status = polhode_driven_steps(driven, 0.05, 400);
  check(polhode_driven_time(driven, &time));
  printf("status %d at time %.1f: %s\n", status, time, polhode_last_error());

  polhode_driven_free(driven);
  polhode_body_free(body);
  return EXIT_SUCCESS;
}
