"""The derivative of the free motion with respect to its state."""
from __future__ import annotations

from typing import NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._typing import Inertia


class TangentMap(NamedTuple):
    """How the state after a step changes with the state before it, in blocks of (..., 3, 3).

    A change of a state is a pair (dm, xi): of the momentum, and the small rotation of the attitude dq = q (0, xi)/2, both
    in the body frame. The momentum after does not depend on the attitude before.

    >>> change = polhode.tangent_map([1, 2, 3], [0.1, 0.2, 0.5], 0.1)
    >>> change.matrix().shape, bool(change.matrix()[:3, 3:].any())
    ((6, 6), False)
    """

    momentum_by_momentum: np.ndarray
    rotation_by_momentum: np.ndarray
    rotation_by_rotation: np.ndarray

    def matrix(self) -> np.ndarray:
        """The map as (..., 6, 6), in the order (m, xi).

        >>> tangent = polhode.tangent_map([1, 2, 3], [0.1, 0.2, 0.5], 0.1)
        >>> change = tangent.matrix() @ [1e-6, 0, 0, 0, 0, 1e-6]     # of the state after, for one of the state before
        >>> bool(np.allclose(change[:3], tangent.momentum_by_momentum @ [1e-6, 0, 0]))
        True
        """
        result = np.zeros((*self.momentum_by_momentum.shape[:-2], 6, 6))
        result[..., :3, :3] = self.momentum_by_momentum
        result[..., 3:, :3] = self.rotation_by_momentum
        result[..., 3:, 3:] = self.rotation_by_rotation
        return result


def tangent_map(
    inertia: Union[Inertia, Sequence[_core.Body]], momentum: ArrayLike, step: float, *, threads: int = 1
) -> TangentMap:
    """The tangent map of a free step of any length, for one momentum (3,) or many (N, 3).

    The attitude does not matter to it. Right to the last rounding.

    >>> tangent = polhode.tangent_map([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], 0.1)
    >>> tangent.momentum_by_momentum.shape, tangent.matrix().shape
    ((3, 3), (6, 6))
    """
    return TangentMap(*_core.tangent_map(inertia, momentum, step, threads=threads))
