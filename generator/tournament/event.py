"""An event: its codes, the scenario of each table, and its kits' names.

An event, and the scenarios that are drawn for it.

The codes of an event's scenarios: each draws anew, and no two alike as long as there are others.

Kit ids: what stands on the pages of a sealed round in the place of the code, and gives nothing of it away.

Which scenarios a round has, and which table plays which of them.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from generator.common.fairness import Certificate, certificate
from generator.common.game import Game, Score
from generator.common.search import FAIR
from generator.common.tables import words
from generator.errors import NothingLegalError
from generator.localization import tr
from generator.model.scenario import Request
from generator.notation import envelope
from generator.notation.text import kit_command, stamp
from generator.rules import Report, check
from generator.seeds import BITS, SYMBOLS, RngStreams, code_for
from generator.tournament.csv_files import plain
from generator.tournament.pairings import Pairing, Round

Mode = Literal["duplicate", "per-table"]
Draw = Callable[[Request], Any]
"""Draws what is ordered, as the event's game does."""
MODES: tuple[Mode, ...] = ("duplicate", "per-table")


class Event(Struct, frozen=True):
    """What an organiser asked for; `order` holds the event's code and the wishes for every scenario."""

    game: Game[Any]
    order: Request
    name: str
    mode: Mode = "duplicate"
    secret: str = ""
    """What the kit ids of sealed rounds, and their codes, are made with; empty where rounds are open."""
    games: int = 2
    """How many are played at a table: two with sides swapped, or one."""
    bid: str = ""
    """What players bid for a side; empty where they do not."""
    clock: tuple[str, ...] = ()
    """From when to when each round is played, such as `9:30-11:10`."""
    notices: tuple[str, ...] = ()
    """What players must know, a line each."""

    def times(self, number: int) -> tuple[str, str]:
        """When a round begins and ends; empty where nobody said."""
        if number > len(self.clock):
            return "", ""
        begins, _, ends = self.clock[number - 1].partition("-")
        return begins, ends

    @property
    def score(self) -> Score[Any]:
        """How results are written down: as the game has it, else by points."""
        texts = words("tournament")["score"]
        parts = ("map", "setup", "records")
        plain = Score[Any](
            texts["counted"], texts["lost"], parts, lambda _: (texts["one"], texts["two"]), lambda _: ()
        )
        return self.game.score or plain

    def secret_of(self, number: int) -> str:
        """What a sealed round is opened with, and no other; empty where rounds are open."""
        if not self.secret:
            return ""
        path = f"{self.order.code}/round/{number}"
        return blake2b(path.encode(), key=self.secret.encode(), digest_size=16).hexdigest()

    def scenarios_needed(self, tables: int) -> int:
        """How many scenarios so many tables need."""
        return min(tables, 1) if self.mode == "duplicate" else tables


class DrawnKit(Struct, frozen=True):
    """A scenario of an event, proved, with what stands on its pages."""

    scenario: Any
    text: str
    """The scenario file."""
    report: Report
    code: str
    stamp: str
    """What stands on every page: the code, or in sealed rounds a kit id."""
    certificate: Certificate | None
    """How fair it is; None in a game that has no measures."""

    @property
    def command(self) -> str:
        """The command that draws it again."""
        origin = self.scenario.origin
        return kit_command(origin.game, self.code, dict(origin.options))

    @property
    def digest(self) -> str:
        """The hash of the scenario file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_MAX_CODES_TRIED = 40
"""After so many codes that draw nothing new, there is nothing new to draw."""
_MAX_FAILED_DRAWS = 8
"""After so many that draw nothing at all, there is nothing to draw."""
_INVISIBLE_PARTS = re.compile(r"^title\b[^\n]*$|^\[\[log\]\].*?(?=^\[(?!\[log)|\Z)", re.MULTILINE | re.DOTALL)
"""What players do not meet on the table: a scenario's title, and the log of its draw."""


class Codes:
    """An event's codes, round after round.

    A round has as many as the largest round up to it needs; a round that is not there is taken to be as large as the
    next. So they follow from the event's code, the round's number, and how many tables there have been: a round that
    became smaller keeps the codes that it had, and none hangs on a later one. Where there is nothing new for all of
    them, a round has the codes of those before it too, to choose from.
    """

    def __init__(self, event: Event, rounds: Iterable[Round], draw: Draw | None = None) -> None:
        self.event, self._draw = event, draw or event.game.draw
        self._needed = {one.number: event.scenarios_needed(len(one.tables)) for one in rounds}
        self._content_hashes: dict[str, bytes] = {}
        """What each code draws, but for its title, as a hash."""
        self._new: list[tuple[str, ...]] = []
        """Round by round the codes that drew something new."""
        self.found_scenarios: dict[str, Any] = {}
        """What a search found by each code: it takes long, and is done once."""

    def codes_of_round(self, number: int) -> tuple[str, ...]:
        """The codes of a round, new ones first; NothingLegalError where nothing can be drawn."""
        while len(self._new) < number:
            codes: list[str] = []
            for index in range(self._code_count(len(self._new) + 1)):
                codes += self._find_new_code(index, codes)
            self._new.append(tuple(codes))
        new = self._new[number - 1]
        if len(new) == self._code_count(number):
            return new
        return new + tuple(code for codes in self._new[: number - 1] for code in codes)

    def content_hash(self, code: str) -> bytes:
        """What players meet who play what the code draws: equal where they could tell no difference."""
        if code not in self._content_hashes:
            self.draw(code)
        return self._content_hashes[code]

    def draw(self, code: str) -> None:
        """Know what the code draws."""
        scenario, body = _draw_scenario(self.event, code, self._draw)
        if searches_fair(self.event):
            self.found_scenarios[code] = scenario
        self._content_hashes[code] = blake2b(_INVISIBLE_PARTS.sub("", body).encode()).digest()

    def _code_count(self, number: int) -> int:
        """How many codes a round has."""
        there = min((n for n in self._needed if n >= number), default=number)
        return max(needed for n, needed in self._needed.items() if n <= there)

    def _find_new_code(self, index: int, here: Sequence[str]) -> list[str]:
        """The first code of a scenario's stream that draws something new; none where all tried are known."""
        key = "/".join(filter(None, (self.event.order.code, self.event.secret)))
        stream = RngStreams(key, "v1/tournament").at(f"{len(self._new) + 1}/{index + 1}")
        known = {self.content_hash(code) for codes in (*self._new, here) for code in codes}
        drawn, failed = False, list[NothingLegalError]()
        for code in (code_for(stream.below(1 << BITS)) for _ in range(_MAX_CODES_TRIED)):
            try:
                if self.content_hash(code) not in known:
                    return [code]
                drawn = True
            except NothingLegalError as error:
                failed.append(error)
                if len(failed) == _MAX_FAILED_DRAWS:
                    break
        if not drawn:
            hint = tr(
                "choose fewer options"
            )  # not for another seed: the code in the error's own hint is not the event's
            raise NothingLegalError(*(problem.but(hint=hint) for problem in failed[-1].problems))
        return []


_HALF_LENGTH = 4


def new_secret() -> str:
    """A secret that nobody can guess: 128 bits in hexadecimal."""
    return f"{secrets.randbits(128):032x}"


def kit_id(secret: str, code: str) -> str:
    """The id of the kit of that code in a round of that secret, such as `7KQ2-M9FX`: no code is so short."""
    number = int.from_bytes(blake2b(code.encode(), key=secret.encode(), digest_size=8).digest(), "big")
    symbols = "".join(SYMBOLS[number >> 5 * i & 31] for i in range(2 * _HALF_LENGTH))
    return f"{symbols[:_HALF_LENGTH]}-{symbols[_HALF_LENGTH:]}"


def scenario_file(stamp: str) -> str:
    """What the scenario's file is called in its round's folder, by what stands on the pages."""
    return f"scenario-{stamp.rstrip('+')}.toml"


class Deal(Struct, frozen=True):
    """A round's scenarios, and where they lie."""

    drawn: tuple[DrawnKit, ...]
    """All of them; one that lies on no table is spare."""
    kit_by_table: Mapping[int, DrawnKit]
    """What each table plays, by its number."""
    repeats: Mapping[int, tuple[str, ...]]
    """Who has played it in a round before, by the table's number: the wishes leave too few to choose from."""

    @property
    def played(self) -> tuple[DrawnKit, ...]:
        """Those that lie on a table."""
        return tuple(one for one in self.drawn if any(one is other for other in self.kit_by_table.values()))

    def tables_of(self, drawn: DrawnKit) -> list[int]:
        """Where a scenario lies."""
        return [table for table, one in self.kit_by_table.items() if one is drawn]


class Seating(Struct, frozen=True):
    """Which codes a round has, and where they lie: all that hangs on the other rounds."""

    number: int
    codes: tuple[str, ...]
    code_by_table: Mapping[int, str]
    repeats: Mapping[int, tuple[str, ...]]
    found_scenarios: Mapping[str, Any] = field(default_factory=dict)
    """What a search found by these codes, where there was one."""


def searches_fair(event: Event) -> bool:
    """Whether scenarios are looked for until one is fair: that takes long, and is shared."""
    return FAIR in event.order.options


def deal_round(event: Event, seating: Seating) -> Deal:
    """A round's scenarios, drawn and proved."""
    drawn = {
        code: _prove_scenario(event, seating.number, code, seating.found_scenarios.get(code))
        for code in seating.codes
    }
    return Deal(
        tuple(drawn.values()), {table: drawn[code] for table, code in seating.code_by_table.items()}, seating.repeats
    )


def _prove_scenario(event: Event, number: int, code: str, found: Any) -> DrawnKit:
    game, sealed = event.game, event.secret_of(number)
    scenario, body = (found, game.write(found)) if found is not None else _draw_scenario(event, code, game.draw)
    text = envelope.compose(scenario.origin, body)
    kit_stamp = kit_id(sealed, code) if sealed else stamp(code, event.order.options)
    report = check(game.rules, scenario, game.mode(scenario))
    fair = certificate(game.fairness, scenario, report) if game.fairness else None
    return DrawnKit(scenario, text, report, code, kit_stamp, fair)


def _draw_scenario(event: Event, code: str, draw: Draw) -> tuple[Any, str]:
    """What a code draws, and the body of its file."""
    scenario = draw(replace(event.order, code=code))
    return scenario, event.game.write(scenario)


class Scenarios:
    """The scenarios of an event's rounds, and who has met which."""

    def __init__(self, event: Event, rounds: Iterable[Round], draw: Draw | None = None) -> None:
        self.event = event
        self._rounds = {one.number: one for one in rounds}
        self._codes = Codes(event, self._rounds.values(), draw)
        self._seated: dict[int, list[tuple[Pairing, str]]] = {}

    def deal(self, number: int) -> Deal:
        """One of the rounds; NothingLegalError where nothing can be drawn."""
        return deal_round(self.event, self.seating(number))

    def seating(self, number: int) -> Seating:
        """What one of the rounds is dealt from; NothingLegalError where nothing can be drawn."""
        seats, contents_before = self._codes_by_table(number), self._contents_before(number)
        known_by_table = {p.table: self._players_who_know(contents_before, p, code) for p, code in seats}
        repeats = {table: names for table, names in known_by_table.items() if names}
        codes, at = self._codes.codes_of_round(number), {p.table: code for p, code in seats}
        found = {code: self._codes.found_scenarios[code] for code in codes if code in self._codes.found_scenarios}
        return Seating(number, codes, at, repeats, found)

    def _codes_by_table(self, number: int) -> list[tuple[Pairing, str]]:
        """The code of each table: in their order, or so that as few as may be meet what they have met."""
        if number not in self._seated:
            codes, tables, contents_before = (
                self._codes.codes_of_round(number),
                self._rounds[number].tables,
                self._contents_before(number),
            )
            known = [
                [sum(contents_before[who] for who in self._player_contents(p, code)) for code in codes]
                for p in tables
            ]
            order = (
                assign_columns(known) if self.event.mode == "per-table" else [least_known_column(known)] * len(tables)
            )
            self._seated[number] = [(p, codes[index]) for p, index in zip(tables, order, strict=True)]
        return self._seated[number]

    def _contents_before(self, number: int) -> Counter[tuple[str, bytes]]:
        """Who has met what in the rounds before, and how often."""
        before = sorted(n for n in self._rounds if n < number)
        return Counter(
            who for n in before for p, code in self._codes_by_table(n) for who in self._player_contents(p, code)
        )

    def _player_contents(self, pairing: Pairing, code: str) -> list[tuple[str, bytes]]:
        """Who at a table meets what, where that code lies there."""
        return [(plain(name), self._codes.content_hash(code)) for name in (pairing.a, pairing.b)]

    def _players_who_know(
        self, contents_before: Counter[tuple[str, bytes]], pairing: Pairing, code: str
    ) -> tuple[str, ...]:
        """Who at a table has met what that code draws."""
        there = zip((pairing.a, pairing.b), self._player_contents(pairing, code), strict=True)
        return tuple(name for name, who in there if contents_before[who])


def least_known_column(known: Sequence[Sequence[int]]) -> int:
    """The column that all rows together know least, the first of such."""
    return min(range(len(known[0])), key=lambda column: sum(row[column] for row in known)) if known else 0


def assign_columns(known: Sequence[Sequence[int]]) -> list[int]:
    """For each row a column that it does not know, of its own where that will do, and in its own place.

    A row for which none is left shares one: of those that it knows least, the one that fewest rows have.
    """
    taken: dict[int, int] = {}

    def seat(row: int, tried: set[int]) -> bool:
        columns = range(len(known[row]))
        for column in (*columns[row:], *columns[:row]):
            if not known[row][column] and column not in tried:
                tried.add(column)
                if column not in taken or seat(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    left = [row for row in range(len(known)) if not seat(row, set())]
    places = {row: column for column, row in taken.items()}
    for row in left:
        shared = Counter(places.values())
        places[row] = min(range(len(known[row])), key=lambda column: (known[row][column], shared[column]))
    return [places[row] for row in range(len(known))]
