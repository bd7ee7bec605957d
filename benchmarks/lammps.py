#!/usr/bin/env python3
"""Rigid waters by `polhode run` and by LAMMPS, in turn on one machine: processor time of a step, and how it grows.

    benchmarks/lammps.py [--polhode build/bin/polhode] [--lammps lmp] [--sizes 64,512,4096,32768] [--rounds 3]

SPC/E at the density of water, a cutoff of 0.9 nm (0.6 for boxes that are smaller than 1.8), steps of 1 fs with one force
evaluation: `strang` here, fix rigid/nve/small there, which starts from the positions that ours has equilibrated. LAMMPS cuts pairs
of atoms, we switch pairs of molecules off; it keeps a list of neighbours, we do not. (Debian: lammps.)

A time is that of a long run less that of a short one, so that start and end fall out; the smallest of the rounds. The column of two
threads is ours by the clock on the wall, one over two: on a machine that is busy it says nothing."""

import argparse
import json
import math
import os
import resource
import subprocess
import tempfile

VOLUME = 1.2417**3 / 64  # of a molecule, nm^3

SCENARIO = """
[system]
kind = "rigid-molecules"
molecules = [{{ molecule = "spce", count = {count} }}]
box = {edge}
cutoff = {cutoff}
threads = {threads}
[state]
temperature = 300.0
seed = 1
equilibration = {equilibration}
[method]
name = "splitting"
scheme = "strang"
step = 0.001
steps = {steps}
"""

# Units of LAMMPS: Angstrom, fs, kcal/mol.
LAMMPS = """
units real
atom_style full
read_data {data}
pair_style lj/cut/coul/cut {cutoff}
pair_coeff * * 0.0 1.0
pair_coeff 1 1 0.1553 3.166
neighbor 2.0 bin
neigh_modify every 1 delay 5 check yes
velocity all create 300.0 1
fix rotation all rigid/nve/small molecule
timestep 1.0
thermo 1000000
run {steps}
"""


def processor_seconds(command):
    """Of a command and its children, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def per_step(run, steps):
    """run(steps) gives seconds; from a tenth of the steps and from all of them."""
    few = max(1, steps // 10)
    return (run(steps) - run(few)) / (steps - few)


class Job:
    def __init__(self, options, folder, count):
        self.options, self.folder, self.count = options, folder, count
        self.edge = (count * VOLUME) ** (1 / 3)
        self.cutoff = 0.9 if self.edge > 1.8 else 0.6
        self.steps = max(12, 60_000 // count)

    def path(self, name):
        return os.path.join(self.folder, name)

    def polhode(self, steps, threads=1, output="end.xyz"):
        """Processor seconds of a run that looks at its ends alone, and its own time of a step."""
        write(self.path("water.toml"), SCENARIO.format(
            count=self.count, edge=repr(self.edge), cutoff=self.cutoff, threads=threads,
            equilibration=self.equilibration, steps=steps))
        seconds, text = processor_seconds([self.options.polhode, "run", self.path("water.toml"), "--json", "--output",
                                           self.path(output), "--every", str(steps)])
        return seconds, json.loads(text)["cost"]["ns_per_step"] * 1e-9

    equilibration = 20

    def lammps(self, steps):
        write(self.path("in.water"), LAMMPS.format(data=self.path("water.data"), cutoff=10 * self.cutoff, steps=steps))
        return processor_seconds([self.options.lammps, "-in", self.path("in.water"), "-log", "none"])[0]

    def write_data(self):
        """The last frame of the trajectory as data of LAMMPS."""
        with open(self.path("end.xyz"), encoding="ascii") as file:
            lines = file.read().splitlines()
        atoms = int(lines[0])
        frame = [line.split() for line in lines[-atoms:]]
        edge = 10 * self.edge
        text = [f"{atoms} rigid waters", "", f"{atoms} atoms", "2 atom types", ""]
        text += [f"0.0 {edge!r} {axis}lo {axis}hi" for axis in "xyz"]
        text += ["", "Masses", "", "1 15.9994", "2 1.008", "", "Atoms", ""]
        for i, (name, *position) in enumerate(frame):
            kind, charge = (1, -0.8476) if name.startswith("O") else (2, 0.4238)
            place = " ".join(position[:3])
            text.append(f"{i + 1} {i // 3 + 1} {kind} {charge} {place}")
        write(self.path("water.data"), "\n".join(text) + "\n")

    def measure(self):
        self.polhode(2)
        self.write_data()
        ours, theirs, one, two = (math.inf,) * 4
        for _ in range(self.options.rounds):
            ours = min(ours, per_step(lambda n: self.polhode(n)[0], self.steps))
            theirs = min(theirs, per_step(self.lammps, self.steps))
            one = min(one, self.polhode(self.steps)[1])
            two = min(two, self.polhode(self.steps, threads=2)[1])
        return ours, theirs, one / two


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--polhode", default="build/bin/polhode")
    parser.add_argument("--lammps", default="lmp")
    parser.add_argument("--sizes", default="64,512,4096,32768")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("waters  polhode, ms  LAMMPS, ms  ratio  exponent  two threads", flush=True)
    last = None
    for count in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs, gain = Job(options, folder, count).measure()
        exponent = f"{math.log(ours / last[1]) / math.log(count / last[0]):9.2f}" if last else 9 * " "
        print(f"{count:6} {1e3 * ours:12.3f} {1e3 * theirs:11.3f} {ours / theirs:6.2f} {exponent} {gain:12.2f}", flush=True)
        last = (count, ours)


if __name__ == "__main__":
    main()
