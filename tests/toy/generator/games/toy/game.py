"""Two snails on a garden of three rows; they may not start on one hex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from generator import __version__
from generator.common.game import Game, Wish
from generator.grid.field import HexField, field
from generator.grid.hexes import Hex
from generator.model.scenario import Origin, Request
from generator.model.views import Kit, MapView, Sheet, Token
from generator.model.words import Words, same
from generator.notation import text, toml
from generator.notation.toml import Source
from generator.rules import Fault, Report, RuleText, bind
from generator.seeds import Streams
from generator.store.folders import shipped

GARDEN = field((4, 3, 4))
COLOURS = ("green", "red")


@dataclass(frozen=True)
class Race:
    """Where the snails start."""

    origin: Origin
    starts: tuple[Hex, ...]

    @property
    def title(self) -> Words:
        """What it is called."""
        return words()["title"]


class _Body(msgspec.Struct, frozen=True):
    race: dict[str, list[str]]


def words() -> dict[str, Words]:
    """The game's words."""
    return toml.read(shipped("data") / "toy" / "words.toml", dict[str, dict[str, Words]])["toy"]


def draw(order: Request) -> Race:
    """Two starts from the near row."""
    stream = Streams(order.code, "v1/toy").at("starts")
    starts = [GARDEN.find(name) for name in order.wishes.get("starts", "").split(",") if name]
    drawn = tuple(s for s in starts if s) or tuple(stream.sample(GARDEN.row(0), 2))
    return Race(Origin("toy", order.code, __version__, dict(order.wishes)), drawn)


def apart(race: Race) -> Iterator[Fault]:
    """toy.apart"""
    if len(set(race.starts)) < len(race.starts):
        yield Fault(GARDEN.name(race.starts[0]), "together")


def lines(race: Race) -> list[Words]:
    """Each snail's start."""
    return [words()["line"].fill(n=i + 1, hex=GARDEN.name(s)) for i, s in enumerate(race.starts)]


def kit(race: Race, report: Report, stamp: str, command: str) -> Kit:
    """One page."""
    view = MapView(
        GARDEN,
        dict.fromkeys(GARDEN.cells, "countryside"),
        tokens=tuple((s, Token("disc", c, "short_sword", c[0])) for s, c in zip(race.starts, COLOURS, strict=True)),
    )
    sheet = Sheet("map", words()["map"], "toy/garden.xml", {"lines": lines(race), "command": command}, {"map": view})
    return Kit(words()["title"], race.title, stamp, (sheet,))


def read(source: Source, origin: Origin, folder: Path) -> Race:
    """From a file."""
    grid: HexField = GARDEN
    return Race(origin, tuple(c for name in source.read(_Body).race["starts"] if (c := grid.find(name))))


RULE = RuleText(
    "toy.apart",
    Words("Snails start apart.", "かたつむりは別々の場所から出発します。"),
    "toy",
    {"together": same("together")},
)

GAME: Game[Race] = Game(
    name="toy",
    title=words()["title"],
    summary=words()["summary"],
    wishes=(Wish("starts", "Where the snails start.", metavar="A1,B1"),),
    draw=draw,
    rules=bind((RULE,), {"toy.apart": apart}),
    read=read,
    write=lambda race: "\n".join(["[race]", *text.lines({"starts": [GARDEN.name(s) for s in race.starts]})]) + "\n",
    export=lambda race: {"starts": [GARDEN.name(s) for s in race.starts]},
    story=lines,
    kit=kit,
)
