"""Who meets whom next, and who sits where: a matching of least cost, found by networkx.

What a round had better not do is weighed so that the least of a graver thing outweighs all of the lighter ones.
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
from generator.tournament.ledger import NAME, Book, Meeting, Played, Player
from generator.tournament.pairings import Entrant, Round, moved, rotation
from generator.tournament.ranking import ranks, victor

NEIGHBOURS = 20
"""So many players above and below are looked at first; all of them, where that does not do."""
LEVELS = ("rematches", "second_byes", "bye", "groups", "clubs", "sides", "tables", "order")
"""What a round had better not do, the gravest first: meet again, have a second bye, give the bye to another than the
one whose turn it is, meet out of one's score group, meet one's own team, sit on one side too often, part those who
need tables of their own, leave the drawn order."""
_WIDEN = 2
"""How many of the levels call for a wider look: what is found among neighbours is not yet the least."""


class Seat(msgspec.Struct, frozen=True):
    """A player as pairing sees him, in the order of the standings."""

    name: str
    points: int = 0
    team: str = ""
    table: int = 0
    """The table that he needs; 0 where any will do."""
    met: Mapping[str, int] = {}
    """Whom he has met, and how often."""
    byes: int = 0
    no_bye: bool = False
    """Whether he is never given a bye."""
    turn: int = 0
    """In which turn the bye comes to him: 0 is the first."""
    lean: int = 0
    """How often he had the first side more than the second."""
    last: int = 0
    """1 where he had the first side last, -1 where the second."""
    sat: Mapping[int, int] = {}
    """How often he sat at each table."""
    due: str | None = None
    """Whom a schedule has him meet now: "" means a bye, None no schedule."""


Pair = tuple[Seat, Seat | None]
"""Who meets whom; None is a bye."""


def matched(seats: Sequence[Seat], apart: Iterable[frozenset[str]] = (), single: bool = False) -> list[Pair]:
    """Everybody with an opponent, one with a bye where the number is odd: the best pairs first.

    `apart` never meet; `single` says that each pair plays one game, so that sides count. DataError where those
    who must not meet leave no way.
    """
    never = set(apart)
    width = NEIGHBOURS
    while True:
        found = _matched(seats, never, single, width)
        wide = width >= len(seats)
        if found is not None and (wide or not any(sum(cost) for cost in _costs(found, single)[:_WIDEN])):
            return found
        if wide:
            raise DataError(_impossible(seats, never))
        width *= 2


def cost(pairs: Sequence[Pair], single: bool = False) -> tuple[int, ...]:
    """What a round costs, by level: the least of all tuples is the best round."""
    return tuple(sum(level) for level in _costs(pairs, single))


def _costs(pairs: Sequence[Pair], single: bool) -> list[tuple[int, ...]]:
    return list(zip(*(_cost(a, b, single) for a, b in pairs), strict=True))


def _cost(a: Seat, b: Seat | None, single: bool, apart: int = 0) -> tuple[int, ...]:
    """What a pair costs, by level; `apart` is how far from each other they stand in the drawn order."""
    if b is None:
        scheduled = 0 if a.due is None else int(a.due != "")
        return 0, a.byes, a.turn, scheduled, 0, 0, 0, 0
    met = a.met.get(b.name, 0)
    groups = (a.points - b.points) ** 2 if a.due is None else int(a.due != b.name)
    sides = min((a.lean + 1) ** 2 + (b.lean - 1) ** 2, (a.lean - 1) ** 2 + (b.lean + 1) ** 2) if single else 0
    tables = int(bool(a.table and b.table and a.table != b.table))
    return met, 0, 0, groups, int(bool(a.team) and a.team == b.team), sides, tables, apart


def _matched(seats: Sequence[Seat], never: set[frozenset[str]], single: bool, width: int) -> list[Pair] | None:
    """The best round among neighbours so far apart; None where it leaves somebody out."""
    import networkx

    odd, whole = len(seats) % 2, len(seats) + len(seats) % 2
    edges: dict[tuple[int, int], tuple[int, ...]] = {}
    places = {seat.name: at for at, seat in enumerate(seats)}
    for i, a in enumerate(seats):
        near = set(range(i + 1, min(len(seats), i + width + 1)))
        # Whom a schedule names is looked at however far off he stands.
        near |= {at for at in (places.get(a.due or "", -1),) if at > i}
        for j in sorted(near):
            if frozenset((a.name, seats[j].name)) not in never:
                edges[i, j] = _cost(a, seats[j], single, j - i)
    if odd:
        free = sorted((at for at, seat in enumerate(seats) if not seat.no_bye), key=lambda at: _bye(seats[at]))
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


def _bye(seat: Seat) -> tuple[int, ...]:
    """Who has the bye first."""
    return seat.byes, int(seat.due not in (None, "")), seat.turn


def _scales(costs: Sequence[tuple[int, ...]], pairs: int) -> list[int]:
    """For each level a number so great that one of it outweighs all that the lighter levels can come to."""
    scales, scale = [], 1
    for level in reversed(range(len(LEVELS))):
        scales.append(scale)
        scale *= 1 + pairs * max(levels[level] for levels in costs)
    return scales[::-1]


def _impossible(seats: Sequence[Seat], never: set[frozenset[str]]) -> Problem:
    """What to say where no round can be made."""
    kept = sorted(
        (seat for seat in seats if any(seat.name in pair for pair in never) or seat.no_bye),
        key=lambda seat: seat.name,
    )
    hint = tr("allow one of them: {names}", names=[seat.name for seat in kept[:8]]) if kept else ""
    return Problem(tr("the players kept apart or barred from byes leave no way to pair everyone"), hint=hint)


def sided(a: Seat, b: Seat, first: bool) -> tuple[Seat, Seat]:
    """The two with the first side before: whoever had it less, or not last; `first` decides where nothing does."""
    one, other = (a.lean, a.last), (b.lean, b.last)
    if one == other:
        return (a, b) if first else (b, a)
    return (a, b) if one < other else (b, a)


def tables(pairs: Sequence[tuple[Seat, Seat]], moving: bool = False) -> tuple[list[int], list[Seat]]:
    """The table of each pair from the first on, and whose need for one gave way.

    `moving` sends everybody to tables where they sat least.
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
    if moving:
        places |= dict(zip(left, moved([[seat.sat for seat in pairs[at]] for at in left], open_), strict=True))
    else:
        places |= dict(zip(left, open_, strict=True))
    missed = [seat for at, pair in enumerate(pairs) for seat in pair if seat.table not in (0, places[at])]
    return [places[at] for at in range(len(pairs))], missed


class Next(msgspec.Struct, frozen=True):
    """A round that was paired, and what had to give way for it."""

    round: Played
    again: tuple[tuple[str, str], ...] = ()
    """Who meet again."""
    second: tuple[str, ...] = ()
    """Who has a second bye."""
    mates: tuple[tuple[str, str], ...] = ()
    """Who meet although they are of one team."""
    moved: tuple[str, ...] = ()
    """Who has not the table that he needs."""


def seats(book: Book, number: int) -> list[Seat]:
    """Everybody who is to be paired in a round, by points, then in an order drawn for it."""
    lines = {plain(line.player): line for line in ranks(book, number)}
    # Who joins now has no points, and is among the lowest: the bye is theirs before that of others who had none.
    places = {plain(line.player): line.rank for line in ranks(book, number, with_joining=True)} if lines else {}
    here = [player for player in book.players if player.plays(number)]
    stream = RngStreams(book.code, "v1/tournament-order").at(str(number))
    drawn = {plain(p.name): at for at, p in enumerate(stream.shuffle(sorted(here, key=lambda p: p.lot)))}
    past = [one for one in book.round if one.number < number]
    facts = {plain(player.name): _Facts() for player in book.players}
    for one in past:
        for m in one.meetings:
            a, b = facts[plain(m.a)], facts[plain(m.b)] if m.b else None
            a.note(m, plain(m.b), 1)
            if b:
                b.note(m, plain(m.a), -1)
    due = _due(book, number, here) if book.system == "rotation" else {}

    def points(player: Player) -> int:
        return lines[plain(player.name)].points if plain(player.name) in lines else 0

    def low(player: Player) -> tuple[int, ...]:
        at = plain(player.name)
        return (0, drawn[at]) if book.byes == "drawn" else (-places.get(at, 0), drawn[at])

    turns = {plain(p.name): at for at, p in enumerate(sorted(here, key=low))}
    made = []
    for p in sorted(here, key=lambda p: (-points(p), drawn[plain(p.name)])):
        of, at = facts[plain(p.name)], plain(p.name)
        turn = 0 if due else turns[at]
        # A player barred from byes may still have asked for one himself.
        made.append(
            Seat(at, points(p), plain(p.team) if p.team else "", p.table, of.met, of.byes, p.no_bye, turn,
                 of.lean, of.last, of.sat, due.get(at))
        )  # fmt: skip
    return made


class _Facts:
    """What a player did in the rounds before."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self.sat: Counter[int] = Counter()
        self.byes = self.lean = self.last = 0

    def note(self, m: Meeting, other: str, side: int) -> None:
        """A round; `side` is 1 where he had the first side, else -1."""
        if not other:
            self.byes += 1
            return
        self.met[other] += 1
        self.sat[m.table] += 1
        self.lean, self.last = self.lean + side, side


def _due(book: Book, number: int, here: Sequence[Player]) -> dict[str, str]:
    """Whom the rotation has each player meet: whoever came late sits where somebody left."""
    found: dict[str, str] = {}
    first = [p for p in book.players if p.since == 1]
    late = [p for p in here if p.since > 1]
    seated = [p if p in here or not late else late.pop(0) for p in first] + late
    done = number - min([number, *(one.number for one in book.round)]) + 1
    for p in rotation([Entrant(p.name) for p in seated], done)[-1].pairings if len(seated) > 1 else ():
        found |= {plain(p.a): plain(p.b) if p.b else "", **({plain(p.b): plain(p.a)} if p.b else {})}
    return found


def paired(book: Book, number: int) -> Next:
    """The next round as the book's own system has it; DataError where those who must not meet leave no way."""
    there = seats(book, number)
    if len(there) < 2:
        raise DataError(Problem(tr("players in round {n}: {count}", n=number, count=len(there)), NAME))
    apart = [frozenset(map(plain, pair)) for pair in book.apart]
    return settled(book, number, matched(there, apart, book.games == 1), there)


def settled(book: Book, number: int, pairs: Sequence[Pair], there: Sequence[Seat], keep: bool = False) -> Next:
    """Pairs with their tables and sides, unless these are kept as they are, and what gave way."""
    names = {plain(player.name): player for player in book.players}
    order = {seat.name: at for at, seat in enumerate(there)}
    stream = RngStreams(book.code, "v1/tournament-sides").at(str(number))
    met = [(a, b) for a, b in pairs if b is not None]
    met.sort(key=lambda pair: sorted(order[seat.name] for seat in pair))
    sat = met if keep else [sided(a, b, stream.chance(1, 2)) for a, b in met]
    numbers, missed = tables(sat, book.system == "rotation")
    meetings = [
        Meeting(names[a.name].name, names[b.name].name, table, _teams(names[a.name], names[b.name]))
        for (a, b), table in zip(sat, numbers, strict=True)
    ]
    meetings.sort(key=lambda m: m.table)
    meetings += [Meeting(names[a.name].name, team=names[a.name].team) for a, b in pairs if b is None]
    meetings += [
        Meeting(p.name, team=p.team, half=True) for p in book.players if p.here(number) and number in p.rests
    ]
    return Next(
        Played(number, tuple(meetings)),
        tuple((names[a.name].name, names[b.name].name) for a, b in sat if b.name in a.met),
        tuple(names[a.name].name for a, b in pairs if b is None and a.byes),
        tuple((names[a.name].name, names[b.name].name) for a, b in sat if a.team and a.team == b.team),
        tuple(names[seat.name].name for seat in missed),
    )


def _teams(a: Player, b: Player) -> str:
    return " – ".join(filter(None, dict.fromkeys((a.team, b.team))))[:NAME_LIMIT]


def final(book: Book, number: int, cut: int) -> Next:
    """The next round of the final: the best against the last, or whoever won the tables of the round before it.

    WrongUsageError where there are too few, or a table has no winner yet.
    """
    before = book.round[-1] if book.round else None
    if before and before.final:
        place = {plain(line.player): at for at, line in enumerate(ranks(book, min(
            one.number for one in book.round if one.final)))}  # fmt: skip
        won = [victor(book, before, m, place) for m in before.tables]
        through = [name for name in won if name]
        if len(through) < len(won) or len(through) < 2:
            raise WrongUsageError(tr("the final is over, or a table of it has no winner yet"))
        halves = [(through[at], through[at + 1]) for at in range(0, len(through), 2)]
    else:
        here = {plain(player.name) for player in book.players if player.here(number)}
        best = [line.player for line in ranks(book) if plain(line.player) in here][:cut]
        if len(best) < cut:
            told = tr("the final is for {cut} players, but the event has only {count}", cut=cut, count=len(best))
            raise WrongUsageError(told, hint=tr("set `cut` to a smaller number, or add players"))
        # 1–8, 4–5, 2–7, 3–6: the two best meet last.
        order = {2: (0, 1), 4: (0, 3, 1, 2), 8: (0, 7, 3, 4, 1, 6, 2, 5)}[cut]
        seeds = [best[at] for at in order]
        halves = [(seeds[at], seeds[at + 1]) for at in range(0, cut, 2)]
    teams = {plain(player.name): player for player in book.players}
    meetings = tuple(
        Meeting(a, b, at, _teams(teams[plain(a)], teams[plain(b)])) for at, (a, b) in enumerate(halves, 1)
    )
    met = {frozenset((plain(m.a), plain(m.b))) for one in book.round if one.number < number for m in one.tables}
    again = tuple((a, b) for a, b in halves if frozenset((plain(a), plain(b))) in met)
    return Next(Played(number, meetings, final=2 * len(meetings)), again)


def repeats(book: Book, rounds: Iterable[Round]) -> list[tuple[int, str, str, int]]:
    """Who meet again in rounds that were paired elsewhere: the round, both names, and where they met first."""
    given = {one.number: one for one in rounds}
    every = {one.number: one.of() for one in book.round} | given
    met: dict[frozenset[str], int] = {}
    found = []
    for number in sorted(every):
        for p in every[number].tables:
            pair = frozenset((plain(p.a), plain(p.b)))
            if pair in met and number in given:
                found.append((number, p.a, p.b, met[pair]))
            met.setdefault(pair, number)
    return found


def unless_again(book: Book, given: Sequence[Round], allowed: bool) -> list[tuple[int, str, str, int]]:
    """Who meet again in rounds paired elsewhere; WrongUsageError names them where that was not allowed.

    It names those who never meet in any case.
    """
    never = {frozenset(map(plain, pair)) for pair in book.apart}
    hint = tr("{file} keeps these two players apart", file=NAME)
    WrongUsageError.raise_if_any(
        Problem(tr("round {n}: {a} and {b} must not be paired", n=one.number, a=p.a, b=p.b), hint=hint)
        for one in given
        for p in one.tables
        if frozenset((plain(p.a), plain(p.b))) in never
    )
    found, hint = repeats(book, given), tr("--allow-rematch accepts these pairings unchanged")
    WrongUsageError.raise_if_any(
        Problem(tr("round {n}: {a} and {b} already met in round {before}", n=n, a=a, b=b, before=before), hint=hint)
        for n, a, b, before in (() if allowed else found)
    )
    return found
