"""Write docs/rules.md, the list of rules that `muster check` applies: `python -m tests.rules_page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator import games
from generator.common.pages import source_words

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
_HEAD = """# Rules checked by `muster check`

`muster rules GAME` also lists these rules; with `--lang ja`, the list is in Japanese. `python -m tests.rules_page`
writes this page. Each rule has one of three tiers:

- **illegal**: the scenario breaks the rule text, contradicts the tables, cards or map in use, cannot be played on the
  table, or contradicts itself. `muster check` exits with code 1.
- **remark**: the scenario is outside a limit that drawn scenarios keep, but that no rule text requires. Remarks are
  listed separately, and the exit code stays 0. With `--strict`, remarks count as violations.
- **advice**: the scenario goes against a recommendation. Advice does not affect the exit code.
"""


def page() -> str:
    """Return the text of the page."""
    return "\n".join((_HEAD, *_tables()))


def _tables() -> Iterator[str]:
    for name in games.names():
        game = games.load(name)
        yield f"## {game.title.en}\n"
        yield "| rule | tier | text | source |\n|---|---|---|---|"
        for rule in game.rules:
            sources = "; ".join(
                dict.fromkeys(source_words(s).en for s in (rule.text.source, *rule.text.sources.values()))
            )
            yield f"| `{rule.id}` | {rule.text.tier} | {rule.text.text.en} | {sources} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
