"""Builds the Python module with CMake, which knows how everything is compiled; the rest is in pyproject.toml.

POLHODE_BUILD_DIR   the CMake build to use (default: build/pip); one that is given is only brought up to date
POLHODE_JOBS        how many compilers run at a time (default: as many as there are processors)
POLHODE_MARCH       auto (default), none (for wheels that run anywhere), or a value for -march
POLHODE_SYSTEMS     core (default): the systems of one rigid body, and System for one's own; all: those of the command too
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent


def version() -> str:
    """The version stands in include/polhode/version.hpp and nowhere else."""
    header = (SOURCE / "include/polhode/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(rf"POLHODE_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def numpy_versions() -> str:
    """Those that a module runs with which was compiled with this one: from its own on, and NumPy 1 and 2 are not the same to it."""
    major, minor = numpy.__version__.split(".")[:2]
    return f"numpy>={major}.{minor},<2" if major == "1" else "numpy>=1.25"


class BuildWithCMake(build_ext):
    """Everything of the package comes from CMake's component `python`."""

    def build_extension(self, ext: Extension) -> None:
        build = Path(os.environ.get("POLHODE_BUILD_DIR", SOURCE / "build/pip"))
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        systems = os.environ.get("POLHODE_SYSTEMS", "core")
        if systems not in ("core", "all"):
            raise SystemExit(f"POLHODE_SYSTEMS must be core or all, not {systems}")
        if "POLHODE_BUILD_DIR" not in os.environ:
            # -O2: a quarter less to wait for than with -O3.
            subprocess.run(
                ["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DPOLHODE_BUILD_PYTHON=ON", "-DPOLHODE_BUILD_COMMAND=OFF",
                 "-DPOLHODE_BUILD_C=OFF", "-DPOLHODE_BUILD_TESTS=OFF", "-DPOLHODE_BUILD_EXAMPLES=OFF",
                 "-DPOLHODE_INSTALL=OFF", "-DPOLHODE_JOIN_SOURCES=ON",
                 f"-DPOLHODE_ALL_SYSTEMS={'ON' if systems == 'all' else 'OFF'}",
                 f"-DPOLHODE_MARCH={os.environ.get('POLHODE_MARCH', 'auto')}", f"-DPython_EXECUTABLE={sys.executable}"],
                check=True)
        subprocess.run(["cmake", "--build", build, "--target", "polhode_python_package", "--parallel",
                        os.environ.get("POLHODE_JOBS") or str(os.cpu_count() or 1)], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--strip", "--prefix", package.parent],
                       check=True)


setup(
    version=version(),
    packages=["polhode"],
    package_dir={"": "python"},
    package_data={"polhode": ["py.typed", "*.pyi"]},
    install_requires=[numpy_versions()],
    ext_modules=[Extension("polhode._core", sources=[])],
    cmdclass={"build_ext": BuildWithCMake},
    zip_safe=False,
)
