"""Published adventures typed whole: hands and banners by camp."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.battlelore.forces import ByCamp
from generator.games.battlelore.told_playing import PlayReporter
from tests.games.battlelore.adventures import TEXTS, fired, loaded, printed, typed

GAMES = tuple(TEXTS)
BY_CAMP = "hand = { pennant = 6, standard = 4 }\nbanners = { pennant = 4, standard = 5 }\n"


@pytest.mark.parametrize("game", GAMES)
def test_hands_and_banners_may_differ_by_camp(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, typed(game, BY_CAMP))
    plain = loaded(tmp_path, typed(game))
    assert fired(of) == fired(plain)
    assert (of.scenario.hand, of.scenario.banners) == (ByCamp(6, 4), ByCamp(4, 5))
    engine = PlayReporter(of.scenario, (0,))
    assert (engine.hands, engine.goals) == ((6, 4), (4, 5))
    written = of.game.write(of.scenario)
    assert BY_CAMP.splitlines()[0] in written and BY_CAMP.splitlines()[1] in written
    exported = of.game.export(of.scenario)
    assert (exported["hand"], exported["banners"], exported["hands"]) == (None, None, {"pennant": 6, "standard": 4})


@pytest.mark.parametrize("game", GAMES)
def test_they_are_printed_where_players_look_for_them(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, typed(game, BY_CAMP))
    cover, setup, records = (printed(of, "en", part) for part in ("cover", "setup", "records"))
    assert "4 banners" in cover and "5 banners" in cover and "6 cards" in cover and "4 cards" in cover
    assert "Pennant 4, Standard 5" in setup and "Banners to win, Standard" in setup
    assert "the first to take 4 wins" in records and "the first to take 5 wins" in records
    assert "Command hand: 6 cards" in records and "Command hand: 4 cards" in records
    assert "5 本" in printed(of, "ja", "cover") and "手札：6 枚" in printed(of, "ja", "records")


def test_equal_numbers_by_camp_are_one_number(tmp_path: Path) -> None:
    of = loaded(tmp_path, typed("battlelore", "banners = { pennant = 5, standard = 5 }\n"))
    assert of.scenario.banners == 5 and "banners = 5\n" in of.game.write(of.scenario)


def test_a_battle_with_other_aims_for_a_camp_is_not_symmetrical(tmp_path: Path) -> None:
    of = loaded(tmp_path, typed("battlelore", BY_CAMP))
    assert of.game.fairness
    texts = [text.en for text in of.game.fairness.mirrored(of.scenario)]
    assert "The numbers of banners to win differ" in texts and "The command hands differ in size" in texts


FAULTS = {
    "hand = { pennant = 6 }": "play.hand: `standard` is missing",
    "banners = { pennant = 4, standart = 5 }": "play.banners.standart: unknown field",
    "banners = { pennant = 0, standard = 5 }": "play.banners.pennant: 0 is too small",
    "banners = 'four'": "play.banners: expected a whole number or a table",
}


@pytest.mark.parametrize("line", FAULTS)
def test_wrong_numbers_by_camp_are_refused_with_key_and_line(tmp_path: Path, line: str) -> None:
    text = typed("battlelore", f"{line}\n")
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    assert FAULTS[line] in fault.value.problems[0].message
    assert text.splitlines()[fault.value.problems[0].line - 1] == line
