"""Search for a fair scenario: try candidates with codes that follow from the seed code, until one has the grade.

The first candidate is the draw of the seed code itself. The log records which candidate was chosen and how many were
rejected for which reason. The same code with the same options always finds the same scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from generator.common.fairness import (
    Certificate,
    Fairness,
    PairOdds,
    beyond_quickly,
    certificate,
    farthest,
    first_mover_sign,
    forecaster,
    measures,
)
from generator.common.game import Game, GameOption, option_texts
from generator.common.playing import Playing, players
from generator.common.scenario_file import Step
from generator.common.tables import shared_words
from generator.errors import NothingLegalError, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request, Scenario
from generator.model.words import Words, same
from generator.notation.text import clean_name
from generator.rules import Rule, check
from generator.seeds import BITS, Rng, code_for
from generator.workers import Spread, here

S = TypeVar("S", bound=Scenario)


def _no_progress(done: int, total: int) -> None:
    """Report nothing."""


FAIR, TRIES, MIRROR = "fair", "tries", "mirror"
ON = "on"
GRADES = ("A", "B")
PLAYED = "C"
"""The grade of scenarios that were played, for games that support it."""
PATH = "v1/fair"
DEFAULT_TRIES, DEFAULT_TRIES_PLAYED, MAX_TRIES = 300, 2_500, 10_000
"""Number of candidates: the default, the default for the grade that requires playing, and the maximum.

If one candidate in 140 has that grade, the search fails for one code in about fifty million.
"""
ALONE_S = 1.0
"""Seconds that a search runs in this process before others join it."""
SOUGHT, REJECTED, OUTPLAYED = "fair", "rejected", "outplayed"
"""The kinds of steps that a search adds to the log."""
PLAYER = "player-"
"""Prefix of a computer player's id in a step."""


def mirror_option() -> GameOption:
    """Return the mirror option, for a game whose draw can mirror the sides."""
    return GameOption(MIRROR, option_texts()[MIRROR], (ON,), flag_value=ON)


def mirrors(order: Request) -> bool:
    """Return whether the draw must set up each side as the other's mirror image."""
    return order.options.get(MIRROR) == ON


def requested_title(order: Request) -> Words | None:
    """Return the requested title of the battle; None if none was.

    Raises WrongUsageError for an invalid title.
    """
    title = order.options.get("title")
    return same(clean_name(title, "--title")) if title else None


def search_options(playing: Playing[Any] | None = None, *, reckoned: bool = False) -> tuple[GameOption, ...]:
    """Return the options of a search, for a game that is played, whose odds are computed (`reckoned`), or neither."""
    graded = playing is not None or reckoned
    return (
        GameOption(FAIR, option_texts()[FAIR], (*GRADES, PLAYED) if graded else GRADES),
        GameOption(
            TRIES,
            option_texts()[TRIES],
            metavar="N",
            default=f"{DEFAULT_TRIES}; C: {DEFAULT_TRIES_PLAYED}" if graded else str(DEFAULT_TRIES),
        ),
    )


class Source(Struct, Generic[S], frozen=True):
    """The parts of a game that a search needs. A whole `Game` works too, and unlike this class it can be pickled."""

    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    fairness: Fairness[S] | None
    write: Callable[[S], str] = str
    """Return the body of a scenario's file, for games that are played."""
    playing: Playing[S] | None = None


def draw_with_search(
    draw: Callable[[Request], S],
    rules: Iterable[Rule[S]],
    fairness: Fairness[S],
    write: Callable[[S], str] = str,
    playing: Playing[S] | None = None,
) -> Callable[[Request], S]:
    """Return the draw of a game that supports `search_options`; it raises what `draw` and `search_fair` raise.

    A game that is played passes `playing`, and the function that writes the body of a scenario's file.
    """
    return partial(search_fair, Source(draw, tuple(rules), fairness, write, playing))


def search_fair(
    of: Source[S] | Game[S],
    order: Request,
    spread: Spread = here,
    report_progress: Callable[[int, int], None] = _no_progress,
) -> S:
    """Return the draw of an order: that of its code, or the first candidate with the requested grade.

    `spread` examines the candidates; `report_progress` is called with the number examined and the maximum. Raises
    WrongUsageError for a grade that the game never has, NothingLegalError if no candidate has it.
    """
    grade, tries = order.options.get(FAIR, ""), _tries(order)
    fairness = of.fairness
    if not grade or fairness is None:
        return of.draw(order)
    if grade == "A" and fairness.refused:
        hint = tr("use --{fair} B, which depends only on measures of fairness", fair=FAIR)
        raise WrongUsageError(tr("--{fair} A: {reason}", fair=FAIR, reason=fairness.refused), hint=hint)
    rejected: Counter[str] = Counter()
    outplayed: dict[tuple[str, str], list[float]] = {}
    codes = list(islice(candidates(order.code), tries))
    looks = spread(partial(_look, of, order, grade), codes, alone=ALONE_S)
    for number, (found, reasons, uneven) in enumerate(looks):
        report_progress(number + 1, tries)
        if found is not None:
            steps = [
                Step(SOUGHT, None, PATH, (grade, codes[number], str(number))),
                *_search_steps(rejected, outplayed),
            ]
            result: S = _named(found, order, steps)
            return result
        rejected.update(reasons)
        if uneven:
            outplayed.setdefault(uneven[0], []).append(uneven[1])
    names = fair_names(fairness.tables)
    why = [tr("{reason} {count}", reason=names.get(reason, reason), count=n) for reason, n in rejected.most_common()]
    message = tr(
        "none of the {tries} candidates has grade {grade}; reasons for rejection: {why}",
        tries=tries,
        grade=grade,
        why=why,
    )
    more = tr(
        "choose fewer options, or examine more candidates of this code: --seed {code} --{option} {tries}",
        code=order.code,
        option=TRIES,
        tries=min(2 * tries, MAX_TRIES),
    )
    hint = more if tries < MAX_TRIES else tr("choose fewer options, or draw from another code")
    raise NothingLegalError(message, hint=hint)


Uneven = tuple[tuple[str, str], float]
"""The pair of computer players that caused a candidate's rejection, and the first seat's win rate at that time."""
Looked = tuple[S | None, tuple[str, ...], Uneven | None]
"""A candidate with the grade; or None, the reasons for its rejection, and the pair whose games were uneven."""


def _look(of: Source[S] | Game[S], order: Request, grade: str, code: str) -> Looked[S]:
    """Examine the draw of a code."""
    assert of.fairness
    try:
        found = of.draw(_plain(order, code, grade))
    except NothingLegalError:
        return None, ("nothing",), None
    if grade == PLAYED:
        return _played(of, found)
    reasons = beyond_quickly(of.fairness, found) or _reasons(certificate(of.fairness, found), grade)
    if not reasons and check(of.rules, found).illegal:
        reasons = ("illegal",)
    return (None, reasons, None) if reasons else (found, (), None)


def _played(of: Source[S] | Game[S], found: S) -> Looked[S]:
    """Examine a candidate for the grade that requires playing, or computing the odds instead."""
    if of.fairness and of.fairness.paired:
        return _reckoned(of, of.fairness.paired(found), found)
    if _unlikely(of, found):
        return None, ("forecast",), None
    if check(of.rules, found).illegal:
        return None, ("illegal",), None
    from generator.common.trials import (
        find_failing_pair,  # Loading the module of trials takes time, and few searches play.
    )

    by = find_failing_pair(of, found)
    return (None, ("played",), (by.pair, by.rate)) if by else (found, (), None)


def _reckoned(of: Source[S] | Game[S], pairs: Iterator[PairOdds], found: S) -> Looked[S]:
    """Examine the odds of every pair of policies, up to the first pair that fails."""
    if (one := next(pairs, None)) is None:
        return None, ("unfought",), None
    if not all(pair.within for pair in chain([one], pairs)):
        return None, ("odds",), None
    return (None, ("illegal",), None) if check(of.rules, found).illegal else (found, (), None)


def _unlikely(of: Source[S] | Game[S], found: S) -> bool:
    """Return whether the forecast from its measures is too uneven for it to be played."""
    if of.fairness is None or of.playing is None or (fitted := forecaster(of.fairness.tables)) is None:
        return False
    differences = {one.id: one.values[0] - one.values[1] for one in of.fairness.measures(found) if one.values}
    firsts = of.playing.firsts(found) if of.playing.firsts else of.playing.engine(found).firsts
    return farthest(fitted, differences, first_mover_sign(firsts)) > fitted.limit


def candidates(code: str, path: str = PATH) -> Iterator[str]:
    """Yield the seed code itself, then an endless sequence of codes derived from it under that path."""
    yield code
    stream = Rng(code, path)
    while True:
        yield code_for(stream.below(1 << BITS))


def fair_steps() -> dict[str, Words]:
    """Return the words of a search's steps, to be added to those of a game."""
    return shared_words()["fair_step"]


def fair_names(tables: tuple[str, ...]) -> dict[str, Words]:
    """Return the names of the reasons and computer players in those steps."""
    labels = shared_words()["fair_reason"] | {name: measure.name for name, measure in measures(tables).items()}
    policies = (policy for game in tables for policy in players(game).policy.items())
    return labels | {PLAYER + name: policy.name for name, policy in policies}


def fair_evidence(log: Iterable[Step]) -> set[tuple[str, str | None, tuple[str, ...]]]:
    """Return the steps of a search for `false_steps`; nothing else in a scenario confirms them."""
    return {step.evidence for step in log if step.what in (SOUGHT, REJECTED, OUTPLAYED)}


def _tries(order: Request) -> int:
    text = order.options.get(TRIES)
    if text is None:
        return DEFAULT_TRIES_PLAYED if order.options.get(FAIR) == PLAYED else DEFAULT_TRIES
    if FAIR not in order.options:
        raise WrongUsageError(
            tr("--{tries} works only with --{fair}", tries=TRIES, fair=FAIR),
            hint=tr("add --{fair} A or --{fair} B", fair=FAIR),
        )
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 0 < int(text) <= MAX_TRIES):
        raise WrongUsageError(
            tr("--{tries}: {text!r} is not a valid number of candidates", tries=TRIES, text=text),
            hint=tr("give a number from 1 to {most}", most=MAX_TRIES),
        )
    return int(text)


def _plain(order: Request, code: str, grade: str) -> Request:
    """Return the order of a candidate: the other options, and the mirror option for grade A."""
    options = {name: value for name, value in order.options.items() if name not in (FAIR, TRIES)}
    return Request(code, options | ({MIRROR: ON} if grade == "A" else {}), order.files)


def _reasons(found: Certificate, grade: str) -> tuple[str, ...]:
    """Return the reasons that a candidate lacks the grade; empty if it has that grade or a better one."""
    if found.grade and found.grade <= grade:
        return ()
    beyond = tuple(row.measure.id for row in (*found.beyond, *found.missing))
    return beyond or ("asymmetric",)


def _search_steps(rejected: Mapping[str, int], outplayed: Mapping[tuple[str, str], list[float]]) -> list[Step]:
    """Return the log's steps: rejections by reason, and by pair of players with the range of win rates."""
    steps = [Step(REJECTED, None, "", (reason, str(count))) for reason, count in sorted(rejected.items())]
    for pair, rates in sorted(outplayed.items()):
        span = f"{100 * min(rates):.0f}", f"{100 * max(rates):.0f}"
        steps.append(Step(OUTPLAYED, None, "", (*(PLAYER + name for name in pair), str(len(rates)), *span)))
    return steps


def _named(found: Any, order: Request, steps: list[Step]) -> Any:
    """Return the candidate with the origin of the seed code's draw; the steps of the search lead its log."""
    origin = replace(found.origin, code=order.code, options=dict(order.options))
    return replace(found, origin=origin, log=(*steps, *found.log))
