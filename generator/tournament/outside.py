"""What other pairing tools write and read: their lists, their bare numbers, FIDE's TRF16, and the Dutch system.

A list may have lines of titles above its headings, in English, German, French or Japanese; its columns are parted by
commas, semicolons, tabs, bars or several spaces.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from generator.errors import DataError, Problem, WrongUsageError, near
from generator.said import say
from generator.tournament import ranking
from generator.tournament.csv_files import Row, Table, cells, decoded_text, headings, means, number, plain
from generator.tournament.ledger import Book, Played
from generator.tournament.matching import Next, Pair, Seat, seats, settled
from generator.tournament.pairings import Round, read_pairings

_ROUND = re.compile(
    r"(?:round|runde|ronde|ronda|turno|rd|第)[ .:]*([0-9]{1,2})"
    r"|([0-9]{1,2})[. ]*(?:runde|ronde|round|回戦|ラウンド|節)",
    re.IGNORECASE,
)
"""A round's number as titles have it."""
_TITLES = 40
"""So many lines may stand above the headings."""


def _by_sign(sign: str, line: str) -> list[str]:
    """The cells of a line that are parted by a sign, quotes round some of them."""
    return next(csv.reader([line], delimiter=sign), [])


def _by_spaces(line: str) -> list[str]:
    """The cells of a line that is aligned by spaces."""
    return re.split(r"\s{2,}", line.strip())


_PARTED: tuple[Callable[[str], list[str]], ...] = (
    partial(_by_sign, "\t"),
    partial(_by_sign, ";"),
    partial(_by_sign, "|"),
    _by_spaces,
    partial(_by_sign, ","),
)
"""How cells may be parted."""
_SEAT = ("player_a", "player_b")
_COLUMNS = ("round", "table", *_SEAT, "name", "team")


def of_results(table: Table) -> list[Round]:
    """The pairings that the rows of results.csv tell, a game each; DataError with each faulty line."""
    seen: dict[tuple[str, ...], Row] = {}
    for row in table.rows:
        seen.setdefault((row["round"], *sorted((plain(row["player_a"]), plain(row["player_b"])))), row)
    kept = [Row(row.file, row.line, {k: v for k, v in row.cells.items() if k in _COLUMNS}) for row in seen.values()]
    return list(read_pairings(Table(table.file, table.encoding, table.columns, tuple(kept))))


def rounds(path: Path, encoding: str | None, book: Book, number: int) -> list[Round]:
    """A round as another tool paired it; DataError with each faulty line, and for names that are on no list."""
    text, used = decoded_text(path, encoding)
    lines = text.splitlines()
    if any(re.match(r"0[0-9]2 |001 ", line) for line in lines):
        found = _of_trf(lines, str(path), book, number)
    elif _bare(lines):
        found = _of_numbers(lines, str(path), book, number)
    else:
        found = _of_list(lines, str(path), used, number)
    DataError.if_any(_strangers(found, book))
    made = read_pairings(Table(str(path), used, ("round", "table", *_SEAT), tuple(found)))
    of = [one for one in made if one.number == number]
    if not of:
        there = ", ".join(str(one.number) for one in made)
        raise DataError(
            Problem(say("holds no round {n}", n=number), str(path), hint=say("rounds: {known}", known=there))
        )
    return of


def _strangers(rows: Sequence[Row], book: Book) -> Iterator[Problem]:
    """Names that are on no list, each with its near match."""
    names = [player.name for player in book.players]
    known = {plain(name) for name in names}
    for row in rows:
        for seat in _SEAT:
            name = row[seat]
            if name and not means(name, cells().bye) and plain(name) not in known:
                yield row.problem(say("no player {name!r}", name=name[:40]), near(name[:80], names))


def _of_list(lines: Sequence[str], file: str, used: str, number: int) -> list[Row]:
    """The rows of a list under the first line of headings that names both players."""
    for at, line in enumerate(lines[:_TITLES]):
        for parted in _PARTED:
            keys = _keys(parted(line))
            if set(_SEAT) <= set(keys):
                title = next((int(m[1] or m[2]) for above in lines[:at] if (m := _ROUND.search(above))), number)
                return [*_rows(lines, at, parted, keys, title, file)]
    hint = say("a line of headings names both players, such as {heads}", heads="table,player_a,player_b")
    raise DataError(Problem(say("has no headings that are known"), file, 1, hint))


def _keys(heads: Sequence[str]) -> list[str]:
    """What each heading means; where names stand twice, the second is the other player's."""
    known = headings(_COLUMNS)
    found = [known.get(plain(head.strip().strip('".')), "") for head in heads]
    keys: list[str] = []
    for key in found:
        seat = key in ("name", "player_a") and ("player_a" in keys or key == "name")
        keys.append(("player_b" if "player_a" in keys else "player_a") if seat else key)
    return [key if key and key not in keys[:at] else "" for at, key in enumerate(keys)]


def _rows(
    lines: Sequence[str], at: int, parted: Callable[[str], list[str]], keys: Sequence[str], title: int, file: str
) -> Iterator[Row]:
    """What stands below the headings, up to the first line that is no row after the last."""
    for line, text in enumerate(lines[at + 1 :], at + 2):
        cut = [cell.strip() for cell in parted(text)]
        if not any(cut) or set(text.strip()) <= set("-=+| _"):
            continue
        if keys[0] == "table" and parted is _by_spaces and number(cut[0].rstrip(".:)")) is None:
            cut.insert(0, "")  # a bye has no table, and spaces leave no empty cell
        found = {key: cell for key, cell in zip(keys, cut, strict=False) if key}
        found["table"] = re.sub(r"[.:)]$", "", found.get("table", ""))
        if "player_a" not in found or (len(cut) <= keys.index("player_b") and number(found["table"]) is None):
            continue  # a line below the list: who printed it, and when
        if means(found.get("player_b", ""), ("", *cells().bye)) or means(found.get("player_a", ""), cells().bye):
            found["table"] = ""
        yield Row(file, line, {"round": str(title)} | found)


def _bare(lines: Sequence[str]) -> bool:
    """Whether a file holds numbers alone: how many pairs, then two in a line."""
    full = [line.split() for line in lines if line.strip()]
    return bool(full) and len(full[0]) == 1 and all(re.fullmatch("[0-9]{1,5}", n) for row in full for n in row)


def _of_numbers(lines: Sequence[str], file: str, book: Book, number_: int) -> list[Row]:
    """Pairs by the players' numbers, as the TRF of the event has them; 0 is a bye."""
    full = [(at, line.split()) for at, line in enumerate(lines, 1) if line.strip()]
    problems, rows = [], []
    for at, row in full[1:]:
        if len(row) != 2:
            problems.append(Problem(say("two numbers are meant"), file, at))
            continue
        names = [_numbered(book, int(n)) for n in row]
        for n, name in zip(row, names, strict=True):
            if name is None:
                hint = say("from {least} to {most}", least=1, most=len(book.players))
                problems.append(Problem(say("no player {name!r}", name=n), file, at, hint))
        rows.append(Row(file, at, {"round": str(number_), "player_a": names[0] or "", "player_b": names[1] or ""}))
    if int(full[0][1][0]) != len(full) - 1:
        told = say("names {count} pairs, and {there} follow", count=full[0][1][0][:6], there=len(full) - 1)
        problems.append(Problem(told, file, full[0][0]))
    DataError.if_any(problems)
    return rows


def _numbered(book: Book, at: int) -> str | None:
    """The player of that number; empty for a bye, None where there is none."""
    if not at:
        return ""
    return book.players[at - 1].name if at <= len(book.players) else None


_START, _NAME, _ROUNDS, _WIDTH = slice(4, 8), slice(14, 47), 91, 10
"""Where a player's number, his name and his rounds stand in a line of TRF16, and how wide a round is."""


def _of_trf(lines: Sequence[str], file: str, book: Book, number_: int) -> list[Row]:
    """The pairs of a round as TRF16 has them."""
    problems: list[Problem] = []
    names: dict[int, tuple[int, str]] = {}
    cells_: dict[int, str] = {}
    for at, line in enumerate(lines, 1):
        if not line.startswith("001"):
            continue
        start = number(line[_START])
        if start is None or start in names or not line[_NAME].strip():
            problems.append(Problem(say("is no player's line of TRF16"), file, at))
            continue
        names[start] = at, line[_NAME].strip()
        begin = _ROUNDS + _WIDTH * (number_ - 1)
        cells_[start] = line[begin : begin + 8]
    rows = []
    for start, cell in cells_.items():
        at, name = names[start]
        against, colour = cell[:4].strip(), cell[5:6]
        other = number(against) if against else 0
        if other is None or (other and other not in names):
            problems.append(Problem(say("no player {name!r}", name=against), file, at))
        elif other and number(cells_[other][:4]) != start:
            told = say("{a} does not meet {b} in round {n}", a=names[other][1], b=name, n=number_)
            problems.append(Problem(told, file, at))
        elif other and (colour == "w" or (colour != "b" and start < other)):
            rows.append(_row(file, at, number_, name, names[other][1]))
        elif other and colour == cells_[other][5:6]:
            problems.append(Problem(say("both have one colour"), file, at))
        elif not other and cell[7:8] in ("U", "F", "H", "+"):
            rows.append(_row(file, at, number_, name, ""))
    if not names:
        problems.append(Problem(say("is no player's line of TRF16"), file, 1))
    DataError.if_any(problems)
    if not rows:
        raise DataError(Problem(say("holds no round {n}", n=number_), file))
    return rows


def _row(file: str, at: int, number_: int, a: str, b: str) -> Row:
    return Row(file, at, {"round": str(number_), "player_a": a, "player_b": b})


def trf(book: Book) -> bytes:
    """The event as TRF16: a round is won by who won more of its games; nobody has a rating."""
    lines = [f"012 {book.name}", f"062 {len(book.players)}", "092 Individual: Swiss-System", f"XXR {_most(book)}"]
    ranks = {plain(line.player): line.rank for line in ranking.ranks(book)}
    numbers = {plain(player.name): at for at, player in enumerate(book.players, 1)}
    last = max((one.number for one in book.round if one.results), default=0)
    for at, player in enumerate(book.players, 1):
        key = plain(player.name)
        past = [_of_round(book, one, key) for one in book.round]
        worth = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}
        begun = zip(book.round, past, strict=True)  # a bye counts once its round has a result
        points = sum(worth.get(mark, 0) for one, (_, _, mark) in begun if one.number <= last) / 2
        head = f"001 {at:4} {'':1}{'':3} {player.name[:33]:<33} {'':4} {'':3} {'':11} {'':10}"
        told = "".join(f"  {numbers.get(other, 0):04} {colour} {mark}" for other, colour, mark in past)
        lines.append(f"{head} {points:4.1f} {ranks.get(key, 0):4}{told}")
    return ("\r\n".join(lines) + "\r\n").encode()


def _most(book: Book) -> int:
    return max([book.rounds, *(one.number for one in book.round)])


def _of_round(book: Book, one: Played, key: str) -> tuple[str, str, str]:
    """Whom a player met in a round, with which colour, and the sign of what came of it."""
    for m in one.meetings:
        if key not in (plain(m.a), plain(m.b)):
            continue
        if not m.b:
            return "", "-", "H" if m.half else "U"
        first = key == plain(m.a)
        games = [game for game in one.results if game.table == m.table]
        won = sum((game.won == "a") - (game.won == "b") for game in games) * (1 if first else -1)
        mark = " " if len(games) < book.games else "1" if won > 0 else "0" if won < 0 else "="
        return plain(m.b if first else m.a), "w" if first else "b", mark
    return "", "-", "Z"


def dutch(book: Book, number_: int) -> Next:
    """The next round by FIDE's Dutch system; WrongUsageError where that is not installed, or pairs nobody."""
    try:
        from caissify_pairings import generate_pairings
    except ImportError as error:
        hint = say("install it: pip install 'musterkit[swiss]'")
        raise WrongUsageError(say("--system dutch needs caissify-pairings"), hint=hint) from error
    there = seats(book, number_)
    order = {plain(player.name): at for at, player in enumerate(book.players, 1)}
    never = {(min(of), max(of)) for pair in book.apart for of in [[order[plain(name)] for name in pair]]}
    past = [one for one in book.round if one.number < number_]
    met = {(min(of), max(of)) for one in past for m in one.tables for of in [[order[plain(m.a)], order[plain(m.b)]]]}
    made = generate_pairings(
        system="dutch",
        players=[_dutch_player(book, past, seat, order[seat.name]) for seat in there],
        previous_pairings=met | never,
        round_number=number_,
        total_rounds=max(_most(book), number_),
    )
    at = {order[seat.name]: seat for seat in there}
    pairs: list[Pair] = [(at[one["white_id"]], at.get(one.get("black_id") or 0)) for one in made]
    if sorted(seat.name for pair in pairs for seat in pair if seat) != sorted(seat.name for seat in there):
        raise WrongUsageError(say("whoever must not meet, or have a bye, leaves no way to pair everybody"))
    return settled(book, number_, pairs, there, keep=True)


def _dutch_player(book: Book, past: Sequence[Played], seat: Seat, at: int) -> Mapping[str, object]:
    """A player with all that the system asks of his rounds: scores, colours, floats.

    One who is barred from byes stands there as who has had his: the system gives nobody a second.
    """
    key, score, colours, floats, byes = seat.name, 0.0, [], [], int(seat.no_bye)
    worth = {"1": 1.0, "U": 1.0, "=": 0.5, "H": 0.5}
    before = {plain(player.name): 0.0 for player in book.players}
    for one in past:
        other, colour, mark = _of_round(book, one, key)
        if other:
            colours.append("white" if colour == "w" else "black")
            mine, his = before[key], before[other]
            floats.append("down" if mine > his else "up" if mine < his else "none")
        elif mark != "Z":
            byes += 1
            floats.append("down")
        score += worth.get(mark, 0.0)
        for name in before:
            before[name] += worth.get(_of_round(book, one, name)[2], 0.0)
    return {
        "id": at, "name": key, "score": score, "rating": 0, "starting_number": at,
        "color_hist": colours, "float_history": floats, "bye_count": byes,
    }  # fmt: skip
