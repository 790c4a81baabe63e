"""The draw of an Impromptu game, step by step as the players do it (seed, 3a)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from generator import __version__
from generator.draw.streams import Streams
from generator.errors import NothingLegalError
from generator.games.battlelore.battle import OFF_BOARD, OTHER, PREFIX, Step
from generator.games.battlelore.board import CAMPS, SECTIONS, Board, Camp, Section
from generator.games.battlelore.lore import lore
from generator.games.battlelore.setting import Ground
from generator.games.battlelore.units import Placed, Unit
from generator.games.call_to_arms.deck import Card, CardUnit
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.call_to_arms.wishes import Asked
from generator.games.call_to_arms.words import numbers
from generator.grid.hexes import Hex, distance
from generator.model.scenario import Order, Origin

STREAMS = "v1/call_to_arms"
DICE_ROUNDS = 100


@dataclass(frozen=True)
class Hand:
    """A camp's set, and the four cards drawn of it in the order they came."""

    camp: Camp
    set: str
    keys: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass
class _Muster:
    """One camp's army while it is raised."""

    asked: Asked
    board: Board
    streams: Streams
    hand: Hand
    places: dict[Section, str]
    reserve: str
    units: list[Unit] = field(default_factory=list)
    log: list[Step] = field(default_factory=list)

    @property
    def camp(self) -> Camp:
        return self.hand.camp

    def card(self, key: str) -> Card:
        return self.asked.deck.card(self.camp, key)

    def taken(self) -> set[Hex]:
        return {u.hex for u in self.units if u.hex}

    def add(self, key: str, of: CardUnit, placed: Placed, at: Hex | None) -> Unit:
        """Take a unit from the pool, or a levy token for it; with neither it is not deployed."""
        levy = False
        if at is not None:
            standing = [u for u in self.units if u.hex]
            real = [u.kind for u in standing if not u.levy]
            tokens = Counter(u.kind.banner for u in standing if u.levy)
            pool = self.asked.pool
            if not pool.fits(self.camp, [*real, of.kind]):
                levy = tokens[of.kind.banner] < pool.levies(self.camp, of.kind.banner)
                if not levy:
                    at, placed = None, "lost"
        number = len(self.units) + 1
        unit = Unit(f"{PREFIX[self.camp]}{number}", of.kind, key, (of.column, of.row), placed, at, levy)
        self.units.append(unit)
        if levy:
            self.note("levy", "", unit.id, of.kind.banner)
        return unit

    def note(self, what: str, stream: str, *result: str) -> None:
        self.log.append(Step(what, self.camp, stream, result))

    def name(self, cell: Hex | None) -> str:
        return self.board.field.name(cell) if cell else OFF_BOARD


def ground(asked: Asked) -> Ground:
    """The map that is wished for or drawn."""
    return asked.setting.ground(Streams(asked.setting.code, STREAMS).under("map"))


def hands(asked: Asked) -> dict[Camp, Hand]:
    """Each camp's four cards: the draw up to the point where the players choose."""
    return {camp: _hand(asked, camp) for camp in CAMPS}


def draw(order: Order) -> Scenario:
    """A whole Impromptu scenario."""
    asked = Asked.of(order)
    streams = Streams(order.code, STREAMS)
    land = ground(asked)
    log = [land.step]
    musters = {camp: _places(asked, land.board, hand, streams) for camp, hand in hands(asked).items()}
    for muster in musters.values():
        for section in SECTIONS:
            _deploy(muster, section)
        log += [*muster.hand.steps, *muster.log]
        muster.log.clear()
    first, steps = _first(musters, streams)
    log += steps
    for camp in (OTHER[first], first):
        _reserves(musters[camp], None if camp == first else numbers().second_reserves)
        log += musters[camp].log
    return Scenario(
        origin=Origin("call_to_arms", order.code, __version__, dict(order.wishes), asked.setting.files),
        title=asked.setting.title or land.title,
        mode="impromptu",
        map=land.name,
        board=land.board,
        inventory=asked.setting.inventory,
        deck=asked.deck,
        pool=asked.pool,
        rulings=asked.setting.rulings,
        forces={camp: Force(camp, m.hand.set, m.places, m.reserve, tuple(m.units)) for camp, m in musters.items()},
        first=first,
        banners=asked.setting.banners,
        hand=asked.setting.hand,
        log=tuple(log),
    )


def _hand(asked: Asked, camp: Camp) -> Hand:
    streams = Streams(asked.setting.code, STREAMS).under(camp)
    cards = asked.cards[camp]
    if cards:
        letter = asked.deck.card(camp, cards[0]).set
        return Hand(camp, letter, cards, (Step("hand", camp, "", cards),))
    letter = asked.sets[camp]
    steps = []
    if not letter:
        stream = streams.at("set")
        letter = stream.choice(asked.deck.sets)
        steps.append(Step("set", camp, stream.path, (letter,)))
    else:
        steps.append(Step("set", camp, "", (letter,)))
    stream = streams.at("shuffle")
    shuffled = tuple(stream.shuffle([card.key for card in asked.deck.set(camp, letter)]))
    steps += [
        Step("shuffle", camp, stream.path, shuffled),
        Step("hand", camp, stream.path, shuffled[: numbers().drawn]),
    ]
    return Hand(camp, letter, shuffled[: numbers().drawn], tuple(steps))


def _places(asked: Asked, board: Board, hand: Hand, streams: Streams) -> _Muster:
    own = streams.under(hand.camp)
    stream = own.at("places")
    wished = asked.placed(hand.camp, hand.keys)
    keys = wished or tuple(stream.shuffle(hand.keys))
    muster = _Muster(asked, board, own, hand, dict(zip(SECTIONS, keys[:3], strict=True)), keys[3])
    muster.note("places", "" if wished else stream.path, *keys)
    return muster


def _deploy(muster: _Muster, section: Section) -> None:
    """Units on their own hexes first, then the displaced ones in card order."""
    key = muster.places[section]
    plan, board = muster.board.plan, muster.board
    own = {u: plan.card_hex(muster.camp, section, u.column, u.row) for u in muster.card(key).units}
    stream = muster.streams.at(f"displaced/{section}")
    for unit, cell in own.items():
        if board.passable(cell):
            muster.add(key, unit, "card", cell)
    for unit, cell in own.items():
        if board.passable(cell):
            continue
        free = _refuges(muster, section, cell)
        if not free:
            lost = muster.add(key, unit, "lost", None)
            muster.note("lost", "", lost.id, muster.name(cell))
            continue
        moved = muster.add(key, unit, "displaced", stream.choice(free))
        muster.note("displaced", stream.path, moved.id, muster.name(cell), muster.name(moved.hex))


def _refuges(muster: _Muster, section: Section, cell: Hex) -> list[Hex]:
    """Where a unit may go whose own hex is impassable (switch `displaced`)."""
    plan = muster.board.plan
    if muster.asked.setting.rulings["displaced"] == "baseline":
        return _free(muster, plan.baseline(muster.camp, section))
    free = _free(muster, (c for c in plan.section_cells(section, muster.camp) if not plan.shared(c)))
    nearest = min((distance(c, cell) for c in free), default=0)
    return [c for c in free if distance(c, cell) == nearest]


def _free(muster: _Muster, cells: Iterable[Hex]) -> list[Hex]:
    taken = muster.taken()
    return [c for c in cells if muster.board.passable(c) and c not in taken]


def _first(musters: dict[Camp, _Muster], streams: Streams) -> tuple[Camp, list[Step]]:
    """More green banners on the board move first; a tie is diced for until it breaks."""
    green = {camp: sum(u.kind.banner == "green" for u in muster.units if u.hex) for camp, muster in musters.items()}
    steps = [Step("green", None, "", tuple(str(n) for n in green.values()))]
    stream = streams.at("dice")
    faces = [face.id for face in lore().play.face]
    for _ in range(DICE_ROUNDS):
        if green["pennant"] != green["standard"]:
            first: Camp = "pennant" if green["pennant"] > green["standard"] else "standard"
            return first, [*steps, Step("first", first, "", ())]
        rolls = {camp: [stream.choice(faces) for _ in range(numbers().tie_dice)] for camp in CAMPS}
        green = {camp: rolled.count("green") for camp, rolled in rolls.items()}
        steps.append(Step("dice", None, stream.path, tuple(" ".join(r) for r in rolls.values())))
    raise NothingLegalError("the dice for the first player stayed tied a hundred times")


def _reserves(muster: _Muster, most: int | None) -> None:
    """The first player brings all of his reserve card, the second two of his choice, on the baseline."""
    stream = muster.streams.at("reserve")
    units = muster.card(muster.reserve).units
    if most is not None:
        chosen = stream.sample(range(len(units)), min(most, len(units)))
        units = tuple(units[i] for i in sorted(chosen))
    for of in units:
        free = _free(muster, muster.board.plan.baseline(muster.camp))
        at = stream.choice(free) if free else None
        unit = muster.add(muster.reserve, of, "reserve" if at else "lost", at)
        muster.note("reserve", stream.path, unit.id, muster.name(unit.hex))
