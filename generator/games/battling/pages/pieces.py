"""Cards, tokens and arenas at true size.

A card for each type of machine, with its lines of the charts.

Counters to cut out: a machine on its front, on its back what is left of it.

Arenas at true size, for the kit and for `muster boards`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from generator.common.catalogue import Boards
from generator.common.tables import words
from generator.common.whose import is_owners
from generator.games.battling.forces import MachineKind, Pack, charts_called
from generator.games.battling.ground import ARENAS, Arena, DrawnArena
from generator.games.battling.maker import make_arena
from generator.games.battling.maps import arena_view, sheet_file, token
from generator.games.battling.model import RANDOM, SIDES, Scenario, Side, side_name
from generator.games.battling.tables import limits
from generator.model.views import Back, CardTable, Piece, Poster, Run, TextCard
from generator.model.words import Words, same
from generator.seeds import Streams

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
    facts = (
        (say["hp"], same(kind.hp)),
        (say["points"], same(kind.points)),
        # A line on every card, so that all are set in one size.
        (say["armour"], same(f"{kind.armour:+}" if kind.armour else "–")),
    )
    shots = CardTable(
        (say["range"], *(same(n + 1) for n in range(len(kind.shooting)))),
        ((say["hits"], *(same(n or "–") for n in kind.shooting)),),
    )
    against = CardTable(
        (say["against"], say["damage"], say["battling"]),
        tuple(
            (other.name, same(kind.damage[name]), same(f"{by:+}" if (by := kind.battling[name]) else "0"))
            for name, other in pack.machines.items()
        ),
    )
    shown = tuple(token(side, kind) for side in SIDES)
    return TextCard(
        kind.name,
        NEUTRAL,
        same(kind.caption),
        shown,
        facts,
        (shots, against),
        note=_note(pack),
        brief=say["brief"],
    )


def _note(pack: Pack) -> Words:
    """Whose the charts are."""
    return charts_called(pack) if is_owners(pack) else words("battling")["cards"]["note"]


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


STREAMS = "v1/battling/poster"


def boards() -> Boards[Arena]:
    """What `muster boards` prints."""
    say = words("battling")
    return Boards(say["title"]["game"], say["boards"]["title"], ARENAS, _random, _poster, ("arena",))


def battle_poster(scenario: Scenario) -> Poster:
    """The arena of a battle, for its counters."""
    view = arena_view(scenario.arena, ruled=False)
    return Poster("arena", words("battling")["boards"]["battle"], view, sheet_file().hex)


def _random(options: Mapping[str, str]) -> DrawnArena:
    size = limits().columns.usual, limits().rows.usual
    made = make_arena(Streams(options["seed"], STREAMS), *size)
    return DrawnArena(words("battling")["boards"][RANDOM], Words("", ""), "house", made)


def _poster(of: DrawnArena, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, arena_view(of.ground, ruled=False), sheet_file().hex, note=note)
