"""Texts in the languages that Muster prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from generator.localization import LANGS as LANGS
from generator.localization import Lang as Lang
from generator.localization import LocalizedStr, localize

_NOUNS = """banner board bow brigade brigadier building candidate card chance choice column combination edge exit
figure finding flag game hill hit interception lane level line look machine map measure move order page
pair piece player point reserve road row rule scenario second section share sheet shot square stack
symbol table tile token trace turn unit verdict way"""
COUNTED = {"dice": "die", "boxes": "box", "hexes": "hex", "rallies": "rally"} | {
    f"{noun}s": noun for noun in _NOUNS.split()
}
"""The countable nouns of printed texts, from plural to singular."""
_COUNT = re.compile(rf"(?<!× )\{{(\w+)\}}((?: (?!or )[a-z]+){{0,2}}?) ({'|'.join(COUNTED)})\b")
"""A number followed by a countable noun, with at most two words in between. The pattern skips the second number of `2
× 1`, and `1 or less hits`.
"""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Text in English and in Japanese."""

    en: str
    """The English text."""
    ja: str
    """The Japanese text."""

    def __getitem__(self, lang: Lang) -> str:
        return self.en if lang == "en" else self.ja

    def fill(self, **values: object) -> Words:
        """Return the text with its placeholders filled.

        Values that are Words are inserted in each language. The items of a list are joined with the commas of that
        language.
        """
        en = {key: _in_language(value, "en") for key, value in values.items()}
        ja = {key: _in_language(value, "ja") for key, value in values.items()}
        return Words(_agreeing(self.en, en).format_map(en), self.ja.format_map(ja))

    @property
    def low(self) -> Words:
        """The name in the form used within a sentence, with its English in lower case."""
        return Words(self.en.lower(), self.ja)


def _in_language(value: object, lang: Lang) -> object:
    """Return a value of a placeholder in one language."""
    if isinstance(value, Words):
        return value[lang]
    return localize(value, lang) if type(value) in (list, tuple) or isinstance(value, LocalizedStr) else value


def _agreeing(text: str, values: Mapping[str, object]) -> str:
    """Return an English text in which a noun after the number 1 is singular."""
    if "1" not in map(str, values.values()):
        return text

    def counted(found: re.Match[str]) -> str:
        name, between, noun = found.groups()
        return f"{{{name}}}{between} {COUNTED[noun]}" if str(values.get(name)) == "1" else found.group()

    return _COUNT.sub(counted, text)


def same(text: object) -> Words:
    """Return Words with the same text in both languages, such as a name, a number or a code."""
    return Words(str(text), str(text))


def in_words(text: Words | str) -> Words:
    """Return a user's name as Words, which is either Words or one text for both languages."""
    return same(text) if isinstance(text, str) else text


def joined(texts: Iterable[Words], en: str = ", ", ja: str = "、") -> Words:
    """Return the texts joined by the separator of each language."""
    texts = tuple(texts)
    return Words(en.join(t.en for t in texts), ja.join(t.ja for t in texts))
