"""Generate campaign maps, and find the two boards of each battle on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from generator.errors import WrongUsageError
from generator.games.travel_battle.ground import EDGES, TYPES, Battlefield, Edge, OrientedBoard, house_boards
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.tables import numbers
from generator.localization import tr
from generator.model.words import Words, same
from generator.seeds import RngStreams, parse_code

STREAMS = "v1/travel_battle/campaign"
MIN_BOARDS, MAX_BOARDS = 2, 6
"""The minimum and maximum number of boards of a campaign in each direction."""
AREA_NAME = r"[^:/\\.]+:[0-9]+x[0-9]+:[a-z][0-9]+"
"""The regular expression for an area's full name in lower case, such as `k7q2m-9fhn5:3x4:a1`."""


class Area(Struct, frozen=True):
    """A board of a campaign map."""

    name: str
    """The area's column letter and row number, such as `A1`. Rows are counted from the near edge."""
    title: Words
    oriented: OrientedBoard
    house: bool
    """Whether the board is a house board. Otherwise it is a random board."""


class Crossing(Struct, frozen=True):
    """Two neighbouring areas, which are placed side by side for a battle."""

    left: Area
    right: Area
    turned: bool
    """Whether one area is behind the other on the campaign's map. Both are then turned 90° clockwise for the battle.
    """


class Campaign(Struct, frozen=True):
    """A campaign map, which is a grid of areas.

    Rows are listed from the near edge, the areas of a row from the left.
    """

    code: str
    rows: tuple[tuple[Area, ...], ...]

    @property
    def field(self) -> Battlefield:
        """Return the battlefield that consists of all boards of the campaign."""
        return Battlefield(tuple(tuple(area.oriented for area in row) for row in self.rows))

    @property
    def areas(self) -> tuple[Area, ...]:
        """All areas of the campaign, row by row."""
        return tuple(area for row in self.rows for area in row)

    def known_as(self, area: Area) -> str:
        """Return an area's full name, which identifies the area outside its campaign."""
        return f"{self.code}:{len(self.rows[0])}x{len(self.rows)}:{area.name}"

    def crossings(self) -> Iterator[Crossing]:
        """Yield every pair of neighbouring areas once."""
        for r, row in enumerate(self.rows):
            for c, area in enumerate(row):
                if c + 1 < len(row):
                    yield Crossing(area, row[c + 1], False)
                if r + 1 < len(self.rows):
                    yield Crossing(_quarter_turn(area), _quarter_turn(self.rows[r + 1][c]), True)


def _quarter_turn(area: Area) -> Area:
    """Return the area with its board turned 90° clockwise."""
    edge = EDGES[area.oriented.edge % len(EDGES)]
    return Area(area.name, area.title, OrientedBoard(area.oriented.board, edge), area.house)


@lru_cache(8)  # a campaign has up to 36 boards
def draw_campaign(columns: int, rows: int, code: str) -> Campaign:
    """Generate the campaign of a code.

    House boards and random boards have equal chances. Each house board occurs only once.
    """
    streams = RngStreams(code, STREAMS)
    first = streams.at("type").below(len(TYPES))
    names = iter(streams.at("names").sample(numbers().places, min(columns * rows, len(numbers().places))))
    house = streams.at("house").shuffle(list(house_boards().values()))

    def area(c: int, r: int) -> Area:
        name = f"{chr(ord('A') + c)}{r + 1}"
        of, area_rng = TYPES[(first + c + r) % len(TYPES)], streams.under(name)
        edge: Edge = area_rng.at("turn").choice(EDGES)
        drawn = next((board for board in house if board.ground.type == of), None)
        if drawn and area_rng.at("choice").chance(1, 2):
            house.remove(drawn)
            return Area(name, drawn.name, OrientedBoard(drawn.ground, edge), True)
        return Area(
            name, next(names, same(name)), OrientedBoard(make_board(of, area_rng.under("board")), edge), False
        )

    return Campaign(code, tuple(tuple(area(c, r) for c in range(columns)) for r in range(rows)))


def parse_size(raw: str) -> tuple[int, int] | None:
    """Return the columns and rows of a campaign from text such as `3x4`, or None if no campaign has that size."""
    found = re.fullmatch(r"([0-9]{1,2})[x×]([0-9]{1,2})", raw.strip().lower())
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    return size if all(MIN_BOARDS <= n <= MAX_BOARDS for n in size) else None


def is_area(name: str) -> bool:
    """Return whether a text has the form of an area's full name."""
    return bool(re.fullmatch(AREA_NAME, name.lower()))


def find_area(name: str) -> tuple[Campaign, Area]:
    """Return the campaign and the area with that full name.

    Raises:
        WrongUsageError: If there is no such area.
    """
    code, size, at = name.split(":")
    if columns_rows := parse_size(size):
        campaign = draw_campaign(*columns_rows, parse_code(code))
        if found := next((area for area in campaign.areas if area.name == at.upper()), None):
            return campaign, found
    hint = tr("write the code, the columns and rows, and the area, as on the campaign's map: K7Q2M-9FHN5:3x4:A1")
    raise WrongUsageError(tr("there is no area named {name!r} in this campaign", name=name[:40]), hint=hint)


def find_crossing(one: str, other: str) -> Crossing | None:
    """Return the crossing of two areas, given by full names, or None if they are not neighbours in one campaign."""
    if not (is_area(one) and is_area(other)):
        return None
    (campaign, first), (same_one, second) = find_area(one), find_area(other)
    names = {first.name, second.name}
    return next(
        (c for c in campaign.crossings() if campaign == same_one and {c.left.name, c.right.name} == names), None
    )
