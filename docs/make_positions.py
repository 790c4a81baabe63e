"""Create the pictures of positions for docs/players.md, in which the captain has to move."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
from PIL import Image

from generator import games
from generator.common.play_session import PlaySession, Seat
from generator.model.scenario import Request
from generator.model.views import Ray
from generator.press.figures.maps import draw_map
from generator.press.png import picture_image
from generator.store.write import write

WIDTH_MM, DPI, COLOURS = 190.0, 110.0, 96
"""The maximum width and height of a picture in mm, its resolution and its number of colours, for small files."""


class Position(msgspec.Struct, frozen=True):
    """A moment in a game of the captain, and the moves that it makes next."""

    game: str
    code: str
    seats: tuple[Seat, Seat]
    steps: int
    """The number of steps before the position."""
    moves: tuple[str, ...]
    """The captain's next moves in notation, which a test compares with those that it makes."""
    arrows: tuple[tuple[str, str], ...]
    """The moves and attacks as pairs of cells."""


CAPTAIN, SIMPLE = Seat("", "strong"), Seat("", "casual")
POSITIONS = (
    Position(
        "battlelore",
        "WT600-0025B",
        (CAPTAIN, SIMPLE),
        449,
        ("P15 J1", "P12 J2", "P13 S4"),
        (("J2", "J1"), ("I3", "J2"), ("K1", "K2")),
    ),
    Position(
        "travel_battle",
        "TT600-004Q0",
        (CAPTAIN, SIMPLE),
        211,
        ("B1b+B1c+B1f x R3c",),
        (("c1", "d2"), ("c2", "d2"), ("e1", "d2")),
    ),
    Position(
        "battling",
        "YT600-000BH",
        (CAPTAIN, CAPTAIN),
        45,
        ("#1: F / 0507", "#2: F / 0507", "#3: R / 3 / 1 / 0602"),
        (("0606", "0507"), ("0508", "0507"), ("1001", "0602")),
    ),
)


def main() -> None:
    """Write a picture of each position to docs/."""
    for position in POSITIONS:
        session = reached(position)
        view = session.engine.view(session.state)
        assert view, "the games with positions have maps"
        cells = {view.grid.name(cell): cell for cell in view.grid.cells}
        rays = tuple(Ray(cells[a], cells[b], shot=True, arrow=True) for a, b in position.arrows)
        picture = draw_map(msgspec.structs.replace(view, rays=rays, edges=None), "en", "full", WIDTH_MM, WIDTH_MM)
        made = io.BytesIO()
        palette = picture_image(picture, "en", DPI).convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT)
        palette.save(made, "PNG", optimize=True)
        write(Path(__file__).parent / f"position-{position.game}.png", made.getvalue())


def reached(position: Position) -> PlaySession:
    """Return the game at the position."""
    game = games.load(position.game)
    assert game.playing, "the computer plays every game"
    scenario = game.draw(Request(position.code, {}, {}))
    session = PlaySession(game.playing, scenario, position.seats, position.code)
    while session.step_count < position.steps:
        session.advance()
    return session


if __name__ == "__main__":
    main()
