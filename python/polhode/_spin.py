"""The free motion in the words of astronomers."""
from __future__ import annotations

from typing import Mapping, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import Body, InputError, Trajectory
from ._typing import Inertia
from ._values import number_array


class SpinState:
    """The spin state of a free body: periods, mode, energy and direction of the momentum.

    SpinState(inertia, momentum, attitude) is that of a state; angular_velocity= may stand for the momentum, both in the body
    frame. from_periods() is the way back. momentum and attitude are for propagate().

    - precession: the time of a mean revolution of the axis of least moment about the momentum (P_phi), in both modes;
      precession_rate is 2 pi over it
    - rotation: the period of the momentum in the body (P_psi): of the turns about that axis in the long-axis mode, of the
      swings about it in the short-axis mode
    - mode: "short-axis" or "long-axis", or "undecided" on the separatrix, for a sphere and for a body at rest
    - energy_ratio: E/E0, the energy over the least one that the momentum allows
    - direction: of the momentum in space, a unit vector; pole: its longitude and latitude in degrees

    uncertainty= has standard deviations of "momentum" (one or three), "moments" (in ascending order) and "attitude"
    (an angle in radians); the property uncertainty has those of precession, rotation, energy_ratio and direction (in radians)
    that follow by the derivative.

    >>> toutatis = polhode.SpinState([3.0836, 3.235, 1.0], angular_velocity=np.radians([14.51, 33.529, -98.709]))
    >>> toutatis.mode, round(toutatis.rotation, 4), round(toutatis.precession, 4)
    ('long-axis', 5.3685, 7.4117)
    """

    def __init__(
        self,
        inertia: Inertia,
        momentum: Optional[ArrayLike] = None,
        attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        *,
        angular_velocity: Optional[ArrayLike] = None,
        uncertainty: Optional[Mapping[str, ArrayLike]] = None,
    ) -> None:
        self.body = Body(inertia)
        if (momentum is None) == (angular_velocity is None):
            raise InputError("a spin state has either a momentum or an angular velocity")
        if momentum is None:
            momentum = self.body.tensor @ _three(angular_velocity, "angular_velocity")
        self.momentum = _three(momentum, "momentum")
        # What is wrong with a state is said by the one who knows, and the attitude gets its norm.
        self.attitude = Trajectory(self.body, self.momentum, attitude).attitude(0.0)
        self.mode, self.precession, self.rotation, self.energy_ratio = _core.spin_periods(self.body, self.momentum)
        self._uncertainty = self._of_state(dict(uncertainty or {}))

    @classmethod
    def from_periods(
        cls,
        *,
        precession: float,
        rotation: float,
        moments: Inertia,
        mode: Optional[str] = None,
        direction: ArrayLike = (0.0, 0.0, 1.0),
        phase: float = 0.0,
        azimuth: float = 0.0,
        uncertainty: Optional[Mapping[str, ArrayLike]] = None,
    ) -> SpinState:
        """The spin state with these periods.

        mode= is required where both modes have them. direction= is that of the momentum in space, azimuth= the angle of the
        axis of least moment about it, in radians: with the momentum along axis 3, that from axis 1 of space. phase= counts
        rotation periods from where the momentum is nearest to the middle axis; there its double precision numbers hold the
        periods to the last digit, next to the separatrix too.

        uncertainty= has standard deviations of "precession", "rotation" and "moments" (in ascending order); the property
        uncertainty then has energy_ratio and momentum_norm, too, by the derivative.

        >>> apophis = polhode.SpinState.from_periods(precession=27.374, rotation=262.2, moments=[0.61, 0.965, 1.0],
        ...                                          mode="short-axis", uncertainty={"precession": 0.001, "rotation": 0.1})
        >>> round(apophis.energy_ratio, 4), round(apophis.rotation, 9)
        (1.0284, 262.2)
        """
        body = Body(moments)
        momentum = _core.spin_momentum(body, _number(precession, "precession"), _number(rotation, "rotation"),
                                       "undecided" if mode is None else mode)
        nearest = cls(body, momentum)
        if phase:
            momentum = Trajectory(body, momentum).momentum(_number(phase, "phase") * nearest.rotation)
        state = cls(body, momentum, _attitude(body, momentum, direction, _number(azimuth, "azimuth")))
        state._uncertainty = nearest._of_periods(dict(uncertainty or {}))
        return state

    @property
    def moments(self) -> np.ndarray:
        """The principal moments in ascending order."""
        return self.body.moments

    @property
    def momentum_norm(self) -> float:
        """The size of the momentum."""
        return float(np.linalg.norm(self.momentum))

    @property
    def angular_velocity(self) -> np.ndarray:
        """In the body frame."""
        axes = self.body.axes
        return axes.T @ (axes @ self.momentum / self.body.moments)

    @property
    def precession_rate(self) -> float:
        """The mean rate of the precession, in radians over the unit of time."""
        return 2 * np.pi / self.precession

    @property
    def direction(self) -> np.ndarray:
        """The direction of the momentum in space."""
        norm = self.momentum_norm
        if norm == 0:
            raise InputError("a body at rest has no direction of the momentum")
        return _matrix(self.attitude) @ self.momentum / norm

    @property
    def pole(self) -> tuple[float, float]:
        """Longitude, from 0 to 360, and latitude of the momentum in space, in degrees."""
        x, y, z = self.direction
        return float(np.degrees(np.arctan2(y, x)) % 360), float(np.degrees(np.arctan2(z, np.hypot(x, y))))

    @property
    def uncertainty(self) -> dict[str, float]:
        """The standard deviations that follow from those of the input, by the derivative; empty where it had none."""
        return dict(self._uncertainty)

    def trajectory(self) -> Trajectory:
        """The free motion from here, at any time.

        >>> spin = polhode.SpinState([0.345, 0.653, 1.0], [0.5, 0.2, 0.84])
        >>> spin.trajectory().precession_period == spin.precession
        True
        """
        return Trajectory(self.body, self.momentum, self.attitude)

    def __repr__(self) -> str:
        return (f"SpinState({self.mode}, precession={self.precession!r}, rotation={self.rotation!r}, "
                f"energy_ratio={self.energy_ratio!r})")

    def _of_state(self, given: dict) -> dict:
        if not given:
            return {}
        _allow(given, ("momentum", "moments", "attitude"))
        momentum, moments = (_deviations(given, key, 3) for key in ("momentum", "moments"))
        turn = _deviations(given, "attitude", 1)[0]
        axes = self.body.axes
        covariance = np.zeros((6, 6))
        covariance[:3, :3] = np.diag(moments**2)
        covariance[3:, 3:] = axes @ np.diag(momentum**2) @ axes.T
        by = _core.spin_derivatives(self.body, self.momentum)
        deviation = np.sqrt(np.einsum("ij,jk,ik->i", by, covariance, by))
        along = self.momentum / self.momentum_norm
        across = momentum**2 * (1 - along**2) / self.momentum_norm**2
        # Half of the squared angle to a direction goes each way; the attitude turns it about either perpendicular axis.
        angle = np.sqrt(across.sum() + 2 * turn**2)
        return dict(zip(("precession", "rotation", "energy_ratio", "direction"), (*map(float, deviation), float(angle))))

    def _of_periods(self, given: dict) -> dict:
        """At the phase where the momentum is nearest to the middle axis: its size and its angle to that axis are the unknowns."""
        if not given:
            return {}
        _allow(given, ("precession", "rotation", "moments"))
        periods = np.array([_deviations(given, key, 1)[0] for key in ("precession", "rotation")])
        moments = _deviations(given, "moments", 3)
        by = _core.spin_derivatives(self.body, self.momentum)
        m = self.body.axes @ self.momentum
        size = np.linalg.norm(m)
        across = np.array([-m[1], m[0], 0.0]) if self.mode == "long-axis" else np.array([0.0, -m[2], m[1]])
        unknowns = by[:, 3:] @ np.array([m / size, across]).T  # of size and angle
        # Inputs: two periods, three moments.
        inputs = np.hstack([np.eye(2), -by[:2, :3]])
        try:
            solved = np.linalg.solve(unknowns[:2], inputs)
        except np.linalg.LinAlgError:  # a steady rotation: the periods have an end there
            solved = np.full((2, 5), np.inf)
        deviation = np.hstack([periods, moments])
        energy = unknowns[2] @ solved + np.hstack([np.zeros(2), by[2, :3]])

        def total(derivative: np.ndarray) -> float:
            used = deviation > 0
            return float(np.linalg.norm(derivative[used] * deviation[used]))

        return {"precession": float(periods[0]), "rotation": float(periods[1]), "energy_ratio": total(energy),
                "momentum_norm": total(solved[0])}


def _number(value: float, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be a number") from None


def _three(values: ArrayLike, what: str) -> np.ndarray:
    array = np.array(number_array(values, what), dtype=np.float64)
    if array.shape != (3,):
        raise InputError(f"{what} must be three numbers, not an array of the shape {array.shape}")
    return array


def _allow(given: dict, known: tuple) -> None:
    for key in given:
        if key not in known:
            raise InputError(f"there is no uncertainty of {key} here; known: {', '.join(known)}")


def _deviations(given: dict, key: str, count: int) -> np.ndarray:
    array = np.asarray(number_array(given.get(key, 0.0), f"the uncertainty of {key}"), dtype=np.float64)
    if array.shape not in ((), (count,)):
        raise InputError(f"the uncertainty of {key} must be {'one number' if count == 1 else f'one number or {count}'}")
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise InputError(f"the uncertainty of {key} is negative or not finite")
    return np.broadcast_to(array, (count,))


def _matrix(q: np.ndarray) -> np.ndarray:
    w, v = q[0], q[1:]
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def _attitude(body: Body, momentum: np.ndarray, direction: ArrayLike, azimuth: float) -> np.ndarray:
    """With the momentum in a direction of space, and the axis of least moment at an angle about it."""
    direction = _three(direction, "direction")
    length = np.linalg.norm(direction)
    if not np.isfinite(length) or length == 0:
        raise InputError("the direction is zero or not finite")
    along = momentum / np.linalg.norm(momentum)
    axis = body.axes[0] - (body.axes[0] @ along) * along
    if np.linalg.norm(axis) < 1e-8:  # a steady rotation about it: the middle axis tells the angle
        axis = body.axes[1] - (body.axes[1] @ along) * along
    axis /= np.linalg.norm(axis)
    frame = np.array([axis, np.cross(along, axis), along])  # its azimuth is zero, the momentum along axis 3
    s, c = np.sin(azimuth), np.cos(azimuth)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    x, y, z = direction / length
    # The smallest rotation of axis 3 into the direction.
    tilt = np.array([1 + z, -y, x, 0.0]) if z > -1 + 1e-12 else np.array([0.0, 1.0, 0.0, 0.0])
    return _quaternion(_matrix(tilt / np.linalg.norm(tilt)) @ turn @ frame)


def _quaternion(r: np.ndarray) -> np.ndarray:
    """Of a rotation matrix: by the largest of its four components."""
    trace = np.trace(r)
    squares = np.array([trace, r[0, 0], r[1, 1], r[2, 2]])
    k = int(np.argmax(squares))
    if k == 0:
        q = np.array([1 + trace, r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    else:
        i = k - 1
        j, m = (i + 1) % 3, (i + 2) % 3
        q = np.empty(4)
        q[0] = r[m, j] - r[j, m]
        q[1 + i] = 1 + 2 * r[i, i] - trace
        q[1 + j] = r[j, i] + r[i, j]
        q[1 + m] = r[m, i] + r[i, m]
    return q / np.linalg.norm(q)
