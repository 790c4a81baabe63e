from __future__ import annotations

from pathlib import Path

import pytest

from generator.common import catalogue
from generator.errors import DataError
from generator.games.battlelore.forces import load_pool, points
from generator.games.battlelore.ground import SIDES, Side
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.cards import KEYS, SETS, Card
from generator.games.call_to_arms.decks import load_deck, read_deck
from generator.games.call_to_arms.fairness import deck_report, report_rows, strength
from generator.notation.toml import Source
from generator.store.folders import shipped_path

TEXT = (shipped_path("data") / "call_to_arms" / "deck.toml").read_text(encoding="utf-8")
A2 = """\
cells = \"\"\"
  --- --- ---
BXD BS  --- BS
  --- GC  GC
--- --- --- ---
\"\"\"
"""


A_KEY = "expected a set A, B or C and a number from 1 to 7"


def faults(text: str) -> list[tuple[int, str, str]]:
    return [(p.line, p.message, p.hint) for p in catalogue.faults(read_deck)(Source("my_deck.toml", text))]


def line_of(text: str, part: str) -> int:
    assert text.count(part) == 1, f"{part!r} is not unique"
    return text[: text.index(part)].count("\n") + 1


def mutated(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, f"{old!r} is not unique"
    return TEXT.replace(old, new)


def cells_changed(old: str, new: str) -> tuple[str, int]:
    """Return the deck with one row of Pennant A2 changed, and the line number of that row."""
    assert A2.count(old) == 1
    return mutated(A2, A2.replace(old, new)), line_of(TEXT, A2) + A2[: A2.index(old)].count("\n")


def drawn(card: Card) -> str:
    """Return the cells of a card in the notation of the house deck."""
    letters = {}
    for unit in card.units:
        kind, tables = unit.kind, lore()
        race = "" if kind.race == "human" else tables.races[kind.race].letter
        letters[unit.column, unit.row] = (
            tables.banners[kind.banner].letter + tables.weapons[kind.weapon].letter + race
        )
    rows = []
    for row, width in ((3, 3), (2, 4), (1, 3), (0, 4)):
        cells = " ".join(f"{letters.get((column, row), '---'):3}" for column in range(width))
        rows.append(("  " if width == 3 else "") + cells.rstrip())
    return "\n".join(rows) + "\n"


def test_two_camps_of_three_sets_of_seven() -> None:
    deck = load_deck()
    assert [(c.camp, c.key) for c in deck.cards] == [(camp, key) for camp in SIDES for key in KEYS]
    assert deck.sets == SETS
    assert deck.source == "house"
    for camp in SIDES:
        for letter in SETS:
            assert [card.key for card in deck.set(camp, letter)] == [f"{letter}{n}" for n in range(1, 8)]
            assert deck.flavour[camp][letter].title.ja


def test_a_card_is_found_by_camp_and_key() -> None:
    deck = load_deck()
    assert deck.card("standard", "B2").name.en == "Hawks Loosed"
    assert deck.card("standard", "B2").set == "B"
    with pytest.raises(KeyError):
        deck.card("pennant", "D1")


def test_cells_count_from_the_owners_left_and_baseline() -> None:
    card = load_deck().card("pennant", "A5")
    assert [(u.column, u.row, u.kind.banner, u.kind.weapon, u.kind.race) for u in card.units] == [
        (0, 3, "green", "short_sword", "human"),
        (2, 3, "green", "short_sword", "human"),
        (1, 2, "blue", "short_sword", "dwarf"),
        (2, 1, "green", "common_bow", "human"),
        (0, 0, "green", "long_sword", "human"),
    ]


@pytest.mark.parametrize("camp", SIDES)
@pytest.mark.parametrize("key", KEYS)
def test_drawn_again_a_card_gives_its_own_cells(camp: Side, key: str) -> None:
    head = f'camp = "{camp}"\nkey = "{key}"\n'
    body = TEXT[TEXT.index(head) :]
    cells = body.split('"""\n')[1]
    assert drawn(load_deck().card(camp, key)) == cells


def test_no_two_cards_of_a_camp_set_up_alike() -> None:
    deck = load_deck()
    assert len({card.units for card in deck.cards}) == len(deck.cards)
    for camp in SIDES:
        for letter in SETS:
            cards = deck.set(camp, letter)
            assert len({tuple(sorted(map(str, card.kinds))) for card in cards}) == len(cards)
    assert len({card.name for card in deck.cards}) == len(deck.cards)


def test_cards_leave_room_for_reserves_and_the_front_to_light_troops() -> None:
    for card in load_deck().cards:
        assert 3 <= len(card.units) <= 6, card
        assert sum(unit.row == 0 for unit in card.units) <= 2, card
        for unit in card.units:
            light = unit.kind.banner == "green" or unit.kind.race == "goblin"
            assert unit.row < 3 or light, card


def test_bows_have_a_free_hex_in_front() -> None:
    """A bow with both hexes in front of it occupied could only wait. No card has such a bow."""
    boxed = set()
    for card in load_deck().cards:
        taken = {(unit.column, unit.row) for unit in card.units}
        for unit in card.units:
            shift = unit.row % 2
            before = {(unit.column - 1 + shift, unit.row + 1), (unit.column + shift, unit.row + 1)}
            if unit.kind.bow and before <= taken:
                boxed.add((card.camp, card.key))
    assert boxed == {("pennant", "A1")}, "only the Shield Wall hides a bow"


def test_every_hand_from_a_set_fits_the_house_pool() -> None:
    """One base game contains enough pieces for any hand from one set, as published."""
    for row in deck_report(load_deck(), load_pool()):
        assert (row.fits, row.draws) == (35, 35), row


def test_sets_are_even() -> None:
    rows = deck_report(load_deck(), load_pool())
    assert len({row.points for row in rows}) == 1
    for row in rows:
        assert row.points == strength(load_deck().set(row.camp, row.set))
        assert row.points / 7 - 2 <= row.min_points <= row.max_points <= row.points / 7 + 2


def test_the_measure() -> None:
    values = {(k.banner, k.weapon, k.race): points(k) for card in load_deck().cards for k in card.kinds}
    assert values["blue", "short_sword", "human"] == 3
    assert values["red", "long_sword", "human"] == 6
    assert values["blue", "crossbow", "dwarf"] == 5
    assert values["green", "long_sword", "goblin"] == 3


def test_the_report_is_a_table() -> None:
    rows = report_rows(load_deck(), load_pool(), "en")
    assert len(rows) == 7
    assert rows[1] == ["pennant", "A", "32", "112", "15", "17", "35 of 35"]


def test_the_house_deck_has_no_faults() -> None:
    assert faults(TEXT) == []


def test_an_owner_need_not_translate_nor_describe() -> None:
    text = TEXT.replace('source = "house"', "").replace(
        'name = { en = "Shield Wall", ja = "盾の壁" }', 'name = "Shieldwall"'
    )
    text = text[: text.index("[flavour")] + text[text.index("# Pennant A") :]
    assert faults(text) == []


def test_an_owners_deck_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my_deck.toml"
    path.write_text(mutated("Shield Wall", "Wall of Shields"), encoding="utf-8")
    assert load_deck(path).card("pennant", "A1").name.en == "Wall of Shields"


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("BXD BS  --- BS", "BXD BS  BS", "the number of cells in this row is 3, but it must be 4", "3, 4, 3, 4"),
        ("  --- GC  GC", "--- GC GC GC", "the number of cells in this row is 4, but it must be 3", "3, 4, 3, 4"),
        ("BXD BS  --- BS", "BXD QS  --- BS", "'QS': 'Q' is not a banner", "G green, B blue, R red"),
        ("BXD BS  --- BS", "BXD BZ  --- BS", "'BZ': 'Z' is not a weapon", "C common bow"),
        ("BXD BS  --- BS", "BXE BS  --- BS", "'BXE': 'E' is not a race", "H human, D dwarf, G goblin"),
        ("BXD BS  --- BS", "BXDD BS  --- BS", "'BXDD' is not a valid cell", "such as BC"),
        ("BXD BS  --- BS", "B BS  --- BS", "'B' is not a valid cell", "such as BC"),
    ],
)
def test_a_fault_in_a_cell_names_its_row(old: str, new: str, message: str, hint: str) -> None:
    text, line = cells_changed(old, new)
    [(where, found, advice)] = faults(text)
    assert where == line
    assert found == f"card[2].cells: {message}"
    assert hint in advice


def test_full_width_and_small_letters_are_welcome() -> None:
    text, _ = cells_changed("BXD BS  --- BS", "ＢＸＤ bs --- BSH")
    assert faults(text) == []


def test_a_missing_row() -> None:
    text, line = cells_changed("--- --- --- ---\n", "")
    assert faults(text) == [
        (
            line - 3,
            "card[2].cells: the number of rows is 3, but a card has 4",
            "write the far row first and the baseline last",
        )
    ]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("  --- --- ---\n--- --- --- ---\n  --- --- ---\n--- --- --- ---", "is empty"),
        ("  --- --- ---\n--- BS  --- ---\n  --- GC  ---\n--- --- --- ---", "the number of units is 2"),
    ],
)
def test_too_few_units(cells: str, message: str) -> None:
    text = mutated(A2, f'cells = """\n{cells}\n"""\n')
    assert faults(text) == [(line_of(TEXT, A2), f"card[2].cells: {message}", "a card needs at least 3 units")]


def test_a_second_card_of_one_key() -> None:
    first = line_of(TEXT, 'camp = "pennant"\nkey = "A1"') + 1
    again = line_of(TEXT, 'camp = "pennant"\nkey = "A2"') + 1
    text = mutated('camp = "pennant"\nkey = "A2"', 'camp = "pennant"\nkey = "A1"')
    assert faults(text) == [
        (first - 2, "card[1]: set A of the pennant camp has only 6 of 7 cards", "missing cards: A2"),
        (again, 'card[2].key: the pennant camp has 2 cards with the key "A1"', f"the first one is in line {first}"),
    ]


def test_a_missing_set() -> None:
    start = TEXT.index("# Standard C")
    assert faults(TEXT[:start]) == [
        (1, "set C of the standard camp has only 0 of 7 cards", "missing cards: C1, C2, C3, C4, C5, C6, C7")
    ]


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ('key = "A2"', 'key = "A8"', ".key: 'A8' does not have the expected form", A_KEY),
        ('key = "A2"', "key = 2", ".key: expected text in quotation marks", A_KEY),
        ('camp = "pennant"', 'camp = "penant"', ".camp: 'penant' is not valid", "did you mean pennant?"),
        ('camp = "pennant"', 'kamp = "pennant"', ".kamp: unknown field", "did you mean camp?"),
        ('camp = "pennant"\n', "", ": `camp` is missing", ""),
    ],
)
def test_a_wrong_address(old: str, new: str, message: str, hint: str) -> None:
    address = 'camp = "pennant"\nkey = "A2"'
    text = mutated(address, address.replace(old, new))
    at = line_of(TEXT, address) + (1 if "key" in old else -1 if not new else 0)
    assert (at, f"card[2]{message}", hint) in faults(text)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ('"' + "x" * 41 + '"', "is longer than 40 characters"),
        ('" "', "is empty"),
        (r'"a\u202Eb"', "contains the invisible character U+202E"),
        (r'"a\u200Bb"', "contains the invisible character U+200B"),
        (r'"a\nb"', "contains the invisible character U+000A"),
    ],
)
def test_a_name_that_cannot_be_printed(name: str, message: str) -> None:
    part = 'name = { en = "Steady Volley", ja = "斉射の列" }'
    text = mutated(part, f"name = {name}")
    assert faults(text) == [(line_of(TEXT, part), f"card[2].name: {message}", "")]


def test_a_name_that_is_not_text() -> None:
    part = 'name = { en = "Steady Volley", ja = "斉射の列" }'
    [(line, message, hint)] = faults(mutated(part, "name = 7"))
    assert (line, message) == (line_of(TEXT, part), "card[2].name: expected a table or text in quotation marks")
    assert "en =" in hint


def test_every_fault_is_named_at_once() -> None:
    text, line = cells_changed("BXD BS  --- BS", "QZD BS  --- BS")
    text = text.replace('"Hawks Loosed"', '"' + "x" * 50 + '"').replace('"House deck"', '""')
    found = faults(text)
    assert len(found) == 4
    assert [where for where, _, _ in found] == sorted(where for where, _, _ in found)
    assert [where for where, _, _ in found].count(line) == 2


def test_cells_on_one_line_point_to_it() -> None:
    text = mutated(A2, r'cells = "--- --- ---\nBXD BS QS BS\n--- GC GC\n--- --- --- ---"' + "\n")
    [(line, message, _)] = faults(text)
    assert line == line_of(TEXT, A2)
    assert "'Q' is not a banner" in message


def test_a_file_that_is_not_a_deck_is_refused() -> None:
    assert faults("card = 3\nname = 'x'\n")[0][1].startswith("card: expected a list in square brackets")
    assert [message for _, message, _ in faults("")] == ["`name` is missing", "`card` is missing"]
    assert (2, "cards: unknown field", "did you mean card?") in faults("name = 'x'\ncards = []\n")
    with pytest.raises(DataError, match="no such file"):
        load_deck(Path("nowhere.toml"))


def test_a_runaway_file_is_cut_short() -> None:
    card = '[[card]]\ncamp = "pennant"\nkey = "A1"\nname = "x"\ncells = ""\n'
    found = faults('name = "x"\n' + card * 2000)
    assert any(message == "card: has more than 100 entries" for _, message, _ in found)
    assert len(found) < 300
