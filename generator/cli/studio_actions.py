"""The actions of the tournament room, and the commands of `muster tournament` that carry them out."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec

from generator import games
from generator.cli.event_folder import round_folder
from generator.cli.studio_results import GameResult
from generator.errors import DataError
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.text import NAME_LIMIT
from generator.store.write import is_plain_name
from generator.tournament import csv_files
from generator.tournament.event import MODES, Mode
from generator.tournament.event_file import BYES, MAX_NOTICES, SYSTEMS, Bid, Byes, Cut, System
from generator.tournament.pairings import MAX_PLAYERS, MAX_ROUNDS, MAX_TABLE
from generator.tournament.sealing import COMMITMENT

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LIMIT)]
Text = Annotated[str, msgspec.Meta(max_length=400)]
RoundNumber = Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS)]
"""The number of a round; 0 for the one that the command chooses."""
TableNumber = Annotated[int, msgspec.Meta(ge=0, le=MAX_TABLE)]
Files = Annotated[dict[str, str], msgspec.Meta(max_length=20)]
"""Base64 of each file, keyed by name without a folder."""
PLAYERS_FILE, RESULTS_SUFFIXES, SLIPS_SUFFIX = "players.csv", (".csv", ".tsv", ".txt"), ".pdf"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a list, with the team."""

    name: Name
    team: Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)] = ""


Entries = Annotated[tuple[Entry, ...], msgspec.Meta(max_length=MAX_PLAYERS)]


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """An action of the user in the tournament room."""


class New(Action, frozen=True, tag="new"):
    """Make an event."""

    game: Name
    name: Name
    players: Entries = ()
    rounds: RoundNumber = 0
    system: System = SYSTEMS[0]
    games: Literal[1, 2] = 2
    byes: Byes = BYES[0]
    bid: Bid = ""
    cut: Cut = 0
    scenarios: Mode = MODES[0]
    sealed: bool = False
    clock: Text = ""
    notices: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MAX_NOTICES)] = ()
    options: Annotated[dict[str, Text], msgspec.Meta(max_length=40)] = {}
    """The options of the game, except those that may name files."""


class Join(Action, frozen=True, tag="join"):
    """Add players, let players return, or change what a player needs."""

    players: Entries
    round: RoundNumber = 0
    rest: tuple[RoundNumber, ...] = ()
    table: TableNumber | None = None
    no_bye: bool = False
    apart: tuple[Name, ...] = ()
    rounds: RoundNumber = 0
    reopen: bool = False


class Drop(Action, frozen=True, tag="drop"):
    """Let a player leave, or remove a player who has not played."""

    name: Name
    round: RoundNumber = 0
    remove: bool = False
    reopen: bool = False


class Rename(Action, frozen=True, tag="rename"):
    """Correct the name of a player."""

    name: Name
    to: Name


class Pair(Action, frozen=True, tag="pair"):
    """Pair a round, from results or from a file of pairings."""

    round: RoundNumber = 0
    rounds: RoundNumber = 0
    cut: Cut = 0
    rematch: bool = False
    reopen: bool = False
    files: Files = {}


class Pack(Action, frozen=True, tag="pack"):
    """Print the rounds that are paired, or one round."""

    round: RoundNumber = 0
    reopen: bool = False
    fillable: bool = False
    paper: Literal["a4", "letter"] = "a4"
    ink: Literal["full", "saver"] = "full"


class Reprint(Action, frozen=True, tag="reprint"):
    """Print the pages of tables again."""

    round: RoundNumber
    tables: Annotated[tuple[TableNumber, ...], msgspec.Meta(min_length=1, max_length=MAX_TABLE)]


class Record(Action, frozen=True, tag="record"):
    """Record the results of results.csv, or of files with results and slips."""

    files: Files = {}


class Standings(Action, frozen=True, tag="standings"):
    """Write the standings."""


class Days(Action, frozen=True, tag="days"):
    """Print the day sheet of a player, or of all players."""

    name: Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)] = ""


class Commit(Action, frozen=True, tag="commit"):
    """Write the commitment of a sealed event."""


class Reveal(Action, frozen=True, tag="reveal"):
    """Open a sealed round that has been played."""

    round: RoundNumber


class Verify(Action, frozen=True, tag="verify"):
    """Check the event and its pages."""


class Enter(Action, frozen=True, tag="result"):
    """Enter or correct the results of a table."""

    round: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
    table: Annotated[int, msgspec.Meta(ge=1, le=MAX_TABLE)]
    games: Annotated[tuple[GameResult, ...], msgspec.Meta(min_length=1, max_length=2)]


AnyAction = (
    New | Join | Drop | Rename | Pair | Pack | Reprint | Record | Standings | Days | Commit | Reveal | Verify | Enter
)
DRAWING = (Pack, Days, Standings, Reprint, Commit, Reveal, Verify, New)
"""Actions that do not depend on what the page showed: they add files, or check on their own what has changed."""


def command_of_action(action: AnyAction, folder: Path, lang: Lang) -> tuple[list[str], dict[str, bytes]]:
    """Return the words of a command after `muster`, and the files in its folder.

    Raises:
        DataError: If a file is not usable.
    """
    place, ending = str(folder), ["--json", "--lang", lang]
    files: dict[str, bytes] = {}
    match action:
        case New():
            words = ["new", action.game, f"--event={action.name}", "-o", place, "--system", action.system]
            words += ["--games", str(action.games), "--byes", action.byes, "--scenarios", action.scenarios]
            words += _option("--rounds", action.rounds) + _option("--bid", action.bid) + _option("--cut", action.cut)
            words += _option("--clock", action.clock) + ["--sealed"] * action.sealed
            words += [f"--notice={notice}" for notice in action.notices]
            words += _game_options(action.game, action.options)
            if action.players:
                files[PLAYERS_FILE] = players_file(action.players)
                words += ["--players", PLAYERS_FILE]
            words += ending
        case Join():
            words = ["join", *ending, *_option("--round", action.round), *_option("--rounds", action.rounds)]
            words += [] if action.table is None else ["--table", str(action.table)]
            words += ["--no-bye"] * action.no_bye + ["--reopen"] * action.reopen
            words += [word for number in action.rest for word in ("--rest", str(number))]
            words += [f"--apart={name}" for name in action.apart]
            if len(action.players) == 1:
                words += [*_option("--team", action.players[0].team), "--", place, action.players[0].name]
            else:
                files[PLAYERS_FILE] = players_file(action.players)
                words += ["--players", PLAYERS_FILE, place]
        case Drop():
            words = ["drop", *ending, *_option("--round", action.round)]
            words += ["--remove"] * action.remove + ["--reopen"] * action.reopen + ["--", place, action.name]
        case Rename():
            words = ["rename", *ending, "--", place, action.name, action.to]
        case Pair():
            files = decoded_files(action.files)
            words = ["pair", place, *ending, *_option("--round", action.round), *_option("--rounds", action.rounds)]
            words += _option("--cut", action.cut) + ["--allow-rematch"] * action.rematch
            words += ["--reopen"] * action.reopen + [word for name in files for word in ("--pairings", f"./{name}")]
        case Pack():
            words = ["pack", place, *ending, *_option("--round", action.round), "--paper", action.paper]
            words += ["--ink", action.ink] + ["--reopen"] * action.reopen + ["--fillable"] * action.fillable
        case Reprint():
            tables = ",".join(map(str, action.tables))
            words = ["pack", place, *ending, "--table", tables, *_option("--round", action.round)]
        case Record():
            files = decoded_files(action.files)
            words = ["results", place, *ending]
            words += [f"./{name}" for name in files if not name.casefold().endswith(SLIPS_SUFFIX)]
            slips = [name for name in files if name.casefold().endswith(SLIPS_SUFFIX)]
            words += [word for name in slips for word in ("--from", f"./{name}")]
        case Standings():
            words = ["standings", place, *ending]
        case Days():
            words = ["day", *ending, "--", place, *([action.name] if action.name else [])]
        case Commit():
            words = ["commit", place, *ending]
        case Reveal():
            words = ["reveal", str(folder / COMMITMENT), str(folder / round_folder(action.round)), *ending]
        case Verify():
            return ["verify", place, *ending], {}
        case Enter():
            raise AssertionError("a result is recorded without a command")
    return ["tournament", *words], files


def _game_options(name: str, options: Mapping[str, str]) -> list[str]:
    """Return options of a game. The page cannot set an option that may name a file.

    Raises:
        DataError: If the game is unknown, or does not have the option.
    """
    if name not in games.names():
        raise DataError(tr("there is no game named {name!r}", name=name[:40]))
    accepted = {option.name for option in games.load(name).options if not option.file}
    if wrong := [option for option in options if option not in accepted]:
        raise DataError(tr("this option cannot be set here: {name}", name=wrong[0][:40]))
    return [f"--{option}={value}" for option, value in options.items() if value]


def players_file(players: Entries) -> bytes:
    """Return a list of players as a CSV file."""
    return csv_files.csv_bytes(["name", "team"], ([one.name, one.team] for one in players))


def decoded_files(files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the content of files that a page has sent.

    Raises:
        DataError: If a name contains a folder, or the kind of file is unknown.
    """
    found: dict[str, bytes] = {}
    for name, text in files.items():
        known = PurePosixPath(name).suffix.casefold() in (*RESULTS_SUFFIXES, SLIPS_SUFFIX)
        if not is_plain_name(name) or len(name) > 100 or name.startswith((".", "-")) or not known:
            raise DataError(tr("the file name must not contain a folder"))
        try:
            found[name] = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise DataError(tr("the request must be JSON")) from None
    return found


def _option(name: str, value: object) -> list[str]:
    """Return an option with its value, or nothing if there is no value."""
    return [f"{name}={value}"] if value else []
