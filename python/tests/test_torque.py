"""Torques that are Python functions: the same motion, and what happens when they fail."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import polhode

TENSOR = [[1.0, 0.1, 0.0], [0.1, 1.2, 0.2], [0.0, 0.2, 0.7]]
TOP = dict(inertia=TENSOR, momentum=[0.1, 0.3, 2.0], attitude=[0.9, 0.1, -0.2, 0.3] / np.sqrt(0.95), step=0.02)
FIELD, ARM = np.array([0.1, 0.0, 1.0]), np.array([0.2, 0.1, 1.0])


def seen(q, v):
    """The vector v of space in the body."""
    w, u = q[0], -q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


class Pull:
    """The torque of a uniform field, with its potential."""

    def __call__(self, q, t):
        return np.cross(seen(q, FIELD), ARM)

    def potential(self, q, t):
        return seen(q, FIELD) @ ARM


@pytest.mark.parametrize("keywords", [{"scheme": "aba-8-6-4"}, {"scheme": "rkn6-14"}, {"method": "rk4"}, {"method": "dmv8", "scheme": "strang"}])
def test_a_function_moves_the_body_as_the_named_torque_does(keywords):
    own = polhode.propagate(**TOP, steps=500, torque=Pull(), **keywords)
    named = polhode.propagate(**TOP, steps=500, torque=polhode.UniformField(FIELD, ARM), **keywords)
    assert own.system == "driven-body"
    # Rounding of the torque alone, over 500 steps.
    assert np.abs(own.attitude - named.attitude).max() < 4e-14
    assert np.abs(own.energy_error - named.energy_error).max() < 2e-14


def test_what_the_function_is_given():
    calls = []

    def spy(q, t):
        calls.append((q, t))
        return (0.0, 0.0, 0.0)

    polhode.propagate(**TOP, steps=3, torque=spy, scheme="strang", every=1)
    assert all(q.shape == (4,) and q.dtype == np.float64 and abs(np.linalg.norm(q) - 1) < 1e-15 for q, _ in calls)
    # Kicks at the ends of the steps; the state in the rows is completed on a copy, which costs further calls.
    np.testing.assert_allclose(sorted({t for _, t in calls}), [0.0, 0.02, 0.04, 0.06], rtol=1e-15)
    assert len({id(q) for q, _ in calls}) == len(calls), "an array that was kept must not be written to again"
    np.testing.assert_allclose(calls[0][0], TOP["attitude"] / np.linalg.norm(TOP["attitude"]), rtol=1e-15)


@pytest.mark.parametrize("returned", [[0, 0, 1], (0.0, 0.0, 1.0), np.array([0, 0, 1]), np.array([0, 0, 1], np.float32)])
def test_what_the_function_may_return(returned):
    run = polhode.propagate(**TOP, steps=10, torque=lambda q, t: returned)
    assert np.isnan(run.energy_error).all() and len(run.energy_error) == len(run)
    reference = polhode.propagate(**TOP, steps=10, torque=lambda q, t: [0.0, 0.0, 1.0])
    np.testing.assert_array_equal(run.momentum, reference.momentum)


@pytest.mark.parametrize("returned", [None, [1, 2], "abc", [1j, 0, 0], [[1, 2, 3]], 5.0])
def test_what_it_may_not_return(returned):
    for t_end in (0.0, 0.1):  # from the beginning on, and later
        with pytest.raises(polhode.InputError, match="^propagate: torque: what the torque returns must"):
            polhode.propagate(**TOP, steps=10, torque=lambda q, t: [0.0, 0.0, 1.0] if t < t_end else returned)
        with pytest.raises(polhode.InputError, match="^propagate: torque: what the torque returns must"):
            polhode.propagate(**{**TOP, "momentum": [TOP["momentum"]] * 2}, steps=10,
                              torque=lambda q, t: np.zeros((2, 3)) if t < t_end else returned)
    with pytest.raises(polhode.InputError, match="^propagate: torque: what the momentum of the wheels returns must"):
        polhode.propagate(**TOP, steps=10, torque=polhode.Wheels(lambda t: returned))
    with pytest.raises(polhode.InputError, match="^propagate: torque: what the inertia returns must"):
        polhode.propagate(**TOP, steps=10, torque=polhode.ChangingInertia(lambda t: returned))


class Broken(Exception):
    pass


def test_an_exception_arrives_unchanged_with_the_state_so_far():
    error = Broken("at half of the way", 42)

    def torque(q, t):
        if t > 0.5:
            raise error
        return [0.0, 0.0, 0.1]

    with pytest.raises(Broken) as caught:
        polhode.propagate(**TOP, steps=100, every=10, torque=torque, scheme="strang")
    assert caught.value is error and caught.value.args == ("at half of the way", 42)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert "torque" in [frame.name for frame in caught.traceback]
    run = error.polhode_result
    # The kick at the time 0.52 fails, the second half of step 26: 25 steps are complete, and their end is the last row.
    assert run.steps == 25 and run.planned_steps == 100 and not run.complete
    assert run.t.tolist() == [0.0, 0.2, 0.4, 0.5]
    whole = polhode.propagate(**TOP, steps=25, every=25, torque=lambda q, t: [0.0, 0.0, 0.1], scheme="strang")
    np.testing.assert_array_equal(run.attitude[-1], whole.attitude[-1])


def test_an_exception_before_the_first_step():
    def torque(q, t):
        raise Broken

    with pytest.raises(Broken) as caught:
        polhode.propagate(**TOP, steps=10, torque=torque)
    assert caught.value.polhode_result is None


def test_a_torque_that_is_not_finite():
    with pytest.raises(polhode.MotionError, match=r"propagate: the torque at time 0\.5\d* is not a finite number") as caught:
        polhode.propagate(**TOP, steps=100, torque=lambda q, t: [0.0, 0.0, 0.1 if t < 0.5 else float("nan")])
    assert 23 <= caught.value.polhode_result.steps <= 25


def test_a_state_that_is_not_finite_any_more():
    # rk4 with a step far beyond its stability.
    with pytest.raises(polhode.MotionError, match="the state is not finite after step") as caught:
        polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=50.0, steps=1000, every=1, method="rk4")
    run = caught.value.polhode_result
    assert np.isfinite(run.momentum).all() and 1 < len(run) < 1000


@pytest.mark.parametrize("torque", ["None", "lambda q, t: [0.0, 0.0, 0.1]"])
def test_ctrl_c_stops_at_once_and_keeps_what_is_there(torque):
    program = f"""
import polhode, sys, time, threading, os, signal
def interrupt():
    time.sleep(0.3)
    print(time.monotonic(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=0.01, steps=10**13, every=10**12, torque={torque})
except KeyboardInterrupt as stop:
    print(time.monotonic())
    run = stop.polhode_result
    print(run.steps, len(run), run.t[-1] == run.steps * 0.01, abs(run.energy_error[-1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    sent, noticed, rest = done.stdout.splitlines()
    # About 30 milliseconds on an idle machine; the tests may run beside a compiler.
    assert float(noticed) - float(sent) < 1.0
    steps, rows, at_last_step, error = rest.split()
    assert int(steps) > 100 and rows == "2" and at_last_step == "True"
    assert torque != "None" or float(error) < 1e-15


def test_signals_of_python_are_served_during_a_run():
    seen_at = []
    old = signal.signal(signal.SIGALRM, lambda *_: seen_at.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.monotonic()
        polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=0.01, steps=10_000_000, every=10**6)
        end = time.monotonic()
    finally:
        signal.signal(signal.SIGALRM, old)
    assert seen_at and start < seen_at[0] < end


def test_the_gil_is_free_while_a_run_goes_on():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(None)
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    try:
        polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=0.01, steps=3_000_000, every=10**6)
    finally:
        stop.set()
        other.join()
    assert len(ticks) > 20, os.cpu_count()


@pytest.mark.parametrize("torque, sentence", [
    (lambda q, omega: -0.02 * omega, r"takes \(q, omega\), and would be given \(q, t\)"),
    (lambda q, t, omega: -0.02 * omega, r"takes \(q, t, omega\), and would be given \(q, omega, t\)"),
    (lambda q, time, x: [0, 0, 1], r"takes \(q, time, x\), and would be given \(q, omega, t\)"),
    (lambda q, x, w: [0, 0, 1], r"takes \(q, x, w\), and would be given \(q, omega, t\)"),
    (lambda t, q: [0, 0, 1], r"takes \(t, q\), and would be given \(q, t\)"),
    (lambda omega, q, t: [0, 0, 1], r"takes \(omega, q, t\), and would be given \(q, omega, t\)"),
    (lambda omega, t: [0, 0, 1], r"takes \(omega, t\), and would be given \(q, t\)"),
    (lambda time, q, w: [0, 0, 1], r"takes \(time, q, w\), and would be given \(q, omega, t\)"),
    (np.array([0, 0, 1.0]), r"polhode.Constant\(\[x, y, z\]\)"),
    ([0, 0, 1.0], r"polhode.Constant\(\[x, y, z\]\)"),
    (polhode.GravityGradient, r"GravityGradient is a class: what acts is GravityGradient\(...\)"),
    ([polhode.Damping(0.1), polhode.Wheels], r"Wheels is a class"),
])
def test_likely_mistakes_get_a_sentence(torque, sentence):
    with pytest.raises(polhode.InputError, match=sentence):
        polhode.propagate(**TOP, steps=10, torque=torque)


@pytest.mark.parametrize("masses, sentence", [
    ([(1, 2)], r"masses\[0\] must be \(mass, position, velocity\), a number and two functions of time"),
    ([3], r"masses\[0\] must be \(mass, position, velocity\)"), (3, r"must be a list of \(mass, position, velocity\), not int"),
    ([("a", len, len)], r"masses\[0\]\[0\] must be a number, not str"), ([(1, 2, 3)], "position and velocity of a mass must be functions of time"),
])
def test_moving_masses_that_are_none(masses, sentence):
    with pytest.raises(polhode.InputError, match="MovingMasses: .*" + sentence):
        polhode.MovingMasses(10.0, masses)
