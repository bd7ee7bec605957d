"""Two periods, which motion? Comet 67P and the interstellar visitor 1I/'Oumuamua as inverse problems.

A free body has two periods: a mean revolution of its long axis about the momentum (precession), and the rotation. Which pairs can a body
have, and with how much energy above the least, E/E0? Published: 1I 8.67 h, with rotations of 6.58, 13.15 or 54.48 h (Belton et al. 2018);
67P 12.4043 h and, for its wandering axis, 276 h (Astronomy and Astrophysics 590, A46, 2016), moments 0.13, 0.23, 0.25.
"""
import argparse

import numpy as np

import polhode


def ellipsoid(a: float, b: float, c: float) -> list:
    """The moments of a homogeneous one, up to a factor."""
    return [b * b + c * c, a * a + c * c, a * a + b * b]


def energy(precession, rotation, moments, mode):
    """E/E0, or NaN where the body has no such motion."""
    try:
        return polhode.SpinState.from_periods(precession=precession, rotation=rotation, moments=moments, mode=mode).energy_ratio
    except polhode.InputError:
        return np.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="spin-periods.png")
    arguments = parser.parse_args()

    comet = [0.13, 0.23, 0.25]
    print(f"67P, 276 h as its rotation: E/E0 = {energy(12.4043, 276.0, comet, 'short-axis'):.4f}; the separatrix has 0.25/0.23 = {0.25 / 0.23:.4f}")
    alias = 1 / (1 / 12.4043 - 1 / 276)
    if np.isnan(energy(12.4043, alias, comet, "short-axis")):
        print(f"67P, 276 h as the alias of {alias:.2f} h, known once a turn: these moments have no such motion")

    count = 60 if arguments.short else 400
    elongations = np.linspace(1.02, 10, count)
    curves = {(rotation, mode): np.array([energy(8.67, rotation, ellipsoid(a, 1, 0.9), mode) for a in elongations])
              for rotation in (6.58, 13.15, 54.48) for mode in ("long-axis", "short-axis")}
    quotients = np.geomspace(1.01, 60, count)
    modes = {mode: np.array([energy(1.0, q, ellipsoid(3, 1, 0.8), mode) for q in quotients]) for mode in ("long-axis", "short-axis")}
    draw(elongations, curves, quotients, modes).savefig(arguments.output, dpi=110)


def draw(elongations, curves, quotients, modes):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    for (mode, ratios), style in zip(modes.items(), ("-", "--")):
        axes[0].semilogx(quotients, ratios, style, color="#0072B2", label=f"{mode} mode")
    moments = sorted(ellipsoid(3, 1, 0.8))
    axes[0].axhline(moments[2] / moments[1], color="#999999", linewidth=0.8, label="separatrix, I3/I2")
    axes[0].set_title("One body, 3 : 1 : 0.8: above a limit\ntwo motions have the same periods")
    axes[0].set_xlabel("rotation period over precession period")
    axes[0].set_ylabel("E/E0")
    axes[0].legend(frameon=False)
    for (rotation, mode), ratios in curves.items():
        if np.isfinite(ratios).any():
            colour = {6.58: "#0072B2", 13.15: "#009E73", 54.48: "#D55E00"}[rotation]
            axes[1].semilogy(elongations, ratios - 1, "-" if mode == "long-axis" else "--", color=colour, label=f"{rotation} h, {mode}")
    axes[1].set_title("1I/'Oumuamua: the energy that its periods\nask for, by the shape of an ellipsoid")
    axes[1].set_xlabel("longest over middle axis (shortest: 0.9 of the middle one)")
    axes[1].set_ylabel("E/E0 - 1")
    axes[1].legend(frameon=False)
    return figure


if __name__ == "__main__":
    main()
