"""Tests for `muster check -o`, which rings faults on the map."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from generator import games
from generator.cli.scenario import load
from generator.common.pages import findings_sheet
from generator.model.views import MapView
from generator.rules import Finding
from tests.cli.conftest import CODE
from tests.cli.run import muster


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", games.names())
def test_every_game_prints_the_findings_of_a_check(here: Path, game: str, lang: str) -> None:
    """In games with units on cells, two units are moved to the same cell.

    In other games the page reports no fault.
    """
    muster("draw", game, "--seed", CODE, "-o", "s.toml")
    path = here / "s.toml"
    text = path.read_text("utf-8")
    cell = re.search(r'(?:hex|square|at|cell) = "(\w+)"', text)
    assert cell
    path.write_text(re.sub(r'(hex|square|at|cell) = "\w+"', rf'\1 = "{cell[1]}"', text, count=3), "utf-8")
    plain, done = (muster("check", "s.toml", *more, "--lang", lang) for more in ((), ("-o", "faults.pdf")))
    assert (done.code, done.err) == (plain.code, "")
    assert done.out == plain.out + "faults.pdf\n"
    with pikepdf.open(here / "faults.pdf") as pdf:
        assert len(pdf.pages) >= 1


def test_rings_bear_the_numbers_of_the_findings_and_lawful_cells_are_shaded(scenario: Path) -> None:
    loaded = load(scenario)
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    rule = loaded.report.rules[0]
    one = Finding(rule, "P1", rule.text, "illegal", cells=("A3", "B2"), lawful=("C3",))
    two = Finding(rule, "B2", rule.text, "remark")
    sheet = findings_sheet(kit, replace(loaded.report, findings=(one, two)))
    view = sheet.figures["map"]
    assert isinstance(view, MapView)
    name = view.grid.name
    assert [(name(ring.cell), ring.label) for ring in view.rings] == [("A3", "1"), ("B2", "1 2")]
    assert [[name(cell) for cell in shade.cells] for shade in view.shades] == [["C3"]]
    assert not findings_sheet(kit, loaded.report).figures


def test_a_picture_is_made_of_one_scenario(scenario: Path, here: Path) -> None:
    assert muster("check", scenario, "-o", "found.png").code == 0
    assert Image.open(io.BytesIO((here / "found.png").read_bytes())).width > 500
    assert "give one scenario" in muster("check", scenario, scenario, "-o", "x.pdf").err
