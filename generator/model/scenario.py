"""The parts that the scenarios of all games have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from generator.model.words import Words


class UserFile(Struct, frozen=True):
    """A user's file with which a scenario was generated, as its name and the hash of its content."""

    name: str
    sha256: str


class Origin(Struct, frozen=True):
    """The origin of a scenario, with its game, seed code, version and options."""

    game: str
    code: str = ""
    """The seed code, or an empty string for a scenario that was written or changed by hand."""
    version: str = ""
    """The version of Muster that generated the scenario."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The options by name, as the user entered them."""
    files: Mapping[str, UserFile] = field(default_factory=dict)
    """The user's files by the option in which they were given."""

    def user_file_name(self, option: str) -> str:
        """Return the name of the user's file given in an option, or an empty string if there is none."""
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
    """A request to generate a scenario, with a seed code, the options as entered, and the user's files by option."""

    code: str
    options: Mapping[str, str]
    files: Mapping[str, Path]
