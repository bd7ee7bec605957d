"""Runs: from keywords, or from a scenario file."""
from __future__ import annotations

import functools
import json
import operator
import os
import subprocess
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from numpy.typing import ArrayLike

from . import _core
from ._core import InputError
from ._hdf5 import require_h5py, write_hdf5
from ._reproduce import command
from ._result import Result
from ._rotation import from_rotation, is_rotation
from ._scheme import Scheme
from ._torque import NamedTorque
from ._typing import ConservativeTorque, Inertia, PathLike, Rotation, TorqueFunction
from ._values import parsed, plain, plain_tables

#: The kind of system whose torque is a function of the caller.
PYTHON_TORQUE = "python-torque"


def propagate(
    *,
    inertia: Inertia,
    momentum: Optional[ArrayLike] = None,
    attitude: Union[None, ArrayLike, Rotation] = None,
    step: float,
    steps: Optional[int] = None,
    method: str = "exact",
    every: int = 10,
    torque: Union[None, NamedTorque, str, TorqueFunction, ConservativeTorque] = None,
    angular_velocity: Optional[ArrayLike] = None,
    duration: Optional[float] = None,
    compensated: Optional[bool] = None,
    scheme: Union[None, str, Scheme, Mapping[str, Any]] = None,
    free: Optional[str] = None,
    output: Optional[PathLike] = None,
    **others: Any,
) -> Result:
    """Moves a rigid body, free or under a torque, and returns what it did.

    The result is that of the command for the same scenario, bit for bit.

    inertia    principal moments in any order, a symmetric 3x3 tensor, or a Body
    momentum   in the body frame; or angular_velocity instead
    attitude   quaternion from body to space, scalar first; or a 3x3 matrix, or a scipy Rotation; default: the identity
    step       of any length and sign
    steps      how many; or duration, a whole number of steps
    method     a method of `polhode list methods`; under a torque the method of the free motion, or splitting, sej, mr, rk4
    every      a row of the result every so many steps, and the last
    torque     None; UniformField, Dipole or GravityGradient; a system's name, its keys following as keywords; or a function
               torque(q, t) of the unit quaternion and the time that returns the torque in the body frame. A function with
               an attribute potential(q, t) lets the energy be followed.
    scheme     under a torque: the splitting scheme, of `polhode list schemes`; or a Scheme, or a dict of its a and b
    free       under a torque, with method="splitting": the method of the free motion
    compensated, and other options of the method by their names, as `polhode list methods` tells them: quadrature, frame
    output     a file for the rows too: .csv; .h5, which needs h5py; .xyz for molecules

    An exception of the torque, and Ctrl-C, arrive as they are; what was computed until then is their attribute
    `polhode_result` (None if the run had not begun). Wrong input is an InputError with the sentence of the command.

    >>> run = polhode.propagate(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84], step=0.01, steps=1000)
    >>> run.t.shape, run.momentum.shape, run.attitude.shape
    ((101,), (101, 3), (101, 4))
    >>> bool(np.abs(run.energy_error).max() < 1e-16)
    True

    A torque of one's own: a force along axis 3 of space that pulls at the point (0, 0, 1) of the body.

    >>> def pull(q, t):
    ...     w, x, y, z = q
    ...     seen = 2 * (x * z - w * y), 2 * (y * z + w * x)     # of the direction (0, 0, 1)
    ...     return [-seen[1], seen[0], 0.0]
    >>> top = dict(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200, scheme="rkn6-14")
    >>> run = polhode.propagate(**top, torque=pull)
    >>> top = polhode.propagate(**top, torque="heavy-top", field=[0, 0, -1])
    >>> bool(np.abs(run.attitude - top.attitude).max() < 1e-14)
    True
    """
    name, free_method, function = _method(method, torque, scheme, free)
    options = {key: value for key, value in others.items() if key in _method_options()}
    system = {key: value for key, value in others.items() if key not in options}
    tables = {
        "system": {"kind": _kind(torque), "inertia": _inertia(inertia), **_system(torque, system)},
        "state": {"momentum": momentum, "angular_velocity": angular_velocity, "attitude": _attitude(attitude)},
        "method": {
            "name": name, "step": step, "steps": _count(steps, "steps"), "duration": duration, "scheme": scheme,
            "free": free_method, "compensated": compensated, **options,
        },
    }
    return _run(plain_tables(tables), "propagate", {}, every, function, output)


def load(path: PathLike, overrides: Optional[Mapping[str, Any]] = None) -> "Scenario":
    """A scenario file, examined and not yet run.

    overrides  values for dotted keys, as the option --set of the command gives them: {"method.step": 0.02}

    >>> water = polhode.load(examples / "water-molecule.toml")
    >>> water.system, water.method, water.steps
    ('free-body', 'exact', 1000000)
    >>> water.run({"method.steps": 1000}, every=100).t[-1]
    10.0
    """
    file = os.fspath(path)
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: this is not TOML: it is not UTF-8") from None
    return Scenario(text, file, dict(overrides or {}))


class Scenario:
    """A system, its initial state and its method, from a file or a text in TOML.

    >>> top = polhode.Scenario('''
    ... [system]
    ... kind = "heavy-top"
    ... inertia = [1.0, 1.0, 0.5]
    ... field = [0.0, 0.0, 1.0]
    ... [state]
    ... momentum = [0.0, 0.1, 5.0]
    ... [method]
    ... name = "splitting"
    ... step = 0.05
    ... steps = 1000
    ... ''')
    >>> top
    Scenario(scenario: heavy-top, splitting, 1000 steps of 0.05)
    >>> top.run().vertical_momentum_error.shape
    (1001,)
    """

    def __init__(self, text: str, name: str = "scenario", overrides: Optional[Mapping[str, Any]] = None) -> None:
        self.source = text
        self.name = name
        self.overrides = _overrides(overrides)
        self._tables = parsed(text, name)
        self._about = _core.examine(self._tables, name, self.overrides)

    @property
    def system(self) -> str:
        """The kind of system."""
        return self._about["system"]

    @property
    def method(self) -> str:
        return self._about["method"]

    @property
    def step(self) -> float:
        return self._about["step"]

    @property
    def steps(self) -> int:
        return self._about["steps"]

    @property
    def warnings(self) -> list[str]:
        """What doubtful input deserves a sentence, but not a refusal."""
        return list(self._about["warnings"])

    @property
    def text(self) -> str:
        """The scenario as it is run, with all keys."""
        return self._about["scenario"]

    def run(
        self,
        overrides: Optional[Mapping[str, Any]] = None,
        *,
        every: Optional[int] = None,
        output: Optional[PathLike] = None,
    ) -> Result:
        """Runs it; every=None takes a thousand rows. Further overrides are put over those of the scenario."""
        return _run(self._tables, self.name, {**self.overrides, **_overrides(overrides)},
                    0 if every is None else every, None, output, automatic=every is None)

    def __repr__(self) -> str:
        return f"Scenario({self.name}: {self.system}, {self.method}, {self.steps} steps of {self.step!r})"


def catalogue(part: str = "") -> Any:
    """What there is, as the command lists it: systems, methods, schemes, experiments; all of them without a part.

    >>> [method["name"] for method in polhode.catalogue("methods")][:3]
    ['exact', 'frb-matrix', 'frb-quaternion']
    """
    parts = ("", "systems", "methods", "schemes", "experiments")
    if part not in parts:
        raise InputError(f"list: there is no part {part!r}; there are {', '.join(parts[1:])}")
    if part == "experiments":
        return _experiments()
    listed = json.loads(_core.catalogue(part))
    if not part:
        listed["experiments"] = _experiments()
    return listed


def _experiments() -> Any:
    """Those of the command, which has them."""
    done = subprocess.run([command(), "list", "experiments", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@functools.lru_cache(maxsize=None)
def _method_options() -> frozenset[str]:
    """The options of the methods for bodies."""
    return frozenset(option["name"] for method in json.loads(_core.catalogue("methods")) for option in method["options"]
                     if "free-body" in method["systems"])


def _run(tables: Mapping[str, Any], name: str, overrides: Mapping[str, Any], every: Any, torque: Any, output: Any,
         automatic: bool = False) -> Result:
    interval = 0 if automatic else _count(every, "every")
    if interval is None or (interval <= 0 and not automatic):
        raise InputError(f"every must be a positive integer, not {every!r}")
    file = "" if output is None else os.fspath(output)
    in_python = file.endswith(".h5")
    if in_python:
        require_h5py(file)
    try:
        record, failure = _core.run(tables, name, overrides, interval, torque, "" if in_python else file)
    except BaseException as error:  # Ctrl-C too
        if torque is not None and not isinstance(error, InputError):
            _attach(error, None)
        raise
    result = Result(record)
    if in_python:
        write_hdf5(result, file, "completed" if failure is None else "stopped")
    if failure is not None:
        _attach(failure, result)
        raise failure
    return result


def _attach(error: BaseException, result: Optional[Result]) -> None:
    try:
        error.polhode_result = result  # type: ignore[attr-defined]
    except AttributeError:  # an exception with slots: it has to arrive unchanged, so it arrives alone
        pass


def _overrides(overrides: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    return {key: plain(value, key) for key, value in (overrides or {}).items()}


def _count(value: Any, name: str) -> Optional[int]:
    if value is None:
        return None
    if isinstance(value, bool):
        raise InputError(f"{name} must be an integer, not {value}")
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be an integer, not {value!r}") from None


def _kind(torque: Any) -> str:
    if torque is None:
        return "free-body"
    if isinstance(torque, str):
        return torque
    return torque.kind if isinstance(torque, NamedTorque) else PYTHON_TORQUE


def _system(torque: Any, others: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(torque, str) and others:
        unknown = next(iter(others))
        raise TypeError(f"propagate() got an unexpected keyword argument {unknown!r}")
    return torque.system() if isinstance(torque, NamedTorque) else others


def _method(method: str, torque: Any, scheme: Any,
            free: Optional[str]) -> tuple[str, Optional[str], Optional[TorqueFunction]]:
    """The name of [method], the key free, and the function to call."""
    if torque is None or torque == "free-body":
        if scheme is not None or free is not None:
            raise InputError("scheme and free belong to a body under torque, and no torque is given")
        return method, None, None
    if not isinstance(torque, (str, NamedTorque)) and not callable(torque):
        raise InputError("torque must be None, a function torque(q, t), the name of a system, or one of UniformField, "
                         f"Dipole and GravityGradient, not {type(torque).__name__}")
    function = None if isinstance(torque, (str, NamedTorque)) else torque
    driven = {entry["name"] for entry in catalogue("methods") if "satellite" in entry["systems"]}
    if method in driven:
        return method, free, function
    # The method of a free motion: what it moves between the kicks.
    if free is not None and method != "exact":
        raise InputError(f"method and free both name a free motion, {method!r} and {free!r}: leave one of them out")
    return "splitting", free or method, function


def _inertia(inertia: Any) -> Any:
    return inertia.inertia if isinstance(inertia, _core.Body) else inertia


def _attitude(attitude: Any) -> Any:
    return from_rotation(attitude) if is_rotation(attitude) else attitude
