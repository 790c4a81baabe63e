"""Generate positions by random moves from the opening, after which neither side can win at once."""

from __future__ import annotations

from generator.games.tablut.ground import BOARD
from generator.games.tablut.model import MOVE, Scenario
from generator.games.tablut.play import after, decided, moves, opening
from generator.games.tablut.tables import numbers

from generator import __version__
from generator.common.scenario_file import Step
from generator.common.tables import words
from generator.model.scenario import Origin, Request
from generator.model.words import same
from generator.notation.text import clean_name
from generator.seeds import RngStreams


def draw(order: Request) -> Scenario:
    """Return a position after random moves, each from a separate random stream.

    Raises:
        WrongUsageError: If the title is not valid.
    """
    streams = RngStreams(order.code, "v1/tablut")
    position, log = opening(), []
    for number in range(1, int(order.options.get("moves", numbers().moves.usual)) + 1):
        stream = streams.at(f"move/{number}")
        for move in stream.shuffle(list(moves(position))):
            if not decided(after(position, move)):
                break
        else:
            break
        log.append(Step(MOVE, position.mover, stream.path, tuple(map(BOARD.name, move))))
        position = after(position, move)
    title = words("tablut")["title"]["drawn"].fill(n=len(log))
    if user_input := order.options.get("title"):
        title = same(clean_name(user_input, "the title"))
    return Scenario(Origin("tablut", order.code, __version__, dict(order.options)), title, position, tuple(log))
