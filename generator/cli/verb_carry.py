"""`muster carry`: add the result of a played battle to a campaign's record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec

from generator.cli import console, request, safe_write
from generator.cli.help import Verb
from generator.cli.output import name_for_commands, out_file
from generator.cli.scenario import SUFFIX, Loaded, load
from generator.common.catalogue import RECORD
from generator.common.game import DRAW, Campaigner, Ended
from generator.common.ownership import content_type_of, print_commands
from generator.common.scenario_file import Short
from generator.common.tables import shared_words
from generator.errors import DataError, near
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.text import command
from generator.notation.toml import Source, convert
from generator.notation.validation import KeyPath
from generator.store.folders import is_stream
from generator.store.json_files import JsonFile
from generator.store.manifest import seal

_Counted = Annotated[int, msgspec.Meta(ge=0, le=999)]
"""The number of points towards victory."""


class _Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a battle as written by a user (docs/formats/campaign.md)."""

    winner: Annotated[str, msgspec.Meta(max_length=20)]
    """The winning side as named in scenario files, or `draw`."""
    lost: Annotated[tuple[Short, ...], msgspec.Meta(max_length=200)] = ()
    """The ids of the units that were lost."""
    left: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] = {}
    """The number of figures left in units that lost some, keyed by unit id."""
    counted: tuple[_Counted, _Counted] = (0, 0)
    """The points that each side scored towards victory."""


class _Played(msgspec.Struct, frozen=True):
    """The result of a game, as printed by `muster play --json`."""

    game: str
    winner: Literal[0, 1] | None
    counted: tuple[_Counted, _Counted]
    left: dict[str, int] = {}


def _read_result(path: Path, loaded: Loaded, units: Mapping[str, int]) -> Ended:
    """Return the result of a battle from a file in either format.

    Raises:
        DataError: If the file is faulty. The error lists every fault.
    """
    if path.suffix == ".json":
        file = JsonFile(path)
        played = convert(file.data, _Played, file.problem)
        if played.left.keys() != units.keys():
            why = tr(
                "the result does not list the units of this battle; the file belongs to another battle, "
                "or an earlier version of Muster wrote it"
            )
            raise DataError(file.problem(("left",), why))
        return Ended(played.winner, played.counted, played.left)
    source = Source.open(path)
    of = source.read(_Result)
    sides = [*loaded.game.seats, DRAW]
    unit_keys: list[tuple[KeyPath, str]] = [(("lost", at), id_) for at, id_ in enumerate(of.lost)]
    unit_keys += [(("left", id_), id_) for id_ in of.left]
    faults = [source.problem(keys, *_unknown_unit(id_, units)) for keys, id_ in unit_keys if id_ not in units]
    for id_, n in of.left.items():
        if n > units.get(id_, n):
            faults.append(
                source.problem(
                    ("left", id_), tr("the number left is {n}, but only {have} took part", n=n, have=units[id_])
                )
            )
    if of.winner not in sides:
        faults.append(
            source.problem(("winner",), tr("there is no side named {name!r}", name=of.winner), near(of.winner, sides))
        )
    DataError.raise_if_any(faults)
    winner = None if of.winner == DRAW else sides.index(of.winner)
    return Ended(winner, of.counted, {**units, **of.left, **dict.fromkeys(of.lost, 0)})


def _unknown_unit(id_: str, units: Mapping[str, int]) -> tuple[str, str]:
    return tr("there is no unit named {name!r} in this battle", name=id_[:40]), near(id_[:40], units)


@click.command(cls=Verb)
@click.argument("record", type=click.Path(path_type=Path), metavar="CAMPAIGN.toml")
@click.argument("file", type=click.Path(path_type=Path), metavar="SCENARIO.toml")
@click.argument("result", type=click.Path(path_type=Path), metavar="RESULT")
@out_file(SUFFIX)
@console.answer_options
def carry_verb(record: Path, file: Path, result: Path, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Add the result of a played battle to the record of a campaign, and show the next steps."""
    loaded, source = load(file), Source.open(record)
    game: Campaigner[Any] = request.capability(loaded.game, lambda game: game.campaign, tr("has no campaigns"))
    made = game.carry(
        source, loaded.scenario, loaded.stamp, _read_result(result, loaded, game.units(loaded.scenario))
    )
    target = out or record
    name = name_for_commands(target, SUFFIX)
    extra_files = {ending: name.with_name(f"{name.stem}{ending}") for ending in made.files}
    written = {target: made.text.encode()} | {
        extra_files[ending]: seal(of.encode()) for ending, of in made.files.items()
    }
    if is_stream(target):
        written = {target: made.text.encode()}
        safe_write.write_file(target, written[target])
    else:
        safe_write.write_files(written, {record})
    commands = [
        command(words, {key: str(extra_files.get(str(value), value)) for key, value in options.items()})
        for words, options in made.next
    ]
    content_type = content_type_of(loaded.game, RECORD)
    assert content_type
    commands += [command(*use) for use in print_commands(content_type, name, [loaded.game])]
    sentences = [line[lang] for line in made.lines]
    after = (shared_words()["campaign"]["next"].fill(command=one)[lang] for one in commands)
    row = {"files": [str(path) for path in written], "told": sentences, "next": commands}
    console.print_answer(as_json, row, [*written, *sentences, *after])
