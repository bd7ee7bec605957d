"""Bodies on which several things act, runs that are watched, and Euler angles."""
import itertools

import numpy as np
import pytest

import polhode

INERTIA = np.array([1.0, 1.6, 2.2])
BODY = dict(inertia=INERTIA, momentum=[0.6, -0.9, 1.4], attitude=[0.9, 0.1, -0.2, 0.3] / np.sqrt(0.95))


def seen(q, v):
    """The vector v of space in the body."""
    w, u = q[0], -q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def integrated(law, wheels, times):
    """The same motion by scipy, which knows nothing of ours."""
    from scipy.integrate import solve_ivp

    def rate(t, y):
        q, m = y[:4], y[4:]
        w = (m - wheels) / INERTIA
        turn = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
        return np.concatenate([turn, np.cross(m, w) + law(q / np.linalg.norm(q), w, t)])

    q = np.array(BODY["attitude"]) / np.linalg.norm(BODY["attitude"])
    y = solve_ivp(rate, (0, times[-1]), np.concatenate([q, BODY["momentum"]]), method="DOP853", t_eval=times,
                  rtol=1e-13, atol=1e-14).y.T
    return y[:, :4] / np.linalg.norm(y[:, :4], axis=1)[:, None], y[:, 4:]


def test_all_at_once_as_scipy_integrates_it():
    wheels, field = np.array([0.1, -0.2, 0.3]), np.array([0.2, 0.0, 0.5])

    def law(q, omega, t):
        return -0.03 * np.cos(t) * omega

    def everything(q, omega, t):
        pull = np.cross(seen(q, field), [0, 0, 1])
        return law(q, omega, t) + pull - np.array([0.01, 0.02, 0.03]) * omega

    times = np.linspace(0, 10, 6)
    attitude, momentum = integrated(everything, wheels, times)
    run = polhode.propagate(**BODY, step=0.05, times=times, scheme="kahan-li-8",
                            torque=[polhode.UniformField(field), polhode.Damping([0.01, 0.02, 0.03]),
                                    polhode.Wheels(wheels), law])
    np.testing.assert_array_equal(run.t, times)
    assert np.abs(run.momentum - momentum).max() < 2e-12
    assert np.abs(run.attitude * np.sign(np.sum(run.attitude * attitude, axis=1))[:, None] - attitude).max() < 2e-12
    assert run.system == "driven-body" and run.torque.shape == (6, 3)
    last = everything(run.attitude[-1], run.angular_velocity[-1], times[-1])
    np.testing.assert_allclose(run.torque[-1], last, atol=1e-14)


def test_one_of_a_list_is_the_named_system_to_the_bit():
    field = polhode.UniformField([0.1, 0, 1], [0, 0, 1])
    keywords = dict(**BODY, step=0.05, steps=100, scheme="aba-8-6-4")
    alone, listed = polhode.propagate(**keywords, torque=field), polhode.propagate(**keywords, torque=[field])
    np.testing.assert_array_equal(alone.attitude, listed.attitude)
    assert (alone.system, listed.system) == ("heavy-top", "driven-body")
    assert set(alone.quantities) < set(listed.quantities)


def test_wheels_and_inertia_that_change():
    # A wheel that is spun up takes its momentum from the body; the total stays.
    def speed(t):
        return [0.0, 0.0, 0.1 * t]

    run = polhode.propagate(inertia=INERTIA, momentum=[0, 0, 1], step=0.1, steps=100, torque=polhode.Wheels(speed))
    assert np.linalg.norm(run.spatial_momentum_error, axis=1).max() < 1e-25
    np.testing.assert_allclose(run.angular_velocity[:, 2], (1 - 0.1 * run.t) / INERTIA[2], atol=1e-15)
    run = polhode.propagate(inertia=INERTIA, momentum=[0, 0, 1], step=0.1, steps=100,
                            torque=polhode.ChangingInertia(lambda t: np.diag(INERTIA * (1 + 0.1 * t))))
    np.testing.assert_allclose(run.angular_velocity[:, 2], 1 / (INERTIA[2] * (1 + 0.1 * run.t)), atol=1e-15)


@pytest.mark.parametrize("torque, sentence", [
    (lambda q: [0, 0, 0], "must be a function of (q, t) or of (q, omega, t), and it takes 1 argument"),
    ([3], "a torque of three numbers is polhode.Constant"),
    (3, "torque must be None, a function"),
    (lambda q, omega, t: [1.0, 2.0], "what the torque returns must have the shape (3,), not (2,)"),
    ([polhode.Damping(-1.0)], "torque[0].coefficient: a coefficient of the damping is negative"),
    ([polhode.Damping([[1, 2, 0], [2, 1, 0], [0, 0, 1]])], "not positive semidefinite"),
    ([polhode.Wheels(lambda t: [1.0])], "what the momentum of the wheels returns must have the shape (3,)"),
    ([polhode.ChangingInertia(lambda t: [1.0, 2.0, 3.0])], "what the inertia returns must have the shape (3, 3)"),
])
def test_bad_torques_get_a_sentence(torque, sentence):
    with pytest.raises(polhode.InputError) as caught:
        polhode.propagate(**BODY, step=0.1, steps=10, torque=torque)
    assert sentence in str(caught.value)


def test_a_law_that_fails_keeps_what_was_computed():
    def law(q, omega, t):
        return -0.1 * omega if t < 3.7 else omega * np.nan

    with pytest.raises(polhode.MotionError, match="the torque at time 3.7.* is not a finite number") as caught:
        polhode.propagate(**BODY, step=0.1, steps=100, every=1, torque=law)
    assert caught.value.polhode_result.t[-1] == pytest.approx(3.7)


def test_degrees_are_warned_of():
    run = polhode.propagate(**BODY, step=0.1, steps=10, torque=polhode.GravityGradient(inclination=98))
    assert "angles are in radians" in run.warnings[0]


def turns_over(t, state):
    return state.angular_velocity[1]


def test_events_are_found_and_may_end_a_run():
    racket = dict(inertia=[1, 2, 3], angular_velocity=[0, 1, 1e-3], step=0.1, steps=1000)
    run = polhode.propagate(**racket, events=[turns_over, lambda t, state: t - 12.345678901234567])
    body = polhode.Trajectory([1, 2, 3], [0, 2, 3e-3])
    period = body.period
    assert len(run.t_events[0]) == int(100 / (period / 2) + 0.5)
    np.testing.assert_allclose(np.diff(run.t_events[0]), period / 2, rtol=1e-13)
    assert run.t_events[1] == pytest.approx(12.345678901234567, abs=2e-15)
    assert np.abs(run.at_events[0].angular_velocity[:, 1]).max() < 1e-13
    # Only upwards, and the first of them is the end.
    turns_over.direction, turns_over.terminal = 1, True
    try:
        ended = polhode.propagate(**racket, events=turns_over)
    finally:
        del turns_over.direction, turns_over.terminal
    assert ended.ended_by_event and ended.t[-1] == ended.t_events[0][0] == run.t_events[0][1]


def test_attributes_of_events_are_numbers_of_any_kind():
    racket = dict(inertia=[1, 2, 3], angular_velocity=[0, 1, 1e-3], step=0.1, steps=500)
    seen = polhode.propagate(**racket, events=lambda t, state: turns_over(t, state)).t_events[0]
    for direction in (1, 1.0, np.int64(1), np.float32(2.5), True):
        turns_over.direction = direction
        try:
            assert polhode.propagate(**racket, events=turns_over).t_events[0].tolist() == seen[1::2].tolist()
        finally:
            del turns_over.direction
    for name, value, sentence in (("direction", "up", "must be a number, not 'up'"), ("direction", np.nan, "must be a number, not nan"),
                                  ("terminal", 3, "must be True or False, not 3")):
        setattr(turns_over, name, value)
        try:
            with pytest.raises(polhode.InputError, match=sentence):
                polhode.propagate(**racket, events=turns_over)
        finally:
            delattr(turns_over, name)


def test_the_last_time_may_miss_the_end_by_its_rounding_error():
    body = dict(inertia=[1, 2, 3], momentum=[0.1, 1, 0.2], step=0.1, steps=10)
    times = [0.5, 1.0 + 5e-11]
    run = polhode.propagate(**body, times=times)
    assert run.t.tolist() == times
    free = polhode.Trajectory([1, 2, 3], [0.1, 1, 0.2])
    assert np.abs(run.momentum[-1] - free.momentum(times[-1])).max() < 1e-15
    with pytest.raises(polhode.InputError, match="output.times"):
        polhode.propagate(**body, times=[0.5, 1.0 + 2e-10])


def test_none_of_many_crossings_is_missed():
    random = np.random.default_rng(7)
    expected, found = 0, 0
    for _ in range(20):
        rate, phase = random.uniform(1, 3), random.uniform(0, 6)
        run = polhode.propagate(inertia=[1, 1, 1], momentum=[0, 0, 1], step=0.05, steps=4000, every=4000,
                                events=lambda t, state: np.sin(rate * t + phase))
        crossings = np.arange(np.ceil(phase / np.pi), np.floor((rate * 200 + phase) / np.pi) + 1) * np.pi
        expected, found = expected + len(crossings), found + len(run.t_events[0])
        np.testing.assert_allclose(run.t_events[0], (crossings - phase) / rate, rtol=1e-14, atol=1e-14)
    assert expected == found > 2000


def test_an_event_that_raises_arrives_with_what_was_computed():
    def event(t, state):
        if t > 2:
            raise KeyError("broken")
        return 1.0

    with pytest.raises(KeyError, match="broken") as caught:
        polhode.propagate(**BODY, step=0.1, steps=100, every=1, events=event)
    assert caught.value.polhode_result.t[-1] == pytest.approx(2.0)


@pytest.mark.parametrize("events, sentence", [
    (3, "events must be a function event(t, state) or a list of them, not int"),
    ([turns_over, "x"], "events[1] must be a function event(t, state), not str"),
    (lambda t, state: "x", "what event <lambda> returns must be a number"),
    (lambda t: t, "events are functions event(t, state), and <lambda> does not take two arguments"),
    (lambda t, state: float("nan"), "is not a finite number"),
])
def test_bad_events_get_a_sentence(events, sentence):
    with pytest.raises((polhode.InputError, polhode.MotionError)) as caught:
        polhode.propagate(**BODY, step=0.1, steps=10, events=events)
    assert sentence in str(caught.value)


def test_dense_output_has_the_order_of_the_scheme():
    field = polhode.UniformField([0.1, 0, 0.7])
    times = np.array([0.333, 7.77, 4.1, 10.0])
    best = polhode.propagate(**BODY, step=0.01, times=np.sort(times), torque=field, scheme="rkn6-14")
    errors = []
    for step in (0.5, 0.25):
        run = polhode.propagate(**BODY, step=step, duration=10.0, torque=field, scheme="rkn6-14", dense=True)
        rows = run.at(times)
        np.testing.assert_array_equal(rows.t, times)
        errors.append(np.abs(rows.momentum[np.argsort(times)] - best.momentum).max())
    assert 2.0**5 < errors[0] / errors[1] < 2.0**9
    with pytest.raises(polhode.InputError, match="the time 10.5 is outside of the run, which goes from 0 to 10"):
        run.at(10.5)
    with pytest.raises(polhode.InputError, match="needs a run with dense=True"):
        best.at(1.0)


def test_a_start_time():
    dipole = polhode.Dipole([0.3, 0.1, 0.2], swing=[0, 0, 0.5], frequency=1.7)
    whole = polhode.propagate(**BODY, step=0.1, steps=100, torque=dipole)
    half = polhode.propagate(inertia=INERTIA, momentum=whole.momentum[5], attitude=whole.attitude[5], start_time=5.0,
                             step=0.1, steps=50, torque=dipole)
    assert half.t[0] == 5.0
    np.testing.assert_allclose(half.momentum[-1], whole.momentum[-1], atol=1e-13)
    free = polhode.propagate(**BODY, step=0.1, steps=10, start_time=-3.0)
    assert free.t[0] == -3.0 and free.t[-1] == pytest.approx(-2.0)


@pytest.mark.parametrize("sequence", ["".join(s) for s in itertools.product("xyz", repeat=3) if s[0] != s[1] != s[2]])
def test_euler_angles_of_every_convention(sequence):
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    rotations = Rotation.random(20, random_state=5)
    attitudes = polhode.from_rotation(rotations)
    for convention in (sequence, sequence.upper()):
        angles = polhode.to_euler(attitudes, convention)
        np.testing.assert_allclose(angles, rotations.as_euler(convention), atol=1e-13)
        np.testing.assert_allclose(np.abs(np.sum(polhode.from_euler(angles, convention) * attitudes, axis=1)), 1, atol=1e-14)
    # On a pole the third angle is zero, and the attitude is the same.
    middle = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    attitude = polhode.from_euler([0.4, middle, 0.7], sequence)
    angles = polhode.to_euler(attitude, sequence)
    assert angles[2] == 0.0
    assert abs(polhode.from_euler(angles, sequence) @ attitude) == pytest.approx(1, abs=1e-14)


def test_a_wrong_convention_gets_a_sentence():
    for sequence in ("xx", "xxy", "abc", "xYz", 3):
        with pytest.raises(polhode.InputError, match="the sequence of Euler angles must be three of"):
            polhode.to_euler([1, 0, 0, 0], sequence)
