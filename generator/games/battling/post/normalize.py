"""Convert a post into plain lines without HTML, quotes and full-width signs."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from generator.games.battling.post.number_forms import with_hit_points

LINE_LIMIT = 4096
"""The maximum number of characters that are read at once. A longer line is read in pieces, so that the reading time
grows in proportion to its length. The lines that people type have a few hundred characters at most, but a saved page
may be a single line.
"""

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_BREAK_TAG = re.compile(r"<\s*/?(?:br|p|div|li|t[dhr]|h[1-6r]|d[dt]|[uo]l|blockquote)\b[^<>]*>", re.IGNORECASE)
_QUOTE_TAG = re.compile(r"<(/?)blockquote\b[^<>]*>|\[(/?)quote\b[^\[\]\n]*\]", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_TAG_OR_COMMENT = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>")
_ANCHOR = re.compile(r"^>>\s?[0-9]{1,3}(?![0-9])(?!\s*[/:.)])\s*")
"""The number of an earlier post to which a line replies, as in `>>12 了解です。`. The line is not a quotation."""
_QUOTED_LINE = re.compile(r">|(?:引用|quote)\s*:", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]+~~|<(s|del|strike)>[^<\n]*</\1>|\[(s|del|strike)\][^\[\n]*\[/\2\]", re.IGNORECASE)
"""Text that its writer has struck out, in Markdown, HTML or the tags of a forum."""
_LAUGH = re.compile(r"(?<=[0-9])w+(?![A-Za-z0-9]|\s*/)")
"""Laughter after a number, as in `F / 1108w`."""
_FACE = re.compile(
    r"(?<=\s)[:;=]-?[()](?=\s|$)|m?\((?=[^()]*[\^_;'`ω∀])(?:[^()0-9#/A-Za-z]|[oOTuUxX]){2,8}\)m?(?:\s?[/\\ノ])?(?=[\s。、.,!]|$)"
)
"""A face made of signs, as in `D :-)` and `D (^_^)/`."""
_DIE = re.compile(
    r"(?<=/)\s*(?:1?d6|出目|ダイス|サイコロ|die|dice|roll(?:ed)?)\s*[=:→は]?\s*(?=[1-6]\s*/)", re.IGNORECASE
)
"""A word for a die before its face, as in `1108 / d6=3 / H`."""
_URL = re.compile(r"https?://[^\s<>\"]+")
_CIRCLED_VALUE = re.compile(r"(?<=[/／PpＰｐ])(\s*)([①-⑳])(?=\s*(?:[/／]|$))")
"""A circled number in a reply, as in `HP③`. Other circled numbers name ATs."""
_CIRCLED = re.compile(r"[①-⑳]")
_KEYCAP = re.compile(r"([0-9])\ufe0f?\u20e3")
"""A number on a key, which people use like a circled number."""
_DICE = {ord("⚀") + face: str(face + 1) for face in range(6)} | {ord("🎲"): " "}
"""The faces of dice as numbers. A picture of a die before a number has no meaning."""
_KANJI_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")
_KANJI_HEX = re.compile(r"(?<=/)\s*([〇零○一二三四五六七八九]{4})(?![〇零○一二三四五六七八九])")
"""A hex in kanji after a slash, as in `F / 一一〇八`."""
_KANJI_NUMBER = re.compile(
    r"((?:(?<![A-Z])[WRBDHF]|(?<![0-9])[0-9]{4})\s*/\s*|HP)([一二三四五六七八九])(?=\s*(?:/|$))", re.IGNORECASE
)
"""A number of hexes, a die or hit points in kanji, as in `W / 二 / 0908`."""
_UNIT_RANGE = re.compile(
    r"(?:#\s?|(?<![A-Za-z])(?:units?|machines?|mechs?|ATs?|no\.?|nos\.?|numbers?)\s#?|(?<![A-Za-z0-9])[FS](?=[0-9]\s?-)|(?<![0-9#/])(?=[0-9](?:号機|番機)?[-~〜から]{1,2}[0-9](?:号機|番機)))"
    r"([0-9])(?:号機|番機)?\s?(?:[-~〜]|to(?![A-Za-z])|through|thru|から)\s?(?:#\s?|[FS])?([0-9])(?![0-9])(?:号機|番機)?(?:まで)?"
    r"(?=\s*(?:[:は]|とも|both\b|all\b|[WRFBD](?![A-Za-z])))",
    re.IGNORECASE,
)
"""Several ATs, as in `#1-3: D`, `Units 1 to 3: D` and `1号機から3号機はD`."""
_UNIT_LIST = re.compile(
    r"(?:^|#\s?)([0-9])\s?(?:[,、・&+]|と)\s?([0-9])(?=\s*(?:[:もは]|とも|both\b))", re.IGNORECASE
)
"""Two ATs of which only the first has a `#`, as in `#1・2はD`, or none at the beginning of a line."""
_UNITS_IN_WORDS = re.compile(
    r"(?<![A-Za-z])(?:units|machines|mechs|ATs|nos\.?|numbers)\s#?([0-9])\s?(?:,|&|and)\s?#?([0-9])(?=\s*[:WRFBD](?![A-Za-z]))",
    re.IGNORECASE,
)
"""Two ATs after a word for both, as in `Units 1 and 3: D`."""
_UNITS_WITH_LETTER = re.compile(r"(?<![0-9/])#\s?([0-9])\s?[,、・&+]\s?([0-9])(?=\s*[WRFBD](?![A-Za-z]))")
"""Two ATs before a letter, as in `#1,2 D`."""
_UNITS_WITH_WORD = re.compile(r"(?<![0-9/])([0-9])\s?[,、・&+と]\s?([0-9])(?=(?:号機|番機|号|番)(?![室目]))")
"""Two ATs of which only the last has its word, as in `1・2号機`."""
_GLUED_UNIT = re.compile(r"(?<![\w/])([1-9])(?=[WRFB]\s*/\s*[0-9]|D(?![A-Za-z0-9]))")
"""An AT directly before its letter, as in `1F/1108 2D`."""
_MAY_BE_GLUED = re.compile(r"(?<![\w/])[1-9][WRFB]\s*/\s*[0-9]")
_GLUED_GUARD = re.compile(r"(#\s?[0-9]{1,2}\s*:\s*D)(?=[A-Z][a-z])")
"""A single D directly before the next word, as in `#2: DGood luck!`, whose line break was lost."""
_WITH = re.compile(r"(?<![A-Za-z0-9])w/\s?(?=#|[a-z]{2}|[0-9]{1,2}\s+[a-z]{2})")
"""The abbreviation of the word `with`, which is not the letter of a walk."""

_SIGNS = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−─━⁻"), "-"),
    **dict.fromkeys(map(ord, "⁄∕╱"), "/"),
    **dict.fromkeys(map(ord, "⇒➡⇨➔▶►"), "→"),
    **dict.fromkeys(map(ord, "⇐⬅⇦"), "←"),
    **dict.fromkeys(map(ord, "“”〝〟«»"), '"'),
    ord("’"): "'",
    ord("〔"): "[",
    ord("〕"): "]",
}
"""Signs that people write instead of a plain sign, except full-width forms."""


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the plain lines of a text with their numbers, counted from 1, without quoted, empty and struck lines.

    A line with tags such as `<br>` can yield several plain lines, and so can a line of more than `LINE_LIMIT`
    characters.
    """
    for number, raw in enumerate(split_lines(_without_quotes(text)), 1):
        kept = _STRUCK.sub(" ", _without_addresses(raw))
        for part in _BREAK_TAG.sub("\n", kept).split("\n"):
            pieces = [plain for piece in _pieces(part) for plain in _pieces(_plain(piece))]
            found = [_in_digits(_DIE.sub(" ", _FACE.sub(" ", _LAUGH.sub("", plain))).strip()) for plain in pieces]
            found[0] = _ANCHOR.sub("", found[0])
            if not _QUOTED_LINE.match(found[0]):
                yield from ((number, plain) for plain in found if plain)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as an editor counts them, for any kind of line endings."""
    return _LINE_BREAK.split(text)


def _pieces(text: str) -> list[str]:
    """Return a text in pieces of at most `LINE_LIMIT` characters, which end at a space if there is one."""
    pieces, start = [], 0
    while len(text) - start > LINE_LIMIT:
        limit = start + LINE_LIMIT
        end = text.rfind(" ", start + 1, limit) + 1 or limit
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def narrow(text: str) -> str:
    """Return a text with full-width characters made narrow and invisible characters removed.

    >>> narrow("Ｗ／２／０７０７")
    'W/2/0707'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def _without_addresses(text: str) -> str:
    """Return a line without URLs, whose letters and slashes look like notation."""
    return _URL.sub(" ", text) if "://" in text else text


def _plain(text: str) -> str:
    """Return a line without tags, in narrow characters and with single spaces."""
    if text.isascii() and "<" not in text and "&" not in text:
        return " ".join(text.split())
    text = _without_tags(text).translate(_DICE)
    text = _CIRCLED_VALUE.sub(lambda sign: f"{sign[1]}{int(unicodedata.numeric(sign[2]))}", text)
    text = _CIRCLED.sub(lambda sign: f" #{int(unicodedata.numeric(sign[0]))} ", _KEYCAP.sub(r" #\1 ", text))
    return " ".join(narrow(html.unescape(text)).split())


def _in_digits(text: str) -> str:
    """Return a plain line with hexes in digits, hit points after their change, and each AT of a range."""
    if not text.isascii():
        text = _KANJI_HEX.sub(lambda found: " " + found[1].translate(_KANJI_DIGITS), text)
        text = _KANJI_NUMBER.sub(lambda found: found[1] + found[2].translate(_KANJI_DIGITS), text)
    text = _UNIT_LIST.sub(r"#\1 & #\2", with_hit_points(_WITH.sub("with ", text)))
    text = _UNITS_WITH_WORD.sub(r"\1号機 & \2", _UNITS_WITH_LETTER.sub(r"#\1 & #\2", text))
    text = _UNITS_IN_WORDS.sub(r"#\1 & #\2", text)
    text = _GLUED_GUARD.sub(r"\1 ", text)
    if _MAY_BE_GLUED.search(text):
        text = _GLUED_UNIT.sub(r"#\1 ", text)
    return _UNIT_RANGE.sub(_units_of_range, text)


def _units_of_range(found: re.Match[str]) -> str:
    """Return the ATs of a range, as in `#1 & #2`, or the text itself if it is not a range."""
    first, last = int(found[1]), int(found[2])
    return " & ".join(f"#{number}" for number in range(first, last + 1)) if first < last else found[0]


def plain_signs(text: str) -> str:
    """Return a line in which all kinds of dashes, slashes, arrows and quotation marks have their plain form."""
    return text if text.isascii() else text.translate(_SIGNS)


def _without_tags(text: str) -> str:
    """Remove HTML tags and comments in linear time.

    Comments are not searched after the end of the last comment, because each of their beginnings would be followed
    to the end of the text.
    """
    if "<" not in text:
        return text
    last = text.rfind("-->") + 3 if "-->" in text else 0
    return _TAG_OR_COMMENT.sub("", text[:last]) + _TAG.sub("", text[last:])


def _without_quotes(text: str) -> str:
    """Remove the quotes of a blog or forum, but not their line breaks. An unclosed quote is not removed."""
    kept, at, opened = [], 0, []
    for tag in _QUOTE_TAG.finditer(text):
        if not (tag[1] or tag[2]):
            opened.append(tag.start())
        elif opened:
            began = opened.pop()
            if not opened:
                kept += [text[at:began], "\n" * len(_LINE_BREAK.findall(text[began : tag.end()])) or "<br>"]
                at = tag.end()
    return "".join(kept) + text[at:]
