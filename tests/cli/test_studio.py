"""The studio's server: it says what the verbs say, and nothing to strangers."""

from __future__ import annotations

import hashlib
import json
import re
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra musterkit[studio] is not installed")
pytest.importorskip("httpx2", reason="httpx2, which drives it without a socket, is not installed")

from starlette.testclient import TestClient

from generator import games
from generator.cli.studio_server import VERBS, Studio, texts
from generator.cli.studio_workers import Workers
from generator.store.folders import shipped
from tests.cli import browser
from tests.cli import studio_requests as hostile
from tests.cli.conftest import CODE
from tests.cli.run import muster, studio

HOST = "127.0.0.1:8000"
PAGE = shipped("templates") / "studio"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Studio(frozenset({HOST})).app(), base_url=f"http://{HOST}") as made:
        yield made


def asked(client: TestClient, *words: str, **files: str) -> Any:
    named = {name.replace("_", ".", 1): text for name, text in files.items()}
    answer = client.post("/ask", json={"words": list(words), "files": named})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_answer_is_what_the_verb_says(client: TestClient, here: Path) -> None:
    drawn = asked(client, "draw", "battling", "--seed", CODE, "-o", "battle.toml")
    assert muster("draw", "battling", "--seed", CODE, "-o", "battle.toml").out == drawn["out"]
    text = drawn["files"]["battle.toml"]
    assert text == Path("battle.toml").read_text("utf-8")
    for lang in ("en", "ja"):
        words = ("sight", "battle.toml", "0101", "0505", "--lang", lang)
        assert asked(client, *words, battle_toml=text)["out"] == muster(*words).out
    row = ("sight", "battle.toml", "0101", "0505", "--json")
    assert asked(client, *row, battle_toml=text)["out"] == muster(*row).json
    wrong = asked(client, "sight", "battle.toml", "0101", "9999", "--json", battle_toml=text)
    assert (wrong["exit"], wrong["out"]) == (2, muster("sight", "battle.toml", "0101", "9999", "--json").json)


def test_a_print_is_the_command_s_print_byte_for_byte(client: TestClient, here: Path) -> None:
    words = ("kit", "battling", "--seed", CODE, "--parts", "cover", "-o", "kit")
    made = asked(client, *words)["files"]["kit/kit.pdf"]
    assert muster(*words).code == 0
    assert client.get(made["url"]).content == Path("kit/kit.pdf").read_bytes()
    assert client.get("/made/0/kit.pdf").status_code == 404


def test_it_answers_its_own_page_alone(client: TestClient) -> None:
    question = {"words": ["games"]}
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert client.post("/ask", json=question, headers=headers).status_code == 403
    assert (
        client.post("/ask", content=json.dumps(question), headers={"content-type": "text/plain"}).status_code == 415
    )
    assert client.get("/", headers={"host": "localhost.evil.example:8000"}).status_code == 403
    own = client.post("/ask", json=question, headers={"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"})
    assert own.status_code == 200


def test_with_a_key_it_answers_who_knows_it() -> None:
    with TestClient(Studio(frozenset({HOST}), key="a key").app(), base_url=f"http://{HOST}") as shared:
        assert shared.get("/").status_code == 403
        assert shared.get("/?key=another").status_code == 403
        assert shared.get("/?key=a key").status_code == 200
        assert shared.post("/ask", json={"words": ["games"]}).status_code == 200


@pytest.mark.parametrize("word", hostile.OUTSIDE)
def test_no_word_leads_out_of_its_folder(client: TestClient, word: str) -> None:
    for verb in ("check", "print", "draw"):
        answer = client.post("/ask", json={"words": [verb, word]})
        assert answer.status_code == 400, answer.text


def test_verbs_that_touch_this_machine_are_not_asked(client: TestClient) -> None:
    for verb in ("printer", "tournament", "studio", "completion", "verify", "selftest", "--version"):
        assert verb not in VERBS
        assert client.post("/ask", json={"words": [verb]}).status_code == 400


def test_hostile_requests_are_refused_and_the_server_lives_on(client: TestClient, here: Path) -> None:
    before = sorted(here.iterdir())
    for sent in hostile.requests(120, HOST):
        answer = client.request(sent.method, sent.path, headers=sent.headers, content=sent.body)
        assert answer.status_code < 500, (sent, answer.text)
        assert "Traceback" not in answer.text and "root:" not in answer.text
        if answer.status_code == 200 and sent.path == "/ask":
            assert answer.json()["exit"] != 70, (sent, answer.text)
    assert asked(client, "games")["exit"] == 0
    assert sorted(here.iterdir()) == before


def test_what_takes_too_long_is_ended_and_told() -> None:
    studio = Studio(frozenset({HOST}), workers=Workers(1, seconds=0.05))
    with TestClient(studio.app(), base_url=f"http://{HOST}") as slow:
        answer = slow.post("/ask", json={"words": ["draw", "call_to_arms"]})
        assert answer.status_code == 503
        assert {row["lang"] for row in answer.json()["problems"]} == {"en", "ja"}
        studio.workers.seconds = 60.0
        assert asked(slow, "games")["exit"] == 0


def test_what_takes_too_much_memory_is_ended_and_told() -> None:
    studio = Studio(frozenset({HOST}), workers=Workers(1, memory=64 << 20))
    with TestClient(studio.app(), base_url=f"http://{HOST}") as small:
        answer = small.post("/ask", json={"words": ["kit", "call_to_arms"]})
        assert answer.status_code == 503 or answer.json()["exit"] == 70
        studio.workers.memory = 3 << 30
        assert small.get("/").status_code == 200


def test_every_word_of_the_page_is_there_in_both_languages_and_is_said(client: TestClient) -> None:
    page = (PAGE / "studio.html").read_text("utf-8")
    script = "".join(file.read_text("utf-8") for file in sorted(PAGE.glob("*.js")))
    known = texts().keys()
    assert set(re.findall(r'data-word(?:-label)?="(\w+)"', page)) <= known
    assert set(re.findall(r'\bword\("(\w+)"', script)) <= known
    assert not {key for key in known if f'"{key}"' not in page + script and f"words.{key}." not in page}
    answer = client.get("/")
    assert all(of[lang] for of in texts().values() for lang in ("en", "ja"))
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "http://" not in page + script.replace("http://www.w3.org/2000/svg", "")


def test_it_is_served_and_says_where(here: Path) -> None:
    with studio() as told:
        assert told["address"] == f"http://127.0.0.1:{told['port']}/"
        for _ in range(100):
            try:
                with urllib.request.urlopen(told["address"], timeout=10) as answer:
                    assert b"Muster" in answer.read()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise AssertionError("it never answered")
        taken = muster("studio", "--no-open", "--port", str(told["port"]))
        assert (taken.code, f"port {told['port']} is taken" in taken.err) == (2, True)
    assert not list(here.iterdir())


PROGRAM = browser.found()
seen = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")
MIDDLE = """(b => [b.x + b.width / 2, b.y + b.height / 2])(
    document.querySelector('[role=gridcell][data-cell=%s]').getBBox())"""
SHOWN = (
    "document.getElementById('map')?.getAttribute('aria-busy') === 'false' && !!document.querySelector('#map svg')"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[browser.Page, str]]:
    """A tab and the address of a studio."""
    if PROGRAM is None:
        pytest.skip("no Chromium is installed")
    with studio() as told, browser.browser(PROGRAM, tmp_path_factory.mktemp("profile")) as tab:
        yield tab, told["address"]


def opened(page: tuple[browser.Page, str], battle: str, width: int = 1440, *, dark: bool = False) -> browser.Page:
    tab, address = page
    tab.open("about:blank", width)
    tab.open(f"{address}#/battle/{battle}", width, 900, dark=dark)
    assert tab.becomes(SHOWN, True, 60.0), tab.run("document.body.innerText")
    return tab


@seen
def test_the_first_visit_comes_to_a_printed_kit_by_one_click(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=en&parts=cover")
    tab.run("document.getElementById('print').click()")
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)
    script = (
        "fetch(document.querySelector('#printed a').href).then(r => r.arrayBuffer())"
        ".then(b => crypto.subtle.digest('SHA-256', b))"
        ".then(h => [...new Uint8Array(h)].map(x => x.toString(16).padStart(2, '0')).join(''))"
    )
    told = tab.run(script)
    assert muster("kit", "battling", "--seed", CODE, "--parts", "cover", "--lang", "en", "-o", "kit").code == 0
    assert told == hashlib.sha256(Path("kit/kit.pdf").read_bytes()).hexdigest()


@seen
@pytest.mark.parametrize("name", games.names())
def test_every_wish_has_its_control(page: tuple[browser.Page, str], name: str) -> None:
    tab = opened(page, f"{name}?seed={CODE}&lang=ja")
    wishes = [wish.name for wish in games.load(name).wishes]
    found = tab.run("[...document.querySelectorAll('#form [data-wish]')].map(row => row.dataset.wish)")
    assert sorted(found) == sorted([*wishes, "seed"])
    labels = tab.run("[...document.querySelectorAll('#form [data-wish] > span:first-child')].map(s => s.textContent)")
    assert all(labels)
    assert tab.run("document.documentElement.lang") == "ja"
    assert not tab.all("Runtime.exceptionThrown")


@seen
def test_a_line_is_asked_by_two_clicks_and_said_as_the_verb_says_it(
    page: tuple[browser.Page, str], here: Path
) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=en")
    assert muster("draw", "call_to_arms", "--seed", CODE).code == 0
    for start, end in (("C3", "G6"), ("A1", "L9"), ("B2", "B3")):
        for cell in (start, end):
            path = f"document.querySelector('[role=gridcell][data-cell={cell}]')"
            tab.run(f"{path}.dispatchEvent(new Event('click', {{bubbles: true}}))")
        said = f"document.querySelector('#sight .told')?.textContent.startsWith('{start} to {end}')"
        assert tab.becomes(said, True, 60.0)
        assert (
            tab.run("document.querySelector('#sight .told').textContent")
            in muster("sight", "scenario.toml", start, end).out
        )
        # The line is drawn from the middle of one cell to the middle of the other.
        ends = tab.run("['x1', 'y1', 'x2', 'y2'].map(n => +document.querySelector('.over line').getAttribute(n))")
        assert ends == pytest.approx([*tab.run(MIDDLE % start), *tab.run(MIDDLE % end)], abs=0.01)
        tab.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")


@seen
def test_the_address_holds_everything_and_language_is_switched_in_place(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"travel_battle?seed={CODE}&lang=en&ink=saver&w.turns=8")
    command = tab.run("document.getElementById('command').textContent")
    assert all(word in command for word in ("travel_battle", CODE, "--turns 8", "--ink saver", "--lang en"))
    tab.run("[...document.querySelectorAll('#lang button')].find(b => b.lang === 'ja').click()")
    assert tab.becomes("document.getElementById('command').textContent.includes('--lang ja')", True, 60.0)
    assert tab.becomes("location.hash.includes('lang=ja') && location.hash.includes('w.turns=8')", True, 60.0)
    again = tab.run("location.hash").partition("#/battle/")[2]
    assert tab.run("document.getElementById('command').textContent") == opened(page, again).run(
        "document.getElementById('command').textContent"
    )


@seen
@pytest.mark.parametrize("width", [390, 1024, 2560])
def test_nothing_runs_over_the_side(page: tuple[browser.Page, str], width: int) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=ja", width, dark=True)
    assert tab.run("document.documentElement.scrollWidth") <= width


@seen
def test_a_wish_that_cannot_be_is_told_beside_its_control(page: tuple[browser.Page, str]) -> None:
    tab, address = page
    tab.open("about:blank", 1440)
    tab.open(f"{address}#/battle/battling?seed={CODE}&lang=ja&w.machines=99", 1440)
    assert tab.becomes("!!document.querySelector('#form [data-wish=machines] .fault')", True, 60.0)
    assert tab.run("document.getElementById('status').className") == "bad"
