"""Tests for the file of wordings that measures the post reader.

The file has enough wordings in both languages and is frozen.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter

import pytest

from tests.games.battling.wordings import (
    FILES,
    POSTS,
    STRANGE,
    UNCLEAR_TOO,
    orders_in_talk,
    outcome,
    replies_in_talk,
    wordings,
)

FILE = POSTS / "wordings.toml"
FROZEN = "b247382c0cefcbcfd8004f31ef288e2e2067b37099af15b63bed6199fdb2c626"
"""SHA-256 of the file of wordings. A wording must not be changed to make the reader pass."""
WORDINGS = wordings("wordings")
MIN_READ = 98
"""Minimum percentage of wordings that must be read as meant."""


def test_the_wordings_are_frozen() -> None:
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == FROZEN


def test_there_are_enough_in_both_languages() -> None:
    assert len(WORDINGS["wording"]) >= 300 and len(WORDINGS["talk"]) >= 150
    for kind in ("wording", "talk"):
        count = Counter(entry["lang"] for entry in WORDINGS[kind])
        assert min(count["en"], count["ja"]) >= 0.4 * len(WORDINGS[kind])


def test_no_post_stands_twice() -> None:
    posts = [(w["lang"], w.get("before"), w["scenario"], w["side"], w["post"]) for w in WORDINGS["wording"]]
    assert len(set(posts)) == len(posts)


def test_each_meaning_occurs_in_its_post() -> None:
    """All letters and numbers of an order occur in the post, in the same order."""
    for wording in WORDINGS["wording"]:
        post = unicodedata.normalize("NFKC", wording["post"]).upper()
        assert (POSTS / f"{wording['scenario']}.toml").exists()
        assert wording["side"] in ("first", "second")
        for meaning in wording["means"]:
            parts = meaning.split()
            parts = parts[1:] if re.fullmatch("[FS][12]", parts[0]) else parts
            assert re.search(".*?".join(map(re.escape, parts)), post, re.DOTALL), wording


@pytest.mark.parametrize("name", FILES)
def test_wordings_are_read_and_none_is_lost(name: str) -> None:
    found = [outcome(wording) for wording in wordings(name)["wording"]]
    assert not [(of.post, of.seen) for of in found if of.is_lost]
    assert not [(of.post, of.seen) for of in found if of.is_illegal]
    wrong = [(of.post, of.seen) for of in found if not of.is_right]
    assert 100 * len(wrong) <= (100 - MIN_READ) * len(found), wrong


@pytest.mark.parametrize("name", FILES)
def test_talk_is_not_taken_for_orders(name: str) -> None:
    assert not [(line["post"], found) for line in wordings(name)["talk"] if (found := orders_in_talk(line["post"]))]


def test_unusual_wordings_are_read_or_mentioned() -> None:
    found = [outcome(wording) for wording in wordings(STRANGE)["wording"]]
    assert not [(of.post, of.seen) for of in found if of.is_lost]
    assert not [(of.post, of.seen) for of in found if of.is_illegal]
    assert sum(of.is_right for of in found) >= 0.55 * len(found)


@pytest.mark.parametrize("name", UNCLEAR_TOO)
def test_unclear_posts_are_asked_about_and_clear_ones_are_read(name: str) -> None:
    read = [outcome(wording) for wording in wordings(name)["wording"]]
    assert not [(of.post, of.seen) for of in read if not of.is_right]
    unclear = [outcome(wording) for wording in wordings(name)["unclear"]]
    assert not [(of.post, of.seen) for of in unclear if of.is_lost or of.is_illegal]


@pytest.mark.parametrize("name", [*FILES, STRANGE])
def test_talk_is_not_taken_for_replies(name: str) -> None:
    """Talk such as `My son (6) hates misses` may be asked about or listed while attacks wait for a reply."""
    read = [line["post"] for line in wordings(name)["talk"] if replies_in_talk(line["post"])]
    # These have the form of a reply.
    assert set(read) <= {"Room 1108, floor 3, F wing", "1108-3 F building", "HP 3 of 4, D:"}
