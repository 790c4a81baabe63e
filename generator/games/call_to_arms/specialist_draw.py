"""Which Specialists are picked, and what they do, where nobody wishes for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import SIDES, Board, Side, needs, shortage
from generator.games.battlelore.model import MEDIEVAL, OTHER
from generator.games.battlelore.play import reach, run
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import read_cell_name
from generator.games.call_to_arms.model import Scenario
from generator.games.call_to_arms.specialists import (
    Play,
    Specialist,
    Table,
    chosen,
    from_reserve,
    opened,
    specialists,
)
from generator.games.call_to_arms.tables import numbers
from generator.games.call_to_arms.wishes import Asked
from generator.grid.hexes import Hex
from generator.said import say
from generator.seeds import Stream, Streams


def pick_specialists(asked: Asked, scenario: Scenario, streams: Streams) -> Scenario:
    """The owner takes one, the opponent two, the owner one; no card twice, none in vain where others are left."""
    assert scenario.owner
    seats = {"owner": scenario.owner, "other": OTHER[scenario.owner]}
    _in_reach(asked, Counter(seats[turn] for turn in numbers().picks))
    stream = streams.at("specialists")
    picked: dict[Side, list[str]] = {camp: [] for camp in SIDES}
    log = list(scenario.log)
    for turn in numbers().picks:
        camp = seats[turn]
        wished = asked.specialists[camp][len(picked[camp]) : len(picked[camp]) + 1]
        taken = {name for names in picked.values() for name in names}
        taken |= {name for names in asked.specialists.values() for name in names}
        left = [c for c in specialists().values() if c.id not in taken and not _barred(scenario, c)]
        open_ = [c.id for c in left if _useful(scenario, camp, c)] or [c.id for c in left]
        card = wished[0] if wished else stream.choice(open_)
        picked[camp].append(card)
        log.append(Step("pick", camp, "" if wished else stream.path, (card,)))
    for camp in SIDES:
        for name in asked.plays[camp]:
            if name not in picked[camp]:
                hint = say("wish for it with --specialists-{camp}", camp=camp)
                raise WrongUsageError(
                    say("--plays-{camp}: the {camp} player has not picked {name}", camp=camp, name=name), hint=hint
                )
    forces = {camp: replace(f, specialists=tuple(picked[camp])) for camp, f in scenario.forces.items()}
    return replace(scenario, forces=forces, log=tuple(log))


def _in_reach(asked: Asked, most: Counter[Side]) -> None:
    for camp, names in asked.specialists.items():
        if len(names) > most[camp]:
            raise WrongUsageError(
                say("--specialists-{camp}: the {camp} player picks {most}", camp=camp, most=most[camp])
            )


def _barred(scenario: Scenario, card: Specialist) -> bool:
    """Whether the age of the game forbids the card."""
    return card.lore_only and scenario.age == MEDIEVAL


def _useful(scenario: Scenario, camp: Side, card: Specialist) -> bool:
    """Whether a player who looks at the table would take the card."""
    council = scenario.forces[camp].council
    if card.effect == "upgrade":
        return any(u.kind.bow and u.kind.race == card.race for u in scenario.table.of(camp))
    if card.effect == "lore":
        return card.limit(council) > 0
    if card.limit(council) == 0:
        return False
    return any(True for _ in _Options(scenario, camp, card, scenario.table))


def draw_plays(asked: Asked, scenario: Scenario, streams: Streams) -> Scenario:
    """Specialists are played one at a time, alternately, the owner first; choices are wished for or drawn."""
    assert scenario.owner
    table, plays, log = scenario.table, list(scenario.plays), list(scenario.log)
    order = (scenario.owner, OTHER[scenario.owner])
    most = max(len(f.specialists) for f in scenario.forces.values())
    for turn in range(most):
        for camp in order:
            cards = scenario.forces[camp].specialists
            if turn >= len(cards):
                continue
            card, council = specialists()[cards[turn]], scenario.forces[camp].council
            stream = streams.under(camp).at(f"plays/{card.id}")
            wished = asked.plays[camp].get(card.id)
            play = Play(camp, card.id)
            table = opened(table, play, council)
            choices: list[str] = []
            for number in range(len(wished) if wished is not None else card.limit(council)):
                text = wished[number] if wished is not None else _draw(scenario, camp, card, table, stream, choices)
                if not text:
                    break
                choices.append(text)
                table = chosen(table, play, text, scenario.reserve(camp))
            plays.append(replace(play, choices=tuple(choices)))
            log.append(Step("play", camp, "" if wished is not None else stream.path, (card.id, *choices)))
    return replace(scenario, plays=tuple(plays), log=tuple(log))


def _draw(scenario: Scenario, camp: Side, card: Specialist, table: Table, stream: Stream, before: list[str]) -> str:
    """One lawful choice more; empty where there is none."""
    used = {text.partition(">")[0] for text in before}
    open_ = [text for text in _Options(scenario, camp, card, table) if text.partition(">")[0] not in used]
    return stream.choice(open_) if open_ else ""


class _Options:
    """The choices worth making for a card as the table stands; every one is lawful."""

    def __init__(self, scenario: Scenario, camp: Side, card: Specialist, table: Table) -> None:
        self.scenario, self.camp, self.card, self.table = scenario, camp, card, table
        self.board: Board = table.board
        self.units = table.of(camp)
        self.taken = table.taken()

    def __iter__(self) -> Iterator[str]:
        effects: Mapping[str, Callable[[], Iterator[str]]] = {
            "stakes": self.stakes,
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
        """Whether figures and banners suffice for these besides what stands already, one unit left out."""
        units = [u for u in self.units if not u.levy]
        kinds = [u.kind for u in units if u.id != without]
        added = [u.kind for u in units for _ in range(u.extra) if u.id != without]
        return self.scenario.pool.fits(self.camp, [*kinds, *more], [*added, *extra])

    def beside(self, at: Hex) -> Iterator[Hex]:
        """Free hexes next to a unit that another may be placed on."""
        return (n for n in self.board.field.neighbours(at) if self.board.passable(n) and n not in self.taken)

    def stakes(self) -> Iterator[str]:
        """Under the camp's own foot bows."""
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
        """The second player's reserves that have not come, onto his baseline."""
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
        """Forward, as far as a unit gets."""
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
                yield from (f"{unit.id}>{self.name(cell)}" for cell in self.beside(unit.hex))

    def hire(self) -> Iterator[str]:
        for unit in self.recruits():
            kind = self._hired(unit)
            if self.fits((kind,), unit.id, (kind,) * unit.extra):
                yield unit.id

    def hire_pair(self) -> Iterator[str]:
        for unit in self.recruits():
            kind = self._hired(unit)
            if unit.hex and self.fits((kind, kind), unit.id, (kind,) * unit.extra):
                yield from (f"{unit.id}>{self.name(cell)}" for cell in self.beside(unit.hex))

    def recruits(self) -> Iterator[Unit]:
        return (u for u in self.units if u.kind.arm == "foot" and u.kind.race != self.card.race)

    def _hired(self, unit: Unit) -> Kind:
        return replace(unit.kind, race=self.card.race)

    def vantage(self) -> Iterator[str]:
        """Reserves to the front: next to the camp's foremost units."""
        reserve = self.scenario.reserve(self.camp)
        front = sorted((u.hex for u in self.units if u.hex), key=lambda c: -self.board.plan.seen(c, self.camp).r)
        for cell, kind in reserve.kinds.items():
            where = read_cell_name(cell)
            came = where and from_reserve(self.table, self.camp, reserve.key, where)
            if came and (came.hex or self.fits((kind,))):
                others = [at for at in front if at != came.hex]
                spots = dict.fromkeys(spot for at in others[:3] for spot in self.beside(at))
                yield from (f"{cell}>{self.name(spot)}" for spot in spots)
