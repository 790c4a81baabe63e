"""Tests for computer play of BattleLore: the engine against a slow reference, the tables, the computer players."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.common.playing import DICE, STRENGTHS, Seated, at_strength, play_game
from generator.errors import WrongUsageError
from generator.games.battlelore.draw import draw
from generator.games.battlelore.game import GAME
from generator.games.battlelore.ground import SIDES
from generator.games.battlelore.play import reach, screens
from generator.games.battlelore.playfield import CODES, Field, bits, commands, lawful, packed
from generator.games.battlelore.playing import IGNORE, Course
from generator.games.battlelore.told_playing import PlayReporter
from generator.model.scenario import Request
from generator.model.words import LANGS, Words
from generator.seeds import Rng, code_for
from tests.games.battlelore.perft import DEEP, Setup, by_engine, by_reference, engine_of, setups, state_of
from tests.games.battlelore.play_cases import BATTLES, POSITIONS, play_differences
from tests.games.battlelore.prospects_cases import random_scenario


@pytest.mark.parametrize("number", random.Random("play").sample(range(BATTLES), 8))
def test_engine_and_reference_agree_on_what_is_lawful_and_what_every_roll_does(number: int) -> None:
    found = list(play_differences(random_scenario(number), number, POSITIONS // 4))
    assert not found, (
        f"playfield.py or tests/games/battlelore/play_reference.py is wrong; first of {len(found)}: {found[0]}"
    )


def test_they_agree_on_the_longer_board() -> None:
    battle = draw(Request(code_for(31), {"board": "memoir"}, {}))
    assert list(play_differences(battle, "memoir", POSITIONS)) == []


def test_a_faulty_engine_differs_from_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison reports an engine that ignores one flag too many."""
    good = Field.nerve
    monkeypatch.setattr(Field, "nerve", lambda *of: (good(*of)[0] + 1, *good(*of)[1:]))
    assert any(
        "dice lead to" in fault for n in range(3, 9) for fault in play_differences(random_scenario(n), n, POSITIONS)
    )


def test_an_engine_that_ignores_victory_hexes_differs_from_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Course, "_counted", lambda engine, state: state)
    assert any(list(play_differences(random_scenario(number), number, POSITIONS // 4)) for number in range(2, 12))


@pytest.mark.parametrize("number", range(4))
def test_ways_and_lines_are_those_that_are_printed(number: int) -> None:
    battle = random_scenario(number)
    field, dice = Field(battle), random.Random(f"ways {number}")
    index = battle.board.field.index
    taken = sum(1 << cell for cell in field.at)
    over = screens(battle.board, [unit.hex for _, unit in battle.units if unit.hex], battle.rulings)
    for unit, cell in enumerate(field.at):
        kind = field.kind[unit]
        steps = reach(battle.board, {field.cells[c] for c in field.at}, field.cells[cell], field.runs[kind])
        near, far = field.ways(kind, cell, taken)
        assert set(bits(near)) == {index[c] for c, n in steps.items() if n <= field.moves[kind]}
        assert set(bits(far)) == {index[c] for c, n in steps.items() if n > field.moves[kind]}
    for a, b in (dice.sample(range(len(field.cells)), 2) for _ in range(400)):
        if field.far[a][b] > 1:
            assert field.clear(a, b, taken) == (not over.stops(a, b))


def test_a_unit_on_a_dotted_line_goes_to_the_account_of_either_section() -> None:
    left, both, centre = (packed(code) for code in (1, 3, 2))
    assert {both, left, both + centre} <= lawful((1, 1, 0))
    assert not {left + left, both + both + centre, both + both + both} & lawful((1, 1, 0))
    assert len(CODES) == 5


def test_the_deck_treats_both_wings_alike() -> None:
    counts = {card.quota: card.count for card in commands().card}
    assert sum(counts.values()) == 42
    assert all(counts[right, centre, left] == n for (left, centre, right), n in counts.items())


def test_there_are_ten_setups_in_docs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "players.md").read_text("utf-8")
    assert len(setups()) == 10
    for setup in setups():
        assert f"| {setup.code} | {' | '.join(f'{n:,}' for n in setup.counts)} |" in page


@pytest.mark.parametrize("setup", setups(), ids=lambda setup: setup.code)
def test_ways_to_go_on_are_as_many_as_the_table_says(setup: Setup) -> None:
    engine = engine_of(setup)
    state = state_of(engine, setup)
    for depth, count in enumerate(setup.counts[:-1], 1):
        assert by_engine(engine, state, depth) == count


@pytest.mark.parametrize("setup", random.Random("perft").sample(setups(), 3), ids=lambda setup: setup.code)
def test_the_reference_counts_as_many(setup: Setup) -> None:
    for depth in range(1, DEEP):
        assert by_reference(setup, depth) == setup.counts[depth - 1]


@pytest.mark.parametrize("policy", ["charger", "keeper", "shooter", "captain", "raider"])
def test_a_player_decides_by_the_state_alone_and_lawfully(policy: str) -> None:
    assert GAME.playing
    battle, pick = random_scenario(11), GAME.playing.all_policies[policy].pick
    engine, other = PlayReporter(battle, (0, 1)), PlayReporter(battle, (0, 1))
    state, dice, mind = engine.begin(0), random.Random(policy), Rng("A", "b")
    seen = set()
    while not engine.ended(state) and state.turn < 12:
        if engine.to_move(state) >= DICE:
            weights = list(engine.chances(state))
            state = engine.fall(state, dice.choices(range(len(weights)), weights)[0])
            continue
        move = pick(engine, state, mind)
        assert move in engine.moves(state)
        # A new engine has an empty cache.
        assert dice.random() < 0.9 or move == pick(other, state, mind)
        seen.add(state.phase)
        state = engine.act(state, move)
    assert len(seen) >= 5


def test_a_game_is_reported_to_its_end_in_both_languages() -> None:
    playing = GAME.playing
    assert playing
    battle = draw(Request(code_for(20261122), {}, {}))
    engine = playing.engine(battle)
    lines: list[Words] = []
    narrator = engine.narrator()
    players = [
        Seated(p, Rng("A", f"mind {n}"), Rng("A", f"luck {n}")) for n, p in enumerate(playing.policies.values())
    ]
    end = play_game(engine, 0, (players[0], players[1]), lambda *of: lines.extend(narrator(*of)))
    for lang in LANGS:
        text = "\n".join(line[lang] for line in lines)
        assert "{" not in text
        assert text.count({"en": "is destroyed", "ja": "は壊滅"}[lang]) == sum(end.counted)
    state = engine.begin(0)
    view = engine.view(state)
    assert view
    assert len(view.tokens) == len(battle.units)
    assert str(battle.banners) in engine.describe(state).en


def test_scenarios_that_cannot_be_played_are_reported() -> None:
    battle = random_scenario(1)
    camp = SIDES[0]
    empty = replace(battle, forces={**battle.forces, camp: replace(battle.forces[camp], units=())})
    with pytest.raises(WrongUsageError):
        PlayReporter(empty, (0,))
    twice = tuple(replace(unit, hex=battle.forces[camp].units[0].hex) for unit in battle.forces[camp].units)
    with pytest.raises(WrongUsageError):
        PlayReporter(replace(battle, forces={**battle.forces, camp: replace(battle.forces[camp], units=twice)}), (0,))


def test_a_bold_unit_may_ignore_fewer_flags_than_it_can_and_each_policy_ignores_all() -> None:
    """Random play continues from an attack on a Bold unit, with every decision about the flags."""
    assert GAME.playing
    policies = [at_strength(p, strength) for p in GAME.playing.policies.values() for strength in STRENGTHS]
    found = set[tuple[int, int]]()
    for number in range(20):
        engine, dice = PlayReporter(random_scenario(number), (0, 1)), random.Random(number)
        state = engine.begin(0)
        for _ in range(600):
            if engine.ended(state):
                break
            if engine.to_move(state) >= DICE:
                weights = list(engine.chances(state))
                state = engine.fall(state, dice.choices(range(len(weights)), weights)[0])
                continue
            moves = list(engine.moves(state))
            if state.phase == IGNORE:
                flags, most = state.fight.left, moves[0]
                found.add((flags, most))
                assert moves == list(range(most, -1, -1))
                assert 1 <= most <= flags
                assert engine.to_move(state) == engine.field.seat[state.fight.on]
                mind = Rng("A", "b")
                assert {p.pick(engine, state, mind) for p in policies} == {most}
                assert mind.below(1_000) == Rng("A", "b").below(1_000), "a decision about flags used a random number"
            state = engine.act(state, dice.choice(moves[:-1] or moves))
    assert {(1, 1), (2, 1), (2, 2)} <= found


def test_a_figure_lost_for_a_hex_that_cannot_be_retreated_is_reported() -> None:
    """A unit that retreats one hex of two and is then blocked loses a figure, which the log must report."""
    reported = 0
    for number in range(20):
        engine, dice = PlayReporter(random_scenario(number), (0, 1)), random.Random(number)
        state, narrator = engine.begin(0), engine.narrator()
        for _ in range(600):
            if engine.ended(state):
                break
            fell = engine.to_move(state) >= DICE
            choices = [i for i, n in enumerate(engine.chances(state)) if n] if fell else list(engine.moves(state))
            move = dice.choice(choices if fell else choices[:-1] or choices)
            after = engine.fall(state, move) if fell else engine.act(state, move)
            lines = "\n".join(line.en for line in narrator(state, move, fell))
            lost = sum(state.figures) > sum(after.figures)
            assert lost == ("left" in lines or "is destroyed" in lines), lines
            reported += lost and not fell
            state = after
    assert reported
