"""The quick reference, made from the tables that the rules use."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec.structs import asdict, replace

from generator.common.interpretations import Interpretation, Ruling, interpretation_rows
from generator.common.tables import mark_house_content
from generator.games.battlelore.forces import Kind, council_tables
from generator.games.battlelore.ground import SIDES, Board, side_name, words
from generator.games.battlelore.maps import grounds, map_view, part, token
from generator.games.battlelore.model import kind_text
from generator.games.battlelore.odds import attack
from generator.games.battlelore.pages.odds_page import TINTS, retreat_bars, samples
from generator.games.battlelore.pages.odds_page import bars as odds_bars
from generator.games.battlelore.pages.pieces import pieces
from generator.games.battlelore.tables import ByArm, Terrain, Weapon, lore
from generator.grid.hexes import Hex, field
from generator.model.views import Figure, Legend, MapView, Sheet, Token
from generator.model.words import Words, joined, same
from generator.symbols import pictograms
from generator.symbols.pictograms import Arrow

NO_LIMIT = "–"


def moves(walk: ByArm, run: ByArm, arm: str) -> Words:
    """Return the moves of an arm, such as `1 (2)`.

    The number in brackets is the move without a battle, if it is longer.
    """
    return moves_of(*((walk.foot, run.foot) if arm == "foot" else (walk.mounted, run.mounted)))


def moves_of(near: int, far: int) -> Words:
    """Return moves with and without a battle, such as `1 (2)`."""
    return same(near) if near == far else joined([same(near), words()["reference"]["bracket"].fill(text=far)], "", "")


def turn_rows() -> dict[str, object]:
    """Return the texts for the turn, die, battle, bonus actions and banners, which every reference page contains."""
    tables = lore()
    return {
        "phases": [asdict(line) for line in tables.play.phase],
        "battle": [asdict(line) for line in tables.play.battle],
        "actions": [asdict(line) for line in tables.play.action],
        "faces": [asdict(face) for face in tables.play.face],
        "banners": [
            {
                "id": banner.id,
                "name": banner.name,
                "grade": banner.grade,
                "dice": banner.dice,
                "foot": moves(banner.move, banner.run, "foot"),
                "mounted": moves(banner.move, banner.run, "mounted"),
            }
            for banner in tables.banners.values()
        ],
    }


def reference(
    board: Board, kinds: Iterable[Kind], rulings: Iterable[Interpretation]
) -> tuple[dict[str, object], dict[str, Figure]]:
    """Return the values of the reference template for the weapons and terrain in play, and its figures."""
    tables, texts = lore(), words()["reference"]
    kinds = tuple(kinds)
    author_pieces = list(dict.fromkeys(kind for kind in kinds if kind.piece))
    carried, races = {kind.weapon for kind in kinds}, {kind.race for kind in kinds}
    terrains = grounds(board)
    odds, bars = odds_bars(carried, behind_stakes="stakes" in terrains)
    retreats, flags = retreat_bars()
    view = {
        **turn_rows(),
        "battle": [*(asdict(line) for line in tables.play.battle), *_natures(races)],
        "figures": texts["figures"].fill(foot=tables.figures.foot, mounted=tables.figures.mounted),
        "weapons": [_carried_row(w) for w in tables.weapons.values() if w.id in carried],
        "terrain": [_ground_row(tables.kind(name)) for name in terrains],
        "pieces": [_author_piece_row(kind) for kind in author_pieces],
        "odds": odds,
        "retreats": retreats,
        "hits": len(TINTS) - 1,
        "rulings": [
            *interpretation_rows(rulings),
            *[{"name": texts["cliff"], "text": texts["cliff_text"]}] * any(tables.kind(g).sides for g in terrains),
        ],
    }
    tokens: dict[str, Figure] = {
        f"piece_{kind.piece.id}": token("pennant", kind) for kind in author_pieces if kind.piece
    }
    return view, {**tokens, **_pictures(), **{name: swatch(board, name) for name in terrains}, **bars, **flags}


def _figure_name(kind: Kind) -> str:
    return f"piece_{kind_text(kind)}"


def _author_piece_row(kind: Kind) -> dict[str, object]:
    """Return a piece of the owner as a row: its numbers, and the unit of the game that it is like otherwise."""
    texts, piece = words()["reference"], kind.piece
    assert piece
    like = replace(kind, piece=None)
    morale = lore().play.morale[lore().races[kind.race].morale].name
    parts = [texts["like"].fill(kind=like.name.low), texts["morale_of"].fill(morale=morale)]
    return {
        "figure": _figure_name(kind),
        "name": piece.name,
        "text": joined([*parts, *([texts["shoots_over"]] if piece.over else [])], "; ", "、"),
        "dice": piece.dice,
        "move": moves_of(piece.move, piece.run),
        "range": reach(piece.range),
        "figures": piece.figures,
    }


_DIE, _HEX = 2.9, 3.1
"""Sizes in mm of the dice and hexes that show a number."""


def _pictures() -> dict[str, Figure]:
    """Return the figures of the reference page."""
    tables = lore()
    found: dict[str, Figure] = {f"face_{face}": drawn for face, drawn in FACES.items()}
    found |= {f"weapon_{weapon.id}": _weapon_token(weapon) for weapon in tables.weapons.values()}
    max_dice = max(banner.dice for banner in tables.banners.values())
    found |= {f"dice{n}": pictograms.dice(n, _DIE) for n in range(1, max_dice + 1)}
    limits = {(g.dice_in, max(g.dice_in_from.values())) for g in tables.terrain.values() if g.dice_in_from}
    found |= {f"dice{low}to{high}": pictograms.dice(low, _DIE, high - low) for low, high in limits}
    for banner in tables.banners.values():
        blade = Kind(banner.id, "short_sword", "human")
        found[f"banner_{banner.id}"] = token("pennant", blade)
        for arm in ("foot", "mounted"):
            near, far = banner.move[arm], banner.run[arm]
            found[f"move_{banner.id}_{arm}"] = pictograms.hexes(near, _HEX, far - near)
    found |= {f"action{i}": picture for i, picture in enumerate(AFTER_MELEE)}
    found |= {"clear": pictograms.eye(clear=True), "blocks": pictograms.eye(clear=False)}
    return found | samples() | {"one_hex": pictograms.hexes(1, _HEX), "one_more": pictograms.hexes(0, _HEX, 1)}


FACES = {
    **{colour: Token("die", colour, "helmet") for colour in ("green", "blue", "red")},
    "strike": Token("die", "strike", "strike"),
    "lore": Token("die", "lore", "lore"),
    "flag": Token("die", "flag", "retreat"),
    "missed": Token("die", "strike", "strike", mark="struck"),
}
"""The picture of each face of the battle die, keyed by its id in data/battlelore/play.toml."""
AFTER_MELEE = (
    pictograms.steps(("A", ""), (Arrow(0, 1),)),
    pictograms.steps(("", "A", ""), (Arrow(1, 2),)),
    pictograms.steps(("", "A", "E"), (Arrow(1, 2, "fight"),)),
    pictograms.steps(("A", "E"), (Arrow(0, 1, "blow"), Arrow(1, 0, "answer"))),
)
"""The actions that may follow a melee, in the order of data/battlelore/play.toml."""


def swatch(board: Board, ground: str) -> MapView:
    """Return one hex with this terrain or feature from the board's map."""
    cell = next(c for c in board.field.cells if ground in (board.ground[c], board.features.get(c)))
    board = replace(board, objectives={})
    return replace(part(map_view(board, small=True), board.field.around(cell, 0)), names=False)


def _carried_row(weapon: Weapon) -> dict[str, object]:
    """Return a table row for a weapon in play with its effect and the die faces that hit."""

    def face(hits: bool) -> str:
        return "face_strike" if hits else "face_missed"

    return {
        "id": weapon.id,
        # Weapons from an expansion are marked.
        "name": words()["quick"]["expansion"].fill(name=weapon.name) if weapon.expansion else weapon.name,
        "range": reach(weapon.range),
        "effect": weapon.effect,
        "melee": face(weapon.strike.melee),
        "ranged": face(weapon.strike.ranged) if weapon.bow else "",
    }


def _natures(races: Container[str]) -> list[dict[str, Words]]:
    """Return a line about the races in play that are naturally Bold or Frightened, or no line if there are none."""
    text = joined(natures(races), " ", "")
    return [{"name": words()["reference"]["nature"], "text": text}] if text.en else []


def natures(races: Container[str]) -> list[Words]:
    """Return a sentence for each of these races that is naturally Bold or Frightened."""
    tables, texts = lore(), words()["reference"]
    return [
        texts["nature_of"].fill(race=race.name, morale=tables.play.morale[race.morale].name)
        for race in tables.races.values()
        if race.id in races and race.morale != "steady"
    ]


def reach(hexes: int) -> Words:
    """Return a weapon's range as a number, or as the word for melee."""
    return same(hexes) if hexes > 1 else words()["record"]["melee"]


def into(ground: Terrain) -> Words:
    """Return the dice limit for attacks into a terrain, with exceptions in brackets; a dash if there is none."""
    texts, tables = words()["reference"], lore()
    limit = same(ground.dice_in or NO_LIMIT)
    if not ground.dice_in_from:
        return limit
    names = joined([tables.terrain[g].name for g in ground.dice_in_from])
    best = max(ground.dice_in_from.values())
    better = texts["from_hill"].fill(grounds=names.low, n=best)
    return Words(f"{limit.en} ({better.en})", f"{limit.ja}（{better.ja}）")


def _ground_row(ground: Terrain) -> dict[str, object]:
    texts = words()["reference"]
    best = max(ground.dice_in_from.values(), default=0)
    return {
        "id": ground.id,
        "name": ground.label,
        "effect": ground.effect,
        "into": into(ground),
        "into_dice": f"dice{ground.dice_in}" + (f"to{best}" if best else "") if ground.dice_in else "",
        "out": ground.dice_out or NO_LIMIT,
        "out_dice": f"dice{ground.dice_out}" if ground.dice_out else "",
        "eye": "blocks" if ground.blocks else "clear",
        # Sight past a hill depends on a ruling; sight past a cliff does not.
        "sight": texts["blocks_but"] if ground.open_from and not ground.sides else _sight(ground),
        "house": ground.source == "house",
    }


def battle_sheet() -> Sheet:
    """Return a page about the turn, the die, banners, weapons, battle, morale, bonus actions and terrain."""
    tables, texts = lore(), words()["quick"]
    grounds = [g for g in (*tables.terrain.values(), *tables.features.values()) if g.has_text]
    figures: dict[str, Figure] = {weapon.id: _weapon_token(weapon) for weapon in tables.weapons.values()}
    return Sheet(
        part="reference",
        title=texts["battle_page"],
        template="battlelore/quick.xml",
        view={
            **turn_rows(),
            "figures": texts["figures"].fill(foot=tables.figures.foot, mounted=tables.figures.mounted),
            "weapons": [_weapon_row(weapon) for weapon in tables.weapons.values()],
            "morale": _who(),
            "terrain": [chart_row(ground) for ground in grounds],
        },
        figures=figures | {ground.id: _sample(ground) for ground in grounds},
    )


def council_page(switches: Mapping[str, Ruling], fixed: Iterable[Interpretation]) -> Sheet:
    """Return a page about sight, tokens, points, the war council and rulings for a game without deployment cards."""
    texts, tables = words(), lore()
    measure = tables.points
    facts = [
        *((banner.name, measure.banner[banner.id]) for banner in tables.banners.values()),
        (texts["quick"]["mounted"], measure.mounted),
        (texts["quick"]["bow"], measure.bow),
        *((nerve.name, measure.morale[name]) for name, nerve in tables.play.morale.items()),
    ]
    return Sheet(
        part="reference",
        title=texts["quick"]["council_page"],
        template="battlelore/council.xml",
        view={
            **closing(switches, fixed),
            "sight": [
                texts["sight"][f"rule_{name}"] for name in ("adjacent", "cliff_side", "clear", "hex", "hexside")
            ],
            "points": [{"name": name, "value": f"{value:+d}" if value else "0"} for name, value in facts],
        },
        figures={"key": MapView(field((1,)), {}, legend=_key())},
    )


def _key() -> tuple[Legend, ...]:
    """Return the legend that explains a unit's token."""
    tables, texts = lore(), words()
    plain = Kind("blue", "short_sword", "human")
    camps = [Legend(token(camp, plain), side_name(camp)) for camp in SIDES]
    banners = [
        Legend(
            token("pennant", replace(plain, banner=banner.id)),
            texts["map"]["banner"].fill(banner=banner.name, letter=banner.letter, dice=banner.dice),
        )
        for banner in tables.banners.values()
    ]
    weapons = [Legend(_weapon_token(weapon), weapon.name) for weapon in tables.weapons.values()]
    races = [
        Legend(token("pennant", replace(plain, race=race.id)), race.name)
        for race in tables.races.values()
        if race.id != plain.race
    ]
    return (*camps, *banners, *weapons, *races)


def closing(switches: Mapping[str, Ruling], fixed: Iterable[Interpretation]) -> dict[str, object]:
    """Return the last part of a quick reference.

    It contains the war council, the rulings with their alternatives, and the readings.

    The result includes the headings, because a template of another game does not have access to these words.
    """
    tables, texts = council_tables(), words()["quick"]
    levels = texts["council_intro"].fill(
        levels=tables.levels,
        c_least=tables.commander.minimum,
        c_most=tables.commander.maximum,
        m_least=tables.master.minimum,
        m_most=tables.master.maximum,
    )
    return {
        "say": {**words()["reference"], **texts, "council": mark_house_content(texts["council"], tables.source)},
        "levels": levels,
        "classes": texts["classes"].fill(names=joined([c.name for c in tables.classes])),
        "brings": [*(asdict(line) for line in tables.rows), {"name": texts["medieval"], "text": _medieval_hand()}],
        "rulings": [
            {
                "name": ruling.name,
                "used": ruling.choice[0].text,
                "other": [choice.text for choice in ruling.choice[1:]],
            }
            for ruling in switches.values()
        ],
        "settled": interpretation_rows(fixed),
    }


def _medieval_hand() -> Words:
    """Return a sentence about the command hand in a game without war councils."""
    hand = lore().play.hand
    return words()["quick"]["medieval_hand"].fill(least=hand.minimum, most=hand.maximum)


def _weapon_token(weapon: Weapon) -> Token:
    return token("pennant", Kind("blue", weapon.id, pieces().carriers[weapon.id][0]))


def _weapon_row(weapon: Weapon) -> dict[str, object]:
    texts = words()["quick"]
    return {
        "id": weapon.id,
        "name": weapon.name,
        "arm": weapon.carrier,
        "range": reach(weapon.range),
        "foot": _strike(weapon, "foot"),
        "mounted": _strike(weapon, "mounted"),
        "ranged": texts["hits" if weapon.strike.ranged else "misses"] if weapon.bow else same(NO_LIMIT),
        "moved": _moved(weapon),
        "lore": texts["token" if weapon.lore else "no_token"],
    }


def _strike(weapon: Weapon, arm: str) -> Words:
    """Return a description of whether a bonus strike hits in melee."""
    texts = words()["quick"]
    roll = attack("red", weapon.id, "red", "mounted" if arm == "mounted" else "foot")
    if roll.ignored:
        return texts["ignored"].fill(n=roll.ignored)
    return texts["hits" if roll.strikes else "misses"]


def _moved(weapon: Weapon) -> Words:
    texts = words()["quick"]
    if weapon.moved >= max(banner.dice for banner in lore().banners.values()):
        return texts["barred"]
    if not weapon.moved:
        return texts["same"]
    return texts["one_less" if weapon.moved == 1 else "less"].fill(n=weapon.moved)


def _who() -> list[dict[str, object]]:
    """Return the rules for Bold and Frightened units."""
    tables, texts = lore(), words()["quick"]
    play = tables.play

    def born(morale: str) -> Words:
        also = play.morale["bold" if morale == "bold" else "frightened"].also
        races = [race.name for race in tables.races.values() if race.morale == morale]
        return _listed([*races, *([also] if also else [])])

    every = (*tables.terrain.values(), *tables.features.values())
    bold = texts["bold"].fill(
        support=play.support,
        races=born("bold"),
        grounds=_listed([g.name for g in every if g.bold]),
        features=_listed([g.name for g in every if g.bold_for]),
    )
    return [
        {"name": texts["who_bold"], "text": bold},
        {"name": texts["who_frightened"], "text": texts["frightened"].fill(races=born("frightened"))},
    ]


def _listed(names: Iterable[Words]) -> Words:
    """Return the names as a list for the middle of a sentence."""
    return joined(names).low


def chart_row(ground: Terrain) -> dict[str, object]:
    """Return the row of a terrain or feature in the chart of the reference page, with all its rules."""
    texts = words()["quick"]
    notes = []
    if ground.on:
        notes.append(texts["on"].fill(grounds=_listed(lore().terrain[g].name for g in ground.on)))
    if ground.sides:
        notes.append(texts["sides"])
    return {
        "id": ground.id,
        "name": mark_house_content(ground.label, ground.source),
        "move": joined([_move(ground), *notes], "; ", "。"),
        "battle": texts[f"entry_{ground.battle}"] if ground.passable else same(NO_LIMIT),
        "into": into(ground) if ground.passable else same(NO_LIMIT),
        "out": ground.dice_out or NO_LIMIT,
        "bold": _bold(ground),
        "sight": _sight(ground),
    }


def _move(ground: Terrain) -> Words:
    texts = words()["quick"]
    if ground.move == "stop":
        return texts["stop" if ground.pursuit else "halt"]
    return texts[ground.move]


def _bold(ground: Terrain) -> Words:
    texts = words()["quick"]
    if ground.bold_for:
        return texts[ground.bold_for].fill(n=ground.strikes_ignored)
    return texts["every"] if ground.bold else same(NO_LIMIT)


def _sight(ground: Terrain) -> Words:
    texts, tables = words(), lore()
    if not ground.blocks:
        return texts["reference"]["clear"]
    if not ground.open_from:
        return texts["reference"]["blocks"]
    return texts["quick"]["next_to"].fill(grounds=_listed(tables.terrain[g].name for g in ground.open_from))


def _sample(ground: Terrain) -> MapView:
    """Return a map of a single hex with this terrain.

    A river flows through the hex, and a cliff has two impassable sides.
    """
    grid, cell = field((1,)), Hex(0, 0)
    if ground.on:
        return MapView(grid, {cell: ground.on[0]}, {cell: ground.id}, names=False)
    flows = {cell: (0, 3)} if ground.water else {}
    walls = {cell: (1, 2)} if ground.sides else {}
    return MapView(grid, {cell: ground.id}, flows=flows, walls=walls, names=False)
