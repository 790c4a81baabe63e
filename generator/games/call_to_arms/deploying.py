"""How units come off their cards: the procedure that draws and files share, and the cards that typed units came on.

The deployment itself, card by card; whoever deploys says where a unit goes that the rules leave a choice.

The best match of typed units with the cells of the cards in play.
"""

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
"""Where a unit goes, of the hexes that are open to it, and the random stream that said so."""


class Deployment(Struct):
    """A camp's units as they come onto the board; `log` tells each step.

    What is lawful is written once more in deployment_rules.py, on purpose: the checker must not lean on this.
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
        """A card by what the camp calls it."""
        return self.deck.card(self.camp, ref)

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
        standing = [u for u in self.units if u.hex]
        real = [u.kind for u in standing if not u.levy]
        short = at is not None and not self.pool.fits(self.camp, [*real, of.kind])
        tokens = sum(u.levy and u.kind.banner == of.kind.banner for u in standing)
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
        """Units on their own hexes first, then the displaced ones in card order."""
        ref = self.places[section]
        own = {of: self.board.plan.card_hex(self.camp, section, of.column, of.row) for of in self.card(ref).units}
        for of, cell in own.items():
            if self.board.passable(cell):
                self.add(ref, of, "card", cell)
        for of, cell in own.items():
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
        """Where a unit may go whose own hex is impassable (switch `displaced`)."""
        plan = self.board.plan
        if self.rulings["displaced"] == "baseline":
            return self.free(plan.baseline(self.camp, section))
        free = self.free(c for c in plan.section_cells(section, self.camp) if not plan.shared(c))
        nearest = min((distance(c, cell) for c in free), default=0)
        return [c for c in free if distance(c, cell) == nearest]

    def bring(self, reserves: Iterable[CardUnit], choose: Choose) -> None:
        """Units of the reserve card, one after the other, on the baseline."""
        for of in reserves:
            room = self.free(self.board.plan.baseline(self.camp))
            at, stream = choose(of, room)
            unit = self.add(self.reserve, of, "reserve" if at else "lost", at)
            if unit.hex or not room:
                self.note("reserve", stream, unit.id, self.name(unit.hex))


class Berth(NamedTuple):
    """A cell of a card in play, which brings a unit of that kind."""

    card: str
    cell: tuple[int, int]
    kind: Kind
    section: Section | None
    """Where its card lies; None for the reserve."""
    own: Hex | None
    """The hex that the card names; None for the reserve."""


Place = Section | Literal["reserve"]
"""Where a card lies."""


def berths(deck: Deck, board: Board, camp: Side, places: Mapping[Place, str]) -> list[Berth]:
    """Every cell of the four cards that brings a unit, in card order, the reserve's last."""
    found = []
    for section in SECTIONS:
        for of in deck.card(camp, places[section]).units:
            own = board.plan.card_hex(camp, section, *of.cell)
            found.append(Berth(places[section], of.cell, of.kind, section, own))
    reserve = places["reserve"]
    return [*found, *(Berth(reserve, of.cell, of.kind, None, None) for of in deck.card(camp, reserve).units)]


class Typed(NamedTuple):
    """A unit as it is typed, with what its row says of its card; empty where it says nothing."""

    kind: Kind
    hex: Hex | None
    card: str = ""
    cell: tuple[int, int] | None = None
    placed: Placed | None = None


SLIP = 100
"""What a wrong hex or a wrong kind weighs: more than any lawful place, less than a unit too many or too few."""
STEP = 12
"""What each step weighs between a wrong hex and the right one: a reserve two hexes off is rather a reserve."""
STRANGE = 120
"""What a unit weighs that no card brings, and a cell whose unit is nowhere."""
FAR = 16
"""More than the steps between any two hexes of a section."""


class Matching:
    """Which cell of which card each typed unit came from.

    Exact hexes first: they fit whatever the rest is. The rest by the least sum of what speaks against each pair,
    so that nobody is called displaced or missing who need not be.
    """

    def __init__(self, board: Board, rulings: Mapping[str, str], camp: Side, berths: Sequence[Berth]) -> None:
        self.board, self.camp, self.berths = board, camp, berths
        self.baseline = frozenset(board.plan.baseline(camp))
        near = rulings["displaced"] == "nearest"
        forced = [i for i, of in enumerate(berths) if of.own and not board.passable(of.own)]
        # Nearest: whoever comes first in card order has the first say, so his steps outweigh those of all after him.
        self.weight = {i: FAR ** (len(forced) - n) if near else 0 for n, i in enumerate(forced)}
        self.unit = FAR ** (len(forced) + 1) if near else 1

    def of(self, typed: Sequence[Typed]) -> list[tuple[Berth, Placed] | None]:
        """For each unit its cell and how it came to its hex; None for one that no card brings."""
        found: dict[int, int] = {}
        for number, unit in enumerate(typed):
            if (berth := self._certain(unit, set(found.values()))) is not None:
                found[number] = berth
        rows = [n for n in range(len(typed)) if n not in found]
        open_ = [b for b in range(len(self.berths)) if b not in found.values()]
        # A cell left empty weighs something unless it is the reserve's; so filling it takes that away.
        empty = [STRANGE * self.unit * (self.berths[b].section is not None) for b in open_]
        never = self.unit * STRANGE * (2 + len(typed) + len(self.berths))
        costs = []
        for row in rows:
            speaks = [self._against(typed[row], b) for b in open_]
            filled = [never if cost is None else cost - gain for cost, gain in zip(speaks, empty, strict=True)]
            costs.append([*filled, *[STRANGE * self.unit] * len(rows)])
        for row, against, column in zip(rows, costs, cheapest(costs), strict=True):
            if column < len(open_) and against[column] < never:
                found[row] = open_[column]
        return [
            (self.berths[found[n]], self._placed(unit, self.berths[found[n]])) if n in found else None
            for n, unit in enumerate(typed)
        ]

    def _certain(self, unit: Typed, taken: set[int]) -> int | None:
        """The cell that the row names, or whose hex it stands on with the right unit."""
        named = [i for i, of in enumerate(self.berths) if (unit.card, unit.cell) == (of.card, of.cell)]
        if named:
            # Even where it is taken: the rules tell of that. A card in two places has one for reserves.
            return max(named, key=lambda i: (self.berths[i].own is None) == (unit.placed == "reserve"))
        for i, of in enumerate(self.berths):
            exact = of.own is not None and of.own == unit.hex and of.kind == unit.kind and self.board.passable(of.own)
            said = unit.card in ("", of.card) and unit.cell in (None, of.cell) and unit.placed in (None, "card")
            if exact and said and i not in taken:
                return i
        return None

    def _placed(self, unit: Typed, of: Berth) -> Placed:
        if unit.placed is not None:
            return unit.placed
        if unit.hex is None:
            return "lost"
        if of.own is None:
            return "reserve"
        return "card" if unit.hex == of.own or self.board.passable(of.own) else "displaced"

    def _against(self, unit: Typed, berth: int) -> int | None:
        """What speaks against a unit having come from a cell; None where it cannot be."""
        of, at = self.berths[berth], unit.hex
        if unit.card not in ("", of.card) or unit.cell not in (None, of.cell):
            return None
        if unit.placed is not None and (unit.placed == "reserve") != (of.own is None) and unit.placed != "lost":
            return None
        if of.kind != unit.kind:
            return SLIP * self.unit if at is not None and at == of.own else None
        if at is None:
            # Reserves come last: of two that fit, the reserve is the one for which nothing was left.
            return self.unit * (4 if of.own is None else 6 + self.board.passable(of.own))
        if of.own is None:
            return self.unit * (2 if at in self.baseline else SLIP)
        if self.board.passable(of.own) or at not in self.board.plan.section_cells(of.section or "left", self.camp):
            return self.unit * (SLIP + STEP * distance(at, of.own))
        lawful = self.weight[berth] or at in self.baseline
        return self.unit + self.weight[berth] * distance(at, of.own) if lawful else self.unit * SLIP

    def at_fault(self, unit: Typed, of: tuple[Berth, Placed] | None) -> bool:
        """Whether a unit could not have come from where the best match says."""
        if of is None or of[0].kind != unit.kind:
            return True
        if unit.hex is None:
            return False
        own = of[0].own
        return unit.hex not in self.baseline if own is None else self.board.passable(own) and unit.hex != own


CERTAIN = 3
"""So many units, each on the hex that another card names for it, speak for that card."""

TWICE = 2
"""What it weighs that a card lies in two places: it is a slip for certain, where a unit amiss may be its own."""


def meant(
    on: Deployment, named: Mapping[Place, str], others: Iterable[str], typed: Sequence[Typed]
) -> dict[Place, str]:
    """The four cards that the units came on: those that are named, but where another fits and the named one does not.

    A slip in a card's name is one fault; judged by the wrong card its units would be many, which nobody made.
    `others` are the cards that may have been meant, the likeliest first.
    """
    board, camp, others = on.board, on.camp, list(dict.fromkeys(others))
    there = {(unit.hex, unit.kind, unit.card) for unit in typed}

    def fit(section: Section, key: str) -> tuple[int, int]:
        """How many units stand on the open hexes that a card names for them there, and how many do not."""
        own = [(board.plan.card_hex(camp, section, *of.cell), of.kind) for of in on.card(key).units]
        hits = [(at, kind, "") in there or (at, kind, key) in there for at, kind in own if board.passable(at)]
        return sum(hits), len(hits) - sum(hits)

    found = dict(named)
    for section in SECTIONS:
        slips = fit(section, named[section])[1] + TWICE * (list(named.values()).count(named[section]) > 1)
        fits = [(key, *fit(section, key)) for key in others]
        sure = [(missed + 1, key) for key, hits, missed in fits if hits >= CERTAIN and hits > missed]
        fewest, key = min(sure, key=lambda of: of[0], default=(slips, ""))
        found[section] = key if fewest < slips else named[section]

    def slips_with(reserve: str) -> int:
        """How many units could not have come with that reserve."""
        match = Matching(board, on.rulings, camp, berths(on.deck, board, camp, {**found, "reserve": reserve}))
        return sum(match.at_fault(unit, of) for unit, of in zip(typed, match.of(typed), strict=True))

    out = [found[section] for section in SECTIONS]
    slips = slips_with(found["reserve"]) + TWICE * (found["reserve"] in out)
    if slips > 1:
        tried = [(slips_with(key) + 1, key) for key in others if key not in out]
        fewest, key = min(tried, key=lambda of: of[0], default=(slips, ""))
        found["reserve"] = key if fewest < slips else found["reserve"]
    return found


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """The column for each row so that the sum is least; each row has as many columns, no fewer than there are rows.

    The Hungarian method with potentials: one row after the other finds its way to a free column.
    """
    width = len(costs[0]) if costs else 0
    rows, columns = [0] * (len(costs) + 1), [0] * (width + 1)
    owner = [0] * (width + 1)
    for row in range(1, len(costs) + 1):
        owner[0], column = row, 0
        least: list[int | None] = [None] * (width + 1)
        way, seen = [0] * (width + 1), [False] * (width + 1)
        while owner[column]:
            seen[column] = True
            holder, step, after = owner[column], None, 0
            for other in range(1, width + 1):
                if seen[other]:
                    continue
                slack = costs[holder - 1][other - 1] - rows[holder] - columns[other]
                known = least[other]
                if known is None or slack < known:
                    least[other], way[other] = slack, column
                    known = slack
                if step is None or known < step:
                    step, after = known, other
            assert step is not None
            for other in range(width + 1):
                known = least[other]
                if seen[other]:
                    rows[owner[other]] += step
                    columns[other] -= step
                elif known is not None:
                    least[other] = known - step
            column = after
        while column:
            owner[column] = owner[way[column]]
            column = way[column]
    found = [0] * len(costs)
    for column, row in enumerate(owner):
        if column and row:
            found[row - 1] = column - 1
    return found
