"""Read players and rounds from TRF16, FIDE's tournament format, and write events in this format.

A player's line has the name in columns 15 to 47. From column 92 on, every ten columns describe a round with the
opponent's number, the colour and the result. A forfeit (`+`, `-`) does not count as a meeting: the winner has a
full bye, and the other player is absent. `H` is a bye that counts half, `U` and `F` are full byes, and `Z` and
blanks are absences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from generator.errors import DataError, Problem, near
from generator.localization import tr
from generator.tournament import ranking
from generator.tournament.csv_files import number, plain
from generator.tournament.event_file import EventRecord, Played
from generator.tournament.pairings import ByeValue, Pairing, Round

_START, _NAME = slice(4, 8), slice(14, 47)
_NAME_LENGTH = 33
_POINTS = slice(80, 84)
_ROUNDS, _WIDTH = 91, 10
"""The index of the first round's column, and the width of a round in columns."""
LONG_NAME_TAG = "XXN"
"""The tag of Muster's additional line for a name that is too long for the player's line. Other tools ignore this
line.
"""
BYE_TAG = "BBU"
"""The tag of bbpPairings' additional line for the points of a bye `U`, which other tools take for a whole point."""
BYE_HALVES: Mapping[ByeValue, int] = {"full": 2, "half": 1, "zero": 0}
"""The value of a bye in half points of a round."""
EVENT_TAG = "XXM"
"""The tag of Muster's additional lines for the number of games at a table, lots, scores and finals.

Other tools ignore these lines.
"""
APART_TAG, ABSENT_TAG, PLANNED_TAG = "XXP", "XXZ", "XXR"
"""The tags of JaVaFo's additional lines: players who must not meet, players who are absent from the next round, and
the number of planned rounds.
"""
_CELL = re.compile(r"([ 0-9]{4}) ([wb\- ]) ([-+1=0WDLHFUZ ])", re.IGNORECASE)
_FULL, _HALF, _FORFEIT = "UF", "H", "+-"


class Cell(msgspec.Struct, frozen=True):
    """A round in the line of a player."""

    against: int = 0
    colour: str = " "
    mark: str = " "


class PlayerLine(msgspec.Struct, frozen=True):
    """The line of a player, with its line number, the name, and the rounds as text."""

    line: int
    name: str
    rounds: str
    points: str = ""
    """The player's points as text."""

    @property
    def round_count(self) -> int:
        """The number of rounds for which the line has an entry."""
        return -(-len(self.rounds.rstrip()) // _WIDTH)

    def cell(self, round_: int) -> Cell | None:
        """Return a round of the line, or None if it cannot be read."""
        begin = _WIDTH * (round_ - 1)
        text = f"{self.rounds[begin : begin + 8]:<8}"
        found = _CELL.fullmatch(text)
        if found is None:
            return None
        against = number(found[1]) if found[1].strip() else 0
        return None if against is None else Cell(against, found[2].lower(), found[3].upper())


def player_lines(lines: Sequence[str], file: str) -> list[tuple[int, str]]:
    """Return the players of a report in the order of their lines, each with the line number."""
    return [(of.line, of.name) for of in players_by_number(lines, file).values()]


def players_by_number(lines: Sequence[str], file: str) -> dict[int, PlayerLine]:
    """Return the lines of the players, keyed by starting number.

    Raises:
        DataError: If lines are faulty. The error lists every faulty line.
    """
    problems: list[Problem] = []
    found: dict[int, PlayerLine] = {}
    long = {number(line[_START]): line[9:].strip() for line in lines if line.startswith(f"{LONG_NAME_TAG} ")}
    for at, raw in enumerate(lines, 1):
        if not raw.startswith("001"):
            continue
        line = _aligned(raw)
        start, name = number(line[_START]), line[_NAME].strip()
        if start in found:
            message = tr("the starting number {n} is already in line {line}", n=start, line=found[start].line)
            problems.append(Problem(message, file, at))
            continue
        if start is None or not name:
            problems.append(Problem(tr("this is not a valid TRF16 player line"), file, at))
            continue
        found[start] = PlayerLine(at, long.get(start, name), line[_ROUNDS:].rstrip("\r\n"), line[_POINTS])
    if not found and not problems:
        problems.append(Problem(tr("this is not a valid TRF16 player line"), file, 1))
    DataError.raise_if_any(problems)
    return found


def _aligned(line: str) -> str:
    """Return a line whose columns count characters, even if its writer counted bytes of UTF-8."""
    extra = len(line.encode("utf-8", "replace")) - len(line)
    if not extra or _fits(line[_ROUNDS:]):
        return line
    byte = line.encode("utf-8")
    name = byte[_NAME].decode("utf-8", "ignore")
    wide = f"{byte[:14].decode('utf-8', 'ignore')}{name:<33}{byte[47:].decode('utf-8', 'ignore')}"
    return wide if _fits(wide[_ROUNDS:]) else line


def _fits(rounds: str) -> bool:
    """Return whether the rounds of a line are in the right columns."""
    text = rounds.rstrip()
    cells = [f"{text[at : at + 8]:<8}" for at in range(0, len(text), _WIDTH)]
    return all(map(_CELL.fullmatch, cells))


_TAG = re.compile(r"(?:[0-9]{3}|XX[A-Z]|BB[A-Z])(?:\s|$)")
"""Matches the tag at the beginning of a line."""
_RULER = re.compile(r"DDD\s")
"""Matches the beginning of a line that shows the columns of the format, as in FIDE's documentation."""


def has_tag(line: str) -> bool:
    """Return whether a line begins with a tag of the format or of its additions."""
    return bool(_TAG.match(line))


def untagged_lines(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return the filled lines without a tag, which are not part of a report, each with the line number."""
    return [
        (at, line) for at, line in enumerate(lines, 1) if line.strip() and not (has_tag(line) or _RULER.match(line))
    ]


def read_round(lines: Sequence[str], file: str, event_record: EventRecord, number_: int) -> Round:
    """Return a round of a report.

    Raises:
        DataError: If lines are faulty or players are not on the list. The error lists all of them.
    """
    players = players_by_number(lines, file)
    problems: list[Problem] = []
    cells: dict[int, Cell] = {}
    for start, of in players.items():
        cell = of.cell(number_)
        if cell is None:
            text = of.rounds[_WIDTH * (number_ - 1) :][:8]
            problems.append(Problem(tr("{text!r} is not a valid TRF16 round entry", text=text), file, of.line))
        elif cell.against and (cell.against not in players or cell.against == start):
            problems.append(Problem(tr("there is no player named {name!r}", name=str(cell.against)), file, of.line))
        else:
            cells[start] = cell
    if not problems and not any(len(of.rounds) > _WIDTH * (number_ - 1) for of in players.values()):
        problems.append(Problem(tr("has no round {n}", n=number_), file))
    names = {start: _find_player(of, start, event_record) for start, of in players.items()}
    pairs: list[tuple[int, int]] = []
    byes: list[Pairing] = []
    for start, cell in cells.items():
        of, against = players[start], cell.against
        back = cells.get(against, Cell())
        plays = against or cell.mark in _FULL + _HALF
        if plays and names[start] is None:
            hint = near(of.name[:80], [player.name for player in event_record.players])
            problems.append(Problem(tr("there is no player named {name!r}", name=of.name[:40]), file, of.line, hint))
        elif not against:
            if cell.mark in _FULL + _HALF or cell.mark == "+":
                byes.append(Pairing(0, names[start] or of.name, half=cell.mark == _HALF))
        elif against in cells and back.against != start:
            message = tr("{a} does not play against {b} in round {n}", a=players[against].name, b=of.name, n=number_)
            problems.append(Problem(message, file, of.line))
        elif cell.mark in _FORFEIT or back.mark in _FORFEIT:
            if cell.mark in "+1W" or (cell.mark not in _FORFEIT and back.mark == "-"):
                byes.append(Pairing(0, names[start] or of.name, against=names.get(against) or ""))
        elif cell.colour == back.colour and cell.colour in "wb":
            problems.append(Problem(tr("both players have the same colour"), file, of.line))
        elif cell.colour == "w" or (back.colour != "w" and start < against):
            pairs.append((start, against))
    DataError.raise_if_any(problems)
    tables = [Pairing(at, names[a] or "", names[b] or "") for at, (a, b) in enumerate(pairs, 1)]
    return Round(number_, (*tables, *byes))


def _find_player(of: PlayerLine, start: int, event_record: EventRecord) -> str | None:
    """Return the name on the list that a line refers to, or None if there is none."""
    found = [player.name for player in event_record.players if plain(player.name) == plain(of.name)]
    if not found and len(of.name) >= _NAME_LENGTH - 1:
        found = [
            player.name for player in event_record.players if plain(player.name[:_NAME_LENGTH]) == plain(of.name)
        ]
    numbered = event_record.players[start - 1].name if start <= len(event_record.players) else ""
    return numbered if numbered in found else found[0] if len(found) == 1 else None


def write(event_record: EventRecord) -> bytes:
    """Return the event as a TRF16 file.

    The player with more wins at a table wins the round, and ratings are empty.
    """
    lines = [
        f"012 {event_record.name}",
        f"062 {len(event_record.players)}",
        "092 Individual: Swiss-System",
        f"{PLANNED_TAG} {total_rounds(event_record)}",
        *([] if event_record.bye == "full" else [f"{BYE_TAG} {BYE_HALVES[event_record.bye] / 2:4.1f}"]),
    ]
    ranks = {plain(line.player): line.rank for line in ranking.ranks(event_record)}
    numbers = {plain(player.name): at for at, player in enumerate(event_record.players, 1)}
    last = max((one.number for one in event_record.round if one.results), default=0)
    for at, player in enumerate(event_record.players, 1):
        key = plain(player.name)
        past = [_round_entry(event_record, one, key, numbers) for one in event_record.round]
        worth = {"1": 2, "+": 2, "F": 2, "U": BYE_HALVES[event_record.bye], "=": 1, "H": 1}
        begun = zip(event_record.round, past, strict=True)  # A bye counts as soon as its round has a result.
        points = sum(worth.get(mark, 0) for one, (_, _, mark) in begun if one.number <= last or not one.tables) / 2
        head = f"001 {at:4} {'':1}{'':3} {player.name[:_NAME_LENGTH]:<33} {'':4} {'':3} {'':11} {'':10}"
        rounds = "".join(f"  {other:04} {colour} {mark}" for other, colour, mark in past)
        lines.append(f"{head} {points:4.1f} {ranks.get(key, 0):4}{rounds}")
    lines += [
        f"{LONG_NAME_TAG} {at:4} {player.name}"
        for at, player in enumerate(event_record.players, 1)
        if len(player.name) > _NAME_LENGTH or player.name[:_NAME_LENGTH].strip() != player.name
    ]
    lines += _event_lines(event_record, numbers)
    return ("\r\n".join(lines) + "\r\n").encode()


def _event_lines(event_record: EventRecord, numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the additional lines of an event, from which `takeover.take_over` makes the same event again."""
    for a, b in event_record.apart:
        yield f"{APART_TAG} {numbers[plain(a)]} {numbers[plain(b)]}"
    next_round = event_record.next_number
    settings = {
        "games": event_record.games,
        "round": next_round - 1,
        "bid": event_record.bid,
        "cut": event_record.cut,
    }
    if absent := [at for at, one in enumerate(event_record.players, 1) if not one.is_present(next_round)]:
        yield f"{ABSENT_TAG} {' '.join(map(str, absent))}"
    for key, value in settings.items():
        if value:
            yield f"{EVENT_TAG} {key} {value}"
    for at, player in enumerate(event_record.players, 1):
        yield f"{EVENT_TAG} lot {at} {player.lot}"
    for one in event_record.round:
        if one.final:
            yield f"{EVENT_TAG} final {one.number} {one.final}"
        for m in one.tables:
            pair = f"{one.number} {m.table} {numbers[plain(m.a)]} {numbers[plain(m.b)]}"
            yield f"{EVENT_TAG} table {pair}"
            for game in one.results:
                if game.table == m.table:
                    counts = " ".join(str(n) for both in (game.score, game.lost, game.bid) for n in both)
                    yield f"{EVENT_TAG} game {one.number} {m.table} {game.game} {game.won} {counts}"


def total_rounds(event_record: EventRecord) -> int:
    """Return the number of planned rounds, or the number of the last paired round if that is greater."""
    return max([event_record.rounds, *(one.number for one in event_record.round)])


def _round_entry(
    event_record: EventRecord, one: Played, key: str, numbers: Mapping[str, int]
) -> tuple[int, str, str]:
    """Return a round for a player's line: the opponent's number, the colour and the mark.

    Games without any score are written as a forfeit, because other tools would count them as played.
    """
    for m in one.meetings:
        other = numbers.get(plain(m.against), 0) if m.against and not m.b else 0
        if other and key == plain(m.a):
            return other, "w", "+"
        if other and key == plain(m.against):
            return numbers[plain(m.a)], "b", "-"
    against, colour, mark = round_result(event_record, one, key)
    if mark in "10" and _unplayed(one, key):
        mark = "+" if mark == "1" else "-"
    return numbers.get(against, 0), colour, mark


def _unplayed(one: Played, key: str) -> bool:
    """Return whether a player won all games at a table without any score, because the opponent was absent."""
    table = next((m.table for m in one.tables if key in (plain(m.a), plain(m.b))), 0)
    games = [game for game in one.results if game.table == table]
    return len({game.won for game in games}) == 1 and not any(sum(game.score + game.lost) for game in games)


def round_result(event_record: EventRecord, one: Played, key: str) -> tuple[str, str, str]:
    """Return the plain name of a player's opponent in a round, the player's colour, and the mark of the result."""
    for m in one.meetings:
        if key not in (plain(m.a), plain(m.b)):
            continue
        if not m.b:
            return "", "-", "H" if m.half else "F" if m.against else "U"
        first = key == plain(m.a)
        games = [game for game in one.results if game.table == m.table]
        won = sum((game.won == "a") - (game.won == "b") for game in games) * (1 if first else -1)
        mark = " " if len(games) < event_record.games else "1" if won > 0 else "0" if won < 0 else "="
        return plain(m.b if first else m.a), "w" if first else "b", mark
    return "", "-", "Z"
