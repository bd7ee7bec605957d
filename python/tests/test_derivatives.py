"""Derivatives of motions under torque, and Lyapunov exponents."""
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode

START = dict(inertia=[1.75, 1.0, 2.25], momentum=[0.5, -0.75, 0.875], attitude=[0.5, -0.5, 0.5, 0.5])
TORQUES = {
    "free": None,
    "field": polhode.UniformField([0.2, -0.3, 0.6], arm=[0.25, 0.5, 1.0]),
    "dipole": polhode.Dipole([0.3, 0.1, 0.2], field=[0, 0, 1], swing=[0, 0, 0.5], frequency=1.7),
    "gravity gradient": polhode.GravityGradient(mean_motion=1.0, eccentricity=0.2, inclination=0.4),
    "constant in space": polhode.Constant([0.1, 0.2, -0.1], frame="space"),
    "damping": [polhode.Damping([0.1, 0.2, 0.3], medium=[0.1, 0.2, 0.3]), polhode.UniformField([0, 0, 0.5])],
    "wheels": [polhode.Wheels([0.1, 0.3, -0.2]), polhode.UniformField([0, 0, 0.5])],
    "dissipation": [polhode.Dissipation(0.5), polhode.UniformField([0, 0, 0.5])],
}


def end(start, step=0.0625, steps=16, scheme="blanes-moan-4", **others):
    run = polhode.propagate(**start, step=step, steps=steps, every=steps, scheme=None if others.get("torque") is None else scheme,
                            **others)
    return run.momentum[-1], Rotation.from_quat(polhode.to_scalar_last(run.attitude[-1]))


def between(after, before):
    """(dm, xi) from one state to the next."""
    return np.concatenate([after[0] - before[0], (before[1].inv() * after[1]).as_rotvec()])


def changed(start, j, e):
    momentum, attitude = np.array(start["momentum"], float), polhode.to_rotation(start["attitude"])
    if j < 3:
        momentum[j] += e
    else:
        attitude = attitude * Rotation.from_rotvec(e * np.eye(3)[j - 3])
    return {**start, "momentum": momentum, "attitude": polhode.from_rotation(attitude)}


def central(function, e=2.0**-7):
    """A derivative by differences of order eight: right to some 1e-13."""
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    return sum(weight * between(function(k * e), function(-k * e)) for k, weight in weights.items()) / e


@pytest.mark.parametrize("name", TORQUES)
def test_derivatives_are_those_of_propagate(name):
    torque = TORQUES[name]
    scheme = None if torque is None else "blanes-moan-4"
    found = polhode.derivatives(**START, torque=torque, step=0.0625, steps=16, scheme=scheme)
    state = end(START, torque=torque)
    assert np.abs(between((found.momentum[-1], polhode.to_rotation(found.attitude[-1])), state)).max() < 2e-15
    by_state = np.array([central(lambda e: end(changed(START, j, e), torque=torque)) for j in range(6)]).T
    assert np.abs(found.by_state[-1] - by_state).max() < 1e-10

    def with_moment(j, e):
        inertia = np.array(START["inertia"])
        inertia[j] += e
        return end({**START, "inertia": inertia}, torque=torque)

    by_moments = np.array([central(lambda e: with_moment(j, e)) for j in range(3)]).T
    assert np.abs(found.by_moments[-1] - by_moments).max() < 1e-10
    assert not found.differences and found.by_parameters.shape == (2, 6, 0)


def make(p):
    return [polhode.GravityGradient(mean_motion=p[0], eccentricity=p[1]), polhode.Damping(p[2]), polhode.Wheels([0, p[3], 0.1])]


def test_derivatives_by_parameters():
    values = np.array([1.25, 0.25, 0.125, 0.375])
    found = polhode.derivatives(**START, torque=make, parameters=values, step=0.0625, steps=16, scheme="strang", start_time=3.0)

    def at(j, e):
        p = values.copy()
        p[j] += e
        return end(START, torque=make(p), scheme="strang", start_time=3.0)

    expected = np.array([central(lambda e: at(j, e), 2.0**-9) for j in range(4)]).T
    assert np.abs(found.by_parameters[-1] - expected).max() < 1e-10
    assert found.differences


def test_a_parameter_that_is_zero_and_may_not_be_negative():
    def damped(p):
        return [polhode.UniformField([0.0, 0.0, 0.5], [0.0, 0.25, 1.0]), polhode.Damping(p[0]), polhode.Dissipation(p[1])]

    found = polhode.derivatives(**START, torque=damped, parameters=[0.0, 0.0], step=0.0625, steps=16, scheme="strang")
    e = 2.0**-12
    for j in range(2):
        ends = [end(START, torque=damped(np.eye(2)[j] * k * e), scheme="strang") for k in range(4)]
        one, two, three = (between(after, ends[0]) for after in ends[1:])
        expected = (18 * one - 9 * two + 2 * three) / (6 * e)
        assert np.abs(found.by_parameters[-1][:, j] - expected).max() < 1e-9


class Spring:
    """Pulls axis 3 of the body towards axis 3 of space, as UniformField([0, 0, -0.5]) does."""

    def __call__(self, q, t):
        w, x, y, z = q
        return [-(y * z + w * x), x * z - w * y, 0.0]


class KnowingSpring(Spring):
    def derivative(self, q, t):
        u = Rotation.from_quat(polhode.to_scalar_last(q)).as_matrix()[2]
        return -0.5 * np.array([[u[2], 0, -u[0]], [0, u[2], -u[1]], [0, 0, 0]])


def test_functions_of_python():
    run = dict(**START, step=0.0625, steps=16, scheme="blanes-moan-4")
    named = polhode.derivatives(**run, torque=polhode.UniformField([0, 0, -0.5]))
    by_differences = polhode.derivatives(**run, torque=Spring())
    assert by_differences.differences
    assert np.abs(by_differences.by_state - named.by_state).max() < 1e-13
    assert np.abs(by_differences.by_moments - named.by_moments).max() < 1e-13
    known = polhode.derivatives(**run, torque=KnowingSpring())
    assert not known.differences
    assert np.abs(known.by_state - named.by_state).max() < 1e-14


def test_control_laws_of_python():
    def law(q, omega, t):
        return -0.125 * omega

    def knowing(q, omega, t):
        return -0.125 * omega

    knowing.derivative = lambda q, omega, t: (np.zeros((3, 3)), -0.125 * np.eye(3))
    run = dict(**START, step=0.0625, steps=16, scheme="kahan-li-6")
    damped = polhode.derivatives(**run, torque=polhode.Damping(0.125))
    assert np.abs(polhode.derivatives(**run, torque=law).by_state - damped.by_state).max() < 1e-10
    known = polhode.derivatives(**run, torque=knowing)
    assert np.abs(known.by_state - damped.by_state).max() < 1e-10 and not known.differences


def test_rows():
    free = polhode.derivatives(**START, step=0.1, times=[0.0, 0.3, 7.5])
    np.testing.assert_array_equal(free.by_state[0], np.eye(6))
    np.testing.assert_array_equal(free.by_moments[0], np.zeros((6, 3)))
    expected = polhode.state_transition(START["inertia"], START["momentum"], 7.5)
    assert np.abs(free.by_state[-1] - expected).max() < 1e-14
    rows = polhode.derivatives(**START, torque=TORQUES["field"], step=0.125, steps=10, every=4)
    np.testing.assert_array_equal(rows.t, [0.0, 0.5, 1.0, 1.25])
    last = polhode.state_transition(START["inertia"], START["momentum"], 0.125, attitude=START["attitude"], steps=10,
                                    torque=TORQUES["field"])
    assert np.abs(rows.by_state[-1] - last).max() < 1e-14


def test_lyapunov_exponents():
    chaos = dict(torque=polhode.GravityGradient(mean_motion=1.0, eccentricity=0.1), scheme="strang")
    found = polhode.lyapunov_exponents([0.6, 0.8, 0.95], [0.05, 0.1, 0.95], 0.05, 8000, **chaos, looks=4)
    np.testing.assert_allclose(found.t, [100, 200, 300, 400])
    largest = polhode.lyapunov_exponent([0.6, 0.8, 0.95], [0.05, 0.1, 0.95], 0.05, 8000, **chaos)
    # Looks divide the steps: another rounding, and in chaos another trajectory.
    whole = polhode.lyapunov_exponents([0.6, 0.8, 0.95], [0.05, 0.1, 0.95], 0.05, 8000, **chaos, looks=1)
    assert largest == whole.values[-1, 0] > 0.05
    assert found.values[-1, 0] > 0.05
    np.testing.assert_allclose(found.values[-1], -found.values[-1, ::-1], atol=0.03)
    regular = polhode.lyapunov_exponents([1, 1, 0.5], [0.1, 0.1, 2.0], 0.05, 8000, torque=polhode.UniformField([0, 0, 1]))
    assert regular.values[-1, 0] < 1.5 * np.log(400) / 400


@pytest.mark.parametrize("call, sentence", [
    (lambda: polhode.derivatives(**START, step=0.1), "steps must be given"),
    (lambda: polhode.derivatives(**START, step=0.1, steps=2, parameters=[1.0]), "torque must be a function"),
    (lambda: polhode.derivatives(**START, step=0.1, times=[0.0], every=1), "leave one of them out"),
    (lambda: polhode.derivatives(**START, step=0.1, steps=2, every=0), "every must be a positive integer"),
    (lambda: polhode.lyapunov_exponent([1, 2, 3], [1, 2, 3], 0.1, 10, scheme="strang"), "no torque is given"),
    (lambda: polhode.lyapunov_exponents([1, 2, 3], [1, 2, 3], 0.1, 10, looks=0), "at least one look"),
])
def test_wrong_input(call, sentence):
    with pytest.raises(polhode.InputError, match=sentence):
        call()


def test_what_a_derivative_raises_arrives():
    def law(q, omega, t):
        return -0.1 * omega

    law.derivative = lambda q, omega, t: np.eye(3)
    with pytest.raises(polhode.InputError, match="pair of matrices"):
        polhode.derivatives(**START, step=0.1, steps=2, torque=law)

    def failing(q, omega, t):
        raise RuntimeError("out of fuel")

    with pytest.raises(RuntimeError, match="out of fuel"):
        polhode.derivatives(**START, step=0.1, steps=2, torque=failing)
