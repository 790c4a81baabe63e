"""Define the strict markup of sheets, and parse it into nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from xml.parsers import expat

from msgspec import Struct, field

from generator.errors import DataError, Problem, near
from generator.localization import joined, tr
from generator.press.pdf.typography import typeset

# Every start tag has an attribute with its template and line. Errors inside loops, macros and includes are therefore
# reported at the position where the user can fix them.

PLACE_ATTRIBUTE = "_place"
INLINE: Mapping[str, tuple[str, ...]] = {"b": (), "br": (), "c": ("colour",), "code": ()}
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "h1": ("align", "lines"),
    "h2": ("align",),
    "h3": ("align",),
    "label": ("align",),
    "lead": ("align",),
    "para": ("align", "bold", "quiet", "tight"),
    "small": ("align", "bold", "quiet", "tight"),
    "note": ("frame", "tint"),
    "ul": (),
    "ol": ("from",),
    "table": (
        *("cols", "head", "rules", "zebra", "pad", "side", "size", "row", "align", "valign"),
        *("as", "rowhead", "colhead"),
    ),
    "columns": ("gap", "rules", "stack", "read"),
    "keep": (),
    "nextPage": (),
    "spacer": ("h",),
    "spring": (),
    "rule": ("weight",),
    "figure": ("name", "part", "width", "height", "scale", "align", "fold", "alt"),
    "icons": ("names", "size", "gap", "align", "alt"),
    "qr": ("text", "size", "align", "alt"),
    "boxes": ("n", "size", "group", "align", "quiet", "name", "alt"),
    "track": ("from", "to", "goal", "label", "size", "name", "alt"),
    "field": ("label", "lines", "height", "kind", "name", "alt"),
    "ruler": (),
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "sheet": (),
    "li": (),
    "tr": ("bold",),
    "td": ("align", "valign", "span", "bold", "colour", "quiet", "size", "tint", "write", "name"),
    "col": ("weight",),
}
_TAGS = {**INLINE, **BLOCKS, **PARTS}
_WITHIN = {"li": ("ul", "ol"), "tr": ("table",), "td": ("tr",), "col": ("columns",), "sheet": ("",)}
_ONLY = {"ul": ("li",), "ol": ("li",), "table": ("tr",), "tr": ("td",), "columns": ("col",)}
_TEXT = {"sheet", "note", "li", "td", "col", "keep", "h1", "h2", "h3", "label", "lead", "para", "small", *INLINE} - {
    "br"
}
_FLOWING = {"sheet", "note", "td", "col", "keep"}
"""Tags that contain blocks. Other tags that contain text contain only inline tags."""
MAX_CHARACTERS = 500_000
"""Maximum number of characters of text on a sheet. Shipped sheets have about 3,000, a record for 256 tables over
100,000."""
MAX_ELEMENTS = 100_000
"""Maximum number of elements on a sheet. Shipped sheets have up to a thousand, those for organisers more."""
MAX_DEPTH = 30
"""Maximum nesting depth of elements. Shipped sheets have a depth of ten."""
MAX_PARAGRAPH = 10_000
"""Maximum number of characters between two blocks, which is about three pages."""
MAX_WORD = 2_000
"""Maximum number of letters in a word. In Japanese each letter counts as a word."""
_MAX_ATTRIBUTE = 1_000
"""Maximum number of characters in an attribute."""
_WORD = re.compile(rf"[^\s\u1100-\u11ff\u2e80-\uffef]{{{MAX_WORD + 1}}}")
_BREAK_IN_JAPANESE = re.compile(r"(?<=[\u3000-\uffef])[ \t]*\n\s*(?=[\u3000-\uffef])")
_WHITE, _NUMBER, _COLOUR = re.compile(r"[ \t\r\n]+"), re.compile(r"[0-9]+(\.[0-9]+)?"), re.compile("#[0-9a-fA-F]{6}")


class Node(Struct):
    """An element of the markup with its tag, attributes, children (nodes and text) and position in the template."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Node | str] = field(default_factory=list)

    def nodes(self) -> list[Node]:
        """Return the children that are elements."""
        return [child for child in self.children if isinstance(child, Node)]

    def error(self, message: str, hint: str = "") -> DataError:
        """Return an error that refers to the position of this element."""
        return DataError(Problem(tr("<{tag}> {message}", tag=self.tag, message=message), self.file, self.line, hint))

    def number(self, name: str, default: float, low: float = 0.0, high: float = 1000.0) -> float:
        """Return an attribute as a number between `low` and `high`.

        Raises:
            DataError: If the attribute is not a number in this range.
        """
        text = self.attributes.get(name)
        if text is None:
            return default
        if not _NUMBER.fullmatch(text) or not low <= float(text) <= high:
            raise self.error(
                tr(
                    '{name}="{text}" is not a number from {low:g} to {high:g}',
                    name=name,
                    text=text,
                    low=low,
                    high=high,
                )
            )
        return float(text)

    def choice(self, name: str, accepted: tuple[str, ...], default: str = "") -> str:
        """Return an attribute whose value must be one of `accepted`.

        Raises:
            DataError: If the attribute has another value.
        """
        text = self.attributes.get(name)
        if text is None:
            return default or accepted[0]
        if text not in accepted:
            raise self.error(tr('{name}="{text}" is not valid', name=name, text=text), near(text, accepted))
        return text

    def colour(self, default: str = "#000000") -> str:
        """Return the colour attribute in the form `#rrggbb`.

        Raises:
            DataError: If the attribute has another form.
        """
        value = self.attributes.get("colour")
        if value is None:
            return default
        if not _COLOUR.fullmatch(value):
            raise self.error(tr('colour="{value}" is not a colour', value=value), "write #rrggbb")
        return value

    def tint(self) -> str:
        """Return the tint attribute in the form `#rrggbb`, or an empty text without it.

        Raises:
            DataError: If the attribute has another form.
        """
        value = self.attributes.get("tint", "")
        if value and not _COLOUR.fullmatch(value):
            raise self.error(tr('tint="{value}" is not a colour', value=value), "write #rrggbb")
        return value

    def is_on(self, name: str) -> bool:
        """Return whether a switch is on, for example `name="1"`."""
        return self.choice(name, ("0", "1")) == "1"


def parse(text: str, template: str) -> Node:
    """Parse a rendered template, and return its root element `sheet`.

    Raises:
        DataError: If the markup is not valid. The error contains the template's file and line.
    """
    root = Node("", {}, template, 1)
    stack, begun = [root], [0]
    accepted = set[tuple[str, ...]]()

    nodes = letters = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal nodes
        place = attributes.pop(PLACE_ATTRIBUTE, None)
        file, _, line = (place or f"{template}|{parser.CurrentLineNumber}").rpartition("|")
        node = Node(tag, attributes, file, int(line) if line.isdecimal() else 0)
        nodes += 1
        if nodes > MAX_ELEMENTS:
            raise node.error(
                tr(
                    "is one element too many; a sheet can have at most {most_nodes:,} elements",
                    most_nodes=MAX_ELEMENTS,
                )
            )
        if len(stack) > MAX_DEPTH:
            raise node.error(tr("is nested too deeply; at most {most_deep} levels are allowed", most_deep=MAX_DEPTH))
        # A sheet repeats a few kinds of elements, so each kind is checked only once.
        kind = tag, stack[-1].tag, *attributes
        if kind not in accepted or max(map(len, attributes.values()), default=0) > _MAX_ATTRIBUTE:
            _check_element(node, stack[-1])
            accepted.add(kind)
        stack[-1].children.append(node)
        stack.append(node)
        begun.append(letters)

    def end(_tag: str) -> None:
        node = stack.pop()
        if letters - begun.pop() > MAX_WORD and node.tag not in INLINE:
            _check_lengths(node)

    def characters(data: str) -> None:
        nonlocal letters
        parent = stack[-1]
        letters += len(data)
        if letters > MAX_CHARACTERS:
            raise parent.error(
                tr(
                    "contains too much text; a sheet can have at most {most_letters:,} characters of text",
                    most_letters=MAX_CHARACTERS,
                )
            )
        if parent.tag in _TEXT:
            if parent.children and isinstance(parent.children[-1], str):
                parent.children[-1] += data
            else:
                parent.children.append(data)
        elif data.strip():
            raise parent.error(tr("cannot contain text, but has {data!r}", data=data.strip()[:40]))

    def refuse(*_: object) -> None:
        raise DataError(Problem(tr("a DOCTYPE is not allowed"), template))

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
        raise DataError(
            Problem(
                tr("the XML is not well-formed near <{tag}>: {reason}", tag=last.tag, reason=reason),
                last.file,
                last.line,
            )
        ) from error
    finally:
        # Break the reference cycle between parser and handler, which would keep the whole tree in memory.
        parser.StartElementHandler = None
    return root.nodes()[0]


def collapse_spaces(text: str, *, verbatim: bool = False) -> str:
    """Replace white space by single spaces, and remove line breaks between Japanese letters.

    Apostrophes, minus signs and ellipses become typographic, except in `verbatim` text, such as a command.
    """
    if "\n" in text and not text.isascii():
        text = _BREAK_IN_JAPANESE.sub("", text)
    # Fast path for most texts, which are already on one line.
    plain = text if text.isprintable() and "  " not in text else _WHITE.sub(" ", text)
    return plain if verbatim else typeset(plain)


def _check_lengths(node: Node) -> None:
    """Raise an error if a text is so long that breaking it into lines would take too much time."""
    inline = [isinstance(child, str) or child.tag in INLINE for child in node.children]
    for together, run in groupby(zip(inline, node.children, strict=True), key=itemgetter(0)):
        text = (
            "".join(child if isinstance(child, str) else text_content(child) for _, child in run) if together else ""
        )
        if len(text) > MAX_PARAGRAPH:
            raise node.error(
                tr("has a paragraph of more than {most_said:,} characters", most_said=MAX_PARAGRAPH),
                tr("split the paragraph"),
            )
        if len(text) > MAX_WORD and _WORD.search(text):
            raise node.error(
                tr("has a word of more than {most_word:,} letters", most_word=MAX_WORD), tr("add spaces to the word")
            )


def text_content(node: Node) -> str:
    """Return the text of an element, including the text of nested elements."""
    return "".join(child if isinstance(child, str) else text_content(child) for child in node.children)


def _check_element(node: Node, parent: Node) -> None:
    if node.tag not in _TAGS:
        raise node.error(tr("is not a known tag"), near(node.tag, sorted(_TAGS)))
    for name, given in node.attributes.items():
        if len(given) > _MAX_ATTRIBUTE:
            raise node.error(
                tr("{name} has more than {most_given:,} characters", name=name, most_given=_MAX_ATTRIBUTE)
            )
        accepted = _TAGS[node.tag]
        if name not in accepted:
            hint = tr("accepted: {accepted}", accepted=[*accepted]) if accepted else tr("no attributes are allowed")
            raise node.error(tr('has no attribute "{name}"', name=name), hint)
    within = _WITHIN.get(node.tag)
    if within and parent.tag not in within:
        root = tr("put this element inside the root element")
        hint = tr("put this element inside {tags}", tags=joined(within, " or ", "か")) if any(within) else root
        raise node.error(tr("is not allowed inside <{tag}>", tag=parent.tag), hint)
    if not parent.tag and node.tag != "sheet":
        raise node.error(tr("cannot be the root element"), tr("the root of a template is <sheet>"))
    only = _ONLY.get(parent.tag)
    if only and node.tag not in only:
        raise node.error(
            tr("is not allowed inside <{tag}>", tag=parent.tag),
            tr("the enclosing element can contain only {only}", only=[*only]),
        )
    if node.tag in BLOCKS and parent.tag not in _FLOWING and not only:
        raise node.error(
            tr("is not allowed inside <{tag}>", tag=parent.tag),
            tr("the enclosing element can contain only text and {inline}", inline=[*INLINE]),
        )
