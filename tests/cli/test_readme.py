"""What the README shows of a session is what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
SESSIONS = [block for block in re.findall(r"```\n(.*?)```", README, re.S) if block.startswith("$ ")]


def test_there_are_sessions_and_they_begin_with_the_code_of_the_tests() -> None:
    assert SESSIONS
    assert f"After `muster draw --seed {CODE}`:" in README


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_runs_as_it_is_shown(scenario: Path, session: str) -> None:
    for step in session.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        done = muster(*shlex.split(command)[1:])
        assert (done.code, done.out.rstrip()) == (0, shown.rstrip()), command
