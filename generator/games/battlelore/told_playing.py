"""Texts for a battle that is being played: decisions as typed, events in sentences, and the map."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.common.playing import Narrator
from generator.games.battlelore.forces import titled
from generator.games.battlelore.ground import SIDES, side_name, words
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import OFF
from generator.games.battlelore.playing import (
    AGAIN,
    BACK,
    BATTLE,
    BATTLE_BACK,
    BONUS,
    CARD,
    DONE,
    DRAW,
    GAIN,
    IGNORE,
    MOVE,
    ORDER,
    OVER,
    PURSUE,
    RETREAT,
    ROLL,
    YES,
    Course,
    State,
)
from generator.model.views import MapView
from generator.model.words import Words, joined

_ENDS = {ORDER: "orders", MOVE: "moves", BATTLE: "battles", PURSUE: "stay", BONUS: "no"}
"""The words that a player types to end a phase."""
_TWO = {GAIN: ("stay", "gain"), BACK: ("no", "back")}


class PlayReporter(Course):
    """A battle engine that describes its decisions and events."""

    def write(self, state: State, move: int) -> str:
        """Return a decision as a player types it, such as `left_attack`, `P3 D4`, `C2`, `gain` or `ignore 1`."""
        phase = state.phase
        if move == DONE:
            return _ENDS[phase]
        if phase == CARD:
            return self.deck[move].id
        if phase in _TWO:
            return _TWO[phase][move]
        if phase in (ORDER, BONUS):
            return self.id(move)
        if phase == MOVE:
            return f"{self.id(move >> 8)} {self.hex(move & OFF)}"
        if phase == BATTLE:
            return f"{self.id(move >> 8)} {self.id(move & OFF)}"
        if phase == IGNORE:
            return f"ignore {move}"
        return self.hex(move)

    def id(self, unit: int) -> str:
        """Return the id of a unit."""
        return self.field.units[unit][1].id

    def hex(self, cell: int) -> str:
        """Return the name of a hex."""
        return self.field.board.field.name(self.field.cells[cell])

    def narrator(self) -> Narrator:
        """Return a function that describes a game.

        It gives a heading for each turn, the card with its units, and each event.
        """
        ordered: list[int] = []

        def describe(state: State, what: int, fell: bool) -> list[Words]:
            texts, phase = words()["played"], state.phase
            if fell:
                return list(self._fallen(state, what))
            if phase == CARD:
                ordered.clear()
                side = side_name(SIDES[state.side])
                won = self.banners(state)
                heading = texts["turn"].fill(
                    n=(state.turn + 1) // 2, camp=side, own=won[state.side], other=won[1 - state.side]
                )
                return [heading, texts["card"].fill(card=self.deck[what].name)]
            if phase == ORDER:
                ordered.extend([what] if what != DONE else [])
                last = what == DONE or len(ordered) == self.most[state.card]
                return [
                    texts["ordered" if ordered else "nobody"].fill(units=joined([self._called(u) for u in ordered]))
                ] * last
            return list(self._decided(state, what))

        return describe

    def _called(self, unit: int) -> Words:
        of = self.field.units[unit][1]
        return words()["played"]["unit"].fill(unit=of.id, kind=titled(of, of.kind.name.low))

    def _decided(self, state: State, move: int) -> Iterator[Words]:
        texts, phase, fight = words()["played"], state.phase, state.fight
        if move == DONE:
            return
        if phase == MOVE:
            unit = move >> 8
            yield texts["moves"].fill(
                unit=self._called(unit), start=self.hex(state.at[unit]), hex=self.hex(move & OFF)
            )
            yield from self._occupied(unit, move & OFF)
        elif phase == RETREAT:
            yield texts["retreats"].fill(unit=self.id(fight.on), hex=self.hex(move))
            yield from self._occupied(fight.on, move)
        elif phase == GAIN and move == YES:
            yield texts["gains"].fill(unit=self.id(fight.by), hex=self.hex(fight.hex))
            yield from self._occupied(fight.by, fight.hex)
        elif phase == PURSUE:
            yield texts["pursues"].fill(unit=self.id(fight.by), hex=self.hex(move))
            yield from self._occupied(fight.by, move)
        if phase in (RETREAT, IGNORE):
            yield from self._losses(state, self.act(state, move))

    def _occupied(self, unit: int, cell: int) -> Iterator[Words]:
        """Yield the banners that a unit's camp gets for entering a victory hex."""
        seat = self.field.seat[unit]
        for bit, n in self.field.prizes[seat]:
            if bit >> cell & 1:
                values = {"unit": self.id(unit), "hex": self.hex(cell), "camp": side_name(SIDES[seat]), "n": n}
                yield words()["played"]["occupies"].fill(**values)

    def _fallen(self, state: State, outcome: int) -> Iterator[Words]:
        texts, fight = words()["played"], state.fight
        if state.phase == DRAW:
            return
        on = fight.on
        if state.phase == ROLL:
            roll = self.roll(state)
            hits, flags = roll.outcomes[outcome]
            how = {BATTLE_BACK: "answers", AGAIN: "again"}.get(fight.mode, "melee")
            if not self.field.step[state.at[fight.by]] >> state.at[on] & 1:
                how = "shoots"
            values = {"unit": self._called(fight.by), "target": self._called(on), "dice": roll.dice}
            values |= {
                "start": self.hex(state.at[fight.by]),
                "hex": self.hex(state.at[on]),
                "hits": hits,
                "flags": flags,
            }
            yield texts[how].fill(**values)
        elif outcome:
            yield texts["frightened"].fill(unit=self.id(on), n=outcome)
        yield from self._losses(state, self.fall(state, outcome))

    def _losses(self, state: State, after: State) -> Iterator[Words]:
        """Yield a line if the target of the fight has lost figures or is destroyed."""
        texts, on = words()["played"], state.fight.on
        if after.at[on] == OFF:
            yield texts["falls"].fill(unit=self.id(on), camp=side_name(SIDES[1 - self.field.seat[on]]))
        elif after.figures[on] < state.figures[on]:
            yield texts["left"].fill(unit=self.id(on), n=after.figures[on])

    def describe(self, state: State) -> Words:
        """Return a line with the round, the side to play, and the banners and units of each camp."""
        sides = [
            words()["played"]["side"].fill(
                camp=side_name(camp), n=self.banners(state)[seat], units=state.occupied[seat].bit_count()
            )
            for seat, camp in enumerate(SIDES)
        ]
        camp = side_name(SIDES[state.side])
        head = words()["played"]["over" if state.phase == OVER else "stands"]
        sides_text = joined(sides, "; ", "、")
        return head.fill(n=(state.turn + 1) // 2, camp=camp, sides=sides_text, win=_to_win(self.field.battle))

    def view(self, state: State) -> MapView | None:
        """Return the map with the units in their present positions."""
        cells = self.field.cells
        units = [
            (camp, replace(unit, hex=cells[cell]))
            for (camp, unit), cell in zip(self.field.units, state.at, strict=True)
            if cell != OFF
        ]
        return map_view(self.field.board, units)


def _to_win(battle: Battle) -> Words:
    """Return the number of banners with which a camp wins."""
    texts = words()["played"]
    if isinstance(battle.banners, int):
        return texts["win"].fill(n=battle.banners)
    return texts["win_each"].fill(**{camp: battle.banners_of(camp) for camp in SIDES})
