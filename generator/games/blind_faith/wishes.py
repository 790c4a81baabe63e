"""What may be wished for: map, pack, kind of scenario, points, armies, crusade, rulings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from generator.common.game import Wish, WishText, wish_texts
from generator.common.interpretations import chosen, ruling_wishes
from generator.common.search import title_wish
from generator.errors import WrongUsageError, near
from generator.games.blind_faith.ground import RANDOM, DrawnMap, OpMap, house_maps, load_map, side_name
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.model import KINDS, numbers
from generator.games.blind_faith.pack import Pack, house_pack, load_pack
from generator.games.blind_faith.tables import SIDES, switches
from generator.model.scenario import Request
from generator.model.words import Words
from generator.said import say
from generator.seeds import Streams

BY_HAND = "hand"
"""What stands in place of a map's name where a person drew the map in the scenario itself."""
ON = "on"
ON_OFF = (ON, "off")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    tables, texts = numbers(), wish_texts("blind_faith")
    legates = {legate.id: legate.name for legate in house_pack().legates}
    turns = tuple(str(n) for n in range(1, tables.turns + 1))
    return (
        Wish("title", texts["title"], metavar="TITLE"),
        Wish("kind", texts["kind"], KINDS),
        Wish("map", texts["map"], (*house_maps(), RANDOM), file=True),
        Wish("mover", texts["mover"], SIDES),
        Wish("points", texts["points"], tuple(map(str, tables.points.numbers)), metavar="N"),
        *(_army(side, texts["army"]) for side in SIDES),
        Wish("turn", texts["turn"], turns),
        Wish("crusade", texts["crusade"], ON_OFF),
        Wish("legate", texts["legate"], metavar="LEGATE", names=legates, known=(*legates,)),
        Wish("uneven", texts["uneven"], (ON,), bare=ON),
        *ruling_wishes(switches()),
        Wish("pack", texts["pack"], file=True, metavar="FILE"),
    )


def _army(side: str, text: WishText) -> Wish:
    armies = {army.id: army.name for army in numbers().army if army.side == side}
    return Wish(f"army-{side}", text.fill(side=side_name(side)), (*armies,), names=armies)


class Ground(Struct, frozen=True):
    """The map of a scenario, with the random stream it was drawn from, empty where it was wished for."""

    name: str
    land: OpMap
    stream: str


class Setting(Struct, frozen=True):
    """An order's wishes; what is not wished for is empty or at its default."""

    title: Words | None
    map: str
    drawn_map: DrawnMap | None
    pack: Pack
    rulings: Mapping[str, str]
    crusade: bool | None
    legate: str
    uneven: bool

    @classmethod
    def of(cls, order: Request) -> Setting:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        wish, files = order.wishes, order.files
        pack = load_pack(files.get("pack"))
        legate, crusade = wish.get("legate", ""), wish.get("crusade", "on" if "legate" in wish else "")
        known = [one.id for one in pack.legates]
        if legate and legate not in known:
            raise WrongUsageError(say("no legate {legate!r}", legate=legate), hint=near(legate, known))
        if legate and crusade == "off":
            raise WrongUsageError(say("--legate is for a crusade that is on"), hint=say("leave out --crusade off"))
        if crusade == "on" and not known:
            raise WrongUsageError(say("the pack has no legate, and so no crusade"))
        return cls(
            title=title_wish(order),
            map=wish.get("map", ""),
            drawn_map=load_map(files["map"]) if "map" in files else None,
            pack=pack,
            rulings=chosen(switches(), wish),
            crusade=crusade == "on" if crusade else None,
            legate=legate,
            uneven=wish.get("uneven") == ON,
        )

    def ground(self, streams: Streams) -> Ground:
        """The map wished for, or one drawn: as often a house map as a random one."""
        if self.drawn_map:
            return Ground(self.map, self.drawn_map.ground, "")
        choice, stream = self.map, ""
        if not choice:
            draw = streams.at("choice")
            stream = draw.path
            choice = RANDOM if draw.chance(1, 2) else draw.choice(tuple(house_maps()))
        if choice == RANDOM:
            own = streams.under(RANDOM)
            return Ground(RANDOM, make_map(own), own.prefix)
        return Ground(choice, house_maps()[choice].ground, stream)
