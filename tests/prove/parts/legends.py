"""Legends explain everything that the maps of a kit draw, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator import games
from generator.games.travel_battle.objectives import kinds as objective_kinds
from generator.model.legends import WITH, drawn_flags, drawn_looks
from generator.model.scenario import Request
from generator.model.views import Figure as KitFigure
from generator.model.views import Flag, Kit, Legend, MapView, Sheet, Token
from generator.model.words import LANGS, Lang
from generator.press.layout.markup import Node
from generator.press.sandbox.templates import read_sheet
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.theme import theme
from tests.prove.figure import SEED, Figure, counted, spread

CODES = 12
FADES = frozenset(("veil", "backdrop", "baseline"))
"""Looks without a meaning, which only make the map paler or mark the near edge of a card."""
CAPTIONED = frozenset(("linked",))
"""Diagrams whose captions explain their lines."""
MIN_CELLS = 2
"""Minimum number of cells of a map. A figure of a single cell is the sample of a legend in a template."""


class Case(NamedTuple):
    """A kit with all parts, given as game, number of its code and options."""

    game: str
    number: int
    options: tuple[tuple[str, str], ...] = ()


class PrintedFigures(NamedTuple):
    """The figures that the template of a sheet prints."""

    drawn: tuple[tuple[str, MapView], ...]
    """Maps, with the names of their figures."""
    samples: tuple[KitFigure, ...]
    """Samples in tables, which are tokens and maps of a single cell."""
    entries: tuple[Legend, ...]
    """Entries of legends."""


OPTIONS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "battlelore": ({}, {"age": "lore"}),
    "call_to_arms": ({}, {"age": "lore"}, {"mode": "organized"}, {"mode": "organized", "age": "lore"}),
    "travel_battle": ({}, {"boards": "2x2"}, *({"objective": kind} for kind in objective_kinds())),
    "battling": ({}, {"machines": "4", "points": "52"}, {"machines": "6", "points": "78"}, {"arena": "random"}),
    "blind_faith": ({"kind": "march"}, {"kind": "battle"}, {"kind": "siege"}),
}
"""The options of the kits of each game, which cover all kinds of maps."""


def prove() -> Iterator[Figure]:
    """Check kits with all parts, in both languages."""
    numbers = range(CODES)
    cases = [Case(game, n, tuple(of.items())) for game in games.names() for of in OPTIONS[game] for n in numbers]
    found = list(spread(faults, cases, "kits"))
    what = "kits: looks without a legend, and legends without a look"
    yield counted(what, len(cases), (fault for of in found for fault in of))


def faults(case: Case) -> tuple[str, ...]:
    """Return the faults in the legends of a kit with all parts."""
    game, code = games.load(case.game), code_for(SEED + case.number)
    scenario = game.draw(Request(code, dict(case.options), {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "").whole
    where = f"{case.game} {case.number} {dict(case.options) or ''}".rstrip()
    return tuple(f"{where}: {fault}" for lang in LANGS for fault in kit_faults(kit, lang))


def kit_faults(kit: Kit, lang: Lang) -> list[str]:
    """Return what a kit draws without a legend, and what its legends explain although it is not drawn.

    A look is explained on the sheet that draws it, or on the kit's first sheet, which explains the terrain.
    """
    sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
    printed = [(sheet, printed_figures(kit, sheet, lang)) for sheet in sheets]
    once = _explained(printed[0][1])[0] if printed else frozenset()
    found = []
    for sheet, of in printed:
        keys, flags = _explained(of)
        drawn = frozenset(look for _, view in of.drawn for look in drawn_looks(view)) - FADES
        waved = frozenset(flag for _, view in of.drawn for flag in drawn_flags(view))
        found += [f"{sheet.part} ({lang}): no legend for {look}" for look in sorted(drawn - keys - once)]
        units = {(token.shape, token.colour) for _, view in of.drawn for _, token in view.tokens}
        colours = theme().colour
        found += [
            f"{sheet.part} ({lang}): no legend for the flag {shape} {colour}"
            for shape, colour in sorted(waved - flags)
            if not colours[colour].pips
        ]
        entries = frozenset(
            key
            for entry in of.entries
            if isinstance(entry.sample, str)
            for keys_ in entry.sample.split()
            for key in keys_.split(WITH)
        )
        found += [f"{sheet.part} ({lang}): the legend's {key} is not drawn" for key in sorted(entries - drawn)]
        found += [
            f"{sheet.part} ({lang}): the legend's flag {shape} {colour} is not drawn"
            for shape, colour in sorted(_entry_flags(of) - waved - units)
        ]
    return found


def _explained(of: PrintedFigures) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Return the looks and flags that the samples and legends of a sheet explain."""
    keys = {
        key
        for entry in of.entries
        if isinstance(entry.sample, str)
        for several in entry.sample.split()
        for key in several.split(WITH)
    }
    keys |= {look for sample in of.samples if isinstance(sample, MapView) for look in drawn_looks(sample)}
    return frozenset(keys), _entry_flags(of)


def _entry_flags(of: PrintedFigures) -> frozenset[tuple[str, str]]:
    return frozenset((e.sample.shape, e.sample.colour) for e in of.entries if isinstance(e.sample, Flag))


def printed_figures(kit: Kit, sheet: Sheet, lang: Lang) -> PrintedFigures:
    """Return the figures that the template prints in a language."""
    drawn: dict[str, MapView] = {}
    samples: list[KitFigure] = []
    entries: list[Legend] = []
    for node in _nodes(read_sheet(kit, sheet, lang)):
        names = node.attributes.get("name", "").split("\0") if node.tag == "figure" else []
        if node.tag == "icons":
            names = node.attributes.get("names", "").split()
        for name in names:
            figure = sheet.figures.get(name)
            if isinstance(figure, MapView) and node.attributes.get("part", "map") != "map":
                entries += figure.legend
            elif isinstance(figure, MapView) and len(figure.grid.cells) >= MIN_CELLS and name not in CAPTIONED:
                drawn[name] = figure
            elif isinstance(figure, MapView | Token):
                samples.append(figure)
    return PrintedFigures(tuple(drawn.items()), tuple(samples), tuple(entries))


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.nodes():
        yield from _nodes(child)
