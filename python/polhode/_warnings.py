"""Doubtful input: what deserves a sentence, but not a refusal."""
from __future__ import annotations

import sys
import warnings
from typing import Iterable


class InputWarning(UserWarning):
    """An input is doubtful: the sentence says which, and why. A UserWarning; run.warnings has the sentences too.

    That no distribution of mass has the moments stands in run.warnings alone: the idealised bodies of the literature are such.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = polhode.propagate(inertia=[1, 2, 2.5], momentum=[0.1, 0.2, 1], attitude=[2, 0, 0, 0], step=0.1, steps=10)
    >>> print(caught[0].message)
    the attitude has norm 2, not 1: taken as the rotation of the same direction
    >>> run.warnings == [str(caught[0].message)]
    True
    """


InputWarning.__module__ = "polhode"

#: The end of the sentence about moments that break the triangle inequality.
_IDEALISED = "no distribution of mass has them"


def warn_of(sentences: Iterable[str]) -> None:
    """Shows the sentences to the caller of the package, at the line of the call."""
    for sentence in _shown(sentences):
        warnings.warn(sentence, InputWarning, stacklevel=_depth())


def _shown(sentences: Iterable[str]) -> list[str]:
    return [sentence for sentence in sentences if not sentence.endswith(_IDEALISED)]


def _depth() -> int:
    """How many frames lie between warn_of() and the first one that is not of the package."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and (frame.f_globals.get("__name__") or "").partition(".")[0] == "polhode":
        depth, frame = depth + 1, frame.f_back
    return depth


def warned(sentences: Iterable[str]) -> str:
    """What a repr adds."""
    count = len(_shown(sentences))
    return f"; {count} warning{'s' * (count != 1)}" if count else ""
