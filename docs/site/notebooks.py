"""Tutorials as notebooks: a script of python/tutorials cut into cells, run cell by cell, and written as a notebook and as a page.

    notebooks.py SCRIPT.py FOLDER       writes FOLDER/<name>.ipynb, <name>.md and <name>-1.png, ...

A script has a docstring, definitions, and a function main() that reads --short and --output. In a notebook the body of main() stands
at the top level, without the options; its paragraphs are the cells.
"""
from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import textwrap
from typing import Any


def cells_of(source: str) -> tuple[str, list[str], list[str]]:
    """The docstring of a script, the cells of its definitions, and those of its main()."""
    tree = ast.parse(source)
    lines = source.splitlines()
    document = ast.get_docstring(tree) or ""
    main = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main")

    def text(first: ast.stmt, last: ast.stmt, after: int) -> str:
        """The lines of statements, with decorators and the comments before them."""
        begin = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
        while begin - 1 > after and lines[begin - 2].lstrip().startswith("#"):
            begin -= 1
        return "\n".join(lines[begin - 1:last.end_lineno])

    definitions, group, after = [], [], 0
    for node in tree.body[1:]:
        if node is main or _is_the_call_of_main(node) or _imports(node, "argparse"):
            continue
        whole = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        if group and (whole or isinstance(group[-1], (ast.FunctionDef, ast.ClassDef))):
            definitions.append(text(group[0], group[-1], after))
            after, group = group[-1].end_lineno, []
        group.append(node)
    definitions += [text(group[0], group[-1], after)] if group else []

    parser, options = _option_names(main)
    body, group, after = [], [], main.lineno
    for node in main.body:
        if _concerns(node, parser) or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in (parser, options)):
            after = node.end_lineno
            continue
        if isinstance(node, ast.If) and f"{options}.output" in ast.unparse(node.test):
            body += [_without_options(text(group[0], group[-1], after), options)] if group else []
            after, group = node.end_lineno, []
            body.append("plt.show()")
            continue
        if group and node.lineno - 1 > group[-1].end_lineno and any(
                not lines[i].strip() for i in range(group[-1].end_lineno, node.lineno - 1)):
            body.append(_without_options(text(group[0], group[-1], after), options))
            after, group = group[-1].end_lineno, []
        group.append(node)
    body += [_without_options(text(group[0], group[-1], after), options)] if group else []
    # A figure is shown by the cell that draws it.
    if len(body) > 1 and body[-1] == "plt.show()":
        body[-2:] = [body[-2] + "\nplt.show()"]
    body = [textwrap.dedent(cell).strip("\n") for cell in body]
    if any("plt.show()" in cell for cell in body) and not any("import matplotlib.pyplot as plt" in cell for cell in [
            *body, *(cell for cell in definitions if not cell.startswith(("def ", "class ")))]):
        body.insert(0, "import matplotlib.pyplot as plt")
    return document, [cell.strip("\n") for cell in definitions], body


def _imports(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Import) and [alias.name for alias in node.names] == [name]


def _is_the_call_of_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)


def _option_names(main: ast.FunctionDef) -> tuple[str, str]:
    """The variables of main() for the parser and for what it read."""
    parser = options = "?"
    for node in main.body:
        if isinstance(node, ast.Assign) and "ArgumentParser(" in ast.unparse(node.value):
            parser = ast.unparse(node.targets[0])
        elif isinstance(node, ast.Assign) and ast.unparse(node.value).endswith(".parse_args()"):
            options = ast.unparse(node.targets[0])
    return parser, options


def _concerns(node: ast.stmt, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _without_options(code: str, options: str) -> str:
    """`4 if options.short else 25` becomes 25; a figure is shown where it was saved."""
    code = textwrap.dedent(code)
    code = re.sub(rf"^(\s*)(\S.*)\.savefig\({options}\.output[^()]*\)$", r"\1\2\n\1plt.show()", code, flags=re.MULTILINE)
    places = [node for node in ast.walk(ast.parse(code))
              if isinstance(node, ast.IfExp) and ast.unparse(node.test) == f"{options}.short"]
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = code.encode()
    for node in sorted(places, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        data = data[:begin] + ast.get_source_segment(code, node.orelse).encode() + data[end:]
    return data.decode()


def _option_names_left(cells: list[str]) -> bool:
    """Whether a cell still asks for options."""
    return any(re.search(r"\b(options|arguments|args)\.\w+|\bargparse\b", cell) for cell in cells)


def with_main(source: str, name: str) -> list[str]:
    """The cells of a script whose main() cannot be cut: all of it, and a call that writes the figure."""
    return [re.sub(r'\nif __name__ == "__main__":\n.*', "", source, flags=re.DOTALL).strip(),
            f'import sys\nsys.argv = ["{name}.py", "--output", "{name}.png"]\nmain()']


def run(cells: list[str], name: str) -> list[tuple[str, list[bytes]]]:
    """What the cells print and draw, one after the other, as in a notebook."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    drawn: list[bytes] = []

    def show(*_: Any, **__: Any) -> None:
        for number in plt.get_fignums():
            picture = io.BytesIO()
            plt.figure(number).savefig(picture, format="png", dpi=110)
            drawn.append(picture.getvalue())
        plt.close("all")

    plt.show = show
    variables: dict[str, Any] = {"__name__": "tutorial"}
    results = []
    for cell in cells:
        drawn.clear()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(cell, f"{name}.py", "exec"), variables)
        results.append((printed.getvalue(), list(drawn)))
    return results


def notebook(name: str, document: str, cells: list[str], results: list) -> dict[str, Any]:
    """The notebook, format 4."""
    def lines(text: str) -> list[str]:
        return text.splitlines(keepends=True)

    written: list[dict[str, Any]] = [dict(cell_type="markdown", id="text", metadata={}, source=lines(markdown_of(document)))]
    for number, (code, (printed, pictures)) in enumerate(zip(cells, results), start=1):
        outputs: list[dict[str, Any]] = []
        if printed:
            outputs.append(dict(output_type="stream", name="stdout", text=lines(printed)))
        outputs += [dict(output_type="display_data", metadata={},
                         data={"image/png": base64.b64encode(picture).decode(), "text/plain": [f"<figure of {name}>"]})
                    for picture in pictures]
        written.append(dict(cell_type="code", id=f"cell-{number}", execution_count=number, metadata={}, source=lines(code),
                            outputs=outputs))
    return dict(nbformat=4, nbformat_minor=5, cells=written, metadata=dict(
        kernelspec=dict(display_name="Python 3", language="python", name="python3"), language_info=dict(name="python")))


def markdown_of(document: str) -> str:
    """The docstring: its first line is the title; what it says of options is left out."""
    first, _, rest = document.partition("\n")
    paragraphs = [p for p in re.split(r"\n\s*\n", rest) if p.strip() and "--output" not in p]
    title, _, subject = first.rstrip(".").partition(": ")
    paragraphs = [f"{subject[0].upper()}{subject[1:]}.", *paragraphs] if subject else paragraphs
    return f"# {title}\n\n" + "\n\n".join(textwrap.dedent(p).strip() for p in paragraphs) + "\n"


def page(name: str, document: str, cells: list[str], results: list, beginning: int) -> str:
    """The same as Markdown for the site. The cells from `beginning` on are those of main()."""
    parts = [markdown_of(document)]
    title = document.splitlines()[0].rstrip(".")
    parts.append(f"The script is {{download}}`python/tutorials/{name}.py <{name}.py>`, the same as a notebook {{download}}`{name}.ipynb`. All that "
                 "follows was run when this page was made.\n")
    if beginning > 0:
        parts.append("## Definitions\n")
    count = 0
    for number, (code, (printed, pictures)) in enumerate(zip(cells, results)):
        if number == beginning and number > 0:
            parts.append("## The run\n")
        parts.append(f"```python\n{code}\n```\n")
        if printed:
            parts.append(f"```text\n{printed.rstrip()}\n```\n")
        for _ in pictures:
            count += 1
            parts.append(f"![{title}]({name}-{count}.png)\n")
    return "\n".join(parts)


def main() -> None:
    script, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    here = os.getcwd()
    name = script.stem
    document, definitions, body = cells_of(script.read_text(encoding="utf-8"))
    cells = definitions + body
    if _option_names_left(cells):
        definitions, body = [], with_main(script.read_text(encoding="utf-8"), name)
        cells = body
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        sys.path.insert(0, str(script.parent))
        results = run(cells, name)
        written = pathlib.Path(place) / f"{name}.png"
        if written.exists():
            results[-1][1].append(written.read_bytes())
        os.chdir(here)
    if not any(pictures for _, pictures in results):
        raise SystemExit(f"notebooks.py: {script.name} draws no figure")
    pictures = [picture for _, drawn in results for picture in drawn]
    for number, picture in enumerate(pictures, start=1):
        (folder / f"{name}-{number}.png").write_bytes(picture)
    (folder / f"{name}.ipynb").write_text(json.dumps(notebook(name, document, cells, results), indent=1) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(page(name, document, cells, results, len(definitions)), encoding="utf-8")
    (folder / f"{name}.py").write_bytes(script.read_bytes())


if __name__ == "__main__":
    main()
