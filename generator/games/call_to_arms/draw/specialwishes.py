"""Wishes for war councils and Specialists made sense of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore.battle import OTHER
from generator.games.battlelore.forces.council import COMMANDER, Council, council_tables, councils
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.call_to_arms.forces.specialists import specialists
from generator.model.scenario import Order


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list that a person typed."""
    plain = unicodedata.normalize("NFKC", text)
    return tuple(part.strip() for part in re.split(r"[,、]", plain) if part.strip())


def councils_of(order: Order) -> dict[Camp, Council]:
    """Each camp's `commander 2, warrior 3, rogue 1`, in the seats' order; empty where nobody wishes for one."""
    return {camp: _council(order, camp) for camp in CAMPS}


def _council(order: Order, camp: Camp) -> Council:
    option, tables = f"--council-{camp}", council_tables()
    levels: dict[str, int] = {}
    for part in listed(order.wishes.get(f"council-{camp}", "")):
        match = re.fullmatch(r"([a-z]+)[\s=:]*([0-9])", part.lower())
        if not match:
            raise WrongUsageError(f"{option}: {part[:20]!r} is no seat with its level, such as commander 2")
        if match[1] not in tables.seats:
            raise WrongUsageError(Problem(f"{option}: no seat {match[1]!r}", hint=near(match[1], tables.seats)))
        levels[match[1]] = int(match[2])
    if levels and tuple((seat, levels.get(seat, 0)) for seat in tables.seats) not in councils():
        most = (
            f"{COMMANDER} {tables.commander.least} to {tables.commander.most}, the others up to {tables.master.most}"
        )
        raise WrongUsageError(Problem(f"{option}: {tables.levels} levels are shared out in all", hint=most))
    return {seat: levels[seat] for seat in tables.seats if levels.get(seat)}


def picks_of(order: Order, lore_game: bool, wished: Mapping[Camp, Council]) -> dict[Camp, tuple[str, ...]]:
    """Each camp's Specialists; none twice, none that the age or a wished council forbids."""
    picks = {camp: tuple(_known(f"--specialists-{camp}", n) for n in _names(order, camp)) for camp in CAMPS}
    for camp, names in picks.items():
        for i, name in enumerate(names):
            card, option = specialists()[name], f"--specialists-{camp}"
            if name in names[:i] or (camp == CAMPS[0] and name in picks[OTHER[camp]]):
                raise WrongUsageError(
                    Problem(f"{option}: {name} is wished for twice", hint="no card is picked twice")
                )
            if card.lore_only and not lore_game:
                raise WrongUsageError(Problem(f"{option}: {name} belongs to Lore games", hint="add --age lore"))
            if wished[camp] and card.level(wished[camp]) <= card.above:
                needs = f"{card.needs} {card.above + 1}"
                raise WrongUsageError(Problem(f"{option}: {name} asks for {needs}", hint=f"see --council-{camp}"))
    return picks


def least_levels(names: tuple[str, ...]) -> dict[str, int]:
    """The Lore Masters without whom these Specialists do nothing, with their least levels."""
    cards = [specialists()[name] for name in names]
    return {card.needs: card.above + 1 for card in cards if card.needs}


def plays_of(order: Order, camp: Camp) -> Mapping[str, tuple[str, ...]]:
    """`infiltration: P3>D5 P4>E5; prayer`: choices by Specialist."""
    plays: dict[str, tuple[str, ...]] = {}
    for part in unicodedata.normalize("NFKC", order.wishes.get(f"plays-{camp}", "")).split(";"):
        name, _, choices = part.partition(":")
        if name.strip():
            plays[_known(f"--plays-{camp}", name)] = (
                tuple(re.split(r"[\s,、]+", choices.strip())) if choices.strip() else ()
            )
    return plays


def _names(order: Order, camp: Camp) -> tuple[str, ...]:
    return listed(order.wishes.get(f"specialists-{camp}", ""))


def _known(option: str, name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    if plain not in specialists():
        raise WrongUsageError(
            Problem(f"{option}: no Specialist {name.strip()[:30]!r}", hint=near(plain, specialists()))
        )
    return plain
