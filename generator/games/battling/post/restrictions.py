"""Find words that restrict an order, such as exceptions, negations and conditions, so that it must be asked about.

Only words that change the meaning of every order are searched, and only in the clause of the order. The clause is the
text between the order before it and the order after it, within its sentence.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from generator.games.battling.notation import Order
from generator.games.battling.post.phrases import POLITE, REPLACES

_EXCEPTS = re.compile(
    r"(?<![A-Za-z])(?:except(?:ing)?|excluding|(?:all|every(?:one|body)?)\s+but|other\s+than|(?:apart|aside)\s+from|save\s+for)"
    r"(?![A-Za-z])|以外|除[くいきけ]|のぞ[いく]",
    re.IGNORECASE,
)
_ONLY_OTHER = re.compile(
    r"(?<![A-Za-z])(?:only|just)\s+#\s?[0-9]{1,2}\s*:?\s*$|#\s?[0-9]{1,2}\s*だけ(?:は|が)?\s*$", re.IGNORECASE
)
"""Words between an order and that of another AT which show that the first one is not for all ATs."""
_NOT = (
    r"(?<![A-Za-z])(?:no|not|never|without|cannot|(?:wo|do|does|did|ca|must|should)n't)(?![A-Za-z])"
    r"(?!\s+(?:mov|go|budg|stir|hesitat|problem|matter|wonder|doubt|need|surpris))"
)
_NEGATES = re.compile(rf"{_NOT}(?:\s+(?!so\s)[a-z]+){{0,2}}\s*$", re.IGNORECASE)
"""A negation directly before an order or its AT. `#2 can't see anyone, so D` is an order."""
_UNSURE = re.compile(
    r"(?<![A-Za-z])(?:probably|maybe|perhaps|possibly)(?![A-Za-z])|たぶん|多分|おそらく|恐らく|もしかし",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\s*\(?\s*(?:[x×*]\s?[2-9]|[2-9]\s?(?:x|times|shots|回|発))(?![0-9])", re.IGNORECASE)
"""A number of equal orders, although an AT has one order in a turn."""
_NEGATED = re.compile(
    r"[\s」』\"]*(?:は|を|も)?\s*(?:し(?:ない(?!と|か)|ません(?!か)|たくな|ず)|(?:撃|う|打)た(?:ない|ません|ず)|でき(?:ない|ません)|出来(?:ない|ません)"
    r"|(?:無し|なし|ナシ)(?![^\s。、!])|やめ(?:ます|ておき|よう)|見送|控え|禁止)",
)
"""Words directly after an order that negate it, as in `F / 0905しません`."""
_CONDITION = re.compile(
    r"[\s,;(-]*(?:but\s+)?(?:only\s+)?(?:if|unless|provided|as\s+long\s+as|assuming)(?![A-Za-z])"
    r"(?!\s+(?:it|that|this|i|we)\s+(?:hits?|miss|works?|lands?|goes|connects?|fails?))"
    r"|[\s,;(-]*(?:when|once|after|in\s+case)\s+(?:#|[FS][0-9]|your|my|the)|[^。]*(?:ただし|但し)|[^。]*#\s?[0-9]{1,2}(?:が|は|を|も)[^。]{0,15}?(?:なら|たら|れば|場合|とき|時)(?!ない)"
    r"|\s*\([^()]{1,30}(?:なら|場合(?:は|のみ|に限り)?|とき|たら|れば)\s*\)",
    re.IGNORECASE,
)
"""A condition after an order. `If it hits, I buy the beer` is talk."""
_CONSIDERS = re.compile(
    r"(?<![A-Za-z])(?:nearly|almost|considered|considering|tempted|thought\s+(?:of|about)|toyed\s+with)(?:\s+[A-Za-z]+){0,3}[\s:]*$",
    re.IGNORECASE,
)
"""Words before an AT whose order was only considered, as in `I nearly did #2: D`."""
_LATER = re.compile(
    r"(?:^|[。、\s])次(?:の)?(?:ターン|回)?(?:は|に|こそ)[\s、]*$|(?<![A-Za-z])next(?:\s+(?:turn|time|round))?[\s,:]*$",
    re.IGNORECASE,
)
_TO_HEX = re.compile(
    r"(?:(?<![A-Za-z])(?:to|into|onto|from)\s+(?:hex\s+)?|(?:→|->|=>)\s*)([0-9]{4})(?![0-9])|([0-9]{4})\s*(?:へ|まで|に(?!い[るた]|居|待機))",
    re.IGNORECASE,
)
"""The destination of a move in words."""
_DOUBTS = re.compile(
    r"[\s.,。、!?…-]*(?:hmm+[\s,.…]*)?or\s+(?:should|do|maybe|rather|guard|stay|perhaps)(?![A-Za-z])"
    r"|\s*\((?:[^()]*\s)?(?:maybe|perhaps|probably|not\s+sure(?:\s+yet)?|tbd|tentative(?:ly)?)\s*\)"
    r"|\s*\(\s*(?:仮|まだ迷|迷い中|未定|たぶん|多分)[^()]{0,8}\)"
    r"|\s*\((?=[^()]*(?<![0-9])[0-9]{4})(?=[^()]*(?:(?<![A-Za-z])(?:if|or|unless|instead)(?![A-Za-z])|なら|れば|たら|そっち|または))"
    r"|[\s(←,、-]*(?:cancel(?:led|ed)?|withdrawn|scratched|scrapped|void|取り?消し?|キャンセル|撤回|無効)\W*$"
    r"|[\s.,。、!?…~-]*(?:(?:no|nah|nope|wait|just\s+kidding|kidding|rather|actually|instead|いや|冗談(?:です|だよ|でした)?|もとい|やっぱり?|やはり)"
    r"(?![A-Za-z])[\s.,。、!?…:~-]*)+(?:make\s+(?:it|that)\s+)?D(?![A-Za-z0-9])",
    re.IGNORECASE,
)
"""Words after an order, also in the next sentence, which show that its writer hesitates or has given it up."""
_MAX_DOUBTS = 200
"""The maximum number of characters after an order in which such words are searched."""
_MOVES = re.compile(
    r"(?<!not\s)(?<!n't\s)(?<!never\s)(?<!without\s)(?<![A-Za-z])(?:moves?|moving|walks?|walking|steps?|backs?|retreats?|dashes|runs?)(?![A-Za-z])"
    r"|移動(?!せ|し(?:ない|ません)|な[くし])|進(?:ん|み|め)|下が(?!ら)|後退|歩(?:い|き)|走(?:っ|り)",
    re.IGNORECASE,
)
"""A move in words before a single D, which is an order to guard without a move."""
_HELPS = re.compile(
    r"(?<![A-Za-z])(?:cover|support|protect|follow|lead|help|shield|los)(?:ing|e|t)?\s+(?:the\s+|my\s+)?$",
    re.IGNORECASE,
)
"""Words before an AT that is not the one that gets the order, as in `Covering #3, #1: F / 0609`."""
_PARTS = re.compile(r"[,、;:.!?。]|(?<![A-Za-z])(?:so|and|then|but|while)(?![A-Za-z])|ので|ため|けど", re.IGNORECASE)
"""Signs and words between two parts of a sentence, each of which may name an AT."""

_IS_SUBJECT = re.compile(r"\s*(?::|は|→|->)")
"""Signs and particles after an AT which show that the order is for this AT, not for one that is named after it."""


Restriction = Literal["condition", "unclear"]


class Clause(NamedTuple):
    """The words around an order and its AT."""

    before: str
    """The words before the AT, or before the order if it names no AT before it."""
    between: str
    """The words between the AT and the order."""
    after: str
    """The words after the order, up to the next order or the end of the sentence."""
    rest: str
    """The whole line after the order."""
    other: str | None = None
    """The words between the AT and another AT before it that has no order, or None if there is none."""


def restriction(clause: Clause, order: Order) -> Restriction | None:
    """Return how words restrict an order, so that its meaning is not certain, or None if they do not.

    An order is also unclear if its clause names a second AT or another hex.
    """
    before, between, after = clause.before, REPLACES.split(clause.between)[-1], clause.after
    if _CONDITION.match(POLITE.sub("", after)):
        return "condition"
    is_unclear = (
        any(_EXCEPTS.search(text) for text in (before, between, after))
        or _ONLY_OTHER.search(after)
        or any(words.search(text) for words in (_NEGATES, _UNSURE) for text in (before, between))
        or _NEGATED.match(after)
        or _TIMES.match(after)
        or _DOUBTS.match(clause.rest[:_MAX_DOUBTS])
        or _HELPS.search(before)
        or (clause.other is not None and (_IS_SUBJECT.match(clause.other) or not _PARTS.search(clause.other)))
        or (order == Order("D") and (after.lstrip()[:1] == "/" or _MOVES.search(between)))
        or (not order.to and _other_hexes(clause, between) - {order.target})
    )
    return "unclear" if is_unclear else None


def _other_hexes(clause: Clause, between: str) -> set[str]:
    """Return the destinations of moves in words."""
    return {found[1] or found[2] for text in (between, clause.after) for found in _TO_HEX.finditer(text)}


def is_considered(before: str) -> bool:
    """Return whether the words before an AT show that its order was only considered."""
    return bool(_CONSIDERS.search(before))


def is_later(before: str) -> bool:
    """Return whether the words before an AT that has an order already show that another order is for a later turn."""
    return bool(_LATER.search(before))
