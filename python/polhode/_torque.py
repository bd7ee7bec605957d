"""What acts on a body and has a name: each is a table [[torque]] of the command, and runs without a call of Python.

Their classes are made from the program's own list: `polhode.catalogue("torques")` has their keys and what they mean.

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

The torque of a centre of attraction on a body in orbit about it, a satellite: the orbit has a mean_motion (1 if nothing is given), or a
semi_major_axis with the gravitational_parameter, or a periapsis with it, at any eccentricity. With all angles zero the periapsis
lies on axis 1 of space and the motion is towards axis 2.

>>> run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=[0, 0, 1], step=0.1, steps=100,
...                         torque=polhode.GravityGradient(mean_motion=1.0))
>>> bool(np.abs(run.jacobi_integral_error).max() < 1e-9)
True

What is around the body, a constant torque in its frame, dissipation inside it: damping takes the momentum, dissipation the energy alone.

>>> body = dict(inertia=[1, 2, 2.5], momentum=[0.4, 0.3, 1], step=0.1, steps=100)
>>> run = polhode.propagate(**body, torque=[polhode.Damping(0.02), polhode.Constant([0, 0, 1e-3])])
>>> bool(np.linalg.norm(run.momentum[-1]) < np.linalg.norm(run.momentum[0]))
True
>>> run = polhode.propagate(**body, torque=polhode.Dissipation(0.05))
>>> bool(run.kinetic_energy[-1] < run.kinetic_energy[0]), bool(np.abs(run.spatial_momentum_error).max() < 1e-14)
(True, True)

The gravity gradient of a body whose positions are a table, here one at rest:

>>> planet = polhode.AttractingBody(1.0, times=[0, 6, 12], positions=[[2, 0, 0]] * 3, points=2)
>>> run = polhode.propagate(**body, torque=planet)
>>> bool(abs(np.linalg.norm(run.momentum[-1]) - np.linalg.norm(run.momentum[0])) > 1e-3)
True

Several at once, with functions of one's own among them: a satellite with a wheel, which a control law slows down.

>>> def law(q, omega, t):
...     return -0.02 * omega
>>> run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=[0.3, 0.2, 1], step=0.1, steps=100,
...                         torque=[polhode.GravityGradient(mean_motion=0.1), polhode.Wheels([0, 0, 0.3]), law])
>>> bool(np.linalg.norm(run.angular_velocity[-1]) < np.linalg.norm(run.angular_velocity[0]))
True
"""
from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from typing import Any, Callable, ClassVar, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import InputError


THREE_NUMBERS = 'a torque of three numbers is polhode.Constant([x, y, z]), in the body, or in space with frame="space"'


class NamedTorque:
    """A torque of the program, by the keys that describe it."""

    #: of [[torque]]
    kind: ClassVar[str]
    #: of the system that is this torque alone, if there is one
    system_kind: ClassVar[Optional[str]]
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

    def keys(self) -> dict[str, Any]:
        """The keys that describe it, of [[torque]] or of [system]."""
        given = {key: value for key, value in self._given.items() if value is not None}
        return {self._table: given} if self._table else given


class ChangingInertia:
    """An inertia tensor that is a function of time, in place of the body's.

    Where parts move relative to the body, their momentum relative to it is that of Wheels.

    >>> def growing(t):
    ...     return np.diag([1.0 + 0.1 * t, 2.0, 2.5])
    >>> run = polhode.propagate(inertia=[1, 2, 2.5], momentum=[1, 0, 0], step=0.1, steps=100,
    ...                         torque=polhode.ChangingInertia(growing))
    >>> [round(float(w), 12) for w in run.angular_velocity[[0, -1], 0]]
    [1.0, 0.5]
    """

    def __init__(self, tensor: Callable[[float], ArrayLike]) -> None:
        if not callable(tensor):
            raise InputError("ChangingInertia: the tensor must be a function of time")
        self.tensor = tensor


class MovingMasses:
    """Point masses that move in a body of given mass, each as (mass, position(t), velocity(t)) in the body's frame.

    >>> along = (0.1, lambda t: [0.1 * t, 0.0, 0.0], lambda t: [0.1, 0.0, 0.0])
    >>> run = polhode.propagate(inertia=[1, 2, 2.5], momentum=[0, 0, 1], step=0.1, steps=100,
    ...                         torque=polhode.MovingMasses(10.0, [along]))
    >>> bool(np.linalg.norm(run.spatial_momentum_error[-1]) < 1e-15)
    True
    """

    def __init__(self, body_mass: float, masses: Iterable[tuple[float, Callable[[float], ArrayLike],
                                                                 Callable[[float], ArrayLike]]]) -> None:
        if not isinstance(masses, Iterable):
            raise InputError(f"MovingMasses: the masses must be a list of (mass, position, velocity), not {type(masses).__name__}")
        self.body_mass = _mass(body_mass, "the mass of the body")
        self.masses = []
        for i, one in enumerate(masses):
            try:
                mass, position, velocity = one
            except (TypeError, ValueError):
                raise InputError(f"MovingMasses: masses[{i}] must be (mass, position, velocity), a number and two functions of time") from None
            self.masses.append((_mass(mass, f"masses[{i}][0]"), position, velocity))
        if not all(callable(position) and callable(velocity) for _, position, velocity in self.masses):
            raise InputError("MovingMasses: position and velocity of a mass must be functions of time")


def _mass(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"MovingMasses: {name} must be a number, not {type(value).__name__}") from None


def tables_of(torques: Iterable[Any]) -> tuple[list[dict[str, Any]], list[tuple[str, Any]]]:
    """The tables [[torque]], and the functions that they name by their index."""
    tables: list[dict[str, Any]] = []
    functions: list[tuple[str, Any]] = []

    def add_function(role: str, what: Any) -> None:
        tables.append({"kind": "function", "index": len(functions)})
        functions.append((role, what))

    for torque in torques:
        if isinstance(torque, type) and issubclass(torque, (NamedTorque, ChangingInertia, MovingMasses)):
            raise InputError(f"{torque.__name__} is a class: what acts is {torque.__name__}(...), with its numbers")
        if isinstance(torque, NamedTorque):
            if torque.kind == "wheels" and callable(torque.momentum):
                add_function("wheels", torque.momentum)
            else:
                tables.append({"kind": torque.kind, **torque.keys()})
        elif isinstance(torque, ChangingInertia):
            add_function("inertia", torque.tensor)
        elif isinstance(torque, MovingMasses):
            add_function("masses", (torque.body_mass, torque.masses))
        elif callable(torque):
            add_function("control" if _wants_omega(torque) else "torque", torque)
        elif isinstance(torque, (int, float, np.ndarray)):
            raise InputError(THREE_NUMBERS)
        else:
            raise InputError("a torque must be a function torque(q, t) or torque(q, omega, t), or one of "
                             f"{', '.join(classes)}, ChangingInertia and MovingMasses, not {type(torque).__name__}")
    return tables, functions


_TIMES = {"t", "time"}
_RATES = {"omega", "w", "rate", "rates", "angular_velocity"}


def _wants_omega(torque: Any) -> bool:
    """Whether a function is one of (q, omega, t), and not of (q, t): by the arguments that it requires."""
    try:
        parameters = inspect.signature(torque).parameters.values()
    except (TypeError, ValueError):  # compiled, without a signature
        return False
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in positional)
    any_number = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    name = getattr(torque, "__name__", type(torque).__name__)
    if required > 3 or (len(positional) < 2 and not any_number):
        raise InputError(f"the torque {name} must be a function of (q, t) or of (q, omega, t), and it takes "
                         f"{required} argument{'s' * (required != 1)}")
    # The names of other libraries' order, or of a function that has forgotten the time.
    names = [p.name for p in positional if p.default is p.empty]
    exchanged = len(names) == 3 and (names[1] in _TIMES or names[2] in _RATES)
    forgotten = len(names) == 2 and names[1] in _RATES
    if exchanged or forgotten or (names and names[0] in _TIMES | _RATES):
        raise InputError(f"the torque {name} takes ({', '.join(names)}), and would be given "
                         f"{'(q, omega, t)' if len(names) == 3 else '(q, t)'}: it must be a function of (q, t) or of (q, omega, t)")
    return required == 3


def _class_of(torque: dict[str, Any], systems: dict[str, str]) -> type[NamedTorque]:
    keys = torque["keys"]
    parameters = [
        inspect.Parameter(key["name"], inspect.Parameter.POSITIONAL_OR_KEYWORD,
                          default=inspect.Parameter.empty if key["required"] else None)
        for key in keys
    ]
    width = max(len(key["name"]) for key in keys)
    lines = [f"{key['name']:<{width}}  {key['meaning']}" for key in keys]
    if torque["name"] == "wheels":
        lines[0] += "; or a function of time"
    summary = torque["summary"]
    return type(torque["class"], (NamedTorque,), {
        "kind": torque["name"], "system_kind": systems.get(torque["name"]), "_table": torque["table"],
        "__module__": "polhode", "__signature__": inspect.Signature(parameters),
        "__doc__": f"{summary[0].upper()}{summary[1:]}.\n\n    " + "\n    ".join(lines) + "\n",
    })


def _classes() -> dict[str, type[NamedTorque]]:
    systems = {system["torque"]: system["name"] for system in json.loads(_core.catalogue("systems")) if "torque" in system}
    return {torque["class"]: _class_of(torque, systems) for torque in json.loads(_core.catalogue("torques"))}


#: The classes by their names.
classes = _classes()
