"""The torques that have a name: each is a system of the command, and runs without a call of Python.

Their classes are made from the program's own list: `polhode.catalogue("systems")` has their keys and what they mean.

A uniform field that pulls at an arm fixed in the body, the heavy top, with the potential field . (Q arm):

>>> top = polhode.propagate(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200,
...                         torque=polhode.UniformField([0, 0, 1]))
>>> top.system, bool(np.abs(top.energy_error).max() < 1e-9)
('heavy-top', True)

A dipole in the field + swing cos(frequency t + phase), with the potential -(Q dipole) . field:

>>> needle = polhode.Dipole([0.3, 0.1, 0.2], field=[0, 0, 1], swing=[0, 0, 0.5], frequency=1.7)
>>> run = polhode.propagate(inertia=[1, 1.5, 2], momentum=[0.3, -0.2, 0.4], step=0.1, steps=100, torque=needle)
>>> bool(np.abs(run.field_momentum_error).max() < 1e-14)
True

The torque of a centre of attraction on a body in orbit about it, a satellite: either mean_motion, or semi_major_axis and
gravitational_parameter; with all angles zero the periapsis lies on axis 1 of space and the motion is towards axis 2.

>>> run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=[0, 0, 1], step=0.1, steps=100,
...                         torque=polhode.GravityGradient(mean_motion=1.0))
>>> bool(np.abs(run.jacobi_integral_error).max() < 1e-9)
True
"""
from __future__ import annotations

import inspect
import json
from typing import Any, ClassVar

from . import _core


class NamedTorque:
    """A torque of the program, by the keys that describe it."""

    kind: ClassVar[str]
    _table: ClassVar[str]
    __signature__: ClassVar[inspect.Signature]

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        try:
            self._given = self.__signature__.bind(*arguments, **keywords).arguments
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.__signature__.parameters:
            return self._given.get(name)
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._given.items())})"

    def system(self) -> dict[str, Any]:
        """The keys of [system] that describe it."""
        given = {key: value for key, value in self._given.items() if value is not None}
        return {self._table: given} if self._table else given


def _class_of(system: dict[str, Any]) -> type[NamedTorque]:
    keys = [key for key in system["keys"] if key["name"] != "inertia"]
    parameters = [
        inspect.Parameter(key["name"], inspect.Parameter.POSITIONAL_OR_KEYWORD,
                          default=inspect.Parameter.empty if key["required"] else None)
        for key in keys
    ]
    width = max(len(key["name"]) for key in keys)
    lines = [f"{key['name']:<{width}}  {key['meaning']}" for key in keys]
    summary = system["summary"]
    return type(system["torque"]["class"], (NamedTorque,), {
        "kind": system["name"], "_table": system["torque"]["table"], "__module__": "polhode",
        "__signature__": inspect.Signature(parameters),
        "__doc__": f"{summary[0].upper()}{summary[1:]}.\n\n    " + "\n    ".join(lines) + "\n",
    })


#: The classes by their names.
classes = {
    system["torque"]["class"]: _class_of(system)
    for system in json.loads(_core.catalogue("systems")) if "torque" in system
}
