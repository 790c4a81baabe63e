"""Compute the standings of an event from its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, Game, Meeting, Played, is_disputed
from generator.tournament.pairings import MAX_ROUNDS, ByeValue
from generator.tournament.scores import Rank, Result, bye_halves, of_played_rounds, standings


def results(event_record: EventRecord, before: int = MAX_ROUNDS + 1, finals: bool = False) -> tuple[Result, ...]:
    """Return every game and bye of the rounds before `before`, or of the final if `finals` is true.

    Games without a result are open.
    """
    found: list[Result] = []
    for one in event_record.round:
        if one.number >= before or bool(one.final) != finals:
            continue
        games = {(game.table, game.game): game for game in one.results}
        for m in one.meetings:
            if not m.b:
                halves = bye_halves(event_record.games, bye_value(event_record, m))
                found.append(Result(one.number, 0, 0, m.a, "", halves=halves))
                continue
            for number in range(1, event_record.games + 1):
                found.append(_result(event_record, one.number, m, games.get((m.table, number)), number))
    return tuple(found)


def bye_value(event_record: EventRecord, m: Meeting) -> ByeValue:
    """Return what a bye counts as. A win by forfeit is always full, and a rest that the player asked for is half."""
    return "full" if m.against else "half" if m.half else event_record.bye


def _result(event_record: EventRecord, round_: int, m: Meeting, game: Game | None, number: int) -> Result:
    """Return the result of a game. A bid of banners is subtracted from the score."""
    if game is None:
        return Result(round_, m.table, number, m.a, m.b)
    bid = game.bid if event_record.bid == "banners" else (0, 0)
    scores = game.score[0] - bid[0], game.score[1] - bid[1]
    return Result(round_, m.table, number, m.a, m.b, game.won, scores, game.lost, is_disputed(game, event_record.bid))


def ranks(event_record: EventRecord, before: int | None = None, with_joining: bool = False) -> tuple[Rank, ...]:
    """Return the standings of all players who have ever played.

    Finalists come first, ranked by their progress. The last tie-break is the lot.

    With `before`, only rounds before this number count. By default, all rounds with a result count, so that byes
    of a round that has only been paired do not count yet. With `with_joining`, players who join in round `before`
    are included.
    """
    lots = {plain(player.name): player.lot for player in event_record.players}
    end = MAX_ROUNDS + 1 if before is None else before
    found = results(event_record, end)
    counted = of_played_rounds(found) if before is None else found
    lines = standings(counted, lots, [p.name for p in event_record.players if p.since < end + with_joining])
    stage = _worst_places(event_record, end, lines)
    ordered = sorted(lines, key=lambda line: (stage.get(plain(line.player), len(lines)), line.rank))
    return tuple(replace(line, rank=at) for at, line in enumerate(ordered, 1)) if stage else lines


def _worst_places(event_record: EventRecord, before: int, lines: Sequence[Rank]) -> dict[str, int]:
    """Return the worst place that each finalist can still get, keyed by plain name. Empty if there was no final."""
    place = {plain(line.player): at for at, line in enumerate(lines)}
    found: dict[str, int] = {}
    for one in event_record.round:
        if one.final and one.number < before:
            for m in one.tables:
                winner = winner_of_table(event_record, one, m, place)
                for name in (m.a, m.b):
                    at = plain(name)
                    found[at] = one.final if winner is None else one.final // 2 if name == winner else one.final
                    found[at] = 1 if one.final == 2 and name == winner else found[at]
    return found


def winner_of_table(event_record: EventRecord, one: Played, m: Meeting, place: Mapping[str, int]) -> str | None:
    """Return the winner at a table of the final, or None if a game is still open.

    The criteria are games won, margin, losses, and the place before the final.
    """
    games = [game for game in one.results if game.table == m.table]
    if len(games) < event_record.games:
        return None
    found = [_result(event_record, one.number, m, game, game.game) for game in games]
    tests = (
        sum((g.outcome == "a") - (g.outcome == "b") for g in found),
        sum(g.scores[0] - g.scores[1] for g in found),
        sum(g.lost[1] - g.lost[0] for g in found),
        place[plain(m.b)] - place[plain(m.a)],
    )
    return m.a if next((n for n in tests if n), 1) > 0 else m.b
