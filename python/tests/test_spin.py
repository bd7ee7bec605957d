"""Spin states: the astronomers' words, and the way back."""
import numpy as np
import pytest

import polhode
from polhode import InputError, SpinState

APOPHIS = dict(precession=27.374, rotation=262.2, moments=[0.61, 0.965, 1.0])


def matrix(q):
    return np.array(polhode.to_rotation(q).as_matrix())


def test_a_state_has_the_periods_of_its_trajectory():
    spin = SpinState([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], [0.5, 0.5, -0.5, 0.5])
    free = spin.trajectory()
    assert (spin.rotation, spin.precession, spin.mode) == (free.period, free.precession_period, free.mode)
    assert spin.precession_rate == 2 * np.pi / spin.precession
    assert np.allclose(spin.direction, matrix(spin.attitude) @ spin.momentum / np.linalg.norm(spin.momentum), atol=1e-15)
    energy = spin.momentum @ spin.angular_velocity / 2
    assert spin.energy_ratio == pytest.approx(energy * 2 * 1.0 / spin.momentum_norm**2, rel=1e-15)
    same = SpinState([0.345, 0.653, 1.0], angular_velocity=spin.angular_velocity)
    assert np.allclose(same.momentum, spin.momentum, rtol=1e-15)
    assert spin.uncertainty == {}


def test_the_mean_precession_is_that_of_the_attitude():
    spin = SpinState([3.0836, 3.235, 1.0], angular_velocity=np.radians([14.51, 33.529, -98.709]))
    t = np.linspace(0, 20 * spin.rotation, 20001)
    q = spin.trajectory().attitude(t)
    axis = polhode.to_rotation(q).apply(spin.body.axes[0])
    z = spin.direction
    x = np.cross(z, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    angle = np.unwrap(np.arctan2(axis @ np.cross(z, x), axis @ x))
    assert (angle[-1] - angle[0]) / t[-1] == pytest.approx(spin.precession_rate, rel=1e-13)


@pytest.mark.parametrize("mode", ["short-axis", "long-axis"])
def test_round_trip(mode):
    spin = SpinState.from_periods(**APOPHIS, mode=mode, direction=[1.0, -2.0, 0.5], azimuth=0.7, phase=0.3)
    assert spin.mode == mode
    assert spin.precession == pytest.approx(27.374, rel=1e-14) and spin.rotation == pytest.approx(262.2, rel=1e-14)
    assert np.allclose(spin.direction, np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5]), atol=1e-15)
    for nearer in (1e3, 2e3):  # next to the separatrix
        deep = SpinState.from_periods(precession=1.0, rotation=nearer / 27, moments=APOPHIS["moments"], mode=mode)
        assert deep.rotation == pytest.approx(nearer / 27, rel=1e-13) and deep.precession == pytest.approx(1.0, rel=1e-13)


def test_the_way_back_and_a_run():
    spin = SpinState.from_periods(**APOPHIS, mode="short-axis", phase=0.2)
    run = polhode.propagate(inertia=spin.body, momentum=spin.momentum, attitude=spin.attitude, step=1.0, steps=100)
    end = SpinState(spin.body, run.momentum[-1], run.attitude[-1])
    assert end.rotation == pytest.approx(262.2, rel=1e-13) and np.allclose(end.direction, [0, 0, 1], atol=1e-14)


@pytest.mark.parametrize("moments", [[0.61, 0.965, 1.0], [1.0, 0.61, 0.965], [0.965, 1.0, 0.61]])
def test_phase_azimuth_and_any_order_of_the_moments(moments):
    spin = SpinState.from_periods(precession=27.374, rotation=262.2, moments=moments, mode="short-axis", azimuth=0.4)
    axis = matrix(spin.attitude) @ spin.body.axes[0]
    assert np.arctan2(axis[1], axis[0]) == pytest.approx(0.4, abs=1e-14)
    m = spin.body.axes @ spin.momentum
    assert abs(m[0]) < 1e-16 and m[1] > 0 and m[2] > 0  # nearest to the middle axis
    quarter = SpinState.from_periods(precession=27.374, rotation=262.2, moments=moments, mode="short-axis", phase=0.25)
    assert abs((quarter.body.axes @ quarter.momentum)[1]) < 1e-15
    south = SpinState.from_periods(precession=27.374, rotation=262.2, moments=moments, mode="short-axis", direction=[0, 0, -1])
    assert np.allclose(south.direction, [0, 0, -1], atol=1e-15)
    assert south.pole[1] == pytest.approx(-90, abs=1e-5)


def test_the_uncertainty_is_the_derivative():
    spin = SpinState.from_periods(**APOPHIS, mode="short-axis",
                                  uncertainty={"precession": 0.001, "rotation": 0.1, "moments": [0.01, 0.002, 0.0]})

    def at(shift):
        p, r, a, b = shift
        s = SpinState.from_periods(precession=27.374 + p, rotation=262.2 + r, moments=[0.61 + a, 0.965 + b, 1.0], mode="short-axis")
        return np.array([s.energy_ratio, s.momentum_norm])

    deviation, h = np.array([0.001, 0.1, 0.01, 0.002]), 1e-3
    by = [(at(e * d * h) - at(-e * d * h)) / (2 * h) for e, d in zip(np.eye(4), deviation)]
    expected = np.linalg.norm(by, axis=0)
    assert spin.uncertainty["energy_ratio"] == pytest.approx(expected[0], rel=1e-5)
    assert spin.uncertainty["momentum_norm"] == pytest.approx(expected[1], rel=1e-5)
    assert spin.uncertainty["rotation"] == 0.1

    given = {"momentum": [0.01, 0.02, 0.03], "moments": 0.01}
    state = SpinState([0.7, 1.1, 1.6], [0.3, 0.4, 1.2], uncertainty=given)
    random = np.random.default_rng(1)
    drawn = [SpinState([0.7, 1.1, 1.6] + 1e-3 * 0.01 * random.standard_normal(3),
                       [0.3, 0.4, 1.2] + 1e-3 * np.array(given["momentum"]) * random.standard_normal(3)) for _ in range(4000)]
    for key in ("precession", "rotation", "energy_ratio"):
        assert np.std([getattr(s, key) for s in drawn]) * 1e3 == pytest.approx(state.uncertainty[key], rel=0.05)
    angles = [np.linalg.norm(np.cross(s.direction, state.direction)) for s in drawn]
    assert np.sqrt(np.mean(np.square(angles))) * 1e3 == pytest.approx(state.uncertainty["direction"], rel=0.05)


def test_a_tensor_turns_the_deviations_of_the_momentum():
    turn = matrix(polhode.from_euler([0.3, -0.2, 0.9]))
    tensor, m = turn @ np.diag([0.7, 1.1, 1.6]) @ turn.T, turn @ [0.3, 0.4, 1.2]
    along = SpinState(tensor, m, uncertainty={"momentum": 0.01}).uncertainty
    plain = SpinState([0.7, 1.1, 1.6], [0.3, 0.4, 1.2], uncertainty={"momentum": 0.01}).uncertainty
    for key, value in plain.items():
        assert along[key] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("arguments,sentence", [
    (dict(precession=27.374, rotation=262.2, moments=[0.61, 0.965, 1.0]), "two motions"),
    (dict(precession=1.0, rotation=0.5, moments=[0.61, 0.965, 1.0]), "no motion of this body"),
    (dict(precession=-1.0, rotation=0.5, moments=[1, 2, 3]), "a period is not a positive number"),
    (dict(precession=1.0, rotation=5.0, moments=[1, 2, 3], mode="middle"), "the mode is middle"),
    (dict(precession=1.0, rotation=5.0, moments=[1, 2, 3], mode="short-axis", direction=[0, 0, 0]), "direction is zero"),
    (dict(precession=1.0, rotation=5.0, moments=[1, 2, 3], mode="short-axis", uncertainty={"spin": 1}), "no uncertainty of spin"),
    (dict(precession=1.0, rotation=5.0, moments=[1, 2, 3], mode="short-axis", uncertainty={"rotation": -1}), "negative"),
    (dict(precession="a day", rotation=5.0, moments=[1, 2, 3]), "precession must be a number"),
])
def test_what_is_wrong_is_named(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        SpinState.from_periods(**arguments)


def test_a_state_that_is_wrong():
    with pytest.raises(InputError, match="either a momentum or an angular velocity"):
        SpinState([1, 2, 3])
    with pytest.raises(InputError, match="three numbers"):
        SpinState([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="no direction"):
        SpinState([1, 2, 3], [0, 0, 0]).direction
