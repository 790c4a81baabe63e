"""Search for a fair scenario: generate candidates from codes that follow from the seed code until one has the grade.

The first candidate is the scenario of the seed code itself. The log records which candidate was chosen and how many
were rejected for which reason. The same code with the same options always finds the same scenario.
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
    """Do nothing. This is the default progress callback."""


FAIR, TRIES, MIRROR = "fair", "tries", "mirror"
ON = "on"
GRADES = ("A", "B")
PLAYED = "C"
"""The grade that requires games of computer players, or their odds, in games that support it."""
PATH = "v1/fair"
DEFAULT_TRIES, DEFAULT_TRIES_PLAYED, MAX_TRIES = 300, 2_500, 10_000
"""The default number of candidates, the default for grade C, and the maximum.

If one candidate in 140 has grade C, the search fails for about one code in fifty million.
"""
ALONE_S = 1.0
"""The number of seconds that a search runs in this process before other processes join it."""
SOUGHT, REJECTED, OUTPLAYED = "fair", "rejected", "outplayed"
"""The kinds of steps that a search adds to the log."""
PLAYER = "player-"
"""The prefix of a computer player's id in a log step."""


def mirror_option() -> GameOption:
    """Return the mirror option, for games that can set up both sides as mirror images."""
    return GameOption(MIRROR, option_texts()[MIRROR], (ON,), flag_value=ON)


def mirrors(order: Request) -> bool:
    """Return whether each side must be set up as the mirror image of the other."""
    return order.options.get(MIRROR) == ON


def requested_title(order: Request) -> Words | None:
    """Return the requested title of the battle, or None if no title was requested.

    Raises:
        WrongUsageError: If the title is invalid.
    """
    title = order.options.get("title")
    return same(clean_name(title, "--title")) if title else None


def search_options(playing: Playing[Any] | None = None, *, reckoned: bool = False) -> tuple[GameOption, ...]:
    """Return the options of a search.

    Grade C is offered only if the game is played (`playing`) or its odds are computed (`reckoned`).
    """
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
    """The parts of a game that a search needs. A `Game` has them too and, unlike this class, can be pickled."""

    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    fairness: Fairness[S] | None
    write: Callable[[S], str] = str
    """Return the body of a scenario's file. It is needed only for games that are played."""
    playing: Playing[S] | None = None


def draw_with_search(
    draw: Callable[[Request], S],
    rules: Iterable[Rule[S]],
    fairness: Fairness[S],
    write: Callable[[S], str] = str,
    playing: Playing[S] | None = None,
) -> Callable[[Request], S]:
    """Return a function that draws scenarios and supports the options of `search_options`.

    It raises the errors of `draw` and `search_fair`. A game that is played passes `playing` and `write`, the
    function that returns the body of a scenario's file.
    """
    return partial(search_fair, Source(draw, tuple(rules), fairness, write, playing))


def search_fair(
    of: Source[S] | Game[S],
    order: Request,
    spread: Spread = here,
    report_progress: Callable[[int, int], None] = _no_progress,
) -> S:
    """Return the scenario of the request's code, or the first candidate with the requested grade.

    `spread` distributes the examination of candidates over processes. `report_progress` is called with the number of
    candidates examined and the maximum.

    Raises:
        WrongUsageError: If the game never has the grade.
        NothingLegalError: If no candidate has the grade.
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
"""The result of examining a candidate: the scenario or None, the reasons for its rejection, and any uneven pair."""


def _look(of: Source[S] | Game[S], order: Request, grade: str, code: str) -> Looked[S]:
    """Examine the scenario of a code."""
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
    """Examine a candidate for grade C, by playing games or computing odds."""
    if of.fairness and of.fairness.paired:
        return _reckoned(of, of.fairness.paired(found), found)
    if _unlikely(of, found):
        return None, ("forecast",), None
    if check(of.rules, found).illegal:
        return None, ("illegal",), None
    from generator.common.trials import (
        find_failing_pair,  # Importing this module is slow, and few searches play games.
    )

    by = find_failing_pair(of, found)
    return (None, ("played",), (by.pair, by.rate)) if by else (found, (), None)


def _reckoned(of: Source[S] | Game[S], pairs: Iterator[PairOdds], found: S) -> Looked[S]:
    """Examine the odds of each pair of policies until one pair fails."""
    if (one := next(pairs, None)) is None:
        return None, ("unfought",), None
    if not all(pair.within for pair in chain([one], pairs)):
        return None, ("odds",), None
    return (None, ("illegal",), None) if check(of.rules, found).illegal else (found, (), None)


def _unlikely(of: Source[S] | Game[S], found: S) -> bool:
    """Return whether the forecast is too uneven for the candidate to be played."""
    if of.fairness is None or of.playing is None or (fitted := forecaster(of.fairness.tables)) is None:
        return False
    differences = {one.id: one.values[0] - one.values[1] for one in of.fairness.measures(found) if one.values}
    firsts = of.playing.firsts(found) if of.playing.firsts else of.playing.engine(found).firsts
    return farthest(fitted, differences, first_mover_sign(firsts)) > fitted.limit


def candidates(code: str, path: str = PATH) -> Iterator[str]:
    """Yield the seed code, followed by an endless sequence of codes derived from the seed code and the path."""
    yield code
    stream = Rng(code, path)
    while True:
        yield code_for(stream.below(1 << BITS))


def fair_steps() -> dict[str, Words]:
    """Return the words for the steps of a search, which are merged with the words for a game's steps."""
    return shared_words()["fair_step"]


def fair_names(tables: tuple[str, ...]) -> dict[str, Words]:
    """Return the names of the reasons and computer players that occur in the steps of a search."""
    labels = shared_words()["fair_reason"] | {name: measure.name for name, measure in measures(tables).items()}
    policies = (policy for game in tables for policy in players(game).policy.items())
    return labels | {PLAYER + name: policy.name for name, policy in policies}


def fair_evidence(log: Iterable[Step]) -> set[tuple[str, str | None, tuple[str, ...]]]:
    """Return the evidence of the search steps for `false_steps`. Nothing else in a scenario confirms these steps."""
    return {step.evidence for step in log if step.what in (SOUGHT, REJECTED, OUTPLAYED)}


def _tries(order: Request) -> int:
    text = order.options.get(TRIES)
    if text is None:
        return DEFAULT_TRIES_PLAYED if order.options.get(FAIR) == PLAYED else DEFAULT_TRIES
    if FAIR not in order.options:
        raise WrongUsageError(
            tr("--{tries} can be used only with --{fair}", tries=TRIES, fair=FAIR),
            hint=tr("add --{fair} A or --{fair} B", fair=FAIR),
        )
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 0 < int(text) <= MAX_TRIES):
        raise WrongUsageError(
            tr("--{tries}: {text!r} is not a valid number of candidates", tries=TRIES, text=text),
            hint=tr("give a number from 1 to {most}", most=MAX_TRIES),
        )
    return int(text)


def _plain(order: Request, code: str, grade: str) -> Request:
    """Return the request for a candidate, without the search options and with the mirror option for grade A."""
    options = {name: value for name, value in order.options.items() if name not in (FAIR, TRIES)}
    return Request(code, options | ({MIRROR: ON} if grade == "A" else {}), order.files)


def _reasons(found: Certificate, grade: str) -> tuple[str, ...]:
    """Return the reasons that a candidate lacks the grade, or an empty tuple if it has the grade or a better one."""
    if found.grade and found.grade <= grade:
        return ()
    beyond = tuple(row.measure.id for row in (*found.beyond, *found.missing))
    return beyond or ("asymmetric",)


def _search_steps(rejected: Mapping[str, int], outplayed: Mapping[tuple[str, str], list[float]]) -> list[Step]:
    """Return the log steps of a search: rejections by reason, and by pair of players with the range of win rates."""
    steps = [Step(REJECTED, None, "", (reason, str(count))) for reason, count in sorted(rejected.items())]
    for pair, rates in sorted(outplayed.items()):
        span = f"{100 * min(rates):.0f}", f"{100 * max(rates):.0f}"
        steps.append(Step(OUTPLAYED, None, "", (*(PLAYER + name for name in pair), str(len(rates)), *span)))
    return steps


def _named(found: Any, order: Request, steps: list[Step]) -> Any:
    """Return the candidate with the code and options of the request. The steps of the search are first in its log."""
    origin = replace(found.origin, code=order.code, options=dict(order.options))
    return replace(found, origin=origin, log=(*steps, *found.log))
