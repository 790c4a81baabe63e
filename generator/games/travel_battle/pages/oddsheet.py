"""The odds of the reference page: every shot there is, and every match-up of dice in melee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import msgspec

from generator.games.chances import percent
from generator.games.travel_battle.forces.army import Roster
from generator.games.travel_battle.ground.terrain import Arm, Terrain, terrains
from generator.games.travel_battle.play.odds import Fight, MassedOn, Shot, Side
from generator.games.travel_battle.play.tables import DIE, Shelled, artillery, melee
from generator.games.words import words
from generator.model.words import Words, joined

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
    names = joined([Words(ground.name.en.lower(), ground.name.ja) for ground in covers()])
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
            {"dice": f"{a} : {d}", "groups": [_fight(Side(a, one), Side(d, two)) for one, two in AGAIN.values()]}
            for a, d in product(dice, dice)
        ],
    }


def _fight(attacker: Side, defender: Side) -> list[str]:
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
