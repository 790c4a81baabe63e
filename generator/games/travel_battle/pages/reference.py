"""The rules on a page, with exact odds of every melee.

The odds of the reference page: every shot there is, and every match-up of dice in melee.

The reference page: turn, movement, artillery, melee, ground and odds, straight from the tables the rules use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import cast

import msgspec

from generator.common.interpretations import Interpretation, defaults, interpretation_rows, readings, settled
from generator.common.tables import percent, words
from generator.games.travel_battle.forces import Roster, house_roster
from generator.games.travel_battle.maps import token
from generator.games.travel_battle.objectives import fatal
from generator.games.travel_battle.odds import Fight, Fighters, MassedOn, Shot
from generator.games.travel_battle.play import march
from generator.games.travel_battle.tables import (
    ARMS,
    DIE,
    Arm,
    Shelled,
    Terrain,
    artillery,
    effects,
    melee,
    numbers,
    switches,
    terrains,
)
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined
from generator.notation import toml
from generator.store.folders import shipped

HURTS: tuple[Shelled, ...] = ("turned", "runs", "removed")
"""What may befall a target."""
AGAIN: Mapping[str, tuple[bool, bool]] = {"none": (False, False), "first": (True, False), "both": (True, True)}
"""Whether the first side may re-roll, and whether the second may. With one that does, it is all one who attacks."""


class Case(msgspec.Struct, frozen=True):
    """A kind of target, and the numbers on which those rally that may be one."""

    name: Words
    cover: int
    massed: bool
    rallies: tuple[int, ...]


def covers() -> list[Terrain]:
    """The grounds that cover from guns."""
    return [ground for ground in terrains().values() if ground.cover]


def die(face: int) -> str:
    """A die of at least so much, such as `4+`."""
    return f"{face}+" if face < DIE else str(face)


def cases(roster: Roster) -> tuple[Case, ...]:
    """In the open, in cover, massed; nobody is massed in cover, where there is room for one unit and no square."""
    say = words("travel_battle")["odds"]
    names = joined([ground.name.low for ground in covers()])
    entering: set[Arm] = {arm for ground in covers() for arm in ground.enter}

    def rallies(arms: set[Arm]) -> tuple[int, ...]:
        return tuple(sorted({kind.rally for kind in roster.fighters if kind.arm in arms and kind.rally}))

    there: set[Arm] = {kind.arm for kind in roster.fighters}
    found = (
        (say["plain"], 0, False, there),
        (say["cover"].fill(grounds=names), covers()[0].cover, False, there & entering),
        (say["massed"], 0, True, there & {"infantry"}),
    )
    return tuple(Case(name, cover, massed, rallies(arms)) for name, cover, massed, arms in found if arms)


def fire_odds(roster: Roster, massed_on: MassedOn) -> dict[str, object]:
    """A row for each distance; for each case that it hits, the effects, and that a unit is lost by its rally."""
    say, of = words("travel_battle")["odds"], cases(roster)
    heads = [
        {
            "name": case.name,
            "columns": [say["hit"], *(say[hurt] for hurt in HURTS)],
            "lost": [die(rally) for rally in case.rallies],
        }
        for case in of
    ]
    rows = [
        {"far": far, "die": die(far), "groups": [_shot(case, far, massed_on) for case in of]}
        for far in range(artillery().near, artillery().range + 1)
    ]
    return {"heads": heads, "rows": rows}


def _shot(case: Case, far: int, massed_on: MassedOn) -> list[str]:
    shot = Shot(far, case.cover, case.massed, massed_on)
    chances = [shot.hits, *(shot.odds[hurt] for hurt in HURTS), *(shot.removes(rally) for rally in case.rallies)]
    return [percent(chance) for chance in chances]


def melee_odds() -> dict[str, object]:
    """A row for each match-up of dice; for each case of re-rolls the chance of each result, the first attacking."""
    say, worst = words("travel_battle")["odds"], len(melee().results) - 1
    dice = range(1, melee().most_dice + 1)
    labels = [str(n) if n < worst else f"{n}+" for n in range(1, worst + 1)]
    return {
        "cases": [say[case] for case in AGAIN],
        "labels": [*reversed(labels), "=", *labels],
        "ways": worst,
        "rows": [
            {
                "dice": f"{a} : {d}",
                "groups": [_fight(Fighters(a, one), Fighters(d, two)) for one, two in AGAIN.values()],
            }
            for a, d in product(dice, dice)
        ],
    }


def _fight(attacker: Fighters, defender: Fighters) -> list[str]:
    return [percent(chance) for chance in results(Fight(attacker, defender))]


def results(fight: Fight) -> Sequence[Fraction]:
    """The chances of each result: the defender's losses from the worst on, that neither loses, the attacker's."""
    return (*reversed(list(_losses(fight.odds, 1))), fight.odds[0], *_losses(fight.odds, -1))


def _losses(odds: Mapping[int, Fraction], sign: int) -> Iterator[Fraction]:
    """The chances that the one side is behind by 1, by 2 and so on, the last for all that are greater."""
    worst = len(melee().results) - 1
    for n in range(1, worst):
        yield odds[sign * n]
    yield sum((p for by, p in odds.items() if sign * by >= worst), Fraction())


NO = "–"


class ReferenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in a sentence or two, under its catchword; see the head of reference.toml."""

    name: Words
    text: Words
    readings: tuple[str, ...] = ()


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """reference.toml as it stands."""

    setup: tuple[str, ...]
    boards: tuple[str, ...]
    clubs: tuple[str, ...]
    goals: tuple[str, ...]
    turn: tuple[ReferenceRow, ...]
    move: tuple[ReferenceRow, ...]
    formation: tuple[ReferenceRow, ...]
    fire: tuple[ReferenceRow, ...]
    melee: tuple[ReferenceRow, ...]
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
    roster: Roster | None = None,
    rulings: Mapping[str, str] | None = None,
    brigades: int = 0,
    readings: Iterable[Interpretation] = (),
) -> Sheet:
    """One page to play by: any battle, or one with this army, these rulings and so many brigades a side.

    `readings` are the same rulings as they are told, where that is more than what was chosen.
    """
    roster, rulings = roster or house_roster(), rulings or defaults(switches())
    brigades = brigades or numbers().brigades
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
            "rulings": interpretation_rows([*(readings or settled(switches(), rulings)), *_untold()]),
        },
        figures=tokens,
    )


def _told(of: tuple[ReferenceRow, ...], numbers: Mapping[str, object]) -> list[dict[str, object]]:
    """Lines with their numbers filled in."""
    house = {reading.id for reading in readings("travel_battle") if reading.source == "house"}
    return [
        {"name": line.name, "text": line.text.fill(**numbers), "house": not house.isdisjoint(line.readings)}
        for line in of
    ]


def _either(names: list[Words]) -> Words:
    return joined(names, " or ", "・")


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
    grounds = _either([ground.name.low for ground in covers()])
    return [
        say["cover"].fill(n=covers()[0].cover, ground=grounds),
        say[f"massed_{massed_on}"].fill(n=artillery().massed),
    ]


def _bonus(roster: Roster) -> list[Words]:
    """Who throws more dice in melee, and who one again."""
    say = lines().words
    found = [(bonus.dice, bonus.text) for bonus in melee().bonus]
    strong = [ground for ground in terrains().values() if ground.defence]
    found += [(ground.defence, say["defence"].fill(ground=ground.name.low)) for ground in strong]
    again = [kind.name.low for kind in roster.fighters if kind.rerolls]
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
        names.append(ground.name.low if names else ground.name)
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


def _untold() -> list[Interpretation]:
    """What has no switch and stands neither in a line of the page nor on the sheet of setting up."""
    return [r for r in readings("travel_battle") if r.id not in lines().told and r.id not in lines().setup]


def setup_readings(*, whole: bool = False, clubs: bool = False, goal: bool = False) -> list[dict[str, object]]:
    """What has no switch and matters in setting up alone; on one whole there are no boards to lay by dice.

    Some of it matters on more than two boards alone, or where there is an objective.
    """
    idle = {
        *(lines().boards if whole else ()),
        *(() if clubs else lines().clubs),
        *(() if goal else lines().goals),
    }
    return interpretation_rows(r for r in readings("travel_battle") if r.id in lines().setup and r.id not in idle)
