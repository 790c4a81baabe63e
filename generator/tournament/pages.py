"""The sheets that a tournament adds to a kit, such as table cards, bye slips, the wall list and day sheets."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, count
from math import cos, inf, sin, tau
from typing import Literal

from msgspec.structs import replace

from generator.common.fairness import GradeOdds, certificate_line
from generator.common.pages import certificate_sheet, verdict
from generator.common.trial_account import account
from generator.common.trials import Trial
from generator.model.picture import XY, Path, Pen, Picture, Symbol, Text, Use, circle, line, polygon
from generator.model.views import Code, Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.csv_files import plain
from generator.tournament.event import Deal, DrawnKit, Event
from generator.tournament.pairings import ByeValue, Pairing, Round, bye_label, table_label, words
from generator.tournament.scores import bye_counts, bye_halves

TENT_WIDTH_MM, TENT_HEIGHT_MM = 170.0, 121.0
"""The width and height of half a sheet without its heading, in mm."""
_POINT_MM = 25.4 / 72
_MAX_NUMBER_PT, _MAX_NAME_PT = 190.0, 44.0
"""The maximum type size of a table number and of a name on the tent, in points."""
_NAME_HEIGHT_MM, _NAME_FEET_MM = 22.0, (-31.0, -53.0)
"""The height of the space for a name on the tent, and the distance of its lower edge from the middle of the half, in
mm.
"""
_MAX_LETTER_WIDTH = 1.08
"""The width of the widest letter in Muster's fonts, relative to the type size."""
_FOLD = Pen("#8a8a8a", 0.3, (2.0, 1.5))


def tent(pairing: Pairing) -> Picture:
    """Return the half of a table card that is folded back, with the table number and the names in large type.

    It is upside down above the fold, so that it can be read from across the hall.
    """
    number = str(pairing.table)
    digits = Text(
        0.0, 2.0, number, min(_MAX_NUMBER_PT, TENT_WIDTH_MM / _POINT_MM / _text_width(number)), "middle", bold=True
    )
    names = (
        _fit_text(name, TENT_WIDTH_MM, _NAME_HEIGHT_MM, _MAX_NAME_PT, (0.0, foot), "middle")[1]
        for name, foot in zip((pairing.a, pairing.b), _NAME_FEET_MM, strict=True)
    )
    seen = Symbol(f"tent{number}", (digits, *chain(*names)), reach=TENT_WIDTH_MM)
    return Picture(
        TENT_WIDTH_MM,
        TENT_HEIGHT_MM,
        (*fold_line().items, Use(seen, TENT_WIDTH_MM / 2, TENT_HEIGHT_MM / 2, turn=180.0)),
    )


def fold_line() -> Picture:
    """Return the line along which a sheet is folded or torn."""
    return Picture(TENT_WIDTH_MM, 0.4, (Path((("M", 0.0, 0.2), ("L", TENT_WIDTH_MM, 0.2)), pen=_FOLD),))


QR_SIDE_MM = 17.0
"""The side length of a QR code, in mm."""
GAMES = (1, 2)
"""The games of every scenario, the second with swapped sides. Some events play single games instead."""
_ROWS_PER_PAGE = 12
"""The number of rows on a page if all names are long."""
_WALL_HEIGHT_MM, _MIN_ROW_MM, _MAX_ROW_MM = 226.0, 6.4, 44.0
"""The height of all rows on the wall list, and the minimum and maximum height of a row, in mm."""

_TABLE_WIDTH_MM, _NAME_WIDTH_MM, _NAME_WIDTH_WITH_TEAMS_MM = 16.0, 76.0, 58.0
"""The widths on the wall list, in mm: a table number, a name, and a name next to a column of teams."""
_WALL_NUMBER_PT, _WALL_NAME_PT, _LOW_ROW_MM = 42.0, 30.0, 24.0
"""The maximum type sizes of numbers and names on the wall list, in points, in rows of up to this height in mm. With
this limit, names have similar sizes. In higher rows, which an event with few tables has, the type grows with them.
"""
_OPPONENT_PT, _MAX_NAME_ROW_MM = 14.0, 16.0
"""The maximum type size of an opponent in points, and the maximum height of a row in mm, on the list by name."""
_MIN_TYPE_PT = 7.0
"""The minimum type size, in points."""
_MIN_ONE_LINE_SHARE, _MIN_ONE_LINE_SHARE_IN_HIGH_ROWS = 0.62, 0.85
"""The minimum share of the maximum type size with which a name stays on one line. High rows have room for two lines,
and with the larger share, names of two words have similar sizes there.
"""
_MIN_WHOLE_WORD_SHARE, _WORD_ENDS = 0.4, " -"
"""The share of the maximum type size below which words are split, and the letters after which a line may end."""
_LINE_HEIGHT, _LETTER_MIDDLE, _MAX_LINES = 1.12, 0.36, 4
"""The line spacing and the height of the middle of a letter, relative to the type size, and the maximum number of
lines.
"""
_CLOCK_PT, _TIMES = 96.0, ("begins", "ends")
_NOTICE_LINES, _ROUNDS_PER_PAGE = 9, 3
"""The number of lines on a page of notices, and the number of rounds on a page of a day sheet."""
_LETTER_WIDTHS = {
    0.36: " .,:;'’|!iljI·-‐",
    0.62: 'abcdeghknopqrstuvxyzfßáàâäåçéèêëíìîïñóòôöøúùûüýčďěňřšťžłńśźżąęőű0123456789()/\\"“”',
    0.74: "ABCDEFGHJKLNPQRSTUVXYZ&ÁÀÂÄÅÇÉÈÊËÓÒÔÖØÚÙÛÜČĎŇŘŠŤŽŁŚŹŻŐŰÍÎ",
    0.92: "mwMW",
}
"""The widths of letters in Muster's bold font, relative to the type size and rounded up. Other letters count as the
widest.
"""


def event_kit(event: Event, stamp: str, *sheets: Sheet) -> Kit:
    """Return sheets of an event as a kit."""
    return Kit(event.game.title, same(event.name), stamp, sheets)


def max_pages(rows: Sequence[object]) -> int:
    """Return the maximum number of pages for a list."""
    return 1 + len(rows) // _ROWS_PER_PAGE


def wall_list(event: Event, round_: Round) -> Sheet:
    """Return the pairings of a round as a list for the wall.

    The rows fill the page, and the names are as large as possible.
    """
    teams = any(p.team for p in round_.pairings)
    high = max(_MIN_ROW_MM, min(_MAX_ROW_MM, _WALL_HEIGHT_MM / (len(round_.pairings) or 1)))
    wide = _NAME_WIDTH_WITH_TEAMS_MM if teams else _NAME_WIDTH_MM
    growth = max(1.0, high / _LOW_ROW_MM)
    name_size = _WALL_NAME_PT * growth
    share = _MIN_ONE_LINE_SHARE if growth == 1 else _MIN_ONE_LINE_SHARE_IN_HIGH_ROWS
    figures: dict[str, Figure] = {}
    rows = []
    for at, p in enumerate(round_.pairings):
        figures[f"table{at}"] = table_number(p.table, high - 2, _WALL_NUMBER_PT * growth)
        figures[f"a{at}"] = fitted_text(p.a, wide, high - 2, name_size, share)
        if not p.bye:
            figures[f"b{at}"] = fitted_text(p.b, wide, high - 2, name_size, share)
        rows.append({"at": at, "bye": bye_label(p) if p.bye else None, "team": p.team})
    view = {"rows": rows, "high": high, "teams": teams, "games": event.games}
    return event_sheet("wall", event, round_.number, view, figures, pages=max_pages(rows))


def name_list(event: Event, round_: Round) -> Sheet:
    """Return the players of a round in the order of their names, each with the table and the opponent."""
    rows = sorted(
        (
            (player, opponent, pairing)
            for pairing in round_.pairings
            for player, opponent in ((pairing.a, pairing.b), (pairing.b, pairing.a))
            if player
        ),
        key=lambda row: (_without_accents(plain(row[0])), plain(row[0])),
    )
    high = max(_MIN_ROW_MM, min(_MAX_NAME_ROW_MM, _WALL_HEIGHT_MM / (len(rows) or 1)))
    figures: dict[str, Figure] = {}
    view_rows = []
    for at, (player, opponent, pairing) in enumerate(rows):
        figures[f"table{at}"] = table_number(pairing.table, high - 2)
        figures[f"player{at}"] = fitted_text(player, _NAME_WIDTH_MM, high - 2)
        if opponent:
            figures[f"opponent{at}"] = fitted_text(opponent, _NAME_WIDTH_MM, high - 2, _OPPONENT_PT)
        view_rows.append({"at": at, "bye": None if opponent else bye_label(pairing)})
    view = {"rows": view_rows, "high": high}
    return event_sheet("names", event, round_.number, view, figures, pages=max_pages(rows))


def _without_accents(text: str) -> str:
    """Return a text without accents, so that “Åsa” is among the names with A."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def table_number(value: int, height: float, max_size: float = _WALL_NUMBER_PT) -> Picture:
    """Return a table number in the largest type, up to `max_size` points, that fits on one line of this height in mm.

    The picture is empty for 0.
    """
    text = str(value or "")
    size = _type_size([text], _TABLE_WIDTH_MM, height, max_size)
    digits = Text(_TABLE_WIDTH_MM, height / 2 - _LETTER_MIDDLE * size * _POINT_MM, text, size, "end", bold=True)
    return Picture(_TABLE_WIDTH_MM, height, (digits,) if text else ())


def fitted_text(
    text: str,
    width: float,
    height: float,
    max_size: float = _WALL_NAME_PT,
    one_line_share: float = _MIN_ONE_LINE_SHARE,
) -> Picture:
    """Return a text in the largest type that fits a rectangle of this size in mm, up to `max_size` points.

    The text has several lines only if its type on one line would be smaller than this share of `max_size`. If even
    several lines are illegible, the picture is higher.
    """
    height, lines = _fit_text(text, width, height, max_size, one_line_share=one_line_share)
    return Picture(width, height, lines)


def _fit_text(
    text: str,
    width: float,
    height: float,
    max_size: float,
    at: XY = (0.0, 0.0),
    anchor: Literal["start", "middle"] = "start",
    one_line_share: float = _MIN_ONE_LINE_SHARE,
) -> tuple[float, tuple[Text, ...]]:
    """Return the height of the space for a text in mm, and its lines.

    `at` is the lower edge at the anchor of the lines.
    """
    best = 0.0, [""]
    words = 1 + sum(text.count(letter) for letter in _WORD_ENDS)
    for line_count in range(1, _MAX_LINES + 1):
        if line_count > words and best[0] >= _MIN_WHOLE_WORD_SHARE * max_size:
            break
        parted = _split_lines(text, line_count)
        best = max(best, (_type_size(parted, width, height, max_size), parted), key=lambda one: one[0])
        if best[0] >= one_line_share * max_size:
            break
    size, lines = best
    if size < _MIN_TYPE_PT:
        lines = next(
            one for n in count(1) if _type_size(one := _split_lines(text, n), width, inf, max_size) >= _MIN_TYPE_PT
        )
        size = _MIN_TYPE_PT
        height = max(height, size * _POINT_MM * _LINE_HEIGHT * len(lines))
    step = size * _POINT_MM * _LINE_HEIGHT
    x, foot = at
    lowest = foot + (height - step * (len(lines) - 1)) / 2 - _LETTER_MIDDLE * size * _POINT_MM
    places = [lowest + step * up for up in reversed(range(len(lines)))]
    return height, tuple(Text(x, y, line, size, anchor, bold=True) for y, line in zip(places, lines, strict=True))


def _type_size(lines: Sequence[str], width: float, height: float, max_size: float) -> float:
    """Return the largest type size in points with which these lines fit."""
    across = max(map(_text_width, lines), default=0.0) or 1.0
    return min(max_size, width / _POINT_MM / across, height / _POINT_MM / (_LINE_HEIGHT * len(lines)))


def _split_lines(text: str, count: int) -> list[str]:
    """Return a text split into this number of similar lines. A word is split only if its line has no other word."""
    lines, rest = [], text
    for left in range(count, 1, -1):
        middle = -(-len(rest) // left)
        ends = [at + (letter == "-") for at, letter in enumerate(rest) if letter in _WORD_ENDS]
        cut = min(ends, key=lambda at: abs(at - middle), default=0) or middle
        lines.append(rest[:cut].strip())
        rest = rest[cut:].strip()
    return [line for line in (*lines, rest) if line] or [""]


def _text_width(text: str) -> float:
    """Return the maximum width of a text in Muster's bold font, relative to the type size."""
    return sum(
        next((share for share, letters in _LETTER_WIDTHS.items() if letter in letters), _MAX_LETTER_WIDTH)
        for letter in text
    )


def mark(kit: str, number: int, pairing: Pairing) -> str:
    """Return the mark that identifies the slip and the card of a table."""
    return f"{kit}/{number}/{pairing.table}/{pairing_id(pairing.a, pairing.b)}"


def pairing_id(a: str, b: str) -> str:
    """Return six hexadecimal digits that identify the two players, so that a slip is not used for another pairing."""
    return blake2b(f"{plain(a)}\n{plain(b)}".encode(), digest_size=3).hexdigest().upper()


def table_card(event: Event, number_: int, pairing: Pairing, drawn: DrawnKit, inside: Iterable[Words]) -> Sheet:
    """Return the card of a table, with its number, the players, their sides, and the contents of the pack."""
    sides = event.score.sides(drawn.scenario)
    view = {
        "team": bool(pairing.team),
        "sides": [list(by[: event.games]) for _, by in sides_by_player(pairing, sides)],
        "scenario": drawn.scenario.title,
        "inside": joined(list(dict.fromkeys(inside))),
        "goal": list(event.score.goal(drawn.scenario)),
    }
    extra_figures: dict[str, Picture | Code] = {
        "tent": tent(pairing),
        "mark": Code(mark(drawn.stamp, number_, pairing), QR_SIDE_MM),
    }
    extra_figures |= {"table": table_number(pairing.table, 12.0), "team": fitted_text(pairing.team, 100.0, 6.0, 9.0)}
    extra_figures |= {
        f"player{seat}": fitted_text(name, 76.0, 8.0, 12.0) for seat, name in enumerate((pairing.a, pairing.b))
    }
    return event_sheet("tablecard", event, number_, view, extra_figures=extra_figures)


def bye_slip(event: Event, number: int, pairing: Pairing) -> Sheet:
    """Return the slip for a player without an opponent."""
    texts, what = words()["bye"], bye_label(pairing)
    value: ByeValue = "full" if pairing.against else "half" if pairing.half else event.bye
    points, won = bye_counts(bye_halves(event.games, value))
    lines = [texts["none"], texts["worth"].fill(what=what, n=won, points=points), texts["back"]]
    return event_sheet("bye", event, number, {"name": pairing.a, "what": what, "lines": lines})


def notices(event: Event, number: int) -> Sheet:
    """Return the sheet with the times and notices of a round. Missing times can be written in by hand."""
    times, lines = dict(zip(_TIMES, event.times(number), strict=True)), event.notices
    figures: dict[str, Figure] = {
        name: fitted_text(time, 80.0, 34.0, _CLOCK_PT) for name, time in times.items() if time
    }
    view = {"clock": times, "lines": list(lines), "blank": max(0, _NOTICE_LINES - len(lines))}
    return event_sheet("notices", event, number, view, figures)


def player_day(event: Event, player: str, rounds: Sequence[Round], deals: Mapping[int, Deal]) -> Sheet:
    """Return a player's day sheet with the table, opponent and sides of each round, and space for the results.

    Rounds without scenarios, and rounds in which the player is not paired yet, are blank. Scenarios of sealed
    rounds have no title.
    """
    figures: dict[str, Figure] = {"player": fitted_text(player, 120.0, 13.0)}
    rows = []
    for one in rounds:
        pairing = next((p for p in one.pairings if plain(player) in map(plain, filter(None, (p.a, p.b)))), None)
        row: dict[str, object] = {
            "number": one.number,
            "bye": bye_label(pairing) if pairing and pairing.bye else None,
            "games": [],
            "kit": "",
        }
        if pairing and not pairing.bye:
            seat = [plain(pairing.a), plain(pairing.b)].index(plain(player))
            figures[f"table{one.number}"] = table_number(pairing.table, 15.0)
            figures[f"other{one.number}"] = fitted_text((pairing.b, pairing.a)[seat], 108.0, 8.0)
            if deal := deals.get(one.number):
                drawn = deal.kit_by_table[pairing.table]
                row |= {"kit": drawn.stamp, "title": "" if event.secret else drawn.scenario.title}
                row["games"] = list(
                    sides_by_player(pairing, event.score.sides(drawn.scenario))[seat][1][: event.games]
                )
        begins, ends = event.times(one.number)
        if begins:
            figures[f"dial{one.number}"] = dial(begins, ends)
        rows.append(row | {"paired": bool(pairing), "begins": begins, "ends": ends})
    view = {
        "rounds": rows,
        "lines": list(event.notices),
        "counted": event.score.counted,
        "lost": event.score.lost,
        "played": event.games,
    }
    return event_sheet("day", event, 0, view, figures, pages=1 + len(rows) // _ROUNDS_PER_PAGE)


_DIAL_RADIUS_MM, _RIM_RADIUS_MM, _HOUR_HAND_MM, _MINUTE_HAND_MM = 9.4, 9.0, 4.6, 7.4
"""The half width of a dial, the radius of its rim, and the lengths of its hands, in mm."""
_SECTOR_COLOUR, _LINE_COLOUR = "#e0dbc9", "#23211c"


def dial(begins: str, ends: str) -> Picture:
    """Return a clock face that shows the start of a round, such as `9:30`, and its duration as a sector."""
    start, end = (
        60 * int(hour) + int(minute) for hour, _, minute in (time.partition(":") for time in (begins, ends))
    )
    length = (end - start) % (24 * 60)

    def at(share: float, far: float) -> tuple[float, float]:
        return _DIAL_RADIUS_MM + far * sin(tau * share), _DIAL_RADIUS_MM + far * cos(tau * share)

    # A sector of more than twelve hours would cover the dial more than once.
    steps = range(int(min(length, 720) / 10) + 1)
    arc = [at((start + min(length, 720) * n / max(len(steps) - 1, 1)) / 720, _RIM_RADIUS_MM - 0.6) for n in steps]
    marks = [
        line(
            (at(n / 12, _RIM_RADIUS_MM), at(n / 12, _RIM_RADIUS_MM - (1.8 if n % 3 == 0 else 1.0))),
            Pen(_LINE_COLOUR, 0.4 if n % 3 == 0 else 0.2),
        )
        for n in range(12)
    ]
    hands = (
        line((at(0, 0), at(start / 720, _HOUR_HAND_MM)), Pen(_LINE_COLOUR, 1.0)),
        line((at(0, 0), at(start % 60 / 60, _MINUTE_HAND_MM)), Pen(_LINE_COLOUR, 0.5)),
    )
    sector = (polygon((at(0, 0), *arc), _SECTOR_COLOUR),) if length else ()
    rim = circle(_DIAL_RADIUS_MM, _DIAL_RADIUS_MM, _RIM_RADIUS_MM, None, Pen(_LINE_COLOUR, 0.5))
    return Picture(2 * _DIAL_RADIUS_MM, 2 * _DIAL_RADIUS_MM, (*sector, rim, *marks, *hands))


def sides_by_player(pairing: Pairing, sides: tuple[Words, Words]) -> tuple[tuple[str, tuple[Words, Words]], ...]:
    """Return each player with their sides in the first and the second game."""
    one, two = sides
    return (pairing.a, (one, two)), (pairing.b, (two, one))


WRITTEN_ON = ("index", "organiser")
"""The parts on which organisers write notes. Others are pinned up, cut or placed on tables."""


def event_sheet(
    part: str,
    event: Event,
    number: int,
    view: dict[str, object],
    figures: dict[str, Figure] | None = None,
    pages: int = 1,
    extra_figures: dict[str, Picture | Code] | None = None,
) -> Sheet:
    """Return a sheet from the template of a part, with the event and the round as its heading.

    Round 0 means all rounds.

    `extra_figures` are figures that differ between tables.
    """
    head = {"event": event.name, "round": words()["at"]["round"].fill(n=number)}
    template, title = f"tournament/{part}.xml", words()["part"][part]
    return Sheet(
        part,
        title,
        template,
        head | view,
        figures or {},
        pages=pages,
        filled=part in WRITTEN_ON,
        extra_figures=extra_figures or {},
    )


def organiser_kit(event: Event, round_: Round, deal: Deal, trials: Mapping[str, Trial | GradeOdds]) -> Kit:
    """Return the organiser's sheets for a round, with its scenarios and their fairness.

    `trials` contains the results of automatic games or the odds, keyed by code, if grade C was requested.
    """
    texts = words()["organiser"]
    facts = [
        (texts["event"], same(event.name)),
        (texts["game"], event.game.title),
        (texts["code"], same(event.order.code)),
        *([(texts["opens"], same(event.secret_of(round_.number)))] if event.secret else []),
        (texts["mode"], texts[event.mode]),
        *((same(f"--{name}"), same(value)) for name, value in event.order.options.items()),
    ]
    played = deal.played
    tables = [{"table": p.table, "a": p.a, "b": p.b, "kit": deal.kit_by_table[p.table].stamp} for p in round_.tables]
    view = {
        "facts": [{"name": name, "value": value} for name, value in facts],
        "scenarios": [_scenario_answers(event, one, deal, trials.get(one.code)) for one in played],
        "tables": tables,
        "several": len(played) > 1,
        "byes": [table_label(p) for p in round_.pairings if p.bye],
    }
    sheet = event_sheet("organiser", event, round_.number, view, pages=max_pages(tables) + len(played))
    return event_kit(event, event.order.code, sheet, *_certificates(event, played, trials))


def index_kit(event: Event, rounds: Sequence[tuple[int, Sequence[Mapping[str, object]]]]) -> Kit:
    """Return the index, which lists the files, pages, tables and kits of each round according to its manifest."""
    rows = [row for _, found in rounds for row in found]
    view: dict[str, object] = {"rounds": [_index_section(number, found) for number, found in rounds]}
    return event_kit(event, "", event_sheet("index", event, 0, view, pages=max_pages(rows) + len(rounds)))


def _index_section(number: int, rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the section of a round in the index. `kit` is set if all tables of the round have the same kit."""
    kits = list(dict.fromkeys(row["kit"] for row in rows if row["kit"]))
    return {
        "round": words()["at"]["round"].fill(n=number),
        "file": rows[0]["file"],
        "kit": kits[0] if len(kits) == 1 else "",
        "rows": [dict(row) for row in rows],
    }


def _certificates(
    event: Event, played: Sequence[DrawnKit], trials: Mapping[str, Trial | GradeOdds]
) -> Iterator[Sheet]:
    """Yield the certificate of each scenario, and the page on its automatic games if there are any."""
    for one in played:
        side = words()["organiser"]["of"].fill(stamp=one.stamp)
        if event.game.fairness and one.certificate:
            yield replace(certificate_sheet(event.game.fairness, one.scenario, one.certificate), side=side)
        if one.code in trials:
            yield replace(account(event.game, trials[one.code]).sheet, side=side)


def _scenario_answers(
    event: Event, drawn: DrawnKit, deal: Deal, played: Trial | GradeOdds | None
) -> dict[str, object]:
    """Return everything that the organiser needs to know about a scenario."""
    texts = words()["organiser"]
    again = [
        texts["again_at"].fill(table=table, names=tuple(names))
        for table, names in deal.repeats.items()
        if deal.kit_by_table[table] is drawn
    ]
    facts = [
        (texts["own"], same(drawn.code)),
        (
            texts["tables"],
            texts["all"] if len(deal.played) == 1 else joined([same(t) for t in deal.tables_of(drawn)]),
        ),
        (texts["command"], same(drawn.command)),
        (texts["verdict"], verdict(drawn.report, texts)),
        *([(texts["fairness"], certificate_line(drawn.certificate))] if drawn.certificate else []),
        *([(texts["fairness"], account(event.game, played).lines[0])] if played else []),
        *([(texts["again"], joined(again))] if again else []),
    ]
    return {
        "title": texts["scenario"].fill(stamp=drawn.stamp, title=drawn.scenario.title),
        "story": event.game.story(drawn.scenario),
        "facts": [{"name": name, "value": value} for name, value in facts],
    }
