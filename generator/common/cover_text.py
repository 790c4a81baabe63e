"""Compose the text on a cover from facts of a scenario.

A game lists the facts that are true of its scenario as clauses, and data/<game>/story.toml has several wordings of
each clause. The seed determines the clauses and wordings, so that the same scenario always has the same text and
different scenarios rarely sound alike.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from generator.common.tables import numeral
from generator.model.words import LANGS, Lang, Words, joined, same

Wordings = Mapping[str, tuple[Words, ...]]
"""The contents of a story.toml: the wordings of each clause, keyed by its name."""

MIN_LENGTH: Mapping[Lang, int] = {"en": 60, "ja": 150}
MAX_LENGTH: Mapping[Lang, int] = {"en": 90, "ja": 250}
"""Minimum and maximum length of a cover text: words in English, characters in Japanese. A cover has room for the
maximum. A scenario with few units may have too few facts for the minimum."""
_ENOUGH: Mapping[Lang, int] = {"en": 66, "ja": 160}
"""Lengths at which a text is complete, so that most texts are of similar length."""
_FIRST_SENTENCE: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(r"(.+?[.!?])\s+(.+)", re.DOTALL),
    "ja": re.compile(r"(.+?[。！？])(.+)", re.DOTALL),
}
_LEADS = 4
"""Number of the most unusual facts from which the first sentence is chosen."""


class Clause(msgspec.Struct, frozen=True):
    """A fact about a scenario, which becomes one sentence or two short ones."""

    key: str
    """The name of its wordings in story.toml."""
    values: Mapping[str, object] = {}
    """The values for the placeholders. Numbers are spelled in words."""
    topic: str = ""
    """Clauses with the same topic state the same fact, so a text has only one of them. The default is `key`."""

    @property
    def about(self) -> str:
        """The topic."""
        return self.topic or self.key


class CoverText(msgspec.Struct, frozen=True):
    """A text in two parts. The cover prints the first sentence in bold."""

    first: Words
    rest: Words
    clauses: tuple[Clause, ...] = ()
    """The facts in the order of the text."""

    @property
    def view(self) -> dict[str, Words]:
        """The text for a template: the first sentence, and the rest in two columns of equal length with it."""
        columns = {lang: _columns(self.first[lang], self.rest[lang], lang) for lang in LANGS}
        left, right = (Words(columns["en"][i], columns["ja"][i]) for i in (0, 1))
        return {"first": self.first, "left": left, "right": right}

    @property
    def whole(self) -> Words:
        """The complete text."""
        return joined([self.first, self.rest], " ", "")


def split_text(text: Words) -> CoverText:
    """Return a text of a scenario's author, with its first sentence apart.

    Nothing is apart if the first sentence is most of the text in one of the languages.
    """
    parts = {lang: _FIRST_SENTENCE[lang].fullmatch(text[lang]) for lang in LANGS}
    firsts = [(part[1], part[2]) for part in parts.values() if part]
    if len(firsts) < len(parts) or any(len(first) > len(rest) for first, rest in firsts):
        return CoverText(same(""), text)
    (en, ja) = firsts
    return CoverText(Words(en[0], ja[0]), Words(en[1], ja[1]))


def compose(
    seed: str,
    leads: Sequence[Clause],
    opening: Sequence[Clause],
    details: Sequence[Clause],
    end: Sequence[Clause],
    of: Wordings,
) -> CoverText:
    """Return a text with a lead, an opening, some details and an end, in this order.

    - `leads` has the unusual facts, the most unusual first. One of the first becomes the bold sentence. The others
      may become details.
    - `opening` has alternatives. The first one with another topic than the lead is used.
    - `details` has optional facts. The text has as many of them as its length requires.
    - `end` begins with the victory conditions, which every text has. The others are optional.

    Raises:
        KeyError: If `of` has no wordings for a clause.
    """
    lead = leads[stable_number(seed, "lead") % min(len(leads), _LEADS)]
    start = next(clause for clause in opening if clause.about != lead.about)
    order = [lead, start, *details, *(clause for clause in leads if clause is not lead), *end]
    chosen = {clause.about: clause for clause in (lead, start, end[0])}
    for clause in sorted(order, key=lambda clause: stable_number(seed, clause.key)):
        texts = [worded(seed, one, of) for one in chosen.values()]
        if all(total_length(texts, lang) >= _ENOUGH[lang] for lang in LANGS):
            break
        longer = [*texts, worded(seed, clause, of)]
        if clause.about not in chosen and all(total_length(longer, lang) <= MAX_LENGTH[lang] for lang in LANGS):
            chosen[clause.about] = clause
    clauses = tuple(clause for clause in order if chosen.get(clause.about) is clause)
    first, *rest = (worded(seed, clause, of) for clause in clauses)
    return CoverText(first, joined(rest, " ", ""), clauses)


def _columns(first: str, rest: str, lang: Lang) -> tuple[str, str]:
    """Split a text into two columns. The left one, with the first sentence, is at least as long as the right one.

    English text is split at a space, and Japanese text after a comma or full stop.
    """
    if not rest:
        return "", ""
    half = (len(first) + len(rest)) / 2 - len(first)
    ends = [i + 1 for i, c in enumerate(rest) if c in (" " if lang == "en" else "、。")]
    at = next((end for end in ends if end >= half), len(rest))
    return rest[:at].rstrip(), rest[at:]


def stable_number(seed: str, key: str) -> int:
    """Return a pseudo-random number that depends only on the arguments."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {key}".encode(), digest_size=4).digest(), "big")


def worded(seed: str, clause: Clause, of: Wordings) -> Words:
    """Return a clause in one of its wordings, with capital letters at the start of its English sentences."""
    shapes = of[clause.key]
    values = {name: numeral(n) if isinstance(n, int) else n for name, n in clause.values.items()}
    text = shapes[stable_number(seed, f"{clause.key} wording") % len(shapes)].fill(**values)
    starts = [0, *(i + 2 for i, pair in enumerate(pairwise(text.en)) if pair == (".", " "))]
    return Words("".join(c.upper() if i in starts else c for i, c in enumerate(text.en)), text.ja)


def total_length(texts: Iterable[Words], lang: Lang) -> int:
    """Return the number of English words or Japanese characters of some texts."""
    return sum(len(text.en.split()) if lang == "en" else len(text.ja) for text in texts)


def listed(things: Sequence[Words]) -> Words:
    """Return things as a list for the middle of a sentence."""
    if len(things) < 3:
        return joined(things, " and ", "と")
    return joined([joined(things[:-1]), things[-1]], " and ", "、")


def one_or_many(key: str, n: int) -> str:
    """Return the key of the wordings for one thing, or for several."""
    return f"{key}_one" if n == 1 else key
