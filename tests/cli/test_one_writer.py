"""Tests that only one command at a time writes an event, and that changes by other commands are kept."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import filelock
import pytest

from generator.cli import event_folder, one_writer, verb_tournament
from generator.cli.one_writer import WRITERS
from generator.store import lock
from generator.store.lock import HOLDER, LOCK
from generator.store.lock import one_writer as hold
from tests.cli.conftest import CODE
from tests.cli.run import MUSTER, muster
from tests.prove.parts import writers

NAMES = ("Ann", "Bo", "Cid", "Dan")


@pytest.fixture
def cup(here: Path) -> Path:
    (here / "names.txt").write_text("\n".join(NAMES) + "\n")
    begun = muster("tournament", "new", "battling", "--players", "names.txt", "--seed", CODE, "-o", "cup")
    assert begun.code == 0, begun.err
    return here / "cup"


def players(cup: Path) -> list[str]:
    rows = muster("tournament", "status", cup, "--json").json["players"]
    return [row["name"] for row in rows]


def test_every_command_that_writes_an_event_holds_it() -> None:
    group = verb_tournament.tournament_verb
    writing = {name for name, command in group.commands.items() if any(p.name == "dry_run" for p in command.params)}
    assert writing <= WRITERS, f"decorate with writes_event: {writing - WRITERS}"
    assert {"new", "join", "drop", "pair", "pack", "results", "standings", "day", "commit"} <= writing


def test_twelve_who_join_at_once_are_twelve_players() -> None:
    made = writers.crowd([f"Guest {n}" for n in range(12)])
    assert not made.faults
    assert made.joined == 12


@pytest.mark.parametrize("case", writers.kills(8, seed=8), ids=str)
def test_a_killed_command_loses_and_doubles_nothing(case: writers.Kill) -> None:
    assert not writers.shoot(case)


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "`muster tournament pack cup` has been writing to cup since"),
        ("ja", "`muster tournament pack cup`が"),
    ],
)
def test_who_waits_in_vain_learns_who_writes(
    cup: Path, monkeypatch: pytest.MonkeyPatch, lang: str, expected: str
) -> None:
    before = (cup / "event.toml").read_bytes()
    monkeypatch.setattr(lock, "WAIT_S", 0.2)
    with hold(cup, "muster tournament pack cup"):
        monkeypatch.setattr(lock, "_held", set())  # as in another process
        refused = muster("tournament", "join", "cup", "Eve", "--lang", lang)
        assert muster("tournament", "status", "cup").code == 0
        assert muster("tournament", "join", "cup", "Eve", "--dry-run").code == 0
    assert refused.code == 5
    assert expected in refused.err
    assert str(os.getpid()) in refused.err
    assert (cup / "event.toml").read_bytes() == before
    assert muster("tournament", "join", "cup", "Eve").code == 0
    assert players(cup) == [*NAMES, "Eve"]


def test_a_stopped_writer_is_named_and_a_killed_one_holds_nothing(cup: Path) -> None:
    script = "import sys, time; from pathlib import Path; from generator.store.lock import one_writer\n"
    script += "with one_writer(Path('cup'), 'muster tournament results cup'):\n"
    script += "    print('held', flush=True)\n    time.sleep(60)\n"
    with subprocess.Popen([MUSTER[0], "-c", script], cwd=cup.parent, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        note = lock.holder(cup)
        assert note
        assert (note.command, note.pid) == ("muster tournament results cup", holder.pid)
        holder.send_signal(signal.SIGKILL)
        holder.wait(20)
    assert (cup / HOLDER).exists()
    began = time.monotonic()
    assert muster("tournament", "join", "cup", "Eve").code == 0
    assert time.monotonic() - began < 5
    assert not (cup / HOLDER).exists()


def test_the_name_of_an_event_may_have_other_bytes_than_utf_8(cup: Path) -> None:
    """Every command that writes an event ended as a bug if the folder's name was, for example, in Shift-JIS."""
    other = cup.rename(Path(os.fsdecode("表 'x'".encode("cp932"))))
    done = muster("tournament", "join", other, "Eve")
    assert done.code == 0, done.err
    suggested = done.out.splitlines()[-1].partition(": ")[2]
    shell = subprocess.run(
        ["bash", "-c", f'muster() {{ printf %s "$3"; }}; {suggested}'], capture_output=True, check=True
    )
    assert os.fsdecode(shell.stdout) == str(other)


def test_the_lock_is_not_part_of_the_event(cup: Path) -> None:
    assert muster("tournament", "pair", "cup").code == 0
    assert muster("tournament", "pack", "cup", "--parts", "map").code == 0
    assert (cup / LOCK).exists()
    verified = muster("verify", "cup", "--json").json
    assert verified["whole"]
    assert verified["others"] == []
    assert not list(cup.glob("round-*/.muster*"))


def meanwhile(monkeypatch: pytest.MonkeyPatch, *commands: tuple[str, ...]) -> None:
    """Run the given commands while `pack` generates a round, before it writes the round."""
    real: Any = event_folder.print_rounds

    def slow(*args: Any, **keywords: Any) -> Any:
        for printed in real(*args, **keywords):
            for command in commands:
                done = muster(*command)
                assert done.code == 0, done.err
            yield printed

    monkeypatch.setattr(verb_tournament, "print_rounds", slow)


def test_who_joins_while_rounds_are_drawn_is_kept(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert muster("tournament", "pair", "cup").code == 0
    meanwhile(monkeypatch, ("tournament", "join", "cup", "Eve"), ("tournament", "drop", "cup", "Ann"))
    packed = muster("tournament", "pack", "cup", "--parts", "map")
    assert packed.code == 0, packed.err
    row = muster("tournament", "status", "cup", "--json").json
    assert {p["name"]: p["here"] for p in row["players"]} == {
        "Ann": False,
        "Bo": True,
        "Cid": True,
        "Dan": True,
        "Eve": True,
    }
    assert row["round"][0]["state"] == "packed"


def test_a_round_that_is_paired_anew_while_it_is_drawn_is_not_written(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert muster("tournament", "pair", "cup").code == 0
    (cup.parent / "other.csv").write_text("table,player_a,player_b\n1,Ann,Bo\n2,Cid,Dan\n")
    (cup.parent / "third.csv").write_text("table,player_a,player_b\n1,Ann,Cid\n2,Bo,Dan\n")
    for file in ("other.csv", "third.csv"):  # one of the files differs from the pairing
        with pytest.MonkeyPatch.context() as patch:
            meanwhile(patch, ("tournament", "pair", "cup", "--round", "1", "--pairings", file))
            packed = muster("tournament", "pack", "cup", "--parts", "map")
        if packed.code:
            break
    assert packed.code == 5
    assert "round 1 was not written, because it was changed in cup/event.toml while it was being drawn" in packed.err
    there = [(t["a"], t["b"]) for t in muster("tournament", "status", "cup", "--json").json["round"][0]["tables"]]
    assert {frozenset(pair) for pair in there} in (
        {frozenset(("Ann", "Bo")), frozenset(("Cid", "Dan"))},
        {frozenset(("Ann", "Cid")), frozenset(("Bo", "Dan"))},
    )


def test_an_event_that_was_begun_meanwhile_is_not_replaced(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile(monkeypatch, ("tournament", "new", "battling", "-o", "cup"))
    packed = muster(
        "tournament", "pack", "battling", "--players", "4", "--rounds", "1", "--parts", "map", "-o", "cup"
    )
    assert packed.code == 5
    assert players(here / "cup") == []


def test_new_begins_one_event_where_two_are_begun_at_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = hold
    first = ("tournament", "new", "battling", "--event", "First", "-o", "cup")

    def slow(*args: Any, **keywords: Any) -> Any:
        monkeypatch.setattr(one_writer, "one_writer", real)
        assert muster(*first).code == 0
        return real(*args, **keywords)

    monkeypatch.setattr(one_writer, "one_writer", slow)
    second = muster("tournament", "new", "battling", "--event", "Second", "-o", "cup")
    assert second.code == 2
    assert muster("tournament", "status", "cup", "--json").json["event"] == "First"


def test_a_drive_without_locks_is_locked_by_a_file(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **keywords: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    monkeypatch.setattr(lock, "WAIT_S", 0.2)
    assert muster("tournament", "join", "cup", "Eve").code == 0
    assert not (cup / lock.SOFT_LOCK).exists()
    with hold(cup, "muster tournament pack cup"):
        assert (cup / lock.SOFT_LOCK).exists()
        monkeypatch.setattr(lock, "_held", set())  # as in another process
        assert muster("tournament", "join", "cup", "Fay").code == 5
    assert players(cup) == [*NAMES, "Eve"]


def test_a_folder_where_nothing_can_be_made_needs_no_lock(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **keywords: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    assert muster("tournament", "results", "cup").code == 5  # the file is not locked and can be written
    monkeypatch.setattr(os, "access", lambda path, mode, **_: mode != os.W_OK)
    assert muster("tournament", "results", "cup").code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_says_so(cup: Path) -> None:
    cup.chmod(0o555)
    try:
        refused = muster("tournament", "join", "cup", "Eve")
    finally:
        cup.chmod(0o755)
    assert refused.code == 5
    assert "cannot write to cup" in refused.err


def test_a_command_in_a_folder_without_an_event_leaves_nothing_there(here: Path) -> None:
    (here / "photos").mkdir()
    assert muster("tournament", "join", "photos", "Eve").code == 3
    assert not list((here / "photos").iterdir())
