"""Names for battles on maps that nobody has named."""

from __future__ import annotations

import msgspec

from generator.draw.streams import Stream
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    field: tuple[Words, ...]
    battle: tuple[Words, ...]


def battle_name(stream: Stream) -> Words:
    """A name drawn for a battle."""
    names = toml.read(shipped("data") / "battlelore" / "names.toml", _Names)
    return stream.choice(names.battle).fill(field=stream.choice(names.field))
