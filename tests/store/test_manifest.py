"""Tests that a kit is complete only if it matches its manifest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import DataError
from generator.store.manifest import LIBRARIES, as_listed, differences, extended_manifest, foreign_files, manifest

FILES = {"kit.pdf": b"%PDF", "scenario.toml": b"[muster]", "手札.toml": b"deck"}


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    folder = tmp_path / "kit"
    folder.mkdir()
    for name, content in {**FILES, "manifest.json": manifest({"title": "関ヶ原"}, FILES)}.items():
        (folder / name).write_bytes(content)
    return folder


def test_a_kit_as_it_was_made(kit: Path) -> None:
    assert differences(kit) == []
    assert foreign_files(kit) == []
    content = json.loads((kit / "manifest.json").read_text(encoding="utf-8"))
    assert content["title"] == "関ヶ原"
    assert set(content["libraries"]) == set(LIBRARIES)
    assert len(content["data"]) == 64


def test_changed_missing_and_strange_files(kit: Path) -> None:
    (kit / "kit.pdf").write_bytes(b"%PDF-")
    (kit / "scenario.toml").unlink()
    (kit / "notes.txt").write_text("mine", encoding="utf-8")
    assert differences(kit) == [("kit.pdf", "changed"), ("scenario.toml", "missing")]
    assert foreign_files(kit) == ["notes.txt"]


def test_a_file_of_another_size_is_not_read(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (kit / "kit.pdf").open("r+b") as file:
        file.truncate(1 << 33)  # a sparse file, which needs no disk space
    hashed = list[str]()
    whole = hashlib.file_digest

    def digest(file: Any, name: Any) -> Any:
        hashed.append(Path(file.name).name)
        return whole(file, name)

    monkeypatch.setattr(hashlib, "file_digest", digest)
    (kit / "scenario.toml").write_bytes(b"[Muster]")
    assert differences(kit) == [("kit.pdf", "changed"), ("scenario.toml", "changed")]
    assert hashed == ["scenario.toml", "手札.toml"]


def stated(kit: Path, **changes: object) -> None:
    file = kit / "manifest.json"
    content = json.loads(file.read_text("utf-8")) | changes
    file.write_text(json.dumps({key: value for key, value in content.items() if value is not None}), "utf-8")


@pytest.mark.parametrize("sizes", [None, {}, [], 7, {"kit.pdf": "4"}, {"kit.pdf": True}, {"kit.pdf": 4.0}])
def test_a_manifest_without_sizes_is_read(kit: Path, sizes: object) -> None:
    stated(kit, sizes=sizes)
    assert differences(kit) == []
    (kit / "kit.pdf").write_bytes(b"%PDF-")
    assert differences(kit) == [("kit.pdf", "changed")]


def test_a_file_that_is_added_has_its_size(kit: Path) -> None:
    added = {"more.toml": b"more", "kit.pdf": b"%PDF-2"}
    for sizes in ({"kit.pdf": 4, "scenario.toml": 8, "手札.toml": 4}, None):
        stated(kit, sizes=sizes)
        content = json.loads(extended_manifest(kit, {}, added))
        assert content["sizes"] == (sizes or {}) | {"more.toml": 4, "kit.pdf": 6}
        assert content["files"].keys() == {*FILES, "more.toml"}


def test_a_folder_in_place_of_a_file_is_a_missing_file(kit: Path) -> None:
    (kit / "kit.pdf").unlink()
    (kit / "kit.pdf").mkdir()
    assert differences(kit) == [("kit.pdf", "missing")]


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname", "..", ".", "", "a/b", "a\\b", "a\0b"])
def test_a_manifest_leads_nowhere_else(kit: Path, name: str) -> None:
    (kit.parent / "secret").write_bytes(b"secret")
    (kit / "manifest.json").write_text(json.dumps({"files": {name: "0" * 64}}), encoding="utf-8")
    assert differences(kit) == [(name, "outside")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"files": []}',
        '{"files": {}}',
        '{"files": null}',
        "{" * 5000,
        '{"files": ' + "[" * 100_000,
        '{"files": ' + "9" * 5000 + "}",
        '{"files": {"a": "' + "x" * (1 << 20) + '"}}',
        "NaN",
    ],
    ids=lambda text: text[:12] or "empty",
)
def test_invalid_manifests_are_refused(kit: Path, text: str) -> None:
    (kit / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError):
        differences(kit)
    assert not as_listed(kit / "kit.pdf")


def test_what_is_not_text(kit: Path) -> None:
    (kit / "manifest.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError):
        differences(kit)


@pytest.mark.parametrize("path", ["missing", "x" * 300, "kit/kit.pdf"])
def test_a_path_without_a_folder_is_not_a_kit(kit: Path, path: str) -> None:
    with pytest.raises(DataError, match="no such folder"):
        differences(kit.parent / path)


def test_a_folder_without_a_manifest_is_not_a_complete_kit(kit: Path) -> None:
    with pytest.raises(DataError, match=r"there is no manifest\.json"):
        differences(kit.parent)


def test_files_of_odd_values_count_as_changed(kit: Path) -> None:
    (kit / "manifest.json").write_text('{"files": {"kit.pdf": ["x"], "scenario.toml": null}}', encoding="utf-8")
    assert len(differences(kit)) == 2
