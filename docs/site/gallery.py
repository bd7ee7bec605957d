"""The gallery: gallery.py TREE draws runs of the examples and writes TREE/gallery.md and TREE/gallery/*.png."""
from __future__ import annotations

import os
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import polhode  # noqa: E402

ROOT = pathlib.Path(os.environ["POLHODE_SOURCE"])


def example(name: str, **settings):
    return polhode.load(ROOT / "examples" / name).run({f"method.{key}": value for key, value in settings.items()})


#: name: (what it shows, the run)
RUNS = {
    "spin": ("A spin next to the middle axis: errors, attitude, angular velocity, polhode",
             lambda: polhode.propagate(inertia=[1, 2, 3], momentum=[0.01, 1, 0.01], step=0.05, steps=2000, every=1)),
    "lagrange-top": ("Lagrange's top: its centre of mass goes round and nods", lambda: example("lagrange-top.toml", duration=100)),
    "satellite": ("A satellite on an eccentric orbit tumbles", lambda: example("satellite-eccentric.toml")),
    "two-body-sphere": ("Two bodies on a sphere that attract each other", lambda: example("two-body-sphere.toml", duration=10)),
}

FIGURES = {
    "work-precision.svg": ("Work and precision of the methods for the free body", "benchmarks.md"),
    "splitting.svg": ("Splitting schemes: errors at equal cost", "splitting.md"),
    "outer-solar-system.svg": ("The outer solar system over a million years: errors by SY8, SY12 and Gauss methods", "gauss.md"),
}


def figure(image: str, target: str, caption: str) -> str:
    return f':::{{figure}} {image}\n:alt: "{caption}"\n:target: {target}\n\n{caption}\n:::\n'


def main() -> None:
    tree = pathlib.Path(sys.argv[1])
    (tree / "gallery").mkdir(parents=True, exist_ok=True)
    text = ["# Gallery\n", "## The tutorials\n", "::::{container} gallery"]
    for script in sorted((ROOT / "python" / "tutorials").glob("*.py")):
        first = next(line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith('"""'))
        text.append(figure(f"tutorials/{script.stem}-1.png", f"tutorials/{script.stem}.html", first.strip('"').rstrip(".")))
    text += ["::::\n", "## `run.plot()`\n", "One call for every system:\n", "::::{container} gallery"]
    for name, (caption, run) in RUNS.items():
        drawn = run().plot()
        drawn.savefig(tree / "gallery" / f"{name}.png", dpi=100)
        plt.close(drawn)
        text.append(figure(f"gallery/{name}.png", f"_images/{name}.png", caption))
    text += ["::::\n", "## `run.animate()`\n"]
    nut = polhode.propagate(inertia=[1, 2, 3], momentum=[0.01, 1, 0.01], step=0.2, steps=300, every=1)
    nut.animate(tree / "gallery" / "animated.gif", frames=60)
    text += ["![A wing nut that flips: the body turns in space, its momentum stays, the angular velocity goes along its polhode](gallery/animated.gif)\n",
             "## Measurements\n", "::::{container} gallery"]
    for name, (caption, page) in FIGURES.items():
        text.append(figure(f"figures/{name}", page.replace(".md", ".html"), caption))
    text.append("::::\n")
    (tree / "gallery.md").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
