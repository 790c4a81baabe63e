"""`muster edit`: change a scenario or a map as a person would by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from generator.cli import console, put, scenario
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.scenario import SUFFIX, copies, told_by, user_files
from generator.model.words import Lang
from generator.notation.toml import Source
from generator.rules import Report
from generator.store.folders import folder_of, is_stream


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("changes", nargs=-1, metavar="[CHANGE]…")
@out_file(SUFFIX)
@console.answer_options
def edit_verb(file: Path, changes: tuple[str, ...], out: Path | None, lang: Lang, as_json: bool) -> None:
    """Change a scenario or map file. `P3>D5` moves unit P3 to D5; `C4=f` draws forest (f) on C4 of your own map.

    `hill=plateau` selects that ruling where the rules are unclear. C4+stakes lays stakes on C4.
    Without a change, the units that can be moved, or the terrain that can be drawn and placed, are listed. A change
    that breaks a rule is still made, and the violation is reported as by `muster check`.
    """
    source = Source.open(file)
    edited = (_moved if "muster" in source.data else _painted)(source, file, changes, lang)
    if out:
        if not is_stream(out) and out.parent != folder_of(file):
            put.files({out.parent / name: of for name, of in copies(edited.brought, (out.name,)).items()})
        put.file(out, edited.text.encode())
    shown = edited.text.splitlines() if changes and not out else []
    console.answer(as_json, {"file": str(out or ""), **edited.row}, [*shown, *edited.lines])
    if edited.report and not as_json:
        console.report(str(out or file), edited.report, lang)
    console.end_if(not edited.row["legal"])


class Edited(msgspec.Struct, frozen=True):
    """A file with its changes."""

    text: str
    brought: Mapping[str, Path]
    """The user's files that it names, by wish."""
    row: dict[str, object]
    """What is told of it (docs/json.md)."""
    lines: list[str]
    """The same for the terminal, but for a check's report."""
    report: Report | None


def _moved(source: Source, file: Path, changes: tuple[str, ...], lang: Lang) -> Edited:
    """A scenario with units moved, checked."""
    from generator.common.edits import moved, pieces  # a kit, which begins here too, needs none of it

    loaded = told_by(source, folder_of(file))
    if changes:
        loaded = told_by(moved(scenario.by_hand(loaded, str(file)), changes), folder_of(file))
    units = pieces(Source(str(file), loaded.text))
    row = console.report_row(loaded.report, lang) | {
        "units": [{"id": unit.id, "side": unit.side, "at": unit.cell} for unit in units],
        "symbols": [],
        "brushes": [],
        "problems": [],
    }
    lines = [] if changes else [f"{unit.id:<6} {unit.cell:<6} {unit.side}" for unit in units]
    return Edited(loaded.text, user_files(loaded, folder_of(file)), row, lines, loaded.report)


def _painted(source: Source, file: Path, changes: tuple[str, ...], lang: Lang) -> Edited:
    """A drawn map with other ground, held against what such a file has to be."""
    from generator.cli.shelves import recognised  # as above
    from generator.common.edits import painted

    shelf, _ = recognised(file)
    symbols = {symbol: name[lang] for symbol, name in shelf.symbols().items()}
    source = painted(source, changes, shelf)
    brushes = shelf.brushes()
    problems = shelf.check(source) if shelf.check else []
    row: dict[str, object] = {"legal": all(problem.remark for problem in problems), "rules": [], "findings": []}
    row |= {"units": [], "symbols": [{"symbol": symbol, "name": name} for symbol, name in symbols.items()]}
    row["brushes"] = [
        {
            "brush": name,
            "name": brush.name[lang],
            "ways": [{"way": way, "name": called[lang]} for way, called in brush.ways.items()],
            "several": brush.several,
            "named": brush.can_be_named,
        }
        for name, brush in brushes.items()
    ]
    row["problems"] = [console.problem_row(problem) for problem in problems]
    lines = [] if changes else [f"{sign}  {called}" for sign, called in symbols.items()]
    for name, brush in brushes.items() if not changes else ():
        lines.append(f"+{name}{':' if brush.ways else ''}{'|'.join(brush.ways)}  {brush.name[lang]}")
    return Edited(source.text, {}, row, [*lines, *(problem.describe(lang) for problem in problems)], None)
