#!/usr/bin/env python3
"""What Python costs: polhode.step against the C++ batch, propagate against the command, both against scipy's DOP853.

    PYTHONPATH=build/python benchmarks/python.py [build]

Processor time, the smallest of several runs, so that other work on the machine does not count; torques of arrays by elapsed time.
"""
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import polhode

BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
WATER = dict(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84])


def smallest(work, repetitions: int) -> float:
    """Seconds of the processor."""
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def batches() -> None:
    random, count, h = np.random.default_rng(1), 100_000, 0.003
    momentum, attitude = random.standard_normal((count, 3)), random.standard_normal((count, 4))
    attitude /= np.linalg.norm(attitude, axis=1)[:, None]
    out = np.empty_like(momentum), np.empty_like(attitude)
    program = BUILD / "benchmarks" / "batch_step"
    done = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=10"], capture_output=True, text=True,
                          check=True)
    cpp: dict[str, float] = {}
    for row in json.loads(done.stdout)["benchmarks"]:
        if row["run_type"] == "iteration":
            cpp[row["run_name"]] = min(row["cpu_time"] * 1e-3, cpp.get(row["run_name"], 1.0))
    print("10^5 bodies, a short step, one thread                          ns a body")
    for name, seconds in (
            ("C++: a Batch made, stepped, read", cpp["from_states_to_states"]),
            ("C++: Batch::steps alone", cpp["steps_alone"]),
            ("polhode.step, axes principal", smallest(
                lambda: polhode.step(WATER["inertia"], momentum, attitude, h, out=out), 50)),
            ("polhode.step, axes permuted", smallest(
                lambda: polhode.step([1.0, 0.345, 0.653], momentum, attitude, h, out=out), 50)),
            ("polhode.step, 100 steps, for each", smallest(
                lambda: polhode.step(WATER["inertia"], momentum, attitude, h, out=out, steps=100), 3) / 100)):
        print(f"{name:60s} {seconds / count * 1e9:10.1f}")


def runs() -> None:
    def ours() -> None:
        polhode.propagate(**WATER, step=0.01, steps=1_000_000, every=1000)

    def theirs(file: Path) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([polhode.command(), "run", file, "--every", "1000", "--output", file.with_suffix(".csv")],
                       stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "water.toml"
        file.write_text(polhode.propagate(**WATER, step=0.01, steps=1_000_000, every=10**6).scenario, encoding="utf-8")
        command = min(theirs(file) for _ in range(7))
    python = smallest(ours, 7)
    print(f"\n10^6 steps, a row every 1000: command {command:.4f} s, propagate {python:.4f} s, ratio {python / command:.2f}")


def scipy_beside_us() -> None:
    tutorial = importlib.util.spec_from_file_location(
        "brouwers_law", Path(__file__).resolve().parents[1] / "python" / "tutorials" / "brouwers_law.py")
    law = importlib.util.module_from_spec(tutorial)
    tutorial.loader.exec_module(law)
    until, times = 1000.0, np.linspace(0, 1000.0, 201)
    kept = {}

    def solver() -> None:
        kept["scipy"] = solve_ivp(law.rates, (0, until), [*law.MOMENTUM, 1, 0, 0, 0], method="DOP853", rtol=1e-13,
                                  atol=1e-13, t_eval=times).y[3:].T

    def steps(h: float):
        def work() -> None:
            kept[h] = polhode.propagate(**WATER, step=h, duration=until, every=round(5.0 / h))
        return work

    def trajectory() -> None:
        kept["at"] = polhode.Trajectory(**WATER).attitude(times)

    print("\nwater molecule to t = 1000, 201 rows        seconds   attitude error, rad")
    exact = law.exact_attitude(times)
    rows = [("solve_ivp, DOP853, rtol 1e-13", smallest(solver, 3), law.attitude_error(kept["scipy"], exact).max())]
    for h in (2.0**-7, 2.0**-6):  # so that the times of the rows are exact
        seconds = smallest(steps(h), 7)
        error = law.attitude_error(kept[h].attitude, law.exact_attitude(kept[h].t)).max()
        rows.append((f"propagate, step 1/{round(1 / h)}", seconds, error))
    rows.append(("Trajectory", smallest(trajectory, 7), 0.0))
    for name, seconds, error in rows:
        print(f"{name:40s} {seconds:10.4f} {error:14.1e}   {rows[0][1] / seconds:8.0f} times faster"
              + (f", {rows[0][2] / error:.0f} times more accurate" if error else ""))


def systems() -> None:
    """What a step costs whose functions are Python's; they are short, so that most of it is ours."""
    free = polhode.System(lambda q: [-q[0] * (1.0 + 2.0 * q[1]), q[1] * q[1] - q[1] - q[0] * q[0]])
    held = polhode.System(lambda q: [0.0, 0.0, -1.0], constraint=lambda q: [q @ q - 1.0], jacobian=lambda q: 2.0 * q[None, :],
                          quadratic=True)
    print("\nsystems of Python functions                  us a step   calls of force and constraint a step")
    for name, system, start, method in (
            ("Henon-Heiles, rattle", free, ([0.0, 0.1], [0.375, 0.125]), "rattle"),
            ("Henon-Heiles, sy8", free, ([0.0, 0.1], [0.375, 0.125]), "sy8"),
            ("Henon-Heiles, gauss of 6 stages", free, ([0.0, 0.1], [0.375, 0.125]), "gauss"),
            ("spherical pendulum, rattle", held, ([1.0, 0.0, 0.0], [0.0, 0.8, 0.5]), "rattle"),
            ("spherical pendulum, multistep", held, ([1.0, 0.0, 0.0], [0.0, 0.8, 0.5]), "multistep")):
        kept = []

        def work() -> None:
            kept[:] = [system.run(position=start[0], momentum=start[1], step=0.01, steps=5000, every=5000, method=method)]

        seconds = smallest(work, 5)
        calls = (kept[0].force_evaluations + kept[0].constraint_evaluations) / 5000
        print(f"{name:40s} {seconds / 5000 * 1e6:13.2f} {calls:10.1f}")


def torques_of_arrays() -> None:
    """10^5 satellites with a torque in NumPy: the whole beside what the function takes and the steps without it. Elapsed time of a step,
    from runs of 2 and of 22 steps: the looks at both ends are not in it."""
    random, count = np.random.default_rng(1), 100_000
    attitude, rates = random.standard_normal((count, 4)), random.standard_normal((count, 3)) * 0.1 + [0.0, 0.0, 1.0]
    inertia = np.stack([np.ones(count), 1.5 + random.random(count), 2.5 + random.random(count)], 1)
    spent = [0.0]

    def field_in_body(q, t):
        b, v = np.array([np.cos(t), np.sin(t), 0.3]), q[:, 1:]
        c = np.cross(v, b)
        return b - 2 * q[:, :1] * c + 2 * np.cross(v, c)

    def dipole(q, t):
        return np.cross([0.01, 0.0, 0.02], field_in_body(q, t))

    def magnetic_damping(q, omega, t):
        b = field_in_body(q, t)
        return -0.01 * (omega * np.sum(b * b, 1)[:, None] - b * np.sum(b * omega, 1)[:, None])

    def part_of_attitude(q, t):
        return 0.01 * q[:, 1:]

    def plain_damping(q, omega, t):
        return -0.01 * omega

    def clocked(function):
        def call(*given):
            start = time.perf_counter()
            result = function(*given)
            spent[0] += time.perf_counter() - start
            return result

        if function.__code__.co_argcount == 2:
            return lambda q, t: call(q, t)
        return lambda q, omega, t: call(q, omega, t)

    def cost(scheme, torque):
        def once(steps):
            spent[0] = 0.0
            run = polhode.propagate(inertia=inertia, angular_velocity=rates, attitude=attitude, step=0.05, steps=steps,
                                    every=steps, torque=[torque], scheme=scheme, threads=1)
            return run.seconds, spent[0]

        few, many = min(once(2) for _ in range(2)), min(once(22) for _ in range(2))
        return [(b - a) / 20 / count * 1e9 for a, b in zip(few, many)]

    print("\n10^5 satellites, a torque of arrays: ns a body and step       whole  function    kernel     ratio")
    for scheme in ("strang", "aba-8-2"):
        kernel = cost(scheme, polhode.Constant([0.0, 0.0, 0.0]))[0]
        for function in (dipole, magnetic_damping, part_of_attitude, plain_damping):
            whole, inside = cost(scheme, clocked(function))
            print(f"{scheme:10s} {function.__name__:45s} {whole:10.1f} {inside:9.1f} {kernel:9.1f} {whole / (inside + kernel):9.2f}")


if __name__ == "__main__":
    batches()
    runs()
    scipy_beside_us()
    systems()
    torques_of_arrays()
