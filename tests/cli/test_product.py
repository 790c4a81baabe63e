"""Tests on a sample of what `make prove ARGS=verbs` proves in full.

The table is complete, and the proof detects faults.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from generator import games
from generator.cli import VERBS, game_verbs, muster
from generator.model.words import Lang
from tests.cli.forms import leaves
from tests.cli.run import Run
from tests.prove.figure import SEED
from tests.prove.parts import verbs
from tests.prove.parts.verbs import ROWS, Case

COMMANDS = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text("utf-8")
SAMPLE = verbs.sample(SEED)


ENDLESS = {"studio"}
"""Verbs that run until they are interrupted. test_studio.py tests them."""


def test_the_table_knows_every_verb() -> None:
    assert {row.verb for row in ROWS} == set(leaves(muster)) - ENDLESS
    assert {row.verb.split()[0] for row in ROWS} == {*VERBS, *game_verbs()} - ENDLESS


def test_the_table_has_the_games_that_say_they_have_it() -> None:
    for game in map(games.load, games.names()):
        verbs_of_game = {p.verb for p in game.prints} | {q.verb for q in game.queries}
        of: dict[str, object] = {"sight": game.sight, "orders": game.logbook, "odds": game.odds, "play": game.playing}
        of["carry"] = game.campaign
        verbs_of_game |= {name for name, has in of.items() if has}
        assert verbs_of_game == {what for what, having in verbs.HAVE.items() if game.name in having}
        assert game.fairness and game.score, "the table thinks that every game has them"


def test_a_games_verbs_are_those_it_answers_and_none_of_ours() -> None:
    assert not VERBS.keys() & game_verbs().keys()
    shared = {row.verb for row in ROWS} & VERBS.keys()
    for game in map(games.load, games.names()):
        of = {name: verbs[game.name] for name, verbs in game_verbs().items() if game.name in verbs}
        assert {name for name, verb in of.items() if not verb.prints} == {query.verb for query in game.queries}
        assert {name for name, verb in of.items() if verb.prints} == {p.verb for p in game.prints} - shared


def test_the_list_of_commands_names_the_game() -> None:
    for what, having in verbs.HAVE.items():
        if len(having) == 1:
            (line,) = (line for line in COMMANDS.splitlines() if line.startswith(f"| `muster {what}"))
            assert f"({games.load(having[0]).title.en})" in line


def test_each_verbs_default_game_is_in_the_sample() -> None:
    sampled = {case.row for case in SAMPLE if case.code == 0 and case.meant in (case.of.default_game, *_have(case))}
    assert sampled == set(range(len(ROWS)))


def _have(case: Case) -> tuple[str, ...]:
    """Return the games used instead of the default game if the default lacks the option or takes too long."""
    return verbs.HAVE.get(case.of.have, (verbs.DEFAULT,))


@pytest.mark.usefixtures("found_once")
@pytest.mark.parametrize("verb", dict.fromkeys(row.verb for row in ROWS))
def test_it_does_as_documented(verb: str) -> None:
    assert [fault for case in SAMPLE if case.of.verb == verb for fault in verbs.faults(case)] == []


ROW = {row.verb: number for number, row in enumerate(ROWS)}
DRAWN = {"scenario.toml"}
CARDS = json.dumps({"verb": "", "game": "", "stamp": "", "folder": "", "files": ["a"], "pages": 1})


@pytest.mark.parametrize(
    ("verb", "game", "lang", "as_json", "done", "written", "fault"),
    [
        ("draw", "battling", "en", False, Run(0, "drawn\n", ""), DRAWN, ""),
        ("draw", "battling", "en", False, Run(70, "", "StopIteration"), DRAWN, "exit code"),
        ("draw", "battling", "en", False, Run(0, "drawn\n", ""), set(), "not written"),
        ("draw", "battling", "en", False, Run(0, "drawn\n", ""), DRAWN | {"x"}, "written too"),
        ("draw", "battling", "en", False, Run(0, "drawn\n", "warned"), DRAWN, "standard error"),
        ("draw", "battling", "en", False, Run(0, "", ""), DRAWN, "nothing is said"),
        ("draw", "battling", "ja", False, Run(0, "drawn\n", ""), DRAWN, "not in ja"),
        ("draw", "battling", "en", False, Run(0, "先手\n", ""), DRAWN, "not in en"),
        ("boards", "", "en", True, Run(0, CARDS, ""), {"output/call_to_arms-boards.pdf"}, ""),
        ("boards", "", "en", True, Run(0, f"{CARDS}\nx", ""), {"output/call_to_arms-boards.pdf"}, "no JSON alone"),
        ("boards", "", "en", True, Run(0, '{"other": 1}', ""), {"output/call_to_arms-boards.pdf"}, "has not"),
        ("intercept", "battling", "en", False, Run(2, "", "games that support this: blind_faith"), set(), ""),
        ("intercept", "battling", "en", False, Run(2, "", "no moves"), set(), "does not tell"),
        ("intercept", "battling", "en", False, Run(0, "x", ""), set(), "exit code"),
        ("intercept", "", "en", False, Run(2, "", "Missing argument"), set(), ""),
        ("intercept", "battling", "en", True, Run(2, '{"exit": 2}', ""), set(), "no object"),
        ("sight", "battlelore", "ja", False, Run(0, "見える", "Shapely で射線を検証：1\n"), set(), ""),
        ("sight", "battlelore", "ja", False, Run(0, "x", "verified with Shapely: 1\n"), set(), "on standard error"),
        (
            "fairness",
            "battlelore",
            "en",
            False,
            Run(0, "x", "verified with Shapely: 1\n"),
            set(),
            "on standard error",
        ),
    ],
)
def test_what_is_not_as_documented_is_seen(
    here: Path, verb: str, game: str, lang: Lang, as_json: bool, done: Run, written: set[str], fault: str
) -> None:
    for name in written:
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(b"%PDF-")
    case = Case(ROW[verb], game, lang, as_json)
    found = "; ".join(verbs._found(case, done, written))
    assert fault in found and bool(fault) == bool(found)


def test_a_verb_that_lacks_what_it_says_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StopIteration

    monkeypatch.setattr("generator.cli.output.print_components", broken)
    assert "exit code 70" in "; ".join(verbs.faults(Case(ROW["boards"], "", "en", False)))


def test_a_command_group_is_not_a_verb() -> None:
    assert not any(isinstance(command, click.Group) for command in leaves(muster).values())
