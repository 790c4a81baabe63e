"""Every legal scenario prints, with any options, parts and kind of print, and whatever a person changed in its file.

Kits have random options, half of them at the ends of their ranges. Scenario files are changed at random as in
`hostile`, and those that can be read are printed, legal or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from generator import games
from generator.seeds import code_for
from tests import hostile, mutate
from tests.hostile import in_process
from tests.prove.figure import SEED, Figure, counted, spread

KITS, FILES = 40, 16
"""The numbers of kits with random options and of changed files of each game."""
SEARCHES = "fair", "tries"
"""Options that search for a scenario, which takes minutes."""
SHARE = 0.2
"""The probability that an option is used."""
PRINTS: tuple[tuple[str, ...], ...] = ((), (), ("--evening",), ("--fillable",), ("--format", "svg"))
PAPERS = "a4", "letter", "a3", "tabloid"
CHANGES = 40
"""The number of changed files among which one that can be read is looked for."""
READABLE = 0, 1
"""Exit codes of `check` for a scenario that is legal, and for one that is not."""
REFUSED = 2, 4
"""Exit codes if options contradict each other, and if nothing legal can be drawn with them."""


class Case(NamedTuple):
    """A kit or a changed file of a game, with its number."""

    game: str
    number: int
    is_file: bool


class Tried(NamedTuple):
    """The outcome of a case: whether it was printed, and what is wrong."""

    printed: bool
    faults: tuple[str, ...]


def prove() -> Iterator[Figure]:
    """Print kits and files of every game."""
    for game in games.names():
        kits = list(spread(tried, [Case(game, n, False) for n in range(KITS)], f"{game}: kits", size=1))
        yield figure(f"{game}: kits with random options", kits)
        files = list(spread(tried, [Case(game, n, True) for n in range(FILES)], f"{game}: files", size=1))
        yield figure(f"{game}: changed files", files)


def figure(what: str, found: list[Tried]) -> Figure:
    """Return the figure of some cases, of which a third at least must have been printed."""
    printed = sum(one.printed for one in found)
    faults = [fault for one in found for fault in one.faults]
    counts = counted(f"{what}: {printed} of {len(found)} printed, the others refused", len(found), faults)
    return Figure(counts.what, counts.found, counts.wanted, counts.holds and 3 * printed >= len(found), counts.faults)


def tried(case: Case) -> Tried:
    """Print a case and return the outcome."""
    rng = Random(f"{SEED}/prints/{case}")
    how = *rng.choice(PRINTS), "--lang", rng.choice(("en", "ja")), "--paper", rng.choice(PAPERS)
    how = *how, "--ink", rng.choice(("full", "saver"))
    with hostile.folder() as here:
        if not case.is_file:
            options = _options(case.game, rng)
            return _outcome("kit", case.game, "--seed", code_for(rng.randrange(10**6)), *options, *how)
        text = hostile.drawn(case.game, rng.choice(hostile.CODES), rng.randrange(9)).encode()
        for _ in range(CHANGES):
            (here / "s.toml").write_bytes(mutate.changed(text, "toml", rng))
            code = in_process("check", "s.toml").code
            if code in READABLE:
                outcome = _outcome("print", "s.toml", *how)
                # Units that are all on one hex, for example, cover each other's names, so that nothing is printed.
                return outcome if code == 0 else Tried(outcome.printed, tuple(filter(_is_a_bug, outcome.faults)))
        return Tried(False, ())


def _is_a_bug(fault: str) -> bool:
    """Return whether a fault remains one if the scenario is not legal, which a print may be refused for."""
    return not fault.startswith("exit 1: ")


def _options(game: str, rng: Random) -> Iterator[str]:
    """Yield random options of a game with random values."""
    for option in games.load(game).options:
        if option.name not in SEARCHES and option.choices and rng.random() < SHARE:
            ends = option.choices[0], option.choices[-1]
            yield f"--{option.name}"
            yield rng.choice((*ends, *rng.sample(list(option.choices), min(2, len(option.choices)))))


def _outcome(verb: str, what: str, *words: str) -> Tried:
    """Print all parts of a kit or file, and the parts of a usual kit, and return the outcome."""
    parts = _parts(verb, what, *words)
    faults: list[str] = []
    printed = False
    for chosen in ((), ("--parts", parts)):
        command = verb, what, *words, *chosen, "-o", "kit", "--force"
        done = in_process(*command)
        # If a scenario is printed that is not legal, the exit code is that of `check`.
        is_printed = done.code in READABLE and not done.err
        printed |= is_printed
        if not is_printed and done.code not in REFUSED:
            faults.append(f"exit {done.code}: {' '.join(command)}: {done.err.strip()[:300]}")
    return Tried(printed, tuple(faults))


def _parts(verb: str, what: str, *words: str) -> str:
    """Return the names of all parts of a kit or file, separated by commas, as the command lists them."""
    listed = in_process(verb, what, *words, "--parts", "?", "-o", "kit").err
    return listed.rpartition(": ")[2].strip().rstrip(")").replace(", ", ",")
