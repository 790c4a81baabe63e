"""The duel's value by hex, exactly: what a machine that stands there deals and takes on average, in hit points.

Enemies stand where they stand. From a hex a machine shoots at the one whom it hurts most; of the enemies everybody
who sees it in range shoots at it. What it did last counts against their dice: a dash or a guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import OddsReport, Query
from generator.common.tables import decimal, percent, rounded
from generator.errors import WrongUsageError, near
from generator.games.battling.legal_orders import orders
from generator.games.battling.maps import map_view
from generator.games.battling.model import OTHER, SIDES, Letter, Scenario, side_name
from generator.games.battling.notation import Order, write_line
from generator.games.battling.play import Position, Standing, actions, opening
from generator.games.battling.tables import Clash, words
from generator.grid.columns import Numbered, distance
from generator.localization import tr
from generator.model.views import Shade, Sheet
from generator.model.words import Words, joined, same

MOVES: tuple[Letter, ...] = ("W", "R", "D")
"""What brings a machine to another hex without an attack."""
BEST = 3
"""Hexes in reach that are told of a machine."""


class Worth(Struct, frozen=True):
    """What a machine may deal and take on a hex in a phase of either player, in hit points on average."""

    cell: Numbered
    deals: Fraction
    takes: Fraction
    target: str = ""
    """The enemy whom it hurts most by a shot; empty where it can shoot at nobody."""
    shooters: int = 0
    """How many enemies can shoot at it."""

    @property
    def value(self) -> Fraction:
        """What it deals more than it takes."""
        return self.deals - self.takes


class Bout(Struct, frozen=True):
    """Battling that a machine may begin now."""

    enemy: Standing
    start: Numbered
    odds: Clash


class Aim(Struct, frozen=True):
    """A shot that a machine may make now."""

    enemy: Standing
    hits: Fraction
    hurts: Fraction


class Duel:
    """The machines of a battle as they stand."""

    def __init__(self, position: Position) -> None:
        self.position, self.arena, self.pack = position, position.arena, position.pack
        self._hurts: dict[tuple[str, str, int, str], Fraction] = {}

    def hurts(self, shooter: str, target: str, far: int, last: str = "") -> Fraction:
        """The chance that a shot of one kind of machine at another costs a hit point; 0 out of range."""
        key = shooter, target, far, last
        if key not in self._hurts:
            shot = self.pack.shot(shooter, target, far, last)
            self._hurts[key] = shot.hurts if shot.number else Fraction()
        return self._hurts[key]

    def worth(self, machine: Standing, cell: Numbered, last: str = "") -> Worth:
        """What a machine deals and takes on a hex to which its last action has brought it."""
        enemies, sees = self.position.side(OTHER[machine.side]), self.arena.in_sight
        away = [
            (enemy, distance(cell, enemy.cell)) for enemy in enemies if cell != enemy.cell and sees(enemy.cell, cell)
        ]
        dealt = [(self.hurts(machine.kind, enemy.kind, far, enemy.last), enemy.id) for enemy, far in away]
        deals, target = max(dealt, key=lambda row: row[0], default=(Fraction(), ""))
        taken = [self.hurts(enemy.kind, machine.kind, far, last) for enemy, far in away]
        shooters = sum(self.pack.number(enemy.kind, far) > 0 for enemy, far in away)
        return Worth(cell, deals, sum(taken, Fraction()), target if deals else "", shooters)

    def everywhere(self, machine: Standing) -> tuple[Worth, ...]:
        """A machine's worth on every hex that it might stand on, wherever that is."""
        free = (c for c in self.arena.open_cells if c == machine.cell or c not in self.position.at)
        return tuple(self.worth(machine, cell) for cell in free)

    def reach(self, machine: Standing) -> dict[tuple[Letter, Numbered], Worth]:
        """Where an order without an attack brings it this phase, its own hex by standing guard: its worth there."""
        found: dict[tuple[Letter, Numbered], Worth] = {}
        for order in orders(self.position, machine.id):
            if order.action in MOVES:
                cell = self.arena.field.find(order.to) if order.to else machine.cell
                assert cell, "a legal order keeps to the arena"
                if (order.action, cell) not in found:
                    found[order.action, cell] = self.worth(machine, cell, order.action)
        return found

    def aims(self, machine: Standing) -> Iterator[Aim]:
        """Every enemy at whom it may shoot now."""
        for order in orders(self.position, machine.id):
            if order.action == "F" and (enemy := self._at(order.target)):
                far = distance(machine.cell, enemy.cell)
                shot = self.pack.shot(machine.kind, enemy.kind, far, enemy.last)
                yield Aim(enemy, shot.hits, shot.hurts)

    def bouts(self, machine: Standing) -> Iterator[Bout]:
        """Every enemy whom it may battle this phase, from the hex that is listed first: the fewest hexes away."""
        seen = set[str]()
        for order in orders(self.position, machine.id):
            if order.action == "B" and (enemy := self._at(order.target)) and enemy.id not in seen:
                seen.add(enemy.id)
                start = self.arena.field.find(order.to) if order.to else machine.cell
                assert start, "a legal order keeps to the arena"
                yield Bout(enemy, start, self.pack.clash(machine.kind, enemy.kind, enemy.last))

    @cached_property
    def machines(self) -> tuple[Standing, ...]:
        """Those that are not destroyed, the first player's first."""
        return tuple(machine for side in SIDES for machine in self.position.side(side))

    def _at(self, name: str) -> Standing | None:
        cell = self.arena.field.find(name)
        return self.position.at.get(cell) if cell else None


def describe_odds(scenario: Scenario) -> OddsReport:
    """The answer of `muster odds`, as the battle begins."""
    duel = Duel(opening(scenario))
    return OddsReport({"machines": [_row(duel, m) for m in duel.machines]}, tuple(_lines(scenario, duel)))


def _row(duel: Duel, machine: Standing) -> dict[str, object]:
    name, reach = duel.arena.field.name, duel.reach(machine)
    return {
        "id": machine.id,
        "side": machine.side,
        "machine": machine.kind,
        "hex": name(machine.cell),
        "hp": machine.hp,
        "shots": [
            {"target": aim.enemy.id, "hits": rounded(aim.hits), "hurts": rounded(aim.hurts)}
            for aim in duel.aims(machine)
        ],
        "battling": [
            {
                "target": bout.enemy.id,
                "from": name(bout.start),
                "hurts": rounded(bout.odds.hurts),
                "costs": rounded(bout.odds.costs),
            }
            for bout in duel.bouts(machine)
        ],
        "hexes": [_worth_row(duel, worth) for worth in duel.everywhere(machine)],
        "reach": [{"action": letter, **_worth_row(duel, worth)} for (letter, _), worth in reach.items()],
    }


def _worth_row(duel: Duel, of: Worth) -> dict[str, object]:
    return {
        "hex": duel.arena.field.name(of.cell),
        "deals": rounded(of.deals),
        "takes": rounded(of.takes),
        "target": of.target or None,
        "shooters": of.shooters,
    }


def best(duel: Duel, machine: Standing) -> list[tuple[Letter, Worth]]:
    """The orders without an attack that bring it where it is worth most and can shoot, each hex once."""
    found: dict[Numbered, tuple[Letter, Worth]] = {}
    ranked = sorted(duel.reach(machine).items(), key=lambda row: (-row[1].value, row[1].takes))
    for (letter, cell), worth in ranked:
        if worth.deals:
            found.setdefault(cell, (letter, worth))
    return list(found.values())[:BEST]


def _lines(scenario: Scenario, duel: Duel) -> Iterator[Words]:
    texts = words()["prospects"]
    for side in SIDES:
        yield texts["side"].fill(side=side_name(side))
        for machine in duel.position.side(side):
            head, *lines = machine_lines(scenario, duel, machine)
            yield texts["head"].fill(text=head)
            yield from (texts["line"].fill(text=line) for line in lines)
    yield texts["note"]


def machine_lines(scenario: Scenario, duel: Duel, machine: Standing) -> Iterator[Words]:
    """A machine, what its hex is worth, whom it can shoot at or battle now, and where in reach it is worth most."""
    texts, name, kinds = words()["prospects"], duel.arena.field.name, duel.pack.machines
    values = {"id": scenario.called[machine.id], "kind": kinds[machine.kind].name, "hp": machine.hp}
    yield texts["machine"].fill(hex=name(machine.cell), **values)
    yield texts["stays"].fill(**figures(duel.worth(machine, machine.cell, machine.last)))
    for aim in duel.aims(machine):
        chances = {"hits": percent(aim.hits), "hurts": percent(aim.hurts)}
        yield texts["shot"].fill(id=aim.enemy.id, hex=name(aim.enemy.cell), **chances)
    for bout in duel.bouts(machine):
        chances = {"hurts": percent(bout.odds.hurts), "costs": percent(bout.odds.costs)}
        yield texts["bout"].fill(id=bout.enemy.id, hex=name(bout.enemy.cell), start=name(bout.start), **chances)
    places = [
        texts["place"].fill(letter=letter, hex=name(worth.cell), **figures(worth))
        for letter, worth in best(duel, machine)
    ]
    yield texts["best"].fill(places=joined(places, "; ", "、")) if places else texts["blind"]


def figures(of: Worth) -> dict[str, object]:
    """A worth as it is printed."""
    return {
        "value": signed(of.value),
        "deals": decimal(of.deals),
        "takes": decimal(of.takes),
        "n": of.shooters,
    }


def signed(value: Fraction) -> str:
    """A number with its sign, to two places after the point."""
    return ("−" if value < 0 else "+" if value > 0 else "±") + decimal(abs(value))


def moves(scenario: Scenario, name: str) -> tuple[str, tuple[Order, ...]]:
    """A machine's id, in any case, and its orders that lead to another hex; WrongUsageError for an unknown one."""
    position = opening(scenario)
    unit = next((id_ for id_ in position.machines if id_.casefold() == name.casefold()), None)
    if unit is None:
        hint = near(name, position.machines)
        raise WrongUsageError(tr("no AT {unit!r} in this battle", unit=name[:20]), hint=hint)
    return unit, tuple(order for order in orders(position, unit) if order.action in MOVES and order.to)


def _moves_row(scenario: Scenario, unit: str, found: tuple[Order, ...]) -> dict[str, object]:
    at = scenario.arena.field.name(opening(scenario).machines[unit].cell)
    ends = [{"to": of.to, "action": of.action, "hexes": list(of.legs), "order": write_line(of)} for of in found]
    return {"unit": unit, "from": at, "moves": ends}


def _moves_lines(scenario: Scenario, unit: str, found: tuple[Order, ...]) -> list[Words]:
    """Each kind of order with the hexes that it leads to."""
    texts, machine = words()["moves"], next(m for _side, m in scenario.machines if m.id == unit)
    kind, at = scenario.pack.machines[machine.kind].name, scenario.arena.field.name(machine.cell)
    lines = [texts["head"].fill(unit=machine.label, kind=kind, hex=at)]
    for letter in MOVES:
        if ends := sorted({order.to for order in found if order.action == letter}):
            lines.append(texts["by"].fill(action=actions()[letter].name, cells=joined([same(cell) for cell in ends])))
    return lines if found else [*lines, texts["none"]]


def _moves_sheet(scenario: Scenario, unit: str, found: tuple[Order, ...]) -> Sheet:
    head, *lines = _moves_lines(scenario, unit, found)
    cells = (scenario.arena.field.find(name) for name in dict.fromkeys(order.to for order in found))
    reached = tuple(cell for cell in cells if cell is not None)
    return Sheet(
        part="moves",
        title=words()["moves"]["title"].fill(unit=same(unit)),
        template="battling/moves.xml",
        view={"head": head, "lines": lines},
        figures={"map": replace(map_view(scenario), shades=(Shade("reach", reached),) if reached else ())},
    )


ASKED: Query[Scenario] = Query(
    verb="moves",
    rows=lambda scenario, args: [_moves_row(scenario, *moves(scenario, args[0]))],
    lines=lambda scenario, args: _moves_lines(scenario, *moves(scenario, args[0])),
    sheet=lambda scenario, args: _moves_sheet(scenario, *moves(scenario, args[0])),
)
"""`muster moves`: where a machine may move, by each order that moves it."""
