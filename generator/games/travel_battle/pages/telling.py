"""A Travel Battle in words: boards, brigades, and every step of its draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generator.games import logs
from generator.games.fairsearch import fair_names, fair_steps
from generator.games.logs import Step
from generator.games.travel_battle.fairness import TABLES
from generator.games.travel_battle.forces.army import Kind, Roster
from generator.games.travel_battle.ground.areas import is_area
from generator.games.travel_battle.ground.board import HALF
from generator.games.travel_battle.ground.boards import house_board, house_boards
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.objectives import told
from generator.games.travel_battle.scenario import RANDOM, Army, Brigade, Placed, Scenario
from generator.games.words import words
from generator.model.words import Words, joined, same


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, players = words("travel_battle")["story"], words("travel_battle")["player"]
    lines = [say["field"].fill(title=scenario.title, boards=boards_words(scenario))]
    lines += [say["army"].fill(player=players[p], brigades=army_words(army)) for p, army in scenario.armies.items()]
    lines.append(say["placer"].fill(player=players[scenario.first_placer]))
    lines.append(say["mover"].fill(player=players[scenario.first_mover]))
    return [*lines, *told(scenario)]


def boards_words(scenario: Scenario) -> Words:
    """The boards from the left, with whose each is; a whole by itself."""
    say, players = words("travel_battle")["story"], words("travel_battle")["player"]
    if scenario.battlefield.whole:
        return say["whole"]
    return joined(
        [
            say["board"].fill(name=placed_title(placed), player=players[placed.owner])
            for row in scenario.boards
            for placed in row
        ]
    )


def board_title(name: str) -> Words:
    """What a board is called: a house board by its title, a user's by its file's name."""
    if name in house_boards():
        return house_boards()[name].name
    say = words("travel_battle")["board"]
    return say["random"] if name == RANDOM else same(name) if name else say["hand"]


def placed_title(placed: Placed) -> Words:
    """What a board on the table is called: a house board by its title, and no other by a title of ours."""
    if house := house_board(placed.laid.board):
        return house.name
    return board_title("" if placed.name in house_boards() else placed.name)


def is_ours(placed: Placed) -> bool:
    """Whether a board is ours: a house board, a random one, or one of a campaign, which is either."""
    known = placed.name == RANDOM or is_area(placed.name)
    return known or placed.laid.board.type == HALF or house_board(placed.laid.board) is not None


def army_words(army: Army) -> Words:
    """Its brigades with what each is made of; of more than one army's worth the sum."""
    say = words("travel_battle")["story"]
    if len(army.brigades) > play().brigades:
        kinds = [unit.kind for unit in army.units if unit.kind.fights]
        return say["sum"].fill(n=len(army.brigades), units=units_words(kinds))
    parts = [
        say["brigade"].fill(id=brigade_name(brigade), units=units_words([unit.kind for unit in brigade.fighters]))
        for brigade in army.brigades
    ]
    return Words("; ".join(part.en for part in parts), "；".join(part.ja for part in parts))


def units_words(kinds: Sequence[Kind]) -> Words:
    """So many of each kind."""
    say = words("travel_battle")["unit"]["many"]
    counts = Counter(kind.id for kind in kinds)
    names = {kind.id: kind.name for kind in kinds}
    return joined([say.fill(n=n, kind=Words(names[i].en.lower(), names[i].ja)) for i, n in counts.items()])


def step_words(scenario: Scenario, step: Step) -> Words:
    """A step of the draw in words."""
    say = words("travel_battle")["step"] | fair_steps()
    if step.what == "split":
        shares = [_share(scenario.roster, part) for part in step.result]
        return say["split"].fill(result=Words("; ".join(s.en for s in shares), "；".join(s.ja for s in shares)))
    return logs.told(step, say, lambda part: _part(scenario.roster, step, part))


def _part(roster: Roster, step: Step, part: str) -> Words:
    """A part of a step's result: a board, a side, a brigade's units, an objective."""
    if step.what == "board":
        return board_title(part)
    if step.what == "side":
        return words("travel_battle")["side"].get(part, same(part))
    if step.what == "preset" and part in roster.presets:
        return roster.presets[part].name
    if step.what == "objective" and part in objectives():
        return objectives()[part].name
    return fair_names(TABLES).get(part, same(part)) if step.what in fair_steps() else same(part)


def _share(roster: Roster, part: str) -> Words:
    """`2 line, 1 gun` in words."""
    counts = [text.partition(" ") for text in part.split(", ")]
    if not all(number.isdecimal() and kind in roster.kinds for number, _, kind in counts):
        return same(part)
    return units_words([roster.kinds[kind] for number, _, kind in counts for _ in range(min(int(number), 99))])


def brigade_name(brigade: Brigade) -> str:
    """A brigade by its brigadier's id."""
    return next((unit.id for unit in brigade.units if not unit.kind.fights), str(brigade.number))
