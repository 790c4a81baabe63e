"""The sequence in sentences, from data/blind_faith/reference.toml, filled with a pack's numbers and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import ROLES, Line, Role, Unit
from generator.games.blind_faith.wishes import switches
from generator.model.words import Words, joined
from generator.notation import toml
from generator.store.folders import shipped


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step or a rule in a sentence or two, under its catchword."""

    name: Words
    text: Words
    by: Literal["attack", "defence", ""] = ""
    """Whose step it is."""
    each: Words | None = None
    """Added where a unit fires at every front box."""
    nobody: Words | None = None
    """Said instead where nobody who is there can fire."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deploy: Rule
    march: tuple[Rule, ...]
    battle: tuple[Rule, ...]
    siege: tuple[Rule, ...]
    crusade: tuple[Rule, ...]


Part = Literal["march", "battle", "siege", "crusade"]


def steps(
    part: Part, pack: Pack, chosen: Mapping[str, str], there: Mapping[Role, Line] | None = None
) -> list[dict[str, object]]:
    """The lines of a part as a view has them; `chosen` is by ruling, `there` the units that fight, if known."""
    lines: tuple[Rule, ...] = getattr(_file(), part)
    return [_row(line, pack, chosen, there) for line in lines]


def deploy(pack: Pack, chosen: Mapping[str, str]) -> dict[str, object]:
    """How a battle is set up."""
    return _row(_file().deploy, pack, chosen, None)


def _row(line: Rule, pack: Pack, chosen: Mapping[str, str], there: Mapping[Role, Line] | None) -> dict[str, object]:
    units = pack.units.values()
    firing = {role: [u for u in units if role in u.fires and (not there or u.id in there[role])] for role in ROLES}
    each = [unit for unit in firing["defence"] if unit.each_box]
    persons = {legate.unit for legate in pack.legates} - {""}
    values: dict[str, object] = {
        "boxes": pack.boxes,
        "attack": names(firing["attack"]),
        "defence": names(firing["defence"]),
        "each": names(each),
        "intercepts": names(unit for unit in units if unit.intercepts),
        "persons": names(unit for unit in units if unit.id in persons),
        **{name: switches()[name][choice].text for name, choice in chosen.items()},
    }
    text = line.text
    if line.nobody and line.by and not firing[line.by]:
        text = line.nobody
    elif line.each and each:
        text = Words(text.en + line.each.en, text.ja + line.each.ja)
    return {"name": line.name, "text": text.fill(**values), "by": line.by}


def names(units: Iterable[Unit]) -> Words:
    """Unit classes by name, each once; a dash for none."""
    found = [unit.name for unit in units]
    return joined(found) if found else Words("–", "–")


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "blind_faith" / "reference.toml", _File)
