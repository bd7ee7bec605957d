"""Runs: from keywords, or from a scenario file."""
from __future__ import annotations

import functools
import json
import math
import operator
import os
import subprocess
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._batch import BatchResult, is_batch, run_batch, separated
from ._core import InputError
from ._events import EventFunction, watched
from ._hdf5 import require_h5py, write_hdf5
from ._reproduce import command
from ._result import Result, attach
from ._rotation import from_rotation, is_rotation
from ._scheme import Scheme
from ._torque import THREE_NUMBERS, ChangingInertia, MovingMasses, NamedTorque, tables_of
from ._typing import Inertia, PathLike, Rotation, Torque
from ._values import number_array, parsed, plain, plain_tables, text_of
from ._warnings import warn_of, warned

#: The kind of system that has tables [[torque]].
DRIVEN_BODY = "driven-body"


def propagate(
    *,
    inertia: Inertia,
    momentum: Optional[ArrayLike] = None,
    attitude: Union[None, ArrayLike, Rotation] = None,
    step: Optional[float] = None,
    steps: Optional[int] = None,
    method: str = "exact",
    every: Optional[int] = None,
    torque: Union[None, str, Torque, Sequence[Torque]] = None,
    angular_velocity: Optional[ArrayLike] = None,
    duration: Optional[float] = None,
    compensated: Optional[bool] = None,
    scheme: Union[None, str, Scheme, Mapping[str, Any]] = None,
    free: Optional[str] = None,
    output: Optional[PathLike] = None,
    start_time: float = 0.0,
    times: Optional[ArrayLike] = None,
    events: Union[None, EventFunction, Sequence[EventFunction]] = None,
    dense: bool = False,
    threads: int = 1,
    **others: Any,
) -> Union[Result, BatchResult]:
    """Moves a rigid body, free or under a torque, and returns what it did.

    The result is that of the command for the same scenario, bit for bit.

    inertia    principal moments in any order, a symmetric 3x3 tensor, or a Body
    momentum   in the body frame; or angular_velocity instead
    attitude   quaternion from body to space, scalar first; or a 3x3 matrix, or a scipy Rotation; default: the identity
    step       of any length and sign
    steps      how many; two of step, steps and duration are given
    method     a method of `polhode list methods`; under a torque the method of the free motion, or splitting, sej, mr, rk4
    every      a row of the result every so many steps (10 unless it is given), and the last
    torque     None; what acts on the body, or a list of several; or a system's name, its keys following as keywords. What acts is
               UniformField, Dipole, GravityGradient, AttractingBody, Constant, Damping, Wheels, Dissipation,
               ChangingInertia, MovingMasses; or a function torque(q, t) or torque(q, omega, t) of the unit quaternion, the angular
               velocity in the body and the time that returns the torque in the body frame. A function of (q, t) with an
               attribute potential(q, t) lets the energy be followed.
    scheme     under a torque: the splitting scheme, of `polhode list schemes`; or a Scheme, or a dict of its a and b. Without
               one it is chosen by what acts.
    free       under a torque, with method="splitting": the method of the free motion
    others     compensated, and other options of the method by their names, as `polhode list methods` tells them: quadrature, frame
    output     a file for the rows too: .csv; .h5, which needs h5py; .aem and .msopck, attitudes for spacecraft; .xyz for molecules
    start_time the time at the beginning
    times      of the rows, instead of every; steps may be left out then
    events     functions event(t, state) that are watched for a change of sign, state.momentum, .attitude, .angular_velocity and
               what else a row has; with attributes terminal (True ends the run) and direction (1: rising only, -1: falling
               only), as scipy's solve_ivp has them. Changes are seen at the ends of steps. -> run.t_events, run.at_events
    dense      keep what run.at(times) needs: the motion at any time within the run

    Many bodies at once, each with the bits that it has alone: momentum or angular_velocity (N, 3), attitude (N, 4) or one for all,
    inertia (3,) or (N, 3), also tensors. (Of three bodies an array (3, 3) is the moments of each, and refused if it is symmetric.)
    The results are (rows, N, 3) and (rows, N, 4) of a BatchResult. A function gets arrays, torque(q, t) or torque(q, omega, t)
    with q (N, 4) and omega (N, 3), and returns (N, 3). In the list of what acts, a list of N torques of one class has one for
    each body. They go by the exact free motion; events, times, dense and output are for one body.
    threads    of a batch; 0: as many as the machine has. Functions are called by one of them

    An exception of a torque or an event, and Ctrl-C, arrive as they are; what was computed until then is their attribute
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

    The moments at which the body, nearly in rotation about its middle axis, turns over:

    >>> def over(t, state):
    ...     return state.angular_velocity[1]
    >>> run = polhode.propagate(inertia=[1, 2, 3], angular_velocity=[0, 1, 1e-3], step=0.1, steps=600, events=over)
    >>> run.t_events[0].round(3).tolist()
    [13.414, 40.243]

    A hundred satellites with attitudes of their own, under gravity and a control law for all of them:

    >>> def law(q, omega, t):
    ...     return -0.02 * omega
    >>> attitudes = np.random.default_rng(1).normal(size=(100, 4))
    >>> attitudes /= np.linalg.norm(attitudes, axis=1, keepdims=True)
    >>> run = polhode.propagate(inertia=[1, 2, 2.5], angular_velocity=np.tile([0, 0, 1.0], (100, 1)), attitude=attitudes, step=0.1,
    ...                         steps=50, torque=[polhode.GravityGradient(mean_motion=1.0), law])
    >>> run.momentum.shape, run.attitude.shape
    ((6, 100, 3), (6, 100, 4))
    """
    acting = torque if isinstance(torque, (list, tuple)) else [torque]
    if is_batch(momentum, angular_velocity):
        single = {"events": events, "times": times, "output": output, "dense": dense or None}
        for key, value in single.items():
            if value is not None:
                raise InputError(f"{key} is for one body: momentum is that of many")
    elif threads != 1:
        raise InputError("threads are for many bodies at once: momentum is that of one")
    name, free_method = _method(method, torque, scheme, free)
    many = is_batch(momentum, angular_velocity)
    if many:
        acting, own = separated(acting, len(momentum if momentum is not None else angular_velocity))
    torques, functions = tables_of(acting) if _kind(torque) == DRIVEN_BODY and not isinstance(torque, str) else ([], [])
    options = {key: value for key, value in others.items() if key in _method_options()}
    system = {key: value for key, value in others.items() if key not in options}
    tables = {
        "system": {"kind": _kind(torque), "inertia": _inertia(inertia), **_system(torque, system)},
        "state": {"momentum": momentum, "angular_velocity": angular_velocity, "attitude": _attitude(attitude),
                  "time": start_time if start_time else None},
        "method": {
            "name": name, "step": step, "steps": _steps(steps, duration, times, start_time, step), "duration": duration,
            "scheme": scheme, "free": free_method, "compensated": compensated, **options,
        },
        "output": {"times": times},
    }
    if times is not None and every is not None:
        raise InputError("times and every are both given: leave one of them out")
    if many:
        return run_batch(tables, torques, own, functions, inertia, momentum, angular_velocity, attitude,
                         _count(10 if every is None else every, "every"), _count(threads, "threads"))
    given = plain_tables(tables)
    if times is None:
        del given["output"]
    if torques:
        given["torque"] = [{key: plain(value, f"torque[{i}].{key}") for key, value in table.items()}
                           for i, table in enumerate(torques)]
    return _run(given, "propagate", {}, 10 if every is None else every, functions or None, output, events=events,
                dense=dense)


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
    return Scenario(text_of(file, "TOML"), file, dict(overrides or {}))


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
        """The name of the method."""
        return self._about["method"]

    @property
    def step(self) -> float:
        """The length of a step."""
        return self._about["step"]

    @property
    def steps(self) -> int:
        """How many steps a run takes."""
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
        events: Union[None, EventFunction, Sequence[EventFunction]] = None,
        dense: bool = False,
    ) -> Result:
        """Runs it. every=None has a row after each step up to 1999 steps, and every steps // 1000 of more: 2000 rows at most. Further
        overrides are put over those of the scenario. events and dense are those of propagate(); the events follow those that the
        scenario has itself.

        >>> water = polhode.load(examples / "water-molecule.toml")
        >>> [len(water.run({"method.steps": steps})) for steps in (50, 1999, 2000)]
        [51, 2000, 1001]
        """
        return _run(self._tables, self.name, {**self.overrides, **_overrides(overrides)},
                    0 if every is None else every, None, output, automatic=every is None, events=events, dense=dense)

    def __repr__(self) -> str:
        return (f"Scenario({self.name}: {self.system}, {self.method}, {self.steps} steps of {self.step!r}"
                f"{warned(self.warnings)})")


def catalogue(part: str = "") -> Any:
    """What there is, as the command lists it: systems, torques, methods, schemes, experiments; all without a part. The
    experiments are those of the command, where it is installed.

    >>> [method["name"] for method in polhode.catalogue("methods")][:3]
    ['exact', 'frb-matrix', 'frb-quaternion']
    """
    parts = ("", "systems", "torques", "methods", "schemes", "experiments")
    if part not in parts:
        raise InputError(f"list: there is no part {part!r}; there are {', '.join(parts[1:])}")
    if part == "experiments":
        return _experiments()
    listed = json.loads(_core.catalogue(part))
    if not part:
        try:
            listed["experiments"] = _experiments()
        except FileNotFoundError:
            listed.pop("experiments", None)  # they cannot be run either
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


def _run(tables: Mapping[str, Any], name: str, overrides: Mapping[str, Any], every: Any, functions: Any, output: Any,
         automatic: bool = False, events: Any = None, dense: bool = False) -> Result:
    interval = 0 if automatic else _count(every, "every")
    if interval is None or (interval <= 0 and not automatic):
        raise InputError(f"every must be a positive integer, not {every!r}")
    file = "" if output is None else os.fspath(output)
    in_python = file.endswith(".h5")
    if in_python:
        require_h5py(file)
    try:
        record, failure = _core.run(tables, name, overrides, interval, functions, file, in_python, watched(events),
                                    bool(dense))
    except BaseException as error:  # Ctrl-C too
        if (functions is not None or events is not None) and not isinstance(error, InputError):
            attach(error, None)
        raise
    result = Result(record)
    if in_python:
        write_hdf5(result, file, "completed" if failure is None else "stopped")
    if failure is not None:
        attach(failure, result)
        raise failure
    warn_of(result.warnings)
    return result


def _overrides(overrides: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    return {key: plain(value, key) for key, value in (overrides or {}).items()}


def _count(value: Any, name: str) -> Optional[int]:
    if value is None:
        return None
    if isinstance(value, bool):
        raise InputError(f"{name} must be an integer, not {value}")
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be an integer, not {value!r}") from None
    if not -(2**63) <= number < 2**63:
        raise InputError(f"{name} is an integer of more than 64 bits")
    return number


def _steps(steps: Any, duration: Any, times: Any, start: float, step: Optional[float]) -> Optional[int]:
    """How many; where times are given alone, as many as lead to the last of them."""
    if steps is not None or duration is not None or times is None:
        return _count(steps, "steps")
    if step is None:
        raise InputError("step is missing")
    given = number_array(times, "times")
    if given.ndim != 1 or not len(given):
        raise InputError(f"times must have the shape (n,), not {given.shape}")
    whole = (given[-1] - start) / step if step else np.nan
    if not 0 <= whole < 2.0**62:
        raise InputError(f"times must go on from {start} in the direction of the step, {step}")
    return max(1, math.ceil(whole * (1 - 1e-15) - 1e-9))


def _kind(torque: Any) -> str:
    if torque is None:
        return "free-body"
    if isinstance(torque, str):
        return torque
    if isinstance(torque, NamedTorque) and torque.system_kind is not None:
        return torque.system_kind
    return DRIVEN_BODY


def _system(torque: Any, others: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(torque, str) and others:
        unknown = next(iter(others))
        raise TypeError(f"propagate() got an unexpected keyword argument {unknown!r}")
    return torque.keys() if isinstance(torque, NamedTorque) and torque.system_kind is not None else others


def _method(method: str, torque: Any, scheme: Any, free: Optional[str]) -> tuple[str, Optional[str]]:
    """The name of [method], and the key free."""
    if torque is None or (isinstance(torque, str) and torque == "free-body"):
        if scheme is not None or free is not None:
            raise InputError("scheme and free belong to a body under torque, and no torque is given")
        return method, None
    if isinstance(torque, np.ndarray):
        raise InputError(THREE_NUMBERS)
    known = isinstance(torque, (str, list, tuple, NamedTorque, ChangingInertia, MovingMasses)) or callable(torque)
    if not known:
        raise InputError("torque must be None, a function torque(q, t) or torque(q, omega, t), the name of a system, one of "
                         "UniformField, Dipole, GravityGradient and the others, or a list of these, not "
                         f"{type(torque).__name__}")
    driven = {entry["name"] for entry in catalogue("methods") if "satellite" in entry["systems"]}
    if method in driven:
        return method, free
    # The method of a free motion: what it moves between the kicks.
    if free is not None and method != "exact":
        raise InputError(f"method and free both name a free motion, {method!r} and {free!r}: leave one of them out")
    return "splitting", free or method


def _inertia(inertia: Any) -> Any:
    return inertia.inertia if isinstance(inertia, _core.Body) else inertia


def _attitude(attitude: Any) -> Any:
    return from_rotation(attitude) if is_rotation(attitude) else attitude
