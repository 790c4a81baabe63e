"""Read and write the body of scenario files, with the log of the draw."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec.structs import asdict, replace

from generator.common.interpretations import Ruling
from generator.common.ownership import OWNERS, with_ownership
from generator.common.tables import shared_words
from generator.errors import DataError, Problem, accepted_words, near, nearest
from generator.localization import tr
from generator.model.scenario import Origin, Scenario
from generator.model.words import LANGS, Words, in_words, joined, same
from generator.notation import text
from generator.notation.envelope import FILE_HINT, Head, file_fault
from generator.notation.text import folded, invisible_fault, name_fault
from generator.notation.toml import Source
from generator.notation.validation import LONGEST, KeyPath, TextLine, name_text
from generator.rules import Fault
from generator.store.folders import shipped_path

Short = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$", description="one line without tabs")]
UNIT_NAME_LIMIT = 24
UnitName = Annotated[Words | str, name_text(UNIT_NAME_LIMIT, optional=True)]
"""A user's name for a unit, in both languages or as one text for both; empty if the unit has no name."""
NAMELESS = Words("", "")
ID_LIMIT = 6
_SAYS_WORDS = r"[^\W\d_]{3}|[\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]{2}"
"""Matches an id that is a word: three letters or two Japanese characters in a row. An id of that kind does not fit on
a counter."""
Number = Annotated[int, msgspec.Meta(ge=0, le=99)]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


NAME_LIMIT, NOTE_LIMIT = 80, 2000
"""The maximum number of characters of a drawn map's name and note, in each language."""


class MapHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The name, source and note of a drawn map or board."""

    name: Words
    """The name, at most 80 characters in each language."""
    source: Literal["house", "own"] = "own"
    """Who made the file; `"house"` applies only while the values equal a shipped file."""
    note: Words = Words("", "")
    """Advice to the players on the terrain."""


D = TypeVar("D", bound=MapHead)
G = TypeVar("G")
T = TypeVar("T")


class NamedGround(msgspec.Struct, Generic[G], frozen=True):
    """A drawn map, board or arena with its name and a note about its terrain."""

    name: Words
    note: Words
    source: Literal["house", "own"]
    ground: G


def near_cell(name: str, find: Callable[[str], object], known: str) -> str:
    """Return a hint with the right spelling of a cell's name, or else the hint `known`."""
    plain = unicodedata.normalize("NFKC", name).strip()
    meant = next((spelt for spelt in (plain.upper(), plain.lower()) if find(spelt) is not None), "")
    return tr("did you mean {word}?", word=meant) if meant else known


class GroundFiles(Generic[D, G]):
    """The drawn maps, boards or arenas of a game: those shipped in a folder of its data, and users' own."""

    def __init__(self, game: str, folder: str, form: type[D], build: Callable[[D, Source], G]) -> None:
        self.form, self._game, self._folder, self._build = form, game, folder, build

    def lies(self, name: str) -> Path:
        """Return the path of a shipped file, given its name."""
        return shipped_path("data") / self._game / self._folder / f"{name}.toml"

    def house(self) -> Mapping[str, NamedGround[G]]:
        """Return the shipped ones, by the names of their files."""
        return self._house

    def find_name(self, text: str) -> str:
        """Return the name of the shipped file with this name or title, in either language; empty if there is none."""
        wanted = folded(text)
        titles = ((name, house.name) for name, house in self.house().items())
        return next((name for name, title in titles if wanted in {*map(folded, (name, title.en, title.ja))}), "")

    def shipped_as(self, ground: G) -> NamedGround[G] | None:
        """Return the shipped one with this terrain, whatever its name; None if there is none."""
        return next((house for house in self.house().values() if house.ground == ground), None)

    def load(self, path: Path) -> NamedGround[G]:
        """Read a file; raises DataError with every fault and its line."""
        return self.read(Source.open(path))

    def read(self, source: Source) -> NamedGround[G]:
        """Read a TOML text; raises DataError with every fault."""
        return with_ownership(self._read(source), source, self.house().values(), "own")

    @cached_property
    def _house(self) -> Mapping[str, NamedGround[G]]:
        files = sorted((shipped_path("data") / self._game / self._folder).glob("*.toml"))
        return {path.stem: self._read(Source.open(path, f"{self._folder}/{path.name}")) for path in files}

    def _read(self, source: Source) -> NamedGround[G]:
        of, reading = source.read(self.form), FileReader(source)
        for key, limit, words in (("name", NAME_LIMIT, of.name), ("note", NOTE_LIMIT, of.note)):
            if any(len(words[lang]) > limit for lang in LANGS):
                reading.fault((key,), tr("has more than {limit} characters", limit=limit))
        for fault in dict.fromkeys(invisible_fault(of.name[lang]) for lang in LANGS):
            if fault:
                reading.fault(("name",), fault)
        reading.done()
        return NamedGround(of.name, of.note, of.source, self._build(of, source))


class OwnersFile(Generic[T]):
    """A type of file of which one ships and users may bring their own: charts, an army, a deck."""

    def __init__(self, path: str, build: Callable[[Source], T], owner_word: str = OWNERS[0]) -> None:
        self.path, self._build, self._owner_word = path, build, owner_word

    def house(self) -> T:
        """Return the content of the shipped file."""
        return self._house

    def load(self, path: Path | None = None) -> T:
        """Return the content of a user's file, or of the shipped one; raises DataError with every fault."""
        return self.read(Source.open(path)) if path else self.house()

    def read(self, source: Source) -> T:
        """Return the content of a TOML text; raises DataError with every fault, in the order of the lines."""
        return with_ownership(self._build(source), source, [self.house()], self._owner_word)

    @cached_property
    def _house(self) -> T:
        return self._build(Source.open(shipped_path("data") / self.path))


Cell = TypeVar("Cell")


class Field(Protocol[Cell]):
    """Hexes or squares that have names."""

    @property
    def cells(self) -> Sequence[Cell]:
        """Every cell."""

    def find(self, name: str) -> Cell | None:
        """Return the cell with this name; None if there is none."""

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""

    def row(self, row: int) -> Sequence[Cell]:
        """Return the cells of a row, counted from 0 at the near edge."""


class Drawable(Protocol):
    """A terrain that drawings show by a symbol."""

    @property
    def id(self) -> str:
        """Its id in the game."""

    @property
    def name(self) -> Words:
        """Its name in both languages."""


def drawn_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""Return the symbols of each drawn line with the line's number, counted from 0; empty lines are left out.

    >>> drawn_lines("f h\n\n o o")
    [(0, ['f', 'h']), (2, ['o', 'o'])]
    """
    return [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]


class FileReader:
    """Reads a file, or its table at a key, and notes every fault with its line."""

    def __init__(self, source: Source, at: KeyPath = ()) -> None:
        self.source, self.at = source, at
        self.problems: list[Problem] = []
        self._ids: dict[str, str] = {}

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault at that key."""
        self.problems.append(self.source.problem((*self.at, *keys), message, hint))

    def read(self, kind: type[T]) -> T:
        """Return the file as a value of that type; raises DataError with its faults and those noted before."""
        try:
            return self.source.read(kind)
        except DataError as error:
            self.problems += error.problems
            self.done()
            raise

    def done(self) -> None:
        """Raise DataError with the noted faults in the order of their lines, if there are any."""
        DataError.raise_if_any(sorted(self.problems, key=lambda problem: problem.line))

    def title(self, text: Words | str) -> Words:
        """Return the title in both languages; note its faults."""
        title = in_words(text)
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS):
            if fault:
                self.fault(("play", "title"), fault)
        return title

    def one_of(self, keys: KeyPath, word: str, known: Iterable[str]) -> str:
        """Return a word; note a fault if it is not a known one."""
        accepted = list(known)
        if word not in accepted:
            self.fault(keys, tr("no {key} {word!r}", key=keys[-1], word=word), near(word, accepted))
        return word

    def keys(self, at: KeyPath, table: Iterable[str], wanted: Iterable[str]) -> None:
        """Note a fault for each missing or unknown key of a table."""
        there, accepted = list(table), list(wanted)
        for key in there:
            if key not in accepted:
                self.fault((*at, key), tr("is not a known key"), near(key[:LONGEST], accepted))
        for key in accepted:
            if key not in there:
                self.fault(at, tr("`{key}` is missing", key=key))

    def rulings(self, choices: Mapping[str, str], switches: Mapping[str, Ruling]) -> None:
        """Note a fault for each unknown switch and choice."""
        for name, choice in choices.items():
            at = ("rulings", name)
            if name not in switches:
                self.fault(at, tr("no such ruling"), near(name, switches))
            elif choice not in (known := [c.id for c in switches[name].choice]):
                self.fault(at, tr("this ruling has no choice {choice!r}", choice=choice), near(choice, known))

    def cell(self, keys: KeyPath, name: str, field: Field[Cell], what: str) -> Cell | None:
        """Return the cell with this name; None, with a fault noted, if there is none."""
        cell = field.find(name)
        if cell is None:
            known = tr("{first} to {last}", first=field.name(field.cells[0]), last=field.name(field.cells[-1]))
            self.fault(keys, tr("no {what} {name!r}", what=what, name=name), near_cell(name, field.find, known))
        return cell

    def ground(self, text: str, field: Field[Cell], terrain: Mapping[str, Drawable], what: str) -> dict[Cell, str]:
        """Return the terrain of every cell of the drawing at the key `rows`, whose first line is the far row."""
        lines = drawn_lines(text)
        accepted = accepted_words(
            [tr("{symbol} {name}", symbol=symbol, name=of.name.low) for symbol, of in terrain.items()]
        )
        ground: dict[Cell, str] = {}
        for row, (number, symbols) in zip(reversed(range(len(lines))), lines, strict=True):
            cells, at = field.row(row), ("rows", TextLine(number))
            if len(symbols) != len(cells):
                self.fault(
                    at,
                    tr(
                        "row {row} has {count} {what}, but needs {needed}",
                        row=row + 1,
                        count=len(symbols),
                        what=what,
                        needed=len(cells),
                    ),
                )
            for cell, symbol in zip(cells, symbols, strict=False):
                if symbol in terrain:
                    ground[cell] = terrain[symbol].id
                else:
                    self.fault(
                        at,
                        tr("{name}: no terrain has the symbol {symbol!r}", name=field.name(cell), symbol=symbol[:8]),
                        accepted,
                    )
        return ground

    def unit_id(self, at: KeyPath, raw: str, ours: str, name: Words | str) -> tuple[str, Words]:
        """Return the id and the user's name of a unit, whose row is at that key.

        `ours` is used if the row has no id. An id that is a word becomes the name, since it does
        not fit on counters and maps.
        """
        label = in_words(name)
        if len(raw) <= ID_LIMIT and not re.search(_SAYS_WORDS, raw):
            return raw or ours, label
        if raw in self._ids:
            self.fault((*at, "id"), tr("the id {name} is used twice", name=raw))
        elif label == NAMELESS and (fault := name_fault(raw, UNIT_NAME_LIMIT)):
            self.fault((*at, "id"), fault)
        self._ids[raw] = ours
        return ours, same(raw) if label == NAMELESS else label

    def by_id(self, text: str) -> str:
        """Return a text of the file with the names of units that the file uses as ids replaced by their ids."""
        return self._ids.get(text) or re.sub(r"[^\s>]+", lambda found: self._ids.get(found[0], found[0]), text)

    def once(self, ids: Iterable[tuple[KeyPath, str]]) -> None:
        """Note a fault for each id that is used twice in the file, on either side; each id comes with its key."""
        seen: set[str] = set()
        for at, name in ids:
            if name in seen:
                self.fault(at, tr("the id {id} is used twice", id=name))
            seen.add(name)

    def ids(self, at: KeyPath, ids: list[str]) -> None:
        """Note a fault for each id that is used twice in the rows of one table."""
        for i, name in enumerate(ids):
            if ids.count(name) > 1:
                self.fault((*at, i, "id"), tr("the id {name} is used twice", name=name))


def accompanying_file(option: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """Return the path of the user's file that a scenario was drawn with: in the scenario's folder, unchanged.

    Returns None if the option named no file; raises DataError if the file is missing or changed.
    """
    if option not in origin.files:
        return None
    wanted = origin.files[option]
    if fault := file_fault(wanted, folder):
        raise DataError(source.problem(("muster", "files", option), fault, FILE_HINT))
    return folder / Path(wanted.name).name


def head(scenario: Scenario) -> dict[str, Any]:
    """Return the origin and the title of a scenario in the JSON form."""
    origin = scenario.origin
    return {
        "game": origin.game,
        "code": origin.code,
        "version": origin.version,
        "wishes": dict(origin.options),
        "files": {w: {"name": f.name, "sha256": f.sha256} for w, f in origin.files.items()},
        "title": asdict(scenario.title),
    }


def name_in_file(name: Words) -> object:
    """Return a user's name as a file has it: one text if both languages are the same."""
    return name.en if name.en == name.ja else asdict(name)


class Labelled:
    """A mix-in for units, which have an id and may have a name given by the user."""

    __slots__ = ()
    id: str
    name: Words

    @property
    def label(self) -> Words:
        """The id, followed by the user's name if there is one."""
        return unit_label(self.id, self.name)


def unit_label(id_: Words | str, name: Words) -> Words:
    """Return a unit's id or kind, followed by the user's name if there is one."""
    return shared_words()["called"]["unit"].fill(id=id_, name=name) if name != NAMELESS else in_words(id_)


STEP_LIMIT, RESULT_LIMIT = 1000, 100
"""Limits of a log's steps and of a step's results, so that an endless file is refused early."""


class Step(msgspec.Struct, frozen=True):
    """One step of a draw."""

    what: str
    """The kind of step: a key of [step] in the game's words.toml."""
    who: str | None
    """The side it was drawn for."""
    stream: str
    """The random stream it was drawn from; empty if the choice was an option or follows from the rules."""
    result: tuple[str, ...]

    @property
    def evidence(self) -> tuple[str, str | None, tuple[str, ...]]:
        """The part of the step that the scenario itself must confirm."""
        return self.what, self.who, self.result


class StepRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the draw."""

    step: Short
    """The kind of step."""
    result: Annotated[tuple[Short, ...], msgspec.Meta(max_length=RESULT_LIMIT)] = ()
    """The result of the step."""
    who: Short = ""
    """The side that the step belongs to; left out for both."""
    stream: Short = ""
    """The random stream of the step; empty if a player chose the result or it follows from the rules."""


Log = Annotated[tuple[StepRow, ...], msgspec.Meta(max_length=STEP_LIMIT)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The part of a scenario file that all games share."""

    muster: Head
    """The game and the origin of the scenario."""
    rulings: dict[str, str] = {}
    """A choice for each ruling; rulings that are left out have their defaults."""
    log: Log = ()
    """The steps of the draw."""


def log_lines(log: Iterable[Step]) -> list[str]:
    """Return the [[log]] tables of a scenario file."""
    lines = []
    for step in log:
        row: dict[str, object] = {"step": step.what}
        row |= {"who": step.who} if step.who else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *text.lines(row | {"result": step.result})]
    return lines


def steps(reading: FileReader, log: Log, known: Iterable[str]) -> tuple[Step, ...]:
    """Return the log; note a fault for each step drawn for a side that is not among the `known` ones."""
    sides = list(dict.fromkeys(known))
    for number, row in enumerate(log):
        if row.who and row.who not in sides:
            reading.fault(
                ("log", number, "who"), tr("there is no side named {who!r}", who=row.who), near(row.who, sides)
            )
    return tuple(Step(row.step, row.who or None, row.stream, tuple(map(reading.by_id, row.result))) for row in log)


def exported(log: Iterable[Step]) -> list[dict[str, Any]]:
    """Return the log in the JSON form."""
    return [{"step": s.what, "who": s.who, "stream": s.stream, "result": list(s.result)} for s in log]


def false_steps(
    log: Iterable[Step],
    known: Iterable[str],
    evidence: Iterable[tuple[str, str | None, tuple[str, ...]]],
    *,
    describe: Callable[[Step], Words] | None = None,
    apart: Container[str] = (),
    loose: Container[str] = (),
) -> Iterator[Fault]:
    """Yield a fault for each unknown step (reason `unknown`) and each step that the scenario contradicts (`false`).

    `describe` returns a step in words. Steps of the kinds in `apart` are checked by other rules. For the kinds in
    `loose`, the order of the results does not matter.
    """

    def plain(of: tuple[str, str | None, tuple[str, ...]]) -> tuple[str, str | None, tuple[str, ...]]:
        what, who, result = of
        return (what, who, tuple(sorted(result))) if what in loose else of

    known, evidence = set(known), list(dict.fromkeys(evidence))
    borne_out = set(map(plain, evidence))
    for number, step in enumerate(log, 1):
        if step.what in apart:
            continue
        if step.what not in known:
            at, suggested_fix = ("log", number - 1, "step"), _spelt(step.what, known)
            yield Fault(f"log {number}", "unknown", {"step": step.what}, at=at, suggested_fix=suggested_fix)
        elif plain(step.evidence) not in borne_out:
            description = (
                describe(step) if describe else same(" ".join(filter(None, (step.what, step.who, *step.result))))
            )
            suggested_fix = _borne_out(step, evidence)
            yield Fault(
                f"log {number}", "false", {"step": description}, at=("log", number - 1), suggested_fix=suggested_fix
            )


def _spelt(step: str, known: Iterable[str]) -> str:
    """Return the line with the known step that a mistyped one is near to; empty if there is none."""
    meant = nearest(step, known)
    return "\n".join(text.lines({"step": meant})) if meant else ""


def _borne_out(step: Step, evidence: Iterable[tuple[str, str | None, tuple[str, ...]]]) -> str:
    """Return the step as the scenario shows it, if it shows exactly one of that kind and side; else an empty text."""
    right = [result for what, who, result in evidence if (what, who) == (step.what, step.who)]
    return step_text(replace(step, stream="", result=right[0])) if len(right) == 1 else ""


def step_text(step: Step) -> str:
    """Return a step as a table of the file."""
    return "\n".join(log_lines([step])[1:])


def checklist(
    log: Iterable[Step], describe: Callable[[Step], Words], side: Callable[[str], Words]
) -> list[dict[str, object]]:
    """Return a log for a sheet: consecutive steps of a side form one group, each in words.

    A group has boxes to tick, unless its steps come from a search for a fair scenario, which players do not repeat.
    """
    groups: list[tuple[tuple[str | None, bool], list[Words]]] = []
    for step in log:
        head = step.who, step.what not in shared_words()["fair_step"]
        if not groups or groups[-1][0] != head:
            groups.append((head, []))
        groups[-1][1].append(describe(step))
    return [
        {"who": side(who) if who else same(""), "ticked": ticked, "steps": lines} for (who, ticked), lines in groups
    ]


def step_words(step: Step, by: Mapping[str, Words], call: Callable[[str], Words], missing: str = "") -> Words:
    """Return a step in words; an unknown step is described by its name and result.

    `by` has the words for each kind of step, `call` returns the name of a part of its result. If `missing` is among
    the parts, the words of the kind's `…_none` are used if there are any.
    """
    result = [call(part) for part in step.result]
    what = f"{step.what}_none" if missing in step.result and f"{step.what}_none" in by else step.what
    if what not in by:
        return joined([same(what), *result])
    try:
        return Words(
            by[what].en.format(*(r.en for r in result), result=" ".join(r.en for r in result)),
            by[what].ja.format(*(r.ja for r in result), result="・".join(r.ja for r in result)),
        )
    except IndexError:  # a hand-written step with fewer results than its words need
        return joined([same(what), *result])
