"""Tests that the studio's server gives the same answers as the verbs, and refuses requests from other sites."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import re
import shlex
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

pytest.importorskip("httpx2", reason="httpx2, which drives it without a socket, is not installed")

from starlette.testclient import TestClient

from generator import games
from generator.cli import muster as main
from generator.cli import studio_server
from generator.cli.studio_answer import Answer, Task
from generator.cli.studio_runners import Client, ClientGoneError, Runners
from generator.cli.studio_server import VERBS, Studio, page_texts
from generator.cli.verb_studio import _lan_address
from generator.model.words import LANGS
from generator.notation import printers
from generator.process import _MIN_NEW_OBJECTS, collect_now, needs_collection
from generator.store.folders import shipped_path
from tests.cli import browser
from tests.cli import studio_requests as hostile
from tests.cli.conftest import CODE
from tests.cli.run import muster, studio
from tests.cli.test_values import COPIES
from tests.prove.parts import studio as part

HOST = "127.0.0.1:8000"
PAGE = shipped_path("templates") / "studio"


@pytest.fixture(autouse=True)
def shared() -> None:
    """Disable sharing of results, because these tests compare prints of the studio with prints of a command."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Studio(frozenset({HOST})).app(), base_url=f"http://{HOST}") as made:
        yield made


def ask_verb(client: TestClient, *words: str, **files: str) -> Any:
    texts = {name.replace("_", ".", 1): text for name, text in files.items()}
    answer = client.post("/ask", json={"words": list(words), "files": texts})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_answer_is_what_the_verb_says(client: TestClient, here: Path) -> None:
    drawn = ask_verb(client, "draw", "battling", "--seed", CODE, "-o", "battle.toml")
    assert muster("draw", "battling", "--seed", CODE, "-o", "battle.toml").out == drawn["out"]
    text = drawn["files"]["battle.toml"]
    assert text == Path("battle.toml").read_text("utf-8")
    for lang in ("en", "ja"):
        words = ("sight", "battle.toml", "0101", "0505", "--lang", lang)
        assert ask_verb(client, *words, battle_toml=text)["out"] == muster(*words).out
    row = ("sight", "battle.toml", "0101", "0505", "--json")
    assert ask_verb(client, *row, battle_toml=text)["out"] == muster(*row).json
    wrong = ask_verb(client, "sight", "battle.toml", "0101", "9999", "--json", battle_toml=text)
    assert (wrong["exit"], wrong["out"]) == (2, muster("sight", "battle.toml", "0101", "9999", "--json").json)


@pytest.fixture
def ran() -> Iterator[tuple[TestClient, list[str]]]:
    """Yield the client of a separate studio, and the list of verbs that its runners receive."""
    verbs: list[str] = []

    class Listened(Runners):
        def run(
            self,
            words: Sequence[str],
            files: Mapping[str, bytes],
            client: Client | None = None,
            task: Task | None = None,
        ) -> Answer:
            verbs.append(words[0])
            return super().run(words, files, client, task)

    with TestClient(Studio(frozenset({HOST}), runners=Listened(1)).app(), base_url=f"http://{HOST}") as made:
        yield made, verbs


def test_what_can_only_come_out_the_same_is_answered_at_once(
    ran: tuple[TestClient, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, verbs = ran
    drawn = ("draw", "battling", "--seed", CODE, "-o", "battle.toml")
    text = ask_verb(client, *drawn)["files"]["battle.toml"]
    line = ("sight", "battle.toml", "0101", "0505")
    first = ask_verb(client, *line, battle_toml=text)
    assert (
        ask_verb(client, *line, battle_toml=text) == first
        and ask_verb(client, *drawn)["files"]["battle.toml"] == text
    )
    assert verbs == ["draw", "sight"]
    ask_verb(client, *line, "--lang", "ja", battle_toml=text)
    ask_verb(client, *line, battle_toml=f"# mine\n{text}")
    assert verbs == ["draw", "sight", "sight", "sight"]
    printers.save("mine", printers.Printer())
    assert ask_verb(client, *line, battle_toml=text) == first
    assert len(verbs) == 5
    monkeypatch.setattr(studio_server, "MAX_CACHE_BYTES", 10)
    ask_verb(client, *drawn)
    assert ask_verb(client, *drawn)["files"]["battle.toml"] == text
    assert verbs[5:] == ["draw", "draw"]


def test_what_is_drawn_without_a_code_or_failed_is_asked_anew(ran: tuple[TestClient, list[str]]) -> None:
    client, verbs = ran
    battles = [ask_verb(client, "draw", "battlelore", "-o", "battle.toml")["files"]["battle.toml"] for _ in range(2)]
    assert battles[0] != battles[1]
    wrong = [ask_verb(client, "sight", "battle.toml", "A1", "Z9", battle_toml=battles[0]) for _ in range(2)]
    assert wrong[0]["exit"] and wrong[0] == wrong[1]
    assert verbs == ["draw", "draw", "sight", "sight"]


def test_no_secret_is_shown_twice(ran: tuple[TestClient, list[str]]) -> None:
    client, verbs = ran
    text = ask_verb(client, "draw", "battling", "--seed", CODE, "-o", "battle.toml")["files"]["battle.toml"]
    answers = [ask_verb(client, "orders", "dice", "battle.toml", "--json", battle_toml=text) for _ in range(2)]
    assert not any(one["exit"] for one in answers) and answers[0]["out"]["chain"] != answers[1]["out"]["chain"]
    assert verbs == ["draw", "orders", "orders"]


def test_verbs_that_draw_are_those_that_take_a_code_or_a_secret() -> None:
    def options(command: click.Command, ctx: click.Context) -> Iterator[str]:
        for param in command.params:
            yield from param.opts
        if isinstance(command, click.Group):
            for name in command.list_commands(ctx):
                yield from options(command.get_command(ctx, name) or command, ctx)

    ctx = click.Context(main)
    every = {verb: {*options(main.get_command(ctx, verb) or main, ctx)} for verb in VERBS}
    assert {verb for verb, taken in every.items() if taken & {"--seed", "--secret"}} == studio_server.RANDOM_VERBS


def test_a_print_is_the_command_s_print_byte_for_byte(client: TestClient, here: Path) -> None:
    words = ("kit", "battling", "--seed", CODE, "--parts", "cover", "-o", "kit")
    made = ask_verb(client, *words)["files"]["kit/kit.pdf"]
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
    answered = client.post(
        "/ask", json=question, headers={"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    )
    assert answered.status_code == 200


def test_with_a_key_it_answers_who_knows_it() -> None:
    with TestClient(Studio(frozenset({HOST}), key="marigold").app(), base_url=f"http://{HOST}") as shared:
        assert shared.get("/").status_code == 403
        assert shared.get("/?key=another").status_code == 403
        # A browser gets a page that explains how to open the studio, in its language.
        for lang, expected in (("en", "shared with a key"), ("ja", "鍵")):
            locked = shared.get("/", headers={"accept-language": lang})
            assert (locked.status_code, locked.headers["content-type"]) == (403, "text/html; charset=utf-8")
            assert expected in locked.text and "{{" not in locked.text and "marigold" not in locked.text
        assert shared.post("/ask", json={"words": ["games"]}).json()["problems"]
        assert shared.get("/?key=marigold").status_code == 200
        assert shared.post("/ask", json={"words": ["games"]}).status_code == 200


@pytest.mark.parametrize("word", hostile.OUTSIDE)
def test_no_word_leads_out_of_its_folder(client: TestClient, word: str) -> None:
    for verb in ("check", "print", "draw"):
        answer = client.post("/ask", json={"words": [verb, word]})
        assert answer.status_code == 400, answer.text


def refused(client: TestClient, *words: str) -> bool:
    return bool(client.post("/ask", json={"words": words}).status_code == 400)


@pytest.mark.parametrize("title", ["a/b", "a\\b", "../../canary", "/etc/passwd", "~", "..", "-"])
def test_a_title_is_a_text_and_never_a_path(client: TestClient, here: Path, title: str) -> None:
    words = ("draw", "battlelore", "--seed", CODE, f"--title={title}", "-o", "battle.toml")
    answer = ask_verb(client, *words)
    assert set(answer["files"]) == {"battle.toml"}
    assert muster(*words).code == 0
    assert Path("battle.toml").read_text("utf-8") == answer["files"]["battle.toml"]
    printed = ask_verb(client, "kit", *words[1:5], "--parts", "cover", "-o", "kit")
    assert set(printed["files"]) == {"kit/kit.pdf", "kit/scenario.toml", "kit/manifest.json"}


@pytest.mark.parametrize(
    "words",
    [
        ("draw", "battlelore", "-o", "--title=../../canary"),
        ("draw", "battlelore", "-o", "--title=/../../../canary", "--title=a/b"),
        ("draw", "battlelore", "--out", "--title=/etc/passwd"),
        ("draw", "battlelore", "-o", "--title=a/b", "-o", "x.toml"),
        ("draw", "battlelore", "--pool", "--title=/etc/passwd"),
        ("draw", "battlelore", "--", "--title=/etc/passwd"),
        ("draw", "battlelore", "--title", "../x"),
        ("draw", "battlelore", "--title=a/b", "../x"),
        ("draw", "battlelore", "--title=a/b", "-o../x"),
        ("draw", "battlelore", "--titel=/etc/passwd"),
        ("draw", "battlelore", "--place-pennant=/etc/passwd"),
        ("draw", "battling", "--place-pennant=A7/standard"),
        ("draw", "--title=/etc/passwd", "--deck", "battlelore", "-o", "--title=/etc/passwd"),
        ("check", "--title=/etc/passwd"),
        ("print", "--", "--title=/etc/passwd"),
        ("data", "--title=/etc/passwd"),
        ("data", "show", "--secret=/etc/passwd"),
        ("orders", "dice", "-o", "--seal=../x"),
        ("orders", "dice", "--", "--seal=../x"),
        ("games", "--title=/etc/passwd"),
    ],
)
def test_what_looks_like_a_text_and_may_be_a_path_is_refused(client: TestClient, words: tuple[str, ...]) -> None:
    assert refused(client, *words)


@pytest.mark.parametrize("name", games.names())
def test_every_option_that_may_name_a_file_refuses_paths(client: TestClient, name: str) -> None:
    game = games.load(name)
    files = [game_option.name for game_option in game.options if game_option.file or game_option.choices]
    assert any(game_option.file for game_option in game.options)
    kit = main.get_command(click.Context(main), "kit")
    assert kit
    flags = [option for param in kit.params for option in param.opts]
    for option in (*(f"--{game_option}" for game_option in files), *flags):
        if option.startswith("--"):
            for path in ("a/b", "../x.toml", "/etc/passwd", "~", "..", "-"):
                assert refused(client, "kit", name, f"{option}={path}"), (option, path)
                assert refused(client, "kit", name, option, path), (option, path)


def test_a_battle_is_played_from_hands_with_the_opponent_s_cards(client: TestClient) -> None:
    words = ("draw", "call_to_arms", "--seed", CODE, "--mode=organized")
    drawn = ask_verb(client, *words, "--json")["out"]
    hands = {step["who"]: step["result"][::-1] for step in drawn["log"] if step["step"] == "hand"}
    assert any("/" in card for hand in hands.values() for card in hand)
    sealed = [f"--place-{side}={','.join(hand)}" for side, hand in hands.items()]
    played = ask_verb(client, *words, *sealed, "--json")["out"]
    assert {force["camp"]: [*force["cards"].values()] for force in played["forces"]} == hands
    text = ask_verb(client, *words, *sealed, "-o", "battle.toml")["files"]["battle.toml"]
    assert ask_verb(client, "check", "battle.toml", "--json", battle_toml=text)["exit"] == 0
    kit = ask_verb(client, "kit", *words[1:], *sealed, "--parts", "map", "--format", "svg", "-o", "kit")
    assert kit["files"]["kit/map.svg"].startswith("<svg")


def test_a_seal_is_a_text(client: TestClient) -> None:
    text = ask_verb(client, "draw", "battling", "--seed", CODE, "-o", "battle.toml")["files"]["battle.toml"]
    answer = ask_verb(client, "orders", "dice", "battle.toml", "--seal=S1 1108/1109", "--json", battle_toml=text)[
        "out"
    ]
    assert answer["open"].endswith("S1 1108/1109")


def test_verbs_that_touch_this_machine_are_not_asked(client: TestClient) -> None:
    for verb in ("printer", "tournament", "studio", "completion", "verify", "selftest", "--version"):
        assert verb not in VERBS
        assert client.post("/ask", json={"words": [verb]}).status_code == 400


def test_hostile_requests_are_refused_nothing_else_is_opened_and_the_server_lives_on() -> None:
    outcome = part.tried(60, patient=False)
    assert (outcome.answered, outcome.faults) == (60, [])
    # The studio ran its commands and recorded the files that they opened.
    assert any(line.endswith("studio_runners.py") or "studio_runners" in line for line in outcome.opened)
    assert any(line.startswith("w ") and "/spare/muster-" in line for line in outcome.opened)


def test_what_a_process_opens_elsewhere_is_a_fault(tmp_path: Path) -> None:
    for line in ("r /etc/passwd", "w /usr/lib/x", f"r {tmp_path / 'canary'}", "c ('192.0.2.1', 80)"):
        assert part.opened_outside({line}, tmp_path)
    assert not part.opened_outside(
        {f"w {tmp_path / 'spare' / 'muster-1' / 'kit'}", "r /usr/share/fonts/x.ttf"}, tmp_path
    )


def test_a_body_that_never_comes_whole_is_not_waited_for(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slowly(_: object) -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(30)

    monkeypatch.setattr("generator.cli.studio_server.BODY_TIMEOUT_S", 0.05)
    monkeypatch.setattr("starlette.requests.Request.stream", slowly)
    assert client.post("/ask", json={}).status_code == 408


def test_an_answer_by_lines_tells_how_far_it_is_and_then_the_same(client: TestClient) -> None:
    words = ["kit", "battling", "--seed", CODE, "--parts", "cover,map", "-o", "kit"]
    answer = client.post("/ask", json={"words": words, "progress": True})
    *progress, last = [json.loads(line) for line in answer.text.splitlines() if line]
    assert progress and all(row.keys() == {"at", "share"} and 0 <= row["share"] <= 1 for row in progress)
    assert last == ask_verb(client, *words)


def test_leaving_the_page_cancels_its_commands() -> None:
    runners, asker = Runners(1), Client()
    try:
        threading.Timer(0.5, lambda: setattr(asker, "disconnected", True)).start()
        with pytest.raises(ClientGoneError):
            # Muster plays hundreds of candidates, which takes much longer than the page stays open.
            runners.run(["draw", "call_to_arms", "--seed", CODE, "--fair", "C", "--jobs", "1"], {}, asker)
        assert runners.run(["games", "--json"], {}).exit == 0
    finally:
        runners.close()


LONG = ["draw", "call_to_arms", "--seed", CODE, "--fair", "C", "--jobs", "1", "-o", "long.toml"]
"""A command that plays hundreds of candidates, which takes much longer than these tests."""


def run_until_gone(runners: Runners, client: Client) -> None:
    with pytest.raises(ClientGoneError):
        runners.run(LONG, {}, client)


def test_a_command_whose_client_leaves_before_its_turn_never_starts() -> None:
    runners, first, second = Runners(1), Client(), Client()
    try:
        working = threading.Thread(target=run_until_gone, args=(runners, first))
        working.start()
        second.disconnected = True
        with pytest.raises(ClientGoneError):
            runners.run(["games", "--json"], {}, second)
        first.disconnected = True
        working.join()
    finally:
        runners.close()


def test_commands_in_the_background_leave_a_runner_to_the_foreground() -> None:
    runners, clients = Runners(2), [Client(background=True) for _ in range(3)]
    try:
        working = [threading.Thread(target=run_until_gone, args=(runners, of)) for of in clients]
        for thread in working:
            thread.start()
        assert runners.run(["games", "--json"], {}).exit == 0
        assert all(thread.is_alive() for thread in working)
        for client in clients:
            client.disconnected = True
        for thread in working:
            thread.join()
    finally:
        runners.close()


def test_the_server_ends_a_command_whose_page_has_left_and_answers_the_next_one(here: Path) -> None:
    body = json.dumps({"words": LONG}).encode()
    head = (
        "POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with studio("--port", "0") as told:
        for _ in range(5):  # more than there are runners
            with socket.create_connection(("127.0.0.1", told["port"])) as wire:
                wire.sendall(head.format(port=told["port"]).encode() + body)
                time.sleep(0.3)
        request = urllib.request.Request(
            told["address"] + "ask", b'{"words": ["games", "--json"]}', {"Content-Type": "application/json"}
        )
        began = time.monotonic()
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["exit"] == 0
        assert time.monotonic() - began < 30


def test_garbage_of_a_command_is_collected_after_the_next_command() -> None:
    class Table:
        itself: object

    table = Table()
    table.itself = table
    held = weakref.ref(table)
    collect_now()
    del table
    gc.collect()
    assert held() is not None
    collect_now()
    assert held() is None


def test_a_runner_is_tidied_once_commands_have_left_much() -> None:
    gc.collect()
    assert not needs_collection()
    left: list[list[int]] = [[] for _ in range(_MIN_NEW_OBJECTS + 1)]
    assert needs_collection()
    gc.collect()
    assert left and not needs_collection()


def test_commands_that_take_too_long_are_stopped_and_reported() -> None:
    studio = Studio(frozenset({HOST}), runners=Runners(1, seconds=0.05))
    with TestClient(studio.app(), base_url=f"http://{HOST}") as slow:
        answer = slow.post("/ask", json={"words": ["draw", "call_to_arms"]})
        assert answer.status_code == 503
        assert {row["lang"] for row in answer.json()["problems"]} == {"en", "ja"}
        studio.runners.seconds = 60.0
        assert ask_verb(slow, "games")["exit"] == 0


def test_commands_that_use_too_much_memory_are_stopped_and_reported() -> None:
    studio = Studio(frozenset({HOST}), runners=Runners(1, memory=64 << 20))
    with TestClient(studio.app(), base_url=f"http://{HOST}") as small:
        answer = small.post("/ask", json={"words": ["kit", "call_to_arms"]})
        assert answer.status_code == 503 or answer.json()["exit"] == 70
        studio.runners.memory = 3 << 30
        assert small.get("/").status_code == 200


def test_types_are_checked_in_every_script_of_the_page() -> None:
    scripts = sorted(PAGE.glob("*.js"))
    unchecked = [script.name for script in scripts if not script.read_text("utf-8").startswith("// @ts-check\n")]
    assert unchecked == ["lit-html.js"]


def test_every_text_of_the_page_exists_in_both_languages_and_is_used(client: TestClient) -> None:
    page = "".join((PAGE / name).read_text("utf-8") for name in ("studio.html", "macros.html", "locked.html"))
    scripts = [path.read_text("utf-8") for path in sorted(PAGE.glob("*.js")) if path.name != "room.js"]
    script = "".join(text for text in scripts if '"./room.js"' not in text)  # The tournament room has its own texts.
    known = page_texts().keys()
    assert set(re.findall(r'data-word(?:-label)?="(\w+)"', page)) <= known
    assert set(re.findall(r'\bword\("(\w+)"', script)) <= known
    made_of_parts = ("part_", *re.findall(r"word\(`(\w+_)\$\{", script))
    assert not {
        key
        for key in known
        if not key.startswith(made_of_parts) and f'"{key}"' not in page + script and f"words.{key}." not in page
    }
    answer = client.get("/")
    assert all(of[lang] for of in page_texts().values() for lang in ("en", "ja"))
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    own_addresses = ("http://www.w3.org/2000/svg", "http://{{ host }}")
    assert "http://" not in re.sub("|".join(map(re.escape, own_addresses)), "", page + script)


@pytest.mark.parametrize(
    ("accepted", "lang", "expected"),
    [
        ("ja,en;q=0.8", "ja", "キットを印刷"),
        ("fr, JA-jp", "ja", "キットを印刷"),
        ("en-GB,ja", "en", "Print the kit"),
        ("", "en", "Print the kit"),
        ("*;q=,", "en", "Print the kit"),
    ],
)
def test_the_page_comes_in_the_language_that_the_browser_asks_for(
    client: TestClient, accepted: str, lang: str, expected: str
) -> None:
    text = client.get("/", headers={"accept-language": accepted}).text
    assert f'<html lang="{lang}">' in text
    assert f'data-word="make" aria-keyshortcuts="p">{expected}</button>' in text
    assert "built-in" not in text


def test_it_is_served_and_says_where(here: Path) -> None:
    with studio() as started:
        assert started["address"] == f"http://127.0.0.1:{started['port']}/"
        for _ in range(100):
            try:
                with urllib.request.urlopen(started["address"], timeout=10) as answer:
                    assert b"Muster" in answer.read()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise AssertionError("it never answered")
        taken = muster("studio", "--no-open", "--port", str(started["port"]))
        assert (taken.code, f"port {started['port']} is already in use" in taken.err) == (2, True)
    assert not list(here.iterdir())


def test_the_room_is_answered_only_where_it_was_asked_for_and_by_its_key() -> None:
    own_address = _lan_address()
    with studio() as started, pytest.raises(OSError, match="refused"):
        socket.create_connection((own_address if own_address != "127.0.0.1" else "127.0.0.2", started["port"]), 10)
    with studio("--share") as started:
        plain, _, key = started["address"].partition("?key=")
        assert len(key) > 10 and plain == f"http://{own_address}:{started['port']}/"
        for address, status in ((plain, 403), (f"{plain}?key={key[:-1]}", 403), (started["address"], 200)):
            try:
                with urllib.request.urlopen(address, timeout=30) as answer:
                    assert answer.status == status
            except urllib.error.HTTPError as error:
                assert error.code == status


def test_it_ends_when_its_page_has_been_closed_for_a_while() -> None:
    short = "from generator.cli import main, verb_studio as v; v.IDLE_TIMEOUT_S = 4.0; "
    short += "main(['studio', '--no-open', '--json'])"
    with subprocess.Popen([sys.executable, "-c", short], stdout=subprocess.PIPE, text=True) as made:
        assert made.stdout
        text = ""
        while not text.rstrip().endswith("}") and (line := made.stdout.readline()):
            text += line
        address = json.loads(text)["address"]
        time.sleep(5)
        assert made.poll() is None  # no page has connected yet
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert answer.status == 200
        alive = urllib.request.Request(f"{address}alive", b"{}", {"Content-Type": "application/json"})
        for _ in range(3):
            time.sleep(1)
            urllib.request.urlopen(alive, timeout=30).close()
        assert made.poll() is None
        assert made.wait(30) == 0


MIDDLE = """(b => [b.x + b.width / 2, b.y + b.height / 2])(
    document.querySelector('[role=gridcell][data-cell=%s]').getBBox())"""
FIRST = {form: name for name, form in reversed(COPIES)}.values()
"""The first shipped file of each kind."""
SHOWN = (
    "document.getElementById('map')?.getAttribute('aria-busy') === 'false' && !!document.querySelector('#map svg')"
)


def opened(page: tuple[browser.Page, str], battle: str, width: int = 1440, *, dark: bool = False) -> browser.Page:
    tab, address = page
    tab.open(f"{address}#/battle/{battle}", width, 900, dark=dark)
    assert tab.becomes(SHOWN, True, 60.0), tab.run("document.body.innerText")
    return tab


DIGEST = (
    "fetch(document.querySelector('#printed a').href).then(r => r.arrayBuffer())"
    ".then(b => crypto.subtle.digest('SHA-256', b))"
    ".then(h => [...new Uint8Array(h)].map(x => x.toString(16).padStart(2, '0')).join(''))"
)
"""A script that returns the digest of the printed file."""


def test_the_first_visit_comes_to_a_printed_kit_by_one_click(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=en&parts=cover")
    tab.run("document.getElementById('print').click()")
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)
    digest = tab.run(DIGEST)
    assert muster("kit", "battling", "--seed", CODE, "--parts", "cover", "--lang", "en", "-o", "kit").code == 0
    assert digest == hashlib.sha256(Path("kit/kit.pdf").read_bytes()).hexdigest()


def test_parts_are_picked_by_name_and_a_booklet_is_the_command_s_byte_for_byte(
    page: tuple[browser.Page, str], here: Path
) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=ja")
    tab.run("document.getElementById('pick-parts').click()")
    assert tab.becomes("document.querySelectorAll('#picker .words button').length > 5", True, 60.0)
    assert "早見表" in tab.run("document.querySelector('[data-piece=reference]').textContent")
    for piece in ("cover", "reference"):
        tab.run(f"document.querySelector('[data-piece={piece}]').click()")
    tab.run("document.getElementById('picked').click()")
    assert tab.run("document.getElementById('command').textContent").endswith("--parts cover,reference")
    tab.run(
        "(s => { s.value = 'on'; s.dispatchEvent(new Event('change')); })"
        "([...document.querySelectorAll('#form select')].find(s => [...s.options].some(o => o.value === 'on')"
        " && s.closest('[data-group=print]')))"
    )
    command = shlex.split(tab.run("document.getElementById('command').textContent"))
    assert command[-1] == "--evening" and "booklet=on" in tab.run("location.hash")
    tab.run("document.getElementById('print').click()")
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)
    digest = tab.run(DIGEST)
    assert muster(*command[1:], "-o", "kit").code == 0
    assert digest == hashlib.sha256(Path("kit/evening.pdf").read_bytes()).hexdigest()
    # The command in a booklet restores the booklet.
    paste = "(n => {{ n.value = {}; n.dispatchEvent(new Event('change')); }})(document.querySelector('.code input'))"
    tab.run(paste.format(json.dumps(shlex.join(command))))
    assert tab.becomes("document.getElementById('command').textContent.endsWith('--evening')", True, 60.0)


@pytest.mark.parametrize("name", games.names())
def test_every_option_has_a_control(page: tuple[browser.Page, str], name: str) -> None:
    tab = opened(page, f"{name}?seed={CODE}&lang=ja")
    options = [option.name for option in games.load(name).options]
    found = tab.run("[...document.querySelectorAll('#form [data-wish]')].map(row => row.dataset.wish)")
    assert sorted(found) == sorted([*options, "seed"])
    labels = tab.run("[...document.querySelectorAll('#form [data-wish] > span:first-child')].map(s => s.textContent)")
    assert all(labels)
    assert tab.run("document.documentElement.lang") == "ja"
    assert not tab.all("Runtime.exceptionThrown")


def test_a_line_is_asked_by_two_clicks_and_said_as_the_verb_says_it(
    page: tuple[browser.Page, str], here: Path
) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=en")
    assert muster("draw", "call_to_arms", "--seed", CODE).code == 0
    for start, end in (("C3", "G6"), ("A1", "L9"), ("B2", "B3")):
        for cell in (start, end):
            path = f"document.querySelector('[role=gridcell][data-cell={cell}]')"
            tab.run(f"{path}.dispatchEvent(new Event('click', {{bubbles: true}}))")
        answered = f"document.querySelector('#sight .told')?.textContent.startsWith('{start} to {end}')"
        assert tab.becomes(answered, True, 60.0)
        assert (
            tab.run("document.querySelector('#sight .told').textContent")
            in muster("sight", "scenario.toml", start, end).out
        )
        # The line connects the centres of both cells.
        ends = tab.run("['x1', 'y1', 'x2', 'y2'].map(n => +document.querySelector('.over line').getAttribute(n))")
        assert ends == pytest.approx([*tab.run(MIDDLE % start), *tab.run(MIDDLE % end)], abs=0.01)
        tab.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")


@pytest.mark.parametrize("game", part.GROUNDS)
def test_sight_by_clicks_agrees_with_the_command_on_each_board(page: tuple[browser.Page, str], game: str) -> None:
    assert list(part.sight_differences(*page, game, 2)) == []


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


def test_what_the_qr_code_of_a_print_says_is_pasted_for_the_same_battle(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"travel_battle?seed={CODE}&lang=en")
    pasted = f"muster kit call_to_arms --seed {CODE} --mirror --title 'A fine day' --banners=5 --lang ja --ink saver"
    paste = "(n => {{ n.value = {}; n.dispatchEvent(new Event('change')); }})(document.querySelector('.code input'))"
    tab.run(paste.format(json.dumps(pasted)))
    assert tab.becomes("document.getElementById('toml').textContent.includes('banners = 5')", True, 60.0)
    assert tab.becomes("document.documentElement.lang", "ja", 60.0)
    output = shlex.split(tab.run("document.getElementById('command').textContent"))
    wanted = ["--mirror", "on", "--title", "A fine day", "--banners", "5", "--lang", "ja", "--ink", "saver"]
    assert output[:5] == ["muster", "kit", "call_to_arms", "--seed", CODE] and sorted(output[5:]) == sorted(wanted)
    tab.run(paste.format(json.dumps("muster event call_to_arms")))
    assert tab.becomes("document.getElementById('status').className", "bad", 60.0)


@pytest.mark.parametrize("width", [390, 1024, 2560])
def test_nothing_runs_over_the_side(page: tuple[browser.Page, str], width: int) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=ja", width, dark=True)
    assert tab.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("lang", LANGS)
def test_on_a_phone_the_answer_comes_up_below_the_map(page: tuple[browser.Page, str], lang: str) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang={lang}&from=C3&to=G6", 390)
    assert tab.becomes("!!document.querySelector('#sight .told')", True, 60.0)
    box = "document.querySelector('%s').getBoundingClientRect().%s"
    seen_at, foot = tab.run(box % ("#sight .told", "top")), tab.run(box % ("#views", "top"))
    assert tab.run(box % ("#map", "bottom")) <= tab.run(box % ("#asks", "top")) + 8
    assert seen_at < foot < tab.run(box % ("#views", "bottom")) == 900
    tab.run("document.getElementById('asks-close').click()")
    assert "from=" not in tab.run("location.hash") and tab.run(box % ("#asks", "top")) > 900


def test_an_invalid_option_is_reported_next_to_its_control(page: tuple[browser.Page, str]) -> None:
    tab, address = page
    tab.open(f"{address}#/battle/battling?seed={CODE}&lang=ja&w.machines=99", 1440)
    assert tab.becomes("!!document.querySelector('#form [data-wish=machines] .fault')", True, 60.0)
    assert tab.run("document.getElementById('status').className") == "bad"


def chosen(tab: browser.Page, what: str) -> None:
    """Start a user's file of the given kind, and wait until the form shows it."""
    assert tab.becomes("document.getElementById('own-kind').options.length > 5", True, 60.0)
    tab.run(
        "document.querySelectorAll('#own-form, #own-told').forEach(n => n.replaceChildren());"
        f"(k => {{ k.value = {json.dumps(what)}; k.dispatchEvent(new Event('change')); }})"
        "(document.getElementById('own-kind'))"
    )
    assert tab.becomes("document.querySelectorAll('#own-form .own-field').length > 1", True, 60.0)


def type_into(tab: browser.Page, way: str, text: str, which: str = "") -> None:
    """Type a text into the form field at the path `way`."""
    found = f"document.querySelector('#own-form [data-way=\"{way}\"] :is(input, textarea, select){which}')"
    tab.run(
        f"(n => {{ n.value = {json.dumps(text)}; n.dispatchEvent(new Event('input'));"
        f" n.dispatchEvent(new Event('change')); }})({found})"
    )


GOOD = "(document.querySelector('#own-told .good') ? document.getElementById('own-text').value : '')"
TOLD = "document.getElementById('own-told').innerText"
NAMELESS = """[...document.querySelectorAll('#own-form :is(input, select, textarea)')]
    .filter(n => !n.labels.length && !n.ariaLabel).length"""
CANCEL = """new MutationObserver((_, all) => {
    const cancel = document.querySelector('#printed .cancel');
    if (cancel) { all.disconnect(); cancel.click(); }
}).observe(document.getElementById('printed'), {childList: true, subtree: true})"""
"""A script that cancels as soon as the button appears, before any print is finished."""
HEAR = """window.heard = new Set(); new MutationObserver(() => {
    const bar = document.querySelector('#printed progress');
    if (bar) window.heard.add(bar.value);
}).observe(document.getElementById('printed'), {subtree: true, childList: true, characterData: true})"""
CELLS = ("--- --- ---", "GS BS GC ---", "--- BL ---", "--- --- --- ---")


def test_an_owner_s_seven_cards_are_typed_saved_and_drawn_from(page: tuple[browser.Page, str], here: Path) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=en")
    tab.run("document.querySelector('#views [data-view=own]').click()")
    chosen(tab, "copy house-deck")
    type_into(tab, "name", "My box", "[lang=en]")
    type_into(tab, "name", "", "[lang=ja]")
    for number in range(7):
        type_into(tab, f"card/{number}/name", f"Own card {number + 1}", "[lang=en]")
        type_into(tab, f"card/{number}/name", "", "[lang=ja]")
        type_into(tab, f"card/{number}/cells", "\n".join(CELLS))
    assert tab.becomes(f"{GOOD}.includes('Own card 7')", True, 60.0), tab.run(TOLD)
    text = tab.run("document.getElementById('own-text').value")
    Path("my_house_deck.toml").write_text(text, "utf-8")
    assert muster("data", "check", "my_house_deck.toml").code == 0
    assert 'source = "owner"' in text and 'name = "My box"' in text and text.count("Own card") == 7
    # A fault is shown at its field while the user types, and disappears after the correction.
    type_into(tab, "card/2/cells", "\n".join(CELLS).replace("BL", "BQ"))
    fault_text = "document.querySelector('#own-form [data-way=\"card/2/cells\"] .fault')?.textContent || ''"
    assert tab.becomes(f"({fault_text}).includes('is not a weapon')", True, 60.0)
    assert tab.run("document.getElementById('own-play').disabled")
    type_into(tab, "card/2/cells", "\n".join(CELLS))
    assert tab.becomes(f"!({fault_text}) && !document.getElementById('own-play').disabled", True, 60.0)
    tab.run("document.getElementById('own-play').click()")
    with_deck = "document.getElementById('command').textContent.includes('--deck my_house_deck.toml')"
    assert tab.becomes(f"{with_deck} && {SHOWN}", True, 60.0)
    drawn = tab.run("document.getElementById('toml').textContent")
    command = tab.run("document.getElementById('command').textContent")
    code = re.search(r"--seed (\S+)", command)
    assert code
    assert muster("draw", "call_to_arms", "--seed", code[1], "--deck", "my_house_deck.toml", "-o", "s.toml").code == 0
    assert Path("s.toml").read_text("utf-8") == drawn
    tab.run("localStorage.clear()")


@pytest.mark.parametrize("name", [name for name, _ in COPIES if name in FIRST])
def test_every_kind_has_its_form_and_what_the_form_writes_says_the_same(
    page: tuple[browser.Page, str], here: Path, name: str
) -> None:
    tab, _ = page
    # The test opens all kinds in the same page, as a user would.
    if not tab.run("location.hash").startswith("#/own"):
        opened(page, f"battling?seed={CODE}&lang=ja")
        tab.run("document.querySelector('#views [data-view=own]').click()")
    chosen(tab, f"copy {name}")
    assert tab.becomes(f"!!{GOOD}", True, 60.0), tab.run(TOLD)
    Path("own.toml").write_text(tab.run("document.getElementById('own-text').value"), "utf-8")
    ours, shipped = (muster("data", "values", item).json["values"] for item in ("own.toml", name))
    assert ours | {"source": ""} == shipped | {"source": ""}
    # Every value has a control or a separate area, and every control has a name.
    ways = set(tab.run("[...document.querySelectorAll('#own-form [data-way]')].map(n => n.dataset.way)"))
    assert {key for key in shipped if key != "source"} <= ways
    assert tab.run(NAMELESS) == 0
    assert not tab.all("Runtime.exceptionThrown")
    tab.run("localStorage.clear()")


def test_text_and_form_follow_each_other_and_both_outlive_a_reload(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=en")
    tab.run("document.querySelector('#views [data-view=own]').click()")
    chosen(tab, "new battlelore-inventory")
    tab.run("document.querySelector('#own-form button').click()")
    type_into(tab, "tiles/0/count", "3")
    assert tab.becomes("document.getElementById('own-text').value.includes('count = 3')", True, 60.0)
    tab.run(
        "(t => { t.value = t.value.replace('count = 3', 'count = 5'); t.dispatchEvent(new Event('input')); })"
        "(document.getElementById('own-text'))"
    )
    count = "document.querySelector('#own-form [data-way=\"tiles/0/count\"] input')?.value"
    assert tab.becomes(count, "5", 60.0)
    tab.open(f"{page[1]}#/own/battling?seed={CODE}&lang=en", 1440)
    assert tab.becomes(count, "5", 60.0)
    tab.run("localStorage.clear()")


def test_the_keys_of_an_adventure_are_typed_into_a_form_and_fought_over(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"battlelore?seed={CODE}&lang=en")
    tab.run("document.querySelector('#views [data-view=own]').click()")
    chosen(tab, "battle")
    assert tab.becomes(f"{GOOD}.includes('[board]')", True, 60.0), tab.run(TOLD)
    type_into(tab, "play/briefing", "Hold the ford until dusk.", "[lang=en]")
    assert tab.becomes(f"{GOOD}.includes('Hold the ford')", True, 60.0), tab.run(TOLD)
    text = tab.run("document.getElementById('own-text').value")
    assert "seal" not in text and "[log" not in text and "code =" not in text
    # A fault is shown at its field, and the battle cannot be opened meanwhile.
    type_into(tab, "play/points", "-3")
    assert tab.becomes("document.querySelectorAll('#own-form .fault').length > 0", True, 60.0), tab.run(TOLD)
    assert tab.run("document.getElementById('own-play').disabled")
    type_into(tab, "play/points", "")
    assert tab.becomes(f"{GOOD}.includes('Hold the ford')", True, 60.0), tab.run(TOLD)
    tab.run("document.getElementById('own-play').click()")
    found = tab.becomes("document.getElementById('toml').textContent.includes('Hold the ford')", True, 20.0)
    assert found, tab.run("document.body.innerText")
    assert tab.becomes("document.getElementById('status').className", "good", 60.0)


def test_a_print_tells_how_far_it_is_and_can_be_cancelled(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang=en")
    tab.run(HEAR)
    tab.run("document.getElementById('print').click()")
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)
    # The number of progress reports depends on the speed of the machine.
    heard = tab.run("[...window.heard]")
    assert len(heard) > 1 and heard == sorted(heard)
    tab.run(CANCEL)
    tab.run("document.getElementById('make').click()")
    assert tab.becomes("document.getElementById('printed').textContent", "Cancelled. Nothing was printed.", 20.0)
    # The studio is still usable after cancelling.
    tab.run("document.getElementById('make').click()")
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)


def test_keys_do_what_their_buttons_say_and_darkness_is_kept(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=en")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
    shortcuts = "[...document.querySelectorAll('#keys dt')].map(d => d.textContent)"
    tab.run(press % "?")
    assert {"1", "2", "3", "4", "D", "J", "P", "T", "?"} <= set(tab.run(shortcuts))
    tab.run("document.querySelector('#keys button').click()")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = tab.run(ground)
    tab.run(press % "d")
    dark = tab.run(ground)
    assert light != dark
    tab.run(press % "j")
    assert tab.becomes("document.documentElement.lang", "ja", 60.0)
    assert opened(page, f"battling?seed={CODE}&lang=en").run(ground) == dark
    tab.run("localStorage.clear(); delete document.documentElement.dataset.theme")
    # Letters typed into a field are not shortcuts.
    tab.run(
        "document.querySelector('#form input').dispatchEvent(new KeyboardEvent('keydown', {key: 'd', bubbles: true}))"
    )
    assert tab.run(ground) == light


def test_two_pages_at_once_keep_to_themselves(page: tuple[browser.Page, str]) -> None:
    tab = opened(page, f"battling?seed={CODE}&lang=en")
    first = tab.run("document.getElementById('toml').textContent")
    first_session, other = tab.session, tab.another()
    try:
        tab.session = other
        opened(page, f"travel_battle?seed={CODE}&lang=ja")
        assert tab.run("document.getElementById('command').textContent.includes('travel_battle')")
        tab.session = first_session
        assert tab.run("document.getElementById('toml').textContent") == first
        assert tab.run("document.documentElement.lang") == "en"
        tab.session = other
        tab.call("Page.close")
    finally:
        tab.session = first_session


AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
HARM = """axe.run(document, {resultTypes: ['violations']}).then(told => told.violations
    .filter(rule => ['serious', 'critical'].includes(rule.impact))
    .map(rule => rule.id + ': ' + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' | ')))"""


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in the tests' environment: make browser")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("lang", LANGS)
def test_axe_finds_nothing_serious(page: tuple[browser.Page, str], lang: str, dark: bool) -> None:
    tab = opened(page, f"call_to_arms?seed={CODE}&lang={lang}&parts=cover&from=C3&to=G6", dark=dark)
    tab.run("document.getElementById('readings-ask').click()")
    assert tab.becomes("!!document.querySelector('#sight .told') && !!document.querySelector('.reading')", True, 60.0)
    tab.run(AXE.read_text("utf-8") + ";0")
    tab.run("for (const group of document.querySelectorAll('#form details')) group.open = true")
    found = {"battle": tab.run(HARM)}
    tab.run("document.querySelector('.differing').open = true; document.querySelector('.what-if').click()")
    assert tab.becomes("!!document.querySelector('#what-if button')", True, 60.0)
    found["what-if"] = tab.run(HARM)
    tab.run("document.querySelector('[data-wish=cards-pennant] .pick').click()")
    assert tab.becomes("document.querySelectorAll('#picker svg').length > 20", True, 60.0)
    tab.run("document.querySelector('#picker .slot').click()")
    found["picker"] = tab.run(HARM)
    tab.run("document.getElementById('picker').close()")
    tab.run("document.getElementById('help').click()")
    found["keys"] = tab.run(HARM)
    tab.run("document.querySelector('#keys button').click()")
    for number, kind in enumerate(("house-deck", "house-pack")):
        tab.run("document.querySelector('#views [data-view=own]').click()")
        chosen(tab, f"copy {kind}")
        assert tab.becomes(f"{GOOD} && document.getElementById('own-name').value.includes('{kind[-4:]}')", True, 60.0)
        tab.run("document.querySelectorAll('#own-form details').forEach((item, i) => { item.open = i < 3; })")
        if number:
            type_into(tab, "boxes", "99")
            assert tab.becomes("!!document.querySelector('#own-form .fault')", True, 60.0)
        found[kind] = tab.run(HARM)
    for view, there in (("gallery", "#hung img, #hung svg"), ("seats", "#seat button"), ("umpire", "#thread")):
        tab.run(f"document.querySelector('#views [data-view={view}]').click()")
        assert tab.becomes(f"!!document.querySelector({json.dumps(there)})", True, 60.0)
        found[view] = tab.run(HARM)
    tab.run("document.querySelector('[data-paint]').click()")
    assert tab.becomes("!!document.querySelector('#canvas svg')", True, 60.0)
    tab.run("document.querySelector('[data-brush=cliff]').click()")
    found["paint"] = tab.run(HARM)
    tab.run("document.getElementById('print').click()")
    found["printing"] = tab.run(HARM)
    assert tab.becomes("!!document.querySelector('#printed a')", True, 60.0)
    # The browser's PDF viewer is not tested.
    found["printed"] = tab.run(HARM.replace("document,", "{exclude: ['iframe']},"))
    tab.run("localStorage.clear()")
    assert not any(found.values()), found
