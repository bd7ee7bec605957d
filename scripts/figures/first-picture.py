#!/usr/bin/env python3
"""first-picture.py FILE.png: the picture of the README. Paths of a free body, and what a million steps do to its energy.

Both panels are made from the tutorials wing_nut.py and brouwers_law.py.
"""
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import polhode  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "tutorials"))
import brouwers_law as growth  # noqa: E402
import wing_nut  # noqa: E402

STEPS = 1_000_000


def draw_energies(axes) -> None:
    from scipy.integrate import solve_ivp

    molecule = dict(inertia=growth.INERTIA, momentum=growth.MOMENTUM, step=growth.STEP, steps=STEPS, every=STEPS // 1000)
    times = np.linspace(0, 1000, 201)
    scipy = solve_ivp(growth.rates, (0, times[-1]), [*growth.MOMENTUM, 1, 0, 0, 0], method="DOP853", rtol=1e-13, atol=1e-13,
                      t_eval=times)
    energy = np.sum(scipy.y[:3].T**2 / growth.INERTIA, axis=1) / 2
    plain = polhode.propagate(**molecule, compensated=False)
    exact = polhode.propagate(**molecule)
    for t, error, colour, name, place in (
            (times, energy - energy[0], "#D55E00", "scipy, DOP853, 1e-13", (9, 2e-12)),
            (plain.t, plain.energy_error, "#009E73", "exact, plain sums", (1300, 6e-14)),
            (exact.t, exact.energy_error, "#0072B2", "polhode: exact, compensated", (60, 1.2e-17))):
        error = np.abs(error[1:])
        axes.loglog(t[1:], np.where(error > 0, error, np.nan), ".", markersize=3, color=colour)
        axes.text(*place, name, color=colour, fontweight="bold", fontsize=11, ha="left")
    axes.set(xlabel="time t (one step is 0.01)", xlim=(8, 1.2e4), ylim=(1e-20, 1e-10),
             title="Error of the energy of a spinning molecule")
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    nut = polhode.Trajectory(wing_nut.INERTIA, wing_nut.START / np.linalg.norm(wing_nut.START))
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.8), width_ratios=[0.75, 1], layout="constrained")
    wing_nut.draw_sphere(nut, left, 8)
    left.set_title("A wing nut flips along the thick path")
    draw_energies(right)
    figure.savefig(sys.argv[1], dpi=100)


if __name__ == "__main__":
    main()
