#!/usr/bin/env python3
"""The wing nut of Dzhanibekov: a spin next to the middle axis, its path among all others, and its flips over time.

Run it to see the figure, or with --output FILE.png to write it; --short takes fewer paths.

The momentum of a free body goes along a closed path on a sphere, the one on which the energy is what it is. Around the axes
of the smallest and of the largest moment the paths are small rings: who begins near such an axis stays near it. At the middle
axis they cross: who begins near it goes all the way to the other side, where the axis points backwards in the body, waits there,
and returns.
"""
import argparse

import numpy as np

import polhode

INERTIA = np.array([1.0, 2.0, 3.0])
START = np.array([0.002, 1.0, 0.002])  # the momentum, but for its length: next to the middle axis
AXES = ("smallest", "middle", "largest")
COLOURS = ("#0072B2", "#D55E00", "#009E73")  # of Okabe and Ito


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", help="write the figure to this file")
    arguments.add_argument("--short", action="store_true", help="fewer paths, for a test")
    options = arguments.parse_args()
    import matplotlib.pyplot as plt

    nut = polhode.Trajectory(INERTIA, START / np.linalg.norm(START))
    print(f"from flip to flip: {nut.period / 2:.15g}")

    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), width_ratios=[0.75, 1], layout="constrained")
    draw_sphere(nut, left, 4 if options.short else 8)
    draw_flips(nut, right)
    if options.output:
        figure.savefig(options.output, dpi=100)
        print(f"figure: {options.output}")
    else:
        plt.show()


def draw_sphere(nut: polhode.Trajectory, axes, rings: int) -> None:
    """The paths on the sphere, seen from a point near the middle axis; those on the far side are faint."""
    elevation, azimuth = np.radians([22.0, 63.0])
    east = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    here = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    plane = np.array([east, np.cross(here, east)])

    def draw(free, colour, width, points):
        path = free.momentum(np.linspace(0, free.period, points))
        seen = path @ here > 0
        for part, opacity, order in ((seen, 1.0, 3), (~seen, 0.18, 2)):
            axes.plot(*(plane @ np.where(part, path.T, np.nan)), color=colour, linewidth=width, alpha=opacity,
                      zorder=order + 2 * (width > 1))

    turn = np.linspace(0, 2 * np.pi, 361)
    axes.fill(np.cos(turn), np.sin(turn), facecolor="#F6F6F6", edgecolor="#B0B0B0")
    for axis in (0, 2):
        for tilt in np.pi / 2 * (np.arange(rings) + 0.5) / rings:  # towards the middle axis
            for side in (1, -1):
                momentum = np.zeros(3)
                momentum[axis], momentum[1] = side * np.cos(tilt), np.sin(tilt)
                draw(polhode.Trajectory(INERTIA, momentum), COLOURS[axis], 0.8, 1000)
    draw(nut, COLOURS[1], 2.6, 5000)
    for i, name in enumerate(AXES):
        x, y = plane[:, i]
        axes.plot(x, y, "o", color="black", markersize=5, zorder=6)
        axes.annotate(name, (x, y), xytext=(7, 5), textcoords="offset points", zorder=7,
                      bbox=dict(boxstyle="round,pad=0.15", facecolor="white", edgecolor="none", alpha=0.8))
    axes.set(xlim=(-1.03, 1.03), ylim=(-1.03, 1.03), aspect="equal", title="Paths of the momentum in the body")
    axes.set_axis_off()


def draw_flips(nut: polhode.Trajectory, axes) -> None:
    t = np.linspace(0, 2.2 * nut.period, 4000)
    for omega, name, colour, number in zip((nut.momentum(t) / INERTIA).T, AXES, COLOURS, (1, 2, 3)):
        axes.plot(t, omega, color=colour, linewidth=2.2 if number == 2 else 1.3, zorder=3 if number == 2 else 2,
                  label=f"$\\omega_{number}$, {name} moment")
    axes.axhline(0, color="#B0B0B0", linewidth=0.8, zorder=1)
    axes.set(xlabel="t", xlim=(0, t[-1]), title="Angular velocity: a wing nut spins, flips over, waits, flips back")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False)


if __name__ == "__main__":
    main()
