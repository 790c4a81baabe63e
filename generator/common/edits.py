"""Edit a scenario or map file as a person would by hand: move units, change rulings, change symbols on a map.

`P3>D5` moves the unit P3 to D5, and `P3>-` removes it from the board. `hill=plateau` selects a ruling. `C4=f` sets
the symbol f on C4 of a user's own map. `C4+stakes` adds stakes to C4, and `C4-stakes` removes them. `D6+cliff:NE`
makes the north-east side of D6 a cliff. The result is not checked against the rules here.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.common.game import ContentType
from generator.common.scenario_file import drawn_lines
from generator.errors import WrongUsageError, among, near
from generator.localization import tr
from generator.notation import text
from generator.notation.schema import ordered, ownership_key, schema
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, TextLine

PLACES = ("hex", "at")
"""The keys for a unit's cell. Each game's files use one of them."""
_CELL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}|[0-9]{4}")
_PLACED = re.compile(r"([A-Za-z0-9,]+)([+-])([a-z_]+)(:(.+))?")
_DRAWN = re.compile(r"([A-Za-z])([0-9]{1,2})")


class Piece(NamedTuple):
    """A unit's row in a scenario file."""

    id: str
    side: str
    """The table that contains the row."""
    cell: str
    """The unit's cell, or `-` if the unit is off the board."""
    place: str
    """The key for the cell, which is one of PLACES."""
    row: KeyPath


def pieces(source: Source) -> list[Piece]:
    """Return the units of a scenario file in the order of their rows. Rows without an id are skipped."""
    sides = ((name, table) for name, table in source.data.items() if name not in ("muster", "log"))
    return [piece for name, table in sides for piece in _pieces(table, (name,))]


def _pieces(of: object, at: KeyPath) -> Iterator[Piece]:
    if isinstance(of, Mapping):
        place = next((key for key in PLACES if isinstance(of.get(key), str)), "")
        if place and isinstance(of.get("id"), str):
            yield Piece(of["id"], str(at[0]), of[place], place, at)
            return
        inside: Iterable[tuple[str | int, object]] = of.items()
    else:
        inside = enumerate(of) if isinstance(of, list) else ()
    for key, value in inside:
        yield from _pieces(value, (*at, key))


def with_moves(source: Source, changes: Sequence[str]) -> Source:
    """Return a scenario file with units moved or rulings changed, and its log updated to match.

    Each unit's row must be one line, as Muster writes it. A log step that places a moved unit loses its stream,
    because the new place was not drawn at random.

    Raises:
        WrongUsageError: If a change names neither a unit nor a ruling.
    """
    for change in changes:
        name, equals, choice = change.partition("=")
        rulings: Any = source.data.get("rulings", {})
        if equals and name in rulings:
            at = source.line(("rulings", name)) - 1
            lines = source.text.splitlines()
            lines[at] = text.lines({name: choice})[0]
            source = Source(source.name, "\n".join(lines) + "\n")
            continue
        name, arrow, to = change.partition(">")
        known = pieces(source)
        piece = next((piece for piece in known if piece.id == name), None)
        if not arrow or not to:
            raise WrongUsageError(
                tr("{change!r} is not a valid change", change=change[:40]), hint=tr("for example P3>D5")
            )
        if piece is None:
            raise WrongUsageError(
                tr("there is no unit named {name!r}", name=name[:40]), hint=near(name, [p.id for p in known])
            )
        source = _send(source, piece, to)
    return source


def _send(source: Source, piece: Piece, to: str) -> Source:
    lines: list[str | None] = [*source.text.splitlines()]
    at = source.line(piece.row) - 1
    row = re.compile(rf"(\bid = {re.escape(text.value(piece.id))},.*?\b{piece.place} = )\"[^\"]*\"")
    lines[at] = row.sub(lambda found: found[1] + text.value(to), lines[at] or "", count=1)
    log: Any = source.data.get("log", [])
    for number, step in enumerate(log):
        moved_to = _moved_result(step["result"], piece, to)
        if moved_to == step["result"]:
            continue
        lines[source.line(("log", number, "result")) - 1] = text.lines({"result": moved_to})[0]
        if "stream" in step:
            lines[source.line(("log", number, "stream")) - 1] = None
    return Source(source.name, "\n".join(line for line in lines if line is not None) + "\n")


def _moved_result(result: list[str], piece: Piece, to: str) -> list[str]:
    """Return the result of a log step after a unit was moved.

    Results look like `["S15", "C9"]` or `["S1 1401", "S2 0101"]`. A path of several cells from the old place is left
    unchanged.
    """
    if result[:2] == [piece.id, piece.cell] and not any(map(_CELL.fullmatch, result[2:])):
        return [piece.id, to, *result[2:]]
    return [f"{piece.id} {to}" if part == f"{piece.id} {piece.cell}" else part for part in result]


def with_painted_cells(source: Source, changes: Sequence[str], content_type: ContentType) -> Source:
    """Return a user's map file with changed terrain or objects on some cells.

    A change of symbols leaves the rest of the file as entered. Adding or removing an object removes the comments.

    Raises:
        WrongUsageError: If a change names an unknown cell, symbol or object.
    """
    symbols, brushes = content_type.symbols(), content_type.brushes()
    strokes = [found for change in changes if brushes and (found := _PLACED.fullmatch(change))]
    others = [change for change in changes if not (brushes and _PLACED.fullmatch(change))]
    if others:
        source = _drawn(source, others, symbols)
    if not strokes:
        return source
    values: dict[str, Any] = copy.deepcopy(dict(source.data))
    for cells, sign, name, _, way in (found.groups() for found in strokes):
        brush = brushes[among(name, brushes, tr("{name!r} cannot be placed on cells", name=name[:40]))]
        if brush.ways and way not in brush.ways:
            hint = tr("for example C4+{name}:{way}", name=name, way=next(iter(brush.ways)))
            raise WrongUsageError(tr("the direction of {name} is missing", name=name), hint=hint)
        each = cells.upper().split(",")
        for spots in [each] if brush.several else ([cell] for cell in each):
            brush.put(values, spots, way or "", sign == "+")
    whole = schema(content_type.form, "")
    head = "".join(line + "\n" for line in source.text.splitlines()[:1] if line.startswith("#:schema"))
    lines = text.document(ordered(values | ownership_key(whole), whole, whole))
    return Source(source.name, head + "\n".join(lines) + "\n")


def _drawn(source: Source, changes: Sequence[str], symbols: Iterable[str]) -> Source:
    drawn = source.data.get("rows")
    if not isinstance(drawn, str):
        raise WrongUsageError(tr("{file} has no terrain drawn with symbols", file=source.name))
    numbered = drawn_lines(drawn)
    lines = source.text.splitlines()
    for change in changes:
        name, _, symbol = change.partition("=")
        found = _DRAWN.fullmatch(name)
        column, row = (ord(found[1].upper()) - ord("A"), int(found[2])) if found else (0, 0)
        if not 1 <= row <= len(numbered) or column >= len(numbered[-row][1]):
            raise WrongUsageError(
                tr("there is no cell {name!r} on this map", name=name[:40]), hint=tr("for example C4=f")
            )
        if symbol not in symbols:
            raise WrongUsageError(
                tr("no terrain has the symbol {symbol!r}", symbol=symbol[:8]), hint=" ".join(symbols)
            )
        at = source.line(("rows", TextLine(numbered[-row][0]))) - 1
        spot = list(re.finditer(r"\S+", lines[at].replace('"""', "   ")))[column]
        lines[at] = lines[at][: spot.start()] + symbol + lines[at][spot.end() :]
    return Source(source.name, "\n".join(lines) + "\n")
