"""Tests that an unusable cache slows a print down but never prevents it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.press.pdf import fonts, typecase


@pytest.mark.parametrize("state", ["damaged", "no folder"])
def test_a_useless_cache(tmp_path: Path, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setattr(typecase, "cache_folder", lambda: cache)
    if state == "damaged":
        begin_anew(monkeypatch)
        made = list(cache.rglob("*.type"))
        assert len(made) == 2
        for font in made:
            font.write_bytes(font.read_bytes()[:1000])
    else:
        cache.write_text("a file where the folder should be")
    begin_anew(monkeypatch)
    assert fonts.width("Muster", 10) > 0
    monkeypatch.undo()
    fonts.register("en")


def begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the fonts as in a new process."""
    monkeypatch.setattr(typecase, "_cases", {})
    monkeypatch.setattr(fonts, "_embedded_fonts", {})
    fonts.register("en")
