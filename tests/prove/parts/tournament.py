"""Simulated tournaments do not have avoidable rematches, and malicious files are rejected.

`simulated` plays events of 5 to 200 players with random withdrawals, late entries and results. `small` compares
every round of up to 10 players with all possible rounds. Hostile files are valid files broken by a random
generator.
"""

from __future__ import annotations

import io
import random
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf

from generator import games
from generator.errors import DataError
from generator.model.scenario import Request
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.tournament.event import Event, Scenarios
from generator.tournament.matching import cost, match_players
from generator.tournament.pairings import Pairing, Round
from generator.tournament.slips import slips_kit
from tests import hostile, mutate
from tests.prove.figure import SEED, Figure, counted, spread
from tests.tournament.simulated import CODE, simulated
from tests.tournament.test_matching import drawn, ways

EVENTS, LARGEST = 1_000, 200
ROUNDS, FEW = 1_000, 10
BROKEN = 500
_PLAYERS = "name,team\nAnn,A\nBo,B\n千代,乙\nŁuc,\nEve,A\n"
BOOK = f"""# The book of a tournament, kept by `muster tournament` (docs/tournament.md). You may change it by hand.
name = "Cup"
game = "battling"
code = "{CODE}"
apart = [["Ann", "Bo"]]
players = [
    {{ name = "Ann", lot = 7, team = "A" }},
    {{ name = "Bo", lot = 9, table = 2 }},
    {{ name = "千代", lot = 3, rests = [3] }},
    {{ name = "Łuc", lot = 4, left = 3 }},
    {{ name = "Eve", lot = 5, since = 1, no_bye = true }},
]

[wishes]
points = "20"

[[round]]
number = 1
meetings = [
    {{ a = "Ann", b = "千代", table = 1 }},
    {{ a = "Bo", b = "Łuc", table = 2 }},
    {{ a = "Eve" }},
]
results = [
    {{ table = 1, game = 1, won = "a", score = [2, 1], lost = [3, 4] }},
    {{ table = 1, game = 2, won = "draw" }},
]
corrected = [
    {{ at = "2026-11-22T13:50Z", was = {{ table = 1, game = 1, won = "b", score = [1, 2] }} }},
]
"""
_RESULTS = (
    "round,table,game,player_a,side_a,player_b,side_b,score_a,score_b,lost_a,lost_b,winner,kit,team\n"
    "1,1,1,Ann,First,千代,Second,2,1,3,4,,K,A\n1,1,2,Ann,Second,千代,First,,,,,draw,K,\n"
    "1,2,1,Bo,First,Łuc,Second,0,2,,,b,K,\n1,,,Eve,,bye,,,,,,,,\n"
)
_LISTS = (
    "Runde 2\nTisch;Weiß;Schwarz\n1;Ann;Łuc\n2;Bo;Eve\n;千代;spielfrei\n",
    "Tournoi\nRonde 2\n\nEch.  Blancs  Noirs  Résultat\n1  Ann  Łuc  :\n2  Bo  Eve  :\n   千代  exempt\n",
    "3\n1 4\n2 5\n3 0\n",
    "round,table,player_a,player_b\n2,1,Ann,Łuc\n2,2,Bo,Eve\n2,,千代,\n",
)
KINDS = ("event.toml", "results", "pairings", "trf", "players", "slips")
_KEYS = ("/V", "/V", "/V", "/T", "/AS", "/FT", "/Subtype", "/Parent", "/Kids")
"""Keys by which a field is read, or could be read by mistake."""


def trf() -> str:
    """Return the event as a TRF16 report, with the second round paired."""
    cells = (
        "0003 w =  0004 w  ",
        "0004 w 0  0005 w  ",
        "0001 b =  0000 - U",
        "0002 b 1  0001 b  ",
        "0000 - U  0002 b  ",
    )
    names = ("Ann", "Bo", "千代", "Łuc", "Eve")
    rows = (
        f"001 {at:4}      {name:<33}{'':33}{0.0:4.1f} {at:4}  {cell}"
        for at, (name, cell) in enumerate(zip(names, cells, strict=True), 1)
    )
    return "\n".join(("012 Cup", "062 5", *rows)) + "\n"


@cache
def slips() -> bytes:
    """Return the slips of the event's first round as a PDF form, filled in for both tables."""
    of = Event(games.load("battling"), Request(CODE, {"points": "20"}, {}), "Cup")
    round_ = Round(1, (Pairing(1, "Ann", "千代"), Pairing(2, "Bo", "Łuc")))
    out = io.BytesIO()
    blank = print_kit(slips_kit(of, round_, Scenarios(of, [round_]).deal(1)), PrintSettings("en", fillable=True))
    with pikepdf.open(io.BytesIO(blank)) as document:
        for field in _fields(document):
            name = str(field.T)
            if "/score/" in name or "/lost/" in name:
                field.V = pikepdf.String("2" if "/a/" in name else "1")
            elif "/a/won/" in name:
                field.AS = pikepdf.Name.Yes
        document.save(out, deterministic_id=True)
    return out.getvalue()


def _fields(document: pikepdf.Pdf) -> list[Any]:
    return [note for page in document.pages for note in page.get("/Annots", ()) if "/T" in note]


def hostile_slips(rng: random.Random) -> bytes:
    """Return filled slips with changed fields, pages or bytes, as left by an attacker or another tool."""
    if rng.random() < 0.25:
        return mutate.changed(slips(), "pdf", rng)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(slips())) as document:
        fields = _fields(document)
        for _ in range(rng.choice((1, 1, 2, 5))):
            what: Any = rng.choice(fields)
            name = str(what.T)
            other = name.translate({ord(rng.choice("0123456789/ABCDEFab")): rng.choice(("", "9", "/", "١", "b"))})
            made: tuple[Any, ...] = (
                pikepdf.String(
                    rng.choice(mutate.TEXTS).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                ),
                pikepdf.String(rng.choice(mutate.BYTES)),
                pikepdf.String(str(rng.choice(mutate.NUMBERS))),
                pikepdf.String(other),
                pikepdf.String(str(rng.choice(fields).T)),
                rng.choice((pikepdf.Name.Off, pikepdf.Name.Yes, pikepdf.Name.Btn, pikepdf.Name("/戦"))),
                rng.choice((7, -1, True, pikepdf.Array([1, [2]]), pikepdf.Dictionary(V=1))),
                document.make_stream(rng.choice(mutate.BYTES)),
                what,
            )
            if rng.random() < 0.1:
                holder, key = rng.choice(list(document.pages)).obj, rng.choice(("/Annots", "/Type", "/Contents"))
            else:
                holder, key = what, rng.choice(_KEYS)
            holder[key] = rng.choice(made)
        if rng.random() < 0.05:
            document.Root[rng.choice(("/Pages", "/AcroForm"))] = rng.choice(fields)
        with warnings.catch_warnings(action="ignore"):  # warnings about fields that no form contains any more
            document.save(out, deterministic_id=True)
    return out.getvalue()


def event(number: int) -> list[str]:
    """Return the faults of a simulated event."""
    return [f"event {number}: {fault}" for fault in simulated(random.Random(f"{SEED}/{number}"), LARGEST).faults]


def small(number: int) -> list[str]:
    """Return the fault of a round of few players, compared with every possible round."""
    rnd = random.Random(f"{SEED}/small/{number}")
    seats, never = drawn(rnd, rnd.randrange(2, FEW + 1))
    single = rnd.random() < 0.5
    best = min((cost(way, single) for way in ways(seats, never)), default=None)
    try:
        found = cost(match_players(seats, never, single), single)
    except DataError:
        found = None
    return [] if found == best else [f"round {number}: {found}, and the best is {best}"]


def broken(case: tuple[str, int]) -> list[str]:
    """Return the faults of the answers to a hostile file of the given kind."""
    kind, number = case
    rng = random.Random(f"{SEED}/{kind}/{number}")
    lang = "--lang", rng.choice(("en", "ja"))
    files = {"cup/event.toml": BOOK.encode()}
    name, form, text, *verbs = {
        "event.toml": (
            "cup/event.toml", "toml", BOOK,
            ("tournament", "status", "cup", *lang), ("tournament", "pair", "cup", "--dry-run", *lang),
        ),
        "results": ("x.csv", "csv", _RESULTS, ("tournament", "results", "cup", "x.csv", "--dry-run", *lang)),
        "pairings": (
            "x.txt", "csv", rng.choice(_LISTS),
            ("tournament", "pair", "cup", "--pairings", "x.txt", "--dry-run", *lang),
        ),
        "trf": ("x.trf", "csv", trf(), ("tournament", "pair", "cup", "--pairings", "x.trf", "--dry-run", *lang)),
        "players": (
            "x.csv", "csv", _PLAYERS,
            ("tournament", "new", "battling", "--players", "x.csv", "-o", "new", "--dry-run", *lang),
        ),
        "slips": ("x.pdf", "pdf", "", ("tournament", "results", "cup", "--from", "x.pdf", "--dry-run", *lang)),
    }[kind]  # fmt: skip
    changed = hostile_slips(rng) if form == "pdf" else mutate.changed(str(text).encode(), str(form), rng)
    files |= {str(name): changed}
    commands = tuple(tuple(map(str, verb)) for verb in verbs)
    return hostile.faults(hostile.Case(number, kind, files, str(name), commands))


def prove() -> Iterator[Figure]:
    """Try 1,000 events, 1,000 rounds against all others, and 500 hostile files of each kind."""
    # Random order distributes the longest cases. Otherwise all processes would wait for a long case at the end.
    found = spread(event, range(EVENTS), "events")
    yield counted("events of 5 to 200 players", EVENTS, [fault for faults in found for fault in faults])
    found = spread(small, range(ROUNDS), "rounds of few")
    yield counted("rounds of 2 to 10 players against all rounds", ROUNDS, [f for faults in found for f in faults])
    for kind in KINDS:
        found = spread(broken, [(kind, number) for number in range(BROKEN)], kind)
        yield counted(f"hostile files: {kind}", BROKEN, [fault for faults in found for fault in faults])
