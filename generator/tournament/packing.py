"""Assemble everything that is printed for a round from its pairings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.common.fairness import GradeOdds
from generator.common.ownership import file_ownership, foot_credit
from generator.common.search import FAIR, PLAYED
from generator.common.trial_account import account
from generator.common.trials import Trial, grade_c
from generator.errors import Problem, WrongUsageError, near
from generator.localization import tr
from generator.model.views import Bundle, Kit, Sheet
from generator.model.words import Lang, Words
from generator.tournament import csv_files
from generator.tournament.csv_files import cell_words
from generator.tournament.event import Deal, DrawnKit, Event, scenario_file
from generator.tournament.event_file import Game, as_cells
from generator.tournament.pages import bye_slip, event_kit, name_list, notices, organiser_kit, table_card, wall_list
from generator.tournament.pairings import Round, table_heading, table_label, words
from generator.tournament.scores import BID_COLUMNS, RESULT_COLUMNS
from generator.tournament.sealing import opening
from generator.tournament.slips import result_slip

RESULTS = "results.csv"
OPENING = "opening.json"
PLAYED_FILE = "played.json"
"""The file with the results of automatic games of the round's scenarios, if grade C was requested."""


class Pack(msgspec.Struct, frozen=True):
    """A round that is ready to be printed."""

    number: int
    title: Words
    """The title, which names the event and the round."""
    bundles: tuple[Bundle, ...]
    """The pages for players, beginning with the list for the wall, followed by those of each table."""
    contents: tuple[tuple[Words, str, int], ...]
    """The title, kit id and table of each bundle. For bundles without a table, the id is empty and the table is 0."""
    organiser: Kit
    files: Mapping[str, bytes]
    """The files other than PDFs: scenarios, results to fill in, and the opening of a sealed round."""
    deal: Deal
    max_counts: Mapping[str, tuple[int, int]]
    """The maximum scores of the first and the second side, keyed by table. Empty if the game does not define them."""
    winning_counts: Mapping[str, int]
    """The score that wins at once, keyed by table. Empty if the game does not define it."""
    max_lost: Mapping[str, tuple[int, int]]
    """The maximum losses of each side, keyed by table. Empty if the game does not define them."""
    sides: Mapping[str, tuple[Words, Words]]
    """The sides of the first and the second player in the first game, keyed by table."""


def pack(event: Event, deal: Deal, round_: Round, parts: Sequence[str], lang: Lang) -> Pack:
    """Return the pack of a round with these parts of the game's kit, or with the default parts if none are given.

    `lang` is the language of the headings in CSV files.

    Raises:
        WrongUsageError: If the kit does not have a requested part.
    """
    number = round_.number
    kits = {one.code: _select_parts(event, one, parts) for one in deal.played}
    at = words()["at"]
    wall = wall_list(event, round_)
    first = event_kit(event, "", wall, name_list(event, round_), notices(event, number))
    bundles = [Bundle(at["round"].fill(n=number), (first,))]
    contents = [(wall.title, "", 0)]
    for pairing in round_.pairings:
        if pairing.bye:
            sheets: tuple[Kit, ...] = (event_kit(event, "", bye_slip(event, number, pairing)),)
            contents.append((table_label(pairing), "", 0))
        else:
            one = deal.kit_by_table[pairing.table]
            kit = kits[one.code]
            inside = [sheet.title for sheet in kit.sheets]
            card = table_card(event, number, pairing, one, inside)
            slip_sheet = result_slip(event, number, pairing, one)
            sheets = event_kit(event, one.stamp, card), kit, event_kit(event, one.stamp, slip_sheet)
            contents.append((table_label(pairing), one.stamp, pairing.table))
        bundles.append(Bundle(table_heading(number, pairing), sheets))
    files = {scenario_file(one.stamp): one.text.encode() for one in deal.played}
    trials = _trials(event, deal)
    if trials:
        rows = [_row(event, one, trials[one.code]) for one in deal.played]
        files[PLAYED_FILE] = (json.dumps(rows, indent=2) + "\n").encode()
    files[RESULTS] = results_file(event, round_, deal.kit_by_table, lang)
    if event.secret:
        files[OPENING] = opening(event, number, deal.drawn)
    organiser = organiser_kit(event, round_, deal, trials)
    title = at["and"].fill(event=event.name, n=number)
    sides = {str(table): event.score.sides(one.scenario) for table, one in deal.kit_by_table.items()}
    return Pack(number, title, tuple(bundles), tuple(contents), organiser, files, deal, *_limits(event, deal), sides)


def _trials(event: Event, deal: Deal) -> dict[str, Trial | GradeOdds]:
    """Return the results of automatic games, keyed by code, or an empty mapping if grade C was not requested.

    These are the games by which the search accepted the scenarios.
    """
    if event.order.options.get(FAIR) != PLAYED:
        return {}
    return {one.code: grade_c(event.game, one.scenario, dice="search") for one in deal.played}


def _row(event: Event, one: DrawnKit, found: Trial | GradeOdds) -> dict[str, object]:
    """Return the result of a scenario's automatic games, with everything that is needed to repeat them."""
    whole: Any = account(event.game, found).exported
    pairs = [{key: pair[key] for key in ("series", "policies", "games", "rate")} for pair in whole["pairs"]]
    row: dict[str, object] = {"scenario": scenario_file(one.stamp), "grade": PLAYED if found.passed else ""}
    return row | {"games": found.games, "key": found.key, "digest": found.digest, "pairs": pairs}


def _limits(
    event: Event, deal: Deal
) -> tuple[dict[str, tuple[int, int]], dict[str, int], dict[str, tuple[int, int]]]:
    """Return the maximum scores, the score that wins at once, and the maximum losses, each keyed by table."""
    max_counts, winning_counts, max_lost = event.score.max_counts, event.score.over, event.score.max_lost
    there = {str(table): one.scenario for table, one in deal.kit_by_table.items()}
    return (
        {table: max_counts(scenario) for table, scenario in there.items()} if max_counts else {},
        {table: winning_counts(scenario) for table, scenario in there.items()} if winning_counts else {},
        {table: max_lost(scenario) for table, scenario in there.items()} if max_lost else {},
    )


def index_rows(packed: Pack, starts: Sequence[int], file: str, lang: Lang) -> list[dict[str, object]]:
    """Return the bundles with their first pages in the round's PDF, for the manifest and the index."""
    found = zip(packed.contents, starts, strict=True)
    return [
        {"file": file, "page": page, "what": what[lang], "kit": kit, "table": table}
        for (what, kit, table), page in found
    ]


def _select_parts(event: Event, drawn: DrawnKit, parts: Sequence[str]) -> Kit:
    """Return the kit of a table, reduced to the requested parts."""
    whole = event.game.kit(drawn.scenario, drawn.report, drawn.stamp, "" if event.secret else drawn.command)
    kit = whole.only(parts or event.score.parts)
    WrongUsageError.raise_if_any(
        Problem(
            tr("--parts: there is no part named {part!r}", part=part[:40]),
            hint=near(part[:40], _sheet_parts(whole.whole)),
        )
        for part in parts
        if part not in _sheet_parts(kit)
    )
    of = foot_credit(event.game, file_ownership(event.game, event.order.files))
    return replace(kit, credit=of)


def _sheet_parts(kit: Kit) -> list[str]:
    """Return the parts of a kit that are printed as sheets."""
    return list(dict.fromkeys(sheet.part for sheet in kit.sheets if isinstance(sheet, Sheet)))


def results_file(
    event: Event,
    round_: Round,
    of: Mapping[int, DrawnKit],
    lang: Lang,
    recorded: Mapping[tuple[int, int], Game] = MappingProxyType({}),
) -> bytes:
    """Return the results.csv of a round. `recorded` has the recorded results, keyed by table and game."""
    columns = (*RESULT_COLUMNS, *(BID_COLUMNS if event.bid else ()))
    return csv_files.write(lang, columns, _results(event, round_, of, lang, recorded))


def _results(
    event: Event,
    round_: Round,
    of: Mapping[int, DrawnKit],
    lang: Lang,
    recorded: Mapping[tuple[int, int], Game],
) -> list[dict[str, object]]:
    """Return a row for each game and each bye."""
    rows: list[dict[str, object]] = []
    for p in round_.pairings:
        row: dict[str, object] = {"round": round_.number, "player_a": p.a, "team": p.team}
        if p.bye:
            rows.append(row | {"player_b": cell_words().bye[0]})
            continue
        one, two = event.score.sides(of[p.table].scenario)
        row |= {"table": p.table, "player_b": p.b, "kit": of[p.table].stamp}
        for game in range(1, event.games + 1):
            first, second = (one, two) if game == 1 else (two, one)
            known = recorded.get((p.table, game))
            filled = as_cells(known, bool(event.bid)) if known else {}
            rows.append(row | {"game": game, "side_a": first[lang], "side_b": second[lang]} | filled)
    return rows
