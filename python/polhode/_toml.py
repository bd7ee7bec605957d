"""Values as TOML writes them: how the arguments of a call become a scenario."""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._core import InputError


def number_array(value: Any, name: str) -> np.ndarray:
    """The value as float64: integers and shorter floats are converted, anything else is refused with a sentence."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise InputError(f"{name} must be an array of numbers") from None
    if array.dtype.kind == "c":
        raise InputError(f"{name} must be real, not {array.dtype}: take its real part if that is meant")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise InputError(f"{name} must be float64, not {array.dtype}, which has more digits than are computed with: "
                         "convert it with astype(float)")
    if array.dtype.kind not in "fiu":
        raise InputError(f"{name} must be an array of numbers, not of dtype {array.dtype}")
    return array.astype(np.float64)


def _plain(value: Any, name: str) -> Any:
    """Numbers and arrays of NumPy, and what has their interface, as Python's own."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (np.integer, np.floating)) and value.dtype.itemsize <= 8:
        return value.item()
    if isinstance(value, (list, tuple)):
        # Numbers that Python has itself keep what they are; the program checks their shape, with its own sentences.
        return [_plain(entry, name) for entry in value]
    if hasattr(value, "__array__"):
        return number_array(value, name).tolist()
    return value


def toml(value: Any, name: str) -> str:
    """The text of a value; `name` begins the sentence about one that has none."""
    value = _plain(value, name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InputError(f"{name} is an integer of more than 64 bits")
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(toml(entry, name) for entry in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml(entry, f'{name}.{key}')}" for key, entry in value.items()) + "}"
    if isinstance(value, complex):
        raise InputError(f"{name} must be real, not complex: take its real part if that is meant")
    raise InputError(f"{name} must be a number, a text or an array of these, not {type(value).__name__}")


def scenario_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Tables of keys as a scenario; keys without a value are left out."""
    lines = []
    for table, entries in tables.items():
        lines.append(f"[{table}]")
        lines += [f"{key} = {toml(value, f'{table}.{key}')}" for key, value in entries.items() if value is not None]
    return "\n".join(lines) + "\n"
