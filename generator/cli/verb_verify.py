"""`muster verify`: compare a folder with its manifest and, with --deep, repeat its proofs."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from generator.cli import console
from generator.cli.help import Verb
from generator.cli.scenario import SCENARIO, load
from generator.cli.sight_proof import proof
from generator.common.proof import (
    Case,
    Held,
    case_rows,
    proof_sentence,
    sentence,
)
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, Problem
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.store.folders import is_file
from generator.store.manifest import FILLED, differences, parts, stated, strangers


@click.command(cls=Verb)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--deep", is_flag=True)
@console.answer_options
def verify_verb(folder: Path, deep: bool, lang: Lang, as_json: bool) -> None:
    """Check that a kit's files are there and unchanged, as its manifest lists them."""
    if is_file(folder):
        raise DataError(
            Problem(
                tr("is a file"),
                str(folder),
                hint=tr("give the folder that contains it: {parent}", parent=folder.parent),
            )
        )
    words = console.words()
    rows, whole = list[dict[str, object]](), True
    for place in (folder, *parts(folder)):
        found, others = differences(place), strangers(place)
        faults = [words[what].fill(name=name) for name, what in found if what != FILLED]
        proof = _proved_again(place) if deep else None
        faults += [words["deep_differs"]] if proof and not proof.as_stated else []
        faults += _recounted(place) if deep else []
        faults += _booked(place)
        filled = [name for name, what in found if what == FILLED]
        whole = whole and not faults
        findings = [fault["en"] for fault in faults]
        row = {"folder": str(place), "whole": not faults, "findings": findings, "filled": filled, "others": others}
        rows.append(row | ({"verified": verified_rows(proof.held), "proof": case_rows(proof.cases)} if proof else {}))
        if as_json:
            continue
        told = [*faults, *(words["filled"].fill(name=name) for name in filled), *(proof.told if proof else ())]
        told += [words["foreign"].fill(name=name) for name in others]
        for said in (*told, *([] if faults else [words["whole"]])):
            console.line(f"{place}: {said[lang]}")
    if as_json:
        own, *inside = rows
        console.as_json({**own, "whole": whole, "folders": inside})
    console.end_if(not whole)


def _booked(folder: Path) -> list[Words]:
    """What cannot be in the book of the event in a folder; nothing where there is none. DataError with every line."""
    from generator.tournament.ledger import NAME

    if not is_file(folder / NAME):
        return []
    from generator.cli.contradictions import contradictions
    from generator.cli.event import faults

    found = contradictions(folder).of_packed_rounds
    return [*faults(folder), *(Words(problem.describe("en"), problem.describe("ja")) for problem in found)]


def _recounted(folder: Path) -> list[Words]:
    """What differs of the games that a round's scenarios were found fair by, played once more; nothing elsewhere."""
    from generator.cli.recount import recounted
    from generator.tournament.packing import PLAYED_FILE

    return recounted(folder / PLAYED_FILE) if is_file(folder / PLAYED_FILE) else []


class Again(msgspec.Struct, frozen=True):
    """The sight of a kit's scenario, verified and proved once more."""

    held: Held
    cases: tuple[Case, ...]
    as_stated: bool
    """Whether that is what its manifest says of it, if it says anything."""

    @property
    def told(self) -> tuple[Words, ...]:
        """What it came to."""
        told = sentence(self.held)
        return (*([told] if told else []), proof_sentence(self.cases))


def _proved_again(folder: Path) -> Again | None:
    """What `check --prove` says of the scenario in a kit's folder; None where there is none with lines of sight."""
    if not is_file(folder / SCENARIO):
        return None
    loaded = load(folder / SCENARIO)
    if loaded.game.sight is None:
        return None
    held = loaded.verified("printed")
    return Again(held, proof(loaded), stated(folder, "verified") in (None, verified_rows(held)))
