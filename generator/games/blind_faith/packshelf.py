"""Packs, rulings and policies for `muster data`."""

from __future__ import annotations

from pathlib import Path

from generator.games.blind_faith.forces.pack import Pack, blank_form, house_form, house_pack, load_pack, read_pack
from generator.games.blind_faith.forces.tables import Hit, Losses, spans
from generator.games.blind_faith.play.policy import outcomes, policies
from generator.games.capability import Shelf
from generator.games.rulings import rulings
from generator.games.shelving import Rows, faults, headed, own, ruling_rows, table
from generator.model.words import Lang, Words, joined, same


def hits(faces: tuple[Hit, ...]) -> Words:
    """A cell of fire or bombardment as it prints: each result with its dice; a dash for none."""
    told = [
        Words(f"{outcomes()[hit].name.en} {dice}", f"{outcomes()[hit].name.ja} {dice}")
        for hit, first, last in spans(faces)
        for dice in [f"{first}" if first == last else f"{first}–{last}"]
    ]
    return joined(told) if told else same("–")


def losses(cost: Losses) -> Words:
    """A cell of the response table as it prints; a dash for no loss."""
    counts = (("rout", cost.rout), ("eliminate", cost.eliminate))
    told = [
        Words(f"{count} {outcomes()[fate].name.en.lower()}", f"{outcomes()[fate].name.ja}{count}")
        for fate, count in counts
        if count
    ]
    return joined(told) if told else same("–")


def _pack(of: str | Path, lang: Lang) -> Rows:
    pack = load_pack(own(of))
    rows = [[headed(pack, lang)], [pack.note[lang]], *_units(pack, lang), [""]]
    for name, shots, columns in (("fire", pack.fire, pack.types), ("bombard", pack.bombard, pack.walls)):
        lines = dict.fromkeys(row for row, _ in shots)
        rows.append([name, *(column.name[lang] for column in columns)])
        names = {kind.id: kind.name[lang] for kind in pack.types}
        rows += [[names[line], *(hits(shots[line, column.id])[lang] for column in columns)] for line in lines]
        rows.append([""])
    rows.append(["charge", "defender", "charger"])
    for die, result in enumerate(pack.charge.results, pack.charge.lowest):
        rows.append([str(die), *(outcomes()[fate].name[lang] for fate in result)])
    rows += [[""], ["response", *map(str, range(1, 1 + max(len(c.results) for c in pack.response.columns)))]]
    for column, (least, most) in zip(pack.response.columns, pack.response.bounds(), strict=True):
        rows.append([f"{least}–{most}" if most else f"{least}+", *(losses(cost)[lang] for cost in column.results)])
    return rows


def _units(pack: Pack, lang: Lang) -> Rows:
    rows = [["", "", "side", "movement", "drm", "points", "fires"]]
    rows += [
        [
            *(unit.id, unit.name[lang], " / ".join(unit.sides)),
            *(str(unit.movement), f"{unit.drm:+d}", str(unit.points), " / ".join(unit.fires) or "-"),
        ]
        for unit in pack.units.values()
    ]
    return rows


def _policies(lang: Lang) -> Rows:
    return [[policy.id, policy.name[lang], policy.text[lang]] for policy in policies().values()]


_FORMS = {"blank-pack": Words("A pack to fill in", "記入用のパック")}

PACK_SHELVES = (
    Shelf(
        "pack",
        lambda: {"house-pack": house_pack().name},
        _pack,
        faults(read_pack),
        ("unit", "fire", "charge"),
        file=lambda name: blank_form() if name in _FORMS else house_form(),
        takes=("pack",),
        forms=_FORMS,
        what=Words("unit values and tables", "ユニットの数値と戦闘結果表"),
        read=read_pack,
    ),
    table("blind-faith-rulings", Words("Rulings", "裁定"), lambda lang: ruling_rows(rulings("blind_faith"), lang)),
    table("policies", Words("Policies of the odds", "勝率計算の方針"), _policies),
)
"""What the battle side adds to the game's shelves."""
