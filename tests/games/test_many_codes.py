"""A thousand codes of each kind of battle draw a thousand legal ones, with nothing left unproved."""

from __future__ import annotations

import os

import pytest

from generator import games
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import code_for

FEW = int(os.environ.get("MUSTER_CODES", "150"))
"""How many codes of each of the later games; MUSTER_CODES=1000 runs them all."""
KINDS = {
    "impromptu": ("call_to_arms", {}),
    "organized, medieval": ("call_to_arms", {"mode": "organized"}),
    "organized, Lore": ("call_to_arms", {"mode": "organized", "age": "lore"}),
    "by itself, medieval": ("battlelore", {}),
    "by itself, Lore": ("battlelore", {"age": "lore"}),
    "brigades": ("travel_battle", {}),
    "squads": ("battling", {}),
    "stacks": ("blind_faith", {}),
}
CODES = {"impromptu": 1000, "brigades": FEW, "squads": FEW, "stacks": FEW}
HALF = 500
"""Medieval and Lore share a thousand."""
STRIDE = 34_000_003


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(5))
def test_every_code_draws_a_legal_battle(kind: str, part: int) -> None:
    name, wishes = KINDS[kind]
    game = games.load(name)
    for i in range(part, CODES.get(kind, HALF), 5):
        code = code_for(i * STRIDE % (1 << 35))
        found = check(game.rules, game.draw(Request(code, wishes, {}))).findings
        assert not found, f"{code}: {found[0].rule.id} {found[0].why.en}"
