"""Doubtful input is said where a user sees it: a warning at the line of the call, in the result, in its repr."""
import warnings

import numpy as np
import pytest

import polhode

STATE = dict(inertia=[1.0, 2.0, 2.5], momentum=[0.1, 0.2, 1.0], step=0.1)
LONG = [2.0, 0.0, 0.0, 0.0]
SENTENCE = "the attitude has norm 2, not 1: taken as the rotation of the same direction"


def caught(call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = call()
    assert all(issubclass(w.category, polhode.InputWarning) for w in seen)
    return result, seen


@pytest.mark.parametrize("call", [
    lambda: polhode.propagate(**STATE, steps=3, attitude=LONG),
    lambda: polhode.propagate(**STATE, steps=3, attitude=LONG, torque=polhode.Damping(0.1)),
    lambda: polhode.derivatives(**STATE, steps=3, attitude=LONG),
    lambda: polhode.lyapunov_exponents(**STATE, steps=30, attitude=LONG),
], ids=["free", "driven", "derivatives", "exponents"])
def test_a_call_warns_at_the_line_of_the_caller(call):
    result, seen = caught(call)
    assert [str(w.message) for w in seen] == [SENTENCE]
    assert seen[0].filename == __file__
    if isinstance(result, polhode.Result):
        assert result.warnings == [SENTENCE] and repr(result).endswith("; 1 warning)")


def test_what_is_not_doubtful_is_silent():
    run, seen = caught(lambda: polhode.propagate(**STATE, steps=3))
    assert not seen and run.warnings == [] and "warning" not in repr(run)


def test_idealised_moments_stand_in_the_result_alone():
    run, seen = caught(lambda: polhode.propagate(**{**STATE, "inertia": [1.0, 2.0, 9.0]}, steps=3))
    assert not seen and len(run.warnings) == 1 and run.warnings[0].endswith("no distribution of mass has them")
    assert "warning" not in repr(run)


def test_a_batch_names_the_first_body_of_each_sentence():
    attitude = np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
    attitude[3] = LONG
    inertia = np.tile(STATE["inertia"], (5, 1))
    inertia[2] = [1.0, 2.0, 9.0]
    many = {**STATE, "momentum": np.tile(STATE["momentum"], (5, 1)), "attitude": attitude, "inertia": inertia, "steps": 3}
    run, seen = caught(lambda: polhode.propagate(**many))
    assert [str(w.message) for w in seen] == [f"body 3, counted from 0: {SENTENCE}"]
    assert seen[0].filename == __file__
    assert len(run.warnings) == 2 and run.warnings[0].startswith("body 2, counted from 0: ")
    assert repr(run).endswith("; 1 warning)")


def test_a_batch_of_one_body_is_warned_once():
    many = {**STATE, "momentum": np.tile(STATE["momentum"], (5, 1)), "inertia": [1.0, 2.0, 9.0], "steps": 3}
    run, _ = caught(lambda: polhode.propagate(**many))
    assert len(run.warnings) == 1 and run.warnings[0].endswith("no distribution of mass has them")


def test_a_batch_of_many_sentences_shows_the_first_ones():
    """Each has the number of its body in it."""
    count = 200
    own = [polhode.GravityGradient(mean_motion=1.0, inclination=98 + 1e-3 * i) for i in range(count)]
    many = {**STATE, "momentum": np.tile(STATE["momentum"], (count, 1)), "steps": 3}
    run, seen = caught(lambda: polhode.propagate(**many, torque=[own]))
    assert [str(w.message) for w in seen] == run.warnings and len(run.warnings) == 12
    assert run.warnings[0].startswith("torque") and "98" in run.warnings[0]  # of the first body, as it is alone
    assert all(one.startswith(f"body {i}, counted from 0: ") for i, one in enumerate(run.warnings[1:11], 1))
    assert run.warnings[11] == "more warnings of single bodies, which are left out: 189"


def test_a_scenario_shows_how_many():
    text = """[system]
kind = "free-body"
inertia = [1.0, 2.0, 2.5]
[state]
momentum = [0.1, 0.2, 1.0]
attitude = [2.0, 0.0, 0.0, 0.0]
[method]
name = "exact"
step = 0.1
steps = 3
"""
    scenario, seen = caught(lambda: polhode.Scenario(text))
    assert not seen and scenario.warnings == [SENTENCE] and repr(scenario).endswith("; 1 warning)")
    _, seen = caught(scenario.run)
    assert [str(w.message) for w in seen] == [SENTENCE] and seen[0].filename == __file__


def failing(q, t):
    raise RuntimeError("out of fuel")


@pytest.mark.parametrize("bodies", [1, 3])
def test_a_warning_does_not_hide_what_ended_a_run(bodies):
    state = {**STATE, "momentum": np.tile(STATE["momentum"], (bodies, 1))[:None if bodies > 1 else 1].squeeze()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeError, match="out of fuel") as caught_error:
            polhode.propagate(**state, steps=3, attitude=LONG, torque=failing)
    assert hasattr(caught_error.value, "polhode_result")


def test_a_file_is_written_before_a_warning_becomes_an_error(tmp_path):
    pytest.importorskip("h5py")
    for name in ("run.h5", "run.csv"):
        with warnings.catch_warnings():
            warnings.simplefilter("error", polhode.InputWarning)
            with pytest.raises(polhode.InputWarning):
                polhode.propagate(**STATE, steps=3, attitude=LONG, output=tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100


def test_a_warning_can_be_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error", polhode.InputWarning)
        with pytest.raises(polhode.InputWarning, match="norm 2"):
            polhode.propagate(**STATE, steps=3, attitude=LONG)
