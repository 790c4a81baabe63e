"""Kits for the tests of the press: a small kit without a game, and a kit of each game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from generator import games
from generator.model.picture import Path as Outline
from generator.model.picture import Pen, Picture, Symbol, Text, Use, circle, rectangle
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import Words, same
from generator.rules import check

CODE = "K7Q2M-9FHN5"
TEMPLATES = (Path(__file__).parent / "templates",)

_DISC = Symbol("disc", (circle(0, 0, 2, "#88aa66", Pen("#335522", 0.2)),), 3)
SQUARE = Picture(
    40,
    30,
    (
        rectangle(0.5, 0.5, 39, 29, "#eee8d8", Pen("#404040", 0.3, (2, 1))),
        Outline((("M", 5.0, 5.0), ("L", 35.0, 5.0), ("L", 20.0, 25.0), ("Z",)), "#b03030", None, 0.4),
        Use(_DISC, 10, 15),
        Use(_DISC, 30, 15, 1.5, 45),
        Text(20, 4, "A1", 8, "middle", bold=True),
    ),
)


def words(en: str, ja: str) -> Words:
    return Words(en, ja)


def record(units: int = 9, template: str = "demo/record.xml", **changes: object) -> Sheet:
    view: dict[str, object] = {
        "intro": words(
            "A hill blocks the line of fire from hill to hill, except where the two hexes are adjacent.",
            "丘は丘から丘への射線を妨げるが、隣り合うヘックス (adjacent hexes) どうしの射線は妨げない。",
        ),
        "strong": words("Green banners move first.", "緑旗の部隊が先に動く。"),
        "heading": words("Order of battle", "戦闘序列"),
        "labels": {
            "unit": words("Unit", "部隊"),
            "banner": words("Banner", "軍旗"),
            "dice": words("Dice", "ダイス"),
            "figures": words("Figures", "フィギュア"),
            "notes": words("Notes", "メモ"),
        },
        "units": [
            {
                "name": words(f"Archers {n}", f"弓兵 {n}"),
                "banner": words("green", "緑"),
                "dice": 2,
                "figures": 3 + n % 2,
            }
            for n in range(1, units + 1)
        ],
        **changes,
    }
    return Sheet(
        "records",
        words("Record sheet", "記録シート"),
        template,
        view,
        {"square": SQUARE},
        side=words("Pennant", "ペナント"),
    )


def kit(*sheets: Sheet) -> Kit:
    title = words("The Ford <at> Dawn & Dusk", "浅瀬の＜夜明け＞ & 夕暮れ")
    return Kit(same("Demo"), title, CODE, sheets or (record(),))


def plain(*bodies: str, **changes: object) -> Sheet:
    """Return a sheet of paragraphs with headings."""
    texts = [{"head": f"Rule {n}", "body": body} for n, body in enumerate(bodies, 1)]
    return replace(Sheet("reference", same("Rules"), "demo/plain.xml", {"texts": texts}), **changes)


@cache
def kit_of(name: str) -> Kit:
    """Return a game's kit for the code of these tests."""
    game = games.load(name)
    scenario = game.draw(Request(CODE, {}, {}))
    return game.kit(scenario, check(game.rules, scenario, game.mode(scenario)), CODE, "muster kit")


@cache
def prints_of(name: str) -> tuple[Kit, ...]:
    """Return the prints of a game that need no scenario."""
    return tuple(what.make({"paper": "a4", "seed": CODE}) for what in games.load(name).prints)
