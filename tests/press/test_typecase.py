"""Tests for cached Japanese fonts, which grow. The same print gives the same bytes with any cache."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from reportlab.pdfbase import pdfmetrics

from generator.model.words import same
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts, letters, system_fonts
from generator.press.pdf import typecase as typefounding
from generator.press.pdf.fonts import REGULAR
from generator.press.pdf.typecase import Typecase, typecase
from tests.press.kits import TEMPLATES, kit, record

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty cache."""
    monkeypatch.setattr(typefounding, "cache_folder", lambda: tmp_path)
    reset_fonts(monkeypatch)
    yield tmp_path / "fonts"
    monkeypatch.undo()
    fonts.register("en")


def reset_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the fonts as in a new process."""
    monkeypatch.setattr(typefounding, "_cases", {})


def printed(name: str, progress: list[str] | None = None) -> bytes:
    def note_progress(message: str, share: float | None = None) -> None:
        if progress is not None:
            progress.append(message)

    titled = replace(kit(replace(record(), side=same(name))), title=same(name))
    return print_kit(titled, PrintSettings("ja", templates=TEMPLATES), note_progress)


def outline_counts(cache: Path) -> dict[str, int]:
    """Return the number of outlines of each font in the cache."""
    found = {}
    for file in cache.glob("*.type"):
        content = typefounding._read_cache(file)
        assert content is not None
        found[file.name.split("-")[1]] = len(content.outlines)
    return found


def test_only_what_a_print_needs_is_founded(cache: Path) -> None:
    printed("丘の戦い")
    few = outline_counts(cache)
    assert 10 < few["regular"] < 500
    printed("関ヶ原の戦い")
    # the letters 関, ヶ and 原
    assert outline_counts(cache) == {weight: count + 3 for weight, count in few.items()}


def test_a_first_print_opens_each_font_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    opening = letters._open_sources

    def noted(taken: tuple[letters.Source, ...], weight: system_fonts.Weight) -> object:
        opened.append(weight)
        return opening(taken, weight)

    monkeypatch.setattr(letters, "_open_letters", {})
    monkeypatch.setattr(letters, "_open_sources", noted)
    printed("丘の戦い")
    assert sorted(opened) == ["bold", "regular"]
    assert not letters._open_letters


def test_the_same_print_gives_the_same_bytes_whatever_the_cache_holds(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = printed("丘の戦い")
    assert printed("丘の戦い") == cold
    reset_fonts(monkeypatch)
    warm = printed("丘の戦い")
    for file in cache.iterdir():
        file.unlink()
    reset_fonts(monkeypatch)
    printed("Žižka 鬱蒼たる森 関ヶ原 Гетьман")
    assert warm == cold == printed("丘の戦い")


def test_a_terminal_shows_progress_only_once(cache: Path) -> None:
    messages: list[str] = []
    printed("丘の戦い", messages)
    lines = [line for line in messages if "和文フォント" in line]
    assert any("太字" in line for line in lines) and lines[0].endswith(" 文字")
    again: list[str] = []
    printed("丘の戦い", again)
    assert not [line for line in again if "フォント" in line]


def break_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def turn_a_bit(content: bytes) -> bytes:
    middle = len(content) - 100
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, bytes]]:
    """Return a print, and the fonts that it wrote to an empty cache."""
    folder = tmp_path_factory.mktemp("founded")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typefounding, "cache_folder", lambda: folder)
        reset_fonts(patch)
        cold = printed("丘の戦い")
    return cold, {file.name: file.read_bytes() for file in (folder / "fonts").iterdir()}


@pytest.mark.parametrize("damage", [break_off, turn_a_bit, lambda content: b"", lambda content: b"\0" * 5000])
def test_a_damaged_cache_is_made_anew(
    cache: Path, founded: tuple[bytes, dict[str, bytes]], damage: Callable[[bytes], bytes]
) -> None:
    cold, sound = founded
    cache.mkdir()
    for name, content in sound.items():
        (cache / name).write_bytes(damage(content))
    assert printed("丘の戦い") == cold
    assert {file.name: file.read_bytes() for file in cache.iterdir()} == sound


def test_a_cache_that_cannot_be_written_to_costs_time_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = printed("丘の戦い")
    for file in cache.iterdir():
        file.unlink()
    cache.rmdir()
    cache.write_text("a file where the folder should be")
    reset_fonts(monkeypatch)
    assert printed("丘の戦い") == cold


def numbers(case: Typecase, text: str) -> dict[int, int]:
    fonts.register("ja")
    glyphs = pdfmetrics.getFont(REGULAR).face.charToGlyph
    return {glyphs[ord(c)]: ord(c) for c in text}


def test_two_processes_keep_each_others_letters(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = typecase("japanese", "regular")
    reset_fonts(monkeypatch)
    other = typecase("japanese", "regular")
    assert one is not other
    one.outlines_of(numbers(one, "丘"))
    other.outlines_of(numbers(other, "森"))
    content = typefounding._read_cache(one.path)
    assert content and set(content.outlines) == {*numbers(one, "丘森")}


SCRIPT = """
import sys
from generator.press.pdf.canvas import picture_pdf
from generator.model.picture import Picture; from generator.model.picture import Text
text = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 400) if chr(code).encode("cp932", "ignore"))
sys.stdout.buffer.write(picture_pdf(Picture(3000, 10, (Text(1, 1, text, 8),)), "ja"))
"""


def test_processes_that_found_at_once_and_one_that_is_killed(tmp_path: Path) -> None:
    environment = os.environ | {"MUSTER_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def begin() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE)

    killed = begin()
    with pytest.raises(subprocess.TimeoutExpired):
        killed.communicate(timeout=0.4)
    killed.kill()
    killed.communicate()
    made = {process.communicate()[0] for process in [begin(), begin()]} | {begin().communicate()[0]}
    assert len(made) == 1 and made.pop().startswith(b"%PDF-")
