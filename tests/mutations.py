"""Create legal scenario files of every game, each with one change that breaks known rules.

The changes come from the table of each game. Here they become files, as users meet them. The legal scenario and
the changed scenario are both read from disk, together with the files that they use.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from generator import games
from generator.cli.scenario import load
from generator.common.pages import source_words
from generator.errors import DataError
from generator.games.battlelore.forces import house_pool
from generator.games.battlelore.ground import house_inventory
from generator.games.blind_faith.tables import house_form, house_pack
from generator.games.travel_battle.forces import ArmyFile, house_roster
from generator.model.scenario import UserFile
from generator.notation import envelope
from generator.rules import Finding
from tests.games.battlelore import test_alone as battlelore
from tests.games.battling import scenes as duels
from tests.games.battling import test_mutations as battling
from tests.games.blind_faith import scenes as hussites
from tests.games.blind_faith import test_mutations as blind_faith
from tests.games.call_to_arms import test_mutations as call_to_arms
from tests.games.travel_battle import scenes as boards
from tests.games.travel_battle import test_mutations as travel_battle
from tests.mutate import written

CITED: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "cited.toml").read_text("utf-8")
)
"""Tier of each rule, its citation in any mode of play, and its citation in Organized games."""


NO_FILE = {
    "one board too many",
    "brigades too small for their army",
    "brigades too large for their army",
    "a count of brigades",
}
"""Changes that cannot be written to a file, or whose file is refused because boards or an army do not exist."""


class Mutation(NamedTuple):
    """A change to a legal scenario, with the rules that it breaks."""

    game: str
    name: str
    before: Any
    after: Any
    fires: frozenset[str]
    """Ids of all rules that the change breaks."""
    unproved: bool = False
    """Whether only the evidence is missing."""


@cache
def mutations() -> tuple[Mutation, ...]:
    """Return every change that breaks a rule and can be written to a file."""
    return tuple(of for of in every() if of.fires and of.name not in NO_FILE)


def every() -> Iterator[Mutation]:
    """Yield every row of every game's table."""
    for battle in battlelore.ROWS:
        scenario = battlelore.battle(age=battle.age)
        yield Mutation("battlelore", battle.name, scenario, battle.change(scenario), _ids(battle.rules))
    duel = duels.battle()
    for name, (edit, fires) in battling.MUTATIONS.items():
        unproved = name in battling.UNPROVED
        yield Mutation("battling", name, duel, edit(duel), frozenset(fires), unproved)
    for march in blind_faith.TABLE:
        camps = hussites.scene(march.scene)
        yield Mutation("blind_faith", march.id, camps, march.edit(camps), _ids(march.fires))
    for which in ("battlelore", "memoir"):
        for cards in call_to_arms.TABLE:
            dealt = call_to_arms.at(cards, which)
            unproved = cards.id in call_to_arms.UNPROVED
            name = f"{cards.id}, {which}"
            yield Mutation("call_to_arms", name, dealt, cards.edit(dealt), _ids(cards.fires), unproved)
    field = boards.battle()
    for board in travel_battle.TABLE:
        unproved = board.id in travel_battle.UNPROVED
        yield Mutation("travel_battle", board.id, field, board.edit(field), _ids(board.fires), unproved)


def _ids(fires: str) -> frozenset[str]:
    return frozenset(fires.split())


def files(scenario: Any) -> dict[str, str]:
    """Return the text of the scenario's tables that differ from shipped ones, keyed by option."""
    found: dict[str, Mapping[str, Any]] = {}
    if hasattr(scenario, "pool") and scenario.pool != house_pool():
        found["pool"] = msgspec.to_builtins(scenario.pool) | {"source": "owner"}
    if hasattr(scenario, "inventory") and scenario.inventory != house_inventory():
        found["inventory"] = msgspec.to_builtins(scenario.inventory)
    if hasattr(scenario, "roster") and scenario.roster != house_roster():
        of = scenario.roster
        kinds, sizes, presets = (tuple(part.values()) for part in (of.kinds, of.sizes, of.presets))
        found["army"] = msgspec.to_builtins(ArmyFile(of.name, kinds, "own", sizes, presets))
    if getattr(scenario, "pack", None) and hasattr(scenario.pack, "legates") and scenario.pack != house_pack():
        form = tomllib.loads(house_form().read_text("utf-8"))
        found["pack"] = form | {"source": "owner", "unit": msgspec.to_builtins(list(scenario.pack.units.values()))}
    return {option: written(data) for option, data in found.items()}


def report_of(game: str, scenario: Any) -> tuple[str, tuple[Finding, ...]]:
    """Write a scenario to disk, read it back, and return its text and its findings.

    Raises:
        DataError: If the file is refused.
    """
    user_files = files(scenario)
    hashes = {
        option: UserFile(f"{option}.toml", sha256(text.encode()).hexdigest()) for option, text in user_files.items()
    }
    origin = replace(scenario.origin, code="", version="", files=hashes)
    text = envelope.compose(origin, games.load(game).write(scenario))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenario.toml"
        path.write_text(text, "utf-8")
        for option, content in user_files.items():
            path.with_name(f"{option}.toml").write_text(content, "utf-8")
        return text, load(path).report.findings


def wrong(number: int) -> str:
    """Return the fault of the change with the given number, or "" if there is no fault."""
    return fault(mutations()[number])


def fault(of: Mutation) -> str:
    """Return how the findings on a change differ from the expected findings.

    The result is "" if the file breaks exactly the expected rules, each reported with its tier and citation.
    """
    try:
        before, held = report_of(of.game, of.before)
        after, found = report_of(of.game, of.after)
    except DataError as error:
        return f"{of.game}, {of.name}: refused: {error.problems[0].message}"
    mode = getattr(of.after, "mode", "")
    faults = [f"before: {finding.rule.id}" for finding in held]
    if before == after and files(of.before) == files(of.after):
        faults.append("the file is the same")
    if (broken := {finding.rule.id for finding in found}) != of.fires:
        faults.append(f"breaks {sorted(broken)} for {sorted(of.fires)}")
    for finding in found:
        tier, *cited = CITED[of.game][finding.rule.id]
        paragraph = cited[-1 if mode == "organized" else 0]
        citation = source_words(finding.rule.source)
        if (finding.rule.tier, finding.level) != (tier, "unproved" if of.unproved else tier):
            faults.append(f"{finding.rule.id} is {finding.level}, {finding.rule.tier}, for {tier}")
        if citation.en != paragraph or ("原典" in citation.ja) != ("rule text" in paragraph):
            faults.append(f"{finding.rule.id} cites {citation} for {paragraph}")
    return f"{of.game}, {of.name}: {'; '.join(faults)}" if faults else ""
