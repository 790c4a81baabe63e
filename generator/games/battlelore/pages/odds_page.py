"""The odds page, with a few tables that cover every attack, and the commanders' cards of attacks and dangers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product

from msgspec.structs import replace

from generator.common.tables import NEVER, decimal, percent
from generator.games.battlelore.forces import Kind, titled
from generator.games.battlelore.ground import Side, side_name, words
from generator.games.battlelore.maps import map_view, unit_token
from generator.games.battlelore.model import OTHER, Battle
from generator.games.battlelore.odds import Attack, attack, dice, hexes, obeyed, retreat_costs
from generator.games.battlelore.prospects import Blow, Turn, figures_of, shown
from generator.games.battlelore.tables import Arm, Banner, Morale, Weapon, lore
from generator.grid.hexes import Hex
from generator.model.picture import Picture
from generator.model.views import Figure, Flag, Legend, MapView, Note, Shade, Sheet
from generator.model.words import Words, joined, same
from generator.symbols import pictograms
from generator.symbols.pictograms import Share, bar

NUMERALS = ("I", "II", "III", "IV", "V", "VI")
ARMS: tuple[Arm, ...] = ("foot", "mounted")


def odds_sheet() -> Sheet:
    """Return one page with the odds of any attack."""
    say, tables = words()["odds"], lore()
    most = max(banner.dice for banner in tables.banners.values())
    figures = range(1, max(tables.figures.foot, tables.figures.mounted) + 1)
    barred = [w.name for w in tables.weapons.values() if w.moved >= most]
    return Sheet(
        part="odds",
        title=say["title"],
        template="battlelore/odds.xml",
        view={
            "caps": [say["own"], *(say["cap"].fill(n=n) for n in caps())],
            "dice": list(_dice_rows()),
            "barred": [say["barred"].fill(weapon=name.low) for name in barred],
            "weapons": [_weapon_row(weapon) for weapon in tables.weapons.values()],
            "counts": list(range(most + 1)),
            "figures": list(figures),
            "tables": [_table(kind, most, figures) for kind in kinds()],
            "nerves": [_nerve(morale, most) for morale in tables.play.morale],
            "retreats": [_retreat_row(n, most) for n in range(1, most + 1)],
            "costs": [_cost_row(n, figures) for n in range(1, most + 1)],
            "losses": [say["costs"].fill(n=n) for n in figures],
            "cases": list(_cases()),
        },
        figures=_figures(most),
    )


def _figures(most: int) -> dict[str, Figure]:
    """Return the bars of all tables, named such as `Ix3`, dice to count, and the tints of the bars."""
    found: dict[str, Figure] = {f"dice{n}": pictograms.dice(n, _DIE) for n in range(1, most + 1)}
    for numeral, kind in zip(NUMERALS, kinds(), strict=False):
        found |= {f"{numeral}x{n}": _bar(Attack(n, *kind), _PAGE_BAR) for n in range(1, most + 1)}
    return found | samples()


TINTS = ("#ffffff", "#ddd5c3", "#b8ab8a", "#85775a", "#4a4436")
"""Colours in a bar for no hit, one hit, two hits and so on; the darkest ones have white numbers."""
_LIGHT = 3
_BAR, _PAGE_BAR, _FLAG_BAR, _HIGH = 112.0, 51.8, 10.0, 4.5
"""Widths in mm of bars of hits on a reference and on the odds page, and of bars of retreats; their height in mm."""
_DIE = 2.3
"""Size of dice to count, in mm."""


def samples() -> dict[str, Figure]:
    """Return samples of the tints of the bars, named such as `hits2`."""
    return {f"hits{n}": bar([Share(1.0, tint)], 4.2, 3.0) for n, tint in enumerate(TINTS)}


def _bar(roll: Attack, width: float) -> Picture:
    """Return the probabilities of each number of hits side by side."""
    chances = [(hits, roll.hits(hits)) for hits in range(roll.dice + 1)]
    return bar([Share(float(p), TINTS[hits], percent(p), hits >= _LIGHT) for hits, p in chances], width, _HIGH)


def bars(weapons: Collection[str], *, stakes: bool) -> tuple[list[dict[str, object]], dict[str, Figure]]:
    """Return the odds of these weapons as bars: a row for each way in which faces hit, and the pictures.

    A row has its weapons, the faces that hit, and for each number of dice the bar and the mean number of hits.
    """
    say, tables = words()["odds"], lore()
    most = max(banner.dice for banner in tables.banners.values())
    used = _users(weapons, stakes=stakes)
    rows, figures = list[dict[str, object]](), dict[str, Figure]()
    for strikes, ignored in reversed(kinds()):
        if (strikes, ignored) not in used:
            continue
        told = (
            say["short_ignored"].fill(n=ignored) if ignored else say["short_strikes" if strikes else "short_misses"]
        )
        icon, who = used[strikes, ignored]
        dice_rows = []
        for n in range(1, most + 1):
            roll = Attack(n, strikes, ignored)
            name = f"bar{len(rows)}x{n}"
            figures[name] = _bar(roll, _BAR)
            dice_rows.append({"dice": n, "bar": name, "mean": decimal(roll.mean)})
        rows.append({"icon": icon, "who": who, "told": told, "dice": dice_rows})
    return rows, figures


def retreat_bars() -> tuple[list[dict[str, object]], dict[str, Figure]]:
    """Return the probability of at least one flag for each number of dice, and its bar."""
    most = max(banner.dice for banner in lore().banners.values())
    chances = {n: Attack(n, strikes=False).retreats() for n in range(1, most + 1)}
    rows: list[dict[str, object]] = [{"dice": n, "chance": percent(chance)} for n, chance in chances.items()]
    drawn = {f"retreat{n}": bar([Share(float(p), TINTS[2])], _FLAG_BAR, _HIGH - 0.8) for n, p in chances.items()}
    return rows, dict(drawn)


def _users(weapons: Collection[str], *, stakes: bool) -> dict[tuple[bool, int], tuple[str, list[Words]]]:
    """Return, by the way in which faces hit, the first of the weapons it applies to, and all of them."""
    say, found = words()["odds"], dict[tuple[bool, int], tuple[str, list[Words]]]()

    def add(weapon: Weapon, roll: Attack, told: Words) -> None:
        names = found.setdefault((roll.strikes, roll.ignored), (weapon.id, []))[1]
        if told not in names:
            names.append(told)

    for weapon in lore().weapons.values():
        if weapon.id not in weapons:
            continue
        foot, mounted = (_roll(weapon, arm) for arm in ARMS)
        shot = _roll(weapon, "foot", ranged=True) if weapon.bow else foot
        if foot == mounted == shot:
            add(weapon, foot, weapon.name)
            continue
        add(weapon, foot, say["melee_of" if weapon.bow else "foot_of"].fill(weapon=weapon.name))
        add(
            weapon,
            shot if weapon.bow else mounted,
            say["shot_of" if weapon.bow else "mounted_of"].fill(weapon=weapon.name),
        )
    if stakes:
        blade = next(w for w in lore().weapons.values() if w.strike.melee)
        add(blade, _roll(blade, "foot", stakes=True), say["stakes_of"])
    return found


def caps() -> tuple[int, ...]:
    """Return the dice limits of all terrains, the highest first."""
    tables = lore()
    grounds = (*tables.terrain.values(), *tables.features.values())
    found = {n for g in grounds for n in (g.dice_in, g.dice_out, *g.dice_in_from.values()) if n}
    return tuple(sorted(found, reverse=True))


def kinds() -> tuple[tuple[bool, int], ...]:
    """Return every way in which bonus strikes count (whether they hit, how many are ignored), the weakest first."""
    ways = {
        (roll.strikes, roll.ignored)
        for weapon, arm, ranged, stakes in product(lore().weapons.values(), ARMS, (False, True), (False, True))
        if weapon.bow or not ranged
        for roll in [_roll(weapon, arm, ranged=ranged, stakes=stakes)]
    }
    return tuple(sorted(ways, key=lambda way: (way[0], -way[1])))


def numeral(roll: Attack) -> str:
    """Return the numeral of the table for an attack."""
    return NUMERALS[kinds().index((roll.strikes, roll.ignored))]


def _roll(weapon: Weapon, arm: Arm, *, ranged: bool = False, stakes: bool = False) -> Attack:
    any_banner = next(iter(lore().banners))
    return attack(any_banner, weapon.id, any_banner, arm, ranged=ranged, stakes=stakes)


def _dice_rows() -> Iterator[dict[str, object]]:
    """Yield the dice of each banner, and of its bows after a move, under every limit."""
    say, tables = words()["odds"], lore()
    blade = next(w for w in tables.weapons.values() if not w.bow)
    bow = next(w for w in tables.weapons.values() if w.moved)

    def row(name: Words, banner: Banner, weapon: Weapon) -> dict[str, object]:
        return {"name": name, "dice": [dice(banner.id, weapon.id, moved=True, cap=cap) for cap in (0, *caps())]}

    for banner in tables.banners.values():
        yield row(banner.name, banner, blade)
        yield row(say["moved"].fill(banner=banner.name), banner, bow)


def _weapon_row(weapon: Weapon) -> dict[str, object]:
    melee = [_roll(weapon, "foot"), _roll(weapon, "mounted"), _roll(weapon, "foot", stakes=True)]
    shot = numeral(_roll(weapon, "foot", ranged=True)) if weapon.bow else NEVER
    return {"name": weapon.name, "tables": [*(numeral(roll) for roll in melee), shot]}


def _table(kind: tuple[bool, int], most: int, figures: range) -> dict[str, object]:
    say = words()["odds"]
    strikes, ignored = kind
    told = say["ignored"].fill(n=ignored) if ignored else say["strikes" if strikes else "misses"]

    def row(roll: Attack) -> dict[str, object]:
        return {
            "dice": roll.dice,
            "hits": [percent(roll.hits(n)) for n in range(most + 1)],
            "mean": decimal(roll.mean),
            "groups": [
                [percent(roll.falls(n)) for n in figures],
                [percent(roll.falls(n, "frightened")) for n in figures],
                [percent(roll.empties(n)) for n in figures],
                [percent(roll.empties(n, "bold")) for n in figures],
            ],
        }

    rows = [row(Attack(n, strikes, ignored)) for n in range(1, most + 1)]
    return {"numeral": NUMERALS[kinds().index(kind)], "told": told, "rows": rows}


def _nerve(morale: Morale, most: int) -> dict[str, object]:
    """Return the possible lengths of a retreat of a unit with that morale."""
    lengths = [hexes(morale, flags) for flags in range(1, most + 1) if obeyed(morale, flags)]
    return {
        "name": lore().play.morale[morale].name,
        "lengths": lengths,
        "loses": bool(lore().play.morale[morale].dice),
    }


def _retreat_row(count: int, most: int) -> dict[str, object]:
    """Return, for each morale, the probability of a retreat against `count` dice, of each length, and its cost."""
    roll = Attack(count, strikes=False)
    groups = []
    for morale, nerve in lore().play.morale.items():
        lengths = [flags for flags in range(1, most + 1) if obeyed(morale, flags)]
        cells = [percent(roll.retreats(morale)), *(percent(roll.flags(n)) for n in lengths)]
        groups.append([*cells, decimal(roll.losses(morale))] if nerve.dice else cells)
    return {"dice": count, "groups": groups}


def _cost_row(flags: int, figures: range) -> dict[str, object]:
    """Return the losses of a frightened unit that obeys `flags` flags."""
    far = hexes("frightened", flags)
    costs = [percent(retreat_costs("frightened", flags, n)) for n in figures]
    return {"flags": flags, "far": far, "costs": costs}


def _cases() -> Iterator[Words]:
    """Yield examples of how to read the page."""
    say, forest = words()["odds"], lore().terrain["forest"]
    into = say["into"].fill(ground=forest.name.low)
    blue_foot, red_horse = Kind("blue", "short_sword", "human"), Kind("red", "long_sword", "human")
    yield _case(blue_foot, red_horse, 2, into, cap=forest.dice_in)
    bow, green_foot = Kind("blue", "long_bow", "human"), Kind("green", "short_sword", "human")
    yield _case(bow, green_foot, 1, say["shooting"], moved=True)


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
"""Number of looks for danger: up to 1 hit on average, up to 2 and so on, and anything more."""
_NUMBER = 0.5
"""Type size on a map of danger, in sides of a hex."""


def battle_odds(battle: Battle) -> Iterator[Sheet]:
    """Return a card for each commander, the first player's first: the danger to the units, and their attacks."""
    turn = Turn(battle)
    return (_card(turn, camp) for camp in (battle.first, OTHER[battle.first]))


def _card(turn: Turn, camp: Side) -> Sheet:
    say = words()["prospects"]
    own = [blow for blow in turn.every if blow.camp == camp]
    opens = [not i or own[i - 1].unit != blow.unit for i, blow in enumerate(own)]
    able = {blow.unit.id for blow in own}
    figures: dict[str, Figure] = {"map": danger_map(turn, camp)}
    figures |= {f"unit{blow.unit.id}": unit_token(camp, blow.unit) for blow in own}
    idle = [unit.label for unit in turn.of(camp) if unit.id not in able]
    return Sheet(
        part="odds",
        title=say["title"],
        template="battlelore/prospects.xml",
        view={
            "danger": say["danger_of"].fill(camp=side_name(camp)),
            "rows": [_blow_row(turn, blow, first=first) for blow, first in zip(own, opens, strict=True)],
            "idle": say["idle_units"].fill(units=joined(idle)) if idle else None,
            "apart": len(own) > _BESIDE_MAP,
        },
        figures=figures,
        side=side_name(camp),
        pages=2 + len(own) // _ON_A_PAGE,
        rather=0 if len(own) > _BESIDE_MAP else 1,
    )


_BESIDE_MAP, _ON_A_PAGE = 20, 50
"""Maximum number of attacks under the map, and on a separate page."""


def _blow_row(turn: Turn, blow: Blow, *, first: bool) -> dict[str, object]:
    say, name, way = words()["prospects"], turn.board.field.name, blow.way
    chances = figures_of(blow)
    return {
        "figure": f"unit{blow.unit.id}" if first else "",
        "unit": blow.unit.id if first else "",
        "from": say["from"].fill(start=name(way.start), n=way.steps) if way.steps else same(name(way.start)),
        "target": say["named"].fill(id=blow.target.id, kind=titled(blow.target, blow.target.kind.name.low)),
        "hex": name(blow.at),
        "how": say["by_shot" if way.ranged else "by_melee"],
        "dice": way.roll.dice,
        "chances": [chances[key] for key in ("hits", "falls", "cornered", "empties")],
    }


def danger_map(turn: Turn, camp: Side) -> MapView:
    """Return the battle map with hexes darker for more expected hits, and the numbers on them."""
    board, dangers = turn.board, turn.map_of(camp)
    tints: dict[int, list[Hex]] = {}
    for cell, danger in dangers.items():
        if danger.units:
            tints.setdefault(min(int(danger.hits), HEAT - 1) + 1, []).append(cell)
    shades = [Shade("veil", board.field.cells), *(Shade(f"danger{n}", tuple(tints[n])) for n in sorted(tints))]
    notes = tuple(
        Note(board.field.centre(cell), same(shown(danger.hits)), _NUMBER, plate=True)
        for cell, danger in dangers.items()
        if danger.units and cell not in turn.standing
    )
    flags: list[Flag] = []
    for cell, (own, unit) in turn.standing.items():
        flags.append(Flag(cell, own, unit.kind.banner, unit.id))
        if own == camp and dangers[cell].units:
            flags.append(Flag(cell, own, f"{own}_archers", shown(dangers[cell].hits), count=True))
    view = map_view(board, shades=tuple(shades), small=True)
    return replace(view, notes=notes, flags=tuple(flags), legend=_danger_key())


def _danger_key() -> tuple[Legend, ...]:
    say = words()["prospects"]
    ends = [say["up_to"].fill(n=n) for n in range(1, HEAT)]
    looks = [Legend(f"danger{n}", text) for n, text in enumerate([*ends, say["more"]], 1)]
    return (Legend("", say["key"]), *looks)
