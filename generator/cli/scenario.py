"""Scenario files on the command line: reading, naming, rebuilding."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from generator import games
from generator.games.capability import Game
from generator.model.scenario import Origin
from generator.notation import envelope
from generator.notation.toml import Source
from generator.rules.rule import Report, check


class Loaded(NamedTuple):
    """A scenario with its game, its text and the check's report."""

    game: Game[Any]
    scenario: Any
    text: str
    report: Report

    @property
    def stamp(self) -> str:
        """What stands on every page: the code (with + where wishes belong to it), or a content hash."""
        origin: Origin = self.scenario.origin
        if not origin.code:
            return envelope.content_hash(self.game.write(self.scenario))
        return f"{origin.code}+" if origin.wishes else origin.code


def examined(game: Game[Any], scenario: Any) -> Loaded:
    """A scenario, written down and checked."""
    text = envelope.compose(scenario.origin, game.write(scenario))
    return Loaded(game, scenario, text, check(game.rules, scenario))


def load(path: Path) -> Loaded:
    """Read and check a scenario file; DataError where it cannot be read."""
    source = Source.open(path)
    head = envelope.head(source)
    game = games.load(head.game)
    origin = envelope.origin(head)
    scenario = game.read(source, origin, path.parent)
    if not envelope.sealed(head, game.write(scenario)):
        # A person wrote or changed it: the code no longer rebuilds it.
        scenario = replace(scenario, origin=replace(origin, code="", version="", wishes={}))
    return examined(game, scenario)


def rebuild(loaded: Loaded, options: dict[str, str]) -> str:
    """The whole command that makes this kit again; `options` are the print options."""
    origin: Origin = loaded.scenario.origin
    if not origin.code:
        words = ["muster", "print", "scenario.toml"]
        wishes: dict[str, str] = {}
    else:
        words = ["muster", "kit", origin.game, "--seed", origin.code]
        wishes = dict(origin.wishes)
    words += [word for name, value in (wishes | options).items() for word in (f"--{name}", value)]
    return shlex.join(words)
