"""Draw maps of the field, its boards and the moves of a unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from generator.common.game import Query
from generator.games.travel_battle.forces import Kind
from generator.games.travel_battle.ground import HALF, SIZE, Battlefield, Board, Edge, OrientedBoard, TerrainMap
from generator.games.travel_battle.model import PREFIX, SIDES, Army, Scenario, Side, Unit, brigade_id
from generator.games.travel_battle.play import find_moves, move_lines, move_row, shades
from generator.games.travel_battle.tables import Marker, terrains, words
from generator.grid.hexes import Part
from generator.grid.squares import DIRECTIONS, STEPS, Square, SquareField, corners
from generator.model.legends import keep_drawn
from generator.model.views import Legend, MapView, Note, Ray, Shade, Sheet, Spot, Token
from generator.model.words import Words, joined, same

COLOURS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""The theme's names for the colours of a player's brigades, by number. A seventh brigade has the colour of the first
one.
"""

_TURN = 360 / len(DIRECTIONS)
_NUMBER, _OFF = 0.25, 0.3
"""The size of an edge's number outside a board, in squares, and the distance of its centre from the board, in lattice
steps. With these values, a board of 10 inches with its numbers fits on two sheets of A4.
"""
_BACK = 1.0
"""The size of an edge's number on the back of a board, in squares."""
_NAME = 0.35
"""The size of the board's name on its back, in squares."""
BLANK = "clear"
"""The theme's name for the look of an empty square."""
_COORDINATE, _BESIDE = 0.36, 0.7
"""The size of column and row names next to a map, in squares, and their distance from it, in lattice steps."""
_SEATED, _SEAT = 0.29, 0.58
"""The size of the players' seat labels and edge numbers, in squares, and their distance from the map, in lattice
steps.
"""
_LYING = 1.0
"""The size of an edge's number on a small picture of a board, in squares."""
_FLAG, _FULL = 0.38, 3
"""The size of a unit's number on its flag, in squares, and the number of characters from which the text becomes
smaller.
"""
BACKDROP = "backdrop"
"""The theme's name for the look of a field on which only positions matter."""
MARKER = "disc"
"""The shape of markers."""


def token(player: Side, kind: Kind, brigade: int, label: str = "", facing: int | None = None) -> Token:
    """Return a unit's counter, with a shape for its side, a colour for its brigade and a symbol for its kind."""
    front = None if facing is None else _TURN * facing
    return Token(player, COLOURS[(brigade - 1) % len(COLOURS)], kind.symbol, label, facing=front)


def marker(what: Marker) -> Token:
    """Return the marker that shows a unit's state."""
    return Token(MARKER, "plain", what)


def marker_name(what: Marker) -> Words:
    """Return the name of a marker's state, as in the columns of the record sheet."""
    return words()["record"][what]


def unit_token(player: Side, brigade: int, unit: Unit) -> Token:
    """Return the counter of a unit on the field."""
    name = joined((unit.kind.name, words()["player"][player]))
    return replace(token(player, unit.kind, brigade, unit.id, unit.facing), name=name)


def map_view(
    field: Battlefield,
    armies: Mapping[Side, Army] | None = None,
    *,
    shades: tuple[Shade, ...] = (),
    rays: tuple[Ray, ...] = (),
    small: bool = False,
) -> MapView:
    """Return a map of the field with the armies.

    A small map has no names, no legend and no text at its edges.
    """
    terrain_map, texts = field.terrain_map, words()["map"]
    units = [
        (army.player, brigade.number, unit)
        for army in (armies or {}).values()
        for brigade in army.brigades
        for unit in brigade.units
    ]
    return MapView(
        grid=terrain_map.field,
        ground=terrain_map.ground,
        roads=road_directions(terrain_map),
        borders=seams(field),
        notes=() if small else tuple(edge_numbers(field)),
        tokens=tuple(_tokens(units, labels=not small)),
        shades=shades,
        rays=rays,
        names=not small,
        legend=() if small else legend(field, units),
        edges=None if small else (texts["far"].fill(row=terrain_map.field.rows), texts["near"]),
        compact=small,
    )


def _tokens(units: Iterable[tuple[Side, int, Unit]], *, labels: bool) -> Iterator[tuple[Square, Token]]:
    """Yield the counters of units on the field.

    If two units of a brigade share a square, the second one shows only its letter.
    """
    there: dict[Square, list[tuple[Side, int, Unit]]] = {}
    for player, number, unit in units:
        if unit.cell:
            there.setdefault(unit.cell, []).append((player, number, unit))
    for cell, crowd in there.items():
        brigade = brigade_id(*crowd[0][:2])
        for i, (player, number, unit) in reversed(list(enumerate(crowd))):
            counter = unit_token(player, number, unit)
            label = unit.id.removeprefix(brigade) if i else unit.id
            yield cell, replace(counter, label=label if labels else "")


def board_view(board: Board) -> MapView:
    """Return a map of a board as drawn, with the numbers of its edges.

    Half of a double board has a marked seam instead of numbers.
    """
    terrain_map, half = board.terrain_map, board.type == HALF
    notes = () if half else tuple(edge_notes(terrain_map.field.cells))
    borders = (_upright(SIZE, SIZE),) if half else ()
    return MapView(
        grid=terrain_map.field,
        ground=terrain_map.ground,
        roads=road_directions(terrain_map),
        notes=notes,
        borders=borders,
    )


def back_view(board: Board, name: Words) -> MapView:
    """Return the back of a board as seen when it is turned over, with its name and its edge numbers, if any."""
    field = board.terrain_map.field
    numbers = [] if board.type == HALF else edge_notes(field.cells, size=_BACK, off=-2 * _BACK, behind=True)
    aside = Note((1.5 * field.columns, 0.5 * field.rows), name, _NAME)
    return MapView(grid=field, ground=dict.fromkeys(field.cells, BLANK), notes=(*numbers, aside), names=False)


def road_directions(terrain_map: TerrainMap) -> dict[Square, tuple[int, ...]]:
    """Return, for each road square, the directions to the next road squares or off the map."""
    roads = frozenset(terrain_map.roads())
    return {cell: _exits(terrain_map, roads, cell) for cell in terrain_map.roads()}


def _exits(terrain_map: TerrainMap, roads: Collection[Square], cell: Square) -> tuple[int, ...]:
    sides = range(0, len(STEPS), 2)
    return tuple(d for d in sides if (there := cell + STEPS[d]) in roads or there not in terrain_map.field)


def seams(field: Battlefield) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the lines between boards."""
    columns, rows = field.terrain_map.field.columns, field.terrain_map.field.rows
    upright = (_upright(c, rows) for c in range(SIZE, columns, SIZE))
    level = (((-1, 2 * r - 1), (2 * columns - 1, 2 * r - 1)) for r in range(SIZE, rows, SIZE))
    return (*upright, *level)


def _upright(column: int, rows: int) -> tuple[tuple[int, int], ...]:
    """Return the line along the left side of a column, from the first row up to a number of rows."""
    return (2 * column - 1, -1), (2 * column - 1, 2 * rows - 1)


def edge_notes(
    cells: Iterable[Square], south: Edge = 1, *, size: float = _NUMBER, off: float = _OFF, behind: bool = False
) -> list[Note]:
    """Return the numbers of a board's edges in the order south, east, north, west, beginning with the number `south`.

    The numbers are `off` lattice steps outside the squares. On the back of a board, east and west are swapped.
    """
    points = [point for cell in cells for point in corners(cell)]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    middle, centre = (left + right) / 2, (low + high) / 2
    east, west = (right + off, centre), (left - off, centre)
    around: tuple[Spot, ...] = (
        (middle, low - off),
        west if behind else east,
        (middle, high + off),
        east if behind else west,
    )
    return [Note(at, same((south - 1 + i) % len(around) + 1), size) for i, at in enumerate(around)]


def edge_numbers(field: Battlefield) -> Iterator[Note]:
    """Yield the numbers of the boards' edges around the field. They are larger if the field has many boards.

    The halves of a double board have no numbers, because no die is rolled to turn them.
    """
    last, scale = len(field.rows) - 1, max(1.0, len(field.rows[0]) / 2)
    for r, row in enumerate(field.rows):
        for c, board in enumerate(row):
            outer = (r == 0, c == len(row) - 1, r == last, c == 0)
            notes = edge_notes(field.cells(c, r), board.edge, size=_NUMBER * scale, off=_OFF * scale)
            yield from (
                note for note, outer_edge in zip(notes, outer, strict=True) if outer_edge and board.board.type != HALF
            )


def coordinates(whole: SquareField, cells: Collection[Square]) -> Iterator[Note]:
    """Yield the column letters below a part of the field and the row numbers to the left of it."""
    left, low = min(cell.c for cell in cells), min(cell.r for cell in cells)
    for cell in cells:
        letters = whole.name(cell).rstrip("0123456789")
        if cell.r == low:
            yield Note((2.0 * cell.c, 2.0 * low - 1 - _BESIDE), same(letters), _COORDINATE)
        if cell.c == left:
            yield Note((2.0 * left - 1 - _BESIDE, 2.0 * cell.r), same(cell.r + 1), _COORDINATE)


def seats(field: Battlefield) -> tuple[Note, ...]:
    """Return the circled edge numbers of the boards, and the players' seats at the near and far edges.

    The halves of a double board have no numbers, because no die is rolled to turn them.
    """
    texts, notes = words()["map"], []
    columns, rows = field.terrain_map.field.columns, field.terrain_map.field.rows
    for row, level, hither in ((field.rows[0], -1 - _SEAT, True), (field.rows[-1], 2 * rows - 1 + _SEAT, False)):
        for c, board in enumerate(row):
            if board.board.type != HALF:
                number = board.edge if hither else board.far
                notes.append(Note((2.0 * SIZE * c + SIZE - 1, level), same(number), _SEATED, flag="coin"))
    far, near = (
        joined([same(sign), seat], " ", " ")
        for sign, seat in (("▲", texts["far_seat"].fill(row=rows)), ("▼", texts["near_seat"]))
    )
    middle = float(columns - 1)
    seated = Note((middle, -1 - _SEAT), near, _SEATED), Note((middle, 2 * rows - 1 + _SEAT), far, _SEATED)
    return (*notes, *seated)


def board_lying(board: OrientedBoard, inked: Edge | None = None) -> MapView:
    """Return a small picture of a board in its position, with edge numbers in circles.

    The circle of `inked` is filled.
    """
    terrain_map = board.turned.terrain_map
    notes = [
        replace(note, flag="coin_inked" if note.text.en == str(inked) else "coin")
        for note in edge_notes(terrain_map.field.cells, board.edge, size=_LYING, off=0.0)
    ]
    return MapView(
        grid=terrain_map.field,
        ground=terrain_map.ground,
        roads=road_directions(terrain_map),
        notes=tuple(notes),
        names=False,
    )


def patch(terrain_map: TerrainMap, cell: Square) -> MapView:
    """Return a picture of one square of the field as it looks on the map."""
    roads = {cell: _exits(terrain_map, terrain_map.roads(), cell)} if terrain_map.terrain(cell).road else {}
    return MapView(
        grid=Part(terrain_map.field, (cell,)), ground={cell: terrain_map.ground[cell]}, roads=roads, names=False
    )


def seam_patch(terrain_map: TerrainMap, ground: str) -> MapView:
    """Return a picture of a square that is crossed by a line between boards."""
    cell = terrain_map.field.cells[0]
    borders = (((0, -1), (0, 1)),)
    return MapView(grid=Part(terrain_map.field, (cell,)), ground={cell: ground}, borders=borders, names=False)


def flags(field: Battlefield, armies: Mapping[Side, Army]) -> MapView:
    """Return a small, pale map with a numbered flag for every unit. The shape of a flag shows the unit's side.

    Units on one square share a flag, such as `2ab` or `2a+2`.
    """
    view = map_view(field, small=True)
    there: dict[Square, tuple[Side, list[str]]] = {}
    for player, army in armies.items():
        for unit in army.units:
            if unit.cell:
                there.setdefault(unit.cell, (player, []))[1].append(unit_number(player, unit.id))
    notes = []
    for cell, (player, ids) in there.items():
        first, *others = ids
        text = (
            f"{first}+{len(others)}"
            if len(others) > 1
            else first + "".join(id_.lstrip("0123456789") for id_ in others)
        )
        size = _FLAG if len(text) < _FULL else _FLAG * (_FULL - 1) / len(text) ** 0.9
        notes.append(Note((2.0 * cell.c, 2.0 * cell.r), same(text), size, flag=f"{player}_flag"))
    texts = words()["map"]
    everywhere = (Shade(BACKDROP, tuple(field.terrain_map.field.cells)),)
    names = coordinates(field.terrain_map.field, field.terrain_map.field.cells)
    edges = texts["far_seat"].fill(row=field.terrain_map.field.rows), texts["near_seat"]
    return msgspec.structs.replace(view, shades=everywhere, notes=(*names, *notes), edges=edges)


def unit_number(player: Side, unit: str) -> str:
    """Return a unit's id without its player's letter."""
    return unit.removeprefix(PREFIX[player])


def terrains_used(terrain_map: TerrainMap) -> list[str]:
    """Return the kinds of terrain on a map, in the order of the tables."""
    used = Counter(terrain_map.ground.values())
    return [terrain for terrain in terrains() if used[terrain]]


def legend(field: Battlefield, units: Iterable[tuple[Side, int, Unit]]) -> tuple[Legend, ...]:
    """Return the legend of terrain, the lines between boards, and the counters' shapes, colours and symbols."""
    texts = words()
    rows = [Legend(ground, terrains()[ground].name) for ground in terrains_used(field.terrain_map)]
    if seams(field):
        rows.append(Legend("section", texts["map"]["seam_whole" if field.whole else "seam"]))
    kinds = {unit.kind.id: unit.kind for _, _, unit in units}
    if not kinds:
        return tuple(rows)
    example = next(iter(kinds.values()))
    rows += [Legend(token(player, example, 1), texts["player"][player]) for player in SIDES]
    brigades = sorted({number for _, number, _ in units})[: len(COLOURS)]
    rows += [Legend(token(SIDES[0], example, n), _brigades(n, units)) for n in brigades]
    return (*rows, *(Legend(token(SIDES[0], kind, 1), kind.name) for kind in kinds.values()))


def _brigades(number: int, units: Iterable[tuple[Side, int, Unit]]) -> Words:
    """Return the names of the brigades that share a colour."""
    alike = sorted({n for _, n, _ in units if (n - number) % len(COLOURS) == 0})
    return words()["map"]["brigade"].fill(n=[*map(str, alike)])


def sheet(scenario: Scenario, unit: str) -> Sheet:
    """Return a sheet with a unit's moves.

    Raises:
        WrongUsageError: If the unit is not on the field.
    """
    found = find_moves(scenario, unit)
    field = scenario.battlefield.terrain_map.field
    head, *lines = move_lines(scenario, found)
    view = map_view(scenario.battlefield, scenario.armies, shades=shades(found))
    looks = {"seen": "free", "melee": "contact", "blocked": "barred"}
    key = (Legend(look, words()["moves"][word]) for look, word in looks.items())
    return Sheet(
        part="moves",
        title=words()["moves"]["title"].fill(unit=found.unit.label),
        template="travel_battle/moves.xml",
        view={"high": 118 if field.columns > field.rows else 190, "head": head, "lines": lines},
        figures={"map": replace(view, legend=keep_drawn(key, view))},
        landscape=field.columns > field.rows,
        pages=2,
    )


MOVES: Query[Scenario] = Query(
    verb="moves",
    rows=lambda scenario, args: [move_row(scenario, find_moves(scenario, args[0]))],
    lines=lambda scenario, args: move_lines(scenario, find_moves(scenario, args[0])),
    sheet=lambda scenario, args: sheet(scenario, args[0]),
)
