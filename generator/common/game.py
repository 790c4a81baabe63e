"""What a game is to the rest of Muster: a value, not a class to derive from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

import msgspec

from generator.common.fairness import Fairness
from generator.common.playing import Playing
from generator.common.tables import scoring, shared_words
from generator.errors import Problem, WrongUsageError, near
from generator.model.scenario import Origin, Request, Scenario
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import Lang, Words, same
from generator.notation import toml
from generator.notation.text import NAME_LIMIT
from generator.notation.toml import Source
from generator.rules import Report, Rule
from generator.said import say
from generator.store.folders import shipped

if TYPE_CHECKING:
    # It loads Shapely, which only what verifies needs.
    from generator.sight.verify import Claim

S = TypeVar("S", bound=Scenario)


Group = Literal["forces", "ground", "play", "rulings", "print", "files"]
"""Under which heading a wish stands."""


class WishText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a wish is called, what it does, and where it stands among the others."""

    label: Words
    help: Words
    group: Group
    common: bool = False
    """Whether it is one of the dozen that most people use."""
    choice: Mapping[str, Words] = {}
    """What its words are called, where nothing else says it."""

    def fill(self, **values: object) -> WishText:
        """The texts with their `{placeholders}` filled."""
        return WishText(self.label.fill(**values), self.help.fill(**values), self.group, self.common, self.choice)


@lru_cache(16)  # one for each game
def wish_texts(*games: str) -> Mapping[str, WishText]:
    """The wishes that all games share, and those of these games, from their wishes.toml."""
    folders = [shipped("data"), *(shipped("data") / game for game in games)]
    found: dict[str, WishText] = {}
    for folder in folders:
        found |= toml.read(folder / "wishes.toml", dict[str, WishText])
    return found


class Wish(msgspec.Struct, frozen=True):
    """Something that may be wished for in place of being drawn; it becomes an option of the same name."""

    name: str
    text: WishText
    choices: tuple[str, ...] = ()
    """The accepted words; empty where the game reads the text itself."""
    file: bool = False
    """The value may be the path of a file (it need not be one where `choices` has words too)."""
    metavar: str = "TEXT"
    bare: str = ""
    """What it means where its option stands alone; empty where it needs a value."""
    pattern: str = ""
    """A regular expression for what it takes besides words and files, in small letters."""
    default: str = ""
    """What holds where nobody wishes; empty where it is drawn or left out."""
    names: Mapping[str, Words] = {}
    """What its words are called, where the game's tables say it."""
    known: tuple[str, ...] = ()
    """Words that it takes where `choices` has none, as other words may be taken too: those that ship."""
    several: int = 0
    """So many of them may stand there, parted by commas; 0 where there is but one."""
    pieces: str = ""
    """The verb that draws what they are the names of, piece by piece."""

    def called(self, choice: str) -> Words:
        """One of its words as people read it; a number, and what has no name, as it is typed."""
        known = (self.names, self.text.choice, shared_words()["place"])
        return next((names[choice] for names in known if choice in names), same(choice))

    @property
    def span(self) -> tuple[int, int] | None:
        """The least and the most of a whole number; None where other words are accepted."""
        numbers = [int(choice) for choice in self.choices if choice.isdecimal()]
        counts_up = numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else False
        return (numbers[0], numbers[-1]) if counts_up and len(numbers) == len(self.choices) > 2 else None


class Question(msgspec.Struct, frozen=True):
    """A choice that is a player's own: what to ask him, and the wish that takes his answer."""

    wish: str
    text: Words
    default: str


class Stop(msgspec.Struct, Generic[S], frozen=True):
    """A point of the draw where players decide."""

    name: str
    kits: Callable[[Request], Mapping[str, Kit]]
    """What is printed there, by file name: one kit for each player."""
    questions: Callable[[Request], tuple[Question, ...]]


class Told(msgspec.Struct, Generic[S], frozen=True):
    """What a game tells of sight, as claims that are held against Shapely (`common.proof`)."""

    rows: Callable[[S, Sequence[Mapping[str, Any]]], Iterable[Claim]]
    """What these rows of its `SightTool` say."""
    printed: Callable[[S], Iterable[Claim]]
    """What the pages of a kit and the certificate of fairness rest on."""
    proof: Callable[[S], Iterable[tuple[Mapping[str, str], Iterable[Claim]]]]
    """Every pair under every ruling: each choice of the switches that sight depends on, with what it comes to."""
    checked: Callable[[S], Iterable[Claim]] = lambda _: ()
    """What the rules rest on."""
    watched: Callable[[S, Callable[[S], object]], Iterable[Claim]] = lambda *_: ()
    """What a telling rests on, such as the judge's of a log: it is told once more, and looked over its shoulder."""
    rulings: Callable[[S], Mapping[str, str]] = lambda _: {}
    """The choices that a scenario is played by."""
    readings: Mapping[str, Words] = {}
    """What each choice means, by `switch = choice`."""


class SightTool(msgspec.Struct, Generic[S], frozen=True):
    """Sight as a query; rows are plain mappings ready for JSON, documented in docs/json.md."""

    pairs: Callable[[S], Iterator[dict[str, object]]]
    pair: Callable[[S, str, str], dict[str, object]]
    """One pair by cell names (WrongUsageError for an unknown name)."""
    lines_from: Callable[[S, str], Iterator[dict[str, object]]]
    """The pairs of one cell with every other that can be looked at from there, it first, by its name as above."""
    explain: Callable[[S, str, str], Words]
    line: Callable[[Mapping[str, object]], Words]
    """One row in a line for the terminal."""
    told: Told[S]
    """The same as what can be verified."""


class OddsTold(msgspec.Struct, frozen=True):
    """The odds of a scenario, told."""

    rows: dict[str, object]
    """As plain values ready for JSON (docs/json.md), with Words where there is text."""
    lines: tuple[Words, ...]
    """For the terminal."""


OddsTool = Callable[[S, str, float], OddsTold]
"""The odds of a scenario, as it begins or as a display stands now, in the game's own words; and for how many seconds
more of it is followed than a kit does. WrongUsageError where there is nothing to reckon, or the display cannot be."""


def exact_odds(told: Callable[[S], OddsTold]) -> OddsTool[S]:
    """The odds of scenarios that are reckoned exactly, and at once, as they stand."""

    def tool(scenario: S, now: str, _wait: float) -> OddsTold:
        if now:
            hint = say("enter the current places of the units in the scenario file")
            raise WrongUsageError(say("--now is for a display of stacks"), hint=hint)
        return told(scenario)

    return tool


class Query(msgspec.Struct, Generic[S], frozen=True):
    """A question about a scenario that the verb of its name answers: moves, intercept."""

    verb: str
    rows: Callable[[S, tuple[str, ...]], list[dict[str, object]]]
    """The answer as plain mappings ready for JSON (docs/json.md), given the verb's arguments as typed.
    WrongUsageError for one that names nothing, or where there is one too few."""
    lines: Callable[[S, tuple[str, ...]], list[Words]]
    """The same for the terminal."""
    sheet: Callable[[S, tuple[str, ...]], Sheet]
    """The same laid over the map, to print."""


class Stake(msgspec.Struct, Generic[S], frozen=True):
    """Something of a scenario that may hang on how the rules are read (common/interpretations.py)."""

    id: str
    """`sight`, `intercept`, `moves` …; its words stand under [stake_<id>], of the game's or of all."""
    facts: Callable[[S], Mapping[Words, Words]]
    """What is so, by what it is about: C3–D6 is clear. Raises nothing, whatever the scenario is."""
    switches: tuple[str, ...] = ()
    """The switches that it may hang on; none: any of them."""
    say: Mapping[str, Words] | None = None
    """Its `name`, `one` and `many` of it, and what is so `otherwise`; None: the words of all games."""

    @property
    def words(self) -> Mapping[str, Words]:
        """What is said of it."""
        return self.say or shared_words()[f"stake_{self.id}"]


class LogFinding(msgspec.Struct, frozen=True):
    """A finding on a line of a log of play."""

    line: int
    """From 1."""
    reason: str
    text: Words
    kind: Literal["fault", "question", "unread", "note"] = "fault"
    """A broken rule, a line that can mean several things, one that is not understood, or the judge's assumption."""


class Judged(msgspec.Struct, frozen=True):
    """What a log of play comes to, held against the rules."""

    findings: tuple[LogFinding, ...]
    """In the order of the lines; empty if no rule was broken and every line was understood."""
    orders: int
    """How many orders were read."""
    standing: Words
    """Who has won, or how it stands."""
    rows: dict[str, object]
    """The whole as plain values ready for JSON (docs/json.md): turns, units, outcome."""
    notes: tuple[LogFinding, ...] = ()
    """The assumptions of the judge after a fault or a line that is not understood."""

    @property
    def broke_rule(self) -> bool:
        """Return whether a finding is a broken rule, and not only a line that is not clear."""
        return any(finding.kind == "fault" for finding in self.findings)


class Upcoming(msgspec.Struct, frozen=True):
    """The next post of a log."""

    text: Words
    """As it is pasted and filled in."""
    rows: dict[str, object]
    """The same as plain values ready for JSON (docs/json.md)."""
    sheet: Sheet
    """The start of the turn that it belongs to."""


class Dice(msgspec.Struct, frozen=True):
    """Dice that nobody can doubt, by chains of secrets."""

    forge: Callable[[str], tuple[str, ...]]
    """A chain made from a secret: what is told before play, then its links in the order of their use."""
    sealed: Callable[[str], str]
    """What is told of a text before it is opened."""
    roll: Callable[[str, str, str], tuple[str, str, tuple[int, ...]]]
    """Of the attacker's link, the defender's and an order as typed: the text that is mixed, its hash, and the dice.
    WrongUsageError where it is no order."""


class Logbook(msgspec.Struct, Generic[S], frozen=True):
    """A game whose orders are written down as they are given, and can be judged and shown again."""

    judge: Callable[[S, str], Judged]
    """A scenario and a log's text; raises nothing."""
    orders: Callable[[S, str, str], list[dict[str, object]]]
    """Every order that a unit may give: a scenario, the text of a log that leads to the position (empty: the
    start), the unit's id. Rows ready for JSON, with its notation as `order`. WrongUsageError for an unknown unit."""
    play: Callable[[S, str, Lang], str]
    """A whole log played at random from a seed code, in that language's headers."""
    replay: Callable[[S, str, str], Kit]
    """A sheet for every turn of a log, as `turn` parts, given the stamp."""
    next: Callable[[S, str, tuple[str, ...]], Upcoming]
    """The post that a log waits for, given the chain of whoever writes it, or none."""
    dice: Dice


class Content(Protocol):
    """What is read from a data file."""

    @property
    def name(self) -> Words:
        """Its name, in both languages."""
        ...

    @property
    def source(self) -> str:
        """Whose it is, by the rule of common/whose.py."""
        ...


class Brush(msgspec.Struct, frozen=True):
    """What may be laid on cells of drawn ground besides the symbols that it is drawn by."""

    name: Words
    put: Callable[[dict[str, Any], Sequence[str], str, bool], None]
    """Changes the values of a file: on these cells, as typed, it is laid in this way, or taken away."""
    ways: Mapping[str, Words] = {}
    """In which ways, by the words for them, such as the sides of a hex; none where there is but one."""
    several: bool = False
    """Whether the cells are one thing's, corner by corner, and not each its own."""
    named: bool = False
    """Whether in place of a way it may be called something."""


class Shelf(msgspec.Struct, frozen=True):
    """A kind of data file: decks, maps, inventories, tables."""

    kind: str
    items: Callable[[], Mapping[str, Words]]
    """What ships, by name."""
    show: Callable[[str | Path, Lang], list[list[str]]]
    """What ships by that name, or a user's file (DataError), as rows of text; a row of one cell parts blocks."""
    check: Callable[[Source], list[Problem]] | None = None
    """Every fault of a user's file of this kind; None where a user brings none."""
    marks: tuple[str, ...] = ()
    """Top-level keys by which a file of this kind is recognised."""
    view: Callable[[str | Path], MapView] | None = None
    """What ships by that name, or a user's file (DataError), as it is drawn, where it is ground to play on: a map, a
    board, an arena."""
    file: Callable[[str], Path] | None = None
    """Where what ships by that name lies, to begin a file of one's own with; None where users bring none."""
    takes: tuple[str, ...] = ()
    """The wishes that take such a file."""
    forms: Mapping[str, Words] = {}
    """Forms to fill in that lie there too, by name; nothing can be played with them yet."""
    what: Words = Words("", "")
    """What such a file holds, in the middle of a sentence: charts, map."""
    read: Callable[[Source], Content] | None = None
    """A user's file (DataError); None where a user brings none."""
    form: type[msgspec.Struct] | None = None
    """What such a file holds, key by key; None where a user brings none."""
    symbols: Callable[[], Mapping[str, Words]] = dict
    """By which symbols its ground is drawn, and what each means; none where it is no drawn ground."""
    brushes: Callable[[], Mapping[str, Brush]] = dict
    """What else may lie on its cells, by the words for it."""


class Printable(msgspec.Struct, frozen=True):
    """Something a game prints without a scenario: cards, tokens, reference, sheets, boards, campaign."""

    verb: str
    kinds: Mapping[str, Words]
    """What `--only` accepts, with titles; empty where there is nothing to choose."""
    make: Callable[[Mapping[str, str]], Kit]
    """From the options typed, by name: only (words of `kinds`, by comma), paper, seed, and those in `takes`."""
    takes: tuple[str, ...] = ()
    """Options that this game heeds: those that the verb has (board, size, half …), and wishes that take a file
    (deck, charts …), which the verb has by themselves."""
    ships: Callable[[], tuple[str, ...]] = tuple
    """The names of what ships of it, one of which can be printed alone; none where there is nothing to name."""


class Score(msgspec.Struct, Generic[S], frozen=True):
    """How the result of a game between two players is written down."""

    counted: Words
    """What is counted for victory, as a column's heading: banners taken, brigades destroyed."""
    lost: Words
    """What a side's casualties are counted in, as a column's heading."""
    parts: tuple[str, ...]
    """The parts of the kit that both players need before them on the table."""
    sides: Callable[[S], tuple[Words, Words]]
    """What the two sides are called."""
    goal: Callable[[S], tuple[Words, ...]]
    """How a game of this scenario is won, a sentence each."""
    most: Callable[[S], tuple[int, int]] | None = None
    """What each side can count at most; None where nobody can say."""
    over: Callable[[S], int] | None = None
    """With how much a side has won at once, so that only one can have it; None where both may."""


def score(
    game: str,
    sides: Iterable[Words],
    values: Callable[[S], Mapping[str, object]] = lambda _: {},
    most: Callable[[S], tuple[int, int]] | None = None,
    over: Callable[[S], int] | None = None,
) -> Score[S]:
    """What data/<game>/score.toml states of a result between two sides.

    `values` fill its goal from a scenario, `most` is what each side can count in it, `over` what wins at once.
    """
    of, (first, second) = scoring(game), sides

    def goal(scenario: S) -> tuple[Words, ...]:
        return (of.goal.fill(**values(scenario)),) if of.goal else ()

    return Score(of.counted, of.lost, of.parts, lambda _: (first, second), goal, most, over)


DRAW: Final = "draw"
"""In files, in place of a side that won."""


class Ended(msgspec.Struct, frozen=True):
    """What a played battle left."""

    winner: int | None
    """The side that won, in the order of the game's `seats`; None for a draw."""
    counted: tuple[int, int]
    """What each side counted for victory."""
    left: Mapping[str, int]
    """What is left of every unit by its id: figures, or 1; nothing of whoever was lost."""


class Carried(msgspec.Struct, frozen=True):
    """A campaign's record with a battle more."""

    text: str
    """The record's file, as it was but for what was added."""
    files: Mapping[str, str]
    """What lies beside it, by how its name ends behind the record's own."""
    told: tuple[Words, ...]
    """How the campaign stands, a line each."""
    next: tuple[tuple[list[str], Mapping[str, str | bool]], ...]
    """The commands that come next, as words and options; an option's value that is among `files` names that file."""


class Campaigner(msgspec.Struct, Generic[S], frozen=True):
    """A game whose battles can follow one from another."""

    units: Callable[[S], Mapping[str, int]]
    """Every unit of a battle that can be lost, by its id, with what is there of it as it begins: figures, or 1."""
    carry: Callable[[Source, S, str, Ended], Carried]
    """A record, a battle with its stamp, and what it left. DataError for the record, NotInOrderError for a battle
    that is none of this campaign's."""


class Game(msgspec.Struct, Generic[S], frozen=True):
    """A rule system: functions and tables."""

    name: str
    title: Words
    summary: Words
    wishes: tuple[Wish, ...]
    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    read: Callable[[Source, Origin, Path], S]
    """From the body of a scenario file; the folder is where it lies, for the user's files beside it."""
    write: Callable[[S], str]
    """The body of a scenario file, TOML."""
    export: Callable[[S], dict[str, object]]
    """The JSON form, documented in docs/json.md."""
    story: Callable[[S], list[Words]]
    """A few lines for the terminal: what was drawn."""
    kit: Callable[[S, Report, str, str], Kit]
    """What is printed, given the check's report, the stamp and the rebuilding command."""
    shelves: tuple[Shelf, ...] = ()
    borrows: tuple[Shelf, ...] = ()
    """The shelves of another game whose files it takes too."""
    sight: SightTool[S] | None = None
    queries: tuple[Query[S], ...] = ()
    logbook: Logbook[S] | None = None
    stops: tuple[Stop[S], ...] = ()
    prints: tuple[Printable, ...] = ()
    score: Score[S] | None = None
    fairness: Fairness[S] | None = None
    odds: OddsTool[S] | None = None
    playing: Playing[S] | None = None
    campaign: Campaigner[S] | None = None
    form: type[msgspec.Struct] | None = None
    """What the body of a scenario file holds, key by key."""
    switches: tuple[str, ...] = ()
    """The games whose rulings.toml state the readings that its scenarios choose from."""
    stakes: tuple[Stake[S], ...] = ()
    """What may hang on them, besides what a check finds and what is measured."""
    follows: Callable[[S], list[Words]] = lambda _: []
    """What the scenario's file left out, and how it follows from the rest: a sentence each, told by a check."""
    mode: Callable[[S], str] = lambda _: ""
    """By which mode's paragraphs the scenario's rules are cited; empty where there is but one."""
    seats: tuple[str, ...] = ()
    """The sides between which a map may be seen: the first sits at its near edge, the other at the far one."""

    @property
    def tried(self) -> bool:
        """Whether its grade C is counted in games of computer players, and not reckoned."""
        return self.playing is not None and not (self.fairness and self.fairness.paired)

    def called(self, wish: Wish) -> dict[str, Words]:
        """What the words of a wish are called; a file that ships by the title it bears."""
        shelves = [shelf.items() for shelf in (*self.shelves, *self.borrows) if wish.name in shelf.takes]
        ships = {name: title for items in shelves for name, title in items.items()}
        return {choice: ships.get(choice) or wish.called(choice) for choice in (*wish.choices, *wish.known)}

    def strange(self, wishes: Iterable[str], files: Iterable[str] = ()) -> Iterator[tuple[tuple[str, str], str, str]]:
        """Which wishes of a file there are not, or take no file: where they stand, what to say, and a hint."""
        of_files = [wish.name for wish in self.wishes if wish.file]
        tables = (("wishes", wishes, [wish.name for wish in self.wishes]), ("files", files, of_files))
        for table, named, known in tables:
            for name in named:
                if name not in known:
                    told = say("{game} has no such option", game=self.name)
                    yield (table, name), told, near(name[:NAME_LIMIT], known)
