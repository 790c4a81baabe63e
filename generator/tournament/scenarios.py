"""Which scenarios a round has, and which table plays which of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.games.fairness import certificate
from generator.notation.command import stamp
from generator.rules.rule import check
from generator.tournament.codes import Codes
from generator.tournament.columns import plain
from generator.tournament.event import Drawn, Event
from generator.tournament.kitid import kit_id
from generator.tournament.pairings import Pairing, Round


@dataclass(frozen=True)
class Deal:
    """A round's scenarios, and where they lie."""

    drawn: tuple[Drawn, ...]
    """All of them; one that lies on no table is spare."""
    at: Mapping[int, Drawn]
    """What each table plays, by its number."""
    again: Mapping[int, tuple[str, ...]]
    """Who has played it in a round before, by the table's number: the wishes leave too few to choose from."""

    @property
    def played(self) -> tuple[Drawn, ...]:
        """Those that lie on a table."""
        return tuple(one for one in self.drawn if any(one is other for other in self.at.values()))

    def tables(self, drawn: Drawn) -> list[int]:
        """Where a scenario lies."""
        return [table for table, one in self.at.items() if one is drawn]


class Scenarios:
    """The scenarios of an event's rounds, and who has met which."""

    def __init__(self, event: Event, rounds: Iterable[Round]) -> None:
        self.event = event
        self._rounds = {one.number: one for one in rounds}
        self._codes = Codes(event, self._rounds.values())
        self._seated: dict[int, list[tuple[Pairing, str]]] = {}

    def deal(self, number: int) -> Deal:
        """One of the rounds; NothingLegalError where nothing can be drawn."""
        drawn = {code: self._proved(number, code) for code in self._codes.of(number)}
        seats, met = self._seats(number), self._met(number)
        again = {p.table: self._knows(met, p, code) for p, code in seats}
        return Deal(
            tuple(drawn.values()),
            {p.table: drawn[code] for p, code in seats},
            {table: names for table, names in again.items() if names},
        )

    def _proved(self, number: int, code: str) -> Drawn:
        game, sealed = self.event.game, self.event.secret_of(number)
        scenario, text = self._codes.draw(code)
        shown = kit_id(sealed, code) if sealed else stamp(code, self.event.order.wishes)
        report = check(game.rules, scenario)
        fair = certificate(game.fairness, scenario, report) if game.fairness else None
        return Drawn(scenario, text, report, code, shown, fair)

    def _seats(self, number: int) -> list[tuple[Pairing, str]]:
        """The code of each table: in their order, or so that as few as may be meet what they have met."""
        if number not in self._seated:
            codes, tables, met = self._codes.of(number), self._rounds[number].tables, self._met(number)
            known = [[sum(met[who] for who in self._meet(p, code)) for code in codes] for p in tables]
            order = matched(known) if self.event.mode == "per-table" else [least(known)] * len(tables)
            self._seated[number] = [(p, codes[index]) for p, index in zip(tables, order, strict=True)]
        return self._seated[number]

    def _met(self, number: int) -> Counter[tuple[str, bytes]]:
        """Who has met what in the rounds before, and how often."""
        before = sorted(n for n in self._rounds if n < number)
        return Counter(who for n in before for p, code in self._seats(n) for who in self._meet(p, code))

    def _meet(self, pairing: Pairing, code: str) -> list[tuple[str, bytes]]:
        """Who at a table meets what, where that code lies there."""
        return [(plain(name), self._codes.look(code)) for name in (pairing.a, pairing.b)]

    def _knows(self, met: Counter[tuple[str, bytes]], pairing: Pairing, code: str) -> tuple[str, ...]:
        """Who at a table has met what that code draws."""
        there = zip((pairing.a, pairing.b), self._meet(pairing, code), strict=True)
        return tuple(name for name, who in there if met[who])


def least(known: Sequence[Sequence[int]]) -> int:
    """The column that all rows together know least, the first of such."""
    return min(range(len(known[0])), key=lambda column: sum(row[column] for row in known)) if known else 0


def matched(known: Sequence[Sequence[int]]) -> list[int]:
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
