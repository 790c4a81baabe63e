"""Rounds and their pairings, which are read from files or made by rotation, and their labels in print."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from generator.common.tables import words as words_of
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Words, same
from generator.tournament.csv_files import Row, Table, plain
from generator.tournament.opponents import absence_problem, is_dash, opponent, unclear_problem

MAX_PLAYERS = 512
MAX_ROUNDS = 50
MAX_TABLE = 9999
ByeValue = Literal["full", "half", "zero"]
"""The value of a bye: all games of the round won, half of that, or nothing."""
BYE_VALUES: tuple[ByeValue, ...] = ("full", "half", "zero")
NEEDED = ("round", "player_a", "player_b")
COLUMNS = ("round", "table", "player_a", "player_b", "team")
"""The columns of pairings.csv."""
NUMBERED_PLAYER = "#{}"
"""The name of a player who was entered by number only, in every language."""


class Pairing(msgspec.Struct, frozen=True, order=True):
    """A pairing of two players at a table, or a bye if `b` is empty. `table` is 0 if no table is given."""

    table: int
    a: str
    b: str = ""
    team: str = ""
    """The teams as printed."""
    half: bool = False
    """Whether the bye is a half-point bye."""
    against: str = ""
    """The absent opponent if the bye is a win by forfeit."""

    @property
    def bye(self) -> bool:
        """Whether the player has no opponent."""
        return not self.b


class Round(msgspec.Struct, frozen=True):
    """A round with its number and its pairings, sorted by table with byes last."""

    number: int
    pairings: tuple[Pairing, ...]

    @property
    def tables(self) -> tuple[Pairing, ...]:
        """The pairings of two players, which excludes byes."""
        return tuple(p for p in self.pairings if not p.bye)


class Entrant(msgspec.Struct, frozen=True):
    """A player on a list, with their team."""

    name: str
    team: str = ""


def numbered_players(players: int) -> list[Entrant]:
    """Return players without names.

    Raises:
        WrongUsageError: If the number of players is too small or too large.
    """
    _check_range("players", players, 2, MAX_PLAYERS)
    return [Entrant(NUMBERED_PLAYER.format(n)) for n in range(1, players + 1)]


def rotation(players: Sequence[Entrant], rounds: int) -> tuple[Round, ...]:
    """Pair rounds by rotation: all players except one move to the next seat.

    All players meet before any two players meet again.

    Tables and sides alternate as well. The player who had the first side less often gets it, at a table that the
    two players have rarely used.

    Raises:
        WrongUsageError: If there are too few or too many rounds.
    """
    _check_range("rounds", rounds, 1, MAX_ROUNDS)
    team = {player.name: player.team for player in players}
    names = [player.name for player in players]
    place = {name: at for at, name in enumerate(names)}
    seats = [*names, *([""] if len(names) % 2 else [])]
    half = len(seats) // 2
    first, sat = Counter[str](), {name: Counter[int]() for name in names}
    found = []
    for number in range(1, rounds + 1):
        pairs = list(zip(seats[:half], reversed(seats[half:]), strict=True))
        byes = [a or b for a, b in pairs if not (a and b)]
        matches = [_order_by_side(a, b, first, place, number) for a, b in pairs if a and b]
        matches.sort(key=lambda pair: min(place[name] for name in pair))
        tables = spread_over_tables([[sat[name] for name in pair] for pair in matches], range(1, len(matches) + 1))
        seated = []
        for table, (a, b) in sorted(zip(tables, matches, strict=True)):
            of = " – ".join(filter(None, dict.fromkeys((team[a], team[b]))))
            seated.append(Pairing(table, a, b, of))
            first[a] += 1
            sat[a][table] += 1
            sat[b][table] += 1
        found.append(Round(number, (*seated, *(Pairing(0, name, "", team[name]) for name in byes))))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return tuple(found)


def _order_by_side(a: str, b: str, first: Counter[str], place: Mapping[str, int], number: int) -> tuple[str, str]:
    """Return two players in the order of sides. The first player gets the first side."""
    if first[a] != first[b]:
        return (a, b) if first[a] < first[b] else (b, a)
    return (a, b) if (place[a] < place[b]) == (number % 2 == 1) else (b, a)


_MAX_PASSES = 4
"""The maximum number of times that all pairs are compared for swapping tables."""


def spread_over_tables(sat: Sequence[Sequence[Mapping[int, int]]], free: Sequence[int]) -> list[int]:
    """Return a table for each pair such that no player returns to a table, if that is possible.

    Two pairs swap as long as that helps. If a player would still return to a table, a complete matching of pairs and
    tables without a return is searched for. `sat` contains, for each player of each pair, the number of rounds at
    each table. `free` lists the tables.
    """
    known = [[sum((of.get(table, 0) + 1) ** 2 for of in pair) for table in free] for pair in sat]
    at = list(range(len(sat)))
    for _ in range(_MAX_PASSES):
        better = False
        for i in range(len(at)):
            costs = known[i]
            for j in range(i + 1, len(at)):
                if costs[at[j]] + known[j][at[i]] < costs[at[i]] + known[j][at[j]]:
                    at[i], at[j], better = at[j], at[i], True
        if not better:
            break
    if any(of.get(free[n]) for n, pair in zip(at, sat, strict=True) for of in pair):
        at = _match_new_tables(sat, free) or at
    return [free[n] for n in at]


def _match_new_tables(sat: Sequence[Sequence[Mapping[int, int]]], free: Sequence[int]) -> list[int]:
    """Return the index of a table for each pair at which neither player has been, or an empty list if that fails."""
    import networkx

    graph: Any = networkx.Graph()
    pairs = [("pair", at) for at in range(len(sat))]
    graph.add_nodes_from(pairs)
    for at, pair in enumerate(sat):
        new = (n for n, table in enumerate(free) if not any(of.get(table) for of in pair))
        graph.add_edges_from((("pair", at), ("table", n)) for n in new)
    found = networkx.bipartite.hopcroft_karp_matching(graph, pairs)
    return [found[pair][1] for pair in pairs] if all(pair in found for pair in pairs) else []


def read_pairings(table: Table, players: Collection[str] | None = ()) -> tuple[Round, ...]:
    """Return the rounds in a file, in ascending order.

    `players` are the known players, or None if the file was written by Muster.

    Raises:
        DataError: If lines are faulty. The error lists every faulty line.
    """
    numbered = any(row["table"] for row in table.rows)
    problems: list[Problem] = []
    rounds: defaultdict[int, list[tuple[Row, Pairing]]] = defaultdict(list)
    for row in table.rows:
        found = _pairing(row, numbered, players)
        if isinstance(found, Pairing):
            number = row.number("round", 1, MAX_ROUNDS)
            if isinstance(number, int):
                rounds[number].append((row, found))
            else:
                problems.append(number)
        else:
            problems += found
    for number in sorted(rounds):
        problems += _repeats(number, rounds[number])
    DataError.raise_if_any(problems)
    if not rounds:
        raise DataError(Problem(tr("has no pairings"), table.file))
    return tuple(Round(number, _with_tables(p for _, p in rounds[number])) for number in sorted(rounds))


def missing_players(rounds: Iterable[Round]) -> dict[int, tuple[str, ...]]:
    """Return the players who are missing from a round although they are in other rounds, keyed by round."""
    present = {r.number: {name: None for p in r.pairings for name in (p.a, p.b) if name} for r in rounds}
    everyone = {plain(name): name for names in present.values() for name in names}
    missing = {}
    for number, names in present.items():
        here = {plain(name) for name in names}
        if gone := tuple(name for key, name in everyone.items() if key not in here):
            missing[number] = gone
    return missing


def _check_range(what: str, count: int, minimum: int, maximum: int) -> None:
    if not minimum <= count <= maximum:
        raise WrongUsageError(
            f"--{what} {count}", hint=tr("give a number from {least} to {most}", least=minimum, most=maximum)
        )


def _pairing(row: Row, numbered: bool, players: Collection[str] | None) -> Pairing | list[Problem]:
    """Return the pairing in a row, or the faults of the row."""
    names = {column: "" if is_dash(row[column]) else row.name(column) for column in ("player_a", "player_b", "team")}
    problems = [found for found in names.values() if isinstance(found, Problem)]
    a, b, team = (name if isinstance(name, str) else "?" for name in names.values())
    kinds = {name: opponent(name, players) for name in (a, b)}
    problems = problems or [unclear_problem(row, name) for name, kind in kinds.items() if kind == "unclear"]
    if not problems:
        problems = [fault for name in kinds if (fault := absence_problem(row, name, players))]
    half = "half" in kinds.values()
    a, b = ("" if kinds[name] in ("bye", "half") else name for name in (a, b))
    a, b = (a, b) if a else (b, "")
    number: int | Problem = 0
    if b and numbered and "unclear" not in kinds.values():
        number = row.number("table", 1, MAX_TABLE)
        problems += [number] if isinstance(number, Problem) else []
    if not a:
        problems.append(
            row.problem(
                tr("the name is missing"), tr("for a bye, write the player's name and leave the other cell empty")
            )
        )
    elif plain(a) == plain(b) and not problems:
        problems.append(row.problem(tr("{a} cannot be paired with themselves", a=a)))
    return problems or Pairing(number if isinstance(number, int) else 0, a, b, team, half)


def _repeats(number: int, rows: list[tuple[Row, Pairing]]) -> list[Problem]:
    """Return a problem for each player or table that appears twice in a round."""
    problems, seen = [], dict[str, int]()
    for row, pairing in rows:
        entries = [(plain(name), tr("{name} plays", name=name)) for name in (pairing.a, pairing.b) if name]
        entries += [(f"\0{pairing.table}", tr("table {table} is used", table=pairing.table))] if pairing.table else []
        for key, message in entries:
            if key in seen:
                hint = tr(
                    "the name is already in line {seen}; if two players have the same name, write the names "
                    "differently",
                    seen=seen[key],
                )
                problems.append(
                    row.problem(
                        tr("{message} twice in round {number}", message=message, number=number),
                        hint if key[0] != "\0" else "",
                    )
                )
            seen.setdefault(key, row.line)
    return problems


def _with_tables(pairings: Iterable[Pairing]) -> tuple[Pairing, ...]:
    """Return pairings sorted by table, with byes last. If no tables are given, they are numbered."""
    given = list(pairings)
    with_opponent, byes = [p for p in given if not p.bye], [p for p in given if p.bye]
    if not any(p.table for p in with_opponent):
        with_opponent = [Pairing(n, p.a, p.b, p.team) for n, p in enumerate(with_opponent, 1)]
    return (*sorted(with_opponent, key=lambda p: p.table), *byes)


def words() -> dict[str, dict[str, Words]]:
    """Return the words for a tournament's sheets, from data/tournament/words.toml."""
    return words_of("tournament")


def pair_label(a: str, b: str) -> Words:
    """Return the names of two players as one label."""
    return words()["at"]["pair"].fill(a=a, b=b)


def table_heading(number: int, pairing: Pairing) -> Words:
    """Return the heading for the pages of a table."""
    texts = words()["at"]
    return texts["heading"].fill(round=texts["round"].fill(n=number), place=table_label(pairing))


def bye_label(pairing: Pairing) -> Words:
    """Return the label for a bye."""
    return words()["at"]["half" if pairing.half else "bye"]


def table_label(pairing: Pairing) -> Words:
    """Return the label for a table and its players."""
    texts = words()["at"]
    where = bye_label(pairing) if pairing.bye else texts["table"].fill(n=pairing.table)
    who = same(pairing.a) if pairing.bye else pair_label(pairing.a, pairing.b)
    return texts["place"].fill(where=where, who=who)
