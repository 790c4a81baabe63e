"""A map's alternative text has everything that the map shows: board, terrain and units can be rebuilt from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from generator import games
from generator.model.scenario import Request
from generator.model.views import MapView, Sheet, Token
from generator.model.words import LANGS, Lang, same
from generator.press.alternative_texts import _join_rows, all_words, describe, describe_map
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.press.reader import _labelled
from generator.rules import check
from generator.symbols.theme import theme
from tests.press.kits import CODE, kit_of
from tests.press.read_aloud import read_aloud

UNITS: dict[Lang, str] = {"en": r"Units, (\d+): (.*?)\.(?: |$)", "ja": r"ユニット(\d+)個：(.*?)。"}
UNIT: dict[Lang, str] = {"en": r"(?:(\w+) )?(.*) at (\w+)", "ja": r"(?:(\w+) )?(.*) (\w+)"}
BOARD: dict[Lang, str] = {
    "en": r"(\w+) to (\w+) in rows? (\d+(?:, \d+| to \d+)*)",
    "ja": r"([\d、〜]+)列目は(\w+?)〜(\w+)",
}
REST: dict[Lang, str] = {"en": r"All other (?:hexes|squares): (.*?)\.", "ja": r"その他の(?:ヘクス|マス)：(.*?)。"}
PLACES: dict[Lang, str] = {"en": r"Places: (.*?)\.(?: |$)", "ja": r"地名：(.*?)。"}


class Rebuilt(NamedTuple):
    """The look of each cell in a text, and label, words and cell of each unit."""

    ground: dict[str, str]
    units: list[tuple[str, str, str]]


def number(column: str) -> int:
    return int(column) if column.isdecimal() else ord(column.upper()) - ord("A")


def numbers_of_rows(listed: str) -> list[str]:
    numbers = re.findall(r"\d+", listed)
    if not re.search("to|〜", listed):
        return numbers
    first, last = numbers
    return [str(n).zfill(len(first)) for n in range(int(first), int(last) + 1)]


def rebuild(text: str, lang: Lang, letters: Iterable[str]) -> Rebuilt:
    """Read the sentences of a text. `letters` are the names of the columns in order."""
    by_number = {number(column): column for column in letters}
    cells: list[str] = []
    head = re.split(r"\. |。", text)[0]
    for found in re.findall(BOARD[lang], head):
        first, last, rows = found if lang == "en" else (*found[1:], found[0])
        for row_number in numbers_of_rows(rows):
            cells += [f"{by_number[n]}{row_number}" for n in range(number(first), number(last) + 1)]
    ground: dict[str, str] = {}
    stop, colon = (r"\.", ": ") if lang == "en" else ("。", "：")
    for look, words in all_words().ground.items():
        for listed in re.findall(rf"(?:^|[.。] ?){words[lang]}{colon}([\w、, ]+){stop}", text):
            ground |= dict.fromkeys(re.split("[、,] ?", listed), look)
    looks = {words[lang]: look for look, words in all_words().ground.items()}
    if rest := re.search(REST[lang], text):
        ground = dict.fromkeys(cells, looks[rest[1]]) | ground
    assert ground.keys() == set(cells)
    units: list[tuple[str, str, str]] = []
    if listed_units := re.search(UNITS[lang], text):
        for unit in re.split("[;；] ?", listed_units[2]):
            row = re.fullmatch(UNIT[lang], unit)
            assert row, unit
            units.append((row[1] or "", row[2], row[3]))
        assert len(units) == int(listed_units[1])
    return Rebuilt(ground, units)


def one_to_one(pairs: Iterable[tuple[object, str]]) -> None:
    """Check that equal things have equal words, and different things different words."""
    pairs = set(pairs)
    assert len({thing for thing, _ in pairs}) == len({words for _, words in pairs}) == len(pairs), sorted(
        map(str, pairs)
    )


def battle(scenario: Any) -> tuple[Any, dict[str, str], list[tuple[str, object, str]]]:
    """Return field, terrain and units of a BattleLore or Call to Arms scenario."""
    board = scenario.board
    ground = {board.field.name(cell): look for cell, look in board.ground.items()}
    units = [
        (
            unit.id,
            (camp, unit.kind.banner, unit.kind.weapon, unit.kind.race, unit.kind.arm == "mounted", unit.levy),
            unit.hex,
        )
        for camp, unit in scenario.units
        if unit.hex
    ]
    return board.field, ground, [(name, what, board.field.name(cell)) for name, what, cell in units]


def squares_battle(scenario: Any) -> tuple[Any, dict[str, str], list[tuple[str, object, str]]]:
    """Return field, terrain and units of a Travel Battle scenario."""
    terrain = scenario.battlefield.terrain_map
    ground = {terrain.field.name(cell): look for cell, look in terrain.ground.items()}
    units: list[tuple[str, object, str]] = [
        (unit.id, (army.player, brigade.number, unit.kind.id, unit.facing), terrain.field.name(unit.cell))
        for army in scenario.armies.values()
        for brigade in army.brigades
        for unit in brigade.units
        if unit.cell
    ]
    return terrain.field, ground, units


def arena(scenario: Any) -> tuple[Any, dict[str, str], list[tuple[str, object, str]]]:
    """Return field, closed hexes and machines of a Battling scenario. Plazas are open hexes."""
    field = scenario.arena.field
    ground = {field.name(cell): "closed" if scenario.arena.closed(cell) else "open" for cell in field.cells}
    return field, ground, [(m.id[1:], (side, m.kind), field.name(m.cell)) for side, m in scenario.machines]


def operation(scenario: Any) -> tuple[Any, dict[str, str], list[tuple[str, object, str]]]:
    """Return field, terrain and stacks of a Blind Faith scenario."""
    op_map = scenario.op_map
    ground = {op_map.field.name(cell): look for cell, look in op_map.ground.items()}
    return op_map.field, ground, [(stack.id, stack.side, op_map.field.name(stack.hex)) for stack in scenario.stacks]


OF_GAME = {
    "battlelore": battle,
    "call_to_arms": battle,
    "travel_battle": squares_battle,
    "battling": arena,
    "blind_faith": operation,
}


def scenario_of(name: str) -> Any:
    return games.load(name).draw(Request(CODE, {}, {}))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.names())
def test_board_terrain_and_units_are_rebuilt_from_the_words_alone(name: str, lang: Lang) -> None:
    field, ground, units = OF_GAME[name](scenario_of(name))
    figures = read_aloud(print_kit(kit_of(name), PrintSettings(lang))).figures
    text = next(words for words in figures if re.search(UNITS[lang], words))
    cell_names = [field.name(cell) for cell in field.cells]
    letters = {cell[:2] if cell.isdecimal() else re.sub(r"\d", "", cell) for cell in cell_names}
    rebuilt = rebuild(text, lang, letters)
    # A plaza is an open hex without neighbouring buildings, which only the drawing distinguishes.
    plain = {"street": "open", "plaza": "open"} if name == "battling" else {}
    assert {cell: plain.get(look, look) for cell, look in rebuilt.ground.items()} == ground
    words = {(label, cell): of for label, of, cell in rebuilt.units}
    assert len(words) == len(rebuilt.units)
    # If two units share a square, the counter of the second one shows only the end of its id.
    expected = {(label if (label, cell) in words else label[-1], cell): what for label, what, cell in units}
    others = {of for at, of in words.items() if at not in expected}
    assert expected.keys() <= words.keys() and len(expected) == len(units)
    assert not others or (name == "blind_faith" and all(all_words().symbol["legate"][lang] in of for of in others))
    # The counter of a stack shows its side and its most numerous class.
    side_only = name == "blind_faith"
    joint = "・" if lang == "ja" else ", "
    one_to_one((what, words[at].split(joint)[0] if side_only else words[at]) for at, what in expected.items())


@pytest.mark.parametrize("lang", LANGS)
def test_every_look_has_words_of_its_own(lang: Lang) -> None:
    words, looks = all_words(), theme()
    for kind in ("ground", "feature", "symbol", "badge", "track"):
        assert getattr(words, kind).keys() == getattr(looks, kind).keys(), kind
    assert words.shape.keys() == looks.shape.keys()
    assert words.colour.keys() == looks.colour.keys() - {"plain"}
    assert words.shade.keys() == looks.shade.keys() - {"veil", "backdrop"}
    for kind in ("ground", "feature", "shade", "track"):
        texts = [text[lang] for text in getattr(words, kind).values()]
        assert len(texts) == len(set(texts)), kind


def test_a_counter_is_described_by_what_it_shows_and_not_by_its_name() -> None:
    token = Token("pennant", "green", "levy", "P1", name=same("secretly a dragon"))
    assert describe(token, "en") == "Pennant, green, levy"
    views = [
        figure
        for sheet in kit_of("blind_faith").sheets
        if isinstance(sheet, Sheet)
        for figure in sheet.figures.values()
        if isinstance(figure, MapView)
    ]
    names = {token.name.en for view in views for _, token in view.tokens if token.name}
    assert names and not any(name in describe_map(view, "en") for view in views for name in names)


def test_a_map_of_few_cells_lists_them() -> None:
    """The inset of a fight shows one hex, which is not the first and last of a row."""
    game = games.load("blind_faith")
    scenario = game.draw(Request("28AAK-00V89", {}, {}))
    cover = game.kit(scenario, check(game.rules, scenario), "", "muster kit").sheets[0]
    assert isinstance(cover, Sheet)
    inset = cover.figures["inset"]
    assert isinstance(inset, MapView)
    assert describe_map(inset, "en").startswith("Map of 1 hex: A3.")


@pytest.mark.parametrize(
    ("numbers", "lang", "text"),
    [
        (("1", "2", "3"), "ja", "1〜3"),
        (("01", "02", "03"), "en", "01 to 03"),
        (("1", "3", "5"), "ja", "1、3、5"),
        (("1", "2"), "en", "1, 2"),
    ],
)
def test_rows_in_sequence_are_a_range(numbers: tuple[str, ...], lang: Lang, text: str) -> None:
    assert _join_rows(numbers, lang) == text


def test_japanese_descriptions_have_japanese_punctuation() -> None:
    assert _labelled("ターン", "1から10までのトラック", "ja") == "ターン：1から10までのトラック"
    assert _labelled("Turn", "track from 1 to 10", "en") == "Turn: track from 1 to 10"
