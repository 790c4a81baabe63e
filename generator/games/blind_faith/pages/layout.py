"""Boxes, tables and pictures that several sheets share.

The dimensions of sheets are in data/blind_faith/sheets.toml, and those of pictures are in mm. The colours of the
sides differ in lightness, and bars are solid or hatched, so they can be distinguished without colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from generator.common.ownership import is_user_content, user_content_words
from generator.common.tables import NEVER
from generator.games.blind_faith.ground import words
from generator.games.blind_faith.maps import unit_token
from generator.games.blind_faith.tables import Fate, Hit, Losses, Pack, Side, Unit, spans
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, circle, line, rectangle, spared
from generator.model.views import Figure, Token
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.symbols.pictograms import BLACK, PALE, QUIET, SIGNS
from generator.symbols.picture_words import picture_words


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of sheets.toml."""


class LineRoom(_Row, frozen=True):
    """The size of the defender's front on a battle display."""

    columns: int
    deep: int
    named_columns: int = msgspec.field(name="named")


class WorksheetRoom(_Row, frozen=True):
    """The numbers of rows and columns of the interception worksheet."""

    stacks: int
    rows: int
    blank: int
    half: int


class RecordRoom(_Row, frozen=True):
    """The numbers of rows and boxes of stack records, and their heights."""

    stacks: int
    classes: int
    boxes: int
    half: int
    head: float
    stack: float
    scale: float
    line: float
    note: float
    high: float
    full: float
    low: float
    box: float
    back: int


class BlankRoom(_Row, frozen=True):
    """The numbers of rows of blank tables."""

    units: int
    charge: int
    response: int


class OddsRoom(_Row, frozen=True):
    """The numbers of rows on the odds page."""

    lost: int
    rounds: int


class Counters(_Row, frozen=True):
    """The size and number of counters, and the width of hexes on a map at true size."""

    width: float
    hex: float
    each: int


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of sheets.toml."""

    rounds: int
    turns: int
    line: LineRoom
    worksheet: WorksheetRoom
    records: RecordRoom
    blank: BlankRoom
    odds: OddsRoom
    counters: Counters


room = toml.shipped_table("blind_faith/sheets.toml", Room)
"""Returns the shipped dimensions of sheets."""


NONE = "–"


def short(result: str) -> Words:
    """Return the letter for a result."""
    return words()["short"][result]


def key() -> Words:
    """Return the explanation of the letters for results."""
    letters = {f: short(f) for f in ("rout", "eliminate", "breach")}
    return words()["reference"]["key"].fill(**letters)


def cell(results: Sequence[Hit]) -> Words:
    """Return a cell of the fire or bombardment table in short form, such as `R5 E6`."""
    parts = [
        Words(f"{short(hit).en}{dice}", f"{short(hit).ja}{dice}")
        for hit, first, last in spans(results)
        for dice in [f"{first}" if first == last else f"{first}–{last}"]
    ]
    return _spaced(parts)


def losses(cost: Losses) -> list[Words]:
    """Return the lines of a cell of the response table, such as `1R` and `2E`."""
    counts = (("rout", cost.rout), ("eliminate", cost.eliminate))
    return [Words(f"{n}{short(f).en}", f"{n}{short(f).ja}") for f, n in counts if n] or [same(NONE)]


def _spaced(parts: Sequence[Words]) -> Words:
    if not parts:
        return same(NONE)
    return joined(parts, " ", " ")


def fate(result: Fate) -> Words:
    """Return the short form of a result of a charge."""
    return same(NONE) if result == "none" else short(result)


def tokens(pack: Pack) -> dict[str, Token]:
    """Return a counter for each class, keyed by id, in the colours of the first side that has the class."""
    return {unit.id: unit_token(pack, unit.sides[0], unit.id) for unit in pack.units.values()}


def fires(pack: Pack, unit: Unit) -> Words:
    """Return when a class fires (attacking or defending) and at how many boxes."""
    texts = words()["record"]
    found = {role: texts[role] for role in unit.fires}
    if "defence" in found and unit.each_box:
        each = f"×{pack.boxes}"
        found["defence"] = Words(found["defence"].en + each, found["defence"].ja + each)
    return _spaced(list(found.values()))


def signed(drm: int) -> str:
    """Return a modifier with its sign."""
    return f"{drm:+d}".replace("-", "−") if drm else "0"


def tables(pack: Pack) -> dict[str, object]:
    """Return all tables of a pack as values for a template."""
    table = pack.charge
    highest = table.lowest + len(table.results) - 1
    return {
        "key": key(),
        "units": [_unit(pack, unit) for unit in pack.units.values()],
        "types": [kind.name for kind in pack.types],
        "fire": list(_rows(pack, "fire")),
        "walls": [wall.name for wall in pack.walls],
        "bombard": list(_rows(pack, "bombard")),
        "charge": [
            {
                "die": _end(die, table.lowest, highest),
                "defender": fate(result.defender),
                "charger": fate(result.charger),
                "figures": [_picture_name([result.defender]), _picture_name([result.charger])],
            }
            for die, result in enumerate(table.results, table.lowest)
        ],
        "response": list(_response(pack)),
        "dice": list(range(1, 1 + max(len(column.results) for column in pack.response.columns))),
        "finder": list(finder(pack)),
        "pack": describe_pack(pack),
    }


def _picture_name(results: Sequence[Hit | Fate]) -> str:
    """Return the name of the picture for these results."""
    return "faces_" + "".join(result[0] for result in results)


def pictures(pack: Pack) -> dict[str, Figure]:
    """Return the pictures for the tables of a pack: movement points, die faces and losses."""
    results: list[Sequence[Hit | Fate]] = [*pack.fire.values(), *pack.bombard.values()]
    results += [[fate] for result in pack.charge.results for fate in (result.defender, result.charger)]
    found: dict[str, Figure] = {_picture_name(each): faces(each) for each in results}
    found |= {f"move{unit.movement}": dots(unit.movement) for unit in pack.units.values()}
    costs = (cost for column in pack.response.columns for cost in column.results)
    return found | {f"lost{cost.rout}_{cost.eliminate}": squares(cost) for cost in costs}


def describe_pack(pack: Pack) -> Words:
    """Return the name of the pack and who made it."""
    texts = words()["reference"]
    if not is_user_content(pack):
        return texts["house_pack"]
    user_text = user_content_words(words()["blind_faith"]["house_pack"], pack.name)
    return texts["pack"].fill(name=user_text, note=pack.note) if pack.note.en or pack.note.ja else user_text


def _end(die: int, lowest: int, highest: int) -> str:
    """Return a modified die. The first and last value apply to all values beyond them."""
    sign = "≤" if die == lowest else "≥" if die == highest else ""
    return f"{sign}{die}".replace("-", "−")


def _unit(pack: Pack, unit: Unit) -> dict[str, object]:
    yes = words()["reference"]["yes"]
    return {
        "id": unit.id,
        "name": unit.name,
        "movement": unit.movement,
        "drm": signed(unit.drm),
        "fires": fires(pack, unit),
        "intercepts": yes if unit.intercepts else NONE,
        "bombards": yes if unit.bombards else NONE,
        "points": unit.points,
    }


def _rows(pack: Pack, which: str) -> Iterator[dict[str, object]]:
    """Yield the rows of the fire or bombardment table."""
    shots, columns = (pack.fire, pack.types) if which == "fire" else (pack.bombard, pack.walls)
    type_names = {kind.id: kind.name for kind in pack.types}
    for row in dict.fromkeys(row for row, _ in shots):
        every = [shots[row, column.id] for column in columns]
        yield {"name": type_names[row], "cells": [*map(cell, every)], "figures": [*map(_picture_name, every)]}


def _response(pack: Pack) -> Iterator[dict[str, object]]:
    for column, bounds in zip(pack.response.columns, pack.response.bounds(), strict=True):
        costs = column.results
        yield {
            "name": span(*bounds),
            "cells": [losses(cost) for cost in costs],
            "figures": [f"lost{cost.rout}_{cost.eliminate}" for cost in costs],
        }


def span(first: int, last: int | None) -> str:
    """Return a range of numbers as text. A range without a maximum ends in a plus sign."""
    return f"{first}+" if last is None else str(first) if first == last else f"{first}–{last}"


def columns_of(pack: Pack, units: Iterable[int]) -> list[tuple[int, int, str, int]]:
    """Return ranges of numbers of units that use the same response column.

    Each is a tuple of the first number, the last number, the name of the column, and the modifier.
    """
    bounds = pack.response.bounds()
    found = []
    for (at, drm), run in groupby(units, key=pack.response.column):
        counts = list(run)
        found.append((counts[0], counts[-1], span(*bounds[at]), drm))
    return found


def finder(pack: Pack) -> Iterator[dict[str, object]]:
    """Yield the response column for every number of units, up to three steps beyond the last column."""
    max_units = pack.response.columns[-1].start + 4 * pack.response.step - 1
    for first, last, name, drm in columns_of(pack, range(1, max_units + 1)):
        yield {"units": span(first, last), "column": name, "drm": signed(drm)}


def counters(pack: Pack, side: Side, units: Iterable[str]) -> dict[str, Token]:
    """Return the counters of a side's classes, keyed by `side.class`."""
    return {f"{side}.{unit}": unit_token(pack, side, unit) for unit in units}


FIVE, ROW = 5, 10
"""Number of marks in a group, and number of marks in a row."""
_DOTS = 6
COLOURS: Mapping[Side, str] = {"hussite": "#87302b", "crusader": "#35506e"}
SIDE_TINTS: Mapping[Side, str] = {"hussite": "#f0dcd9", "crusader": "#dbe3ec"}
"""Pale tints of the sides for boxes and bars."""
_WHITE = "#ffffff"
DARKEST_BAR = 0.7
"""The lightness of black parts of bars in an ink-saving print, paler than elsewhere because the bars are large."""
_RISK = "#8d887c"
"""Colour for the risk of a charge to the charger."""
_MIDDLE = 0.36
"""Distance from the baseline to the middle of a digit, as a multiple of the type size."""
_DIGIT = 0.56
"""Width of a bold digit, as a multiple of the type size."""


def dots(count: int, size: float = 1.6) -> Picture:
    """Return a dot for each movement point, at most six in a row."""
    step, r = 1.35 * size, size / 2
    rows = max(1, -(-count // _DOTS))
    places = [(i % _DOTS, rows - 1 - i // _DOTS) for i in range(count)]
    items = tuple(circle(r + x * step, r + y * step, r - 0.05, BLACK) for x, y in places)
    width, height = max(0.1, (min(count, _DOTS) - 1) * step + size), (rows - 1) * step + size
    return Picture(width, height, items, alt=picture_words("points", n=count))


def tally(filled: int, hollow: int = 0, size: float = 1.3, row: int = ROW) -> Picture:
    """Return a mark for each unit in groups of five. Hollow marks are for units that stay behind."""
    step, gap, down = 1.32 * size, 0.7 * size, 1.5 * size
    rows = max(1, -(-(filled + hollow) // row))
    items, right = list[Item](), 0.1
    for i in range(filled + hollow):
        level, at = divmod(i, row)
        x, y = at * step + at // FIVE * gap + 0.1, (rows - 1 - level) * down + 0.1
        pen = Pen(BLACK, 0.12)
        items.append(rectangle(x, y, size, size, BLACK if i < filled else _WHITE, pen))
        right = max(right, x + size)
    # The number of all units is in the text.
    alt = picture_words("tally_left", n=filled, m=hollow) if hollow else same("")
    return Picture(right + 0.1, (rows - 1) * down + size + 0.2, tuple(items), alt=alt)


def turns(now: int, last: int, wide: float, size: float = 4.0) -> Picture:
    """Return a picture with one ring for each turn, wrapped into rows that fit the width.

    The ring of the current turn is filled.
    """
    step = 1.14 * size
    across = max(1, int((wide + 0.14 * size) // step))
    rows, r, points = -(-last // across), size / 2, max(5.0, 0.46 * size * POINTS)
    items: list[Item] = []
    for i in range(last):
        level, at = divmod(i, across)
        x, y = at * step + r, (rows - 1 - level) * step + r
        here = i + 1 == now
        items.append(circle(x, y, r - 0.12, BLACK if here else _WHITE, Pen(BLACK, 0.22)))
        colour = _WHITE if here else QUIET
        items.append(Text(x, y - _MIDDLE * points / POINTS, str(i + 1), points, "middle", here, colour))
    width, height = min(last, across) * step - 0.14 * size, rows * step - 0.14 * size
    return Picture(width, height, tuple(items), alt=picture_words("turn_of", now=now, last=last))


def scale(count: int, size: float) -> Picture:
    """Return a scale above a row of boxes with the number of boxes at the end of each group of five."""
    points, items, x = 7.0, list[Item](), 0.0
    for n in range(FIVE, count + 1, FIVE):
        x = n * size + (n - n // FIVE) * _BOX_GAP * size + (n // FIVE - 1) * _FIVES_GAP * size
        items.append(Text(x, 0.4, str(n), points, "end", True, QUIET))
    # The numbers below say how many boxes there are.
    return Picture(max(x, 1.0), 3.0, tuple(items), alt=same(""))


_BOX_GAP, _FIVES_GAP = 0.22, 0.75
"""Space between boxes and between groups of five, as multiples of the size of a box (press/layout/marks.py)."""


def faces(results: Sequence[Hit | Fate], size: float = 2.3) -> Picture:
    """Return a square for the result of each face of a die.

    The square is empty for no result, struck through for a rout, and black for an elimination or breach.
    """
    items: list[Item] = []
    for i, result in enumerate(results):
        x = 0.1 + i * size
        fill = BLACK if result in ("eliminate", "breach") else PALE if result == "rout" else _WHITE
        items.append(rectangle(x, 0.1, size, size, fill, Pen(QUIET, 0.14)))
        if result == "rout":
            items.append(line(((x + 0.3, 0.4), (x + size - 0.3, size - 0.2)), Pen(BLACK, 0.25)))
    counts = Counter(results)
    found = [(result, n) for result, n in counts.items() if result != "none"]
    alt = joined([picture_words("faces", result=picture_words(r), n=n, m=len(results)) for r, n in found], "; ", "；")
    return Picture(max(0.1, len(results) * size + 0.2), size + 0.2, tuple(items), alt=alt)


def squares(cost: Losses, size: float = 1.9) -> Picture:
    """Return a square for each lost unit, struck through if it is routed and black if it is eliminated."""
    routed: Hit = "rout"
    eliminated: Hit = "eliminate"
    lost = [routed] * cost.rout + [eliminated] * cost.eliminate
    return msgspec.structs.replace(faces(lost, size), alt=loss_words(cost) if lost else None)


def loss_words(losses: Losses) -> Words:
    """Return the words for losses."""
    counts = (("routed", losses.rout), ("eliminated", losses.eliminate))
    return joined([picture_words(name, n=n) for name, n in counts if n])


class Part(NamedTuple):
    """A part of a bar with its share of the whole and its side.

    A part without a side is white or, if it is not solid, grey.
    """

    share: float
    side: Side | None
    text: str
    solid: bool = True


def bar(parts: Sequence[Part], width: float, height: float, points: float = 8.5, alt: Words | None = None) -> Picture:
    """Return a bar with solid, white and hatched parts, each with its text if there is room.

    The text of a narrow part is in the adjacent white part, as far as there is room. `alt` are the words for the
    parts and their shares.
    """
    items: list[Item] = []
    x, places = 0.0, list[tuple[float, float, Part]]()
    for part in parts:
        wide = part.share * width
        if wide > 0:
            items += _filled(x, wide, height, part)
        places.append((x, wide, part))
        x += wide
    for i, (left, wide, part) in enumerate(places):
        # The texts of narrow neighbours are at the ends of the white part.
        before, after = (_overflow_text(places, j, i, points) for j in (i - 1, i + 1))
        for text, at in ((before, left + before[1] / 2), (after, left + wide - after[1] / 2)):
            if text[0] and before[1] + after[1] <= wide:
                items += _number(at, height, Part(0.0, None, text[0]), points, text[1])
        needed, spare = _needed(part, points), wide - before[1] - after[1]
        if part.text and part.share and spare >= needed:
            items += _number(left + before[1] + spare / 2, height, part, points, needed)
    items.append(rectangle(0, 0, width, height, None, Pen(BLACK, 0.2)))
    return Picture(width, height, tuple(items), saver=spared(items, SIGNS, DARKEST_BAR), alt=alt)


def _needed(part: Part, points: float) -> float:
    return (_DIGIT * len(part.text) + 0.5) * points / POINTS if part.text else 0.0


def _overflow_text(
    places: Sequence[tuple[float, float, Part]], of: int, white: int, points: float
) -> tuple[str, float]:
    """Return the text that a narrow part puts into the white part next to it, and the width of the text."""
    if places[white][2].side is not None or not 0 <= of < len(places):
        return "", 0.0
    _, wide, part = places[of]
    needed = _needed(part, points)
    return (part.text, needed) if needed > wide and part.text != NEVER else ("", 0.0)


def charge_bars(target_loss: float, charger_loss: float, width: float, height: float = 1.9) -> Picture:
    """Return two bars for the probabilities that a charge costs the target (black) and the charger (grey)."""
    items: list[Item] = []
    for y, share, fill in ((height + 0.5, target_loss, BLACK), (0.0, charger_loss, _RISK)):
        items.append(rectangle(0, y, max(0.0, share) * width, height, fill))
        items.append(rectangle(0, y, width, height, None, Pen(BLACK, 0.15)))
    return Picture(width, 2 * height + 0.5, tuple(items), saver=spared(items, SIGNS))


def _filled(x: float, wide: float, height: float, part: Part) -> list[Item]:
    if part.side is None:
        return [rectangle(x, 0, wide, height, _WHITE if part.solid else PALE)]
    if part.solid:
        return [rectangle(x, 0, wide, height, COLOURS[part.side])]
    steps: list[tuple[str | float, ...]] = []
    pitch = 1.5
    # Draw strokes that rise to the right and end at the edges of the part.
    for k in range(int(-height / pitch), int(wide / pitch) + 1):
        low, high = max(0.0, -k * pitch), min(height, wide - k * pitch)
        if high > low:
            steps += [("M", x + k * pitch + low, low), ("L", x + k * pitch + high, high)]
    hatch = Path(tuple(steps), None, Pen(COLOURS[part.side], 0.42, round=False))
    return [rectangle(x, 0, wide, height, SIDE_TINTS[part.side]), hatch]


def _number(x: float, height: float, part: Part, points: float, needed: float) -> list[Item]:
    solid = part.side is not None and part.solid
    grey = part.side is None and not part.solid
    at = Text(x, height / 2 - _MIDDLE * points / POINTS, part.text, points, "middle", part.side is not None)
    if solid:
        return [Text(at.x, at.y, at.text, points, "middle", True, _WHITE)]
    if part.side is None:
        return [Text(at.x, at.y, at.text, points, "middle", grey, BLACK if grey else QUIET)]
    high = 1.05 * points / POINTS
    return [rectangle(x - needed / 2 + 0.3, (height - high) / 2, needed - 0.6, high, _WHITE), at]
