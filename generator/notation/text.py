"""Check texts that users enter, and write values as TOML and commands that users can enter again."""

from __future__ import annotations

import json
import re
import shlex
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import PurePath
from typing import Any

from generator.errors import UNSEEN, WrongUsageError
from generator.localization import tr
from generator.notation.option_names import option_flag
from generator.store.folders import shipped_path

HINT = tr("use other characters")
_MARK_HINT = tr("enter the letter and its mark as one character (é), or omit the mark")
_SYMBOL_HINT = tr("omit the symbol, or write it in words")
_SELECTOR_HINT = tr("omit the variation selector; the preceding letter then prints in its usual form")
_MAX_LISTED = 3
"""The maximum number of characters that a message lists."""
SELECTOR = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""The pattern of a variation selector, which selects the form of the preceding letter (葛󠄀)."""
_VARIANT = re.compile(f"(.)({SELECTOR})", re.DOTALL)


@cache
def common_letters() -> frozenset[str]:
    """Return the letters that the fonts contain, from data/letters.txt, which docs/make_letters.py writes."""
    return frozenset((shipped_path("data") / "letters.txt").read_text(encoding="utf-8"))


@cache
def printable() -> frozenset[str]:
    """Return all printable letters, which are the common ones and those in data/rare_letters.txt."""
    return common_letters().union((shipped_path("data") / "rare_letters.txt").read_text(encoding="utf-8"))


@cache
def variants() -> Mapping[str, frozenset[str]]:
    """Return, for each variation selector, the letters that have this form, from data/letter_variants.txt."""
    lines = (shipped_path("data") / "letter_variants.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.partition(" ") for line in lines)
    return {chr(int(number, 16)): frozenset(letters) for number, _, letters in rows}


def selectors(text: str) -> list[str]:
    """Return the variation selectors in a text."""
    return [letter for letter in text if "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"]


def unprinted_letters(text: str) -> list[str]:
    """Return the characters of a text that none of the available fonts can print, each only once."""
    if text.isascii() or common_letters().issuperset(text):
        return []
    if selectors(text):
        text = _VARIANT.sub(lambda pair: pair[1] if pair[1] in variants().get(pair[2], ()) else pair[0], text)
    lacking = [letter for letter in dict.fromkeys(text) if letter not in printable()]
    # The selector after an emoji is not a separate fault.
    return [letter for letter in lacking if not selectors(letter)] or lacking


def unprinted_fault(text: str) -> str:
    """Return a message about the characters that no available font can print, or an empty string."""
    if not (lacking := unprinted_letters(text)):
        return ""
    listed = [f"{letter!r} (U+{ord(letter):04X})" for letter in lacking[:_MAX_LISTED]]
    if all(map(_is_mark, lacking)):
        return tr("contains the combining mark {shown}, which cannot be printed over a letter", shown=listed)
    if lacking == selectors("".join(lacking)):
        return tr("contains the variation selector {shown}, which none of the available fonts supports", shown=listed)
    return tr("contains {shown}, which none of the available fonts can print", shown=listed)


def print_hint(text: str) -> str:
    """Return the hint for `unprinted_fault`, or an empty string if the text can be printed."""
    if not (lacking := unprinted_letters(text)):
        return ""
    if all(map(_is_mark, lacking)):
        return _MARK_HINT
    if lacking == selectors("".join(lacking)):
        return _SELECTOR_HINT
    symbols = all(unicodedata.category(letter)[0] == "S" for letter in lacking)
    return _SYMBOL_HINT if symbols else HINT


def _is_mark(letter: str) -> bool:
    """Return whether a character is set above, below or around the preceding letter."""
    return unicodedata.category(letter)[0] == "M" and not selectors(letter)


def escape_unprinted(text: str) -> str:
    """Escape the characters of a text that no available font can print."""
    lacking = unprinted_letters(text)
    return "".join(c.encode("unicode_escape").decode() if c in lacking else c for c in text) if lacking else text


NAME_LIMIT = 80


def invisible_fault(text: str, accepted: str = "") -> str:
    """Return a message about an invisible character in a text, or an empty string if there is none."""
    if text.isprintable():
        return ""
    found = next((c for c in text if unicodedata.category(c) in UNSEEN and c not in accepted), None)
    return tr("contains the invisible character U+{ord:04X}", ord=ord(found)) if found else ""


def visible(text: str) -> str:
    """Return a text for the terminal in which invisible characters and those that move the cursor are escaped."""
    return "".join(c if c == "\n" or not invisible_fault(c) else f"\\u{ord(c):04x}" for c in text)


def name_hint(name: str) -> str:
    """Return the hint for `name_fault`, or an empty string if there is none."""
    return print_hint(name) if name_fault(name) == unprinted_fault(name) else ""


def name_fault(text: str, limit: int = NAME_LIMIT) -> str:
    """Return the fault of a name (length, invisible or unprintable characters), or an empty string."""
    if not text.strip():
        return tr("is empty")
    if len(text) > limit:
        return tr("is longer than {limit} characters", limit=limit)
    return invisible_fault(text) or unprinted_fault(text)


def paragraphs_fault(text: str, limit: int) -> str:
    """Return the fault of a text of several lines (length, invisible or unprintable characters); empty if none."""
    if not text.strip():
        return tr("is empty")
    if len(text) > limit:
        return tr("is longer than {limit} characters", limit=limit)
    return invisible_fault(text, accepted="\n") or unprinted_fault(text.replace("\n", ""))


def file_name_fault(name: str) -> str:
    """Return the fault of a name of a file in the same folder, or an empty string."""
    if "/" in name or "\\" in name or name in (".", ".."):
        return tr("is a path, but only the name of a file in the same folder is allowed")
    return name_fault(name)


def clean_name(text: str, what: str) -> str:
    """Return a name in NFC without spaces at its ends.

    Raises:
        WrongUsageError: If the name has a fault.
    """
    name = unicodedata.normalize("NFC", text.strip())
    if fault := name_fault(name):
        raise WrongUsageError(tr("{what} {fault}", what=what, fault=fault), hint=name_hint(name))
    return name


def folded(text: str) -> str:
    """Return the form of a word or label that is used for comparisons.

    Case, width, spaces and kinds of apostrophes do not matter in comparisons.

    >>> folded("Ｓａｉｎｔ  Ivo’s Weir")
    "saint ivo's weir"
    """
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").casefold().split())


def half_width(text: str) -> str:
    """Return a text with full-width letters, digits and signs in their usual width, without spaces at its ends.

    >>> half_width(" Ｂ２")
    'B2'
    """
    return text if text.isascii() and text == text.strip() else unicodedata.normalize("NFKC", text).strip()


def find_word(text: str, accepted: Iterable[str]) -> str | None:
    """Return the accepted word that a text stands for, or None if there is no such word.

    It is the word itself, or the only word that equals it when folded.

    >>> find_word("Ａ５", ["A5", "B5"])
    'A5'
    """
    words = list(accepted)
    if text in words:
        return text
    wanted = folded(text)
    found = [word for word in words if folded(word) == wanted]
    return found[0] if len(found) == 1 else None


def value(of: object) -> str:
    """Return a string, number, boolean, list or inline table as TOML."""
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, int | float):
        return repr(of)
    if isinstance(of, str):
        # A JSON string is a TOML basic string, except that TOML requires an escape for DEL.
        return json.dumps(of, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(of, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in of.items()) + " }" if of else "{}"
    if isinstance(of, Sequence):
        return "[" + ", ".join(value(v) for v in of) + "]"
    raise TypeError(f"no TOML form for {type(of).__name__}")


def key(name: str) -> str:
    """Return a key, in quotation marks if TOML requires them."""
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else value(name)


def lines(table: Mapping[str, object]) -> list[str]:
    """Return a line `key = value` for each entry. A drawing of several lines is kept, with a final line end.

    >>> lines({"title": "Brook", "rows": ["a", "b"], "at": {"x": 1}})
    ['title = "Brook"', 'rows = ["a", "b"]', 'at = { x = 1 }']
    """
    return [f'{key(k)} = """\n{v}\n"""' if _drawing(v) else f"{key(k)} = {value(v)}" for k, v in table.items()]


SHORT, FEW = 100, 6
"""The maximum numbers of characters and entries of a table that is written on one line."""


def document(table: Mapping[str, Any], at: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of a whole file in the layout of docs/formats, in which short values come first.

    >>> document({"name": "Box", "card": [{"key": "A1", "cost": {"gold": 2}}]})
    ['name = "Box"', '', '[[card]]', 'key = "A1"', 'cost = { gold = 2 }']
    """
    apart = {name: of for name, of in table.items() if _apart(of)}
    found = lines({name: _trimmed(of) for name, of in table.items() if name not in apart})
    for name, of in apart.items():
        here = (*at, name)
        head = ".".join(map(key, here))
        if isinstance(of, Mapping):
            below = document(of, here)
            # A table that contains only tables needs no header.
            found += below if not below[0] else ["", f"[{head}]", *below]
        else:
            found += [line for row in of for line in ("", f"[[{head}]]", *document(row, here))]
    return found


def _apart(of: object) -> bool:
    """Return whether a value is written as a table or an array of tables, after the values on single lines."""
    if isinstance(of, Mapping):
        nested = any(isinstance(v, Mapping | list) and not _is_bilingual(v) for v in of.values())
        long = not _is_bilingual(of) and (len(of) > FEW or len(value(of)) > SHORT)
        return bool(of) and (nested or long)
    return isinstance(of, list) and bool(of) and all(isinstance(row, Mapping) for row in of)


def _is_bilingual(of: object) -> bool:
    """Return whether a value is a text in both languages."""
    return isinstance(of, Mapping) and of.keys() == {"en", "ja"}


def _trimmed(of: object) -> object:
    """Return a drawing without its final line end, which is added when the drawing is written."""
    return of.removesuffix("\n") if _drawing(of) and isinstance(of, str) else of


def _drawing(of: object) -> bool:
    """Return whether a value is a text of several lines that needs no escapes."""
    if not isinstance(of, str) or "\n" not in of:
        return False
    return not set(of) & set('"\\') and all(line.isprintable() for line in of.split("\n"))


def stamp(code: str, options: Mapping[str, str]) -> str:
    """Return a code as it is printed on every page. A + after the code means that options belong to it."""
    return f"{code}+" if options else code


Options = Mapping[str, str | bool]
"""Options by name, as entered. The value of a flag is True."""


CommandWord = str | PurePath
"""A word of a command. A file is given as a path, so that a name such as `-x.toml` is not written as an option."""


def command(words: Sequence[CommandWord], options: Options) -> str:
    """Return words and options as a command line for a shell."""
    words_of_options = [
        (option_flag(name),) if value is True else (option_flag(name), str(value)) for name, value in options.items()
    ]
    return " ".join(_shell_word(word) for word in [*words, *(word for option in words_of_options for word in option)])


def _shell_word(command_word: CommandWord) -> str:
    """Return a word as a shell reads it. Bytes of file names that are not UTF-8 are written as in `$'\\x91'`."""
    word = str(command_word)
    if isinstance(command_word, PurePath) and word.startswith("-") and word != "-":  # `-` is the standard input.
        word = f"./{word}"
    if not any("\udc80" <= char <= "\udcff" for char in word):
        return shlex.quote(word)
    content = word.encode("utf-8", "surrogateescape")
    quoted = "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in content)
    return f"$'{quoted}'"


COMMAND_MARKS = "⟦⟧"
"""The two characters around a suggested command while commands are marked. No font of the pages has them, so that
they are never part of a name."""
_marked: ContextVar[bool] = ContextVar("marked", default=False)


@contextmanager
def marked_commands() -> Iterator[None]:
    """Mark the suggested commands in messages, so that a page can show its own controls instead."""
    before = _marked.set(True)
    try:
        yield
    finally:
        _marked.reset(before)


def suggested_command(words: Sequence[CommandWord]) -> str:
    """Return a command that a message suggests. It has marks around it within `marked_commands`."""
    text = command(words, {})
    return f"{COMMAND_MARKS[0]}{text}{COMMAND_MARKS[1]}" if _marked.get() else text


def kit_command(game: str, code: str, options: Options) -> str:
    """Return the command that produces a kit."""
    return command(["muster", "kit", game, "--seed", code], options)
