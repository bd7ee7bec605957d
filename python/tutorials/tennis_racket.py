#!/usr/bin/env python3
"""The tennis-racket effect: a body that spins about its middle axis turns over, again and again.

Run it to see the figure, or with --output FILE.png to write it; --short takes less motion.

A racket (or a phone, or a wing nut in weightlessness) spins steadily about the axes of its smallest and its largest moment of
inertia. About the middle one it cannot: the least deviation grows, and the body flips by half a turn about the handle, waits
for a while, and flips back. The motion is that of a pendulum that swings from the top to the top; the smaller the deviation,
the longer the wait, by the logarithm of it.
"""
import argparse

import numpy as np

import polhode

INERTIA = [1.2e-3, 16.4e-3, 17.6e-3]  # a racket's, kg m^2: handle, across, out of the plane
SPIN = 6.0  # about the middle axis, rad/s


def deviated(deviation: float) -> list[float]:
    """The momentum of a spin about the middle axis that is off by so many radians."""
    return [INERTIA[0] * SPIN * deviation, INERTIA[1] * SPIN, INERTIA[2] * SPIN * deviation]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", help="write the figure to this file")
    arguments.add_argument("--short", action="store_true", help="less motion, for a test")
    options = arguments.parse_args()
    import matplotlib.pyplot as plt

    run = polhode.propagate(inertia=INERTIA, momentum=deviated(1e-3), step=1e-3, every=5,
                            duration=12.0 if options.short else 40.0)
    print(run)
    print(f"largest error of the energy: {np.abs(run.energy_error).max():.1e} J")

    # The period of the momentum is two flips. A trajectory knows it at once, for any deviation.
    deviations = np.logspace(-1, -12, 23)
    waits = np.array([polhode.Trajectory(INERTIA, deviated(d)).period for d in deviations]) / 2
    line = np.polyfit(np.log10(deviations[8:]), waits[8:], 1)
    i1, i2, i3 = INERTIA
    rate = SPIN * np.sqrt((i2 - i1) * (i3 - i2) / (i1 * i3))  # of the linearised equations
    print(f"a deviation ten times smaller makes the body wait {-line[0]:.6f} s longer")
    print(f"theory, 2 log(10)/rate of the instability:        {2 * np.log(10) / rate:.6f} s")

    # How fast nearby motions part, by the tangent map.
    exponent = polhode.lyapunov_exponent(INERTIA, deviated(0.0), 0.1, 100 if options.short else 1000)
    print(f"growth of a small deviation: {exponent:.3f} /s; theory: {rate:.3f} /s")

    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    for i, name in enumerate(("handle", "across", "out of the plane")):
        axes[0, 0].plot(run.t, run.angular_velocity[:, i], label=f"$\\omega_{i + 1}$, {name}", linewidth=1.2)
    axes[0, 0].set(xlabel="t, s", ylabel="rad/s", title="Angular velocity in the body: it flips, waits, flips back")
    axes[0, 0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False)

    axis = run.rotations().apply([0.0, 1.0, 0.0])  # the middle axis of the body, seen from space
    angle = np.degrees(np.arccos(np.clip(axis @ axis[0], -1, 1)))
    axes[0, 1].plot(run.t, angle, color="tab:red", linewidth=1.2)
    axes[0, 1].set(xlabel="t, s", ylabel="degrees", yticks=[0, 90, 180],
                   title="Angle of the middle axis to where it began")

    axes[1, 0].semilogx(deviations, waits, "o", label="half of the period of a Trajectory")
    axes[1, 0].semilogx(deviations, np.polyval(line, np.log10(deviations)), label="straight line")
    axes[1, 0].set(xlabel="deviation from the middle axis, rad", ylabel="s", title="Time from flip to flip")
    axes[1, 0].legend()

    axes[1, 1].remove()
    draw_polhodes(figure.add_subplot(2, 2, 4, projection="3d"))
    if options.output:
        figure.savefig(options.output, dpi=110)
        print(f"figure: {options.output}")
    else:
        plt.show()


def draw_polhodes(axes) -> None:
    """Paths of the momentum on its sphere, about each of the axes, for a body whose moments differ more evenly."""
    inertia = [1.0, 2.0, 3.0]
    for axis, color in ((0, "tab:blue"), (2, "tab:green")):
        for tilt in np.radians([10, 20, 30, 40, 50]):
            for side in (1, -1):
                momentum = np.zeros(3)
                momentum[axis], momentum[1] = side * np.cos(tilt), np.sin(tilt)
                free = polhode.Trajectory(inertia, momentum)
                axes.plot(*free.momentum(np.linspace(0, free.period, 200)).T, color=color, linewidth=0.8)
    for side in (1, -1):
        between = polhode.Trajectory(inertia, [1e-6, 1.0, side * 1e-6])
        axes.plot(*between.momentum(np.linspace(0, between.period, 2000)).T, color="tab:red", linewidth=1.2)
    axes.set_box_aspect((1, 1, 1))
    axes.set(xlabel="$m_1$", ylabel="$m_2$", zlabel="$m_3$", title="Paths of the momentum; red: next to the middle axis")


if __name__ == "__main__":
    main()
