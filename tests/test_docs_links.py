"""Tests that links and paths in the documentation lead to files and headings that exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)([^\n]{0,5})")


def prose(page: Path) -> str:
    """Return the text of a page without its examples."""
    return re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return "".join(c for c in plain if c.isalnum() or c in " -_").replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page: those of its headings, and those that it sets itself."""
    text = prose(page)
    return frozenset([*map(anchor, re.findall(r"^#+ (.+)$", text, re.M)), *re.findall(r'<a id="([^"]+)">', text)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    wrong = []
    for _, link, _ in LINK.findall(prose(page)):
        if re.match("https?:|mailto:", link):
            continue
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (heading and target.suffix == ".md" and heading not in anchors(target)):
            wrong.append(link)
    assert wrong == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.ja.md")), ids=lambda page: page.name)
def test_japanese_pages_link_to_japanese_pages(page: Path) -> None:
    """A link to an English page that also exists in Japanese is labelled as English."""
    wrong = []
    for label, link, after in LINK.findall(prose(page)):
        path = link.partition("#")[0]
        japanese = page.parent / path.replace(".md", ".ja.md")
        english = path.endswith(".md") and not path.endswith(".ja.md")
        if english and japanese.exists() and label != "English" and "英語" not in label + after:
            wrong.append(link)
    assert wrong == []


def test_headings_have_the_anchors_of_github() -> None:
    assert anchor("A tournament in the studio") == "a-tournament-in-the-studio"
    assert anchor("`results.csv`, and “slips”") == "resultscsv-and-slips"
    assert anchor("組み合わせの決め方") == "組み合わせの決め方"
