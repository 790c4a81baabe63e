"""Boards at true size without a scenario: those that ship, random ones, and a person's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from generator.errors import Problem, WrongUsageError, near
from generator.games.capability import Printable
from generator.games.filing import Named
from generator.games.whose import is_owners
from generator.games.words import shared_words
from generator.model.views import Kit, Poster
from generator.model.words import Words
from generator.store.read import is_there

B = TypeVar("B", bound=Named)
RANDOM = "random"


class Boards(msgspec.Struct, Generic[B], frozen=True):
    """A game's boards, maps or arenas."""

    game: Words
    title: Words
    house: Callable[[], Mapping[str, B]]
    load: Callable[[Path], B]
    """A person's own; DataError for a bad file."""
    random: Callable[[Mapping[str, str]], B]
    """A random one of the code that stands among the options typed as `seed`."""
    poster: Callable[[B, Words, Mapping[str, str]], Poster]
    """As it is printed, with the note that says whose it is and the options typed."""
    wishes: tuple[str, ...]
    """The wishes of a kit that name such a board; they are taken as `board` is."""

    def printable(self, *takes: str) -> Printable:
        """What `muster boards` prints; `takes` are options of the game's own."""
        return Printable(
            "boards", {}, self.make, ("board", "seed", *self.wishes, *takes), lambda: tuple(self.house())
        )

    def make(self, options: Mapping[str, str]) -> Kit:
        """The boards of the options typed, by name, `random`, or a file; all that ship where none is named."""
        names = self.named(options)
        posters = tuple(self._poster(each, options) for each in (names or self.house()))
        return Kit(self.game, self.title, options["seed"] if RANDOM in names else "", posters)

    def named(self, options: Mapping[str, str]) -> list[str]:
        """The boards that the options typed name."""
        return [options[option] for option in ("board", *self.wishes) if option in options]

    def _poster(self, name: str, options: Mapping[str, str]) -> Poster:
        say = shared_words()["boards"]
        if name in self.house():
            return self.poster(self.house()[name], say["house"], options)
        if name == RANDOM:
            return self.poster(self.random(options), say[RANDOM].fill(code=options["seed"]), options)
        if is_there(path := Path(name)):
            loaded = self.load(path)
            return self.poster(loaded, say["own" if is_owners(loaded) else "house"], options)
        message = f"no board {name[:40]!r}, and no file"
        raise WrongUsageError(Problem(message, hint=near(name, (*self.house(), RANDOM))))
