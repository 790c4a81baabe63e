"""What the columns of the CSV files are called, and what may stand in their cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

import msgspec

from generator.model.words import LANGS, Words
from generator.notation import toml
from generator.store.folders import shipped


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column: its heading as Muster writes it, and others that are read."""

    name: Words
    also: tuple[str, ...] = ()


class _Cells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bye: tuple[str, ...]
    around: tuple[str, ...]
    """What may stand round a number: "Round 3", "3卓"."""
    a: tuple[str, ...]
    b: tuple[str, ...]
    draw: tuple[str, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    column: dict[str, Column]
    cell: _Cells


def plain(text: str) -> str:
    """A text as words are compared: compatible characters, case, spaces, hyphens and underscores made one."""
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", text)).casefold() or text.strip()


@cache
def columns() -> dict[str, Column]:
    """The columns by what the code calls them."""
    return _file().column


def spelt(key: str) -> tuple[str, ...]:
    """The headings that mean a column, the one Muster writes first."""
    column = columns()[key]
    return tuple(dict.fromkeys((key, *(column.name[lang] for lang in LANGS), *column.also)))


def headings(keys: Iterable[str]) -> dict[str, str]:
    """Which of these columns each heading means, by its plain form."""
    return {plain(text): key for key in keys for text in spelt(key)}


def cells() -> _Cells:
    """Words in cells."""
    return _file().cell


def means(text: str, words: tuple[str, ...]) -> bool:
    """Whether a cell says one of these words."""
    return plain(text) in {plain(word) for word in words}


def number(text: str) -> int | None:
    """The whole number in a cell, with what may stand round one; None where there is none of at most six digits."""
    bare = unicodedata.normalize("NFKC", text).casefold().strip()
    for word in cells().around:
        bare = bare.removeprefix(plain(word)).removesuffix(plain(word)).strip()
    return int(bare) if re.fullmatch("[0-9]{1,6}", bare) else None


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "tournament" / "columns.toml", _File)
