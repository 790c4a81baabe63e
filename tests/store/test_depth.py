"""Tests that data nested too deeply is reported with its line, in TOML, JSON and templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.press.sandbox.templates import render
from generator.store.folders import shipped_path
from generator.store.json_files import MAX_BRACKET_DEPTH, MAX_TAG_DEPTH, deep_json, deep_template, deep_toml

OPEN, SHUT = "[" * MAX_BRACKET_DEPTH, "]" * MAX_BRACKET_DEPTH


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"x = {OPEN}{SHUT}", 0),
        (f"\n\nx = [{OPEN}{SHUT}]", 3),
        ("x = [\n" * 500, MAX_BRACKET_DEPTH + 1),
        (f'x = "{OPEN}[" # {OPEN}[', 0),
        (f'x = \'\'\'\n{OPEN}[\n\'\'\'\ny = """\n{OPEN}[\\""""\n', 0),
        (f"x = '''\n'''\n\ny = [{OPEN}", 4),
        (f"x = '{OPEN}\ny = [{OPEN}'", 2),
    ],
)
def test_toml(text: str, line: int) -> None:
    assert deep_toml(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [(f"{OPEN}{SHUT}", 0), (f"\n[{OPEN}{SHUT}]", 2), (f'["\\"{OPEN}["]', 0), ('{"a":\n' * 99, MAX_BRACKET_DEPTH + 1)],
)
def test_json(text: str, line: int) -> None:
    assert deep_json(text) == line


IF, END = "{% if 1 %}\n", "{%- endif -%}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (IF * MAX_TAG_DEPTH + END * MAX_TAG_DEPTH, 0),
        (IF * 3000 + END * 3000, MAX_TAG_DEPTH + 1),
        ((IF + END) * 100, 0),
        ("{% for a in b %}\n" * 21, MAX_TAG_DEPTH + 1),
        ("{# " + IF * 99 + " #}", 0),
        ("\n{{ " + "(" * 99 + "1" + ")" * 99 + " }}", 2),
        ("((" * 99, 0),
    ],
)
def test_templates(tmp_path: Path, text: str, line: int) -> None:
    assert deep_template(text) == line
    if line:
        (tmp_path / "t.xml").write_text(text, encoding="utf-8")
        with pytest.raises(DataError) as caught:
            render("t.xml", {}, (tmp_path,))
        assert str(caught.value) == f"{tmp_path / 't.xml'}:{line}: nested too deeply"


def test_ours_are_far_from_it() -> None:
    for path in shipped_path("templates").rglob("*.xml"):
        assert deep_template(path.read_text(encoding="utf-8")) == 0
