"""The parts of a scenario file that every battle on a BattleLore board shares (docs/formats/scenario.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from generator.errors import DataError, Problem, near
from generator.games.battlelore.battle import OFF_BOARD, Step
from generator.games.battlelore.board import Board, Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.maps import Drawing, drawing, read_board
from generator.games.battlelore.rulings import Ruling
from generator.games.battlelore.units import Kind
from generator.grid.hexes import Hex
from generator.model.scenario import Origin
from generator.model.words import LANGS, Words, same
from generator.notation import emit
from generator.notation.envelope import FILE_HINT, file_fault
from generator.notation.text import name_fault
from generator.notation.toml import KeyPath, Source

UNIT_LIMIT, STEP_LIMIT = 100, 1000
"""A runaway file gets its answer at once: four cards hold 56 units, and each needs a few steps."""

Short = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$")]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


class StepRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the log."""

    step: Short
    result: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    camp: Camp | None = None
    stream: Short = ""


class BoardTable(Drawing, frozen=True, forbid_unknown_fields=True):
    """The field, drawn, and the name of the map it comes from."""

    map: Short = ""


Log = Annotated[tuple[StepRow, ...], msgspec.Meta(max_length=STEP_LIMIT)]


def board_lines(name: str, board: Board) -> list[str]:
    """The table [board]."""
    return ["", "[board]", *emit.lines({"map": name} | drawing(board))]


def log_lines(log: Iterable[Step]) -> list[str]:
    """The tables [[log]]."""
    lines = []
    for step in log:
        row: dict[str, object] = {"step": step.what}
        row |= {"camp": step.camp} if step.camp else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *emit.lines(row | {"result": step.result})]
    return lines


def kind_text(kind: Kind) -> str:
    """`green common_bow human`."""
    return f"{kind.banner} {kind.weapon} {kind.race}"


class Reading:
    """A scenario file while it is read: notes every fault with its line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault at that key."""
        self.problems.append(self.source.problem(keys, message, hint))

    def done(self) -> None:
        """DataError with everything noted."""
        if self.problems:
            raise DataError(*self.problems)

    def board(self, table: BoardTable) -> Board:
        """The field; its faults end the reading, for nothing else makes sense without it."""
        drawn = Drawing(table.profile, table.rows, table.features, table.cliffs)
        return read_board(drawn, self.source, ("board",))

    def title(self, text: Words | str) -> Words:
        """The title in both languages."""
        title = same(text) if isinstance(text, str) else text
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS):
            if fault:
                self.fault(("play", "title"), fault)
        return title

    def one_of(self, keys: KeyPath, word: str, known: Iterable[str]) -> str:
        """One of a few words."""
        accepted = list(known)
        if word not in accepted:
            self.fault(keys, f"no {keys[-1]} {word!r}", near(word, accepted))
        return word

    def rulings(self, choices: Mapping[str, str], switches: Mapping[str, Ruling]) -> None:
        """Every switch and choice must be known."""
        for name, choice in choices.items():
            at = ("rulings", name)
            if name not in switches:
                self.fault(at, "no such ruling", near(name, switches))
            elif choice not in (known := [c.id for c in switches[name].choice]):
                self.fault(at, f"no choice {choice!r}", near(choice, known))

    def hex(self, at: KeyPath, name: str, board: Board) -> Hex | None:
        """A hex by name; None for a unit that is not deployed."""
        cell = board.field.find(name)
        if cell is None and name != OFF_BOARD:
            self.fault(at, f"no hex {name!r} on this board", f"{OFF_BOARD} means not deployed")
        return cell

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
        wrong = [(part, known) for part, known in zip(parts, accepted, strict=True) if part not in known]
        for part, known in wrong:
            self.fault(at, f"{part!r} is not known", near(part, known))
        return None if wrong else Kind(*parts)

    def ids(self, camp: Camp, ids: list[str]) -> None:
        """No id may stand twice."""
        for i, name in enumerate(ids):
            if ids.count(name) > 1:
                self.fault((camp, "units", i, "id"), f"the id {name} stands twice")


def steps(log: Log) -> tuple[Step, ...]:
    """The log as read."""
    return tuple(Step(row.step, row.camp, row.stream, row.result) for row in log)


def beside(wish: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """The user's file that the scenario was drawn with; it lies beside the scenario, unchanged."""
    if wish not in origin.files:
        return None
    wanted = origin.files[wish]
    if fault := file_fault(wanted, folder):
        raise DataError(source.problem(("muster", "files", wish), fault, FILE_HINT))
    return folder / Path(wanted.name).name
