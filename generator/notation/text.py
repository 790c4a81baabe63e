"""Texts that people type: names, titles, notes."""

from __future__ import annotations

import unicodedata

from generator.errors import UNSEEN, Problem, WrongUsageError
from generator.notation.letters import unprinted

NAME_LIMIT = 80


def unseen(text: str, accepted: str = "") -> str:
    """Which invisible character a text holds, as a complaint; empty where it holds none."""
    if text.isprintable():
        return ""
    found = next((c for c in text if unicodedata.category(c) in UNSEEN and c not in accepted), None)
    return f"holds the invisible character U+{ord(found):04X}" if found else ""


def shown(text: str) -> str:
    """A text as it may stand on a terminal: what is invisible or would move the cursor is spelt out."""
    return "".join(c if c == "\n" or not unseen(c) else f"\\u{ord(c):04x}" for c in text)


def name_fault(text: str, limit: int = NAME_LIMIT) -> str:
    """What is wrong with a name, empty where nothing is: length, controls, invisible or unprintable characters."""
    if not text.strip():
        return "is empty"
    if len(text) > limit:
        return f"is longer than {limit} characters"
    return unseen(text) or unprinted(text)


def file_name_fault(name: str) -> str:
    """What is wrong with the bare name of a file that lies beside another; empty where nothing is."""
    if "/" in name or "\\" in name or name in (".", ".."):
        return "is a path; only the bare name of a file beside this one may stand here"
    return name_fault(name)


def clean_name(text: str, what: str) -> str:
    """A name in NFC without outer spaces; WrongUsageError says what is wrong with it."""
    name = unicodedata.normalize("NFC", text.strip())
    if fault := name_fault(name):
        raise WrongUsageError(Problem(f"{what} {fault}"))
    return name
