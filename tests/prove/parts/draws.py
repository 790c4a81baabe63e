"""For each kind of battle, 1,000 codes draw 1,000 legal scenarios in which every rule could be checked."""

from __future__ import annotations

from collections.abc import Iterator

from generator import games
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import code_for
from tests.prove.figure import Figure, counted, spread

EACH = 1000
"""Number of codes of each kind. The tests use the first of these codes."""
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
_STRIDE = 34_000_003


def fault(case: tuple[str, int]) -> str:
    """Return why the battle of a kind and number is not legal, or "" if it is legal."""
    kind, number = case
    name, options = KINDS[kind]
    game, code = games.load(name), code_for(number * _STRIDE % (1 << 35))
    findings = check(game.rules, game.draw(Request(code, options, {}))).findings
    # Codes still generate the same bytes as before this advice was added, so ignore the advice.
    found = [finding for finding in findings if finding.rule.id != "siege.useless"]
    return f"{kind}: {code}: {found[0].rule.id} {found[0].why.en}" if found else ""


def prove() -> Iterator[Figure]:
    """Generate and check all battles."""
    for kind, (game, _) in KINDS.items():
        faults = [message for message in spread(fault, [(kind, number) for number in range(EACH)], kind) if message]
        yield counted(f"codes of {game}, {kind}", EACH, faults)
