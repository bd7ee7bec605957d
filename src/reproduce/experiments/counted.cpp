#include "reproduce/experiments/counted.hpp"

#include "polhode/free_motion/jacobi_kept.hpp"
#include "polhode/free_motion/magnus.hpp"
#include "polhode/free_motion/mclachlan_reich.hpp"

namespace polhode::program::experiments {

namespace {

using Number = Counted;

/// The body of [CS06 figure 5]; the counts are those of every body for which the arithmetic-geometric mean takes as many steps.
const Vector<Number> counted_moments{{Number(1), Number(5), Number(6)}},
    counted_momentum{{Number(10), Number(50), Number(60)}};
const Number counted_step = 0.01;

}  // namespace

OperationCount operations_of_mr_step() {
  const McLachlanReich<Number> method{Inertia<Number>(counted_moments)};
  Motion<Number, Summation::plain> motion;
  motion.assign(counted_momentum, Quaternion<Number>());
  return operations_of([&] { method.step(motion, counted_step); });
}

OperationCount operations_of_sej_step() {
  const Inertia<Number> inertia(counted_moments);
  const KeptJacobi<Number> euler(inertia);
  const Vector<Number> inverse = convert<Number>(inertia.inverse);
  MethodMemory<Number> constants{};
  const Number half = counted_step / Number(2);
  Vector<Number> m = euler(counted_momentum, half, constants)->momentum;  // which computes the constants
  Quaternion<Number> q;
  return operations_of([&] {
    m = euler(m, half, constants)->momentum;
    const Vector<Number> omega = counted_step * times(inverse, m);
    m = euler(m, half, constants)->momentum;
    q = q + q * Magnus<Number, 2>::exponential_minus_one(omega);
  });
}

}  // namespace polhode::program::experiments
