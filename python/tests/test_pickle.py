"""What goes to other processes comes back with the same bits."""
import copy
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from conftest import SOURCE, WATER

import polhode

TENSOR = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])


@pytest.fixture(params=[pickle.HIGHEST_PROTOCOL, 2, "copy"])
def again(request):
    if request.param == "copy":
        return copy.deepcopy
    return lambda x: pickle.loads(pickle.dumps(x, request.param))


@pytest.mark.parametrize("inertia", [[0.345, 0.653, 1.0], [1.0, 0.345, 0.653], TENSOR], ids=["sorted", "turned", "tensor"])
def test_bodies(again, inertia):
    body = polhode.Body(inertia)
    other = again(body)
    for name in ("moments", "axes", "tensor", "inertia"):
        np.testing.assert_array_equal(getattr(other, name), getattr(body, name))
    assert repr(other) == repr(body) and not other.inertia.flags.writeable


@pytest.mark.parametrize("inertia", [WATER["inertia"], TENSOR, polhode.Body(TENSOR)], ids=["moments", "tensor", "body"])
def test_trajectories(again, inertia):
    free = polhode.Trajectory(inertia, [1, 2, 3], [0.6, 0.8, 0, 0])
    times = np.linspace(0.0, 1e5, 50)
    for one, other in zip(free.at(times), again(free).at(times)):
        np.testing.assert_array_equal(one, other)


def test_numbers_of_31_digits(again):
    number = polhode.DoubleDouble(1.0, 1e-20)
    other = again(number)
    assert (other.high, other.low) == (number.high, number.low)


@pytest.mark.parametrize("made, state", [
    (polhode.Trajectory, ([1, 2, 3], np.zeros(0), np.zeros(1))), (polhode.Trajectory, ([1, 2, 3], np.ones(3), np.ones(3))),
    (polhode.Trajectory, ([1, 2, 3], np.ones(2), np.ones(4))), (polhode.Trajectory, ([1, 2, 3], np.ones(3))),
    (polhode.Trajectory, ([1, 2, 3], None, "text")), (polhode.Trajectory, ([1, 2], np.ones(3), np.ones(4))),
    (polhode.Trajectory, ([1, 2, 3], np.ones(3), np.zeros(4))), (polhode.Body, ()), (polhode.Body, (np.ones(2),)),
    (polhode.Body, ("text",)), (polhode.Body, (np.ones((2, 3)), 1)), (polhode.DoubleDouble, (1.0,)),
    (polhode.DoubleDouble, (1.0, "2")), (polhode.DoubleDouble, (1.0, 2.0)), (polhode.DoubleDouble, (1.0, float("nan"))),
])
def test_a_state_that_none_of_them_has_is_refused(made, state):
    with pytest.raises(polhode.InputError):
        made.__new__(made).__setstate__(state)


def test_results(again):
    run = polhode.propagate(**WATER, step=0.1, steps=50, torque=polhode.UniformField([0, 0, 1]))
    other = again(run)
    assert repr(other) == repr(run) and other.scenario == run.scenario
    for name in run.quantities:
        np.testing.assert_array_equal(other[name], run[name])
    many = polhode.propagate(inertia=[1, 2, 3], momentum=np.ones((4, 3)), step=0.1, steps=20)
    np.testing.assert_array_equal(again(many).attitude, many.attitude)


def test_what_acts_and_what_describes(again):
    for made in (polhode.Damping(0.1), polhode.AttractingBody(1.0, times=[0, 6, 12], positions=[[2, 0, 0]] * 3, points=2),
                 polhode.Scheme(a=[0.5, 0.5], b=[1.0]), polhode.SpinState([1, 2, 3], [0.1, 0.2, 1.0]),
                 polhode.load(SOURCE / "examples" / "water-molecule.toml"), polhode.tangent_map([1, 2, 3], [1, 2, 3], 0.1)):
        assert repr(again(made)) == repr(made)


def test_a_motion_that_only_this_process_has_says_so():
    run = polhode.propagate(**WATER, step=0.1, steps=50, dense=True)
    other = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(other.attitude, run.attitude)
    with pytest.raises(polhode.InputError, match="not one that was pickled"):
        other.at([1.0])
    np.testing.assert_array_equal(copy.copy(run).at([1.0]).momentum, run.at([1.0]).momentum)


def test_the_state_that_an_event_sees_can_be_copied():
    kept = []
    polhode.propagate(**WATER, step=0.1, steps=3, events=lambda t, state: kept.append(copy.copy(state)) or 1.0)
    assert kept[0].momentum.tolist() == WATER["momentum"]


def end_of(body):
    return polhode.propagate(inertia=body, momentum=[1, 2, 3], step=0.1, steps=50).attitude[-1]


def test_bodies_in_other_processes():
    bodies = [polhode.Body([1.0, 1.5 + 0.1 * i, 2.0]) for i in range(4)]
    with ProcessPoolExecutor(2) as pool:
        for there, body in zip(pool.map(end_of, bodies), bodies):
            np.testing.assert_array_equal(there, end_of(body))
