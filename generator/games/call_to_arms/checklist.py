"""The draw as a checklist: what happened, in the order the players do it."""

from __future__ import annotations

from generator.games.battlelore.lore import lore
from generator.games.battlelore.maps import house_maps
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.file import OFF_BOARD
from generator.games.call_to_arms.scenario import Scenario, Step
from generator.games.call_to_arms.wishes import RANDOM
from generator.games.call_to_arms.words import words
from generator.model.words import Words, joined, same


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps: consecutive ones of a camp stand under its name."""
    groups: list[tuple[Words | None, list[dict[str, object]]]] = []
    for step in scenario.log:
        who = camp_name(step.camp) if step.camp else None
        if not groups or groups[-1][0] != who:
            groups.append((who, []))
        groups[-1][1].append({"text": told(step), "stream": step.stream})
    return [{"who": who or same(""), "steps": steps} for who, steps in groups]


def told(step: Step) -> Words:
    """A step in words."""
    say = words()["step"]
    result = [_word(step, part) for part in step.result]
    what = step.what
    if what == "reserve" and step.result[-1] == OFF_BOARD:
        what = "no_room"
    if what not in say:
        return joined([same(what), *result])
    template = say[what]
    return Words(
        template.en.format(*(r.en for r in result), result=" ".join(r.en for r in result)),
        template.ja.format(*(r.ja for r in result), result="・".join(r.ja for r in result)),
    )


def _word(step: Step, part: str) -> Words:
    if step.what == "map":
        return (
            words()["cover"][RANDOM]
            if part == RANDOM
            else house_maps()[part].name
            if part in house_maps()
            else same(part)
        )
    if step.what == "dice":
        names = {face.id: face.name for face in lore().play.face}
        return joined([names.get(face, same(face)) for face in part.split()])
    if step.what == "levy" and part in lore().banners:
        name = lore().banners[part].name
        return Words(name.en.lower(), name.ja)
    return same(part)
