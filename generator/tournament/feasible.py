"""Compute how many rounds a number of players can play without a rematch."""

from __future__ import annotations

from generator.tournament.event_file import EventRecord


def possible_rounds(players: int) -> int:
    """Return the maximum number of rounds without a rematch, which is the length of a round robin."""
    return players - 1 + players % 2


def safe_rounds(players: int) -> int:
    """Return the number of rounds that can always be paired by results without a rematch or a second bye.

    A bye counts as an opponent that each player meets at most once, so an odd number of players counts as the next
    even number n. In round r, every player has n - r opponents left. There is no pairing if the players split into
    two groups of odd size that cannot meet. The smaller group has s <= n / 2 players, each with at most s - 1
    opponents. The first round that may fail is therefore round n - s + 1 for the largest odd s: round 4 for 6
    players, 6 for 8, 6 for 10, and 8 for 12.
    """
    even = players + players % 2
    half = even // 2
    return even - (half if half % 2 else half - 1)


def too_few_players(event_record: EventRecord, players: int) -> tuple[str, dict[str, int]] | None:
    """Return the key and the values of a warning if there are too few players for the rounds, and None otherwise."""
    if players < 2 or not event_record.rounds:
        return None
    values = {"n": players, "m": event_record.rounds, "most": possible_rounds(players)}
    if event_record.rounds > values["most"]:
        return "too_few", values
    if event_record.system != "rotation" and event_record.rounds > safe_rounds(players):
        return "few_rounds", values | {"first": safe_rounds(players) + 1}
    return None
