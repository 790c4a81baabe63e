"""Split a plain line of a post into tokens: machines, letters, numbers, signs and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from generator.games.battling.model import Letter
from generator.games.battling.post.vocabulary import NO_VOCABULARY, Ids, Vocabulary

Kind = Literal[
    "unit",  # an AT by its number or id
    "item",  # a number at the beginning of a list item, such as `1.` or `2)`
    "name",  # an AT by the name of its kind or by a name given by its player
    "all",  # every AT of a side
    "hex",
    "int",  # at most three digits
    "hp",
    "blank",  # a question mark in place of a number, as `orders next` writes it
    "letter",
    "result",  # a result in words, such as hit or miss
    "verb",  # an action in words
    "word",  # other letters or digits
    "slash",
    "at",
    "sign",  # another sign
    "open",
    "close",
    "comment",  # the sign with which a comment begins
]


class Token(NamedTuple):
    """A token of a line."""

    kind: Kind
    text: str
    """The text as written. Letters and ids are in capitals."""
    start: int
    end: int
    value: int = 0
    """The value of a number, such as hit points or a die."""
    ids: Ids = ()
    """The machines of both sides that a name may mean."""


_NUMERALS = {sign: str(n) for n, sign in enumerate("一二三四五六七八九", 1)} | {
    "壱": "1",
    "弐": "2",
    "参": "3",
    "い": "1",
    "に": "2",
    "さ": "3",
    "よ": "4",
}
_ORDINALS = {
    "first": "1",
    "1st": "1",
    "one": "1",
    "second": "2",
    "2nd": "2",
    "two": "2",
    "third": "3",
    "3rd": "3",
    "three": "3",
    "fourth": "4",
    "4th": "4",
    "four": "4",
}
VERBS = {
    "歩行": "W",
    "徒歩": "W",
    "walk": "W",
    "walks": "W",
    "walking": "W",
    "ローラーダッシュ": "R",
    "ダッシュ": "R",
    "dash": "R",
    "dashes": "R",
    "dashing": "R",
    "射撃": "F",
    "fire": "F",
    "fires": "F",
    "firing": "F",
    "shoot": "F",
    "shoots": "F",
    "shooting": "F",
    "バトリング": "B",
    "battling": "B",
    "battles": "B",
    "punch": "B",
    "punches": "B",
    "防御": "D",
    "ガード": "D",
    "防御態勢": "D",
    "防御姿勢": "D",
    "防御体勢": "D",
    "防御行動": "D",
    "ディフェンス": "D",
    "がーど": "D",
    "ぼうぎょ": "D",
    "def": "D",
    "defence": "D",
    "defense": "D",
    "guard": "D",
    "guards": "D",
    "guarding": "D",
    "defend": "D",
    "defends": "D",
}
"""The letter of each action, by the words that people use for it."""
MOVES = frozenset(("move", "moves", "moving", "go", "goes", "移動", "歩", "進"))
ATTACKS = frozenset(("attack", "attacks", "attacking", "攻撃", "撃"))
"""Other words for moves and attacks. They do not replace a letter, but a line that contains them may be an order."""
WAITS = frozenset(("stay", "stays", "wait", "waits", "hold", "holds", "待機"))
"""Words for a machine that does nothing, with which some players mean that it guards."""
RESULTS = {
    "命中": "H",
    "ヒット": "H",
    "hit": "H",
    "hits": "H",
    "はずれ": "F",
    "ハズレ": "F",
    "外れ": "F",
    "ミス": "F",
    "miss": "F",
    "missed": "F",
    "misses": "F",
}
"""The letter of each result of a shot, by the words that people use for it."""

LETTERS: Mapping[str, Letter] = {"W": "W", "R": "R", "F": "F", "B": "B", "D": "D"}
"""The letters of the actions."""
OPENING = {"(": ")", "[": "]", "【": "】", "「": "」", "『": "』", '"': '"', "《": "》", "〈": "〉"}
CLOSING = frozenset(OPENING.values())
QUOTES = frozenset('「『"')

_KINDS: tuple[tuple[str, str], ...] = (
    ("sharp", r"\#\s?(?=[0-9]{4}(?![0-9]))"),
    ("unit", r"\#\s?[FSfs]?[0-9]{1,2}(?![0-9])(?:号機|番機|機目|番目|号|番|機)?"),
    (
        "unit",
        r"(?:(?<![A-Za-z0-9])(?:(?i:no\.?|nr\.?|unit|machine|mech|number)|AT)|ユニット|機体|ナンバー)\s?\#?\s?"
        r"[0-9]{1,2}(?![0-9]|\s?/)(?![A-Za-z](?![A-Za-z]*\s*/))",
    ),
    ("unit", r"(?<![0-9])[0-9]{1,2}(?:号機|番機|機目|号車?|番目|体目|台目|番(?![号組手地街]))(?!室)"),
    ("unit", r"(?:[一二三四五六七八九壱弐参]|いち|に|さん|よん)(?:号機|番機|機目|体目|台目)"),
    (
        "unit",
        r"(?<![A-Za-z0-9])(?i:(?:first|second|third|fourth|1st|2nd|3rd|4th)\s(?:unit|machine|mech|at|one))(?![A-Za-z])",
    ),
    ("unit", r"(?<![A-Za-z0-9])(?i:(?:unit|machine|mech|number|no\.?)\s(?:one|two|three|four))(?![A-Za-z])"),
    (
        "unit",
        r"(?<![A-Za-z0-9])[FSfs][0-9]{1,2}(?=[WRFBD]\s*/|[WRFBDwrfbd](?![A-Za-z0-9])|(?![A-Za-z0-9]))(?!\s*/\s*[0-9])",
    ),
    (
        "all",
        r"(?:あとは?)?[0-9二三四]?全機(?:とも)?|全AT|(?:あとは?)?(?:[0-9二三四]機)?全部(?=\s*(?:とも|は|を|で|:|、|D(?![A-Za-z])|防御|ガード))|オール(?=\s*D(?![A-Za-z]))"
        r"|全員|(?:みんな|皆)(?:とも)?(?=は|が|で|:|、|D)|両機(?:とも)?|両方(?:とも)?|[0-9二三四][機体]とも"
        r"|(?:残り|それ以外|(?:そ?の)?(?:他|ほか))(?:の?(?:[0-9二三四]機|機体|AT|全機|全員|みんな))?(?=は(?!ず)|も|が|:|、|\s*D(?![A-Za-z]))"
        r"|(?<![A-Za-z])(?i:both(?:\sof\sthem)?|all(?:\sof\sthem)?|every(?:one|body)(?:\selse)?|all\selse|(?:my\s)?(?:whole|entire)\s(?:squad|team)"
        r"|the\s(?:rest|others)|(?:rest|others)(?=\s*(?::|D(?![A-Za-z])|guard))|the\sother\s(?:two|three|[23]|ones|units|ATs))(?![A-Za-z])",
    ),
    (
        "hp",
        r"(?:残り?\s?)?(?i:HP)\s?[:=]?\s?[0-9]{1,2}(?![0-9])|(?:残り?)?耐久力?\s?[:=は]?\s?[0-9]{1,2}(?![0-9])"
        r"|残り?\s?[:=]?\s?[0-9]{1,2}(?![0-9]|\s?[ァ-ヺ一-鿿A-Za-z])",
    ),
    ("hp", r"(?<![0-9])[0-9]{1,2}\s?(?i:HP)(?!\s?[:=]?\s?[A-Za-z0-9])"),
    ("blank", r"(?i:HP)\?|\?(?=\s*(?:/|$))"),
    ("hex", r"[0-9]{4}(?![0-9A-Za-z])"),
    ("int", r"[0-9]{1,3}(?![0-9A-Za-z])"),
    ("letter", r"[WRDwrd](?=[0-9]{1,2}\s*/\s*[0-9])|[Bb](?=[0-9]\s*/\s*[0-9]{4})|[FBfb](?=[0-9]{4}(?![0-9A-Za-z]))"),
    ("word", r"[A-Za-z]?[0-9]+[A-Za-z][0-9A-Za-z]*|[A-Za-z]+[0-9][0-9A-Za-z]*|[0-9]+"),
    ("word", r"[A-Za-z]+(?:'[A-Za-z]+)*'?"),
    ("word", r"[ァ-ヺ][ァ-ヺー・]*"),
    ("word", r"は(?:ず|づ)れ|[ぁ-ゖ]+"),
    ("word", r"外れ|[一-鿿々〆]+"),
    ("comment", r"//|\#"),
    ("slash", r"/"),
    ("at", r"@"),
    ("open", r"[(\[【「『《〈]"),
    ("close", r"[)\]】」』》〉]"),
    ("sign", r"→|->|=>|>>|←|<-|<=|\.{2,}|[^\s\w]|_|ー"),
    ("word", r"\S"),
)
"""The pattern of each kind of token, in the order in which they are tried. Letters, verbs and names are read as words
first.
"""


def tokenize(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> list[Token]:
    """Return the tokens of a plain line in linear time."""
    pattern, kinds = _pattern(vocabulary.spelled)
    found: list[Token] = []
    quoted = False
    for match in pattern.finditer(text):
        kind = kinds[match.lastindex or 0]
        raw = match[0]
        start, end = match.span()
        if kind == "sharp":
            continue
        if kind == "sign" and raw == '"':
            quoted = not quoted
            kind = "open" if quoted else "close"
        found.append(_token(kind, raw, start, end, vocabulary))
    return _list_items(_without_brackets(found), text, vocabulary)


def unit_of(raw: str) -> str:
    """Return the number or id in a mention such as `#F1`, `2号機`, `No. 1` or `second machine`."""
    upper = raw.upper()
    if match := re.search(r"[FS]?[0-9]{1,2}", upper) if any(c.isdigit() for c in raw) else None:
        return re.sub("^([FS]?)0(?=[0-9])", r"\1", match[0])
    words = [*raw.lower().split(), raw[0]]
    return next((number for word in words if (number := _ORDINALS.get(word) or _NUMERALS.get(word))), "")


@lru_cache(maxsize=8)  # for one battle at a time, and for no battle
def _pattern(names: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the pattern of all tokens, and the kind of each of its groups."""
    kinds = list(_KINDS)
    if names:
        spelled = "|".join(_spelled(name) for name in names)
        kinds.insert(0, ("name", f"(?i:{spelled})"))
    return re.compile("|".join(f"({form})" for _, form in kinds)), ("", *(kind for kind, _ in kinds))


def _spelled(name: str) -> str:
    """Return the pattern of a name. An ASCII name does not match in a longer word."""
    form = re.escape(name)
    before = r"(?<![A-Za-z0-9])" if name[0].isascii() and name[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if name[-1].isascii() and name[-1].isalnum() else ""
    return f"{before}{form}{after}"


def _token(kind: str, raw: str, start: int, end: int, vocabulary: Vocabulary) -> Token:
    if kind == "unit":
        return Token("unit", unit_of(raw), start, end)
    if kind == "name":
        return Token("name", raw, start, end, ids=vocabulary.find(raw))
    if kind in ("int", "hp"):
        digits = re.search("[0-9]+", raw)
        return Token(kind, raw, start, end, int(digits[0]) if digits else 0)  # type: ignore[arg-type]
    if kind == "letter":
        return Token("letter", raw.upper(), start, end)
    if kind == "word":
        return _word(raw, start, end, vocabulary)
    return Token(kind, raw, start, end)  # type: ignore[arg-type]


def _word(raw: str, start: int, end: int, vocabulary: Vocabulary) -> Token:
    """Return the token of a word, which is a letter, result, verb or name."""
    if len(raw) == 1 and raw.isascii() and raw.isalpha():
        return Token("letter", raw.upper(), start, end)
    if raw.upper() == "EX":
        return Token("letter", "EX", start, end)
    lower = raw.lower()
    if letter := RESULTS.get(lower):
        return Token("result", letter, start, end)
    if letter := VERBS.get(lower):
        return Token("verb", letter, start, end)
    if vocabulary.names and _may_name(raw) and (ids := vocabulary.find(raw.removesuffix("'s").strip("'"))):
        return Token("name", raw, start, end, ids=ids)
    return Token("word", raw, start, end)


def _may_name(raw: str) -> bool:
    """Return whether a word may be a name. Words in hiragana are particles and verbs."""
    return len(raw) > 2 and (raw.isascii() or not "ぁ" <= raw[0] <= "ゖ")


def _without_brackets(tokens: list[Token]) -> list[Token]:
    """Return the tokens with `walk (W) /` and `(1108) /` reduced to letter and hex, and `/ [3] /` to its number."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        here = tokens[at]
        inside = tokens[at + 1 : at + 4]
        if here.kind == "open" and len(inside) > 1 and inside[1].kind == "close":
            inner, is_before_slash = inside[0], len(inside) > 2 and inside[2].kind == "slash"
            whole = inner._replace(start=here.start, end=inside[1].end)
            if inner.kind in ("letter", "verb") and is_before_slash:
                if found and found[-1].kind in ("letter", "verb"):
                    whole = found.pop()._replace(end=inside[1].end)
                found.append(whole._replace(kind="letter"))
                at += 3
                continue
            is_number = inner.kind == "int" and bool(found) and found[-1].kind == "slash"
            if is_number or (inner.kind == "hex" and is_before_slash):
                found.append(whole)
                at += 3
                continue
        found.append(here)
        at += 1
    return found


def _list_items(tokens: list[Token], text: str, vocabulary: Vocabulary) -> list[Token]:
    """Return the tokens with numbers that open a line or a clause as list items, such as `1.`, `2)` or `1:`."""
    for at, token in enumerate(tokens):
        if token.kind != "int" or token.value > 99 or at + 1 >= len(tokens):
            continue
        before, after = tokens[at - 1] if at else None, tokens[at + 1]
        letter = at + 2 < len(tokens) and after.text in (":", ".", ")") and tokens[at + 2].text in LETTERS
        opens = (
            letter
            or before is None
            or before.text in (",", "、", ";", "|", "。", ".", "(", "[", "【", "・", "&", "and", "と")
        )
        closed = after.text in (".", ")", ":", "]", "】", ";", "=", "-", "→") or after.kind in ("letter", "verb")
        follows = tokens[at + 2].text in LETTERS if at + 2 < len(tokens) else False
        closed = closed or (before is None and (after.text in (",", "、") or (after.kind == "slash" and follows)))
        if letter and after.text == ":":
            # `7: F / 1108` states an AT, even if no AT has this number
            tokens[at] = token._replace(kind="unit", text=str(token.value))
        elif opens and closed and vocabulary.has(str(token.value)):
            tokens[at] = token._replace(kind="item", text=str(token.value))
    return tokens
