"""Docstrings, tutorials and the document are run, so that they cannot rot."""
import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from conftest import SOURCE

import polhode

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
FOLDER = tempfile.TemporaryDirectory()
GLOBALS = {"polhode": polhode, "np": np, "examples": SOURCE / "examples", "folder": Path(FOLDER.name)}


def public_objects() -> list:
    """Everything that is public and has a docstring, and its public members."""
    found = [("polhode._torque", polhode._torque)]
    for module in (polhode, polhode.elliptic):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.getdoc(thing) and not inspect.ismodule(thing) and not isinstance(thing, (str, np.ufunc)):
                found.append((f"{module.__name__}.{name}", thing))
                members = vars(thing).items() if inspect.isclass(thing) else ()
                found += [(f"{module.__name__}.{name}.{member}", function) for member, function in members
                          if not member.startswith("_") and ">>>" in (inspect.getdoc(function) or "")]
    return found


@pytest.mark.parametrize("name,thing", public_objects(), ids=[name for name, _ in public_objects()])
def test_the_example_of_a_docstring(name, thing):
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), dict(GLOBALS), name, None, 0)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    # The torques are made from the program's list; their examples stand in their module.
    if name.split(".")[-1] not in {"InputError", "MotionError", "TangentMap", "command", *polhode._torque.classes}:
        assert runner.tries > 0, f"{name} has no example"


def test_carlson_is_documented():
    for name in ("RF", "RC", "RJ", "RD"):
        assert "Carlson" in getattr(polhode.elliptic, name).__doc__


TUTORIALS = sorted((SOURCE / "python" / "tutorials").glob("*.py"))


@pytest.mark.parametrize("script", TUTORIALS, ids=[script.stem for script in TUTORIALS])
def test_a_tutorial_runs_and_draws_its_figure(script, tmp_path):
    figure = tmp_path / "figure.png"
    done = subprocess.run([sys.executable, str(script), "--short", "--output", str(figure)], capture_output=True,
                          text=True, env={**os.environ, "MPLBACKEND": "Agg"}, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    image = importlib.import_module("matplotlib.image").imread(figure)
    assert image.shape[0] > 400 and image[..., :3].std() > 0.05, "the figure is empty"


@pytest.mark.parametrize("document,least", [("docs/python.md", 6), ("README.md", 2)])
def test_the_document(document, least):
    """Its Python runs from top to bottom."""
    text = (SOURCE / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= least
    variables = dict(GLOBALS)
    here = os.getcwd()
    os.chdir(SOURCE)
    try:
        for block in blocks:
            exec(compile(block, document, "exec"), variables)  # noqa: S102
    finally:
        os.chdir(here)
