"""Many bodies at once."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import InputError
from ._result import Rows, attach
from ._torque import NamedTorque, tables_of
from ._typing import Inertia, Rotation
from ._values import number_array, plain, plain_tables
from ._warnings import warn_of, warned


class BatchResult(Rows):
    """The rows of a run of many bodies as NumPy arrays.

    t                  (n,)       time
    momentum           (n, N, 3)  angular momentum in the body frame
    attitude           (n, N, 4)  quaternion from body to space, scalar first, of norm one
    angular_velocity   (n, N, 3)  in the body frame
    system, method, details, step, steps, every, bodies, warnings, seconds, scenario (of the first body, in TOML)

    >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=np.ones((5, 3)), step=0.1, steps=100)
    >>> run
    BatchResult(free-body, exact: 5 bodies, 100 steps of 0.1, to time 10.0; 11 rows)
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(record["arrays"])
        self.system: str = record["system"]
        self.method: str = record["method"]
        self.details: str = record["details"]
        self.step: float = record["step"]
        #: the steps that were taken; those that were asked for are planned_steps
        self.steps: int = record["taken"]
        self.planned_steps: int = record["steps"]
        self.every: int = record["every"]
        self.bodies: int = record["bodies"]
        self.warnings: list[str] = record["warnings"]
        self.scenario: str = record["scenario"]
        self.seconds: float = record["seconds"]

    @property
    def complete(self) -> bool:
        """Whether all steps were taken that were asked for."""
        return self.steps == self.planned_steps

    def rotations(self) -> Any:
        """The attitudes as a scipy Rotation of all of them, row after row: n N rotations.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=np.ones((5, 3)), step=0.1, steps=100)
        >>> run.rotations().apply([0, 0, 1]).reshape(len(run), run.bodies, 3).shape     # axis 3 of each body, in space
        (11, 5, 3)
        """
        from ._rotation import to_rotation

        return to_rotation(self.attitude.reshape(-1, 4))

    def __repr__(self) -> str:
        method = f"{self.method} ({self.details})" if self.details else self.method
        taken = f"{self.steps}" if self.complete else f"{self.steps} of {self.planned_steps}"
        time = self.t[-1].item() if len(self) else 0.0
        return (f"BatchResult({self.system}, {method}: {self.bodies} bodies, {taken} steps of {self.step!r}, to time "
                f"{time!r}; {len(self)} rows{warned(self.warnings)})")


def is_batch(momentum: Optional[ArrayLike], angular_velocity: Optional[ArrayLike]) -> bool:
    """Whether the state is that of many bodies."""
    return any(value is not None and not isinstance(value, str) and _dimensions(value, name) == 2
               for name, value in (("momentum", momentum), ("angular_velocity", angular_velocity)))


def _dimensions(value: Any, name: str) -> int:
    wanted = f"{name} must have the shape (3,), or (N, 3) for many bodies"
    try:
        shape = np.shape(value)
    except ValueError:
        raise InputError(f"{wanted}: this makes no array; are its rows of different lengths?") from None
    if len(shape) > 2:
        raise InputError(f"{wanted}, not {shape}")
    return len(shape)


def separated(acting: Sequence[Any], bodies: int) -> tuple[list[Any], list[list[Any]]]:
    """What acts on the first body, and on each where it is given for each."""
    lists = [entry for entry in acting if isinstance(entry, (list, tuple))]
    for entry in lists:
        if len(entry) != bodies:
            raise InputError(f"a list of torques, one for each body, has {len(entry)} for {bodies} bodies")
        if not all(isinstance(one, NamedTorque) and one.kind == entry[0].kind for one in entry):
            raise InputError("a list of torques, one for each body, must be of one class: GravityGradient, Damping, ...")
    first = [entry[0] if isinstance(entry, (list, tuple)) else entry for entry in acting]
    if not lists:
        return first, []
    return first, [[entry[i] if isinstance(entry, (list, tuple)) else entry for entry in acting] for i in range(bodies)]


def run_batch(tables: Mapping[str, Any], torques: list[dict[str, Any]], own: list[list[Any]],
              functions: list[tuple[str, Any]], inertia: Inertia, momentum: Optional[ArrayLike],
              angular_velocity: Optional[ArrayLike], attitude: Union[None, ArrayLike, Rotation], every: Optional[int],
              threads: Optional[int]) -> BatchResult:
    if momentum is not None and angular_velocity is not None:
        raise InputError("momentum and angular_velocity are both given: leave one of them out")
    if every is None or every <= 0:
        raise InputError(f"every must be a positive integer, not {every!r}")
    if threads is None or threads < 0:
        raise InputError(f"threads must be a number of threads, or 0, not {threads!r}")
    if threads > 4096:
        raise InputError(f"threads is too large: {threads}")
    name = "momentum" if momentum is not None else "angular_velocity"
    states = number_array(momentum if momentum is not None else angular_velocity, name)
    if states.shape[1] != 3:
        raise InputError(f"{name} must have the shape (N, 3), not {states.shape}")
    if not len(states):
        raise InputError(f"{name} has no body: the shape is {states.shape}")
    attitudes = _attitudes(attitude, len(states))
    bodies = _inertia(inertia)
    first = {**tables, "system": {**tables["system"], "inertia": _first(bodies, len(states))},
             "state": {**tables["state"], "momentum": None, "angular_velocity": None, name: states[0],
                       "attitude": attitudes[0]}}
    given = _scenario(first, torques, functions)
    scenarios = [_scenario(first, *tables_of(acting)) for acting in own]
    try:
        record, failure = _core.run_batch(given, scenarios, "propagate", functions, bodies, states, attitudes,
                                          angular_velocity is not None, every, threads)
    except BaseException as error:  # Ctrl-C too
        if functions and not isinstance(error, InputError):
            attach(error, None)
        raise
    result = BatchResult(record)
    if failure is not None:
        attach(failure, result)
        raise failure
    warn_of(result.warnings)
    return result


def _scenario(tables: Mapping[str, Any], torques: list[dict[str, Any]], functions: list[tuple[str, Any]]) -> dict[str, Any]:
    """That of one body. Functions of arrays are not in it."""
    given: dict[str, Any] = plain_tables(tables)
    del given["output"]
    kept = [{key: plain(value, f"torque[{i}].{key}") for key, value in table.items()}
            for i, table in enumerate(torques)
            if table["kind"] != "function" or functions[table["index"]][0] not in ("torque", "control")]
    if kept:
        given["torque"] = kept
    return given


def _attitudes(attitude: Any, bodies: int) -> np.ndarray:
    given = _core.quaternions([1.0, 0.0, 0.0, 0.0] if attitude is None else attitude)
    if given.shape == (4,):
        given = np.tile(given, (bodies, 1))
    if given.shape != (bodies, 4):
        raise InputError(f"attitude must have the shape (4,) or ({bodies}, 4), a quaternion for each body, or be matrices of the shape "
                         f"(3, 3) or ({bodies}, 3, 3); these are {len(given) if given.ndim > 1 else 1} attitudes of the shape {given.shape}")
    return given


def _inertia(inertia: Any) -> np.ndarray:
    return number_array(inertia.inertia if isinstance(inertia, _core.Body) else inertia, "inertia")


def _first(inertia: np.ndarray, bodies: int) -> np.ndarray:
    """That of the first body. (3, 3) is a tensor, as in step(); with three bodies it is their moments, and refused there where it may be
    a tensor. (1, 3, 3) is one tensor for all."""
    if inertia.ndim == 3 or (inertia.ndim == 2 and (inertia.shape != (3, 3) or bodies == 3)):
        if len(inertia) != bodies and inertia.shape != (1, 3, 3):
            raise InputError(f"there are {len(inertia)} inertias for {bodies} bodies")
        return inertia[0]
    return inertia
