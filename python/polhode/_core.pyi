"""The compiled part of polhode."""
from collections.abc import Callable
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

__version__: str

class InputError(ValueError):
    """The input is wrong; the sentence says what is wrong with it."""

class MotionError(RuntimeError):
    """A step cannot be taken; polhode_result is what was reached before."""

class Body:
    def __init__(self, inertia: "Body | ArrayLike") -> None: ...
    @property
    def moments(self) -> Array: ...
    @property
    def axes(self) -> Array: ...
    @property
    def inertia(self) -> Array: ...
    @property
    def tensor(self) -> Array: ...
    @property
    def warning(self) -> Optional[str]: ...

class Trajectory:
    def __init__(self, inertia: Body | ArrayLike, momentum: ArrayLike, attitude: ArrayLike = ...) -> None: ...
    def at(self, t: ArrayLike, *, threads: int = 1) -> tuple[Array, Array]: ...
    def momentum(self, t: ArrayLike) -> Array: ...
    def attitude(self, t: ArrayLike) -> Array: ...
    @property
    def period(self) -> float: ...

def step(
    inertia: Body | list[Body] | ArrayLike,
    momentum: ArrayLike,
    attitude: ArrayLike,
    h: float,
    method: str = "exact",
    *,
    count: int = 1,
    threads: int = 1,
    out: Optional[tuple[Array, Array]] = None,
    compensated: Optional[bool] = None,
    quadrature: Optional[int] = None,
    frame: Optional[int] = None,
) -> tuple[Array, Array]: ...
def tangent_map(
    inertia: Body | list[Body] | ArrayLike, momentum: ArrayLike, h: float, *, threads: int = 1
) -> tuple[Array, Array, Array]: ...
def state_transition(
    inertia: Body | list[Body] | ArrayLike, momentum: ArrayLike, t: float, *, threads: int = 1
) -> Array: ...
def lyapunov_exponent(inertia: Body | ArrayLike, momentum: ArrayLike, step: float, steps: int) -> float: ...
def examine(text: str, name: str, overrides: list[str]) -> dict[str, Any]: ...
def run(
    text: str, name: str, overrides: list[str], every: int, torque: Optional[Callable[..., Any]], output: str
) -> tuple[dict[str, Any], Optional[BaseException]]: ...
def catalogue(part: str) -> str: ...

class elliptic:
    jacobi: np.ufunc
    sn: np.ufunc
    cn: np.ufunc
    dn: np.ufunc
    am: np.ufunc
    first: np.ufunc
    complete_first: np.ufunc
    second: np.ufunc
    complete_second: np.ufunc
    third: np.ufunc
    complete_third: np.ufunc
    RF: np.ufunc
    RC: np.ufunc
    RJ: np.ufunc
    RD: np.ufunc
