"""Tests for untrusted templates.

Forbidden access is refused, and faults are reported with position and alternatives.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.press.layout.markup import parse
from generator.press.sandbox.templates import render, replaced_templates

CLOSED = {
    "a class": "{{ ''.__class__ }}",
    "a class by its item": "{{ ''['__class__'] }}",
    "a class by a filter": "{{ [''] | map(attribute='__class__') | first }}",
    "a method that pads": "{{ 'x'.ljust(10 ** 9) }}",
    "bytes": "{{ 5 .to_bytes(10 ** 9) }}",
    "a filter that pads": "{{ 'x' | center(10 ** 9) }}",
    "a text of no sense": "{{ lipsum(n=10 ** 9) }}",
    "chance": "{{ [1, 2] | random }}",
    "a file in the same folder": "{% include '../pyproject.toml' %}",
    "a sum of lists": "{{ units.append(1) }}",
}


def complaint(folder: Path, source: str) -> str:
    (folder / "t.xml").write_text(f"<sheet>{source}</sheet>", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        render("t.xml", {"units": [{"name": "Archers", "dice": 2}], "title": "Ford"}, (folder,))
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize("source", CLOSED.values(), ids=CLOSED)
def test_none_looks_around(source: str, tmp_path: Path) -> None:
    assert complaint(tmp_path, source).startswith("t.xml")


DEEP = {
    "ifs": ("{% if 1 %}", "", "{% endif %}"),
    "loops": ("{% for a in [1] %}", "", "{% endfor %}"),
    "brackets": ("{{ ", "(" * 300 + "1" + ")" * 300, " }}"),
    "sums": ("{{ 1", " + 1" * 20_000, " }}"),
    "a circle": ("", "{% include 't.xml' %}", ""),
}


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Disable garbage collection, because a finalizer could fail when the stack is almost full."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize(("before", "inner", "after"), DEEP.values(), ids=DEEP)
def test_deeply_nested_templates_are_reported(before: str, inner: str, after: str, tmp_path: Path) -> None:
    deep = 300 if before.startswith("{%") else 1
    assert "nested too deeply" in complaint(tmp_path, before * deep + inner + after * deep)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("\n{{ untis }}", "t.xml:2: 'untis' is undefined (did you mean units?)"),
        ("{{ quartermaster }}", "t.xml:1: 'quartermaster' is undefined (accepted: title, units)"),
        ("\n\n{{ units[0].nam }}", "t.xml:3: 'dict object' has no attribute 'nam' (did you mean name?)"),
        ("{{ units[0].x }}", "t.xml:1: 'dict object' has no attribute 'x' (accepted: dice, name)"),
        ("{{ title | uper }}", "t.xml:1: No filter named 'uper'. (did you mean upper?)"),
        ("{{ title.swapcase() }}", "t.xml:1: 'str object' has no attribute 'swapcase' (accepted: capitalize, "),
        (
            "{% include 'battlelore/recrod.xml' %}",
            't.xml:1: there is no template named "battlelore/recrod.xml" (did you mean ',
        ),
        ("\n{{ units[0].dice / 0 }}", "t.xml:2: division by zero"),
        ("\n{{ 1e9999999 | float | int }}", "t.xml:2: NameError: name 'inf' is not defined"),
    ],
)
def test_a_fault_says_where_and_what_there_is(source: str, wanted: str, tmp_path: Path) -> None:
    assert complaint(tmp_path, source).startswith(wanted)


def test_what_sheets_need_is_there(tmp_path: Path) -> None:
    source = (
        "{% for row in units | batch(2) %}{{ row | map(attribute='name') | join(', ') }}{% endfor %}"
        "{{ '{n} of {m:02}'.format(n=1, m=2) }}{{ title | replace('o', '0') }}{{ units[0].get('x', 7) }}"
        "{{ [3, 4] | slice(2) | map('sum') | list }}{{ 'a' ~ 1 ~ 2 ~ title.upper() }}"
        "{{ ['x'] * 3 + ['y'] }}{{ 7 % 4 }}"
    )
    (tmp_path / "t.xml").write_text(source, encoding="utf-8")
    text = render("t.xml", {"units": [{"name": "A"}, {"name": "<B>"}], "title": "Ford"}, (tmp_path,))
    assert text == "A, &lt;B&gt;1 of 02F0rd7[3, 4]a12FORD['x', 'x', 'x', 'y']3".replace("'", "&#39;")


def test_a_persons_own_file_is_named_by_its_path_and_ours_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / 'a "{{ b }}" & c'
    (folder / "battlelore").mkdir(parents=True)
    (folder / "own.xml").write_text(
        '{% import "battlelore/closing.xml" as it %}{{ it.used(1, 2) }}', encoding="utf-8"
    )
    with pytest.raises(DataError, match=r"^battlelore/closing\.xml:\d+: "):
        render("own.xml", {}, (folder,))
    (folder / "two.xml").write_text("<sheet>\n<oops/></sheet>", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        parse(render("two.xml", {}, (folder,)), "two.xml")
    assert str(caught.value).startswith(f"{folder}/two.xml:2: <oops> is not a known tag")


def test_what_a_folder_replaces(tmp_path: Path) -> None:
    (tmp_path / "battlelore").mkdir()
    (tmp_path / "battlelore" / "recrd.xml").write_text("", encoding="utf-8")
    with pytest.raises(
        DataError, match=r"contains no file with the name of a shipped template \(did you mean battlelore/record\.xml"
    ):
        replaced_templates(tmp_path)
    (tmp_path / "battlelore" / "record.xml").write_text("", encoding="utf-8")
    assert replaced_templates(tmp_path) == ["battlelore/record.xml"]
