"""Batches: the bits of the scalar flow, whatever the shape, the body, the threads."""
import numpy as np
import pytest
from conftest import WATER, random_states

import polhode

TENSOR = np.array([[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]])
BODIES = {"ascending": [0.345, 0.653, 1.0], "permuted": [1.0, 0.345, 0.653], "tensor": TENSOR, "sphere": [2.0, 2.0, 2.0],
          "symmetric": [1.0, 1.0, 3.0]}


def one_by_one(inertia, momentum, attitude, h, steps=1, method="exact"):
    ends = [polhode.propagate(inertia=inertia, momentum=m, attitude=q, step=h, steps=steps, every=steps, method=method)
            for m, q in zip(momentum, attitude)]
    return np.array([e.momentum[-1] for e in ends]), np.array([e.attitude[-1] for e in ends])


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("h", [0.003, 0.03, 1.0, -0.01])  # short, several short, long, backwards
def test_a_batch_has_the_bits_of_each_body_alone(random, body, h):
    momentum, attitude = random_states(random, 203)  # not a multiple of a pack
    momentum[3] = 0.0
    momentum[4] = [0.0, -0.0, 1.0]
    momentum[5] *= 1e-200
    momentum[6] *= 1e10
    attitude[7] *= 1e-60
    attitude[8] = [-0.0, 1.0, 0.0, 0.0]
    m, q = polhode.step(BODIES[body], momentum, attitude, h)
    reference = one_by_one(BODIES[body], momentum, attitude, h)
    np.testing.assert_array_equal(m, reference[0])
    np.testing.assert_array_equal(q, reference[1])


def test_many_steps_keep_the_compensation(random):
    momentum, attitude = random_states(random, 37)
    m, q = polhode.step(BODIES["tensor"], momentum, attitude, 0.003, steps=100)
    reference = one_by_one(BODIES["tensor"], momentum, attitude, 0.003, 100)
    np.testing.assert_array_equal(m, reference[0])
    np.testing.assert_array_equal(q, reference[1])


def test_the_step_and_the_steps_have_the_names_that_they_have_elsewhere():
    state = WATER["inertia"], WATER["momentum"]
    m, q = polhode.step(*state, [1, 0, 0, 0], step=0.01, steps=7)
    run = polhode.propagate(**WATER, step=0.01, steps=7)
    np.testing.assert_array_equal(m, run.momentum[-1])
    np.testing.assert_array_equal(q, run.attitude[-1])
    np.testing.assert_array_equal(polhode.tangent_map(*state, step=0.3).matrix(), polhode.state_transition(*state, step=0.3))


@pytest.mark.parametrize("method", [m["name"] for m in polhode.catalogue("methods") if "free-body" in m["systems"]])
def test_every_method(random, method):
    momentum, attitude = random_states(random, 9)
    m, q = polhode.step(WATER["inertia"], momentum, attitude, 0.02, method, threads=2)
    reference = one_by_one(WATER["inertia"], momentum, attitude, 0.02, method=method)
    np.testing.assert_array_equal(m, reference[0])
    np.testing.assert_array_equal(q, reference[1])


def test_bodies_of_many_kinds(random):
    momentum, attitude = random_states(random, 13)
    inertia = 1.0 + random.random((13, 3))
    m, q = polhode.step(inertia, momentum, attitude, 0.01)
    for i in range(13):
        one = polhode.step(inertia[i], momentum[i], attitude[i], 0.01)
        np.testing.assert_array_equal(m[i], one[0])
        np.testing.assert_array_equal(q[i], one[1])
    for same in ([polhode.Body(i) for i in inertia], np.array([np.diag(i) for i in inertia])):
        np.testing.assert_array_equal(polhode.step(same, momentum, attitude, 0.01, threads=3)[1], q)


def test_threads_change_nothing(random):
    momentum, attitude = random_states(random, 10_001)
    alone = polhode.step(WATER["inertia"], momentum, attitude, 0.01)
    for threads in (0, 2, 7):
        together = polhode.step(WATER["inertia"], momentum, attitude, 0.01, threads=threads)
        np.testing.assert_array_equal(alone[0], together[0])
        np.testing.assert_array_equal(alone[1], together[1])


def test_shapes(random):
    momentum, attitude = random_states(random, 24)
    flat = polhode.step(WATER["inertia"], momentum, attitude, 0.01)
    grid = polhode.step(WATER["inertia"], momentum.reshape(2, 3, 4, 3), attitude.reshape(2, 3, 4, 4), 0.01)
    assert grid[0].shape == (2, 3, 4, 3) and grid[1].shape == (2, 3, 4, 4)
    np.testing.assert_array_equal(grid[1].reshape(24, 4), flat[1])
    one = polhode.step(WATER["inertia"], momentum[0], attitude[0], 0.01)
    assert one[0].shape == (3,) and one[1].shape == (4,)
    empty = polhode.step(WATER["inertia"], np.empty((0, 3)), np.empty((0, 4)), 0.01)
    assert empty[0].shape == (0, 3)


def test_out_is_written_where_it_is(random):
    momentum, attitude = random_states(random, 101)
    expected = polhode.step(WATER["inertia"], momentum, attitude, 0.01)
    out = np.empty((101, 3)), np.empty((101, 4))
    returned = polhode.step(WATER["inertia"], momentum, attitude, 0.01, out=out)
    assert returned[0] is out[0] and returned[1] is out[1]
    np.testing.assert_array_equal(out[1], expected[1])
    before = momentum.copy()
    polhode.step(WATER["inertia"], momentum, attitude, 0.01, out=(momentum, attitude))  # in place
    np.testing.assert_array_equal(momentum, expected[0])
    shared = np.vstack([before, before[:1]])  # the result one row further than what is read
    polhode.step(WATER["inertia"], shared[:101], np.tile([1.0, 0, 0, 0], (101, 1)), 0.01,
                 out=(shared[1:], np.empty((101, 4))))
    np.testing.assert_array_equal(shared[1:], expected[0])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("keywords", [dict(), dict(steps=300), dict(method="dmv10"), dict(own=True)], ids=["step", "steps", "method", "own"])
def test_a_refused_call_leaves_out_as_it_was(random, keywords, threads):
    """Where it steps in place, the caller has no other copy of the states."""
    momentum, attitude = random_states(random, 1000)
    keywords = dict(keywords)
    inertia = np.tile(WATER["inertia"], (1000, 1)) if keywords.pop("own", False) else WATER["inertia"]
    attitude[999] = 0.0
    for given in (inertia, polhode.Body(inertia)) if np.ndim(inertia) == 1 else (inertia,):
        before = momentum.copy(), attitude.copy()
        with pytest.raises(polhode.InputError, match="entry 999, counted from 0: the attitude is the zero quaternion"):
            polhode.step(given, momentum, attitude, 0.01, threads=threads, out=(momentum, attitude), **keywords)
        np.testing.assert_array_equal(momentum, before[0])
        np.testing.assert_array_equal(attitude, before[1])


def test_views_and_other_orders(random):
    momentum, attitude = random_states(random, 50)
    expected = polhode.step(WATER["inertia"], momentum, attitude, 0.01)
    for m, q in ((np.asfortranarray(momentum), np.asfortranarray(attitude)),
                 (np.repeat(momentum, 2, axis=0)[::2], attitude[::-1][::-1]),
                 (momentum.astype(">f8"), attitude.tolist())):
        np.testing.assert_array_equal(polhode.step(WATER["inertia"], m, q, 0.01)[0], expected[0])


def test_large_arrays_are_not_copied(random):
    """Zero copy in and out: with out=, no array of the size of the states is allocated."""
    import tracemalloc

    momentum, attitude = random_states(random, 100_000)
    out = np.empty_like(momentum), np.empty_like(attitude)
    polhode.step(WATER["inertia"], momentum, attitude, 0.001, out=out)
    tracemalloc.start()
    polhode.step(WATER["inertia"], momentum, attitude, 0.001, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000


def test_attitudes_are_those_of_propagate(random):
    from scipy.spatial.transform import Rotation

    momentum, attitude = random_states(random, 5)
    rotations = polhode.to_rotation(attitude)
    expected = polhode.step(WATER["inertia"], momentum, attitude, 0.1)
    for given in (rotations, rotations.as_matrix()):
        m, q = polhode.step(WATER["inertia"], momentum, given, 0.1)
        np.testing.assert_array_equal(m, expected[0])
        np.testing.assert_allclose(polhode.to_rotation(q).as_matrix(), polhode.to_rotation(expected[1]).as_matrix(), atol=1e-15)
    one = Rotation.from_euler("z", 90, degrees=True)
    quaternion = polhode.from_rotation(one)
    np.testing.assert_array_equal(polhode.step([1, 2, 3], [1, 2, 3], one, 0.1)[1], polhode.step([1, 2, 3], [1, 2, 3], quaternion, 0.1)[1])
    with pytest.raises(polhode.InputError, match="entry 1, counted from 0: .*rotation"):
        polhode.step([1, 2, 3], np.ones((2, 3)), [np.eye(3), -np.eye(3)], 0.1)


def test_nine_numbers_for_three_bodies_are_not_guessed(random):
    momentum, attitude = random_states(random, 3)
    moments = [[3.0, 1.0, 0.5], [1.0, 4.0, 0.7], [0.5, 0.7, 5.0]]  # symmetric: a tensor, too
    with pytest.raises(polhode.InputError, match="one tensor or the moments of three bodies"):
        polhode.step(moments, momentum, attitude, 0.1)
    m, _ = polhode.step([moments], momentum, attitude, 0.1)
    np.testing.assert_array_equal(m[1], polhode.step(moments, momentum[1], attitude[1], 0.1)[0])
    m, _ = polhode.step([np.diag(x) for x in moments], momentum, attitude, 0.1)
    np.testing.assert_array_equal(m[1], polhode.step(moments[1], momentum[1], attitude[1], 0.1)[0])
    moments[0][1] = 1.5  # no tensor any more
    m, _ = polhode.step(moments, momentum, attitude, 0.1)
    for i in range(3):
        np.testing.assert_array_equal(m[i], polhode.step(moments[i], momentum[i], attitude[i], 0.1)[0])


LOST = [0.5, 0.2, 0.84], 10.0, "dmv10"  # dmv10 has no result for this state and step


def test_a_step_without_a_result_is_a_motion_error():
    momentum, step, method = LOST
    with pytest.raises(polhode.MotionError, match="^the state is not finite after step 3 of 3$"):
        polhode.step(WATER["inertia"], momentum, [1, 0, 0, 0], step, method, steps=3)
    with pytest.raises(polhode.MotionError, match="^the state is not finite after step 256 of 1000$"):
        polhode.step(WATER["inertia"], momentum, [1, 0, 0, 0], step, method, steps=1000)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_body_without_a_result_is_named_and_out_stays(threads):
    momentum, step, method = LOST
    momenta, attitudes = np.tile([1e-3, 2e-3, 1e-3], (900, 1)), np.tile([1.0, 0, 0, 0], (900, 1))
    moved = polhode.step(WATER["inertia"], momenta, attitudes, step, method, threads=threads)
    out = np.empty((900, 3)), np.empty((900, 4))
    assert polhode.step(WATER["inertia"], momenta, attitudes, step, method, threads=threads, out=out)[0] is out[0]
    np.testing.assert_array_equal(out[0], moved[0])
    np.testing.assert_array_equal(out[1], moved[1])
    momenta[[500, 700]] = momentum
    before = momenta.copy(), attitudes.copy()
    with pytest.raises(polhode.MotionError, match="entry 500, counted from 0: the state is not finite after step 1 of 1"):
        polhode.step(WATER["inertia"], momenta, attitudes, step, method, threads=threads, out=(momenta, attitudes))
    np.testing.assert_array_equal(momenta, before[0])
    np.testing.assert_array_equal(attitudes, before[1])


class Unshown:
    def __repr__(self):
        raise ValueError("nothing to be seen")


class Interrupted:
    def __float__(self):
        raise KeyboardInterrupt

    __index__ = __float__


@pytest.mark.parametrize("keywords", [dict(step=Interrupted()), dict(step=0.1, steps=Interrupted()), dict(step=0.1, threads=Interrupted())])
def test_what_an_argument_raises_arrives_as_it_is(keywords):
    with pytest.raises(KeyboardInterrupt):
        polhode.step([1, 2, 3], [1, 2, 3], [1, 0, 0, 0], **keywords)


@pytest.mark.parametrize("arguments, keywords, sentence", [
    (([1, 2, 3], [1, 2, 3], [1, 0, 0, 0]), {}, "needs step"),
    (([1, 2, 3],), {"step": 0.1}, "needs momentum"),
    (([1, 2, 3], [1, 2, 3], [1, 0, 0, 0], 0.1, "exact", 5), {}, "steps, threads, out and the options have names"),
    (([1, 2, 3], [1, 2, 3], [1, 0, 0, 0], 0.1), {"momentum": [1, 2, 3]}, "momentum twice"),
    (([1, 2, 3], [1, 2, 3], [1, 0, 0, 0], 0.1, "exact"), {"method": "mr"}, "method twice"),
])
def test_a_call_that_does_not_fit_is_a_type_error_in_a_sentence(arguments, keywords, sentence):
    with pytest.raises(TypeError, match=sentence) as caught:
        polhode.step(*arguments, **keywords)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("keywords, sentence", [
    (dict(step="0.1"), "the step must be a number, not '0.1'"), (dict(step=None), "the step must be a number, not None"),
    (dict(steps=2.5), "steps must be an integer, not 2.5"), (dict(steps=True), "steps must be an integer, not True"),
    (dict(steps=2**70), "steps is an integer of more than 64 bits"), (dict(threads="2"), "threads must be an integer, not '2'"),
    (dict(method=3), "method must be the name of a method"), (dict(compensated="no"), "compensated must be True or False"),
    (dict(method="frb-matrix", quadrature=3.5), "quadrature must be an integer, not 3.5"),
    (dict(method="frb-matrix", quadrature=2**40), "quadrature is too large"),
    (dict(attitude=np.tile([1.0, 0, 0, 0], (4, 1))), "one momentum for 4 attitudes: give momentum"),
    (dict(step=10**400), "^the step is too large$"), (dict(step=10**5000), "^the step is too large$"),
    (dict(steps=10**5000), "steps is an integer of more than 64 bits"),
    (dict(step=Unshown()), "the step must be a number, not Unshown"), (dict(steps=Unshown()), "steps must be an integer, not Unshown"),
])
def test_arguments_of_another_kind_are_refused_in_a_sentence(keywords, sentence):
    with pytest.raises(polhode.InputError, match=sentence.replace("(", r"\(")):
        polhode.step(**{**dict(inertia=[1, 2, 3], momentum=[1, 2, 3], attitude=[1, 0, 0, 0], step=0.1), **keywords})


@pytest.mark.parametrize("count", [1, 5, 300])
def test_pieces_of_many_steps_have_the_bits_of_one_call(random, count):
    """Beyond 256 steps signals are looked for between pieces."""
    momentum, attitude = random_states(random, count)
    body = polhode.Body(WATER["inertia"])
    for given in (body, WATER["inertia"]):
        m, q = polhode.step(given, momentum, attitude, 0.01, steps=1500)
        reference = one_by_one(WATER["inertia"], momentum[:5], attitude[:5], 0.01, 1500)
        np.testing.assert_array_equal(m[:5], reference[0])
        np.testing.assert_array_equal(q[:5], reference[1])


def test_places_that_overlap(random):
    """Numbers that are read are not written over before; results that would be written over each other are refused."""
    momentum, attitude = random_states(random, 100)
    reference = polhode.step(WATER["inertia"], momentum, attitude, 0.01)
    for steps in (1, 300):
        expected = polhode.step(WATER["inertia"], momentum, attitude, 0.01, steps=steps)
        for shift in (0, 3, 12):
            place = np.zeros(500)
            given = place[shift:shift + 300].reshape(100, 3)
            given[:] = momentum
            out = np.empty((100, 3)), place[:400].reshape(100, 4)
            m, q = polhode.step(WATER["inertia"], given, attitude, 0.01, steps=steps, out=out)
            np.testing.assert_array_equal(m, expected[0])
            np.testing.assert_array_equal(q, expected[1])
    place = np.zeros(600)
    with pytest.raises(polhode.InputError, match="the two arrays of out share memory"):
        polhode.step(WATER["inertia"], momentum, attitude, 0.01, out=(place[:300].reshape(100, 3), place[200:].reshape(100, 4)))
    np.testing.assert_array_equal(polhode.step(WATER["inertia"], momentum, attitude, 0.01, out=(momentum, attitude))[0], reference[0])
