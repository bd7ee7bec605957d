"""The scenarios of the short runs that are killed or made to fail, the folders where they run, and what is found there."""
import os
import re
import shutil
import tempfile

SCENARIO = """[system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "rk4"
step = STEP
steps = STEPS
"""
ENSEMBLE = SCENARIO + """[ensemble]
members = MEMBERS
seed = 1
samples = SAMPLES
[ensemble.vary]
"state.momentum" = { normal = { mean = [0.5, 0.2, 0.8], deviation = 0.01 } }
"""

FIGURE = "out/safstrom-fig8/"
REPRODUCE = ["reproduce", "safstrom-fig8", "--quick", "--out", "out"]
REPRODUCED = ["out/report.html", *(FIGURE + name for name in ("figure.svg", "figure.png", "data.csv", "verdict.json"))]


def filled(text, **numbers):
    """The text with these numbers in the place of their names."""
    for name in sorted(numbers, key=len, reverse=True):
        text = text.replace(name.upper(), str(numbers[name]))
    return text


def contents(file):
    """Without the moment when an attitude message was written."""
    if not os.path.exists(file):
        return None
    with open(file, "rb") as stream:
        data = stream.read()
    return re.sub(rb"^CREATION_DATE = .*", b"", data, count=1, flags=re.M) if file.endswith(".aem") else data


def all_files(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


class Folder:
    """A temporary folder with the scenario a.toml and the ensemble e.toml."""

    def __init__(self, scenario, ensemble, older=None):
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="polhode-faults-"))
        self.write("a.toml", scenario.encode())
        self.write("e.toml", ensemble.encode())
        if older:
            self.write(older, b"older")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def write(self, name, data):
        os.makedirs(os.path.dirname(f"{self.path}/{name}"), exist_ok=True)
        with open(f"{self.path}/{name}", "wb") as stream:
            stream.write(data)

    def contents(self, name):
        return contents(f"{self.path}/{name}")

    def contents_of(self, names):
        return [self.contents(name) for name in names]

    def files(self):
        """All but the two scenarios."""
        return all_files(self.path) - {"a.toml", "e.toml"}
