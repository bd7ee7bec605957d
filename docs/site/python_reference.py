"""The reference of Python: a page of the public names in the order of docs/python.md, and their docstrings for Sphinx.

Docstrings are plain text: paragraphs, columns, and examples that the tests run. `as_rst` turns them into reStructuredText.
"""
from __future__ import annotations

import ast
import inspect
import pathlib
import re
import textwrap


def as_rst(lines: list[str]) -> list[str]:
    """Paragraphs stay, columns and indented parts become literal blocks, examples become sessions."""
    text = textwrap.dedent("\n".join(lines)).strip("\n")
    result: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        if not block.strip():
            continue
        rows = block.splitlines()
        if rows[0].lstrip().startswith(">>>"):
            result += [".. code-block:: pycon", "", *("   " + row for row in textwrap.dedent(block).splitlines()), ""]
        elif rows[0][:1] != " " and (listed := _definitions(rows)):
            result += [*listed, ""]
        elif any(row.startswith(" ") or re.match(r"[\w<].*?\S {2,}\S", row) for row in rows):
            head = []
            while rows and not (rows[0].startswith(" ") or re.match(r"[\w<].*?\S {2,}\S", rows[0])) and len(rows) > 1 and rows[1][:1] == " ":
                head.append(rows.pop(0))
            result += [_inline(" ".join(head)), ""] if head else []
            result += [".. code-block:: text", "", *("   " + row for row in textwrap.dedent("\n".join(rows)).splitlines()), ""]
        else:
            example = next((i for i, row in enumerate(rows) if row.startswith(">>>")), len(rows))
            result += [_inline(" ".join(row.strip() for row in rows[:example])), ""]
            if example < len(rows):
                result += [".. code-block:: pycon", "", *("   " + row for row in rows[example:]), ""]
    return result


def _definitions(rows: list[str]) -> list[str] | None:
    """Rows of a name and, in a column of its own, what it means, as a list of definitions; a sentence may follow. None for other rows."""
    first = re.match(r"\S+(?:, \S+)* {2,}(?=\S)", rows[0])
    found: list[tuple[str, list[str]]] = []
    rest: list[str] = []
    for row in rows if first else ():
        name, text = row[: first.end()], row[first.end():]
        if rest:
            rest.append(row.strip())
        elif not name.strip():
            found[-1][1].append(text.strip())
        elif re.fullmatch(r"\S+(?:, \S+)* +", name):
            found.append((name.strip(), [text.strip()]))
        else:
            rest.append(row)
    if not found or any("  " in row for row in rest):
        return None
    return [line for name, text in found for line in (f"``{name}``", "   " + _inline(" ".join(text)), "")] + [_inline(" ".join(rest))]


def _inline(text: str) -> str:
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(f"`{part}`" if part.startswith("`") else re.sub(r"([\\*|_`])", r"\\\1", part) for part in parts)


def process(app, what, name, obj, options, lines) -> None:
    """For autodoc-process-docstring."""
    if what == "class" and name.startswith("polhode.") and not inspect.getdoc(obj):
        lines[:] = []
        return
    lines[:] = as_rst(list(lines))


#: The groups of the page, with all public names but those of torques.
GROUPS = {
    "Motions": ["propagate", "step", "Result", "BatchResult", "Rows", "Trajectory", "Body", "SpinState"],
    "Scenarios and systems": ["load", "Scenario", "System", "DoubleDouble"],
    "The derivative of the motion": ["tangent_map", "TangentMap", "state_transition", "lyapunov_exponent", "lyapunov_exponents",
                                     "LyapunovExponents", "derivatives", "Derivatives"],
    "Attitudes": ["to_rotation", "from_rotation", "to_euler", "from_euler", "to_scalar_last", "to_scalar_first", "read_attitudes"],
    "Schemes": ["Scheme"],
    "The program": ["catalogue", "reproduce", "command", "cite"],
    "Errors and warnings": ["InputError", "MotionError", "InputWarning"],
}


def write(folder: pathlib.Path) -> list[str]:
    """Writes reference/python.rst; returns the names on it."""
    import numpy as np

    import polhode

    public = [name for name in polhode.__all__ if not inspect.ismodule(getattr(polhode, name)) and name != "__version__"]
    torques = [name for name in public if name in {*polhode._torque.classes, "ChangingInertia", "MovingMasses"}]
    groups = {"Motions": GROUPS["Motions"], "What acts on a body": torques, **{key: GROUPS[key] for key in list(GROUPS)[1:]}}
    left = [name for name in public if not any(name in names for names in groups.values())]
    if left:
        raise SystemExit(f"docs/site/python_reference.py: no group has {', '.join(left)}")
    text = ["Python: ``polhode``", "===================", "", ".. py:module:: polhode", "",
            "The public names of the module, :doc:`in prose </python>`. The examples of the docstrings are run by the tests; ``np`` is NumPy, "
            "``examples`` the folder of that name, ``folder`` an empty one.", ""]
    names = []
    for title, members in groups.items():
        text += [title, "-" * len(title), ""]
        for name in members:
            if name not in public:
                raise SystemExit(f"docs/site/python_reference.py: polhode has no {name}")
            thing = getattr(polhode, name)
            text += _entry("polhode", name, thing, np)
            names.append(name)
        if title == "What acts on a body":
            text += ["An example of them together:", "", *as_rst(_examples(polhode._torque.__doc__ or "")), ""]
    for module in (polhode.elliptic, polhode.conformance):
        title = module.__name__
        text += [title, "-" * len(title), "", f".. py:module:: {title}", "", *as_rst((module.__doc__ or "").splitlines()), ""]
        for name in module.__all__:
            text += _entry(title, name, getattr(module, name), np)
    title = "polhode.torch"
    document, functions = _as_text(pathlib.Path(polhode.__file__).parent / "torch.py")
    text += [title, "-" * len(title), "", f".. py:module:: {title}", "", *as_rst(document.splitlines()), ""]
    for signature, docstring in functions:
        text += [f".. py:function:: {signature}", f"   :module: {title}", "", *("   " + line for line in as_rst(docstring.splitlines())), ""]
    (folder / "python.rst").write_text("\n".join(text) + "\n", encoding="utf-8")
    return names


def _as_text(source: pathlib.Path) -> tuple[str, list[tuple[str, str]]]:
    """The docstring of a module, and signature and docstring of each function of its __all__; what it imports need not be there."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    values = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = []
    for name in ast.literal_eval(values["__all__"]):
        arguments = functions[name].args
        for one in (*arguments.args, *arguments.kwonlyargs, *filter(None, (arguments.vararg, arguments.kwarg))):
            one.annotation = None
        found.append((f"{name}({ast.unparse(arguments)})", ast.get_docstring(functions[name]) or ""))
    return ast.get_docstring(tree) or "", found


def _entry(module: str, name: str, thing: object, np) -> list[str]:
    if isinstance(thing, np.ufunc):
        document = (thing.__doc__ or "").splitlines()
        arguments = ", ".join(["x", "y", "z", "p"][: thing.nin])
        if document and re.match(rf"\w+\(.*\)\s*$", document[0]):
            document = document[1:]
        return [f".. py:function:: {name}({arguments})", f"   :module: {module}", "", *("   " + line for line in as_rst(document)), ""]
    if inspect.isclass(thing):
        if issubclass(thing, Exception):
            return [f".. autoexception:: {module}.{name}", ""]
        return [f".. autoclass:: {module}.{name}", "   :members:", "   :inherited-members: object" if name == "Result" else "", ""]
    return [f".. autofunction:: {module}.{name}", ""]


def _examples(document: str) -> list[str]:
    return [line for block in re.split(r"\n[ \t]*\n", textwrap.dedent(document)) if ">>>" in block for line in [*block.splitlines(), ""]]
