"""A kit's manifest: what made it and the hash of each of its files. A kit is whole only if it matches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from generator.errors import DataError, Problem
from generator.store.folders import shipped

NAME = "manifest.json"
LIBRARIES = ("reportlab", "shapely", "fonttools", "noto-cjk")


def manifest(about: Mapping[str, object], files: Mapping[str, bytes]) -> bytes:
    """The manifest of these files as JSON; `about` says what they are and how to make them again."""
    content = {
        **about,
        "muster": version("musterkit"),
        "libraries": {name: version(name) for name in LIBRARIES},
        "data": _data_hash(),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def differences(folder: Path) -> list[str]:
    """How a kit's folder departs from its manifest, a sentence each; DataError where it has none."""
    path = folder / NAME
    if not path.is_file():
        raise DataError(Problem(f"no {NAME} here: this is no whole kit", str(folder)))
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        files = {str(name): str(digest) for name, digest in content["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(Problem("is no manifest of a kit", str(path))) from error
    found = []
    for name, digest in files.items():
        file = folder / name
        if Path(name).name != name or not file.resolve().is_relative_to(folder.resolve()):
            found.append(f"{name}: lies outside the kit")
        elif not file.is_file():
            found.append(f"{name}: missing")
        elif hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            found.append(f"{name}: changed since it was made")
    return found


@cache
def _data_hash() -> str:
    """One hash of all shipped data, by name and content."""
    root = shipped("data")
    whole = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()
