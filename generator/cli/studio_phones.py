"""Give a table of an event a token with which a phone can enter the results of this table alone.

A token is random, and only its hash is stored. It is valid while its round is the last round of the event and its two
players sit at its table. A game that has a result is closed to phones; only the organiser can correct it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from generator.cli.event_folder import open_event, result_limits
from generator.errors import DataError, MusterError
from generator.localization import tr
from generator.model.words import Words
from generator.notation.text import name_fault
from generator.store.folders import is_file
from generator.store.manifest import PHONES
from generator.store.write import write
from generator.tournament.event_file import EventRecord
from generator.tournament.record import Limits

TOKEN_BYTES = 16
"""The number of random bytes of a token. A guess of 128 bits never succeeds."""
MAX_TOKEN_CHARS = 64
"""The maximum length of a token in a request."""
_MAX_FILE_BYTES = 1 << 22
_MAX_TOKENS = 4000
"""The number of tokens that an event keeps, the newest of which count."""


class Slip(msgspec.Struct, frozen=True):
    """A table of a round for which a token was made."""

    hash: str
    """The SHA-256 hash of the token."""
    round: int
    table: int
    a: str
    b: str


class Received(msgspec.Struct, frozen=True):
    """A result that a phone has entered, with its time."""

    round: int
    table: int
    game: int
    at: str


class Phones(msgspec.Struct, frozen=True):
    """The tokens of an event, and the results that came from phones."""

    slips: tuple[Slip, ...] = ()
    received: tuple[Received, ...] = ()


class OpenSlip(NamedTuple):
    """The event and the table that a valid token opens."""

    key: str
    folder: Path
    record: EventRecord
    table_slip: Slip


def read_phones(folder: Path) -> Phones:
    """Return the tokens and received results of an event. A missing or damaged file counts as empty."""
    file = folder / PHONES
    if not is_file(file):
        return Phones()
    with file.open("rb") as opened:
        content = opened.read(_MAX_FILE_BYTES)
    try:
        return msgspec.json.decode(content, type=Phones)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Phones()


def write_phones(folder: Path, phones: Phones) -> None:
    """Write the tokens and received results of an event. The caller has locked the event."""
    kept = Phones(phones.slips[-_MAX_TOKENS:], phones.received[-_MAX_TOKENS:])
    write(folder / PHONES, msgspec.json.encode(kept) + b"\n", private=True)


def token_hash(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def make_tokens(folder: Path, number: int, tables: tuple[int, ...] = ()) -> dict[int, str]:
    """Make a token for each table of a round, or for the given tables. Earlier tokens of these tables become invalid.

    The caller has locked the event.

    Raises:
        DataError: If the round is not the last one, or does not have these tables.
    """
    record = open_event(folder)
    one = record.find_round(number)
    if one is None or number != record.next_number - 1:
        raise DataError(tr("round {n} is not the current round, so phones cannot enter its results", n=number))
    meetings = {m.table: m for m in one.tables}
    chosen = tables or tuple(meetings)
    if wrong := [table for table in chosen if table not in meetings]:
        raise DataError(tr("there is no table {table} in round {n}", table=wrong[0], n=number))
    tokens = {table: secrets.token_urlsafe(TOKEN_BYTES) for table in chosen}
    phones = read_phones(folder)
    kept = [one for one in phones.slips if one.round == number and one.table not in tokens]
    made = [Slip(token_hash(token), number, at, meetings[at].a, meetings[at].b) for at, token in tokens.items()]
    write_phones(folder, Phones((*kept, *made), phones.received))
    return tokens


def find_slip(events: Mapping[str, Path], token: str) -> OpenSlip | None:
    """Return what a token opens, or None if it is unknown or its round is closed."""
    if not token or len(token) > MAX_TOKEN_CHARS or name_fault(token):
        return None
    wanted = token_hash(token)
    for key, folder in events.items():
        table_slip = next(
            (one for one in read_phones(folder).slips if secrets.compare_digest(one.hash, wanted)), None
        )
        if table_slip is None:
            continue
        try:
            record = open_event(folder)
        except MusterError:
            return None
        is_current = table_slip.round == record.next_number - 1
        seated = record.players_at(table_slip.round, table_slip.table) or ("", "")
        same = all(
            was in record.known_names(now) for was, now in zip((table_slip.a, table_slip.b), seated, strict=True)
        )
        return OpenSlip(key, folder, record, table_slip) if is_current and same else None
    return None


def slip_values(found: OpenSlip) -> dict[str, object]:
    """Return what the page of a slip shows: the table, its players, sides and limits, and recorded results."""
    from generator import games  # Only an open slip needs the game.

    record, table_slip = found.record, found.table_slip
    one = record.find_round(table_slip.round)
    limits = result_limits(found.folder)(table_slip.round, table_slip.table)
    results = {game.game: game for game in one.results if game.table == table_slip.table} if one else {}
    a, b = record.players_at(table_slip.round, table_slip.table) or (table_slip.a, table_slip.b)
    score = games.load(record.game).score
    rows: list[dict[str, object]] = []
    for number in range(1, record.games + 1):
        sides, most = of_game(limits, number)
        known = results.get(number)
        rows.append(
            {
                "game": number,
                "sides": [{"en": side.en, "ja": side.ja} for side in sides] or None,
                "most": most or None,
                "over": limits.winning_score,
                "result": {"won": known.won, "score": list(known.score)} if known else None,
            }
        )
    return {
        "event": record.name,
        "round": table_slip.round,
        "table": table_slip.table,
        "a": a,
        "b": b,
        "counted": {"en": score.counted.en, "ja": score.counted.ja} if score else None,
        "lost": {"en": score.lost.en, "ja": score.lost.ja} if score else None,
        "games": rows,
    }


def of_game(limits: Limits, number: int) -> tuple[list[Words], list[int]]:
    """Return the sides and the maximum scores of the two players in a game, or empty lists if they are unknown.

    In the second game, the players swap sides.
    """
    turn = 1 if number == 1 else -1
    return list(limits.sides or ())[::turn], list(limits.max_scores or ())[::turn]
