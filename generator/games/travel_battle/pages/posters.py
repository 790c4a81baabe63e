"""What is printed without a scenario: boards at true size, a campaign's map of them, tokens, reference, blank sheets.

What Travel Battle prints to be cut out: a counter for every unit that a brigade may have, with its front shown.

Playing boards at true size, for the kit, for campaigns and for `muster boards`.

A campaign on paper: its map, each crossing with its two boards, and every board at true size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from generator.common.catalogue import Boards, Make, brought, printable
from generator.common.game import Printable
from generator.common.tables import shared_words, words
from generator.errors import WrongUsageError
from generator.games.travel_battle.campaign import (
    LEAST,
    MOST,
    Area,
    Campaign,
    Crossing,
    draw_campaign,
    find_area,
    is_area,
    sized,
)
from generator.games.travel_battle.forces import Kind, Roster, load_roster
from generator.games.travel_battle.ground import (
    BOARDS,
    HALF,
    SIZE,
    TYPES,
    Battlefield,
    Board,
    DrawnBoard,
    house_board,
)
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.maps import back_view, board_view, map_view, marker, marker_name, seats, token
from generator.games.travel_battle.model import (
    AHEAD,
    RANDOM,
    SIDES,
    Scenario,
    Side,
    board_title,
    is_ours,
    placed_title,
    read,
)
from generator.games.travel_battle.pages.records import army_sheet
from generator.games.travel_battle.pages.reference import odds_sheet, reference_sheet
from generator.games.travel_battle.tables import numbers
from generator.grid.squares import Square
from generator.model.views import Back, Kit, Note, Piece, Poster, Printed, Run, Sheet
from generator.model.words import Words, joined, same
from generator.notation import envelope
from generator.notation.toml import Source
from generator.said import say
from generator.seeds import Streams
from generator.store.read import beside, is_there

STREAMS = "v1/travel_battle/poster"
INCH = 25.4
"""The side of a playing board's square, in mm."""


def boards_print() -> Printable:
    """What `muster boards` prints: a board, all that ship, a campaign's area, or those of a scenario's file."""
    usual = boards().printable("backs")

    def make(options: Mapping[str, str]) -> Kit:
        say, named, backs = words("travel_battle"), boards().named(options), "backs" in options
        name = named[0] if len(named) == 1 else ""
        if is_area(name):
            campaign, area = find_area(name)
            return Kit(say["game"]["title"], area.title, campaign.code, (area_poster(campaign, area, backs=backs),))
        if is_there(path := Path(name)) and "muster" in (source := Source.open(path)).data:
            scenario = read(source, envelope.origin(envelope.head(source)), beside(path))
            posters = tuple(battle_posters(scenario, "boards", backs=backs))
            return Kit(say["game"]["title"], scenario.title, scenario.origin.code, posters)
        return usual.make(options)

    return msgspec.structs.replace(usual, make=make)


def boards() -> Boards[Board]:
    """The boards that need no scenario: fronts, and with `backs` what belongs on their backs."""
    say = words("travel_battle")
    return Boards(say["game"]["title"], say["boards"]["title"], BOARDS, _random, _poster, ("board-blue", "board-red"))


def battle_posters(scenario: Scenario, part: str = "board", *, backs: bool = False) -> Iterator[Poster]:
    """Every board of a battle as its owner holds it, edge 1 near, called by where it lies."""
    say, whose = words("travel_battle")["boards"], shared_words()["boards"]
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            at = scenario.battlefield.land.field.name(Square(SIZE * c, SIZE * r))
            if placed.laid.board.type == HALF:
                yield _half(part, at, placed.laid.board, backs=backs)
                continue
            # A file's name may be too long for the foot of a page.
            name = say["at"].fill(at=at, name=placed_title(placed) if is_ours(placed) else board_title(""))
            note = whose["house"] if house_board(placed.laid.board) else None
            yield _made(part, name, placed.laid.board, note, backs=backs)


def _half(part: str, at: str, board: Board, *, backs: bool) -> Poster:
    """A half of one whole, which joins no other board than the other half."""
    say = words("travel_battle")["boards"]
    name = say["at"].fill(at=at, name=say["half"].fill(columns=2 * SIZE, rows=SIZE))
    behind = back_view(board, say["half_back"].fill(at=at)) if backs else None
    return Poster(part, name, board_view(board), INCH, behind, say["half_note"])


def area_poster(campaign: Campaign, area: Area, *, backs: bool = False) -> Poster:
    """The board of a campaign's area."""
    say, whose = words("travel_battle")["boards"], shared_words()["boards"]
    note = whose["house"] if area.house else whose[RANDOM].fill(code=campaign.code)
    name = say["at"].fill(at=area.name, name=area.title)
    return _made("boards", name, area.laid.board, note, backs=backs)


def _random(options: Mapping[str, str]) -> DrawnBoard:
    streams = Streams(options["seed"], STREAMS)
    board = make_board(streams.at("type").choice(TYPES), streams.under("board"))
    return DrawnBoard(words("travel_battle")["board"][RANDOM], Words("", ""), "house", board)


def _poster(of: DrawnBoard, note: Words, options: Mapping[str, str]) -> Poster:
    return _made("boards", of.name, of.ground, note, backs="backs" in options)


def _made(part: str, name: Words, board: Board, note: Words | None, *, backs: bool) -> Poster:
    say = words("travel_battle")["boards"]
    title = say["poster"].fill(name=name, type=board.type)
    behind = back_view(board, say["back"].fill(name=name, type=board.type)) if backs else None
    return Poster(part, title, board_view(board), INCH, behind, note)


USUAL = "3x4"
"""Columns and rows of boards unless wished for."""
_LETTER = 1.5
"""How large an area's name is on the campaign map, in squares."""
_ROAM = 4.0
"""How far it moves to where it hides no building, in sides of a square."""
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
        hint = say("columns and rows, from {least}x{least} to {most}x{most}", least=LEAST, most=MOST)
        raise WrongUsageError(say("--size {size!r}: no campaign has that size", size=size[:20]), hint=hint)
    only = tuple(options.get("only", "map,crossings").split(","))
    return campaign_kit(*columns_rows, options["seed"], only)


def _overview(campaign: Campaign, title: Words) -> Sheet:
    field, say = campaign.field, words("travel_battle")["campaign"]
    notes = tuple(
        Note((2.0 * SIZE * c + SIZE - 1, 2.0 * SIZE * r + SIZE - 1), same(area.name), _LETTER, plate=True, roam=_ROAM)
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
            "told": joined(told, " ", ""),
            "armies": say["armies"].fill(left=campaign.known_as(left), right=campaign.known_as(right)),
        },
        figures={"map": replace(map_view(field), edges=None, notes=seats(field))},
        landscape=True,
    )


def _told(area: Area) -> Words:
    return joined([same(area.name), area.title])


MARKED = 0.55
"""How wide a marker is, in widths of a square."""
NORTH = AHEAD["blue"]
"""Every counter is cut out with its front up."""


def army_tokens(player: Side, roster: Roster) -> Run:
    """For each brigade as many counters of every kind as an army has: enough for every split there is."""
    say = words("travel_battle")["pieces"]
    made = tuple(_pieces(player, roster))
    return Run("tokens", say["army"].fill(player=words("travel_battle")["player"][player]), made, "square", INCH)


def battle_tokens(scenario: Scenario) -> Run:
    """The counters of one battle."""
    made = tuple(_piece(player, unit.kind, brigade.number) for player, brigade, unit in scenario.units.values())
    return Run("tokens", words("travel_battle")["pieces"]["battle"], made, "square", INCH)


def marker_tokens() -> Run:
    """As many of each marker as a battle may need, small enough to lie on a counter; both sides are alike."""
    pieces = tuple(
        Piece(marker_name(what), marker(what), marker(what))
        for what, count in numbers().markers.items()
        for _ in range(count)
    )
    return Run("tokens", words("travel_battle")["pieces"]["markers"], pieces, "square", INCH, MARKED)


def _pieces(player: Side, roster: Roster) -> Iterator[Piece]:
    for brigade in range(1, numbers().brigades + 1):
        for kind in roster.kinds.values():
            for _ in range(kind.count if kind.fights else 1):
                yield _piece(player, kind, brigade)


def _piece(player: Side, kind: Kind, brigade: int) -> Piece:
    """A counter; infantry is in square on its other side, others show whose they are."""
    front = token(player, kind, brigade, facing=NORTH)
    back = (
        msgspec.structs.replace(front, mark="square")
        if kind.arm == "infantry"
        else Back(player, words("travel_battle")["player"][player])
    )
    return Piece(kind.name, front, back)


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words("travel_battle")
    game, title, page, army = say["game"]["title"], say["pieces"]["tokens"], say["reference"]["title"], say["blank"]

    def roster(options: Mapping[str, str]) -> Roster:
        return load_roster(brought(options, "army"))

    def tokens(player: Side) -> tuple[Words, Make]:
        return say["player"][player], lambda options: army_tokens(player, roster(options))

    runs: dict[str, tuple[Words, Make]] = {player: tokens(player) for player in SIDES}
    runs["markers"] = (say["pieces"]["markers"], lambda options: marker_tokens())
    return (
        printable(
            "reference",
            game,
            page,
            {
                "page": (page, lambda options: reference_sheet(roster(options))),
                "odds": (say["odds"]["melee"], lambda options: odds_sheet()),
            },
            ("army",),
        ),
        printable(
            "sheets",
            game,
            army["kit"],
            {"army": (army["army"], lambda options: army_sheet(roster(options), half="half" in options))},
            ("half", "army"),
        ),
        printable("tokens", game, title, runs, ("army",)),
        boards_print(),
        campaign_print(),
    )
