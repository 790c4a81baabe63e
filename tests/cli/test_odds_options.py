"""Tests that `muster odds` accepts the options of earlier versions."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import CODE
from tests.cli.run import muster


def test_wait_of_0_2_means_exact(here: Path) -> None:
    assert (
        muster("draw", "blind_faith", "--kind", "siege", "--seed", CODE, "--points", "30", "-o", "s.toml").code == 0
    )
    exact, waited = (muster("odds", "s.toml", *option, "--json") for option in (["--exact"], ["--wait", "60"]))
    assert exact.code == waited.code == 0
    assert exact.json == waited.json
    assert "--wait" not in muster("odds", "--help").out
