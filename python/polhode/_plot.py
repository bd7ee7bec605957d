"""The figure of a run: its errors, its motion over time, and its paths."""
from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._result import Result

#: Rows beyond these show nothing more on paper.
_MOST_POINTS = 10_000

#: So many turning points over time can still be told apart.
_MOST_TURNS = 60

#: The colours of Okabe and Ito, which everyone can tell apart, those first that stand out best on white.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

#: What a system shows in space, a path of three coordinates each.
_PATHS_IN_SPACE = {"centre_of_mass": "centre of mass", "dipole_in_space": "dipole"}

_ANGLES = ("roll", "pitch", "yaw")


def draw(result: "Result", figure: Optional["Figure"] = None) -> "Figure":
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot() needs matplotlib, which is not installed") from None
    left, right = _panels(result)
    if figure is None:
        height = 7.2 if max(1 + len(left), len(right)) < 3 else 9.6
        figure = plt.figure(figsize=(11, height) if right else (7.2, height), layout="constrained")
    figure.suptitle(f"{result.system}, {result.method}: {result.steps} steps of {result.step:g}")
    columns = figure.add_gridspec(1, 2 if right else 1)
    cells = columns[0].subgridspec(1 + len(left), 1)
    _draw_errors(result, figure.add_subplot(cells[0]))
    for row, panel in enumerate(left, start=1):
        panel.draw(result.t, figure, cells[row])
    # A path has to fit as a cube into its panel: it gets more of the height than what is drawn over time.
    cells = columns[-1].subgridspec(max(1, len(right)), 1, height_ratios=[1.7 if panel.path else 1.0 for panel in right] or None)
    for row, panel in enumerate(right):
        panel.draw(result.t, figure, cells[row])
    return figure


class _Panel(NamedTuple):
    """A vector of the rows: its components over time, or the path that they are coordinates of."""

    title: str
    symbols: list[str]
    values: np.ndarray
    path: bool = False
    #: of angles: after which they begin again
    turn: float = np.inf

    def draw(self, t: np.ndarray, figure: "Figure", cell: Any) -> None:
        axes = figure.add_subplot(cell, **({"projection": "3d"} if self.path and len(self.symbols) == 3 else {}))
        if self.path:
            _draw_path(self, axes)
        else:
            _draw_over_time(t, self, axes)


def _panels(result: "Result") -> tuple[list[_Panel], list[_Panel]]:
    """What is drawn below the errors, and beside them."""
    names = result.quantities
    left: list[_Panel] = []
    right: list[_Panel] = []
    if "angular_velocity" in names:
        omega = _indexed(r"\omega", 3)
        left.append(_Panel("angular velocity in the body", omega, result.angular_velocity))
        right.append(_Panel("polhode", omega, result.angular_velocity, path=True))
    if "torque" in names:
        left.append(_Panel("torque in the body", _indexed(r"\tau", 3), result.torque))
    for name, title in _PATHS_IN_SPACE.items():
        if name in names:
            right.append(_Panel(f"{title} in space", list("xyz"), result[name], path=True))
    if all(name in names for name in _ANGLES):
        right.append(_Panel("angles to the orbit, degrees", list(_ANGLES),
                            np.degrees(np.column_stack([result[name] for name in _ANGLES])), turn=360.0))
    elif "attitude" in names:
        angles = _Panel("attitude (ZYX), degrees", ["yaw", "pitch", "roll"], result.euler("ZYX", degrees=True), turn=360.0)
        (left if len(left) < len(right) else right).append(angles)
    if "position" in names:
        position, momentum = (result[name].reshape(len(result), -1) for name in ("position", "momentum"))
        count = position.shape[1]
        left.append(_Panel("position", _indexed("q", count), position))
        if count == 1:
            right.append(_Panel("path in phase space", ["$q$", "$p$"], np.hstack([position, momentum]), path=True))
        elif count <= 3:
            right.append(_Panel("path", _indexed("q", count), position, path=True))
    places = [name for name in names if name.endswith("_position")]
    if len(places) == 2:
        right.append(_Panel("orbit of the second about the first", list("xyz"),
                            result[places[1]] - result[places[0]], path=True))
    energies = [name for name in names if name.endswith("_energy")]
    if energies and not left:
        left.append(_Panel("energies", [name[: -len("_energy")] for name in energies],
                           np.column_stack([result[name] for name in energies])))
    return left, right


def _indexed(letter: str, count: int) -> list[str]:
    return [f"${letter}$"] if count == 1 else [f"${letter}_{{{i + 1}}}$" for i in range(count)]


def _thinned(values: np.ndarray) -> np.ndarray:
    return values[:: max(1, len(values) // _MOST_POINTS)]


def _is_smooth(values: np.ndarray, part: float, turn: float = np.inf) -> bool:
    """Whether the rows lie close enough to be joined by lines: on average by this part of the extent of them all."""
    steps = np.abs(np.diff(values, axis=0))
    sizes = np.linalg.norm(np.minimum(steps, np.abs(turn - steps)), axis=1)
    return len(values) > 1 and bool(sizes.mean() <= part * np.linalg.norm(np.ptp(values, axis=0)))


def _readable_part(values: np.ndarray) -> int:
    """How many rows have no more turning points than can be told apart."""
    extent = np.ptp(values, axis=0)
    fewest = len(values)
    for component in values[:, extent > 1e-3 * extent.max()].T:
        turns = np.flatnonzero(np.diff(np.sign(np.diff(component))))
        if len(turns) > _MOST_TURNS:
            fewest = min(fewest, int(turns[_MOST_TURNS]) + 1)
    return fewest


def _draw_errors(result: "Result", axes: Any) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    names = [name for name in result.quantities if name.endswith("_error") or name == "constraint_residual"]
    smallest, largest = np.inf, 0.0
    t = _thinned(result.t)
    for name, colour in zip(names, cycle(_COLOURS)):
        error = _thinned(result[name])
        size = np.abs(error) if error.ndim == 1 else np.linalg.norm(error, axis=1)
        label = name.replace("_error", "").replace("_", " ")
        seen = size[size > 0]  # zero has no place on a logarithmic axis
        if len(seen):
            axes.plot(t, np.where(size > 0, size, np.nan), color=colour, label=label, **_dots(len(t)))
            # A zero of the error takes single rows down to anywhere.
            smallest, largest = min(smallest, np.percentile(seen, 2)), max(largest, seen.max())
        else:
            axes.plot([], [], color=colour, **_dots(len(t)), label=f"{label}: 0")
    axes.set_title("errors of the invariants")
    _set_time_axis(axes, result.t)
    if not names:
        _say(axes, "nothing is conserved that could be followed")
    elif largest == 0.0:
        _say(axes, "no error in any row")
    else:
        axes.set_yscale("log")
        axes.set_ylim(10.0 ** np.floor(np.log10(smallest)), 10.0 ** np.ceil(np.log10(largest * 1.0001)))
        axes.yaxis.set_major_locator(LogLocator(numticks=7))
        axes.yaxis.set_minor_formatter(NullFormatter())
    if names:
        _draw_legend(axes, len(names))


def _draw_over_time(t: np.ndarray, panel: _Panel, axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    smooth = _is_smooth(panel.values, 0.2, panel.turn)
    shown = _readable_part(panel.values) if smooth else len(panel.values)
    t, values = _thinned(t[:shown]), _thinned(panel.values[:shown])
    many = len(panel.symbols) > len(_COLOURS)
    scale = _Scale(values)
    style = {"linewidth": 1.0} if smooth else _dots(len(values))
    for i, component in enumerate(scale(values).T):
        # From the end of a turn to its beginning there is no line.
        component = np.where(np.abs(np.diff(component, prepend=component[0])) > panel.turn / 2, np.nan, component)
        colour = dict(color=_COLOURS[0], alpha=0.3) if many else dict(color=_COLOURS[i])
        axes.plot(t, component, label=scale.label(panel.symbols[i], i), **style, **colour)
    axes.set_title(scale.with_power(panel.title) + (", at first" if shown < len(panel.values) else ""))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    _set_time_axis(axes, t, "t" if smooth or scale.point else "t (the rows are too far apart to be joined)")
    if many:
        axes.set_ylabel(f"{len(panel.symbols)} coordinates")
    elif len(panel.symbols) > 1:
        _draw_legend(axes, len(panel.symbols))


def _draw_path(panel: _Panel, axes: Any) -> None:
    """A path at one scale on all axes, as large as it is, wherever it lies."""
    from matplotlib.ticker import MaxNLocator

    scale = _Scale(panel.values)
    values = scale(_thinned(panel.values))
    style = {"linewidth": 1.0} if _is_smooth(values, 0.12) else _dots(len(values))
    axes.plot(*values.T, color=_COLOURS[0], **style)
    axes.plot(*values[:1].T, "o", color="black", markersize=4)
    for i, letter in enumerate("xyz"[: len(panel.symbols)]):
        getattr(axes, f"set_{letter}lim")(*scale.limits(i))
        getattr(axes, f"{letter}axis").set_major_locator(MaxNLocator(4))
        getattr(axes, f"set_{letter}label")(scale.label(panel.symbols[i], i), labelpad=5)
    if len(panel.symbols) == 3:
        axes.set_box_aspect((1, 1, 1), zoom=0.84)  # the layout knows nothing of labels in space
        axes.tick_params(pad=1, labelsize="small")
    else:
        axes.set_aspect("equal")
    axes.set_title(f"{scale.with_power(panel.title)}, from the black point on")


class _Scale:
    """How numbers are written at the axes: in a power of ten, and from a point near them if they are far from zero.

    A motion that is small against its distance from zero would be a straight line, or have ticks of many digits.
    """

    def __init__(self, values: np.ndarray) -> None:
        low, high = values.min(axis=0), values.max(axis=0)
        distance = float(np.abs(values).max()) or 1.0
        half = float(np.max(high - low)) / 2
        self.point = half <= 1e-12 * distance
        self._half = 1.08 * (distance if self.point else half)
        middle = (low + high) / 2
        self._digits = 1 - int(np.floor(np.log10(self._half)))
        self._origin = np.where(np.abs(middle) > 5 * self._half, np.round(middle, self._digits), 0.0)
        self._middle = middle - self._origin
        exponent = int(np.floor(np.log10(np.max(np.abs(self._middle)) + self._half)))
        self._power = exponent if not -2 <= exponent <= 3 else 0

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return (values - self._origin) / 10.0**self._power

    def limits(self, i: int) -> tuple[float, float]:
        """Of the i-th axis of a cube about the path."""
        return ((self._middle[i] - self._half) / 10.0**self._power, (self._middle[i] + self._half) / 10.0**self._power)

    def label(self, symbol: str, i: int) -> str:
        if self._origin[i]:
            digits = int(np.floor(np.log10(abs(self._origin[i])))) + self._digits + 1
            symbol += f" {'-' if self._origin[i] > 0 else '+'} {abs(self._origin[i]):.{max(1, digits)}g}"
        return symbol

    def with_power(self, text: str) -> str:
        return f"{text} / $10^{{{self._power}}}$" if self._power else text


def _dots(rows: int) -> dict[str, Any]:
    return {"linestyle": "none", "marker": ".", "markersize": 7 if rows <= 50 else 4 if rows <= 300 else 2.5}


def _set_time_axis(axes: Any, t: np.ndarray, label: str = "t") -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    if len(t) > 1:
        axes.set_xlim(min(t[0], t[-1]), max(t[0], t[-1]))


def _draw_legend(axes: Any, entries: int) -> None:
    """Below the axes and their label, where it covers nothing."""
    from matplotlib.transforms import offset_copy

    below = offset_copy(axes.transAxes, axes.figure, y=-27, units="points")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=min(3, entries), frameon=False,
                fontsize="small", markerscale=2, handlelength=1.2, columnspacing=1.5)


def _say(axes: Any, sentence: str) -> None:
    axes.set_yticks([])
    axes.text(0.5, 0.5, sentence, ha="center", va="center", transform=axes.transAxes)
