from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import structs

from generator.model.words import Words
from generator.rules import Fault, RuleText, bind, check

EVEN = RuleText(
    "even",
    "illegal",
    Words("Numbers are even.", "数は偶数です。"),
    "house",
    {"odd": Words("{n} is odd", "{n}は奇数")},
)
FEW = RuleText(
    "few",
    "illegal",
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
        yield Fault("all", "unproved", unproved=True)
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


def test_the_most_serious_finding_comes_first() -> None:
    soft = structs.replace(EVEN, tier="remark")
    found = check(bind([soft, FEW], {"even": even, "few": few}), [1, 2, 3])
    assert [(f.rule.id, f.level) for f in found.findings] == [
        ("few", "illegal"),
        ("even", "remark"),
        ("even", "remark"),
    ]
    assert (len(found.illegal), len(found.remarks), found.of("advice")) == (1, 2, ())


def test_a_mode_has_its_own_paragraph() -> None:
    text = structs.replace(EVEN, sources={"organized": "seed: 3b"})
    rules = bind([text], {"even": even})
    assert [check(rules, [1], mode).findings[0].rule.source for mode in ("", "organized")] == ["house", "seed: 3b"]


def test_findings_stand_on_the_lines_of_their_keys() -> None:
    faults = [Fault("a", "odd", {"n": 1}, at=("unit", 3)), Fault("b", "odd", {"n": 3})]
    found = check(bind([EVEN], {"even": lambda _: faults}), [1]).placed(lambda keys: 38 + int(keys[-1]))
    assert [finding.line for finding in found.findings] == [41, 0]


def test_a_rule_needs_a_text_and_a_test() -> None:
    with pytest.raises(KeyError, match="tests without a text"):
        bind([EVEN], {"even": even, "few": few})
    with pytest.raises(KeyError, match="few"):
        bind([EVEN, FEW], {"even": even})
