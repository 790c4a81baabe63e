"""Record sheets of a battle, and blank ones.

Record sheets: a row for each unit, three brigades to a page.

Blank record sheets, to be filled in by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from generator.common.scenario_file import NAMELESS, called
from generator.common.tables import words
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.maps import unit_token
from generator.games.travel_battle.model import SIDES, Army, Brigade, Scenario, Side, Unit
from generator.games.travel_battle.objectives import fatal, kinds, victory_lines
from generator.games.travel_battle.play import march
from generator.games.travel_battle.tables import numbers
from generator.grid.squares import DIRECTIONS
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined
from generator.notation import toml

BOXES: Mapping[str, int] = {
    "turned": 3,
    "held": 3,
    "runs": 2,
    "rallied": 2,
    "removed": 1,
    "squared": 3,
    "doubled": 2,
}
"""How often each thing that may befall a unit, or that infantry may form, can be ticked."""
FULL = 18
"""More units of a user's own, or any with names of their owner's, may need a second page."""


def record_sheets(scenario: Scenario, player: Side) -> Iterator[Sheet]:
    """A player's record sheets: one, or in club games one for each army of three brigades."""
    army, size = scenario.armies[player], numbers().brigades
    for first in range(0, max(1, len(army.brigades)), size):
        yield _record(scenario, army, army.brigades[first : first + size])


def _record(scenario: Scenario, army: Army, brigades: Sequence[Brigade]) -> Sheet:
    say, player = words("travel_battle")["record"], army.player
    figures: dict[str, Figure] = {
        unit.id: unit_token(player, brigade.number, unit) for brigade in brigades for unit in brigade.units
    }
    title = say["title"]
    if len(brigades) < len(army.brigades):
        title = joined([title, say["brigades"].fill(first=brigades[0].number, last=brigades[-1].number)])
    named = any(unit.name != NAMELESS for brigade in brigades for unit in brigade.units)
    enemy = max(len(other.brigades) for other in scenario.armies.values())
    return Sheet(
        part="records",
        title=title,
        template="travel_battle/record.xml",
        view={
            "order": say["first" if scenario.first_mover == player else "second"],
            "win": list(victory_lines(scenario)),
            "boxes": BOXES,
            "brigades": [_brigade(scenario, brigade) for brigade in brigades],
            "turns": scenario.turns or _count(scenario, "survive") or usual_turns(),
            "tracks": list(_tracks(scenario, player)),
            "enemy": enemy,
            "fatal": fatal(enemy),
        },
        figures=figures,
        side=words("travel_battle")["player"][player],
        pages=1 if len(figures) <= FULL and not named else 2,
    )


def usual_turns() -> int:
    """As many turns as a sheet counts where nothing ends the battle."""
    return next(turns for turns in numbers().turns if turns)


def _count(scenario: Scenario, kind: str) -> int:
    return scenario.objective.count if scenario.objective.kind == kind else 0


def _tracks(scenario: Scenario, player: Side) -> Iterator[dict[str, object]]:
    """What the player counts for the objective."""
    say, of = words("travel_battle")["record"], scenario.objective
    if of.player == player and f"count_{of.kind}" in say and of.count:
        yield {"name": say["objective"].fill(name=kinds()[of.kind].name, what=say[f"count_{of.kind}"]), "n": of.count}


def _brigade(scenario: Scenario, brigade: Brigade) -> dict[str, object]:
    say, leader = words("travel_battle")["record"], brigade.brigadier
    move = leader.kind.move if leader else 0
    return {
        "name": called(say["brigade"].fill(n=brigade.number), brigade.name),
        "leader": _row(scenario, leader) if leader else None,
        "reach": say[f"reach_{scenario.rulings['road_strict']}"].fill(n=move, road=move + march().road),
        "lost": say["lost"].fill(n=len(brigade.fighters)),
        "units": [_row(scenario, unit) for unit in brigade.fighters],
    }


def _row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    say, direction = words("travel_battle")["record"], words("travel_battle")["direction"][DIRECTIONS[unit.facing]]
    name = scenario.battlefield.land.field.name
    others = [other.id for _, other in scenario.standing.get(unit.cell, ()) if other != unit] if unit.cell else []
    return {
        "id": unit.id,
        "kind": called(unit.kind.name, unit.name),
        "at": name(unit.cell) if unit.cell else say["nowhere"],
        "with": " ".join(others),
        "foot": unit.kind.arm == "infantry",
        "facing": say["square"] if unit.square else direction,
    }


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """sheets.toml as it stands."""

    units: int
    notes: int
    half_boxes: int
    figures: dict[str, int]
    """Of each kind of unit of the army that ships, so many figures a piece."""


room = toml.shipped_table("travel_battle/sheets.toml", Room)
"""How much room the sheets give."""


def _initials(kinds: Iterable[Kind]) -> dict[Kind, str]:
    """What stands for a kind in Japanese: as little of its name as no other kind's begins with."""
    kinds = tuple(kinds)
    found = {}
    for kind in kinds:
        others = [other.name.ja for other in kinds if other != kind]
        starts = (kind.name.ja[:n] for n in range(1, len(kind.name.ja) + 1))
        found[kind] = next((s for s in starts if not any(other.startswith(s) for other in others)), kind.letter)
    return found


def army_sheet(roster: Roster, *, half: bool = False) -> Sheet:
    """A row for each unit of an army, brigade by brigade; `half` puts two shorter ones on a page."""
    say = words("travel_battle")["blank"]
    initials = _initials(roster.fighters)
    letters = [Words(f"{k.letter} {k.name.en.lower()}", f"{initial}＝{k.name.ja}") for k, initial in initials.items()]
    return Sheet(
        part="sheets",
        title=say["army"],
        template=f"travel_battle/{'half' if half else 'army'}.xml",
        view={
            "players": [words("travel_battle")["player"][player] for player in SIDES],
            "brigades": list(range(1, numbers().brigades + 1)),
            "rows": sum(roster.counts) if half else room().units,
            "letters": joined([Words(kind.letter, initial) for kind, initial in initials.items()], "  ", "  "),
            "key": say["half_key" if half else "key"].fill(letters=joined(letters)),
            "boxes": {what: min(count, room().half_boxes) for what, count in BOXES.items()} if half else BOXES,
            "turns": usual_turns(),
            "fatal": fatal(numbers().brigades),
            "notes": room().notes,
        },
    )
