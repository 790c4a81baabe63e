"""The printed kit of a battle, and the sheets that help a player to place the cards of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from generator.common.fairness import graded_line
from generator.common.game import Question, Stop
from generator.common.interpretations import (
    Interpretation,
    all_impacts,
    impact_rows,
    interpretations_with_effects,
    readings,
)
from generator.common.ownership import Part, cover_credits, is_user_content
from generator.common.pages import kit_with_cover
from generator.common.search import fair_names, fair_steps
from generator.games.battlelore.forces import Unit, council_line
from generator.games.battlelore.ground import SIDES, Side, section_name, side_name
from generator.games.battlelore.ground import words as battlelore
from generator.games.battlelore.model import OTHER
from generator.games.battlelore.pages import sheets as shared
from generator.games.battlelore.pages.kit import printed
from generator.games.battlelore.pages.laying import PlacedGroup, number, setup_sheet
from generator.games.battlelore.pages.records import Record, record_sheets
from generator.games.battlelore.pages.sheets import map_sheet
from generator.games.battlelore.play import sight_stake
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.draw import ground, hands
from generator.games.call_to_arms.fairness import FAIRNESS
from generator.games.call_to_arms.model import Force, Scenario, account, part_names, plain, played_words
from generator.games.call_to_arms.options import STRONG, DrawOptions
from generator.games.call_to_arms.pages.pieces import PLACES, battle_cards, card_view
from generator.games.call_to_arms.rules import rules
from generator.games.call_to_arms.specialists import specialists
from generator.games.call_to_arms.tables import numbers, ref_words, switches, words
from generator.model.scenario import Request
from generator.model.views import Figure, Kit, Later, Sheet
from generator.model.words import Words, joined, same
from generator.notation.text import kit_command, stamp
from generator.rules import Report

STAKES = all_impacts([sight_stake(lambda scenario: scenario.final)], rules(), FAIRNESS)
"""The results that can depend on rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the printed kit with all its default and optional sheets."""
    table = scenario.final
    councils = {camp: force.council for camp, force in scenario.forces.items()}
    also = [*_levies(scenario), *_specialists(scenario)]
    sheets = [setup_sheet(table, _laid(scenario), _plays(scenario), also, councils), _cards(scenario)]
    sheets += record_sheets(table, battlelore()["record"]["card"], [_record(scenario, camp) for camp in SIDES])
    texts = words()["cover"]
    deck = Part(texts["cards"], is_user_content(scenario.deck), scenario.origin.user_file_name("deck"))
    cover = shared.cover(
        table,
        mode=texts["mode"].fill(mode=texts[scenario.mode], age=texts[scenario.age]),
        armies={camp: _army(scenario, force) for camp, force in scenario.forces.items()},
        councils=councils,
        why_first=_why_first(scenario),
        content=[
            *cover_credits([deck, *shared.box_parts(table, scenario.pool)], texts["house"]),
            *([texts["twins"]] if scenario.twins else []),
            *shared.council_content(councils.values()),
        ],
    )
    graded = graded_line(FAIRNESS, scenario, report)

    def rulings() -> list[Interpretation]:
        return [
            *interpretations_with_effects(scenario, switches(), STAKES),
            *readings("call_to_arms"),
            *readings("battlelore"),
        ]

    def impacts() -> list[dict[str, object]]:
        return impact_rows(scenario, switches(), STAKES)

    def audit() -> Sheet:
        deployed = [unit for force in scenario.forces.values() for unit in force.units]
        names = part_names(scenario) | shared.unit_words(deployed) | fair_names(FAIRNESS.tables)
        steps = [plain(step) for step in scenario.log or account(scenario)]
        lines = [graded, *_measure(scenario), *cover.content]
        return shared.audit(table, report, words()["step"] | fair_steps(), names, steps, lines)

    cards = Later("deck", lambda: [battle_cards(scenario)])
    whole = printed(table, sheets, rulings, impacts, lambda: _circumstances(scenario), audit, graded, cards)
    return kit_with_cover(words()["game"]["title"], scenario, report, stamp, command, cover, *whole)


def _why_first(scenario: Scenario) -> Words:
    """Explain why the first player moves first."""
    texts, greens = words()["cover"], {camp: scenario.green(camp) for camp in SIDES}
    first, second = greens[scenario.first], greens[OTHER[scenario.first]]
    return texts["more_green" if first > second else "diced"].fill(n=first, m=second)


def _circumstances(scenario: Scenario) -> set[str]:
    """Return the circumstances of the scenario that rulings depend on, including the picked Specialists."""
    units = [unit for force in scenario.forces.values() for unit in force.units]
    second = scenario.forces[OTHER[scenario.first]]
    late_reserves = sum(unit.card == second.reserve and unit.hex is not None for unit in second.units)
    there = {
        "levies": any(unit.levy for unit in units),
        "displaced": any(unit.placed == "displaced" for unit in units),
        "lost": any(unit.hex is None for unit in units),
        "tied": any(step.what == "dice" for step in scenario.log),
        "short": late_reserves < numbers().second_reserves,
        "organized": scenario.mode == "organized",
        "specialists": any(force.specialists for force in scenario.forces.values()),
    }
    cards = {card for force in scenario.forces.values() for card in force.specialists}
    return shared.circumstances(scenario) | cards | {name for name, holds in there.items() if holds}


def _measure(scenario: Scenario) -> list[Words]:
    """Return a line about the measure by which cards were placed, if the generator used it."""
    options = scenario.origin.options
    placed = all(f"place-{camp}" in options for camp in SIDES)
    return [words()["places"]["strong"]] if options.get("place") == STRONG and not placed else []


def _army(scenario: Scenario, force: Force) -> Words:
    texts, deck = words()["cover"], scenario.deck
    return joined(
        [texts["set"].fill(set=ref_words(of), flavour=deck.flavour_of(force.camp, of).title) for of in force.sets]
    )


def _laid(scenario: Scenario) -> Iterator[PlacedGroup]:
    """Yield the units by card: sections in the order in which the mode reveals them, then reserves."""
    texts = words()
    second = OTHER[scenario.first]
    placed = [*((camp, section) for section in numbers().mode[scenario.mode].reveal for camp in SIDES)]
    if scenario.mode == "impromptu":
        placed.sort(key=lambda at: SIDES.index(at[0]))
    for camp, section in placed:
        force = scenario.final.forces[camp]
        yield _of_card(scenario, camp, force.cards[section], section_name(section))
    for camp in (second, scenario.first):
        group = _of_card(scenario, camp, scenario.forces[camp].reserve, texts["cards"]["reserve"])
        if group.units or group.notes:
            yield group
    for camp, force in scenario.final.forces.items():
        rest = [u for u in force.units if u.card not in force.keys and u.hex]
        groups = {
            battlelore()["laid"]["by_author"]: tuple(unit for unit in rest if unit.kind.piece),
            texts["record"]["by_special"]: tuple(unit for unit in rest if not unit.kind.piece),
        }
        yield from (PlacedGroup(camp, name, units) for name, units in groups.items() if units)


def _card_words(scenario: Scenario, camp: Side, key: str) -> Words:
    """Return the key and the name of a card. Both players may have a card with the same key."""
    sets = scenario.forces[camp].sets
    return words()["cards"]["of"].fill(key=ref_words(key, sets), name=scenario.card(camp, key).name)


def _of_card(scenario: Scenario, camp: Side, key: str, place: Words) -> PlacedGroup:
    force = scenario.final.forces[camp]
    name = _card_words(scenario, camp, key)
    units = tuple(unit for unit in force.units if unit.card == key)
    placed = tuple(unit for unit in units if unit.hex)
    return PlacedGroup(camp, name, placed, place, tuple(_exceptions(scenario, camp, units)))


def _exceptions(scenario: Scenario, camp: Side, units: Iterable[Unit]) -> Iterator[Words]:
    """Yield notes about units of a card that were not simply placed on the hex under their cell."""
    texts, game_texts, board, force = battlelore()["laid"], words()["laid"], scenario.board, scenario.forces[camp]
    alike: dict[str, list[str]] = {}
    for unit in units:
        no, before = number(camp, unit), scenario.table.find(camp, unit.id)
        section = next((s for s, key in force.cards.items() if key == unit.card), None)
        if unit.hex is None:
            alike.setdefault("absent", []).append(no)
        elif before and before.hex != unit.hex:
            alike.setdefault("moved", []).append(no)
        elif unit.placed == "displaced" and section and unit.cell[0] >= 0:
            at = board.plan.card_hex(camp, section, *unit.cell)
            ground = (board.feature(at) or board.terrain(at)).name.low
            text = texts["taken" if board.passable(at) else "because"]
            values = {"hex": board.field.name(at), "at": board.field.name(unit.hex)}
            yield text.fill(n=no, ground=ground, **values)
        if unit.levy:
            alike.setdefault("levy", []).append(no)
        if any(e.camp == camp and e.unit == unit.id for e in scenario.exchanges):
            alike.setdefault("exchanged", []).append(no)
    for key, numbered in alike.items():
        yield (game_texts if key in game_texts else texts)[key].fill(n=joined(map(same, numbered)))


def _plays(scenario: Scenario) -> list[tuple[Words, list[Words]]]:
    """Return the set-up step that describes the effects of Specialists; empty if none was played."""
    if not scenario.plays:
        return []
    texts = words()["laid"]
    lines = [
        texts["play"].fill(
            camp=side_name(p.camp),
            play=played_words(scenario, p) if p.choices else specialists()[p.card].label,
        )
        for p in scenario.plays
    ]
    return [(texts["specialists"], lines)]


def _levies(scenario: Scenario) -> list[tuple[Words, int | str]]:
    """Return the Feudal levy tokens that the set-up needs, by colour."""
    texts = words()["packing"]
    levies = Counter(lore().banners[u.kind.banner].name for _, u in scenario.final.units if u.levy)
    return [(texts["levies"].fill(colour=name.low), n) for name, n in levies.items()]


def _specialists(scenario: Scenario) -> list[tuple[Words, int | str]]:
    """Return the Specialist cards that the set-up needs."""
    names = [specialists()[name].label for force in scenario.forces.values() for name in force.specialists]
    return [(words()["packing"]["specialists"].fill(list=joined(names)), len(names))] if names else []


def _cards(scenario: Scenario) -> Sheet:
    """Return a sheet with the cards that each player played and the descriptions of their sets."""
    texts = words()["cards"]
    figures: dict[str, Figure] = {}
    for camp, force in scenario.forces.items():
        for key, place in zip(force.keys, PLACES, strict=True):
            figures[f"card{len(figures)}"] = card_view(scenario.deck, scenario.card(camp, key), place)
    armies = [
        {
            "name": side_name(camp),
            "sets": [
                # The sheet has room for the descriptions of one set for each player, and for the titles only of two.
                texts["set" if len(force.sets) == 1 else "titled"].fill(
                    set=ref_words(of), title=like.title, text=like.text
                )
                for of in force.sets
                for like in [scenario.deck.flavour_of(camp, of)]
            ],
        }
        for camp, force in scenario.forces.items()
    ]
    view = {"intro": texts["intro"], "armies": armies, "steps": list(_procedure(scenario))}
    return Sheet("cards", texts["title"], "call_to_arms/cards.xml", view, figures)


def _procedure(scenario: Scenario) -> Iterator[Words]:
    """Yield the steps of playing the cards in this mode."""
    names = {
        "first": side_name(scenario.first),
        "second": side_name(OTHER[scenario.first]),
        "owner": side_name(scenario.owner) if scenario.owner else same(""),
    }
    for step in words()[f"procedure_{scenario.mode}"].values():
        yield step.fill(cards=numbers().drawn, reserves=numbers().second_reserves, **names)


def _record(scenario: Scenario, camp: Side) -> Record:
    """Return the record of a camp's units with the war council and the effects of Specialists."""
    force = scenario.final.forces[camp]
    remarks = {unit.id: _remark(scenario, camp, unit) for unit in force.units}
    return Record(camp, force.units, remarks, tuple(_council(scenario, camp)))


def _council(scenario: Scenario, camp: Side) -> list[Words]:
    """Return a line for the war council and its Lore tokens, and a line for each Specialist."""
    force, texts = scenario.forces[camp], words()["record"]
    lines = []
    if force.council:
        lines.append(council_line(force.council, scenario.end.lore.get(camp, 0)))
    for play in scenario.plays:
        if play.camp == camp:
            card = specialists()[play.card]
            unused = texts["unused"] if card.chooses else card.full_text
            unchosen = texts["special"].fill(card=card.label, choices=unused)
            lines.append(played_words(scenario, play) if play.choices else unchosen)
    return lines


def _remark(scenario: Scenario, camp: Side, unit: Unit) -> Words:
    """Return the remark about a unit on the record sheet: its card and whatever is unusual about the unit."""
    texts, game_texts = battlelore()["record"], words()["record"]
    before = scenario.table.find(camp, unit.id)
    marks = {
        "reserve": unit.card == scenario.forces[camp].reserve,
        "displaced": unit.placed == "displaced",
        "lost": unit.hex is None,
        "levy": unit.levy,
    }
    remarks = [_card_words(scenario, camp, unit.card)] if unit.card else []
    remarks += [texts[name] for name, holds in marks.items() if holds]
    if any(e.camp == camp and e.unit == unit.id for e in scenario.exchanges):
        remarks.append(game_texts["exchanged"])
    if before is None or before != unit:
        remarks.append(game_texts["by_special"])
    return joined(remarks)


def kits(order: Request) -> Mapping[str, Kit]:
    """Return a kit for each player with the cards of the hand, a checklist and a map without units."""
    return {f"hand-{camp}": _kit(order, camp) for camp in SIDES}


def _kit(order: Request, camp: Side) -> Kit:
    options = DrawOptions.of(order)
    hand, chosen_map, texts = hands(options)[camp], ground(options), words()
    title = texts["hand"]["title"]
    places = ",".join("?" for _ in hand.keys)
    command = kit_command("call_to_arms", order.code, order.options)
    cards = Sheet(
        part="cards",
        title=title,
        template="call_to_arms/hand.xml",
        view={"command": f"{command} --place-{camp} {places} …"},
        figures={
            f"card{i}": card_view(options.deck, options.deck.card(camp, key), "unplaced")
            for i, key in enumerate(hand.keys)
        },
        side=side_name(camp),
    )
    return Kit(
        texts["game"]["title"],
        options.setting.title or chosen_map.title,
        stamp(order.code, order.options),
        (cards, map_sheet(chosen_map.board)),
    )


def questions(order: Request) -> tuple[Question, ...]:
    """Return the questions to the players about the places of their cards.

    Raises WrongUsageError if requested places do not match the hand.
    """

    def text(camp: Side, keys: str) -> Words:
        return words()["story"]["ask"].fill(camp=side_name(camp), hand=keys)

    options = DrawOptions.of(order)
    drawn = hands(options)
    for camp, hand in drawn.items():
        options.placed(camp, hand.keys)
    return tuple(Question(f"place-{c}", text(c, ", ".join(h.keys)), ",".join(h.keys)) for c, h in drawn.items())


HAND: Stop[Scenario] = Stop("hand", kits, questions)
