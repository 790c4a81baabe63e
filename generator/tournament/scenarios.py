"""Which scenarios a round has, and which table plays which of them."""

from __future__ import annotations

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
        fair = certificate(game.fairness, scenario) if game.fairness else None
        return Drawn(scenario, text, check(game.rules, scenario), code, shown, fair)

    def _seats(self, number: int) -> list[tuple[Pairing, str]]:
        """The code of each table: in their order, or so that as many as may be meet what is new to them."""
        if number not in self._seated:
            codes, tables, met = self._codes.of(number), self._rounds[number].tables, self._met(number)
            order = [0] * len(tables)
            if self.event.mode == "per-table":
                order = matched([[not self._knows(met, p, code) for code in codes] for p in tables])
            self._seated[number] = [(p, codes[index]) for p, index in zip(tables, order, strict=True)]
        return self._seated[number]

    def _met(self, number: int) -> set[tuple[str, bytes]]:
        """Who has met what in the rounds before."""
        before = sorted(n for n in self._rounds if n < number)
        seats = [seat for n in before for seat in self._seats(n)]
        return {(plain(name), self._codes.look(code)) for p, code in seats for name in (p.a, p.b)}

    def _knows(self, met: set[tuple[str, bytes]], pairing: Pairing, code: str) -> tuple[str, ...]:
        """Who at a table has met what that code draws."""
        return tuple(name for name in (pairing.a, pairing.b) if (plain(name), self._codes.look(code)) in met)


def matched(good: Sequence[Sequence[bool]]) -> list[int]:
    """For each row a column of its own, as many of them good as may be; each in its own place where that will do."""
    taken: dict[int, int] = {}

    def seat(row: int, tried: set[int]) -> bool:
        columns = range(len(good[row]))
        for column in (*columns[row:], *columns[:row]):
            if good[row][column] and column not in tried:
                tried.add(column)
                if column not in taken or seat(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    for row in range(len(good)):
        seat(row, set())
    left = iter([column for column in range(len(good[0]) if good else 0) if column not in taken])
    places = {row: column for column, row in taken.items()}
    return [places[row] if row in places else next(left) for row in range(len(good))]
