"""The rows of the reference page, straight from the tables the rules use."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec.structs import asdict

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import Board
from generator.games.battlelore.lore import ByArm, Terrain, lore
from generator.games.battlelore.pages.mapsheet import grounds
from generator.games.battlelore.words import words
from generator.games.readings import settled, told
from generator.games.rulings import Ruling
from generator.model.words import Words, joined, same

NO_LIMIT = "–"


def moves(walk: ByArm, run: ByArm, arm: str) -> str:
    """A move as `1 (2)`: with battle, and without where that is farther."""
    near, far = (walk.foot, run.foot) if arm == "foot" else (walk.mounted, run.mounted)
    return str(near) if near == far else f"{near} ({far})"


def turn_rows() -> dict[str, object]:
    """The turn, the die, battle, bonus actions and banners: what every reference page tells."""
    tables = lore()
    return {
        "phases": [asdict(line) for line in tables.play.phase],
        "battle": [asdict(line) for line in tables.play.battle],
        "actions": [asdict(line) for line in tables.play.action],
        "faces": [asdict(face) for face in tables.play.face],
        "banners": [
            {
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
    board: Board, kinds: Iterable[Kind], switches: Mapping[str, Ruling], rulings: Mapping[str, str]
) -> dict[str, object]:
    """Everything the reference template prints, for the weapons and the ground in play."""
    tables, say = lore(), words()["reference"]
    kinds = tuple(kinds)
    carried, races = {kind.weapon for kind in kinds}, {kind.race for kind in kinds}
    shown = grounds(board)
    return {
        **turn_rows(),
        "battle": [*(asdict(line) for line in tables.play.battle), *_natures(races)],
        "figures": say["figures"].fill(foot=tables.figures.foot, mounted=tables.figures.mounted),
        "weapons": [
            {"name": w.name, "range": reach(w.range), "effect": w.effect}
            for w in tables.weapons.values()
            if w.id in carried
        ],
        "terrain": [_ground_row(tables.kind(name)) for name in shown],
        "rulings": [
            *told(settled(switches, rulings)),
            *[{"name": say["cliff"], "text": say["cliff_text"]}] * any(tables.kind(g).sides for g in shown),
        ],
    }


def _natures(races: Container[str]) -> list[dict[str, Words]]:
    """The races in play that are Bold or Frightened by nature, in one line; none where all are steady."""
    tables, say = lore(), words()["reference"]
    told = [
        say["nature_of"].fill(race=race.name, morale=tables.play.morale[race.morale].name)
        for race in tables.races.values()
        if race.id in races and race.morale != "steady"
    ]
    text = Words(" ".join(t.en for t in told), "".join(t.ja for t in told))
    return [{"name": say["nature"], "text": text}] if told else []


def reach(hexes: int) -> Words:
    """A weapon's range in words: a number, or melee."""
    return same(hexes) if hexes > 1 else words()["record"]["melee"]


def into(ground: Terrain) -> Words:
    """The most dice for an attack into that ground, with better cases in brackets; a dash for no limit."""
    say, tables = words()["reference"], lore()
    most = same(ground.dice_in or NO_LIMIT)
    if not ground.dice_in_from:
        return most
    names = joined([tables.terrain[g].name for g in ground.dice_in_from])
    best = max(ground.dice_in_from.values())
    better = say["from_hill"].fill(grounds=Words(names.en.lower(), names.ja), n=best)
    return Words(f"{most.en} ({better.en})", f"{most.ja}（{better.ja}）")


def _ground_row(ground: Terrain) -> dict[str, object]:
    say = words()["reference"]
    return {
        "name": ground.name,
        "effect": ground.effect,
        "into": into(ground),
        "out": ground.dice_out or NO_LIMIT,
        "sight": say[("blocks_but" if ground.open_from else "blocks") if ground.blocks else "clear"],
        "house": ground.source == "house",
    }
