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


TMX = """<map version="1.10" orientation="hexagonal" width="12" height="9" tilewidth="60" tileheight="52"
 hexsidelength="30" staggeraxis="y" staggerindex="odd">
 <tileset firstgid="1" name="ground" tilewidth="60" tileheight="52" tilecount="2" columns="2">
  <tile id="0" type="Grass"/>
  <tile id="1" type="Forest"/>
 </tileset>
 <layer id="1" name="ground" width="12" height="9"><data encoding="csv">{cells}</data></layer>
</map>
"""
"""A map that was drawn with Tiled."""
EXAMPLE = re.compile(r"## A file with cards only\n.*?```toml\n(.*?)```", re.S)


def commands() -> list[str]:
    """Return the commands of README.md in their order. A test compares them with those of README.ja.md."""
    blocks = re.findall(r"```\n(.*?)```", READMES[0], re.S)
    return [line for block in blocks for line in block.splitlines() if line.startswith("muster ")]


def test_every_command_works_as_it_is_shown(here: Path) -> None:
    """Run all commands one after the other in a folder with the three files that the text explains."""
    docs = Path(__file__).resolve().parents[2] / "docs"
    example = EXAMPLE.search((docs / "formats" / "scenario.md").read_text("utf-8"))
    assert example
    (here / "adventure.toml").write_text(example[1], "utf-8")
    (here / "names.csv").write_text("Ann\nBen\nCy\nDee\n", "utf-8")
    (here / "hills.tmx").write_text(TMX.format(cells=",".join(["1"] * 50 + ["2"] * 3 + ["1"] * 55)), "utf-8")
    ran = []
    for command in commands():
        words = shlex.split(command)[1:]
        if words == ["studio"] or words[-2:] == ["--fair", "C"]:
            # The studio runs until its page is closed, and a search for grade C takes minutes. Other tests run both.
            words += ["--help"]
        done = muster(*words)
        assert done.code == 0, f"{command}: {done.out}{done.err}"
        ran.append(words[0])
    doors = {"kit", "draw", "check", "print", "play", "tournament", "edit", "import", "cards", "studio"}
    assert doors <= set(ran)


def test_a_reader_sees_the_same_commands_in_japanese() -> None:
    blocks = re.findall(r"```\n(.*?)```", READMES[1], re.S)
    assert [line for block in blocks for line in block.splitlines() if line.startswith("muster ")] == commands()
