"""Generate many scenarios in a folder, with a table that lists them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.cli import console
from generator.cli.scenario import SUFFIX, examine
from generator.common.fairness import certificate
from generator.common.game import Game
from generator.common.search import ALONE_S, candidates
from generator.errors import NothingLegalError
from generator.localization import default_lang
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.workers import Workers

BATCH_PATH = "v1/batch"
"""The stream path with which the codes of a batch are derived from its seed code."""
MAX_EMPTY_CODES = 40
"""The number of successive codes without a legal scenario after which a batch gives up."""
MAX_CHUNK = 10
"""The maximum number of scenarios in a piece of work. A scheduler needs a few milliseconds for each piece."""
TABLE_FILE = "scenarios.csv"
"""The name of the table in the folder of a batch."""


class Sample(msgspec.Struct, frozen=True):
    """A scenario of a batch, with the values for its row of the table."""

    code: str
    stamp: str
    text: str
    story: tuple[Words, ...]
    grade: str | None
    """The grade of the fairness certificate, or None if the game has no measures of fairness."""
    beyond: tuple[Words, ...]
    """The names of the measures that prevent a grade."""
    findings: int
    legal: bool

    @property
    def file(self) -> str:
        """The name of the scenario's file."""
        return f"scenario-{self.code}{SUFFIX}"

    def row(self, lang: Lang) -> dict[str, object]:
        """Return the scenario as plain values for JSON (docs/json.md)."""
        return {
            "code": self.code,
            "stamp": self.stamp,
            "file": self.file,
            "story": [line[lang] for line in self.story],
            "grade": self.grade,
            "beyond": [name[lang] for name in self.beyond],
            "legal": self.legal,
            "findings": self.findings,
        }


def draw_batch(game: Game[Any], order: Request, count: int, workers: Workers) -> list[Sample]:
    """Generate `count` scenarios, the first from the request's own code and the others from derived codes.

    Codes without a legal scenario are skipped.

    Raises:
        NothingLegalError: If `MAX_EMPTY_CODES` successive codes have no legal scenario.
    """
    found: list[Sample] = []
    empty_codes, codes, work = 0, candidates(order.code, BATCH_PATH), partial(_draw_sample, game, order)
    with console.ProgressLine() as progress:
        while (missing := count - len(found)) > 0:
            for one in workers.spread(
                work, islice(codes, missing), size=max(1, min(MAX_CHUNK, missing // 100)), alone=ALONE_S
            ):
                if isinstance(one, NothingLegalError):
                    empty_codes += 1
                    if empty_codes == MAX_EMPTY_CODES:
                        raise one
                    continue
                empty_codes = 0
                found.append(one)
                message = console.words()["batch"].fill(n=len(found), m=count)
                progress(message[default_lang()], len(found) / count)
    return found


def _draw_sample(game: Game[Any], order: Request, code: str) -> Sample | NothingLegalError:
    try:
        loaded = examine(game, game.draw(replace(order, code=code)))
    except NothingLegalError as error:
        return error
    report = loaded.report
    fair = certificate(game.fairness, loaded.scenario, report) if game.fairness else None
    beyond = tuple(row.measure.name for row in (*fair.beyond, *fair.missing)) if fair else ()
    story = tuple(game.story(loaded.scenario))
    grade = fair.grade if fair else None
    return Sample(code, loaded.stamp, loaded.text, story, grade, beyond, len(report.findings), not report.illegal)


def csv_table(samples: Iterable[Sample], lang: Lang) -> bytes:
    """Return the table of a batch as a CSV file."""
    from generator.tournament.csv_files import csv_bytes

    words = console.words()
    heads = [words[f"batch_{name}"][lang] for name in ("code", "file", "grade", "what", "more", "beyond")]

    def cells(of: Sample) -> list[str]:
        what, *more = (line[lang] for line in of.story)
        return [of.code, of.file, of.grade or "", what, " / ".join(more), ", ".join(n[lang] for n in of.beyond)]

    return csv_bytes(heads, map(cells, samples))
