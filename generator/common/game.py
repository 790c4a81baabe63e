"""The interface of a game: a value made of functions and tables, not a class to derive from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

import msgspec

from generator.common.fairness import Fairness
from generator.common.playing import Playing
from generator.common.tables import scoring, shared_words
from generator.errors import Problem, WrongUsageError, near, nearest
from generator.localization import tr
from generator.model.scenario import Origin, Request, Scenario
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import Lang, Words, same
from generator.notation import toml
from generator.notation.text import NAME_LIMIT, folded
from generator.notation.toml import Source
from generator.rules import Report, Rule
from generator.store.folders import shipped_path

if TYPE_CHECKING:
    # This module loads Shapely, which is needed only for verification.
    from generator.sight.verify import Claim

S = TypeVar("S", bound=Scenario)


Group = Literal["forces", "ground", "play", "rulings", "print", "files"]
"""The headings under which `--help` lists a game's options."""


class OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The label, help text and heading of an option."""

    label: Words
    help: Words
    group: Group
    common: bool = False
    """Whether it is one of the dozen options that most people use."""
    choice: Mapping[str, Words] = {}
    """The labels of its choices, for those that the game's tables do not label."""

    def fill(self, **values: object) -> OptionText:
        """Return the texts with their `{placeholders}` filled."""
        return OptionText(self.label.fill(**values), self.help.fill(**values), self.group, self.common, self.choice)


@lru_cache(16)  # one for each game
def option_texts(*games: str) -> Mapping[str, OptionText]:
    """Return the texts of the options that all games share, and of those of these games."""
    folders = [shipped_path("data"), *(shipped_path("data") / game for game in games)]
    found: dict[str, OptionText] = {}
    for folder in folders:
        found |= toml.read(folder / "wishes.toml", dict[str, OptionText])
    return found


class GameOption(msgspec.Struct, frozen=True):
    """A choice about a scenario that is otherwise drawn at random; it becomes a command-line option of that name."""

    name: str
    text: OptionText
    choices: tuple[str, ...] = ()
    """The accepted words; empty if the game parses the text itself."""
    file: bool = False
    """Whether the value may be the path of a file. If `choices` has words too, it need not be one."""
    metavar: str = "TEXT"
    flag_value: str = ""
    """The value of the option if it is given without one; empty if it requires a value."""
    pattern: str = ""
    """A regular expression, in lower case, for accepted values other than words and files."""
    default: str = ""
    """The default; empty if the choice is then drawn or left out."""
    names: Mapping[str, Words] = {}
    """The labels of its choices, from the game's tables."""
    known: tuple[str, ...] = ()
    """The shipped words for an option without `choices`, which accepts other words too."""
    max_values: int = 0
    """The maximum number of values, separated by commas; 0 if the option takes a single value."""
    pieces: str = ""
    """The verb that draws the named pieces one by one."""

    def choice_label(self, choice: str) -> Words:
        """Return the label of a choice; a number or a word without a label is returned unchanged."""
        known = (self.names, self.text.choice, shared_words()["place"])
        return next((names[choice] for names in known if choice in names), same(choice))

    @property
    def span(self) -> tuple[int, int] | None:
        """The smallest and the largest accepted whole number; None if other words are accepted."""
        numbers = [int(choice) for choice in self.choices if choice.isdecimal()]
        counts_up = numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else False
        return (numbers[0], numbers[-1]) if counts_up and len(numbers) == len(self.choices) > 2 else None


class Question(msgspec.Struct, frozen=True):
    """A choice that belongs to a player: the question, and the option that takes the answer."""

    option: str
    text: Words
    default: str


class Stop(msgspec.Struct, Generic[S], frozen=True):
    """A point of the draw at which players decide."""

    name: str
    kits: Callable[[Request], Mapping[str, Kit]]
    """The kits to print at that point, one for each player, by file name."""
    questions: Callable[[Request], tuple[Question, ...]]


class SightClaims(msgspec.Struct, Generic[S], frozen=True):
    """A game's statements about lines of sight, as claims to be verified with Shapely (`common.proof`)."""

    rows: Callable[[S, Sequence[Mapping[str, Any]]], Iterable[Claim]]
    """The claims that these rows of its `SightTool` make."""
    printed: Callable[[S], Iterable[Claim]]
    """The claims behind the pages of a kit and the certificate of fairness."""
    proof: Callable[[S], Iterable[tuple[Mapping[str, str], Iterable[Claim]]]]
    """Every pair under every ruling: each combination of the rulings that affect sight, with its claims."""
    checked: Callable[[S], Iterable[Claim]] = lambda _: ()
    """The claims behind the checked rules."""
    watched: Callable[[S, Callable[[S], object]], Iterable[Claim]] = lambda *_: ()
    """The claims behind another function of the scenario, such as the judge of a log; they are recorded while it
    runs."""
    rulings: Callable[[S], Mapping[str, str]] = lambda _: {}
    """The rulings of a scenario that affect sight."""
    readings: Mapping[str, Words] = {}
    """The meaning of each choice, by `switch = choice`."""


class SightTool(msgspec.Struct, Generic[S], frozen=True):
    """Lines of sight as a query; rows are plain mappings for JSON, documented in docs/json.md."""

    pairs: Callable[[S], Iterator[dict[str, object]]]
    pair: Callable[[S, str, str], dict[str, object]]
    """One pair, given the names of its cells; raises WrongUsageError for an unknown name."""
    lines_from: Callable[[S, str], Iterator[dict[str, object]]]
    """All pairs of one cell with the others that can be looked at from it; the cell comes first in each pair."""
    explain: Callable[[S, str, str], Words]
    line: Callable[[Mapping[str, object]], Words]
    """One row as a line for the terminal."""
    claims: SightClaims[S]
    """The same statements as claims that can be verified."""


class OddsReport(msgspec.Struct, frozen=True):
    """The odds of a scenario, as rows and as lines."""

    rows: dict[str, object]
    """Plain values for JSON (docs/json.md), with Words for texts."""
    lines: tuple[Words, ...]
    """Lines for the terminal."""


OddsTool = Callable[[S, str, bool], OddsReport]
"""Returns the odds of a scenario, as it begins or as a display stands now, in the game's own words; and whether more
is computed than for a kit. Raises WrongUsageError if there is nothing to compute or the display is impossible."""


def exact_odds(compute: Callable[[S], OddsReport]) -> OddsTool[S]:
    """Return a tool for odds that are computed exactly, without delay, and only for the start of a scenario."""

    def tool(scenario: S, now: str, _exact: bool) -> OddsReport:
        if now:
            hint = tr("for this game, enter the current places of the units in the scenario file")
            raise WrongUsageError(tr("--now works only in games with a display of stacks"), hint=hint)
        return compute(scenario)

    return tool


class Query(msgspec.Struct, Generic[S], frozen=True):
    """A question about a scenario, answered by the verb of that name, such as `moves` or `intercept`."""

    verb: str
    rows: Callable[[S, tuple[str, ...]], list[dict[str, object]]]
    """The answer as plain mappings for JSON (docs/json.md), given the verb's arguments as entered. It raises
    WrongUsageError for an unknown or a missing argument."""
    lines: Callable[[S, tuple[str, ...]], list[Words]]
    """The answer as lines for the terminal."""
    sheet: Callable[[S, tuple[str, ...]], Sheet]
    """The answer drawn on the map, to print."""


class RulingImpact(msgspec.Struct, Generic[S], frozen=True):
    """A part of a scenario that may depend on how the rules are read (common/interpretations.py)."""

    id: str
    """`sight`, `intercept`, `moves` …; its texts are in [stake_<id>] of the game's words.toml or the shared one."""
    facts: Callable[[S], Mapping[Words, Words]]
    """The facts, by the subject of each, such as "clear" by "C3–D6"; it raises nothing for any scenario."""
    switches: tuple[str, ...] = ()
    """The switches that it may depend on; empty if it may depend on any of them."""
    texts: Mapping[str, Words] | None = None
    """The texts `name`, `one`, `many` and `otherwise`; None for those that all games share."""

    @property
    def words(self) -> Mapping[str, Words]:
        """Its texts."""
        return self.texts or shared_words()[f"stake_{self.id}"]


class LogFinding(msgspec.Struct, frozen=True):
    """A finding on a line of a log of play."""

    line: int
    """From 1."""
    reason: str
    text: Words
    kind: Literal["fault", "question", "unread", "note"] = "fault"
    """A broken rule, a line that can mean several things, one that is not understood, or the judge's assumption."""


class Judged(msgspec.Struct, frozen=True):
    """The result of checking a log of play against the rules."""

    findings: tuple[LogFinding, ...]
    """In the order of the lines; empty if no rule was broken and every line was understood."""
    orders: int
    """The number of orders read."""
    position: Words
    """The winner, or else the current position."""
    rows: dict[str, object]
    """Everything as plain values for JSON (docs/json.md): turns, units, outcome."""
    notes: tuple[LogFinding, ...] = ()
    """The assumptions of the judge after a fault or a line that is not understood."""

    @property
    def broke_rule(self) -> bool:
        """Return whether a finding is a broken rule, and not only a line that is not clear."""
        return any(finding.kind == "fault" for finding in self.findings)


class Upcoming(msgspec.Struct, frozen=True):
    """The next post of a log."""

    text: Words
    """The text to paste and fill in."""
    rows: dict[str, object]
    """The same as plain values for JSON (docs/json.md)."""
    sheet: Sheet
    """A page with the start of the turn that the post belongs to."""


class Dice(msgspec.Struct, frozen=True):
    """Dice rolls that neither player can influence, from chains of hashed secrets."""

    forge: Callable[[str], tuple[str, ...]]
    """Make a chain from a secret: the value to announce before play, then its links in the order of their use."""
    sealed: Callable[[str], str]
    """Return the hash to announce for a text before it is revealed."""
    roll: Callable[[str, str, str], tuple[str, str, tuple[int, ...]]]
    """Roll, given the attacker's link, the defender's link and an order as entered. It returns the mixed text, its
    hash and the dice, and raises WrongUsageError for an invalid order."""


class Logbook(msgspec.Struct, Generic[S], frozen=True):
    """A game whose orders are written down as they are given, and can be judged and replayed."""

    judge: Callable[[S, str], Judged]
    """Judge the text of a log of this scenario; it raises nothing."""
    orders: Callable[[S, str, str], list[dict[str, object]]]
    """Every order that a unit may give, for a scenario, the text of a log that leads to the position (empty for the
    start) and the unit's id. Rows for JSON have its notation as `order`. It raises WrongUsageError for an unknown
    unit."""
    play: Callable[[S, str, Lang], str]
    """A whole log played at random from a seed code, with headers in this language."""
    replay: Callable[[S, str, str], Kit]
    """A kit with one sheet for each turn of a log, as `turn` parts, marked with this stamp."""
    next: Callable[[S, str, tuple[str, ...]], Upcoming]
    """The next post of a log, given the chain of the player who writes it, or an empty tuple."""
    dice: Dice


class Content(Protocol):
    """The content of a data file."""

    @property
    def name(self) -> Words:
        """Its name in both languages."""
        ...

    @property
    def source(self) -> str:
        """Its owner, by the rule in common/ownership.py."""
        ...


class Brush(msgspec.Struct, frozen=True):
    """Something that can be placed on cells of a drawn map besides the terrain symbols."""

    name: Words
    put: Callable[[dict[str, Any], Sequence[str], str, bool], None]
    """Change the values of a file: place it on these cells, as entered, in this direction, or remove it."""
    ways: Mapping[str, Words] = {}
    """Its possible directions, such as the sides of a hex, by the word for each; may be empty."""
    several: bool = False
    """Whether the cells are the corners of one object rather than separate objects."""
    can_be_named: bool = False
    """Whether a name may be given in place of a direction."""


class ContentType(msgspec.Struct, frozen=True):
    """A type of data file: decks, maps, inventories, tables."""

    kind: str
    items: Callable[[], Mapping[str, Words]]
    """The titles of the shipped files, by name."""
    show: Callable[[str | Path, Lang], list[list[str]]]
    """A shipped file, by its name, or a user's file, as rows of text; a row of one cell separates blocks. It raises
    DataError for a faulty file."""
    check: Callable[[Source], list[Problem]] | None = None
    """Every fault of a user's file of this type; None if users cannot bring one."""
    marks: tuple[str, ...] = ()
    """Top-level keys by which a file of this kind is recognised."""
    view: Callable[[str | Path], MapView] | None = None
    """A shipped map, board or arena, by its name, or a user's file, as it is drawn; None for other types. It raises
    DataError for a faulty file."""
    file: Callable[[str], Path] | None = None
    """The path of a shipped file, by its name, to start a file of one's own from; None if users cannot bring one."""
    takes: tuple[str, ...] = ()
    """The options that take such a file."""
    forms: Mapping[str, Words] = {}
    """Blank forms in the same folder, by name, which cannot be played with before they are filled in."""
    what: Words = Words("", "")
    """The content of such a file, for the middle of a sentence: charts, map."""
    read: Callable[[Source], Content] | None = None
    """Read a user's file; None if users cannot bring one. It raises DataError for a faulty file."""
    form: type[msgspec.Struct] | None = None
    """The keys of such a file; None if users cannot bring one."""
    symbols: Callable[[], Mapping[str, Words]] = dict
    """The symbols of its terrain with their meanings; empty if it is not a drawn map."""
    brushes: Callable[[], Mapping[str, Brush]] = dict
    """The other things that can be placed on its cells, by the word for each."""


class Printable(msgspec.Struct, frozen=True):
    """Something that a game prints without a scenario: cards, tokens, reference, sheets, boards, campaign."""

    verb: str
    kinds: Mapping[str, Words]
    """The words that `--only` accepts, with titles; empty if there is nothing to choose."""
    make: Callable[[Mapping[str, str]], Kit]
    """Make the kit from the options as entered, by name: only (words of `kinds`, separated by commas), paper, seed,
    and those in `takes`."""
    takes: tuple[str, ...] = ()
    """The options that this game uses: those of the verb (board, size, half …), and options that take a file (deck,
    charts …), which are added to the verb."""
    ships: Callable[[], tuple[str, ...]] = tuple
    """The names of the shipped items that can be printed one by one; empty if they have no names."""


class Score(msgspec.Struct, Generic[S], frozen=True):
    """How the result of a game between two players is recorded."""

    counted: Words
    """The unit of victory, as a column heading: banners taken, brigades destroyed."""
    lost: Words
    """The unit of a side's casualties, as a column heading."""
    parts: tuple[str, ...]
    """The parts of the kit that both players need on the table."""
    sides: Callable[[S], tuple[Words, Words]]
    """The names of the two sides."""
    goal: Callable[[S], tuple[Words, ...]]
    """How a game of this scenario is won, one sentence each."""
    max_counts: Callable[[S], tuple[int, int]] | None = None
    """The largest count of victory that each side can reach; None if it is unknown."""
    over: Callable[[S], int] | None = None
    """The count at which a side wins at once, so that only one side can reach it; None if both may."""
    max_lost: Callable[[S], tuple[int, int]] | None = None
    """The casualties that each side can have at most; None if its units can return and be lost again."""


def score(
    game: str,
    sides: Iterable[Words],
    values: Callable[[S], Mapping[str, object]] = lambda _: {},
    max_counts: Callable[[S], tuple[int, int]] | None = None,
    over: Callable[[S], int] | None = None,
) -> Score[S]:
    """Return the score of a game between two sides, as data/<game>/score.toml states it.

    `values` fills its goal from a scenario, `max_counts` returns the largest count of each side, `over` the count
    that wins at once.
    """
    of, (first, second) = scoring(game), sides

    def goal(scenario: S) -> tuple[Words, ...]:
        return (of.goal.fill(**values(scenario)),) if of.goal else ()

    return Score(of.counted, of.lost, of.parts, lambda _: (first, second), goal, max_counts, over)


DRAW: Final = "draw"
"""The result of a drawn game in files, instead of the winning side."""


class Ended(msgspec.Struct, frozen=True):
    """The result of a played battle."""

    winner: int | None
    """The side that won, in the order of the game's `seats`; None for a draw."""
    counted: tuple[int, int]
    """Each side's count for victory."""
    left: Mapping[str, int]
    """The figures left of each unit, by its id (1 for a unit without figures); lost units are left out."""


class Carried(msgspec.Struct, frozen=True):
    """A campaign's record with one more battle."""

    text: str
    """The text of the record's file, unchanged except for the added battle."""
    files: Mapping[str, str]
    """The files next to the record, by the ending of their names after the record's own name."""
    lines: tuple[Words, ...]
    """The position of the campaign, as lines for the terminal."""
    next: tuple[tuple[list[str], Mapping[str, str | bool]], ...]
    """The next commands, as words and options. An option's value that is a key of `files` stands for that file."""


class Campaigner(msgspec.Struct, Generic[S], frozen=True):
    """A game whose battles can form a campaign."""

    units: Callable[[S], Mapping[str, int]]
    """The figures of every unit that can be lost, by its id, at the start of a battle; 1 if it has no figures."""
    carry: Callable[[Source, S, str, Ended], Carried]
    """Add a battle to a record, given the record, the scenario, its stamp and the result. It raises DataError for a
    faulty record and NotInOrderError for a battle that does not belong to this campaign."""


class Game(msgspec.Struct, Generic[S], frozen=True):
    """A game: its functions and tables."""

    name: str
    title: Words
    summary: Words
    options: tuple[GameOption, ...]
    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    read: Callable[[Source, Origin, Path], S]
    """Read the body of a scenario file; the folder is that of the file, for the user's files next to it."""
    write: Callable[[S], str]
    """Return the body of a scenario file, in TOML."""
    export: Callable[[S], dict[str, object]]
    """Return the JSON form, documented in docs/json.md."""
    story: Callable[[S], list[Words]]
    """Return a few lines for the terminal that describe the scenario."""
    kit: Callable[[S, Report, str, str], Kit]
    """Return the kit to print, given the check's report, the stamp and the command that rebuilds it."""
    content_types: tuple[ContentType, ...] = ()
    borrowed_content_types: tuple[ContentType, ...] = ()
    """The content types of another game whose files this game accepts too."""
    sight: SightTool[S] | None = None
    queries: tuple[Query[S], ...] = ()
    logbook: Logbook[S] | None = None
    stops: tuple[Stop[S], ...] = ()
    prints: tuple[Printable, ...] = ()
    score: Score[S] | None = None
    fairness: Fairness[S] | None = None
    odds: OddsTool[S] | None = None
    check_notes: Callable[[S], tuple[Words, ...]] = lambda _: ()
    """Sentences that `muster check` prints after the findings of a legal scenario because they take time."""
    playing: Playing[S] | None = None
    campaign: Campaigner[S] | None = None
    form: type[msgspec.Struct] | None = None
    """The keys of the body of a scenario file."""
    switches: tuple[str, ...] = ()
    """The games whose rulings.toml list the switches of its scenarios."""
    ruling_impacts: tuple[RulingImpact[S], ...] = ()
    """The parts of a scenario that rulings may affect, besides a check's findings and the measures of fairness."""
    follows: Callable[[S], list[Words]] = lambda _: []
    """The values that the scenario's file left out, and how they follow from the rest: one sentence each, for a
    check."""
    mode: Callable[[S], str] = lambda _: ""
    """The mode of play whose paragraphs are cited as sources of the rules; empty if the game has only one."""
    seats: tuple[str, ...] = ()
    """The sides from which a map may be viewed: the first sits at its near edge, the other at the far one."""

    @property
    def tried(self) -> bool:
        """Whether its grade C is found by games of computer players and not by computing odds."""
        return self.playing is not None and not (self.fairness and self.fairness.paired)

    def option_labels(self, option: GameOption) -> dict[str, Words]:
        """Return the labels of an option's words; a shipped file has its title as label."""
        shelves = [
            content_type.items()
            for content_type in (*self.content_types, *self.borrowed_content_types)
            if option.name in content_type.takes
        ]
        ships = {name: title for items in shelves for name, title in items.items()}
        return {
            choice: ships.get(choice) or option.choice_label(choice) for choice in (*option.choices, *option.known)
        }

    def find_choice(self, option: GameOption, text: str) -> str:
        """Return the only choice with this word or label, in either language and any case; empty if there is none."""
        wanted = folded(text)
        if word := next((choice for choice in option.choices if folded(choice) == wanted), ""):
            return word
        labels = {choice for choice, label in self._labels_of(option) if folded(label) == wanted}
        return labels.pop() if len(labels) == 1 else ""

    def near_choice(self, option: GameOption, text: str) -> str:
        """Return a hint for a mistyped choice: the most similar word or label, or else the accepted words."""
        label = nearest(text, [label for _, label in self._labels_of(option)])
        return near(text, option.choices if nearest(text, option.choices) or not label else [label])

    def _labels_of(self, option: GameOption) -> Iterator[tuple[str, str]]:
        """Yield each choice of an option with its label in each language."""
        for choice, label in self.option_labels(option).items():
            yield from ((choice, text) for text in (label.en, label.ja) if choice in option.choices)

    def unknown_options(
        self, options: Iterable[str], files: Iterable[str] = ()
    ) -> Iterator[tuple[tuple[str, str], str, str]]:
        """Yield each option of a file that does not exist or takes no file: its place, the message and a hint."""
        of_files = [option.name for option in self.options if option.file]
        tables = (("wishes", options, [option.name for option in self.options]), ("files", files, of_files))
        for table, names, known in tables:
            for name in names:
                if name not in known:
                    message = tr("{game} does not have this option", game=self.name)
                    yield (table, name), message, near(name[:NAME_LIMIT], known)
