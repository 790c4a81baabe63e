"""A campaign on paper: its map, each crossing with its two boards, and every board at true size."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from generator.errors import Problem, WrongUsageError
from generator.games.capability import Printable
from generator.games.travel_battle.ground.areas import LEAST, MOST, Area, Campaign, Crossing, draw_campaign, sized
from generator.games.travel_battle.ground.board import SIZE, Battlefield
from generator.games.travel_battle.pages.mapsheet import map_view
from generator.games.travel_battle.pages.posters import area_poster
from generator.games.words import words
from generator.model.views import Kit, Note, Printed, Sheet
from generator.model.words import Words, joined, same

USUAL = "3x4"
"""Columns and rows of boards unless wished for."""
_LETTER = 2.2
"""How large an area's name is on the campaign map, in squares."""
_COLUMNS = 3
"""The table of areas has so many columns, so that the map keeps its room."""


def campaign_print() -> Printable:
    """What `muster campaign` prints: the map and the crossings; the boards at true size only where asked for."""
    say = words("travel_battle")
    kinds = {"map": say["campaign"]["overview"], "crossings": say["campaign"]["crossings"]}
    return Printable("campaign", kinds | {"boards": say["part"]["boards"]}, campaign_make, ("size", "seed"))


def campaign_kit(columns: int, rows: int, code: str, only: Collection[str]) -> Kit:
    """What is named of a campaign: its map on a page, the crossings' two boards each, the boards at true size."""
    say = words("travel_battle")
    campaign = draw_campaign(columns, rows, code)
    title = say["campaign"]["title"].fill(columns=columns, rows=rows)
    sheets: list[Printed] = [_overview(campaign, title)] if "map" in only else []
    if "crossings" in only:
        sheets += [_crossing(campaign, crossing) for crossing in campaign.crossings()]
    if "boards" in only:
        sheets += [area_poster(campaign, area) for area in campaign.areas]
    return Kit(say["game"]["title"], title, code, tuple(sheets))


def campaign_make(options: Mapping[str, str]) -> Kit:
    """The kit of what was typed: size, seed and only. WrongUsageError for a size that is none."""
    size = options.get("size", USUAL)
    if not (columns_rows := sized(size)):
        hint = f"columns and rows, from {LEAST}x{LEAST} to {MOST}x{MOST}"
        raise WrongUsageError(Problem(f"--size {size[:20]!r}: no campaign has that size", hint=hint))
    only = tuple(options.get("only", "map,crossings").split(","))
    return campaign_kit(*columns_rows, options["seed"], only)


def _overview(campaign: Campaign, title: Words) -> Sheet:
    field, say = campaign.field, words("travel_battle")["campaign"]
    notes = tuple(
        Note((2.0 * SIZE * c + SIZE - 1, 2.0 * SIZE * r + SIZE - 1), same(area.name), _LETTER, plate=True)
        for r, row in enumerate(campaign.rows)
        for c, area in enumerate(row)
    )
    rows = [
        {"name": area.name, "title": area.title, "type": area.laid.board.type, "edge": area.laid.edge}
        for area in campaign.areas
    ]
    size = f"{len(campaign.rows[0])}x{len(campaign.rows)}"
    return Sheet(
        part="campaign",
        title=say["overview"],
        template="travel_battle/campaign.xml",
        view={
            "title": title,
            "areas": rows,
            "columns": _COLUMNS,
            "tiles": say["tiles"].fill(size=size, code=campaign.code, area=campaign.known_as(campaign.areas[0])),
        },
        figures={"map": replace(map_view(field, small=True), notes=notes)},
    )


def _crossing(campaign: Campaign, crossing: Crossing) -> Sheet:
    say = words("travel_battle")["campaign"]
    left, right = crossing.left, crossing.right
    field = Battlefield(((left.laid, right.laid),))
    title = say["crossing"].fill(left=left.name, right=right.name)
    lies = say["lies"].fill(left=_told(left), right=_told(right), a=left.laid.edge, b=right.laid.edge)
    told = [lies, say["turned"]] if crossing.turned else [lies]
    return Sheet(
        part="map",
        title=title,
        template="travel_battle/crossing.xml",
        view={
            "title": title,
            "told": Words(" ".join(t.en for t in told), "".join(t.ja for t in told)),
            "armies": say["armies"].fill(left=campaign.known_as(left), right=campaign.known_as(right)),
        },
        figures={"map": map_view(field)},
        landscape=True,
    )


def _told(area: Area) -> Words:
    return joined([same(area.name), area.title])
