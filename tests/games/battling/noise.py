"""Generate random headers, orders and replies in the different spellings that people use."""

from __future__ import annotations

from random import Random

from generator.games.battling.model import Letter
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.tables import Result

Item = Header | Order | Reply

WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
DASHES = "-−ー－–—‐‑‒―─ｰ"
COMMENTS = (
    " # いくぞ",
    " // got you",
    "（命中率2）",
    " (a die of 2)",
    "「当たれ」",
    " “hit”",
    ' "W / 2"',
    "　＃ 2：",
)


def item(random: Random) -> Item:
    """Return a random header, order or reply that the notation can express, which need not be legal."""
    return random.choice((_header, _order, _order, _order, _reply, _reply))(random)


def posted(of: Item, random: Random) -> str:
    """Return an item as a person might write it, on one line except for breaks inside an order."""
    text = write_line(of, random.choice(("en", "ja")))
    if isinstance(of, Header):
        text = text.replace(" ", random.choice((" ", "　", "  ")))
        return text.translate(WIDE) if random.random() < 0.3 else text
    if isinstance(of, BattlingReply) and of.result == "-":
        text = text.replace("/ - ", f"/ {random.choice(DASHES)} ")
    gap = random.choice((" / ", "/", "  /  ", " /", "/ ", "　／　", "／", " ∕ "))
    if random.random() < 0.15:
        gap = random.choice(("\n/ ", " /\n", "/<br>", "<br />/", "/\n\n"))
    text = text.replace(" / ", gap)
    if random.random() < 0.3 and "<" not in text:
        text = text.translate(WIDE)
    elif random.random() < 0.2:
        text = text.replace(" ", "&nbsp;").replace("HP", random.choice(("hp", "HP ", "ＨＰ", "HP=")))
    if random.random() < 0.2:
        text = f"<p>{text}</p>"
    elif random.random() < 0.3:
        text += random.choice(COMMENTS) if not text.endswith("\n") else ""
    return random.choice(("", "", " ", "　", "\u200b")) + text + random.choice(("", "", " ", "。"))


def _hex(random: Random) -> str:
    return f"{random.randrange(1, 61):02}{random.randrange(1, 41):02}"


def _header(random: Random) -> Header:
    turn = random.randrange(1, 21) if random.random() < 0.9 else None
    return Header(turn, random.choice(("first", "second")) if turn is None or random.random() < 0.9 else None)


def _order(random: Random) -> Order:
    number = random.random()
    unit = random.choice(("1", "2", "12", "F1", "S3")) if number < 0.3 else ""
    start = _hex(random) if number > 0.8 else ""
    letters: tuple[Letter, ...] = ("W", "R", "F", "B", "D")
    letter = random.choice(letters)
    legs: tuple[int, ...] = (random.randrange(1, 6),)
    to, target, turn = _hex(random), _hex(random), ""
    if letter == "R" and random.random() < 0.6:
        legs = (*legs, random.randrange(1, 5))
        turn = _hex(random) if random.random() < 0.5 else ""
    if letter == "F" or (letter in "BD" and random.random() < 0.5):
        legs, to = (), ""
    return Order(letter, legs, to, target if letter in "FB" else "", turn, unit, start)


def _reply(random: Random) -> Reply:
    hex_, die, hp = _hex(random), random.randrange(1, 7), random.choice((None, 0, 3, 4))
    kind = random.randrange(4)
    if kind == 0:
        return ShotReply(hex_, die, True, random.randrange(1, 7), hp)
    if kind == 1:
        return ShotReply(hex_, die, False, None, hp)
    results: tuple[Result, ...] = ("-", "D", "A", "EX")
    if kind == 2:
        return BattlingReply(hex_, die, random.choice(results), hp)
    return Answer(hex_, random.choice(results[2:]), hp)
