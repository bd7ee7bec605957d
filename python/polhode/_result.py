"""What a run returns."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._core import InputError, read_attitude_message
from ._events import layout_of
from ._typing import PathLike
from ._warnings import warned

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from scipy.spatial.transform import Rotation


class Rows:
    """Quantities of a motion at some times, as NumPy arrays: rows.t, rows.momentum, rows["attitude"], ...

    >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.1, steps=100, dense=True)
    >>> run.at([0.5, 1.0])
    Rows(2 rows of t, momentum, attitude, angular_velocity, angular_velocity_in_space)
    """

    t: np.ndarray
    momentum: np.ndarray
    attitude: np.ndarray
    position: np.ndarray
    angular_velocity: np.ndarray

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self._arrays = arrays

    @property
    def quantities(self) -> list[str]:
        """The names of the arrays.

        >>> polhode.propagate(inertia=[1, 2, 3], momentum=np.ones((5, 3)), step=0.1, steps=100).quantities
        ['t', 'momentum', 'attitude', 'angular_velocity']
        """
        return list(self._arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        # Only asked for what is not found otherwise.
        if name.startswith("_") or name not in self.__dict__.get("_arrays", {}):
            raise AttributeError(f"this run of {self.__dict__.get('system', 'a system')} has no quantity {name!r}; "
                                 f"it has {', '.join(self.__dict__.get('_arrays', {}))}")
        return self._arrays[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._arrays})

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays["t"])

    def __repr__(self) -> str:
        return f"Rows({len(self)} rows of {', '.join(self._arrays)})"

    def rotations(self) -> Rotation:
        """The attitudes as a scipy Rotation of as many (scipy itself is scalar last).

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=0.1, steps=100)
        >>> run.rotations().apply([0, 0, 1]).shape     # axis 3 of the body, in space
        (11, 3)
        """
        from ._rotation import to_rotation

        return to_rotation(self.attitude)

    def euler(self, sequence: str = "ZYX", degrees: bool = False) -> np.ndarray:
        """The attitudes as Euler angles (n, 3) of any convention: polhode.to_euler.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=0.1, steps=10)
        >>> run.euler("ZYX")[-1].round(12).tolist()
        [1.0, 0.0, 0.0]
        """
        from ._rotation import to_euler

        return to_euler(self.attitude, sequence, degrees)


class Result(Rows):
    """The rows of a run as NumPy arrays, one for each quantity: result.t, result.momentum, result["attitude"], ...

    t                  (n,)    time
    momentum           (n, 3)  angular momentum in the body frame
    attitude           (n, 4)  quaternion from body to space, scalar first, of norm one
    angular_velocity   (n, 3)  in the body frame; angular_velocity_in_space too
    energy_error       (n,)    energy minus its initial value, computed in extended precision; NaN where the motion does
                               not conserve it (an alternating field) or nothing says what it is (a function without a
                               potential)
    position, momentum (n, ..) of systems in coordinates, instead of momentum, attitude and angular velocity;
                               constraint_residual, the values of the constraints, of a System that has some
    <invariant>_error          the same for whatever else is conserved: momentum_norm, spatial_momentum,
                               vertical_momentum, jacobi_integral, ...
    t_events, at_events        the times of the events, and the rows there
    system, method, step, steps, every, warnings, seconds, force_evaluations, constraint_evaluations,
    constraint_max, scenario (in TOML)

    >>> run = polhode.propagate(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84], step=0.01, steps=1000)
    >>> run
    Result(free-body, exact: 1000 steps of 0.01, to time 10.0; 101 rows)
    >>> run.quantities
    ['t', 'momentum', 'attitude', 'energy_error', 'momentum_norm_error', 'spatial_momentum_error', \
'angular_velocity', 'angular_velocity_in_space']
    >>> len(run), run.spatial_momentum_error.shape
    (101, (101, 3))
    """

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__(record["arrays"])
        self._described = {name: (size, first, meaning) for name, size, first, meaning in record["quantities"]}
        self.system: str = record["system"]
        self.method: str = record["method"]
        self.details: str = record["details"]
        self.compensated: bool = record["compensated"]
        self.step: float = record["step"]
        #: the steps that were taken; those that were asked for are planned_steps
        self.steps: int = record["taken"]
        self.planned_steps: int = record["steps"]
        self.every: int = record["every"]
        self.warnings: list[str] = record["warnings"]
        #: the scenario as it was run, with all keys, in TOML
        self.scenario: str = record["scenario"]
        #: of the whole run, rows included
        self.seconds: float = record["seconds"]
        self.constraint_max: float = record["constraint_max"]
        self.force_evaluations: int = record["force_evaluations"]
        self.constraint_evaluations: int = record["constraint_evaluations"]
        #: whether a terminal event ended it
        self.ended_by_event: bool = record["ended"]
        #: the names of the events, and where each of them happened: one Rows for each event
        self.event_names: list[str] = record["event_names"]
        self.at_events: list[Rows] = _event_rows(record)
        self._dense = record["dense"]

    def __getstate__(self) -> dict[str, Any]:
        """The rows go to other processes; the motion between them, which dense=True keeps, does not."""
        return {**self.__dict__, "_dense": None}

    def __copy__(self) -> Result:
        result = type(self).__new__(type(self))
        result.__dict__.update(self.__dict__)
        return result

    @property
    def t_events(self) -> list[np.ndarray]:
        """The times of the events: one array for each event, as scipy's solve_ivp has them."""
        return [rows.t for rows in self.at_events]

    def at(self, times: ArrayLike) -> Rows:
        """The motion at any times within the run, by a shorter step from the last one before each: of the order of the steps. It
        needs dense=True.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.1, steps=100, dense=True)
        >>> run.at([0.05, 1.234]).attitude.shape
        (2, 4)
        """
        if self._dense is None:
            raise InputError("at(times) needs a run with dense=True, and the result itself, not one that was pickled or copied deeply")
        return Rows(self._dense.at(times))

    @property
    def complete(self) -> bool:
        """Whether all steps were taken that were asked for."""
        return self.steps == self.planned_steps

    @property
    def energy_error(self) -> np.ndarray:
        """Energy minus its initial value; NaN where no energy is conserved."""
        known = self._arrays.get("energy_error")
        return np.full(len(self), np.nan) if known is None else known

    @property
    def final(self) -> dict[str, Any]:
        """The last row: {name: value}."""
        return {name: array[-1] for name, array in self._arrays.items()}

    @property
    def errors(self) -> dict[str, dict[str, Any]]:
        """{invariant: {"final": ..., "max": ...}}, where max is the largest size in any row.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.1, steps=100)
        >>> list(run.errors), bool(run.errors["energy"]["max"] < 1e-15)
        (['energy', 'momentum_norm', 'spatial_momentum'], True)
        """
        result = {}
        for name, array in self._arrays.items():
            if name.endswith("_error"):
                size = np.abs(array) if array.ndim == 1 else np.linalg.norm(array, axis=1)
                result[name[: -len("_error")]] = {"final": array[-1], "max": float(size.max())}
        return result

    def meaning(self, name: str) -> str:
        """What a quantity is, with its unit.

        >>> polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.1, steps=100).meaning("attitude")
        'quaternion from body to space, scalar first, of norm one'
        """
        return self._described[name][2]

    def __repr__(self) -> str:
        method = f"{self.method} ({self.details})" if self.details else self.method
        whole = self.complete or self.ended_by_event
        taken = f"{self.steps}" if whole else f"{self.steps} of {self.planned_steps}"
        time = self.t[-1].item() if len(self) else 0.0
        return f"Result({self.system}, {method}: {taken} steps of {self.step!r}, to time {time!r}; {len(self)} rows{warned(self.warnings)})"

    def to_pandas(self) -> Any:
        """A pandas DataFrame indexed by t, its columns named as in the command's CSV: momentum_1, attitude_0, ...

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=0.1, steps=100)
        >>> run.to_pandas()[["momentum_3", "attitude_0"]].shape
        (11, 2)
        """
        pandas = _required("pandas", "to_pandas")
        columns = {}
        for name, array in self._arrays.items():
            size, first, _ = self._described[name]
            if name != "t":
                columns.update({name: array.ravel()} if size == 1 else
                               {f"{name}_{first + i}": array[:, i] for i in range(size)})
        frame = pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))
        frame.attrs["scenario"] = self.scenario
        return frame

    def to_xarray(self) -> Any:
        """An xarray Dataset over t; vectors have an axis of their own, with the numbers of their components.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=0.1, steps=100)
        >>> run.to_xarray().momentum.sel(component=3).shape
        (11,)
        """
        xarray = _required("xarray", "to_xarray")
        variables, coordinates = {}, {"t": self.t}
        for name, array in self._arrays.items():
            size, first, meaning = self._described[name]
            if name == "t":
                continue
            axis = "quaternion" if name == "attitude" else "component" if size == 3 else f"{name}_component"
            axis = (axis,) * (array.ndim - 1)
            variables[name] = (("t", *axis), array, {"long_name": meaning})
            if axis:
                coordinates[axis[0]] = np.arange(first, first + size)
        return xarray.Dataset(variables, coordinates, {"scenario": self.scenario})

    def plot(self, figure: Optional[Figure] = None) -> Figure:
        """Draws the run with matplotlib, into the figure given or a new one, and returns that.

        The errors of the invariants, angular velocity and attitude angles over time, and the polhode; of a body under torques also the
        torque over time, or what it shows in space; of a system in coordinates its positions, and its path if it has three coordinates
        or fewer. Rows that are too far apart to be joined by lines are drawn as points.

        >>> top = polhode.load(examples / "lagrange-top.toml").run({"method.duration": 5})
        >>> [axes.get_title() for axes in top.plot().axes]
        ['errors of the invariants', 'angular velocity in the body', 'attitude (ZYX), degrees', \
'polhode, from the black point on', 'centre of mass in space, from the black point on']
        """
        from ._plot import draw

        return draw(self, figure)

    def animate(self, file: Optional[PathLike] = None, *, frames: int = 120, rate: float = 25.0) -> Any:
        """Shows the run in motion: the body in space with its momentum and angular velocity, beside a point on the polhode; of a system in
        coordinates, up to three of them, a point on its path.

        file     written, if it is given, by its ending: .gif (Pillow), .mp4 and .webm (ffmpeg), .html (nothing more)
        frames   at most so many, evenly taken from the rows
        rate     frames a second

        Returns matplotlib's animation; a notebook shows it with its controls.

        >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[0.01, 1, 0.01], step=0.2, steps=300, every=1)
        >>> movie = run.animate(folder / "flip.gif", frames=5)
        >>> (folder / "flip.gif").exists()
        True
        """
        from ._animate import animate

        return animate(self, file, frames, rate)


def read_attitudes(path: PathLike) -> Rows:
    """The attitudes of a CCSDS attitude ephemeris message (AEM) of quaternions: rows.t in seconds from 2000-01-01T12:00:00, and
    rows.attitude from the frame of the body to that of space, scalar first, as they are in the file.

    >>> run = polhode.propagate(inertia=[1, 2, 3], momentum=[1, 1, 1], step=0.5, steps=20, output=folder / "tumbling.aem")
    >>> read = polhode.read_attitudes(folder / "tumbling.aem")
    >>> bool(np.array_equal(read.t, run.t)), bool(np.array_equal(read.attitude, run.attitude))
    (True, True)
    """
    times, attitudes, name, space, body = read_attitude_message(os.fspath(path))
    rows = Rows({"t": times, "attitude": attitudes})
    rows.object_name, rows.space_frame, rows.body_frame = name, space, body
    return rows


def attach(error: BaseException, result: Any) -> None:
    """What was computed until then, or None, as an attribute of the exception that ended it."""
    try:
        error.polhode_result = result  # type: ignore[attr-defined]
    except AttributeError:  # an exception with slots: it has to arrive unchanged, so it arrives alone
        pass


def _event_rows(record: dict[str, Any]) -> list[Rows]:
    layout = layout_of(record["seen"])
    result = []
    for i in range(len(record["event_names"])):
        seen = [(time, row) for event, time, row in record["events"] if event == i]
        width = sum(size for _, size, _, _ in record["seen"])
        rows = np.array([row for _, row in seen]).reshape(len(seen), width)
        result.append(Rows({"t": np.array([time for time, _ in seen]),
                            **{name: rows[:, place] for name, place in layout.items()}}))
    return result


def _required(package: str, what: str) -> Any:
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise ImportError(f"{what}() needs {package}, which is not installed") from None
