"""Hostile arguments end in a result or in an exception: in a process of its own, which must not end otherwise."""
import os
import subprocess
import sys
from pathlib import Path


def test_hostile_arguments_end_in_a_result_or_an_exception(tmp_path):
    calls = tmp_path / "calls"
    seconds = os.environ.get("POLHODE_HOSTILE_SECONDS", "4")
    done = subprocess.run([sys.executable, "-X", "faulthandler", str(Path(__file__).with_name("hostile_arguments.py")), "1", seconds],
                          env=dict(os.environ, POLHODE_CALLS=str(calls)), capture_output=True, text=True, check=False, timeout=300)
    last = calls.read_text(encoding="utf-8") if calls.exists() else "none"
    assert done.returncode == 0, f"after call {last}: {done.stderr[-3000:]}"
    made, good = (int(word) for word in done.stdout.split() if word.isdigit())
    assert made > 200
    assert good > made // 20  # among them are calls that go through
