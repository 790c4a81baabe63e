"""Tests that every verb that reports lines of sight states what was verified. Proofs are printed and repeatable."""

from __future__ import annotations

import json
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from generator.sight import trace
from tests.cli.conftest import CODE
from tests.cli.run import muster

VERIFIED = "Lines of sight verified with Shapely: 5,356 of 5,356 agree"


@pytest.fixture(autouse=True)
def shared() -> None:
    """Compute each proof again, because these tests are about proofs."""


def test_kit_fairness_and_sight_say_what_was_verified(kit: Path) -> None:
    scenario = kit / "scenario.toml"
    made = muster("print", scenario, "--parts", "fire", "-o", kit.parent / "again")
    assert VERIFIED in made.out
    stated = json.loads((kit / "manifest.json").read_text("utf-8"))["verified"]
    assert stated == [{"what": "traces", "held": 191, "lines": 5356, "differences": 0}]
    assert VERIFIED in muster("fairness", scenario).out
    assert muster("fairness", scenario, "--json").json[0]["verified"] == stated
    assert VERIFIED in muster("rulings", scenario).out
    assert VERIFIED in muster("rulings", scenario, "--json").err
    every, one = muster("sight", scenario), muster("sight", scenario, "A1", "H8")
    assert VERIFIED in every.err
    assert one.out.endswith("Lines of sight verified with Shapely: 1 of 1 agree\n")
    assert (
        "Shapely で射線を検証：1本中1本が一致" in muster("sight", scenario, "A1", "H8", "--json", "--lang", "ja").err
    )


def test_check_verifies_what_its_rules_rest_on(here: Path, scenario: Path) -> None:
    assert "verified" not in muster("check", scenario).out
    assert muster("draw", "battling", "--seed", CODE, "-o", "arena.toml").code == 0
    done = muster("check", "arena.toml")
    assert "arena.toml: Lines of sight past buildings verified with Shapely: 324 of 324 agree" in done.out
    assert muster("check", "arena.toml", "--json").json[0]["verified"][0]["held"] == 324


def test_a_proof_is_reported_and_printed(here: Path, scenario: Path) -> None:
    done = muster("check", scenario, "--prove", "-o", "proof.pdf")
    assert done.code == 0 and Path("proof.pdf").read_bytes().startswith(b"%PDF")
    lines = done.out.splitlines()
    assert sum("5,356 pairs in sight" in line for line in lines) == 8
    assert f"{scenario}: proved: 42,848 verdicts on all pairs under 8 combinations of rulings, 0 differences" in lines
    [row] = muster("check", scenario, "--prove", "--json").json
    assert row["proof"][0]["rulings"] == {"hill": "adjacent", "hexside": "cumulative", "edge": "blocks"}
    assert {case["pairs"] for case in row["proof"]} == {5356}
    assert "proof" not in muster("check", scenario, "--json").json[0]
    assert "証明済み" in muster("check", scenario, "--prove", "--lang", "ja").out


def test_a_proof_follows_the_findings_on_their_page(here: Path, scenario: Path) -> None:
    pages = []
    for more in ((), ("--prove",)):
        assert muster("check", scenario, "-o", "proof.pdf", *more).code == 0
        with pypdfium2.PdfDocument("proof.pdf") as pdf:
            pages.append([page.get_textpage().get_text_range() for page in pdf])
    (found,), (proved,) = pages
    assert "Proof of sight" not in found and "What the check found · Proof of sight" in proved
    findings, proof = proved.split("\r\nProof of sight\r\n")
    assert "legal by 43 rules" in findings and "legal by 43 rules" in found
    assert "hexside = cumulative" in proof and "Shapely" in proof and "42,848" in proof


def test_a_game_without_lines_of_sight_has_nothing_to_prove(here: Path) -> None:
    assert muster("kit", "blind_faith", "--seed", CODE, "--parts", "cover", "-o", "faith").code == 0
    assert "has no lines of sight" in muster("check", "faith/scenario.toml", "--prove").err
    assert muster("verify", "faith", "--deep").code == 0
    assert json.loads(Path("faith/manifest.json").read_text("utf-8"))["verified"] == []


def test_verify_repeats_the_proof_and_holds_it_to_the_manifest(kit: Path) -> None:
    done = muster("verify", kit, "--deep")
    assert done.code == 0
    assert (
        VERIFIED in done.out
        and "proved: 42,848 verdicts" in done.out
        and "all files are complete and unchanged" in done.out
    )
    assert "proved" not in muster("verify", kit).out
    answer = muster("verify", kit, "--deep", "--json").json
    assert len(answer["proof"]) == 8 and answer["verified"][0]["held"] == 191
    manifest = kit / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"lines": 5356', '"lines": 5357'), "utf-8")
    assert muster("verify", kit).code == 0
    lied = muster("verify", kit, "--deep")
    assert (lied.code, "the recorded verification of the lines of sight differs" in lied.out) == (1, True)
    assert muster("verify", kit, "--deep", "--json").json["whole"] is False


def test_an_older_kit_has_no_proof(kit: Path) -> None:
    manifest = kit / "manifest.json"
    content = json.loads(manifest.read_text("utf-8"))
    del content["verified"]
    manifest.write_text(json.dumps(content), "utf-8")
    assert muster("verify", kit, "--deep").code == 0


def test_a_disagreement_is_a_fault_of_musters_own(
    here: Path, scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = trace.trace
    monkeypatch.setattr("generator.sight.verify.trace", lambda offset: replace(right(offset), through=()))
    done = muster("sight", scenario, "A1", "A4")
    assert done.code == 70 and "line of sight from A1 to A4: the integer calculation gives" in done.err
    assert done.out == ""
    failed = muster("kit", "--seed", CODE, "-o", "kit")
    assert failed.code == 70 and CODE in failed.err and not Path("kit").exists()


def test_what_the_judge_of_a_log_asks_is_verified(here: Path) -> None:
    assert muster("draw", "battling", "--seed", CODE, "--turns", "2", "-o", "scenario.toml").code == 0
    assert muster("orders", "play", "scenario.toml", "--seed", CODE, "-o", "game.txt").code == 0
    judged, replayed = muster("orders", "check", "game.txt"), muster("replay", "game.txt", "-o", "pictures")
    assert (judged.code, replayed.code) == (0, 0)
    [held] = muster("orders", "check", "game.txt", "--json").json["verified"]
    assert held["what"] == "lines" and held["held"] > 0 and held["differences"] == 0
    expected = f"verified with Shapely: {held['lines']} of {held['lines']} agree"
    assert expected in judged.out and expected in replayed.out
