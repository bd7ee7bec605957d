"""Toutatis, the tumbling asteroid: one state of 1992, its periods, and where its long axis pointed on seventeen days.

The state is that of Takahashi, Busch and Scheeres (2013), as the tests of the program Principia quote it; the attitudes were seen by
radar. Angles are about the axes 3, 1, 3, and the third axis of the body is the long one. Nothing acts: the tides of the Earth are left out.
"""
import argparse

import numpy as np

import polhode

MOMENTS = [3.0836, 3.235, 1.0]
#: 1992-11-09 17:49:47 UTC, in days of December.
EPOCH = 9 - 30 + (17 + (49 + 47 / 60) / 60) / 24
#: Day, hour and minute of December 1992, UTC, and the angles in degrees.
RADAR = np.array([
    (2, 21, 40, 122.2, 86.5, 107.0), (3, 19, 30, 86.3, 81.8, 24.5), (4, 18, 10, 47.8, 60.7, 284.0), (5, 18, 50, 14.6, 39.4, 207.1),
    (6, 17, 30, 331.3, 23.7, 151.6), (7, 17, 20, 222.5, 25.4, 143.9), (8, 16, 40, 169.8, 45.5, 106.9), (9, 17, 50, 137.3, 71.3, 22.3),
    (10, 17, 20, 103.1, 85.2, 292.6), (11, 9, 40, 77.0, 85.7, 225.5), (12, 9, 20, 42.8, 70.2, 133.2), (13, 8, 10, 13.7, 44.4, 51.9),
    (14, 7, 50, 323.7, 14.0, 0.0), (15, 7, 50, 193.2, 24.4, 21.4), (16, 7, 10, 165.1, 46.4, 310.6), (17, 6, 49, 130.6, 76.1, 234.9),
    (18, 7, 9, 91.6, 81.6, 142.4)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="toutatis.png")
    arguments = parser.parse_args()

    spin = polhode.SpinState(MOMENTS, angular_velocity=np.radians([14.51, 33.529, -98.709]),
                             attitude=polhode.from_euler([145.498, 65.865, 241.524], "ZXZ", degrees=True))
    print(f"{spin.mode} mode: it turns about its long axis in {spin.rotation:.3f} days (measured: 5.38 +- 0.03),")
    print(f"and that axis goes round the momentum in {spin.precession:.3f} days on average (measured: 7.40 +- 0.03).")
    print("The momentum points to longitude {:.1f}, latitude {:.1f} degrees (measured: 180.2, -54.75).".format(*spin.pole))

    days = RADAR[:, 0] + (RADAR[:, 1] + RADAR[:, 2] / 60) / 24
    seen = polhode.from_euler(RADAR[:, 3:], "ZXZ", degrees=True)
    free = spin.trajectory()
    computed = free.attitude(days - EPOCH)
    angle = np.degrees(2 * np.arccos(np.clip(np.abs(np.sum(seen * computed, axis=1)), 0, 1)))
    print(f"The 17 attitudes: {np.sqrt(np.mean(angle**2)):.1f} degrees from the computed ones (root of the mean square).")
    times = np.linspace(2, 19, 200 if arguments.short else 2000)
    draw(times, free.attitude(times - EPOCH), days, seen, angle).savefig(arguments.output, dpi=110)


def long_axis(attitude):
    """Longitude and latitude of the third axis of the body, in degrees."""
    w, x, y, z = np.moveaxis(attitude, -1, 0)
    axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z])
    return np.degrees(np.arctan2(axis[1], axis[0])) % 360, np.degrees(np.arcsin(np.clip(axis[2], -1, 1)))


def draw(times, attitudes, days, seen, angle):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 1, figsize=(8, 8), sharex=True, layout="constrained", height_ratios=[2, 1, 1])
    for panel, line, points, label, colour in zip(axes, long_axis(attitudes), long_axis(seen), ("longitude", "latitude"),
                                                  ("#0072B2", "#D55E00")):
        line = np.where(np.abs(np.diff(line, prepend=line[0])) > 180, np.nan, line)
        panel.plot(times, line, color=colour, linewidth=1.2, label="computed from a state of 9 November")
        panel.plot(days, points, "o", color="black", markersize=5, label="seen by radar")
        panel.set_ylabel(f"{label}, degrees")
        panel.grid(linewidth=0.3)
    axes[0].set_title("Where the long axis of Toutatis points")
    axes[0].set_ylim(-15, 430)
    axes[0].legend(frameon=False, loc="upper center", ncols=2)
    axes[0].set_xticks(range(2, 20))
    axes[2].bar(days, angle, width=0.35, color="#999999")
    axes[2].set_ylabel("difference, degrees")
    axes[2].set_xlabel("day of December 1992")
    return figure


if __name__ == "__main__":
    main()
