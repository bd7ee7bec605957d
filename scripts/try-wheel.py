"""try-wheel.py WHEEL: run by build-wheel in a new environment that has the wheel, NumPy, and what Debian has."""
import importlib.util
import os
import pickle
import re
import subprocess
import sys
import zipfile
from pathlib import Path

wheel = Path(sys.argv[1])
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
assert not [name for name in names if "/bin/" in name or name.startswith("bin/")], names
required = re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)
assert [line for line in required if "extra" not in line] == [line for line in required if line.startswith("numpy")], required
for field in ("License", "Classifier: Typing", "Provides-Extra: plot", "Provides-Extra: tables", "Requires-Python"):
    assert re.search(rf"^{field}", metadata, re.MULTILINE), field

# Nothing but NumPy and Python's own modules, where the rest is hidden.
sys.path[:] = [folder for folder in sys.path if folder]
for hidden in ("h5py", "matplotlib", "scipy", "pandas"):
    sys.modules[hidden] = None
import polhode  # noqa: E402

assert Path(polhode.__file__).is_relative_to(sys.prefix), polhode.__file__
assert f"-{polhode.__version__}-" in wheel.name
libraries = subprocess.run(["ldd", polhode._core.__file__], capture_output=True, text=True, check=True).stdout
assert not re.search("hdf5|fmt|toml|mpi", libraries), libraries

run = polhode.propagate(inertia=[0.345, 0.653, 1.0], momentum=[0.5, 0.2, 0.84], step=0.01, steps=100_000)
assert abs(run.energy_error).max() < 2e-17
top = polhode.propagate(inertia=[1, 1, 0.5], momentum=[0, 0.1, 5], step=0.05, steps=200, torque=polhode.UniformField([0, 0, -1]))
assert abs(top.energy_error).max() < 1e-6
batch, _ = polhode.step([1, 2, 3], [[1.0, 2.0, 3.0]] * 100, [[1.0, 0, 0, 0]] * 100, 0.1)
alone, _ = polhode.step([1, 2, 3], [1.0, 2.0, 3.0], [1.0, 0, 0, 0], 0.1)
assert (batch == alone).all()
free = polhode.Trajectory([0.345, 0.653, 1.0], [0.5, 0.2, 0.84])
assert abs(free.momentum(run.t[-1]) - run.momentum[-1]).max() < 1e-12
assert abs(free.at([0.0, free.period])[0][1] - [0.5, 0.2, 0.84]).max() < 1e-13
body = polhode.Body([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])
assert abs(body.axes.T @ (body.moments[:, None] * body.axes) - body.tensor).max() < 1e-14
assert (pickle.loads(pickle.dumps(body)).moments == body.moments).all()
tangent = polhode.tangent_map(body, [1.0, 2.0, 3.0], 0.1)
assert (tangent.matrix() == polhode.state_transition(body, [1.0, 2.0, 3.0], 0.1)).all()
moved = polhode.derivatives(inertia=body, momentum=[1.0, 2.0, 3.0], step=0.1, steps=10, torque=polhode.UniformField([0, 0, -1]))
assert moved.by_state.shape == (2, 6, 6) and not moved.differences
assert polhode.elliptic.K(0.0) == 1.5707963267948966
oscillator = polhode.System(gradient=lambda q: q, potential=lambda q: q @ q / 2)
swing = oscillator.run(position=[1.0], momentum=[0.0], step=0.01, steps=100)
assert abs(swing.energy_error).max() < 1e-6
for wrong in ("no-such-system", "kepler"):
    try:
        polhode.Scenario(f'[system]\nkind = "{wrong}"\n[method]\nname = "exact"\nstep = 1.0\nsteps = 1\n')
        found = ""
    except polhode.InputError as error:
        found = str(error)
    assert "POLHODE_SYSTEMS=all" in found or len(polhode.catalogue("systems")) > 5, found

# The first lines that a reader of README.md runs, with matplotlib where it is installed.
del sys.modules["matplotlib"]
tried_readme = importlib.util.find_spec("matplotlib") is not None
if tried_readme:
    os.environ["MPLBACKEND"] = "Agg"
    readme = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})  # noqa: S102
print(f"tried: polhode {polhode.__version__} in Python {sys.version.split()[0]}, {wheel.stat().st_size / 1e6:.1f} MB"
      + ("" if tried_readme else "; not the lines of README.md, which need matplotlib"))
