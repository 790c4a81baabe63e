"""Generate a duel: the arena, the squads, their edges, and the starting hex of each machine.

The second player sets up first at one edge, then the first player sets up at the opposite edge. The rules do not
use this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from generator.common.game import GameOption, option_texts
from generator.common.interpretations import chosen_rulings, ruling_options
from generator.common.scenario_file import Step
from generator.common.search import mirrors, requested_title
from generator.errors import WrongUsageError, among
from generator.games.battling.file import nearest_edges
from generator.games.battling.forces import Kinds, Pack, cost, draw_squad, load_pack, parse_squad, sizes, squads
from generator.games.battling.ground import ACROSS, EDGES, Arena, Edge, house_arenas, load_arena
from generator.games.battling.half_turn import images, symmetric
from generator.games.battling.maker import make_arena
from generator.games.battling.model import (
    OTHER,
    PLAYERS,
    PREFIX,
    RANDOM,
    SIDES,
    Machine,
    Player,
    Scenario,
    Side,
    Squad,
    side_name,
)
from generator.games.battling.tables import limits, numbers, switches
from generator.grid.columns import Numbered
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation import envelope
from generator.seeds import RngStreams


class SquadPlacement:
    """A placement of the squads on an arena, on requested hexes or on random open hexes of their edges."""

    def __init__(
        self,
        options: Mapping[str, str],
        arena: Arena,
        pack: Pack,
        streams: RngStreams,
        log: list[Step],
        *,
        mirrored: bool = False,
    ) -> None:
        self.options, self.arena, self.pack, self.streams, self.log = options, arena, pack, streams, log
        self.mirrored = mirrored
        self.fixed = False
        """Whether a squad is off its edge, as in a prescribed set-up."""

    def squads(self, first: Player, kinds: Mapping[Player, Kinds]) -> dict[Side, Squad]:
        """Return both squads on their hexes. The second player's squad is placed first."""
        players: dict[Side, Player] = {"first": first, "second": "B" if first == "A" else "A"}
        given = {
            side: self._given_hexes(side, len(kinds[players[side]]))
            for side in SIDES
            if f"place-{side}" in self.options
        }
        if self.mirrored:
            given = self._with_images(given)
        if twice := set(given.get("first", ())) & set(given.get("second", ())):
            names = " ".join(map(self.arena.field.name, sorted(twice)))
            raise WrongUsageError(
                tr("--place-first and --place-second must not use the same hexes ({names})", names=names)
            )
        second, stream = self._edge(given, max(map(len, kinds.values())))
        edges: dict[Side, Edge] = {"first": ACROSS[second], "second": second}
        if not self.fixed or len(given) < len(SIDES):
            self.log.append(Step("edge", "second", stream, (second,)))
        squads = {}
        for side in ("second", "first"):
            cells, path = given.get(side), ""
            if cells is None:
                draw = self.streams.under(side).at("deploy")
                squad_kinds = kinds[players[side]]
                cells, path = draw.sample(self._free(edges[side], given), len(squad_kinds)), draw.path
                if self.mirrored:
                    given = self._with_images({side: cells})
            machines = tuple(
                Machine(f"{PREFIX[side]}{i}", kind, cell, self.pack.machines[kind].hp)
                for i, (kind, cell) in enumerate(zip(kinds[players[side]], cells, strict=True), 1)
            )
            result = tuple(f"{m.id} {self.arena.field.name(m.cell)}" for m in machines)
            self.log.append(Step("deploy", side, path, result))
            squads[side] = Squad(side, machines, edges[side], players[side])
        return {side: squads[side] for side in SIDES}

    def _with_images(self, given: dict[Side, list[Numbered]]) -> dict[Side, list[Numbered]]:
        """Return the given hexes of each side, and their mirror images for the other side.

        Raises:
            WrongUsageError: If both sides are given and are not mirror images of each other.
        """
        for side, cells in given.items():
            if given.get(OTHER[side], image := images(self.arena.field, cells)) != image:
                raise WrongUsageError(
                    tr("the hexes of --place-first and --place-second are not symmetrical under a 180° turn")
                )
        return given | {OTHER[side]: images(self.arena.field, cells) for side, cells in given.items()}

    def _edge(self, given: Mapping[Side, list[Numbered]], room: int) -> tuple[Edge, str]:
        """Return the second player's edge and its random stream, which is empty if only one edge is possible.

        Hexes off the edges make the set-up a prescribed one, unless an edge is also requested.
        """
        requested, stream = self.options.get("edge"), self.streams.at("edge")
        open_ = [edge for edge in self.arena.edges if requested in (None, edge) and self._fits(edge, given, room)]
        if not open_ and given and not requested:
            self.fixed = True
            if len(given) == len(SIDES):
                return nearest_edges(self.arena, given)["second"], ""
            open_ = [edge for edge in self.arena.edges if self._fits(edge, given, room, anywhere=True)]
        if not open_:
            raise WrongUsageError(tr("no edge of this arena has room to place the squads as requested"))
        return (open_[0], "") if requested or len(open_) == 1 else (stream.choice(open_), stream.path)

    def _fits(self, second: Edge, given: Mapping[Side, list[Numbered]], room: int, *, anywhere: bool = False) -> bool:
        """Return whether an edge and the opposite edge contain the given hexes and have room for the other machines.

        With `anywhere`, given hexes may be off the edges.
        """
        sides: dict[Side, Edge] = {"first": ACROSS[second], "second": second}
        return all(
            anywhere or set(given[side]) <= set(self.arena.edge(edge))
            if side in given
            else len(self._free(edge, given)) >= room
            for side, edge in sides.items()
        )

    def _free(self, edge: Edge, given: Mapping[Side, list[Numbered]]) -> list[Numbered]:
        """Return the hexes of an edge that are not requested for a machine."""
        return [cell for cell in self.arena.edge(edge) if not any(cell in cells for cells in given.values())]

    def _given_hexes(self, side: Side, count: int) -> list[Numbered]:
        """Return the requested hexes of a side's machines.

        Raises:
            WrongUsageError: If a hex is invalid or the number of hexes is wrong.
        """
        names = self.options[f"place-{side}"].replace(",", " ").split()
        if len(names) != count:
            raise WrongUsageError(
                tr(
                    "--place-{side}: the number of hexes ({count}) must be the number of machines ({machines})",
                    side=side,
                    count=len(names),
                    machines=count,
                )
            )
        if len(set(names)) < count:
            raise WrongUsageError(tr("--place-{side} lists a hex twice", side=side))
        cells = []
        for name in names:
            cell = self.arena.field.find(name)
            if cell is None or self.arena.closed(cell):
                raise WrongUsageError(
                    tr("--place-{side}: {name} cannot be entered", side=side, name=name)
                    if cell
                    else tr("--place-{side}: there is no hex {name!r}", side=side, name=name)
                )
            cells.append(cell)
        return cells


STREAMS = "v1/battling"


class Ground(Struct, frozen=True):
    """The arena of a battle, with its name and the default title of the battle."""

    name: str
    title: Words
    arena: Arena


def draw(request: Request) -> Scenario:
    """Generate a scenario.

    Raises:
        WrongUsageError: If options are invalid.
        DataError: If a file is invalid.
    """
    streams = RngStreams(request.code, STREAMS)
    pack = load_pack(request.files.get("charts"))
    log: list[Step] = []
    ground = _ground(request, streams.under("arena"), log)
    points, kinds = _squads(request, pack, streams, log)
    first = _first(request, streams, log)
    placing = SquadPlacement(request.options, ground.arena, pack, streams, log, mirrored=mirrors(request))
    placed = placing.squads(first, kinds)
    return Scenario(
        origin=envelope.origin_of_draw("battling", request),
        title=requested_title(request) or ground.title,
        arena_name=ground.name,
        arena=ground.arena,
        pack=pack,
        squads=placed,
        turns=int(request.options.get("turns", numbers().turns.usual)),
        rulings=chosen_rulings(switches(), request.options),
        points=points,
        log=tuple(log),
        fixed=placing.fixed,
    )


def _ground(request: Request, streams: RngStreams, log: list[Step]) -> Ground:
    """Return the requested arena. By default, return a house arena or a random arena with equal chances."""
    requested, size = request.options.get("arena"), [name for name in ("columns", "rows") if name in request.options]
    if requested not in (None, RANDOM) and size:
        raise WrongUsageError(
            tr("--{size} can be used only with random arenas", size=size[0]),
            hint=tr("add --arena {random}", random=RANDOM),
        )
    if "arena" in request.files:
        user_arena = load_arena(request.files["arena"])
        if mirrors(request):
            symmetric(user_arena.ground, request.files["arena"].name)
        log.append(Step("arena", None, "", (request.files["arena"].name,)))
        return Ground(request.files["arena"].name, user_arena.name, user_arena.ground)
    stream = streams.at("choice")
    name = requested or (
        RANDOM if size or mirrors(request) or stream.chance(1, 2) else stream.choice(tuple(house_arenas()))
    )
    path = "" if requested or size or mirrors(request) else stream.path
    if name == RANDOM:
        columns, rows = (
            int(request.options.get(key, span.usual))
            for key, span in (("columns", limits().columns), ("rows", limits().rows))
        )
        if mirrors(request) and columns % 2:
            raise WrongUsageError(
                tr("--columns {columns}: no arena of this width is symmetrical", columns=columns),
                hint=tr("give an even number"),
            )
        made = streams.under(RANDOM)
        log.append(Step("arena", None, made.prefix, (name,)))
        title = numbers().title.fill(place=streams.at("name").choice(numbers().places))
        return Ground(name, title, make_arena(made, columns, rows, mirrored=mirrors(request)))
    house = house_arenas()[among(name, (*house_arenas(), RANDOM), tr("there is no arena named {name!r}", name=name))]
    if mirrors(request):
        symmetric(house.ground, name)
    log.append(Step("arena", None, path, (name,)))
    return Ground(name, house.name, house.ground)


def _squads(request: Request, pack: Pack, streams: RngStreams, log: list[Step]) -> tuple[int, dict[Player, Kinds]]:
    """Return the points limit of each squad, and both players' machines, which are requested or drawn at random.

    Requested squads may differ in number and points.
    """
    options, stream = request.options, streams.at("points")
    given_squads = {
        p: parse_squad(pack, p, options[f"squad-{p.lower()}"]) for p in PLAYERS if f"squad-{p.lower()}" in options
    }
    if mirrors(request) and given_squads:
        if len(set(given_squads.values())) > 1:
            raise WrongUsageError(
                tr("these options cannot be combined, because both squads have the same set-up"),
                hint=tr("give only one of these options"),
            )
        given_squads = dict.fromkeys(PLAYERS, next(iter(given_squads.values())))
    limit = int(options["points"]) if "points" in options else None
    costs = {player: cost(pack, kinds) for player, kinds in given_squads.items()}
    for player, sum_ in costs.items():
        if limit is not None and sum_ > limit:
            raise WrongUsageError(
                tr(
                    "--points is {points}, but the squad of player {player} has {sum} points",
                    points=limit,
                    player=player,
                    sum=sum_,
                )
            )
    open_ = sizes(options.get("machines"))
    for player, kinds in given_squads.items():
        if len(kinds) not in open_:
            raise WrongUsageError(
                tr(
                    "--machines is {machines}, but the number of machines of player {player} is {count}",
                    machines=options["machines"],
                    player=player,
                    count=len(kinds),
                )
            )
    path = ""
    if limit is not None or costs:
        points = limit if limit is not None else max(costs.values())
    else:
        path = stream.path
        # The points are those of a random squad. Each player then draws a squad with this number of machines and
        # points.
        open_ = open_ if "machines" in options else (stream.choice(numbers().sizes),)
        points = cost(pack, draw_squad(stream, squads(pack, open_)))
    log.append(Step("points", None, path, (str(points),)))
    found: dict[Player, Kinds] = {}
    for player in PLAYERS:
        squad_rng, given = streams.at(f"squad-{player}"), given_squads.get(player)
        if mirrors(request) and found:
            given = found[PLAYERS[0]]
        found[player] = given or draw_squad(squad_rng, squads(pack, open_, points))
        log.append(Step("squad", player, "" if given else squad_rng.path, found[player]))
    return points, found


def _first(request: Request, streams: RngStreams, log: list[Step]) -> Player:
    """Return the requested first player, or the player with the higher die. Ties are re-rolled."""
    stream, first = streams.at("dice"), next((p for p in PLAYERS if p == request.options.get("first")), None)
    while first is None:
        a, b = stream.die(), stream.die()
        log.append(Step("dice", None, stream.path, (str(a), str(b))))
        if a != b:
            first = "A" if a > b else "B"
    log.append(Step("first", first, "", ()))
    return first


@cache
def draw_options() -> tuple[GameOption, ...]:
    """Return all options of this game."""
    ground, tables, texts = limits(), numbers(), option_texts("battling")
    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("arena", texts["arena"], (*house_arenas(), RANDOM), file=True),
        GameOption("columns", texts["columns"], ground.columns.words, default=str(ground.columns.usual)),
        GameOption("rows", texts["rows"], ground.rows.words, default=str(ground.rows.usual)),
        GameOption("machines", texts["machines"], tables.machines.words),
        GameOption("points", texts["points"], tables.points.words),
        *(GameOption(f"squad-{p.lower()}", texts["squad"].fill(player=p), metavar="MACHINES") for p in PLAYERS),
        GameOption("first", texts["first"], PLAYERS),
        GameOption("edge", texts["edge"], EDGES),
        *(GameOption(f"place-{side}", texts["place"].fill(side=side_name(side)), metavar="HEXES") for side in SIDES),
        GameOption("turns", texts["turns"], tables.turns.words, default=str(tables.turns.usual)),
        GameOption("charts", texts["charts"], file=True, metavar="FILE"),
        *ruling_options(switches()),
    )
