/* The functions of the C interface that the other programs here do not call, each with what it gives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polhode.h"
#include "polhode_step.h"

static void check(int status) {
  if (status != POLHODE_OK) {
    fprintf(stderr, "polhode: %s\n", polhode_last_error());
    exit(EXIT_FAILURE);
  }
}

/* No torque at all, to count how often it is asked for. */
static int none(const double q[4], const double omega[3], double time, double torque[3], void* user) {
  (void)q;
  (void)omega;
  (void)time;
  (void)user;
  torque[0] = torque[1] = torque[2] = 0.0;
  return 0;
}

static const char* yes(int right) { return right ? "yes" : "no"; }

int main(void) {
  printf("a version: %s\n", yes(strlen(polhode_version()) > 4));
  printf("instructions for the batches: %s\n", yes(polhode_instruction_set() != NULL));

  /* A body by its tensor, and one step in place: whatever its length, one rounding. */
  const double tensor[9] = {2.0, 0.1, 0.0, 0.1, 3.0, 0.2, 0.0, 0.2, 4.0};
  double m[3] = {0.5, 0.2, 0.8}, q[4] = {1.0, 0.0, 0.0, 0.0};
  polhode_body* body = NULL;
  check(polhode_body_from_tensor(tensor, &body));
  check(polhode_step(body, m, q, 1000.0));
  printf("one step      %15.12f %15.12f %15.12f\n", m[0], m[1], m[2]);

  /* The way back in a hundred steps, carried with compensation. */
  check(polhode_steps(body, m, q, -10.0, 100));
  printf("and back      %15.12f %15.12f %15.12f\n", m[0], m[1], m[2]);

  /* The steps of the FRB package, exact (0) or with Gauss nodes: the state in and out, a matrix by columns or a quaternion. */
  const double moments[3] = {1.0, 1.6, 1.9}, momentum[3] = {0.5, 0.2, 0.8};
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, start[4] = {1, 0, 0, 0};
  double out[3], matrix[9], quaternion[4];
  check(polhode_frb_step(out, matrix, 0.1, moments, momentum, identity, 0));
  check(polhode_quat_step(out, quaternion, 0.1, moments, momentum, start, 0));
  printf("first column  %15.12f, from the quaternion %15.12f\n", matrix[0],
         1 - 2 * (quaternion[2] * quaternion[2] + quaternion[3] * quaternion[3]));

  /* Two bodies of different moments at once, on all cores: the bits of polhode_steps. */
  const double both[6] = {1.0, 1.6, 1.9, 0.345, 0.653, 1.0};
  double momenta[6] = {0.5, 0.2, 0.8, 0.5, 0.2, 0.8}, attitudes[8] = {1, 0, 0, 0, 1, 0, 0, 0};
  check(polhode_batch_steps_mixed(both, 2, momenta, attitudes, 0.01, 100, 0));
  printf("second body   %15.12f %15.12f %15.12f\n", momenta[3], momenta[4], momenta[5]);

  /* A scheme by its name, and what its steps are with this torque. */
  polhode_scheme* scheme = NULL;
  polhode_driven* driven = NULL;
  int order;
  int64_t evaluations;
  check(polhode_scheme_named("aba-8-6-4", &scheme));
  check(polhode_driven_create(body, momentum, start, 0.0, scheme, NULL, none, POLHODE_TORQUE_OF_ATTITUDE,
                              NULL, &driven));
  check(polhode_driven_steps(driven, 0.1, 10));
  check(polhode_driven_order(driven, &order));
  check(polhode_driven_evaluations(driven, &evaluations));
  printf("order %d, the torque was asked for %d times\n", order, (int)evaluations);
  polhode_driven_free(driven);
  polhode_scheme_free(scheme);
  polhode_body_free(body);

  /* The header for engines with floats: any frame, and damping. */
  float omegaf[3] = {0.1f, 5.0f, 0.1f}, qf[4] = {1, 0, 0, 0};
  double omega[3] = {0.1, 5.0, 0.1}, qd[4] = {1, 0, 0, 0};
  polhode_tensor prepared;
  polhode_prepare(&prepared, tensor);
  polhode_tensor_step(omega, qd, &prepared, 1.0 / 60);
  polhode_tensor_stepf(omegaf, qf, &prepared, 1.0f / 60);
  polhode_damp(omega, 0.1, 1.0 / 60);
  polhode_dampf(omegaf, 0.1f, 1.0f / 60);
  printf("floats off by less than 1e-5: %s\n",
         yes(fabs((double)omegaf[1] - omega[1]) < 1e-5 && fabs((double)qf[2] - qd[2]) < 1e-5));
  return EXIT_SUCCESS;
}
