"""Tests that a file is checked on loading for letters missing in the fonts."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import DataError, WrongUsageError
from generator.notation.text import clean_name, print_hint, printable, unprinted_fault
from generator.notation.toml import Source
from generator.store.folders import shipped_path

ROOT = Path(__file__).resolve().parents[2]


def test_the_list_is_what_the_fonts_have() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_letters.py"))
    hint = "the fonts have changed: run .venv/bin/python docs/make_letters.py"
    assert made["LIST"].read_text(encoding="utf-8") == made["listed"](made["covered"]()), hint
    assert made["RARE"].read_text(encoding="utf-8") == made["listed"](made["rare"]()), hint
    assert made["VARIANTS"].read_text(encoding="utf-8") == made["variants"](), hint


def test_no_font_is_opened_for_it() -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom generator.notation.toml import Source\n"
        f"Source.open(Path({str(shipped_path('data') / 'words.toml')!r}))\n"
        "print([m for m in sys.modules if m.startswith(('fontTools', 'reportlab', 'generator.press'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "text", ["plain", "Łódź, Ångström", "戦場の霧　ー〜①", "Ελλάδα", "Đà Nẵng", "𠮷野家", "森鷗外", "김철수", "葛󠄀城"]
)
def test_what_prints_is_passed(text: str) -> None:
    assert unprinted_fault(text) == ""


@pytest.mark.parametrize("text", ["🐌", "אבג", "e\u0301", "ｶ゙\u3099"])
def test_letters_that_do_not_print_are_reported_with_their_code_point(text: str) -> None:
    lacking = [letter for letter in text if letter not in printable()]
    assert f"{lacking[0]!r} (U+{ord(lacking[0]):04X})" in unprinted_fault(text)


@pytest.mark.parametrize(
    ("text", "says", "advises"),
    [
        ("🐌", "none of the available fonts can print", "in words"),
        ("❤\ufe0f", "contains '❤' (U+2764), which", "in words"),
        ("กขค", "none of the available fonts can print", "other characters"),
        ("q\u0303", "combining mark", "(é)"),
        ("A\U000e0100", "variation selector", "omit the variation selector"),
    ],
)
def test_the_reason_and_the_advice_are_true(text: str, says: str, advises: str) -> None:
    assert says in unprinted_fault(text) and advises in print_hint(text)
    with pytest.raises(WrongUsageError) as caught:
        clean_name(text, "NAME")
    assert advises in caught.value.problems[0].hint


def test_rare_letters_are_read_only_for_texts_that_have_them() -> None:
    script = (
        "from generator.notation import text\n"
        "text.unprinted_fault('丘の戦い Žižka')\nprint(text.printable.cache_info().misses)\n"
        "text.unprinted_fault('𠮷')\nprint(text.printable.cache_info().misses)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["0", "1"]


def _places() -> Iterator[tuple[str, int, str]]:
    yield '[play]\ntitle = "🐌"', 2, "play.title: "
    yield '[play]\ntitle = "\\U0001F40C"', 2, "play.title: "
    yield 'x = [\n  { name = "a" },\n  { name = "🐌" },\n]', 3, "x[2].name: "
    yield '[[log]]\nstep = "a"\n[[log]]\nresult = ["b", "🐌"]', 4, "log[2].result[2]: "
    yield '[a]\nb = 1\n"🐌" = 1', 3, "a: a key "


@pytest.mark.parametrize(("text", "line", "place"), tuple(_places()))
def test_wherever_it_stands_it_is_found_at_load_with_its_line(
    tmp_path: Path, text: str, line: int, place: str
) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Source.open(file)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, bool(problem.hint)) == (str(file), line, True)
    assert problem.message.startswith(f"{place}contains '🐌' (U+1F40C), which none of the available fonts can print")


def test_what_is_typed_as_a_name_too() -> None:
    with pytest.raises(WrongUsageError, match="contains '🐌'"):
        clean_name("🐌", "--title")
