"""Tests of the tournament room: the desk does what the command line does, and a phone opens one table alone."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx2", reason="httpx2, which drives it without a socket, is not installed")

from starlette.testclient import TestClient

from generator.cli.event_version import event_version
from generator.cli.one_writer import lock_event
from generator.cli.page_words import controls, in_page_words, offer_of, room_words
from generator.cli.studio_actions import AnyAction
from generator.cli.studio_events import folder_name
from generator.cli.studio_phones import read_phones
from generator.cli.studio_server import Studio
from generator.notation.text import COMMAND_MARKS
from generator.store.folders import shipped_path
from generator.store.manifest import PHONES
from tests.cli.run import muster

HOST = "127.0.0.1:8000"
DESK = ("127.0.0.1", 50_000)
ELSEWHERE = ("192.0.2.7", 50_000)
PAGE = shipped_path("templates") / "studio"
NAMES = ("Sato", "Suzuki", "Takahashi", "Tanaka", "Ito")
SPOKEN = re.compile(r"--[a-z]|Usage:|muster |[⟦⟧]")
"""Matches words of the command line, which the page never shows."""


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """Return the folder in which the studio was started."""
    folder = tmp_path / "club" / "events"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def room(events: Path) -> Iterator[Room]:
    with TestClient(studio(events).app(), base_url=f"http://{HOST}", client=DESK) as client:
        yield Room(client, events)


def studio(folder: Path, key: str = "") -> Studio:
    return Studio(frozenset({HOST}), key, events=folder)


class Room:
    """The desk of a studio, with the folder of its events."""

    def __init__(self, client: TestClient, folder: Path) -> None:
        self.client, self.folder, self.event, self.version = client, folder, "", ""

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body)

    def do(self, kind: str, version: str | None = None, lang: str = "en", **fields: Any) -> Any:
        """Carry out an action, and return its answer. The room then shows the new state."""
        body = {"event": self.event, "version": self.version if version is None else version, "lang": lang}
        answer = self.post("/tournament/do", do={"kind": kind, **fields}, **body)
        assert answer.status_code == 200, answer.text
        row = json.loads([line for line in answer.text.splitlines() if line][-1])
        assert not any(SPOKEN.search(text) for text in (*row["lines"], *row["problems"])), row
        if "state" in row:
            self.event, self.version = row["event"], row["state"]["version"]
        return row

    def begin(self, names: tuple[str, ...] = NAMES, **fields: Any) -> Any:
        players = [{"name": name} for name in names]
        return self.do("new", game="battling", name="Club night", rounds=3, players=players, **fields)

    def enter(self, table: int = 1, game: int = 1, won: str = "a", score: Any = (6, 2), **fields: Any) -> Any:
        games = [{"game": game, "won": won, "score": score and list(score)}]
        return self.do("result", table=table, games=games, **{"round": 1, **fields})

    def tokens(self, number: int = 1) -> dict[int, str]:
        answer = self.post("/tournament/phones", event=self.event, round=number)
        assert answer.status_code == 200, answer.text
        return {row["table"]: row["address"].partition("#")[2] for row in answer.json()["slips"]}

    @property
    def place(self) -> Path:
        return self.folder / self.event

    def toml(self) -> str:
        return (self.place / "event.toml").read_text("utf-8")


def test_an_event_is_made_paired_and_corrected_as_on_the_command_line(room: Room) -> None:
    made = room.begin()
    assert (made["event"], made["state"]["step"], len(made["state"]["players"])) == ("Club-night", "pair", 5)
    paired = room.do("pair")
    assert paired["state"]["round"][0]["waiting"] == [1, 2] and paired["lines"][0].startswith("Table 1 · ")
    assert sum(not table["b"] for table in paired["state"]["round"][0]["tables"]) == 1
    assert room.enter()["state"]["round"][0]["tables"][0]["games"][0]["score"] == [6, 2]
    corrected = room.enter(score=(6, 3))
    assert corrected["said"].startswith("Corrected: table 1, game 1")
    assert "was = { table = 1, game = 1" in room.toml() and "score = [6, 2]" in room.toml()
    (row,) = corrected["state"]["round"][0]["corrected"]
    assert (row["was"], row["now"]) == ("✓6 : 2", "✓6 : 3")
    # The command line reads the same event and goes on with it.
    seen = muster("tournament", "status", str(room.place), "--json").json
    assert seen["round"][0]["waiting"] == [1, 2] and seen["round"][0]["corrected"] == 1
    assert muster("tournament", "results", str(room.place)).code == 0 and "score = [6, 3]" in room.toml()


def test_the_desk_returns_to_a_result_that_a_slip_had_before(room: Room) -> None:
    room.begin()
    room.do("pair")
    for score in ((6, 2), (6, 3), (6, 2)):
        room.enter(score=score)
    assert room.post("/tournament/state", event=room.event).json()["round"][0]["tables"][0]["games"][0]["score"] == [
        6,
        2,
    ]


def test_a_forfeit_and_a_draw_are_recorded(room: Room) -> None:
    room.begin()
    room.do("pair")
    games = room.enter(won="b", score=None)["state"]["round"][0]["tables"][0]["games"]
    assert (games[0]["won"], games[0]["score"]) == ("b", [0, 0])
    games = room.enter(game=2, won="draw", score=(3, 3))["state"]["round"][0]["tables"][0]["games"]
    assert (games[1]["won"], games[1]["score"]) == ("draw", [3, 3])


def test_a_page_with_an_old_state_overwrites_nothing(room: Room) -> None:
    room.begin()
    room.do("pair")
    old = room.version
    assert muster("tournament", "join", str(room.place), "Mori", "--round", "2").code == 0
    before = room.toml()
    for kind, fields in (
        ("result", {"round": 1, "table": 1, "games": [{"game": 1, "won": "a"}]}),
        ("drop", {"name": "Sato"}),
        ("join", {"players": [{"name": "Abe"}]}),
        ("rename", {"name": "Sato", "to": "Sasaki"}),
        ("pair", {"round": 1, "reopen": True}),
        ("record", {}),
        ("pack", {}),
    ):
        row = room.do(kind, version=old, **fields)
        assert row["stale"] and room.toml() == before, kind
        assert any(player["name"] == "Mori" for player in row["state"]["players"])
    assert room.post("/tournament/state", event=room.event, version=room.version).json() == {"same": True}
    assert room.post("/tournament/state", event=room.event, version=old).json()["version"] == room.version


def test_an_action_waits_for_the_lock_and_checks_the_version_within_it(room: Room) -> None:
    """The event changes after the server has received the action, and before the action has the lock."""
    room.begin()
    room.do("pair")
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(room.do("drop", version=old, name="Sato")))]
    threads.append(threading.Thread(target=lambda: answers.append(room.enter(version=old))))
    old = room.version
    with lock_event(room.place):
        for thread in threads:
            thread.start()
        text = room.toml().replace("rounds = 3", "rounds = 4")
        (room.place / "event.toml").write_text(text, "utf-8")
    for thread in threads:
        thread.join()
    assert len(answers) == 2 and "rounds = 4" in room.toml()
    assert any(answer["stale"] for answer in answers)


def test_results_of_two_pages_at_once_are_all_kept(room: Room) -> None:
    room.begin(names=tuple(f"Player {letter}" for letter in "ABCDEFGH"))
    room.do("pair")
    tokens = room.tokens()
    sent = [
        threading.Thread(
            target=room.post, args=("/slip/send",), kwargs={"token": token, "games": [{"game": 1, "won": "a"}]}
        )
        for token in tokens.values()
    ]
    for thread in sent:
        thread.start()
    for thread in sent:
        thread.join()
    assert room.toml().count('won = "a"') == 4 and len(read_phones(room.place).received) == 4


def test_each_line_of_a_pasted_list_is_taken_or_refused(room: Room) -> None:
    text = "Players\nSato\nSuzuki\n=cmd\n\nsato\nTanaka"
    rows = room.post("/tournament/preview", text=text).json()["rows"]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 6, 7]
    assert [row["name"] for row in rows if row["taken"]] == ["Sato", "Suzuki", "Tanaka"]
    assert all(row["why"] for row in rows if not row["taken"])
    refused = room.post("/tournament/preview", text="Sato\n" * 50_000)
    assert refused.status_code == 400 and "more than 200000 characters" in refused.json()["problems"][0]["message"]
    room.begin()
    rows = room.post("/tournament/preview", text="Takahash\nSato\nAbe", event=room.event, lang="ja").json()["rows"]
    assert [(row["near"], row["known"]) for row in rows] == [("Takahashi", False), ("", True), ("", False)]


def test_players_come_leave_rest_and_are_renamed(room: Room) -> None:
    room.begin()
    row = room.do("join", players=[{"name": "--lang"}])
    assert row["state"]["players"][-1]["name"] == "--lang"
    room.do("drop", name="--lang", remove=True)
    row = room.do("join", players=[{"name": "Abe", "team": "Kobe"}, {"name": "Ueda"}])
    assert {player["name"] for player in row["state"]["players"]} >= {"Abe", "Ueda"}
    assert room.do("drop", name="Ueda", remove=True)["state"]["players"][-1]["name"] == "Abe"
    row = room.do("join", players=[{"name": "Abe"}], rest=[1], table=2, no_bye=True, apart=["Sato"])
    abe = row["state"]["players"][-1]
    assert (abe["team"], abe["rests"], abe["table"], abe["no_bye"]) == ("Kobe", [1], 2, True)
    assert row["state"]["apart"] == [["Abe", "Sato"]]
    assert room.do("rename", name="Ito", to="Itoh")["state"]["players"][4]["name"] == "Itoh"
    assert room.do("drop", name="Sato")["state"]["players"][0]["here"] is False
    assert room.do("join", players=[{"name": "Sato"}])["state"]["players"][0]["here"] is True


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_the_command_line_asks_is_asked_in_words_of_the_page(room: Room, lang: str) -> None:
    room.begin(names=("Sato", "Suzuki"))
    room.do("pair", lang=lang)
    room.enter(lang=lang)
    row = room.do("pair", round=1, lang=lang)
    assert row["problems"] and row["offer"]["reopen"]
    assert room.do("pair", lang=lang)["problems"]  # The second game has no result yet.
    room.enter(game=2, lang=lang)
    row = room.do("pair", lang=lang)
    assert row["problems"] and row["offer"]["rematch"]
    assert not room.do("pair", rematch=True, lang=lang)["problems"]
    row = room.do("pair", round=1, reopen=True, lang=lang)
    assert not row["problems"] and row["state"]["undone"] == [1] and "undone" in room.toml()
    for kind, fields in (
        ("drop", {"name": "Nobody"}),
        ("pair", {"round": 7}),
        ("reprint", {"round": 1, "tables": [9]}),
        ("commit", {}),
        ("standings", {}),
        ("join", {"players": [{"name": "Sato"}], "round": 9}),
    ):
        room.do(kind, lang=lang, **fields)


def test_a_pack_is_the_pack_of_the_command_line_and_is_shown(room: Room, tmp_path: Path) -> None:
    room.begin(names=("Sato", "Suzuki", "Tanaka"))
    room.do("pair")
    row = room.do("pack")
    assert not row["problems"] and row["state"]["round"][0]["state"] == "packed"
    url = room.post("/tournament/file", event=room.event, name="round-1/round-1.pdf").json()["url"]
    printed = room.client.get(url)
    assert printed.headers["content-type"] == "application/pdf"
    room.tokens()
    again = tmp_path / "again"
    again.mkdir()
    (again / "event.toml").write_text(room.toml(), "utf-8")
    assert muster("tournament", "pack", str(again), "--lang", "en").code == 0
    assert (again / "round-1" / "round-1.pdf").read_bytes() == printed.content
    assert not room.do("verify")["problems"]
    limits = row["state"]["round"][0]["tables"][0]["games"][0]["most"]
    assert limits
    refused = room.enter(score=(limits[0] + 1, 0))
    assert refused["problems"] and 'won = "a"' not in room.toml()


def test_results_from_files_are_recorded_and_refused_by_line(room: Room) -> None:
    import base64

    room.begin()
    room.do("pair")
    (table, *_) = room.post("/tournament/state", event=room.event).json()["round"][0]["tables"]
    rows = f"round,player_a,player_b,score_a,score_b,game\n1,{table['a']},{table['b']},5,1,1\n1,Nobody,Sato,1,2,1\n"
    row = room.do("record", files={"from club.csv": base64.b64encode(rows.encode()).decode()})
    assert any("3:" in text for text in (*row["problems"], *row["lines"]))
    assert "score = [5, 1]" in room.toml()
    for name in ("../x.csv", "/etc/passwd", "x.toml", "-o.csv", ".x.csv", "a/b.csv"):
        assert room.do("record", files={name: ""})["problems"]


def test_folders_of_new_events_are_plain_and_unused() -> None:
    assert (
        folder_name("Autumn Cup", []) == "Autumn-Cup" and folder_name("Autumn Cup", ["autumn-cup"]) == "Autumn-Cup-2"
    )
    assert (
        folder_name("../../etc", []) == "etc"
        and folder_name("秋季杯", []) == "秋季杯"
        and folder_name("..", []) == "event"
    )


def test_commands_and_options_are_reworded() -> None:
    marked = "muster tournament pair /x/cup --reopen".join(COMMAND_MARKS)
    assert in_page_words(f"run {marked} now", "en", "/x/cup") == "run “Undo and make it again” now"
    assert in_page_words("/x/cup/round-1/results.csv: use --rest 3", "ja", "/x/cup") == (
        "round-1/results.csv: use 「半不戦勝」 3"
    )
    assert offer_of("muster tournament join cup --rounds 5".join(COMMAND_MARKS)).rounds == 5
    assert offer_of("--allow-rematch allows rematches").rematch and not offer_of("nothing").reopen
    assert controls()["pair"]["en"] == "Pair"


def test_every_text_of_the_room_is_used_and_exists_in_both_languages() -> None:
    scripts = [path.read_text("utf-8") for path in sorted(PAGE.glob("*.js"))]
    room_scripts = [text for text in scripts if '"./room.js"' in text or "export const room" in text]
    pages = [
        (PAGE / name).read_text("utf-8")
        for name in ("room.html", "tournament.html", "records.html", "wall.html", "phone.html")
    ]
    every, known = "".join([*room_scripts, *pages]), room_words()
    assert set(re.findall(r'data-word(?:-label)?="(\w+)"', "".join(pages))) <= known.keys()
    assert set(re.findall(r'\bword\("(\w+)"', "".join(room_scripts))) <= known.keys()
    computed = ("control_", "system_", "short_", "step_", "said_", "ink_", "confirm_")
    unused = {key for key in known if f'"{key}"' not in every and not key.startswith(computed)}
    assert unused == set() and all(of[lang] for of in known.values() for lang in ("en", "ja"))


# Phones.


def test_a_phone_enters_one_result_and_the_desk_sees_and_corrects_it(room: Room) -> None:
    room.begin()
    room.do("pair")
    token = room.tokens()[1]
    values = room.post("/slip/read", token=token).json()
    assert values.keys() == {"event", "round", "table", "a", "b", "counted", "lost", "games"}
    assert token not in (room.place / PHONES).read_text("utf-8")
    sent = room.post("/slip/send", token=token, games=[{"game": 1, "won": "a", "score": [4, 1]}])
    assert sent.json()["games"][0]["result"] == {"won": "a", "score": [4, 1]}
    again = room.post("/slip/send", token=token, games=[{"game": 1, "won": "b", "score": [1, 4]}])
    assert again.status_code == 409 and "score = [4, 1]" in room.toml()
    state = room.post("/tournament/state", event=room.event).json()
    assert state["round"][0]["tables"][0]["games"][0]["phone"]
    room.version = state["version"]
    assert room.enter(score=(4, 2))["state"]["round"][0]["corrected"][0]["was"] == "✓4 : 1"


def test_a_token_closes_with_its_round(room: Room) -> None:
    room.begin(names=("Sato", "Suzuki", "Tanaka", "Ito"))
    room.do("pair")
    old, new = room.tokens(), room.tokens()
    assert all(room.post("/slip/read", token=token).status_code == 404 for token in old.values())
    for table in (1, 2):
        for game in (1, 2):
            room.enter(table=table, game=game)
    assert all(room.post("/slip/read", token=token).status_code == 200 for token in new.values())
    room.do("pair")
    assert all(room.post("/slip/read", token=token).status_code == 404 for token in new.values())
    assert room.post("/tournament/phones", event=room.event, round=1).status_code == 409
    third = room.tokens(2)
    room.do("pair", round=2, reopen=True)
    room.do("rename", name="Sato", to="Sasaki")
    still = [room.post("/slip/read", token=token) for token in third.values()]
    assert {answer.status_code for answer in still} <= {200, 404}


@pytest.fixture
def shared_room(events: Path) -> Iterator[tuple[Room, TestClient]]:
    """Yield the desk of a shared studio with two events, and a phone that has no key."""
    made = studio(events, "secret-key")
    with TestClient(made.app(), base_url=f"http://{HOST}", client=DESK, cookies={"muster": "secret-key"}) as client:
        room = Room(client, events)
        room.begin(names=("Sato", "Suzuki", "Tanaka", "Ito"), sealed=True)
        room.do("pair")
        room.do("pack")
        yield room, TestClient(made.app(), base_url=f"http://{HOST}", client=ELSEWHERE)


def test_a_token_opens_its_table_and_nothing_else(shared_room: tuple[Room, TestClient]) -> None:
    room, phone = shared_room
    token = room.tokens()[1]
    before = room.toml()
    assert phone.get("/slip").status_code == 200 and token not in phone.get("/slip").text
    assert "Sato" not in phone.get("/slip").text
    for path in ("/", "/tournament", "/wall", "/studio.js", "/made/x", "/tournament.js"):
        assert phone.get(path).status_code == 403, path
        assert phone.get(path, params={"token": token}).status_code == 403
    bodies: tuple[dict[str, str], ...] = (
        {"event": room.event},
        {"event": room.event, "token": token},
        {"token": token},
        {},
    )
    for path in ("list", "state", "preview", "do", "file", "phones"):
        for body in bodies:
            for cookie in ({}, {"cookie": f"muster={token}"}):
                assert phone.post(f"/tournament/{path}", json=body, headers=cookie).status_code == 403, path
    assert phone.post("/wall/state", json={"event": room.event}).status_code == 403
    assert phone.post("/ask", json={"words": ["games"], "files": {}}).status_code == 403
    for extra in ({"table": 2}, {"round": 1}, {"event": room.event}, {"lang": "en"}):
        assert phone.post("/slip/read", json={"token": token, **extra}).status_code == 400
        games = [{"game": 1, "won": "a"}]
        assert phone.post("/slip/send", json={"token": token, "games": games, **extra}).status_code == 400
        assert phone.post("/slip/send", json={"token": token, "games": [{**games[0], **extra}]}).status_code == 400
    secrets_of_event = (room.place / "secret.txt").read_text("utf-8").strip()
    code = re.search(r'code = "([^"]+)"', before)
    text = phone.post("/slip/read", json={"token": token}).text
    assert code and secrets_of_event not in text and code[1] not in text and "kit" not in text
    assert room.toml() == before


def test_the_desk_answers_only_its_own_machine_even_to_one_who_has_the_key(
    shared_room: tuple[Room, TestClient],
) -> None:
    room, phone = shared_room
    key = {"cookie": "muster=secret-key"}
    for path in ("list", "state", "preview", "do", "file", "phones"):
        for headers in ({}, {"x-forwarded-for": "127.0.0.1"}, {"forwarded": "for=127.0.0.1"}):
            answer = phone.post(f"/tournament/{path}", json={"event": room.event}, headers=key | headers)
            assert answer.status_code == 403, path
    # The second screen may stand elsewhere; it shows names and scores alone.
    latest = phone.post("/wall/state", json={}, headers=key)
    assert latest.json()["name"] == "Club night"
    seen = phone.post("/wall/state", json={"event": room.event}, headers=key)
    assert seen.status_code == 200
    assert seen.json().keys() == {
        *("version", "name", "round", "rounds", "clock", "tables", "notices", "standings"),
    }


HOSTILE_EVENTS = (
    *("..", "../x", "/", "/etc", "a/../..", "./Club-night", "Club-night/", "Club-night/round-1", "%2e%2e", "..\\x"),
    *("Club-night/../Club-night", "C:\\x", "~", "-o", "", "\0", "Club-night\0", "output/../Club-night", "x" * 5000),
)
HOSTILE_FILES = (
    *("secret.txt", "event.toml", "../x", "round-1/../secret.txt", "round-1/manifest.json", "round-1/opening.json"),
    *("round-1/scenario.toml", "/etc/passwd", "round-01/round-1.pdf", "round-1\\round-1.pdf", PHONES, ".", "", "\0"),
    *("round-1/results.csv", "round-2/round-2.pdf", "copies/x.pdf", "index.pdf/../secret.txt"),
)


def test_no_event_or_file_name_leads_out_of_the_list(shared_room: tuple[Room, TestClient]) -> None:
    room, _ = shared_room
    outside = room.folder.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "event.toml").write_text(room.toml(), "utf-8")
    for event in (*HOSTILE_EVENTS, "../outside", str(outside)):
        for path, more in (
            ("/tournament/state", {}),
            ("/tournament/file", {"name": "index.pdf"}),
            ("/tournament/phones", {"round": 1}),
            ("/tournament/do", {"do": {"kind": "pair", "reopen": True}}),
            ("/wall/state", {}),
        ):
            if event or not path.startswith("/wall"):
                answer = room.post(path, event=event, **more)
                assert answer.status_code in (400, 404, 413), (event, path)
    for name in HOSTILE_FILES:
        assert room.post("/tournament/file", event=room.event, name=name).status_code == 404, name
    (room.place / "day-x.pdf").symlink_to(room.place / "secret.txt")
    assert room.post("/tournament/file", event=room.event, name="day-x.pdf").status_code == 404
    for name in ("../../x", "/tmp/x", "..", "a/b"):
        row = room.do("new", game="battling", name=name, players=[{"name": "A"}, {"name": "B"}])
        assert (room.folder / row["event"]).parent == room.folder
    assert {path.name for path in room.folder.parent.iterdir()} == {room.folder.name, "outside"}


def test_options_of_the_game_never_name_files(room: Room) -> None:
    for options in ({"deck": "/etc/passwd"}, {"o": "x"}, {"out": "/tmp/x"}, {"seed=1 --out": "x"}, {"force": "1"}):
        assert room.begin(options=options)["problems"]
    for game in ("../battling", "-o", "nope"):
        assert room.do("new", game=game, name="X")["problems"]
    assert list(room.folder.iterdir()) == []


def hostile_tokens(count: int, known: list[str], seed: int = 43) -> Iterator[Any]:
    """Yield tokens that are guessed, cut, swapped or of another kind."""
    chosen = random.Random(seed)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for _ in range(count):
        token = chosen.choice(known)
        at = chosen.randrange(len(token))
        yield chosen.choice(
            [
                "".join(chosen.choices(letters, k=22)),
                token[:at] + chosen.choice("!~*") + token[at + 1 :],
                token[:at],
                token + chosen.choice(letters),
                token.swapcase(),
                token[::-1],
                *("", " ", "\0", "../" + token, token * 40, "%00", "' or 1=1 --", 7, None, [token], {"token": token}),
            ]
        )


def test_tokens_of_other_tables_rounds_and_events_and_guesses_let_nobody_in(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.cli.studio_tournament.GUESS_DELAY_S", 0)
    room.begin(names=("Sato", "Suzuki", "Tanaka", "Ito"))
    room.do("pair")
    old = [*room.tokens().values()]
    first = room.event
    for table in (1, 2):
        for game in (1, 2):
            room.enter(table=table, game=game)
    room.do("pair")
    current = room.tokens(2)
    other_room = Room(room.client, room.folder)
    other_room.begin(names=("Abe", "Ueda"))
    other_room.do("pair")
    others = [*other_room.tokens().values()]
    before, version = room.toml(), event_version(room.folder / first)
    result = {"game": 1, "won": "a", "score": [4, 0]}
    for token in [*old, *hostile_tokens(150, [*current.values(), *old])]:
        answers = [room.post("/slip/read", token=token), room.post("/slip/send", token=token, games=[result])]
        assert all(answer.status_code in (400, 404) for answer in answers), token
    # A token of another event enters a result there, and never here.
    assert room.post("/slip/send", token=others[0], games=[result]).status_code == 200
    assert (room.toml(), event_version(room.folder / first)) == (before, version)
    # A token of table 1 enters a result at table 1, and table 2 stays open.
    assert room.post("/slip/send", token=current[1], games=[result]).status_code == 200
    last = room.post("/tournament/state", event=first).json()["round"][1]
    assert [bool(table["games"][0].get("won")) for table in last["tables"]] == [True, False]


@pytest.mark.parametrize(
    "games",
    [
        *(
            [],
            [{}],
            [{"game": 3, "won": "a"}],
            [{"game": 1, "won": "c"}],
            [{"game": 1, "won": "a", "score": [-1, 0]}],
        ),
        *(
            [{"game": 1, "won": "a", "score": [1, 2, 3]}],
            [{"game": 1, "won": "a"}] * 2,
            [{"game": 1, "won": "a"}] * 99,
        ),
        *([{"game": 1, "won": "a"}] * 99, [{"game": 1, "won": "a", "score": [10**9, 0]}]),
        *([{"game": True, "won": "a"}], [{"won": "a"}]),
    ],
)
def test_faulty_results_of_a_phone_are_refused(room: Room, games: Any) -> None:
    room.begin(names=("Sato", "Suzuki"))
    room.do("pair")
    token = room.tokens()[1]
    assert room.post("/slip/send", token=token, games=games).status_code in (400, 413)
    assert "results" not in room.toml()


def test_actions_of_unknown_kinds_and_fields_are_refused(room: Room) -> None:
    room.begin()
    kinds = {kind.__struct_config__.tag for kind in AnyAction.__args__}
    assert len(kinds) == 14
    for do in ({"kind": "rm"}, {"kind": "pair", "out": "/tmp/x"}, {"kind": "pack", "paper": "a0"}, {}, None, "pair"):
        answer = room.post("/tournament/do", event=room.event, do=do)
        assert answer.status_code == 400
    assert (
        room.client.post(
            "/tournament/do", content=b"x" * (17 << 20), headers={"content-type": "application/json"}
        ).status_code
        == 413
    )
    assert (
        room.client.post("/slip/send", content=b"x" * 5000, headers={"content-type": "application/json"}).status_code
        == 413
    )
    assert room.client.post("/slip/send", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    evil = {"origin": "http://evil.example", "content-type": "application/json"}
    assert room.client.post("/tournament/do", content=b"{}", headers=evil).status_code == 403
    assert room.client.post("/slip/send", content=b"{}", headers=evil).status_code == 403


@pytest.mark.parametrize("path", ["/tournament", "/wall", "/slip"])
def test_the_pages_come_in_the_language_that_the_browser_asks_for(room: Room, path: str) -> None:
    for lang in ("en", "ja"):
        answer = room.client.get(path, headers={"accept-language": lang})
        assert f'<html lang="{lang}">' in answer.text and answer.headers["referrer-policy"] == "no-referrer"
