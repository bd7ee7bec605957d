#!/usr/bin/env python3
"""A million steps and Brouwer's law: how rounding errors grow, here and in scipy's solve_ivp.

Run it to see the figure, or with --output FILE.png to write it; --short takes fewer steps.

Whoever adds up a million rounded increments makes a million rounding errors. If they are random, the sum walks off by the
square root of their number: the energy by t^(1/2), the attitude, which integrates it, by t^(3/2). That is Brouwer's law, and
the best that plain summation can do. With compensated summation what is rounded off is kept and added later: the energy
stays where it is. A general solver, even one of order eight with a tolerance of 1e-13, drifts: by t, and its attitude by t^2.
"""
import argparse
import time

import numpy as np
from scipy.integrate import solve_ivp

import polhode

INERTIA = np.array([0.345, 0.653, 1.0])  # the water molecule of the literature
MOMENTUM = np.array([0.5, 0.2, 0.84])
STEP = 0.01


def rates(t, y):
    """Euler's equations and the quaternion's, for solve_ivp."""
    omega = y[:3] / INERTIA
    w, x, y_, z = y[3:]
    a, b, c = omega
    return [y[1] * c - y[2] * b, y[2] * a - y[0] * c, y[0] * b - y[1] * a,
            0.5 * (-x * a - y_ * b - z * c), 0.5 * (w * a + y_ * c - z * b),
            0.5 * (w * b + z * a - x * c), 0.5 * (w * c + x * b - y_ * a)]


def attitude_error(attitude, exact):
    """The angle of the rotation from one to the other, to its last digits, which a scalar product near one has not."""
    attitude = attitude / np.linalg.norm(attitude, axis=1)[:, None]
    side = np.sign(np.sum(attitude * exact, axis=1))[:, None]
    return 2 * np.linalg.norm(attitude * side - exact, axis=1)


def exact_attitude(times):
    """At multiples of the step, where 0.01 is the double next to it: the times themselves are rounded again."""
    return polhode.Trajectory(INERTIA, MOMENTUM).attitude(times)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", help="write the figure to this file")
    arguments.add_argument("--short", action="store_true", help="fewer steps, for a test")
    options = arguments.parse_args()
    import matplotlib.pyplot as plt

    steps, until = (20_000, 20.0) if options.short else (1_000_000, 1000.0)
    molecule = dict(inertia=INERTIA, momentum=MOMENTUM, step=STEP, every=steps // 1000)
    runs = {
        "exact, compensated": polhode.propagate(**molecule, steps=steps),
        "exact, plain sums": polhode.propagate(**molecule, steps=steps, compensated=False),
        "dmv10, plain sums": polhode.propagate(**molecule, steps=steps, method="dmv10", compensated=False),
    }
    reference = exact_attitude(runs["exact, compensated"].t)

    start = time.perf_counter()
    times = np.linspace(0, until, 201)
    solution = solve_ivp(rates, (0, until), [*MOMENTUM, 1, 0, 0, 0], method="DOP853", rtol=1e-13, atol=1e-13,
                         t_eval=times)
    scipy_seconds = time.perf_counter() - start
    start = time.perf_counter()
    ours = polhode.propagate(inertia=INERTIA, momentum=MOMENTUM, step=2 * STEP, duration=until,
                             every=round(until / STEP / 400))
    our_seconds = time.perf_counter() - start
    energy = np.abs(np.sum(solution.y[:3].T**2 / INERTIA, axis=1) - np.sum(MOMENTUM**2 / INERTIA)) / 2
    scipy_error = attitude_error(solution.y[3:].T, exact_attitude(times))
    our_error = attitude_error(ours.attitude, exact_attitude(ours.t))

    print(f"to t = {until:g}:            seconds   attitude error, rad   energy error")
    print(f"solve_ivp DOP853 1e-13   {scipy_seconds:9.4f}   {scipy_error.max():19.1e}   {energy.max():12.1e}")
    print(f"propagate, step 0.02     {our_seconds:9.4f}   {our_error.max():19.1e}   {np.abs(ours.energy_error).max():12.1e}")
    print(f"ratio                    {scipy_seconds / our_seconds:9.0f}   {scipy_error.max() / our_error.max():19.0f}")

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    for name, run in runs.items():
        left.loglog(run.t[1:], np.maximum(np.abs(run.energy_error[1:]), 1e-20), ".", markersize=3, label=name)
        right.loglog(run.t[1:], attitude_error(run.attitude[1:], reference[1:]), ".", markersize=3, label=name)
    left.loglog(times[1:], energy[1:], ".", markersize=3, label="solve_ivp, DOP853, 1e-13")
    right.loglog(times[1:], scipy_error[1:], ".", markersize=3, label="solve_ivp, DOP853, 1e-13")
    t = runs["exact, compensated"].t[1:]
    left.loglog(t, 1e-15 * (t / t[0])**0.5, "k--", linewidth=0.8, label="$t^{1/2}$")
    right.loglog(t, 1e-14 * (t / t[0])**1.5, "k--", linewidth=0.8, label="$t^{3/2}$")
    left.set(xlabel="t", title="Energy error", ylim=(1e-20, 1e-9))
    right.set(xlabel="t", title="Attitude error, rad")
    left.legend(markerscale=3, fontsize=8)
    right.legend(markerscale=3, fontsize=8)
    figure.suptitle(f"{steps} steps of {STEP}")
    if options.output:
        figure.savefig(options.output, dpi=110)
        print(f"figure: {options.output}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
