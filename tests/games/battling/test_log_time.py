"""Tests that the time to read a log grows in proportion to its length, for any content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from generator.cli import logs
from generator.games.battling.game import judged
from generator.games.battling.notation import Order
from generator.games.battling.post import log as reading
from generator.games.battling.post import normalize
from generator.games.battling.post.entries import Entry, Unread
from tests.cli.run import muster
from tests.games.battling.fields import arena, scenario

DUEL = scenario(arena(), "scopedog 0707", "brutishdog 1108")
HEAD = "[turn 1] [first]\n"
LINES: dict[str, Callable[[int], str]] = {
    "talk": lambda n: f"A good move, number {n}.\n",
    "Japanese talk": lambda n: f"なかなか良い手ですね、{n}番目です。\n",
    "an order that never ends": lambda n: "W/1/\n",
    "numbers that never end": lambda n: "1/\n",
    "orders in talk": lambda n: f"maybe W/1/0101 was your idea {n}\n",
    "orders": lambda n: "W/1/0101\n",
    "corrections": lambda n: "W/1/0101\ncorrection: W/1/0102\n",
    "headers": lambda n: f"[turn {n}] [first]\n",
    "quotes that are not closed": lambda n: "<blockquote>\n",
    "seals and what they hide": lambda n: f"seal: {n:064x}\nopen: blue kettle {n}\n",
}
SIGNS = ["(", "#", "=", "<!--", "<a", "[", "・", "-", "&amp;", "です", "1 ", "W/1/0101 ", "/ "]
NEGLIGIBLE_S = 0.05
"""CPU seconds below which other programs affect the ratio too much."""


def seconds(text: str) -> float:
    """Return the lower CPU time of two readings of a log, in seconds."""
    found = []
    for _ in range(2):
        reading._read_log.cache_clear()
        began = process_time()
        judged(DUEL, text)
        found.append(process_time() - began)
    return min(found)


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_four_times_the_lines_take_four_times_as_long(line: Callable[[int], str]) -> None:
    short, long = (seconds(HEAD + "".join(map(line, range(1, n)))) for n in (1_600, 6_400))
    assert long < max(NEGLIGIBLE_S, 8 * short), f"{short:.3f} s and {long:.3f} s"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_long_line_takes_as_long_as_short_ones(sign: str) -> None:
    short, long = (seconds(HEAD + (sign * (n // len(sign)) + "\n") * (24_000 // n)) for n in (1_000, 4_000))
    assert long < max(NEGLIGIBLE_S, 2.5 * short), f"{short:.3f} s and {long:.3f} s"


@pytest.mark.parametrize("sign", ["D ", "D. ", "#1 ", "guard "])
def test_a_line_of_several_pieces_takes_time_in_proportion_to_its_length(sign: str) -> None:
    """The piece before it was split into tokens again for each single D."""
    short, long = (seconds(f"{HEAD}{sign * (n // len(sign))}\n") for n in (4_000, 16_000))
    assert long < max(NEGLIGIBLE_S, 8 * short), f"{short:.3f} s and {long:.3f} s"


@pytest.mark.parametrize("break_", ["<br>", "</p><p>", " "])
def test_nothing_of_a_long_line_is_lost(break_: str) -> None:
    """A saved page may have only one line."""
    talk = break_.join(f"Well played, and here is remark number {n}." for n in range(1_000))
    entries = reading.parse(f"[turn 1] [first]{break_}{talk}{break_}#1: W / 2 / 0908{break_}#2: D")
    assert [entry.item.action for entry in entries if isinstance(entry.item, Order)] == ["W", "D"]


def test_a_check_reads_its_log_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read, texts = reading._Reader.read, list[str]()

    def counted(self: reading._Reader, text: str) -> list[Entry]:
        texts.append(text)
        return read(self, text)

    monkeypatch.setattr(reading._Reader, "read", counted)
    assert muster("draw", "battling", "--seed", "K7Q2M-9FHN5").code == 0
    Path("game.log").write_text(f"{HEAD}D\nlet it begin\n", "utf-8")
    assert muster("orders", "check", "game.log", "--json").json["talk"] == [3]
    assert len(texts) == 1


def test_a_hundred_thousand_lines_are_read_and_more_than_the_limit_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("talk.log")
    path.write_text("I think that this was quite a good move.\n" * 100_000, "utf-8")
    assert logs.log_text(path).count("\n") == 100_000
    monkeypatch.setattr(logs, "MAX_LOG_LINES", 99_999)
    done = muster("orders", "check", "talk.log", "--scenario", "none.toml")
    assert (done.code, "is too large for a log" in done.err) == (3, True)


def test_a_long_order_is_limited_to_the_maximum_line_length() -> None:
    """Without a limit, 1.4 million continuation lines (4 MiB) that each copy the order would copy a million MiB."""
    entries = reading.parse(HEAD + "W/1/\n" + "1/\n" * 5_000)
    unread = [len(entry.item.text) for entry in entries if isinstance(entry.item, Unread)]
    assert 1_000 < max(unread) <= normalize.LINE_LIMIT + 2
