"""The rules on a page, in the order of play.

The sequence in sentences, from data/blind_faith/reference.toml, filled with a pack's numbers and units.

The reference page: sequence, tables, column finder and the rulings used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

import msgspec

from generator.common.interpretations import Interpretation, defaults, interpretation_rows, readings, settled
from generator.common.tables import marked
from generator.common.whose import is_owners
from generator.games.blind_faith.ground import words
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.layout import pictures, tables, tokens
from generator.games.blind_faith.pages.pictures import dots
from generator.games.blind_faith.tables import ROLES, Role, Unit, UnitLine, switches, terrain_source, terrains
from generator.model.picture import Picture
from generator.model.views import Sheet
from generator.model.words import Words, joined
from generator.notation import toml
from generator.store.folders import shipped


class SequenceRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step or a rule in a sentence or two, under its catchword."""

    name: Words
    text: Words
    by: Literal["attack", "defence", ""] = ""
    """Whose step it is."""
    each: Words | None = None
    """Added where a unit fires at every front box."""
    nobody: Words | None = None
    """Said instead where nobody who is there can fire."""
    house: bool = False
    """A part of it is our reading."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deploy: SequenceRule
    march: tuple[SequenceRule, ...]
    battle: tuple[SequenceRule, ...]
    siege: tuple[SequenceRule, ...]
    crusade: tuple[SequenceRule, ...]


Part = Literal["march", "battle", "siege", "crusade"]


def steps(
    part: Part, pack: Pack, chosen: Mapping[str, str], there: Mapping[Role, UnitLine] | None = None
) -> list[dict[str, object]]:
    """The lines of a part as a view has them; `chosen` is by ruling, `there` the units that fight, if known."""
    lines: tuple[SequenceRule, ...] = getattr(_file(), part)
    return [_row(line, pack, chosen, there) for line in lines]


def deploy(pack: Pack, chosen: Mapping[str, str]) -> dict[str, object]:
    """How a battle is set up."""
    return _row(_file().deploy, pack, chosen, None)


def _row(
    line: SequenceRule, pack: Pack, chosen: Mapping[str, str], there: Mapping[Role, UnitLine] | None
) -> dict[str, object]:
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
    return {"name": line.name, "text": text.fill(**values), "by": line.by, "house": line.house}


_BETWEEN = 40
"""What stands between two rows takes as much room as so many letters."""


def _halves(rows: Sequence[dict[str, object]]) -> tuple[Sequence[object], Sequence[object]]:
    """The rows in two columns of about as much text."""
    sizes = [_BETWEEN + sum(len(text.en) for text in row.values() if isinstance(text, Words)) for row in rows]
    least = min(range(len(rows) + 1), key=lambda i: abs(sum(sizes[:i]) - sum(sizes[i:])))
    return rows[:least], rows[least:]


def _ground_dots() -> dict[str, Picture]:
    return {f"move{ground.move}": dots(ground.move) for ground in terrains().values() if ground.move}


def names(units: Iterable[Unit]) -> Words:
    """Unit classes by name, each once; a dash for none."""
    found = [unit.name for unit in units]
    return joined(found) if found else Words("–", "–")


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "blind_faith" / "reference.toml", _File)


def reference_sheet(
    pack: Pack, chosen: Mapping[str, str] | None = None, told: Iterable[Interpretation] = ()
) -> Sheet:
    """Two pages to play by, with a pack; `chosen` is by ruling, `told` the same as it is printed for a scenario."""
    chosen = chosen or defaults(switches())
    say = words()["reference"]
    rulings = interpretation_rows([*(told or settled(switches(), chosen)), *readings("blind_faith")])
    return Sheet(
        part="reference",
        title=say["title"],
        template="blind_faith/reference.xml",
        view={
            "march": steps("march", pack, chosen),
            "deploy": deploy(pack, chosen),
            "battle": steps("battle", pack, chosen),
            "siege": steps("siege", pack, chosen),
            "crusade": steps("crusade", pack, chosen),
            "ground": marked(say["ground"], terrain_source()),
            "grounds": [{"name": ground.name, "move": ground.move or 0} for ground in terrains().values()],
            **tables(pack),
            "fires_key": words()["record"]["fires_key"].fill(boxes=pack.boxes),
            "intercepting": names(unit for unit in pack.units.values() if unit.intercepts),
            "bombarding": names(unit for unit in pack.units.values() if unit.bombards),
            "rulings": rulings,
            "halves": _halves(rulings),
        },
        figures={**tokens(pack), **pictures(pack), **_ground_dots()},
        pages=2 if not is_owners(pack) else 4,
    )
