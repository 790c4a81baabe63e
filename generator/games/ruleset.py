"""A game's rules: their texts from files of data/, bound to the game's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from generator.notation import toml
from generator.rules.rule import Fault, Rule, RuleText, bind
from generator.store.folders import shipped

Test = Callable[[Any], Iterable[Fault]]


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[RuleText, ...]


def ruleset(files: Iterable[str], *tests: Mapping[str, Test]) -> tuple[Rule[Any], ...]:
    """The rules whose texts stand in these files of data/, in their order, bound to these tests."""
    texts = [text for name in files for text in toml.read(shipped("data") / name, _Rules).rule]
    return bind(texts, {name: test for part in tests for name, test in part.items()})
