"""Generate many scenarios in a folder, with a table that lists them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from generator.cli import console
from generator.cli.scenario import SUFFIX, examine
from generator.common.battle_words import battle_words
from generator.common.fairness import certificate
from generator.common.game import Game
from generator.common.search import ALONE_S, candidates
from generator.errors import NothingLegalError
from generator.localization import default_lang, localize
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.press.small_map import small_map
from generator.workers import Workers

T = TypeVar("T")

BATCH_PATH = "v1/batch"
"""The stream path with which the codes of a batch are derived from its seed code."""
MAX_EMPTY_CODES = 40
"""The number of successive codes without a legal scenario after which a batch gives up."""
MAX_CHUNK = 10
"""The maximum number of scenarios in a piece of work. A scheduler needs a few milliseconds for each piece."""
POOL = 2
"""The number of battles that are drawn for each battle of a batch with different maps."""
TABLE_FILE = "scenarios.csv"
"""The name of the table in the folder of a batch."""


class Sample(msgspec.Struct, frozen=True):
    """A scenario of a batch, with the values for its row of the table."""

    code: str
    stamp: str
    text: str
    title: Words
    words: tuple[Words, ...]
    """A word for the terrain and a word for the forces. Empty if the game has no such words."""
    small_map: str
    """A small map of the battle as SVG. Empty if no map was requested or the game cannot draw it."""
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

    @property
    def map_file(self) -> str:
        """The name of the file with the small map, or an empty string if there is none."""
        return f"scenario-{self.code}.svg" if self.small_map else ""

    def row(self, lang: Lang) -> dict[str, object]:
        """Return the scenario as plain values for JSON (docs/json.md)."""
        return {
            "code": self.code,
            "stamp": self.stamp,
            "file": self.file,
            "title": self.title[lang],
            "words": [word[lang] for word in self.words],
            "map": self.map_file,
            "story": [line[lang] for line in self.story],
            "grade": self.grade,
            "beyond": [name[lang] for name in self.beyond],
            "legal": self.legal,
            "findings": self.findings,
        }


class Candidate(msgspec.Struct, frozen=True):
    """A battle that may become part of a batch with different maps."""

    code: str
    terrain: str
    """A text that is equal for battles on the same terrain."""
    words: tuple[str, ...]


def draw_batch(
    game: Game[Any],
    order: Request,
    count: int,
    workers: Workers,
    different_maps: bool = False,
    maps_in: Lang | None = None,
) -> list[Sample]:
    """Generate `count` scenarios, the first from the request's own code and the others from derived codes.

    Codes without a legal scenario are skipped. With `different_maps`, the scenarios are selected from `POOL` times as
    many, so that as few as possible have the same map and the same words. With `maps_in`, each scenario has a small
    map with its title in this language.

    Raises:
        NothingLegalError: If `MAX_EMPTY_CODES` successive codes have no legal scenario.
    """
    codes: Iterator[str] = iter(candidates(order.code, BATCH_PATH))
    draw = partial(_draw_sample, game, order, maps_in)
    if different_maps:
        pool = _legal(partial(_draw_candidate, game, order), codes, POOL * count, workers, "batch_pool")
        codes = iter(_different(pool, count))
    return _legal(draw, codes, count, workers, "batch")


def _legal(
    draw: Callable[[str], T | NothingLegalError], codes: Iterator[str], count: int, workers: Workers, message: str
) -> list[T]:
    """Draw from successive codes until `count` of them had a legal scenario, and report progress."""
    found: list[T] = []
    empty_codes = 0
    with console.ProgressLine() as progress:
        while (missing := count - len(found)) > 0:
            for one in workers.spread(
                draw, islice(codes, missing), size=max(1, min(MAX_CHUNK, missing // 100)), alone=ALONE_S
            ):
                if isinstance(one, NothingLegalError):
                    empty_codes += 1
                    if empty_codes == MAX_EMPTY_CODES:
                        raise one
                    continue
                empty_codes = 0
                found.append(one)
                text = console.words()[message].fill(n=len(found), m=count)
                progress(text[default_lang()], len(found) / count)
    return found


def _different(pool: Iterable[Candidate], count: int) -> list[str]:
    """Return the codes of `count` battles. Each is the first whose map, then whose words, are the least frequent."""
    left, chosen = list(pool), list[Candidate]()
    maps, words = Counter[str](), Counter[object]()
    while left and len(chosen) < count:
        best = min(left, key=lambda one: (maps[one.terrain], words[one.words], sum(words[of] for of in one.words)))
        left.remove(best)
        chosen.append(best)
        maps[best.terrain] += 1
        words.update((best.words, *best.words))
    return [one.code for one in chosen]


def _draw_candidate(game: Game[Any], order: Request, code: str) -> Candidate | NothingLegalError:
    try:
        scenario = game.draw(replace(order, code=code))
    except NothingLegalError as error:
        return error
    view = game.fairness.view(scenario) if game.fairness else None
    if view is None:
        return Candidate(code, code, ())
    terrain = repr((view.ground, view.features, view.areas, view.roads, view.walls))
    words = tuple(word.en for word in battle_words(game.name, view))
    return Candidate(code, hashlib.sha256(terrain.encode()).hexdigest(), words)


def _draw_sample(game: Game[Any], order: Request, maps_in: Lang | None, code: str) -> Sample | NothingLegalError:
    try:
        loaded = examine(game, game.draw(replace(order, code=code)))
    except NothingLegalError as error:
        return error
    report, scenario = loaded.report, loaded.scenario
    fair = certificate(game.fairness, scenario, report) if game.fairness else None
    view = game.fairness.view(scenario) if game.fairness else None
    return Sample(
        code=code,
        stamp=loaded.stamp,
        text=loaded.text,
        title=scenario.title,
        words=battle_words(game.name, view) if view else (),
        small_map=small_map(view, scenario.title[maps_in]) if view and maps_in else "",
        story=tuple(game.story(scenario)),
        grade=fair.grade if fair else None,
        beyond=tuple(row.measure.name for row in (*fair.beyond, *fair.missing)) if fair else (),
        findings=len(report.findings),
        legal=not report.illegal,
    )


def csv_table(samples: Iterable[Sample], lang: Lang) -> bytes:
    """Return the table of a batch as a CSV file."""
    from generator.tournament.csv_files import csv_bytes

    words = console.words()
    heads = [words[f"batch_{name}"][lang] for name in ("code", "file", "grade", "what", "more", "beyond")]

    def cells(of: Sample) -> list[str]:
        what, *more = (line[lang] for line in of.story)
        return [of.code, of.file, of.grade or "", what, " / ".join(more), localize([*of.beyond], lang)]

    return csv_bytes(heads, map(cells, samples))
