"""Many threads at once give the right results; many calls leave no memory behind."""
import gc
import resource
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from conftest import WATER, random_states

import polhode


def jobs(random):
    momentum, attitude = random_states(random, 500)
    free = polhode.Trajectory(**WATER)

    def torque(q, t):
        return [-q[1], q[0], 0.1 * t]

    return [
        lambda: polhode.propagate(**WATER, step=0.01, steps=20_000, every=1000).attitude,
        lambda: polhode.propagate(**WATER, step=0.01, steps=5_000, method="dmv10").momentum,
        lambda: polhode.propagate(**WATER, step=0.05, steps=1_000, torque=torque).attitude,
        lambda: polhode.propagate(**WATER, step=0.05, steps=5_000, torque=polhode.UniformField([0, 0, 1])).attitude,
        lambda: polhode.step(WATER["inertia"], momentum, attitude, 0.02, steps=20, threads=2)[1],
        lambda: free.attitude(np.linspace(0, 1000, 2_000)),
        lambda: polhode.elliptic.sn(np.linspace(0, 100, 50_000), 0.7),
        lambda: polhode.state_transition(WATER["inertia"], momentum[:200], 1.0),
    ]


def test_eight_threads_at_work_give_the_right_results(random):
    work = jobs(random)
    expected = [job() for job in work]
    with ThreadPoolExecutor(8) as pool:
        # Every job in every thread, each starting at another one, so that unlike things meet.
        rounds = [pool.submit(lambda i=i: [work[(i + k) % 8]() for k in range(8)]) for i in range(8)]
        for i, done in enumerate(rounds):
            for k, result in enumerate(done.result()):
                np.testing.assert_array_equal(result, expected[(i + k) % 8])


def grows(call, count: int) -> int:
    """Bytes by which the process grew over `count` calls, after as many tenths to fill the caches."""
    for _ in range(count // 10):
        call()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        call()
    return 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


def test_a_million_calls_leave_nothing_behind():
    """A leak of one small object a call, 32 bytes, would be 32 MB; the bound is for what the allocator moves about."""
    m, q = np.array(WATER["momentum"]), np.array([1.0, 0, 0, 0])
    out = np.empty(3), np.empty(4)
    water = polhode.Body(WATER["inertia"])
    assert grows(lambda: polhode.step(water, m, q, 0.01, out=out), 1_000_000) < 2e6


def test_other_calls_leave_nothing_behind():
    torque = lambda q, t: [0.0, 0.0, 0.1]  # noqa: E731
    free = polhode.Trajectory(**WATER)
    times = np.linspace(0, 1, 100)

    def failing():
        try:
            polhode.propagate(**WATER, step=0.1, steps=3, torque=lambda q, t: [1 / 0] * 3)
        except ZeroDivisionError:
            pass

    calls = [
        (lambda: polhode.step(WATER["inertia"], [0.5, 0.2, 0.84], [1, 0, 0, 0], 0.01), 20_000),
        (lambda: polhode.propagate(**WATER, step=0.1, steps=100, every=1), 2_000),
        (lambda: polhode.propagate(**WATER, step=0.1, steps=5, torque=torque), 1_000),
        (failing, 1_000),
        (lambda: free.at(times), 1_000),
        (lambda: polhode.elliptic.jacobi(times, 0.3), 10_000),
    ]
    for call, count in calls:
        # A kilobyte a call is what the smallest of their arrays takes.
        assert grows(call, count) < max(2e6, 300 * count), count
