"""Print the rules on two pages, and the exact odds of melees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import cast

import msgspec

from generator.common.interpretations import (
    Interpretation,
    defaults,
    interpretation_rows,
    interpretations_of,
    readings,
)
from generator.common.tables import ReferenceRow, percent
from generator.games.travel_battle.forces import Roster, house_roster
from generator.games.travel_battle.maps import marker_name, token
from generator.games.travel_battle.model import FORWARD, Side
from generator.games.travel_battle.objectives import brigades_to_win
from generator.games.travel_battle.pages.diagrams import diagrams
from generator.games.travel_battle.play import march
from generator.games.travel_battle.tables import (
    ARMS,
    DIE_FACES,
    Arm,
    Fight,
    Fighters,
    FireEffect,
    MassedOn,
    Shot,
    Terrain,
    artillery,
    effects,
    melee,
    numbers,
    switches,
    terrains,
    words,
)
from generator.grid.squares import squares as squares_of
from generator.model.picture import Pen, Picture, line, polygon, rectangle
from generator.model.views import Figure, MapView, Sheet
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.symbols.pictograms import Share, bar, dice, eye, needs, number, squares
from generator.symbols.picture_words import chances as chance_words
from generator.symbols.picture_words import picture_words

HURTS: tuple[FireEffect, ...] = ("turned", "runs", "removed")
"""The effects of fire on a target."""
AGAIN: Mapping[str, tuple[bool, bool]] = {"none": (False, False), "first": (True, False), "both": (True, True)}
"""Whether each of the two sides may re-roll. If only one may, it does not matter which side attacks."""


class Case(msgspec.Struct, frozen=True):
    """A kind of target, with the rally dice of the units that it can be."""

    name: Words
    cover: int
    massed: bool
    rallies: tuple[int, ...]


def covers() -> list[Terrain]:
    """Return the kinds of terrain that give cover from guns."""
    return [ground for ground in terrains().values() if ground.cover]


def die(face: int) -> str:
    """Return the text for a die that must show at least a face, such as `4+`."""
    return f"{face}+" if face < DIE_FACES else str(face)


def cases(roster: Roster) -> tuple[Case, ...]:
    """Return targets in the open, in cover, and massed.

    In cover, there are neither two units on a square nor squares.
    """
    texts = words()["odds"]
    names = joined([ground.name.low for ground in covers()])
    entering: set[Arm] = {arm for ground in covers() for arm in ground.enter}

    def rallies(arms: set[Arm]) -> tuple[int, ...]:
        return tuple(sorted({kind.rally for kind in roster.fighters if kind.arm in arms and kind.rally}))

    there: set[Arm] = {kind.arm for kind in roster.fighters}
    found = (
        (texts["plain"], 0, False, there),
        (texts["cover"].fill(grounds=names), covers()[0].cover, False, there & entering),
        (texts["massed"], 0, True, there & {"infantry"}),
    )
    return tuple(Case(name, cover, massed, rallies(arms)) for name, cover, massed, arms in found if arms)


def fire_odds(roster: Roster, massed_on: MassedOn) -> dict[str, object]:
    """Return a table row for each distance, with the chance of each effect and of a loss by kind of target."""
    texts, of = words()["odds"], cases(roster)
    heads = [
        {
            "name": case.name,
            "columns": [texts["hit"], *(texts[hurt] for hurt in HURTS)],
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
    odds = shot.odds
    chances = [shot.hits, *(odds[hurt] for hurt in HURTS), *(shot.removes(rally) for rally in case.rallies)]
    return [percent(chance) for chance in chances]


def melee_odds() -> dict[str, object]:
    """Return a table row for each pair of numbers of dice, with the chance of each result by case of re-rolls."""
    texts, worst = words()["odds"], len(melee().results) - 1
    dice = range(1, melee().most_dice + 1)
    labels = [str(n) if n < worst else f"{n}+" for n in range(1, worst + 1)]
    return {
        "cases": [texts[case] for case in AGAIN],
        "labels": [*reversed(labels), "=", *labels],
        "ways": worst,
        "rows": [
            {
                "dice": f"{a} : {d}",
                "groups": [
                    [percent(chance) for chance in results(Fight(Fighters(a, one), Fighters(d, two)))]
                    for one, two in AGAIN.values()
                ],
            }
            for a, d in product(dice, dice)
        ],
    }


def results(fight: Fight) -> Sequence[Fraction]:
    """Return the chance of each result: the defender's losses from the worst, a tie, and the attacker's losses."""
    return (*reversed(list(_losses(fight.odds, 1))), fight.odds[0], *_losses(fight.odds, -1))


def _losses(odds: Mapping[int, Fraction], sign: int) -> Iterator[Fraction]:
    """Yield the chances that a side's die is lower by 1, by 2, and so on.

    The last chance includes all greater differences.
    """
    worst = len(melee().results) - 1
    for n in range(1, worst):
        yield odds[sign * n]
    yield sum((p for by, p in odds.items() if sign * by >= worst), Fraction())


NO = "–"


class RuleRow(ReferenceRow, frozen=True, forbid_unknown_fields=True):
    """A rule and the ids of the readings that it covers, as defined at the head of reference.toml."""

    readings: tuple[str, ...] = ()


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of reference.toml."""

    setup: tuple[str, ...]
    boards: tuple[str, ...]
    clubs: tuple[str, ...]
    goals: tuple[str, ...]
    deploying: tuple[RuleRow, ...]
    turn: tuple[RuleRow, ...]
    move: tuple[RuleRow, ...]
    formation: tuple[RuleRow, ...]
    fire: tuple[RuleRow, ...]
    melee: tuple[RuleRow, ...]
    words: dict[str, Words]

    @property
    def reading_ids(self) -> frozenset[str]:
        """The ids of all readings that the lines cover."""
        groups = (self.turn, self.move, self.formation, self.fire, self.melee)
        return frozenset(reading for group in groups for line in group for reading in line.readings)


lines = toml.shipped_table("travel_battle/reference.toml", Lines)
"""Return the sentences of the reference pages."""


def reference_sheet(
    roster: Roster | None = None,
    rulings: Mapping[str, str] | None = None,
    brigades: int = 0,
    readings: Iterable[Interpretation] = (),
    *,
    with_setup: bool = False,
) -> Sheet:
    """Return two pages of rules for use during play, which show the common cases as pictures.

    The defaults are pages for any battle. Otherwise they are for a battle with this army, these rulings and this
    number of brigades on each side. `readings` contains the same rulings with their effects in a scenario, if
    there is one. `with_setup` adds the set-up, which a kit prints on a page of its own.
    """
    roster, rulings = roster or house_roster(), rulings or defaults(switches())
    brigades = brigades or numbers().brigades
    massed_on = cast(MassedOn, rulings["massed"])
    values = {
        "bonus": lines().words[f"bonus_{rulings['road_strict']}"].fill(road=march().road),
        "near": artillery().near,
        "range": artillery().range,
        "lost": brigades_to_win(brigades),
        "brigades": brigades,
        "rows": numbers().rows,
        "free": joined([same(str(n)) for n in range(numbers().turned + 1, DIE_FACES + 1)], " or ", "か"),
    }
    figures: dict[str, Figure] = {kind.id: token("blue", kind, 1, facing=2) for kind in roster.kinds.values()}
    shots = list(_shots(massed_on, figures))
    figures |= diagrams(roster)
    return Sheet(
        part="reference",
        title=words()["reference"]["title"],
        template="travel_battle/reference.xml",
        view={
            "deploying": _filled(lines().deploying, values) if with_setup else [],
            "needed": _needed(roster) if with_setup else "",
            "turn": _filled(lines().turn, values),
            "moving": _filled(lines().move, values),
            "formation": _filled(lines().formation, values),
            "fire": _filled(lines().fire, values),
            "effects": _effects(figures),
            "shots": shots,
            "outcomes": list(_keys(figures)),
            "changes": _changes(massed_on),
            "melee": _filled(lines().melee, values),
            "bonus": _bonus(roster, figures),
            "reroll": _reroll(roster),
            "results": _results(),
            "units": [_unit(roster, kind, figures) for kind in roster.kinds],
            "grounds": _grounds(roster, figures),
            "fights": list(_fights(figures)),
            "fire_odds": fire_odds(roster, massed_on),
            "rulings": interpretation_rows(
                [*(readings or interpretations_of(switches(), rulings)), *_unused_readings()]
            ),
        },
        figures=figures,
        pages=2,
    )


def odds_sheet(roster: Roster | None = None, rulings: Mapping[str, str] | None = None) -> Sheet:
    """Return a page with the odds of each pair of numbers of dice in melee, and of shots."""
    massed_on = cast(MassedOn, (rulings or defaults(switches()))["massed"])
    return Sheet(
        part="odds",
        title=words()["odds"]["melee"],
        template="travel_battle/matrix.xml",
        view={"melee_odds": melee_odds(), "fire_odds": fire_odds(roster or house_roster(), massed_on)},
    )


def _filled(of: tuple[RuleRow, ...], numbers: Mapping[str, object]) -> list[dict[str, object]]:
    """Return lines with their numbers filled in."""
    house = {reading.id for reading in readings("travel_battle") if reading.source == "house"}
    return [
        {"name": line.name, "text": line.text.fill(**numbers), "house": not house.isdisjoint(line.readings)}
        for line in of
    ]


def _needed(roster: Roster) -> Words:
    """Return a sentence about the dice, the army and the markers that the players need."""
    texts = lines().words

    def counted(count: int, what: Words) -> Words:
        return texts["counted"].fill(n=count, what=what)

    units = [
        counted(kind.count, kind.name.low if kind.fights else words()["arm"][kind.arm])
        for kind in roster.kinds.values()
    ]
    markers = [counted(count, marker_name(what)) for what, count in numbers().markers.items()]
    return texts["needed"].fill(dice=melee().most_dice, units=joined(units), markers=joined(markers))


def _effects(figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return the effects of a shot's second die, with the faces for each effect."""
    of = artillery().effects
    rows: list[dict[str, object]] = []
    for effect in dict.fromkeys(of):
        faces = [face for face in range(1, DIE_FACES + 1) if of[face - 1] == effect]
        span = f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else str(faces[0])
        figures[f"effect_{effect}"] = needs(span, 6.4)
        of_it = effects()[effect]
        rows.append({"figure": f"effect_{effect}", "name": of_it.name, "text": of_it.text})
    return rows


SHARES: Mapping[str, tuple[str, bool]] = {
    "none": ("#ffffff", False),
    "turned": ("#e2dccb", False),
    "runs": ("#b9a67f", False),
    "removed": ("#4d4536", True),
}
"""The fill of each effect's part of a bar, and whether the fill is dark."""
OURS, TIED, THEIRS = ("#4d4536", "#b9a67f", "#e2dccb"), "#ffffff", ("#dfe6ee", "#a9bbcf", "#5c7796")
"""The fills of a melee's bar: the enemy's losses from the worst, a tie, and one's own losses up to the worst."""
_SHOT_BAR, _FIGHT_BAR, _BAR_HIGH = 54.0, 110.5, 4.8
"""The lengths of the two kinds of bars, and the height of both, in mm."""
COMMON = (
    (Fighters(1), Fighters(1)),
    (Fighters(1, True), Fighters(1)),
    (Fighters(2), Fighters(1)),
    (Fighters(2, True), Fighters(1)),
    (Fighters(3), Fighters(1)),
    (Fighters(2), Fighters(2)),
    (Fighters(2, True), Fighters(2)),
    (Fighters(3), Fighters(2)),
)
"""The pairs of numbers of dice that the page shows as bars."""


def _shots(massed_on: MassedOn, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield a row for each distance, with the die that hits in the open and a bar of the shot's effects."""
    for far in range(artillery().near, artillery().range + 1):
        odds = Shot(far, 0, massed=False, massed_on=massed_on).odds
        shares = [Share(float(odds[what]), fill, percent(odds[what]), dark) for what, (fill, dark) in _shelled()]
        figures[f"far_{far}"], figures[f"hit_{far}"] = squares(far, 2.6), needs(die(far), 5.6)
        chances_by_name = [(_effect_name(what), percent(odds[what])) for what, _ in _shelled() if odds[what]]
        figures[f"shot_{far}"] = bar(shares, _SHOT_BAR, _BAR_HIGH, chance_words(chances_by_name))
        yield {"squares": f"far_{far}", "hit": f"hit_{far}", "bar": f"shot_{far}"}


def _shelled() -> list[tuple[FireEffect, tuple[str, bool]]]:
    return [(what, SHARES[what]) for what in ("none", *HURTS)]


def _keys(figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the legend of a shot's bar."""
    for what, (fill, _) in _shelled():
        figures[f"key_{what}"] = bar([Share(1.0, fill)], 3.4, 3.4)
        yield {"figure": f"key_{what}", "name": _effect_name(what)}


def _effect_name(what: FireEffect) -> Words:
    """Return the name of a shot's effect, as in the legend of the bars."""
    return words()["odds"]["nothing" if what == "none" else what]


def _fights(figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield a row for each common pair of numbers of dice, with a bar of all results and their chances."""
    texts, worst = words()["odds"], len(melee().results) - 1
    for n, (attacker, defender) in enumerate(COMMON):
        chances = results(Fight(attacker, defender))
        fills = (*OURS[:worst], TIED, *THEIRS[:worst])
        dark = (fills[0], fills[-1])
        shares = [Share(float(p), fill, percent(p), fill in dark) for p, fill in zip(chances, fills, strict=True)]
        ends = texts["wins"], texts["tie"], texts["loses"]
        totals = sum(chances[:worst], Fraction()), chances[worst], sum(chances[worst + 1 :], Fraction())
        alt = chance_words((name, percent(p)) for name, p in zip(ends, totals, strict=True))
        figures[f"fight_{n}"] = bar(shares, _FIGHT_BAR, _BAR_HIGH, alt)
        figures[f"ours_{n}"], figures[f"theirs_{n}"] = dice(attacker.dice, 3.6), _open_dice(defender.dice)
        yield {
            "ours": f"ours_{n}",
            "again": texts["again"] if attacker.rerolls else "",
            "theirs": f"theirs_{n}",
            "bar": f"fight_{n}",
            "win": percent(sum(chances[:worst], Fraction())),
            "tie": percent(chances[worst]),
            "lose": percent(sum(chances[worst + 1 :], Fraction())),
        }


def _changes(massed_on: MassedOn) -> list[Words]:
    """Return the modifiers of a gun's dice."""
    texts = lines().words
    grounds = joined([ground.name.low for ground in covers()], " or ", "・")
    return [
        texts["cover"].fill(n=covers()[0].cover, ground=grounds),
        texts[f"massed_{massed_on}"].fill(n=artillery().massed),
    ]


def _bonus(roster: Roster, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return the melee bonuses, with the units that have them and their enemies in pictures and words."""
    texts = lines().words

    def add_figures(key: str, arms: Iterable[Arm], side: Side = "blue", *, square: bool = False) -> list[str]:
        """Add counters for at most two units of these arms.

        Infantry is shown as line infantry if the army has any.
        """
        kinds = [kind for kind in roster.fighters if kind.arm in arms]
        few = [kind for kind in kinds if not (kind.arm == "infantry" and kind.rerolls)] or kinds
        for kind in few[:2]:
            counter = token(side, kind, 1, facing=FORWARD[side])
            figures[f"{key}_{kind.id}"] = msgspec.structs.replace(counter, mark="square") if square else counter
        return [f"{key}_{kind.id}" for kind in few[:2]]

    figures["more"], figures["against"] = number("+1", 6.0), _arrow()
    rows: list[dict[str, object]] = []
    for bonus in melee().bonus:
        squared, against = bonus.id == "square", AGAINST.get(bonus.id, ("infantry",))
        who = add_figures(f"{bonus.id}_who", bonus.arms, square=squared)
        whom = add_figures(f"{bonus.id}_whom", against, "red", square=bonus.id == "volley")
        text = texts["more"].fill(n=bonus.dice, text=bonus.text)
        rows.append({"ground": "", "icons": [*who, "more", "against", *whom] if who and whom else [], "text": text})
    for ground in terrains().values():
        if ground.defence:
            figures[f"in_{ground.id}"] = _sample(ground.id)
            who = add_figures("defends", ("infantry",))
            text = texts["more"].fill(n=ground.defence, text=texts["defence"].fill(ground=ground.name.low))
            rows.append({"ground": f"in_{ground.id}" if who else "", "icons": [*who, "more"], "text": text})
    return rows


AGAINST: Mapping[str, tuple[Arm, ...]] = {"charge": ("infantry",), "square": ("cavalry",), "volley": ("infantry",)}
"""The arms of the enemies to which each melee bonus applies."""


def _open_dice(count: int) -> Picture:
    """Return a picture of the other side's dice, which are outlined."""
    boxes = (rectangle(0.2 + 4.6 * i, 0.2, 3.4, 3.4, "#ffffff", Pen("#23211c", 0.3)) for i in range(count))
    return Picture(4.6 * count - 0.8, 3.8, tuple(boxes), alt=picture_words("dice", n=count))


def _arrow() -> Picture:
    shaft = line(((0.2, 2.0), (3.4, 2.0)), Pen("#23211c", 0.5))
    tip = polygon(((3.2, 0.7), (4.9, 2.0), (3.2, 3.3)), "#23211c")
    return Picture(5.0, 4.0, (shaft, tip), alt=picture_words("against"))


def _sample(ground: str) -> MapView:
    """Return a picture of one square of a terrain."""
    field = squares_of(1, 1)
    roads = dict.fromkeys(field.cells, (2, 6)) if terrains()[ground].road else {}
    return MapView(grid=field, ground=dict.fromkeys(field.cells, ground), roads=roads, names=False)


def _reroll(roster: Roster) -> Words | None:
    """Return a sentence about the units that may re-roll a die, or None if there are no such units."""
    again = [kind.name.low for kind in roster.fighters if kind.rerolls]
    return lines().words["reroll"].fill(kinds=joined(again)) if again else None


def _results() -> list[dict[str, object]]:
    """Return a table row for each result of a melee, by the difference of the highest dice."""
    of = melee().results
    rows: list[dict[str, object]] = []
    for n, result in enumerate(of):
        by = f"{n}+" if n == len(of) - 1 else str(n)
        rows.append({"by": by, "name": effects()[result].name, "text": effects()[result].text})
    return rows


def _unit(roster: Roster, kind: str, figures: dict[str, Figure]) -> dict[str, object]:
    """Return the table row of a kind of unit, with its move, its rally die and its dice in melee."""
    of, texts = roster.kinds[kind], words()["reference"]
    figures[f"move_{of.id}"] = squares(of.move, 3.0, march().road)
    figures["one"] = dice(1, 3.6)
    return {
        "id": of.id,
        "name": of.name,
        "move": of.move,
        "squares": f"move_{of.id}",
        "rally": die(of.rally) if of.rally else NO,
        "fights": of.fights,
        "again": texts["again_one"] if of.rerolls else "",
    }


def _grounds(roster: Roster, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return the effects of each terrain, with pictures of the arms that may enter it.

    Terrains with equal effects share a row.
    """
    texts = words()["reference"]
    arms = {kind.arm: kind for kind in reversed(roster.fighters)}
    for arm, kind in arms.items():
        counter = token("blue", kind, 1, facing=FORWARD["blue"])
        figures[f"may_{arm}"], figures[f"not_{arm}"] = counter, msgspec.structs.replace(counter, mark="wrecked")
    figures["seen"], figures["unseen"] = eye(clear=True), eye(clear=False)
    alike: dict[tuple[Words | str, ...], list[Terrain]] = {}
    for ground in terrains().values():
        row: tuple[Words | str, ...] = (
            _entering(ground),
            texts["may"] if ground.open else NO,
            (texts["high"] if ground.height else texts["yes"]) if ground.blocks else NO,
            f"−{ground.cover}" if ground.cover else NO,
            f"+{ground.defence}" if ground.defence else NO,
        )
        alike.setdefault(row, []).append(ground)
    rows: list[dict[str, object]] = []
    for does, grounds in alike.items():
        for ground in grounds:
            figures[f"ground_{ground.id}"] = _sample(ground.id)
        first = grounds[0]
        rows.append(
            {
                "figures": [f"ground_{ground.id}" for ground in grounds],
                "name": joined([ground.name.low if i else ground.name for i, ground in enumerate(grounds)]),
                "enter": [f"{'may' if arm in first.enter else 'not'}_{arm}" for arm in ARMS if arm in arms],
                "eye": "unseen" if first.blocks else "seen",
                "does": does,
            }
        )
    return rows


def _entering(ground: Terrain) -> Words:
    """Describe the arms that may enter a terrain, in the shortest form."""
    texts, arms = words()["reference"], words()["arm"]
    barred = [arms[arm] for arm in ARMS if arm not in ground.enter]
    if not barred:
        return texts["anyone"]
    if len(barred) < len(ground.enter):
        return texts["but"].fill(arms=joined(barred))
    return texts["only"].fill(arms=joined([arms[arm] for arm in ground.enter]))


def _unused_readings() -> list[Interpretation]:
    """Return the readings without a ruling that are neither on this page nor on the set-up sheet."""
    return [r for r in readings("travel_battle") if r.id not in lines().reading_ids and r.id not in lines().setup]


def setup_readings(*, whole: bool = False, clubs: bool = False, goal: bool = False) -> list[dict[str, object]]:
    """Return the readings without a ruling that matter only during the set-up.

    Readings about the dice for boards do not apply to a double board (`whole`). Some readings apply only to more
    than two boards (`clubs`) or only with an objective (`goal`).
    """
    idle = {
        *(lines().boards if whole else ()),
        *(() if clubs else lines().clubs),
        *(() if goal else lines().goals),
    }
    return interpretation_rows(r for r in readings("travel_battle") if r.id in lines().setup and r.id not in idle)
