#include "conformance/description.hpp"

#include "conformance/bodies.hpp"
#include "polhode/version.hpp"
#include "text/text.hpp"

namespace polhode::program {

std::string kit_description() {
  return filled("Reference motions of free rigid bodies, to test programs with\npolhode {}\n",
                polhode::version) +
         filled(R"(
What is here

  bodies.csv      {} bodies: tensor of inertia, and angular velocity and attitude at the time 0
  states-17.csv   their states at the times 1, 2, 5 and 10, with 17 digits: a double each
  states-32.csv   the same with 32 digits
  kit-17.json     bodies and states together; the numbers are doubles
  kit-32.json     the same with 32 digits; the numbers are texts, because most readers of JSON would round them

The problem

  No force and no torque acts; the centre of mass rests. I is the constant tensor of inertia in the body frame,
  omega the angular velocity in the body frame, q the attitude:

      I omega' = (I omega) x omega
      q' = 1/2 q (0, omega)

  q = (q0, q1, q2, q3) is a unit quaternion, scalar first, with Hamilton's product. It turns vectors of the body into
  vectors of space: (0, v_space) = q (0, v_body) q^-1. Units are yours: kg m^2, rad/s and s, for example.

The columns

  I11 to I33, I12, I13, I23   the tensor of inertia; the three last are its elements, not "products of inertia" of the
                              opposite sign. Most bodies have zeros there.
  omega1 to omega3            in the body frame. In space it is q (0, omega) q^-1.
  q0 to q3                    at the times above 0 the first of them that is not zero is positive; -q is the same attitude.
  time                        since the start
  sensitivity                 the error of the attitude in rad for a relative error of 1 in omega at the start. Rounding
                              errors of a double, 1e-16 a step, grow by this factor: nobody can do much better.

  All numbers of bodies.csv are doubles of IEEE 754: read them as doubles, and widen them if you compute with more digits.
  kit-32.json has them exactly, all digits of the binary number.

How right it is

  Every state was computed with 50 digits in two ways that share nothing, by elliptic functions and by Taylor series of
  the two equations, and rounded: each of the 32 digits is right.

The bodies

  generic            all moments differ, in several orders; slow and fast spins; the box is that of the OSRF benchmark
  axis               spin about a principal axis: nothing but a steady turn
  near-axis          the same with 1e-8 of the spin beside the axis: about the least and the greatest moment it stays so, about
                     the middle one it leaves
  separatrix         the motions that end at the middle axis, and one beside them
  needle, disc       moments that differ much; plane bodies
  sphere, symmetric  equal moments, and moments that differ by 1e-8
  nearly-symmetric   moments that differ by 1e-12
  units              moments of 1e-15 and of 1e15
  tensor             principal axes that are not those of the frame
  rest               omega is zero

  generic-water breaks the triangle inequality of the moments in the third digit, and tensor-disc by rounding. A program that
  refuses a body leaves it out.

How to test a program

  1. Start each body from bodies.csv. No gravity, no damping, no contact, no sleeping, no limit on the speed.
  2. Take steps of 1/60, 1/240 and 1/1000 to the time 10.
  3. At the times 1, 2, 5 and 10 write a line of

         body,frequency,time,q0,q1,q2,q3,omega1,omega2,omega3

     with 17 digits (9 for floats), under these names. Instead of frequency it may be step (a length), instead of omega1 to
     omega3 momentum1 to momentum3 (I omega, in the body frame). A state that is not finite may be written as nan.
  4. polhode conformance --score FILE says what it finds; in Python, polhode.conformance.score(FILE).

  By hand: the error of the attitude is the angle 2 atan2(|v|, |s|) of (s, v) = q_exact^-1 q; energy omega . I omega / 2 and momentum
  in space q (0, I omega) q^-1 are constant.
)",
                kit_bodies().size());
}

}  // namespace polhode::program
