"""Find the machines of a battle by every name that a post may use."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from generator.games.battling.model import SIDES, Scenario, Side
from generator.model.words import LANGS

MIN_PART = {True: 3, False: 2}
"""The minimum length of a partial name, by whether it is ASCII, such as `dog`, `Brutish` or `ドッグ`."""
MIN_TYPO = 6
"""The minimum number of characters of a name that may contain a typo."""
TYPO_CUTOFF = 0.84
"""The minimum similarity (difflib) of a word to a name that it misspells."""

Ids = tuple[str, ...]


class Vocabulary(msgspec.Struct, frozen=True):
    """The ids and names of the machines of a battle. Without a battle, any number is accepted as an AT's number."""

    ids: tuple[tuple[Side, Ids], ...] = ()
    """The machines of each side."""
    names: tuple[tuple[str, Ids], ...] = ()
    """Each name in its folded form, with the machines of both sides that have it."""
    spelled: tuple[str, ...] = ()
    """The names as they are written, the longest first."""

    def units(self, side: Side) -> Ids:
        """Return the ids of a side's machines. Without a battle, the result is empty."""
        return next((ids for of, ids in self.ids if of == side), ())

    def has(self, unit: str) -> bool:
        """Return whether a machine has this id or number. Without a battle, the result is always true."""
        if not self.ids:
            return True
        return any(unit in (id_, id_.lstrip("FS")) for _, ids in self.ids for id_ in ids)

    def find(self, word: str) -> Ids:
        """Return the machines of both sides that a word may name, by a whole name, a part of a name, or a typo."""
        return _find(self.names, word)


NO_VOCABULARY = Vocabulary()


def vocabulary_of(scenario: Scenario) -> Vocabulary:
    """Return the vocabulary of a scenario: ids, kinds, type numbers and given names of its machines."""
    ids = tuple((side, tuple(m.id for m in scenario.squads[side].machines)) for side in SIDES)
    names: dict[str, list[str]] = {}
    spelled: set[str] = set()
    for _, machine in scenario.machines:
        kind = scenario.pack.machines[machine.kind]
        written = {kind.id, kind.caption, *(of[lang] for of in (kind.name, machine.name) for lang in LANGS)}
        for name in filter(None, written):
            spelled.add(name)
            parts = (part for part in re.split(r"[\s\-]", name) if len(part) >= MIN_TYPO)
            for form in {fold(name), *map(fold, parts)}:
                names.setdefault(form, []).append(machine.id)
    found = tuple((name, tuple(dict.fromkeys(of))) for name, of in sorted(names.items()) if name)
    return Vocabulary(ids, found, tuple(sorted(spelled, key=lambda name: (-len(name), name))))


def fold(text: str) -> str:
    """Return the form of a name in which spellings are compared.

    Case, spaces, hyphens and the voicing marks of kana are ignored. The rules themselves write both ドッグ and
    ドック.
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"[\s\-_・'\u0300-\u036f\u3099\u309a]", "", plain)


@lru_cache(maxsize=4096)  # threads use few different words
def _find(names: tuple[tuple[str, Ids], ...], word: str) -> Ids:
    folded = fold(word)
    whole = [ids for name, ids in names if name == folded]
    if not whole and len(folded) >= MIN_PART[folded.isascii()]:
        whole = [ids for name, ids in names if name.startswith(folded) or name.endswith(folded)]
    if not whole and len(folded) >= MIN_TYPO:
        near = difflib.get_close_matches(folded, [name for name, _ in names], cutoff=TYPO_CUTOFF)
        whole = [ids for name, ids in names if name in near]
    return tuple(dict.fromkeys(_flat(whole)))


def _flat(of: list[Ids]) -> Iterator[str]:
    return (id_ for ids in of for id_ in ids)
