"""Pair a round by FIDE's Dutch system, using caissify-pairings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.errors import WrongUsageError, install_hint
from generator.localization import tr
from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, Played
from generator.tournament.matching import PairedRound, PlayerPair, Seat, seat_pairs, seats
from generator.tournament.trf import BYE_HALVES, round_result, total_rounds


def pair_dutch(event_record: EventRecord, number_: int) -> PairedRound:
    """Pair the next round by FIDE's Dutch system.

    Raises:
        WrongUsageError: If caissify-pairings is not installed or finds no pairing.
    """
    try:
        from caissify_pairings import generate_pairings
    except ImportError as error:
        hint = install_hint("caissify-pairings>=0.5,<0.6")
        raise WrongUsageError(
            tr("--system dutch needs the package caissify-pairings, which is not installed"), hint=hint
        ) from error
    there = seats(event_record, number_)
    order = {plain(player.name): at for at, player in enumerate(event_record.players, 1)}
    never = {(min(of), max(of)) for pair in event_record.apart for of in [[order[plain(name)] for name in pair]]}
    past = [one for one in event_record.round if one.number < number_]
    past_pairs = {
        (min(of), max(of)) for one in past for m in one.tables for of in [[order[plain(m.a)], order[plain(m.b)]]]
    }
    made = generate_pairings(
        system="dutch",
        players=[_dutch_player(event_record, past, seat, order[seat.name]) for seat in there],
        previous_pairings=past_pairs | never,
        round_number=number_,
        total_rounds=max(total_rounds(event_record), number_),
    )
    at = {order[seat.name]: seat for seat in there}
    pairs: list[PlayerPair] = [(at[one["white_id"]], at.get(one.get("black_id") or 0)) for one in made]
    if sorted(seat.name for pair in pairs for seat in pair if seat) != sorted(seat.name for seat in there):
        raise WrongUsageError(
            tr("not everyone can be paired, because some players must not meet or must not get a bye")
        )
    return seat_pairs(event_record, number_, pairs, there, keep=True)


def _dutch_player(event_record: EventRecord, past: Sequence[Played], seat: Seat, at: int) -> Mapping[str, object]:
    """Return a player in the format of caissify-pairings, with scores, colours and floats of the rounds so far.

    A player who is barred from byes is entered as having had one, because the system gives no player a second bye.
    """
    key, score, colours, floats, byes = seat.name, 0.0, [], [], int(seat.no_bye)
    worth = {"1": 1.0, "F": 1.0, "U": BYE_HALVES[event_record.bye] / 2, "=": 0.5, "H": 0.5}
    before = {plain(player.name): 0.0 for player in event_record.players}
    for one in past:
        other, colour, mark = round_result(event_record, one, key)
        if other:
            colours.append("white" if colour == "w" else "black")
            points, opponent_points = before[key], before[other]
            floats.append("down" if points > opponent_points else "up" if points < opponent_points else "none")
        elif mark != "Z":
            byes += 1
            floats.append("down")
        score += worth.get(mark, 0.0)
        for name in before:
            before[name] += worth.get(round_result(event_record, one, name)[2], 0.0)
    return {
        "id": at, "name": key, "score": score, "rating": 0, "starting_number": at,
        "color_hist": colours, "float_history": floats, "bye_count": byes,
    }  # fmt: skip
