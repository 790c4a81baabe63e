"""Find the ATs that a line mentions, and decide which of them an order is for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.games.battling.model import PREFIX, Side
from generator.games.battling.post.cores import Groups
from generator.games.battling.post.tokens import Token
from generator.games.battling.post.vocabulary import Ids, Vocabulary

ITEM, HEX, NAME, UNIT = range(4)
"""The certainty with which a mention states the AT, in rising order: number of a list item, hex, name, number or id.
"""

_OBJECT_AFTER = re.compile(
    r"\s*(?:を|へ|に(?!は|つ|い[るた])|まで|より|との|と戦|の(?:後ろ|うしろ|横|隣|前|近く|そば|脇|背後|援護|攻撃|射撃に|移動先)|狙い|あて|宛)"
)
_OBJECT_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:at|to|on|onto|into|against|behind|near|beside|past|around|towards?|under|over|versus|vs\.?|than|hits?"
    r"|target|targets)\s(?:the\s|my\s|your\s|that\s|hex\s)?$",
    re.IGNORECASE,
)
_CORRECTED_BEFORE = re.compile(
    r"(?:correction|change|update|order|edit|addition)s?\s+to\s+(?:the\s|my\s)?$", re.IGNORECASE
)
_OTHERS_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])(?:your|his|her|their|enemy|enemy's|opponent's)\s*|(?:あなた|そちら|そっち|相手|敵|君)(?:の|側の|方の)\s*|敵\s*)$",
    re.IGNORECASE,
)
"""Words before a mention of a machine that is not the one that gets the order."""
_HEX_SUBJECT = re.compile(
    r"\s*(?:[^)\]】」]{0,30}[)\]】」]\s*)?(?:は|が|も|から|の|にい[るた]|で(?!す)|:|-|→|=|、|,|\||/\s*(?:[WRFB]\s*/|D\s*(?:/|$))|[WRFBDwrfbd](?![A-Za-z])|(?:AT|machine|unit)\b"
    r"|(?:fires?|shoots?|guards?|walks?|dashes|punches|does|will|takes|stays|holds|goes|moves)\b)"
)
"""Words after a hex that stands for the AT in it."""
_STATES_PLACE = re.compile(
    r"\s*(?::|(?:fires?|shoots?|guards?|walks?|dashes|punches|does|will|takes|stays|holds|goes|moves)\b)"
)
MAX_BETWEEN_NAMES = 12
"""The maximum number of characters between two mentions of one AT, as in `0707 (#1)` or `#1, the Scopedog`."""
_JOINED = re.compile(r"\s*(?:と|も|、|,|&|\+|・|/|and)?\s*(?:the\s|my\s)?", re.IGNORECASE)
_BOTH = re.compile(r"[\s,、]*(?:は|が|の|とも)?[\s、]*")
"""The text between listed ATs and a word for all of them, as in `#1 and #3 both`."""
_SENTENCE_END = re.compile(
    r"[。!?]|(?<!#[0-9])(?<!#[0-9][0-9])(?<!機);|(?<!(?<![0-9A-Za-z#/])[0-9])(?<![Nn]o)(?<![Nn]r)\.(?=\s|$)"
)
"""The end of a sentence, but not the dot of `No. 2` or of a list item, nor the semicolon of `#2; D`."""


class Mention(NamedTuple):
    """A mention of an AT in a line."""

    first: int
    """The index of the first token."""
    rank: int
    unit: str = ""
    """The number or id of the AT."""
    start: str = ""
    """The hex of the AT."""
    ids: Ids = ()
    """The machines that the name may mean."""
    for_all: bool = False
    """Whether every AT of the side is mentioned."""


class Target(NamedTuple):
    """The AT or ATs that an order is for."""

    mentions: tuple[Mention, ...]
    is_direct: bool
    """Whether the order follows directly, with at most signs, particles and a verb in between."""
    is_certain: bool
    """Whether the mention is in the sentence of the order."""

    @property
    def rank(self) -> int:
        """Return the certainty with which the AT is stated."""
        return max((mention.rank for mention in self.mentions), default=ITEM)


def mentions(tokens: Sequence[Token], text: str, side: Side | None, vocabulary: Vocabulary) -> list[Mention]:
    """Return the mentions of a line that an order of a side may be for, from left to right."""
    found = []
    for at, token in enumerate(tokens):
        mention = _mention(at, token, side, vocabulary)
        if mention and (mention.rank == ITEM or _may_act(tokens, at, text, mention)):
            found.append(mention)
    return found


def _mention(at: int, token: Token, side: Side | None, vocabulary: Vocabulary) -> Mention | None:
    units = vocabulary.units(side) if side else ()
    if token.kind == "unit":
        return Mention(at, UNIT, unit=token.text)
    if token.kind == "item":
        known = not units or any(token.text == unit.lstrip("FS") for unit in units)
        return Mention(at, ITEM, unit=token.text) if known else None
    if token.kind == "name":
        ids = tuple(unit for unit in token.ids if not units or unit in units)
        return Mention(at, NAME, ids=ids) if ids else None
    if token.kind == "all":
        return Mention(at, NAME, ids=units, for_all=True) if units else None
    return Mention(at, HEX, start=token.text) if token.kind == "hex" else None


def _may_act(tokens: Sequence[Token], at: int, text: str, mention: Mention) -> bool:
    """Return whether a mention may be the subject of an order, and not its target or a place."""
    before, after = text[max(0, tokens[at].start - 20) : tokens[at].start], text[tokens[at].end : tokens[at].end + 40]
    if _OBJECT_AFTER.match(after) or _OTHERS_BEFORE.search(before):
        return False
    if mention.rank == HEX:
        is_place = re.search(r"(?<![A-Za-z])at\s(?:hex\s)?$", before, re.IGNORECASE)
        if _OBJECT_BEFORE.search(before) and not (is_place and _STATES_PLACE.match(after)):
            return False
        return bool(_HEX_SUBJECT.match(after))
    return not _OBJECT_BEFORE.search(before) or bool(_CORRECTED_BEFORE.search(before))


def is_of_others(before: str) -> bool:
    """Return whether the words before an AT say that it belongs to the other side, such as `your`."""
    return bool(_OTHERS_BEFORE.search(before))


def is_foreign(mention: Mention, side: Side | None) -> bool:
    """Return whether a mention is the id of a machine of the other side."""
    return bool(side and mention.unit[:1].isalpha() and mention.unit[0] != PREFIX[side])


class Sentences:
    """The sentences of a line."""

    def __init__(self, text: str) -> None:
        self.ends = [match.end() for match in _SENTENCE_END.finditer(text)]

    def same(self, first: Token, second: Token) -> bool:
        """Return whether two tokens are in one sentence."""
        return self.of(first) == self.of(second)

    def of(self, token: Token) -> int:
        """Return the index of a token's sentence in its line."""
        return bisect_right(self.ends, token.start)

    def start(self, number: int) -> int:
        """Return the position at which a sentence begins."""
        return self.ends[number - 1] if number else 0


_SIGNS = " :,、-→=|;()[]【】「」\"'."
MAX_PHRASE = 8
"""The maximum number of characters of an unknown phrase between the name of an AT and the letter of its order.

A longer phrase is about something else.
"""
_LINK = re.compile(
    r"[\s:,、\-→=|;()\[\]【】「」\"'.]*(?:(?:さん|君|くん)?(?:は|が|も|で|の|から|、|にて|方)*(?:の?(?:行動|番|方|機体|AT|命令|注文))?(?:は|が|も|、|で)*)?"
    r"[\s:,、\-→=|;()\[\]【】「」\"'.]*"
)
_BRACKETS = re.compile(r"\([^()]{1,20}\)")
_FILLER = re.compile(
    r"(?:[A-Za-z']+\s*){0,4}|(?:移動せず|動かず|その場で?|とりあえず|まず|ここは|今回も?|引き続き|じっと|静かに|慎重に|同じく|迷わず|やはり|同様に)*(?:に|も|は|の|、)?"
)


def choose(
    found: Sequence[Mention], tokens: Sequence[Token], text: str, at: int, sentences: Sentences, brackets: Groups
) -> Target | None:
    """Return the AT that an order at a token is for, chosen from the unused mentions before it."""
    if not found:
        return None
    here = tokens[at]
    near = [m for m in found if sentences.same(tokens[m.first], here)]
    best = _nearest([m for m in near if m.rank >= NAME and not _in_remark(m, tokens, brackets)])
    best = best or _nearest([m for m in near if m.rank >= NAME])
    best = _listed_before(best, near, tokens, text) if best and best.for_all else best
    best = best or _nearest([m for m in near if m.rank == HEX])
    certain = best is not None
    best = best or _nearest([m for m in found if m.rank == ITEM and (m in near)])
    certain = certain or best is not None
    best = best or _nearest([m for m in found if m.rank >= NAME]) or _nearest([m for m in found if m.rank == HEX])
    if best is None:
        return None
    chosen = described(best, near if certain else found, tokens, text)
    between = text[tokens[max(m.first for m in chosen)].end : here.start]
    return Target(chosen, is_direct(between), certain)


def is_direct(between: str) -> bool:
    """Return whether a text between an AT and its letter has only signs, particles, a verb or a short phrase.

    Brackets, as in `Both units (#1 and #2): D`, make no difference.
    """
    between = _BRACKETS.sub("", between)
    link = _LINK.match(between)
    rest = between[link.end() if link else 0 :]
    filler = _FILLER.match(rest)
    rest = rest[filler.end() if filler else 0 :]
    return not rest.strip(_SIGNS) or (len(rest) <= MAX_PHRASE and "。" not in rest)


def _nearest(found: Sequence[Mention]) -> Mention | None:
    return found[-1] if found else None


def _listed_before(both: Mention, near: Sequence[Mention], tokens: Sequence[Token], text: str) -> Mention:
    """Return the last AT of a list before a word such as `both`, or the mention of the word if there is no list."""
    before = _nearest([m for m in near if m.first < both.first and m.rank == UNIT])
    if before and _BOTH.fullmatch(text, tokens[before.first].end, tokens[both.first].start):
        return before
    return both


def _in_remark(mention: Mention, tokens: Sequence[Token], brackets: Groups) -> bool:
    """Return whether a mention is in brackets that contain more than the mention."""
    opening = brackets.inside[mention.first]
    return opening >= 0 and tokens[opening].text == "(" and brackets.closing[opening] - opening > 2


def described(best: Mention, near: Sequence[Mention], tokens: Sequence[Token], text: str) -> tuple[Mention, ...]:
    """Return a mention with the mentions that belong to it.

    These are another name of the same AT, or ATs that are listed with it.
    """
    found = [best]
    for other in reversed(near[: near.index(best)] if best in near else []):
        between = text[tokens[other.first].end : tokens[found[0].first].start]
        is_other_name = same_machine(other, best) and len(between) <= MAX_BETWEEN_NAMES
        for_all = best.for_all or other.for_all
        is_separated = bool(between.strip()) or other.rank == best.rank == UNIT
        is_listed = min(other.rank, best.rank) >= NAME and is_separated and not for_all and _JOINED.fullmatch(between)
        if not (is_other_name or is_listed):
            break
        found.insert(0, other)
    return tuple(found)


def same_machine(one: Mention, other: Mention) -> bool:
    """Return whether two mentions may be of one AT: a number and a name, or a hex and either of these.

    Words for all ATs of a side, as in `both at once: #1 F / 1108, #2 D`, are not another name of an AT.
    """
    if HEX in (one.rank, other.rank):
        return one.rank != other.rank
    if one.for_all or other.for_all:
        return one.for_all and other.for_all
    unit, ids = one.unit or other.unit, one.ids or other.ids
    if unit and ids:
        return any(unit in (id_, id_.lstrip("FS")) for id_ in ids)
    if ids:
        return one.ids == other.ids
    numbers = {mention.unit.lstrip("FS") for mention in (one, other)}
    return len(numbers) == 1 and (one.unit == other.unit or not (one.unit[0].isalpha() and other.unit[0].isalpha()))


_FORWARD = re.compile(
    r"\s*[」』\"')]*\s*[,、]?\s*(?:\((?:that'?s\s|this is\s|by\s|with\s|from\s|=\s?)?"
    r"|(?:for|with|by|from|using|as|is for)\s(?:the\s|my\s)?|←\s*|<-\s*|=\s*|は\s*|:\s*|を\s*|,?\s*(?:my|the)\s)?$",
    re.IGNORECASE,
)
_FORWARD_END = re.compile(
    r"\s*(?:$|[)\].,、。!|;]|です|で(?:す|お願い|いき|\s*[。!]|\s*$)|が(?!ん)|さん|the\b|and\b|please|to\b|/)",
    re.IGNORECASE,
)


_NEXT_ORDER = re.compile(r"\s*(?::|は(?!、)|が|も|→|->|=>?|(?:[WRFB]\s*/|D)(?![A-Za-z]))")
"""Signs, words and letters after an AT which show that its own order follows."""


def choose_behind(found: Sequence[Mention], tokens: Sequence[Token], text: str, end: int) -> Target | None:
    """Return the ATs that an order is for if they are mentioned only after the order, as in `D for #1 and #2`."""
    if not found:
        return None
    mention = found[0]
    token = tokens[mention.first]
    between, after = text[tokens[end - 1].end : token.start], text[token.end : token.end + 12]
    if not _FORWARD.fullmatch(between) or mention.rank == ITEM or _NEXT_ORDER.match(after):
        return None
    is_bound = bool(between.strip(" 」』\"')"))
    chosen = _listed_behind(found, tokens, text)
    if mention.rank == HEX and not is_bound:
        return None
    return Target(chosen, True, True) if is_bound or len(chosen) > 1 or _FORWARD_END.match(after) else None


def _listed_behind(found: Sequence[Mention], tokens: Sequence[Token], text: str) -> tuple[Mention, ...]:
    """Return the first mention with those that are listed after it, except one whose own order follows."""
    listed = [found[0]]
    for mention in found[1:]:
        between = text[tokens[listed[-1].first].end : tokens[mention.first].start]
        is_listed = min(mention.rank, listed[-1].rank) >= NAME and between.strip() and _JOINED.fullmatch(between)
        if not is_listed or _NEXT_ORDER.match(text, tokens[mention.first].end):
            break
        listed.append(mention)
    return tuple(listed)


def alternatives(target: Target) -> Iterator[tuple[str, str, Ids, bool]]:
    """Yield the unit, start hex, possible ids and for-all mark of each order that a target stands for."""
    groups: list[list[Mention]] = []
    for mention in target.mentions:
        if groups and any(same_machine(mention, other) for other in groups[-1]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    for group in groups:
        if any(mention.for_all for mention in group):
            yield from ((unit, "", (), True) for mention in group for unit in mention.ids)
            continue
        unit = next((mention.unit for mention in group if mention.unit), "")
        ids = next((mention.ids for mention in group if mention.ids), ())
        start = next((mention.start for mention in group if mention.start), "")
        if not unit and len(ids) == 1:
            unit, ids = ids[0], ()
        if unit:
            start, ids = "", ()
        yield unit, start, ids, False
