from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from generator.common.catalogue import faults
from generator.errors import DataError
from generator.games.battlelore.forces import Kind, load_pool, read_pool
from generator.games.battlelore.ground import SIDES, Side
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.decks import load_deck
from generator.notation.toml import Source
from generator.store.folders import shipped_path

TEXT = (shipped_path("data") / "battlelore" / "pool.toml").read_text(encoding="utf-8")
CROSSBOW = Kind("blue", "crossbow", "dwarf")


def test_the_house_pool_does_not_exceed_the_box() -> None:
    """The box has 210 miniatures with the spider, 58 bearers, 73 + 6 banners, and two levy tokens of each colour."""
    pool, tables = load_pool(), lore()
    figures = bearers = banners = 0
    for camp in SIDES:
        stock = pool.stock(camp)
        for weapons in stock.figures.values():
            for weapon, count in weapons.items():
                assert count % tables.figures[tables.weapons[weapon].arm] == 0
                figures += count
                bearers += count // tables.figures[tables.weapons[weapon].arm]
        banners += sum(sum(weapons.values()) for weapons in stock.banners.values())
        assert [pool.levies(camp, banner) for banner in tables.banners] == [2, 2, 2]
    assert figures + 1 <= 210
    assert bearers <= 58
    assert banners <= 73 + 6


def test_units_of_published_adventures_fit_the_box() -> None:
    """The units are lower bounds from two published adventures."""
    pool = load_pool()
    agincourt = [Kind("green", "common_bow", "human")] * 5 + [Kind("blue", "short_sword", "human")] * 3
    assert pool.fits("pennant", [*agincourt, Kind("red", "short_sword", "human")])
    french = [Kind("blue", "short_sword", "human")] * 6 + [Kind("red", "long_sword", "human")] * 2
    assert pool.fits("standard", french)


def test_figures_and_banners_both_run_short() -> None:
    pool = load_pool()
    assert pool.fits("pennant", [CROSSBOW] * 2)
    short = pool.shortages("pennant", [CROSSBOW] * 3)
    assert [(s.what.en, s.of.en, s.requested, s.held) for s in short] == [
        ("figures", "Dwarf crossbow", 12, 8),
        ("banners", "Blue crossbow", 3, 2),
    ]
    assert short[0].of.ja == "ドワーフ クロスボウ"


def test_humans_and_dwarves_share_banners_but_not_figures() -> None:
    pool = load_pool()
    human, dwarf = Kind("blue", "short_sword", "human"), Kind("blue", "short_sword", "dwarf")
    assert pool.fits("pennant", [human] * 5 + [dwarf] * 3)
    assert [s.what.en for s in pool.shortages("pennant", [human] * 6 + [dwarf] * 3)] == ["banners"]
    assert [s.what.en for s in pool.shortages("pennant", [human] * 2 + [dwarf] * 5)] == ["figures"]


def test_what_a_camp_does_not_own_runs_short() -> None:
    assert not load_pool().fits("standard", [CROSSBOW])


@pytest.mark.parametrize("camp", SIDES)
@pytest.mark.parametrize("pair", ["AB", "AC", "BC"])
def test_mixed_sets_sometimes_run_short(camp: Side, pair: str) -> None:
    """The rules warn that mixed sets can run short of pieces, for which levy tokens exist."""
    deck, pool = load_deck(), load_pool()
    hands = list(combinations([card for letter in pair for card in deck.set(camp, letter)], 4))
    short = sum(not pool.fits(camp, [k for card in hand for k in card.kinds]) for hand in hands)
    assert 0.05 < short / len(hands) < 0.25


@pytest.mark.parametrize(
    ("old", "new", "part", "message", "hint"),
    [
        ("dwarf = {", "dward = {", "dward", "dward: 'dward' is not valid", "did you mean dwarf?"),
        ('en = "Base', 'en = "\\u202EBase', "name = {", "name: contains the invisible", ""),
        ("crossbow = 8", "crosbow = 8", "dwarf = {", "crosbow: 'crosbow' is not valid", "did you mean crossbow?"),
        (
            "crossbow = 8",
            "crossbow = -8",
            "dwarf = {",
            "crossbow: -8 is too small",
            "at least 0",
        ),
        ("goblin = {", "orcs = {", "orcs", "orcs: 'orcs' is not valid", "accepted: human, dwarf, goblin"),
        (
            "crossbow = 8",
            "crossbow = true",
            "crossbow = true",
            "crossbow: expected a whole number",
            "",
        ),
    ],
)
def test_faults_have_their_line(old: str, new: str, part: str, message: str, hint: str) -> None:
    assert TEXT.count(old) == 1
    text = TEXT.replace(old, new)
    [problem] = faults(read_pool)(Source("my_pool.toml", text))
    assert message in problem.message
    assert problem.hint == hint
    assert problem.line == text[: text.index(part)].count("\n") + 1


def test_the_house_pool_has_no_faults() -> None:
    assert faults(read_pool)(Source("pool.toml", TEXT)) == []


def test_an_owners_pool_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my_pool.toml"
    path.write_text(TEXT.replace("crossbow = 8", "crossbow = 12"), encoding="utf-8")
    assert [s.what.en for s in load_pool(path).shortages("pennant", [CROSSBOW] * 3)] == ["banners"]
    path.write_text("pennant = 3\n", encoding="utf-8")
    with pytest.raises(DataError):
        load_pool(path)
