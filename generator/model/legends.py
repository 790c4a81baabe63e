"""Collect what maps draw, so that a legend explains exactly that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from generator.model.views import Flag, Legend, MapView, Ray, Token

SECTION, RING = "section", "ring"
"""Legend keys of the dotted line between sections and of a ring."""
RAY, BREAK, SHOT, AIM, BLOW = "ray", "break", "shot", "aim", "blow"
"""Legend keys of lines from cell to cell: a line of sight, the mark at which it is blocked, a thin arrow, a strong
line without an arrowhead, and a strong arrow."""
WITH = "+"
"""Joins the keys of looks that are drawn on one cell of a legend, such as `pennant1+pennant_edge`."""


def drawn_looks(view: MapView) -> frozenset[str]:
    """Return the legend keys of everything that a map draws except tokens, flags and notes."""
    return frozenset(_looks(view))


def _looks(view: MapView) -> Iterator[str]:
    yield from view.ground.values()
    yield from view.features.values()
    yield from (shade.look for shade in view.shades if shade.cells)
    yield from (area.look for area in view.areas)
    yield from (track.look for track in view.tracks)
    if view.borders:
        yield SECTION
    if view.rings:
        yield RING
    for ray in view.rays:
        yield from _line_looks(ray)


def _line_looks(ray: Ray) -> Iterator[str]:
    """Yield the legend keys of a line."""
    if ray.stop is not None or ray.stop_at is not None:
        yield from (RAY, BREAK)
    elif ray.shot:
        yield BLOW if ray.arrow else AIM
    else:
        yield SHOT if ray.arrow else RAY


def drawn_flags(view: MapView) -> frozenset[tuple[str, str]]:
    """Return the shapes and colours of all flags on a map."""
    return frozenset((flag.shape, flag.colour) for flag in view.flags)


def keep_drawn(entries: Iterable[Legend], *views: MapView) -> tuple[Legend, ...]:
    """Return the entries of a legend whose samples are drawn on at least one of these maps.

    If only some looks of an entry are drawn, its sample contains only these. Entries of tokens and entries without a
    sample are always kept.
    """
    looks = frozenset(look for view in views for look in drawn_looks(view))
    flags = frozenset(flag for view in views for flag in drawn_flags(view))
    return tuple(kept for entry in entries if (kept := _kept(entry, looks, flags)))


def _kept(entry: Legend, looks: frozenset[str], flags: frozenset[tuple[str, str]]) -> Legend | None:
    sample = entry.sample
    if isinstance(sample, Token) or not sample:
        return entry
    if isinstance(sample, Flag):
        return entry if (sample.shape, sample.colour) in flags else None
    found = [key for key in sample.split() if looks.issuperset(key.split(WITH))]
    return replace(entry, sample=" ".join(found)) if found else None
