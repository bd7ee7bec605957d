/* The steps of the FRB package in C, by their names in the paper: a matrix, a quaternion, and Gauss nodes. */
#include <polhode_frb.h>
#include <stdio.h>

static int check(int status) {
  if (status != POLHODE_OK) fprintf(stderr, "%s\n", polhode_last_error());
  return status;
}

int main(void) {
  const double aInert[3] = {1.0, 1.6, 1.9};
  double Pi[3] = {-0.709894965287627, -0.685144717153487, 0.163174308075589};
  double Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double q[4] = {1, 0, 0, 0};
  double Piout[3], Qout[9], qout[4];
  const double axis[3] = {0, 1, 0};
  int np, i;

  /* The momentum in and out; the columns of the matrix are the body's axes in space. */
  if (check(frb_step(Piout, Qout, 0.1, aInert, Pi, Q))) return 1;
  printf("momentum  %18.14f %18.14f %18.14f\n", Piout[0], Piout[1], Piout[2]);
  for (i = 0; i < 3; ++i)
    printf("axis %d    %18.14f %18.14f %18.14f\n", i + 1, Qout[3 * i], Qout[3 * i + 1], Qout[3 * i + 2]);

  if (check(quat_step(Piout, qout, 0.1, aInert, Pi, q))) return 1;
  printf("attitude  %18.14f %18.14f %18.14f %18.14f\n", qout[0], qout[1], qout[2], qout[3]);

  /* Semi-exact: a long step, and the attitude as good as the rule. */
  for (np = 2; np <= 10; np += 4) {
    if (check(quat_step_gauss(Piout, qout, 1.0, aInert, Pi, q, np))) return 1;
    printf("%2d nodes  %18.14f %18.14f %18.14f %18.14f\n", np, qout[0], qout[1], qout[2], qout[3]);
  }

  /* The body at rest on its middle axis, ten steps in place. */
  for (i = 0; i < 3; ++i) Pi[i] = axis[i];
  for (i = 0; i < 10; ++i)
    if (check(frb_step(Pi, Q, 0.1, aInert, Pi, Q))) return 1;
  printf("middle    %18.14f %18.14f %18.14f\n", Q[0], Q[1], Q[2]);

  printf("status %d: ", frb_step_gauss(Pi, Q, 0.1, aInert, Pi, Q, 11));
  printf("%s\n", polhode_last_error());
  return 0;
}
