"""The reference of C: the functions of polhode.h and polhode_step.h by their sections, by Breathe, each with a line of an example."""
from __future__ import annotations

import pathlib
import re

HEADERS = {"polhode.h": "For programs that link libpolhode; :doc:`in prose </c-interface>`.",
           "polhode_step.h": "For physics engines: one file, no library; :doc:`in prose </engines>`."}


def sections(header: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """(title, [(kind, name)]) of a header; names that end in an underscore are its own."""
    result: list[tuple[str, list[tuple[str, str]]]] = [("", [])]
    for line in header.splitlines():
        if title := re.match(r"/\* -{3,} (.*?) -{3,}(?: \*/)?$", line):
            result.append((title.group(1), []))
        elif found := re.match(r"(?:POLHODE_API|static inline) .*?\b(polhode_\w+)\(", line):
            result[-1][1].append(("function", found.group(1)))
        elif found := re.match(r"typedef .*?\b(polhode_\w+)(?:\)\(.*|;)$", line):
            result[-1][1].append(("typedef", found.group(1)))
    public = [(title, [(kind, name) for kind, name in names if not name.endswith("_")]) for title, names in result]
    return [(title, names) for title, names in public if names]


def example(root: pathlib.Path, name: str) -> list[str]:
    """The first statement of examples/c that calls it."""
    for path in sorted((root / "examples" / "c").glob("*.c")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(rf"\b{name}\(", line) and not line.startswith((" *", "/*")):
                end = number
                while not lines[end].split("/*")[0].rstrip().endswith((";", "{")) and end - number < 5:
                    end += 1
                label = "c-" + path.name.replace("_", "-").replace(".", "-")
                return [f"   From :ref:`examples/c/{path.name} <{label}>`, which the tests run:", "", "   .. code-block:: c", "",
                        *(f"      {one.strip()}" for one in lines[number:end + 1]), ""]
    return []


def write(root: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Writes reference/c.rst; returns the names on it."""
    text = ["C", "=", "", "Fortran and Julia call the same functions: :doc:`/c-interface`.", ""]
    names = []
    for header, introduction in HEADERS.items():
        content = (root / "include" / header).read_text(encoding="utf-8")
        text += [header, "-" * len(header), "", introduction, "", f"The head of the file says:", "", ".. code-block:: text", ""]
        head = re.match(r"/\*(.*?)\*/", content, re.DOTALL).group(1).split("BSD 3-Clause")[0]
        text += ["   " + re.sub(r"^ \*? ?", "", line) for line in head.strip().splitlines()] + [""]
        for title, members in sections(content):
            if title:
                title = title[0].upper() + title[1:]
                text += [title, "^" * len(title), ""]
            for kind, name in members:
                names.append(name)
                shown = example(root, name)
                if kind == "typedef":
                    text += [f".. doxygenstruct:: {name}" if name == "polhode_tensor" else f".. doxygentypedef:: {name}", ""]
                else:
                    text += [f".. doxygenfunction:: {name}", "", *(line[3:] for line in shown)]
    (folder / "c.rst").write_text("\n".join(text) + "\n", encoding="utf-8")
    return names
