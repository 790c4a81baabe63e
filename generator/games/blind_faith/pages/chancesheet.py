"""The chances of single dice between all classes of a pack, for the reference."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.pages.dicesheet import answers, clash_told, hit_chance
from generator.games.blind_faith.pages.tableview import pack_told
from generator.games.blind_faith.play.odds import bombard_chances
from generator.games.blind_faith.scenario import OTHER
from generator.games.blind_faith.words import side_name, words
from generator.games.chances import percent
from generator.model.views import Sheet


def chances_sheet(pack: Pack) -> Sheet:
    """What one charge, shot, bombardment or response comes to."""
    say = words()["odds"]
    named = {kind.id: kind.name for kind in pack.types}
    return Sheet(
        part="reference",
        title=say["title"],
        template="blind_faith/chances.xml",
        view={
            "charges": list(_charges(pack)),
            "types": list(named.values()),
            "shots": [
                {"name": named[row], "cells": [percent(hit_chance(pack, row, target)) for target in named]}
                for row in dict.fromkeys(row for row, _ in pack.fire)
            ],
            "walls": [wall.name for wall in pack.walls],
            "bombard": [
                {"name": named[row], "cells": [percent(_breach(pack, row, wall.id)) for wall in pack.walls]}
                for row in dict.fromkeys(row for row, _ in pack.bombard)
            ],
            "answers": list(answers(pack, pack.response.columns[-1].start + 4 * pack.response.step - 1)),
            "pack": pack_told(pack),
        },
    )


def _charges(pack: Pack) -> Iterator[dict[str, object]]:
    """Each side's classes against those of the other."""
    for side in SIDES:
        targets = pack.of_side(OTHER[side])
        yield {
            "head": words()["odds"]["charges"].fill(side=side_name(side)),
            "targets": [target.name for target in targets],
            "rows": [
                {"name": unit.name, "cells": [clash_told(pack, unit.id, target.id) for target in targets]}
                for unit in pack.of_side(side)
            ],
        }


def _breach(pack: Pack, row: str, wall: str) -> Fraction:
    return bombard_chances(pack, row, wall).get("breach", Fraction())
