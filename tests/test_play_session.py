"""Tests of games in play: legal moves, undo, hints, odds, frames, and saved games, for every game."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator import games
from generator.cli.text_board import text_board
from generator.common.play_session import (
    Frame,
    PlaySession,
    SavedScenario,
    SavedStep,
    Seat,
    decode,
    encode,
    folded,
)
from generator.common.playing import LEVELS, at_level
from generator.errors import NotInOrderError, WrongUsageError
from generator.games.battlelore.playing import ROLL as LORE_ROLL
from generator.games.battlelore.tables import lore
from generator.games.travel_battle.playfield import ROLL as TRAVEL_ROLL
from generator.localization import display_width
from generator.model.scenario import Request
from generator.seeds import Rng

CODE = "K7Q2M-9FHN5"
OPTIONS = {
    "battlelore": {},
    "call_to_arms": {},
    "battling": {"turns": "6"},
    "travel_battle": {},
    "blind_faith": {"kind": "battle", "points": "30"},
}
GAMES = list(OPTIONS)


@cache
def scenario(game: str) -> Any:
    """Return a drawn scenario of a game."""
    return games.load(game).draw(Request(CODE, dict(OPTIONS[game]), {}))


def new_session(game: str, seats: tuple[Seat, Seat] = (Seat(), Seat("", "casual"))) -> PlaySession:
    playing = games.load(game).playing
    assert playing
    return PlaySession(playing, scenario(game), seats, CODE)


def decisions(session: PlaySession, count: int) -> Iterator[PlaySession]:
    """Make random legal moves for the person, and yield the session before each of them."""
    rng = Rng(CODE, "test/decisions")
    for _ in range(count):
        while session.advance():
            pass
        if session.outcome:
            return
        yield session
        session.apply(rng.choice(session.choices()).notation)


@pytest.mark.parametrize("game", GAMES)
def test_each_choice_is_found_by_its_notation_and_its_short_form(game: str) -> None:
    for session in decisions(new_session(game), 14):
        choices = session.choices()
        assert len({choice.notation for choice in choices}) == len(choices)
        assert session.question().en
        assert session.question().ja
        assert all(choice.text.en and choice.text.ja for choice in choices)
        before = session.state
        for choice in choices[:: max(1, len(choices) // 8)]:
            assert session.find_move(choice.notation) == choice.notation
            found = session.find_move(choice.entry.upper())
            assert found, choice
            session.apply(found)
            after = session.state
            session.undo()
            session.apply(choice.notation)
            assert session.state == after, choice
            session.undo()
            assert session.state == before


@pytest.mark.parametrize("game", GAMES)
def test_a_decision_can_be_undone_until_dice_or_the_opponent_follow(game: str) -> None:
    session = new_session(game)
    undone = 0
    for _ in decisions(session, 40):
        before, log = session.state, session.log()
        session.apply(session.choices()[-1].notation)
        assert session.undoable
        session.undo()
        assert (session.state, session.log()) == (before, log)
        undone += 1
        if session.step_count and not session.undoable:
            with pytest.raises(WrongUsageError, match=r"nothing can be taken back|no move of yours"):
                session.undo()
    assert undone > 5


@pytest.mark.parametrize("level", ["weak", "strong"])
@pytest.mark.parametrize("game", GAMES)
def test_a_resumed_game_goes_on_exactly(game: str, level: Any) -> None:
    session = new_session(game, (Seat(), Seat("", level)))
    for _ in decisions(session, 12):
        pass
    while session.advance():
        pass
    content = encode(session.save(SavedScenario("0"), game))
    again = PlaySession.load(session.playing, scenario(game), decode(content))
    assert again.state == session.state
    assert encode(again.save(SavedScenario("0"), game)) == content
    for one, _ in zip(decisions(session, 12), decisions(again, 12), strict=True):
        assert again.state == one.state
        assert list(again.frames(0)) == list(one.frames(0))


@pytest.mark.parametrize("game", GAMES)
def test_a_saved_game_is_refused_if_a_step_is_impossible(game: str) -> None:
    session = new_session(game)
    for _ in decisions(session, 3):
        pass
    saved = session.save(SavedScenario("0"), game)
    wrong = msgspec.structs.replace(saved, steps=(*saved.steps[:2], SavedStep(0, "nonsense"), *saved.steps[2:]))
    with pytest.raises(NotInOrderError, match="step 3 of the saved game"):
        PlaySession.load(session.playing, scenario(game), wrong)


def test_files_that_are_not_saved_games_are_reported() -> None:
    for content in (b"", b"[]", b"{}", b'{"format": 1}', b"\xff"):
        with pytest.raises(NotInOrderError, match="not a saved game"):
            decode(content)
    with pytest.raises(NotInOrderError, match="format 2"):
        decode(b'{"format": 2, "new": true}')


@pytest.mark.parametrize("game", GAMES)
def test_frames_add_up_to_the_position_at_every_step(game: str) -> None:
    session = new_session(game, (Seat("", "casual"), Seat("", "casual")))
    positions, scores, dice = [dict[str, tuple[str, int]]()], [], 0
    positions[0] = {unit.id: (unit.place, unit.left) for unit in session.units()}
    while session.advance():
        positions.append({unit.id: (unit.place, unit.left) for unit in session.units()})
        scores.append(session.score())
    frames = list(session.frames())
    assert [frame.number for frame in frames] == list(range(len(positions)))
    place, left = dict[str, str](), dict[str, int]()
    for frame, position in zip(frames, positions, strict=True):
        place |= frame.moved
        left |= frame.left
        assert {name: (place[name], left[name]) for name in place} == position
        dice += len(frame.dice)
    assert [frame.score for frame in frames[1:]] == scores
    assert session.outcome and session.outcome.counted == frames[-1].score
    assert dice
    assert all(frame.event.kind for frame in frames)


@pytest.mark.parametrize("game", ["battlelore", "call_to_arms"])
def test_a_seat_does_not_see_the_opponents_cards(game: str) -> None:
    session = new_session(game)
    for _ in decisions(session, 30):
        pass
    frames = list(session.frames(0))
    draws = [frame for frame in frames if frame.event.kind == "draw"]
    assert {frame.event.what != "" for frame in draws if frame.seat == 0} == {True}
    assert {frame.event.what for frame in draws if frame.seat == 1} == {""}
    everything: list[Frame] = list(session.frames())
    assert all(frame.event.what for frame in everything if frame.event.kind == "draw")


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_legal_and_has_a_reason_in_both_languages(game: str) -> None:
    session, hints = new_session(game), 0
    while not session.outcome and hints < 40:
        if session.advance():
            continue
        before = encode(session.save(SavedScenario("0"), game))
        hint = session.hint()
        assert hint.move.notation in {choice.notation for choice in session.choices()}
        assert encode(session.save(SavedScenario("0"), game)) == before
        assert session.hint().move == hint.move
        for line in (hint.move.text, *hint.reasons):
            assert line.en
            assert line.ja
            assert "{" not in line.en + line.ja
        session.apply(hint.move.notation)
        hints += 1
    assert hints > 5


def test_hints_do_not_depend_on_the_opponents_cards() -> None:
    session = new_session("battlelore")
    while session.advance():
        pass
    engine: Any = session.engine
    kinds, cards = len(engine.deck), session.state.cards
    hand, other, deck, played = (cards[n * kinds : (n + 1) * kinds] for n in range(4))
    hint = session.hint()
    session.state = session.state._replace(cards=hand + deck + other + played)
    assert deck != other
    assert session.hint() == hint


def test_faces_of_a_lore_roll_have_its_result_and_the_chances_of_real_dice() -> None:
    session = new_session("battlelore", (Seat("", "casual"), Seat("", "casual")))
    seen = 0
    while session.advance():
        state = session.state
        if session.outcome or state.phase != LORE_ROLL:
            continue
        roll = session.engine.roll(state)  # type: ignore[attr-defined]
        if roll.dice > 2:
            continue
        faces = [face.id for face in lore().play.face]
        real = Counter(session.presenter.outcome(state, dice) for dice in product(faces, repeat=roll.dice))
        whole = sum(roll.weights)
        assert {n: Fraction(weight, whole) for n, weight in enumerate(roll.weights)} == {
            n: Fraction(real[n], len(faces) ** roll.dice) for n in range(len(roll.weights))
        }
        for outcome in range(len(roll.weights)):
            made = {tuple(session.presenter.faces(state, outcome, Rng(CODE, f"f/{n}"))) for n in range(200)}
            assert {session.presenter.outcome(state, dice) for dice in made} == {outcome}
            assert len(made) > min(5, real[outcome] - 1)
        seen += 1
        if seen == 3:
            return
    raise AssertionError("too few rolls")


def test_faces_of_a_travel_battle_melee_have_its_highest_die() -> None:
    session = new_session("travel_battle", (Seat("", "casual"), Seat("", "casual")))
    seen = 0
    while session.advance():
        if session.outcome or session.state.stage != TRAVEL_ROLL:
            continue
        for outcome in range(6):
            faces = session.presenter.faces(session.state, outcome, Rng(CODE, f"f/{seen}"))
            assert max(map(int, faces)) == outcome + 1
            assert session.presenter.outcome(session.state, faces) == outcome
        seen += 1
    assert seen > 5


def test_dice_from_the_table_replace_those_of_the_code() -> None:
    session = new_session("battling", (Seat("", "casual"), Seat("", "casual")))
    while session.to_move is not None:
        session.advance()
    with pytest.raises(WrongUsageError, match="cannot be rolled"):
        session.roll((7,))
    session.roll((6,))
    saved = session.save(SavedScenario("0"), "battling")
    assert (saved.steps[-1].outcome, saved.steps[-1].entered) == (5, True)
    again = PlaySession.load(session.playing, scenario("battling"), saved)
    for _ in range(20):
        assert session.advance() == again.advance()
        assert session.state == again.state


@pytest.mark.parametrize("game", GAMES)
def test_levels_have_the_players_that_the_documentation_names(game: str) -> None:
    playing = games.load(game).playing
    assert playing
    first = next(iter(playing.policies.values()))
    chosen = {level: at_level(playing, level, 0) for level in LEVELS}
    assert chosen["casual"] is first
    assert (chosen["weak"].id, chosen["weak"].pick is first.pick) == (first.id, False)
    assert chosen["club"] is playing.strong["captain"]
    assert chosen["strong"] is (playing.searching or playing.strong["captain"])


def test_odds_of_a_named_attack() -> None:
    session = new_session("battling")
    lines = session.odds("f1", "S1")
    assert "F1 cannot shoot at S1" in lines[0].en
    with pytest.raises(WrongUsageError, match="same side"):
        session.odds("F1", "F2")
    with pytest.raises(WrongUsageError, match="no unit named 'X9'"):
        session.odds("X9", "F2")


def test_folded_moves() -> None:
    assert folded("＃1：Ｒ／5／0712") == "1 r 5 0712"
    assert folded("Left_Probe") == folded("left probe")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", ["battlelore", "battling", "travel_battle"])
def test_a_board_in_characters_shows_every_unit_above_its_cell(game: str, lang: Any) -> None:
    session = new_session(game)
    view = session.engine.view(session.state)
    assert view
    places: dict[str, list[str]] = {}
    for unit in session.units():
        places.setdefault(unit.place, []).append(unit.id)
    for turned, columns in product((False, True), (80, 200)):
        lines = text_board(view, places, lang, columns, turned)
        text = "\n".join(lines)
        assert all(display_width(line) <= columns for line in lines[:-1])
        for unit in session.units():
            assert text.count(f"{unit.id} ") + text.count(f"{unit.id}\n") >= 1, unit.id
        if game != "travel_battle":
            for name, (first, *_) in places.items():
                row = next(n for n, line in enumerate(lines) if f" {name} " in f" {line} ")
                column = display_width(lines[row][: f" {lines[row]} ".index(f" {name} ")])
                above = f"{lines[row - 1]} "
                assert above.index(f"{first} ") == column


def test_the_captain_makes_the_documented_moves_in_the_pictures_of_positions() -> None:
    """Positions of docs/players.md, whose pictures docs/make_positions.py creates."""
    path = Path(__file__).resolve().parents[1] / "docs" / "make_positions.py"
    spec = importlib.util.spec_from_file_location("make_positions", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_positions"] = module
    spec.loader.exec_module(module)
    for position in module.POSITIONS:
        session = module.reached(position)
        made: list[str] = []
        while len(made) < len(position.moves):
            seat = session.to_move
            session.advance()
            (*_, frame) = session.frames()
            made += [frame.move] if seat is not None else []
        assert tuple(made) == position.moves
        assert (path.parent / f"position-{position.game}.png").is_file()
