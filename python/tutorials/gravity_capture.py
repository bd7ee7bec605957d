"""Gravity-gradient capture: a satellite that tumbles is caught by the tide of the Earth, and damping lets it come to rest upright.

Its long axis ends along the local vertical, up or down: both are stable. What damps is a medium that turns with the orbit, as the
currents do that a magnet on board induces.
"""
import argparse

import numpy as np

import polhode

INERTIA = [1.0, 3.0, 3.4]


def capture(rate: float, turns: float):
    """From a rotation about the normal of the orbit that is faster by `rate`; time in radians of the orbit."""
    return polhode.propagate(
        inertia=INERTIA, angular_velocity=[0.05, 0.1, 1.0 + rate], step=0.1, duration=round(20 * np.pi * turns) / 10, every=2,
        torque=[polhode.GravityGradient(mean_motion=1.0), polhode.Damping(0.12, medium=[0.0, 0.0, 1.0])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="gravity-capture.png")
    arguments = parser.parse_args()

    runs = {rate: capture(rate, 4 if arguments.short else 20) for rate in (2.6, 3.2, 4.2)}
    for rate, run in runs.items():
        end = "up" if np.cos(run.pitch[-1]) > 0 else "down"
        print(f"{1 + rate:.1f} turns an orbit at first: pitch {np.degrees(run.pitch[-1]):8.3f} degrees at the end, {end}")
    draw(runs).savefig(arguments.output, dpi=110)


def draw(runs):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 1, figsize=(8, 7.5), sharex=True, layout="constrained")
    for (rate, run), colour in zip(runs.items(), ("#0072B2", "#D55E00", "#009E73")):
        orbits = run.t / (2 * np.pi)
        pitch = np.unwrap(run.pitch)
        axes[0].plot(orbits, pitch / (2 * np.pi), color=colour, linewidth=1.0, label=f"{1 + rate:.1f} turns an orbit at first")
        axes[1].plot(orbits, np.degrees(run.roll), color=colour, linewidth=0.9)
        axes[2].plot(orbits, run.kinetic_energy, color=colour, linewidth=0.9)
    axes[0].set_title("Caught by the tide: the turns end at a half or a whole one")
    axes[0].set_ylabel("pitch, turns")
    axes[0].legend(frameon=False, loc="lower right")
    axes[0].grid(axis="y", linewidth=0.4)
    axes[1].set_ylabel("roll, degrees")
    axes[2].set_ylabel("kinetic energy")
    axes[2].set_xlabel("orbits")
    return figure


if __name__ == "__main__":
    main()
