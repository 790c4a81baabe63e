"""Detect the encoding of a list of names.

A list is short, often a few hundred bytes, and decoding it with the wrong encoding gives other letters instead of
an error. Therefore, every encoding that spreadsheets use is tried, and each reading is rated by how likely its
letters are in names (data/tournament/names.toml). The best reading is used if it is clearly better than the
second. Otherwise the list is rejected, and both readings are shown.
"""

from __future__ import annotations

import codecs
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from generator.errors import DataError, Problem
from generator.localization import joined, tr
from generator.notation import toml
from generator.notation.text import NAME_LIMIT, invisible_fault
from generator.store.folders import decode_first, line_of

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The byte order marks with their encodings. If one mark begins with another, the longer mark is first."""
PRIORS = {
    "cp932": 0.0,
    "cp1252": 0.0,
    "cp1250": -1.0,
    "cp1251": -1.0,
    "cp1254": -2.5,
    "gbk": -1.0,
    "cp950": -1.5,
    "cp949": -1.0,
    "mac_roman": -3.0,
}
"""The encodings that are tried if the list is not Unicode, with the logarithm of how common each encoding is."""
_ENCODINGS_BY_HEADINGS = ("euc_jp",)
"""The encodings that are tried only for lists with known headings."""
_CELL_SEPARATORS = "[,;\t|，；、]"
TRIED_ENCODINGS = ("utf-8", "utf-16", *PRIORS)
MARGIN = 6.0
"""The difference in log-likelihood to the second reading that is required to use the best reading. A difference of 6
means e⁶, or about 400 times as likely.

tests/tournament/test_encoding.py reads thousands of lists with this value, all of them correctly.
"""
_MIN_ALPHABETIC = {"latin": -6.5, "cyrillic": -5.0}
_MIN_TWO_BYTE = {"cp932": -10.5, "gbk": -9.0, "cp950": -9.0, "cp949": -8.0}
"""The mean log-likelihood of a letter below which a reading is not a list of names, by encoding for two-byte letters.

The minimums for alphabets are above, by script. Lists of five names made with Faker had values from -2 to -5, in
cp932 down to -6, and in GBK from -6 to -9.
"""
_MAX_LINES = 300
"""The maximum number of lines that are rated. More lines do not change the result."""
_MAX_RIVALS = 2
"""The number of readings that are shown in addition to the best one if a list is rejected. Only 1 of 7,600 lists
needs the second one.
"""
_MAX_NAMES_SHOWN = 3
"""The maximum number of names that are shown if a list is rejected."""

_KNOWN_CELL_WEIGHT = 8.0
"""The log-likelihood added for a cell that is a known heading or the name of a player of the event."""
_UNKNOWN_LETTER_WEIGHT = -12.0
"""The log-likelihood of a letter that does not occur in the names of a language."""
_MAIN_LANGUAGE_SHARE = 0.9
"""The share of names that are in the main language of the list. The others may be in any language."""
_SYMBOL_WEIGHT = -6.0
"""The log-likelihood of a symbol that does not occur in names."""
_CAPITAL_WEIGHT = -3.0
"""The log-likelihood of a Latin capital in a Japanese, Chinese or Korean word, as in チームA."""

_SCRIPTS = {
    "LATIN": "latin",
    "CYRILLIC": "cyrillic",
    "GREEK": "greek",
    "HIRAGANA": "han",
    "KATAKANA": "han",
    "KATAKANA-HIRAGANA": "han",
    "CJK": "han",
    "IDEOGRAPHIC": "han",
    "HANGUL": "hangul",
    "FULLWIDTH": "han",
    "HALFWIDTH": "half-width",
}
_HAN_LANGUAGES = {"cp932": "japanese", "gbk": "chinese_simplified", "cp950": "chinese_traditional", "cp949": "korean"}
"""The language of each two-byte encoding."""
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_BETWEEN = re.compile("[A-Za-z][\uff61-\uff9f]+[A-Za-z]")
_APOSTROPHES = "’´‘"
_OPENING, _CLOSING = "„«‹", "”»›"
"""Quotation marks before a word and after a word."""
_WIDE_SIGNS = "・（）［］「」『』、。＆／，．－～"
"""Signs that may occur between Japanese, Chinese or Korean words."""
_SEPARATORS = re.compile(rb"[,;\t\r\n]")


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names separated by spaces, keyed by language."""

    latin: dict[str, str]
    cyrillic: dict[str, str]
    han: dict[str, str]


_names = toml.shipped_table("tournament/names.toml", _Names)


class Text(msgspec.Struct, frozen=True):
    """The text of a file and its encoding."""

    text: str
    encoding: str

    @property
    def legacy(self) -> bool:
        """Whether the encoding is not Unicode, so that it was guessed or given by the user."""
        return not self.encoding.startswith("utf")


def read_text(
    content: bytes, file: str, encoding: str | None = None, known: Collection[str] = (), invisible: bool = False
) -> Text:
    """Decode a list. `known` are headings and names that it may contain.

    Invisible characters are a fault unless `invisible` is true.

    Raises:
        DataError: If no encoding fits the list or two encodings fit equally well. The error lists each faulty
            line.
    """
    marked = next((form for mark, form in MARKS.items() if content.startswith(mark)), None)
    chosen = marked or encoding or _seven_bit_japanese(content) or _unicode(content)
    found = _decoded(content, file, chosen) if chosen else _guessed(content, file, known)
    for at, line in enumerate(found.text.split("\n"), 1):
        if not invisible and (fault := invisible_fault(line, accepted="\t\r")):
            raise DataError(Problem(fault, file, at, tr("type the text of this line again")))
    return found


def _decoded(content: bytes, file: str, encoding: str) -> Text:
    """Decode a list with the encoding that is given or marked.

    Raises:
        DataError: If a line cannot be decoded.
    """
    try:
        return Text(decode_first(content, encoding)[0], encoding)
    except UnicodeDecodeError as error:
        hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
        message = tr("is not text in {forms}", forms=encoding)
        raise DataError(Problem(message, file, line_of(error), hint)) from error
    except UnicodeError as error:  # Codecs such as idna do not report the position.
        raise DataError(Problem(tr("is not text in {forms}", forms=encoding), file)) from error


def _unicode(content: bytes) -> str | None:
    """Return the Unicode encoding of a list without a byte order mark, or None if the list has another encoding."""
    ends = content.count(b"\n\0"), content.count(b"\0\n"), content.count(b"\r\0"), content.count(b"\0\r")
    if len(content) % 2 == 0 and 2 * max(ends) > max(1, content.count(b"\n"), content.count(b"\r")):
        for form in ("utf-16-le", "utf-16-be"):
            text = _try(content, form)
            if text is not None and re.search("[\r\n]", text) and not _unreadable(text):
                return form
    return "utf-8" if _try(content, "utf-8") is not None else None


def _seven_bit_japanese(content: bytes) -> str | None:
    """Return ISO-2022-JP if a list has its escape sequences, as in Japanese e-mails."""
    return "iso2022_jp" if b"\x1b$" in content and _try(content, "iso2022_jp") is not None else None


def _try(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


class Candidate(msgspec.Struct, frozen=True):
    """A list as decoded with one encoding."""

    encoding: str
    lines: tuple[str, ...]
    weight: float
    """The logarithm of the likelihood."""
    sound: bool
    """Whether the list breaks no rule."""


def readings(content: bytes, known: Collection[str] = ()) -> list[Candidate]:
    """Return the readings of a list that is not Unicode, by likelihood. Readings that break no rule come first."""
    lines = _sample(content)
    expected = {_key(word) for word in known}
    found = []
    for encoding, prior in PRIORS.items():
        whole = _try(content, encoding)
        if whole is None or _unreadable(whole):
            continue
        texts = [line.decode(encoding) for line in lines]
        weight, sound = _weigh(texts, encoding, expected)
        found.append(Candidate(encoding, tuple(texts), prior + weight, sound))
    return sorted(found, key=lambda reading: (not reading.sound, -reading.weight))


def _guessed(content: bytes, file: str, known: Collection[str]) -> Text:
    """Decode a list with the most likely encoding.

    Raises:
        DataError: If two encodings are about equally likely, or none is likely.
    """
    found = readings(content, known)
    if headed := _by_headings(content, known):
        return Text(content.decode(headed), headed)
    if not found:
        raise DataError(_unknown_encoding(content, file))
    best = found[0]
    other = next((one for one in found[1:] if one.lines != best.lines), None)
    rival = other if other and (other.sound or not best.sound) else None
    if best.sound and (rival is None or best.weight - rival.weight >= MARGIN):
        return Text(content.decode(best.encoding), best.encoding)
    if not best.sound and _nearly_unicode(content):
        return _decoded(content, file, "utf-8")
    equal = [one for one in found if one.sound == best.sound and best.weight - one.weight < MARGIN]
    rivals = [one for at, one in enumerate(equal) if one.lines not in [before.lines for before in equal[:at]]][1:]
    displayed = [one for one in (rival or other, *rivals) if one]
    forms = list(dict.fromkeys(one.encoding for one in displayed))[:_MAX_RIVALS]
    # If no reading is likely, they may all give the same names.
    raise DataError(*(list(_differing_names(content, file, best, forms)) or [_unknown_encoding(content, file)]))


def _by_headings(content: bytes, known: Collection[str]) -> str | None:
    """Return the encoding of a list if only one reading has known headings or names, or None.

    Headings and names with fewer than two letters beyond ASCII are ignored, because they occur by chance.

    EUC-JP is considered only here, because most lists in it can also be read as Chinese.
    """
    expected = {_key(word) for word in known if sum(not c.isascii() for c in word) > 1}
    lines = _sample(content)
    found: dict[str, tuple[str, ...]] = {}
    for encoding in (*PRIORS, *_ENCODINGS_BY_HEADINGS):
        whole = _try(content, encoding)
        if whole is None or _unreadable(whole):
            continue
        texts = tuple(line.decode(encoding) for line in lines)
        cells = (cell for text in texts for cell in re.split(_CELL_SEPARATORS, text) if not cell.isascii())
        if any(_key(cell.strip().strip('"')) in expected for cell in cells) and texts not in found.values():
            found[encoding] = texts
    return next(iter(found)) if len(found) == 1 else None


def _unknown_encoding(content: bytes, file: str) -> Problem:
    hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
    forms = joined(TRIED_ENCODINGS, " or ", "でも")
    return Problem(tr("is not text in {forms}", forms=forms), file, _first(content), hint)


def _nearly_unicode(content: bytes) -> bool:
    """Return whether a list is UTF-8 except for a few damaged bytes."""
    damaged = sum("\udc80" <= c <= "\udcff" for c in content.decode("utf-8", "surrogateescape"))
    return 10 * damaged < sum(byte > 0x7F for byte in content)


def _differing_names(content: bytes, file: str, best: Candidate, others: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each of the first names that differ between readings. Its hint selects an encoding."""
    forms = [best.encoding, *others]
    hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
    if best.sound:
        options = joined((f"--encoding {form}" for form in forms), " or ", "または")
        hint = tr("choose the right encoding: {options}", options=options)
    displayed = 0
    for at, raw in enumerate(re.split(rb"\r\n|\r|\n", content), 1):
        for cell in _SEPARATORS.split(raw):
            # For equal readings, only the most likely encoding is shown.
            names = {_cell(cell, form)[:NAME_LIMIT]: form for form in reversed(forms)}
            if displayed == _MAX_NAMES_SHOWN:
                return
            if not next(iter(names)).isascii() and len(names) > (1 if others else 0):
                displayed += 1
                yield Problem(
                    _describe_difference({form: name for name, form in reversed(names.items())}), file, at, hint
                )


def _describe_difference(names: Mapping[str, str]) -> str:
    """Return a message about a name that differs between encodings, or a single reading that is hardly a name."""
    (first, one), *others = names.items()
    if not others:
        return tr(
            "the encoding is uncertain: the text reads “{one}” in {first}, which does not look like a name",
            one=one,
            first=first,
        )
    (second, two), *more = others
    if not more:
        return tr(
            "the encoding is uncertain: the text reads “{one}” in {first}, but “{two}” in {second}",
            one=one,
            first=first,
            two=two,
            second=second,
        )
    third, three = more[0]
    return tr(
        "the encoding is uncertain: the text reads “{one}” in {first}, “{two}” in {second}, and “{three}” in {third}",
        one=one,
        first=first,
        two=two,
        second=second,
        three=three,
        third=third,
    )


def _cell(raw: bytes, encoding: str) -> str:
    return raw.decode(encoding, "replace").strip().strip('"')


def _first(content: bytes) -> int:
    """Return the number of the line with the first byte that is not ASCII."""
    at = next((at for at, byte in enumerate(content) if byte > 0x7F), 0)
    return content[:at].count(b"\n") + 1


def _sample(content: bytes) -> list[bytes]:
    """Return the lines to be rated: lines that are not ASCII, then others, which indicate the language."""
    lines = list(dict.fromkeys(line for line in re.split(rb"[\r\n]+", content) if line.strip()))
    telling = [line for line in lines if not line.isascii()][:_MAX_LINES]
    rest = [line for line in lines if line.isascii()]
    return telling + rest[: max(0, _MAX_LINES // 5 - len(telling))]


def _unreadable(text: str) -> bool:
    """Return whether a text contains control or private-use characters, which do not occur in names."""
    return not text.isprintable() and any(
        c not in "\t\r\n" and unicodedata.category(c) in ("Cc", "Co", "Cn", "Cs") for c in set(text)
    )


def _key(text: str) -> str:
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _weigh(lines: Sequence[str], encoding: str, expected: Collection[str]) -> tuple[float, bool]:
    """Return the logarithm of the likelihood of a reading, and whether the reading breaks no rule."""
    weight, sound, floor = 0.0, True, 0.0
    words: list[list[str]] = []
    for line in lines:
        for cell in re.split("[,;\t|]", line):
            if not cell.isascii() and _key(cell.strip().strip('"')) in expected:
                weight += _KNOWN_CELL_WEIGHT
                continue
            kept, extra, clean = _split_words(cell)
            weight, sound = weight + extra, sound and clean and not _BETWEEN.search(cell)
            words.append(kept)
    strange = [word for of in words for word in of if not word.isascii()]
    for word in strange:
        fault, extra = _word_fault(word)
        sound, weight = sound and not fault, weight + extra
        script = _script(word[0])
        floor += _MIN_ALPHABETIC.get(script, _MIN_TWO_BYTE.get(encoding, 0.0)) * len(word)
    # ASCII words are the same in every reading, so they are not evidence for this one.
    sound = sound and _likelihood([strange], encoding) >= floor
    return weight + _likelihood(words, encoding), sound


def _split_words(cell: str) -> tuple[list[str], float, bool]:
    """Return the words of a cell, the log-likelihood of the signs between them, and whether no sign breaks a word."""
    weight, sound, words, word = 0.0, True, list[str](), ""
    for at, c in enumerate(cell):
        if (c.isalpha() and c not in "ªº") or unicodedata.combining(c) or c == "ー" or _HALF_WIDTH.match(c):
            word += c
            continue
        words += [word] if word else []
        word = ""
        if c.isascii() or c in "\xa0\u3000":
            continue
        before, after = cell[at - 1 : at].isalpha(), cell[at + 1 : at + 2].isalpha()
        if c in _APOSTROPHES:
            # An apostrophe usually precedes a capital, as in O’Neil. Names such as D’angelo are rare.
            weight += -8.0 if before and cell[at + 1 : at + 2].islower() else -1.0
            sound = sound and not (c != "’" and before and not after)
        elif c in _WIDE_SIGNS:
            near_latin = any(n.isascii() and n.isalpha() for n in (cell[at - 1 : at], cell[at + 1 : at + 2]))
            weight, sound = weight - 2.0, sound and not near_latin
        elif c == "·":
            weight, sound = weight - 2.0, sound and cell[at - 1 : at + 2].lower() == "l·l"
        elif c == "–" and before and cell[at + 1 : at + 2].isupper():
            weight -= 2.0  # As in Ann–Marie.
        # The sign “ opens a quotation in English and closes it in German.
        elif c in "“–—" or c in _OPENING or c in _CLOSING:
            touches = (before and c in _OPENING) or (after and c in _CLOSING) or (c in "–—" and (before or after))
            weight, sound = weight - 1.0, sound and not touches and not (before and after)
        elif c in "ªº" and (not before or cell[at - 1] in "Mm"):
            weight -= 0.0 if before else 2.0  # As in Mª José.
        else:
            weight, sound = weight + _SYMBOL_WEIGHT, sound and not before and not after
    return [*words, *([word] if word else [])], weight, sound


def _is_common(c: str) -> bool:
    """Return whether a letter is kana or is common in names."""
    return "\u3041" <= c <= "\u30ff" or any(c in _letter_weights(encoding) for encoding in _HAN_LANGUAGES)


def _word_fault(word: str) -> tuple[bool, float]:
    """Return whether a word breaks a rule, and a log-likelihood to add to that of its letters.

    No word has letters of two scripts (kanji and kana count as one) or a capital after a small letter. ASCII words
    such as McDonald are ignored, because they are the same in every reading.
    """
    if word.isascii():
        return False, 0.0
    scripts = {_script(c) for c in word}
    if scripts == {"latin", "han"}:
        latin, han = ([c for c in word if _script(c) == script] for script in ("latin", "han"))
        # Allows team names such as チームA.
        team = all(c.isascii() and c.isupper() for c in latin) and all(map(_is_common, han))
        return not team, _CAPITAL_WEIGHT * len(latin)
    if len(scripts) > 1:
        return True, 0.0
    small = any(c.islower() for c in word)
    return any(
        b.isupper() and not (a + b).isascii() and (a.islower() or (small and not b.isascii()))
        for a, b in pairwise(word)
    ), 0.0


@lru_cache(maxsize=1 << 14)  # Enough for the letters of a list.
def _script(c: str) -> str:
    name = unicodedata.name(c, "")
    if name.startswith("FULLWIDTH LATIN"):
        return "full-width"
    return _SCRIPTS.get(name.split(" ")[0], "other")


def _likelihood(cells: Iterable[Sequence[str]], encoding: str) -> float:
    """Return the log-likelihood of the names in these cells, in the list's main language and other languages."""
    weight = 0.0
    alphabetic: dict[str, list[Sequence[str]]] = {"latin": [], "cyrillic": []}
    for words in cells:
        by: dict[str, list[str]] = {}
        for word in words:
            scripts = {_script(c) for c in word}
            kind = (
                "han"
                if scripts & {"han", "hangul", "half-width"}
                else next(iter(scripts))
                if len(scripts) == 1
                else "other"
            )
            if kind == "han":
                weight += sum(_letter_weight(c, encoding) for c in word)
            elif kind in alphabetic:
                by.setdefault(kind, []).append(word.lower() if len(word.lower()) == len(word) else word)
            else:
                weight += _UNKNOWN_LETTER_WEIGHT * len(word)
        for kind, of in by.items():
            alphabetic[kind].append(of)
    return weight + sum(_in_languages(kind, of) for kind, of in alphabetic.items() if of)


def _in_languages(script: str, cells: Sequence[Sequence[str]]) -> float:
    """Return the log-likelihood of words in one script, most in one language and a few in any other language."""
    models = _models(script)
    scores = {lang: [sum(model(word) for word in words) for words in cells] for lang, model in models.items()}
    count = len(models)
    mixed = []
    for at in range(len(cells)):
        values = [scores[lang][at] for lang in models]
        top = max(values)
        mixed.append(top + math.log(sum(math.exp(value - top) for value in values) / count))
    best = -math.inf
    for of in scores.values():
        whole = sum(
            max(a, b)
            + math.log(
                _MAIN_LANGUAGE_SHARE * math.exp(a - max(a, b)) + (1 - _MAIN_LANGUAGE_SHARE) * math.exp(b - max(a, b))
            )
            for a, b in zip(of, mixed, strict=True)
        )
        best = max(best, whole)
    return best


class _Model:
    """The frequencies of letters in the names of a language, depending on the preceding letters."""

    def __init__(self, names: str) -> None:
        single: Counter[str] = Counter()
        pairs: Counter[str] = Counter()
        triples: Counter[str] = Counter()
        for word in names.lower().replace("'", " ").replace("-", " ").split():
            full = f"^{word}$"
            single.update(word)
            pairs.update(a + b for a, b in pairwise(full))
            triples.update(full[at : at + 3] for at in range(len(full) - 2))
        self._single, self._pairs, self._triples = single, pairs, triples
        self._total = sum(single.values())
        self._first: Counter[str] = Counter()
        for pair, count in pairs.items():
            self._first[pair[0]] += count
        self._known: dict[str, float] = {}
        self._words: dict[str, float] = {}

    def __call__(self, word: str) -> float:
        if word not in self._words:
            full = f"^{word}$"
            self._words[word] = sum(self._letter(full[max(0, at - 2) : at], full[at]) for at in range(1, len(full)))
        return self._words[word]

    def _letter(self, before: str, c: str) -> float:
        key = f"{before}\0{c}"
        if key not in self._known:
            last = before[-1]
            single = (self._single[c] + 0.02) / (self._total + 2) if c != "$" else 0.1
            pair = (self._pairs[last + c] + 4 * single) / (self._first[last] + 4)
            triple = (self._triples[before + c] + 6 * pair) / (self._pairs[before] + 6) if len(before) == 2 else pair
            self._known[key] = math.log(triple)
        return self._known[key]


@lru_cache(maxsize=2)  # One entry per script, latin and cyrillic.
def _models(script: str) -> Mapping[str, _Model]:
    return {lang: _Model(names) for lang, names in getattr(_names(), script).items()}


_LETTER_RANGES: dict[str, tuple[tuple[str, int, int, float], ...]] = {
    "cp932": (("euc_jp", 0xB0, 0xCF, -9.5), ("euc_jp", 0xD0, 0xF4, -11.8)),
    "gbk": (("gb2312", 0xB0, 0xD7, -9.6), ("gb2312", 0xD8, 0xF7, -11.2)),
    "cp950": (("cp950", 0xA4, 0xC6, -10.0), ("cp950", 0xC9, 0xF9, -11.9)),
    "cp949": (("euc_kr", 0xB0, 0xC8, -10.2),),
}
"""The letter ranges of each character set.

Each has the codec, the first and last value of the first byte, and the log-likelihood of a letter in the range.
"""
_RARE_WEIGHT = -14.0
_KANA_WEIGHT = -4.6
_HALF_WIDTH_WEIGHT = -6.0
_FOREIGN_KANA_WEIGHT = -9.0


@lru_cache(maxsize=4)  # One entry for each encoding in _HAN_LANGUAGES.
def _letter_weights(encoding: str) -> Mapping[str, float]:
    """Return the log-likelihood of each letter that occurs in names of the encoding's language."""
    counts = Counter("".join(_names().han[_HAN_LANGUAGES[encoding]].split()))
    total = sum(counts.values())
    return {c: math.log(0.7 * count / total) for c, count in counts.items()}


@lru_cache(maxsize=1 << 14)  # Enough for the letters of a list.
def _letter_weight(c: str, encoding: str) -> float:
    """Return the log-likelihood of a Japanese, Chinese or Korean letter in an encoding."""
    if encoding not in _HAN_LANGUAGES:
        return _UNKNOWN_LETTER_WEIGHT
    if c in _letter_weights(encoding):
        return _letter_weights(encoding)[c]
    if "\u3041" <= c <= "\u30ff":
        return _KANA_WEIGHT if encoding == "cp932" else _FOREIGN_KANA_WEIGHT
    if _HALF_WIDTH.match(c):
        return _HALF_WIDTH_WEIGHT if encoding == "cp932" and c not in "｡｢｣､･" else _UNKNOWN_LETTER_WEIGHT
    if c.isascii():
        return -3.0
    for codec, low, high, weight in _LETTER_RANGES[encoding]:
        raw = c.encode(codec, "ignore")
        if len(raw) == 2 and low <= raw[0] <= high:
            return weight
    return _RARE_WEIGHT
