"""The data files of Battling, for `muster data`."""

from __future__ import annotations

from pathlib import Path

from generator.errors import Problem
from generator.games.battling.forces.machines import house_pack, load_pack, read_pack
from generator.games.battling.ground.arenas import drawing, house_arenas, load_arena, read_file
from generator.games.battling.ground.lawful import arena_rules, edge_name, opening
from generator.games.battling.pages.mapsheet import arena_view
from generator.games.battling.wishes import switches
from generator.games.capability import Shelf
from generator.games.readings import readings
from generator.games.shelving import Rows, faults, headed, lying, own, ruling_rows, single, table
from generator.model.views import MapView
from generator.model.words import Lang, Words
from generator.notation.toml import Source
from generator.rules.rule import check


def _arena(of: str | Path, lang: Lang) -> Rows:
    """An arena's head, its buildings as they are typed, and what its edges see of each other."""
    path = own(of)
    found = load_arena(path) if path else house_arenas()[str(of)]
    arena = found.arena
    rows = [[headed(found, lang)], *([[found.note[lang]]] if found.note[lang] else [])]
    rows += [[f"{arena.field.columns} × {arena.field.rows}, fine {arena.fine}"]]
    rows += [[line] for line in str(drawing(arena)["buildings"]).splitlines()]
    for edge in arena.edges:
        seen = opening(arena, edge)
        rows.append([edge_name(edge)[lang], str(len(seen.cells)), str(len(seen.covered)), f"{seen.percent} %"])
    return rows


def _arena_problems(source: Source) -> list[Problem]:
    """What keeps an arena from being read, or else from being a good one (docs/formats/arena.md)."""
    if unread := faults(read_file)(source):
        return unread
    found = check(arena_rules(), read_file(source).arena).findings
    return [source.problem(("buildings",), f"{finding.rule.id}: {finding.why.en}") for finding in found]


def _view(of: str | Path) -> MapView:
    return arena_view((load_arena(of) if isinstance(of, Path) else house_arenas()[of]).arena)


def _charts(of: str | Path, lang: Lang) -> Rows:
    """Machines with their hit points and lines of the charts, then the results of battling."""
    pack = load_pack(own(of))
    rows = [[headed(pack, lang)], ["", "", "", "HP", "points", "armour", "shooting"]]
    for kind in pack.machines.values():
        numbers = " ".join(map(str, kind.shooting))
        facts = (kind.hp, kind.points, kind.armour)
        rows.append([kind.id, kind.name[lang], kind.caption, *map(str, facts), numbers])
    for chart in ("damage", "battling"):
        rows += [[""], [chart, *pack.machines]]
        rows += [[k.id, *(str(getattr(k, chart)[other]) for other in pack.machines)] for k in pack.machines.values()]
    return [*rows, [""], *([f"{difference:+d}", *results] for difference, results in pack.results.items())]


def _rulings(lang: Lang) -> Rows:
    return ruling_rows(switches(), lang, readings("battling"))


SHELVES = (
    Shelf(
        "arena",
        lambda: {n: a.name for n, a in house_arenas().items()},
        _arena,
        _arena_problems,
        ("buildings",),
        _view,
        lying("battling", "arenas"),
        ("arena",),
        what=Words("arena", "アリーナ"),
        read=read_file,
    ),
    Shelf(
        "charts",
        lambda: {"house-charts": house_pack().name},
        _charts,
        faults(read_pack),
        ("machine",),
        file=single("battling", "machines.toml"),
        takes=("charts",),
        what=Words("charts", "チャート"),
        read=read_pack,
    ),
    table("machine-rulings", Words("Rulings on machines", "ATの裁定"), _rulings),
)
