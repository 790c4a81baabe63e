"""Sentences in English and Japanese. The English is in the code, its Japanese in data/.

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

# Here and in `shipped_folder`, os.path replaces pathlib: importing pathlib takes a tenth of the time of `muster
# --help`.
_PACKAGE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120


def shipped_folder(name: str) -> str:
    """Return a folder that ships with Muster: `data` or `templates`.

    In a wheel it is inside the package, in a clone next to it.
    """
    inside = f"{_PACKAGE}{os.sep}{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(_PACKAGE)}{os.sep}{name}"  # noqa: PTH112, PTH120


@lru_cache(2)  # data and templates
def shipped_path(name: str) -> Path:
    """Return a folder that ships with Muster as a path."""
    from pathlib import Path

    return Path(shipped_folder(name))


class LocalizedStr(str):
    """A sentence in both languages; as a string it is the English one."""

    _ja: Callable[[], str]

    def __new__(cls, en: str, ja: Callable[[], str]) -> LocalizedStr:
        """Make a sentence from its English text and a function that returns the Japanese one."""
        text = super().__new__(cls, en)
        text._ja = ja
        return text

    def __reduce__(self) -> tuple[Callable[[str, str], LocalizedStr], tuple[str, str]]:
        """Pickle both texts, since the function that returns the Japanese one may not be picklable."""
        return bilingual, (str(self), self.ja)

    @property
    def ja(self) -> str:
        """The Japanese sentence."""
        return self._ja()


def tr(template: str, /, **values: object) -> LocalizedStr:
    """Return a sentence in both languages, its `{placeholders}` filled with these values.

    A value that exists in both languages appears in the language of the sentence; the items of a list are joined with
    that language's commas.
    """
    return LocalizedStr(_filled(template, values, "en"), partial(_japanese, template, values))


def bilingual(en: str, ja: str) -> LocalizedStr:
    """Return a sentence of which both languages are given."""
    return LocalizedStr(en, lambda: ja)


def joined(parts: Iterable[object], en: str = ", ", ja: str = "、") -> LocalizedStr:
    """Return a list as a phrase in both languages, joined by each language's own separator."""
    parts = tuple(parts)
    return LocalizedStr(
        en.join(localize(part, "en") for part in parts), lambda: ja.join(localize(part, "ja") for part in parts)
    )


def localize(text: object, lang: Lang) -> str:
    """Return a text in this language; a text that exists in one language only is returned unchanged."""
    if isinstance(text, list | tuple):
        return localize(joined(text), lang)
    return str(getattr(text, lang, text))


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal, where Japanese characters take two."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def map_languages(text: str, change: Callable[[str], str]) -> str:
    """Return a sentence after a change to the text of each language."""
    return (
        LocalizedStr(change(str(text)), lambda: change(text.ja)) if isinstance(text, LocalizedStr) else change(text)
    )


class _LocalizedValues(dict[str, Any]):
    """The values of a sentence, each converted to the sentence's language when it is looked up."""

    def __init__(self, values: Mapping[str, object], lang: Lang) -> None:
        super().__init__(values)
        self.lang = lang

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return value if isinstance(value, int | float) else localize(value, self.lang)


def _filled(template: str, values: Mapping[str, object], lang: Lang) -> str:
    return template.format_map(_LocalizedValues(values, lang))


def _japanese(template: str, values: Mapping[str, object]) -> str:
    """Return the Japanese sentence, or the English one if messages.toml lacks it (a test prevents that)."""
    return _filled(messages().get(template, template), values, "ja")


def tr_external(text: str) -> LocalizedStr:
    """Return a message of Python, the system or a library; its Japanese is in [theirs] of messages.toml."""
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
    """Return the Japanese of every sentence, by its English."""
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
"""The language that the running command was asked to use; empty if it was not asked for one."""


def default_lang() -> Lang:
    """Return the requested language, or else that of the terminal's locale if Muster supports it, else English."""
    return _requested_langs[-1] if _requested_langs else _locale_lang()


def _locale_lang() -> Lang:
    """Return the language of the terminal's locale if Muster supports it, else English."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "ja" if locale.startswith("ja") else "en"


def lang_option() -> tuple[str, ...]:
    """Return the option that keeps an advised command in the requested language; nothing if the locale has it."""
    return ("--lang", _requested_langs[-1]) if _requested_langs and _requested_langs[-1] != _locale_lang() else ()


def set_language(given: Sequence[str]) -> None:
    """Set the language from a command line, wherever `--lang` is in it, so that usage errors appear in it too."""
    _requested_langs.clear()
    for word, after in zip(given, [*given[1:], ""], strict=False):
        value = after if word == "--lang" else word.removeprefix("--lang=") if word.startswith("--lang=") else ""
        for lang in LANGS:
            if value.casefold().split("+")[0] == lang:
                _requested_langs.append(lang)
