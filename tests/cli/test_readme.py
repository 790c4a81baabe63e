"""Tests that the commands and outputs in each README agree with the program."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

READMES = [(Path(__file__).resolve().parents[2] / name).read_text("utf-8") for name in ("README.md", "README.ja.md")]
BLOCKS = [block for text in READMES for block in re.findall(r"```\n(.*?)```", text, re.S) if block.startswith("$ ")]


def test_there_are_blocks_and_they_begin_with_the_code_of_the_tests() -> None:
    assert len(BLOCKS) == len(READMES)
    assert all(f"`muster draw --seed {CODE}`" in text for text in READMES)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_runs_as_it_is_shown(scenario: Path, block: str) -> None:
    for step in block.removeprefix("$ ").split("\n$ "):
        command, _, expected = step.partition("\n")
        done = muster(*shlex.split(command)[1:])
        assert (done.code, done.out.rstrip()) == (0, expected.rstrip()), command
