#!/usr/bin/env python3
"""SIGKILL at random moments of a run, an ensemble and an experiment.

    run.py COMMAND COUNT [JOB...]

Each job is killed COUNT times, anywhere between its start and its end, each time from a fresh folder; kills that come after the end do not
count. What is promised of each: a file that has its name is whole, one that was there before is there still or is whole and
new, and the same command, on another number of threads, comes to the bytes of a run that was left alone, with nothing else left behind.
Every third folder is killed again and again, five times, before it is completed.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

command, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
chosen = sys.argv[3:]

SCENARIO = """[system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "rk4"
step = 0.001
steps = STEPS
"""
ENSEMBLE = SCENARIO.replace("STEPS", "4000") + """[ensemble]
members = 60
seed = 1
samples = 20
[ensemble.vary]
"state.momentum" = { normal = { mean = [0.5, 0.2, 0.8], deviation = 0.01 } }
"""
FIGURE = "out/safstrom-fig8/"

# name: arguments, whether it takes --threads, the files, whether an older file stands in the place of the first
JOBS = {
    "csv": (["run", "a.toml", "--every", "10", "--output", "a.csv"], False, ["a.csv"], True),
    "h5": (["run", "a.toml", "--every", "10", "--output", "a.h5"], False, ["a.h5"], True),
    "ensemble": (["ensemble", "e.toml", "--output", "a.h5"], True, ["a.h5"], False),
    "reproduce": (["reproduce", "safstrom-fig8", "--quick", "--out", "out"], True,
                  ["out/report.html", *(FIGURE + name for name in ("figure.svg", "figure.png", "data.csv", "verdict.json"))], False),
}


def contents(file):
    if not os.path.exists(file):
        return None
    with open(file, "rb") as stream:
        return stream.read()


def all_files(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


class Folder:
    def __init__(self, job):
        self.arguments, self.threaded, self.files, self.has_older = JOBS[job]
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="polhode-kills-"))
        for name, text in (("a.toml", SCENARIO.replace("STEPS", "60000")), ("e.toml", ENSEMBLE)):
            with open(f"{self.path}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        if self.has_older:
            with open(f"{self.path}/{self.files[0]}", "wb") as stream:
                stream.write(b"older")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def start(self, threads):
        more = ["--threads", str(threads)] if self.threaded else []
        return subprocess.Popen([command, *self.arguments, *more], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def now(self):
        return [contents(f"{self.path}/{name}") for name in self.files]


def kills_of(job, chance):
    """Returns how often it was killed, how many of these left records, and a list of what was wrong."""
    with Folder(job) as whole:
        lengths = []
        for _ in range(2):
            start = time.monotonic()
            done = whole.start(2)
            _, said = done.communicate()
            lengths.append(time.monotonic() - start)
            if done.returncode != 0:
                return 0, 0, [f"{job}: it fails without a kill: {said!r}"]
            if job != "csv" and job != "h5":
                break  # the second time it has nothing to do
        good, good_files, length = whole.now(), all_files(whole.path), max(lengths)
    killed = kept = rounds = 0
    wrong = []
    while killed < count and rounds < 20 * count and len(wrong) < 5:
        rounds += 1
        with Folder(job) as folder:
            for _ in range(5 if rounds % 3 == 0 else 1):
                process = folder.start(chance.choice([1, 2, 4]))
                try:
                    process.communicate(timeout=chance.uniform(0.0, 1.1 * length))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                if process.returncode != -9:
                    break
                killed += 1
                kept += any(name.endswith((".records", "records.bin")) for name in all_files(folder.path))
                for name, is_now, should in zip(folder.files, folder.now(), good):
                    if is_now not in (None if not folder.has_older else b"older", should):
                        wrong.append(f"{job}: after a kill, {name} is neither as it was nor whole")
            process = folder.start(chance.choice([1, 2, 4]))
            _, said = process.communicate()
            if process.returncode != 0:
                wrong.append(f"{job}: the same command does not go on: {said!r}")
            elif folder.now() != good:
                wrong.append(f"{job}: the same command comes to other bytes")
            elif all_files(folder.path) != good_files:
                wrong.append(f"{job}: other files are left: {sorted(all_files(folder.path) ^ good_files)}")
    if killed < count and not wrong:
        wrong.append(f"{job}: it could be killed {killed} times only")
    return killed, kept, wrong


def main():
    failures = []
    for job in chosen or JOBS:
        killed, kept, wrong = kills_of(job, random.Random(f"{job} 1"))
        failures += wrong
        print(f"{job}: killed {killed} times, {kept} times with records of what was done; {len(wrong)} violations", flush=True)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
