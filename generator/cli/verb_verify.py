"""`muster verify`: compare a folder with its manifest and, with --deep, repeat its proofs."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from generator.cli import console
from generator.cli.help import Verb
from generator.cli.scenario import SCENARIO, load
from generator.cli.sight_proof import prove_sight
from generator.common.proof import (
    Case,
    Verifications,
    case_rows,
    proof_sentence,
    sentence,
)
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, Problem
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.store.folders import is_file, is_folder
from generator.store.manifest import FILLED, differences, foreign_files, kits_inside, manifest_value


@click.command(cls=Verb)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--deep", is_flag=True)
@console.answer_options
def verify_verb(folder: Path, deep: bool, lang: Lang, as_json: bool) -> None:
    """Check that the files of a kit are present and unchanged, compared with its manifest."""
    if is_file(folder):
        raise DataError(
            Problem(
                tr("is a file"),
                str(folder),
                hint=tr("give the folder that contains the file: {parent}", parent=folder.parent),
            )
        )
    words = console.words()
    rows, whole = list[dict[str, object]](), True
    for place in (folder, *(inside for inside in kits_inside(folder) if not _was_moved(inside))):
        found, others = differences(place), foreign_files(place)
        faults = [words[what].fill(name=name) for name, what in found if what != FILLED]
        proof = _repeat_proof(place) if deep else None
        faults += [words["deep_differs"]] if proof and not proof.as_stated else []
        faults += _recount_faults(place) if deep else []
        faults += _event_faults(place)
        filled = [name for name, what in found if what == FILLED]
        whole = whole and not faults
        findings = [fault["en"] for fault in faults]
        row = {"folder": str(place), "whole": not faults, "findings": findings, "filled": filled, "others": others}
        rows.append(row | ({"verified": verified_rows(proof.held), "proof": case_rows(proof.cases)} if proof else {}))
        if as_json:
            continue
        lines = [*faults, *(words["filled"].fill(name=name) for name in filled), *(proof.lines if proof else ())]
        lines += [words["foreign"].fill(name=name) for name in others]
        for line in (*lines, *([] if faults else [words["whole"]])):
            console.print_line(f"{place}: {line[lang]}")
    if as_json:
        outer, *inside = rows
        console.print_json({**outer, "whole": whole, "folders": inside})
    console.exit_if(not whole)


def _was_moved(place: Path) -> bool:
    """Return whether the folder of a round is now in the folder of copies, because the round is no longer paired."""
    if is_folder(place):
        return False
    from generator.cli.event_folder import COPIES_FOLDER

    return any(map(is_folder, (place.parent / COPIES_FOLDER).glob(f"{place.name}-[0-9]*")))


def _event_faults(folder: Path) -> list[Words]:
    """Return the faults in the record of an event, or an empty list if there is no event in the folder.

    Raises:
        DataError: If the record cannot be read.
    """
    from generator.tournament.event_file import NAME

    if not is_file(folder / NAME):
        return []
    from generator.cli.contradictions import find_contradictions
    from generator.cli.event_folder import event_faults

    found = find_contradictions(folder).of_packed_rounds
    return [*event_faults(folder), *(Words(problem.describe("en"), problem.describe("ja")) for problem in found)]


def _recount_faults(folder: Path) -> list[Words]:
    """Repeat the games that showed the scenarios of a round to be fair, and return the differences.

    The list is empty if the folder is not a round with such games.
    """
    from generator.cli.recount import recount_differences
    from generator.tournament.packing import PLAYED_FILE

    return recount_differences(folder / PLAYED_FILE) if is_file(folder / PLAYED_FILE) else []


class RepeatedProof(msgspec.Struct, frozen=True):
    """The repeated verification and proof of the lines of sight of a kit's scenario."""

    held: Verifications
    cases: tuple[Case, ...]
    as_stated: bool
    """Whether the manifest contains the same verification results, or none."""

    @property
    def lines(self) -> tuple[Words, ...]:
        """Sentences with the results."""
        sight_line = sentence(self.held)
        return (*([sight_line] if sight_line else []), proof_sentence(self.cases))


def _repeat_proof(folder: Path) -> RepeatedProof | None:
    """Repeat the proof of `check --prove` for the scenario of a kit, or return None if there is nothing to prove."""
    if not is_file(folder / SCENARIO):
        return None
    loaded = load(folder / SCENARIO)
    if loaded.game.sight is None:
        return None
    held = loaded.verify_sight("printed")
    return RepeatedProof(held, prove_sight(loaded), manifest_value(folder, "verified") in (None, verified_rows(held)))
