"""Report the results of a trial as lines, a page and plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from generator.common.fairness import GradeOdds
from generator.common.game import Game
from generator.common.playing import (
    SEATS,
    Playing,
    Policy,
    numbers,
)
from generator.common.tables import shared_words
from generator.common.tally import Row, Tally, mean_of
from generator.common.trials import Moving, Series, Trial
from generator.model.views import Sheet
from generator.model.words import Words, joined
from generator.store.manifest import data_hash, rules_hash

COMPARED: tuple[Series, ...] = ("weak", "moved")
"""The series that do not count for the grade. A page shows them next to the casual players."""


def share(of: float) -> str:
    """Return a rate in percent with one decimal."""
    return f"{100 * of:.1f}"


def lines(playing: Playing[Any], found: Trial, searched: Sequence[Words] = ()) -> list[Words]:
    """Return the result as lines for the terminal. `searched` describes the candidates that a search rejected."""
    texts = shared_words()["played"]
    lines_found = [_verdict(found)]
    for title, tallies in _parts(playing, found):
        lines_found += [title, *(texts["row"].fill(**_row(playing, tally)) for tally in tallies)]
    return [*lines_found, *searched, *_notes(playing, found)]


def sheet(playing: Playing[Any], found: Trial, searched: Sequence[Words] = ()) -> Sheet:
    """Return the result as the page that follows the certificate.

    Each pair of policies has a row, with the results of the other series on the right.
    """
    texts = shared_words()["played"]
    rows = []
    compared = zip(*(found.tallies[series] for series in ("full", *COMPARED)), strict=True)
    for tally, *others in (*compared, *((strong, *[None] * len(COMPARED)) for strong in _played_strong(found))):
        row = _row(playing, tally)
        # These cells are plain strings, because the narrower English signs fit on one line in both languages.
        cells = [f"{row['rate']} %", f"{row['least']}–{row['most']}", row["n"], f"{row['draws']} %", row["length"]]
        spans = [_span(other).en if other and other.rows else "–" for other in others]
        row |= {"cells": [*cells, *spans]}
        rows.append(row if others[0] else row | {"other": texts["strong_name"].fill(name=row["other"])})
    heads = ("players", "rate", "interval", "games", "draws", "length", "weak", "moved")
    view = {
        "say": texts,
        "line": _verdict(found),
        "intro": texts["of_both"].fill(seat=playing.seats[0]),
        "heads": [texts[f"head_{name}"] for name in heads],
        "cols": "* 17mm 22mm 14mm 16mm 14mm 31mm 31mm",
        "align": "left" + " centre" * 7,
        "rows": rows,
        "about": _about(found),
        "beside": texts["beside"].fill(**{series: len(found.tallies[series][0].rows) for series in COMPARED}),
        "first": _first_mover_lines(playing, found),
        "searched": searched,
        "players": [texts["player"].fill(name=of.name, text=of.text) for of in _players(playing, found)],
        "left_out": playing.left_out,
        "house": playing.house,
        "made": hashes_line(found.digest, found.key),
    }
    return Sheet(part="certificate", title=texts["title"], template="played.xml", view=view)


def _played_strong(found: Trial | GradeOdds) -> list[Tally]:
    """Return the strong pairs that played. The others had no games before one pair failed."""
    strong = found.strong if isinstance(found, GradeOdds) else found.tallies["strong"]
    return [tally for tally in strong if tally.rows]


def _players(playing: Playing[Any], found: Trial) -> list[Policy]:
    """Return the policies that played for the grade, the casual ones first."""
    strong = (name for tally in _played_strong(found) for name in tally.pair)
    return [playing.all_policies[name] for name in dict.fromkeys((*playing.policies, *strong))]


def _about(found: Trial) -> Words:
    """Return what the results show and do not show, depending on who played."""
    return shared_words()["played"]["about" if found.tallies["strong"] else "about_casual"]


class Account(NamedTuple):
    """A report on the games or odds of a scenario."""

    lines: list[Words]
    exported: dict[str, object]
    sheet: Sheet


def account(game: Game[Any], found: Trial | GradeOdds, searched: Sequence[Words] = ()) -> Account:
    """Return the report on games or odds. `searched` describes the candidates that a search rejected."""
    if isinstance(found, GradeOdds):
        odds = game, found, searched
        return Account(_odds_lines(*odds), _odds_json(*odds), _odds_sheet(*odds))
    assert game.playing, "only games that are played are tried"
    of = game.playing, found, searched
    return Account(lines(*of), exported(*of), sheet(*of))


def _span(of: Tally | Moving) -> Words:
    """Return a win rate with its interval."""
    low, high = of.interval
    return shared_words()["played"]["span"].fill(rate=share(of.rate), least=share(low), most=share(high))


def _verdict(found: Trial) -> Words:
    """Return the grade, and the results of the casual and the strong players, in a sentence each."""
    of, full = numbers().grade, found.tallies["full"]
    casual = shared_words()["played"]["casual_even" if found.passed_casual else "casual_uneven"].fill(
        n=sum(len(tally.rows) for tally in full),
        m=len(full),
        k=sum(not tally.passed for tally in full),
        even=f"{100 * of.even:.0f}",
        within=f"{100 * of.within:.0f}",
    )
    return _grade_and_levels(found.passed, casual, _strong_verdict(found))


def _odds_verdict(found: GradeOdds) -> Words:
    """Return the grade, the result of the computed odds, and that of the strong players, in a sentence each."""
    of, beyond = numbers().grade, sum(not one.within for one in found.pairs)
    key = "odds_even" if found.passed_casual else "odds_uneven" if found.pairs else "unfought"
    percent = {"even": f"{100 * of.even:.0f}", "within": f"{100 * of.within:.0f}"}
    casual = shared_words()["played"][key].fill(m=len(found.pairs), k=beyond, **percent)
    return _grade_and_levels(found.passed, casual, _strong_verdict(found))


def _grade_and_levels(passed: bool, casual: Words, strong: Words | None) -> Words:
    """Return the sentence on the grade, followed by those on the casual and the strong players."""
    grade = shared_words()["played"]["has_grade" if passed else "lacks_grade"].fill(test=numbers().test)
    return joined([grade, casual, *([strong] if strong else [])], " ", "")


def _strong_verdict(found: Trial | GradeOdds) -> Words | None:
    """Return the sentence on the games of the strong pairs, or None if they did not play."""
    of, played = numbers().strong, _played_strong(found)
    if not played:
        return None
    rates = [tally.rate for tally in played]
    passed = all(tally.passed for tally in played)
    return shared_words()["played"]["strong_even" if passed else "strong_uneven"].fill(
        n=sum(len(tally.rows) for tally in played),
        m=len(played),
        low=share(min(rates)),
        high=share(max(rates)),
        even=f"{100 * of.even:.0f}",
        within=f"{100 * of.within:.0f}",
    )


def _parts(playing: Playing[Any], found: Trial) -> Iterator[tuple[Words, list[Tally]]]:
    """Yield each series that was played, as a heading and the results of its pairs."""
    for series, tallies in found.tallies.items():
        if there := [tally for tally in tallies if tally.rows]:
            yield shared_words()["played"][f"of_{series}"].fill(seat=playing.seats[0]), there


def _notes(playing: Playing[Any], found: Trial) -> list[Words]:
    """Return the value of moving first, and notes on how the figures were obtained."""
    texts = shared_words()["played"]
    notes = [*_first_mover_lines(playing, found), *(texts["left_out"].fill(what=text) for text in playing.left_out)]
    notes += [texts["house"].fill(what=text) for text in playing.house]
    return [*notes, _about(found), hashes_line(found.digest, found.key)]


def _first_mover_lines(playing: Playing[Any], found: Trial) -> list[Words]:
    """Return the value of moving first, or nothing unless each seat moved first in some games."""
    if found.first is None:
        return []
    here, there = map(_span, found.first)
    return [shared_words()["played"]["first"].fill(seat=playing.seats[0], here=here, there=there)]


def _row(playing: Playing[Any], tally: Tally) -> dict[str, object]:
    """Return the results of a pair as a row for lines and pages."""
    rows, (low, high) = tally.rows, tally.interval
    return {
        "mark": "✗" if tally.passed is False else " ",
        "beyond": tally.passed is False,
        "one": playing.all_policies[tally.pair[0]].name,
        "other": playing.all_policies[tally.pair[1]].name,
        "rate": share(tally.rate),
        "least": share(low),
        "most": share(high),
        "n": len(rows),
        "draws": share(_draws(rows)),
        "length": f"{mean_of([row.length for row in rows]):.1f}",
    }


def _draws(rows: Sequence[Row]) -> float:
    return sum(row.winner is None for row in rows) / len(rows)


def _pair_json(series: Series, tally: Tally) -> dict[str, object]:
    """Return the results of a pair as plain values for JSON."""
    return {
        "series": series,
        "policies": list(tally.pair),
        "games": len(tally.rows),
        "rate": round(tally.rate, 6),
        "interval": [round(end, 6) for end in tally.interval],
        "draws": round(_draws(tally.rows), 6),
        "length": round(mean_of([row.length for row in tally.rows]), 6),
        "shortest": min(row.length for row in tally.rows),
        "longest": max(row.length for row in tally.rows),
        "counted": [round(mean_of([row.counted[seat] for row in tally.rows]), 6) for seat in SEATS],
        "within": tally.passed,
    }


def exported(playing: Playing[Any], found: Trial, searched: Sequence[Words] = ()) -> dict[str, object]:
    """Return the result as plain values for JSON (docs/json.md). Texts are `Words`."""
    return {
        "grade": "C" if found.passed else "",
        "games": found.games,
        "policies": [
            {"id": policy.id, "name": policy.name, "text": policy.text} for policy in _players(playing, found)
        ],
        "pairs": [
            _pair_json(series, tally) for series, tallies in found.tallies.items() for tally in tallies if tally.rows
        ],
        "first": [
            {"rate": round(of.rate, 6), "interval": [round(end, 6) for end in of.interval]} for of in found.first
        ]
        if found.first
        else None,
        "refused": list(searched),
        "left_out": list(playing.left_out),
        "house": list(playing.house),
        "test": numbers().test,
        "about": _about(found),
        "key": found.key,
        "digest": found.digest,
        "data": data_hash(),
        "rules": rules_hash(),
    }


def _odds_lines(game: Game[Any], found: GradeOdds, searched: Sequence[Words]) -> list[Words]:
    """Return the odds and the games of strong players as lines for the terminal."""
    assert game.fairness
    texts, seat = shared_words()["played"], game.fairness.sides[0]
    lines_found = [_odds_verdict(found)]
    if found.pairs:
        pair_lines = (texts["pair"].fill(**row) for row in found.rows())
        lines_found += [texts["of_computed"].fill(seat=seat), *pair_lines]
    if (strong := _played_strong(found)) and game.playing:
        strong_lines = (texts["row"].fill(**_row(game.playing, tally)) for tally in strong)
        lines_found += [texts["of_strong"].fill(seat=seat), *strong_lines]
    return [*lines_found, *searched, _odds_about(found), hashes_line(found.digest, found.key)]


def _odds_sheet(game: Game[Any], found: GradeOdds, searched: Sequence[Words]) -> Sheet:
    """Return the odds and the games of strong players as the page that follows the certificate."""
    assert game.fairness
    texts, seat = shared_words()["played"], game.fairness.sides[0]
    rows = [row | {"cells": [f"{row['rate']} %", f"{row['draws']} %", "–"]} for row in found.rows()]
    policies = [texts["player"].fill(name=of.name, text=of.text) for of in found.policies.values()]
    for tally in _played_strong(found):
        assert game.playing, "strong players played"
        row = _row(game.playing, tally)
        cells = [f"{row['rate']} % ({row['least']}–{row['most']})", f"{row['draws']} %", row["n"]]
        rows.append(row | {"other": texts["strong_name"].fill(name=row["other"]), "cells": cells})
    policies += [texts["player"].fill(name=of.name, text=of.text) for of in _strong_policies(game, found)]
    view = {
        "say": texts,
        "line": _odds_verdict(found),
        "about": _odds_about(found),
        "intro": texts["of_computed"].fill(seat=seat) if found.pairs else None,
        "heads": [texts[f"head_{name}"] for name in ("players", "rate", "draws", "games")],
        "cols": "* 40mm 30mm 20mm",
        "align": "left centre centre centre",
        "rows": rows,
        "beside": None,
        "first": [],
        "searched": searched,
        "players": policies,
        "left_out": [],
        "house": [],
        "made": hashes_line(found.digest, found.key),
    }
    return Sheet(part="certificate", title=texts["title_computed"], template="played.xml", view=view)


def _strong_policies(game: Game[Any], found: GradeOdds) -> list[Policy]:
    """Return the strong policies that played, without those whose odds were computed."""
    names = dict.fromkeys(name for tally in _played_strong(found) for name in tally.pair)
    return [game.playing.all_policies[name] for name in names if name not in found.policies] if game.playing else []


def _odds_about(found: GradeOdds) -> Words:
    """Return what the odds and games show and do not show, depending on who played."""
    return shared_words()["played"]["about" if found.strong else "about_casual"]


def _odds_json(game: Game[Any], found: GradeOdds, searched: Sequence[Words]) -> dict[str, object]:
    """Return the odds and the games of strong players as plain values for JSON (docs/json.md). Texts are `Words`."""
    policies = [{"id": name, "name": of.name, "text": of.text} for name, of in found.policies.items()]
    pairs: list[dict[str, object]] = [
        {
            "series": "computed",
            "policies": list(one.pair),
            "games": 0,
            "rate": round(float(one.min_rate + one.missing / 2), 6),
            "interval": [round(float(one.min_rate), 6), round(float(one.max_rate), 6)],
            "exact": not one.missing,
            "draws": round(float(one.draws), 6),
            "within": one.within,
        }
        for one in found.pairs
    ]
    policies += [{"id": of.id, "name": of.name, "text": of.text} for of in _strong_policies(game, found)]
    pairs += [_pair_json("strong", tally) | {"exact": False} for tally in _played_strong(found)]
    return {
        "grade": "C" if found.passed else "",
        "games": found.games,
        "test": numbers().test,
        "policies": policies,
        "pairs": pairs,
        "refused": list(searched),
        "about": _odds_about(found),
        "key": found.key,
        "digest": found.digest,
        "data": data_hash(),
        "rules": rules_hash(),
    }


def hashes_line(digest: str, key: str) -> Words:
    """Return a line with the hashes that identify a result and the data and rules it was computed from."""
    hashes = {"digest": digest, "key": key, "data": data_hash(), "rules": rules_hash()}
    return shared_words()["played"]["made"].fill(**{name: of[:16] for name, of in hashes.items()})
