"""Tests for packing a changed player list. New players join, missing players drop out, and no pair meets twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

PARTS = ("--parts", "map", "--lang", "en")


def pack(*options: str) -> str:
    done = muster("tournament", "pack", *options, *PARTS)
    assert done.code == 0, done.err
    return done.out


def rounds(cup: str) -> dict[int, set[frozenset[str]]]:
    rows = muster("tournament", "status", cup, "--json").json["round"]
    return {row["round"]: {frozenset((t["a"], t["b"])) for t in row["tables"]} for row in rows}


def rematches(cup: str) -> list[frozenset[str]]:
    pairs = [pair for pairs in rounds(cup).values() for pair in pairs if "" not in pair]
    return [pair for pair in {*pairs} if pairs.count(pair) > 1]


@pytest.fixture
def lists(here: Path) -> Path:
    names = [f"Player {n}" for n in range(1, 13)]
    (here / "list.csv").write_text("\n".join(names) + "\n")
    (here / "list2.csv").write_text("\n".join([*(n for n in names if n != "Player 7"), "Newcomer"]) + "\n")
    done = pack("battling", "--players", "list.csv", "--rounds", "4", "--seed", CODE, "-o", "cup")
    assert "plays from round" not in done  # The first players are not changes.
    return here


def test_a_changed_list_is_a_drop_and_a_join(lists: Path) -> None:
    shutil.copytree("cup", "desk")
    before = rounds("cup")
    done = pack("battling", "--players", "list2.csv", "--rounds", "4", "--round", "3", "-o", "cup")
    assert "Player 7 does not play from round 3 on" in done
    assert "Newcomer plays from round 3 on" in done
    assert (
        "Round 4 was paired again, so its printed pages are out of date. "
        "To print them again: muster tournament pack cup" in done
    )
    after = rounds("cup")
    assert (after[1], after[2]) == (before[1], before[2])
    assert not rematches("cup")
    assert {name for pair in after[3] for name in pair} >= {"Newcomer"}
    assert "Player 7" not in {name for pair in after[3] | after[4] for name in pair}
    for number in (1, 2, 3):
        assert muster("verify", f"cup/round-{number}").code == 0
    # The printed pages of round 4 are out of date, but results.csv is still empty. This is not a contradiction.
    status = muster("tournament", "status", "cup")
    assert (status.code, status.err) == (0, "")
    # `join` and `drop` lead to the same pairings.
    assert muster("tournament", "pair", "desk", "--round", "3").code == 0
    assert muster("tournament", "pair", "desk", "--round", "3", "--dry-run").code == 0


def test_it_pairs_as_drop_and_join_do(lists: Path) -> None:
    shutil.copytree("cup", "desk")
    pack("battling", "--players", "list2.csv", "--rounds", "4", "--round", "3", "-o", "cup")
    text = Path("desk/event.toml").read_text("utf-8")
    head, *tables = text.split("\n[[round]]\n")
    Path("desk/event.toml").write_text("\n[[round]]\n".join([head, *tables[:2]]), "utf-8")
    assert muster("tournament", "drop", "desk", "Player 7").code == 0
    assert muster("tournament", "join", "desk", "Newcomer").code == 0
    for number in (3, 4):
        assert muster("tournament", "pair", "desk").code == 0
        assert rounds("desk")[number] == rounds("cup")[number]


def test_the_same_list_changes_nothing(lists: Path) -> None:
    before = Path("cup/event.toml").read_bytes()
    done = pack("battling", "--players", "list.csv", "--rounds", "4", "--round", "3", "-o", "cup")
    assert "does not play" not in done
    assert Path("cup/event.toml").read_bytes() == before


def test_a_list_in_another_order_makes_no_rematch(lists: Path) -> None:
    names = Path("list.csv").read_text().split("\n")[:-1]
    Path("turned.csv").write_text("\n".join(reversed(names)) + "\n")
    before = rounds("cup")
    pack("battling", "--players", "turned.csv", "--rounds", "5", "--round", "5", "-o", "cup")
    assert not rematches("cup")
    assert {number: rounds("cup")[number] for number in before} == before


def test_a_list_that_is_changed_before_play_makes_new_rounds(lists: Path) -> None:
    done = pack("battling", "--players", "list2.csv", "--rounds", "4", "-o", "cup")
    assert "Player 7 does not play from round 1 on" in done
    assert not rematches("cup")
    here = {row["name"]: row["here"] for row in muster("tournament", "status", "cup", "--json").json["players"]}
    assert (here["Player 7"], here["Newcomer"]) == (False, True)
    assert muster("tournament", "status", "cup", "--json").json["contradictions"] == []


def test_an_event_that_pairs_by_results_takes_no_list(lists: Path) -> None:
    new = ("tournament", "new", "battling", "--players", "list.csv", "--seed", CODE, "-o", "swiss")
    assert muster(*new).code == 0
    assert muster("tournament", "pair", "swiss").code == 0
    refused = muster("tournament", "pack", "battling", "--players", "list2.csv", "--rounds", "3", "-o", "swiss")
    assert refused.code == 2
    assert "muster tournament join swiss NAME" in refused.err


def test_a_file_of_pairings_leaves_rounds_that_were_not_asked_for(here: Path) -> None:
    (here / "one.csv").write_text("round,player_a,player_b\n1,Ann,Bo\n1,Cid,Dan\n2,Ann,Cid\n2,Bo,Dan\n")
    pack("battling", "--pairings", "one.csv", "--seed", CODE, "-o", "cup")
    (here / "two.csv").write_text("round,player_a,player_b\n1,Ann,Dan\n1,Cid,Bo\n2,Ann,Bo\n2,Cid,Dan\n")
    again = ("tournament", "pack", "battling", "--pairings", "two.csv", "--round", "2", "-o", "cup", *PARTS)
    refused = muster(*again)
    assert refused.code == 2
    assert "Ann and Bo already met in round 1" in refused.err
    taken = muster(*again, "--allow-rematch")
    assert taken.code == 0
    assert "Round 1: the pairings in two.csv differ from the printed pages, which were not changed" in taken.out
    assert "Ann and Bo also met in round 1" in taken.out
    assert rounds("cup")[1] == {frozenset(("Ann", "Bo")), frozenset(("Cid", "Dan"))}


def test_a_rotation_of_more_rounds_than_opponents_names_its_rematches(here: Path) -> None:
    done = pack("battling", "--players", "4", "--rounds", "4", "--seed", CODE, "-o", "cup")
    assert "met in round 1" in done
