"""What every scenario carries, whatever its game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from generator.model.words import Words


class UserFile(Struct, frozen=True):
    """A file of the user's that a scenario was drawn with: its name and the hash of its content."""

    name: str
    sha256: str


class Origin(Struct, frozen=True):
    """Where a scenario comes from."""

    game: str
    code: str = ""
    """The seed code; empty for a scenario that a person wrote or changed."""
    version: str = ""
    """The version of Muster that drew it."""
    wishes: Mapping[str, str] = field(default_factory=dict)
    """Every wish it was drawn with, by name, as typed."""
    files: Mapping[str, UserFile] = field(default_factory=dict)
    """The user's files, by the wish that named them."""

    def brought(self, wish: str) -> str:
        """The name of the user's file that a wish named; empty where it named none."""
        return self.files[wish].name if wish in self.files else ""


class Scenario(Protocol):
    """A frozen scenario of some game."""

    @property
    def origin(self) -> Origin:
        """Where it comes from."""

    @property
    def title(self) -> Words:
        """Its name, in both languages."""


class Request(Struct, frozen=True):
    """What a game is asked to draw: a seed code, the wishes typed, and the user's files by wish."""

    code: str
    wishes: Mapping[str, str]
    files: Mapping[str, Path]
