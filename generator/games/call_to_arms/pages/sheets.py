"""The kit, and the hand that a player chooses from.

Everything that is printed for one Call to Arms scenario, as sheets ready for the press.

The point where the players choose: each one's four cards, and an empty checklist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from generator.common.fairness import graded_line
from generator.common.game import Question, Stop
from generator.common.interpretations import readings
from generator.common.pages import covered
from generator.common.scenario_file import Step
from generator.common.search import fair_names, fair_steps
from generator.common.stakes import stakes, weighed
from generator.common.whose import Part, credits_of, is_owners
from generator.games.battlelore.forces import Unit, council_line, seat_names
from generator.games.battlelore.ground import SECTIONS, SIDES, Side, section_name, side_name
from generator.games.battlelore.ground import words as battlelore
from generator.games.battlelore.model import OTHER, kind_text
from generator.games.battlelore.pages import sheets as shared
from generator.games.battlelore.pages.pieces import battle_board, battle_tokens
from generator.games.battlelore.pages.sheets import map_sheet
from generator.games.battlelore.play import sight_stake
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.draw import ground, hands
from generator.games.call_to_arms.fairness import FAIRNESS
from generator.games.call_to_arms.model import Force, Scenario, account
from generator.games.call_to_arms.pages.pieces import card_view
from generator.games.call_to_arms.rules import rules
from generator.games.call_to_arms.specialists import Play, specialists
from generator.games.call_to_arms.tables import ref_told, switches, words
from generator.games.call_to_arms.wishes import STRONG, Asked
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import Words, joined, same
from generator.notation.text import kit_command, stamp
from generator.rules import Report

STAKES = stakes([sight_stake(lambda scenario: scenario.final)], rules(), FAIRNESS)
"""What may hang on the rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover, map, packing and set-up, each side's cards and records, fields of fire, reference.

    Where asked for, tokens and the board at true size.
    """
    table = scenario.final
    deployed = [unit for force in scenario.forces.values() for unit in force.units]
    names = named(scenario) | shared.told_units(deployed) | fair_names(FAIRNESS.tables)
    sheets = [
        shared.map_sheet(table.board, table.units, graded_line(FAIRNESS, scenario, report)),
        shared.setup_sheet(
            table,
            [_levies(scenario), *_specialists(scenario)],
            words()["step"] | fair_steps(),
            names,
            [_plain(step) for step in scenario.log or account(scenario)],
            _measure(scenario),
            {camp: force.council for camp, force in scenario.forces.items()},
        ),
    ]
    for camp in SIDES:
        sheets += [_cards(scenario, camp), _record(scenario, camp), *shared.fire_sheets(table, camp)]
    rulings = [*weighed(scenario, switches(), STAKES), *readings("call_to_arms"), *readings("battlelore")]
    sheets.append(shared.reference_sheet(table, rulings))
    say = words()["cover"]
    deck = Part(say["cards"], is_owners(scenario.deck), scenario.origin.brought("deck"))
    cover = shared.cover(
        table,
        mode=say["mode"].fill(mode=say[scenario.mode], age=say[scenario.age]),
        armies={camp: _army(scenario, force) for camp, force in scenario.forces.items()},
        councils={camp: force.council for camp, force in scenario.forces.items()},
        why_first=_why_first(scenario),
        content=[
            *credits_of([deck, *shared.box_parts(table, scenario.pool)], say["house"]),
            *([say["twins"]] if scenario.twins else []),
            *shared.council_content(force.council for force in scenario.forces.values()),
        ],
    )
    graded = graded_line(FAIRNESS, scenario, report)
    steps = [_plain(step) for step in scenario.log or account(scenario)]
    audit = shared.audit(
        table, report, words()["step"] | fair_steps(), names, steps, [graded, *_measure(scenario), *cover.content]
    )
    more = audit, battle_tokens(table.units), battle_board(table.board)
    return covered(words()["game"]["title"], scenario, report, stamp, command, cover, sheets, more)


def _why_first(scenario: Scenario) -> Words:
    """Why the first player is that."""
    say, greens = words()["cover"], {camp: scenario.green(camp) for camp in SIDES}
    first, second = greens[scenario.first], greens[OTHER[scenario.first]]
    return say["more_green" if first > second else "diced"].fill(n=first, m=second)


def _measure(scenario: Scenario) -> list[Words]:
    """The measure by which cards were placed, where the draw placed any by it."""
    wished = scenario.origin.wishes
    placed = all(f"place-{camp}" in wished for camp in SIDES)
    return [words()["places"]["strong"]] if wished.get("place") == STRONG and not placed else []


def named(scenario: Scenario) -> dict[str, Words]:
    """What the log's ids are called: Specialists and plays, the other camp's cards, council seats, soldiers."""
    sets = [(camp, of, force.sets) for camp, force in scenario.forces.items() for of in force.sets]
    cards = {ref: ref_told(ref, every) for camp, of, every in sets for ref in scenario.deck.refs(camp, of)}
    return (
        {card.id: card.label for card in specialists().values()}
        | {" ".join((p.card, *p.choices)): _played(scenario, p, p.choices) for p in scenario.plays if p.choices}
        | {of: ref_told(of) for _, of, _ in sets}
        | cards
        | {kind_text(e.kind): e.kind.name for e in scenario.exchanges}
        | seat_names(force.council for force in scenario.forces.values())
    )


def _plain(step: Step) -> Step:
    """A step of the log whose Specialist and choices are told together."""
    return replace(step, result=(" ".join(step.result),)) if step.what == "play" else step


def _played(scenario: Scenario, play: Play, choices: Iterable[str]) -> Words:
    """A Specialist with what was chosen, in words."""
    card, kinds = specialists()[play.card], scenario.reserve(play.camp).kinds
    say = words()["choice"].get(card.effect, same("{unit}"))
    told = []
    for name, _, where in (choice.partition(">") for choice in choices):
        unit = kinds[name].name.low if name in kinds else same(name)
        told.append(say.fill(unit=unit, hex=where or name))
    return words()["record"]["special"].fill(card=card.label, choices=joined(told))


def _army(scenario: Scenario, force: Force) -> Words:
    say, deck = words()["cover"], scenario.deck
    return joined(
        [say["set"].fill(set=ref_told(of), flavour=deck.flavour_of(force.camp, of).title) for of in force.sets]
    )


def _levies(scenario: Scenario) -> Words:
    say = words()["packing"]
    levies = Counter(lore().banners[u.kind.banner].name for _, u in scenario.units if u.levy)
    tokens = [Words(f"{n} {name.en.lower()}", f"{name.ja}{n}") for name, n in levies.items()]
    return say["levies"].fill(list=joined(tokens)) if tokens else say["no_levies"]


def _specialists(scenario: Scenario) -> list[Words]:
    """The Specialist cards to fetch, camp by camp; nothing where nobody picked any."""
    say, cards = words()["packing"]["specialists"], specialists()
    picked = {camp: [cards[name].name for name in force.specialists] for camp, force in scenario.forces.items()}
    return [say.fill(camp=side_name(camp), list=joined(names)) for camp, names in picked.items() if names]


def _cards(scenario: Scenario, camp: Side) -> Sheet:
    force, say = scenario.forces[camp], words()["cards"]
    places = [*(section_name(s) for s in SECTIONS), say["reserve"]]
    flavours = [(of, scenario.deck.flavour_of(camp, of)) for of in force.sets]
    return Sheet(
        part="cards",
        title=say["title"],
        template="call_to_arms/cards.xml",
        view={
            "intro": say["intro"],
            "sets": [say["set"].fill(set=ref_told(of), title=like.title, text=like.text) for of, like in flavours],
        },
        figures={
            f"card{i}": card_view(scenario.deck, scenario.card(camp, key), place)
            for i, (key, place) in enumerate(zip(force.keys, places, strict=True))
        },
        side=side_name(camp),
    )


def _record(scenario: Scenario, camp: Side) -> Sheet:
    """The record of what stands in the end, with the council and what each Specialist did."""
    force = scenario.final.forces[camp]
    remarks = {u.id: _remark(scenario, camp, u) for u in force.units}
    heading = battlelore()["record"]["card"]
    return shared.record_sheet(scenario.final, camp, force.units, heading, remarks, _council(scenario, camp))


def _council(scenario: Scenario, camp: Side) -> list[Words]:
    """The war council, Lore tokens and Specialists, a line each."""
    force, say = scenario.forces[camp], words()["record"]
    lines = []
    if force.council:
        lines.append(council_line(force.council, scenario.end.lore.get(camp, 0)))
    for play in scenario.plays:
        if play.camp == camp:
            card = specialists()[play.card]
            unused = say["unused"] if card.chooses else card.told
            unchosen = say["special"].fill(card=card.label, choices=unused)
            lines.append(_played(scenario, play, play.choices) if play.choices else unchosen)
    return lines


def _remark(scenario: Scenario, camp: Side, unit: Unit) -> Words:
    """The card a unit came with, and whatever was out of the ordinary."""
    say, own = battlelore()["record"], words()["record"]
    before = scenario.table.find(camp, unit.id)
    marks = {
        "reserve": unit.card == scenario.forces[camp].reserve,
        "displaced": unit.placed == "displaced",
        "lost": unit.hex is None,
        "levy": unit.levy,
    }
    told = [ref_told(unit.card, scenario.forces[camp].sets)] if unit.card else []
    told += [say[name] for name, holds in marks.items() if holds]
    if any(e.camp == camp and e.unit == unit.id for e in scenario.exchanges):
        told.append(own["exchanged"])
    if before is None or before != unit:
        told.append(own["by_special"])
    return joined(told)


def kits(order: Request) -> Mapping[str, Kit]:
    """A kit for each player: his cards, a checklist to fill in, and the empty map."""
    return {f"hand-{camp}": _kit(order, camp) for camp in SIDES}


def _kit(order: Request, camp: Side) -> Kit:
    asked = Asked.of(order)
    hand, land, say = hands(asked)[camp], ground(asked), words()
    title = say["hand"]["title"].fill(camp=side_name(camp))
    places = ",".join("?" for _ in hand.keys)
    command = kit_command("call_to_arms", order.code, order.wishes)
    cards = Sheet(
        part="cards",
        title=title,
        template="call_to_arms/hand.xml",
        view={"command": f"{command} --place-{camp} {places} …"},
        figures={
            f"card{i}": card_view(asked.deck, asked.deck.card(camp, key), say["cards"]["hand"].fill(n=i + 1))
            for i, key in enumerate(hand.keys)
        },
        side=side_name(camp),
    )
    return Kit(
        say["game"]["title"],
        asked.setting.title or land.title,
        stamp(order.code, order.wishes),
        (cards, map_sheet(land.board)),
    )


def questions(order: Request) -> tuple[Question, ...]:
    """Where each player's cards go; WrongUsageError where places wished for already do not fit the hand."""

    def text(camp: Side, keys: str) -> Words:
        return words()["story"]["ask"].fill(camp=side_name(camp), hand=keys)

    asked = Asked.of(order)
    drawn = hands(asked)
    for camp, hand in drawn.items():
        asked.placed(camp, hand.keys)
    return tuple(Question(f"place-{c}", text(c, ", ".join(h.keys)), ",".join(h.keys)) for c, h in drawn.items())


HAND: Stop[Scenario] = Stop("hand", kits, questions)
