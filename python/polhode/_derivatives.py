"""Derivatives of motions, free and under torque: by the state, by moments of inertia, by parameters of what acts."""
from __future__ import annotations

from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import InputError
from ._propagate import DRIVEN_BODY, _attitude, _count, _inertia, _steps
from ._scheme import Scheme
from ._torque import tables_of
from ._typing import Inertia, Rotation, Torque
from ._values import number_array, plain, plain_tables
from ._warnings import warn_of

SchemeLike = Union[None, str, Scheme, Mapping[str, Any]]


class Derivatives(NamedTuple):
    """States of a motion and their derivatives.

    A change of a state is six numbers (dm, xi): of the momentum, and the small rotation of the attitude dq = q (0, xi)/2, both in
    the body frame. The columns of a derivative are what it is taken by.

    >>> motion = polhode.derivatives(inertia=[1, 2, 3], momentum=[0.1, 0.2, 0.5], step=0.1, steps=10)
    >>> motion.by_state.shape, motion.by_moments.shape, motion.differences
    ((2, 6, 6), (2, 6, 3), False)
    """

    t: np.ndarray
    #: (n, 3)
    momentum: np.ndarray
    #: (n, 4)
    attitude: np.ndarray
    #: by the state at the beginning, (n, 6, 6)
    by_state: np.ndarray
    #: by the moments, (n, 6, 3), the axes being kept: in the order that they were given in; of a tensor, in ascending order
    by_moments: np.ndarray
    #: by the parameters, (n, 6, k)
    by_parameters: np.ndarray
    #: whether differences of a torque were taken: of functions of Python without a derivative, and for parameters
    differences: bool


class LyapunovExponents(NamedTuple):
    """The exponents of a motion as they were seen on the way.

    >>> seen = polhode.lyapunov_exponents(inertia=[1, 2, 3], momentum=[0.1, 0.2, 0.5], step=0.1, steps=1000)
    >>> seen.values.shape, bool(abs(seen.values[-1]).max() < abs(seen.values[0]).max())
    ((16, 6), True)
    """

    #: since the beginning, (n,)
    t: np.ndarray
    #: at these times, the largest first, (n, 6)
    values: np.ndarray


def derivatives(
    *,
    inertia: Inertia,
    momentum: ArrayLike,
    attitude: Union[None, ArrayLike, Rotation] = None,
    step: float,
    steps: Optional[int] = None,
    torque: Union[None, Torque, Sequence[Torque], Callable[[np.ndarray], Any]] = None,
    parameters: Optional[ArrayLike] = None,
    scheme: SchemeLike = None,
    every: Optional[int] = None,
    times: Optional[ArrayLike] = None,
    start_time: float = 0.0,
) -> Derivatives:
    """A motion with its derivatives: by the state at the beginning, by the moments of inertia, by parameters of what acts.

    They are the derivatives of the steps themselves, with round-off as their only error: that of the exact free motion, of its
    variants with wheels, dissipation and changing inertia, and of the kicks.

    torque      as for propagate(). The derivative of a function f(q, t) is its attribute derivative(q, t), a matrix whose column j
                belongs to a small rotation about the axis j of the body, dq = q (0, xi)/2; that of f(q, omega, t) is
                derivative(q, omega, t), a pair of matrices, by xi and by omega. Without one it is found by differences of order
                eight, to some 1e-13 of the torque, and `differences` is True.
    parameters  numbers p that what acts depends on: torque is then a function of the array p that returns what acts.
                The derivatives of the equations by p are differences of order eight, exact to round-off where they are
                polynomials of p.
    scheme      the splitting scheme; without one it is chosen by what acts
    every       a row every so many steps, and the last; the first row is the beginning
    times       of the rows, instead: in between steps are shortened

    A function of one's own is taken not to depend on the moments of inertia.

    >>> run = polhode.derivatives(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84], step=0.1, times=[0.0, 1.0, 10.0])
    >>> run.by_state.shape, run.by_moments.shape
    ((3, 6, 6), (3, 6, 3))
    >>> bool(np.abs(run.by_state[-1] - polhode.state_transition([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], 10.0)).max() < 1e-13)
    True

    A top, by the strength of its field:

    >>> top = polhode.derivatives(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200, parameters=[1.0],
    ...                           torque=lambda p: polhode.UniformField([0, 0, p[0]]))
    >>> top.by_parameters.shape
    (2, 6, 1)
    """
    values = np.zeros(0) if parameters is None else np.atleast_1d(number_array(parameters, "parameters"))
    if values.ndim != 1:
        raise InputError(f"parameters must have the shape (k,), not {values.shape}")
    if parameters is not None and not callable(torque):
        raise InputError("with parameters, torque must be a function of them that returns what acts")
    make = torque if parameters is not None else lambda _: torque

    def scenario(at: np.ndarray) -> tuple[dict[str, Any], list[Any]]:
        return _scenario(inertia, momentum, attitude, make(at.copy()), scheme, step, count, start_time)

    if times is not None and every is not None:
        raise InputError("times and every are both given: leave one of them out")
    count = _steps(steps, None, times, start_time, step)
    if count is None:
        raise InputError("steps must be given, or times")
    if times is None:
        interval = count if every is None else _count(every, "every")
        if interval is None or interval < 1:
            raise InputError(f"every must be a positive integer, not {every!r}")
        rows = np.unique(np.append(np.arange(0, count + 1, interval), count))
        at = start_time + step * rows
    else:
        at = number_array(times, "times")
    tables, functions = scenario(values)
    families = []
    for i in range(len(values)):
        def with_value(value: float, i: int = i) -> tuple[dict[str, Any], list[Any]]:
            changed = values.copy()
            changed[i] = value
            return scenario(changed)
        families.append((float(values[i]), with_value))
    *found, warnings = _core.driven_derivatives(tables, "derivatives", functions, at, families)
    warn_of(warnings)
    found[3] = _in_given_order(inertia, found[3])
    differences = len(values) > 0 or any(role in ("torque", "control") and not hasattr(function, "derivative")
                                         for role, function in functions)
    return Derivatives(at, *found, differences)


def state_transition(
    inertia: Union[Inertia, Sequence[_core.Body]],
    momentum: ArrayLike,
    step: float,
    *,
    threads: int = 1,
    torque: Union[None, Torque, Sequence[Torque]] = None,
    attitude: Union[None, ArrayLike, Rotation] = None,
    steps: int = 1,
    scheme: SchemeLike = None,
    start_time: float = 0.0,
) -> np.ndarray:
    """The state-transition matrix, 6x6 in the order (m, xi): of a free step of any length, for one momentum (3,) or many (N, 3);
    with a torque, of `steps` steps from one state.

    >>> phi = polhode.state_transition([0.345, 0.653, 1.0], [0.5, 0.2, 0.84], 1000.0)
    >>> phi.shape
    (6, 6)
    >>> bool(abs(np.linalg.det(phi) - 1) < 1e-7)
    True
    >>> phi = polhode.state_transition([1, 2, 2.5], [0.1, 0.2, 2.5], 0.05, torque=polhode.GravityGradient(mean_motion=1.0), steps=100)
    >>> bool(abs(np.linalg.det(phi) - 1) < 1e-12)
    True
    """
    if torque is None:
        _refuse_without_torque(attitude=attitude, scheme=scheme, steps=None if steps == 1 else steps)
        return _core.state_transition(inertia, momentum, step, threads=threads)
    return derivatives(inertia=inertia, momentum=momentum, attitude=attitude, step=step, steps=steps, torque=torque,
                       scheme=scheme, start_time=start_time).by_state[-1]


def lyapunov_exponents(
    inertia: Inertia,
    momentum: ArrayLike,
    step: float,
    steps: int,
    *,
    torque: Union[None, Torque, Sequence[Torque]] = None,
    attitude: Union[None, ArrayLike, Rotation] = None,
    scheme: SchemeLike = None,
    start_time: float = 0.0,
    looks: int = 16,
) -> LyapunovExponents:
    """All six Lyapunov exponents of a motion, at `looks` equal parts of the time.

    What they have not settled to by the last time is not known. Those of a regular motion fall like log(t)/t; those of a
    motion without damping come in pairs of either sign; their sum is minus the trace of the damping.

    >>> tumbling = polhode.lyapunov_exponents([0.6, 0.8, 0.95], [0.05, 0.1, 0.95], 0.05, 4000,
    ...                                       torque=polhode.GravityGradient(mean_motion=1.0, eccentricity=0.1))
    >>> tumbling.values.shape
    (16, 6)
    >>> bool(tumbling.values[-1, 0] > 0.05), bool(abs(tumbling.values[-1].sum()) < 1e-12)
    (True, True)
    """
    tables, functions = _scenario(inertia, momentum, attitude, torque, scheme, step, _count(steps, "steps"), start_time)
    looked = _count(looks, "looks")
    times, values, warnings = _core.driven_lyapunov(tables, "lyapunov_exponents", functions, looked)
    warn_of(warnings)
    return LyapunovExponents(times, values)


def lyapunov_exponent(
    inertia: Inertia,
    momentum: ArrayLike,
    step: float,
    steps: int,
    *,
    torque: Union[None, Torque, Sequence[Torque]] = None,
    attitude: Union[None, ArrayLike, Rotation] = None,
    scheme: SchemeLike = None,
    start_time: float = 0.0,
) -> float:
    """The finite-time Lyapunov exponent over `steps` steps: the growth rate of the largest change of the state. Under a torque it
    is the largest of lyapunov_exponents().

    >>> inertia, next_to_the_middle_axis = [1.0, 2.0, 3.0], [1e-9, 1.0, 1e-9]
    >>> rate = polhode.lyapunov_exponent(inertia, next_to_the_middle_axis, 0.1, 300)
    >>> theory = np.sqrt((1 - 1 / 2) * (1 / 2 - 1 / 3))
    >>> bool(abs(rate - theory) < 0.1)
    True
    """
    if torque is None:
        _refuse_without_torque(attitude=attitude, scheme=scheme)
        return _core.lyapunov_exponent(inertia, momentum, step, steps)
    return float(lyapunov_exponents(inertia, momentum, step, steps, torque=torque, attitude=attitude, scheme=scheme,
                                    start_time=start_time, looks=1).values[-1, 0])


def _scenario(inertia: Any, momentum: Any, attitude: Any, torque: Any, scheme: Any, step: float, steps: Optional[int],
              start_time: float) -> tuple[dict[str, Any], list[Any]]:
    """A body under torque as the program reads it, and the functions of Python that act on it."""
    acting = [] if torque is None else list(torque) if isinstance(torque, (list, tuple)) else [torque]
    torques, functions = tables_of(acting)
    given = plain_tables({
        "system": {"kind": DRIVEN_BODY, "inertia": _inertia(inertia)},
        "state": {"momentum": momentum, "attitude": _attitude(attitude), "time": start_time if start_time else None},
        "method": {"name": "splitting", "free": "exact", "step": step, "steps": steps, "scheme": scheme},
    })
    if torques:
        given["torque"] = [{key: plain(value, f"torque[{i}].{key}") for key, value in table.items()}
                           for i, table in enumerate(torques)]
    return given, functions


def _in_given_order(inertia: Any, by_moments: np.ndarray) -> np.ndarray:
    """The columns of moments that were given as three numbers, not as a tensor."""
    given = np.asarray(_inertia(inertia), dtype=float)
    if given.shape != (3,):
        return by_moments
    result = np.empty_like(by_moments)
    result[..., np.argsort(given, kind="stable")] = by_moments
    return result


def _refuse_without_torque(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} belongs to a body under torque, and no torque is given")
