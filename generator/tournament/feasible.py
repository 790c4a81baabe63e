"""Count the rounds that a number of players can play without a rematch."""

from __future__ import annotations

from generator.tournament.event_file import EventRecord


def possible_rounds(players: int) -> int:
    """Return the maximum number of rounds without a rematch: a round robin."""
    return players - 1 + players % 2


def safe_rounds(players: int) -> int:
    """Return the number of rounds that can always be paired by results without a rematch or second bye.

    A bye counts as an opponent that each player meets at most once, so that an odd number counts as n, the even
    number above it. In round r every player has n - r opponents left. No pairing among these exists if the players
    fall apart into two groups of odd size: the smaller one, of s <= n / 2 players, allows s - 1 opponents each. So
    round n - s + 1, for the largest odd s, is the first that may fail: 4 of 6 players, 6 of 8, 6 of 10, 8 of 12.
    """
    even = players + players % 2
    half = even // 2
    return even - (half if half % 2 else half - 1)


def too_few_players(event_record: EventRecord, players: int) -> tuple[str, dict[str, int]] | None:
    """Return key and values of the warning that players are too few for the rounds; None if they are not."""
    if players < 2 or not event_record.rounds:
        return None
    values = {"n": players, "m": event_record.rounds, "most": possible_rounds(players)}
    if event_record.rounds > values["most"]:
        return "too_few", values
    if event_record.system != "rotation" and event_record.rounds > safe_rounds(players):
        return "few_rounds", values | {"first": safe_rounds(players) + 1}
    return None
