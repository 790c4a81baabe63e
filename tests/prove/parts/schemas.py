"""Shipped files and files of version 0.1 match their schemas, and Muster rejects every file that a schema rejects."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator import games
from generator.notation.toml import Source
from tests.corpus import unpacked
from tests.prove.figure import Figure, counted, spread
from tests.schemas import TYPED, examples, mutated, refused

BROKEN = 100_000
LEAST = 0.2
"""Minimum fraction of broken files that schemas must refuse. With fewer, the proof would show too little."""


def misfit(name: str, text: str) -> str:
    """Return why a file does not fit its schema, or "" if it fits."""
    why = refused(name, Source(name, text).data)
    return f"{name}: {why[0]}" if why else ""


def kept(file: Path) -> str:
    """Return why an archived scenario file does not fit its schema, or "" if it fits."""
    source = Source.open(file)
    why = refused(f"{source.data['muster']['game']}-scenario", source.data)  # type: ignore[index]
    return f"{file.name}: {why[0]}" if why else ""


def shipped() -> list[str]:
    """Return why shipped or generated files do not fit their schemas."""
    return [fault for name in TYPED for text in examples(name) if (fault := misfit(name, text))]


def prove() -> Iterator[Figure]:
    """Check all shipped files, all 500 archived files, and many broken files."""
    yield counted("shipped and drawn files", sum(len(examples(name)) for name in TYPED), shipped())
    with tempfile.TemporaryDirectory() as folder:
        files = [file for name in games.names() for file in unpacked(name, Path(folder) / name)]
        yield counted("scenario files of 0.1", len(files), filter(None, spread(kept, files, "files")))
    tried = list(spread(mutated, range(BROKEN), "broken"))
    share = sum(refused for refused, _ in tried) / len(tried)
    found = f"{share:.0%} refused by their schema"
    yield Figure("broken files", found, f"at least {LEAST:.0%}", share >= LEAST)
    yield counted(
        "files that a schema refuses are refused by Muster", len(tried), [fault for _, fault in tried if fault]
    )
