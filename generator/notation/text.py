"""Texts that people type: names, titles, notes."""

from __future__ import annotations

import unicodedata

from generator.errors import Problem, WrongUsageError

NAME_LIMIT = 80
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def name_fault(text: str, limit: int = NAME_LIMIT) -> str:
    """What is wrong with a name, empty where nothing is: length, controls, invisible characters."""
    if not text.strip():
        return "is empty"
    if len(text) > limit:
        return f"is longer than {limit} characters"
    unseen = next((c for c in text if unicodedata.category(c) in _UNSEEN), None)
    return f"holds the invisible character U+{ord(unseen):04X}" if unseen else ""


def clean_name(text: str, what: str) -> str:
    """A name in NFC without outer spaces; WrongUsageError says what is wrong with it."""
    name = unicodedata.normalize("NFC", text.strip())
    if fault := name_fault(name):
        raise WrongUsageError(Problem(f"{what} {fault}"))
    return name
