"""Splitting schemes by their coefficients: the bits of those that have a name, and what is refused."""
from decimal import Decimal

import numpy as np
import pytest

import polhode

TOP = dict(inertia=[1, 1.5, 0.5], momentum=[0.2, 0.1, 5], step=0.05, steps=200)
S6 = dict(a=[0.0792036964311957, 0.353172906049774, -0.0420650803577195], b=[0.209515106613362, -0.143851773179818])
RKN = dict(a=[0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071477, -0.130144459517415,
              0.106417700369543, -0.00879424312851058],
           b=[0.09171915262446165, 0.183983170005006, -0.05653436583288827, 0.004914688774712854, 0.143761127168358,
              0.328567693746804])
KICK_FIRST = dict(a=[0, 0.245298957184271, 0.604872665711080],
                  b=[0.0829844064174052, 0.396309801498368, -0.0390563049223486])
GAUSS = dict(a=["0.06943184420297371238802675555359524745214", "0.2605776340045981552106403648947824089476"],
             b=["0.1739274225687269286865319746109997036177"])
FIELD = polhode.UniformField([0.3, 0, 1])


def moved(scheme, torque=FIELD, **others):
    return polhode.propagate(**TOP, torque=torque, scheme=scheme, **others)


@pytest.mark.parametrize("own, name", [(S6, "blanes-moan-4"), (RKN, "rkn6-14"), (KICK_FIRST, "rkn4-6"), (GAUSS, "aba-8-2")])
def test_has_the_bits_of_the_name(own, name):
    named = moved(name)
    arrays = {key: np.array(value) for key, value in own.items() if not isinstance(value[0], str)} or own
    for scheme in (own, polhode.Scheme(**own), polhode.Scheme(own["a"], tuple(own["b"])), arrays):
        run = moved(scheme)
        assert (run.attitude == named.attitude).all()
        assert (run.momentum == named.momentum).all()
    for free in ("dmv10", "mr"):
        assert (moved(own, free=free).attitude == moved(name, free=free).attitude).all()


def test_torques_in_python_and_overrides_take_it():
    def torque(q, t):
        return [0.1, 0.2, -0.1 * t]

    scheme = polhode.Scheme(**S6)
    assert (moved(scheme, torque).attitude == moved("blanes-moan-4", torque).attitude).all()
    top = polhode.Scenario("""
        [system]
        kind = "heavy-top"
        inertia = [1, 1, 0.5]
        field = [0, 0, 1]
        [state]
        momentum = [0, 0.1, 5]
        [method]
        name = "splitting"
        step = 0.05
        steps = 100
        """)
    own, named = top.run({"method.scheme": scheme}), top.run({"method.scheme": "blanes-moan-4"})
    assert (own.attitude == named.attitude).all()
    assert (polhode.Scenario(own.scenario).run().attitude == named.attitude).all()


def test_decimals_keep_their_digits():
    exact = {key: [Decimal(text) for text in value] for key, value in GAUSS.items()}
    scheme = polhode.Scheme(**exact)
    assert dict(scheme) == GAUSS
    assert (moved(scheme).attitude == moved("aba-8-2").attitude).all()
    assert polhode.Scheme(a=[Decimal("1e-3")], b=[]).a == ["0.001"]


@pytest.mark.parametrize("own, name", [(S6, "blanes-moan-4"), (RKN, "rkn6-14"), (GAUSS, "aba-8-2")])
def test_figures_are_those_of_the_list(own, name):
    listed = next(scheme for scheme in polhode.catalogue("schemes") if scheme["name"] == name)
    scheme = polhode.Scheme(**own)
    assert (scheme.order, scheme.stages, scheme.nystrom) == (listed["order"], listed["stages"], listed["nystrom"])
    assert scheme.effective_error == listed["effective_error"]
    assert scheme.effective_error_nystrom <= scheme.effective_error


def test_published_effective_error():
    assert round(polhode.Scheme(**RKN).effective_error, 2) == 0.63  # [CZ08, appendix]
    kick_first = polhode.Scheme(**KICK_FIRST)
    assert (kick_first.order, kick_first.stages) == (4, 6)
    assert round(kick_first.effective_error_nystrom, 4) == 0.2911


@pytest.mark.parametrize("a, b, sentence", [
    ([], [], "scheme: a scheme needs at least one coefficient a"),
    ([0.1, 0.2, 0.3], [0.1], "scheme: a scheme has as many coefficients a as b, or one more, not 3 and 1: the last of each is "
                             "left out"),
    ([0.1, float("nan")], [0.1], "scheme: a[1] must be a finite number, or a text of digits without an exponent, "
                                 "not 'nan'"),
    ([0.1], [11], "scheme: b[0] must be at most 10 in size, not '11'"),
    ([3, 4], [0.1], "scheme: the coefficients a leave -13.000000 for the last one, which must be at most 10 in size"),
    ([0.1, True], [0.1], "scheme.a: entry [1] must be a number, or its digits as a string, not true"),
    (0.1, [0.1], "scheme.a: must be an array of numbers, not 0.1"),
    ([0.1], [1j], "Scheme.b must be real, not complex: take its real part if that is meant"),
    (["0.1x"], [], "scheme: a[0] must be a finite number, or a text of digits without an exponent, not '0.1x'"),
])
def test_wrong_input_is_one_sentence(a, b, sentence):
    with pytest.raises(polhode.InputError) as caught:
        polhode.Scheme(a, b)
    assert str(caught.value) == sentence


def test_wrong_tables_are_refused_by_propagate():
    with pytest.raises(polhode.InputError, match="method.scheme.b: is missing"):
        moved({"a": [0.1]})
    with pytest.raises(polhode.InputError, match="method.scheme.c: there is no such key"):
        moved({"a": [0.1], "b": [], "c": []})
    with pytest.raises(polhode.InputError, match="scheme and free belong to a body under torque"):
        polhode.propagate(**TOP, scheme=S6)


def test_is_a_table_of_two_lists():
    scheme = polhode.Scheme(**S6)
    assert dict(scheme) == S6 and len(scheme) == 2
    with pytest.raises(KeyError):
        scheme["c"]
    assert repr(scheme) == "Scheme(order 4, 6 kicks, effective error 0.5593)"
