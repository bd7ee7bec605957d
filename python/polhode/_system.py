"""Systems in coordinates with functions of one's own."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._core import InputError
from ._propagate import _count, _run
from ._result import Result, attach
from ._values import number_array, plain_tables
from ._typing import PathLike, PositionFunction


class System:
    """A mechanical system H = p M^-1 p/2 + U(q), with constraints g(q) = 0 or without, its functions in Python.

    force       force(q) -> (n,): minus the derivative of U, or any other force that depends on q alone
    gradient    gradient(q) -> (n,): the derivative of U itself, instead of force
    potential   potential(q) -> U, a number, to follow the energy; without it energy_error is NaN
    constraint  constraint(q) -> (m,), or a number if there is one constraint
    jacobian    jacobian(q) -> (m, n), its derivative; (n,) beside a number
    mass        a number, one for each coordinate, or a symmetric positive definite matrix; default 1
    quadratic   whether each constraint is a polynomial of degree two, whose coefficients in front of coordinates are small
                integers (the constant may be any): then it is evaluated without rounding errors (constraint="accurate")
    extended    whether the functions also take arrays of polhode.DoubleDouble (dtype object), which they do if they are
                made of + - * /, np.sqrt, np.sin and the like: then starting values, energies and constraints have about
                31 digits, and precision="double-double" is possible

    The functions get the position as a float64 array (n,), and must depend on nothing else. What they return is float64,
    or becomes it, as a list or an array.

    A pendulum of length one in the plane, in Cartesian coordinates:

    >>> pendulum = polhode.System(
    ...     force=lambda q: [0.0, -1.0], potential=lambda q: q[1],
    ...     constraint=lambda q: q @ q - 1.0, jacobian=lambda q: 2.0 * q, quadratic=True)
    >>> run = pendulum.run(position=[1.0, 0.0], momentum=[0.0, 0.0], step=0.01, steps=1000)
    >>> run
    Result(python-system, multistep (error-free force sum, accurate constraint, newton): 1000 steps of 0.01, \
to time 10.0; 101 rows)
    >>> run.position.shape, bool(np.abs(np.linalg.norm(run.position, axis=1) - 1).max() < 3e-16)
    ((101, 2), True)
    >>> bool(np.abs(run.energy_error).max() < 4e-13)
    True
    """

    def __init__(
        self,
        force: Optional[PositionFunction] = None,
        *,
        gradient: Optional[PositionFunction] = None,
        potential: Optional[PositionFunction] = None,
        constraint: Optional[PositionFunction] = None,
        jacobian: Optional[PositionFunction] = None,
        mass: ArrayLike = 1.0,
        quadratic: bool = False,
        extended: bool = False,
    ) -> None:
        if (force is None) == (gradient is None):
            raise InputError("force and gradient are two ways to give one thing: give one of them")
        if (constraint is None) != (jacobian is None):
            raise InputError("constraint and jacobian belong together: give both or none")
        if quadratic and constraint is None:
            raise InputError("quadratic is said of constraints, and there are none")
        for name, function in (("force", force), ("gradient", gradient), ("potential", potential),
                               ("constraint", constraint), ("jacobian", jacobian)):
            if function is not None and not callable(function):
                raise InputError(f"{name} must be a function of the position, not {type(function).__name__}")
        self.force, self.gradient, self.potential = force, gradient, potential
        self.constraint, self.jacobian = constraint, jacobian
        self.mass = _mass(mass)
        self.quadratic, self.extended = bool(quadratic), bool(extended)

    def run(
        self,
        *,
        position: ArrayLike,
        momentum: ArrayLike,
        step: float,
        steps: Optional[int] = None,
        duration: Optional[float] = None,
        method: str = "multistep",
        every: int = 10,
        output: Optional[PathLike] = None,
        **options: Any,
    ) -> Result:
        """Moves the system by one of the methods of the command for systems in coordinates.

        method     multistep, sy2, sy4, sy6, rattle, lobatto; without constraints sy8 and gauss too
        options    of the method, as in scenarios: roots, stages, constraint, stopping, tolerance, precision, ...
        every      a row of the result every so many steps, and the last
        output     a file for the rows too, .csv or .h5

        The result has t, position (rows, n), momentum (rows, n), energy_error, constraint_residual (rows, m),
        constraint_max, force_evaluations and constraint_evaluations. An exception of a function, and Ctrl-C, arrive as they
        are, with what was computed as their attribute `polhode_result` (None if the first step was not reached). A
        value that is not finite is a MotionError with the same attribute.

        >>> oscillator = polhode.System(gradient=lambda q: q, potential=lambda q: q @ q / 2)
        >>> run = oscillator.run(position=[1.0], momentum=[0.0], step=0.1, duration=10.0, method="gauss", stages=4)
        >>> bool(np.abs(run.position[:, 0] - np.cos(run.t)).max() < 1e-14)
        True
        """
        q, p = number_array(position, "position"), number_array(momentum, "momentum")
        if q.ndim != 1 or q.shape != p.shape or len(q) == 0:
            raise InputError(f"position and momentum must have one shape (n,), not {q.shape} and {p.shape}")
        if self.mass.shape not in ((), q.shape, 2 * q.shape):
            raise InputError(f"mass must be a number or have the shape {q.shape} or {2 * q.shape}, not {self.mass.shape}")
        tables = {
            "system": {"kind": "python-system"},
            "state": {"position": q, "momentum": p},
            "method": {"name": method, "step": step, "steps": _count(steps, "steps"), "duration": duration, **options},
        }
        return _run(plain_tables(tables), "System.run", {}, every, self._functions(q), output)

    def _functions(self, q: np.ndarray) -> dict[str, Any]:
        """What the compiled part needs to know of them; the constraint itself says how many there are."""
        shape: tuple[int, ...] = (0,)
        if self.constraint is not None:
            try:
                shape = self._examine_constraint(q)
            except InputError:
                raise
            except BaseException as error:
                attach(error, None)
                raise
        count = shape[0] if shape else 1
        none = count == 0
        return {
            "dimension": len(q), "constraints": count, "quadratic": self.quadratic, "extended": self.extended,
            "mass": (self.mass if self.mass.ndim == 2 else np.broadcast_to(self.mass, q.shape)).ravel().tolist(),
            "force": self.force if self.gradient is None else self.gradient, "sign": 1.0 if self.gradient is None else -1.0,
            "potential": self.potential, "constraint": None if none else self.constraint,
            "jacobian": None if none else self.jacobian,
            "constraint_shape": list(shape), "jacobian_shape": [*shape, len(q)],
        }

    def _examine_constraint(self, q: np.ndarray) -> tuple[int, ...]:
        """The shape of what it returns. A Jacobian of something else, and a promise that does not hold, would be followed
        without a word to a wrong motion."""
        def constraint(x: np.ndarray) -> np.ndarray:
            return number_array(self.constraint(x.copy()), "what the constraint returns")  # type: ignore[misc]

        def jacobian(x: np.ndarray) -> np.ndarray:
            return number_array(self.jacobian(x.copy()), "what the jacobian returns")  # type: ignore[misc]

        here, slope = constraint(q), jacobian(q)
        if here.ndim > 1:
            raise InputError(f"what the constraint returns must be a number or have the shape (m,), not {here.shape}")
        if slope.shape != (*here.shape, len(q)):
            raise InputError(f"what the jacobian returns must have the shape {(*here.shape, len(q))}, not {slope.shape}")
        extent = np.abs(q).max() or 1.0
        direction = extent * np.sin(1.0 + np.arange(len(q)))  # any that is along no axis
        if not np.isfinite(q).all():
            return here.shape

        def differs(part: np.ndarray) -> bool:
            change, size = constraint(q + part) - constraint(q - part), 2 * np.abs(slope) @ np.abs(part)
            return bool(np.any(np.abs(change - 2 * slope @ part) > 1e-3 * size + 1e-12 * extent))

        # Of two sizes: what is coarse for a short rod far from the origin is lost in round-off elsewhere.
        if differs(1e-5 * direction) and differs(1e-8 * direction):
            raise InputError("the jacobian is not the derivative of the constraint at the initial position")
        if self.quadratic:
            there, middle = constraint(q + direction), jacobian(q + direction / 2)
            if not np.all(np.abs(there - here - middle @ direction) <= 1e-9 * (np.abs(middle) @ np.abs(direction) + extent)):
                raise InputError("quadratic=True, but the constraint is no polynomial of degree two")
        return here.shape

    def __repr__(self) -> str:
        given = [name for name in ("force", "gradient", "potential", "constraint", "jacobian", "quadratic", "extended")
                 if getattr(self, name)]
        return f"System({', '.join(given)})"


def _mass(mass: ArrayLike) -> np.ndarray:
    array = number_array(mass, "mass")
    if array.ndim > 2 or (array.ndim == 2 and array.shape[0] != array.shape[1]):
        raise InputError(f"mass must be a number, one for each coordinate, or a square matrix, not of the shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError("mass must be finite")
    if array.ndim < 2:
        if not (array > 0).all():
            raise InputError("mass must be positive")
        return array
    if not (array == array.T).all():
        raise InputError("mass must be a symmetric matrix")
    try:
        np.linalg.cholesky(array)
    except np.linalg.LinAlgError:
        raise InputError("mass must be a positive definite matrix") from None
    return array
