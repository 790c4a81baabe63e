"""Read posts in the words of real players, and compare each reading with the intended meaning.

A file of wordings is a TOML file. Each `[[wording]]` contains a post, its side, the scenario, the previous posts
and the meaning. Each `[[talk]]` contains a line without any order.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.games.battling.file import read
from generator.games.battling.model import Scenario
from generator.games.battling.notation import Answer, BattlingReply, Order, Reply, ShotReply, write_line
from generator.games.battling.post.entries import Correction, without_unit
from generator.games.battling.post.judge import judge
from generator.games.battling.post.log import parse
from generator.games.battling.post.vocabulary import vocabulary_of
from generator.model.scenario import Origin
from generator.notation.toml import Source

POSTS = Path(__file__).parent / "posts"
FILES = {
    "wordings": "the frozen ones",
    "held_out": "held out while the reader was made, which then read 96 of 100; its failures were looked at once",
    "later": "written after the reader, which then read 88 of 96; its failures were looked at once",
    "another": "written by another player, of which 117 of 120 were read; its failures were looked at once",
    "tuned": "with which the reader was made",
}
"""Files of wordings. The frozen file is the first."""
STRANGE = "strangers"
"""The file of wordings in unusual words, which the reader may ask about or list."""
UNCLEAR_TOO = {
    "restricted": "exceptions, negations and conditions",
    "several": "several ATs for an order, two orders for an AT, and talk about other orders",
}
"""Files of wordings of which the unclear ones must be asked about or listed."""
WAITING = (
    ("[turn 1] [first]\n#1: F / 1108\n#2: D", "apart"),
    ("[turn 1] [first]\n#1: F / 1108\n#2: F / 0809", "apart"),
    ("[turn 1] [first]\n#1: B / 0807\n#2: D", "close"),
)
"""Posts that wait for replies by the second player, and their scenarios."""
HEADERS = {"first": "[turn 1] [first]", "second": "[turn 1] [second]"}


_PLAYED = Order | ShotReply | BattlingReply | Answer | Correction


class Outcome(NamedTuple):
    """The result of reading one wording."""

    post: str
    is_right: bool
    is_lost: bool
    """Whether notation was lost silently, without being read, queried or listed."""
    is_illegal: bool
    """Whether a legal thread is reported as illegal."""
    seen: str
    """The meaning as read, and the findings."""


@cache
def wordings(name: str) -> Mapping[str, Any]:
    """Return the wordings and lines of talk of a file."""
    return tomllib.loads((POSTS / f"{name}.toml").read_text("utf-8"))


@cache
def battle(name: str) -> Scenario:
    """Return the scenario of a wording."""
    return read(Source(name, (POSTS / f"{name}.toml").read_text("utf-8")), Origin("battling"), Path())


def outcome(wording: Mapping[str, Any]) -> Outcome:
    """Read a wording and return whether its orders, machines and replies are read as intended."""
    before = f"{wording['before']}\n" if "before" in wording else ""
    text = f"{before}{HEADERS[wording['side']]}\n{wording['post']}"
    judged = judge(text, battle(wording["scenario"]))
    first = before.count("\n") + 2
    meaning = []
    for deed in (deed for turn in judged.turns for deed in turn.deeds):
        if deed.line >= first:
            meaning.append(f"{deed.unit} {write_line(without_unit(deed.order))}")
        if deed.reply:
            meaning.append(write_line(deed.reply))
    meaning = [line.replace(" / ", " ") for line in meaning]
    wrong = [finding for finding in judged.findings if finding.kind == "fault"]
    is_right = Counter(meaning) == Counter(wording["means"]) and not judged.findings
    is_lost = not is_right and not judged.findings and not judged.doubtful
    seen = f"{meaning} {[(finding.line, finding.reason) for finding in judged.findings]} {judged.doubtful}"
    return Outcome(wording["post"], is_right, is_lost, bool(wrong), seen)


def orders_in_talk(line: str) -> list[object]:
    """Return the orders, replies and corrections that the reader finds in a line of talk."""
    entries = parse(f"{HEADERS['first']}\n{line}", vocabulary_of(battle("apart")))
    return [entry.item for entry in entries if isinstance(entry.item, _PLAYED)]


def replies_in_talk(line: str) -> list[object]:
    """Return the orders and replies that the reader finds in a line of talk while attacks wait for a reply."""
    found: list[object] = []
    for posts, scenario in WAITING:
        entries = parse(f"{posts}\n{HEADERS['second']}\n{line}", vocabulary_of(battle(scenario)))
        first = posts.count("\n") + 3
        found += [entry.item for entry in entries if entry.line >= first and isinstance(entry.item, _PLAYED)]
    return found


def item_of(text: str) -> Order | Reply | None:
    """Return the single order or reply in a text, or None if the text contains anything else."""
    items = [entry.item for entry in parse(text)]
    if len(items) == 1 and isinstance(items[0], Order | ShotReply | BattlingReply | Answer):
        return items[0]
    return None
