"""A long thread of posts beside one a tenth as long: judging takes no more than its length times as long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from msgspec.structs import replace

from bench.clock import alternate, calling
from bench.figure import Figure
from generator import games
from generator.games.battling.model import Scenario
from generator.games.battling.post.judge import judge
from generator.model.scenario import Request

SHORT, LONG = 1_000, 10_000
"""Lines of either thread."""
MOST = 12.0
"""How many times as long the longer may take."""
TALK = ("よし、守りを固めます。", "> #1: D", "前のターンは助かった…", "距離4ですね", "「F / 1108」か…")


def figures(rounds: int) -> Iterator[Figure]:
    """The two, judged by turns."""
    of: Scenario = games.load("battling").draw(Request("K7Q2M-9FHN5", {"machines": "3", "points": "36"}, {}))
    of = replace(of, turns=LONG)
    short, long = (thread(lines) for lines in (SHORT, LONG))
    assert not judge(long, of).findings
    ours, base = alternate(rounds, calling(lambda: judge(long, of)), calling(lambda: judge(short, of)))
    what, beside = f"judging a thread of {LONG:,} lines", f"one of {SHORT:,}"
    yield Figure(what, ours, beside, base, "times the time", MOST)


def thread(lines: int) -> str:
    """Both sides guard, turn after turn, and talk."""
    rows, talk = [], cycle(TALK)
    for turn in range(1, lines // 20 + 1):
        for side in ("先攻", "後攻"):
            rows += [f"{turn}T{side}", *islice(talk, 6), "#1: D", "#2: D さあ来い", "#3: D"]
    return "\n".join(rows)
