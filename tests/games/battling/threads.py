"""Write a game of two random players as a thread of posts, without any code of the reader.

The writer parses the clean log with regular expressions, distributes orders, replies and answers over posts in a
rhythm, and adds talk in either language. It records the line of each item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.games.battling.model import OTHER, Scenario, Side
from generator.games.battling.play import Position, opening

Kind = Literal["order", "reply", "answer"]
Rhythm = Literal["at once", "next post", "below", "mixed"]
RHYTHMS: tuple[Rhythm, ...] = ("at once", "next post", "below", "mixed")


@dataclass(frozen=True)
class Event:
    """An order, reply or answer of a battle."""

    kind: Kind
    side: Side
    """The side that writes the event."""
    phase: int
    """Phase to which the event belongs, starting at 0. A reply belongs to the phase of the attack."""
    text: str
    """Text of the event in the clean log, without the machine."""
    unit: str = ""
    """The machine that acts."""
    before: Position | None = None
    """Position in which an order is given."""
    names_unit: bool = True
    """Whether an order names its machine."""
    link: str = ""
    """Link of the writer's chain that is posted with the event."""
    sure: bool = False
    """Whether the event is never first written wrong and then corrected."""
    exact: bool = False
    """Whether the event is typed exactly, like an opened seal."""
    to: int = -1
    """For a reply, the index of the attack among the events. For an answer, the index of the reply."""


@dataclass
class Post:
    """A post of a thread."""

    side: Side
    turn: int
    items: list[int] = field(default_factory=list)
    """Indices of the events in the post."""
    header: str = ""
    """Header to use instead of a generated one. A space means no header."""


@dataclass
class Thread:
    """A complete thread, with the line of each event."""

    text: str
    lines: dict[int, int]
    """Line of each event, keyed by the index of the event."""
    heads: dict[int, int]
    """Line of each post's header, keyed by the index of the post."""


HEAD = re.compile(r"\[turn (\d+)\] \[(first|second)\]")
ORDER = re.compile(r"#(\d): (.*)")
ANSWER_LINE = re.compile(r"\d{4} / (?:A|EX) / HP\d+")


def events(scenario: Scenario, log: str) -> list[Event]:
    """Return the events of a clean log with English headers, in order."""
    found: list[Event] = []
    position, side, phase, turn = opening(scenario), "first", -1, 0
    waiting: list[int] = []
    for line in log.splitlines():
        if head := HEAD.fullmatch(line):
            turn, side = int(head[1]), head[2]
        elif order := ORDER.fullmatch(line):
            now = 2 * (turn - 1) + (side == "second")
            if now != phase:
                idle = {m.id for m in position.side(side)}  # type: ignore[arg-type]
                phase, waiting, position = now, [], _rested(position, idle)
            unit = f"{side[0].upper()}{order[1]}"
            found.append(Event("order", side, phase, order[2], unit, position))  # type: ignore[arg-type]
            if order[2][0] in "FB":
                waiting.append(len(found) - 1)
            position = _moved(position, unit, order[2])
        elif ANSWER_LINE.fullmatch(line):
            to = next(
                i for i, e in enumerate(found) if e.kind == "reply" and e.phase == phase and _fought(found, i, line)
            )
            found.append(Event("answer", side, phase, line, found[found[to].to].unit, to=to))  # type: ignore[arg-type]
            position = _left(position, found[-1].unit, line)
        elif line:
            at = next(i for i in waiting if found[i].text.endswith(line[:4]))
            waiting.remove(at)
            target = _at(position, line[:4])
            found.append(Event("reply", side, phase, line, target, to=at))  # type: ignore[arg-type]
            position = _left(position, target, line)
    return found


def _fought(found: Sequence[Event], reply: int, answer: str) -> bool:
    """Return whether an answer responds to a reply to battling and has not been given yet."""
    attack = found[found[reply].to]
    stood = attack.text.split(" / ")[2] if attack.text.count("/") == 3 else _name(attack.before, attack.unit)
    done = any(e.kind == "answer" and e.to == reply for e in found)
    return attack.text[0] == "B" and stood == answer[:4] and not done


def _name(position: Position | None, unit: str) -> str:
    assert position
    return position.arena.field.name(position.machines[unit].cell)


def _at(position: Position, name: str) -> str:
    return position.at[position.arena.field.find(name)].id  # type: ignore[index]


def _rested(position: Position, of: set[str]) -> Position:
    changed = {u: msgspec.structs.replace(m, last="") for u, m in position.machines.items() if u in of}
    return replace(position, machines={**position.machines, **changed})


def _moved(position: Position, unit: str, text: str) -> Position:
    parts = text.split(" / ")
    machine = msgspec.structs.replace(position.machines[unit], last=text[0])
    to = parts[-1] if text[0] in "WR" or (text[0] == "D" and len(parts) > 1) else parts[2] if len(parts) == 4 else ""
    if to:
        machine = msgspec.structs.replace(machine, cell=position.arena.field.find(to))
    return replace(position, machines={**position.machines, unit: machine})


def _left(position: Position, unit: str, text: str) -> Position:
    hp = int(re.findall(r"HP(\d+)", text)[0])
    machine = msgspec.structs.replace(position.machines[unit], hp=hp)
    return replace(position, machines={**position.machines, unit: machine})


def posts(of: Sequence[Event], rhythm: Rhythm, random: Random) -> list[Post]:
    """Distribute the events over posts in the given rhythm."""
    last = max(event.phase for event in of)
    found: list[Post] = []
    delayed: dict[int, list[tuple[int, bool]]] = {}
    """Indices of events for posts of later phases, and whether they go above the orders."""
    for phase in range(last + 3):
        side: Side = "second" if phase % 2 else "first"
        turn = min(phase, last) // 2 + 1
        kept = delayed.pop(phase, [])
        post = Post(side, turn, [i for i, above in kept if above])
        post.items += [i for i, e in enumerate(of) if e.phase == phase and e.kind == "order"]
        post.items += [i for i, above in kept if not above]
        if post.items:
            found.append(post)
        above = rhythm == "next post" or (rhythm == "mixed" and random.random() < 0.5)
        at_once = rhythm == "at once" or (rhythm == "mixed" and random.random() < 0.4)
        replies = [i for i, e in enumerate(of) if e.phase == phase and e.kind == "reply"]
        answers = [i for i, e in enumerate(of) if e.phase == phase and e.kind == "answer"]
        if at_once and replies:
            found.append(Post(OTHER[side], turn, replies))
        else:
            delayed.setdefault(phase + 1, []).extend((i, above) for i in replies)
        if at_once and answers and (rhythm != "mixed" or random.random() < 0.5):
            found.append(Post(side, turn, answers))
        else:
            delayed.setdefault(phase + 2, []).extend((i, above) for i in answers)
    return found


WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
TALK = {
    "ja": (
        "いくぞ！",
        "うーん、これは厳しい。",
        "ダイスは1でした",
        "よろしくお願いします。",
        "2008/05/12 21:33",
        "前のターンは助かった…",
        "F列の敵が気になる",
        "残りHP3か…",
        "命中率2で修正+1です",
        "B隊は待機。",
        "距離4ですね",
        "第2ターン後半は雨",
        "訂正ありがとうございます。",
        "装甲騎兵の血が騒ぐぜ",
        "それはずるいw",
    ),
    "en": (
        "here goes",
        "Good luck!",
        "that one hurt",
        "my die was a 1",
        "range 4, so 2 or less",
        "HP 3 left, phew",
        "24/7 fun",
        "Plan B it is",
        "Posted by Kiriko at 21:33",
        "2008/05/12",
        "I moved 2 hexes to 0908 last time, remember?",
        "D is for defence",
        "Thanks for the correction!",
        "what a turn",
        "(W / 2 / 0908 was tempting)",
    ),
}
HEADERS: dict[str, tuple[str, ...]] = {
    "ja": (
        "【{t}ターン {s}】",
        "{t}T{s}",
        "■{t}T{s}",
        "--- {t}T{s} ---",
        "第{t}ターン・{s}側・行動フェイズ",
        "{t}ターン目{s}フェイズ",
        "ターン{t}（{s}）",
        "{t}ターン目/{s}",
        "{t}T{s}です",
        "{t}T{s}：いきます",
        "{t}T{s}です、よろしく！",
        "{s}フェイズ",
    ),
    "en": (
        "[turn {t}] [{s}]",
        "Turn {t}, {s} player",
        "[Turn {t} - {s}]",
        "== Turn {t}, {s} player ==",
        "T{t} {s}:",
        "## Turn {t} - {s} player",
        "Turn {t} ({s})",
        "Turn {t}: {s} player's phase",
        "turn {t}, {s} player: here we go",
        "Turn {t}, {s} player, sorry for the wait",
        "{s} player's phase",
    ),
}
NAMES = {"ja": {"first": "先攻", "second": "後攻"}, "en": {"first": "first", "second": "second"}}
BEFORE = {"ja": ("よし、", "まず", "ここは ", "行け！"), "en": ("now ", "then: ", "so... ", "I think ")}
AFTER = {
    "ja": (" で勝負", " 当たれ！", "（命中率2）", "　# いくぞ", " …頼む", "。"),
    "en": (" hold on", " -- got you!", " (a die of 2)", " // ok", " # go", "."),
}
CORRECTS = {
    "ja": ("訂正：{new}", "すみません、訂正です。{new}", "{old} → {new} に訂正します"),
    "en": ("correction: {new}", "Sorry, correction: {new}", "{old} -> {new} (correction)"),
}


class Typist:
    """A simulated person who types a thread."""

    def __init__(self, of: Sequence[Event], lang: Literal["en", "ja"], random: Random, plain: bool = False) -> None:
        self.first: Sequence[str] = ()
        """Posts that precede the first post of the game on the page."""
        self.events, self.lang, self.random, self.plain = of, lang, random, plain
        self.rows: list[str] = []
        self.lines: dict[int, int] = {}
        self.heads: dict[int, int] = {}
        self.said = ""
        """Last order of the other side, for quotations."""

    def thread(self, dealt: Sequence[Post]) -> Thread:
        """Type all posts and return the thread."""
        for row in self.first:
            self.rows += row.splitlines()
        for number, post in enumerate(dealt):
            self._post(number, post)
        return Thread("\n".join(self.rows) + "\n", self.lines, self.heads)

    def _often(self, chance: float) -> bool:
        return not self.plain and self.random.random() < chance

    def _post(self, number: int, post: Post) -> None:
        if number:
            self.rows.append("")
        self._talk(0.2)
        self.heads[number] = len(self.rows) + 1
        items = list(post.items)
        header = post.header or self._header(post)
        if header.strip():
            one_line = (
                self._often(0.1)
                and items
                and not header.endswith(("いきます", "よろしく！", "here we go", "the wait"))
            )
            if one_line:
                self.rows.append(header.rstrip(":") + (" " if "]" in header or "】" in header else ": "))
                self._item(items.pop(0), glued=True)
            else:
                self.rows.append(header)
        self._talk(0.3)
        while items:
            at = items.pop(0)
            run = [at]
            while (
                items
                and self._often(0.3)
                and not any(
                    self.events[i].sure or self.events[i].link or self.events[i].kind != "order"
                    for i in (at, items[0])
                )
            ):
                run.append(items.pop(0))
            if len(run) > 1:
                self._several(run)
            elif self._often(0.06):
                self._corrected(at)
            else:
                self._item(at)
            self._talk(0.15)
        orders = [self.events[i].text for i in post.items if self.events[i].kind == "order"]
        self.said = orders[-1] if orders else ""

    def _talk(self, chance: float) -> None:
        if not self._often(chance):
            return
        if self.said and self.random.random() < 0.4:
            form = self.random.choice(("> {}", "「{}」か…", "<blockquote>{}</blockquote>", "＞＞{}", '"{}", ouch'))
            self.rows.append(form.format(self.said))
        else:
            self.rows.append(self.random.choice(TALK[self.lang]))

    def _header(self, post: Post) -> str:
        forms = HEADERS[self.lang][:1] if self.plain else HEADERS[self.lang]
        text = self.random.choice(forms).format(t=post.turn, s=NAMES[self.lang][post.side])
        return text.translate(WIDE) if self._often(0.15) else text

    def _typed(self, at: int, text: str = "", plain: bool = False) -> str:
        """Return an event as it is typed.

        With `plain`, no variation is used, because other orders are on the same line.
        """
        event = self.events[at]
        text = text or event.text
        if event.exact:
            return text
        gap = " / " if self.plain else self.random.choice((" / ", " / ", "/", " /", "／"))
        text = text.replace(" / ", gap)
        if event.kind == "reply" and "-" in text:
            text = text.replace("-", self.random.choice("-−ー－"))
        if event.kind == "reply" and self._often(0.3):
            text = re.sub(r"(F)\s*[/／]\s*HP\d+$", r"\1", text)
        if self._often(0.1):
            text = text.lower()
        if event.kind == "order" and event.names_unit:
            number = event.unit[1:]
            signs = (
                (f"#{number}: ",)
                if plain or self.plain
                else (f"#{number}: ", f"{number}: ", f"＃{number}：", f"#{event.unit}: ")
            )
            text = self.random.choice(signs) + text
        return text.translate(WIDE) if self._often(0.1) else text

    def _item(self, at: int, glued: bool = False) -> None:
        text = self._typed(at, plain=glued)
        if link := self.events[at].link:
            # A link on a separate line belongs to the line above.
            text += self.random.choice((" ", "　鍵：", "\n")) + (link.upper() if self._often(0.1) else link)
            self.rows += [self.rows.pop() + text] if glued else [text]
            self.lines[at] = len(self.rows)
            self.rows[-1:] = self.rows[-1].split("\n")
            return
        if self._often(0.15) and not re.search(r"(?<![A-Za-z])[dDＤ]$", text):
            text += self.random.choice(AFTER[self.lang])
        elif self._often(0.1) and not glued and (" / " in text or "/" in text):
            text = self.random.choice(BEFORE[self.lang]) + text
        if glued:
            self.rows[-1] += text
        else:
            self.rows.append(text)
        self.lines[at] = len(self.rows)

    def _several(self, run: Sequence[int]) -> None:
        between = self.random.choice(("、", ", ", "  ", "; "))
        self.rows.append(between.join(self._typed(i, plain=True) for i in run))
        self.lines |= dict.fromkeys(run, len(self.rows))

    def _corrected(self, at: int) -> None:
        """Type a wrong event first, then correct it."""
        event = self.events[at]
        wrong = re.sub(r"\d(?=\D*$)", lambda d: str((int(d[0]) + 3) % 10), event.text)
        if wrong == event.text or event.sure or event.link or (event.kind == "order" and not event.names_unit):
            self._item(at)
            return
        prefix = f"#{event.unit[1:]}: " if event.kind == "order" else ""
        self.rows.append(prefix + wrong)
        form = self.random.choice(CORRECTS[self.lang][: 2 if event.kind == "order" else 3])
        self.rows.append(form.format(old=wrong, new=prefix + event.text))
        self.lines[at] = len(self.rows)


def type_thread(
    of: Sequence[Event],
    rhythm: Rhythm,
    lang: Literal["en", "ja"],
    random: Random,
    change: Callable[[list[Post]], None] = lambda _: None,
    plain: bool = False,
    first: Sequence[str] = (),
) -> Thread:
    """Return the thread of a battle in the given rhythm.

    `change` modifies the posts before they are typed. With `plain` there is no talk and no variation. `first`
    contains posts above the first post.
    """
    dealt = posts(of, rhythm, random)
    change(dealt)
    typist = Typist(of, lang, random, plain)
    typist.first = first
    return typist.thread(dealt)
