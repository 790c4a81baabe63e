"""Search for a fair scenario: generate candidates from codes that follow from the seed code until one has the grade.

The first candidate is the scenario of the seed code itself. The log records which candidate was chosen and how many
were rejected for which reason. The same code with the same options always finds the same scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from math import fsum, sqrt
from statistics import fmean
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

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
from generator.common.playing import Playing, PolicyWords, numbers, players
from generator.common.scenario_file import Step, step_words
from generator.common.tables import shared_words
from generator.common.tally import Tally, interval_around
from generator.errors import NothingLegalError, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request, Scenario
from generator.model.words import Words, joined, same
from generator.notation.text import clean_name
from generator.rules import Rule, check
from generator.seeds import BITS, Rng, code_for
from generator.workers import Spread, here

S = TypeVar("S", bound=Scenario)


class Progress(Struct, frozen=True):
    """The progress of a search."""

    examined: int
    """The number of candidates that were examined."""
    total: int
    """The maximum number of candidates."""
    games: tuple[int, int] = (0, 0)
    """The number of games that strong players have played with the present candidate, and the maximum. The maximum is
    0 if no strong players are playing.
    """


class Best(Struct, frozen=True):
    """The most even candidate of a search so far, which does not have the requested grade."""

    code: str
    number: int
    """The number of candidates that were examined before it."""
    rank: tuple[int, float]
    """A value for comparing candidates. A larger value is better."""
    why: Words
    """The reason that the candidate does not have the grade."""


class SearchStoppedError(KeyboardInterrupt):
    """Raised if the user stops a search after candidates were examined."""

    def __init__(self, best: Best, examined: int) -> None:
        super().__init__()
        self.best, self.examined = best, examined


def _no_progress(progress: Progress) -> None:
    """Do nothing. This is the default progress callback."""


FAIR, TRIES, MIRROR = "fair", "tries", "mirror"
ON = "on"
GRADES = ("A", "B")
PLAYED = "C"
"""The grade that requires games of computer players, or their odds, in games that support it."""
PATH = "v1/fair"
DEFAULT_TRIES, DEFAULT_TRIES_PLAYED, MAX_TRIES = 300, 10_000, 10_000
"""The default number of candidates, the default for grade C, and the maximum.

If one candidate in 600 has grade C, a search of 10,000 candidates fails for about one code in
seventeen million.
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


def search_options(playing: Playing[Any] | None = None, *, computed: bool = False) -> tuple[GameOption, ...]:
    """Return the options of a search.

    Grade C is offered only if the game is played (`playing`) or its odds are computed (`computed`).
    """
    graded = playing is not None or computed
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
    report_progress: Callable[[Progress], None] = _no_progress,
) -> S:
    """Return the scenario of the request's code, or the first candidate with the requested grade.

    `spread` distributes the examination of candidates over processes.

    Raises:
        WrongUsageError: If the game never has the grade.
        NothingLegalError: If no candidate has the grade.
        SearchStoppedError: If the search is interrupted after candidates were examined.
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
    codes: list[str] = []  # The codes that were handed out so far.
    looks = spread(partial(_look, of, order, grade), _recorded(candidates(order.code), tries, codes), alone=ALONE_S)
    best: Best | None = None
    number = 0
    try:
        for number, look in enumerate(looks):
            report_progress(Progress(number + 1, tries))
            if look.found is not None and look.evidence:
                # A candidate that even the strong players have not rejected yet is better than any rejected one.
                unfinished = shared_words()["fair_reason"]["undecided"]
                previous, best = best, Best(codes[number], number, (UNDECIDED, 0.0), unfinished)
                report_games = partial(_report_games, report_progress, Progress(number + 1, tries))
                look = _play_strong(of, look, spread, report_games)
                best = previous
            if look.found is not None:
                result = (grade, codes[number], str(number), *look.evidence)
                steps = [Step(SOUGHT, None, PATH, result), *_search_steps(rejected, outplayed)]
                found: S = _named(look.found, order, steps)
                return found
            rejected.update(look.reasons)
            if look.uneven:
                outplayed.setdefault(look.uneven[0], []).append(look.uneven[1])
            if look.rank and (best is None or look.rank > best.rank):
                best = Best(codes[number], number, look.rank, _reason_words(fairness.tables, look))
    except KeyboardInterrupt as error:
        if best is None:
            raise
        raise SearchStoppedError(best, number + 1) from error
    finally:
        if isinstance(looks, Generator):
            looks.close()  # Ends the processes that are still examining candidates.
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


def _recorded(codes: Iterator[str], count: int, used: list[str]) -> Iterator[str]:
    """Yield the first `count` codes and append each to `used`."""
    for code in islice(codes, count):
        used.append(code)
        yield code


BEYOND, UNEVEN_CASUAL, UNEVEN_STRONG, UNDECIDED = range(4)
"""The stages of a search that a rejected candidate may have reached, worst first: measures beyond their limits,
uneven between casual players, uneven between strong players, and interrupted while strong players were playing.
"""
Uneven = tuple[tuple[str, str], float]
"""The pair of computer players that caused a candidate's rejection, and the first seat's win rate at that time."""


class Look(Struct, Generic[S], frozen=True):
    """The result of examining a candidate."""

    found: S | None = None
    """The scenario, or None if it was rejected."""
    reasons: tuple[str, ...] = ()
    """The reasons for its rejection."""
    uneven: Uneven | None = None
    evidence: tuple[str, ...] = ()
    """The part of a certificate of grade C, for the log: the test, and the games and rates of casual players."""
    rank: tuple[int, float] | None = None
    """How close a rejected candidate came to the grade (see `Best`), or None if it was not measured."""


def _look(of: Source[S] | Game[S], order: Request, grade: str, code: str) -> Look[S]:
    """Examine the scenario of a code. For grade C, strong players have yet to play a scenario that is found here."""
    assert of.fairness
    try:
        found = of.draw(candidate_request(order, code, grade))
    except NothingLegalError:
        return Look(reasons=("nothing",))
    if grade == PLAYED:
        return _played(of, found)
    reasons = beyond_quickly(of.fairness, found) or _reasons(certificate(of.fairness, found), grade)
    if not reasons and check(of.rules, found).illegal:
        return Look(reasons=("illegal",))
    return Look(reasons=reasons, rank=(BEYOND, -len(reasons))) if reasons else Look(found)


def _played(of: Source[S] | Game[S], found: S) -> Look[S]:
    """Examine a candidate for grade C, by playing games between casual players or computing odds."""
    if of.fairness and of.fairness.paired:
        return _computed(of, of.fairness.paired(found), found)
    if _unlikely(of, found):
        return Look(reasons=("forecast",))
    if check(of.rules, found).illegal:
        return Look(reasons=("illegal",))
    # Importing this module is slow, and few searches play games.
    from generator.common.trials import play_casual

    casual = play_casual(of, found)
    if by := casual.failing:
        return Look(reasons=("played",), uneven=(by.pair, by.rate), rank=(UNEVEN_CASUAL, casual.hope))
    rates = [one.rate for one in casual.tallies]
    games = sum(len(one.rows) for one in casual.tallies)
    return Look(found, evidence=(str(numbers().test), str(games), _percent(min(rates)), _percent(max(rates))))


def _computed(of: Source[S] | Game[S], pairs: Iterator[PairOdds], found: S) -> Look[S]:
    """Examine the odds of each pair of policies until one pair fails."""
    computed: list[PairOdds] = []
    for pair in pairs:
        computed.append(pair)
        if not pair.within:
            return Look(reasons=("odds",), rank=(UNEVEN_CASUAL, len(computed)))
    if not computed:
        return Look(reasons=("unfought",))
    if check(of.rules, found).illegal:
        return Look(reasons=("illegal",))
    lowest, highest = min(pair.min_rate for pair in computed), max(pair.max_rate for pair in computed)
    return Look(found, evidence=(str(numbers().test), "0", _percent(float(lowest)), _percent(float(highest))))


def _play_strong(
    of: Source[S] | Game[S], look: Look[S], spread: Spread, report_progress: Callable[[int, int], object]
) -> Look[S]:
    """Let strong players play a candidate that is even between casual players, and return the new result."""
    from generator.common.trials import play_strong

    if of.playing is None:
        return look
    tallies = play_strong(of, look.found, spread, report_progress, "search")
    if not tallies:
        return look
    failing = next((tally for tally in tallies if tally.passed is False), None)
    if failing:
        rank = (UNEVEN_STRONG, -max(abs(tally.rate - numbers().strong.even) for tally in tallies if tally.scores))
        return Look(reasons=("strong",), uneven=(failing.pair, failing.rate), rank=rank)
    return replace(look, evidence=(*look.evidence, *_strong_evidence(tallies)))


def _report_games(report_progress: Callable[[Progress], None], progress: Progress, played: int, total: int) -> None:
    """Report the games of strong players as a part of the progress of a search."""
    report_progress(replace(progress, games=(played, total)))


def _strong_evidence(tallies: Sequence[Tally]) -> tuple[str, ...]:
    """Return the evidence of the strong players for the log.

    It consists of the number of games, the first side's win rate, averaged over the pairs, with its interval, and for
    each pair the two players and the win rate.
    """
    rate, error = fmean(one.rate for one in tallies), sqrt(fsum(one.error**2 for one in tallies)) / len(tallies)
    by_pair = ((*(PLAYER + name for name in one.pair), _percent(one.rate)) for one in tallies)
    average = map(_percent, (rate, *interval_around(rate, error)))
    return str(sum(len(one.rows) for one in tallies)), *average, *chain.from_iterable(by_pair)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


class StrongRate(Struct, frozen=True):
    """The first side's win rate in the games of a pair of strong players, in percent."""

    policies: tuple[str, str]
    rate: float


class Certified(Struct, frozen=True):
    """The certificate of grade C that a search wrote to the log of a scenario. Rates are those of the first seat."""

    test: int
    """The number of the test (`test` in playing.toml)."""
    casual_games: int | None = None
    """The number of games between casual players, 0 if their odds were computed, or None in a file of test 1."""
    casual_rates: tuple[float, float] | None = None
    """The smallest and the largest win rate of all pairs, in percent."""
    strong_games: int = 0
    """The number of games between strong players, 0 if none were played."""
    strong_rate: float | None = None
    """The win rate in these games in percent, averaged over the pairs of strong players."""
    strong_interval: tuple[float, float] | None = None
    """The 95 % interval of this rate."""
    strong_pairs: tuple[StrongRate, ...] = ()
    """The win rate of each pair of strong players. Empty in a file of test 1 or 2."""


def certified(log: Iterable[Step]) -> Certified | None:
    """Return the certificate of grade C in a log, or None if there is none or if its form is wrong."""
    step = next((step for step in log if step.what == SOUGHT and step.result[:1] == (PLAYED,)), None)
    if step is None:
        return None
    try:
        test, *values = step.result[3:] or ("1",)
        casual, strong = values[:3], values[3:]
        found = Certified(int(test))
        if casual:
            games, low, high = casual
            found = replace(found, casual_games=int(games), casual_rates=(float(low), float(high)))
        if strong:
            games, rate, low, high, *by_pair = strong
            rows = zip(by_pair[::3], by_pair[1::3], by_pair[2::3], strict=True)
            found = replace(
                found,
                strong_games=int(games),
                strong_rate=float(rate),
                strong_interval=(float(low), float(high)),
                strong_pairs=tuple(
                    StrongRate((one.removeprefix(PLAYER), other.removeprefix(PLAYER)), float(percent))
                    for one, other, percent in rows
                ),
            )
    except ValueError:
        return None
    return found


def certified_json(log: Iterable[Step]) -> dict[str, object]:
    """Return the certificate of grade C in a log as the JSON field `certificate`. Empty if there is none."""
    found = certified(log)
    if found is None:
        return {}
    spans: dict[str, object] = {
        "casual_rates": list(found.casual_rates or ()),
        "strong_interval": list(found.strong_interval or ()),
        "strong_pairs": [{"policies": list(one.policies), "rate": one.rate} for one in found.strong_pairs],
    }
    return {"certificate": asdict(found) | spans | {"about": _certified_about(found)}}


def certified_lines(tables: tuple[str, ...], scenario: Any) -> list[Words]:
    """Return the certificate of grade C in the log of a scenario, and what it does and does not show.

    The list is empty if there is no certificate. `tables` are those of the game's `Fairness`.
    """
    found = certified(scenario.log)
    if found is None:
        return []
    changed = [] if scenario.origin.code else [shared_words()["played"]["changed"]]
    steps = [step for step in scenario.log if step.what == SOUGHT]
    return [*search_lines(tables, steps), *changed, _certified_about(found)]


def _certified_about(found: Certified) -> Words:
    """Return what a certificate shows and does not show, depending on who played."""
    return shared_words()["played"]["about" if found.strong_games else "about_casual"]


def search_lines(tables: tuple[str, ...], log: Iterable[Step]) -> list[Words]:
    """Return the steps of a search in words. Other steps of the log are left out."""
    names, steps = fair_names(tables), fair_steps()
    return [step_words(step, steps, lambda part: names.get(part) or same(part)) for step in log if step.what in steps]


def _reason_words(tables: tuple[str, ...], look: Look[S]) -> Words:
    """Return the reasons for a candidate's rejection in words, with the players and the win rate if games decided."""
    names = fair_names(tables)
    if look.uneven:
        (one, other), rate = look.uneven
        players_named = {"one": names[PLAYER + one], "other": names[PLAYER + other]}
        return shared_words()["fair_reason"]["uneven_pair"].fill(rate=_percent(rate), **players_named)
    return joined([names.get(reason, same(reason)) for reason in look.reasons])


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
    policies = (policy for game in tables for of in _levels(game) for policy in of.items())
    return labels | {PLAYER + name: policy.name for name, policy in policies}


def _levels(game: str) -> tuple[Mapping[str, PolicyWords], ...]:
    """Return the texts of the casual and the strong computer players of a game."""
    return players(game).policy, players(game).strong


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


def candidate_request(order: Request, code: str, grade: str) -> Request:
    """Return the request for a candidate: without the search options, and with the mirror option for grade A."""
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
