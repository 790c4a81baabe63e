"""Edit a scenario or map file as a person would by hand: change units and rulings, or the symbols on a map.

`P3>D5` moves the unit P3 to D5, and `P3>-` removes it from the board. `P3+D5` adds a unit like P3 on D5, and `P3-`
removes P3 from the file. `B1a@NE` turns B1a to the north-east. `hill=plateau` selects a ruling. `C4=f` sets the
symbol f on C4 of a user's own map, and `C4=forest` does the same. `C4+stakes` adds stakes to C4, and `C4-stakes`
removes them. `D6+cliff:NE` makes the north-east side of D6 a cliff. The result is not checked against the rules here.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

from generator.common.game import ContentType
from generator.common.scenario_file import drawn_lines
from generator.errors import WrongUsageError, accepted_words, among, near
from generator.localization import tr
from generator.model.words import Words
from generator.notation import text
from generator.notation.schema import ordered, ownership_key, schema
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, TextLine

PLACES = ("hex", "at")
"""The keys for a unit's cell. Each game's files use one of them."""
_CELL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}|[0-9]{4}")
_PLACED = re.compile(r"([A-Za-z0-9,]+)([+-])([a-z_]+)(:(.+))?")
_UNIT_CHANGE = re.compile(r"([A-Za-z0-9]+)([>+@-])(.*)")
FACING = "facing"
"""The key for the direction of a unit's front."""
UNIQUE_KEYS = ("leader", "name")
"""The keys that a new unit does not take over from the unit that it is like, because each value occurs only once."""
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
    facing: str
    """The direction of the unit's front, or an empty string for a unit without a front."""


def pieces(source: Source) -> list[Piece]:
    """Return the units of a scenario file in the order of their rows. Rows without an id are skipped."""
    sides = ((name, table) for name, table in source.data.items() if name not in ("muster", "log"))
    return [piece for name, table in sides for piece in _pieces(table, (name,))]


def _pieces(of: object, at: KeyPath) -> Iterator[Piece]:
    if isinstance(of, Mapping):
        place = next((key for key in PLACES if isinstance(of.get(key), str)), "")
        if place and isinstance(of.get("id"), str):
            yield Piece(of["id"], str(at[0]), of[place], place, at, str(of.get(FACING, "")))
            return
        inside: Iterable[tuple[str | int, object]] = of.items()
    else:
        inside = enumerate(of) if isinstance(of, list) else ()
    for key, value in inside:
        yield from _pieces(value, (*at, key))


def with_moves(source: Source, changes: Sequence[str]) -> Source:
    """Return a scenario file with units moved, added, removed or turned, or rulings changed.

    The log is updated to match moves.

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
        found = _UNIT_CHANGE.fullmatch(change)
        if not found or bool(found[3]) == (found[2] == "-"):
            hint = (
                tr("to change the terrain of a scenario, edit `rows` in its file")
                if equals and _CELL.fullmatch(name)
                else tr("for example P3>D5, P3+D5 or P3-")
            )
            raise WrongUsageError(tr("{change!r} is not a valid change", change=change[:40]), hint=hint)
        name, sign, to = found.groups()
        known = pieces(source)
        piece = next((piece for piece in known if piece.id == name), None)
        if piece is None:
            raise WrongUsageError(
                tr("there is no unit named {name!r}", name=name[:40]), hint=near(name, [p.id for p in known])
            )
        source = _UNIT_CHANGES[sign](source, piece, to)
    return source


def _remove(source: Source, piece: Piece, _: str) -> Source:
    """Return the file without a unit's row, and without the log, which describes the draw of other forces."""
    lines = source.text.splitlines()
    del lines[source.line(piece.row) - 1]
    return _without_log(source.name, lines)


def _add(source: Source, piece: Piece, to: str) -> Source:
    """Return the file with a unit like this one on another cell, and without the log of the draw.

    The row of the new unit follows that of the other one, and its id is the next free one.
    """
    lines = source.text.splitlines()
    at = source.line(piece.row) - 1
    row = _with_value(lines[at], piece.place, to)
    row = _with_value(row, "id", _free_id(piece.id, {one.id for one in pieces(source)}))
    for key in UNIQUE_KEYS:
        row = re.sub(rf',\s*{key} = (?:"[^"]*"|\{{[^}}]*\}})', "", row)
    lines.insert(at + 1, row)
    return _without_log(source.name, lines)


def _without_log(name: str, lines: Sequence[str]) -> Source:
    """Return a file without the tables of its log."""
    kept, in_log = list[str](), False
    for line in lines:
        if line.startswith("["):
            in_log = line.startswith("[[log]]")
        if not in_log:
            kept.append(line)
    return Source(name, "\n".join(kept).rstrip("\n") + "\n")


def _turn(source: Source, piece: Piece, to: str) -> Source:
    """Return the file with the front of a unit in another direction."""
    if not piece.facing:
        raise WrongUsageError(tr("{unit} has no front", unit=piece.id))
    lines = source.text.splitlines()
    at = source.line(piece.row) - 1
    lines[at] = _with_value(lines[at], FACING, to)
    return Source(source.name, "\n".join(lines) + "\n")


def _with_value(row: str, key: str, value: str) -> str:
    """Return a row on one line with another text as the value of a key."""
    return re.sub(rf'(\b{key} = )"[^"]*"', lambda found: found[1] + text.value(value), row, count=1)


def _free_id(name: str, taken: set[str]) -> str:
    """Return the next free id after a unit's id, which ends in a number, or in a letter as in B1a.

    The unit of a brigade is like its brigadier, whose id has no letter.
    """
    brigade = name[:-1] if name[-1].islower() else name
    if any(one[:-1] == brigade and one[-1].islower() for one in taken):
        free = [f"{brigade}{letter}" for letter in ascii_lowercase if f"{brigade}{letter}" not in taken]
        return free[0] if free else f"{brigade}z"
    stem = name.rstrip("0123456789")
    return next(one for one in (f"{stem}{number}" for number in count(1)) if one not in taken)


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


_UNIT_CHANGES = {">": _send, "+": _add, "-": _remove, "@": _turn}
"""The functions that change a unit, keyed by the sign after its id."""


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


def _drawn(source: Source, changes: Sequence[str], symbols: Mapping[str, Words]) -> Source:
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
        symbol = _symbol(symbol, symbols)
        at = source.line(("rows", TextLine(numbered[-row][0]))) - 1
        spot = list(re.finditer(r"\S+", lines[at].replace('"""', "   ")))[column]
        lines[at] = lines[at][: spot.start()] + symbol + lines[at][spot.end() :]
    return Source(source.name, "\n".join(lines) + "\n")


def _symbol(raw: str, symbols: Mapping[str, Words]) -> str:
    """Return the symbol of a terrain, given its symbol or its name in either language.

    Raises:
        WrongUsageError: If no terrain has this symbol or name.
    """
    if raw in symbols:
        return raw
    if raw == str(Path.home()) and "~" in symbols:
        return "~"  # bash replaces the ~ in an argument such as D5=~ with the path of the home folder.
    plain = raw.casefold().replace("_", " ")
    for symbol, name in symbols.items():
        if plain in (name.en.casefold(), name.ja):
            return symbol
    listed = [tr("{symbol} {name}", symbol=symbol, name=name.low) for symbol, name in symbols.items()]
    raise WrongUsageError(tr("there is no terrain named {name!r}", name=raw[:20]), hint=accepted_words(listed))
