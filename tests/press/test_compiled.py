"""Tests for cached compiled templates. A damaged cache never changes the print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.press.sandbox import templates
from generator.press.sandbox.environment import Sandbox
from generator.store.folders import cache_folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("MUSTER_CACHE", str(tmp_path / "cache"))
    cache_folder.cache_clear()
    yield tmp_path / "cache" / "templates"
    cache_folder.cache_clear()


def printed(folder: Path, text: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "one.xml").write_text(text, "utf-8")
    templates._environment.cache_clear()
    return templates.render("one.xml", {"n": 3}, (folder,))


def test_a_template_is_compiled_once(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = printed(tmp_path / "own", "<p>{{ n }}</p>")
    assert len(list(cache.iterdir())) == 1

    def compiles(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Sandbox, "compile", compiles)
    assert printed(tmp_path / "own", "<p>{{ n }}</p>") == first


def test_a_changed_template_is_compiled_anew(cache: Path, tmp_path: Path) -> None:
    printed(tmp_path / "own", "<p>{{ n }}</p>")
    assert printed(tmp_path / "own", "<b>{{ n }}</b>").endswith(">3</b>")
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"j2", b"\0" * 4096])
def test_a_damaged_cache_file_is_ignored(cache: Path, tmp_path: Path, damage: bytes) -> None:
    first = printed(tmp_path / "own", "<p>{{ n }}</p>")
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    for broken in (damage, whole[:-4], whole[:40] + damage + whole[48:]):
        kept.write_bytes(broken)
        assert printed(tmp_path / "own", "<p>{{ n }}</p>") == first
        assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_done_without(cache: Path, tmp_path: Path) -> None:
    cache.parent.write_text("a file where the folder would be", "utf-8")
    assert printed(tmp_path / "own", "<p>{{ n }}</p>").endswith(">3</p>")
