"""Events: functions of a motion that are watched for a change of sign."""
from __future__ import annotations

import inspect
import numbers
from collections.abc import Sequence
from typing import Any, Callable, Iterator, Union

import numpy as np

from ._core import InputError


class EventState:
    """The state at a moment: momentum, attitude, angular_velocity, and what else a row has, by name."""

    __slots__ = ("_layout", "_row")

    def __init__(self, layout: dict[str, Union[int, slice]], row: np.ndarray) -> None:
        self._layout = layout
        self._row = row

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # before there is a layout, too: copies are made without it
            raise AttributeError(name)
        if name not in self._layout:
            raise AttributeError(f"the state has no {name!r}; it has {', '.join(self._layout)}")
        return self._row[self._layout[name]]

    def __dir__(self) -> Iterator[str]:
        return iter(self._layout)


EventFunction = Callable[[float, EventState], float]


def layout_of(described: list[tuple[str, int, int, str]]) -> dict[str, Union[int, slice]]:
    """Where the quantities stand in a row."""
    layout: dict[str, Union[int, slice]] = {}
    at = 0
    for name, size, _, _ in described:
        layout[name] = at if size == 1 else slice(at, at + size)
        at += size
    return layout


class _Watched:
    """An event as the program calls it."""

    def __init__(self, function: EventFunction) -> None:
        self.function = function
        self.layout: dict[str, Union[int, slice]] = {}

    def begin(self, described: list[tuple[str, int, int, str]]) -> None:
        """What the rows will have; the program calls this before the run."""
        self.layout = layout_of(described)

    def __call__(self, time: float, row: np.ndarray) -> Any:
        return self.function(time, EventState(self.layout, row))


def _takes_two(event: Any) -> bool:
    try:
        signature = inspect.signature(event)
    except (TypeError, ValueError):  # compiled, without a signature
        return True
    try:
        signature.bind(0.0, None)
    except TypeError:
        return False
    return True


def watched(events: Any) -> list[tuple[str, _Watched, int, bool]]:
    """(name, function, direction, terminal) of each."""
    if events is None:
        return []
    if callable(events):
        events = [events]
    if not isinstance(events, Sequence):
        raise InputError(f"events must be a function event(t, state) or a list of them, not {type(events).__name__}")
    result = []
    for i, event in enumerate(events):
        if not callable(event):
            raise InputError(f"events[{i}] must be a function event(t, state), not {type(event).__name__}")
        if not _takes_two(event):
            name = getattr(event, "__name__", f"events[{i}]")
            raise InputError(f"events are functions event(t, state), and {name} does not take two arguments")
        direction = getattr(event, "direction", 0)
        if not isinstance(direction, numbers.Real) or direction != direction:
            raise InputError(f"the direction of events[{i}] must be a number, not {direction!r}")
        terminal = getattr(event, "terminal", False)
        if isinstance(terminal, numbers.Real) and terminal > 1:
            raise InputError(f"the attribute terminal of events[{i}] must be True or False, not {terminal!r}: "
                             "that an event ends the run when it has happened several times is not supported")
        result.append((getattr(event, "__name__", f"events[{i}]"), _Watched(event), 1 if direction > 0 else -1 if direction < 0 else 0,
                       bool(terminal)))
    return result
