"""The strict little markup of the sheets: which tags there are, and reading it into nodes.

Every start tag carries the place in the template that wrote it (`generator.press.sheets.templates` puts it there),
so that a slip is reported where a person can mend it, through loops, macros and includes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from xml.parsers import expat

from generator.errors import DataError, Problem, near

PLACE = "_place"

INLINE: Mapping[str, tuple[str, ...]] = {"b": (), "br": (), "c": ("colour",)}
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "h1": ("align",),
    "h2": ("align",),
    "h3": ("align",),
    "para": ("align", "bold"),
    "small": ("align", "bold"),
    "note": ("frame",),
    "ul": (),
    "ol": ("from",),
    "table": ("cols", "head", "rules", "zebra", "pad", "size", "row", "align", "valign"),
    "columns": ("gap", "rules"),
    "keep": (),
    "nextPage": (),
    "spacer": ("h",),
    "rule": (),
    "figure": ("name", "part", "width", "height", "align"),
    "boxes": ("n", "size", "group", "align"),
    "track": ("from", "to", "goal", "label", "size"),
    "field": ("label", "lines", "height", "kind"),
    "ruler": (),
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "sheet": (),
    "li": (),
    "tr": ("bold",),
    "td": ("align", "valign", "span", "bold", "colour", "size", "write"),
    "col": ("weight",),
}
_TAGS = {**INLINE, **BLOCKS, **PARTS}
_WITHIN = {"li": ("ul", "ol"), "tr": ("table",), "td": ("tr",), "col": ("columns",), "sheet": ("",)}
_ONLY = {"ul": ("li",), "ol": ("li",), "table": ("tr",), "tr": ("td",), "columns": ("col",)}
_TEXT = {"sheet", "note", "li", "td", "col", "keep", "h1", "h2", "h3", "para", "small", *INLINE} - {"br"}
_FLOWING = {"sheet", "note", "td", "col", "keep"}
"""Those that hold blocks; the others that hold text hold inline tags only."""

MOST_LETTERS = 500_000
"""Characters of text on a sheet; ours have some 3,000, and the organiser's of 256 tables more than 100,000."""
MOST_NODES = 100_000
"""Elements of a sheet; ours have up to a thousand, the organiser's more."""
MOST_DEEP = 30
"""Elements within one another; ours go ten deep."""
MOST_SAID = 10_000
"""Characters of text from one block to the next: some three pages."""
MOST_WORD = 2_000
"""Letters of a word; Japanese letters are words of their own."""
_MOST_GIVEN = 1_000
"""Characters of an attribute."""
_WORD = re.compile(rf"[^\s\u1100-\u11ff\u2e80-\uffef]{{{MOST_WORD + 1}}}")

_BREAK_IN_JAPANESE = r"(?<=[\u3000-\uffef])[ \t]*\n\s*(?=[\u3000-\uffef])"


@dataclass
class Node:
    """An element: its tag, attributes, children (nodes and text) and the place in the template."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Node | str] = field(default_factory=list)

    def nodes(self) -> list[Node]:
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Node)]

    def wrong(self, message: str, hint: str = "") -> DataError:
        """An error at this element's place."""
        return DataError(Problem(f"<{self.tag}> {message}", self.file, self.line, hint))

    def number(self, name: str, default: float, low: float = 0.0, high: float = 1000.0) -> float:
        """An attribute as a number within bounds."""
        text = self.attributes.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) or not low <= float(text) <= high:
            raise self.wrong(f'{name}="{text}" is not a number from {low:g} to {high:g}')
        return float(text)

    def choice(self, name: str, accepted: tuple[str, ...], default: str = "") -> str:
        """An attribute that takes one of a few words."""
        text = self.attributes.get(name, default or accepted[0])
        if text not in accepted:
            raise self.wrong(f'{name}="{text}" is not known', near(text, accepted))
        return text

    def colour(self) -> str:
        """The colour attribute, `#rrggbb`; black where there is none."""
        value = self.attributes.get("colour", "#000000")
        if not re.fullmatch("#[0-9a-fA-F]{6}", value):
            raise self.wrong(f'colour="{value}" is no colour', "write #rrggbb")
        return value

    def yes(self, name: str) -> bool:
        """Whether a switch is on: `name="1"`."""
        return self.choice(name, ("0", "1")) == "1"


def parse(text: str, template: str) -> Node:
    """The root `sheet` of a rendered template; DataError with the template's file and line."""
    root = Node("", {}, template, 1)
    stack = [root]

    nodes = letters = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal nodes
        file, _, line = attributes.pop(PLACE, f"{template}|{parser.CurrentLineNumber}").rpartition("|")
        node = Node(tag, attributes, file, int(line) if line.isdecimal() else 0)
        nodes += 1
        if nodes > MOST_NODES:
            raise node.wrong(f"is one too many: a sheet has at most {MOST_NODES:,} elements")
        if len(stack) > MOST_DEEP:
            raise node.wrong(f"is nested too deeply: at most {MOST_DEEP} elements within one another")
        _accept(node, stack[-1])
        stack[-1].children.append(node)
        stack.append(node)

    def end(_tag: str) -> None:
        node = stack.pop()
        if node.tag not in INLINE:
            _bearable(node)

    def characters(data: str) -> None:
        nonlocal letters
        parent = stack[-1]
        letters += len(data)
        if letters > MOST_LETTERS:
            raise parent.wrong(f"holds too much: a sheet has at most {MOST_LETTERS:,} characters of text")
        if parent.tag in _TEXT:
            if parent.children and isinstance(parent.children[-1], str):
                parent.children[-1] += data
            else:
                parent.children.append(data)
        elif data.strip():
            raise parent.wrong(f"holds no text, but {data.strip()[:40]!r} stands in it")

    def refuse(*_: object) -> None:
        raise DataError(Problem("a DOCTYPE is not accepted", template))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        last = stack[-1]
        reason = expat.ErrorString(error.code)
        raise DataError(Problem(f"not well-formed near <{last.tag}>: {reason}", last.file, last.line)) from error
    finally:
        # It holds the parser, which holds it, and both the whole tree.
        parser.StartElementHandler = None
    return root.nodes()[0]


def squeeze(text: str) -> str:
    """White space as it prints: runs become one space, and none comes of a line break between ideographs."""
    if max(text, default="") >= "\u3000":
        text = re.sub(_BREAK_IN_JAPANESE, "", text)
    return re.sub(r"[ \t\r\n]+", " ", text)


def _bearable(node: Node) -> None:
    """Refuse a text that would take forever to be broken into lines."""
    inline = (isinstance(child, str) or child.tag in INLINE for child in node.children)
    for together, run in groupby(zip(inline, node.children, strict=True), key=itemgetter(0)):
        said = "".join(child if isinstance(child, str) else flat(child) for _, child in run) if together else ""
        if len(said) > MOST_SAID:
            raise node.wrong(f"holds a paragraph of more than {MOST_SAID:,} characters", "part it into several")
        if len(said) > MOST_WORD and _WORD.search(said):
            raise node.wrong(f"holds a word of more than {MOST_WORD:,} letters", "put spaces into it")


def flat(node: Node) -> str:
    """The text in an element, elements within it and all."""
    return "".join(child if isinstance(child, str) else flat(child) for child in node.children)


def _accept(node: Node, parent: Node) -> None:
    if node.tag not in _TAGS:
        raise node.wrong("is no tag of ours", near(node.tag, sorted(_TAGS)))
    for name, given in node.attributes.items():
        if len(given) > _MOST_GIVEN:
            raise node.wrong(f"{name} has more than {_MOST_GIVEN:,} characters")
        accepted = _TAGS[node.tag]
        if name not in accepted:
            hint = f"accepted: {', '.join(accepted)}" if accepted else "it takes none"
            raise node.wrong(f'has no attribute "{name}"', hint)
    within = _WITHIN.get(node.tag)
    if within and parent.tag not in within:
        raise node.wrong(f"stands in <{parent.tag}>", f"it belongs in {' or '.join(within) or 'the root'}")
    if not parent.tag and node.tag != "sheet":
        raise node.wrong("is the root", "the root of a template is <sheet>")
    only = _ONLY.get(parent.tag)
    if only and node.tag not in only:
        raise node.wrong(f"stands in <{parent.tag}>", f"that holds only {', '.join(only)}")
    if node.tag in BLOCKS and parent.tag not in _FLOWING and not only:
        raise node.wrong(f"stands in <{parent.tag}>", f"that holds only text and {', '.join(INLINE)}")
