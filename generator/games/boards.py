"""Boards at true size without a scenario: those that ship, random ones, and a person's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from generator.errors import Problem, WrongUsageError, near
from generator.games.capability import Printable
from generator.games.words import shared_words
from generator.model.views import Kit, Poster
from generator.model.words import Words
from generator.store.read import is_there

B = TypeVar("B")
RANDOM = "random"


class Boards(msgspec.Struct, Generic[B], frozen=True):
    """A game's boards, maps or arenas."""

    game: Words
    title: Words
    house: Callable[[], Mapping[str, B]]
    load: Callable[[Path], B]
    """A person's own; DataError for a bad file."""
    random: Callable[[str], B]
    """A random one of that code."""
    poster: Callable[[B, Words, Mapping[str, str]], Poster]
    """As it is printed, with the note that says whose it is and the options typed."""

    def printable(self, *takes: str) -> Printable:
        """What `muster boards` prints; `takes` are options of the game's own."""
        return Printable("boards", {}, self.make, ("board", "seed", *takes), lambda: tuple(self.house()))

    def make(self, options: Mapping[str, str]) -> Kit:
        """The board of the options typed, by its name, `random`, or a file; all that ship where none is named."""
        code, name = options["seed"], options.get("board")
        posters = tuple(self._poster(each, options) for each in ([name] if name else self.house()))
        return Kit(self.game, self.title, code if name == RANDOM else "", posters)

    def _poster(self, name: str, options: Mapping[str, str]) -> Poster:
        say = shared_words()["boards"]
        if name in self.house():
            return self.poster(self.house()[name], say["house"], options)
        if name == RANDOM:
            return self.poster(self.random(options["seed"]), say[RANDOM].fill(code=options["seed"]), options)
        if is_there(path := Path(name)):
            return self.poster(self.load(path), say["own"], options)
        message = f"no board {name[:40]!r}, and no file"
        raise WrongUsageError(Problem(message, hint=near(name, (*self.house(), RANDOM))))
