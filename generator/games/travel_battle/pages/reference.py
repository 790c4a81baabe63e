"""The reference page: turn, movement, artillery, melee, ground and odds, straight from the tables the rules use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

import msgspec

from generator.games.readings import Reading, readings, settled, told
from generator.games.rulings import defaults
from generator.games.travel_battle.forces.army import Roster, house_roster
from generator.games.travel_battle.ground.terrain import ARMS, Terrain, terrains
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.objectives import fatal
from generator.games.travel_battle.pages.mapsheet import token
from generator.games.travel_battle.pages.oddsheet import covers, die, fire_odds, melee_odds
from generator.games.travel_battle.play.moves import march
from generator.games.travel_battle.play.odds import MassedOn
from generator.games.travel_battle.play.tables import DIE, artillery, effects, melee
from generator.games.travel_battle.wishes import switches
from generator.games.words import words
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined
from generator.notation import toml
from generator.store.folders import shipped

NO = "–"


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in a sentence or two, under its catchword; see the head of reference.toml."""

    name: Words
    text: Words
    readings: tuple[str, ...] = ()


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """reference.toml as it stands."""

    setup: tuple[str, ...]
    boards: tuple[str, ...]
    turn: tuple[Line, ...]
    move: tuple[Line, ...]
    formation: tuple[Line, ...]
    fire: tuple[Line, ...]
    melee: tuple[Line, ...]
    words: dict[str, Words]

    @property
    def told(self) -> frozenset[str]:
        """The readings that some line tells."""
        groups = (self.turn, self.move, self.formation, self.fire, self.melee)
        return frozenset(reading for group in groups for line in group for reading in line.readings)


@cache
def lines() -> Lines:
    """What the page says in sentences."""
    return toml.read(shipped("data") / "travel_battle" / "reference.toml", Lines)


def reference_sheet(
    roster: Roster | None = None, rulings: Mapping[str, str] | None = None, brigades: int = 0
) -> Sheet:
    """One page to play by: any battle, or one with this army, these rulings and so many brigades a side."""
    roster, rulings = roster or house_roster(), rulings or defaults(switches())
    brigades = brigades or play().brigades
    massed_on = cast(MassedOn, rulings["massed"])
    values = {
        "bonus": lines().words[f"bonus_{rulings['road_strict']}"].fill(road=march().road),
        "near": artillery().near,
        "range": artillery().range,
        "lost": fatal(brigades),
        "brigades": brigades,
    }
    tokens: dict[str, Figure] = {kind.id: token("blue", kind, 1, facing=2) for kind in roster.kinds.values()}
    return Sheet(
        part="reference",
        title=words("travel_battle")["reference"]["title"],
        template="travel_battle/reference.xml",
        view={
            "turn": _told(lines().turn, values),
            "moving": _told(lines().move, values),
            "formation": _told(lines().formation, values),
            "fire": _told(lines().fire, values),
            "effects": _effects(),
            "changes": _changes(massed_on),
            "melee": _told(lines().melee, values),
            "bonus": _bonus(roster),
            "results": _results(),
            "units": [_unit(roster, kind) for kind in roster.kinds],
            "grounds": _grounds(),
            "fire_odds": fire_odds(roster, massed_on),
            "melee_odds": melee_odds(),
            "rulings": told([*settled(switches(), rulings), *_untold()]),
        },
        figures=tokens,
    )


def _told(of: tuple[Line, ...], numbers: Mapping[str, object]) -> list[dict[str, object]]:
    """Lines with their numbers filled in."""
    house = {reading.id for reading in readings("travel_battle") if reading.source == "house"}
    return [
        {"name": line.name, "text": line.text.fill(**numbers), "house": not house.isdisjoint(line.readings)}
        for line in of
    ]


def _low(name: Words) -> Words:
    """A name within a sentence."""
    return Words(name.en.lower(), name.ja)


def _either(names: list[Words]) -> Words:
    return Words(" or ".join(n.en for n in names), "・".join(n.ja for n in names))


def _effects() -> list[dict[str, object]]:
    """What the second die of a shot does, faces of one effect together."""
    of = artillery().effects
    rows: list[dict[str, object]] = []
    for effect in dict.fromkeys(of):
        faces = [face for face in range(1, DIE + 1) if of[face - 1] == effect]
        span = f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else str(faces[0])
        rows.append({"die": span, "name": effects()[effect].name, "text": effects()[effect].text})
    return rows


def _changes(massed_on: MassedOn) -> list[Words]:
    """What is added to a gun's dice, or taken from them."""
    say = lines().words
    grounds = _either([_low(ground.name) for ground in covers()])
    return [
        say["cover"].fill(n=covers()[0].cover, ground=grounds),
        say[f"massed_{massed_on}"].fill(n=artillery().massed),
    ]


def _bonus(roster: Roster) -> list[Words]:
    """Who throws more dice in melee, and who one again."""
    say = lines().words
    found = [(bonus.dice, bonus.text) for bonus in melee().bonus]
    strong = [ground for ground in terrains().values() if ground.defence]
    found += [(ground.defence, say["defence"].fill(ground=_low(ground.name))) for ground in strong]
    again = [_low(kind.name) for kind in roster.fighters if kind.rerolls]
    told = [say["more"].fill(n=n, text=text) for n, text in found]
    return [*told, say["reroll"].fill(kinds=joined(again))] if again else told


def _results() -> list[dict[str, object]]:
    """What befalls the side that is behind by so much."""
    of = melee().results
    return [
        {"by": f"{n}+" if n == len(of) - 1 else n, "name": effects()[result].name, "text": effects()[result].text}
        for n, result in enumerate(of)
    ]


def _unit(roster: Roster, kind: str) -> dict[str, object]:
    of, say = roster.kinds[kind], words("travel_battle")["reference"]
    return {
        "id": of.id,
        "name": of.name,
        "move": of.move,
        "rally": die(of.rally) if of.rally else NO,
        "again": say["die"].fill(n=1) if of.rerolls else NO,
    }


def _grounds() -> list[dict[str, object]]:
    """What each ground does, those that do the same together."""
    say = words("travel_battle")["reference"]
    alike: dict[tuple[object, ...], list[Words]] = {}
    for ground in terrains().values():
        row = (
            _entering(ground),
            say["may"] if ground.open else NO,
            (say["high"] if ground.height else say["yes"]) if ground.blocks else NO,
            f"−{ground.cover}" if ground.cover else NO,
            f"+{ground.defence}" if ground.defence else NO,
        )
        names = alike.setdefault(row, [])
        names.append(_low(ground.name) if names else ground.name)
    return [{"name": joined(names), "does": row} for row, names in alike.items()]


def _entering(ground: Terrain) -> Words:
    """Who may enter, in the fewest words."""
    say, arms = words("travel_battle")["reference"], words("travel_battle")["arm"]
    barred = [arms[arm] for arm in ARMS if arm not in ground.enter]
    if not barred:
        return say["anyone"]
    if len(barred) < len(ground.enter):
        return say["but"].fill(arms=joined(barred))
    return say["only"].fill(arms=joined([arms[arm] for arm in ground.enter]))


def _untold() -> list[Reading]:
    """What has no switch and stands neither in a line of the page nor on the sheet of setting up."""
    return [r for r in readings("travel_battle") if r.id not in lines().told and r.id not in lines().setup]


def setup_readings(*, whole: bool = False) -> list[dict[str, object]]:
    """What has no switch and matters in setting up alone; on one whole there are no boards to lay by dice."""
    idle = lines().boards if whole else ()
    return told(r for r in readings("travel_battle") if r.id in lines().setup and r.id not in idle)
