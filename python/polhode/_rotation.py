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
    if not is_rotation(rotation):
        raise InputError(f"from_rotation() takes a scipy Rotation, not {type(rotation).__name__}")
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


def to_euler(attitude: ArrayLike, sequence: str = "ZYX", degrees: bool = False) -> np.ndarray:
    """Euler angles (3,) or (N, 3) of attitudes, for any of the 24 conventions: three axes, no two neighbours equal, in capitals
    where each rotation is about an axis of the body as the rotations before have left it ("ZYX": yaw, pitch, roll), small where
    it is about an axis of space. The second angle is in [-90, 90] degrees for three different axes, in [0, 180] for
    "ZXZ" and its like; where the first and the third are about one axis, the third is zero.

    >>> polhode.to_euler(polhode.from_euler([30, 20, 10], "ZYX", degrees=True), "ZYX", degrees=True).round(12).tolist()
    [30.0, 20.0, 10.0]
    """
    axes, in_body = _axes(sequence)
    q = _quaternions(attitude)
    if in_body:  # the same angles about the axes of space, in the other order
        axes = axes[::-1]
    i, j, k = axes
    proper = i == k
    if proper:
        k = 3 - i - j
    sign = float((i - j) * (j - k) * (k - i) // 2)
    w, x = q[..., 0], q[..., 1:]
    if proper:
        a, b, c, d = w, x[..., i], x[..., j], x[..., k] * sign
    else:
        a, b = w - x[..., j], x[..., i] + x[..., k] * sign
        c, d = x[..., j] + w, x[..., k] * sign - x[..., i]
    middle = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    first, third = half_sum - half_difference, half_sum + half_difference
    # On the poles one of the two halves is undefined: everything goes into the first rotation that is written.
    tiny = 1e-14
    poles = (np.hypot(c, d) < tiny), (np.hypot(a, b) < tiny)
    for pole, value in zip(poles, (2 * half_sum, -2 * half_difference)):
        other = value if poles[0] is pole else -value
        first = np.where(pole, 0.0 if in_body else value, first)
        third = np.where(pole, other if in_body else 0.0, third)
    if not proper:
        third = third * sign
        middle = middle - np.pi / 2
    angles = np.stack([first, middle, third], axis=-1)
    angles[..., [0, 2]] = np.remainder(angles[..., [0, 2]] + np.pi, 2 * np.pi) - np.pi
    if in_body:
        angles = angles[..., ::-1]
    return np.degrees(angles) if degrees else angles


def from_euler(angles: ArrayLike, sequence: str = "ZYX", degrees: bool = False) -> np.ndarray:
    """Attitudes (4,) or (N, 4) of Euler angles (3,) or (N, 3), in a convention of to_euler.

    >>> polhode.from_euler([90, 0, 0], "ZYX", degrees=True).round(12).tolist()
    [0.707106781187, 0.0, 0.0, 0.707106781187]
    """
    axes, in_body = _axes(sequence)
    array = number_array(angles, "angles")
    if array.ndim < 1 or array.shape[-1] != 3:
        raise InputError(f"angles must have the shape (3,) or (N, 3), not {array.shape}")
    half = (np.radians(array) if degrees else array) / 2
    q = np.zeros((*array.shape[:-1], 4))
    q[..., 0] = 1.0
    for n, axis in enumerate(axes):
        turn = np.zeros_like(q)
        turn[..., 0], turn[..., 1 + axis] = np.cos(half[..., n]), np.sin(half[..., n])
        q = _product(q, turn) if in_body else _product(turn, q)
    return q


def _axes(sequence: str) -> tuple[list[int], bool]:
    """The axes as numbers, and whether they are those of the body."""
    known = isinstance(sequence, str) and len(sequence) == 3 and (set(sequence) <= set("XYZ") or set(sequence) <= set("xyz"))
    if not known or sequence[0] == sequence[1] or sequence[1] == sequence[2]:
        raise InputError("the sequence of Euler angles must be three of X, Y, Z (axes of the body) or of x, y, z (axes of space), "
                         f"no two neighbours equal, not {sequence!r}")
    return ["xyz".index(axis) for axis in sequence.lower()], sequence.isupper()


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Hamilton's product."""
    a, u, b, v = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
    return np.concatenate([a * b - np.sum(u * v, axis=-1, keepdims=True), a * v + b * u + np.cross(u, v)], axis=-1)


def is_rotation(value: Any) -> bool:
    """Whether it is a scipy Rotation, without importing scipy."""
    return hasattr(value, "as_quat") and hasattr(value, "as_matrix")


def _quaternions(attitude: ArrayLike) -> np.ndarray:
    array = number_array(attitude, "attitude")
    if array.ndim < 1 or array.shape[-1] != 4:
        raise InputError(f"attitude must have the shape (4,) or (N, 4), not {array.shape}")
    return array
