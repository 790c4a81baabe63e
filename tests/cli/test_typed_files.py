"""Tests that coordinates, cards and ids in files are accepted in either case and in full width."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from generator import games
from generator.cli.scenario import load
from tests.cli.conftest import CODE
from tests.cli.run import muster

WORDS = (
    "age army at besieger boards card cell centre defender facing garrison hex id kind leader left legate machine "
    "map mode name owner placed plan player profile reserve right set stack unit wall"
)
"""Keys whose values are coordinates, cards or ids in the files of the games."""
FULL_WIDTH = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, range(0x21, 0x7F)) if letter not in '"-_'}


def in_full_width(text: str) -> str:
    return text.translate(FULL_WIDTH)


VARIANTS = (str.lower, str.upper, in_full_width)


def as_entered(text: str, rng: random.Random) -> tuple[str, int]:
    """Return a file with its words in other cases and widths, except in the log, and the number of changed words."""
    body, *log = re.split(r"(?m)^(?=\[\[log\]\])", text)
    changed = 0

    def vary(word: re.Match[str]) -> str:
        nonlocal changed
        new = rng.choice(VARIANTS)(word[2])
        changed += new != word[2]
        return f'{word[1]}"{new}"'

    head, *rows = re.split(r"(?m)^(?=\[(?:board|arena|map|rulings)\])", body)
    head = re.sub(
        r'(?m)^(first|moves_first|setup|age|mode)( = )"(\w+)"',
        lambda key: f'{key[1]}{key[2]}"{key[3].upper()}"',
        head,
    )
    entered = "".join(re.sub(rf'\b((?:{WORDS.replace(" ", "|")}) = )"([ !#-~]+)"', vary, part) for part in rows)
    entered = re.sub(r'("|, )"([A-Z][0-9]+)"', lambda cell: f'{cell[1]}"{cell[2].lower()}"', entered)
    return head + entered + "".join(log), changed


@pytest.mark.parametrize("name", ["saint_ivo", "plaza", "crow_wood", "luznice"])
def test_a_name_and_a_note_in_one_language_are_enough(here: Path, name: str) -> None:
    """A scenario accepts its title as one text; maps, boards and arenas demanded a Japanese name."""
    assert muster("data", "copy", name, "-o", "mine.toml").code == 0
    lines = Path("mine.toml").read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(("name = ", "note = ", "name.", "note."))]
    at = next(n for n, line in enumerate(kept) if not line.startswith("#"))
    kept[at:at] = ['name = "My Ground"', 'note = "Mind the gap."']
    Path("mine.toml").write_text("\n".join(kept) + "\n", "utf-8")
    done = muster("data", "check", "mine.toml", "--lang", "ja")
    assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("game", games.names())
def test_words_are_read_in_either_case_and_in_full_width_and_written_in_standard_form(here: Path, game: str) -> None:
    assert muster("draw", game, "--seed", CODE, "-o", "s.toml").code == 0
    drawn = load(here / "s.toml")
    rng = random.Random(f"{game} as entered")
    for _ in range(5):
        text, changed = as_entered((here / "s.toml").read_text("utf-8"), rng)
        assert changed >= 3
        (here / "entered.toml").write_text(text, "utf-8")
        loaded = load(here / "entered.toml")
        assert drawn.game.write(loaded.scenario) == drawn.game.write(drawn.scenario)
        assert loaded.report == drawn.report


def test_two_brigadiers_of_a_brigade_are_reported_as_such(here: Path) -> None:
    assert muster("draw", "travel_battle", "--seed", CODE, "-o", "s.toml").code == 0
    text = (here / "s.toml").read_text("utf-8")
    text = re.sub(r"""{ id = "B\d\w?", """, "{ ", text).replace('unit = "guard"', 'unit = "brigadier"', 1)
    (here / "s.toml").write_text(text, "utf-8")
    done = muster("check", "s.toml")
    assert done.code == 1
    assert "has 2 brigadiers" in done.out + done.err


@pytest.mark.parametrize(
    ("game", "old", "new"),
    [
        ("battlelore", "[standard]", '[board.features]\nA1 = "fortress"\na1 = "fortress"\n[standard]'),
        ("blind_faith", "[rulings]", '"ａ４" = { kind = "castle", name = "Again" }\n[rulings]'),
        ("battlelore", "[rulings]", '[rulings]\nHILL = "adjacent"'),
    ],
)
def test_a_key_that_is_there_in_two_spellings_is_reported(here: Path, game: str, old: str, new: str) -> None:
    assert muster("draw", game, "--seed", CODE, "-o", "s.toml").code == 0
    text = (here / "s.toml").read_text("utf-8")
    assert text.count(old) == 1
    (here / "s.toml").write_text(text.replace(old, new), "utf-8")
    done = muster("check", "s.toml")
    assert (done.code, done.err.count("appears twice")) == (3, 2), done.err


def test_an_id_in_lower_case_is_not_given_to_another_unit(here: Path) -> None:
    assert muster("draw", "travel_battle", "--seed", CODE, "-o", "s.toml").code == 0
    text = (here / "s.toml").read_text("utf-8")
    text = re.sub(r'{ id = "B\d[b-z]", ', "{ ", text).replace('id = "B1a"', 'id = "b1b"')
    (here / "s.toml").write_text(text, "utf-8")
    assert "used twice" not in muster("check", "s.toml").err


def test_a_fault_in_the_head_does_not_hide_the_files_that_it_lists(here: Path) -> None:
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    user_map = (
        (here / "mine.toml").read_text("utf-8").replace('en = "', 'en = "My ', 1).replace(". . . h", ". . . .", 1)
    )
    (here / "mine.toml").write_text(user_map, "utf-8")
    assert muster("draw", "battlelore", "--seed", CODE, "--map", "mine.toml", "-o", "s.toml").code == 0
    assert 'map = "mine.toml"' in (here / "s.toml").read_text("utf-8")
    text = (here / "s.toml").read_text("utf-8")
    rows = re.search(r'(?s)profile = .*?"""\n.*?"""\n', text)
    assert rows
    (here / "s.toml").write_text(text.replace(rows[0], "").replace(f'"{CODE}"', '"abc"'), "utf-8")
    assert muster("check", "s.toml").err.count("\n") == 1
