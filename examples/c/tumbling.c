/* A tumbling body in C: a million steps, the same motion at once, and a batch. */
#include <stdio.h>
#include <stdlib.h>

#include "polhode.h"

static void check(int status) {
  if (status != POLHODE_OK) {
    fprintf(stderr, "polhode: %s\n", polhode_last_error());
    exit(EXIT_FAILURE);
  }
}

int main(void) {
  const double moments[3] = {0.345, 0.653, 1.0}; /* the water molecule of the literature */
  const double momentum[3] = {0.5, 0.2, 0.84};
  const double attitude[4] = {1.0, 0.0, 0.0, 0.0};
  double m[3], q[4], energy, norm, spatial[3];
  polhode_body* water = NULL;
  check(polhode_body_from_moments(moments, &water));

  /* A rotor keeps what rounding would lose from call to call. */
  polhode_rotor* rotor = NULL;
  check(polhode_rotor_create(water, momentum, attitude, "exact", &rotor));
  for (int i = 0; i < 1000; ++i) check(polhode_rotor_steps(rotor, 0.0078125, 1000));
  check(polhode_rotor_state(rotor, m, q));
  check(polhode_rotor_errors(rotor, &energy, &norm, spatial));
  printf("stepped   %18.12f %18.12f %18.12f\n", m[0], m[1], m[2]);
  printf("the energy is %s\n", energy < 1e-16 && energy > -1e-16 ? "off by less than 1e-16" : "lost");
  polhode_rotor_free(rotor);

  /* The motion as a function of time. */
  const double times[2] = {7812.5, 1e9};
  double momenta[2][3], attitudes[2][4], period;
  polhode_trajectory* motion = NULL;
  check(polhode_trajectory_create(water, momentum, attitude, &motion));
  check(polhode_trajectory_evaluate(motion, 2, times, momenta[0], attitudes[0]));
  check(polhode_trajectory_period(motion, &period));
  for (int i = 0; i < 2; ++i) {
    printf("directly  %18.15f %18.15f %18.15f\n", momenta[i][0], momenta[i][1], momenta[i][2]);
    printf("attitude  %18.15f %18.15f %18.15f %18.15f\n", attitudes[i][0], attitudes[i][1], attitudes[i][2],
           attitudes[i][3]);
  }
  printf("period    %18.15f\n", period);
  polhode_trajectory_free(motion);

  /* Many bodies at once, on all cores. */
  enum { n = 1000 };
  static double many_momenta[n][3], many_attitudes[n][4];
  for (int i = 0; i < n; ++i) {
    many_momenta[i][0] = 0.5;
    many_momenta[i][1] = 0.001 * i;
    many_momenta[i][2] = 0.84;
    many_attitudes[i][0] = 1.0;
  }
  check(polhode_batch_steps(water, n, many_momenta[0], many_attitudes[0], 0.01, 100, 0));
  printf("body 200  %18.15f %18.15f %18.15f\n", many_momenta[200][0], many_momenta[200][1],
         many_momenta[200][2]);

  /* Errors are codes with a sentence. */
  const double wrong[3] = {1.0, -2.0, 3.0};
  polhode_body* none = NULL;
  const int status = polhode_body_from_moments(wrong, &none);
  printf("status %d: %s\n", status, polhode_last_error());

  polhode_body_free(water);
  return EXIT_SUCCESS;
}
