"""Tests for packs and their tables: content, format, and every fault with its line."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import DataError
from generator.games.blind_faith import tables
from generator.games.blind_faith.game import PACK_SHELVES
from generator.games.blind_faith.rounds import hits, losses
from generator.games.blind_faith.tables import (
    BLANK,
    ChargeResult,
    Hit,
    Losses,
    blank_form,
    house_pack,
    read_charge_result,
    read_faces,
    read_losses,
    read_pack,
    spans,
)
from generator.notation.toml import Source
from generator.store.folders import shipped_path
from tests.games.blind_faith.battle_oracle import ROOT

HOUSE = (ROOT / "data/blind_faith/pack.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("units", "column"),
    [
        *[(n, (0, 0)) for n in (1, 5)],
        *[(n, (1, 0)) for n in (6, 10)],
        *[(n, (2, 0)) for n in (11, 15)],
        *[(n, (3, 0)) for n in (16, 20)],
        *[(n, (3, 1)) for n in (21, 25)],
        *[(n, (3, 2)) for n in (26, 30)],
        (31, (3, 3)),
    ],
)
def test_columns_of_the_response(units: int, column: tuple[int, int]) -> None:
    assert house_pack().response.column(units) == column


def test_no_units_no_response() -> None:
    assert {house_pack().response.at(0, die) for die in range(1, 7)} == {Losses()}
    assert house_pack().response.bounds() == ((1, 5), (6, 10), (11, 15), (16, None))


def test_the_ends_of_a_table_stand_for_all_beyond() -> None:
    table = house_pack().charge
    last = table.lowest + len(table.results) - 1
    assert table.at(-99) == table.at(table.lowest) == ChargeResult(charger="eliminate")
    assert table.at(99) == table.at(last) == ChargeResult(defender="eliminate")
    response = house_pack().response
    assert response.at(200, 6) == response.columns[-1].results[-1]


def test_what_a_cell_may_say() -> None:
    field = tables.FIELD_HITS
    assert read_faces("none", field) == ("none",) * 6
    assert read_faces("rout 4-5, eliminate 6", field) == ("none",) * 3 + ("rout", "rout", "eliminate")
    assert read_faces("Rout ４～５、 eliminate ６", field) == read_faces("rout 4 – 5,eliminate 6", field)
    assert read_charge_result("charger rout, defender eliminate") == ChargeResult("eliminate", "rout")
    assert read_losses("2 eliminate, 1 rout") == Losses(1, 2)


@pytest.mark.parametrize(
    "cell", ["", "rout", "rout 7", "rout 5-4", "rout 4-5, eliminate 5", "breach 6", "6", "rout 4–"]
)
def test_what_a_cell_may_not_say(cell: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_faces(cell, tables.FIELD_HITS)


@pytest.mark.parametrize("cell", ["", "rout", "defender", "defender rout, defender rout", "attacker rout"])
def test_what_a_charge_may_not_say(cell: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_charge_result(cell)


@pytest.mark.parametrize("cell", ["", "rout", "0 rout", "rout 1", "1 rout, 2 rout"])
def test_what_a_loss_may_not_say(cell: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_losses(cell)


@given(st.lists(st.sampled_from(("none", "rout", "eliminate")), min_size=6, max_size=6))
def test_a_cell_prints_as_it_reads(faces: list[Hit]) -> None:
    cell_text = ", ".join(f"{hit} {first}-{last}" for hit, first, last in spans(faces)) or "none"
    text = hits(tuple(faces)).en
    assert text.count("Routed") + text.count("Eliminated") == len(spans(faces))
    assert list(read_faces(cell_text, tables.FIELD_HITS)) == faces


def test_losses_print() -> None:
    assert losses(Losses()).en == "–"
    assert losses(Losses(1, 2)).ja == "潰走1、除去2"


def shape(value: Any) -> Any:
    """Return the structure of a file's data, with numbers and results replaced by their types."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value).__name__


def test_the_blank_form_is_the_house_pack_without_its_values() -> None:
    house, blank = tomllib.loads(HOUSE), tomllib.loads(blank_form().read_text(encoding="utf-8"))
    for unit, form in zip(house["unit"], blank["unit"], strict=True):
        assert [form.pop(key) for key in ("movement", "drm", "points")] == [""] * 3
        for key in ("movement", "drm", "points"):
            unit.pop(key)
        assert unit == form
    assert (house["type"], house["wall"], house["legate"]) == (blank["type"], blank["wall"], blank["legate"])
    for table in ("fire", "bombard", "charge", "response"):
        assert shape(house[table]) == shape(blank[table])
    texts = re.findall(r'"[^"]*"', str(blank["fire"]) + str(blank["bombard"]) + str(blank["charge"]))
    assert not any(text.strip('"') for text in texts)


def test_a_blank_form_says_all_that_is_missing_and_where() -> None:
    source = Source.open(blank_form())
    with pytest.raises(DataError) as caught:
        read_pack(source)
    problems = caught.value.problems
    lines = source.text.splitlines()
    assert len(problems) == sum(line.split("#")[0].count('""') for line in lines[4:])
    assert {p.message.rpartition(": ")[2] for p in problems} == {BLANK}
    assert all('""' in lines[p.line - 1] for p in problems)
    assert [p.line for p in problems] == sorted(p.line for p in problems)


def test_the_house_pack_has_no_blank() -> None:
    assert read_pack(Source("pack.toml", HOUSE)).units == house_pack().units


FAULTS = [
    ("drm = 1\npoints = 7", 'drm = "1"\npoints = 7', "drm: expected a whole number, without quotation marks"),
    (
        "movement = 4\ndrm = 1\npoints = 7",
        "movement = 0\ndrm = 1\npoints = 7",
        "movement: 0 is too small (give a value from 1 to 30)",
    ),
    ('symbol = "wagon"', 'symbol = "wagn"', "did you mean wagon?"),
    ('sides = ["hussite"]\ntype = "wagon"', 'sides = ["hussit"]\ntype = "wagon"', "did you mean hussite?"),
    (
        'sides = ["hussite"]\ntype = "wagon"',
        'sides = []\ntype = "wagon"',
        "sides: is empty (accepted: crusader, hussite)",
    ),
    ('type = "wagon"', 'type = "waggon"', "did you mean wagon?"),
    ('id = "tabor"', 'id = "Tabor"', "expected an id of small letters, digits and _"),
    ('id = "hussite_foot"', 'id = "tabor"', "the id tabor is used twice"),
    ('fires = ["defence"]\ninfantry = true', "intercepts = true\ninfantry = true", "infantry cannot intercept"),
    ('fires = ["attack", "defence"]\neach_box', 'fires = ["attack"]\neach_box', "only a unit that fires in defence"),
    ("[fire.foot]", "[fire.feet]", "the line for foot is missing"),
    ("[fire.foot]", "[fire.fooot]", "did you mean foot?"),
    ('leader = "none"\ngun = "eliminate 6"', 'gun = "eliminate 6"', "the result for leader is missing"),
    ('town = "breach 6"', 'town = "breach 6"\ntwon = "none"', "did you mean town?"),
    ('town = "breach 6"', 'town = "rout 6"', "'rout 6' is not a valid entry"),
    ('horse = "rout 5, eliminate 6"', 'horse = "rout 5-6, eliminate 6"', "the die 6 appears twice"),
    ('3 = "none"\n', "", "the result for a roll of 3 is missing"),
    ('3 = "none"\n', 'three = "none"\n', "expected a die, a whole number from -20 to 20"),
    ('5 = "defender rout"', '5 = "rout"', "'rout' is not a valid result"),
    ("from = 6", "from = 1", "1 is after 1"),
    ("from = 1\n", "from = 2\n", "the first column must begin with 1 unit"),
    ('id = "castle"', 'id = "keep"', "the wall castle is missing"),
    ('results = ["none", "none", "none", "none", "none", "1 rout"]', "", "response.column[1]: `results` is missing"),
    ("step = 5", "step = 0", "step: 0 is too small (at least 1)"),
    (
        'results = ["none", "none", "none", "none", "none", "1 rout"]',
        'results = ["none"]',
        "results: has fewer than 6 entries",
    ),
    ('unit = "cardinal"', 'unit = "cardinals"', "did you mean cardinal?"),
    ("boxes = 4 ", "boxes = 0 ", "boxes: 0 is too small (give a value from 1 to 9)"),
    ('source = "house"', 'source = "mine"', "'mine' is not valid"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), FAULTS, ids=[c for *_, c in FAULTS])
def test_faults_are_named_with_their_lines(old: str, new: str, complaint: str) -> None:
    assert old in HOUSE
    with pytest.raises(DataError) as caught:
        read_pack(Source("mine.toml", HOUSE.replace(old, new, 1)))
    problems = [str(problem) for problem in caught.value.problems]
    assert any(complaint in text for text in problems), problems
    assert all(re.match(r"mine\.toml:\d+: ", text) for text in problems)


def test_faults_and_blanks_are_reported_together() -> None:
    text = HOUSE.replace('town = "breach 6"', 'town = ""').replace('type = "wagon"', 'type = "waggon"', 1)
    with pytest.raises(DataError) as caught:
        read_pack(Source("mine.toml", text))
    messages = "\n".join(str(problem) for problem in caught.value.problems)
    assert "bombard.wagon.town: not filled in yet" in messages
    assert "did you mean wagon?" in messages


def test_shelves_show_and_check() -> None:
    content_type = PACK_SHELVES[0]
    assert content_type.check
    assert content_type.check(Source("mine.toml", HOUSE)) == []
    missing = content_type.check(Source.open(blank_form()))
    assert missing and all(problem.message.endswith(BLANK) for problem in missing)
    for lang in ("en", "ja"):
        for one in PACK_SHELVES:
            for name in one.items():
                assert all(row and all(isinstance(cell, str) for cell in row) for row in one.show(name, lang))
    pack = shipped_path("data") / "blind_faith" / "pack.toml"
    assert ["突撃", "防御側", "突撃側"] in content_type.show(pack, "ja")
    text = content_type.show(pack, "en")
    assert ["charge", "defender", "charger"] in text
