"""The types of the arguments."""
from __future__ import annotations

import os
from typing import Any, Callable, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike

from ._core import Body

#: Three principal moments, a symmetric tensor, or a body.
Inertia = Union[Body, ArrayLike]

PathLike = Union[str, "os.PathLike[str]"]

#: A function of the position, float64 (n,), or (n,) of DoubleDouble.
PositionFunction = Callable[[np.ndarray], ArrayLike]


class TorqueFunction(Protocol):
    """A torque in the body frame, three numbers, from the unit quaternion (4,) and the time."""

    def __call__(self, q: np.ndarray, t: float, /) -> ArrayLike: ...


class ConservativeTorque(TorqueFunction, Protocol):
    """A torque that has a potential, by which the energy is followed."""

    def potential(self, q: np.ndarray, t: float, /) -> float: ...


class ControlFunction(Protocol):
    """A torque in the body frame from the unit quaternion (4,), the angular velocity in the body (3,) and the time."""

    def __call__(self, q: np.ndarray, omega: np.ndarray, t: float, /) -> ArrayLike: ...


#: What may act on a body: a function, or one of the classes that name it.
Torque = Union[TorqueFunction, ConservativeTorque, ControlFunction, Any]


class Rotation(Protocol):
    """What is used of a scipy Rotation."""

    def as_quat(self) -> np.ndarray: ...
    def as_matrix(self) -> np.ndarray: ...
