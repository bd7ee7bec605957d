"""pip install, into an environment of its own, without a network and without compiling again what the tests have built."""
import os
import subprocess
import sys

import pytest
from conftest import SOURCE


def run(*arguments, **keywords):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif("POLHODE_BUILD" not in os.environ, reason="run by ctest, which knows where the build is")
def test_pip_install(tmp_path):
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    # A copy: setuptools writes beside its sources.
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "python", "include", "docs", "README.md", "LICENSE"):
        run("cp", "-r", SOURCE / name, source)
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "POLHODE_COMMAND")}
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", ".", cwd=source,
        env={**clean, "POLHODE_BUILD_DIR": os.environ["POLHODE_BUILD"]})
    program = """
import polhode, subprocess
assert polhode.__file__.startswith(%r), polhode.__file__
assert polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=0.1, steps=10).t[-1] == 1.0
print(subprocess.run([polhode.command(), "list", "systems"], capture_output=True, text=True, check=True).stdout)
""" % str(tmp_path)
    assert "free-body" in run(python, "-c", program, cwd=tmp_path, env=clean)
    names = run(python, "-m", "pip", "show", "--files", "polhode", env=clean)
    for name in ("_core.cpython", "_core.pyi", "py.typed", "bin/polhode"):
        assert name in names
