"""How chances are printed."""

from __future__ import annotations

from fractions import Fraction

NEVER = "–"


def percent(chance: Fraction) -> str:
    """A chance in whole percent; a dash for never, and nothing rounded to never or to surely."""
    if not chance:
        return NEVER
    whole = int(chance * 100 + Fraction(1, 2))
    if whole == 0:
        return "<1"
    return ">99" if whole == 100 and chance < 1 else str(whole)
