"""Words for what a pictogram shows, from the table `picture` of data/alternative_texts.toml."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from generator.model.words import Words, joined
from generator.notation.toml import read
from generator.store.folders import shipped_path

_FILE = "alternative_texts.toml"


class _PictureWords(msgspec.Struct, frozen=True):
    picture: dict[str, Words]


@cache
def _picture_words() -> dict[str, Words]:
    return read(shipped_path("data") / _FILE, _PictureWords, f"data/{_FILE}").picture


def picture_words(name: str, /, **values: object) -> Words:
    """Return the words of this name with their placeholders filled."""
    return _picture_words()[name].fill(**values)


def chances(parts: Iterable[tuple[Words, str]]) -> Words:
    """Return the words of a bar, given the name of each part and its chance in percent, such as `33` or `<1`."""
    found = [picture_words("chance", name=name, percent=percent) for name, percent in parts]
    return joined(found, ", ", "、")
