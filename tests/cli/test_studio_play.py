"""Tests of games in play over the studio's server: every game, undo, dice from the table, saved games, and faults."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx2", reason="httpx2, which drives it without a socket, is not installed")

from starlette.testclient import TestClient

from generator.cli import studio_play
from generator.cli.studio_play_request import PlayRequest
from generator.cli.studio_server import Studio
from generator.common.play_session import Seat
from generator.common.presenter import percent_text
from generator.model.words import LANGS
from generator.notation import envelope
from generator.seeds import Rng
from tests.cli.conftest import CODE
from tests.cli.run import muster
from tests.test_play_session import GAMES, scenario

HOST = "127.0.0.1:8000"
PERSON, CASUAL = {"player": "person", "level": "casual"}, {"player": "", "level": "casual"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Studio(frozenset({HOST})).app(), base_url=f"http://{HOST}") as made:
        yield made


@cache
def text_of(game: str) -> str:
    """Return the text of the scenario file of a game."""
    from generator import games

    drawn = scenario(game)
    return envelope.compose(drawn.origin, games.load(game).write(drawn))


def play(client: TestClient, action: str, status: int = 200, /, **values: object) -> Any:
    answer = client.post("/play", json={"action": action, **values})
    assert answer.status_code == status, answer.text[:500]
    return answer.json()


def begin(client: TestClient, game: str, *seats: dict[str, str], **values: object) -> Any:
    values = {"draws": True, "code": CODE, **values}
    return play(client, "new", scenario=text_of(game), seats=list(seats or (PERSON, CASUAL)), **values)


def cells(svg: str) -> set[str]:
    return set(re.findall(r'data-cell="([^"]+)" data-ground', svg))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_computer_has_a_picture_of_every_position(client: TestClient, game: str) -> None:
    watched = begin(client, game, CASUAL, CASUAL)
    assert watched["outcome"]["text"]
    assert [frame["number"] for frame in watched["frames"]] == list(range(watched["count"] + 1))
    changed = {frame["number"] for frame in watched["frames"] if frame["moved"] or frame["left"]}
    assert {0, *changed} <= {position["number"] for position in watched["positions"]}
    board = cells(watched["boards"][0])
    for position in watched["positions"]:
        assert watched["boards"][position["board"]]
        for number in position["units"]:
            element = watched["elements"][number]
            for symbol in re.findall(r'xlink:href="#([^"]+)"', element):
                assert symbol in watched["definitions"] or f'id="{symbol}"' in watched["boards"][position["board"]]
            for cell in re.findall(r'data-cell="([^"]+)"', element):
                assert cell in board


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_shows_the_units_where_the_game_has_them(client: TestClient, game: str) -> None:
    if game == "blind_faith":
        pytest.skip("its units stand in a front or a reserve, and not on cells")
    watched = begin(client, game, CASUAL, CASUAL)
    places: dict[str, str] = {}
    positions = {position["number"]: position for position in watched["positions"]}
    for frame in watched["frames"]:
        places |= frame["moved"]
        if position := positions.get(frame["number"]):
            drawn = [watched["elements"][number] for number in position["units"]]
            drawn_at = sorted(cell for element in drawn for cell in re.findall(r'data-cell="([^"]+)"', element))
            assert drawn_at == sorted(place for place in places.values() if place), frame["number"]


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_undoes_saves_and_resumes(client: TestClient, game: str, here: Path) -> None:
    now, rng, undone = begin(client, game), Rng(CODE, "test/studio"), 0
    for _ in range(30):
        if now["outcome"]:
            break
        assert now["choices"]
        assert now["question"]
        choice = rng.choice(now["choices"])
        after = play(client, "move", saved=now["saved"], move=choice["move"], since=now["count"])
        assert after["count"] > now["count"]
        assert [frame["number"] for frame in after["frames"]] == list(range(now["count"] + 1, after["count"] + 1))
        if after["undoable"]:
            before = play(client, "undo", saved=after["saved"], since=after["count"])
            assert (before["saved"], before["choices"]) == (now["saved"], now["choices"])
            undone += 1
            after = play(client, "move", saved=now["saved"], move=choice["move"], since=now["count"])
        now = after
    assert undone or game == "blind_faith"
    Path("studio.game.json").write_text(now["saved"], "utf-8")
    assert not muster("play", "--resume", "studio.game.json").err
    # Another process of the studio, which has not seen the game, answers the same.
    studio_play._sessions.clear()
    request = PlayRequest("open", saved=now["saved"], since=now["count"])
    opened = studio_play.answer(request, here)
    assert json.loads(json.dumps(opened))["choices"] == now["choices"]
    assert opened["saved"] == now["saved"]


@pytest.mark.parametrize("game", GAMES)
def test_choices_name_places_of_the_map_and_attacks_have_their_chances(client: TestClient, game: str) -> None:
    now, attacks, rng = begin(client, game), 0, Rng(CODE, "test/chances")
    board = cells(now["boards"][0])
    for _ in range(40):
        if now["outcome"]:
            break
        for choice in now["choices"]:
            assert {choice["from"], choice["to"]} - {""} <= board | (
                {"front", "reserve"} if game == "blind_faith" else set()
            )
            if choice["chance"] is not None:
                attacks += 1
                assert 0 <= choice["chance"] <= 1
                text = choice["text"]
                if game == "battling":  # An order is described without its odds.
                    pair = {"unit": choice["unit"], "target": choice["targets"][0]}
                    text = "\n".join(play(client, "odds", saved=now["saved"], **pair)["lines"])
                assert f"{percent_text(choice['chance'])} %" in text, choice
        wanted = [one for one in now["choices"] if one["chance"] is not None] or now["choices"]
        now = play(client, "move", saved=now["saved"], move=rng.choice(wanted)["move"], since=now["count"])
    assert attacks


@pytest.mark.parametrize("game", GAMES)
def test_dice_from_the_table_are_asked_for_and_taken(client: TestClient, game: str) -> None:
    now, rolled, rng = begin(client, game, by_hand=True), 0, Rng(CODE, "test/dice")
    for _ in range(200):
        if now["outcome"] or rolled > 4:
            break
        common = {"saved": now["saved"], "since": now["count"], "by_hand": True}
        if roll := now["roll"]:
            assert not now["choices"]
            faces = [rng.choice(roll["faces"])["face"] for _ in range(roll["count"])]
            play(client, "roll", 422, faces=[*faces, "nonsense"], **common)
            now = play(client, "roll", faces=faces, **common)
            assert now["frames"][0]["dice"] == faces
            rolled += 1
        else:
            wanted = [one for one in now["choices"] if one["chance"] is not None] or now["choices"]
            now = play(client, "move", move=rng.choice(wanted)["move"], **common)
    assert rolled > 4
    steps = json.loads(now["saved"])["steps"]
    assert sum(step.get("entered", False) for step in steps) == rolled


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_one_of_the_choices_and_has_reasons_in_both_languages(client: TestClient, game: str) -> None:
    now = begin(client, game)
    lines = set()
    for lang in LANGS:
        hint = play(client, "hint", saved=now["saved"], lang=lang)
        assert hint["move"] in {choice["move"] for choice in now["choices"]}
        lines.add(tuple(hint["lines"]))
    assert len(lines) == 2
    # The game is the same after a hint.
    assert play(client, "open", saved=now["saved"], since=now["count"])["saved"] == now["saved"]


def test_two_people_at_one_screen_see_neither_card_that_is_drawn(client: TestClient) -> None:
    now, rng = begin(client, "battlelore", PERSON, PERSON), Rng(CODE, "test/two")
    movers: set[int] = set()
    for _ in range(400):
        if now["outcome"] or (len(movers) == 2 and now["turn"] > 2):
            break
        movers.add(now["to_move"])
        assert now["people"] == [0, 1]
        assert now["hand"]
        now = play(client, "move", saved=now["saved"], move=rng.choice(now["choices"])["move"], since=now["count"])
        for frame in now["frames"]:
            if frame["event"]["kind"] == "draw":
                assert not frame["event"]["what"]
                assert not frame["text"]
    assert movers == {0, 1}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_on_from_a_position_that_was_watched(client: TestClient, game: str) -> None:
    watched = begin(client, game, CASUAL, CASUAL)
    step = watched["count"] // 2
    now = play(client, "branch", saved=watched["saved"], step=step, seats=[PERSON, CASUAL], draws=True)
    assert now["count"] >= step
    assert now["people"] == [0]
    assert json.loads(now["saved"])["steps"][:step] == json.loads(watched["saved"])["steps"][:step]
    assert now["outcome"] or now["choices"]


def test_win_rates_are_repeatable_and_certain_after_the_last_step(client: TestClient) -> None:
    watched = begin(client, "battlelore", CASUAL, CASUAL)
    end = watched["count"]
    rates = [play(client, "rates", saved=watched["saved"], steps=[0, end], games=6)["rates"] for _ in range(2)]
    assert rates[0] == rates[1]
    assert rates[0][-1] == {"step": end, "games": 6, "won": 6.0 if watched["outcome"]["winner"] == 0 else 0.0}
    assert 0 <= rates[0][0]["won"] <= 6
    play(client, "rates", 422, saved=watched["saved"], steps=[end + 1])
    play(client, "rates", 422, saved=watched["saved"], steps=[0], games=100_000)


@pytest.mark.parametrize("game", GAMES)
def test_a_move_takes_little_processor_time(game: str, here: Path) -> None:
    rng = Rng(CODE, "test/time")
    seats = Seat(), Seat("", "casual")
    now: Any = studio_play.answer(PlayRequest("new", scenario=text_of(game), seats=seats, draws=True), here)
    taken = []
    for _ in range(20):
        if now["outcome"]:
            break
        move = rng.choice(now["choices"])["move"]
        began = time.process_time()
        now = studio_play.answer(PlayRequest("move", saved=now["saved"], move=move, since=now["count"]), here)
        taken.append(time.process_time() - began)
    assert sorted(taken)[len(taken) // 2] <= 0.1, taken


FAULTS: tuple[tuple[str, dict[str, object], int], ...] = (
    ("open", {"saved": ""}, 422),
    ("open", {"saved": "{}"}, 422),
    ("open", {"saved": '{"format": 99}'}, 422),
    ("new", {"scenario": ""}, 422),
    ("new", {"scenario": "[muster]\ngame = 'battling'\n"}, 422),
    ("new", {"scenario": "x", "files": {"../x": ""}}, 400),
    ("new", {"scenario": "x", "files": {f"{n}.toml": "" for n in range(21)}}, 400),
    ("new", {"scenario": "x", "unknown": 1}, 400),
    ("fly", {}, 400),
)


@pytest.mark.parametrize(("action", "values", "status"), FAULTS)
def test_faulty_requests_are_refused_in_both_languages(
    client: TestClient, action: str, values: dict[str, object], status: int
) -> None:
    for lang in LANGS:
        problems = play(client, action, status, lang=lang, **values)["problems"]
        assert problems
        assert problems[0]["message"]


def test_a_saved_game_that_was_tampered_with_is_refused(client: TestClient, tmp_path: Path) -> None:
    now = begin(client, "battlelore")
    saved = json.loads(now["saved"])
    for change in (
        {"first": 7},
        {"seats": [{"player": "nobody"}, {"player": "person"}]},
        {"steps": [{"seat": 0, "move": "nonsense"}]},
        {"steps": [{"seat": 9, "outcome": 10**9}]},
        {"scenario": {**saved["scenario"], "sha256": ""}},
        {"scenario": {**saved["scenario"], "sha256": "0" * 16}},
    ):
        assert play(client, "open", 422, saved=json.dumps(saved | change))["problems"], change
    # The folder of a saved game is never opened.
    secret = tmp_path / "secret.toml"
    secret.write_text("x", "utf-8")
    elsewhere = saved | {"scenario": {**saved["scenario"], "folder": str(tmp_path)}}
    assert json.loads(play(client, "open", saved=json.dumps(elsewhere))["saved"])["scenario"].get("folder", "") == ""


def test_a_move_that_is_not_possible_leaves_the_game_as_it_is(client: TestClient) -> None:
    now = begin(client, "battlelore")
    play(client, "move", 422, saved=now["saved"], move="nonsense")
    play(client, "undo", 422, saved=now["saved"])
    choice = now["choices"][0]["move"]
    assert play(client, "move", saved=now["saved"], move=choice, since=now["count"])["count"] > now["count"]
