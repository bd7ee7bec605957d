"""What the tests share. The environment comes from CMake: POLHODE_COMMAND, POLHODE_SOURCE, POLHODE_BUILD."""
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(os.environ.get("POLHODE_SOURCE", Path(__file__).resolve().parents[2]))
WATER = dict(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84])


class Command:
    """The command `polhode`, to compare with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([os.environ["POLHODE_COMMAND"], *arguments], capture_output=True, text=True, check=False)

    def rows(self, scenario: str, every: int) -> dict[str, np.ndarray]:
        """The rows of a run as its CSV file has them."""
        file, output = self.folder / "scenario.toml", self.folder / "rows.csv"
        file.write_text(scenario, encoding="utf-8")
        done = self("run", str(file), "--every", str(every), "--output", str(output))
        assert done.returncode == 0, done.stderr
        lines = [line for line in output.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        numbers = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
        return dict(zip(lines[0].split(","), numbers.T))

    def summary(self, scenario: Path, *arguments: str) -> dict:
        done = self("run", str(scenario), "--json", *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


def random_states(random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    attitude = random.standard_normal((count, 4))
    return random.standard_normal((count, 3)), attitude / np.linalg.norm(attitude, axis=1)[:, None]
