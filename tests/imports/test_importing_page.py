"""The commands on the pages about importing print what the pages show."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.run import muster
from tests.imports.test_import import HERE

DOCS = HERE.parents[1] / "docs"
BLOCKS = [
    block
    for page in ("importing.md", "importing.ja.md")
    for block in re.findall(r"```\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.startswith("$ ")])
def test_the_examples_print_what_the_page_shows(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in HERE.glob("*.*"):
        shutil.copy(file, tmp_path)
    command, _, expected = block.removeprefix("$ ").partition("\n")
    done = muster(*shlex.split(command)[1:])
    assert done.out == expected and done.code in (0, 1)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.startswith("muster ")])
def test_the_other_commands_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(HERE / "hills.tmx", tmp_path)
    codes = [muster(*shlex.split(line)[1:]).code for line in block.splitlines()]
    assert codes == [0, 0, 1]
