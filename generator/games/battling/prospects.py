"""Compute the exact value of each hex to a machine, which is the average of hit points dealt minus hit points taken.

Enemies are assumed to stay on their hexes. The machine shoots at the enemy to which its shot does the most damage,
and each enemy that can see it in range shoots at it. The machine's last action, such as a dash or a guard,
modifies the enemies' dice.
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
from generator.games.battling.tables import BattlingRoll, words
from generator.grid.columns import Numbered, distance
from generator.localization import tr
from generator.model.legends import keep_drawn
from generator.model.views import Legend, Shade, Sheet
from generator.model.words import Words, joined, same

MOVES: tuple[Letter, ...] = ("W", "R", "D")
"""The actions that move a machine without an attack."""
BEST = 3
"""The number of reachable hexes that are listed for a machine."""


class HexValue(Struct, frozen=True):
    """The average numbers of hit points that a machine on a hex deals and takes in one phase of each player."""

    cell: Numbered
    deals: Fraction
    takes: Fraction
    target: str = ""
    """The enemy to which the machine's shot does the most damage, or an empty string if it can shoot at no enemy."""
    shooters: int = 0
    """The number of enemies that can shoot at the machine."""

    @property
    def value(self) -> Fraction:
        """The hit points dealt minus those taken."""
        return self.deals - self.takes


class BattlingAttack(Struct, frozen=True):
    """An attack by battling that a machine may make now."""

    enemy: Standing
    start: Numbered
    odds: BattlingRoll


class PossibleShot(Struct, frozen=True):
    """A shot that a machine may make now."""

    enemy: Standing
    hits: Fraction
    hurts: Fraction


class Duel:
    """The machines of a battle in a position, with the values of hexes."""

    def __init__(self, position: Position) -> None:
        self.position, self.arena, self.pack = position, position.arena, position.pack
        self._hurts: dict[tuple[str, str, int, str], Fraction] = {}

    def hurts(self, shooter: str, target: str, far: int, last: str = "") -> Fraction:
        """Return the chance that a shot between two kinds of machines costs a hit point, which is 0 out of range."""
        key = shooter, target, far, last
        if key not in self._hurts:
            shot = self.pack.shot(shooter, target, far, last)
            self._hurts[key] = shot.hurts if shot.number else Fraction()
        return self._hurts[key]

    def hex_value(self, machine: Standing, cell: Numbered, last: str = "") -> HexValue:
        """Return the value of a hex to a machine, given the machine's last action."""
        enemies, sees = self.position.side(OTHER[machine.side]), self.arena.in_sight
        away = [
            (enemy, distance(cell, enemy.cell)) for enemy in enemies if cell != enemy.cell and sees(enemy.cell, cell)
        ]
        dealt = [(self.hurts(machine.kind, enemy.kind, far, enemy.last), enemy.id) for enemy, far in away]
        deals, target = max(dealt, key=lambda row: row[0], default=(Fraction(), ""))
        taken = [self.hurts(enemy.kind, machine.kind, far, last) for enemy, far in away]
        shooters = sum(self.pack.number(enemy.kind, far) > 0 for enemy, far in away)
        return HexValue(cell, deals, sum(taken, Fraction()), target if deals else "", shooters)

    def all_hex_values(self, machine: Standing) -> tuple[HexValue, ...]:
        """Return the values of all open hexes to a machine, including hexes that it cannot reach."""
        free = (c for c in self.arena.open_cells if c == machine.cell or c not in self.position.at)
        return tuple(self.hex_value(machine, cell) for cell in free)

    def reach(self, machine: Standing) -> dict[tuple[Letter, Numbered], HexValue]:
        """Return the values of the hexes that a machine can reach without an attack, by action."""
        found: dict[tuple[Letter, Numbered], HexValue] = {}
        for order in orders(self.position, machine.id):
            if order.action in MOVES:
                cell = self.arena.field.find(order.to) if order.to else machine.cell
                assert cell, "a legal order keeps to the arena"
                if (order.action, cell) not in found:
                    found[order.action, cell] = self.hex_value(machine, cell, order.action)
        return found

    def shots(self, machine: Standing) -> Iterator[PossibleShot]:
        """Yield the enemies at which a machine may shoot now."""
        for order in orders(self.position, machine.id):
            if order.action == "F" and (enemy := self._at(order.target)):
                far = distance(machine.cell, enemy.cell)
                shot = self.pack.shot(machine.kind, enemy.kind, far, enemy.last)
                yield PossibleShot(enemy, shot.hits, shot.hurts)

    def battling_attacks(self, machine: Standing) -> Iterator[BattlingAttack]:
        """Yield the enemies that a machine may battle in this phase, each from the nearest possible hex."""
        seen = set[str]()
        for order in orders(self.position, machine.id):
            if order.action == "B" and (enemy := self._at(order.target)) and enemy.id not in seen:
                seen.add(enemy.id)
                start = self.arena.field.find(order.to) if order.to else machine.cell
                assert start, "a legal order keeps to the arena"
                yield BattlingAttack(enemy, start, self.pack.battling_roll(machine.kind, enemy.kind, enemy.last))

    @cached_property
    def machines(self) -> tuple[Standing, ...]:
        """Return the machines that are not destroyed, the first player's machines first."""
        return tuple(machine for side in SIDES for machine in self.position.side(side))

    def _at(self, name: str) -> Standing | None:
        cell = self.arena.field.find(name)
        return self.position.at.get(cell) if cell else None


def describe_odds(scenario: Scenario) -> OddsReport:
    """Return the answer of `muster odds` for the start of the battle."""
    duel = Duel(opening(scenario))
    rows: dict[str, object] = {"machines": [_row(duel, m) for m in duel.machines], "danger": _danger(duel)}
    return OddsReport(rows, tuple(_lines(scenario, duel)))


def _danger(duel: Duel) -> dict[str, list[dict[str, object]]]:
    """Return the average damage that a side's machine takes on each hex, as the mean over the side's machines."""
    found: dict[str, list[dict[str, object]]] = {}
    for side in SIDES:
        takes: dict[Numbered, list[Fraction]] = {}
        for machine in (one for one in duel.machines if one.side == side):
            for worth in duel.all_hex_values(machine):
                takes.setdefault(worth.cell, []).append(worth.takes)
        means = {cell: sum(each, Fraction()) / len(each) for cell, each in takes.items()}
        name = duel.arena.field.name
        found[side] = [{"hex": name(cell), "hits": rounded(mean)} for cell, mean in means.items() if mean]
    return found


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
            for aim in duel.shots(machine)
        ],
        "battling": [
            {
                "target": bout.enemy.id,
                "from": name(bout.start),
                "hurts": rounded(bout.odds.hurts),
                "costs": rounded(bout.odds.costs),
            }
            for bout in duel.battling_attacks(machine)
        ],
        "hexes": [_hex_value_row(duel, worth) for worth in duel.all_hex_values(machine)],
        "reach": [{"action": letter, **_hex_value_row(duel, worth)} for (letter, _), worth in reach.items()],
    }


def _hex_value_row(duel: Duel, of: HexValue) -> dict[str, object]:
    return {
        "hex": duel.arena.field.name(of.cell),
        "deals": rounded(of.deals),
        "takes": rounded(of.takes),
        "target": of.target or None,
        "shooters": of.shooters,
    }


def best(duel: Duel, machine: Standing) -> list[tuple[Letter, HexValue]]:
    """Return the orders without an attack that lead to the best hexes with a possible shot, one for each hex."""
    found: dict[Numbered, tuple[Letter, HexValue]] = {}
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
    """Yield lines about a machine's present value, its possible shots and battling, and its best reachable hexes."""
    texts, name, kinds = words()["prospects"], duel.arena.field.name, duel.pack.machines
    values = {"id": scenario.labels[machine.id], "kind": kinds[machine.kind].name, "hp": machine.hp}
    yield texts["machine"].fill(hex=name(machine.cell), **values)
    yield texts["stays"].fill(**figures(duel.hex_value(machine, machine.cell, machine.last)))
    for aim in duel.shots(machine):
        chances = {"hits": percent(aim.hits), "hurts": percent(aim.hurts)}
        yield texts["shot"].fill(id=aim.enemy.id, hex=name(aim.enemy.cell), **chances)
    for bout in duel.battling_attacks(machine):
        chances = {"hurts": percent(bout.odds.hurts), "costs": percent(bout.odds.costs)}
        yield texts["bout"].fill(id=bout.enemy.id, hex=name(bout.enemy.cell), start=name(bout.start), **chances)
    places = [
        texts["place"].fill(letter=letter, hex=name(worth.cell), **figures(worth))
        for letter, worth in best(duel, machine)
    ]
    yield texts["best"].fill(places=joined(places, "; ", "、")) if places else texts["blind"]


def figures(of: HexValue) -> dict[str, object]:
    """Return a value as formatted numbers."""
    return {
        "value": signed(of.value),
        "deals": decimal(of.deals),
        "takes": decimal(of.takes),
        "n": of.shooters,
    }


def signed(value: Fraction) -> str:
    """Return a number with its sign and two decimals."""
    return ("−" if value < 0 else "+" if value > 0 else "±") + decimal(abs(value))


def moves(scenario: Scenario, name: str) -> tuple[str, tuple[Order, ...]]:
    """Return a machine's id and its orders that move it. The name may be in upper or lower case.

    Raises:
        WrongUsageError: If the machine is unknown.
    """
    position = opening(scenario)
    unit = next((id_ for id_ in position.machines if id_.casefold() == name.casefold()), None)
    if unit is None:
        hint = near(name, position.machines)
        raise WrongUsageError(tr("there is no AT named {unit!r} in this battle", unit=name[:20]), hint=hint)
    return unit, tuple(order for order in orders(position, unit) if order.action in MOVES and order.to)


def _moves_row(scenario: Scenario, unit: str, found: tuple[Order, ...]) -> dict[str, object]:
    at = scenario.arena.field.name(opening(scenario).machines[unit].cell)
    ends = [{"to": of.to, "action": of.action, "hexes": list(of.legs), "order": write_line(of)} for of in found]
    return {"unit": unit, "from": at, "moves": ends}


def _moves_lines(scenario: Scenario, unit: str, found: tuple[Order, ...]) -> list[Words]:
    """Return a line for each kind of order with the hexes to which it leads."""
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
    view = replace(map_view(scenario), shades=(Shade("reach", reached),) if reached else ())
    return Sheet(
        part="moves",
        title=words()["moves"]["title"].fill(unit=same(unit)),
        template="battling/moves.xml",
        view={"head": head, "lines": lines},
        figures={"map": replace(view, legend=keep_drawn([Legend("reach", words()["moves"]["reach"])], view))},
    )


ASKED: Query[Scenario] = Query(
    verb="moves",
    rows=lambda scenario, args: [_moves_row(scenario, *moves(scenario, args[0]))],
    lines=lambda scenario, args: _moves_lines(scenario, *moves(scenario, args[0])),
    sheet=lambda scenario, args: _moves_sheet(scenario, *moves(scenario, args[0])),
)
"""The command `muster moves`. It lists, for each kind of order, the hexes to which a machine may move."""
