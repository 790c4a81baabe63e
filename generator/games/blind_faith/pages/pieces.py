"""Counters and maps at true size, and what is printed without a scenario.

What Blind Faith prints to be cut out: a counter for every unit, and the legates' markers.

Operational maps at true size, for the kit and for `muster boards`.

What Blind Faith prints without a scenario: reference, blank sheets, counters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from generator.common.catalogue import Boards, Make, brought, printable
from generator.common.game import Printable
from generator.games.blind_faith.ground import RANDOM, DrawnMap, house_maps, load_map, side_name, words
from generator.games.blind_faith.maker import make_map
from generator.games.blind_faith.maps import land_view, legate_token, unit_token
from generator.games.blind_faith.model import Scenario, beside
from generator.games.blind_faith.pack import Pack, load_pack
from generator.games.blind_faith.pages.display import blank_battle, blank_siege
from generator.games.blind_faith.pages.layout import room
from generator.games.blind_faith.pages.odds_page import chances_sheet
from generator.games.blind_faith.pages.records import blank_records, blank_worksheet, tables_sheet
from generator.games.blind_faith.pages.reference import reference_sheet
from generator.games.blind_faith.tables import SIDES, Legate, Side
from generator.model.views import Back, Piece, Poster, Run, Token
from generator.model.words import Words
from generator.seeds import Streams


def side_run(pack: Pack, side: Side) -> Run:
    """Counters of every class that a side has: as many as there are, or a good number."""
    units = [unit.id for unit in pack.of_side(side) for _ in range(unit.most or room().counters.each)]
    return _run(words()["pieces"]["side"].fill(side=side_name(side)), _pieces(pack, side, units))


def legate_run(pack: Pack) -> Run:
    """A marker for each legate that is none of the units."""
    return _run(words()["pieces"]["legates"], _markers(pack, [one for one in pack.legates if not one.unit]))


def drawn_run(scenario: Scenario) -> Run:
    """The counters of one scenario."""
    pieces = [piece for side in SIDES for piece in _pieces(scenario.pack, side, scenario.units_of(side))]
    return _run(words()["pieces"]["drawn"], [*pieces, *_markers(scenario.pack, beside(scenario))])


def _run(title: Words, pieces: Iterable[Piece]) -> Run:
    counters = room().counters
    note = words()["pieces"]["note"]
    return Run("tokens", title, tuple(pieces), "square", counters.hex, counters.width / counters.hex, note)


def _pieces(pack: Pack, side: Side, units: Iterable[str]) -> list[Piece]:
    back = Back(side, side_name(side))
    return [Piece(pack.units[unit].name, _counter(pack, side, unit), back) for unit in units]


def _counter(pack: Pack, side: Side, unit: str) -> Token:
    """A unit's counter with its MP, and its die modifier in a box."""
    of = pack.units[unit]
    drm = f"{of.drm:+}".replace("-", "−") if of.drm else "±0"
    return replace(unit_token(pack, side, unit), numbers=(str(of.movement), drm))


def _markers(pack: Pack, legates: Iterable[Legate]) -> list[Piece]:
    """A marker for each of these legates, or his counter where he is a unit."""
    found: list[Piece] = []
    for legate in legates:
        sides = pack.units[legate.unit].sides if legate.unit else ()
        found += [piece for side in sides for piece in _pieces(pack, side, [legate.unit])]
        found += [] if sides else [Piece(legate.name, legate_token(legate), legate_token(legate))]
    return found


STREAMS = "v1/blind_faith/poster"


def boards() -> Boards[DrawnMap]:
    """What `muster boards` prints."""
    say = words()
    return Boards(
        say["blind_faith"]["title"], say["boards"]["title"], house_maps, load_map, _random, _poster, ("map",)
    )


def battle_board(scenario: Scenario) -> Poster:
    """The map of a scenario with nobody on it."""
    return Poster("board", words()["boards"]["battle"], land_view(scenario.land), room().counters.hex)


def _random(options: Mapping[str, str]) -> DrawnMap:
    return DrawnMap(words()["boards"][RANDOM], Words("", ""), "house", make_map(Streams(options["seed"], STREAMS)))


def _poster(of: DrawnMap, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, land_view(of.map), room().counters.hex, note=note)


def printables() -> tuple[Printable, ...]:
    """What each verb prints that needs no scenario."""
    say = words()
    game, blank, page, counters = say["blind_faith"]["title"], say["blank"], say["reference"]["title"], say["pieces"]

    def pack(options: Mapping[str, str]) -> Pack:
        return load_pack(brought(options, "pack"))

    def tokens(side: Side) -> tuple[Words, Make]:
        return side_name(side), lambda options: side_run(pack(options), side)

    reference: dict[str, tuple[Words, Make]] = {
        "page": (page, lambda options: reference_sheet(pack(options))),
        "odds": (say["odds"]["title"], lambda options: chances_sheet(pack(options))),
    }
    sheets: dict[str, tuple[Words, Make]] = {
        "battle": (blank["battle"], lambda options: blank_battle(pack(options))),
        "siege": (blank["siege"], lambda options: blank_siege(pack(options))),
        "intercept": (blank["intercept"], lambda options: blank_worksheet(half="half" in options)),
        "stacks": (blank["records"], lambda options: blank_records(pack(options), half="half" in options)),
        "tables": (blank["tables"], lambda options: tables_sheet(pack(options))),
    }
    runs: dict[str, tuple[Words, Make]] = {side: tokens(side) for side in SIDES}
    runs["legates"] = (counters["legates"], lambda options: legate_run(pack(options)))
    return (
        printable("reference", game, page, reference, ("pack",)),
        printable("sheets", game, blank["kit"], sheets, ("half", "pack")),
        printable("tokens", game, counters["tokens"], runs, ("pack",)),
        boards().printable(),
    )
