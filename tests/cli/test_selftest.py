"""Tests that the shipped tables belong to this version, and that `muster selftest` detects differences."""

from __future__ import annotations

from random import Random

import pytest

from generator import games
from generator.cli import verb_selftest
from generator.common import selftest
from generator.common.selftest import Drawn
from tests.cli.run import muster
from tests.make_selftest import CODES, cases, made
from tests.prove.figure import SEED

FEW = 12
"""Number of scenarios of each game that are generated again."""


@pytest.mark.parametrize("name", games.names())
def test_the_shipped_table_is_of_this_version(name: str) -> None:
    table = {
        (case.code, *case.options, case.lang): case.expected
        for case in verb_selftest._cases(games.load(name), selftest.table(name))
    }
    whole = cases(name)
    assert list(table) == [(case.code, *case.options.items(), case.lang) for case in whole], "make table"
    kits = [case for case in whole if case.lang]
    assert len({case.code for case in whole}) == CODES and len(kits) >= 4
    for case in (*Random(SEED).sample(whole, FEW), *kits[-2:]):
        expected = table[case.code, *case.options.items(), case.lang]
        assert made(case) == expected, f"{case}: if that was meant, `make table` makes the tables anew"


def test_a_sample_says_how_to_take_the_whole() -> None:
    done = muster("selftest", "battling", "--count", "2")
    assert (done.code, done.err) == (0, "")
    assert "muster selftest battling --count 1000" in done.out
    row = muster("selftest", "battling", "--count", "2", "--json").json
    assert (row["same"], row["whole"], row["games"][0]["taken"]) == (True, False, 3)


def test_the_whole_table_is_taken_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = selftest.table("battling")
    two = replace_hashes(whole.drawn[0], " ".join(whole.drawn[0].hashes.split()[:2]))
    small = selftest.Table(whole.generation, (two,), whole.printed[:2])
    monkeypatch.setattr(selftest, "table", lambda _: small)
    done = muster("selftest", "battling", "--count", "2", "--json").json
    assert (done["whole"], done["games"][0]["taken"], done["games"][0]["of"]) == (True, 4, 4)


@pytest.mark.usefixtures("found_once")
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_changed_entry_is_found(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    whole = selftest.table("battling")
    code = selftest.codes(2)[1]
    first, second, *rest = whole.drawn[0].hashes.split()
    changed = replace_hashes(whole.drawn[0], " ".join([first, "0" * 12, *rest]))
    kits = tuple(
        selftest.Printed(kit.code, kit.lang, "0" * 64) if kit.code == code and kit.lang == "ja" else kit
        for kit in whole.printed
    )
    monkeypatch.setattr(selftest, "table", lambda _: selftest.Table(whole.generation, (changed,), kits))
    args = ("selftest", "battling", "--codes", ",".join(selftest.codes(2)))
    done = muster(*args, "--lang", lang)
    assert done.code == 1
    found = f"{second[:4]}-{second[4:8]}-{second[8:]}"
    assert all(text in done.out for text in ("0000-0000-0000", found, code, "reportlab", "Python".lower()))
    rows = muster(*args, "--json").json["games"][0]["differences"]
    assert [(row["code"], row["lang"]) for row in rows] == [(code, None), (code, "ja")]
    assert (rows[0]["expected"], rows[0]["found"], rows[0]["wishes"]) == ("0000-0000-0000", found, {})
    assert muster(*rows[0]["command"].split()[1:], "--json").json["code"] == code
    assert muster("selftest", "battling", "--codes", selftest.codes(1)[0]).code == 0


def replace_hashes(kind: Drawn, hashes: str) -> Drawn:
    return Drawn(hashes, kind.options)


def test_a_table_of_another_generation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "GENERATION", 31)
    done = muster("selftest", "battling")
    assert done.code == 3
    assert "generation" in done.err


def test_cases_missing_from_the_table_are_reported() -> None:
    done = muster("selftest", "--codes", "K7Q2M-9FHN5")
    assert done.code == 2
    assert "the table does not contain K7Q2M-9FHN5" in done.err
    assert muster("selftest", "--codes", selftest.codes(1)[0], "--count", "3").code == 2
