"""Tests that `muster odds` accepts the options of earlier versions."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import CODE
from tests.cli.run import muster

SIEGE = """
[muster]
game = "blind_faith"
[play]
title = "Castle"
turn = 3
[map]
rows = '''
. . . .
 . f . .
. o . .
 . . . .
'''
places = { B3 = { kind = "castle", name = "Lipnice" } }
[hussite]
stacks = [ { hex = "B3", units = { tabor = 4 } } ]
[crusader]
stacks = [ { hex = "B3", units = { crusader_foot = 2 } } ]
[siege]
besieger = "H1"
garrison = "C1"
wall = "castle"
storm = { tabor = 9 }
"""


def test_wait_of_0_2_means_exact(here: Path) -> None:
    assert (
        muster("draw", "blind_faith", "--kind", "siege", "--seed", CODE, "--points", "30", "-o", "s.toml").code == 0
    )
    exact, waited = (muster("odds", "s.toml", *option, "--json") for option in (["--exact"], ["--wait", "60"]))
    assert exact.code == waited.code == 0
    assert exact.json == waited.json
    assert "--wait" not in muster("odds", "--help").out


def test_the_odds_of_an_illegal_siege_are_doubted(here: Path) -> None:
    """The file lets more units storm than the stack has."""
    (here / "siege.toml").write_text(SIEGE, "utf-8")
    found = muster("odds", "siege.toml")
    assert found.code == 0 and "is not legal, so these odds may be wrong" in found.err
    assert "muster check siege.toml" in found.err
