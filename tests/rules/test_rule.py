from __future__ import annotations

from collections.abc import Iterator

import pytest

from generator.model.words import Words
from generator.rules import Fault, RuleText, bind, check

EVEN = RuleText(
    "even", Words("Numbers are even.", "数は偶数です。"), "house", {"odd": Words("{n} is odd", "{n}は奇数")}
)
FEW = RuleText(
    "few",
    Words("There are few.", "数は少しです。"),
    "seed",
    {"many": Words("{n} of them", "{n}個"), "unproved": Words("none to count", "数えるものなし")},
)


def even(numbers: list[int]) -> Iterator[Fault]:
    for i, n in enumerate(numbers):
        if n % 2:
            yield Fault(f"#{i}", "odd", {"n": n})


def few(numbers: list[int]) -> Iterator[Fault]:
    if not numbers:
        yield Fault("all", "unproved", level="unproved")
    elif len(numbers) > 2:
        yield Fault("all", "many", {"n": len(numbers)})


RULES = bind([EVEN, FEW], {"few": few, "even": even})


def test_every_fault_is_found_at_once_in_the_order_of_the_texts() -> None:
    found = check(RULES, [1, 2, 3])
    assert [(f.rule.id, f.where, f.why.en) for f in found.findings] == [
        ("even", "#0", "1 is odd"),
        ("even", "#2", "3 is odd"),
        ("few", "all", "3 of them"),
    ]
    assert found.illegal == found.findings
    assert found.rules == (EVEN, FEW)
    assert found.findings[0].why.ja == "1は奇数"


def test_unproved_is_not_illegal() -> None:
    found = check(RULES, [])
    assert [f.why.en for f in found.unproved] == ["none to count"]
    assert found.illegal == ()


def test_what_is_lawful_has_no_findings() -> None:
    assert check(RULES, [2, 4]).findings == ()


def test_a_rule_needs_a_text_and_a_test() -> None:
    with pytest.raises(KeyError, match="tests without a text"):
        bind([EVEN], {"even": even, "few": few})
    with pytest.raises(KeyError, match="few"):
        bind([EVEN, FEW], {"even": even})
