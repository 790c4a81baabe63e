"""Tests for the value of a bye, for new tables in every round, and for the pairings by name."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.tournament import trf
from generator.tournament.csv_files import plain
from generator.tournament.dutch import _dutch_player
from generator.tournament.event_file import EventRecord, Game, Meeting, Played, enroll
from generator.tournament.matching import pair_round, seats
from generator.tournament.pages import bye_slip, event_kit, name_list
from generator.tournament.pairings import BYE_VALUES, ByeValue, Entrant, Pairing, Round, spread_over_tables
from generator.tournament.ranking import ranks, results
from generator.tournament.scores import standings_note
from tests.cli.run import muster
from tests.tournament.simulated import CODE, Event
from tests.tournament.test_pages import event, page_text, without_spaces

PLAYERS = tuple(enroll(CODE, [Entrant(name) for name in ("Ann", "Bob", "Cid", "Dan", "Eve")]))
POINTS: dict[tuple[ByeValue, int], tuple[int, int]] = {
    ("full", 2): (4, 2), ("half", 2): (2, 1), ("zero", 2): (0, 0),
    ("full", 1): (2, 1), ("half", 1): (1, 0), ("zero", 1): (0, 0),
}  # fmt: skip
"""The points and the wins of a bye, by its value and the number of games at a table."""


def record_of(bye: ByeValue, games: int = 2) -> EventRecord:
    """Return an event whose first round has a game, a bye, a rest and a win by forfeit."""
    made = EventRecord("Cup", "battling", CODE, games=1 if games == 1 else 2, bye=bye, players=PLAYERS)
    meetings = (
        Meeting("Ann", "Bob", 1),
        Meeting("Cid"),
        Meeting("Dan", half=True),
        Meeting("Eve", against="Zoe"),
    )
    played = tuple(Game(1, number, "a", (3, 1), (0, 0)) for number in range(1, games + 1))
    return replace(made, round=(Played(1, meetings, results=played),))


@pytest.mark.parametrize("bye", BYE_VALUES)
@pytest.mark.parametrize("games", [1, 2])
def test_a_bye_has_the_value_of_the_event_and_a_forfeit_is_a_win(bye: ByeValue, games: int) -> None:
    record = record_of(bye, games)
    lines = {line.player: line for line in ranks(record)}
    assert (lines["Cid"].points, lines["Cid"].wins) == POINTS[bye, games]
    assert (lines["Dan"].points, lines["Dan"].wins) == POINTS["half", games]
    assert (lines["Eve"].points, lines["Eve"].wins) == POINTS["full", games]
    # The next round is paired by these points.
    by_name = {seat.name: seat.points for seat in seats(record, 2)}
    assert by_name[plain("Cid")] == POINTS[bye, games][0]
    assert by_name[plain("Eve")] == POINTS["full", games][0]


@pytest.mark.parametrize("bye", BYE_VALUES)
@pytest.mark.parametrize("lang", LANGS)
def test_slip_and_note_state_the_value_of_the_bye(bye: ByeValue, lang: Lang) -> None:
    points, wins = POINTS[bye, 2]
    of = replace(event(), games=2, bye=bye)
    text = page_text(print_kit(event_kit(of, "", bye_slip(of, 1, Pairing(0, "Cid", ""))), PrintSettings(lang)))
    assert (
        without_spaces({"en": f"points {points}, games won {wins}", "ja": f"勝ち点{points}、{wins}勝"}[lang]) in text
    )
    record = record_of(bye)
    note = standings_note(ranks(record), results(record), 2, bye)[lang]
    assert {"en": f"{points} for a bye (games won: {wins})", "ja": f"不戦勝は勝ち点{points}・{wins}勝"}[lang] in note


@pytest.mark.parametrize("bye", BYE_VALUES)
def test_a_trf_states_the_points_of_the_bye(bye: ByeValue) -> None:
    text = trf.write(record_of(bye)).decode()
    lines = {line[14:47].strip(): line for line in text.splitlines() if line.startswith("001")}
    worth = {"full": 1.0, "half": 0.5, "zero": 0.0}[bye]
    assert float(lines["Cid"][80:84]) == worth and lines["Cid"].endswith("U")
    assert float(lines["Dan"][80:84]) == 0.5 and lines["Dan"].endswith("H")
    assert float(lines["Eve"][80:84]) == 1.0
    assert (f"BBU {worth:4.1f}" in text) is (bye != "full")


@pytest.mark.parametrize("bye", BYE_VALUES)
def test_the_dutch_system_pairs_by_the_points_of_the_bye(bye: ByeValue) -> None:
    record = record_of(bye)
    by_name = {seat.name: seat for seat in seats(record, 2)}
    scores = {name: _dutch_player(record, record.round, seat, 1)["score"] for name, seat in by_name.items()}
    assert scores[plain("Cid")] == {"full": 1.0, "half": 0.5, "zero": 0.0}[bye]
    assert scores[plain("Dan")] == 0.5 and scores[plain("Eve")] == 1.0


def test_the_command_writes_the_value_and_near_matches_are_reported(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ann\nBob\nCid\n", encoding="utf-8")
    new = ("tournament", "new", "battling", "--players", names, "-o", tmp_path / "cup")
    assert muster(*new, "--bye", "half").code == 0
    text = (tmp_path / "cup" / "event.toml").read_text(encoding="utf-8")
    assert 'bye = "half"' in text
    (tmp_path / "cup" / "event.toml").write_text(text.replace('"half"', '"halve"'), encoding="utf-8")
    status = muster("tournament", "status", tmp_path / "cup")
    assert status.code == 3 and "half" in status.err


@pytest.mark.parametrize("seed", range(40))
def test_no_player_returns_to_a_table_if_the_pairing_allows_it(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.choice((6, 8, 9, 12))
    players = enroll(CODE, [Entrant(f"player {n}") for n in range(count)])
    made = Event(rng, EventRecord("Cup", "battling", CODE, players=tuple(players)))
    for _ in range(3):
        there = {seat.name: seat.tables_used for seat in seats(made.event, made.event.next_number)}
        tables = pair_round(made.event, made.event.next_number).round.tables
        returns = any(there[plain(name)].get(m.table) for m in tables for name in (m.a, m.b))
        if returns:
            free = [m.table for m in tables]
            assert not any(
                not any(
                    there[plain(name)].get(table)
                    for m, table in zip(tables, order, strict=True)
                    for name in (m.a, m.b)
                )
                for order in permutations(free)
            )
        made.round()
    made.hold()


def test_a_complete_matching_is_found_where_swaps_do_not_suffice() -> None:
    rng = random.Random(5)
    for _ in range(300):
        count = rng.randrange(2, 6)
        sat = [
            [{table: rng.randrange(3) for table in rng.sample(range(1, count + 1), rng.randrange(count))}]
            for _ in range(count)
        ]
        found = spread_over_tables(sat, range(1, count + 1))
        assert sorted(found) == list(range(1, count + 1))
        possible = any(
            not any(of[0].get(table) for of, table in zip(sat, order, strict=True))
            for order in permutations(range(1, count + 1))
        )
        assert possible is not any(of[0].get(table) for of, table in zip(sat, found, strict=True))


def test_the_first_round_has_the_tables_in_order() -> None:
    made = pair_round(EventRecord("Cup", "battling", CODE, players=PLAYERS), 1)
    assert [m.table for m in made.round.tables] == [1, 2]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("players", "pages"), [(7, 1), (36, 2), (64, 4)])
def test_pairings_by_name_list_every_player_with_the_table(lang: Lang, players: int, pages: int) -> None:
    names = [f"{chr(90 - n % 26)}player {n}" for n in range(players)]
    pairs = [Pairing(n + 1, a, b) for n, (a, b) in enumerate(zip(names[::2], names[1::2], strict=False))]
    byes = [Pairing(0, names[-1], "")] if players % 2 else []
    pdf = print_kit(event_kit(event(), "", name_list(event(), Round(3, (*pairs, *byes)))), PrintSettings(lang))
    assert preflight(pdf, "a4", lang) == []
    assert len(pypdfium2.PdfDocument(pdf)) <= pages
    text = page_text(pdf)
    places = [
        text.index(without_spaces(name)) for name in sorted(names, key=plain) if text.count(without_spaces(name))
    ]
    assert len(places) == players
