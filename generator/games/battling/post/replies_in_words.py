"""Read replies to attacks in words, such as `I rolled a 3, a hit for 2, so 1108 is down to HP3`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from generator.games.battling.notation import BattlingReply, ShotReply
from generator.games.battling.post.entries import AnswerInWords, Doubtful, Unread
from generator.games.battling.post.number_forms import (
    with_counts_in_digits,
    with_dice_in_digits,
    without_thresholds,
)
from generator.games.battling.post.phrases import CONDITION_BEFORE, HEX_NUMBER, HYPOTHETICAL_BEFORE, PAST_BEFORE

MAX_PART = 40
"""The maximum number of characters of a line that states only a part of a reply."""
MAX_LENGTH = 200
"""The maximum number of characters of the sentences of a reply in words. Longer text is talk."""

MAX_TWO_LINES = 40
"""The maximum number of characters of two lines that are asked about because they may state a reply together."""

_END = re.compile(
    r"#\s?[FS]?[0-9]{1,2}(?![0-9])|(?<![A-Za-z0-9])[WRFBD]\s*/|[0-9]号機|//|(?<![A-Za-z])(?:my|unit)\s+[#0-9]",
    re.IGNORECASE,
)
"""The beginning of an order or comment, which ends the reply before it."""
_HIT = re.compile(
    r"命中(?!せ|し(?:な|ま)|な|率|値|判定|すれ|した[らい]|さ)|ヒット(?!せ|しな)|(?:当|あ)た(?:り(?!ませ)|っ)|(?<![A-Za-z])(?:hits?|H)(?![A-Za-z'0-9]|\s?points?)"
)
_MISS = re.compile(
    r"はずれ|ハズレ|外れ|ミス(?!テ)|命中(?:せず|しな|しませ|なし)|(?:当|あ)たら(?:ず|な)|当たりませ|回避(?:成功|しま)"
    r"|回避(?=[\s。、,.!]|$)|(?:避け|かわし)(?:た|まし|きっ|切っ)|セーフ|[×✕✖❌]"
    r"|(?<![A-Za-z])(?:miss(?:es|ed)?|dodge[sd]?|evade[sd]|whiff(?:s|ed)?|F)(?![A-Za-z'0-9])"
)
_NO_HIT = re.compile(
    r"(?<![A-Za-z])(?:not?|n't|without)\s+(?:a\s+)?hit(?:s|ting)?(?![A-Za-z])|n't hit", re.IGNORECASE
)
_REMARK = re.compile(r"\((?![^()]*(?:HP|roll|dice?(?![a-z])|miss|got|出目|ダイス))[^()]{7,}(?:\)|$)", re.IGNORECASE)
"""A remark in brackets. Short brackets may contain a die or hex, as in `missed (5)`, and others also hit points."""
_OWN_UNIT = re.compile(r"\s*(?:my\s+)?#\s?[0-9]{1,2}(?![0-9])", re.IGNORECASE)
_OTHERS = re.compile(r"(?<![A-Za-z])(?:you|your)(?![A-Za-z])|あなた|そちら|そっち|相手|敵", re.IGNORECASE)
"""Words about the reader's machines."""
_WISH = re.compile(
    r"(?<![A-Za-z])(?:needs?|wants?|hoping|fear)(?![A-Za-z])|[ほ欲]し(?:い|かった)|ないと", re.IGNORECASE
)
_OUTCOMES: dict[Literal["-", "D", "A", "EX"], re.Pattern[str]] = {
    "-": re.compile(
        r"効果なし|無効|何も起き|(?<![一-鿿])なし|空振り|はずれ|ハズレ|外れ|(?<![A-Za-z])(?:no\s+(?:effect|result|damage)|nothing|miss(?:es|ed)?)"
        r"(?![A-Za-z])|(?:^|[,、:は])\s*-\s*(?=$|[,、。.!])",
        re.IGNORECASE,
    ),
    "D": re.compile(r"(?<![A-Za-z0-9#])D(?![A-Za-z0-9'/-])|防御側|(?<![A-Za-z])[Dd]efender(?![A-Za-z])"),
    "A": re.compile(
        r"(?<![A-Za-z0-9#])A(?![A-Za-z0-9'/-]|\s+(?:[1-6](?!\s?HP)|[a-z]))|攻撃側|(?<![A-Za-z])[Aa]ttacker(?![A-Za-z])"
    ),
    "EX": re.compile(
        r"(?<![A-Za-z0-9#])EX(?![A-Za-z0-9'/-])|相打ち|相討ち|(?<![A-Za-z])exchange(?![A-Za-z])", re.IGNORECASE
    ),
}
"""The words for each result of battling."""
_DRAWN = re.compile(r"引き分け|(?<![A-Za-z])(?:tie|draw)(?![A-Za-z])", re.IGNORECASE)
"""Words that may state the result `-` or `EX`."""
_HP = re.compile(
    r"HP\s?[:=は]?\s?([0-9]{1,2})(?![0-9])|(?<![0-9])([0-9]{1,2})\s?(?:HP|hit\s?points?)(?!\s?[:=]?\s?[0-9])(?:\s+left)?|残り?(?:HP)?\s?[:=は]?\s?([0-9]{1,2})"
    r"|耐久力?\s?[:=は]?\s?([0-9]{1,2})|(?:down|drops?)\s+to\s+([0-9]{1,2})(?![0-9])|(?<![0-9])([0-9]{1,2})\s+(?:points?\s+)?(?:left|remaining)"
    r"|hit\s?points?(?:\s|[:=]|(?:is|are|now|at)(?![A-Za-z]))*([0-9]{1,2})(?![0-9])",
    re.IGNORECASE,
)
_DAMAGE = re.compile(
    r"(?<![0-9])([0-9])\s?(?:points?\s+(?:of\s+)?)?(?:damage|dmg|ダメージ|損害|点)"
    r"|(?:damage|dmg|ダメージ|損害)\s*(?:は|が|の|で|:|=|(?:of|is|was|die|dice|roll|rolled|an?|the)(?![A-Za-z])|ダイス|サイコロ|出目|\s)*([0-9])(?![0-9])"
    r"|hits?\s+for\s+([0-9])(?![0-9])",
    re.IGNORECASE,
)
_ROLLED = (
    r"(?:roll(?:ed|s)?|threw|throw|die|dice|d6|ダイス|サイコロ|出目|判定)(?:\s*(?:an?|the|of|is|was|shows?|came\s+up|は|が|で|=|:|→))*"
    r"\s*([1-6])(?![0-9])|(?<![0-9+-])([1-6])(?:でした|だった|が出|を出|の目)"
)
"""A die that is called a die or a roll."""
_DIE = re.compile(rf"{_ROLLED}|\(\s*([1-6])\s*\)", re.IGNORECASE)
_CALLED_DIE = re.compile(_ROLLED, re.IGNORECASE)
_NEXT_TO_RESULT = re.compile(
    r"[\s,.:;!。、()=>→\-~…]*(?:(?:(?:i|you|he|me|its?|it's|an?|the|with|on|by|at|was|is|so|just|only|that|that's|this|which|means"
    r"|for(?:\s+me)?|and|but|all(?:\s+round)?|both|each|every(?:thing)?|good|bad|ugh|haha|sorry|lucky|luckily|phew|roll(?:ed)?|got|gets?)(?![A-Za-z])"
    r"|で|が|は|を|と|の|も|なので|だから|ので|ため|だった|でした|です|だ|出て|振って|これ|残念|惜しく|見事に?|無事に?)"
    r"[\s,.:;!。、()=>→\-~…]*)*",
    re.IGNORECASE,
)
"""The text between a number and a result if the number is a die, as in `5, so a miss` and `missed with a 5`."""
_COUNTS = re.compile(
    r"(?:\s+(?!(?:and|so|is|was|but|means|for|hit|miss|on|again|then|which|that|no|not|nothing|damage|dmg|points?|HP|EX|[A-Z])(?![a-z]))[a-z]{2,}"
    r"|\s?[年月日時分秒回番歳才人つ個件通枚台匹本冊度倍週円話巻階戦勝敗連ヶか機体手%]|ターン|ヘクス|マス|ラウンド|スレ|レス)"
)
"""Words after a number that counts things and is not a die, as in `2 mails` and `3日`."""
_COUNTER = re.compile(
    r"\s?(?:(?:times|games?|turns?|rounds?|mails|posts|days?|hours?|minutes?|weeks?|years?)(?![A-Za-z])"
    r"|[年月日時分秒回番歳才人件通週円])"
)
"""Words which surely show that a number counts things, also in a line that names a hex."""
_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,3}(?![0-9])")
_SHOT = re.compile(
    r"\s*(?:(?:(?:(?:my\s+)?(?:reply|response|answer)\s+to\s+)?(?:your|あなたの|そちらの|相手の)?\s*)?(?:#\s?[0-9]{1,2}\s?:?\s*)?F\s*/\s*(?=[0-9]{4}(?![0-9]))"
    r"|(?:your|あなたの|そちらの|相手の)\s*#\s?[0-9]{1,2}|#\s?[0-9]{1,2}(?:'s|の)\s*(?:shot|fire|射撃|攻撃))",
    re.IGNORECASE,
)
"""The beginning of the shot to which a line replies, as in `F / 1108 → 5, F` and `Your #1 missed with a 5`."""
_UNIT = re.compile(
    r"#\s?[0-9]{1,2}(?![0-9])|F\s*/"
    r"|(?<![A-Za-z])(?<!first )(?<!second )(?<!third )(?:[Ss]hot|[Aa]ttack)\s[1-9](?![0-9])"
)
"""An AT, the letter of a quoted shot, and the number of an attack in a list."""
_ASKS = re.compile(
    r"\s*(?:did|do|does|is|was|are|were|can|could|would|will|should|what|how|why|who|which)(?![a-z])", re.IGNORECASE
)
_SENTENCE = re.compile(r".+?(?:[。!?;]+|\.(?=\s|$)|$)")
_CLAUSE = re.compile(r"(?:\([^()]*\)|.)+?(?:[,、&]+|(?<![A-Za-z])and(?![A-Za-z])|$)", re.IGNORECASE)
_PART_OF_REPLY = re.compile(
    r"\W*[0-9]{4}\W*(?:は|が|で|に)?\W*(?:[1-6]|miss(?:es|ed)?|hits?|[HFDA]|EX|はずれ|ハズレ|外れ|命中|ヒット|効果なし)"
    r"(?:です|でした|だった|だ|が出ました)?\W*|\W*(?:(?:and|the)\s+)*(?:same|ditto|likewise)\s+(?:for|on|at|with)\s+[0-9]{4}\W*"
    r"|\W*[0-9]{4}(?:も|は)(?:同じ|同様|同上)(?:です|でした)?\W*",
    re.IGNORECASE,
)
_SAME_REPLY = re.compile(r"(?:same|ditto|likewise)\s+(?:for|on|at|with)\s+([0-9]{4})(?![0-9])", re.IGNORECASE)
_FOR_ALL = re.compile(r"(?<![A-Za-z])(?:both|all)(?![A-Za-z])|両方|どちらも|どれも|全部|発とも", re.IGNORECASE)
"""Words which show that a result is that of every shot."""


class Pending(NamedTuple):
    """The hexes of the attacks that the writer of a post has to reply to, each once for each attack."""

    shots: tuple[str, ...] = ()
    punches: tuple[str, ...] = ()
    """The hexes of attacks by battling."""
    answers: int = 0
    """The number of results A and EX after which the writer has to state the attacker's hit points."""

    def hexes_in(self, text: str) -> set[str]:
        """Return the hexes that a text names."""
        return set(HEX_NUMBER.findall(text)) & {*self.shots, *self.punches}

    def count(self, of: str) -> int:
        """Return the number of attacks on a hex."""
        return self.shots.count(of) + self.punches.count(of)


InWords = ShotReply | BattlingReply | Unread | Doubtful
"""A reply in words, a passage to ask about, or a passage that is treated as talk although it may be a reply."""


def replies_in_words(text: str, pending: Pending, answered: Collection[str]) -> list[tuple[InWords, str]]:
    """Return the replies of a line that names the hexes of several attacks, and the passage of each.

    Hexes in `answered` have a reply in the usual form. If the reply of another hex cannot be found, the whole line is
    a passage to ask about, because its numbers may be those of any attack.
    """
    first = HEX_NUMBER.search(text)
    before = text[: first.start()] if first else ""
    shared = before if _FOR_ALL.search(before) and _verdict(before) and not _NUMBER.search(before) else ""
    found: dict[str, tuple[InWords, str] | None] = {}
    stated_hexes = set()
    for part in _parts(text):
        hexes = pending.hexes_in(part) - {*answered}
        stated_hexes |= hexes
        whole = part if part.startswith(shared) else shared + part
        stated = whole[: _limits(whole)[1]]
        if not any(_outcome(stated) if of in pending.punches else _verdict(stated) for of in hexes):
            if _NUMBER.search(_statements(HEX_NUMBER.sub(" ", _UNIT.sub(" ", stated)))):
                # The result may be that of another attack, as in `1108 missed with a 5, 0809 with a 6`.
                found = dict.fromkeys(hexes) | found
            continue
        reply = reply_in_words(whole, pending) if len(hexes) == 1 else None
        is_reply = reply is not None and not isinstance(reply[0], Doubtful)
        found |= {of: (reply[0], part) if reply and is_reply and of not in found else None for of in hexes}
    replies = [reply for reply in found.values() if reply]
    is_complete = len(replies) == (len(stated_hexes) if _FOR_ALL.search(text) else len(found))
    if is_complete or not replies:
        return replies
    unread_hex = next((of for of, reply in found.items() if not reply), next(iter(found)))
    read = (reply for reply, _ in replies if isinstance(reply, ShotReply | BattlingReply) and reply.hex != unread_hex)
    return [
        (Unread(text.strip(), hex=unread_hex, is_reply=True), text),
        *((Doubtful(reply), text) for reply in read),
    ]


def _parts(text: str) -> list[str]:
    """Return the parts of a text that name one hex each, if its sentences and clauses do.

    Words without a hex belong to the hex before them. A result without a hex belongs to the next hex if the hex
    before it has a result, as in `Missed! A 6 on 1108. Missed! A 5 on 0809.`
    """
    parts = [""]
    for sentence in _SENTENCE.findall(text):
        clauses = _CLAUSE.findall(sentence) if len(HEX_NUMBER.findall(sentence)) > 1 else [sentence]
        for clause in clauses:
            hexes, before = HEX_NUMBER.findall(clause), HEX_NUMBER.findall(parts[-1])
            is_next_result = not hexes and _states_result(clause) and _states_result(parts[-1])
            if before and (is_next_result or (hexes and hexes != before)):
                parts.append("")
            parts[-1] += clause
    return parts


def _states_result(text: str) -> bool:
    """Return whether a text states a result of a shot or of battling."""
    return bool(_verdict(text) or _outcome(text))


def reply_in_words(text: str, pending: Pending) -> tuple[InWords, int, int] | None:
    """Return the reply to an attack with which a line begins, its start and its end, or None for talk.

    If a part of the reply is missing or its meaning is not certain, the reply is a passage to ask about.
    """
    start, end = _limits(text)
    passage = _statements(_REMARK.sub(" ", _UNIT.sub(" ", _in_digits(text[:end]))))
    is_remark = text.startswith("(") and text.endswith(")")
    if is_remark or not passage or len(passage) > MAX_LENGTH:
        return None
    hexes = set(HEX_NUMBER.findall(passage)) or {*pending.shots, *pending.punches}
    if len(hexes) != 1 or not pending.count(*hexes):
        return None
    (of,) = hexes
    stated = (_punch_reply if of in pending.punches else _shot_reply)(of, passage)
    reply: InWords | None = stated
    if reply is not None and not HEX_NUMBER.search(passage) and not _states_die(passage):
        reply = Doubtful(None if isinstance(stated, Unread) else stated)
    if reply is not None and pending.count(of) > 1 and not isinstance(reply, Doubtful):
        reply = Unread(passage.strip(), hex=of, is_reply=True)
    return (reply, start, end) if reply is not None else None


def _shot_reply(of: str, passage: str) -> ShotReply | Unread | None:
    """Return the reply to a shot at a hex that a passage states, a passage to ask about, or None for talk."""
    verdict = _verdict(passage)
    if verdict is None:
        return None
    hp, rest = _take(_HP, HEX_NUMBER.sub(" ", passage))
    damage, rest = _take(_DAMAGE, rest)
    die, others = _die(rest)
    is_hit = verdict == "hit"
    if is_hit and damage is None and others:
        damage = others.pop(0)
    if not is_hit:
        others = [number for number in others if number != die]
    if die is None and hp is None and damage is None:
        return None
    if die is None or verdict == "unclear" or others or (is_hit and None in (damage, hp)):
        return Unread(passage.strip(), hex=of, is_reply=True)
    return ShotReply(of, die, is_hit, damage if is_hit else None, hp)


def _punch_reply(of: str, passage: str) -> BattlingReply | Unread | None:
    """Return the reply to an attack by battling that a passage states, a passage to ask about, or None for talk."""
    outcome = _outcome(passage)
    if outcome is None:
        return None
    hp, rest = _take(_HP, HEX_NUMBER.sub(" ", passage))
    _, rest = _take(_DAMAGE, rest)
    die, others = _die(rest)
    is_guard = outcome == "D" and hp is None and not (HEX_NUMBER.search(passage) or _DIE.search(passage))
    if is_guard or (die is None and hp is None):  # `3: D` is the order of an AT
        return None
    if die is None or outcome == "unclear" or others or (outcome in ("D", "EX") and hp is None):
        return Unread(passage.strip(), hex=of, is_reply=True)
    return BattlingReply(of, die, outcome, hp)


def _states_die(passage: str) -> bool:
    """Return whether a passage without a hex surely states a die, as in `5, so a miss`, and no other number.

    A number counts as a die if it is called one, if hit points follow from it, or if it is next to the result.
    """
    return any(words.search(passage) for words in (_HP, _DAMAGE, _CALLED_DIE)) or _joins_number(passage)


def _joins_number(text: str) -> bool:
    """Return whether a number from 1 to 6 that counts nothing is next to a result."""
    results = [found.span() for words in (_HIT, _MISS, *_OUTCOMES.values()) for found in words.finditer(text)]
    results += [found.span() for words in (_HIT, _MISS) for found in words.finditer(text.lower())]
    for number in re.finditer(r"(?<![0-9#])[1-6](?![0-9])", text):
        if _COUNTS.match(text, number.end()):
            continue
        between = (
            text[number.end() : start] if start >= number.end() else text[end : number.start()]
            for start, end in results
        )
        if any(_NEXT_TO_RESULT.fullmatch(words) for words in between):
            return True
    return False


def unclear_reply(text: str) -> Unread | None:
    """Return a line without orders as a passage to ask about if it may reply to an attack, or None for talk.

    Such a line states a result with a die, hit points with a die, or only hit points and other numbers, but not all
    that a reply needs.
    """
    is_remark = text.startswith("(") and text.endswith(")")
    stated = HEX_NUMBER.sub(" ", _UNIT.sub(" ", _statements(_in_digits(text))))
    if is_remark or not stated or len(stated) > MAX_LENGTH:
        return None
    hp, rest = _take(_HP, stated)
    die = _CALLED_DIE.search(rest)
    has_die = die is not None and not _COUNTS.match(rest, die.end())
    has_result = bool(_verdict(stated) or _outcome(stated) or _DRAWN.search(stated))
    is_bare = hp is not None and bool(_NUMBER.search(rest)) and not re.search(r"[^\W0-9_]", rest)
    if (
        (has_result and (has_die or _joins_number(_DRAWN.sub("EX", stated))))
        or (hp is not None and has_die)
        or is_bare
    ):
        return Unread(text.strip(), is_reply=True)
    return None


def part_of_reply(text: str, pending: Pending) -> Unread | None:
    """Return a line as a passage to ask about if it states only a part of a reply, or None for another line.

    Such a line consists of the hex of an attack and a die or result, as in `0905 / 5` and `0905 miss`, or of words
    that repeat a reply, as in `same for 0905`.
    """
    hexes = pending.hexes_in(text)
    if len(hexes) != 1 or len(text) > MAX_PART or not _PART_OF_REPLY.fullmatch(_in_digits(text)):
        return None
    return Unread(text.strip(), hex=hexes.pop(), is_reply=True)


def same_reply(text: str, hexes: Collection[str]) -> Unread | None:
    """Return the words that repeat a reply for one of these hexes, as in `0809 / 5 / F, same for 0905`, or None."""
    found = _SAME_REPLY.search(text)
    return Unread(found[0], hex=found[1], is_reply=True) if found and found[1] in hexes else None


def _in_digits(text: str) -> str:
    """Return a text with the dice that were rolled in digits, and without the numbers that a die has to reach."""
    return without_thresholds(with_dice_in_digits(text))


def _statements(text: str) -> str:
    """Return the sentences of a text that contain a number or a result.

    Questions and sentences about an earlier or a possible event are left out. Of `HP3 left, OK?`, only the last words
    are a question.
    """
    kept = []
    for sentence in _SENTENCE.findall(text):
        says_nothing = not (re.search("[0-9]", sentence) or _verdict(sentence) or _outcome(sentence))
        if says_nothing or _is_considered(sentence):
            continue
        if not sentence.endswith("?"):
            kept.append(sentence)
        elif (tag := re.search(r"[,、][^,、0-9]*\?+$", sentence)) and not _ASKS.match(sentence):
            kept.append(sentence[: tag.start()])
    return "".join(kept)


def _die(text: str) -> tuple[int | None, list[int]]:
    """Return the die that a text states, or its first number, and the other numbers."""
    die, rest = _take(_DIE, text)
    others = [int(number[0]) for number in _NUMBER.finditer(rest) if not _COUNTER.match(rest, number.end())]
    if die is None and others:
        die = others.pop(0)
    return (die, others) if die is None or 1 <= die <= 6 else (None, [die, *others])


def sentences(text: str) -> list[str]:
    """Return the sentences of a line."""
    return _SENTENCE.findall(text)


def answer_in_words(sentence: str) -> tuple[AnswerInWords, str] | None:
    """Return the hit points that a sentence states after the results A or EX, and the passage, or None for talk."""
    unit = _OWN_UNIT.match(sentence)
    start = unit.end() if unit else 0
    found = _END.search(sentence, start)
    passage = with_counts_in_digits(sentence[: found.start() if found else len(sentence)])
    if len(passage) > MAX_LENGTH or "?" in passage or _is_considered(passage) or _OTHERS.search(passage):
        return None
    hexes = set(HEX_NUMBER.findall(passage))
    hp, rest = _take(_HP, HEX_NUMBER.sub(" ", _UNIT.sub(" ", passage)))
    # A 1 may be the hit point that was lost. Other numbers are about something else.
    is_other = _outcome(rest) in ("-", "D", "unclear") or bool(re.search("[2-9]", rest))
    if hp is None or is_other or len(hexes) > 1:
        return None
    return AnswerInWords(passage.strip(), hp, next(iter(hexes), "")), passage


def _limits(text: str) -> tuple[int, int]:
    """Return the position after the beginning of the shot that a text names, and the end of the reply."""
    shot = _SHOT.match(text)
    start = shot.end() if shot else 0
    found = _END.search(text, start)
    return start, found.start() if found else len(text)


def may_be_replies(text: str) -> bool:
    """Return whether a text states a result and a number besides hexes, and is neither a question nor a condition."""
    stated = _UNIT.sub(" ", _statements(_in_digits(text)))
    return bool(_NUMBER.search(stated) and (_verdict(stated) or _outcome(stated)))


def may_reply_with(before: str, text: str, pending: Pending) -> Unread | Doubtful | None:
    """Return two lines that may state a reply together, as in `6!` and `Missed!`, or None.

    Short lines are a passage to ask about. Other lines are only listed.
    """
    stated = [part for part in (before, text) if _states_result(_UNIT.sub(" ", part))]
    if len(stated) != 1 or not _NUMBER.search(text if stated[0] is before else before):
        return None
    joined = f"{before}{'' if before[-1] in '.。!?！' else '.'} {text}"
    found = reply_in_words(joined, pending)
    if found is None or not isinstance(found[0], ShotReply | BattlingReply):
        return None
    reply = found[0]
    return Unread(joined, hex=reply.hex, is_reply=True) if len(joined) <= MAX_TWO_LINES else Doubtful(reply)


def may_be_reply(text: str) -> bool:
    """Return whether a text states a result, and a number in a sentence with a condition, as in `6だったら、はずれ。`

    In Japanese, such words can also state what was rolled.
    """
    parts = [_UNIT.sub(" ", part) for part in sentences(_in_digits(text)) if not part.endswith("?")]
    plain = [
        part for part in parts if not any(words.search(part) for words in (HYPOTHETICAL_BEFORE, PAST_BEFORE, _WISH))
    ]
    numbers = ((part, found) for part in plain if CONDITION_BEFORE.search(part) for found in _NUMBER.finditer(part))
    is_rolled = any(1 <= int(found[0]) <= 6 and not _COUNTS.match(part, found.end()) for part, found in numbers)
    return is_rolled and any(_states_result(part) for part in plain)


def _is_considered(text: str) -> bool:
    """Return whether a text is about an earlier or a possible event."""
    return any(words.search(text) for words in (HYPOTHETICAL_BEFORE, CONDITION_BEFORE, PAST_BEFORE, _WISH))


def _outcome(text: str) -> Literal["-", "D", "A", "EX", "unclear"] | None:
    """Return the result of battling that a text states, `unclear` for several or for several D, or None."""
    found = {outcome: len(words.findall(_UNIT.sub(" ", text))) for outcome, words in _OUTCOMES.items()}
    stated = [outcome for outcome, count in found.items() if count]
    if len(stated) > 1 or found["D"] > 1:
        return "unclear"
    return stated[0] if stated else None


def _verdict(text: str) -> str | None:
    """Return whether a text states a `hit`, a `miss`, or both (`unclear`), or None."""
    plain = _NO_HIT.sub("miss", _UNIT.sub(" ", text))
    is_hit, is_miss = (bool(form.search(plain) or form.search(plain.lower())) for form in (_HIT, _MISS))
    return "unclear" if is_hit and is_miss else "hit" if is_hit else "miss" if is_miss else None


def _take(form: re.Pattern[str], text: str) -> tuple[int | None, str]:
    """Return the number that a text states in a form, and the text without it. Several numbers count as none."""
    found = [*form.finditer(text)]
    if len(found) != 1:
        return None, text
    number = next(group for group in found[0].groups() if group)
    return int(number), f"{text[: found[0].start()]} {text[found[0].end() :]}"
