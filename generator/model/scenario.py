"""The parts that the scenarios of all games have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from generator.model.words import Words


class UserFile(Struct, frozen=True):
    """A user's file that a scenario was drawn with: its name and the hash of its content."""

    name: str
    sha256: str


class Origin(Struct, frozen=True):
    """The origin of a scenario: its game, seed code, version and options."""

    game: str
    code: str = ""
    """The seed code; empty for a scenario that was written or changed by hand."""
    version: str = ""
    """The version of Muster that drew the scenario."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Every option of the draw, by name, as the user entered it."""
    files: Mapping[str, UserFile] = field(default_factory=dict)
    """The user's files, by the option that named them."""

    def user_file_name(self, option: str) -> str:
        """Return the name of the user's file that an option named; empty if it named none."""
        return self.files[option].name if option in self.files else ""


class AdventureTexts(Struct, frozen=True):
    """The written texts of an adventure; each line is a paragraph, and a missing text is empty."""

    briefing: Words = Words("", "")
    """The situation at the start of the battle."""
    special_rules: Words = Words("", "")
    """Rules for this battle alone. Players apply them; Muster only prints them."""


class Scenario(Protocol):
    """The frozen scenario of a game."""

    @property
    def origin(self) -> Origin:
        """The origin of the scenario."""

    @property
    def title(self) -> Words:
        """The title of the scenario."""


@runtime_checkable
class WithTexts(Protocol):
    """A scenario that may have a written briefing and special rules."""

    @property
    def texts(self) -> AdventureTexts:
        """The briefing and the special rules of the adventure."""


class Request(Struct, frozen=True):
    """A request to draw a scenario: a seed code, the options as entered, and the user's files by option."""

    code: str
    options: Mapping[str, str]
    files: Mapping[str, Path]
