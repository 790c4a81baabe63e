"""A newcomer's way through the studio in a browser, by mouse and by keyboard alone, in both languages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from generator.model.words import LANGS
from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.person import CONTROL, Person
from tests.cli.run import muster

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="no Chromium is installed")
FAULTS = "(window.faults || []).join()"
CATCH = "window.faults = []; addEventListener('error', e => window.faults.push(e.message));"
CATCH += "addEventListener('unhandledrejection', e => window.faults.push(String(e.reason)));"
NAMES = ("Sato", "Suzuki", "Takahashi", "Tanaka", "Ito", "Watanabe", "Yamamoto", "Nakamura", "Kobayashi")
TURNS = 3
"""The number of turns that the newcomer plays against the computer."""


def arrives(tab: browser.Page, address: str, lang: str, width: int = 1440) -> None:
    """Open an address in a browser that asks for pages in the given language and has kept nothing."""
    version = tab.call("Browser.getVersion")["userAgent"]
    tab.call("Emulation.setUserAgentOverride", userAgent=version, acceptLanguage=lang)
    tab.open(address, width, 900, first=f"localStorage.clear(); sessionStorage.clear(); {CATCH}")


def blocked_archer(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a unit of a scenario and an enemy that it cannot shoot, because another unit stands in the way."""
    Path("chosen.toml").write_text(text, "utf-8")
    units = muster("odds", "chosen.toml", "--json").json["units"]
    return next(
        (unit, row)
        for unit in units
        for row in unit["hindered"]
        if row["from"] and len(row["blockers"]) < 3 and any("unit" in of for of in row["blockers"])
    )


def shown_battle(person: Person) -> str:
    person.sees("document.getElementById('map').ariaBusy === 'false'")
    return str(person.tab.run("document.getElementById('toml').textContent"))


def stands(name: str) -> str:
    return f"document.querySelector('#map [data-layer=units] [data-unit={name}]').dataset.cell"


def movable(text: str) -> tuple[str, str, str]:
    """Return a unit of a scenario, its hex, and a neighbouring hex on which the scenario would be legal as well."""
    Path("chosen.toml").write_text(text, "utf-8")
    units = muster("edit", "chosen.toml", "--json").json["units"]
    taken = {row["at"] for row in units}
    for row in units:
        for step in (1, -1):
            end = chr(ord(row["at"][0]) + step) + row["at"][1:]
            if end in taken or not "A" <= end[0] <= "K":
                continue
            if muster("edit", "chosen.toml", f"{row['id']}>{end}", "--json").json["legal"]:
                return row["id"], row["at"], end
    raise AssertionError("no unit can be moved")


def plays_turns(person: Person) -> None:
    """Play against the computer until the turn after the last one begins."""
    tab, decisions = person.tab, 0
    for _ in range(80):
        person.sees("document.getElementById('play-side').dataset.busy === 'false'")
        if tab.run("!!document.querySelector('#play-hand button')"):
            turn = tab.run("document.querySelector('#play-bar strong').textContent.match(/\\d+/)[0]")
            if int(turn) > TURNS:
                return
            decisions = 0
            person.press("#play-hand button")
        elif tab.run("!!document.querySelector('#play-moves [data-move]')"):
            person.press("#play-moves [data-move]")
        elif decisions < 2 and tab.run("!!document.querySelector('#play-units [data-unit]')"):
            decisions += 1
            unit = tab.run("document.querySelector('#play-units [data-unit]').dataset.unit")
            cell = tab.run(f"document.querySelector('#play-map [data-unit={unit}]').dataset.cell")
            person.press_cell("#play-map", cell)
        else:
            person.press("#play-side .row button.chief")
    raise AssertionError("the game does not go on")


def wait_for(path: Path) -> str:
    """Return the text of a file that the browser is saving."""
    for _ in range(100):
        if path.is_file() and path.stat().st_size:
            return path.read_text("utf-8")
        time.sleep(0.1)
    raise AssertionError(f"{path.name} was not saved")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_a_first_battle(served: tuple[browser.Page, str, Path], keyboard: bool, lang: str, here: Path) -> None:
    tab, address, folder = served
    person = Person(tab, keyboard)
    # Answers are in sight on a large screen and on a small laptop.
    arrives(tab, f"{address}#/dozen/battlelore?dozen={CODE}", lang, {"en": 1440, "ja": 1024}[lang])
    assert tab.run("document.documentElement.lang") == lang

    # Choose.
    person.sees("document.querySelectorAll('.battle-card[data-code]').length === 12")
    code = tab.run("document.querySelectorAll('.battle-card[data-code]')[2].dataset.code")
    person.press(f".battle-card[data-code='{code}']")
    person.sees(f"document.getElementById('stamp').textContent === '{code}'")
    drawn = shown_battle(person)

    # Why an archer cannot shoot.
    archer, enemy = blocked_archer(drawn)
    person.press_cell("#map", archer["hex"])
    person.press("#unit .hindered summary")
    line = f"#unit .hindered [data-target='{enemy['target']}']"
    if keyboard:
        person.go(line)
    else:
        tab.call("Input.dispatchMouseEvent", type="mouseMoved", **dict(zip("xy", person.point(line), strict=True)))
    reason = person.reads(line)
    (blocker, *_) = [of for of in enemy["blockers"] if "unit" in of]
    assert all(part in reason for part in (blocker["unit"], blocker["hex"], enemy["from"], str(enemy["range"]))), (
        reason
    )
    assert tab.run("document.querySelectorAll('#map .over.why .lawful').length") == 1
    person.key("Escape")
    person.sees("document.getElementById('bubble').hidden")

    # Drag, undo, and drag again.
    unit, start, end = movable(drawn)
    person.drag("#map", start, end)
    person.sees(f"{stands(unit)} === '{end}'")
    if keyboard:
        person.key("z", CONTROL)
    else:
        person.press("#undo")
    person.sees(f"{stands(unit)} === '{start}'")
    assert shown_battle(person) == drawn
    person.drag("#map", start, end)
    person.sees(f"{stands(unit)} === '{end}'")
    moved = shown_battle(person)

    # Watch it played.
    person.press("main[data-view=battle] [data-mode=watch]")
    person.finds("#watch-slider")
    slider = "Number(document.getElementById('watch-slider').value)"
    assert tab.run(slider) == 0
    before = tab.run("document.querySelector('#watch-map [data-layer=units]').innerHTML")
    if keyboard:
        person.go("#watch-slider")
        for _ in range(12):
            person.key("ArrowRight")
        assert tab.run(slider) == 12
        person.key("End")
    else:
        person.click_at(*person.point("#watch-slider"))
    person.sees(f"{slider} > 20")
    assert tab.run("document.querySelector('#watch-map [data-layer=units]').innerHTML") != before
    person.sees("/\\d %/.test(document.querySelector('#watch-bar .game-moment').innerText)")

    # Play three turns.
    person.press("main[data-view=watch] [data-mode=play]")
    person.press("#play-begin")
    plays_turns(person)

    # Print.
    person.press("#print")
    person.finds("#printed a[href]")
    head = "fetch(document.querySelector('#printed a').href).then(r => r.text()).then(t => t.slice(0, 5))"
    assert tab.run(head) == "%PDF-"

    # Save, and open the file on a phone.
    person.press("#views [data-view=battle]")
    person.press("#save")
    saved = folder / "battle.toml"
    assert wait_for(saved) == moved
    assert tab.run(FAULTS) == ""
    arrives(tab, address, lang, 390)
    person.sees("document.getElementById('map').ariaBusy === 'false'")
    person.bring("#open", saved)
    person.sees(f"{stands(unit)} === '{end}'")
    assert shown_battle(person) == moved
    assert tab.run("document.documentElement.scrollWidth") <= 390
    saved.unlink()
    assert tab.run(FAULTS) == ""


def two_clicks(person: Person, game: str, seat: str, lost: int) -> None:
    """Enter a result: the winner, then the loser's score."""
    person.press(f"[data-game='{game}'] [data-seat={seat}]")
    person.press(f"#entry .count:nth-child({lost + 1})")
    person.finds(f"[data-game='{game}'] .correct")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_a_first_tournament(served: tuple[browser.Page, str, Path], keyboard: bool, lang: str) -> None:
    tab, address, folder = served
    person = Person(tab, keyboard)
    arrives(tab, address, lang)

    # A new event with nine players.
    name = f"Club {'keys' if keyboard else 'mouse'} {lang}"
    person.press("#views a[href^='/tournament']")
    person.write("#new-event [name=name]", name)
    person.write("#list", "\n".join(NAMES))
    person.press("#read-list")
    person.sees("document.querySelectorAll('.lines tbody tr').length === 9")
    person.press("#new-event p > .chief")

    # Round 1: pair, print, enter results.
    person.press("#next")
    person.sees("document.querySelectorAll('.pairings tr').length === 5")
    person.press("#next")
    person.finds("#shown a[href$='.pdf']")
    person.press("#next")
    for table in (1, 3, 4):
        for game, seat in ((1, "a"), (2, "b")):
            two_clicks(person, f"{table}/{game}", seat, table)

    # A correction.
    person.press("[data-game='1/1'] .correct")
    person.press("#entry .count:nth-child(1)")
    person.finds("#corrections")
    record = folder / name.replace(" ", "-") / "event.toml"
    assert "score = [6, 0]" in record.read_text("utf-8")

    # Two players enter their result on a phone.
    person.press(".table.open .qr")
    person.finds("[data-address]")
    slip, room = tab.run("[document.querySelector('[data-address]').dataset.address, location.href]")
    tab.open(slip, 390)
    assert tab.run("document.documentElement.lang") == lang
    for game, winner in ((1, 1), (2, 0)):
        person.native_radio(f"won{game}", winner)
        person.native_radio(f"count{game}", 2)
    person.press("#send")
    person.finds(".well")
    tab.open(room, 1440, 900)
    person.sees("document.querySelectorAll('[data-game=\"2/1\"] .chip').length === 1")

    # Round 2 as a whole, and the standings.
    person.press("#next")
    person.sees("document.querySelectorAll('[data-round]').length === 2")
    person.press("#next")
    person.finds("#shown a[href$='.pdf']")
    person.press("#next")
    for table in range(1, 5):
        for game in (1, 2):
            two_clicks(person, f"{table}/{game}", "a", table)
    person.press("[data-panel=standings]")
    person.finds(".standings")
    names = tab.run("[...document.querySelectorAll('.standings tbody th')].map(cell => cell.textContent)")
    assert person.reads(".standings caption")
    state = muster("tournament", "standings", str(record.parent), "--json", "--dry-run").json
    assert [row["player"] for row in state["standings"]] == names
    assert len(names) == len(NAMES)
    assert tab.run("!/--[a-z]|Usage:|muster [a-z]/.test(document.body.innerText)")
