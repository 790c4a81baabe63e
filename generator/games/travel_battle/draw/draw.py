"""The draw of a Travel Battle, step by step as players set it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from generator import __version__
from generator.draw.streams import Streams
from generator.errors import NothingLegalError, Problem, WrongUsageError, near
from generator.games.logs import Step
from generator.games.rulings import chosen
from generator.games.travel_battle.draw.deploying import Deployment, Post, arranged
from generator.games.travel_battle.draw.laying import Laying, higher
from generator.games.travel_battle.forces.army import Kind, Roster, Sizes, load_roster
from generator.games.travel_battle.forces.brigades import draw_split, preset_split
from generator.games.travel_battle.mirror import alike, image, mirrors
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.objectives import draw_objective, kinds, limits
from generator.games.travel_battle.scenario import (
    AHEAD,
    BRIGADES,
    OTHER,
    PLAYERS,
    RANDOM,
    Army,
    Boards,
    Brigade,
    Objective,
    Player,
    Scenario,
    Unit,
    battlefield,
    brigade_id,
)
from generator.games.travel_battle.wishes import switches
from generator.games.words import words
from generator.grid.squares import SquareField
from generator.model.scenario import Order, Origin, UserFile
from generator.model.words import Words, same
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name

STREAMS = "v1/travel_battle"
ORDERS = 4
"""In how many orders brigades are tried from left to right where the first finds no room."""


def draw(order: Order) -> Scenario:
    """A whole scenario."""
    streams, wished = Streams(order.code, STREAMS), order
    order = alike(wished) if mirrors(wished) else wished
    rulings = chosen(switches(), order.wishes)
    roster = load_roster(order.files.get("army"))
    sizes = _sizes(order, roster)
    log: list[Step] = []
    boards = Laying(order, streams.under("boards"), log).laid()
    field = battlefield(boards).land.field
    drawn = PLAYERS[:1] if mirrors(order) else PLAYERS
    armies = {
        player: _army(order, player, roster, sizes, boards, rulings["sight"], streams.under(player), log)
        for player in drawn
    }
    for player in PLAYERS[len(drawn) :]:
        armies[player] = image(armies[OTHER[player]], field)
        log.append(Step(log[-1].what, player, "", log[-1].result))
    first_placer = higher("placer", streams, log)
    log.append(Step("placer", first_placer, "", ()))
    log += _placed(armies, field, first_placer, streams, drawn)
    first_mover = higher("mover", streams, log)
    log.append(Step("mover", first_mover, "", ()))
    objective = _objective(order, boards, armies, streams, log)
    return Scenario(
        origin=Origin("travel_battle", order.code, __version__, dict(wished.wishes), _files(order)),
        title=_title(order, streams),
        boards=boards,
        roster=roster,
        armies=armies,
        first_placer=first_placer,
        first_mover=first_mover,
        objective=objective,
        turns=_turns(order, objective),
        rulings=rulings,
        log=tuple(log),
    )


def _objective(
    order: Order,
    boards: Boards,
    armies: Mapping[Player, Army],
    streams: Streams,
    log: list[Step],
) -> Objective:
    """What wins: destroyed brigades, or the objective wished for."""
    kind, stream = order.wishes.get("objective", BRIGADES), streams.at("objective")
    if kind == RANDOM:
        kind = stream.choice(_open(order))
    field = battlefield(boards)
    objective = draw_objective(stream, field, armies, kind)
    if objective.player:
        cells = map(field.land.field.name, objective.cells)
        log.append(Step("objective", objective.player, stream.path, (kind, *cells, *objective.units)))
    return objective


def _turns(order: Order, objective: Objective) -> int:
    """The last turn wished for, or the usual one."""
    open_ = limits(objective.kind)
    turns = int(order.wishes.get("turns", open_[0]))
    if turns not in open_:
        told = ", ".join(map(str, open_)) if any(open_) else ""
        hint = f"one of {told}" if told else "leave --turns out"
        why = "ends after another turn" if told else "has no last turn"
        raise WrongUsageError(
            Problem(f"--turns {turns}: a battle with the objective {objective.kind} {why}", hint=hint)
        )
    return turns


def _open(order: Order) -> tuple[str, ...]:
    """The objectives that may be drawn: with which the battle may last as long as is wished for."""
    wished = order.wishes.get("turns")
    return tuple(kind for kind in kinds() if wished is None or int(wished) in limits(kind))


def _title(order: Order, streams: Streams) -> Words:
    if "title" in order.wishes:
        return same(clean_name(order.wishes["title"], "--title"))
    return words("travel_battle")["title"]["drawn"].fill(place=streams.at("title").choice(play().places))


def _files(order: Order) -> dict[str, UserFile]:
    return {wish: UserFile(path.name, file_hash(path)) for wish, path in order.files.items()}


def _sizes(order: Order, roster: Roster) -> Sizes:
    """How large drawn brigades are: as wished for, or the first sizes by which the army can be split."""
    wished, fitting = order.wishes.get("sizes"), [sizes.id for sizes in roster.fitting]
    if wished and all(f"split-{player}" in order.wishes for player in PLAYERS):
        raise WrongUsageError("--sizes has nothing to decide where both sides' brigades are wished for")
    if wished and wished not in roster.sizes:
        raise WrongUsageError(Problem(f"--sizes: this army has no {wished!r}", hint=near(wished, fitting)))
    if wished and wished not in fitting:
        told = f"--sizes {wished}: {sum(roster.counts)} units make no brigades of that size"
        raise WrongUsageError(Problem(told, hint=f"sizes that fit: {', '.join(fitting)}"))
    return roster.sizes[wished or fitting[0]]


def _army(
    order: Order,
    player: Player,
    roster: Roster,
    sizes: Sizes,
    boards: Boards,
    reading: str,
    streams: Streams,
    log: list[Step],
) -> Army:
    """A player's brigades in their places, numbered from his left: as wished for, or drawn."""
    deployment = Deployment(battlefield(boards).land, player, reading)
    wished, armies = order.wishes.get(f"split-{player}"), play().armies_on(len(boards[0]), len(boards))
    stream = streams.at("split")
    if wished:
        if wished not in roster.presets:
            raise WrongUsageError(Problem(f"no brigades {wished!r} for this army", hint=near(wished, roster.presets)))
        split = preset_split(roster, roster.presets[wished]) * armies
        orders: list[Sequence[Sequence[Kind]]] = [[_kinds(roster, share) for share in split]]
    else:
        drawn = [_kinds(roster, share) for _army in range(armies) for share in draw_split(stream, roster, sizes)]
        orders = [arranged(drawn, stream) for _ in range(ORDERS)]
    place = streams.at("place")
    for brigades in orders:
        if placed := deployment.place(brigades, place):
            told = (wished,) if wished else tuple(map(brigade_text, brigades))
            log.append(Step("preset" if wished else "split", player, "" if wished else stream.path, told))
            return Army(player, tuple(_brigade(player, n, posts) for n, posts in enumerate(placed, 1)))
    raise NothingLegalError(f"{player}'s army finds no room in its rows: wish for other boards or brigades")


def _kinds(roster: Roster, share: Sequence[int]) -> tuple[Kind, ...]:
    """A brigade's units, its brigadier first."""
    kinds = zip(roster.fighters, share, strict=True)
    return (roster.brigadier, *(kind for kind, count in kinds for _ in range(count)))


def brigade_text(kinds: Sequence[Kind]) -> str:
    """A brigade's fighting units as the log tells them, such as `2 line, 1 gun`."""
    counts = Counter(kind.id for kind in kinds if kind.fights)
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _placed(
    armies: Mapping[Player, Army], field: SquareField, first: Player, streams: Streams, drawn: Collection[Player]
) -> Iterator[Step]:
    """Whole brigades by turns, each player's in an order that is drawn; the places too but for an image's."""
    turns = {}
    for player, army in armies.items():
        own = streams.under(player)
        brigades = own.at("order").shuffle(army.brigades)
        path = own.at("place").path if player in drawn else ""
        turns[player] = [Step("place", player, path, places(field, brigade)) for brigade in brigades]
    for one, other in zip(turns[first], turns[OTHER[first]], strict=True):
        yield from (one, other)


def _brigade(player: Player, number: int, posts: Sequence[Post]) -> Brigade:
    """Its units by name: the brigadier bears the brigade's own."""
    name = brigade_id(player, number)
    leader = [post for post in posts if not post[0].fights]
    others = sorted((post for post in posts if post[0].fights), key=lambda post: _ORDER[post[0].arm])
    letters = "abcdefghijklmnopqrstuvwxyz"
    ids = [name] * len(leader) + [name + letter for letter in letters[: len(others)]]
    return Brigade(
        number,
        tuple(Unit(i, kind, cell, AHEAD[player]) for i, (kind, cell) in zip(ids, (*leader, *others), strict=True)),
    )


_ORDER = {"infantry": 0, "cavalry": 1, "artillery": 2}


def places(field: SquareField, brigade: Brigade) -> tuple[str, ...]:
    """Where a brigade's units stand, as the log tells it."""
    return tuple(f"{unit.id} {field.name(unit.cell)}" for unit in brigade.units if unit.cell)
