"""The number of 31 digits that functions of one's own are called with."""
from fractions import Fraction

import numpy as np
import pytest

import polhode
from polhode import DoubleDouble


def exact(x):
    return Fraction(x.high) + Fraction(x.low) if isinstance(x, DoubleDouble) else Fraction(x)


def numbers(random, count):
    return [DoubleDouble(a, b * 1e-17) for a, b in random.standard_normal((count, 2))]


def test_arithmetic(random):
    """Within the bounds that are proved of the core's, in units of 2^-106."""
    bounds = {"__add__": 4, "__sub__": 4, "__mul__": 5, "__truediv__": 12}
    for a, b in zip(numbers(random, 300), numbers(random, 300)):
        for name, bound in bounds.items():
            for x, y in ((a, b), (a, b.high), (a.high, b), (a, 3), (3, b)):
                reached = exact({"__add__": lambda: x + y, "__sub__": lambda: x - y, "__mul__": lambda: x * y,
                                 "__truediv__": lambda: x / y}[name]())
                wanted = {"__add__": exact(x) + exact(y), "__sub__": exact(x) - exact(y), "__mul__": exact(x) * exact(y),
                          "__truediv__": exact(x) / exact(y)}[name]
                assert abs(reached - wanted) <= bound * abs(wanted) / 2**106, (name, x, y)
        assert abs(exact(abs(a).sqrt()) ** 2 - abs(exact(a))) <= 8 * abs(exact(a)) / 2**106
        assert exact(-a) == -exact(a) and exact(+a) == exact(a) and exact(abs(a)) == abs(exact(a))
        assert (a < b) == (exact(a) < exact(b)) and (a >= b.high) == (exact(a) >= Fraction(b.high))


def test_powers_and_functions(random):
    for x in numbers(random, 100):
        assert abs(exact(x**5) / exact(x) ** 5 - 1) < 2.0**-100 and abs(exact(x**-3) * exact(x) ** 3 - 1) < 2.0**-100
        assert exact(x**0) == 1 and exact(x**2.0) == exact(x * x)
        assert abs(exact(abs(x) ** 1.5) ** 2 / abs(exact(x)) ** 3 - 1) < 2.0**-99
        s, c = x.sin(), x.cos()
        assert abs(exact(s * s + c * c) - 1) < 2.0**-99 and abs(s.high - np.sin(x.high)) < 1e-15
        assert abs(exact(s.arctan2(c)) - exact(x)) < 2.0**-98 if abs(x.high) < 3.1 else True
    with pytest.raises(polhode.InputError, match="powers of integers and halves"):
        DoubleDouble(2.0) ** 0.3


def test_arrays():
    q = np.array([DoubleDouble(2.0), DoubleDouble(3.0, 1e-17)], object)
    for value in (q @ q, np.dot(q, [1.0, 2.0]), np.float64(2) * q[0], q[0] * np.float64(2), np.int64(2) + q[0], np.linalg.norm(q),
                  q.sum(), *(2.0 * q), *np.sqrt(q), *np.sin(q), *(q / np.float64(3)), *np.square(q), *q**2):
        assert isinstance(value, DoubleDouble)
    assert exact((q @ q)) == Fraction(4) + exact(q[1] * q[1])


def test_digits_are_not_lost_without_a_word():
    x = DoubleDouble(0.1, 1e-18)
    for attempt in (lambda: float(x), lambda: np.array([x], float), lambda: np.zeros(2).__setitem__(0, x), lambda: DoubleDouble("1")):
        with pytest.raises(TypeError):
            attempt()
    assert repr(x) == "DoubleDouble(0.1, 1e-18)" and eval(repr(x)) == x and hash(eval(repr(x))) == hash(x)
    assert DoubleDouble(1e-18, 0.1) == x and x != 0.1 and DoubleDouble(0.5) == 0.5 and not DoubleDouble(0.0)
