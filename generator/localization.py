"""Sentences in English and Japanese. The English is in the code, and the Japanese is in data/.

No file is read until a sentence is needed in Japanese.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pathlib import Path

Lang = Literal["en", "ja"]
LANGS: tuple[Lang, ...] = ("en", "ja")

# This code and `shipped_folder` use os.path, because importing pathlib takes 10 % of the time of `muster --help`.
_PACKAGE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120


def shipped_folder(name: str) -> str:
    """Return the path of a folder that ships with Muster, either `data` or `templates`.

    In a wheel the folder is inside the package. In a clone of the repository it is next to the package.
    """
    inside = f"{_PACKAGE}{os.sep}{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(_PACKAGE)}{os.sep}{name}"  # noqa: PTH112, PTH120


@lru_cache(2)  # The two folders, data and templates.
def shipped_path(name: str) -> Path:
    """Return the path of a folder that ships with Muster as a `Path`."""
    from pathlib import Path

    return Path(shipped_folder(name))


class LocalizedStr(str):
    """A sentence in both languages. Its value as a string is the English sentence."""

    _ja: Callable[[], str]

    def __new__(cls, en: str, ja: Callable[[], str]) -> LocalizedStr:
        """Create a sentence from its English text and a function that returns its Japanese text."""
        text = super().__new__(cls, en)
        text._ja = ja
        return text

    def __reduce__(self) -> tuple[Callable[[str, str], LocalizedStr], tuple[str, str]]:
        """Pickle both texts, because the function that returns the Japanese text may not be picklable."""
        return bilingual, (str(self), self.ja)

    @property
    def ja(self) -> str:
        """The Japanese sentence."""
        return self._ja()


def tr(template: str, /, **values: object) -> LocalizedStr:
    """Return a sentence in both languages with its `{placeholders}` filled.

    A value that exists in both languages appears in the language of the sentence. The items of a list are joined
    with the commas of that language.
    """
    return LocalizedStr(_filled(template, values, "en"), partial(_japanese, template, values))


def bilingual(en: str, ja: str) -> LocalizedStr:
    """Return a sentence from texts in both languages."""
    return LocalizedStr(en, lambda: ja)


def joined(parts: Iterable[object], en: str = ", ", ja: str = "、") -> LocalizedStr:
    """Return the parts as one phrase in both languages. `en` and `ja` are the separators."""
    parts = tuple(parts)
    return LocalizedStr(
        en.join(localize(part, "en") for part in parts), lambda: ja.join(localize(part, "ja") for part in parts)
    )


def localize(text: object, lang: Lang) -> str:
    """Return a text in the given language. A text that exists in only one language is returned unchanged."""
    if isinstance(text, list | tuple):
        return localize(joined(text), lang)
    return str(getattr(text, lang, text))


def display_width(text: str) -> int:
    """Return the width of a text on a terminal in columns. A Japanese character is two columns wide."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def map_languages(text: str, change: Callable[[str], str]) -> str:
    """Return a sentence with a function applied to its text in each language."""
    return (
        LocalizedStr(change(str(text)), lambda: change(text.ja)) if isinstance(text, LocalizedStr) else change(text)
    )


class _LocalizedValues(dict[str, Any]):
    """The values of a sentence. Each is converted to the sentence's language when it is looked up."""

    def __init__(self, values: Mapping[str, object], lang: Lang) -> None:
        super().__init__(values)
        self.lang = lang

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return value if isinstance(value, int | float) else localize(value, self.lang)


def _filled(template: str, values: Mapping[str, object], lang: Lang) -> str:
    return template.format_map(_LocalizedValues(values, lang))


def _japanese(template: str, values: Mapping[str, object]) -> str:
    """Return the Japanese sentence, or the English one if it is missing from messages.toml.

    A test ensures that no sentence is missing.
    """
    return _filled(messages().get(template, template), values, "ja")


def tr_external(text: str) -> LocalizedStr:
    """Return a message of Python, the system or a library. [theirs] in messages.toml contains its Japanese text."""
    return LocalizedStr(text, partial(_external_ja, text))


def _external_ja(text: str) -> str:
    import re

    for template, ja in _tables()["theirs"].items():
        parts = re.split(r"\{(\w+)\}", template)
        form = "".join(f"(?P<{part}>.*)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
        if found := re.fullmatch(form, text, re.DOTALL):
            return ja.format_map(found.groupdict())
    return text


def messages() -> Mapping[str, str]:
    """Return the Japanese text of every sentence, keyed by the English text."""
    return _tables()["ours"]


@cache
def _tables() -> dict[str, dict[str, str]]:
    import tomllib

    data, found = shipped_path("data"), {"ours": dict[str, str](), "theirs": dict[str, str]()}
    for file in (data / "messages.toml", *sorted(data.glob("*/messages.toml"))):
        for name, table in tomllib.loads(file.read_text("utf-8")).items():
            found[name] |= table
    return found


_requested_langs: list[Lang] = []
"""The language requested for the running command, as a list with one item. Empty if none was requested."""


def default_lang() -> Lang:
    """Return the requested language, or the language of the locale if none was requested."""
    return _requested_langs[-1] if _requested_langs else _locale_lang()


def _locale_lang() -> Lang:
    """Return the language of the terminal's locale if Muster supports it, and English otherwise."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "ja" if locale.startswith("ja") else "en"


def lang_option() -> tuple[str, ...]:
    """Return the `--lang` option for a suggested command, or nothing if the locale already selects the language."""
    return ("--lang", _requested_langs[-1]) if _requested_langs and _requested_langs[-1] != _locale_lang() else ()


def set_language(given: Sequence[str]) -> None:
    """Set the language from the `--lang` option anywhere on a command line. Usage errors then appear in it too."""
    _requested_langs.clear()
    for word, after in zip(given, [*given[1:], ""], strict=False):
        value = after if word == "--lang" else word.removeprefix("--lang=") if word.startswith("--lang=") else ""
        for lang in LANGS:
            if value.casefold().split("+")[0] == lang:
                _requested_langs.append(lang)
