"""Print pages that do not need a scenario, such as boards at true size, campaign maps and blank sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from generator.common.catalogue import RECORD, Boards, Make, printable, user_path
from generator.common.game import Printable
from generator.common.scenario_file import NAMELESS, unit_label
from generator.common.tables import shared_words
from generator.errors import WrongUsageError
from generator.games.travel_battle.campaign import (
    MAX_BOARDS,
    MIN_BOARDS,
    Area,
    Campaign,
    Crossing,
    draw_campaign,
    find_area,
    is_area,
    parse_size,
)
from generator.games.travel_battle.file import read
from generator.games.travel_battle.forces import Kind, Roster, house_roster, load_roster
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
from generator.games.travel_battle.maps import (
    back_view,
    board_view,
    map_view,
    marker,
    marker_name,
    seats,
    token,
    unit_token,
)
from generator.games.travel_battle.model import (
    FORWARD,
    RANDOM,
    SIDES,
    Army,
    Brigade,
    Scenario,
    Side,
    Unit,
    board_title,
    is_house_board,
    placed_title,
)
from generator.games.travel_battle.objectives import brigades_to_win, kinds, victory_lines
from generator.games.travel_battle.pages.reference import odds_sheet, reference_sheet
from generator.games.travel_battle.play import march
from generator.games.travel_battle.record import Record, describe_campaign, read_record
from generator.games.travel_battle.tables import numbers, words
from generator.grid.squares import DIRECTIONS
from generator.localization import tr
from generator.model.views import Back, Figure, Kit, MapView, Note, Piece, Poster, Printed, Run, Sheet
from generator.model.words import Words, joined, same
from generator.notation import envelope, toml
from generator.notation.toml import Source
from generator.seeds import RngStreams
from generator.store.folders import folder_of, is_there

BOXES: Mapping[str, int] = {
    "turned": 3,
    "held": 3,
    "runs": 2,
    "rallied": 2,
    "removed": 1,
    "squared": 3,
    "doubled": 2,
}
"""The number of boxes on the record sheet for each marker, and for infantry in square."""
FULL = 18
"""The number of units from which a sheet may need a second page. A user's army or long names may also need one."""


def record_sheets(scenario: Scenario, player: Side) -> Iterator[Sheet]:
    """Yield the record sheets of a player, one for each army of three brigades."""
    army, size = scenario.armies[player], numbers().brigades
    for first in range(0, max(1, len(army.brigades)), size):
        yield _record(scenario, army, army.brigades[first : first + size])


def _record(scenario: Scenario, army: Army, brigades: Sequence[Brigade]) -> Sheet:
    texts, player, goal = words()["record"], army.player, scenario.objective
    figures: dict[str, Figure] = {
        unit.id: unit_token(player, brigade.number, unit) for brigade in brigades for unit in brigade.units
    }
    title = texts["title"]
    if len(brigades) < len(army.brigades):
        title = joined([title, texts["brigades"].fill(first=brigades[0].number, last=brigades[-1].number)])
    any_named = any(unit.name != NAMELESS for brigade in brigades for unit in brigade.units)
    enemy = max(len(other.brigades) for other in scenario.armies.values())
    return Sheet(
        part="records",
        title=title,
        template="travel_battle/record.xml",
        view={
            "order": texts["first" if scenario.first_mover == player else "second"],
            "win": list(victory_lines(scenario)),
            "boxes": BOXES,
            "brigades": [_brigade(scenario, brigade) for brigade in brigades],
            "turns": scenario.turns or (goal.count if goal.kind == "survive" else 0) or usual_turns(),
            "tracks": list(_tracks(scenario, player)),
            "enemy": enemy,
            "fatal": brigades_to_win(enemy),
        },
        figures=figures,
        side=words()["player"][player],
        pages=1 if len(figures) <= FULL and not any_named else 2,
    )


def usual_turns() -> int:
    """Return the number of turns on the sheet of a battle without a last turn."""
    return next(turns for turns in numbers().turns if turns)


def _tracks(scenario: Scenario, player: Side) -> Iterator[dict[str, object]]:
    """Yield the tracks on which the player counts progress towards the objective."""
    texts, of = words()["record"], scenario.objective
    if of.player == player and f"count_{of.kind}" in texts and of.count:
        yield {
            "name": texts["objective"].fill(name=kinds()[of.kind].name, what=texts[f"count_{of.kind}"]),
            "n": of.count,
        }


def _brigade(scenario: Scenario, brigade: Brigade) -> dict[str, object]:
    texts, leader = words()["record"], brigade.brigadier
    move = leader.kind.move if leader else 0
    return {
        "name": unit_label(texts["brigade"].fill(n=brigade.number), brigade.name),
        "leader": _row(scenario, leader) if leader else None,
        "reach": texts[f"reach_{scenario.rulings['road_strict']}"].fill(n=move, road=move + march().road),
        "lost": texts["lost"].fill(n=len(brigade.fighters)),
        "units": [_row(scenario, unit) for unit in brigade.fighters],
    }


def _row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    texts, direction = words()["record"], words()["direction"][DIRECTIONS[unit.facing]]
    name = scenario.battlefield.terrain_map.field.name
    others = (
        [other.id for _, other in scenario.units_on_board.get(unit.cell, ()) if other != unit] if unit.cell else []
    )
    return {
        "id": unit.id,
        "kind": unit_label(unit.kind.name, unit.name),
        "at": name(unit.cell) if unit.cell else texts["nowhere"],
        "with": " ".join(others),
        "foot": unit.kind.arm == "infantry",
        "facing": texts["square"] if unit.square else direction,
    }


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The amount of space on the sheets, as in sheets.toml."""

    units: int
    notes: int
    half_boxes: int
    figures: dict[str, int]
    """The number of figures on a piece of each kind of the shipped army."""


room = toml.shipped_table("travel_battle/sheets.toml", Room)
"""Return the amount of space on the sheets."""


def _initials(kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Return a unique Japanese abbreviation for each kind, which is the shortest unique beginning of its name."""
    kinds = tuple(kinds)
    found = {}
    for kind in kinds:
        others = [other.name.ja for other in kinds if other != kind]
        starts = (kind.name.ja[:n] for n in range(1, len(kind.name.ja) + 1))
        found[kind] = next((s for s in starts if not any(other.startswith(s) for other in others)), kind.letter)
    return found


def army_sheet(roster: Roster, *, half: bool = False) -> Sheet:
    """Return a sheet with a row for each unit of an army. With `half`, the sheet contains two shorter tables."""
    texts = words()["blank"]
    initials = _initials(roster.fighters)
    letters = [Words(f"{k.letter} {k.name.en.lower()}", f"{initial}＝{k.name.ja}") for k, initial in initials.items()]
    return Sheet(
        part="sheets",
        title=texts["army"],
        template=f"travel_battle/{'half' if half else 'army'}.xml",
        view={
            "players": [words()["player"][player] for player in SIDES],
            "brigades": list(range(1, numbers().brigades + 1)),
            "rows": sum(roster.counts) if half else room().units,
            "letters": joined([Words(kind.letter, initial) for kind, initial in initials.items()], "  ", "  "),
            "key": texts["half_key" if half else "key"].fill(letters=joined(letters)),
            "boxes": {what: min(count, room().half_boxes) for what, count in BOXES.items()} if half else BOXES,
            "turns": usual_turns(),
            "fatal": brigades_to_win(numbers().brigades),
            "notes": room().notes,
        },
    )


STREAMS = "v1/travel_battle/poster"
INCH = 25.4
"""The side of a square of a playing board, in mm."""


def boards_print() -> Printable:
    """Return the printable of `muster boards`: shipped boards, an area of a campaign, or a scenario's boards."""
    usual = boards().printable("backs")

    def make(options: Mapping[str, str]) -> Kit:
        texts, print_boards, backs = words(), boards().requested_names(options), "backs" in options
        name = print_boards[0] if len(print_boards) == 1 else ""
        if is_area(name):
            campaign, area = find_area(name)
            return Kit(texts["game"]["title"], area.title, campaign.code, (area_poster(campaign, area, backs=backs),))
        if is_there(path := Path(name)) and "muster" in (source := Source.open(path)).data:
            scenario = read(source, envelope.origin_of_head(envelope.head(source)), folder_of(path))
            posters = tuple(battle_posters(scenario, "boards", backs=backs))
            return Kit(texts["game"]["title"], scenario.title, scenario.origin.code, posters)
        return usual.make(options)

    return msgspec.structs.replace(usual, make=make)


def boards() -> Boards[Board]:
    """Return the boards that can be printed without a scenario. The option `backs` adds their backs."""
    texts = words()
    return Boards(
        texts["game"]["title"], texts["boards"]["title"], BOARDS, _random, _poster, ("board-blue", "board-red")
    )


def battle_posters(scenario: Scenario, part: str = "board", *, backs: bool = False) -> Iterator[Poster]:
    """Yield each board of a battle with its edge 1 near the player, labelled with its position."""
    texts, shared = words()["boards"], shared_words()["boards"]
    for at, placed in scenario.placed.items():
        if placed.oriented.board.type == HALF:
            yield _half(part, at, placed.oriented.board, backs=backs)
            continue
        # The name of a user's file may be too long for the foot of a page.
        name = texts["at"].fill(at=at, name=placed_title(placed) if is_house_board(placed) else board_title(""))
        note = shared["house"] if house_board(placed.oriented.board) else None
        yield _made(part, name, placed.oriented.board, note, backs=backs)


def _half(part: str, at: str, board: Board, *, backs: bool) -> Poster:
    """Return the poster of half of a double board."""
    texts = words()["boards"]
    name = texts["at"].fill(at=at, name=texts["half"].fill(columns=2 * SIZE, rows=SIZE))
    behind = back_view(board, texts["half_back"].fill(at=at)) if backs else None
    return Poster(part, name, board_view(board), INCH, behind, texts["half_note"])


def area_poster(campaign: Campaign, area: Area, *, backs: bool = False) -> Poster:
    """Return the poster of a campaign's area."""
    texts, shared = words()["boards"], shared_words()["boards"]
    note = shared["house"] if area.house else shared[RANDOM].fill(code=campaign.code)
    name = texts["at"].fill(at=area.name, name=area.title)
    return _made("boards", name, area.oriented.board, note, backs=backs)


def _random(options: Mapping[str, str]) -> DrawnBoard:
    streams = RngStreams(options["seed"], STREAMS)
    board = make_board(streams.at("type").choice(TYPES), streams.under("board"))
    return DrawnBoard(words()["board"][RANDOM], Words("", ""), "house", board)


def _poster(of: DrawnBoard, note: Words, options: Mapping[str, str]) -> Poster:
    return _made("boards", of.name, of.ground, note, backs="backs" in options)


def _made(part: str, name: Words, board: Board, note: Words | None, *, backs: bool) -> Poster:
    texts = words()["boards"]
    title = texts["poster"].fill(name=name, type=board.type)
    behind = back_view(board, texts["back"].fill(name=name, type=board.type)) if backs else None
    return Poster(part, title, board_view(board), INCH, behind, note)


USUAL = "3x4"
"""The default number of columns and rows of a campaign."""
_LETTER = 1.5
"""The size of an area's name on the campaign map, in squares."""
_ROAM = 4.0
"""The maximum distance by which a name is moved to avoid buildings, in squares."""
_A_PAGE = 6
"""The number of battles that fit below the map of a campaign's record."""
_COLUMNS = 3
"""The number of columns in the table of areas, which leaves enough room for the map."""


def campaign_print() -> Printable:
    """Return the printable of `muster campaign`: the map, the crossings, and on request the boards at true size."""
    texts = words()
    of = texts["campaign"]
    kinds = {"record": of["record"], "map": of["overview"], "crossings": of["crossings"]}
    return Printable("campaign", kinds | {"boards": texts["part"]["boards"]}, campaign_make, ("size", "seed", RECORD))


def campaign_kit(columns: int, rows: int, code: str, only: Collection[str]) -> Kit:
    """Return the requested parts of a campaign: its map, a page for each crossing, the boards at true size."""
    texts = words()
    campaign = draw_campaign(columns, rows, code)
    title = texts["campaign"]["title"].fill(columns=columns, rows=rows)
    sheets: list[Printed] = [_overview(campaign, title)] if "map" in only else []
    if "crossings" in only:
        sheets += [_crossing(campaign, crossing) for crossing in campaign.crossings()]
    if "boards" in only:
        sheets += [area_poster(campaign, area) for area in campaign.areas]
    return Kit(texts["game"]["title"], title, code, tuple(sheets))


def campaign_make(options: Mapping[str, str]) -> Kit:
    """Return the kit for the options `size`, `seed`, `record` and `only`.

    A record determines its campaign. Unless other parts are requested, only the record is printed.

    Raises:
        WrongUsageError: If no campaign has the requested size.
    """
    if record := user_path(options, RECORD):
        found = read_record(Source.open(record))
        words_typed = options.get("only", "record").split(",")
        size_of = len(found.campaign.rows[0]), len(found.campaign.rows)
        kit = campaign_kit(*size_of, found.campaign.code, words_typed)
        sheets = (_campaign_record(found), *kit.sheets) if "record" in words_typed else kit.sheets
        return replace(kit, title=found.name, usual=sheets)
    size = options.get("size", USUAL)
    if not (columns_rows := parse_size(size)):
        hint = tr("give columns and rows, from {least}x{least} to {most}x{most}", least=MIN_BOARDS, most=MAX_BOARDS)
        raise WrongUsageError(tr("--size {size!r}: a campaign cannot have this size", size=size[:20]), hint=hint)
    only = tuple(options.get("only", "map,crossings").split(","))
    if "record" in only:
        raise WrongUsageError(tr("--only record needs the record of the campaign"), hint=tr("add --record FILE"))
    return campaign_kit(*columns_rows, options["seed"], only)


def _named_map(campaign: Campaign, names: Mapping[str, Words]) -> MapView:
    """Return a campaign's map labelled with the names of its areas or with the texts of `names`."""
    notes = tuple(
        Note(
            (2.0 * SIZE * c + SIZE - 1, 2.0 * SIZE * r + SIZE - 1),
            names.get(area.name, same(area.name)),
            _LETTER,
            plate=True,
            roam=_ROAM,
        )
        for r, row in enumerate(campaign.rows)
        for c, area in enumerate(row)
    )
    return replace(map_view(campaign.field, small=True), notes=notes)


def _campaign_record(of: Record) -> Sheet:
    """Return the sheet of a campaign's record: areas held, battles, units left, and possible next battles."""
    texts, players = words()["campaign"], words()["player"]
    held = {area: texts["held"].fill(area=area, player=players[side]) for area, side in of.held.items()}
    fighters = house_roster().fighters
    left = {side: of.left(side) for side in SIDES}

    def lost(lost: Mapping[str, int]) -> Words:
        listed = [texts["units"].fill(n=n, kind=house_roster().kinds[kind].name) for kind, n in lost.items() if n]
        return joined(listed) if listed else same("–")

    battles = [
        {
            "crossing": f"{battle.blue} – {battle.red}",
            "kit": battle.kit,
            "winner": players[battle.winner] if battle.winner in players else texts["drawn"],
            "blue": lost(battle.lost.blue),
            "red": lost(battle.lost.red),
        }
        for battle in of.battles
    ]
    army = [
        {"kind": kind.name, "whole": kind.count} | {side: left[side][kind.id] for side in SIDES} for kind in fighters
    ]
    total = {"kind": texts["total"], "whole": sum(house_roster().counts)} | {s: sum(left[s].values()) for s in SIDES}
    view = {
        "title": of.name,
        "lines": list(describe_campaign(of)),
        "battles": battles,
        "army": [*army, total],
        "players": {side: players[side] for side in SIDES},
        "gathers": texts["gathers"].fill(n=numbers().gathers),
    }
    figures: dict[str, Figure] = {"map": _named_map(of.campaign, held)}
    return Sheet(
        "record", texts["record"], "travel_battle/standing.xml", view, figures, pages=1 + len(battles) // _A_PAGE
    )


def _overview(campaign: Campaign, title: Words) -> Sheet:
    texts = words()["campaign"]
    rows = [
        {"name": area.name, "title": area.title, "type": area.oriented.board.type, "edge": area.oriented.edge}
        for area in campaign.areas
    ]
    size = f"{len(campaign.rows[0])}x{len(campaign.rows)}"
    return Sheet(
        part="campaign",
        title=texts["overview"],
        template="travel_battle/campaign.xml",
        view={
            "title": title,
            "areas": rows,
            "columns": _COLUMNS,
            "tiles": texts["tiles"].fill(size=size, code=campaign.code, area=campaign.known_as(campaign.areas[0])),
        },
        figures={"map": _named_map(campaign, {})},
    )


def _crossing(campaign: Campaign, crossing: Crossing) -> Sheet:
    texts = words()["campaign"]
    left, right = crossing.left, crossing.right
    field = Battlefield(((left.oriented, right.oriented),))
    title = texts["crossing"].fill(left=left.name, right=right.name)
    lies = texts["lies"].fill(
        left=_area_name(left), right=_area_name(right), a=left.oriented.edge, b=right.oriented.edge
    )
    lines = [lies, texts["turned"]] if crossing.turned else [lies]
    return Sheet(
        part="map",
        title=title,
        template="travel_battle/crossing.xml",
        view={
            "title": title,
            "text": joined(lines, " ", ""),
            "armies": texts["armies"].fill(left=campaign.known_as(left), right=campaign.known_as(right)),
        },
        figures={"map": replace(map_view(field), edges=None, notes=seats(field))},
        landscape=True,
    )


def _area_name(area: Area) -> Words:
    return joined([same(area.name), area.title])


MARKED = 0.55
"""The width of a marker, in squares."""
NORTH = FORWARD["blue"]
"""The direction in which every counter is printed, with its front at the top."""


def army_tokens(player: Side, roster: Roster) -> Run:
    """Return enough counters for each possible split of an army.

    Each brigade has as many counters of each kind as the army has units.
    """
    texts = words()["pieces"]
    made = tuple(_pieces(player, roster))
    return Run("tokens", texts["army"].fill(player=words()["player"][player]), made, "square", INCH)


def battle_tokens(scenario: Scenario) -> Run:
    """Return the counters of one battle."""
    made = tuple(_piece(player, unit.kind, brigade.number) for player, brigade, unit in scenario.units.values())
    return Run("tokens", words()["pieces"]["battle"], made, "square", INCH)


def marker_tokens() -> Run:
    """Return the markers that a battle may need, which fit on a counter and are used by both sides."""
    pieces = tuple(
        Piece(marker_name(what), marker(what), marker(what))
        for what, count in numbers().markers.items()
        for _ in range(count)
    )
    return Run("tokens", words()["pieces"]["markers"], pieces, "square", INCH, MARKED)


def _pieces(player: Side, roster: Roster) -> Iterator[Piece]:
    for brigade in range(1, numbers().brigades + 1):
        for kind in roster.kinds.values():
            for _ in range(kind.count if kind.fights else 1):
                yield _piece(player, kind, brigade)


def _piece(player: Side, kind: Kind, brigade: int) -> Piece:
    """Return a counter. The back of infantry shows it in square, and other backs show the side."""
    front = token(player, kind, brigade, facing=NORTH)
    back = (
        msgspec.structs.replace(front, mark="square")
        if kind.arm == "infantry"
        else Back(player, words()["player"][player])
    )
    return Piece(kind.name, front, back)


def printables() -> tuple[Printable, ...]:
    """Return the printables of all commands that need no scenario."""
    texts = words()
    game, title, page, army = (
        texts["game"]["title"],
        texts["pieces"]["tokens"],
        texts["reference"]["title"],
        texts["blank"],
    )

    def roster(options: Mapping[str, str]) -> Roster:
        return load_roster(user_path(options, "army"))

    def tokens(player: Side) -> tuple[Words, Make]:
        return texts["player"][player], lambda options: army_tokens(player, roster(options))

    runs: dict[str, tuple[Words, Make]] = {player: tokens(player) for player in SIDES}
    runs["markers"] = (texts["pieces"]["markers"], lambda options: marker_tokens())
    return (
        printable(
            "reference",
            game,
            page,
            {
                "page": (page, lambda options: reference_sheet(roster(options), with_setup=True)),
                "odds": (texts["odds"]["melee"], lambda options: odds_sheet(roster(options))),
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
