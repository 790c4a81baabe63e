"""Drawing a battle: decks, hands, cards laid, levies exchanged.

A plan for the three cards: bows where they see most, heavy units where the ground is open.

The measure, a house one: for a bow, a point for every hex it sees within its range; for any other unit, its
points for each hex next to it that it may enter without stopping; a unit that the ground would displace counts
for nothing.

One camp's army while it is raised, where chance decides.

Feudal levy tokens given back for soldiers (seed, 3b-4).

The draw of a game, step by step as the players do it (seed, 3a and 3b).

The draw, and how typed wishes enter it; the rules know nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from msgspec import Struct

from generator.common.scenario_file import Step
from generator.errors import NothingLegalError
from generator.games.battlelore.forces import Council, Kind, draw_council, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side
from generator.games.battlelore.model import LORE, OTHER, kind_text
from generator.games.battlelore.play import screens
from generator.games.battlelore.tables import lore
from generator.games.battlelore.wishes import Ground
from generator.games.call_to_arms.cards import CardUnit, Deck
from generator.games.call_to_arms.deploying import Deployment
from generator.games.call_to_arms.model import Force, Scenario
from generator.games.call_to_arms.specialist_draw import draw_plays, pick_specialists
from generator.games.call_to_arms.specialists import Exchange
from generator.games.call_to_arms.tables import numbers
from generator.games.call_to_arms.wishes import ORGANIZED, STRONG, Asked, least_levels, picked, place
from generator.grid.hexes import Hex, distance
from generator.model.scenario import Request
from generator.notation import envelope
from generator.said import say
from generator.seeds import Streams
from generator.sight.trace import Screens


def strong_places(
    deck: Deck, board: Board, camp: Side, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> tuple[str, ...]:
    """The four cards as left, centre, right, reserve, by the best sum of the measure; ties keep the order given."""
    value = worth(deck, board, camp, keys, rulings)
    return max(permutations(keys), key=lambda four: sum(value[k, s] for k, s in zip(four[:3], SECTIONS, strict=True)))


def worth(
    deck: Deck, board: Board, camp: Side, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> dict[tuple[str, Section], int]:
    """The measure of each card in each section."""
    over = screens(board, (), rulings)
    return {
        (key, section): sum(
            _worth(board, over, unit.kind, board.plan.card_hex(camp, section, unit.column, unit.row))
            for unit in deck.card(camp, key).units
        )
        for key in keys
        for section in SECTIONS
    }


def _worth(board: Board, over: Screens, kind: Kind, at: Hex) -> int:
    if not board.passable(at):
        return 0
    if kind.bow:
        reach = lore().weapons[kind.weapon].range
        index = board.field.index
        return sum(
            not over.stops(index[at], index[cell]) for cell in board.field.cells if 2 <= distance(at, cell) <= reach
        )
    ahead = [n for n in board.field.neighbours(at) if board.step(at, n) and board.terrain(n).move == "free"]
    return points(kind) * len(ahead)


class Army(Struct):
    """A camp's deployment with the streams that decide what is left to chance."""

    asked: Asked
    streams: Streams
    on: Deployment

    def deploy(self, section: Section) -> None:
        """The units of a section's card."""
        stream = self.streams.at(f"displaced/{section}")
        self.on.deploy(section, lambda of, refuges: (stream.choice(refuges), stream.path))

    def bring_reserves(self, most: int | None) -> None:
        """The first player brings all of his reserve card, the second two of his choice, on the baseline."""
        stream, camp = self.streams.at("reserve"), self.on.camp
        units = self.on.card(self.on.reserve).units
        wished = self.asked.reserves[camp]
        count = len(units) if most is None else min(most, len(units))
        coming = picked(camp, wished, units, count) if wished else []
        if most is not None and not wished:
            units = tuple(units[i] for i in sorted(stream.sample(range(len(units)), count)))
        elif most is not None:
            units = ()
        hexes = dict(zip(coming, (at for _, at in wished), strict=True))

        def choose(of: CardUnit, room: Sequence[Hex]) -> tuple[Hex | None, str]:
            at = stream.choice(room) if room else None
            if not hexes.get(of):
                return at, stream.path
            return (place(camp, hexes[of], room, self.on.board.field) if room else None), ""

        self.on.bring((*coming, *(unit for unit in units if unit not in coming)), choose)


def may_become(levy: Kind, rulings: Mapping[str, str]) -> tuple[Kind, ...]:
    """The soldiers a token may be exchanged for, whatever is left in the pool.

    Its own level or lower, of any weapon that has figures of its own; a foot levy may become cavalry too (switch
    `levy_horse`: of its level or lower, or of a lower one only). A mounted levy stays mounted, or steps down to
    foot.
    """
    tables = lore()
    order = list(tables.banners)
    level = order.index(levy.banner)
    found = []
    for banner in order[: level + 1]:
        for weapon in tables.weapons.values():
            if weapon.stands:  # a long bow is what Bow Upgrade makes of a bow
                continue
            rises = levy.arm == "foot" and weapon.arm == "mounted"
            if rises and rulings["levy_horse"] == "lower" and order.index(banner) == level:
                continue
            found += [Kind(banner, weapon.id, race) for race in tables.races]
    return tuple(found)


def draw_exchanges(army: Army) -> tuple[list[Exchange], list[Step]]:
    """The exchanges a camp makes after its reserves: each token for the strongest soldiers left."""
    pool, camp = army.on.pool, army.on.camp
    stream = army.streams.at("exchange")
    real = [u.kind for u in army.on.units if u.hex and not u.levy]
    exchanges: list[Exchange] = []
    steps: list[Step] = []
    for unit in army.on.units:
        if not (unit.hex and unit.levy):
            continue
        open_ = [k for k in may_become(unit.kind, army.asked.setting.rulings) if pool.fits(camp, [*real, k])]
        if not open_:
            continue
        best = max(points(k) for k in open_)
        kind = stream.choice([k for k in open_ if points(k) == best])
        real.append(kind)
        exchanges.append(Exchange(camp, unit.id, kind))
        steps.append(Step("exchange", camp, stream.path, (unit.id, kind_text(kind))))
    return exchanges, steps


STREAMS = "v1/call_to_arms"
DICE_ROUNDS = 100


class Hand(Struct, frozen=True):
    """A camp's sets, and the four cards drawn of them in the order they came."""

    camp: Side
    sets: tuple[str, ...]
    keys: tuple[str, ...]
    steps: tuple[Step, ...]


def ground(asked: Asked) -> Ground:
    """The map that is wished for or drawn."""
    return asked.setting.ground(Streams(asked.setting.code, STREAMS).under("map"))


def hands(asked: Asked) -> dict[Side, Hand]:
    """Each camp's four cards: the draw up to the point where the players choose."""
    owner, _ = the_owner(asked)
    asked.settle(owner)
    sets = {camp: asked.sets_of(camp) for camp in SIDES}
    steps: dict[Side, Step] = {}
    # The owner of the expansion has the first say, yet what is left to chance takes no set the other wishes for.
    for camp in (owner, OTHER[owner]):
        sets[camp], steps[camp] = _sets(asked, camp, sets[OTHER[camp]])
    return {camp: _hand(asked, camp, sets[camp], steps[camp]) for camp in SIDES}


def the_owner(asked: Asked) -> tuple[Side, str]:
    """Who owns the expansion, and the stream that drew him."""
    if asked.owner:
        return asked.owner, ""
    stream = Streams(asked.setting.code, STREAMS).at("owner")
    return stream.choice(SIDES), stream.path


def draw(order: Request) -> Scenario:
    """A whole scenario."""
    asked = Asked.of(order)
    streams = Streams(order.code, STREAMS)
    land = ground(asked)
    owner, owner_stream = the_owner(asked)
    log = [land.step]
    if asked.mode == ORGANIZED:
        log.append(Step("owner", owner, owner_stream, ()))
    drawn = hands(asked)
    armies = {camp: _army(asked, land.board, hand, streams) for camp, hand in drawn.items()}
    for camp, army in armies.items():
        for section in numbers().mode[asked.mode].reveal:
            army.deploy(section)
        log += [*drawn[camp].steps, *army.on.log]
        army.on.log.clear()
    first, steps = _first(armies, streams)
    log += steps
    exchanges: list[Exchange] = []
    for camp in (OTHER[first], first):
        army = armies[camp]
        army.bring_reserves(None if camp == first else numbers().second_reserves)
        log += army.on.log
        if asked.mode == ORGANIZED:
            given, told = draw_exchanges(army)
            exchanges += given
            log += told
    councils = {camp: _council(asked, camp, streams, log) for camp in SIDES}
    scenario = Scenario(
        origin=envelope.drawn("call_to_arms", order),
        title=asked.setting.title or land.title,
        mode=asked.mode,
        map=land.name,
        board=land.board,
        inventory=asked.setting.inventory,
        deck=asked.deck,
        pool=asked.pool,
        rulings=asked.setting.rulings,
        forces={
            camp: Force(camp, drawn[camp].sets, on.places, on.reserve, tuple(on.units), councils[camp])
            for camp, on in ((camp, army.on) for camp, army in armies.items())
        },
        first=first,
        banners=asked.setting.banners,
        hand=asked.setting.hand,
        log=tuple(log),
        age=asked.age,
        owner=owner if asked.mode == ORGANIZED else None,
        exchanges=tuple(exchanges),
        twins=asked.setting.mirrored,
    )
    if asked.mode == ORGANIZED:
        scenario = draw_plays(asked, pick_specialists(asked, scenario, streams), streams)
    return scenario


def _sets(asked: Asked, camp: Side, used: tuple[str, ...]) -> tuple[tuple[str, ...], Step]:
    """The sets a camp shuffles; `used` are the other's, which it may not take too."""
    wished = asked.sets_of(camp)
    missing = numbers().mode[asked.mode].sets - len(wished)
    if not missing:
        return wished, Step("set", camp, "", wished)
    own = asked.deck.sets
    if asked.mode == ORGANIZED:
        own = (*own, *(f"{letter}/{OTHER[camp]}" for letter in own))
    taken = {asked.absolute(OTHER[camp], ref) for ref in used}
    stream = Streams(asked.setting.code, STREAMS).under(asked.drawer(camp)).at("set")
    open_ = [ref for ref in own if asked.absolute(camp, ref) not in taken and ref not in wished]
    sets = tuple(sorted((*wished, *stream.sample(open_, missing))))
    return sets, Step("set", camp, stream.path, sets)


def _hand(asked: Asked, camp: Side, sets: tuple[str, ...], step: Step) -> Hand:
    if cards := asked.cards[camp]:
        return Hand(camp, sets, cards, (step, Step("hand", camp, "", cards)))
    stream = Streams(asked.setting.code, STREAMS).under(asked.drawer(camp)).at("shuffle")
    shuffled = tuple(stream.shuffle([ref for of in sets for ref in asked.deck.refs(camp, of)]))
    four = shuffled[: numbers().drawn]
    steps = (step, Step("shuffle", camp, stream.path, shuffled), Step("hand", camp, stream.path, four))
    return Hand(camp, sets, four, steps)


def _army(asked: Asked, board: Board, hand: Hand, streams: Streams) -> Army:
    own = streams.under(asked.drawer(hand.camp))
    stream = own.at("places")
    keys, path = asked.placed(hand.camp, hand.keys), ""
    if not keys:
        path = stream.path
        keys = tuple(stream.shuffle(hand.keys))
        if asked.place == STRONG:
            keys = strong_places(asked.deck, board, hand.camp, keys, asked.setting.rulings)
    places = dict(zip(SECTIONS, keys[:3], strict=True))
    on = Deployment(asked.deck, asked.pool, asked.setting.rulings, hand.camp, board, places, keys[3])
    on.note("places", path, *keys)
    return Army(asked, own, on)


def _first(armies: dict[Side, Army], streams: Streams) -> tuple[Side, list[Step]]:
    """More green banners on the board move first; a tie is diced for until it breaks."""
    green = {camp: army.on.green for camp, army in armies.items()}
    steps = [Step("green", None, "", tuple(str(n) for n in green.values()))]
    stream = streams.at("dice")
    faces = [face.id for face in lore().play.face]
    for _ in range(DICE_ROUNDS):
        if green["pennant"] != green["standard"]:
            first: Side = "pennant" if green["pennant"] > green["standard"] else "standard"
            return first, [*steps, Step("first", first, "", ())]
        rolls = {camp: [stream.choice(faces) for _ in range(numbers().tie_dice)] for camp in SIDES}
        green = {camp: rolled.count("green") for camp, rolled in rolls.items()}
        steps.append(Step("dice", None, stream.path, tuple(" ".join(r) for r in rolls.values())))
    raise NothingLegalError(say("the dice for the first player stayed tied a hundred times"))


def _council(asked: Asked, camp: Side, streams: Streams, log: list[Step]) -> Council:
    """A war council in Lore games, after the reserves."""
    if asked.age != LORE:
        return {}
    stream = streams.under(asked.drawer(camp)).at("council")
    wished = asked.councils[camp]
    council = wished or draw_council(stream, least_levels(asked.specialists[camp]))
    told = tuple(f"{seat} {level}" for seat, level in council.items())
    log.append(Step("council", camp, "" if wished else stream.path, told))
    return council
