"""Systems in coordinates whose functions are Python's, against those that the command knows by name."""
import json
import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import polhode

HENON_HEILES = dict(position=[0.0, 0.1], momentum=[0.375, 0.125], step=0.05, steps=200)
SPHERICAL = dict(position=[1.0, 0.0, 0.0], momentum=[0.0, 0.8, 0.5], step=0.01, steps=300)



def toml(tables):
    """A scenario as text: numbers, texts and arrays are written in TOML as in JSON."""
    return "".join(
        f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items() if value is not None)
        for table, keys in tables.items())


def henon_heiles(**keywords) -> polhode.System:
    """In the order of operations of the core's."""

    def potential(q):
        x2, y2 = q[0] * q[0], q[1] * q[1]
        return 0.5 * (x2 + y2) + q[1] * (x2 - y2 / 3.0)

    return polhode.System(lambda q: [-q[0] * (1.0 + 2.0 * q[1]), q[1] * q[1] - q[1] - q[0] * q[0]],
                          potential=potential, **keywords)


def spherical_pendulum(**keywords) -> polhode.System:
    return polhode.System(force=lambda q: [0.0, 0.0, -1.0], potential=lambda q: q[2],
                          constraint=lambda q: [q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0],
                          jacobian=lambda q: 2.0 * q[None, :], **keywords)


def rod(**keywords) -> polhode.System:
    """The same pendulum by a constraint that is no polynomial."""
    return polhode.System(force=lambda q: [0.0, 0.0, -1.0], potential=lambda q: q[2],
                          constraint=lambda q: np.sqrt(q @ q) - 1.0, jacobian=lambda q: q / np.sqrt(q @ q), **keywords)


def named(kind, position, momentum, method, *, step, steps, **options) -> polhode.Result:
    tables = {"system": {"kind": kind}, "state": {"position": position, "momentum": momentum},
              "method": {"name": method, "step": step, "steps": steps, **options}}
    return polhode.Scenario(toml(tables)).run(every=10)


def assert_same_bits(own: polhode.Result, known: polhode.Result) -> None:
    for name in ("t", "position", "momentum", "energy_error"):
        np.testing.assert_array_equal(own[name].ravel(), known[name].ravel(), err_msg=name)
    assert own.force_evaluations == known.force_evaluations
    assert own.constraint_evaluations == known.constraint_evaluations
    assert own.constraint_max == known.constraint_max
    assert own.details == known.details


@pytest.mark.parametrize("method,options", [
    ("sy8", {}), ("sy8", {"precision": "double"}), ("sy8", {"precision": "double-double"}), ("sy8", {"form": "naive"}),
    ("sy4", {"force_sum": "rounded"}), ("multistep", {"roots": [-0.8, -0.4, 0.7]}), ("rattle", {}),
    ("sy8", {"form": "summed"}), ("sy8", {"momentum_formula": "differences"}), ("sy8", {"start": "gauss"}),
    ("sy8", {"force_sum": "rounded", "compensation": "position"}),
    ("lobatto", {"stages": 4}), ("lobatto", {"precision": "double-double"}), ("gauss", {}),
    ("gauss", {"stages": 3, "precision": "double"}), ("gauss", {"stages": 4, "precision": "double-double"}),
])
def test_extended_functions_give_the_bits_of_the_command(method, options):
    own = henon_heiles(extended=True).run(**HENON_HEILES, method=method, **options)
    assert own.system == "python-system"
    assert_same_bits(own, named("henon-heiles", method=method, **HENON_HEILES, **options))


@pytest.mark.parametrize("method,options", [
    ("multistep", {"multipliers": "newton"}), ("multistep", {"multipliers": "newton", "constraint": "standard"}),
    ("sy6", {"multipliers": "newton", "constraint": "wide", "extrapolation": 2}),
    ("multistep", {"multipliers": "newton", "stopping": "tolerance", "tolerance": 1e-14, "apply_last": False}),
    ("multistep", {"multipliers": "newton", "precision": "double-double"}), ("rattle", {}),
    ("multistep", {"multipliers": "newton", "form": "summed", "start": "gauss", "momentum_formula": "staggered"}),
    ("lobatto", {"stages": 3, "precision": "double"}),
])
def test_extended_constraints_give_the_bits_of_the_command(method, options):
    own = spherical_pendulum(extended=True, quadratic=True).run(**SPHERICAL, method=method, **options)
    known = named("spherical-pendulum", method=method, **SPHERICAL, **options)
    assert_same_bits(own, known)
    assert own.constraint_residual.shape == (31, 1)


@pytest.mark.parametrize("method", ["rattle", "lobatto", "gauss"])
def test_without_a_starter_plain_functions_give_the_bits_of_the_command(method):
    """What a method steps from is float64 in any case; only the energy is known to fewer digits."""
    own = henon_heiles().run(**HENON_HEILES, method=method)
    known = named("henon-heiles", method=method, **HENON_HEILES)
    np.testing.assert_array_equal(own.position, known.position)
    np.testing.assert_array_equal(own.momentum, known.momentum)
    assert np.abs(own.energy_error - known.energy_error).max() < 4e-17  # measured 1.5e-17: an ulp of U


def test_the_pendulum_of_the_command():
    """libm's sine is that of the core."""
    def of(name):
        return lambda q: [-getattr(q[0], name)() if isinstance(q[0], polhode.DoubleDouble) else -getattr(math, name)(q[0])]

    start = dict(position=[0.0], momentum=[1.25], step=0.02, steps=200)
    system = polhode.System(of("sin"), potential=lambda q: of("cos")(q)[0], extended=True)
    for method in ("sy8", "gauss"):
        run = system.run(**start, method=method)
        assert_same_bits(run, named("pendulum", method=method, **start))
        assert run.position.shape == run.momentum.shape == (21, 1)


@pytest.mark.parametrize("system,method,bound,energy,residual", [
    # Largest distance to the motion in 31 digits, energy error (2.28e-13 of it is the method's) and residual, measured:
    # 1.1e-16, 2.28e-13 and 1.1e-19 for quadratic or extended constraints; 1.0e-15, 2.86e-13 and 2.4e-16 for others.
    (spherical_pendulum(quadratic=True), "multistep", 3e-16, 2.3e-13, 3e-19),
    (spherical_pendulum(), "multistep", 2.5e-15, 3.5e-13, 5e-16), (rod(), "multistep", 2.5e-15, 3.5e-13, 3e-16),
    (rod(extended=True), "multistep", 3e-16, 2.3e-13, 2e-19), (rod(), "rattle", 1.5e-15, 4.8e-5, 1e-16),
    (spherical_pendulum(quadratic=True), "rattle", 3e-16, 4.8e-5, 1e-19),
])
def test_how_many_digits_constraints_have(system, method, bound, energy, residual):
    start = {**SPHERICAL, "steps": 1000}
    exact = rod(extended=True).run(**start, method=method, precision="double-double")
    run = system.run(**start, method=method)
    assert np.abs(run.position - exact.position).max() < bound
    assert np.abs(run.energy_error).max() < energy
    assert np.abs(run.constraint_residual).max() < residual and run.constraint_max < residual
    assert np.abs(np.linalg.norm(run.position, axis=1) - 1).max() < 4e-16


def test_masses():
    """An oscillator of two coupled coordinates, whose normal modes are known."""
    mass, stiffness = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([[3.0, -1.0], [-1.0, 2.0]])
    q0, p0 = np.array([1.0, -0.5]), np.array([0.2, 0.3])
    system = polhode.System(gradient=lambda q: stiffness @ q, potential=lambda q: q @ stiffness @ q / 2, mass=mass)
    run = system.run(position=q0, momentum=p0, step=0.05, steps=400, method="gauss", stages=8)
    squares, modes = np.linalg.eig(np.linalg.solve(mass, stiffness))
    a, b = np.linalg.solve(modes, q0), np.linalg.solve(modes, np.linalg.solve(mass, p0)) / np.sqrt(squares)
    phase = np.outer(run.t, np.sqrt(squares))
    assert np.abs(run.position - (a * np.cos(phase) + b * np.sin(phase)) @ modes.T).max() < 7e-15  # measured 2.7e-15
    assert np.abs(run.energy_error).max() < 1.5e-15  # measured 6.7e-16
    start = dict(position=[1.0, 2.0], momentum=[0.5, 0.25], step=0.02, steps=100)
    for method in ("sy8", "lobatto"):
        runs = [polhode.System(lambda q: -q, mass=m).run(**start, method=method).position
                for m in (2.0, [2, 2], np.diag([2.0, 2.0]))]
        np.testing.assert_array_equal(runs[0], runs[1])
        np.testing.assert_array_equal(runs[0], runs[2])
    heavy = polhode.System(lambda q: -4.0 * q, mass=4).run(position=[1.0], momentum=[0.0], step=0.01, steps=100, method="sy8")
    assert abs(heavy.position[-1, 0] - math.cos(1.0)) < 3e-16 and np.isnan(heavy.energy_error).all()
    assert "energy_error" not in heavy.quantities and heavy.warnings == []


def test_a_constraint_with_a_mass_matrix():
    """A pendulum in sheared coordinates is the same pendulum."""
    shear = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.25], [0.0, 0.0, 1.0]])  # x = shear y
    plain = spherical_pendulum(quadratic=True).run(**SPHERICAL)
    sheared = polhode.System(
        lambda y: shear.T @ [0.0, 0.0, -1.0], constraint=lambda y: [(shear @ y) @ (shear @ y) - 1.0],
        jacobian=lambda y: [2.0 * shear.T @ (shear @ y)], mass=shear.T @ shear)
    run = sheared.run(**{**SPHERICAL, "position": np.linalg.solve(shear, SPHERICAL["position"]),
                         "momentum": shear.T @ SPHERICAL["momentum"]})
    assert np.abs(run.position @ shear.T - plain.position).max() < 2e-15  # measured 7.8e-16


def test_what_the_functions_are_given_and_may_return():
    kept = []

    def force(q):
        kept.append(q)
        assert q.dtype == np.float64 and q.shape == (2,)
        q *= 1.0  # the array is the function's own
        return -q

    start = dict(position=[1.0, 0.5], momentum=[0.0, 0.25], step=0.1, steps=20, method="lobatto")
    run = polhode.System(force).run(**start)
    assert len({id(q) for q in kept}) == len(kept), "an array that was kept must not be written to again"
    buffer = np.empty(2)

    def into_buffer(q):
        np.negative(q, out=buffer)
        return buffer

    def destroying(q):
        result = -q
        q[:] = np.nan
        return result

    for function in (lambda q: [-q[0], -q[1]], lambda q: (-float(q[0]), -float(q[1])), np.negative, into_buffer, destroying):
        np.testing.assert_array_equal(polhode.System(function).run(**start).position, run.position)
    single = polhode.System(lambda q: np.array([-1, 0], np.float32)).run(**start)
    np.testing.assert_array_equal(single.position, polhode.System(lambda q: [-1, 0]).run(**start).position)


def test_the_counts_are_those_of_the_calls():
    calls = [0]

    def force(q):
        calls[0] += 1
        return -q

    run = polhode.System(force).run(position=[1.0], momentum=[0.0], step=0.1, steps=50, method="sy2")
    started = calls[0] - run.force_evaluations
    assert run.force_evaluations == 50 and 0 < started < 500


class Lost(Exception):
    pass


@pytest.mark.parametrize("method", ["rattle", "multistep", "lobatto", "sy6"])
@pytest.mark.parametrize("failing", ["force", "constraint", "jacobian", "potential"])
def test_an_exception_arrives_unchanged_with_what_is_there(method, failing):
    error = Lost("below", 42)

    def guarded(name, function):
        def checked(q):
            if name == failing and q[0] < 0.5:
                raise error
            return function(q)
        return checked

    whole = spherical_pendulum()
    system = polhode.System(**{name: guarded(name, getattr(whole, name))
                               for name in ("force", "potential", "constraint", "jacobian")})
    with pytest.raises(Lost) as caught:
        system.run(**{**SPHERICAL, "steps": 1000}, method=method, every=7)
    assert caught.value is error and error.args == ("below", 42)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert "checked" in [frame.name for frame in caught.traceback]
    run = error.polhode_result
    assert 0 < run.steps < 300 and not run.complete and len(run) >= run.steps // 7
    # A multistep method is a few steps ahead of what it shows; an energy is asked for with the rows only.
    assert (run.position[:, 0] >= 0.5).all() and run.position[-1, 0] < (0.62 if failing == "potential" else 0.56)
    reference = whole.run(**{**SPHERICAL, "steps": 1000}, method=method, every=1)
    np.testing.assert_array_equal(run.position, reference.position[np.rint(run.t / 0.01).astype(int)])


@pytest.mark.parametrize("method", ["rattle", "lobatto", "sy8", "gauss"])
def test_the_first_exception_is_the_one_that_arrives(method):
    """Functions that fail for good fail again when the last state is looked at, and when it is put back by a step."""
    calls = [0]

    def failing(function):
        def counted(q):
            calls[0] += 1
            if calls[0] > 1000:
                raise Lost(calls[0])
            return function(q)
        return counted

    system = polhode.System(failing(lambda q: -q), potential=failing(lambda q: q @ q / 2))
    with pytest.raises(Lost) as caught:
        system.run(position=[1.0], momentum=[0.0], step=0.1, steps=10_000, method=method, every=1)
    assert caught.value.args == (1001,) and calls[0] > 1001
    run = caught.value.polhode_result
    assert len(run) > 10 and np.isfinite(run.position).all() and np.abs(run.energy_error).max() < 1e-2


def test_an_exception_before_the_first_step():
    def failing(q):
        raise Lost

    for keywords in (dict(force=failing), dict(force=lambda q: -q, constraint=failing, jacobian=lambda q: q)):
        for method in ("rattle", "multistep"):
            with pytest.raises(Lost) as caught:
                polhode.System(**keywords).run(position=[1.0], momentum=[0.0], step=0.1, steps=10, method=method)
            assert caught.value.polhode_result is None


@pytest.mark.parametrize("method", ["rattle", "sy8", "gauss"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_force_that_is_not_finite(method, value):
    system = polhode.System(lambda q: [value if q[0] < 0.5 else -q[0]])
    with pytest.raises(polhode.MotionError, match=r"System.run: what the force returns is not finite at the position \[0\.4") as caught:
        system.run(position=[1.0], momentum=[0.0], step=0.05, steps=100, method=method, every=1)
    run = caught.value.polhode_result
    assert 10 < run.steps < 25 and np.isfinite(run.position).all() and run.position.shape == (run.steps + 1, 1)


def test_a_gradient_or_a_constraint_that_is_not_finite():
    system = polhode.System(gradient=lambda q: [np.log(q[0]), 0.0], constraint=lambda q: [q[1]], jacobian=lambda q: [[0.0, 1.0]])
    with np.errstate(invalid="ignore", divide="ignore"), pytest.raises(polhode.MotionError, match="what the gradient returns is not finite"):
        system.run(position=[0.1, 0.0], momentum=[-1.0, 0.0], step=0.01, steps=100, method="rattle")
    nowhere = polhode.System(lambda q: [math.nan])
    with pytest.raises(polhode.InputError, match="what the force returns is not finite at the initial position"):
        nowhere.run(position=[1.0], momentum=[0.0], step=0.1, steps=10)


def test_a_step_that_cannot_be_taken():
    with pytest.raises(polhode.MotionError, match=r"System.run: step \d+: the multipliers do not converge") as caught:
        spherical_pendulum().run(position=[1.0, 0.0, 0.0], momentum=[0.0, 0.8, 0.5], step=1.5, steps=100, method="sy2")
    assert caught.value.polhode_result.steps < 100


@pytest.mark.parametrize("returned,sentence", [
    ([1.0], r"must have the shape \(2,\), not \(1,\)"), ([[1.0, 2.0]], r"must have the shape \(2,\), not \(1, 2\)"),
    (1.0, r"must have the shape \(2,\), not \(\)"), (None, "must be an array of numbers"), ("ab", "must be an array of numbers"),
    ([1j, 0], "must be real"), ([[1.0], [1.0, 2.0]], "must be an array of numbers"),
])
def test_what_a_function_may_not_return(returned, sentence):
    for method in ("rattle", "multistep"):
        with pytest.raises(polhode.InputError, match="^what the force returns " + sentence):
            polhode.System(lambda q: returned).run(position=[0, 0], momentum=[0, 0], step=0.1, steps=1, method=method)


def test_a_shape_that_changes_on_the_way():
    system = polhode.System(lambda q: -q if q[0] > 0.5 else [-q])
    with pytest.raises(polhode.InputError, match=r"what the force returns must have the shape \(1,\), not \(1, 1\)") as caught:
        system.run(position=[1.0], momentum=[0.0], step=0.05, steps=100, method="rattle")
    assert 10 < caught.value.polhode_result.steps < 25


def test_wrong_input():
    start = {**SPHERICAL, "steps": 10}
    for keywords, sentence in (
            ({"method": "gauss"}, 'method.name: there is no method "gauss"'), ({"method": "sy9"}, 'no method "sy9"'),
            ({"method": "sy8"}, "grow without bound"), ({"momentum": [1.0]}, r"\(3,\) and \(1,\)"),
            ({"precision": "double-double"}, "method.precision: functions of float64 arrays have the digits of a double"),
            ({"multipliers": "closed-form"}, "have no closed form"), ({"step": 0.0}, "must not be zero"),
            ({"stages": 3}, "method.stages: "), ({"position": [2.0, 0.0, 0.0]}, r"does not satisfy the constraints: \|g\(q\)\| is 3"),
            ({"momentum": [1.0, 0.0, 0.0]}, r"\|G M\^-1 p\| is 2"), ({"position": [1.0, np.nan, 0.0]}, "position"),
            ({"output": "x.txt"}, "csv"), ({"steps": 1.5}, "steps must be an integer"), ({"every": 0}, "every must be")):
        with pytest.raises(polhode.InputError, match=sentence):
            spherical_pendulum().run(**{**start, **keywords})
    for keywords, sentence in (
            (dict(), "give one of them"), (dict(force=abs, gradient=abs), "give one of them"),
            (dict(force=abs, constraint=abs), "belong together"), (dict(force=3), "force must be a function of the position, not int"),
            (dict(force=abs, quadratic=True), "there are none"), (dict(force=abs, mass=-1), "mass must be positive"),
            (dict(force=abs, mass=[1.0, np.inf]), "mass must be finite"), (dict(force=abs, mass=[[1, 2], [0, 1]]), "symmetric"),
            (dict(force=abs, mass=[[1, 2], [2, 1]]), "positive definite"), (dict(force=abs, mass=np.ones((2, 3))), r"\(2, 3\)"),
            (dict(force=abs, mass=1j), "must be real")):
        with pytest.raises(polhode.InputError, match=sentence):
            polhode.System(**keywords)
    with pytest.raises(polhode.InputError, match=r"mass must be a number or have the shape \(3,\) or \(3, 3\), not \(2,\)"):
        polhode.System(lambda q: q, mass=[1, 2]).run(**start)
    with pytest.raises(polhode.InputError, match=r"what the jacobian returns must have the shape \(1, 3\), not \(3,\)"):
        polhode.System(lambda q: q, constraint=lambda q: [q @ q - 1], jacobian=lambda q: 2 * q).run(**start)
    with pytest.raises(polhode.InputError, match=r"what the constraint returns must be a number or have the shape \(m,\), not \(1, 1\)"):
        polhode.System(lambda q: q, constraint=lambda q: [[q @ q - 1]], jacobian=lambda q: 2 * q).run(**start)
    with pytest.raises(polhode.InputError, match="the jacobian is not the derivative of the constraint at the initial position"):
        polhode.System(lambda q: q, constraint=lambda q: [q @ q - 1], jacobian=lambda q: [q]).run(**start)
    with pytest.raises(polhode.InputError, match="quadratic=True, but the constraint is no polynomial of degree two"):
        rod(quadratic=True).run(**start)
    # A short rod far from the origin passes the examination, and its motion is that of the one at the origin.
    far = np.array([1e5, 2e5, -1e5])
    there = polhode.System(lambda q: [0, 0, -1], constraint=lambda q: np.sqrt((q - far) @ (q - far)) - 1.0,
                           jacobian=lambda q: (q - far) / np.sqrt((q - far) @ (q - far)))
    run = there.run(**{**start, "position": far + [1.0, 0.0, 0.0]}, method="rattle")
    assert np.abs(run.position - far - rod().run(**start, method="rattle").position).max() < 4e-11  # an ulp of 1e5
    with pytest.raises(polhode.InputError, match="the constraints are dependent"):
        polhode.System(lambda q: q, constraint=lambda q: [q[1], q[1]], jacobian=lambda q: [[0, 1, 0], [0, 1, 0]]).run(
            **{**start, "momentum": [0.0, 0.0, 0.5]})


def test_functions_that_are_not_extended_after_all():
    def force(q):
        return [-math.sin(q[0])]

    with pytest.raises(TypeError, match="must be real number, not polhode._core.DoubleDouble"):
        polhode.System(force, extended=True).run(position=[1.0], momentum=[0.0], step=0.1, steps=10)
    with pytest.raises(polhode.InputError, match="what the force returns must be numbers, float or DoubleDouble, not Fraction"):
        polhode.System(lambda q: -q if q.dtype == float else [Fraction(1)], extended=True).run(
            position=[1.0], momentum=[0.0], step=0.1, steps=10)


def test_no_constraints_at_all_and_a_file(tmp_path):
    start = dict(position=[1.0, 0.5], momentum=[0.0, 0.25], step=0.1, steps=20, method="gauss")
    empty = polhode.System(lambda q: -q, constraint=lambda q: [], jacobian=lambda q: np.empty((0, 2)))
    run = empty.run(**start, output=tmp_path / "run.csv")
    np.testing.assert_array_equal(run.position, polhode.System(lambda q: -q).run(**start).position)
    lines = [line for line in (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert lines[0] == "t,position_1,position_2,momentum_1,momentum_2" and len(lines) == 1 + len(run)
    assert 'kind = "python-system"' in run.scenario


def test_a_stop_before_the_first_step():
    def stopping(q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        polhode.System(stopping).run(position=[1.0], momentum=[0.0], step=0.1, steps=10)
    assert caught.value.polhode_result is None


def test_ctrl_c_keeps_what_is_there():
    program = """
import polhode, time, threading, os, signal
def interrupt():
    time.sleep(0.5)
    print(time.monotonic(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)
system = polhode.System(lambda q: -q, potential=lambda q: q @ q / 2)
threading.Thread(target=interrupt, daemon=True).start()
try:
    system.run(position=[1.0], momentum=[0.0], step=0.01, steps=10**13, every=10**12, method=%r)
except KeyboardInterrupt as stop:
    print(time.monotonic())
    run = stop.polhode_result
    print(run.steps, len(run), run.t[-1] == run.steps * 0.01, abs(run.energy_error[-1]))
"""
    for method in ("sy8", "gauss"):
        done = subprocess.run([sys.executable, "-c", program % method], capture_output=True, text=True, timeout=60, check=True)
        sent, noticed, rest = done.stdout.splitlines()
        assert float(noticed) - float(sent) < 1.0
        steps, rows, at_last_step, error = rest.split()
        assert int(steps) > 100 and rows == "2" and at_last_step == "True" and float(error) < 1e-14


def test_a_thousand_runs_leave_nothing_behind():
    import resource

    system = spherical_pendulum(quadratic=True)

    def runs(count):
        for _ in range(count):
            system.run(position=[1.0, 0.0, 0.0], momentum=[0.0, 0.8, 0.5], step=0.01, steps=20, method="rattle")
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = runs(300)
    assert runs(1200) - before < 2048  # kilobytes
