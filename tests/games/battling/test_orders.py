"""Tests for the notation of orders, with the examples of the rules and every form that can be read and written."""

from __future__ import annotations

import pytest

from generator.games.battling.notation import (
    Answer,
    BattlingReply,
    Header,
    Order,
    Reply,
    ShotReply,
    read_header,
    write_line,
)
from tests.games.battling.wordings import item_of

SEED: dict[str, Order | Reply] = {
    "W / 2 / 0908": Order("W", (2,), "0908"),
    "R / 1 / 4 / 1205": Order("R", (1, 4), "1205"),
    "F / 1108": Order("F", target="1108"),
    "B / 1 / 0806 / 0907": Order("B", (1,), "0806", "0907"),
    "B / 0907": Order("B", target="0907"),
    "D / 1 / 0806": Order("D", (1,), "0806"),
    "0707 / 1 / H / 2 / HP3": ShotReply("0707", 1, True, 2, 3),
    "0707 / 2 / D / HP3": BattlingReply("0707", 2, "D", 3),
    "0707 / 4 / EX / HP3": BattlingReply("0707", 4, "EX", 3),
    "0807 / EX / HP3": Answer("0807", "EX", 3),
}
OURS: dict[str, Order | Reply] = {
    "D": Order("D"),
    "R / 5 / 1205": Order("R", (5,), "1205"),
    "R / 2 @0808 / 2 / 1009": Order("R", (2, 2), "1009", turn="0808"),
    "#2: W / 2 / 0908": Order("W", (2,), "0908", unit="2"),
    "#F2: D": Order("D", unit="F2"),
    "0707: F / 1108": Order("F", target="1108", start="0707"),
    "0707 / 5 / F": ShotReply("0707", 5, False),
    "0707 / 5 / F / HP4": ShotReply("0707", 5, False, None, 4),
    "0707 / 3 / - / HP4": BattlingReply("0707", 3, "-", 4),
    "0807 / A / HP0": Answer("0807", "A", 0),
    "0707 / 1 / H / HP3": ShotReply("0707", 1, True, None, 3),
}
NONE = ["", "W", "W / 2", "W / 0908", "F", "F / 1 / 0908", "R / 1 / 2 / 3 / 0908", "R / 2 @0808 / 1009", "B", "Q / 1"]
NONE += [
    "W / 2 / 098",
    "W / 2 / 09080",
    "W / two / 0908",
    "0707",
    "0707 / 1",
    "0707 / X / H",
    "#2:",
    "D / 1",
    "#2",
    "123: D",
]
LOOSE: dict[str, Order] = {
    "#2 W / 2 / 0908": Order("W", (2,), "0908", unit="2"),
    "2: W / 2 / 0908": Order("W", (2,), "0908", unit="2"),
    "f2: d": Order("D", unit="F2"),
    "#12D": Order("D", unit="12"),
}
"""Names for a machine that are accepted but never written."""


@pytest.mark.parametrize(("text", "value"), (SEED | OURS).items())
def test_a_form_reads_and_writes_the_same(text: str, value: Order | Reply) -> None:
    assert item_of(text) == value
    assert write_line(value) == text


def test_the_seeds_spacing_reads() -> None:
    assert item_of("R / 1/ 4 / 1205") == SEED["R / 1 / 4 / 1205"]
    assert item_of(" B\n/ 0907") == SEED["B / 0907"]


@pytest.mark.parametrize(("text", "value"), LOOSE.items())
def test_an_at_may_be_named_otherwise(text: str, value: Order) -> None:
    assert item_of(text) == value
    assert item_of(write_line(value)) == value


@pytest.mark.parametrize("text", NONE)
def test_unknown_forms_are_not_read(text: str) -> None:
    assert item_of(text) is None


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("turn 3", Header(3, None)),
        ("Turn 3 First", Header(3, "first")),
        ("first", Header(None, "first")),
        ("3ターン 先攻", Header(3, "first")),
        ("第3ターン・後攻側", Header(3, "second")),
        ("10ターン目 後攻", Header(10, "second")),
        ("先攻側・行動フェイズ", Header(None, "first")),
        ("ターン3 後攻", Header(3, "second")),
        ("先攻・第3ターン", Header(3, "first")),
        ("second player, turn 12", Header(12, "second")),
        ("turn 3: first player phase", Header(3, "first")),
        ("first turn 3 second", None),
        ("", None),
        ("turn", None),
        ("third", None),
        ("turn 3 third", None),
    ],
)
def test_headers(text: str, header: Header | None) -> None:
    assert read_header(text) == header


def test_headers_are_written_in_either_language() -> None:
    assert write_line(Header(3, "first")) == "[turn 3] [first]"
    assert write_line(Header(3, "first"), "ja") == "【3ターン 先攻】"
    assert (write_line(Header(3, None)), write_line(Header(None, "second"), "ja")) == ("[turn 3]", "【後攻】")
