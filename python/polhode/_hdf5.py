"""The rows of a run as HDF5, with h5py: one dataset for each quantity, as the command writes them."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._core import InputError, __version__

if TYPE_CHECKING:
    from ._result import Result


def require_h5py(file: str) -> None:
    """Before the run: a missing package shall not cost its results."""
    try:
        import h5py  # noqa: F401
    except ImportError:
        raise InputError(f"{file}: HDF5 needs the package h5py, which is not installed; .csv needs nothing") from None
    folder = os.path.dirname(os.path.abspath(file))
    if not os.access(folder, os.W_OK):
        raise InputError(f"{file}: cannot be written")


def write_hdf5(result: "Result", file: str, ending: str) -> None:
    """The file has its name only when it is whole."""
    import h5py

    partial = file + ".partial"
    with h5py.File(partial, "w") as h5:
        h5.attrs.update(polhode_version=__version__, scenario=result.scenario, system=result.system, method=result.method,
                        step=result.step, steps=result.planned_steps, every=result.every,
                        compensated=int(result.compensated), ending=ending, steps_taken=result.steps)
        for name in result.quantities:
            h5[name] = result[name]
            h5[name].attrs["meaning"] = result.meaning(name)
    os.replace(partial, file)
