"""Tests for an event's codes, scenarios and seals."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import games
from generator.common.fairness import certificate
from generator.common.game import Game
from generator.errors import DataError, NothingLegalError
from generator.model.scenario import Request
from generator.seeds import parse_code
from generator.tournament.event import MODES, Deal, DrawnKit, Event, Scenarios, assign_columns, kit_id, new_secret
from generator.tournament.packing import pack
from generator.tournament.pairings import Pairing, Round, numbered_players, rotation
from generator.tournament.sealing import commitment, commitment_hash, opening, verify_openings

CODE = "K7Q2M-9FHN5"
SECRET = "00112233445566778899aabbccddeeff"
GAME = games.load("battlelore")


def event(**changes: Any) -> Event:
    return replace(Event(GAME, Request(CODE, {}, {}), "Cup"), **changes)


def rounds(*tables: int) -> list[Round]:
    """Return rounds with the given numbers of tables, in which no pair meets twice."""
    return [
        Round(n, tuple(Pairing(t, f"{n}/{t}a", f"{n}/{t}b") for t in range(1, many + 1)))
        for n, many in enumerate(tables, 1)
    ]


def deals(of: Event, *tables: int) -> list[Deal]:
    every = rounds(*tables)
    scenarios = Scenarios(of, every)
    return [scenarios.deal(one.number) for one in every]


def codes(of: Event, *tables: int) -> list[str]:
    return [one.code for deal in deals(of, *tables) for one in deal.drawn]


def only(of: Event, number: int = 1) -> DrawnKit:
    """Return the only scenario of a round."""
    return Scenarios(of, rounds(1, 1, 1)).deal(number).drawn[0]


def test_a_round_alone_draws_what_it_draws_among_others() -> None:
    third = rounds(2, 2, 2)[2]
    for of in (event(), event(mode="per-table")):
        assert Scenarios(of, [third]).deal(3).drawn == deals(of, 2, 2, 2)[2].drawn


def test_no_round_hangs_on_a_later_one_and_a_smaller_one_keeps_its_scenarios() -> None:
    of = event(game=few_scenarios(40), mode="per-table")
    assert codes(of, 3, 4)[:7] == codes(of, 3, 4, 9)[:7]
    assert codes(of, 4, 4, 4) == codes(of, 4, 3, 2)
    (_, small) = deals(of, 4, 3)
    assert (len(small.drawn), len(small.played), list(small.kit_by_table)) == (4, 3, [1, 2, 3])


def test_every_code_is_one_and_draws_its_scenario() -> None:
    drawn = only(event())
    assert parse_code(drawn.code) == drawn.code == drawn.stamp
    assert GAME.draw(Request(drawn.code, {}, {})) == drawn.scenario
    assert not drawn.report.illegal
    assert GAME.fairness
    assert drawn.certificate == certificate(GAME.fairness, drawn.scenario, drawn.report)


def few_scenarios(kinds: int, *, none: bool = False) -> Game[Any]:
    """Return a game with only `kinds` different scenarios. With `none`, half of the codes generate no scenario."""

    def draw(order: Request) -> Any:
        if none and sum(map(ord, order.code)) % 2:
            raise NothingLegalError("nothing")
        return replace(scenario, origin=replace(scenario.origin, code=order.code))

    def write(made: Any) -> str:
        code = made.origin.code
        return f'[play]\ntitle = "{code}"\nkind = {sum(map(ord, code)) % kinds}\n\n[[log]]\nstep = "{code}"\n'

    scenario = GAME.draw(Request(CODE, {}, {}))
    return replace(GAME, draw=draw, write=write)


def kinds(deal: Deal, of: int) -> list[int]:
    """Return the kind of scenario at each table, for the games returned by `choosy`."""
    return [sum(map(ord, one.code)) % of for one in deal.kit_by_table.values()]


@pytest.mark.parametrize("tables", [(3, 3), (4, 2), (2, 4), (1, 2, 3)])
def test_no_two_scenarios_are_alike_as_long_as_there_are_others(tables: tuple[int, ...]) -> None:
    many = sum(max(tables[: n + 1]) for n in range(len(tables)))
    made = deals(event(game=few_scenarios(many), mode="per-table"), *tables)
    meetings = [kind for deal in made for kind in kinds(deal, many)]
    assert len(meetings) == len(set(meetings)) == sum(tables)
    assert not any(deal.repeats for deal in made)


def test_with_too_few_scenarios_tables_change_to_avoid_repeats() -> None:
    of, every = event(game=few_scenarios(4), mode="per-table"), rotation(numbered_players(8), 2)
    scenarios = Scenarios(of, every)
    first, second = (scenarios.deal(n) for n in (1, 2))
    assert sorted(kinds(first, 4)) == sorted(kinds(second, 4)) == [0, 1, 2, 3]
    assert (first.repeats, second.repeats) == ({}, {})
    meetings = [
        (name, kind)
        for r, deal in zip(every, (first, second), strict=True)
        for p, kind in zip(r.tables, kinds(deal, 4), strict=True)
        for name in (p.a, p.b)
    ]
    assert len(meetings) == len(set(meetings)) == 16


def test_of_all_that_is_known_each_table_gets_what_it_has_not_met() -> None:
    every = rotation(numbered_players(6), 5)
    scenarios = Scenarios(event(game=few_scenarios(9), mode="per-table"), every)
    made = [scenarios.deal(one.number) for one in every]
    assert not any(deal.repeats for deal in made)
    assert [len(deal.drawn) for deal in made] == [3, 3, 3, 9, 9]
    # The available codes do not depend on the pairing, so it is possible to commit to a sealed round.
    other = Scenarios(event(game=few_scenarios(9), mode="per-table"), rounds(3, 3, 3, 3, 3))
    assert [one.code for one in other.deal(5).drawn] == [one.code for one in made[4].drawn]


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=4))
def test_as_many_tables_as_may_be_meet_something_new(known: list[list[int]]) -> None:
    def right(columns: Sequence[int]) -> int:
        return sum(not row[column] for row, column in zip(known, columns, strict=True))

    found = assign_columns(known)
    assert [row[column] for row, column in zip(known, found, strict=True)] == [min(row) for row in known]
    alone = max(map(right, permutations(range(4), len(known))))
    new = {column for row, column in zip(known, found, strict=True) if not row[column]}
    assert len(new) >= alone
    assert found == list(range(len(known))) or right(range(len(known))) < len(known)


def test_players_who_meet_a_scenario_again_are_named() -> None:
    every = [Round(1, (Pairing(1, "Ann", "Bob"),)), Round(2, (Pairing(7, "Cid", "ＡＮＮ"), Pairing(9, "Bob", "Dan")))]
    for mode in MODES:
        first, second = (Scenarios(event(game=few_scenarios(1), mode=mode), every).deal(n) for n in (1, 2))
        assert (first.repeats, second.repeats) == ({}, {7: ("ＡＮＮ",), 9: ("Bob",)})


def test_a_code_that_draws_nothing_is_passed_over() -> None:
    assert all(sum(map(ord, code)) % 2 == 0 for code in codes(event(game=few_scenarios(99, none=True)), 1, 1, 1, 1))


def test_a_kit_id_is_not_a_code_and_reveals_nothing_without_the_secret() -> None:
    assert kit_id(SECRET, CODE) != kit_id(new_secret(), CODE)
    drawn = only(event(secret=SECRET))
    assert (len(drawn.stamp), drawn.stamp) == (9, kit_id(event(secret=SECRET).secret_of(1), drawn.code))
    assert drawn.code not in codes(event(), 1, 1, 1)


def test_players_meet_a_scenario_once() -> None:
    of, every = (
        event(mode="per-table"),
        (*rotation(numbered_players(8), 2), Round(3, rotation(numbered_players(7), 3)[2].pairings)),
    )
    scenarios = Scenarios(of, every)
    packed = [pack(of, scenarios.deal(round_.number), round_, (), "en") for round_ in every]
    kits = [kit for one in packed for _, kit, _ in one.contents if kit]
    assert len(kits) == len(set(kits)) == 4 + 4 + 3


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """Return the folder of a sealed event of two rounds with its commitment."""
    of = event(secret=SECRET)
    for n in (1, 2):
        (tmp_path / f"{n}").mkdir()
        (tmp_path / f"{n}" / "opening.json").write_bytes(opening(of, n, [only(of, n)]))
    (tmp_path / "commitment.json").write_bytes(commitment(tmp_path / f"{n}" / "opening.json" for n in (1, 2)))
    return tmp_path


def found(folder: Path, number: int = 1) -> list[str]:
    ((_, faults),) = verify_openings(folder / "commitment.json", [folder / f"{number}" / "opening.json"]).rounds
    return [fault.en for fault in faults]


def test_an_opening_fits_what_was_published(sealed: Path) -> None:
    assert (found(sealed, 1), found(sealed, 2)) == ([], [])
    text = (sealed / "commitment.json").read_text("utf-8")
    assert SECRET not in text
    assert not any(code in text for code in (CODE, *codes(event(secret=SECRET), 1, 1)))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"kit": "', '"kit": "X', "does not give the kit id"),
        ('"event": "Cup"', '"event": "Cap"', "belongs to another event"),
        ('"sha256": "....', '"sha256": "0000', "draws a different scenario"),
        ('"muster": "', '"muster": "9', "different data or another version"),
    ],
)
def test_whatever_was_changed_is_found(sealed: Path, old: str, new: str, expected: str) -> None:
    file = sealed / "1" / "opening.json"
    file.write_text(re.sub(old, new, file.read_text("utf-8"), count=1), "utf-8")
    faults = found(sealed)
    assert "does not match the commitment" in faults[0]
    assert expected in faults[1]


def test_a_scenario_file_beside_the_opening_is_held_against_it(sealed: Path) -> None:
    one = only(event(secret=SECRET))
    file = sealed / "1" / f"scenario-{one.stamp}.toml"
    file.write_bytes(one.text.encode())
    assert found(sealed) == []
    file.write_text(one.text + "#\n", "utf-8")
    assert found(sealed) == [f"round 1: {file} is not the scenario listed in the opening"]


def test_a_round_opened_twice_is_a_fault_and_one_left_closed_is_named(sealed: Path) -> None:
    published, opened = sealed / "commitment.json", sealed / "1" / "opening.json"
    made = verify_openings(published, [opened, opened])
    assert [[fault.en for fault in faults] for _, faults in made.rounds] == [[], ["round 1 is opened twice"]]
    assert (made.unopened, made.commitment_hash) == ((2,), commitment_hash(published.read_bytes()))


def test_a_commitment_that_was_changed(sealed: Path) -> None:
    file = sealed / "commitment.json"
    file.write_text(re.sub('"1": "....', '"1": "0000', file.read_text("utf-8"), count=1), "utf-8")
    with pytest.raises(
        DataError, match=r"commitment.json:8: whole: this hash does not match the hashes under `rounds`"
    ):
        found(sealed)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ":1: is not valid JSON: expecting value"),
        ("[]", ":1: expected a table"),
        ("{\n\n", ":3: is not valid JSON: expecting property name"),
        ('{\n"event": 1}', ":2: event: expected text in quotation marks"),
        ('{\n"event": "a\\u000ab"}', ":2: event: 'a\\nb' does not have the expected form"),
        ('{"rounds": {\n"x": "y"}}', ":2: rounds.x: 'x' does not have the expected form"),
        ('{"whole": 1,\n"whole": 2}', ":1: whole: appears twice"),
        ('{"a":\n[1, NaN]}', ":2: a[2]: nan is not a number"),
        ('{"a":\n' + "9" * 5000 + "}", ":2: a number is too large"),
        ("{\n" + '"a": ' + "[" * 100_000, ":2: nested too deeply"),
        ("\n\xff", ":2: is not UTF-8 text"),
        (" " * (1 << 20) + "{}", ": is larger than 1 MiB"),
    ],
)
def test_invalid_commitments_are_reported_with_their_line(sealed: Path, content: str, expected: str) -> None:
    file = sealed / "commitment.json"
    file.write_text(content, "latin-1")
    with pytest.raises(DataError) as caught:
        found(sealed)
    assert any(line.startswith(f"{file}{expected}") for line in caught.value.lines()), caught.value.lines()


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("secret", "f" * 65, ":5: secret: 'ffff"),
        ("secret", "", ":5: secret: '' does not have the expected form"),
        ("round", 0, ":4: round: 0 is too small"),
        ("round", "1", ":4: round: expected a whole number"),
        ("game", "chess", ":3: game: there is no game named 'chess'"),
        ("scenarios", "both", ":6: scenarios: 'both' is not valid"),
        ("wishes", {"nonesuch": "1"}, ":8: wishes.nonesuch: battlelore does not have this option"),
        ("wishes", {"mode": "x" * 81}, ":8: wishes.mode: has more than 80 characters"),
        ("files", {"deck": {"name": "../x", "sha256": "0" * 64}}, "files.deck.name: is a path"),
        (
            "kits",
            [{"kit": "../../x", "code": "x", "sha256": ""}],
            "kits[1].kit: '../../x' does not have the expected form",
        ),
    ],
)
def test_invalid_openings_are_reported_with_their_line(sealed: Path, key: str, value: object, expected: str) -> None:
    file = sealed / "1" / "opening.json"
    content = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(content | {key: value}, indent=2), "utf-8")
    with pytest.raises(DataError) as caught:
        found(sealed)
    assert any(line.startswith(str(file)) and expected in line for line in caught.value.lines()), caught.value.lines()


def test_a_code_in_an_opening_that_is_none_is_a_fault_of_the_file(sealed: Path) -> None:
    file = sealed / "1" / "opening.json"
    content = json.loads(file.read_text("utf-8"))
    content["kits"][0]["code"] = "K7Q2M-9FJXX"
    file.write_text(json.dumps(content, indent=2), "utf-8")
    with pytest.raises(DataError, match=r"opening\.json:\d+: kits\[1\]: .* is not a valid code"):
        found(sealed)


def test_openings_of_two_events_are_named(sealed: Path) -> None:
    file = sealed / "2" / "opening.json"
    file.write_text(file.read_text("utf-8").replace('"event": "Cup"', '"event": "Cap"'), "utf-8")
    with pytest.raises(DataError, match=r"2/opening\.json: belongs to another event, 'Cap'"):
        commitment(sealed / f"{n}" / "opening.json" for n in (1, 2))
    with pytest.raises(DataError, match="round 1 is in two of the files"):
        commitment([sealed / "1" / "opening.json", copied(sealed)])


def copied(sealed: Path) -> Path:
    (sealed / "copy.json").write_bytes((sealed / "1" / "opening.json").read_bytes())
    return sealed / "copy.json"
