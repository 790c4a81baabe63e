"""Tests for the distribution of flowables over pages."""

from __future__ import annotations

from typing import Any

import pytest

from generator.press.layout.flowables import Flowable
from generator.press.layout.pages import fill_pages


class Block(Flowable):
    """Content of a given height, which may be a heading or be split."""

    def __init__(self, name: str, height: float, heading: bool = False, splits: bool = False) -> None:
        self.text, self.height, self.splits = name, height, splits
        self.keep_with_next = heading

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the fixed size."""
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two parts if the content may be split."""
        return [Block(f"{self.text}1", height), Block(f"{self.text}2", self.height - height)] if self.splits else []


def names(*story: Any) -> list[list[str]]:
    """Return the names of the blocks on each page of 100 by 100 points."""
    return [[block.text for block, _ in page] for page in fill_pages(list(story), 100.0, 100.0)]


def test_a_heading_is_on_the_page_of_content_that_cannot_be_split() -> None:
    assert names(Block("text", 40), Block("head", 10, heading=True), Block("table", 60)) == [
        ["text"],
        ["head", "table"],
    ]


def test_a_heading_stays_above_the_first_part_of_content_that_can_be_split() -> None:
    assert names(Block("text", 40), Block("head", 10, heading=True), Block("table", 60, splits=True)) == [
        ["text", "head", "table1"],
        ["table2"],
    ]


def test_headings_below_each_other_are_on_the_page_of_the_content() -> None:
    story = Block("text", 40), Block("head", 10, heading=True), Block("label", 10, heading=True), Block("table", 45)
    assert names(*story) == [["text"], ["head", "label", "table"]]


@pytest.mark.parametrize("room", [61, 80])
def test_content_that_is_no_heading_needs_nothing_below_it(room: int) -> None:
    assert names(Block("text", room), Block("table", 60)) == [["text"], ["table"]]
