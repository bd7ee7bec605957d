/* The step for physics engines: one header, no library. A box in free flight, in double, in float, and by its tensor. */
#include <math.h>
#include <stdio.h>

#include "polhode_step.h"

int main(void) {
  double omega[3] = {0.1, 5.0, 0.1}, q[4] = {1, 0, 0, 0}, moments[3] = {0.81, 0.68, 0.14};
  polhode_free_step(omega, q, moments, 1.0 / 60); /* principal frame; q scalar first, body to space */
  printf("double %.12f %.12f %.12f %.12f\n", q[0], q[1], q[2], q[3]);

  float omegaf[3] = {0.1f, 5.0f, 0.1f}, qf[4] = {1, 0, 0, 0}, momentsf[3] = {0.81f, 0.68f, 0.14f};
  polhode_free_stepf(omegaf, qf, momentsf, 1.0f / 60); /* the same with floats */
  printf("float  off by less than 1e-6: %s\n", fabs((double)qf[0] - q[0]) < 1e-6 ? "yes" : "no");

  const double tensor[9] = {0.81, 0.02, 0, 0.02, 0.68, 0.01, 0, 0.01, 0.14};
  const double rate = 0.1;
  polhode_tensor body;                            /* any other frame: */
  polhode_prepare(&body, tensor);                 /* once */
  polhode_tensor_step(omega, q, &body, 1.0 / 60); /* or polhode_tensor_stepf */
  polhode_damp(omega, rate, 1.0 / 60);            /* damping, implicit: omega/(1 + rate dt) */
  printf("tensor %.12f %.12f %.12f %.12f\n", q[0], q[1], q[2], q[3]);
  return 0;
}
