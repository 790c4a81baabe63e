"""What Blind Faith prints to be cut out: a counter for every unit, and the legates' markers."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES, Legate, Side
from generator.games.blind_faith.pages.mapsheet import legate_token, unit_token
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.telling import beside
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import side_name, words
from generator.model.views import Back, Piece, Run
from generator.model.words import Words


def side_run(pack: Pack, side: Side) -> Run:
    """Counters of every class that a side has: as many as there are, or a good number."""
    units = [unit.id for unit in pack.of_side(side) for _ in range(unit.most or room().counters.each)]
    return _run(words()["pieces"]["side"].fill(side=side_name(side)), _pieces(pack, side, units))


def legate_run(pack: Pack) -> Run:
    """A marker for each legate that is none of the units."""
    return _run(words()["pieces"]["legates"], _markers(pack, [one for one in pack.legates if not one.unit]))


def drawn_run(scenario: Scenario) -> Run:
    """The counters of one scenario."""
    pieces = [piece for side in SIDES for piece in _pieces(scenario.pack, side, scenario.units_of(side))]
    return _run(words()["pieces"]["drawn"], [*pieces, *_markers(scenario.pack, beside(scenario))])


def _run(title: Words, pieces: Iterable[Piece]) -> Run:
    counters = room().counters
    return Run("tokens", title, tuple(pieces), "square", counters.hex, counters.width / counters.hex)


def _pieces(pack: Pack, side: Side, units: Iterable[str]) -> list[Piece]:
    back = Back(side, side_name(side))
    return [Piece(pack.units[unit].name, unit_token(pack, side, unit), back) for unit in units]


def _markers(pack: Pack, legates: Iterable[Legate]) -> list[Piece]:
    """A marker for each of these legates, or his counter where he is a unit."""
    found: list[Piece] = []
    for legate in legates:
        sides = pack.units[legate.unit].sides if legate.unit else ()
        found += [piece for side in sides for piece in _pieces(pack, side, [legate.unit])]
        found += [] if sides else [Piece(legate.name, legate_token(), legate_token())]
    return found
