"""Tests that the rules for plain words find what they should, and that the list of exceptions only shrinks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import plain_words
from tests.plain_words import CODE, PAGE, RULES, Fault, faults, first_length, good_subject, listed, new, subjects

BROKEN = {
    "what": (CODE, "What a check found, the gravest first."),
    "he": (PAGE, "A player may use his card."),
    "is no": (PAGE, "the path ends where there was one, which is no neighbour"),
    "mend": (PAGE, "Mend the file first."),
    "throw": (PAGE, "Ties are thrown again."),
    "together": (PAGE, "Together"),
    "sooner": (CODE, "A fifth sooner."),
    "whoever": (PAGE, "Whoever has the fewest units wins."),
    "somebody": (PAGE, "somebody leaves"),
    "so many": (PAGE, "So many rounds of them."),
    "put aside": (CODE, "The post that is owed."),
    "held against": (PAGE, "Hold PDFs against what a print needs."),
    "wish": (PAGE, "All wishes hold for every scenario."),
    "slip": (PAGE, "there is a slip in it"),
    "tell": (PAGE, "It tells the line."),
}
SOUND = [
    (CODE, "What does the caller need?"),
    (PAGE, "There is no player with that name."),
    (PAGE, "The lease is no longer valid."),
    (PAGE, "Roll again. The result slip has two halves."),
    (PAGE, "Check the scenario against the rules."),
    (CODE, "Raise what the callback throws."),
]


def test_each_rule_finds_its_fault() -> None:
    assert BROKEN.keys() == {rule.name for rule in RULES}
    for rule in RULES:
        kind, text = BROKEN[rule.name]
        assert plain_words.breaks(rule, kind, text), rule.name


@pytest.mark.parametrize(("kind", "text"), SOUND)
def test_plain_english_passes(kind: str, text: str) -> None:
    assert [rule.name for rule in RULES if plain_words.breaks(rule, kind, text)] == []


def test_every_kind_of_text_is_scanned() -> None:
    """A renamed or moved folder must not leave the rules without input."""
    read: dict[str, int] = {}
    for path, _, _ in plain_words.texts():
        top = path.relative_to(plain_words.ROOT).parts[0]
        read[top] = read.get(top, 0) + 1
    assert read["data"] > 4000
    assert read["docs"] > 900
    assert read["generator"] > 4000
    assert read["tests"] > 1500
    assert read["templates"] > 600
    assert sum(len(plain_words.names_defined(path)) for path in plain_words.modules()) > 9000


def test_comments_of_data_files_are_read_without_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(
        'a = "# text"   # told once\n# The keys. Read\n# them.\n#\n# told    one\n#         row\n# so  two\n', "utf-8"
    )
    assert [*plain_words.toml_comments(path)] == ["told once", "The keys.", "Read them.", "one row", "two"]


def test_comments_of_templates_and_scripts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.js"
    path.write_text(
        '/** Return it.\n * @param {string} told */\n// One "line".\nconst a = "//b";\n{#- A page. -#}\n', "utf-8"
    )
    assert [*plain_words.template_comments(path)] == ["Return it.", 'One "line".', "A page."]


def test_only_listed_sentences_break_a_rule() -> None:
    """If this test fails, rewrite the listed sentences. `git grep` shows similar ones."""
    assert new(faults(), listed()) == []


def test_the_list_only_shrinks() -> None:
    """Remove rewritten entries from the list with `python -m tests.plain_words --update`."""
    assert new(listed(), faults()) == []
    assert len(listed()) <= first_length()


def test_an_entry_excuses_one_sentence() -> None:
    twice = [Fault("a.py", "he", "his card"), Fault("b.py", "he", "his card")]
    assert new(twice, twice[:1]) == twice[1:]


@pytest.mark.parametrize(
    ("subject", "good"),
    [
        ("tournament: keep every row of results.csv", True),
        ("press/pdf: remove the writer of PDF objects", True),
        ("docs: TRF16 has half-point byes", True),
        ('Revert "tournament: keep every row"', True),
        ("The README's screenshots can be made again", False),
        ("tournament: " + "a" * 70, False),
        ("tournament: Keep every row", False),
    ],
)
def test_subjects_have_an_area(subject: str, good: bool) -> None:
    assert good_subject(subject) == good


def test_the_subjects_since_are_good() -> None:
    assert [subject for subject in subjects() if not good_subject(subject)] == []
