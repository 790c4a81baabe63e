"""Tests for the header of a scenario file, and for the seal that shows whether the file was edited."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.errors import DataError
from generator.model.scenario import Origin, UserFile
from generator.notation import envelope
from generator.notation.toml import Source

BODY = '[play]\ntitle = "x"\n'
DRAWN = Origin(
    "a_game",
    "K7Q2M-9FHN5",
    "1.0",
    {"title": 'two "words"', "map": "my map.toml"},
    {"map": UserFile("my map.toml", "0" * 64)},
)


def test_a_drawn_scenario_reads_back() -> None:
    head = envelope.head(Source("x", envelope.compose(DRAWN, BODY)))
    assert envelope.origin_of_head(head) == DRAWN
    assert envelope.is_as_drawn(head, BODY)


@pytest.mark.parametrize(
    "other",
    [
        replace(DRAWN, code="00000-00000"),
        replace(DRAWN, game="another"),
        replace(DRAWN, version="2.0"),
        replace(DRAWN, options={}),
        replace(DRAWN, options={**DRAWN.options, "banners": "5"}),
        replace(DRAWN, files={}),
        replace(DRAWN, files={"map": UserFile("my map.toml", "1" * 64)}),
    ],
)
def test_the_seal_covers_the_whole_head(other: Origin) -> None:
    (seal,) = (line for line in envelope.compose(DRAWN, BODY).splitlines() if line.startswith("seal"))
    (seal_line,) = (line for line in envelope.compose(other, BODY).splitlines() if line.startswith("seal"))
    head = envelope.head(Source("x", envelope.compose(other, BODY).replace(seal_line, seal)))
    assert seal_line != seal
    assert not envelope.is_as_drawn(head, BODY)


def test_the_seal_covers_the_body() -> None:
    head = envelope.head(Source("x", envelope.compose(DRAWN, BODY)))
    assert not envelope.is_as_drawn(head, BODY + "\n")


def test_a_file_without_a_code_is_not_sealed() -> None:
    text = envelope.compose(Origin("a_game"), BODY)
    assert "seal" not in text
    assert not envelope.is_as_drawn(envelope.head(Source("x", text)), BODY)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("", r"the table \[muster\] is missing"),
        ('game = "x"\nformat = 9', "format 9 is not supported"),
        ('game = "x"\ncolour = 1', "colour: unknown field"),
        ('game = "x"\nfiles.map = { name = "../x", sha256 = "" }', "is a path"),
        ('game = "x"\nfiles.map = { name = "x", sha256 = "abc" }', "not a SHA-256"),
        ('game = "x"\nwishes.title = "\\u202e"', "invisible"),
    ],
)
def test_faults_of_the_head(head: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        envelope.head(Source("x", f"[muster]\n{head}\n" if head else ""))


def test_a_content_hash_is_short_enough_to_read_out() -> None:
    assert envelope.content_hash("") == "e3b0-c442-98fc"
