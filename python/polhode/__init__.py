"""The motion of rigid bodies over very long times, at the limit of floating-point arithmetic.

    import polhode
    run = polhode.propagate(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84], step=0.01, steps=100_000)
    run.t, run.momentum, run.attitude, run.energy_error

Elliptic functions and integrals are in polhode.elliptic, reference motions for other programs in polhode.conformance.

Conventions: an attitude is a unit quaternion from body to space, scalar first, with Hamilton's product; momentum and angular
velocity are those of the body frame; all numbers are float64, in your units.
"""
from . import conformance, elliptic
from ._batch import BatchResult
from ._core import (
    Body,
    DoubleDouble,
    InputError,
    MotionError,
    Trajectory,
    __version__,
    cite,
    step,
)
from ._derivatives import Derivatives, LyapunovExponents, derivatives, lyapunov_exponent, lyapunov_exponents, state_transition
from ._propagate import Scenario, catalogue, load, propagate
from ._reproduce import command, reproduce
from ._result import Result, Rows, read_attitudes
from ._rotation import from_euler, from_rotation, to_euler, to_rotation, to_scalar_first, to_scalar_last
from ._scheme import Scheme
from ._spin import SpinState
from ._system import System
from ._tangent import TangentMap, tangent_map
from ._torque import ChangingInertia, MovingMasses
from ._torque import classes as _torques
from ._warnings import InputWarning

__all__ = [
    "propagate", "step", "load", "reproduce", "catalogue", "command",
    "Body", "SpinState", "Trajectory", "Scenario", "Scheme", "System", "DoubleDouble", "Result", "BatchResult", "Rows", "TangentMap",
    "ChangingInertia", "MovingMasses", "read_attitudes",
    "tangent_map", "state_transition", "lyapunov_exponent", "lyapunov_exponents", "LyapunovExponents", "derivatives", "Derivatives",
    "to_rotation", "from_rotation", "to_euler", "from_euler", "to_scalar_last", "to_scalar_first",
    "conformance", "elliptic", "InputError", "MotionError", "InputWarning", "__version__", "cite",
]

InputError.__doc__ = """An input is wrong: the sentence says which, and why. A ValueError.

    >>> try:
    ...     polhode.Body([1, -1, 2])
    ... except polhode.InputError as error:
    ...     print(error)
    a moment of inertia is not positive
    """
MotionError.__doc__ = """A step cannot be taken; nothing of the call has moved. A RuntimeError.

    >>> try:
    ...     polhode.propagate(inertia=[1, 2, 2.5], momentum=[1, 0, 0], step=0.1, steps=9,
    ...                       torque=lambda q, t: [0, 0, 0 if t < 0.5 else np.nan])
    ... except polhode.MotionError as error:
    ...     print("not a finite number" in str(error))
    True
    """

# UniformField, Dipole, GravityGradient, Constant, Damping, Wheels, Dissipation: what the program has.
globals().update(_torques)
__all__ += list(_torques)
