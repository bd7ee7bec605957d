"""Many bodies at once: each is what it is alone."""
import signal
import time

import numpy as np
import pytest

import polhode

COUNT = 13
RNG = np.random.default_rng(5)
INERTIA = RNG.uniform(1.0, 2.0, (COUNT, 3))
MOMENTUM = RNG.normal(size=(COUNT, 3))
ATTITUDE = RNG.normal(size=(COUNT, 4))
ATTITUDE /= np.linalg.norm(ATTITUDE, axis=1, keepdims=True)
STATES = dict(inertia=INERTIA, momentum=MOMENTUM, attitude=ATTITUDE, step=0.05, steps=23, every=5)
GRAVITY = polhode.GravityGradient(mean_motion=1.0, eccentricity=0.1)
FIELD = polhode.UniformField([0.1, 0.2, 0.5], [0.0, 0.3, 1.0])


def alone(i, **others):
    return polhode.propagate(**{**STATES, "inertia": INERTIA[i], "momentum": MOMENTUM[i], "attitude": ATTITUDE[i], **others})


def assert_alone(run, **others):
    for i in range(COUNT):
        one = alone(i, **others)
        np.testing.assert_array_equal(run.t, one.t)
        np.testing.assert_array_equal(run.momentum[:, i], one.momentum)
        np.testing.assert_array_equal(run.attitude[:, i], one.attitude)
        np.testing.assert_array_equal(run.angular_velocity[:, i], one.angular_velocity)


@pytest.mark.parametrize("torque", [
    None, GRAVITY, FIELD, [GRAVITY, FIELD], [polhode.Dipole([0.3, 0.1, 0.2], field=[0, 0, 1], swing=[0, 0, 0.5], frequency=1.7)],
    [polhode.Constant([0.1, 0.2, 0.3], frame="space"), polhode.Damping(0.05), polhode.Wheels([0.1, 0.0, 0.2])],
    [polhode.Wheels(lambda t: [0.0, 0.1 * np.sin(t), 0.0]), FIELD],
], ids=["free", "gravity", "field", "two", "dipole", "damping", "wheels-of-time"])
def test_has_the_bits_of_each_body_alone(torque):
    run = polhode.propagate(**STATES, torque=torque, threads=2)
    assert run.momentum.shape == (6, COUNT, 3) and run.attitude.shape == (6, COUNT, 4) and run.bodies == COUNT
    assert_alone(run, torque=torque)


def test_a_torque_for_each_body():
    own = [polhode.GravityGradient(mean_motion=1.0, mean_anomaly=0.3 * i) for i in range(COUNT)]
    run = polhode.propagate(**STATES, torque=[own, polhode.Constant([0.0, 0.1, 0.0])])
    for i in range(COUNT):
        one = alone(i, torque=[own[i], polhode.Constant([0.0, 0.1, 0.0])])
        np.testing.assert_array_equal(run.attitude[:, i], one.attitude)


def test_functions_of_arrays():
    shapes = set()

    def pull(q, t):
        shapes.add(q.shape)
        return np.stack([q[..., 1] * q[..., 2], t * q[..., 3], 0.1 + 0 * q[..., 0]], axis=-1)

    run = polhode.propagate(**STATES, torque=[FIELD, pull], scheme="rkn6-14")
    assert shapes == {(COUNT, 4)}
    assert_alone(run, torque=[FIELD, pull], scheme="rkn6-14")


def test_functions_of_arrays_and_of_the_angular_velocity():
    def law(q, omega, t):
        assert q.shape[:-1] == omega.shape[:-1] and q.shape[-1] == 4 and omega.shape[-1] == 3
        return -0.2 * omega + 0.01 * q[..., 1:]

    run = polhode.propagate(**STATES, torque=[GRAVITY, law], scheme="strang")
    assert_alone(run, torque=[GRAVITY, law], scheme="strang")
    assert polhode.propagate(**STATES, torque=law).details == "aba-8-2 with exact"


def test_functions_may_keep_what_they_see_and_not_write_into_it():
    kept = []

    def law(q, omega, t):
        kept.append((q, omega[:, 1:], q.copy(), omega[:, 1:].copy()))
        return -0.2 * omega

    run = polhode.propagate(**STATES, torque=law, scheme="strang")
    assert len(kept) > 2 * 23
    for q, part, q_then, part_then in kept:
        np.testing.assert_array_equal(q, q_then)
        np.testing.assert_array_equal(part, part_then)
    assert_alone(run, torque=lambda q, omega, t: -0.2 * omega, scheme="strang")

    def spoils(q, t):
        q[:, 0] = 0.0
        return q[:, 1:]

    with pytest.raises(ValueError, match="read-only"):
        polhode.propagate(**STATES, torque=spoils)


def test_angular_velocities_and_one_inertia():
    rates = {key: value for key, value in STATES.items() if key not in ("momentum", "inertia")}
    torque = [GRAVITY, polhode.Wheels([0.0, 0.0, 0.3])]
    run = polhode.propagate(**rates, inertia=[1, 2, 2.5], angular_velocity=MOMENTUM, torque=torque)
    one = polhode.propagate(**{**rates, "attitude": ATTITUDE[3]}, inertia=[1, 2, 2.5], angular_velocity=MOMENTUM[3], torque=torque)
    np.testing.assert_array_equal(run.momentum[:, 3], one.momentum)
    tensor = np.diag([1, 2, 2.5]) + 0.1
    run = polhode.propagate(**rates, inertia=tensor, angular_velocity=MOMENTUM, torque=FIELD)
    one = polhode.propagate(**{**rates, "attitude": ATTITUDE[3]}, inertia=tensor, angular_velocity=MOMENTUM[3], torque=FIELD)
    np.testing.assert_array_equal(run.attitude[:, 3], one.attitude)


def test_an_exception_arrives_with_what_was_computed():
    def failing(q, t):
        if t > 0.6:
            raise KeyError("out of fuel")
        return np.zeros((len(q), 3))

    with pytest.raises(KeyError, match="out of fuel") as caught:
        polhode.propagate(**STATES, torque=failing)
    assert caught.value.polhode_result.t.tolist() == pytest.approx([0.0, 0.25, 0.5, 0.6])  # and the last complete step
    with pytest.raises(polhode.MotionError, match="body 0, counted from 0: the torque at time 0.6"):
        polhode.propagate(**STATES, torque=lambda q, t: np.full((len(q), 3), np.nan if t > 0.6 else 0.0), scheme="strang")


@pytest.mark.parametrize("keywords, sentence", [
    (dict(momentum=np.ones((4, 2))), r"momentum must have the shape \(N, 3\), not \(4, 2\)"),
    (dict(momentum=np.ones((0, 3))), r"momentum has no body: the shape is \(0, 3\)"),
    (dict(momentum=np.ones((2, 5, 3))), r"momentum must have the shape \(3,\), or \(N, 3\) for many bodies, not \(2, 5, 3\)"),
    (dict(momentum=[[1, 2, 3], [1, 2]]), r"momentum must have the shape \(3,\), or \(N, 3\) for many bodies: .*rows of different lengths"),
    (dict(attitude=np.ones((5, 4))), r"attitude must have the shape \(4,\) or \(13, 4\)"),
    (dict(inertia=np.ones((5, 3))), "there are 5 inertias for 13 bodies"),
    (dict(angular_velocity=MOMENTUM), "both given"),
    (dict(method="dmv10"), "other methods are for one body"),
    (dict(method="rk4", torque=GRAVITY), "other methods are for one body"),
    (dict(torque=GRAVITY, free="dmv10"), "other methods are for one body"),
    (dict(times=[0.0, 0.1]), "times is for one body"),
    (dict(events=lambda t, s: t), "events is for one body"),
    (dict(torque=lambda q, t: [0.0, 0.0, 1.0]), r"must have the shape \(13, 3\), a row for each body, not \(3,\)"),
    (dict(torque=[[GRAVITY, GRAVITY]]), "one for each body, has 2 for 13 bodies"),
    (dict(torque=[[GRAVITY] * 14]), "one for each body, has 14 for 13 bodies"),
    (dict(torque=[[GRAVITY] * 12 + [FIELD]]), "must be of one class"),
    (dict(threads=-1), "threads must be"),
    (dict(threads=2**40), "threads is too large"),
    (dict(every=2**70), "every is an integer of more than 64 bits"),
    (dict(every=0), "every must be a positive integer"),
])
def test_refuses_what_is_wrong(keywords, sentence):
    with pytest.raises(polhode.InputError, match=sentence):
        polhode.propagate(**{**STATES, **keywords})
    if "threads" not in keywords:
        with pytest.raises(polhode.InputError, match="threads are for many bodies"):
            polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.1, steps=3, threads=2)


def test_the_gil_is_released():
    import threading

    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        polhode.propagate(inertia=[1, 2, 2.5], momentum=np.tile([0.1, 0.2, 2.0], (2000, 1)), step=0.05, steps=200, every=200, torque=GRAVITY)
        assert counted[0] > before + 1000
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("shape", [(COUNT, 2), (COUNT - 1, 3), (1, 3), (3,), (COUNT, 3, 1), (0, 3)])
def test_torques_of_another_shape_are_refused(shape):
    with pytest.raises(polhode.InputError, match="what the torque returns must have the shape"):
        polhode.propagate(**STATES, torque=lambda q, t: np.zeros(shape))


def test_a_signal_is_noticed_between_steps():
    """Nothing of Python is called in these steps; a handler that raises ends them."""
    class Ring(Exception):
        pass

    def ring(*_):
        raise Ring

    before = signal.signal(signal.SIGALRM, ring)
    start = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Ring):
            polhode.propagate(**{**STATES, "steps": 3_000_000, "every": 3_000_000}, torque=FIELD)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - start < 2.0


def test_attitudes_as_matrices_and_rotations():
    run = polhode.propagate(**STATES)
    rotations = polhode.to_rotation(ATTITUDE)
    for given in (rotations, rotations.as_matrix()):
        other = polhode.propagate(**{**STATES, "attitude": given})
        np.testing.assert_array_equal(other.momentum, run.momentum)
        sign = np.sign(np.sum(other.attitude * run.attitude, axis=-1, keepdims=True))
        assert np.abs(sign * other.attitude - run.attitude).max() < 1e-15
    one = polhode.propagate(**{**STATES, "attitude": rotations[4].as_matrix()})
    assert np.abs(np.abs(np.sum(one.attitude[0] * ATTITUDE[4], axis=-1)) - 1).max() < 1e-15


def test_nine_numbers_for_three_bodies_are_not_guessed():
    states = dict(momentum=MOMENTUM[:3], attitude=ATTITUDE[:3], step=0.05, steps=10)
    tensor = [[3.0, 1.0, 0.5], [1.0, 4.0, 0.7], [0.5, 0.7, 5.0]]
    for torque in (None, FIELD):
        with pytest.raises(polhode.InputError, match=r"symmetric, with three states.* give the tensor the shape \(1, 3, 3\)"):
            polhode.propagate(**states, inertia=tensor, torque=torque)
        run = polhode.propagate(**states, inertia=[tensor], torque=torque)
        one = polhode.propagate(**{**states, "momentum": MOMENTUM[1], "attitude": ATTITUDE[1]}, inertia=tensor, torque=torque)
        np.testing.assert_array_equal(run.momentum[:, 1], one.momentum)
        moments = [[1.0, 2.0, 2.5], [1.0, 2.0, 2.4], [2.0, 3.0, 4.0]]  # not symmetric: no tensor
        run = polhode.propagate(**states, inertia=moments, torque=torque)
        one = polhode.propagate(**{**states, "momentum": MOMENTUM[1], "attitude": ATTITUDE[1]}, inertia=moments[1], torque=torque)
        np.testing.assert_array_equal(run.momentum[:, 1], one.momentum)
    rates = dict(angular_velocity=MOMENTUM[:3], attitude=ATTITUDE[:3], step=0.05, steps=10)
    run = polhode.propagate(**rates, inertia=moments)
    np.testing.assert_allclose(run.momentum[0], moments * MOMENTUM[:3], rtol=1e-15)


def test_wrong_states_are_named():
    momentum = MOMENTUM.copy()
    momentum[7, 1] = np.inf
    with pytest.raises(polhode.InputError, match="propagate: body 7, counted from 0: a component of the momentum"):
        polhode.propagate(**{**STATES, "momentum": momentum})
    own = [polhode.GravityGradient(mean_motion=1.0, eccentricity=0.1 * i) for i in range(COUNT)]
    with pytest.raises(polhode.InputError, match="propagate: body 10, counted from 0: torque.*eccentricity.*not below 1"):
        polhode.propagate(**STATES, torque=[own])


@pytest.mark.parametrize("scheme", ["strang", "rkn6-14"])
@pytest.mark.parametrize("with_omega", [False, True])
def test_an_exception_is_seen_even_if_the_last_row_needs_the_function(scheme, with_omega):
    """A row completes the step, and calls the function; it fails there again."""
    def fails(t):
        if t > 0.6:
            raise KeyError("out of fuel")

    def pull(q, t):
        fails(t)
        return 0.1 * q[..., 1:]

    def law(q, omega, t):
        fails(t)
        return -0.1 * omega

    torque = law if with_omega else pull
    with pytest.raises(KeyError, match="out of fuel") as caught:
        polhode.propagate(**{**STATES, "every": 1000}, torque=torque, scheme=scheme)
    seen = caught.value.polhode_result
    assert 0.54 < seen.t[-1] < 0.61 and not seen.complete and np.isfinite(seen.attitude).all()
    whole = polhode.propagate(**{**STATES, "every": 1}, torque=(lambda q, omega, t: -0.1 * omega) if with_omega else
                              (lambda q, t: 0.1 * q[..., 1:]), scheme=scheme)
    np.testing.assert_array_equal(seen.momentum[-1], whole.momentum[round(seen.t[-1] / 0.05)])
    assert seen.steps == round(seen.t[-1] / 0.05)


@pytest.mark.parametrize("calls", [1, 2, 5, 20])
def test_the_last_row_belongs_to_the_steps_that_are_counted(calls):
    """The function goes on failing, so that no step can be completed again."""
    counted = [0]

    def pull(q, t):
        counted[0] += 1
        if counted[0] >= calls:
            raise KeyError("broken")
        return 0.1 * q[..., 1:]

    with pytest.raises(KeyError, match="broken") as caught:
        polhode.propagate(**{**STATES, "every": 1000}, torque=pull, scheme="strang")
    seen = caught.value.polhode_result
    if seen is not None:
        assert seen.steps == round(seen.t[-1] / 0.05)


def test_an_exception_before_the_run_says_that_nothing_was_computed():
    def wheel(t):
        raise RuntimeError("no wheel")

    with pytest.raises(RuntimeError, match="no wheel") as caught:
        polhode.propagate(**STATES, torque=polhode.Wheels(wheel))
    assert caught.value.polhode_result is None
