"""Deploy units from their cards, and match the units of a scenario file with the cells of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, field

from generator.common.scenario_file import Step
from generator.games.battlelore.forces import Kind, Placed, Pool, Unit
from generator.games.battlelore.ground import SECTIONS, Board, Section, Side
from generator.games.battlelore.model import OFF_BOARD, PREFIX
from generator.games.call_to_arms.cards import Card, CardUnit, Deck
from generator.grid.hexes import Hex, distance

Choose = Callable[[CardUnit, Sequence[Hex]], tuple[Hex | None, str]]
"""A function that chooses a hex for a unit, and returns the hex with the path of the random stream it used."""


class Deployment(Struct):
    """The units of one camp during deployment.

    deployment_rules.py implements the same rules independently, because the checks must not depend on this class.
    """

    deck: Deck
    pool: Pool
    rulings: Mapping[str, str]
    camp: Side
    board: Board
    places: Mapping[Section, str]
    reserve: str
    units: list[Unit] = field(default_factory=list)
    log: list[Step] = field(default_factory=list)

    def card(self, ref: str) -> Card:
        """Return the card with this name, as the camp names it."""
        return self.deck.card(self.camp, ref)

    def note(self, what: str, stream: str, *result: str) -> None:
        """Add a step to the log."""
        self.log.append(Step(what, self.camp, stream, result))

    def name(self, cell: Hex | None) -> str:
        """Return the name of a hex, or `OFF_BOARD` for None."""
        return self.board.field.name(cell) if cell else OFF_BOARD

    def free(self, cells: Iterable[Hex]) -> list[Hex]:
        """Return the passable and unoccupied hexes among `cells`."""
        taken = {u.hex for u in self.units if u.hex}
        return [c for c in cells if self.board.passable(c) and c not in taken]

    @property
    def green(self) -> int:
        """The number of green banners on the board."""
        return sum(u.kind.banner == "green" for u in self.units if u.hex)

    def add(self, ref: str, of: CardUnit, placed: Placed, at: Hex | None) -> Unit:
        """Add a unit to the board.

        A levy token represents the unit if the pool has no figures or banners for it. If no token is left either,
        the unit is lost.
        """
        on_board = [u for u in self.units if u.hex]
        real = [u.kind for u in on_board if not u.levy]
        short = at is not None and not self.pool.fits(self.camp, [*real, of.kind])
        tokens = sum(u.levy and u.kind.banner == of.kind.banner for u in on_board)
        levy = short and tokens < self.pool.levies(self.camp, of.kind.banner)
        if short and not levy:
            at, placed = None, "lost"
        unit = Unit(f"{PREFIX[self.camp]}{len(self.units) + 1}", of.kind, ref, (of.column, of.row), placed, at, levy)
        self.units.append(unit)
        if levy:
            self.note("levy", "", unit.id, of.kind.banner)
        elif short:
            self.note("short", "", unit.id)
        return unit

    def deploy(self, section: Section, choose: Choose) -> None:
        """Deploy the units of a section's card.

        Units whose card hex is passable come first, then displaced units in card order.
        """
        ref = self.places[section]
        hexes = {of: self.board.plan.card_hex(self.camp, section, of.column, of.row) for of in self.card(ref).units}
        for of, cell in hexes.items():
            if self.board.passable(cell):
                self.add(ref, of, "card", cell)
        for of, cell in hexes.items():
            if self.board.passable(cell):
                continue
            refuges = self._refuges(section, cell)
            if not refuges:
                self.note("lost", "", self.add(ref, of, "lost", None).id, self.name(cell))
                continue
            at, stream = choose(of, refuges)
            unit = self.add(ref, of, "displaced", at)
            if unit.hex:
                self.note("displaced", stream, unit.id, self.name(cell), self.name(unit.hex))

    def _refuges(self, section: Section, cell: Hex) -> list[Hex]:
        """Return the hexes for a unit whose card hex is impassable, according to the ruling `displaced`."""
        plan = self.board.plan
        if self.rulings["displaced"] == "baseline":
            return self.free(plan.baseline(self.camp, section))
        free = self.free(c for c in plan.section_cells(section, self.camp) if not plan.shared(c))
        nearest = min((distance(c, cell) for c in free), default=0)
        return [c for c in free if distance(c, cell) == nearest]

    def bring(self, reserves: Iterable[CardUnit], choose: Choose) -> None:
        """Place units of the reserve card on the baseline."""
        for of in reserves:
            room = self.free(self.board.plan.baseline(self.camp))
            at, stream = choose(of, room)
            unit = self.add(self.reserve, of, "reserve" if at else "lost", at)
            if unit.hex or not room:
                self.note("reserve", stream, unit.id, self.name(unit.hex))


class CardSlot(NamedTuple):
    """A cell of a card in play from which a unit is deployed."""

    card: str
    cell: tuple[int, int]
    kind: Kind
    section: Section | None
    """The section of the card, or None for the reserve card."""
    card_hex: Hex | None
    """The hex under the cell, or None for the reserve card."""


Place = Section | Literal["reserve"]
"""A section of the board to which a card is assigned, or the reserve."""


def card_slots(deck: Deck, board: Board, camp: Side, places: Mapping[Place, str]) -> list[CardSlot]:
    """Return all cells with a unit on a camp's four cards, in card order. The reserve card comes last."""
    found = []
    for section in SECTIONS:
        for of in deck.card(camp, places[section]).units:
            card_hex = board.plan.card_hex(camp, section, *of.cell)
            found.append(CardSlot(places[section], of.cell, of.kind, section, card_hex))
    reserve = places["reserve"]
    return [*found, *(CardSlot(reserve, of.cell, of.kind, None, None) for of in deck.card(camp, reserve).units)]


class EnteredUnit(NamedTuple):
    """A unit as the user entered it. Entries that the user did not give are empty."""

    kind: Kind
    hex: Hex | None
    card: str = ""
    cell: tuple[int, int] | None = None
    placed: Placed | None = None


WRONG_COST = 100
"""The cost of a wrong hex or kind. It is more than that of any legal position and less than that of an extra unit."""
STEP_COST = 12
"""The cost of each step between a wrong hex and the correct hex. A unit two hexes away is more probably a reserve."""
STRANGE_COST = 120
"""The cost of a unit that matches no cell, and of a cell that matches no unit."""
FAR = 16
"""A number greater than the distance between any two hexes of a section."""


class Matching:
    """Matches the units of a file with the cells of cards.

    Units on the hex under a cell with their kind are matched first. The other units are matched at the smallest
    total cost, which avoids counting a unit as displaced or missing if there is another explanation.
    """

    def __init__(self, board: Board, rulings: Mapping[str, str], camp: Side, berths: Sequence[CardSlot]) -> None:
        self.board, self.camp, self.slots = board, camp, berths
        self.baseline = frozenset(board.plan.baseline(camp))
        near = rulings["displaced"] == "nearest"
        forced = [i for i, of in enumerate(berths) if of.card_hex and not board.passable(of.card_hex)]
        # With the ruling `nearest`, units are placed in card order. The steps of an earlier unit outweigh those of
        # all later units.
        self.weight = {i: FAR ** (len(forced) - n) if near else 0 for n, i in enumerate(forced)}
        self.unit = FAR ** (len(forced) + 1) if near else 1

    def of(self, entered: Sequence[EnteredUnit]) -> list[tuple[CardSlot, Placed] | None]:
        """Return the cell and way of placing for each unit, or None for a unit that matches no cell."""
        found: dict[int, int] = {}
        for number, unit in enumerate(entered):
            if (berth := self._certain(unit, set(found.values()))) is not None:
                found[number] = berth
        rows = [n for n in range(len(entered)) if n not in found]
        open_ = [b for b in range(len(self.slots)) if b not in found.values()]
        # A cell of the three section cards costs something if it is empty, so filling it removes that cost.
        empty = [STRANGE_COST * self.unit * (self.slots[b].section is not None) for b in open_]
        never = self.unit * STRANGE_COST * (2 + len(entered) + len(self.slots))
        costs = []
        for row in rows:
            speaks = [self._against(entered[row], b) for b in open_]
            filled = [never if cost is None else cost - gain for cost, gain in zip(speaks, empty, strict=True)]
            costs.append([*filled, *[STRANGE_COST * self.unit] * len(rows)])
        for row, against, column in zip(rows, costs, cheapest(costs), strict=True):
            if column < len(open_) and against[column] < never:
                found[row] = open_[column]
        return [
            (self.slots[found[n]], self._placed(unit, self.slots[found[n]])) if n in found else None
            for n, unit in enumerate(entered)
        ]

    def _certain(self, unit: EnteredUnit, taken: set[int]) -> int | None:
        """Return the index of the cell that the row names or, failing that, whose hex and kind match exactly."""
        matches = [i for i, of in enumerate(self.slots) if (unit.card, unit.cell) == (of.card, of.cell)]
        if matches:
            # A cell that is already taken is returned too, because the rules report it. A card that the file names
            # for a section and as the reserve has two slots for each cell.
            return max(matches, key=lambda i: (self.slots[i].card_hex is None) == (unit.placed == "reserve"))
        for i, of in enumerate(self.slots):
            exact = (
                of.card_hex is not None
                and of.card_hex == unit.hex
                and of.kind == unit.kind
                and self.board.passable(of.card_hex)
            )
            consistent = unit.card in ("", of.card) and unit.cell in (None, of.cell) and unit.placed in (None, "card")
            if exact and consistent and i not in taken:
                return i
        return None

    def _placed(self, unit: EnteredUnit, of: CardSlot) -> Placed:
        if unit.placed is not None:
            return unit.placed
        if unit.hex is None:
            return "lost"
        if of.card_hex is None:
            return "reserve"
        return "card" if unit.hex == of.card_hex or self.board.passable(of.card_hex) else "displaced"

    def _against(self, unit: EnteredUnit, berth: int) -> int | None:
        """Return the cost of matching a unit with a cell, or None if they cannot match."""
        of, at = self.slots[berth], unit.hex
        if unit.card not in ("", of.card) or unit.cell not in (None, of.cell):
            return None
        if unit.placed is not None and (unit.placed == "reserve") != (of.card_hex is None) and unit.placed != "lost":
            return None
        if of.kind != unit.kind:
            return WRONG_COST * self.unit if at is not None and at == of.card_hex else None
        if at is None:
            # Reserves are placed last, so a unit without a hex is more probably a reserve than a unit of another
            # card.
            return self.unit * (4 if of.card_hex is None else 6 + self.board.passable(of.card_hex))
        if of.card_hex is None:
            return self.unit * (2 if at in self.baseline else WRONG_COST)
        if self.board.passable(of.card_hex) or at not in self.board.plan.section_cells(
            of.section or "left", self.camp
        ):
            return self.unit * (WRONG_COST + STEP_COST * distance(at, of.card_hex))
        lawful = self.weight[berth] or at in self.baseline
        return self.unit + self.weight[berth] * distance(at, of.card_hex) if lawful else self.unit * WRONG_COST

    def at_fault(self, unit: EnteredUnit, of: tuple[CardSlot, Placed] | None) -> bool:
        """Return whether a unit contradicts the cell that it is matched with."""
        if of is None or of[0].kind != unit.kind:
            return True
        if unit.hex is None:
            return False
        card_hex = of[0].card_hex
        return (
            unit.hex not in self.baseline
            if card_hex is None
            else self.board.passable(card_hex) and unit.hex != card_hex
        )


CERTAIN_UNITS = 3
"""Number of units on the exact hexes of another card from which that card is assumed."""

TWICE_COST = 2
"""The cost of a card that is named twice. It exceeds the cost of one wrong unit, because it is certainly a mistake.
"""


def likely_cards(
    on: Deployment, given: Mapping[Place, str], others: Iterable[str], entered: Sequence[EnteredUnit]
) -> dict[Place, str]:
    """Return the four cards that the units probably came from.

    A card named in the file is replaced if another card fits the units better. A typo in a card name is then one
    fault instead of a fault for each of its units. `others` contains the possible replacements, the likeliest
    first.
    """
    board, camp, others = on.board, on.camp, list(dict.fromkeys(others))
    there = {(unit.hex, unit.kind, unit.card) for unit in entered}

    def fit(section: Section, key: str) -> tuple[int, int]:
        """Return the number of units on their hexes under a card in a section, and the number of missing units."""
        printed = [(board.plan.card_hex(camp, section, *of.cell), of.kind) for of in on.card(key).units]
        hits = [(at, kind, "") in there or (at, kind, key) in there for at, kind in printed if board.passable(at)]
        return sum(hits), len(hits) - sum(hits)

    found = dict(given)
    for section in SECTIONS:
        slips = fit(section, given[section])[1] + TWICE_COST * (list(given.values()).count(given[section]) > 1)
        fits = [(key, *fit(section, key)) for key in others]
        sure = [(missed + 1, key) for key, hits, missed in fits if hits >= CERTAIN_UNITS and hits > missed]
        fewest, key = min(sure, key=lambda of: of[0], default=(slips, ""))
        found[section] = key if fewest < slips else given[section]

    def slips_with(reserve: str) -> int:
        """Return the number of units that contradict the cards if `reserve` is the reserve card."""
        match = Matching(board, on.rulings, camp, card_slots(on.deck, board, camp, {**found, "reserve": reserve}))
        return sum(match.at_fault(unit, of) for unit, of in zip(entered, match.of(entered), strict=True))

    out = [found[section] for section in SECTIONS]
    slips = slips_with(found["reserve"]) + TWICE_COST * (found["reserve"] in out)
    if slips > 1:
        tried = [(slips_with(key) + 1, key) for key in others if key not in out]
        fewest, key = min(tried, key=lambda of: of[0], default=(slips, ""))
        found["reserve"] = key if fewest < slips else found["reserve"]
    return found


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column for each row such that the sum of the costs is minimal.

    There must be at least as many columns as rows.

    This is the Hungarian method with potentials. For each row it finds an augmenting path to a free column.
    """
    width = len(costs[0]) if costs else 0
    rows, columns = [0] * (len(costs) + 1), [0] * (width + 1)
    owner = [0] * (width + 1)
    for row in range(1, len(costs) + 1):
        owner[0], column = row, 0
        min_costs: list[int | None] = [None] * (width + 1)
        way, seen = [0] * (width + 1), [False] * (width + 1)
        while owner[column]:
            seen[column] = True
            holder, step, after = owner[column], None, 0
            for other in range(1, width + 1):
                if seen[other]:
                    continue
                slack = costs[holder - 1][other - 1] - rows[holder] - columns[other]
                known = min_costs[other]
                if known is None or slack < known:
                    min_costs[other], way[other] = slack, column
                    known = slack
                if step is None or known < step:
                    step, after = known, other
            assert step is not None
            for other in range(width + 1):
                known = min_costs[other]
                if seen[other]:
                    rows[owner[other]] += step
                    columns[other] -= step
                elif known is not None:
                    min_costs[other] = known - step
            column = after
        while column:
            owner[column] = owner[way[column]]
            column = way[column]
    found = [0] * len(costs)
    for column, row in enumerate(owner):
        if column and row:
            found[row - 1] = column - 1
    return found
