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
import typing

sys.dont_write_bytecode = True
from short_runs import ENSEMBLE, FIGURE, REPRODUCE, REPRODUCED, SCENARIO, Folder, filled  # noqa: E402

command, library, source = map(os.path.abspath, sys.argv[1:4])
chosen = sys.argv[4:]
CALLS = ["open", "read", "write", "fsync", "rename", "unlink", "truncate"]

MOLECULES = f"{source}/examples/water-cluster.toml"
KIT = ["kit/" + name for name in ("README.txt", "bodies.csv", "kit-17.json", "kit-32.json", "states-17.csv", "states-32.csv")]


class Job(typing.NamedTuple):
    arguments: list
    files: list
    allocations: int  # how many of them fail, one at a time
    other: typing.Optional[str] = None  # a file that may stay
    has_older: bool = True  # a file of that name is written over; an ensemble refuses one that is not its own
    calls: int = 1000  # how many of each kind fail at most; those of others are spread


JOBS = {
    "csv": Job(["run", "a.toml", "--every", "5", "--output", "a.csv"], ["a.csv"], 40),
    "h5": Job(["run", "a.toml", "--every", "50", "--output", "a.h5"], ["a.h5"], 60),
    "xyz": Job(["run", MOLECULES, "--set", "method.steps=3", "--set", "state.equilibration=0", "--every", "1", "--output", "a.xyz"],
               ["a.xyz"], 0),
    "aem": Job(["run", "a.toml", "--every", "5", "--output", "a.aem"], ["a.aem"], 10),
    "msopck": Job(["run", "a.toml", "--every", "5", "--output", "a.msopck"], ["a.msopck"], 10),
    "ensemble": Job(["ensemble", "e.toml", "--threads", "1", "--output", "a.h5"], ["a.h5"], 60, "a.h5.records", False),
    "conformance": Job(["conformance", "--out", "kit"], KIT, 10),
    # gnuplot draws in every run of it.
    "reproduce": Job([*REPRODUCE, "--threads", "1"], REPRODUCED, 8, FIGURE + "records.bin", False, 3),
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
    arguments, names = JOBS[job].arguments, JOBS[job].files
    old = [b"older"] + [None] * (len(names) - 1) if JOBS[job].has_older else [None] * len(names)
    try:
        with make_folder(names[0] if JOBS[job].has_older else None) as folder:
            faults = {"call": call, "at": at} | ({"kill": 1} if kill else {})
            result = run(folder, arguments, **faults)
            log = folder.contents("log").decode()
            if "!" not in log:
                expect(result.returncode == 0 and folder.contents_of(names) == good.results, "without a fault it fails", folder, result)
                return False
            now = folder.contents_of(names)
            if call == "malloc":
                if result.returncode == 1 and b"what was recorded is in" in result.stderr:
                    expect(b"there is not enough memory; stopped" in result.stderr, "the reason is not told", folder, result)
                    old = now
                kill = names[0].endswith(".h5") and result.returncode != 0
            expect(all(n in (o, g) for n, o, g in zip(now, old, good.results)), "a file is neither as it was nor whole", folder, result)
            left = folder.files() - {"log", *names, JOBS[job].other}
            partial = {name + ".partial" for name in names}
            if kill:
                expect(result.returncode == -9 or call == "malloc", "it did not end there", folder, result)
                expect(left <= partial, "another file is left", folder, result)
            elif result.returncode != 0:  # a fault that does no harm, as that of a removal, may pass
                lines = result.stderr.decode().splitlines()
                expect(result.returncode in (1, 2), "the status is neither 1 nor 2", folder, result)
                expect(len(lines) == 1 and lines[0].startswith("polhode: "), "it is not one line", folder, result)
                # An experiment has its line when it is done; the report may fail after it.
                expect(result.stdout == b"" or job == "reproduce", "there is output beside the failure", folder, result)
                expect(left <= (partial if call == "unlink" else set()), "another file is left", folder, result)
            else:
                expect(now == good.results, "it goes unnoticed", folder, result)
                expect(call in ("unlink", "malloc") or result.stderr == b"", "a fault is said and passed over", folder, result)
            again = run(folder, arguments)
            expect(again.returncode == 0, "the same command does not go on", folder, again)
            expect(folder.contents_of(names) == good.results, "the same command comes to other bytes", folder, again)
            expect(folder.files() - {"log"} == good.files, "other files are left after the second run", folder, again)
            return True
    except Failure as failure:
        raise Failure(f"{job}, {call} number {at}{', killed' if kill else ''}: {failure}") from None


class Good(typing.NamedTuple):
    """A run without faults."""
    calls: list
    results: list
    files: set
    allocations: int


def without_faults(job):
    arguments = JOBS[job].arguments
    with make_folder() as folder:
        result = run(folder, arguments, call="none", at=0)
        expect(result.returncode == 0, "it fails without a fault", folder, result)
        log = folder.contents("log").decode()
        calls = [line.replace(folder.path + "/", "").replace(folder.path, ".").split() for line in log.splitlines()]
        results, files = folder.contents_of(JOBS[job].files), folder.files() - {"log"}
        kept = {JOBS[job].other} if job == "reproduce" else set()  # the next run of an experiment takes them
        expect(files == {*JOBS[job].files, *kept}, "a run without faults leaves other files", folder, result)
    with make_folder() as folder:
        run(folder, arguments, call="malloc", at=0)
        return Good(calls[:-1], results, files, int(folder.contents("log").decode().split()[-1]))


def expect_order(job, calls):
    """On the disk before it has its name; the name on the disk before what it was made from is removed."""
    for name in JOBS[job].files:
        place = os.path.dirname(name) or "."
        written = max((i for i, c in enumerate(calls) if c == ["write", name + ".partial"]), default=-1)  # gnuplot writes its own
        synced = max((i for i, c in enumerate(calls) if c == ["fsync", name + ".partial"]), default=-1)
        named = calls.index(["rename", name]) if ["rename", name] in calls else -1
        lasting = next((i for i, c in enumerate(calls) if i > named and c == ["fsync", place]), -1)
        if not written < synced < named < lasting:
            raise Failure(f"{job}: the order of writing, fsync and rename of {name} is wrong: {calls}")
        removed = calls.index(["unlink", JOBS[job].other]) if job == "ensemble" else len(calls)
        if removed < lasting:
            raise Failure(f"{job}: the records are removed too early: {calls}")


def records_that_cannot_be_read():
    """Of an ensemble that was killed when all was recorded: they stay as they are, and so does a file that is not one of records."""
    points = 0
    arguments, records = JOBS["ensemble"].arguments, JOBS["ensemble"].other
    for at in range(1, 1000):
        for again in ([], ["--again"]):
            with make_folder() as folder:
                run(folder, arguments, call="rename", at=1, kill=1)
                before = folder.contents(records)
                if at == 1 and again:
                    folder.write(records, before := b"my diary")
                os.remove(f"{folder.path}/log")
                result = run(folder, arguments + again, call="read", at=at)
                if b"!" not in folder.contents("log"):
                    return points
                expect(result.returncode in (1, 2) and b"Input/output error" in result.stderr, "it is not told", folder, result)
                if not again or at == 1:  # with --again the old records are given up once they were seen to be such
                    expect(folder.contents(records) == before, "the records are not as they were", folder, result)
                points += 1
    return points


def some(count, most):
    """The numbers 1 to count, or so many of them, the first and the last among them."""
    return sorted({1 + k * (count - 1) // max(1, most - 1) for k in range(most)}) if count > most else range(1, count + 1)


def main():
    points = 0
    failures = []
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
        for job in chosen or JOBS:
            good = without_faults(job)
            expect_order(job, good.calls)
            tasks = []
            for call in CALLS:
                count = sum(1 for c in good.calls if c[0] == call)
                tasks += [(job, call, at, kill, good) for at in some(count, JOBS[job].calls) for kill in (False, True)]
                tasks.append((job, call, count + 1, False, good))  # one more than there are: the run is then as it should be
            tried = JOBS[job].allocations
            first = 50  # before it the libraries are loaded
            tasks += [(job, "malloc", first + k * (good.allocations - first) // tried, False, good) for k in range(tried)]
            of_job = 0
            for future in [pool.submit(examine, *task) for task in tasks]:
                try:
                    of_job += future.result()
                except Failure as failure:
                    failures.append(str(failure))
            print(f"{job}: {of_job} faults", flush=True)
            points += of_job
    if "ensemble" in (chosen or JOBS):
        try:
            points += (of_reading := records_that_cannot_be_read())
            print(f"records that cannot be read: {of_reading} faults", flush=True)
        except Failure as failure:
            failures.append(f"records that cannot be read: {failure}")
    for failure in failures:
        print(failure)
    print(f"{points} faults injected, {len(failures)} violations")
    return 1 if failures or points < 50 else 0


sys.exit(main())
