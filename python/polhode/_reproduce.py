"""The papers' experiments, by the command."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from ._core import InputError
from ._typing import PathLike


def command() -> str:
    """The path of the command `polhode`: POLHODE_COMMAND, the one beside the interpreter, or the first on the path.

    >>> polhode.command().endswith("polhode")
    True
    """
    given = os.environ.get("POLHODE_COMMAND")
    if given and not os.access(given, os.X_OK):
        raise FileNotFoundError(f"POLHODE_COMMAND: {given} is not a program")
    beside = Path(sys.prefix) / "bin" / "polhode"
    for candidate in (given, str(beside) if os.access(beside, os.X_OK) else None, shutil.which("polhode")):
        if candidate:
            return candidate
    raise FileNotFoundError("the command polhode is not found, and the Python package does not contain it: install it, or set "
                            "POLHODE_COMMAND to its path")


def reproduce(
    *names: str,
    quick: bool = False,
    out: PathLike = "out",
    threads: Optional[int] = None,
) -> dict[str, dict[str, Any]]:
    """Repeats experiments of the papers, all of them without a name; returns their verdicts by name.

    Each leaves figure.svg, figure.png, data.csv and verdict.json in out/NAME, and out/report.html shows them all. A claim
    that is missed is a verdict with "pass": False, not an exception. polhode.catalogue("experiments") lists the names. The
    command does it, which the package does not contain: FileNotFoundError where it is not installed.

    >>> polhode.reproduce("no-such-experiment")
    Traceback (most recent call last):
    polhode._core.InputError: reproduce: there is no experiment of the name no-such-experiment; known: ...
    """
    arguments = [command(), "reproduce", *names, "--out", os.fspath(out)]
    arguments += ["--quick"] if quick else []
    arguments += [] if threads is None else ["--threads", str(threads)]
    done = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    complaint = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    complaint = complaint[len("polhode: "):] if complaint.startswith("polhode: ") else complaint
    if done.returncode == 2:
        raise InputError(complaint)
    verdicts = {}
    for file in sorted(Path(out).glob("*/verdict.json")):
        if not names or file.parent.name in names:
            verdicts[file.parent.name] = json.loads(file.read_text(encoding="utf-8"))
    if done.returncode != 0 and all(claim["pass"] for v in verdicts.values() for claim in v["claims"]):
        raise RuntimeError(complaint)
    return verdicts
