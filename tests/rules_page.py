"""docs/rules.md: every rule that a check holds, with its tier and source. `python -m tests.rules_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator import games
from generator.common.pages import whence

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
_HEAD = """# Every rule that a check holds

`muster rules GAME` lists them too, in Japanese with `--lang ja`. `python -m tests.rules_page` writes this page.

- **illegal**: against the rule text; against the tables, cards or map in use; impossible on the table; or the file
  contradicts itself. `muster check` ends with exit code 1.
- **remark**: beyond a limit on what our draws offer, which no rule text asks for. It is told apart, as ours, and
  leaves the exit code 0; `--strict` counts it.
- **advice**: taste. It never counts.
"""


def page() -> str:
    """The page as it should be."""
    return "\n".join((_HEAD, *_tables()))


def _tables() -> Iterator[str]:
    for name in games.names():
        game = games.load(name)
        yield f"## {game.title.en}\n"
        yield "| rule | tier | what it says | source |\n|---|---|---|---|"
        for rule in game.rules:
            sources = "; ".join(dict.fromkeys(whence(s).en for s in (rule.text.source, *rule.text.sources.values())))
            yield f"| `{rule.id}` | {rule.text.tier} | {rule.text.text.en} | {sources} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
