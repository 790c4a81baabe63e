"""Feudal levy tokens given back for soldiers (seed, 3b-4)."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games.battlelore.file import kind_text
from generator.games.battlelore.forces.points import points
from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.lore import lore
from generator.games.call_to_arms.draw.army import Army
from generator.games.call_to_arms.forces.specialists import Exchange
from generator.games.logs import Step


def may_become(levy: Kind, rulings: Mapping[str, str]) -> tuple[Kind, ...]:
    """The soldiers a token may be exchanged for, whatever is left in the pool.

    Its own level or lower, of any weapon that has figures of its own; a foot levy may become cavalry too (switch
    `levy_horse`: of its level or lower, or of a lower one only). A mounted levy stays mounted, or steps down to
    foot.
    """
    tables = lore()
    order = list(tables.banners)
    level = order.index(levy.banner)
    found = []
    for banner in order[: level + 1]:
        for weapon in tables.weapons.values():
            if weapon.stands:  # a long bow is what Bow Upgrade makes of a bow
                continue
            rises = levy.arm == "foot" and weapon.arm == "mounted"
            if rises and rulings["levy_horse"] == "lower" and order.index(banner) == level:
                continue
            found += [Kind(banner, weapon.id, race) for race in tables.races]
    return tuple(found)


def draw_exchanges(army: Army) -> tuple[list[Exchange], list[Step]]:
    """The exchanges a camp makes after its reserves: each token for the strongest soldiers left."""
    pool, camp = army.asked.pool, army.camp
    stream = army.streams.at("exchange")
    real = [u.kind for u in army.units if u.hex and not u.levy]
    exchanges: list[Exchange] = []
    steps: list[Step] = []
    for unit in army.units:
        if not (unit.hex and unit.levy):
            continue
        open_ = [k for k in may_become(unit.kind, army.asked.setting.rulings) if pool.fits(camp, [*real, k])]
        if not open_:
            continue
        best = max(points(k) for k in open_)
        kind = stream.choice([k for k in open_ if points(k) == best])
        real.append(kind)
        exchanges.append(Exchange(camp, unit.id, kind))
        steps.append(Step("exchange", camp, stream.path, (unit.id, kind_text(kind))))
    return exchanges, steps
