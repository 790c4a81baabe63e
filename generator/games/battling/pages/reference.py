"""Print pages that do not need a scenario, such as charts, odds, record sheets, cards and counters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import ceil, hypot
from typing import Any, TypeVar

from msgspec.structs import replace

from generator.common.catalogue import Boards, Make, printable, user_path
from generator.common.game import Printable
from generator.common.interpretations import (
    Interpretation,
    defaults,
    interpretation_rows,
    interpretations_of,
    readings,
)
from generator.common.ownership import is_user_content
from generator.common.tables import percent
from generator.games.battling.forces import MachineKind, Pack, charts_name, load_pack
from generator.games.battling.ground import ARENAS, Arena, DrawnArena
from generator.games.battling.maker import make_arena
from generator.games.battling.maps import arena_view, kind_token, sheet_file, token
from generator.games.battling.model import OTHER, RANDOM, SIDES, Machine, Scenario, Side, side_name
from generator.games.battling.play import STRICT, actions
from generator.games.battling.tables import BattlingRoll, Result, Shot, dice, limits, numbers, switches, words
from generator.grid.columns import Numbered, columns_field, corners
from generator.model.picture import XY, Pen, Picture, circle, line, polygon, spared
from generator.model.views import Back, CardTable, Figure, Piece, Poster, Run, Sheet, TextCard
from generator.model.words import Words, joined, same
from generator.seeds import RngStreams
from generator.symbols.pictograms import Share, bar
from generator.symbols.picture_words import chances, picture_words
from generator.symbols.theme import theme


def shot_odds() -> dict[str, object]:
    """Return the chance that a shot costs a hit point, with a row for each hit number and a column for each power."""
    numbers = range(1, dice().die + 1)
    rows = [
        {
            "number": number,
            "hits": percent(Shot(number, 0).hits),
            "cells": [percent(Shot(number, power).hurts) for power in numbers],
        }
        for number in numbers
    ]
    return {"powers": list(numbers), "rows": rows}


T = TypeVar("T")

FILLS = ("#ffffff", "#23211c", "#c9c4b6", "#77736a")
"""The fills for no effect and for hits on the defender, on the attacker, and on both. They are greys that any printer
can reproduce.
"""
LONG = 52.0
"""The length of a bar of chances, in mm."""


def melee_odds(pack: Pack) -> tuple[dict[str, object], dict[str, Figure]]:
    """Return a row for each difference, with the result of each face and the chances of results for each modifier.

    The second value contains the bars of the chances by name.
    """
    texts = words()["odds"]
    changes = sorted({0, *(modifier.die for modifier in dice().modifier if modifier.roll == "battling")})
    rows, bars = [], dict[str, Figure]()
    for difference, faces in sorted(pack.results.items()):
        names = [f"clash{difference}_{change}" for change in changes]
        bars |= {name: _chances(faces, change) for name, change in zip(names, changes, strict=True)}
        rows.append({"by": f"{difference:+}" if difference else "0", "faces": faces, "bars": names})
    heads = [texts["guarding"].fill(die=f"{change:+}") if change else texts["plain"] for change in changes]
    return {"heads": heads, "faces": list(dice().faces), "rows": rows}, bars


def _chances(faces: tuple[Result, ...], change: int) -> Picture:
    """Return the chances of battling's results as a bar, with the letter and percentage of each."""
    odds = BattlingRoll(faces, change).odds
    shares = [
        Share(float(chance), fill, f"{result.replace('-', NO)} {percent(chance)}", light=fill in FILLS[1::2])
        for (result, chance), fill in zip(odds.items(), FILLS, strict=True)
    ]
    names = {effect.id: effect.name for effect in dice().effects.values()}
    alt = chances((names.get(result, picture_words("no_effect")), percent(chance)) for result, chance in odds.items())
    return bar(shares, LONG, alt=alt)


SMALL = 2
"""The maximum number of machines of a squad for which two squads share a page, which is cut through the middle."""
TALL, TALLEST = 6.0, 11.0
"""The minimum and maximum height of a writing line, in mm. Less than 6 mm is too low to write in."""
ROOM, HEAD = 169.5, 23.0
"""The height available for machines on a page, and the height of each row's head, in mm."""
SIDE_LABEL = 1.7
"""The height that the label of a side adds to a row's head, whose numbers are then smaller, in mm."""
NOTE_LINE = 8.6
"""The height of a line for notes, in mm."""
BESIDE, ACROSS = 15, 16
"""The number of distances and enemies together that fit beside each other above a machine's lines, and the number of
distances or enemies that fit there alone.
"""
CHART_LINE = 4.4
"""The height of a line of the numbers above a machine's lines, in mm."""


def record_sheets(scenario: Scenario) -> list[Sheet]:
    """Return one record sheet for two small squads, or otherwise one for each player."""
    squads = [scenario.squads[side].machines for side in SIDES]
    if all(len(machines) <= SMALL for machines in squads):
        return [_record_sheet(scenario, SIDES)]
    return [_record_sheet(scenario, (side,)) for side in SIDES]


def _record_sheet(scenario: Scenario, sides: Sequence[Side]) -> Sheet:
    """Return a record sheet with the numbers of each machine, and a line for its order and replies in each turn."""
    texts, kinds = words()["record"], scenario.pack.machines
    machines = [(side, m) for side in sides for m in scenario.squads[side].machines]
    figures: dict[str, Figure] = {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in machines}
    rows = [
        (words()["cover"][side], texts[f"order_{side}"], blocks)
        for side in sides
        for blocks in _paired([_block(scenario, side, m) for m in scenario.squads[side].machines])
    ]
    here = dict.fromkeys(m.kind for _, m in machines)
    turns = max(scenario.turns, 1)
    extra = SIDE_LABEL if len(sides) > 1 else 0.0
    heads = [extra + max(_head_height(block) for block in blocks) for _, _, blocks in rows]
    tall, on_page, max_lines = _lines(heads or [HEAD], turns)
    is_last_alone = on_page > 1 and len(rows) > 1 and len(rows) % on_page
    blank = ROOM - heads[-1] - max_lines * tall if is_last_alone else 0.0
    return Sheet(
        part="records",
        title=texts["title"],
        template="battling/record.xml",
        view={
            "rows": [{"who": who, "order": order, "blocks": blocks} for who, order, blocks in rows],
            "turns": turns,
            "letters": letters(),
            "key": short_key(kinds[name] for name in here),
            "spare": int(blank / NOTE_LINE),
            "order": texts[f"order_{sides[0]}"] if len(sides) == 1 else "",
            "tall": tall,
            "max_lines": max_lines,
        },
        figures=figures,
        side=side_name(sides[0]) if len(sides) == 1 else None,
        landscape=True,
        pages=max(ceil(len(rows) / on_page), 1) * ceil(turns / max_lines),
    )


def _paired(items: Sequence[T]) -> list[Sequence[T]]:
    """Return items in pairs. The last item is alone if their number is odd."""
    return [items[i : i + 2] for i in range(0, len(items), 2)]


def _head_height(block: Mapping[str, Any]) -> float:
    """Return the height of a machine's head with its numbers, in mm."""
    lines = sum(max(len(chart["lines"]) for chart in charts) for charts in block["charts"])
    return HEAD + CHART_LINE * max(0, lines - 3)


def _lines(heads: Sequence[float], turns: int) -> tuple[float, int, int]:
    """Return the height of a line, in mm, and the numbers of rows of machines and of lines of a machine on a page.

    `heads` contains the height of the head of each row of machines, in mm. The lines of more turns than fit on a page
    are divided evenly among pages.
    """
    # The charts of a user's file may leave no room for a line.
    parts = ceil(turns / max(1, int((ROOM - max(heads)) / TALL)))
    turns = max_lines = ceil(turns / parts)
    on_page = 2 if all((ROOM - sum(pair)) / (len(pair) * turns) >= TALL for pair in _paired(heads)) else 1
    pages = [heads[i : i + on_page] for i in range(0, len(heads), on_page)]
    tall = min(TALLEST, *((ROOM - sum(page)) / (len(page) * turns) for page in pages))
    return int(10 * tall) / 10, on_page, max_lines


def blank_sheet(*, half: bool = False) -> Sheet:
    """Return an empty record sheet of a squad. A half sheet has one row of two machines."""
    texts = words()
    return Sheet(
        part="sheets",
        title=texts["blank"]["squad"],
        template="battling/blank.xml",
        view={
            "machines": 2 if half else sheet_file().blank,
            "sides": [texts["cover"][side] for side in SIDES],
            "turns": numbers().turns.usual,
            "letters": letters(),
            "key": short_key(),
            "tall": TALLEST if half else TALL,
        },
        landscape=True,
    )


def letters() -> list[dict[str, object]]:
    """Return the actions for a row in which players circle the last one.

    `changes` marks those that modify enemy dice.
    """
    change = {modifier.last for modifier in dice().modifier}
    return [{"id": letter, "changes": letter in change} for letter in actions()]


def key(kinds: Iterable[MachineKind] = ()) -> list[Words]:
    """Return the modifiers of dice for last actions and for the armour of these machines."""
    lines = [modifier.text.fill(die=f"{modifier.die:+}") for modifier in dice().modifier]
    armoured = (kind for kind in kinds if kind.armour)
    return [*lines, *(dice().armour.text.fill(machine=k.name, die=f"{k.armour:+}") for k in armoured)]


def short_key(kinds: Iterable[MachineKind] = ()) -> Words:
    """Return the modifiers of dice for last actions and for the armour of these machines, in one sentence."""
    texts = words()["record"]
    lasts = dict[tuple[str, int], list[Words]]()
    for of in dice().modifier:
        lasts.setdefault((of.roll, of.die), []).append(same(of.last))
    changes = [
        texts["change"].fill(roll=texts[f"roll_{roll}"], die=f"{die:+}", last=joined(letters, " or ", "・"))
        for (roll, die), letters in lasts.items()
    ]
    armoured = (kind for kind in kinds if kind.armour)
    changes += (texts["change_armour"].fill(machine=kind.name, die=f"{kind.armour:+}") for kind in armoured)
    return texts["changes"].fill(changes=joined(changes))


def _block(scenario: Scenario, side: Side, machine: Machine) -> dict[str, Any]:
    """Return a machine's head: its starting hex, its hit numbers by distance, and its numbers against enemies."""
    texts, pack = words()["record"], scenario.pack
    kind = pack.machines[machine.kind]
    start = texts["start"].fill(hex=scenario.arena.field.name(machine.cell))
    armour = texts["armour"].fill(die=f"{kind.armour:+}") if kind.armour else None
    return {
        "id": machine.id,
        "head": texts["head"].fill(id=machine.label, name=kind.name),
        "start": joined([start, texts["points"].fill(points=kind.points), *([armour] if armour else [])]),
        "hp": machine.hp,
        "charts": _charts(pack, kind, scenario.squads[OTHER[side]].machines),
    }


def _charts(pack: Pack, kind: MachineKind, enemies: Sequence[Machine]) -> list[list[dict[str, Any]]]:
    """Return a machine's hit numbers by distance and its numbers against each enemy, as rows of small tables.

    Both are side by side if they fit. Otherwise they are below each other, and long ones are continued.
    """
    texts, found = words()["record"], spans(pack, [kind])
    shots = [(head, pack.number(kind.id, at) or NO) for head, at in found]
    fights = [
        (m.id, kind.damage[m.kind], difference)
        for m, difference in zip(enemies, _differences(kind, [pack.machines[m.kind] for m in enemies]), strict=True)
    ]

    def table(labels: tuple[str, ...], columns: Sequence[tuple[object, ...]]) -> dict[str, Any]:
        lines = [
            {"label": texts[label], "cells": cells}
            for label, cells in zip(labels, zip(*columns, strict=True), strict=True)
        ]
        return {"columns": len(columns), "lines": lines}

    kinds = (("range", "hits"), shots), (("against", "damage", "battling"), fights)
    if len(shots) + len(fights) <= BESIDE:
        return [[table(labels, columns) for labels, columns in kinds if columns]]
    return [
        [table(labels, columns[i : i + ACROSS])] for labels, columns in kinds for i in range(0, len(columns), ACROSS)
    ]


NO = "–"
FEW, NEAR = 7, 20
"""The number of machines and the number of distances that fit on two pages. A user's charts may contain more."""


def reference_sheet(pack: Pack, scenario: Scenario | None = None, rows: Iterable[Interpretation] = ()) -> Sheet:
    """Return two pages of rules and charts for use during play.

    They are for any battle with these charts, or for the machines and rulings (`rows`) of a scenario.
    """
    here = {machine.kind for _, machine in scenario.machines} if scenario else set(pack.machines)
    kinds = [kind for kind in pack.machines.values() if kind.id in here]
    rulings = scenario.rulings if scenario else defaults(switches())
    turns = scenario.turns if scenario else numbers().turns.usual
    fixed = [of for of in readings("battling") if of.under.items() <= rulings.items()]
    figures: dict[str, Figure] = {kind.id: kind_token(kind) for kind in kinds}
    melee, bars = melee_odds(pack)
    turning = rulings.get("dash") != STRICT
    if turning:
        figures["dash"] = _dash()
    return Sheet(
        part="reference",
        title=words()["reference"]["title"],
        template="battling/reference.xml",
        view={
            "turn": [{"name": line.name, "text": line.text.fill(turns=turns)} for line in sheet_file().turn],
            "actions": action_rows(rulings),
            "dash": {"action": "R", "example": DASH_EXAMPLE} if turning else {},
            "replies": [{"name": r.name, "form": r.form, "example": r.example} for r in sheet_file().reply],
            "headers": [{"form": head.form, "text": head.text} for head in sheet_file().header],
            "modifiers": key(kinds),
            "kinds": [{"id": kind.id, "name": kind.name, "hp": kind.hp, "points": kind.points} for kind in kinds],
            "shooting": _shooting(pack, kinds),
            "damage": [{"id": k.id, "name": k.name, "cells": [k.damage[t.id] for t in kinds]} for k in kinds],
            "battling": [{"id": k.id, "name": k.name, "cells": _differences(k, kinds)} for k in kinds],
            "odds": shot_odds(),
            "clash": melee,
            "effects": [{"id": effect.id, "name": effect.name} for effect in dice().effects.values()],
            "many": len(kinds) > FEW,
            "charts": charts_name(pack),
            "house": not is_user_content(pack),
            "rulings": interpretation_rows([*(rows or interpretations_of(switches(), rulings)), *fixed]),
        },
        figures=figures | bars,
        pages=2 if len(kinds) <= FEW and pack.range <= NEAR else 4,
    )


DASH = (Numbered(1, 3), Numbered(2, 2), Numbered(3, 2), Numbered(4, 2), Numbered(5, 3))
"""The hexes of the roller dash that the reference shows. It turns in the middle one."""
DASH_EXAMPLE = "R / 2 @0302 / 2 / 0503"
"""The order for this dash."""


def _dash() -> Picture:
    """Return a picture of a roller dash with a turn, as an arrow over hexes."""
    field, side, colour = columns_field(5, 3), 2.5, theme().track["dash"].ink("full").line
    across, up = (side * step for step in field.pitch)
    low = min(y for cell in field.cells for _, y in corners(cell))
    left = min(x for cell in field.cells for x, _ in corners(cell))

    def at(point: tuple[float, float]) -> XY:
        return (point[0] - left) * across + 0.2, (point[1] - low) * up + 0.2

    cells = dict.fromkeys(cell for way in DASH for cell in (way, *field.neighbours(way)))
    hexes = [polygon(tuple(map(at, corners(cell))), "#f4f1e8", Pen("#b9b49f", 0.18)) for cell in cells]
    points = [at(field.centre(cell)) for cell in DASH]
    (x, y), (x1, y1) = points[-1], points[-2]
    far = hypot(x - x1, y - y1)
    dx, dy = (x - x1) / far, (y - y1) / far
    tip, base = (x + 1.2 * dx, y + 1.2 * dy), (x - dx, y - dy)
    head = tip, (base[0] + 1.3 * dy, base[1] - 1.3 * dx), (base[0] - 1.3 * dy, base[1] + 1.3 * dx)
    arrow = line((*points[:-1], base), Pen(colour, 0.9))
    start, turn = points[0], points[2]
    marks = circle(*start, 0.9, colour), circle(*turn, 1.1, "#ffffff", Pen(colour, 0.45))
    size = max(px for cell in cells for px, _ in map(at, corners(cell)))
    high = max(py for cell in cells for _, py in map(at, corners(cell)))
    items = (*hexes, arrow, polygon(head, colour), *marks)
    return Picture(size + 0.2, high + 0.2, items, saver=spared(items, (colour,)))


def action_rows(rulings: Mapping[str, str]) -> list[dict[str, object]]:
    """Return the form of orders under these rulings, and their effects."""
    strict = rulings.get("dash") == STRICT
    forms = ((of, of.straight or of.form if strict else of.form) for of in actions().values())
    return [
        {"id": of.id, "name": of.name, "form": form, "text": of.text.fill(most=of.max_hexes)} for of, form in forms
    ]


def _shooting(pack: Pack, kinds: Sequence[MachineKind]) -> dict[str, object]:
    """Return the hit numbers by distance. Distances with equal numbers share a column."""
    found = spans(pack, kinds)
    rows = [
        {"id": kind.id, "name": kind.name, "cells": [pack.number(kind.id, at) or NO for _, at in found]}
        for kind in kinds
    ]
    return {"heads": [head for head, _ in found], "rows": rows}


def spans(pack: Pack, kinds: Sequence[MachineKind]) -> list[tuple[str, int]]:
    """Return the ranges of distances at which all these machines have equal hit numbers, such as `3–4`.

    Each range comes with its first distance.
    """

    def numbers(distance: int) -> tuple[int, ...]:
        return tuple(pack.number(kind.id, distance) for kind in kinds)

    runs = [list(group) for _, group in groupby(range(1, pack.range + 1), key=numbers)]
    return [(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}", run[0]) for run in runs]


def _differences(kind: MachineKind, kinds: Iterable[MachineKind]) -> list[str]:
    return [f"{kind.battling[target.id]:+}" if kind.battling[target.id] else "0" for target in kinds]


NEUTRAL = "disc"


def machine_cards(pack: Pack) -> Run:
    """Return the cards of a pack's machines."""
    texts = words()["cards"]
    back = Back(NEUTRAL, words()["title"]["game"], texts["back"])
    made = tuple(Piece(kind.name, machine_card(pack, kind), back) for kind in pack.machines.values())
    return Run("cards", texts["title"], made, "card", note=None if is_user_content(pack) else _note(pack))


def machine_card(pack: Pack, kind: MachineKind) -> TextCard:
    """Return a machine's card with its hit numbers by distance and its effect on each machine."""
    texts = words()["cards"]
    facts = (
        (texts["hp"], same(kind.hp)),
        (texts["points"], same(kind.points)),
        # Every card has this line, so that all cards are set in one type size.
        (texts["armour"], same(f"{kind.armour:+}" if kind.armour else "–")),
    )
    shots = CardTable(
        (texts["range"], *(same(n + 1) for n in range(len(kind.shooting)))),
        ((texts["hits"], *(same(n or "–") for n in kind.shooting)),),
    )
    against = CardTable(
        (texts["against"], texts["damage"], texts["battling"]),
        tuple(
            (other.name, same(kind.damage[name]), same(f"{by:+}" if (by := kind.battling[name]) else "0"))
            for name, other in pack.machines.items()
        ),
    )
    tokens = tuple(token(side, kind) for side in SIDES)
    return TextCard(
        kind.name,
        NEUTRAL,
        same(kind.caption),
        tokens,
        facts,
        (shots, against),
        note=_note(pack),
        brief=texts["brief"],
    )


def _note(pack: Pack) -> Words:
    """Return the origin of the charts."""
    return charts_name(pack) if is_user_content(pack) else words()["cards"]["note"]


def side_tokens(side: Side, pack: Pack) -> Run:
    """Return a side's counters of all machines of a pack, with as many of each as a squad may have."""
    numbers = range(1, sheet_file().numbers + 1)
    made = tuple(_piece(side, kind, str(number)) for kind in pack.machines.values() for number in numbers)
    return _run(words()["tokens"]["side"].fill(side=side_name(side)), made)


def battle_tokens(scenario: Scenario) -> Run:
    """Return the counters of one battle."""
    kinds = scenario.pack.machines
    made = tuple(_piece(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines)
    return _run(words()["tokens"]["battle"], made)


def _run(title: Words, made: tuple[Piece, ...]) -> Run:
    room = sheet_file()
    return Run("tokens", title, made, "square", room.hex, room.token / room.hex)


def _piece(side: Side, kind: MachineKind, number: str) -> Piece:
    front = token(side, kind, number)
    return Piece(kind.name, front, replace(front, mark="wrecked"))


STREAMS = "v1/battling/poster"


def boards() -> Boards[Arena]:
    """Return the arenas that `muster boards` prints."""
    texts = words()
    return Boards(texts["title"]["game"], texts["boards"]["title"], ARENAS, _random, _poster, ("arena",))


def battle_poster(scenario: Scenario) -> Poster:
    """Return the arena of a battle as a poster for its counters."""
    view = arena_view(scenario.arena, ruled=False)
    return Poster("arena", words()["boards"]["battle"], view, sheet_file().hex)


def _random(options: Mapping[str, str]) -> DrawnArena:
    size = limits().columns.usual, limits().rows.usual
    made = make_arena(RngStreams(options["seed"], STREAMS), *size)
    return DrawnArena(words()["boards"][RANDOM], Words("", ""), "house", made)


def _poster(of: DrawnArena, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, arena_view(of.ground, ruled=False), sheet_file().hex, note=note)


def printables() -> tuple[Printable, ...]:
    """Return the printables of all commands that need no scenario."""
    texts = words()
    game, page, blank, cards = (
        texts["title"]["game"],
        texts["reference"]["title"],
        texts["blank"],
        texts["cards"]["title"],
    )

    def pack(options: Mapping[str, str]) -> Pack:
        return load_pack(user_path(options, "charts"))

    def tokens(side: Side) -> tuple[Words, Make]:
        return side_name(side), lambda options: side_tokens(side, pack(options))

    return (
        printable("reference", game, page, {"page": (page, lambda o: reference_sheet(pack(o)))}, ("charts",)),
        printable(
            "sheets",
            game,
            blank["kit"],
            {"squad": (blank["squad"], lambda o: blank_sheet(half="half" in o))},
            ("half",),
        ),
        printable("tokens", game, texts["tokens"]["title"], {side: tokens(side) for side in SIDES}, ("charts",)),
        printable("cards", game, cards, {"machines": (cards, lambda o: machine_cards(pack(o)))}, ("charts",)),
        boards().printable(),
    )
