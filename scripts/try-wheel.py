"""try-wheel.py WHEEL: run by build-wheel in a new environment that has the wheel, NumPy, and what Debian has."""
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
print(f"tried: polhode {polhode.__version__} in Python {sys.version.split()[0]}, {wheel.stat().st_size / 1e6:.1f} MB")
