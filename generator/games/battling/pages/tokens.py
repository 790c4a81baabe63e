"""Counters to cut out: a machine on its front, on its back what is left of it."""

from __future__ import annotations

from msgspec.structs import replace

from generator.games.battling.forces.machines import MachineKind, Pack
from generator.games.battling.pages.mapsheet import token
from generator.games.battling.pages.sheetfile import sheet_file
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import Scenario, Side
from generator.games.words import words
from generator.model.views import Piece, Run
from generator.model.words import Words


def side_tokens(side: Side, pack: Pack) -> Run:
    """A side's counters of every machine of a pack, as many of each as a squad may have numbers."""
    numbers = range(1, sheet_file().numbers + 1)
    made = tuple(_piece(side, kind, str(number)) for kind in pack.machines.values() for number in numbers)
    return _run(words("battling")["tokens"]["side"].fill(side=side_name(side)), made)


def battle_tokens(scenario: Scenario) -> Run:
    """The counters of one battle."""
    kinds = scenario.pack.machines
    made = tuple(_piece(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines)
    return _run(words("battling")["tokens"]["battle"], made)


def _run(title: Words, made: tuple[Piece, ...]) -> Run:
    room = sheet_file()
    return Run("tokens", title, made, "square", room.hex, room.token / room.hex)


def _piece(side: Side, kind: MachineKind, number: str) -> Piece:
    front = token(side, kind, number)
    return Piece(kind.name, front, replace(front, mark="wrecked"))
