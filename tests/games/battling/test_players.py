"""Compare every move and die of Battling's computer players with a slow reference, and their logs with the judge."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator.common.playing import DICE, STRENGTHS, Outcome, Policy, Seated, Strength, at_strength, play_game
from generator.common.trials import Case, play
from generator.games.battling.model import SIDES
from generator.games.battling.players import PLAYING
from generator.games.battling.playing import Battle, State
from generator.games.battling.post.judge import judge
from generator.seeds import Rng
from tests.games.battling.duels import board, compare_games, duel
from tests.games.perft import perft

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize("number", range(5))
def test_a_slow_player_knows_the_same_moves_and_results(number: int) -> None:
    done = list(compare_games(number, 1, "test"))
    assert [wrong for _, wrong in done if wrong] == []
    assert sum(compared for compared, _ in done) > 10


def test_the_slow_player_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Battle, "guards", lambda *_: [])
    assert any(wrong for _, wrong in compare_games(0, 1, "test"))


def counts() -> dict[int, tuple[int, ...]]:
    """Return the number of continuations by depth for each set-up, from the table in docs/players.md."""
    text = (DOCS / "players.md").read_text("utf-8").partition("### Moves counted: Battling")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \|.*?\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
    return {int(number): tuple(int(n.replace(",", "")) for n in ways) for number, *ways in rows}


@pytest.mark.parametrize("number", range(10))
def test_moves_counted_by_depth_stand_in_the_table(number: int) -> None:
    battle = Battle(duel(number))
    found = tuple(perft(battle, battle.begin(0), depth) for depth in (1, 2))
    assert found == counts()[number][:2] == tuple(board(duel(number)).perft(depth) for depth in (1, 2))


@pytest.mark.parametrize(("number", "strength"), [*product((0, 4), STRENGTHS)])
def test_what_a_policy_chooses_is_lawful_and_a_judge_takes_its_log(number: int, strength: Strength) -> None:
    of = duel(number)
    battle = Battle(of)
    for one, other in product(PLAYING.policies.values(), repeat=2):
        lines = _told(battle, (at_strength(one, strength), at_strength(other, strength)))
        judged = judge("\n".join(lines[1:]), of)
        assert (judged.findings, judged.waiting, judged.outcome.over) == ((), (), True)
        assert lines[0] == str(SIDES.index(judged.outcome.winner) if judged.outcome.winner else None)


def _told(battle: Battle, policies: tuple[Policy, Policy]) -> list[str]:
    """Play a game, check that every move is legal, and return its winner and log."""
    lines, teller = list[str](), battle.narrator()

    def record(state: State, what: Any, fell: bool) -> None:
        assert (battle.to_move(state) >= DICE) == fell
        assert fell or what in battle.moves(state)
        lines.extend(line.ja for line in teller(state, what, fell))

    one, other = (
        Seated(policy, Rng("test", f"mind-{n}"), Rng("test", f"luck-{n}")) for n, policy in enumerate(policies)
    )
    end = play_game(battle, 0, (one, other), record)
    return [str(end.winner), *lines]


def test_a_side_that_moves_first_is_the_first_or_the_other_when_asked() -> None:
    battle = Battle(duel(0))
    assert [battle.to_move(battle.begin(first)) for first in (0, 1)] == [0, 1]
    case = Case("moved", ("brawler", "marksman"), 0, False)
    assert play(battle, PLAYING, "key", case).first == 1


def test_it_ends_with_its_turns_or_with_a_side() -> None:
    battle = Battle(replace(duel(4), turns=24))
    ends = [
        play(battle, PLAYING, "key", Case("full", ("brawler", "brawler"), n, swapped))
        for n in range(12)
        for swapped in (False, True)
    ]
    assert {row.winner for row in ends} >= {0, 1}
    assert all(row.length <= 24 for row in ends)
    assert any(max(row.counted) == len(battle.sides[0]) and row.length < 24 for row in ends)


def test_policies_behave_as_their_names_say() -> None:
    """The brawler battles most often, the marksman shoots most often, and the lurker guards most often."""
    battle = Battle(duel(0))
    done = {}
    for name in PLAYING.policies:
        letters: list[int] = []
        note = partial(_letters, letters)
        for n in range(12):
            play(battle, PLAYING, "key", Case("full", (name, name), n, False), note)
        done[name] = [letters.count(action) / len(letters) for action in range(6)]
    assert max(done, key=lambda name: done[name][4]) == "brawler"
    assert max(done, key=lambda name: done[name][3]) in ("marksman", "brawler")
    assert max(done, key=lambda name: done[name][5]) == "lurker"


def _letters(into: list[int], state: State, what: Any, fell: bool) -> None:
    into.extend([] if fell else [what[1]])


def test_an_outcome_counts_machines() -> None:
    battle = Battle(duel(0))
    state = battle.begin(0)._replace(stage=-1)
    assert battle.ended(state) == Outcome(None, (0, 0), 1)
