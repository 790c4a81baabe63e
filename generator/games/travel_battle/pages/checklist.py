"""The draw as a checklist: what happened, in the order the players do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games import logs
from generator.games.logs import Step
from generator.games.travel_battle.ground.board import SIZE
from generator.games.travel_battle.pages.telling import board_title, step_words
from generator.games.travel_battle.scenario import OTHER, WHOLE, Brigade, Scenario
from generator.games.words import words
from generator.grid.squares import Square
from generator.model.words import Words, joined, same

LIES, PLACE = "lies", "place"


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a player together; without a log, what the scenario shows by itself."""

    def tell(step: Step) -> Words:
        if step.what == PLACE:
            return placed(scenario, step.result)
        if step.what == LIES:
            call = {board: board_title(board) for board in step.result[:1]}
            return logs.told(step, words("travel_battle")["setup"], lambda part: call.get(part) or same(part))
        return step_words(scenario, step)

    players = words("travel_battle")["player"]
    return logs.checklist(scenario.log or account(scenario), tell, lambda who: _named(players.get(who), who))


def account(scenario: Scenario) -> Iterator[Step]:
    """What a scenario without a log shows: boards as they lie, brigades by turns."""
    name = scenario.battlefield.land.field.name
    if scenario.battlefield.whole:
        yield Step(WHOLE, None, "", ())
    else:
        for r, row in enumerate(scenario.boards):
            for c, board in enumerate(row):
                at = name(Square(SIZE * c, SIZE * r))
                yield Step(LIES, board.owner, "", (board.name, at, str(board.laid.edge)))
    order = scenario.first_placer, OTHER[scenario.first_placer]
    for turn in range(max(len(army.brigades) for army in scenario.armies.values())):
        for player in order:
            for brigade in scenario.armies[player].brigades[turn : turn + 1]:
                yield Step(PLACE, player, "", _posts(scenario, brigade))


def _posts(scenario: Scenario, brigade: Brigade) -> tuple[str, ...]:
    name = scenario.battlefield.land.field.name
    return tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell)


def placed(scenario: Scenario, posts: tuple[str, ...]) -> Words:
    """A brigade's set-up: its units kind by kind with their squares; `posts` are such as `B1a c2`."""
    say = words("travel_battle")["setup"]
    cells: dict[str, list[str]] = {}
    names: dict[str, Words] = {}
    for post in posts:
        unit, _, cell = post.partition(" ")
        known = scenario.units.get(unit)
        kind = known[2].kind.id if known else unit
        names[kind] = known[2].kind.name if known else same(unit)
        cells.setdefault(kind, []).append(cell)
    told = [say["posts"].fill(kind=_low(names[kind]), cells=_cells(at)) for kind, at in cells.items()]
    units = Words("; ".join(t.en for t in told), "、".join(t.ja for t in told))
    return say["brigade"].fill(id=posts[0].partition(" ")[0] if posts else "", units=units)


def _cells(at: list[str]) -> Words:
    """Squares, each once."""
    say = words("travel_battle")["setup"]["pair"]
    told = [say.fill(cell=cell) if count > 1 else same(cell) for cell, count in Counter(at).items()]
    return Words(joined(told).en, "・".join(t.ja for t in told))


def _low(name: Words) -> Words:
    """A kind within a sentence."""
    return Words(name.en.lower(), name.ja)


def _named(name: Words | None, who: str) -> Words:
    return name or same(who)
