"""Tests on a sample of `make prove ARGS=hostile`, and of the faults that this proof detects."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from generator.errors import DataError
from generator.notation.toml import Source
from tests import hostile
from tests.cli.run import Run, muster
from tests.hostile import Case
from tests.prove.parts import tournament
from tests.prove.parts.hostile import MEMORY, here, spawned

SAMPLE, SPAWNED, DRAWN = 72, 4, 480
EACH = 6
"""Number of cases per test, small enough to distribute the tests over the cores."""


@pytest.mark.parametrize("first", range(0, SAMPLE, EACH))
def test_hostile_files_are_answered(first: int) -> None:
    tried = [here(number) for number in range(first, first + EACH)]
    assert [fault for one in tried for fault in one.faults] == []


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(391, id="terrain names are read by import alone"),
        pytest.param(751, id="a remark on unused columns, without results"),
        pytest.param(794, id="a stack of a leader alone on a cover"),
        pytest.param(5_702, id="more turns than circles in a row"),
        pytest.param(7_783, id="a manifest whose files are a number"),
        pytest.param(9_289, id="two units on a hex on the fields of fire"),
        pytest.param(11_300, id="a file name that is too long, in a manifest"),
    ],
)
def test_hostile_files_that_once_had_a_fault_are_answered(number: int) -> None:
    assert here(number).faults == ()


def test_hostile_files_are_answered_through_the_command_line() -> None:
    tried = [spawned(number) for number in range(SAMPLE, SAMPLE + SPAWNED)]
    assert [fault for one in tried for fault in one.faults] == []
    if hostile.peak_memory_mb() <= MEMORY:  # on Linux a child process inherits its parent's peak
        assert 0 < max(one.peak for one in tried) <= MEMORY


def test_a_case_is_always_the_same_and_every_kind_is_tried() -> None:
    cases = [hostile.case(number) for number in range(SAMPLE)]
    assert cases == [hostile.case(number) for number in range(SAMPLE)]
    kinds = {case.kind.split()[-1] for case in cases}
    kinds |= {case.kind.split()[-1] for case in map(hostile.case, range(SAMPLE, DRAWN))}
    assert kinds >= {"log", "printers", "results", "players", "pairings", "manifest.json", "commitment.json"}
    assert kinds >= {"deck", "map", "board", "arena", "pack", "army", "charts", "pool", "inventory"}
    assert {case.commands[0][0] for case in cases} >= {"check", "data", "orders", "tournament", "printer"}


CASE = Case(0, "trial", {"s.toml": b"x"}, "s.toml", (("check", "s.toml"), ("print", "s.toml")), (0, 1))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (Run(70, "", "KeyError: 'x'\n"), "exit 70: KeyError"),
        (Run(-11, "", ""), "exit -11"),
        (Run(1, "", ""), "without a word"),
        (Run(3, "", "something is wrong\n"), "without its place"),
        (Run(3, "", "s.toml: something is wrong\n"), "without its place"),
        (Run(3, "", "s.toml: 値が正しくありません\n"), "without its place"),
        (Run(3, "", "s.toml:1: a value\nsplits the message\n"), "without its place"),
        (Run(2, "", "no \x1b[31m\n"), "control character"),
    ],
)
def test_the_trial_finds_what_it_looks_for(answer: Run, found: str) -> None:
    (fault, *_) = hostile.faults(CASE, lambda *_: answer)
    assert fault.startswith("0 (trial) `check s.toml`: ") and found in fault


@pytest.mark.parametrize("expected", ["s.toml: has no results", "s.toml: 結果がありません", "… ほか4件"])
def test_messages_about_a_whole_file_need_no_line_in_either_language(expected: str) -> None:
    assert not hostile.faults(CASE, lambda *_: Run(3, "", f"{expected}\n"))


@pytest.mark.parametrize(
    ("code", "found"), [(3, "exit 3 for what `check` accepts"), (1, "what is legal does not print")]
)
def test_the_trial_finds_what_check_accepts_and_print_does_not(code: int, found: str) -> None:
    def run(verb: str, *_: str) -> Run:
        return Run(0, "fine\n", "") if verb == "check" else Run(code, "", "s.toml:1: no\n")

    (fault,) = hostile.faults(CASE, run)
    assert f"`print s.toml`: {found}" in fault


OWN = Case(
    0, "trial", {"own.toml": b"x", "s.toml": b"y"}, "own.toml", (("data", "check", "own.toml"), ("check", "s.toml"))
)


@pytest.mark.parametrize(
    ("expected", "meant"),
    [
        (
            Run(
                3,
                "",
                "s.toml:52: hussite.stacks[1].units.horse: there is no unit class named 'horse'\n… and 3 more\n",
            ),
            True,
        ),
        (Run(3, '{"problems": [{"file": "s.toml", "line": 5, "message": "siege.wall: no wall"}]}', ""), True),
        (Run(3, "", "s.toml:52: hussite.stacks[1].units.horse: no\nown.toml:3: unit[0].id: no\n"), False),
        (Run(3, "", "s.toml: it cannot be read\n"), False),
        (Run(3, "", "own.toml:3: unit[0].id: no\n"), False),
    ],
)
def test_what_data_accepts_may_lack_what_a_scenario_beside_it_asks_for(expected: Run, meant: bool) -> None:
    def run(verb: str, *_: str) -> Run:
        return Run(0, "fine\n", "") if verb == "data" else expected

    found = hostile.faults(OWN._replace(accepted=(0,)), run)
    assert [fault for fault in found if "accepts" in fault] == ([] if meant else found[-1:])
    assert bool(found) != meant


def test_the_trial_finds_a_traceback_and_a_hang() -> None:
    def dies(*_: str) -> Run:
        raise AssertionError("Traceback")

    def hangs(*_: str) -> Run:
        raise hostile.Hang

    assert "Traceback" in hostile.faults(CASE, dies)[0]
    assert "no end" in hostile.faults(CASE, hangs)[0]


def test_a_file_of_brackets_is_answered_at_once(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("x = " + "[\n" * 100_000, encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.toml:65: nested too deeply"):
        Source.open(tmp_path / "x.toml")


def test_no_secret_is_too_long(tmp_path: Path) -> None:
    for name, content in hostile.event(True).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    opening = tmp_path / "event" / "round-1" / "opening.json"
    opening.write_text(re.sub('"secret": "', '"secret": "' + "f" * 33, opening.read_text("utf-8")), "utf-8")
    done = muster("tournament", "reveal", tmp_path / "event" / "commitment.json", tmp_path / "event")
    assert done.code == 3
    assert re.match(
        rf"{opening}:5: secret: 'f+[0-9a-f]*' does not have the expected form \(expected 32 hexadecimal digits\)\n",
        done.err,
    )


@pytest.mark.parametrize("kind", tournament.KINDS)
def test_hostile_files_of_a_tournament_are_answered(kind: str) -> None:
    assert [fault for number in range(6) for fault in tournament.broken((kind, number))] == []


def test_a_changed_slip_is_reported_with_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "event.toml").write_text(tournament.BOOK, "utf-8")
    (tmp_path / "x.pdf").write_bytes(tournament.slips())
    taken = "tournament", "results", "cup", "--from", "x.pdf", "--dry-run"
    assert "Round 1, table 1, game 2: corrected from" in muster(*taken).out
    answers = []
    for number in range(20):
        (tmp_path / "x.pdf").write_bytes(tournament.hostile_slips(Random(number)))
        answers.append(muster(*taken))
    assert {done.code for done in answers} == {0, 3}
    assert any(re.match("x.pdf:[12]: ", done.err) for done in answers)
