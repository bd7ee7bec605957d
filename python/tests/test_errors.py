"""Wrong input is an InputError with the command's sentence; dtypes are converted or refused."""
import numpy as np
import pytest
from conftest import SOURCE, WATER

import polhode

RUN = dict(WATER, step=0.01, steps=10)
IDENTITY = [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("change,key", [
    ({"inertia": [1, 2, -3]}, "system.inertia=[1,2,-3]"),
    ({"inertia": [1, 2]}, "system.inertia=[1,2]"),
    ({"inertia": "abc"}, "system.inertia=abc"),
    ({"momentum": [1, 2, float("nan")]}, "state.momentum=[1,2,nan]"),
    ({"momentum": [1, 2]}, "state.momentum=[1,2]"),
    ({"attitude": [0, 0, 0, 0]}, "state.attitude=[0,0,0,0]"),
    ({"attitude": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}, "state.attitude=[[1,0,0],[0,1,0],[0,0,-1]]"),
    ({"step": 0.0}, "method.step=0.0"),
    ({"steps": -1}, "method.steps=-1"),
    ({"method": "exakt"}, "method.name=exakt"),
    ({"quadrature": 3}, "method.quadrature=3"),
    ({"method": "frb-matrix", "quadrature": 11}, "method.quadrature=11"),
    ({"method": "frb-matrix", "compensated": True}, "method.compensated=true"),
])
def test_the_sentences_are_those_of_the_command(command, change, key):
    with pytest.raises(polhode.InputError) as caught:
        polhode.propagate(**{**RUN, **change})
    file = command.folder / "x.toml"
    method = change.get("method", "exact") if "name" not in key else "exact"
    file.write_text(f"""[system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.84]
[method]
name = "{method}"
step = 0.01
steps = 10
""", encoding="utf-8")
    done = command("run", str(file), "--set", key)
    assert done.returncode == 2
    sentence = done.stderr.strip().removeprefix("polhode: ").removeprefix("--set: ").removeprefix(f"{file}: ")
    assert str(caught.value) == f"propagate: {sentence}"
    assert isinstance(caught.value, ValueError)


def test_files(tmp_path):
    for name, sentence in (("missing.toml", "missing.toml: cannot be read: No such file"), (".", "cannot be read: Is a dir")):
        with pytest.raises(polhode.InputError, match=sentence):
            polhode.load(tmp_path / name)
    (tmp_path / "bad.toml").write_text("[system\n", encoding="utf-8")
    with pytest.raises(polhode.InputError, match=r"bad\.toml:\d+:\d+: this is not TOML"):
        polhode.load(tmp_path / "bad.toml")
    with pytest.raises(polhode.InputError, match="--set: method.stepp: there is no such key"):
        polhode.load(SOURCE / "examples" / "water-molecule.toml", {"method.stepp": 1})
    with pytest.raises(polhode.InputError, match="csv"):
        polhode.propagate(**RUN, output=tmp_path / "run.txt")


def test_an_output_is_not_written_over_its_own_scenario(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """[system]
kind = "driven-body"
inertia = [1.0, 2.0, 2.5]
[state]
momentum = [0.5, 0.2, 0.84]
[method]
name = "splitting"
step = 0.01
steps = 10
[[torque]]
kind = "attracting-body"
gravitational_parameter = 1.0
table = "t.csv"
"""
    table = "\n".join(f"{t},2,0,0" for t in range(0, 12)) + "\n"
    for name in ("t.csv", "t.h5"):
        (tmp_path / name).write_text(table, encoding="utf-8")
        (tmp_path / "s.toml").write_text(text.replace("t.csv", name), encoding="utf-8")
        with pytest.raises(polhode.InputError, match="is a file that the scenario names"):
            polhode.load("s.toml").run(output=tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == table
        with pytest.raises(polhode.InputError, match="is a file that the scenario names"):
            polhode.propagate(**RUN, torque=polhode.AttractingBody(1.0, table=name), output=name)
    for name in ("a.csv", "a.h5"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(polhode.InputError, match="is the scenario itself"):
            polhode.load(name).run(output=name)
        assert (tmp_path / name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("every", [0, -1, 1.5, True])
def test_every_is_a_positive_integer(every):
    with pytest.raises(polhode.InputError, match="every must be"):
        polhode.propagate(**RUN, every=every)


def test_torques():
    with pytest.raises(polhode.InputError, match="torque must be None, a function"):
        polhode.propagate(**RUN, torque=5)
    with pytest.raises(polhode.InputError, match="no torque is given"):
        polhode.propagate(**RUN, scheme="strang")
    with pytest.raises(polhode.InputError, match='system.kind: there is no system "heavy-to"'):
        polhode.propagate(**RUN, torque="heavy-to", field=[0, 0, 1])
    with pytest.raises(polhode.InputError, match="system.field: is missing"):
        polhode.propagate(**RUN, torque="heavy-top")
    with pytest.raises(polhode.InputError, match='there is no scheme "strange"'):
        polhode.propagate(**RUN, torque=polhode.UniformField([0, 0, 1]), scheme="strange")
    with pytest.raises(polhode.InputError, match="not below 1"):
        polhode.propagate(**RUN, torque=polhode.GravityGradient(eccentricity=1.5))
    with pytest.raises(TypeError, match="unexpected keyword argument 'filed'"):
        polhode.propagate(**RUN, filed=3)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint64, ">f8", "<i4"])
def test_numbers_of_other_dtypes_are_converted(dtype):
    momentum, attitude = np.array([1, 2, 3], dtype), np.array([1, 0, 0, 0], dtype)
    expected = polhode.step([1, 2, 3], [1.0, 2.0, 3.0], IDENTITY, 0.01)
    np.testing.assert_array_equal(polhode.step(np.array([1, 2, 3], dtype), momentum, attitude, 0.01)[0], expected[0])
    run = polhode.propagate(inertia=[1, 2, 3], momentum=momentum, attitude=attitude, step=0.01, steps=1)
    np.testing.assert_array_equal(run.momentum[-1], expected[0])


@pytest.mark.parametrize("dtype,sentence", [
    (complex, "must be real, not complex128"), (object, "not of dtype object"), (bool, "not of dtype bool"),
    (np.longdouble, "more digits than are computed with"), ("U3", "not of dtype <U3"), ("M8[s]", "not of dtype datetime64"),
])
def test_what_is_no_float64_is_refused(dtype, sentence):
    momentum = np.array([1, 0, 1]).astype(dtype)
    for call in (lambda: polhode.step([1, 2, 3], momentum, IDENTITY, 0.01),
                 lambda: polhode.propagate(inertia=[1, 2, 3], momentum=momentum, step=0.01, steps=1),
                 lambda: polhode.Trajectory([1, 2, 3], momentum),
                 lambda: polhode.tangent_map([1, 2, 3], momentum, 0.1)):
        with pytest.raises(polhode.InputError, match=sentence):
            call()


def test_shapes_are_named():
    for call, sentence in (
            (lambda: polhode.step([1, 2, 3], [1, 2], IDENTITY, 0.1), r"momentum must have the shape \(3,\) or \(N, 3\), not \(2,\)"),
            (lambda: polhode.step([1, 2, 3], np.ones((5, 3)), np.ones((4, 4)), 0.1), r"\(5, 3\) and \(4, 4\)"),
            (lambda: polhode.step(np.ones((4, 3)), np.ones((5, 3)), np.ones((5, 4)), 0.1), "4 inertias for 5 states"),
            (lambda: polhode.step([1, 2], [1, 2, 3], IDENTITY, 0.1), r"3 principal moments.*\(2,\)"),
            (lambda: polhode.step([1, 2, 3], [[1, 2, 3], [1, 2]], IDENTITY, 0.1), "array of numbers"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, out=np.empty(3)), "pair of arrays"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, out=(np.empty(3), np.empty(3))), r"\(4,\), not \(3,\)"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, out=(np.empty(3, "f4"), np.empty(4))), "float64"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, "exakt"), "no method 'exakt'"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, threads=-1), "negative"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, float("inf")), "not a finite number"),
            (lambda: polhode.step([1, 2, 3], [1, 2, 3], IDENTITY, 0.1, quadrature=2), "has no such option"),
            (lambda: polhode.Trajectory([1, 2, 3], np.ones((2, 3))), "one momentum"),
            (lambda: polhode.Body([[1, 2, 3], [0, 1, 0], [0, 0, 1]]), "not symmetric")):
        with pytest.raises(polhode.InputError, match=sentence):
            call()


def test_the_entry_that_is_wrong_is_named():
    momentum, attitude = np.ones((1000, 3)), np.tile(IDENTITY, (1000, 1))
    momentum[777, 1] = np.inf
    for threads in (1, 4):
        with pytest.raises(polhode.InputError, match="entry 777, counted from 0: a component of the momentum"):
            polhode.step([1, 2, 3], momentum, attitude, 0.01, threads=threads)


def test_read_only_input_is_fine_and_read_only_output_is_not():
    momentum, attitude = np.ones((10, 3)), np.tile(IDENTITY, (10, 1))
    momentum.flags.writeable = attitude.flags.writeable = False
    polhode.step([1, 2, 3], momentum, attitude, 0.01)
    with pytest.raises(polhode.InputError, match="read-only"):
        polhode.step([1, 2, 3], momentum, attitude, 0.01, out=(momentum, attitude))
