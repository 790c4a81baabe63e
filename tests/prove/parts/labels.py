"""Labels on maps do not cover other labels, units, buildings or other cells, and no label is omitted silently."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from generator import games
from generator.games.battling.ground import house_arenas
from generator.games.battling.maker import make_arena
from generator.games.battling.maps import arena_view
from generator.games.travel_battle.pages.posters import campaign_make
from generator.model.picture import XY, Text
from generator.model.scenario import Request
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import LANGS, Lang
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import crosses_box, overlap
from generator.press.figures.maps import draw_fitted
from generator.press.figures.place_names import Outline
from generator.press.figures.tokens import label_plates, placed_flags, token_boxes
from generator.rules import check
from generator.seeds import RngStreams, code_for
from generator.symbols.features import covers
from generator.symbols.shapes import Box
from tests.prove.figure import SEED, Figure, counted, spread

MAPS, ARENAS = 200, 100
WIDTH, HEIGHT = 190.0, 170.0
"""Size of the maps in mm, as on a page."""
SLACK = 0.02


class Case(NamedTuple):
    """A kit, given as game and number of its code."""

    game: str
    number: int


class MapFindings(NamedTuple):
    """The findings on a number of maps."""

    maps: int
    labels: int
    overlaps: tuple[str, ...]
    """Labels that overlap another label or a unit, or are in a foreign cell."""
    silent: tuple[str, ...]
    """Labels that are neither drawn nor listed."""
    covered: tuple[str, ...]
    """Labels that cover a building's outline, with the covered length in mm."""
    listed: int
    """Number of labels listed because there is no space on the map."""


def prove() -> Iterator[Figure]:
    """Check maps of kits of every game, arenas and campaigns."""
    for game in games.names():
        found = list(spread(sheets, (Case(game, number) for number in range(_kits(game))), game))
        maps, labels = sum(one.maps for one in found), sum(one.labels for one in found)
        what = (
            f"{game}: {maps:,} maps with {labels:,} labels, {sum(one.listed for one in found):,} listed beside them"
        )
        yield counted(f"{what}: overlaps", maps, (fault for one in found for fault in one.overlaps))
        yield counted(f"{what}: dropped silently", maps, (fault for one in found for fault in one.silent))
    found = list(spread(_arena, arenas(ARENAS), "arenas"))
    yield counted("arenas: mm of outlines that labels cover", len(found), (f for one in found for f in one.covered))
    faults = (fault for one in found for fault in (*one.overlaps, *one.silent))
    yield counted("arenas: labels that overlap or are dropped silently", len(found), faults)


def _kits(game: str) -> int:
    """Return the number of kits to generate.

    This is 50 % more than the first kit suggests, because some kits have fewer maps.
    """
    return -(-3 * MAPS // max(1, 2 * sum(1 for _ in _views(_kit(Case(game, 0))))))


def _kit(case: Case) -> Kit:
    game, code = games.load(case.game), code_for(SEED + case.number)
    scenario = game.draw(Request(code, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), code, "")


def _views(kit: Kit) -> Iterator[tuple[str, MapView]]:
    """Yield the maps of a kit that contain text."""
    for sheet in kit.sheets:
        if isinstance(sheet, Sheet):
            for name, figure in sheet.figures.items():
                if isinstance(figure, MapView) and len(figure.grid.cells) > 1 and (figure.names or figure.notes):
                    yield f"{kit.stamp} {sheet.part} {name}", figure


def sheets(case: Case) -> MapFindings:
    """Check the maps of a kit in alternating languages. For Travel Battle also check a campaign map."""
    views = list(_views(_kit(case)))
    if case.game == "travel_battle":
        options = {"seed": code_for(SEED + case.number), "size": "2x2", "only": "map"}
        views += list(_views(campaign_make(options)))
    found = [check_map(name, view, LANGS[i % len(LANGS)]) for i, (name, view) in enumerate(views)]
    return MapFindings(
        sum(one.maps for one in found),
        sum(one.labels for one in found),
        tuple(fault for one in found for fault in one.overlaps),
        tuple(fault for one in found for fault in one.silent),
        tuple(fault for one in found for fault in one.covered),
        sum(one.listed for one in found),
    )


def arenas(count: int) -> Iterator[tuple[str, MapView]]:
    """Yield the shipped arenas and `count` random arenas of many sizes."""
    for name, of in house_arenas().items():
        yield name, arena_view(of.ground)
    for number in range(count):
        columns, rows = 8 + number % 13, 8 + number % 8
        made = make_arena(RngStreams(code_for(SEED + number), "v1/prove/labels"), columns, rows)
        yield f"random {number}", arena_view(made)


def _arena(case: tuple[str, MapView]) -> MapFindings:
    return check_map(*case, "en")


def check_map(name: str, view: MapView, lang: Lang) -> MapFindings:
    """Check a drawn map by its texts and symbols, without the data of the label placement."""
    drawn = draw_fitted(view, lang, "full", WIDTH, HEIGHT)
    place, labels_drawn = drawn.place, drawn.lettering
    cells = {text: cell for cell in view.grid.cells for text in (view.grid.name(cell),)}
    labels = [item for item in (*labels_drawn.names, *labels_drawn.above) if isinstance(item, Text)]
    boxes = [_shrunk(text_extent(text)) for text in labels]
    overlaps = [
        f"{name}: {labels[i].text!r} over {labels[j].text!r}" for i, j in _pairs(boxes) if overlap(boxes[i], boxes[j])
    ]
    flags = [flag.box for flag in placed_flags(view, place)]
    units = [*token_boxes(view, place), *flags, *(pill.box for pill in label_plates(view, place))]
    written = {text.text.partition(" ")[0] for text in labels}
    foreign = {*view.features, *view.places, *(cell for cell, _ in view.tokens)}
    rings = {cell: place.ring(cell) for cell in foreign}
    names = {words[lang]: cell for cell, words in view.places.items()}
    fixed = {note.text[lang] for note in view.notes if not note.roam}
    for text, box in zip(labels, boxes, strict=True):
        if text.text not in fixed and any(overlap(box, _shrunk(unit)) for unit in units):
            overlaps.append(f"{name}: {text.text!r} over a unit")
        if at := names.get(text.text) or cells.get(text.text.partition(" ")[0]):
            strangers = [cell for cell, ring in rings.items() if cell != at and Outline.of(ring).touches(box)]
            overlaps += [f"{name}: {text.text!r} in {view.grid.name(cell)}" for cell in strangers]
    large = place.side >= place.anatomy.free
    wanted = [*(cells if view.names and large else ()), *(note.text[lang] for note in view.notes)]
    ruled = {note.text[lang] for note in view.notes}
    silent = [f"{name}: {text}" for text in wanted if text not in {*written, *labels_drawn.unnamed, *ruled}]
    texts_shown = {text.text for text in labels}
    below = " ".join(item.text for item in drawn.picture.items if isinstance(item, Text) and item not in labels)
    if large and view.names:
        lines_below = tuple(below.split(", "))
        silent += [
            f"{name}: {text}"
            for text in names
            if text not in texts_shown and not any(told_below.endswith(text) for told_below in lines_below)
        ]
    listed = set(below.replace(",", "").split())
    silent += [
        f"{name}: {text} is told nowhere"
        for text in labels_drawn.unnamed
        # On a detail map, cells without space for a name can be read on the map that contains the detail.
        if text not in listed and not _ruled(view, lang, text) and not view.detail
    ]
    lines = [
        (place.at(a), place.at(b))
        for shape in view.areas
        for ring in shape.rings
        for a, b in pairwise((*ring, ring[0]))
    ]
    covered = [
        f"{name}: {text.text!r} covers {math.dist(a, b):.1f} mm of an outline"
        for text, box in zip(labels, boxes, strict=True)
        for a, b in lines
        if crosses_box(box, a, b)
    ]
    roofs = [[[place.at(p) for p in ring] for ring in shape.rings] for shape in view.areas]
    covered += [
        f"{name}: {text.text!r} on a roof"
        for text, box in zip(labels, boxes, strict=True)
        if any(covers(roof, _middle(box)) for roof in roofs)
    ]
    return MapFindings(
        1,
        len(labels),
        tuple(overlaps),
        tuple(silent),
        tuple(covered),
        len(labels_drawn.unnamed) + len(labels_drawn.unplaced),
    )


def _ruled(view: MapView, lang: Lang, name: str) -> bool:
    """Return whether a cell without a name can be identified by the rulers of its column and row."""
    numbers = [note.text[lang] for note in view.notes]
    return numbers.count(name[:2]) >= 2 and numbers.count(name[2:]) >= 2


def _shrunk(box: Box) -> Box:
    return box[0] + SLACK, box[1] + SLACK, box[2] - SLACK, box[3] - SLACK


def _middle(box: Box) -> XY:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _pairs(boxes: list[Box]) -> Iterator[tuple[int, int]]:
    """Yield the index pairs of boxes that overlap horizontally."""
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][0])
    for at, i in enumerate(order):
        for j in order[at + 1 :]:
            if boxes[j][0] >= boxes[i][2]:
                break
            yield i, j
