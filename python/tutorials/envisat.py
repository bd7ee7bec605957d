"""Envisat, a dead satellite: the Earth's tide turns its momentum about the normal of the orbit, the faster the slower it spins.

Published (Advances in Space Research 61, 182, 2018): spin period 120.674 s exp(4.5095e-4 t/d) from 2013-01-01, least over greatest moment
0.0818, momentum 8.53 degrees from the negative normal of the orbit, which it goes round in 4.8 d (2013) and 3.4 d (2015). The middle moment is not
published: 0.95 of the greatest fits. From memory: a circular orbit of 7144 km. The turning of the orbit itself is left out.
"""
import argparse

import numpy as np

import polhode

DAY = 86400.0
MOMENTS = [0.0818, 0.95, 1.0]
TIDE = polhode.GravityGradient(semi_major_axis=7144.0, gravitational_parameter=398600.4418)


def follow(spin_period: float, days: float):
    """From a spin about the axis of the greatest moment, tilted by 8.53 degrees."""
    half = (np.pi - np.radians(8.53)) / 2
    return polhode.propagate(inertia=MOMENTS, angular_velocity=[0, 0, 2 * np.pi / spin_period], attitude=[np.cos(half), 0, np.sin(half), 0],
                             step=20.0, duration=days * DAY, every=180, torque=TIDE, scheme="aba-8-6-4")


def momentum_in_space(run):
    momentum = polhode.to_rotation(run.attitude).apply(run.momentum)
    return momentum / np.linalg.norm(momentum, axis=1)[:, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="envisat.png")
    arguments = parser.parse_args()

    dates = {"2013-01-01": 0, "2014-01-01": 365, "2015-01-01": 730}
    paths, periods = {}, {}
    for date, day in dates.items():
        spin = 120.674 * np.exp(4.5095e-4 * day)
        run = follow(spin, 3 if arguments.short else 12)
        momentum = momentum_in_space(run)
        azimuth = np.unwrap(np.arctan2(momentum[:, 1], momentum[:, 0]))
        periods[date] = 2 * np.pi / abs(azimuth[-1] - azimuth[0]) * run.t[-1] / DAY
        paths[date] = run.t / DAY, azimuth
        print(f"{date}: it spins in {spin:.1f} s, and its momentum goes round in {periods[date]:.2f} days")
    draw(paths, periods, dates, momentum).savefig(arguments.output, dpi=110)


def draw(paths, periods, dates, momentum):
    import matplotlib.pyplot as plt

    colours = ("#0072B2", "#009E73", "#D55E00")
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    axes[0].plot(*np.degrees(np.arcsin(momentum[:, :2].T)), color=colours[2], linewidth=0.8)
    axes[0].plot(0, 0, "k+")
    axes[0].set_aspect("equal")
    axes[0].set_title("Tip of the momentum;\nthe cross is the normal of the orbit")
    axes[0].set_xlabel("degrees")
    axes[0].set_ylabel("degrees")
    for (date, (t, azimuth)), colour in zip(paths.items(), colours):
        axes[1].plot(t, np.abs(azimuth - azimuth[0]) / (2 * np.pi), color=colour, label=date)
    axes[1].set_title("Turns of the momentum")
    axes[1].set_xlabel("days")
    axes[1].legend(frameon=False)
    days = np.linspace(0, 900, 50)
    axes[2].plot(days, periods["2013-01-01"] * np.exp(-4.5095e-4 * days), color="#999999", label="as the spin period grows")
    axes[2].plot([dates[d] for d in periods], list(periods.values()), "o", color="black", label="computed")
    axes[2].plot([0, 730], [4.8, 3.4], "s", mfc="none", mec="#D55E00", ms=10, label="published, 2013 and 2015")
    axes[2].set_title("Time of a turn")
    axes[2].set_xlabel("days from 2013-01-01")
    axes[2].set_ylabel("days")
    axes[2].legend(frameon=False)
    return figure


if __name__ == "__main__":
    main()
