"""The draw as a checklist: what happened, in the order the players do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.battlelore.battle import OFF_BOARD, Step
from generator.games.battlelore.lore import lore
from generator.games.battlelore.maps import house_maps
from generator.games.battlelore.setting import RANDOM
from generator.games.battlelore.words import camp_name, words
from generator.model.words import Words, joined, same


def checklist(
    log: Iterable[Step], told_by: Mapping[str, Words], names: Mapping[str, Words]
) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a camp together.

    `told_by` has each kind of step in words, `names` what the ids in their results are called.
    """
    groups: list[tuple[Words | None, list[Words]]] = []
    for step in log:
        who = camp_name(step.camp) if step.camp else None
        if not groups or groups[-1][0] != who:
            groups.append((who, []))
        groups[-1][1].append(told(step, told_by, names))
    return [{"who": who or same(""), "steps": steps} for who, steps in groups]


def told(step: Step, by: Mapping[str, Words], called: Mapping[str, Words]) -> Words:
    """A step in words; one that nobody knows tells its name and result."""
    result = [called.get(part) or _word(step, part) for part in step.result]
    what = f"{step.what}_none" if OFF_BOARD in step.result and f"{step.what}_none" in by else step.what
    if what not in by:
        return joined([same(what), *result])
    try:
        return Words(
            by[what].en.format(*(r.en for r in result), result=" ".join(r.en for r in result)),
            by[what].ja.format(*(r.ja for r in result), result="・".join(r.ja for r in result)),
        )
    except IndexError:  # a hand-written step that says less than the words ask for
        return joined([same(what), *result])


def _word(step: Step, part: str) -> Words:
    if step.what == "map":
        if part == RANDOM:
            return words()["cover"][RANDOM]
        return house_maps()[part].name if part in house_maps() else same(part)
    names = {face.id: face.name for face in lore().play.face}
    if step.what == "dice":
        return joined([names.get(face, same(face)) for face in part.split()])
    if part in lore().banners:
        name = lore().banners[part].name
        return Words(name.en.lower(), name.ja)
    return same(part)
