#!/usr/bin/env python3
"""SIGKILL at random moments of a run, an ensemble and an experiment.

    kills.py COMMAND COUNT [JOB...]

Each job is killed COUNT times, anywhere between its start and its end, each time from a fresh folder; kills that come after the end do not
count. What is promised of each: a file that has its name is whole, one that was there before is there still or is whole and
new, and the same command, on another number of threads, comes to the bytes of a run that was left alone, with nothing else left behind.
Every third folder is killed again and again, five times, before it is completed.
"""
import os
import random
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from short_runs import ENSEMBLE, REPRODUCE, REPRODUCED, SCENARIO, Folder, filled  # noqa: E402

command, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
chosen = sys.argv[3:]

# name: arguments, whether it takes --threads, the files, whether an older file stands in the place of the first
JOBS = {
    "csv": (["run", "a.toml", "--every", "10", "--output", "a.csv"], False, ["a.csv"], True),
    "h5": (["run", "a.toml", "--every", "10", "--output", "a.h5"], False, ["a.h5"], True),
    "ensemble": (["ensemble", "e.toml", "--output", "a.h5"], True, ["a.h5"], False),
    "reproduce": (REPRODUCE, True, REPRODUCED, False),
}


class Killed(Folder):
    def __init__(self, job):
        self.arguments, self.threaded, self.results, self.has_older = JOBS[job]
        super().__init__(filled(SCENARIO, step=0.001, steps=60000),
                         filled(ENSEMBLE, step=0.001, steps=4000, members=60, samples=20),
                         self.results[0] if self.has_older else None)

    def start(self, threads):
        more = ["--threads", str(threads)] if self.threaded else []
        return subprocess.Popen([command, *self.arguments, *more], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def now(self):
        return self.contents_of(self.results)


def kills_of(job, chance):
    """Returns how often it was killed, how many of these left records, and a list of what was wrong."""
    with Killed(job) as whole:
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
        good, good_files, length = whole.now(), whole.files(), max(lengths)
    killed = kept = rounds = 0
    wrong = []
    while killed < count and rounds < 20 * count and len(wrong) < 5:
        rounds += 1
        with Killed(job) as folder:
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
                kept += any(name.endswith((".records", "records.bin")) for name in folder.files())
                for name, is_now, should in zip(folder.results, folder.now(), good):
                    if is_now not in (None if not folder.has_older else b"older", should):
                        wrong.append(f"{job}: after a kill, {name} is neither as it was nor whole")
            process = folder.start(chance.choice([1, 2, 4]))
            _, said = process.communicate()
            if process.returncode != 0:
                wrong.append(f"{job}: the same command does not go on: {said!r}")
            elif folder.now() != good:
                wrong.append(f"{job}: the same command comes to other bytes")
            elif folder.files() != good_files:
                wrong.append(f"{job}: other files are left: {sorted(folder.files() ^ good_files)}")
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
