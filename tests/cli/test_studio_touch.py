"""The studio on a phone, in Chromium: everything is done with a finger, in a window 390 px wide."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.person import WAIT_S, Person
from tests.cli.test_studio_club_evening import SMALL_TARGETS
from tests.cli.test_studio_hand import cell, opened, stands, unit

WIDTH = 390
LETTERS_PX = """Math.min(...[...document.querySelectorAll('#map .heat-label')].map(label =>
    Math.hypot(label.getScreenCTM().a, label.getScreenCTM().b) * parseFloat(getComputedStyle(label).fontSize)))"""
"""The height of the smallest numbers on the map, in pixels."""


class Finger(Person):
    """A person with one finger on a touch screen."""

    def tap(self, selector: str) -> None:
        """Touch the middle of an element and let go at once."""
        x, y = self.point(selector)
        self.tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def swipe(self, x: float, y: float, dx: float, dy: float) -> None:
        """Move the finger over the screen, and wait until the page no longer glides."""
        self.tab.fingers(((x, y), (x + dx, y + dy)))
        still = "new Promise(done => { const y = scrollY; setTimeout(() => done(y === scrollY), 300); })"
        assert self.tab.becomes(still, True, WAIT_S)


@pytest.fixture
def finger(page: tuple[browser.Page, str]) -> Iterator[Finger]:
    tab, _ = page
    tab.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    yield Finger(tab, keyboard=False)
    tab.call("Emulation.setTouchEmulationEnabled", enabled=False)


def ground(name: str) -> str:
    return f"document.querySelector({json.dumps(cell(name, '#canvas'))}).dataset.ground"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_unit_is_asked_about_and_moved_by_a_finger(
    page: tuple[browser.Page, str], finger: Finger, lang: str
) -> None:
    tab = opened(page, f"#/battle/battlelore?seed={CODE}&lang={lang}", WIDTH)
    start = tab.run(stands("P4"))
    # A tap shows the answer in a sheet, and the unit stays in sight above it.
    finger.tap(unit("P4"))
    finger.finds("#unit .hindered")
    tab.run("for (const group of document.querySelectorAll('details')) group.open = true")
    assert finger.reads("#bubble-head")
    sheet, shape = (
        tab.run(f"(b => [b.top, b.bottom])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        for selector in ("#bubble", unit("P4"))
    )
    assert shape[1] <= sheet[0], "the sheet covers the unit"
    assert sheet[1] <= 900
    # A fingertip hits every control, and numbers on the map are legible.
    assert tab.run(SMALL_TARGETS) == []
    assert tab.run(LETTERS_PX) >= 10
    finger.tap("#asks-close")
    finger.sees("document.getElementById('bubble').hidden")

    # A swipe over units scrolls the page, and moves none of them.
    tab.run("scrollTo(0, 0)")
    x, y = tab.middle(unit("P4"))
    finger.swipe(x, y, 0, -150)
    finger.sees("scrollY > 60")
    assert tab.run(stands("P4")) == start
    assert tab.run("document.getElementById('bubble').hidden")

    # With the tool Move, the finger drags a unit, and the page does not scroll.
    finger.tap("[data-tool=move]")
    finger.point(unit("P4"))
    before = tab.run("scrollY")
    tab.drag(unit("P4"), cell("E3"), touch=True)
    finger.sees(f"{stands('P4')} === 'E3'")
    assert tab.run("scrollY") == before
    finger.sees("document.getElementById('map').ariaBusy === 'false'")
    # A tap on a unit, then on a hex, moves it too.
    finger.tap(unit("P5"))
    finger.tap(cell("G3"))
    finger.sees(f"{stands('P5')} === 'G3'")
    finger.tap("#undo")
    finger.tap("#undo")
    finger.sees(f"{stands('P4')} === '{start}'")
    assert tab.run("document.documentElement.scrollWidth") <= WIDTH
    assert not tab.all("Runtime.exceptionThrown")
    # The view that is open is in sight at the foot of the window, also the last one.
    opened(page, f"#/umpire/battlelore?seed={CODE}&lang={lang}", WIDTH)
    assert finger.reads("#views [aria-current]")


def test_terrain_is_painted_by_a_finger(page: tuple[browser.Page, str], finger: Finger) -> None:
    tab = opened(page, f"#/paint/battlelore?seed={CODE}&lang=ja", WIDTH)
    assert finger.reads("#views [aria-current]")
    finger.tap("[data-begin=harrow_plain]")
    finger.finds("#palette .swatch-picture svg")
    finger.tap("[data-brush=cliff]")
    finger.finds("#paint-take")
    assert tab.run(SMALL_TARGETS) == []
    finger.tap("[data-symbol=h]")
    finger.sees("document.querySelector('[data-symbol=h]').ariaChecked === 'true'")
    finger.point(cell("C5", "#canvas"))
    before = tab.run("scrollY")
    tab.drag(cell("C5", "#canvas"), cell("F5", "#canvas"), touch=True)
    for name in ("C5", "F5"):
        finger.sees(f"{ground(name)} === 'hill'")
    assert tab.run("scrollY") == before
    finger.tap(cell("J8", "#canvas"))
    finger.sees(f"{ground('J8')} === 'hill'")
    finger.tap("#paint-undo")
    finger.sees(f"{ground('J8')} !== 'hill'")
    assert tab.run("document.documentElement.scrollWidth") <= WIDTH
    assert not tab.all("Runtime.exceptionThrown")
