#!/usr/bin/env python3
"""A tumbling satellite: on a round orbit the gravity gradient holds it, on an eccentric one it tumbles without order.

Run it to see the figure, or with --output FILE.png to write it; --short takes fewer orbits.

A long body on a circular orbit swings about the vertical like a pendulum: the Moon does. On an eccentric orbit the torque comes
and goes with every revolution, and the body may tumble chaotically, as Saturn's moon Hyperion does, whose proportions the body
has here. Then the circle once more, with a magnet on board: a torque of our own, in a few lines of Python.
"""
import argparse

import numpy as np

import polhode

INERTIA = np.array([0.314, 0.542, 0.620])  # of Hyperion, in any unit
TURN = 2 * np.pi  # of the orbit: its mean motion is one


def start(pitch_rate: float) -> dict:
    """The longest axis near the vertical, a spin about the normal of the orbit, and a little tilt."""
    return dict(inertia=INERTIA, angular_velocity=[0.02, -0.01, pitch_rate], attitude=[1.0, 0.01, 0.02, 0.0] / np.sqrt(1.0005))


class MagnetOnBoard:
    """The gravity gradient of a circular orbit, and a dipole in a field that is fixed in space."""

    dipole = np.array([0.05, 0.0, 0.1])
    field = np.array([0.0, 0.6, 0.8])

    def __call__(self, q, t):
        seen_from_body = rotation_matrix(q).T
        vertical = seen_from_body @ [np.cos(t), np.sin(t), 0.0]
        return 3 * np.cross(vertical, INERTIA * vertical) + np.cross(self.dipole, seen_from_body @ self.field)


def rotation_matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", help="write the figure to this file")
    arguments.add_argument("--short", action="store_true", help="fewer orbits, for a test")
    options = arguments.parse_args()
    import matplotlib.pyplot as plt

    orbits = 4 if options.short else 25
    common = dict(step=TURN / 100, steps=100 * orbits, every=1)
    round_orbit = polhode.GravityGradient(mean_motion=1.0)
    ellipse = polhode.GravityGradient(mean_motion=1.0, eccentricity=0.12)

    circle = polhode.propagate(**start(1.15), **common, torque=round_orbit)
    print(circle)
    print(f"the energy in the turning frame is conserved to {np.abs(circle.jacobi_integral_error).max():.1e}")
    tumbling = polhode.propagate(**start(1.15), **common, torque=ellipse)
    print(tumbling)

    # Two satellites that differ by a billionth part: where the motion is chaotic, they part exponentially.
    nearby = start(1.15 + 1e-9)
    parted = {
        "circle": distance(circle, polhode.propagate(**nearby, **common, torque=round_orbit)),
        "eccentricity 0.12": distance(tumbling, polhode.propagate(**nearby, **common, torque=ellipse)),
    }
    for name, angle in parted.items():
        print(f"after {orbits} orbits, {name}: a change of 1e-9 has become {angle[-1]:.1e} rad")

    magnetic = polhode.propagate(**start(1.15), **common, torque=MagnetOnBoard())
    print(f"{magnetic}\n{magnetic.force_evaluations} calls of a Python torque in {magnetic.seconds:.2f} s")

    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    for run, label in ((circle, "circle"), (tumbling, "eccentricity 0.12")):
        axes[0, 0].plot(run.t / TURN, np.unwrap(run.pitch) / TURN, label=label, linewidth=1)
    axes[0, 0].set(xlabel="orbits", ylabel="turns", title="Pitch, against the vertical: one swings, one goes round")
    axes[0, 0].legend()
    for run, label, order in ((circle, "circle", 2), (tumbling, "eccentricity 0.12", 1)):
        axes[0, 1].plot(*np.degrees([run.roll, run.yaw]), ".", markersize=2, label=label, zorder=order)
    axes[0, 1].set(xlabel="roll, degrees", ylabel="yaw, degrees", title="Out of the plane of the orbit")
    axes[0, 1].legend(markerscale=5)
    for name, angle in parted.items():
        axes[1, 0].semilogy(circle.t[1:] / TURN, angle[1:], label=name, linewidth=1)
    axes[1, 0].set(xlabel="orbits", ylabel="radians", title="Two satellites that differ by 1e-9 at first")
    axes[1, 0].legend()
    for run, label in ((circle, "gravity gradient"), (magnetic, "and a magnet, in Python")):
        tilt = run.rotations().apply([0.0, 0.0, 1.0])[:, 2]
        axes[1, 1].plot(run.t / TURN, np.degrees(np.arccos(np.clip(tilt, -1, 1))), label=label, linewidth=1)
    axes[1, 1].set(xlabel="orbits", ylabel="degrees", title="Tilt of axis 3 to the normal of the orbit")
    axes[1, 1].legend()
    if options.output:
        figure.savefig(options.output, dpi=110)
        print(f"figure: {options.output}")
    else:
        plt.show()


def distance(a: polhode.Result, b: polhode.Result) -> np.ndarray:
    """The angle between the attitudes of two runs."""
    return (a.rotations().inv() * b.rotations()).magnitude()


if __name__ == "__main__":
    main()
