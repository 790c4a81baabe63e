"""Generate a battle in the same steps as the players (seed, 3a and 3b), following the user's options.

The rules that check a scenario do not depend on this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.errors import NothingLegalError, WrongUsageError
from generator.games.battlelore.forces import Council, Kind, Unit, draw_council, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side, needs, shortage
from generator.games.battlelore.model import LORE, MEDIEVAL, OTHER, kind_text
from generator.games.battlelore.options import Ground
from generator.games.battlelore.play import reach, run, screens
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import CardUnit, Deck, read_cell_name
from generator.games.call_to_arms.deploying import Deployment
from generator.games.call_to_arms.model import Force, Scenario
from generator.games.call_to_arms.options import ORGANIZED, STRONG, DrawOptions, least_levels, picked, place
from generator.games.call_to_arms.specialists import (
    Exchange,
    Play,
    Specialist,
    Table,
    chosen,
    from_reserve,
    opened,
    specialists,
)
from generator.games.call_to_arms.tables import numbers
from generator.grid.hexes import Hex, distance
from generator.localization import tr
from generator.model.scenario import Request
from generator.notation import envelope
from generator.seeds import Rng, RngStreams
from generator.sight.trace import Screens


def strong_places(
    deck: Deck, board: Board, camp: Side, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the cards for left, centre, right and reserve that maximize the total of `worth`.

    The first of equals wins.
    """
    value = worth(deck, board, camp, keys, rulings)
    return max(permutations(keys), key=lambda four: sum(value[k, s] for k, s in zip(four[:3], SECTIONS, strict=True)))


def worth(
    deck: Deck, board: Board, camp: Side, keys: tuple[str, ...], rulings: Mapping[str, str]
) -> dict[tuple[str, Section], int]:
    """Return the value of each card in each section by a house measure.

    A unit with a bow counts 1 for each hex that it sees in range. Any other unit counts its points for each
    adjacent hex that it can enter without having to stop. A unit that would be displaced counts 0.
    """
    over = screens(board, (), rulings)
    return {
        (key, section): sum(
            _worth(board, over, unit.kind, board.plan.card_hex(camp, section, unit.column, unit.row))
            for unit in deck.card(camp, key).units
        )
        for key in keys
        for section in SECTIONS
    }


def _worth(board: Board, over: Screens, kind: Kind, at: Hex) -> int:
    if not board.passable(at):
        return 0
    if kind.bow:
        reach = lore().weapons[kind.weapon].range
        index = board.field.index
        return sum(
            not over.stops(index[at], index[cell]) for cell in board.field.cells if 2 <= distance(at, cell) <= reach
        )
    ahead = [n for n in board.field.neighbours(at) if board.step(at, n) and board.terrain(n).move == "free"]
    return points(kind) * len(ahead)


class Army(Struct):
    """The deployment of a camp and the random streams for its open decisions."""

    options: DrawOptions
    streams: RngStreams
    on: Deployment

    def deploy(self, section: Section) -> None:
        """Deploy the units of a section's card. Displaced units go to random permitted hexes."""
        stream = self.streams.at(f"displaced/{section}")
        self.on.deploy(section, lambda of, refuges: (stream.choice(refuges), stream.path))

    def bring_reserves(self, max_reserves: int | None) -> None:
        """Place at most `max_reserves` units of the reserve card on the baseline, or all units if it is None."""
        stream, camp = self.streams.at("reserve"), self.on.camp
        units = self.on.card(self.on.reserve).units
        requested = self.options.reserves[camp]
        count = len(units) if max_reserves is None else min(max_reserves, len(units))
        coming = picked(camp, requested, units, count) if requested else []
        if max_reserves is not None and not requested:
            units = tuple(units[i] for i in sorted(stream.sample(range(len(units)), count)))
        elif max_reserves is not None:
            units = ()
        hexes = dict(zip(coming, (at for _, at in requested), strict=True))

        def choose(of: CardUnit, room: Sequence[Hex]) -> tuple[Hex | None, str]:
            at = stream.choice(room) if room else None
            if not hexes.get(of):
                return at, stream.path
            return (place(camp, hexes[of], room, self.on.board.field) if room else None), ""

        self.on.bring((*coming, *(unit for unit in units if unit not in coming)), choose)


def may_become(levy: Kind, rulings: Mapping[str, str]) -> tuple[Kind, ...]:
    """Return the kinds of soldiers that a levy token may be exchanged for, regardless of the pool (seed, 3b-4).

    Their banner has the token's level or a lower one, and their weapon has figures of its own. A foot levy may
    become mounted, and the ruling `levy_horse` decides whether that requires a lower level. A mounted levy may
    become either arm.
    """
    tables = lore()
    order = list(tables.banners)
    level = order.index(levy.banner)
    found = []
    for banner in order[: level + 1]:
        for weapon in tables.weapons.values():
            if weapon.stands:  # Long bows are available only through Bow Upgrade.
                continue
            rises = levy.arm == "foot" and weapon.arm == "mounted"
            if rises and rulings["levy_horse"] == "lower" and order.index(banner) == level:
                continue
            found += [Kind(banner, weapon.id, race) for race in tables.races]
    return tuple(found)


def draw_exchanges(army: Army) -> tuple[list[Exchange], list[Step]]:
    """Return a camp's exchanges after its reserves are placed, and their log.

    Each token becomes the strongest kind available.
    """
    pool, camp = army.on.pool, army.on.camp
    stream = army.streams.at("exchange")
    real = [u.kind for u in army.on.units if u.hex and not u.levy]
    exchanges: list[Exchange] = []
    steps: list[Step] = []
    for unit in army.on.units:
        if not (unit.hex and unit.levy):
            continue
        open_ = [*filter(pool.room(camp, real), may_become(unit.kind, army.options.setting.rulings))]
        if not open_:
            continue
        best = max(points(k) for k in open_)
        kind = stream.choice([k for k in open_ if points(k) == best])
        real.append(kind)
        exchanges.append(Exchange(camp, unit.id, kind))
        steps.append(Step("exchange", camp, stream.path, (unit.id, kind_text(kind))))
    return exchanges, steps


STREAMS = "v1/call_to_arms"
DICE_ROUNDS = 100


class Hand(Struct, frozen=True):
    """A camp's sets and the four cards drawn from these sets, in the order drawn."""

    camp: Side
    sets: tuple[str, ...]
    keys: tuple[str, ...]
    steps: tuple[Step, ...]


def ground(options: DrawOptions) -> Ground:
    """Return the requested map or a random map."""
    return options.setting.ground(RngStreams(options.setting.code, STREAMS).under("map"))


def hands(options: DrawOptions) -> dict[Side, Hand]:
    """Return the four cards that each camp is dealt, before the players' own decisions."""
    owner, _ = the_owner(options)
    options.settle(owner)
    sets = {camp: options.sets_of(camp) for camp in SIDES}
    steps: dict[Side, Step] = {}
    # The owner of the expansion chooses first, but a random choice leaves out a set that the other player requested.
    for camp in (owner, OTHER[owner]):
        sets[camp], steps[camp] = _sets(options, camp, sets[OTHER[camp]])
    return {camp: _hand(options, camp, sets[camp], steps[camp]) for camp in SIDES}


def the_owner(options: DrawOptions) -> tuple[Side, str]:
    """Return the owner of the expansion, and the path of the random stream that decided it."""
    if options.owner:
        return options.owner, ""
    stream = RngStreams(options.setting.code, STREAMS).at("owner")
    return stream.choice(SIDES), stream.path


def draw(request: Request) -> Scenario:
    """Generate a scenario."""
    options = DrawOptions.of(request)
    streams = RngStreams(request.code, STREAMS)
    chosen_map = ground(options)
    owner, owner_stream = the_owner(options)
    log = [chosen_map.step]
    if options.mode == ORGANIZED:
        log.append(Step("owner", owner, owner_stream, ()))
    drawn = hands(options)
    armies = {camp: _army(options, chosen_map.board, hand, streams) for camp, hand in drawn.items()}
    for camp, army in armies.items():
        for section in numbers().mode[options.mode].reveal:
            army.deploy(section)
        log += [*drawn[camp].steps, *army.on.log]
        army.on.log.clear()
    first, steps = _first(armies, streams)
    log += steps
    exchanges: list[Exchange] = []
    for camp in (OTHER[first], first):
        army = armies[camp]
        army.bring_reserves(None if camp == first else numbers().second_reserves)
        log += army.on.log
        if options.mode == ORGANIZED:
            given, steps = draw_exchanges(army)
            exchanges += given
            log += steps
    councils = {camp: _council(options, camp, streams, log) for camp in SIDES}
    scenario = Scenario(
        origin=envelope.origin_of_draw("call_to_arms", request),
        title=options.setting.title or chosen_map.title,
        mode=options.mode,
        map=chosen_map.name,
        board=chosen_map.board,
        inventory=options.setting.inventory,
        deck=options.deck,
        pool=options.pool,
        rulings=options.setting.rulings,
        forces={
            camp: Force(camp, drawn[camp].sets, on.places, on.reserve, tuple(on.units), councils[camp])
            for camp, on in ((camp, army.on) for camp, army in armies.items())
        },
        first=first,
        banners=options.setting.banners,
        hand=options.setting.hand,
        log=tuple(log),
        age=options.age,
        owner=owner if options.mode == ORGANIZED else None,
        exchanges=tuple(exchanges),
        twins=options.setting.mirrored,
    )
    if options.mode == ORGANIZED:
        scenario = draw_plays(options, pick_specialists(options, scenario, streams), streams)
    return scenario


def _sets(options: DrawOptions, camp: Side, used: tuple[str, ...]) -> tuple[tuple[str, ...], Step]:
    """Return the sets that a camp shuffles, and the log step.

    Sets in `used` belong to the other camp and are left out.
    """
    requested = options.sets_of(camp)
    missing = numbers().mode[options.mode].sets - len(requested)
    if not missing:
        return requested, Step("set", camp, "", requested)
    letters = options.deck.sets
    if options.mode == ORGANIZED:
        letters = (*letters, *(f"{letter}/{OTHER[camp]}" for letter in letters))
    taken = {options.absolute(OTHER[camp], ref) for ref in used}
    stream = RngStreams(options.setting.code, STREAMS).under(options.drawer(camp)).at("set")
    open_ = [ref for ref in letters if options.absolute(camp, ref) not in taken and ref not in requested]
    sets = tuple(sorted((*requested, *stream.sample(open_, missing))))
    return sets, Step("set", camp, stream.path, sets)


def _hand(options: DrawOptions, camp: Side, sets: tuple[str, ...], step: Step) -> Hand:
    if cards := options.cards[camp]:
        return Hand(camp, sets, cards, (step, Step("hand", camp, "", cards)))
    stream = RngStreams(options.setting.code, STREAMS).under(options.drawer(camp)).at("shuffle")
    shuffled = tuple(stream.shuffle([ref for of in sets for ref in options.deck.refs(camp, of)]))
    four = shuffled[: numbers().drawn]
    steps = (step, Step("shuffle", camp, stream.path, shuffled), Step("hand", camp, stream.path, four))
    return Hand(camp, sets, four, steps)


def _army(options: DrawOptions, board: Board, hand: Hand, streams: RngStreams) -> Army:
    rng = streams.under(options.drawer(hand.camp))
    stream = rng.at("places")
    keys, path = options.placed(hand.camp, hand.keys), ""
    if not keys:
        path = stream.path
        keys = tuple(stream.shuffle(hand.keys))
        if options.place == STRONG:
            keys = strong_places(options.deck, board, hand.camp, keys, options.setting.rulings)
    places = dict(zip(SECTIONS, keys[:3], strict=True))
    on = Deployment(options.deck, options.pool, options.setting.rulings, hand.camp, board, places, keys[3])
    on.note("places", path, *keys)
    return Army(options, rng, on)


def _first(armies: dict[Side, Army], streams: RngStreams) -> tuple[Side, list[Step]]:
    """Return the first player and the log steps. The camp with more green banners is first, and dice decide a tie."""
    green = {camp: army.on.green for camp, army in armies.items()}
    steps = [Step("green", None, "", tuple(str(n) for n in green.values()))]
    stream = streams.at("dice")
    faces = [face.id for face in lore().play.face]
    for _ in range(DICE_ROUNDS):
        if green["pennant"] != green["standard"]:
            first: Side = "pennant" if green["pennant"] > green["standard"] else "standard"
            return first, [*steps, Step("first", first, "", ())]
        rolls = {camp: [stream.choice(faces) for _ in range(numbers().tie_dice)] for camp in SIDES}
        green = {camp: rolled.count("green") for camp, rolled in rolls.items()}
        steps.append(Step("dice", None, stream.path, tuple(" ".join(r) for r in rolls.values())))
    raise NothingLegalError(tr("the dice for the first player were tied 100 times in a row"))


def _council(options: DrawOptions, camp: Side, streams: RngStreams, log: list[Step]) -> Council:
    """Return the war council of a camp; empty in medieval games."""
    if options.age != LORE:
        return {}
    stream = streams.under(options.drawer(camp)).at("council")
    requested = options.councils[camp]
    council = requested or draw_council(stream, least_levels(options.specialists[camp]))
    seats_ = tuple(f"{seat} {level}" for seat, level in council.items())
    log.append(Step("council", camp, "" if requested else stream.path, seats_))
    return council


def pick_specialists(options: DrawOptions, scenario: Scenario, streams: RngStreams) -> Scenario:
    """Return the scenario with the Specialists that the players pick.

    The owner picks one, the opponent two, and the owner one.

    No card is picked twice. Cards without effect are picked only if no others are left.
    """
    assert scenario.owner
    seats = {"owner": scenario.owner, "other": OTHER[scenario.owner]}
    max_picks = Counter(seats[turn] for turn in numbers().picks)
    for camp, names in options.specialists.items():
        if len(names) > max_picks[camp]:
            raise WrongUsageError(
                tr(
                    "--specialists-{camp}: the number of Specialists that the {camp} player picks is {most}",
                    camp=camp,
                    most=max_picks[camp],
                )
            )
    stream = streams.at("specialists")
    picked: dict[Side, list[str]] = {camp: [] for camp in SIDES}
    log = list(scenario.log)
    for turn in numbers().picks:
        camp = seats[turn]
        requested = options.specialists[camp][len(picked[camp]) : len(picked[camp]) + 1]
        taken = {name for names in picked.values() for name in names}
        taken |= {name for names in options.specialists.values() for name in names}
        left = [c for c in specialists().values() if c.id not in taken]
        left = [c for c in left if not (c.lore_only and scenario.age == MEDIEVAL)]
        open_ = [c.id for c in left if _useful(scenario, camp, c)] or [c.id for c in left]
        card = requested[0] if requested else stream.choice(open_)
        picked[camp].append(card)
        log.append(Step("pick", camp, "" if requested else stream.path, (card,)))
    for camp in SIDES:
        for name in options.plays[camp]:
            if name not in picked[camp]:
                hint = tr("choose this Specialist with --specialists-{camp}", camp=camp)
                raise WrongUsageError(
                    tr("--plays-{camp}: the {camp} player has not picked {name}", camp=camp, name=name), hint=hint
                )
    forces = {camp: replace(f, specialists=tuple(picked[camp])) for camp, f in scenario.forces.items()}
    return replace(scenario, forces=forces, log=tuple(log))


def _useful(scenario: Scenario, camp: Side, card: Specialist) -> bool:
    """Return whether a Specialist has an effect for the camp in the present position."""
    council = scenario.forces[camp].council
    if card.effect == "upgrade":
        return any(u.kind.bow and u.kind.race == card.race for u in scenario.table.of(camp))
    if card.effect == "lore":
        return card.limit(council) > 0
    if card.limit(council) == 0:
        return False
    return any(True for _ in _Options(scenario, camp, card, scenario.table))


def draw_plays(options: DrawOptions, scenario: Scenario, streams: RngStreams) -> Scenario:
    """Return the scenario with all Specialists played, alternately and the owner first.

    The choices come from the request, or are random.
    """
    assert scenario.owner
    table, plays, log = scenario.table, list(scenario.plays), list(scenario.log)
    camps = (scenario.owner, OTHER[scenario.owner])
    max_plays = max(len(f.specialists) for f in scenario.forces.values())
    for turn in range(max_plays):
        for camp in camps:
            cards = scenario.forces[camp].specialists
            if turn >= len(cards):
                continue
            card, council = specialists()[cards[turn]], scenario.forces[camp].council
            stream = streams.under(camp).at(f"plays/{card.id}")
            requested = options.plays[camp].get(card.id)
            play = Play(camp, card.id)
            table = opened(table, play, council)
            choices: list[str] = []
            for number in range(len(requested) if requested is not None else card.limit(council)):
                text = (
                    requested[number]
                    if requested is not None
                    else _draw(scenario, camp, card, table, stream, choices)
                )
                if not text:
                    break
                choices.append(text)
                table = chosen(table, play, text, scenario.reserve(camp))
            plays.append(replace(play, choices=tuple(choices)))
            log.append(Step("play", camp, "" if requested is not None else stream.path, (card.id, *choices)))
    return replace(scenario, plays=tuple(plays), log=tuple(log))


def _draw(scenario: Scenario, camp: Side, card: Specialist, table: Table, stream: Rng, before: list[str]) -> str:
    """Return a random legal choice in addition to those already made; empty if there is none."""
    used = {text.partition(">")[0] for text in before}
    open_ = [text for text in _Options(scenario, camp, card, table) if text.partition(">")[0] not in used]
    return stream.choice(open_) if open_ else ""


class _Options:
    """The useful choices for a Specialist in the present position. All of these are legal."""

    def __init__(self, scenario: Scenario, camp: Side, card: Specialist, table: Table) -> None:
        self.scenario, self.camp, self.card, self.table = scenario, camp, card, table
        self.board: Board = table.board
        self.units = table.of(camp)
        self.taken = table.taken()

    def __iter__(self) -> Iterator[str]:
        effects: Mapping[str, Callable[[], Iterator[str]]] = {
            "stakes": self.stake_choices,
            "enroll": self.enroll,
            "move": self.move,
            "reinforce": self.reinforce,
            "copy": self.copy,
            "hire": self.hire,
            "hire_pair": self.hire_pair,
            "vantage": self.vantage,
        }
        return effects[self.card.effect]() if self.card.effect in effects else iter(())

    def name(self, cell: Hex) -> str:
        return self.board.field.name(cell)

    def fits(self, more: tuple[Kind, ...] = (), without: str = "", extra: tuple[Kind, ...] = ()) -> bool:
        """Return whether the pool has enough pieces for the units on the board plus `more` units and `extra` figures.

        The unit with the id `without` is not counted.
        """
        units = [u for u in self.units if not u.levy]
        kinds = [u.kind for u in units if u.id != without]
        added = [u.kind for u in units for _ in range(u.extra) if u.id != without]
        return self.scenario.pool.fits(self.camp, [*kinds, *more], [*added, *extra])

    def adjacent(self, at: Hex) -> Iterator[Hex]:
        """Yield the free hexes next to a unit on which another unit can be placed."""
        return (n for n in self.board.field.neighbours(at) if self.board.passable(n) and n not in self.taken)

    def stake_choices(self) -> Iterator[str]:
        """Yield the hexes of the camp's foot units with bows."""
        feature, plan = lore().features["stakes"], self.board.plan
        pieces = needs(self.board)
        for face in feature.tiles:
            pieces[face] += 1
        if shortage(pieces, self.scenario.inventory):
            return
        for unit in self.units:
            at = unit.hex
            if not at or not unit.kind.bow or unit.kind.arm != "foot" or at in self.board.features:
                continue
            if self.board.ground[at] in feature.on and plan.seen(at, self.camp).r < self.card.rows:
                yield self.name(at)

    def enroll(self) -> Iterator[str]:
        """Yield the second player's remaining reserves, each with every free hex of that player's baseline."""
        if self.camp == self.scenario.first:
            return
        reserve = self.scenario.reserve(self.camp)
        for cell, kind in reserve.kinds.items():
            where = read_cell_name(cell)
            if where and not from_reserve(self.table, self.camp, reserve.key, where) and self.fits((kind,)):
                for at in self.board.plan.baseline(self.camp):
                    if self.board.passable(at) and at not in self.taken:
                        yield f"{cell}>{self.name(at)}"

    def move(self) -> Iterator[str]:
        """Yield moves that take a unit as far forward as possible."""
        for unit in self.units:
            if unit.hex is None:
                continue
            ahead = self.board.plan.seen(unit.hex, self.camp).r
            rows = {
                cell: self.board.plan.seen(cell, self.camp).r
                for cell in reach(self.board, self.taken, unit.hex, run(unit.kind))
            }
            best = max(rows.values(), default=ahead)
            if best > ahead:
                yield from (f"{unit.id}>{self.name(cell)}" for cell, row in rows.items() if row == best)

    def reinforce(self) -> Iterator[str]:
        level = self.card.level(self.scenario.forces[self.camp].council)
        for unit in self.units:
            if unit.kind.arm == "mounted" and level < self.card.mounted_from:
                continue
            if not unit.levy and self.fits(extra=(unit.kind,)):
                yield unit.id

    def copy(self) -> Iterator[str]:
        level = self.card.level(self.scenario.forces[self.camp].council)
        for unit in self.units:
            if (
                unit.hex
                and unit.kind.banner in self.card.banners[:level]
                and not unit.levy
                and self.fits((unit.kind,), extra=(unit.kind,) * unit.extra)
            ):
                yield from (f"{unit.id}>{self.name(cell)}" for cell in self.adjacent(unit.hex))

    def hire(self) -> Iterator[str]:
        for unit in self.recruits():
            kind = self._hired(unit)
            if self.fits((kind,), unit.id, (kind,) * unit.extra):
                yield unit.id

    def hire_pair(self) -> Iterator[str]:
        for unit in self.recruits():
            kind = self._hired(unit)
            if unit.hex and self.fits((kind, kind), unit.id, (kind,) * unit.extra):
                yield from (f"{unit.id}>{self.name(cell)}" for cell in self.adjacent(unit.hex))

    def recruits(self) -> Iterator[Unit]:
        return (u for u in self.units if u.kind.arm == "foot" and u.kind.race != self.card.race)

    def _hired(self, unit: Unit) -> Kind:
        return replace(unit.kind, race=self.card.race)

    def vantage(self) -> Iterator[str]:
        """Yield reserves with hexes next to the camp's foremost units."""
        reserve = self.scenario.reserve(self.camp)
        front = sorted((u.hex for u in self.units if u.hex), key=lambda c: -self.board.plan.seen(c, self.camp).r)
        for cell, kind in reserve.kinds.items():
            where = read_cell_name(cell)
            came = where and from_reserve(self.table, self.camp, reserve.key, where)
            if came and (came.hex or self.fits((kind,))):
                others = [at for at in front if at != came.hex]
                spots = dict.fromkeys(spot for at in others[:3] for spot in self.adjacent(at))
                yield from (f"{cell}>{self.name(spot)}" for spot in spots)
