"""Write the numbers of a post in one form, with digits for words and hit points as `HP3`."""

from __future__ import annotations

import re

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_KANJI = "一二三四五六七八九"
_DIGITS = {word: str(n) for n, word in enumerate(_WORDS, 1)} | {sign: str(n) for n, sign in enumerate(_KANJI, 1)}
_WORD = rf"(?:{'|'.join(_WORDS)})(?![A-Za-z])"
_COUNT = rf"(?:[0-9]{{1,2}}(?![0-9])|{_WORD}|[{_KANJI}](?![一-鿿])(?!つ目))"
_ARROW = r"(?:→|⇒|->|=>|-->|>>|から|(?:down\s+)?to(?![A-Za-z]))"

# Hit points

_CHANGE = re.compile(
    rf"(?:(?:down\s+)?from\s+)?(?:(HP|耐久力?|残り?)\s?[:=はが]?\s?[0-9]{{1,2}}\s*(?:{_ARROW}|-\s?[0-9]\s?=)\s*(?:HP\s?[:=]?\s?)?"
    rf"(?=[0-9]{{1,2}}(?![0-9]))|[0-9]{{1,2}}\s?HP\s*{_ARROW}\s*(?=[0-9]{{1,2}}\s?HP)"
    rf"|(/\s*)(?:from\s+)?[0-9]{{1,2}}\s*{_ARROW}\s*(?=[0-9]{{1,2}}\s*(?:$|[(。.!])))",
    re.IGNORECASE,
)
"""The hit points before a change, as in `HP4->3`, and after a slash at the end of a line also without `HP`."""
_LEFT = r"(?:left|remaining|remains?|now)(?![A-Za-z])"
_LAST_PART = re.compile(
    rf"(?<=/)\s*(?:(?:(?:now|is|at|down|drops?|to|only|leaves|leaving|has|with|still|health|{_LEFT}|hit\s?points?)(?![A-Za-z])"
    rf"|HP|耐久力?|残り?|現在|あと|[:=はが])\s*)+({_COUNT})(?:\s?HP)?(?:\s+{_LEFT})?(?=\s*(?:に|へ|です|でした)?\s*(?:$|[(。.!、,/]))(?:\s*[にへ])?"
    rf"|(?<=/)\s*({_COUNT})\s?(?:(?:HP|health|hit\s?points?)(?:\s+{_LEFT})?|{_LEFT})(?=\s*(?:$|[(。.!、,/]))",
    re.IGNORECASE,
)
"""The hit points in the last part of a reply, as in `/ 3HP remaining` and `/ HP drops to three`."""
_IN_SENTENCE = re.compile(
    rf"(?:(?<![A-Za-z])(?:down|drops?)\s+to|HP|hit\s?points?|耐久力?|残り?)(?:\s|[:=は]|(?:is|are|now|at|of|down\s+to)(?![A-Za-z]))*({_WORD}|[{_KANJI}](?![一-鿿]))"
    rf"|(?<![A-Za-z])({_WORD})(?=\s*(?:HP|hit\s?points?|(?:points?\s+)?(?:left|remaining)(?![A-Za-z])))",
    re.IGNORECASE,
)
"""Hit points in words in a sentence, as in `three hit points left` and `残り三`."""


def with_hit_points(text: str) -> str:
    """Return a plain line with hit points after their change, and those at the end of a reply in the form `HP3`.

    >>> with_hit_points("1108 / 2 / H / 3 / from HP4 to HP3")
    '1108 / 2 / H / 3 / HP3'
    """
    text = _CHANGE.sub(r"\1\2", text)
    return _LAST_PART.sub(lambda found: f" HP{_digits(found[1] or found[2])}", text) if "/" in text else text


def with_counts_in_digits(text: str) -> str:
    """Return a sentence with hit points in digits.

    >>> with_counts_in_digits("I have three hit points left")
    'I have 3 hit points left'
    """
    return _IN_SENTENCE.sub(_counted, text)


def _counted(found: re.Match[str]) -> str:
    at = found.start(1 if found[1] else 2) - found.start()
    return f"{found[0][:at]}{_digits(found[1] or found[2])}"


def _digits(count: str) -> str:
    return _DIGITS.get(count.lower(), count)


# Dice

_DIE_IN_WORDS = re.compile(
    r"(?<![A-Za-z])(roll(?:ed|s)?\s+an?|roll(?:ed|s)?|an?|shows?|says?)\s+(one|two|three|four|five|six)(?![A-Za-z])"
    r"|((?:^|[.!?])\s*)(one|two|three|four|five|six)(?=\s*[.!])",
    re.IGNORECASE,
)
_KANJI_DIE = re.compile(r"(?<![一-鿿])[一二三四五六](?![一-鿿つ])")
_WHEN_ROLLED = re.compile(
    r"(?:振|転が|投げ|ロール)[^\s0-9。!?]{0,8}?(?:たら|ると)、?\s*(?=(?:出目は?|ダイスは?)?\s*[1-6](?![0-9]))"
)
"""Words for `when I rolled`, which also mean `if I roll`, before a die."""
_N = r"(?<![0-9])[1-6](?![0-9])"
_TO_HIT = (
    r"(?:\s+(?:to|for)\s+(?:an?\s+)?(?:hit|miss|evade|dodge|avoid|survive|damage|hurt|wound|save)(?:\s+it)?"
    r"(?![A-Za-z]))?"
)
_THRESHOLD = re.compile(
    rf"(?:(?<![A-Za-z])(?:an?|any)\s+)?{_N}\s*(?:or|and)\s+(?:more|less|fewer|lower|higher|better|greater|above|below|under|over|up|worse)(?![A-Za-z]){_TO_HIT}"
    rf"|(?:(?<![A-Za-z])(?:needs?|needed|needing|requires?|required)\s+)?(?:an?\s+)?{_N}\s?\+(?!\s?[0-9]){_TO_HIT}"
    rf"|(?<![A-Za-z])(?:needs?|needed|needing|requires?|required)\s+(?:an?\s+)?{_N}(?!\s*(?:or|and|か|-)\s*[0-9]){_TO_HIT}"
    rf"|(?<![A-Za-z])(?:at\s+(?:least|most)|(?:more|less|higher|lower|better)\s+than|up\s+to)\s+(?:an?\s+)?{_N}"
    rf"|(?:an?\s+)?{_N}\s+(?:is|was)?\s*(?:needed|required)(?![A-Za-z]){_TO_HIT}"
    rf"|(?<![A-Za-z])(?:on|with)\s+(?:an?\s+)?{_N}\s?-\s?{_N}|(?<=(?<![0-9])[1-6])\s*[<>]=?\s?{_N}|[≤≥≦≧]\s?{_N}"
    rf"|{_N}\s?(?:以上|以下|未満|を?超え|より[上下大小])|{_N}[がはも]?必要",
    re.IGNORECASE,
)
"""The numbers that a die has to reach, as in `a 5 or more to evade`, which is not a number that was rolled."""


def with_dice_in_digits(text: str) -> str:
    """Return a text with the faces of dice in digits, as in `rolled a 5` for `rolled a five`."""
    text = _KANJI_DIE.sub(lambda found: str("一二三四五六".index(found[0]) + 1), text)
    text = _WHEN_ROLLED.sub("出目", text)
    return _DIE_IN_WORDS.sub(
        lambda found: f"{found[1]} {_digits(found[2])}" if found[1] else f"{found[3]}{_digits(found[4])}", text
    )


def without_thresholds(text: str) -> str:
    """Return a text without the numbers that a die has to reach.

    >>> without_thresholds("5 or more to evade: 2. Hit.")
    ' : 2. Hit.'
    """
    return _THRESHOLD.sub(" ", text)
