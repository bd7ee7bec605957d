"""Elliptic functions and integrals of arrays: sn cn dn am, F E K Pi, and Carlson's RF RC RJ RD.

The modulus is given by its square: k2 is k^2, what many call the parameter m (scipy's m too), not k. Near k2 = 1, where
1 - k2 has no digits, give the complement kp2 = 1 - k^2 instead; or both, if both are known: the smaller of them is taken as
exact. All of them broadcast and take out=, where= and the other keywords of NumPy's ufuncs. The domain of the modulus is
0 <= k2 <= 1; what is outside of its domain is NaN. E and Pi are complete unless they are given an amplitude by its name, phi=.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._core import InputError
from ._core import elliptic as _ufuncs

RF = _ufuncs.RF
RC = _ufuncs.RC
RJ = _ufuncs.RJ
RD = _ufuncs.RD

#: Its square k2 or the complement of that, kp2; one of them may be missing.
Modulus = Optional[ArrayLike]

__all__ = ["jacobi", "sn", "cn", "dn", "am", "F", "E", "K", "Pi", "RF", "RC", "RJ", "RD"]


def _modulus(k2: Modulus, kp2: Modulus) -> tuple[Any, Any]:
    if k2 is None and kp2 is None:
        raise InputError("the modulus is missing: give k2, its square, or kp2, the complement of that")
    if kp2 is None:
        return k2, np.subtract(1.0, k2)
    return (np.subtract(1.0, kp2) if k2 is None else k2), kp2


def jacobi(u: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> tuple[Any, Any, Any]:
    """(sn, cn, dn) of u, computed together.

    >>> sn, cn, dn = polhode.elliptic.jacobi(np.linspace(0, 4, 5), 0.5)
    >>> bool(np.abs(sn**2 + cn**2 - 1).max() < 1e-15)
    True
    """
    return _ufuncs.jacobi(u, *_modulus(k2, kp2), **keywords)


def sn(u: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:
    """The sine of the amplitude of u.

    >>> polhode.elliptic.sn([0.0, 0.5], 0.0)
    array([0.        , 0.47942554])
    """
    return _ufuncs.sn(u, *_modulus(k2, kp2), **keywords)


def cn(u: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:
    """The cosine of the amplitude of u.

    >>> bool(abs(polhode.elliptic.cn(30.0, 1.0) * np.cosh(30.0) - 1) < 1e-15)
    True
    """
    return _ufuncs.cn(u, *_modulus(k2, kp2), **keywords)


def dn(u: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:
    """dn(u) = sqrt(1 - k^2 sn^2).

    >>> float(polhode.elliptic.dn(polhode.elliptic.K(0.75), 0.75))
    0.5
    """
    return _ufuncs.dn(u, *_modulus(k2, kp2), **keywords)


def am(u: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:
    """The amplitude of u: the inverse of F, growing by pi every 2K.

    >>> bool(abs(polhode.elliptic.am(polhode.elliptic.F(10.0, 0.3), 0.3) - 10.0) < 1e-14)
    True
    """
    return _ufuncs.am(u, *_modulus(k2, kp2), **keywords)


def F(phi: ArrayLike, k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:  # noqa: N802
    """Legendre's integral of the first kind, of any real amplitude.

    >>> polhode.elliptic.F([0.0, 1.0], 0.5)
    array([0.        , 1.08321677])
    """
    return _ufuncs.first(phi, *_modulus(k2, kp2), **keywords)


def K(k2: Modulus = None, *, kp2: Modulus = None, **keywords: Any) -> Any:  # noqa: N802
    """The complete integral of the first kind, F(pi/2).

    >>> float(polhode.elliptic.K(kp2=1e-300))                # K(1) would be infinite
    346.774058...
    """
    return _ufuncs.complete_first(*_modulus(k2, kp2), **keywords)


def E(k2: Modulus = None, *, phi: Optional[ArrayLike] = None, kp2: Modulus = None, **keywords: Any) -> Any:  # noqa: N802
    """The integral of the second kind: complete, or to the amplitude phi.

    >>> float(polhode.elliptic.E(1.0)), float(polhode.elliptic.E(0.0, phi=0.25))
    (1.0, 0.25)
    """
    if phi is None:
        return _ufuncs.complete_second(*_modulus(k2, kp2), **keywords)
    return _ufuncs.second(phi, *_modulus(k2, kp2), **keywords)


def Pi(n: ArrayLike, k2: Modulus = None, *, phi: Optional[ArrayLike] = None,  # noqa: N802
       kp2: Modulus = None, **keywords: Any) -> Any:
    """The integral of the third kind, of the characteristic n < 1: complete, or to the amplitude phi.

    The integrand is 1/((1 - n sin^2) sqrt(1 - k^2 sin^2)).

    >>> bool(abs(polhode.elliptic.Pi(0.0, 0.5) - polhode.elliptic.K(0.5)) < 1e-15)
    True
    """
    if phi is None:
        return _ufuncs.complete_third(n, *_modulus(k2, kp2), **keywords)
    return _ufuncs.third(n, phi, *_modulus(k2, kp2), **keywords)
