"""Attitudes in other libraries' order.

polhode writes a quaternion scalar first, (w, x, y, z); scipy's Rotation writes it scalar last, (x, y, z, w). Both mean the
rotation from body to space: Rotation.apply(v) turns the body's coordinates into those of space.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._core import InputError
from ._values import number_array
from ._typing import Rotation

if TYPE_CHECKING:
    from scipy.spatial import transform


def to_rotation(attitude: ArrayLike) -> transform.Rotation:
    """A scipy Rotation of attitudes (4,) or (N, 4), scalar first.

    >>> polhode.to_rotation([np.sqrt(0.5), 0, 0, np.sqrt(0.5)]).as_euler("xyz", degrees=True).round(12).tolist()
    [0.0, 0.0, 90.0]
    """
    from scipy.spatial import transform

    return transform.Rotation.from_quat(to_scalar_last(attitude))


def from_rotation(rotation: Rotation) -> np.ndarray:
    """Attitudes (4,) or (N, 4), scalar first, of a scipy Rotation.

    >>> from scipy.spatial.transform import Rotation
    >>> polhode.from_rotation(Rotation.from_euler("z", 180, degrees=True)).round(12).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    return to_scalar_first(rotation.as_quat())


def to_scalar_last(attitude: ArrayLike) -> np.ndarray:
    """(w, x, y, z) as (x, y, z, w).

    >>> polhode.to_scalar_last([1, 2, 3, 4])
    array([2., 3., 4., 1.])
    """
    return np.roll(_quaternions(attitude), -1, axis=-1)


def to_scalar_first(attitude: ArrayLike) -> np.ndarray:
    """(x, y, z, w) as (w, x, y, z).

    >>> polhode.to_scalar_first([2, 3, 4, 1])
    array([1., 2., 3., 4.])
    """
    return np.roll(_quaternions(attitude), 1, axis=-1)


def is_rotation(value: Any) -> bool:
    """Whether it is a scipy Rotation, without importing scipy."""
    return hasattr(value, "as_quat") and hasattr(value, "as_matrix")


def _quaternions(attitude: ArrayLike) -> np.ndarray:
    array = number_array(attitude, "attitude")
    if array.ndim < 1 or array.shape[-1] != 4:
        raise InputError(f"attitude must have the shape (4,) or (N, 4), not {array.shape}")
    return array
