"""Tests for users' machines and charts.

Users' charts are read like the house charts, and each fault is reported at its line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.common import catalogue
from generator.errors import DataError
from generator.games.battling.forces import house_pack, load_pack, machines, read_pack
from generator.games.battling.tables import dice
from generator.notation.toml import Source
from generator.store.folders import shipped_path

HOUSE = (shipped_path("data") / "battling" / "machines.toml").read_text(encoding="utf-8")

FAULTS = [
    ('id = "brutishdog"', 'id = "scopedog"', "machine[2].id: the id scopedog is used twice"),
    ("hp = 4", "hp = 0", "machine[1].hp: 0 is too small"),
    ("points = 10", 'points = "ten"', "machine[1].points: expected a whole number"),
    ("armour = 1", "armour = 9", ".armour: 9 is too large"),
    ('symbol = "heavy_machine"', 'symbol = "heavy"', ".symbol: 'heavy' is not valid"),
    ('caption = "ATM-09-ST"', 'caption = ""', "machine[1].caption: is empty"),
    ('caption = "ATM-09-GC"', "", "machine[2]: `caption` is missing"),
    ('caption = "ATM-09-GC"', 'captain = "ATM-09-GC"', "machine[2].captain: unknown field"),
    (
        "[5, 4, 3, 2, 2, 1, 1, 0]",
        "[5, 4, 3, 2, 2, 1, 1]",
        "shooting: the number of distances is 7, but another machine has 8",
    ),
    ("[5, 4, 3, 2, 2, 1, 1, 0]", "[5, 4, 3, 8, 2, 1, 1, 0]", "shooting[4]: 8 is too large"),
    ("damage = { scopedog = 2, brutishdog = 2,", "damage = { scopedog = 2,", "damage: `brutishdog` is missing"),
    (
        "damage = { scopedog = 2, ",
        "damage = { scopdog = 2, scopedog = 2, ",
        "].damage.scopdog: is not a known key",
    ),
    ("damage = { scopedog = 2, ", "damage = { scopedog = -1, ", "].damage.scopedog: -1 is too small"),
    ("battling = { scopedog = -1, ", "battling = { scopedog = -3, ", "battling.scopedog: -3 is too small"),
    ('0 = ["D", "D", "EX", "-", "A", "A"]', '0 = ["D", "D", "EX", "-", "A"]', "results.0: give 6 results"),
    (
        '0 = ["D", "D", "EX", "-", "A", "A"]',
        '0 = ["D", "E", "EX", "-", "A", "A"]',
        "results.0[2]: 'E' is not valid",
    ),
    ('0 = ["D", "D", "EX", "-", "A", "A"]', '3 = ["D", "D", "EX", "-", "A", "A"]', "results.3: is not a known key"),
    ('source = "house"', 'source = "mine"', "source: 'mine' is not valid"),
]


def faults(text: str) -> list[tuple[int, str]]:
    return [(p.line, p.message) for p in catalogue.faults(read_pack)(Source("mine.toml", text))]


def test_the_house_file_is_in_order_and_labelled_as_ours() -> None:
    assert faults(HOUSE) == []
    assert house_pack().source == "house"
    assert house_pack().range == 8


@pytest.mark.parametrize(("old", "new", "message"), FAULTS, ids=[f[2] for f in FAULTS])
def test_a_fault_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in HOUSE
    found = faults(HOUSE.replace(old, new, 1))
    at = HOUSE[: HOUSE.index(old)].count("\n") + 1
    assert any(message in text for _, text in found)
    lines = [line for line, text in found if message in text]
    # A missing key is reported at the header of its table.
    assert lines == [at] or "`caption` is missing" in message


def test_all_faults_are_named_at_once() -> None:
    text = HOUSE.replace("hp = 4", "hp = 0").replace('"standard_machine"', '"tank"').replace("points = 11", "")
    assert len(faults(text)) == 5


def test_an_owners_charts_may_say_something_else() -> None:
    text = HOUSE.replace("[5, 4, 3, 2, 2, 1, 1, 0]", "[6, 6, 6, 6, 6, 6, 6, 6]").replace('source = "house"\n', "", 1)
    pack = read_pack(Source("mine.toml", text))
    assert pack.source == "owner"
    assert pack.number("brutishdog", 4) == 6


def test_there_is_no_hit_number_out_of_range() -> None:
    pack = house_pack()
    assert [pack.number("brutishdog", d) for d in (0, 1, 7, 8, 9)] == [0, 5, 1, 0, 0]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        load_pack(tmp_path / "mine.toml")


def test_every_machine_has_a_cell_of_every_chart() -> None:
    for kind in machines().values():
        assert kind.symbol in dice().symbols
        assert list(kind.damage) == list(kind.battling) == list(machines())


@pytest.mark.parametrize("text", ["", "machine = 3", "results = 1", "machine = []\nname = 1\nresults = {}"])
def test_a_file_that_is_none_is_refused_without_a_crash(text: str) -> None:
    assert faults(text)


def test_the_documents_example_is_in_order() -> None:
    text = (Path(__file__).parents[3] / "docs" / "formats" / "machines.md").read_text(encoding="utf-8")
    assert faults(text.split("```")[1].removeprefix("toml\n")) == []
