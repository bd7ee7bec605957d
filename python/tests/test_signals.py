"""Ctrl-C ends long calls soon; threads that nobody waits for end with the interpreter; a share that fails ends the others."""
import contextlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import WATER

import polhode
from polhode import _core

WATCHED = polhode.Scenario('''[system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.84]
[method]
name = "exact"
step = 0.1
steps = 50000
[[event]]
quantity = "angular_velocity_1"
''')
INERTIA, IDENTITY = WATER["inertia"], [1.0, 0.0, 0.0, 0.0]


class Ring(Exception):
    pass


@contextlib.contextmanager
def ringing():
    """A signal after a tenth of a second, whose handler raises Ring, in a call whose arguments are made before."""
    def ring(*_):
        raise Ring

    before = signal.signal(signal.SIGALRM, ring)
    start = time.process_time()
    try:
        with pytest.raises(Ring):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # Without a look they take from ten seconds to minutes; two threads count twice.
    assert time.process_time() - start < 4.0


def many(count):
    return np.tile([0.5, 0.2, 0.84], (count, 1)), np.tile(IDENTITY, (count, 1))


@pytest.mark.parametrize("count, keywords", [
    (1, dict(steps=2_000_000_000)), (300, dict(steps=10_000_000)), (2000, dict(steps=5_000_000, threads=2)),
    (5, dict(steps=1_000_000_000, method="rk4")), (3_000_000, dict(method="frb-matrix", steps=300)),
], ids=["one", "some", "threads", "method", "many"])
def test_steps(count, keywords):
    momentum, attitude = many(count)
    with ringing():
        polhode.step(INERTIA, momentum, attitude, 0.01, **keywords)


def test_the_caller_looks_while_it_waits_for_others():
    momentum, attitude = many(2)
    momentum[0] = 0.0  # whose share of the work is done at once
    with ringing():
        polhode.step(INERTIA, momentum, attitude, 3.0, steps=400_000_000, threads=2)


@pytest.mark.parametrize("call, argument", [
    (lambda steps: polhode.lyapunov_exponent(INERTIA, [0.5, 0.2, 0.84], 0.1, steps), lambda: 10_000_000),
    (lambda field: polhode.derivatives(**WATER, step=0.1, steps=10_000_000, torque=field), lambda: polhode.UniformField([0, 0, 1])),
    (lambda field: polhode.state_transition(INERTIA, [0.5, 0.2, 0.84], 0.1, torque=field, steps=10_000_000),
     lambda: polhode.UniformField([0, 0, 1])),
    (polhode.propagate(**WATER, step=0.1, steps=10, dense=True).at, lambda: np.full(20_000_000, 0.55)),
    (polhode.Trajectory(**WATER).at, lambda: np.linspace(0.0, 1e6, 50_000_000)),
    (lambda momenta: polhode.state_transition(INERTIA, momenta, 0.1), lambda: np.tile([0.5, 0.2, 0.84], (2_000_000, 1))),
], ids=["exponent", "derivatives", "transition", "at", "trajectory", "transitions"])
def test_other_calls(call, argument):
    given = argument()
    with ringing():
        call(given)


def test_the_child_of_another_thread_gets_signals():
    """After fork() its main thread is the one that has forked."""
    program = f"""
import os, signal, threading, time, polhode
def ring(*_):
    os._exit(3 if time.process_time() < 4.0 else 4)
def fork():
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        polhode.step({INERTIA}, [0.5, 0.2, 0.84], {IDENTITY}, 0.01, steps=200_000_000)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread = threading.Thread(target=fork)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("3\n", "")


TENSORS = np.tile([[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]], (1_000_000, 1, 1))


@pytest.mark.parametrize("name, call", [
    ("step", lambda: _core.step(TENSORS, *many(1_000_000), 0.01)),
    ("state_transition", lambda: _core.state_transition(TENSORS, many(1_000_000)[0], 0.01)),
    ("run_batch", lambda: polhode.propagate(inertia=TENSORS, momentum=many(1_000_000)[0], step=0.01, steps=1)),
    ("run_batch", lambda: polhode.propagate(inertia=[1, 2, 2.5], momentum=many(20_000)[0], step=0.01, steps=1, torque=[
        [polhode.GravityGradient(mean_motion=1.0)] * 20_000])),
], ids=["step", "transition", "batch", "torques"])
def test_what_comes_before_the_first_step(monkeypatch, name, call):
    """Principal axes of a million tensors, or the torques of many bodies, take seconds."""
    started = []

    def ring(*_):
        raise Ring

    def with_signal(function):
        def call(*arguments):
            started.append(time.process_time())
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            return function(*arguments)
        return call

    monkeypatch.setattr(_core, name, with_signal(getattr(_core, name)))
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Ring):
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - started[0] < 0.8


@pytest.mark.parametrize("call", [
    lambda: polhode.lyapunov_exponent(INERTIA, [0.5, 0.2, 0.84], 0.1, 20_000),
    lambda: polhode.derivatives(**WATER, step=0.1, steps=1000, every=1, torque=polhode.UniformField([0, 0, 1])),
    lambda: WATCHED.run(),
    lambda: polhode.propagate(inertia=INERTIA, momentum=[[0.5, 0.2, 0.84]] * 3, step=0.1, steps=100_000, every=1),
    lambda: polhode.propagate(**WATER, step=0.1, steps=10, dense=True).at(np.linspace(0.0, 1.0, 200_000)),
], ids=["exponent", "derivatives", "watched", "batch", "at"])
def test_looks_are_rare(call):
    """Each takes the GIL, which is slow while another thread computes. A signal every millisecond shows them: a look handles one."""
    handled = [0]

    def count(*_):
        handled[0] += 1

    before = signal.signal(signal.SIGALRM, count)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
        call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # Every 30 milliseconds, and in what Python does before and after.
    assert handled[0] < (time.monotonic() - start) / 10e-3 + 5


@pytest.mark.parametrize("threads", [1, 2])
def test_a_share_that_fails_ends_those_after_it(threads):
    momentum, attitude = many(2)
    attitude[0] = 0.0
    start = time.process_time()
    with pytest.raises(polhode.InputError, match="entry 0, counted from 0: the attitude"):
        polhode.step(INERTIA, momentum, attitude, 0.01, steps=500_000_000, threads=threads)
    assert time.process_time() - start < 4.0


@pytest.mark.parametrize("threads", [2, 5, 8])
def test_the_first_of_several_failures_is_thrown(threads):
    momentum, attitude = many(5000)
    attitude[[700, 2100, 4900]] = 0.0
    for _ in range(20):
        with pytest.raises(polhode.InputError, match="entry 700, counted from 0"):
            polhode.step(INERTIA, momentum, attitude, 0.01, threads=threads)


BATCH = "inertia=[1, 2, 3], momentum=np.tile([0.5, 0.2, 0.84], (50, 1)), step=0.01, steps=50"
ONE = "inertia=[1, 2, 3], momentum=[0.5, 0.2, 0.84], step=0.01, steps=50"


@pytest.mark.parametrize("call", [
    "polhode.step([1, 2, 3], m, q, 0.01, steps=2_000_000)", "polhode.step([1, 2, 3], m, q, 0.01, steps=2_000_000, threads=2)",
    "polhode.step([1, 2, 3], m, q, 0.01)", "polhode.step([1, 2, 3], m, q, 0.01, threads=2)",
    "polhode.step([1, 2, 3], m.astype('f4'), q, 0.01)", f"polhode.propagate({ONE})",
    f"polhode.propagate({ONE}, torque=lambda q, t: slowly([0.0, 0.0, 0.1]))",
    f"polhode.propagate({ONE}, events=lambda t, s: slowly(s.momentum[0]))", f"polhode.propagate({ONE}, events=lambda t, s: s.momentum[0])",
    f"polhode.propagate({BATCH})", f"polhode.propagate({BATCH}, torque=lambda q, t: slowly(0.1 * q[..., 1:]))",
    f"polhode.propagate({BATCH}, torque=lambda q, omega, t: slowly(-0.1 * omega), threads=2)", "free.at(times)",
    f"polhode.derivatives({ONE}, torque=polhode.Damping(0.1))",
    f"polhode.derivatives({ONE}, torque=lambda p: slowly(polhode.Damping(p[0])), parameters=[0.1])",
    "polhode.lyapunov_exponent([1, 2, 3], [0.5, 0.2, 0.84], 0.01, 1000)",
    "polhode.System(lambda q: slowly(-q)).run(position=[1.0], momentum=[0.0], step=0.01, steps=50)",
], ids=["long", "long-threads", "step", "threads", "copies", "propagate", "torque", "events", "quick-events", "batch", "batch-torque",
        "batch-control", "trajectory", "derivatives", "parameters", "exponent", "system"])
def test_a_thread_that_nobody_waits_for(call):
    """The interpreter ends while it calls, once or again and again: wherever it asks for the lock of the interpreter."""
    program = f"""
import threading, time, numpy as np, polhode
m, q = np.tile([0.5, 0.2, 0.84], (2000, 1)), np.tile([1.0, 0, 0, 0], (2000, 1))
free, times, called = polhode.Trajectory([1, 2, 3], [0.5, 0.2, 0.84]), np.linspace(0.0, 1.0, 1000), threading.Event()
def slowly(result):
    time.sleep(1e-4)  # asks for the lock again
    return result
def calls():
    while True:
        called.set()
        {call}
threading.Thread(target=calls, daemon=True).start()
called.wait()
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
