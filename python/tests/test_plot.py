"""The figure of a run: its panels, its limits, and that its texts do not cover each other."""
import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import SOURCE, WATER

import polhode


def example(name, **settings):
    return polhode.load(SOURCE / "examples" / name).run({f"method.{key}": value for key, value in settings.items()})


def pendulum():
    system = polhode.System(force=lambda q: [0.0, 0.0, -1.0], potential=lambda q: q[2], constraint=lambda q: q @ q - 1.0,
                            jacobian=lambda q: 2.0 * q, quadratic=True)
    return system.run(position=[0.6, 0.0, -0.8], momentum=[0.0, 0.7, 0.0], step=0.01, steps=2000)


def oscillator(**keywords):
    return polhode.System(lambda q: -q, potential=lambda q: q @ q / 2).run(
        position=[1.0], momentum=[0.0], step=0.1, method="rattle", **keywords)


#: The runs and what their panels are called; 3 stands for three dimensions.
RUNS = {
    "water": (lambda: polhode.propagate(**WATER, step=0.01, steps=10_000), ["errors", "angular velocity", "3 polhode", "attitude"]),
    "far apart": (lambda: polhode.propagate(**WATER, step=10.0, steps=10_000), ["errors", "angular velocity", "3 polhode", "attitude"]),
    "top": (lambda: example("lagrange-top.toml", duration=200),
            ["errors", "angular velocity", "attitude", "3 polhode", "3 centre of mass"]),
    "dipole": (lambda: example("dipole-alternating.toml", duration=200),
               ["errors", "angular velocity", "attitude", "3 polhode", "3 dipole"]),
    "satellite": (lambda: example("satellite-circular.toml", duration=1000),
                  ["errors", "angular velocity", "3 polhode", "angles"]),
    "tumbling": (lambda: example("satellite-eccentric.toml"), ["errors", "angular velocity", "3 polhode", "angles"]),
    "asteroid": (lambda: example("asteroid-tumbling.toml"), ["errors", "angular velocity", "3 polhode", "attitude"]),
    "steady": (lambda: polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=-0.1, steps=100),
               ["errors", "angular velocity", "3 polhode", "attitude"]),
    "at rest": (lambda: polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 0], step=0.1, steps=1),
                ["errors", "angular velocity", "3 polhode", "attitude"]),
    "pendulum": (pendulum, ["errors", "position", "3 path"]),
    "oscillator": (lambda: oscillator(steps=100), ["errors", "position", "path in phase space"]),
    "chain": (lambda: example("pendulum-chain.toml", duration=1), ["errors", "position"]),
    "molecules": (lambda: polhode.load(SOURCE / "examples" / "water-cluster.toml").run(
        {"method.steps": 100, "state.equilibration": 0}), ["errors", "energies"]),
    "binary": (lambda: example("binary-asteroid.toml", duration=100), ["errors", "energies", "3 orbit"]),
}


@pytest.fixture
def drawn(request):
    run = RUNS[request.param][0]()
    figure = run.plot()
    figure.canvas.draw()
    yield run, figure, RUNS[request.param][1]
    plt.close(figure)


def every(names=tuple(RUNS)):
    return pytest.mark.parametrize("drawn", names, indirect=True, ids=names)


@every()
@pytest.mark.filterwarnings("error")
def test_the_panels(drawn, tmp_path):
    run, figure, panels = drawn
    assert len(figure.axes) == len(panels)
    for axes, panel in zip(figure.axes, panels):
        assert (axes.name == "3d") == panel.startswith("3 ")
        assert axes.get_title().startswith(panel.replace("3 ", ""))
    assert run.system in figure._suptitle.get_text()
    figure.savefig(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000


@every()
def test_no_text_covers_another(drawn):
    _, figure, _ = drawn
    renderer = figure.canvas.get_renderer()
    boxes = {"title of the figure": figure._suptitle.get_window_extent(renderer)}
    for number, axes in enumerate(figure.axes):
        texts = {"title": axes.title, "x": axes.xaxis.label, "y": axes.yaxis.label, "legend": axes.get_legend()}
        texts.update({"z": axes.zaxis.label} if axes.name == "3d" else {})
        boxes.update({(number, name): text.get_window_extent(renderer) for name, text in texts.items()
                      if text is not None and (name == "legend" or text.get_text())})
    for a, one in boxes.items():
        assert one.x0 >= 0 and one.y0 >= 0 and one.x1 <= figure.bbox.width and one.y1 <= figure.bbox.height, a
        for b, other in boxes.items():
            assert a is b or not one.overlaps(other), f"{a} and {b}"


@every(("water", "top", "satellite", "asteroid", "pendulum"))
def test_a_path_fills_its_panel_at_one_scale(drawn):
    _, figure, _ = drawn
    for axes in (axes for axes in figure.axes if axes.name == "3d"):
        limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
        path = np.array(axes.lines[0].get_data_3d())
        sides, extents = np.ptp(limits, axis=1), np.ptp(path, axis=1)
        np.testing.assert_allclose(sides, sides[0], rtol=1e-12)
        assert 0.9 * sides[0] < extents.max() < sides[0]
        assert (path.min(axis=1) >= limits[:, 0]).all() and (path.max(axis=1) <= limits[:, 1]).all()


def test_what_is_far_from_zero_is_drawn_from_nearby():
    figure = example("lagrange-top.toml", duration=20).plot()
    assert figure.axes[3].get_zlabel() == r"$\omega_{3}$ - 10"
    assert figure.axes[1].lines[2].get_label() == r"$\omega_{3}$ - 10"
    assert np.abs(figure.axes[1].lines[2].get_ydata()).max() < 1e-9
    plt.close(figure)


def test_lines_and_points():
    for step, line in ((0.1, "-"), (10.0, "None")):
        figure = polhode.propagate(**WATER, step=step, steps=1000, every=1).plot()
        assert figure.axes[1].lines[0].get_linestyle() == line
        assert ("too far apart" in figure.axes[1].get_xlabel()) == (line == "None")
        plt.close(figure)


def test_a_long_run_shows_its_beginning():
    run = polhode.propagate(**WATER, step=0.1, steps=20_000, every=1)
    figure = run.plot()
    assert figure.axes[1].get_title().endswith(", at first")
    assert figure.axes[1].get_xlim()[1] < 0.5 * run.t[-1] and figure.axes[0].get_xlim()[1] == run.t[-1]
    plt.close(figure)


def test_errors_of_zero_are_named():
    figure = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 3], step=0.1, steps=100).plot()
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert "energy: 0" in labels and len(labels) == 3
    plt.close(figure)


def test_into_a_figure_that_is_there():
    figure = plt.figure(figsize=(12, 5), layout="constrained")
    left, right = figure.subfigures(1, 2)
    assert oscillator(steps=100).plot(left) is left
    oscillator(steps=200).plot(figure=right)
    figure.canvas.draw()
    assert len(figure.axes) == 6
    plt.close(figure)


def test_the_attitude_is_that_of_the_run():
    run = polhode.propagate(**WATER, step=0.01, steps=500, every=1)
    figure = run.plot()
    panel = next(axes for axes in figure.axes if axes.get_title().startswith("attitude"))
    for line, angles in zip(panel.lines, run.euler("ZYX", degrees=True).T):
        drawn = line.get_ydata()
        np.testing.assert_array_equal(drawn[~np.isnan(drawn)], angles[~np.isnan(drawn)])
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["yaw", "pitch", "roll"]
    plt.close(figure)


# ---- animations


def flip():
    return polhode.propagate(inertia=[1, 2, 3], momentum=[0.01, 1, 0.01], step=0.5, steps=60, every=1)


def frames_of(file):
    from PIL import Image, ImageSequence

    with Image.open(file) as picture:
        return [np.asarray(frame.convert("L"), dtype=float) for frame in ImageSequence.Iterator(picture)]


@pytest.mark.filterwarnings("error")
def test_an_animation_as_a_file(tmp_path):
    flip().animate(tmp_path / "flip.gif", frames=4)
    frames = frames_of(tmp_path / "flip.gif")
    assert len(frames) == 4
    for one, other in zip(frames, frames[1:]):  # the body on the left and the point on the right have moved
        middle = one.shape[1] // 2
        assert np.abs(one - other)[:, :middle].max() > 50 and np.abs(one - other)[:, middle:].max() > 50
    assert [file.name for file in tmp_path.iterdir()] == ["flip.gif"]


def test_an_animation_in_a_notebook_and_as_a_page(tmp_path):
    movie = flip().animate(frames=2)
    assert "<img" in movie._repr_html_() and "data:image/png;base64" in movie._repr_html_()
    flip().animate(tmp_path / "flip.html", frames=2)
    assert (tmp_path / "flip.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert plt.get_fignums() == []


def test_the_body_is_drawn_where_it_is():
    from polhode import _animate

    run = polhode.propagate(inertia=[[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 2.5]], momentum=[0.1, 1.0, 0.2], step=0.3, steps=10,
                            every=1)
    figure, update = _animate._scene(run, plt)
    update(7)
    drawn = np.array(figure.axes[0].collections[0]._vec[:3].T).reshape(6, -1, 3)
    corners = run.rotations()[7].apply(_animate._box(run))
    np.testing.assert_allclose(drawn[:, :4], corners[np.array(_animate._FACES)], atol=1e-14)
    x, y, z = figure.axes[0].lines[0].get_data_3d()  # the momentum keeps its direction in space
    seen = run.rotations()[0].apply(run.momentum[0])
    np.testing.assert_allclose([x[1], y[1], z[1]], 1.15 * seen / np.linalg.norm(run.momentum, axis=1).max(), atol=1e-14)
    point = _animate._Scale(run.angular_velocity)(run.angular_velocity[7])
    np.testing.assert_allclose(np.ravel(figure.axes[1].lines[2].get_data_3d()), point, atol=1e-14)
    plt.close(figure)


def test_a_box_has_the_moments_of_the_body():
    from polhode import _animate

    run = polhode.propagate(inertia=[1.0, 2.0, 2.6], momentum=[0.1, 1.0, 0.2], step=0.3, steps=1)
    edges = 2 * _animate._box(run).max(axis=0)
    moments = (edges**2).sum() - edges**2
    np.testing.assert_allclose(moments / moments[0], [1.0, 2.0, 2.6], rtol=1e-14)


@pytest.mark.parametrize("run", [lambda: oscillator(steps=50), pendulum], ids=["oscillator", "pendulum"])
def test_systems_in_coordinates_move(run, tmp_path):
    run().animate(tmp_path / "path.gif", frames=3)
    assert len(frames_of(tmp_path / "path.gif")) == 3


@pytest.mark.parametrize("file,keywords,sentence", [
    ("flip.bmp", {}, "'.bmp' is not an ending"), ("nowhere/flip.gif", {}, "there is no folder"),
    ("flip.gif", {"frames": 1}, "two frames or more"), ("flip.gif", {"rate": 0.0}, "a rate above zero")])
def test_what_cannot_be_animated(file, keywords, sentence, tmp_path):
    with pytest.raises(polhode.InputError, match=sentence):
        flip().animate(tmp_path / file, **keywords)
    with pytest.raises(polhode.InputError, match="not this pendulum-chain"):
        example("pendulum-chain.toml", duration=1).animate()
    assert list(tmp_path.iterdir()) == []


def test_a_movie_needs_ffmpeg_and_says_so(tmp_path, monkeypatch):
    import matplotlib.animation

    monkeypatch.setattr(matplotlib.animation.writers, "is_available", lambda name: name != "ffmpeg")
    with pytest.raises(polhode.InputError, match=".mp4 needs ffmpeg, which is not installed"):
        flip().animate(tmp_path / "flip.mp4")
