"""A short text that describes a battle from its map.

The text names the opponents and the terrain between them. It adds one unusual fact: an occupied crossing, high
ground, many mounted units or bows, or the distance between the lines. Several wordings exist for each fact, and the
battle determines which wording is used.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from generator.common.tables import numeral, reachable
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SIDES, Board, Side, side_name, words
from generator.games.battlelore.model import COMMON_RACE, OTHER, Battle
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, distance
from generator.model.words import Words, joined

HEAVIER = 0.25
"""Minimum difference in mean dice per unit for an army to be described as heavier."""
MORE = 3
"""Minimum difference in the number of mounted units or bows that is mentioned."""
_THINGS = ("", "ひとつ", "ふたつ", "みっつ", "よっつ", "いつつ", "むっつ", "ななつ", "やっつ", "ここのつ")


def counted(n: int, name: Words) -> Words:
    """Return a count and a noun in words, such as `two fords`."""
    things = _THINGS[n] if n < len(_THINGS) else numeral(n).ja
    return Words(f"{numeral(n).en} {name.en.lower()}{'' if n == 1 else 's'}", f"{name.ja}{things}")


def _listed(things: Sequence[Words]) -> Words:
    """Return the items as a list for the middle of a sentence."""
    if len(things) < 3:
        return joined(things, " and ", "と")
    return joined([joined(things[:-1]), things[-1]], " and ", "、")


def briefing(battle: Battle) -> Words:
    """Return a description of the battle in English and Japanese, never empty."""
    texts, of = words()["brief"], _Facts(battle)
    alone = [camp for camp in SIDES if of.units[camp]]
    if len(alone) < len(SIDES):
        return texts["alone"].fill(camp=side_name(alone[0])) if alone else texts["empty"]
    text = joined([_opening(of), of.chosen(_happenings(of))], "; ", "。")
    return Words(f"{text.en[0].upper()}{text.en[1:]}.", f"{text.ja}。")


class _Facts:
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

    def heavier(self) -> Side | None:
        """Return the camp whose units have clearly more dice on average, or None."""
        mean = {camp: sum(unit.kind.dice for _, unit in of) / len(of) for camp, of in self.units.items()}
        best = max(SIDES, key=mean.__getitem__)
        return best if mean[best] - mean[OTHER[best]] >= HEAVIER else None

    def beyond(self, camp: Side) -> int:
        """Return the number of a camp's units on the enemy's side of a river."""
        return sum(cell in self.banks[OTHER[camp]] for cell, _ in self.units[camp]) if self.parted else 0

    def chosen(self, shapes: Iterable[Words]) -> Words:
        """Return one of several wordings.

        The choice varies between battles but is always the same for a given battle.
        """
        shapes = list(shapes)
        stand = (f"{unit.id}{cell.q},{cell.r}" for of in self.units.values() for cell, unit in of)
        return shapes[zlib.crc32(" ".join(stand).encode()) % len(shapes)]


def _bank(board: Board, camp: Side) -> set[Hex]:
    starts = (cell for cell in board.plan.baseline(camp) if _dry(board, cell))
    return {
        cell for cell, _ in reachable(starts, lambda at: (n for n in board.field.neighbours(at) if _dry(board, n)))
    }


def _dry(board: Board, cell: Hex) -> bool:
    return board.passable(cell) and not board.terrain(cell).crossing


def _armies(of: _Facts, *, name_camps: bool) -> tuple[Words, Words]:
    """Return descriptions of the armies, such as `sixteen heavier units`, the first player's first.

    If `name_camps` is True, the descriptions include the names of the camps.
    """
    texts, heavy = words()["brief"], of.heavier()
    first = of.battle.first
    found = []
    for camp, head in ((first, "units"), (OTHER[first], "ones")):
        weight = "heavy" if camp == heavy else "light" if heavy else "even"
        count = len(of.units[camp])
        # `fill` uses the singular for the number 1 only if it is a digit.
        text = texts[f"{weight}_{head}"].fill(n=numeral(count) if count > 1 else count)
        found.append(texts["of_camp"].fill(camp=side_name(camp), army=text) if name_camps else text)
    if not name_camps and not heavy and len(of.units[first]) == len(of.units[OTHER[first]]):
        found[1] = texts["as_many"]
    return found[0], found[1]


def _opening(of: _Facts) -> Words:
    """Return a sentence on the opponents and the terrain between them."""
    texts, tables = words()["brief"], lore().terrain
    kinds = Counter(of.board.ground[cell] for cell in of.crossings)
    ground = _ground(of.board)
    over = _listed([counted(kinds[name], tables[name].name) for name in tables if kinds[name]] or ground)
    if of.parted:
        force = ["force"] if not of.beyond(of.battle.first) else []
        shapes = ["parts", "meet_river", *force, *(["single"] if len(of.crossings) == 1 else [])]
    elif of.crossings:
        shapes = ["river", "river_named"]
    else:
        shapes = ["attack", "amid", "amid_named"] if ground else ["open", "open_named"]
    filled = []
    for shape in shapes:
        # Some wordings name the camps. The others identify the armies by number and weight.
        first, second = _armies(of, name_camps=shape.endswith("_named") or shape == "parts")
        filled.append(texts[shape].fill(first=first, second=second, over=over))
    return of.chosen(filled)


def _ground(board: Board) -> list[Words]:
    """Return the two most common terrains of the board; empty for an open board."""
    texts, count = words()["brief_ground"], Counter(board.ground.values())
    common = [name for name, _ in count.most_common() if name in texts][:2]
    return [texts[name] for name in common]


def _happenings(of: _Facts) -> list[Words]:
    """Return all unusual facts of the first kind that applies to this battle."""
    sorts: tuple[Callable[[_Facts], Iterator[Words]], ...] = (_held, _high, _many, _near)
    return next(found for sort in sorts if (found := list(sort(of))))


def _held(of: _Facts) -> Iterator[Words]:
    """Yield sentences about camps that occupy a crossing or have units beyond the river."""
    texts, field = words()["brief"], of.board.field
    held = {
        camp: [(cell, unit) for cell, unit in sorted(on, key=lambda at: field.column(at[0])) if cell in of.crossings]
        for camp, on in of.units.items()
    }
    holders = [camp for camp in SIDES if held[camp]]
    places = {camp: _listed([_place(of, cell) for cell, _ in held[camp]]) for camp in holders}
    if len(holders) > 1:
        values = {camp: side_name(camp) for camp in SIDES} | {f"at_{camp}": places[camp] for camp in SIDES}
        yield texts["held_both"].fill(**values)
    elif holders:
        (camp,) = holders
        yield texts["held"].fill(camp=side_name(camp), place=places[camp])
        races = {unit.kind.race for _, unit in held[camp]}
        if len(held[camp]) == 1 and COMMON_RACE not in races:
            race = lore().races[races.pop()].name
            (cell, _), *_ = held[camp]
            on = "wet" if of.board.terrain(cell).move == "stop" else "on"
            yield texts[f"stand_{on}"].fill(race=race.low, camp=side_name(camp), place=places[camp])
    for camp in SIDES:
        if count := of.beyond(camp):
            text = texts["beyond_one" if count == 1 else "beyond"]
            yield text.fill(camp=side_name(camp), n=numeral(count))


def _place(of: _Facts, cell: Hex) -> Words:
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


def _high(of: _Facts) -> Iterator[Words]:
    """Yield sentences about camps with a unit on a landmark or with more units on high ground."""
    texts = words()["brief"]
    high = {camp: [c for c, _ in on if of.board.terrain(c).height] for camp, on in of.units.items()}
    for camp in SIDES:
        if any(of.board.ground[cell] == "landmark" for cell, _ in of.units[camp]):
            yield texts["landmark"].fill(camp=side_name(camp), name=lore().terrain["landmark"].name.low)
        if len(high[camp]) > max(1, len(high[OTHER[camp]])):
            yield texts["high"].fill(camp=side_name(camp), n=numeral(len(high[camp])))


def _many(of: _Facts) -> Iterator[Words]:
    """Yield a sentence about a camp that has many more mounted units or bows."""
    texts = words()["brief"]
    counts: Sequence[tuple[str, Callable[[Unit], bool]]] = (
        ("mounted", lambda unit: unit.kind.arm == "mounted"),
        ("bows", lambda unit: unit.kind.bow),
    )
    for name, holds in counts:
        has = {camp: sum(holds(unit) for _, unit in on) for camp, on in of.units.items()}
        larger = max(SIDES, key=has.__getitem__)
        if has[larger] - has[OTHER[larger]] >= MORE:
            text = texts[name if has[OTHER[larger]] else f"{name}_only"]
            other = side_name(OTHER[larger])
            yield text.fill(
                camp=side_name(larger), n=numeral(has[larger]), other=other, m=numeral(has[OTHER[larger]])
            )


def _near(of: _Facts) -> Iterator[Words]:
    """Yield a sentence about the distance between the lines. It applies to every battle."""
    texts = words()["brief"]
    apart = min(distance(a, b) for a, _ in of.units["pennant"] for b, _ in of.units["standard"])
    yield texts["touch"] if apart == 1 else texts["apart"].fill(n=numeral(apart))
