"""Tests in a real browser for choosing a battle, changing its units, and the answers on the map."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.run import muster
from tests.cli.test_studio import AXE, HARM
from tests.cli.test_studio_hand import LONG, SHOWN, cell, click, clicked, opened, sent, stands, text_of, toml, unit

LORE = f"#/battle/battlelore?seed={CODE}&lang=en"
CARDS = "document.querySelectorAll('.battle-card[data-code]').length"


@pytest.fixture(autouse=True)
def shared() -> None:
    """Disable sharing of results, because these tests compare answers of the studio with those of a command."""


def report_of(tab: browser.Page) -> str:
    """Write the battle on the map to battle.toml and return the name of the file."""
    Path("battle.toml").write_text(toml(tab), "utf-8")
    return "battle.toml"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_battle_is_chosen_from_twelve_by_keyboard(page: tuple[browser.Page, str], here: Path, lang: str) -> None:
    tab = opened(page, f"#/dozen/battlelore?dozen={CODE}&lang={lang}")
    assert tab.becomes(CARDS, 12, LONG), text_of(tab, "dozen-sheet")
    words = ("draw", "battlelore", "--seed", CODE, "--count", "12", "--different-maps", "--lang", lang, "--json")
    rows = muster(*words, "-o", "dozen").json["scenarios"]
    cards = tab.run("[...document.querySelectorAll('.battle-card')].map(one => [one.dataset.code, one.innerText])")
    for (code, text), row in zip(cards, rows, strict=True):
        assert code == row["code"] and row["title"] in text and all(word in text for word in row["words"])
    assert tab.run("document.querySelectorAll('.small-map svg').length") == 12
    # Only battles with a grade.
    click(tab, "[data-graded=true]")
    assert tab.becomes(CARDS, sum(row["grade"] != "" for row in rows), LONG)
    click(tab, "[data-graded=false]")
    tab.run(f"document.querySelector('[data-code=\"{rows[3]['code']}\"]').focus()")
    tab.press("Enter", 13)
    assert tab.becomes("document.getElementById('stamp').textContent", rows[3]["code"], LONG)
    assert Path("dozen", rows[3]["file"]).read_text("utf-8") == toml(tab)
    tab.run("history.back()")
    assert tab.becomes(CARDS, 12, LONG) and f"dozen={CODE}" in tab.run("location.hash")
    assert not tab.all("Runtime.exceptionThrown")


def test_an_option_asks_before_it_replaces_a_battle_set_by_hand_and_back_restores_it(
    page: tuple[browser.Page, str],
) -> None:
    tab = opened(page)
    sent(tab, "P15", "C1")
    moved = toml(tab)
    banners = "document.querySelector('[data-wish=banners] select')"
    change = f"(s => {{ s.value = '5'; s.dispatchEvent(new Event('change')); }})({banners})"
    tab.run(change)
    assert tab.becomes("document.getElementById('replace').open", True, LONG)
    click(tab, "#replace-keep")
    assert tab.becomes("document.getElementById('replace').open", False, LONG)
    assert tab.becomes(f"{banners}.value", "", LONG)
    assert toml(tab) == moved and "w.banners" not in tab.run("location.hash")
    tab.run(change)
    assert tab.becomes("document.getElementById('replace').open", True, LONG)
    click(tab, "#replace-go")
    assert tab.becomes("document.getElementById('toml').textContent.includes('banners = 5')", True, LONG)
    tab.run("history.back()")
    assert tab.becomes("document.getElementById('toml').textContent", moved, LONG)
    # Back undoes the move by hand before it leaves the page.
    tab.run("history.back()")
    assert tab.becomes(stands("P15"), "B1", LONG) and "m=" not in tab.run("location.hash")
    assert not tab.all("Runtime.exceptionThrown")


def test_units_are_added_removed_and_turned_and_the_address_and_undo_know_it(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/battle/travel_battle?seed={CODE}&lang=en")
    count = "document.querySelectorAll('#map [data-layer=units] [data-unit]').length"
    first, units = toml(tab), tab.run(count)
    at = tab.run(f"document.querySelector('{unit('B1a')}').dataset.cell")
    clicked(tab, cell(at))
    assert tab.becomes("!!document.querySelector('[data-turn=\"1\"]')", True, LONG)
    click(tab, '[data-turn="1"]')
    assert tab.becomes("location.hash.includes('m=B1a%40NE')", True, LONG)
    assert 'facing = "NE"' in toml(tab)
    assert tab.becomes("!!document.querySelector('[data-remove]')", True, LONG)
    click(tab, "[data-remove]")
    assert tab.becomes(count, units - 1, LONG)
    assert tab.becomes("location.hash.includes('B1a-')", True, LONG)
    click(tab, "#undo")
    assert tab.becomes(count, units, LONG)
    clicked(tab, cell(at))
    clicked(tab, cell(at))
    assert tab.becomes("!!document.querySelector('[data-add]')", True, LONG)
    click(tab, "[data-add]")
    # The cell of the new unit is chosen by keyboard.
    tab.run(f"document.querySelector('{cell('a1')}').focus()")
    tab.press("Enter", 13)
    assert tab.becomes(count, units + 1, LONG)
    link = tab.run("location.hash")
    other = opened(page, link)
    assert other.becomes(count, units + 1, LONG) and "B1a%2Ba1" in link
    click(other, "#status #rules-open, #tiers #rules-open")
    assert other.becomes("document.querySelectorAll('#rules [data-rule]').length > 10", True, LONG)
    assert first != toml(other) and not other.all("Runtime.exceptionThrown")


@pytest.mark.parametrize("game", ["battlelore", "battling"])
def test_danger_is_shown_over_the_whole_map(page: tuple[browser.Page, str], here: Path, game: str) -> None:
    tab = opened(page, f"#/battle/{game}?seed={CODE}&lang=en")
    side = {"battlelore": "standard", "battling": "second"}[game]
    danger = muster("odds", report_of(tab), "--json").json["danger"][side]
    hexes = [row for row in danger if row.get("hits", row.get("foot"))]
    click(tab, f"[data-heat={side}]")
    assert tab.becomes("document.querySelectorAll('#map .danger-map text').length", len(hexes), LONG)
    worst = max(row.get("hits", row.get("foot")) for row in hexes)
    assert f"up to {worst:.1f}" in text_of(tab, "heat")
    click(tab, "[data-heat=none]")
    assert tab.becomes("document.querySelectorAll('#map .danger-map text').length", 0, LONG)


@pytest.mark.parametrize(("game", "lang"), [("call_to_arms", "ja"), ("blind_faith", "en")])
def test_the_verdict_opens_as_many_rules_as_it_counts(
    page: tuple[browser.Page, str], here: Path, game: str, lang: str
) -> None:
    tab = opened(page, f"#/battle/{game}?seed={CODE}&lang={lang}")
    report = muster("check", report_of(tab), "--json").json[0]
    assert str(report["deciding"]) in text_of(tab, "status")
    tab.run("document.getElementById('rules-open').focus()")
    tab.press("Enter", 13)
    rules_count = "document.querySelectorAll('#rules [data-rule]').length"
    assert tab.becomes(f"{rules_count} > 0", True, LONG) and str(report["deciding"]) in text_of(tab, "rules-head")
    found = tab.run(
        "[...document.querySelectorAll('#rules .rule-list:first-of-type [data-rule]')].map(r => r.innerText)"
    )
    rows = {row["rule"]: row for row in muster("rules", game, "--lang", lang, "--json").json}
    assert len(found) == report["deciding"]
    assert all(any(row["source_text"] in text for row in rows.values()) for text in found)
    tab.press("Escape", 27)
    assert tab.becomes("document.getElementById('rules').open", False, LONG)


def test_a_finding_points_at_its_hex_and_offers_a_swap(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, LORE)
    there = tab.run(f"document.querySelector('{unit('P2')}').dataset.cell")
    here_ = tab.run(f"document.querySelector('{unit('P1')}').dataset.cell")
    sent(tab, "P1", there)
    assert tab.becomes("document.getElementById('status').className", "bad", LONG)
    click(tab, f"#findings [data-at={there}]")
    assert tab.run("document.activeElement.dataset.cell") == there
    click(tab, "#findings [data-fix^=P2]")
    assert tab.becomes(stands("P2"), here_, LONG)
    assert tab.becomes("document.getElementById('status').className", "good", LONG)


def test_who_wins_is_shown_after_the_picture(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, LORE)
    assert tab.becomes("!!document.querySelector('#chances .win-bar')", True, LONG)
    (row,) = muster("fairness", report_of(tab), "--games", "200", "--json").json
    text = text_of(tab, "chances")
    displayed = [int(percent) for percent in re.findall(r"([0-9]+) %", text.partition("95 %")[0])]
    assert "200 games between casual" in text and sum(displayed) == 100
    assert all(
        abs(percent - 100 * rate) < 1
        for percent, rate in zip((displayed[0], displayed[-1]), row["rates"], strict=True)
    )


def test_win_rates_and_draws_add_up_to_100_percent(page: tuple[browser.Page, str]) -> None:
    """81.5 % and 18.5 % would both be rounded up."""
    tab, _ = page
    shares = [[0.815, 0, 0.185], [0.29, 0.42, 0.29], [0.5, 0, 0.5], [0.333, 0.334, 0.333], [1, 0, 0]]
    script = f"import('/chances.js').then(module => {shares}.map(module.wholePercents))"
    assert tab.run(script) == [[82, 0, 18], [29, 42, 29], [50, 0, 50], [33, 34, 33], [100, 0, 0]]


def test_a_click_shows_a_march_in_a_game_without_lines_of_sight(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"#/battle/blind_faith?seed={CODE}&w.kind=march&lang=en")
    moves = muster("moves", report_of(tab), "H1", "--json").json[0]
    end = max(moves["moves"], key=lambda move: move["cost"])
    assert end["way"][0] == moves["from"] and end["way"][-1] == end["to"]
    clicked(tab, cell(moves["from"]))
    assert tab.becomes("!!document.querySelector('.tray')", True, LONG)
    clicked(tab, cell(end["to"]))
    assert tab.becomes(f"document.getElementById('sight').innerText.includes('{' – '.join(end['way'])}')", True, LONG)
    assert "has no lines of sight" not in tab.run("document.body.innerText")


def test_paint_opens_with_maps_and_paints_on_both_sides(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/paint/battlelore?seed={CODE}&lang=en")
    assert tab.becomes("!!document.querySelector('[data-begin=harrow_plain]')", True, LONG)
    click(tab, "[data-begin=harrow_plain]")
    assert tab.becomes("document.querySelectorAll('#palette .swatch-picture svg').length > 8", True, LONG)
    assert not tab.run("!!document.querySelector('[data-begin]')")
    click(tab, "[data-symbol=h]")
    click(tab, "[data-mirror=turn]")
    # The palette may be drawn before the map.
    assert tab.becomes(f"!!document.querySelector('{cell('C1', '#canvas')}')", True, LONG)
    tab.run(f"document.querySelector('{cell('C1', '#canvas')}').focus()")
    tab.press("Enter", 13)
    for name in ("C1", "J9"):
        assert tab.becomes(f"document.querySelector('{cell(name, '#canvas')}').dataset.ground", "hill", LONG), name
    click(tab, "#paint-undo")
    assert tab.becomes(f"document.querySelector('{cell('J9', '#canvas')}').dataset.ground !== 'hill'", True, LONG)
    files = opened(page, f"#/own/battlelore?seed={CODE}&lang=ja")
    assert files.becomes("!!document.querySelector('#own-begin [data-begin=battle]')", True, LONG)
    click(files, "#own-begin [data-begin=battle]")
    assert files.becomes("document.getElementById('own-text').value.includes('battlelore')", True, LONG)
    assert not files.run("!!document.querySelector('#own-begin button')")


def test_directions_and_buildings_are_mirrored(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"#/paint/battlelore?seed={CODE}&lang=en")
    text = "Object.values(JSON.parse(localStorage.getItem('muster.studio')).own)[0]"

    def enter(name: str) -> None:
        path = f"document.querySelector('#canvas [data-layer=cells] [data-cell=\"{name}\"]')"
        assert tab.becomes(f"!!{path}", True, LONG)
        tab.run(f"{path}.focus()")
        tab.press("Enter", 13)

    assert tab.becomes("!!document.querySelector('[data-begin=harrow_plain]')", True, LONG)
    click(tab, "[data-begin=harrow_plain]")
    assert tab.becomes("!!document.querySelector('[data-brush=cliff]')", True, LONG)
    for mirror, name, way, other, image in (("sides", "B4", "NE", "J4", "NW"), ("turn", "C5", "E", "J5", "W")):
        click(tab, "[data-brush=cliff]")
        click(tab, f"[data-mirror={mirror}]")
        click(tab, f"[data-way={way}]")
        enter(name)
        assert tab.becomes(f"/{name} = .*{way}/.test({text}) && /{other} = .*{image}/.test({text})", True, LONG), (
            tab.run(text)
        )
    arena = opened(page, f"#/paint/battling?seed={CODE}&lang=en")
    assert arena.becomes("!!document.querySelector('[data-begin=ring]')", True, LONG)
    click(arena, "[data-begin=ring]")
    assert arena.becomes("!!document.querySelector('[data-brush=block]')", True, LONG)
    click(arena, "[data-brush=block]")
    click(arena, "[data-mirror=turn]")
    for name in ("0304", "0305", "0405"):
        enter(name)
    click(arena, "#paint-close")
    for outline in ("0304 0305 0405", "1209 1208 1108"):
        assert arena.becomes(f"{text}.includes('{outline}')", True, LONG), text_of(arena, "paint-told")
    assert not arena.all("Runtime.exceptionThrown")


def test_pieces_are_made_for_print_services_and_virtual_tables(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"#/battle/call_to_arms?seed={CODE}&lang=en")

    def choose(name: str, value: str) -> None:
        tab.run(
            f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event(s.matches('input') ? 'input' : 'change')); }})"
            f"(document.getElementById('makers-{name}'))"
        )

    tab.run("document.querySelector('[data-group=print]').open = true")
    click(tab, "#to-makers")
    assert tab.run("document.activeElement.id") == "makers-head"
    assert tab.becomes(
        "[...document.querySelectorAll('#makers-die option')].some(o => o.value === 'poker-8')", True, LONG
    )
    for name, value in (("pieces", "cards"), ("format", "service"), ("size", "63x88mm"), ("backs", "single")):
        choose(name, value)
    choose("bleed", "2")
    click(tab, "#makers-make")
    link = "document.querySelector('#makers-files a')"
    assert tab.becomes(f"{link}?.download", "cards.pdf", LONG), text_of(tab, "makers")
    words = ("--format", "service", "--size", "63x88mm", "--bleed", "2", "--single", "-o", "cards.pdf")
    assert muster("cards", "call_to_arms", *words).code == 0
    digest = (
        "crypto.subtle.digest('SHA-256', bytes).then(d => [...new Uint8Array(d)]"
        ".map(b => b.toString(16).padStart(2, '0')).join(''))"
    )
    found = tab.run(f"fetch({link}.href).then(r => r.arrayBuffer()).then(bytes => {digest})")
    assert found == hashlib.sha256(Path("cards.pdf").read_bytes()).hexdigest()
    # A size that does not exist is reported in the words of the page.
    choose("size", "huge")
    click(tab, "#makers-make")
    assert tab.becomes("!!document.querySelector('#makers-form .fault')", True, LONG)
    assert "huge" in text_of(tab, "makers") and "--" not in text_of(tab, "makers-form")
    # Crop marks are offered for hexes only, and a saved object needs the address of its pictures.
    assert not tab.run("!!document.getElementById('makers-crop-marks')")
    for name, value in (("pieces", "tokens"), ("format", "")):
        choose(name, value)
    assert tab.run("!!document.getElementById('makers-crop-marks')")
    for name, value in (("pieces", "boards"), ("format", "tts")):
        choose(name, value)
    assert tab.run("document.getElementById('makers-make').disabled")
    choose("url", "https://example.org/boards")
    assert not tab.run("document.getElementById('makers-make').disabled")
    assert tab.run("[...document.querySelectorAll('#form option')].some(o => o.value === 'tabloid')")
    assert not tab.all("Runtime.exceptionThrown")


def test_the_focus_follows_when_its_view_is_left(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, LORE)
    for view, other in (("battle", "watch"), ("watch", "play"), ("play", "battle")):
        tab.run(f"document.querySelector('main[data-view={view}] [data-mode={other}]').focus()")
        tab.press("Enter", 13)
        assert tab.becomes(f"document.querySelector('main[data-view={other}]').hidden", False, LONG)
        focus = "[document.activeElement.dataset.mode, document.activeElement.checkVisibility()]"
        assert tab.becomes(f"{focus}.join()", f"{other},true", LONG), tab.run("document.activeElement.outerHTML")
    # The tools are one stop of Tab, and an arrow key keeps the focus in their group.
    assert tab.run("document.querySelectorAll('#tools [tabindex=\"0\"]').length") == 1
    tab.run("document.querySelector('[data-tool=look]').focus()")
    tab.press("ArrowRight", 39)
    assert tab.run("document.activeElement.dataset.tool") == "move"
    # The sticky form begins where the header ends, also if the header has two rows.
    narrow = opened(page, LORE, 1024)
    narrow.run("scrollTo(0, 60)")
    edges = "[document.querySelector('header').getBoundingClientRect().bottom, "
    edges += "document.getElementById('choose').getBoundingClientRect().top]"
    head, choose = narrow.run(edges)
    assert head > 60 and choose >= head - 1
    assert narrow.run("(n => n.scrollWidth <= n.clientWidth)(document.querySelector('[aria-label=Code]'))")


def test_only_cards_that_can_be_taken_are_offered(page: tuple[browser.Page, str]) -> None:
    tab = opened(page)
    offered = (
        "[...document.querySelectorAll('#picker [data-piece]')].filter(b => !b.hidden).map(b => b.dataset.piece)"
    )
    tab.run("document.querySelector('[data-group=forces]').open = true")
    click(tab, '[data-wish="cards-pennant"] .pick')
    assert tab.becomes(f"{offered}.length", 21, LONG)
    click(tab, "#picker [data-piece=B3]")
    assert tab.run(offered) == [f"B{number}" for number in range(1, 8)]
    organized = opened(page, f"#/battle/call_to_arms?seed={CODE}&w.mode=organized&lang=en")
    organized.run("document.querySelector('[data-group=forces]').open = true")
    click(organized, '[data-wish="cards-pennant"] .pick')
    assert organized.becomes(f"{offered}.length", 42, LONG)
    assert not organized.all("Runtime.exceptionThrown")


@pytest.mark.parametrize("width", [390, 820, 1024, 1440])
def test_nothing_of_it_is_wider_than_the_window(page: tuple[browser.Page, str], width: int) -> None:
    tab = opened(page, f"#/dozen/travel_battle?dozen={CODE}&lang=ja", width)
    assert tab.becomes(CARDS, 12, LONG) and tab.run(SHOWN)
    assert tab.run("document.documentElement.scrollWidth") <= width


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in the tests' environment: make browser")
@pytest.mark.parametrize(
    ("width", "lang", "dark"), [(390, "en", False), (820, "ja", True), (1024, "ja", False), (1440, "en", True)]
)
def test_axe_finds_nothing(page: tuple[browser.Page, str], width: int, lang: str, dark: bool) -> None:
    tab, address = page
    found = {}

    def begin(hash_: str) -> None:
        first = "localStorage.clear(), sessionStorage.clear()"
        tab.open(f"{address}{hash_}&seed={CODE}&lang={lang}", width, 900, dark=dark, first=first)
        assert tab.becomes(SHOWN, True, LONG), tab.run("document.body.innerText")
        tab.run(AXE.read_text("utf-8") + ";0")

    begin(f"#/dozen/battlelore?dozen={CODE}")
    assert tab.becomes(CARDS, 12, LONG)
    found["dozen"] = tab.run(HARM)
    begin("#/battle/battlelore?m=P1-&from=A1")
    assert tab.becomes("!!document.querySelector('[data-heat=pennant]')", True, LONG)
    click(tab, "[data-heat=pennant]")
    assert tab.becomes("document.querySelectorAll('#map .danger-map text').length > 10", True, LONG)
    assert tab.becomes("!!document.querySelector('#chances .win-bar')", True, LONG)
    found["danger"] = tab.run(HARM)
    click(tab, "#rules-open")
    assert tab.becomes("document.querySelectorAll('#rules [data-rule]').length > 10", True, LONG)
    found["rules"] = tab.run(HARM)
    tab.run("document.getElementById('rules').close()")
    click(tab, "#reset")
    assert tab.becomes("document.getElementById('replace').open", True, LONG)
    found["replace"] = tab.run(HARM)
    begin("#/paint/battlelore?")
    assert tab.becomes("!!document.querySelector('[data-begin]')", True, LONG)
    found["maps"] = tab.run(HARM)
    click(tab, "[data-begin]")
    assert tab.becomes("!!document.querySelector('#palette .swatch-picture svg')", True, LONG)
    found["palette"] = tab.run(HARM)
    assert not any(found.values()), found
