"""Sight as a query: what a gun sees of a square, and what hides the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.errors import Problem, WrongUsageError
from generator.games.capability import SightTool
from generator.games.travel_battle.play.sight import READINGS, screens
from generator.games.travel_battle.play.tables import artillery
from generator.games.travel_battle.scenario import Scenario
from generator.games.travel_battle.wishes import switches
from generator.games.words import words
from generator.grid.squares import Square, distance
from generator.model.words import Words, joined, same
from generator.sight.looks import Look, judge


class Query:
    """The looks of one scenario as it stands on the table."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.land = scenario.battlefield.land
        self.screens = screens(self.land, scenario.standing)
        self.reading = READINGS[scenario.rulings["sight"]]

    def guns(self) -> Iterator[dict[str, Any]]:
        """What every gun sees of every square in its range."""
        for name, (_player, _brigade, unit) in self.scenario.units.items():
            if unit.kind.arm == "artillery" and unit.cell:
                for cell in self.land.field.cells:
                    if 1 <= distance(unit.cell, cell) <= artillery().range:
                        yield {"gun": name} | self.row(self.look(unit.cell, cell))

    def look(self, start: Square, end: Square) -> Look:
        """One look, judged."""
        return judge(self.land.field, self.screens, self.reading, start, end)

    def named(self, start: str, end: str) -> Look:
        """The look between two squares or units by name; WrongUsageError for an unknown one, or for one twice."""
        ends = self._square(start), self._square(end)
        if ends[0] == ends[1]:
            raise WrongUsageError("both ends are the same square")
        return self.look(*ends)

    def row(self, look: Look) -> dict[str, Any]:
        """A look as plain values."""
        name = self.land.field.name
        return {
            "from": name(look.start),
            "to": name(look.end),
            "distance": look.distance,
            "share": shown(look.share),
            "in_sight": look.clear,
            "hidden_by": [name(cell) for cell in look.hidden_by],
            "fires": look.clear and artillery().near <= look.distance <= artillery().range,
        }

    def explain(self, look: Look) -> Words:
        """The look in sentences."""
        say, name = words("travel_battle")["sight"], self.land.field.name
        parts = [say["ends"].fill(start=name(look.start), end=name(look.end), n=look.distance)]
        if any(self.land.height(cell) for cell in (look.start, look.end)):
            parts.append(say["height"])
        if look.hidden_by:
            parts.append(say["hidden"].fill(what=joined([self._what(look, cell) for cell in look.hidden_by])))
        values = {"share": shown(look.share)}
        parts.append(say["seen" if look.clear else "unseen"].fill(**values))
        if look.distance < artillery().near:
            parts.append(say["near"])
        if look.distance > artillery().range:
            parts.append(say["far"].fill(n=artillery().range))
        chosen = switches()["sight"][self.scenario.rulings["sight"]]
        parts.append(say["ruling"].fill(text=chosen.text))
        return Words("\n".join(part.en for part in parts), "\n".join(part.ja for part in parts))

    def _what(self, look: Look, cell: Square) -> Words:
        """A square that hides, with the ground that does, or else the unit."""
        say, terrain = words("travel_battle")["sight"], self.land.terrain(cell)
        higher = terrain.height > max(self.land.height(look.start), self.land.height(look.end))
        ground = terrain.blocks and (higher or not terrain.height)
        what = terrain.name if ground else say["unit"]
        return say["what"].fill(cell=self.land.field.name(cell), what=Words(what.en.lower(), what.ja))

    def _square(self, name: str) -> Square:
        field, units = self.land.field, self.scenario.units
        spelt = {known.casefold(): known for known in units}
        exact, alike = units.get(name), units.get(spelt.get(name.casefold(), ""))
        # B1 is a brigadier and b1 a square, while a unit in any case is taken where no square has the name.
        found = exact[2].cell if exact else field.find(name.lower()) or (alike[2].cell if alike else None)
        if found is None:
            hint = f"a1 to {field.name(field.cells[-1])}, or a unit"
            raise WrongUsageError(Problem(f"no square {name!r} on this field", hint=hint))
        return found


def shown(share: Fraction) -> str:
    """A share as it is printed, such as `37/130`; `1/1` is the whole."""
    return f"{share.numerator}/{share.denominator}"


def _line(row: Mapping[str, object]) -> Words:
    """A look in a line for the terminal."""
    say = words("travel_battle")["sight"]
    hidden = row["hidden_by"]
    by = say["line_partly" if row["in_sight"] else "line_hidden"]
    what = by.fill(cells=" ".join(hidden)) if isinstance(hidden, list) and hidden else same("")
    verdict = say["line_seen" if row["in_sight"] else "line_unseen"]
    values = {"gun": row.get("gun", ""), "start": row["from"], "end": row["to"], "n": row["distance"]}
    return say["line"].fill(**values, share=row["share"], verdict=verdict, hidden=what)


SIGHT: SightTool[Scenario] = SightTool(
    pairs=lambda scenario: Query(scenario).guns(),
    pair=lambda scenario, a, b: (asked := Query(scenario)).row(asked.named(a, b)),
    explain=lambda scenario, a, b: (asked := Query(scenario)).explain(asked.named(a, b)),
    line=_line,
)
