"""Printable pieces to cut out: tokens, tiles, unit cards and boards at true size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from generator.common.catalogue import Boards, user_path
from generator.common.game import Printable
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Kind, Pool, load_pool
from generator.games.battlelore.ground import MAPS, SIDES, Board, DrawnMap, Side, load_inventory, side_name, words
from generator.games.battlelore.maker import make_map
from generator.games.battlelore.maps import map_view, token
from generator.games.battlelore.model import RANDOM, CampUnit
from generator.games.battlelore.options import PROFILE
from generator.games.battlelore.tables import ByArm, Terrain, Weapon, lore
from generator.localization import tr
from generator.model.views import Back, Kit, Piece, Poster, Run, TextCard, Token
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.seeds import RngStreams

NEUTRAL = "disc"
LORE = "lore"
LORE_TOKEN = Token(LORE, LORE, LORE)


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of pieces.toml."""

    hex: dict[str, float]
    """The width of a hex in mm for each paper size."""
    board: float
    share: float
    lore_tokens: int
    carriers: dict[str, tuple[str, ...]]
    part: dict[str, Words]
    back: dict[str, Words]
    card: dict[str, Words]
    entry: dict[str, Words]
    battle: dict[str, Words]
    nature: dict[str, Words]


pieces = toml.shipped_table("battlelore/pieces.toml", Pieces)
"""Returns the shipped dimensions and texts of cards and tokens."""


def kinds() -> Iterator[Kind]:
    """Yield every kind of unit that has a card, ordered by weapon, race and colour."""
    for weapon in lore().weapons:
        for race in pieces().carriers.get(weapon, ()):
            for banner in lore().banners:
                yield Kind(banner, weapon, race)


def unit_cards() -> Run:
    """Return a card for every kind of unit."""
    back = Back(NEUTRAL, pieces().back["unit"])
    made = tuple(Piece(kind.name, _unit_card(kind), back) for kind in kinds())
    return Run("cards", pieces().part["unit_cards"], made, "card", note=pieces().card["note"])


def _unit_card(kind: Kind) -> TextCard:
    tables, texts = lore(), pieces().card
    banner, weapon, race = tables.banners[kind.banner], tables.weapons[kind.weapon], tables.races[kind.race]
    arm = texts["archers"] if weapon.bow else texts[weapon.arm]
    nerve, nature = tables.play.morale[race.morale], pieces().nature.get(race.morale)
    facts = (
        (texts["dice"], same(banner.dice)),
        (texts["move"], _moves(banner.move, banner.run, kind)),
        (texts["range"], reach(weapon)),
        (texts["figures"], same(kind.figures)),
        (texts["morale"], nerve.name),
    )
    effects = (weapon.effect, *([nature.fill(hexes=nerve.hexes, ignored=nerve.ignored)] if nature else ()))
    tokens = tuple(token(camp, kind) for camp in SIDES)
    what = texts["unit"].fill(grade=Words(banner.grade.en.capitalize(), banner.grade.ja), arm=arm)
    return TextCard(kind.name, NEUTRAL, what, tokens, facts, texts=effects, note=texts["note"], brief=texts["brief"])


def _moves(walk: ByArm, run: ByArm, kind: Kind) -> Words:
    near, far = walk[kind.arm], run[kind.arm]
    return same(near) if near == far else pieces().card["move_run"].fill(near=near, far=far)


def reach(weapon: Weapon) -> Words:
    """Return a description of a weapon's range."""
    texts = pieces().card
    return texts["range_hexes"].fill(n=weapon.range) if weapon.range > 1 else texts["melee"]


def strike(weapon: Weapon) -> Words:
    """Return a description of when a bonus strike of this weapon hits."""
    hits = weapon.strike
    word = {(True, True): "yes", (True, False): "melee_only", (False, True): "ranged_only", (False, False): "no"}
    return pieces().card[word[hits.melee, hits.ranged]]


def weapon_facts(weapon: Weapon) -> tuple[tuple[Words, Words], ...]:
    """Return the lines of facts about a weapon, each as a label and a value."""
    texts = pieces().card
    return (texts["range"], reach(weapon)), (texts["strike"], strike(weapon))


def terrain_facts(ground: Terrain) -> tuple[tuple[Words, Words], ...]:
    """Return the lines of facts about a terrain or feature, each as a label and a value."""
    texts, tables = pieces().card, lore()
    into = texts["most"].fill(n=ground.dice_in) if ground.dice_in else texts["no_limit"]
    if ground.dice_in_from:
        names = joined([tables.kind(name).name for name in ground.dice_in_from])
        best = max(ground.dice_in_from.values())
        into = texts["most_from"].fill(n=ground.dice_in, m=best, grounds=names.low)
    facts = [
        (texts["entry"], pieces().entry[ground.move]),
        (texts["battle"], pieces().battle[ground.battle]),
        (texts["into"], into),
        (texts["out"], texts["most"].fill(n=ground.dice_out) if ground.dice_out else texts["no_limit"]),
        (texts["sight"], _sight(ground)),
    ]
    if ground.on:
        names = joined([tables.kind(name).name for name in ground.on])
        facts.append((texts["lies_on"], names.low))
    return tuple(facts)


def _sight(ground: Terrain) -> Words:
    """Return a description of whether a terrain blocks lines of sight, with its exceptions."""
    texts = pieces().card
    if not ground.blocks or not ground.open_from:
        return texts["blocks" if ground.blocks else "clear"]
    names = joined([lore().terrain[name].name for name in ground.open_from])
    return texts["blocks_but"].fill(grounds=names.low)


def pool_of(options: Mapping[str, str]) -> Pool:
    """Return the user's pool, or the house pool if no file is given."""
    return load_pool(user_path(options, "pool"))


def unit_counts(pool: Pool) -> dict[Side, dict[Kind, int]]:
    """Return how many units of each kind a pool has banners and figures for."""
    counts: dict[Side, dict[Kind, int]] = {}
    for camp in SIDES:
        stock, found = pool.stock(camp), counts.setdefault(camp, {})
        for kind in kinds():
            figures = stock.figures.get(kind.race, {}).get(kind.weapon, 0) // kind.figures
            if count := min(figures, stock.banners.get(kind.banner, {}).get(kind.weapon, 0)):
                found[kind] = count
    return counts


def unit_tokens(counts: Mapping[Side, Mapping[Kind, int]]) -> Run:
    """Return the numbers of tokens given in `counts`. Each token has the camp's empty banner on its back."""
    made = tuple(
        Piece(kind.name, token(camp, kind), Back(camp, side_name(camp)))
        for camp, kinds_ in counts.items()
        for kind, count in kinds_.items()
        for _ in range(count)
    )
    return Run("tokens", pieces().part["unit_tokens"], made, "hex")


def lore_tokens() -> Run:
    """Return the Lore tokens, which have the same picture on front and back."""
    made = (Piece(pieces().back["lore"], LORE_TOKEN, LORE_TOKEN),) * pieces().lore_tokens
    return Run("tokens", pieces().part["lore_tokens"], made, "hex")


def wanted(options: Mapping[str, str]) -> frozenset[str]:
    """Return the words of the option --only, or an empty set if the option is not given."""
    return frozenset(options.get("only", "").split(",")) - {""}


def together(game: Words, title: Words, runs: Iterable[Run], options: Mapping[str, str]) -> Kit:
    """Return a kit that combines runs at the map scale for this paper size. Runs of hexes share their sheets."""
    width = pieces().hex[options["paper"]]
    every = [replace(run, hex=width, share=pieces().share) for run in runs if run.pieces]
    hexes = [run for run in every if run.cut == "hex"]
    if len(hexes) > 1:
        shared = replace(hexes[0], title=title, pieces=tuple(piece for run in hexes for piece in run.pieces))
        every = [shared, *(run for run in every if run.cut != "hex")]
    return Kit(game, title, "", tuple(every))


def printables(game: Words) -> tuple[Printable, ...]:
    """Return the cards and tokens of BattleLore. `game` is the title of the game."""
    texts = pieces()

    def tokens(options: Mapping[str, str]) -> Kit:
        makers = {"units": lambda: unit_tokens(unit_counts(pool_of(options))), "lore": lore_tokens}
        only = wanted(options) or makers.keys()
        return together(
            game, texts.card["tokens"], [make() for word, make in makers.items() if word in only], options
        )

    def cards(options: Mapping[str, str]) -> Kit:
        return together(game, texts.card["title"], [unit_cards()], options)

    return (
        Printable("cards", {"units": texts.part["unit_cards"]}, cards),
        Printable(
            "tokens", {"units": texts.part["unit_tokens"], "lore": texts.part["lore_tokens"]}, tokens, ("pool",)
        ),
    )


STREAMS = "v1/battlelore/poster"


def boards_print(game: Words) -> Printable:
    """Return the content of `muster boards`. `game` is the title of the game.

    The option `inventory` is valid only if a random board is requested.
    """
    boards = Boards(game, words()["boards"]["title"], MAPS, _random, _poster, ("map",))
    usual = boards.printable("inventory")

    def make(options: Mapping[str, str]) -> Kit:
        print_boards = boards.requested_names(options)
        if "inventory" not in options or RANDOM in print_boards:
            return usual.make(options)
        if print_boards:
            message = tr(
                "--inventory can be used only with a random board, which is made from the pieces in the inventory"
            )
            raise WrongUsageError(message, hint=f"--board {RANDOM}")
        return usual.make({**options, "board": RANDOM})

    return replace(usual, make=make)


def battle_board(board: Board) -> Poster:
    """Return the board of a battle with terrain but no units."""
    return Poster("board", words()["boards"]["battle"], map_view(board, small=True), pieces().board)


def battle_tokens(units: Iterable[CampUnit]) -> Run:
    """Return a token for each unit on the board. Each token has the camp's empty banner on its back."""
    made = tuple(
        Piece(unit.kind.name, token(camp, unit.kind, levy=unit.levy), Back(camp, side_name(camp)))
        for camp, unit in units
        if unit.hex
    )
    return Run("tokens", words()["boards"]["tokens"], made, "hex", pieces().board, pieces().share)


def _random(options: Mapping[str, str]) -> DrawnMap:
    inventory = load_inventory(user_path(options, "inventory"))
    board = make_map(PROFILE, RngStreams(options["seed"], STREAMS), inventory)
    return DrawnMap(words()["boards"][RANDOM], Words("", ""), "house", board)


def _poster(of: DrawnMap, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, map_view(of.ground, small=True), pieces().board, note=note)
