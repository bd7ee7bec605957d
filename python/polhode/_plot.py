"""The figure of a run: errors over time, and the path of the angular velocity in the body."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

if TYPE_CHECKING:
    from ._result import Result

#: Rows beyond these show nothing more on paper.
_MOST_POINTS = 5000


def draw(result: "Result", figure: Optional[Any] = None) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot() needs matplotlib, which is not installed") from None
    rotates = "angular_velocity" in result.quantities
    if figure is None:
        figure = plt.figure(figsize=(11, 4.6) if rotates else (6.4, 4.6), layout="constrained")
    chosen = slice(None, None, max(1, len(result) // _MOST_POINTS))
    _draw_errors(result, figure.add_subplot(1, 2 if rotates else 1, 1), chosen)
    if rotates:
        _draw_polhode(result, figure.add_subplot(1, 2, 2, projection="3d"), chosen)
    figure.suptitle(f"{result.system}, {result.method}: {result.steps} steps of {result.step:g}")
    return figure


def _draw_errors(result: "Result", axes: Any, chosen: slice) -> None:
    drawn = False
    for name in result.quantities:
        if not name.endswith("_error"):
            continue
        error = result[name][chosen]
        size = np.abs(error) if error.ndim == 1 else np.linalg.norm(error, axis=1)
        if not np.any(size > 0):
            continue
        # Zero has no place on a logarithmic axis.
        axes.plot(result.t[chosen], np.where(size > 0, size, np.nan), ".", markersize=2.5,
                  label=name[: -len("_error")].replace("_", " "))
        drawn = True
    axes.set_xlabel("t")
    axes.set_title("errors of the invariants")
    if drawn:
        axes.set_yscale("log")
        axes.legend(loc="lower right", markerscale=4)
    else:
        axes.text(0.5, 0.5, "no error: nothing is conserved,\nor all of it to the last bit", ha="center",
                  transform=axes.transAxes)


def _draw_polhode(result: "Result", axes: Any, chosen: slice) -> None:
    omega = result.angular_velocity[chosen]
    axes.plot(*omega.T, linewidth=0.8)
    axes.plot(*omega[:1].T, "o", color="black", markersize=4)
    reach = np.abs(omega).max() or 1.0
    for set_limits in (axes.set_xlim, axes.set_ylim, axes.set_zlim):
        set_limits(-reach, reach)
    axes.set_box_aspect((1, 1, 1))
    axes.set_xlabel(r"$\omega_1$")
    axes.set_ylabel(r"$\omega_2$")
    axes.set_zlabel(r"$\omega_3$")
    axes.set_title("the polhode, from the black point on")
