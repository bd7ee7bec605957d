"""Docstrings, tutorials and the document are run, so that they cannot rot."""
import doctest
import importlib
import inspect
import os
import re
import shlex
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


EXAMPLES_OF_TORQUES = doctest.DocTestParser().get_examples(inspect.getdoc(polhode._torque))


def public_objects() -> list:
    """Everything that is public and has a docstring, and its public members."""
    found = [("polhode._torque", polhode._torque)]
    for module in (polhode, polhode.elliptic, polhode.conformance):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.getdoc(thing) and not inspect.ismodule(thing) and not isinstance(thing, str):
                found.append((f"{module.__name__}.{name}", thing))
                members = vars(thing).items() if inspect.isclass(thing) else ()
                found += [(f"{module.__name__}.{name}.{member}", function) for member, function in members
                          if not member.startswith("_") and ">>>" in (inspect.getdoc(function) or "")]
    return found


@pytest.mark.parametrize("name,thing", public_objects(), ids=[name for name, _ in public_objects()])
def test_the_example_of_a_docstring(name, thing):
    for package in re.findall(r"\.to_(pandas|xarray)\(", inspect.getdoc(thing)):
        pytest.importorskip(package)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), dict(GLOBALS), name, None, 0)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    # The torques are made from the program's list; their examples stand in their module.
    short = name.split(".")[-1]
    if short in polhode._torque.classes:
        assert f"polhode.{short}(" in "".join(example.source for example in EXAMPLES_OF_TORQUES), f"{name} has no example"
    else:
        assert runner.tries > 0, f"{name} has no example"


def members() -> list:
    """The public members of the public classes; those of DoubleDouble are NumPy's functions, shown in its own docstring."""
    found = []
    for module in (polhode, polhode.elliptic, polhode.conformance):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) and thing is not polhode.DoubleDouble:
                found += [(f"{name}.{member}", value) for member, value in vars(thing).items()
                          if not member.startswith("_") and (callable(value) or isinstance(value, property))]
    return found


@pytest.mark.parametrize("name,member", members(), ids=[name for name, _ in members()])
def test_a_member_has_a_docstring_and_a_method_an_example(name, member):
    text = inspect.getdoc(member) or ""
    assert len(text) > 5
    assert isinstance(member, property) or ">>>" in text


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


sys.path.insert(0, str(SOURCE / "docs" / "site"))
import documents as md  # noqa: E402


def blocks_of(language: str) -> dict:
    """{document: its code blocks of a language}"""
    found = {}
    for document in md.documents(SOURCE):
        texts = [block.text for block in md.blocks(document.read_text(encoding="utf-8")) if block.language == language]
        if texts:
            found[document.relative_to(SOURCE).as_posix()] = texts
    return found


class Engine:
    """An engine for docs/engines.md, as good as ours; its states are computed when they are looked at."""

    def __init__(self, inertia, angular_velocity, attitude):
        self.body, self.time = polhode.Body(inertia), 0.0
        inertia = np.asarray(inertia, dtype=float)
        self.tensor = np.diag(inertia) if inertia.ndim == 1 else inertia
        self.motion = polhode.Trajectory(inertia, self.tensor @ angular_velocity, attitude)

    def step(self, dt):
        self.time += dt

    @property
    def q(self):
        return self.motion.attitude(self.time)

    @property
    def omega_in_body(self):
        return np.linalg.solve(self.tensor, self.motion.momentum(self.time))


def run_command(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([polhode.command(), *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


PYTHON = blocks_of("python")


@pytest.mark.parametrize("document", PYTHON)
def test_the_python_of_a_document(document, tmp_path, monkeypatch):
    """It runs from top to bottom, in a folder that has the examples."""
    (tmp_path / "examples").symlink_to(SOURCE / "examples")
    monkeypatch.chdir(tmp_path)
    if document == "docs/ensembles.md":
        done = run_command("ensemble", "examples/ensemble-water.toml", "--set", "ensemble.members=3", "--set", "method.steps=100",
                           "--output", "ensemble-water.h5")
        assert done.returncode == 0, done.stderr
    variables = {**GLOBALS, "Engine": Engine}
    for block in PYTHON[document]:
        exec(compile(block, document, "exec"), variables)  # noqa: S102
    importlib.import_module("matplotlib.pyplot").close("all")


def test_the_documents_have_python():
    assert len(PYTHON["docs/python.md"]) >= 6 and len(PYTHON["README.md"]) == 1 and len(PYTHON["docs/site/start-python.md"]) >= 4


TOML = [(document, number, text) for document, texts in blocks_of("toml").items() for number, text in enumerate(texts)]


@pytest.mark.parametrize("document,number,text", TOML, ids=[f"{document}-{number}" for document, number, _ in TOML])
def test_a_scenario_of_a_document(document, number, text, tmp_path):
    """What a fragment leaves out is that of an example."""
    base = "satellite-circular" if "[[event]]" in text else "lagrange-top" if "scheme" in text else "water-molecule"
    sections = re.split(r"(?m)^(?=\[)", (SOURCE / "examples" / f"{base}.toml").read_text(encoding="utf-8"))
    scenario = "".join(one for one in sections if re.match(r"\[(system|state|system\.\w+)\]", one) and one.split("]")[0] + "]" not in text)
    scenario += "\n" + text
    if "[method]" not in text:
        name = "exact" if '"free-body"' in scenario else "splitting"
        scenario += f'\n[method]\nname = "{name}"\nstep = 0.5\nsteps = 60\n'
    elif "steps" not in text:
        scenario = scenario.replace("[method]\n", "[method]\nstep = 0.01\nsteps = 20\n")
    file = tmp_path / "scenario.toml"
    file.write_text(scenario, encoding="utf-8")
    if "[ensemble]" in text:
        done = run_command("ensemble", file, "--set", "ensemble.members=3", "--output", tmp_path / "members.h5")
    else:
        done = run_command("run", file)
    assert done.returncode == 0, f"{done.stderr}\n{scenario}"


SH = blocks_of("sh")
COMMANDS = {document: lines for document, texts in SH.items()
            if (lines := [line for text in texts for line in text.splitlines() if re.match(r"(build/bin/)?polhode (?!bench)", line)])}  # bench takes minutes


def shortened(line: str, experiments: list) -> list:
    """The arguments of a line of the shell, with fewer steps, members and experiments; what stands in brackets is given."""
    words = shlex.split(re.sub(r"[\[\]]", "", line.split("#")[0]))[1:]
    if words[0] == "run" and "method.steps" not in line:
        words += ["--set", "method.steps=100"]
    elif words[0] == "ensemble":
        words += ["--set", "method.steps=100", "--set", "ensemble.members=3"]
    elif words[0] == "reproduce":
        names = [word for word in words[1:] if not word.startswith("--")]
        assert set(names) <= set(experiments), line
        words = [word for word in words if word not in {*names, "--quick"}] + ["periods-67p-1i", "--quick"]
    return words


@pytest.mark.parametrize("document", COMMANDS)
def test_the_commands_of_a_document(document, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(SOURCE / "examples")
    monkeypatch.chdir(tmp_path)
    experiments = run_command("list", "experiments", "--names").stdout.split()
    for line in COMMANDS[document]:
        words = shortened(line, experiments)
        if "--score" in words:  # of a program that is as good as the kit
            rows = next(tmp_path.glob("*/states-17.csv")).read_text(encoding="utf-8").splitlines()
            text = "\n".join([f"step,{rows[0]}", *(f"0.01,{row}" for row in rows[1:])])
            Path(words[words.index("--score") + 1]).write_text(text + "\n", encoding="utf-8")
        done = run_command(*words)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        for option in {"--output", "--out"} & set(words):
            assert Path(words[words.index(option) + 1]).exists(), line


def test_the_documents_have_commands():
    assert sum(map(len, COMMANDS.values())) >= 18 and len(SH["CONTRIBUTING.md"]) >= 2


def test_the_targets_of_make_are_there():
    """Those of sh, and those that a sentence names."""
    texts = [document.read_text(encoding="utf-8") for document in md.documents(SOURCE)]
    named = {name for text in texts for name in re.findall(r"`make ([a-z-]+)", text)}
    named |= {name for texts in SH.values() for text in texts for name in re.findall(r"(?m)^make ([a-z-]+)", text)}
    assert len(named) >= 12
    for name in sorted(named):
        done = subprocess.run(["make", "--dry-run", name], cwd=SOURCE, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
