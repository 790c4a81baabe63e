"""One camp's army while it is raised: deployment, displacement, levies, reserves.

What is lawful is written once more in rules/, on purpose: the checker must not lean on the draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.draw.streams import Streams
from generator.games.battlelore.battle import OFF_BOARD, PREFIX
from generator.games.battlelore.forces.units import Kind, Placed, Unit
from generator.games.battlelore.ground.board import Board, Camp, Section
from generator.games.call_to_arms.draw.reservewishes import picked, place
from generator.games.call_to_arms.forces.cards import Card, CardUnit
from generator.games.call_to_arms.wishes import Asked
from generator.games.logs import Step
from generator.grid.hexes import Hex, distance


@dataclass
class Army:
    """A camp's units as they come onto the board; `log` tells each step."""

    asked: Asked
    camp: Camp
    board: Board
    streams: Streams
    places: dict[Section, str]
    reserve: str
    units: list[Unit] = field(default_factory=list)
    log: list[Step] = field(default_factory=list)

    def card(self, ref: str) -> Card:
        """A card by what the camp calls it."""
        return self.asked.deck.card(self.camp, ref)

    def note(self, what: str, stream: str, *result: str) -> None:
        """Tell a step."""
        self.log.append(Step(what, self.camp, stream, result))

    def name(self, cell: Hex | None) -> str:
        """A hex by name, or the sign for none."""
        return self.board.field.name(cell) if cell else OFF_BOARD

    def free(self, cells: Iterable[Hex]) -> list[Hex]:
        """Those where a unit could be placed."""
        taken = {u.hex for u in self.units if u.hex}
        return [c for c in cells if self.board.passable(c) and c not in taken]

    @property
    def green(self) -> int:
        """Green banners on the board."""
        return sum(u.kind.banner == "green" for u in self.units if u.hex)

    def add(self, ref: str, of: CardUnit, placed: Placed, at: Hex | None) -> Unit:
        """Take a unit from the pool, or a levy token for it; with neither it is not deployed."""
        short = at is not None and not self.asked.pool.fits(self.camp, [*self._real(), of.kind])
        levy = short and self._tokens()[of.kind.banner] < self.asked.pool.levies(self.camp, of.kind.banner)
        if short and not levy:
            at, placed = None, "lost"
        unit = Unit(f"{PREFIX[self.camp]}{len(self.units) + 1}", of.kind, ref, (of.column, of.row), placed, at, levy)
        self.units.append(unit)
        if levy:
            self.note("levy", "", unit.id, of.kind.banner)
        elif short:
            self.note("short", "", unit.id)
        return unit

    def _real(self) -> list[Kind]:
        return [u.kind for u in self.units if u.hex and not u.levy]

    def _tokens(self) -> Counter[str]:
        return Counter(u.kind.banner for u in self.units if u.hex and u.levy)

    def deploy(self, section: Section) -> None:
        """Units on their own hexes first, then the displaced ones in card order."""
        ref = self.places[section]
        own = {of: self.board.plan.card_hex(self.camp, section, of.column, of.row) for of in self.card(ref).units}
        for of, cell in own.items():
            if self.board.passable(cell):
                self.add(ref, of, "card", cell)
        stream = self.streams.at(f"displaced/{section}")
        for of, cell in own.items():
            if self.board.passable(cell):
                continue
            refuges = self._refuges(section, cell)
            if not refuges:
                self.note("lost", "", self.add(ref, of, "lost", None).id, self.name(cell))
                continue
            unit = self.add(ref, of, "displaced", stream.choice(refuges))
            if unit.hex:
                self.note("displaced", stream.path, unit.id, self.name(cell), self.name(unit.hex))

    def _refuges(self, section: Section, cell: Hex) -> list[Hex]:
        """Where a unit may go whose own hex is impassable (switch `displaced`)."""
        plan = self.board.plan
        if self.asked.setting.rulings["displaced"] == "baseline":
            return self.free(plan.baseline(self.camp, section))
        free = self.free(c for c in plan.section_cells(section, self.camp) if not plan.shared(c))
        nearest = min((distance(c, cell) for c in free), default=0)
        return [c for c in free if distance(c, cell) == nearest]

    def bring_reserves(self, most: int | None) -> None:
        """The first player brings all of his reserve card, the second two of his choice, on the baseline."""
        stream = self.streams.at("reserve")
        units = self.card(self.reserve).units
        wished = self.asked.reserves[self.camp]
        count = len(units) if most is None else min(most, len(units))
        coming = picked(self.camp, wished, units, count) if wished else []
        if most is not None and not wished:
            units = tuple(units[i] for i in sorted(stream.sample(range(len(units)), count)))
        elif most is not None:
            units = ()
        hexes = dict(zip(coming, (at for _, at in wished), strict=True))
        for of in (*coming, *(unit for unit in units if unit not in coming)):
            room = self.free(self.board.plan.baseline(self.camp))
            at = stream.choice(room) if room else None
            if room and hexes.get(of):
                at = place(self.camp, hexes[of], room, self.board.field)
            unit = self.add(self.reserve, of, "reserve" if at else "lost", at)
            if unit.hex or not room:
                self.note("reserve", "" if hexes.get(of) else stream.path, unit.id, self.name(unit.hex))
