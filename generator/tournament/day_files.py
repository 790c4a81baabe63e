"""The file names of players' day sheets, which differ for each player."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from generator.tournament.event_file import Player

ALL = "days.pdf"
"""The file with the sheets of all players."""
_MAX_NAME_LENGTH = 40
"""The maximum number of letters of a name in a file name. File systems limit file names to 255 bytes."""


def day_file(player: Player, players: Sequence[Player]) -> str:
    """Return the file name for a player.

    It includes the player's lot if the name of another player has the same letters.
    """
    name = _plain(player.name)
    alike = [one for one in players if _plain(one.name).casefold() == name.casefold()]
    return f"day-{name}-{player.lot}.pdf" if len(alike) > 1 or not name else f"day-{name}.pdf"


def _plain(name: str) -> str:
    """Return the letters and digits of a name, in any script, with all other characters replaced by hyphens."""
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", name)).strip("-")[:_MAX_NAME_LENGTH].strip("-")
