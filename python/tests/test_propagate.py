"""Runs from Python are those of the command, bit for bit."""
import time

import numpy as np
import pytest
from conftest import SOURCE, WATER

import polhode

EXAMPLES = SOURCE / "examples"


def assert_same_bits(run: polhode.Result, rows: dict) -> None:
    """Every column of the command's file is a column of the result."""
    seen = 0
    for name, column in rows.items():
        if name in run.quantities:
            ours = run[name]
        else:
            stem, _, index = name.rpartition("_")
            ours = run[stem][:, int(index) - (0 if stem == "attitude" else 1)]
        np.testing.assert_array_equal(ours, column, err_msg=name)
        seen += 1
    assert seen == len(rows) >= 8


def options() -> list:
    result = []
    for method in polhode.catalogue("methods"):
        if "free-body" not in method["systems"]:
            continue
        result.append((method["name"], {}))
        result += [(method["name"], {"compensated": False})] if method["compensated"] else []
        result += [(method["name"], {o["name"]: o["largest"]}) for o in method["options"]]
    return result


@pytest.mark.parametrize("method,keywords", options())
def test_every_method_has_the_bits_of_the_command(command, method, keywords):
    attitude = [0.5, -0.1, 0.3, 0.8]
    run = polhode.propagate(**WATER, attitude=attitude, step=0.013, steps=1234, every=100, method=method, **keywords)
    lines = "".join(f"{key} = {str(value).lower()}\n" for key, value in keywords.items())
    rows = command.rows(f"""[system]
kind = "free-body"
inertia = {WATER["inertia"]}
[state]
momentum = {WATER["momentum"]}
attitude = {attitude}
[method]
name = "{method}"
step = 0.013
steps = 1234
{lines}""", 100)
    assert len(run) == 14  # every hundredth step and the last
    assert_same_bits(run, rows)


TOP = dict(inertia=[[1.0, 0.1, 0.0], [0.1, 1.2, 0.2], [0.0, 0.2, 0.7]], angular_velocity=[0.1, 0.3, 2.0])


@pytest.mark.parametrize("torque,system", [
    (polhode.UniformField([0.1, 0, 1]), 'kind = "heavy-top"\nfield = [0.1, 0, 1]'),
    (polhode.Dipole([0.3, 0.1, 0.2], field=[0, 0, 1], swing=[0, 0, 0.5], frequency=1.7),
     'kind = "dipole"\ndipole = [0.3, 0.1, 0.2]\nfield = [0, 0, 1]\nswing = [0, 0, 0.5]\nfrequency = 1.7'),
    (polhode.GravityGradient(mean_motion=0.9, eccentricity=0.2, inclination=0.4),
     'kind = "satellite"\norbit = {mean_motion = 0.9, eccentricity = 0.2, inclination = 0.4}'),
])
@pytest.mark.parametrize("keywords,method", [
    ({}, 'name = "splitting"'),
    ({"scheme": "rkn6-14", "method": "dmv10"}, 'name = "splitting"\nscheme = "rkn6-14"\nfree = "dmv10"'),
    ({"method": "frb-quaternion", "quadrature": 5}, 'name = "splitting"\nfree = "frb-quaternion"\nquadrature = 5'),
    ({"method": "sej"}, 'name = "sej"'), ({"method": "mr"}, 'name = "mr"'), ({"method": "rk4"}, 'name = "rk4"'),
])
def test_named_torques_have_the_bits_of_the_command(command, torque, system, keywords, method):
    run = polhode.propagate(**TOP, step=0.02, duration=10.0, every=50, torque=torque, **keywords)
    rows = command.rows(f"""[system]
inertia = {TOP["inertia"]}
{system}
[state]
angular_velocity = {TOP["angular_velocity"]}
[method]
{method}
step = 0.02
duration = 10.0
""", 50)
    assert_same_bits(run, rows)


@pytest.mark.parametrize("name", ["water-molecule", "full-tensor", "lagrange-top", "satellite-eccentric"])
def test_a_scenario_file_runs_as_the_command_runs_it(command, name):
    file = SOURCE / "examples" / f"{name}.toml"
    run = polhode.load(file, {"method.steps": 2000, "method.duration": None} if name == "nothing" else None).run(
        output=str(command.folder / "python.csv"))
    summary = command.summary(file, "--output", str(command.folder / "command.csv"))
    assert run.steps == summary["steps"] and run.t[-1] == summary["time"]
    for quantity, value in summary["final"].items():
        np.testing.assert_array_equal(run[quantity][-1], value, err_msg=quantity)
    for invariant, error in summary["errors"].items():
        if "final" in error:
            np.testing.assert_array_equal(run[f"{invariant}_error"][-1], error["final"], err_msg=invariant)
    ours, theirs = ((command.folder / f"{who}.csv").read_bytes() for who in ("python", "command"))
    assert ours == theirs


def test_overrides_are_those_of_the_command(command):
    file = SOURCE / "examples" / "water-molecule.toml"
    settings = {"method.name": "dmv6", "method.steps": 500, "state.momentum": np.array([0.1, 0.2, 0.3])}
    run = polhode.load(file).run(settings, every=100)
    summary = command.summary(file, "--set", "method.name=dmv6", "--set", "method.steps=500", "--set",
                              "state.momentum=[0.1,0.2,0.3]")
    np.testing.assert_array_equal(run.momentum[-1], summary["final"]["momentum"])


def test_a_run_may_be_told_in_other_words():
    run = polhode.propagate(**WATER, step=0.01, steps=100)
    for other in (dict(WATER, inertia=polhode.Body(WATER["inertia"])), dict(WATER, inertia=np.diag(WATER["inertia"])),
                  dict(WATER, momentum=np.array(WATER["momentum"])), dict(WATER, attitude=np.eye(3)),
                  dict(WATER, attitude=(1, 0, 0, 0))):
        np.testing.assert_array_equal(polhode.propagate(**other, step=0.01, duration=1.0).attitude, run.attitude)


def test_a_turned_body_keeps_its_bits():
    tensor = np.array(TOP["inertia"])
    plain = polhode.propagate(inertia=tensor, momentum=[1, 2, 3], step=0.1, steps=10)
    given = polhode.propagate(inertia=polhode.Body(tensor), momentum=[1, 2, 3], step=0.1, steps=10)
    np.testing.assert_array_equal(plain.momentum, given.momentum)


def test_backwards_in_time():
    there = polhode.propagate(**WATER, step=0.01, steps=1000)
    back = polhode.propagate(inertia=WATER["inertia"], momentum=there.momentum[-1], attitude=there.attitude[-1],
                             step=-0.01, steps=1000)
    assert np.abs(back.momentum[-1] - WATER["momentum"]).max() < 1e-15


def test_rows():
    run = polhode.propagate(**WATER, step=0.5, steps=7, every=3)
    assert run.t.tolist() == [0.0, 1.5, 3.0, 3.5]
    assert run.every == 3 and run.complete and run.method == "exact"
    assert polhode.propagate(**WATER, step=0.5, steps=7, every=2**62).t.tolist() == [0.0, 3.5]
    assert run.warnings == [polhode.Body(WATER["inertia"]).warning]


def test_output_files(tmp_path):
    h5py = pytest.importorskip("h5py")
    run = polhode.propagate(**WATER, step=0.01, steps=1000, output=tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        names = []
        file.visit(names.append)
        data = next(np.array(file[n]) for n in names if n.split("/")[-1] == "attitude")
    np.testing.assert_array_equal(data, run.attitude)


def test_a_trajectory_of_molecules_in_xyz(tmp_path):
    few = {"state.equilibration": 20, "method.steps": 10}
    cluster = polhode.load(EXAMPLES / "water-cluster.toml", few)
    run = cluster.run(every=5, output=tmp_path / "run.xyz")
    lines = (tmp_path / "run.xyz").read_text().splitlines()
    atoms = int(lines[0])
    assert len(run) == 3 and len(lines) == 3 * (atoms + 2)
    with pytest.raises(polhode.InputError, match="the system free-body has none"):
        polhode.propagate(**WATER, step=0.01, steps=10, output=tmp_path / "a.xyz")
    assert not (tmp_path / "a.xyz").exists()


def test_extended_bodies_have_columns_of_their_own():
    pair = polhode.load(EXAMPLES / "binary-asteroid.toml", {"method.duration": 10.0})
    run = pair.run(every=4)
    assert run.primary_position.shape == run.secondary_velocity.shape == (11, 3)
    assert run.secondary_attitude.shape == (11, 4)
    apart = np.linalg.norm(run.primary_position - run.secondary_position, axis=1)
    np.testing.assert_allclose(run.least_distance, apart, rtol=1e-15)
    assert np.abs(run.angular_momentum_error).max() < 1e-17
    with pytest.raises(polhode.InputError, match=r"body\[1\].mass: must be positive"):
        polhode.Scenario(pair.source.replace("0.0929", "-0.0929"))


def test_a_scenario_is_examined_without_its_equilibration():
    """5000 steps of equilibration would take seconds; building takes none of them."""
    start = time.perf_counter()
    polhode.load(EXAMPLES / "water-box.toml", {"state.equilibration": 10_000_000})
    assert time.perf_counter() - start < 5


def test_two_of_step_steps_and_duration():
    body = dict(inertia=[1, 2, 3], momentum=[0.1, 1, 0.2])
    runs = [polhode.propagate(**body, **two) for two in (dict(step=0.1, steps=10), dict(step=0.1, duration=1.0),
                                                         dict(steps=10, duration=1.0))]
    assert all(run.step == 0.1 and run.steps == 10 for run in runs)
    for wrong, sentence in ((dict(steps=10), "method.step: is missing"), (dict(step=0.1), "method.steps: is missing"),
                            (dict(step=0.1, steps=10, duration=1.0), "both given"), (dict(times=[0.0, 1.0]), "step is missing")):
        with pytest.raises(polhode.InputError, match=sentence):
            polhode.propagate(**body, **wrong)


def test_angles_in_degrees_are_noticed():
    run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=[0, 0, 1], step=0.1, steps=10,
                            torque=polhode.GravityGradient(inclination=98))
    assert any("inclination" in sentence and "radians" in sentence for sentence in run.warnings)


def test_torques_describe_themselves():
    field = polhode.UniformField([0, 0, 1])
    assert repr(field) == "UniformField(field=[0, 0, 1])" and field.arm is None
    assert "field" in polhode.UniformField.__doc__
    with pytest.raises(TypeError, match="UniformField: .*'field'"):
        polhode.UniformField()
    with pytest.raises(TypeError, match="GravityGradient: .*'inclinaton'"):
        polhode.GravityGradient(inclinaton=1)
