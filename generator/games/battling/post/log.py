"""Read a posted log out of blog text, and write one."""

from __future__ import annotations

import html
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal

import msgspec

from generator.games.battling.model import SIDES, Side, side_name
from generator.games.battling.notation import (
    HEX,
    Answer,
    ClashReply,
    Header,
    Order,
    Reply,
    ShotReply,
    guess_header,
    read,
    read_header,
    says_phase,
    write_line,
)
from generator.games.battling.play import Standing
from generator.grid.columns import Numbered
from generator.model.words import LANGS, Lang

NUMBERS = r"[-|\\,;.]?\s*(?:[0-9]{1,2}[-\s/|\\,;.@]+)*[0-9]{4}(?![0-9])"
"""What follows the letter of an order whose slashes slipped: numbers of hexes, and a hex."""


class Misspelt(msgspec.Struct, frozen=True):
    """A header but for a slip, and what it was meant as."""

    text: str
    header: Header


class Doubtful(msgspec.Struct, frozen=True):
    """A line that is passed over as talk, though it may have been meant as something else."""


_HEX = r"(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4}(?![0-9])"
"""A hex's number; that of a year is talk."""
_LIKELY = re.compile(
    rf"(?<![A-Z0-9])[WRFBD]\s*/\s*(?:[0-9]{{1,2}}\s*/\s*)*{_HEX}"
    rf"|(?<![A-Z0-9])[WRFBD][-\s|\\,;.:]*[0-9]{{1,2}}[-\s/|\\,;.:]+{_HEX}"
    rf"|[^\W0-9_]\s*/\s*[0-9]{{1,2}}\s*/\s*{_HEX}"
    r"|^[A-Z]?[0-9]{1,2}\s+D$"
    r"|^[0-9]{4}[-\s|\\,;.]+[1-6][-\s|\\,;.]+(?:[HFDA-]|EX)(?![A-Z])",
    re.IGNORECASE,
)
"""Anywhere in a line an order, its slashes or its letter slipped, or a line that is one or a reply."""
_TURN = re.compile(r"turn\s*[0-9]|[0-9]\s*ターン|ターン\s*[0-9]", re.IGNORECASE)
_WORD = re.compile(r"\s*[^\W0-9_]+\s*")


def likely(line: str) -> bool:
    """Whether a line of talk looks like an order or a reply, or like a header of turn and side."""
    whole = guess_header(line)
    return bool(_LIKELY.search(line)) or (whole is not None and whole.turn is not None)


def slipped_header(text: str, turn: int | None) -> Misspelt | Doubtful | None:
    """What a bracket's content is that is no header, behind a header of this turn or by itself; None: a comment."""
    guess = guess_header(text)
    if guess and (turn or guess.turn):
        return Misspelt(text, Header(guess.turn or turn, guess.side))
    return Doubtful() if guess or _TURN.search(text) or (turn and _WORD.fullmatch(text)) else None


class Unread(msgspec.Struct, frozen=True):
    """A line that looks like notation and is none."""

    text: str


class Correction(msgspec.Struct, frozen=True):
    """An order or reply that is named a correction of an earlier one, which may be written beside it."""

    item: Order | Reply
    old: Order | Reply | None = None


class Vow(msgspec.Struct, frozen=True):
    """What a side binds itself to: the end of its chain of secrets, or the hash of a sealed text."""

    what: Literal["chain", "seal"]
    hash: str


class Opened(msgspec.Struct, frozen=True):
    """A sealed text as it is opened, its spaces made single."""

    text: str


Item = Header | Misspelt | Order | Reply | Unread | Doubtful | Correction | Vow | Opened


class Entry(msgspec.Struct, frozen=True):
    """What stands on a line of a log, counted from 1; an order on several lines counts where it begins."""

    line: int
    item: Item
    link: str = ""
    """The link of its writer's chain that is posted with an order or reply."""
    instead: int = 0
    """The line that it corrects."""
    amiss: str = ""
    """Why a correction corrects nothing, a reason of orders.toml."""


LINE_LIMIT = 4096
"""Characters of a line that are looked at."""

_DASHES = dict.fromkeys(map(ord, "‐‒–—―−─━ー⁻"), "-")
_SLASHES = dict.fromkeys(map(ord, "⁄∕╱"), "/")
_BREAK = re.compile(r"<\s*/?(?:br|p|div|li|t[dhr]|h[1-6r]|d[dt]|blockquote)\b[^<>]*>", re.IGNORECASE)
_QUOTE = re.compile(r"<(/?)blockquote\b[^<>]*>|\[(/?)quote\b[^\[\]\n]*\]", re.IGNORECASE)
_OPEN_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>")
_HEADER = re.compile(r"\s*(?:\[([^\[\]]*)\]|【([^【】]*)】)")
_BRACKETS = {"(": ")", "[": "]", "【": "】", "「": "」", "『": "』", "“": "”", '"': '"'}
_COMMENTED = re.compile(r"[(\[【「『“\"#]|//")
"""A sign with which a comment may begin."""
_BULLET = re.compile(r"(?:[・•●○■□◆◇▼▶→*]\s*(?=#|[0-9WRFBD【第\[])|-\s+(?=[0-9WRFBD【第\[]))", re.IGNORECASE)
"""What people put before the lines of a list; a dash before a comment may be a result."""
_NAMED = re.compile(rf"#\s*[A-Z]?[0-9]{{1,2}}\s*(?::|[;,.)]?\s*(?=[WRFBD]\s*(?:/|$|{NUMBERS})))", re.IGNORECASE)
"""How an order begins that names its AT; any other `#` begins a comment."""
_NAMED_LATER = re.compile(r"#\s*[A-Z]?[0-9]{1,2}\s*:?\s*(?:[WRFB]\s*/|D\s*(?:/|$|[、,;|。#]))", re.IGNORECASE)
"""The same behind something else."""
_CIRCLED = re.compile(r"[①-⑨](?=\s*[WRFBDＷＲＦＢＤ](?![A-Za-z]))", re.IGNORECASE)  # an AT, as on its counter
_DATE = re.compile(r"(?:19|20)[0-9]{2}/[0-9]{1,2}/[0-9]{1,2}(?![/0-9])")
_ATTEMPT = re.compile(
    r"#|/|[WRFBD](?=\s|[/0-9@]|[-|\\]\s*[0-9]|$)|[A-Z]?[0-9]{1,2}\s*[:;,.)]\s*[WRFBD]\s*(?:/|$)"
    rf"|[A-Z]?[0-9]{{1,2}}\s*[:;,.)]?\s*[WRFBD]\s*(?:/\s*[0-9]|{NUMBERS})"
    r"|[0-9]{3,}\s*(?:[/:]|[0-9]\s*/)|[0-9]+\s*/[^/]*/|[0-9]{4}$",
    re.IGNORECASE,
)
"""How a line begins that is meant as notation; any other is talk, and so is a date."""

_SENTENCE = re.compile(r"[WRFBD]\s+[A-Z]{2,}(?!.*(?:/|[0-9]{3}))", re.IGNORECASE)
"""How a line begins in which a letter is but a letter."""

_GAP, _LEG = r"\s*/\s*", r"\s*/\s*[0-9]{1,2}"
_LEFT = rf"(?:{_GAP}(?:残り?)?HP\s*[:=]?\s*[0-9]{{1,2}})?"
_PIECE = re.compile(
    rf"(?<![A-Z0-9/])(?:(?:#?\s*[A-Z]?[0-9]{{1,2}}\s*:\s*|#\s*[A-Z]?[0-9]{{1,2}}\s*|{HEX}\s*:\s*)?"
    rf"(?:W{_LEG}{_GAP}{HEX}|R{_LEG}(?:\s*@\s*{HEX})?(?:{_LEG})?{_GAP}{HEX}|F{_GAP}{HEX}"
    rf"|B(?:{_LEG}{_GAP}{HEX})?{_GAP}{HEX}|D{_LEG}{_GAP}{HEX})"
    r"|(?:#\s*[A-Z]?[0-9]{1,2}\s*:?|^[A-Z]?[0-9]{1,2}\s*:)\s*D"
    rf"|{HEX}{_LEG}{_GAP}(?:[HF](?:{_LEG})?|-+|D|A|EX){_LEFT}|{HEX}{_GAP}(?:A|EX){_LEFT})"
    r"(?![A-Z0-9]|\s*[/@])",
    re.IGNORECASE,
)
"""A whole order or reply within a line; a guard that stays only where it names its AT."""
_BROKEN = re.compile(
    r"(?<![A-Z0-9/])(?:[WRFBD]\s*/\s*(?:[0-9]{1,2}(?:\s*/\s*|[\s,.-]+[0-9]{2})[0-9]|[0-9O]{3,})|[0-9]{4}\s*/\s*[0-9]{1,2}\s*/)",
    re.IGNORECASE,
)
"""Where in a line an order or reply begins that is none."""
_AND = re.compile(r"\s*[、,;|&+。]\s*|\s+(?:and|then)\s+", re.IGNORECASE)
"""What stands between several orders on a line."""
_ABOUT = re.compile(
    r"\s*(?:は(?!ず)|の(?!こ)|って|が(?!ん)|への|に対|です(?:か|ね)|でした|だと|とは|かな|なら|も(?!う)|\?|(?:was|is|were|would|did)\b)"
)
_ABOUT_BEFORE = re.compile(
    r"(?:\b(?:your|his|her|their|the|enemy's|after|if|that|said|wrote|about)|(?:あなた|そちら|そっち|相手|敵|君|前|さっき|先ほど)の)\s*$",
    re.IGNORECASE,
)
"""How people speak of an order within a sentence, behind it and before it."""

_CORRECTS = re.compile(
    r"訂正(?!あり|有|了解|承知|どうも|感謝|を?見|の通り|後の)|正しくは|誤.*正|(?<![A-Z])(?:correction|corrected|correcting)(?![A-Z])",
    re.IGNORECASE,
)
_ONLY_CORRECTS = re.compile(
    r"\W*+(?:すみません|すいません|ごめん(?:なさい)?|失礼|sorry)?\W*+"
    r"(?:訂正(?:です|します|いたします|させて(?:くだ|下)さい)?|正しくは|(?:a )?correction)\W*+",
    re.IGNORECASE,
)
"""A line that makes the next one a correction; possessive, or 4,000 brackets take a fifth of a second."""
_OLD_FIRST = re.compile(r"→|⇒|->|=>|>|ではなく|じゃなく|でなく|\bbut\b|\bto\b|正", re.IGNORECASE)
_NEW_FIRST = re.compile(r"←|<-|instead of|の(?:間違い|誤り)|\bnot\b", re.IGNORECASE)
"""What stands between the old and the new."""

_HASH = re.compile(r"(?<![0-9A-Z])[0-9A-F]{64}(?![0-9A-Z])", re.IGNORECASE)
_VOW = re.compile(r"(?:[^/]*[^A-Z/])?(?:(dice\s*chain|chain|チェーン|鎖)|seal(?:ed)?|封印)\W*", re.IGNORECASE)
"""What stands before the hash of a vow, behind talk or by itself; behind an order it would be the order's link."""
_OPEN = re.compile(r"(?:open(?:ed)?|開封)\s*[:=]\s*(\S.*)", re.IGNORECASE)

_START = re.compile(
    r"(?<![A-Z0-9])(?:#|[A-Z]?[0-9]{1,2}\s*:|[0-9]{4}\s*[:/]|[WRFBD]\s*/\s*[0-9]|D\s*$"
    r"|(?:(?:dice\s*)?chain|seal(?:ed)?|open(?:ed)?|チェーン|鎖|封印|開封)\s*[:=])",
    re.IGNORECASE,
)
"""Where notation may begin behind a header on the same line."""
_TRIM = " =-~*_■◆●◇□○<>《》〈〉|:!。.、,"
"""What people put round a header."""
_TAIL = re.compile(r"\s*(?:です|いきます|行きます|(?:の)?行動(?:開始|です)?|開始|begins|starts)$", re.IGNORECASE)

Said = Header | Misspelt | Doubtful
"""What a line says before its notation."""


def parse(text: str) -> tuple[Entry, ...]:
    """Every header, order and reply of a log, and every line that was or may be meant as one, in their order.

    docs/formats/order_log.md says what may stand around the notation and what is a comment.

    What a later line corrects stands corrected, in the place of the wrong one.
    """
    return _read_log(text)[0]


def talk(text: str) -> tuple[int, ...]:
    """The lines of a log that are passed over: what people say to each other, quote or comment."""
    used = _read_log(text)[1]
    written = (number for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1) if line.strip())
    return tuple(number for number in written if number not in used)


@lru_cache(maxsize=1)  # one command reads its log up to four times: to judge it, for its sight, for its talk
def _read_log(text: str) -> tuple[tuple[Entry, ...], frozenset[int]]:
    """Return the entries of a log, corrected, and the numbers of the lines that are more than talk."""
    reader = _Reader()
    entries = reader.read(text)
    return tuple(_corrected(entries)), frozenset(reader.used)


def print_log(items: Iterable[Header | Order | Reply], lang: Lang = "en") -> str:
    """The log of these, a line each, which `parse` reads back; an empty line before each header but the first."""
    lines: list[str] = []
    for item in items:
        if isinstance(item, Header) and lines:
            lines.append("")
        lines.append(write_line(item, lang))
    return "\n".join(lines) + "\n"


def narrow(text: str) -> str:
    """A text with full-width characters made narrow and nothing invisible.

    >>> narrow("Ｗ／２／０７０７")
    'W/2/0707'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


class _Reader:
    """Reads a log line by line; an order may go on over several."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.used: set[int] = set()
        """The lines on which something was read that is no mere talk."""
        self.began, self.text = 0, ""
        """The line where notation began that may go on, and what there is of it."""
        self.corrects = False
        """Whether that, or what comes next, is named a correction."""
        self.next_corrects = False

    def read(self, text: str) -> list[Entry]:
        """The entries of a log, its corrections for themselves."""
        for number, said, line in _lines(text):
            if said:
                self._flush()
                self.next_corrects = False
                self.used.add(number)
                self.entries += (Entry(number, one) for one in said)
            if line:
                self._take(number, line)
        self._flush()
        return self.entries

    def _take(self, number: int, line: str) -> None:
        if opened := _OPEN.fullmatch(line):
            self._flush()
            self.used.add(number)
            self.entries.append(Entry(number, Opened(" ".join(opened[1].split()))))
            return
        at = 0
        if _HASH.search(line):
            line = _uncommented(line)
        for found in _HASH.finditer(line):
            self._hear(number, line[at : found.start()], found[0].lower())
            at = found.end()
        if at == 0 or line[at:].strip():
            self._hear(number, line[at:])

    def _hear(self, number: int, raw: str, link: str = "") -> None:
        """A line, or what stands on it before a hash."""
        if link and (vow := _VOW.fullmatch(raw)):
            self._flush()
            self.used.add(number)
            self.entries.append(Entry(number, Vow("chain" if vow[1] else "seal", link)))
            return
        text = _uncommented(raw.translate(_DASHES | _SLASHES))
        goes_on = self.text.endswith("/") or text.startswith(("/", "@"))
        # Without the limit every line would copy all lines before it.
        if self.text and text and goes_on and len(self.text) < LINE_LIMIT:
            self.text += text
            self.used.add(number)
        elif text or not link:
            self._flush()
            self._begin(number, raw, text)
        if link:
            self._flush()
            self.used.add(number)
            self._bind(link)

    def _begin(self, number: int, raw: str, text: str) -> None:
        if _ONLY_CORRECTS.fullmatch(raw):
            self.next_corrects = True
            self.used.add(number)
            return
        if not text:
            return
        self.corrects, self.next_corrects = self.next_corrects or bool(_CORRECTS.search(raw)), False
        self.began, self.text = number, text
        if not _attempted(text):
            self._flush()

    def _flush(self) -> None:
        """Nothing more follows."""
        number, text, self.text = self.began, self.text, ""
        # A number by itself is the beginning of a reply only if the next line goes on with it.
        if not text or text.isdecimal():
            return
        items = _correcting(text) if self.corrects else _items(text)
        read = [Entry(number, item) for item in items]
        self.entries += read
        if any(not isinstance(entry.item, Doubtful) for entry in read):
            self.used.add(number)

    def _bind(self, link: str) -> None:
        """A link belongs to the order or reply before it."""
        last = self.entries[-1] if self.entries else None
        if last and not last.link and isinstance(last.item, Order | Reply | Correction):
            self.entries[-1] = msgspec.structs.replace(last, link=link)


def _attempted(text: str) -> bool:
    return bool(_ATTEMPT.match(text)) and not _DATE.match(text) and not _SENTENCE.match(text)


def _items(text: str) -> Iterator[Item]:
    """The orders and replies of a line, with talk between or without."""
    if item := read(text):
        yield item
        return
    several = [read(part) for part in _AND.split(text) if part]
    if len(several) > 1 and all(several):
        yield from (item for item in several if item)
        return
    pieces = list(_PIECE.finditer(text))
    if _attempted(text) and not (pieces and pieces[0].start() == 0):
        yield Unread(text)
        return
    at = 0
    for piece in pieces:
        yield from _remnant(text[at : piece.start()])
        yield Doubtful() if _about(text, at, piece) else read(piece[0]) or Unread(piece[0])
        at = piece.end()
    yield from _remnant(text[at:])


def _about(text: str, at: int, piece: re.Match[str]) -> bool:
    """Whether a sentence speaks of an order; none with which a line begins."""
    if not text[at : piece.start()].strip():
        return False
    return bool(_ABOUT.match(text, piece.end()) or _ABOUT_BEFORE.search(text[at : piece.start()]))


def _remnant(text: str) -> Iterator[Item]:
    """What was meant as notation in the rest of a line."""
    text = _DATE.sub("", text)
    if broken := _BROKEN.search(text):
        yield Unread(text[broken.start() :])
    elif likely(text):
        yield Doubtful()


def _correcting(text: str) -> Iterator[Item]:
    """What a line puts right, the old beside it or not."""
    items = list(_items(text))
    pieces = list(_PIECE.finditer(text))
    if len(pieces) == len(items) == 2:
        between, (one, other) = text[pieces[0].end() : pieces[1].start()], items
        new, old = (one, other) if _NEW_FIRST.search(between) else (other, one)
        either = _NEW_FIRST.search(between) or _OLD_FIRST.search(between)
        if either and isinstance(new, Order | Reply) and isinstance(old, Order | Reply):
            yield Correction(new, old)
            return
    yield from (Correction(item) if isinstance(item, Order | Reply) else item for item in items)


def _corrected(entries: Iterable[Entry]) -> list[Entry]:
    """The entries with what is corrected put right in its place."""
    found: list[Entry] = []
    sides: list[Side | None] = []
    side: Side | None = None
    for entry in entries:
        item = entry.item
        if isinstance(item, Header | Misspelt):
            side = (item if isinstance(item, Header) else item.header).side or side
        if isinstance(item, Correction):
            at, amiss = _mistake(found, sides, side, item)
            if at is not None:
                old = found[at]
                found[at] = Entry(entry.line, item.item, entry.link or old.link, old.instead or old.line)
                continue
            entry = Entry(entry.line, item.item, entry.link, amiss=amiss)
        found.append(entry)
        sides.append(side)
    return found


REACH = 200
"""Entries back to which a correction may go."""


def _mistake(
    found: Sequence[Entry], sides: Sequence[Side | None], side: Side | None, of: Correction
) -> tuple[int | None, str]:
    """The place of what is corrected, or why there is none."""
    amiss = "correction.none"
    latest = range(len(found) - 1, max(-1, len(found) - 1 - REACH), -1)
    own = [at for at in latest if sides[at] == side]
    # Where nothing is named and nothing is alike, the latest order is meant.
    loose = of.old is None and isinstance(of.item, Order) and not (of.item.unit or of.item.start)
    last = [at for at in own if isinstance(found[at].item, Order)][:1] if loose else []
    for at in [at for at in own if _meant(found[at].item, of)] or last:
        if not isinstance(of.item, Order):
            return at, ""
        after = range(at + 1, len(found))
        if found[at].link or any(sides[i] != side and _acts(found[i].item, found[at].item) for i in after):
            amiss = "correction.late"
            break
        return at, ""
    return None, amiss


def _meant(item: Item, of: Correction) -> bool:
    """Whether a correction may be of this."""
    new = of.item
    if isinstance(item, Unread):
        letter = re.sub(r"^#?\s*(?:[A-Z]?[0-9]{1,2}|[0-9]{4})\s*:", "", item.text).strip()[:1].upper()
        return of.old is None and (letter == new.action if isinstance(new, Order) else letter.isdecimal())
    if of.old is not None:
        return item == of.old or (isinstance(item, Order) and _bare(item) == _bare(of.old))
    if isinstance(new, Order):
        if not isinstance(item, Order):
            return False
        # It may be no more than the name that was missing.
        names = {("", ""), (_number(new), new.start)} if new.unit or new.start else set()
        alike = item.action == new.action
        return (_number(item), item.start) in names and (alike or bool(item.unit or item.start)) if names else alike
    return isinstance(item, Answer) == isinstance(new, Answer) and isinstance(item, Reply) and item.own == new.own


def _number(order: Order) -> str:
    """The number of the AT that an order names, with the letter of its side or without."""
    return order.unit.lstrip(string.ascii_uppercase)


def _bare(item: Item) -> Item:
    return msgspec.structs.replace(item, unit="", start="") if isinstance(item, Order) else item


def _acts(item: Item, order: Item) -> bool:
    """Whether the other side has answered an order or acted after it."""
    return isinstance(item, Order) or (
        isinstance(item, ShotReply | ClashReply) and isinstance(order, Order) and item.own == order.target
    )


def _lines(text: str) -> Iterator[tuple[int, tuple[Said, ...], str]]:
    """What each line says before its notation, and what is left of it, with its comments."""
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", _unquoted(text)), 1):
        for part in _BREAK.sub("\n", raw[:LINE_LIMIT]).split("\n"):
            # A run of spaces says no more than one, and takes patterns long to look through.
            part = _CIRCLED.sub(lambda sign: f"#{unicodedata.digit(sign[0])}: ", _untagged(part))
            rest = " ".join(narrow(html.unescape(part))[:LINE_LIMIT].split())  # one letter may become eighteen
            if rest.startswith(">") or re.match(r"(?:引用|quote)\s*:", rest, re.IGNORECASE):
                continue
            said, rest = _header(rest[bullet.end() :] if (bullet := _BULLET.match(rest)) else rest)
            if said or rest:
                yield number, said, rest


def _untagged(text: str) -> str:
    """Return a line without HTML tags and comments, in time that grows with its length alone.

    Behind the last end of a comment no comment is looked for: each of its beginnings would be followed to the end.
    """
    last = text.rfind("-->") + 3 if "-->" in text else 0
    return _TAG.sub("", text[:last]) + _OPEN_TAG.sub("", text[last:])


def _unquoted(text: str) -> str:
    """A text without what stands in quotes of a blog or forum, its lines kept; an open quote quotes nothing."""
    kept, at, opened = [], 0, []
    for tag in _QUOTE.finditer(text):
        if not (tag[1] or tag[2]):
            opened.append(tag.start())
        elif opened:
            began = opened.pop()
            if not opened:
                kept += [text[at:began], "\n" * len(re.findall(r"\r\n|\r|\n", text[began : tag.end()])) or " "]
                at = tag.end()
    return "".join(kept) + text[at:]


def _header(text: str) -> tuple[tuple[Said, ...], str]:
    """The header that a line begins with, its turn and side in one bracket or two, and the rest of the line.

    Without brackets it has both, or says that it is a phase: else it might be talk.
    """
    turn = side = None
    while (match := _HEADER.match(text)) and (header := read_header(match[1] or match[2] or "")):
        turn, side = header.turn or turn, header.side or side
        text = text[match.end() :].strip()
    slip = slipped_header(match[1] or match[2] or "", turn) if match and not side else None
    if match and isinstance(slip, Misspelt):
        return (slip,), text[match.end() :].strip()
    if not (turn or side) and (bare := _bare_header(text)):
        return (bare[0],), bare[1]
    said = Header(turn, side) if turn or side else None
    return tuple(one for one in (said, slip) if one), text


def _bare_header(text: str) -> tuple[Header, str] | None:
    """A header without brackets and what follows it: the line's end, a colon or the like, or notation."""
    if not any(sign in text for sign in _signs()):
        return None
    if header := _whole(text, text.rstrip().endswith(":")):
        return header, ""
    for start in list(_START.finditer(text))[:4]:
        head = text[: start.start()]
        if header := _whole(head, head.rstrip().endswith(":")):
            return header, text[start.start() :]
    for stop in list(re.finditer(r"[:!。、,]", text))[:3]:
        if (header := _whole(text[: stop.start()])) and header.turn:
            return header, text[stop.end() :].strip()
    return None


def _whole(text: str, named: bool = False) -> Header | None:
    """The header that a text is; a side's name alone where it is `named` like a speaker's or says that it acts."""
    text = _TAIL.sub("", text.strip(_TRIM)).strip(_TRIM)
    header = read_header(text)
    return header if header and header.side and (header.turn or named or says_phase(text)) else None


@cache
def _signs() -> tuple[str, ...]:
    """What stands in every header without brackets, as people write it."""
    names = [*(side_name(side)[lang] for side in SIDES for lang in LANGS), "1st", "2nd"]
    return tuple(dict.fromkeys(form for name in names for form in (name, name.capitalize(), name.upper())))


def _uncommented(text: str) -> str:
    """A line without its comments, the last bracket closed or not, and without a full stop."""
    if not _COMMENTED.search(text):
        return text.strip().rstrip(".。、 ")
    kept = ""
    closing: list[str] = []
    for at, char in enumerate(text):
        if closing and char == closing[-1]:
            closing.pop()
        elif char in _BRACKETS:
            closing.append(_BRACKETS[char])
        elif not closing:
            named = _NAMED_LATER if kept.strip() else _NAMED
            if text.startswith("//", at) or (char == "#" and not named.match(text, at)):
                break
            kept += char
    return kept.strip().rstrip(".。、 ")


class Deed(msgspec.Struct, frozen=True):
    """An order as it was carried out, and what came of it."""

    line: int
    side: Side
    unit: str
    order: Order
    path: tuple[Numbered, ...]
    """The hexes from where it stood to where it went, both among them; of a refused order only those two."""
    aim: Numbered | None = None
    """The hex that it attacks; a shot's line is `arena.sight(path[-1], aim)`."""
    target: str = ""
    """The machine there; empty where it attacks nobody."""
    last: str = ""
    """The letter of what that did last before it was attacked."""
    reply: ShotReply | ClashReply | None = None
    answer: Answer | None = None
    refused: str = ""
    """The reason why it is not legal; empty where it is."""


class Turn(msgspec.Struct, frozen=True):
    """One turn: the machines at its start and end, the first player's first, and what they did."""

    number: int
    before: tuple[Standing, ...]
    deeds: tuple[Deed, ...]
    after: tuple[Standing, ...]
