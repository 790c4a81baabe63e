"""The draw of a battle, step by step as players set it up."""

from __future__ import annotations

from dataclasses import dataclass

from generator import __version__
from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError, near
from generator.games.battling.draw.placing import Placing
from generator.games.battling.forces.machines import Pack, load_pack
from generator.games.battling.forces.squads import Kinds, cost, drawn, sizes, squads, wished
from generator.games.battling.ground.arena import Arena
from generator.games.battling.ground.arenas import house_arenas, load_arena
from generator.games.battling.ground.maker import make_arena
from generator.games.battling.mirror import mirrors, symmetric
from generator.games.battling.numbers import limits, play
from generator.games.battling.scenario import PLAYERS, RANDOM, Player, Scenario
from generator.games.battling.wishes import switches
from generator.games.logs import Step
from generator.games.rulings import chosen
from generator.model.scenario import Order, Origin, UserFile
from generator.model.words import Words, same
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name

STREAMS = "v1/battling"


@dataclass(frozen=True)
class Ground:
    """The arena of a battle, and what the battle is called if nobody names it."""

    name: str
    title: Words
    arena: Arena


def draw(order: Order) -> Scenario:
    """A whole scenario; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
    streams = Streams(order.code, STREAMS)
    pack = load_pack(order.files.get("charts"))
    log: list[Step] = []
    ground = _ground(order, streams.under("arena"), log)
    points, kinds = _squads(order, pack, streams, log)
    first = _first(order, streams, log)
    placing = Placing(order.wishes, ground.arena, pack, streams, log, mirrored=mirrors(order))
    title = order.wishes.get("title")
    return Scenario(
        origin=Origin("battling", order.code, __version__, dict(order.wishes), _files(order)),
        title=same(clean_name(title, "--title")) if title else ground.title,
        arena_name=ground.name,
        arena=ground.arena,
        pack=pack,
        squads=placing.squads(first, kinds),
        turns=int(order.wishes.get("turns", play().turns.usual)),
        rulings=chosen(switches(), order.wishes),
        points=points,
        log=tuple(log),
    )


def _files(order: Order) -> dict[str, UserFile]:
    return {wish: UserFile(path.name, file_hash(path)) for wish, path in order.files.items()}


def _ground(order: Order, streams: Streams, log: list[Step]) -> Ground:
    """The arena wished for, or one drawn: as often a house arena as a random one."""
    wish, size = order.wishes.get("arena"), [name for name in ("columns", "rows") if name in order.wishes]
    if wish not in (None, RANDOM) and size:
        raise WrongUsageError(Problem(f"--{size[0]} is for random arenas", hint=f"wish for --arena {RANDOM} too"))
    if "arena" in order.files:
        own = load_arena(order.files["arena"])
        if mirrors(order):
            symmetric(own.arena, order.files["arena"].name)
        log.append(Step("arena", None, "", (order.files["arena"].name,)))
        return Ground(order.files["arena"].name, own.name, own.arena)
    stream = streams.at("choice")
    name = wish or (RANDOM if size or mirrors(order) or stream.chance(1, 2) else stream.choice(tuple(house_arenas())))
    path = "" if wish or size or mirrors(order) else stream.path
    if name == RANDOM:
        columns, rows = (
            int(order.wishes.get(key, span.usual))
            for key, span in (("columns", limits().columns), ("rows", limits().rows))
        )
        if mirrors(order) and columns % 2:
            raise WrongUsageError(
                Problem(f"--columns {columns}: no such arena is its own image", hint="an even number")
            )
        made = streams.under(RANDOM)
        log.append(Step("arena", None, made.prefix, (name,)))
        title = play().title.fill(place=streams.at("name").choice(play().places))
        return Ground(name, title, make_arena(made, columns, rows, mirrored=mirrors(order)))
    if name not in house_arenas():
        raise WrongUsageError(Problem(f"no arena {name!r}", hint=near(name, (*house_arenas(), RANDOM))))
    house = house_arenas()[name]
    if mirrors(order):
        symmetric(house.arena, name)
    log.append(Step("arena", None, path, (name,)))
    return Ground(name, house.name, house.arena)


def _squads(order: Order, pack: Pack, streams: Streams, log: list[Step]) -> tuple[int, dict[Player, Kinds]]:
    """The points of each squad, and both players' machines: as wished for, or drawn among all of as many points."""
    wish, stream = order.wishes, streams.at("points")
    typed = {p: wished(pack, p, wish[f"squad-{p.lower()}"]) for p in PLAYERS if f"squad-{p.lower()}" in wish}
    if mirrors(order) and typed:
        if len(set(typed.values())) > 1:
            raise WrongUsageError(Problem("both squads are set up alike", hint="wish for one of them alone"))
        typed = dict.fromkeys(PLAYERS, next(iter(typed.values())))
    sums = {cost(pack, kinds) for kinds in typed.values()} | ({int(wish["points"])} if "points" in wish else set())
    if len(sums) > 1:
        told = ", ".join(map(str, sorted(sums)))
        raise WrongUsageError(f"the squads and points wished for must come to the same: they are {told}")
    open_ = sizes(wish.get("machines"))
    for player, kinds in typed.items():
        if len(kinds) not in open_:
            raise WrongUsageError(f"--machines asks for {wish['machines']}, player {player} has {len(kinds)}")
    path = ""
    if not sums:
        path = stream.path
        # A squad is drawn for its points; either player then draws one of as many machines and points.
        open_ = open_ if "machines" in wish else (stream.choice(play().sizes),)
        sums = {cost(pack, drawn(stream, squads(pack, open_)))}
    points = sums.pop()
    log.append(Step("points", None, path, (str(points),)))
    found: dict[Player, Kinds] = {}
    for player in PLAYERS:
        own, given = streams.at(f"squad-{player}"), typed.get(player)
        if mirrors(order) and found:
            given = found[PLAYERS[0]]
        found[player] = given or drawn(own, squads(pack, open_, points))
        log.append(Step("squad", player, "" if given else own.path, found[player]))
    return points, found


def _first(order: Order, streams: Streams, log: list[Step]) -> Player:
    """Who is first: the player wished for, or the one with the higher die; ties are rolled again."""
    wish = order.wishes.get("first")
    if wish:
        first = next(player for player in PLAYERS if player == wish)
        log.append(Step("first", first, "", ()))
        return first
    stream = streams.at("dice")
    while True:
        a, b = stream.die(), stream.die()
        log.append(Step("dice", None, stream.path, (str(a), str(b))))
        if a != b:
            first = "A" if a > b else "B"
            log.append(Step("first", first, "", ()))
            return first
