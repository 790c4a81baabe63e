"""Tests for fairness certificates and the search for fair scenarios, for every game with fairness measures.

Certificates are reproducible, and exchanging the sides negates every measure.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from generator import games
from generator.common.fairness import (
    Exact,
    Fairness,
    Measure,
    Measured,
    MeasureRow,
    beyond_quickly,
    certificate,
    certificate_json,
    certificate_line,
    exact,
    graded_line,
    measures,
)
from generator.common.game import Game
from generator.common.pages import AT_LIMIT, WIDTH, bar, certificate_sheet, in_words, lines, signed
from generator.common.playing import numbers
from generator.common.scenario_file import Step, checklist, step_words
from generator.common.search import StrongRate, candidates, certified, fair_names, fair_steps
from generator.common.trials import play_casual, trial
from generator.errors import NothingLegalError, WrongUsageError
from generator.model.picture import Path as Drawn
from generator.model.scenario import Request
from generator.model.words import LANGS, Words, same
from generator.notation import envelope
from generator.notation.toml import Source
from generator.rules import Finding, check
from generator.seeds import BITS, code_for, parse_code
from tests.games.exchanged import EXCHANGED

GAMES = tuple(game for name in games.names() if (game := games.load(name)).fairness)
MIRRORED = tuple(game for game in GAMES if game.fairness and not game.fairness.refused)
STRIDE = 239_452_381
DOCS = Path(__file__).parents[2] / "docs" / "fairness.md"

SMALL = {"blind_faith": {"points": "30"}}
"""Options for a scenario that is measured quickly, because a large fight takes several seconds."""
codes = st.integers(0, (1 << BITS) - 1).map(code_for)
quick = settings(max_examples=8, deadline=None)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_mirror = pytest.mark.parametrize("game", MIRRORED, ids=lambda game: game.name)


def drawn(game: Game[Any], code: str, **options: str) -> Any:
    return game.draw(Request(code, options, {}))


def fairness(game: Game[Any]) -> Fairness[Any]:
    assert game.fairness
    return game.fairness


def reread(game: Game[Any], scenario: Any) -> Any:
    """Return the scenario read back from its file."""
    source = Source("scenario.toml", envelope.compose(scenario.origin, game.write(scenario)))
    return game.read(source, envelope.origin_of_head(envelope.head(source)), Path())


@every_game
@pytest.mark.parametrize("options", [{}, {"mirror": "on"}], ids=str)
def test_a_certificate_is_worked_out_again_from_the_file(game: Game[Any], options: dict[str, str]) -> None:
    if options and game not in MIRRORED:
        return
    for number in range(10):
        scenario = drawn(game, code_for(number * STRIDE), **options, **SMALL.get(game.name, {}))
        assert certificate(fairness(game), reread(game, scenario)) == certificate(fairness(game), scenario)


@every_game
@given(codes)
@quick
def test_exchanging_the_sides_negates_every_difference(game: Game[Any], code: str) -> None:
    of = fairness(game)
    scenario = drawn(game, code, **SMALL.get(game.name, {}))
    before, after = (certificate(of, s) for s in (scenario, EXCHANGED[game.name](scenario)))
    assert [row.values for row in after.rows] == [row.values and row.values[::-1] for row in before.rows]
    assert [row.difference for row in after.rows] == [
        None if row.difference is None else -row.difference for row in before.rows
    ]
    assert (after.grade, not after.differs) == (before.grade, not before.differs)


@every_mirror
@given(codes)
@quick
def test_a_mirrored_scenario_is_legal_and_even_in_every_measure(game: Game[Any], code: str) -> None:
    scenario = drawn(game, code, mirror="on")
    found = certificate(fairness(game), scenario)
    assert check(game.rules, scenario).findings == ()
    assert (found.grade, found.differs) == ("A", ())
    assert {row.difference for row in found.rows} == {0}


@every_game
@pytest.mark.parametrize("grade", ["A", "B"])
def test_what_is_found_has_the_grade_and_is_found_again(game: Game[Any], grade: str) -> None:
    if grade == "A" and game not in MIRRORED:
        return
    code = code_for(79)
    scenario = drawn(game, code, fair=grade)
    assert certificate(fairness(game), scenario).grade in {"A": ("A",), "B": ("A", "B")}[grade]
    assert check(game.rules, scenario).findings == ()
    assert (scenario.origin.code, scenario.origin.options) == (code, {"fair": grade})
    assert game.write(scenario) == game.write(drawn(game, code, fair=grade))
    assert reread(game, scenario).log == scenario.log


@every_game
def test_the_log_tells_how_many_candidates_were_rejected_and_why(game: Game[Any]) -> None:
    code = next(c for c in map(code_for, range(99)) if not certificate(fairness(game), drawn(game, c)).grade)
    scenario = drawn(game, code, fair="B")
    sought = scenario.log[0]
    grade, candidate, number = sought.result
    assert (sought.what, grade) == ("fair", "B")
    before = list(islice(candidates(code), int(number) + 1))
    assert (before[0], before[-1], parse_code(candidate)) == (code, candidate, candidate)
    assert number != "0"
    reasons: dict[str, int] = {}
    for rejected in before[:-1]:
        candidate_ = drawn(game, rejected)
        found, quick = certificate(fairness(game), candidate_), beyond_quickly(fairness(game), candidate_)
        # Slow measures are computed only if all other measures are fair.
        for name in quick or [row.measure.id for row in (*found.beyond, *found.missing)]:
            reasons[name] = reasons.get(name, 0) + 1
    reason_counts = {step.result[0]: int(step.result[1]) for step in scenario.log if step.what == "rejected"}
    assert {
        reason: reason_counts[reason] for reason in reason_counts if reason not in ("illegal", "nothing")
    } == reasons
    assert game.write(drawn(game, candidate)).partition("[[log]]")[0] == game.write(scenario).partition("[[log]]")[0]


def test_a_scenario_found_by_play_passes_again_and_names_rejecting_players() -> None:
    """The second candidate of this code is even. A pair of computer players rejected the first candidate."""
    game = games.load("battling")
    short = {"machines": "2", "points": "26", "turns": "6"}
    scenario = drawn(game, code_for(7), fair="C", **short)
    done = trial(game, scenario, dice="search")
    assert done.passed
    strong = done.tallies["strong"]
    sought, rejected, outplayed = scenario.log[:3]
    found = certified(scenario.log)
    casual_games = sum(len(tally.rows) for tally in done.tallies["full"])
    assert found and (found.test, found.casual_games) == (numbers().test, casual_games)
    assert found.strong_games == sum(len(tally.rows) for tally in strong)
    assert found.strong_pairs == tuple(StrongRate(tally.pair, round(100 * tally.rate, 1)) for tally in strong)
    average = round(100 * sum(tally.rate for tally in strong) / len(strong), 1)
    assert found.strong_rate == average and found.strong_interval and found.strong_interval[0] < average
    assert (sought.result[0], sought.result[2]) == ("C", "1")
    assert (rejected.what, rejected.result) == ("rejected", ("played", "1"))
    first = drawn(game, code_for(7), **short)
    by = play_casual(game, first).failing
    assert by
    rate = f"{100 * by.rate:.0f}"
    assert outplayed.result == (*(f"player-{name}" for name in by.pair), "1", rate, rate)
    assert check(game.rules, scenario).findings == ()
    text = step_words(outplayed, fair_steps(), lambda part: fair_names(("battling",)).get(part, same(part)))
    assert text.en.startswith("Rejected after games between ")
    assert "player-" not in text.en + text.ja


@every_game
def test_the_search_ends(game: Game[Any]) -> None:
    code = next(c for c in map(code_for, range(99)) if not certificate(fairness(game), drawn(game, c)).grade)
    with pytest.raises(
        NothingLegalError, match=r"none of the 1 candidates has grade B; reasons for rejection: \w[\w ]* 1"
    ):
        drawn(game, code, fair="B", tries="1")


@pytest.mark.parametrize("tries", ["0", "-1", "ten", "10001", "1" * 30, "٣"])
def test_a_number_of_candidates_is_a_number(tries: str) -> None:
    with pytest.raises(WrongUsageError, match="is not a valid number of candidates"):
        drawn(GAMES[0], code_for(1), fair="B", tries=tries)


def test_tries_belong_to_a_search() -> None:
    with pytest.raises(WrongUsageError, match="--tries can be used only with --fair"):
        drawn(GAMES[0], code_for(1), tries="5")


def test_a_game_that_is_never_symmetric_says_why() -> None:
    from generator.common.search import draw_with_search

    game = GAMES[0]
    never = Fairness(
        **{name: getattr(game.fairness, name) for name in Fairness.__struct_fields__ if name != "refused"},
        refused=Words("attack and defence are no images", "攻守が対応しない"),
    )
    scenario = drawn(game, code_for(1), mirror="on")
    found = certificate(never, scenario)
    assert (found.grade, found.differs) == ("B", (never.refused,))
    with pytest.raises(WrongUsageError, match="--fair A: attack and defence are no images"):
        draw_with_search(game.draw, game.rules, never)(Request(code_for(1), {"fair": "A"}, {}))


@every_game
def test_every_measure_is_named_in_the_documents(game: Game[Any]) -> None:
    texts = [page.read_text("utf-8") for page in (DOCS, DOCS.with_name("fairness.ja.md"))]
    english, japanese = (dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.M)) for text in texts)
    for measure in measures(fairness(game).tables).values():
        assert (english[measure.id], japanese[measure.id]) == (measure.name.en, measure.name.ja)
        assert measure.max_difference >= 0


@every_game
def test_the_line_and_the_sheet_tell_the_same(game: Game[Any]) -> None:
    scenario = drawn(game, code_for(3))
    found = certificate(fairness(game), scenario)
    sheet = certificate_sheet(fairness(game), scenario, found)
    assert sheet.view["line"] == certificate_line(found)
    assert all(str(len(found.rows) - len(found.unknown)) in certificate_line(found)[lang] for lang in LANGS)
    assert len([name for name in sheet.figures if name.startswith("bar")]) == len(found.rows)


def row(difference: int | Fraction, limit: int | str) -> MeasureRow:
    words = same("x")
    return MeasureRow(Measure("x", words, words, words, limit), (difference, 0))


@pytest.mark.parametrize(
    ("difference", "limit", "far", "within"),
    [
        (0, 3, 0.0, True),
        (3, 3, AT_LIMIT, True),
        (-6, 3, WIDTH / 2, False),
        (Fraction(1, 40), "1/20", AT_LIMIT / 2, True),
        (Fraction(-1, 10), "1/20", WIDTH / 2, False),
        (0, 0, 0.0, True),
        (1, 0, WIDTH / 2, False),
    ],
)
def test_a_bar_reaches_its_limit_where_the_difference_does(
    difference: int | Fraction, limit: int | str, far: float, within: bool
) -> None:
    found = row(difference, limit)
    assert found.within is within
    filled = [item for item in bar(found).items if isinstance(item, Drawn) and item.fill]
    xs = [float(step[1]) for item in filled for step in item.steps if step[0] in ("M", "L")]
    assert max(xs, default=0.0) - min(xs, default=0.0) == pytest.approx(min(far, WIDTH / 2))
    if filled:
        assert (sum(xs) / len(xs) < WIDTH / 2) is (difference > 0)


def partly(*values: Exact | None) -> Fairness[Any]:
    """Return the measures of the first game with the given values for the first side.

    None marks a measure that is not computed. All further measures are 0.
    """
    first_game = fairness(GAMES[0])
    names = list(measures(first_game.tables))
    found = tuple(
        Measured(name, None, same("nobody knows")) if value is None else Measured(name, (value, 0))
        for name, value in zip(names, (*values, *[0] * (len(names) - len(values))), strict=True)
    )
    return structs.replace(first_game, measures=lambda scenario: found)


def test_measures_not_computed_do_not_count_and_are_named() -> None:
    scenario = drawn(GAMES[0], code_for(1), mirror="on")
    every_measure = tuple(measures(fairness(GAMES[0]).tables).values())
    every, missing = len(every_measure), every_measure[1].name
    for of, grade, line in (
        (partly(0, None), "A", f"and {every - 1} of {every} measures are even; not computed: {missing.en}."),
        (partly(1, None), "B", f"{every - 1} of {every} measures of the set-up"),
        (
            partly(99, None),
            "",
            f"1 of {every - 1} measures differ by more than their limits ({every_measure[0].name.en}); not",
        ),
    ):
        found = certificate(of, scenario)
        grade_line = certificate_line(found)
        assert (found.grade, [row.measure.id for row in found.unknown]) == (grade, [every_measure[1].id])
        assert line in grade_line.en
        assert f"計算していない項目：{missing.ja}" in grade_line.ja
    assert f"all {every} measures" in certificate_line(certificate(partly(1), scenario)).en
    rows = cast(list[dict[str, object]], certificate_json(found)["measures"])
    told_row = {name: rows[1][name] for name in ("values", "difference", "within", "why")}
    assert told_row == {"values": None, "difference": None, "within": None, "why": same("nobody knows")}
    assert "— (not computed: nobody knows)" in "\n".join(text.en for text in lines(found))
    sheet = certificate_sheet(of, scenario, found)
    printed = cast(list[dict[str, object]], sheet.view["rows"])[1]
    assert (printed["values"], printed["difference"], printed["beyond"]) == (["—", "—"], "—", False)
    assert not [item for item in bar(found.rows[1]).items if isinstance(item, Drawn) and item.fill]
    assert bar(found.rows[1]) != bar(row(0, 3))


def test_an_illegal_scenario_has_no_grade() -> None:
    scenario, of = drawn(GAMES[0], code_for(1), mirror="on"), fairness(GAMES[0])
    proved = check(GAMES[0].rules, scenario)
    rule = proved.rules[0]
    faulty = structs.replace(proved, findings=(Finding(rule, "here", same("why"), "illegal"),))
    found = certificate(of, scenario, faulty)
    assert certificate(of, scenario, proved).grade == "A"
    assert (found.grade, graded_line(of, scenario, faulty)) == ("", same(""))
    assert "not legal" in certificate_line(found).en
    unproved = structs.replace(proved, findings=(Finding(rule, "here", same("why"), "unproved"),))
    assert certificate(of, scenario, unproved).grade == "A"
    verdicts = {lines(certificate(of, scenario, report))[1].en for report in (proved, faulty, unproved)}
    assert len(verdicts) == 3


def test_grade_a_says_what_needs_no_image() -> None:
    for game in MIRRORED:
        found = certificate(fairness(game), drawn(game, code_for(5), mirror="on"))
        assert ("(reserves aside: " in certificate_line(found).en) is (game.name == "call_to_arms")


def test_a_later_game_words_the_measures_of_an_earlier_one() -> None:
    base, later = measures(("battlelore",)), measures(("battlelore", "call_to_arms"))
    assert "reserve" not in base["strength"].text.en
    changed = {name for name in base if later[name].text != base[name].text}
    assert changed == set(base) - {"cover", "obstacles"}
    assert all("リザーブ" in later[name].text.ja for name in changed - {"displaced"})


@every_game
def test_what_is_reported_is_a_sentence(game: Game[Any]) -> None:
    sentence = fairness(game).first(drawn(game, code_for(4)))
    assert (sentence.en[-1], sentence.ja[-1]) == (".", "。")


def test_search_steps_are_not_in_the_checklist() -> None:
    results = {
        "fair": ("B", "x", "3"),
        "rejected": ("nothing", "3"),
        "outplayed": ("a", "b", "3", "61", "70"),
        "map": (),
    }
    log = [Step(what, None, "", result) for what, result in results.items()]
    groups = checklist(log, lambda step: step_words(step, fair_steps(), same), same)
    assert [(group["ticked"], len(cast(list[Words], group["steps"]))) for group in groups] == [(False, 3), (True, 1)]
    first = cast(list[Words], groups[0]["steps"])[0]
    assert first.en == "Drawn with fairness grade B; candidates rejected before it: 3"


def test_numbers_are_reported_exactly() -> None:
    assert (exact(Fraction(4, 2)), exact(Fraction(1, 3)), exact(-7)) == (2, "1/3", -7)
    assert (signed(0), signed(2), signed(Fraction(-1, 3)), signed(None)) == ("0", "+2", "−0.33 (−1/3)", "—")
    assert (in_words(7), in_words(Fraction(3, 2)), in_words(Fraction(1, 300))) == ("7", "1.5 (3/2)", "0.003 (1/300)")
    assert in_words(Fraction(123457, 1000)) == "≈123.46"
