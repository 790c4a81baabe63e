"""A legal Organized game, and functions that play Specialists in this game.

It is a Lore game in which the Pennant player owns the expansion and moves second, with the cards A3, A5 and A4
from left to right and the reserve A6. The brook map has water in both left corners, and here also in the Pennant
player's right corner. Each player has picked two Specialists but has not played them yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from generator.games.battlelore.forces import Kind
from generator.games.battlelore.ground import Side
from generator.games.battlelore.model import OTHER
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Scenario
from generator.games.call_to_arms.specialists import Exchange, Play
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.call_to_arms.scenes import (
    BROOK,
    GAME,
    Edit,
    army,
    both,
    field_text,
    find,
    fired,
    pool,
    unit,
    with_evidence_only,
)

WISHES = {
    "mode": "organized",
    "age": "lore",
    "owner": "pennant",
    "map": "field.toml",
    "set-pennant": "A,C",
    "cards-pennant": "A3,A5,A4,A6",
    "place-pennant": "A3,A5,A4,A6",
    "set-standard": "A,B/pennant",
    "cards-standard": "B4/pennant,B1/pennant,B2/pennant,B5/pennant",
    "place-standard": "B4/pennant,B1/pennant,B2/pennant,B5/pennant",
    "council-pennant": "commander 1, warrior 1, wizard 1, cleric 1, rogue 2",
}
WATER = (*BROOK, (-1, 0), (-1, 1))

Choice = str | Callable[[Scenario], str]


@cache
def organized(which: str = "battlelore") -> Scenario:
    """Return the scenario on a board with the profile `which`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "field.toml"
        path.write_text(field_text(which, WATER), "utf-8")
        drawn: Scenario = GAME.draw(Request(code_for(1), WISHES, {"map": path}))
    forces = {camp: replace(force, specialists=FILLERS[camp]) for camp, force in drawn.forces.items()}
    scenario = with_evidence_only(replace(drawn, forces=forces, plays=()))
    assert fired(scenario) == set()
    return scenario


def council(**levels: int) -> Edit:
    """Return an edit that replaces the Pennant player's war council."""
    return lambda scenario: army(scenario, "pennant", council=levels)


FILLERS: Mapping[Side, tuple[str, ...]] = {
    "pennant": ("archers_stakes", "bow_upgrade"),
    "standard": ("vantage_point", "forced_enrollment"),
}
"""Specialists picked by each player. None of them is played."""
SPARE = ("dwarven_mercenaries", "goblinoid_mercenaries", "archers_stakes", "bow_upgrade", "vantage_point")


def with_pick(scenario: Scenario, camp: Side, card: str) -> Scenario:
    """Add a card to a player's two picks, in place of a card that has not been played."""
    user_picks, opponent_picks = scenario.forces[camp].specialists, scenario.forces[OTHER[camp]].specialists
    played = {play.card for play in scenario.plays}
    if card not in user_picks:
        idle = next((name for name in reversed(user_picks) if name not in played), None)
        user_picks = tuple(card if name == idle else name for name in user_picks) if idle else (*user_picks, card)
    if card in opponent_picks:
        spare = next(name for name in SPARE if name not in (*user_picks, *opponent_picks))
        opponent_picks = tuple(spare if name == card else name for name in opponent_picks)
    return army(army(scenario, camp, specialists=user_picks), OTHER[camp], specialists=opponent_picks)


def play(card: str, *choices: Choice, camp: Side = "pennant") -> Edit:
    """Return an edit that picks and plays a Specialist."""

    def edit(scenario: Scenario) -> Scenario:
        chosen = tuple(choice if isinstance(choice, str) else choice(scenario) for choice in choices)
        scenario = with_pick(scenario, camp, card)
        return replace(scenario, plays=(*scenario.plays, Play(camp, card, chosen)))

    return edit


def of(place: str, where: str | Callable[[Scenario], str] = "") -> Callable[[Scenario], str]:
    """Return a function that chooses a unit by its card and cell, such as `P A5 c4`, and optionally a hex."""

    def text(scenario: Scenario) -> str:
        at = where if isinstance(where, str) else where(scenario)
        return find(scenario, place)[1].id + (f">{at}" if at else "")

    return text


def at(place: str) -> Callable[[Scenario], str]:
    """Return a function that chooses the hex of a unit."""

    def text(scenario: Scenario) -> str:
        cell = find(scenario, place)[1].hex
        assert cell
        return scenario.board.field.name(cell)

    return text


def reserve(number: int, where: str | Callable[[Scenario], str]) -> Callable[[Scenario], str]:
    """Return a function that chooses a unit of the reserve card and a hex.

    Units 1 and 2 of the card are on the board. Units 3 and 4 are not.
    """

    def text(scenario: Scenario) -> str:
        came = [u.cell for u in scenario.forces["pennant"].reserves]
        rest = [(u.column, u.row) for u in scenario.card("pennant", scenario.forces["pennant"].reserve).units]
        cells = [*came, *(cell for cell in rest if cell not in came)]
        return f"{cell_name(cells[number - 1])}>{where if isinstance(where, str) else where(scenario)}"

    return text


def free_hex(scenario: Scenario) -> str:
    """Return the name of a free hex of the Pennant baseline."""
    taken = {u.hex for _, u in scenario.units}
    line = scenario.board.plan.baseline("pennant")
    return scenario.board.field.name(next(c for c in line if c not in taken))


def corner(scenario: Scenario) -> str:
    """Return the name of the hex of the Pennant baseline that is under water."""
    return scenario.board.field.name(scenario.board.plan.baseline("pennant")[-1])


def fill(figures: Mapping[tuple[str, str], int] | None = None) -> Edit:
    """Return an edit that fills the Pennant box with the figures on the board and with additional `figures`.

    `figures` gives the number of figures for each race and weapon.
    """

    def edit(scenario: Scenario) -> Scenario:
        kinds = [u.kind for u in scenario.forces["pennant"].units_on_board]
        held = Counter(figures or {})
        for kind in kinds:
            held[kind.race, kind.weapon] += kind.figures
        stock: dict[str, dict[str, int]] = {race: {} for race in lore().races}
        for (race, weapon), number in held.items():
            stock[race][weapon] = number
        return pool(figures=stock)(scenario)

    return edit


def banners(banner: str, weapon: str, number: int) -> Edit:
    """Return an edit that sets the number of Pennant banners of a colour and weapon."""

    def edit(scenario: Scenario) -> Scenario:
        held = scenario.pool.pennant.banners
        return pool(banners={**held, banner: {**held[banner], weapon: number}})(scenario)

    return edit


TOKEN = both(banners("green", "short_sword", 1), unit("P A5 c4", levy=True))
"""There is one green sword banner for two units, so a levy token is on G4."""


def exchange(place: str, kind: Kind) -> Edit:
    """Return an edit in which the second player exchanges a levy before all other exchanges."""

    def edit(scenario: Scenario) -> Scenario:
        camp, token = find(scenario, place)
        return replace(scenario, exchanges=(Exchange(camp, token.id, kind), *scenario.exchanges))

    return edit
