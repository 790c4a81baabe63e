"""What is kept in the user's cache: by name, bounded, and nobody minds where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.store.write import keep, kept


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("generator.store.write.cached", lambda: tmp_path)
    return tmp_path


def test_what_is_kept_is_found_again(cache: Path) -> None:
    assert kept("odds", "a.json") is None
    keep("odds", "a.json", b"1", 10)
    assert kept("odds", "a.json") == b"1"
    assert [path.name for path in (cache / "odds").iterdir()] == ["a.json"]


def test_of_too_many_the_oldest_go(cache: Path) -> None:
    for number in range(5):
        keep("odds", f"{number}.json", b"", 4)
        if number < 4:
            os.utime(cache / "odds" / f"{number}.json", (number, number))
    assert sorted(path.name for path in (cache / "odds").iterdir()) == ["3.json", "4.json"]


def test_without_a_cache_nothing_is_kept(cache: Path) -> None:
    (cache / "odds").write_bytes(b"")
    keep("odds", "a.json", b"1", 10)
    assert kept("odds", "a.json") is None
