"""Read and write the body of scenario files, including the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec.structs import asdict, replace

from generator.common.interpretations import Ruling, defaults
from generator.common.ownership import OWNERS, with_ownership
from generator.common.tables import shared_words
from generator.errors import DataError, Problem, accepted_words, near, nearest
from generator.localization import tr
from generator.model.scenario import AdventureTexts, Origin, Scenario
from generator.model.words import LANGS, Words, in_words, joined, same
from generator.notation import text
from generator.notation.envelope import FILE_HINT, Head, file_fault
from generator.notation.text import find_word, folded, half_width, invisible_fault, name_fault
from generator.notation.toml import Source
from generator.notation.validation import LONGEST, KeyPath, TextLine, name_text, paragraphs_text
from generator.rules import Fault
from generator.store.folders import shipped_path

Short = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$", description="one line without tabs")]
UNIT_NAME_LIMIT = 24
UnitName = Annotated[Words | str, name_text(UNIT_NAME_LIMIT, optional=True)]
"""A user's name for a unit, as one text or in both languages. Empty if the unit has no name."""
NAMELESS = Words("", "")
ID_LIMIT = 6
_SAYS_WORDS = r"[^\W\d_]{3}|[\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]{2}"
"""Matches an id that is a word, with three letters or two Japanese characters in a row.

Words are too long for a counter.
"""
Number = Annotated[int, msgspec.Meta(ge=0, le=99)]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


NAME_LIMIT, NOTE_LIMIT = 80, 2000
"""The maximum number of characters of a map's name and note in each language."""


class PlayTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The texts of an adventure, as a scenario file of any game may have them."""

    briefing: Annotated[Words | str, paragraphs_text(NOTE_LIMIT)] = ""
    """The situation, in both languages or as one string for both; at most 2,000 characters, one line a paragraph."""
    special_rules: Annotated[Words | str, paragraphs_text(NOTE_LIMIT)] = ""
    """Special rules of this battle, written like the briefing. Muster prints them, and the players apply them."""

    @property
    def texts(self) -> AdventureTexts:
        """Both texts in both languages, without lines at their ends."""
        return AdventureTexts(_stripped(self.briefing), _stripped(self.special_rules))


def _stripped(text: Words | str) -> Words:
    words = in_words(text)
    return Words(words.en.strip(), words.ja.strip())


def text_lines(texts: AdventureTexts) -> list[str]:
    """Return the texts of an adventure as lines of the table [play]; none for missing texts."""
    lines: list[str] = []
    for name, words in asdict(texts).items():
        if words.en == words.ja:
            lines += text.lines({name: words.en}) if words.en else []
        else:
            # A line for each language, because a line of a scenario file has a limited length.
            lines += [f"{name}.{line}" for line in text.lines({lang: words[lang] for lang in LANGS})]
    return lines


class MapHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The name, owner and note at the beginning of a map or board file."""

    name: Words | str
    """The name, at most 80 characters: in both languages, or as one string for both."""
    source: Literal["house", "own"] = "own"
    """Who made the file; `"house"` applies only while the values equal a shipped file."""
    note: Words | str = ""
    """Advice to the players on the terrain, in both languages or as one string for both."""


D = TypeVar("D", bound=MapHead)
G = TypeVar("G")
T = TypeVar("T")


class NamedGround(msgspec.Struct, Generic[G], frozen=True):
    """A map, board or arena from a file, with its name and a note about its terrain."""

    name: Words
    note: Words
    source: Literal["house", "own"]
    ground: G


def find_cell(field: Field[Cell], name: str) -> Cell | None:
    """Return the cell with this name, or None if there is none. Case and full-width letters are ignored."""
    plain = half_width(name)
    found = (field.find(spelt) for spelt in (plain, plain.upper(), plain.lower()))
    return next((cell for cell in found if cell is not None), None)


class GroundFiles(Generic[D, G]):
    """The map, board or arena files of a game, both shipped and users' own."""

    def __init__(self, game: str, folder: str, form: type[D], build: Callable[[D, Source], G]) -> None:
        self.form, self._game, self._folder, self._build = form, game, folder, build

    def lies(self, name: str) -> Path:
        """Return the path of a shipped file."""
        return shipped_path("data") / self._game / self._folder / f"{name}.toml"

    def house(self) -> Mapping[str, NamedGround[G]]:
        """Return the content of the shipped files, keyed by name."""
        return self._house

    def find_name(self, text: str) -> str:
        """Return the name of the shipped file with this name or title, or an empty string if there is none.

        Titles are compared in both languages.
        """
        wanted = folded(text)
        titles = ((name, house.name) for name, house in self.house().items())
        return next((name for name, title in titles if wanted in {*map(folded, (name, title.en, title.ja))}), "")

    def shipped_as(self, ground: G) -> NamedGround[G] | None:
        """Return the shipped map with the same terrain, whatever its name, or None if there is none."""
        return next((house for house in self.house().values() if house.ground == ground), None)

    def load(self, path: Path) -> NamedGround[G]:
        """Read a file.

        Raises:
            DataError: If the file is faulty. The error lists every fault with its line.
        """
        return self.read(Source.open(path))

    def read(self, source: Source) -> NamedGround[G]:
        """Read a TOML text.

        Raises:
            DataError: If the text is faulty. The error lists every fault.
        """
        return with_ownership(self._read(source), source, self.house().values(), "own")

    @cached_property
    def _house(self) -> Mapping[str, NamedGround[G]]:
        files = sorted((shipped_path("data") / self._game / self._folder).glob("*.toml"))
        return {path.stem: self._read(Source.open(path, f"{self._folder}/{path.name}")) for path in files}

    def _read(self, source: Source) -> NamedGround[G]:
        of, reading = source.read(self.form), FileReader(source)
        name, note = in_words(of.name), in_words(of.note)
        for key, limit, words in (("name", NAME_LIMIT, name), ("note", NOTE_LIMIT, note)):
            if any(len(words[lang]) > limit for lang in LANGS):
                reading.fault((key,), tr("has more than {limit} characters", limit=limit))
        for fault in dict.fromkeys(invisible_fault(name[lang]) for lang in LANGS):
            if fault:
                reading.fault(("name",), fault)
        reading.done()
        return NamedGround(name, note, of.source, self._build(of, source))


class OwnersFile(Generic[T]):
    """A type of file with one shipped file, such as charts, an army or a deck.

    Users may supply their own file instead.
    """

    def __init__(self, path: str, build: Callable[[Source], T], owner_word: str = OWNERS[0]) -> None:
        self.path, self._build, self._owner_word = path, build, owner_word

    def house(self) -> T:
        """Return the content of the shipped file."""
        return self._house

    def load(self, path: Path | None = None) -> T:
        """Return the content of a user's file, or of the shipped file if there is no path.

        Raises:
            DataError: If the file is faulty. The error lists every fault.
        """
        return self.read(Source.open(path)) if path else self.house()

    def read(self, source: Source) -> T:
        """Return the content of a TOML text.

        Raises:
            DataError: If the text is faulty. The error lists every fault in the order of the lines.
        """
        return with_ownership(self._build(source), source, [self.house()], self._owner_word)

    @cached_property
    def _house(self) -> T:
        return self._build(Source.open(shipped_path("data") / self.path))


Cell = TypeVar("Cell")


class Field(Protocol[Cell]):
    """A set of hexes or squares that have names."""

    @property
    def cells(self) -> Sequence[Cell]:
        """All cells."""

    def find(self, name: str) -> Cell | None:
        """Return the cell with this name, or None if there is none."""

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""

    def row(self, row: int) -> Sequence[Cell]:
        """Return the cells of a row, counted from 0 at the near edge."""


class Drawable(Protocol):
    """A terrain that is drawn with a symbol."""

    @property
    def id(self) -> str:
        """The id of the terrain in its game."""

    @property
    def name(self) -> Words:
        """The name of the terrain in both languages."""


def drawn_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""Return the line number and the symbols of each line of a map, without empty lines. Numbers start at 0.

    >>> drawn_lines("f h\n\n o o")
    [(0, ['f', 'h']), (2, ['o', 'o'])]
    """
    return [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]


def standard_id(raw: str, ours: str) -> str:
    """Return an id in half-width characters.

    If the id has the same form as `ours` (the same letter, then digits), it also gets the case of `ours`.

    >>> standard_id("ｐ３", "P1"), standard_id("b1C", "B1a"), standard_id("x1", "P1"), standard_id("①", "P1")
    ('P3', 'B1c', 'x1', '①')
    """
    formed = re.fullmatch(r"([A-Za-z])([0-9]+[A-Za-z]?)", plain := half_width(raw))
    if not formed:
        return raw
    return ours[0] + formed[2].lower() if formed[1].upper() == ours[:1] else plain


class FileReader:
    """A reader for a file, or for one table of a file, that collects every fault with its line."""

    def __init__(self, source: Source, at: KeyPath = ()) -> None:
        self.source, self.at = source, at
        self.problems: list[Problem] = []
        self._ids: dict[str, str] = {}

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Record a fault at these keys."""
        self.problems.append(self.source.problem((*self.at, *keys), message, hint))

    def read(self, kind: type[T]) -> T:
        """Return the file as a value of this type.

        Raises:
            DataError: If the file is faulty. The error also lists the faults recorded before.
        """
        try:
            return self.source.read(kind)
        except DataError as error:
            self.problems += error.problems
            self.done()
            raise

    def done(self) -> None:
        """Raise an error if faults were recorded.

        Raises:
            DataError: If there are faults. The error lists them in the order of their lines.
        """
        DataError.raise_if_any(sorted(self.problems, key=lambda problem: problem.line))

    def title(self, text: Words | str) -> Words:
        """Return the title in both languages, and record any faults of the title."""
        title = in_words(text)
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS):
            if fault:
                self.fault(("play", "title"), fault)
        return title

    def one_of(self, keys: KeyPath, word: str, known: Iterable[str]) -> str:
        """Return the known word that matches a word of the file. Record a fault if there is none."""
        accepted = list(known)
        found = find_word(word, accepted)
        if found is None:
            self.fault(
                keys, tr("{word!r} is not a valid value for {key}", key=keys[-1], word=word), near(word, accepted)
            )
        return word if found is None else found

    def keys(self, at: KeyPath, table: Iterable[str], wanted: Iterable[str]) -> None:
        """Record a fault for each missing or unknown key of a table."""
        there, accepted = list(table), list(wanted)
        for key in there:
            if key not in accepted:
                self.fault((*at, key), tr("is not a known key"), near(key[:LONGEST], accepted))
        for key in accepted:
            if key not in there:
                self.fault(at, tr("`{key}` is missing", key=key))

    def rulings(self, choices: Mapping[str, str], switches: Mapping[str, Ruling]) -> dict[str, str]:
        """Return the choice for every switch, from the file or by default. Record a fault for each unknown one."""
        found = defaults(switches)
        for raw_name, raw_choice in choices.items():
            at = ("rulings", raw_name)
            name = find_word(raw_name, switches)
            if name is None:
                self.fault(at, tr("there is no ruling with this name"), near(raw_name, switches))
                continue
            known = [choice.id for choice in switches[name].choice]
            choice = find_word(raw_choice, known)
            if [find_word(other, switches) for other in choices].count(name) > 1:
                self.fault(at, tr("{name} appears twice", name=name))
            elif choice is None:
                message = tr("this ruling has no choice {choice!r}", choice=raw_choice)
                self.fault(at, message, near(raw_choice, known))
            else:
                found[name] = choice
        return found

    def cell(self, keys: KeyPath, name: str, field: Field[Cell], what: str) -> Cell | None:
        """Return the cell with this name. If there is none, record a fault and return None."""
        cell = find_cell(field, name)
        if cell is None:
            known = tr("{first} to {last}", first=field.name(field.cells[0]), last=field.name(field.cells[-1]))
            self.fault(keys, tr("there is no {what} {name!r}", what=what, name=name), known)
        return cell

    def by_cell(
        self, key: str, table: Mapping[str, T], field: Field[Cell], what: str
    ) -> Iterator[tuple[Cell | None, str, T]]:
        """Yield each cell of a table that is keyed by cells, with its key and value.

        An unknown cell is None. A fault is recorded for each unknown or repeated cell.
        """
        cells = {name: self.cell((key, name), name, field, what) for name in table}
        for name, cell in cells.items():
            if cell is not None and list(cells.values()).count(cell) > 1:
                self.fault((key, name), tr("{name} appears twice", name=field.name(cell)))
            yield cell, name, table[name]

    def ground(self, text: str, field: Field[Cell], terrain: Mapping[str, Drawable], what: str) -> dict[Cell, str]:
        """Return the terrain of every cell of the map at the key `rows`.

        Its first line is the row at the far edge.
        """
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
                    tr("separate the symbols with spaces") if any(len(symbol) > 1 for symbol in symbols) else "",
                )
            for cell, symbol in zip(cells, symbols, strict=False):
                if symbol in terrain:
                    ground[cell] = terrain[symbol].id
                else:
                    self.fault(
                        at,
                        tr("{name}: no terrain has the symbol {symbol!r}", name=field.name(cell), symbol=symbol[:8]),
                        tr("did you mean {word}?", word=meant)
                        if (meant := half_width(symbol).lower()) in terrain
                        else accepted,
                    )
        return ground

    def unit_id(self, at: KeyPath, raw: str, ours: str, name: Words | str) -> tuple[str, Words]:
        """Return the id and the user's name of a unit. `at` are the keys of the unit's row.

        The default id `ours` is used if the row has no id. An id that is a word becomes the unit's name, because
        words do not fit on counters and maps. The case of an id is adapted to `ours`, so `p1` becomes `P1`.
        """
        label = in_words(name)
        if len(raw) <= ID_LIMIT and not re.search(_SAYS_WORDS, raw):
            return standard_id(raw, ours) or ours, label
        if raw in self._ids:
            self.fault((*at, "id"), tr("the id {name} is used twice", name=raw))
        elif label == NAMELESS and (fault := name_fault(raw, UNIT_NAME_LIMIT)):
            self.fault((*at, "id"), fault)
        self._ids[raw] = ours
        return ours, same(raw) if label == NAMELESS else label

    def named_unit(self, raw: str, ids: Iterable[str]) -> str:
        """Return the id of the unit that a word of the file refers to, or the word itself if there is none."""
        known = self.by_id(raw)
        return find_word(known, ids) or known

    def by_id(self, text: str) -> str:
        """Return a text in which each unit name that the file uses as an id is replaced by the unit's id."""
        return self._ids.get(text) or re.sub(r"[^\s>]+", lambda found: self._ids.get(found[0], found[0]), text)

    def once(self, ids: Iterable[tuple[KeyPath, str]]) -> None:
        """Record a fault for each id that is used twice in the file, on the same side or on both.

        Each id comes with its keys.
        """
        seen: set[str] = set()
        for at, name in ids:
            if name in seen:
                self.fault(at, tr("the id {id} is used twice", id=name))
            seen.add(name)

    def ids(self, at: KeyPath, ids: list[str]) -> None:
        """Record a fault for each id that is used twice in one table."""
        for i, name in enumerate(ids):
            if ids.count(name) > 1:
                self.fault((*at, i, "id"), tr("the id {name} is used twice", name=name))


def accompanying_file(option: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """Return the path of the user's file that was used to make a scenario, or None if the option named no file.

    The file must be in the scenario's folder and unchanged.

    Raises:
        DataError: If the file is missing or was changed.
    """
    if option not in origin.files:
        return None
    wanted = origin.files[option]
    if fault := file_fault(wanted, folder):
        raise DataError(source.problem(("muster", "files", option), fault, FILE_HINT))
    return folder / Path(wanted.name).name


def head(scenario: Scenario) -> dict[str, Any]:
    """Return the origin and the title of a scenario as plain values for JSON."""
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
    """Return a user's name for a file, as a string if both languages are the same and as a table otherwise."""
    return name.en if name.en == name.ja else asdict(name)


class Labelled:
    """A mix-in for units that have an id and may have a name given by the user."""

    __slots__ = ()
    id: str
    name: Words

    @property
    def label(self) -> Words:
        """The id, followed by the user's name if the unit has one."""
        return unit_label(self.id, self.name)


def unit_label(id_: Words | str, name: Words) -> Words:
    """Return a unit's id or kind, followed by the user's name if the unit has one."""
    return shared_words()["called"]["unit"].fill(id=id_, name=name) if name != NAMELESS else in_words(id_)


STEP_LIMIT, RESULT_LIMIT = 1000, 100
"""The maximum number of steps in a log and of results in a step. A longer file is rejected early."""


class Step(msgspec.Struct, frozen=True):
    """A step in the generation of a scenario."""

    what: str
    """The kind of step, which is a key of [step] in the game's words.toml."""
    who: str | None
    """The side to which the step applies, or None."""
    stream: str
    """The random stream of the step. Empty if the result was an option or follows from the rules."""
    result: tuple[str, ...]

    @property
    def evidence(self) -> tuple[str, str | None, tuple[str, ...]]:
        """The kind, side and result, which the scenario itself must confirm."""
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
    """The random-number stream of the step; empty if a player chose the result or the rules determine it."""


Log = Annotated[tuple[StepRow, ...], msgspec.Meta(max_length=STEP_LIMIT)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The part of a scenario file that is the same for all games."""

    muster: Head
    """The game and the origin of the scenario."""
    rulings: dict[str, str] = {}
    """A choice for each ruling; rulings that are left out have their defaults."""
    log: Log = ()
    """The steps in which the scenario was generated."""


def log_lines(log: Iterable[Step]) -> list[str]:
    """Return the lines of the [[log]] tables of a scenario file."""
    lines = []
    for step in log:
        row: dict[str, object] = {"step": step.what}
        row |= {"who": step.who} if step.who else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *text.lines(row | {"result": step.result})]
    return lines


def steps(reading: FileReader, log: Log, known: Iterable[str]) -> tuple[Step, ...]:
    """Return the steps of a log. Record a fault for each step that names a side not in `known`."""
    sides = list(dict.fromkeys(known))
    for number, row in enumerate(log):
        if row.who and row.who not in sides:
            reading.fault(
                ("log", number, "who"), tr("there is no side named {who!r}", who=row.who), near(row.who, sides)
            )
    return tuple(Step(row.step, row.who or None, row.stream, tuple(map(reading.by_id, row.result))) for row in log)


def exported(log: Iterable[Step]) -> list[dict[str, Any]]:
    """Return the log as plain values for JSON."""
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

    `describe` returns a step in words. Steps of the kinds in `apart` are skipped, because other rules check them.
    For the kinds in `loose`, the order of the results does not matter.
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
    """Return the log line with the known step that is most similar, or an empty string if none is similar."""
    meant = nearest(step, known)
    return "\n".join(text.lines({"step": meant})) if meant else ""


def _borne_out(step: Step, evidence: Iterable[tuple[str, str | None, tuple[str, ...]]]) -> str:
    """Return the step as the scenario shows it, as a table of the file.

    Return an empty string unless the scenario shows exactly one step of this kind and side.
    """
    right = [result for what, who, result in evidence if (what, who) == (step.what, step.who)]
    return step_text(replace(step, stream="", result=right[0])) if len(right) == 1 else ""


def step_text(step: Step) -> str:
    """Return a step as a table of the scenario file."""
    return "\n".join(log_lines([step])[1:])


def checklist(
    log: Iterable[Step], describe: Callable[[Step], Words], side: Callable[[str], Words]
) -> list[dict[str, object]]:
    """Return a log as rows for a sheet. Consecutive steps of a side form one group, and each step is in words.

    Groups have boxes to tick, except steps of a search for a fair scenario, which players do not repeat.
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
    """Return a step in words. An unknown step is described by its name and result.

    `by` has the words for each kind of step, and `call` returns the name of a part of the result. If a part is
    `missing`, the words `<kind>_none` are used if they exist.
    """
    result = [call(part) for part in step.result]
    what = f"{step.what}_none" if missing in step.result and f"{step.what}_none" in by else step.what
    if step.what == "fair":
        what = _certificate_key(step.result)
    if what not in by:
        return joined([same(what), *result])
    try:
        return Words(
            by[what].en.format(*(r.en for r in result), result=" ".join(r.en for r in result)),
            by[what].ja.format(*(r.ja for r in result), result="・".join(r.ja for r in result)),
        )
    except IndexError:  # A hand-written step may have fewer results than its words require.
        return joined([same(what), *result])


def _certificate_key(result: Sequence[str]) -> str:
    """Return the key of the words for the step `fair`, which depends on the players that played the scenario."""
    if result[:1] != ("C",):
        return "fair"
    grade_test_and_rates = len(result)
    if grade_test_and_rates <= 3:
        return "fair_old"
    if grade_test_and_rates <= 7:
        return "fair_casual"
    played = "fair_computed" if result[4] == "0" else "fair_strong"
    return f"{played}_pairs" if grade_test_and_rates > 11 else played
