"""Text in every language that Muster prints."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from generator.said import LANGS as LANGS
from generator.said import Lang as Lang


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text in English and in Japanese."""

    en: str
    """In English."""
    ja: str
    """In Japanese."""

    def __getitem__(self, lang: Lang) -> str:
        return self.en if lang == "en" else self.ja

    def fill(self, **values: object) -> Words:
        """The text with its `{placeholders}` filled; a value that is itself Words speaks each language."""

        def one(lang: Lang) -> str:
            return self[lang].format_map({k: v[lang] if isinstance(v, Words) else v for k, v in values.items()})

        return Words(one("en"), one("ja"))

    @property
    def low(self) -> Words:
        """A name as it stands within a sentence, where English has small letters."""
        return Words(self.en.lower(), self.ja)


def same(text: object) -> Words:
    """A text that reads the same in both languages: a name, a number, a code."""
    return Words(str(text), str(text))


def in_words(text: Words | str) -> Words:
    """A name as people may type it: in both languages, or one text for both."""
    return same(text) if isinstance(text, str) else text


def joined(texts: Iterable[Words], en: str = ", ", ja: str = "、") -> Words:
    """An enumeration in each language's own way; others stand between its parts where they are given."""
    texts = tuple(texts)
    return Words(en.join(t.en for t in texts), ja.join(t.ja for t in texts))
