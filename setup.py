"""Builds the Python module with CMake, which knows how everything is compiled; the rest is in pyproject.toml.

POLHODE_BUILD_DIR   the CMake build to use (default: build/pip); one that is there already is only brought up to date
POLHODE_JOBS        how many compilers run at a time (default: as many as there are processors)
POLHODE_MARCH       auto (default), none (for wheels that run anywhere), or a value for -march
"""
import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent


def version() -> str:
    """The version stands in include/polhode/version.hpp and nowhere else."""
    header = (SOURCE / "include/polhode/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(rf"POLHODE_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


class BuildWithCMake(build_ext):
    """Everything of the package comes from CMake's component `python`, the command included."""

    def build_extension(self, ext: Extension) -> None:
        build = Path(os.environ.get("POLHODE_BUILD_DIR", SOURCE / "build/pip"))
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        if "POLHODE_BUILD_DIR" not in os.environ:
            subprocess.run(
                ["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DPOLHODE_BUILD_PYTHON=ON", "-DPOLHODE_BUILD_TESTS=OFF", "-DPOLHODE_BUILD_EXAMPLES=OFF",
                 "-DPOLHODE_BUILD_C=OFF", "-DPOLHODE_JOIN_SOURCES=ON", f"-DPOLHODE_MARCH={os.environ.get('POLHODE_MARCH', 'auto')}",
                 f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "polhode_python_package", "polhode", "--parallel",
                        os.environ.get("POLHODE_JOBS") or str(os.cpu_count() or 1)], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", package.parent], check=True)


setup(
    version=version(),
    packages=["polhode"],
    package_dir={"": "python"},
    package_data={"polhode": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("polhode._core", sources=[])],
    cmdclass={"build_ext": BuildWithCMake},
    zip_safe=False,
)
