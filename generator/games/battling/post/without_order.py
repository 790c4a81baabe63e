"""Find the ATs that a line of a post mentions although they get no order in the post."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.games.battling.model import Side
from generator.games.battling.post.mentions import NAME, mentions
from generator.games.battling.post.tokens import tokenize
from generator.games.battling.post.vocabulary import Vocabulary

_MAY_MENTION = re.compile(
    r"#\s?[FS]?[0-9]|[0-9一二三四壱弐参]\s?(?:号機|番機)|(?<![A-Za-z0-9])(?:[FS][0-9]|D)(?![A-Za-z0-9])"
    r"|(?<![A-Za-z])(?:unit|machine|mech|number|no\.)\s?[0-9]|[一二三四]?全",
    re.IGNORECASE,
)
"""Text that a line contains if it may mention an AT by its number, or give a guard."""
_LONE_GUARD = re.compile(r"(?=\s*(?:$|[^\w\s:;&'-]|D(?![A-Za-z])|で|に|です|を))")
"""The position after a single D that may be an order."""


def ats_without_order(
    text: str, side: Side, vocabulary: Vocabulary, missing: Sequence[str], guards_given: int | None
) -> Iterator[str]:
    """Yield those of the missing ATs that a line mentions, or all if it contains more letters D than guards.

    `missing` are the ids of the ATs of the side that have no order, and `guards_given` is the number of guards that
    the line gives, or None if its letters D are results.
    """
    if not _MAY_MENTION.search(text) and not any(name in text for name in vocabulary.spelled):
        return
    tokens = tokenize(text, vocabulary)
    guards_ = [at for at, token in enumerate(tokens) if token.kind == "letter" and text[token.start] == "D"]
    is_lone = [_LONE_GUARD.match(text, tokens[at].end) is not None for at in guards_]
    if guards_given is not None and sum(is_lone) > guards_given:
        yield from missing
        return
    stated = [m for m in mentions(tokens, text, side, vocabulary) if m.rank >= NAME and not m.for_all]
    for unit in missing:
        if any(unit in (m.unit, *m.ids) or unit.lstrip("FS") == m.unit for m in stated):
            yield unit
