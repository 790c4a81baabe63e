"""A slow reference implementation of BattleLore's rules, with legal decisions and the result of every roll.

It is written from the text of the rules and shares no code with the generator. Hexes and lines come from the sight
oracle, the tables of terrain and units from the prospects oracle, and the command deck from its file. A decision
is the text that a player types.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

from tests.games.battlelore import sight_oracle
from tests.games.battlelore.prospects_oracle import (
    BARRED,
    BOLD_GROUND,
    DICE,
    FACES,
    FAR,
    HIGH,
    MOST_IN,
    MOST_OUT,
    RANGE,
    STOPS,
    Own,
    next_to,
)
from tests.sight.oracle import Line, Place, are_neighbours, board_lines, name, places, steps

FILE = Path(__file__).resolve().parents[3] / "data" / "battlelore" / "commands.toml"
RUN = {**FAR, ("blue", False): 2}
"""Maximum movement in hexes of a unit that does not battle."""
NO_PURSUIT = ("forest", "marsh")
CAMPS = ("pennant", "standard")


@dataclass(frozen=True)
class Man:
    """The constant data of a unit."""

    id: str
    camp: str
    banner: str
    weapon: str
    race: str
    mounted: bool
    own: Own | None = None

    @property
    def bow(self) -> bool:
        return self.weapon in RANGE

    @property
    def range(self) -> int:
        return self.own.range if self.own else RANGE.get(self.weapon, 1)

    @property
    def move(self) -> int:
        return self.own.move if self.own else FAR[self.banner, self.mounted]

    @property
    def run(self) -> int:
        return self.own.run if self.own else RUN[self.banner, self.mounted]


@dataclass(frozen=True)
class BattleData:
    """The constant data of a battle."""

    rows: tuple[int, ...]
    ground: Mapping[Place, str]
    features: Mapping[Place, str]
    walls: frozenset[frozenset[Place]]
    men: Mapping[str, Man]
    rulings: Mapping[str, str]
    goals: tuple[int, int]
    prizes: tuple[Mapping[Place, int], Mapping[Place, int]]
    """Victory hexes that count for each side, with their banners."""
    hands: tuple[int, int]
    rounds: int


@dataclass(frozen=True)
class Fight:
    """An unresolved attack."""

    by: str
    on: str
    what: str
    """Kind of attack: `attack`, `bonus` or `answer`."""
    left: int
    """Hexes still to retreat. While a Bold unit decides how many flags it ignores, the number of flags."""
    stood: Place
    scared: bool


@dataclass(frozen=True)
class Spot:
    """The state of a battle between two decisions."""

    waits: str
    side: int
    men: tuple[tuple[str, Place, int], ...]
    """Units on the board as id, hex and number of figures."""
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deck: tuple[str, ...]
    played: tuple[str, ...]
    won: tuple[int, int]
    turn: int
    card: str
    ordered: frozenset[str]
    moved: frozenset[str]
    spent: frozenset[str]
    halted: frozenset[str]
    fight: Fight | None
    winner: int | None = None


@cache
def cards() -> Mapping[str, tuple[int, int, int]]:
    """Return the number of units that each command card orders in the left, centre and right section."""
    rows = tomllib.loads(FILE.read_text("utf-8"))["card"]
    return {row["id"]: (row["left"], row["centre"], row["right"]) for row in rows}


def places_of(spot: Spot) -> dict[str, Place]:
    """Return the hex of every unit, keyed by unit id."""
    return {man: at for man, at, _ in spot.men}


def figures(spot: Spot, man: str) -> int:
    """Return the number of remaining figures of a unit."""
    return next((n for other, _, n in spot.men if other == man), 0)


def seat(data: BattleData, man: str) -> int:
    """Return the side of a unit, 0 for the near camp and 1 for the far camp."""
    return CAMPS.index(data.men[man].camp)


def sections(data: BattleData, side: int, at: Place) -> set[int]:
    """Return the sections of a hex as seen by a side: 0 left, 1 centre, 2 right.

    A hex on a dotted line belongs to two sections.
    """
    width = data.rows[0]
    x = at[0] if side == 0 else 2 * (width - 1) - at[0]
    # The dotted lines pass between the fourth and fifth hex of a long row, counted from either end.
    first, second = 7, 2 * (width - 4) - 1
    found = {0} if x <= first else set()
    found |= {1} if first <= x <= second else set()
    return found | ({2} if x >= second else set())


def may_order(data: BattleData, spot: Spot, men: frozenset[str]) -> bool:
    """Return whether the card can order all the given units without exceeding its number for any section."""
    places_, quota, side = places_of(spot), cards()[spot.card], spot.side
    owing = [sections(data, side, places_[man]) for man in men]
    return any(all(choice.count(i) <= quota[i] for i in range(3)) for choice in product(*owing))


def walks(data: BattleData, spot: Spot, man: str, maximum: int) -> dict[Place, int]:
    """Return the hexes that a unit can reach, with the minimum number of steps to each."""
    found: dict[Place, int] = {}
    taken = set(places_of(spot).values())

    def go(here: Place, walked: int) -> None:
        for cell in open_neighbours(data, here) if walked < maximum else ():
            if cell in taken or found.get(cell, 99) <= walked + 1:
                continue
            found[cell] = walked + 1
            if data.ground[cell] not in STOPS and data.features.get(cell) != "stakes":
                go(cell, walked + 1)

    go(places_of(spot)[man], 0)
    return found


def open_neighbours(data: BattleData, here: Place) -> list[Place]:
    """Return the adjacent hexes that a unit could enter if they were empty."""
    return [
        cell
        for cell in next_to(data.rows, here)
        if data.ground[cell] not in BARRED and frozenset((here, cell)) not in data.walls
    ]


def cannot_battle(data: BattleData, man: str, cell: Place) -> bool:
    """Return whether a unit that enters the hex cannot battle in that turn."""
    return data.ground[cell] == "landmark" or (data.features.get(cell) == "stakes" and not data.men[man].bow)


def stops_at(data: BattleData, cell: Place) -> bool:
    """Return whether a unit that enters the hex must stop there for the turn, including in pursuit."""
    return data.ground[cell] in NO_PURSUIT or data.features.get(cell) == "stakes"


def boldness(data: BattleData, spot: Spot, man: str) -> int:
    """Return the number of reasons why a unit is Bold."""
    at, unit = places_of(spot), data.men[man]
    here = at[man]
    friends = sum(data.men[other].camp == unit.camp and are_neighbours(here, cell) for other, cell in at.items())
    reasons = [unit.race == "dwarf", friends >= 2, data.ground[here] in BOLD_GROUND]
    reasons += [data.features.get(here) == "rampart", data.features.get(here) == "stakes" and unit.bow]
    return sum(reasons)


@cache
def lines(rows: tuple[int, ...]) -> Mapping[frozenset[Place], Line]:
    """Return every line of a board, keyed by the set of its two ends."""
    cells = places(rows)
    return {frozenset((cells[line.a], cells[line.b])): line for line in board_lines(rows)}


def attack(data: BattleData, spot: Spot, by: str, on: str) -> tuple[int, bool, int] | None:
    """Return the dice of an attack, whether bonus strikes hit, and how many are ignored.

    The result is None if the attack is impossible.
    """
    at, unit, foe = places_of(spot), data.men[by], data.men[on]
    start, there = at[by], at[on]
    far = steps(start, there)
    if unit.camp == foe.camp or far > unit.range:
        return None
    if far == 1 and frozenset((start, there)) in data.walls:
        return None
    if far > 1:
        pressed = [c for m, c in at.items() if data.men[m].camp != unit.camp and are_neighbours(c, start)]
        if any(frozenset((start, cell)) not in data.walls for cell in pressed):
            return None
        field = sight_oracle.Field(data.rows, data.ground, set(at.values()), data.rulings)
        over = unit.own is not None and unit.own.over
        if not over and not sight_oracle.judge(field)(lines(data.rows)[frozenset((start, there))]):
            return None
    count = unit.own.dice if unit.own else DICE[unit.banner]
    if by in spot.moved and unit.bow:
        count -= 99 if unit.weapon == "arbalest" else 1
    here, target = data.ground[start], data.ground[there]
    count = min(count, MOST_OUT.get(here, 9), 3 if target in HIGH and here in HIGH else MOST_IN.get(target, 9))
    strikes = unit.weapon in ("short_sword", "long_sword") if far == 1 else unit.weapon != "common_bow"
    ignored = int(unit.weapon == "short_sword" and foe.mounted)
    ignored += far == 1 and data.features.get(there) == "stakes" and foe.bow
    return (count, strikes, ignored) if count > 0 else None


def moves(data: BattleData, spot: Spot) -> list[str]:
    """Return every decision available to the player to move, as typed text."""
    at, fight = places_of(spot), spot.fight
    user_units = [man for man in at if seat(data, man) == spot.side]
    foes = [man for man in at if seat(data, man) != spot.side]
    if spot.waits == "card":
        return sorted(set(spot.hands[spot.side]))
    if spot.waits == "order":
        left = [man for man in user_units if man not in spot.ordered]
        return [*(man for man in left if may_order(data, spot, spot.ordered | {man})), "orders"]
    if spot.waits == "move":
        return [*_marches(data, spot), "moves"]
    if spot.waits == "battle":
        able = [man for man in spot.ordered - spot.spent if man in at]
        return [*(f"{man} {foe}" for man in able for foe in foes if attack(data, spot, man, foe)), "battles"]
    if spot.waits in ("gain", "back"):
        return ["gain", "stay"] if spot.waits == "gain" else ["back", "no"]
    assert fight
    if spot.waits == "pursue":
        return [*(name(c) for c in open_neighbours(data, at[fight.by]) if c not in at.values()), "stay"]
    if spot.waits == "bonus":
        return [*(foe for foe in foes if attack(data, spot, fight.by, foe)), "no"]
    if spot.waits == "retreat":
        return [name(cell) for cell in retreat_hexes(data, spot, fight.on)]
    if spot.waits == "ignore":
        return [f"ignore {n}" for n in range(fight.left + 1) if n <= boldness(data, spot, fight.on)]
    return []


def _marches(data: BattleData, spot: Spot) -> Iterator[str]:
    for man in spot.ordered - spot.moved:
        unit = data.men[man]
        yield from (f"{man} {name(cell)}" for cell in walks(data, spot, man, unit.run))


def retreat_hexes(data: BattleData, spot: Spot, man: str) -> list[Place]:
    """Return the free hexes in the next row toward the unit's baseline."""
    here = places_of(spot)[man]
    row = here[1] - 1 if seat(data, man) == 0 else here[1] + 1
    return [cell for cell in open_neighbours(data, here) if cell[1] == row and cell not in places_of(spot).values()]


def banners(data: BattleData, spot: Spot) -> tuple[int, int]:
    """Return the banners of both sides, from destroyed units and from victory hexes with their units."""
    held = [0, 0]
    for man, at, _ in spot.men:
        held[seat(data, man)] += data.prizes[seat(data, man)].get(at, 0)
    return spot.won[0] + held[0], spot.won[1] + held[1]


def counted(data: BattleData, spot: Spot) -> Spot:
    """Return the position, ended if a side has enough banners. The side to move is checked first."""
    for side in (spot.side, 1 - spot.side) if spot.waits != "over" else ():
        if banners(data, spot)[side] >= data.goals[side]:
            return replace(spot, waits="over", winner=side, fight=None)
    return spot


def act(data: BattleData, spot: Spot, decision: str) -> Spot:
    """Return the position after a decision."""
    return counted(data, _decided(data, spot, decision))


def _decided(data: BattleData, spot: Spot, decision: str) -> Spot:
    cells = {name(cell): cell for cell in places(data.rows)}
    if spot.waits == "card":
        hands = list(spot.hands)
        hand = list(hands[spot.side])
        hand.remove(decision)
        hands[spot.side] = tuple(hand)
        played = tuple(sorted((*spot.played, decision)))
        return replace(spot, waits="order", card=decision, hands=(hands[0], hands[1]), played=played)
    if spot.waits == "order":
        if decision == "orders":
            return replace(spot, waits="move" if spot.ordered else "draw")
        ordered = spot.ordered | {decision}
        return replace(spot, ordered=ordered, waits="move" if len(ordered) == sum(cards()[spot.card]) else "order")
    if spot.waits == "move":
        if decision == "moves":
            return _battles(replace(spot, waits="battle"))
        man, hex_ = decision.split()
        return _marched(data, spot, man, cells[hex_])
    if spot.waits == "battle":
        if decision == "battles":
            return replace(spot, waits="draw")
        by, on = decision.split()
        begun = Fight(by, on, "attack", 0, places_of(spot)[on], False)
        return replace(spot, waits="roll", spent=spot.spent | {by}, fight=begun)
    if decision in ("stay", "no"):
        return _battles(spot)
    return _fought(data, spot, decision, cells)


def _fought(data: BattleData, spot: Spot, decision: str, cells: Mapping[str, Place]) -> Spot:
    """Return the position after a decision made during an attack."""
    fight = spot.fight
    assert fight
    if spot.waits == "gain":
        spot = _goes(data, spot, fight.by, fight.stood)
        rider = data.men[fight.by].mounted and fight.what == "attack" and fight.by not in spot.halted
        free = [c for c in open_neighbours(data, fight.stood) if c not in places_of(spot).values()]
        return replace(spot, waits="pursue") if rider and free else _battles(spot)
    if spot.waits == "pursue":
        spot = _goes(data, spot, fight.by, cells[decision])
        rests = cannot_battle(data, fight.by, fight.stood) or cannot_battle(data, fight.by, cells[decision])
        again = any(attack(data, spot, fight.by, man) for man in places_of(spot))
        return replace(spot, waits="bonus") if again and not rests else _battles(spot)
    if spot.waits == "bonus":
        return replace(
            spot, waits="roll", fight=Fight(fight.by, decision, "bonus", 0, places_of(spot)[decision], False)
        )
    if spot.waits == "back":
        return replace(
            spot, waits="roll", fight=Fight(fight.on, fight.by, "answer", 0, places_of(spot)[fight.by], False)
        )
    if spot.waits == "ignore":
        left = fight.left - int(decision.removeprefix("ignore "))
        return _flees(data, replace(spot, fight=replace(fight, left=left)))
    assert spot.waits == "retreat"
    spot = _placed(replace(spot, fight=replace(fight, left=fight.left - 1)), fight.on, cells[decision])
    return replace(spot, waits="fright") if fight.scared else _flees(data, spot)


def _marched(data: BattleData, spot: Spot, man: str, cell: Place) -> Spot:
    unit = data.men[man]
    tired = walks(data, spot, man, 9)[cell] > unit.move or cannot_battle(data, man, cell)
    spot = replace(_goes(data, spot, man, cell), spent=spot.spent | ({man} if tired else set()))
    return spot if spot.ordered - spot.moved else _battles(replace(spot, waits="battle"))


def _goes(data: BattleData, spot: Spot, man: str, cell: Place) -> Spot:
    halted = spot.halted | ({man} if stops_at(data, cell) else set())
    return replace(_placed(spot, man, cell), moved=spot.moved | {man}, halted=halted)


def _placed(spot: Spot, man: str, cell: Place) -> Spot:
    return replace(spot, men=tuple((m, cell if m == man else at, n) for m, at, n in spot.men))


def _battles(spot: Spot) -> Spot:
    return replace(spot, waits="battle" if spot.ordered - spot.spent else "draw", fight=None)


def results_of_roll(data: BattleData, spot: Spot) -> Counter[Spot]:
    """Return every position after a roll or card draw, with the number of ways to reach it."""
    after: Counter[Spot] = Counter()
    for (_, leads), count in weighted_outcomes(data, spot).items():
        after[counted(data, leads)] += count
    return after


def outcomes(data: BattleData, spot: Spot) -> list[Spot]:
    """Return the position after each outcome of a card draw, or after each pair of hits and flags."""
    return [counted(data, leads) for _, leads in weighted_outcomes(data, spot)]


def weighted_outcomes(data: BattleData, spot: Spot) -> Counter[tuple[object, Spot]]:
    """Return each outcome with the position after it, and the number of ways to get it."""
    after: Counter[tuple[object, Spot]] = Counter()
    fight = spot.fight
    if spot.waits == "draw":
        return Counter((card, _dealt(data, spot, card)) for card in spot.deck)
    assert fight
    colour = data.men[fight.on].banner
    if spot.waits == "fright":
        for face in FACES:
            hurt = face == colour
            after[hurt, _flees(data, _hurt(data, spot, 1) if hurt else spot)] += 1
        return after
    how = attack(data, spot, fight.by, fight.on)
    assert how
    dice, strikes, ignored = how
    for roll in product(FACES, repeat=dice):
        hits = roll.count(colour) + (max(0, roll.count("strike") - ignored) if strikes else 0)
        flags = roll.count("flag")
        after[(hits, flags), _struck(data, spot, hits, flags)] += 1
    return after


def _dealt(data: BattleData, spot: Spot, card: str) -> Spot:
    deck, hands = list(spot.deck), list(spot.hands)
    deck.remove(card)
    hands[spot.side] = tuple(sorted((*hands[spot.side], card)))
    spot = replace(spot, deck=tuple(deck), hands=(hands[0], hands[1]))
    if not deck:
        spot = replace(spot, deck=spot.played, played=())
    for side in (spot.side, 1 - spot.side):
        if len(spot.hands[side]) < data.hands[side]:
            return replace(spot, side=side)
    spot = replace(spot, side=1 - spot.side)
    if spot.turn == 2 * data.rounds:
        return replace(spot, waits="over")
    nobody: frozenset[str] = frozenset()
    spot = replace(spot, card="", ordered=nobody, moved=nobody, spent=nobody, halted=nobody)
    return replace(spot, waits="card", turn=spot.turn + 1)


def _struck(data: BattleData, spot: Spot, hits: int, flags: int) -> Spot:
    fight = spot.fight
    assert fight
    spot = _hurt(data, spot, hits)
    if spot.waits == "over" or fight.on not in places_of(spot):
        return spot if spot.waits == "over" else _settled(data, spot)
    if flags and boldness(data, spot, fight.on):
        return replace(spot, waits="ignore", fight=replace(fight, left=flags))
    scared = flags > 0 and data.men[fight.on].race == "goblin"
    left = flags * (2 if scared else 1)
    return _flees(data, replace(spot, fight=replace(fight, left=left, scared=scared)))


def _flees(data: BattleData, spot: Spot) -> Spot:
    fight = spot.fight
    if spot.waits == "over":
        return spot
    assert fight
    if fight.left and fight.on in places_of(spot):
        if retreat_hexes(data, spot, fight.on):
            return replace(spot, waits="retreat")
        spot = _hurt(data, spot, fight.left)
    return spot if spot.waits == "over" else _settled(data, spot)


def _hurt(data: BattleData, spot: Spot, count: int) -> Spot:
    assert spot.fight
    on = spot.fight.on
    left = figures(spot, on) - count
    if left > 0:
        return replace(spot, men=tuple((m, at, left if m == on else n) for m, at, n in spot.men))
    victor = 1 - seat(data, on)
    won = tuple(n + (side == victor) for side, n in enumerate(spot.won))
    spot = replace(spot, men=tuple(row for row in spot.men if row[0] != on), won=(won[0], won[1]))
    if won[victor] >= data.goals[victor] or all(seat(data, man) == victor for man in places_of(spot)):
        return replace(spot, waits="over", winner=victor, fight=None)
    return spot


def _settled(data: BattleData, spot: Spot) -> Spot:
    fight, at = spot.fight, places_of(spot)
    assert fight
    if fight.what == "answer":
        return _battles(spot)
    attacker = at[fight.by]
    if not are_neighbours(attacker, fight.stood) or frozenset((attacker, fight.stood)) in data.walls:
        return _battles(spot)
    if at.get(fight.on) != fight.stood:
        return replace(spot, waits="gain")
    return replace(spot, waits="back") if boldness(data, spot, fight.on) else _battles(spot)
