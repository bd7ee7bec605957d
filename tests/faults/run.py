#!/usr/bin/env python3
"""Faults injected: every call of a short run that can fail, fails once, and once the process ends there.

    run.py COMMAND LIBRARY SOURCE [JOB...]

What is promised of each failing call: the status is 1 or 2, standard error has one line that begins with "polhode: ", a file that was
there before is there still or is whole and new, and no other file is left but a checkpoint. Of each SIGKILL: the same, but for
the line and for FILE.partial. Of a failing allocation: as of a failing call, or, where the HDF5 library takes it ill, as of SIGKILL; a
run that stops for it may also keep the rows so far, and says so. After each of them the same command, run again, comes to the bytes of a run without faults.
"""
import concurrent.futures
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from short_runs import ENSEMBLE, SCENARIO, Folder, filled  # noqa: E402

command, library, source = map(os.path.abspath, sys.argv[1:4])
chosen = sys.argv[4:]
CALLS = ["open", "write", "fsync", "rename", "unlink", "truncate"]

MOLECULES = f"{source}/examples/water-cluster.toml"

# name: arguments, the file, the other file that may stay, how many allocations are tried
JOBS = {
    "csv": (["run", "a.toml", "--every", "5", "--output", "a.csv"], "a.csv", None, 40),
    "h5": (["run", "a.toml", "--every", "50", "--output", "a.h5"], "a.h5", None, 60),
    "xyz": (["run", MOLECULES, "--set", "method.steps=3", "--set", "state.equilibration=0", "--every", "1", "--output", "a.xyz"],
            "a.xyz", None, 0),
    "ensemble": (["ensemble", "e.toml", "--threads", "1", "--output", "a.h5"], "a.h5", "a.h5.records", 60),
}


class Failure(Exception):
    pass


def make_folder(older=None):
    return Folder(filled(SCENARIO, step=0.01, steps=2000), filled(ENSEMBLE, step=0.01, steps=50, members=5, samples=5), older)


def run(folder, arguments, **faults):
    environment = dict(os.environ)
    if faults:
        environment |= {f"FAULT_{key.upper()}": str(value) for key, value in faults.items()}
        environment |= {"FAULT_UNDER": folder.path, "FAULT_LOG": f"{folder.path}/log", "LD_PRELOAD": library}
    return subprocess.run([command, *arguments], cwd=folder.path, env=environment, capture_output=True, timeout=120)


def expect(fine, what, folder, result):
    if not fine:
        raise Failure(f"{what}; status {result.returncode}, said {result.stderr!r}, left {sorted(folder.files())}")


def examine(job, call, at, kill, good):
    """One fault. Returns whether the run came so far."""
    arguments, name, other, _ = JOBS[job]
    has_older = job != "ensemble"  # which refuses a file that is not its own
    old = b"older" if has_older else None
    try:
        with make_folder(name if has_older else None) as folder:
            faults = {"call": call, "at": at} | ({"kill": 1} if kill else {})
            result = run(folder, arguments, **faults)
            log = folder.contents("log").decode()
            if "!" not in log:
                expect(result.returncode == 0 and folder.contents(name) == good, "without a fault it fails", folder, result)
                return False
            now = folder.contents(name)
            if call == "malloc":
                if result.returncode == 1 and b"what was recorded is in" in result.stderr:
                    expect(b"there is not enough memory; stopped" in result.stderr, "the reason is not told", folder, result)
                    old = now
                kill = name.endswith(".h5") and result.returncode != 0
            expect(now in (old, good), "the file is neither as it was nor whole", folder, result)
            left = folder.files() - {"log", name, other}
            if kill:
                expect(result.returncode == -9 or call == "malloc", "it did not end there", folder, result)
                expect(left <= {name + ".partial"}, "another file is left", folder, result)
            elif result.returncode != 0:  # a fault that does no harm, as that of a removal, may pass
                lines = result.stderr.decode().splitlines()
                expect(result.returncode in (1, 2), "the status is neither 1 nor 2", folder, result)
                expect(len(lines) == 1 and lines[0].startswith("polhode: "), "it is not one line", folder, result)
                expect(result.stdout == b"", "there is output beside the failure", folder, result)
                expect(left <= ({name + ".partial"} if call == "unlink" else set()), "another file is left", folder, result)
            else:
                expect(now == good, "it goes unnoticed", folder, result)
                expect(call in ("unlink", "malloc") or result.stderr == b"", "a fault is said and passed over", folder, result)
            again = run(folder, arguments)
            expect(again.returncode == 0, "the same command does not go on", folder, again)
            expect(folder.contents(name) == good, "the same command comes to other bytes", folder, again)
            left = folder.files() - {"log", name}
            expect(not left, "files are left after the second run", folder, again)
            return True
    except Failure as failure:
        raise Failure(f"{job}, {call} number {at}{', killed' if kill else ''}: {failure}") from None


def order_of(job):
    """The calls of a run without faults, and what it writes."""
    arguments, name, _, _ = JOBS[job]
    with make_folder() as folder:
        result = run(folder, arguments, call="none", at=0)
        expect(result.returncode == 0, "it fails without a fault", folder, result)
        log = folder.contents("log").decode()
        calls = [line.replace(folder.path + "/", "").replace(folder.path, ".").split() for line in log.splitlines()]
        good = folder.contents(name)
        os.unlink(f"{folder.path}/log")
        result = run(folder, [*arguments, *(["--again"] if job == "ensemble" else [])], call="malloc", at=0)
        count = int(folder.contents("log").decode().split()[-1])
        return calls[:-1], good, count


def expect_order(job, calls):
    """On the disk before it has its name; the name on the disk before what it was made from is removed."""
    name, other = JOBS[job][1], JOBS[job][2]
    synced = max(i for i, c in enumerate(calls) if c == ["fsync", name + ".partial"])
    named = calls.index(["rename", name])
    lasting = max(i for i, c in enumerate(calls) if c == ["fsync", "."])
    written = max(i for i, c in enumerate(calls) if c == ["write", name + ".partial"])
    if not written < synced < named < lasting:
        raise Failure(f"{job}: the order of writing, fsync and rename is wrong: {calls}")
    if other and not lasting < calls.index(["unlink", other]):
        raise Failure(f"{job}: the records are removed too early: {calls}")


def main():
    points = 0
    failures = []
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
        for job in chosen or JOBS:
            calls, good, allocations = order_of(job)
            expect_order(job, calls)
            tasks = []
            for call in CALLS:
                count = sum(1 for c in calls if c[0] == call)
                # One more than there are: the run is then as it should be.
                tasks += [(job, call, at, kill, good) for at in range(1, count + 2) for kill in (False, True)]
            tried = JOBS[job][3]
            first = 50  # before it the libraries are loaded
            tasks += [(job, "malloc", first + k * (allocations - first) // tried, False, good) for k in range(tried)]
            for future in [pool.submit(examine, *task) for task in tasks]:
                try:
                    points += future.result()
                except Failure as failure:
                    failures.append(str(failure))
    for failure in failures:
        print(failure)
    print(f"{points} faults injected, {len(failures)} violations")
    return 1 if failures or points < 50 else 0


sys.exit(main())
