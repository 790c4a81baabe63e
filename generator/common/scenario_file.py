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
from generator.notation.text import name_fault, unseen
from generator.notation.toml import Source
from generator.notation.validation import LONGEST, KeyPath, TextLine, name_text
from generator.rules import Fault
from generator.store.folders import shipped_path

Short = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$", description="one line without tabs")]
UNIT_NAME_LIMIT = 24
UnitName = Annotated[Words | str, name_text(UNIT_NAME_LIMIT, optional=True)]
"""What a person calls a unit, in both languages or in one text for both; empty where nobody named it."""
NAMELESS = Words("", "")
ID_LIMIT = 6
_SAYS_WORDS = r"[^\W\d_]{3}|[\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]{2}"
"""Three letters or two Japanese ones in a row, which print no smaller than words do."""
Number = Annotated[int, msgspec.Meta(ge=0, le=99)]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


NAME_LIMIT, NOTE_LIMIT = 80, 2000
"""The most characters of a drawn map's name and note, in each language."""


class MapHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file with a drawn map or board says of it."""

    name: Words
    """What it is called; at most 80 characters in each language."""
    source: Literal["house", "own"] = "own"
    """Whose it is; `"house"` holds only while the values equal ours."""
    note: Words = Words("", "")
    """What the ground asks of the players."""


D = TypeVar("D", bound=MapHead)
G = TypeVar("G")
T = TypeVar("T")


class NamedGround(msgspec.Struct, Generic[G], frozen=True):
    """A drawn map, board or arena with its name and what its ground asks of the players."""

    name: Words
    note: Words
    source: Literal["house", "own"]
    ground: G


def near_cell(name: str, find: Callable[[str], object], known: str) -> str:
    """A hint at a cell that is not quite spelt as it should be, or else at what there is."""
    plain = unicodedata.normalize("NFKC", name).strip()
    meant = next((spelt for spelt in (plain.upper(), plain.lower()) if find(spelt) is not None), "")
    return tr("did you mean {word}?", word=meant) if meant else known


class GroundFiles(Generic[D, G]):
    """The drawn maps, boards or arenas of a game: those that ship in a folder of its data, and a person's own."""

    def __init__(self, game: str, folder: str, form: type[D], build: Callable[[D, Source], G]) -> None:
        self.form, self._game, self._folder, self._build = form, game, folder, build

    def lies(self, name: str) -> Path:
        """Where what ships by that name lies."""
        return shipped_path("data") / self._game / self._folder / f"{name}.toml"

    def house(self) -> Mapping[str, NamedGround[G]]:
        """What ships, by the names of the files."""
        return self._house

    def shipped_as(self, ground: G) -> NamedGround[G] | None:
        """What ships that has this ground, whatever it is called; None where none has."""
        return next((house for house in self.house().values() if house.ground == ground), None)

    def load(self, path: Path) -> NamedGround[G]:
        """Read a file; DataError names every fault with its line."""
        return self.read(Source.open(path))

    def read(self, source: Source) -> NamedGround[G]:
        """What a TOML text draws, with its name; DataError names every fault."""
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
        for fault in dict.fromkeys(unseen(of.name[lang]) for lang in LANGS):
            if fault:
                reading.fault(("name",), fault)
        reading.done()
        return NamedGround(of.name, of.note, of.source, self._build(of, source))


class OwnersFile(Generic[T]):
    """A kind of file of which one ships and a person may bring his own: charts, an army, a deck."""

    def __init__(self, path: str, build: Callable[[Source], T], owner_word: str = OWNERS[0]) -> None:
        self.path, self._build, self._owner_word = path, build, owner_word

    def house(self) -> T:
        """What ships."""
        return self._house

    def load(self, path: Path | None = None) -> T:
        """What a person's file holds, or what ships; DataError names every fault with its line."""
        return self.read(Source.open(path)) if path else self.house()

    def read(self, source: Source) -> T:
        """What a TOML text holds; DataError names every fault, in the order of its lines."""
        return with_ownership(self._build(source), source, [self.house()], self._owner_word)

    @cached_property
    def _house(self) -> T:
        return self._build(Source.open(shipped_path("data") / self.path))


Cell = TypeVar("Cell")


class Field(Protocol[Cell]):
    """Hexes or squares with names."""

    @property
    def cells(self) -> Sequence[Cell]:
        """Every cell."""

    def find(self, name: str) -> Cell | None:
        """The cell of that name."""

    def name(self, cell: Cell) -> str:
        """What a cell is called."""

    def row(self, row: int) -> Sequence[Cell]:
        """The cells of a row, the near one being 0."""


class Drawable(Protocol):
    """A terrain that stands in drawings by its symbol."""

    @property
    def id(self) -> str:
        """By which the game knows it."""

    @property
    def name(self) -> Words:
        """Its name, in both languages."""


def drawn_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""The symbols of each drawn line, with its number from 0; empty lines are left out.

    >>> drawn_lines("f h\n\n o o")
    [(0, ['f', 'h']), (2, ['o', 'o'])]
    """
    return [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]


class FileReader:
    """A file while it is read, or its table at a key: notes every fault with its line."""

    def __init__(self, source: Source, at: KeyPath = ()) -> None:
        self.source, self.at = source, at
        self.problems: list[Problem] = []
        self._ids: dict[str, str] = {}

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault at that key."""
        self.problems.append(self.source.problem((*self.at, *keys), message, hint))

    def read(self, kind: type[T]) -> T:
        """The file as a value of that type; DataError with its slips and everything noted before."""
        try:
            return self.source.read(kind)
        except DataError as error:
            self.problems += error.problems
            self.done()
            raise

    def done(self) -> None:
        """DataError with everything noted, in the order of lines."""
        DataError.raise_if_any(sorted(self.problems, key=lambda problem: problem.line))

    def title(self, text: Words | str) -> Words:
        """The title in both languages."""
        title = in_words(text)
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS):
            if fault:
                self.fault(("play", "title"), fault)
        return title

    def one_of(self, keys: KeyPath, word: str, known: Iterable[str]) -> str:
        """One of a few words."""
        accepted = list(known)
        if word not in accepted:
            self.fault(keys, tr("no {key} {word!r}", key=keys[-1], word=word), near(word, accepted))
        return word

    def keys(self, at: KeyPath, table: Iterable[str], wanted: Iterable[str]) -> None:
        """A table that must have these keys and no other."""
        there, accepted = list(table), list(wanted)
        for key in there:
            if key not in accepted:
                self.fault((*at, key), tr("is not a known key"), near(key[:LONGEST], accepted))
        for key in accepted:
            if key not in there:
                self.fault(at, tr("`{key}` is missing", key=key))

    def rulings(self, choices: Mapping[str, str], switches: Mapping[str, Ruling]) -> None:
        """Every switch and choice must be known."""
        for name, choice in choices.items():
            at = ("rulings", name)
            if name not in switches:
                self.fault(at, tr("no such ruling"), near(name, switches))
            elif choice not in (known := [c.id for c in switches[name].choice]):
                self.fault(at, tr("no choice {choice!r}", choice=choice), near(choice, known))

    def cell(self, keys: KeyPath, name: str, field: Field[Cell], what: str) -> Cell | None:
        """The cell of that name."""
        cell = field.find(name)
        if cell is None:
            known = tr("{first} to {last}", first=field.name(field.cells[0]), last=field.name(field.cells[-1]))
            self.fault(keys, tr("no {what} {name!r}", what=what, name=name), near_cell(name, field.find, known))
        return cell

    def ground(self, text: str, field: Field[Cell], terrain: Mapping[str, Drawable], what: str) -> dict[Cell, str]:
        """The terrain of every cell of a drawing at the key `rows`, by the symbols; its far row stands first."""
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
        """A unit's id and its owner's name for it, of a row at that key; `ours` where it has no id of its own.

        An id that says words is a name: counters and maps have no room for it.
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
        """What a file says of units, those that it calls by words by their ids."""
        return self._ids.get(text) or re.sub(r"[^\s>]+", lambda found: self._ids.get(found[0], found[0]), text)

    def once(self, ids: Iterable[tuple[KeyPath, str]]) -> None:
        """No id may stand twice in the file, of whichever side; each with its key."""
        seen: set[str] = set()
        for at, name in ids:
            if name in seen:
                self.fault(at, tr("the id {id} is used twice", id=name))
            seen.add(name)

    def ids(self, at: KeyPath, ids: list[str]) -> None:
        """No id may stand twice in a table's rows."""
        for i, name in enumerate(ids):
            if ids.count(name) > 1:
                self.fault((*at, i, "id"), tr("the id {name} is used twice", name=name))


def accompanying_file(option: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """The user's file that the scenario was drawn with; it lies beside the scenario, unchanged."""
    if option not in origin.files:
        return None
    wanted = origin.files[option]
    if fault := file_fault(wanted, folder):
        raise DataError(source.problem(("muster", "files", option), fault, FILE_HINT))
    return folder / Path(wanted.name).name


def head(scenario: Scenario) -> dict[str, Any]:
    """The JSON form of where a scenario comes from, and of its title."""
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
    """An owner's name as his file has it: one text where both languages have the same."""
    return name.en if name.en == name.ja else asdict(name)


class Labelled:
    """What has an id, and may have a name of its owner's."""

    __slots__ = ()
    id: str
    name: Words

    @property
    def label(self) -> Words:
        """Its id, and beside it the name that its owner gave it."""
        return unit_label(self.id, self.name)


def unit_label(id_: Words | str, name: Words) -> Words:
    """A unit by its id or kind, with the name behind it that its owner gave it."""
    return shared_words()["called"]["unit"].fill(id=id_, name=name) if name != NAMELESS else in_words(id_)


STEP_LIMIT, RESULT_LIMIT = 1000, 100
"""A runaway file gets its answer at once."""


class Step(msgspec.Struct, frozen=True):
    """One step of a draw."""

    what: str
    """A key of [step] in the game's words.toml."""
    who: str | None
    """The side it was drawn for."""
    stream: str
    """Empty where the choice was wished for or follows from the rules."""
    result: tuple[str, ...]

    @property
    def evidence(self) -> tuple[str, str | None, tuple[str, ...]]:
        """What the scenario itself must show of it."""
        return self.what, self.who, self.result


class StepRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step as a scenario file has it."""

    step: Short
    """What was drawn."""
    result: Annotated[tuple[Short, ...], msgspec.Meta(max_length=RESULT_LIMIT)] = ()
    """What came."""
    who: Short = ""
    """Whose step it was; left out, nobody's or both sides'."""
    stream: Short = ""
    """The random stream it was drawn from; empty where it was chosen, or follows from the rules."""


Log = Annotated[tuple[StepRow, ...], msgspec.Meta(max_length=STEP_LIMIT)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every game's scenario file holds beside what is its own."""

    muster: Head
    """Which game it is, and where the scenario comes from."""
    rulings: dict[str, str] = {}
    """A choice for each switch; the defaults where it is left out."""
    log: Log = ()
    """How it was drawn, step by step."""


def log_lines(log: Iterable[Step]) -> list[str]:
    """The tables [[log]] of a scenario file."""
    lines = []
    for step in log:
        row: dict[str, object] = {"step": step.what}
        row |= {"who": step.who} if step.who else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *text.lines(row | {"result": step.result})]
    return lines


def steps(reading: FileReader, log: Log, known: Iterable[str]) -> tuple[Step, ...]:
    """The log as read; whoever a step was drawn for must be one of the `known`, or nobody."""
    sides = list(dict.fromkeys(known))
    for number, row in enumerate(log):
        if row.who and row.who not in sides:
            reading.fault(("log", number, "who"), tr("there is no {who!r} here", who=row.who), near(row.who, sides))
    return tuple(Step(row.step, row.who or None, row.stream, tuple(map(reading.by_id, row.result))) for row in log)


def exported(log: Iterable[Step]) -> list[dict[str, Any]]:
    """The log in the JSON form."""
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
    """Steps that nobody knows (reason `unknown`), or that the scenario does not bear out (reason `false`).

    `told` says a step in words. Steps of the kinds `apart` are for rules of their own; of those that are `loose`, the
    order in which their results are told says nothing.
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
                f"log {number}", "false", {"told": description}, at=("log", number - 1), suggested_fix=suggested_fix
            )


def _spelt(step: str, known: Iterable[str]) -> str:
    """The step that a mistyped one is near to, as its line."""
    meant = nearest(step, known)
    return "\n".join(text.lines({"step": meant})) if meant else ""


def _borne_out(step: Step, evidence: Iterable[tuple[str, str | None, tuple[str, ...]]]) -> str:
    """The step as the scenario shows it, where it shows one of that kind and side alone."""
    right = [result for what, who, result in evidence if (what, who) == (step.what, step.who)]
    return step_text(replace(step, stream="", result=right[0])) if len(right) == 1 else ""


def step_text(step: Step) -> str:
    """A step as its table in the file."""
    return "\n".join(log_lines([step])[1:])


def checklist(
    log: Iterable[Step], describe: Callable[[Step], Words], side: Callable[[str], Words]
) -> list[dict[str, object]]:
    """A log as a sheet has it: consecutive steps of a side in one group, each in words.

    A group is ticked off, but for what a search for a fair scenario left: nobody does that at the table.
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
    """A step in words; one that nobody knows tells its name and result.

    `by` has each kind of step in words, `call` names a part of its result. Where `missing` stands among the parts,
    the kind's `…_none` is used if there is one.
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
    except IndexError:  # a hand-written step that says less than the words ask for
        return joined([same(what), *result])
