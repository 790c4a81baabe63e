"""Tests of a club evening in a browser: 9 players, 2 rounds, a bye, a correction and a result from a phone."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.model.words import LANGS
from tests.cli import browser
from tests.cli.run import muster, studio

pytestmark = pytest.mark.skipif(not browser.PROGRAM, reason="no Chromium is installed")
AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("Sato", "Suzuki", "Takahashi", "Tanaka", "Ito", "Watanabe", "Yamamoto", "Nakamura", "Kobayashi")
WIDTHS = (390, 820, 1024, 1440)
PATIENCE_S = 90.0
TAB, ENTER, ARROW_RIGHT = 9, 13, 39
"""The codes of keys."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[browser.Page, str, Path]]:
    """Yield a tab, the address of a studio, and the folder in which the studio was started."""
    folder = tmp_path_factory.mktemp("club")
    assert browser.PROGRAM
    with (
        studio(cwd=folder) as started,
        browser.browser(browser.PROGRAM, tmp_path_factory.mktemp("profile")) as tab,
    ):
        yield tab, started["address"], folder


class Hand:
    """A user with a mouse, or with a keyboard alone."""

    def __init__(self, tab: browser.Page, keyboard: bool) -> None:
        self.tab, self.keyboard = tab, keyboard

    def sees(self, script: str) -> None:
        """Wait until an expression of the page is true."""
        assert self.tab.becomes(f"Boolean({script})", True, PATIENCE_S), (
            script,
            self.tab.run("document.body.innerText"),
        )

    def there(self, selector: str) -> None:
        self.sees(f"document.querySelector({json.dumps(selector)})")

    def go(self, selector: str) -> None:
        """Move the focus with Tab until it is on an element that matches."""
        self.there(selector)
        wanted = f"document.activeElement.matches({json.dumps(selector)})"
        for _ in range(300):
            if self.tab.run(wanted):
                return
            self.tab.press("Tab", TAB)
        raise AssertionError(f"the keyboard does not reach {selector}")

    def press(self, selector: str) -> None:
        """Click an element, or focus it and press Enter."""
        self.there(selector)
        if self.keyboard:
            self.go(selector)
            self.tab.press("Enter", ENTER)
            return
        self.tab.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        x, y = self.tab.middle(selector)
        held = {"button": "left", "clickCount": 1, "x": x, "y": y}
        self.tab.call("Input.dispatchMouseEvent", type="mousePressed", **held)
        self.tab.call("Input.dispatchMouseEvent", type="mouseReleased", **held)

    def choose(self, name: str, place: int) -> None:
        """Choose a radio button by its place in its group, where arrow keys move between the buttons."""
        if not self.keyboard:
            self.there(f"[name={name}]")
            value = self.tab.run(f"document.querySelectorAll('[name={name}]')[{place}].value")
            self.press(f"[name={name}][value='{value}']")
            return
        self.go(f"[name={name}]")
        for kind in ("keyDown", "keyUp"):
            text = {"text": " "} if kind == "keyDown" else {}
            self.tab.call("Input.dispatchKeyEvent", type=kind, key=" ", windowsVirtualKeyCode=32, **text)
        for _ in range(place):
            self.tab.press("ArrowRight", ARROW_RIGHT)

    def write(self, selector: str, text: str) -> None:
        if self.keyboard:
            self.go(selector)
        else:
            self.press(selector)
        self.tab.run("document.activeElement.select && document.activeElement.select()")
        self.tab.call("Input.insertText", text=text)


def two_clicks(hand: Hand, place: str, seat: str, lost: int) -> None:
    """Enter a result: the winner, then the loser's score."""
    hand.press(f"[data-game='{place}'] [data-seat={seat}]")
    hand.press(f"#entry .count:nth-child({lost + 1})")
    hand.there(f"[data-game='{place}'] .correct")


def whole_form(hand: Hand, place: str, seat: str, scores: tuple[int, int]) -> None:
    """Enter a result whose limits are unknown, because the round is not printed."""
    hand.press(f"[data-game='{place}'] [data-seat={seat}]")
    hand.write("#entry [name=score_a]", str(scores[0]))
    hand.write("#entry [name=score_b]", str(scores[1]))
    hand.press("#entry button.chief")
    hand.there(f"[data-game='{place}'] .correct")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_an_evening_of_nine(served: tuple[browser.Page, str, Path], keyboard: bool, lang: str) -> None:
    tab, address, folder = served
    hand = Hand(tab, keyboard)
    name = f"Evening {'keys' if keyboard else 'mouse'} {lang}"
    place = folder / name.replace(" ", "-")
    tab.open(f"{address}tournament?lang={lang}", 1440, 900)
    hand.write("#new-event [name=name]", name)
    hand.write("#list", "\n".join((*NAMES, "Sato", "=1+1")))
    hand.press("#read-list")
    hand.sees("document.querySelectorAll('.lines .refused').length === 2")
    hand.press("#new-event p > .chief")
    hand.there("#next")
    hand.press("#next")  # pair round 1
    hand.there(".pairings")
    assert tab.run("document.querySelectorAll('.pairings tr').length") == 5
    hand.press("#next")  # print round 1
    hand.there("#shown a[href$='.pdf']")
    hand.press("#next")  # to the results
    for table in (1, 3, 4):
        for game, seat in ((1, "a"), (2, "b")):
            two_clicks(hand, f"{table}/{game}", seat, table)
    hand.press("[data-game='1/1'] .correct")
    hand.press("#entry .count:nth-child(1)")
    hand.sees("document.querySelector('#corrections')")
    assert "score = [6, 0]" in (place / "event.toml").read_text("utf-8")

    hand.press(".table.open .qr")
    hand.there("[data-address]")
    slip_address = tab.run("document.querySelector('[data-address]').dataset.address")
    room_address = tab.run("location.href")
    tab.open(slip_address.replace("slip#", f"slip?lang={lang}#"), 390)
    for game, winner in ((1, 1), (2, 0)):
        hand.choose(f"won{game}", winner)
        hand.choose(f"count{game}", 2)
    hand.press("#send")
    hand.there(".well")
    assert "score = [2, 6]" in (place / "event.toml").read_text("utf-8")
    tab.open(room_address, 1440, 900)
    hand.sees("document.querySelectorAll('[data-game=\"2/1\"] .chip').length === 1")

    # Another command changes the event meanwhile: the page shows it, and goes on.
    assert muster("tournament", "join", str(place), "Mori").code == 0
    hand.press("[data-panel=pair]")
    hand.sees("document.querySelector('[data-panel=players] small').textContent === '10'")
    hand.press("#pair-next")
    hand.sees("document.querySelectorAll('[data-round]').length === 2")
    hand.press("[data-panel=results]")
    for table in range(1, 6):
        for game in (1, 2):
            whole_form(hand, f"{table}/{game}", "a", (6, table))
    hand.press("[data-panel=standings]")
    hand.press("#make-standings")
    hand.there("#shown a[href$='.pdf']")
    assert tab.run("document.querySelectorAll('.standings tbody tr').length") == 10
    assert tab.run("!/--[a-z]|Usage:|muster [a-z]/.test(document.body.innerText)")
    seen = muster("tournament", "standings", str(place), "--json", "--dry-run").json
    assert [row["player"] for row in seen["standings"]] == tab.run(
        "[...document.querySelectorAll('.standings tbody th')].map(cell => cell.textContent)"
    )


FAULTS = """axe.run({exclude: ['iframe']}, {resultTypes: ['violations']}).then(told => told.violations
    .map(rule => rule.id + ': ' + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')))"""
SMALL_TEXT = """[...document.querySelectorAll('body *')].filter(node => node.checkVisibility() &&
    [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim()) &&
    parseFloat(getComputedStyle(node).fontSize) < 12).map(node => node.outerHTML.slice(0, 120))"""
TARGETS = "button, select, a, input:not(.hidden-file), summary"
SMALL_TARGETS = f"""[...document.querySelectorAll('{TARGETS}')].filter(node => {{
    const label = node.closest('label'); const box = (label || node).getBoundingClientRect();
    return node.checkVisibility() && !node.matches('.skip') && box.height < 44 && box.height > 0;
}}).map(node => node.outerHTML.slice(0, 120))"""
TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def evening(served: tuple[browser.Page, str, Path]) -> str:
    """Return the name of an event with a printed round, some results and a correction."""
    folder = served[2]
    (folder / "names.txt").write_text("\n".join(NAMES), "utf-8")
    place = str(folder / "axe")
    made = muster(
        *("tournament", "new", "battlelore", "--players", str(folder / "names.txt"), "--rounds", "4"),
        *("--event", "Axe Cup", "-o", place, "--clock", "9:30-11:10", "--notice", "Lunch at one"),
    )
    assert made.code == 0
    assert muster("tournament", "pair", place).code == 0 and muster("tournament", "pack", place).code == 0
    return "axe"


def faults_of(tab: browser.Page, what: str, found: dict[str, Any]) -> None:
    """Note what is wrong with the page in each width."""
    for width in WIDTHS:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        tab.call("Emulation.setDeviceMetricsOverride", **size)
        time.sleep(0.1)
        checks = {"axe": FAULTS, "small": SMALL_TEXT, "wide": TOO_WIDE}
        checks |= {"targets": SMALL_TARGETS} if width == WIDTHS[0] else {}
        for name, script in checks.items():
            if told := tab.run(script):
                found[f"{what} {width} {name}"] = told


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in the tests' environment: make browser")
@pytest.mark.parametrize(("lang", "dark"), [("en", False), ("ja", True)])
def test_axe_finds_nothing(served: tuple[browser.Page, str, Path], evening: str, lang: str, dark: bool) -> None:
    tab, address, _ = served
    hand, found = Hand(tab, keyboard=False), dict[str, Any]()
    axe = AXE.read_text("utf-8") + ";0"
    views = {
        "events": ("tournament", "#/", "#new-event"),
        **{name: ("tournament", f"#/{evening}/{name}", f"[data-panel={name}][aria-current]")
           for name in ("players", "pair", "print", "results", "standings")},
        "wall": ("wall", f"#/{evening}", ".tables"),
        "records": ("records", "", "#show-replay"),
    }  # fmt: skip
    for what, (page, fragment, there) in views.items():
        tab.open(f"{address}{page}?lang={lang}{fragment}", 1440, 900, dark=dark)
        hand.there(there)
        tab.run(axe)
        if what == "events":
            tab.run("document.querySelector('details').open = true")
        faults_of(tab, what, found)
        if what == "players":
            tab.run("document.querySelector('.players button').click()")
            hand.there("dialog[open] form")
            faults_of(tab, "player", found)
        if what == "results":
            tab.run("document.querySelector('.winner').click()")
            hand.there("#entry .count")
            faults_of(tab, "entry", found)
            tab.run("document.querySelector('#entry [role=group] + button').click()")
            hand.there("#entry form")
            faults_of(tab, "form", found)
            tab.run("document.querySelector('.table.open .qr').click()")
            hand.there("[data-address]")
            faults_of(tab, "codes", found)
            slip_address = tab.run("document.querySelector('[data-address]').dataset.address")
            tab.open(slip_address.replace("slip#", f"slip?lang={lang}#"), 390, dark=dark)
            hand.there("[name=won1]")
            tab.run("document.querySelector('[name=won1]').click()")
            tab.run(axe)
            faults_of(tab, "slip", found)
            tab.open(f"{address}slip?lang={lang}#unknown", 390, dark=dark)
            hand.there("#report p")
            tab.run(axe)
            faults_of(tab, "closed", found)
    assert found == {}


def test_the_second_screen_is_legible_and_refreshes_itself(
    served: tuple[browser.Page, str, Path], evening: str
) -> None:
    tab, address, folder = served
    hand = Hand(tab, keyboard=False)
    for lang in LANGS:
        tab.open(f"{address}wall?lang={lang}#/{evening}", 1920, 1080)
        hand.there(".tables")
        sizes = tab.run(
            "[...document.querySelectorAll('td, tbody th')].map(cell => parseFloat(getComputedStyle(cell).fontSize))"
        )
        assert min(sizes) / 1080 > 0.026  # 17 mm on a screen 65 cm high, legible at 3 m
        assert not tab.run("document.documentElement.scrollHeight > innerHeight")
    before = tab.run("document.querySelector('.tables').textContent")
    state = muster("tournament", "status", str(folder / evening), "--json").json
    (first, *_) = state["round"][0]["tables"]
    rows = f"round,player_a,player_b,score_a,score_b,game\n1,{first['a']},{first['b']},6,1,1\n"
    (folder / "more.csv").write_text(rows, "utf-8")
    assert muster("tournament", "results", str(folder / evening), str(folder / "more.csv")).code == 0
    hand.sees(f"document.querySelector('.tables').textContent !== {json.dumps(before)}")
    assert re.search("6:1", tab.run("document.querySelector('.tables').textContent"))
