"""Calls of the module with hostile arguments, by chance from a seed: hostile_arguments.py SEED SECONDS [FIRST CALL].

A call ends with a result or with an exception that says what is wrong; never with the process, never with SystemError, and a buffer that is
given is never written beyond its end. Each call is named in the file that POLHODE_CALLS names before it is made, so that one that ends the process is
known: `hostile_arguments.py SEED 0 NUMBER` makes it again.
"""
import itertools
import os
import random
import resource
import sys
import time
import warnings

import numpy as np

import polhode

FINE = (polhode.InputError, polhode.MotionError, ValueError, TypeError, OverflowError, MemoryError, ZeroDivisionError, KeyError, IndexError,
        AttributeError, NotImplementedError, OSError, RecursionError, np.linalg.LinAlgError)
INERTIA, MOMENTUM, ATTITUDE = [0.345, 0.653, 1.0], [0.5, 0.2, 0.84], [1.0, 0.0, 0.0, 0.0]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.01, 5e-324, -5e-324, 1e-160, 1e-308, 1e160, 1.7e308, float("nan"), float("inf"), -float("inf"), 2.0**53, 1e18]
# What a call is made for as long as it says is not among these.
COUNTS = [0, 1, 2, 3, 17, -1, -2**31, -2**63, True, None, "3", 2.0, 1.5, float("nan"), [3], np.int8(3), np.uint64(2), np.array(2)]


class Treacherous:
    """Says that it is an array, a number, a sequence, and fails."""

    def __array__(self, *_, **__):
        raise ValueError("no array")

    def __float__(self):
        raise ZeroDivisionError("no number")

    __index__ = __int__ = __float__

    def __len__(self):
        return 3

    def __getitem__(self, i):
        raise IndexError(i)

    def __call__(self, *_):
        return self


class Growing(list):
    """Is longer each time it is looked at."""

    def __len__(self):
        self.append(1.0)
        return super().__len__()


def arrays(chance):
    """An array of any shape, type, order and stride."""
    shape = chance.choice([(), (0,), (1,), (3,), (4,), (3, 3), (2, 3), (0, 3), (2, 4), (2, 3, 3), (1, 1, 3), (5, 3), (3, 0), (2, 2, 2, 2)])
    kind = chance.choice(["f8", "f8", "f8", ">f8", "f4", "i4", "u1", "?", "c16", "O", "U3", "M8[s]", "f2", "longdouble"])
    size = int(np.prod(shape))
    values = [chance.choice(NUMBERS) for _ in range(size)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind in ("U3", "M8[s]"):
            array = np.zeros(shape, kind)
        else:
            array = np.array(values, dtype="f8").reshape(shape)
            array = np.nan_to_num(array).clip(0, 100).astype(kind) if kind in ("i4", "u1") else array.astype(kind)
    way = chance.randrange(7)
    if way == 0 and array.ndim:
        array = np.repeat(array, 2, axis=-1)[..., ::2]
    elif way == 1 and array.ndim:
        array = array[::-1]
    elif way == 2:
        array = np.asfortranarray(array)
    elif way == 3:
        array = np.broadcast_to(array, (2,) + array.shape)
    elif way == 4:
        array.setflags(write=False)
    elif way == 5 and kind == "f8":
        room = np.zeros(8 * size + 1, "u1")  # not aligned
        array = room[1:].view("f8").reshape(shape)
    return array


def values(chance):
    """Anything."""
    return chance.choice([
        lambda: chance.choice(NUMBERS),
        lambda: [chance.choice(NUMBERS) for _ in range(chance.choice([0, 1, 2, 3, 3, 3, 4, 4, 9]))],
        lambda: arrays(chance), lambda: arrays(chance), lambda: arrays(chance),
        lambda: [[chance.choice(NUMBERS) for _ in range(3)] for _ in range(chance.choice([1, 2, 3]))],
        lambda: chance.choice(["", "exact", "dmv10", "rk4", "strang", "x" * 10000, "\0", "\ud800", "é", b"exact", bytearray(8), memoryview(b"12345678")]),
        lambda: chance.choice([None, True, 2**70, -2**70, 1 + 2j, object(), type, iter([1.0, 2.0, 3.0]), {}, {"a": 1}, set(), ..., slice(3)]),
        lambda: chance.choice([Treacherous(), Growing([1.0, 2.0, 3.0]), polhode.Body(INERTIA), polhode.UniformField([0, 0, 1])]),
        lambda: functions(chance),
    ])()


def functions(chance):
    """A function that returns anything, fails, or writes to what it is given."""
    result = chance.choice([None, 1.0, [0.0, 0.0, 0.1], [float("nan")] * 3, [1e308] * 3, [1.0], np.zeros((2, 3)), np.zeros(3)[::-1], "abc",
                            Treacherous(), [[0.0, 0.0, 0.1]] * 2, polhode.DoubleDouble(1.0)])

    def function(*given):
        for one in given:
            if isinstance(one, np.ndarray) and one.flags.writeable and one.size:
                one[...] = 7.0
        if chance.random() < 0.05:
            raise ZeroDivisionError("a function of the user")
        return result

    return chance.choice([function, lambda q, t: result, lambda q, omega, t: result, lambda: result, lambda q: result])


def scenario(chance):
    text = ("[system]\nkind = \"free-body\"\ninertia = [0.3, 0.6, 1.0]\n[state]\nmomentum = [0.5, 0.2, 0.8]\n[method]\nname = \"exact\"\n"
            "step = 0.01\nsteps = 3\n")
    at, count = chance.randrange(len(text)), chance.randrange(6)
    if "steps" in text[max(0, at - 6):at + 8]:
        return text
    return text[:at] + "".join(chance.choice("[]\"=.\n\0é12-einf#{}") for _ in range(count)) + text[at + chance.randrange(4):]


def written(chance):
    """A buffer with guards before and behind it, which nobody may write to."""
    room = np.full(16 + 7, 123.0)
    return room, (room[8:11], room[12:16]) if chance.random() < 0.7 else (arrays(chance), arrays(chance))


BODY = dict(inertia=INERTIA, momentum=MOMENTUM)
# The function, arguments that are right, and which of them count something.
CALLS = [
    (polhode.propagate, dict(BODY, attitude=ATTITUDE, step=0.01, steps=3, every=1, method="exact", compensated=True), ["steps", "every"]),
    (polhode.propagate, dict(BODY, step=0.01, steps=3, times=[0.0, 0.02], start_time=0.0, dense=True, threads=1), ["steps", "threads"]),
    (polhode.propagate, dict(BODY, step=0.01, steps=3, torque=lambda q, t: [0.0, 0.0, 0.1], scheme="strang", events=lambda t, q: 1.0), ["steps"]),
    (polhode.propagate, dict(inertia=INERTIA, momentum=[MOMENTUM] * 2, attitude=[ATTITUDE] * 2, step=0.01, steps=3,
                             torque=lambda q, t: np.zeros((2, 3)), threads=2), ["steps", "threads"]),
    (polhode.propagate, dict(inertia=[INERTIA] * 2, momentum=[MOMENTUM] * 2, attitude=[ATTITUDE] * 2, step=0.01, steps=3,
                             torque=polhode.UniformField([0, 0, 1])), ["steps"]),
    (polhode.step, dict(inertia=INERTIA, momentum=MOMENTUM, attitude=ATTITUDE, step=0.01, steps=2, threads=1), ["steps", "threads"]),
    (polhode.step, dict(inertia=[INERTIA] * 2, momentum=[MOMENTUM] * 2, attitude=[ATTITUDE] * 2, step=0.01), []),
    (polhode.Body, dict(inertia=INERTIA), []),
    (polhode.Trajectory, dict(BODY, attitude=ATTITUDE), []),
    (lambda t, threads: polhode.Trajectory(**BODY).at(t, threads=threads), dict(t=[0.0, 1.0], threads=1), ["threads"]),
    (polhode.SpinState, dict(BODY, attitude=ATTITUDE, uncertainty={"momentum": 0.1}), []),
    (polhode.SpinState.from_periods, dict(precession=7.0, rotation=5.0, moments=INERTIA, mode="long-axis", phase=0.0), []),
    (polhode.tangent_map, dict(inertia=INERTIA, momentum=MOMENTUM, step=0.5), []),
    (polhode.state_transition, dict(inertia=INERTIA, momentum=MOMENTUM, step=0.5, torque=polhode.UniformField([0, 0, 1]), steps=2), ["steps"]),
    (polhode.lyapunov_exponents, dict(inertia=INERTIA, momentum=MOMENTUM, step=0.1, steps=4, torque=polhode.UniformField([0, 0, 1]), looks=2),
     ["steps", "looks"]),
    (polhode.derivatives, dict(BODY, step=0.1, times=[0.1, 0.2], torque=lambda p: polhode.UniformField([0, 0, p[0]]), parameters=[1.0]), []),
    (lambda force, position, momentum, step, steps: polhode.System(force).run(position=position, momentum=momentum, step=step, steps=steps),
     dict(force=lambda q: -q, position=[1.0, 0.0], momentum=[0.0, 1.0], step=0.01, steps=3), ["steps"]),
    (polhode.Scheme, dict(a=[0.5, 0.5], b=[1.0]), []),
    (polhode.to_euler, dict(attitude=ATTITUDE, sequence="ZYX"), []),
    (polhode.from_euler, dict(angles=[0.1, 0.2, 0.3], sequence="xyz"), []),
    (polhode.elliptic.sn, dict(u=[0.1, 0.2], k2=0.5), []),
    (polhode.elliptic.Pi, dict(n=0.1, k2=0.5, phi=0.2), []),
    (polhode.conformance.score, dict(states=[[1.0] * 8]), []),
    (polhode.UniformField, dict(field=[0, 0, 1]), []),
    (polhode.Damping, dict(coefficient=0.1), []),
    (polhode.GravityGradient, dict(semi_major_axis=1.0, eccentricity=0.1), []),
    (polhode.MovingMasses, dict(body_mass=1.0, masses=[(0.1, lambda t: [0.0, 0.0, t])]), []),
    (polhode.DoubleDouble, dict(high=1.0, low=0.0), []),
    (polhode.catalogue, dict(part="methods"), []),
]


def call(number, seed, log):
    """One call. Returns whether it had a result."""
    chance = random.Random(f"{seed} {number}")
    what = chance.randrange(len(CALLS) + 2)
    guard = None
    if what < len(CALLS):
        function, keywords, counts = CALLS[what]
        keywords = dict(keywords)
        for key in chance.sample(sorted(keywords), k=min(len(keywords), chance.choice([0, 1, 1, 1, 2, 3]))):
            keywords[key] = chance.choice(COUNTS) if key in counts else values(chance)
        if "torque" in keywords and chance.random() < 0.3:
            keywords["torque"] = functions(chance)
    elif what == len(CALLS):
        function, keywords = polhode.Scenario, dict(text=scenario(chance))
    else:
        guard, out = written(chance)
        function, keywords = polhode.step, dict(inertia=INERTIA, momentum=MOMENTUM, attitude=ATTITUDE, step=0.01, out=out)
    if log:
        log.seek(0)
        log.write(f"{number} {getattr(function, '__name__', function)}\n")
        log.flush()
    try:
        function(**keywords)
        return True
    except FINE:
        return False
    finally:
        if guard is not None and not (guard[:8] == 123).all() & (guard[11] == 123) & (guard[16:] == 123).all():
            raise SystemError("a buffer was written beyond its end")


def main():
    seed, seconds = int(sys.argv[1]), float(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    log = open(os.environ["POLHODE_CALLS"], "w", encoding="utf-8") if "POLHODE_CALLS" in os.environ else None
    end, good = time.monotonic() + seconds, 0
    for number in itertools.count(first):
        try:
            good += call(number, seed, log)
        except BaseException:
            print(f"call {number} of seed {seed}:", file=sys.stderr)
            raise
        if time.monotonic() > end:
            print(f"{number + 1 - first} calls, {good} with a result")
            return


main()
