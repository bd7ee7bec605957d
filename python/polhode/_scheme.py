"""Splitting schemes by their coefficients."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Optional, Sequence

from . import _core
from ._values import plain


class Scheme(Mapping[str, Any]):
    """A splitting scheme of one's own, for `propagate(..., scheme=...)`.

    a    the first half of the lengths of the free motions, without the last
    b    the same of the kicks

    Free motions and kicks follow each other: a[0], b[0], a[1], ... The last of each follows from the sum, the second half from
    the symmetry. With one more a than there are b, a free motion is in the middle; with as many, a kick. A scheme that
    begins with a kick has a[0] = 0. Texts and `decimal.Decimal` may have more digits than a float, up to 60.

    order            in the step, found from the coefficients; 8 stands for 8 or higher where effective_error is None
    nystrom          whether the order needs kinetic energy that is quadratic in the momenta, as that of a body is
    stages           the number of kicks in a step
    effective_error  E_f = stages * |c|**(1/order), c the coefficients of the leading error: the error at equal cost
    effective_error_nystrom    the same for kinetic energy that is quadratic in the momenta

    >>> s6 = polhode.Scheme(a=[0.0792036964311957, 0.353172906049774, -0.0420650803577195],
    ...                     b=[0.209515106613362, -0.143851773179818])
    >>> s6
    Scheme(order 4, 6 kicks, effective error 0.5593)
    >>> top = dict(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200, torque=polhode.UniformField([0, 0, 1]))
    >>> own, named = polhode.propagate(**top, scheme=s6), polhode.propagate(**top, scheme="blanes-moan-4")
    >>> bool((own.attitude == named.attitude).all())
    True
    """

    def __init__(self, a: Sequence[Any], b: Sequence[Any]) -> None:
        self.a = _digits(a, "Scheme.a")
        self.b = _digits(b, "Scheme.b")
        figures = _core.scheme_figures({"a": self.a, "b": self.b})
        self.order: int = figures["order"]
        self.nystrom: bool = figures["nystrom"]
        self.stages: int = figures["stages"]
        self.effective_error: Optional[float] = figures["effective_error"]
        self.effective_error_nystrom: Optional[float] = figures["effective_error_nystrom"]

    def __getitem__(self, key: str) -> Any:
        if key not in ("a", "b"):
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(("a", "b"))

    def __len__(self) -> int:
        return 2

    def __repr__(self) -> str:
        effective = "not known" if self.effective_error is None else f"{self.effective_error:.4g}"
        return f"Scheme(order {self.order}, {self.stages} kicks, effective error {effective})"


def _digits(values: Any, name: str) -> Any:
    """A list as a scenario has it, with decimals as texts."""
    if isinstance(values, (list, tuple)):
        values = [format(x, "f") if isinstance(x, Decimal) else x for x in values]
    return plain(values, name)
