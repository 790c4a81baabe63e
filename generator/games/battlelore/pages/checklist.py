"""The draw as a checklist: what happened, in the order the players do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.battlelore.battle import OFF_BOARD
from generator.games.battlelore.ground.maps import house_maps
from generator.games.battlelore.lore import lore
from generator.games.battlelore.wishes import RANDOM
from generator.games.battlelore.words import words
from generator.games.logs import Step, told
from generator.games.logs import checklist as grouped
from generator.model.words import Words, joined, same


def checklist(
    log: Iterable[Step], told_by: Mapping[str, Words], names: Mapping[str, Words]
) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a camp together.

    `told_by` has each kind of step in words, `names` what the ids in their results are called.
    """

    def tell(step: Step) -> Words:
        return told(step, told_by, lambda part: names.get(part) or _word(step.what, part), OFF_BOARD)

    return grouped(log, tell, words()["camp"].__getitem__)


def _word(what: str, part: str) -> Words:
    if what == "map":
        if part == RANDOM:
            return words()["cover"][RANDOM]
        return house_maps()[part].name if part in house_maps() else same(part)
    names = {face.id: face.name for face in lore().play.face}
    if what == "dice":
        return joined([names.get(face, same(face)) for face in part.split()])
    if part in lore().banners:
        name = lore().banners[part].name
        return Words(name.en.lower(), name.ja)
    return same(part)
