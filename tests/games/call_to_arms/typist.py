"""A simulated user who writes legal Call to Arms files from the shipped decks and boxes.

The decks and boxes are read as TOML, without code of the generator. The user deploys in any order that the rules
allow, writes only the required keys, and shuffles the rows.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.typo import Typo

DATA = Path(__file__).resolve().parents[3] / "data"
DECK = tomllib.loads((DATA / "call_to_arms" / "deck.toml").read_text("utf-8"))
POOL = tomllib.loads((DATA / "battlelore" / "pool.toml").read_text("utf-8"))
BANNERS = {"G": "green", "B": "blue", "R": "red"}
WEAPONS = {"S": "short_sword", "L": "long_sword", "C": "common_bow", "X": "crossbow"}
RACES = {"H": "human", "D": "dwarf", "G": "goblin"}
LONG = {"battlelore": 12, "memoir": 13}
SHARED = {"battlelore": (3, 7), "memoir": (3, 8)}
FIRST = {"battlelore": (0, 4, 8), "memoir": (0, 4, 9)}
PLACES = ("left", "centre", "right")
SEATS = ("commander", "warrior", "wizard", "cleric", "rogue")
MEDIEVAL = ("archers_stakes", "bow_upgrade", "forced_enrollment", "dwarven_mercenaries", "vantage_point")
Cell = tuple[int, int]
"""Column and row, both starting at 0, from the Pennant player's left and baseline."""


class Man(NamedTuple):
    """A unit from a card."""

    kind: str
    at: Cell | None
    card: str
    cell: str
    placed: str
    levy: bool = False


def printed(camp: str, key: str) -> list[tuple[str, int, int]]:
    """Return the units of a card as tuples of kind, column and row from the baseline."""
    key, _, other = key.partition("/")
    [card] = [c for c in DECK["card"] if (c["camp"], c["key"]) == (other or camp, key)]
    lines = [line.split() for line in card["cells"].strip().splitlines()]
    return [
        (f"{BANNERS[cell[0]]} {WEAPONS[cell[1]]} {RACES[(cell + 'H')[2]]}", column, 3 - row)
        for row, line in enumerate(lines)
        for column, cell in enumerate(line)
        if set(cell) != {"-"}
    ]


class Field:
    """A random board with wood, hills and water."""

    def __init__(self, random: Random) -> None:
        self.profile = random.choice(list(LONG))
        self.rows = [LONG[self.profile] - row % 2 for row in range(9)]
        cells = [(column, row) for row, length in enumerate(self.rows) for column in range(length)]
        near = [cell for cell in cells if cell[1] in (0, 1, 2, 6, 7, 8)]
        self.ground = dict.fromkeys(cells, ".") | dict.fromkeys(random.sample(cells, 12), "f")
        self.ground |= dict.fromkeys(random.sample(cells, 6), "h")
        self.ground |= dict.fromkeys(random.sample(near, random.randrange(16)), "~")

    def passable(self, cell: Cell) -> bool:
        return self.ground[cell] != "~"

    def text(self) -> str:
        rows = [" ".join(self.ground[column, row] for column in range(n)) for row, n in enumerate(self.rows)]
        return "\n".join(reversed(rows))

    def seen(self, camp: str, column: int, row: int) -> Cell:
        """Convert a column and row, as counted by a player, to a hex."""
        if camp == "pennant":
            return column, row
        return self.rows[8 - row] - 1 - column, 8 - row

    def section(self, camp: str, place: str, row: int) -> list[Cell]:
        """Return a section's hexes in one of the player's rows, without hexes shared by two sections."""
        i, (a, b) = PLACES.index(place), SHARED[self.profile]
        long = LONG[self.profile]
        if row % 2:
            columns = ((0, a), (a + 1, b), (b + 1, long - 1))[i]
        else:
            columns = ((0, 4), (4, long - 4), (long - 4, long))[i]
        return [self.seen(camp, column, row) for column in range(*columns)]


def name(cell: Cell | None) -> str:
    return f"{'ABCDEFGHIJKLM'[cell[0]]}{cell[1] + 1}" if cell else "-"


def steps(a: Cell, b: Cell) -> int:
    """Return the distance between two hexes in steps."""
    (x, r), (y, s) = a, b
    q, p = x - r // 2, y - s // 2
    return max(abs(q - p), abs(r - s), abs(q - p + r - s))


class Camp:
    """A player's cards, box and units."""

    def __init__(self, random: Random, field: Field, camp: str, keys: list[str], *, near: bool) -> None:
        self.random, self.field, self.camp, self.near = random, field, camp, near
        self.cards, self.reserve = dict(zip(PLACES, keys[:3], strict=True)), keys[3]
        self.men: list[Man] = []
        self.figures, self.banners, self.tokens = Counter[Any](), Counter[Any](), Counter[str]()

    def take(self, kind: str, at: Cell, card: str, cell: str, placed: str) -> None:
        """Place a unit with figures from the box or with a levy token, or record the unit as lost."""
        colour, weapon, race = kind.split()
        size = 3 if weapon == "long_sword" else 4
        box = POOL[self.camp]
        there = box["figures"].get(race, {}).get(weapon, 0) - self.figures[race, weapon]
        if there >= size and box["banners"][colour].get(weapon, 0) > self.banners[colour, weapon]:
            self.figures[race, weapon] += size
            self.banners[colour, weapon] += 1
            self.men.append(Man(kind, at, card, cell, placed))
        elif self.tokens[colour] < box["levies"][colour]:
            self.tokens[colour] += 1
            self.men.append(Man(kind, at, card, cell, placed, levy=True))
        else:
            self.men.append(Man(kind, None, card, cell, "lost"))

    def free(self, cells: list[Cell]) -> list[Cell]:
        held = {man.at for man in self.men}
        return [cell for cell in cells if self.field.passable(cell) and cell not in held]

    def deploy(self, place: str) -> None:
        key, wet = self.cards[place], []
        for kind, column, row in printed(self.camp, key):
            printed_hex = self.field.seen(self.camp, FIRST[self.field.profile][PLACES.index(place)] + column, row)
            cell = f"{'abcd'[column]}{row + 1}"
            if self.field.passable(printed_hex):
                self.take(kind, printed_hex, key, cell, "card")
            else:
                wet.append((kind, printed_hex, cell))
        for kind, printed_hex, cell in wet:
            rows = range(9) if self.near else range(1)
            open_ = self.free([c for row in rows for c in self.field.section(self.camp, place, row)])
            if self.near:
                minimum = min((steps(c, printed_hex) for c in open_), default=0)
                open_ = [c for c in open_ if steps(c, printed_hex) == minimum]
            if open_:
                self.take(kind, self.random.choice(open_), key, cell, "displaced")
            else:
                self.men.append(Man(kind, None, key, cell, "lost"))

    def bring(self, maximum: int | None) -> None:
        """Bring `maximum` reserve units, or any number with None, as the first player may."""
        units = printed(self.camp, self.reserve)
        count = self.random.randrange(len(units) + 1) if maximum is None else maximum
        line = [self.field.seen(self.camp, column, 0) for column in range(LONG[self.field.profile])]
        for kind, column, row in self.random.sample(units, count):
            open_, cell = self.free(line), f"{'abcd'[column]}{row + 1}"
            if open_:
                self.take(kind, self.random.choice(open_), self.reserve, cell, "reserve")
            else:
                self.men.append(Man(kind, None, self.reserve, cell, "lost"))

    @property
    def greens(self) -> int:
        """Return the number of green banners deployed from the three cards."""
        return sum(man.kind.startswith("green") and man.at is not None for man in self.men)

    def text(self, sets: list[str], *, ids: bool, full: bool) -> str:
        rows = []
        men = self.random.sample(self.men, len(self.men))
        for number, man in enumerate(men, 1):
            row = [f'id = "{self.camp[0]}の{number}"'] if ids else []
            row += [f'hex = "{name(man.at)}"', f'unit = "{man.kind.removesuffix(" human")}"']
            if full:
                row += [f'card = "{man.card}"', f'cell = "{man.cell}"', f'placed = "{man.placed}"']
            rows.append("  { " + ", ".join([*row, *["levy = true"] * man.levy]) + " },\n")
        cards = [f'{place} = "{key}"\n' for place, key in self.cards.items()]
        head = f'[{self.camp}]\nset = "{" ".join(sets)}"\n{"".join(cards)}reserve = "{self.reserve}"\n'
        return head + "units = [\n" + "".join(rows) + "]\n"


def council(random: Random) -> str:
    """Return a war council with six levels as a line of a file."""
    while True:
        levels = [random.randrange(1, 4), *(random.randrange(4) for _ in SEATS[1:])]
        if sum(levels) == 6:
            levels_text = (f"{seat} = {level}" for seat, level in zip(SEATS, levels, strict=True) if level)
            return "council = { " + ", ".join(levels_text) + " }\n"


def legal_file(seed: int) -> str:
    """Return the text of a legal file that depends only on the seed."""
    return _legal_file(seed)[0]


def _legal_file(seed: int) -> tuple[str, dict[str, Camp]]:
    """Return the text of a legal file and its players, keyed by camp."""
    random = Random(seed)
    field = Field(random)
    organized, lore = random.random() < 0.5, random.random() < 0.5
    near, ids, full = random.random() < 0.4, random.random() < 0.3, random.random() < 0.2
    every = (
        [*"ABC"] if not organized else random.sample([f"{s}/{c}" for s in "ABC" for c in ("pennant", "standard")], 4)
    )
    camps, sets = {}, {}
    for i, camp in enumerate(("pennant", "standard")):
        chosen_sets = every[2 * i : 2 * i + 2] if organized else [random.choice(every)]
        sets[camp] = [of.removesuffix(f"/{camp}") for of in chosen_sets]
        keys = [f"{of[0]}{n}{of[1:]}" for of in sets[camp] for n in range(1, 8)]
        camps[camp] = Camp(random, field, camp, random.sample(keys, 4), near=near)
        for place in reversed(PLACES) if organized else PLACES:
            camps[camp].deploy(place)
    greens = {camp: of.greens for camp, of in camps.items()}
    tied = greens["pennant"] == greens["standard"]
    first = random.choice(list(camps)) if tied else max(greens, key=lambda camp: greens[camp])
    for camp, of in camps.items():
        of.bring(None if camp == first else 2)
    text = '[muster]\ngame = "call_to_arms"\n[play]\ntitle = "写本"\n'
    text += "" if not tied and random.random() < 0.5 else f'first = "{first}"\n'
    text += f'mode = "{"organized" if organized else "impromptu"}"\nage = "{"lore" if lore else "medieval"}"\n'
    text += 'owner = "standard"\n' if organized else ""
    profile = f'profile = "{field.profile}"\n' if random.random() < 0.5 else ""
    text += f'[board]\n{profile}rows = """\n{field.text()}\n"""\n'
    text += '[rulings]\ndisplaced = "nearest"\n' if near else ""
    picks = random.sample(MEDIEVAL, 4)
    for i, (camp, of) in enumerate(camps.items()):
        block = of.text(sets[camp], ids=ids, full=full)
        extra = council(random) if lore else ""
        extra += f"specialists = {picks[2 * i : 2 * i + 2]}\n" if organized else ""
        text += block.replace("units = [\n", extra + "units = [\n")
    if tied:
        winner, loser = "green " * 6, "red " * 6
        dice = [winner, loser] if first == "pennant" else [loser, winner]
        text += f'[[log]]\nstep = "dice"\nresult = {[faces.strip() for faces in dice]}\n'
    return text, camps


def file_with_typo(seed: int) -> Typo:
    """Return a file with one typo in the row of a unit deployed by its card.

    Units on a baseline are not used, because they may be reserves and could legally be elsewhere.
    """
    random = Random(seed)
    text = legal_file(seed)
    lines = text.splitlines()
    field = _field(text)
    rows = [n for n, line in enumerate(lines) if line.startswith("  { ") and 'hex = "-"' not in line]
    at = random.choice([n for n in rows if lines[n].split('hex = "')[1].split('"')[0][1:] not in ("1", "9")])
    was = lines[at].split('hex = "')[1].split('"')[0]
    taken = [lines[n].split('hex = "')[1].split('"')[0] for n in rows if n != at]
    kinds = ["moved", "on water", "two in a hex", "another banner", "one too many", "another card"]
    kind = random.choice([*kinds, *["one too few"] * ("nearest" not in text)])
    if kind == "another card":
        return misnamed(seed)
    free = [name(cell) for cell, ground in field.items() if ground == "." and name(cell) not in (*taken, was)]
    names: tuple[str, ...]
    if kind in ("moved", "on water", "two in a hex"):
        wet = [name(cell) for cell, ground in field.items() if ground == "~"]
        to = random.choice({"moved": free, "on water": wet or free, "two in a hex": taken}[kind])
        lines[at] = lines[at].replace(f'hex = "{was}"', f'hex = "{to}"')
        names = (to,)
    elif kind == "another banner":
        banner = lines[at].split('unit = "')[1].split()[0]
        other = random.choice([colour for colour in BANNERS.values() if colour != banner])
        lines[at] = lines[at].replace(f'unit = "{banner}', f'unit = "{other}')
        names = (was,)
    elif kind == "one too many":
        to = random.choice(free)
        lines.insert(at, f'  {{ hex = "{to}", unit = "red long_sword" }},')
        names = (to,)
    else:
        del lines[at]
        names = (was,)
    found = [n for n, line in enumerate(lines, 1) if kind != "one too few" and f'hex = "{names[0]}"' in line]
    return Typo("\n".join(lines) + "\n", kind, tuple(found), names)


def misnamed(seed: int) -> Typo:
    """Return a file that names a wrong card, perhaps one already in play, for units of the right card.

    A card is used only if at least three of its units, or two reserves, are on their hexes. Fewer do not identify
    a card.
    """
    random = Random(seed)
    text, camps = _legal_file(seed)
    lines, there = text.splitlines(), []
    for camp, of in camps.items():
        for place, key in {**of.cards, "reserve": of.reserve}.items():
            men = sum(man.at is not None and man.card == key and man.placed in ("card", "reserve") for man in of.men)
            there += [(camp, place, key)] * (men > 2 or (men == 2 and place == "reserve"))
    camp, place, key = random.choice(there)
    at = lines.index(f'{place} = "{key}"', lines.index(f"[{camp}]"))
    wrong = random.choice([n for n in range(1, 8) if str(n) != key[1]])
    lines[at] = f'{place} = "{key[0]}{wrong}{key[2:]}"'
    return Typo("\n".join(lines) + "\n", "another card", (at + 1,), (key,))


def _field(text: str) -> dict[Cell, str]:
    """Return the terrain of each hex in a file."""
    rows = tomllib.loads(text)["board"]["rows"].strip("\n").splitlines()
    return {(c, r): ground for r, row in enumerate(reversed(rows)) for c, ground in enumerate(row.split())}
