"""The Markdown documents of the project: their links, headings and code blocks. For scripts/check-documents and the site."""
from __future__ import annotations

import os
import pathlib
import re
from typing import Iterator, NamedTuple

#: Documents outside of docs/ that are pages of the site, and what they are called there.
OTHER_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
               "CODE_OF_CONDUCT.md": "conduct.md", "packaging/README.md": "packaging.md"}

#: A link or picture; what is between backquotes is none.
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_CODE = re.compile(r"(?ms)^(```+)[^\n]*\n.*?^\1[ \t]*$|`[^`\n]+`")


class Block(NamedTuple):
    """A code block: its language (empty for one that is indented), its text and its line."""

    language: str
    text: str
    line: int


def documents(root: pathlib.Path) -> list[pathlib.Path]:
    """All documents that readers see; new ones are found by their place."""
    found = [root / "README.md", *(root / name for name in OTHER_PAGES), *sorted((root / "docs").glob("*.md")),
             *sorted((root / "docs" / "site").glob("*.md"))]
    return [path for path in found if path.exists()]


def site_path(path: pathlib.PurePath) -> str | None:
    """Where the site has a document, given by its path in the project; None if it is no page."""
    text = path.as_posix()
    if text in OTHER_PAGES:
        return OTHER_PAGES[text]
    if text.startswith("docs/site/") and text.endswith(".md"):
        return text[len("docs/site/"):]
    if text.startswith("docs/") and text.endswith(".md") and text.count("/") == 1:
        return text[len("docs/"):]
    return "index.md" if text == "README.md" else None


def without_code(text: str) -> str:
    """The text with code blanked, character by character."""
    return _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def links(text: str) -> Iterator[tuple[int, int, str, str, bool]]:
    """(begin, end, label, target, whether it is a picture) of all links outside of code; begin and end are those of the target."""
    plain = _CODE.sub(lambda match: re.sub(r"[\[\]()]", " ", match.group()), text)
    for match in _LINK.finditer(plain):
        yield match.start(3), match.end(3), text[match.start(2):match.end(2)], match.group(3), bool(match.group(1))


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    text = re.sub(r"[^\w\- ]", "", re.sub(r"`([^`]*)`", r"\1", heading).strip().lower())
    return text.replace(" ", "-")


def anchors(text: str) -> set[str]:
    found: dict[str, int] = {}
    result = set(re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE))
    fenced = re.sub(r"(?ms)^(```+)[^\n]*\n.*?^\1[ \t]*$", "", text)
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", fenced, re.MULTILINE):
        name = slug(heading)
        number = found.get(name, 0)
        found[name] = number + 1
        result.add(f"{name}-{number}" if number else name)
    return result


def blocks(text: str) -> Iterator[Block]:
    """Fenced and indented code blocks, in order."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        fence = re.match(r"(\s*)(```+)\s*(\{[\w-]+\}|[\w+-]*)", lines[at])
        if fence:
            end = at + 1
            while end < len(lines) and not re.match(r"\s*" + fence.group(2) + r"\s*$", lines[end]):
                end += 1
            indent = len(fence.group(1))
            body = "".join(line[indent:] + "\n" for line in lines[at + 1:end])
            yield Block(fence.group(3) or "?", body, at + 1)
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()) and not _in_a_list(lines, at):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield Block("", "".join(line[4:] + "\n" for line in lines[at:end]).rstrip() + "\n", at + 1)
            at = end
        else:
            at += 1


def _in_a_list(lines: list[str], at: int) -> bool:
    """Whether an indented line continues an item of a list."""
    for line in reversed(lines[:at]):
        if line.strip() and not line.startswith("  "):
            return bool(re.match(r"([-*+]|\d+\.)\s", line))
    return False


def resolve(root: pathlib.Path, document: pathlib.Path, target: str) -> tuple[pathlib.Path, str]:
    """The path of a link, and its anchor."""
    path, _, anchor = target.partition("#")
    place = (document.parent / path) if path else document
    return pathlib.Path(os.path.normpath(place)), anchor


def is_external(target: str) -> bool:
    return bool(re.match(r"[a-z][a-z0-9+.-]*:", target))
