"""The text on the cover of a battle: the facts of its armies and its ground, as clauses of a cover text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from generator.common.cover_text import Clause, CoverText, compose, listed, one_or_many
from generator.common.tables import numeral, reachable
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Side, section_name, side_name, words
from generator.games.battlelore.model import COMMON_RACE, OTHER, Battle
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, distance
from generator.model.words import Words, same
from generator.notation import toml

wordings = toml.shipped_table("battlelore/story.toml", dict[str, tuple[Words, ...]])
"""Return the wordings of each fact."""

HEAVIER = 0.25
"""Minimum difference in mean dice per unit for an army to be described as heavier."""
MORE = 3
"""Minimum difference in the number of mounted units or bows that makes a battle special."""
OUTNUMBERED = 2
"""Minimum difference in the number of units for an army to be described as outnumbered."""
CLOSE = 3
"""Maximum distance of the nearest enemies, in hexes, for the lines to be described as close."""
MANY_FORESTS, MANY_HILLS, MANY_MARSHES = 10, 10, 6
"""Minimum numbers of hexes for a wooded, hilly or marshy field."""
A_FEW = 2
"""Minimum number of units of a race, or of red units, that is mentioned."""
_THINGS = ("", "ひとつ", "ふたつ", "みっつ", "よっつ", "いつつ", "むっつ", "ななつ", "やっつ", "ここのつ")


def counted(n: int, name: Words) -> Words:
    """Return a count and a noun in words, such as `two fords`."""
    things = _THINGS[n] if n < len(_THINGS) else numeral(n).ja
    return Words(f"{numeral(n).en} {name.en.lower()}{'' if n == 1 else 's'}", f"{name.ja}{things}")


def cover_text(battle: Battle) -> CoverText:
    """Return the text on the cover of a battle, never empty."""
    of = Facts(battle)
    present = [camp for camp in SIDES if of.units[camp]]
    if len(present) < len(SIDES):
        key, values = ("alone", {"camp": side_name(present[0])}) if present else ("empty", {})
        clause = Clause(key, values)
        return CoverText(wordings()[key][0].fill(**values), same(""), (clause,))
    stand = (f"{unit.id}{cell.q},{cell.r}" for on in of.units.values() for cell, unit in on)
    seed = battle.origin.code or " ".join(stand)
    leads = [clause for kind in _LEADS for clause in kind(of)] or list(_distance(of))
    return compose(seed, leads, list(_opening(of)), [*_armies(of), *_where(of)], list(_end(of)), wordings())


class Facts:
    """Facts about a battle that its map shows."""

    def __init__(self, battle: Battle) -> None:
        self.battle, self.board = battle, battle.board
        self.units: Mapping[Side, list[tuple[Hex, Unit]]] = {
            camp: [(unit.hex, unit) for of, unit in battle.units if of == camp and unit.hex] for camp in SIDES
        }
        self.crossings = [cell for cell in self.board.field.cells if self.board.terrain(cell).crossing]
        self.banks = {camp: _bank(self.board, camp) for camp in SIDES}
        """The hexes that each camp reaches from its baseline without a crossing."""

    @property
    def parted(self) -> bool:
        """Whether no path between the baselines avoids the crossings."""
        return bool(self.crossings) and not self.banks["pennant"] & self.banks["standard"]

    @property
    def edge_to_edge(self) -> bool:
        """Whether water connects the first column with the last one."""
        field, water = self.board.field, set(self.board.water())
        columns = {field.column(row[i]) for row in map(field.row, range(len(field.rows))) for i in (0, -1)}
        west = [cell for cell in water if field.column(cell) == min(columns)]
        joined = {cell for cell, _ in reachable(west, lambda at: (n for n in field.neighbours(at) if n in water))}
        return any(cell == field.row(cell.r)[-1] for cell in joined)

    def number(self, terrain: Callable[[str], bool]) -> int:
        """Return the number of hexes whose terrain satisfies a condition."""
        return sum(map(terrain, self.board.ground.values()))

    def count(self, holds: Callable[[Unit], bool]) -> dict[Side, int]:
        """Return the number of each camp's units that satisfy a condition."""
        return {camp: sum(holds(unit) for _, unit in on) for camp, on in self.units.items()}

    def heavier(self) -> Side | None:
        """Return the camp whose units have clearly more dice on average, or None."""
        mean = {camp: sum(unit.kind.dice for _, unit in of) / len(of) for camp, of in self.units.items()}
        best = max(SIDES, key=mean.__getitem__)
        return best if mean[best] - mean[OTHER[best]] >= HEAVIER else None

    def beyond(self, camp: Side) -> int:
        """Return the number of a camp's units on the enemy's side of a river."""
        return sum(cell in self.banks[OTHER[camp]] for cell, _ in self.units[camp]) if self.parted else 0

    @property
    def apart(self) -> int:
        """The distance of the nearest enemies, in hexes."""
        return min(distance(a, b) for a, _ in self.units["pennant"] for b, _ in self.units["standard"])


def _bank(board: Board, camp: Side) -> set[Hex]:
    starts = (cell for cell in board.plan.baseline(camp) if _dry(board, cell))
    return {
        cell for cell, _ in reachable(starts, lambda at: (n for n in board.field.neighbours(at) if _dry(board, n)))
    }


def _dry(board: Board, cell: Hex) -> bool:
    return board.passable(cell) and not board.terrain(cell).crossing


def _camps() -> dict[str, Words]:
    return {camp: side_name(camp) for camp in SIDES}


def _mounted(unit: Unit) -> bool:
    return unit.kind.arm == "mounted"


def _bow(unit: Unit) -> bool:
    return unit.kind.bow


def _objectives(of: Facts) -> Iterator[Clause]:
    """Yield the victory hexes."""
    if cells := list(of.board.objectives):
        hexes = listed([same(of.board.field.name(cell)) for cell in cells])
        yield Clause(one_or_many("objectives", len(cells)), {"hexes": hexes}, "objectives")


def _river(of: Facts) -> Iterator[Clause]:
    """Yield a river that parts the armies, and its only crossing."""
    if of.parted and of.edge_to_edge:
        yield Clause("river_whole")
    if of.parted and len(of.crossings) == 1:
        (cell,) = of.crossings
        values = {"name": of.board.terrain(cell).name.low, "hex": of.board.field.name(cell)}
        yield Clause("single", values, "crossings")


def _held(of: Facts) -> Iterator[Clause]:
    """Yield the crossings that units occupy, and the units beyond the river."""
    field = of.board.field
    held = {
        camp: sorted((cell for cell, _ in on if cell in of.crossings), key=field.column)
        for camp, on in of.units.items()
    }
    holders = [camp for camp in SIDES if held[camp]]
    places = {camp: listed([_place(of, cell) for cell in held[camp]]) for camp in holders}
    if len(holders) > 1:
        yield Clause("held_both", _camps() | {f"at_{camp}": places[camp] for camp in SIDES}, "held")
    elif holders:
        yield Clause("held", {"camp": side_name(holders[0]), "place": places[holders[0]]})
    for camp in SIDES:
        if n := of.beyond(camp):
            yield Clause(one_or_many("beyond", n), {"camp": side_name(camp), "n": n}, f"beyond {camp}")


def _place(of: Facts, cell: Hex) -> Words:
    """Return the name of a crossing, with its position if the board has several crossings of this kind."""
    texts, kind = words()["brief"], of.board.ground[cell]
    alike = [other for other in of.crossings if of.board.ground[other] == kind]
    alike.sort(key=lambda at: of.board.field.centre(at))
    name = lore().terrain[kind].name.low
    if len(alike) == 1:
        return texts["the"].fill(name=name)
    if len(alike) > len(_WHERE):
        return texts["at"].fill(name=name, hex=of.board.field.name(cell))
    where = (_WHERE[0], _WHERE[-1]) if len(alike) == 2 else _WHERE
    return texts[where[alike.index(cell)]].fill(name=name)


_WHERE = ("west", "middle", "east")


def _numbers(of: Facts) -> Iterator[Clause]:
    """Yield an army that is outnumbered or much heavier."""
    counts = {camp: len(on) for camp, on in of.units.items()}
    more = max(SIDES, key=counts.__getitem__)
    n, m = counts[more], counts[OTHER[more]]
    values = {"more": side_name(more), "less": side_name(OTHER[more]), "n": n, "m": m}
    if n - m >= OUTNUMBERED and m > 1:
        yield Clause("outnumbered", values, "numbers")
    if heavier := of.heavier():
        yield Clause("heavier", {"camp": side_name(heavier)})


def _arms(of: Facts) -> Iterator[Clause]:
    """Yield a camp that has many more mounted units or bows, or the only ones."""
    kinds: Sequence[tuple[str, str, Callable[[Unit], bool]]] = (
        ("mounted", "horse", _mounted),
        ("bows", "arrows", _bow),
    )
    for key, topic, holds in kinds:
        has = of.count(holds)
        camp = max(SIDES, key=has.__getitem__)
        n, m = has[camp], has[OTHER[camp]]
        if n - m >= MORE or (not m and n >= A_FEW):
            values = {"camp": side_name(camp), "other": side_name(OTHER[camp]), "n": n, "m": m}
            yield Clause(key if m else f"{key}_only", values, topic)


def _high(of: Facts) -> Iterator[Clause]:
    """Yield a landmark that a camp holds, and a camp with more units on high ground."""
    high = {camp: [c for c, _ in on if of.board.terrain(c).height] for camp, on in of.units.items()}
    for camp in SIDES:
        if any(of.board.ground[cell] == "landmark" for cell, _ in of.units[camp]):
            yield Clause("landmark", {"camp": side_name(camp), "name": lore().terrain["landmark"].name.low})
        if len(high[camp]) > max(1, len(high[OTHER[camp]])):
            yield Clause("high", {"camp": side_name(camp), "n": len(high[camp])})


def _ground(of: Facts) -> Iterator[Clause]:
    """Yield a terrain that covers much of the field, or a field on which no terrain blocks lines of sight."""
    for key, ground, least, topic in (
        ("wooded", "forest", MANY_FORESTS, "woods"),
        ("hilly", "hill", MANY_HILLS, "hills"),
        ("marshy", "marsh", MANY_MARSHES, "marsh"),
    ):
        if (n := of.number(ground.__eq__)) >= least:
            yield Clause(key, {"n": n}, topic)
    if not any(of.board.terrain(cell).blocks for cell in of.board.field.cells) and any(of.count(_bow).values()):
        yield Clause("open_sight")


def _near(of: Facts) -> Iterator[Clause]:
    """Yield lines that are close."""
    if of.apart == 1:
        yield Clause("touch", {}, "apart")
    elif of.apart <= CLOSE:
        yield Clause("close", {"n": of.apart}, "apart")


def _distance(of: Facts) -> Iterator[Clause]:
    """Yield the distance of the nearest enemies, which every battle has."""
    yield Clause("apart" if of.apart > 1 else "touch", {"n": of.apart} if of.apart > 1 else {})


_LEADS = (_objectives, _river, _held, _numbers, _high, _arms, _ground, _near)
"""The kinds of facts that may be the first sentence, the most unusual first."""


def _opening(of: Facts) -> Iterator[Clause]:
    """Yield the places of the armies with their numbers, and without them."""
    counts = {camp: len(on) for camp, on in of.units.items()}
    key = "who" if min(counts.values()) > 1 else "who_few"
    yield Clause(key, _camps() | {"n": counts["pennant"], "m": counts["standard"]}, "numbers")
    yield Clause("sides", _camps())


def _armies(of: Facts) -> Iterator[Clause]:
    """Yield details of each army."""
    for race in lore().races.values():
        for camp, n in of.count(lambda unit, race=race.id: unit.kind.race == race).items():  # type: ignore[misc]
            if race.id != COMMON_RACE and n >= A_FEW:
                values = {"camp": side_name(camp), "race": race.name.low, "n": n}
                yield Clause("race", values, "race")
    for key, holds in (("horse", _mounted), ("arrows", _bow)):
        has = of.count(holds)
        camp = max(SIDES, key=has.__getitem__)
        if has[OTHER[camp]] >= A_FEW:
            values = {"camp": side_name(camp), "other": side_name(OTHER[camp])}
            yield Clause(key, values | {"n": has[camp], "m": has[OTHER[camp]]})
    if not any(of.count(_bow).values()):
        yield Clause("no_bows", {}, "arrows")
    for camp in SIDES:
        yield from _details(of, camp)


def _details(of: Facts, camp: Side) -> Iterator[Clause]:
    """Yield a camp's largest section, its units in forests and its red units."""
    plan, on = of.board.plan, of.units[camp]
    sections = Counter(section for cell, _ in on for section in plan.sections_of(cell, camp))
    best = max(SECTIONS, key=lambda section: sections[section])
    if sections[best] > max(A_FEW, *(sections[other] for other in SECTIONS if other != best)):
        values = {"camp": side_name(camp), "section": section_name(best).low, "n": sections[best], "m": len(on)}
        yield Clause("wing", values)
    if (n := sum(of.board.ground[cell] == "forest" for cell, _ in on)) >= A_FEW:
        yield Clause("covered", {"camp": side_name(camp), "n": n})
    if (n := sum(unit.kind.banner == "red" and not unit.kind.piece for _, unit in on)) >= A_FEW:
        yield Clause("red", {"camp": side_name(camp), "n": n})


def _where(of: Facts) -> Iterator[Clause]:
    """Yield the ground: crossings, terrain and the distance of the lines."""
    tables = lore().terrain
    kinds = Counter(of.board.ground[cell] for cell in of.crossings)
    if kinds:
        over = listed([counted(kinds[name], tables[name].name) for name in tables if kinds[name]])
        yield Clause(one_or_many("crossings", len(of.crossings)), {"over": over}, "crossings")
    if any(kinds[name] and tables[name].bold for name in ("bridge", "stone_bridge")):
        yield Clause("bold_bridge")
    if kinds["ford"] and tables["ford"].move == "stop":
        yield Clause("ford_stop")
    forests, hills, marshes = (of.number(ground.__eq__) for ground in ("forest", "hill", "marsh"))
    if forests >= A_FEW and hills >= A_FEW:
        yield Clause("woods_hills", {"n": forests, "m": hills}, "woods")
    elif forests >= A_FEW:
        yield Clause("woods", {"n": forests})
    elif hills >= A_FEW:
        yield Clause("hills", {"n": hills})
    if marshes >= A_FEW:
        yield Clause("marsh", {"n": marshes})
    if set(of.board.ground.values()) == {"countryside"} and not of.board.features:
        yield Clause("open", {}, "open_sight")
    yield from _distance(of)


def _end(of: Facts) -> Iterator[Clause]:
    """Yield how the battle is won."""
    battle = of.battle
    wins = {camp: battle.banners_of(camp) for camp in SIDES}
    values = {"first": side_name(battle.first)}
    if len(set(wins.values())) == 1:
        yield Clause("win", values | {"n": wins["pennant"]})
    else:
        yield Clause("win_each", values | _camps() | {"n": wins["pennant"], "m": wins["standard"]}, "win")
    yield Clause("destroyed")
    hands = {battle.hand_of(camp) for camp in SIDES}
    if len(hands) == 1:
        yield Clause("hands", {"n": hands.pop()})
