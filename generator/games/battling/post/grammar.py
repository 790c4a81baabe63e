"""Parse a plain line of a post into orders, replies and passages that cannot be understood.

A line is split into tokens. Each order or reply among them is a core, which consists of a letter or a hex and
numbers. A core gets the AT that the surrounding words mention. These words also determine whether the core is an
order, or talk about an order.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import msgspec

from generator.games.battling.model import PREFIX, Side
from generator.games.battling.notation import Answer, BattlingReply, Order, Reply, ShotReply
from generator.games.battling.post import guards
from generator.games.battling.post.cores import Core, cores
from generator.games.battling.post.entries import Confidence, Correction, Doubtful, Item, Unread
from generator.games.battling.post.mentions import (
    HEX,
    NAME,
    UNIT,
    Mention,
    Target,
    alternatives,
    choose,
    choose_behind,
    described,
    is_direct,
    is_foreign,
    is_of_others,
    mentions,
    same_machine,
)
from generator.games.battling.post.phrases import (
    AFTER_GUARD,
    CHOICE,
    CONDITION_AFTER,
    DOUBTED_REPLY_AFTER,
    EXTRA_HEX_AFTER,
    FRAGMENT,
    FRAGMENT_AFTER,
    GUESSES,
    HEX_NUMBER,
    ONLY_SIGNS,
    OTHER_CHOICE_AFTER,
    OTHER_HEX_AFTER,
    RECEIVED_AFTER,
    SAME_ORDER,
    SAME_ORDER_BEFORE,
    announces_correction,
)
from generator.games.battling.post.post_line import MARKS, PostLine
from generator.games.battling.post.replies_in_words import (
    Pending,
    answer_in_words,
    may_be_replies,
    may_be_reply,
    may_reply_with,
    part_of_reply,
    replies_in_words,
    reply_in_words,
    same_reply,
    sentences,
    unclear_reply,
)
from generator.games.battling.post.restrictions import Clause, is_considered, is_later, restriction
from generator.games.battling.post.tokens import ATTACKS, LETTERS, MOVES, WAITS, Token, tokenize
from generator.games.battling.post.vocabulary import NO_VOCABULARY, Vocabulary

NOTHING_QUOTABLE: Mapping[Order | Reply, str] = {}


class Context(NamedTuple):
    """The facts about a thread that affect how a line is read."""

    side: Side | None = None
    """The side that wrote the line."""
    vocabulary: Vocabulary = NO_VOCABULARY
    quotable: Mapping[Order | Reply, str] = NOTHING_QUOTABLE
    """The other side's latest orders and replies, which the line may quote, with the numbers of their ATs."""
    known: Collection[Order | Reply] = ()
    """All earlier orders and replies, which a post may discuss."""
    last_order: Order | None = None
    """The order directly before the line, if the writer gave it."""
    line_before: str = ""
    """The preceding line if it contains no order. It may state the AT of the order in this line."""
    pending: Pending = Pending()
    """The attacks that the writer has to reply to."""


class Statement(NamedTuple):
    """An item of a line."""

    item: Item
    confidence: Confidence = "sure"
    for_all: bool = False
    """Whether an order is for every AT of its side."""
    repeats: bool = False
    """Whether an order repeats one that the other side has just given."""
    in_words: bool = False
    """Whether the item is a reply in words, which does not count if its writer also gives it in the usual form."""


PLAIN = Context()

MAX_ORDER_IN_WORDS = 60
"""The maximum number of characters of a line with only an AT, and of the line with its order in words."""
_ONLY_GUARD = re.compile(
    r"\W*(?:(?:my\s+)?orders?|行動|命令)?[\s:は]*(?:D(?:[\s,、・/]*D)+|D\s*(?:[x×*✕]\s?[2-9]|を?[2-9]\s?[機体])|[2-9]\s?[x×*✕]\s?D"
    r"|(?:(?:今回|今|ここ|次)?は?(?:全機|全員|みんな|[2-9]機|両機|残り)(?:とも)?|(?:we|they|i|all|both|every(?:one|body)|the\s+rest)(?:\s+(?:all|will|just))*)?"
    r"[\s:は、,]*(?:防御|ガード|待機|guards?|guarding|defends?|defending|stays?|holds?|waits?|D(?![A-Za-z]))"
    r"(?:で|します|する|です|に専念|体[勢制]|のみ|だけ|(?:\s+(?:put|here|still|please|again|everyone|all))|お願い|いきます|行きます)*)\W*",
    re.IGNORECASE,
)
"""A whole line that only states a guard or a wait, without the letter or the AT of an order."""
_PARTICLES = ("は", "が", "も", "と", "さん", "and", "the")

_MAY_MATTER = re.compile(
    r"/\s*[0-9?]|[0-9]\s*/|(?<![A-Za-z'])(?:[WRFBDH](?![A-Za-z])|HP\s*[0-9])|#\s?[FS]?[0-9]|防御|ガード|guard|(?<![0-9])[0-9]{4}(?![0-9])"
    r"|[0-9]\s?(?:号機|番機)",
    re.IGNORECASE,
)
"""Text that a line with notation contains. Most lines of talk do not contain it."""
_UNKNOWN_LETTER = re.compile(r"[^\W0-9_]\s*/\s*[0-9]{1,2}\s*/\s*(?!(?:19|20)[0-9]{2})[0-9]{4}(?![0-9])")
_MORE_BEHIND = re.compile(r"\s*(?:/\s*[0-9]{4}|[×xX*]\s*[2-9])(?![0-9])")
"""A hex directly after a reply, as in `1108 / 5 / F / 0707`, which may be an order, or a number of equal replies."""
_PART_BEHIND = re.compile(
    r"\s*/\s*(?![/#]|[WRFBD]\s*/|[0-9]{4})[^/#]*(?:[0-9]|HP|hit\s?points|耐久|残)", re.IGNORECASE
)
"""A further part of a reply, which may state the hit points in words that are not understood."""
_LETTER_NEAR_HEX = re.compile(
    r"(?<![A-Za-z0-9])[WRFBD]\s?[0-9]?(?:[\s:(→、,-]|で|to(?![A-Za-z]))*(?!(?:19|20)[0-9]{2})[0-9]{4}(?![0-9])|(?<![0-9])(?!(?:19|20)[0-9]{2})[0-9]{4}\s*(?:に|へ|を|で|→|:)?\s*[WRFB]\s?[0-9]?(?![A-Za-z0-9])"
    r"|(?<![0-9])(?!(?:19|20)[0-9]{2})[0-9]{4}\s*\(\s*[WRFB]\s?[0-9]?\s*\)"
)
"""A letter next to a hex without the signs of an order, as in `F(1108)`, `W2 0908`, `0908 (W2)` and `1108にF`."""
_REPLY_OF_AT = re.compile(r"\W*[FS]?[0-9]{1,2}\s*/\s*[1-6]\s*/\s*[HF](?![A-Za-z])", re.IGNORECASE)
"""A reply that begins with an AT instead of its hex, as in `#3 / 5 / F`."""
_RUN_TOGETHER = re.compile(r"\W*(?:[1-9]\s?[WRFBD](?:[0-9/ ]*[0-9]{4})?(?:[\s,、/]+|$)){2,}")
"""A whole line of numbers of ATs and letters, as in `1D 2D 3F1108`."""
_SMALL_LETTER = re.compile(r"(?<![A-Za-z0-9])[wrfb]\s?[0-9]?[\s:(→-]*(?!(?:19|20)[0-9]{2})[0-9]{4}(?![0-9])")
_NAME_AND_GUARD = re.compile(r"[^\W0-9_]{2,20}(?: ?: |[→=]|->|=> ?)D[。.!]?|[^\W0-9_A-Za-z]{1,20}:D[。.!]?")
"""A word before a single D, which may be a name of an AT that is not known."""
_SIGNS_AND_HEX = re.compile(r"[^\w]{1,4}[0-9]{4}(?![0-9])")
"""A hex after signs that separate no parts of an order, as in `#1 F。1108`."""
MAX_LISTED = 6
"""The maximum number of ATs after an order that are searched for the order's own AT or ATs."""
MAX_SHORT = 20
"""The maximum number of characters of a line that begins with a single D and may be an order, as in `D all round`."""
_YEAR = re.compile(r"\W*(?:19|20)[0-9]{2}(?![0-9])")


def parse_line(text: str, context: Context = PLAIN) -> tuple[Statement, ...]:
    """Return the statements of a plain line, or an empty tuple for a line of talk."""
    found = _parse_line(text, context)
    if context.line_before and all(isinstance(of.item, Doubtful) for of in found):
        found = _with_line_before(text, context) or found
    if (
        not found
        and len(text) <= MAX_ORDER_IN_WORDS
        and (_ONLY_GUARD.fullmatch(text) or _RUN_TOGETHER.fullmatch(text))
    ):
        return (Statement(Doubtful(Order("D"))),)
    return found


def _with_line_before(text: str, context: Context) -> tuple[Statement, ...]:
    """Return the statements of a line and the line before it, which contains only an AT, as in `#1:` and `guard`.

    A word for a guard whose meaning is not certain is listed.
    """
    if len(text) > MAX_ORDER_IN_WORDS or not names_only_ats(context.line_before, context):
        return ()
    joined = _parse_line(f"{context.line_before} {text}", context._replace(line_before=""))
    if found := tuple(of for of in joined if not isinstance(of.item, Doubtful)):
        return found
    guards_ = any(token.kind == "verb" and token.text == "D" for token in tokenize(text, context.vocabulary))
    return (Statement(Doubtful(Order("D"))),) if guards_ and not joined else joined


def names_only_ats(text: str, context: Context, *, with_colon: bool = False) -> bool:
    """Return whether a line consists of ATs and signs, as in `#1:`. `with_colon` requires a colon at the end."""
    if len(text) > MAX_ORDER_IN_WORDS or (with_colon and not text.endswith(":")):
        return False
    tokens = tokenize(text, context.vocabulary)
    ats = {mention.first for mention in mentions(tokens, text, context.side, context.vocabulary)}
    others = (token for at, token in enumerate(tokens) if at not in ats)
    return bool(ats) and all(token.kind in ("sign", "open", "close") or token.text in _PARTICLES for token in others)


def _parse_line(text: str, context: Context) -> tuple[Statement, ...]:
    """Return the statements of a plain line without the AT that the line before it may state."""
    found, pending = _parse_notation(text, context), context.pending
    is_remark = text.startswith("(") and text.endswith(")")
    if is_remark or not any(pending) or any(isinstance(of.item, Correction) for of in found):
        return found
    answered = [of.item.hex for of in found if isinstance(of.item, ShotReply | BattlingReply)]
    hexes = pending.hexes_in(text)
    if len(hexes) > 1:
        replies = replies_in_words(text, pending, answered) if hexes - {*answered} else []
        if not replies and not found and may_be_replies(text):
            return (Statement(Doubtful()),)
        kept = [of for of in found if not replies or not (isinstance(of.item, Unread) and of.item.is_reply)]
        for reply, passage in replies:
            if isinstance(reply, BattlingReply) and reply.result == "D":
                results = [of.item for of in _parse_notation(passage, context) if _is_guard(of.item)]
                kept = [of for of in kept if of.item not in results]
        same = same_reply(text, {*hexes} - {*answered})
        kept += [Statement(same, in_words=True)] if same and not replies else []
        return *(Statement(reply, "likely", in_words=True) for reply, _ in replies), *kept
    if any(isinstance(of.item.item if isinstance(of.item, Doubtful) else of.item, Reply) for of in found):
        return found
    if DOUBTED_REPLY_AFTER.search(text) and any(isinstance(of.item, Unread) and of.item.is_reply for of in found):
        return found
    found_reply = reply_in_words(text, pending)
    if found_reply is None:
        if pending.answers:
            found = _with_answer(found, text, context)
        if found or not (pending.shots or pending.punches):
            return found
        unclear: Unread | Doubtful | None = unclear_reply(text) or part_of_reply(text, pending)
        if unclear is None and context.line_before:
            unclear = may_reply_with(context.line_before, text, pending)
        if unclear is None and may_be_reply(text):
            unclear = Doubtful()
        return (Statement(unclear, in_words=True),) if unclear else ()
    reply, start, end = found_reply
    orders = [of for of in _parse_notation(text[start:end], context) if _may_be_order(of.item)]
    if isinstance(reply, BattlingReply) and reply.result == "D":
        orders = [of for of in orders if not _is_guard(of.item)]
    return Statement(reply, "likely", in_words=True), *orders, *_parse_notation(text[end:], context)


def _with_answer(found: tuple[Statement, ...], text: str, context: Context) -> tuple[Statement, ...]:
    """Return the statements of a line with the first answer that a sentence without an order states in words."""
    for sentence in sentences(text):
        answer = answer_in_words(sentence)
        if answer and not any(_states_order(of.item) for of in _parse_notation(answer[1].strip(), context)):
            kept = (of for of in found if not isinstance(of.item, Unread) or of.item.action is not None)
            return Statement(answer[0], "likely", in_words=True), *kept
    return found


def _may_be_order(item: Item) -> bool:
    """Return whether an item is an order, a passage listed as one, or an order that cannot be understood."""
    if isinstance(item, Unread):
        return not item.is_reply
    return isinstance(item.item if isinstance(item, Doubtful) else item, Order)


def _states_order(item: Item) -> bool:
    """Return whether an item contains the letter of an order."""
    return item.action is not None if isinstance(item, Unread) else _may_be_order(item)


def _is_guard(item: Item) -> bool:
    """Return whether an item is, or may be, an order to guard without a move, whose letter is also a result."""
    order = item.item if isinstance(item, Doubtful) else item
    return isinstance(order, Order) and order.action == "D" and not order.to


def _parse_notation(text: str, context: Context) -> tuple[Statement, ...]:
    """Return the statements of a line in letters and numbers, or an empty tuple for a line of talk."""
    return _LineParser(text, context).parse() if text and _MAY_MATTER.search(text) else ()


class _LineParser:
    """A parser of one line."""

    def __init__(self, text: str, context: Context) -> None:
        self.text, self.context = text, context
        self.line = PostLine(text, context.vocabulary)
        self.tokens = self.line.tokens
        self.found: list[tuple[int, Statement]] = []
        """The statements with the indices of their first tokens."""
        self.passed: list[Mention] = []
        """The ATs that are mentioned before a reply of the line."""
        self.given: list[Core] = []
        """The orders that the line gives."""
        self.is_single = False
        """Whether the line has exactly one order or reply with numbers."""
        self.conditional: set[int] = set()
        """The sentences whose orders depend on a condition."""
        self.candidates: Sequence[Core] = ()
        """The orders and replies of the line, and the passages that begin like one."""

    def parse(self) -> tuple[Statement, ...]:
        """Return the statements of the line."""
        whole = list(cores(self.tokens, self.line.brackets))
        covered = {at for core in whole if core.item or not core.is_reply for at in range(core.first, core.end)}
        self.is_single = sum(core.item is not None for core in whole) == 1
        candidates = [*whole, *guards.guard_cores(self.tokens, covered)]
        candidates.sort(key=lambda core: core.first)
        self.candidates = candidates
        names_none = all(token.kind not in ("unit", "name") for token in self.tokens)
        begins_plain = names_none and self.tokens[0].kind not in ("sign", "slash")
        may_mean = _UNKNOWN_LETTER.search(self.text) or self._may_be_notation() or self._begins_reply()
        if not candidates and begins_plain and not may_mean:
            return ()
        free = mentions(self.tokens, self.text, self.context.side, self.context.vocabulary)
        free = [mention for mention in free if mention.first not in covered]
        self._read(candidates, free)
        self._repeat(free)
        self._list_words(free)
        if self.found:
            return tuple(statement for _, statement in sorted(self.found, key=lambda pair: pair[0]))
        lone = None if whole else self._lone_mention(free)
        return (lone,) if lone else tuple(self._remainder(free))

    def _read(self, candidates: Sequence[Core], free: Sequence[Mention]) -> None:
        """Read the cores from left to right. Each order gets the AT that is mentioned before it or after it."""
        at, end = 0, 0
        before: list[Mention] = []
        for number, core in enumerate(candidates):
            following = candidates[number + 1] if number + 1 < len(candidates) else None
            while at < len(free) and free[at].first < core.first:
                before.append(free[at])
                at += 1
            before = [mention for mention in before if mention.first >= end]
            behind = [m for m in free[at : at + MAX_LISTED] if following is None or m.first < following.first]
            used = self._core(core, before, behind, following)
            if used is not None:
                end = max(core.end, used)

    def _core(
        self, core: Core, before: Sequence[Mention], behind: Sequence[Mention], following: Core | None
    ) -> int | None:
        """Read a core, and return the token up to which mentions are used, or None if it is not a core after all."""
        if isinstance(core.item, Order):
            return self._order(core, core.item, before, behind)
        if core.item is not None:
            self._reply(core, core.item)
            self.passed += before
            return core.end
        if guards.is_guard_core(core):
            return self._guard(core, before, behind, following)
        return self._broken(core, before)

    def _target(self, before: Sequence[Mention], core: Core) -> Target | None:
        """Return the AT that a core is for, chosen from the mentions before it.

        If an AT of the writer's side is mentioned by name or number, mentions of the other side's ATs are ignored.
        """
        hexes = (core.item.to, core.item.target) if isinstance(core.item, Order) else ()
        # A hex of the order itself is a destination or target, unless it begins the line, as in `0707: F / 1108`.
        before = [m for m in before if m.rank != HEX or m.start not in hexes or self._begins_line(m)]
        of_side = [mention for mention in before if not is_foreign(mention, self.context.side)]
        found = of_side if any(mention.rank >= NAME for mention in of_side) else before
        return choose(found, self.tokens, self.text, core.first, self.line.sentences, self.line.brackets)

    def _begins_line(self, mention: Mention) -> bool:
        """Return whether only signs precede a mention."""
        return not self.text[: self.tokens[mention.first].start].strip(MARKS)

    def _order(self, core: Core, order: Order, before: Sequence[Mention], behind: Sequence[Mention]) -> int | None:
        """Read an order with numbers."""
        target, used = self._target(before, core), core.end
        if target is None or target.rank < HEX:
            later = choose_behind(behind, self.tokens, self.text, core.end)
            if later and not (target and target.is_direct):
                target, used = later, later.mentions[-1].first + 1
        if not core.strict and not self._is_supported(core, order, target):
            is_possible = self.line.is_capital(core) and not _is_year(order) and not self.line.is_remark(core)
            if is_possible:
                self._note(core, order)
            return core.end if is_possible else None
        is_about = self.line.is_about(core, target) or self._is_of_others(core, target)
        if core.first >= self.line.comment and not (target and target.rank == UNIT and core.strict and not is_about):
            self._note(core, order)
            return used
        is_remark = self.line.is_remark(core, before, self.given)
        if is_remark and not core.strict:
            return None
        if is_remark or is_about or self.line.is_quoted(core, target):
            if order not in self.context.known:
                self._note(core, order)
            return used
        if self.is_single and self.line.is_replaced(core):
            self._note(core, order)
            return used
        if target is None and self._ask_about_choice(core):
            return used
        if self._is_unclear(core, target) or self._ask_if_restricted(core, order, target, before):
            return used
        self._give(core, order, target, "sure" if core.strict else "likely")
        return used

    def _ask_about_choice(self, core: Core) -> bool:
        """Ask about two orders of one AT if only a sign or word such as `→` is between them."""
        if not self.given or self.line.corrects:
            return False
        before = self.given[-1]
        if not CHOICE.fullmatch(self.text[self.line.end(before) : self.line.start(core)]):
            return False
        units = [s.item.unit for at, s in self.found if at == before.first and isinstance(s.item, Order)]
        self.found = [(at, statement) for at, statement in self.found if at != before.first]
        passage = self._passage(self.line.start(before), core)
        self.found.append((before.first, Statement(Unread(passage, core.action, units[0] if units else ""))))
        return True

    def _is_of_others(self, core: Core, target: Target | None) -> bool:
        """Return whether words say what the other side's AT does, as in `S1 will F / 1108` and `I bet your #3 D`.

        A line such as `S1: F / 1108` may be a mistake of the writer instead.
        """
        if target and not target.mentions[0].first >= core.end:
            if not all(is_foreign(mention, self.context.side) for mention in target.mentions):
                return False
            start, end = self.line.sentence(core)
            before, after = self.text[start : self._start(core, target)], self.text[self.line.end(core) : end]
            is_guessed = bool(GUESSES.search(before) or GUESSES.search(after)) or after.rstrip().endswith("?")
            return is_guessed or not ONLY_SIGNS.fullmatch(self.line.between(target, core))
        units = [at for at, token in enumerate(self.tokens[: core.first]) if token.kind in ("unit", "name")]
        if target or not units or not self.line.sentences.same(self.tokens[units[-1]], self.tokens[core.first]):
            return False
        token = self.tokens[units[-1]]
        between = self.text[token.end : self.line.start(core)]
        return is_of_others(self.text[: token.start]) and is_direct(between)

    def _clause(self, core: Core, target: Target | None, before: Sequence[Mention]) -> Clause:
        """Return the words around an order and its AT, up to the orders next to it and the ends of its sentence."""
        start, end = self.line.sentence(core)
        at = bisect_left(self.candidates, core.first, key=lambda of: of.first)
        if at and self.candidates[at - 1].end <= core.first:
            start = max(start, self.line.end(self.candidates[at - 1]))
        if following := next((of for of in self.candidates[at : at + 2] if of.first >= core.end), None):
            end = min(end, self.line.start(following))
        if self.line.comment < len(self.tokens):
            end = max(self.line.end(core), min(end, self.tokens[self.line.comment].start))
        stated = target.mentions if target and target.mentions[0].first < core.first else ()
        first = self._start(core, target)
        rivals = [m for m in before if start <= self.tokens[m.first].start < first and self._is_rival(m, stated)]
        other = self.text[self.tokens[rivals[-1].first].end : first] if rivals else None
        between = self.text[self.tokens[stated[-1].first].end : self.line.start(core)] if stated else ""
        after = self.line.after(core)
        return Clause(self.text[min(start, first) : first], between, after[: end - self.line.end(core)], after, other)

    def _is_rival(self, mention: Mention, stated: Sequence[Mention]) -> bool:
        """Return whether a mention is of another AT of the writer than the AT that an order states.

        The name of a kind counts only if the order also states its AT by name, because talk may be about the kind.
        """
        if not stated or is_foreign(mention, self.context.side) or any(m.for_all for m in (mention, *stated)):
            return False
        if any(m.rank == UNIT for m in stated):
            units = {m.unit.lstrip("FS") for m in stated if m.unit}
            return mention.rank == UNIT and mention.unit.lstrip("FS") not in units
        by_name = any(m.rank == NAME for m in stated)
        return by_name and mention.rank >= NAME and not any(same_machine(mention, m) for m in stated)

    def _ask_if_restricted(self, core: Core, order: Order, target: Target | None, before: Sequence[Mention]) -> bool:
        """Add a passage to ask about if words restrict an order, or list an order that was only considered."""
        clause = self._clause(core, target, before)
        last = self.context.last_order
        has_order = bool(last and target and last.unit and last.unit == target.mentions[-1].unit)
        if is_considered(clause.before) or (has_order and is_later(clause.before)):
            self._note(core, order)
            return True
        found = restriction(clause, order) or ("unclear" if target and self._means_other_both(target) else None)
        if found == "condition":
            self._ask_about_condition(core, target)
        elif found:
            start = self._start(core, target) - len(clause.before.lstrip(MARKS + ")]」』】"))
            self._ask(core, self._passage(start, core), target)
        return found is not None

    def _means_other_both(self, target: Target) -> bool:
        """Return whether a word such as `both` is used although the side has another number of ATs than two."""
        words = [(self.tokens[m.first].text.lower(), m.ids) for m in target.mentions if m.for_all]
        return any(word.startswith(("both", "両")) and len(ids) != 2 for word, ids in words)

    def _start(self, core: Core, target: Target | None) -> int:
        """Return the start of an order, or of its AT if the AT is mentioned before it."""
        return self.tokens[min(core.first, target.mentions[0].first) if target else core.first].start

    def _ask(self, core: Core, passage: str, target: Target | None, is_conditional: bool = False) -> None:
        """Add a passage to ask about."""
        unit = target.mentions[-1].unit if target else ""
        found = Unread(passage, core.action, unit, is_conditional=is_conditional)
        self.found.append((core.first, Statement(found)))

    def _ask_about_condition(self, core: Core, target: Target | None) -> None:
        """Add the sentence of an order that depends on a condition. Its other orders are then not added."""
        sentence = self.line.sentences.of(self.tokens[core.first])
        self.conditional.add(sentence)
        self._ask(core, self._passage(self.line.sentences.start(sentence), core), target, is_conditional=True)

    def _is_unclear(self, core: Core, target: Target | None) -> bool:
        """Add a passage to ask about if an order depends on a condition or is followed by a part of a correction."""
        sentence = self.line.sentences.of(self.tokens[core.first])
        is_conditional = self.line.is_conditional(core) or self._is_other_choice(core)
        if sentence in self.conditional:
            return True
        after = self.line.after(core)
        if not (is_conditional or FRAGMENT_AFTER.match(after) or EXTRA_HEX_AFTER.match(after)):
            return False
        if is_conditional:
            self._ask_about_condition(core, target)
        else:
            self._ask(core, self._passage(self._start(core, target), core), target)
        return True

    def _is_other_choice(self, core: Core) -> bool:
        """Return whether a single D follows another order and a condition, as in `F / 1108, otherwise D`."""
        capital = bool(self.given) and self.line.is_capital(core)
        return capital and (self.line.is_conditional(core) or bool(OTHER_CHOICE_AFTER.match(self.line.after(core))))

    def _passage(self, start: int, core: Core) -> str:
        """Return the text from a position to the end of a core's sentence."""
        number, ends = self.line.sentences.of(self.tokens[core.end - 1]), self.line.sentences.ends
        return self.text[start : ends[number] if number < len(ends) else len(self.text)].strip()

    def _give(self, core: Core, order: Order, target: Target | None, confidence: Confidence) -> None:
        """Add an order that is given, once for each AT that it is for."""
        self.given.append(core)
        target = target or _fallback(self.passed, self.tokens, self.text) or self._target_before
        if target is None:
            self.found.append((core.first, Statement(order, confidence, repeats=self._repeats(order, ""))))
            return
        by_hex = target.rank == HEX and self.line.between(target, core).strip() != ":"
        if by_hex or not target.is_certain:
            confidence = "likely"
        for unit, start, ids, for_all in alternatives(target):
            given = msgspec.structs.replace(order, unit=unit, start=start, among=ids)
            repeats = self._repeats(order, unit if target.rank == UNIT else "")
            self.found.append((core.first, Statement(given, confidence, for_all, repeats)))

    def _repeats(self, order: Order, unit: str) -> bool:
        """Return whether an order repeats one that the other side has just given.

        If the order states an AT, it must be the same AT.
        """
        number, side = self.context.quotable.get(order), self.context.side
        if number is None or (side and unit.startswith(PREFIX[side])):
            return False
        return not unit or not number or unit.lstrip("FS") == number

    @cached_property
    def _target_before(self) -> Target | None:
        """The AT that the preceding line states, or None."""
        text, side, vocabulary = self.context.line_before, self.context.side, self.context.vocabulary
        if not text:
            return None
        tokens = tokenize(text, vocabulary)
        return _fallback(mentions(tokens, text, side, vocabulary), tokens, text)

    def _is_supported(self, core: Core, order: Order, target: Target | None) -> bool:
        """Return whether an order without slashes is an order, which must begin the line or follow its AT."""
        stated = target is not None and target.is_direct
        if not self.line.is_capital(core):
            return stated and target is not None and target.rank >= NAME
        if _is_year(order) and not (target and target.rank == UNIT):
            return False
        if stated:
            return True
        before = self.text[: self.line.start(core)].rstrip()
        opens = self.line.begins_with(core) or before[-1:] in "。!、,:;"
        return opens and (target is None or bool(AFTER_GUARD.match(self.line.after(core))))

    def _repeat(self, free: Sequence[Mention]) -> None:
        """Give each AT that does the same as the one before it, as in `#1: F / 1108, #2 the same`, its order.

        A move cannot be the same for another AT, so the passage is then not understood.
        """
        for at, mention in enumerate(free):
            before, after = self.text[: self.tokens[mention.first].start], self.text[self.tokens[mention.first].end :]
            acts, words = self._words_of(mention, free[at + 1 :])
            is_same = SAME_ORDER.match(after) or SAME_ORDER_BEFORE.search(before)
            is_other = bool(OTHER_HEX_AFTER.match(words)) and not acts
            is_unit = mention.rank == UNIT or (len(mention.ids) == 1 and is_same and not acts)
            if not is_unit or mention.first >= self.line.comment or not (is_same or is_other):
                continue
            given = [s.item for first, s in self.found if first < mention.first and isinstance(s.item, Order)]
            order = given[-1] if given else self.context.last_order
            if order is None and is_other:
                continue
            listed = described(mention, free[: at + 1], self.tokens, self.text)
            for unit, start, ids, for_all in alternatives(Target(listed, True, True)):
                if order is None or order.to or is_other or HEX_NUMBER.search(words):
                    self.found.append((mention.first, Statement(Unread(self.text, None, unit))))
                else:
                    same = msgspec.structs.replace(order, unit=unit, start=start, among=ids)
                    self.found.append((mention.first, Statement(same, "likely", for_all)))

    def _words_of(self, mention: Mention, behind: Iterable[Mention]) -> tuple[bool, str]:
        """Return whether an order follows an AT, and the words after it up to the order, the next AT or the end."""
        token = self.tokens[mention.first]
        at = bisect_right(self.candidates, mention.first, key=lambda of: of.first)
        core = self.line.start(self.candidates[at]) if at < len(self.candidates) else len(self.text)
        unit = next((self.tokens[m.first].start for m in behind if m.rank == UNIT), len(self.text))
        return core < unit, self.text[token.end : min(core, unit)]

    def _list_words(self, free: Sequence[Mention]) -> None:
        """Add the orders that a line with other orders states in words, as in `#1 fires at 1108, #2: D`."""
        if not self.found:
            return
        units = [mention.first for mention in free if mention.rank == UNIT and mention.first < self.line.comment]
        read = {at for at, _ in self.found}
        for first, end in pairwise([0, *units, self.line.comment]):
            if not any(first <= at < end for at in read):
                self.found += [(first, statement) for statement in _order_in_words(self.tokens[first:end])]

    def _note(self, core: Core, item: Order | Reply) -> None:
        """Add an order or reply that is treated as talk."""
        self.found.append((core.first, Statement(Doubtful(item))))

    def _guard(
        self, core: Core, before: Sequence[Mention], behind: Sequence[Mention], following: Core | None
    ) -> int | None:
        """Read a single D or a guard in words. Its sentence must mention an AT or contain nothing else."""
        line = self.line
        if guards.is_compound(line, core) or guards.announces(line, core, following):
            return None
        target, used = self._target(before, core), core.end
        if target and not guards.belongs(line, core, target):
            target = None
        if core.first >= line.comment and not guards.is_stated(line, core, target):
            return None
        if not core.strict:
            if not guards.is_guard_in_words(line, core, target) or self._is_unclear(core, target):
                if guards.may_guard_in_words(line, core, target):
                    self._note(core, Order("D"))
                return None
            if not self._ask_if_restricted(core, Order("D"), target, before):
                self._give(core, Order("D"), target, "likely")
            return core.end
        if guards.is_smiley(line, core, target):
            if target and target.rank == UNIT and not line.is_remark(core, before, self.given):
                self._note(core, Order("D"))
            return core.end
        later = choose_behind(behind, self.tokens, self.text, core.end) if target is None else None
        if later:
            target, used = later, later.mentions[-1].first + 1
            is_guard = line.is_capital(core) and not line.is_question(core)
        elif target:
            is_guard = guards.is_guard_of(line, core, target, self.given)
        else:
            is_guard = guards.stands_alone(line, core, self.given, self._target_before is not None)
        if not is_guard and self._is_other_choice(core):
            self._is_unclear(core, target)
            return used
        if is_guard and target and guards.is_called_otherwise(line, core, later is not None):
            self._note(core, Order("D"))
            return used
        if line.is_remark(core, before, self.given):
            return None
        is_talk = line.is_hypothetical(core) or line.acknowledges(core) or line.asks(core)
        if (is_guard and is_talk) or (not is_guard and guards.may_be_guard_of(line, core, target)):
            self._note(core, Order("D"))
            # An order that was given up does not use its AT, as in `#3: I was going to D, but F / 0905`.
            return None if line.is_retracted(core) else used
        if not is_guard:
            if self._follows_order(core) or self._begins_words(core, before):
                self._note(core, Order("D"))
            return None
        if self._is_unclear(core, target) or self._ask_if_restricted(core, Order("D"), target, before):
            return used
        self._give(core, Order("D"), target, "sure")
        return used

    def _follows_order(self, core: Core) -> bool:
        """Return whether a single D comes after an order in its sentence and may be a second order."""
        if not self.given or not self.line.is_capital(core) or not AFTER_GUARD.match(self.line.after(core)):
            return False
        return self.line.sentences.same(self.tokens[self.given[-1].first], self.tokens[core.first])

    def _begins_words(self, core: Core, before: Sequence[Mention]) -> bool:
        """Return whether a single D begins a short line, or a sentence after one that mentions an AT."""
        if not self.line.is_capital(core) or self.line.quotation(core) >= 0:
            return False
        after = self.line.after(core)
        if self.line.begins_with(core):
            return after[:1].isspace() and len(self.text) <= MAX_SHORT
        sentence = self.text[self.line.sentence(core)[0] : self.line.start(core)]
        has_unit = any(mention.rank == UNIT for mention in before)
        return has_unit and not sentence.strip(MARKS) and bool(AFTER_GUARD.match(after))

    def _reply(self, core: Core, reply: Reply) -> None:
        """Read a reply. A reply of the other side that a player repeats as an acknowledgement is talk."""
        after, quoted = self.line.after(core)[:40], self.line.quotation(core) >= 0
        is_alone = not (self.text[: self.line.start(core)] + after).strip(" ().。!")
        remark = core.first >= self.line.comment or (self.line.is_remark(core) and not is_alone)
        received = bool(RECEIVED_AFTER.match(after))
        is_due = isinstance(reply, Answer) or self.context.pending.count(reply.hex) > 0
        is_repeated = reply in self.context.quotable and not (is_due or is_alone or self.line.corrects)
        if is_repeated or (reply in self.context.known and (quoted or remark or received)):
            return
        is_received = isinstance(reply, Answer) and self.line.acknowledges(core)
        is_talk = is_received or self.line.is_quoted_reply(core) or (not is_due and self.line.is_past_reply(core))
        if remark or (quoted and received) or CONDITION_AFTER.match(after) or is_talk:
            self._note(core, reply)
            return
        is_changed = bool(FRAGMENT.search(after)) and bool(announces_correction(after)) and self.is_single
        is_doubted = bool(DOUBTED_REPLY_AFTER.match(after))
        is_cut = not isinstance(reply, Answer) and reply.hp is None and bool(_PART_BEHIND.match(after))
        if is_changed or is_doubted or is_cut or FRAGMENT_AFTER.match(after) or _MORE_BEHIND.match(after):
            passage = self._passage(self.line.start(core), core)
            self.found.append((core.first, Statement(Unread(passage, hex=reply.hex, is_reply=True))))
            return
        self.found.append((core.first, Statement(reply, "sure" if core.strict else "likely")))

    def _broken(self, core: Core, before: Sequence[Mention]) -> int | None:
        """Add a passage that begins like notation, unless it is in a remark, a quotation or a comment."""
        if core.first >= self.line.comment or self.line.brackets.inside[core.first] >= 0:
            return core.end
        target = self._target(before, core)
        target = target if target and target.is_direct else None
        if not core.strict and not target and not self._is_capital_at_start(core):
            return None
        if target is None and not core.is_reply and self.line.is_question(core):
            self.found.append((core.first, Statement(Doubtful())))
            return core.end
        unit = target.mentions[-1].unit if target else ""
        first = target.mentions[0].first if target else core.first
        passage = self._passage(self.tokens[first].start, core)
        self.found.append((core.first, Statement(Unread(passage, core.action, unit, core.hex, core.is_reply))))
        return core.end

    def _is_capital_at_start(self, core: Core) -> bool:
        """Return whether a capital letter begins the line and is not followed by a year."""
        starts = self.line.begins_with(core) and self.line.is_capital(core)
        return starts and not _YEAR.match(self.text[self.line.start(core) + 1 :])

    def _lone_mention(self, free: Sequence[Mention]) -> Statement | None:
        """Return the statement of a line that begins with an AT and contains no order in letters and numbers."""
        first = next(iter(free), None)
        if first is None or first.first > 1 or first.rank != UNIT or self.line.comment <= first.first:
            return None
        end = self.tokens[first.first].end
        behind = self.tokens[first.first + 1 : first.first + 4]
        letter = next((token for token in behind if token.kind == "letter" and token.text in LETTERS), None)
        if letter and is_direct(self.text[end : letter.start]) and not self.text[letter.end :].strip(" 。.!です"):
            return Statement(Unread(self.text, LETTERS[letter.text], first.unit))
        if letter and letter is behind[0] and _SIGNS_AND_HEX.match(self.text, letter.end):
            return Statement(Unread(self.text, LETTERS[letter.text], first.unit))
        is_order = self.text.lstrip(" -・*").startswith("#") and self.text[end:].lstrip()[:1] == ":"
        return Statement(Unread(self.text, None, first.unit)) if is_order and self.text[end:].strip(" :") else None

    def _remainder(self, free: Sequence[Mention]) -> Iterator[Statement]:
        """Yield statements for the rest of an order or for an unknown letter (`V / 2 / 1407`)."""
        kinds = [token.kind for token in self.tokens[:2]]
        if kinds in (["slash", "hex"], ["slash", "int"]):
            yield Statement(Unread(self.text))
        elif self._begins_reply():
            yield Statement(Unread(self.text, hex=self.tokens[0].text, is_reply=True))
        elif _UNKNOWN_LETTER.search(self.text):
            yield Statement(Doubtful())
        elif _NAME_AND_GUARD.fullmatch(self.text):
            yield Statement(Doubtful(Order("D")))
        elif any(mention.rank >= NAME and not is_foreign(mention, self.context.side) for mention in free):
            inside = self.line.brackets.inside
            plain = [token for at, token in enumerate(self.tokens[: self.line.comment]) if inside[at] < 0]
            found = [*_order_in_words(plain)]
            may_be = self._may_be_notation() or _SMALL_LETTER.search(self.text)
            yield from found or [Statement(Doubtful())] * bool(may_be)
        elif self._may_be_notation():
            yield Statement(Doubtful())

    def _may_be_notation(self) -> bool:
        """Return whether a line may be a reply in words, or has a letter next to a hex."""
        is_remark = self.text.startswith("(") and self.text.endswith(")")
        is_notation = _LETTER_NEAR_HEX.search(self.text) or _REPLY_OF_AT.match(self.text)
        return self._may_be_reply() or bool(not is_remark and is_notation)

    def _begins_reply(self) -> bool:
        """Return whether a line begins like a reply with parts missing or exchanged, as in `1108 / H / HP3`."""
        first, *rest = self.tokens
        if first.kind != "hex" or not rest or not (rest[0].kind in ("slash", "int") or rest[0].text == ":"):
            return False
        near = rest[1:6] if rest[0].kind != "int" else rest[1:2]
        return any(token.kind in ("hp", "result") or token.text in ("H", "F") for token in near)

    def _may_be_reply(self) -> bool:
        """Return whether a line may be a reply in words, such as `Hit with 3, HP3`, and no remark."""
        inside = self.line.brackets.inside
        plain = {token.kind for at, token in enumerate(self.tokens) if inside[at] < 0 and at < self.line.comment}
        return "hp" in plain and any(token.kind == "result" for token in self.tokens)


def _order_in_words(tokens: Sequence[Token]) -> Iterator[Statement]:
    """Yield the order that a sentence may state without its letter, such as `#1 shoots at 1108` or `#1 waits`."""
    verb = next(
        (token for token in tokens if token.kind == "verb" or (token.kind == "letter" and token.text in LETTERS)),
        None,
    )
    shoots = verb.text == "F" if verb else _has_word(tokens, ATTACKS)
    place = next((token for token in tokens if token.kind == "hex"), None)
    if place and (verb or shoots or _has_word(tokens, MOVES)):
        yield Statement(Doubtful(Order("F", target=place.text) if shoots else None))
    elif (verb and verb.text == "D" and verb.kind == "verb") or _has_word(tokens, WAITS):
        yield Statement(Doubtful(Order("D")))


def _has_word(tokens: Sequence[Token], words: Collection[str]) -> bool:
    """Return whether tokens contain one of these words. A Japanese word may be a part of a token."""
    return any(
        token.text.lower() == word or (not word.isascii() and word in token.text)
        for token in tokens
        for word in words
    )


def _is_year(order: Order) -> bool:
    """Return whether the hex of an order looks like a year."""
    return (order.target or order.to)[:2] in ("19", "20")


def _fallback(found: Sequence[Mention], tokens: Sequence[Token], text: str) -> Target | None:
    """Return the probable AT of an order that mentions none, which is the latest of the most certain mentions.

    ATs that are listed with it, as in `#1 and #2`, get the order too.
    """
    best = max((mention.rank for mention in found), default=0)
    if best < HEX:
        return None
    latest = next(m for m in reversed(found) if m.rank == best)
    return Target(described(latest, found, tokens, text), False, False)
