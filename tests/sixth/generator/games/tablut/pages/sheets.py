"""The sheets, counters and board of Tablut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from generator.games.tablut.ground import SIDE, SIDES, Men, start
from generator.games.tablut.maps import SHAPE, board_view, token
from generator.games.tablut.model import MOVE, Scenario, side_name
from generator.games.tablut.rules import rules
from generator.games.tablut.tables import numbers

from generator.common.catalogue import printable
from generator.common.game import Printable
from generator.common.pages import Cover, kit_with_cover
from generator.common.scenario_file import step_words
from generator.common.tables import words
from generator.model.views import Back, Kit, MapView, Piece, Poster, Run, Sheet
from generator.model.words import Words, same
from generator.rules import Report

LINES = 40
"""Number of lines on a record sheet."""


def story(scenario: Scenario) -> list[Words]:
    """Return a description of the scenario in a few lines."""
    texts, men = words("tablut")["story"], scenario.position.men
    have = Counter(SIDE[man] for man in men.values())
    lines = [scenario.title, texts["men"].fill(attackers=have["attackers"], defenders=have["defenders"])]
    return [*lines, texts["mover"].fill(side=side_name(scenario.position.mover))]


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the kit with cover, board, record and reference. The board and men at true size are optional."""
    texts, men = words("tablut"), scenario.position.men
    steps = [step_words(step, texts["step"], same) for step in scenario.log if step.what == MOVE]
    played = [{"n": n, "text": text} for n, text in enumerate(steps, 1)]
    sheets = [
        Sheet("map", texts["sheet"]["map"], "tablut/map.xml", {"lines": story(scenario)}, {"map": board_view(men)}),
        Sheet("records", texts["sheet"]["record"], "tablut/record.xml", {"played": played, "rows": LINES}),
        reference_sheet({}),
    ]
    facts = [(side_name(side), line) for side, line in zip(SIDES, goals(), strict=True)]
    cover = Cover("tablut/cover.xml", board_view(men), facts, ())
    more = (men_run(men), board_poster(men))
    return kit_with_cover(texts["game"]["title"], scenario, report, stamp, command, cover, sheets, more)


def goals() -> tuple[Words, ...]:
    """Return how each side wins, attackers first."""
    return tuple(words("tablut")["goal"][side] for side in SIDES)


def reference_sheet(options: Mapping[str, str]) -> Sheet:
    """Return the rules on one page: how to play, and what `muster check` proves."""
    texts = words("tablut")
    view = {
        "play": list(texts["play"].values()),
        "goals": [{"side": side_name(side), "text": text} for side, text in zip(SIDES, goals(), strict=True)],
        "rules": [{"text": rule.text.text, "source": rule.text.source} for rule in rules()],
    }
    return Sheet("reference", texts["sheet"]["reference"], "tablut/reference.xml", view, {"map": board_view(start())})


def record_sheet(options: Mapping[str, str]) -> Sheet:
    """Return a blank record sheet."""
    return Sheet(
        "sheets", words("tablut")["sheet"]["record"], "tablut/record.xml", {"played": [], "rows": LINES}, pages=2
    )


def men_run(men: Men) -> Run:
    """Return every man as a piece to cut out, with its side on the back."""

    def pieces() -> Iterator[Piece]:
        for man in sorted(men.values()):
            side = SIDE[man]
            yield Piece(words("tablut")["map"][man], token(man), Back(SHAPE[side], side_name(side)))

    return Run("tokens", words("tablut")["sheet"]["men"], tuple(pieces()), "square", numbers().square, share=0.8)


def board_poster(men: Men) -> Poster:
    """Return the board at true size."""
    view = board_view(men)
    plain = MapView(view.grid, view.ground, edges=view.edges)
    return Poster("board", words("tablut")["sheet"]["board"], plain, numbers().square)


def printables() -> tuple[Printable, ...]:
    """Return the prints that need no scenario."""
    texts = words("tablut")
    game, sheet = texts["game"]["title"], texts["sheet"]
    return (
        printable("reference", game, sheet["reference"], {"page": (sheet["reference"], reference_sheet)}),
        printable("sheets", game, sheet["record"], {"record": (sheet["record"], record_sheet)}),
        printable("tokens", game, sheet["men"], {"men": (sheet["men"], lambda options: men_run(start()))}),
        printable(
            "boards", game, sheet["board"], {"board": (sheet["board"], lambda options: board_poster({}))}, ("seed",)
        ),
    )
