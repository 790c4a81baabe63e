"""Play a whole battle at random and write its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from generator.games.battling.legal_orders import orders
from generator.games.battling.model import OTHER, SIDES, Letter, Scenario, Side
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply
from generator.games.battling.play import Position, Standing, actions, opening
from generator.games.battling.post.log import print_log
from generator.games.battling.tables import dice
from generator.grid.columns import distance
from generator.model.words import Lang
from generator.seeds import Rng

ATTACKS = (2, 3)
"""The chance that a machine attacks if it can, as a fraction. Otherwise, it moves towards the enemy."""
IDLE = (1, 8)
"""The chance, as a fraction, that one machine of a larger squad does not act in a phase."""

LogItem = Header | Order | Reply


def play(scenario: Scenario, stream: Rng, lang: Lang = "en") -> str:
    """Return the log of a random battle, in which every order states its AT, with headers in this language.

    A simple random player gives the orders of both sides. The player approaches the enemy and varies the actions,
    so that the log contains every action.
    """
    return print_log(list(_log_items(_Battle(opening(scenario), stream), scenario.turns)), lang)


def _log_items(battle: _Battle, turns: int) -> Iterator[LogItem]:
    """Yield the lines of both sides, with a header whenever the side or turn changes."""
    written: tuple[int, Side] | None = None
    for turn in range(1, turns + 1):
        for side in SIDES:
            if written != (turn, side):
                written = (turn, side)
                yield Header(*written)
            for writer, item in battle.phase(side):
                if written != (turn, writer):
                    written = (turn, writer)
                    yield Header(*written)
                yield item
            if not all(battle.position.side(s) for s in SIDES):
                return


class _Battle:
    def __init__(self, position: Position, stream: Rng) -> None:
        self.position = position
        self.stream = stream
        self.done: Counter[Letter] = Counter()
        """The number of times that each action has been chosen."""

    def phase(self, side: Side) -> Iterator[tuple[Side, LogItem]]:
        """Yield the orders of one side, the replies of the other side, and the answers to these."""
        attacks: list[tuple[str, str, Order]] = []
        squad = self.position.side(side)
        idle = self.stream.choice(squad) if len(squad) > 1 and self.stream.chance(*IDLE) else None
        for machine in squad:
            if machine is idle:
                self._set(machine.id, last="")
                continue
            order = self._choice(machine)
            self.position = self.position.after(machine.id, order)
            yield side, msgspec.structs.replace(order, unit=machine.number)
            if order.target:
                cell = self.position.arena.field.find(order.target)
                assert cell is not None, "a legal order keeps to the arena"
                attacks.append((machine.id, self.position.at[cell].id, order))
        answers: list[Answer] = []
        for attacker, target, order in attacks:
            if self.position.machines[target].hp > 0:
                reply = self._shot(attacker, target) if order.action == "F" else self._battling(attacker, target)
                yield OTHER[side], reply
                if isinstance(reply, BattlingReply) and (lost := dice().effects[reply.result].attacker_loss):
                    answers.append(Answer(self._name(attacker), reply.result, self._hit(attacker, lost)))
        yield from ((side, answer) for answer in answers)

    def _choice(self, machine: Standing) -> Order:
        legal = orders(self.position, machine.id)
        attacks = [order for order in legal if actions()[order.action].attack]
        others = [order for order in legal if order not in attacks]
        wanted = attacks if attacks and self.stream.chance(*ATTACKS) else others
        letter = min((order.action for order in wanted), key=lambda of: self.done[of])
        self.done[letter] += 1
        gaps = {order: self._gap(machine, order) for order in wanted if order.action == letter}
        return self.stream.choice([order for order, gap in gaps.items() if gap == min(gaps.values())])

    def _gap(self, machine: Standing, order: Order) -> int:
        """Return the distance between the end of an order's move and the nearest enemy."""
        end = self.position.arena.field.find(order.to) or machine.cell
        return min(distance(end, enemy.cell) for enemy in self.position.side(OTHER[machine.side]))

    def _shot(self, attacker: str, target: str) -> ShotReply:
        shooter, at = self.position.machines[attacker], self.position.machines[target]
        shot = self.position.pack.shot(shooter.kind, at.kind, distance(shooter.cell, at.cell), at.last)
        die = self.stream.die(dice().die)
        if not shot.hit(die):
            return ShotReply(self._name(target), die, False, None, at.hp)
        damage = self.stream.die(dice().die)
        return ShotReply(self._name(target), die, True, damage, self._hit(target, int(shot.hurt(damage))))

    def _battling(self, attacker: str, target: str) -> BattlingReply:
        enemy, at = self.position.machines[attacker], self.position.machines[target]
        die = self.stream.die(dice().die)
        result = self.position.pack.battling_roll(enemy.kind, at.kind, at.last).result(die)
        return BattlingReply(self._name(target), die, result, self._hit(target, dice().effects[result].target_loss))

    def _hit(self, unit: str, lost: int) -> int:
        """Subtract hit points from a machine, and return the remaining ones."""
        hp = max(0, self.position.machines[unit].hp - lost)
        self._set(unit, hp=hp)
        return hp

    def _set(self, unit: str, **changes: object) -> None:
        machine = msgspec.structs.replace(self.position.machines[unit], **changes)
        self.position = replace(self.position, machines={**self.position.machines, unit: machine})

    def _name(self, unit: str) -> str:
        return self.position.arena.field.name(self.position.machines[unit].cell)
