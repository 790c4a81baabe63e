"""Tests for PDF metadata. Every PDF that a verb writes has a title, an author and a language."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster

DRAWN = ("--seed", CODE)
VERBS: dict[str, tuple[tuple[str, ...], ...]] = {
    "kit": (("kit", *DRAWN, "--parts", "cover", "--separate", "-o", "kit"),),
    "pictures": (("kit", *DRAWN, "--parts", "map", "--format", "pdf", "-o", "kit"),),
    "hand": (("kit", *DRAWN, "--until", "hand", "-o", "kit"),),
    "print": (("draw", *DRAWN), ("print", "scenario.toml", "--parts", "reference", "-o", "kit")),
    "cards": (("cards", "battlelore"),),
    "tokens": (("tokens", "travel_battle"),),
    "boards": (("boards", "battlelore"),),
    "reference": (("reference", "blind_faith"),),
    "sheets": (("sheets", "battling"),),
    "campaign": (("campaign", "travel_battle", "--size", "2x2", *DRAWN),),
    "fairness": (("draw", *DRAWN), ("fairness", "scenario.toml", "-o", "fair.pdf")),
    "intercept": (("draw", "blind_faith", *DRAWN), ("intercept", "scenario.toml", "-o", "march.pdf")),
    "replay": (
        ("draw", "battling", *DRAWN, "--machines", "3", "--points", "36", "--arena", "plaza", "--turns", "1"),
        ("orders", "play", "scenario.toml", *DRAWN, "-o", "game.log"),
        ("replay", "game.log", "--dpi", "30", "-o", "replay"),
    ),
    "pack": (("tournament", "pack", "--players", "2", "--rounds", "1", "--parts", "map", "-o", "event"),),
    "standings": (("tournament", "standings", "results.csv", "-o", "standings"),),
    "calibrate": (("printer", "calibrate"),),
}


@pytest.mark.parametrize("verb", VERBS)
def test_what_a_viewer_tells_of_it(here: Path, verb: str) -> None:
    (here / "results.csv").write_text("round,player_a,player_b,score_a,score_b,winner\n1,A,B,6,4,b\n", "utf-8")
    *before, last = VERBS[verb]
    for args in before:
        assert muster(*args).code == 0
    done = muster(*last, "--lang", "ja")
    assert done.code == 0, done.err
    files = sorted(here.rglob("*.pdf"))
    assert files
    for file in files:
        with pikepdf.open(file) as pdf:
            metadata = {str(key): str(value) for key, value in pdf.docinfo.items()}
            assert (metadata["/Author"], str(pdf.Root.Lang)) == ("Muster", "ja"), file
            assert metadata["/Creator"].startswith("Muster "), file
            assert metadata["/Title"], file
            assert metadata["/Subject"], file
            assert not {"untitled", "unspecified", "anonymous"} & set(metadata.values()), file
            assert pdf.Root.ViewerPreferences.PrintScaling == "/None", file
