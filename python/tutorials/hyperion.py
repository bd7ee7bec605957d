"""Hyperion, the moon that was the first example of chaos in the Solar System: how fast do two almost equal rotations part?

States measured in 1981 and 2005 (table 1 of Goldberg and Batygin, Astronomy and Astrophysics 692, A9, 2024; the last one with the
principal axes corrected); moments 0.5956 : 0.8595 : 1 from memory (Wisdom, Peale and Mignard 1984). The third axis of the table is taken
as the long one, the first as the middle one. Time is in radians of the orbit.
"""
import argparse

import numpy as np

import polhode

MOMENTS = np.array([0.8595, 1.0, 0.5956])
#: Eccentricity, mean anomaly, angles about the axes 3, 1, 3, direction and size of the angular velocity.
STATES = {
    "1981-08-23": (0.124, 0.349, (5.676, 0.965, 3.448), (0.211, -0.019, 0.977), 4.225),
    "2005-06-10": (0.115, 5.149, (1.713, 1.148, 1.508), (0.067, 0.451, 0.890), 4.433),
    "2005-08-16": (0.115, 5.969, (0.559, 0.661, 0.587), (0.162, 0.389, 0.907), 4.255),
    "2005-09-25, axes corrected": (0.113, 5.288, (0.527, 0.393, 0.525), (-0.095, 0.157, 0.983), 4.255),
}
#: One turn an orbit about the short axis: such slow motions the first papers were about.
SLOW = (0.1, 0.0, (0.3, 0.2, 0.1), (0.0, 1.0, 0.0), 1.0)


def rotation(state, orbits, push=0.0):
    eccentricity, anomaly, angles, direction, size = state
    momentum = MOMENTS * size * np.array(direction)
    return polhode.propagate(
        inertia=MOMENTS, momentum=momentum + [push, 0, 0], attitude=polhode.from_euler(angles, "ZXZ"), step=0.1,
        duration=round(20 * np.pi * orbits) / 10, every=10, scheme="rkn6-14",
        torque=polhode.GravityGradient(eccentricity=eccentricity, mean_anomaly=anomaly))


def distance(run, other):
    """The angle between two attitudes, in degrees."""
    cosine = np.abs(np.sum(run.attitude * other.attitude, axis=1))
    sine = np.linalg.norm(run.attitude - np.sign(np.sum(run.attitude * other.attitude, axis=1))[:, None] * other.attitude, axis=1)
    return np.degrees(np.where(cosine > 0.9, 2 * np.arcsin(np.minimum(sine / 2, 1)) * 2, 2 * np.arccos(np.minimum(cosine, 1))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="hyperion.png")
    arguments = parser.parse_args()

    orbits = 20 if arguments.short else 300
    results = {}
    for name, state in {**STATES, "one turn an orbit, about the short axis": SLOW}.items():
        run, other = rotation(state, orbits), rotation(state, orbits, push=1e-10)
        results[name] = run.t / (2 * np.pi), distance(run, other), np.linalg.norm(run.angular_velocity, axis=1)
        near = results[name][1] < 5
        when = results[name][0][np.argmin(near)] if not near.all() else np.inf
        told = f"after {when:.0f} orbits, {21.28 * when:.0f} days" if np.isfinite(when) else f"not within {orbits} orbits"
        print(f"{name}: 5 degrees apart {told}")
    draw(results).savefig(arguments.output, dpi=110)


def draw(results):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(9, 7.5), sharex=True, layout="constrained", height_ratios=[2, 1])
    for (name, (orbits, angle, rate)), colour in zip(results.items(), ("#0072B2", "#56B4E9", "#009E73", "#CC79A7", "#D55E00")):
        axes[0].semilogy(orbits[1:], angle[1:], color=colour, linewidth=0.9, label=name)
        axes[1].plot(orbits, rate, color=colour, linewidth=0.6)
    axes[0].set_title("Two rotations of Hyperion that differ in the eleventh digit: a straight rise is chaos")
    axes[0].set_ylabel("angle between them, degrees")
    axes[0].legend(frameon=False, loc="upper left", ncols=2)
    axes[0].set_ylim(1e-9, 1e6)
    axes[1].set_ylabel("spin, turns an orbit")
    axes[1].set_xlabel("orbits of 21.28 days")
    return figure


if __name__ == "__main__":
    main()
