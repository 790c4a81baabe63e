"""What is the organiser's alone: every code and answer of a round, and where everything lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.model.views import Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.event import Drawn, Event
from generator.tournament.pairings import Round
from generator.tournament.sheets import own_kit, pages
from generator.tournament.words import words


def organiser_kit(event: Event, round_: Round, drawn: Sequence[Drawn], of: Mapping[int, Drawn]) -> Kit:
    """The organiser's sheets of a round; `of` is the scenario of each table by its number."""
    say = words()["organiser"]
    facts = [
        (say["event"], same(event.name)),
        (say["game"], event.game.title),
        (say["code"], same(event.order.code)),
        *([(say["opens"], same(event.secret_of(round_.number)))] if event.secret else []),
        (say["mode"], say[event.mode]),
        *((same(f"--{name}"), same(value)) for name, value in event.order.wishes.items()),
    ]
    tables = [{"table": p.table, "a": p.a, "b": p.b, "kit": of[p.table].stamp} for p in round_.tables]
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=round_.number),
        "facts": [_fact(name, value) for name, value in facts],
        "scenarios": [_answer(event, one, [t for t, d in of.items() if d is one]) for one in drawn],
        "tables": tables,
        "byes": [p.a for p in round_.pairings if p.bye],
    }
    title = words()["part"]["organiser"]
    many = pages(tables) + len(drawn)
    return own_kit(event, event.order.code, Sheet("organiser", title, "tournament/organiser.xml", view, pages=many))


def index_kit(event: Event, rounds: Sequence[tuple[int, Sequence[Mapping[str, object]]]]) -> Kit:
    """Where everything lies: for each round, as its manifest lists them, the files, pages, tables and kits."""
    rows = [row for _, found in rounds for row in found]
    view = {
        "event": event.name,
        "rounds": [
            {"round": words()["at"]["round"].fill(n=number), "rows": [dict(row) for row in found]}
            for number, found in rounds
        ],
    }
    many = pages(rows) + len(rounds)
    title = words()["part"]["index"]
    return own_kit(event, "", Sheet("index", title, "tournament/index.xml", view, pages=many))


def _answer(event: Event, drawn: Drawn, tables: Sequence[int]) -> dict[str, object]:
    """All that there is to know of a scenario."""
    say = words()["organiser"]
    found = drawn.report
    verdict = say["illegal"].fill(n=len(found.illegal)) if found.illegal else say["legal"].fill(n=len(found.rules))
    facts = [
        (say["own"], same(drawn.code)),
        (say["tables"], joined([same(table) for table in tables])),
        (say["command"], same(drawn.command)),
        (say["verdict"], verdict),
        *([(say["fairness"], drawn.certificate)] if drawn.certificate else []),
    ]
    return {
        "title": say["scenario"].fill(stamp=drawn.stamp, title=drawn.scenario.title),
        "story": event.game.story(drawn.scenario),
        "facts": [_fact(name, value) for name, value in facts],
        "again": say["again"] if drawn.again else "",
    }


def _fact(name: Words, value: Words) -> dict[str, Words]:
    return {"name": name, "value": value}
