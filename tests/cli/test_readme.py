"""What the README shows of a block is what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
BLOCKS = [block for block in re.findall(r"```\n(.*?)```", README, re.S) if block.startswith("$ ")]


def test_there_are_blocks_and_they_begin_with_the_code_of_the_tests() -> None:
    assert BLOCKS
    assert f"After `muster draw --seed {CODE}`:" in README


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_runs_as_it_is_shown(scenario: Path, block: str) -> None:
    for step in block.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        done = muster(*shlex.split(command)[1:])
        assert (done.code, done.out.rstrip()) == (0, shown.rstrip()), command
