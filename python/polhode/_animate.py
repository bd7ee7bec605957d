"""A run that moves: the body in space, its vectors, and its path."""
from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from ._core import InputError
from ._plot import _COLOURS, _indexed, _Scale
from ._typing import PathLike

if TYPE_CHECKING:
    from ._result import Result

#: Corners of a box, and its faces by them.
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
_FACES = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]

#: So many points of the past are drawn behind a moving one.
_TAIL = 200


def animate(result: "Result", file: Optional[PathLike], frames: int, rate: float) -> Any:
    try:
        import matplotlib.animation as animation
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("animate() needs matplotlib, which is not installed") from None
    if frames < 2 or not rate > 0:
        raise InputError("animate() needs two frames or more, and a rate above zero")
    if len(result) < 2:
        raise InputError("animate() needs a run of two rows or more")
    writer = None if file is None else _writer(pathlib.Path(os.fspath(file)), animation)

    class Movie(animation.FuncAnimation):
        """The animation of matplotlib, which a notebook shows with its controls."""

        def _repr_html_(self) -> str:
            return self.to_jshtml()

    rows = np.unique(np.linspace(0, len(result) - 1, min(frames, len(result))).round().astype(int))
    figure, update = _scene(result, plt)

    def frame(number: int) -> list:
        update(rows[number])
        return []

    movie = Movie(figure, frame, frames=len(rows), interval=1000 / rate, blit=False)
    if writer is not None:
        _save(movie, pathlib.Path(os.fspath(file)), writer, rate, frame)
    plt.close(figure)  # a notebook would show it a second time, at rest
    return movie


def _writer(path: pathlib.Path, animation: Any) -> str:
    """The name of what writes such a file; refused before anything is drawn if it is not there."""
    known = {".gif": "pillow", ".png": "pillow", ".webp": "pillow", ".mp4": "ffmpeg", ".webm": "ffmpeg", ".html": "html"}
    kind = known.get(path.suffix.lower())
    if kind is None:
        raise InputError(f"animate(): '{path.suffix}' is not an ending that can be written; there are {', '.join(known)}")
    if kind != "html" and not animation.writers.is_available(kind):
        raise InputError(f"animate(): {path.suffix} needs {'Pillow' if kind == 'pillow' else kind}, which is not installed; "
                         f".html needs nothing more")
    if not path.parent.is_dir():
        raise InputError(f"animate(): there is no folder {path.parent}")
    return kind


def _save(movie: Any, path: pathlib.Path, writer: str, rate: float, frame: Callable) -> None:
    """The file is complete or not there."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".polhode-") as folder:
        part = pathlib.Path(folder) / path.name
        if writer == "html":
            part.write_text(f"<!doctype html>\n<meta charset=\"utf-8\">\n<title>polhode</title>\n{movie.to_jshtml(fps=rate)}",
                            encoding="utf-8")
        else:
            movie.save(part, writer=writer, fps=rate, dpi=80)
        os.replace(part, path)


def _scene(result: "Result", plt: Any) -> tuple[Any, Callable[[int], None]]:
    """The figure, and what moves it to a row."""
    names = result.quantities
    if "attitude" in names:
        figure = plt.figure(figsize=(9, 4.6), layout="constrained")
        parts = [_body(result, figure.add_subplot(1, 2, 1, projection="3d")),
                 _path(result.angular_velocity, _indexed(r"\omega", 3), "polhode", figure.add_subplot(1, 2, 2, projection="3d"))]
    elif "position" in names and result.position.reshape(len(result), -1).shape[1] <= 3:
        position, momentum = (result[name].reshape(len(result), -1) for name in ("position", "momentum"))
        count = position.shape[1]
        figure = plt.figure(figsize=(5.2, 4.8), layout="constrained")
        if count == 1:
            parts = [_path(np.hstack([position, momentum]), ["$q$", "$p$"], "phase space", figure.add_subplot())]
        else:
            parts = [_path(position, _indexed("q", count), "path",
                           figure.add_subplot(**({"projection": "3d"} if count == 3 else {})))]
    else:
        raise InputError(f"animate() shows bodies, and systems of up to three coordinates; not this {result.system}")
    title = figure.suptitle("")

    def update(row: int) -> None:
        title.set_text(f"{result.system}, {result.method}: t = {result.t[row]:.6g}")
        for part in parts:
            part(row)

    update(0)
    # The layout is found once: finding it takes longer than drawing.
    figure.canvas.draw()
    figure.set_layout_engine("none")
    return figure, update


def _box(result: "Result") -> np.ndarray:
    """The corners of a box that has the body's moments, of half a diagonal of one."""
    found = re.search(r"^inertia\s*=\s*(\[.*\])\s*$", result.scenario, re.MULTILINE)
    inertia = np.array(json.loads(found.group(1)) if found else [1.0, 1.0, 1.0], dtype=float)
    moments, axes = (inertia, np.eye(3)) if inertia.ndim == 1 else np.linalg.eigh(inertia)
    squares = np.maximum(moments.sum() / 2 - moments, 0.004 * moments.sum())
    edges = np.sqrt(squares / squares.sum())
    return (_CORNERS * edges) @ axes.T


def _matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _body(result: "Result", axes: Any) -> Callable[[int], None]:
    """The body in space with its momentum and angular velocity, each at a scale of its own."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    corners = _box(result)
    faces = Poly3DCollection([], edgecolor="white", linewidth=0.8, alpha=0.72)
    shades = ["#9CC5DF", "#9CC5DF", "#5F9FC4", "#5F9FC4", "#2F7BA8", "#2F7BA8"]
    axes.add_collection3d(faces)
    arrows = {}
    for name, colour, label in (("momentum", _COLOURS[3], "momentum"), ("angular_velocity", _COLOURS[1], "angular velocity")):
        arrows[name] = axes.plot([], [], [], color=colour, linewidth=2.2, marker="o", markevery=[1], markersize=4, label=label)[0]
    largest = {name: float(np.linalg.norm(result[name], axis=1).max()) or 1.0 for name in arrows}
    axes.set(xlim=(-0.85, 0.85), ylim=(-0.85, 0.85), zlim=(-0.85, 0.85))
    axes.set_box_aspect((1, 1, 1), zoom=1.35)
    axes.set_axis_off()
    axes.set_title("the body in space")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, -0.06), ncols=2, frameon=False, fontsize="small")

    def update(row: int) -> None:
        turn = _matrix(result.attitude[row])
        seen = corners @ turn.T
        faces.set_verts([seen[list(face)] for face in _FACES])
        faces.set_facecolor(shades)
        for name, line in arrows.items():
            x, y, z = 1.15 * (turn @ result[name][row]) / largest[name]
            line.set_data_3d([0.0, x], [0.0, y], [0.0, z])

    return update


def _path(values: np.ndarray, symbols: list[str], title: str, axes: Any) -> Callable[[int], None]:
    """The whole path, faint, and a point on it with its past."""
    from matplotlib.ticker import MaxNLocator

    scale = _Scale(values)
    drawn = scale(values)
    three = len(symbols) == 3
    axes.plot(*drawn.T, color="#C0C6CC", linewidth=0.8)
    (tail,) = axes.plot(*drawn[:1].T, color=_COLOURS[0], linewidth=1.8)
    (point,) = axes.plot(*drawn[:1].T, "o", color=_COLOURS[1], markersize=6)
    for i, letter in enumerate("xyz"[: len(symbols)]):
        getattr(axes, f"set_{letter}lim")(*scale.limits(i))
        getattr(axes, f"{letter}axis").set_major_locator(MaxNLocator(4))
        getattr(axes, f"set_{letter}label")(scale.label(symbols[i], i))
    if three:
        axes.set_box_aspect((1, 1, 1), zoom=0.86)
        axes.tick_params(pad=1, labelsize="small")
    else:
        axes.set_aspect("equal")
    axes.set_title(scale.with_power(title))

    def update(row: int) -> None:
        past = drawn[max(0, row - _TAIL):row + 1]
        for line, part in ((tail, past), (point, drawn[row:row + 1])):
            line.set_data_3d(*part.T) if three else line.set_data(*part.T)

    return update
