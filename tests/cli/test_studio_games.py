"""Watching and playing in the studio, in Chromium: by mouse and by keyboard alone, in both languages."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from generator.cli.studio_server import page_texts
from generator.model.words import LANGS
from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.run import muster

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="no Chromium is installed")
LONG = 60.0
GAMES = {
    "battlelore": "",
    "call_to_arms": "",
    "battling": "&w.turns=6",
    "travel_battle": "",
    "blind_faith": "&w.kind=battle&w.points=30",
}
ERRORS = "(window.faults || []).join()"
CATCH = "window.faults = []; addEventListener('error', e => window.faults.push(e.message));"
CATCH += "addEventListener('unhandledrejection', e => window.faults.push(String(e.reason)));"
KEPT = "Object.values(JSON.parse(localStorage.getItem('muster.games') || '{}'))"
COUNT = f"JSON.parse({KEPT}[0]?.saved || '{{}}').steps?.length"
"""A script that returns the number of steps of the kept game."""


def opened(page: tuple[browser.Page, str], view: str, game: str = "battlelore", lang: str = "en", **more: Any) -> Any:
    """Open a view of a battle in a browser without kept games."""
    tab, address = page
    tab.open(f"{address}#/battle/{game}?seed={CODE}&lang={lang}{GAMES[game]}", 1440, 900)
    tab.run("localStorage.clear(); sessionStorage.clear()")
    width = more.pop("width", 1440)
    tab.open(f"{address}#/{view}/{game}?seed={CODE}&lang={lang}{GAMES[game]}", width, 900, first=CATCH, **more)
    visible = "#watch-slider" if view == "watch" else "#play-begin"
    assert tab.becomes(f"!!document.querySelector('{visible}')", True, LONG), tab.run("document.body.innerText")
    return tab


def text(key: str, lang: str, **values: object) -> str:
    return str(page_texts()[key].fill(**values)[lang])  # type: ignore[index]


def click(tab: browser.Page, selector: str) -> None:
    """Click in the middle of an element, as a mouse does."""
    tab.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
    x, y = tab.middle(selector)
    held = {"x": x, "y": y, "button": "left", "clickCount": 1}
    tab.call("Input.dispatchMouseEvent", type="mousePressed", **held)
    tab.call("Input.dispatchMouseEvent", type="mouseReleased", **held)


def type_key(tab: browser.Page, key: str, code: int, modifiers: int = 0) -> None:
    event: dict[str, Any] = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
    visible = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 and not modifiers else {}
    tab.call("Input.dispatchKeyEvent", type="keyDown", **event, **visible)
    tab.call("Input.dispatchKeyEvent", type="keyUp", **event)


def is_ready(tab: browser.Page) -> bool:
    """Return whether the page waits for the player."""
    return tab.becomes("document.getElementById('play-side').dataset.busy", "false", LONG)


def question(tab: browser.Page) -> str:
    return str(tab.run("document.getElementById('play-question').textContent"))


@pytest.mark.parametrize("game", GAMES)
def test_a_battle_is_watched_step_by_step(page: tuple[browser.Page, str], game: str) -> None:
    tab = opened(page, "watch", game)
    slider = "document.getElementById('watch-slider')"
    last = int(tab.run(f"{slider}.max"))
    assert last > 5
    units = "document.querySelector('#watch-map [data-layer=units]').innerHTML"
    before = tab.run(units)
    # The focus stays on the slider, and each moment is described.
    tab.run(f"{slider}.focus()")
    moments = set()
    for _ in range(12):
        type_key(tab, "ArrowRight", 39)
        moments.add(tab.run(f"{slider}.getAttribute('aria-valuetext')"))
        assert tab.run("document.activeElement.id") == "watch-slider"
    assert tab.run(f"+{slider}.value") == min(last, 12)
    assert len(moments) > 3
    type_key(tab, "End", 35)
    assert tab.run(f"+{slider}.value") == last
    assert tab.run(units) != before
    assert tab.becomes("document.querySelector('#watch-bar .small').textContent.includes('%')", True, LONG)
    assert tab.run(ERRORS) == ""


@pytest.mark.parametrize("lang", LANGS)
def test_a_game_is_played_by_the_page_paused_and_saved_as_a_picture(
    page: tuple[browser.Page, str], lang: str
) -> None:
    tab = opened(page, "watch", lang=lang)
    click(tab, "#watch-play")
    assert tab.becomes("+document.getElementById('watch-slider').value > 2", True, LONG)
    assert tab.run("document.getElementById('watch-play').getAttribute('aria-label')") == text("watch_pause", lang)
    type_key(tab, "k", 75)
    at = tab.run("document.getElementById('watch-slider').value")
    time.sleep(1.5)
    assert tab.run("document.getElementById('watch-slider').value") == at
    type_key(tab, ".", 190)
    assert tab.run("+document.getElementById('watch-slider').value") == int(at) + 1
    # Saving clicks a link to the content, which this script catches.
    tab.run(
        "window.saved = []; const make = URL.createObjectURL; let last = null;"
        "URL.createObjectURL = blob => (last = blob, make(blob));"
        "HTMLAnchorElement.prototype.click = function () { const name = this.download, blob = last;"
        " blob.arrayBuffer().then(a => window.saved.push("
        "[name, blob.type, a.byteLength, new TextDecoder().decode(a.slice(0, 200))])); }; 0"
    )
    # An attack has an arrow, which is in the picture too.
    tab.run(
        "(s => { for (let n = 0; n < s.max && !document.querySelector('#watch-map .arrow.strike'); n++)"
        " { s.value = n; s.dispatchEvent(new Event('input')); } })(document.getElementById('watch-slider'))"
    )
    assert tab.run("!!document.querySelector('#watch-map .arrow.strike')")
    for kind in ("svg", "png"):
        tab.run(f"document.getElementById('watch-{kind}').click()")
    assert tab.becomes("window.saved.length", 2, LONG)
    files = {row[0].rpartition(".")[2]: row for row in tab.run("window.saved")}
    assert files["svg"][3].startswith("<svg")
    assert files["png"][1] == "image/png"
    assert files["png"][2] > 50_000
    # The levels change the game, and so does another game.
    tab.run(
        "(s => { s.value = 'club'; s.dispatchEvent(new Event('change')); })(document.getElementById('watch-level'))"
    )
    assert tab.becomes("document.querySelectorAll('#watch-turns li').length > 3", True, LONG)
    assert tab.run(ERRORS) == ""


def test_a_watched_position_is_played_on(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, "watch")
    tab.run("(s => { s.value = 20; s.dispatchEvent(new Event('input')); })(document.getElementById('watch-slider'))")
    click(tab, "#watch-on")
    assert tab.becomes("!!document.getElementById('play-undo')", True, LONG)
    assert is_ready(tab)
    assert tab.run("location.hash").startswith("#/play/battlelore")
    assert tab.run(COUNT) >= 20


@pytest.mark.parametrize("lang", LANGS)
def test_three_turns_are_played_by_mouse_undone_saved_and_resumed(
    page: tuple[browser.Page, str], lang: str, here: Path
) -> None:
    tab = opened(page, "play", lang=lang)
    click(tab, "#play-begin")
    assert tab.becomes("document.querySelectorAll('#play-hand button').length > 0", True, LONG)
    assert is_ready(tab)
    # A card is played and taken back.
    first = question(tab)
    click(tab, "#play-hand button")
    assert tab.becomes("!document.getElementById('play-undo').ariaDisabled.includes('true')", True, LONG)
    assert is_ready(tab)
    assert question(tab) != first
    click(tab, "#play-undo")
    assert tab.becomes("document.querySelectorAll('#play-hand button').length > 0", True, LONG)
    assert is_ready(tab)
    assert question(tab) == first
    # Three turns by clicks on the map, or on the button that ends a part of the turn.
    for _ in range(120):
        if tab.run("!!document.querySelector('#play-hand button')"):
            if "3" in tab.run("document.querySelector('#play-bar strong').textContent"):
                break
            click(tab, "#play-hand button")
        elif tab.run("!!document.querySelector('#play-map .over .target')"):
            cell = tab.run(
                "(p => { const d = p.getAttribute('d'); return [...document.querySelectorAll("
                "'#play-map [data-layer=cells] path')].find(q => q.getAttribute('d') === d).dataset.cell; })"
                "(document.querySelector('#play-map .over .target'))"
            )
            click(tab, f'#play-map [data-layer=cells] [data-cell="{cell}"]')
        else:
            end = "#play-side .row button.chief"
            click(tab, end if tab.run(f"!!document.querySelector('{end}')") else "#play-side [data-move]")
        time.sleep(0.05)
        assert is_ready(tab)
    assert tab.run(ERRORS) == ""
    assert "3" in tab.run("document.querySelector('#play-bar strong').textContent")
    # The file goes on at the terminal, and the browser goes on after a reload.
    steps, asked = tab.run(COUNT), question(tab)
    saved = tab.run("Object.values(JSON.parse(localStorage.getItem('muster.games')))[0].saved")
    Path("evening.game.json").write_text(saved, "utf-8")
    run = muster("play", "--resume", "evening.game.json", "--lang", lang)
    assert (run.code, run.err) == (0, "")
    tab.events.clear()
    tab.call("Page.reload")
    tab.wait("Page.loadEventFired")
    assert tab.becomes("!!document.getElementById('play-undo')", True, LONG)
    assert is_ready(tab)
    assert (tab.run(COUNT), question(tab)) == (steps, asked)
    # Another visit lists the game, also after the address was left.
    click(tab, "#play-leave")
    assert tab.becomes("document.querySelectorAll('#play-games [data-game]').length", 1, LONG)
    click(tab, "#play-games [data-game]")
    assert tab.becomes("!!document.getElementById('play-undo')", True, LONG)
    assert is_ready(tab)
    assert question(tab) == asked
    # A file that is dropped on the page is opened as a game of its own.
    tab.run(
        "(t => { const data = new DataTransfer(); data.items.add(new File([t], 'evening.game.json'));"
        f"dispatchEvent(new DragEvent('drop', {{dataTransfer: data, cancelable: true}})); }})({json.dumps(saved)})"
    )
    assert tab.becomes("Object.keys(JSON.parse(localStorage.getItem('muster.games'))).length", 2, LONG)
    assert is_ready(tab)
    assert question(tab) == asked


def focused(tab: browser.Page, script: str) -> Any:
    return tab.run(f"(e => {script})(document.activeElement)")


def tab_to(tab: browser.Page, test: str) -> None:
    """Press Tab until the focused element passes a test."""
    for _ in range(200):
        type_key(tab, "Tab", 9)
        if focused(tab, f"!!({test})"):
            return
    raise AssertionError(f"no Tab leads to {test}")


@pytest.mark.parametrize("lang", LANGS)
def test_a_turn_is_played_by_keyboard_alone(page: tuple[browser.Page, str], lang: str) -> None:
    tab = opened(page, "play", lang=lang)
    tab_to(tab, "e.id === 'play-begin'")
    type_key(tab, "Enter", 13)
    assert tab.becomes("document.querySelectorAll('#play-hand button').length > 0", True, LONG)
    assert is_ready(tab)
    assert tab.becomes("document.activeElement.id", "play-question", LONG)
    tab_to(tab, "e.closest('#play-hand')")
    type_key(tab, "Enter", 13)
    assert tab.becomes("!!document.querySelector('#play-units, #play-moves, .game-side .row .chief')", True, LONG)
    assert is_ready(tab)
    assert tab.becomes("document.activeElement.id", "play-question", LONG)
    # The hint, by its key, is announced with its reasons.
    type_key(tab, "h", 72)
    assert tab.becomes("!!document.querySelector('#play-side .hint')", True, LONG)
    assert is_ready(tab)
    assert len(tab.run("document.querySelector('#play-side [role=status]').textContent")) > 40
    # On the map, arrow keys walk to a marked unit, and Enter orders it. The focus stays on its hex.
    units = tab.run("[...document.querySelectorAll('#play-units [data-unit]')].map(b => b.dataset.unit)")
    if units:
        place = tab.run(f"document.querySelector('#play-map [data-unit={units[0]}]').dataset.cell")
        tab.run("document.querySelector('#play-map [data-cell][tabindex=\"0\"]').focus()")
        for _ in range(60):
            here_, there = (
                tab.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({of}.getBoundingClientRect())")
                for of in (
                    "document.activeElement",
                    f"document.querySelector('#play-map [data-layer=cells] [data-cell={place}]')",
                )
            )
            dx, dy = there[0] - here_[0], there[1] - here_[1]
            if focused(tab, "e.dataset.cell") == place:
                break
            # First to the row of the hex, then along the row.
            down = ("ArrowDown", 40) if dy > 0 else ("ArrowUp", 38)
            key, code = down if abs(dy) > 5 else ("ArrowRight", 39) if dx > 0 else ("ArrowLeft", 37)
            type_key(tab, key, code)
        assert focused(tab, "e.dataset.cell") == place
        steps = tab.run(COUNT)
        type_key(tab, "Enter", 13)
        assert tab.becomes(f"{COUNT} > {steps}", True, LONG)
        assert is_ready(tab)
        assert focused(tab, "e.dataset.cell") == place
        # Ctrl+Z takes the order back, and the focus is still there.
        type_key(tab, "z", 90, modifiers=2)
        assert tab.becomes(COUNT, steps, LONG)
        assert is_ready(tab)
    # The key E ends the parts of the turn.
    for _ in range(12):
        if tab.run("!!document.querySelector('#play-hand button')"):
            break
        before = tab.run(COUNT)
        end = tab.run("!!document.querySelector('#play-side [aria-keyshortcuts=e]')")
        if end:
            type_key(tab, "e", 69)
        else:
            tab_to(tab, "e.dataset.move !== undefined")
            type_key(tab, "Enter", 13)
        assert tab.becomes(f"{COUNT} > {before}", True, LONG)
        assert is_ready(tab)
    assert tab.run("!!document.querySelector('#play-hand button')")
    assert tab.run(ERRORS) == ""


@pytest.mark.parametrize("game", ["battlelore", "battling", "blind_faith"])
def test_two_people_play_with_dice_from_the_table(page: tuple[browser.Page, str], game: str) -> None:
    tab = opened(page, "play", game, width=1024)
    change = "(s => {{ s.value = {}; s.dispatchEvent(new Event('change')); }})(document.getElementById('{}'))"
    tab.run(change.format(2, "play-people"))
    tab.run(change.format(1, "play-dice"))
    click(tab, "#play-begin")
    assert tab.becomes("!!document.getElementById('play-undo')", True, LONG)
    rolls = 0
    for turn in range(600):  # Cards are dealt at random, so it can take long until dice are rolled.
        assert is_ready(tab)
        if rolls:
            break
        if tab.run("!!document.getElementById('play-show-hand')"):
            assert not tab.run("!!document.querySelector('#play-hand')")
            click(tab, "#play-show-hand")
        elif tab.run("!!document.getElementById('play-faces')"):
            count = int(tab.run("document.getElementById('play-question').textContent.match(/: (\\d+)/)[1]"))
            for _ in range(count):
                click(tab, "#play-faces .face")
            click(tab, "#play-take")
            assert tab.becomes(
                "!document.getElementById('play-faces') || !document.querySelector('#play-side .fault')", True
            )
            rolls += 1
        elif tab.run("!document.querySelector('#play-side [data-move], #play-units')"):
            break  # The game is over.
        elif game == "battling":
            # Random orders seldom bring the machines together, but those of the captain do.
            click(tab, "#play-hint")
            assert is_ready(tab)
            click(tab, "#play-side .hint [data-move]")
        else:
            wanted = (
                tab.run(
                    "(all => (all.find(b => b.querySelector('strong')) || all[all.length - 1] || {}).dataset?.move)"
                    "([...document.querySelectorAll('#play-moves [data-move], #play-hand [data-move]')])"
                )
                or ""
            )
            units = tab.run("document.querySelectorAll('#play-units [data-unit]').length")
            if wanted:
                click(tab, f"#play-side [data-move={json.dumps(wanted)}]")
            elif units and turn % 3:
                click(tab, "#play-units [data-unit]")
            else:
                rest = tab.run("!!document.querySelector('#play-side .row [data-move]')")
                click(tab, "#play-side .row [data-move]" if rest else "#play-units [data-unit]")
        time.sleep(0.05)
    assert rolls
    assert tab.run(ERRORS) == ""


def test_the_language_changes_in_the_middle_of_a_game(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, "play")
    click(tab, "#play-begin")
    assert tab.becomes("document.querySelectorAll('#play-hand button').length > 0", True, LONG)
    assert is_ready(tab)
    steps = tab.run(COUNT)
    tab.run("[...document.querySelectorAll('#lang button')].find(b => b.lang === 'ja').click()")
    assert tab.becomes("/[ぁ-ん]/.test(document.getElementById('play-question').textContent)", True, LONG)
    assert is_ready(tab)
    assert tab.run(COUNT) == steps
    tab.run("document.querySelector('main[data-view=play] [data-mode=watch]').click()")
    assert tab.becomes("/第\\d+ラウンド/.test(document.getElementById('watch-turns')?.textContent)", True, LONG)


AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
HARM = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
    .map(rule => rule.id + ': ' + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')))"""
SMALL = """[...document.querySelectorAll('main:not([hidden]) .game-side button, main:not([hidden]) .game-bar button,'
    + 'main:not([hidden]) .modes button')].filter(b => b.offsetParent && b.getBoundingClientRect().height < 43.5)
    .map(b => b.textContent.trim())"""


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in the tests' environment: make browser")
@pytest.mark.parametrize("width", [390, 820, 1024, 1440])
@pytest.mark.parametrize(("lang", "dark"), [("en", False), ("ja", True)])
def test_axe_finds_nothing_and_nothing_runs_over_the_side(
    page: tuple[browser.Page, str], width: int, lang: str, dark: bool
) -> None:
    found: dict[str, Any] = {}
    tab = opened(page, "watch", "call_to_arms", lang, width=width, dark=dark)
    axe = AXE.read_text("utf-8") + ";0"
    tab.run("(s => { s.value = 30; s.dispatchEvent(new Event('input')); })(document.getElementById('watch-slider'))")
    tab.run("document.querySelector('#watch-side details').open = true")
    tab.run(axe)
    found["watch"] = tab.run(HARM)
    sizes = [tab.run("document.documentElement.scrollWidth")]
    small = tab.run(SMALL)
    tab.run("document.querySelector('main:not([hidden]) [data-mode=play]').click()")
    assert tab.becomes("!!document.getElementById('play-begin')", True, LONG)
    found["form"] = tab.run(HARM)
    sizes.append(tab.run("document.documentElement.scrollWidth"))
    tab.run("document.getElementById('play-begin').click()")
    assert tab.becomes("!!document.querySelector('#play-hand button')", True, LONG)
    assert is_ready(tab)
    found["cards"] = tab.run(HARM)
    tab.run("document.querySelector('#play-hand button').click()")
    assert tab.becomes("!document.querySelector('#play-hand button')", True, LONG)
    assert is_ready(tab)
    tab.run("document.getElementById('play-hint').click()")
    assert tab.becomes("!!document.querySelector('.hint')", True, LONG)
    found["hint"] = tab.run(HARM)
    sizes.append(tab.run("document.documentElement.scrollWidth"))
    small += tab.run(SMALL)
    assert not any(found.values()), found
    assert max(sizes) <= width
    assert not small
