"""Tests for the user's cache, which is keyed by name, limited in size, and optional."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from pathlib import Path

import msgspec
import pytest

from generator.errors import DataError
from generator.notation.toml import Source
from generator.store.folders import shipped_path
from generator.store.write import read_from_cache, write_to_cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("generator.store.write.cache_folder", lambda: tmp_path)
    return tmp_path


def test_what_is_kept_is_found_again(cache: Path) -> None:
    assert read_from_cache("odds", "a.json") is None
    write_to_cache("odds", "a.json", b"1", 10)
    assert read_from_cache("odds", "a.json") == b"1"
    assert [path.name for path in (cache / "odds").iterdir()] == ["a.json"]


def test_of_too_many_the_oldest_go(cache: Path) -> None:
    for number in range(5):
        write_to_cache("odds", f"{number}.json", b"", 4)
        if number < 4:
            os.utime(cache / "odds" / f"{number}.json", (number, number))
    assert sorted(path.name for path in (cache / "odds").iterdir()) == ["3.json", "4.json"]


def test_without_a_cache_nothing_is_kept(cache: Path) -> None:
    (cache / "odds").write_bytes(b"")
    write_to_cache("odds", "a.json", b"1", 10)
    assert read_from_cache("odds", "a.json") is None


FILES = sorted(path for path in shipped_path("data").rglob("*.toml"))


def test_a_cached_shipped_file_equals_the_file(cache: Path) -> None:
    for path in FILES:
        parsed = tomllib.loads(unicodedata.normalize("NFC", path.read_text("utf-8")))
        assert [Source.open(path).data for _ in "12"] == [parsed, parsed], path
    assert len(kept_files(cache)) == len({path.read_bytes() for path in FILES})


def test_what_is_damaged_in_the_cache_is_read_anew(cache: Path) -> None:
    path = shipped_path("data") / "papers.toml"
    there = Source.open(path).data
    for damaged in (b"", b"\xc1", msgspec.msgpack.encode([1])):
        (file,) = kept_files(cache)
        file.write_bytes(damaged)
        assert Source.open(path).data == there
        assert kept_files(cache)[0].read_bytes() == msgspec.msgpack.encode(there)


def test_another_text_or_type_is_another_file_in_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = cache / "shipped"
    data.mkdir()
    monkeypatch.setattr("generator.notation.toml.shipped_path", lambda _: data)
    path = data / "one.toml"
    for number, text in enumerate(("n = 1", "n = 2"), 1):
        path.write_text(text)
        assert Source.open(path).read(dict[str, int]) == {"n": number}
    assert Source.open(path).read(dict[str, float]) == {"n": 2.0}
    assert len(kept_files(cache)) == 3
    path.write_text('n = "two"')
    with pytest.raises(DataError, match=r"one.toml:1: "):
        Source.open(path).read(dict[str, int])
    assert len(kept_files(cache)) == 3


def kept_files(cache: Path) -> list[Path]:
    return [*(cache / "data").iterdir()]
