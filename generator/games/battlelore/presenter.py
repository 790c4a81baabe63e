"""Describe a battle in play to the people at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import factorial

from generator.common.playing import players
from generator.common.presenter import Choice, Event, Face, HandCard, Presenter, UnitNow, find_unit, percent_text
from generator.errors import WrongUsageError
from generator.games.battlelore.captain import ranked_units
from generator.games.battlelore.forces import titled
from generator.games.battlelore.ground import SECTIONS, words
from generator.games.battlelore.outlook import NOTHING, Outlook, Scale, read_weights
from generator.games.battlelore.playfield import BIT, OFF, bits
from generator.games.battlelore.playing import (
    AGAIN,
    BACK,
    BATTLE,
    BATTLE_BACK,
    BONUS,
    CARD,
    DONE,
    DRAW,
    FRIGHT,
    GAIN,
    IGNORE,
    MOVE,
    ORDER,
    PURSUE,
    RETREAT,
    ROLL,
    YES,
    State,
)
from generator.games.battlelore.tables import lore
from generator.games.battlelore.told_playing import PlayReporter
from generator.localization import tr
from generator.model.words import Words, joined, same
from generator.seeds import Rng

STRIKE, FLAG = "strike", "flag"
"""The faces of the die that are not helmets and have an effect."""
MAX_STARTS = 3
"""The maximum number of hexes that `odds` lists for an attack after a move."""
MAX_PLANS = 3
"""The maximum number of units whose plans explain a card."""
_EVENTS = {
    CARD: "card",
    ORDER: "order",
    MOVE: "move",
    BATTLE: "attack",
    GAIN: "gain",
    PURSUE: "pursue",
    BONUS: "bonus",
    RETREAT: "retreat",
    BACK: "back",
    IGNORE: "ignore",
}
"""The kinds of events for decisions."""


@cache
def _scale() -> Scale:
    """Return the values of the captain, which the reasons of hints use."""
    return Scale(read_weights(players("battlelore").strong["captain"].weights))


class BattlePresenter(Presenter):
    """Descriptions of a battle of BattleLore or Call to Arms."""

    engine: PlayReporter

    def __init__(self, engine: PlayReporter) -> None:
        super().__init__(engine)
        self.face_names = {face.id: face.name for face in lore().play.face}

    def round(self, state: State) -> int:
        """Return the number of the round, counted from 1."""
        return max(1, (state.turn + 1) // 2)

    def mover(self, state: State) -> int:
        """Return the side that is playing its turn."""
        return state.side

    def units(self, state: State) -> Sequence[UnitNow]:
        """Return all units with their figures."""
        of = self.engine
        return tuple(
            UnitNow(
                unit.id,
                of.field.seat[u],
                titled(unit, unit.kind.name.low),
                "" if state.at[u] == OFF else of.hex(state.at[u]),
                state.figures[u],
                unit.figures,
            )
            for u, (_, unit) in enumerate(of.field.units)
        )

    def score(self, state: State) -> tuple[int, int]:
        """Return the victory banners of each side."""
        return self.engine.banners(state)

    def hand(self, state: State, seat: int) -> Sequence[HandCard]:
        """Return the command cards of a side."""
        kinds = len(self.engine.deck)
        held = state.cards[seat * kinds : (seat + 1) * kinds]
        return tuple(
            HandCard(card.id, card.name, self._quota(card.quota), count)
            for card, count in zip(self.engine.deck, held, strict=True)
            if count
        )

    def _quota(self, quota: Sequence[int]) -> Words:
        """Return how many units a card orders in each section."""
        texts = words()["presented"]
        parts = [texts[f"quota_{section}"].fill(n=n) for n, section in zip(quota, SECTIONS, strict=True) if n]
        return texts["quotas"].fill(parts=joined(parts, ", ", "、"))

    def is_secret(self, state: State, what: int, fell: bool, viewer: int) -> bool:
        """Return whether the step is a card that the other side draws."""
        return fell and state.phase == DRAW and state.side != viewer

    def is_roll(self, state: State) -> bool:
        """Return whether dice are rolled next, and not a card drawn."""
        return state.phase != DRAW

    def question(self, state: State) -> Words:
        """Return what the side to move has to decide."""
        texts, of, fight, phase = words()["presented"], self.engine, state.fight, state.phase
        values: dict[str, object] = {}
        if phase == ORDER:
            card = of.deck[state.card]
            values = {"card": card.name, "quota": self._quota(card.quota), "units": self._ids(bits(state.ordered))}
            return texts["ask_more_orders" if state.ordered else "ask_order"].fill(**values)
        if phase == MOVE:
            values = {"units": self._ids(bits(state.ordered & ~state.moved))}
        elif phase == BATTLE:
            able = [u for u in bits(state.ordered & ~state.spent) if of.attacks(state, u)]
            return texts["ask_battle"].fill(units=self._ids(able)) if able else texts["ask_no_battle"]
        elif phase in (GAIN, PURSUE, BONUS):
            values = {"unit": self._label(fight.by), "hex": of.hex(fight.hex)}
        elif phase == RETREAT:
            values = {"unit": self._label(fight.on), "hex": of.hex(state.at[fight.on]), "n": fight.left}
        elif phase == BACK:
            values = {"unit": self._label(fight.on), "target": self._label(fight.by)}
        elif phase == IGNORE:
            values = {"unit": self._label(fight.on), "n": fight.left, "max": of.max_ignored(state)}
        return texts[f"ask_{_EVENTS.get(phase, 'card')}"].fill(**values)

    def _ids(self, units: Sequence[int]) -> Words:
        return joined([same(self.engine.id(u)) for u in units])

    def _label(self, unit: int) -> Words:
        of = self.engine.field.units[unit][1]
        return words()["played"]["unit"].fill(unit=of.id, kind=titled(of, of.kind.name.low))

    def choice(self, state: State, move: int) -> Choice:
        """Return a legal decision in notation and in words."""
        texts, of, fight, phase = words()["presented"], self.engine, state.fight, state.phase
        notation = of.write(state, move)
        if move == DONE:
            return Choice(notation, "", texts[f"end_{_EVENTS[phase]}"], ends=True)
        if phase == CARD:
            card = of.deck[move]
            return Choice(notation, "", texts["plays"].fill(card=card.name, quota=self._quota(card.quota)))
        if phase == ORDER:
            label = texts["at"].fill(unit=self._label(move), hex=of.hex(state.at[move]))
            return Choice(notation, of.id(move), label)
        if phase == MOVE:
            unit, cell = move >> 8, move & OFF
            near, _ = of.field.ways(of.field.kind[unit], state.at[unit], state.occupied[0] | state.occupied[1])
            battles = near & of.field.battles[of.field.kind[unit]]
            key = "goes" if battles >> cell & 1 else "goes_only"
            return Choice(notation, of.id(unit), texts[key].fill(unit=of.id(unit), hex=of.hex(cell)))
        if phase in (BATTLE, BONUS):
            unit, target = (move >> 8, move & OFF) if phase == BATTLE else (fight.by, move)
            return Choice(notation, of.id(unit), self._attack_text(state, unit, target))
        unit = fight.by if phase in (GAIN, PURSUE) else fight.on
        hex_ = of.hex(fight.hex if phase == GAIN else move) if phase in (GAIN, PURSUE, RETREAT) else ""
        key = f"do_{_EVENTS[phase]}" if phase not in (GAIN, BACK) or move == YES else f"not_{_EVENTS[phase]}"
        return Choice(notation, of.id(unit), texts[key].fill(unit=of.id(unit), hex=hex_, n=move))

    def chance(self, state: State, move: int) -> float | None:
        """Return the chance of at least one hit."""
        field, fight, phase = self.engine.field, state.fight, state.phase
        if move == DONE or phase not in (BATTLE, BONUS):
            return None
        unit, target = (move >> 8, move & OFF) if phase == BATTLE else (fight.by, move)
        moved = state.moved >> unit & 1
        roll = field.roll(field.kind[unit], field.kind[target], state.at[unit], state.at[target], moved)
        return float(roll.hits[1]) if roll else 0.0

    def _attack_text(self, state: State, unit: int, target: int) -> Words:
        return joined(self._attack_lines(state, unit, target, state.at[unit], state.moved >> unit & 1)[:1])

    def aliases(self, state: State, move: int) -> Sequence[str]:
        """Return an attack with the hex of its target, and a card by its names."""
        of, phase = self.engine, state.phase
        if move == DONE:
            return ()
        if phase == BATTLE:
            return (f"{of.id(move >> 8)} {of.hex(state.at[move & OFF])}",)
        if phase == BONUS:
            return (of.hex(state.at[move]),)
        return (of.deck[move].name.en, of.deck[move].name.ja) if phase == CARD else ()

    def event(self, state: State, what: int, fell: bool) -> Event:
        """Return the parties of a step."""
        of, fight, phase = self.engine, state.fight, state.phase
        if fell:
            return self._dice_event(state, what)
        kind = _EVENTS[phase]
        if what == DONE:
            return Event("end", what=kind)
        if phase == CARD:
            return Event(kind, what=of.deck[what].id)
        if phase == ORDER:
            return Event(kind, of.id(what), of.hex(state.at[what]))
        if phase == MOVE:
            unit = what >> 8
            return Event(kind, of.id(unit), of.hex(state.at[unit]), of.hex(what & OFF))
        if phase in (BATTLE, BONUS):
            unit, target = (what >> 8, what & OFF) if phase == BATTLE else (fight.by, what)
            there = of.hex(state.at[target])
            return Event(kind, of.id(unit), of.hex(state.at[unit]), there, (of.id(target),))
        unit = fight.by if phase in (GAIN, PURSUE) else fight.on
        here = of.hex(state.at[unit])
        if phase in (PURSUE, RETREAT) or (phase == GAIN and what == YES):
            return Event(kind, of.id(unit), here, of.hex(fight.hex if phase == GAIN else what))
        return Event(kind, of.id(unit), here, what=of.write(state, what))

    def _dice_event(self, state: State, what: int) -> Event:
        of, fight = self.engine, state.fight
        if state.phase == DRAW:
            return Event("draw", what=of.deck[what].id)
        here, there = of.hex(state.at[fight.by]), of.hex(state.at[fight.on])
        if state.phase == FRIGHT:
            return Event("fright", of.id(fight.on), there)
        ranged = not of.field.step[state.at[fight.by]] >> state.at[fight.on] & 1
        kind = "shot" if ranged else {BATTLE_BACK: "battle_back", AGAIN: "bonus_melee"}.get(fight.mode, "melee")
        return Event(kind, of.id(fight.by), here, there, (of.id(fight.on),))

    def faces(self, state: State, outcome: int, rng: Rng) -> Sequence[Face]:
        """Return the faces of an attack or a frightened retreat. Faces with the same result are equally likely."""
        if state.phase == DRAW:
            return ()
        every = [face.id for face in lore().play.face]
        banner = self.engine.field.kinds[self.engine.field.kind[state.fight.on]].banner
        if state.phase == FRIGHT:
            others = [face for face in every if face != banner]
            missed = state.fight.dice - outcome
            return rng.shuffle([*[banner] * outcome, *(rng.choice(others) for _ in range(missed))])
        roll = self.engine.roll(state)
        hits, flags = roll.outcomes[outcome]
        attack, others = roll.attack, [face for face in every if face not in (banner, STRIKE, FLAG)]
        ways: dict[tuple[int, int], int] = {}
        for helmets in range(attack.dice - flags + 1):
            for strikes in range(attack.dice - flags - helmets + 1):
                rest = attack.dice - flags - helmets - strikes
                counted = max(0, strikes - attack.ignored) if attack.strikes else 0
                if helmets + counted == hits:
                    orders = factorial(helmets) * factorial(strikes) * factorial(rest)
                    ways[helmets, strikes] = factorial(attack.dice) // orders * len(others) ** rest
        helmets, strikes = rng.weighted(list(ways), list(ways.values()))
        rest = attack.dice - flags - helmets - strikes
        fixed = [banner] * helmets + [STRIKE] * strikes + [FLAG] * flags
        return rng.shuffle([*fixed, *(rng.choice(others) for _ in range(rest))])

    def outcome(self, state: State, faces: Sequence[Face]) -> int | None:
        """Return the outcome for dice rolled at a table, or None if their number or a face is wrong."""
        if state.phase not in (ROLL, FRIGHT) or any(face not in self.face_names for face in faces):
            return None
        banner = self.engine.field.kinds[self.engine.field.kind[state.fight.on]].banner
        helmets = list(faces).count(banner)
        if state.phase == FRIGHT:
            return helmets if len(faces) == state.fight.dice else None
        roll = self.engine.roll(state)
        if len(faces) != roll.dice:
            return None
        strikes = max(0, list(faces).count(STRIKE) - roll.attack.ignored) if roll.attack.strikes else 0
        return roll.outcomes.index((helmets + strikes, list(faces).count(FLAG)))

    # Odds and reasons

    def odds(self, state: State, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of an attack from the present hex, or from the best hexes that the unit can move to."""
        every = self.units(state)
        one, other = find_unit(every, unit), find_unit(every, target)
        if one.seat == other.seat:
            raise WrongUsageError(tr("{one} and {other} are on the same side", one=one.id, other=other.id))
        attacker, defender = every.index(one), every.index(other)
        of, texts = self.engine, words()["presented"]
        outlook = Outlook(_scale(), of, state, one.seat)
        here, moved = state.at[attacker], state.moved >> attacker & 1
        if any(aim == defender for _, aim, _ in outlook.attacks(attacker, here, moved)):
            return self._attack_lines(state, attacker, defender, here, moved)
        kind = of.field.kind[attacker]
        near, _ = of.field.ways(kind, here, outlook.taken)
        found = sorted(
            (
                (value, cell)
                for cell in bits(near & of.field.battles[kind])
                for value, aim, _ in outlook.attacks(attacker, cell, 1)
                if aim == defender
            ),
            reverse=True,
        )
        lines = [texts["no_attack"].fill(unit=one.id, target=other.id, hex=one.place)]
        if moved or not found:
            return [*lines, texts["no_reach"].fill(unit=one.id, target=other.id)]
        for _, cell in found[:MAX_STARTS]:
            lines += self._attack_lines(state, attacker, defender, cell, 1)[:1]
        return lines

    def _attack_lines(self, state: State, unit: int, target: int, start: int, moved: int) -> list[Words]:
        """Return the odds of an attack from a hex, and of the answer to it."""
        of, texts = self.engine, words()["presented"]
        field, there = of.field, state.at[target]
        roll = field.roll(field.kind[unit], field.kind[target], start, there, moved)
        if roll is None:
            return [texts["no_dice"].fill(unit=of.id(unit), target=of.id(target))]
        outlook = Outlook(_scale(), of, state, field.seat[unit])
        nerve = self._nerve(state, target)
        blow = outlook.scale.blow(roll, state.figures[target], nerve, outlook.room(there, field.seat[target]))
        melee = bool(field.step[start] >> there & 1)
        values = {"unit": of.id(unit), "target": of.id(target), "start": of.hex(start), "hex": of.hex(there)}
        values |= {"dice": str(roll.dice), "mean": f"{roll.mean:.1f}", "any": percent_text(roll.hits[1])}
        values |= {"falls": percent_text(blow.falls), "leaves": percent_text(blow.leaves)}
        lines = [texts["odds_melee" if melee else "odds_shot"].fill(**values)]
        if melee and nerve[0] and (back := field.roll(field.kind[target], field.kind[unit], there, start, 0)):
            stays = percent_text(1 - blow.falls - blow.leaves)
            lines.append(
                texts["odds_back"].fill(target=of.id(target), dice=back.dice, mean=f"{back.mean:.1f}", stays=stays)
            )
        return lines

    def _nerve(self, state: State, unit: int) -> tuple[int, int, int]:
        field, cell = self.engine.field, state.at[unit]
        friends = (field.near[cell] & state.occupied[field.seat[unit]]).bit_count()
        return field.nerve(field.kind[unit], cell, friends)

    def reason(self, state: State, move: int) -> Sequence[Words]:
        """Return what speaks for a move: attacks with their odds, and how many enemies can attack next turn."""
        return list(self._reasons(state, move))

    def _reasons(self, state: State, move: int) -> Iterator[Words]:
        of, texts, phase, fight = self.engine, words()["presented"], state.phase, state.fight
        outlook = Outlook(_scale(), of, state, of.to_move(state))
        if phase == CARD:
            after = of.act(state, move)
            plans = [(gain, unit) for gain, unit in ranked_units(outlook, of.eligible(after)) if gain > 0]
            yield from (self._plan(outlook, state, unit) for _, unit in plans[:MAX_PLANS])
            if not plans:
                yield texts["why_no_card"]
        elif move == DONE:
            yield texts[f"why_end_{_EVENTS[phase]}"]
        elif phase == ORDER:
            yield self._plan(outlook, state, move)
        elif phase == MOVE:
            unit, cell = move >> 8, move & OFF
            yield from self._danger(outlook, state, unit, cell)
            plan = outlook.plan(unit)
            if plan.cell == cell and plan.target != NOTHING:
                yield self._attack_lines(state, unit, plan.target, cell, 1)[0]
        elif phase in (BATTLE, BONUS):
            unit, target = (move >> 8, move & OFF) if phase == BATTLE else (fight.by, move)
            yield from self._attack_lines(state, unit, target, state.at[unit], state.moved >> unit & 1)
        elif phase == BACK:
            yield from self._attack_lines(state, fight.on, fight.by, state.at[fight.on], 0)[:1]
        elif phase in (PURSUE, RETREAT):
            yield from self._danger(outlook, state, fight.by if phase == PURSUE else fight.on, move)
        elif phase == GAIN:
            yield from self._danger(outlook, state, fight.by, fight.hex)
        elif phase == IGNORE:
            yield texts["why_ignore"].fill(unit=of.id(fight.on), n=move)

    def _plan(self, outlook: Outlook, state: State, unit: int) -> Words:
        """Return what the captain intends with a unit."""
        of, texts, plan = self.engine, words()["presented"], outlook.plan(unit)
        stays = plan.cell == state.at[unit]
        values: dict[str, object] = {"unit": self._label(unit), "hex": of.hex(plan.cell)}
        if plan.target == NOTHING:
            return texts["plan_stay" if stays else "plan_go"].fill(**values)
        field, cell = of.field, state.at[plan.target]
        roll = field.roll(field.kind[unit], field.kind[plan.target], plan.cell, cell, int(not stays))
        mean = f"{roll.mean:.1f}" if roll else "0"
        values |= {"target": self._label(plan.target), "falls": percent_text(plan.falls), "mean": mean}
        return texts["plan_attack" if stays else "plan_go_attack"].fill(**values)

    def _danger(self, outlook: Outlook, state: State, unit: int, cell: int) -> Iterator[Words]:
        """Yield how many enemies can attack a unit on a hex in the next turn, and how many on its present hex."""
        of, texts, here = self.engine, words()["presented"], state.at[unit]
        there, now = (len(outlook.losses(unit, place)) for place in (cell, here))
        values = {"unit": of.id(unit), "hex": of.hex(cell), "n": there, "start": of.hex(here), "now": now}
        yield texts["danger" if cell != here else "danger_here"].fill(**values)
        if (outlook.friends & ~BIT[here] & of.field.near[cell]).bit_count() >= lore().play.support:
            yield texts["supported"].fill(unit=of.id(unit), hex=of.hex(cell))
