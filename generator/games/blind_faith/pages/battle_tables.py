"""Tables for the units of one battle or siege, with their modifiers already counted, and the pictures in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.games.blind_faith.ground import words
from generator.games.blind_faith.pages.layout import columns_of, loss_words, short, signed, span
from generator.games.blind_faith.siege import breach_chance
from generator.games.blind_faith.tables import DIE, FACES, Fate, Hit, Losses, Pack, Role, UnitLine
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, circle, polygon
from generator.model.views import Figure
from generator.model.words import LANGS, Lang, Words, joined, same
from generator.symbols.pictograms import BLACK, face, number, number_words
from generator.symbols.picture_words import picture_words
from generator.symbols.shapes import round_box

BADGE, DIE_SIZE, DIE_GAP = 3.9, 3.9, 0.6
"""Height of the badge of a result, side of a die, and gap between dice, in mm."""
HEAD_SIZE = 4.6
"""Height of the number of a step and of the letter of a table, in mm."""
_LETTER = 7.5
"""Type size of a badge in points."""
MAX_DICE_COLUMNS = 9
"""Maximum number of columns of the response table on a display, which keeps its type legible."""
MAX_BADGE = 7.8
"""Maximum width of a badge in mm, which fits in a column of the response table. Long texts are smaller."""
_GLYPH = 0.6
"""Width of a bold capital letter, relative to the type size. Japanese letters are wider."""
_SIDE_PAD = 1.1
"""Space in a badge to the left and right of its text together, in mm."""
_WHITE = "#ffffff"


def badge(text: str, alt: Words, *, solid: bool) -> Picture:
    """Return the badge of a result: outlined for a rout, and solid black for an elimination or breach.

    `alt` are the words for the result.
    """
    glyphs = sum(_GLYPH if one.isascii() else 1.0 for one in text)
    points = min(_LETTER, (MAX_BADGE - _SIDE_PAD) * POINTS / glyphs)
    wide = max(BADGE, glyphs * points / POINTS + _SIDE_PAD)
    plate = Path(round_box(0.15, 0.15, wide - 0.3, BADGE - 0.3, 0.7), BLACK if solid else _WHITE, Pen(BLACK, 0.3))
    level = BADGE / 2 - 0.36 * points / POINTS
    letter = Text(wide / 2, level, text, points, "middle", True, _WHITE if solid else BLACK)
    return Picture(wide, BADGE, (plate, letter), alt=alt)


def die(pips: int, *, deciding: bool = False, size: float = DIE_SIZE) -> Picture:
    """Return a die. One that decides a result is black with white pips."""
    plain = face(pips, size, BLACK if deciding else _WHITE)
    if not deciding:
        return plain
    plate, *spots = plain.upon
    white = [Path(spot.steps, _WHITE) for spot in spots if isinstance(spot, Path)]
    return Picture(size, size, (plate, *white), alt=plain.alt)


def disc(text: str, size: float = HEAD_SIZE) -> Picture:
    """Return the number of a step in a black disc."""
    points = 0.62 * size * POINTS
    at = size / 2, size / 2 - 0.36 * points / POINTS
    dark, light = (Text(*at, text, points, "middle", True, colour) for colour in (BLACK, _WHITE))
    saver = (circle(size / 2, size / 2, size / 2 - 0.15, _WHITE, Pen(BLACK, 0.3)), dark)
    return Picture(
        size, size, (circle(size / 2, size / 2, size / 2, BLACK), light), saver=saver, alt=number_words(text)
    )


def pointer(colour: str, *, down: bool, width: float = 9.0, height: float = 2.4) -> Picture:
    """Return the tip of a tab that points at the side that suffers."""
    tip, base = (0.0, height) if down else (height, 0.0)
    corners = ((0.0, base), (width, base), (width / 2, tip))
    saver: tuple[Item, ...] = (polygon(corners, _WHITE, Pen(BLACK, 0.2)),)
    return Picture(width, height, (polygon(corners, colour),), saver=saver)


def result_name(result: Fate | Hit) -> str:
    """Return the name of the figure for a result, without its language."""
    return f"result.{result}"


def loss_name(losses: Losses) -> str:
    """Return the name of the figure for the losses of a response, without its language."""
    return f"loss.{losses.rout}.{losses.eliminate}"


def _loss_text(losses: Losses, lang: Lang) -> str:
    """Return losses in short form, such as `R+E` or `R2E`."""
    counts: tuple[tuple[Fate, int], ...] = (("rout", losses.rout), ("eliminate", losses.eliminate))
    parts = [f"{n if n > 1 else ''}{short(fate)[lang]}" for fate, n in counts if n]
    # Without numbers, a plus sign separates Latin letters.
    return ("" if max(losses) > 1 or lang == "ja" else "+").join(parts)


def pictures(pack: Pack) -> dict[str, Figure]:
    """Return the figures for the tables: dice, letters and results in each language."""
    found: dict[str, Figure] = {f"die{n}": die(n) for n in FACES}
    found |= {f"deciding{n}": die(n, deciding=True) for n in FACES}
    found |= {f"table{letter}": number(letter, HEAD_SIZE) for letter in "ABC"}
    found |= {f"step{n}": disc(str(n)) for n in range(1, 7)}
    for lang in LANGS:
        for result in ("rout", "eliminate", "breach"):
            found[f"{result_name(result)}_{lang}"] = badge(
                short(result)[lang], picture_words(result), solid=result != "rout"
            )
        for column in pack.response.columns:
            for losses in column.results:
                if sum(losses):
                    text = _loss_text(losses, lang)
                    found[f"{loss_name(losses)}_{lang}"] = badge(text, loss_words(losses), solid=losses.eliminate > 0)
    return found


def die_figures(faces: Sequence[int], deciding: Iterable[int] = ()) -> str:
    """Return the names of the figures of dice in a row."""
    black = set(deciding)
    return " ".join(f"{'deciding' if i in black else 'die'}{n}" for i, n in enumerate(faces))


def _cells(results: Iterable[Fate | Hit]) -> list[str]:
    """Return the figure of each result, or an empty name for none."""
    return ["" if result == "none" else result_name(result) for result in results]


def _names(pack: Pack, units: Iterable[str]) -> Words:
    return joined([pack.units[unit].name for unit in units])


def fire_table(
    pack: Pack, attackers: UnitLine, defenders: UnitLine, figure_of: Mapping[str, str]
) -> list[dict[str, object]]:
    """Return a row for each class that fires and each group of targets with equal results, if there are any.

    `figure_of` contains the name of the counter of each class.
    """
    rows: list[dict[str, object]] = []
    sides: tuple[tuple[Role, UnitLine, UnitLine], ...] = (
        ("attack", attackers, defenders),
        ("defence", defenders, attackers),
    )
    for role, shooters, targets in sides:
        for shooter in dict.fromkeys(shooters):
            if role not in pack.units[shooter].fires:
                continue
            groups: dict[tuple[Hit, ...], list[str]] = {}
            for target in dict.fromkeys(targets):
                groups.setdefault(pack.fire[pack.units[shooter].type, pack.units[target].type], []).append(target)
            for faces, group in groups.items():
                if set(faces) == {"none"}:
                    continue
                at = words()["display"]["at"].fill(units=_names(pack, group)) if len(groups) > 1 else same("")
                rows.append(
                    {
                        "figure": figure_of[shooter],
                        "name": pack.units[shooter].name,
                        "at": at,
                        "cells": _cells(faces),
                    }
                )
    return rows


def bombard_table(
    pack: Pack, besiegers: UnitLine, wall: str, figure_of: Mapping[str, str]
) -> list[dict[str, object]]:
    """Return a row for each class that can breach a wall."""
    return [
        {
            "figure": figure_of[unit],
            "name": pack.units[unit].name,
            "at": same(""),
            "cells": _cells(pack.bombard[pack.units[unit].type, wall]),
        }
        for unit in dict.fromkeys(besiegers)
        if breach_chance(pack, unit, wall)
    ]


def charge_table(
    pack: Pack,
    attackers: UnitLine,
    defenders: UnitLine,
    figure_of: Mapping[str, str],
    *,
    routed_at_worst: bool = False,
) -> list[dict[str, object]]:
    """Return a row for each group of chargers and targets with equal modifiers, by the face of the die."""
    texts = words()["display"]
    rows: list[dict[str, object]] = []
    chargers, targets = (_by_drm(pack, line) for line in (attackers, defenders))
    for drm, units in chargers.items():
        for target_drm, enemies in targets.items():
            at = texts["at"].fill(units=_names(pack, enemies)) if len(targets) > 1 else same("")
            rows.append(
                {
                    "figures": " ".join(figure_of[unit] for unit in units),
                    "name": _names(pack, units),
                    "at": at,
                    **_charge_row(pack, drm - target_drm, routed_at_worst=routed_at_worst),
                }
            )
    return rows


def _charge_row(pack: Pack, difference: int, *, routed_at_worst: bool = False) -> dict[str, object]:
    results = [pack.charge.at(n + difference) for n in FACES]
    chargers: list[Fate] = [
        "rout" if routed_at_worst and result.charger == "eliminate" else result.charger for result in results
    ]
    return {
        "difference": words()["display"]["die"].fill(n=signed(difference) if difference else "±0"),
        "targets": _cells(result.defender for result in results),
        "chargers": _cells(chargers),
    }


def _by_drm(pack: Pack, line: UnitLine) -> dict[int, list[str]]:
    """Return the classes of a line, keyed by their modifier."""
    found: dict[int, list[str]] = {}
    for unit in dict.fromkeys(line):
        found.setdefault(pack.units[unit].drm, []).append(unit)
    return found


def response_table(pack: Pack, now: int, max_units: int, *, routed_at_worst: bool = False) -> dict[str, object]:
    """Return the columns of the response table that a front of up to `max_units` units can reach.

    The row for `now` units is marked. Beyond the last column, a note states the number added to the die. There are no
    rows if a table in a user's file is too large for the display; it is on the reference page.
    """
    texts, response = words()["display"], pack.response
    here = response.column(now)[0] if now else -1
    columns = [column for column in response.columns if column.start <= max(1, max_units)]
    dice = max(len(column.results) for column in columns) if max_units > response.columns[-1].start else DIE
    if dice > MAX_DICE_COLUMNS or any(max(losses) > DIE for column in columns for losses in column.results):
        return {"rows": []}
    rows = []
    for i, (column, bounds) in enumerate(zip(columns, response.bounds(), strict=False)):
        results = [Losses(sum(losses)) if routed_at_worst else losses for losses in column.results[:dice]]
        cells = ["" if not sum(losses) else loss_name(losses) for losses in results]
        rows.append({"units": span(*bounds), "now": int(i == here), "cells": cells + [None] * (dice - len(cells))})
    added = [
        texts["added"].fill(units=span(first, last), n=signed(drm))
        for first, last, _, drm in columns_of(pack, range(1, max_units + 1))
        if drm
    ]
    return {
        "dice": [f"die{n}" if n <= DIE else "" for n in range(1, dice + 1)],
        "rows": rows,
        "added": joined(added, "; ", "、") if added else "",
    }


def routed_losses(pack: Pack) -> Iterator[tuple[str, Picture]]:
    """Yield the figures for the losses of a response if all lost units are only routed."""
    for lang in LANGS:
        for column in pack.response.columns:
            for losses in column.results:
                if total := sum(losses):
                    yield (
                        f"{loss_name(Losses(total))}_{lang}",
                        badge(_loss_text(Losses(total), lang), loss_words(Losses(total)), solid=False),
                    )
