"""One room for each rule system; a room with a module `game` is a game Muster can draw."""

from __future__ import annotations

import copyreg
import importlib
import pkgutil
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
    """The games there are, found by looking into the rooms, without entering them."""
    rooms = (room for room in pkgutil.iter_modules(__path__) if room.ispkg)
    return tuple(room.name for room in rooms if any((Path(p) / room.name / "game.py").is_file() for p in __path__))


def load(name: str) -> Game[Any]:
    """The game of that name; WrongUsageError with a near match where there is none."""
    if name not in names():
        raise WrongUsageError(tr("there is no game named {name!r}", name=name), hint=near(name, names()))
    game: Game[Any] = importlib.import_module(f"{__name__}.{name}.game").GAME
    copyreg.pickle(type(game), _by_name)
    return game


def _by_name(game: Game[Any]) -> tuple[Callable[[str], Game[Any]], tuple[str]]:
    """Between processes a game travels by its name: functions and tables are where it is going."""
    return load, (game.name,)
