"""Motions as an operator of PyTorch; without PyTorch there is nothing to test."""
import subprocess
import sys

import numpy as np
import pytest

import polhode

torch = pytest.importorskip("torch")
import polhode.torch  # noqa: E402

TIMES = [0.0, 0.5, 2.0]


def tensors(*values):
    return [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in values]


STATE = ([1.75, 1.0, 2.25], [0.5, -0.75, 0.875], [0.75, -0.5, 0.5, 0.25])


def test_it_is_the_motion():
    momentum, attitude = polhode.torch.propagate(*tensors(*STATE), step=0.1, times=TIMES)
    expected = polhode.Trajectory(STATE[0], STATE[1], STATE[2]).at(TIMES)
    assert np.abs(momentum.detach().numpy() - expected[0]).max() < 1e-15
    assert np.abs(attitude.detach().numpy() - expected[1]).max() < 1e-15


@pytest.mark.parametrize("torque", [None, polhode.GravityGradient(mean_motion=1.0, eccentricity=0.2),
                                    [polhode.Damping([0.1, 0.2, 0.3]), polhode.Wheels([0.1, 0.2, 0.3])]])
def test_gradients(torque):
    assert torch.autograd.gradcheck(
        lambda *state: polhode.torch.propagate(*state, step=0.125, times=TIMES, torque=torque), tensors(*STATE), atol=1e-8)


def test_gradients_by_parameters():
    def make(p):
        return [polhode.UniformField([0.0, 0.1, p[0]]), polhode.Damping(p[1])]

    assert torch.autograd.gradcheck(
        lambda *given: polhode.torch.propagate(*given[:3], parameters=given[3], step=0.125, times=TIMES, torque=make),
        tensors(*STATE, [0.75, 0.125]), atol=1e-8)


def test_descent_finds_the_moments():
    """Gauss and Newton's work by first-order steps: the loss falls."""
    target = polhode.torch.propagate(*tensors(*STATE), step=0.1, times=np.linspace(0, 3, 7))[1].detach()
    moments, momentum, attitude = tensors([1.7, 1.05, 2.25], *STATE[1:])
    optimizer = torch.optim.Adam([moments], lr=0.01)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((polhode.torch.propagate(moments, momentum, attitude, step=0.1, times=np.linspace(0, 3, 7))[1] - target)**2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.05 * losses[0]


@pytest.mark.parametrize("wrong, sentence", [
    (dict(moments=torch.ones(3)), "moments must be of float64"),
    (dict(momentum=torch.ones(2, dtype=torch.float64)), r"momentum must have the shape \(3,\)"),
    (dict(attitude=torch.zeros(4, dtype=torch.float64)), "the zero quaternion"),
])
def test_wrong_input(wrong, sentence):
    moments, momentum, attitude = tensors(*STATE)
    with pytest.raises(polhode.InputError, match=sentence):
        polhode.torch.propagate(**{"moments": moments, "momentum": momentum, "attitude": attitude, **wrong}, step=0.1, steps=2)


def test_polhode_does_not_need_torch():
    code = "import sys, polhode; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
