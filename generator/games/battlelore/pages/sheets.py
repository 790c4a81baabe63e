"""The kit's sheets that the family shares.

The draw as a checklist: what happened, in the order the players do it.

The sheets that every battle on a BattleLore board prints, whichever game raised its armies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from generator.common.interpretations import Interpretation
from generator.common.pages import Cover, audit_sheet
from generator.common.scenario_file import Step, stated
from generator.common.scenario_file import checklist as grouped
from generator.common.whose import Part, is_owners
from generator.games.battlelore.forces import (
    COMMANDER,
    Council,
    Kind,
    Pool,
    Unit,
    council_tables,
    council_words,
    lore_tokens,
    points,
    titled,
)
from generator.games.battlelore.ground import SIDES, Board, Side, needs, side_name, words
from generator.games.battlelore.house_maps import DrawnMap, house_maps
from generator.games.battlelore.maps import (
    fields_of_fire,
    fire_key,
    fire_map,
    fire_row,
    grounds,
    hex_name,
    letter,
    map_view,
    swatch,
    token,
    unit_token,
)
from generator.games.battlelore.model import COMMON_RACE, MEDIEVAL, OFF_BOARD, Battle, CampUnit
from generator.games.battlelore.pages.briefing import briefing
from generator.games.battlelore.pages.reference import moves, natures, reach, reference
from generator.games.battlelore.tables import lore
from generator.games.battlelore.wishes import RANDOM
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.symbols import pictograms


def checklist(
    log: Iterable[Step], told_by: Mapping[str, Words], names: Mapping[str, Words]
) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a camp together.

    `told_by` has each kind of step in words, `names` what the ids in their results are called.
    """

    def tell(step: Step) -> Words:
        return stated(step, told_by, lambda part: names.get(part) or _word(step.what, part), OFF_BOARD)

    return grouped(log, tell, words()["camp"].__getitem__)


def _word(what: str, part: str) -> Words:
    if what == "map":
        if part == RANDOM:
            return words()["cover"][RANDOM]
        return house_maps()[part].name if part in house_maps() else same(part)
    names = {face.id: face.name for face in lore().play.face}
    if what == "dice":
        return joined([names.get(face, same(face)) for face in part.split()])
    if part in lore().banners:
        return lore().banners[part].name.low
    return same(part)


Fact = tuple[Words, Words]
ON_A_PAGE = 4
"""Fields of fire on a page at most; they share its pages evenly."""


def cover(
    battle: Battle,
    *,
    mode: Words,
    armies: Mapping[Side, Words],
    content: Iterable[Words],
    councils: Mapping[Side, Council] | None = None,
    why_first: Words | None = None,
) -> Cover:
    """The scenario sheet: the map, what it is about, what is played for, and what the ground does.

    `armies` says where each came from, `why_first` why the first player is that; `councils` are as in `setup_sheet`.
    """
    say, board = words()["cover"], battle.board
    figures: dict[str, Figure] = {camp: token(camp, _SHOWN) for camp in SIDES}
    figures |= {"banners": pictograms.banners(battle.banners, wide=_COLUMN), "blocks": pictograms.eye(clear=False)}
    figures |= {f"ground_{name}": swatch(board, name) for name in grounds(board)}
    hands = {camp: battle.hand_of(camp) for camp in SIDES}
    alike = len(set(hands.values())) == 1
    if alike:
        figures["hand"] = pictograms.cards(battle.hand_of(battle.first), 4.7, _HALF)
    own = {
        "mode": mode,
        "brief": briefing(battle),
        "armies": [
            {
                "figure": camp,
                "name": side_name(camp),
                "strength": _strength(battle, camp),
                "lines": [
                    joined([_points(battle, camp), armies[camp]], " · ", "・"),
                    *_council_lines((councils or {}).get(camp, {})),
                ],
            }
            for camp in SIDES
        ],
        "win": say["to_win"].fill(n=battle.banners),
        "first": {"figure": battle.first, "name": side_name(battle.first), "why": why_first},
        "hand": say["hand_each"].fill(n=battle.hand_of(battle.first)) if alike else None,
        "hands": [] if alike else [{"figure": camp, "text": say["hand_of"].fill(n=hands[camp])} for camp in SIDES],
        "grounds": [_ground_row(board, name) for name in grounds(board)],
        "marks": _signs(battle, figures),
        "key": joined([say["dice_key"], *natures({unit.kind.race for _, unit in battle.units})], " ", ""),
    }
    return Cover("battlelore/cover.xml", map_view(board, battle.units), (), content, own, figures)


_COLUMN = 56.0
"""How wide the margin column of a scenario sheet is, in mm."""
_HALF = 20.5
"""How wide its narrower half is."""
_SHOWN = Kind("blue", "short_sword", "human")
"""Whose counter stands for a camp, where it is about the camp alone."""


def _council_lines(council: Council) -> list[Words]:
    say = words()["cover"]["seats"]
    return [say.fill(seats=council_words(council), n=lore_tokens(council))] if council else []


def _ground_row(board: Board, name: str) -> dict[str, object]:
    """What a kind of ground does, in a line or two."""
    kind, say = lore().kind(name), words()["glance"]
    told = []
    if not kind.passable:
        crossed = kind.water and any(board.terrain(cell).crossing for cell in board.field.cells)
        told.append(say["river" if crossed else "none"])
    elif kind.move == "stop":
        entry = {"none": "idle", "foot_bows": "bows"}.get(kind.battle, "stop" if kind.pursuit else "halt")
        told.append(say[entry])
    if kind.bold or kind.bold_for:
        told.append(say["bold" if kind.bold else "bold_bows"])
    if kind.sides:
        told.append(say["sides"])
    if kind.dice_in_from:
        told.append(say["from"].fill(n=max(kind.dice_in_from.values())))
    caps = [say[way].fill(n=most) for way, most in (("in", kind.dice_in), ("out", kind.dice_out)) if most]
    return {
        "figure": f"ground_{name}",
        "name": kind.name,
        "letter": letter(name),
        "caps": joined(caps, ", ", "・"),
        "text": joined(told or [say["free"]], " ", ""),
        "mark": "blocks" if kind.blocks else "",
    }


def _signs(battle: Battle, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """How the counters of this battle are read: their banners with their dice, then weapons, peoples and marks."""
    tables, say = lore(), words()
    units = [(camp, unit) for camp, unit in battle.units if unit.hex]
    kinds = [unit.kind for _, unit in units]
    marks: list[dict[str, object]] = []

    def sign(key: str, shown: Figure, text: Words) -> None:
        figures[key] = shown
        marks.append({"figure": key, "text": text})

    for banner in tables.banners.values():
        if any(kind.banner == banner.id for kind in kinds):
            text = say["cover"]["banner"].fill(banner=banner.name, dice=banner.dice)
            sign(f"banner_{banner.id}", token("pennant", replace(_SHOWN, banner=banner.id)), text)
    for weapon in tables.weapons.values():
        if carriers := [(camp, unit.kind) for camp, unit in units if unit.kind.weapon == weapon.id]:
            camp, kind = next(((c, k) for c, k in carriers if k.race == COMMON_RACE), carriers[0])
            plain = replace(kind, race=COMMON_RACE)
            sign(f"weapon_{weapon.id}", token(camp, plain), weapon.name)
    for race in tables.races.values():
        if race.id != COMMON_RACE and (carriers := [(c, u.kind) for c, u in units if u.kind.race == race.id]):
            camp, kind = min(carriers, key=lambda row: row[1].arm == "mounted")
            sign(f"race_{race.id}", token(camp, kind), race.name)
    if any(kind.arm == "mounted" for kind in kinds):
        camp, kind = next((camp, unit.kind) for camp, unit in units if unit.kind.arm == "mounted")
        sign("mounted", token(camp, replace(kind, race=COMMON_RACE)), say["cover"]["mounted"])
    if levy := next(((camp, unit.kind) for camp, unit in units if unit.levy), None):
        sign("levy", token(*levy, levy=True), say["map"]["levy"])
    return marks


def council_content(councils: Iterable[Council]) -> tuple[Words, ...]:
    """Whose the numbers of the war councils are; nothing where there are none, or no house ones."""
    ours = council_tables().source == "house" and any(councils)
    return (words()["cover"]["council"],) if ours else ()


def map_name(battle: Battle) -> Words:
    """A house map by its title; whose hand drew the others."""
    say = words()["cover"]
    if battle.map == RANDOM:
        return say[RANDOM]
    if house := _house_map(battle):
        return say["house_map"].fill(name=house.name)
    return say["own_map"].fill(name=battle.map) if "map" in battle.origin.files else say["hand_drawn"]


def _house_map(battle: Battle) -> DrawnMap | None:
    """The house map that it is fought on: the one with its ground, whatever the file is called, or its code's."""
    alike = (house for house in house_maps().values() if house.board.ground == battle.board.ground)
    return next(alike, house_maps().get(battle.map) if battle.origin.code else None)


def box_parts(battle: Battle, pool: Pool) -> list[Part]:
    """Whose the figure pool and the tile inventory are; the map too where a file brought another than ours."""
    say, files = words()["cover"], battle.origin.files
    maps = (
        [Part(say["map_part"], own=True, file=files["map"].name)] if "map" in files and not _house_map(battle) else []
    )
    held = (("pool", pool), ("inventory", battle.inventory))
    box = (Part(say[name], is_owners(of), battle.origin.brought(name)) for name, of in held)
    return [*box, *maps]


def _hands(battle: Battle, how: str) -> Words:
    """The command hands: one number, or one for each camp where councils differ."""
    say, hands = words()["hands"], {camp: battle.hand_of(camp) for camp in SIDES}
    if len(set(hands.values())) == 1:
        return say[how].fill(n=battle.hand_of(SIDES[0]))
    return say[f"{how}_each"].fill(**hands)


def first_told(battle: Battle) -> Words:
    """Who moves first, what is played for, and the command hands: each council's in a Lore game."""
    say = words()["story"]["first" if battle.age == MEDIEVAL else "first_lore"]
    return say.fill(camp=side_name(battle.first), banners=battle.banners, hands=_hands(battle, "held"))


def _strength(battle: Battle, camp: Side) -> Words:
    return words()["cover"]["units"].fill(n=sum(of == camp for of, _ in battle.units))


def _points(battle: Battle, camp: Side) -> Words:
    return words()["cover"]["points"].fill(n=sum(points(unit.kind) for of, unit in battle.units if of == camp))


def map_sheet(board: Board, units: Iterable[CampUnit] = (), fairness: Words | None = None) -> Sheet:
    """The map on a page of its own, with these units on it, and the line of its certificate of fairness."""
    return Sheet(
        part="map",
        title=words()["part"]["map"],
        template="battlelore/map.xml",
        view={"fairness": fairness or ""},
        figures={"map": map_view(board, units)},
        landscape=True,
    )


def setup_sheet(
    battle: Battle,
    also: Iterable[Words],
    told_by: Mapping[str, Words],
    names: Mapping[str, Words],
    steps: Iterable[Step],
    notes: Iterable[Words] = (),
    councils: Mapping[Side, Council] | None = None,
) -> Sheet:
    """What to fetch from the box, and how it is set up; `also` are more things to fetch.

    `steps` are the log, or where there is none whatever the scenario shows by itself; `names` has what the ids in
    them are called, units among them; `notes` stand below them. `councils` are the war councils of a Lore game.
    """
    say, setup, tables = words()["packing"], words()["setup"], lore()
    groups = checklist(steps, told_by, names)
    kinds = (*tables.features.values(), *tables.terrain.values())
    named = {face: kind.label for kind in kinds for face in kind.tiles[-1:]}
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="battlelore/setup.xml",
        view={
            "terrain": [{"name": named[f], "count": n} for f, n in sorted(needs(battle.board).items()) if n],
            "armies": [_packed(battle, camp) for camp in SIDES],
            "also": [
                _hands(battle, "packed"),
                say["dice"].fill(n=tables.play.battle_dice),
                say["banners"].fill(n=battle.banners),
                *also,
                *_council_pieces(councils or {}),
            ],
            "heading": setup["title" if battle.log else "by_hand"],
            "intro": setup["intro" if battle.log else "read" if groups else "blank"],
            "groups": groups,
            "notes": [*notes, *([setup["streams"]] if battle.log else [])],
        },
        pages=3,
    )


def _council_pieces(councils: Mapping[Side, Council]) -> list[Words]:
    """What war councils take from the box; nothing in a medieval game."""
    say = words()["packing"]
    masters = [
        say["of_camp"].fill(camp=side_name(camp), list=council_words({s: n for s, n in of.items() if s != COMMANDER}))
        for camp, of in councils.items()
        if any(seat != COMMANDER for seat in of)
    ]
    tokens = sum(lore_tokens(of) for of in councils.values())
    if not any(councils.values()):
        return []
    return [
        say["sheets"].fill(n=len(councils)),
        say["masters"].fill(list=joined(masters, "; ", "。")),
        say["lore_cards"],
        say["lore_tokens"].fill(n=tokens),
    ]


def audit(
    battle: Battle,
    report: Report,
    told_by: Mapping[str, Words],
    names: Mapping[str, Words],
    steps: Iterable[Step],
    lines: Iterable[Words] = (),
) -> Sheet:
    """What was drawn and why; `steps` and `names` as the draw left them, `lines` what else is told of it."""
    return audit_sheet(report, checklist(steps, told_by, names), bool(battle.log), lines)


def told_units(units: Iterable[Unit]) -> dict[str, Words]:
    """Units by id, each with its kind."""
    say = words()["setup"]["unit"]
    return {unit.id: say.fill(id=unit.id, kind=titled(unit, unit.kind.name.low)) for unit in units}


def _packed(battle: Battle, camp: Side) -> dict[str, object]:
    """What a camp fetches from the box, by kind of unit."""
    units = [unit for of, unit in battle.units if of == camp and not unit.levy]
    kinds, figures = Counter(unit.kind for unit in units), Counter[Kind]()
    for unit in units:
        figures[unit.kind] += unit.figures
    order = [list(table) for table in (lore().weapons, lore().races, lore().banners)]

    def place(kind: Kind) -> tuple[int, ...]:
        names = (kind.weapon, kind.race, kind.banner)
        return tuple(ids.index(name) for ids, name in zip(order, names, strict=True))

    rows = [{"name": k.name, "units": kinds[k], "figures": figures[k]} for k in sorted(kinds, key=place)]
    return {
        "camp": side_name(camp),
        "rows": rows,
        "units": kinds.total(),
        "figures": figures.total(),
    }


def record_sheet(
    battle: Battle,
    camp: Side,
    units: Iterable[Unit],
    heading: Words,
    remarks: Mapping[str, Words],
    lines: Iterable[Words],
) -> Sheet:
    """A side's record sheet: a row for each unit, with its remark by id; `lines` stand above them.

    `heading` is what the column of remarks is called.
    """
    say, units = words()["record"], tuple(units)
    figures: Mapping[str, Figure] = {unit.id: unit_token(camp, unit) for unit in units}
    return Sheet(
        part="records",
        title=say["title"],
        template="battlelore/record.xml",
        view={
            "rows": [_record_row(battle, unit, remarks.get(unit.id, same(""))) for unit in units if unit.hex],
            "lost": [_record_row(battle, unit, remarks.get(unit.id, same(""))) for unit in units if not unit.hex],
            "order": say["first" if battle.first == camp else "second"],
            "hand": say["hand"].fill(n=battle.hand_of(camp)),
            "lines": list(lines),
            "heading": heading,
            "track": say["track"].fill(n=battle.banners),
            "banners": battle.banners,
        },
        figures=figures,
        side=side_name(camp),
    )


def _record_row(battle: Battle, unit: Unit, remark: Words) -> dict[str, object]:
    tables, kind = lore(), unit.kind
    banner = tables.banners[kind.banner]
    return {
        "id": unit.id,
        "kind": titled(unit),
        "hex": hex_name(battle.board, unit.hex),
        "dice": banner.dice,
        "move": moves(banner.move, banner.run, kind.arm),
        "range": reach(tables.weapons[kind.weapon].range),
        "figures": unit.figures,
        "remark": remark,
    }


def fire_sheets(battle: Battle, camp: Side) -> Iterator[Sheet]:
    """The camp's fields of fire; no sheet where it has no bows."""
    fields = [f for f in fields_of_fire(battle.board, battle.units, battle.rulings) if f.camp == camp]
    if not fields:
        return
    yield Sheet(
        part="fire",
        title=words()["fire"]["title"],
        template="battlelore/fire.xml",
        view={"size": ON_A_PAGE, "rows": [fire_row(battle.board, field) for field in fields]},
        figures={field.unit.id: fire_map(battle.board, field, battle.units) for field in fields}
        | {"key": replace(map_view(battle.board, small=True), legend=fire_key())},
        side=side_name(camp),
        # One more, should a wall of units leave long lists of what it blocks.
        pages=-(-len(fields) // ON_A_PAGE) + 1,
    )


def reference_sheet(battle: Battle, rulings: Iterable[Interpretation]) -> Sheet:
    """One page of rules for the weapons and the ground in play, with the rulings used."""
    kinds = (unit.kind for _, unit in battle.units)
    return Sheet(
        part="reference",
        title=words()["reference"]["title"],
        template="battlelore/reference.xml",
        pages=2,
        view=reference(battle.board, kinds, rulings),
    )
