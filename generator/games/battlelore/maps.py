"""Maps of a battle with its units, fields of fire and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from generator.common.game import Query
from generator.errors import WrongUsageError, near
from generator.games.battlelore.forces import Kind, Unit, titled
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Objective, Side, section_name, side_name, words
from generator.games.battlelore.model import Battle, CampUnit
from generator.games.battlelore.play import may_battle, reach, run, screens
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, HexField, distance, flows
from generator.localization import tr
from generator.model.legends import AIM, BREAK, RAY, SECTION, keep_drawn
from generator.model.views import Flag, Legend, MapView, Mark, Note, Ray, Shade, Sheet, Token
from generator.model.words import Words, joined, same
from generator.sight.trace import Screens, Sight, judge
from generator.symbols.theme import theme

T = TypeVar("T")
B = TypeVar("B", bound=Battle)


def token(camp: Side, kind: Kind, label: str = "", *, levy: bool = False) -> Token:
    """Return the counter of a unit. Badges mark a race other than human and mounted units."""
    badges = [kind.race] * (kind.race != "human") + ["mounted"] * (kind.arm == "mounted")
    mark: Mark = "own" if kind.piece else "levy" if levy else ""
    return Token(camp, kind.banner, kind.weapon, label, " ".join(badges), mark)


def unit_token(camp: Side, unit: Unit) -> Token:
    """Return a unit's counter for the map."""
    name = joined((titled(unit), side_name(camp)))
    strength = (unit.figures, max(unit.figures, unit.kind.figures)) if unit.extra else (0, 0)
    return replace(token(camp, unit.kind, unit.id, levy=unit.levy), hp=strength, name=name)


def map_view(
    board: Board,
    units: Iterable[CampUnit] = (),
    *,
    shades: tuple[Shade, ...] = (),
    rays: tuple[Ray, ...] = (),
    small: bool = False,
) -> MapView:
    """Return a map of the board with these units. A small map has no legend and no edge labels."""
    units = tuple(units)
    far = words()["map"]["far"].fill(row=len(board.field.rows))
    return MapView(
        grid=board.field,
        ground=board.ground,
        features=board.features,
        flows=flows(board.field, board.water()),
        walls=board.walls,
        borders=board.plan.borders(),
        tokens=tuple((unit.hex, unit_token(camp, unit)) for camp, unit in units if unit.hex),
        notes=tuple(_prize_flag(board, cell, of) for cell, of in board.objectives.items()),
        shades=(*shades, *([Shade("objective", tuple(board.objectives))] if board.objectives else [])),
        rays=rays,
        legend=() if small else legend(board, units),
        edges=None if small else (far, words()["map"]["near"]),
        compact=small,
        sections=() if small else tuple(section_names(board)),
    )


def section_names(board: Board) -> Iterator[tuple[float, Words, Words]]:
    """Yield the middle of each section, with its name for the far and for the near player."""
    far_names = dict(zip(SECTIONS, reversed(SECTIONS), strict=True))
    for section in SECTIONS:
        places = [board.field.centre(cell)[0] for cell in board.plan.section_cells(section, "pennant")]
        middle = (min(places) + max(places)) / 2
        yield middle, section_name(far_names[section]), section_name(section)


_PRIZE_AT, _PRIZE_SIZE = (0.62, 0.95), 0.3
"""Spot of a victory hex's flag in its hex, in lattice steps from the centre, and its size in cell sides."""


def _prize_flag(board: Board, cell: Hex, of: Objective) -> Note:
    """Return the mark of a victory hex with its number of banners.

    The mark is a disc if the hex counts for either camp, or else the shape of its camp.
    """
    (x, y), (dx, dy) = board.field.centre(cell), _PRIZE_AT
    return Note((x + dx, y + dy), same(of.banners), _PRIZE_SIZE, flag=of.camp or "prize")


def weak_swatch(board: Board, camp: Side, unit: Unit) -> MapView:
    """Return the counter of a unit on the board with the pips of its figures, as the map shows it."""
    assert unit.hex
    view = map_view(replace(board, objectives={}), [(camp, unit)], small=True)
    return replace(part(view, board.field.around(unit.hex, 0)), names=False)


def prize_swatch(board: Board, cell: Hex) -> MapView:
    """Return a victory hex as it appears on the map, without its unit."""
    return replace(part(map_view(board, small=True), board.field.around(cell, 0)), names=False)


def part(view: MapView, grid: HexField) -> MapView:
    """Return a copy of a map that contains only the hexes of `grid`."""

    def here(of: Mapping[Hex, T]) -> dict[Hex, T]:
        return {cell: what for cell, what in of.items() if cell in grid}

    return replace(
        view,
        grid=grid,
        ground=here(view.ground),
        features=here(view.features),
        flows=here(view.flows),
        walls=here(view.walls),
        borders=(),
        tokens=tuple(row for row in view.tokens if row[0] in grid),
        notes=tuple(note for note in view.notes if _lies_in(note, grid)),
        flags=tuple(flag for flag in view.flags if flag.cell in grid),
        shades=tuple(
            Shade(shade.look, cells)
            for shade in view.shades
            if (cells := tuple(cell for cell in shade.cells if cell in grid))
        ),
    )


def _lies_in(note: Note, grid: HexField) -> bool:
    """Return whether a note is in one of the hexes."""
    at = ((note.at[0] - x, note.at[1] - y) for x, y in map(grid.centre, grid.cells))
    return any(abs(x) < 1 and abs(y) < 2 - abs(x) for x, y in at)


def grounds(board: Board) -> tuple[str, ...]:
    """Return the kinds of terrain and features on the board except countryside, in the order of the tables."""
    tables = lore()
    used = {board.ground[c] for c in board.field.cells} | set(board.features.values())
    return tuple(i for i in (*tables.terrain, *tables.features) if i in used and tables.kind(i).has_text)


def swatch(board: Board, name: str) -> MapView:
    """Return one hex with this terrain or feature from the board's map, preferably a hex that shows nothing else."""
    cells = [c for c in board.field.cells if name in (board.ground[c], board.features.get(c))]
    cell = min(cells, key=lambda c: (board.features.get(c, name) != name, c not in board.walls))
    plain = replace(board, objectives={})
    return replace(part(map_view(plain, small=True), board.field.around(cell, 0)), names=False)


def section_swatch(board: Board) -> MapView:
    """Return a hex of plain ground that is crossed by a line between sections."""
    plain = next(i for i, kind in lore().terrain.items() if not kind.has_text)
    grid = board.field.around(board.field.cells[0], 0)
    x, y = grid.centre(grid.cells[0])
    return MapView(grid, dict.fromkeys(grid.cells, plain), borders=(((x, y - 2), (x, y + 2)),), names=False)


def letter(name: str) -> str:
    """Return the letter that marks a terrain on the map. Water has no letter, because its shape identifies it."""
    ground = theme().ground.get(name)
    return ground.letter if ground and not ground.water else ""


def legend(board: Board, units: Iterable[CampUnit] = ()) -> tuple[Legend, ...]:
    """Return the map legend: terrain and section lines, then the camps and kinds of the units."""
    tables, texts = lore(), words()
    plain = [i for i in tables.terrain if i in board.ground.values() and not tables.kind(i).has_text]
    rows = [Legend(i, tables.kind(i).name) for i in (*plain, *grounds(board))]
    rows.append(Legend(SECTION, texts["map"]["section"]))
    if board.objectives:
        rows.append(Legend("objective", texts["map"]["objective"]))
    if any(of.camp for of in board.objectives.values()):
        rows.append(Legend("", texts["map"]["objective_camp"]))
    units = [(camp, unit) for camp, unit in units if unit.hex]
    kinds = [(camp, unit.kind) for camp, unit in units]
    if not kinds:
        return tuple(rows)
    example = Kind("blue", "short_sword", "human")
    rows += [Legend(token(camp, example), texts["camp"][camp]) for camp in SIDES]
    for banner in tables.banners.values():
        if any(kind.banner == banner.id for _, kind in kinds):
            text = texts["map"]["banner"].fill(banner=banner.name, letter=banner.letter, dice=banner.dice)
            rows.append(Legend(token("pennant", Kind(banner.id, "short_sword", "human")), text))
    carried = {(kind.weapon, kind.race): (camp, kind) for camp, kind in reversed(kinds) if not kind.piece}
    order = list(tables.weapons), list(tables.races)
    for weapon, race in sorted(carried, key=lambda pair: (order[0].index(pair[0]), order[1].index(pair[1]))):
        camp, kind = carried[weapon, race]
        rows.append(Legend(token(camp, kind), kind.plain_name))
    author_pieces = {kind: camp for camp, kind in reversed(kinds) if kind.piece}
    rows += [Legend(token(camp, kind), kind.name) for kind, camp in reversed(author_pieces.items())]
    if levy := next(((camp, unit.kind) for camp, unit in units if unit.levy), None):
        rows.append(Legend(token(*levy, levy=True), texts["map"]["levy"]))
    if any(unit.extra for _, unit in units):
        rows.append(Legend("", texts["map"]["pips"]))
    return tuple(rows)


def hex_name(board: Board, cell: Hex | None) -> str:
    """Return the name of a hex, or a dash for None."""
    return board.field.name(cell) if cell else "–"


class Field(msgspec.Struct, frozen=True):
    """The field of fire of one unit with a bow: its lines of sight to all hexes in range."""

    camp: Side
    unit: Unit
    at: Hex
    seen: tuple[Hex, ...]
    blocked: tuple[Sight, ...]
    targets: tuple[Unit, ...]
    """The enemy units that the unit could shoot at now."""


def fields_of_fire(board: Board, units: Iterable[CampUnit], rulings: Mapping[str, str]) -> tuple[Field, ...]:
    """Return the field of fire of every unit with a bow on the board, in the order of the units."""
    units = tuple(units)
    over = screens(board, (u.hex for _, u in units if u.hex), rulings)
    return tuple(
        _field(board, units, over, camp, unit, unit.hex) for camp, unit in units if unit.hex and unit.kind.bow
    )


def _field(board: Board, units: tuple[CampUnit, ...], over: Screens, camp: Side, unit: Unit, at: Hex) -> Field:
    reach = unit.kind.range
    lines = [judge(over, at, cell) for cell in board.field.cells if 2 <= distance(at, cell) <= reach]
    seen = tuple(line.end for line in lines if line.clear or unit.kind.over)
    enemies = tuple(u for other, u in units if other != camp)
    # A unit with an enemy next to it must fight that enemy.
    near = any(u.hex and distance(at, u.hex) == 1 and not board.wall_between(at, u.hex) for u in enemies)
    targets = () if near else tuple(u for u in enemies if u.hex in seen)
    blocked = () if unit.kind.over else tuple(line for line in lines if not line.clear)
    return Field(camp, unit, at, seen, blocked, targets)


_MOST = 3
"""Number of archers at which the tint is darkest."""


def _flag(camp: Side, unit: Unit, at: Hex) -> Flag:
    """Return a flag with the unit's id."""
    return Flag(at, camp, unit.kind.banner, unit.id)


def crossfire(board: Board, fields: Iterable[Field], units: Iterable[CampUnit]) -> MapView:
    """Return a map that shows how many archers of each camp see each hex, and the possible shots."""
    fields = tuple(fields)
    seen = {camp: Counter(cell for f in fields if f.camp == camp for cell in f.seen) for camp in SIDES}
    flags = tuple(
        Flag(cell, camp, f"{camp}_archers", str(seen[camp][cell]))
        for cell in board.field.cells
        for camp in SIDES
        if seen[camp][cell]
    )
    shades = [Shade("veil", board.field.cells)]
    for camp in SIDES:
        for n in range(1, _MOST + 1):
            cells = tuple(cell for cell in board.field.cells if min(seen[camp][cell], _MOST) == n)
            shades.append(Shade(f"{camp}{n}", cells))
        shades.append(Shade(_edge(camp), tuple(cell for cell in board.field.cells if seen[camp][cell])))
    shot = {target.hex: None for field in fields for target in field.targets if target.hex}
    shades.append(Shade("target", tuple(shot)))
    view = replace(map_view(board, units, shades=_shown(shades), small=True), flags=flags)
    return replace(view, legend=keep_drawn(_crossfire_key(), view))


def _shown(shades: Iterable[Shade]) -> tuple[Shade, ...]:
    return tuple(shade for shade in shades if shade.cells)


def _edge(camp: Side) -> str:
    """Return the look of the line around the hexes that a camp's archers see."""
    return f"{camp}_edge"


def _crossfire_key() -> Iterator[Legend]:
    texts, cell = words()["fire"], Hex(0, 0)
    for i, camp in enumerate(SIDES):
        yield Legend(Flag(cell, camp, f"{camp}_archers", str(2 - i)), texts[f"by_{camp}"])
        for n in range(1, _MOST + 1):
            yield Legend(f"{camp}{n}+{_edge(camp)}", texts["how_many"].fill(n=n) if n == _MOST else same(n))
    yield Legend("target", texts["shot"])


def fire_detail(board: Board, field: Field, units: Iterable[CampUnit]) -> MapView:
    """Return a map of one archer's range with visible and blocking hexes, and with lines to its possible targets."""
    units = tuple(units)
    stops = {cell for line in field.blocked for cell in line.blocked_by}
    shot = tuple(target.hex for target in field.targets if target.hex)
    shades = (
        Shade("veil", board.field.cells),
        Shade(f"{field.camp}_sight", field.seen),
        Shade("barred", tuple(line.end for line in field.blocked)),
        Shade("blocker", tuple(cell for cell in board.field.cells if cell in stops)),
        Shade("target", shot),
    )
    rays = tuple(Ray(field.at, cell, shot=True) for cell in shot)
    view = map_view(board, [(field.camp, field.unit)], shades=_shown(shades), rays=rays, small=True)
    flags = tuple(_flag(camp, unit, unit.hex) for camp, unit in units if unit.hex and unit.hex != field.at)
    around = board.field.around(field.at, field.unit.kind.range)
    return part(replace(view, flags=flags, detail=True), around)


def detail_key(details: Sequence[MapView]) -> tuple[Legend, ...]:
    """Return the legend of several maps of archers' ranges."""
    texts = words()["fire"]
    entries = (
        Legend(" ".join(f"{of}_sight" for of in SIDES), texts["seen_key"]),
        Legend("barred", texts["barred"]),
        Legend("blocker", texts["blocker"]),
        Legend(AIM, texts["aim"]),
        Legend("", texts["plain"]),
    )
    return keep_drawn(entries, *details)


def detail_row(board: Board, field: Field, units: Iterable[CampUnit]) -> dict[str, object]:
    """Return a table row with an archer's possible shots and the hexes that block other shots in range."""
    texts, of = words()["fire"], field.unit.kind
    enemies = {unit.hex: unit for camp, unit in units if camp != field.camp and unit.hex}

    def shot(target: Unit, at: Hex) -> dict[str, object]:
        kinds = (lore().kind(key) for key in (board.ground[at], board.features.get(at, "")) if key)
        ground = [kind.name.low for kind in kinds if kind.has_text]
        far = texts["far"].fill(n=distance(field.at, at))
        return {"id": target.id, "called": target.label, "hex": hex_name(board, at), "facts": joined([far, *ground])}

    barred = [
        (enemies[line.end], hex_name(board, line.end), same(" + ".join(hex_name(board, c) for c in line.blocked_by)))
        for line in field.blocked
        if line.end in enemies
    ]
    return {
        "id": field.unit.id,
        "called": field.unit.label,
        "hex": hex_name(board, field.at),
        "kind": texts["bow"].fill(kind=titled(field.unit), dice=of.dice, range=of.range),
        "sees": texts["sees"].fill(n=len(field.seen), m=len(field.seen) + len(field.blocked)),
        "targets": [shot(target, target.hex) for target in field.targets if target.hex],
        "barred": [
            {"id": unit.id, "called": unit.label, "hex": at, "by": by if by.en else texts["edge"]}
            for unit, at, by in barred
        ],
    }


def fire_map(board: Board, field: Field, units: Iterable[CampUnit]) -> MapView:
    """Return a small map of one field of fire with visible, hidden and blocking hexes, and with rays to enemies."""
    units = tuple(units)
    enemies = {u.hex for camp, u in units if camp != field.camp}
    stops = {cell for line in field.blocked for cell in line.blocked_by}
    rays = [Ray(field.at, cell) for cell in field.seen if cell in enemies]
    rays += [Ray(field.at, b.end, b.blocked_by[0]) for b in field.blocked if b.end in enemies and b.blocked_by]
    whole = map_view(
        board,
        units,
        shades=(
            Shade(f"{field.camp}_sight", field.seen),
            Shade("barred", tuple(b.end for b in field.blocked)),
            Shade("blocker", tuple(c for c in board.field.cells if c in stops)),
        ),
        rays=tuple(rays),
        small=True,
    )
    return part(whole, board.field.around(field.at, field.unit.kind.range))


def fire_key(camp: Side, maps: Iterable[MapView]) -> tuple[Legend, ...]:
    """Return the legend for the shades of several fire maps of a camp."""
    texts = words()["fire"]
    looks = {f"{camp}_sight": "seen", "barred": "blocked_key", "blocker": "stop", RAY: "ray", BREAK: "break"}
    return keep_drawn((Legend(look, texts[word]) for look, word in looks.items()), *maps)


def fire_row(board: Board, field: Field) -> dict[str, object]:
    """Return the table row for a field of fire."""
    texts = words()["fire"]
    by: dict[str, list[str]] = {}
    for line in field.blocked:
        stops = "+".join(hex_name(board, c) for c in line.blocked_by)
        by.setdefault(stops, []).append(hex_name(board, line.end))
    blocked = [
        Words(f"{' '.join(cells)} ({stop or texts['edge'].en})", f"{' '.join(cells)}（{stop or texts['edge'].ja}）")
        for stop, cells in by.items()
    ]
    targets = [texts["target"].fill(unit=u.label, hex=hex_name(board, u.hex)) for u in field.targets]
    whole = len(field.seen) + len(field.blocked)
    return {
        "id": field.unit.id,
        "kind": titled(field.unit),
        "hex": hex_name(board, field.at),
        "range": field.unit.kind.range,
        "sees": texts["sees"].fill(n=len(field.seen), m=whole),
        "blocked": joined(blocked) if blocked else texts["none"],
        "seen": same(" ".join(hex_name(board, c) for c in field.seen)) if field.seen else texts["none"],
        "targets": joined(targets) if targets else texts["none"],
    }


class Moves(NamedTuple):
    """A unit and its possible moves."""

    camp: Side
    unit: Unit
    at: Hex
    steps: Mapping[Hex, int]
    """The number of steps to each reachable hex by the shortest path."""
    battles: frozenset[Hex]
    """The reachable hexes in which the unit may still battle in the same turn."""


def moves(battle: Battle, name: str) -> Moves:
    """Return the moves of the unit with this id. Upper and lower case are equivalent.

    Raises WrongUsageError if there is no unit with this id on the board.
    """
    on = {unit.id: (camp, unit, unit.hex) for camp, unit in battle.units if unit.hex}
    found = next((of for id_, of in on.items() if id_.casefold() == name.casefold()), None)
    if found is None:
        raise WrongUsageError(tr("there is no unit named {name!r} on the board", name=name), hint=near(name, on))
    camp, unit, at = found
    far = unit.kind.move
    taken = {of.hex for _, of in battle.units if of.hex}
    steps = reach(battle.board, taken, at, max(far, run(unit.kind)))
    fights = frozenset(c for c, n in steps.items() if n <= far and may_battle(battle.board, unit.kind, c))
    return Moves(camp, unit, at, steps, fights)


def _moves_row(battle: Battle, of: Moves) -> dict[str, object]:
    name = battle.board.field.name
    ends = [{"to": name(cell), "steps": n, "battles": cell in of.battles} for cell, n in of.steps.items()]
    return {"unit": of.unit.id, "from": name(of.at), "moves": ends}


def _moves_lines(battle: Battle, of: Moves) -> list[Words]:
    """Return a description of the moves that lists hexes by distance, with and without a battle."""
    texts, name = words()["moves"], battle.board.field.name
    lines = [texts["head"].fill(unit=of.unit.label, kind=titled(of.unit, of.unit.kind.name.low), hex=name(of.at))]
    for battles in (True, False):
        by_steps: dict[int, list[Words]] = {}
        for cell, n in of.steps.items():
            if (cell in of.battles) == battles:
                by_steps.setdefault(n, []).append(same(name(cell)))
        what = texts["battles" if battles else "only"]
        lines += [what.fill(n=n, cells=joined(cells)) for n, cells in sorted(by_steps.items())]
    return lines if of.steps else [*lines, texts["none"]]


def _moves_sheet(battle: Battle, of: Moves) -> Sheet:
    head, *lines = _moves_lines(battle, of)
    only = tuple(cell for cell in of.steps if cell not in of.battles)
    texts = words()["moves"]
    shades = (Shade("reach", tuple(cell for cell in of.steps if cell in of.battles)), Shade("barred", only))
    view = map_view(battle.board, battle.units, shades=_shown(shades))
    key = Legend("reach", texts["key_battles"]), Legend("barred", texts["key_only"])
    return Sheet(
        part="moves",
        title=words()["moves"]["title"].fill(unit=of.unit.label),
        template="battlelore/moves.xml",
        view={"head": head, "lines": lines},
        figures={"map": replace(view, legend=keep_drawn(key, view))},
        landscape=True,
    )


def moves_tool(placed: Callable[[B], Battle] = lambda battle: battle) -> Query[B]:
    """Return the query for `muster moves`. `placed` returns the battle with its units set up."""

    def query(battle: B, words_: tuple[str, ...]) -> tuple[Battle, Moves]:
        return (on := placed(battle)), moves(on, words_[0])

    return Query(
        verb="moves",
        rows=lambda battle, words_: [_moves_row(*query(battle, words_))],
        lines=lambda battle, words_: _moves_lines(*query(battle, words_)),
        sheet=lambda battle, words_: _moves_sheet(*query(battle, words_)),
    )
