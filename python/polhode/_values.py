"""Values of a scenario: how the arguments of a call, or a file, become one."""
from __future__ import annotations

import datetime
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._core import InputError

#: TOML has them, scenarios refuse them.
_DATES = (datetime.date, datetime.time)


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


def plain(value: Any, name: str) -> Any:
    """The value with Python's own numbers, texts, lists and dictionaries, as a scenario has them. `name` begins the sentence
    about a value that cannot be one."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (np.integer, np.floating)) and value.dtype.itemsize <= 8:
        value = value.item()
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(f"{name} is an integer of more than 64 bits")
    if isinstance(value, (bool, int, float, str, *_DATES)):
        return value
    if isinstance(value, (list, tuple)):
        # Numbers that Python has itself keep what they are; the program checks their shape, with its own sentences.
        return [plain(entry, name) for entry in value]
    if hasattr(value, "__array__"):
        return number_array(value, name).tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(entry, f"{name}.{key}") for key, entry in value.items()}
    if isinstance(value, complex):
        raise InputError(f"{name} must be real, not complex: take its real part if that is meant")
    raise InputError(f"{name} must be a number, a text or an array of these, not {type(value).__name__}")


def text_of(file: str, kind: str) -> str:
    """The text of a file; `kind` is what it should be."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: this is not {kind}: it is not UTF-8") from None


def plain_tables(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Tables of keys as a scenario; keys without a value are left out."""
    return {
        table: {key: plain(value, f"{table}.{key}") for key, value in entries.items() if value is not None}
        for table, entries in tables.items()
    }


def parsed(text: str, name: str) -> dict[str, Any]:
    """A text in TOML as a dictionary."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError:
            raise InputError(f"{name}: TOML needs the package tomli before Python 3.11, and it is not installed") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, place = str(error), ""
        found = re.search(r" \(at line (\d+), column (\d+)\)$", reason)
        if found:
            reason, place = reason[: found.start()], f":{found[1]}:{found[2]}"
        raise InputError(f"{name}{place}: this is not TOML: {reason}") from None
