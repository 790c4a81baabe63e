"""Sheets that are printed for every battle on a BattleLore board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from generator.common.interpretations import Interpretation, interpretation_rows
from generator.common.ownership import Part, is_user_content
from generator.common.pages import Cover, audit_sheet
from generator.common.scenario_file import Step
from generator.common.scenario_file import checklist as grouped
from generator.games.battlelore.forces import (
    Council,
    Kind,
    Pool,
    Unit,
    council_tables,
    council_words,
    lore_tokens,
    points,
    titled,
)
from generator.games.battlelore.ground import SIDES, Board, DrawnMap, Objective, Side, house_maps, side_name, words
from generator.games.battlelore.land import land_names
from generator.games.battlelore.maps import (
    crossfire,
    detail_key,
    detail_row,
    fields_of_fire,
    fire_detail,
    fire_key,
    fire_map,
    fire_row,
    grounds,
    hex_name,
    letter,
    map_view,
    prize_swatch,
    section_swatch,
    swatch,
    token,
    weak_swatch,
)
from generator.games.battlelore.marches import marches
from generator.games.battlelore.model import COMMON_RACE, MEDIEVAL, RANDOM, Battle, CampUnit, log_step_words
from generator.games.battlelore.pages.reference import natures, reference
from generator.games.battlelore.pages.story import cover_text
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex
from generator.model.views import Figure, Legend, MapView, Sheet
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.symbols import pictograms


def checklist(log: Iterable[Step], texts: Mapping[str, Words], names: Mapping[str, Words]) -> list[dict[str, object]]:
    """Return the log steps as a checklist that groups consecutive steps of the same camp.

    `texts` contains the text for each kind of step, and `names` contains the names of ids in results.
    """
    return grouped(log, lambda step: log_step_words(step, texts, names), words()["camp"].__getitem__)


ON_A_PAGE = 4
"""Maximum number of fields of fire on a page. The pages share them evenly."""


def cover(
    battle: Battle,
    *,
    mode: Words,
    armies: Mapping[Side, Words],
    content: Iterable[Words],
    councils: Mapping[Side, Council] | None = None,
    why_first: Words | None = None,
) -> Cover:
    """Return the cover with the map, a description, the victory conditions and the effects of the terrain.

    `armies` describes the origin of each army, and `why_first` gives the reason for the first player. `councils` are
    as in `setup_sheet`.
    """
    texts, board = words()["cover"], battle.board
    figures: dict[str, Figure] = {camp: token(camp, _SHOWN) for camp in SIDES}
    figures["blocks"] = pictograms.eye(clear=False)
    wins = battle.banners if isinstance(battle.banners, int) else None
    if wins is not None:
        figures["banners"] = pictograms.banners(wins, wide=_COLUMN)
    figures |= {f"ground_{name}": swatch(board, name) for name in grounds(board)}
    hands = {camp: battle.hand_of(camp) for camp in SIDES}
    alike = len(set(hands.values())) == 1
    if alike:
        count = battle.hand_of(battle.first)
        figures["hand"] = pictograms.cards(count, min(4.7, 23.5 / max(1, count)), _HALF)  # In one row.
    tracks = tuple(march.track for march in marches(board, battle.units))
    if tracks:
        arrows = " ".join(dict.fromkeys(track.look for track in tracks))
        figures["arrows"] = MapView(board.field, {}, legend=(Legend(arrows, texts["marches"]),))
    races = natures({unit.kind.race for _, unit in battle.units})
    margin = {
        "mode": mode,
        "brief": cover_text(battle).view,
        "armies": [
            {
                "figure": camp,
                "name": side_name(camp),
                "strength": words()["cover"]["units"].fill(n=sum(of == camp for of, _ in battle.units)),
                "lines": [
                    joined([_points(battle, camp), armies[camp]], " · ", "・"),
                    *_council_lines((councils or {}).get(camp, {})),
                ],
            }
            for camp in SIDES
        ],
        "win": texts["to_win_own"] if wins is None else win_words(battle),
        "wins": [] if wins is not None else [_camp_row(camp, "wins_with", battle.banners_of(camp)) for camp in SIDES],
        "prizes": list(_prizes(board, figures)),
        "first": {"figure": battle.first, "name": side_name(battle.first), "why": why_first},
        "hand": texts["hand_each"].fill(n=battle.hand_of(battle.first)) if alike else None,
        "hands": [] if alike else [_camp_row(camp, "hand_of", hands[camp]) for camp in SIDES],
        "grounds": [_ground_row(board, name) for name in grounds(board)],
        "marks": _signs(battle, figures),
        "arrows": bool(tracks),
        "key": joined([texts["dice_key"], *races, texts["scenery"]], " ", ""),
    }
    view = replace(map_view(board, battle.units), land_names=land_names(battle), tracks=tracks)
    return Cover("battlelore/cover.xml", view, (), content, margin, figures)


def prize_words(board: Board) -> list[tuple[Hex, Words]]:
    """Return the victory hexes in groups of equal banners and camp, each with its first hex and a description."""
    texts, groups = words()["cover"], dict[Objective, list[Hex]]()
    for cell, of in board.objectives.items():
        groups.setdefault(of, []).append(cell)
    found = []
    for of, cells in groups.items():
        hexes = joined([same(board.field.name(cell)) for cell in cells])
        values = {"hexes": hexes, "n": of.banners, "camp": side_name(of.camp) if of.camp else ""}
        found.append((cells[0], texts["prize_of" if of.camp else "prize"].fill(**values)))
    return found


def _prizes(board: Board, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield a row for each group of victory hexes."""
    for number, (cell, text) in enumerate(prize_words(board)):
        figures[key := f"prize{number}"] = prize_swatch(board, cell)
        yield {"figure": key, "text": text}


def _camp_row(camp: Side, text: str, n: int) -> dict[str, object]:
    """Return a row with a camp's counter and its number."""
    return {"figure": camp, "text": words()["cover"][text].fill(n=n)}


def win_words(battle: Battle) -> Words:
    """Return a sentence about the number of banners needed to win."""
    texts = words()["cover"]
    if isinstance(battle.banners, int):
        return texts["to_win"].fill(n=battle.banners)
    return texts["to_win_each"].fill(**{camp: battle.banners_of(camp) for camp in SIDES})


_COLUMN = 56.0
"""Width of the margin column of the cover, in mm."""
_HALF = 20.5
"""Width of the picture of a command hand in the margin column, in mm."""
_SHOWN = Kind("blue", "short_sword", "human")
"""The kind of unit on the counter that represents a camp as a whole."""


def _council_lines(council: Council) -> list[Words]:
    texts = words()["cover"]["seats"]
    return [texts.fill(seats=council_words(council), n=lore_tokens(council))] if council else []


def _ground_row(board: Board, name: str) -> dict[str, object]:
    """Return a table row with the effects of a kind of terrain in one or two lines."""
    kind, texts = lore().kind(name), words()["glance"]
    facts = []
    if not kind.passable:
        crossed = kind.water and any(board.terrain(cell).crossing for cell in board.field.cells)
        facts.append(texts["river" if crossed else "none"])
    elif kind.move == "stop":
        entry = {"none": "idle", "foot_bows": "bows"}.get(kind.battle, "stop" if kind.pursuit else "halt")
        facts.append(texts[entry])
    if kind.bold or kind.bold_for:
        facts.append(texts["bold" if kind.bold else "bold_bows"])
    if kind.sides:
        facts.append(texts["sides"])
    if kind.dice_in_from:
        facts.append(texts["from"].fill(n=max(kind.dice_in_from.values())))
    caps = [texts[way].fill(n=limit) for way, limit in (("in", kind.dice_in), ("out", kind.dice_out)) if limit]
    return {
        "figure": f"ground_{name}",
        "name": kind.name,
        "letter": letter(name),
        "caps": joined(caps, ", ", "・"),
        "text": joined(facts or [texts["free"]], " ", ""),
        "mark": "blocks" if kind.blocks else "",
    }


def _signs(battle: Battle, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return the legend of this battle's counters, with banners and their dice, weapons, races and marks."""
    tables, texts = lore(), words()
    units = [(camp, unit) for camp, unit in battle.units if unit.hex]
    kinds = [unit.kind for _, unit in units]
    usual = [(camp, unit.kind) for camp, unit in units if not unit.kind.piece]
    marks: list[dict[str, object]] = []

    def sign(key: str, figure: Figure, text: Words) -> None:
        figures[key] = figure
        marks.append({"figure": key, "text": text})

    for banner in tables.banners.values():
        if any(kind.banner == banner.id for kind in kinds):
            text = texts["cover"]["banner"].fill(banner=banner.name, dice=banner.dice)
            sign(f"banner_{banner.id}", token("pennant", replace(_SHOWN, banner=banner.id)), text)
    for weapon in tables.weapons.values():
        if carriers := [(camp, kind) for camp, kind in usual if kind.weapon == weapon.id]:
            camp, kind = next(((c, k) for c, k in carriers if k.race == COMMON_RACE), carriers[0])
            plain = replace(kind, race=COMMON_RACE)
            sign(f"weapon_{weapon.id}", token(camp, plain), weapon.name)
    for race in tables.races.values():
        if race.id != COMMON_RACE and (carriers := [row for row in usual if row[1].race == race.id]):
            camp, kind = min(carriers, key=lambda row: row[1].arm == "mounted")
            sign(f"race_{race.id}", token(camp, kind), race.name)
    if mounted := next((row for row in usual if row[1].arm == "mounted"), None):
        camp, kind = mounted
        sign("mounted", token(camp, replace(kind, race=COMMON_RACE)), texts["cover"]["mounted"])
    author_pieces = {unit.kind.piece: (camp, unit.kind) for camp, unit in reversed(units) if unit.kind.piece}
    for piece, (camp, kind) in reversed(author_pieces.items()):
        sign(f"piece_{piece.id}", token(camp, kind), piece.name)
    sign("open", section_swatch(battle.board), texts["map"]["open"])
    if levy := next(((camp, unit.kind) for camp, unit in units if unit.levy), None):
        sign("levy", token(*levy, levy=True), texts["map"]["levy"])
    if weak := next(((camp, unit) for camp, unit in units if unit.extra), None):
        sign("weak", weak_swatch(battle.board, *weak), texts["map"]["pips"])
    return marks


def council_content(councils: Iterable[Council]) -> tuple[Words, ...]:
    """Return the credit for the war councils if there are any and their numbers are house numbers."""
    ours = council_tables().source == "house" and any(councils)
    return (words()["cover"]["council"],) if ours else ()


def map_name(battle: Battle) -> Words:
    """Return the title of a house map, or a description of the origin of any other map."""
    texts = words()["cover"]
    if battle.map == RANDOM:
        return texts[RANDOM]
    if house := _house_map(battle):
        return texts["house_map"].fill(name=house.name)
    return texts["own_map"].fill(name=battle.map) if "map" in battle.origin.files else texts["hand_drawn"]


def _house_map(battle: Battle) -> DrawnMap | None:
    """Return the house map with the same terrain, or else the house map that a generated scenario names."""
    alike = (house for house in house_maps().values() if house.ground.ground == battle.board.ground)
    return next(alike, house_maps().get(battle.map) if battle.origin.code else None)


def box_parts(battle: Battle, pool: Pool) -> list[Part]:
    """Return who made the figure pool and the inventory, and the map if it comes from a user's file."""
    texts, files = words()["cover"], battle.origin.files
    maps = (
        [Part(texts["map_part"], user_made=True, file=files["map"].name)]
        if "map" in files and not _house_map(battle)
        else []
    )
    held = (("pool", pool), ("inventory", battle.inventory))
    box = (Part(texts[name], is_user_content(of), battle.origin.user_file_name(name)) for name, of in held)
    return [*box, *maps]


def hands_words(battle: Battle, how: str) -> Words:
    """Return a description of the command hands. It gives a number for each camp only if the numbers differ."""
    texts, hands = words()["hands"], {camp: battle.hand_of(camp) for camp in SIDES}
    if len(set(hands.values())) == 1:
        return texts[how].fill(n=battle.hand_of(SIDES[0]))
    return texts[f"{how}_each"].fill(**hands)


def first_words(battle: Battle) -> Words:
    """Return a sentence about the first player, the victory conditions and the command hands."""
    texts = words()["story"]["first" if battle.age == MEDIEVAL else "first_lore"]
    # A drawn battle has one number for both camps.
    wins = battle.banners_of(battle.first)
    return texts.fill(camp=side_name(battle.first), banners=wins, hands=hands_words(battle, "held"))


def _points(battle: Battle, camp: Side) -> Words:
    return words()["cover"]["points"].fill(n=sum(points(unit.kind) for of, unit in battle.units if of == camp))


def map_sheet(board: Board, units: Iterable[CampUnit] = (), fairness: Words | None = None) -> Sheet:
    """Return a page with the map, the units and a line about fairness."""
    return Sheet(
        part="map",
        title=words()["part"]["map"],
        template="battlelore/map.xml",
        view={"fairness": fairness or ""},
        figures={"map": map_view(board, units)},
        landscape=True,
    )


def audit(
    battle: Battle,
    report: Report,
    texts: Mapping[str, Words],
    names: Mapping[str, Words],
    steps: Iterable[Step],
    lines: Iterable[Words] = (),
) -> Sheet:
    """Return the log of how the scenario was generated. `lines` are additional lines.

    `steps` and `names` are as in `checklist`, with `steps` as its texts.
    """
    position = map_view(battle.board, battle.units, small=True)
    return audit_sheet(report, checklist(steps, texts, names), bool(battle.log), lines, position)


def unit_words(units: Iterable[Unit]) -> dict[str, Words]:
    """Return a description of each unit's kind, keyed by unit id."""
    texts = words()["setup"]["unit"]
    return {unit.id: texts.fill(id=unit.id, kind=titled(unit, unit.kind.name.low)) for unit in units}


def fire_sheets(battle: Battle) -> Iterator[Sheet]:
    """Yield a page with the fields of fire of both sides and details of archers that have a target.

    No bows, no page.
    """
    fields = fields_of_fire(battle.board, battle.units, battle.rulings)
    if not fields:
        return
    ready = [field for field in fields if field.targets]
    figures: dict[str, Figure] = {"map": crossfire(battle.board, fields, battle.units)}
    figures |= {field.unit.id: fire_detail(battle.board, field, battle.units) for field in ready}
    if ready:
        details = [view for view in figures.values() if isinstance(view, MapView) and view.detail]
        figures["details"] = replace(map_view(battle.board, small=True), legend=detail_key(details))
    figures |= {f"token{f.unit.id}": token(f.camp, f.unit.kind, levy=f.unit.levy) for f in fields if not f.targets}
    yield Sheet(
        part="fire",
        title=words()["fire"]["both"],
        template="battlelore/fire.xml",
        view={
            "rows": [detail_row(battle.board, field, battle.units) for field in ready],
            "idle": [
                {
                    "id": field.unit.id,
                    "called": field.unit.label,
                    "hex": hex_name(battle.board, field.at),
                    "sees": words()["fire"]["sees_short"].fill(
                        n=len(field.seen), m=len(field.seen) + len(field.blocked)
                    ),
                }
                for field in fields
                if not field.targets
            ],
        },
        figures=figures,
        # The map fills a landscape page if there are no details.
        landscape=not ready,
        pages=2,
    )


def whole_fire_sheets(battle: Battle) -> Iterator[Sheet]:
    """Yield a sheet for each camp with the fields of fire and details of every archer. It is printed on request."""
    for camp in SIDES:
        fields = [f for f in fields_of_fire(battle.board, battle.units, battle.rulings) if f.camp == camp]
        if not fields:
            continue
        maps = {field.unit.id: fire_map(battle.board, field, battle.units) for field in fields}
        yield Sheet(
            part="fire-all",
            title=words()["fire"]["title"],
            template="battlelore/fireall.xml",
            view={"size": ON_A_PAGE, "rows": [fire_row(battle.board, field) for field in fields]},
            figures=maps | {"key": replace(map_view(battle.board, small=True), legend=fire_key(camp, maps.values()))},
            side=side_name(camp),
            # Reserve one more page, because units that block many lines make long lists.
            pages=-(-len(fields) // ON_A_PAGE) + 1,
        )


def circumstances(battle: Battle) -> set[str]:
    """Return the circumstances of this battle that rulings depend on.

    They are hills, and archers on foot whose bonus strikes can hit mounted enemies.
    """
    there = {
        "hills": any(lore().kind(name).open_from for name in grounds(battle.board)),
        "foot_bows": _foot_bows_meet_riders(battle),
    }
    return {name for name, holds in there.items() if holds}


def _foot_bows_meet_riders(battle: Battle) -> bool:
    """Return whether a camp has archers on foot with bonus strikes at range, and the other camp mounted units."""
    riders = {camp for camp, unit in battle.units if unit.kind.arm == "mounted"}
    weapons = lore().weapons
    bows = {camp for camp, unit in battle.units if unit.kind.bow and weapons[unit.kind.weapon].strike.ranged}
    return any(riders - {camp} for camp in bows)


def reference_sheet(battle: Battle, rulings: Iterable[Interpretation]) -> Sheet:
    """Return a two-page reference for the weapons and terrain in play, with the odds and the rulings that apply."""
    view, figures = reference(battle.board, (unit.kind for _, unit in battle.units), rulings)
    return Sheet(
        part="reference",
        title=words()["reference"]["title"],
        template="battlelore/reference.xml",
        pages=2,
        view=view,
        figures=figures,
    )


def readings_sheet(rulings: Iterable[Interpretation], impacts: Iterable[Mapping[str, object]]) -> Sheet:
    """Return a sheet with all rulings and readings, including those that the reference omits.

    Below them are `impacts`, which are the changes that other choices would make in the battle. The sheet is printed
    on request.
    """
    return Sheet(
        part="readings",
        title=words()["reference"]["all_rulings"],
        template="battlelore/readings.xml",
        pages=2,
        view={"rulings": interpretation_rows(rulings), "impacts": list(impacts)},
    )
