from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.model.picture import Picture, Text
from generator.press import fonts
from generator.press.canvas import alone

WANTED = "□✓→×−–—·•°½←↑↓▲●○★“”‘’…"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_we_print_has_glyphs(lang: str) -> None:
    fonts.register("ja" if lang == "ja" else "en")
    assert fonts.missing(WANTED + "Aé") == []


def test_japanese_needs_the_japanese_fonts() -> None:
    fonts.register("en")
    assert fonts.missing("丘の丘") == ["丘", "の"]
    fonts.register("ja")
    assert fonts.missing("丘と﨑") == []
    assert fonts.width("丘", 10) == pytest.approx(10)


def test_a_missing_glyph_is_an_error_that_names_text_and_code_point() -> None:
    picture = Picture(30, 10, (Text(1, 1, "unit \U0001f600", 8),))
    with pytest.raises(DataError, match=r"U\+1F600 .* 'unit "):
        alone(picture, "en")


def test_settings_files_and_variables_do_not_reach_reportlab(tmp_path: Path) -> None:
    for name in ("reportlab_settings.py", ".reportlab_settings"):
        (tmp_path / name).write_text("raise SystemExit('executed')\n")
    code = "from generator.press import fonts; from reportlab import rl_config; print(rl_config.pageCompression)"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "RL_pageCompression": "0", "PYTHONPATH": f"{tmp_path}:{root}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("1\n", "")


def test_founding_fonts_tells_of_it_and_happens_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.press import typefounding

    monkeypatch.setattr(typefounding, "cached", lambda: tmp_path)
    told: list[tuple[str, float | None]] = []

    def tell(message: str, share: float | None = None) -> None:
        told.append((message, share))

    first = typefounding.font_file("latin", "bold", tell)
    content, count = first.read_bytes(), len(told)
    assert {message for message, _ in told} == {"preparing the latin bold font, once"}
    shares = [share for _, share in told if share is not None]
    assert shares == sorted(shares)
    assert shares[0] == 0.0 and 0.9 < shares[-1] < 1.0
    assert typefounding.font_file("latin", "bold", tell) == first
    assert len(told) == count
    first.unlink()
    assert typefounding.font_file("latin", "bold").read_bytes() == content
