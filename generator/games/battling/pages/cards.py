"""A card for each type of machine, with its lines of the charts."""

from __future__ import annotations

from generator.games.battling.forces.machines import MachineKind, Pack
from generator.games.battling.pages.mapsheet import token
from generator.games.battling.pages.telling import charts_called
from generator.games.battling.scenario import SIDES
from generator.games.whose import is_owners
from generator.games.words import words
from generator.model.views import Back, Piece, Run, TextCard
from generator.model.words import Words, joined, same

NEUTRAL = "disc"


def machine_cards(pack: Pack) -> Run:
    """The cards of a pack's machines."""
    say = words("battling")["cards"]
    back = Back(NEUTRAL, words("battling")["title"]["game"], say["back"])
    made = tuple(Piece(kind.name, machine_card(pack, kind), back) for kind in pack.machines.values())
    return Run("cards", say["title"], made, "card", note=None if is_owners(pack) else _note(pack))


def machine_card(pack: Pack, kind: MachineKind) -> TextCard:
    """A machine's card: what it shoots with at each distance, and what it does to each machine."""
    say = words("battling")["cards"]
    facts = [
        (say["hp"], same(kind.hp)),
        (say["points"], same(kind.points)),
        (say["shooting"].fill(n=len(kind.shooting)), same("  ".join(str(n) if n else "–" for n in kind.shooting))),
        # A line on every card, so that all are set in one size.
        (say["armour"], same(f"{kind.armour:+}" if kind.armour else "–")),
    ]
    hurts = joined([_against(pack, other, str(number)) for other, number in kind.damage.items()])
    clashes = joined([_against(pack, other, f"{by:+}" if by else "0") for other, by in kind.battling.items()])
    texts = say["damage"].fill(text=hurts), say["battling"].fill(text=clashes)
    shown = tuple(token(side, kind) for side in SIDES)
    return TextCard(kind.name, NEUTRAL, same(kind.caption), shown, tuple(facts), texts, _note(pack))


def _note(pack: Pack) -> Words:
    """Whose the charts are."""
    return charts_called(pack) if is_owners(pack) else words("battling")["cards"]["note"]


def _against(pack: Pack, other: str, number: str) -> Words:
    name = pack.machines[other].name
    return Words(f"{name.en} {number}", f"{name.ja} {number}")
