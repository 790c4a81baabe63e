"""Find words of the other language in a text, so that screen readers pronounce them right."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.model.words import Lang

_LETTER = "[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]"
"""Matches a kanji or kana."""
_JAPANESE = re.compile(f"{_LETTER}(?:[\u3000-\u30ff\uff01-\uff60]*{_LETTER})*")
_LATIN = re.compile(r"[A-Za-z](?:[\w\"'’“”.,:;=/&+\-–— ]*\w)?", re.ASCII)
_WORD = re.compile(r"(?<![0-9A-Za-z-])(?![0-9A-Z]{5}-[0-9A-Z]{5})[A-Za-z]{3,}")
"""Matches a word, but not the name of a cell, an abbreviation of two letters, or the code of a scenario."""


def has_japanese(text: str) -> bool:
    """Return whether a text contains kanji or kana."""
    return not text.isascii() and _JAPANESE.search(text) is not None


def language_of(text: str, lang: Lang) -> Lang:
    """Return the language of a text in a document, whose language is `lang`.

    A text without Japanese letters is English if it has an English word.
    """
    if has_japanese(text):
        return "ja"
    return "en" if lang == "ja" and _WORD.search(text) else lang


@lru_cache(maxsize=4096)  # Headings of tables and headers repeat.
def split_languages(text: str, lang: Lang) -> tuple[tuple[str, Lang], ...]:
    """Split a text, most of which is in the language `lang`, into parts with their languages.

    In Japanese text, only English words are English. Names of cells and codes are read letter by letter anyway.
    """
    other: Lang = "en" if lang == "ja" else "ja"
    if other == "ja":
        spans = [] if text.isascii() else [found.span() for found in _JAPANESE.finditer(text)]
    else:
        spans = [found.span() for found in _LATIN.finditer(text) if _WORD.search(text, *found.span())]
    parts, at = list[tuple[str, Lang]](), 0
    for start, end in spans:
        if start > at:
            parts.append((text[at:start], lang))
        parts.append((text[start:end], other))
        at = end
    if at < len(text) or not parts:
        parts.append((text[at:], lang))
    return tuple(parts)
