/* polhode_step.h: one step of a freely turning rigid body, to be lifted into a physics engine.
 *
 *   double omega[3] = {0.1, 5.0, 0.1}, q[4] = {1, 0, 0, 0}, moments[3] = {0.81, 0.68, 0.14};
 *   polhode_free_step(omega, q, moments, 1.0 / 60);
 *
 * The exact solution of I omega' = (I omega) x omega, q' = q (0, omega)/2 for any dt, to a few units in the last place. It takes the
 * place of the gyroscopic term and of the update of the quaternion, both. Nothing drifts, and a stable spin stays stable. Forces
 * and contacts change omega before or after the call.
 *
 * omega is the angular velocity in the body frame, q the attitude: a unit quaternion from body to space, scalar first. (An engine with
 * omega in space rotates it to the body before the call, and by the new q back to space after it.) The body frame is that of the
 * principal axes; for any other one, polhode_prepare takes the tensor of inertia, once. The moments are positive, in any order and
 * unit; if a moment is not positive, the state is left unchanged.
 * C99 or C++17 and math.h; no state, no allocation, no exceptions. It is right with -ffast-math as well. The project polhode derives the
 * formulas in docs/exact-flow.md.
 *
 * BSD 3-Clause License
 * Copyright (c) 2026, The polhode authors
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
 * conditions are met:
 * 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
 * disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
 * disclaimer in the documentation and/or other materials provided with the distribution.
 * 3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
 * derived from this software without specific prior written permission.
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING,
 * BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO
 * EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
 * CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
 * PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR
 * TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
 * POSSIBILITY OF SUCH DAMAGE.
 */
#ifndef POLHODE_STEP_H
#define POLHODE_STEP_H

#include <math.h>

/* A body whose tensor of inertia is not diagonal: its principal moments, and its principal axes as the columns of a matrix. */
typedef struct polhode_tensor { double moments[3], axes[3][3]; } polhode_tensor;

/* The middle one of three moments by what is smaller than what: a < b, b < c, c < a. The functions below have the axes in a cyclic order
 * in which the middle moment is the second. */
static inline int polhode_middle_(int ab, int bc, int ca) { return ab == bc ? 1 : bc == ca ? 2 : 0; }

/* ---- Short steps: up to 0.15 radians ----
 *
 * With k1 = (I3 - I2)/I1, k2 = (I3 - I1)/I2, k3 = (I2 - I1)/I3 and three constants l of the motion,
 *   omega1+ - omega1 = l1 (omega2 omega3+ + omega3 omega2+)    and cyclically,
 * holds between both ends of a step, and the sine of its rotation is dt/2 (s + delta I_i)(omega_i + omega_i+): docs/exact-flow.md.
 * A, B, S, c, d, rho are those of it, u = dt/2; y = (S/u)^2 and tau = S/(c d u) - 1 are polynomials in a + b and a b, a = A u^2, b = B u^2.
 *
 * Returns 0 if the step is too long; else a factor: dw is what omega gains, and the rotation of the step is r with its vector times the
 * factor. */
static inline double polhode_short_(const double w[3], const double moments[3], double dt, double dw[3], double r[4]) {
  const double x1 = w[0], x2 = w[1], x3 = w[2], m1 = moments[0], m2 = moments[1], m3 = moments[2], scale = 1 / m2;
  const double k1 = (m3 - m2) / m1, k2 = (m3 - m1) * scale, k3 = (m2 - m1) / m3;
  const double i1 = m1 * scale, i3 = m3 * scale; /* in units of the middle moment */
  const double u = 0.5 * dt, uu = u * u, s1 = x1 * x1, s2 = x2 * x2, s3 = x3 * x3;
  const double p1 = uu * (k2 * s1 + k1 * s2), p3 = k2 * s3 + k3 * s2;
  const double a = uu * k1 * p3, b = k3 * p1, e1 = a + b, e2 = a * b;
  const double g1 = i1 * s1, g3 = i3 * s3;
  const double energy = g1 + s2 + g3, size2 = i1 * g1 + s2 + i3 * g3; /* twice the energy, square of the momentum */
  const double per = size2 > 0 ? 1 / size2 : 0, rho = p1 * p3 * per;
  if (!(uu * (s1 + s2 + s3) <= 0.0057 && e1 <= 0.0078 && rho <= 0.002)) return 0;
  const double ee = e1 * e1;
  const double y = (1 - 0.3333333327970683 * e1) + ee * (0.044444299588256415 - 0.0031655091901474203 * e1) + e2 * (0.19999876455009566 - 0.08537068751990903 * e1);
  const double tau = e1 * ((0.3333333333309486 + 0.1333333363377612 * e1) + ee * (0.05396714696530869 + 0.022035953844157928 * e1)) - e2 * ((0.4000000067529392 + 0.20952016491311748 * e1) + (0.1214628483956645 * ee - 0.13411107287426222 * e2));
  const double yt = y + y * tau, u1 = u + u * tau, bt = b * yt, at = a * yt;
  /* omega+: Cramer's rule for the three equations */
  const double l1 = k1 * (u * bt - u1), l2 = k2 * u1, l3 = k3 * (u * at - u1);
  const double l23 = l2 * l3, c1 = l23 * s1, c2 = l3 * l1 * s2, c3 = l1 * l2 * s3, x23 = x2 * x3, c = l1 * l23 * (x1 * x23);
  const double sum = (c1 + c2) + (c3 + c), over = 2 / ((1 - c) - sum);
  const double d1 = over * (l1 * x23 + x1 * (sum - c1)), d2 = over * (l2 * x3 * x1 + x2 * (sum - c2)),
               d3 = over * (l3 * x1 * x2 + x3 * (sum - c3));
  /* The integral of S^2/(1 - rho S^2) by its series, from that of S^2. */
  const double lever = (i1 * i3) * (k3 * s1 - k1 * s3), turns = 4 * uu * per;
  const double h0 = (1.0 / 3 - e1 * (1.0 / 15)) + (ee * (2.0 / 315) + e2 * (1.0 / 35)) - e1 * (ee * (2.0 / 45) + 1.2 * e2) * (1.0 / 126);
  const double h1 = (0.2 - e1 * (2.0 / 21)) + (ee * (1.0 / 45) + e2 * (2.0 / 45));
  const double integral = (h0 + rho * h1) + rho * rho * ((1.0 / 7 - e1 * (1.0 / 9)) + rho * (1.0 / 9));
  /* The rotation: t is the square of the twist at the symmetric phase, and s = 1 + stretch. */
  const double area = lever * (rho * integral), rate = energy + area;
  const double t = rate * rate * turns, tt = t * t;
  const double lag = t * ((1.0 / 6 - t * (1.0 / 120)) + tt * (1.0 / 5040 - t * (1.0 / 362880)));
  const double sine2 = t * ((0.25 - t * (1.0 / 48)) + tt * (1.0 / 1440 - t * (1.0 / 80640)));
  const double along = tau - sine2 * (1 + tau), eta = u * (rho * y), share = u * per;
  const double delta = (area * share - lag * (rate * share) + eta) + along * (eta - energy * share), base = u + (along * (u - eta) - eta);
  const double v1 = (base + delta * i1) * (2 * x1 + d1), v2 = (base + delta) * (2 * x2 + d2), v3 = (base + delta * i3) * (2 * x3 + d3);
  /* The cosine of half the angle, and the sine of it over v, from the square of v. */
  const double n = v1 * v1 + v2 * v2 + v3 * v3, nn = n * n, n4 = nn * nn;
  const double cosine = 1 - n * (((0.12499999999998275 + 0.039062500012618483 * n) + nn * (0.020507809429185661 + 0.013092384100910259 * n)) + n4 * (0.0092542076704088292 + 0.0075390388513678744 * n));
  const double half = 0.5 + n * (((0.062499999999984457 + 0.027343750011368526 * n) + nn * (0.016113278483513015 + 0.010910343243103471 * n)) + n4 * (0.0079915533665002709 + 0.0066776174284089977 * n));
  dw[0] = d1, dw[1] = d2, dw[2] = d3;
  r[0] = cosine, r[1] = v1, r[2] = v2, r[3] = v3;
  return n <= 0.0265 ? half : 0;
}

/* ---- Long steps: elliptic functions by the arithmetic-geometric mean, with numbers of twice the precision ----
 *
 * volatile keeps the rounding errors from being computed away under -ffast-math. */

typedef struct polhode_pair_ { double h, l; } polhode_pair_;

static inline polhode_pair_ polhode_sum_(double a, double b) { /* of any two numbers, without an error */
  volatile double s = a + b, t = s - a, v = s - t, d = a - v, e = b - t;
  const polhode_pair_ p = {s, d + e};
  return p;
}
static inline polhode_pair_ polhode_add_(polhode_pair_ a, polhode_pair_ b) {
  const polhode_pair_ s = polhode_sum_(a.h, b.h), t = polhode_sum_(a.l, b.l), v = polhode_sum_(s.h, s.l + t.h);
  return polhode_sum_(v.h, v.l + t.l);
}
static inline polhode_pair_ polhode_mul_(polhode_pair_ a, polhode_pair_ b) {
  volatile double p = a.h * b.h, e = fma(a.h, b.h, -p);
  return polhode_sum_(p, e + (a.h * b.l + a.l * b.h));
}
static inline polhode_pair_ polhode_times_(polhode_pair_ a, double b) { return polhode_mul_(a, polhode_sum_(b, 0)); }
static inline polhode_pair_ polhode_minus_(polhode_pair_ a, polhode_pair_ b) { return polhode_add_(a, polhode_times_(b, -1)); }
static inline polhode_pair_ polhode_div_(polhode_pair_ a, polhode_pair_ b) {
  const double q = a.h / b.h;
  return polhode_sum_(q, polhode_minus_(a, polhode_times_(b, q)).h / b.h);
}
static inline polhode_pair_ polhode_sqrt_(polhode_pair_ a) {
  const polhode_pair_ root = {sqrt(a.h), 0};
  if (!(a.h > 0)) return polhode_times_(a, 0);
  return polhode_sum_(root.h, polhode_minus_(a, polhode_mul_(root, root)).h / (2 * root.h));
}
static inline void polhode_sincos_(polhode_pair_ a, double* sine, double* cosine) {
  const double s = sin(a.h), c = cos(a.h);
  *sine = s + a.l * c, *cosine = c - a.l * s;
}

/* The rotation of a step without any motion of omega. */
static inline void polhode_steady_(const double w[3], double dt, double r[4]) {
  const double size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), angle = 0.5 * size * dt;
  const double factor = size > 0 ? sin(angle) / size : 0;
  r[0] = cos(angle), r[1] = factor * w[0], r[2] = factor * w[1], r[3] = factor * w[2];
}

/* Of any length; as polhode_short_, but w becomes omega after the step. */
static inline void polhode_long_(double w[3], const double moments[3], double dt, double r[4]) {
  enum { most = 24 };
  polhode_pair_ m[3], I[3], square[3], a1, a2, a3, D, G, z0, J1, rate, a, b;
  double A[most], B[most], C[most], root[most], nu2[most], nu, y, drift = 0, scale, sx, cx, S, S1 = 0, c = 1, d = 1, P = 1;
  double eta = 0, lag = 0, theta = 0, tail = 0, both, sign, flip;
  int i, k, N, one = 0, three = 2;
  for (;;) { /* axes renamed so that the momentum circulates about the third, on its positive side: D >= 0, m3 >= 0 */
    const int axes[3] = {one, 1, three};
    for (i = 0; i < 3; ++i) {
      I[i] = polhode_sum_(moments[axes[i]], 0), m[i] = polhode_times_(I[i], w[axes[i]]);
      square[i] = polhode_mul_(m[i], m[i]);
    }
    a1 = polhode_div_(polhode_minus_(I[2], I[1]), polhode_mul_(I[1], I[2]));
    a2 = polhode_div_(polhode_minus_(I[2], I[0]), polhode_mul_(I[0], I[2]));
    a3 = polhode_div_(polhode_minus_(I[1], I[0]), polhode_mul_(I[0], I[1]));
    D = polhode_mul_(a2, polhode_minus_(polhode_mul_(a1, square[2]), polhode_mul_(a3, square[0])));
    if (!(D.h < 0) || one != 0) break;
    one = 2, three = 0;
  }
  sign = a2.h < 0 ? -1 : 1;
  /* Turned by pi about the second axis, or, with the first and third exchanged, about their bisector. */
  flip = m[2].h < 0 ? -1 : 1;
  m[0] = polhode_times_(m[0], flip), m[2] = polhode_times_(m[2], flip);
  if (one != 0) m[1] = polhode_times_(m[1], -1);

  G = polhode_sqrt_(polhode_add_(polhode_add_(square[0], square[1]), square[2]));
  J1 = polhode_add_(polhode_mul_(a2, square[0]), polhode_mul_(a1, square[1]));
  z0 = a2.h != 0 ? polhode_sqrt_(polhode_add_(square[2], polhode_mul_(polhode_div_(a3, a2), square[1]))) : polhode_times_(G, 0);
  a = polhode_mul_(polhode_sqrt_(polhode_mul_(a1, a2)), z0);
  if (!(fabs(a.h * dt) > 1e-18)) {
    polhode_steady_(w, dt, r);
    return;
  }
  b = polhode_sqrt_(D);
  if (!(b.h > 1e-150 * a.h)) b = polhode_times_(a, 1e-150);
  both = polhode_add_(G, z0).h;
  rate = polhode_add_(polhode_div_(G, I[2]), polhode_div_(J1, polhode_add_(G, z0)));
  nu = 0.5 * sqrt(a2.h * a3.h) * (J1.h / (a2.h * both));

  /* Downwards: the levels of the mean, and those of the integral of the third kind. */
  B[0] = b.h;
  for (N = 1;; ++N) {
    const polhode_pair_ sum = polhode_add_(a, b), difference = polhode_minus_(a, b);
    double larger;
    b = polhode_sqrt_(polhode_mul_(a, b));
    a = polhode_times_(sum, 0.5);
    A[N] = a.h, B[N] = b.h, C[N] = 0.5 * difference.h;
    nu2[N] = nu * nu;
    root[N] = sqrt(A[N] * A[N] + nu2[N]);
    larger = sqrt(C[N] * C[N] + nu2[N]) + nu;
    nu = larger > 0 ? 0.5 * C[N] * C[N] / larger : 0;
    if (!(C[N] > 1e-9 * A[N]) || N == most - 1) break;
  }
  /* The mean rate of the integral. */
  y = root[1];
  scale = 0.5 * fabs(a2.h) * z0.h * (nu2[1] / (y * y));
  for (k = 1; k <= N; ++k) {
    const double ab = A[k] * B[k], sum = y * y + ab;
    drift += scale;
    scale *= 0.5 * (y * y - ab) / sum;
    y = 0.5 * sum / y;
  }
  polhode_sincos_(polhode_times_(a, dt), &sx, &cx);

  /* Upwards: S = P sin(x)/a_N, c cos(x) and d of the level above k from those of level k; theta is the periodic part of the integral. */
  for (k = N; k >= 1; --k) {
    const double excess = (nu2[k] / (root[k] + A[k]) + tail) / a.h; /* root[k]/a_N - 1 */
    const double s = sx * P / a.h, e = A[k] * C[k] * s * s, q = 1 / (1 + e), above = c * d * q;
    theta = -2 * theta + atan2(sx * cx * (lag - excess * P), cx * cx * c + sx * sx * (P + excess * P));
    if (k == 1) S1 = s;
    lag = (c * eta + lag) * q; /* c - P */
    eta = -2 * e * q;          /* d - 1 */
    d = (e < 0.5 ? 1 - e : cx * cx * c * c + A[k] * B[k - 1] * s * s) * q;
    c = above, P *= q, tail += C[k];
  }
  S = sx * P / a.h, c *= cx;
  {
    const double m1 = m[0].h, m2 = m[1].h, m3 = m[2].h, over = 1 / (c * c + a1.h * a2.h * (S * m3) * (S * m3));
    const double n1 = over * (m1 * c - a1.h * S * d * m2 * m3), n2 = over * (m2 * c * d + a2.h * S * m1 * m3),
                 n3 = over * (m3 * d - a3.h * S * c * m1 * m2);
    /* The angle about the momentum, half of it; then the rotation p(m)^-1 y p(m+). */
    const double ratio = J1.h / (a2.h * both * both), w1 = z0.h + m3, w2 = z0.h + n3, factor = a3.h * ratio * z0.h * S1 * m2 * w2;
    const double turn = atan2(factor * n2, w1 * (w2 * w2 + a3.h / a2.h * ratio * n2 * n2) - factor * n1);
    const polhode_pair_ first = polhode_times_(rate, 0.5 * dt), second = polhode_sum_(drift * dt * sign, sign * theta + turn);
    const double g1 = G.h + m3, g2 = G.h + n3;
    double yc, ys, b0, b1, b2, b3, size;
    polhode_sincos_(polhode_add_(first, second), &ys, &yc);
    b0 = yc * g2, b1 = yc * n2 + ys * n1, b2 = ys * n2 - yc * n1, b3 = ys * g2;
    r[0] = g1 * b0 + m2 * b1 - m1 * b2;
    r[1 + one] = flip * (g1 * b1 - m2 * b0 + m1 * b3);
    r[2] = (one == 0 ? 1 : -1) * (g1 * b2 + m1 * b0 + m2 * b3);
    r[1 + three] = flip * (g1 * b3 - m2 * b2 - m1 * b1);
    size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (i = 0; i < 4; ++i) r[i] /= size;
    w[one] = flip * n1 / I[0].h;
    w[1] = (one == 0 ? 1 : -1) * n2 / I[1].h;
    w[three] = flip * n3 / I[2].h;
  }
}

/* q times r, the vector of r times a factor; q is brought back to its unit length, by the first terms of 1/|q| if it is near to it. */
static inline void polhode_turn_(double q[4], const double r[4], double factor) {
  const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const double scale = fabs(n - 1) < 1e-8 ? 1.5 - 0.5 * n : 1 / sqrt(n);
  const double q0 = scale * q[0], q1 = scale * q[1], q2 = scale * q[2], q3 = scale * q[3];
  q[0] = q0 * r[0] - factor * (q1 * r[1] + q2 * r[2] + q3 * r[3]), q[1] = q1 * r[0] + factor * (q0 * r[1] + q2 * r[3] - q3 * r[2]);
  q[2] = q2 * r[0] + factor * (q0 * r[2] + q3 * r[1] - q1 * r[3]), q[3] = q3 * r[0] + factor * (q0 * r[3] + q1 * r[2] - q2 * r[1]);
}

/* omega after the step, and the rotation of the step: r and the factor of its vector, which is returned. */
static inline double polhode_flow_(double w[3], const double moments[3], double dt, double r[4]) {
  double dw[3], factor = polhode_short_(w, moments, dt, dw, r);
  int pieces, done, i;
  if (factor > 0) {
    w[0] += dw[0], w[1] += dw[1], w[2] += dw[2];
    return factor;
  }
  for (pieces = 2; pieces <= 4; pieces *= 2) {
    double now[3] = {w[0], w[1], w[2]}, turned[4] = {1, 0, 0, 0};
    for (done = 0; done < pieces; ++done) {
      factor = polhode_short_(now, moments, dt / pieces, dw, r);
      if (!(factor > 0)) break;
      now[0] += dw[0], now[1] += dw[1], now[2] += dw[2];
      polhode_turn_(turned, r, factor);
    }
    if (done < pieces) continue;
    for (i = 0; i < 4; ++i) r[i] = turned[i];
    w[0] = now[0], w[1] = now[1], w[2] = now[2];
    return 1;
  }
  polhode_long_(w, moments, dt, r);
  return 1;
}

static inline void polhode_free_step(double omega[3], double q[4], const double moments[3], double dt) {
  const double a = moments[0], b = moments[1], c = moments[2];
  const int two = polhode_middle_(a < b, b < c, c < a), one = two == 0 ? 2 : two - 1, three = two == 2 ? 0 : two + 1;
  const double sorted[3] = {moments[one], moments[two], moments[three]};
  double w[3] = {omega[one], omega[two], omega[three]}, p[4] = {q[0], q[1 + one], q[1 + two], q[1 + three]}, r[4];
  if (!(a > 0 && b > 0 && c > 0)) return;
  polhode_turn_(p, r, polhode_flow_(w, sorted, dt, r));
  omega[one] = w[0], omega[two] = w[1], omega[three] = w[2];
  q[0] = p[0], q[1 + one] = p[1], q[1 + two] = p[2], q[1 + three] = p[3];
}

/* The same in single precision; a step of more than 0.15 radians is computed in double. */
static inline void polhode_free_stepf(float omega[3], float q[4], const float moments[3], float dt) {
  const int ab = moments[0] < moments[1], bc = moments[1] < moments[2], ca = moments[2] < moments[0];
  const int two = polhode_middle_(ab, bc, ca), one = two == 0 ? 2 : two - 1, three = two == 2 ? 0 : two + 1;
  const float x1 = omega[one], x2 = omega[two], x3 = omega[three];
  const float m1 = moments[one], m2 = moments[two], m3 = moments[three], scale = 1 / m2;
  const float k1 = (m3 - m2) / m1, k2 = (m3 - m1) * scale, k3 = (m2 - m1) / m3, i1 = m1 * scale, i3 = m3 * scale;
  const float u = 0.5f * dt, uu = u * u, s1 = x1 * x1, s2 = x2 * x2, s3 = x3 * x3;
  const float p1 = k2 * s1 + k1 * s2, p3 = k2 * s3 + k3 * s2, a = uu * k1 * p3, b = uu * k3 * p1, e1 = a + b, e2 = a * b;
  const float g1 = i1 * s1, g3 = i3 * s3, energy = g1 + s2 + g3, size2 = i1 * g1 + s2 + i3 * g3;
  const float p0 = q[0], pa = q[1 + one], pb = q[1 + two], pc = q[1 + three], size = p0 * p0 + pa * pa + pb * pb + pc * pc;
  const float unit = fabsf(size - 1) < 1e-4f ? 1.5f - 0.5f * size : 1 / sqrtf(size), q0 = unit * p0, q1 = unit * pa, q2 = unit * pb, q3 = unit * pc;
  if (!(moments[0] > 0 && moments[1] > 0 && moments[2] > 0 && size2 > 0)) return;
  const float per = 1 / size2, rho = uu * p1 * (p3 * per);
  if (uu * (s1 + s2 + s3) <= 0.0057f && e1 <= 0.0078f && rho <= 0.002f) {
    const float tau = e1 * (0.333333333f + 0.133333333f * e1) - 0.4f * e2, stretch = 1 + tau;
    const float l1 = u * k1 * (b - stretch), l2 = u * k2 * stretch, l3 = u * k3 * (a - stretch);
    const float l23 = l2 * l3, c1 = l23 * s1, c2 = l3 * l1 * s2, c3 = l1 * l2 * s3, x23 = x2 * x3, c = l1 * l23 * (x1 * x23);
    const float sum = (c1 + c2) + (c3 + c), over = 2 / ((1 - c) - sum);
    const float d1 = over * (l1 * x23 + x1 * (sum - c1)), d2 = over * (l2 * x3 * x1 + x2 * (sum - c2)),
                d3 = over * (l3 * x1 * x2 + x3 * (sum - c3));
    /* As in double, but the polynomials in t are taken at t without the area, whose part is added to first order. */
    const float arm = (i1 * i3) * (k3 * s1 - k1 * s3) * per, turn = 2 * uu * energy, t = 2 * turn * (energy * per);
    const float along = tau - stretch * t * (0.25f - 0.0208333333f * t), lag = t * (0.166666667f - 0.00833333333f * t), whole = 1 + along;
    const float delta = u * (rho * (whole + arm * (0.333333333f + 0.2f * rho)) - (lag + along) * (energy * per));
    const float base = u * (whole - rho * (whole + 0.333333333f * (turn * arm)));
    const float v1 = (base + delta * i1) * (2 * x1 + d1), v2 = (base + delta) * (2 * x2 + d2), v3 = (base + delta * i3) * (2 * x3 + d3);
    const float n = v1 * v1 + v2 * v2 + v3 * v3, nn = n * n;
    const float cosine = (1 - 0.125f * n) - nn * (0.03905189f + 0.02119219f * n), half = (0.5f + 0.0625f * n) + nn * (0.02733489f + 0.01668415f * n);
    omega[one] = x1 + d1, omega[two] = x2 + d2, omega[three] = x3 + d3;
    q[0] = cosine * q0 - half * (q1 * v1 + q2 * v2 + q3 * v3), q[1 + one] = cosine * q1 + half * (q0 * v1 + q2 * v3 - q3 * v2);
    q[1 + two] = cosine * q2 + half * (q0 * v2 + q3 * v1 - q1 * v3), q[1 + three] = cosine * q3 + half * (q0 * v3 + q1 * v2 - q2 * v1);
  } else {
    const double sorted[3] = {m1, m2, m3};
    double w[3] = {x1, x2, x3}, turned[4] = {q0, q1, q2, q3}, r[4];
    polhode_turn_(turned, r, polhode_flow_(w, sorted, dt, r));
    omega[one] = (float)w[0], omega[two] = (float)w[1], omega[three] = (float)w[2];
    q[0] = (float)turned[0], q[1 + one] = (float)turned[1], q[1 + two] = (float)turned[2], q[1 + three] = (float)turned[3];
  }
}

/* Finds the principal axes of a symmetric tensor, nine numbers in rows, by rotations of Jacobi. Returns 1; or 0 if the tensor is not
 * positive definite: a step then changes nothing. */
static inline int polhode_prepare(polhode_tensor* body, const double tensor[9]) {
  double t[3][3];
  int i, j, k, n, sweep;
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j) {
      t[i][j] = 0.5 * (tensor[3 * i + j] + tensor[3 * j + i]);
      body->axes[i][j] = i == j;
    }
  for (sweep = 0; sweep < 12; ++sweep)
    for (k = 0; k < 3; ++k) { /* in the plane of i and j */
      double tangent, c, s, f;
      i = (k + 1) % 3, j = (k + 2) % 3;
      if (t[i][j] == 0) continue;
      f = (t[j][j] - t[i][i]) / (2 * t[i][j]);
      tangent = (f < 0 ? -1 : 1) / (fabs(f) + sqrt(f * f + 1));
      c = 1 / sqrt(tangent * tangent + 1), s = tangent * c;
      t[i][i] -= tangent * t[i][j], t[j][j] += tangent * t[i][j];
      t[i][j] = t[j][i] = 0, f = t[i][k];
      t[i][k] = t[k][i] = c * f - s * t[j][k], t[j][k] = t[k][j] = s * f + c * t[j][k];
      for (n = 0; n < 3; ++n) {
        double* const row = body->axes[n];
        const double a = row[i];
        row[i] = c * a - s * row[j], row[j] = s * a + c * row[j];
      }
    }
  for (i = 0; i < 3; ++i) body->moments[i] = t[i][i];
  return body->moments[0] > 0 && body->moments[1] > 0 && body->moments[2] > 0;
}

/* A step of such a body: omega and q are those of the frame that the tensor was given in. */
static inline void polhode_tensor_step(double omega[3], double q[4], const polhode_tensor* body, double dt) {
  const double a = body->moments[0], b = body->moments[1], c = body->moments[2];
  const int two = polhode_middle_(a < b, b < c, c < a), order[3] = {(two + 2) % 3, two, (two + 1) % 3};
  double before[3], after[3], sorted[3], r[4], turn[4], factor;
  int i, j;
  if (!(a > 0 && b > 0 && c > 0)) return;
  for (i = 0; i < 3; ++i) {
    for (before[i] = 0, j = 0; j < 3; ++j) before[i] += body->axes[j][order[i]] * omega[j];
    after[i] = before[i], sorted[i] = body->moments[order[i]];
  }
  factor = polhode_flow_(after, sorted, dt, r), turn[0] = r[0];
  for (i = 0; i < 3; ++i) { /* the increment alone is turned back: what the axes lack in orthogonality does not add up */
    turn[1 + i] = 0;
    for (j = 0; j < 3; ++j) {
      omega[i] += body->axes[i][order[j]] * (after[j] - before[j]);
      turn[1 + i] += body->axes[i][order[j]] * r[1 + j];
    }
  }
  polhode_turn_(q, turn, factor);
}
/* The same in single precision, computed in double. */
static inline void polhode_tensor_stepf(float omega[3], float q[4], const polhode_tensor* body, float dt) {
  double w[3] = {omega[0], omega[1], omega[2]}, r[4] = {q[0], q[1], q[2], q[3]};
  polhode_tensor_step(w, r, body, dt);
  omega[0] = (float)w[0], omega[1] = (float)w[1], omega[2] = (float)w[2];
  q[0] = (float)r[0], q[1] = (float)r[1], q[2] = (float)r[2], q[3] = (float)r[3];
}
/* Damping as engines have it, implicit and stable for any rate >= 0: omega' = -rate omega, after the step. */
static inline void polhode_damp(double omega[3], double rate, double dt) {
  const double factor = 1 / (1 + rate * dt);
  omega[0] *= factor, omega[1] *= factor, omega[2] *= factor;
}
static inline void polhode_dampf(float omega[3], float rate, float dt) {
  const float factor = 1 / (1 + rate * dt);
  omega[0] *= factor, omega[1] *= factor, omega[2] *= factor;
}

#endif /* POLHODE_STEP_H */
