"""The draw of a game, step by step as the players do it (seed, 3a and 3b)."""

from __future__ import annotations

from dataclasses import dataclass

from generator import __version__
from generator.draw.streams import Streams
from generator.errors import NothingLegalError
from generator.games.battlelore.battle import OTHER
from generator.games.battlelore.forces.council import Council, draw_council
from generator.games.battlelore.ground.board import CAMPS, SECTIONS, Board, Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.wishes import Ground
from generator.games.call_to_arms.draw.army import Army
from generator.games.call_to_arms.draw.exchange import draw_exchanges
from generator.games.call_to_arms.draw.plan import strong_places
from generator.games.call_to_arms.draw.specialdraw import draw_plays, pick_specialists
from generator.games.call_to_arms.draw.specialwishes import least_levels
from generator.games.call_to_arms.forces.specialists import Exchange
from generator.games.call_to_arms.scenario import LORE, Force, Scenario
from generator.games.call_to_arms.wishes import ORGANIZED, STRONG, Asked
from generator.games.call_to_arms.words import numbers
from generator.games.logs import Step
from generator.model.scenario import Order, Origin

STREAMS = "v1/call_to_arms"
DICE_ROUNDS = 100


@dataclass(frozen=True)
class Hand:
    """A camp's sets, and the four cards drawn of them in the order they came."""

    camp: Camp
    sets: tuple[str, ...]
    keys: tuple[str, ...]
    steps: tuple[Step, ...]


def ground(asked: Asked) -> Ground:
    """The map that is wished for or drawn."""
    return asked.setting.ground(Streams(asked.setting.code, STREAMS).under("map"))


def hands(asked: Asked) -> dict[Camp, Hand]:
    """Each camp's four cards: the draw up to the point where the players choose."""
    owner, _ = the_owner(asked)
    asked.settle(owner)
    sets = {camp: asked.sets_of(camp) for camp in CAMPS}
    steps: dict[Camp, Step] = {}
    # The owner of the expansion has the first say, yet what is left to chance takes no set the other wishes for.
    for camp in (owner, OTHER[owner]):
        sets[camp], steps[camp] = _sets(asked, camp, sets[OTHER[camp]])
    return {camp: _hand(asked, camp, sets[camp], steps[camp]) for camp in CAMPS}


def the_owner(asked: Asked) -> tuple[Camp, str]:
    """Who owns the expansion, and the stream that drew him."""
    if asked.owner:
        return asked.owner, ""
    stream = Streams(asked.setting.code, STREAMS).at("owner")
    return stream.choice(CAMPS), stream.path


def draw(order: Order) -> Scenario:
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
        log += [*drawn[camp].steps, *army.log]
        army.log.clear()
    first, steps = _first(armies, streams)
    log += steps
    exchanges: list[Exchange] = []
    for camp in (OTHER[first], first):
        army = armies[camp]
        army.bring_reserves(None if camp == first else numbers().second_reserves)
        log += army.log
        if asked.mode == ORGANIZED:
            given, told = draw_exchanges(army)
            exchanges += given
            log += told
    councils = {camp: _council(asked, camp, streams, log) for camp in CAMPS}
    scenario = Scenario(
        origin=Origin("call_to_arms", order.code, __version__, dict(order.wishes), asked.setting.files),
        title=asked.setting.title or land.title,
        mode=asked.mode,
        map=land.name,
        board=land.board,
        inventory=asked.setting.inventory,
        deck=asked.deck,
        pool=asked.pool,
        rulings=asked.setting.rulings,
        forces={
            camp: Force(camp, drawn[camp].sets, a.places, a.reserve, tuple(a.units), councils[camp])
            for camp, a in armies.items()
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


def _sets(asked: Asked, camp: Camp, used: tuple[str, ...]) -> tuple[tuple[str, ...], Step]:
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


def _hand(asked: Asked, camp: Camp, sets: tuple[str, ...], step: Step) -> Hand:
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
    army = Army(asked, hand.camp, board, own, dict(zip(SECTIONS, keys[:3], strict=True)), keys[3])
    army.note("places", path, *keys)
    return army


def _first(armies: dict[Camp, Army], streams: Streams) -> tuple[Camp, list[Step]]:
    """More green banners on the board move first; a tie is diced for until it breaks."""
    green = {camp: army.green for camp, army in armies.items()}
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


def _council(asked: Asked, camp: Camp, streams: Streams, log: list[Step]) -> Council:
    """A war council in Lore games, after the reserves."""
    if asked.age != LORE:
        return {}
    stream = streams.under(asked.drawer(camp)).at("council")
    wished = asked.councils[camp]
    council = wished or draw_council(stream, least_levels(asked.specialists[camp]))
    told = tuple(f"{seat} {level}" for seat, level in council.items())
    log.append(Step("council", camp, "" if wished else stream.path, told))
    return council
