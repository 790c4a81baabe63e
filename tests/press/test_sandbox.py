"""Templates of anyone's: none runs on, swells, or looks where it must not, and each fault says what there is."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.press.sheets import sandbox
from generator.press.sheets.markup import parse
from generator.press.sheets.templates import render, replaced

ENDLESS = {
    "nested ranges": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "a list gone through again and again": (
        "{% set r = range(9999) | list %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}"
    ),
    "macros that call themselves twice": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "loops in loops": "{% for a in [0, 1] recursive %}{{ loop([0, 1]) if loop.depth < 40 }}{% endfor %}",
    "a template that holds itself twice": (
        "{% if n is not defined %}{% set n = 0 %}{% endif %}{% set n = n + 1 %}"
        "{% if n < 40 %}{% include 't.xml' %}{% include 't.xml' %}{% endif %}"
    ),
}
SWELLING = {
    "a long range": "{{ range(10 ** 9) | list }}",
    "a text times a number": "{{ 'x' * 10 ** 9 }}",
    "a list times a number": "{{ ([0] * 1000000000) | length }}",
    "a power of a power": "{{ 10 ** 999999999 }}",
    "squares of squares": "{% set n = namespace(i=2) %}{% for a in range(99) %}{% set n.i = n.i * n.i %}{% endfor %}",
    "doubled sums": "{% set n = namespace(s='x') %}{% for a in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}",
    "doubled lists": "{% set n = namespace(s=[0]) %}{% for a in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}",
    "doubled texts": "{% set n = namespace(s='x') %}{% for a in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
    "doubled blocks": (
        "{% set n = namespace(s='x') %}"
        "{% for a in range(99) %}{% set n.s %}{{ n.s }}{{ n.s }}{% endset %}{% endfor %}"
    ),
    "a wide format": "{{ '{:999999999}'.format(1) }}",
    "a format as wide as a value": "{{ '{:{w}}'.format(1, w=999999999) }}",
    "an old format": "{{ '%999999999d' % 1 }}",
    "filled groups": "{{ [1] | batch(10 ** 9, 0) | list }}",
    "many slices": "{{ [1] | slice(10 ** 9) | list }}",
    "long joints": "{{ range(9999) | join('x' * 9999) }}",
    "long replacements": "{{ ('x' * 9999) | replace('x', 'y' * 9999) }}",
    "much output": "{% for a in range(9999) %}{{ 'x' * 9999 }}{% endfor %}",
    "a long template": "x" * (sandbox.MOST_TEXT + 1),
    "deep nesting": "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
}
CLOSED = {
    "a class": "{{ ''.__class__ }}",
    "a class by its item": "{{ ''['__class__'] }}",
    "a class by a filter": "{{ [''] | map(attribute='__class__') | first }}",
    "a method that pads": "{{ 'x'.ljust(10 ** 9) }}",
    "bytes": "{{ 5 .to_bytes(10 ** 9) }}",
    "a filter that pads": "{{ 'x' | center(10 ** 9) }}",
    "a text of no sense": "{{ lipsum(n=10 ** 9) }}",
    "chance": "{{ [1, 2] | random }}",
    "a file beside": "{% include '../pyproject.toml' %}",
    "a sum of lists": "{{ units.append(1) }}",
}


def complaint(folder: Path, source: str) -> str:
    (folder / "t.xml").write_text(f"<sheet>{source}</sheet>", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        render("t.xml", {"units": [{"name": "Archers", "dice": 2}], "title": "Ford"}, (folder,))
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_none_runs_on(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0.05)
    start = time.monotonic()
    # A quick machine may come to the limit of its text first.
    ends = ("t.xml:1: takes longer than 0.05 seconds", "t.xml: makes a text of more than 500,000 characters")
    assert complaint(tmp_path, source) in ends
    assert time.monotonic() < start + 2


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Where the stack is all but full, a finalizer of other tests' leavings would fail, as the collector runs it."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("source", [*SWELLING.values(), *CLOSED.values()], ids=[*SWELLING, *CLOSED])
def test_none_swells_or_looks_around(source: str, tmp_path: Path) -> None:
    start = time.monotonic()
    assert complaint(tmp_path, source).startswith("t.xml")
    assert time.monotonic() < start + 2


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("\n{{ untis }}", "t.xml:2: 'untis' is undefined (did you mean units?)"),
        ("{{ quartermaster }}", "t.xml:1: 'quartermaster' is undefined (accepted: title, units)"),
        ("\n\n{{ units[0].nam }}", "t.xml:3: 'dict object' has no attribute 'nam' (did you mean name?)"),
        ("{{ units[0].x }}", "t.xml:1: 'dict object' has no attribute 'x' (accepted: dice, name)"),
        ("{{ title | uper }}", "t.xml:1: No filter named 'uper'. (did you mean upper?)"),
        ("{{ title.swapcase() }}", "t.xml:1: 'str object' has no attribute 'swapcase' (accepted: capitalize, "),
        ("{% include 'battlelore/recrod.xml' %}", 't.xml:1: no template "battlelore/recrod.xml" (did you mean '),
        ("\n{{ units[0].dice / 0 }}", "t.xml:2: division by zero"),
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
    assert str(caught.value).startswith(f"{folder}/two.xml:2: <oops> is no tag of ours")


def test_what_a_folder_replaces(tmp_path: Path) -> None:
    (tmp_path / "battlelore").mkdir()
    (tmp_path / "battlelore" / "recrd.xml").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"replaces no template \(did you mean battlelore/record\.xml"):
        replaced(tmp_path)
    (tmp_path / "battlelore" / "record.xml").write_text("", encoding="utf-8")
    assert replaced(tmp_path) == ["battlelore/record.xml"]
