"""Fit the forecast of grade C, which predicts win rates in computer games from the measures of grade B.

Example: python docs/make_forecast.py 100 call_to_arms --keep rows.json

This draws 100 scenarios of each game given (default: all games with players and measures). On each scenario, every
pair of full-strength players plays, and grade C is determined. The script then computes the fit, writes
data/<game>/forecast.toml, and prints a row of the table in docs/fairness.md. `--keep` saves the results of the games
to a file, so that they are not played again. Codes and games depend only on the name of the game and the scenario,
so every run gives the same result.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from generator import games
from generator.common.fairness import Forecast, Leaning, certificate, farthest, first_mover_sign, forecast
from generator.common.game import Game
from generator.common.trials import Case, pairs, play, play_casual, scenario_key
from generator.errors import NothingLegalError
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import BITS, Rng, code_for
from generator.store.folders import shipped_path
from generator.store.write import write

PATH = "v1/forecast"
DUPLICATES = 8
"""Number of duplicates that each pair of players plays on each scenario. With three players, these are 96 games."""
FOLDS = 5
"""Number of folds of the cross-validation. Each fold holds out a fifth of the scenarios."""
CAP = 0.95
"""Quantile at which differences are capped. Larger differences among the drawn scenarios are replaced by this
value."""
RIDGE, STIFF = 5.0, 50.0
"""Ridge penalties of a weight, in scenarios. STIFF is for the weights of a single player, which depend on fewer
games."""
KEPT = 0.95
"""Fraction of the scenarios with grade C whose forecast is within the limit, in games without an entry in LIMITS."""
LIMITS = {"battlelore": 0.04, "call_to_arms": 0.055}
"""Limits for games in which grade C is rare. There, drawing another scenario costs only 2 % of playing a scenario
whose forecast is farther from even."""
EVEN = 0.5
"""Win rate of even play."""

Array = NDArray[np.float64]


class Row(NamedTuple):
    """A scenario that was played."""

    code: str
    first: int
    differences: Mapping[str, float | None]
    rate: float
    games: int
    passed: bool
    rates: Mapping[str, float] = {}
    """Win rate of the first seat, keyed by the pair of players."""


def drawn(game: Game[Any], at: int) -> Row | None:
    """Draw and play the scenario with this number. Return None if no legal scenario can be drawn."""
    assert game.fairness
    assert game.playing
    code = code_for(Rng(f"{game.name}/{at}", PATH).below(1 << BITS))
    try:
        scenario = game.draw(Request(code, {}, {}))
    except NothingLegalError:
        return None
    if check(game.rules, scenario).illegal:
        return None
    engine, key = game.playing.engine(scenario), scenario_key(game, scenario)
    rates = {}
    for pair in pairs(game.playing):
        cases = (
            Case("full", pair, duplicate, swapped) for duplicate in range(DUPLICATES) for swapped in (False, True)
        )
        rates["-".join(pair)] = float(np.mean([play(engine, game.playing, key, one).score for one in cases]))
    passed = play_casual(game, scenario).failing is None
    rows = certificate(game.fairness, scenario).rows
    differences = {row.measure.id: None if row.difference is None else float(row.difference) for row in rows}
    first, count = first_mover_sign(engine.firsts), 2 * DUPLICATES * len(rates)
    return Row(code, first, differences, float(np.mean(list(rates.values()))), count, passed, rates)


def fitted(rows: Sequence[Row]) -> Forecast:
    """Return a least-squares fit with a ridge penalty.

    The fit has no constant, so exchanging the sides inverts the win rates.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.differences))

    def off(row: Row, name: str) -> float:
        return row.differences.get(name) or 0.0

    caps = {name: float(np.quantile([abs(off(row, name)) for row in rows], CAP)) for name in names}
    table = np.array(
        [[*(float(np.clip(off(row, n), -caps[n], caps[n])) for n in names), float(row.first)] for row in rows]
    )

    def leaning(weights: Array) -> Leaning:
        return Leaning(_short(weights[-1]), {name: _short(of) for name, of in zip(names, weights, strict=False)})

    every = leaning(_weights(table, np.array([row.rate - EVEN for row in rows]), RIDGE))
    return Forecast(
        source="house",
        scenarios=len(rows),
        limit=0.0,
        first=every.first,
        weight=every.weight,
        cap={name: _short(cap) for name, cap in caps.items()},
        player={name: leaning(_weights(table, aim, STIFF)) for name, aim in leanings(rows).items()},
    )


def _weights(table: Array, aim: Array, ridge: float) -> Array:
    """Return a weight for each column, or 0 for an empty column."""
    scale = np.sqrt((table**2).mean(axis=0))
    used = scale > 0
    inside: Array = table[:, used] / scale[used]
    found = np.linalg.solve(inside.T @ inside + ridge * np.eye(inside.shape[1]), inside.T @ aim)
    weights = np.zeros(len(scale))
    weights[used] = found / scale[used]
    return weights


def leanings(rows: Sequence[Row]) -> dict[str, Array]:
    """Return how much each player's rate differs from the mean, or {} if there are no rates.

    The rate of a pair of players is assumed to be the mean of their two rates.
    """
    if not all(row.rates for row in rows):
        return {}
    every = [pair.split("-") for pair in rows[0].rates]
    names = list(dict.fromkeys(name for pair in every for name in pair))
    half = np.array([[pair.count(name) / 2 for name in names] for pair in every])
    off = np.array([[rate - row.rate for rate in row.rates.values()] for row in rows])
    return dict(zip(names, np.linalg.pinv(half) @ off.T, strict=True))


def _short(number: float) -> float:
    return float(f"{number:.4g}")


class RowForecast(NamedTuple):
    """The forecast for a row, made by a fit on other rows."""

    rate: float
    off: float
    """Largest difference from even play over all players."""


def held_out(rows: Sequence[Row]) -> list[RowForecast]:
    """Return for each row the forecast of a fit on the other folds."""
    found: dict[int, RowForecast] = {}
    for fold in range(FOLDS):
        of = fitted([row for at, row in enumerate(rows) if at % FOLDS != fold])
        for at, row in list(enumerate(rows))[fold::FOLDS]:
            found[at] = RowForecast(
                forecast(of, row.differences, row.first), farthest(of, row.differences, row.first)
            )
    return [found[at] for at in range(len(rows))]


def squared(rows: Sequence[Row], forecasts: Sequence[RowForecast]) -> float:
    """Return R² of the forecasts relative to a constant forecast of 50 %. The value is 0 if they are not better."""
    rest = sum((row.rate - one.rate) ** 2 for row, one in zip(rows, forecasts, strict=True))
    return 1 - rest / sum((row.rate - EVEN) ** 2 for row in rows)


def limit(rows: Sequence[Row], forecasts: Sequence[RowForecast]) -> float:
    """Return the largest forecast difference from even for most scenarios with grade C, rounded up to 0.01."""
    off = sorted(one.off for row, one in zip(rows, forecasts, strict=True) if row.passed)
    return float(np.ceil(100 * np.quantile(off, KEPT)) / 100) if off else EVEN


def confused(title: str, of: Forecast, rows: Sequence[Row], forecasts: Sequence[RowForecast]) -> str:
    """Return the table row of a game.

    It has R², the limit, and the numbers of scenarios with and without grade C that would be played or not.
    """
    counts = Counter((one.off <= of.limit, row.passed) for row, one in zip(rows, forecasts, strict=True))
    cells = [counts[played, passed] for passed in (True, False) for played in (True, False)]
    head = f"| {title} | {len(rows)} | {squared(rows, forecasts):.2f} | {100 * of.limit:g} %"
    return f"{head} | {' | '.join(map(str, cells))} |"


def document(of: Forecast) -> str:
    """Return the text of data/<game>/forecast.toml."""
    lines = [
        "# A forecast of the first seat's win rate from the differences of the fairness measures.",
        f"# docs/make_forecast.py fitted the weights to {of.scenarios} drawn scenarios. docs/fairness.md shows how",
        "# accurate the forecast is. Searches play a candidate for grade C only if its forecast is within the limit.",
        "# The forecast does not affect grades.",
        "#",
        "# limit    the maximum distance of the forecast from an even win rate",
        "# first    added to the win rate if the first seat moves first, and subtracted if the other seat does",
        "# weight   the change of the win rate for a difference of 1, for each measure",
        "# cap      the maximum difference that counts, for each measure",
        "# player   a correction for a player against itself; two different players have the mean of both",
        "",
        f'source = "{of.source}"',
        f"scenarios = {of.scenarios}",
        f"limit = {of.limit}",
        f"first = {of.first}",
        "",
        "[weight]",
        *(f"{name} = {weight}" for name, weight in of.weight.items()),
        "",
        "[cap]",
        *(f"{name} = {cap}" for name, cap in of.cap.items()),
        "",
        *chain.from_iterable(_leaning(name, one) for name, one in of.player.items()),
    ]
    return "\n".join(lines)


def _leaning(name: str, of: Leaning) -> list[str]:
    weights = (f"{measure} = {weight}" for measure, weight in of.weight.items())
    return [f"[player.{name}]", f"first = {of.first}", "", f"[player.{name}.weight]", *weights, ""]


def main() -> None:
    """Run the command."""
    known = [name for name in games.names() if (game := games.load(name)).tried and game.fairness]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", type=int, help="how many of each game")
    parser.add_argument("games", nargs="*", metavar="game", help=", ".join(known))
    parser.add_argument("--keep", type=Path, help="where rows are kept")
    args = parser.parse_args()
    kept: dict[str, list[list[Any] | None]] = {}
    if args.keep and args.keep.exists():
        kept = json.loads(args.keep.read_text())
    for name in args.games or known:
        game, every = games.load(name), kept.setdefault(name, [])
        for at in range(len(every), args.scenarios):
            row = drawn(game, at)
            every.append(list(row) if row else None)
            if args.keep:
                args.keep.write_text(json.dumps(kept))
        rows = [Row(*one) for one in every[: args.scenarios] if one]
        forecasts = held_out(rows)
        whole = replace(fitted(rows), limit=LIMITS.get(name) or limit(rows, forecasts))
        write(shipped_path("data") / name / "forecast.toml", document(whole).encode())
        print(confused(game.title["en"], whole, rows, forecasts))  # noqa: T201


if __name__ == "__main__":
    main()
