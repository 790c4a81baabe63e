"""What Muster says to whoever types: sentences in the code's English, and their Japanese in data/.

Nothing is looked up before a sentence is told in Japanese.
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

# Not by pathlib, here and in `folder`: to import it takes a tenth of the time of `muster --help`.
_PACKAGE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120


def shipped_folder(name: str) -> str:
    """A folder that ships with Muster: `data` or `templates`; in a wheel inside the package, in a clone beside it."""
    inside = f"{_PACKAGE}{os.sep}{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(_PACKAGE)}{os.sep}{name}"  # noqa: PTH112, PTH120


@lru_cache(2)  # data and templates
def shipped_path(name: str) -> Path:
    """The same as a path."""
    from pathlib import Path

    return Path(shipped_folder(name))


class LocalizedStr(str):
    """A sentence in both languages: as a text it is the English one."""

    _ja: Callable[[], str]

    def __new__(cls, en: str, ja: Callable[[], str]) -> LocalizedStr:
        """The English sentence, and what tells the Japanese one."""
        text = super().__new__(cls, en)
        text._ja = ja
        return text

    def __reduce__(self) -> tuple[Callable[[str, str], LocalizedStr], tuple[str, str]]:
        """Between processes it travels as what it says."""
        return bilingual, (str(self), self.ja)

    @property
    def ja(self) -> str:
        """In Japanese."""
        return self._ja()


def tr(template: str, /, **values: object) -> LocalizedStr:
    """A sentence, its `{placeholders}` filled.

    A value that is itself in both languages speaks each; a list is told with the commas of each.
    """
    return LocalizedStr(_filled(template, values, "en"), partial(_japanese, template, values))


def bilingual(en: str, ja: str) -> LocalizedStr:
    """A sentence whose two languages are at hand."""
    return LocalizedStr(en, lambda: ja)


def joined(parts: Iterable[object], en: str = ", ", ja: str = "、") -> LocalizedStr:
    """An enumeration in each language's own way."""
    parts = tuple(parts)
    return LocalizedStr(
        en.join(localize(part, "en") for part in parts), lambda: ja.join(localize(part, "ja") for part in parts)
    )


def localize(text: object, lang: Lang) -> str:
    """A sentence in that language; what is known in one language alone, as it is."""
    if isinstance(text, list | tuple):
        return localize(joined(text), lang)
    return str(getattr(text, lang, text))


def display_width(text: str) -> int:
    """Columns that a text takes on a terminal, where Japanese letters take two."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def map_languages(text: str, change: Callable[[str], str]) -> str:
    """A sentence changed in each of its languages."""
    return (
        LocalizedStr(change(str(text)), lambda: change(text.ja)) if isinstance(text, LocalizedStr) else change(text)
    )


class _LocalizedValues(dict[str, Any]):
    """The values of a sentence, told in its language as they are asked for."""

    def __init__(self, values: Mapping[str, object], lang: Lang) -> None:
        super().__init__(values)
        self.lang = lang

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return value if isinstance(value, int | float) else localize(value, self.lang)


def _filled(template: str, values: Mapping[str, object], lang: Lang) -> str:
    return template.format_map(_LocalizedValues(values, lang))


def _japanese(template: str, values: Mapping[str, object]) -> str:
    """The Japanese sentence; the English one where no messages.toml has it, which a test forbids."""
    return _filled(messages().get(template, template), values, "ja")


def tr_external(text: str) -> LocalizedStr:
    """What Python, the system or a library says; its Japanese stands in [theirs] of messages.toml."""
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
    """Every sentence's Japanese by its English."""
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
"""The language of the command that is being run."""


def default_lang() -> Lang:
    """The language that is asked for, or else that of the terminal's locale where Muster speaks it, else English."""
    return _requested_langs[-1] if _requested_langs else _locale_lang()


def _locale_lang() -> Lang:
    """The language of the terminal's locale where Muster speaks it, else English."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "ja" if locale.startswith("ja") else "en"


def lang_option() -> tuple[str, ...]:
    """Return the option that keeps an advised command in the requested language; nothing if the locale has it."""
    return ("--lang", _requested_langs[-1]) if _requested_langs and _requested_langs[-1] != _locale_lang() else ()


def set_language(given: Sequence[str]) -> None:
    """Speak the language that a command line asks for anywhere, so that its faults are told in it too."""
    _requested_langs.clear()
    for word, after in zip(given, [*given[1:], ""], strict=False):
        value = after if word == "--lang" else word.removeprefix("--lang=") if word.startswith("--lang=") else ""
        for lang in LANGS:
            if value.casefold().split("+")[0] == lang:
                _requested_langs.append(lang)
