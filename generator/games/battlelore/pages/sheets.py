"""The kit's sheets that the family shares.

The draw as a checklist: what happened, in the order the players do it.

The sheets that every battle on a BattleLore board prints, whichever game raised its armies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import msgspec

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
    crossfire,
    detail_row,
    fields_of_fire,
    fire_detail,
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
from generator.games.battlelore.model import COMMON_RACE, MEDIEVAL, OFF_BOARD, PREFIX, Battle, CampUnit
from generator.games.battlelore.pages.briefing import briefing
from generator.games.battlelore.pages.reference import moves, natures, reach, reference
from generator.games.battlelore.tables import lore
from generator.games.battlelore.wishes import RANDOM
from generator.model.views import Figure, Flag, MapView, Note, Shade, Sheet
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


@dataclass(frozen=True)
class Laid:
    """Units that are laid in one go: a card's, or a section's."""

    camp: Side
    name: Words
    units: tuple[Unit, ...]
    place: Words | None = None
    """Where on the field, where the name does not say it."""
    told: tuple[Words, ...] = ()
    """What is out of the ordinary, such as `14: K4 is river, so J1`."""


class _Fit(NamedTuple):
    """How many units stand side by side, and how large their icons are, in mm."""

    per: int
    icon: float

    def high(self, row: Mapping[str, object]) -> float:
        """About how high a row of the set-up is, in mm: its icons or its lines."""
        units = len(cast(list[object], row["units"]))
        told = sum(1 + len(line.en) // 25 for line in cast(list[Words], row["told"]))
        return 1.8 + max(-(-units // self.per) * (self.icon + 5.2), 12.1 + 3.5 * told)


_FITS = (_Fit(6, 12.0), _Fit(6, 11.0), _Fit(7, 9.6), _Fit(7, 8.4))
_APART = (_Fit(8, 12.5), _Fit(8, 11.0), _Fit(8, 9.0))
"""Where the packing list has a page of its own."""
_PILE = 14
"""No more units than that stand at one step, so that a row finds room on a page."""
_PAGE, _LEAST = 240.0, 52.0
"""What a page of the lowest paper has for map and rows, and the least height of the map, in mm."""
_ROW, _LOWEST, _LINE, _WIDE = 7.4, 5.0, 3.6, 21
"""How high a row of the packing list is, and may be at the least; a line of it, in mm and in letters."""


def setup_sheet(
    battle: Battle,
    laid: Iterable[Laid],
    then: Iterable[tuple[Words, Sequence[Words]]] = (),
    also: Iterable[tuple[Words, int | str]] = (),
    councils: Mapping[Side, Council] | None = None,
) -> Sheet:
    """The set-up for hands: a map of numbered flags, what is laid in its order, and what to fetch from the box.

    `then` are steps after the units, each with quiet lines; `also` are more things to fetch, each with its number.
    """
    figures = dict[str, Figure]()
    figures["map"] = _flagged(battle)
    piles = [pile for one in laid for pile in _piles(one)]
    rows = [_laid_row(battle, n, one, figures) for n, one in enumerate(piles, 2)]
    groups = [*_fetched(battle, figures), _to_play(battle, also, councils or {})]
    steps = [*then, _begin(battle)]
    room = _PAGE - sum(6.5 + 3.5 * len(lines) for _, lines in steps)
    high = _packing_row(groups)
    fits = (fit for fit in _FITS if high and sum(map(fit.high, rows)) <= room - _LEAST)
    fit = next(fits, None)
    own = fit or next((fit for fit in _APART if sum(map(fit.high, rows)) <= room - _LEAST), _APART[-1])
    middle = -(-len(groups) // 2)
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="battlelore/setup.xml",
        view={
            "rows": rows,
            "per": own.per,
            "icon": own.icon,
            "map_high": max(_LEAST, min(96.0, room - sum(map(own.high, rows)))),
            "after": [
                {"n": n, "text": text, "lines": list(lines)} for n, (text, lines) in enumerate(steps, len(rows) + 2)
            ],
            "groups": groups,
            "high": high,
            "halves": [groups[:middle], groups[middle:]],
            "together": bool(fit),
        },
        figures=figures,
        pages=4,
    )


def _flagged(battle: Battle) -> MapView:
    """The map with the ground stepping back behind flags that bear the units' numbers."""
    board = battle.board
    flags = tuple(
        Flag(unit.hex, camp, unit.kind.banner, number(camp, unit)) for camp, unit in battle.units if unit.hex
    )
    view = map_view(board, small=True, shades=(Shade("veil", board.field.cells),))
    return replace(view, flags=flags, names=False, notes=tuple(_ruler(board)))


def _ruler(board: Board) -> Iterator[Note]:
    """The letters of the columns below the map, and the numbers of the rows at its left."""
    field = board.field
    left, foot = -1.75, -2.95
    for cell in field.row(0):
        yield Note((field.centre(cell)[0], foot), same(field.name(cell)[0]), 0.5)
    for row in range(len(field.rows)):
        yield Note((left, field.centre(field.row(row)[0])[1]), same(row + 1), 0.5)


def number(camp: Side, unit: Unit) -> str:
    """A unit's number, as its flag bears it; its id where that is none of ours."""
    bare = unit.id.removeprefix(PREFIX[camp])
    return bare if bare.isdigit() else unit.id


def _piles(laid: Laid) -> Iterator[Laid]:
    yield replace(laid, units=laid.units[:_PILE])
    for i in range(_PILE, len(laid.units), _PILE):
        yield replace(laid, units=laid.units[i : i + _PILE], told=())


def _laid_row(battle: Battle, n: int, laid: Laid, figures: dict[str, Figure]) -> dict[str, object]:
    camp, standing = laid.camp, [unit for unit in laid.units if unit.hex]
    for unit in standing:
        figures[f"icon_{unit.id}"] = msgspec.structs.replace(unit_token(camp, unit), label="")
        figures[f"plate_{unit.id}"] = pictograms.number(number(camp, unit), 3.6)
    say = words()["laid"]
    count = say["count"].fill(n=len(standing), m=sum(unit.figures for unit in standing))
    return {
        "n": n,
        "camp": joined([side_name(camp), *([laid.place] if laid.place else [])], " · ", "・"),
        "name": laid.name,
        "lines": [count],
        "told": list(laid.told),
        "units": [
            {"figure": f"icon_{u.id}", "plate": f"plate_{u.id}", "at": hex_name(battle.board, u.hex)}
            for u in standing
        ],
    }


def _packing_row(groups: Iterable[Mapping[str, object]]) -> float:
    """How high the rows of a packing list are that stands beside the set-up, in mm; 0 where it finds no room there."""
    lines = [
        1 + len(cast(dict[str, Words], row)["name"].en) // _WIDE
        for group in groups
        for row in cast(list[object], group["rows"])
    ]
    rest = sum(9.5 + (5.0 if group["total"] else 0.0) for group in groups)
    for tenths in range(round(10 * _ROW), round(10 * _LOWEST) - 1, -1):
        high = tenths / 10
        if rest + sum(max(high, _LINE * n + 0.6) for n in lines) <= _PAGE:
            return high
    return 0.0


def _begin(battle: Battle) -> tuple[Words, list[Words]]:
    """The last step: hands are dealt, and who begins."""
    say = words()["laid"]
    deal = say["begin"].fill(deal=_hands(battle, "deal"), first=side_name(battle.first))
    return deal, [words()["cover"]["to_win"].fill(n=battle.banners)]


def _fetched(battle: Battle, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """What to fetch for the ground and for each camp, group by group."""
    say, tables = words()["laid"], lore()
    board, faces = (
        battle.board,
        {kind.tiles[-1]: name for name in grounds(battle.board) if (kind := lore().kind(name))},
    )
    rows: list[dict[str, object]] = []
    for face, n in sorted(needs(board).items(), key=lambda row: [*faces, row[0]].index(row[0])):
        if n and face in faces:
            figures[f"tile_{face}"] = swatch(board, faces[face])
            rows.append({"figure": f"tile_{face}", "name": tables.kind(faces[face]).label, "counts": [n]})
    found: list[dict[str, object]] = []
    if rows:
        found.append({"title": say["terrain"], "heads": ["", say["tiles"]], "rows": rows, "total": []})
    for camp in SIDES:
        packed = _packed(battle, camp, figures)
        if packed["rows"]:
            found.append(packed)
    return found


def _to_play(
    battle: Battle, also: Iterable[tuple[Words, int | str]], councils: Mapping[Side, Council]
) -> dict[str, object]:
    """What the players need beside ground and units."""
    say, hands = words()["laid"], {camp: battle.hand_of(camp) for camp in SIDES}
    each = len(set(hands.values())) == 1
    cards = (
        [(say["cards_each"], hands[battle.first])]
        if each
        else [(say["cards_of"].fill(camp=side_name(camp)), n) for camp, n in hands.items()]
    )
    rows = [
        *cards,
        (say["dice"], lore().play.battle_dice),
        (say["banners"], battle.banners),
        *also,
        *_council_pieces(councils),
    ]
    return {
        "title": say["to_play"],
        "heads": [],
        "rows": [{"figure": "", "name": name, "counts": ["", n]} for name, n in rows],
        "total": [],
    }


def _council_pieces(councils: Mapping[Side, Council]) -> list[tuple[Words, int | str]]:
    """What war councils take from the box; nothing in a medieval game."""
    say = words()["packing"]
    if not any(councils.values()):
        return []
    seats = Counter(seat for of in councils.values() for seat, level in of.items() if level and seat != COMMANDER)
    masters = [council_tables().name(seat) for seat in council_tables().seats for _ in range(seats[seat])]
    tokens = sum(lore_tokens(of) for of in councils.values())
    return [
        (say["sheets"], len(councils)),
        (say["masters"].fill(list=joined(masters)), seats.total()),
        (say["lore_cards"], ""),
        (say["lore_tokens"], tokens),
        (say["goblets"], len(councils)),
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


def _packed(battle: Battle, camp: Side, figures: dict[str, Figure]) -> dict[str, object]:
    """What a camp fetches from the box, by kind of unit."""
    say = words()["laid"]
    units = [unit for of, unit in battle.units if of == camp and not unit.levy]
    kinds, bodies = Counter(unit.kind for unit in units), Counter[Kind]()
    for unit in units:
        bodies[unit.kind] += unit.figures
    order = [list(table) for table in (lore().weapons, lore().races, lore().banners)]

    def place(kind: Kind) -> tuple[int, ...]:
        names = (kind.weapon, kind.race, kind.banner)
        return tuple(ids.index(name) for ids, name in zip(order, names, strict=True))

    rows = []
    for kind in sorted(kinds, key=place):
        figures[key := f"kind_{camp}_{kind.banner}_{kind.weapon}_{kind.race}"] = token(camp, kind)
        rows.append({"figure": key, "name": kind.name, "counts": [kinds[kind], bodies[kind]]})
    return {
        "title": side_name(camp),
        "heads": [say["units"], say["figures"]],
        "rows": rows,
        "together": say["together"],
        "total": [kinds.total(), bodies.total()],
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


def fire_sheets(battle: Battle) -> Iterator[Sheet]:
    """One page of both sides' fields of fire, in detail for archers with a target; none where nobody has bows."""
    fields = fields_of_fire(battle.board, battle.units, battle.rulings)
    if not fields:
        return
    ready = [field for field in fields if field.targets]
    figures: dict[str, Figure] = {"map": crossfire(battle.board, fields, battle.units)}
    figures |= {field.unit.id: fire_detail(battle.board, field, battle.units) for field in ready}
    figures |= {f"token{f.unit.id}": token(f.camp, f.unit.kind, levy=f.unit.levy) for f in fields if not f.targets}
    yield Sheet(
        part="fire",
        title=words()["fire"]["both"],
        template="battlelore/fire.xml",
        view={
            "rows": [detail_row(battle.board, field, battle.units) for field in ready],
            "idle": [
                {
                    "id": field.unit.id,
                    "hex": hex_name(battle.board, field.at),
                    "sees": words()["fire"]["sees_short"].fill(
                        n=len(field.seen), m=len(field.seen) + len(field.blocked)
                    ),
                }
                for field in fields
                if not field.targets
            ],
        },
        figures=figures,
        # Without details the map takes a page that lies on its side.
        landscape=not ready,
        pages=2,
    )


def whole_fire_sheets(battle: Battle) -> Iterator[Sheet]:
    """Each camp's fields of fire with the lists of every archer, to be asked for."""
    for camp in SIDES:
        fields = [f for f in fields_of_fire(battle.board, battle.units, battle.rulings) if f.camp == camp]
        if not fields:
            continue
        yield Sheet(
            part="fire-all",
            title=words()["fire"]["title"],
            template="battlelore/fireall.xml",
            view={"size": ON_A_PAGE, "rows": [fire_row(battle.board, field) for field in fields]},
            figures={field.unit.id: fire_map(battle.board, field, battle.units) for field in fields}
            | {"key": replace(map_view(battle.board, small=True), legend=fire_key(camp))},
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
