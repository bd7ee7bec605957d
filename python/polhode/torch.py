"""Motions as an operator of PyTorch, with exact gradients. It needs torch, which polhode itself does not.

    import torch
    import polhode.torch

    momentum, attitude = polhode.torch.propagate(moments, momentum, attitude, step=0.1, times=[1.0, 2.0, 3.0])

The gradients are those of polhode.derivatives: nothing is recorded step by step, and no memory grows with the steps.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._core import InputError
from ._derivatives import derivatives

try:
    import torch
except ImportError as error:
    raise ImportError("polhode.torch needs torch: install PyTorch, or Debian's python3-torch") from error

__all__ = ["propagate"]


def propagate(moments: "torch.Tensor", momentum: "torch.Tensor", attitude: Optional["torch.Tensor"] = None, *,
              parameters: Optional["torch.Tensor"] = None, **run: Any) -> tuple["torch.Tensor", "torch.Tensor"]:
    """The momenta (n, 3) and attitudes (n, 4) of a motion, free or under a torque, at the rows of polhode.derivatives().

    moments     three, about the axes of the body frame
    momentum    in the body frame
    attitude    quaternion from body to space, scalar first, of any norm; the identity if it is left out
    parameters  numbers that what acts depends on: torque is then a function of their array
    run         step, steps, every, times, torque, scheme and start_time of polhode.derivatives()

    All tensors are of float64. Gradients flow to all of them; second derivatives do not exist.
    """
    if attitude is None:
        attitude = torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=torch.float64)
    if parameters is None:
        parameters = torch.zeros(0, dtype=torch.float64)
        run["parameters"] = None
    for name, tensor, size in (("moments", moments, 3), ("momentum", momentum, 3), ("attitude", attitude, 4),
                               ("parameters", parameters, parameters.numel())):
        if tensor.dtype != torch.float64:
            raise InputError(f"{name} must be of float64, not {tensor.dtype}")
        if tensor.shape != (size,):
            raise InputError(f"{name} must have the shape ({size},), not {tuple(tensor.shape)}")
    return _Motion.apply(moments, momentum, attitude, parameters, run)


def _turning(q: np.ndarray) -> np.ndarray:
    """The matrices (..., 4, 3) of q (0, xi)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([np.stack([-x, -y, -z], -1), np.stack([w, -z, y], -1), np.stack([z, w, -x], -1),
                     np.stack([-y, x, w], -1)], -2)


class _Motion(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, moments: torch.Tensor, momentum: torch.Tensor, attitude: torch.Tensor, parameters: torch.Tensor,
                run: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
        given = [tensor.detach().cpu().numpy() for tensor in (moments, momentum, attitude, parameters)]
        keywords = run if "parameters" in run else {**run, "parameters": given[3]}
        found = derivatives(inertia=given[0], momentum=given[1], attitude=given[2], **keywords)
        ctx.found, ctx.attitude = found, given[2]
        return torch.from_numpy(found.momentum), torch.from_numpy(found.attitude)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, by_momentum: torch.Tensor, by_attitude: torch.Tensor) -> tuple[Any, ...]:
        found, before = ctx.found, ctx.attitude
        # dq = q (0, xi)/2, of the states after and, for any norm, of the attitude before.
        by_rotation = np.einsum("nij,ni->nj", _turning(found.attitude) / 2, by_attitude.numpy())
        by_change = np.concatenate([by_momentum.numpy(), by_rotation], axis=1)
        by_state = np.einsum("nij,ni->j", found.by_state, by_change)
        by_moments = np.einsum("nij,ni->j", found.by_moments, by_change)
        by_parameters = np.einsum("nij,ni->j", found.by_parameters, by_change)
        by_before = 2 * _turning(before) @ by_state[3:] / (before @ before)
        return (*(torch.from_numpy(np.ascontiguousarray(x)) for x in (by_moments, by_state[:3], by_before, by_parameters)), None)
