"""The odds page, whose tables cover every attack, and the commanders' cards with attacks and dangers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from generator.common.tables import NEVER, decimal, percent
from generator.games.battlelore.forces import Kind, titled
from generator.games.battlelore.ground import Side, side_name, words
from generator.games.battlelore.maps import map_view, unit_token
from generator.games.battlelore.model import OTHER, Battle
from generator.games.battlelore.odds import Attack, attack, dice, hexes, obeyed, retreat_costs
from generator.games.battlelore.prospects import AttackOption, Turn, figures_of, format_hits
from generator.games.battlelore.tables import Arm, Banner, Morale, Weapon, lore
from generator.grid.hexes import Hex
from generator.model.legends import keep_drawn
from generator.model.picture import Picture
from generator.model.views import Figure, Flag, Legend, MapView, Note, Shade, Sheet
from generator.model.words import Words, joined, same
from generator.symbols import pictograms
from generator.symbols.pictograms import Share, bar
from generator.symbols.picture_words import chances as chance_words
from generator.symbols.picture_words import picture_words

NUMERALS = ("I", "II", "III", "IV", "V", "VI")
ARMS: tuple[Arm, ...] = ("foot", "mounted")


def odds_sheet() -> Sheet:
    """Return a page with the odds of every attack."""
    texts, tables = words()["odds"], lore()
    max_dice = max(banner.dice for banner in tables.banners.values())
    figures = range(1, max(tables.figures.foot, tables.figures.mounted) + 1)
    barred = [w.name for w in tables.weapons.values() if w.moved >= max_dice]
    return Sheet(
        part="odds",
        title=texts["title"],
        template="battlelore/odds.xml",
        view={
            "caps": [texts["own"], *(texts["cap"].fill(n=n) for n in caps())],
            "dice": list(_dice_rows()),
            "barred": [texts["barred"].fill(weapon=name.low) for name in barred],
            "weapons": [_weapon_row(weapon) for weapon in tables.weapons.values()],
            "counts": list(range(max_dice + 1)),
            "figures": list(figures),
            "tables": [_table(kind, max_dice, figures) for kind in kinds()],
            "nerves": [_nerve(morale, max_dice) for morale in tables.play.morale],
            "retreats": [_retreat_row(n, max_dice) for n in range(1, max_dice + 1)],
            "costs": [_cost_row(n, figures) for n in range(1, max_dice + 1)],
            "losses": [texts["costs"].fill(n=n) for n in figures],
            "cases": list(_cases()),
        },
        figures=_figures(max_dice),
    )


def _figures(max_dice: int) -> dict[str, Figure]:
    """Return the figures of the odds tables.

    They are bars with names such as `Ix3`, groups of dice, and samples of the tints.
    """
    found: dict[str, Figure] = {f"dice{n}": pictograms.dice(n, _DIE) for n in range(1, max_dice + 1)}
    for numeral, kind in zip(NUMERALS, kinds(), strict=False):
        found |= {f"{numeral}x{n}": _bar(Attack(n, *kind), _PAGE_BAR) for n in range(1, max_dice + 1)}
    return found | samples()


TINTS = ("#ffffff", "#ddd5c3", "#b8ab8a", "#85775a", "#4a4436")
"""Colours of the parts of a bar for 0, 1, 2 and more hits. Numbers on the darkest colours are white."""
_LIGHT = 3
_BAR, _PAGE_BAR, _FLAG_BAR, _HIGH = 112.0, 51.8, 10.0, 4.5
"""Widths in mm of bars of hits on the reference page and on the odds page, and of bars of retreats; height of bars in
mm.
"""
_DIE = 2.3
"""Size of a die in a group of dice, in mm."""


def samples() -> dict[str, Figure]:
    """Return samples of the bar tints, with names such as `hits2`."""
    return {f"hits{n}": bar([Share(1.0, tint)], 4.2, 3.0) for n, tint in enumerate(TINTS)}


def _bar(roll: Attack, width: float) -> Picture:
    """Return a bar with the probability of each number of hits."""
    chances = [(hits, roll.hits(hits)) for hits in range(roll.dice + 1)]
    shares = [Share(float(p), TINTS[hits], percent(p), hits >= _LIGHT) for hits, p in chances]
    names = [picture_words("hits", n=hits) if hits else picture_words("no_hit") for hits, _ in chances]
    alt = chance_words((name, percent(p)) for name, (_, p) in zip(names, chances, strict=True) if p)
    return bar(shares, width, _HIGH, alt)


def bars(weapons: Collection[str], *, behind_stakes: bool) -> tuple[list[dict[str, object]], dict[str, Figure]]:
    """Return the odds of these weapons as table rows and their bars, with one row for each set of faces that hit.

    A row contains its weapons, the faces that hit, and a bar and the mean number of hits for each number of dice.
    """
    texts, tables = words()["odds"], lore()
    max_dice = max(banner.dice for banner in tables.banners.values())
    used = _users(weapons, behind_stakes=behind_stakes)
    rows, figures = list[dict[str, object]](), dict[str, Figure]()
    for strikes, ignored in reversed(kinds()):
        if (strikes, ignored) not in used:
            continue
        label = (
            texts["short_ignored"].fill(n=ignored)
            if ignored
            else texts["short_strikes" if strikes else "short_misses"]
        )
        icon, who = used[strikes, ignored]
        dice_rows = []
        for n in range(1, max_dice + 1):
            roll = Attack(n, strikes, ignored)
            name = f"bar{len(rows)}x{n}"
            figures[name] = _bar(roll, _BAR)
            dice_rows.append({"dice": n, "bar": name, "mean": decimal(roll.mean)})
        rows.append({"icon": icon, "who": who, "label": label, "dice": dice_rows})
    return rows, figures


def retreat_bars() -> tuple[list[dict[str, object]], dict[str, Figure]]:
    """Return table rows with the probability of at least one flag for each number of dice, and their bars."""
    max_dice = max(banner.dice for banner in lore().banners.values())
    chances = {n: Attack(n, strikes=False).retreats() for n in range(1, max_dice + 1)}
    rows: list[dict[str, object]] = [{"dice": n, "chance": percent(chance)} for n, chance in chances.items()]
    drawn = {f"retreat{n}": bar([Share(float(p), TINTS[2])], _FLAG_BAR, _HIGH - 0.8) for n, p in chances.items()}
    return rows, dict(drawn)


def _users(weapons: Collection[str], *, behind_stakes: bool) -> dict[tuple[bool, int], tuple[str, list[Words]]]:
    """Return the weapons that use each way of counting strikes: the id of the first weapon, and the names of all."""
    texts, found = words()["odds"], dict[tuple[bool, int], tuple[str, list[Words]]]()

    def add(weapon: Weapon, roll: Attack, label: Words) -> None:
        names = found.setdefault((roll.strikes, roll.ignored), (weapon.id, []))[1]
        if label not in names:
            names.append(label)

    for weapon in lore().weapons.values():
        if weapon.id not in weapons:
            continue
        foot, mounted = (_roll(weapon, arm) for arm in ARMS)
        shot = _roll(weapon, "foot", ranged=True) if weapon.bow else foot
        if foot == mounted == shot:
            add(weapon, foot, weapon.name)
            continue
        add(weapon, foot, texts["melee_of" if weapon.bow else "foot_of"].fill(weapon=weapon.name))
        add(
            weapon,
            shot if weapon.bow else mounted,
            texts["shot_of" if weapon.bow else "mounted_of"].fill(weapon=weapon.name),
        )
    if behind_stakes:
        blade = next(w for w in lore().weapons.values() if w.strike.melee)
        add(blade, _roll(blade, "foot", behind_stakes=True), texts["stakes_of"])
    return found


def caps() -> tuple[int, ...]:
    """Return the dice limits of all kinds of terrain, the highest first."""
    tables = lore()
    grounds = (*tables.terrain.values(), *tables.features.values())
    found = {n for g in grounds for n in (g.dice_in, g.dice_out, *g.dice_in_from.values()) if n}
    return tuple(sorted(found, reverse=True))


def kinds() -> tuple[tuple[bool, int], ...]:
    """Return every way of counting bonus strikes (whether they hit, and how many are ignored), the weakest first."""
    ways = {
        (roll.strikes, roll.ignored)
        for weapon, arm, ranged, behind_stakes in product(lore().weapons.values(), ARMS, (False, True), (False, True))
        if weapon.bow or not ranged
        for roll in [_roll(weapon, arm, ranged=ranged, behind_stakes=behind_stakes)]
    }
    return tuple(sorted(ways, key=lambda way: (way[0], -way[1])))


def numeral(roll: Attack) -> str:
    """Return the numeral of the table that contains the odds of an attack."""
    return NUMERALS[kinds().index((roll.strikes, roll.ignored))]


def _roll(weapon: Weapon, arm: Arm, *, ranged: bool = False, behind_stakes: bool = False) -> Attack:
    any_banner = next(iter(lore().banners))
    return attack(any_banner, weapon.id, any_banner, arm, ranged=ranged, behind_stakes=behind_stakes)


def _dice_rows() -> Iterator[dict[str, object]]:
    """Yield the dice of each banner, and of its bow units after a move, under every dice limit."""
    texts, tables = words()["odds"], lore()
    blade = next(w for w in tables.weapons.values() if not w.bow)
    bow = next(w for w in tables.weapons.values() if w.moved)

    def row(name: Words, banner: Banner, weapon: Weapon) -> dict[str, object]:
        return {"name": name, "dice": [dice(banner.id, weapon.id, moved=True, cap=cap) for cap in (0, *caps())]}

    for banner in tables.banners.values():
        yield row(banner.name, banner, blade)
        yield row(texts["moved"].fill(banner=banner.name), banner, bow)


def _weapon_row(weapon: Weapon) -> dict[str, object]:
    melee = [_roll(weapon, "foot"), _roll(weapon, "mounted"), _roll(weapon, "foot", behind_stakes=True)]
    shot = numeral(_roll(weapon, "foot", ranged=True)) if weapon.bow else NEVER
    return {"name": weapon.name, "tables": [*(numeral(roll) for roll in melee), shot]}


def _table(kind: tuple[bool, int], max_dice: int, figures: range) -> dict[str, object]:
    texts = words()["odds"]
    strikes, ignored = kind
    label = texts["ignored"].fill(n=ignored) if ignored else texts["strikes" if strikes else "misses"]

    def row(roll: Attack) -> dict[str, object]:
        return {
            "dice": roll.dice,
            "hits": [percent(roll.hits(n)) for n in range(max_dice + 1)],
            "mean": decimal(roll.mean),
            "groups": [
                [percent(roll.falls(n)) for n in figures],
                [percent(roll.falls(n, "frightened")) for n in figures],
                [percent(roll.empties(n)) for n in figures],
                [percent(roll.empties(n, "bold")) for n in figures],
            ],
        }

    rows = [row(Attack(n, strikes, ignored)) for n in range(1, max_dice + 1)]
    return {"numeral": NUMERALS[kinds().index(kind)], "label": label, "rows": rows}


def _nerve(morale: Morale, max_dice: int) -> dict[str, object]:
    """Return the possible lengths of a retreat for a morale."""
    lengths = [hexes(morale, flags) for flags in range(1, max_dice + 1) if obeyed(morale, flags)]
    return {
        "name": lore().play.morale[morale].name,
        "lengths": lengths,
        "loses": bool(lore().play.morale[morale].dice),
    }


def _retreat_row(count: int, max_dice: int) -> dict[str, object]:
    """Return a table row, for each morale, with the probability and the length of a retreat from `count` dice."""
    roll = Attack(count, strikes=False)
    groups = []
    for morale, nerve in lore().play.morale.items():
        lengths = [flags for flags in range(1, max_dice + 1) if obeyed(morale, flags)]
        cells = [percent(roll.retreats(morale)), *(percent(roll.flags(n)) for n in lengths)]
        groups.append([*cells, decimal(roll.losses(morale))] if nerve.dice else cells)
    return {"dice": count, "groups": groups}


def _cost_row(flags: int, figures: range) -> dict[str, object]:
    """Return the probabilities of losses of a frightened unit that obeys `flags` flags."""
    far = hexes("frightened", flags)
    costs = [percent(retreat_costs("frightened", flags, n)) for n in figures]
    return {"flags": flags, "far": far, "costs": costs}


def _cases() -> Iterator[Words]:
    """Yield examples that explain how to read the page."""
    texts, forest = words()["odds"], lore().terrain["forest"]
    into = texts["into"].fill(ground=forest.name.low)
    blue_foot, red_horse = Kind("blue", "short_sword", "human"), Kind("red", "long_sword", "human")
    yield _case(blue_foot, red_horse, 2, into, cap=forest.dice_in)
    bow, green_foot = Kind("blue", "long_bow", "human"), Kind("green", "short_sword", "human")
    yield _case(bow, green_foot, 1, texts["shooting"], moved=True)


def _case(by: Kind, on: Kind, left: int, where: Words, *, moved: bool = False, cap: int = 0) -> Words:
    roll = attack(by.banner, by.weapon, on.banner, on.arm, ranged=moved, moved=moved, cap=cap)
    return words()["odds"]["case"].fill(
        attacker=by.name,
        target=on.name.low,
        left=left,
        where=where,
        dice=roll.dice,
        table=numeral(roll),
        falls=percent(roll.falls(left)),
        empties=percent(roll.empties(left)),
    )


HEAT = 4
"""Number of shades for danger: a mean of up to 1 hit, up to 2 hits and so on. The last shade has no upper limit."""
_NUMBER = 0.5
"""Type size of numbers on a danger map, as a multiple of the side of a hex."""


def battle_odds(battle: Battle) -> Iterator[Sheet]:
    """Return a card for each commander that shows the danger to the units and their attacks, first player first."""
    turn = Turn(battle)
    return (_card(turn, camp) for camp in (battle.first, OTHER[battle.first]))


def _card(turn: Turn, camp: Side) -> Sheet:
    texts = words()["prospects"]
    blows = [blow for blow in turn.every if blow.camp == camp]
    opens = [not i or blows[i - 1].unit != blow.unit for i, blow in enumerate(blows)]
    able = {blow.unit.id for blow in blows}
    figures: dict[str, Figure] = {"map": danger_map(turn, camp)}
    figures |= {f"unit{blow.unit.id}": unit_token(camp, blow.unit) for blow in blows}
    idle = [unit.label for unit in turn.of(camp) if unit.id not in able]
    return Sheet(
        part="odds",
        title=texts["title"],
        template="battlelore/prospects.xml",
        view={
            "danger": texts["danger_of"].fill(camp=side_name(camp)),
            "rows": [_blow_row(turn, blow, first=first) for blow, first in zip(blows, opens, strict=True)],
            "idle": texts["idle_units"].fill(units=joined(idle)) if idle else None,
        },
        figures=figures,
        side=side_name(camp),
        pages=2 + len(blows) // _ON_A_PAGE,
        rather=1,
    )


_ON_A_PAGE = 50
"""Maximum number of attacks on an additional page."""


def _blow_row(turn: Turn, blow: AttackOption, *, first: bool) -> dict[str, object]:
    texts, name, way = words()["prospects"], turn.board.field.name, blow.way
    chances = figures_of(blow)
    return {
        "figure": f"unit{blow.unit.id}" if first else "",
        "unit": blow.unit.id if first else "",
        "from": texts["from"].fill(start=name(way.start), n=way.steps) if way.steps else same(name(way.start)),
        "target": texts["named"].fill(id=blow.target.id, kind=titled(blow.target, blow.target.kind.name.low)),
        "hex": name(blow.at),
        "how": texts["by_shot" if way.ranged else "by_melee"],
        "dice": way.roll.dice,
        "chances": [chances[key] for key in ("hits", "falls", "cornered", "empties")],
    }


def danger_map(turn: Turn, camp: Side) -> MapView:
    """Return a map in which darker hexes have more expected hits, which are also printed as numbers."""
    board, dangers = turn.board, turn.map_of(camp)
    tints: dict[int, list[Hex]] = {}
    for cell, danger in dangers.items():
        if danger.units:
            tints.setdefault(min(int(danger.hits), HEAT - 1) + 1, []).append(cell)
    shades = [Shade("veil", board.field.cells), *(Shade(f"danger{n}", tuple(tints[n])) for n in sorted(tints))]
    notes = tuple(
        Note(board.field.centre(cell), same(format_hits(danger.hits)), _NUMBER, plate=True)
        for cell, danger in dangers.items()
        if danger.units and cell not in turn.standing
    )
    flags = tuple(
        Flag(cell, owner, f"{owner}_archers", format_hits(dangers[cell].hits))
        for cell, (owner, _) in turn.standing.items()
        if owner == camp and dangers[cell].units
    )
    view = map_view(board, turn.standing.values(), shades=tuple(shades), small=True)
    view = replace(view, notes=(*view.notes, *notes), flags=flags)
    return replace(view, legend=keep_drawn(_danger_key(camp), view))


def _danger_key(camp: Side) -> tuple[Legend, ...]:
    texts = words()["prospects"]
    ends = [texts["up_to"].fill(n=n) for n in range(1, HEAT)]
    looks = [Legend(f"danger{n}", text) for n, text in enumerate([*ends, texts["more"]], 1)]
    on_unit = Legend(Flag(Hex(0, 0), camp, f"{camp}_archers", format_hits(Fraction(1))), texts["on_unit"])
    return (Legend("", texts["key"]), on_unit, *looks)
