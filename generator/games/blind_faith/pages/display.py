"""Displays for battles and sieges, and the reference pages.

The sequence of play is in data/blind_faith/reference.toml and is filled in with the numbers and units of a pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from generator.common.interpretations import (
    Interpretation,
    defaults,
    interpretation_rows,
    interpretations_of,
    readings,
)
from generator.common.ownership import is_user_content
from generator.common.tables import ReferenceRow, mark_house_content
from generator.games.blind_faith.ground import format_units, words
from generator.games.blind_faith.pages.layout import (
    columns_of,
    dots,
    pictures,
    room,
    signed,
    tables,
    tokens,
)
from generator.games.blind_faith.tables import (
    ROLES,
    Pack,
    Role,
    Side,
    Unit,
    UnitLine,
    switches,
    terrain_source,
    terrains,
)
from generator.model.views import Sheet
from generator.model.words import Words, joined, same
from generator.notation import toml

EMPTY = same("")


def blank_battle(pack: Pack, chosen: Mapping[str, str] | None = None, *, part: str = "sheets") -> Sheet:
    """Return a battle display without units."""
    texts, chosen = words()["role"], chosen or defaults(switches())
    return Sheet(
        part=part,
        title=words()["display"]["battle"],
        template="blind_faith/battle_blank.xml",
        view={
            "boxes": pack.boxes,
            "attacker": texts["attack"],
            "defender": texts["defence"],
            **battle_line(pack, "hussite", ()),
            "deploy": deploy(pack, chosen),
            "exchange": side_steps("battle", pack, chosen, None),
            "after": side_steps("battle", pack, chosen, None, by_both=True),
            "refill": switches()["defender_refill"][chosen["defender_refill"]].text,
            "rounds": room().rounds,
        },
        landscape=True,
    )


def blank_siege(pack: Pack) -> Sheet:
    """Return a siege display without units."""
    texts = words()["role"]
    return Sheet(
        part="sheets",
        title=words()["display"]["siege"],
        template="blind_faith/siege_blank.xml",
        view={
            "besieger": texts["besieger"],
            "garrison": texts["garrison"],
            **battle_line(pack, "hussite", ()),
            "steps": steps("siege", pack, defaults(switches())),
            "rounds": room().rounds,
        },
        landscape=True,
    )


def _slot(pack: Pack, side: Side, unit: str) -> dict[str, object]:
    """Return a box with a unit, or an empty box."""
    if not unit:
        return {"figure": "", "name": EMPTY, "brief": EMPTY, "drm": ""}
    name = pack.units[unit].name
    kind = next(one.name for one in pack.types if one.id == pack.units[unit].type)
    # The shorter of the names of the class and of its type fits in a small box. The counter shows which class it is.
    brief = Words(min(name.en, kind.en, key=len), min(name.ja, kind.ja, key=len))
    return {"figure": f"{side}.{unit}", "name": name, "brief": brief, "drm": signed(pack.units[unit].drm)}


def battle_line(pack: Pack, side: Side, front: UnitLine) -> dict[str, object]:
    """Return the defender's front as columns of boxes, each headed by the response column for that many units."""
    plan = room().line
    columns = max(plan.columns, -(-len(front) // plan.deep))
    places: Sequence[str] = [*front, *[""] * (columns * plan.deep - len(front))]
    return {
        "heads": [_head(pack, range(first + 1, first + plan.deep + 1)) for first in _starts(columns)],
        "rows": [
            [{"n": first + row + 1, **_slot(pack, side, places[first + row])} for first in _starts(columns)]
            for row in range(plan.deep)
        ],
        "named": columns <= plan.named_columns,
        "list": words()["display"]["key"].fill(units=format_units(pack, front)) if front else EMPTY,
    }


def _starts(columns: int) -> Iterable[int]:
    """Return the number of boxes before each column of the front."""
    deep = room().line.deep
    return range(0, columns * deep, deep)


def _head(pack: Pack, places: range) -> dict[str, object]:
    """Return the heading of a column of boxes: its numbers of units and their response columns.

    The brief form for a display with the response table is empty if the column has the same numbers of units.
    """
    texts, units = words()["display"], f"{places[0]}–{places[-1]}"
    found = [(column, drm) for _, _, column, drm in columns_of(pack, places)]
    long = [texts["drm" if drm else "column"].fill(column=column, drm=signed(drm)) for column, drm in found]
    brief = [
        texts["drm_brief" if drm else "column_brief"].fill(column=column, drm=signed(drm)) for column, drm in found
    ]
    return {"units": units, "column": joined(long), "brief": "" if found == [(units, 0)] else joined(brief)}


class SequenceRule(ReferenceRow, frozen=True, forbid_unknown_fields=True):
    """A step or rule of the sequence of play."""

    by: Literal["attack", "defence", ""] = ""
    """The side that performs the step; empty for both sides."""
    each: Words | None = None
    """Text added if a unit fires at every front box."""
    nobody: Words | None = None
    """Text used instead if none of the units can fire."""
    house: bool = False
    """Whether part of the rule is our reading."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deploy: SequenceRule
    march: tuple[SequenceRule, ...]
    battle: tuple[SequenceRule, ...]
    siege: tuple[SequenceRule, ...]
    crusade: tuple[SequenceRule, ...]


Part = Literal["march", "battle", "siege", "crusade"]


def side_steps(
    part: Part,
    pack: Pack,
    chosen: Mapping[str, str],
    there: Mapping[Role, UnitLine] | None,
    *,
    by_both: bool = False,
) -> list[dict[str, object]]:
    """Return the steps of a round that a side performs or, with `by_both`, those that concern both sides."""
    return [row for row in steps(part, pack, chosen, there) if bool(row["by"]) != by_both]


def steps(
    part: Part, pack: Pack, chosen: Mapping[str, str], there: Mapping[Role, UnitLine] | None = None
) -> list[dict[str, object]]:
    """Return the lines of a part of the sequence.

    `chosen` is the choice for each ruling. `there` contains the units that fight, or is None if they are not
    known.
    """
    lines: tuple[SequenceRule, ...] = getattr(_file(), part)
    return [_row(line, pack, chosen, there) for line in lines]


def deploy(pack: Pack, chosen: Mapping[str, str]) -> dict[str, object]:
    """Return the rule for setting up a battle."""
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
"""The space between two rows, as a number of letters."""


def _halves(rows: Sequence[dict[str, object]]) -> tuple[Sequence[object], Sequence[object]]:
    """Return the rows divided into two columns with about the same amount of text."""
    sizes = [_BETWEEN + sum(len(text.en) for text in row.values() if isinstance(text, Words)) for row in rows]
    split = min(range(len(rows) + 1), key=lambda i: abs(sum(sizes[:i]) - sum(sizes[i:])))
    return rows[:split], rows[split:]


def names(units: Iterable[Unit]) -> Words:
    """Return the names of these unit classes, or a dash if there are none."""
    found = [unit.name for unit in units]
    return joined(found) if found else Words("–", "–")


_file = toml.shipped_table("blind_faith/reference.toml", _File)


def reference_sheet(
    pack: Pack, chosen: Mapping[str, str] | None = None, interpretations: Iterable[Interpretation] = ()
) -> Sheet:
    """Return a two-page reference for play with this pack.

    `chosen` is the choice for each ruling. `interpretations` contains the same choices as printed for a scenario.
    """
    chosen = chosen or defaults(switches())
    texts = words()["reference"]
    rulings = interpretation_rows(
        [*(interpretations or interpretations_of(switches(), chosen)), *readings("blind_faith")]
    )
    ground_dots = {f"move{ground.move}": dots(ground.move) for ground in terrains().values() if ground.move}
    return Sheet(
        part="reference",
        title=texts["title"],
        template="blind_faith/reference.xml",
        view={
            "march": steps("march", pack, chosen),
            "deploy": deploy(pack, chosen),
            "battle": steps("battle", pack, chosen),
            "siege": steps("siege", pack, chosen),
            "crusade": steps("crusade", pack, chosen),
            "ground": mark_house_content(texts["ground"], terrain_source()),
            "grounds": [{"name": ground.name, "move": ground.move or 0} for ground in terrains().values()],
            **tables(pack),
            "fires_key": words()["record"]["fires_key"].fill(boxes=pack.boxes),
            "intercepting": names(unit for unit in pack.units.values() if unit.intercepts),
            "bombarding": names(unit for unit in pack.units.values() if unit.bombards),
            "halves": _halves(rulings),
        },
        figures={**tokens(pack), **pictures(pack), **ground_dots},
        pages=2 if not is_user_content(pack) else 4,
    )
