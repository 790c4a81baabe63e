"""Looking for a fair scenario: candidates by codes that follow from the seed code, until one has the grade.

The first candidate is what the seed code itself draws. The log tells which candidate it came to be, and how many were
rejected for which reason, so that the same code with the same wishes finds the same scenario again.
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
    """Tell nobody."""


FAIR, TRIES, MIRROR = "fair", "tries", "mirror"
ON = "on"
GRADES = ("A", "B")
PLAYED = "C"
"""The grade of scenarios that were played, in games that can be."""
PATH = "v1/fair"
DEFAULT_TRIES, DEFAULT_TRIES_PLAYED, MAX_TRIES = 300, 2_500, 10_000
"""How many candidates are looked at where nobody says, for the grade of those that were played, and at most.

Where one candidate in 140 has that grade, one code in some fifty million is not served.
"""
ALONE_S = 1.0
"""Seconds of a search before others are asked to join."""
SOUGHT, REJECTED, OUTPLAYED = "fair", "rejected", "outplayed"
"""The steps that a search leaves in the log."""
PLAYER = "player-"
"""Before the id of a computer player where a step names one."""


def mirror_option() -> GameOption:
    """For a game whose draw can mirror; it reads this wish."""
    return GameOption(MIRROR, option_texts()[MIRROR], (ON,), flag_value=ON)


def mirrors(order: Request) -> bool:
    """Whether the draw is to set up each side as the other's image."""
    return order.options.get(MIRROR) == ON


def requested_title(order: Request) -> Words | None:
    """What the battle is to be called; None where nobody says. WrongUsageError for no name."""
    title = order.options.get("title")
    return same(clean_name(title, "--title")) if title else None


def search_options(playing: Playing[Any] | None = None, *, reckoned: bool = False) -> tuple[GameOption, ...]:
    """The wishes that a search reads, in a game that is played so, has its chances `reckoned`, or neither."""
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
    """What a search looks with; a whole `Game` will do, and travels to other processes where this does not."""

    draw: Callable[[Request], S]
    rules: tuple[Rule[S], ...]
    fairness: Fairness[S] | None
    write: Callable[[S], str] = str
    """The body of a scenario's file, where it is played."""
    playing: Playing[S] | None = None


def draw_with_search(
    draw: Callable[[Request], S],
    rules: Iterable[Rule[S]],
    fairness: Fairness[S],
    write: Callable[[S], str] = str,
    playing: Playing[S] | None = None,
) -> Callable[[Request], S]:
    """The draw of a game that heeds `search_wishes`; it raises what `draw` and `sought` raise.

    A game that is played brings how, and what writes the body of a scenario's file.
    """
    return partial(search_fair, Source(draw, tuple(rules), fairness, write, playing))


def search_fair(
    of: Source[S] | Game[S],
    order: Request,
    spread: Spread = here,
    report_progress: Callable[[int, int], None] = _no_progress,
) -> S:
    """What is drawn for an order: what its code draws, or the first candidate of the grade wished for.

    The candidates are looked at by whoever `spread` has; `tell` hears how many were, of how many at most.
    WrongUsageError for a grade that the game never has, NothingLegalError when the candidates end.
    """
    grade, tries = order.options.get(FAIR, ""), _tries(order)
    fairness = of.fairness
    if not grade or fairness is None:
        return of.draw(order)
    if grade == "A" and fairness.refused:
        hint = tr("use --{fair} B, which is found by its measures", fair=FAIR)
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
        "none of {tries} candidates has grade {grade}; rejected for: {why}", tries=tries, grade=grade, why=why
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
"""A pair of computer players by which a candidate was refused, and the first seat's rate when it was."""
Looked = tuple[S | None, tuple[str, ...], Uneven | None]
"""A candidate that has the grade; or None, why not, and by whom it was found uneven in play."""


def _look(of: Source[S] | Game[S], order: Request, grade: str, code: str) -> Looked[S]:
    """What a code's draw comes to."""
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
    """The same of the grade of those that were played, or whose chances are reckoned in place of that."""
    if of.fairness and of.fairness.paired:
        return _reckoned(of, of.fairness.paired(found), found)
    if _unlikely(of, found):
        return None, ("forecast",), None
    if check(of.rules, found).illegal:
        return None, ("illegal",), None
    from generator.common.trials import refused  # what holds trials takes time to load, and few searches play

    by = refused(of, found)
    return (None, ("played",), (by.pair, by.rate)) if by else (found, (), None)


def _reckoned(of: Source[S] | Game[S], pairs: Iterator[PairOdds], found: S) -> Looked[S]:
    """The same by the odds of every pair of policies, up to the first that is not within."""
    if (one := next(pairs, None)) is None:
        return None, ("unfought",), None
    if not all(pair.within for pair in chain([one], pairs)):
        return None, ("odds",), None
    return (None, ("illegal",), None) if check(of.rules, found).illegal else (found, (), None)


def _unlikely(of: Source[S] | Game[S], found: S) -> bool:
    """Whether its measures let nobody expect even games, so that it is not played."""
    if of.fairness is None or of.playing is None or (fitted := forecaster(of.fairness.tables)) is None:
        return False
    differences = {one.id: one.values[0] - one.values[1] for one in of.fairness.measures(found) if one.values}
    firsts = of.playing.firsts(found) if of.playing.firsts else of.playing.engine(found).firsts
    return farthest(fitted, differences, first_mover_sign(firsts)) > fitted.limit


def candidates(code: str, path: str = PATH) -> Iterator[str]:
    """The seed code itself, then codes that follow from it by that path, without end."""
    yield code
    stream = Rng(code, path)
    while True:
        yield code_for(stream.below(1 << BITS))


def fair_steps() -> dict[str, Words]:
    """A search's steps in words, for a game's own."""
    return shared_words()["fair_step"]


def fair_names(tables: tuple[str, ...]) -> dict[str, Words]:
    """What the reasons and computer players in those steps are called."""
    labels = shared_words()["fair_reason"] | {name: measure.name for name, measure in measures(tables).items()}
    policies = (policy for game in tables for policy in players(game).policy.items())
    return labels | {PLAYER + name: policy.name for name, policy in policies}


def fair_evidence(log: Iterable[Step]) -> set[tuple[str, str | None, tuple[str, ...]]]:
    """The steps of a search, which nothing else in a scenario shows, for `false_steps`."""
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
            tr("--{tries}: {text!r} is not a number of candidates", tries=TRIES, text=text),
            hint=tr("from 1 to {most}", most=MAX_TRIES),
        )
    return int(text)


def _plain(order: Request, code: str, grade: str) -> Request:
    """A candidate's order: what else was wished for, mirrored where grade A is."""
    options = {name: value for name, value in order.options.items() if name not in (FAIR, TRIES)}
    return Request(code, options | ({MIRROR: ON} if grade == "A" else {}), order.files)


def _reasons(found: Certificate, grade: str) -> tuple[str, ...]:
    """Why a candidate lacks the grade; none where it has it, or a better one."""
    if found.grade and found.grade <= grade:
        return ()
    beyond = tuple(row.measure.id for row in (*found.beyond, *found.missing))
    return beyond or ("asymmetric",)


def _search_steps(rejected: Mapping[str, int], outplayed: Mapping[tuple[str, str], list[float]]) -> list[Step]:
    """How many candidates were rejected for what; by which pairs of players, at what rates of the first seat."""
    steps = [Step(REJECTED, None, "", (reason, str(count))) for reason, count in sorted(rejected.items())]
    for pair, rates in sorted(outplayed.items()):
        span = f"{100 * min(rates):.0f}", f"{100 * max(rates):.0f}"
        steps.append(Step(OUTPLAYED, None, "", (*(PLAYER + name for name in pair), str(len(rates)), *span)))
    return steps


def _named(found: Any, order: Request, steps: list[Step]) -> Any:
    """The candidate as what the seed code drew, its log led by that of the search."""
    origin = replace(found.origin, code=order.code, options=dict(order.options))
    return replace(found, origin=origin, log=(*steps, *found.log))
