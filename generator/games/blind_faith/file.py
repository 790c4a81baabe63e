"""Read and write a Blind Faith scenario as TOML (docs/formats/blind_faith_scenario.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict, replace

from generator.common.interpretations import stated_choices
from generator.common.scenario_file import (
    NAMELESS,
    Body,
    FileReader,
    PlayTexts,
    Short,
    UnitName,
    accompanying_file,
    log_lines,
    steps,
    text_lines,
)
from generator.errors import DataError, near
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.ground import (
    BY_HAND,
    RANDOM,
    MapForm,
    OpMap,
    format_units,
    house_maps,
    load_map,
    map_lines,
    picture,
    read_map,
    sound,
    words,
)
from generator.games.blind_faith.interception import barred, chances, defenders
from generator.games.blind_faith.model import OTHER, PREFIX, Battle, March, Routed, Scenario, Siege, Stack, numbers
from generator.games.blind_faith.tables import SIDES, Pack, Side, UnitLine, load_pack, switches
from generator.grid.hexes import Hex
from generator.localization import tr
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import text
from generator.notation.text import find_word
from generator.notation.toml import Source
from generator.notation.validation import KeyPath

STACKS, PATH, UNITS = 40, 60, 99
"""Maximum numbers of stacks, hexes in a path and units of a class, which refuse a huge file at once."""

Units = dict[str, Annotated[int, msgspec.Meta(ge=1, le=UNITS)]]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99)]


class _Play(PlayTexts, frozen=True, forbid_unknown_fields=True):
    """The conditions of play."""

    title: Words | str
    """The title of the battle, in both languages or as one string for both."""
    turn: Turn = 1
    """The turn to play."""
    points: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    """The maximum points of each side's stacks; 0 for no limit."""
    crusade: bool = False
    """Whether there is a papal crusade."""
    legates: tuple[Short, ...] | None = None
    """The legates not drawn yet, beginning with the next to be drawn; the default is all legates not on the map."""


class _Map(MapForm, frozen=True, forbid_unknown_fields=True):
    """The map: drawn in the file, or the name of a map whose terrain is used."""

    rows: str = ""
    """One symbol for each hex, separated by spaces, the far row first. The default is the rows of the named map."""
    map: Short = BY_HAND
    """The name of a shipped map, or the file named in `[muster.files]`; with `rows`, the name is only a label."""


class _Stack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stack of units on a hex."""

    hex: Short
    """The hex of the stack or fight."""
    units: Units
    """The number of units of each class of the pack."""
    id: Short = ""
    """The stack's id; the default is `H1`, `H2` … or `C1`, `C2` …, in order."""
    leader: Short = ""
    """The leader of the stack."""
    legate: Short = ""
    """The papal legate whose marker is with the stack."""
    name: UnitName = ""
    """The owner's name for the stack, at most 24 characters in each language."""


class _Routed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that were routed before this turn."""

    units: Units
    """The number of units of each class."""
    back: Turn
    """The turn in whose reinforcement phase the units return."""


class _Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side of the scenario."""

    stacks: Annotated[tuple[_Stack, ...], msgspec.Meta(min_length=1, max_length=STACKS)]
    """The stacks of the side."""
    army: Short = ""
    """The army from which the side's units were drawn."""
    routed: Annotated[tuple[_Routed, ...], msgspec.Meta(max_length=STACKS)] = ()
    """The side's units that were routed before."""


class _March(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The march of a stack."""

    path: Annotated[tuple[Short, ...], msgspec.Meta(max_length=PATH)]
    """The declared path of the march, from the hex of the stack."""
    stack: Short = ""
    """The id of the stack that marches; the default is the stack on the first hex of the path."""


class _Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side's formation in a battle."""

    front: Units = {}
    """The numbers of units in the front boxes, by class."""
    reserve: Units | None = None
    """The numbers of units in reserve, by class; the default is all other units that fight."""


class _Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle after an interception."""

    attack: _Force | None = None
    """The attacker's formation. It may be left out if all units fit into the boxes or all are of one class."""
    defence: _Force | None = None
    """The defender's formation. It may be left out if there is only one unit."""
    hex: Short = ""
    """The hex of the battle; the default is the last hex of the march."""
    defender: Short = ""
    """The stack that intercepts; the default is the enemy stack on the hex, or the only stack that arrives first."""


class _Siege(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The siege of a town, city or castle."""

    besieger: Short = ""
    """The besieging stack. By default, this is the only stack on an enemy's hex that has the units in the boxes."""
    garrison: Short = ""
    """The stack inside the place; the default is the enemy stack on the besieger's hex."""
    wall: Short = ""
    """The kind of wall; the default is the wall of the besieged place."""
    bombard: Units = {}
    """The units that bombard in the first round, by class."""
    storm: Units = {}
    """The units that storm in the first round, by class."""
    reserve: Units | None = None
    """The units in reserve, by class; the default is all units that neither bombard nor storm."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a scenario file."""

    play: _Play
    """The conditions of play."""
    map: _Map
    """The map."""
    hussite: _Side
    """The Hussites."""
    crusader: _Side
    """The crusaders."""
    march: _March | None = None
    """The march."""
    battle: _Battle | None = None
    """The battle that results from the march."""
    siege: _Siege | None = None
    """A siege, instead of a march. Without a march and a siege, the scenario is a position."""


def write(scenario: Scenario) -> str:
    """Return the text of the scenario file, without its head."""
    name = scenario.op_map.name
    head: dict[str, object] = {"title": asdict(scenario.title), "turn": scenario.turn}
    head |= {"points": scenario.points, "crusade": scenario.crusade, "legates": scenario.legates}
    lines = ["[play]", *text.lines(head), *text_lines(scenario.texts)]
    lines += ["", "[map]", *text.lines({"map": scenario.map}), *map_lines(scenario.op_map, "map")]
    lines += ["", "[rulings]", *text.lines(stated_choices(switches(), scenario.rulings))]
    for side in SIDES:
        lines += ["", f"[{side}]", *text.lines({"army": scenario.armies[side]}), "stacks = ["]
        for stack in scenario.stacks:
            if stack.side == side:
                row: dict[str, object] = {"id": stack.id, "hex": name(stack.hex), "units": Counter(stack.units)}
                row |= {key: word for key, word in (("leader", stack.leader), ("legate", stack.legate)) if word}
                row |= {"name": asdict(stack.name)} if stack.name != NAMELESS else {}
                lines.append(f"  {text.value(row)},")
        lines.append("]")
        routed = [{"units": Counter(r.units), "back": r.back} for r in scenario.routed if r.side == side]
        lines += text.lines({"routed": routed}) if routed else []
    if march := scenario.march:
        lines += ["", "[march]", *text.lines({"stack": march.stack, "path": [name(cell) for cell in march.path]})]
    if battle := scenario.battle:
        table: dict[str, object] = {"hex": name(battle.hex), "defender": battle.defender}
        for key, force in (("attack", battle.attack), ("defence", battle.defence)):
            table[key] = {"front": Counter(force.front), "reserve": Counter(force.reserve)}
        lines += ["", "[battle]", *text.lines(table)]
    if siege := scenario.siege:
        table = {"besieger": siege.besieger, "garrison": siege.garrison, "wall": siege.wall}
        boxes = {"bombard": siege.bombard, "storm": siege.storm, "reserve": siege.reserve}
        lines += ["", "[siege]", *text.lines(table | {key: Counter(units) for key, units in boxes.items()})]
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def file_line(key: str, value: object) -> str:
    """Return a line of the file with this key and value."""
    return "\n".join(text.lines({key: value}))


def units_line(key: str, units: Iterable[str]) -> str:
    """Return the line that lists units by class; empty if there are no units."""
    counts = Counter(units)
    return file_line(key, counts) if counts else ""


def force_line(line: Callable[[Iterable[str]], UnitLine], key: str, force: Force) -> str:
    """Return the line for a side's formation in a battle."""
    return file_line(key, {"front": Counter(line(force.front)), "reserve": Counter(line(force.reserve))})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Read a scenario file.

    Raises DataError with every fault and its line.
    """
    body = source.read(ScenarioFile)
    op_map = _op_map(body.map, origin, folder, source)
    pack = load_pack(accompanying_file("pack", origin, folder, source))
    reading = _Reading(source, op_map, pack)
    tables = dict(zip(SIDES, (body.hussite, body.crusader), strict=True))
    of = {side: reading.stacks(side, table) for side, table in tables.items()}
    reading.once(((side, "stacks", i, "id"), stack.id) for side in of for i, stack in enumerate(of[side]))
    stacks = tuple(stack for stacks_of_side in of.values() for stack in stacks_of_side)
    rulings = reading.rulings(body.rulings, switches())
    march = reading.march(body.march, stacks)
    scenario = Scenario(
        origin=origin,
        title=reading.title(body.play.title),
        map=find_word(body.map.map, (*house_maps(), RANDOM, BY_HAND)) or body.map.map,
        op_map=op_map,
        pack=pack,
        rulings=rulings,
        turn=body.play.turn,
        points=body.play.points,
        armies={side: reading.army(side, table) for side, table in tables.items()},
        stacks=stacks,
        crusade=body.play.crusade,
        legates=reading.pile(body.play.legates, stacks),
        routed=tuple(routed for side, table in tables.items() for routed in reading.routed(side, table)),
        march=march,
        battle=reading.battle(body.battle, march, stacks, rulings),
        siege=reading.siege(body.siege, stacks),
        log=steps(reading, body.log, SIDES),
        texts=body.play.texts,
        follows=tuple(reading.follows),
    )
    if body.march and body.siege:
        reading.fault(("siege",), tr("a file with [march] must not have [siege]"))
    if body.battle and not body.march:
        reading.fault(("battle",), tr("[battle] needs a [march] that is intercepted"))
    reading.done()
    return scenario


def _op_map(table: _Map, origin: Origin, folder: Path, source: Source) -> OpMap:
    """Return the map that is drawn or named in the file, with the places that the file adds."""
    if table.rows:
        return read_map(table, source, ("map",))
    known = {name: of.ground for name, of in house_maps().items()}
    user_map = accompanying_file("map", origin, folder, source)
    if user_map is not None and table.map in (BY_HAND, user_map.name):
        known[table.map] = load_map(user_map).ground
    name = find_word(table.map, known)
    if name is None:
        no_map = tr("there is no map named {map!r}, and `rows` is missing", map=table.map)
        lacking = tr("`{key}` is missing", key="rows")
        problem = lacking if table.map == BY_HAND else no_map
        raise DataError(source.problem(("map", "map"), problem, near(table.map, known)))
    of = known[name]
    added = read_map(MapForm(picture(of), table.places), source, ("map",)).places
    places = {**of.places, **added}
    return replace(of, places={cell: places[cell] for cell in of.field.cells if cell in places})


class _Reading(FileReader):
    """Reader of a scenario file."""

    def __init__(self, source: Source, op_map: OpMap, pack: Pack) -> None:
        super().__init__(source)
        self.op_map, self.pack = op_map, pack
        self.follows: list[Words] = []
        """The values that the file leaves out and how they follow from the rest."""

    def known(self, at: KeyPath, what: str, word: str, accepted: Iterable[str]) -> str:
        """Return the accepted word that a word of the file stands for. Report a fault if there is none."""
        accepted = list(accepted)
        found = find_word(word, accepted)
        if found is None:
            self.fault(at, tr("there is no {what} named {word!r}", what=what, word=word), near(word, accepted))
        return word if found is None else found

    def hex(self, at: KeyPath, name: str) -> Hex:
        """Return the hex with this name. If there is none, report a fault and return an arbitrary hex."""
        return self.cell(at, name, self.op_map.field, tr("hex")) or self.op_map.field.cells[0]

    def line(self, at: KeyPath, units: Mapping[str, int]) -> UnitLine:
        """Return the line of units given as numbers of each class."""
        counts = [
            (self.known((*at, raw), tr("unit class"), raw, self.pack.units), count) for raw, count in units.items()
        ]
        return self.pack.line(unit for unit, count in counts if unit in self.pack.units for _ in range(count))

    def stack_id(self, at: KeyPath, name: str, stacks: tuple[Stack, ...]) -> str:
        """Return the id of a stack. Report it if there is no such stack."""
        ids = [stack.id for stack in stacks]
        return self.known(at, tr("stack"), self.named_unit(name, ids), ids)

    def stacks(self, side: Side, table: _Side) -> list[Stack]:
        """Return the stacks of a side."""
        found = []
        for i, row in enumerate(table.stacks):
            at = (side, "stacks", i)
            leader = row.leader and self.known((*at, "leader"), tr("leader"), row.leader, numbers().leaders)
            legates = [legate.id for legate in self.pack.legates]
            legate = row.legate and self.known((*at, "legate"), tr("legate"), row.legate, legates)
            id_, stack_name = self.unit_id(at, row.id, f"{PREFIX[side]}{i + 1}", row.name)
            cell, units = self.hex((*at, "hex"), row.hex), self.line((*at, "units"), row.units)
            found.append(Stack(id_, side, cell, units, leader, legate, stack_name))
        return found

    def army(self, side: Side, table: _Side) -> str:
        """Return the army from which the side's units were chosen.

        By default it is the army with all classes of the side.
        """
        army_ids = [army.id for army in numbers().army if army.side == side]
        return self.known((side, "army"), tr("army"), table.army, army_ids) if table.army else army_ids[-1]

    def routed(self, side: Side, table: _Side) -> list[Routed]:
        """Return the routed units of a side."""
        at: KeyPath = (side, "routed")
        return [Routed(side, self.line((*at, i, "units"), r.units), r.back) for i, r in enumerate(table.routed)]

    def pile(self, names: tuple[str, ...] | None, stacks: tuple[Stack, ...]) -> tuple[str, ...]:
        """Return the pile of legates in order. By default it contains all legates that are not on the map."""
        known = [legate.id for legate in self.pack.legates]
        placed = {stack.legate for stack in stacks}
        if names is None:
            return tuple(name for name in known if name not in placed)
        return tuple(self.known(("play", "legates"), tr("legate"), name, known) for name in names)

    def march(self, table: _March | None, stacks: tuple[Stack, ...]) -> March | None:
        """Return the march."""
        if table is None:
            return None
        path = tuple(self.hex(("march", "path"), name) for name in table.path)
        there = [stack for stack in stacks if stack.hex in path[:1]]
        marching = self._only("march", "stack", table.stack, there, stacks)
        if not table.stack and len(there) == 1:
            self._note_derived("marches", stack=there[0].label, hex=self.op_map.name(there[0].hex))
        return March(marching, path)

    def battle(
        self, table: _Battle | None, march: March | None, stacks: tuple[Stack, ...], rulings: Mapping[str, str]
    ) -> Battle | None:
        """Return the battle. Missing values are derived from the march and from the stacks that can intercept."""
        if table is None or march is None:
            return None
        cell = self.hex(("battle", "hex"), table.hex) if table.hex else (self.op_map.field.cells[0], *march.path)[-1]
        attacker = next((stack for stack in stacks if stack.id == march.stack), None)
        able = self._able(cell, march, attacker, stacks, rulings) if attacker and not table.defender else []
        defender = self._only("battle", "defender", table.defender, able, stacks)
        interceptor = next((stack for stack in stacks if stack.id == defender), None)
        if interceptor and not (table.defender and table.hex):
            self._note_derived("meets", stack=interceptor.label, hex=self.op_map.name(cell))
        attack = self._force("attack", table.attack, attacker, attacker.units if attacker else (), self.pack.boxes)
        defence = self._force(
            "defence", table.defence, interceptor, defenders(self.pack, interceptor, cell) if interceptor else (), 1
        )
        return Battle(cell, defender, attack, defence)

    def _able(
        self, cell: Hex, march: March, attacker: Stack, stacks: tuple[Stack, ...], rulings: Mapping[str, str]
    ) -> list[Stack]:
        """Return the stacks on a hex or, if there are none, those that can intercept there."""
        here = [stack for stack in stacks if stack.side != attacker.side and stack.hex == cell]
        if here or not sound(self.op_map, march.path):
            return here
        held = barred(rulings, stacks, OTHER[attacker.side], march.stack)
        found = chances(self.op_map, self.pack, attacker.side, march.path, stacks, held)
        first = {c.stack for c in found if (c.hex, c.verdict) == (cell, "intercepts")}
        return [stack for stack in stacks if stack.id in first]

    def _only(self, table: str, key: str, name: str, able: list[Stack], stacks: tuple[Stack, ...]) -> str:
        """Return the stack that the file names, or the only possible stack."""
        if name:
            return self.stack_id((table, key), name, stacks)
        if len(able) != 1:
            self.fault((table,), tr("`{key}` is missing", key=key), near("", [stack.id for stack in able]))
            return stacks[0].id
        return able[0].id

    def _force(self, key: str, table: _Force | None, stack: Stack | None, fight: UnitLine, boxes: int) -> Force:
        """Return a side's formation. By default, all units that fight but are not in the front are in reserve.

        A missing front is permitted only if there is no choice: there are no more units than boxes, or the
        attacker's units are all of one class.
        """
        if table is None:
            drawn = Force(fight[:boxes], fight[boxes:])
            if drawn.reserve and (key == "defence" or len(set(fight)) > 1):
                line = force_line(self.pack.line, key, drawn)
                self.fault(("battle",), tr("`{key}` is missing", key=key), tr("for example {example}", example=line))
            elif stack and fight:
                self._note_derived("front", stack=stack.label, units=format_units(self.pack, drawn.front))
            return Force(drawn.front, self._rest(stack, fight, drawn.front))
        front = self.line(("battle", key, "front"), table.front)
        if table.reserve is not None:
            return Force(front, self.line(("battle", key, "reserve"), table.reserve))
        return Force(front, self._rest(stack, fight, front))

    def _rest(self, stack: Stack | None, units: UnitLine, placed: Iterable[str]) -> UnitLine:
        """Return the units of a stack that are not placed."""
        rest = self.pack.line((Counter(units) - Counter(placed)).elements())
        if stack and rest:
            self._note_derived("reserve", stack=stack.label, units=format_units(self.pack, rest))
        return rest

    def _note_derived(self, what: str, **values: object) -> None:
        self.follows.append(words()["follows"][what].fill(**values))

    def siege(self, table: _Siege | None, stacks: tuple[Stack, ...]) -> Siege | None:
        """Return the siege. Missing values are derived from the hexes of the stacks."""
        if table is None:
            return None
        besieger = self._besieger(table, stacks)
        before = next((stack for stack in stacks if stack.id == besieger), None)
        within = [s for s in stacks if before and s.side != before.side and s.hex == before.hex]
        garrison = self._only("siege", "garrison", table.garrison, within, stacks)
        if not table.garrison and len(within) == 1:
            self._note_derived("garrison", stack=within[0].label, hex=self.op_map.name(within[0].hex))
        wall = self._wall(table, garrison, stacks)
        boxes = {"bombard": table.bombard, "storm": table.storm, "reserve": table.reserve or {}}
        lines = {key: self.line(("siege", key), units) for key, units in boxes.items()}
        if table.reserve is None and not table.bombard and not table.storm:
            if before:
                self._note_derived("boxes", stack=before.label)
        elif table.reserve is None and before:
            lines["reserve"] = self._rest(before, before.units, (*lines["bombard"], *lines["storm"]))
        return Siege(besieger, garrison, wall, **lines)

    def _besieger(self, table: _Siege, stacks: tuple[Stack, ...]) -> str:
        """Return the besieging stack that the file names, or the only possible one."""
        if table.besieger:
            return self.stack_id(("siege", "besieger"), table.besieger, stacks)
        boxes: Counter[str] = Counter()
        for units in (table.bombard, table.storm, table.reserve or {}):
            boxes.update({find_word(raw, self.pack.units) or raw: count for raw, count in units.items()})
        pairs = [(s, foe) for s in stacks for foe in stacks if foe.side != s.side and foe.hex == s.hex]
        pairs = [(s, foe) for s, foe in pairs if table.garrison in ("", foe.id) and not boxes - Counter(s.units)]
        able = list({s.id: s for s, _ in pairs}.values())
        if len(able) == 1:
            self._note_derived("besieges", stack=able[0].label, hex=self.op_map.name(able[0].hex))
        return self._only("siege", "besieger", "", able, stacks)

    def _wall(self, table: _Siege, garrison: str, stacks: tuple[Stack, ...]) -> str:
        """Return the kind of wall. The default is the wall of the garrison's place."""
        walls = {wall.id: wall.name for wall in self.pack.walls}
        if table.wall:
            return self.known(("siege", "wall"), tr("kind of wall"), table.wall, walls)
        held = next((self.op_map.places.get(stack.hex) for stack in stacks if stack.id == garrison), None)
        if held is None or held.what.wall not in walls:
            self.fault(("siege",), tr("`{key}` is missing", key="wall"), near("", walls))
            return table.wall
        self._note_derived("wall", place=held.name, wall=walls[held.what.wall])
        return held.what.wall
