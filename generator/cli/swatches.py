"""Draw the terrain and the objects of a map's palette as small pictures."""

from __future__ import annotations

from pathlib import Path

from generator.common.edits import with_painted_cells
from generator.common.game import Brush, ContentType
from generator.errors import MusterError
from generator.model.views import MapView
from generator.model.words import Lang
from generator.notation.toml import Source
from generator.press.figures.maps import draw_sample
from generator.press.svg import svg
from generator.store.write import temporary_folder

SIDE = 10.0
"""The side of a swatch in mm."""
TRIES = 12
"""The number of cells on which a symbol is painted to find its look. On some cells a symbol may be a fault."""


def swatches(source: Source, content_type: ContentType, brushes: dict[str, Brush], lang: Lang) -> dict[str, str]:
    """Return a picture as SVG for each symbol and each object of a map, keyed by its word, as far as it has a look.

    The looks are found by painting a copy of the map, because only the game knows the look of a symbol.
    """
    view = _view(source, content_type)
    if view is None:
        return {}
    cells = view.grid.cells
    step = max(1, len(cells) // TRIES)
    names = [view.grid.name(cell) for cell in cells[::step]]
    found: dict[str, str] = {}
    changes = {symbol: f"={symbol}" for symbol in content_type.symbols()}
    changes |= {name: f"+{name}{f':{next(iter(of.ways))}' if of.ways else ''}" for name, of in brushes.items()}
    for word, change in changes.items():
        for name in names:
            look = _look_after(source, f"{name}{change}", name, view, content_type)
            if look:
                found[word] = svg(draw_sample(view, look, SIDE), lang).decode()
                break
    return found


def _view(source: Source, content_type: ContentType) -> MapView | None:
    """Return the view of a map file, or None if the file is faulty."""
    assert content_type.view
    with temporary_folder({"map.toml": source.text.encode()}) as folder:
        try:
            return content_type.view(Path(folder) / "map.toml")
        except MusterError:
            return None


def _look_after(source: Source, change: str, name: str, before: MapView, content_type: ContentType) -> str:
    """Return the look of a cell after a change, or an empty string if the change is a fault or draws no look."""
    try:
        view = _view(with_painted_cells(source, [change], content_type), content_type)
    except MusterError:
        return ""
    cell = next((cell for cell in before.grid.cells if before.grid.name(cell) == name), None)
    if view is None or cell not in view.grid:
        return ""
    if "=" in change:
        return view.features.get(cell) or view.ground.get(cell, "")
    return view.features.get(cell, "") if view.features.get(cell) != before.features.get(cell) else ""
