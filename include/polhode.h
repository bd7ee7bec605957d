/* The C interface of polhode: for C (C99 and later), and for what can call C: Fortran, Julia. docs/c-interface.md.
 *
 * Conventions.
 * - The state of a body is its angular momentum in the body's frame, three doubles, and its attitude, a quaternion of
 *   four doubles with the scalar part first, which turns body coordinates into space coordinates. An attitude that goes
 *   in may have any norm but zero; one that comes out has norm one.
 * - Every function that can fail returns POLHODE_OK or one of the other codes. If it fails, it has written nothing, and
 *   polhode_last_error() says in a sentence why.
 * - A handle that a function makes is freed by the function whose name ends in _free, which takes NULL too.
 * - Everything may be called from several threads at once, as long as no two of them use the same rotor, the same driven body
 *   or the same array of results; bodies, schemes and trajectories never change and may be shared.
 * - A body and a scheme may be freed while what was made from them is in use.
 */
#ifndef POLHODE_H
#define POLHODE_H

#include <stdint.h>

#if defined(_WIN32)
#if defined(POLHODE_C_BUILD)
#define POLHODE_API __declspec(dllexport)
#else
#define POLHODE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define POLHODE_API __attribute__((visibility("default")))
#else
#define POLHODE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
  POLHODE_OK = 0,
  POLHODE_INVALID_ARGUMENT = 1, /* the caller's mistake */
  POLHODE_OUT_OF_MEMORY = 2,
  POLHODE_INTERNAL = 3,   /* ours: please report it */
  POLHODE_STEP_FAILED = 4 /* a step cannot be taken: what a torque returned, or where the motion has come */
};

/* What went wrong in the last call of this thread that failed; empty if none did. Valid until the next one that fails. */
POLHODE_API const char* polhode_last_error(void);

/* The version of the library, as "0.2.0". */
POLHODE_API const char* polhode_version(void);

/* ---- Bodies ---------------------------------------------------------------------------------------------------- */

typedef struct polhode_body polhode_body;

/* A body with the given moments of inertia about the axes of its frame, in any order and any units. */
POLHODE_API int polhode_body_from_moments(const double moments[3], polhode_body** body);

/* A body with the given inertia tensor in the user's frame, symmetric and positive definite: nine numbers, by rows. */
POLHODE_API int polhode_body_from_tensor(const double tensor[9], polhode_body** body);

POLHODE_API void polhode_body_free(polhode_body* body);

/* ---- Steps in place: for a program that owns the state ---------------------------------------------------------- */

/* The exact free motion over the time h, of any length and either sign: one rounding of the state. */
POLHODE_API int polhode_step(const polhode_body* body, double momentum[3], double attitude[4], double h);

/* `count` such steps with one rounding at the end: in between, the state is carried with compensation. */
POLHODE_API int polhode_steps(const polhode_body* body, double momentum[3], double attitude[4], double h,
                              int64_t count);

/* ---- The steps of the FRB package: state in, state out ----------------------------------------------------------- */

/* frb_step and quat_step of Celledoni and Zanna, with their arguments in their order; polhode_frb.h has them by these names.
 * The free motion over the time h of a body with the moments `inertia` about the axes of its frame, which may be in any order
 * and equal; the momentum may have any norm. A matrix is nine numbers, column by column, as Fortran has it: its columns are
 * the body's axes in space. The arrays out may be the arrays in.
 *
 * `nodes` is 0 for the exact motion (by Carlson's integrals), or 1 to 10 for the semi-exact one: the integral of the third
 * kind by so many Gauss nodes, and with it the attitude; the momentum stays exact.
 *
 * The matrix out is the product of the matrix in and the rotation of the step. It is not made orthogonal again, as in the
 * package: what the matrix in lacks, the matrix out lacks too. The quaternion in may have any norm but zero.
 */
POLHODE_API int polhode_frb_step(double momentum_out[3], double attitude_out[9], double h, const double inertia[3],
                                 const double momentum_in[3], const double attitude_in[9], int nodes);
POLHODE_API int polhode_quat_step(double momentum_out[3], double attitude_out[4], double h,
                                  const double inertia[3], const double momentum_in[3],
                                  const double attitude_in[4], int nodes);

/* ---- Many bodies at once ---------------------------------------------------------------------------------------- */

/* polhode_steps for n bodies: momenta holds n times three numbers, attitudes n times four, one body after the other
 * (in Fortran and Julia, arrays of the shapes (3, n) and (4, n)). `threads` is their number, 0 for one for each core; the
 * results are the same bits for any number of them, those of polhode_steps. If one body is wrong, none is stepped.
 */
POLHODE_API int polhode_batch_steps(const polhode_body* body, int64_t n, double* momenta, double* attitudes,
                                    double h, int64_t count, int64_t threads);

/* The same for n different bodies; moments holds n times three moments of inertia. */
POLHODE_API int polhode_batch_steps_mixed(const double* moments, int64_t n, double* momenta,
                                          double* attitudes, double h, int64_t count, int64_t threads);

/* The name of the instructions of the batches, the widest set that the library holds and the machine has: "avx512", "avx2", or the base,
 * "sse2" or "neon", which the rest of the library is compiled for. Rotors and driven bodies go by AVX2 or by the base. The environment
 * variable POLHODE_INSTRUCTION_SET sets it by name; "plain" is the base. It is read once, at the first use. With an unknown name the
 * result is null, batches, rotors and driven bodies fail, and polhode_last_error() says so. The bits are the same in every set.
 */
POLHODE_API const char* polhode_instruction_set(void);

/* ---- A rotor: a body in motion that keeps its compensation from call to call ------------------------------------ */

typedef struct polhode_rotor polhode_rotor;

/* `method` is a name as in scenario files: "exact", "dmv10", ... (`polhode list` shows them all). */
POLHODE_API int polhode_rotor_create(const polhode_body* body, const double momentum[3],
                                     const double attitude[4], const char* method, polhode_rotor** rotor);

POLHODE_API void polhode_rotor_free(polhode_rotor* rotor);

POLHODE_API int polhode_rotor_steps(polhode_rotor* rotor, double h, int64_t count);

POLHODE_API int polhode_rotor_state(const polhode_rotor* rotor, double momentum[3], double attitude[4]);

/* How far the invariants are from their initial values (value now minus value then), measured in extended precision with
 * the compensation taken into account: kinetic energy, norm of the momentum, momentum in space.
 */
POLHODE_API int polhode_rotor_errors(const polhode_rotor* rotor, double* energy, double* momentum_norm,
                                     double spatial_momentum[3]);

/* ---- Splitting schemes ------------------------------------------------------------------------------------------ */

typedef struct polhode_scheme polhode_scheme;

/* `name` as in scenario files: "strang", "rkn6-14", "aba-8-6-4", ... (`polhode list` shows them all). */
POLHODE_API int polhode_scheme_named(const char* name, polhode_scheme** scheme);

/* A scheme of one's own: the first half of the lengths of its free motions, a, and of its kicks, b, which follow each other:
 * a[0], b[0], a[1], ... The last of each is left out, it follows from the sum; the second half follows from the symmetry. With
 * one more a than there are b, a free motion is in the middle; with as many, a kick. A scheme that begins with a kick
 * has a[0] = 0. A double stands for the shortest decimal that reads back to it. b may be null where b_count is 0.
 */
POLHODE_API int polhode_scheme_own(const double* a, int64_t a_count, const double* b, int64_t b_count,
                                   polhode_scheme** scheme);

POLHODE_API void polhode_scheme_free(polhode_scheme* scheme);

/* Of a scheme, found from its coefficients: its order, for kicks of attitude and time (8 stands for 8 or higher); the number of
 * kicks in a step; and its effective error E_f = kicks * |c|^(1/order), c the coefficients of the leading error: the
 * error at equal cost. E_f is NaN where the order is beyond what is found.
 */
POLHODE_API int polhode_scheme_figures(const polhode_scheme* scheme, int* order, int64_t* kicks,
                                       double* effective_error);

/* ---- A driven body: a body that a torque acts on ----------------------------------------------------------------- */

typedef struct polhode_driven polhode_driven;

/* The torque, in the body's frame and units, written to `torque`. The attitude is finite and has norm one, as far as
 * the method of the free motion keeps it (rk4 does not); the angular velocity is in the body's frame, `user` is the pointer that
 * was given with the function. Returns 0; anything else stops the call that asked for the torque, and so does a torque
 * that is not finite: polhode_last_error() has the status and the time then.
 * It is called where a scheme needs it, not only at the end of a step, several times for a torque of the angular velocity, and
 * must depend on nothing but its arguments.
 */
typedef int (*polhode_torque)(const double attitude[4], const double angular_velocity[3], double time,
                              double torque[3], void* user);

enum {
  /* Of attitude and time: schemes of Nystrom type, as rkn6-14, keep their order. The angular velocity that the function gets is
   * NaN, so that a torque that uses it is found out.
   */
  POLHODE_TORQUE_OF_ATTITUDE = 0,
  POLHODE_TORQUE_OF_VELOCITY = 1 /* of attitude, angular velocity and time */
};

/* A body in the given state at the time `start`. `scheme` may be null: rkn6-14 for a torque of the attitude, aba-8-2 for one of
 * the angular velocity. `method` is that of the free motion, as in polhode_rotor_create; null is "exact". The torque
 * is asked for once, at the start.
 */
POLHODE_API int polhode_driven_create(const polhode_body* body, const double momentum[3], const double attitude[4],
                                      double start, const polhode_scheme* scheme, const char* method,
                                      polhode_torque torque, int kind, void* user, polhode_driven** driven);

POLHODE_API void polhode_driven_free(polhode_driven* driven);

/* `count` steps of length h, of either sign: all of them, or none if the function fails. The steps may change from call to call;
 * how they are divided among calls makes no difference to the last bit.
 */
POLHODE_API int polhode_driven_steps(polhode_driven* driven, double h, int64_t count);

POLHODE_API int polhode_driven_state(const polhode_driven* driven, double momentum[3], double attitude[4]);
POLHODE_API int polhode_driven_angular_velocity(const polhode_driven* driven, double angular_velocity[3]);
POLHODE_API int polhode_driven_time(const polhode_driven* driven, double* time);

/* The order of the steps with this torque and this method; and how often the torque was asked for by steps. */
POLHODE_API int polhode_driven_order(const polhode_driven* driven, int* order);
POLHODE_API int polhode_driven_evaluations(const polhode_driven* driven, int64_t* evaluations);

/* ---- A trajectory: the free motion as a function of time -------------------------------------------------------- */

typedef struct polhode_trajectory polhode_trajectory;

/* The motion that passes through the given state at the time zero. */
POLHODE_API int polhode_trajectory_create(const polhode_body* body, const double momentum[3],
                                          const double attitude[4], polhode_trajectory** trajectory);

POLHODE_API void polhode_trajectory_free(polhode_trajectory* trajectory);

/* The states at n times, at a cost that does not depend on the times; arrays as in polhode_batch_steps. */
POLHODE_API int polhode_trajectory_evaluate(const polhode_trajectory* trajectory, int64_t n,
                                            const double* times, double* momenta, double* attitudes);

/* The period of the momentum in the body; infinite where there is none. */
POLHODE_API int polhode_trajectory_period(const polhode_trajectory* trajectory, double* period);

#ifdef __cplusplus
}
#endif

#endif
