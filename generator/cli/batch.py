"""Draw many scenarios into a folder, with a table of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.cli import console
from generator.cli.scenario import SUFFIX, examined
from generator.common.fairness import certificate
from generator.common.game import Game
from generator.common.search import ALONE_S, candidates
from generator.errors import NothingLegalError
from generator.localization import default_lang
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.workers import Workers

BATCH = "v1/batch"
"""By which path the codes of a batch follow from its seed code."""
BARREN = 40
"""After so many codes in a row that draw nothing, there is nothing to draw."""
PIECE = 10
"""Scenarios that a worker is given together, at most: a scheduler takes some milliseconds for each piece of work."""
TABLE = "scenarios.csv"


class Sample(msgspec.Struct, frozen=True):
    """One scenario of a batch: its file, and what it is."""

    code: str
    stamp: str
    text: str
    story: tuple[Words, ...]
    grade: str | None
    """By the certificate of fairness; None in a game that has no measures."""
    beyond: tuple[Words, ...]
    """The measures that keep it from a grade."""
    findings: int
    legal: bool

    @property
    def file(self) -> str:
        """What its file is called."""
        return f"scenario-{self.code}{SUFFIX}"

    def row(self, lang: Lang) -> dict[str, object]:
        """The scenario as plain values (docs/json.md)."""
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


def batch(game: Game[Any], order: Request, count: int, workers: Workers) -> list[Sample]:
    """So many scenarios: what the order's code draws, and what codes draw that follow from it.

    A code that draws nothing is passed over; NothingLegalError where that happens too often in a row.
    """
    found: list[Sample] = []
    barren, codes, work = 0, candidates(order.code, BATCH), partial(_sample, game, order)
    with console.Telling() as telling:
        while (missing := count - len(found)) > 0:
            for one in workers.spread(
                work, islice(codes, missing), size=max(1, min(PIECE, missing // 100)), alone=ALONE_S
            ):
                if isinstance(one, NothingLegalError):
                    barren += 1
                    if barren == BARREN:
                        raise one
                    continue
                barren = 0
                found.append(one)
                told = console.words()["batch"].fill(n=len(found), m=count)
                telling(told[default_lang()], len(found) / count)
    return found


def _sample(game: Game[Any], order: Request, code: str) -> Sample | NothingLegalError:
    try:
        loaded = examined(game, game.draw(replace(order, code=code)))
    except NothingLegalError as error:
        return error
    report = loaded.report
    fair = certificate(game.fairness, loaded.scenario, report) if game.fairness else None
    beyond = tuple(row.measure.name for row in (*fair.beyond, *fair.missing)) if fair else ()
    story = tuple(game.story(loaded.scenario))
    grade = fair.grade if fair else None
    return Sample(code, loaded.stamp, loaded.text, story, grade, beyond, len(report.findings), not report.illegal)


def tabled(samples: Iterable[Sample], lang: Lang) -> bytes:
    """A batch as CSV."""
    from generator.tournament.csv_files import written

    told = console.words()
    heads = [told[f"batch_{name}"][lang] for name in ("code", "file", "grade", "what", "more", "beyond")]

    def cells(of: Sample) -> list[str]:
        what, *more = (line[lang] for line in of.story)
        return [of.code, of.file, of.grade or "", what, " / ".join(more), ", ".join(n[lang] for n in of.beyond)]

    return written(heads, map(cells, samples))
