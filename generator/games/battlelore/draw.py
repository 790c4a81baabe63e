"""Generate a BattleLore battle with a plan and an army of equal points for each camp."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from generator.common.game import GameOption, option_texts
from generator.common.scenario_file import Step
from generator.errors import NothingLegalError
from generator.games.battlelore.base import Force, Plan, Recruit, Scenario, orders
from generator.games.battlelore.forces import Kind, Pool, Unit, draw_council, load_pool, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side, side_name
from generator.games.battlelore.model import AGES, LORE, MEDIEVAL, PREFIX, as_one, drawer, evened
from generator.games.battlelore.options import Setting, setting_options
from generator.games.battlelore.tables import switches
from generator.grid.hexes import Hex
from generator.localization import tr, tr_external
from generator.model.scenario import Request
from generator.notation.envelope import origin_of_draw
from generator.seeds import Rng, RngStreams

STREAMS = "v1/battlelore"
TRIES = 200


@cache
def draw_options() -> tuple[GameOption, ...]:
    """Return every option of the base game."""
    table, texts = orders(), option_texts("battlelore")
    plans = {plan.id: plan.name for plan in table.plan}
    totals = tuple(str(n) for n in range(table.points.minimum, table.points.maximum + 1))
    return (
        GameOption("age", texts["age"], AGES, default=AGES[0]),
        GameOption("points", texts["points"], totals),
        *(
            GameOption(f"plan-{camp}", texts["plan"].fill(camp=side_name(camp)), (*plans,), names=plans)
            for camp in SIDES
        ),
        *setting_options(switches()),
        GameOption("pool", texts["pool"], file=True, metavar="FILE"),
    )


def draw(request: Request) -> Scenario:
    """Generate a scenario. If it is mirrored, each army is the image of the other under a 180° turn."""
    given, request = request, as_one(request)
    setting = Setting.of(request, switches())
    pool = load_pool(request.files.get("pool"))
    stock = evened(pool) if setting.mirrored else pool
    streams = RngStreams(request.code, STREAMS)
    chosen_map = setting.ground(streams.under("map"))
    log = [chosen_map.step]
    total = _points(request, streams, log)
    age = request.options.get("age", MEDIEVAL)
    forces: dict[Side, Force] = {}
    for camp in SIDES:
        rng = streams.under(drawer(camp, mirrored=setting.mirrored))
        recruits = orders().shared if setting.mirrored else orders().recruits(camp)
        plan = _plan(request, camp, rng, log)
        stream = rng.at("army")
        units = _army(camp, plan, total, chosen_map.board, stock, recruits, stream)
        log.append(Step("army", camp, stream.path, tuple(unit.id for unit in units)))
        council = draw_council(rng.at("council")) if age == LORE else {}
        if council:
            seats = tuple(f"{seat} {level}" for seat, level in council.items())
            log.append(Step("council", camp, rng.at("council").path, seats))
        forces[camp] = Force(camp, plan.id, units, council)
    coin = streams.at("first")
    first = coin.choice(SIDES)
    log.append(Step("first", first, coin.path, ()))
    return Scenario(
        origin=origin_of_draw("battlelore", given),
        title=setting.title or chosen_map.title,
        map=chosen_map.name,
        board=chosen_map.board,
        inventory=setting.inventory,
        pool=pool,
        rulings=setting.rulings,
        forces=forces,
        first=first,
        points=total,
        banners=setting.banners,
        hand=setting.hand,
        age=age,
        log=tuple(log),
    )


def _points(request: Request, streams: RngStreams, log: list[Step]) -> int:
    bounds, stream = orders().points, streams.at("points")
    requested = request.options.get("points")
    total = int(requested) if requested else bounds.minimum + stream.below(bounds.maximum - bounds.minimum + 1)
    log.append(Step("points", None, "" if requested else stream.path, (str(total),)))
    return total


def _plan(request: Request, camp: Side, streams: RngStreams, log: list[Step]) -> Plan:
    stream = streams.at("plan")
    requested = request.options.get(f"plan-{camp}")
    plan = next(p for p in orders().plan if p.id == requested) if requested else stream.choice(orders().plan)
    log.append(Step("plan", camp, "" if requested else stream.path, (plan.id,)))
    return plan


def _army(
    camp: Side,
    plan: Plan,
    total: int,
    board: Board,
    pool: Pool,
    recruits: tuple[Recruit, ...],
    stream: Rng,
) -> tuple[Unit, ...]:
    """Return a random army whose points add up to the total.

    Its units fit the pool and are grouped by section, near their preferred rows.
    """
    for _ in range(TRIES):
        drawn = _sections(camp, plan, total, pool, recruits, stream)
        units = _stand(camp, drawn, board, stream) if drawn else None
        if units:
            return units
    raise NothingLegalError(
        tr(
            "no {camp} army of {total} points was found; choose a different number of points or other figures",
            camp=tr_external(camp),
            total=total,
        )
    )


def _sections(
    camp: Side, plan: Plan, total: int, pool: Pool, recruits: tuple[Recruit, ...], stream: Rng
) -> dict[Section, list[Recruit]] | None:
    """Return random kinds of units for each section, with about the points of the plan.

    The last section gets the rest.
    """
    drawn: dict[Section, list[Recruit]] = {}
    kinds: list[Kind] = []
    left = total
    for section in SECTIONS:
        goal = left if section == SECTIONS[-1] else total * plan.share(section) // 100
        members: list[Recruit] = []
        while goal > 0 and len(members) < orders().most_in_section:
            fits = pool.room(camp, kinds)
            left_over = ((r, goal - points(r.kind)) for r in recruits)
            open_ = [r for r, over in left_over if over >= 0 and over != 1 and fits(r.kind)]
            if not open_:
                break
            recruit = stream.weighted(open_, [r.weight for r in open_])
            members.append(recruit)
            kinds.append(recruit.kind)
            goal -= points(recruit.kind)
            left -= points(recruit.kind)
        drawn[section] = members
        if abs(100 * sum(points(r.kind) for r in members) - plan.share(section) * total) > orders().slack * total:
            return None
    return drawn if left == 0 else None


def _stand(camp: Side, drawn: Mapping[Section, list[Recruit]], board: Board, stream: Rng) -> tuple[Unit, ...] | None:
    """Return the units on free passable hexes of their sections, as near to their preferred rows as possible."""
    taken: set[Hex] = set()
    units: list[Unit] = []
    for section, recruits in drawn.items():
        cells = [
            cell
            for cell in board.plan.section_cells(section, camp)
            if board.plan.seen(cell, camp).r < orders().rows and board.passable(cell) and not board.plan.shared(cell)
        ]
        for recruit in recruits:
            free = [cell for cell in cells if cell not in taken]
            if not free:
                return None
            off = {cell: abs(board.plan.seen(cell, camp).r + 1 - recruit.row) for cell in free}
            smallest = min(off.values())
            at = stream.choice([cell for cell in free if off[cell] == smallest])
            taken.add(at)
            name = f"{PREFIX[camp]}{len(units) + 1}"
            units.append(Unit(name, recruit.kind, "", (-1, -1), "card", at))
    return tuple(units)
