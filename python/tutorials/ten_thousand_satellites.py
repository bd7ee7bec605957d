"""Ten thousand satellites: which of those that are released with a tumble does the tide of the Earth catch?

Monte Carlo: moments of inertia, attitude, spin and damping of each satellite are drawn at random, and all of them are stepped together. The
long axis of those that are caught ends along the local vertical.
"""
import argparse

import numpy as np

import polhode


def drawn(bodies: int, seed: int = 7):
    """Inertia, attitude, angular velocity in the body, and how strongly the currents on board damp."""
    random = np.random.default_rng(seed)
    inertia = np.sort(random.uniform([0.8, 2.4, 2.8], [1.2, 3.0, 3.4], (bodies, 3)), axis=1)
    attitude = random.normal(size=(bodies, 4))
    attitude /= np.linalg.norm(attitude, axis=1, keepdims=True)
    spin = random.normal(size=(bodies, 3))
    spin *= random.uniform(0.0, 6.0, (bodies, 1)) / np.linalg.norm(spin, axis=1, keepdims=True)
    return inertia, attitude, spin, random.uniform(0.05, 0.5, bodies)


def seen_from_body(q, v):
    """Vectors v of space in the body, for attitudes (N, 4)."""
    w, u = q[:, :1], q[:, 1:]
    across = np.cross(u, v)
    return v - 2 * w * across + 2 * np.cross(u, across)


def currents(damping):
    """A torque of arrays: eddy currents in a field that turns with the orbit. The satellites differ in their damping."""
    normal = np.array([0.0, 0.0, 1.0])

    def torque(q, omega, t):
        return -damping[:, None] * (omega - seen_from_body(q, normal))

    return torque


def run(bodies: int, orbits: float, every: int, threads: int = 1):
    """Time in radians of the orbit, which is a circle."""
    inertia, attitude, spin, damping = drawn(bodies)
    return polhode.propagate(
        inertia=inertia, angular_velocity=spin, attitude=attitude, step=0.1, steps=round(20 * np.pi * orbits), every=every,
        scheme="strang", threads=threads, torque=[polhode.GravityGradient(mean_motion=1.0), currents(damping)]), damping


def off_vertical(batch):
    """The angle between the long axis and the local vertical, up or down, in degrees: (rows, bodies)."""
    radial = np.stack([np.cos(batch.t), np.sin(batch.t), np.zeros_like(batch.t)], axis=1)
    axis = [seen_from_body(q, r)[:, 0] for q, r in zip(batch.attitude, radial)]
    return np.degrees(np.arccos(np.clip(np.abs(axis), 0.0, 1.0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="ten-thousand-satellites.png")
    arguments = parser.parse_args()

    batch, damping = run(200 if arguments.short else 10_000, 2 if arguments.short else 10, 10, threads=0)
    angle = off_vertical(batch)
    spin = np.linalg.norm(batch.angular_velocity[0], axis=1)
    caught = angle[-len(angle) // 8:].max(axis=0) < 30.0
    print(f"{batch.bodies} satellites, {batch.steps} steps: {100 * caught.mean():.1f} % are within 30 degrees of the vertical "
          "during the last eighth of the time")
    draw(batch, angle, spin, damping, caught).savefig(arguments.output, dpi=110)


def draw(batch, angle, spin, damping, caught):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(8, 8), layout="constrained")
    orbits = batch.t / (2 * np.pi)
    for low, high, colour in ((5, 95, "#DCE9F3"), (25, 75, "#9CC3E0")):
        axes[0].fill_between(orbits, *np.percentile(angle, [low, high], axis=1), color=colour, linewidth=0,
                             label=f"{high - low} of 100 satellites")
    axes[0].plot(orbits, np.median(angle, axis=1), color="#0072B2", linewidth=1.5, label="median")
    axes[0].set_ylabel("long axis off the vertical, degrees")
    axes[0].set_xlabel("orbits")
    axes[0].set_ylim(0, 90)
    axes[0].set_xlim(0, orbits[-1])
    axes[0].set_title(f"{batch.bodies} satellites that tumble at first")
    axes[0].legend(frameon=False, loc="upper right")
    edges = np.linspace(0, 6, 25), np.linspace(0.05, 0.5, 19)
    all_of = np.histogram2d(spin, damping, edges)[0]
    share = np.histogram2d(spin[caught], damping[caught], edges)[0] / np.where(all_of > 0, all_of, np.nan)
    picture = axes[1].pcolormesh(*edges, 100 * share.T, cmap="viridis", vmin=0, vmax=100)
    axes[1].set_xlabel("angular velocity at first, of that of the orbit")
    axes[1].set_ylabel("damping")
    axes[1].set_title("Caught at the end")
    figure.colorbar(picture, ax=axes[1], label="of 100 satellites")
    return figure


if __name__ == "__main__":
    main()
