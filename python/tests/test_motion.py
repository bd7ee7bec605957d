"""Body, Trajectory, tangent maps, results, conversions."""
import sys

import numpy as np
import pytest
from conftest import SOURCE, WATER
from scipy.integrate import solve_ivp

import polhode

TENSOR = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])


def test_body():
    body = polhode.Body(TENSOR)
    np.testing.assert_allclose(body.moments, np.linalg.eigvalsh(TENSOR), rtol=1e-15)
    np.testing.assert_allclose(body.axes.T @ np.diag(body.moments) @ body.axes, TENSOR, atol=1e-15)
    np.testing.assert_allclose(body.tensor, TENSOR, atol=1e-15)
    np.testing.assert_array_equal(body.inertia, TENSOR)
    assert np.linalg.det(body.axes) > 0 and body.warning is None
    assert repr(polhode.Body([3, 1, 2])) == "Body(moments=[1.0, 2.0, 3.0], turned)"
    assert repr(polhode.Body([1, 2, 3])) == "Body(moments=[1.0, 2.0, 3.0])"
    with pytest.raises(ValueError):
        body.inertia[0, 0] = 5


def test_trajectory_passes_through_every_step():
    run = polhode.propagate(**WATER, attitude=[0.6, 0.8, 0, 0], step=0.125, steps=800)
    free = polhode.Trajectory(**WATER, attitude=[0.6, 0.8, 0, 0])
    momentum, attitude = free.at(run.t)
    assert np.abs(momentum - run.momentum).max() < 2e-14
    assert np.abs(attitude - run.attitude).max() < 2e-14
    np.testing.assert_array_equal(free.at(run.t, threads=3)[1], attitude)
    np.testing.assert_array_equal(free.momentum(run.t), momentum)
    np.testing.assert_array_equal(free.attitude(run.t.reshape(-1, 9, 1)[..., 0] if len(run) % 9 == 0 else run.t)
                                  .reshape(-1, 4), attitude)
    assert np.abs(free.momentum(1e6 * free.period) - WATER["momentum"]).max() < 1e-9  # a period has 16 digits
    assert free.at(0.0)[0].shape == (3,) and free.at(np.zeros((2, 5)))[1].shape == (2, 5, 4)
    with pytest.raises(polhode.InputError, match="not a finite number"):
        free.at([0.0, np.nan])


def test_trajectory_takes_states_as_propagate_does():
    from scipy.spatial.transform import Rotation

    rotation = Rotation.from_euler("ZYX", [30, 20, 10], degrees=True)
    omega, times = [0.3, -0.2, 1.0], np.linspace(0.0, 20.0, 11)
    for inertia in (TENSOR, [2.0, 3.0, 4.0], [4.0, 2.0, 3.0], polhode.Body(TENSOR)):
        run = polhode.propagate(inertia=inertia, angular_velocity=omega, attitude=rotation, step=2.0, steps=10, every=1)
        for attitude in (rotation, rotation.as_matrix(), polhode.from_rotation(rotation)):
            free = polhode.Trajectory(inertia, angular_velocity=omega, attitude=attitude)
            np.testing.assert_array_equal(free.momentum(0.0), run.momentum[0])
            assert np.abs(free.momentum(times) - run.momentum).max() < 2e-14
            assert min(np.abs(free.attitude(times) - sign * run.attitude).max() for sign in (1, -1)) < 2e-14
    for wrong, sentence in ((dict(momentum=[1, 2, 3], angular_velocity=omega), "either a momentum or an angular velocity"),
                            ({}, "either a momentum or an angular velocity"),
                            (dict(angular_velocity=np.ones((2, 3))), "one angular_velocity, of the shape"),
                            (dict(momentum=[1, 2, 3], attitude=np.ones((2, 4))), "one attitude, of the shape")):
        with pytest.raises(polhode.InputError, match=sentence):
            polhode.Trajectory(TENSOR, **wrong)


def test_numbers_of_another_kind_are_refused_in_a_sentence():
    free = polhode.Trajectory(**WATER)
    m = WATER["momentum"]
    for call, sentence in ((lambda: polhode.tangent_map([1, 2, 3], m, "long"), "the step must be a number, not 'long'"),
                           (lambda: polhode.tangent_map([1, 2, 3], m, 0.1, threads=1.5), "threads must be an integer, not 1.5"),
                           (lambda: free.at(1.0, threads=None), "threads must be an integer, not None"),
                           (lambda: polhode.lyapunov_exponent([1, 2, 3], m, 0.1, 2**70), "steps is an integer of more than 64 bits"),
                           (lambda: polhode.lyapunov_exponents([1, 2, 3], m, 0.1, 10, looks=2**70), "looks is an integer of more than")):
        with pytest.raises(polhode.InputError, match=sentence):
            call()


def test_trajectory_solves_the_equations():
    inverse = np.linalg.inv(TENSOR)

    def rates(t, y):
        omega = inverse @ y[:3]
        w, x, y_, z = y[3:]
        q = 0.5 * np.array([[-x, -y_, -z], [w, -z, y_], [z, w, -x], [-y_, x, w]]) @ omega
        return np.concatenate([np.cross(y[:3], omega), q])

    solution = solve_ivp(rates, (0, 10), [1, 2, 3, 1, 0, 0, 0], method="DOP853", rtol=1e-13, atol=1e-14)
    momentum, attitude = polhode.Trajectory(TENSOR, [1, 2, 3]).at(10.0)
    assert np.abs(solution.y[:3, -1] - momentum).max() < 1e-11
    assert np.abs(solution.y[3:, -1] - attitude).max() < 1e-11


def test_tangent_map_is_the_derivative():
    momentum, h, small = np.array([1.0, 2.0, 3.0]), 0.7, 1e-6
    tangent = polhode.tangent_map(TENSOR, momentum, h)

    def end(m):
        return polhode.Trajectory(TENSOR, m).momentum(h)

    differences = np.array([(end(momentum + small * e) - end(momentum - small * e)) / (2 * small) for e in np.eye(3)]).T
    assert np.abs(tangent.momentum_by_momentum - differences).max() < 1e-9
    np.testing.assert_array_equal(tangent.matrix(), polhode.state_transition(TENSOR, momentum, h))
    many = polhode.tangent_map(TENSOR, np.tile(momentum, (4, 1)), h, threads=2)
    np.testing.assert_array_equal(many.matrix()[3], tangent.matrix())


def test_the_asteroid_has_the_periods_of_toutatis():
    run = polhode.load(SOURCE / "examples" / "asteroid-tumbling.toml").run({"method.duration": 600})
    inertia = run.momentum[0] / run.angular_velocity[0]
    free = polhode.Trajectory(inertia, run.momentum[0])
    day, size = 86400.0, np.linalg.norm(run.momentum[0])
    assert abs(free.period / day - 5.38) < 0.03
    # The rate at which the long axis, the first, goes round the momentum, over a period.
    _, across = np.split(free.momentum(np.linspace(0, free.period, 2000, endpoint=False)), [1], axis=1)
    rate = size * np.mean(across**2 @ (1 / inertia[1:]) / np.sum(across**2, axis=1))
    assert abs(2 * np.pi / rate / day - 7.40) < 0.03
    # The same from the attitudes of 20 periods.
    attitude = polhode.to_rotation(free.attitude(np.linspace(0, 20 * free.period, 2001)))
    momentum = attitude[0].apply(run.momentum[0]) / size
    axis = attitude.apply([1.0, 0.0, 0.0])
    side = np.cross(momentum, [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    angle = np.unwrap(np.arctan2(axis @ np.cross(momentum, side), axis @ side))
    assert abs((angle[-1] - angle[0]) / (20 * free.period) - rate) < 1e-9 * rate


def test_lyapunov_exponent_of_a_stable_spin_is_zero():
    # Linear growth, log(t)/t, is all there is.
    assert 0 < polhode.lyapunov_exponent([1, 2, 3], [1e-3, 1e-3, 1.0], 1.0, 1000) < 0.02
    with pytest.raises(polhode.InputError, match="at least one"):
        polhode.lyapunov_exponent([1, 2, 3], [1, 2, 3], 0.1, 0)


def test_rotations_of_scipy_are_scalar_last():
    run = polhode.propagate(**WATER, attitude=[0.5, -0.1, 0.3, np.sqrt(0.65)], step=0.1, steps=50, every=1)
    rotations = run.rotations()
    np.testing.assert_allclose(rotations.as_quat()[:, 3], run.attitude[:, 0], rtol=1e-15)
    # Body to space: the rotation turns the momentum into the constant one of space.
    spatial = rotations.apply(run.momentum)
    assert np.abs(spatial - spatial[0]).max() < 1e-14
    np.testing.assert_allclose(polhode.from_rotation(rotations), run.attitude, rtol=1e-14)
    one = rotations[7]
    again = polhode.propagate(inertia=WATER["inertia"], momentum=run.momentum[7], attitude=one, step=0.1, steps=1)
    np.testing.assert_allclose(again.attitude[0], run.attitude[7], rtol=1e-14)


def test_result():
    run = polhode.propagate(**WATER, step=0.01, steps=100)
    assert repr(run) == "Result(free-body, exact: 100 steps of 0.01, to time 1.0; 11 rows)"
    assert run.final["t"] == 1.0 and set(run.errors) == {"energy", "momentum_norm", "spatial_momentum"}
    assert run.errors["spatial_momentum"]["max"] >= np.linalg.norm(run.errors["spatial_momentum"]["final"])
    assert "momentum" in dir(run) and list(run)[0] == "t" and "body frame" in run.meaning("momentum")
    assert "kind = \"free-body\"" in run.scenario
    again = polhode.Scenario(run.scenario).run(every=10)
    np.testing.assert_array_equal(again.attitude, run.attitude)
    with pytest.raises(AttributeError, match="has no quantity 'position'"):
        run.position


def test_pandas_and_xarray_where_they_are_installed():
    run = polhode.propagate(**WATER, step=0.01, steps=100)
    for name, convert in (("pandas", run.to_pandas), ("xarray", run.to_xarray)):
        try:
            __import__(name)
        except ImportError:
            with pytest.raises(ImportError, match=f"needs {name}, which is not installed"):
                convert()
        else:
            assert len(convert()["energy_error"]) == 11


class StandIn:
    """A package that notes what it is given: the conversions are tested where the packages are not installed."""

    class DataFrame:
        def __init__(self, columns, index):
            self.columns, self.index, self.attrs = columns, index, {}

    class Index:
        def __init__(self, values, name):
            self.values, self.name = values, name

    class Dataset:
        def __init__(self, variables, coordinates, attributes):
            self.variables, self.coordinates, self.attributes = variables, coordinates, attributes


def test_what_pandas_and_xarray_are_given(monkeypatch, command):
    run = polhode.propagate(**WATER, step=0.01, steps=100)
    monkeypatch.setitem(sys.modules, "pandas", StandIn)
    monkeypatch.setitem(sys.modules, "xarray", StandIn)
    frame = run.to_pandas()
    assert ["t", *frame.columns] == list(command.rows(run.scenario, 10)) and frame.index.name == "t"
    data = run.to_xarray()
    assert data.variables["attitude"][0] == ("t", "quaternion") and data.coordinates["quaternion"].tolist() == [0, 1, 2, 3]
    assert data.variables["energy_error"][0] == ("t",) and data.coordinates["component"].tolist() == [1, 2, 3]
    run = polhode.System(lambda q: -q).run(position=[1.0], momentum=[0.0], step=0.1, steps=10)
    data = run.to_xarray()
    assert run.to_pandas().columns["position"].shape == (2,)
    assert data.variables["position"][0] == ("t", "position_component") and data.variables["position"][1].shape == (2, 1)


def test_reproduce(tmp_path):
    out = tmp_path / "out"
    verdicts = polhode.reproduce("safstrom-fig4", quick=True, out=out, threads=1)
    assert list(verdicts) == ["safstrom-fig4"] and (out / "report.html").exists()
    claims = {claim["claim"]: claim for claim in verdicts["safstrom-fig4"]["claims"]}
    assert claims["SEJ: energy error"]["pass"] and 1e-4 < float(claims["SEJ: energy error"]["measured"]) < 1e-2
    assert all(claim["pass"] for claim in claims.values()) and len(claims) >= 5
    for name in ("figure.svg", "figure.png", "data.csv", "verdict.json"):
        assert (out / "safstrom-fig4" / name).stat().st_size > 100, name


def test_reproduce_hands_over_to_the_command(monkeypatch, tmp_path):
    with pytest.raises(polhode.InputError, match="reproduce: there is no experiment of the name nothing"):
        polhode.reproduce("nothing")
    stand_in = tmp_path / "polhode"
    stand_in.write_text("""#!/bin/sh
echo "$@" > "$6.arguments"
mkdir -p "$6/vilmart-fig1"
echo '{"name": "vilmart-fig1", "claims": [{"claim": "small", "pass": false}]}' > "$6/vilmart-fig1/verdict.json"
exit 1
""", encoding="utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setenv("POLHODE_COMMAND", str(stand_in))
    out = tmp_path / "out"
    stand_in.write_text(stand_in.read_text().replace("$6", str(out)))
    verdicts = polhode.reproduce("vilmart-fig1", quick=True, out=out, threads=2)
    assert (tmp_path / "out.arguments").read_text().split() == [
        "reproduce", "vilmart-fig1", "--out", str(out), "--quick", "--threads", "2"]
    assert verdicts["vilmart-fig1"]["claims"][0]["pass"] is False
