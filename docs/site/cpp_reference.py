"""The reference of C++: one page for each namespace of docs/api.md, from what Doxygen found in the headers.

The headers define everything in polhode::core and export the public names from there; the reference shows each name where users
find it. docs/api.md has the order, the groups and a line for each name; Doxygen's comments, members and signatures follow. A name of
docs/api.md that Doxygen does not know is an error, so that the reference lists exactly these names.
"""
from __future__ import annotations

import pathlib
import re
import xml.etree.ElementTree as ElementTree
from typing import Iterator, NamedTuple, Optional


class Entry(NamedTuple):
    namespace: str
    name: str
    meaning: str


class Group(NamedTuple):
    namespace: str
    heading: str
    introduction: str
    entries: list[Entry]


def read_api(text: str) -> list[Group]:
    """The groups of docs/api.md: a section for each namespace, in it paragraphs that head lists."""
    groups: list[Group] = []
    namespace = None
    for part in re.split(r"\n\s*\n", text):
        if heading := re.match(r"##\s+`(polhode[\w:]*)`", part):
            namespace = heading.group(1)
            groups.append(Group(namespace, "", "", []))
        elif namespace is not None and part.startswith("- `"):
            for item in re.split(r"\n(?=- )", part):
                found = re.match(r"- `(\w+)`: (.*)", item, re.DOTALL)
                groups[-1].entries.append(Entry(namespace, found.group(1), " ".join(found.group(2).split())))
        elif namespace is not None:
            groups.append(Group(namespace, "", " ".join(part.split()), []))
    return [group for group in groups if group.entries or group.introduction]


class Doxygen:
    """What Doxygen wrote, by qualified names: compounds (classes, concepts) and members of namespaces."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.compounds: dict[str, list[ElementTree.Element]] = {}
        self.members: dict[str, list[ElementTree.Element]] = {}
        for file in sorted(folder.glob("*.xml")):
            if not file.name.startswith(("class", "struct", "concept", "namespace")):
                continue
            for compound in ElementTree.parse(file).getroot().iter("compounddef"):
                name = compound.findtext("compoundname", "")
                if compound.get("kind") == "namespace":
                    for member in compound.iter("memberdef"):
                        self.members.setdefault(f"{name}::{member.findtext('name')}", []).append(member)
                else:
                    self.compounds.setdefault(name, []).append(compound)

    def find(self, entry: Entry) -> list[ElementTree.Element]:
        """The definitions behind a public name."""
        inner = entry.namespace.removeprefix("polhode")
        last = inner.rpartition("::")[2]
        for namespace in (f"polhode::core{inner}", f"polhode::core::{last}", entry.namespace, "polhode::core"):
            name = f"{namespace}::{entry.name}"
            found = self.compounds.get(name, []) + [
                member for member in self.members.get(name, []) if not is_guide(member)]
            if found:
                return found
        raise SystemExit(f"docs/api.md: Doxygen does not know {entry.namespace}::{entry.name}")


def is_guide(member: ElementTree.Element) -> bool:
    """A deduction guide: a function that returns nothing and has the name of a class."""
    return member.get("kind") == "function" and "->" in member.findtext("argsstring", "") and not text_of(member.find("type")).strip()


def text_of(element: Optional[ElementTree.Element]) -> str:
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


# ---- comments ------------------------------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Plain text for reStructuredText."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def paragraphs(element: Optional[ElementTree.Element]) -> list[str]:
    """A Doxygen comment as paragraphs of reStructuredText."""
    result: list[str] = []
    for para in ([] if element is None else element.findall("para")):
        inline: list[str] = []

        def flush() -> None:
            text = re.sub(r"\s+", " ", "".join(inline)).strip()
            inline.clear()
            result.extend([text] if text else [])

        inline.append(escaped(para.text or ""))
        for child in para:
            if child.tag in ("verbatim", "programlisting", "preformatted"):
                flush()
                lines = (["".join(line.itertext()) for line in child.iter("codeline")] if child.tag == "programlisting" else
                         "".join(child.itertext()).strip("\n").splitlines())
                result.append(code("\n".join(lines)))
            elif child.tag in ("itemizedlist", "orderedlist"):
                flush()
                result.append("\n".join("- " + " ".join(" ".join(paragraphs(item)).split()) for item in child.findall("listitem")))
            elif child.tag == "computeroutput":
                literal = "".join(child.itertext()).strip()
                inline.append(f"``{literal}``" if literal else "")
            elif child.tag == "sp":
                inline.append(" ")
            else:
                inline.append(escaped("".join(child.itertext())))
            inline.append(escaped(child.tail or ""))
        flush()
    return result


def code(text: str, language: str = "cpp") -> str:
    lines = text.strip("\n").splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return f".. code-block:: {language}\n\n" + "\n".join(("   " + line[indent:]).rstrip() for line in lines)


def comment(element: ElementTree.Element) -> list[str]:
    return paragraphs(element.find("briefdescription")) + paragraphs(element.find("detaileddescription"))


# ---- signatures ----------------------------------------------------------------------------------------------------------------------


def tidy(text: str) -> str:
    text = text.replace("polhode::core::", "").replace(" &", "&").replace(" *", "*").replace("< ", "<").replace(" >", ">")
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"\b(inline|friend|virtual|explicit(?:\([^)]*\))?|POLHODE_\w+)\s+", "", text).strip()


def template_of(element: ElementTree.Element) -> str:
    listed = element.find("templateparamlist")
    if listed is None:
        return ""
    parts = []
    for param in listed.findall("param"):
        kind, name, default = text_of(param.find("type")), text_of(param.find("declname")), text_of(param.find("defval"))
        parts.append(f"{kind} {name}".strip() + (f" = {default}" if default else ""))
    return f"template <{tidy(', '.join(parts))}> " if parts else "template <> "


def function(member: ElementTree.Element, scope: str) -> str:
    kind, arguments = tidy(text_of(member.find("type"))), member.findtext("argsstring", "")
    arguments = re.sub(r"\s*=\s*(default|delete|0)$", "", arguments)
    name = member.findtext("name", "")
    kind = re.sub(r"^(static|constexpr|consteval)\s+", "", re.sub(r"^(static|constexpr)\s+", "", kind))
    return tidy(f"{template_of(member)}{kind} {scope}{name}{arguments}")


# ---- pages ---------------------------------------------------------------------------------------------------------------------------


class Examples:
    """Lines of the programs in examples/, which the tests run, by the names that they use; those for Eigen are among the tests."""

    def __init__(self, root: pathlib.Path) -> None:
        paths = [*sorted((root / "examples").glob("*.cpp")), root / "tests" / "body" / "eigen_test.cpp"]
        self.programs = [(path, path.read_text(encoding="utf-8").splitlines()) for path in paths]

    def of(self, entry: Entry) -> list[str]:
        """The statement of the first program that calls or declares the name, with a link to it."""
        for pattern in (rf"\b{entry.name}\b(<[^;]*>)?[ \w]*[({{]", rf"\b{entry.name}\b"):
            for path, lines in self.programs:
                for number, line in enumerate(lines):
                    bare = line.split("//")[0]
                    if line.startswith(("#", "//", "using", "}")) or not re.search(pattern, re.sub(r'"[^"]*"', '""', bare)):
                        continue
                    if entry.name in ("step", "map", "version", "water", "schemes") and f"::{entry.name}" not in bare and "(" not in bare:
                        continue
                    end = number
                    while end + 1 < len(lines) and end - number < 6 and not lines[end].split("//")[0].rstrip().endswith((";", "{", "}")):
                        end += 1
                    label = path.name.replace("_", "-").replace(".", "-")
                    place = f":ref:`examples/{path.name} <{label}>`, which the tests run" if path.parent.name == "examples" else f"the test ``{path.name}``"
                    return [f"From {place}:", code("\n".join(lines[number:end + 1]))]
        return []


def indented(blocks: list[str], depth: int) -> str:
    pad = "   " * depth
    return "\n\n".join("\n".join((pad + line).rstrip() for line in block.splitlines()) for block in blocks)


def accepted(kind: str, signature: str) -> bool:
    """Whether Sphinx can read the signature."""
    from sphinx.domains.cpp import DefinitionError, DefinitionParser

    class Config:
        cpp_id_attributes: list = []
        cpp_paren_attributes: list = []

    parser = DefinitionParser(signature, location=None, config=Config)
    try:
        parser.parse_declaration({"struct": "class", "var": "member"}.get(kind, kind), kind)
        parser.assert_end()
        return True
    except DefinitionError:
        return False


def directive(kind: str, signature: str, fallback: str, body: list[str], depth: int) -> str:
    """A directive of the C++ domain; where Sphinx cannot read a signature, the name stands in it and the signature below."""
    if not accepted(kind, signature):
        body = [code(signature)] + body
        signature = fallback
    pad = "   " * depth
    return f"{pad}.. cpp:{kind}:: {signature}\n" + (f"\n{indented(body, depth + 1)}\n" if body else "")


def members_of(compound: ElementTree.Element, scope: str) -> Iterator[str]:
    """The public members, those of private bases too; what has no comment is shown with its signature."""
    seen: set[str] = set()
    name = compound.findtext("compoundname", "").split("::")[-1]
    for member in compound.iter("memberdef"):
        title = member.findtext("name", "")
        if (member.get("prot") != "public" or title.startswith("~") or title.endswith("_") or member.get("kind") == "friend"
                or is_guide(member) or "delete" in member.findtext("argsstring", "")[-8:]):
            continue
        kind = member.get("kind")
        if kind == "function":
            signature = function(member, "")
            signature = re.sub(r"\s+", " ", signature)
            if title == name and not text_of(member.find("type")):
                signature = tidy(f"{template_of(member)}{title}{member.findtext('argsstring', '')}")
                signature = re.sub(r"\s*=\s*default$", "", signature)
            fallback = f"{title}()" if not title.startswith("operator") else ""
        elif kind == "variable":
            signature = tidy(f"{text_of(member.find('type'))} {title}")
            signature = re.sub(r"^static |constexpr ", "", signature)
            kind, fallback = "member", f"int {title}"
        elif kind == "enum":
            signature, kind, fallback = title, "enum", title
        else:
            continue
        if signature in seen or (fallback == "" and not accepted(kind, signature)):
            continue
        seen.add(signature)
        if kind == "function" and not accepted(kind, signature):
            if fallback in seen:
                continue
            seen.add(fallback)
            fallback = f"void {fallback}"
        yield directive(kind, signature, fallback, comment(member), 1)


def entry_text(entry: Entry, doxygen: Doxygen, examples: Examples) -> str:
    found = doxygen.find(entry)
    full = f"{entry.namespace}::{entry.name}"
    first = [inline(entry.meaning)]
    shown = examples.of(entry)
    if not shown:
        raise SystemExit(f"docs/site/cpp_reference.py: no program of examples/ uses {full}")
    parts: list[str] = []
    compound = next((one for one in found if one.tag == "compounddef"), None)
    if compound is not None:
        kind = compound.get("kind", "class")
        if kind == "concept":
            body = first + comment(compound)
            source = text_of(compound.find("initializer"))
            template = template_of(compound) or "template <typename T> "
            parts.append(directive("concept", f"{template}{full}", f"template <typename T> {full}", body + shown, 0))
            if source:
                parts.append(indented([code(source)], 1) + "\n")
        else:
            template = template_of(compound)
            # A specialisation has a name of its own; the first compound is the template itself.
            parts.append(directive(kind, f"{template}{full}", full, first + comment(compound) + shown, 0))
            parts += list(members_of(compound, full))
        return "\n".join(parts)
    seen: set[str] = set()
    for number, member in enumerate(found):
        kind = member.get("kind", "function")
        body = (first if number == 0 else []) + comment(member)
        if kind == "function":
            signature = function(member, f"{entry.namespace}::")
            if signature in seen:
                continue
            seen.add(signature)
            parts.append(("function", signature, body))
        elif kind == "enum":
            values = [f"- ``{value.findtext('name')}``" + (": " + " ".join(comment(value)) if comment(value) else "")
                      for value in member.findall("enumvalue")]
            parts.append(("enum", full, body + ["\n".join(values)]))
        elif kind == "typedef":
            parts.append(("type", tidy(f"{template_of(member)}{full} = {text_of(member.find('type'))}"), body))
        else:
            parts.append(("var", tidy(re.sub(r"(static|constexpr|inline) ", "", f"{text_of(member.find('type'))} {full}")), body))
    text = []
    for number, (kind, signature, body) in enumerate(parts):
        body = body + (shown if number == len(parts) - 1 else [])
        if kind in ("function", "type", "var") and not accepted(kind, signature):
            if number and kind == "function":  # a further overload: shown below the first
                text.append(indented([code(signature)] + body, 1) + "\n")
                continue
            fallback = {"function": f"auto {full}()", "type": full, "var": f"auto {full}"}[kind]
            text.append(directive(kind, signature, fallback, body, 0))
        else:
            text.append(directive(kind, signature, full, body, 0))
    return "\n".join(text)


def inline(markdown: str) -> str:
    """A line of docs/api.md as reStructuredText: `code` and links."""
    parts = re.split(r"(`[^`]+`|\[[^\]]+\]\([^)]+\))", markdown)
    result = []
    for part in parts:
        if part.startswith("`"):
            result.append(f"`{part}`")
        elif link := re.fullmatch(r"\[([^\]]+)\]\(([\w-]+)\.md(#[\w-]+)?\)", part):
            result.append(f":doc:`{link.group(1)} </{link.group(2)}>`")
        else:
            result.append(escaped(part))
    text = "".join(result)
    return text[:1].upper() + text[1:] + "."


def page_name(namespace: str) -> str:
    return "cpp-" + namespace.replace("::", "-")


def write(root: pathlib.Path, xml: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Writes the pages; returns the qualified names on them."""
    doxygen, examples = Doxygen(xml), Examples(root)
    groups = read_api((root / "docs" / "api.md").read_text(encoding="utf-8"))
    namespaces = list(dict.fromkeys(group.namespace for group in groups))
    names = []
    for namespace in namespaces:
        title = f"C++: ``{namespace}``"
        text = [f"{title}\n{'=' * len(title)}\n"]
        for group in (group for group in groups if group.namespace == namespace):
            introduction = inline(group.introduction.rstrip(":.")) if group.introduction else ""
            if introduction and group.entries and namespace == "polhode":
                heading = re.sub(r"\s*\(`[^)]*`?\)", "", group.introduction.rstrip(":"))
                heading = re.sub(r"\(.*?\)", "", heading).strip()
                heading = heading.replace("`", "")
                text.append(f"{heading}\n{'-' * len(heading)}\n")
                place = re.findall(r"`([\w/.]+)`", group.introduction)
                text.append("Headers: " + ", ".join(f"``polhode/{one}``" for one in place) + ".\n" if place else "")
            elif introduction:
                text.append(introduction + "\n")
            for entry in group.entries:
                text.append(entry_text(entry, doxygen, examples))
                names.append(f"{entry.namespace}::{entry.name}")
        (folder / f"{page_name(namespace)}.rst").write_text("\n".join(text), encoding="utf-8")
    return names
