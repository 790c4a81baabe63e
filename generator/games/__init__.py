"""Find and load the games. Each game is a package of this folder with a module `game`."""

from __future__ import annotations

import copyreg
import importlib
import pkgutil
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import WrongUsageError, near
from generator.localization import tr

if TYPE_CHECKING:
    from generator.common.game import Game


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games. The packages are not imported."""
    rooms = (room for room in pkgutil.iter_modules(__path__) if room.ispkg)
    return tuple(room.name for room in rooms if any((Path(p) / room.name / "game.py").is_file() for p in __path__))


def find_name(raw: str) -> str:
    """Return the name of the game that a user means, or an empty string if there is none.

    Case, spaces, hyphens and underscores make no difference, so that `BattleLore` and `Call to Arms` are known. A
    Japanese title is known, too.
    """
    by_letters = {name.replace("_", ""): name for name in names()}
    if not raw.isascii():
        by_letters |= {load(name).title.ja: name for name in names()}
    return by_letters.get(re.sub(r"[\s_-]", "", raw).casefold(), "")


def load(name: str) -> Game[Any]:
    """Return the game with this name.

    Raises:
        WrongUsageError: If there is no such game. The hint is the most similar name.
    """
    if name not in names():
        raise WrongUsageError(tr("there is no game named {name!r}", name=name), hint=near(name, names()))
    game: Game[Any] = importlib.import_module(f"{__name__}.{name}.game").GAME
    copyreg.pickle(type(game), _by_name)
    return game


def _by_name(game: Game[Any]) -> tuple[Callable[[str], Game[Any]], tuple[str]]:
    """Pickle a game as its name, because the receiving process has the same functions and tables."""
    return load, (game.name,)
