"""The point where the players choose: each one's four cards, and an empty checklist."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.battlelore.pages.sheets import map_sheet
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.draw.draw import ground, hands
from generator.games.call_to_arms.pages.cardsheet import card_view
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.wishes import Asked
from generator.games.call_to_arms.words import words
from generator.games.capability import Question, Stop
from generator.model.scenario import Order
from generator.model.views import Kit, Sheet
from generator.model.words import Words
from generator.notation.command import kit_command, stamp


def kits(order: Order) -> Mapping[str, Kit]:
    """A kit for each player: his cards, a checklist to fill in, and the empty map."""
    return {f"hand-{camp}": _kit(order, camp) for camp in CAMPS}


def _kit(order: Order, camp: Camp) -> Kit:
    asked = Asked.of(order)
    hand, land, say = hands(asked)[camp], ground(asked), words()
    title = say["hand"]["title"].fill(camp=camp_name(camp))
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
        side=camp_name(camp),
    )
    return Kit(
        say["game"]["title"],
        asked.setting.title or land.title,
        stamp(order.code, order.wishes),
        (cards, map_sheet(land.board)),
    )


def questions(order: Order) -> tuple[Question, ...]:
    """Where each player's cards go; WrongUsageError where places wished for already do not fit the hand."""

    def text(camp: Camp, keys: str) -> Words:
        return words()["story"]["ask"].fill(camp=camp_name(camp), hand=keys)

    asked = Asked.of(order)
    drawn = hands(asked)
    for camp, hand in drawn.items():
        asked.placed(camp, hand.keys)
    return tuple(Question(f"place-{c}", text(c, ", ".join(h.keys)), ",".join(h.keys)) for c, h in drawn.items())


HAND: Stop[Scenario] = Stop("hand", kits, questions)
