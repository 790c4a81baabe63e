"""Report the results of a trial as lines, a page and plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from generator.common.fairness import GradeOdds, hashes_line, odds_json, odds_lines, odds_sheet
from generator.common.game import Game
from generator.common.playing import (
    SEATS,
    Playing,
    numbers,
)
from generator.common.tables import shared_words
from generator.common.trials import SERIES, Moving, Row, Tally, Trial, mean_of
from generator.model.views import Sheet
from generator.model.words import Words
from generator.store.manifest import data_hash, rules_hash


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
    for tally, *others in zip(*(found.tallies[series] for series in SERIES), strict=True):
        row = _row(playing, tally)
        # These cells are plain strings, because the narrower English signs fit on one line in both languages.
        cells = [f"{row['rate']} %", f"{row['least']}–{row['most']}", row["n"], f"{row['draws']} %", row["length"]]
        rows.append(row | {"cells": [*cells, *(_span(other).en if other.rows else "–" for other in others)]})
    heads = ("players", "rate", "interval", "games", "draws", "length", "weak", "moved")
    view = {
        "say": texts,
        "line": _verdict(found),
        "intro": texts["of_full"].fill(seat=playing.seats[0]),
        "heads": [texts[f"head_{name}"] for name in heads],
        "cols": "* 17mm 22mm 14mm 16mm 14mm 31mm 31mm",
        "align": "left" + " centre" * 7,
        "rows": rows,
        "beside": texts["beside"].fill(**{series: len(found.tallies[series][0].rows) for series in SERIES[1:]}),
        "first": _first_mover_lines(playing, found),
        "searched": searched,
        "players": [texts["player"].fill(name=of.name, text=of.text) for of in playing.policies.values()],
        "left_out": playing.left_out,
        "house": playing.house,
        "made": hashes_line(found.digest, found.key),
    }
    return Sheet(part="certificate", title=texts["title"], template="played.xml", view=view)


class Account(NamedTuple):
    """A report on the games or odds of a scenario."""

    lines: list[Words]
    exported: dict[str, object]
    sheet: Sheet


def account(game: Game[Any], found: Trial | GradeOdds, searched: Sequence[Words] = ()) -> Account:
    """Return the report on games or odds. `searched` describes the candidates that a search rejected."""
    if isinstance(found, GradeOdds):
        assert game.fairness
        lines_and_json = odds_lines(game.fairness, found, searched), odds_json(found, searched)
        return Account(*lines_and_json, odds_sheet(game.fairness, found, searched))
    assert game.playing, "only games that are played are tried"
    of = game.playing, found, searched
    return Account(lines(*of), exported(*of), sheet(*of))


def _span(of: Tally | Moving) -> Words:
    """Return a win rate with its interval."""
    low, high = of.interval
    return shared_words()["played"]["span"].fill(rate=share(of.rate), least=share(low), most=share(high))


def _verdict(found: Trial) -> Words:
    """Return the line with the grade and the number of games."""
    of, full = numbers().grade, found.tallies["full"]
    return shared_words()["played"]["grade" if found.passed else "no_grade"].fill(
        n=sum(len(tally.rows) for tally in full),
        m=len(full),
        k=sum(not tally.passed for tally in full),
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
    return [*notes, texts["about"], hashes_line(found.digest, found.key)]


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
        "one": playing.policies[tally.pair[0]].name,
        "other": playing.policies[tally.pair[1]].name,
        "rate": share(tally.rate),
        "least": share(low),
        "most": share(high),
        "n": len(rows),
        "draws": share(_draws(rows)),
        "length": f"{mean_of([row.length for row in rows]):.1f}",
    }


def _draws(rows: Sequence[Row]) -> float:
    return sum(row.winner is None for row in rows) / len(rows)


def exported(playing: Playing[Any], found: Trial, searched: Sequence[Words] = ()) -> dict[str, object]:
    """Return the result as plain values for JSON (docs/json.md). Texts are `Words`."""
    return {
        "grade": "C" if found.passed else "",
        "games": found.games,
        "policies": [
            {"id": policy.id, "name": policy.name, "text": policy.text} for policy in playing.policies.values()
        ],
        "pairs": [
            {
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
            for series, tallies in found.tallies.items()
            for tally in tallies
            if tally.rows
        ],
        "first": [
            {"rate": round(of.rate, 6), "interval": [round(end, 6) for end in of.interval]} for of in found.first
        ]
        if found.first
        else None,
        "refused": list(searched),
        "left_out": list(playing.left_out),
        "house": list(playing.house),
        "about": shared_words()["played"]["about"],
        "key": found.key,
        "digest": found.digest,
        "data": data_hash(),
        "rules": rules_hash(),
    }
