"""Tests that the lowest player without a bye gets the next bye, compared with every way to pair a round."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, enroll
from generator.tournament.matching import pair_round, seats
from generator.tournament.pairings import Entrant
from generator.tournament.ranking import ranks
from tests.tournament.simulated import CODE, Event
from tests.tournament.test_matching import ways


def expected_bye(record: EventRecord) -> str | None:
    """Return the player due for the bye, or None if there is no bye.

    This is the lowest player among all pairings with the fewest rematches and second byes.
    """
    number = record.next_number
    there = seats(record, number)
    if len(there) % 2 == 0:
        return None
    place = {plain(line.player): line.rank for line in ranks(record, number, with_joining=True)}
    best = None
    for way in ways(there, set()):
        bye = next(a for a, b in way if b is None)
        rematches = sum(a.previous_opponents.get(b.name, 0) for a, b in way if b is not None)
        key = (rematches, bye.byes, -place[bye.name])
        if best is None or key < best[0]:
            best = key, bye.name
    assert best is not None
    return best[1]


@pytest.mark.parametrize("seed", range(60))
def test_the_bye_goes_to_the_lowest_who_had_none(seed: int) -> None:
    rng = random.Random(seed)
    players = [Entrant(f"player {n}") for n in range(rng.choice((5, 6, 7)))]
    event = Event(rng, EventRecord("Cup", "battling", CODE, players=tuple(enroll(CODE, players))))
    for _ in range(4):
        event.round()
        for _ in range(rng.randrange(3)):
            if len([p for p in event.event.players if p.is_present(event.event.next_number)]) < 9:
                late_entry = Entrant(f"late {len(event.event.players)}")
                lots = [player.lot for player in event.event.players]
                event.event = event.event.with_player(*enroll(CODE, [late_entry], event.event.next_number, lots))
        here = [player for player in event.event.players if player.is_present(event.event.next_number)]
        if len(here) > 4 and rng.random() < 0.4:
            event.event = event.event.with_player(replace(rng.choice(here), left=event.event.next_number))
        made = pair_round(event.event, event.event.next_number)
        byes = [plain(m.a) for m in made.round.meetings if not m.b]
        assert byes == [name for name in [expected_bye(event.event)] if name]
    event.hold()


def test_a_late_entry_gets_the_bye_before_the_last_player_with_points() -> None:
    """A late entry used to share the rank of the last player, so that a draw of lots decided between them."""
    players = [Entrant(name) for name in "ABCD"]
    event = Event(
        random.Random(1), EventRecord("Cup", "battling", CODE, games=1, players=tuple(enroll(CODE, players)))
    )
    event.round()
    one = event.event.round[0]
    draws = tuple(replace(game, won="draw", score=(1, 1), lost=(0, 0)) for game in one.results)
    event.event = event.event.with_round(replace(one, results=draws))
    for name in "EFGHIJKLMNOPQRSTUVWXYZ"[:20]:
        lots = [player.lot for player in event.event.players]
        record = event.event.with_player(*enroll(CODE, [Entrant(name)], 2, lots))
        (bye,) = [m.a for m in pair_round(record, 2).round.meetings if not m.b]
        assert bye == name
