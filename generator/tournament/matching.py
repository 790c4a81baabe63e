"""Pair a round and assign tables. The pairing is a minimum-cost matching computed by networkx.

The faults of a round have levels. The weights are chosen so that one fault of a more serious level outweighs any
number of faults of less serious levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.notation.text import NAME_LIMIT
from generator.seeds import RngStreams
from generator.tournament.csv_files import plain
from generator.tournament.event_file import NAME, EventRecord, Meeting, Played, Player
from generator.tournament.pairings import Entrant, Round, rotation, spread_over_tables
from generator.tournament.ranking import ranks, winner_of_table

FIRST_WIDTH = 20
"""The number of players below each player that are tried as opponents at first. It is doubled if it does not suffice.
"""
LEVELS = ("rematches", "second_byes", "bye", "groups", "clubs", "sides", "tables", "order")
"""The levels of faults that a round should avoid, the most serious first.

They are a rematch, a second bye, a bye for a player whose turn it is not, a meeting of different score groups, a
meeting within a team, an uneven number of games on each side, a meeting of players who need different tables, and
a departure from the drawn order.
"""
_WIDENING_LEVELS = 2
"""The number of levels, from the first, whose faults cause more opponents to be tried.

The minimum among nearby players need not be the overall minimum.
"""


class Seat(msgspec.Struct, frozen=True):
    """A player to be paired. Seats are listed in the order of the standings."""

    name: str
    points: int = 0
    team: str = ""
    table: int = 0
    """The table that the player needs, or 0 if the player can use any table."""
    previous_opponents: Mapping[str, int] = {}
    """The number of meetings with each earlier opponent."""
    byes: int = 0
    no_bye: bool = False
    """Whether the player must not have a bye."""
    bye_turn: int = 0
    """The player's position in the order of byes, counted from 0."""
    side_balance: int = 0
    """The number of games on the first side minus the number on the second side."""
    last_side: int = 0
    """1 if the player was last on the first side, -1 if on the second side, or 0 before the first game."""
    tables_used: Mapping[int, int] = {}
    """The number of rounds at each table, keyed by table."""
    scheduled_opponent: str | None = None
    """The scheduled opponent: an empty string for a bye, or None if there is no schedule."""


PlayerPair = tuple[Seat, Seat | None]
"""Two players, or a player and None for a bye."""


def match_players(
    seats: Sequence[Seat], apart: Iterable[frozenset[str]] = (), single: bool = False
) -> list[PlayerPair]:
    """Pair all players, with a bye if their number is odd. The best players' pairs come first.

    The pairs in `apart` never meet. `single` means that each pair plays one game, so that the balance of sides
    counts.

    Raises:
        DataError: If not everyone can be paired because of players who must not meet.
    """
    never = set(apart)
    width = FIRST_WIDTH
    while True:
        found = _match_within(seats, never, single, width)
        wide = width >= len(seats)
        if found is not None and (wide or not any(sum(cost) for cost in _costs(found, single)[:_WIDENING_LEVELS])):
            return found
        if wide:
            raise DataError(_no_pairing_problem(seats, never))
        width *= 2


def cost(pairs: Sequence[PlayerPair], single: bool = False) -> tuple[int, ...]:
    """Return the cost of a round by level. The best round has the smallest tuple."""
    return tuple(sum(level) for level in _costs(pairs, single))


def _costs(pairs: Sequence[PlayerPair], single: bool) -> list[tuple[int, ...]]:
    return list(zip(*(_cost(a, b, single) for a, b in pairs), strict=True))


def _cost(a: Seat, b: Seat | None, single: bool, apart: int = 0) -> tuple[int, ...]:
    """Return the cost of a pair by level. `apart` is the distance of the two players in the drawn order."""
    if b is None:
        scheduled = 0 if a.scheduled_opponent is None else int(a.scheduled_opponent != "")
        return 0, a.byes, a.bye_turn, scheduled, 0, 0, 0, 0
    meetings = a.previous_opponents.get(b.name, 0)
    groups = (a.points - b.points) ** 2 if a.scheduled_opponent is None else int(a.scheduled_opponent != b.name)
    sides = (
        min(
            (a.side_balance + 1) ** 2 + (b.side_balance - 1) ** 2,
            (a.side_balance - 1) ** 2 + (b.side_balance + 1) ** 2,
        )
        if single
        else 0
    )
    tables = int(bool(a.table and b.table and a.table != b.table))
    return meetings, 0, 0, groups, int(bool(a.team) and a.team == b.team), sides, tables, apart


def _match_within(
    seats: Sequence[Seat], never: set[frozenset[str]], single: bool, width: int
) -> list[PlayerPair] | None:
    """Return the best round with opponents at most `width` places apart, or None if not everyone can be paired."""
    import networkx

    odd, whole = len(seats) % 2, len(seats) + len(seats) % 2
    edges: dict[tuple[int, int], tuple[int, ...]] = {}
    places = {seat.name: at for at, seat in enumerate(seats)}
    for i, a in enumerate(seats):
        near = set(range(i + 1, min(len(seats), i + width + 1)))
        # The scheduled opponent is tried at any distance.
        near |= {at for at in (places.get(a.scheduled_opponent or "", -1),) if at > i}
        for j in sorted(near):
            if frozenset((a.name, seats[j].name)) not in never:
                edges[i, j] = _cost(a, seats[j], single, j - i)
    if odd:
        free = sorted((at for at, seat in enumerate(seats) if not seat.no_bye), key=lambda at: _bye_order(seats[at]))
        edges |= {(at, len(seats)): _cost(seats[at], None, single) for at in free[:width]}
    if not edges:
        return [] if not seats else None
    graph: Any = networkx.Graph()
    scales = _scales(list(edges.values()), whole // 2)
    for (i, j), levels in edges.items():
        graph.add_edge(i, j, weight=-sum(n * scale for n, scale in zip(levels, scales, strict=True)))
    made = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(made) < whole:
        return None
    couples = sorted(tuple(sorted(pair)) for pair in made)
    return [(seats[i], seats[j] if j < len(seats) else None) for i, j in couples]


def _bye_order(seat: Seat) -> tuple[int, ...]:
    """Return a key for sorting players by their claim to a bye."""
    return seat.byes, int(seat.scheduled_opponent not in (None, "")), seat.bye_turn


def _scales(costs: Sequence[tuple[int, ...]], pairs: int) -> list[int]:
    """Return a weight for each level such that one fault outweighs all possible faults of less serious levels."""
    scales, scale = [], 1
    for level in reversed(range(len(LEVELS))):
        scales.append(scale)
        scale *= 1 + pairs * max(levels[level] for levels in costs)
    return scales[::-1]


def _no_pairing_problem(seats: Sequence[Seat], never: set[frozenset[str]]) -> Problem:
    """Return the problem that not everyone can be paired."""
    kept = sorted(
        (seat for seat in seats if any(seat.name in pair for pair in never) or seat.no_bye),
        key=lambda seat: seat.name,
    )
    hint = (
        tr("lift the restriction for one of these players: {names}", names=[seat.name for seat in kept[:8]])
        if kept
        else ""
    )
    return Problem(
        tr("not everyone can be paired, because some players must not meet or must not get a bye"), hint=hint
    )


def order_by_side(a: Seat, b: Seat, first: bool) -> tuple[Seat, Seat]:
    """Return two players in the order of sides. First is the one who had the first side less often, or not last.

    If neither criterion decides, `first` does.
    """
    one, other = (a.side_balance, a.last_side), (b.side_balance, b.last_side)
    if one == other:
        return (a, b) if first else (b, a)
    return (a, b) if one < other else (b, a)


def assign_tables(pairs: Sequence[tuple[Seat, Seat]]) -> tuple[list[int], list[Seat]]:
    """Return a table for each pair, and the players who do not get the table they need. Tables are counted from 1.

    The first pair gets the first table, unless a player has already been at that table. No player returns to a table
    if the pairing allows it.
    """
    taken: dict[int, int] = {}
    for at, pair in enumerate(pairs):
        for need in sorted(seat.table for seat in pair if seat.table):
            if need not in taken and at not in taken.values():
                taken[need] = at
    places = {at: table for table, at in taken.items()}
    free = (n for n in range(1, 2 * len(pairs) + 1) if n not in taken)
    left = [at for at in range(len(pairs)) if at not in places]
    open_ = [next(free) for _ in left]
    used = [[seat.tables_used for seat in pairs[at]] for at in left]
    places |= dict(zip(left, spread_over_tables(used, open_), strict=True))
    missed = [seat for at, pair in enumerate(pairs) for seat in pair if seat.table not in (0, places[at])]
    return [places[at] for at in range(len(pairs))], missed


class PairedRound(msgspec.Struct, frozen=True):
    """A paired round with the faults that could not be avoided."""

    round: Played
    rematches: tuple[tuple[str, str], ...] = ()
    """The pairs that have already met."""
    second_byes: tuple[str, ...] = ()
    """The players with a second bye."""
    teammates: tuple[tuple[str, str], ...] = ()
    """The pairs of players of the same team."""
    without_needed_table: tuple[str, ...] = ()
    """The players who do not get the table they need."""


def seats(event_record: EventRecord, number: int) -> list[Seat]:
    """Return the players to be paired in a round, sorted by points and then in an order drawn for the round."""
    lines = {plain(line.player): line for line in ranks(event_record, number)}
    # Players who join now have no points and are therefore among the lowest, so they get a bye before other players.
    places = (
        {plain(line.player): line.rank for line in ranks(event_record, number, with_joining=True)} if lines else {}
    )
    here = [player for player in event_record.players if player.is_paired(number)]
    stream = RngStreams(event_record.code, "v1/tournament-order").at(str(number))
    drawn = {plain(p.name): at for at, p in enumerate(stream.shuffle(sorted(here, key=lambda p: p.lot)))}
    past = [one for one in event_record.round if one.number < number]
    facts = {plain(player.name): _History() for player in event_record.players}
    for one in past:
        for m in one.meetings:
            a, b = facts[plain(m.a)], facts[plain(m.b)] if m.b else None
            a.add(m, plain(m.b), 1)
            if b:
                b.add(m, plain(m.a), -1)
    due = _scheduled_opponents(event_record, number, here) if event_record.system == "rotation" else {}

    def points(player: Player) -> int:
        return lines[plain(player.name)].points if plain(player.name) in lines else 0

    def low(player: Player) -> tuple[int, ...]:
        at = plain(player.name)
        return (0, drawn[at]) if event_record.byes == "drawn" else (-places.get(at, 0), drawn[at])

    turns = {plain(p.name): at for at, p in enumerate(sorted(here, key=low))}
    made = []
    for p in sorted(here, key=lambda p: (-points(p), drawn[plain(p.name)])):
        of, at = facts[plain(p.name)], plain(p.name)
        turn = 0 if due else turns[at]
        # A player who is barred from byes may still have asked for a bye.
        made.append(
            Seat(at, points(p), plain(p.team) if p.team else "", p.table, of.previous_opponents, of.byes, p.no_bye,
                 turn, of.side_balance, of.last_side, of.tables_used, due.get(at))
        )  # fmt: skip
    return made


class _History:
    """A summary of a player's earlier rounds."""

    def __init__(self) -> None:
        self.previous_opponents: Counter[str] = Counter()
        self.tables_used: Counter[int] = Counter()
        self.byes = self.side_balance = self.last_side = 0

    def add(self, m: Meeting, other: str, side: int) -> None:
        """Add a round. `side` is 1 for the first side and -1 for the second side."""
        if not other:
            self.byes += 1
            return
        self.previous_opponents[other] += 1
        self.tables_used[m.table] += 1
        self.side_balance, self.last_side = self.side_balance + side, side


def _scheduled_opponents(event_record: EventRecord, number: int, here: Sequence[Player]) -> dict[str, str]:
    """Return the scheduled opponent of each player in a rotation.

    Late players take the places of players who left.
    """
    found: dict[str, str] = {}
    first = [p for p in event_record.players if p.since == 1]
    joined_later = [p for p in here if p.since > 1]
    seated = [p if p in here or not joined_later else joined_later.pop(0) for p in first] + joined_later
    done = number - min([number, *(one.number for one in event_record.round)]) + 1
    for p in rotation([Entrant(p.name) for p in seated], done)[-1].pairings if len(seated) > 1 else ():
        found |= {plain(p.a): plain(p.b) if p.b else "", **({plain(p.b): plain(p.a)} if p.b else {})}
    return found


def pair_round(event_record: EventRecord, number: int) -> PairedRound:
    """Pair a round with the event's own system.

    Raises:
        DataError: If not everyone can be paired because of players who must not meet.
    """
    there = seats(event_record, number)
    if len(there) < 2:
        raise DataError(
            Problem(
                tr(
                    "round {n} needs at least 2 players, but the number of players is {count}",
                    n=number,
                    count=len(there),
                ),
                NAME,
            )
        )
    apart = [frozenset(map(plain, pair)) for pair in event_record.apart]
    return seat_pairs(event_record, number, match_players(there, apart, event_record.games == 1), there)


def seat_pairs(
    event_record: EventRecord, number: int, pairs: Sequence[PlayerPair], there: Sequence[Seat], keep: bool = False
) -> PairedRound:
    """Assign tables and sides to pairs, and list the unavoidable faults. With `keep`, the given sides are kept."""
    names = {plain(player.name): player for player in event_record.players}
    order = {seat.name: at for at, seat in enumerate(there)}
    stream = RngStreams(event_record.code, "v1/tournament-sides").at(str(number))
    with_opponent = [(a, b) for a, b in pairs if b is not None]
    with_opponent.sort(key=lambda pair: sorted(order[seat.name] for seat in pair))
    in_seats = with_opponent if keep else [order_by_side(a, b, stream.chance(1, 2)) for a, b in with_opponent]
    numbers, missed = assign_tables(in_seats)
    meetings = [
        Meeting(names[a.name].name, names[b.name].name, table, _teams(names[a.name], names[b.name]))
        for (a, b), table in zip(in_seats, numbers, strict=True)
    ]
    meetings.sort(key=lambda m: m.table)
    meetings += [Meeting(names[a.name].name, team=names[a.name].team) for a, b in pairs if b is None]
    meetings += [
        Meeting(p.name, team=p.team, half=True)
        for p in event_record.players
        if p.is_present(number) and number in p.rests
    ]
    return PairedRound(
        Played(number, tuple(meetings)),
        tuple((names[a.name].name, names[b.name].name) for a, b in in_seats if b.name in a.previous_opponents),
        tuple(names[a.name].name for a, b in pairs if b is None and a.byes),
        tuple((names[a.name].name, names[b.name].name) for a, b in in_seats if a.team and a.team == b.team),
        tuple(names[seat.name].name for seat in missed),
    )


def _teams(a: Player, b: Player) -> str:
    return " – ".join(filter(None, dict.fromkeys((a.team, b.team))))[:NAME_LIMIT]


def pair_final(event_record: EventRecord, number: int, cut: int) -> PairedRound:
    """Pair the next round of the final: the best player against the last one, or the winners of the previous round.

    Raises:
        WrongUsageError: If there are too few players, or a table has no winner yet.
    """
    before = event_record.round[-1] if event_record.round else None
    if before and before.final:
        place = {plain(line.player): at for at, line in enumerate(ranks(event_record, min(
            one.number for one in event_record.round if one.final)))}  # fmt: skip
        won = [winner_of_table(event_record, before, m, place) for m in before.tables]
        through = [name for name in won if name]
        if len(through) < len(won) or len(through) < 2:
            raise WrongUsageError(tr("the final is over, or one of its tables has no winner yet"))
        halves = [(through[at], through[at + 1]) for at in range(0, len(through), 2)]
    else:
        here = {plain(player.name) for player in event_record.players if player.is_present(number)}
        best = [line.player for line in ranks(event_record) if plain(line.player) in here][:cut]
        if len(best) < cut:
            message = tr("the final is for {cut} players, but the event has only {count}", cut=cut, count=len(best))
            raise WrongUsageError(message, hint=tr("set `cut` to a smaller number, or add players"))
        # With the order 1–8, 4–5, 2–7, 3–6, the two best players meet last.
        order = {2: (0, 1), 4: (0, 3, 1, 2), 8: (0, 7, 3, 4, 1, 6, 2, 5)}[cut]
        seeds = [best[at] for at in order]
        halves = [(seeds[at], seeds[at + 1]) for at in range(0, cut, 2)]
    teams = {plain(player.name): player for player in event_record.players}
    meetings = tuple(
        Meeting(a, b, at, _teams(teams[plain(a)], teams[plain(b)])) for at, (a, b) in enumerate(halves, 1)
    )
    past_pairs = {
        frozenset((plain(m.a), plain(m.b))) for one in event_record.round if one.number < number for m in one.tables
    }
    again = tuple((a, b) for a, b in halves if frozenset((plain(a), plain(b))) in past_pairs)
    return PairedRound(Played(number, meetings, final=2 * len(meetings)), again)


def find_rematches(event_record: EventRecord, rounds: Iterable[Round]) -> list[tuple[int, str, str, int]]:
    """Return the rematches in rounds that were paired elsewhere.

    Each has the number of the round, both names, and the number of the round in which the players first met.
    """
    given = {one.number: one for one in rounds}
    every = {one.number: one.as_round() for one in event_record.round} | given
    first_met_in: dict[frozenset[str], int] = {}
    found = []
    for number in sorted(every):
        for p in every[number].tables:
            pair = frozenset((plain(p.a), plain(p.b)))
            if pair in first_met_in and number in given:
                found.append((number, p.a, p.b, first_met_in[pair]))
            first_met_in.setdefault(pair, number)
    return found


def check_rematches(
    event_record: EventRecord, given: Sequence[Round], allowed: bool
) -> list[tuple[int, str, str, int]]:
    """Return the rematches in rounds that were paired elsewhere.

    Raises:
        WrongUsageError: If rematches are not `allowed`, or players meet who must be kept apart.
    """
    never = {frozenset(map(plain, pair)) for pair in event_record.apart}
    hint = tr("{file} lists these two players as players who must not meet", file=NAME)
    WrongUsageError.raise_if_any(
        Problem(tr("round {n}: {a} and {b} must not be paired", n=one.number, a=p.a, b=p.b), hint=hint)
        for one in given
        for p in one.tables
        if frozenset((plain(p.a), plain(p.b))) in never
    )
    found, hint = find_rematches(event_record, given), tr("--allow-rematch accepts these pairings unchanged")
    WrongUsageError.raise_if_any(
        Problem(tr("round {n}: {a} and {b} already met in round {before}", n=n, a=a, b=b, before=before), hint=hint)
        for n, a, b, before in (() if allowed else found)
    )
    return found
