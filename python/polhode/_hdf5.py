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

    file = os.path.realpath(file)  # a link is followed, not replaced
    partial = f"{file}.{os.getpid()}.partial"
    try:
        with h5py.File(partial, "x") as h5:
            h5.attrs.update(polhode_version=__version__, scenario=result.scenario, system=result.system,
                            method=result.method, step=result.step, steps=result.planned_steps, every=result.every,
                            compensated=int(result.compensated), ending=ending, steps_taken=result.steps)
            for name in result.quantities:
                h5[name] = result[name]
                h5[name].attrs["meaning"] = result.meaning(name)
        _bring_to_disk(partial)
        os.replace(partial, file)
    except BaseException:
        if os.path.exists(partial):
            os.unlink(partial)
        raise
    _bring_to_disk(os.path.dirname(file))


def _bring_to_disk(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
