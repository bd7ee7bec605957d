/* frb_step and quat_step by the names and the arguments that they have in [CZ08 section 3]: for C, C99 and later. Fortran has
 * the same from frb.f90. docs/c-interface.md.
 *
 *   frb_step   the attitude is a 3 by 3 matrix, column by column: Q[3 * column + row]
 *   quat_step  the attitude is a quaternion, scalar part first
 *
 * The names that end in _gauss have the number of Gauss nodes as last argument, 1 to 10, or 0 for the exact step. polhode.h
 * says what the arguments may be: more than in the paper, where the momentum has norm one and the moments ascend. Each returns
 * POLHODE_OK, or another code with nothing written; polhode_last_error() says why.
 */
#ifndef POLHODE_FRB_H
#define POLHODE_FRB_H

#include "polhode.h"

static inline int frb_step_gauss(double Piout[3], double Qout[9], double h, const double aInert[3],
                                 const double Piin[3], const double Qin[9], int np) {
  return polhode_frb_step(Piout, Qout, h, aInert, Piin, Qin, np);
}

static inline int quat_step_gauss(double Piout[3], double qout[4], double h, const double aInert[3],
                                  const double Piin[3], const double qin[4], int np) {
  return polhode_quat_step(Piout, qout, h, aInert, Piin, qin, np);
}

static inline int frb_step(double Piout[3], double Qout[9], double h, const double aInert[3],
                           const double Piin[3], const double Qin[9]) {
  return polhode_frb_step(Piout, Qout, h, aInert, Piin, Qin, 0);
}

static inline int quat_step(double Piout[3], double qout[4], double h, const double aInert[3],
                            const double Piin[3], const double qin[4]) {
  return polhode_quat_step(Piout, qout, h, aInert, Piin, qin, 0);
}

#endif
