"""Regenerate the tables of `muster selftest`: `python -m tests.make_selftest [GAME …]`."""

from __future__ import annotations

import sys
from typing import NamedTuple

from generator import games
from generator.cli.verb_selftest import printed_hash
from generator.common.selftest import codes, drawn, path
from generator.model.words import LANGS, Lang
from generator.seeds import GENERATION
from tests.prove.figure import spread

HEAD = "# Hashes of drawn scenarios and printed pages, for `muster selftest`. `make table` writes this file."
CODES, OF_A_KIND = 1000, 200
"""Number of codes without options, and number of codes for each of a game's kinds."""
KINDS: dict[str, list[dict[str, str]]] = {
    "battlelore": [{"age": "lore"}],
    "call_to_arms": [{"mode": "organized"}, {"mode": "organized", "age": "lore"}],
    "travel_battle": [{"objective": "hold"}],
    "blind_faith": [{"kind": "battle"}, {"kind": "siege"}],
}
KITS = 2
"""Number of codes printed in each language."""
ROW = 9
"""Hashes per line."""


class Case(NamedTuple):
    game: str
    code: str
    options: dict[str, str]
    lang: Lang | None = None


def cases(game: str) -> list[Case]:
    """Return all cases of a game's table, in order."""
    kinds = [({}, CODES), *((options, OF_A_KIND) for options in KINDS.get(game, []))]
    scenarios = [Case(game, code, options) for options, count in kinds for code in codes(count)]
    return scenarios + [Case(game, code, {}, lang) for code in codes(KITS) for lang in LANGS]


def made(case: Case) -> str:
    """Return the hash of a case."""
    game = games.load(case.game)
    return printed_hash(game, case.code, case.lang) if case.lang else drawn(game, case.code, case.options)


def text(found: dict[str, list[tuple[Case, str]]]) -> str:
    """Return the text of a table's file, with scenarios keyed by their options and kits under "kits"."""
    lines = [HEAD, f"generation = {GENERATION}"]
    for options, rows in found.items():
        if options == "kits":
            for case, digest in rows:
                lines += [
                    "",
                    "[[printed]]",
                    f'code = "{case.code}"',
                    f'lang = "{case.lang}"',
                    f'content = "{digest}"',
                ]
            continue
        hashes = [digest.replace("-", "") for _, digest in rows]
        table = [" ".join(hashes[at : at + ROW]) for at in range(0, len(hashes), ROW)]
        options = ", ".join(f'{name} = "{value}"' for name, value in rows[0][0].options.items())
        lines += ["", "[[drawn]]", *([f"wishes = {{ {options} }}"] if options else []), 'hashes = """', *table, '"""']
    return "\n".join(lines) + "\n"


def main(names: list[str]) -> None:
    for name in names or games.names():
        everything = cases(name)
        found: dict[str, list[tuple[Case, str]]] = {}
        for case, digest in zip(everything, spread(made, everything, name), strict=True):
            found.setdefault("kits" if case.lang else str(case.options), []).append((case, digest))
        path(name).write_text(text(found), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
