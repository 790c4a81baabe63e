"""The reference page: sequence, tables, column finder and the rulings used."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.ground.terrain import terrain_source, terrains
from generator.games.blind_faith.pages.mapsheet import ground_told
from generator.games.blind_faith.pages.sequence import deploy, steps
from generator.games.blind_faith.pages.tableview import tables, tokens
from generator.games.blind_faith.wishes import switches
from generator.games.blind_faith.words import words
from generator.games.readings import readings, settled, told
from generator.games.rulings import defaults
from generator.games.whose import is_owners
from generator.games.words import marked
from generator.model.views import Sheet
from generator.model.words import joined


def reference_sheet(pack: Pack, chosen: Mapping[str, str] | None = None) -> Sheet:
    """One page to play by, with a pack; `chosen` is by ruling."""
    chosen = chosen or defaults(switches())
    say = words()["reference"]
    return Sheet(
        part="reference",
        title=say["title"],
        template="blind_faith/reference.xml",
        view={
            "march": steps("march", pack, chosen),
            "deploy": deploy(pack, chosen),
            "battle": steps("battle", pack, chosen),
            "siege": steps("siege", pack, chosen),
            "crusade": steps("crusade", pack, chosen),
            "ground": marked(say["ground"], terrain_source()),
            "grounds": joined([ground_told(ground) for ground in terrains().values()]),
            **tables(pack),
            "rulings": told([*settled(switches(), chosen), *readings("blind_faith")]),
        },
        figures=tokens(pack),
        pages=1 if not is_owners(pack) else 2,
    )
