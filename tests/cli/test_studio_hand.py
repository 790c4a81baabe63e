"""Tests for manual actions on the studio's page in a real browser: moving, painting, choosing seats, zooming."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.run import muster

SHOWN = (
    "document.getElementById('map')?.getAttribute('aria-busy') === 'false' && "
    "!!document.querySelector('#title')?.textContent"
)
BATTLE = f"#/battle/call_to_arms?seed={CODE}&lang=en"
LONG = 60.0


@pytest.fixture(autouse=True)
def shared() -> None:
    """Disable sharing of results, because these tests compare answers of the studio with those of a command."""


def opened(page: tuple[browser.Page, str], hash_: str = BATTLE, width: int = 1440) -> browser.Page:
    """Open the page at the address `hash_`, without data stored by earlier visits."""
    tab, address = page
    tab.open(f"{address}{hash_}", width, 900, first="localStorage.clear(), sessionStorage.clear()")
    assert tab.becomes(SHOWN, True, LONG), tab.run("document.body.innerText")
    return tab


def click(tab: browser.Page, selector: str) -> None:
    tab.run(f"document.querySelector({json.dumps(selector)}).click()")


def clicked(tab: browser.Page, selector: str) -> None:
    """Click a shape of the map, which has no method for it."""
    event = "new MouseEvent('click', {bubbles: true})"
    tab.run(f"document.querySelector({json.dumps(selector)}).dispatchEvent({event})")


def text_of(tab: browser.Page, id_: str) -> str:
    return str(tab.run(f"document.getElementById('{id_}').innerText"))


def toml(tab: browser.Page) -> str:
    return str(tab.run("document.getElementById('toml').textContent"))


def unit(name: str) -> str:
    return f"#map [data-layer=units] [data-unit={name}]"


def cell(name: str, root: str = "#map") -> str:
    return f"{root} [data-layer=cells] [data-cell={name}]"


def stands(name: str) -> str:
    return f"document.querySelector('{unit(name)}').dataset.cell"


def sent(tab: browser.Page, name: str, to: str, *, touch: bool = False) -> None:
    """Drag a unit, and wait until the picture shows the move."""
    click(tab, "[data-tool=move]")
    tab.drag(unit(name), cell(to), touch=touch)
    assert tab.becomes(stands(name), to, LONG)


def test_an_illegal_drag_stays_with_its_reason_and_is_undone_and_done_again(
    page: tuple[browser.Page, str], here: Path
) -> None:
    tab = opened(page)
    drawn = toml(tab)
    sent(tab, "P3", "J6")
    Path("battle.toml").write_text(toml(tab), "utf-8")
    report = muster("check", "battle.toml", "--json").json[0]
    (finding,) = report["findings"]
    assert finding["message"] in text_of(tab, "status") and finding["text"] in text_of(tab, "findings")
    proved = f"{report['deciding'] - 1} proved"
    assert "1 illegal" in text_of(tab, "tiers") and proved in text_of(tab, "tiers")
    ring, lawful = (
        tab.run(f"document.querySelectorAll('.over .{kind}').length") for kind in ("fault-ring", "lawful")
    )
    assert (ring, lawful) == (len(finding["cells"]), len(finding["lawful"]))
    assert "muster print battle.toml" in text_of(tab, "command")
    click(tab, "#put-back")
    assert tab.becomes(stands("P3"), "D3", LONG)
    assert toml(tab) == drawn and CODE in text_of(tab, "command")
    click(tab, "#redo")
    assert tab.becomes(stands("P3"), "J6", LONG)
    tab.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    assert tab.becomes(stands("P3"), "D3", LONG)
    assert not tab.all("Runtime.exceptionThrown")


def test_a_unit_is_moved_by_keys_and_by_a_finger(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    click(tab, "[data-tool=move]")
    tab.run(f"document.querySelector('{cell('B1')}').focus()")
    for key, code in (("Enter", 13), ("ArrowRight", 39), ("Enter", 13)):
        tab.press(key, code)
    assert tab.becomes(stands("P15"), "C1", LONG)
    assert tab.becomes("document.getElementById('status').className", "good", LONG)
    assert tab.becomes("document.activeElement.dataset.cell", "C1", LONG)
    phone = opened(page, BATTLE, 390)
    assert phone.run("document.documentElement.scrollWidth") <= 390
    phone.run("document.getElementById('map').scrollIntoView()")
    sent(phone, "P15", "C1", touch=True)
    assert text_of(phone, "stamp") == f"{CODE} + P15>C1"


def test_a_map_is_looked_at_closely_with_two_fingers_and_by_buttons(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, BATTLE, 390)
    tab.run("document.getElementById('map').scrollIntoView()")
    seen = "document.querySelector('#map svg').getAttribute('viewBox').split(' ').map(Number)"
    x, y, width, height = tab.run(seen)
    across, down = tab.middle(cell("F5"))
    tab.fingers(((across - 20, down), (across - 60, down)), ((across + 20, down), (across + 60, down)))
    left, top, near, _ = tab.run(seen)
    assert near == pytest.approx(width / 3, rel=0.05) and left > x and top > y
    assert tab.middle(cell("F5")) == pytest.approx((across, down), abs=3)
    # One finger moves the map, and a tap still selects a cell.
    tab.fingers(((across, down), (across - 50, down)))
    assert tab.middle(cell("F5"))[0] == pytest.approx(across - 50, abs=3)
    assert not text_of(tab, "sight")
    tab.fingers(((across - 50, down), (across - 50, down)))
    assert tab.becomes("location.hash.includes('from=F5')", True, LONG)
    # A new picture keeps the visible part of the map, and the focused cell stays visible.
    now = tab.run(seen)
    tab.run("[...document.querySelectorAll('#lang button')].find(b => b.lang === 'ja').click()")
    assert tab.becomes(
        "document.documentElement.lang === 'ja' && document.getElementById('map').ariaBusy", "false", LONG
    )
    assert tab.run(seen) == now
    tab.run(f"document.querySelector('{cell('A1')}').dispatchEvent(new Event('focusin', {{bubbles: true}}))")
    assert tab.run(seen)[1] > now[1]
    click(tab, '[data-of=map][data-zoom="0"]')
    assert tab.run(seen) == [x, y, width, height]
    click(tab, '[data-of=map][data-zoom="1"]')
    assert tab.run(seen)[2] == pytest.approx(width / 1.5)
    assert not tab.all("Runtime.exceptionThrown")


def test_another_reading_is_taken_in_a_battle_that_a_hand_has_changed(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    sent(tab, "P15", "C1")
    click(tab, "#readings-ask")
    assert tab.becomes("document.querySelectorAll('#readings .use').length > 0", True, LONG)
    click(tab, "#readings .use")
    assert tab.becomes("document.getElementById('toml').textContent.includes('hill = \"plateau\"')", True, LONG)
    assert tab.becomes(stands("P15"), "C1", LONG)
    click(tab, "#undo")
    assert tab.becomes("document.getElementById('toml').textContent.includes('hill = \"adjacent\"')", True, LONG)


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "C2, forest, P5 green common bow, Pennant"), ("ja", "C2、森、P5 緑 コモンボウ、ペナント陣営")],
)
def test_a_cell_says_what_stands_on_it_in_its_language(
    page: tuple[browser.Page, str], lang: str, expected: str
) -> None:
    tab = opened(page, f"#/battle/call_to_arms?seed={CODE}&lang={lang}")
    assert (
        tab.run(f"document.querySelector('{cell('C2')}').getAttribute('aria-label')").casefold()
        == expected.casefold()
    )


def test_a_reload_keeps_everything(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"{BATTLE}&ink=saver&w.banners=5")
    sent(tab, "P15", "C1")
    sent(tab, "P16", "A1")
    before = toml(tab)
    tab.run("document.getElementById('thread').value = 'a thread'")
    tab.events.clear()
    tab.call("Page.reload")
    tab.wait("Page.loadEventFired")
    assert tab.becomes(SHOWN, True, LONG)
    assert toml(tab) == before and "--ink saver" in text_of(tab, "command")
    click(tab, "#undo")
    assert tab.becomes(stands("P16"), "L1", LONG)
    click(tab, "#undo")
    assert tab.becomes(stands("P15"), "B1", LONG)
    assert "banners = 5" in toml(tab) and CODE in text_of(tab, "stamp")
    # Changing an option generates a new scenario, and undo restores the manual changes.
    sent(tab, "P15", "C1")
    moved = toml(tab)
    tab.run(
        "(s => { s.value = '6'; s.dispatchEvent(new Event('change')); })"
        "(document.querySelector('[data-wish=banners] select'))"
    )
    assert tab.becomes("document.getElementById('replace').open", True, LONG)
    click(tab, "#replace-go")
    assert tab.becomes(stands("P15"), "B1", LONG)
    click(tab, "#undo")
    assert tab.becomes("document.getElementById('toml').textContent", moved, LONG)
    # The changes are kept when the page is closed. An address without a scenario opens them again.
    _, address = page
    tab.open(address, 1440)
    assert tab.becomes("document.getElementById('toml').textContent", moved, LONG)


def test_two_pages_at_once_keep_apart_and_share_own_files(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    first, second = tab.session, tab.another()
    tab.session = second
    tab.open(f"{page[1]}#/battle/battling?seed={CODE}&lang=en", 1440)
    assert tab.becomes(SHOWN, True, LONG)
    tab.run(
        "document.getElementById('own-name').value = 'theirs.toml';"
        "document.getElementById('own-text').value = 'x = 1';"
        "HTMLAnchorElement.prototype.click = () => {};"
        "document.getElementById('own-keep').click()"
    )
    tab.session = first
    sent(tab, "P15", "C1")
    assert tab.becomes("'theirs.toml' in JSON.parse(localStorage.getItem('muster.studio')).own", True, LONG)
    before = toml(tab)
    for session, has in ((first, before), (second, None)):
        tab.session = session
        tab.events.clear()
        tab.call("Page.reload")
        tab.wait("Page.loadEventFired")
        assert tab.becomes(SHOWN, True, LONG)
        assert (toml(tab) == before) == (has is not None)
        assert ('game = "battling"' in toml(tab)) == (has is None)
    tab.call("Page.close")
    tab.session = first


def test_cards_are_placed_and_reserves_chosen_one_seat_at_a_time(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page)
    click(tab, "#views [data-view=seats]")
    chosen: dict[str, list[str]] = {}
    for order in (("left", "centre", "right", "reserve"), ("reserve", "centre", "right", "left")):
        assert tab.becomes("!!document.getElementById('raise')", True, LONG)
        # While the curtain is closed, the page contains no data of either hand.
        assert not tab.run("!!document.querySelector('#seat svg')")
        click(tab, "#raise")
        assert tab.becomes("document.querySelectorAll('[data-card] svg').length", 4, LONG)
        placed = {}
        for slot in order:
            placed[slot] = tab.run("document.querySelector('[data-card]').dataset.card")
            assert tab.run("document.getElementById('seal').disabled")
            click(tab, "[data-card]")
            click(tab, f"[data-slot={slot}]")
        chosen["pennant" if order[0] == "left" else "standard"] = [
            placed[slot] for slot in ("left", "centre", "right", "reserve")
        ]
        if order[0] == "left":
            # Leaving the view closes the curtain. Choices that are not sealed must be made again.
            click(tab, "#views [data-view=battle]")
            click(tab, "#views [data-view=seats]")
            assert tab.becomes("!!document.getElementById('raise')", True, LONG)
            click(tab, "#raise")
            assert tab.becomes("document.querySelectorAll('[data-card] svg').length", 4, LONG)
            for slot in order:
                click(tab, "[data-card]")
                click(tab, f"[data-slot={slot}]")
        click(tab, "#seal")
        assert not any(card in tab.run("location.hash") for card in placed.values())
    assert tab.becomes("!!document.getElementById('to-reserves')", True, LONG)
    click(tab, "#to-reserves")
    picked: dict[str, list[str]] = {}
    sent_to: set[str] = set()
    for side in ("first", "second"):
        assert tab.becomes("!!document.getElementById('raise')", True, LONG)
        click(tab, "#raise")
        assert tab.becomes("document.querySelectorAll('[data-pick]').length > 0", True, LONG)
        picked[side] = []
        while tab.run("document.getElementById('seal').disabled"):
            picked[side].append(tab.run("document.querySelector('[data-pick][aria-pressed=false]').dataset.pick"))
            click(tab, "[data-pick][aria-pressed=false]")
        # Each unit is labelled by its kind and can be sent to a chosen hex, within the limits of the drawn cards.
        assert "sword" in text_of(tab, "seat") or "bow" in text_of(tab, "seat")
        assert tab.becomes("document.getElementById('seat').innerText.includes('hexes on the baseline')", True, LONG)
        room = str(tab.run("document.getElementById('seat-free').textContent")).partition(": ")[2].split(", ")
        first = "document.querySelector('[data-at]')"
        tab.run(f"(n => {{ n.value = 'Z9'; n.dispatchEvent(new Event('change')); }})({first})")
        click(tab, "#seal")
        assert tab.becomes("document.querySelector('#seat .fault').textContent.includes('Z9')", True, LONG)
        # The map shows the units from cards and the sealed reserves. A click chooses a hex for a reserve.
        assert tab.becomes("document.querySelectorAll('#seat-map .lawful').length", len(room), LONG)
        units = set(tab.run("[...document.querySelectorAll('#seat-map [data-unit]')].map(u => u.dataset.cell)"))
        assert len(units & {f"{letter}{row}" for letter in "ABCDEFGHIJKL" for row in (1, 9)}) >= len(sent_to)
        assert not units & set(room)
        tab.run(f"{first}.dispatchEvent(new Event('focus'))")
        there = cell(room[-1], "#seat-map")
        tab.run(f"document.querySelector('{there}').dispatchEvent(new Event('click', {{bubbles: true}}))")
        assert tab.run(f"{first}.value") == room[-1]
        click(tab, "#seal")
        sent_to.add(room[-1])
    assert tab.becomes("!!document.getElementById('to-map')", True, LONG)
    click(tab, "#to-map")
    assert tab.becomes("document.getElementById('toml').textContent.includes('reserves-pennant =')", True, LONG)
    assert tab.run("document.getElementById('status').className") == "good"
    body = tomllib.loads(toml(tab))
    for camp, cards in chosen.items():
        assert [body[camp][slot] for slot in ("left", "centre", "right", "reserve")] == cards
    other = {"pennant": "standard", "standard": "pennant"}[body["play"]["first"]]
    came = [row["cell"] for row in body[other]["units"] if row["placed"] == "reserve"]
    assert sorted(came) == sorted(picked["first"])
    assert sent_to <= {row.get("hex") for camp in chosen for row in body[camp]["units"] if row["placed"] == "reserve"}


def test_ground_is_painted_on_a_copy_and_played_on(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/gallery/battlelore?seed={CODE}&lang=en")
    assert tab.becomes("!!document.querySelector('[data-paint=saint_ivo]')", True, LONG)
    click(tab, "[data-paint=saint_ivo]")
    assert tab.becomes(
        "!!document.querySelector('#canvas svg') && !!document.querySelector('#palette button')", True, LONG
    )
    click(tab, "[data-symbol=f]")
    ground = f"document.querySelector('{cell('C3', '#canvas')}').dataset.ground"
    assert tab.run(ground) != "forest"
    tab.drag(cell("B3", "#canvas"), cell("D3", "#canvas"))
    assert tab.becomes(ground, "forest", LONG)
    for undo, now in (("undo", False), ("redo", True)):
        click(tab, f"#paint-{undo}")
        assert tab.becomes(f"{ground} === 'forest'", now, LONG)
    # A river without an end draws a remark at once; the map stays legal.
    click(tab, "[data-symbol='~']")
    tab.run(f"document.querySelector('{cell('A1', '#canvas')}').focus()")
    tab.press("Enter", 13)
    assert tab.becomes("document.getElementById('paint-told').className", "remark", LONG)
    click(tab, "#paint-undo")
    assert tab.becomes("document.getElementById('paint-told').className", "good", LONG)
    click(tab, "#paint-play")
    there = f"document.querySelector('{cell('C3')}')?.dataset.ground"
    assert tab.becomes(f"location.hash.includes('w.map=my_saint_ivo.toml') && {there}", "forest", LONG)
    assert "--map my_saint_ivo.toml" in text_of(tab, "command")


def test_cards_are_picked_from_a_list_that_shows_what_they_bring(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    click(tab, "[data-wish=cards-pennant] .pick")
    assert tab.becomes("document.querySelectorAll('#picker .slot svg').length", 42, LONG)
    # Symbols of the current side come first. Each symbol has a label, as every control does.
    words = tab.run("[...document.querySelectorAll('#picker .slot')].map(b => b.dataset.piece)")
    assert words[0] == "A1" and words[21] == "A1/standard"
    assert tab.run("document.querySelector('#picker .card').getAttribute('aria-label')")
    for name in ("A3", "B1", "A1", "A5", "A6"):
        click(tab, f"#picker [data-piece={name}]")
    click(tab, "#picker [data-piece=B1]")
    click(tab, "#picker [data-piece=A6]")
    assert "4 picked" in text_of(tab, "picker")
    click(tab, "#picked")
    chosen = "document.querySelector('[data-wish=cards-pennant] input')?.value"
    assert tab.becomes(f"{chosen} === 'A3,A1,A5,A6' && {SHOWN}", True, LONG)
    assert tab.becomes("document.getElementById('command').textContent.includes('A3,A1,A5,A6')", True, LONG)
    assert {tomllib.loads(toml(tab))["pennant"][slot] for slot in ("left", "centre", "right", "reserve")} == {
        "A1",
        "A3",
        "A5",
        "A6",
    }
    click(tab, "[data-wish=place-pennant] .pick")
    assert tab.becomes("location.hash.startsWith('#/seats/')", True, LONG)


def test_an_arena_and_cliffs_are_painted_by_keys_and_outlive_a_reload(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/gallery/battling?seed={CODE}&lang=en")
    assert tab.becomes("!!document.querySelector('[data-paint=plaza]')", True, LONG)
    click(tab, "[data-paint=plaza]")
    assert tab.becomes(
        "!!document.querySelector('#canvas svg') && !!document.querySelector('[data-brush]')", True, LONG
    )
    click(tab, "[data-brush=block]")

    def enter(name: str) -> None:
        tab.run(f"document.querySelector('#canvas [data-layer=cells] [data-cell=\"{name}\"]').focus()")
        tab.press("Enter", 13)

    text = "JSON.parse(localStorage.getItem('muster.studio')).own['my_plaza.toml']"
    for corner in ("0506", "0508", "0608", "0506"):
        enter(corner)
    assert tab.becomes(f"{text}.includes('\\n0506 0508 0608\\n')", True, LONG)
    # The focus stays on the cell so that painting can continue with the keyboard.
    assert tab.becomes("document.activeElement.dataset.cell", "0506", LONG)
    click(tab, "[data-brush=hex]")
    enter("0403")
    assert tab.becomes(f"{text}.includes('0403:E 0403:NE')", True, LONG)
    tab.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    assert tab.becomes(f"{text}.includes('0403:E')", False, LONG)
    tab.events.clear()
    tab.call("Page.reload")
    tab.wait("Page.loadEventFired")
    assert tab.becomes("!!document.querySelector('#canvas svg')", True, LONG)
    click(tab, "#paint-undo")
    assert tab.becomes(f"{text}.includes('0506 0508 0608')", False, LONG)
    click(tab, "#paint-file")
    assert tab.becomes("document.querySelectorAll('#own-form .own-field').length > 3", True, LONG)

    tab = opened(page, f"#/gallery/battlelore?seed={CODE}&lang=ja")
    assert tab.becomes("!!document.querySelector('[data-paint=marches_keep]')", True, LONG)
    click(tab, "[data-paint=marches_keep]")
    assert tab.becomes(
        "!!document.querySelector('#canvas svg') && !!document.querySelector('[data-brush=cliff]')", True, LONG
    )
    state = "document.getElementById('paint-told').className"
    click(tab, "[data-brush=cliff]")
    click(tab, "[data-way=NE]")
    enter("I4")
    assert tab.becomes(state, "remark", LONG) and "崖" in text_of(tab, "paint-told")
    click(tab, "[data-symbol=c]")
    enter("I4")
    assert tab.becomes(state, "good", LONG)
    click(tab, "[data-brush=stakes]")
    enter("C2")
    at = "JSON.parse(localStorage.getItem('muster.studio')).own['my_marches_keep.toml']"
    assert tab.becomes(f"{at}.includes('C2 = \"stakes\"')", True, LONG)
    click(tab, "#paint-take")
    enter("C2")
    assert tab.becomes(f"{at}.includes('stakes')", False, LONG)
    assert not tab.all("Runtime.exceptionThrown")


def test_what_another_reading_changes_is_drawn_beside_what_holds(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"{BATTLE}&from=G1&to=I2")
    assert muster("draw", "call_to_arms", "--seed", CODE).code == 0
    rows = {row["ruling"]: row["changes"] for row in muster("rulings", "scenario.toml", "--json").json}
    hill = [change for change in rows["hill"] if change["what"] == "sight"]
    assert "G1–I2" in {change["about"] for change in hill}
    click(tab, "#readings-ask")
    # The requested line is shown together with the line under the alternative ruling.
    assert tab.becomes("document.querySelectorAll('.over.other-line line').length", 1, LONG)
    click(tab, "[data-ruling=hill]")
    drawn = "document.querySelectorAll('#map .over.what-if line').length"
    assert tab.becomes(drawn, len(hill), LONG)
    kinds = tab.run("['opens', 'closes'].map(k => document.querySelectorAll(`#map .over.what-if .${k}`).length)")
    closing = sum(change["then"] == "blocked" for change in hill)
    assert kinds == [len(hill) - closing, closing]
    assert f"blocked ({closing})" in text_of(tab, "what-if") and "Sight over hills" in text_of(tab, "what-if")
    items = tab.run("[...document.querySelectorAll('.reading')[0].querySelectorAll('li')].map(l => l.textContent)")
    assert f"{hill[0]['about']}: {hill[0]['now']} → {hill[0]['then']}" in items
    tab.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    assert tab.run(drawn) == 0 and not text_of(tab, "what-if")


def test_the_gallery_has_every_map_and_one_is_played_on(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/gallery/travel_battle?seed={CODE}&lang=ja")
    known = {row["name"] for row in muster("data", "list", "--json").json if row["kind"] == "board"}
    assert tab.becomes("document.querySelectorAll('.plate svg').length", len(known), LONG)
    assert set(tab.run("[...document.querySelectorAll('[data-paint]')].map(b => b.dataset.paint)")) == known
    click(tab, "[data-play=hare_warren]")
    assert tab.becomes("document.getElementById('toml').textContent.includes('name = \"hare_warren\"')", True, LONG)


def test_pages_are_turned_like_a_booklet(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/print/battling?seed={CODE}&lang=en&parts=cover,reference")
    click(tab, "#make")
    assert tab.becomes("document.querySelectorAll('#thumbs img').length > 2", True, LONG)
    count = tab.run("document.querySelectorAll('#thumbs img').length")
    turned = "[...document.querySelectorAll('.spread img')].map(i => +i.alt.split(' ')[1])"
    assert tab.run(turned) == [1]
    tab.press("ArrowRight", 39)
    assert tab.run(turned) == [2, 3]
    click(tab, "#before")
    assert tab.run(turned) == [1] and tab.run("document.getElementById('before').disabled")
    tab.run("[...document.querySelectorAll('#thumbs button')].pop().click()")
    assert tab.run(turned)[-1] == count and tab.run("document.getElementById('after').disabled")
    assert tab.becomes("[...document.querySelectorAll('.spread img')].every(i => i.naturalWidth > 300)", True, LONG)


def test_a_unit_is_asked_by_pointing_and_a_line_what_the_other_reading_says(
    page: tuple[browser.Page, str], here: Path
) -> None:
    tab = opened(page, f"{BATTLE}&from=C3&to=G6")
    assert muster("draw", "call_to_arms", "--seed", CODE).code == 0
    click(tab, "#readings-ask")
    ends = {"C3", "G6"}
    lines = []
    for ruling in muster("rulings", "scenario.toml", "--json").json:
        sight = [change for change in ruling["changes"] if change["what"] == "sight"]
        here_ = [change["then"] for change in sight if set(change["about"].split("–")) == ends]
        expected = (
            f"With the other ruling, this line is: {here_[0]}." if here_ else "This ruling does not affect this line."
        )
        lines.append(f"{expected} Lines of the map that differ: {len(sight)}." if sight else expected)
    found = "[...document.querySelectorAll('.on-line')].map(p => p.textContent)"
    assert tab.becomes(found, lines, LONG)
    # A click on a unit shows its moves, attacks and hindrances in a bubble on the map.
    clicked(tab, unit("P6"))
    assert tab.becomes("document.getElementById('unit').innerText.includes('In sight')", True, LONG)
    assert not tab.run("document.getElementById('bubble').hidden")
    panel = tab.run("document.getElementById('unit').textContent")
    assert all(line in panel for line in muster("moves", "scenario.toml", "P6").out.strip().splitlines())
    rows = muster("odds", "scenario.toml", "--json").json["units"]
    row = next(row for row in rows if row["id"] == "P6")
    assert row["attacks"] and row["hindered"]
    assert all(f"{of['target']} on {of['hex']}, from {of['from']}" in panel for of in row["attacks"])
    assert all(f"P6 cannot attack {of['target']} on {of['hex']}:" in panel for of in row["hindered"])
    assert tab.run("document.querySelectorAll('.over.unit .attack').length") == len(row["attacks"])
    (moves,) = muster("moves", "scenario.toml", "P6", "--json").json
    assert tab.run("document.querySelectorAll('.over.unit .reach').length") == len(moves["moves"])
    # A second click on an enemy states why it cannot be attacked, and marks the reasons.
    of = next(of for of in row["hindered"] if of["from"] and of["distance"] > of["range"])
    clicked(tab, unit(of["target"]))
    reason = f"the distance is {of['distance']}, its range is {of['range']}; from {of['from']} (distance "
    assert tab.becomes(f"document.querySelector('#sight .reason')?.textContent.includes('{reason}')", True, LONG)
    assert tab.run("document.querySelectorAll('#map .over.why .lawful').length") == 1


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_thread_is_judged_and_its_next_post_written_and_drawn(
    page: tuple[browser.Page, str], here: Path, lang: str
) -> None:
    tab = opened(page, f"#/umpire/battling?seed={CODE}&lang={lang}")
    assert muster("draw", "battling", "--seed", CODE, "-o", "battle.toml").code == 0
    assert muster("orders", "play", "battle.toml", "--seed", CODE, "-o", "game.log").code == 0
    posts = Path("game.log").read_text("utf-8").split("\n\n")
    for thread in ("\n\n".join(posts[:4]), "【1ターン 先攻】\nW / 2 / 0908\n"):
        Path("thread.txt").write_text(thread, "utf-8")
        words = ("thread.txt", "--scenario", "battle.toml", "--lang", lang)
        check, post = (muster("orders", verb, *words) for verb in ("check", "next"))
        tab.run(f"document.getElementById('thread').value = {json.dumps(thread)}")
        click(tab, "#judge")
        assert tab.becomes("document.querySelector('#judged .told')?.textContent", check.out.strip(), LONG)
        assert tab.becomes("document.getElementById('next').textContent", post.out.strip(), LONG)
        assert tab.becomes("document.querySelector('#next-picture img')?.naturalWidth > 300", True, LONG)


def test_only_guns_are_said_to_see_where_only_guns_fire(page: tuple[browser.Page, str], here: Path) -> None:
    assert muster("draw", "travel_battle", "--seed", CODE).code == 0
    rows = muster("sight", "scenario.toml", "--json").json
    gun, at = rows[0]["gun"], rows[0]["from"]
    sees = [row["to"] for row in rows if row["gun"] == gun and row["in_sight"]]
    taken = {row["from"] for row in rows}
    units = muster("edit", "scenario.toml", "--json").json["units"]
    other, stand = next((row["id"], row["at"]) for row in units if row["at"] and row["at"] not in taken)
    marked = "[...document.querySelectorAll('#map .over.%s .seen')].length"
    tab = opened(page, f"#/battle/travel_battle?seed={CODE}&lang=en&from={stand}")
    would = [row["to"] for row in muster("sight", "scenario.toml", stand, "--json").json if row["in_sight"]]
    assert tab.becomes(marked % "sight", len(would), LONG)
    assert text_of(tab, "sight") == f"Marked: what a gun in {stand} would see within its range."
    for name, where, expected in ((other, stand, 0), (gun, at, len(sees))):
        tab.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
        clicked(tab, f"#map [data-layer=units] [data-cell={where}]")
        script = "document.getElementById('unit').innerText.includes('%s')"
        assert tab.becomes(script % name, True, LONG) and tab.becomes(script % "Working", False, LONG)
        assert tab.becomes(marked % "unit", expected, LONG)
        assert ("In sight" in text_of(tab, "unit")) == bool(expected)
    tab = opened(page, f"#/battle/travel_battle?seed={CODE}&lang=en&from={at}")
    assert tab.becomes(marked % "sight", len(sees), LONG) and not text_of(tab, "sight")


def test_a_draw_that_fails_is_asked_once(page: tuple[browser.Page, str]) -> None:
    tab, address = page
    with tab.listening("Network"):
        tab.open(f"{address}#/battle/battling?seed={CODE}&lang=en&w.machines=99", 1440)
        assert tab.becomes("document.getElementById('status').className", "bad", LONG)
        tab.run("1")
    args = [event["request"].get("postData", "") for event in tab.all("Network.requestWillBeSent")]
    assert len([body for body in args if body.startswith('{"words":["kit"')]) == 1


def test_a_link_holds_the_moves_by_hand(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    sent(tab, "P15", "C1")
    assert tab.becomes("location.hash.includes('m=P15%3EC1')", True, LONG)
    text, link = toml(tab), tab.run("location.hash")
    tab.run("localStorage.clear(); sessionStorage.clear()")
    tab = opened(page, f"#/battle/battling?seed={CODE}&lang=en")
    tab = opened(page, link)
    assert tab.becomes(stands("P15"), "C1", LONG)
    assert toml(tab) == text
    assert text_of(tab, "stamp") == f"{CODE} + P15>C1"
    # Moves that are not possible are left out, and the page says so.
    tab = opened(page, f"{BATTLE}&m=P99%3EC1")
    assert tab.becomes("document.getElementById('status').textContent.includes('not possible')", True, LONG)
    tab = opened(page, "#/battle/call_to_arms?file=1&lang=en")
    assert tab.becomes("document.getElementById('status').textContent.includes('Open the file')", True, LONG)


@pytest.mark.parametrize(
    ("game", "option", "label"),
    [("battlelore", "title=%F0%9F%98%80", "Title"), ("battlelore", "points=-1", "Points")],
)
def test_a_fault_is_told_in_the_words_of_the_page(
    page: tuple[browser.Page, str], game: str, option: str, label: str
) -> None:
    tab, address = page
    tab.open(f"{address}#/battle/{game}?seed={CODE}&lang=en&w.{option}", 1440)
    assert tab.becomes("document.getElementById('status').className", "bad", LONG)
    message = text_of(tab, "status")
    assert message.startswith(f"{label}: ") and "--" not in message and "Usage" not in message
    name = option.partition("=")[0]
    at_field = f"document.querySelector('[data-wish={name}] .fault')"
    assert tab.run(f"{at_field}.textContent") in message
    assert tab.run(f"{at_field}.offsetParent !== null"), "the group of the option is open"


def test_a_hundred_clicks_on_the_die_leave_at_most_two_requests(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    tab.run("""window.flying = 0; const send = window.fetch;
        window.fetch = (...args) => {
            window.flying += 1;
            const done = () => { window.flying -= 1; };
            const sent = send(...args);
            sent.then(done, done);
            return sent;
        };
        for (let n = 0; n < 100; n += 1) document.getElementById('throw').click();""")
    assert tab.becomes("window.flying <= 2", True, 5.0), "only the last battle is asked for"
    assert tab.becomes("document.getElementById('map').ariaBusy", "false", LONG)
    assert tab.becomes("document.getElementById('status').className", "good", LONG)


CANCEL_AT_ONCE = """new MutationObserver((_, watching) => {
    const cancel = document.querySelector('%s .cancel');
    if (cancel && document.querySelector('%s progress')) { watching.disconnect(); cancel.click(); }
}).observe(document.querySelector('%s'), {childList: true, subtree: true})"""


def test_long_work_is_described_and_can_be_cancelled(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/battle/battlelore?seed={CODE}&lang=en")
    before = toml(tab)
    tab.run(CANCEL_AT_ONCE.replace("%s", "#drawing"))
    tab.run(
        "(s => { s.value = 'C'; s.dispatchEvent(new Event('change')); })"
        "(document.querySelector('[data-wish=fair] select'))"
    )
    assert tab.becomes("document.getElementById('status').textContent.includes('Stopped')", True, LONG)
    assert toml(tab) == before and not text_of(tab, "drawing")
    # A report that is cancelled can be asked for again.
    tab = opened(page, f"#/battle/battlelore?seed={CODE}&lang=en")
    tab.run("""window.slow = true; const send = window.fetch; window.fetch = (path, how) => {
        if (!window.slow || !String(how?.body).includes('"fairness","battle.toml","--lang"')) return send(path, how);
        return new Promise((_, fail) => how.signal.addEventListener('abort', () => fail(how.signal.reason)));
    }""")
    tab.run(CANCEL_AT_ONCE.replace("%s", "#fairness"))
    click(tab, "#fairness-ask")
    assert tab.becomes("document.getElementById('fairness').textContent", "Cancelled.", LONG)
    tab.run("window.slow = false")
    click(tab, "#fairness-ask")
    assert tab.becomes("document.getElementById('fairness').textContent.length > 100", True, LONG)
    assert not tab.all("Runtime.exceptionThrown")


@pytest.mark.parametrize(
    ("address", "game"),
    [
        ("#/battle/battlelore?lang=xx", "BattleLore"),
        ("#/nowhere/battling?paper=folio&ink=gold", "Battling"),
        ("#/battle/nothing?seed=NOT-A-CODE&from=Z99&to=%E3%81%82", ""),
        ("#/dozen/__proto__?dozen=", ""),
        ("#%E0%A4%A", ""),
    ],
)
def test_a_bad_address_falls_back(page: tuple[browser.Page, str], address: str, game: str) -> None:
    tab, root = page
    tab.open(f"{root}{address}", 1440, 900, first="localStorage.clear(), sessionStorage.clear()")
    chosen = "(s => s && s.selectedOptions[0].textContent)(document.querySelector('#form select'))"
    assert tab.becomes(f"Boolean({chosen})", True, LONG), tab.run("document.body.innerText")
    assert game in tab.run(chosen)
    # There is a battle, or a message at the code that is wrong, and another code helps.
    done = (
        "document.getElementById('map').ariaBusy === 'false' && document.getElementById('status').textContent !== ''"
    )
    if "dozen" not in address:
        assert tab.becomes(done, True, LONG), tab.run("document.body.innerText")
    if "NOT-A-CODE" in address:
        assert tab.run("!!document.querySelector('[data-wish=seed] .fault')")
        click(tab, "#throw")
        assert tab.becomes("document.getElementById('status').className", "good", LONG)
    assert tab.run("['en', 'ja'].includes(document.documentElement.lang)")
    assert not tab.all("Runtime.exceptionThrown")


def test_a_dropped_file_is_opened_and_outlives_a_reload(page: tuple[browser.Page, str], here: Path) -> None:
    assert muster("draw", "battlelore", "--seed", CODE, "--title", "Dropped", "-o", "own.toml").code == 0
    tab = opened(page)
    text = json.dumps(Path("own.toml").read_text("utf-8"))
    tab.run(f"""const data = new DataTransfer(); data.items.add(new File([{text}], "own.toml"));
        const drop = new DragEvent("drop", {{dataTransfer: data, bubbles: true, cancelable: true}});
        document.body.dispatchEvent(drop);""")
    assert tab.becomes("document.getElementById('title').textContent", "Dropped", LONG)
    tab.call("Page.reload")
    assert tab.becomes("document.getElementById('title')?.textContent", "Dropped", LONG)


def test_own_files_that_the_battle_does_not_use_are_not_sent(page: tuple[browser.Page, str]) -> None:
    tab, address = page
    user_files = {f"mine_{number}.toml": f'name = "{number}"' for number in range(30)}
    kept = json.dumps(json.dumps({"own": user_files, "address": ""}))
    first = f"localStorage.clear(); sessionStorage.clear(); localStorage.setItem('muster.studio', {kept})"
    tab.open(f"{address}{BATTLE}", 1440, 900, first=first)
    assert tab.becomes(SHOWN, True, LONG)
    with tab.listening("Network"):
        tab.events.clear()
        sent(tab, "P15", "C1")
    bodies = [event["request"].get("postData", "") for event in tab.all("Network.requestWillBeSent")]
    files = [set(json.loads(body)["files"]) for body in bodies if '"words":["edit"' in body]
    assert files and all(names == {"battle.toml"} for names in files)
    assert tab.run("Object.keys(JSON.parse(localStorage.getItem('muster.studio')).own).length") == len(user_files)


def test_a_dropped_file_keeps_what_was_typed_into_the_form(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    draft = "name = \\'Half typed\\'"
    click(tab, "#views [data-view=own]")
    tab.run(f"document.getElementById('own-text').value = '{draft}'")
    tab.run("""const data = new DataTransfer(); data.items.add(new File(["name = 'Other'"], "other.toml"));
        const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
        document.body.dispatchEvent(drop);""")
    assert tab.becomes("document.getElementById('own-text').value", "name = 'Other'", LONG)
    assert tab.becomes(
        "JSON.parse(localStorage.getItem('muster.studio')).own['own.toml']", "name = 'Half typed'", LONG
    )


def test_the_focus_stays_and_arrow_keys_choose_in_a_group(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    tab.run("document.querySelector('#lang [lang=en]').focus()")
    tab.press("ArrowRight", 39)
    assert tab.becomes("document.documentElement.lang", "ja", LONG)
    assert tab.run("document.activeElement.lang") == "ja"
    assert tab.run("document.querySelectorAll('#lang [tabindex=\"0\"]').length") == 1
    tab.run("document.querySelector('#views [data-view=gallery]').focus()")
    tab.press("Enter", 13)
    assert tab.becomes("document.querySelector('main[data-view=gallery]').hidden", False, LONG)
    assert tab.run("document.activeElement.dataset.view") == "gallery"
    tab = opened(page)
    tab.run("document.getElementById('skip').focus()")
    tab.press("Enter", 13)
    assert tab.becomes("document.activeElement.getAttribute('role')", "gridcell", LONG)
