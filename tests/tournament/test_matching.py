"""Tests for pairings, compared with every possible round for few players, and over whole events for many."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from generator.errors import DataError
from generator.tournament import matching
from generator.tournament.event_file import EventRecord, Game, Played, enroll
from generator.tournament.matching import PlayerPair, Seat, cost, match_players, pair_round
from generator.tournament.pairings import MAX_PLAYERS, Entrant, numbered_players, rotation
from generator.tournament.ranking import ranks
from tests.tournament.simulated import CODE, Event, simulated


def ways(seats: Sequence[Seat], never: set[frozenset[str]]) -> Iterator[list[PlayerPair]]:
    """Yield every possible round."""
    if not seats:
        yield []
        return
    first, *rest = seats
    if len(seats) % 2 and not first.no_bye:
        yield from ([(first, None), *way] for way in _even(rest, never))
    for at, other in enumerate(rest):
        if frozenset((first.name, other.name)) not in never:
            for way in ways([*rest[:at], *rest[at + 1 :]], never):
                yield [(first, other), *way]


def _even(seats: Sequence[Seat], never: set[frozenset[str]]) -> Iterator[list[PlayerPair]]:
    yield from ways(seats, never)


def drawn(rnd: random.Random, count: int) -> tuple[list[Seat], set[frozenset[str]]]:
    """Return players with random previous meetings, and pairs that must not meet."""
    names = [f"p{n}" for n in range(count)]
    meetings = {name: Counter[str]() for name in names}
    for _ in range(rnd.randrange(2 * count)):
        a, b = rnd.sample(names, 2)
        meetings[a][b] += 1
        meetings[b][a] += 1
    turns = rnd.sample(range(count), count)
    points = sorted((rnd.randrange(0, 8, 2) for _ in names), reverse=True)
    seats = [
        Seat(
            name, points[at], rnd.choice(["", "x", "y"]), rnd.choice([0, 0, 1, 2]), meetings[name], rnd.randrange(2),
            rnd.random() < 0.1, turns[at], rnd.randrange(-2, 3), rnd.choice([-1, 0, 1]),
        )
        for at, name in enumerate(names)
    ]  # fmt: skip
    never = {frozenset(rnd.sample(names, 2)) for _ in range(rnd.randrange(3))}
    return seats, never


@pytest.mark.parametrize("number", range(120))
def test_no_round_is_better_than_the_one_that_is_found(number: int) -> None:
    rnd = random.Random(number)
    single = rnd.random() < 0.5
    seats, never = drawn(rnd, rnd.randrange(2, 9))
    # Random order comes last, and decides between rounds that are otherwise equal.
    best = min((cost(way, single) for way in ways(seats, never)), default=None)
    if best is None:
        with pytest.raises(DataError, match="not everyone can be paired"):
            match_players(seats, never, single)
    else:
        found = match_players(seats, never, single)
        assert cost(found, single) == best
        assert sorted(s.name for pair in found for s in pair if s) == sorted(s.name for s in seats)
        assert not any(b and frozenset((a.name, b.name)) in never for a, b in found)


def test_a_worse_fault_outweighs_any_number_of_lesser_faults() -> None:
    """Ann and Bob of one team are at the top.

    Separating them moves both out of their score groups, which is worse.
    """
    ann, bob = (Seat(name, 8, "lions") for name in ("ann", "bob"))
    cid, dan = (Seat(name, 0) for name in ("cid", "dan"))
    assert [(a.name, b.name) for a, b in match_players([ann, bob, cid, dan]) if b] == [("ann", "bob"), ("cid", "dan")]
    meetings = Seat("ann", 8, "lions", previous_opponents={"bob": 1})
    assert {(a.name, b.name) for a, b in match_players([meetings, bob, cid, dan]) if b} in (
        {("ann", "cid"), ("bob", "dan")},
        {("ann", "dan"), ("bob", "cid")},
    )


def test_with_many_players_the_search_widens_to_avoid_rematches() -> None:
    """All neighbours have met, so the pairs are farther apart than the width of the first search."""
    names = [f"p{n}" for n in range(60)]
    near = [
        Seat(
            name,
            previous_opponents={other: 1 for at, other in enumerate(names) if abs(at - n) <= matching.FIRST_WIDTH},
        )
        for n, name in enumerate(names)
    ]
    assert cost(match_players(near))[0] == 0


def test_tables_that_are_needed_come_first() -> None:
    pairs = [(Seat("a"), Seat("b")), (Seat("c", table=1), Seat("d")), (Seat("e", table=9), Seat("f", table=1))]
    assert matching.assign_tables(pairs) == ([2, 1, 9], [pairs[2][1]])


@pytest.mark.parametrize("players", [4, 6, 7, 12, 20])
def test_in_a_rotation_tables_and_sides_move(players: int) -> None:
    rounds = rotation(numbered_players(players), players - 1 + players % 2)
    first, sat = Counter[str](), Counter[tuple[str, int]]()
    for one in rounds:
        for p in one.tables:
            first[p.a] += 1
            sat[p.a, p.table] += 1
            sat[p.b, p.table] += 1
    games = len(rounds) - players % 2
    assert all(abs(2 * first[f"#{n}"] - games) <= 3 for n in range(1, players + 1)), first
    maximum = -(-games // (players // 2))
    assert max(sat.values()) <= maximum + 2, sat.most_common(3)


def test_the_largest_rotation_is_made_in_seconds() -> None:
    assert len(rotation(numbered_players(MAX_PLAYERS), 3)[-1].tables) == MAX_PLAYERS // 2


@pytest.mark.parametrize("seed", range(25))
def test_an_event_from_its_first_round_to_its_last(seed: int) -> None:
    simulated(random.Random(seed), maximum=24).hold()


def test_a_round_robin_is_complete_and_a_drop_out_causes_no_second_bye() -> None:
    record = EventRecord(
        "Cup", "g", CODE, system="rotation", players=tuple(enroll(CODE, [Entrant(n) for n in "ABCDEF"]))
    )
    event = Event(random.Random(1), record)
    for _ in range(5):
        event.round()
    meetings = {frozenset((m.a, m.b)) for one in event.event.round for m in one.tables}
    assert len(meetings) == 15


def test_byes_go_to_the_lowest_once_each_or_as_the_organiser_says() -> None:
    players = tuple(enroll(CODE, [Entrant(n) for n in "ABCDE"]))
    barred = (*players[:4], type(players[4])("E", players[4].lot, no_bye=True))
    event = Event(random.Random(3), EventRecord("Cup", "g", CODE, players=barred))
    for _ in range(4):
        number = event.event.next_number
        before = {line.player: line.rank for line in ranks(event.event)}
        event.round()
        (bye,) = [m.a for m in event.event.round[-1].meetings if not m.b]
        had = {m.a for one in event.event.round[:-1] for m in one.meetings if not m.b}
        free = [name for name in "ABCD" if name not in had]
        assert bye in free
        if number > 1:
            assert before[bye] == max(before[name] for name in free)


def test_a_half_bye_that_was_asked_for_is_worth_half_and_counts_as_one() -> None:
    players = enroll(CODE, [Entrant(n) for n in "ABCDE"])
    players[0] = type(players[0])("A", players[0].lot, rests=(1,))
    made = pair_round(EventRecord("Cup", "g", CODE, players=tuple(players)), 1)
    assert [(m.a, m.half) for m in made.round.meetings if not m.b] == [("A", True)]
    record = EventRecord("Cup", "g", CODE, players=tuple(players), round=(made.round,))
    (line,) = [line for line in ranks(record, 2) if line.player == "A"]
    assert (line.points, line.wins) == (2, 1)


def test_a_final_of_four_begins_with_the_best_against_the_last() -> None:
    players = tuple(enroll(CODE, [Entrant(n) for n in "ABCDEF"]))
    event = Event(random.Random(5), EventRecord("Cup", "g", CODE, players=players))
    for _ in range(2):
        event.round()
    seeds = [line.player for line in ranks(event.event)]
    first = matching.pair_final(event.event, 3, 4).round
    assert [(m.a, m.b) for m in first.tables] == [(seeds[0], seeds[3]), (seeds[1], seeds[2])]
    assert first.final == 4
    won = tuple(Game(m.table, game, "b") for m in first.tables for game in (1, 2))
    record = event.event.with_round(Played(3, first.meetings, won, final=4))
    last = matching.pair_final(record, 4, 0).round
    assert [(m.a, m.b, last.final) for m in last.tables] == [(seeds[3], seeds[2], 2)]
    won = tuple(Game(1, game, "a") for game in (1, 2))
    record = record.with_round(Played(4, last.meetings, won, final=2))
    assert [line.player for line in ranks(record)][:4] == [seeds[3], seeds[2], seeds[0], seeds[1]]
