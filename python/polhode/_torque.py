"""The torques that have a name: each is a system of the command, and runs without a call of Python."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Optional

from numpy.typing import ArrayLike

Vector = ArrayLike  # three numbers


class NamedTorque:
    """What the torques of this module have in common: the keys of [system] that describe them."""

    kind: ClassVar[str]

    def system(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True)
class UniformField(NamedTorque):
    """A uniform field that pulls at an arm fixed in the body: the heavy top. The potential is field . (Q arm).

    field  in space: m g l times the upward vertical
    arm    in the body, from the fixed point to the centre of mass

    >>> top = polhode.propagate(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200,
    ...                         torque=polhode.UniformField([0, 0, 1]))
    >>> top.system, bool(np.abs(top.energy_error).max() < 1e-9)
    ('heavy-top', True)
    """

    kind: ClassVar[str] = "heavy-top"
    field: Vector
    arm: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Dipole(NamedTorque):
    """A dipole in the field: field + swing cos(frequency t + phase). The potential is -(Q dipole) . field.

    >>> needle = polhode.Dipole([0.3, 0.1, 0.2], field=[0, 0, 1], swing=[0, 0, 0.5], frequency=1.7)
    >>> run = polhode.propagate(inertia=[1, 1.5, 2], momentum=[0.3, -0.2, 0.4], step=0.1, steps=100, torque=needle)
    >>> bool(np.abs(run.field_momentum_error).max() < 1e-14)
    True
    """

    kind: ClassVar[str] = "dipole"
    dipole: Vector
    field: Optional[Vector] = None
    swing: Optional[Vector] = None
    frequency: Optional[float] = None
    phase: Optional[float] = None


@dataclass(frozen=True)
class GravityGradient(NamedTorque):
    """The torque of a centre of attraction on a body in orbit about it: a satellite.

    Either mean_motion, or semi_major_axis and gravitational_parameter; angles in radians; with all angles zero the
    periapsis lies on axis 1 of space and the motion is towards axis 2.

    >>> run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=[0, 0, 1], step=0.1, steps=100,
    ...                         torque=polhode.GravityGradient(mean_motion=1.0))
    >>> bool(np.abs(run.jacobi_integral_error).max() < 1e-9)
    True
    """

    kind: ClassVar[str] = "satellite"
    mean_motion: Optional[float] = None
    semi_major_axis: Optional[float] = None
    gravitational_parameter: Optional[float] = None
    eccentricity: Optional[float] = None
    inclination: Optional[float] = None
    ascending_node: Optional[float] = None
    argument_of_periapsis: Optional[float] = None
    mean_anomaly: Optional[float] = None

    def system(self) -> dict[str, Any]:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return {"orbit": {key: value for key, value in given.items() if value is not None}}
