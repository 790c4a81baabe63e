"""The set-up page with the units in set-up order and the list of pieces needed from the box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple, cast

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import NAMELESS, unit_label
from generator.games.battlelore.forces import COMMANDER, Council, Kind, Unit, council_tables, lore_tokens
from generator.games.battlelore.ground import SIDES, Board, Side, needs, side_name, words
from generator.games.battlelore.maps import grounds, hex_name, map_view, section_names, swatch, token, unit_token
from generator.games.battlelore.model import PREFIX, Battle
from generator.games.battlelore.pages.sheets import hands_words, win_words
from generator.games.battlelore.tables import lore
from generator.grid.hexes import flows, turn
from generator.model.views import Figure, MapView, Note, Shade, Sheet
from generator.model.words import Words, joined, same
from generator.symbols import pictograms


class PlacedGroup(msgspec.Struct, frozen=True):
    """Units placed in one step of the set-up, such as those of one card or section."""

    camp: Side
    name: Words
    units: tuple[Unit, ...]
    place: Words | None = None
    """The position of the units on the board, unless the name describes it."""
    notes: tuple[Words, ...] = ()
    """Unusual facts, such as `14: K4 is river, so J1`."""


class _Fit(NamedTuple):
    """The number of icons in a row and the size of an icon in mm."""

    per: int
    icon: float

    def high(self, row: Mapping[str, object]) -> float:
        """Return the estimated height of a set-up row in mm. The taller of icons and text determines it."""
        units = len(cast(list[object], row["units"]))
        note_lines = sum(1 + len(line.en) // 25 for line in cast(list[Words], row["remarks"]))
        return 1.8 + max(-(-units // self.per) * (self.icon + 5.2), 12.1 + 3.5 * note_lines)


_FITS = (_Fit(6, 12.0), _Fit(6, 11.0), _Fit(7, 9.6), _Fit(7, 8.4))
_APART = (_Fit(8, 14.5), _Fit(8, 13.0), _Fit(8, 11.5))
"""Icon sizes to try if the packing list has its own page, the largest first."""
_PILE = 14
"""Maximum number of units in one set-up step, which ensures that its row fits on a page."""
_PAGE, _LEAST = 240.0, 52.0
"""Height available for map and rows on the shortest paper, and minimum height of the map, in mm."""
_HALF, _SHORT = 108.0, 24.0
"""Height of a packing list that shares its page only with the map, in mm, and the maximum number of rows of a short
list.
"""
_ROW, _LOWEST, _LINE, _WIDE = 7.4, 5.0, 3.6, 21
"""Usual and minimum height of a row of the packing list in mm, height of a text line in mm, and letters per line."""


def setup_sheet(
    battle: Battle,
    placed: Iterable[PlacedGroup],
    then: Iterable[tuple[Words, Sequence[Words]]] = (),
    also: Iterable[tuple[Words, int | str]] = (),
    councils: Mapping[Side, Council] | None = None,
) -> Sheet:
    """Return the set-up sheet with a map of numbered flags, the steps in order, and the pieces needed from the box.

    `then` contains steps that follow the units, each with additional lines in small type. `also` contains additional
    pieces, each with its number.
    """
    figures = dict[str, Figure]()
    figures["map"] = _flagged(battle)
    piles = [pile for group in placed for pile in _piles(group)]
    rows = [_laid_row(battle, n, one, figures) for n, one in enumerate(piles, 2)]
    groups = [*_fetched(battle, figures), _to_play(battle, also, councils or {})]
    steps = [*then, _begin(battle)]
    room = _PAGE - fsum(6.5 + 3.5 * len(lines) for _, lines in steps)
    high = _packing_row(groups)
    fits = (fit for fit in _FITS if high and fsum(map(fit.high, rows)) <= room - _LEAST)
    fit = next(fits, None)
    fitting = fit or next((apart for apart in _APART if fsum(map(apart.high, rows)) <= room), _APART[0])
    camps = [[group] for group in groups if group["total"]]
    apart = [[group for group in groups if not group["total"]], *camps]
    longest = max(sum(len(cast(list[object], group["rows"])) + 1.5 for group in column) for column in apart)
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="battlelore/setup.xml",
        view={
            "rows": rows,
            "per": fitting.per,
            "icon": fitting.icon,
            "after": [
                {"n": n, "text": text, "lines": list(lines)} for n, (text, lines) in enumerate(steps, len(rows) + 2)
            ],
            "groups": groups,
            "high": high if fit else max(_LOWEST, min(_ROW, _HALF / longest)),
            "apart": apart,
            "short": longest <= _SHORT,
            "together": bool(fit),
        },
        figures=figures,
        pages=4,
        rather=1 if fit else 2,
    )


def _flagged(battle: Battle) -> MapView:
    """Return a faded map with the numbered counters of the units."""
    board = battle.board
    tokens = tuple(
        (unit.hex, replace(unit_token(camp, unit), label=number(camp, unit)))
        for camp, unit in battle.units
        if unit.hex
    )
    view = map_view(board, small=True, shades=(Shade("veil", board.field.cells),))
    return replace(view, tokens=tokens, names=False, notes=(*view.notes, *_ruler(board), *_section_notes(board)))


def _ruler(board: Board) -> Iterator[Note]:
    """Yield the column letters below the map and the row numbers to the left of the map."""
    field = board.field
    left, foot = -1.75, -2.95
    for cell in field.row(0):
        yield Note((field.centre(cell)[0], foot), same(field.name(cell)[0]), 0.5)
    for row in range(len(field.rows)):
        yield Note((left, field.centre(field.row(row)[0])[1]), same(row + 1), 0.5)


def _section_notes(board: Board) -> Iterator[Note]:
    """Yield the names of the sections below the map for the near player, and above the map for the far player."""
    field = board.field
    top = field.centre(field.row(len(field.rows) - 1)[0])[1]
    for x, far_name, near_name in section_names(board):
        yield Note((x, -4.15), near_name, 0.5)
        yield Note((x, top + 2.75), far_name, 0.5)


def number(camp: Side, unit: Unit) -> str:
    """Return the number at a unit's counter, which is its id without the camp's letter if the rest is a number."""
    digits = unit.id.removeprefix(PREFIX[camp])
    return digits if digits.isdigit() else unit.id


def _piles(group: PlacedGroup) -> Iterator[PlacedGroup]:
    yield replace(group, units=group.units[:_PILE])
    for i in range(_PILE, len(group.units), _PILE):
        yield replace(group, units=group.units[i : i + _PILE], notes=())


def _laid_row(battle: Battle, n: int, group: PlacedGroup, figures: dict[str, Figure]) -> dict[str, object]:
    camp, placed = group.camp, [unit for unit in group.units if unit.hex]
    for unit in placed:
        figures[f"icon_{unit.id}"] = msgspec.structs.replace(unit_token(camp, unit), label="")
        figures[f"plate_{unit.id}"] = pictograms.number(number(camp, unit), 3.6)
    texts = words()["laid"]
    count = texts["count"].fill(n=len(placed), m=sum(unit.figures for unit in placed))
    return {
        "n": n,
        "camp": joined([side_name(camp), *([group.place] if group.place else [])], " · ", "・"),
        "name": group.name,
        "lines": [count],
        "remarks": [
            *group.notes,
            *(unit_label(number(camp, u), u.name) for u in placed if u.name != NAMELESS),
            *(texts["weak"].fill(unit=number(camp, u), n=u.figures, full=u.kind.figures) for u in placed if u.extra),
        ],
        "units": [
            {"figure": f"icon_{u.id}", "plate": f"plate_{u.id}", "at": hex_name(battle.board, u.hex)} for u in placed
        ],
    }


def _packing_row(groups: Iterable[Mapping[str, object]]) -> float:
    """Return the height in mm of a row of the packing list beside the set-up, or 0 if the list does not fit there."""
    lines = [
        1 + len(cast(dict[str, Words], row)["name"].en) // _WIDE
        for group in groups
        for row in cast(list[object], group["rows"])
    ]
    rest = fsum(9.5 + (5.0 if group["total"] else 0.0) for group in groups)
    for tenths in range(round(10 * _ROW), round(10 * _LOWEST) - 1, -1):
        high = tenths / 10
        if rest + fsum(max(high, _LINE * n + 0.6) for n in lines) <= _PAGE:
            return high
    return 0.0


def _begin(battle: Battle) -> tuple[Words, list[Words]]:
    """Return the text of the last set-up step, and its details.

    It names the hands to deal and the first player. The details give the number of banners to win.
    """
    texts = words()["laid"]
    deal = texts["begin"].fill(deal=hands_words(battle, "deal"), first=side_name(battle.first))
    return deal, [win_words(battle)]


def _fetched(battle: Battle, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return the terrain pieces and the pieces of each camp that the set-up needs, in groups."""
    texts, tables = words()["laid"], lore()
    board, needed = battle.board, needs(battle.board)
    here, rows = grounds(board), list[dict[str, object]]()
    for kind in (*tables.terrain.values(), *tables.features.values()):
        if n := needed.get(kind.tiles[-1], 0) if kind.tiles else 0:
            # A bridge also needs a river tile. The board may show no other river.
            if kind.id in here:
                figures[f"tile_{kind.id}"] = swatch(board, kind.id)
            shapes = river_shapes(board) if kind.tiles == (RIVER,) else []
            name = texts["shaped"].fill(name=kind.label, shapes=joined(shapes)) if shapes else kind.label
            rows.append({"figure": f"tile_{kind.id}" if kind.id in here else "", "name": name, "counts": [n]})
    found: list[dict[str, object]] = []
    if rows:
        found.append({"title": texts["terrain"], "heads": ["", texts["tiles"]], "rows": rows, "total": []})
    for camp in SIDES:
        packed = _packed(battle, camp, figures)
        if packed["rows"]:
            found.append(packed)
    return found


RIVER = "river"
"""The face of a river tile in the tile inventory."""
_SHAPES = {3: "straight", 2: "bent", 1: "sharp"}
"""The shapes of river tiles with two ends, by the angle between the ends in units of 60°."""


def river_shapes(board: Board) -> list[Words]:
    """Return the numbers of straight, bent and other river tiles, including those below fords and bridges."""
    found = Counter(_shape(ways) for ways in flows(board.field, board.water()).values())
    texts = words()["river"]
    return [
        texts[shape].fill(n=found[shape]) for shape in ("straight", "bent", "sharp", "end", "fork") if found[shape]
    ]


def _shape(ways: tuple[int, ...]) -> str:
    """Return the shape of a river tile with these directions."""
    if len(ways) < 2:
        return "end"
    return _SHAPES[turn(*ways)] if len(ways) == 2 else "fork"


def _to_play(
    battle: Battle, also: Iterable[tuple[Words, int | str]], councils: Mapping[Side, Council]
) -> dict[str, object]:
    """Return the items that players need in addition to terrain and units."""
    texts, hands = words()["laid"], {camp: battle.hand_of(camp) for camp in SIDES}
    each = len(set(hands.values())) == 1
    cards = (
        [(texts["cards_each"], hands[battle.first])]
        if each
        else [(texts["cards_of"].fill(camp=side_name(camp)), n) for camp, n in hands.items()]
    )
    rows = [
        *cards,
        (texts["dice"], lore().play.battle_dice),
        *_banners(battle),
        *also,
        *_council_pieces(councils),
    ]
    return {
        "title": texts["to_play"],
        "heads": [],
        "rows": [{"figure": "", "name": name, "counts": ["", n]} for name, n in rows],
        "total": [],
    }


def _banners(battle: Battle) -> list[tuple[Words, int]]:
    """Return the number of banners to win, for both camps or for each."""
    texts = words()["laid"]
    if isinstance(battle.banners, int):
        return [(texts["banners"], battle.banners)]
    return [(texts["banners_of"].fill(camp=side_name(camp)), battle.banners_of(camp)) for camp in SIDES]


def _council_pieces(councils: Mapping[Side, Council]) -> list[tuple[Words, int | str]]:
    """Return the pieces that war councils need; empty in a medieval game."""
    texts = words()["packing"]
    if not any(councils.values()):
        return []
    seats = Counter(seat for of in councils.values() for seat, level in of.items() if level and seat != COMMANDER)
    masters = [council_tables().name(seat) for seat in council_tables().seats for _ in range(seats[seat])]
    tokens = sum(lore_tokens(of) for of in councils.values())
    return [
        (texts["sheets"], len(councils)),
        (texts["masters"].fill(list=joined(masters)), seats.total()),
        (texts["lore_cards"], ""),
        (texts["lore_tokens"], tokens),
        (texts["goblets"], len(councils)),
    ]


def _packed(battle: Battle, camp: Side, figures: dict[str, Figure]) -> dict[str, object]:
    """Return the pieces that a camp needs from the box, grouped by kind of unit."""
    texts = words()["laid"]
    units = [unit for of, unit in battle.units if of == camp and not unit.levy]
    kinds, bodies = Counter(unit.kind for unit in units), Counter[Kind]()
    for unit in units:
        bodies[unit.kind] += unit.figures
    order = [list(table) for table in (lore().weapons, lore().races, lore().banners)]

    def place(kind: Kind) -> tuple[object, ...]:
        names = (kind.weapon, kind.race, kind.banner)
        places = tuple(ids.index(name) for ids, name in zip(order, names, strict=True))
        return kind.piece.id if kind.piece else "", *places

    rows = []
    for kind in sorted(kinds, key=place):
        piece_id = f"_{kind.piece.id}" if kind.piece else ""
        figures[key := f"kind_{camp}_{kind.banner}_{kind.weapon}_{kind.race}{piece_id}"] = token(camp, kind)
        rows.append({"figure": key, "name": kind.name, "counts": [kinds[kind], bodies[kind]]})
    return {
        "title": side_name(camp),
        "heads": [texts["units"], texts["figures"]],
        "rows": rows,
        "together": texts["together"],
        "total": [kinds.total(), bodies.total()],
    }
