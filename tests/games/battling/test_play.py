"""Tests that games of random players have no findings, and that each kind of cheating is found at its line."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.battling.model import order_words
from generator.games.battling.notation import Header, Order
from generator.games.battling.play import actions
from generator.games.battling.post.judge import judge
from generator.games.battling.post.log import parse, print_log
from generator.games.battling.post.random_game import play
from generator.model.words import LANGS, Lang
from generator.seeds import Rng
from tests.games.battling.cheats import CHEATS, Game, games
from tests.games.battling.fields import arena, plaza, scenario
from tests.games.battling.noise import item, posted

DUEL = scenario(
    arena(9, 9, "0505"),
    "scopedog 0402, brutishdog 0502, scopedog 0602",
    "scopedog 0406, scopedog 0506, scopedog 0606",
    hp=1,
)
"""A short duel with many losses."""


@cache
def clean() -> list[Game]:
    logs = [play(plaza(), Rng(str(n), "v1/test/play")) for n in range(6)]
    duels = [play(DUEL, Rng(str(n), "v1/test/duel")) for n in range(6)]
    return [*games(plaza(), logs), *games(DUEL, duels)]


def test_whole_battles_check_clean_and_are_over() -> None:
    for game in clean():
        judged = game.judged
        assert judged.findings == ()
        assert judged.waiting == ()
        assert judged.outcome.over
    lengths = [len(game.judged.turns) for game in clean()]
    assert lengths.count(10) >= 3


def test_a_battle_shows_every_action_and_no_header_stands_over_nothing() -> None:
    for number in range(4):
        items = [entry.item for entry in parse(play(plaza(), Rng(str(number), "v1/test/play")))]
        assert {item.action for item in items if isinstance(item, Order)} == set(actions())
        heads = [isinstance(item, Header) for item in items]
        assert not heads[-1]
        assert not any(one and other for one, other in pairwise(heads))


@pytest.mark.parametrize("lang", LANGS)
def test_a_battle_of_ten_turns_reads_back_in_either_language(lang: Lang) -> None:
    text = play(plaza(), Rng("7", "v1/test/play"), lang)
    items = [entry.item for entry in parse(text)]
    assert print_log(items, lang) == text  # type: ignore[arg-type]  # a clean log has no unread line
    assert judge(text, plaza()).findings == ()


def test_a_battle_is_the_same_for_the_same_stream() -> None:
    assert play(plaza(), Rng("1", "v1/x")) == play(plaza(), Rng("1", "v1/x"))
    assert play(plaza(), Rng("1", "v1/x")) != play(plaza(), Rng("2", "v1/x"))


@pytest.mark.parametrize("kind", CHEATS)
def test_cheating_is_reported_once_at_its_line(kind: str) -> None:
    """The test uses up to four games, from both scenarios if the cheat is possible in both."""
    reason, way = CHEATS[kind]
    every = clean()
    games = [game for pair in zip(every[: len(every) // 2], every[len(every) // 2 :], strict=True) for game in pair]
    caught = 0
    for game in games:
        if caught < 4 and (cheat := way(game)):
            found = judge("\n".join(cheat.lines), game.scenario).findings
            assert [(f.line, f.reason) for f in found] == [(cheat.line, reason)]
            caught += 1
    assert caught


def test_there_are_more_than_twenty_kinds_and_every_reason_exists() -> None:
    reasons = {f"{group}.{name}" for group, names in order_words().why.items() for name in names}
    assert len(CHEATS) > 20
    assert {reason for reason, _ in CHEATS.values()} <= reasons


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32))
def test_a_log_garbled_anyhow_is_judged_without_a_crash(seed: int) -> None:
    random = Random(seed)
    game = clean()[random.randrange(len(clean()))]
    lines = list(game.lines)
    for _ in range(random.randrange(1, 12)):
        at = random.randrange(len(lines))
        match random.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, posted(item(random), random))
            case 2:
                lines[at] = "".join(random.choice((c, c, c, str(random.randrange(10)))) for c in lines[at])
            case _:
                other = random.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
    text = "\n".join(lines)
    judged = judge(text, game.scenario)
    count = len(text.split("\n"))
    assert all(1 <= finding.line <= count for finding in judged.findings)
    assert [finding.line for finding in judged.findings] == sorted(finding.line for finding in judged.findings)
    assert all(machine.hp >= 0 for machine in judged.position.machines.values())
