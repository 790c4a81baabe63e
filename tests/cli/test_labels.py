"""Tests that a name printed on a sheet is accepted as an option's value, in either language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.common.game import Game, GameOption
from tests.cli.conftest import CODE
from tests.cli.run import muster


def labelled_choices(game: Game[Any]) -> list[tuple[GameOption, str, str]]:
    """Return each choice of a game's options whose label differs from the choice, with the label in each language."""
    return [
        (option, choice, label[lang])
        for option in game.options
        for choice, label in game.option_labels(option).items()
        if choice in option.choices
        for lang in ("en", "ja")
        if label[lang] != choice
    ]


@pytest.mark.parametrize("game", games.names())
def test_every_label_finds_its_choice(game: str) -> None:
    of = games.load(game)
    found = labelled_choices(of)
    assert len(found) >= 20
    unclear = [
        (option.name, choice, label) for option, choice, label in found if of.find_choice(option, label) != choice
    ]
    shared = {(name, label) for name, _, label in unclear}
    assert len(shared) * 2 <= len(unclear), "a label that does not find its choice belongs to several"


@pytest.mark.parametrize(
    ("game", "option", "name", "word"),
    [
        ("battlelore", "--map", "The Broken Ridge", "long_ridge"),
        ("battlelore", "--map", "the  broken ridge", "long_ridge"),
        ("battlelore", "--map", "Saint Ivo’s Weir", "saint_ivo"),
        ("battlelore", "--map", "聖イヴォの堰", "saint_ivo"),
        ("battling", "--arena", "Shanty Town", "shanties"),
    ],
)
def test_a_printed_name_draws_what_its_word_draws(game: str, option: str, name: str, word: str) -> None:
    drawn = muster("draw", game, "--seed", CODE, option, name, "-o", "-")
    assert drawn.code == 0 and drawn.out == muster("draw", game, "--seed", CODE, option, word, "-o", "-").out


def test_a_misspelt_name_is_answered_with_the_printed_one(here: Path) -> None:
    assert "did you mean The Broken Ridge?" in muster("draw", "battlelore", "--map", "The Broken Rigde").err
    assert "accepted: alder_fords" in muster("draw", "battlelore", "--map", "Nowhere").err


def test_boards_are_printed_by_their_printed_names(here: Path) -> None:
    done = muster("boards", "battling", "--board", "Shanty Town", "-o", "out.pdf")
    assert done.code == 0, done.err
    assert (here / "out.pdf").read_bytes().startswith(b"%PDF")
