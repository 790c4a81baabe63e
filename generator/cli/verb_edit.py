"""`muster edit`: change a scenario or a map as a person would by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from generator.cli import console, safe_write, scenario
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.scenario import SUFFIX, file_copies, read_scenario, user_files
from generator.errors import DataError, Problem
from generator.localization import localize, tr
from generator.model.words import Lang
from generator.notation.envelope import is_as_written
from generator.notation.toml import Source
from generator.rules import Report
from generator.store.folders import folder_of, is_stream
from generator.store.manifest import seal_toml, without_mark


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("changes", nargs=-1, metavar="[CHANGE]…")
@out_file(SUFFIX)
@click.option("--swatches", "with_swatches", is_flag=True)
@console.answer_options
def edit_verb(
    file: Path, changes: tuple[str, ...], out: Path | None, with_swatches: bool, lang: Lang, as_json: bool
) -> None:
    """Change a scenario or map file.

    `P3>D5` moves unit P3 to D5, `P3+D5` adds a unit like P3 on D5, `P3-` removes P3, `B1a@NE` turns B1a, `C4=f` or
    `C4=forest` sets the terrain of C4 on a user's map, `C4+stakes` adds stakes to C4, and `hill=plateau` selects a
    ruling. If there are no changes, the command lists the units that can be moved, or the symbols and objects of the
    map. A change that breaks a rule is made anyway, and the violation is reported.
    """
    source = Source.open(file)
    source = Source(source.name, without_mark(source.text))
    if "muster" in source.data:
        edited = _move_units(source, file, changes, lang)
    else:
        edited = _edit_map(source, file, changes, lang, with_swatches)
    if out:
        if not is_stream(out) and out.parent != folder_of(file):
            safe_write.write_files(
                {out.parent / name: of for name, of in file_copies(edited.user_files, (out.name,)).items()}
            )
        # A scenario that still has its code shows by its own seal that Muster wrote it.
        content = edited.text.encode()
        safe_write.write_file(out, content if is_as_written(content) else seal_toml(edited.text))
    text_lines = edited.text.splitlines() if changes and not out else []
    console.print_answer(as_json, {"file": str(out or ""), **edited.values}, [*text_lines, *edited.lines])
    if edited.report and not as_json:
        console.print_report(str(out or file), edited.report, lang)
    if out and not as_json:
        click.echo(f"{out}")
    if changes and not out and not as_json:
        note = tr("no file was changed (to write the result to a file, add -o FILE{suffix})", suffix=SUFFIX)
        console.print_line(localize(note, lang), err=True)
    console.exit_if(not edited.values["legal"])


class Edited(msgspec.Struct, frozen=True):
    """A changed file, with the answer of the command."""

    text: str
    user_files: Mapping[str, Path]
    """The user's files that the scenario names, keyed by option."""
    values: dict[str, object]
    """The answer as plain values for JSON (docs/json.md)."""
    lines: list[str]
    """The answer as lines for the terminal, without the report of the check."""
    report: Report | None


def _move_units(source: Source, file: Path, changes: tuple[str, ...], lang: Lang) -> Edited:
    """Move units in a scenario, and return the scenario with the report of its check."""
    # Imported here, because kits import this module but do not edit.
    from generator.common.edits import pieces, with_moves

    loaded = read_scenario(source, folder_of(file))
    lost: list[Problem] = []
    if changes:
        comments = source.comments()
        changed = with_moves(scenario.as_handwritten(loaded, str(file)), changes)
        try:
            loaded = read_scenario(changed, folder_of(file))
        except DataError as error:
            # The lines are those of the rewritten file, which does not exist.
            raise DataError(*(problem.but(line=0) for problem in error.problems)) from error
        message = tr("this comment is not in the changed file")
        lost = [Problem(message, str(file), at, remark=True) for at, of in comments if of not in loaded.text]
    units = pieces(Source(str(file), loaded.text))
    row = console.report_values(loaded.report, lang) | {
        "units": [{"id": unit.id, "side": unit.side, "at": unit.cell, "facing": unit.facing} for unit in units],
        "symbols": [],
        "brushes": [],
        "problems": [console.problem_values(problem) | {"remark": True} for problem in lost],
    }
    for problem in lost:
        console.print_line(problem.describe(lang), err=True)
    lines = [] if changes else [f"{unit.id:<6} {unit.cell:<6} {unit.side}" for unit in units]
    return Edited(loaded.text, user_files(loaded, folder_of(file)), row, lines, loaded.report)


def _edit_map(
    source: Source, file: Path, changes: tuple[str, ...], lang: Lang, with_swatches: bool = False
) -> Edited:
    """Change the terrain of a map, and return the map with the faults of its file."""
    from generator.cli.data_files import recognise  # Imported here, because kits import this module but do not edit.
    from generator.common.edits import with_painted_cells

    content_type, _ = recognise(file)
    symbols = {symbol: name[lang] for symbol, name in content_type.symbols().items()}
    source = with_painted_cells(source, changes, content_type)
    brushes = content_type.brushes()
    problems = content_type.check(source) if content_type.check else []
    row: dict[str, object] = {"legal": all(problem.remark for problem in problems), "rules": [], "findings": []}
    row |= {"units": [], "symbols": [{"symbol": symbol, "name": name} for symbol, name in symbols.items()]}
    row["brushes"] = [
        {
            "brush": name,
            "name": brush.name[lang],
            "ways": [{"way": way, "name": label[lang]} for way, label in brush.ways.items()],
            "several": brush.several,
            "named": brush.can_be_named,
        }
        for name, brush in brushes.items()
    ]
    if with_swatches:
        from generator.cli.swatches import swatches  # Imported here, because only a palette needs the press.

        row["swatches"] = swatches(source, content_type, dict(brushes), lang)
    row["problems"] = [console.problem_values(problem) | {"remark": problem.remark} for problem in problems]
    lines = [] if changes else [f"{sign}  {label}" for sign, label in symbols.items()]
    for name, brush in brushes.items() if not changes else ():
        lines.append(f"+{name}{':' if brush.ways else ''}{'|'.join(brush.ways)}  {brush.name[lang]}")
    remark = console.words()["remark"]
    for problem in problems:
        lines.append(remark.fill(remark=problem)[lang] if problem.remark else problem.describe(lang))
    return Edited(source.text, {}, row, lines, None)
