"""Boards come to the table: each player's choice, who lays his left, and how the dice turn them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from generator.draw.streams import Stream, Streams
from generator.errors import Problem, WrongUsageError
from generator.games.logs import Step
from generator.games.travel_battle.ground.areas import Crossing, crossing_of, find_area
from generator.games.travel_battle.ground.board import (
    EDGES,
    HALF,
    HALVES,
    SIZE,
    TYPES,
    Board,
    BoardType,
    Edge,
    Laid,
    opposite,
)
from generator.games.travel_battle.ground.boards import house_boards, load_board
from generator.games.travel_battle.ground.maker import make_board
from generator.games.travel_battle.mirror import mirrors
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.scenario import CROSSING, OTHER, PLAYERS, RANDOM, WHOLE, Placed, Player
from generator.grid.squares import Square, squares
from generator.model.scenario import Order

Spot = tuple[int, int]
"""A board's place on the table: column and row, each from 0 at the near left."""


@dataclass(frozen=True)
class Brought:
    """A board that a player brings."""

    name: str
    board: Board


class Laying:
    """The boards of one order, laid step by step; every step goes into the log."""

    def __init__(self, order: Order, streams: Streams, log: list[Step]) -> None:
        self.wishes: Mapping[str, str] = order.wishes
        self.files = order.files
        self.streams = streams
        self.log = log
        self.columns, self.rows = map(int, order.wishes.get("boards", play().tables[0]).split("x"))
        self.used: set[str] = set()
        self.whole = mirrors(order)

    def laid(self) -> tuple[tuple[Placed, ...], ...]:
        """All boards as they lie, rows from the near one."""
        if self.whole:
            return self._halves()
        first = self._first_boards()
        if len(self._spots) == len(PLAYERS) and (crossing := crossing_of(*(first[p].name for p in PLAYERS))):
            return self._crossed(first, crossing)
        left = self._left()
        owners = {(c, r): left if 2 * c < self.columns else OTHER[left] for c, r in self._spots}
        brought = self._brought(first, owners)
        placed = {spot: self._turned(spot, owners[spot], brought[spot]) for spot in self._spots}
        return tuple(tuple(placed[c, r] for c in range(self.columns)) for r in range(self.rows))

    def _halves(self) -> tuple[tuple[Placed, ...]]:
        """Both halves of one whole: a drawing and its image, seam to seam."""
        own = self.streams.under(WHOLE)
        half = make_board(HALF, own)
        self.log.append(Step(WHOLE, None, own.prefix, ()))
        return (tuple(Placed(RANDOM, o, Laid(half, edge)) for o, edge in zip(PLAYERS, HALVES, strict=True)),)

    def _crossed(self, first: Mapping[Player, Brought], crossing: Crossing) -> tuple[tuple[Placed, ...]]:
        """Two neighbours of a campaign lie as on its map."""
        idle = [wish for player in PLAYERS for wish in (f"side-{player}", f"edge-{player}") if wish in self.wishes]
        if idle:
            hint = "these two lie as on their campaign's map"
            raise WrongUsageError(*(Problem(f"--{wish} has nothing to decide", hint=hint) for wish in idle))
        areas = crossing.left, crossing.right
        owners = [next(p for p in PLAYERS if first[p].name.endswith(f":{area.name}")) for area in areas]
        self.log.append(Step(CROSSING, None, "", tuple(first[owner].name for owner in owners)))
        return (tuple(Placed(first[o].name, o, area.laid) for o, area in zip(owners, areas, strict=True)),)

    @cached_property
    def _spots(self) -> tuple[Spot, ...]:
        """The places of boards, column by column from the left."""
        return tuple((c, r) for c in range(self.columns) for r in range(self.rows))

    def _first_boards(self) -> dict[Player, Brought]:
        """Each player's choice: what he wishes for, or drawn so that the two are of different types."""
        chosen = {p: self._wished(p) for p in PLAYERS if self.wishes.get(f"board-{p}", RANDOM) != RANDOM}
        self.used.update(brought.name for brought in chosen.values())
        for player in PLAYERS:
            if player not in chosen:
                other = chosen.get(OTHER[player])
                of = _other(other.board.type) if other else self.streams.under(player).at("type").choice(TYPES)
                chosen[player] = self._drawn(
                    player, of, self.streams.under(player), self.wishes.get(f"board-{player}")
                )
        return {player: chosen[player] for player in PLAYERS}

    def _wished(self, player: Player) -> Brought:
        wish = f"board-{player}"
        name = self.wishes[wish]
        if wish in self.files:
            board = load_board(self.files[wish]).board
        elif name in house_boards():
            board = house_boards()[name].board
        else:
            campaign, area = find_area(name)
            name, board = campaign.known_as(area), area.laid.board
        self.log.append(Step("board", player, "", (name,)))
        return Brought(name, board)

    def _drawn(self, player: Player, of: BoardType, streams: Streams, wish: str | None = None) -> Brought:
        """A board of a type: as often one of the house's that is not on the table yet as a random one."""
        house = [name for name, b in house_boards().items() if b.board.type == of and name not in self.used]
        draw = streams.at("choice")
        if wish == RANDOM or not house or draw.chance(1, 2):
            own = streams.under("board")
            self.log.append(Step("board", player, own.prefix, (RANDOM,)))
            return Brought(RANDOM, make_board(of, own))
        name = draw.choice(house)
        self.used.add(name)
        self.log.append(Step("board", player, draw.path, (name,)))
        return Brought(name, house_boards()[name].board)

    def _left(self) -> Player:
        """Who lays his boards on the left: the choice of him who throws higher."""
        winner = higher("side", self.streams, self.log)
        stream = self.streams.under(winner).at("side")
        wished = self.wishes.get(f"side-{winner}")
        side = wished or stream.choice(("left", "right"))
        self.log.append(Step("side", winner, "" if wished else stream.path, (side,)))
        return winner if side == "left" else OTHER[winner]

    def _brought(self, first: Mapping[Player, Brought], owners: Mapping[Spot, Player]) -> dict[Spot, Brought]:
        """A board for every place: types alternate from Blue's first one on, and so every road goes on."""
        own = {player: [spot for spot in self._spots if owners[spot] == player] for player in PLAYERS}
        lead = own["blue"][0]
        found = {lead: first["blue"]}

        def wanted(spot: Spot) -> BoardType:
            same = sum(spot) % 2 == sum(lead) % 2
            return first["blue"].board.type if same else _other(first["blue"].board.type)

        fitting = [spot for spot in own["red"] if wanted(spot) == first["red"].board.type]
        found[(fitting or own["red"])[0]] = first["red"]
        for spot in self._spots:
            if spot not in found:
                found[spot] = self._drawn(owners[spot], wanted(spot), self.streams.under(self._name(spot)))
        return found

    def _turned(self, spot: Spot, owner: Player, brought: Brought) -> Placed:
        """The board as its die turns it, that edge towards its owner; a high one leaves it to him which."""
        at = self._name(spot)
        die = (stream := self.streams.at(f"turn/{at}")).die()
        free = die > play().turned
        self.log.append(Step("turn_free" if free else "turn", owner, stream.path, (at, str(die))))
        edge = EDGES[die - 1] if not free else self._edge(at, owner)
        near = edge if owner == PLAYERS[0] else opposite(edge)
        return Placed(brought.name, owner, Laid(brought.board, near))

    def _edge(self, at: str, owner: Player) -> Edge:
        stream = self.streams.at(f"edge/{at}")
        wished = self.wishes.get(f"edge-{owner}")
        edge = EDGES[int(wished) - 1] if wished else stream.choice(EDGES)
        self.log.append(Step("edge", owner, "" if wished else stream.path, (at, str(edge))))
        return edge

    def _name(self, spot: Spot) -> str:
        return corner(self.columns, self.rows, spot)


def corner(columns: int, rows: int, spot: Spot) -> str:
    """What a board on a table is called: by its near left square."""
    return squares(SIZE * columns, SIZE * rows).name(Square(SIZE * spot[0], SIZE * spot[1]))


def higher(what: str, streams: Streams, log: list[Step]) -> Player:
    """Who throws higher with a die each; ties are thrown again. Every throw goes into the log."""
    stream: Stream = streams.at(what)
    while True:
        dice = {player: stream.die() for player in PLAYERS}
        log.append(Step(f"{what}_dice", None, stream.path, tuple(map(str, dice.values()))))
        if dice["blue"] != dice["red"]:
            return "blue" if dice["blue"] > dice["red"] else "red"


def _other(of: BoardType) -> BoardType:
    return "B" if of == "A" else "A"
