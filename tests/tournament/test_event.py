"""An event's codes, its scenarios, and what seals them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator import games
from generator.draw.codes import parse_code
from generator.errors import DataError, NothingLegalError
from generator.games.capability import Game
from generator.model.scenario import Order
from generator.tournament.event import Event, Scenarios
from generator.tournament.kitid import kit_id, new_secret
from generator.tournament.packing import pack
from generator.tournament.pairings import rotation
from generator.tournament.sealing import commitment, opening, revealed

CODE = "K7Q2M-9FJXT"
SECRET = "00112233445566778899aabbccddeeff"
GAME = games.load("battlelore")


def event(**changes: Any) -> Event:
    return replace(Event(GAME, Order(CODE, {}, {}), "Cup"), **changes)


def codes(of: Event, rounds: int, count: int = 1) -> list[str]:
    scenarios = Scenarios(of)
    return [scenarios.drawn(n, i, count).code for n in range(1, rounds + 1) for i in range(count)]


def test_a_round_alone_draws_what_it_draws_among_others() -> None:
    assert Scenarios(event()).drawn(3, 0, 1).text == [Scenarios(event()).drawn(n, 0, 1) for n in (1, 2, 3)][2].text
    assert codes(event(), 3, 2)[4] == Scenarios(event()).drawn(3, 0, 2).code


def test_every_code_is_one_and_draws_its_scenario() -> None:
    drawn = Scenarios(event()).drawn(1, 0, 1)
    assert parse_code(drawn.code) == drawn.code == drawn.stamp
    assert GAME.draw(Order(drawn.code, {}, {})) == drawn.scenario
    assert not drawn.report.illegal


def choosy(kinds: int, *, none: bool = False) -> Game[Any]:
    """A game that has so many scenarios only, alike but for title and log; or none for half the codes."""

    def draw(order: Order) -> Any:
        if none and sum(map(ord, order.code)) % 2:
            raise NothingLegalError("nothing")
        return replace(scenario, origin=replace(scenario.origin, code=order.code))

    def write(made: Any) -> str:
        code = made.origin.code
        return f'[play]\ntitle = "{code}"\nkind = {sum(map(ord, code)) % kinds}\n\n[[log]]\nstep = "{code}"\n'

    scenario = GAME.draw(Order(CODE, {}, {}))
    return msgspec.structs.replace(GAME, draw=draw, write=write)


def test_no_two_scenarios_are_alike_as_long_as_there_are_others() -> None:
    of = event(game=choosy(6), mode="per-table")
    scenarios = Scenarios(of)
    drawn = [scenarios.drawn(n, i, 3) for n in (1, 2) for i in range(3)]
    assert len({sum(map(ord, one.code)) % 6 for one in drawn}) == 6
    assert not any(one.again for one in drawn)
    assert scenarios.drawn(3, 0, 3).again


def test_a_code_that_draws_nothing_is_passed_over() -> None:
    assert all(sum(map(ord, code)) % 2 == 0 for code in codes(event(game=choosy(99, none=True)), 4))


def test_a_kit_id_is_no_code_and_tells_nothing_without_the_secret() -> None:
    assert kit_id(SECRET, CODE) != kit_id(new_secret(), CODE)
    shown = Scenarios(event(secret=SECRET)).drawn(1, 0, 1)
    assert (len(shown.stamp), shown.stamp) == (9, kit_id(event(secret=SECRET).secret_of(1), shown.code))
    assert shown.code not in codes(event(), 3)


def test_players_meet_a_scenario_once(tmp_path: Path) -> None:
    of, scenarios = event(mode="per-table"), Scenarios(event(mode="per-table"))
    packed = [pack(of, scenarios, round_, (), "en") for round_ in rotation(6, 3)]
    kits = [kit for one in packed for kit in one.kits if kit]
    assert len(kits) == len(set(kits)) == 9


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A sealed event of two rounds, committed to."""
    of, scenarios = event(secret=SECRET), Scenarios(event(secret=SECRET))
    for n in (1, 2):
        (tmp_path / f"{n}").mkdir()
        (tmp_path / f"{n}" / "opening.json").write_bytes(opening(of, n, [scenarios.drawn(n, 0, 1)]))
    (tmp_path / "commitment.json").write_bytes(commitment(tmp_path / f"{n}" / "opening.json" for n in (1, 2)))
    return tmp_path


def found(folder: Path, number: int = 1) -> list[str]:
    ((_, faults),) = revealed(folder / "commitment.json", [folder / f"{number}" / "opening.json"])
    return [fault.en for fault in faults]


def test_an_opening_fits_what_was_published(sealed: Path) -> None:
    assert (found(sealed, 1), found(sealed, 2)) == ([], [])
    text = (sealed / "commitment.json").read_text("utf-8")
    assert SECRET not in text
    assert not any(code in text for code in (CODE, *codes(event(secret=SECRET), 2)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"kit": "', '"kit": "X', "does not give the kit id"),
        ('"event": "Cup"', '"event": "Cap"', "of another event"),
        ('"sha256": "', '"sha256": "0', "draws another scenario"),
        ('"muster": "', '"muster": "9', "other data or another version"),
    ],
)
def test_whatever_was_changed_is_found(sealed: Path, old: str, new: str, said: str) -> None:
    file = sealed / "1" / "opening.json"
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
    faults = found(sealed)
    assert "not the one committed to" in faults[0]
    assert said in faults[1]


def test_a_commitment_that_was_changed(sealed: Path) -> None:
    file = sealed / "commitment.json"
    file.write_text(file.read_text("utf-8").replace('"1": "', '"1": "0', 1), "utf-8")
    with pytest.raises(DataError, match="do not come to its hash"):
        found(sealed)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"event": 1}', "[" * 100_000, "\xff"])
def test_what_is_no_commitment(sealed: Path, content: str) -> None:
    (sealed / "commitment.json").write_text(content, "latin-1")
    with pytest.raises(DataError, match="is no commitment"):
        found(sealed)
