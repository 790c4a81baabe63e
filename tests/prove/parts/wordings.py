"""Orders and replies of Battling are read as meant in the words of real players, and talk is not read as an order.

The wordings are in tests/games/battling/posts. One file is frozen, and the other was not used while the reader was
written.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.games.battling.wordings import FILES, STRANGE, orders_in_talk, outcome, replies_in_talk, wordings
from tests.prove.figure import Figure

MIN_READ = 98
"""Minimum percentage of wordings that must be read as meant."""


def prove() -> Iterator[Figure]:
    """Yield the figures of each file of wordings."""
    for name, description in FILES.items():
        found = [outcome(wording) for wording in wordings(name)["wording"]]
        wrong = tuple(f"{of.post!r}: {of.seen}" for of in found if not of.is_right)
        share = 100 * (len(found) - len(wrong)) / len(found)
        figure = f"{len(found) - len(wrong):,} of {len(found):,} ({share:.1f} %)"
        what = f"wordings ({name}.toml, {description}) read with their meaning"
        yield Figure(what, figure, f"≥ {MIN_READ} %", share >= MIN_READ, wrong)
        lost = tuple(f"{of.post!r}: {of.seen}" for of in found if of.is_lost)
        yield Figure(f"of these, lines lost silently ({name}.toml)", str(len(lost)), "0", not lost, lost)
        illegal = tuple(f"{of.post!r}: {of.seen}" for of in found if of.is_illegal)
        yield Figure(f"legal threads called illegal ({name}.toml)", str(len(illegal)), "0", not illegal, illegal)
        talk = wordings(name)["talk"]
        taken = tuple(f"{line['post']!r}: {items}" for line in talk if (items := orders_in_talk(line["post"])))
        figure = f"{len(taken)} of {len(talk)}"
        yield Figure(f"lines of talk taken for orders ({name}.toml)", figure, "0", not taken, taken)
    found = [outcome(wording) for wording in wordings(STRANGE)["wording"]]
    what = f"wordings in unusual words ({STRANGE}.toml) read with their meaning; the others are asked about or listed"
    yield Figure(what, f"{sum(of.is_right for of in found)} of {len(found)}", "measured", True)
    lost = tuple(f"{of.post!r}: {of.seen}" for of in found if of.is_lost or of.is_illegal)
    yield Figure("of these, lost silently or called illegal", str(len(lost)), "0", not lost, lost)
    lines = [line["post"] for name in (*FILES, STRANGE) for line in wordings(name)["talk"]]
    replies = tuple(f"{line!r}: {items}" for line in lines if (items := replies_in_talk(line)))
    what = "lines of talk taken for replies while attacks wait for one (3 have the form of a reply)"
    yield Figure(what, f"{len(replies)} of {len(lines)}", "≤ 3", len(replies) <= 3, replies)
