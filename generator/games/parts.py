"""What a game prints without a scenario, as parts of which `--only` chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.games.capability import Printable
from generator.model.views import Kit, Poster, Run, Sheet
from generator.model.words import Words

Make = Callable[[Mapping[str, str]], Sheet | Run | Poster]
"""Makes a part from the options typed."""


def printable(
    verb: str, game: Words, title: Words, parts: Mapping[str, tuple[Words, Make]], takes: tuple[str, ...] = ()
) -> Printable:
    """The verb's kit of these parts, each with its title, in their order; `takes` as in Printable."""

    def make(options: Mapping[str, str]) -> Kit:
        only = options.get("only", ",".join(parts)).split(",")
        return Kit(game, title, "", tuple(part(options) for word, (_, part) in parts.items() if word in only))

    return Printable(verb, {word: name for word, (name, _) in parts.items()}, make, takes)
