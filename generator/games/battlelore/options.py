"""The options for the title, board, length and rulings of every battle on a BattleLore board."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from generator.common.game import GameOption, option_texts
from generator.common.interpretations import Ruling, chosen_rulings, ruling_options
from generator.common.scenario_file import Step
from generator.common.search import MIRROR, mirror_option, mirrors, requested_title
from generator.errors import WrongUsageError, near
from generator.games.battlelore.ground import (
    Board,
    DrawnMap,
    Inventory,
    house_maps,
    load_inventory,
    load_map,
    profiles,
)
from generator.games.battlelore.maker import make_map
from generator.games.battlelore.model import LORE, RANDOM, symmetric
from generator.games.battlelore.tables import battle_name, lore
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.seeds import RngStreams

PROFILE = "battlelore"


class Ground(Struct, frozen=True):
    """A map and the log step that records its choice."""

    name: str
    title: Words
    board: Board
    step: Step


class Setting(Struct, frozen=True):
    """The options of a request that concern the battle itself. Missing options are empty or have their defaults."""

    code: str
    title: Words | None
    profile: str
    map: str
    drawn_map: DrawnMap | None
    banners: int
    hand: int | None
    """The number of cards in a command hand. None in a Lore game, in which the war council of each camp determines
    it.
    """
    rulings: Mapping[str, str]
    inventory: Inventory
    mirrored: bool
    """Whether the map must be symmetric under a 180° turn."""

    @classmethod
    def of(cls, request: Request, switches: Mapping[str, Ruling]) -> Setting:
        """Read the options of a request.

        Raises:
            WrongUsageError: If an option is invalid.
            DataError: If a file is invalid.
        """
        options, files = request.options, request.files
        drawn_map = load_map(files["map"]) if "map" in files else None
        return cls(
            code=request.code,
            title=requested_title(request),
            profile=options.get("board") or (drawn_map.ground.profile if drawn_map else PROFILE),
            map=options.get("map", ""),
            drawn_map=drawn_map,
            banners=int(options.get("banners", lore().play.banners.usual)),
            hand=_hand(options),
            rulings=chosen_rulings(switches, options),
            inventory=load_inventory(files.get("inventory")),
            mirrored=mirrors(request),
        )

    def ground(self, streams: RngStreams) -> Ground:
        """Return the requested map.

        By default choose with equal chances between a house map of this board and a random map.
        """
        if self.drawn_map:
            drawn = self.drawn_map
            if drawn.ground.profile != self.profile:
                raise self._other_board(())
            if self.mirrored and not symmetric(drawn.ground):
                raise self._uneven(())
            return Ground(self.map, drawn.name, drawn.ground, Step("map", None, "", (self.map,)))
        maps = {name: m for name, m in house_maps().items() if m.ground.profile == self.profile}
        if self.mirrored:
            even = {name: m for name, m in maps.items() if symmetric(m.ground)}
            if self.map in maps and self.map not in even:
                raise self._uneven((*even, RANDOM))
            maps = even
        choice, stream = self.map, ""
        if not choice:
            draw = streams.at("choice")
            stream = draw.path
            choice = RANDOM if not maps or draw.chance(1, 2) else draw.choice(tuple(maps))
        if choice == RANDOM:
            rng = streams.under(RANDOM)
            board = make_map(self.profile, rng, self.inventory, mirrored=self.mirrored)
            return Ground(RANDOM, battle_name(streams.at("name")), board, Step("map", None, rng.prefix, (RANDOM,)))
        if choice not in maps:
            raise self._other_board(tuple(maps))
        return Ground(choice, maps[choice].name, maps[choice].ground, Step("map", None, stream, (choice,)))

    def _other_board(self, maps: tuple[str, ...]) -> WrongUsageError:
        message = tr("the map {map} is for a different board, not for {profile}", map=self.map, profile=self.profile)
        return WrongUsageError(message, hint=near(self.map, maps))

    def _uneven(self, maps: tuple[str, ...]) -> WrongUsageError:
        hint = (
            tr("symmetrical maps: {maps}", maps=[*maps])
            if maps
            else tr("omit --{mirror}, or choose a symmetrical map", mirror=MIRROR)
        )
        return WrongUsageError(tr("the map {map} is not symmetrical under a 180° turn", map=self.map), hint=hint)


def _hand(requested: Mapping[str, str]) -> int | None:
    if requested.get("age") != LORE:
        return int(requested.get("hand", lore().play.hand.usual))
    if "hand" in requested:
        message = tr(
            "--hand cannot be used in Lore games, where the commander of each war council sets the command hand"
        )
        raise WrongUsageError(message, hint=tr("omit --hand, or choose a medieval game"))
    return None


def setting_options(switches: Mapping[str, Ruling]) -> tuple[GameOption, ...]:
    """Return the options that `Setting.of` reads."""
    play, texts = lore().play, option_texts(PROFILE)
    boards = {name: profile.name for name, profile in profiles().items()}
    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("board", texts["board"], (*boards,), default=PROFILE, names=boards),
        GameOption("map", texts["map"], (*house_maps(), RANDOM), file=True),
        GameOption("banners", texts["banners"], play.banners.words, default=str(play.banners.usual)),
        GameOption("hand", texts["hand"], play.hand.words, default=str(play.hand.usual)),
        mirror_option(),
        *ruling_options(switches),
        GameOption("inventory", texts["inventory"], file=True, metavar="FILE"),
    )
