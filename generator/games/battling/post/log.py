"""Read a log of posts into entries, and write logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from generator.games.battling.model import OTHER, Side
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.post.corrections import as_corrections, corrected
from generator.games.battling.post.entries import (
    Announcement,
    AnswerInWords,
    Correction,
    Doubtful,
    Entry,
    Misspelt,
    Opened,
    Unread,
    Vow,
    WithoutOrder,
    without_unit,
)
from generator.games.battling.post.grammar import (
    NOTHING_QUOTABLE,
    Context,
    Statement,
    names_only_ats,
    parse_line,
)
from generator.games.battling.post.headers import Heading, is_nearly_header
from generator.games.battling.post.joined_posts import later_header, split_posts
from generator.games.battling.post.normalize import LINE_LIMIT, lines, plain_signs, split_lines
from generator.games.battling.post.orders_for_all import number_of, without_exceptions
from generator.games.battling.post.phrases import (
    FRAGMENT,
    HEX_NUMBER,
    SWAPS,
    TAKES_BACK,
    WHOLE_FRAGMENT,
    WITHDRAWS,
    WITHDRAWS_ATTACK,
    announces_correction,
)
from generator.games.battling.post.replies_in_words import Pending
from generator.games.battling.post.vocabulary import NO_VOCABULARY, Vocabulary
from generator.games.battling.post.without_order import ats_without_order
from generator.model.words import Lang

MAX_ANNOUNCEMENT = 60
"""The maximum number of characters of a line that only announces a correction. Longer lines are talk."""
MAX_PART = 50
"""The maximum number of characters of a line that corrects a part of the line before it. Longer lines are talk."""
QUOTABLE = 40
"""The number of a side's latest orders and replies that the other side may quote, which is enough for a phase of two
full squads.
"""

_HASH = re.compile(r"(?<![0-9A-Z])[0-9A-F]{64}(?![0-9A-Z])", re.IGNORECASE)
_VOW = re.compile(r"(?:[^/]*[^A-Z/])?(?:(dice\s*chain|chain|チェーン|鎖)|seal(?:ed)?|封印)\W*", re.IGNORECASE)
"""The text before the hash of a vow. After an order, the hash would be the order's link."""
_OPENED = re.compile(r"(?:open(?:ed)?|開封)\s*[:=]\s*(\S.*)", re.IGNORECASE)
_ONE_UNIT = re.compile(r"#\s?[FS]?0?([0-9]{1,2})(?![0-9])|(?<![0-9])([0-9])(?=号機)", re.IGNORECASE)
_GOES_ON_BEHIND = re.compile(r"[0-9A-Za-z?\-ー]\s*/$")
_GOES_ON_BEFORE = re.compile(r"(?:/(?!/)|@)\s*(?:[0-9A-Za-z?\-ー]|$)")
_MAY_BEGIN = re.compile(r"(?:[0-9]|(?<![A-Z])(?:[WRFBDHA]|EX))\s*/?\s*$|/\s*[-ー]+$", re.IGNORECASE)
"""The end of a line after which the next line can continue an order with a slash."""


def parse(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> tuple[Entry, ...]:
    """Return the headers, orders and replies of a log in order, and each passage that may have been meant as one.

    docs/formats/order_log.md describes the forms that are read. A line that corrects another one takes its place.
    """
    return _read_log(text, vocabulary)[0]


def talk(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> tuple[int, ...]:
    """Return the lines of a log that contain only talk, quotes or comments."""
    used = _read_log(text, vocabulary)[1]
    written = (number for number, line in enumerate(split_lines(text), 1) if line.strip())
    return tuple(number for number in written if number not in used)


@lru_cache(maxsize=1)  # one command may read its log four times, for example to judge it and to list its talk
def _read_log(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> tuple[tuple[Entry, ...], frozenset[int]]:
    """Return the corrected entries of a log, and the numbers of the lines that contain more than talk."""
    reader = _Reader(vocabulary)
    entries = reader.read(text)
    return tuple(corrected(entries)), frozenset(reader.used)


def print_log(items: Iterable[Header | Order | Reply], lang: Lang = "en") -> str:
    """Return a log with an item on each line and an empty line before each later header, which `parse` can read."""
    rows: list[str] = []
    for item in items:
        if isinstance(item, Header) and rows:
            rows.append("")
        rows.append(write_line(item, lang))
    return "\n".join(rows) + "\n"


class _Reader:
    """A reader that reads a log line by line. An order may continue on further lines."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.entries: list[Entry] = []
        self.used: set[int] = set()
        """The lines that contain more than talk."""
        self.began = 0
        """The first line of the text that is being read."""
        self.text = ""
        self.announced: Announcement = ""
        """How the preceding line announces a correction, if it does not contain the correction itself."""
        self.line_before = ""
        """The preceding line if it is talk."""
        self.header: Header | None = None
        """The latest header with a side."""
        self.without_order = 0
        """The number of a line with only an AT and a colon, as in `#1:`, until its order follows."""
        self.mentioned: tuple[int, Header] | None = None
        """A later header that the talk of an earlier line mentions, and the number of the line."""
        self.quotable: dict[Side, dict[Order | Reply, str]] = {"first": {}, "second": {}}
        """The latest orders and replies of each side, with the numbers of their ATs."""
        self.known: set[Order | Reply] = set()
        """All earlier orders and replies, without their ATs."""
        self.last_order: Side | None = None
        """The side that gave the latest order."""
        self.shots: dict[Side, Counter[str]] = {"first": Counter(), "second": Counter()}
        """The number of shots at each hex that each side has to reply to."""
        self.punches: dict[Side, Counter[str]] = {"first": Counter(), "second": Counter()}
        """The number of attacks by battling on each hex that each side has to reply to."""
        self.answers: dict[Side, int] = {"first": 0, "second": 0}
        """The number of results A and EX for which each side has to state the attacker's hit points."""
        self.post_start = 0
        """The index of the first entry of the post that is being read."""
        self.lines: list[tuple[int, str, bool]] = []
        """The lines of this post whose ATs may lack an order, and whether a D in the line may be an order."""
        self.in_words: dict[int, Entry] = {}
        """The replies in words of this post, keyed by their ids."""

    @property
    def side(self) -> Side | None:
        """The side that writes, or None before the first header with a side."""
        return self.header.side if self.header else None

    def read(self, text: str) -> list[Entry]:
        """Return the entries of a log. Corrections are separate entries."""
        for number, line in lines(text):
            for heading, rest, mentioned in split_posts(line, self.header):
                if heading:
                    self._flush()
                    self._begin_post(number, heading)
                if rest:
                    self._take(number, rest)
                if mentioned:
                    self._flush()
                    self._list_mentioned()
                    self.mentioned = number, mentioned
        self._flush()
        self._list_mentioned()
        self._end_post()
        return self.entries

    def _begin_post(self, number: int, heading: Sequence[Heading | Unread]) -> None:
        """Add the header with which a post begins."""
        self._list_mentioned()
        self._end_post()
        self.announced, self.line_before = "", ""
        self.used.add(number)
        self.header = later_header(heading, self.header)
        self.entries += (Entry(number, item) for item in heading)

    def _list_mentioned(self) -> None:
        """Add a header that the talk of a line mentions, which is listed."""
        if self.mentioned:
            self.entries.append(Entry(self.mentioned[0], Doubtful()))
        self.mentioned = None

    def _begin_mentioned(self) -> None:
        """Begin a post with the header that the talk before a line mentions."""
        if self.mentioned:
            (number, header), self.mentioned = self.mentioned, None
            self._begin_post(number, (Misspelt(write_line(header), header, is_within=True),))

    def _end_post(self) -> None:
        """Remove each reply in words to an attack if its writer also replies to it in the usual form after it.

        A passage that may reply to any attack is removed if any reply in the usual form follows.
        """
        if self.without_order:
            self.entries.append(Entry(self.without_order, Doubtful()))
            self.without_order = 0
        if self.in_words:
            post = self.entries[self.post_start :]
            usual = {
                _reply_hex(entry): at
                for at, entry in enumerate(post)
                if _reply_hex(entry) and id(entry) not in self.in_words
            }
            latest = max(usual.values(), default=-1)
            self.entries[self.post_start :] = [
                entry
                for at, entry in enumerate(post)
                if id(entry) not in self.in_words
                or (usual.get(of, at) if (of := _reply_hex(entry)) else latest) <= at
            ]
            self.in_words.clear()
        self.entries[self.post_start :] = without_exceptions(self.entries[self.post_start :])
        if self.side and any(isinstance(entry.item, Order) for entry in self.entries[self.post_start :]):
            self.answers[self.side] = 0
            self.entries += self._without_order(self.side)
        self.lines.clear()
        self.post_start = len(self.entries)

    def _without_order(self, side: Side) -> list[Entry]:
        """Return the lines of the post that mention ATs without an order in it."""
        post = self.entries[self.post_start :]
        items = [of.item.item if isinstance(of.item, Correction | Doubtful) else of.item for of in post]
        orders = [item for item in items if isinstance(item, Order | Unread)]
        if any(isinstance(of, Order) and of.start and not of.unit for of in orders):
            return []
        stated = {of.unit.lstrip("FS") for of in orders} | {
            unit.lstrip("FS") for of in orders if isinstance(of, Order) for unit in of.among
        }
        missing = [unit for unit in self.vocabulary.units(side) if unit.lstrip("FS") not in stated]
        guards = Counter(of.line for of, item in zip(post, items, strict=True) if _is_guard(item))
        found = (
            (
                number,
                [*ats_without_order(text, side, self.vocabulary, missing, guards[number] if may_guard else None)],
            )
            for number, text, may_guard in (self.lines if missing else ())
        )
        return [Entry(number, WithoutOrder(tuple(units))) for number, units in found if units]

    def _take(self, number: int, line: str) -> None:
        """Read the part of a line after its heading."""
        if opened := _OPENED.fullmatch(line):
            self._flush()
            self.used.add(number)
            self.entries.append(Entry(number, Opened(" ".join(opened[1].split()))))
            return
        line = plain_signs(line)
        at = 0
        for found in _HASH.finditer(line):
            if not _is_in_remark(line, found.start()):
                self._part(number, line[at : found.start()], found[0].lower())
                at = found.end()
        if at == 0 or line[at:].strip():
            self._part(number, line[at:])

    def _part(self, number: int, raw: str, link: str = "") -> None:
        """Read a line, or the part of a line before a hash."""
        if link and (vow := _VOW.fullmatch(raw)):
            self._flush()
            self.used.add(number)
            self.entries.append(Entry(number, Vow("chain" if vow[1] else "seal", link)))
            return
        text = raw.strip()
        goes_on = _GOES_ON_BEHIND.search(self.text) or (_GOES_ON_BEFORE.match(text) and _MAY_BEGIN.search(self.text))
        # Without this limit, each line would copy all preceding lines.
        if self.text and text and goes_on and len(self.text) < LINE_LIMIT:
            self.text += text
            self.used.add(number)
        elif text or not link:
            self._flush()
            self.began, self.text = number, text
        if link:
            self._flush()
            self.used.add(number)
            self._bind(link)

    def _flush(self) -> None:
        """Parse the collected text, which is now complete."""
        number, text, self.text = self.began, self.text, ""
        if not text:
            return
        is_due = self.side is not None and any(self._pending(self.side))
        found = parse_line(text, self._context())
        if self.mentioned and any(not isinstance(statement.item, Doubtful) for statement in found):
            self._begin_mentioned()
            found = parse_line(text, self._context())
        if withdrawn := self._withdrawn(text, found) or self._taken_back(text, found):
            found = tuple(map(Statement, withdrawn))
        statements = list(as_corrections(found, text, self.announced))
        if any(isinstance(statement.item, Order | Reply) for statement in found):
            self.announced = ""
        else:
            self._without_items(number, text)
        if len(found) == 1 and self._restates_guard(found[0]):
            self.entries.pop()
        only_talk = all(isinstance(statement.item, Doubtful) for statement in found)
        is_remark = text.startswith("(") and text.endswith(")")
        if not is_remark and not any(of.in_words or isinstance(of.item, Doubtful | Unread) for of in found):
            self.lines.append((number, text, not is_due and all(isinstance(of.item, Order) for of in found)))
        self.line_before = text if only_talk or _is_guard_in_words(found) else ""
        if not found and names_only_ats(text, self._context(), with_colon=True):
            self.without_order = number
        elif found:
            self.without_order = 0
        if not statements and is_nearly_header(text):
            self.entries.append(Entry(number, Doubtful()))
        for item, confidence, for_all, repeats, in_words in statements:
            entry = Entry(number, item, confidence=confidence, for_all=for_all, repeats=repeats)
            self.entries.append(entry)
            if in_words:
                self.in_words[id(entry)] = entry
            if not isinstance(item, Doubtful):
                self.used.add(number)
            self._remember(item.item if isinstance(item, Correction) else item)

    def _withdrawn(self, text: str, found: Sequence[Statement]) -> list[Unread]:
        """Return a line that withdraws an order of the same post, or an empty list for another line.

        The line has to state the AT and no other order, as in `I take back #1`. The order is removed, and the line is
        a passage to ask about.
        """
        unit = _ONE_UNIT.search(text)
        words = WITHDRAWS.search(text) or WITHDRAWS_ATTACK.search(text)
        orders = [of.item for of in found if isinstance(of.item, Order)]
        if not (unit and words) or len(text) > MAX_PART * 2 or len(_ONE_UNIT.findall(text)) > 1:
            return []
        at = self._order_of(unit[1] or unit[2])
        if at is None or any(order != self.entries[at].item for order in orders):
            return []
        if _is_guard(self.entries[at].item) and not WITHDRAWS.search(text):
            return []
        return [_in_doubt(self.entries.pop(at).item, text)]

    def _taken_back(self, text: str, found: Sequence[Statement]) -> list[Unread]:
        """Return a line that withdraws the last order, or says that two orders of the post were exchanged.

        The orders are removed, and the line is a passage to ask about for each of them.
        """
        if len(text) > MAX_PART * 2 or any(isinstance(of.item, Order | Reply) for of in found):
            return []
        places: list[int | None] = []
        if TAKES_BACK.fullmatch(text):
            last = len(self.entries) - 1
            places = [last] if last >= self.post_start and isinstance(self.entries[last].item, Order) else []
        elif SWAPS.search(text):
            numbers = {unit[1] or unit[2] for unit in _ONE_UNIT.finditer(text)}
            places = [self._order_of(number) for number in numbers] if len(numbers) == 2 else []
        removed = sorted((at for at in places if at is not None), reverse=True)
        return [_in_doubt(self.entries.pop(at).item, text) for at in removed] if len(removed) == len(places) else []

    def _order_of(self, number: str) -> int | None:
        """Return the index of the last order of the post for the AT with this number, or None."""
        post = range(self.post_start, len(self.entries))
        return next((at for at in reversed(post) if _is_order_of(self.entries[at].item, number)), None)

    def _restates_guard(self, statement: Statement) -> bool:
        """Return whether a line gives the letter of the guard that the preceding line states in words."""
        last = self.entries[-1] if self.entries else None
        if last is None or last.confidence != "likely" or not isinstance(statement.item, Order):
            return False
        return statement.item == last.item and statement.item.action == "D"

    def _context(self) -> Context:
        """Return the facts that affect how the next line is read."""
        quotable = self.quotable[OTHER[self.side]] if self.side else NOTHING_QUOTABLE
        last = self.entries[-1].item if self.entries else None
        last_order = last if isinstance(last, Order) else None
        pending = self._pending(self.side) if self.side else Pending()
        return Context(self.side, self.vocabulary, quotable, self.known, last_order, self.line_before, pending)

    def _pending(self, side: Side) -> Pending:
        """Return the attacks and results for which a side has to write a reply or an answer."""
        shots, punches = (tuple(counted.elements()) for counted in (self.shots[side], self.punches[side]))
        return Pending(shots, punches, self.answers[side])

    def _without_items(self, number: int, text: str) -> None:
        """Read a line of talk, which may announce that the next line is a correction."""
        announced = announces_correction(text, alone=True) if len(text) <= MAX_ANNOUNCEMENT else ""
        if (at := self._corrected_part(number, text)) is not None:
            self.used.add(number)
            self.entries.append(Entry(number, _in_doubt(self.entries.pop(at).item, text)))
        if announced == "called":
            self.used.add(number)
        # Such a line may be about anything, so the next line is a correction only if it matches an earlier line.
        self.announced = "admitted" if announced else ""

    def _corrected_part(self, number: int, text: str) -> int | None:
        """Return the index of the entry of which a line corrects only a hex or hit points, as in `sorry, 1108`.

        It is the entry of the line before, or of an earlier line of the post if that one has no hex to correct.
        """
        last = self.entries[-1] if self.entries else None
        follows = last is not None and number - last.line <= 2 and isinstance(last.item, Order | Reply | Correction)
        is_part = bool(FRAGMENT.search(text) and announces_correction(text)) or bool(WHOLE_FRAGMENT.fullmatch(text))
        if not (follows and is_part and len(text) <= MAX_PART):
            return None
        post = range(len(self.entries) - 1, self.post_start - 1, -1)
        names_hex = bool(HEX_NUMBER.search(text))
        return next((at for at in post if not names_hex or _has_hex(self.entries[at].item)), len(self.entries) - 1)

    def _remember(self, item: object) -> None:
        """Store an order or reply, which the other side may quote."""
        if self.side is None or not isinstance(item, Order | Reply | AnswerInWords):
            return
        if isinstance(item, Answer | AnswerInWords):
            self.answers[self.side] = max(0, self.answers[self.side] - 1)
        if isinstance(item, AnswerInWords):
            return
        self.known.add(without_unit(item))
        known, other = self.quotable[self.side], OTHER[self.side]
        if isinstance(item, ShotReply | BattlingReply):
            waiting = self.shots if isinstance(item, ShotReply) else self.punches
            waiting[self.side] -= Counter((item.hex,))
        if isinstance(item, BattlingReply) and item.result in ("A", "EX"):
            self.answers[other] += 1
        if isinstance(item, Order):
            if self.last_order != self.side:
                for order in [of for of in known if isinstance(of, Order)]:
                    del known[order]
                self.shots[other].clear()
                self.punches[other].clear()
            self.last_order = self.side
            attacks = self.shots[other] if item.action == "F" else self.punches[other]
            if item.target and len(attacks) < QUOTABLE:
                attacks[item.target] += 1
            if item.action == "D" and not item.to:
                return  # both sides often guard
        known[without_unit(item)] = item.unit.lstrip("FS") if isinstance(item, Order) else ""
        if len(known) > QUOTABLE:
            known.pop(next(iter(known)))

    def _bind(self, link: str) -> None:
        """Assign a link to the preceding order or reply."""
        last = self.entries[-1] if self.entries else None
        if last and not last.link and isinstance(last.item, Order | Reply | Correction):
            self.entries[-1] = msgspec.structs.replace(last, link=link)


def _reply_hex(entry: Entry) -> str:
    """Return the hex of an entry that is or may be a reply, `answer` for an answer, or an empty string."""
    item = entry.item.item if isinstance(entry.item, Correction) else entry.item
    if isinstance(item, Answer | AnswerInWords):
        return "answer"
    return item.hex if isinstance(item, ShotReply | BattlingReply | Unread) else ""


def _is_order_of(item: object, number: str) -> bool:
    """Return whether an item is an order that states the AT with this number."""
    return isinstance(item, Order) and number_of(item) == number


def _is_guard(item: object) -> bool:
    """Return whether an item is an order to guard without a move."""
    return isinstance(item, Order) and item.action == "D" and not item.to


def _has_hex(item: object) -> bool:
    """Return whether an item is an order with a destination or target, a reply, or a correction of one of them."""
    item = item.item if isinstance(item, Correction) else item
    return bool(item.to or item.target) if isinstance(item, Order) else isinstance(item, Reply)


def _in_doubt(item: object, text: str) -> Unread:
    """Return the passage that is not understood because a line corrects only a part of an order or reply."""
    item = item.item if isinstance(item, Correction) else item
    if isinstance(item, Order):
        return Unread(text, item.action, item.unit)
    return Unread(text, hex=item.hex if isinstance(item, Reply) else "", is_reply=True)


def _is_guard_in_words(found: Sequence[Statement]) -> bool:
    """Return whether a line states a guard without its letter, which the next line may add."""
    return [(of.confidence, isinstance(of.item, Order) and of.item.action == "D") for of in found] == [
        ("likely", True)
    ]


def _is_in_remark(line: str, at: int) -> bool:
    """Return whether a position in a line is in round brackets or after a comment sign."""
    before = line[:at]
    return before.count("(") > before.count(")") or "//" in before
