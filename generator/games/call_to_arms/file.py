"""A scenario as TOML that a person reads, edits and checks again (docs/formats/scenario.md)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from generator.errors import DataError, Problem, near
from generator.games.battlelore.battle import OFF_BOARD, PREFIX, Step
from generator.games.battlelore.board import CAMPS, SECTIONS, Board, Camp, Section
from generator.games.battlelore.lore import lore
from generator.games.battlelore.maps import Drawing, drawing, read_board
from generator.games.battlelore.rulings import defaults
from generator.games.battlelore.setting import RANDOM
from generator.games.battlelore.tiles import house_inventory, load_inventory
from generator.games.battlelore.units import Kind, Placed, Unit
from generator.games.call_to_arms.cells import cell_name, read_cell_name
from generator.games.call_to_arms.deck import Deck, load_deck
from generator.games.call_to_arms.pool import load_pool
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.call_to_arms.wishes import MODES, switches
from generator.grid.hexes import Hex
from generator.model.scenario import Origin
from generator.model.words import LANGS, Words, same
from generator.notation import emit
from generator.notation.envelope import file_hash
from generator.notation.text import name_fault
from generator.notation.toml import KeyPath, Source

T = TypeVar("T")

UNIT_LIMIT, STEP_LIMIT = 100, 1000
"""A runaway file gets its answer at once: four cards hold 56 units, and each needs a few steps."""

Line = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$")]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


class _Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hex: Line
    unit: Line
    id: Line = ""
    card: Line = ""
    cell: Line = ""
    placed: Placed | None = None
    levy: bool = False


class _Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: Line
    centre: Line
    right: Line
    reserve: Line
    units: Annotated[tuple[_Unit, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    set: Line = ""


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    first: Camp
    mode: str = MODES[0]
    banners: Count = lore().play.banners.usual
    hand: Count = lore().play.hand.usual


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: Line
    result: Annotated[tuple[Line, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    camp: Camp | None = None
    stream: Line = ""


class _Board(Drawing, frozen=True, forbid_unknown_fields=True):
    map: Line = ""


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    board: _Board
    pennant: _Force
    standard: _Force
    play: _Play
    rulings: dict[str, str] = {}
    log: Annotated[tuple[_Step, ...], msgspec.Meta(max_length=STEP_LIMIT)] = ()


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    play: dict[str, object] = {
        "title": {lang: scenario.title[lang] for lang in LANGS},
        "mode": scenario.mode,
        "first": scenario.first,
        "banners": scenario.banners,
        "hand": scenario.hand,
    }
    lines = ["[play]", *emit.lines(play)]
    lines += ["", "[board]", *emit.lines({"map": scenario.map} | drawing(scenario.board))]
    lines += ["", "[rulings]", *emit.lines(scenario.rulings)]
    for camp, force in scenario.forces.items():
        cards: dict[str, str] = {section: force.cards[section] for section in SECTIONS}
        head: dict[str, object] = {"set": force.set, **cards, "reserve": force.reserve}
        lines += ["", f"[{camp}]", *emit.lines(head), "units = ["]
        lines += [f"  {emit.value(_unit_row(scenario, unit))}," for unit in force.units] + ["]"]
    for step in scenario.log:
        row: dict[str, object] = {"step": step.what}
        row |= {"camp": step.camp} if step.camp else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *emit.lines(row | {"result": step.result})]
    return "\n".join(lines) + "\n"


def _unit_row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
    kind = f"{unit.kind.banner} {unit.kind.weapon} {unit.kind.race}"
    row: dict[str, object] = {"id": unit.id, "hex": at, "unit": kind, "card": unit.card}
    row |= {"cell": cell_name(unit.cell), "placed": unit.placed}
    return row | ({"levy": True} if unit.levy else {})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(_Body)
    board = read_board(
        Drawing(body.board.profile, body.board.rows, body.board.features, body.board.cliffs),
        source,
        ("board",),
    )
    deck = load_deck(_beside("deck", origin, folder, source))
    inventory = _beside("inventory", origin, folder, source)
    title = same(body.play.title) if isinstance(body.play.title, str) else body.play.title
    problems = [
        source.problem(("play", "title"), fault)
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS)
        if fault
    ]
    problems += _choices(source, body.rulings)
    mode = body.play.mode
    if mode not in MODES:
        problems.append(source.problem(("play", "mode"), f"no mode {mode!r}", near(mode, MODES)))
    forces: dict[Camp, Force] = {}
    for camp, force in zip(CAMPS, (body.pennant, body.standard), strict=True):
        found, wrong = _Reader(source, board, deck, camp, force).force()
        problems += wrong
        if found:
            forces[camp] = found
    if problems:
        raise DataError(*problems)
    return Scenario(
        origin=origin,
        title=title,
        mode=mode,
        map=body.board.map or RANDOM,
        board=board,
        inventory=load_inventory(inventory) if inventory else house_inventory(),
        deck=deck,
        pool=load_pool(_beside("pool", origin, folder, source)),
        rulings=defaults(switches()) | body.rulings,
        forces=forces,
        first=body.play.first,
        banners=body.play.banners,
        hand=body.play.hand,
        log=tuple(Step(s.step, s.camp, s.stream, s.result) for s in body.log),
    )


def _beside(wish: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """The user's file that the scenario was drawn with; it lies beside the scenario, unchanged."""
    if wish not in origin.files:
        return None
    wanted = origin.files[wish]
    path = folder / Path(wanted.name).name
    at = ("muster", "files", wish)
    if not path.is_file():
        raise DataError(source.problem(at, f"{wanted.name} is not here", "put it beside the scenario"))
    if wanted.sha256 and file_hash(path) != wanted.sha256:
        raise DataError(source.problem(at, f"{wanted.name} is not the file the scenario was drawn with"))
    return path


def _choices(source: Source, rulings: Mapping[str, str]) -> list[Problem]:
    problems = []
    for name, choice in rulings.items():
        at = ("rulings", name)
        if name not in switches():
            problems.append(source.problem(at, "no such ruling", near(name, switches())))
        elif choice not in (known := [c.id for c in switches()[name].choice]):
            problems.append(source.problem(at, f"no choice {choice!r}", near(choice, known)))
    return problems


class _Reader:
    """Reads one force; what a person left out of a unit's row is found on the cards."""

    def __init__(self, source: Source, board: Board, deck: Deck, camp: Camp, force: _Force) -> None:
        self.source, self.board, self.deck, self.camp, self.row = source, board, deck, camp, force
        self.problems: list[Problem] = []
        self.cards: dict[Section, str] = {"left": force.left, "centre": force.centre, "right": force.right}
        self.used: set[tuple[str, tuple[int, int]]] = set()

    def force(self) -> tuple[Force | None, list[Problem]]:
        known = [card.key for card in self.deck.cards if card.camp == self.camp]
        for place, key in (*self.cards.items(), ("reserve", self.row.reserve)):
            if key not in known:
                self.fault((place,), f"no card {key!r}", near(key, known))
        if self.problems:
            return None, self.problems
        units = [self.unit(i, row) for i, row in enumerate(self.row.units)]
        ids = [unit.id for unit in units if unit]
        for i, unit in enumerate(units):
            if unit and ids.count(unit.id) > 1:
                self.fault(("units", i, "id"), f"the id {unit.id} stands twice")
        cards = {section: self.cards[section] for section in SECTIONS}
        letter = self.row.set or self.row.left[0]
        return (
            Force(self.camp, letter, cards, self.row.reserve, tuple(u for u in units if u)),
            self.problems,
        )

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        self.problems.append(self.source.problem((self.camp, *keys), message, hint))

    def unit(self, index: int, row: _Unit) -> Unit | None:
        at = ("units", index)
        before = len(self.problems)
        cell = None if row.hex == OFF_BOARD else self.board.field.find(row.hex)
        if cell is None and row.hex != OFF_BOARD:
            self.fault((*at, "hex"), f"no hex {row.hex!r} on this board", f"{OFF_BOARD} means not deployed")
        kind = self.kind((*at, "unit"), row.unit)
        if row.card and row.card not in (*self.cards.values(), self.row.reserve):
            self.fault((*at, "card"), f"card {row.card!r} is not in play", near(row.card, self.cards.values()))
        on_card = read_cell_name(row.cell) if row.cell else None
        if row.cell and on_card is None:
            self.fault((*at, "cell"), f"no cell {row.cell!r} on a card", "a1 to d1, a2 to c2, a3 to d3, a4 to c4")
        if len(self.problems) > before or kind is None:
            return None
        key, where, placed = self.place(kind, cell, row.card, on_card)
        self.used.add((key, where))
        name = row.id or f"{PREFIX[self.camp]}{index + 1}"
        return Unit(name, kind, key, where, row.placed or placed, cell, row.levy)

    def kind(self, at: KeyPath, text: str) -> Kind | None:
        """`green common_bow dwarf`; the race may be left out."""
        tables = lore()
        parts = text.split()
        accepted: tuple[Mapping[str, object], ...] = (tables.banners, tables.weapons, tables.races)
        if len(parts) == 2:
            parts.append("human")
        if len(parts) != len(accepted):
            self.fault(at, f"{text!r} is no unit", "banner, weapon and perhaps race, such as green common_bow")
            return None
        wrong = [(p, known) for p, known in zip(parts, accepted, strict=True) if p not in known]
        for part, known in wrong:
            self.fault(at, f"{part!r} is not known", near(part, known))
        return None if wrong else Kind(*parts)

    def place(
        self, kind: Kind, cell: Hex | None, card: str, on_card: tuple[int, int] | None
    ) -> tuple[str, tuple[int, int], Placed]:
        """The card, cell and manner that fit a unit best: its own hex, else displaced, else reserve."""
        plan = self.board.plan
        rows: list[tuple[int, str, tuple[int, int], Placed]] = []
        for section, key in self.cards.items():
            for of in self.deck.card(self.camp, key).units:
                if of.kind == kind:
                    own = plan.card_hex(self.camp, section, of.column, of.row)
                    manner: Placed = "card" if own == cell else "displaced"
                    rows.append((0 if own == cell else 2, key, (of.column, of.row), manner))
        for of in self.deck.card(self.camp, self.row.reserve).units:
            if of.kind == kind:
                rows.append(
                    (
                        1 if cell in plan.baseline(self.camp) else 3,
                        self.row.reserve,
                        (of.column, of.row),
                        "reserve",
                    )
                )
        fitting = [
            (rank, key, where, "lost" if cell is None else manner)
            for rank, key, where, manner in rows
            if (not card or card == key) and (on_card is None or on_card == where) and (key, where) not in self.used
        ]
        if fitting:
            _, key, where, manner = min(fitting, key=lambda f: f[0])
            return key, where, manner
        return card, on_card or (-1, -1), "lost" if cell is None else "card"
