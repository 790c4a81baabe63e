"""Find orders and replies among the tokens of a line. Each consists of a letter or hex and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.games.battling.model import Letter
from generator.games.battling.notation import Answer, BattlingReply, Order, Reply, ShotReply
from generator.games.battling.post.tokens import CLOSING, LETTERS, OPENING, Token
from generator.games.battling.tables import Result

_RESULTS: Mapping[str, Result] = {"D": "D", "A": "A", "EX": "EX"}
_DASHES = ("-", "ー", "_")
_LOOSE = ("-", "→", "->", "=>", "|", "\\", ",", "、", ".", ":", "・", "_", ">", "~", "=")
"""Signs that people write instead of a slash."""
_DAMAGE = ("damage", "dmg", "point", "points", "ダメージ", "損害", "点")
"""Words after a number that is not that of hit points."""
MAX_NUMBERS = 5
"""The maximum number of numbers that are read after a letter, which is one more than the longest order has."""
MAX_WORDS = 4
"""The maximum number of words, with the slash after them, in a part of a reply that is in words."""
_NUMBER_TYPO = re.compile(r"(?=.*[0-9])[0-9OoIlQ]{2,5}")
_DATE = re.compile(r"(?:19|20)[0-9]{2}")
_SHAPES: Mapping[Letter, re.Pattern[str]] = {
    "W": re.compile("nh"),
    "R": re.compile("n(?:@h)?nh|nh"),
    "F": re.compile("h"),
    "B": re.compile("(?:nh)?h"),
    "D": re.compile("(?:nh)?"),
}
"""The numbers that may follow each action's letter, where `n` is a number of hexes, `h` a hex, and `@h` the hex in
which a dash turns.
"""


class Core(NamedTuple):
    """An order or reply in a line, without the AT that it is for."""

    first: int
    """The index of the first token."""
    end: int
    """The index after the last token."""
    item: Order | Reply | None
    """The order or reply, or None if the tokens only begin like one."""
    strict: bool = True
    """Whether the parts are separated by slashes."""
    action: Letter | None = None
    hex: str = ""
    """The hex of a reply that cannot be understood."""
    is_reply: bool = False
    """Whether the tokens begin like a reply."""


class Groups(NamedTuple):
    """The brackets and quotation marks of a line."""

    closing: Mapping[int, int]
    """The closing token for each opening token, or the end of the line if the bracket is not closed."""
    inside: Sequence[int]
    """The innermost opening token around each token, or -1."""


def groups(tokens: Sequence[Token]) -> Groups:
    """Return the brackets and quotation marks of a line."""
    closing: dict[int, int] = {}
    inside: list[int] = []
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if (
            token.kind == "close"
            and token.text in CLOSING
            and stack
            and OPENING[tokens[stack[-1]].text] == token.text
        ):
            closing[stack.pop()] = at
        inside.append(stack[-1] if stack else -1)
        if token.kind == "open":
            stack.append(at)
    for at in stack:
        closing[at] = len(tokens)
    return Groups(closing, inside)


def cores(tokens: Sequence[Token], brackets: Groups) -> Iterator[Core]:
    """Yield the orders and replies of a line, and passages that begin like one, from left to right.

    A guard without a move is only a letter, which has a meaning only in its sentence. This function does not yield
    it.
    """
    reader, at = _CoreReader(tokens, brackets), 0
    while at < len(tokens):
        kind = tokens[at].kind
        core = (
            reader.reply(at) if kind in ("hex", "int") else reader.order(at) if kind in ("letter", "verb") else None
        )
        if core:
            yield core
        at = core.end if core else at + 1


class _CoreReader:
    """A reader of the order or reply that begins at a token."""

    def __init__(self, tokens: Sequence[Token], brackets: Groups) -> None:
        self.tokens, self.brackets = tokens, brackets

    def kind(self, at: int) -> str:
        """Return the kind of a token, or an empty string after the last token."""
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def after(self, at: int) -> int:
        """Return the index of the next token, skipping a remark in round brackets."""
        at += 1
        if self.kind(at) == "open" and self.tokens[at].text == "(":
            closing = self.brackets.closing[at]
            if not any(
                self.tokens[i].kind in ("hp", "unit", "slash", "item") for i in range(at, min(closing, at + 9))
            ):
                return closing + 1
        return at

    def order(self, at: int) -> Core | None:
        """Return the order or beginning of an order at a token, or None for a single letter."""
        token = self.tokens[at]
        letter = LETTERS.get(token.text if token.kind == "letter" else "")
        here = self.after(at)
        if token.kind == "verb" and self.kind(here) == "slash" and self.kind(self.after(here)) in ("int", "hex"):
            letter = LETTERS[token.text]
        if letter is None:
            return None
        numbers, shape, end, strict, dangling = self._numbers(at, letter)
        if at and self.kind(at - 1) == "slash" and self.kind(at - 2) in ("int", "hex"):
            # In `0707 / F / 1108`, the first hex is that of the AT. Otherwise the letter is a result.
            begins = self.kind(at - 2) == "hex" and (at < 3 or self.kind(at - 3) != "slash")
            if not (begins and strict and numbers and _SHAPES[letter].fullmatch(shape)):
                return None
        if _SHAPES[letter].fullmatch(shape) and (numbers or not dangling):
            if not numbers:
                return None
            return Core(at, end, _order(letter, numbers, shape), strict, letter)
        if self.kind(here) == "slash" and (numbers or dangling):
            return Core(at, max(end, here + 1), None, action=letter)
        if any(len(number) > 2 for number in numbers):
            return Core(at, end, None, False, letter)
        return None

    def _numbers(self, at: int, letter: Letter) -> tuple[list[str], str, int, bool, bool]:
        """Return the numbers after a letter, their shape and their end, and two flags.

        The first flag states whether slashes separate the numbers. The second flag states whether a slash is not
        followed by the number that should be there.
        """
        numbers: list[str] = []
        shape, end, strict = "", at + 1, True
        while len(numbers) < MAX_NUMBERS:
            here = self.after(end - 1)
            slash = self.kind(here) == "slash"
            if self.kind(here) == "at" and self.kind(self.after(here)) == "hex":
                here = self.after(here)
                numbers.append(self.tokens[here].text)
                shape, end = shape + "@h", here + 1
                continue
            if not slash and _SHAPES[letter].fullmatch(shape) and numbers:
                break
            loose = not slash and self.kind(here) == "sign" and self.tokens[here].text in _LOOSE
            number = self.after(here) if slash or loose else here
            if self.kind(number) not in ("hex", "int"):
                tail = self.kind(number)
                dangling = slash and (tail in ("", "blank") or self._is_number_typo(number))
                return numbers, shape, end, strict, dangling
            if _SHAPES[letter].fullmatch(shape) and numbers and self._opens_next(number):
                break
            strict = strict and slash
            token = self.tokens[number]
            numbers.append(token.text)
            shape += "h" if token.kind == "hex" else "n" if len(token.text) < 3 else "x"
            end = number + 1
        return numbers, shape, end, strict, False

    def _is_number_typo(self, at: int) -> bool:
        """Return whether a word was probably meant as a number, such as `11O8` or `O908`."""
        return self.kind(at) == "word" and bool(_NUMBER_TYPO.fullmatch(self.tokens[at].text))

    def _opens_next(self, at: int) -> bool:
        """Return whether a hex after a complete order names the AT of the next order, as in `F / 1108 / 0507: D`."""
        return self.kind(at) == "hex" and (self.kind(at + 1) == "letter" or self._text(at + 1) in (":", "は"))

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def reply(self, at: int) -> Core | None:
        """Return the reply or beginning of a reply at a token."""
        first = self.tokens[at]
        if first.kind not in ("hex", "int") or (first.kind == "int" and len(first.text) < 3):
            return None
        here, slash = self._separator(at, ":")
        slashes = int(slash)
        if first.kind == "hex" and slashes and self._text(here) in ("A", "EX"):
            hp, end, _ = self._hit_points(here)
            return Core(at, end, Answer(first.text, _RESULTS[self._text(here)], hp))
        if self.kind(here) not in ("int", "blank") or (self.kind(here) == "int" and len(self._text(here)) > 2):
            return None
        die = here
        here, slash = self._separator(die)
        slashes += slash
        result, end = self._result(here)
        if (
            first.kind == "hex"
            and self.kind(die) == "int"
            and result
            and (found := self._whole(at, die, result, end, slashes))
        ):
            return found
        if slashes < 2 and not (slashes and self.kind(die) == "blank"):
            return None
        # A date has two numbers after its year, and 123 / 4 / H lacks a digit.
        if _DATE.fullmatch(first.text) and not result and self.kind(here) == "int":
            return None
        if first.kind == "int" and not result:
            return None
        return Core(at, self._slashes_end(at), None, hex=first.text if first.kind == "hex" else "", is_reply=True)

    def _whole(self, at: int, die: int, result: str, end: int, slashes: int) -> Core | None:
        """Return the complete reply whose die and result have been read."""
        target, rolled = self.tokens[at].text, self.tokens[die].value
        damage = None
        if result in ("H", "F"):
            number, slash = self._separator(end - 1)
            if self.kind(number) == "int" and (slash or self._hit_points(number)[0] is not None):
                damage, end, slashes = self.tokens[number].value, number + 1, slashes + slash
        following, slash = self._separator(end - 1)
        if slash and self.kind(following) == "blank":
            return None
        hp, end, slash = self._hit_points(end - 1)
        if slashes < 2 and hp is None:
            return None
        strict = slashes >= 2
        if result in ("H", "F"):
            return Core(at, end, ShotReply(target, rolled, result == "H", damage, hp), strict)
        return Core(at, end, BattlingReply(target, rolled, _RESULTS.get(result, "-"), hp), strict)

    def _separator(self, at: int, *also: str) -> tuple[int, bool]:
        """Return the token after a separator of a reply's parts, and whether the separator is a slash."""
        here = self.after(at)
        if self.kind(here) == "slash":
            return self.after(here), True
        loose = self.kind(here) == "sign" and self._text(here) in (",", "、", "|", *also) + _DASHES[:1] * self._joins(
            here
        )
        return (self.after(here) if loose else here), False

    def _joins(self, at: int) -> bool:
        """Return whether a dash separates two parts of a reply, as in `1108 - 3 - H`.

        Otherwise it may be a result.
        """
        return self.kind(at - 1) in ("hex", "int", "letter") and self.kind(at + 1) in (
            "int",
            "letter",
            "hp",
            "result",
        )

    def _result(self, at: int) -> tuple[str, int]:
        """Return the letter of a result, which may be `-`, and the token after it.

        The letter is empty if there is no result.
        """
        if self.kind(at) == "letter" and self._text(at) in ("H", "F", "D", "A", "EX"):
            return self._text(at), at + 1
        if self.kind(at) == "result":
            return self._text(at), at + 1
        end = at
        while self.kind(end) == "sign" and self._text(end) in _DASHES:
            end += 1
        return ("-" if end > at else ""), end

    def _hit_points(self, at: int) -> tuple[int | None, int, bool]:
        """Return the hit points after a token, the token after them, and whether a slash precedes them."""
        here, slash = self._separator(at)
        if self.kind(here) == "open" and self.kind(here + 1) == "hp" and self.kind(here + 2) == "close":
            return self.tokens[here + 1].value, here + 3, slash
        if slash and self.kind(here) == "word" and (behind := self._behind_words(here)):
            return self.tokens[behind].value, behind + 1, slash
        if self.kind(here) == "hp":
            return self.tokens[here].value, here + 1, slash
        is_damage = self._text(here + 1).lower() in _DAMAGE
        if slash and self.kind(here) == "int" and self.kind(here + 1) != "slash" and not is_damage:
            return self.tokens[here].value, here + 1, slash
        return None, at + 1, slash

    def _behind_words(self, at: int) -> int | None:
        """Return the hit points after a part in words, as in `H / 5 / no damage / HP4`, or None."""
        end = next((i for i in range(at, at + MAX_WORDS) if self.kind(i) != "word"), at)
        return self.after(end) if self.kind(end) == "slash" and self.kind(self.after(end)) == "hp" else None

    def _slashes_end(self, at: int) -> int:
        """Return the token after a sequence of parts that are separated by slashes."""
        while self.kind(at + 1) == "slash" and self.kind(at + 2):
            at += 2
        return min(at + 1 + (self.kind(at + 1) == "slash"), len(self.tokens))


def _order(letter: Letter, numbers: Sequence[str], shape: str) -> Order:
    """Return the order that consists of a letter and numbers."""
    turns = "@" in shape
    legs = tuple(int(number) for number in numbers if len(number) < 3)
    hexes = [number for at, number in enumerate(numbers) if len(number) > 3 and not (turns and at == 1)]
    target = hexes[-1] if letter in ("F", "B") else ""
    to = "" if letter == "F" or (letter == "B" and not legs) else hexes[0]
    return Order(letter, legs, to, target, numbers[1] if turns else "")
