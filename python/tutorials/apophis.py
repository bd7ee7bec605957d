"""Apophis in 2029: a flyby of the Earth changes the spin of an asteroid, and how it points at that hour decides in which way.

Periods as published (Astronomy and Astrophysics 709, A278, 2026): 27.374 h and 262.2 h, short-axis mode. From memory: moments
0.61 : 0.965 : 1, closest approach 38 000 km, hyperbolic excess 5.8 km/s. The direction of the momentum is drawn at random: that with
respect to the orbit is not in the model, nor is the Moon.
"""
import argparse

import numpy as np

import polhode

MOMENTS = [0.61, 0.965, 1.0]
EARTH = 398600.4418 * 3600**2  # km^3/h^2
PERIAPSIS, EXCESS = 38000.0, 5.8 * 3600
FLYBY = polhode.GravityGradient(gravitational_parameter=EARTH, periapsis=PERIAPSIS, eccentricity=1 + PERIAPSIS * EXCESS**2 / EARTH)
HOURS = 24.0


def spin_at_the_encounter(random) -> polhode.SpinState:
    direction = random.standard_normal(3)
    return polhode.SpinState.from_periods(
        precession=random.normal(27.374, 0.001), rotation=random.normal(262.2, 0.1), moments=MOMENTS, mode="short-axis",
        direction=direction, phase=random.random(), azimuth=2 * np.pi * random.random())


def flyby(spin: polhode.SpinState, every: int = 96):
    """From a day before the closest approach to a day after it; `spin` is the state at the closest approach if there were no Earth."""
    momentum, attitude = spin.trajectory().at(-HOURS)
    return polhode.propagate(inertia=MOMENTS, momentum=momentum, attitude=attitude, start_time=-HOURS, step=0.5, duration=2 * HOURS,
                             every=every, torque=FLYBY, scheme="rkn6-14")


def spin_rate(momentum):
    """The effective rate 2T/|m|, in degrees an hour."""
    return np.degrees(np.sum(momentum**2 / MOMENTS, axis=-1) / np.linalg.norm(momentum, axis=-1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="apophis.png")
    arguments = parser.parse_args()

    random = np.random.default_rng(2029)
    spins = [spin_at_the_encounter(random) for _ in range(40 if arguments.short else 1000)]
    print(f"E/E0 before: {spins[0].energy_ratio:.4f} (published: 1.024 +- 0.013)")
    rates, turns = [], []
    for spin in spins:
        run = flyby(spin)
        after = polhode.SpinState(MOMENTS, run.momentum[-1], run.attitude[-1])
        rates.append(spin_rate(after.momentum) / spin_rate(spin.momentum))
        turns.append(np.degrees(np.arccos(np.clip(after.direction @ spin.direction, -1, 1))))
    print(f"spin rate after the flyby over that before: from {min(rates):.2f} to {max(rates):.2f}")
    print(f"the pole moves by 10 degrees or more in {100 * np.mean(np.array(turns) >= 10):.0f} of 100 cases")
    draw([flyby(spin, every=1) for spin in spins[:12]], rates, turns).savefig(arguments.output, dpi=110)


def draw(some, rates, turns):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for run in some:
        axes[0].plot(run.t, spin_rate(run.momentum), linewidth=1)
    axes[0].axvline(0, color="#999999", linewidth=0.6)
    axes[0].set_title("Twelve attitudes at the encounter,\ntwelve spins after it")
    axes[0].set_xlabel("hours from the closest approach")
    axes[0].set_ylabel("spin rate, degrees an hour")
    axes[1].hist(rates, bins=40, color="#0072B2")
    axes[1].set_title("Spin rate after the flyby\nover that before")
    axes[1].set_ylabel("number of cases")
    axes[2].hist(turns, bins=40, color="#D55E00")
    axes[2].axvline(10, color="black", linewidth=0.8)
    axes[2].set_title("How far the pole moves;\nthe line is at 10 degrees")
    axes[2].set_xlabel("degrees")
    return figure


if __name__ == "__main__":
    main()
