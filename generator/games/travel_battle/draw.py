"""Generate a battle: choose and turn the boards, draw the brigades and deploy them.

The rules do not use this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from msgspec import Struct

from generator.common.game import GameOption, option_texts
from generator.common.interpretations import chosen_rulings, ruling_options
from generator.common.scenario_file import Step
from generator.common.search import mirror_option, mirrors, requested_title
from generator.errors import NothingLegalError, Problem, WrongUsageError, among, near
from generator.games.travel_battle.campaign import AREA_NAME, Crossing, find_area, find_crossing
from generator.games.travel_battle.deploying import Deployment, Post, arrange_brigades
from generator.games.travel_battle.forces import NO_LOSSES as WHOLE_ARMY
from generator.games.travel_battle.forces import (
    Kind,
    Roster,
    Sizes,
    draw_split,
    house_roster,
    load_roster,
    preset_split,
)
from generator.games.travel_battle.ground import (
    EDGES,
    HALF,
    HALVES,
    SIZE,
    TYPES,
    Board,
    BoardType,
    Edge,
    OrientedBoard,
    house_boards,
    load_board,
    opposite,
)
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.model import (
    BRIGADES,
    CROSSING,
    FORWARD,
    OTHER,
    RANDOM,
    SIDES,
    WHOLE,
    Army,
    Boards,
    Brigade,
    Objective,
    Placed,
    Scenario,
    Side,
    Unit,
    battlefield,
    brigade_id,
)
from generator.games.travel_battle.objectives import draw_objective, kinds, limits, mirror_image, mirrored_request
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.tables import numbers, side_name, switches, words
from generator.grid.squares import Square, SquareField, squares
from generator.localization import tr, tr_external
from generator.model.scenario import Request
from generator.model.words import in_words, joined, same
from generator.notation import envelope
from generator.seeds import Rng, RngStreams

Spot = tuple[int, int]
"""The column and row of a board on the table, counted from 0 at the near left."""


class ChosenBoard(Struct, frozen=True):
    """A board chosen by a player, and its name."""

    name: str
    board: Board


class BoardLayout:
    """A builder that lays out the boards of one request step by step and logs each step."""

    def __init__(self, request: Request, streams: RngStreams, log: list[Step]) -> None:
        self.options: Mapping[str, str] = request.options
        self.files = request.files
        self.streams = streams
        self.log = log
        self.columns, self.rows = map(int, request.options.get("boards", numbers().tables[0]).split("x"))
        self.used: set[str] = set()
        self.whole = mirrors(request)

    def lay(self) -> tuple[tuple[Placed, ...], ...]:
        """Return all boards in their positions, in rows from the near edge."""
        if self.whole:
            return self._halves()
        if len(self._spots) == 1:
            return self._only_board()
        first = self._first_boards()
        if len(self._spots) == len(SIDES) and (crossing := find_crossing(*(first[p].name for p in SIDES))):
            return self._campaign_boards(first, crossing)
        left = self._left_player()
        owners = {(c, r): left if 2 * c < self.columns else OTHER[left] for c, r in self._spots}
        brought = self._boards_by_spot(first, owners)
        placed = {spot: self._turn_board(spot, owners[spot], brought[spot]) for spot in self._spots}
        return tuple(tuple(placed[c, r] for c in range(self.columns)) for r in range(self.rows))

    def _halves(self) -> tuple[tuple[Placed, ...]]:
        """Return the two halves of a random double board, with their seams joined."""
        half_rng = self.streams.under(WHOLE)
        half = make_board(HALF, half_rng)
        self.log.append(Step(WHOLE, None, half_rng.prefix, ()))
        return (tuple(Placed(RANDOM, o, OrientedBoard(half, edge)) for o, edge in zip(SIDES, HALVES, strict=True)),)

    def _only_board(self) -> tuple[tuple[Placed]]:
        """Return a field of one board. The player who wins the side roll decides which player chooses it."""
        before = len(self.log)
        owner = self._left_player()
        if f"board-{owner}" in self.options and self.options[f"board-{owner}"] != RANDOM:
            chosen = self._requested_board(owner)
        else:
            streams = self.streams.under(owner)
            of = streams.at("type").choice(TYPES)
            chosen = self._drawn_board(owner, of, streams, self.options.get(f"board-{owner}"))
        # The log lists the choice of boards first, as for fields of several boards.
        self.log.insert(before, self.log.pop())
        return ((self._turn_board(self._spots[0], owner, chosen),),)

    def _campaign_boards(self, first: Mapping[Side, ChosenBoard], crossing: Crossing) -> tuple[tuple[Placed, ...]]:
        """Return two neighbouring boards of a campaign, placed as on the campaign's map."""
        idle = [
            option for player in SIDES for option in (f"side-{player}", f"edge-{player}") if option in self.options
        ]
        if idle:
            hint = tr("these 2 boards must be placed as on the campaign's map")
            raise WrongUsageError(
                *(Problem(tr("--{option} has no effect", option=option), hint=hint) for option in idle)
            )
        areas = crossing.left, crossing.right
        owners = [next(p for p in SIDES if first[p].name.endswith(f":{area.name}")) for area in areas]
        self.log.append(Step(CROSSING, None, "", tuple(first[owner].name for owner in owners)))
        return (tuple(Placed(first[o].name, o, area.oriented) for o, area in zip(owners, areas, strict=True)),)

    @cached_property
    def _spots(self) -> tuple[Spot, ...]:
        """The positions of the boards, column by column from the left."""
        return tuple((c, r) for c in range(self.columns) for r in range(self.rows))

    def _first_boards(self) -> dict[Side, ChosenBoard]:
        """Return the first board of each player, which is the requested one or a random one of the missing type."""
        chosen = {p: self._requested_board(p) for p in SIDES if self.options.get(f"board-{p}", RANDOM) != RANDOM}
        self.used.update(brought.name for brought in chosen.values())
        for player in SIDES:
            if player not in chosen:
                other = chosen.get(OTHER[player])
                of = _other(other.board.type) if other else self.streams.under(player).at("type").choice(TYPES)
                chosen[player] = self._drawn_board(
                    player, of, self.streams.under(player), self.options.get(f"board-{player}")
                )
        return {player: chosen[player] for player in SIDES}

    def _requested_board(self, player: Side) -> ChosenBoard:
        option = f"board-{player}"
        name = self.options[option]
        if option in self.files:
            board = load_board(self.files[option]).ground
        elif name in house_boards():
            board = house_boards()[name].ground
        else:
            campaign, area = find_area(name)
            name, board = campaign.known_as(area), area.oriented.board
        self.log.append(Step("board", player, "", (name,)))
        return ChosenBoard(name, board)

    def _drawn_board(
        self, player: Side, of: BoardType, streams: RngStreams, requested: str | None = None
    ) -> ChosenBoard:
        """Return a board of a type, with equal chances for an unused house board and a random board."""
        house = [name for name, b in house_boards().items() if b.ground.type == of and name not in self.used]
        draw = streams.at("choice")
        if requested == RANDOM or not house or draw.chance(1, 2):
            board_rng = streams.under("board")
            self.log.append(Step("board", player, board_rng.prefix, (RANDOM,)))
            return ChosenBoard(RANDOM, make_board(of, board_rng))
        name = draw.choice(house)
        self.used.add(name)
        self.log.append(Step("board", player, draw.path, (name,)))
        return ChosenBoard(name, house_boards()[name].ground)

    def _left_player(self) -> Side:
        """Return the player with the boards on the left. The player with the higher die chooses a side."""
        winner = roll_off("side", self.streams, self.log)
        stream = self.streams.under(winner).at("side")
        only = self._side_of_only_board(winner)
        requested = self.options.get(f"side-{winner}") or only
        if only and requested != only:
            option = next(f"board-{player}" for player in SIDES if f"board-{player}" in self.options)
            raise WrongUsageError(
                tr("--{option} has no effect", option=option),
                hint=tr(
                    "--side-{winner} {side} gives the only board to the other player", winner=winner, side=requested
                ),
            )
        side = requested or stream.choice(("left", "right"))
        self.log.append(Step("side", winner, "" if requested else stream.path, (side,)))
        return winner if side == "left" else OTHER[winner]

    def _side_of_only_board(self, winner: Side) -> str:
        """Return the side that the winner must choose to use the requested board, or "" if the choice is free."""
        requested = [player for player in SIDES if f"board-{player}" in self.options]
        if len(self._spots) > 1 or not requested:
            return ""
        if len(requested) > 1:
            first, second = (f"--board-{player}" for player in requested)
            raise WrongUsageError(
                tr("a field of one board cannot have both {first} and {second}", first=first, second=second),
                hint=tr("omit one of the two options"),
            )
        return "left" if requested == [winner] else "right"

    def _boards_by_spot(
        self, first: Mapping[Side, ChosenBoard], owners: Mapping[Spot, Side]
    ) -> dict[Spot, ChosenBoard]:
        """Return a board for each position.

        Types alternate from Blue's first board on, so that the roads are connected.
        """
        spots = {player: [spot for spot in self._spots if owners[spot] == player] for player in SIDES}
        lead = spots["blue"][0]
        found = {lead: first["blue"]}

        def wanted(spot: Spot) -> BoardType:
            same = sum(spot) % 2 == sum(lead) % 2
            return first["blue"].board.type if same else _other(first["blue"].board.type)

        fitting = [spot for spot in spots["red"] if wanted(spot) == first["red"].board.type]
        found[(fitting or spots["red"])[0]] = first["red"]
        for spot in self._spots:
            if spot not in found:
                found[spot] = self._drawn_board(owners[spot], wanted(spot), self.streams.under(self._name(spot)))
        return found

    def _turn_board(self, spot: Spot, owner: Side, brought: ChosenBoard) -> Placed:
        """Return the board with the edge shown by its die towards its owner.

        If the die is high, the owner chooses the edge.
        """
        at = self._name(spot)
        die = (stream := self.streams.at(f"turn/{at}")).die()
        free = die > numbers().turned
        self.log.append(Step("turn_free" if free else "turn", owner, stream.path, (at, str(die))))
        edge = EDGES[die - 1] if not free else self._edge(at, owner)
        near = edge if owner == SIDES[0] else opposite(edge)
        return Placed(brought.name, owner, OrientedBoard(brought.board, near))

    def _edge(self, at: str, owner: Side) -> Edge:
        stream = self.streams.at(f"edge/{at}")
        requested = self.options.get(f"edge-{owner}")
        edge = EDGES[int(requested) - 1] if requested else stream.choice(EDGES)
        self.log.append(Step("edge", owner, "" if requested else stream.path, (at, str(edge))))
        return edge

    def _name(self, spot: Spot) -> str:
        return corner(self.columns, self.rows, spot)


def corner(columns: int, rows: int, spot: Spot) -> str:
    """Return the name of a board's near left square, which identifies the board."""
    return squares(SIZE * columns, SIZE * rows).name(Square(SIZE * spot[0], SIZE * spot[1]))


def roll_off(what: str, streams: RngStreams, log: list[Step]) -> Side:
    """Return the player who rolls the higher die. Ties are re-rolled, and each roll is logged."""
    stream: Rng = streams.at(what)
    while True:
        dice = {player: stream.die() for player in SIDES}
        log.append(Step(f"{what}_dice", None, stream.path, tuple(map(str, dice.values()))))
        if dice["blue"] != dice["red"]:
            return "blue" if dice["blue"] > dice["red"] else "red"


def _other(of: BoardType) -> BoardType:
    return "B" if of == "A" else "A"


STREAMS = "v1/travel_battle"
ORDERS = 4
"""The number of orders of the brigades, from left to right, that are tried to find room for all."""


def draw(request: Request) -> Scenario:
    """Generate a battle.

    Raises:
        WrongUsageError: If options are invalid.
        DataError: If a file is invalid.
        NothingLegalError: If no legal scenario is found.
    """
    streams, original = RngStreams(request.code, STREAMS), request
    request = mirrored_request(original) if mirrors(original) else original
    rulings = chosen_rulings(switches(), request.options)
    roster = load_roster(request.files.get("army"))
    rosters = {player: roster.of(player) for player in SIDES}
    sizes = {player: _sizes(request, of) for player, of in rosters.items()}
    if mirrors(request) and roster.lost != WHOLE_ARMY:
        raise WrongUsageError(tr("--mirror needs the same army on both sides, but this army has losses"))
    log: list[Step] = []
    boards = BoardLayout(request, streams.under("boards"), log).lay()
    field = battlefield(boards).terrain_map.field
    drawn = SIDES[:1] if mirrors(request) else SIDES
    armies = {
        player: _army(
            request, player, rosters[player], sizes[player], boards, rulings["sight"], streams.under(player), log
        )
        for player in drawn
    }
    for player in SIDES[len(drawn) :]:
        armies[player] = mirror_image(armies[OTHER[player]], field)
        log.append(Step(log[-1].what, player, "", log[-1].result))
    first_placer = roll_off("placer", streams, log)
    log.append(Step("placer", first_placer, "", ()))
    log += _placed(armies, field, first_placer, streams, drawn)
    first_mover = roll_off("mover", streams, log)
    log.append(Step("mover", first_mover, "", ()))
    objective = _objective(request, boards, armies, streams, log)
    return Scenario(
        origin=envelope.origin_of_draw("travel_battle", original),
        title=requested_title(request)
        or words()["title"]["drawn"].fill(place=streams.at("title").choice(numbers().places)),
        boards=boards,
        roster=roster,
        armies=armies,
        first_placer=first_placer,
        first_mover=first_mover,
        objective=objective,
        turns=_turns(request, objective),
        rulings=rulings,
        log=tuple(log),
    )


def _objective(
    request: Request,
    boards: Boards,
    armies: Mapping[Side, Army],
    streams: RngStreams,
    log: list[Step],
) -> Objective:
    """Return the requested objective. The default is the destruction of brigades."""
    kind, stream = request.options.get("objective", BRIGADES), streams.at("objective")
    if kind == RANDOM:
        kind = stream.choice(_open(request))
    field = battlefield(boards)
    objective = draw_objective(stream, field, armies, kind)
    if objective.player:
        cells = map(field.terrain_map.field.name, objective.cells)
        log.append(Step("objective", objective.player, stream.path, (kind, *cells, *objective.units)))
    return objective


def _turns(request: Request, objective: Objective) -> int:
    """Return the requested last turn, or the usual last turn of the objective."""
    open_ = limits(objective.kind)
    turns = int(request.options.get("turns", open_[0]))
    if turns not in open_:
        listed = [*map(str, open_)] if any(open_) else []
        hint = tr("choose one of {turns}", turns=listed) if listed else tr("omit --turns")
        why = tr("ends on another turn") if listed else tr("has no last turn")
        raise WrongUsageError(
            tr(
                "--turns {turns}: a battle with the objective {kind} {why}",
                turns=turns,
                kind=objective.kind,
                why=why,
            ),
            hint=hint,
        )
    return turns


def _open(request: Request) -> tuple[str, ...]:
    """Return the objectives that are possible with the requested last turn."""
    requested = request.options.get("turns")
    return tuple(kind for kind in kinds() if requested is None or int(requested) in limits(kind))


def _sizes(request: Request, roster: Roster) -> Sizes:
    """Return the requested sizes of brigades, or the first sizes into which the army can be split."""
    requested, fitting = request.options.get("sizes"), [sizes.id for sizes in roster.fitting]
    if requested and all(f"split-{player}" in request.options for player in SIDES):
        raise WrongUsageError(tr("--sizes has no effect, because the brigades of both sides are chosen"))
    if requested and requested not in roster.sizes:
        raise WrongUsageError(
            tr("--sizes: this army has no brigade sizes named {sizes!r}", sizes=requested),
            hint=near(requested, fitting),
        )
    if requested and requested not in fitting:
        message = tr(
            "--sizes {sizes}: {counts} units cannot form brigades of this size",
            sizes=requested,
            counts=sum(roster.counts),
        )
        raise WrongUsageError(message, hint=tr("sizes that can be used: {fitting}", fitting=[*fitting]))
    return roster.sizes[requested or fitting[0]]


def _army(
    request: Request,
    player: Side,
    roster: Roster,
    sizes: Sizes,
    boards: Boards,
    reading: str,
    streams: RngStreams,
    log: list[Step],
) -> Army:
    """Deploy a player's requested or random brigades, and number them from the player's left."""
    deployment = Deployment(battlefield(boards).terrain_map, player, reading)
    requested, armies = request.options.get(f"split-{player}"), numbers().armies_on(len(boards[0]), len(boards))
    stream = streams.at("split")
    if requested:
        among(
            requested, roster.presets, tr("this army has no division into brigades named {split!r}", split=requested)
        )
        split = preset_split(roster, roster.presets[requested]) * armies
        orders: list[Sequence[Sequence[Kind]]] = [[_kinds(roster, share) for share in split]]
    else:
        drawn = [_kinds(roster, share) for _army in range(armies) for share in draw_split(stream, roster, sizes)]
        orders = [arrange_brigades(drawn, stream) for _ in range(ORDERS)]
    place = streams.at("place")
    for brigades in orders:
        if placed := deployment.place(brigades, place):
            result = (requested,) if requested else tuple(map(brigade_text, brigades))
            log.append(Step("preset" if requested else "split", player, "" if requested else stream.path, result))
            return Army(player, tuple(_brigade(player, n, posts) for n, posts in enumerate(placed, 1)))
    raise NothingLegalError(
        tr(
            "there is no room for the {player} army in its rows; choose other boards or brigades",
            player=tr_external(player),
        )
    )


def _kinds(roster: Roster, share: Sequence[int]) -> tuple[Kind, ...]:
    """Return the kinds of a brigade's units, the brigadier first."""
    kinds = zip(roster.fighters, share, strict=True)
    return (roster.brigadier, *(kind for kind, count in kinds for _ in range(count)))


def brigade_text(kinds: Sequence[Kind]) -> str:
    """Return a brigade's fighting units in the form used in the log, such as `2 line, 1 gun`."""
    counts = Counter(kind.id for kind in kinds if kind.fights)
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _placed(
    armies: Mapping[Side, Army], field: SquareField, first: Side, streams: RngStreams, drawn: Collection[Side]
) -> Iterator[Step]:
    """Yield the steps in which the players place their brigades alternately, each in a random order."""
    turns = {}
    for player, army in armies.items():
        player_rng = streams.under(player)
        brigades = player_rng.at("order").shuffle(army.brigades)
        path = player_rng.at("place").path if player in drawn else ""
        turns[player] = [Step("place", player, path, placements(field, brigade)) for brigade in brigades]
    for one, other in zip(turns[first], turns[OTHER[first]], strict=True):
        yield from (one, other)


def _brigade(player: Side, number: int, posts: Sequence[Post]) -> Brigade:
    """Return a brigade whose units have ids. The brigadier has the brigade's id."""
    name = brigade_id(player, number)
    leader = [post for post in posts if not post[0].fights]
    others = sorted((post for post in posts if post[0].fights), key=lambda post: _ORDER[post[0].arm])
    letters = "abcdefghijklmnopqrstuvwxyz"
    ids = [name] * len(leader) + [name + letter for letter in letters[: len(others)]]
    return Brigade(
        number,
        tuple(Unit(i, kind, cell, FORWARD[player]) for i, (kind, cell) in zip(ids, (*leader, *others), strict=True)),
    )


_ORDER = {"infantry": 0, "cavalry": 1, "artillery": 2}


def placements(field: SquareField, brigade: Brigade) -> tuple[str, ...]:
    """Return the ids and squares of a brigade's units in the form used in the log."""
    return tuple(f"{unit.id} {field.name(unit.cell)}" for unit in brigade.units if unit.cell)


SIDE_CHOICES = ("left", "right")


@cache
def draw_options() -> tuple[GameOption, ...]:
    """Return all options of this game."""
    roster, tables, texts = house_roster(), numbers().tables, option_texts("travel_battle")
    edges, boards = tuple(map(str, EDGES)), (*house_boards(), RANDOM)
    goals = {goal.id: goal.name for goal in objectives().values()}
    accepted = (BRIGADES, *goals, RANDOM)
    sizes, presets = (joined(map(same, table)) for table in (roster.sizes, roster.presets))
    large, splits = ({id_: of.name for id_, of in table.items()} for table in (roster.sizes, roster.presets))
    names = {player: in_words(side_name(player)) for player in SIDES}

    def each(what: str, choices: tuple[str, ...] = (), **more: Any) -> list[GameOption]:
        """Return the option of each player."""
        filled = {player: texts[what].fill(player=name, presets=presets) for player, name in names.items()}
        return [GameOption(f"{what}-{player}", text, choices, **more) for player, text in filled.items()]

    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("boards", texts["boards"], tables, default=tables[0], metavar="COLSxROWS"),
        *each("board", boards, file=True, pattern=AREA_NAME),
        *each("side", SIDE_CHOICES),
        *each("edge", edges),
        GameOption("army", texts["army"], file=True, metavar="FILE"),
        GameOption("sizes", texts["sizes"].fill(sizes=sizes), metavar="NAME", names=large, known=(*large,)),
        *each("split", metavar="NAME", names=splits, known=(*splits,)),
        GameOption("objective", texts["objective"].fill(goals=joined(map(same, accepted))), accepted, names=goals),
        GameOption("turns", texts["turns"], tuple(map(str, numbers().turns)), metavar="N"),
        mirror_option(),
        *ruling_options(switches()),
    )
