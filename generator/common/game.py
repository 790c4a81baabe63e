"""The interface of a game, which is a value made of functions and tables rather than a base class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

import msgspec

from generator.common.fairness import Fairness
from generator.common.map_import import MapImport
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
    # Importing this module loads Shapely, which only verification needs.
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
    """Whether the option is one of the dozen that most people use."""
    choice: Mapping[str, Words] = {}
    """The labels of the choices that the game's tables do not label."""

    def fill(self, **values: object) -> OptionText:
        """Return a copy with the `{placeholders}` of the texts filled."""
        return OptionText(self.label.fill(**values), self.help.fill(**values), self.group, self.common, self.choice)


@lru_cache(16)  # One entry per game.
def option_texts(*games: str) -> Mapping[str, OptionText]:
    """Return the texts of the options that all games share, and of the options of these games."""
    folders = [shipped_path("data"), *(shipped_path("data") / game for game in games)]
    found: dict[str, OptionText] = {}
    for folder in folders:
        found |= toml.read(folder / "wishes.toml", dict[str, OptionText])
    return found


class PieceSets(msgspec.Struct, frozen=True):
    """The sets from which the pieces of an option must come."""

    of: Mapping[str, str] = {}
    """The set of each piece, keyed by the piece's word. Empty if pieces may be combined freely."""
    option: str = ""
    """The option that determines the number of sets, such as `mode`."""
    max_sets: Mapping[str, int] = {}
    """The number of sets for each choice of that option."""
    both_sides: tuple[str, ...] = ()
    """The choices of that option with which the other side's pieces may be taken, too."""
    chosen_with: str = ""
    """The option that names the sets. If it is given, only their pieces may be taken."""


class GameOption(msgspec.Struct, frozen=True):
    """An option for something that is otherwise drawn at random. The command-line option has the same name."""

    name: str
    text: OptionText
    choices: tuple[str, ...] = ()
    """The accepted words. Empty if the game parses the text itself."""
    file: bool = False
    """Whether the value may be the path of a file. If `choices` is not empty, the value may also be one of its words.
    """
    metavar: str = "TEXT"
    flag_value: str = ""
    """The value of the option if only its name is given. Empty if the option requires a value."""
    pattern: str = ""
    """A regular expression, in lower case, for accepted values that are neither words nor files."""
    default: str = ""
    """The default value. Empty if the choice is drawn at random or omitted by default."""
    names: Mapping[str, Words] = {}
    """The labels of the choices, from the game's tables."""
    known: tuple[str, ...] = ()
    """The words that ship with the game, for an option that has no `choices` and also accepts other words."""
    max_values: int = 0
    """The maximum number of values, separated by commas, or 0 if the option takes a single value."""
    pieces: str = ""
    """The verb that prints the named pieces one by one."""
    sets: PieceSets = PieceSets()
    """The sets from which the named pieces must come."""

    def choice_label(self, choice: str) -> Words:
        """Return the label of a choice, or the choice itself if it has no label."""
        known = (self.names, self.text.choice, shared_words()["place"])
        return next((names[choice] for names in known if choice in names), same(choice))

    @property
    def span(self) -> tuple[int, int] | None:
        """The smallest and the largest accepted number, or None if the choices are not consecutive numbers."""
        numbers = [int(choice) for choice in self.choices if choice.isdecimal()]
        counts_up = numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else False
        return (numbers[0], numbers[-1]) if counts_up and len(numbers) == len(self.choices) > 2 else None


class Question(msgspec.Struct, frozen=True):
    """A choice that a player makes, with the option for the player's answer."""

    option: str
    text: Words
    default: str


class Stop(msgspec.Struct, Generic[S], frozen=True):
    """A point in the generation of a scenario at which players make decisions."""

    name: str
    kits: Callable[[Request], Mapping[str, Kit]]
    """The kits to print at this point, one for each player, keyed by file name."""
    questions: Callable[[Request], tuple[Question, ...]]


class SightClaims(msgspec.Struct, Generic[S], frozen=True):
    """A game's statements about lines of sight, as claims that Shapely can verify (`common.proof`)."""

    rows: Callable[[S, Sequence[Mapping[str, Any]]], Iterable[Claim]]
    """The claims made by these rows of the game's `SightTool`."""
    printed: Callable[[S], Iterable[Claim]]
    """The claims on which the pages of a kit and the certificate of fairness depend."""
    proof: Callable[[S], Iterable[tuple[Mapping[str, str], Iterable[Claim]]]]
    """Yield each combination of the rulings that affect sight, with the claims for every pair of cells."""
    checked: Callable[[S], Iterable[Claim]] = lambda _: ()
    """The claims on which the checked rules depend."""
    watched: Callable[[S, Callable[[S], object]], Iterable[Claim]] = lambda *_: ()
    """The claims on which another function of the scenario depends, such as the judge of a log.

    The claims are recorded while the function runs.
    """
    rulings: Callable[[S], Mapping[str, str]] = lambda _: {}
    """The rulings of a scenario that affect sight."""
    readings: Mapping[str, Words] = {}
    """The meaning of each choice, keyed by `switch = choice`."""


class SightTool(msgspec.Struct, Generic[S], frozen=True):
    """A tool that answers queries about lines of sight.

    Rows are plain mappings for JSON, documented in docs/json.md.
    """

    pairs: Callable[[S], Iterator[dict[str, object]]]
    pair: Callable[[S, str, str], dict[str, object]]
    """Return the row of a pair, given the names of two cells.

    Raises:
        WrongUsageError: If a name is unknown.
    """
    lines_from: Callable[[S, str], Iterator[dict[str, object]]]
    """Yield the rows of all pairs of a cell and a cell that can be looked at from there. The given cell is first in
    each pair.
    """
    explain: Callable[[S, str, str], Words]
    line: Callable[[Mapping[str, object]], Words]
    """Return a row as a line for the terminal."""
    claims: SightClaims[S]
    """The same statements, as claims that can be verified."""


class OddsReport(msgspec.Struct, frozen=True):
    """The odds of a scenario, as rows for JSON and as lines for the terminal."""

    rows: dict[str, object]
    """Plain values for JSON (docs/json.md). Texts are `Words`."""
    lines: tuple[Words, ...]
    """Lines for the terminal."""


OddsTool = Callable[[S, str, bool], OddsReport]
"""A function that returns the odds of a scenario, for its start or for the position in the given text.

The text describes a display of stacks and is empty for the start. If the last argument is true, more is computed
than for a kit.

Raises:
    WrongUsageError: If there are no odds to compute or the position is impossible.
"""


def exact_odds(compute: Callable[[S], OddsReport]) -> OddsTool[S]:
    """Return a tool for odds that are exact, fast to compute, and available only for the start of a scenario."""

    def tool(scenario: S, now: str, _exact: bool) -> OddsReport:
        if now:
            hint = tr("for this game, enter the current places of the units in the scenario file")
            raise WrongUsageError(
                tr("--now can be used only in games that have a battle display for stacks"), hint=hint
            )
        return compute(scenario)

    return tool


class Query(msgspec.Struct, Generic[S], frozen=True):
    """A question about a scenario, answered by a verb such as `moves` or `intercept`."""

    verb: str
    rows: Callable[[S, tuple[str, ...]], list[dict[str, object]]]
    """Return the answer as plain mappings for JSON (docs/json.md), given the verb's arguments as entered.

    Raises:
        WrongUsageError: If an argument is unknown or missing.
    """
    lines: Callable[[S, tuple[str, ...]], list[Words]]
    """Return the answer as lines for the terminal."""
    sheet: Callable[[S, tuple[str, ...]], Sheet]
    """Return a page with the answer drawn on the map."""


class RulingImpact(msgspec.Struct, Generic[S], frozen=True):
    """A part of a scenario that may depend on the rulings (common/interpretations.py)."""

    id: str
    """An id such as `sight`, `intercept` or `moves`. The table [stake_<id>] in the game's words.toml or in
    data/words.toml contains the texts.
    """
    facts: Callable[[S], Mapping[Words, Words]]
    """Return the facts keyed by subject, such as "clear" for "C3–D6". It raises no errors for any scenario."""
    switches: tuple[str, ...] = ()
    """The switches on which the part may depend. Empty if it may depend on any switch."""
    texts: Mapping[str, Words] | None = None
    """The texts `name`, `one`, `many` and `otherwise`, or None to use those in the words files."""

    @property
    def words(self) -> Mapping[str, Words]:
        """The texts `name`, `one`, `many` and `otherwise`."""
        return self.texts or shared_words()[f"stake_{self.id}"]


class LogFinding(msgspec.Struct, frozen=True):
    """A finding on a line of a game log."""

    line: int
    """The line number, counted from 1."""
    reason: str
    text: Words
    kind: Literal["fault", "question", "unread", "note"] = "fault"
    """The kind: a broken rule, an ambiguous line, a line that was not understood, or an assumption of the judge."""


class Judged(msgspec.Struct, frozen=True):
    """The result of checking a game log against the rules."""

    findings: tuple[LogFinding, ...]
    """The findings in the order of the lines. Empty if no rule was broken and every line was understood."""
    orders: int
    """The number of orders in the log."""
    position: Words
    """The winner, or the current position if the game is not over."""
    rows: dict[str, object]
    """The whole result as plain values for JSON (docs/json.md): turns, units, outcome."""
    notes: tuple[LogFinding, ...] = ()
    """The assumptions that the judge made after a fault or a line that was not understood."""
    doubtful: tuple[int, ...] = ()
    """The lines that were read as talk although they may be orders, replies or headers."""

    @property
    def broke_rule(self) -> bool:
        """Return whether any finding is a broken rule, rather than only an unclear line."""
        return any(finding.kind == "fault" for finding in self.findings)


class Upcoming(msgspec.Struct, frozen=True):
    """The next post of a game log."""

    text: Words
    """The text for the player to paste and complete."""
    rows: dict[str, object]
    """The post as plain values for JSON (docs/json.md)."""
    sheet: Sheet
    """A page that shows the start of the turn to which the post belongs."""


class Dice(msgspec.Struct, frozen=True):
    """Functions for dice rolls that neither player can influence, based on chains of hashed secrets."""

    forge: Callable[[str], tuple[str, ...]]
    """Make a chain from a secret. The result is the value to announce before play, then the links in the order of
    use.
    """
    sealed: Callable[[str], str]
    """Return the hash of a text. A player announces the hash before revealing the text."""
    roll: Callable[[str, str, str], tuple[str, str, tuple[int, ...]]]
    """Roll dice, given the attacker's link, the defender's link and an order as entered.

    The result is the mixed text, its hash and the dice.

    Raises:
        WrongUsageError: If the order is invalid.
    """


class Logbook(msgspec.Struct, Generic[S], frozen=True):
    """The functions of a game in which players write their orders in a log. A log can be judged and replayed."""

    judge: Callable[[S, str], Judged]
    """Judge the text of a log of this scenario. It raises no errors."""
    orders: Callable[[S, str, str], list[dict[str, object]]]
    """Return every order that a unit may be given, given a scenario, the text of a log and the id of the unit.

    The log leads to the position and is empty for the start. Each row for JSON has the notation of the order as
    `order`.

    Raises:
        WrongUsageError: If the unit is unknown.
    """
    play: Callable[[S, str, Lang], str]
    """Return the log of a whole game, played at random from a seed code, with headers in this language."""
    replay: Callable[[S, str, str], Kit]
    """Return a kit with one sheet for each turn of a log. Each sheet is a `turn` part and is marked with the given
    stamp.
    """
    next: Callable[[S, str, tuple[str, ...]], Upcoming]
    """Return the next post of a log, given the dice chain of the player who writes it. The chain may be empty."""
    dice: Dice


class Content(Protocol):
    """The content of a data file."""

    @property
    def name(self) -> Words:
        """The name of the content in both languages."""
        ...

    @property
    def source(self) -> str:
        """The owner of the content, determined by the rule in common/ownership.py."""
        ...


class Brush(msgspec.Struct, frozen=True):
    """An object that can be placed on cells of a map, such as stakes."""

    name: Words
    put: Callable[[dict[str, Any], Sequence[str], str, bool], None]
    """Change the values of a file. The arguments are the values, the cells and the direction as entered, and whether
    to add the object or remove it.
    """
    ways: Mapping[str, Words] = {}
    """The possible directions, such as the sides of a hex, keyed by their words. Empty if the object has no
    direction.
    """
    several: bool = False
    """Whether the cells are the corners of one object, rather than the places of separate objects."""
    can_be_named: bool = False
    """Whether a name may be given instead of a direction."""


class ContentType(msgspec.Struct, frozen=True):
    """A type of data file, such as decks, maps, inventories or tables."""

    kind: str
    items: Callable[[], Mapping[str, Words]]
    """The titles of the shipped files, keyed by name."""
    show: Callable[[str | Path, Lang], list[list[str]]]
    """Return a file as rows of text. The file is a shipped one, given by name, or a user's, given by path.

    A row with one cell separates blocks.

    Raises:
        DataError: If the file is faulty.
    """
    check: Callable[[Source], list[Problem]] | None = None
    """Return every fault of a user's file of this type. None if users cannot supply files of this type."""
    marks: tuple[str, ...] = ()
    """The top-level keys by which a file of this type is recognised."""
    view: Callable[[str | Path], MapView] | None = None
    """Return a map, board or arena as a view. The file is a shipped one, given by name, or a user's, given by path.

    None for other types.

    Raises:
        DataError: If the file is faulty.
    """
    file: Callable[[str], Path] | None = None
    """Return the path of a shipped file, given its name. Users copy it to start their own file.

    None if users cannot supply files of this type.
    """
    takes: tuple[str, ...] = ()
    """The options whose value is a file of this type."""
    forms: Mapping[str, Words] = {}
    """The titles of blank forms in the same folder, keyed by name. A form must be completed before play."""
    what: Words = Words("", "")
    """A word for the content of a file, for use within a sentence, such as "map"."""
    read: Callable[[Source], Content] | None = None
    """Read a user's file. None if users cannot supply files of this type.

    Raises:
        DataError: If the file is faulty.
    """
    form: type[msgspec.Struct] | None = None
    """The struct whose fields are the keys of the file. None if users cannot supply files of this type."""
    symbols: Callable[[], Mapping[str, Words]] = dict
    """The terrain symbols with their meanings. Empty if the file is not a map."""
    brushes: Callable[[], Mapping[str, Brush]] = dict
    """The objects that can be placed on cells of the map, keyed by their words."""
    command: tuple[str, ...] = ()
    """The command that uses the file with the first option of `takes`, if no game has an option for the file."""


class Printable(msgspec.Struct, frozen=True):
    """A set of pages that a game prints without a scenario, such as cards, tokens or boards."""

    verb: str
    kinds: Mapping[str, Words]
    """The titles of the parts, keyed by the words that `--only` accepts. Empty if `--only` chooses among `ships`."""
    make: Callable[[Mapping[str, str]], Kit]
    """Make the kit from the options as entered, keyed by name.

    The options are `only` (words of `items()`, separated by commas), `paper`, `seed` and those in `takes`.
    """
    takes: tuple[str, ...] = ()
    """The options that this game uses. They are options of the verb (board, size, half …) and options for files
    (deck, charts …), which are added to the verb.
    """
    ships: Callable[[], tuple[str, ...]] = tuple
    """Return the names of the shipped items that can be printed one by one. Empty if the items have no names."""

    def items(self) -> tuple[str, ...]:
        """Return the words that `--only` accepts: those of `kinds`, or the names of the shipped items."""
        return tuple(self.kinds) or self.ships()


class Score(msgspec.Struct, Generic[S], frozen=True):
    """The form in which the result of a game between two players is recorded."""

    counted: Words
    """The unit of victory, as a column heading: banners taken, brigades destroyed."""
    lost: Words
    """The unit of a side's losses, as a column heading."""
    parts: tuple[str, ...]
    """The parts of the kit that both players need on the table."""
    sides: Callable[[S], tuple[Words, Words]]
    """Return the names of the two sides."""
    goal: Callable[[S], tuple[Words, ...]]
    """Return sentences on how a game of this scenario is won."""
    max_counts: Callable[[S], tuple[int, int]] | None = None
    """Return the largest victory count that each side can reach. None if it is unknown."""
    over: Callable[[S], int] | None = None
    """Return the count at which a side wins at once, so that only one side can reach it. None if both sides can."""
    max_lost: Callable[[S], tuple[int, int]] | None = None
    """Return the largest losses that each side can have. None if lost units can return and be lost again."""


def score(
    game: str,
    sides: Iterable[Words],
    values: Callable[[S], Mapping[str, object]] = lambda _: {},
    max_counts: Callable[[S], tuple[int, int]] | None = None,
    over: Callable[[S], int] | None = None,
) -> Score[S]:
    """Return the score of a game between two sides, as defined in data/<game>/score.toml.

    `values` returns the values for the placeholders of the goal, `max_counts` the largest count of each side, and
    `over` the count that wins at once.
    """
    of, (first, second) = scoring(game), sides

    def goal(scenario: S) -> tuple[Words, ...]:
        return (of.goal.fill(**values(scenario)),) if of.goal else ()

    return Score(of.counted, of.lost, of.parts, lambda _: (first, second), goal, max_counts, over)


DRAW: Final = "draw"
"""The word for a drawn game in files, used in place of the winning side."""


class Ended(msgspec.Struct, frozen=True):
    """The result of a battle that was played."""

    winner: int | None
    """The index of the winning side in the game's `seats`, or None for a drawn battle."""
    counted: tuple[int, int]
    """The victory count of each side."""
    left: Mapping[str, int]
    """The number of figures left, keyed by unit id (1 for a unit without figures). Lost units are omitted."""


class Carried(msgspec.Struct, frozen=True):
    """A campaign record after a battle was added."""

    text: str
    """The text of the record's file. Only the added battle is new."""
    files: Mapping[str, str]
    """The texts of the files next to the record, keyed by the ending that is added to the record's name."""
    lines: tuple[Words, ...]
    """The state of the campaign, as lines for the terminal."""
    next: tuple[tuple[list[str], Mapping[str, str | bool]], ...]
    """The next commands, as words and options. If the value of an option is a key of `files`, it refers to that file.
    """


class Campaigner(msgspec.Struct, Generic[S], frozen=True):
    """The functions of a game whose battles can form a campaign."""

    units: Callable[[S], Mapping[str, int]]
    """Return the number of figures of every unit that can be lost at the start of a battle, keyed by unit id.

    The number is 1 for a unit without figures.
    """
    carry: Callable[[Source, S, str, Ended], Carried]
    """Add a battle to a record, given the record, the scenario, its stamp and the result.

    Raises:
        DataError: If the record is faulty.
        NotInOrderError: If the battle does not belong to this campaign.
    """


class Game(msgspec.Struct, Generic[S], frozen=True):
    """A game, as a collection of functions and tables."""

    name: str
    title: Words
    summary: Words
    options: tuple[GameOption, ...]
    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    read: Callable[[Source, Origin, Path], S]
    """Read the body of a scenario file. The path is the folder of the file, which may also contain the user's data
    files.
    """
    write: Callable[[S], str]
    """Return the body of a scenario file, in TOML."""
    export: Callable[[S], dict[str, object]]
    """Return the scenario as plain values for JSON, documented in docs/json.md."""
    story: Callable[[S], list[Words]]
    """Return a few lines for the terminal that describe the scenario."""
    kit: Callable[[S, Report, str, str], Kit]
    """Return the kit to print, given the report of the check, the stamp, and the command that prints the kit again.
    """
    content_types: tuple[ContentType, ...] = ()
    borrowed_content_types: tuple[ContentType, ...] = ()
    """The content types of another game whose files this game also accepts."""
    sight: SightTool[S] | None = None
    queries: tuple[Query[S], ...] = ()
    logbook: Logbook[S] | None = None
    stops: tuple[Stop[S], ...] = ()
    prints: tuple[Printable, ...] = ()
    score: Score[S] | None = None
    fairness: Fairness[S] | None = None
    odds: OddsTool[S] | None = None
    danger_sides: tuple[str, ...] = ()
    """The ids of the sides for which the odds contain the danger of every cell, in the order of the names of the
    sides in `fairness`. Empty if the odds do not contain it.
    """
    check_notes: Callable[[S], tuple[Words, ...]] = lambda _: ()
    """Return sentences that `muster check` prints after the findings of a legal scenario. They are slow to compute.
    """
    playing: Playing[S] | None = None
    campaign: Campaigner[S] | None = None
    form: type[msgspec.Struct] | None = None
    """The struct whose fields are the keys of the body of a scenario file."""
    switches: tuple[str, ...] = ()
    """The games whose rulings.toml files list the switches of this game's scenarios."""
    ruling_impacts: tuple[RulingImpact[S], ...] = ()
    """The parts of a scenario that rulings may affect, in addition to the findings of a check and the measures of
    fairness.
    """
    follows: Callable[[S], list[Words]] = lambda _: []
    """Return a sentence for each value that the scenario's file omits, on how it follows from the others. `muster
    check` prints them.
    """
    mode: Callable[[S], str] = lambda _: ""
    """Return the mode of play whose paragraphs the rules cite as sources. Empty if the game has only one mode."""
    map_import: MapImport | None = None
    """The functions with which the game takes over maps of other programs, or None if it cannot."""
    seats: tuple[str, ...] = ()
    """The sides from which a map may be viewed. The first side sits at the near edge of the map, the second at the
    far edge.
    """

    @property
    def tried(self) -> bool:
        """Whether the game's grade C is found by games of computer players rather than by computing odds."""
        return self.playing is not None and not (self.fairness and self.fairness.paired)

    def option_labels(self, option: GameOption) -> dict[str, Words]:
        """Return the labels of an option's words, keyed by word. The label of a shipped file is its title."""
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
        """Return the choice with this word or label, ignoring case, or an empty string unless exactly one matches.

        Labels are compared in both languages.
        """
        wanted = folded(text)
        if word := next((choice for choice in option.choices if folded(choice) == wanted), ""):
            return word
        labels = {choice for choice, label in self._labels_of(option) if folded(label) == wanted}
        return labels.pop() if len(labels) == 1 else ""

    def near_choice(self, option: GameOption, text: str) -> str:
        """Return a hint for a mistyped choice: the most similar word or label, or the list of accepted words."""
        label = nearest(text, [label for _, label in self._labels_of(option)])
        return near(text, option.choices if nearest(text, option.choices) or not label else [label])

    def _labels_of(self, option: GameOption) -> Iterator[tuple[str, str]]:
        """Yield each choice of an option with its label in each language."""
        for choice, label in self.option_labels(option).items():
            yield from ((choice, text) for text in (label.en, label.ja) if choice in option.choices)

    def unknown_options(
        self, options: Iterable[str], files: Iterable[str] = ()
    ) -> Iterator[tuple[tuple[str, str], str, str]]:
        """Yield a fault for each unknown option, and for each file given to an option that takes no file.

        A fault consists of the place in the file, the message and a hint.
        """
        of_files = [option.name for option in self.options if option.file]
        tables = (("wishes", options, [option.name for option in self.options]), ("files", files, of_files))
        for table, names, known in tables:
            for name in names:
                if name not in known:
                    message = tr("{game} does not have this option", game=self.name)
                    yield (table, name), message, near(name[:NAME_LIMIT], known)
