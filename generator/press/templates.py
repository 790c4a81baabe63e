"""Templates and the words they print.

Compiled templates, kept in the user's cache: compiling them takes longer than printing with them.

The strict little markup of the sheets: which tags there are, and reading it into nodes.

Every start tag carries the place in the template that wrote it (see `_Places`),
so that a slip is reported where a person can mend it, through loops, macros and includes.

Templates and the words they print: Jinja2 in a sandbox, with every place kept for error messages.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol
from xml.parsers import expat

import jinja2
from jinja2.bccache import Bucket, BytecodeCache
from jinja2.ext import Extension
from jinja2.meta import find_referenced_templates
from msgspec import Struct, field

from generator.errors import CannotWriteError, DataError, Problem, near, near_or
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.notation.text import shown
from generator.notation.toml import Source
from generator.press import sandbox
from generator.press.sandbox import FILTERS, Owned, Sandbox, UnknownError, listed
from generator.said import each, joined, say, theirs
from generator.store.folders import cached, is_file, shipped
from generator.store.json_files import TOO_DEEP, deep_template
from generator.store.write import write

_DIGEST = 32


class Compiled(BytecodeCache):
    """One file a template, which counts only while the template and what compiles it stay as they were.

    A cache that cannot be read or written, or holds anything else, is as good as an empty one.
    """

    def __init__(self, *compilers: Path) -> None:
        recipe = hashlib.sha256(jinja2.__version__.encode())
        for module in compilers:
            recipe.update(module.read_bytes())
        self.recipe = recipe.hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """Of the template and of what compiles it."""
        return super().get_source_checksum(self.recipe + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """As Jinja2 asks; the digest in front keeps damaged code away from the interpreter."""
        try:
            content = self._file(bucket).read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            bucket.bytecode_from_string(content[_DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """As Jinja2 asks."""
        content = bucket.bytecode_to_string()
        try:
            write(self._file(bucket), hashlib.sha256(content).digest() + content)
        except CannotWriteError:
            return

    def _file(self, bucket: Bucket) -> Path:
        return cached() / "templates" / bucket.key


PLACE = "_place"

INLINE: Mapping[str, tuple[str, ...]] = {"b": (), "br": (), "c": ("colour",)}
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "h1": ("align",),
    "h2": ("align",),
    "h3": ("align",),
    "label": ("align",),
    "lead": ("align",),
    "para": ("align", "bold", "quiet", "tight"),
    "small": ("align", "bold", "quiet", "tight"),
    "note": ("frame",),
    "ul": (),
    "ol": ("from",),
    "table": ("cols", "head", "rules", "zebra", "pad", "side", "size", "row", "align", "valign"),
    "columns": ("gap", "rules"),
    "keep": (),
    "nextPage": (),
    "spacer": ("h",),
    "spring": (),
    "rule": ("weight",),
    "figure": ("name", "part", "width", "height", "align"),
    "icons": ("names", "size", "gap", "align"),
    "qr": ("text", "size", "align"),
    "boxes": ("n", "size", "group", "align", "quiet", "name"),
    "track": ("from", "to", "goal", "label", "size", "name"),
    "field": ("label", "lines", "height", "kind", "name"),
    "ruler": (),
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "sheet": (),
    "li": (),
    "tr": ("bold",),
    "td": ("align", "valign", "span", "bold", "colour", "quiet", "size", "write", "name"),
    "col": ("weight",),
}
_TAGS = {**INLINE, **BLOCKS, **PARTS}
_WITHIN = {"li": ("ul", "ol"), "tr": ("table",), "td": ("tr",), "col": ("columns",), "sheet": ("",)}
_ONLY = {"ul": ("li",), "ol": ("li",), "table": ("tr",), "tr": ("td",), "columns": ("col",)}
_TEXT = {"sheet", "note", "li", "td", "col", "keep", "h1", "h2", "h3", "label", "lead", "para", "small", *INLINE} - {
    "br"
}
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

_BREAK_IN_JAPANESE = re.compile(r"(?<=[\u3000-\uffef])[ \t]*\n\s*(?=[\u3000-\uffef])")
_WHITE, _NUMBER, _COLOUR = re.compile(r"[ \t\r\n]+"), re.compile(r"[0-9]+(\.[0-9]+)?"), re.compile("#[0-9a-fA-F]{6}")


class Node(Struct):
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
        return DataError(Problem(say("<{tag}> {message}", tag=self.tag, message=message), self.file, self.line, hint))

    def number(self, name: str, default: float, low: float = 0.0, high: float = 1000.0) -> float:
        """An attribute as a number within bounds."""
        text = self.attributes.get(name)
        if text is None:
            return default
        if not _NUMBER.fullmatch(text) or not low <= float(text) <= high:
            raise self.wrong(
                say(
                    '{name}="{text}" is not a number from {low:g} to {high:g}',
                    name=name,
                    text=text,
                    low=low,
                    high=high,
                )
            )
        return float(text)

    def choice(self, name: str, accepted: tuple[str, ...], default: str = "") -> str:
        """An attribute that takes one of a few words."""
        text = self.attributes.get(name)
        if text is None:
            return default or accepted[0]
        if text not in accepted:
            raise self.wrong(say('{name}="{text}" is not known', name=name, text=text), near(text, accepted))
        return text

    def colour(self, default: str = "#000000") -> str:
        """The colour attribute, `#rrggbb`."""
        value = self.attributes.get("colour")
        if value is None:
            return default
        if not _COLOUR.fullmatch(value):
            raise self.wrong(say('colour="{value}" is no colour', value=value), "write #rrggbb")
        return value

    def yes(self, name: str) -> bool:
        """Whether a switch is on: `name="1"`."""
        return self.choice(name, ("0", "1")) == "1"


def parse(text: str, template: str) -> Node:
    """The root `sheet` of a rendered template; DataError with the template's file and line."""
    root = Node("", {}, template, 1)
    stack, begun = [root], [0]
    accepted = set[tuple[str, ...]]()

    nodes = letters = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal nodes
        place = attributes.pop(PLACE, None)
        file, _, line = (place or f"{template}|{parser.CurrentLineNumber}").rpartition("|")
        node = Node(tag, attributes, file, int(line) if line.isdecimal() else 0)
        nodes += 1
        if nodes > MOST_NODES:
            raise node.wrong(
                say("is one too many: a sheet has at most {most_nodes:,} elements", most_nodes=MOST_NODES)
            )
        if len(stack) > MOST_DEEP:
            raise node.wrong(
                say("is nested too deeply: at most {most_deep} elements within one another", most_deep=MOST_DEEP)
            )
        # A sheet has a few kinds of elements, again and again.
        kind = tag, stack[-1].tag, *attributes
        if kind not in accepted or max(map(len, attributes.values()), default=0) > _MOST_GIVEN:
            _accept(node, stack[-1])
            accepted.add(kind)
        stack[-1].children.append(node)
        stack.append(node)
        begun.append(letters)

    def end(_tag: str) -> None:
        node = stack.pop()
        if letters - begun.pop() > MOST_WORD and node.tag not in INLINE:
            _bearable(node)

    def characters(data: str) -> None:
        nonlocal letters
        parent = stack[-1]
        letters += len(data)
        if letters > MOST_LETTERS:
            raise parent.wrong(
                say(
                    "holds too much: a sheet has at most {most_letters:,} characters of text",
                    most_letters=MOST_LETTERS,
                )
            )
        if parent.tag in _TEXT:
            if parent.children and isinstance(parent.children[-1], str):
                parent.children[-1] += data
            else:
                parent.children.append(data)
        elif data.strip():
            raise parent.wrong(say("holds no text, but {data!r} stands in it", data=data.strip()[:40]))

    def refuse(*_: object) -> None:
        raise DataError(Problem(say("a DOCTYPE is not accepted"), template))

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
            Problem(say("not well-formed near <{tag}>: {reason}", tag=last.tag, reason=reason), last.file, last.line)
        ) from error
    finally:
        # It holds the parser, which holds it, and both the whole tree.
        parser.StartElementHandler = None
    return root.nodes()[0]


def squeeze(text: str) -> str:
    """White space as it prints: runs become one space, and none comes of a line break between ideographs."""
    if "\n" in text and not text.isascii():
        text = _BREAK_IN_JAPANESE.sub("", text)
    # Most texts are one line already.
    return text if text.isprintable() and "  " not in text else _WHITE.sub(" ", text)


def _bearable(node: Node) -> None:
    """Refuse a text that would take forever to be broken into lines."""
    inline = [isinstance(child, str) or child.tag in INLINE for child in node.children]
    for together, run in groupby(zip(inline, node.children, strict=True), key=itemgetter(0)):
        said = "".join(child if isinstance(child, str) else flat(child) for _, child in run) if together else ""
        if len(said) > MOST_SAID:
            raise node.wrong(
                say("holds a paragraph of more than {most_said:,} characters", most_said=MOST_SAID),
                say("part it into several"),
            )
        if len(said) > MOST_WORD and _WORD.search(said):
            raise node.wrong(
                say("holds a word of more than {most_word:,} letters", most_word=MOST_WORD), say("put spaces into it")
            )


def flat(node: Node) -> str:
    """The text in an element, elements within it and all."""
    return "".join(child if isinstance(child, str) else flat(child) for child in node.children)


def _accept(node: Node, parent: Node) -> None:
    if node.tag not in _TAGS:
        raise node.wrong(say("is no tag of ours"), near(node.tag, sorted(_TAGS)))
    for name, given in node.attributes.items():
        if len(given) > _MOST_GIVEN:
            raise node.wrong(say("{name} has more than {most_given:,} characters", name=name, most_given=_MOST_GIVEN))
        accepted = _TAGS[node.tag]
        if name not in accepted:
            hint = say("accepted: {accepted}", accepted=[*accepted]) if accepted else say("it takes none")
            raise node.wrong(say('has no attribute "{name}"', name=name), hint)
    within = _WITHIN.get(node.tag)
    if within and parent.tag not in within:
        root = say("it belongs in the root")
        hint = say("it belongs in {tags}", tags=joined(within, " or ", "か")) if any(within) else root
        raise node.wrong(say("stands in <{tag}>", tag=parent.tag), hint)
    if not parent.tag and node.tag != "sheet":
        raise node.wrong(say("is the root"), say("the root of a template is <sheet>"))
    only = _ONLY.get(parent.tag)
    if only and node.tag not in only:
        raise node.wrong(say("stands in <{tag}>", tag=parent.tag), say("that holds only {only}", only=[*only]))
    if node.tag in BLOCKS and parent.tag not in _FLOWING and not only:
        raise node.wrong(
            say("stands in <{tag}>", tag=parent.tag), say("that holds only text and {inline}", inline=[*INLINE])
        )


_START = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<!--.*?-->|<([A-Za-z]\w*)", re.DOTALL)
BASE = "base"
"""The folder of what the games' templates extend."""
_SAID = 300
"""As much of an error, in characters, as a message repeats; a template may write some of it."""


class Watch(Protocol):
    """Is told what is made of templates, by whoever must know it should that not end."""

    def begun(self, template: str) -> None:
        """A sheet of that template is filled and laid out from now on."""

    def loaded(self, file: str, lines: list[tuple[int, int]]) -> None:
        """A template's file is in use; `lines` pairs lines of it with those of its code."""


_watching: list[Watch] = []


def watch(watching: Watch) -> None:
    """Tell it of every sheet and template from now on."""
    _watching.append(watching)


class _Template(jinja2.Template):
    """A template that is watched."""

    @classmethod
    def from_code(cls, environment: Any, code: Any, *rest: Any) -> jinja2.Template:
        made = super().from_code(environment, code, *rest)
        for watching in _watching:
            watching.loaded(code.co_filename, made.debug_info)
        return made


class _Environment(Sandbox):
    """The sandbox whose templates are watched."""

    template_class = _Template


class _Depth(Extension):
    """Refuses a template that is nested too deeply, with its line, before anything that calls itself reads it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        if line := deep_template(source):
            raise jinja2.TemplateSyntaxError(TOO_DEEP, line, name, filename)
        return source


class _Places(Extension):
    """Writes its template and line into every start tag of a template's source."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        file = escape(_told(filename or "", name or "")).replace("{", "&#123;")
        line, counted = 1, 0

        def mark(match: re.Match[str]) -> str:
            nonlocal line, counted
            if match[1] is None:
                return match[0]
            line += source.count("\n", counted, match.start())
            counted = match.start()
            return f'{match[0]} {PLACE}="{file}|{line}"'

        return _START.sub(mark, source)


def _told(filename: str, name: str) -> str:
    """What a message calls a template: one of ours by its name, a person's own by its path."""
    return name if not filename or Path(filename).is_relative_to(shipped("templates")) else filename


@lru_cache(8)  # ours, and a user's folders
def _environment(folders: tuple[Path, ...]) -> _Environment:
    return _Environment(
        loader=jinja2.ChoiceLoader([*map(Owned, folders), jinja2.FileSystemLoader(shipped("templates"))]),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=Compiled(Path(__file__), Path(sandbox.__file__)),
        extensions=[_Depth, _Places],
    )


def render(template: str, values: Mapping[str, object], folders: tuple[Path, ...] = ()) -> str:
    """The template filled with values; `folders` come before the shipped one.

    DataError with its place, and the names or words there would be. A template reaches nothing but its values, yet
    one of a stranger's may run on and take all memory: fill it in `generator.press.jail`.
    """
    environment = _environment(folders)
    try:
        return environment.get_template(template).render(values)
    except (DataError, MemoryError):
        raise
    except jinja2.TemplateNotFound as error:
        hint = near(str(error.name), environment.list_templates())
        raise DataError(problem(say('no template "{name}"', name=error.name), error, template, hint)) from error
    except jinja2.TemplateSyntaxError as error:
        file = _told(error.filename or "", error.name or template)
        message = theirs(error.message) if error.message else say("syntax error")
        raise DataError(Problem(each(message, _short), file, error.lineno, _filters(message))) from error
    except RecursionError as error:
        raise DataError(problem(say("nested too deeply"), error, template)) from error
    except UnknownError as error:
        raise DataError(problem(theirs(str(error)), error, template, error.hint(values))) from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DataError(problem(theirs(str(error)), error, template)) from error
    except Exception as error:
        if not folders:
            raise
        raise DataError(problem(f"{type(error).__name__}: {error}", error, template)) from error


def problem(message: str, error: BaseException, template: str, hint: str = "") -> Problem:
    """A problem in the line of the innermost template that the error passed through."""
    *_, (file, line) = [("", 0), *_passed(error)]
    return Problem(each(message, _short), _told(file, template) if file else template, line, each(hint, _short))


def _passed(error: BaseException) -> Iterator[tuple[str, int]]:
    """The files and lines of templates that an error passed through; ours by their names."""
    trace = error.__traceback__
    while trace:
        known, code = trace.tb_frame.f_globals, trace.tb_frame.f_code
        if made := known.get("__jinja_template__"):
            yield called(code.co_filename), made.get_corresponding_lineno(trace.tb_lineno)
        elif "__jinja_exception__" in known:
            yield called(code.co_filename), trace.tb_lineno
        trace = trace.tb_next


def called(filename: str) -> str:
    """A template's file as messages call it."""
    file, ours = Path(filename), shipped("templates")
    return file.relative_to(ours).as_posix() if file.is_relative_to(ours) else filename


def _short(text: str) -> str:
    """A message on a single line, with no more in it than one reads."""
    plain = shown(" ".join(text[: 2 * _SAID].split()))
    return plain if len(plain) <= _SAID else f"{plain[:_SAID]}…"


def _filters(message: str) -> str:
    """The filters there are, where a message speaks of one that there is not."""
    match = re.match("No filter named '(.*)'", message)
    return near(match[1], FILTERS) if match else ""


@cache
def _ours() -> frozenset[str]:
    """The names of the shipped templates."""
    root = shipped("templates")
    return frozenset(path.relative_to(root).as_posix() for path in root.rglob("*.xml"))


def shared(names: Iterable[str]) -> list[str]:
    """The shipped templates of all games, those in base/, that these extend or take from."""
    ours, ahead, found = _environment(()), deque(names), list[str]()
    while ahead:
        text = (shipped("templates") / ahead.popleft()).read_text("utf-8")
        for name in find_referenced_templates(ours.parse(text)):
            if name and name.startswith(f"{BASE}/") and name not in found:
                found.append(name)
                ahead.append(name)
    return sorted(found)


def replaced(folder: Path) -> list[str]:
    """The shipped templates that a folder replaces; DataError where it replaces none."""
    ours = _ours()
    if found := sorted(name for name in ours if os.path.lexists(folder / name)):
        return found
    copies = say("`muster data templates -o {folder}` copies some there", folder=folder)
    hint = near_or(min(listed(folder), default=""), sorted(ours), copies)
    beside = (name.partition("/") for name in ours)
    if any(game == folder.name and is_file(folder / name) for game, _, name in beside):
        hint = say("name the folder above it: {parent}", parent=folder.parent)
    raise DataError(Problem(say("replaces no template"), str(folder), hint=hint))


def read_sheet(
    kit: Kit,
    sheet: Sheet,
    lang: Lang,
    folders: tuple[Path, ...] = (),
    printing: str = "",
    room: tuple[float, float] = (190.0, 268.0),
) -> Node:
    """The sheet's template, filled and read; DataError with its place.

    `printing` says how it is to be printed, `room` how wide and high a page's column is, in mm.
    """
    for watching in _watching:
        watching.begun(sheet.template)
    values: Mapping[str, object] = {
        **{key: spoken(value, lang) for key, value in sheet.view.items()},
        "w": words(sheet.template.rpartition("/")[0], lang),
        "lang": lang,
        "game": kit.game[lang],
        "kit_title": kit.title[lang],
        "stamp": kit.stamp,
        "title": sheet.title[lang],
        "side": sheet.side[lang] if sheet.side else "",
        "part": sheet.part,
        "printing": printing,
        "room": {"width": room[0], "height": room[1]},
    }
    return parse(render(sheet.template, values, folders), sheet.template)


@lru_cache(64)  # folders by languages
def words(folder: str, lang: Lang) -> Mapping[str, Any]:
    """data/words.toml and data/<folder>/words.toml as one nested mapping in one language."""
    merged: dict[str, Any] = {}
    for name in dict.fromkeys(("words.toml", Path(folder, "words.toml").as_posix())):
        path = shipped("data") / name
        if path.is_file():
            source = Source.open(path, f"data/{name}")
            _merge(merged, _spoken(source, source.data, (), lang))
    return merged


def _spoken(source: Source, value: object, keys: tuple[str | int, ...], lang: Lang) -> Any:
    if isinstance(value, list):
        return [_spoken(source, inner, (*keys, i), lang) for i, inner in enumerate(value)]
    if not isinstance(value, dict):
        raise DataError(source.problem(keys, say("is no text"), say("write {{ en = …, ja = … }}")))
    if value.keys().isdisjoint(LANGS):
        return {key: _spoken(source, inner, (*keys, key), lang) for key, inner in value.items()}
    if value.keys() != set(LANGS) or not all(isinstance(v, str) for v in value.values()):
        raise DataError(source.problem(keys, say("needs its text in en and in ja, and nothing else")))
    return value[lang]


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def spoken(value: object, lang: Lang) -> object:
    """A view's value with every Words in it in one language; mappings and sequences are followed."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Words):
        return value[lang]
    if type(value) is dict or isinstance(value, Mapping):
        return {key: spoken(inner, lang) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [spoken(inner, lang) for inner in value]
    raise TypeError(f"a view holds plain values and Words, not {type(value).__name__}")
