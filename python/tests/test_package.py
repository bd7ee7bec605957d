"""pip install, into an environment of its own, without a network and without compiling again what the tests have built."""
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import SOURCE

import polhode
from polhode import _core


def run(*arguments, **keywords):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_description_of_the_package_stands_alone():
    """An index of packages shows it without the files beside it."""
    name = re.search(r'^readme = "(.*)"$', (SOURCE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    text = (SOURCE / name).read_text(encoding="utf-8")
    assert "](" not in text
    assert name in (SOURCE / "MANIFEST.in").read_text(encoding="utf-8").split()
    exec(re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1], {})


@pytest.mark.skipif("POLHODE_BUILD" not in os.environ, reason="run by ctest, which knows where the build is")
def test_pip_install(tmp_path):
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    # A copy: setuptools writes beside its sources.
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "python", "include", "docs", "LICENSE"):
        run("cp", "-r", SOURCE / name, source)
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "POLHODE_COMMAND")}
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", ".", cwd=source,
        env={**clean, "POLHODE_BUILD_DIR": os.environ["POLHODE_BUILD"]})
    program = """
import polhode
assert polhode.__file__.startswith(%r), polhode.__file__
assert polhode.propagate(inertia=[1, 2, 3], momentum=[1, 2, 3], step=0.1, steps=10).t[-1] == 1.0
assert "experiments" not in polhode.catalogue()
try:
    polhode.reproduce("vilmart-fig1")
except FileNotFoundError as error:
    print(error)
""" % str(tmp_path)
    nowhere = {**clean, "PATH": "/nonexistent"}
    assert run(python, "-c", program, cwd=tmp_path, env=nowhere).startswith("the command polhode is not found")
    # The command beside the interpreter is found, and the one on the path.
    named = "import polhode; print(polhode.command())"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for folder in (elsewhere, tmp_path / "venv" / "bin"):
        os.symlink(os.environ["POLHODE_COMMAND"], folder / "polhode")
        found = run(python, "-c", named, cwd=tmp_path, env={**clean, "PATH": str(elsewhere)}).strip()
        assert found == str(folder / "polhode")
    names = run(python, "-m", "pip", "show", "--files", "polhode", env=clean)
    for name in ("_core.cpython", "_core.pyi", "py.typed"):
        assert name in names
    assert "bin/" not in names


#: What the module may need when it runs: the compiler's own libraries, and those of the system.
ALLOWED = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0"}


@pytest.mark.skipif(not shutil.which("readelf"), reason="binutils are not installed")
def test_libraries_of_the_module():
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", _core.__file__)))
    assert needed and needed <= ALLOWED


def test_versions_are_one():
    header = (SOURCE / "include/polhode/version.hpp").read_text(encoding="utf-8")
    version = ".".join(re.findall(r"#define POLHODE_VERSION_[A-Z]+ (\d+)", header))
    assert polhode.__version__ == version
    citation = (SOURCE / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == version
    assert f"## {version} " in (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8")
    assert (SOURCE / "debian/changelog").read_text(encoding="utf-8").startswith(f"polhode ({version}")
