"""Tests on a sample of the proof that a manifest states a page's ink."""

from __future__ import annotations

import pytest

from tests.prove.parts.ink import Case, departures, figures


@pytest.mark.parametrize(
    "case", [Case("call_to_arms", 0, "ja", "saver", "a4"), Case("battling", 1, "en", "full", "letter")]
)
def test_the_ink_of_a_kit(case: Case) -> None:
    """The test measures every sixth page, because rendering is slower than printing.

    `make prove` measures all pages.
    """
    (figure,) = figures(departures(case, step=6))
    assert figure.holds, figure.faults
