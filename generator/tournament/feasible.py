"""How many rounds so many players can play without a rematch."""

from __future__ import annotations

from generator.tournament.event_file import EventRecord


def possible_rounds(players: int) -> int:
    """How many rounds there are at most in which nobody meets anybody twice: a round robin."""
    return players - 1 + players % 2


def safe_rounds(players: int) -> int:
    """How many rounds can be paired by results, whatever they are, without a rematch or a second bye.

    A bye counts as an opponent that each player meets at most once, so that an odd number is as the even one above
    it, n. In round r everybody has n - r opponents left. They have no pairing among these if the players fall apart
    into two groups of odd size: the smaller one, of s <= n / 2 players, allows s - 1 opponents each. So round
    n - s + 1, for the largest odd s, is the first that may be stuck: 4 of 6 players, 6 of 8, 6 of 10, 8 of 12.
    """
    even = players + players % 2
    half = even // 2
    return even - (half if half % 2 else half - 1)


def too_few_players(event_record: EventRecord, players: int) -> tuple[str, dict[str, int]] | None:
    """Which sentence warns that players are too few for an event's rounds, with its values; None if they are not."""
    if players < 2 or not event_record.rounds:
        return None
    values = {"n": players, "m": event_record.rounds, "most": possible_rounds(players)}
    if event_record.rounds > values["most"]:
        return "too_few", values
    if event_record.system != "rotation" and event_record.rounds > safe_rounds(players):
        return "few_rounds", values | {"first": safe_rounds(players) + 1}
    return None
