"""Reference motions of free rigid bodies for the tests of other programs, and the score of what those compute.

    for body in polhode.conformance.kit():
        ...                                     # body.inertia, body.angular_velocity, body.attitude -> your program
    print(polhode.conformance.score(rows))      # what it does well and badly, in words

The command `polhode conformance --out DIR` writes the same kit as files, with a description, and with 32 digits.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Mapping, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError
from ._values import text_of

__all__ = ["Body", "Reference", "Score", "kit", "score"]

_COLUMNS = ("body", "frequency", "time", "q0", "q1", "q2", "q3", "omega1", "omega2", "omega3")


@dataclass(frozen=True)
class Reference:
    """The exact state of a body at a time. sensitivity is the error of the attitude in rad for a relative error of one at the start.

    >>> first = polhode.conformance.kit()[0].states[0]
    >>> first.time, first.attitude, first.sensitivity
    (1.0, array([ 0.71311   , -0.35235939, -0.52518419,  0.30248729]), 94.0)
    """

    time: float
    attitude: NDArray[np.float64]
    angular_velocity: NDArray[np.float64]
    sensitivity: float


@dataclass(frozen=True)
class Body:
    """A body of the kit with its state at the time zero, and the exact states after it.

    >>> box = polhode.conformance.kit()[0]
    >>> box.name, box.kind, box.inertia.shape, len(box.states)
    ('box', 'generic', (3, 3), 4)
    """

    name: str
    kind: str
    inertia: NDArray[np.float64]
    angular_velocity: NDArray[np.float64]
    attitude: NDArray[np.float64]
    states: tuple[Reference, ...]


class Score(dict):
    """What `polhode conformance --score --json` prints, as a dict; printed, what it prints for a person.

    frequencies   for each, the median and the worst body of attitude_error (rad), energy_error, momentum_error, omega_error (relative)
    order         observed, of the attitude; 0: rounding only; None: it cannot be seen
    omega_order   the same of omega
    velocity, attitude    the formulas that were recognized, or ""
    worst_body, missing, single_precision
    verdicts      sentences

    >>> rows = [(body.name, 60, s.time, *s.attitude, *s.angular_velocity) for body in polhode.conformance.kit() for s in body.states]
    >>> score = polhode.conformance.score(rows)
    >>> score["velocity"], score["attitude"], score["single_precision"]
    ('exact', 'exact', False)
    """

    def __init__(self, content: Mapping[str, Any], text: str) -> None:
        super().__init__(content)
        self._text = text

    def __str__(self) -> str:
        return self._text


def kit() -> list[Body]:
    """The bodies of the kit.

    >>> box = polhode.conformance.kit()[0]
    >>> box.name, box.angular_velocity, box.states[-1].time
    ('box', array([0.1, 5. , 0.1]), 10.0)
    >>> box.states[-1].attitude
    array([ 0.22516456, -0.61992756, -0.27702915,  0.69874572])
    """
    array = np.array
    return [
        Body(b["name"], b["kind"], array(b["inertia"]), array(b["angular_velocity"]), array(b["attitude"]),
             tuple(Reference(float(s["time"]), array(s["attitude"]), array(s["angular_velocity"]), s["sensitivity"])
                   for s in b["states"]))
        for b in json.loads(_core.conformance_kit())["bodies"]
    ]


def score(states: Union[str, os.PathLike, Iterable[Iterable[Any]]]) -> Score:
    """The score of states that a program computed for the bodies of the kit.

    states   a file of CSV as the command takes it, or rows of
             (body, frequency, time, q0, q1, q2, q3, omega1, omega2, omega3), omega in the body frame

    >>> rows = []
    >>> for body in polhode.conformance.kit():
    ...     for s in body.states:       # a program without a gyroscopic term
    ...         turn = body.angular_velocity * s.time
    ...         size = np.linalg.norm(turn) or 1.0
    ...         w, x, y, z = np.cos(size / 2), *(np.sin(size / 2) / size * turn)
    ...         a, b, c, d = body.attitude
    ...         q = (a*w - b*x - c*y - d*z, a*x + b*w + c*z - d*y, a*y + c*w + d*x - b*z, a*z + d*w + b*y - c*x)
    ...         rows.append((body.name, 60, s.time, *q, *body.angular_velocity))
    >>> polhode.conformance.score(rows)["verdicts"][0]
    'has no gyroscopic term: omega in the body does not change'
    """
    if isinstance(states, (str, os.PathLike)):
        source = os.fspath(states)
        text = text_of(source, "CSV")
    else:
        source = "states"
        lines = [",".join(_COLUMNS)]
        columns = ", ".join(_COLUMNS)
        if not isinstance(states, Iterable):
            raise InputError(f"states must be the name of a file or rows of ({columns}), not {type(states).__name__}")
        for i, row in enumerate(states):
            try:
                name, *numbers = row
                lines.append(",".join([str(name), *(repr(float(x)) for x in numbers)]))
            except (TypeError, ValueError):
                raise InputError(f"states[{i}] must be a row of ({columns})") from None
        text = "\n".join(lines) + "\n"
    content, shown = _core.conformance_score(text, source)
    return Score(json.loads(content), shown)
