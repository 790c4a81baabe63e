"""Detect the encoding of a list of names.

A list is short, often a few hundred bytes, and a wrong encoding turns it into other letters rather than into an
error. So every encoding that spreadsheets use is tried, and each reading is rated by how likely its letters are in
names (data/tournament/names.toml). The best reading is taken if it is clearly better than the next one; otherwise the
list is refused, and both readings are shown.
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
"""Byte order marks; if one begins with another, the longer one is first."""
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
"""Encodings that are tried if the list is not Unicode, with the logarithm of how common each is."""
TRIED_ENCODINGS = ("utf-8", "utf-16", *PRIORS)
MARGIN = 6.0
"""The difference in the logarithm of likelihood at which a reading is taken: e⁶ (about 400) times as likely as the
next. tests/tournament/test_encoding.py reads thousands of lists with it, none of them wrong."""
_MIN_ALPHABETIC = {"latin": -6.5, "cyrillic": -5.0}
_MIN_TWO_BYTE = {"cp932": -10.5, "gbk": -9.0, "cp950": -9.0, "cp949": -8.0}
"""The mean logarithm of the likelihood of a letter below which a reading is not a list of names, by script for
alphabets and by encoding for letters of two bytes. Lists of five names made with Faker had -2 to -5, in cp932 -6,
in GBK -6 to -9."""
_MAX_LINES = 300
"""The number of lines that are rated; more lines change no decision."""
_MAX_RIVALS = 2
"""The readings that are shown besides the best one if a list is refused: 1 of 7,600 lists needs the second."""
_MAX_NAMES_SHOWN = 3
"""The names that are shown in each reading if a list is refused."""

_KNOWN_CELL_WEIGHT = 8.0
"""The weight of a cell that is a known heading, or the name of a player of the event."""
_UNKNOWN_LETTER_WEIGHT = -12.0
"""The weight of a letter that does not occur in a language's names."""
_MAIN_LANGUAGE_SHARE = 0.9
"""The share of the names that are in the list's main language; the others may be in any."""
_SYMBOL_WEIGHT = -6.0
"""The weight of a symbol that is not part of a name."""
_CAPITAL_WEIGHT = -3.0
"""The weight of a Latin capital in a Japanese, Chinese or Korean word, as in チームA."""

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
"""The language of each encoding with two bytes for a letter."""
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_BETWEEN = re.compile("[A-Za-z][\uff61-\uff9f]+[A-Za-z]")
_APOSTROPHES = "’´‘"
_OPENING, _CLOSING = "„«‹", "”»›"
"""Quotation marks before a word, and behind one."""
_WIDE_SIGNS = "・（）［］「」『』、。＆／，．－～"
"""Signs that may stand between Japanese, Chinese or Korean words."""
_SEPARATORS = re.compile(rb"[,;\t\r\n]")


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names by language, separated by spaces."""

    latin: dict[str, str]
    cyrillic: dict[str, str]
    han: dict[str, str]


_names = toml.shipped_table("tournament/names.toml", _Names)


class Text(msgspec.Struct, frozen=True):
    """The text of a file, and its encoding."""

    text: str
    encoding: str

    @property
    def legacy(self) -> bool:
        """Whether the encoding was guessed or given by the user, and is not Unicode."""
        return not self.encoding.startswith("utf")


def read_text(
    content: bytes, file: str, encoding: str | None = None, known: Collection[str] = (), invisible: bool = False
) -> Text:
    """Decode a list; `known` are headings and names that it may hold.

    Invisible characters are a fault, unless `invisible` leaves them to the caller.

    Raises:
        DataError: lists each faulty line, if no encoding reads the list, or if two read it equally well.
    """
    marked = next((form for mark, form in MARKS.items() if content.startswith(mark)), None)
    chosen = marked or encoding or _unicode(content)
    found = _decoded(content, file, chosen) if chosen else _guessed(content, file, known)
    for at, line in enumerate(found.text.split("\n"), 1):
        if not invisible and (fault := invisible_fault(line, accepted="\t\r")):
            raise DataError(Problem(fault, file, at))
    return found


def _decoded(content: bytes, file: str, encoding: str) -> Text:
    """Decode with a given or marked encoding; raises DataError with the line that cannot be decoded."""
    try:
        return Text(decode_first(content, encoding)[0], encoding)
    except UnicodeDecodeError as error:
        hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
        message = tr("is not text in {forms}", forms=encoding)
        raise DataError(Problem(message, file, line_of(error), hint)) from error
    except UnicodeError as error:  # codecs such as idna do not give the place
        raise DataError(Problem(tr("is not text in {forms}", forms=encoding), file)) from error


def _unicode(content: bytes) -> str | None:
    """Return the Unicode encoding of a list without a byte order mark; None if it has another encoding."""
    ends = content.count(b"\n\0"), content.count(b"\0\n"), content.count(b"\r\0"), content.count(b"\0\r")
    if len(content) % 2 == 0 and 2 * max(ends) > max(1, content.count(b"\n"), content.count(b"\r")):
        for form in ("utf-16-le", "utf-16-be"):
            text = _try(content, form)
            if text is not None and re.search("[\r\n]", text) and not _unreadable(text):
                return form
    return "utf-8" if _try(content, "utf-8") is not None else None


def _try(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


class Candidate(msgspec.Struct, frozen=True):
    """A list as read in one encoding."""

    encoding: str
    lines: tuple[str, ...]
    weight: float
    """The logarithm of its likelihood."""
    sound: bool
    """Whether it breaks no rule."""


def readings(content: bytes, known: Collection[str] = ()) -> list[Candidate]:
    """Return the readings of a list that is not Unicode: those that break no rule first, then by likelihood."""
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
    """Decode with the likeliest encoding; raises DataError if two are equally likely, or none is likely at all."""
    found = readings(content, known)
    if not found:
        hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
        forms = joined(TRIED_ENCODINGS, " or ", "でも")
        raise DataError(Problem(tr("is not text in {forms}", forms=forms), file, _first(content), hint))
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
    raise DataError(
        *_differing_names(content, file, best, list(dict.fromkeys(one.encoding for one in displayed))[:_MAX_RIVALS])
    )


def _nearly_unicode(content: bytes) -> bool:
    """Return whether a list is UTF-8 except for a few damaged bytes."""
    damaged = sum("\udc80" <= c <= "\udcff" for c in content.decode("utf-8", "surrogateescape"))
    return 10 * damaged < sum(byte > 0x7F for byte in content)


def _differing_names(content: bytes, file: str, best: Candidate, others: Sequence[str]) -> Iterator[Problem]:
    """Yield the first names that differ between readings, with the option that selects one."""
    forms = [best.encoding, *others]
    hint = tr("save the file as CSV in UTF-8, or give its encoding with --encoding")
    if best.sound:
        options = joined((f"--encoding {form}" for form in forms), " or ", "または")
        hint = tr("choose the right encoding: {options}", options=options)
    displayed = 0
    for at, raw in enumerate(re.split(rb"\r\n|\r|\n", content), 1):
        for cell in _SEPARATORS.split(raw):
            # Equal readings count for the likeliest encoding.
            names = {_cell(cell, form)[:NAME_LIMIT]: form for form in reversed(forms)}
            if displayed == _MAX_NAMES_SHOWN:
                return
            if not next(iter(names)).isascii() and len(names) > (1 if others else 0):
                displayed += 1
                yield Problem(
                    _describe_difference({form: name for name, form in reversed(names.items())}), file, at, hint
                )


def _describe_difference(names: Mapping[str, str]) -> str:
    """Describe a name that encodings read differently, or a single reading that is hardly a name."""
    (first, one), *others = names.items()
    if not others:
        return tr(
            "the encoding is uncertain: this reads “{one}” in {first}, which does not look like a name",
            one=one,
            first=first,
        )
    (second, two), *more = others
    if not more:
        return tr(
            "the encoding is uncertain: this reads “{one}” in {first}, but “{two}” in {second}",
            one=one,
            first=first,
            two=two,
            second=second,
        )
    third, three = more[0]
    return tr(
        "the encoding is uncertain: this reads “{one}” in {first}, “{two}” in {second}, and “{three}” in {third}",
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
    """Return the line of the first byte that is not ASCII."""
    at = next((at for at, byte in enumerate(content) if byte > 0x7F), 0)
    return content[:at].count(b"\n") + 1


def _sample(content: bytes) -> list[bytes]:
    """Return the lines that are rated: those that are not ASCII, then others, which show the language."""
    lines = list(dict.fromkeys(line for line in re.split(rb"[\r\n]+", content) if line.strip()))
    telling = [line for line in lines if not line.isascii()][:_MAX_LINES]
    rest = [line for line in lines if line.isascii()]
    return telling + rest[: max(0, _MAX_LINES // 5 - len(telling))]


def _unreadable(text: str) -> bool:
    """Return whether a text has control or private-use characters, which names do not have."""
    return not text.isprintable() and any(
        c not in "\t\r\n" and unicodedata.category(c) in ("Cc", "Co", "Cn", "Cs") for c in set(text)
    )


def _key(text: str) -> str:
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _weigh(lines: Sequence[str], encoding: str, expected: Collection[str]) -> tuple[float, bool]:
    """Return the logarithm of a reading's likelihood, and whether it breaks no rule."""
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
    # Words in ASCII are the same in every reading, so they say nothing about this one.
    sound = sound and _likelihood([strange], encoding) >= floor
    return weight + _likelihood(words, encoding), sound


def _split_words(cell: str) -> tuple[list[str], float, bool]:
    """Return the words of a cell, the weight of the signs among them, and whether no sign breaks a word."""
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
            # An apostrophe stands before a capital, as in O’Neil; D’angelo is rare.
            weight += -8.0 if before and cell[at + 1 : at + 2].islower() else -1.0
            sound = sound and not (c != "’" and before and not after)
        elif c in _WIDE_SIGNS:
            near_latin = any(n.isascii() and n.isalpha() for n in (cell[at - 1 : at], cell[at + 1 : at + 2]))
            weight, sound = weight - 2.0, sound and not near_latin
        elif c == "·":
            weight, sound = weight - 2.0, sound and cell[at - 1 : at + 2].lower() == "l·l"
        elif c == "–" and before and cell[at + 1 : at + 2].isupper():
            weight -= 2.0  # Ann–Marie
        elif c in "“–—" or c in _OPENING or c in _CLOSING:  # “ opens in English, closes in German
            touches = (before and c in _OPENING) or (after and c in _CLOSING) or (c in "–—" and (before or after))
            weight, sound = weight - 1.0, sound and not touches and not (before and after)
        elif c in "ªº" and (not before or cell[at - 1] in "Mm"):
            weight -= 0.0 if before else 2.0  # Mª José
        else:
            weight, sound = weight + _SYMBOL_WEIGHT, sound and not before and not after
    return [*words, *([word] if word else [])], weight, sound


def _is_common(c: str) -> bool:
    """Return whether a letter is kana, or common in names."""
    return "\u3041" <= c <= "\u30ff" or any(c in _letter_weights(encoding) for encoding in _HAN_LANGUAGES)


def _word_fault(word: str) -> tuple[bool, float]:
    """Return whether a word breaks a rule, and a weight besides that of its letters.

    No word has two scripts (kanji and kana are one), nor a capital after a small letter. Words in ASCII are the same
    in every reading, so that McDonald decides nothing.
    """
    if word.isascii():
        return False, 0.0
    scripts = {_script(c) for c in word}
    if scripts == {"latin", "han"}:
        latin, han = ([c for c in word if _script(c) == script] for script in ("latin", "han"))
        team = all(c.isascii() and c.isupper() for c in latin) and all(map(_is_common, han))  # チームA
        return not team, _CAPITAL_WEIGHT * len(latin)
    if len(scripts) > 1:
        return True, 0.0
    small = any(c.islower() for c in word)
    return any(
        b.isupper() and not (a + b).isascii() and (a.islower() or (small and not b.isascii()))
        for a, b in pairwise(word)
    ), 0.0


@lru_cache(maxsize=1 << 14)  # the letters of a list
def _script(c: str) -> str:
    name = unicodedata.name(c, "")
    if name.startswith("FULLWIDTH LATIN"):
        return "full-width"
    return _SCRIPTS.get(name.split(" ")[0], "other")


def _likelihood(cells: Iterable[Sequence[str]], encoding: str) -> float:
    """Return the logarithm of the likelihood of the names in these cells, in the list's main language and others."""
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
    """Return the logarithm of the likelihood of words in one script: most in one language, a few in any other."""
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
    """The frequencies of letters in a language's names, given the letters before them."""

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


@lru_cache(maxsize=2)  # latin and cyrillic
def _models(script: str) -> Mapping[str, _Model]:
    return {lang: _Model(names) for lang, names in getattr(_names(), script).items()}


_LETTER_RANGES: dict[str, tuple[tuple[str, int, int, float], ...]] = {
    "cp932": (("euc_jp", 0xB0, 0xCF, -9.5), ("euc_jp", 0xD0, 0xF4, -11.8)),
    "gbk": (("gb2312", 0xB0, 0xD7, -9.6), ("gb2312", 0xD8, 0xF7, -11.2)),
    "cp950": (("cp950", 0xA4, 0xC6, -10.0), ("cp950", 0xC9, 0xF9, -11.9)),
    "cp949": (("euc_kr", 0xB0, 0xC8, -10.2),),
}
"""The ranges of each character set: codec, first and last value of the first byte, and the weight of such a
letter."""
_RARE_WEIGHT = -14.0
_KANA_WEIGHT = -4.6
_HALF_WIDTH_WEIGHT = -6.0
_FOREIGN_KANA_WEIGHT = -9.0


@lru_cache(maxsize=4)  # the four encodings in _HAN_LANGUAGES
def _letter_weights(encoding: str) -> Mapping[str, float]:
    """Return the weight of each letter that occurs in names of the encoding's language."""
    counts = Counter("".join(_names().han[_HAN_LANGUAGES[encoding]].split()))
    total = sum(counts.values())
    return {c: math.log(0.7 * count / total) for c, count in counts.items()}


@lru_cache(maxsize=1 << 14)  # the letters of a list
def _letter_weight(c: str, encoding: str) -> float:
    """Return the weight of a Japanese, Chinese or Korean letter in an encoding."""
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
