"""Detumbling a satellite: three coils that follow a magnetic law take its spin, beside a wheel that turns on.

The Earth's field turns as the satellite goes over the poles. Coils of the moment -k db/dt, where b is the field seen from the body, make
the torque -k (b x omega) x b: it slows the part of the rotation that is across the field.
"""
import argparse

import numpy as np

import polhode

INERTIA = np.array([0.9, 1.1, 1.3])  # kg m^2
ORBIT = 2 * np.pi / 5700  # rad/s
GAIN = 2.5e6  # A m^2 s/T
FIELD = 3e-5  # T


def seen(q, v):
    """The vector v of space in the body."""
    return v - 2 * np.cross(q[1:], q[0] * v - np.cross(q[1:], v))


def coils(q, omega, t):
    phase = ORBIT * t
    b = seen(q, FIELD * np.array([np.cos(2 * phase), 0.2, np.sin(2 * phase)]))
    return -GAIN * np.cross(np.cross(b, omega), b)


def calm(t, state):
    """Below a hundredth of a radian a second."""
    return np.linalg.norm(state.angular_velocity) - 0.01


calm.terminal = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="for a test")
    parser.add_argument("--output", default="detumbling.png")
    arguments = parser.parse_args()

    run = polhode.propagate(inertia=INERTIA, angular_velocity=[0.12, -0.09, 0.15], step=5.0,
                            duration=2000.0 if arguments.short else 20000.0, every=1,
                            torque=[polhode.Wheels([0.0, 0.02, 0.0]), coils], events=calm)
    rate = np.degrees(np.linalg.norm(run.angular_velocity, axis=1))
    print(f"{run.details}: {run.force_evaluations} calls of the torque over {run.t[-1] / 60:.0f} minutes")
    print(f"from {rate[0]:.2f} to {rate[-1]:.3f} degrees a second")
    if run.ended_by_event:
        print(f"calm after {run.t_events[0][0]:.3f} s")
    draw(run, rate).savefig(arguments.output, dpi=110)


def draw(run, rate):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 1, figsize=(8, 7.5), sharex=True, layout="constrained")
    minutes = run.t / 60
    for i, colour in enumerate(("#0072B2", "#D55E00", "#009E73")):
        axes[0].plot(minutes, np.degrees(run.angular_velocity[:, i]), color=colour, linewidth=0.9, label=f"axis {i + 1}")
        axes[1].plot(minutes, 1e6 * run.torque[:, i], color=colour, linewidth=0.9)
    axes[0].set_ylabel("angular velocity\ndegrees a second")
    axes[0].set_title("A satellite comes to rest by its coils; a wheel keeps turning in it")
    axes[0].legend(loc="upper right", ncols=3, frameon=False)
    axes[1].set_ylabel("torque of the coils\n$10^{-6}$ N m")
    axes[2].semilogy(minutes, rate, color="#0072B2", linewidth=1.2, label="rate, degrees a second")
    axes[2].semilogy(minutes, run.kinetic_energy, color="#CC79A7", linewidth=1.2, label="kinetic energy of the body, J")
    axes[2].legend(frameon=False)
    axes[2].set_xlabel("minutes")
    return figure


if __name__ == "__main__":
    main()
