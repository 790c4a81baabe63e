"""Draw the scenarios of an event: its codes, the ids of its kits, and the scenario of each table."""

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
"""A function that draws the scenario of a request, as the event's game does."""
MODES: tuple[Mode, ...] = ("duplicate", "per-table")


class Event(Struct, frozen=True):
    """An event as an organiser requested it; `order` holds the event's code and the options for every scenario."""

    game: Game[Any]
    order: Request
    name: str
    mode: Mode = "duplicate"
    secret: str = ""
    """The secret from which the codes and kit ids of sealed rounds are made; empty if rounds are open."""
    games: int = 2
    """The number of games at a table: two with sides swapped, or one."""
    bid: str = ""
    """The kind of bids for a side: `banners` or `cards`; empty if players do not bid."""
    clock: tuple[str, ...] = ()
    """The times of each round, such as `9:30-11:10`."""
    notices: tuple[str, ...] = ()
    """The notices for the players, one in each element."""

    def times(self, number: int) -> tuple[str, str]:
        """Return the times at which a round begins and ends; empty if they are not given."""
        if number > len(self.clock):
            return "", ""
        begins, _, ends = self.clock[number - 1].partition("-")
        return begins, ends

    @property
    def score(self) -> Score[Any]:
        """The way in which results are recorded: that of the game, or points if the game does not define one."""
        texts = words("tournament")["score"]
        parts = ("map", "setup", "records")
        plain = Score[Any](
            texts["counted"], texts["lost"], parts, lambda _: (texts["one"], texts["two"]), lambda _: ()
        )
        return self.game.score or plain

    def secret_of(self, number: int) -> str:
        """Return the secret that opens one sealed round only; empty if rounds are open."""
        if not self.secret:
            return ""
        path = f"{self.order.code}/round/{number}"
        return blake2b(path.encode(), key=self.secret.encode(), digest_size=16).hexdigest()

    def scenarios_needed(self, tables: int) -> int:
        """Return the number of scenarios for a number of tables."""
        return min(tables, 1) if self.mode == "duplicate" else tables


class DrawnKit(Struct, frozen=True):
    """A scenario of an event with its report, and the stamp on its pages."""

    scenario: Any
    text: str
    """The content of the scenario file."""
    report: Report
    code: str
    stamp: str
    """The code on every page, or the kit id in sealed rounds."""
    certificate: Certificate | None
    """The measures of fairness; None if the game does not define any."""

    @property
    def command(self) -> str:
        """The command that draws the scenario again."""
        origin = self.scenario.origin
        return kit_command(origin.game, self.code, dict(origin.options))

    @property
    def digest(self) -> str:
        """The hash of the scenario file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_MAX_CODES_TRIED = 40
"""After this many codes without a new scenario, there is taken to be none."""
_MAX_FAILED_DRAWS = 8
"""After this many codes that draw no scenario at all, there is taken to be none."""
_INVISIBLE_PARTS = re.compile(r"^title\b[^\n]*$|^\[\[log\]\].*?(?=^\[(?!\[log)|\Z)", re.MULTILINE | re.DOTALL)
"""The parts of a scenario file that make no difference at the table: the title, and the log of the draw."""


class Codes:
    """The codes of an event, round by round.

    A round has as many codes as the largest round up to it needs; a missing round is taken to be as large as the
    next. So codes depend on the event's code, the number of the round, and the numbers of tables so far: a round that
    became smaller keeps its codes, and no code depends on a later round. If there are too few new scenarios, a round
    can also choose from the codes of the rounds before it.
    """

    def __init__(self, event: Event, rounds: Iterable[Round], draw: Draw | None = None) -> None:
        self.event, self._draw = event, draw or event.game.draw
        self._needed = {one.number: event.scenarios_needed(len(one.tables)) for one in rounds}
        self._content_hashes: dict[str, bytes] = {}
        """A hash of the scenario of each code, without its title."""
        self._new: list[tuple[str, ...]] = []
        """The codes of each round that drew a new scenario."""
        self.found_scenarios: dict[str, Any] = {}
        """The scenario that the search found by each code. A search is slow, so it is made once."""

    def codes_of_round(self, number: int) -> tuple[str, ...]:
        """Return the codes of a round, new ones first; raises NothingLegalError if nothing can be drawn."""
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
        """Return a hash of the scenario of a code, equal for scenarios that play the same."""
        if code not in self._content_hashes:
            self.draw(code)
        return self._content_hashes[code]

    def draw(self, code: str) -> None:
        """Draw the scenario of a code, and keep its hash."""
        scenario, body = _draw_scenario(self.event, code, self._draw)
        if searches_fair(self.event):
            self.found_scenarios[code] = scenario
        self._content_hashes[code] = blake2b(_INVISIBLE_PARTS.sub("", body).encode()).digest()

    def _code_count(self, number: int) -> int:
        """Return the number of codes of a round."""
        there = min((n for n in self._needed if n >= number), default=number)
        return max(needed for n, needed in self._needed.items() if n <= there)

    def _find_new_code(self, index: int, here: Sequence[str]) -> list[str]:
        """Return the first code of a scenario's sequence that draws a new scenario, in a list; empty if none does."""
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
            )  # The error's own hint is about a seed, but that code is not the event's.
            raise NothingLegalError(*(problem.but(hint=hint) for problem in failed[-1].problems))
        return []


_HALF_LENGTH = 4


def new_secret() -> str:
    """Return a random secret of 128 bits in hexadecimal."""
    return f"{secrets.randbits(128):032x}"


def kit_id(secret: str, code: str) -> str:
    """Return the id of a code's kit in a sealed round, such as `7KQ2-M9FX`; codes are longer."""
    number = int.from_bytes(blake2b(code.encode(), key=secret.encode(), digest_size=8).digest(), "big")
    symbols = "".join(SYMBOLS[number >> 5 * i & 31] for i in range(2 * _HALF_LENGTH))
    return f"{symbols[:_HALF_LENGTH]}-{symbols[_HALF_LENGTH:]}"


def scenario_file(stamp: str) -> str:
    """Return the name of a scenario file in the folder of its round, from the stamp on the pages."""
    return f"scenario-{stamp.rstrip('+')}.toml"


class Deal(Struct, frozen=True):
    """The scenarios of a round, and their tables."""

    drawn: tuple[DrawnKit, ...]
    """All scenarios; one that is on no table is spare."""
    kit_by_table: Mapping[int, DrawnKit]
    """The scenario of each table."""
    repeats: Mapping[int, tuple[str, ...]]
    """By table, the players who have played its scenario in an earlier round: the options leave too few scenarios."""

    @property
    def played(self) -> tuple[DrawnKit, ...]:
        """The scenarios that are on a table."""
        return tuple(one for one in self.drawn if any(one is other for other in self.kit_by_table.values()))

    def tables_of(self, drawn: DrawnKit) -> list[int]:
        """Return the tables of a scenario."""
        return [table for table, one in self.kit_by_table.items() if one is drawn]


class Seating(Struct, frozen=True):
    """The codes of a round and their tables; they depend on the other rounds, and all else follows from them."""

    number: int
    codes: tuple[str, ...]
    code_by_table: Mapping[int, str]
    repeats: Mapping[int, tuple[str, ...]]
    found_scenarios: Mapping[str, Any] = field(default_factory=dict)
    """The scenarios that a search found by these codes, if there was one."""


def searches_fair(event: Event) -> bool:
    """Return whether scenarios are drawn until one is fair, which is slow and shared among processes."""
    return FAIR in event.order.options


def deal_round(event: Event, seating: Seating) -> Deal:
    """Return the scenarios of a round, drawn and checked."""
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
    """Return the scenario of a code, and the body of its file."""
    scenario = draw(replace(event.order, code=code))
    return scenario, event.game.write(scenario)


class Scenarios:
    """The scenarios of an event's rounds, and the players who have played each."""

    def __init__(self, event: Event, rounds: Iterable[Round], draw: Draw | None = None) -> None:
        self.event = event
        self._rounds = {one.number: one for one in rounds}
        self._codes = Codes(event, self._rounds.values(), draw)
        self._seated: dict[int, list[tuple[Pairing, str]]] = {}

    def deal(self, number: int) -> Deal:
        """Return the scenarios of a round; raises NothingLegalError if nothing can be drawn."""
        return deal_round(self.event, self.seating(number))

    def seating(self, number: int) -> Seating:
        """Return the codes of a round; raises NothingLegalError if nothing can be drawn."""
        seats, contents_before = self._codes_by_table(number), self._contents_before(number)
        known_by_table = {p.table: self._players_who_know(contents_before, p, code) for p, code in seats}
        repeats = {table: names for table, names in known_by_table.items() if names}
        codes, at = self._codes.codes_of_round(number), {p.table: code for p, code in seats}
        found = {code: self._codes.found_scenarios[code] for code in codes if code in self._codes.found_scenarios}
        return Seating(number, codes, at, repeats, found)

    def _codes_by_table(self, number: int) -> list[tuple[Pairing, str]]:
        """Return the code of each table: in order, or so that few players meet a scenario again."""
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
        """Count how often each player has met each scenario in the rounds before."""
        before = sorted(n for n in self._rounds if n < number)
        return Counter(
            who for n in before for p, code in self._codes_by_table(n) for who in self._player_contents(p, code)
        )

    def _player_contents(self, pairing: Pairing, code: str) -> list[tuple[str, bytes]]:
        """Return each player at a table, with the hash of the code's scenario."""
        return [(plain(name), self._codes.content_hash(code)) for name in (pairing.a, pairing.b)]

    def _players_who_know(
        self, contents_before: Counter[tuple[str, bytes]], pairing: Pairing, code: str
    ) -> tuple[str, ...]:
        """Return the players at a table who have met the scenario of a code."""
        there = zip((pairing.a, pairing.b), self._player_contents(pairing, code), strict=True)
        return tuple(name for name, who in there if contents_before[who])


def least_known_column(known: Sequence[Sequence[int]]) -> int:
    """Return the first of the columns with the lowest sum."""
    return min(range(len(known[0])), key=lambda column: sum(row[column] for row in known)) if known else 0


def assign_columns(known: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row a column that it does not know: its own if possible, and no column twice.

    A row without such a column shares one: of those that it knows least, the one that the fewest rows have.
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
