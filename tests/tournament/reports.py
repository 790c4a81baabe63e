"""Generate random reports in FIDE's format (TRF16) by column positions, without code of the reader."""

from __future__ import annotations

import random
from typing import NamedTuple


class Report(NamedTuple):
    """A report, and the facts about each of its rounds."""

    text: str
    names: list[str]
    meetings: list[set[frozenset[str]]]
    """Pairs that met in each round."""
    full: list[set[str]]
    half: list[set[str]]
    """Players with a bye or a forfeit win, and players with half a bye, in each round."""
    forfeits: list[set[tuple[str, str]]]
    """Winners by forfeit and their opponents in each round."""


def report(seed: int) -> Report:
    """Return a report of 4 to 20 players and 3 to 12 rounds. Pairs meet once, or again after a forfeit."""
    rng = random.Random(seed)
    count, rounds = rng.randint(4, 20), rng.randint(3, 12)
    names = [_name(rng, n) for n in range(1, count + 1)]
    cells: list[list[str]] = [[] for _ in names]
    past: set[frozenset[int]] = set()
    meetings, full, half, forfeits = [], [], [], []
    for _ in range(rounds):
        left = rng.sample(range(count), count)
        row = [""] * count
        meetings.append(set[frozenset[str]]())
        full.append(set[str]())
        half.append(set[str]())
        forfeits.append(set[tuple[str, str]]())
        while left:
            a = left.pop()
            kind = rng.random()
            free = [b for b in left if frozenset((a, b)) not in past]
            if kind < 0.2 or not free:
                mark = rng.choice("HHUFZ ")
                row[a] = (
                    _cell(0, " " if mark == " " else "-", mark) if rng.random() < 0.8 or mark != " " else " " * 10
                )
                full[-1] |= {names[a]} if mark in "UF" else set()
                half[-1] |= {names[a]} if mark == "H" else set()
                continue
            b = rng.choice(free)
            left.remove(b)
            white, black = rng.sample((a, b), 2)
            if kind < 0.4:
                won, lost = rng.choice((("+", "-"), ("-", "+"), ("-", "-")))
                if "+" in (won, lost):
                    winner, loser = (white, black) if won == "+" else (black, white)
                    full[-1].add(names[winner])
                    forfeits[-1].add((names[winner], names[loser]))
            else:
                won, lost = rng.choice((("1", "0"), ("0", "1"), ("=", "="), ("W", "L"), (" ", " ")))
                past.add(frozenset((a, b)))
                meetings[-1].add(frozenset((names[a], names[b])))
            row[white], row[black] = _cell(black + 1, "w", won), _cell(white + 1, "b", lost)
        for at, cell in enumerate(row):
            cells[at].append(cell)
    lines = ["012 Random", f"062 {count}", "092 Individual: Swiss-System", f"XXR {rounds}"]
    for n, (name, of) in enumerate(zip(names, cells, strict=True), 1):
        head = f"001 {n:>4} {'m':1}{'':3} {name:<33} {'':4} {'':3} {'':11} {'':10} {0:4.1f} {n:>4}"
        line = head + "".join(of)
        lines.append(line.rstrip() if rng.random() < 0.5 else line)
    end = rng.choice(("\n", "\r\n", "\r"))
    return Report(end.join([*lines, ""]), names, meetings, full, half, forfeits)


def _name(rng: random.Random, n: int) -> str:
    stem = rng.choice(("Alder, Ann", "Birch", "Müller", "佐藤", "O'Neil", "Ó Briain", "Łukasz"))
    return f"{stem} {n}"


def _cell(against: int, colour: str, mark: str) -> str:
    number = f"{against:04}" if against == 0 or against % 2 else f"{against:>4}"
    return f"  {number if mark != ' ' or against else '    '} {colour} {mark}"
