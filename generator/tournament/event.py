"""Generate the scenarios of an event: the codes, the ids of kits, and the scenario of each table."""

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
from generator.tournament.pairings import ByeValue, Pairing, Round

Mode = Literal["duplicate", "per-table"]
Draw = Callable[[Request], Any]
"""A function that generates the scenario of a request, such as `Game.draw`."""
MODES: tuple[Mode, ...] = ("duplicate", "per-table")


class Event(Struct, frozen=True):
    """An event as requested by an organiser. `order` contains the event's code and the options for every scenario."""

    game: Game[Any]
    order: Request
    name: str
    mode: Mode = "duplicate"
    secret: str = ""
    """The secret from which the codes and kit ids of sealed rounds are derived. Empty if rounds are open."""
    games: int = 2
    """The number of games at a table: 2 with swapped sides, or 1."""
    bid: str = ""
    """The currency of bids for the choice of a side: `banners` or `cards`; empty if players do not bid."""
    clock: tuple[str, ...] = ()
    """The times of each round, such as `9:30-11:10`."""
    notices: tuple[str, ...] = ()
    """The notices for the players, one in each element."""
    bye: ByeValue = "full"
    """The value of a bye."""

    def times(self, number: int) -> tuple[str, str]:
        """Return the times at which a round begins and ends, or empty strings if they are not given."""
        if number > len(self.clock):
            return "", ""
        begins, _, ends = self.clock[number - 1].partition("-")
        return begins, ends

    @property
    def score(self) -> Score[Any]:
        """The form in which results are recorded, defined by the game, or points if the game does not define one."""
        texts = words("tournament")["score"]
        parts = ("map", "setup", "records")
        plain = Score[Any](
            texts["counted"], texts["lost"], parts, lambda _: (texts["one"], texts["two"]), lambda _: ()
        )
        return self.game.score or plain

    def secret_of(self, number: int) -> str:
        """Return the secret that opens only this sealed round, or an empty string if rounds are open."""
        if not self.secret:
            return ""
        path = f"{self.order.code}/round/{number}"
        return blake2b(path.encode(), key=self.secret.encode(), digest_size=16).hexdigest()

    def scenarios_needed(self, tables: int) -> int:
        """Return the number of scenarios that are needed for this number of tables."""
        return min(tables, 1) if self.mode == "duplicate" else tables


class DrawnKit(Struct, frozen=True):
    """A scenario of an event, with its report and the stamp that is printed on its pages."""

    scenario: Any
    text: str
    """The content of the scenario file."""
    report: Report
    code: str
    stamp: str
    """The stamp on every page: the code, or the kit id in sealed rounds."""
    certificate: Certificate | None
    """The certificate of fairness, or None if the game has no measures."""

    @property
    def command(self) -> str:
        """The command that generates the scenario again."""
        origin = self.scenario.origin
        return kit_command(origin.game, self.code, dict(origin.options))

    @property
    def digest(self) -> str:
        """The SHA-256 of the scenario file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_MAX_CODES_TRIED = 40
"""The number of codes to try for a new scenario before assuming that there is none."""
_MAX_FAILED_DRAWS = 8
"""The number of codes without any legal scenario after which the search ends."""
_INVISIBLE_PARTS = re.compile(r"^title\b[^\n]*$|^\[\[log\]\].*?(?=^\[(?!\[log)|\Z)", re.MULTILINE | re.DOTALL)
"""Matches the parts of a scenario file that make no difference at the table: the title and the log."""


class Codes:
    """The codes of an event, by round.

    The number of codes of a round is the number that the largest round up to it needs. A missing round counts as
    being as large as the next round. The codes therefore depend on the event's code, the number of the round, and
    the numbers of tables so far. A round that became smaller keeps its codes, and no code depends on a later
    round. If there are too few new scenarios, a round also uses the codes of earlier rounds.
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
        """Return the codes of a round, beginning with new ones.

        Raises:
            NothingLegalError: If no scenario can be generated.
        """
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
        """Return a hash of the scenario of a code. Scenarios that play the same have the same hash."""
        if code not in self._content_hashes:
            self.draw(code)
        return self._content_hashes[code]

    def draw(self, code: str) -> None:
        """Generate the scenario of a code, and store its hash."""
        scenario, body = _draw_scenario(self.event, code, self._draw)
        if searches_fair(self.event):
            self.found_scenarios[code] = scenario
        self._content_hashes[code] = blake2b(_INVISIBLE_PARTS.sub("", body).encode()).digest()

    def _code_count(self, number: int) -> int:
        """Return the number of codes for a round."""
        there = min((n for n in self._needed if n >= number), default=number)
        return max(needed for n, needed in self._needed.items() if n <= there)

    def _find_new_code(self, index: int, here: Sequence[str]) -> list[str]:
        """Return a list with the first code of a scenario's sequence that has a new scenario. It may be empty."""
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
            )  # The hint of the error refers to a seed, but this code is not the event's seed.
            raise NothingLegalError(*(problem.but(hint=hint) for problem in failed[-1].problems))
        return []


_HALF_LENGTH = 4


def new_secret() -> str:
    """Return a random secret of 128 bits in hexadecimal."""
    return f"{secrets.randbits(128):032x}"


def kit_id(secret: str, code: str) -> str:
    """Return the kit id of a code in a sealed round, such as `7KQ2-M9FX`. Unlike codes, ids have eight symbols."""
    number = int.from_bytes(blake2b(code.encode(), key=secret.encode(), digest_size=8).digest(), "big")
    symbols = "".join(SYMBOLS[number >> 5 * i & 31] for i in range(2 * _HALF_LENGTH))
    return f"{symbols[:_HALF_LENGTH]}-{symbols[_HALF_LENGTH:]}"


def scenario_file(stamp: str) -> str:
    """Return the name of a scenario's file in the folder of a round, given the stamp on its pages."""
    return f"scenario-{stamp.rstrip('+')}.toml"


class Deal(Struct, frozen=True):
    """The scenarios of a round and their tables."""

    drawn: tuple[DrawnKit, ...]
    """All scenarios. A scenario without a table is spare."""
    kit_by_table: Mapping[int, DrawnKit]
    """The scenario of each table, keyed by table."""
    repeats: Mapping[int, tuple[str, ...]]
    """The players who have already played the scenario of their table in an earlier round, keyed by table.

    This occurs if the options allow too few scenarios.
    """

    @property
    def played(self) -> tuple[DrawnKit, ...]:
        """The scenarios that are played at a table."""
        return tuple(one for one in self.drawn if any(one is other for other in self.kit_by_table.values()))

    def tables_of(self, drawn: DrawnKit) -> list[int]:
        """Return the tables at which a scenario is played."""
        return [table for table, one in self.kit_by_table.items() if one is drawn]


class Seating(Struct, frozen=True):
    """The codes of a round and their tables. They depend on the other rounds and determine everything else."""

    number: int
    codes: tuple[str, ...]
    code_by_table: Mapping[int, str]
    repeats: Mapping[int, tuple[str, ...]]
    found_scenarios: Mapping[str, Any] = field(default_factory=dict)
    """The scenarios that a search found, keyed by code. Empty if there was no search."""


def searches_fair(event: Event) -> bool:
    """Return whether the event searches for fair scenarios, which is slow and is distributed over processes."""
    return FAIR in event.order.options


def deal_round(event: Event, seating: Seating) -> Deal:
    """Generate and check the scenarios of a round."""
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
    """Generate the scenario of a code, and return it with the body of its file."""
    scenario = draw(replace(event.order, code=code))
    return scenario, event.game.write(scenario)


class Scenarios:
    """The scenarios of an event's rounds, including who has played which scenario."""

    def __init__(self, event: Event, rounds: Iterable[Round], draw: Draw | None = None) -> None:
        self.event = event
        self._rounds = {one.number: one for one in rounds}
        self._codes = Codes(event, self._rounds.values(), draw)
        self._seated: dict[int, list[tuple[Pairing, str]]] = {}

    def deal(self, number: int) -> Deal:
        """Generate the scenarios of a round.

        Raises:
            NothingLegalError: If no scenario can be generated.
        """
        return deal_round(self.event, self.seating(number))

    def seating(self, number: int) -> Seating:
        """Return the codes of a round.

        Raises:
            NothingLegalError: If no scenario can be generated.
        """
        seats, contents_before = self._codes_by_table(number), self._contents_before(number)
        known_by_table = {p.table: self._players_who_know(contents_before, p, code) for p, code in seats}
        repeats = {table: names for table, names in known_by_table.items() if names}
        codes, at = self._codes.codes_of_round(number), {p.table: code for p, code in seats}
        found = {code: self._codes.found_scenarios[code] for code in codes if code in self._codes.found_scenarios}
        return Seating(number, codes, at, repeats, found)

    def _codes_by_table(self, number: int) -> list[tuple[Pairing, str]]:
        """Return each table with its code, assigned so that few players play a scenario again."""
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
        """Return how often each player has played each scenario before this round."""
        before = sorted(n for n in self._rounds if n < number)
        return Counter(
            who for n in before for p, code in self._codes_by_table(n) for who in self._player_contents(p, code)
        )

    def _player_contents(self, pairing: Pairing, code: str) -> list[tuple[str, bytes]]:
        """Return each player at a table, paired with the hash of the code's scenario."""
        return [(plain(name), self._codes.content_hash(code)) for name in (pairing.a, pairing.b)]

    def _players_who_know(
        self, contents_before: Counter[tuple[str, bytes]], pairing: Pairing, code: str
    ) -> tuple[str, ...]:
        """Return the players at a table who have already played the scenario of a code."""
        there = zip((pairing.a, pairing.b), self._player_contents(pairing, code), strict=True)
        return tuple(name for name, who in there if contents_before[who])


def least_known_column(known: Sequence[Sequence[int]]) -> int:
    """Return the index of the column with the smallest sum. If several have it, return the first."""
    return min(range(len(known[0])), key=lambda column: sum(row[column] for row in known)) if known else 0


def assign_columns(known: Sequence[Sequence[int]]) -> list[int]:
    """Return a column for each row whose value in the row is 0. A row gets its own column if possible.

    No column is assigned twice, unless a row has no such column left. That row shares a column: among its smallest
    values, the one that the fewest rows have.
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
