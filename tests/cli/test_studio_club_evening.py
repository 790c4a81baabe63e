"""Tests of a club evening in a browser: 9 players, 2 rounds, a bye, a correction and a result from a phone."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from generator.model.words import LANGS
from tests.cli import browser
from tests.cli.person import Person
from tests.cli.run import muster

pytestmark = pytest.mark.skipif(not browser.PROGRAM, reason="no Chromium is installed")
AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("Sato", "Suzuki", "Takahashi", "Tanaka", "Ito", "Watanabe", "Yamamoto", "Nakamura", "Kobayashi")
WIDTHS = (390, 820, 1024, 1440)


def two_clicks(hand: Person, place: str, seat: str, lost: int) -> None:
    """Enter a result: the winner, then the loser's score."""
    hand.press(f"[data-game='{place}'] [data-seat={seat}]")
    hand.press(f"#entry .count:nth-child({lost + 1})")
    hand.finds(f"[data-game='{place}'] .correct")


def whole_form(hand: Person, place: str, seat: str, scores: tuple[int, int]) -> None:
    """Enter a result whose limits are unknown, because the round is not printed."""
    hand.press(f"[data-game='{place}'] [data-seat={seat}]")
    hand.write("#entry [name=score_a]", str(scores[0]))
    hand.write("#entry [name=score_b]", str(scores[1]))
    hand.press("#entry button.chief")
    hand.finds(f"[data-game='{place}'] .correct")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_an_evening_of_nine(served: tuple[browser.Page, str, Path], keyboard: bool, lang: str) -> None:
    tab, address, folder = served
    hand = Person(tab, keyboard)
    name = f"Evening {'keys' if keyboard else 'mouse'} {lang}"
    place = folder / name.replace(" ", "-")
    tab.open(f"{address}tournament?lang={lang}", 1440, 900)
    hand.write("#new-event [name=name]", name)
    hand.write("#list", "\n".join((*NAMES, "Sato", "=1+1")))
    hand.press("#read-list")
    hand.sees("document.querySelectorAll('.lines .refused').length === 2")
    hand.press("#new-event p > .chief")
    hand.finds("#next")
    hand.press("#next")  # pair round 1
    hand.finds(".pairings")
    assert tab.run("document.querySelectorAll('.pairings tr').length") == 5
    hand.press("#next")  # print round 1
    hand.finds("#shown a[href$='.pdf']")
    hand.press("#next")  # to the results
    for table in (1, 3, 4):
        for game, seat in ((1, "a"), (2, "b")):
            two_clicks(hand, f"{table}/{game}", seat, table)
    hand.press("[data-game='1/1'] .correct")
    hand.press("#entry .count:nth-child(1)")
    hand.sees("document.querySelector('#corrections')")
    assert "score = [6, 0]" in (place / "event.toml").read_text("utf-8")

    hand.press(".table.open .qr")
    hand.finds("[data-address]")
    slip_address = tab.run("document.querySelector('[data-address]').dataset.address")
    room_address = tab.run("location.href")
    tab.open(slip_address.replace("slip#", f"slip?lang={lang}#"), 390)
    for game, winner in ((1, 1), (2, 0)):
        hand.native_radio(f"won{game}", winner)
        hand.native_radio(f"count{game}", 2)
    hand.press("#send")
    hand.finds(".well")
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
    hand.finds("#shown a[href$='.pdf']")
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
    hand, found = Person(tab, keyboard=False), dict[str, Any]()
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
        hand.finds(there)
        tab.run(axe)
        if what == "events":
            tab.run("document.querySelector('details').open = true")
        faults_of(tab, what, found)
        if what == "players":
            tab.run("document.querySelector('.players button').click()")
            hand.finds("dialog[open] form")
            faults_of(tab, "player", found)
        if what == "results":
            tab.run("document.querySelector('.winner').click()")
            hand.finds("#entry .count")
            faults_of(tab, "entry", found)
            tab.run("document.querySelector('#entry [role=group] + button').click()")
            hand.finds("#entry form")
            faults_of(tab, "form", found)
            tab.run("document.querySelector('.table.open .qr').click()")
            hand.finds("[data-address]")
            faults_of(tab, "codes", found)
            slip_address = tab.run("document.querySelector('[data-address]').dataset.address")
            tab.open(slip_address.replace("slip#", f"slip?lang={lang}#"), 390, dark=dark)
            hand.finds("[name=won1]")
            tab.run("document.querySelector('[name=won1]').click()")
            tab.run(axe)
            faults_of(tab, "slip", found)
            tab.open(f"{address}slip?lang={lang}#unknown", 390, dark=dark)
            hand.finds("#report p")
            tab.run(axe)
            faults_of(tab, "closed", found)
    assert found == {}


def test_the_second_screen_is_legible_and_refreshes_itself(
    served: tuple[browser.Page, str, Path], evening: str
) -> None:
    tab, address, folder = served
    hand = Person(tab, keyboard=False)
    for lang in LANGS:
        tab.open(f"{address}wall?lang={lang}#/{evening}", 1920, 1080)
        hand.finds(".tables")
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


def bring(tab: browser.Page, label: str, *files: Path) -> None:
    """Choose files with the button of this label."""
    script = (
        f"[...document.querySelectorAll('label.file')].find(label => label.textContent.includes({json.dumps(label)}))"
    )
    found = tab.call("Runtime.evaluate", expression=f"{script}.querySelector('input')")["result"]["objectId"]
    tab.call("DOM.enable")
    tab.call("DOM.setFileInputFiles", files=[str(file) for file in files], objectId=found)


def test_a_replay_is_opened_and_seen(served: tuple[browser.Page, str, Path]) -> None:
    tab, address, folder = served
    hand, battle, log = Person(tab, keyboard=False), folder / "duel.toml", folder / "duel.txt"
    assert muster("draw", "battling", "-o", str(battle)).code == 0
    assert muster("orders", "play", str(battle), "-o", str(log)).code == 0
    tab.open(f"{address}records?lang=en", 1440, 900)
    bring(tab, "Posts or log", log)
    bring(tab, "Scenario (.toml)", battle)
    hand.sees("document.querySelectorAll('.chip.well').length === 2")
    hand.press("#show-replay")
    hand.sees("document.querySelector('.replay') && document.querySelector('.replay').naturalWidth > 100")
    first = tab.run("document.querySelector('.replay').src")
    tab.run("[...document.querySelectorAll('button')].find(one => one.textContent.trim() === 'Later').click()")
    hand.sees(f"document.querySelector('.replay').src !== {json.dumps(first)}")


def test_a_campaign_is_begun_fought_and_carried_on(served: tuple[browser.Page, str, Path]) -> None:
    tab, address, _ = served
    hand = Person(tab, keyboard=True)
    tab.open(f"{address}records?lang=en", 1440, 900)
    hand.press("[data-start=travel_battle]")
    hand.finds("#record")
    hand.press("#sheet")
    hand.finds("#report a")
    hand.write("#areas [name=blue]", "a1")
    hand.write("#areas [name=red]", "B1")
    hand.press("#areas button")
    hand.finds(".chip.well")
    hand.write("#battle-result [name=lost]", "B1a, R1a R1b")
    hand.press("#battle-result button.chief")
    hand.sees("document.querySelector('#record').value.includes('[[battle]]')")
    assert "units left" in tab.run("document.querySelector('#report').textContent")
    tab.run("location.reload()")
    hand.sees("document.querySelector('#record')?.value.includes('winner = \"blue\"')")
    tab.run("localStorage.clear()")
