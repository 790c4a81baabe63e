"""Tests that comments in event.toml are kept when a command rewrites the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from generator.tournament.comments import carry_over
from generator.tournament.event_file import HEAD, KNOWN_HEADS, is_event_file
from tests.cli.run import muster

NAMES = ("Ann", "Bob # one", "Cy", "Dee", "Eve")


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_text("\n".join(("name", *NAMES)) + "\n", "utf-8")
    assert muster("tournament", "new", "battling", "--players", "names.txt", "--rounds", "3", "-o", "cup").code == 0
    assert muster("tournament", "pair", "cup").code == 0
    return Path("cup/event.toml")


def commented(text: str) -> tuple[str, list[str]]:
    """Return the text with a comment above and after every line, and these comments."""
    lines, notes = [], []
    for number, line in enumerate(text.splitlines()):
        notes += [f"# above {number}", f"# behind {number}"]
        lines += [notes[-2], f"{line}  {notes[-1]}"]
    return "\n".join([*lines, "# last"]) + "\n", [*notes, "# last"]


def test_every_comment_stays_through_every_command(event: Path) -> None:
    text, notes = commented(event.read_text("utf-8").removeprefix(HEAD))
    event.write_text(HEAD + text, "utf-8")
    before = tomllib.loads(event.read_text("utf-8"))
    for command in (("join", "cup", "Zoe"), ("drop", "cup", "Ann"), ("pair", "cup", "--round", "1")):
        assert muster("tournament", *command).code == 0, command
        kept = event.read_text("utf-8")
        assert [note for note in notes if kept.count(f"{note}\n") != 1] == [], command
    after = tomllib.loads(event.read_text("utf-8"))
    assert [row["name"] for row in after["players"]] == [*NAMES, "Zoe"] and after["code"] == before["code"]


def test_a_comment_stays_with_its_line(event: Path) -> None:
    text = event.read_text("utf-8")
    row = next(line for line in text.splitlines() if '"Dee"' in line)
    event.write_bytes(text.replace(row, f"    # ask her\n{row} # pays next week").replace("\n", "\r\n").encode())
    assert muster("tournament", "join", "cup", "Zoe").code == 0
    lines = event.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if '"Dee"' in line)
    assert lines[at - 1].strip() == "# ask her" and lines[at].endswith("# pays next week")


def test_a_comment_whose_line_is_gone_stands_at_the_end() -> None:
    old = 'name = "Cup"\n# lunch at one\nclock = ["9:30-11:00"] # hall B\n'
    assert carry_over(old, 'name = "Cup"\n', HEAD) == 'name = "Cup"\n# lunch at one\n# hall B\n'


def test_without_comments_nothing_changes() -> None:
    assert carry_over(f'{HEAD}name = "A # B"\n', f'{HEAD}name = "C"\n', HEAD) == f'{HEAD}name = "C"\n'


def test_a_file_with_the_first_line_of_an_older_version_is_kept(event: Path) -> None:
    former = KNOWN_HEADS.removeprefix(HEAD)
    assert former.startswith("# The book of a tournament") and event.read_text("utf-8").startswith(HEAD)
    event.write_text(event.read_text("utf-8").replace(HEAD, f"{former}# ours\n"), "utf-8")
    assert is_event_file(event.read_bytes()) and is_event_file(former.encode() + b"name = ")
    assert muster("tournament", "join", "cup", "Zoe").code == 0
    kept = event.read_text("utf-8")
    assert kept.startswith(HEAD) and former not in kept and kept.count("# ours\n") == 1 and '"Zoe"' in kept
