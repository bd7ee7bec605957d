"""The kit for other programs, and the score of theirs."""
import subprocess

import numpy as np
import pytest

import polhode


def rows(step):
    """The rows of a program whose step(body, momentum, attitude, length) returns the next momentum and attitude."""
    for body in polhode.conformance.kit():
        momentum, attitude, taken = body.inertia @ body.angular_velocity, body.attitude, 0
        for state in body.states:
            while taken < state.time * 60:
                momentum, attitude = step(body, momentum, attitude, 1 / 60)
                taken += 1
            yield (body.name, 60, state.time, *attitude, *np.linalg.solve(body.inertia, momentum))


def exact(body, momentum, attitude, length):
    return polhode.step(body.inertia, momentum, attitude, length)


def test_the_kit_is_the_exact_motion():
    bodies = polhode.conformance.kit()
    assert len(bodies) == 41 and len({b.name for b in bodies}) == 41
    for body in bodies:
        if not body.angular_velocity.any():
            continue
        free = polhode.Trajectory(body.inertia, body.inertia @ body.angular_velocity, body.attitude)
        for state in body.states:
            momentum, attitude = free.at(state.time)
            error = min(np.abs(attitude - state.attitude).max(), np.abs(attitude + state.attitude).max())
            assert error < 4e-16 * max(state.sensitivity, 2), body.name
            assert np.allclose(np.linalg.solve(body.inertia, momentum), state.angular_velocity, rtol=0,
                               atol=1e-14 * state.sensitivity * np.linalg.norm(body.angular_velocity)), body.name


def test_score_of_rows_and_of_a_file_agree_with_the_command(tmp_path):
    table = [r for r in rows(exact) if r[2] <= 2]
    found = polhode.conformance.score(table)
    assert found["order"] == 0 and found["velocity"] == "exact" and found["missing"] == []
    assert "keeps the energy to rounding" in str(found)
    file = tmp_path / "states.csv"
    names = "body,frequency,time,q0,q1,q2,q3,omega1,omega2,omega3"
    file.write_text(names + "\n" + "\n".join(",".join(map(str, r)) for r in table) + "\n", encoding="utf-8")
    assert polhode.conformance.score(file) == found
    done = subprocess.run([polhode.command(), "conformance", "--score", file], capture_output=True, text=True, check=True)
    assert done.stdout == str(found)


def test_a_wrong_order_of_the_product_is_named():
    def wrong(body, momentum, attitude, length):
        momentum, (a, b, c, d) = polhode.step(body.inertia, momentum, [1, 0, 0, 0], length)
        w, x, y, z = attitude
        return momentum, np.array([a*w - b*x - c*y - d*z, a*x + b*w + c*z - d*y, a*y + c*w + d*x - b*z, a*z + d*w + b*y - c*x])
    verdicts = polhode.conformance.score([r for r in rows(wrong) if r[2] <= 1])["verdicts"]
    assert any("wrong order" in v for v in verdicts)


def test_wrong_rows_are_refused():
    with pytest.raises(polhode.InputError, match='states: line 2: there is no body "teapot"'):
        polhode.conformance.score([("teapot", 60, 1, 1, 0, 0, 0, 0, 0, 0)])
    with pytest.raises(polhode.InputError, match="10 names"):
        polhode.conformance.score([("box", 60, 1)])
    with pytest.raises(polhode.InputError, match=r"states must be the name of a file or rows of \(body, .*, not int"):
        polhode.conformance.score(3)
    for row in (3, (), ("box", "soon")):
        with pytest.raises(polhode.InputError, match=r"states\[1\] must be a row of \(body, "):
            polhode.conformance.score([("box", 60, 1), row])
    with pytest.raises(polhode.InputError, match="nofile.csv: cannot be read: No such file or directory"):
        polhode.conformance.score("nofile.csv")
